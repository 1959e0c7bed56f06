"""Calibration errors: how far probabilities are from the share of positives, in bins, as one number."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from curvewise.core.probability import of_probabilities
from curvewise.errors import UndefinedMetricError, note
from curvewise.metric import AREA
from curvewise.metric.blocks import Blocks, blocks_of
from curvewise.metric.probability_bins import Binning, Bins, in_bins
from curvewise.metric.registry import metric

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep

# biased upward: no resample has an honest interval, and `calibration` says what right probabilities would give
GAP = {**AREA, "family": "probability", "better": "lower", "needs": (), "interval": "none", "shown": None}
GAP |= {"why_none": "no_interval_biased"}
NAEINI = "Naeini, Cooper & Hauskrecht (2015) AAAI 29:2901-2907"


@metric(
    aliases=("expected_calibration_error",),
    **GAP,
    reference=NAEINI,
    formula="Σ (n_b/n)·|ȳ_b - p̄_b| over bins b",
)
def ece(sweep: Sweep, *, bins: int = 10, binning: Binning = "width") -> float:
    """Return the mean gap between mean probability and share of positives, over bins (ECE).

    Σ nᵦ/n · |ȳᵦ - p̄ᵦ|. It cannot be negative, so chance alone makes it positive: it is biased upward,
    more so with few rows or many bins.
    """
    return mean_gap(in_bins(of_probabilities(sweep), bins, binning))


@metric(
    aliases=("maximum_calibration_error",),
    **GAP,
    reference=NAEINI,
    formula="max |ȳ_b - p̄_b| over bins b",
)
def mce(sweep: Sweep, *, bins: int = 10, binning: Binning = "width") -> float:
    """Return the largest gap of any bin (MCE); a bin with a handful of rows often has it."""
    return largest_gap(in_bins(of_probabilities(sweep), bins, binning))


def mean_gap(bins: Bins) -> float:
    """Return ECE of bins."""
    return float(np.sum(bins.n / bins.n.sum() * _gap(bins)))


def largest_gap(bins: Bins) -> float:
    """Return MCE of bins."""
    return float(_gap(bins).max())


def _ratio_influence(sweep: Sweep) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return what one more positive, or negative, of each probability adds to O/E: (y - O/E·p)/Σp.

    At a horizon, where the mean probability is that of all rows, through the share of positives alone.
    """
    if sweep.horizon is not None and not sweep.horizon.is_known:
        scale, ones = sweep.n * _mean_at_horizon(sweep), np.ones(len(sweep.threshold))
        return (1 - sweep.prevalence) / scale * ones, -sweep.prevalence / scale * ones
    blocks, p = blocks_of(of_probabilities(sweep)), np.clip(sweep.threshold.astype(np.float64), 0, 1)
    expected = blocks.expected
    predicted = float(blocks.positives.sum()) / expected * p
    return (1 - predicted) / expected, -predicted / expected


@metric(
    family="probability",
    aliases=("o/e", "oe", "oe_ratio"),
    unit="ratio",
    better="target",
    target=1.0,
    low=0.0,
    needs=(),
    interval="wald",
    influence=_ratio_influence,
    shown=None,
    reference="Steyerberg (2019) Clinical Prediction Models, ch. 15",
    formula="Σ y/Σ p",
)
def observed_expected(sweep: Sweep) -> float:
    """Return the positives that there are for each one that the probabilities predict (O/E)."""
    return ratio_of(sweep, blocks_of(of_probabilities(sweep)))


def ratio_of(sweep: Sweep, blocks: Blocks) -> float:
    """Return O/E of a sweep and its blocks."""
    if sweep.horizon is not None and not sweep.horizon.is_known:
        return sweep.prevalence / _mean_at_horizon(sweep)
    if not blocks.expected:
        raise _no_expected()
    return float(blocks.positives.sum()) / blocks.expected


def _mean_at_horizon(sweep: Sweep) -> float:
    """Return the mean probability over all rows at a horizon, the unknown ones too."""
    mean = None if sweep.horizon is None else sweep.horizon.mean_score
    if mean is None:
        raise UndefinedMetricError(
            "O/E at a horizon needs the probabilities of all rows, the unknown ones too, and competing events as "
            "controls: these rows have forgotten them.",
            why=note("expected_forgotten"),
        )
    if not mean:
        raise _no_expected()
    return mean


def _no_expected() -> UndefinedMetricError:
    return UndefinedMetricError("O/E needs a probability above 0: every one is 0.", why=note("probabilities_all_0"))


def squared_error(bins: Bins, blocks: Blocks) -> tuple[float, float]:
    """Return the debiased mean squared gap over bins, and the weight of rows that no bin could use.

    Each bin's (ȳ - p̄)², less the variance ȳ(1 - ȳ)/(n - 1) that chance adds to it, where n are independent
    rows of equal weight. A bin with a single one does not tell chance from error and is left out.
    """
    n, gap = bins.n.astype(np.float64), _gap(bins)
    alone = bins.squares(blocks, "The debiased squared error") / n**2  # 1/n, and 1 for a single row
    usable = alone < 1 - 1e-12
    if not usable.any():
        raise UndefinedMetricError(
            "The debiased squared error needs two rows in a bin; use fewer bins.",
            why=note("alone_in_every_bin"),
        )
    used, gap, share, alone = (each[usable] for each in (n, gap, bins.observed, alone))
    chance = share * (1 - share) * alone / (1 - alone)
    return float(np.sum(used * (gap**2 - chance)) / used.sum()), float(n[~usable].sum())


def _gap(bins: Bins) -> NDArray[np.float64]:
    return np.asarray(np.abs(bins.observed - bins.mean))
