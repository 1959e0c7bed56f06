"""What rows of many classes and of many labels share: weights, clusters, means over classes, intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from curvewise.core.registry import find
from curvewise.core.resampling import REPLICATES, draw_times, replicate_draws
from curvewise.core.threads import in_threads
from curvewise.errors import CurvewiseError, Note, note
from curvewise.many_classes.class_intervals import compare_rows, estimate, finite, infinite, or_nan
from curvewise.many_classes.class_metrics import AVERAGES, ClassMetric, class_metric, over_classes
from curvewise.many_classes.class_summary import ClassSummary
from curvewise.results.estimate import Estimate
from curvewise.results.numbers import show
from curvewise.results.result import Result, Table
from curvewise.rows.checks import one_of, real, whole
from curvewise.rows.columns import shown
from curvewise.rows.reading import ONE, Rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from curvewise.core.registry import Bound, Metric
    from curvewise.core.sweep import Sweep
    from curvewise.inference.comparison import Comparison
    from curvewise.many_classes.class_scores import ClassScores
    from curvewise.many_classes.confusion_matrix import ConfusionMatrix
    from curvewise.rows.reading import WeightKind

    Seed = np.random.Generator | int | None

METHODS = ("percentile", "basic", "logit-percentile")
MOST_CELLS = 200_000  # scores up to which resampling a summary takes seconds


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ClassRows(Result):
    """Rows with a score for each of many classes: the base of `Multiclass` and `Multilabel`."""

    own_metrics: ClassVar[tuple[ClassMetric, ...]]
    named: ClassVar[str]  # the field with the classes or labels
    averages: ClassVar[tuple[str, ...]] = AVERAGES

    weight: NDArray[Any] | None = None
    weight_kind: WeightKind = "sampling"
    cluster: NDArray[np.intp] | None = None
    dropped: int = 0
    round_to: int | None = None
    notes: tuple[Note, ...] = ()
    backend: str | None = None
    ready: ClassScores | None = None

    def __len__(self) -> int:
        raise NotImplementedError

    @property
    def names(self) -> tuple[Any, ...]:
        """The classes or labels."""
        found: tuple[Any, ...] = getattr(self, self.named)
        return found

    @property
    def support(self) -> NDArray[np.float64]:
        """The rows, or the weight, of each class."""
        raise NotImplementedError

    def members(self, needs: Sequence[str], what: str) -> NDArray[np.intp]:
        """Return the classes that a mean goes over: those that have the rows that a metric needs."""
        raise NotImplementedError

    def is_of(self, k: int) -> NDArray[np.bool_]:
        """Mark the rows of one class."""
        raise NotImplementedError

    def need_same_rows(self, other: Any) -> None:
        """Refuse another model that was not read from the same rows."""
        raise NotImplementedError

    @property
    def n(self) -> float:
        """All rows, or all weight."""
        total: float = len(self) if self.weight is None else self.weight.sum().item()
        return total

    @property
    def is_plain(self) -> bool:
        """Whether rows are independent and count alike."""
        return self.cluster is None and (self.weight is None or self.weight_kind == "count")

    def need_scores(self, what: str) -> ClassScores:
        """Return the scores, or say that there are none."""
        if self.ready is None:
            raise CurvewiseError(
                f"{what} needs the scores or probabilities of every class (proba=); labels alone were given."
            )
        return self.ready

    def sweep(self, label: object) -> Sweep:
        """Return the `Sweep` of one class against the rest, for everything that a sweep can tell."""
        return self.sweep_at(self._place(label))

    def sweep_at(self, k: int) -> Sweep:
        """Return the sweep of the class at one place."""
        return self.need_scores("A sweep").sweep(k, self.weight, self.weight_kind, self.backend)

    def rows(self, label: object) -> Rows:
        """Return the `Rows` of one class against the rest, with their weights and clusters.

        Every verb takes them in the place of labels and scores: ``cw.interval("roc_auc", m.rows("cat"))``.
        """
        k = self._place(label)
        return Rows(
            self.is_of(k),
            {ONE: self.need_scores("A class against the rest").scores[k]},
            self.weight,
            self.weight_kind,
            self.cluster,
            dropped=self.dropped,
            round_to=self.round_to,
            backend=self.backend,
        )

    def _place(self, label: object) -> int:
        if label not in self.names:
            listed = ", ".join(map(shown, self.names[:8]))
            raise CurvewiseError(f"label: expected one of {listed}, got {shown(label)}.")
        return self.names.index(label)

    def average(
        self, metric: str | Callable[[Sweep], float] | Metric, average: str = "macro", **options: Any
    ) -> float:
        """Return the mean over classes of any metric of `curvewise.metrics`, each class against the rest.

        A metric at a threshold counts what was predicted, unless ``threshold=`` is given: then a class is
        flagged where its score reaches it. Further options are the metric's. A function is one of a `Sweep`.
        """
        one_of("average", average, self.averages)
        found = find(metric)
        if found.family == "threshold":
            return self.average_flags(found, average, **options)
        return self.average_sweeps(found.bind(options), average)

    def average_flags(self, metric: Metric, average: str, **options: Any) -> float:
        """Return the mean over classes of a metric at a threshold."""
        raise NotImplementedError

    def average_sweeps(self, target: Bound, average: str) -> float:
        """Return the mean over classes of what is read from each class's sweep."""
        ready = self.need_scores(target.name)
        if average == "micro":
            return target(ready.pooled(self.weight, self.weight_kind))

        def values_of(members: list[int]) -> list[float]:
            return in_threads(lambda k: target(self.sweep_at(k)), members, len(self))

        ready.rankings  # noqa: B018 - sorted once here, not by every thread
        members = self.members(target.metric.needs, target.metric.label())
        return over_classes(average, f"The {average} {target.name}", values_of, members, self.support)

    def weighed(self, times: NDArray[Any]) -> Any:
        """Return the same rows, each taken so many times: what was sorted stays sorted."""
        if self.weight is None:
            return replace(self, weight=times, weight_kind="count")
        return replace(self, weight=times if self.weight_kind == "count" else times * self.weight)

    def drawer(self) -> Callable[[np.random.Generator], NDArray[Any]]:
        """Return what draws how often each row is taken: whole clusters, or rows whatever their class."""
        same = np.ones(len(self), dtype=bool)  # one class, so that rows are drawn in their own order
        return draw_times(Rows(same, {}, self.weight, self.weight_kind, self.cluster), stratified=False)

    def replicate(
        self, read: Callable[[Any], Any], replicates: int, rng: Seed
    ) -> tuple[NDArray[np.float64], int]:
        """Return what is read from every resample that defines it, and how many do not."""
        draw = self.drawer()
        return replicate_draws(lambda stream: read(self.weighed(draw(stream))), replicates, rng)

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

        Parameters
        ----------
        metric
            ``"accuracy"``, ``"kappa"``, ``"log_loss"`` … are numbers of all classes together; any other name
            or alias of `curvewise.metrics` is the mean over classes (``average="macro"``, ``"weighted"``,
            ``"micro"``). Or a function of this object.
        level
            The confidence level.
        method
            ``"percentile"``, ``"basic"`` or ``"logit-percentile"``; by default that of the metric.
        rng, replicates
            As in `curvewise.interval`.
        **options
            Options of the metric.

        Notes
        -----
        Rows, or whole clusters, are resampled without regard to class, sorted once. A row with a sampling
        weight is one row; a weight that counts is so many. A resample in which a class is absent may not
        define a mean over classes: such ones are left out and counted in the notes.
        """
        level, replicates = real("level", level, 0, 1, closed=False), whole("replicates", replicates, 2)
        one_of("method", method, (None, *METHODS))
        found = class_metric(self, self.own_metrics, metric, options)
        value = finite(self, found)
        drawn, failed = self.replicate(found.value, replicates, rng)
        return estimate(self, found, value, drawn, failed, level, method)

    def estimates(
        self,
        metrics: Sequence[str] | None = None,
        *,
        average: str = "macro",
        level: float = 0.95,
        rng: Seed = 0,
        replicates: int = REPLICATES,
    ) -> dict[str, Estimate]:
        """Return several numbers with their intervals, all from the same resamples.

        By default those of `table`. What is undefined has NaN and the reason.
        """
        level, replicates = real("level", level, 0, 1, closed=False), whole("replicates", replicates, 2)
        done = self.values(metrics, average=average, level=level)
        read = [self._metric(name, average) for name, e in done.items() if e.reason is None]
        drawn, _ = self.replicate(lambda r: [or_nan(m, r) for m in read], replicates, rng)
        for m, column in zip(read, drawn.T, strict=True):
            value, own = done[m.name].value, column[np.isfinite(column)]
            if len(own):
                done[m.name] = estimate(self, m, value, own, replicates - len(own), level, None)
            else:
                reason = note("no_resample_defines", replicates=replicates)
                done[m.name] = replace(done[m.name], reason=reason)
        return done

    def values(
        self, metrics: Sequence[str] | None = None, *, average: str = "macro", level: float = 0.95
    ) -> dict[str, Estimate]:
        """Return several numbers without intervals; what is undefined or infinite has the reason."""
        done: dict[str, Estimate] = {}
        for m in (self._metric(name, average) for name in metrics or self.table_metrics()):
            value, why = math.nan, None
            try:
                value = m.value(self)
            except CurvewiseError as error:
                why = note("undefined", why=str(error).rstrip("."))
            if math.isinf(value):
                why = note("undefined", why=infinite(m).rstrip("."))
            done[m.name] = Estimate(m.name, value, math.nan, math.nan, level, None, reason=why)
        return done

    def _metric(self, name: str, average: str) -> ClassMetric:
        one_of("average", average, self.averages)
        return class_metric(self, self.own_metrics, name, {}, average)

    def table_metrics(self) -> list[str]:
        """Return the names of the numbers that `table` shows."""
        raise NotImplementedError

    def each(self, level: float, rng: Seed, replicates: int, *, intervals: bool) -> Table:
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

        Parameters
        ----------
        average
            The kind of mean over classes.
        metrics
            Names of metrics; by default those that suit most readers.
        intervals
            False leaves out what must be resampled. So do very many rows, with a note.
        level, rng, replicates
            As in `interval`.
        """
        cells, notes = len(self) * len(self.names), self.notes
        if intervals and cells > MOST_CELLS:
            intervals, notes = False, (*notes, note("class_intervals_left_out", cells=cells))
        if intervals:
            found = self.estimates(metrics, average=average, level=level, rng=rng, replicates=replicates)
        else:
            found = self.values(metrics, average=average, level=level)
        matrix: ConfusionMatrix | None = getattr(self, "matrix", None)  # several labels have none
        each = self.each(level, rng, replicates, intervals=intervals)
        return ClassSummary(self.title(), average, found, each, matrix, notes, self.backend)

    def title(self) -> str:
        """Say in one line what these rows are."""
        raise NotImplementedError

    def _rows_said(self) -> str:
        kind = "rows" if self.weight is None or self.weight.dtype.kind == "i" else "weight"
        return f"{show(self.n)} {kind}"

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

        Options as in `interval` and in `curvewise.compare`. A comparison on rows that a model was fitted on
        is not valid.
        """
        found = class_metric(self, self.own_metrics, metric, options)
        return compare_rows(self, other, found, level=level, margin=margin, rng=rng, replicates=replicates)

    def units(self, mark: NDArray[np.bool_]) -> int:
        """Count what is independent among some rows: clusters, or rows whatever their weight."""
        if self.cluster is not None:
            return len(np.unique(self.cluster[mark]))
        if self.weight is not None and self.weight_kind == "count":
            return int(self.weight[mark].sum())
        return int(np.count_nonzero(mark))
