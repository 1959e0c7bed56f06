"""The order of rows by score: the only place that orders rows which carry a weight, a group or a number.

The bits of a score, coded so that they rise in the wanted order, and the number of its row share one 64-bit number.
One plain sort of these numbers then orders rows, at a fraction of the cost of ``np.argsort``. Where code and row number
need more than 64 bits together, the lowest bits of the code are left out. Neighbours that agree in what is left are
compared by their scores, and the few that stand in the wrong order are sorted again.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Places
from curvewise.core import threads as _threads
from curvewise.core.keys import slices

Packed = NDArray[np.uint64]

BITS = 64  # of a packed number
FEW = 1 << 10  # fewer rows than this are ordered by NumPy: packing would cost more than it saves


def order_rows(score: NDArray[Any], *, falling: bool = True) -> tuple[NDArray[Any], Places]:
    """Return the rows by falling (or rising) score, and the places in that order whose score is that of the next.

    The order is stable: rows with equal scores keep the order in which they came. Scores must not be NaN; -0.0 equals
    0.0. The numbers of rows are int32 where they fit.
    """
    score = score.astype(np.float32) if score.dtype == np.float16 else score
    if len(score) < FEW or score.dtype.kind not in "iuf" or score.dtype.itemsize > 8:
        order = _small(np.argsort(turned(score) if falling else score, kind="stable"))
        ranked = score[order]
        return order, np.flatnonzero(ranked[1:] == ranked[:-1])
    packed, row_bits, is_exact = _pack(score, falling=falling)
    _sort(packed)
    order, tied = _unpack(packed, row_bits)
    del packed
    if is_exact or not len(tied):
        return order, tied
    first, second = score.take(order[tied]), score.take(order[tied + 1])
    wrong = first < second if falling else first > second  # mutants: same in the end
    if wrong.any():
        places = _runs(tied, wrong)
        rows = order[places]
        some = score[rows]
        order[places] = rows[np.argsort(turned(some) if falling else some, kind="stable")]
        first, second = score.take(order[tied]), score.take(order[tied + 1])
    return order, tied[first == second]


def turned(score: NDArray[Any]) -> NDArray[Any]:
    """Map scores so that their order turns round, without overflow at the end of an integer type."""
    return ~score if score.dtype.kind in "iu" else 0 - score


def _pack(score: NDArray[Any], *, falling: bool) -> tuple[Packed, int, bool]:
    """Return code and row as one number, how many bits the row has, and whether the code is complete."""
    n, low, high = len(score), score.min(), score.max()
    crosses = bool(low < 0)  # mutants: no bit changes
    first, last = (int(_codes(np.array([end]), crosses=crosses)[0]) for end in (low, high))
    row_bits = (n - 1).bit_length()
    left_out = np.uint64(max(((last - first) % 2**64).bit_length() + row_bits - BITS, 0))  # mutants: work
    packed: Packed = np.empty(n, dtype=np.uint64)

    def write(here: slice) -> None:
        out = packed[here]
        code = _codes(score[here], crosses=crosses)
        # modulo 2^64: the codes of signed numbers are signed, too
        if falling:
            np.subtract(np.uint64(last), code, out=out)
        else:
            np.subtract(code, np.uint64(first), out=out)
        if left_out:
            out >>= left_out
        out <<= np.uint64(row_bits)
        out |= np.arange(here.start, here.stop, dtype=np.uint64)

    _threads.in_threads(write, list(slices(n)), n)
    return packed, row_bits, not left_out


def _codes(score: NDArray[Any], *, crosses: bool) -> Packed:
    """Return integers, modulo 2^64, that rise with the scores; ``crosses`` says that some scores are below zero."""
    if score.dtype.kind in "iu":
        return score.astype(np.uint64)
    signed = np.int64 if score.dtype.itemsize == 8 else np.int32
    bits = (score + score.dtype.type(0)).view(signed)  # -0.0 is 0.0
    if crosses:  # below zero, bits rise as scores fall: all but the sign are turned round
        bits ^= (bits >> (8 * bits.dtype.itemsize - 1)) & np.iinfo(signed).max
    codes: Packed = bits.astype(np.int64, copy=False).view(np.uint64)
    return codes


def _sort(packed: Packed) -> None:
    """Sort in place, in threads where there are rows enough: the answer is the same."""
    parts = [packed]
    while len(parts) < min(_threads.get_threads(), len(packed) // _threads.ROWS_PER_THREAD):
        halves = []
        for part in parts:
            middle = len(part) // 2  # mutants: work
            part.partition(middle)
            halves += [part[:middle], part[middle:]]
        parts = halves
    _threads.in_threads(np.ndarray.sort, parts, len(packed))


def _unpack(packed: Packed, row_bits: int) -> tuple[NDArray[Any], Places]:
    """Return the rows, and the places whose code is that of the next place."""
    n = len(packed)
    order = np.empty(n, dtype=_row_type(n))
    mask, least = np.uint64((1 << row_bits) - 1), np.uint64(1 << row_bits)

    def read(here: slice) -> Places:
        order[here] = packed[here] & mask
        some = packed[here.start : here.stop + 1]
        tied: Places = np.flatnonzero((some[1:] ^ some[:-1]) < least) + here.start
        return tied

    return order, np.concatenate(_threads.in_threads(read, list(slices(n)), n))


def _runs(tied: Places, wrong: NDArray[np.bool_]) -> Places:
    """Return all places of the runs of equal codes in which some neighbours are in the wrong order."""
    run = np.cumsum(np.diff(tied, prepend=tied[0]) > 1)
    is_wrong = np.zeros(run[-1] + 1, dtype=bool)
    is_wrong[run[wrong]] = True
    some = tied[is_wrong[run]]
    return np.union1d(some, some + 1)


def _row_type(n: int) -> Any:
    return np.int32 if n <= np.iinfo(np.int32).max else np.intp


def _small(order: Places) -> NDArray[Any]:
    return order.astype(_row_type(len(order)))
