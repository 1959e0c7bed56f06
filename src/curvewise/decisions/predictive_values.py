"""What an alarm, and its absence, are worth where positives are rarer or more common."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from curvewise.core.confusion import Confusion
from curvewise.core.rate import flagged_rows, rate_interval, rate_of_rows
from curvewise.core.registry import find
from curvewise.core.sweep import Sweep, as_source, sweep_of
from curvewise.decisions.choice import SWAPPED, confusion_of, rate_metrics
from curvewise.errors import CurvewiseError, UndefinedMetricError, note
from curvewise.inference.interval import intervals_of
from curvewise.results.estimate import Estimate
from curvewise.results.numbers import show
from curvewise.results.result import Result, Table
from curvewise.rows.checks import real

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from curvewise.core.registry import Metric
    from curvewise.errors import Note
    from curvewise.rows.reading import RowOptions, Rows

    Ends = tuple[float, float]

POSITIVE_CELLS = ("tp", "fn")
FLAGGED_CELLS = ("tp", "fp")


@dataclass(frozen=True, repr=False)
class PredictiveValues(Result):
    """PPV and NPV of one threshold over prevalences, made by `curvewise.ppv_npv`.

    Attributes
    ----------
    prevalence
        The shares of positives.
    ppv, npv
        At each, with intervals.
    flagged
        The share of rows flagged at each.
    confusion
        The counts whose TPR and FPR were used.
    """

    prevalence: tuple[float, ...]
    ppv: tuple[Estimate, ...]
    npv: tuple[Estimate, ...]
    flagged: tuple[float, ...]
    confusion: Confusion
    level: float
    notes: tuple[Note, ...] = ()

    @property
    def table(self) -> Table:
        """One row per prevalence."""
        columns: dict[str, list[Any]] = {"prevalence": list(self.prevalence)}
        for name, found in (("ppv", self.ppv), ("npv", self.npv)):
            columns[name] = [e.value for e in found]
            columns[f"{name}_low"] = [e.low if e.has_interval else None for e in found]
            columns[f"{name}_high"] = [e.high if e.has_interval else None for e in found]
        columns["flagged"] = list(self.flagged)
        c = self.confusion
        how = f"{100 * self.level:.4g} % intervals"
        return Table(
            f"Predictive values where TPR is {show(c.recall)} and FPR {show(c.fpr)} ({how})", columns
        )


def ppv_npv(
    y: object,
    score: object = None,
    threshold: float | None = None,
    *,
    prevalence: Sequence[float],
    level: float = 0.95,
    **rows: Unpack[RowOptions],
) -> PredictiveValues:
    """Return the predictive values of a threshold over a range of prevalences.

    Parameters
    ----------
    y, score
        A `Confusion` alone, a `Sweep` or `Rows` (then name ``threshold=``), or labels and scores with the
        options of `curvewise.sweep`.
    threshold
        Positive means score ≥ threshold.
    prevalence
        Shares of positives, strictly between 0 and 1, one row of the table each.
    level
        The confidence level of the intervals.

    Returns
    -------
    PredictiveValues
        ``table`` with ``prevalence``, ``ppv``, ``npv``, each with its interval, and ``flagged``, the share of
        rows flagged; ``ppv`` and ``npv`` are estimates.

    Notes
    -----
    PPV = π·TPR/(π·TPR + (1−π)·FPR), NPV = (1−π)·TNR/((1−π)·TNR + π·FNR), with the TPR and FPR of the rows
    given: positives and negatives are taken to score alike everywhere, only their numbers differ. The
    intervals are those of the likelihood ratios TPR/FPR and TNR/FNR, made of the Wilson intervals of
    both rates; the prevalence counts as known. With clusters or sampling weights the Wilson intervals are
    those of as many independent rows as the rows are worth.

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
    source, c = _counts(y, score, threshold, rows)
    pair = rate_pair(source, c, threshold, level)
    precision, npv = find("precision"), find("npv")
    ppvs, npvs = (tuple(pair.at(m, c, share, level) for share in shares) for m in (precision, npv))
    flagged = tuple(pair.value(find("predicted_rate"), c, share) for share in shares)
    reasons = (e.reason for e in (ppvs[0], npvs[0]) if e.reason is not None)
    return PredictiveValues(tuple(shares), ppvs, npvs, flagged, c, level, _once(reasons))


def _once(reasons: Iterable[Note]) -> tuple[Note, ...]:
    """Return every reason once; notes hold values and have no hash."""
    found: list[Note] = []
    found.extend(why for why in reasons if why not in found)
    return tuple(found)


@dataclass(frozen=True)
class RatePair:
    """TPR and FPR with their intervals (None where the rows have none), and their correlation."""

    tpr: Ends | None
    fpr: Ends | None
    correlation: float = 0.0
    reason: Note | None = None

    def value(self, metric: Metric, c: Confusion, prevalence: float) -> float:
        """Return a rate where the prevalence is another."""
        moved = confusion_of(c.tp, c.fp, c.positives, c.negatives, prevalence=prevalence)
        return float(getattr(moved, metric.name))

    def at(self, metric: Metric, c: Confusion, prevalence: float, level: float) -> Estimate:
        """Return a rate with its interval where the prevalence is another."""
        value = self.value(metric, c, prevalence)
        if math.isnan(value):
            return Estimate(metric.name, value, value, value, level, None, reason=c.reason(metric.name))
        if self.tpr is None or self.fpr is None or metric.rate is None:
            return Estimate(metric.name, value, math.nan, math.nan, level, None, reason=self.reason)
        part, whole = metric.rate
        if len(whole) == 2:
            (other,) = set(whole) - set(part)
            shares = {True: prevalence, False: 1 - prevalence}
            odds = shares[part[0] in POSITIVE_CELLS] / shares[other in POSITIVE_CELLS]
            ratio = ratio_ends(self._cell(part[0], c), self._cell(other, c), self.correlation)
            low, high = (1.0 if math.isinf(r) else r * odds / (1 + r * odds) for r in ratio)
        else:
            low, high = self._sum_ends(part, c, prevalence, value)
        return Estimate(metric.name, value, low, high, level, "mover")

    def _cell(self, cell: str, c: Confusion) -> tuple[float, float, float]:
        """Return the share that a cell has of its class, with its ends."""
        name = "tpr" if cell in POSITIVE_CELLS else "fpr"
        low, high = getattr(self, name)
        if cell in FLAGGED_CELLS:
            return float(getattr(c, name)), low, high
        total = c.positives if cell in POSITIVE_CELLS else c.negatives
        return getattr(c, cell) / total, 1 - high, 1 - low

    def _sum_ends(self, part: tuple[str, ...], c: Confusion, prevalence: float, value: float) -> Ends:
        """Return the ends of a share of all rows: a weighted sum of one share of each class (MOVER)."""
        cells = [cell for cell in part if SWAPPED[cell] not in part]  # both cells of a class are all of it
        terms = []
        for cell in cells:
            weight = prevalence if cell in POSITIVE_CELLS else 1 - prevalence
            share, low, high = self._cell(cell, c)
            terms.append((weight * (share - low), weight * (high - share)))
        together = self.correlation
        if len({cell in FLAGGED_CELLS for cell in cells}) == 2:  # one of the two shares is turned round
            together = -together

        def away(parts: list[float]) -> float:
            crossed = 2 * together * math.prod(parts) if len(parts) == 2 else 0.0
            return math.sqrt(max(sum(x * x for x in parts) + crossed, 0.0))

        below, above = away([t[0] for t in terms]), away([t[1] for t in terms])
        return max(value - below, 0.0), min(value + above, 1.0)


def rate_pair(source: Sweep | Rows | None, c: Confusion, threshold: float | None, level: float) -> RatePair:
    """Return TPR and FPR with intervals: Wilson's, of rows or of as many as rows are worth."""
    if source is None:
        counted = c.is_counted
    elif isinstance(source, Sweep):
        counted = source.is_whole
    elif not source.is_plain:
        flagged = flagged_rows(source, math.nan if threshold is None else threshold)
        tpr, fpr = (
            rate_of_rows(source, flagged, on, level=level) for on in (source.positive, ~source.positive)
        )
        if math.isnan(tpr.trials) or math.isnan(fpr.trials):
            return RatePair(None, None, reason=note("one_cluster"))
        return RatePair(tpr.interval(level), fpr.interval(level), tpr.correlation(fpr))
    else:
        counted = True
    if not counted:
        return RatePair(None, None, reason=note("weighted_sweep_no_interval"))
    hits, alarms = (rate_interval(k, n, level=level) for k, n in ((c.tp, c.positives), (c.fp, c.negatives)))
    return RatePair(hits, alarms)


def _counts(
    y: object, score: object, threshold: float | None, rows: RowOptions
) -> tuple[Sweep | Rows | None, Confusion]:
    """Return the rows, where there are any, and the table at the threshold."""
    source: Sweep | Rows | None = None
    if isinstance(y, Confusion):
        if score is not None or threshold is not None or rows:
            raise CurvewiseError("A Confusion was given, so the threshold is already chosen: pass it alone.")
        c = y
    elif threshold is None:
        raise CurvewiseError("threshold: say where the scores are cut.")
    else:
        source = as_source(y, score, rows)
        sweep = source if isinstance(source, Sweep) else sweep_of(source)
        sweep.known_negatives("A predictive value")
        c = sweep.at(threshold)
    if not (c.positives and c.negatives):
        absent = "positive" if not c.positives else "negative"
        raise UndefinedMetricError(f"Predictive values need both classes: no row is {absent}.")
    return source, c


def ratio_ends(
    above: tuple[float, float, float], below: tuple[float, float, float], correlation: float = 0.0
) -> Ends:
    """Return the interval of the ratio of two rates, each with its ends (Donner and Zou's MOVER-R)."""
    inverse = _lower(below, above, correlation)
    return _lower(above, below, correlation), (1 / inverse if inverse else math.inf)


def _lower(above: tuple[float, float, float], below: tuple[float, float, float], correlation: float) -> float:
    """Solve for the lower end, in the form that does not divide by a difference of equals."""
    (r1, low1, _), (r2, _, high2) = above, below
    top = low1 * (2 * r1 - low1)
    middle = r1 * r2 - correlation * (r1 - low1) * (high2 - r2)
    root = math.sqrt(max(middle**2 - top * high2 * (2 * r2 - high2), 0.0))
    return top / (middle + root) if top > 0 and middle + root > 0 else 0.0


def rates_at(
    source: Sweep | Rows,
    sweep: Sweep,
    c: Confusion,
    prevalence: float | None,
    level: float,
) -> dict[str, Estimate]:
    """Return every rate that a threshold moves; where a prevalence is stated, what depends on it follows."""
    metrics = rate_metrics()
    plain = sweep.is_whole if isinstance(source, Sweep) else source.is_plain
    values = c.estimates(level)
    if plain:
        found = {m.name: values[m.name] for m in metrics}
    elif isinstance(source, Sweep):
        found = _without_intervals(values, "weighted_sweep_no_interval")
    elif math.isinf(c.threshold or 0) and math.isinf(sweep.threshold[0]):
        found = _without_intervals(values, "infinite_scores")
    else:
        bounds = [m.bind({"threshold": c.threshold}) for m in metrics]
        found = intervals_of(bounds, source, level=level)
    if prevalence is not None:
        pair = rate_pair(source, c, c.threshold, level)
        moved = {m.name: pair.at(m, c, prevalence, level) for m in metrics if m.prevalence}
        found = {**found, **moved}
    return {m.name: found[m.name] for m in metrics}


def _without_intervals(values: dict[str, Estimate], code: str) -> dict[str, Estimate]:
    return {k: e.without_interval(note(code)) if e.is_defined else e for k, e in values.items()}
