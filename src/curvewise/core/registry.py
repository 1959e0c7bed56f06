"""Every metric, registered where it is defined, with all that anybody asks about it.

`interval`, `compare`, groups, sites, classes, the command line, the report, the reference page and the tests
read this one list. A new metric is one file in `curvewise.metric` with one `metric` decorator; its words, if
it has any, stand in `curvewise.words` under ``metric.NAME``, ``metric.meaning.NAME`` and ``metric.pitfall.NAME``.
"""

from __future__ import annotations

import inspect
import math
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from functools import cache, cached_property, partial, wraps
from importlib import import_module
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
from curvewise.rows.checks import values_of
from curvewise.rows.columns import is_number
from curvewise.rows.columns import shown as written
from curvewise.rows.rows import RowOptions
from curvewise.words import Lang, words

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep

    Statistic = Callable[[Sweep], float]

Family = Literal["ranking", "threshold", "probability", "custom"]
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
        (scores must be probabilities), ``"custom"`` (a user's function).
    unit
        How it is written: a share in per cent, an area, a loss, a ratio, log odds, a plain number.
    better, target
        Whether higher or lower is better, or near a target.
    low, high
        The range that it cannot leave.
    chance, perfect
        Its value where the score says nothing (``"prevalence"`` where that is the answer) and where it
        separates the classes perfectly, at a threshold between them, or states 0 and 1 rightly.
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
    rate
        The cells of the part and of the whole, where it is a plain proportion of rows.
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
    formula: str = ""
    reference: str = ""
    verb: str | None = None  # the public function, where it is not the registered one
    shown: Mapping[str, Any] | None = field(default_factory=dict)
    place: int = 50

    @cached_property
    def options(self) -> dict[str, Any]:
        """The metric's own options with their defaults; ``...`` marks one that must be given."""
        if self.family == "threshold":
            return {"threshold": ...}
        if self.family == "custom":
            return {}
        parameters = inspect.signature(self.function).parameters.values()
        return {p.name: ... if p.default is p.empty else p.default for p in parameters if p.kind is p.KEYWORD_ONLY}

    @property
    def required(self) -> list[str]:
        """The options that must be given."""
        return [name for name, default in self.options.items() if default is ...]

    @property
    def in_tables(self) -> bool:
        """Whether tables of everything show it: it is not left out, and no option is missing."""
        return self.shown is not None and all(name in self.shown for name in self.required)

    def label(self, lang: Lang = "en", *, shown: bool = False) -> str:
        """Return what a reader calls it; ``shown`` as in tables of everything, with their options."""
        found = words(lang)
        keys = [*([f"metric.shown.{self.name}"] if shown else []), f"metric.{self.name}"]
        return next((found(k) for k in keys if k in found), self.name.replace("_", " "))

    def meaning(self, lang: Lang = "en", value: float | None = None, *, shown: bool = False) -> str:
        """Return what it says, in plain words; a value goes into the words where they have a place for it."""
        found = words(lang)
        keys = [*([f"metric.shown.meaning.{self.name}"] if shown else []), f"metric.meaning.{self.name}"]
        key = next((k for k in keys if k in found), None)
        if key is None:
            first = (inspect.getdoc(self.function) or "").split("\n\n")[0]
            return " ".join(first.split()).removeprefix("Return ").rstrip(".")
        if value is not None:
            return found(key, value=value)
        text = found.template(key)
        for place, said in PLACES.items():
            text = text.replace(place, said)
        return text

    def pitfall(self, lang: Lang = "en") -> str:
        """Return how it is most often misread; empty where nothing is known."""
        found = words(lang)
        key = f"metric.pitfall.{self.name}"
        return found(key) if key in found else ""

    def bind(self, options: Mapping[str, Any] | None = None, verb: Iterable[str] = ()) -> Bound:
        """Return the metric with its own options, checked; ``verb`` are further options one may have meant."""
        given = {k: v for k, v in (options or {}).items() if not (k == "threshold" and v is None)}
        for name in given:
            if name not in self.options:
                if self.family == "custom" and not nearest(name, [*verb, *ROW_OPTIONS]):
                    raise UnknownOptionError(f"{name}: a function of a sweep takes no options here.")
                if name == "threshold":
                    raise UnknownOptionError(f"threshold: {self.name} is not a number at a threshold; leave it out.")
                raise unknown_option(name, [*self.options, *verb, *ROW_OPTIONS], self.name)
        missing = [name for name in self.required if name not in given]
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
        return Bound(self, given)

    def __reduce__(self) -> Any:
        """Travel by name: the function of a registered metric is no attribute of its module, its verb is."""
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
        return self.options.get("threshold") if self.metric.family == "threshold" else None

    @property
    def stratified(self) -> bool:
        """Whether classes are resampled apart: right for what does not depend on prevalence."""
        return not self.metric.prevalence

    @property
    def bounds(self) -> tuple[float, float]:
        """The range that the number cannot leave with these options."""
        found = self.metric.bounds
        return (self.metric.low, self.metric.high) if found is None else found(**self.options)

    @cached_property
    def statistic(self) -> Statistic:
        """The function of a sweep, which raises where the sweep does not define the number.

        The bare function where there are no options, so that it can be told by identity.
        """
        return partial(self.metric.function, **self.options) if self.options else self.metric.function

    def __getstate__(self) -> dict[str, Any]:
        return {"metric": self.metric, "options": self.options}  # the statistic is made again

    def __call__(self, sweep: Sweep) -> float:
        """Return the number, or refuse one that the function calls undefined by NaN."""
        value = self.value(sweep)
        if math.isnan(value):
            raise UndefinedMetricError(f"{self.name} is undefined: the function returned NaN.")
        return value

    def value(self, sweep: Sweep) -> float:
        """Return what the function returns; refuse what is no number, which only a user's function can return."""
        found = self.statistic(sweep)
        if self.metric.family == "custom" and not is_number(found):
            raise OptionError.of("metric", f"expected {self.name} to return a number, got {written(found)}.")
        return float(found)

    def rate(self, sweep: Sweep) -> tuple[float, float] | None:
        """Return the part and the whole of a plain proportion; None for anything else."""
        if self.metric.rate is None:
            return None
        counts = sweep.at(self.options["threshold"])
        part, whole = (sum(getattr(counts, cell) for cell in cells) for cells in self.metric.rate)
        return part, whole


def metric(name: str | None = None, **facts: Any) -> Callable[[Function], Function]:
    """Register a function of a sweep, and return it with limits where a sweep has bins; see `Metric` for the facts."""

    def register(function: Function) -> Function:
        own = name or function.__name__
        facts.setdefault("family", "ranking")
        found = Metric(own, function, **facts)
        add(found)
        return with_limits(own)(function)

    return register


def with_limits(metric: str) -> Callable[[Function], Function]:
    """Make a verb of a metric return `Bounds` where it is given a sweep that counted bins of scores."""

    def make(function: Function) -> Function:
        @wraps(function)
        def verb(*given: Any, **options: Any) -> Any:
            sweep: Any = given[0] if given else options.get("y")
            if getattr(sweep, "bins", None) is None or len(given) > 1:
                return function(*given, **options)
            from curvewise.core.bounds import bounds_of  # noqa: PLC0415 - few sweeps have bins

            return bounds_of(find(metric).bind({k: v for k, v in options.items() if k != "y"}), sweep)

        return verb  # type: ignore[return-value]

    return make


def add(found: Metric) -> None:
    """Register a metric; two of one name are an error."""
    for key in (found.name, *found.aliases):
        taken = _known.get(key)
        if taken is not None and (taken.name, taken.function.__qualname__) != (
            found.name,
            found.function.__qualname__,
        ):
            raise CurvewiseError(f"metric: {key!r} is already the name of {taken.name}.")
        _known[key] = found


@cache
def _load() -> None:
    """Import every file of `curvewise.metric`: each registers what it defines."""
    package = import_module("curvewise.metric")  # by name: metrics lie above the registry
    for module in pkgutil.iter_modules(package.__path__):
        import_module(f"curvewise.metric.{module.name}")


def every() -> list[Metric]:
    """Return all metrics: by family, then by place, then as they are defined, whichever file was loaded first."""
    _load()
    found = list(dict.fromkeys(m.name for m in _known.values()))
    order: tuple[Family, ...] = ("ranking", "probability", "threshold")
    return sorted(
        (_known[name] for name in found), key=lambda m: (order.index(m.family), m.place, m.function.__module__)
    )


def find(wanted: str | Callable[[Any], float] | Metric) -> Metric:
    """Return a metric by any of its names, or take a function of a sweep for one."""
    if isinstance(wanted, Metric):
        return wanted
    if callable(wanted) and not isinstance(wanted, type):
        bare = inspect.unwrap(wanted)
        own = next((m for m in every() if bare in (m.function, *map(inspect.unwrap, _verbs(m)))), None)
        return own or Metric(getattr(wanted, "__name__", "statistic"), wanted, "custom")
    found = known(wanted) if isinstance(wanted, str) else None
    if found is not None:
        return found
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
    asked = names_of_metrics("metrics", wanted)
    if not asked:
        raise OptionError.of("metrics", "expected at least one metric, got none.")
    found: dict[str, Bound] = {}
    metrics = [find(m) for m in asked]
    for m in metrics:
        if m.name in found:
            raise OptionError.of("metrics", f"{m.name!r} is named twice.")
        found[m.name] = m.bind({k: v for k, v in options.items() if k in m.options})
    for name in options:
        if name != "threshold" and not any(name in m.options for m in metrics):
            raise unknown_option(name, [k for m in metrics for k in m.options], ", ".join(found))
    return found


def _verbs(m: Metric) -> tuple[Any, ...]:
    """Return the public function of a metric, where it is not the registered one."""
    if m.verb is None:
        return ()
    module = import_module(m.function.__module__)
    return (getattr(module, m.verb),)
