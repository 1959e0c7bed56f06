"""The table behind each figure: the numbers one would read off it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curvewise.document.blocks import Cell, Grid
from curvewise.report.measures import number, written

if TYPE_CHECKING:
    from collections.abc import Callable

    from curvewise.report.cuts import Cuts
    from curvewise.report.paper import Paper
    from curvewise.words import Words

RATES = (0.0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
TENTHS = tuple(k / 10 for k in range(1, 11))
MOST = 25  # rows of a table that is read, not worked with

Column = tuple[str, "Callable[[Cuts, int], Any]"]


def roc_grid(paper: Paper) -> Grid:
    """Return the highest recall at round false positive rates."""
    return _by_model(paper, "roc", _last_within(RATES), [("fpr", _fpr), ("recall", _tpr)])


def pr_grid(paper: Paper) -> Grid:
    """Return the precision where round recalls are first reached."""
    return _by_model(paper, "pr", _first_reaching(TENTHS), [("recall", _tpr), ("precision", _precision)])


def pr_gain_grid(paper: Paper) -> Grid:
    """Return gains where round recalls are first reached."""
    columns: list[Column] = [
        ("recall_gain", lambda c, k: _gain(c, c.tpr(k))),
        ("precision_gain", lambda c, k: _gain(c, c.precision(k))),
    ]
    return _by_model(paper, "pr_gain", _first_reaching(TENTHS), columns)


def det_grid(paper: Paper) -> Grid:
    """Return the least misses at round false positive rates."""
    return _by_model(paper, "det", _last_within(RATES), [("fpr", _fpr), ("fnr", lambda c, k: 1 - _tpr(c, k))])


def lift_grid(paper: Paper) -> Grid:
    """Return how rich in positives the highest scores are."""

    def lift(c: Cuts, k: int) -> float | None:
        found = c.precision(k)
        return None if found is None or not c.prevalence else found / c.prevalence

    columns: list[Column] = [("predicted_rate", _flagged), ("recall", _tpr), ("lift", lift)]
    return _by_model(paper, "lift", _first_reaching(TENTHS, _flagged), columns)


def cost_grid(paper: Paper) -> Grid:
    """Return the least normalised cost of each model over the probability-cost axis."""
    w = paper.w
    head = [Cell(w("column.probability_cost"), numeric=True), *(Cell(n, numeric=True) for n in paper.names)]
    rows = []
    for x in (k / 10 for k in range(11)):
        least = [
            min(((1 - _tpr(c, k)) * x + _fpr(c, k) * (1 - x) for k in range(len(c))), default=None)
            if c.positives and c.negatives
            else None
            for c in paper.cuts
        ]
        rows.append([number(w, "cost", x), *(number(w, "cost", v) for v in least)])
    return Grid(w("figure.cost"), head, rows)


def thresholds_grid(paper: Paper, place: int) -> Grid:
    """Return recall, false positive rate and precision from high thresholds to low."""
    found = paper.cuts[place]
    columns: list[Column] = [("recall", _tpr), ("fpr", _fpr), ("precision", _precision)]
    rows = [_row(paper.w, found, k, columns) for k in _first_reaching(TENTHS, _flagged)(found)]
    head = [Cell(paper.w("column.threshold"), numeric=True), *(_heading(paper.w, n) for n, _ in columns)]
    return Grid(paper.w("figure.thresholds"), head, rows)


def distribution_grid(paper: Paper, place: int) -> Grid:
    """Return the bins of the histogram."""
    w, found = paper.w, paper.models[place]["histogram"]
    head = [Cell(w(f"column.{n}"), numeric=True) for n in ("from", "to", "positives", "negatives")]
    edges = found["edges"]
    rows = [
        [number(w, "edge", low), number(w, "edge", high), number(w, "n", p), number(w, "n", n)]
        for low, high, p, n in zip(edges[:-1], edges[1:], found["positives"], found["negatives"], strict=True)
    ]
    return Grid(w("figure.distribution"), head, rows)


def confusion_grid(paper: Paper, place: int) -> Grid:
    """Return the four counts."""
    w, c = paper.w, paper.models[place]["point"]["confusion"]
    head = [Cell(""), Cell(w("matrix.flagged"), numeric=True), Cell(w("matrix.passed"), numeric=True)]
    rows = [
        [Cell(w("matrix.positive")), number(w, "n", c["tp"]), number(w, "n", c["fn"])],
        [Cell(w("matrix.negative")), number(w, "n", c["fp"]), number(w, "n", c["tn"])],
    ]
    return Grid(w("figure.confusion"), head, rows)


def reliability_grid(paper: Paper, place: int) -> Grid:
    """Return what was promised and what happened."""
    w, found = paper.w, paper.models[place]["probabilities"]["reliability"]
    names = [n for n in ("probability", "observed", "low", "high") if found.get(n)]
    head = [Cell(w(f"column.{n}"), numeric=True) for n in names]
    rows = [[number(w, "prevalence", found[n][k]) for n in names] for k in _some(len(found["probability"]))]
    return Grid(w("figure.reliability"), head, rows)


def decision_grid(paper: Paper) -> Grid:
    """Return net benefits at round threshold probabilities."""
    w = paper.w
    drawn = [(m["name"], m["decision"]) for m in paper.models if m.get("decision")]
    first = drawn[0][1]
    head = [Cell(w(f"column.{n}"), numeric=True) for n in ("threshold_probability", "treat_all")]
    head += [Cell(name, numeric=True) for name, _ in drawn]
    rows = [
        [
            number(w, "prevalence", first["threshold"][k]),
            number(w, "cost", first["treat_all"][k]),
            *(number(w, "cost", found["net_benefit"][k]) for _, found in drawn),
        ]
        for k in _some(len(first["threshold"]))
    ]
    return Grid(w("figure.decision"), head, rows)


def _some(n: int) -> list[int]:
    """Return at most so many places, evenly, both ends among them."""
    if n <= MOST:
        return list(range(n))
    return sorted({round(k * (n - 1) / (MOST - 1)) for k in range(MOST)})


def _by_model(paper: Paper, kind: str, chosen: Callable[[Cuts], list[int]], columns: list[Column]) -> Grid:
    w = paper.w
    several = len(paper.models) > 1
    head = [Cell(w("column.model"))] if several else []
    head += [Cell(w("column.threshold"), numeric=True), *(_heading(w, n) for n, _ in columns)]
    rows, models = [], []
    for place, found in enumerate(paper.cuts):
        for k in chosen(found) if found.positives and found.negatives else []:
            row = _row(w, found, k, columns)
            rows.append([Cell(paper.names[place]), *row] if several else row)
            models.append(place)
    return Grid(w(f"figure.{kind}"), head, rows, models)


def _row(w: Words, found: Cuts, k: int, columns: list[Column]) -> list[Cell]:
    cut = found.threshold[k]
    first = w("cut.nobody") if cut is None else w.numbers.amount(cut)
    texts = [first, *(written(w, name, read(found, k)) for name, read in columns)]
    return [Cell(text, numeric=True) for text in texts]  # not raw: a file gets all points from the script


def _heading(w: Words, name: str) -> Cell:
    return Cell(w.known("metric", name), numeric=True)


def _last_within(limits: tuple[float, ...]) -> Callable[[Cuts], list[int]]:
    def places(c: Cuts) -> list[int]:
        return sorted({max(k for k in range(len(c)) if _fpr(c, k) <= x) for x in limits})

    return places


def _first_reaching(
    limits: tuple[float, ...], read: Callable[[Cuts, int], float] | None = None
) -> Callable[[Cuts], list[int]]:
    def places(c: Cuts) -> list[int]:
        value = read or _tpr
        reached = [min((k for k in range(len(c)) if value(c, k) >= x - 1e-12), default=None) for x in limits]
        return sorted({k for k in reached if k is not None})

    return places


def _tpr(c: Cuts, k: int) -> float:
    return c.tp[k] / c.positives


def _fpr(c: Cuts, k: int) -> float:
    return c.fp[k] / c.negatives


def _precision(c: Cuts, k: int) -> float | None:
    return c.precision(k)


def _flagged(c: Cuts, k: int) -> float:
    return (c.tp[k] + c.fp[k]) / (c.positives + c.negatives)


def _gain(c: Cuts, value: float | None) -> float | None:
    """Return (v − π)/((1 − π)·v): 0 where nothing is gained on flagging everybody, 1 at best."""
    if not value or not c.prevalence or c.prevalence == 1:
        return None
    return (value - c.prevalence) / ((1 - c.prevalence) * value)
