"""The progress line: on a terminal alone, only for long jobs, gone at the end."""

import io
import sys

import numpy as np
import pytest

import curvewise as cw
from curvewise.core import progress as _progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(_progress, "PATIENCE", 0)
    monkeypatch.setattr(_progress, "PAUSE", 0)


def bootstrap():
    y = np.array([0, 1] * 20)
    return cw.interval("average_precision", y, np.arange(40), method="percentile", replicates=100, rng=0)


def test_a_long_job_on_a_terminal_says_how_far_it_is(monkeypatch, impatient):
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    bootstrap()
    said = terminal.getvalue()
    assert "Resampling [############            ]  50%, about 0 s left" in said
    assert said.endswith("\r\x1b[K")


def test_nothing_is_said_elsewhere(monkeypatch, impatient):
    monkeypatch.setattr(sys, "stderr", file := io.StringIO())
    bootstrap()
    assert not file.getvalue()


def test_nothing_is_said_of_a_short_job(monkeypatch):
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    bootstrap()
    assert not terminal.getvalue()


def test_a_terminal_that_goes_away_does_not_end_the_job(monkeypatch, impatient):
    class Gone(Terminal):
        def write(self, _):
            raise OSError("gone")

    monkeypatch.setattr(sys, "stderr", Gone())
    assert bootstrap().replicates == 100
