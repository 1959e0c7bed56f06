"""``--fail-under``: numbers that every score must reach, for use in continuous integration."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

import click

from curvewise.cli.file_rows import option_text
from curvewise.cli.options import number, option
from curvewise.cli.output import say
from curvewise.errors import ArgumentName, OptionError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Found = Iterable[tuple[str, str, str, float]]  # model, where it was read, metric, value

BELOW = 1  # the exit code
Bars = dict[str, float]


def bars(text: str) -> Bars:
    """Read ``auc=0.9,ap=0.5``; names are looked up when the metrics are."""
    found: Bars = {}
    for part in text.split(","):
        name, sign, bar = (piece.strip() for piece in part.partition("="))
        if not (name and sign and bar):
            raise click.BadParameter(f"{part.strip()!r} is not of the form auc=0.9.")
        if name in found:
            raise click.BadParameter(f"{name!r} is named twice.")
        found[name] = number(bar)
    return found


FAIL_UNDER = option(
    "--fail-under NAME=X,…",
    "Exit with 1 unless every score reaches these numbers, as auc=0.9,ap=0.5; what is better when lower "
    "(brier, log_loss, eer) fails above its number.",
    bars,
)


def full_names(asked: Bars | None) -> Bars:
    """Return the bars by the full names of metrics; refuse what has no better and worse."""
    from curvewise.core.registry import find  # noqa: PLC0415 - --help needs no NumPy

    found: Bars = {}
    for name, bar in (asked or {}).items():
        try:
            metric = find(name)
        except OptionError as error:
            words = error.in_words(lambda f: "--fail-under" if isinstance(f, ArgumentName) else option_text(f))
            raise click.UsageError(words) from None
        if metric.name in found:
            raise click.UsageError(f"--fail-under: {metric.name!r} is named twice.")
        if metric.better not in ("higher", "lower"):
            best = f"best near {metric.target:g}" if metric.better == "target" else "neither good nor bad"
            text = f"{metric.name} is {best}, so it has no bar; choose another metric."
            raise click.UsageError(f"--fail-under: {text}")
        found[metric.name] = bar
    return found


def refuse_absent(asked: Bars, found: Found) -> None:
    """Refuse a metric that this command never has; one that these data do not define fails instead."""
    from curvewise.core.registry import find  # noqa: PLC0415 - --help needs no NumPy

    there = {metric for _, _, metric, _ in found}
    for name in asked:
        if name not in there and not find(name).in_tables:
            raise click.UsageError(
                f"--fail-under: there is no number {name!r} here; there are {', '.join(sorted(there))}; "
                "curvewise metrics has any other."
            )


def hold_to(asked: Bars, found: Found) -> None:
    """Set the exit code where a number fails, and say so at the end, below the answer.

    Called before the answer is shown: a reader who goes away must not turn a failure into a success.
    """
    if sentences := list(failures(asked, list(found))):
        context = click.get_current_context()
        context.obj["code"] = BELOW
        for sentence in reversed(sentences):  # what is to be called last is called first
            context.call_on_close(partial(say, f"Failed: {sentence}"))


def failures(asked: Bars, found: list[tuple[str, str, str, float]]) -> Iterator[str]:
    """Yield a sentence for each number that is not reached; one that was not read is not reached."""
    from curvewise.core.registry import find  # noqa: PLC0415 - --help needs no NumPy

    models = list(dict.fromkeys(model for model, *_ in found))
    for name, bar in asked.items():
        lower = find(name).better == "lower"
        side, beyond = ("above", " (less is better)") if lower else ("below", "")
        for model in models:
            read = [(where, value) for m, where, metric, value in found if (m, metric) == (model, name)]
            for where, value in read or [("", math.nan)]:
                what = f"{name} of {model}{where}"
                if math.isnan(value):
                    yield f"{what} is undefined, and should be {bar:g}."
                elif value > bar if lower else value < bar:
                    yield f"{what} is {_apart(value, bar)}, {side} {bar:g}{beyond}."


def _apart(value: float, bar: float) -> str:
    """Write a number with as many digits as tell it from the bar."""
    short = f"{value:.4g}"
    return short if float(short) != bar else repr(float(value))
