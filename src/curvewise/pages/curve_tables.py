"""The table of each figure, the numbers one would read off it: curves at round places."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise.document.blocks import Cell, Grid
from curvewise.pages.cells import label_of, number_cell, way_of, written

if TYPE_CHECKING:
    from curvewise.curves.base import Curve
    from curvewise.pages.scores.page import ScorePage
    from curvewise.words import Words

RATES = (0.0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
TENTHS = tuple(k / 10 for k in range(1, 11))
MOST = 25  # rows of a table that is read, not worked with
# by curve: the axis that is read at round places, and whether at the last point within or the first beyond
ROUND: dict[str, tuple[str, bool]] = {
    "roc": ("fpr", True),
    "det": ("fpr", True),
    "pr": ("recall", False),
    "pr_gain": ("recall_gain", False),
    "lift": ("predicted_rate", False),
}


def curve_grid(page: ScorePage, kind: str) -> Grid:
    """Return the points of each model's curve at round places, of many models those shown one by one."""
    w, several = page.w, len(page.names) > 1
    part = kind.removesuffix("_log")  # the same points, on another scale
    axis, within = ROUND[part]
    curves = {page.names.index(m.name): getattr(m, part) for m in page.detailed}
    columns = ["threshold", *(name for name in next(iter(curves.values())).points if name != "threshold")]
    head = [Cell(w("column.model"))] if several else []
    head += [Cell(label_of(w, name), numeric=True) for name in columns]
    rows, models = [], []
    for place, curve in curves.items():
        values = getattr(curve, axis)
        # a DET curve has no ends: the normal deviates of 0 and 1 are infinite
        limits = RATES[1:-1] if kind == "det" else RATES
        for k in last_within(values, limits) if within else first_reaching(values, TENTHS):
            row = _point(w, curve, k, columns)
            rows.append([Cell(page.names[place]), *row] if several else row)
            models.append(place)
    return Grid(w(f"figure.{kind}"), head, rows, models, points=True)


def cost_grid(page: ScorePage) -> Grid:
    """Return the least normalised cost of each model over the probability-cost axis."""
    w = page.w
    head = [Cell(label_of(w, "probability_cost"), numeric=True), *(Cell(m.name, numeric=True) for m in page.detailed)]
    rows = [
        [number_cell(w, "cost", x), *(number_cell(w, "cost", m.cost.at(x)) for m in page.detailed)]
        for x in (k / 10 for k in range(11))
    ]
    return Grid(w("figure.cost"), head, rows, points=True)


def decision_grid(page: ScorePage) -> Grid:
    """Return net benefits at round threshold probabilities."""
    w = page.w
    drawn = {m.name: m.decision for m in page.detailed if m.decision is not None}
    first = next(iter(drawn.values()))
    head = [Cell(w(f"column.{n}"), numeric=True) for n in ("threshold_probability", "treat_all")]
    head += [Cell(name, numeric=True) for name in drawn]
    rows = [
        [
            number_cell(w, "share", first.threshold[k].item()),
            number_cell(w, "cost", first.treat_all[k].item()),
            *(number_cell(w, "cost", c.net_benefit[k].item()) for c in drawn.values()),
        ]
        for k in _some(len(first))
    ]
    return Grid(w("figure.decision"), head, rows, points=True)


def thresholds_grid(page: ScorePage, place: int) -> Grid:
    """Return recall, false positive rate and precision from high thresholds to low."""
    w, model = page.w, page.models[place]
    names = ("recall", "fpr", "precision")
    rows = []
    for k in first_reaching(model.lift.predicted_rate, TENTHS):
        cut = model.lift.threshold[k].item()
        at = model.sweep.at(cut)
        texts = [w.numbers.amount(cut), *(written(w, way_of(n), getattr(at, n)) for n in names)]
        rows.append([Cell(text, numeric=True) for text in texts])
    head = [Cell(label_of(w, n), numeric=True) for n in ("threshold", *names)]
    return Grid(w("figure.thresholds"), head, rows, points=True)


def distribution_grid(page: ScorePage, place: int) -> Grid:
    """Return the bins of the histogram."""
    w, table = page.w, page.models[place].histogram.table
    found = page.models[place].histogram
    way = "count" if found.horizon is None else "share"
    ways = {"from": "amount", "to": "amount", "positives": way, "negatives": way}
    head = [Cell(w(f"column.{name}"), numeric=True) for name in ways]
    whole = {} if found.horizon is None else {k: getattr(found, f"total_{k}") for k in ("positives", "negatives")}
    rows = [[number_cell(w, way, row[k] / whole.get(k, 1)) for k, way in ways.items()] for row in table.rows()]
    return Grid(w("figure.distribution" if not whole else "figure.distribution.shares"), head, rows, points=True)


def confusion_grid(page: ScorePage, place: int) -> Grid:
    """Return the four counts at the chosen threshold; by a horizon shares, for counts are sums of weights."""
    w, c = page.w, page.chosen[place].confusion
    way, whole = ("count", 1) if page.evaluation.survival is None else ("share", c.n)
    head = [Cell(""), Cell(w("matrix.flagged"), numeric=True), Cell(w("matrix.passed"), numeric=True)]
    rows = [
        [Cell(w("matrix.positive")), *(number_cell(w, way, n / whole) for n in (c.tp, c.fn))],
        [Cell(w("matrix.negative")), *(number_cell(w, way, (n or 0) / whole) for n in (c.fp, c.tn))],
    ]
    return Grid(w("figure.confusion"), head, rows)


def reliability_grid(page: ScorePage, place: int) -> Grid:
    """Return what was stated and what happened."""
    w, curve = page.w, page.models[place].reliability
    columns = {} if curve is None else curve.table.columns
    names = [n for n in ("p", "observed", "low", "high") if n in columns]
    head = [Cell(w("column.probability" if n == "p" else f"column.{n}"), numeric=True) for n in names]
    rows = [[number_cell(w, "share", columns[n][k]) for n in names] for k in _some(len(curve or ()))]
    return Grid(w("figure.reliability"), head, rows, points=True)


def last_within(values: NDArray[Any], limits: Sequence[float]) -> list[int]:
    """Return the last places at which rising values keep within round limits."""
    return sorted({int(k) - 1 for k in np.searchsorted(values, limits, side="right") if k})


def first_reaching(values: NDArray[Any], limits: Sequence[float]) -> list[int]:
    """Return the first places at which rising values reach round limits."""
    found = np.searchsorted(values, np.asarray(limits) - 1e-12, side="left")
    return sorted({int(k) for k in found if k < len(values)})


def _point(w: Words, curve: Curve, k: int, columns: list[str]) -> list[Cell]:
    values = {name: getattr(curve, name)[k] for name in columns}
    first = w("cut.none") if math.isinf(values["threshold"]) and k == 0 else w.numbers.amount(values["threshold"])
    # 1 - 1/3 - 2/3 is not 0: what rounding left is no number to show
    texts = [first, *(written(w, way_of(name), round(float(values[name]), 12)) for name in columns[1:])]
    return [Cell(text, numeric=True) for text in texts]  # not raw: a file gets all points from the script


def _some(n: int) -> list[int]:
    """Return at most so many places, evenly, both ends among them."""
    if n <= MOST:
        return list(range(n))
    return sorted({round(k * (n - 1) / (MOST - 1)) for k in range(MOST)})
