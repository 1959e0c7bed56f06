"""What an alarm, and its absence, are worth where positives are rarer or more common."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

from curvewise.core.confusion import Confusion
from curvewise.core.rate import flagged_rows, rate_interval, rate_of_rows
from curvewise.core.sweep import Sweep, as_source, sweep_of
from curvewise.decisions.choice import SWAPPED, confusion_of, rate_metrics
from curvewise.errors import CurvewiseError, Note, UndefinedMetricError, note
from curvewise.inference.interval import intervals_of
from curvewise.metric.registry import Metric, find
from curvewise.results.estimate import Estimate
from curvewise.results.numbers import percent, show
from curvewise.results.result import Result, Table
from curvewise.rows.checks import real, values_of
from curvewise.rows.rows import RowOptions, Rows

Ends = tuple[float, float]
Share = tuple[float, float, float]  # with its ends

POSITIVE_CELLS = ("tp", "fn")
FLAGGED_CELLS = ("tp", "fp")


@dataclass(frozen=True, repr=False)
class PredictiveValues(Result, schema="predictive_values"):
    """PPV and NPV with intervals, and the share of rows flagged, at each prevalence, of one threshold.

    Made by `curvewise.ppv_npv`; ``confusion`` has the counts whose TPR and FPR were used.
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
        rates = f"TPR is {show(self.confusion.recall)} and FPR {show(self.confusion.fpr)}"
        how = f"{percent(self.level)} intervals"
        return Table(f"Predictive values where {rates} ({how})", columns)


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
    Predictive values where TPR is 0.9000 and FPR 0.0500 (95% intervals)
    <BLANKLINE>
    prevalence     ppv  ppv_low  ppv_high     npv  npv_low  npv_high  flagged
    ──────────  ──────  ───────  ────────  ──────  ───────  ────────  ───────
        0.0010  0.0177   0.0134    0.0232  0.9999   0.9998    0.9999   0.0508
        0.0100  0.1538   0.1206    0.1931  0.9989   0.9981    0.9994   0.0585
        0.1000  0.6667   0.6015    0.7247  0.9884   0.9800    0.9936   0.1350
    """
    level = real("level", level, 0, 1, closed=False)
    shares = tuple(real("prevalence", share, 0, 1, closed=False) for share in values_of("prevalence", prevalence))
    if not shares:
        raise CurvewiseError("prevalence: expected at least one share of positives, got none.")
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
    pair = rate_pair(source, c, threshold, level)
    metrics = find("precision"), find("npv")
    ppvs, npvs = (tuple(pair.at(m, c, share, level) for share in shares) for m in metrics)
    flagged = tuple(_moved(c, share).predicted_rate for share in shares)
    ours, theirs = ppvs[0].reason, npvs[0].reason
    notes = tuple(why for why in (ours, None if theirs == ours else theirs) if why is not None)
    return PredictiveValues(shares, ppvs, npvs, flagged, c, level, notes)


def _moved(c: Confusion, prevalence: float) -> Confusion:
    return confusion_of(c.tp, c.fp, c.positives, c.negatives, prevalence=prevalence)


@dataclass(frozen=True)
class RatePair:
    """TPR and FPR with their intervals (None where the rows have none), and their correlation."""

    tpr: Ends | None
    fpr: Ends | None
    correlation: float = 0.0
    reason: Note | None = None

    def at(self, metric: Metric, c: Confusion, prevalence: float, level: float) -> Estimate:
        """Return a rate with its interval where the prevalence is another."""
        value = float(getattr(_moved(c, prevalence), metric.name))
        if math.isnan(value) or self.tpr is None or self.fpr is None or metric.rate is None:  # mutants: both or neither
            why = c.reason(metric.name) if math.isnan(value) else self.reason
            return Estimate(metric.name, value, math.nan, math.nan, level, None, reason=why)
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

    def _cell(self, cell: str, c: Confusion) -> Share:
        """Return the share that a cell has of its class, with its ends."""
        name, total = ("tpr", c.positives) if cell in POSITIVE_CELLS else ("fpr", c.negatives)
        low, high = getattr(self, name)
        share = getattr(c, cell) / total
        return (share, low, high) if cell in FLAGGED_CELLS else (share, 1 - high, 1 - low)

    def _sum_ends(self, part: tuple[str, ...], c: Confusion, prevalence: float, value: float) -> Ends:
        """Return the ends of a share of all rows: a weighted sum of one share of each class (MOVER)."""
        cells = [cell for cell in part if SWAPPED[cell] not in part]  # both cells of a class are all of it
        terms = []
        for cell in cells:
            weight = prevalence if cell in POSITIVE_CELLS else 1 - prevalence
            share, low, high = self._cell(cell, c)
            terms.append((weight * (share - low), weight * (high - share)))
        # where one is flagged and the other not, one of the two shares is turned round
        turned = len({cell in FLAGGED_CELLS for cell in cells}) == 2
        together = -self.correlation if turned else self.correlation
        squares = []
        for parts in zip(*terms, strict=True):
            crossed = 2 * together * math.prod(parts) if len(parts) == 2 else 0.0
            squares.append(max(sum(x * x for x in parts) + crossed, 0.0))
        return max(value - math.sqrt(squares[0]), 0.0), min(value + math.sqrt(squares[1]), 1.0)


def rate_pair(source: Sweep | Rows | None, c: Confusion, threshold: float | None, level: float) -> RatePair:
    """Return TPR and FPR with intervals: Wilson's, of rows or of as many as rows are worth."""
    if isinstance(source, Rows) and not source.is_plain:
        flagged = flagged_rows(source, math.nan if threshold is None else threshold)
        classes = source.positive, ~source.positive
        tpr, fpr = (rate_of_rows(source, flagged, on, level=level) for on in classes)
        if math.isnan(tpr.trials) or math.isnan(fpr.trials):
            return RatePair(None, None, reason=note("one_cluster"))
        return RatePair(tpr.interval(level), fpr.interval(level), tpr.correlation(fpr))
    if not (c.is_counted if source is None else source.is_whole):
        return RatePair(None, None, reason=note("weighted_sweep_no_interval"))
    hits, alarms = (rate_interval(k, n, level=level) for k, n in ((c.tp, c.positives), (c.fp, c.negatives)))
    return RatePair(hits, alarms)


def ratio_ends(above: Share, below: Share, correlation: float = 0.0) -> Ends:
    """Return the interval of the ratio of two rates, each with its ends (Donner and Zou's MOVER-R)."""
    inverse = _lower(below, above, correlation)
    return _lower(above, below, correlation), (1 / inverse if inverse else math.inf)


def _lower(above: Share, below: Share, correlation: float) -> float:
    """Solve for the lower end, in the form that does not divide by a difference of equals."""
    (r1, low1, _), (r2, _, high2) = above, below
    top = low1 * (2 * r1 - low1)
    middle = r1 * r2 - correlation * (r1 - low1) * (high2 - r2)
    root = math.sqrt(max(middle**2 - top * high2 * (2 * r2 - high2), 0.0))
    return top / (middle + root) if top > 0 and middle + root > 0 else 0.0


def rates_at(
    source: Sweep | Rows, sweep: Sweep, c: Confusion, prevalence: float | None, level: float
) -> dict[str, Estimate]:
    """Return every rate that a threshold moves; where a prevalence is stated, what depends on it follows."""
    metrics, found = rate_metrics(), c.estimates(level)
    infinite = math.isinf(c.threshold or 0) and math.isinf(sweep.threshold[0])
    if sweep.negatives is None:
        why = note("unknown_negatives_no_interval")
        found = {k: e.without_interval(why) if e.is_defined else e for k, e in found.items()}
    elif not (sweep.is_whole if isinstance(source, Sweep) else source.is_plain):
        if isinstance(source, Sweep) or infinite:
            why = note("weighted_sweep_no_interval" if isinstance(source, Sweep) else "infinite_scores")
            found = {k: e.without_interval(why) if e.is_defined else e for k, e in found.items()}
        else:
            found = intervals_of([m.bind({"threshold": c.threshold}) for m in metrics], source, level=level)
    if prevalence is not None:
        pair = rate_pair(source, c, c.threshold, level)
        found |= {m.name: pair.at(m, c, prevalence, level) for m in metrics if m.prevalence}
    return {m.name: found[m.name] for m in metrics}
