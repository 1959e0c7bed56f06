"""One label, many scores: neurons, genes, features, moments in time, each judged, all of them tested together."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from inspect import unwrap
from itertools import combinations, product
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats, Places
from curvewise.breakdown.columns.permutation import (
    Shuffles,
    centred_ranks,
    drawn_deviates,
    largest_runs,
    p_of_largest,
    p_values,
    runs,
)
from curvewise.breakdown.columns.ranks import Contrast, Lines, false_discovery
from curvewise.breakdown.columns.reading import MOST, Codes, Scores, read_scores
from curvewise.core.resampling import REPLICATES
from curvewise.core.threads import in_threads
from curvewise.errors import CurvewiseError, Note, OptionError, note
from curvewise.inference.comparison import holm_corrected
from curvewise.inference.interval import estimate_of, split_options
from curvewise.inference.many_intervals import area_ends
from curvewise.inference.methods import default_pivot, has_pivot, is_auc
from curvewise.inference.pivots import LEVEL_BY_RANKS
from curvewise.metric.registry import Bound, find
from curvewise.results.numbers import json_safe, percent
from curvewise.results.result import Result, Table
from curvewise.rows.category import category
from curvewise.rows.checks import one_of, real, whole
from curvewise.rows.columns import Column, as_column, count
from curvewise.rows.labels import classes_in
from curvewise.rows.reading import check_aligned, read_rows
from curvewise.rows.seeds import random_stream
from curvewise.rows.weight_scale import with_near_weights

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.rows.rows import Rows

Against = Literal["rest", "pairs"]
TOP = 10  # columns that are printed
MOST_CLASSES = 100
Ends = tuple[Floats, Floats]


@dataclass(frozen=True, eq=False, repr=False)
class Columns(Result, schema="columns"):
    """A metric of every column of scores, made by `curvewise.by_column`.

    ``axes`` are the names and labels of the axes of ``value``, ``low``, ``high``, ``p`` and what is made of them:
    groups and classes where there are several, then those of the scores. NaN is what the rows do not define.
    ``p_family`` belongs to the largest deviate of all columns, and ``runs`` are what is found along an ordered axis;
    both need ``method="permutation"``.
    """

    metric: str
    axes: dict[str, list[Any]]
    value: NDArray[np.float64]
    p: NDArray[np.float64]
    level: float
    method: str
    rows: int
    chance: float | None = None
    p_family: NDArray[np.float64] | None = None
    ordered: str | None = None
    runs: tuple[dict[str, Any], ...] = ()
    notes: tuple[Note, ...] = ()
    backend: str | None = None
    make_ends: Callable[[], Ends] = field(repr=False, default=lambda: (np.zeros(0), np.zeros(0)))

    @cached_property
    def _ends(self) -> Ends:
        low, high = (end.reshape(self.value.shape) for end in self.make_ends())
        return low, high

    @property
    def low(self) -> NDArray[np.float64]:
        """The lower ends of the intervals, each of its own level."""
        return self._ends[0]

    @property
    def high(self) -> NDArray[np.float64]:
        """The upper ends of the intervals."""
        return self._ends[1]

    @cached_property
    def p_holm(self) -> NDArray[np.float64]:
        """P corrected by Holm: one column below α by chance has probability α at most, however they depend."""
        return np.array(holm_corrected(self.p.ravel().tolist())).reshape(self.p.shape)

    @cached_property
    def p_bh(self) -> NDArray[np.float64]:
        """P corrected by Benjamini and Hochberg: of all columns below q, a share q at most is there by chance."""
        return false_discovery(self.p)

    @property
    def numbers(self) -> dict[str, NDArray[np.float64]]:
        """Every number of each column, by name."""
        names = ("value", "low", "high", "p", "p_holm", "p_bh", "p_family")
        return {name: array for name in names if (array := getattr(self, name)) is not None}

    def _rows(self, which: Places) -> dict[str, list[Any]]:
        places = np.unravel_index(which, self.value.shape)
        found = {
            name: [labels[k] for k in place] for (name, labels), place in zip(self.axes.items(), places, strict=True)
        }
        return found | {name: array.ravel()[which].tolist() for name, array in self.numbers.items()}

    @property
    def table(self) -> Table:
        """One row per column of scores (and class, and group)."""
        return Table(self._title, self._rows(np.arange(self.value.size)), self.backend)

    @property
    def _title(self) -> str:
        return f"{self.metric} by column ({percent(self.level)} intervals)"

    def top(self, most: int = TOP) -> Table:
        """Return the columns with the smallest p, or of those without one the largest values."""
        away = np.abs(self.value - (self.chance or 0.0)).ravel()
        order = np.lexsort((-np.nan_to_num(away), self.p.ravel()))[:most]
        title = f"{self._title}: {len(order)} of {self.value.size}"
        return Table(title, self._rows(order), self.backend)

    def parts(self) -> list[Table | Note]:
        """Return the columns with the smallest p, the runs that are beyond chance, and the notes."""
        shown = [run for run in self.runs if run["p"] < 1 - self.level][:TOP]
        columns = {key: [run[key] for run in shown] for key in shown[0]} if shown else {}
        return [self.top(), *([Table(f"Runs along {self.ordered}", columns)] if shown else []), *self.notes]

    def content(self) -> dict[str, Any]:
        """Return every array as nested lists, JSON-safe."""
        names = ("metric", "axes", "level", "method", "rows", "chance", "ordered", "runs", "notes")
        return json_safe({name: getattr(self, name) for name in names} | self.numbers)  # type: ignore[no-any-return]


def by_column(
    y: object,
    X: object,  # noqa: N803 - as in scikit-learn
    *,
    metric: str | Callable[[Sweep], float] = "roc_auc",
    against: Against = "rest",
    group: object = None,
    axes: Mapping[str, object] | None = None,
    ordered: str | None = None,
    limit: float = 1.96,
    method: Literal["permutation"] | None = None,
    level: float = 0.95,
    rng: np.random.Generator | int | None = 0,
    replicates: int = REPLICATES,
    **options: Any,
) -> Columns:
    """Judge many scores of the same rows: a metric of each, its interval, p, and p corrected for their number.

    Parameters
    ----------
    y
        Labels of two classes, as in `curvewise.sweep`; or of more, each of which is then compared with others.
    X
        Scores, rows first: an array of two or more axes (trials x neurons x time; results keep all but the first),
        a frame or a dict of columns, or a sparse matrix of SciPy, whose zeros are one tied block and are never stored.
    metric
        Any metric that `curvewise.metrics` lists, or ``"d_prime"``, √2·Φ⁻¹(AUC). AUC, d′ and average precision are
        computed for all columns together, others one column after another.
    against
        With many classes: ``"rest"`` compares each with all others, ``"pairs"`` each with each.
    group
        One name per row: every group of rows is judged by itself.
    axes
        Names and labels of the axes of X after the rows, as in ``{"neuron": names, "time": seconds}``; None in the
        place of labels numbers them.
    ordered
        The axis along which neighbours belong together, such as time. With ``method="permutation"``, runs of
        neighbours whose deviates are beyond ``limit`` are tested by their sum.
    method
        How p is found. None: for AUC and d′ the test of ranks (Mann and Whitney), normal with corrections for ties and
        continuity, exact for few rows; for another metric, or with weights, clusters or strata, the test that belongs
        to its interval. ``"permutation"``: labels are given to rows at random, within strata and within clusters, or
        to whole clusters where each has one class; adds ``p_family``.
    level, rng, replicates
        As in `curvewise.interval`; ``replicates`` is also the number of permutations.
    **options
        Options of the metric and of `curvewise.sweep` (``weight``, ``cluster``, ``stratum``, ``positive`` …).
        ``missing="drop"`` leaves out a row for those columns only in which its value is missing.

    Returns
    -------
    Columns
        ``value``, ``low``, ``high``, ``p``, ``p_holm``, ``p_bh`` and ``p_family`` in the shape of X without its rows,
        led by groups and classes where there are several; ``to_frame()``, ``plot()``.

    Notes
    -----
    p tests that the scores of a column do not depend on the label. The interval says where the AUC lies, without
    assuming that; near its ends the two may disagree. Corrections count all columns, classes and groups as one family.
    Holm and ``p_family`` bound the chance of any false finding, ``p_family`` with the dependence between columns, so
    that it loses less where they are alike; Benjamini and Hochberg bound the share of false findings, where columns
    are independent or positively dependent. A run is found as a whole: its p says nothing of its first or last moment.

    References
    ----------
    Mann & Whitney (1947) Ann. Math. Stat. 18:50-60. Holm (1979) Scand. J. Statist. 6:65-70. Benjamini & Hochberg
    (1995) J. R. Stat. Soc. B 57:289-300. Westfall & Young (1993). Maris & Oostenveld (2007) J. Neurosci. Methods
    164:177-190 (runs).

    Examples
    --------
    >>> import numpy as np
    >>> import curvewise as cw
    >>> rng = np.random.default_rng(0)
    >>> y = rng.random(80) < 0.5
    >>> X = rng.normal(size=(80, 30, 4))
    >>> X[:, 7, 2] += 1.5 * y
    >>> found = cw.by_column(y, X, axes={"neuron": None, "time": [0.1, 0.2, 0.3, 0.4]})
    >>> found.value.shape, round(float(found.value[7, 2]), 3), np.argwhere(found.p_holm < 0.05).tolist()
    ((30, 4), 0.852, [[7, 2]])
    """
    one_of("against", against, get_args(Against))
    one_of("method", method, (None, "permutation"))
    level = real("level", level, 0, 1, closed=False)
    limit = real("limit", limit, 0, math.inf)
    replicates, stream = whole("replicates", replicates, 2), random_stream(rng)
    reading, own = split_options(options)
    verb = ("against", "group", "axes", "ordered", "limit", "method", "level", "rng", "replicates")
    is_d_prime = metric == "d_prime"
    target = find("roc_auc" if is_d_prime else metric).bind(own, verb=verb)
    scores = read_scores(X, axes, reading.get("missing", "raise"), reading.get("round_to"))
    if ordered is not None:
        one_of("ordered", ordered, list(scores.axes))
        if method is None:
            raise OptionError.of("ordered", "runs are tested by permutation: pass method='permutation' too.")
    study = _study(y, scores, group, against, reading)
    judged = study.judge(target, level, rng, replicates)
    if method == "permutation":
        judged |= study.permuted(target, stream, replicates, ordered, limit)
    shape = tuple(map(len, study.axes.values()))
    arrays = {k: v.reshape(shape) for k, v in judged.items() if isinstance(v, np.ndarray)}
    more: dict[str, Any] = {"ordered": ordered, "backend": scores.like and scores.like.backend, "rows": len(study.rows)}
    found = Columns(target.name, study.axes, level=level, **{**judged, **arrays, **more})
    return _with_notes(_of_d_prime(found) if is_d_prime else found, scores)


@dataclass(frozen=True, eq=False)
class _Study:
    """Scores, the codes of their rows (the last one: no part), and the contrasts between codes."""

    scores: Scores
    rows: Rows
    kept: Places
    code: Codes
    contrasts: list[Contrast]
    axes: dict[str, list[Any]]

    @property
    def codes(self) -> int:
        return len(self.contrasts[0].inside)

    @property
    def falling(self) -> bool:
        return self.rows.higher_is == "positive"

    def rows_of(self, contrast: Contrast) -> tuple[Rows, Places]:
        """Return the rows of a contrast, still without scores, and their places in X."""
        code = self.code[self.kept]
        inside = contrast.inside[code]
        rows = replace(self.rows, positive=contrast.positive[code]).take(inside)
        return with_near_weights(rows), self.kept[inside]

    def judge(self, target: Bound, level: float, rng: Any, replicates: int) -> dict[str, Any]:
        """Return value, interval and p of every column under every contrast."""
        if (is_auc(target) or target.name == "average_precision") and not target.options and _is_plain(self.rows):
            return self._together(target, level)
        shape = len(self.contrasts), self.scores.size
        value, low, high, p = (np.full(shape, math.nan) for _ in range(4))
        chance = target.metric.chance if isinstance(target.metric.chance, float) else None
        for at in np.ndindex(shape):
            like, places = self.rows_of(self.contrasts[at[0]])
            (line,), (there,) = self.scores.dense(np.array(at[1:]), places)
            if not there.any():
                continue
            rows = replace(like, scores={"score": line}).take(there)
            found = estimate_of(target, rows, level=level, rng=rng, replicates=replicates)
            value[at], low[at], high[at] = found.value, found.low, found.high
            if found.has_interval and chance is not None and has_pivot(target):
                p[at] = default_pivot(target, rows, rng, replicates).p_value(chance)
        ends = partial(_as_they_are, low, high)
        return {"value": value, "p": p, "make_ends": ends, "method": target.metric.interval, "chance": chance}

    def _together(self, target: Bound, level: float) -> dict[str, Any]:
        """Judge columns piece by piece, in threads."""
        by_area = is_auc(target)
        shape = len(self.contrasts), self.scores.size
        value, one, other, p, positives, negatives = (np.full(shape, math.nan) for _ in range(6))

        def work(part: Any) -> None:
            piece = self.scores.read(part, self.code, self.codes)
            lines = Lines(piece.values, piece.code, self.codes, falling=self.falling, totals=piece.totals)
            for k, contrast in enumerate(self.contrasts):
                counts, at = lines.counts(contrast), (k, piece.columns)
                positives[at], negatives[at] = counts.sides
                if by_area:
                    value[at], one[at], other[at] = counts.areas()
                    p[at] = counts.p_values(value[at])
                else:
                    value[at], one[at], other[at] = counts.precisions(level)
                alone = level > LEVEL_BY_RANKS if by_area else np.isnan(one[at]) & ~np.isnan(value[at])
                for line in np.flatnonzero(np.broadcast_to(alone, len(piece.columns))).tolist():
                    found = estimate_of(target, counts.sweep(line), level=level)
                    own = k, piece.columns[line]
                    one[own], other[own] = found.low, found.high

        for parts in self.scores.parts():
            in_threads(work, parts, self.scores.entries)
        ends: Callable[[], Ends] = partial(_as_they_are, one, other)
        if by_area and level <= LEVEL_BY_RANKS:  # found when they are asked for
            found = value.ravel(), one.ravel(), other.ravel(), positives.ravel(), negatives.ravel()
            ends = partial(area_ends, *found, level)
        method, chance = ("ranks", 0.5) if by_area else (target.metric.interval, None)
        return {"value": value, "p": p, "make_ends": ends, "method": method, "chance": chance}

    def permuted(
        self, target: Bound, stream: np.random.Generator, replicates: int, ordered: str | None, limit: float
    ) -> dict[str, Any]:
        """Return p of each column, p of the largest of all, and runs along an axis, from labels given at random."""
        by_ranks = is_auc(target) and self.rows.weight is None
        own_axes = list(self.scores.axes)
        places = np.arange(self.scores.size).reshape(self.scores.shape)
        places = places if ordered is None else np.moveaxis(places, own_axes.index(ordered), -1)
        across = places.shape[-1] if ordered is not None else 1
        places = places.reshape(-1)
        shape = len(self.contrasts), self.scores.size
        p, deviates = np.full(shape, math.nan), np.full(shape, math.nan)
        largest, longest = np.zeros(replicates), np.zeros(replicates)
        step = max(MOST // max(len(self.rows), replicates) // across, 1) * across
        for k, contrast in enumerate(self.contrasts):
            like, kept = self.rows_of(contrast)
            if like.positive.all() or not like.positive.any():
                continue
            shuffles = Shuffles(like, replicates, stream)
            labels = shuffles.of_rows()
            for columns in (places[j : j + step] for j in range(0, len(places), step)):
                values, there = self.scores.dense(columns, kept)
                if by_ranks:
                    found, drawn = shuffles.deviates(centred_ranks(values, there, falling=self.falling))
                else:
                    own = zip(values, there, strict=True)
                    each = [(replace(like, scores={"score": line}).take(here), labels[:, here]) for line, here in own]
                    several = [drawn_deviates(target, *one) for one in each]
                    found, drawn = (np.stack(parts, axis=-1) for parts in zip(*several, strict=True))
                p[k, columns], deviates[k, columns] = p_values(found, drawn), found
                np.maximum(largest, np.abs(drawn).max(axis=1, initial=0), out=largest)
                if ordered is not None:
                    np.maximum(longest, largest_runs(drawn.reshape(replicates, -1, across), limit), out=longest)
        judged = {"p": p, "p_family": p_of_largest(deviates, largest), "method": "permutation"}
        if ordered is None:
            return judged
        lines = np.nan_to_num(deviates)[:, places].reshape(-1, across)
        return {**judged, "runs": tuple(self._named(runs(lines, limit), longest, ordered))}

    def _named(self, found: list[tuple[int, int, int, float]], longest: Floats, ordered: str) -> list[dict[str, Any]]:
        """Return runs with the labels of what they lie in, the least likely first."""
        along, others = self.axes[ordered], {name: own for name, own in self.axes.items() if name != ordered}
        of_line = list(product(*others.values()))
        named = []
        for line, first, last, total in found:
            labels = dict(zip(others, of_line[line], strict=True))
            p = float(p_of_largest(np.array(total), longest))
            named.append({**labels, "first": along[first], "last": along[last], "sum": total, "p": p})
        return sorted(named, key=lambda run: (run["p"], -abs(run["sum"])))


def _is_plain(rows: Rows) -> bool:
    return rows.is_plain and rows.weight is None


def _as_they_are(low: Floats, high: Floats) -> Ends:
    return low, high


def _study(y: object, scores: Scores, group: object, against: Against, options: Mapping[str, Any]) -> _Study:
    """Read labels and groups, and say which codes of rows are compared with which."""
    column = as_column(y, "y")
    if len(column) != scores.rows:
        turned = "; rows come first, so pass X.T" if scores.shape[-1] == len(column) else ""
        labelled, scored = count(len(column), "row"), count(scores.rows, "row")
        raise CurvewiseError(f"y and X must be equally long: y has {labelled}, X has {scored}{turned}.")
    check_aligned([column, scores.like or column])
    several, options = None, dict(options)
    if options.get("positive") is None and not _is_binary(column):
        several = category("y", column)
        if len(several) > MOST_CLASSES:
            raise column.error(
                f"expected at most {MOST_CLASSES} classes, found {len(several)}; labels come before scores."
            )
        absent = column.missing if column.missing is not None else np.zeros(len(column), dtype=bool)
        y = np.where(absent, math.nan, several.code == 0)
    rows = unwrap(read_rows)(y, np.zeros(scores.rows), **options)
    kept = np.arange(scores.rows) if rows.kept is None else rows.kept
    own, names = rows.positive.astype(np.intp), ["negative", "positive"]
    if several is not None:
        own = several.code[kept]
        names = [name for name, label in zip(several.names, several.labels, strict=True) if label is not None]
    axes: dict[str, list[Any]] = {}
    pairs: list[tuple[int, Places]] = [(1, np.array([0]))]  # one class against others
    if several is not None and against == "rest":
        pairs = [(k, np.delete(np.arange(len(names)), k)) for k in range(len(names))]
        axes["class"] = names
    elif several is not None:
        pairs = [(i, np.array([j])) for i, j in combinations(range(len(names)), 2)]
        axes["pair"] = [f"{names[i]} vs {names[j[0]]}" for i, j in pairs]
    elif against == "pairs":
        raise OptionError.of("against", "'pairs' needs more than two classes; leave it out.")
    groups = 1
    if group is not None:
        own_group = category("group", as_column(group, "group"))
        check_aligned([column, as_column(group, "group")])
        groups, own = len(own_group), own + len(names) * own_group.code[kept]
        axes = {"group": list(own_group.names), **axes}
    codes = len(names) * groups + 1
    code = np.full(scores.rows, codes - 1, dtype=np.uint16)
    code[kept] = own
    contrasts = []
    for first, (one, others) in product(range(0, codes - 1, len(names)), pairs):
        positive, inside = np.zeros((2, codes), dtype=bool)
        positive[first + one] = inside[first + one] = True
        inside[first + others] = True
        contrasts.append(Contrast(positive, inside))
    return _Study(scores, rows, kept, code, contrasts, axes | scores.axes)


def _is_binary(column: Column) -> bool:
    """Say whether labels are of two classes at most, or cannot be labels at all, which reading them says."""
    there = column.values if column.missing is None else column.values[~column.missing]
    try:
        return len(classes_in(there)) <= 2
    except Exception:  # noqa: BLE001 - values that cannot be compared
        return True


def _of_d_prime(found: Columns) -> Columns:
    """Return d\u2032 in the place of AUC; where that is 0 or 1 it is undefined, and an end of its interval infinite."""
    value = found.value.copy()
    value[(value == 0) | (value == 1)] = math.nan
    ends = partial(_ends_of_d_prime, found.make_ends)
    return replace(found, metric="d_prime", value=_deviates(value), make_ends=ends, chance=0.0)


def _ends_of_d_prime(make_ends: Callable[[], Ends]) -> Ends:
    low, high = make_ends()
    return _deviates(low), _deviates(high)


def _deviates(area: Floats) -> Floats:
    from scipy.special import ndtri  # noqa: PLC0415 - slow to load

    return np.asarray(math.sqrt(2) * ndtri(area))


def _with_notes(found: Columns, scores: Scores) -> Columns:
    """Say how many columns lie beyond chance, and which have no value."""
    notes, alpha = [], 1 - found.level
    if not np.isnan(found.p).all():
        counts = {"holm": int((found.p_holm < alpha).sum()), "bh": int((found.p_bh < alpha).sum())}
        notes.append(note("columns_beyond_chance", **counts, columns=found.value.size, alpha=alpha))
        if found.p_family is not None:
            notes.append(note("columns_by_permutation", family=int((found.p_family < alpha).sum()), alpha=alpha))
    else:
        notes.append(note("columns_without_p", metric=found.metric))
    undefined = np.flatnonzero(np.isnan(found.value).reshape(-1, scores.size).any(axis=0))
    if len(undefined):
        named = ", ".join(scores.name(int(k)) for k in undefined[:5]) + (", …" if len(undefined) > 5 else "")
        notes.append(note("columns_undefined", columns=len(undefined), named=named))
    return replace(found, notes=tuple(notes))
