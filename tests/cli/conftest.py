"""Run the command line, in this process where it is only about answers, else in its own."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import curvewise
from curvewise.cli import main

# Seventeen rows whose numbers can be worked out by hand; two positives share a score.
POSITIVES = (0.92, 0.85, 0.78, 0.78, 0.71, 0.68, 0.60, 0.55)
NEGATIVES = (0.81, 0.74, 0.74, 0.62, 0.58, 0.52, 0.50, 0.40, 0.30)


@dataclass(frozen=True)
class Answer:
    code: int
    out: str
    err: str


@pytest.fixture
def tiny(tmp_path):
    rows = [f"1,{p}" for p in POSITIVES] + [f"0,{n}" for n in NEGATIVES]
    path = tmp_path / "tiny.csv"
    path.write_text("\n".join(["y,p", *rows]) + "\n")
    return path


@pytest.fixture
def write(tmp_path):
    """Write text or bytes into a file of the test's own folder; return its path as text."""

    def to_file(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return to_file


@pytest.fixture
def curve(capsys, monkeypatch, tmp_path):
    """Call the program in this process: quick, for questions about its answers."""
    monkeypatch.chdir(tmp_path)  # what a command writes, or finds there, is the test's own
    for name in ("CURVEWISE_DEBUG", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)

    def call(*args, stdin=b""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as stop:
            main([str(a) for a in args])
        said = capsys.readouterr()
        return Answer(stop.value.code, said.out, said.err)

    return call


@pytest.fixture
def clean_env():
    unwanted = (
        *("NO_COLOR", "FORCE_COLOR", "COLUMNS", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "CURVEWISE_DEBUG"),
        *("PYTHONUNBUFFERED", "PYTHONWARNINGS", "PYTHONIOENCODING"),
    )
    env = {k: v for k, v in os.environ.items() if k not in unwanted}
    # what is tested is what is imported here, installed or not
    return {**env, "PYTHONPATH": str(Path(curvewise.__file__).parents[1]), "PYTHONUTF8": "1"}


@pytest.fixture
def shell(clean_env, tmp_path):
    """Run the program as a process of its own, for questions about processes."""

    def call(*args, code=None, **options):
        how = ["-m", "curvewise"] if code is None else ["-c", code]
        settings = {
            "capture_output": True,
            "text": True,
            "encoding": "utf-8",
            "env": clean_env,
            "cwd": tmp_path,
            "timeout": 120,
        }
        if "stdout" in options:
            settings.pop("capture_output")
            settings["stderr"] = subprocess.PIPE
        return subprocess.run([sys.executable, *how, *map(str, args)], check=False, **{**settings, **options})

    return call
