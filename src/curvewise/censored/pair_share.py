"""The share of comparable pairs that is concordant, what each row adds to it, and its interval."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from curvewise.arrays import Bools, Floats
from curvewise.censored.pairs import Totals, pairs_of
from curvewise.censored.spread import notes_on_units, number_of_clusters, spread_of_influence
from curvewise.errors import UndefinedMetricError, note
from curvewise.inference.pivots import LogitPivot, Spread
from curvewise.results.estimate import Estimate, value_alone
from curvewise.rows.columns import count

if TYPE_CHECKING:
    from curvewise.censored.censoring import Censoring
    from curvewise.censored.outcomes import Outcomes
    from curvewise.censored.pairs import Pairs, Weights

NEARLY = 1e-9  # of all pairs, below which a sum of floats does not say whether there is any


@dataclass(frozen=True, eq=False)
class PairShare:
    """The share of concordant pairs, and all that follows from it where it is asked for.

    ``happened`` marks the rows whose event may be the earlier one of a pair, ``earlier`` is their weight in it.
    """

    outcomes: Outcomes
    happened: Bools
    earlier: Weights
    pairs: Pairs
    totals: Totals
    value: float
    censoring: Censoring | None = None

    @cached_property
    def influence(self) -> Floats:
        """What each row adds: ω(a - Cb)/B, with the weights a of its concordant and b of all its pairs.

        Where pairs weigh 1/G², also through G, as each row moves it.
        """
        sums, all_pairs = self.pairs.row_sums(), float(self.totals.comparable)
        as_earlier = sums.doubled_as_earlier / 2 - self.value * sums.comparable_as_earlier
        as_later = sums.doubled_as_later / 2 - self.value * sums.comparable_as_later
        found = (self.earlier * as_earlier + self.outcomes.weights * as_later) / all_pairs
        if self.censoring is None:
            return np.asarray(found)
        by_log = -2 * self.earlier * as_earlier / all_pairs  # of C by log G(T-)
        return np.asarray(found + self.outcomes.weights * self.censoring.log_derivatives(self.outcomes.time, by_log))

    @cached_property
    def spread(self) -> Spread:
        """The variance by infinitesimal jackknife."""
        return spread_of_influence(self.outcomes, self.influence)

    @cached_property
    def pivot(self) -> LogitPivot:
        """The estimate with its uncertainty, on the logit scale."""
        return LogitPivot(self.value, self.spread, float(self._apart()))

    def estimate(self, name: str, level: float) -> Estimate:
        """Return the value with its interval, or without one and why."""
        notes = notes_on_units(self.outcomes)
        try:
            pivot = self.pivot
        except UndefinedMetricError as error:
            return value_alone(name, self.value, level, error.reason, notes)
        if pivot.is_degenerate:
            return value_alone(name, self.value, level, note("no_variance"), notes)
        notes += (note("survival_separated"),) if self.value in (0, 1) else ()
        return Estimate(name, self.value, *pivot.ends(level), level, "influence", pivot.spread.error, notes=notes)

    def _apart(self) -> int:
        """Count pairs that share no row: each event, from the last on, with a row that no other event took.

        At most half of the clusters. Only a share of 0 or 1 needs it.
        """
        if self.value not in (0, 1):
            return 1
        order = self.outcomes.order[::-1]
        key, happened = self.outcomes.key[order], self.happened[order]
        first = np.flatnonzero(np.append(True, key[1:] != key[:-1]))
        free = found = 0
        for rows, events in zip(np.diff(np.append(first, len(key))).tolist(), happened[first].tolist(), strict=True):
            taken = min(rows, free) if events else 0
            found, free = found + taken, free + rows - 2 * taken
        if self.outcomes.cluster is not None:
            found = min(found, number_of_clusters(self.outcomes) // 2)
        return max(found, 1)


def pair_share(outcomes: Outcomes, happened: Bools, censoring: Censoring | None = None) -> PairShare:
    """Return the share of concordant pairs whose earlier row is marked, each weighed by 1/G² where G is given."""
    earlier: Weights = happened
    if censoring is not None:
        left = np.where(happened, censoring.own_left(outcomes.time), 1.0)
        earlier = np.where(happened, outcomes.weights / left**2, 0.0)
    elif outcomes.weight is not None:
        earlier = np.where(happened, outcomes.weight, outcomes.weight.dtype.type(0))
    pairs = pairs_of(outcomes, earlier)
    totals = _exact_ends(pairs.totals(), outcomes, happened)
    if totals.comparable <= 0:
        rows, events = count(len(outcomes), "row"), count(int(np.count_nonzero(happened)), "event")
        raise UndefinedMetricError(
            f"Concordance needs a comparable pair, and no row was under observation beyond the time of another row's "
            f"event ({rows}, {events}).",
            why=note("survival_no_pair"),
        )
    return PairShare(outcomes, happened, earlier, pairs, totals, min(max(totals.share, 0.0), 1.0), censoring)


def _exact_ends(totals: Totals, outcomes: Outcomes, happened: Bools) -> Totals:
    """Let sums of floats be exactly none, or all, where that is so of whole pairs."""
    discordant = totals.comparable - totals.concordant - totals.tied
    least = min(totals.concordant, totals.tied, discordant, key=abs)
    if isinstance(totals.comparable, int) or abs(least) > NEARLY * totals.comparable:
        return totals
    whole = pairs_of(outcomes, happened).totals()
    all_pairs = totals.comparable if whole.comparable else 0.0
    concordant = totals.concordant if whole.concordant else 0.0
    tied = totals.tied if whole.tied else 0.0
    if whole.concordant + whole.tied == whole.comparable:  # no pair is discordant
        concordant, tied = (all_pairs - tied, tied) if whole.concordant else (0.0, all_pairs)
    return Totals(concordant, tied, all_pairs)
