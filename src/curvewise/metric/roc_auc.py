"""The area under the ROC curve: the chance that a positive outranks a negative."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from curvewise.core import kernel
from curvewise.core.sweep import Sweep, sweep_of
from curvewise.metric import AREA
from curvewise.metric.bounds import outward
from curvewise.metric.registry import metric, read
from curvewise.metric.smooth_area import Smooth
from curvewise.rows.reading import as_rows, refuse_beside

if TYPE_CHECKING:
    from curvewise.rows.rows import RowOptions

ROC: dict[str, Any] = {
    "chance": 0.5,
    "perfect": 1.0,
    "prevalence": False,
    "interval": "delong",
    "trials": "pairs",
    "place": 0,
}
HANLEY = "Hanley & McNeil (1982) Radiology 143:29-36"
DELONG = "DeLong, DeLong & Clarke-Pearson (1988) Biometrics 44:837-845"  # the interval


def _influence(sweep: Sweep) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return what one more positive, or negative, of each score adds to the area: its placement less the area."""
    p, n = sweep.positives, sweep.known_negatives("The area under the ROC curve")
    outranks = (n - sweep.fp + sweep.block_negatives / 2) / n
    outranked = (sweep.tp - sweep.block_positives / 2) / p
    area = auc_of(sweep)
    return (outranks - area) / p, (outranked - area) / n


def _within(sweep: Sweep) -> tuple[float, float]:
    """Return the least and the greatest area over bins: within a bin negatives, or positives, first."""
    bins, negatives = sweep.bins, sweep.known_negatives("The area under the ROC curve")
    if bins is None:
        return auc_of(sweep), auc_of(sweep)
    pairs = 2 * sweep.positives * negatives
    wins = kernel.doubled_area(sweep.tp, sweep.fp)
    whole = sweep.tp.dtype.kind == "i"
    positives = sweep.block_positives.astype(object) if whole else sweep.block_positives  # integers do not overflow
    inside = positives * sweep.block_negatives
    if bins.wins is not None:  # a tie counted half of all pairs of the bin
        wins += (bins.wins.astype(object) - inside).sum()
        return wins / pairs, wins / pairs
    unsure = inside[bins.mixed].sum()
    ends = (wins - unsure) / pairs, (wins + unsure) / pairs
    return ends if whole else outward(*ends)


def _of_counts(pos: NDArray[Any], neg: NDArray[Any]) -> float | None:
    """Return the area from counts per block, for resampling; None where the integers would not fit."""
    pairs = 2 * pos.sum().item() * neg.sum().item()
    if not 0 < pairs < 2**63:  # mutants: never 1, work
        return None
    wins = np.cumsum(pos)
    wins *= 2
    wins -= pos
    wins *= neg
    return float(wins.sum() / pairs)


@metric(
    "roc_auc",
    aliases=("auc", "auroc", "auc_roc", "c_statistic"),
    **AREA,
    **ROC,
    influence=_influence,
    within=_within,
    of_counts=_of_counts,
    reference=f"{HANLEY}; {DELONG}",
    formula="P(S⁺ > S⁻) + P(S⁺ = S⁻)/2 = Σ n_k·(TP_(k-1) + p_k/2)/(P·N)",
)
def auc_of(sweep: Sweep) -> float:
    """Return the area under the ROC curve of a sweep."""
    sweep.need_both_classes("The area under the ROC curve")
    negatives = sweep.known_negatives("The area under the ROC curve")
    return kernel.doubled_area(sweep.tp, sweep.fp) / (2 * sweep.positives * negatives)


def roc_auc(y: object, score: object = None, **rows: Unpack[RowOptions]) -> float:
    """Return the area under the ROC curve.

    Parameters
    ----------
    y, score
        A `Sweep` or a smooth curve (`AnalyticRoc`, `BinormalRoc`) alone, or labels and scores with the
        options of `curvewise.sweep`.

    Notes
    -----
    Exact: an integer count of pairs, divided once. Undefined if a class is absent.

    AUC = P(S⁺ > S⁻) + ½ P(S⁺ = S⁻) = the area under the trapezoids = the mid-rank (Mann-Whitney)
    formula. 0.5 is chance. It weighs all false positive rates alike: where only low ones matter, see
    `curvewise.partial_roc_auc`. A score that ranks the wrong way round has an AUC below 0.5 and is
    not flipped: see ``higher_is``.

    References
    ----------
    Hanley & McNeil (1982) Radiology 143:29-36.

    Examples
    --------
    >>> import curvewise as cw
    >>> cw.roc_auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.75
    >>> cw.roc_auc([0, 1, 0, 1], [7, 7, 7, 7])
    0.5
    """
    if type(y) is not np.ndarray and isinstance(y, Sweep | Smooth):  # a look at all that a protocol asks for is slow
        refuse_beside("A Sweep was" if isinstance(y, Sweep) else "A curve was", score, rows)
        return read("roc_auc", y.near_one) if isinstance(y, Sweep) else y.auc
    table = as_rows(y, score, rows)
    falling = table.higher_is == "positive"
    positives = int(np.count_nonzero(table.positive))
    negatives = len(table) - positives
    if not positives or not negatives:
        return auc_of(sweep_of(table))
    if table.weight is not None:
        p, n, won = kernel.weighted_wins(table.score, table.positive, table.weight, falling=falling)
        pairs: float = 2 * p * n
        return won / pairs if pairs else auc_of(sweep_of(table))
    wins = kernel.doubled_wins(table.score, table.positive, falling=falling)
    return wins / (2 * positives * negatives)
