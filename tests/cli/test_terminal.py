"""What a terminal shows: folded to its width, in colours, with no number cut; a pipe gets one line per row."""

import os
import re
import subprocess
import sys
from importlib.resources import files

import pytest

from curvewise.results.text import width

SCREENING = str(files("curvewise") / "data" / "screening.csv")
BASE = (SCREENING, "--label", "disease", "--score", "model_a", "--score", "model_b", "--score", "rating")
COMMANDS = [
    ("metrics", *BASE, "--no-intervals"),
    ("metrics", *BASE, "--metric", "auc", "--metric", "ap", "--replicates", "20"),
    ("metrics", "--list"),
    ("compare", *BASE, "--margin", "0.1"),
    ("groups", *BASE, "--group", "sex", "--group", "age_band", "--threshold", "0.05", "--replicates", "20"),
    ("operate", *BASE, "--rule", "youden", "--replicates", "0"),
]


def on_terminal(args, env, columns):
    """Run the program on a terminal of its own; return what it shows."""
    import pty  # not on Windows

    ours, theirs = pty.openpty()
    env = {**env, "TERM": "xterm-256color", "COLUMNS": str(columns)}
    with subprocess.Popen([sys.executable, "-m", "curvewise", *args], stdout=theirs, env=env) as process:
        os.close(theirs)
        shown = b""
        try:
            while part := os.read(ours, 4096):
                shown += part
        except OSError:  # how Linux says that the other end is closed
            pass
        os.close(ours)
    assert process.returncode == 0
    return shown.decode().replace("\r\n", "\n")


def numbers(text):
    return sorted(re.findall(r"\d+\.\d+(?: \([^)]* to [^)]*\))?", text))


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("args", COMMANDS, ids=lambda args: " ".join(a for a in args if a not in BASE))
def test_nothing_is_wider_than_the_terminal_and_no_number_is_lost(clean_env, shell, args, columns):
    shown = on_terminal(args, clean_env, columns)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert max(map(width, plain.splitlines())) <= columns
    assert "\x1b[1m" in shown
    piped = shell(*args).stdout
    assert "\x1b" not in piped
    assert set(numbers(piped)) <= set(numbers(" ".join(plain.split())))
    assert max(map(width, piped.splitlines())) > columns  # one line per row, for programs that read lines
