"""Options that commands share, and what makes a command of a verb: read, call, render."""

from __future__ import annotations

import functools
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from curvewise.cli.config import config_option
from curvewise.cli.file_rows import ScoreFile
from curvewise.cli.output import emit
from curvewise.errors import CurvewiseError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from curvewise.results.result import Result

    # results of each score by name, and by what they are; under None what is of all scores
    Answer = Mapping[Any, Mapping[str, Result]]

Decorated = TypeVar("Decorated", bound="Callable[..., Any]")
FORMATS = ("table", "json", "md", "csv")
SHARE = click.FloatRange(0, 1, min_open=True, max_open=True)
COLUMNS = (
    "file",
    "label",
    "scores",
    "weight",
    "weight_kind",
    "cluster",
    "positive",
    "higher_is",
    "missing",
    "round_to",
)


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


def setting(text: str) -> tuple[str, Any]:
    """Read ``scale=mean`` or ``fpr=0,0.1``: a name, and text, a number or several numbers."""
    name, sign, value = (part.strip() for part in text.partition("="))
    if not (name and sign and value):
        raise click.BadParameter(f"{text!r} is not of the form fpr=0.1 or fpr=0,0.1.")
    try:
        numbers = tuple(number(part) for part in value.split(","))
    except click.BadParameter:
        return name, value
    return name, numbers[0] if len(numbers) == 1 else numbers


READING = (
    click.argument("file", type=click.Path()),  # a path, so that shells complete its name
    click.option("--label", required=True, metavar="COL", help="Column of true labels, two classes."),
    click.option(
        *("--score", "scores"),
        required=True,
        multiple=True,
        metavar="COL",
        help="Column of scores; repeat for several.",
    ),
    click.option("--weight", metavar="COL", help="Column of weights, 0 or more."),
    click.option(
        "--weight-kind",
        type=click.Choice(["sampling", "count"]),
        default="sampling",
        show_default=True,
        help="For intervals: is a row of weight 10 one row, or ten independent ones?",
    ),
    click.option("--cluster", metavar="COL", help="Column that names rows that belong together (patients)."),
    click.option(
        "--positive", metavar="LABEL", help="The positive label, where labels are not 0/1, true/false, -1/1."
    ),
    click.option(
        "--higher-is",
        type=click.Choice(["positive", "negative"]),
        default="positive",
        show_default=True,
        help="What a high score means.",
    ),
    click.option(
        "--missing",
        type=click.Choice(["raise", "drop"]),
        default="raise",
        show_default=True,
        help="Stop at a missing value, or leave such rows out of all scores.",
    ),
    click.option(
        "--round-to",
        type=click.IntRange(0, 30),
        metavar="N",
        help="Round scores to N decimals, which merges near-ties.",
    ),
    config_option,
)
BREAKDOWN = (
    click.option("--group", "groups", multiple=True, metavar="COL", help="Column of groups; repeatable."),
    click.option("--site", metavar="COL", help="Column of sites: AUC at each, pooled by random effects."),
)
LEVEL = click.option(
    "--level", type=SHARE, default=0.95, show_default=True, help="Confidence level of the intervals."
)
SEED = click.option(
    "--seed",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Seed of whatever is drawn at random.",
)
RESAMPLING = (
    LEVEL,
    click.option(
        "--replicates", type=click.IntRange(2), default=1000, show_default=True, help="Number of resamples."
    ),
    SEED,
)
METRIC_OPTION = click.option(
    "--option",
    multiple=True,
    type=setting,
    metavar="NAME=X",
    help="An option of the metric, as fpr=0,0.1 or specificity=0.95; repeatable.",
)
FORCE = click.option("--force", is_flag=True, help="Replace the output file if it exists.")
OUTPUT = (
    click.option(
        *("--format", "form"),
        type=click.Choice(FORMATS),
        help="How to write the numbers; default: what the ending of -o says, else table.",
    ),
    click.option(
        *("-o", "--output"),
        type=click.Path(),
        metavar="FILE",
        help="Write to a file instead of the terminal.",
    ),
    FORCE,
)


def options(*some: Any) -> Callable[[Decorated], Decorated]:
    """Add options in the order in which help lists them."""

    def add(function: Decorated) -> Decorated:
        for option in reversed(some):
            function = option(function)
        return function

    return add


def scores_command(
    name: str, *own: Any, version: int = 2
) -> Callable[[Callable[..., Answer]], click.Command]:
    """Make a command of a function of a `ScoreFile` and the command's own options that returns results.

    The results' tables and notes are the answer; whatever goes wrong is said in the words of the file.
    """

    def make(function: Callable[..., Answer]) -> click.Command:
        @functools.wraps(function)
        def run(form: str | None, output: str | None, *, force: bool, **given: Any) -> None:
            data = score_file(given)
            from curvewise.results.writing import output_path  # noqa: PLC0415 - --help needs no more

            path = output_path(output, data.file, force=force)
            try:
                answer = function(data, **given)
                from curvewise.cli.answer import document_of  # noqa: PLC0415 - --help needs no NumPy

                document = document_of(name, version, data, given, answer)
            except CurvewiseError as error:
                raise data.translated(error) from None
            emit(document, format_for(form, output), path)

        return click.command(name)(options(*READING, *own, *OUTPUT)(run))

    return make


def score_file(given: dict[str, Any]) -> ScoreFile:
    """Take the file and its columns out of the options given."""
    named = {k: given.pop(k) for k in (*COLUMNS, "groups", "site") if k in given}
    return ScoreFile(**named)


def format_for(
    form: str | None, output: str | None, known: Sequence[str] = FORMATS, default: str = "table"
) -> Any:
    """Return the format asked for, or the one that the output's name implies."""
    if form is None and output is not None:
        ending = Path(output).suffix.lower().lstrip(".")
        form = ending if ending in known else None
    return form or default
