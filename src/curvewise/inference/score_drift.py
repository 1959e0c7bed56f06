"""How far the scores of two sets of rows lie apart: population stability index and Kolmogorov-Smirnov distance."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats
from curvewise.results.result import Result, Table

if TYPE_CHECKING:
    from curvewise.core.bins import Summary
    from curvewise.core.sweep import Sweep

Part = Literal["all", "positives", "negatives"]
PARTS: tuple[Part, ...] = ("all", "positives", "negatives")
BINS = 10  # tenths of the rows then, as is the custom
LEAST = 5  # rows that a bin should hold
SOME, LARGE = 0.1, 0.25  # by convention


@dataclass(frozen=True, repr=False)
class ScoreDrift(Result, schema="score_drift"):
    """How far scores have moved between two sets of rows.

    Attributes
    ----------
    part
        Of which rows: ``"all"``, ``"positives"`` or ``"negatives"``.
    psi, bins
        The population stability index over so many bins, which held equally many rows then; NaN where all scores
        then were equal.
    psi_limit
        What it exceeds by chance alone in 1 - ``level`` of cases; NaN where rows are clustered or weighted.
    size
        ``"little"`` (below 0.1), ``"some"`` or ``"large"`` (above 0.25): a convention, which does not know how
        many rows there are.
    ks, within
        The largest distance between the two distribution functions, and how far it may be off because the
        thresholds then were thinned, or scores were counted in bins.
    """

    part: Part
    psi: float
    psi_limit: float
    bins: int
    ks: float
    within: float
    level: float

    @property
    def size(self) -> str | None:
        """How large the index is, by convention; None where it is undefined."""
        if math.isnan(self.psi):
            return None
        return "large" if self.psi > LARGE else "some" if self.psi >= SOME else "little"

    @property
    def is_clear(self) -> bool:
        """Whether the index is beyond what chance gives."""
        return self.psi > self.psi_limit

    @property
    def table(self) -> Table:
        """One row."""
        row = {name: getattr(self, name) for name in ("part", "psi", "psi_limit", "size", "ks")}
        unknown = {name for name in ("psi", "psi_limit") if math.isnan(row[name])}
        return Table("", {name: [None if name in unknown else value] for name, value in row.items()})

    def content(self) -> dict[str, Any]:
        """Return all numbers, JSON-safe, with the size in words."""
        return {**super().content(), "size": self.size}


def score_drift(
    then: Sweep, now: Sweep, part: Part, *, level: float, independent: bool = True, within: float = 0.0
) -> ScoreDrift:
    """Compare the scores of two sweeps that are read in the same direction.

    ``then`` may be thinned: ``within`` says how far its shares may be off between thresholds. ``independent`` says
    whether all rows are independent and count alike; only then is it known what chance gives.

    Notes
    -----
    Where scores were counted in bins, bins that overlap are joined until both sweeps have the same ones.

    PSI = Σ (qᵦ - pᵦ) ln(qᵦ/pᵦ) over bins that held a tenth of the rows then, or more where scores are tied; half a
    row is added to each bin, so that none is empty. Of few rows the bins are fewer. If nothing has changed,
    PSI / (1/n + 1/m) is about chi-square with as many degrees of freedom as there are bins, less one.

    References
    ----------
    Yurdakul & Naranjo (2020) J. Risk Model Validation 14(4):89-100.
    """
    totals = [_total(s, part) for s in (then, now)]
    if then.is_binned or now.is_binned:
        (then, now), mixed = in_common_bins(then, now)
        counts = (np.diff(_counts(s, part), prepend=0.0)[mixed] / t for s, t in zip((then, now), totals, strict=True))
        within = max(within, *(float(c.max(initial=0.0)) for c in counts))
    places = np.union1d(then.threshold, now.threshold)
    first, second = (_at(s, part, places) / total for s, total in zip((then, now), totals, strict=True))
    ks = float(np.abs(first - second).max())
    cuts = _cuts(then, part, totals)
    bins = len(cuts) + 1
    psi = limit = math.nan
    if bins > 1:
        shares = [_shares(s, part, cuts, total) for s, total in zip((then, now), totals, strict=True)]
        psi = float(np.sum((shares[1] - shares[0]) * np.log(shares[1] / shares[0])))
        if independent:
            from scipy.special import chdtri  # noqa: PLC0415 - slow to load

            limit = float(chdtri(bins - 1, 1 - level)) * sum(1 / total for total in totals)
    return ScoreDrift(part, psi, limit, bins, ks, within, level)


def in_common_bins(then: Sweep, now: Sweep) -> tuple[list[Sweep], NDArray[np.bool_]]:
    """Return both sweeps with the same thresholds, bins joined where they overlap, and which hold several scores."""
    summaries = [s.summary() for s in (then, now)]
    joined = summaries[0].overlapping(summaries[1])
    step = -1 if then.higher_is == "positive" else 1

    def counted(sweep: Sweep, summary: Summary) -> Sweep:
        place = np.searchsorted(joined.low, summary.low, side="right") - 1
        counts = (summary.positives, summary.negatives)
        sums = (np.bincount(place, c, len(joined))[::step].astype(c.dtype) for c in counts)
        tp, fp = (np.cumsum(c) for c in sums)
        return replace(sweep, threshold=joined.low[::step].copy(), tp=tp, fp=fp, bins=None)

    return [counted(s, f) for s, f in zip((then, now), summaries, strict=True)], (joined.low < joined.high)[::step]


def _total(sweep: Sweep, part: Part) -> float:
    negatives = sweep.known_negatives("Drift of scores")
    return float({"all": sweep.positives + negatives, "positives": sweep.positives, "negatives": negatives}[part])


def _counts(sweep: Sweep, part: Part) -> Floats:
    """Count the rows of a part on the positive side of each threshold."""
    counts = {"all": sweep.tp + sweep.fp, "positives": sweep.tp, "negatives": sweep.fp}[part]
    return np.asarray(counts, dtype=np.float64)


def _at(sweep: Sweep, part: Part, places: NDArray[Any]) -> Floats:
    """Count the rows of a part on the positive side of any places."""
    counts = np.append(0.0, _counts(sweep, part))
    if sweep.higher_is == "positive":  # thresholds fall
        reached = len(sweep.threshold) - np.searchsorted(sweep.threshold[::-1], places, side="left")
    else:
        reached = np.searchsorted(sweep.threshold, places, side="right")
    return np.asarray(counts[reached])


def _cuts(then: Sweep, part: Part, totals: list[float]) -> NDArray[Any]:
    """Return the thresholds between bins that held equally many rows then, as far as ties let them."""
    bins = int(min(max(min(totals) // LEAST, 2), BINS))
    counts = _counts(then, part)
    goals = np.arange(1, bins) * (totals[0] / bins)
    places = np.unique(np.minimum(np.searchsorted(counts, goals * (1 - 1e-12)), len(counts) - 1))
    return np.asarray(then.threshold[places[counts[places] < totals[0]]])


def _shares(sweep: Sweep, part: Part, cuts: NDArray[Any], total: float) -> Floats:
    held = np.diff(_at(sweep, part, cuts), prepend=0.0, append=total) + 0.5
    return np.asarray(held / held.sum())
