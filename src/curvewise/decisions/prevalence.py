"""What an alarm, and its absence, are worth where positives are rarer or more common."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from curvewise.core.confusion import Confusion
from curvewise.core.rate import rate_interval
from curvewise.core.sweep import as_sweep
from curvewise.decisions.cuts import confusion_of
from curvewise.errors import CurvewiseError, UndefinedMetricError
from curvewise.results.numbers import show
from curvewise.results.result import Table
from curvewise.rows.checks import real

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curvewise.rows.reading import RowOptions

    Ends = tuple[float | None, float | None]


@dataclass(frozen=True)
class Predictive:
    """PPV and NPV at a prevalence, with intervals where counts are whole."""

    ppv: float
    ppv_ends: Ends
    npv: float
    npv_ends: Ends
    flagged: float


def ppv_npv(
    y: object,
    score: object = None,
    threshold: float | None = None,
    *,
    prevalence: Sequence[float],
    level: float = 0.95,
    **rows: Unpack[RowOptions],
) -> Table:
    """Return the predictive values of a threshold over a range of prevalences.

    Parameters
    ----------
    y, score
        A `Confusion` alone, a `Sweep` (then name ``threshold=``), or labels and scores with the options of
        `curvewise.sweep`.
    threshold
        Positive means score ≥ threshold.
    prevalence
        Shares of positives, strictly between 0 and 1, a row of the table each.
    level
        The confidence level of the intervals.

    Returns
    -------
    Table
        ``prevalence``, ``ppv``, ``npv``, each with its interval, and ``flagged``, the share of rows flagged.

    Notes
    -----
    PPV = π·TPR/(π·TPR + (1−π)·FPR), NPV = (1−π)·TNR/((1−π)·TNR + π·FNR), with the TPR and FPR of the rows
    given: positives and negatives are taken to score alike everywhere, only their numbers differ. The
    intervals are those of the likelihood ratios TPR/FPR and TNR/FNR, made of the Wilson intervals of
    both rates; the prevalence counts as known.

    References
    ----------
    Mercaldo, Lau & Zhou (2007) Statistics in Medicine 26:2170-2183. Donner & Zou (2012) Statistical Methods
    in Medical Research 21:347-359 (the interval of a ratio).

    Examples
    --------
    >>> import curvewise as cw
    >>> c = cw.Confusion(tp=90, fp=50, fn=10, tn=950)
    >>> cw.ppv_npv(c, prevalence=[0.001, 0.01, 0.1])
    Predictive values where TPR is 0.9000 and FPR 0.0500 (95 % intervals)
    <BLANKLINE>
    prevalence     ppv  ppv_low  ppv_high     npv  npv_low  npv_high  flagged
    ──────────  ──────  ───────  ────────  ──────  ───────  ────────  ───────
        0.0010  0.0177   0.0134    0.0232  0.9999   0.9998    0.9999   0.0508
        0.0100  0.1538   0.1206    0.1931  0.9989   0.9981    0.9994   0.0585
        0.1000  0.6667   0.6015    0.7247  0.9884   0.9800    0.9936   0.1350
    """
    level = real("level", level, 0, 1, closed=False)
    given = np.atleast_1d(np.asarray(prevalence, dtype=object)).tolist()
    shares = [real("prevalence", share, 0, 1, closed=False) for share in given]
    if not shares:
        raise CurvewiseError("prevalence: expected at least one share of positives, got none.")
    c, counted = _confusion(y, score, threshold, rows)
    found = [predictive(c, share, level) for share in shares]
    columns: dict[str, list[Any]] = {"prevalence": shares}
    for name in ("ppv", "npv"):
        ends = [getattr(v, f"{name}_ends") for v in found]
        columns[name] = [getattr(v, name) for v in found]
        for k, end in enumerate(("low", "high")):
            columns[f"{name}_{end}"] = [e[k] if counted else None for e in ends]
    columns["flagged"] = [v.flagged for v in found]
    how = f"{100 * level:.4g} % intervals" if counted else "fractional weights: no intervals"
    empty = {"PPV": (c.tp + c.fp, "no row is flagged"), "NPV": (c.tn + c.fn, "every row is flagged")}
    why = "".join(f"; {name} is undefined: {words}" for name, (total, words) in empty.items() if not total)
    title = f"Predictive values where TPR is {show(c.recall)} and FPR {show(c.fpr)} ({how}){why}"
    return Table(title, columns)


def predictive(c: Confusion, prevalence: float, level: float) -> Predictive:
    """Return PPV and NPV of a table's TPR and FPR at another prevalence."""
    moved = confusion_of(c.tp, c.fp, c.positives, c.negatives, prevalence=prevalence)
    odds = prevalence / (1 - prevalence)
    ppv_ends: Ends = (None, None)
    npv_ends: Ends = (None, None)
    if _counted(c):
        hits, false = (c.tp, c.positives), (c.fp, c.negatives)
        misses, passes = (c.fn, c.positives), (c.tn, c.negatives)
        ppv_ends = _as_shares(_ratio_ends(hits, false, level), odds) if c.tp + c.fp else ppv_ends
        npv_ends = _as_shares(_ratio_ends(passes, misses, level), 1 / odds) if c.tn + c.fn else npv_ends
    return Predictive(moved.precision, ppv_ends, moved.npv, npv_ends, moved.predicted_rate)


def _confusion(y: object, score: object, threshold: float | None, rows: RowOptions) -> tuple[Confusion, bool]:
    """Return the table at the threshold, and whether its rows count alike."""
    if isinstance(y, Confusion):
        if score is not None or threshold is not None or rows:
            raise CurvewiseError("A Confusion was given, so the threshold is already chosen: pass it alone.")
        c, counted = y, _counted(y)
    elif threshold is None:
        raise CurvewiseError("threshold: say where the scores are cut.")
    else:
        sweep = as_sweep(y, score, rows)
        # sums of fractional weights may be whole by chance
        c, counted = sweep.at(threshold), sweep.tp.dtype.kind == "i"
    if not (c.positives and c.negatives):
        absent = "positive" if not c.positives else "negative"
        raise UndefinedMetricError(f"Predictive values need both classes: no row is {absent}.")
    return c, counted


def _counted(c: Confusion) -> bool:
    return all(isinstance(k, int) for k in (c.tp, c.fp, c.fn, c.tn))


def _ratio_ends(above: tuple[float, float], below: tuple[float, float], level: float) -> tuple[float, float]:
    """Return the interval of the ratio of two independent rates (Donner and Zou's MOVER-R)."""
    (low1, high1), (low2, high2) = (rate_interval(*k, level=level) for k in (above, below))
    r1, r2 = above[0] / above[1], below[0] / below[1]
    inverse = _lower(r2, low2, r1, high1)
    return _lower(r1, low1, r2, high2), (1 / inverse if inverse else math.inf)


def _lower(r1: float, low1: float, r2: float, high2: float) -> float:
    """Solve for the lower end, in the form that does not divide by a difference of equals."""
    top = low1 * (2 * r1 - low1)
    root = math.sqrt(max((r1 * r2) ** 2 - top * high2 * (2 * r2 - high2), 0.0))
    return top / (r1 * r2 + root) if top > 0 else 0.0


def _as_shares(ratio: tuple[float, float], odds: float) -> tuple[float, float]:
    low, high = (1.0 if math.isinf(r) else r * odds / (1 + r * odds) for r in ratio)
    return low, high
