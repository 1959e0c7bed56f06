"""Options that commands share, and a number as the user typed it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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


def reading_options(command: Decorated) -> Decorated:
    """Add what says which columns are read, and how."""
    for option in (
        click.option(
            "--missing",
            type=click.Choice(["raise", "drop"]),
            default="raise",
            show_default=True,
            help="Stop at a missing value, or leave such rows out of all scores.",
        ),
        click.option(
            "--higher-is",
            type=click.Choice(["positive", "negative"]),
            default="positive",
            show_default=True,
            help="What a high score means.",
        ),
        click.option(
            "--positive",
            metavar="LABEL",
            help="The positive label, where labels are not 0/1, true/false, -1/1.",
        ),
        click.option("--weight", metavar="COL", help="Column of weights, 0 or more."),
        click.option(
            "--score",
            "scores",
            required=True,
            multiple=True,
            metavar="COL",
            help="Column of scores; repeat for several.",
        ),
        click.option("--label", required=True, metavar="COL", help="Column of true labels, two classes."),
    ):
        command = option(command)
    return command


def check_columns(label: str, scores: Sequence[str], *others: str | None) -> None:
    """Refuse a column in two places at once."""
    if len(set(scores)) < len(scores):
        raise click.UsageError("--score: a column is named twice.")
    if label in (*scores, *others):
        raise click.UsageError(f"--label: the column {label!r} cannot be its own score or weight.")


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
