"""How many threads large inputs may use; every answer is the same for any number."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from numbers import Integral
from typing import TypeVar

import numpy as np

from curvewise.errors import CurvewiseError
from curvewise.rows.columns import shown

T = TypeVar("T")
R = TypeVar("R")

ROWS_PER_THREAD = 100_000  # fewer rows than this do not repay a thread
MOST_BY_DEFAULT = 8  # beyond this, memory bandwidth is the limit
LARGEST_KEPT = 31 << 20  # bytes: just below the most that glibc's allocator learns from
_chosen: int | None = None


def set_threads(number: int | None) -> None:
    """Set how many threads curvewise may use for large inputs.

    Parameters
    ----------
    number
        A whole number of at least 1, or None to return to the default: the environment variable
        ``CURVEWISE_THREADS`` if set, else the processors this process may use, at most 8.

    Notes
    -----
    Counts are exact, so the result is identical, bit for bit, for any number of threads.

    Examples
    --------
    >>> import curvewise as cw
    >>> cw.set_threads(1)
    >>> cw.get_threads()
    1
    >>> cw.set_threads(None)
    """
    global _chosen  # noqa: PLW0603 - a process-wide setting, like NumPy's print options
    _chosen = None if number is None else _checked("threads", number)


def get_threads() -> int:
    """Return how many threads curvewise may use for large inputs."""
    if _chosen is not None:
        return _chosen
    setting = os.environ.get("CURVEWISE_THREADS")
    if setting:
        return _checked("CURVEWISE_THREADS", int(setting) if setting.isdecimal() else setting)
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(available or 1, MOST_BY_DEFAULT)


def in_threads(work: Callable[[T], R], parts: Sequence[T], rows: int) -> list[R]:
    """Apply ``work`` to each part, in threads when there are rows enough to repay them."""
    workers = min(len(parts), rows // ROWS_PER_THREAD)
    if rows >= ROWS_PER_THREAD:
        _keep_freed_memory()
    workers = min(workers, get_threads()) if workers > 1 else 1
    if workers <= 1:
        return [work(part) for part in parts]
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(work, parts))


@lru_cache(maxsize=1)
def _keep_freed_memory() -> None:
    """Let the allocator keep what one piece of work frees for the next.

    glibc gives freed memory back to the system until a large block has been freed once. Taking it anew, page by page,
    for every piece costs several times what the arithmetic does. The block is never touched, so it costs nothing.
    """
    np.empty(LARGEST_KEPT, dtype=np.uint8)


def _checked(name: str, number: object) -> int:
    if isinstance(number, bool) or not isinstance(number, Integral) or number < 1:
        raise CurvewiseError(f"{name}: expected a whole number of at least 1, got {shown(number)}.")
    return int(number)
