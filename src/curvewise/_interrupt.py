"""Ctrl-C while the command is being loaded ends it without a traceback."""

from __future__ import annotations

import signal
import sys

_IS_COMMAND = sys.orig_argv[1:3] == ["-m", "curvewise"] or getattr(sys, "argv", [""])[0].endswith(
    ("/curvewise", "\\curvewise", "\\curvewise.exe")
)
if _IS_COMMAND and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def catch_interrupts() -> None:
    """Let Ctrl-C be an exception again, once somebody catches it."""
    if _IS_COMMAND and signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)
