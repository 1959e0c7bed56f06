"""Every metric, registered where it is defined, with all that anybody asks about it.

`interval`, `compare`, groups, sites, classes, the command line, the report, the reference page and the tests
read this one list. A new metric is one file in `curvewise.metric` with one `metric` decorator; its words, if
it has any, stand in `curvewise.words` under ``metric.NAME``, ``metric.meaning.NAME`` and ``metric.pitfall.NAME``.
What is registered reads a sweep that was checked. A verb of the same name, in the same file, checks what it is given.
"""

from __future__ import annotations

import inspect
import math
import pkgutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from curvewise.errors import (
    Advice,
    ArgumentName,
    CurvewiseError,
    OptionError,
    OptionName,
    UndefinedMetricError,
    UnknownOptionError,
    nearest,
    unknown_option,
)
from curvewise.metric.bounds import bounds_of
from curvewise.rows.checks import values_of
from curvewise.rows.columns import is_number
from curvewise.rows.columns import shown as written
from curvewise.rows.rows import RowOptions
from curvewise.words import Lang, words

if TYPE_CHECKING:
    from curvewise.core.kernel import Counts
    from curvewise.core.sweep import Sweep

Family = Literal["ranking", "probability", "likelihood", "threshold", "custom"]
Unit = Literal["area", "share", "loss", "ratio", "log_odds", "number"]
Better = Literal["higher", "lower", "target", "neither"]
Unseen = tuple[Literal["negative", "positive", "hit"], float] | None
ROW_OPTIONS = tuple(RowOptions.__annotations__)
PLACES = {"{value:of_base}": "x", "{base}": "100"}  # of a rate's words where it has no value
Function = TypeVar("Function", bound=Callable[..., Any])

_known: dict[str, Metric] = {}


@dataclass(frozen=True)
class Metric:
    """A number read from a sweep.

    Attributes
    ----------
    name, aliases
        What it is called; case does not matter, and a hyphen is an underscore.
    function
        Of a `Sweep`, with the metric's own options as keywords.
    family
        ``"ranking"`` (only the order of scores matters), ``"threshold"`` (read at one), ``"probability"``
        (scores must be probabilities), ``"likelihood"`` (scores are natural logarithms of likelihood ratios),
        ``"custom"`` (a user's function).
    unit
        How it is written: a share in per cent, an area, a loss, a ratio, log odds, a plain number.
    better, target
        Whether higher or lower is better, or near a target.
    low, high
        The range that it cannot leave.
    chance, perfect
        Its value where the score says nothing (``"prevalence"`` where that is the answer) and where it
        separates the classes perfectly, at a threshold between them, or states 0 and 1 correctly.
    prevalence
        Whether prevalence moves it. What it does not move is resampled within classes.
    needs
        The classes without which it is undefined.
    interval
        The default method of its interval; ``"none"`` where no method is known to hold.
    influence
        The derivative of the number by the weight of a positive, and of a negative, in each block of a sweep,
        where there is a formula (None where its options have none); it gives the variance.
    expected
        The variance, times the number of rows, that a mean over rows is expected to have beforehand, where
        probabilities say so.
    smooth
        Whether that derivative describes it. A number read at a quantile of the scores is resampled instead.
    trials
        Of a number between two ends, what it is a share of: pairs of both classes, or rows of one; or a
        function of the numbers of positives and negatives and of the options.
    unseen
        What makes the number too good if it is not among the rows by chance: a negative above all scores, or a positive
        below all, and how much of one the lower end of the interval allows for; or a function of the options. ``"hit"``
        is a positive that shares the highest score, without which the number is too bad: for the upper end.
    bounds
        The range as a function of the options, where those move it.
    monotone
        Whether no positive that moves up, and no negative that moves down, makes it worse. Its limits over bins of
        scores are then known.
    within
        The least and the greatest that it can be over bins of scores, where that is closer than what ``monotone`` says.
    of_counts
        The same from counts of positives and negatives per block, quicker than by a sweep of these; None where they
        are too many for it.
    rate
        The cells of the part and of the whole, where it is a plain proportion of rows.
    counted
        The number as a function of a `Confusion` and the options, where four counts at a threshold define it.
    instead
        Options that must be given, each with the one that may stand in its place.
    cut
        The threshold as a function of the options, where these imply it.
    formula
        How it is computed. P and N are the numbers of positives and negatives, n of all rows, π the prevalence; at
        threshold k, p_k and n_k rows of each class tie, and TP_k and FP_k are at or above it.
    reference
        Where to read on.
    shown
        The options with which tables of the command line and of the report show it; None leaves it out there.
    place
        Where it stands in lists and tables, the lowest first.
    """

    name: str
    function: Callable[..., float]
    family: Family
    aliases: tuple[str, ...] = ()
    unit: Unit = "number"
    better: Better = "higher"
    target: float | None = None
    low: float = -math.inf
    high: float = math.inf
    chance: float | Literal["prevalence"] | None = None
    perfect: float | None = None
    prevalence: bool = True
    needs: tuple[Literal["positives", "negatives"], ...] = ("positives", "negatives")
    interval: str = "percentile"
    why_none: str = "no_interval_known"  # the note that says why there is no interval
    influence: Callable[..., tuple[Any, Any] | None] | None = None
    expected: Callable[..., float] | None = None
    smooth: bool = True
    trials: Literal["pairs", "positives", "negatives", "smaller"] | Callable[..., float] = "smaller"
    unseen: Unseen | Callable[..., Unseen] = None
    bounds: Callable[..., tuple[float, float]] | None = None
    monotone: bool = False
    within: Callable[..., tuple[float, float] | None] | None = None
    rate: tuple[tuple[str, ...], tuple[str, ...]] | None = None
    of_counts: Callable[..., float | None] | None = None
    counted: Callable[..., Any] | None = None
    instead: Mapping[str, str] = field(default_factory=dict)
    cut: Callable[..., float] | None = None
    formula: str = ""
    reference: str = ""
    shown: Mapping[str, Any] | None = field(default_factory=dict)
    place: int = 50

    @cached_property
    def options(self) -> dict[str, Any]:
        """The metric's own options with their defaults; ``...`` marks one that must be given."""
        if self.family == "custom":
            return {}
        parameters = inspect.signature(self.counted or self.function).parameters.values()
        own = {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY}
        return {k: ... if v is inspect.Parameter.empty or k in self.instead else v for k, v in own.items()}

    @property
    def required(self) -> list[str]:
        """The options that must be given."""
        return [name for name, default in self.options.items() if default is ...]

    @property
    def verb(self) -> Callable[..., float] | None:
        """The public function of that name, which reads labels and scores; None where there is none."""
        function = getattr(sys.modules.get(self.function.__module__), self.name, None)
        return None if function is self.function else function

    @property
    def in_tables(self) -> bool:
        """Whether tables of everything show it: it is not left out, and no option is missing."""
        return self.shown is not None and all(name in self.shown for name in self.required)

    def label(self, lang: Lang = "en", *, shown: bool = False) -> str:
        """Return what a reader calls it; ``shown`` as in tables of everything, with their options."""
        texts = words(lang)
        keys = [*([f"metric.shown.{self.name}"] if shown else []), f"metric.{self.name}"]
        return next((texts(k) for k in keys if k in texts), self.name.replace("_", " "))

    def meaning(self, lang: Lang = "en", value: float | None = None, *, shown: bool = False) -> str:
        """Return what it says, in plain words; a value goes into the words where they have a place for it."""
        texts = words(lang)
        keys = [*([f"metric.shown.meaning.{self.name}"] if shown else []), f"metric.meaning.{self.name}"]
        key = next((k for k in keys if k in texts), None)
        if key is None:
            first = (inspect.getdoc(self.function) or "").split("\n\n")[0]
            return " ".join(first.split()).removeprefix("Return ").rstrip(".")
        if value is not None:
            return texts(key, value=value)
        text = texts.template(key)
        for place, example in PLACES.items():
            text = text.replace(place, example)
        return text

    def pitfall(self, lang: Lang = "en") -> str:
        """Return how it is most often misread; empty where nothing is known."""
        texts = words(lang)
        key = f"metric.pitfall.{self.name}"
        return texts(key) if key in texts else ""

    def bind(self, options: Mapping[str, Any] | None = None, verb: Iterable[str] = ()) -> Bound:
        """Return the metric with its own options, checked; ``verb`` are further options one may have meant."""
        own_options = {k: v for k, v in (options or {}).items() if not (k == "threshold" and v is None)}
        for name in own_options:
            if name not in self.options:
                if self.family == "custom" and not nearest(name, [*verb, *ROW_OPTIONS]):
                    raise UnknownOptionError(f"{name}: a function of a sweep takes no options here.")
                if name == "threshold":
                    raise UnknownOptionError(f"threshold: {self.name} is not a number at a threshold; leave it out.")
                raise unknown_option(name, [*self.options, *verb, *ROW_OPTIONS], self.name)
        missing = [k for k in self.required if k not in own_options and self.instead.get(k) not in own_options]
        if missing == ["threshold"]:
            raise OptionError(
                "{metric} is a number at a threshold: pass {option}0.5, for example.",
                metric=self.name,
                option=OptionName("threshold"),
            )
        if missing:
            raise OptionError(
                "{metric} needs a number: pass {option}0.9, for example.",
                metric=self.name,
                option=OptionName(missing[0]),
            )
        return Bound(self, own_options)

    def __reduce__(self) -> Any:
        """Travel by name: a registered metric has functions that are no attributes of a module."""
        return (find, (self.name,)) if known(self.name) is self else super().__reduce__()


@dataclass(frozen=True)
class Bound:
    """A metric with its options, ready to be read from any sweep."""

    metric: Metric
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name of the metric."""
        return self.metric.name

    @property
    def threshold(self) -> float | None:
        """The threshold of a metric at one."""
        if self.metric.cut is not None:
            return self.metric.cut(**self.options)
        return self.options.get("threshold") if self.metric.family == "threshold" else None

    @property
    def stratified(self) -> bool:
        """Whether classes are resampled apart: right for what does not depend on prevalence."""
        return not self.metric.prevalence

    @property
    def bounds(self) -> tuple[float, float]:
        """The range that the number cannot leave with these options."""
        bounds_of_options = self.metric.bounds
        return (self.metric.low, self.metric.high) if bounds_of_options is None else bounds_of_options(**self.options)

    def __call__(self, sweep: Sweep) -> float:
        """Return the number, or refuse one that the function calls undefined by NaN."""
        value = self.value(sweep)
        if math.isnan(value):
            raise UndefinedMetricError(f"{self.name} is undefined: the function returned NaN.")
        return value

    def value(self, sweep: Sweep) -> float:
        """Return what the function returns; refuse what is no number, which only a user's function can return."""
        number = self.metric.function(sweep, **self.options)
        if self.metric.family == "custom" and not is_number(number):
            raise OptionError.of("metric", f"expected {self.name} to return a number, got {written(number)}.")
        return float(number)

    def of_counts(self, like: Sweep, positives: Counts, negatives: Counts) -> float:
        """Return the number of other counts in the blocks of a sweep, as a resample has them."""
        quick = self.metric.of_counts
        value = None if quick is None else quick(positives, negatives, **self.options)
        return self.metric.function(like.with_counts(positives, negatives), **self.options) if value is None else value

    def rate(self, sweep: Sweep) -> tuple[float, float] | None:
        """Return the part and the whole of a plain proportion; None for anything else."""
        if self.metric.rate is None:
            return None
        counts = sweep.at(self.options["threshold"])
        part, whole = (sum(getattr(counts, cell) for cell in cells) for cells in self.metric.rate)
        return part, whole


def metric(name: str | None = None, **facts: Any) -> Callable[[Function], Function]:
    """Register a function of a sweep, and return it; see `Metric` for the facts."""

    def register(function: Function) -> Function:
        add(Metric(name or function.__name__, function, **{"family": "ranking", **facts}))
        return function

    return register


def read(name: str, sweep: Sweep, **options: Any) -> float:
    """Return a registered metric of a sweep to its verb: `Bounds` where bins of scores were counted."""
    target = Bound(_known[name], options)
    return target.metric.function(sweep, **options) if sweep.bins is None else bounds_of(target, sweep)


def add(new: Metric) -> None:
    """Register a metric; two of one name are an error."""
    for key in (new.name, *new.aliases):
        taken = _known.get(key)
        if taken is not None and (taken.name, taken.function.__qualname__) != (
            new.name,
            new.function.__qualname__,
        ):
            raise CurvewiseError(f"metric: {key!r} is already the name of {taken.name}.")
        _known[key] = new


@cache
def _load() -> None:
    """Import every file of this package: each registers what it defines."""
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        import_module(f"{__package__}.{module.name}")


def every() -> list[Metric]:
    """Return all metrics: by family, then by place, then as they are defined, whichever file was loaded first."""
    _load()
    names = list(dict.fromkeys(m.name for m in _known.values()))
    order: tuple[Family, ...] = ("ranking", "probability", "likelihood", "threshold")
    return sorted(
        (_known[name] for name in names), key=lambda m: (order.index(m.family), m.place, m.function.__module__)
    )


def find(wanted: str | Callable[[Any], float] | Metric) -> Metric:
    """Return a metric by any of its names, or take a function of a sweep for one."""
    if isinstance(wanted, Metric):
        return wanted
    if callable(wanted) and not isinstance(wanted, type):
        registered = next((m for m in every() if inspect.unwrap(wanted) in (m.function, m.verb)), None)
        return registered or Metric(getattr(wanted, "__name__", "statistic"), wanted, "custom")
    match = known(wanted) if isinstance(wanted, str) else None
    if match is not None:
        return match
    _load()
    close = nearest(wanted, _known) if isinstance(wanted, str) else []
    names = list(dict.fromkeys(_known[k].name for k in close))
    listed = Advice("cw.metrics() lists them.", "curvewise metrics --list shows them all.")
    raise OptionError(
        "{option}: there is no metric {wanted}; {hint}",
        option=ArgumentName("metric"),
        wanted=written(wanted),
        hint=f"did you mean {' or '.join(map(repr, names))}?" if names else listed,
    )


def known(name: str) -> Metric | None:
    """Return a metric by any of its names, or None where there is none of that name."""
    _load()
    return _known.get(name.casefold().replace("-", "_").replace(" ", "_"))


def bound(
    wanted: str | Callable[[Any], float] | Metric,
    options: Mapping[str, Any] | None = None,
    verb: Iterable[str] = (),
) -> Bound:
    """Return a metric by any of its names with its own options."""
    return find(wanted).bind(options, verb)


def names_of_metrics(option: str, wanted: object) -> list[Any]:
    """Return the metrics that an option names: one, or any number of them."""
    return list(wanted) if isinstance(wanted, (Mapping, Set, Iterator)) else values_of(option, wanted)


def several(
    wanted: Iterable[str | Callable[[Any], float]] | str | Callable[[Any], float], options: Mapping[str, Any]
) -> dict[str, Bound]:
    """Return metrics by name, each once; an option goes to those that have it, and must have one."""
    wanted_metrics = names_of_metrics("metrics", wanted)
    if not wanted_metrics:
        raise OptionError.of("metrics", "expected at least one metric, got none.")
    bounds: dict[str, Bound] = {}
    metrics = [find(m) for m in wanted_metrics]
    for m in metrics:
        if m.name in bounds:
            raise OptionError.of("metrics", f"{m.name!r} is named twice.")
        bounds[m.name] = m.bind({k: v for k, v in options.items() if k in m.options})
    for name in options:
        if name != "threshold" and not any(name in m.options for m in metrics):
            raise unknown_option(name, [k for m in metrics for k in m.options], ", ".join(bounds))
    return bounds
