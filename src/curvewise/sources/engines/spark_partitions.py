"""What runs in Spark's Python workers: the rows of one partition, counted by this library's kernel.

A worker needs PyArrow and this library, not Spark. What it returns is packed, thousands of counts in one cell of
a table: Spark moves bytes, not rows. Each function is what ``mapInArrow`` takes, once its other arguments are bound.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from curvewise.core import kernel
from curvewise.core.bins import Summary
from curvewise.core.exact_counter import ExactCounter
from curvewise.core.row_order import turned
from curvewise.sources.engines.engine import Batch, summaries_of
from curvewise.sources.engines.lazy_frame import number_array
from curvewise.sources.engines.refining import rank_bins
from curvewise.sources.streams.stream import Stream

if TYPE_CHECKING:
    from curvewise.sources.engines.engine import Ranges
    from curvewise.sources.engines.refining import Stretch

    Arrays = dict[str, NDArray[Any]]

PACKED = "part int, packed binary"  # the schema of what every function here returns
PIECE = 1 << 20  # rows that are counted together, and scores that are packed together
SCORES = ("score", "low", "high")  # whose type is the user's
GOLDEN = np.uint64(0x9E37_79B9_7F4A_7C15)  # 2^64 over the golden ratio: multiples of it are spread evenly


def hand_out(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Return the rows as they are, many in one cell."""
    for table in _pieces(batches):
        yield _cell(0, table)


def count_scores(batches: Iterable[pa.RecordBatch], *, parts: int) -> Iterator[pa.RecordBatch]:
    """Count rows by score, and deal the scores to so many parts, equal ones to the same."""
    summary = _counted(_rows(batches))
    if summary is not None:
        yield from _dealt(summary, _part_of(summary.low, parts))


def add_counts(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Add the counts of equal scores."""
    for arrays in gathered(unpacked(batches)).values():
        threshold, tp, fp = kernel.merged(arrays["score"], arrays["positives"], arrays["negatives"])
        pos, neg = (np.diff(c, prepend=c.dtype.type(0)) for c in (tp, fp))
        yield from _packed(0, {"score": threshold, "positives": pos, "negatives": neg})


def count_bins(
    batches: Iterable[pa.RecordBatch], *, most: int, inside: Ranges | None = None
) -> Iterator[pa.RecordBatch]:
    """Count rows by bins, at most that many; with ``inside``, those in some ranges."""
    yield from _total(summaries_of(_rows(batches), most, inside), most)


def add_bins(batches: Iterable[pa.RecordBatch], *, most: int) -> Iterator[pa.RecordBatch]:
    """Add the counts of bins."""
    yield from _total(summaries_in(batches), most)


def count_in_stretches(
    batches: Iterable[pa.RecordBatch], *, low: NDArray[Any], high: NDArray[Any]
) -> Iterator[pa.RecordBatch]:
    """Count rows by score where it lies in one of some stretches of scores, which are the parts."""
    order = np.argsort(low)
    low, high = low[order], high[order]
    summary = _counted(batch.inside(low, high) for batch in _rows(batches))
    if summary is not None:
        yield from _dealt(summary, order[np.searchsorted(low, summary.low, side="right") - 1])


def rank_stretches(
    batches: Iterable[pa.RecordBatch],
    *,
    bins: Ranges,
    stretches: list[Stretch],
    falling: bool,
) -> Iterator[pa.RecordBatch]:
    """Rank the rows of stretches of bins: doubled wins and sums of precision per bin."""
    for part, arrays in gathered(unpacked(batches)).items():
        score = arrays["score"] if falling else turned(arrays["score"])
        threshold, tp, fp = kernel.merged(score, arrays["positives"], arrays["negatives"])
        blocks = (threshold if falling else turned(threshold)), tp, fp
        here, above = stretches[part]
        yield from _packed(part, rank_bins(blocks, bins[0][here], bins[1][here], above, falling=falling))


def unpacked(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[int, Arrays]]:
    """Read what was packed: the part, and its arrays by name."""
    for batch in batches:
        for part, cell in zip(batch["part"].to_pylist(), batch["packed"], strict=True):
            table = table_in(cell.as_buffer())
            yield part, {name: _wide(name, table[name].to_numpy()) for name in table.column_names}


def gathered(pieces: Iterable[tuple[int, Arrays]]) -> dict[int, Arrays]:
    """Put the arrays of each part together, in the order in which they came."""
    several: dict[int, list[Arrays]] = {}
    for part, arrays in pieces:
        several.setdefault(part, []).append(arrays)
    return {p: {name: np.concatenate([a[name] for a in some]) for name in some[0]} for p, some in several.items()}


def summaries_in(batches: Iterable[pa.RecordBatch]) -> Iterator[Summary]:
    """Read summaries: the part is the shift."""
    for shift, arrays in unpacked(batches):
        low, high = arrays["low"], arrays["high"]
        yield Summary(low, low if shift == 0 else high, arrays["positives"], arrays["negatives"], shift)


def table_in(data: Any) -> pa.Table:
    """Read a table from bytes."""
    return pa.ipc.open_stream(data).read_all()


def _rows(batches: Iterable[pa.RecordBatch]) -> Iterator[Batch]:
    """Read scores, labels and weights, many rows at a time."""
    for table in _pieces(batches):
        weight = number_array(table["cw_weight"]) if "cw_weight" in table.column_names else None
        yield Batch(number_array(table["cw_score"]), table["cw_positive"].to_numpy(), weight)


def _pieces(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Join batches: Spark's are of 10 000 rows."""
    waiting: list[pa.RecordBatch] = []
    rows = 0
    for batch in batches:
        if batch.num_rows:
            waiting.append(batch)
            rows += batch.num_rows
        if rows >= PIECE:
            yield pa.Table.from_batches(waiting)
            waiting, rows = [], 0
    if waiting:
        yield pa.Table.from_batches(waiting)


def _counted(batches: Iterable[Batch]) -> Summary | None:
    """Count rows by score; None where there is none."""
    counter = ExactCounter()
    for batch in batches:
        if len(batch.score):
            counter.add(batch.score, batch.positive, batch.weight)
    return counter.summary()


def _total(summaries: Iterable[Summary], most: int) -> Iterator[pa.RecordBatch]:
    """Add summaries, at most that many bins in all."""
    stream = Stream()
    stream.most = most
    for summary in summaries:
        stream.add_summary(summary)
    total = stream.summary()
    if total is not None:
        arrays = {"low": total.low, "high": total.high, "positives": total.positives, "negatives": total.negatives}
        yield _cell(total.shift, _table(arrays))


def _part_of(score: NDArray[Any], parts: int) -> NDArray[np.int64]:
    """Return a part for each score, by its bits."""
    if score.dtype.kind == "f":
        score = score + score.dtype.type(0)  # -0.0 is 0.0
        bits = score.view(f"u{score.dtype.itemsize}").astype(np.uint64)
    else:
        bits = score.astype(np.uint64)
    mixed = (bits ^ (bits >> np.uint64(32))) * GOLDEN
    return ((mixed >> np.uint64(32)) % np.uint64(parts)).astype(np.int64)


def _dealt(summary: Summary, part: NDArray[np.int64]) -> Iterator[pa.RecordBatch]:
    """Pack the counts of each part by themselves."""
    order = np.argsort(part, kind="stable")
    ends = np.cumsum(np.bincount(part))
    for which, end in enumerate(ends.tolist()):
        here = order[ends[which - 1] if which else 0 : end]
        if len(here):
            score, pos, neg = summary.low[here], summary.positives[here], summary.negatives[here]
            yield from _packed(which, {"score": score, "positives": pos, "negatives": neg})


def _packed(part: int, arrays: Arrays) -> Iterator[pa.RecordBatch]:
    """Pack arrays of one length in cells of a size that Spark moves easily."""
    for start in range(0, len(next(iter(arrays.values()))), PIECE):
        yield _cell(part, _table({name: array[start : start + PIECE] for name, array in arrays.items()}))


def _table(arrays: Arrays) -> pa.Table:
    return pa.table({name: np.ascontiguousarray(_narrow(name, array)) for name, array in arrays.items()})


def _cell(part: int, table: pa.Table) -> pa.RecordBatch:
    """Return one row: a part, and a table as bytes."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table.combine_chunks())
    cells = pa.array([sink.getvalue().to_pybytes()], pa.binary())
    return pa.RecordBatch.from_arrays([pa.array([part], pa.int32()), cells], names=["part", "packed"])


def _narrow(name: str, array: NDArray[Any]) -> NDArray[Any]:
    """Return whole counts in as few bytes as they need: most are 0 or 1."""
    if name in SCORES or array.dtype.kind != "i" or not len(array) or array.min() < 0:
        return array
    return array.astype(np.min_scalar_type(array.max()))


def _wide(name: str, array: NDArray[Any]) -> NDArray[Any]:
    return array if name in SCORES or array.dtype.kind == "f" else array.astype(np.int64)
