"""What rows of many classes and of many labels share: weights, clusters, means over classes, intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from curvewise.core.resampling import MANY, REPLICATES
from curvewise.core.strata import Strata, strata_of_columns
from curvewise.core.threads import in_threads
from curvewise.curves.roc import RocCurve, roc_curve
from curvewise.errors import CurvewiseError, Note, UndefinedMetricError, note
from curvewise.inference.by_bootstrap import METHOD, pair_of_draws
from curvewise.inference.compare import better_end
from curvewise.inference.comparison import Comparison
from curvewise.many_classes.class_draws import drawer, replicate
from curvewise.many_classes.class_metrics import (
    AVERAGES,
    class_metric,
    finite_value,
    metrics_of_all,
    over_classes,
    value_or_nan,
    why_no_interval,
)
from curvewise.many_classes.class_scores import ClassScores, sweep_ranked
from curvewise.many_classes.class_summary import MOST_CELLS, RATES, ClassSummary, estimate, left_out, with_draws
from curvewise.many_classes.confusion_matrix import ConfusionMatrix, class_names, place_of
from curvewise.many_classes.mean_curves import MeanRocCurve, mean_roc_curve
from curvewise.metric.registry import Bound, Metric, find
from curvewise.results.estimate import Estimate, value_alone
from curvewise.results.numbers import json_safe, show
from curvewise.results.result import Result, Table
from curvewise.rows.checks import one_of, real, whole
from curvewise.rows.reading import ONE
from curvewise.rows.rows import Rows, WeightKind

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.many_classes.label_flags import LabelFlags
    from curvewise.rows.category import Category

    Seed = np.random.Generator | int | None


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ClassRows(Result):
    """Rows with a score for each of many classes: the base of `Multiclass` and `Multilabel`."""

    named: ClassVar[str]  # the field with the classes or labels
    noun: ClassVar[str]
    shown_metrics: ClassVar[tuple[str, ...]]  # those of `table`
    averages: ClassVar[tuple[str, ...]] = AVERAGES

    truth: NDArray[Any]
    weight: NDArray[Any] | None = None
    weight_kind: WeightKind = "sampling"
    cluster: NDArray[np.intp] | None = None
    stratum: NDArray[np.intp] | None = None
    sampled: NDArray[np.intp] | None = None
    dropped: int = 0
    round_to: int | None = None
    notes: tuple[Note, ...] = ()
    backend: str | None = None
    ready: ClassScores | None = None
    groups: dict[str, Category] = field(default_factory=dict)
    id: NDArray[Any] | None = None
    kept: NDArray[np.intp] | None = None  # the numbers that rows had when they came, once some were left out

    def __len__(self) -> int:
        return int(self.truth.shape[-1])

    @property
    def names(self) -> tuple[Any, ...]:
        """The classes or labels."""
        return tuple(getattr(self, self.named))

    @property
    def support(self) -> NDArray[np.float64]:
        """The rows, or the weight, of each class."""
        raise NotImplementedError

    def members(self, needs: Sequence[str], what: str) -> NDArray[np.intp]:
        """Return the classes that a mean goes over: those that have the rows that a metric needs."""
        raise NotImplementedError

    def is_of(self, k: int) -> NDArray[np.bool_]:
        """Mark the rows of one class."""
        return np.asarray(self.truth == k if self.truth.ndim == 1 else self.truth[k])

    @property
    def n(self) -> float:
        """All rows, or all weight."""
        return len(self) if self.weight is None else self.weight.sum().item()

    @property
    def is_plain(self) -> bool:
        """Whether rows are independent and count alike."""
        return self.cluster is None and self.stratum is None and (self.weight is None or self.weight_kind == "count")

    def need_scores(self, what: str) -> ClassScores:
        """Return the scores, or say that there are none."""
        if self.ready is None:
            raise CurvewiseError(
                f"{what} needs the scores or probabilities of every class (proba=); labels alone were given."
            )
        return self.ready

    def sweep(self, label: object) -> Sweep:
        """Return the `Sweep` of one class against the rest, for everything that a sweep can tell."""
        return self.sweep_at(place_of(label, self.names))

    def sweep_at(self, k: int) -> Sweep:
        """Return the sweep of the class at one place."""
        ready, weight, kind = self.need_scores("A sweep"), self._short_weight, self.weight_kind
        if ready.is_binned and weight is not None:
            return ready.binned_sweep(k, weight, kind, self.backend)
        return sweep_ranked(ready.rankings[k], self.is_of(k), weight, kind, self.backend)

    @cached_property
    def _short_weight(self) -> NDArray[Any] | None:
        """The weights of resamples in bytes, which every class reads; else as they are."""
        weight = self.weight
        if weight is None or self.ready is None or not self.ready.is_binned:
            return weight
        return weight.astype(np.uint8) if weight.dtype.kind == "i" and weight.max() < 256 else weight

    def rows(self, label: object) -> Rows:
        """Return the `Rows` of one class against the rest, with their weights, clusters and strata.

        Every verb takes them in the place of labels and scores: ``cw.interval("roc_auc", m.rows("cat"))``.
        """
        k = place_of(label, self.names)
        return self.two_classes(self.is_of(k), self.need_scores("A class against the rest").scores[k])

    def two_classes(self, positive: NDArray[np.bool_], score: NDArray[Any]) -> Rows:
        """Return rows of two classes with the weights, clusters and strata of these."""
        facts = {name: getattr(self, name) for name in ("stratum", "sampled", "dropped", "round_to", "backend")}
        return Rows(positive, {ONE: score}, self.weight, self.weight_kind, self.cluster, **facts)

    def average(self, metric: str | Callable[[Sweep], float] | Metric, average: str = "macro", **options: Any) -> float:
        """Return the mean over classes of any metric of `curvewise.metrics`, each class against the rest.

        A metric at a threshold counts what was predicted, unless ``threshold=`` is given: then a class is
        flagged where its score reaches it. Further options are the metric's. A function is one of a `Sweep`.
        """
        one_of("average", average, self.averages)
        of_class = find(metric)
        flags = self._flags(options.get("threshold")) if of_class.family == "threshold" else None
        if flags is None:
            return self.average_sweeps(of_class.bind(options), average)
        zero = options.pop("zero", math.nan)
        return flags.average(of_class.bind({"threshold": math.nan, **options}), average, zero)

    def _flags(self, threshold: float | None) -> ConfusionMatrix | LabelFlags | None:
        """Return what counts the flags of each class, None where its sweep does."""
        raise NotImplementedError

    def _pooled(self, what: str) -> Sweep:
        """Return the sweep of all pairs of a row and a class."""
        return self.need_scores(what).pooled(self.weight, self.weight_kind)

    def average_sweeps(self, target: Bound, average: str) -> float:
        """Return the mean over classes of what is read from each class's sweep."""
        if average == "micro":
            return target(self._pooled(target.name))

        def values_of(members: list[int]) -> list[float]:
            return in_threads(lambda k: target(self.sweep_at(k)), members, len(self))

        self.need_scores(target.name).rankings  # noqa: B018 - sorted once here, not by every thread
        members = self.members(target.metric.needs, target.metric.label())
        return over_classes(average, f"The {average} {target.name}", values_of, members, self.support)

    def weighed(self, times: NDArray[Any]) -> Any:
        """Return the same rows, each taken so many times: what was sorted stays sorted."""
        times = times.astype(np.int64) if times.dtype == np.uint8 else times  # sums and products of them are whole
        if self.weight is None:
            return replace(self, weight=times, weight_kind="count")
        return replace(self, weight=times if self.weight_kind == "count" else times * self.weight)

    def strata(self) -> Strata | None:
        """Return the strata within which rows, or clusters, were sampled; None without any."""
        if self.stratum is None:
            return None
        counted = self.weight if self.weight_kind == "count" and self.cluster is None else None
        return strata_of_columns(self.stratum, self.cluster, self.sampled, counted)

    def drawer(self) -> Callable[[np.random.Generator], NDArray[Any]]:
        """Return what draws how often each row is taken: whole clusters, or rows of any class, within strata."""
        return drawer(self)

    def replicate(
        self, read: Callable[..., Any], replicates: int, rng: Seed, *others: Any
    ) -> tuple[NDArray[np.float64], int]:
        """Return what is read from every resample (of other models too), and how many do not define it."""
        return replicate((self, *others), read, replicates, rng)

    def in_bins(self) -> Any:
        """Return the rows with the scores of each class in bins, where rows are many; else themselves."""
        if self.ready is None or len(self) <= MANY:
            return self
        return replace(self, ready=self.ready.in_bins())

    def _mean_roc_curve(self) -> MeanRocCurve:
        members = self.members(("positives", "negatives"), "A ROC curve").tolist()
        if not members:
            raise UndefinedMetricError("A ROC curve is undefined: no label has positive and negative rows.")
        return mean_roc_curve([self.sweep_at(k) for k in members])

    def roc_curves(self) -> dict[str, RocCurve | MeanRocCurve]:
        """Return the ROC curve of each class that has one, and their mean: what `plot` draws."""
        members = self.members(("positives", "negatives"), "A ROC curve").tolist()
        names = class_names(self.names)
        curves: dict[str, Any] = {names[k]: roc_curve(self.sweep_at(k)) for k in members}
        return {**curves, mean_name(curves): self._mean_roc_curve()}

    def interval(
        self,
        metric: str | Callable[[Any], float],
        *,
        level: float = 0.95,
        method: str | None = None,
        rng: Seed = 0,
        replicates: int = REPLICATES,
        **options: Any,
    ) -> Estimate:
        """Return a number with its interval: one of all classes, or the mean of any metric over classes.

        ``metric`` is ``"accuracy"``, ``"kappa"``, ``"log_loss"`` …, a number of all classes together; or any
        name or alias of `curvewise.metrics`, whose mean over classes is taken (``average="macro"``,
        ``"weighted"``, ``"micro"``); or a function of this object. ``options`` are those of the metric.
        ``method`` is ``"score"`` (numbers with two ends, the default for these), ``"log"`` (losses),
        ``"percentile"`` or ``"basic"``, by default that of the metric; ``level``, ``rng`` and ``replicates`` are as
        in `curvewise.interval`.

        Rows, or whole clusters, are resampled without regard to class, within strata where there are any, sorted
        once; of more than 50 000 rows, the scores of each class are put together in 2048 bins for that. A row with a
        sampling weight is one row; a weight that counts is so many. A resample in which a class is absent may not
        define a mean over classes: such ones are left out and counted in the notes.
        """
        level, replicates = real("level", level, 0, 1, closed=False), whole("replicates", replicates, 2)
        target = class_metric(type(self), metric, options)
        one_of("method", method, (None, *dict.fromkeys((target.metric.interval, "percentile", "basic"))))
        value = finite_value(target, self)
        return estimate(self, target, value, *self.replicate(target.value, replicates, rng), level, method)

    def estimates(
        self,
        metrics: Sequence[str] | None = None,
        *,
        average: str = "macro",
        level: float = 0.95,
        rng: Seed = 0,
        replicates: int = REPLICATES,
    ) -> dict[str, Estimate]:
        """Return several numbers, by default those of `table`, with intervals from the same resamples.

        What is undefined has NaN and the reason.
        """
        level, replicates = real("level", level, 0, 1, closed=False), whole("replicates", replicates, 2)
        numbers = self.values(metrics, average=average, level=level)
        targets = [t for t in self._targets(numbers, average) if numbers[t.name].reason is None]
        drawn, _ = self.replicate(lambda rows: [value_or_nan(t, rows) for t in targets], replicates, rng)
        done = (with_draws(self, t, numbers[t.name], of, level) for t, of in zip(targets, drawn.T, strict=True))
        return numbers | {e.metric: e for e in done}

    def values(
        self, metrics: Sequence[str] | None = None, *, average: str = "macro", level: float = 0.95
    ) -> dict[str, Estimate]:
        """Return several numbers without intervals; what is undefined or infinite has the reason."""
        return {t.name: self._value(t, level) for t in self._targets(metrics, average)}

    def _value(self, target: Any, level: float) -> Estimate:
        value, why = math.nan, None
        try:
            value = target.value(self)
        except UndefinedMetricError as error:
            why = error.reason
        except CurvewiseError as error:
            inner = error.fields.get("why")
            carried = isinstance(inner, Note)
            why = note("class_needs_probabilities", why=inner) if carried else note("undefined", why=str(error))
        if math.isinf(value):
            is_loss = target.name == "log_loss"
            why = note("class_loss_infinite") if is_loss else note("undefined", why=why_no_interval(target))
        return value_alone(target.name, value, level, why)

    def _targets(self, names: Iterable[str] | None, average: str) -> list[Bound]:
        one_of("average", average, self.averages)
        return [class_metric(type(self), name, {}, average) for name in names or self.table_metrics()]

    def table_metrics(self) -> list[str]:
        """Return what `table` shows: without scores, only what counts give."""
        counted = {m.name for m in metrics_of_all(type(self)).values() if m.family == "threshold"} | {"f1", *RATES}
        return [name for name in self.shown_metrics if self.ready is not None or name in counted]

    def each(
        self, level: float = 0.95, rng: Seed = 0, replicates: int = REPLICATES, *, intervals: bool = True
    ) -> Table:
        """Return each class or label against the rest."""
        raise NotImplementedError

    def summary(
        self,
        average: str = "macro",
        metrics: Sequence[str] | None = None,
        *,
        intervals: bool = True,
        level: float = 0.95,
        rng: Seed = 0,
        replicates: int = REPLICATES,
    ) -> ClassSummary:
        """Return every number with its interval and its meaning, each class, and the confusion matrix.

        ``metrics`` are names, by default those that suit most readers. ``intervals=False`` leaves out what
        must be resampled; so do very many rows, with a note. The rest is as in `interval`.
        """
        cells, notes = len(self) * len(self.names), self.notes
        if intervals and cells > MOST_CELLS:
            intervals, notes = False, (*notes, note("class_intervals_left_out", cells=cells))
        if intervals:
            estimates = self.estimates(metrics, average=average, level=level, rng=rng, replicates=replicates)
        else:
            estimates = self.values(metrics, average=average, level=level)
        matrix: ConfusionMatrix | None = getattr(self, "matrix", None)  # several labels have none
        each = self.each(level, rng, replicates, intervals=intervals)
        return ClassSummary(self.title(), average, estimates, each, matrix, notes, self.backend)

    def title(self) -> str:
        """Say in one line what these rows are."""
        weight = "" if self.weight is None else f", weight {show(self.n)}"
        many = f"{len(self)} rows{weight}, {len(self.names)} {self.named}"
        return f"{type(self).__name__}({many}{self._more_said()})"

    def _more_said(self) -> str:
        raise NotImplementedError

    def content(self) -> dict[str, Any]:
        """Return classes or labels, counts, macro metrics and notes, JSON-safe."""
        matrix: ConfusionMatrix | None = getattr(self, "matrix", None)
        return {
            self.named: json_safe(self.names),
            "n": self.n,
            "dropped": self.dropped,
            "notes": json_safe(self.notes),
            **({} if matrix is None else {"matrix": matrix.counts.tolist()}),
            "metrics": self.table.content()["rows"],
            f"per_{self.noun}": self.each().content()["rows"],
        }

    @property
    def table(self) -> Table:
        """Every number, macro means over classes; `summary` has the intervals."""
        none = Table("", {}, self.backend)
        return ClassSummary(self.title(), "macro", self.values(), none, None, (), self.backend).table

    def compare(
        self,
        other: Any,
        metric: str | Callable[[Any], float] = "roc_auc",
        *,
        level: float = 0.95,
        margin: float | None = None,
        rng: Seed = 0,
        replicates: int = REPLICATES,
        **options: Any,
    ) -> Comparison:
        """Compare with another model of the same rows: this minus the other, on the same resamples.

        Options as in `interval` and `curvewise.compare`. Rows that a model was fitted on are no valid ground.
        """
        target = class_metric(type(self), metric, options)
        level, replicates = real("level", level, 0, 1, closed=False), whole("replicates", replicates, 2)
        margin = None if margin is None else real("margin", margin, 0, math.inf)
        self._need_same(other)
        values = [finite_value(target, m) for m in (self, other)]
        drawn, failed = self.replicate(lambda *ms: [target.value(m) for m in ms], replicates, rng, other)
        names, away = ("first", "second"), drawn[:, 0] - drawn[:, 1]
        pair = pair_of_draws(names, target.name, values[0] - values[1], away, level, margin)
        if pair.p_margins is not None and better_end(target, margin) == "lower":  # inferior is what is higher
            pair = replace(pair, p_non_inferior=pair.p_margins[1])
        by_name, pairs = dict(zip(names, values, strict=True)), (replace(pair, p_holm=pair.p_value),)
        return Comparison(target.name, METHOD, by_name, pairs, None, left_out(failed, replicates))

    def _need_same(self, other: Any) -> None:
        """Refuse another model that was not read from the same rows."""
        if type(other) is not type(self):
            raise CurvewiseError(f"other: expected a {type(self).__name__}, got {type(other).__name__}.")
        odd = ", ".join(sorted(map(str, set(self.names) ^ set(other.names))))
        if odd:
            raise CurvewiseError(f"other: expected the same {self.named}; {odd} is in only one of both.")
        places = ((k, other.names.index(name)) for k, name in enumerate(self.names))
        if not all(np.array_equal(self.is_of(k), other.is_of(j)) for k, j in places):
            raise CurvewiseError(
                f"other: expected a model of the same rows, got {len(other)} rows beside "
                f"{len(self)}, or other labels; read both from the same rows, in the same order."
            )
        for name in ("weight", "weight_kind", "cluster", "stratum"):
            a, b = getattr(self, name), getattr(other, name)
            if (a is None) != (b is None) or (a is not None and not np.array_equal(a, b)):
                raise CurvewiseError(f"other: expected the same {name} for both models.")

    def units(self, mark: NDArray[np.bool_]) -> int:
        """Count what is independent among some rows: clusters, or rows whatever their weight."""
        if self.cluster is not None:
            return len(np.unique(self.cluster[mark]))
        if self.weight is not None and self.weight_kind == "count":
            return int(self.weight[mark].sum())
        return int(np.count_nonzero(mark))


def mean_name(classes: Iterable[str]) -> str:
    """Return the name of a mean curve beside those of classes, one of which may be called macro itself."""
    return "macro" if "macro" not in classes else "macro mean"
