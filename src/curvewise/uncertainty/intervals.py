"""The intervals of several metrics from the same resamples, each as it would be alone."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise._errors import UndefinedMetricError
from curvewise._sweep import Sweep, sweep_of
from curvewise.uncertainty.interval import from_draws, interval_of, method_for, notes_on, smaller_class
from curvewise.uncertainty.known import known
from curvewise.uncertainty.limits import BOOTSTRAPS
from curvewise.uncertainty.resample import resampler

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from curvewise._validate import Rows
    from curvewise.uncertainty.estimate import Estimate
    from curvewise.uncertainty.known import Known


def intervals_of(
    metrics: Mapping[str, Mapping[str, Any]],
    source: Sweep | Rows,
    *,
    level: float,
    rng: int,
    replicates: int,
) -> dict[str, Estimate]:
    """Return metrics, by name with their options, with intervals; what is undefined is left out.

    Metrics that are resampled alike are read from the same resamples, drawn once. With the same seed each is
    what `interval_of` gives for it.
    """
    rows, sweep = (None, source) if isinstance(source, Sweep) else (source, sweep_of(source))
    found: dict[str, Estimate] = {}
    alike: dict[bool, list[Known]] = {}
    for name, options in metrics.items():
        target = known(name, dict(options))
        method = method_for(None, target, None if rows is None else rows.cluster, rows, sweep)
        if method in BOOTSTRAPS and target.threshold is None:
            alike.setdefault(target.stratified, []).append(target)
            continue
        try:
            found[name] = interval_of(name, source, level=level, rng=rng, replicates=replicates, **options)
        except UndefinedMetricError:
            continue
    for stratified, targets in alike.items():
        found |= _together(targets, rows, sweep, stratified, level, rng, replicates)
    return {name: found[name] for name in metrics if name in found}


def _together(
    targets: list[Known],
    rows: Rows | None,
    sweep: Sweep,
    stratified: bool,
    level: float,
    rng: int,
    replicates: int,
) -> dict[str, Estimate]:
    values = _read(targets, sweep)
    targets = [t for t, value in zip(targets, values, strict=True) if not math.isnan(value)]
    values = values[~np.isnan(values)]
    if not targets:
        return {}
    source = resampler(rows, sweep, stratified=stratified)
    drawn, failed = source.replicate(lambda s: _read(targets, s), replicates, rng)
    found, smaller = {}, smaller_class(rows, sweep)
    for target, value, own in zip(targets, values.tolist(), drawn.T, strict=True):
        defined = own[~np.isnan(own)]
        if len(defined):
            undefined = failed + len(own) - len(defined)
            notes = notes_on(target.name, sweep, value)
            found[target.name] = from_draws(
                target, value, target.method, level, source, defined, undefined, smaller, notes
            )
    return found


def _read(targets: list[Known], sweep: Sweep) -> NDArray[np.float64]:
    """Return the statistics of a sweep, NaN where one is undefined."""
    values = []
    for target in targets:
        try:
            values.append(float(target.statistic(sweep)))
        except UndefinedMetricError:
            values.append(math.nan)
    return np.array(values)
