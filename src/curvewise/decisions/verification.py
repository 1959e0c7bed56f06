"""What a test does on all rows where only some were verified: Begg and Greenes' correction."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats
from curvewise.core.ranking import Ranking, rank
from curvewise.core.rate import flagged_rows
from curvewise.core.sweep import Sweep
from curvewise.decisions.verification_cells import VerificationCells, decided
from curvewise.errors import CurvewiseError, Note, OptionError, UndefinedMetricError, note
from curvewise.inference.influence import degrees_of_freedom
from curvewise.inference.interval import estimate_of
from curvewise.inference.limits import logit_wald
from curvewise.metric.registry import bound
from curvewise.results.estimate import Estimate, undefined
from curvewise.results.numbers import percent
from curvewise.results.result import Result, Table
from curvewise.rows.category import Category, category, combined
from curvewise.rows.checks import as_float, one_of, real, whole
from curvewise.rows.columns import Column, as_column
from curvewise.rows.reading import check_aligned, read_rows, refuse_unknown, rows_within
from curvewise.rows.rows import RowOptions, Rows
from curvewise.rows.weight_scale import with_near_weights

Mask = NDArray[np.bool_]

METHODS = ("mover", "logit")
VERIFIED, COVARIATE = "verified", "covariate"
FEW_VALUES = 20  # scores of at most so many values are cells by themselves
FEW_SEEN = 5  # verified positives of a cell below which they do not tell how the others vary
FEW = 10  # verified positives below which any interval is unreliable
NAIVE = {"sensitivity": "recall", "specificity": "specificity", "ppv": "precision", "npv": "npv"}


@dataclass(frozen=True, repr=False)
class VerificationCorrected(Result, schema="verification_corrected"):
    """A test where only some rows were verified: corrected numbers, and those of the verified rows alone.

    Made by `curvewise.verification_corrected`.

    Attributes
    ----------
    corrected, naive
        Estimates by name: ``sensitivity``, ``specificity``, ``ppv``, ``npv`` (at a threshold), ``prevalence``, and
        ``roc_auc`` of a score with more than two values.
    rows
        The verified rows with weights, each standing for the rows like it: taken by every verb, for curves and any
        other metric. Intervals of other verbs are too narrow where few verified positives stand for many; a note says
        where.
    verified, total
        How many rows are verified, of how many.
    threshold
        Where the score was cut, if it was.
    """

    corrected: dict[str, Estimate]
    naive: dict[str, Estimate]
    verified: int
    total: int
    threshold: float | None
    level: float
    notes: tuple[Note, ...] = ()
    rows: Rows = field(repr=False, kw_only=True)

    @property
    def table(self) -> Table:
        """One row per number: corrected, and from verified rows alone."""
        columns: dict[str, list[Any]] = {"metric": list(self.corrected)}
        for prefix, found in (("corrected", self.corrected), ("naive", self.naive)):
            some = [found[name] for name in self.corrected]
            columns[prefix] = [e.value for e in some]
            for end in ("low", "high"):
                columns[end if prefix == "corrected" else f"{prefix}_{end}"] = [
                    getattr(e, end) if e.has_interval else None for e in some
                ]
        title = f"Corrected for verification: {self.verified} of {self.total} rows verified"
        return Table(f"{title} ({percent(self.level)} intervals)", columns)


def verification_corrected(
    y: object,
    score: object,
    threshold: float | None = None,
    *,
    covariate: object = None,
    bins: int | None = None,
    method: str = "mover",
    level: float = 0.95,
    **rows: Unpack[RowOptions],
) -> VerificationCorrected:
    """Correct sensitivity, specificity and AUC for rows whose class was never verified.

    Parameters
    ----------
    y
        Labels; missing (None, NaN) where a row was not verified.
    score
        The score, or the test's result (two values), of every row, verified or not.
    threshold
        Positive means score ≥ threshold. Not needed for a test with two values; without it a score has a corrected
        AUC and prevalence alone.
    covariate
        What else decided who was verified (symptoms, a clinic): a column of names.
    bins
        Verification depended on the score itself, not only on the decision: rows are compared within this many bins
        of equal numbers of rows. Where there is no threshold, scores of at most 20 values need none.
    method
        Of the intervals of sensitivity and specificity: ``"mover"`` (default; from Wilson intervals of both shares of
        positives, also where a rate is 0 or 1) or ``"logit"`` (Begg and Greenes' variance, none at 0 and 1).
    level
        The confidence level of the intervals.
    **rows
        Options of `curvewise.sweep`; ``missing`` speaks of scores, not of labels.

    Returns
    -------
    VerificationCorrected
        ``corrected`` and ``naive`` estimates, and ``rows``: verified rows with weights, for every other verb.

    Notes
    -----
    Who tests positive is verified more often, so sensitivity among verified rows is too high and specificity too low.
    Within a cell (decision, covariate, bin) verified rows stand for the others:
    sensitivity = Σ₊ n·d / Σ n·d, with n all rows of a cell, d the share of positives among its verified ones, and
    the first sum over cells of flagged rows. The interval of the prevalence adds up how far the share of positives
    of both decisions (or of each cell, without one) reaches (MOVER), as that of sensitivity does. All this is right
    if within a cell verification does not depend on the class ("missing at random"), which these data cannot show.
    The AUC weighs verified rows by n over the verified of their cell. Its interval adds up how far it moves when
    the share of positives of each cell moves to the ends of its Wilson interval: often no false negative was
    verified, and the variance of what was seen then says nothing.

    References
    ----------
    Begg & Greenes (1983) Biometrics 39:207-215. Zhou (1993) Communications in Statistics - Theory and Methods
    22:3177-3198. Alonzo & Pepe (2005) Journal of the Royal Statistical Society C 54:173-190.

    Examples
    --------
    Hepatic scintigraphy (Drum & Christacopoulos 1972): 344 of 650 patients were verified.

    >>> import curvewise as cw
    >>> test = [1] * 429 + [0] * 221
    >>> disease = [1] * 231 + [0] * 32 + [None] * 166 + [1] * 27 + [0] * 54 + [None] * 140
    >>> found = cw.verification_corrected(disease, test)
    >>> {name: round(e.value, 3) for name, e in found.corrected.items()}
    {'sensitivity': 0.836, 'specificity': 0.738, 'ppv': 0.878, 'npv': 0.667, 'prevalence': 0.693}
    >>> {name: round(e.value, 3) for name, e in found.naive.items()}
    {'sensitivity': 0.895, 'specificity': 0.628, 'ppv': 0.878, 'npv': 0.667, 'prevalence': 0.75}
    """
    level = real("level", level, 0, 1, closed=False)
    one_of("method", method, METHODS)
    bins = None if bins is None else whole("bins", bins, 1)
    if isinstance(rows_within(y), (Rows, Sweep)):
        raise CurvewiseError("Rows and sweeps have no unverified rows left: pass labels, missing where not verified.")
    refuse_unknown(rows, ("threshold", "covariate", "bins", "method", "level"))
    if rows.get("stratum") is not None:
        raise OptionError.of(
            "stratum", "this correction takes rows without strata; what decided who was verified is covariate=."
        )
    every, verified = _read(y, score, covariate, rows)
    threshold = _threshold(every, threshold)
    flagged = None if threshold is None else flagged_rows(every, threshold)
    cell, given = _cells(every, flagged, bins)
    cells = VerificationCells(every, verified, cell.code, cell.names)
    seen = every.take(verified)
    corrected = _corrected(cells, flagged, method, level)
    naive = {name: _naive(name, seen, threshold, level) for name in corrected}
    weighted = replace(
        seen,
        weight=cells.stands_for[verified] * (1 if seen.weight is None else seen.weight),
        weight_kind="sampling",
        groups={k: v for k, v in seen.groups.items() if k != VERIFIED},
    )
    share = int(verified.sum()), len(every)
    notes = [note("verification_share", verified=share[0], rows=share[1])]
    notes.append(note("all_verified") if share[0] == share[1] else note("verification_depends", given=given))
    positives = int(seen.positive.sum())
    if positives < FEW:
        notes.append(note("few_verified", count=positives))
    thin = cells.thin(FEW_SEEN)
    if thin:
        notes.append(note("verification_thin", cells=thin, all=len(cells.names), few=FEW_SEEN))
    cut = None if threshold is None else as_float(threshold)
    return VerificationCorrected(corrected, naive, *share, cut, level, tuple(notes), rows=weighted)


def _read(y: object, score: object, covariate: object, options: RowOptions) -> tuple[Rows, Mask]:
    """Read all rows; an unverified one gets the label of the first verified row, which nobody reads."""
    labels = as_column(y, "y")
    check_aligned([labels, as_column(score, "score")])
    unknown = np.zeros(len(labels), dtype=bool) if labels.missing is None else labels.missing
    if unknown.all():
        raise UndefinedMetricError("y: no row is verified, so nothing is known of any.")
    filled = labels.values.copy()
    filled[unknown] = labels.values[~unknown][:1]
    group: dict[str, object] = {VERIFIED: ~unknown}
    if covariate is not None:
        group[COVARIATE] = covariate
    rows = with_near_weights(read_rows(filled, score, group=group, **options))
    known = rows.groups[VERIFIED]
    verified = np.array(known.labels, dtype=bool)[known.code]
    if not verified.any():
        raise UndefinedMetricError("y: no row with a score is verified, so nothing is known of any.")
    return replace(rows, positive=rows.positive & verified), verified


def _threshold(rows: Rows, threshold: float | None) -> float | None:
    """Return where the score is cut: a test with two values is cut between them."""
    if threshold is not None:
        return threshold
    values = np.unique(rows.score)
    if len(values) != 2:
        return None
    cut: float = values[-1 if rows.higher_is == "positive" else 0].item()
    return cut


def _cells(rows: Rows, flagged: Mask | None, bins: int | None) -> tuple[Category, list[str]]:
    """Return the cells within which verified rows stand for the others, and the codes of what makes them."""
    parts, given = [], []
    if flagged is not None:
        if flagged.all() or not flagged.any():
            which = "every" if flagged.all() else "no"
            raise UndefinedMetricError(f"Sensitivity and specificity need both decisions: {which} row is flagged.")
        words = np.where(flagged, "positive", "negative").astype(object)
        parts.append(category("decision", Column("decision", words)))
        given.append("verification_decision")
    if bins is not None:
        edges = np.quantile(rows.score, np.arange(1, bins) / bins, method="lower")
        place = np.searchsorted(np.unique(edges), rows.score, side="right")
        parts.append(category("bin", Column("bin", place)))
        given.append("verification_score_bin")
    elif flagged is None:
        if len(np.unique(rows.score)) > FEW_VALUES:
            raise OptionError.of(
                "bins", "say how verification depended on the score: pass threshold= (on the decision), or bins=10."
            )
        parts.append(category("score", Column("score", rows.score)))
        given.append("verification_score")
    if COVARIATE in rows.groups:
        parts.append(rows.groups[COVARIATE])
        given.append("verification_covariate")
    return combined(parts), given


def _corrected(cells: VerificationCells, flagged: Mask | None, method: str, level: float) -> dict[str, Estimate]:
    found: dict[str, Estimate] = {}
    if flagged is not None:
        both = decided(cells, flagged, level)
        for name, side in (("sensitivity", both), ("specificity", both.turned())):
            value = side.sensitivity()
            if math.isnan(value):
                absent = "no_positives" if name == "sensitivity" else "no_negatives"
                found[name] = undefined(name, level, note(absent))
                continue
            low, high = side.interval(level, method)
            error = side.logit_error() * value * (1 - value)
            known = None if math.isnan(error) else error
            estimate = Estimate(name, value, low, high, level, method, known)
            found[name] = estimate.without_interval(note("rate_at_end")) if math.isnan(low) else estimate
        for name, side in (("ppv", both), ("npv", both.turned())):
            value, (low, high), away = side.above
            found[name] = Estimate(name, value, low, high, level, "wilson", math.sqrt(cells.variance(away)))
    value, (low, high), error = cells.prevalence(flagged, level)
    found["prevalence"] = Estimate("prevalence", value, low, high, level, "mover", error)
    if len(np.unique(cells.rows.score)) > 2:
        found["roc_auc"] = _auc(cells, value, level)
    return found


def _auc(cells: VerificationCells, prevalence: float, level: float) -> Estimate:
    """Return the AUC of verified rows, each standing for the rows like it."""
    if not 0 < prevalence < 1:
        return undefined("roc_auc", level, note("no_positives" if prevalence == 0 else "no_negatives"))
    found = VerifiedAuc(cells)
    return Estimate("roc_auc", found.value, *found.interval(level), level, "mover", found.standard_error())


def _naive(name: str, seen: Rows, threshold: float | None, level: float) -> Estimate:
    """Return a number of the verified rows alone."""
    if name == "roc_auc":
        return estimate_of(bound(name), seen, level=level)
    if name == "prevalence":
        alone = VerificationCells(seen, np.ones(len(seen), dtype=bool), np.zeros(len(seen), dtype=np.intp), ("",))
        value, (low, high), _ = alone.rate(alone.verified, level)
        return Estimate(name, value, low, high, level, "wilson")
    return replace(estimate_of(bound(NAIVE[name], {"threshold": threshold}), seen, level=level), metric=name)


# ---- The AUC of all rows where only some were verified, and how sure it is ----
# A false negative that was verified stands for many that were not, and often there is none: the variance of what was
# seen then says nothing. The share of positives of each cell is therefore moved to the ends of its Wilson interval, and
# how far the AUC moves with it is added up (MOVER).

EXACT = 1e-12  # sums of weights are as far from perfect separation by rounding alone


@dataclass(frozen=True)
class VerifiedAuc:
    """The AUC of verified rows, each standing for the rows of its cell that it is like."""

    cells: VerificationCells

    @cached_property
    def _ranking(self) -> Ranking:
        rows = self.cells.rows
        return rank(rows.score[self.cells.verified], falling=rows.higher_is == "positive")

    @cached_property
    def _known(self) -> tuple[NDArray[np.intp], NDArray[np.bool_], Floats]:
        """The cell, the class and the weight of each verified row."""
        verified, rows = self.cells.verified, self.cells.rows
        return self.cells.cell[verified], rows.positive[verified], self.cells.units[1][verified]

    def _independent(self, some: NDArray[np.bool_]) -> int:
        """Count the independent units among some verified rows."""
        return len(np.unique(self.cells.units[0][self.cells.verified][some]))

    @cached_property
    def _masses(self) -> tuple[Floats, Floats]:
        """How many positives, and negatives, each verified row stands for."""
        _, positive, weight = self._known
        stands_for = self.cells.stands_for[self.cells.verified] * weight
        return np.where(positive, stands_for, 0.0), np.where(positive, 0.0, stands_for)

    def _of(self, positives: Floats, negatives: Floats) -> float:
        tp, fp = self._ranking.cumulated(positives), self._ranking.cumulated(negatives)
        pos, neg = np.diff(tp, prepend=0), np.diff(fp, prepend=0)
        return float(neg @ (tp - pos / 2)) / float(tp[-1] * fp[-1])

    @cached_property
    def value(self) -> float:
        """The AUC."""
        found = self._of(*self._masses)
        return round(found) if min(found, 1 - found) < EXACT else found

    def moved(self, cell: int, share: float) -> float:
        """Return the AUC if another share of a cell's rows were positive.

        Further rows of a class score like the verified ones of it and, as if there were one more, like any verified
        row of the cell: where none of them has been seen, nothing else is known.
        """
        at, positive, weight = self._known
        here = at == cell
        total = float(sum(mass[here].sum() for mass in self._masses))
        masses = []
        for mass, of_class, wanted in zip(self._masses, (positive, ~positive), (share, 1 - share), strict=True):
            new, own = mass.copy(), float(mass[here].sum())
            if wanted * total <= own:
                new[here] *= wanted * total / own if own else 0.0
            else:
                seen = self._independent(here & of_class)
                anywhere = weight[here] / weight[here].sum()
                alike = mass[here] / own if own else anywhere
                new[here] += (wanted * total - own) * (seen * alike + anywhere) / (seen + 1)
            masses.append(new)
        return self._of(*masses)

    @cached_property
    def influence(self) -> tuple[Floats, Floats]:
        """What each row adds to the error of the AUC: in all, and while the shares of positives stay as they are."""
        cells, rows = self.cells, self.cells.rows
        at, positive, weight = self._known
        placed = self._ranking.placements(positive, self._masses[0] + self._masses[1]) - self.value
        share = float(self._masses[0].sum()) / float(cells.units[1].sum())
        own = placed / np.where(positive, share, 1 - share)
        known = np.zeros(len(rows))
        known[cells.verified] = own
        whole = cells.units[1] / cells.units[1].sum()
        group = 2 * at + positive
        size = np.bincount(group, weight, 2 * len(cells.names))
        mean = np.bincount(group, own * weight, len(size)) / np.where(size > 0, size, 1.0)
        inside = np.zeros(len(rows))
        inside[cells.verified] = own - mean[group]
        of_cell = np.bincount(at, own * weight, len(cells.names)) / np.bincount(at, weight, len(cells.names))
        rest = of_cell[cells.cell] + cells.stands_for * inside
        return cells.spread_out(known) * whole, rest * whole

    def standard_error(self) -> float:
        """Return the standard error of what was seen."""
        return math.sqrt(self.cells.variance(self.influence[0]))

    def interval(self, level: float) -> tuple[float, float]:
        """Return the interval: moves of all cells, and what verified rows vary within them, added as squares.

        They are added on the scale of asin √AUC, which has an end at 1 as the logit scale has not: what one cell
        may move does not depend on whether a pair of verified rows is out of order.
        """
        value, positive = self.value, self._known[1]
        away = self.influence[1]
        variance = self.cells.variance(away)
        each = away if self.cells.rows.cluster is None else np.bincount(self.cells.rows.cluster, away)
        degrees = degrees_of_freedom(variance, [(each**2, None, len(each))])
        smaller = min(self._independent(positive), self._independent(~positive))
        reached = [logit_wald(value, math.sqrt(variance), level, smaller, degrees)]
        for k in range(len(self.cells.names)):
            _, (low, high), _ = self.cells.rate(self.cells.cell == k, level)
            moved = self.moved(k, low), self.moved(k, high)
            reached.append((min(*moved, value), max(*moved, value)))
        here = _angle(value)
        below = math.hypot(*(here - _angle(low) for low, _ in reached))
        above = math.hypot(*(_angle(high) - here for _, high in reached))
        return math.sin(max(here - below, 0.0)) ** 2, math.sin(min(here + above, math.pi / 2)) ** 2


def _angle(value: float) -> float:
    return math.asin(math.sqrt(min(max(value, 0.0), 1.0)))
