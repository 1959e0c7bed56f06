"""Files are written whole or not at all, over nothing that was not meant, and no draft is left behind."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import curvewise as cw
from curvewise import CurvewiseError, SourceError
from curvewise.results.writing import output_path, write_atomically

POSIX = pytest.mark.skipif(os.name != "posix", reason="modes and signals of POSIX")


def test_a_file_that_appears_meanwhile_is_kept(tmp_path):
    path = output_path(str(tmp_path / "a.txt"), "-", force=False)
    path.write_text("of another")
    with pytest.raises(SourceError, match="appeared meanwhile; use --force to replace it"):
        write_atomically(path, b"mine", force=False)
    assert path.read_text() == "of another"
    write_atomically(path, b"mine", force=True)
    assert path.read_text() == "mine"
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]


def test_without_links_a_file_is_kept_as_well(tmp_path, monkeypatch):
    def link(*_):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", link)
    path = tmp_path / "a.txt"
    write_atomically(path, b"first", force=False)
    with pytest.raises(SourceError, match="appeared meanwhile"):
        write_atomically(path, b"second", force=False)
    assert path.read_text() == "first"
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]


WRITER = """
import sys
from pathlib import Path
from curvewise.results.writing import write_atomically
print("ready", flush=True)
sys.stdin.read(1)
write_atomically(Path(sys.argv[1]), sys.argv[2].encode() * 100_000, force=False)
"""


def _started(code, *args):
    env = os.environ | {"PYTHONPATH": str(Path(cw.__file__).parents[1])}
    started = subprocess.Popen(
        [sys.executable, "-c", code, *map(str, args)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=env,
    )
    assert started.stdout.readline() == "ready\n"
    return started


def test_of_several_writers_one_wins_and_the_others_say_so(tmp_path):
    path = tmp_path / "a.txt"
    writers = {name: _started(WRITER, path, name) for name in "abc"}
    for writer in writers.values():
        writer.stdin.write("x")
        writer.stdin.flush()
    said = {name: writer.communicate(timeout=60)[1] for name, writer in writers.items()}
    (winner,) = [name for name, writer in writers.items() if writer.returncode == 0]
    assert path.read_text() == winner * 100_000
    assert all("appeared meanwhile" in text for name, text in said.items() if name != winner)
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]


SLOW = """
import os, sys, time
from pathlib import Path
from curvewise.results import writing
def wait(number):
    print("ready", flush=True)
    time.sleep(60)
writing.os.fsync = wait
writing.write_atomically(Path(sys.argv[1]), b"x", force=True)
"""


@POSIX
def test_a_draft_is_private_and_gone_after_sigterm(tmp_path):
    path = tmp_path / "a.txt"
    writer = _started(SLOW, path)
    (draft,) = tmp_path.iterdir()
    assert stat.S_IMODE(draft.stat().st_mode) == 0o600
    writer.send_signal(signal.SIGTERM)
    writer.communicate(timeout=30)
    assert writer.returncode == -signal.SIGTERM
    assert list(tmp_path.iterdir()) == []


@POSIX
def test_a_file_has_the_mode_of_the_one_it_replaces_or_of_any_new_one(tmp_path):
    path, plain = tmp_path / "a.txt", tmp_path / "b.txt"
    plain.write_text("")
    write_atomically(path, b"1", force=False)
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)
    path.chmod(0o640)
    write_atomically(path, b"2", force=True)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_verb_needs_a_file_to_write_to():
    found = cw.evaluate({"y": [0, 1, 0, 1], "s": [0.1, 0.9, 0.2, 0.6]}, label="y", scores=["s"])
    with pytest.raises(CurvewiseError, match="name a file"):
        found.report("-")


def test_a_name_that_no_file_can_have_is_refused(tmp_path):
    for name in (f"{tmp_path}/a\0b.csv", "x" * 5000):
        with pytest.raises(SourceError, match="cannot be written"):
            output_path(name, "-", force=False)
        with pytest.raises(SourceError, match="cannot be read"):
            cw.evaluate(name, label="y", scores=["p"])
