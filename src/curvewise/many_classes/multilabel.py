"""Several labels per row: each label, all labels together, and each row's own ranking."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Unpack, cast

import numpy as np
from numpy.typing import NDArray

from curvewise.errors import CurvewiseError, UndefinedMetricError
from curvewise.many_classes.class_metrics import LABEL_AVERAGES, LABEL_TABLE, of_all_classes, over_rows
from curvewise.many_classes.class_rows import ClassRows
from curvewise.many_classes.class_summary import each_of
from curvewise.many_classes.label_flags import LabelFlags, LabelScores, with_needs
from curvewise.many_classes.reading_classes import read_labels
from curvewise.results.numbers import show
from curvewise.rows.checks import as_float, threshold_for
from curvewise.rows.columns import shown

if TYPE_CHECKING:
    from curvewise.many_classes.mean_curves import MeanRocCurve
    from curvewise.metric.registry import Bound
    from curvewise.results.result import Table
    from curvewise.rows.rows import RowOptions

LabelAverage = Literal["macro", "weighted", "micro", "samples"]
FLAGGED = 0.5  # from which score on tables flag a label


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Multilabel(ClassRows, schema="multilabel"):
    """Rows that have any number of labels, read once by `curvewise.multilabel`.

    ``average`` is ``"macro"`` (every label alike), ``"weighted"`` (by its rows), ``"micro"`` (all pairs of a
    row and a label together) or ``"samples"`` (each row's own labels, then the mean over rows). A label is
    flagged where its score ≥ ``threshold``.

    Attributes
    ----------
    labels, truth
        The labels, in the order of the columns, and one line per label, one column per row.
    weight, weight_kind, cluster, dropped, round_to
        As given, or None; how many rows with a missing value were left out.
    notes, ready
        Labels without a positive or a negative row, rows without a label: what means leave out. The scores.
    """

    named, noun, shown_metrics = "labels", "label", LABEL_TABLE
    averages: ClassVar[tuple[str, ...]] = LABEL_AVERAGES

    labels: tuple[Any, ...]

    @property
    def scores(self) -> NDArray[Any]:
        """One line of scores per label."""
        return self.need_scores("A score").scores

    @property
    def support(self) -> NDArray[np.float64]:
        """The rows, or the weight, that have each label."""
        rows = np.ones(len(self)) if self._short_weight is None else self._short_weight
        return self._label_scores.with_label(rows).astype(np.float64)

    @property
    def _label_scores(self) -> LabelScores:
        return cast("LabelScores", self.need_scores("A label"))

    def members(self, needs: Sequence[str], what: str) -> NDArray[np.intp]:  # noqa: ARG002 - the base's
        """Return the labels that have the rows that a metric needs."""
        return np.flatnonzero(with_needs(self.truth, needs))

    @property
    def _rows_ranked(self) -> Any:
        return self._label_scores.row_ranking

    def at(self, threshold: float = 0.5) -> LabelFlags:
        """Return which labels are flagged at a threshold, with the counts of each."""
        flags, sums = self._label_scores.flagged(threshold_for(self.scores.dtype, threshold, falling=True))
        return LabelFlags(self.labels, threshold, self.truth, flags, self._short_weight, self.backend, sums)

    def _flags(self, threshold: float | None) -> LabelFlags:
        return self.at(0.5 if threshold is None else threshold)

    def average_sweeps(self, target: Bound, average: str) -> float:
        """Return the mean over labels, or over rows where a row ranks its own labels."""
        if average != "samples":
            return super().average_sweeps(target, average)
        if target.name == "roc_auc":
            return self._over_rows("roc_auc", self._rows_ranked.area)
        if target.name == "average_precision":
            return self.label_ranking_ap()
        raise CurvewiseError(
            f"average='samples' is for metrics at a threshold, roc_auc and average_precision, not {target.name}."
        )

    def roc_auc(self, average: LabelAverage = "macro") -> float:
        """Return the area under the ROC curve, over labels that have positive and negative rows."""
        return self.average("roc_auc", average)

    def average_precision(self, average: LabelAverage = "macro") -> float:
        """Return the average precision, over labels that have positive rows."""
        return self.average("average_precision", average)

    @property
    def mean_ap(self) -> float:
        """Mean average precision (mAP): the macro mean over labels."""
        return self.average_precision()

    def roc_curve(self) -> MeanRocCurve:
        """Return the mean ROC curve over labels that have positive and negative rows."""
        return self._mean_roc_curve()

    def _over_rows(self, name: str, values: NDArray[np.float64]) -> float:
        """Return the mean over the rows that define a value."""
        there = ~np.isnan(values)
        if not there.any() or (self.weight is not None and not self.weight[there].any()):
            raise UndefinedMetricError(f"{name} is undefined: no row has a true label (and a false one).")
        return over_rows(values[there], None if self.weight is None else self.weight[there])

    @of_all_classes(aliases=("lrap",))
    def label_ranking_ap(self) -> float:
        """Return the mean over rows of the average precision with which a row ranks its own labels.

        Rows without a true label are left out (scikit-learn counts them as 1). Ties are one block.
        """
        return self._over_rows("label_ranking_ap", self._rows_ranked.precision)

    @of_all_classes(better="lower")
    def ranking_loss(self) -> float:
        """Return the mean over rows of the share of (true, false) pairs of labels in the wrong order.

        A tie is wrong, as in scikit-learn; 1 - ``roc_auc("samples")`` counts it half. Rows without a true or
        without a false label are left out (scikit-learn counts them as 0).
        """
        return self._over_rows("ranking_loss", self._rows_ranked.misordered)

    @of_all_classes(better="lower", high=math.inf, interval="log")
    def coverage_error(self) -> float:
        """Return how many labels must be taken, best score first, to have all true ones: the mean over rows.

        At best the mean number of true labels. A row without any needs 0.
        """
        return over_rows(self._rows_ranked.depth, self.weight)

    @of_all_classes(better="lower")
    def hamming_loss(self, threshold: float = 0.5) -> float:
        """Return the share of pairs of a row and a label that are wrong."""
        return over_rows(self.at(threshold).wrong() / len(self.labels), self.weight)

    @of_all_classes(aliases=("exact_match",))
    def subset_accuracy(self, threshold: float = 0.5) -> float:
        """Return the share of rows whose labels are all right."""
        return over_rows(self.at(threshold).wrong() == 0, self.weight)

    def precision(self, average: LabelAverage = "macro", threshold: float = 0.5, zero: float = math.nan) -> float:
        """Return how often a flagged label is true; ``zero`` says what 0/0 (nothing flagged) is worth."""
        return self.average("precision", average, threshold=threshold, zero=zero)

    def recall(self, average: LabelAverage = "macro", threshold: float = 0.5) -> float:
        """Return how much of what is true is flagged."""
        return self.average("recall", average, threshold=threshold)

    @of_all_classes(aliases=("fbeta",))
    def f_beta(
        self, beta: float = 1, average: LabelAverage = "macro", threshold: float = 0.5, zero: float = math.nan
    ) -> float:
        """Return F_β; ``zero`` says what 0/0 is worth (over rows: neither true nor flagged)."""
        return self.at(threshold).average(lambda c: c.f_beta(beta), average, zero, f"F{shown(beta)}")

    def per_label(self, threshold: float = 0.5) -> Table:
        """Return each label's counts, rates at the threshold, AUC and average precision."""
        title = f"Each label, flagged at {show(as_float(threshold))} or more"
        lacks = ("no row is positive", "no row is negative", "no row is flagged")
        return each_of(self, self.at(threshold), title, "flagged", lacks)

    def each(self, *_: Any, **__: Any) -> Table:
        """Return each label, flagged where it is in all tables."""
        return self.per_label(FLAGGED)

    def _more_said(self) -> str:
        return f"; {self.truth.sum() / len(self):.3g} per row, flagged at {FLAGGED:g} or more"


def multilabel(
    Y: object,  # noqa: N803 - the field writes a table of labels so
    S: object,  # noqa: N803
    *,
    labels: object = None,
    **rows: Unpack[RowOptions],
) -> Multilabel:
    """Read rows that have any number of labels, with a score for each label.

    Parameters
    ----------
    Y
        One column per label, 1 where the row has it: an (n, L) array, a frame, or a dict of columns.
    S
        Scores of the same shape. Where both are named, columns go together by name.
    labels
        The names of the columns of arrays; 0 … L-1 without it.
    **rows
        ``weight``, ``weight_kind``, ``cluster``, ``missing`` and ``round_to`` as in `curvewise.sweep`, one
        value per row; ``positive`` and ``higher_is`` have no place here.

    Notes
    -----
    What the truth leaves undefined is left out of a mean and named in ``notes``: a label without positive
    rows (for AUC also without negative ones), a row without labels. What the flags leave undefined, as the
    precision 0/0 of a label that is never flagged, makes the mean undefined unless ``zero=`` says what it
    is worth.

    References
    ----------
    Tsoumakas, Katakis & Vlahavas (2010) Data Mining and Knowledge Discovery Handbook, 667-685.

    Examples
    --------
    >>> import curvewise as cw
    >>> Y = [[1, 0, 0], [0, 0, 1]]
    >>> S = [[0.75, 0.5, 1], [1, 0.2, 0.1]]
    >>> m = cw.multilabel(Y, S)
    >>> m.coverage_error(), round(m.label_ranking_ap(), 4), m.ranking_loss()
    (2.5, 0.4167, 0.75)
    >>> print(m.notes[0])
    no positive row: 1; not in label means
    """
    return Multilabel(**read_labels(Y, S, labels, rows))
