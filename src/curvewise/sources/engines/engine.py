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
class LabelFacts:
    """What is known of the rows with one label, counted where they lie.

    Rows of weight 0 are counted in ``zero`` alone. ``label`` is None where it is missing (NULL or NaN).
    ``left`` rows have a score and a weight; ``no_score`` and ``no_weight`` rows lack one (NULL or NaN). Of the rows
    left, ``bad_weight`` have one that is negative or infinite, ``fractional`` one that is finite and not whole;
    ``weight`` is the sum of their finite weights.
    """

    label: Any
    rows: int
    left: int
    no_score: int
    no_weight: int = 0
    zero: int = 0
    bad_weight: int = 0
    fractional: int = 0
    weight: float = 0.0


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


class Engine(ABC):
    """Rows that lie somewhere: in files, in a data frame that is not computed yet, in a cluster, in a database.

    A source of rows implements `kinds`, `facts` and `batches`, and `counts` where it can count better than by handing
    out all rows. Every method sees rows of weight other than 0 only, and all but `facts` only rows without a missing
    value. Whatever goes wrong in the engine is a `SourceError` of one sentence.
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
    def facts(self, asked: Asked) -> list[LabelFacts]:
        """Return facts per label; of labels beyond the first few thousand nothing need be known."""

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
                found = waiting.popleft().result()
                shift = max(shift, found.shift)  # what some rows need, all need
                yield found
        while waiting:
            yield waiting.popleft().result()
