"""Precision and recall among the rows with the highest scores: how a list of fixed length does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.core.kernel import first_reach
from curvewise.core.registry import metric
from curvewise.rows.checks import real

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep


@metric(
    aliases=("precision_at_fraction", "precision_at_top"),
    unit="share",
    low=0.0,
    high=1.0,
    chance="prevalence",
    needs=("positives",),
    reference="Manning, Raghavan & Schütze (2008) Introduction to Information Retrieval, ch. 8",
)
def top_precision(sweep: Sweep, *, at_fraction: float) -> float:
    """Return the share of positives among the fraction of rows with the highest scores.

    Of rows that tie at the edge, as many positives count as in the mean over random orders.
    """
    return _found(sweep, at_fraction) / (at_fraction * sweep.n)


@metric(
    aliases=("recall_at_fraction", "recall_at_top", "capture_rate"),
    unit="share",
    low=0.0,
    high=1.0,
    needs=("positives",),
    reference="Manning, Raghavan & Schütze (2008) Introduction to Information Retrieval, ch. 8",
)
def top_recall(sweep: Sweep, *, at_fraction: float) -> float:
    """Return the share of all positives that are in the fraction of rows with the highest scores.

    Of rows that tie at the edge, as many positives count as in the mean over random orders.
    """
    return _found(sweep, at_fraction) / sweep.positives


def _found(sweep: Sweep, fraction: float) -> float:
    """Return how many positives are in the top, with those that tie at its edge in proportion."""
    sweep.need_positives("The top of the list")
    share = real("at_fraction", fraction, 0, 1)
    return first_reach(sweep.tp + sweep.fp, sweep.tp, share * sweep.n) if share else 0.0
