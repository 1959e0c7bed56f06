"""Shells complete commands, options, choices and file names, without loading anything heavy."""

import gzip
import re

import pytest

from curvewise.cli.app import COMMANDS, find_command
from curvewise.cli.guess import complete_column

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
    assert complete("curvewise ", 1) == [f"plain,{name}" for name in COMMANDS]
    assert complete("curvewise re", 1) == ["plain,report", "plain,recalibrate"]


def test_options_choices_and_files(complete, write):
    write("curvewise.toml", "nonsense")  # nobody asked for a run
    assert complete("curvewise report x.csv --le", 3) == ["plain,--level"]
    assert complete("curvewise report x.csv --lang ", 4) == ["plain,en", "plain,zh", "plain,zh-general"]
    assert complete("curvewise plot ", 2) == ["file,"]


COLUMNS = ("--label", "--score", "--weight", "--cluster", "--stratum", "--group", "--site", "--fold")


@pytest.mark.parametrize("option", COLUMNS)
def test_columns_of_the_file_on_the_line(complete, write, option):
    write("x.csv", "ill,model_a,model_b,mode\n1,0.5,0.25,2\n")
    assert complete(f"curvewise report x.csv {option} ", 4) == [
        f"plain,{name}" for name in ("ill", "model_a", "model_b", "mode")
    ]
    assert complete(f"curvewise report --score ill x.csv {option} model_", 6) == ["plain,model_a", "plain,model_b"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.tsv", "a\tb\n1\t2\n"),
        ("x.txt", "a;b\n1;2\n"),
        ("x.jsonl", '{"a": 1}\n{"a": 2, "b": 3}\n'),
        ("x.json", '[{"a": 1, "b": 2}]'),
        ("x.csv.gz", gzip.compress(b"a,b\n1,2\n", mtime=0)),
    ],
)
def test_columns_of_every_kind_of_text(complete, write, name, content):
    write(name, content)
    assert complete(f"curvewise metrics {name} --label ", 4) == ["plain,a", "plain,b"]


@pytest.mark.parametrize("content", ["", "\0\0", "[", b"\x1f\x8b cut", '"a\nb",c\n', "a\x1b[31m,c\n"])
def test_what_cannot_be_read_completes_nothing_and_says_nothing(complete, write, content):
    write("x.json" if content == "[" else "x.csv", content)
    assert [c for c in complete("curvewise metrics x.csv --label ", 4) if c != "plain,c"] == []
    assert complete("curvewise metrics absent.csv --label ", 4) == []
    assert complete("curvewise metrics - --label ", 4) == []
    assert complete("curvewise metrics --label ", 3) == []


def test_every_option_that_takes_a_column_completes_it():
    for name in COMMANDS:
        for option in find_command(name).params:
            if option.metavar == "COL":
                assert option._custom_shell_complete is complete_column, (name, option.name)


@pytest.mark.parametrize(("name", "words"), [("bash", "complete -o"), ("zsh", "compdef"), ("fish", "complete ")])
def test_the_line_that_the_documentation_gives(shell, clean_env, name, words):
    # click asks bash for its version before it writes for it, and only warns if there is none
    answer = shell(env={**clean_env, "_CURVEWISE_COMPLETE": f"{name}_source"})
    assert answer.returncode == 0
    assert re.search(words, answer.stdout)
