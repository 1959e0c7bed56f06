"""What an engine that holds rows is asked: its columns, facts about them, rows in batches, counts where they lie."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from curvewise.core.bins import Summary
from curvewise.core.threads import get_threads
from curvewise.sources.engines.refining import ranked_within

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.sources.streams.stream import HowRead

    Ranges = tuple[NDArray[Any], NDArray[Any]]  # the least and the greatest scores of bins, both rising

Kind = Literal["number", "boolean", "text", "other"]


@dataclass(frozen=True)
class Asked:
    """The columns that are wanted: one label, one score, perhaps a weight, perhaps columns of groups."""

    label: str
    score: str
    weight: str | None = None
    by: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """Every column, each once."""
        weight = () if self.weight is None else (self.weight,)
        return list(dict.fromkeys([self.label, self.score, *weight, *self.by]))


@dataclass(frozen=True)
class CheckedRows:
    """What is known before rows are counted: the label of positive rows, and how many rows there are."""

    positive: Any  # the label of positive rows; None where no row is positive
    negative: Any  # the label of negative rows; None where no row is negative
    left: int
    dropped: int
    whole: bool  # whether weights are whole numbers, or there are none
    classes: tuple[float, float]  # positives and negatives, rows or sums of weights: what every later pass must see


@dataclass(frozen=True)
class Batch:
    """Rows with a score, a label and a weight: in one array each; ``by`` are the columns of groups."""

    score: NDArray[Any]
    positive: NDArray[np.bool_]
    weight: NDArray[Any] | None = None
    by: tuple[Any, ...] = ()

    def inside(self, low: NDArray[Any], high: NDArray[Any]) -> Batch:
        """Return the rows whose scores lie in one of several ranges, without their groups."""
        place = np.searchsorted(low, self.score, side="right") - 1
        rows = (place >= 0) & (self.score <= high[np.maximum(place, 0)])
        return Batch(self.score[rows], self.positive[rows], None if self.weight is None else self.weight[rows])


@dataclass(frozen=True)
class Counted:
    """Positives and negatives per score, in any order; with groups, per group and score. Scores may repeat."""

    score: NDArray[Any]
    positives: NDArray[Any]
    negatives: NDArray[Any]
    by: tuple[Any, ...] = ()

    @classmethod
    def of(cls, score: NDArray[Any], positive: NDArray[np.bool_], number: NDArray[Any], by: tuple[Any, ...]) -> Counted:
        """Return what was counted, or the sum of weights, of one class each."""
        none = number.dtype.type(0)
        return cls(score, np.where(positive, number, none), np.where(positive, none, number), by)


class Engine(ABC):
    """Rows that lie somewhere: in files, in a data frame that is not computed yet, in a cluster, in a database.

    A source of rows implements `kinds`, `check`, `batches` and `counts`. What hands out or counts rows sees only those
    of a weight other than 0 and without a missing value. Whatever goes wrong in the engine is a `SourceError` of one
    sentence.
    """

    name: ClassVar[str]
    counts_where_rows_lie: ClassVar[bool] = False  # whether rows are better counted there than handed out
    backend: str | None = None  # the library of the user's frames
    shown_as: str = "data"  # in messages
    files: tuple[str, ...] = ()  # that are read in each pass
    snapshot: Callable[[], AbstractContextManager[object]] = nullcontext  # in which all passes see one moment's rows

    @abstractmethod
    def kinds(self) -> dict[str, Kind]:
        """Return the columns, and what they hold."""

    @abstractmethod
    def check(self, asked: Asked, how: HowRead) -> CheckedRows:
        """Refuse rows that cannot be used, in the words for rows in memory; return what is known of the others."""

    @abstractmethod
    def batches(self, asked: Asked, positive: Any) -> Iterator[Batch]:
        """Hand out all rows once, in any order; ``positive`` is the label of positive rows (None: none is)."""

    @abstractmethod
    def counts(self, asked: Asked, positive: Any) -> Counted:
        """Count rows, or sum their weights, by score and group, where they lie."""

    def summaries(self, asked: Asked, positive: Any, most: int, inside: Ranges | None = None) -> Iterator[Summary]:
        """Hand out counts of all rows, or of those in some ranges, by bins of scores, at most that many bins each."""
        return summaries_of(self.batches(asked, positive), most, inside)

    def ranked(self, sweep: Sweep, asked: Asked, positive: Any) -> Sweep:
        """Rank the rows within the bins of a sweep of all rows, of weight 1: its areas are then exact."""
        return ranked_within(sweep, lambda: self.batches(asked, positive))


def summaries_of(batches: Iterator[Batch], most: int, inside: Ranges | None = None) -> Iterator[Summary]:
    """Count batches by bins of scores, at most that many bins each; see `Engine.summaries`."""
    shift = 0

    def counted(batch: Batch, known: int) -> Summary:
        return Summary.of(batch.score, batch.positive, batch.weight, shift=known).within(most)

    with ThreadPoolExecutor(get_threads()) as pool:  # while one batch is counted the next one is read
        waiting: deque[Future[Summary]] = deque()
        for batch in batches:
            some = batch if inside is None else batch.inside(*inside)
            if not len(some.score):
                continue
            waiting.append(pool.submit(counted, some, shift))
            if len(waiting) > get_threads():
                summary = waiting.popleft().result()
                shift = max(shift, summary.shift)  # what some rows need, all need
                yield summary
        while waiting:
            yield waiting.popleft().result()
