"""Time curvewise's core beside scikit-learn and torchmetrics, in units of ``np.sort(scores)``.

Run ``python benchmarks/core.py``; README.md beside this file says how to read the tables.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from _report import digits, environment, load_average, markdown_table, seconds, text_table, write_csv
from _tasks import TASKS, Data, difference, make_data
from _timing import best_of, once, peak_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

RESULTS = Path(__file__).parent / "results"
ROWS = [100, 10_000, 100_000, 1_000_000, 10_000_000]
DTYPES = ["float64", "float32"]
PREVALENCES = [0.5, 0.1, 0.001]
# From HUGE rows on, a scikit-learn call takes seconds: fewer combinations, and peers only once.
HUGE, HUGE_DTYPES, HUGE_PREVALENCES = 10_000_000, ["float64"], [0.5, 0.1]
TOLERANCE = 1e-9


def measure(name: str, data: Data, repeat: int, tm: Any) -> dict[str, Any]:
    """Check one task's answers on these rows, then time it; times in seconds, None where skipped."""
    task = TASKS[name]
    calls: dict[str, Callable[[], Any]] = {
        "np.sort": lambda: np.sort(data.score),
        "curvewise": lambda: task.curvewise(data),
        "scikit-learn": lambda: task.sklearn(data),
    }
    if tm is not None and task.torch is not None:
        ask = task.torch
        # last: its worker threads idle busily for a moment, which then falls on single-threaded np.sort
        calls["torchmetrics"] = lambda: ask(tm, data)

    ours = calls["curvewise"]()
    first: dict[str, float] = {}
    apart: dict[str, float] = {}
    for peer in list(calls)[2:]:
        first[peer], answer = once(calls[peer])
        # torchmetrics starts a ROC curve's thresholds at 1, so only rates are compared with it
        fields = 3 if peer == "scikit-learn" else 2
        apart[peer] = difference(ours, task.in_our_form(answer), fields)
    if not apart["scikit-learn"] <= TOLERANCE:
        sys.exit(
            f"{name} on {len(data.y)} rows of {data.score.dtype}: curvewise and scikit-learn differ by "
            f"{apart['scikit-learn']:.3g}, more than {TOLERANCE:g}. Nothing was timed further."
        )
    del ours, answer

    if len(data.y) >= HUGE:
        best = best_of({who: calls[who] for who in ("np.sort", "curvewise")}, repeat) | first
    else:
        best = best_of(calls, repeat)
    given = data.y.nbytes + data.score.nbytes + (data.weight.nbytes if task.weighted else 0)
    own, torch = best["curvewise"], best.get("torchmetrics")
    return {
        "sort_s": best["np.sort"],
        "curvewise_s": own,
        "in_sorts": own / best["np.sort"],
        "sklearn_s": best["scikit-learn"],
        "sklearn_ratio": best["scikit-learn"] / own,
        "torchmetrics_s": torch,
        "torchmetrics_ratio": torch and torch / own,
        "torchmetrics_error": apart.get("torchmetrics"),
        "memory_ratio": peak_bytes(calls["curvewise"]) / given,
    }


def combinations(rows: list[int]) -> Iterator[tuple[int, str, float]]:
    """Yield rows, dtype and prevalence, leaving out what would be slow, or have no positive."""
    for n in rows:
        dtypes = HUGE_DTYPES if n >= HUGE else DTYPES
        prevalences = HUGE_PREVALENCES if n >= HUGE else PREVALENCES
        for dtype, prevalence in itertools.product(dtypes, prevalences):
            if n * prevalence >= 1:
                yield n, dtype, prevalence


def tables(records: list[dict[str, Any]]) -> Iterator[tuple[str, list[str], list[list[str]]]]:
    """Yield one table a task: its name, header and rows."""
    header = ["rows", "scores", "prevalence", "curvewise", "in np.sorts"]
    header += ["scikit-learn", "times faster", "torchmetrics", "times faster", "memory"]
    for name in TASKS:
        yield (
            name,
            header,
            [
                [
                    f"{r['rows']:,}".replace(",", " "),
                    r["dtype"],
                    f"{r['prevalence']:g}",
                    seconds(r["curvewise_s"]),
                    digits(r["in_sorts"]),
                    seconds(r["sklearn_s"]),
                    digits(r["sklearn_ratio"]),
                    seconds(r["torchmetrics_s"]),
                    digits(r["torchmetrics_ratio"]),
                    digits(r["memory_ratio"]),
                ]
                for r in records
                if r["task"] == name
            ],
        )


def notes(records: list[dict[str, Any]], args: argparse.Namespace, load: str, *, torch: bool) -> dict[str, str]:
    """Return what stands below the tables: how it was run, and where."""
    packages = ["scikit-learn", "scipy"] + (["torch", "torchmetrics"] if torch else [])
    found = {
        "scores": args.scores,
        "load average": f"{load} before, {load_average()} after",
        "repeats": f"best of {args.repeat} or more; peers once from {HUGE:,} rows on".replace(",", " "),
        "checked": f"every answer agrees with scikit-learn's to {TOLERANCE:g}",
    }
    if torch:
        off = max(r["torchmetrics_error"] or 0 for r in records)
        found["precision"] = f"torchmetrics' answers differ from curvewise's by up to {off:.1e}"
    return found | environment(packages)


def write(path: Path, records: list[dict[str, Any]], below: dict[str, str]) -> None:
    """Write Markdown to the path, and CSV beside it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    parts = [
        "# Core benchmark",
        "Written by `python benchmarks/core.py`. How to read it: `benchmarks/README.md`.",
    ]
    for name, header, rows in tables(records):
        parts += [f"## {name}", markdown_table(header, rows)]
    parts += ["## Environment", "\n".join(f"- {key}: {value}" for key, value in below.items())]
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    write_csv(path.with_suffix(".csv"), records)


def load_torchmetrics(*, wanted: bool, scores: str) -> Any:
    """Return the module of torchmetrics' functions, or None with a word why not."""
    if not wanted:
        return None
    if scores != "probabilities":
        print("torchmetrics is left out: it would apply a sigmoid to scores outside [0, 1].")
        return None
    try:
        from torchmetrics.functional import classification
    except ImportError:
        print("torchmetrics is left out: it is not installed.")
        return None
    return classification


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rows", type=int, nargs="+", default=ROWS, metavar="N", help="sizes")
    parser.add_argument("--quick", action="store_true", help="100 and 10 000 rows, nothing written")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="best of N (default 3)")
    parser.add_argument("--scores", choices=["probabilities", "normal"], default="probabilities")
    parser.add_argument("--no-torchmetrics", action="store_true", help="leave torchmetrics out")
    parser.add_argument("-o", type=Path, dest="out", metavar="FILE", help="Markdown; CSV beside it")
    args = parser.parse_args()
    name = "core.md" if args.scores == "probabilities" else "core-normal.md"
    out: Path | None = args.out or (None if args.quick else RESULTS / name)
    tm = load_torchmetrics(wanted=not args.no_torchmetrics, scores=args.scores)

    load, start = load_average(), time.perf_counter()
    records: list[dict[str, Any]] = []
    planned = list(combinations(ROWS[:2] if args.quick else args.rows))
    for done, (rows, dtype, prevalence) in enumerate(planned, start=1):
        data = make_data(rows, dtype, prevalence, args.scores, torch=tm is not None)
        for task in TASKS:
            about = {"task": task, "rows": rows, "dtype": dtype, "prevalence": prevalence}
            records.append(about | measure(task, data, args.repeat, tm))
        below = notes(records, args, load, torch=tm is not None)
        if done < len(planned):
            below = {"INCOMPLETE": f"{done} of {len(planned)} kinds of rows were measured"} | below
        if out:  # at every step, so that a run cut short leaves what it has measured
            write(out, records, below)
        spent = time.perf_counter() - start
        print(f"{spent:5.0f} s  {rows} rows, {dtype}, prevalence {prevalence:g}", file=sys.stderr)

    for task, header, lines in tables(records):
        print(f"\n{task}\n{text_table(header, lines)}")
    print("\n" + "\n".join(f"{key + ':':15}{value}" for key, value in below.items()))


if __name__ == "__main__":
    main()
