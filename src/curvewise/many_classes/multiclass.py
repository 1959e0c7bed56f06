"""Many classes: one object, read once, that answers for each class and for all together."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from curvewise.core.threads import in_threads
from curvewise.curves.pr import PrCurve, pr_curve
from curvewise.curves.roc import RocCurve, roc_curve
from curvewise.errors import CurvewiseError, CurvewiseWarning, UndefinedMetricError
from curvewise.many_classes.averages import AVERAGES, Average, over_classes, over_rows
from curvewise.many_classes.calibration import ClassCalibration, classwise, top_label
from curvewise.many_classes.curves import MeanPrCurve, MeanRocCurve, mean_pr_curve, mean_roc_curve
from curvewise.many_classes.pairs import one_against_one, pair_areas
from curvewise.many_classes.predicted import Predicted
from curvewise.many_classes.prepared import Prepared
from curvewise.many_classes.reading import read_predicted, read_scores
from curvewise.many_classes.resampling import compare_on_rows, interval_of_rows
from curvewise.many_classes.summary import by_class, overall
from curvewise.metric.average_precision import average_precision
from curvewise.metric.roc_auc import roc_auc
from curvewise.results.numbers import json_safe, show
from curvewise.rows.checks import one_of, real, whole
from curvewise.rows.columns import shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from curvewise.core.sweep import Sweep
    from curvewise.inference.comparison import Comparison
    from curvewise.metric.bins import BinWay
    from curvewise.results.estimate import Estimate
    from curvewise.results.result import Table
    from curvewise.rows.reading import Missing

Scheme = Literal["ovr", "ovo"]


@dataclass(frozen=True, eq=False, repr=False)
class Multiclass(Predicted):
    """Rows of many classes, read once by `curvewise.multiclass`; the constructor trusts its arguments.

    A mean over classes goes over those that occur in y; ``average`` says which: ``"macro"``, every class
    alike; ``"weighted"``, by its rows; ``"micro"``, all pairs of a row and a class together.

    Attributes
    ----------
    classes
        The classes, in the order of the columns.
    truth, predicted
        The place of each row's true and predicted class in ``classes``. Predicted is the highest score; of
        equal ones, the first column.
    occurs
        Which classes occur in y.
    weight, cluster, dropped
        As given, or None; how many rows with a missing value were left out.
    notes
        What a careful reader should know: classes that never occur, ties, rows that do not sum to 1.
    ordered, trouble, ready
        Whether the order of the classes means something; why the scores are no probabilities; the scores.
    """

    def sweep(self, label: object) -> Sweep:
        """Return the `Sweep` of one class against the rest, for everything that a sweep can tell."""
        if label not in self.classes:
            listed = ", ".join(map(shown, self.classes[:8]))
            raise CurvewiseError(f"label: expected one of {listed}, got {shown(label)}.")
        return self._sweep(self.classes.index(label))

    def _sweep(self, k: int) -> Sweep:
        return self.need_scores("A sweep").sweep(k, self.weight, self.backend)

    def need_scores(self, what: str) -> Prepared:
        """Return the scores, or say that there are none."""
        if self.ready is None:
            raise CurvewiseError(
                f"{what} needs the scores or probabilities of every class (proba=); labels alone were given."
            )
        return self.ready

    def need_probabilities(self, what: str) -> Prepared:
        """Return the scores where they are probabilities, or say why they are not."""
        ready = self.need_scores(what)
        if self.trouble is not None:
            raise CurvewiseError(f"{what} needs probabilities: {self.trouble}.")
        return ready

    def weighed(self, weight: NDArray[Any]) -> Multiclass:
        """Return the same rows with other weights: what was sorted stays sorted."""
        return replace(self, weight=weight)

    def roc_auc(self, average: Average = "macro", scheme: Scheme = "ovr") -> float:
        """Return the area under the ROC curve: each class against the rest, or against each other class.

        ``scheme="ovo"`` averages the areas of all pairs of classes (`hand_till`), weighted by the rows
        of the pair if asked; it has no micro average.
        """
        one_of("average", average, AVERAGES)
        one_of("scheme", scheme, ("ovr", "ovo"))
        if scheme == "ovr":
            self._need_two_classes("The area under the ROC curve")
            return self._averaged("roc_auc", average, roc_auc)
        if average == "micro":
            raise CurvewiseError("average: scheme='ovo' has 'macro' and 'weighted', and no 'micro'.")
        ready, support = self.need_scores("The area under the ROC curve"), self.matrix.support
        return one_against_one(pair_areas(ready, support, self.occurs, self.weight), support, average)

    def hand_till(self) -> float:
        """Return Hand and Till's M: the mean area over all pairs of classes, each pair both ways.

        A(j|k) is how often a row of class j has a higher score of class j than a row of class k. M does not
        depend on how frequent the classes are. Hand & Till (2001) Machine Learning 45:171-186.
        """
        return self.roc_auc(scheme="ovo")

    def average_precision(self, average: Average = "macro") -> float:
        """Return the average precision of each class against the rest."""
        one_of("average", average, AVERAGES)
        return self._averaged("average_precision", average, average_precision)

    def roc_curve(self, average: Literal["macro", "micro"] = "macro") -> MeanRocCurve | RocCurve:
        """Return the mean ROC curve over classes, or the curve of all pairs of a row and a class."""
        one_of("average", average, ("macro", "micro"))
        self._need_two_classes("A ROC curve")
        if average == "micro":
            return roc_curve(self.need_scores("A ROC curve").pooled(self.weight))
        return mean_roc_curve([self._sweep(k) for k in np.flatnonzero(self.occurs).tolist()])

    def pr_curve(self, average: Literal["macro", "micro"] = "macro") -> MeanPrCurve | PrCurve:
        """Return the mean precision-recall curve over classes, or that of all pairs of a row and a class."""
        one_of("average", average, ("macro", "micro"))
        if average == "micro":
            return pr_curve(self.need_scores("A precision-recall curve").pooled(self.weight))
        return mean_pr_curve([self._sweep(k) for k in np.flatnonzero(self.occurs).tolist()])

    def _need_two_classes(self, what: str) -> None:
        if np.count_nonzero(self.occurs) < 2:
            only = shown(self.classes[int(np.argmax(self.occurs))])
            raise UndefinedMetricError(f"{what} needs two classes that occur in y; only {only} does.")

    def _averaged(self, name: str, average: str, read: Callable[[Sweep], float]) -> float:
        ready = self.need_scores(name)
        if average == "micro":
            return read(ready.pooled(self.weight))

        def values_of(members: list[int]) -> list[float]:
            return in_threads(lambda k: read(self._sweep(k)), members, len(self.truth))

        ready.own  # noqa: B018 - sorted once here, not by every thread
        members = np.flatnonzero(self.occurs)
        return over_classes(average, f"The {average} {name}", values_of, members, self.matrix.support)

    def top_k_accuracy(self, k: int = 2) -> float:
        """Return how often the true class is among the k highest scores; of equal ones the first column."""
        k = whole("k", k, 1)
        if k > len(self.classes):
            raise CurvewiseError(f"k: expected at most the {len(self.classes)} classes, got {k}.")
        return over_rows(self.need_scores("Top-k accuracy").places < k, self.weight)

    def log_loss(self, clip: float | None = None) -> float:
        """Return the mean of -log of the probability that the true class was given, in nats.

        Infinite where a class came that was given no chance; ``clip`` moves probabilities into
        [clip, 1 - clip] first.
        """
        value = self.mean_log_loss(clip)
        if math.isinf(value):
            ready = self.need_probabilities("Log loss")
            rows = int(np.count_nonzero(ready.of_truth == 0))
            warnings.warn(
                f"The log loss is infinite: {rows} of {len(self.truth)} rows gave the true class no chance; "
                "clip= would bound it.",
                CurvewiseWarning,
                stacklevel=2,
            )
        return value

    def mean_log_loss(self, clip: float | None = None) -> float:
        """Return the log loss without a word about infinite ones: for tables and resampling."""
        p = self.need_probabilities("Log loss").of_truth
        if clip is not None:
            clip = real("clip", clip, 0, 0.5, closed=False)
            p = np.clip(p, clip, 1 - clip)
        with np.errstate(divide="ignore"):
            return over_rows(-np.log(p), self.weight)

    def brier_loss(self) -> float:
        """Return the mean over rows of Σ (p - y)² over classes: from 0 to 2, scikit-learn's scale.

        With two classes it is twice `curvewise.brier_loss`.
        """
        return over_rows(self.need_probabilities("Brier loss").squared_errors, self.weight)

    def calibration(self, bins: int = 10, how: BinWay = "width") -> ClassCalibration:
        """Judge each class's probabilities: binned calibration error by class, and its mean (``ece``)."""
        return classwise(self, bins, how)

    def top_label_calibration(self, bins: int = 10, how: BinWay = "width") -> ClassCalibration:
        """Judge the probability of the predicted class: chosen with 0.8, it should be right 8 times in 10."""
        return top_label(self, bins, how)

    def interval(
        self,
        metric: str | Callable[[Multiclass], float],
        *,
        level: float = 0.95,
        method: str | None = None,
        rng: np.random.Generator | int | None = None,
        replicates: int = 2000,
        **options: Any,
    ) -> Estimate:
        """Return a metric (the name of a method, or a function of this object) with its interval.

        Rows, or whole clusters where ``cluster=`` was given, are resampled without regard to class, sorted
        once. ``method`` is ``"percentile"`` (default), ``"basic"`` or ``"logit-percentile"`` (default for
        areas). Further options are the metric's. A resample in which a class is absent may not define a mean
        over classes: such ones are left out and counted in the notes.
        """
        return interval_of_rows(
            self, metric, options, level=level, method=method, rng=rng, replicates=replicates
        )

    def compare(
        self,
        other: Multiclass,
        metric: str | Callable[[Multiclass], float] = "roc_auc",
        *,
        level: float = 0.95,
        margin: float | None = None,
        rng: np.random.Generator | int | None = None,
        replicates: int = 2000,
        **options: Any,
    ) -> Comparison:
        """Compare with another model of the same rows: this minus the other, on the same resamples.

        Options as in `interval` and in `curvewise.compare`. A comparison on rows that a model was fitted on
        is not valid.
        """
        return compare_on_rows(
            self, other, metric, options, level=level, margin=margin, rng=rng, replicates=replicates
        )

    def table(self, average: Average = "macro") -> Table:
        """Return every metric with its meaning, or why it is undefined."""
        return overall(self, average)

    def per_class(self, level: float = 0.95) -> Table:
        """Return each class against the rest: counts, precision and recall (Wilson), F1, AUC (DeLong), AP.

        With clusters or fractional weights, rates have no interval here and AUC has Obuchowski's.
        """
        return by_class(self, level)

    def to_dict(self) -> dict[str, Any]:
        """Return classes, counts, macro metrics and notes, JSON-safe."""
        return {
            "classes": [json_safe(c) for c in self.classes],
            "n": self.n,
            "dropped": self.dropped,
            "notes": list(self.notes),
            "matrix": self.matrix.counts.tolist(),
            "metrics": self.table().to_dict()["rows"],
            "per_class": self.per_class().to_dict()["rows"],
        }

    def __repr__(self) -> str:
        kind = "rows" if self.weight is None or self.weight.dtype.kind == "i" else "weight"
        never = int(np.count_nonzero(~self.occurs))
        absent = f", {never} never occurring" if never else ""
        how = "scores" if self.ready is not None else "predicted labels"
        return f"Multiclass({show(self.n)} {kind}, {len(self.classes)} classes{absent}; {how})"

    def __str__(self) -> str:
        return "\n".join([str(self.table()), *(f"note: {note}" for note in self.notes)])

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()


def multiclass(
    y: object,
    proba: object = None,
    *,
    predicted: object = None,
    classes: object = None,
    weight: object = None,
    cluster: object = None,
    missing: Missing = "raise",
) -> Multiclass:
    """Read labels of many classes with a score for each class, or with predicted labels.

    Parameters
    ----------
    y
        Labels: text or numbers, of two classes or more.
    proba
        One column of probabilities (or of any scores) a class: a frame whose columns are named as the
        classes, a dict from class to column, or an (n, K) array.
    predicted
        Predicted labels, in place of ``proba``: what needs a ranking is then refused.
    classes
        The names of the columns of an array, in their order. Without it the labels 0 … K-1 are the columns
        of that number; else the sorted labels, as scikit-learn has them, if there are K (this is noted).
        Beside a frame or a dict it sets the order, which weighted κ needs.
    weight
        As in `curvewise.sweep`: whole weights mean repetition.
    cluster
        One label a row: resampling takes clusters whole.
    missing
        ``"raise"`` (default) or ``"drop"``: leave out rows with a missing value.

    Returns
    -------
    Multiclass

    Raises
    ------
    CurvewiseError
        If a label belongs to no column, or columns cannot be told apart.

    Notes
    -----
    A class that never occurs in y is left out of means over classes and named in ``notes``; it can still be
    predicted, and counts then as an error. Rows whose scores do not sum to 1 (within 0.001), or lie outside
    [0, 1], are noted; nothing is rescaled, and log loss, Brier loss and calibration are refused.

    Micro-averaged precision, recall and F1 all equal accuracy: each row is one class and gets one. Macro
    treats a rare class like a frequent one; choose it when rare classes matter.

    References
    ----------
    Hand & Till (2001) Machine Learning 45:171-186. Sokolova & Lapalme (2009) Information Processing &
    Management 45:427-437.

    Examples
    --------
    >>> import curvewise as cw
    >>> y = ["cat", "dog", "owl", "cat", "dog", "cat"]
    >>> p = {"cat": [0.7, 0.2, 0.1, 0.4, 0.3, 0.5], "dog": [0.2, 0.7, 0.3, 0.5, 0.4, 0.3],
    ...      "owl": [0.1, 0.1, 0.6, 0.1, 0.3, 0.2]}
    >>> m = cw.multiclass(y, p)
    >>> m
    Multiclass(6 rows, 3 classes; scores)
    >>> round(m.accuracy, 4), m.f_beta(average="micro") == m.accuracy, round(m.roc_auc(), 4)
    (0.8333, True, 0.9583)
    >>> m.matrix
    Rows by true class and what they were taken as
    <BLANKLINE>
    class  as cat  as dog  as owl
    ─────  ──────  ──────  ──────
    cat         2       1       0
    dog         0       2       0
    owl         0       0       1
    """
    if (proba is None) == (predicted is None):
        raise CurvewiseError("proba, predicted: expected one of them, the scores of all classes or labels.")
    if predicted is not None:
        rows = read_predicted(y, predicted, classes, weight, cluster, missing)
    else:
        rows = read_scores(y, proba, classes, weight, cluster, missing)
    return Multiclass(
        rows.classes,
        rows.truth,
        rows.predicted,
        np.bincount(rows.truth, minlength=len(rows.classes)) > 0,
        rows.weight,
        rows.cluster,
        rows.dropped,
        rows.notes,
        rows.ordered,
        rows.trouble,
        rows.backend,
        None if rows.scores is None else Prepared(rows.scores, rows.truth),
    )
