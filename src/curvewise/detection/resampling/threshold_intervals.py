"""Intervals of precision, recall, F and false positives per image at one threshold of the scores."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats
from curvewise.detection.numbers.at_threshold import at_least
from curvewise.detection.numbers.f_curve import MOST_BETA, f_name
from curvewise.detection.resampling.image_resampling import Drawing, DrawOptions, ImageDraws, image_draws
from curvewise.detection.resampling.replicates import unit_notes
from curvewise.errors import note
from curvewise.inference.limits import critical_value, logit_wald
from curvewise.results.estimate import Estimate, undefined, value_alone
from curvewise.rows.checks import real

if TYPE_CHECKING:
    from curvewise.detection.matching.matched import Matched

PER_IMAGE = "false_positives_per_image"
METHOD = "bootstrap"


def threshold_intervals(
    m: Matched,
    threshold: float,
    *,
    iou: float = 0.5,
    cls: object = None,
    beta: float = 1.0,
    **drawing: Unpack[DrawOptions],
) -> dict[str, Estimate]:
    """Return precision, recall, F and false positives per image of detections with at least some score.

    Detections of one image go together, so images are resampled, or clusters of them; an interval of a share of
    independent rows (Wilson's) would be too narrow.

    Parameters
    ----------
    m
        Matched detections.
    threshold, iou
        The least score that is shown, and the least overlap of a right box.
    cls
        One class; None takes all together.
    beta
        How much more recall counts than precision in F.
    **drawing
        As in `Matched.interval`.

    Notes
    -----
    Shares have an interval of t standard errors of the resamples on the logit scale, false positives per image on
    the log scale. A threshold chosen on these images makes all of them too good: the interval does not repair that.
    """
    how, root = Drawing.of(drawing), real("beta", beta, 0, MOST_BETA)
    draws = image_draws([m], how.cluster)
    counts = _counts(m, threshold, iou, cls)
    once = _rates(counts.sum(axis=0), len(m.images), root)
    drawn = draws.replicate(lambda weights: _rates(weights @ counts, int(weights.sum()), root), how.replicates, how.rng)
    names = ("precision", "recall", f_name(root), PER_IMAGE)
    held = [counts[:, :2].any(axis=1), counts[:, 2] > 0, counts.any(axis=1), np.ones(len(counts), dtype=bool)]
    units = [len(np.unique(draws.unit[images])) for images in held]
    columns = zip(names, once, drawn.T, units, strict=True)
    return {name: _estimate(name, float(value), own, n, how.level, draws) for name, value, own, n in columns}


def _counts(m: Matched, threshold: float, iou: float, cls: object) -> NDArray[np.int64]:
    """Return the detections that are right and wrong, and the objects, of each image (one row each)."""
    status, images = m.status(iou), len(m.images)
    shown, counts = at_least(m, threshold), m.counting[:, 0]
    if cls is not None:
        place = m.class_place(cls)
        shown = shown & (m.scene.found.label[m.found] == place)
        counts = counts & (m.scene.truths.label == place)
    image = m.scene.found.image[m.found]
    right, wrong = (np.bincount(image[shown & (status == said)], minlength=images) for said in (1, 0))
    return np.stack([right, wrong, np.bincount(m.scene.truths.image[counts], minlength=images)], axis=1)


def _rates(counts: Any, images: int, beta: float) -> Floats:
    """Return precision, recall, F and false positives per image; NaN for 0/0."""
    tp, fp, truths = (float(c) for c in counts)
    b = beta * beta
    cells = [(tp, tp + fp), (tp, truths), ((1 + b) * tp, tp + fp + b * truths), (fp, float(images))]
    return np.array([part / whole_ if whole_ else math.nan for part, whole_ in cells])


def _estimate(name: str, value: float, drawn: Floats, units: int, level: float, draws: ImageDraws) -> Estimate:
    if math.isnan(value):
        return undefined(name, level, note("detector_rate_undefined"))
    defined = drawn[~np.isnan(drawn)]
    notes = unit_notes(draws)
    if len(defined) < len(drawn):
        notes += (note("resamples_undefined", failed=len(drawn) - len(defined), replicates=len(drawn)),)
    if units < 2 or len(defined) < 2:
        return value_alone(name, value, level, note("one_cluster" if draws.clustered else "one_image"), notes)
    error = float(np.std(defined, ddof=1))
    if name == PER_IMAGE:
        low, high = _log_ends(value, error, level, units)
    else:
        low, high = logit_wald(value, error, level, units, units - 1)
    return Estimate(name, value, low, high, level, METHOD, error, len(defined), notes)


def _log_ends(value: float, error: float, level: float, units: int) -> tuple[float, float]:
    """Return an interval on the log scale; of none, up to what would show none in so many units with chance α/2."""
    if value == 0:
        return 0.0, -math.log((1 - level) / 2) / units
    away = critical_value(level, units - 1) * error / value
    return value * math.exp(-away), value * math.exp(away)
