"""Options that commands share, and a number as the user typed it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from curvewise.cli.config import config_option

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Decorated = TypeVar("Decorated", bound="Callable[..., Any]")
FORMATS = ("table", "json", "md", "csv")
SHARE = click.FloatRange(0, 1, min_open=True, max_open=True)


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
    """Add the file and what says which of its columns are read, and how."""
    for option in (
        config_option,
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
        click.argument("file", type=click.Path()),  # a path, so that shells complete its name
    ):
        command = option(command)
    return command


def breakdown_options(command: Decorated) -> Decorated:
    """Add the columns of groups and of sites."""
    for option in (
        click.option("--site", metavar="COL", help="Column of sites: AUC at each, pooled by random effects."),
        click.option("--group", "groups", multiple=True, metavar="COL", help="Column of groups; repeatable."),
    ):
        command = option(command)
    return command


def level_option(command: Decorated) -> Decorated:
    """Add ``--level``."""
    option = click.option(
        "--level", type=SHARE, default=0.95, show_default=True, help="Level of the intervals."
    )
    return option(command)


def seed_option(command: Decorated) -> Decorated:
    """Add ``--seed``."""
    option = click.option(
        "--seed",
        type=click.IntRange(0),
        default=0,
        show_default=True,
        help="Seed of whatever is drawn at random.",
    )
    return option(command)


def cluster_option(command: Decorated) -> Decorated:
    """Add ``--cluster``."""
    option = click.option(
        "--cluster", metavar="COL", help="Column that names rows that belong together (patients)."
    )
    return option(command)


def check_columns(label: str, scores: Sequence[str], *others: str | None) -> None:
    """Refuse a column in two places at once."""
    if len(set(scores)) < len(scores):
        raise click.UsageError("--score: a column is named twice.")
    if label in (*scores, *others):
        raise click.UsageError(f"--label: the column {label!r} cannot be its own score or weight.")


def check_named(taken: Sequence[str | None], *, groups: Sequence[str] = (), **columns: str | None) -> None:
    """Refuse a column of names that is a label, score or weight, or a group named twice."""
    if len(set(groups)) < len(groups):
        raise click.UsageError("--group: a column is named twice.")
    for option, column in (*(("group", g) for g in groups), *columns.items()):
        if column is not None and column in taken:
            raise click.UsageError(f"--{option}: the column {column!r} has another use already.")


def output_options(command: Decorated) -> Decorated:
    """Add ``--format``, ``-o`` and ``--force``."""
    for option in (
        force_option,
        click.option(
            *("-o", "--output"),
            type=click.Path(),
            metavar="FILE",
            help="Write to a file instead of the terminal.",
        ),
        click.option(
            "--format",
            "form",
            type=click.Choice(FORMATS),
            help="How to write the numbers; default: what the ending of -o says, else table.",
        ),
    ):
        command = option(command)
    return command


def force_option(command: Decorated) -> Decorated:
    """Add ``--force``."""
    option = click.option("--force", is_flag=True, help="Replace the output file if it exists.")
    return option(command)


def format_for(
    form: str | None, output: str | None, known: Sequence[str] = FORMATS, default: str = "table"
) -> Any:
    """Return the format asked for, or the one that the output's name implies."""
    if form is None and output is not None:
        ending = Path(output).suffix.lower().lstrip(".")
        form = ending if ending in known else None
    return form or default
