"""``--fail-under``: numbers that every score must reach, for use in continuous integration."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import click

from curvewise.cli.input import option_text
from curvewise.cli.options import number, option
from curvewise.cli.output import say
from curvewise.errors import ArgumentName, CurvewiseError, OptionError, nearest

if TYPE_CHECKING:
    from curvewise.results.estimate import Estimate

    Found = Iterable[tuple[str, str, Estimate]]  # model, where it was read, the number with its interval

FAILED = 1  # the exit code
End = Literal["value", "low", "high"]
ENDS: dict[End, str] = {"value": "", "low": "the lower limit of ", "high": "the upper limit of "}


@dataclass(frozen=True)
class Bar:
    """A metric, or an end of its interval, and the number that it must reach; ``lower`` where less is better."""

    metric: str
    end: End
    number: float
    lower: bool = False

    @property
    def typed(self) -> str:
        """The name as it is typed: ``auc`` or ``auc.low``."""
        return self.metric if self.end == "value" else f"{self.metric}.{self.end}"

    def content(self) -> float:
        """Return what JSON says of it: the number."""
        return self.number

    def read(self, found: Estimate) -> float:
        """Return the number that is held to the bar."""
        return float(getattr(found, self.end))

    def fails(self, value: float) -> bool:
        """Whether a number is on the wrong side; one that is undefined is."""
        return math.isnan(value) or (value > self.number if self.lower else value < self.number)


Bars = dict[str, Bar]  # by name, as typed


def bars(text: str) -> Bars:
    """Read ``auc=0.9,ap.low=0.5``; names are looked up when the metrics are."""
    found: Bars = {}
    for part in text.split(","):
        name, sign, bar = (piece.strip() for piece in part.partition("="))
        if not (name and sign and bar):
            raise click.BadParameter(f"{part.strip()!r} is not of the form auc=0.9 or auc.low=0.85.")
        metric, _, end = name.rpartition(".")
        if name in found:
            raise click.BadParameter(f"{name!r} is named twice.")
        of_end = bool(metric) and end in ENDS
        found[name] = Bar(metric if of_end else name, end if of_end else "value", number(bar))  # type: ignore[arg-type]
    return found


FAIL_UNDER = option(
    "--fail-under NAME=X,…",
    "Exit with 1 unless every score reaches these numbers, e.g. auc=0.9,ap=0.5; auc.low=0.85 is the lower limit of "
    "the interval. For metrics where lower is better (brier, log_loss, eer) the number is a maximum.",
    bars,
)


def full_names(
    asked: Bars | None,
    known: Collection[str] | None = None,
    *,
    find: Callable[[str], Any] | None = None,
    intervals: bool = True,
) -> Bars:
    """Return the bars with the full names of metrics; refuse before any work what can never be reached.

    ``known`` are the metrics that the command has (by default any), ``find`` looks one up by any of its names,
    ``intervals`` says whether there will be any.
    """
    from curvewise.metric import registry  # noqa: PLC0415 - --help needs no NumPy

    found: Bars = {}
    for bar in (asked or {}).values():
        try:
            metric = (find or registry.find)(bar.metric)
        except OptionError as error:
            raise click.UsageError(error.in_words(_in_words)) from None
        full = replace(bar, metric=metric.name, lower=metric.better == "lower")
        if full.typed in found:
            raise click.UsageError(f"--fail-under: {full.typed!r} is named twice.")
        if known is not None and metric.name not in known:
            more = "" if find else "; curvewise metrics has any other"
            there = f"there are {', '.join(known)}{more}."
            raise click.UsageError(f"--fail-under: there is no number {metric.name!r} here; {there}")
        if metric.better not in ("higher", "lower"):
            best = f"best near {metric.target:g}" if metric.better == "target" else "neither good nor bad"
            raise click.UsageError(f"--fail-under: {metric.name} is {best}, so it has no bar; choose another metric.")
        if full.end != "value" and (not intervals or metric.interval == "none"):
            why = f"{metric.name} has none" if intervals else "leave out --no-intervals"
            raise click.UsageError(f"--fail-under: {full.typed} is a limit of an interval; {why}.")
        found[full.typed] = full
    return found


def find_of_classes(name: str) -> Any:
    """Look up a number of many classes by any of its names."""
    from curvewise.many_classes.class_metrics import CLASS_TABLE, find_metric  # noqa: PLC0415
    from curvewise.many_classes.multiclass import Multiclass  # noqa: PLC0415 - --help needs no NumPy

    try:
        return find_metric(Multiclass, name)
    except CurvewiseError:
        close = nearest(name, CLASS_TABLE, 1)
        hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(CLASS_TABLE)}."
        raise OptionError.of("fail_under", f"{name!r} is not among the numbers of many classes; {hint}") from None


def hold_to(asked: Bars, found: Found) -> None:
    """Set the exit code where a number fails, and say so at the end, below the answer."""
    fail(failures(asked, list(found)))


def fail(sentences: Iterable[str]) -> None:
    """Set the exit code if there is a sentence that says what failed, and say all at the end, below the answer.

    Called before the answer is shown: a reader who goes away must not turn a failure into a success.
    """
    context = click.get_current_context()
    for sentence in reversed(list(sentences)):  # what is to be called last is called first
        context.obj["code"] = FAILED
        context.call_on_close(partial(say, f"Failed: {sentence}"))


def failures(asked: Bars, found: list[tuple[str, str, Estimate]]) -> Iterator[str]:
    """Yield a sentence for each number that is not reached; one that was not read is not reached."""
    models = list(dict.fromkeys(model for model, *_ in found))
    for bar in asked.values():
        side, beyond = ("above", " (less is better)") if bar.lower else ("below", "")
        for model in models:
            read = [(where, bar.read(e)) for m, where, e in found if (m, e.metric) == (model, bar.metric)]
            for where, value in read or [("", math.nan)]:
                what = f"{ENDS[bar.end]}{bar.metric} of {model}{where}"
                if math.isnan(value):
                    yield f"{what} is undefined, and should be {bar.number:g}."
                elif bar.fails(value):
                    yield f"{what} is {_apart(value, bar.number)}, {side} {bar.number:g}{beyond}."


def _apart(value: float, bar: float) -> str:
    """Write a number with as many digits as tell it from the bar."""
    short = f"{value:.4g}"
    return short if float(short) != bar else repr(float(value))


def _in_words(field: object) -> str:
    return "--fail-under" if isinstance(field, ArgumentName) else option_text(field)
