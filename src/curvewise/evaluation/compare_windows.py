"""Whether the rows of now differ from those of a reference: ranking, probabilities, prevalence, scores."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from curvewise.core.rate import rate_interval
from curvewise.core.sweep import Sweep
from curvewise.errors import CurvewiseError, Note, UndefinedMetricError, Word, note
from curvewise.evaluation.changes_since import CALIBRATION, change
from curvewise.evaluation.window_comparison import WINDOWS, WindowComparison
from curvewise.inference.compare import compare
from curvewise.inference.interval import estimate_of
from curvewise.inference.score_drift import PARTS, ScoreDrift, in_common_bins, score_drift
from curvewise.metric.bounds import note_on_bins
from curvewise.metric.registry import find
from curvewise.probabilities.calibration import MEASURES, calibration
from curvewise.results.estimate import Estimate, value_alone
from curvewise.rows.checks import real
from curvewise.sources.streams.stream import Stream
from curvewise.sources.streams.stream_window import StreamWindow

if TYPE_CHECKING:
    from curvewise.evaluation.then_and_now import MetricChange

METRICS = ("roc_auc", "average_precision")


def compare_windows(
    now: Sweep | Stream | StreamWindow, reference: Sweep | Stream | StreamWindow, *, level: float = 0.95
) -> WindowComparison:
    """Compare the rows of now with those of a reference, such as the validation or an earlier window.

    Parameters
    ----------
    now, reference
        Different rows, each a `Sweep`, a `Stream` or a `StreamWindow`, read in the same way.
    level
        The confidence level of the intervals, and of each answer. One look at 0.95 finds a change that is none in
        about 5% of cases, for each question, and in about 20% in at least one of them (measured:
        ``simulations/monitoring.py``). For daily looks take 0.999 or so.

    Returns
    -------
    WindowComparison
        For each question whether it has changed, no sign of that is seen, or rows are too few to tell.

    Notes
    -----
    *Ranking*: ROC AUC (score test with DeLong's variance) and average precision (variance of what each row adds), as in
    `curvewise.compare`. *Probabilities*, where all scores lie in [0, 1]: observed over expected, and the calibration
    slope, as in `curvewise.calibration`. *Prevalence* with Wilson's intervals. Intervals of differences of the latter
    are joined from those of both windows (MOVER). *Scores*: the population stability index beside the limit that
    chance alone exceeds in 1 - level of cases, and the Kolmogorov-Smirnov distance.

    Too few to tell are fewer than 20 positives or negatives in a window; for prevalence and scores, fewer than 10 rows.
    "No sign" is no proof that nothing has changed: the interval says how large a change may be. Weighted rows have
    numbers and no intervals, since a sweep has forgotten them. Where scores were counted in bins, notes say how far
    that leaves each number open; calibration and scores are then compared in the same bins for both windows.

    References
    ----------
    DeLong, DeLong & Clarke-Pearson (1988) Biometrics 44:837-845. Zou & Donner (2008) Statist. Med. 27:1693-1702.
    Newcombe (1998) Statist. Med. 17:873-890. Yurdakul & Naranjo (2020) J. Risk Model Validation 14(4):89-100.

    Examples
    --------
    >>> import numpy as np
    >>> import curvewise as cw
    >>> rng = np.random.default_rng(0)
    >>> p = rng.random(4000)
    >>> reference = cw.sweep(rng.random(4000) < p, p)
    >>> week = cw.StreamWindow().update(rng.random(2000) < 0.5 * p[:2000], p[:2000])  # half as many positives
    >>> found = cw.compare_windows(week, reference)
    >>> found.answers["observed_expected"], found.answers["scores"]
    ('changed', 'no sign')
    """
    level = real("level", level, 0, 1, closed=False)
    windows = dict(zip(WINDOWS, (_sweep("now", now), _sweep("reference", reference)), strict=True))
    first, second = windows.values()
    for name in ("higher_is", "round_to"):
        mine, theirs = getattr(first, name), getattr(second, name)
        if mine != theirs:
            raise CurvewiseError(f"now, reference: read differently: {name} is {mine!r} and {theirs!r}.")
    fits = {}
    if all(map(_are_probabilities, windows.values())):
        alike = [second, first]
        if any(s.is_binned for s in alike):  # else bins of one window would look like a change
            alike = [s.with_counts(s.block_positives, s.block_negatives) for s in in_common_bins(second, first)[0]]
        found = [calibration(s, level=level, replicates=0) for s in alike]
        fits = {MEASURES[k]: change(*(getattr(c, k) for c in found)) for k in CALIBRATION}
    independent = first.is_whole and second.is_whole
    parts = [p for p in PARTS if all(_size(s, p) for s in windows.values())]
    drift: dict[str, ScoreDrift] = {
        p: score_drift(second, first, p, level=level, independent=independent) for p in parts
    }
    return WindowComparison(
        {name: _ranking(name, first, second, level) for name in METRICS},
        fits,
        change(_prevalence(second, level), _prevalence(first, level)),
        drift,
        {k: {"rows": s.n, "positives": s.positives, "negatives": s.negatives} for k, s in windows.items()},
        level,
        (
            *_bins(windows, (*METRICS, *fits)),
            *([note("ks_in_bins", within=most)] if (most := drift["all"].within) else []),
            note("psi_convention", beyond=1 - level),
            note("window_looks", level=level, beyond=1 - level, every=round(1 / (1 - level))),
        ),
    )


def _sweep(name: str, given: object) -> Sweep:
    """Return the sweep of a window, or refuse one that is not of two classes of rows."""
    found = given.sweep() if isinstance(given, (Stream, StreamWindow)) else given
    if not isinstance(found, Sweep):
        raise CurvewiseError(f"{name}: expected a Sweep, a Stream or a StreamWindow, got a {type(found).__name__}.")
    if found.negatives is None or not found.all_scored:
        raise CurvewiseError(f"{name}: expected a sweep in which every row has a score and a label.")
    if found.horizon is not None or found.sample_prevalence is not None:
        raise CurvewiseError(f"{name}: expected a sweep of rows as they are, not at a horizon or another prevalence.")
    return found


def _size(sweep: Sweep, part: str) -> float:
    return float({"all": sweep.n, "positives": sweep.positives, "negatives": sweep.negatives}[part])


def _are_probabilities(sweep: Sweep) -> bool:
    """Say whether scores lie in [0, 1] and are not mere decisions."""
    if sweep.higher_is == "negative" or not ((sweep.threshold >= 0) & (sweep.threshold <= 1)).all():
        return False
    return not np.isin(sweep.threshold, (0, 1)).all()


def _ranking(name: str, now: Sweep, then: Sweep, level: float) -> MetricChange:
    """Return a metric of the ranking in both windows, and the difference with its interval and p."""
    found = change(_estimate(name, then, level), _estimate(name, now, level))
    if not found.difference.has_interval:
        return found
    try:
        pair = compare({"now": now, "reference": then}, metric=name, level=level)
    except UndefinedMetricError as error:
        return replace(found, difference=found.difference.without_interval(error.reason))
    return replace(found, difference=pair.difference, p_value=pair.p_value)


def _estimate(name: str, sweep: Sweep, level: float) -> Estimate:
    target = find(name).bind({})
    if sweep.is_whole:
        return estimate_of(target, sweep, level=level)
    try:
        return value_alone(name, target(sweep), level, note("weights_forgotten"))
    except UndefinedMetricError as error:
        return value_alone(name, math.nan, level, error.reason)


def _prevalence(sweep: Sweep, level: float) -> Estimate:
    if not sweep.is_whole:
        return value_alone("prevalence", sweep.prevalence, level, note("weights_forgotten"))
    ends = rate_interval(sweep.positives, sweep.n, level=level)
    return Estimate("prevalence", sweep.prevalence, *ends, level, "wilson")


def _bins(windows: dict[str, Sweep], names: tuple[str, ...]) -> Iterator[Note]:
    """Say of each number how far bins of scores leave it open."""
    for name in names:
        for window, sweep in windows.items():
            try:
                found = note_on_bins(find(name).bind({}), sweep)
            except UndefinedMetricError:
                continue
            for said in found:
                yield note("of_metric_when", metric=Word("metric", name), when=note(f"when_{window}"), said=said)
