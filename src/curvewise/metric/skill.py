"""Losses as skill: how much better than saying the base rate every time."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from curvewise.core.probability import of_probabilities
from curvewise.metric.losses import BRIER, GNEITING, GOOD, LOSSES, ProperLoss, log_clipped, read_warned
from curvewise.metric.registry import metric

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.rows.rows import RowOptions

SKILL: dict[str, Any] = {"family": "probability", "high": 1.0, "perfect": 1.0, "shown": None}
SKILL |= {"interval": "log-complement", "monotone": True, "unseen": ("hit", 1.0)}


def brier_skill(y: object, p: object = None, **rows: Unpack[RowOptions]) -> float:
    """Return the share of the base rate's Brier loss that the probabilities save.

    It takes what `curvewise.brier_loss` takes. 1 is perfect, 0 no better than saying the share of positives
    every time, below 0 worse.

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
    return read_warned("brier_skill", y, p, rows)


def log_skill(y: object, p: object = None, *, clip: float | None = None, **rows: Unpack[RowOptions]) -> float:
    """Return the share of the base rate's log loss that the probabilities save.

    It takes what `curvewise.log_loss` takes, and is read as `curvewise.brier_skill`; -inf where the log loss
    is infinite.

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
    return read_warned("log_skill", y, p, rows, clip=clip)


def spherical_skill(y: object, p: object = None, **rows: Unpack[RowOptions]) -> float:
    """Return the share of the base rate's spherical loss that the probabilities save.

    It takes what `curvewise.spherical_loss` takes, and is read as `curvewise.brier_skill`.

    Examples
    --------
    >>> import curvewise as cw
    >>> round(cw.spherical_skill([0, 0, 0, 1, 1, 1], [0.4, 0.3, 0.2, 0.1, 0.5, 0.9]), 4)
    0.1651
    """
    return read_warned("spherical_skill", y, p, rows)


def _skill(loss: ProperLoss, sweep: Sweep) -> float:
    sweep.need_both_classes("A skill score")
    return 1 - loss.mean(of_probabilities(sweep)) / loss.at_base_rate(sweep)


def _influence(loss: ProperLoss, sweep: Sweep) -> tuple[Any, Any]:
    """Return what one more positive, or negative, of each probability adds to a skill: 1 - L/L₀, a ratio."""
    sweep.need_both_classes("A skill score")
    base, value = loss.at_base_rate(sweep), loss.mean(of_probabilities(sweep))
    share = np.array([sweep.prevalence, 1 - sweep.prevalence])
    at_base = (loss.of(share) - base) / sweep.n  # what a positive and a negative add to L₀
    return tuple(
        (value / base * other - at_base_rate) / base
        for at_base_rate, other in zip(loss.influence(sweep), at_base, strict=True)
    )


def _expected(loss: ProperLoss, sweep: Sweep) -> float:
    """Return the variance of what a row adds to a skill if the probabilities are right."""
    base, value = loss.at_base_rate(sweep), loss.mean(of_probabilities(sweep))
    positive, negative = (value / base * loss.of(np.array([sweep.prevalence, 1 - sweep.prevalence]))).tolist()
    return loss.expected_variance(sweep, (positive, negative)) / base**2


metric(
    "brier_skill",
    **SKILL,
    influence=partial(_influence, LOSSES["brier"]),
    expected=partial(_expected, LOSSES["brier"]),
    reference=BRIER,
    formula="1 - loss/(π·(1 - π)), π = Σ y/n",
)(lambda sweep: _skill(LOSSES["brier"], sweep))


metric(
    "log_skill",
    **SKILL,
    influence=lambda sweep, clip=None: _influence(log_clipped(clip), sweep),
    expected=lambda sweep, clip=None: _expected(log_clipped(clip), sweep),
    reference=GOOD,
    formula="1 - loss/(-π·ln π - (1 - π)·ln(1 - π)), π = Σ y/n",
)(lambda sweep, *, clip=None: _skill(log_clipped(clip), sweep))


metric(
    "spherical_skill",
    **SKILL,
    influence=partial(_influence, LOSSES["spherical"]),
    expected=partial(_expected, LOSSES["spherical"]),
    reference=GNEITING,
    formula="1 - loss/(1 - √(π² + (1 - π)²)), π = Σ y/n",
)(lambda sweep: _skill(LOSSES["spherical"], sweep))
