"""The last periods of rows that never end: a ring of streams, of which the oldest falls out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from curvewise.errors import CurvewiseError
from curvewise.rows.checks import whole
from curvewise.rows.columns import count
from curvewise.sources.streams.saved_state import SavedState
from curvewise.sources.streams.stream import Stream

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.rows.rows import HigherIs, Missing, WeightKind


class StreamWindow(SavedState):
    """The last days, hours or other periods of rows that come batch by batch, each period a `Stream`.

    Parameters
    ----------
    periods
        How many periods the window holds, the current one among them; 7 by default.
    resolution, positive, higher_is, missing, round_to, weight_kind
        As in `Stream`.

    Attributes
    ----------
    periods
        As given.
    advanced
        How many periods have been closed since the beginning.

    Notes
    -----
    Rows count in the period in which they are given. Where labels come late, give a row once its label is known: the
    window then speaks of the rows that were labelled in its periods. Scores without labels are not counted.

    Memory is that of as many streams as there are periods.

    Examples
    --------
    >>> import curvewise as cw
    >>> week = cw.StreamWindow(periods=2)
    >>> week.update([0, 1, 1], [0.2, 0.7, 0.9])
    StreamWindow(1 of 2 periods, 3 rows)
    >>> week.advance().update([0, 0, 1], [0.1, 0.8, 0.3])
    StreamWindow(2 of 2 periods, 6 rows)
    >>> cw.roc_auc(week.sweep())
    0.7777777777777778
    >>> week.advance()
    StreamWindow(2 of 2 periods, 3 rows)
    """

    schema = "curvewise.stream_window"

    def __init__(
        self,
        periods: int = 7,
        *,
        resolution: float | None = None,
        positive: Any = None,
        higher_is: HigherIs = "positive",
        missing: Missing = "raise",
        round_to: int | None = None,
        weight_kind: WeightKind = "sampling",
    ) -> None:
        first = Stream(
            resolution=resolution,
            positive=positive,
            higher_is=higher_is,
            missing=missing,
            round_to=round_to,
            weight_kind=weight_kind,
        )
        self.periods = whole("periods", periods, 1)
        self._streams = [first]  # the oldest first
        self.advanced = 0

    def update(self, y: object, score: object, weight: object = None) -> Self:
        """Count a batch of rows in the current period, and return the window; a bad batch changes nothing."""
        self._streams[-1].update(y, score, weight)
        return self

    def advance(self) -> Self:
        """Close the current period and open the next one; beyond the number of periods, the oldest falls out."""
        self._streams[-1].summary()  # what waits in its buffer is counted, and the buffer goes
        self._streams = [*self._streams, self._streams[-1].following()][-self.periods :]
        self.advanced += 1
        return self

    @property
    def rows(self) -> int:
        """How many rows the window holds."""
        return sum(stream.rows for stream in self._streams)

    def total(self) -> Stream:
        """Return the rows of all periods in a stream of its own."""
        total = self._streams[-1].following()
        for stream in self._streams:
            total.merge(stream)
        return total

    def sweep(self) -> Sweep:
        """Return the sweep of all periods together; the window goes on."""
        return self.total().sweep()

    def by_period(self) -> tuple[Sweep | None, ...]:
        """Return the sweep of each period, the oldest first and the current one last; None where it has no rows."""
        return tuple(stream.sweep() if stream.rows else None for stream in self._streams)

    def merge(self, other: StreamWindow) -> Self:
        """Count the rows of another worker's window as well, period by period, and return this one."""
        if not isinstance(other, StreamWindow):
            raise CurvewiseError(f"merge: expected a StreamWindow, got a {type(other).__name__}.")
        for name in ("periods", "advanced"):
            mine, theirs = getattr(self, name), getattr(other, name)
            if mine != theirs:
                raise CurvewiseError(f"merge: the windows hold other periods: {name} is {mine} and {theirs}.")
        copies = [stream.following().merge(stream) for stream in self._streams]  # all periods, or none
        self._streams = [mine.merge(theirs) for mine, theirs in zip(copies, other._streams, strict=True)]
        return self

    def __str__(self) -> str:
        held = f"{len(self._streams)} of {count(self.periods, 'period')}"
        return f"StreamWindow({held}, {count(self.rows, 'row')})"

    __repr__ = __str__

    def _saved(self) -> tuple[dict[str, Any], bytes]:
        parts = [stream.to_bytes() for stream in self._streams]
        head = {"periods": self.periods, "advanced": self.advanced, "sizes": [len(part) for part in parts]}
        return head, b"".join(parts)

    @classmethod
    def _restored(cls, head: dict[str, Any], body: bytes) -> Self:
        periods, sizes = whole("periods", head["periods"], 1), [whole("size", size, 1) for size in head["sizes"]]
        advanced = whole("advanced", head["advanced"], 0)
        if len(sizes) != min(periods, advanced + 1) or sum(sizes) != len(body):
            raise ValueError
        streams, at = [], 0
        for size in sizes:
            streams.append(Stream.from_bytes(body[at : at + size]))
            at += size
        window = cls(periods)
        window._streams, window.advanced = streams, advanced
        streams[-1]._scores = window.total()._scores  # streams that read differently are refused here
        return window
