"""Several labels a row: each label, all labels together, and each row's own ranking."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from curvewise.core.sweep import Sweep, sweep_of
from curvewise.core.threads import in_threads
from curvewise.errors import CurvewiseError, UndefinedMetricError
from curvewise.many_classes.averages import over_classes, over_rows
from curvewise.many_classes.flagged import Flagged
from curvewise.many_classes.label_tables import by_label, overall
from curvewise.many_classes.ranks import Ranks, ranks
from curvewise.many_classes.reading_labels import read_label_columns
from curvewise.many_classes.row_ranking import RowRanking, rank_rows
from curvewise.metric.average_precision import average_precision
from curvewise.metric.roc_auc import roc_auc
from curvewise.results.numbers import json_safe, show
from curvewise.rows.checks import one_of, threshold_for
from curvewise.rows.columns import shown
from curvewise.rows.reading import Rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from curvewise.results.result import Table
    from curvewise.rows.reading import Missing

LabelAverage = Literal["macro", "weighted", "micro", "samples"]
AVERAGES = ("macro", "weighted", "micro", "samples")


@dataclass(frozen=True, eq=False, repr=False)
class Multilabel:
    """Rows that have any number of labels, read once by `curvewise.multilabel`.

    ``average`` is ``"macro"`` (every label alike), ``"weighted"`` (by its rows), ``"micro"`` (all pairs of a
    row and a label together) or ``"samples"`` (each row's own labels, then the mean over rows). A label is
    flagged where its score ≥ ``threshold``.

    Attributes
    ----------
    labels
        The labels, in the order of the columns.
    truth, scores
        One row a label, one column a row.
    weight, dropped
        As given, or None; how many rows with a missing value were left out.
    notes
        Labels without a positive or a negative row, rows without a label: what means leave out.
    """

    labels: tuple[Any, ...]
    truth: NDArray[np.bool_]
    scores: NDArray[Any]
    weight: NDArray[Any] | None = None
    dropped: int = 0
    notes: tuple[str, ...] = ()
    backend: str | None = None

    @property
    def n(self) -> float:
        """All rows, or all weight."""
        total: float = self.truth.shape[1] if self.weight is None else self.weight.sum().item()
        return total

    @cached_property
    def _columns(self) -> list[Ranks]:
        return in_threads(ranks, list(self.scores), self.truth.shape[1])

    @cached_property
    def _rows(self) -> RowRanking:
        return rank_rows(self.truth, self.scores)

    def sweep(self, label: object) -> Sweep:
        """Return the `Sweep` of one label."""
        if label not in self.labels:
            listed = ", ".join(map(shown, self.labels[:8]))
            raise CurvewiseError(f"label: expected one of {listed}, got {shown(label)}.")
        return self._sweep(self.labels.index(label))

    def _sweep(self, k: int) -> Sweep:
        column = self._columns[k]
        return column.sweep(self.truth[k][column.order], self.weight, self.backend)

    def at(self, threshold: float) -> Flagged:
        """Return which labels are flagged at a threshold, with the counts of each."""
        cut = threshold_for(self.scores.dtype, threshold, falling=True)
        return Flagged(self.labels, self.truth, self.scores >= cut, self.weight)

    def roc_auc(self, average: LabelAverage = "macro") -> float:
        """Return the area under the ROC curve, over labels that have positive and negative rows."""
        one_of("average", average, AVERAGES)
        if average == "samples":
            return self._over_rows("roc_auc", self._rows.area)
        there = np.asarray(self.truth.any(axis=1) & ~self.truth.all(axis=1))
        return self._averaged("roc_auc", average, roc_auc, there)

    def average_precision(self, average: LabelAverage = "macro") -> float:
        """Return the average precision, over labels that have positive rows."""
        one_of("average", average, AVERAGES)
        if average == "samples":
            return self.label_ranking_ap()
        there = np.asarray(self.truth.any(axis=1))
        return self._averaged("average_precision", average, average_precision, there)

    @property
    def mean_ap(self) -> float:
        """Mean average precision (mAP): the macro mean over labels."""
        return self.average_precision()

    def _averaged(
        self, name: str, average: str, read: Callable[[Sweep], float], there: NDArray[np.bool_]
    ) -> float:
        if average == "micro":
            weight = None if self.weight is None else np.tile(self.weight, len(self.labels))
            flat = Rows(self.scores.reshape(-1), self.truth.reshape(-1), weight, 0, None, "positive", None)
            return read(sweep_of(flat))

        def values_of(members: list[int]) -> list[float]:
            return in_threads(lambda k: read(self._sweep(k)), members, self.truth.shape[1])

        self._columns  # noqa: B018 - sorted once here, not by every thread
        rows = np.ones(self.truth.shape[1]) if self.weight is None else self.weight
        return over_classes(
            average, f"The {average} {name}", values_of, np.flatnonzero(there), self.truth @ rows
        )

    def _over_rows(self, name: str, values: NDArray[np.float64]) -> float:
        """Return the mean over the rows that define a value."""
        there = ~np.isnan(values)
        if not there.any():
            raise UndefinedMetricError(f"{name} is undefined: no row has a true label (and a false one).")
        return over_rows(values[there], None if self.weight is None else self.weight[there])

    def label_ranking_ap(self) -> float:
        """Return the mean over rows of the average precision with which a row ranks its own labels.

        Rows without a true label are left out (scikit-learn counts them as 1). Ties are one block.
        """
        return self._over_rows("label_ranking_ap", self._rows.precision)

    def ranking_loss(self) -> float:
        """Return the mean over rows of the share of (true, false) pairs of labels in the wrong order.

        A tie is wrong, as in scikit-learn; 1 - ``roc_auc("samples")`` counts it half. Rows without a true or
        without a false label are left out (scikit-learn counts them as 0).
        """
        return self._over_rows("ranking_loss", self._rows.misordered)

    def coverage_error(self) -> float:
        """Return how many labels must be taken, best score first, to have all true ones: the mean over rows.

        At best the mean number of true labels. A row without any needs 0.
        """
        return over_rows(self._rows.depth, self.weight)

    def hamming_loss(self, threshold: float = 0.5) -> float:
        """Return the share of pairs of a row and a label that are wrong."""
        return over_rows(self.at(threshold).wrong() / len(self.labels), self.weight)

    def subset_accuracy(self, threshold: float = 0.5) -> float:
        """Return the share of rows whose labels are all right."""
        return over_rows(self.at(threshold).wrong() == 0, self.weight)

    def precision(
        self, average: LabelAverage = "macro", threshold: float = 0.5, zero: float = math.nan
    ) -> float:
        """Return how often a flagged label is true; ``zero`` says what 0/0 (nothing flagged) is worth."""
        one_of("average", average, AVERAGES)
        return self.at(threshold).averaged("precision", lambda c: c.precision, average, zero)

    def recall(self, average: LabelAverage = "macro", threshold: float = 0.5) -> float:
        """Return how much of what is true is flagged."""
        one_of("average", average, AVERAGES)
        return self.at(threshold).averaged("recall", lambda c: c.recall, average, math.nan)

    def f_beta(
        self,
        beta: float = 1,
        average: LabelAverage = "macro",
        threshold: float = 0.5,
        zero: float = math.nan,
    ) -> float:
        """Return F_β; ``zero`` says what 0/0 is worth (over rows: neither true nor flagged)."""
        one_of("average", average, AVERAGES)
        return self.at(threshold).averaged(f"F{beta:g}", lambda c: c.f_beta(beta), average, zero)

    def table(self, average: LabelAverage = "macro", threshold: float = 0.5) -> Table:
        """Return every metric with its meaning, or why it is undefined."""
        one_of("average", average, AVERAGES)
        return overall(self, average, threshold)

    def per_label(self, threshold: float = 0.5) -> Table:
        """Return each label's counts, rates at the threshold, AUC and average precision."""
        return by_label(self, threshold)

    def to_dict(self) -> dict[str, Any]:
        """Return labels, metrics and notes, JSON-safe."""
        return {
            "labels": [json_safe(c) for c in self.labels],
            "n": self.n,
            "dropped": self.dropped,
            "notes": list(self.notes),
            "metrics": self.table().to_dict()["rows"],
            "per_label": self.per_label().to_dict()["rows"],
        }

    def __repr__(self) -> str:
        kind = "rows" if self.weight is None or self.weight.dtype.kind == "i" else "weight"
        mean = self.truth.sum() / self.truth.shape[1]
        return f"Multilabel({show(self.n)} {kind}, {len(self.labels)} labels; {mean:.3g} a row)"

    def __str__(self) -> str:
        return "\n".join([str(self.table()), *(f"note: {note}" for note in self.notes)])

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()


def multilabel(
    Y: object,  # noqa: N803 - the field writes a table of labels so
    S: object,  # noqa: N803
    *,
    labels: object = None,
    weight: object = None,
    missing: Missing = "raise",
) -> Multilabel:
    """Read rows that have any number of labels, with a score for each label.

    Parameters
    ----------
    Y
        One column a label, 1 where the row has it: an (n, L) array, a frame, or a dict of columns.
    S
        Scores of the same shape. Where both are named, columns go together by name.
    labels
        The names of the columns of arrays; 0 … L-1 without it.
    weight
        One weight a row, as in `curvewise.sweep`.
    missing
        ``"raise"`` (default) or ``"drop"``: leave out rows with a missing value.

    Returns
    -------
    Multilabel

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
    >>> m.notes
    ('label 1 has no positive row: left out of means over labels',)
    """
    read = read_label_columns(Y, S, labels, weight, missing)
    return Multilabel(**read)
