"""Shells complete commands, options, choices and file names, without loading anything heavy."""

import re

import pytest

from curvewise.cli.app import COMMANDS

HEAVY = ("numpy", "polars", "scipy", "matplotlib")
PROBE = """
import sys
from curvewise.cli import main
try:
    main([])
finally:
    sys.stderr.write(" ".join(m for m in {heavy!r} if m in sys.modules))
"""


@pytest.fixture
def complete(shell, clean_env):
    def ask(words, place):
        env = {
            **clean_env,
            "_CURVEWISE_COMPLETE": "bash_complete",
            "COMP_WORDS": words,
            "COMP_CWORD": str(place),
        }
        answer = shell(code=PROBE.format(heavy=HEAVY), env=env)
        assert answer.stderr == ""
        return answer.stdout.split()

    return ask


def test_commands(complete):
    assert complete("curvewise ", 1) == [f"plain,{name}" for name in sorted(COMMANDS)]
    assert complete("curvewise re", 1) == ["plain,recalibrate", "plain,report"]


def test_options_choices_and_files(complete, write):
    write("curvewise.toml", "nonsense")  # nobody asked for a run
    assert complete("curvewise report x.csv --le", 3) == ["plain,--level"]
    assert complete("curvewise report x.csv --lang ", 4) == ["plain,en", "plain,zh"]
    assert complete("curvewise plot ", 2) == ["file,"]


@pytest.mark.parametrize(("name", "words"), [("bash", "complete -o"), ("zsh", "compdef"), ("fish", "complete ")])
def test_the_line_that_the_documentation_gives(shell, clean_env, name, words):
    # click asks bash for its version before it writes for it, and only warns if there is none
    answer = shell(env={**clean_env, "_CURVEWISE_COMPLETE": f"{name}_source"})
    assert answer.returncode == 0
    assert re.search(words, answer.stdout)
