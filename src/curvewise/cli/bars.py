"""``--fail-under``: numbers that every model must reach, for use in continuous integration."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

import click

from curvewise.cli.options import Decorated, number

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

BELOW = 1  # the exit code
ALIASES = {
    "auc": "roc_auc",
    "ap": "average_precision",
    "pauc": "partial_roc_auc",
    "eer": "equal_error_rate",
    "brier": "brier_loss",
}
# better when smaller: these fail above their bar
SMALLER = frozenset(
    (
        *("brier_loss", "log_loss", "equal_error_rate", "error", "balanced_error", "fpr", "fnr", "fdr"),
        *("false_omission_rate", "lr_negative", "number_needed_to_evaluate"),
    )
)

Bars = dict[str, float]
# of each model: the name of a number, where it was read ("" for the whole ranking), the number
Found = dict[str, list[tuple[str, str, float]]]


def bars(text: str) -> Bars:
    """Read ``auc=0.9,ap=0.5`` as full names and numbers."""
    found: Bars = {}
    for part in text.split(","):
        name, sign, bar = (piece.strip() for piece in part.partition("="))
        if not (name and sign and bar):
            raise click.BadParameter(f"{part.strip()!r} is not of the form auc=0.9.")
        full = ALIASES.get(name, name)
        if full in found:
            raise click.BadParameter(f"{name!r} is named twice.")
        found[full] = number(bar)
    return found


def fail_under_option(command: Decorated) -> Decorated:
    """Add ``--fail-under``."""
    option = click.option(
        "--fail-under",
        "fail_under",
        type=bars,
        metavar="NAME=X,…",
        help="Exit with 1 unless every score reaches these numbers, as auc=0.9,ap=0.5; a loss (brier, "
        "log_loss, eer) fails above its number.",
    )
    return option(command)


def check_bars(asked: Mapping[str, float] | None, known: Iterable[str]) -> None:
    """Refuse a name that is no number of this command."""
    names = list(dict.fromkeys(known))
    short = {full: alias for alias, full in ALIASES.items()}
    for name in asked or ():
        if name not in names:
            there = ", ".join(f"{n} ({short[n]})" if n in short else n for n in names)
            raise click.UsageError(f"--fail-under: there is no number {name!r} here; there are {there}.")


def hold_to(asked: Mapping[str, float] | None, found: Found) -> None:
    """Set the exit code where a number fails, and say so at the end, below the answer.

    Called before the answer is shown: a reader who goes away must not turn a failure into a success.
    """
    from curvewise.cli.run import say  # noqa: PLC0415 - run knows the commands

    sentences = list(failures(asked or {}, found))
    if sentences:
        context = click.get_current_context()
        context.obj["code"] = BELOW
        for sentence in reversed(sentences):  # what is to be called last is called first
            context.call_on_close(partial(say, f"Failed: {sentence}"))


def failures(asked: Mapping[str, float], found: Found) -> Iterator[str]:
    """Yield a sentence for each number that is not reached."""
    for metric, bar in asked.items():
        side, beyond = ("above", " (less is better)") if metric in SMALLER else ("below", "")
        for model, values in found.items():
            read = [(where, value) for name, where, value in values if name == metric]
            for where, value in read or [("", math.nan)]:
                what = f"{metric} of {model}{where}"
                if math.isnan(value):
                    yield f"{what} is undefined, and should be {bar:g}."
                elif value > bar if metric in SMALLER else value < bar:
                    yield f"{what} is {_apart(value, bar)}, {side} {bar:g}{beyond}."


def _apart(value: float, bar: float) -> str:
    """Write a number with as many digits as tell it from the bar."""
    short = f"{value:.4g}"
    return short if float(short) != bar else repr(float(value))
