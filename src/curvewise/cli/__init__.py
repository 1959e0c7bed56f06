"""The command line. A command is imported when it is called, so that ``--help`` is quick."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

from curvewise._interrupt import catch_interrupts


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run one command and exit.

    Exit codes: 0 success, 1 a requirement was not met, 2 usage, 3 bad data, 4 undefined, 5 file or engine
    failure, 70 a bug, 130 interrupted.
    """
    try:
        catch_interrupts()
        from curvewise.cli.app import run  # noqa: PLC0415 - the first import that needs click

        sys.exit(run(args))
    except ModuleNotFoundError as error:
        if error.name != "click":
            raise
        sys.stderr.write(
            "Error: the command line needs click, which is not installed; "
            "install it with: pip install 'curvewise[cli]'\n"
        )
        sys.exit(5)
    except KeyboardInterrupt:
        sys.exit(130)


__all__ = ["main"]
