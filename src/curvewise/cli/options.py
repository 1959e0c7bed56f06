"""Options that commands share, and a number as the user typed it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from collections.abc import Callable

Decorated = TypeVar("Decorated", bound="Callable[..., Any]")
FORMATS = ("table", "json", "md", "csv")


def number(text: str) -> int | float:
    """Read a real number; a whole one stays whole, so that long integers stay exact."""
    try:
        return int(text)
    except ValueError:
        pass
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if math.isnan(value):
        raise click.BadParameter(f"{text!r} is not a number.")
    return value


def output_options(command: Decorated) -> Decorated:
    """Add ``--format``, ``-o`` and ``--force``."""
    for option in (
        click.option("--force", is_flag=True, help="Replace the output file if it exists."),
        click.option("-o", "--output", metavar="FILE", help="Write to a file instead of the terminal."),
        click.option(
            "--format",
            "form",
            type=click.Choice(FORMATS),
            help="How to write the numbers; default: what the ending of -o says, else table.",
        ),
    ):
        command = option(command)
    return command


def format_for(form: str | None, output: str | None) -> Any:
    """Return the format asked for, or the one that the output's name implies."""
    if form is None and output is not None:
        ending = Path(output).suffix.lower().lstrip(".")
        form = ending if ending in FORMATS else None
    return form or "table"
