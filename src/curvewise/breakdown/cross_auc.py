"""AUC within and between groups: how often a positive of one group outranks a negative of another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise.breakdown.partition import Partition, whole_sweep
from curvewise.core.kernel import doubled_area
from curvewise.core.threads import in_threads
from curvewise.inference.interval import estimate_of
from curvewise.metric.registry import bound
from curvewise.results.numbers import json_safe
from curvewise.results.result import Result, Table

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.results.estimate import Estimate


@dataclass(frozen=True, eq=False, repr=False)
class Cross(Result, schema="cross"):
    """Pairs of a positive of group g (rows) and a negative of group h (columns).

    ``wins[g, h]`` counts them, 2 for a positive above a negative and 1 for a tie: whole numbers, exact, so
    that they add up to those of all rows. ``auc[g, h]`` is wins / (2·P_g·N_h), NaN where there is no pair.
    The diagonal is the AUC within each group. Both are made when asked for: their size is the square of the
    number of groups. ``pooled``, ``within``, ``between`` and ``share_within`` need no pairs of groups.
    """

    names: tuple[str, ...]
    positives: NDArray[Any]
    negatives: NDArray[Any]
    sweeps: tuple[Sweep, ...] = field(repr=False)
    partition: Partition = field(repr=False)

    @cached_property
    def wins(self) -> NDArray[Any]:
        """Count the pairs of all groups over the shared order: one pass per group, no sort."""
        return _wins(self.partition, self.positives, self.negatives)

    @property
    def auc(self) -> NDArray[np.float64]:
        """A_gh: the chance that a positive of g outranks a negative of h, ties half."""
        pairs = self._pairs()
        out, some = np.full(self.wins.shape, math.nan), pairs > 0
        out[some] = (self.wins[some] / (2 * pairs[some])).astype(np.float64)
        return out

    @property
    def pooled(self) -> float:
        """The AUC of all rows: Σ P_g·N_h·A_gh / (P·N)."""
        return float(self._all_wins / (2 * self._all_pairs))

    @property
    def share_within(self) -> float:
        """The share of all pairs whose members are of one group."""
        return float(self._pairs_within / self._all_pairs)

    @property
    def within(self) -> float:
        """The AUC over pairs of one group."""
        return float(self._wins_within / (2 * self._pairs_within)) if self._pairs_within else math.nan

    @property
    def between(self) -> float:
        """The AUC over pairs of two groups."""
        apart = self._all_pairs - self._pairs_within
        return float((self._all_wins - self._wins_within) / (2 * apart)) if apart else math.nan

    @property
    def _all_pairs(self) -> float:
        pairs: float = sum(self.positives.tolist()) * sum(self.negatives.tolist())  # Python's integers do not overflow
        return pairs

    @property
    def _pairs_within(self) -> float:
        return sum(s.positives * s.known_negatives("An AUC") for s in self.sweeps)

    @cached_property
    def _all_wins(self) -> float:
        whole = whole_sweep(self.partition.rows, self.partition.ranking)
        return doubled_area(whole.tp, whole.fp)

    @cached_property
    def _wins_within(self) -> float:
        return sum(doubled_area(s.tp, s.fp) for s in self.sweeps)

    @property
    def table(self) -> Table:
        """One row for each group's positives, one column for each group's negatives."""
        columns: dict[str, list[Any]] = {"positives of": list(self.names)}
        columns |= {f"negatives of {name}": row.tolist() for name, row in zip(self.names, self.auc.T, strict=True)}
        return Table("AUC within (diagonal) and between groups", columns)

    def content(self) -> dict[str, Any]:
        """Return names and AUCs, one list per group of positives, JSON-safe."""
        return {"names": list(self.names), "auc": json_safe(self.auc), "pairs": json_safe(self._pairs())}

    def estimate(self, positives_of: int, negatives_of: int, level: float) -> Estimate:
        """Return one entry with its interval: DeLong's, or Obuchowski's with clusters."""
        auc = bound("roc_auc")
        if not self.partition.rows.is_plain:
            return estimate_of(auc, self.partition.rows_between(positives_of, negatives_of), level=level)
        pos, neg = self.sweeps[positives_of], self.sweeps[negatives_of]
        if positives_of == negatives_of:
            return estimate_of(auc, pos, level=level)
        only_pos = pos.with_counts(pos.block_positives, np.zeros_like(pos.block_negatives))
        only_neg = neg.with_counts(np.zeros_like(neg.block_positives), neg.block_negatives)
        return estimate_of(auc, only_pos + only_neg, level=level)

    def _pairs(self) -> NDArray[Any]:
        whole = self.wins.dtype == object  # Python's integers, which do not overflow
        p, n = (v.astype(object) if whole else v for v in (self.positives, self.negatives))
        return np.asarray(np.multiply.outer(p, n))


def cross(dealt: Partition, sweeps: Sequence[Sweep]) -> Cross:
    """Return what counts pairs of the groups of a partition."""
    p, n = (np.array([getattr(s, k) for s in sweeps]) for k in ("positives", "negatives"))
    return Cross(dealt.category.names, p, n, tuple(sweeps), dealt)


def _wins(dealt: Partition, p: NDArray[Any], n: NDArray[Any]) -> NDArray[Any]:
    rows, code, place, groups = dealt.rows, dealt.category.code, dealt.place, len(dealt)
    block = dealt.ranking.block
    exact: Any = rows.weight.dtype if rows.weight is not None else np.int64
    if p.dtype.kind == "i" and 2 * int(p.sum()) * int(n.sum()) >= 2**63:  # mutants: work
        exact = object
    # positives and negatives, group by group
    pos, neg = place[rows.positive[place]], place[~rows.positive[place]]
    first = [np.searchsorted(code[part], np.arange(groups + 1)) for part in (pos, neg)]
    weight = np.ones(len(block), dtype=np.int64) if rows.weight is None else rows.weight
    of_pos, at_pos = weight[pos].astype(exact), block[pos]
    full = np.flatnonzero(np.diff(first[0]))  # groups that have positives

    def column(h: int) -> NDArray[Any]:
        """Count the wins over the negatives of group h, for the positives of every group."""
        out: NDArray[Any] = np.zeros(groups, dtype=exact)
        here = neg[first[1][h] : first[1][h + 1]]
        if not len(full) or not len(here):
            return out
        at = np.zeros(len(dealt.ranking), dtype=exact)
        np.add.at(at, block[here], weight[here].astype(exact))
        below = 2 * (n[h] - np.cumsum(at)) + at  # ties count half
        out[full] = np.add.reduceat(of_pos * below[at_pos], first[0][full])
        return out

    return np.stack(in_threads(column, range(groups), groups * len(block)), axis=1)  # mutants: work
