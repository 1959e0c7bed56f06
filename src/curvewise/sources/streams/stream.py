"""Rows that never end, counted in fixed memory: exactly while scores are few, then in bins with guaranteed bounds."""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from curvewise.core.bins import MOST_SHIFT, Summary
from curvewise.core.sweep import Sweep
from curvewise.errors import CurvewiseError, Note, note
from curvewise.results.numbers import show
from curvewise.rows.checks import one_of, real, whole
from curvewise.rows.columns import EXACT_FLOAT, as_column, count, shown
from curvewise.rows.reading import read_rows
from curvewise.sources.streams.saved_state import SavedState

if TYPE_CHECKING:
    from curvewise.rows.rows import HigherIs, Missing, Rows, WeightKind

DISTINCT = 1 << 18  # scores that are counted one by one where no resolution is asked for
LEAST_BINS, MOST_BINS = 1 << 4, 1 << 24
TOGETHER = 8  # counts of batches that are joined at once
BUFFER = 1 << 19  # rows that wait to be counted together


def bins_for(resolution: float) -> int:
    """Return the number of bins that a resolution asks for: a power of two, eight for each step of that size."""
    width = real("resolution", resolution, 0, 1, closed=False)
    return int(min(max(2 ** math.ceil(math.log2(8 / width)), LEAST_BINS), MOST_BINS))


@dataclass(frozen=True)
class HowRead:
    """How rows are read that are counted as they come; two streams can be merged if they read alike."""

    positive: Any
    higher_is: HigherIs
    missing: Missing
    round_to: int | None
    weight_kind: WeightKind

    def __post_init__(self) -> None:
        one_of("higher_is", self.higher_is, ("positive", "negative"))
        one_of("missing", self.missing, ("raise", "drop"))
        one_of("weight_kind", self.weight_kind, ("sampling", "count"))
        if self.round_to is not None:
            object.__setattr__(self, "round_to", whole("round_to", self.round_to, 0))


@dataclass(frozen=True)
class _Scores:
    """What the scores so far were: their dtype, and whether a float64 cannot hold all of them."""

    dtype: np.dtype[Any] | None = None
    beyond: bool = False

    @classmethod
    def of(cls, *scores: NDArray[Any]) -> _Scores:
        """Look at scores of one dtype."""
        dtype = scores[0].dtype
        ends = (abs(int(end)) for s in scores if dtype.kind in "iu" for end in (s.min(), s.max()))
        return cls(dtype, any(end > EXACT_FLOAT for end in ends))

    def __add__(self, other: _Scores) -> _Scores:
        if self.dtype is None or other.dtype is None:
            return self if other.dtype is None else other
        common, beyond = np.result_type(self.dtype, other.dtype), self.beyond or other.beyond
        if beyond and common.kind == "f":
            raise CurvewiseError(
                f"score: {other.dtype} after {self.dtype} cannot be compared exactly, since there are whole numbers "
                "beyond 2^53; give all batches in one dtype, or rank the scores first."
            )
        return _Scores(common, beyond)


class Stream(SavedState):
    """Labels and scores that come batch by batch, on one machine or on many; its sweep can be read at any time.

    Parameters
    ----------
    resolution
        How fine the bins are once scores are no longer counted one by one: 8/resolution bins, rounded up to a power of
        two (1e-4: 131 072). None (default) counts up to 262 144 different scores one by one, then as many bins.
    positive, higher_is, missing, round_to, weight_kind
        As in `curvewise.sweep`.

    Notes
    -----
    Memory is fixed: 32 bytes per bin, and a buffer. While there are no more different scores than bins, the sweep is
    exact; beyond, scores are counted in bins whose relative width is constant (near 0, and from ½ on near 1), and every
    area and rate of the sweep comes as `Bounds` that contain the exact one. Which bins there are depends on the rows
    alone, not on batches, on their order, or on how streams were merged.

    A stream can be pickled, so it goes through the workers of Dask, Ray, Spark or a data loader; `to_bytes` needs no
    pickle. Give each thread a stream of its own, and merge them. All batches must name the classes alike: the label of
    the negatives may not change.

    Examples
    --------
    >>> import curvewise as cw
    >>> monday, tuesday = cw.Stream(), cw.Stream()
    >>> monday.update([0, 1, 1], [0.2, 0.7, 0.9])
    Stream(3 rows: 2 positive, 1 negative; exact, 3 scores)
    >>> tuesday.update([0, 0, 1], [0.1, 0.4, 0.3]).merge(monday)
    Stream(6 rows: 3 positive, 3 negative; exact, 6 scores)
    >>> cw.roc_auc(tuesday.sweep())
    0.8888888888888888
    """

    schema = "curvewise.stream"

    def __init__(
        self,
        *,
        resolution: float | None = None,
        positive: Any = None,
        higher_is: HigherIs = "positive",
        missing: Missing = "raise",
        round_to: int | None = None,
        weight_kind: WeightKind = "sampling",
    ) -> None:
        self._reading = HowRead(positive, higher_is, missing, round_to, weight_kind)
        self.resolution = resolution
        self.most = DISTINCT if resolution is None else bins_for(resolution)
        self._waiting: list[tuple[NDArray[Any], NDArray[np.bool_], NDArray[Any] | None]] = []
        self._rows_waiting = 0
        self._counted: list[Summary] = []
        self._scores = _Scores()
        self._negative: Any = None  # the label of the negatives, once there was one
        self.rows = 0
        self.dropped = 0
        self.weighted = False

    def following(self) -> Stream:
        """Return a stream without rows that reads as this one does, of the same classes and kind of scores."""
        stream = Stream(resolution=self.resolution, **asdict(self._reading))
        stream._scores, stream._negative = self._scores, self._negative
        return stream

    def update(self, y: object, score: object, weight: object = None) -> Self:
        """Count a batch of rows, and return the stream; a batch that is empty or cannot be read changes nothing."""
        if isinstance(score, Mapping):
            raise CurvewiseError("score: expected the scores of one model; keep one Stream per model.")
        columns = {"y": y, "score": score} | ({} if weight is None else {"weight": weight})
        if not any(len(as_column(data, name)) for name, data in columns.items()):
            return self
        read = read_rows(y, score, weight=weight, **asdict(self._reading))
        negative = self._one_negative(label_of_class(y, read, positive=False))
        self._scores += _Scores.of(read.score)
        self._negative = negative
        self._take(read.score, read.positive, read.weight)
        self.dropped += read.dropped
        return self

    def _one_negative(self, label: Any) -> Any:
        """Return the label of the negatives, or refuse a second one: it would be a third class."""
        if label is None or self._negative is None:
            return self._negative if label is None else label
        if label != self._negative:
            raise CurvewiseError(
                f"y: expected two classes in all batches, but the negative class was {shown(self._negative)} "
                f"and is {shown(label)} now."
            )
        return self._negative

    def _take(self, score: NDArray[Any], positive: NDArray[np.bool_], weight: NDArray[Any] | None) -> None:
        """Count rows that have been read."""
        self.rows += len(score)
        self.weighted |= weight is not None
        some = (score.copy(), positive.copy(), None if weight is None else weight.copy())
        self._waiting.append(some)  # the caller may use its arrays again
        self._rows_waiting += len(score)
        if self._rows_waiting >= BUFFER:
            self._settle()

    @property
    def _shift(self) -> int:
        """The shift that the rows so far need: later ones need no less."""
        return max((s.shift for s in self._counted), default=0)

    def merge(self, other: Stream) -> Self:
        """Count the rows of another stream as well, and return this one; the other one stays as it is."""
        if not isinstance(other, Stream):
            raise CurvewiseError(f"merge: expected a Stream, got a {type(other).__name__}.")
        for name, mine, theirs in (
            ("resolution", self.most, other.most),
            *((k, v, getattr(other._reading, k)) for k, v in asdict(self._reading).items()),
        ):
            if mine != theirs:
                raise CurvewiseError(f"merge: the streams read rows differently: {name} is {mine!r} and {theirs!r}.")
        negative, scores = self._one_negative(other._negative), self._scores + other._scores
        other._settle()
        for counted in tuple(other._counted):  # which may be this stream itself
            self.add_summary(counted)
        self._negative, self._scores = negative, scores
        self.rows += other.rows
        self.dropped += other.dropped
        self.weighted |= other.weighted
        return self

    def _settle(self) -> None:
        """Count the rows that wait."""
        if not self._waiting:
            return
        kinds = {s.dtype for s, _, _ in self._waiting}
        whole_run = len(kinds) == 1 and len({w is None for _, _, w in self._waiting}) == 1
        runs = [self._waiting] if whole_run else [[batch] for batch in self._waiting]
        self._waiting, self._rows_waiting = [], 0
        for run in runs:
            weights = [w for _, _, w in run if w is not None]
            weight = np.concatenate(weights) if weights else None
            score, positive = np.concatenate([s for s, _, _ in run]), np.concatenate([p for _, p, _ in run])
            self.add_summary(Summary.of(score, positive, weight, shift=self._shift))

    def add_summary(self, summary: Summary) -> None:
        """Count rows that were counted by score, or by bins, elsewhere."""
        self._counted.append(summary.within(self.most))
        if len(self._counted) > TOGETHER:
            self._join()

    def _join(self) -> None:
        if len(self._counted) > 1:
            self._counted = [Summary.total(self._counted).within(self.most)]

    def summary(self) -> Summary | None:
        """Return the counts per score, or per bin, of all rows so far; None before the first."""
        self._settle()
        self._join()
        return self._counted[0] if self._counted else None

    @property
    def is_exact(self) -> bool:
        """Whether every score has been counted by itself so far."""
        summary = self.summary()
        return summary is None or summary.is_exact

    @property
    def notes(self) -> tuple[Note, ...]:
        """What a careful reader should know: scores are counted in bins, and since when."""
        return () if self.is_exact else (note("stream_in_bins", most=self.most),)

    def sweep(self) -> Sweep:
        """Return the sweep of all rows so far; the stream goes on."""
        summary = self.summary()
        if summary is None:
            raise CurvewiseError("The stream has no rows yet: update it first.")
        how = self._reading
        return Sweep.from_summary(
            summary,
            in_bins=self.resolution is not None,
            weight_kind=how.weight_kind if self.weighted else None,
            dropped=self.dropped,
            round_to=how.round_to,
            higher_is=how.higher_is,
        )

    def __str__(self) -> str:
        summary = self.summary()
        if summary is None:
            return "Stream(no rows yet)"
        pos, neg = (np.sum(c).item() for c in (summary.positives, summary.negatives))
        how = f"exact, {count(len(summary), 'score')}" if summary.is_exact else count(len(summary), "bin")
        return f"Stream({count(self.rows, 'row')}: {show(pos)} positive, {show(neg)} negative; {how})"

    __repr__ = __str__

    def _saved(self) -> tuple[dict[str, Any], bytes]:
        counted = self.summary()
        arrays = () if counted is None else (counted.low, counted.high, counted.positives, counted.negatives)
        head = {
            "resolution": self.resolution,
            "reading": asdict(self._reading) | {"positive": _plain(self._reading.positive)},
            "negative": _plain(self._negative),
            "rows": self.rows,
            "dropped": self.dropped,
            "weighted": self.weighted,
            "shift": 0 if counted is None else counted.shift,
            "bins": 0 if counted is None else len(counted),
            "dtypes": [a.dtype.newbyteorder("<").str for a in arrays],
        }
        body = b"".join(np.ascontiguousarray(a).astype(a.dtype.newbyteorder("<")).tobytes() for a in arrays)
        return head, zlib.compress(body, 1)

    @classmethod
    def _restored(cls, head: dict[str, Any], body: bytes) -> Self:
        reading = HowRead(**head["reading"])
        _plain(reading.positive)
        stream = cls(resolution=head["resolution"], **asdict(reading))
        stream._negative = _plain(head["negative"])
        stream.rows, stream.dropped = whole("rows", head["rows"], 0), whole("dropped", head["dropped"], 0)
        stream.weighted = head["weighted"] is True
        bins, shift = whole("bins", head["bins"], 0), whole("shift", head["shift"], 0)
        dtypes = [_dtype(text) for text in head["dtypes"]]
        if bins > stream.most or shift > MOST_SHIFT or len(dtypes) != (4 if bins else 0):
            raise ValueError
        size = bins * sum(d.itemsize for d in dtypes)
        unpacked = zlib.decompressobj()
        plain = unpacked.decompress(body, size + 1)  # never more than there may be, whatever the bytes would give
        if len(plain) != size or not unpacked.eof or unpacked.unused_data:
            raise ValueError
        if bins:
            starts = np.cumsum([0, *(bins * d.itemsize for d in dtypes)])
            parts = zip(dtypes, starts, strict=False)
            low, high, pos, neg = (np.frombuffer(plain, d, bins, at).astype(d.newbyteorder("=")) for d, at in parts)
            stream._counted = [_summary(low, high, pos, neg, shift)]
            stream._scores = _Scores.of(low, high)
        return stream


def label_of_class(y: object, rows: Rows, *, positive: bool) -> Any:
    """Return what the positives or the negatives among rows are called; None where there are none."""
    marks = rows.positive if positive else ~rows.positive
    at = int(np.argmax(marks))
    if not marks[at]:
        return None
    label = as_column(y, "y").values[at if rows.kept is None else rows.kept[at]]
    return label.item() if isinstance(label, np.generic) else label


def _dtype(text: object) -> np.dtype[Any]:
    """Read the dtype of numbers, and of nothing else."""
    dtype = np.dtype(text) if isinstance(text, str) and len(text) < 5 else None
    if dtype is None or dtype.kind not in "iuf":
        raise ValueError
    return dtype


def _summary(low: NDArray[Any], high: NDArray[Any], pos: NDArray[Any], neg: NDArray[Any], shift: int) -> Summary:
    """Put counts together; refuse what no stream has counted, as bins that overlap or fall, counts that are none."""
    if low.dtype != high.dtype or pos.dtype != neg.dtype or pos.dtype not in (np.int64, np.float64):
        raise ValueError
    is_exact = bool((low == high).all())
    in_order = (low <= high).all() and (high[:-1] < low[1:]).all() and (shift or is_exact)
    are_counts = (pos >= 0).all() and (neg >= 0).all() and ((pos > 0) | (neg > 0)).all()
    if not in_order or not are_counts or not np.isfinite([pos.sum(), neg.sum()]).all():
        raise ValueError
    return Summary(low, low if is_exact else high, pos, neg, shift)


def _plain(label: Any) -> Any:
    """Return a label that JSON can hold."""
    plain = label.item() if isinstance(label, np.generic) else label
    if plain is not None and not isinstance(plain, (bool, int, float, str)):
        raise CurvewiseError(f"A label of type {type(plain).__name__} cannot be saved; use text or a number.")
    return plain
