"""Pipes that can be read once, and streams that were closed: the answer, or one sentence and its exit code."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import curvewise

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes and a shell")
CALL = f"PYTHONPATH={Path(curvewise.__file__).parents[1]} {sys.executable} -m curvewise"


@pytest.mark.parametrize(
    ("command", "streams", "code", "said"),
    [
        ("metrics none.csv --label y --score p", "2>&-", 5, ""),
        ("metrics none.csv --label y --score p", ">&-", 5, "there is no such file"),
        ("metrics none.csv --label y --score p", ">&- 2>&-", 5, ""),
        ("metrics tiny.csv --label y --score p", "2>&-", 0, ""),
        ("metrics tiny.csv --label y --score p", ">&-", 5, "standard output is closed"),
        ("metrics tiny.csv --label y --score p -o out.txt", ">&-", 0, ""),
        ("metrics tiny.csv --label y --score p --fail-under auc=0.99", "2>&-", 1, ""),
        ("plot tiny.csv --label y --score p -o out.svg", ">&- 2>&-", 0, ""),
        ("metrics --nonsense", "2>&-", 2, ""),
        ("--help", ">&-", 5, "standard output is closed"),
    ],
)
def test_closed_streams_change_no_exit_code(tiny, command, streams, code, said):
    typed = f"{CALL} {command} {streams}"
    done = subprocess.run(typed, check=False, shell=True, cwd=tiny.parent, capture_output=True, text=True, timeout=120)
    assert done.returncode == code
    assert said in done.stderr
    assert len(done.stderr.splitlines()) <= 1
    for name in ("out.txt", "out.svg"):
        assert name not in command or (tiny.parent / name).stat().st_size


def test_a_named_pipe_is_read_once_and_its_digest_is_of_what_was_read(curve, tiny):
    pipe = tiny.parent / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(tiny.read_bytes()), daemon=True)
    writer.start()
    answer = curve("report", pipe, "--label", "y", "--score", "p", "-o", tiny.parent / "r.json")
    writer.join(10)
    assert answer.code == 0, answer.err
    found = json.loads((tiny.parent / "r.json").read_text())
    assert hashlib.sha256(tiny.read_bytes()).hexdigest() in json.dumps(found)
