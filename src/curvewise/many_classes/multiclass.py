"""Many classes: one object, read once, that answers for each class and for all together."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Unpack

import numpy as np
from numpy.typing import NDArray

from curvewise.core.resampling import REPLICATES
from curvewise.curves.pr import PrCurve, pr_curve
from curvewise.curves.roc import RocCurve, roc_curve
from curvewise.errors import CurvewiseError, CurvewiseWarning, Note, UndefinedMetricError
from curvewise.many_classes.class_calibration import Binning, ClassCalibration, calibration_of
from curvewise.many_classes.class_groups import ClassGroups, beside, break_down, categories_of
from curvewise.many_classes.class_metrics import AVERAGES, CLASS_TABLE, Average, of_all_classes, over_rows
from curvewise.many_classes.class_rows import ClassRows, mean_name
from curvewise.many_classes.class_scores import ClassScores
from curvewise.many_classes.class_summary import each_of, resampled_rates
from curvewise.many_classes.confusion_matrix import ConfusionMatrix, KappaWeights, class_names
from curvewise.many_classes.mean_curves import MeanPrCurve, MeanRocCurve, mean_pr_curve
from curvewise.many_classes.reading_classes import read_predicted, read_scores
from curvewise.probabilities.reliability import Reliability, reliability
from curvewise.results.numbers import percent
from curvewise.results.result import Table
from curvewise.rows.checks import one_of, real, whole
from curvewise.rows.columns import shown
from curvewise.rows.seeds import random_stream

if TYPE_CHECKING:
    from curvewise.many_classes.class_rows import Seed
    from curvewise.rows.rows import RowOptions

Scheme = Literal["ovr", "ovo"]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Multiclass(ClassRows, schema="multiclass"):
    """Rows of many classes, read once by `curvewise.multiclass`; the constructor trusts its arguments.

    A mean over classes goes over those that occur in y: ``"macro"``, every class alike; ``"weighted"``, by
    its rows; ``"micro"``, all pairs of a row and a class together.

    Attributes
    ----------
    classes, occurs
        The classes, in the order of the columns, and which of them occur in y.
    truth, predicted
        The place of each row's true and predicted class in ``classes``. Predicted is the highest score; of
        equal ones, the first column.
    weight, weight_kind, cluster, dropped, round_to
        As given, or None; how many rows with a missing value were left out.
    groups, id
        Which group (by column) each row belongs to, and what the user calls it, where `curvewise.evaluate` read them.
    notes
        What a careful reader should know: classes that never occur, ties, rows that do not sum to 1.
    ordered, trouble, ready
        Whether the order of the classes means something; why the scores are no probabilities; the scores.
    """

    named, noun, shown_metrics = "classes", "class", CLASS_TABLE

    classes: tuple[Any, ...]
    predicted: NDArray[np.intp]
    occurs: NDArray[np.bool_]
    ordered: bool = True
    trouble: Note | None = None

    @property
    def support(self) -> NDArray[np.float64]:
        """The rows, or the weight, of each true class."""
        return self.matrix.support

    def members(self, needs: Sequence[str], what: str) -> NDArray[np.intp]:
        """Return the classes that occur, of which there must be two where a class needs a rest."""
        if "negatives" in needs and np.count_nonzero(self.occurs) < 2:
            only = shown(self.classes[int(np.argmax(self.occurs))])
            raise UndefinedMetricError(f"{what} needs two classes that occur in y; only {only} does.")
        return np.flatnonzero(self.occurs)

    def need_probabilities(self, what: str) -> ClassScores:
        """Return the scores where they are probabilities, or say why they are not."""
        ready = self.need_scores(what)
        if self.trouble is not None:
            where = self.trouble.values["row"]
            message = "{what} needs probabilities: {why}."
            raise CurvewiseError(message, what=what, why=self.trouble, where=where)
        return ready

    @cached_property
    def matrix(self) -> ConfusionMatrix:
        """The confusion matrix: one row per true class, one column per predicted class."""
        k = len(self.classes)
        counts = np.bincount(self.truth * k + self.predicted, self.weight, k * k).reshape(k, k)
        if self.weight is None or self.weight.dtype.kind == "i":
            counts = counts.astype(np.int64)  # whole counts stay whole
        return ConfusionMatrix(self.classes, counts, self.occurs, self.backend)

    def take(self, places: NDArray[np.intp]) -> Multiclass:
        """Return some of the rows by their places; means go over the classes that occur among them."""

        def some(values: NDArray[Any] | None) -> NDArray[Any] | None:
            return None if values is None else values[places]

        truth, cluster = self.truth[places], some(self.cluster)
        return replace(
            self,
            truth=truth,
            predicted=self.predicted[places],
            occurs=np.bincount(truth, minlength=len(self.classes)) > 0,
            weight=some(self.weight),
            # numbered anew: those that are not there cannot be drawn
            cluster=None if cluster is None else np.unique(cluster, return_inverse=True)[1],
            stratum=some(self.stratum),
            groups={name: category.take(places) for name, category in self.groups.items()},
            id=some(self.id),
            kept=places if self.kept is None else self.kept[places],
            ready=None if self.ready is None else ClassScores(self.ready.scores[:, places], truth),
        )

    def by_group(
        self,
        group: object = None,
        *,
        metrics: Sequence[str] | None = None,
        level: float = 0.95,
        rng: Seed = 0,
        replicates: int = REPLICATES,
    ) -> ClassGroups:
        """Break numbers of all classes down by group, and say how far apart the groups are.

        ``group`` is a column of names, or several by name, one name per row that was read; None takes those that the
        rows hold. ``metrics`` are as in
        `interval`, by default accuracy, balanced accuracy and, with scores, the macro AUC; all options as there.
        """
        if isinstance(rng, np.random.Generator) or rng is None:
            rng = int(random_stream(rng).integers(2**62))  # all rows and all groups from the same draws
        return break_down(self, categories_of(self, group), metrics, level, rng, replicates)

    def _flags(self, threshold: float | None) -> ConfusionMatrix | None:
        return self.matrix if threshold is None else None

    @property
    @of_all_classes(family="threshold")
    def accuracy(self) -> float:
        """The share of rows predicted correctly; the micro average of precision, recall and F1."""
        return self.matrix.accuracy

    @property
    @of_all_classes(family="threshold")
    def balanced_accuracy(self) -> float:
        """The mean recall over the classes that occur."""
        return self.matrix.balanced_accuracy

    @property
    @of_all_classes(low=-1.0, family="threshold")
    def mcc(self) -> float:
        """Matthews' correlation for many classes (Gorodkin's R_K)."""
        return self.matrix.mcc

    @of_all_classes(low=-1.0, family="threshold")
    def kappa(self, weights: KappaWeights = None) -> float:
        """Return Cohen's κ, in which a confusion costs 1, the distance of the classes, or its square.

        The last two take the order of ``classes`` for real.
        """
        if weights is not None and not self.ordered:
            raise CurvewiseError(
                f"weights={shown(weights)} needs the order of the classes, and sorted text is none: "
                "pass classes=, from the lowest to the highest."
            )
        return self.matrix.kappa(weights)

    def precision(self, average: Average = "macro", zero: float = math.nan) -> float:
        """Return how often a predicted class is right.

        A class that occurs and is never predicted has precision 0/0: the mean is then undefined, unless
        ``zero`` says what that is worth (0 or 1; scikit-learn takes 0).
        """
        return self.matrix.average("precision", average, zero)

    def recall(self, average: Average = "macro") -> float:
        """Return how much of each class is found."""
        return self.matrix.average("recall", average)

    @of_all_classes(aliases=("fbeta",), family="threshold")
    def f_beta(self, beta: float = 1, average: Average = "macro") -> float:
        """Return F_β: recall counts β times as much as precision."""
        return self.matrix.average(lambda c: c.f_beta(beta), average, name=f"F{beta:g}")

    @of_all_classes(trials="pairs")
    def roc_auc(self, average: Average = "macro", scheme: Scheme = "ovr") -> float:
        """Return the area under the ROC curve: each class against the rest, or against each other class.

        ``scheme="ovo"`` averages the areas of all pairs of classes (`hand_till`), weighted by the rows
        of the pair if asked; it has no micro average.
        """
        one_of("scheme", scheme, ("ovr", "ovo"))
        if scheme == "ovr":
            return self.average("roc_auc", average)
        one_of("average", average, AVERAGES)
        if average == "micro":
            raise CurvewiseError("average: scheme='ovo' has 'macro' and 'weighted', and no 'micro'.")
        ready, support = self.need_scores("The area under the ROC curve"), self.support
        return ready.one_against_one(support, self.occurs, self.weight, average)

    @of_all_classes(aliases=("m_measure", "hand_and_till"), trials="pairs")
    def hand_till(self) -> float:
        """Return Hand and Till's M: the mean area over all pairs of classes, each pair both ways.

        A(j|k) is how often a row of class j has a higher score of class j than a row of class k. M does not
        depend on how frequent the classes are. Hand & Till (2001) Machine Learning 45:171-186.
        """
        return self.roc_auc(scheme="ovo")

    def average_precision(self, average: Average = "macro") -> float:
        """Return the average precision of each class against the rest."""
        return self.average("average_precision", average)

    def roc_curve(self, average: Literal["macro", "micro"] = "macro") -> MeanRocCurve | RocCurve:
        """Return the mean ROC curve over classes, or the curve of all pairs of a row and a class."""
        one_of("average", average, ("macro", "micro"))
        if average == "macro":
            return self._mean_roc_curve()
        self.members(("positives", "negatives"), "A ROC curve")
        return roc_curve(self._pooled("A ROC curve"))

    def pr_curve(self, average: Literal["macro", "micro"] = "macro") -> MeanPrCurve | PrCurve:
        """Return the mean precision-recall curve over classes, or that of all pairs of a row and a class."""
        one_of("average", average, ("macro", "micro"))
        if average == "micro":
            return pr_curve(self._pooled("A precision-recall curve"))
        return mean_pr_curve([self.sweep_at(k) for k in np.flatnonzero(self.occurs).tolist()])

    def pr_curves(self) -> dict[str, PrCurve | MeanPrCurve]:
        """Return the precision-recall curve of each class that occurs, and their mean, as `roc_curves` does."""
        names = class_names(self.names)
        curves: dict[str, Any] = {names[k]: pr_curve(self.sweep_at(k)) for k in np.flatnonzero(self.occurs).tolist()}
        return {**curves, mean_name(curves): self.pr_curve()}

    def reliability_curves(self) -> dict[str, Reliability]:
        """Return how often each class came when its probability was p: smooth curves without bands.

        A class that never occurs, and one with too few rows for a curve, is left out.
        """
        self.need_probabilities("A reliability curve")
        names, curves = class_names(self.names), {}
        for k in np.flatnonzero(self.occurs).tolist():
            with suppress(UndefinedMetricError):
                curves[names[k]] = reliability(self.rows(self.names[k]), method="smooth", bands="none")
        return curves

    def mistakes(self, most: int = 10, id: object = None) -> Table:  # noqa: A002 - as everywhere
        """Return the rows that were taken for a wrong class with the highest scores, the surest first.

        ``id`` names the rows, one name per row that was read; without it they are counted from 0.
        """
        scores, rows = self.need_scores("A table of mistakes").scores, np.arange(len(self))
        taken, true = (scores[which, rows] for which in (self.predicted, self.truth))
        wrong = np.flatnonzero(self.predicted != self.truth)
        first = wrong[np.argsort(-taken[wrong], kind="stable")][: whole("most", most, 1)]
        called = rows if id is None else beside(self, id, "id").values
        names = class_names(self.names)
        columns: dict[str, list[Any]] = {
            "row": called[first].tolist(),
            "class": [names[k] for k in self.truth[first]],
            "taken_for": [names[k] for k in self.predicted[first]],
            "score_of_taken": taken[first].tolist(),
            "score_of_class": true[first].tolist(),
        }
        return Table("Mistakes, those with the highest score first", columns, self.backend)

    @of_all_classes(aliases=("top_k",))
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
            rows = int(np.count_nonzero(self.need_probabilities("Log loss").of_truth == 0))
            message = f"The log loss is infinite: {rows} of {len(self)} rows gave the true class no chance; "
            warnings.warn(message + "clip= would bound it.", CurvewiseWarning, stacklevel=2)
        return value

    @of_all_classes("log_loss", better="lower", high=math.inf, interval="log")
    def mean_log_loss(self, clip: float | None = None) -> float:
        """Return the log loss without a word about infinite ones: for tables and resampling."""
        p = self.need_probabilities("Log loss").of_truth
        if clip is not None:
            clip = real("clip", clip, 0, 0.5, closed=False)
            p = np.clip(p, clip, 1 - clip)
        with np.errstate(divide="ignore"):
            return over_rows(-np.log(p), self.weight)

    @of_all_classes(better="lower", high=2.0)
    def brier_loss(self) -> float:
        """Return the mean of Σ (p - y)² over classes: 0 to 2, of two classes twice `curvewise.brier_loss`."""
        return over_rows(self.need_probabilities("Brier loss").squared_errors, self.weight)

    def calibration(self, bins: int = 10, binning: Binning = "width", level: float = 0.95) -> ClassCalibration:
        """Judge each class's probabilities: O/E, slope and binned calibration error by class, and a verdict.

        Intervals hold at ``level`` for all classes together (Bonferroni); ``ece`` is the mean over classes.
        """
        return calibration_of(self, "classwise", bins, binning, level)

    def top_label_calibration(
        self, bins: int = 10, binning: Binning = "width", level: float = 0.95
    ) -> ClassCalibration:
        """Judge the probability of the predicted class: chosen with 0.8, it should be right 8 times in 10."""
        return calibration_of(self, "top label", bins, binning, level)

    def per_class(
        self, level: float = 0.95, rng: Seed = 0, replicates: int = REPLICATES, *, intervals: bool = True
    ) -> Table:
        """Return each class against the rest: counts, precision and recall, F1, AUC and AP.

        Rates have Wilson intervals and AUC has DeLong's. With clusters or sampling weights, rates are
        resampled and AUC has Obuchowski's interval; ``intervals=False`` leaves out what must be resampled.
        """
        level = real("level", level, 0, 1, closed=False)
        resampled = {} if self.is_plain or not intervals else resampled_rates(self, level, rng, replicates)
        title = f"Each class against the rest ({percent(level)} intervals)"
        lacks = ("no row is of this class", None, "no row is predicted so")
        return each_of(self, self.matrix, title, "predicted", lacks, level, resampled)

    each = per_class

    def _more_said(self) -> str:
        never = int(np.count_nonzero(~self.occurs))
        absent = f", {never} never occurring" if never else ""
        return f"{absent}; {'scores' if self.ready is not None else 'predicted labels'}"


def multiclass(
    y: object,
    proba: object = None,
    *,
    predicted: object = None,
    classes: object = None,
    **rows: Unpack[RowOptions],
) -> Multiclass:
    """Read labels of many classes with a score for each class, or with predicted labels.

    Parameters
    ----------
    y
        Labels: text or numbers, of two classes or more.
    proba
        One column of probabilities (or of any scores) per class: a frame whose columns are named as the
        classes, a dict from class to column, or an (n, K) array.
    predicted
        Predicted labels, in place of ``proba``: what needs a ranking is then refused.
    classes
        The names of the columns of an array, in their order. Without it the labels 0 … K-1 are the columns
        of that number; else the sorted labels, as scikit-learn has them, if there are K (this is noted).
        Beside a frame or a dict it sets the order, which weighted κ needs.
    **rows
        ``weight``, ``weight_kind``, ``cluster``, ``missing`` and ``round_to`` as in `curvewise.sweep`. Every
        class is the positive one in turn and higher scores mean more of a class, so ``positive`` and
        ``higher_is`` have no place here.

    Raises
    ------
    CurvewiseError
        If a label belongs to no column, or columns cannot be distinguished.

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
    >>> round(m.accuracy, 4), m.f_beta(average="micro") == m.accuracy, round(m.roc_auc(), 4)
    (0.8333, True, 0.9583)
    >>> m.average("specificity"), round(m.average("ks"), 4)
    (0.9166666666666666, 0.9167)
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
        return Multiclass(**read_predicted(y, predicted, classes, rows))
    return Multiclass(**read_scores(y, proba, classes, rows))
