"""Run the program and turn whatever happens into one sentence and an exit code."""

from __future__ import annotations

import os
import sys
import traceback
import warnings
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from curvewise.cli.group import program
from curvewise.errors import (
    CurvewiseError,
    CurvewiseWarning,
    MissingExtraError,
    SourceError,
    UndefinedMetricError,
)
from curvewise.results.text import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

# 1 is for numbers below --fail-under; a bug has the code of sysexits.h, to be told from that
BAD_DATA, UNDEFINED, TROUBLE, BUG, INTERRUPTED = 3, 4, 5, 70, 130


class ReaderGoneError(Exception):
    """Whoever read our output wants no more of it, as ``head`` does."""


def run(args: Sequence[str] | None) -> int:
    """Run one command; return the exit code."""
    state: dict[str, Any] = {
        "args": list(sys.argv[1:] if args is None else args),
        "code": 0,
        "debug": os.environ.get("CURVEWISE_DEBUG", "0") not in ("", "0"),
    }
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always", CurvewiseWarning)
            warnings.showwarning = _show_warning
            code = program.main(args, prog_name="curvewise", standalone_mode=False, obj=state)
            sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (ReaderGoneError, BrokenPipeError):
        forget_output()
        return int(state["code"])
    except (click.Abort, KeyboardInterrupt):
        say("Interrupted.")
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the last line of defence: no traceback for a user
        return _explain(error, debug=state["debug"])
    return code if isinstance(code, int) else int(state["code"])


def say(line: str) -> None:
    """Write one line on standard error, whatever characters the data brought along."""
    clear = "\r\x1b[K" if sys.stderr.isatty() else ""  # a line of progress may stand there
    with suppress(OSError):
        click.echo(clear + visible(line), err=True, color=True if clear else None)


def forget_output() -> None:
    """Point standard output at nothing, so that Python's own flush at exit cannot fail again."""
    with suppress(OSError, ValueError):
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, sys.stdout.fileno())
        os.close(nothing)


def _explain(error: Exception, *, debug: bool) -> int:
    if debug:
        click.echo("".join(traceback.format_exception(error)), err=True)
    if isinstance(error, CurvewiseError):
        say(f"Error: {error}")
        if isinstance(error, UndefinedMetricError):
            return UNDEFINED
        return TROUBLE if isinstance(error, (SourceError, MissingExtraError)) else BAD_DATA
    if isinstance(error, OSError):
        forget_output()
        where = f"{error.filename}: " if error.filename else ""
        say(f"Error: {where}{error.strerror or error}.")
        return TROUBLE
    if isinstance(error, MemoryError):
        say("Error: the data do not fit into memory; read fewer columns or rows.")
        return TROUBLE
    say(
        f"Error: this is a bug in curvewise ({type(error).__name__}: {error}); run it again with "
        "CURVEWISE_DEBUG=1 to see where, and please report it."
    )
    return BUG


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    say(f"Warning: {message}")
