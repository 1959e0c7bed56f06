"""Time calls side by side, and measure the memory one of them needs."""

from __future__ import annotations

import os
import time
import tracemalloc
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Call = Callable[[], Any]

AT_LEAST = 0.005  # seconds; shorter calls are looped, since reading the clock costs something too
SHORT = 0.5  # seconds; short calls are repeated this long, for noise hurts them most
MOST_ROUNDS = 20


def once(call: Call) -> tuple[float, Any]:
    """Return the seconds one call takes, and what it returns."""
    start = time.perf_counter()
    result = call()
    return time.perf_counter() - start, result


def best_of(calls: dict[str, Call], repeat: int) -> dict[str, float]:
    """Return the best seconds per call of each, as `best_times` finds them."""
    return {name: wall for name, (wall, _) in best_times(calls, repeat).items()}


def best_times(calls: dict[str, Call], repeat: int) -> dict[str, tuple[float, float]]:
    """Return the best seconds per call of each, on the clock and of the processor in all threads.

    Calls take turns, so that a noisy spell hits all. There are ``repeat`` rounds, and up to `MOST_ROUNDS` until `SHORT`
    has passed.
    """
    loops = {name: max(1, int(AT_LEAST / once(call)[0])) for name, call in calls.items()}
    best = dict.fromkeys(calls, (float("inf"), float("inf")))
    end = time.perf_counter() + SHORT
    done = 0
    while done < repeat or (done < MOST_ROUNDS and time.perf_counter() < end):
        for name, call in calls.items():
            start, processor = time.perf_counter(), time.process_time()
            for _ in range(loops[name]):
                call()
            spent = time.perf_counter() - start, time.process_time() - processor
            best[name] = min(best[name][0], spent[0] / loops[name]), min(best[name][1], spent[1] / loops[name])
        done += 1
    return best


def peak_bytes(call: Call) -> int:
    """Return the most memory in use during the call beyond what was in use before, result included."""
    tracemalloc.start()
    try:
        result = call()  # noqa: F841 - kept, so that the result counts to the end
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def cpu_seconds(call: Call) -> tuple[float, Any]:
    """Return the seconds of all threads and child processes during the call, and what it returns."""
    start, children = time.process_time(), sum(os.times()[2:4])
    result = call()
    return time.process_time() - start + sum(os.times()[2:4]) - children, result


@contextmanager
def peak_beyond() -> Iterator[Callable[[], float]]:
    """Yield a function that returns by how many megabytes the process has grown at most since (Linux; else NaN)."""
    status = Path("/proc/self/status")

    def megabytes(what: str) -> float:
        lines = status.read_text().splitlines() if status.exists() else []
        return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(what)), float("nan"))

    if status.exists():
        Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
    before = megabytes("VmRSS")
    yield lambda: megabytes("VmHWM") - before
