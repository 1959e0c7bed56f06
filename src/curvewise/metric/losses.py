"""What probabilities cost: Brier, log and spherical loss."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Unpack

from curvewise.core.probability import of_probabilities, probability_sweep
from curvewise.core.registry import metric
from curvewise.errors import CurvewiseWarning
from curvewise.metric.proper import LOSSES
from curvewise.results.numbers import show
from curvewise.rows.checks import real

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.metric.proper import ProperLoss
    from curvewise.rows.reading import RowOptions


def brier_loss(y: object, p: object = None, **rows: Unpack[RowOptions]) -> float:
    """Return the mean squared distance of probabilities from what happened.

    Parameters
    ----------
    y, p
        Labels and probabilities of the positive class, with the options of `curvewise.sweep`; or a
        `Sweep` of probabilities alone.

    Returns
    -------
    float
        From 0 (certain and right) to 1 (certain and wrong).

    Notes
    -----
    Σ w (p - y)² / Σ w. Saying the base rate π every time costs π(1 - π): with rare positives even that is
    close to 0, so compare with it (`curvewise.brier_skill`). Predicted labels in place of probabilities
    are an error rate, no proper loss: that is warned of.

    References
    ----------
    Brier (1950) Monthly Weather Review 78:1-3.

    Examples
    --------
    >>> import curvewise as cw
    >>> round(cw.brier_loss([0, 0, 0, 1, 1, 1], [0.4, 0.3, 0.2, 0.1, 0.5, 0.9]), 7)
    0.2266667
    """
    sweep = probability_sweep(y, p, rows)
    warn_of_labels(sweep)
    return LOSSES["brier"].mean(sweep)


def log_loss(y: object, p: object = None, *, clip: float | None = None, **rows: Unpack[RowOptions]) -> float:
    """Return the mean of -log of the probability that was given to what happened.

    Parameters
    ----------
    y, p
        Labels and probabilities of the positive class, with the options of `curvewise.sweep`; or a
        `Sweep` of probabilities alone.
    clip
        Move probabilities into [clip, 1 - clip] first: one number for every dtype. None (default) moves
        none.

    Returns
    -------
    float
        In nats; infinite where something happened that was given no chance. Such rows are counted in a
        warning.

    Notes
    -----
    -Σ w [y log p + (1 - y) log(1 - p)] / Σ w. A single row with p = 0 that turns out positive makes it
    infinite, and rightly: no number of good rows makes up for "impossible". A clip turns that into a number
    that is mostly the clip's.

    References
    ----------
    Good (1952) J. R. Stat. Soc. B 14:107-114.

    Examples
    --------
    >>> import curvewise as cw
    >>> y, p = [0, 0, 0, 1, 1, 1], [0.4, 0.3, 0.2, 0.1, 0.5, 0.9]
    >>> round(cw.log_loss(y, p), 7)
    0.6986228
    >>> round(cw.log_loss([0, 1], [0.5, 0.0], clip=0.01), 4)
    2.6492
    """
    loss = log_clipped(clip)
    sweep = probability_sweep(y, p, rows)
    warn_of_labels(sweep)
    value = loss.mean(sweep)
    warn_of_infinity(value, sweep)
    return value


def spherical_loss(y: object, p: object = None, **rows: Unpack[RowOptions]) -> float:
    """Return the mean spherical loss: one minus the cosine between (1 - p, p) and what happened.

    Parameters
    ----------
    y, p
        Labels and probabilities of the positive class, with the options of `curvewise.sweep`; or a
        `Sweep` of probabilities alone.

    Returns
    -------
    float
        From 0 (certain and right) to 1 (certain and wrong).

    Notes
    -----
    1 - Σ w q / √(p² + (1 - p)²) / Σ w, with q = p for a positive row and 1 - p for a negative one.
    Proper, and bounded like Brier's.

    References
    ----------
    Gneiting & Raftery (2007) J. Am. Stat. Assoc. 102:359-378.

    Examples
    --------
    >>> import curvewise as cw
    >>> round(cw.spherical_loss([0, 1], [0.4, 0.4]), 4)
    0.3066
    """
    sweep = probability_sweep(y, p, rows)
    warn_of_labels(sweep)
    return LOSSES["spherical"].mean(sweep)


def log_clipped(clip: float | None) -> ProperLoss:
    """Return the log loss, clipped if asked."""
    return LOSSES["log"] if clip is None else LOSSES["log"].clipped(real("clip", clip, 0, 0.5, closed=False))


@metric(
    "brier_loss",
    family="probability",
    aliases=("brier", "brier_score"),
    unit="loss",
    better="lower",
    low=0.0,
    high=1.0,
    perfect=0.0,
    needs=(),
    verb="brier_loss",
    reference="Brier (1950) Monthly Weather Review 78:1-3",
    place=1,
)
def brier_of(sweep: Sweep) -> float:
    """Return the Brier loss of a sweep, without a warning: for resampling."""
    return LOSSES["brier"].mean(of_probabilities(sweep))


@metric(
    "log_loss",
    family="probability",
    aliases=("logloss", "cross_entropy", "log_score"),
    unit="loss",
    better="lower",
    low=0.0,
    perfect=0.0,
    needs=(),
    verb="log_loss",
    reference="Good (1952) J. R. Stat. Soc. B 14:107-114",
    place=2,
)
def log_of(sweep: Sweep, *, clip: float | None = None) -> float:
    """Return the log loss of a sweep, without a warning: for resampling."""
    return log_clipped(clip).mean(of_probabilities(sweep))


@metric(
    "spherical_loss",
    family="probability",
    aliases=("spherical",),
    unit="loss",
    better="lower",
    low=0.0,
    high=1.0,
    perfect=0.0,
    needs=(),
    shown=None,
    verb="spherical_loss",
    reference="Gneiting & Raftery (2007) J. Am. Stat. Assoc. 102:359-378",
)
def spherical_of(sweep: Sweep) -> float:
    """Return the spherical loss of a sweep, without a warning: for resampling."""
    return LOSSES["spherical"].mean(of_probabilities(sweep))


def warn_of_labels(sweep: Sweep) -> None:
    """Warn where every probability is 0 or 1: a thresholded prediction."""
    if len(sweep.threshold) <= 2 and set(sweep.threshold.tolist()) <= {0.0, 1.0}:
        warnings.warn(
            "p: every value is 0 or 1, as of predicted labels, and for these a loss is no longer proper: "
            "pass probabilities.",
            CurvewiseWarning,
            stacklevel=3,
        )


def warn_of_infinity(value: float, sweep: Sweep) -> None:
    """Warn of an infinite log loss, and count the rows that make it so."""
    if math.isinf(value):
        warnings.warn(f"{_infinite(sweep)}; clip= would bound it.", CurvewiseWarning, stacklevel=3)


def _infinite(sweep: Sweep) -> str:
    certain = sweep.threshold[0] == 1, sweep.threshold[-1] == 0
    negatives = sweep.fp[0].item() if certain[0] else 0
    before = sweep.tp[-2].item() if len(sweep.tp) > 1 else 0
    positives = sweep.tp[-1].item() - before if certain[1] else 0
    unit = "rows" if isinstance(sweep.n, int) else "weight"
    return (
        f"The log loss is infinite: {show(positives + negatives)} of {show(sweep.n)} {unit} had no chance "
        f"of what happened ({show(positives)} positive with p = 0, {show(negatives)} negative with p = 1)"
    )
