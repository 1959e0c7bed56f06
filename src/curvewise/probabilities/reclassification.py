"""What a new model changes for each row: net reclassification (NRI) and integrated discrimination (IDI)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from curvewise.core.probability import rows_and_sweep
from curvewise.core.rate import units_and_weights
from curvewise.core.sweep import sweep_of
from curvewise.errors import CurvewiseError, Note, OptionError, note
from curvewise.inference.class_changes import Changes
from curvewise.inference.interval import notes_on
from curvewise.results.numbers import json_safe, percent
from curvewise.results.result import Result, Table
from curvewise.rows.checks import real, threshold_for
from curvewise.rows.columns import as_column, shown
from curvewise.rows.reading import as_rows

if TYPE_CHECKING:
    from curvewise.results.estimate import Estimate
    from curvewise.rows.rows import RowOptions, Rows

CLASSES = ("positives", "negatives", "total")


@dataclass(frozen=True, repr=False)
class Improvement(Result, schema="improvement"):
    """One measure of improvement: that of the positives, of the negatives, and their sum.

    Attributes
    ----------
    measure
        ``"nri"``, ``"continuous_nri"`` or ``"idi"``.
    positives, negatives, total
        With intervals; above 0 the new model is better. ``total`` is the published index.
    p_values
        By the names of those three, the p-value of no change; NaN where there is no interval. It is below
        1 - level exactly where the interval excludes 0.
    """

    measure: str
    positives: Estimate
    negatives: Estimate
    total: Estimate
    p_values: dict[str, float]

    @property
    def p_value(self) -> float:
        """The p-value of the total."""
        return self.p_values["total"]

    @property
    def table(self) -> Table:
        """One row for each class, and one for their sum."""
        found = [getattr(self, name) for name in CLASSES]
        columns: dict[str, list[Any]] = {"measure": [self.measure] * 3, "of": list(CLASSES)}
        columns |= {k: [getattr(e, k) for e in found] for k in ("value", "low", "high")}
        return Table("", columns | {"p": [self.p_values[name] for name in CLASSES]})


@dataclass(frozen=True, repr=False)
class Reclassification(Result, schema="reclassification"):
    """How rows move from an old model to a new one; made by `curvewise.reclassification`.

    Attributes
    ----------
    old, new
        The names of the models.
    nri, continuous_nri, idi
        Net reclassification between categories (None without thresholds), net reclassification of any size, and
        integrated discrimination.
    slopes
        Discrimination slope of each model: mean probability of the positives less that of the negatives.
    thresholds, moves
        The limits between categories; and, for positives and negatives, how many rows are in each category by the
        old model (one row each) and by the new one (columns).
    """

    old: str
    new: str
    nri: Improvement | None
    continuous_nri: Improvement
    idi: Improvement
    slopes: dict[str, float]
    thresholds: tuple[float, ...]
    moves: dict[str, list[list[float]]]
    level: float
    notes: tuple[Note, ...] = ()
    backend: str | None = field(default=None, repr=False)

    @property
    def table(self) -> Table:
        """Every measure, for each class and in all."""
        measures = [m for m in (self.nri, self.continuous_nri, self.idi) if m is not None]
        rows = [row for m in measures for row in m.table.rows()]
        title = f"{self.new} against {self.old} ({percent(self.level)} intervals)"
        return Table(title, {name: [row[name] for row in rows] for name in rows[0]}, self.backend)  # mutants: all alike

    def moved(self, of: str) -> Table:
        """Return how many ``"positives"`` or ``"negatives"`` moved from which category to which."""
        names = _categories(self.thresholds)
        columns: dict[str, list[Any]] = {f"by {self.old}": names}
        columns |= {f"by {self.new}: {name}": [row[k] for row in self.moves[of]] for k, name in enumerate(names)}
        return Table(of, columns, self.backend)

    def tables(self) -> list[Table]:
        """Return the measures, and the moves of positives and of negatives where there are categories."""
        return [self.table, *(self.moved(of) for of in self.moves)]

    def parts(self) -> list[Table | Note]:
        """Return the same with the notes."""
        return [*self.tables(), *self.notes]

    def content(self) -> dict[str, Any]:
        """Return the fields, JSON-safe."""
        measures = {"nri": self.nri, "continuous_nri": self.continuous_nri, "idi": self.idi}
        said = {"old": self.old, "new": self.new, "thresholds": self.thresholds, "level": self.level}
        found: dict[str, Any] = json_safe(
            {**said, **measures, "slopes": self.slopes, "moves": self.moves, "notes": self.notes}
        )
        return found


def reclassification(
    y: object,
    scores: Mapping[str, object] | None = None,
    *,
    thresholds: object = None,
    level: float = 0.95,
    **rows: Unpack[RowOptions],
) -> Reclassification:
    """Measure how a new model moves the probabilities of positives and negatives, against an old one.

    Published studies often ask for these measures. They are no good reason to choose a model: see the notes.

    Parameters
    ----------
    y, scores
        Labels, and probabilities of two models on the same rows, the old model first: ``{"old": p, "new": q}``; or
        `Rows` of two models alone.
    thresholds
        Limits between categories of risk, rising, as in ``[0.06, 0.2]``; a probability at a limit is in the upper
        category. Without them there is no categorical NRI.
    level
        As in `curvewise.interval`.
    **rows
        Of `curvewise.sweep`: ``weight=``, ``cluster=``, ``positive=`` …

    Returns
    -------
    Reclassification
        ``nri``, ``continuous_nri`` and ``idi``, each with ``positives``, ``negatives`` and ``total``.

    Notes
    -----
    *NRI* = (share of positives that move up - share that move down) + (share of negatives that move down - share
    that move up), between categories; *continuous NRI* counts any change of the probability. Both range from -2 to
    2, and are no share of anything: read the two classes apart. *IDI* = rise of the mean probability of
    positives + fall of that of negatives = difference of discrimination slopes.

    Intervals: the net share of a class is a difference of paired proportions and has Tango's score interval, which
    inverts McNemar's test; the sum combines both by MOVER; IDI has Welch's t. Clustered or weighted rows: the
    variance is the jackknife's, which leaves out each cluster (row) in turn, with t of one degree of freedom less
    than clusters, and net shares are those of as many independent rows as would have this variance. In
    simulations of 10 to 100 positives, or 10 to 30 clusters, nominal 0.95 covered 0.93 to 0.98 (more where
    hardly a row moves).

    **Pitfalls.** On rows that a model was fitted on, adding a useless predictor makes all three positive, and their
    tests reject far too often. On new rows, too, a model can gain NRI and IDI by being miscalibrated: stretched
    probabilities raise both. More categories give more NRI. NRI weighs all moves alike, whatever they cost. Prefer a
    difference of proper scores, or of net benefit at the threshold where decisions are made, both with
    `curvewise.compare`: ``metric="log_loss"``, or ``metric=lambda s: s.at(0.2).net_benefit(0.2)``.

    References
    ----------
    Pencina et al. (2008) Statistics in Medicine 27:157-172. Pencina et al. (2011) Statistics in Medicine 30:11-21.
    Kerr et al. (2014) Epidemiology 25:114-121. Hilden & Gerds (2014) Statistics in Medicine 33:3405-3414. Pepe et
    al. (2014) Statistics in Biosciences 7:282-295. Tango (1998) Statistics in Medicine 17:891-908. Zou & Donner
    (2008) Statistics in Medicine 27:1693-1702.

    Examples
    --------
    >>> import curvewise as cw
    >>> y = [1, 1, 1, 1, 0, 0, 0, 0, 0, 0]
    >>> old = [0.1, 0.3, 0.3, 0.6, 0.1, 0.1, 0.3, 0.3, 0.2, 0.6]
    >>> new = [0.3, 0.6, 0.2, 0.7, 0.1, 0.2, 0.1, 0.2, 0.1, 0.5]
    >>> found = cw.reclassification(y, {"old": old, "new": new}, thresholds=[0.25, 0.5])
    >>> round(found.nri.positives.value, 4), round(found.nri.negatives.value, 4), round(found.idi.total.value, 4)
    (0.25, 0.3333, 0.1917)
    """
    level = real("level", level, 0, 1, closed=False)
    table = as_rows(y, scores, rows)
    if len(table.scores) != 2:
        raise CurvewiseError(
            'scores: expected two models, the old one first, as in {"old": p_old, "new": p_new}; '
            f"got {len(table.scores)}."
        )
    if table.stratum is not None:
        raise OptionError.of(
            "stratum", "reclassification takes rows that were not sampled within strata; leave it out."
        )
    old, new = table.models
    sweep_of(table.of(old)).need_both_classes("Reclassification")
    before, after = (_probabilities(table, name) for name in (old, new))
    cuts = () if thresholds is None else _limits(thresholds)
    turn = np.where(table.positive, 1.0, -1.0)  # a negative gains where its probability falls

    def measured(name: str, change: NDArray[np.float64], *, shares: bool) -> Improvement:
        changes = Changes(table, change * turn, level)  # mutants: the only values
        found = changes.net_shares(name) if shares else changes.means(name)
        values = {of: estimate for of, (estimate, _) in zip(CLASSES, found, strict=True)}
        return Improvement(name, **values, p_values={of: p for of, (_, p) in zip(CLASSES, found, strict=True)})

    nri, moves = None, dict[str, list[list[float]]]()
    if cuts:
        places = [_places(table.scores[name], cuts) for name in (old, new)]
        nri = measured("nri", np.sign(places[1] - places[0]).astype(np.float64), shares=True)
        moves = _moves(table, places, len(cuts) + 1)
    return Reclassification(
        old,
        new,
        nri,
        measured("continuous_nri", np.sign(after - before), shares=True),
        measured("idi", after - before, shares=False),
        {name: _slope(table, p) for name, p in ((old, before), (new, after))},
        cuts,
        moves,
        level,
        (*_few(table), note("reclassification_misleads")),
        table.backend,
    )


def _probabilities(table: Rows, name: str) -> NDArray[np.float64]:
    rows_and_sweep(table.of(name), None, {})  # refuses what is no probability
    return np.clip(table.scores[name].astype(np.float64), 0.0, 1.0)


def _limits(thresholds: object) -> tuple[float, ...]:
    values = as_column(thresholds, "thresholds").values.tolist()
    limits = tuple(real("thresholds", value, 0, 1, closed=False) for value in values)
    if not limits or any(b <= a for a, b in pairwise(limits)):
        raise OptionError.of("thresholds", f"expected rising probabilities between 0 and 1, got {shown(thresholds)}.")
    return limits


def _places(score: NDArray[Any], cuts: tuple[float, ...]) -> NDArray[np.intp]:
    """Return the number of the category of each row: how many limits its probability reaches."""
    limits = [threshold_for(score.dtype, cut, falling=True) for cut in cuts]
    return np.asarray(sum((score >= limit).astype(np.intp) for limit in limits))


def _moves(table: Rows, places: list[NDArray[np.intp]], size: int) -> dict[str, list[list[float]]]:
    weight = units_and_weights(table)[1]
    whole = table.weight is None or table.weight.dtype.kind == "i"
    found: dict[str, Any] = {}
    for name, on in zip(CLASSES, (table.positive, ~table.positive), strict=False):
        cells = np.bincount((places[0] * size + places[1])[on], weight[on], size * size).reshape(size, size)
        found[name] = cells.astype(np.int64).tolist() if whole else cells.tolist()
    return found


def _slope(table: Rows, p: NDArray[np.float64]) -> float:
    weight = units_and_weights(table)[1]
    one, two = (float(np.average(p[on], weights=weight[on])) for on in (table.positive, ~table.positive))
    return one - two


def _few(table: Rows) -> tuple[Note, ...]:
    """Return the note on few positives or negatives, as intervals have it."""
    first = table.of(table.models[0])  # mutants: all alike
    notes = notes_on("idi", sweep_of(first), 0.5, first)  # mutants: not read
    return tuple(n for n in notes if n.code in ("few_positives", "few_negatives"))


def _categories(cuts: tuple[float, ...]) -> list[str]:
    ends = [f"{cut:g}" for cut in cuts]
    middle = [f"{low} to < {high}" for low, high in pairwise(ends)]
    return [f"< {ends[0]}", *middle, f"≥ {ends[-1]}"]
