"""How long rows were followed, and of how many the outcome at each horizon is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from curvewise.censored.product_limit import uncensored
from curvewise.results.numbers import show
from curvewise.results.result import Result, Table
from curvewise.rows.columns import count

if TYPE_CHECKING:
    from curvewise.censored.horizon import Horizon
    from curvewise.censored.outcomes import Outcomes
    from curvewise.errors import Note

HALF = 0.5 + 1e-12  # a product of fractions may miss a half by rounding
KNOWN = ("cases", "controls", "unknown", "competing")
WEIGHTS = ("censoring_left", "largest_weight", "effective_rows")


@dataclass(frozen=True, repr=False)
class FollowUp(Result, schema="follow_up"):
    """How long rows were followed, and what is known at each horizon.

    Attributes
    ----------
    rows, events, competing, censored
        How many rows, and how many had the event, a competing event, or neither while under observation.
    median
        The median follow-up by the reverse Kaplan–Meier estimate: the first time by which half would have been
        censored if there were no events. None where it is not reached.
    longest
        The largest time.
    at
        By horizon: cases, controls, unknown and competing rows; the share observed with its limits; G(t-), the
        largest weight and the effective number of rows.
    """

    rows: int
    events: int
    competing: int
    censored: int
    median: float | None
    longest: float
    at: dict[float, dict[str, float]]
    notes: tuple[Note, ...] = ()
    backend: str | None = field(default=None, repr=False)

    @property
    def table(self) -> Table:
        """One row per horizon."""
        names = list(next(iter(self.at.values()))) if self.at else []
        columns: dict[str, list[object]] = {"horizon": list(self.at)}
        columns |= {name: [found[name] for found in self.at.values()] for name in names}
        return Table(f"Follow-up: {self.text}", columns, self.backend)

    @property
    def text(self) -> str:
        """Rows, events and the median follow-up, in a few words."""
        median = "not reached" if self.median is None else show(self.median)
        competing = f", {self.competing} competing" if self.competing else ""
        return (
            f"{count(self.rows, 'row')}, {count(self.events, 'event')}{competing}, {self.censored} censored; median "
            f"follow-up {median} (reverse Kaplan–Meier), longest {show(self.longest)}"
        )


def follow_up_of(outcomes: Outcomes, horizons: Sequence[Horizon]) -> FollowUp:
    """Return the follow-up of outcomes, with what is known at some horizons."""
    curve = uncensored(outcomes)
    half = np.flatnonzero(curve.value <= HALF)
    events, censored = (int(np.count_nonzero(on)) for on in (outcomes.event, outcomes.censored))
    at: dict[float, dict[str, float]] = {}
    for h in horizons:
        row: dict[str, float] = {name: getattr(h, name) for name in KNOWN}
        row |= {"observed": h.observed.value, "low": h.observed.low, "high": h.observed.high}
        at[h.at] = row | {name: getattr(h, name) for name in WEIGHTS}
    return FollowUp(
        rows=len(outcomes),
        events=events,
        competing=len(outcomes) - events - censored,
        censored=censored,
        median=float(curve.time[half[0]]) if len(half) else None,
        longest=float(outcomes.time.max()),
        at=at,
        backend=outcomes.backend,
    )
