"""``--fail-if-worse``: how much worse than the baseline a number may be, for use in continuous integration."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from curvewise.cli.fail_under import fail
from curvewise.cli.file_rows import option_text
from curvewise.cli.options import number, option
from curvewise.cli.output import say
from curvewise.errors import ArgumentName, OptionError

if TYPE_CHECKING:
    from curvewise.evaluation.evaluation import Evaluation
    from curvewise.evaluation.then_and_now import MetricChange, ThenAndNow

OPTION = "--fail-if-worse"
ROUNDING = 1e-12  # 0.86 - 0.85 is not more than 0.01
Limits = dict[str, float]


def limits(text: str) -> Limits:
    """Read ``auc=0.01,ap=0.02``; names are looked up when the metrics are."""
    found: Limits = {}
    for part in text.split(","):
        name, sign, most = (piece.strip() for piece in part.partition("="))
        if not (name and sign and most):
            raise click.BadParameter(f"{part.strip()!r} is not of the form auc=0.01.")
        if name in found:
            raise click.BadParameter(f"{name!r} is named twice.")
        found[name] = number(most)
        if found[name] < 0:
            raise click.BadParameter(f"{part.strip()!r}: a number may be worse by 0 or more.")
    return found


BASELINE = (
    option("--baseline FILE", "An earlier report as JSON (-o last.json): say what has changed since.", click.Path()),
    option(
        f"{OPTION} NAME=X,…",
        "Exit with 1 if a score is worse than in the baseline by more than X, as auc=0.01,ap=0.02; auc=0: not worse "
        "at all.",
        limits,
    ),
)


def take_baseline(given: dict[str, Any]) -> Limits:
    """Read the baseline into the options, and return the limits by the full names of metrics."""
    asked, path = given.pop("fail_if_worse"), given["baseline"]
    if path is None:
        if asked:
            raise click.UsageError(f"{OPTION} needs something to compare with: add --baseline last.json.")
        return {}
    from curvewise.evaluation.saved.read import baseline_of  # noqa: PLC0415 - --help needs no NumPy

    last = given["baseline"] = baseline_of(path)
    there = dict.fromkeys(name for model in last.models.values() for name in model.estimates)
    return _full_names(asked or {}, [*there, *last.multiclass_estimates])


def _full_names(asked: Limits, there: list[str]) -> Limits:
    """Return the limits by the full names of metrics; refuse those that the baseline does not have."""
    from curvewise.metric.registry import find  # noqa: PLC0415 - --help needs no NumPy

    found: Limits = {}
    for name, most in asked.items():
        key = name.casefold().replace("-", "_")
        try:
            full = key if key in there else find(name).name
        except OptionError as error:
            text = error.in_words(lambda field: OPTION if isinstance(field, ArgumentName) else option_text(field))
            raise click.UsageError(text) from None
        if full not in there:
            raise click.UsageError(f"{OPTION}: the baseline has no {full!r} to compare; it has {', '.join(there)}.")
        if full in found:
            raise click.UsageError(f"{OPTION}: {full!r} is named twice.")
        found[full] = most
    return found


def hold_to_baseline(asked: Limits, found: Evaluation) -> None:
    """Set the exit code where a number is too much worse, and say so at the end, below the answer."""
    changes = found.then_and_now
    if changes is None or not asked:
        return
    for name in (name for name in found.models if name not in changes.models):
        say(f"Note: {name} is not in the baseline, so {OPTION} does not judge it.")
    for name, model in changes.models.items():
        if model.then_name != name:
            say(f"Note: {name} is compared with the baseline’s only model, {model.then_name}.")
    fail(failures(asked, changes))


def failures(asked: Limits, changes: ThenAndNow) -> Iterator[str]:
    """Yield a sentence for each number that is worse by more than allowed, or that cannot be compared."""
    for metric, most in asked.items():
        for name, model in changes.models.items():
            what = f"{metric} of {name}"
            then_name = model.then_name if model.then_name != name else None
            change = model.metrics.get(metric)
            if change is None:
                yield f"{what} is not among the numbers of both evaluations, so it cannot be compared."
            elif math.isnan(change.worse_by):
                before = f"that of {then_name} in the baseline" if then_name else "the baseline's"
                yield f"{what} cannot be compared with {before}: {change.difference.reason}."
            elif change.worse_by > most + ROUNDING:
                more = f" by more than {most:g}" if most else ""
                then, now = _apart(change.then.value, change.now.value)
                before = f"the {then} of {then_name} in the baseline" if then_name else f"the baseline's {then}"
                yield f"{what} is {now}, worse than {before}{more} ({_gap(change)})."


def _apart(first: float, second: float) -> tuple[str, str]:
    """Write two numbers with as many digits as tell them apart."""
    for digits in range(4, 17):
        texts = tuple(f"{value:.{digits}g}".replace("inf", "∞") for value in (first, second))
        if texts[0] != texts[1]:
            return texts[0], texts[1]
    return repr(float(first)), repr(float(second))


def _gap(change: MetricChange) -> str:
    gap = change.difference
    if not math.isfinite(gap.value) and gap.reason is not None:
        return str(gap.reason)
    ends = f", {100 * gap.level:.4g}% interval {gap.low:.4g} to {gap.high:.4g}" if gap.has_interval else ""
    return f"difference {gap.value:.4g}{ends}".replace("-", "−")
