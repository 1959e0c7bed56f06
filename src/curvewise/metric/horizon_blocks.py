"""The rows of a horizon in blocks of probability: what all outcomes, the unknown ones too, add to sums over blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from curvewise.arrays import Floats, Places
from curvewise.core.strata import strata_of

if TYPE_CHECKING:
    from curvewise.rows.horizon_rows import HorizonRows
    from curvewise.rows.rows import Rows


@dataclass(frozen=True, eq=False)
class HorizonBlocks:
    """Known rows with the block of each, and where they stand among all outcomes."""

    rows: Rows  # of one model, all of them
    at: HorizonRows
    place: Places
    positives: Floats  # the weight of a positive row, 0 of a negative one
    negatives: Floats

    @property
    def everyone(self) -> tuple[Floats, Floats]:
        """The probabilities of all outcomes that the rows stand for, and their own weights."""
        on = self.at.standing_for
        p = np.clip(self.at.everyone.scores[self.rows.models[0]][on].astype(np.float64), 0, 1)
        return p, self.at.own[on]

    @property
    def degrees(self) -> float:
        """The degrees of freedom of `scatter`: those between clusters, or within strata; else infinite."""
        everyone = self.at.everyone
        if (strata := strata_of(everyone)) is not None:
            return strata.degrees
        return np.inf if everyone.cluster is None else max(len(np.unique(everyone.cluster)) - 1.0, 1.0)

    def keep(self, here: slice) -> HorizonBlocks:
        """Return the rows of the blocks of a slice."""
        on = (self.place >= here.start) & (self.place < here.stop)
        place = self.place[on] - here.start
        return HorizonBlocks(self.rows, self.at.take(on), place, self.positives[on], self.negatives[on])

    def scatter(self, positive: Floats, negative: Floats) -> Floats:
        """Return outer products of what outcomes, or whole clusters, add to sums, also through censoring.

        Clusters have the factor G / (G - 1), in every stratum where there are strata.
        """
        added = positive[:, self.place] * self.positives + negative[:, self.place] * self.negatives
        each, everyone = self.at.influence(added), self.at.everyone
        if (strata := strata_of(everyone)) is not None:
            return strata.apart(strata.sums(each)).products
        factor = 1.0
        if everyone.cluster is not None:
            number = len(np.unique(everyone.cluster))
            each = np.stack([np.bincount(everyone.cluster, line) for line in each])
            factor = number / (number - 1) if number > 1 else np.nan
        return np.asarray(each @ each.T * factor)
