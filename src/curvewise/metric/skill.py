"""Losses as skill: how much better than saying the base rate every time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from curvewise.core.probability import probability_sweep
from curvewise.core.registry import metric
from curvewise.metric.losses import (
    LOSSES,
    brier_of,
    log_clipped,
    log_of,
    spherical_of,
    warn_of_infinity,
    warn_of_labels,
)

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.rows.reading import RowOptions


def brier_skill(y: object, p: object = None, **rows: Unpack[RowOptions]) -> float:
    """Return the share of the base rate's Brier loss that the probabilities save.

    Parameters
    ----------
    y, p
        Labels and probabilities of the positive class, with the options of `curvewise.sweep`; or a
        `Sweep` or `Rows` of probabilities alone.

    Returns
    -------
    float
        1 is perfect, 0 no better than saying the share of positives every time, below 0 worse.

    Notes
    -----
    1 - loss / (π(1 - π)), with π the share of positives among these rows; undefined when a class is absent.
    The base rate is read from the rows that it is judged on, so it is a slightly strong opponent.

    Examples
    --------
    >>> import curvewise as cw
    >>> round(cw.brier_skill([0, 0, 0, 1, 1, 1], [0.4, 0.3, 0.2, 0.1, 0.5, 0.9]), 4)
    0.0933
    """
    sweep = probability_sweep(y, p, rows)
    warn_of_labels(sweep)
    return brier_skill_of(sweep)


def log_skill(y: object, p: object = None, *, clip: float | None = None, **rows: Unpack[RowOptions]) -> float:
    """Return the share of the base rate's log loss that the probabilities save.

    Parameters
    ----------
    y, p
        Labels and probabilities of the positive class, with the options of `curvewise.sweep`; or a
        `Sweep` or `Rows` of probabilities alone.
    clip
        As in `curvewise.log_loss`.

    Returns
    -------
    float
        1 is perfect, 0 no better than the base rate, below 0 worse; -inf where the log loss is infinite.

    Notes
    -----
    1 - loss / H(π), with H(π) = -π log π - (1 - π) log(1 - π): McFadden's R² of probabilities that were not
    fitted on these rows. Undefined when a class is absent.

    Examples
    --------
    >>> import curvewise as cw
    >>> round(cw.log_skill([0, 0, 0, 1, 1, 1], [0.4, 0.3, 0.2, 0.1, 0.5, 0.9]), 4)
    -0.0079
    """
    loss = log_clipped(clip)
    sweep = probability_sweep(y, p, rows)
    sweep.need_both_classes("A skill score")
    warn_of_labels(sweep)
    value = loss.mean(sweep)
    warn_of_infinity(value, sweep)
    return 1 - value / loss.at_base_rate(sweep)


def spherical_skill(y: object, p: object = None, **rows: Unpack[RowOptions]) -> float:
    """Return the share of the base rate's spherical loss that the probabilities save.

    Parameters
    ----------
    y, p
        Labels and probabilities of the positive class, with the options of `curvewise.sweep`; or a
        `Sweep` or `Rows` of probabilities alone.

    Returns
    -------
    float
        1 is perfect, 0 no better than the base rate, below 0 worse. Undefined when a class is absent.

    Examples
    --------
    >>> import curvewise as cw
    >>> round(cw.spherical_skill([0, 0, 0, 1, 1, 1], [0.4, 0.3, 0.2, 0.1, 0.5, 0.9]), 4)
    0.1651
    """
    sweep = probability_sweep(y, p, rows)
    warn_of_labels(sweep)
    return spherical_skill_of(sweep)


@metric(
    "brier_skill",
    family="probability",
    unit="number",
    high=1.0,
    perfect=1.0,
    shown=None,
    verb="brier_skill",
    reference="Brier (1950) Monthly Weather Review 78:1-3",
)
def brier_skill_of(sweep: Sweep) -> float:
    """Return the Brier skill of a sweep, without a warning: for resampling."""
    sweep.need_both_classes("A skill score")
    return 1 - brier_of(sweep) / LOSSES["brier"].at_base_rate(sweep)


@metric(
    "log_skill",
    family="probability",
    unit="number",
    high=1.0,
    perfect=1.0,
    shown=None,
    verb="log_skill",
    reference="Good (1952) J. R. Stat. Soc. B 14:107-114",
)
def log_skill_of(sweep: Sweep, *, clip: float | None = None) -> float:
    """Return the log skill of a sweep for resampling: infinite is no number to resample."""
    sweep.need_both_classes("A skill score")
    return 1 - log_of(sweep, clip=clip) / log_clipped(clip).at_base_rate(sweep)


@metric(
    "spherical_skill",
    family="probability",
    unit="number",
    high=1.0,
    perfect=1.0,
    shown=None,
    verb="spherical_skill",
    reference="Gneiting & Raftery (2007) J. Am. Stat. Assoc. 102:359-378",
)
def spherical_skill_of(sweep: Sweep) -> float:
    """Return the spherical skill of a sweep, without a warning: for resampling."""
    sweep.need_both_classes("A skill score")
    return 1 - spherical_of(sweep) / LOSSES["spherical"].at_base_rate(sweep)
