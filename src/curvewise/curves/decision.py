"""The decision curve: what acting on a probability is worth, against acting on all and on none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Unpack

import numpy as np

from curvewise.core.probability import rows_and_sweep
from curvewise.core.rate import rate_interval, rate_of_rows, rate_of_units, units_and_weights
from curvewise.core.strata import strata_of
from curvewise.curves.base import Curve, Floats, origin
from curvewise.errors import CurvewiseError, Note, note
from curvewise.rows.checks import real
from curvewise.rows.columns import as_column, shown
from curvewise.rows.reading import real_numbers

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.rows.rows import RowOptions, Rows

PERCENT = np.arange(1, 100) / 100
FINE = np.arange(1, 101) / 100  # of the part of the range that is shown where positives are rare


def decision_limit(prevalence: float, chosen: float = 0.0) -> float:
    """Return up to which threshold probability a figure shows: a few times the prevalence, and what was chosen."""
    return min(1.0, max(4 * prevalence, 1.5 * chosen, 0.05))


def shown_thresholds(prevalence: float, chosen: float = 0.0) -> Floats:
    """Return threshold probabilities from 1% to 99%, and more of them in the part that a figure shows."""
    return np.union1d(PERCENT, (decision_limit(prevalence, chosen) * FINE).round(6)[:-1])


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class DecisionCurve(Curve, schema="decision_curve"):
    """Net benefit at each threshold probability, rising; treating none is worth 0 everywhere.

    Unpacks as ``threshold, net_benefit, low, high, standardised, treat_all, interventions_avoided``.
    ``low`` and ``high`` are the ends of its interval (NaN for a sweep of weighted rows, which has forgotten
    them). ``standardised`` is net benefit divided by the prevalence, the most it can be.
    ``interventions_avoided`` counts, of 100 rows, those spared against treating all without missing more
    positives (NaN at threshold 0).
    """

    points = (
        *("threshold", "net_benefit", "low", "high"),
        *("standardised", "treat_all", "interventions_avoided"),
    )
    threshold: Floats
    net_benefit: Floats
    low: Floats
    high: Floats
    standardised: Floats
    treat_all: Floats
    interventions_avoided: Floats
    prevalence: float
    level: float
    method: str = "mover"
    notes: tuple[Note, ...] = ()


def decision_curve(
    y: object,
    p: object = None,
    *,
    thresholds: object = None,
    prevalence: float | None = None,
    level: float = 0.95,
    **rows: Unpack[RowOptions],
) -> DecisionCurve:
    """Return the net benefit of acting where p reaches a threshold probability.

    Parameters
    ----------
    y, p
        A `Sweep` or `Rows` alone, or labels and probabilities of the positive class in [0, 1], with the
        options of `curvewise.sweep`.
    thresholds
        Threshold probabilities, from 0 up to but not 1; 0.01, 0.02 … 0.99 by default. Look at those that
        a reasonable person might hold, not at all.
    prevalence
        The share of positives where the model will be used, if the rows were sampled by class; by
        default that of the rows.
    level
        The confidence level of the intervals, each for its own threshold.

    Notes
    -----
    At the threshold probability p_t a false positive weighs p_t/(1-p_t) of a true positive, and net
    benefit = π·TPR - (1-π)·FPR·p_t/(1-p_t), in true positives per row. Treating all has TPR = FPR = 1.
    Interventions avoided = 100·(net benefit - that of treating all)·(1-p_t)/p_t.

    The interval combines Wilson intervals of the two rates (MOVER: rates of all rows, which are correlated;
    with ``prevalence``, of each class). In simulations of 30 to 1000 rows a nominal 0.95 covered 0.93 to
    0.999, most where counts are next to none; the plain normal interval fell to 0.39. Rows with clusters or
    sampling weights are taken for as many independent ones as would know each rate as well. For the
    difference of two models, resample: ``cw.compare(y, {...}, metric=lambda s: s.at(0.2).net_benefit(0.2))``.

    p must be meant as a probability: a model that ranks well and is badly calibrated shows harm here,
    as it should be. Recalibrate it first.

    References
    ----------
    Vickers & Elkin (2006) Med. Decis. Making 26:565-574. Kerr et al. (2016) J. Clin. Oncol. 34:2534-2540.
    Zou & Donner (2008) Statistics in Medicine 27:1693-1702.

    Examples
    --------
    >>> import curvewise as cw
    >>> y, p = [1] * 14 + [0] * 86, [0.5] * 10 + [0.1] * 4 + [0.5] * 16 + [0.1] * 70
    >>> curve = cw.decision_curve(y, p, thresholds=[0.1, 0.2])
    >>> curve.net_benefit.round(4), curve.treat_all.round(4)
    (array([0.0444, 0.06  ]), array([ 0.0444, -0.075 ]))
    >>> curve.interventions_avoided.round(1)
    array([ 0., 54.])
    """
    level = real("level", level, 0, 1, closed=False)
    grid = PERCENT if thresholds is None else _grid(thresholds)
    read, sweep = rows_and_sweep(y, p, rows)
    sweep.need_both_classes("A decision curve")
    by_class = prevalence is not None
    share = real("prevalence", prevalence, 0, 1, closed=False) if by_class else sweep.prevalence
    cuts = _in_precision_of(sweep.threshold, grid)
    reached = len(sweep.threshold) - np.searchsorted(sweep.threshold[::-1], cuts, side="left")
    tp, fp = counts = [np.append(0, c)[reached] for c in (sweep.tp, sweep.fp)]
    odds = grid / (1 - grid)
    benefit = share * tp / sweep.positives - odds * (1 - share) * fp / sweep.negatives
    treat_all = share - odds * (1 - share)
    if read is not None and not read.is_plain:
        code, (rates, together) = "one_cluster", _rates_of_rows(read, cuts, level, by_class=by_class)
    elif sweep.is_whole:
        code, (rates, together) = "one_cluster", _rates(sweep, counts, level, by_class=by_class)
    else:
        # mutants: not read
        code, rates, together = "weighted_sweep_no_interval", np.full((2, 3, len(grid)), np.nan), 0 * odds
    weights = (share, (1 - share) * odds) if by_class else (1.0, odds)
    low, high = _mover(weights[0] * rates[0], weights[1] * rates[1], together)
    with np.errstate(divide="ignore", invalid="ignore"):
        avoided = 100 * (benefit - treat_all) / odds
    avoided[grid == 0] = np.nan
    arrays = (grid, benefit, low, high, benefit / share, treat_all, avoided)
    return DecisionCurve(
        **dict(zip(DecisionCurve.points, arrays, strict=True)),
        prevalence=share,
        level=level,
        notes=(note(code),) if np.isnan(low).any() else (),
        **origin(sweep),
    )


def _grid(thresholds: object) -> Floats:
    column = as_column(thresholds, "thresholds")
    grid = real_numbers(column).astype(np.float64)
    if column.missing is not None:
        grid[column.missing] = np.nan
    if not len(grid) or not ((grid >= 0) & (grid < 1)).all() or (np.diff(grid) <= 0).any():
        expected = "rising probabilities from 0 up to but not 1"
        raise CurvewiseError(f"thresholds: expected {expected}, got {shown(thresholds)}.")
    return grid


def _in_precision_of(scores: Floats, grid: Floats) -> Floats:
    """Round thresholds as the scores are: the float32 score 0.7 is at the threshold 0.7."""
    single = scores.astype(np.float32)
    return grid.astype(np.float32).astype(np.float64) if np.array_equal(single, scores) else grid


def _rates_of_rows(rows: Rows, cuts: Floats, level: float, *, by_class: bool) -> tuple[Floats, Floats]:
    """Return both rates (value, low, high) at each cut, and how they go together.

    Rows that are clustered or weighted are taken for as many independent ones as they are worth.
    """
    if rows.censored is not None:
        return _rates_at_horizon(rows, cuts, level, by_class=by_class)
    unit, weight = units_and_weights(rows)
    size, clustered, strata = int(unit.max()) + 1, rows.cluster is not None, strata_of(rows)
    classes = rows.positive, ~rows.positive
    whole = [np.bincount(unit, weight * on, size) for on in classes]
    most = [float(np.sum(weight * on)) if rows.is_whole else float(np.count_nonzero(on)) for on in classes]
    if not by_class:
        whole, most = [whole[0] + whole[1]] * 2, [sum(most)] * 2  # mutants: not read
    # from the highest threshold down, the rows that reach it are added to those flagged
    reached = np.searchsorted(cuts, np.clip(rows.score.astype(np.float64), 0, 1), side="right")
    order = np.argsort(reached, kind="stable")
    start = np.searchsorted(reached[order], np.arange(len(cuts) + 2))  # mutants: not read
    # mutants: not read
    flagged, rates, together = np.zeros((2, size)), np.empty((2, 3, len(cuts))), np.empty(len(cuts))
    for k in reversed(range(len(cuts))):
        more = order[start[k + 1] : start[k + 2]]
        found = []
        for which, on in enumerate(classes):
            flagged[which] += np.bincount(unit[more], weight[more] * on[more], size)
            rate = rate_of_units(flagged[which], whole[which], most[which], level, clustered=clustered, strata=strata)
            rates[which, :, k] = rate.value, *rate.interval(level)
            found.append(rate)
        together[k] = found[0].correlation(found[1])
    return rates, together


def _rates_at_horizon(rows: Rows, cuts: Floats, level: float, *, by_class: bool) -> tuple[Floats, Floats]:
    """Return the same at a horizon, where every outcome varies both rates through the weights of censoring."""
    # mutants: not read
    score, rates, together = np.clip(rows.score.astype(np.float64), 0, 1), np.empty((2, 3, len(cuts))), []
    for k, cut in enumerate(cuts.tolist()):
        found = []
        for which, on in enumerate((rows.positive, ~rows.positive)):
            found.append(rate_of_rows(rows, (score >= cut) & on, on if by_class else None, level=level))
            rates[which, :, k] = found[-1].value, *found[-1].interval(level)
        together.append(found[0].correlation(found[1]))
    return rates, np.array(together)


def _rates(sweep: Sweep, counts: list[Floats], level: float, *, by_class: bool) -> tuple[Floats, Floats]:
    """Return the same of independent rows that count alike: of each class, or cells of one multinomial."""
    trials = (sweep.positives, sweep.negatives) if by_class else (sweep.n, sweep.n)
    found = [
        [(k / n, *rate_interval(k, n, level=level)) for k in c.tolist()] for c, n in zip(counts, trials, strict=True)
    ]
    rates = np.array(found).transpose(0, 2, 1)
    hits, alarms = rates[:, 0] * (not by_class)
    with np.errstate(invalid="ignore"):
        return rates, -np.sqrt(hits * alarms / ((1 - hits) * (1 - alarms)))


def _mover(first: Floats, second: Floats, together: Floats) -> tuple[Floats, Floats]:
    """Return the ends of a difference of two numbers (value, low, high) that are correlated."""
    (t, t_low, t_high), (f, f_low, f_high) = first, second

    def away(up: Floats, down: Floats) -> Floats:
        return np.sqrt(np.maximum(up**2 + down**2 - 2 * together * up * down, 0))

    return t - f - away(t - t_low, f_high - f), t - f + away(t_high - t, f - f_low)
