"""Rows that never end, counted in fixed memory: exactly while scores are few, then in bins with certain limits."""

from __future__ import annotations

import base64
import json
import math
import zlib
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from curvewise.core.bins import Summary
from curvewise.core.sweep import Sweep
from curvewise.errors import CurvewiseError, Note, note
from curvewise.rows.checks import one_of, real, whole
from curvewise.rows.columns import count
from curvewise.rows.reading import read_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from curvewise.rows.rows import HigherIs, Missing, WeightKind

DISTINCT = 1 << 18  # scores that are counted one by one where no resolution is asked for
LEAST_BINS, MOST_BINS = 1 << 4, 1 << 24
TOGETHER = 8  # counts of batches that are joined at once
BUFFER = 1 << 19  # rows that wait to be counted together
MAGIC = b"curvewise.stream\x00"
SCHEMA, VERSION = "curvewise.stream", 1


def bins_for(resolution: float) -> int:
    """Return the number of bins that a resolution asks for: a power of two, eight for each step of that size."""
    asked = real("resolution", resolution, 0, 1, closed=False)
    return int(min(max(2 ** math.ceil(math.log2(8 / asked)), LEAST_BINS), MOST_BINS))


@dataclass(frozen=True)
class _Reading:
    """How a stream reads its rows; two streams can be merged if they read alike."""

    positive: Any
    higher_is: HigherIs
    missing: Missing
    round_to: int | None
    weight_kind: WeightKind


class Stream:
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
    pickle.

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
        one_of("higher_is", higher_is, ("positive", "negative"))
        one_of("missing", missing, ("raise", "drop"))
        one_of("weight_kind", weight_kind, ("sampling", "count"))
        decimals = None if round_to is None else whole("round_to", round_to, 0)
        self.resolution = resolution
        self.most = DISTINCT if resolution is None else bins_for(resolution)
        self._reading = _Reading(positive, higher_is, missing, decimals, weight_kind)
        self._waiting: list[tuple[NDArray[Any], NDArray[np.bool_], NDArray[Any] | None]] = []
        self._rows_waiting = 0
        self._counted: list[Summary] = []
        self.rows = 0
        self.dropped = 0
        self.weighted = False

    def update(self, y: object, score: object, weight: object = None) -> Self:
        """Count a batch of rows, and return the stream; a batch that cannot be read changes nothing."""
        options = asdict(self._reading)
        kind = options.pop("weight_kind") if weight is None else options["weight_kind"]
        if weight is None:
            options["weight_kind"] = kind
        read = read_rows(y, score, weight=weight, **options)
        self._take(read.score, read.positive, read.weight)
        self.dropped += read.dropped
        return self

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
        other._settle()
        for found in other._counted:
            self.add_summary(found)
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

    def add_summary(self, found: Summary) -> None:
        """Count rows that were counted by score, or by bins, elsewhere."""
        self._counted.append(found.within(self.most))
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
        found = self.summary()
        return found is None or found.is_exact

    @property
    def notes(self) -> tuple[Note, ...]:
        """What a careful reader should know: scores are counted in bins, and since when."""
        return () if self.is_exact else (note("stream_in_bins", most=self.most),)

    def sweep(self) -> Sweep:
        """Return the sweep of all rows so far; the stream goes on."""
        found = self.summary()
        if found is None:
            raise CurvewiseError("The stream has no rows yet: update it first.")
        how = self._reading
        return Sweep.from_summary(
            found,
            weight_kind=how.weight_kind if self.weighted else None,
            dropped=self.dropped,
            round_to=how.round_to,
            higher_is=how.higher_is,
        )

    def __str__(self) -> str:
        found = self.summary()
        if found is None:
            return "Stream(no rows yet)"
        pos, neg = (np.sum(c).item() for c in (found.positives, found.negatives))
        how = f"exact, {count(len(found), 'score')}" if found.is_exact else count(len(found), "bin")
        return f"Stream({count(self.rows, 'row')}: {pos:g} positive, {neg:g} negative; {how})"

    __repr__ = __str__

    def to_dict(self) -> dict[str, Any]:
        """Return the stream as a versioned dict that JSON can hold; `from_dict` reads it back exactly."""
        return {"schema": SCHEMA, "version": VERSION, "data": base64.b64encode(self.to_bytes()).decode("ascii")}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Stream:
        """Read what `to_dict` wrote; anything else is refused."""
        if not isinstance(data, dict) or data.get("schema") != SCHEMA or data.get("version") != VERSION:
            raise CurvewiseError(f"Expected a dict with schema {SCHEMA!r} of version {VERSION}, as to_dict writes it.")
        try:
            packed = base64.b64decode(data["data"], validate=True)
        except (KeyError, TypeError, ValueError):
            raise CurvewiseError("The dict is not a whole stream: its data cannot be read.") from None
        return cls.from_bytes(packed)

    def to_bytes(self) -> bytes:
        """Return the stream in a compact form that `from_bytes` reads back exactly, without pickle."""
        found = self.summary()
        arrays = () if found is None else (found.low, found.high, found.positives, found.negatives)
        head = {
            "version": VERSION,
            "resolution": self.resolution,
            "reading": {k: _plain(v) for k, v in asdict(self._reading).items()},
            "rows": self.rows,
            "dropped": self.dropped,
            "weighted": self.weighted,
            "shift": 0 if found is None else found.shift,
            "arrays": [[a.dtype.newbyteorder("<").str, len(a)] for a in arrays],
        }
        text = json.dumps(head).encode()
        body = b"".join(np.ascontiguousarray(a).astype(a.dtype.newbyteorder("<")).tobytes() for a in arrays)
        packed = len(text).to_bytes(8, "little") + text + zlib.compress(body, 1)
        return MAGIC + zlib.crc32(packed).to_bytes(4, "little") + packed

    @classmethod
    def from_bytes(cls, data: bytes) -> Stream:
        """Read what `to_bytes` wrote; anything else, and anything damaged, is refused."""
        data = bytes(data)
        start = len(MAGIC) + 4
        if not data.startswith(MAGIC) or zlib.crc32(data[start:]).to_bytes(4, "little") != data[len(MAGIC) : start]:
            raise CurvewiseError("Expected the bytes that Stream.to_bytes wrote; these are other ones, or damaged.")
        size = int.from_bytes(data[start : start + 8], "little")
        head = json.loads(data[start + 8 : start + 8 + size])
        if head["version"] != VERSION:
            raise CurvewiseError(f"Expected a stream of version {VERSION}, got {head['version']!r}.")
        made = cls(resolution=head["resolution"], **head["reading"])
        body, at, arrays = zlib.decompress(data[start + 8 + size :]), 0, []
        for dtype, length in head["arrays"]:
            kind = np.dtype(dtype)
            arrays.append(np.frombuffer(body, kind, length, at).astype(kind.newbyteorder("=")))
            at += kind.itemsize * length
        if arrays:
            low, high, pos, neg = arrays
            is_exact = bool((low == high).all())
            made._counted = [Summary(low, low if is_exact else high, pos, neg, head["shift"])]
        made.rows, made.dropped, made.weighted = head["rows"], head["dropped"], head["weighted"]
        return made


def _plain(value: Any) -> Any:
    """Return a label that JSON can hold."""
    plain = value.item() if isinstance(value, np.generic) else value
    if plain is not None and not isinstance(plain, (bool, int, float, str)):
        raise CurvewiseError(f"positive: a {type(plain).__name__} cannot be saved; use text or a number as the label.")
    return plain
