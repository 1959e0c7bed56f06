"""A line on the terminal that says how far a long job has come, and is gone when it is done."""

from __future__ import annotations

import sys
import time
from threading import Lock
from typing import Self

PATIENCE = 2.0  # seconds before a word is said
PAUSE = 0.2  # seconds between two words
WIDTH = 24


class Progress:
    """Counts steps; speaks on standard error only if that is a terminal and the job takes long."""

    def __init__(self, what: str, steps: int) -> None:
        self._what, self._steps, self._done = what, steps, 0
        self._lock = Lock()
        self._start = time.monotonic()
        self._next = self._start + PATIENCE
        self._shown = False
        self._on = bool(getattr(sys.stderr, "isatty", lambda: False)())

    def __enter__(self) -> Self:
        return self

    def step(self) -> None:
        """Count one more step, from any thread."""
        if not self._on:
            return
        with self._lock:
            self._done += 1
            now = time.monotonic()
            if now < self._next or self._done >= self._steps:
                return
            self._next = now + PAUSE
            share = self._done / self._steps
            bar = "#" * round(WIDTH * share)
            left = (now - self._start) * (1 - share) / share
            self._write(f"\r{self._what} [{bar:{WIDTH}}] {100 * share:3.0f}%, about {left:.0f} s left\x1b[K")
            self._shown = True

    def __exit__(self, *error: object) -> None:
        if self._shown:
            self._write("\r\x1b[K")

    def _write(self, text: str) -> None:
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except (OSError, ValueError):  # a terminal that has gone must not end the job
            self._on = self._shown = False
