"""A line on the terminal that says what is being done, and is gone at the end."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Self


class Steps:
    """Names steps on standard error, only if that is a terminal."""

    def __init__(self) -> None:
        self._on = bool(getattr(sys.stderr, "isatty", lambda: False)())

    def __enter__(self) -> Self:
        return self

    def __call__(self, what: str) -> None:
        """Say what begins now, in place of what was said before."""
        self._write(f"\r{what} …\x1b[K")

    def __exit__(self, *error: object) -> None:
        self._write("\r\x1b[K")

    def _write(self, text: str) -> None:
        if self._on:
            with suppress(OSError, ValueError):  # a terminal that has gone must not end the job
                sys.stderr.write(text)
                sys.stderr.flush()
