"""Whether two ROC curves are the same, not only their areas (Venkatraman & Begg)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from curvewise.core.resampling import replicate_draws
from curvewise.errors import note
from curvewise.inference.by_permutation import (
    ByPermutation,
    doubled_ranks,
    refuse_margin,
    share_beyond,
    swapped,
    unbounded_pair,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from curvewise.core.registry import Bound
    from curvewise.inference.comparison import Pair
    from curvewise.rows.reading import Rows

    Ranks = NDArray[np.int64]


class Venkatraman(ByPermutation):
    """Whole curves compared: errors at each rank, summed over ranks, against swapped ranks.

    ``statistic`` is E = Σₖ |errors of the first - errors of the second| when the k rows ranked lowest are
    called negative. Tied rows share their mid-rank, so the order of rows plays no part.
    """

    method = "venkatraman"
    notes = (note("whole_curves"),)

    def __init__(
        self,
        tables: list[Rows],
        targets: list[Bound],
        level: float,
        replicates: int,
        rng: np.random.Generator | int | None,
    ) -> None:
        super().__init__(tables, targets, level, replicates, rng)
        self.ranks = [doubled_ranks(self.table.of(model)) for model in self.models]
        weight = self.table.weight
        self.gain = np.where(self.table.positive, 1, -1) * (1 if weight is None else weight)

    def pair(self, i: int, j: int, names: list[str], margin: float | None) -> Pair:
        """Test one pair of curves."""
        refuse_margin(margin, self.method)
        first, second = self.ranks[i], self.ranks[j]

        def one(rng: np.random.Generator) -> float:
            return self._apart(*(_ranked_again(r) for r in swapped(rng, first, second, self.table.cluster)))

        found = self._apart(first, second)
        drawn, _ = replicate_draws(one, self.replicates, self.seeds.pop(0))
        away = self.values[i] - self.values[j]
        return unbounded_pair(names[i], names[j], self, away, found, share_beyond(found, drawn))

    def _apart(self, first: Ranks, second: Ranks) -> float:
        """Return E: calling row k negative costs an error if it is positive and corrects one if not."""
        size = 2 * len(first) + 1
        errors = np.bincount(first, self.gain, size) - np.bincount(second, self.gain, size)
        return float(np.abs(np.cumsum(errors)[2:-1:2]).sum())


def _ranked_again(ranks: Ranks) -> Ranks:
    """Return doubled mid-ranks of numbers that are ranks themselves, by counting."""
    count = np.bincount(ranks)
    return np.asarray((2 * np.cumsum(count) - count + 1)[ranks])
