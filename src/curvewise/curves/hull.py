"""The convex hull of a ROC curve: the points that are best for some ratio of costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from curvewise.core import kernel
from curvewise.core.keys import slices
from curvewise.core.sweep import Sweep, as_sweep
from curvewise.curves.base import Curve, Floats, Places, Scores, from_zero, origin, thresholds_from_nothing
from curvewise.errors import CurvewiseError
from curvewise.results.numbers import show

if TYPE_CHECKING:
    from curvewise.rows.rows import RowOptions

ENOUGH_LEFT = 0.9  # a vectorised pass that keeps more than this hands over to the exact walk


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RocHull(Curve, schema="roc_hull"):
    """The vertices of the upper hull from (0, 0) to (1, 1), and the area below it.

    ``block`` gives the place of each vertex in the sweep (-1 for the start, where nothing is flagged);
    ``skipped`` the places of the blocks that are no vertex: for no costs are they the only best.
    """

    points = ("fpr", "tpr", "threshold")
    counts = ("block",)
    fpr: Floats
    tpr: Floats
    threshold: Scores
    block: Places
    skipped: Places
    auc: float

    @property
    def slope(self) -> Floats:
        """Slopes of the segments, falling: between two of them, the vertex in the middle is best."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.diff(self.tpr) / np.diff(self.fpr))


def roc_hull(y: object, score: object = None, **rows: Unpack[RowOptions]) -> RocHull:
    """Return the convex hull of the ROC curve of a sweep, or of labels and scores.

    Takes a `Sweep` or `Rows` alone, or labels and scores with the options of `curvewise.sweep`.
    Unpacks as ``fpr, tpr, threshold`` of the vertices; ``block`` and ``skipped`` say which blocks of
    the sweep they are, ``slope`` the slopes of the segments, ``auc`` the area.

    Notes
    -----
    Only a vertex can be the cheapest threshold for some costs and prevalence. The segments are also the
    blocks of the isotonic (pool-adjacent-violators) fit of the labels. Points on a segment are no
    vertices. With whole counts the hull is exact: slopes are compared as products of integers.

    References
    ----------
    Provost & Fawcett (2001) Machine Learning 42:203-231. Fawcett & Niculescu-Mizil (2007) Machine
    Learning 68:97-106.

    Examples
    --------
    >>> import curvewise as cw
    >>> hull = cw.roc_hull([1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.5])
    >>> hull.fpr.round(3), hull.tpr
    (array([0.   , 0.   , 0.333, 1.   ]), array([0. , 0.5, 1. , 1. ]))
    >>> hull.block, hull.skipped
    (array([-1,  0,  2,  4]), array([1, 3]))
    """
    sweep = as_sweep(y, score, rows)
    sweep.need_both_classes("A ROC hull")
    places = hull_places(sweep.tp, sweep.fp)
    ends = places[1:] - 1
    tp, fp = sweep.tp[ends], sweep.fp[ends]
    return RocHull(
        fpr=from_zero(fp, sweep.negatives),
        tpr=from_zero(tp, sweep.positives),
        threshold=thresholds_from_nothing(sweep.threshold[ends], sweep.higher_is),
        block=places - 1,
        skipped=np.delete(np.arange(len(sweep.tp)), ends),
        auc=kernel.doubled_area(tp, fp) / (2 * sweep.positives * sweep.negatives),
        **origin(sweep),
    )


def hull_counts(sweep: Sweep, what: str) -> tuple[kernel.Counts, kernel.Counts, Places]:
    """Return TP and FP at the hull's vertices from (0, 0) to (P, N), and their places; see `hull_places`."""
    need_every_score(sweep, what)
    places = hull_places(sweep.tp, sweep.fp)
    tp, fp = (np.append(0, c[places[1:] - 1]) for c in (sweep.tp, sweep.fp))
    return tp, fp, places


def need_every_score(sweep: Sweep, what: str) -> None:
    """Raise where a class is absent, or where positives have no score, so that no threshold flags them."""
    sweep.need_both_classes(what)
    without = sweep.positives - sweep.tp[-1].item()
    if without > 1e-9 * sweep.positives:  # sums of fractional weights may differ in the last digit
        raise CurvewiseError(
            f"{what} needs a score for every positive: {show(without)} of {show(sweep.positives)} have none."
        )


def hull_places(tp: kernel.Counts, fp: kernel.Counts) -> Places:
    """Return the places of the hull's vertices among (0, 0) and the points of a sweep.

    A point on or below the line between its neighbours is no vertex, whatever else is removed:
    so all such points are dropped at once, again and again. When few are left to drop, one walk
    along the rest (Andrew's monotone chain) ends it in linear time.
    """
    if tp.dtype.kind == "i" and int(tp[-1]) * int(fp[-1]) >= 2**63:  # mutants: work
        tp, fp = tp.astype(object), fp.astype(object)  # products beyond int64
    bends = [_bends(*_led(tp, fp, here)) + here.start + 1 for here in slices(len(tp))]
    places = np.concatenate([[0], *bends, [len(tp)]]).astype(np.intp)
    while True:
        t, f = (np.where(places > 0, c[places - 1], 0) for c in (tp, fp))
        keep = np.concatenate([[0], _bends(t, f) + 1, [len(places) - 1]])
        if len(keep) > ENOUGH_LEFT * len(places):  # mutants: work
            return np.asarray(places[keep[walk(t[keep].tolist(), f[keep].tolist())]])
        places = places[keep]


def _led(tp: kernel.Counts, fp: kernel.Counts, here: slice) -> tuple[kernel.Counts, kernel.Counts]:
    """Return the points of a slice with the one before and the one after it."""
    around = slice(max(here.start - 1, 0), here.stop + 1)
    # mutants: same in the end
    return (tp[around], fp[around]) if here.start else (np.append(0, tp[around]), np.append(0, fp[around]))


def _bends(t: kernel.Counts, f: kernel.Counts) -> Places:
    """Return which inner points lie above the line between their neighbours, counted from 0."""
    dt, df = t[1:] - t[:-1], f[1:] - f[:-1]
    return np.flatnonzero(dt[:-1] * df[1:] > dt[1:] * df[:-1])  # mutants: same in the end


def walk(t: list[Any], f: list[Any]) -> list[int]:
    """Return the places of the upper hull's vertices among points with f rising, and t where f is equal."""
    hull: list[int] = []  # Andrew's monotone chain; exact for whole numbers, Python's do not overflow
    for k in range(len(t)):
        while len(hull) > 1:
            a, b = hull[-2], hull[-1]
            if (t[b] - t[a]) * (f[k] - f[b]) > (t[k] - t[b]) * (f[b] - f[a]):
                break
            hull.pop()
        hull.append(k)
    return hull
