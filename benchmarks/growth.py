"""Measure how time and memory grow with rows, groups, classes and weights: each case at sizes ten times apart.

Run ``python benchmarks/growth.py``; README.md beside this file says how to read the table.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from _report import digits, environment, load_average, markdown_table, seconds, text_table, write_csv
from _timing import cpu_seconds, peak_beyond

import curvewise as cw

if TYPE_CHECKING:
    from collections.abc import Callable

    Call = Callable[[], Any]

RESULTS = Path(__file__).parent / "results"
ROWS_PER_GROUP, ROWS_PER_CLUSTER, CLASS_ROWS = 20, 10, 100_000
LIMIT = 1800  # seconds after which a case is given up


@dataclass(frozen=True)
class Case:
    """A question, what its size counts, the sizes, and what makes the call from a size."""

    of: str
    sizes: tuple[int, ...]
    make: Callable[[int], Call]


def rows(n: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw labels, a third of them positive, and probabilities of two models."""
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 1 / 3
    good, bad = ((1 / (1 + np.exp(-rng.normal(shift * y - 1, 1)))) for shift in (1.5, 1.3))
    return y, good, bad


def in_groups(groups: int) -> dict[str, np.ndarray]:
    y, score, _ = rows(groups * ROWS_PER_GROUP)
    return {"y": y, "score": score, "group": np.arange(len(y)) % groups}


def by_group(groups: int) -> Call:
    data = in_groups(groups)
    return lambda: cw.by_group(**data, threshold=0.5)


def group_table(groups: int) -> Call:
    data = in_groups(groups)

    def call() -> Any:
        found = cw.by_group(**data, threshold=0.5)
        return found.table, found.gaps()

    return call


def fairness(groups: int) -> Call:
    data = in_groups(groups)
    return lambda: cw.fairness(**data, threshold=0.5)


def sampled_groups(groups: int) -> Call:
    data = in_groups(groups)
    cluster = np.arange(len(data["y"])) // 2
    return lambda: cw.by_group(**data, threshold=0.5, cluster=cluster)


def compared(n: int, *, clusters: bool = False, **options: Any) -> Call:
    y, good, bad = rows(n)
    options |= {"cluster": np.arange(n) // ROWS_PER_CLUSTER} if clusters else {}
    return lambda: cw.compare(y, {"good": good, "bad": bad}, metric="average_precision", **options)


def partial_view(n: int) -> Call:
    y, good, bad = rows(n)
    return lambda: cw.partial_view(y, {"good": good, "bad": bad}, fp=1, fn=(2, 5), prevalence=0.2)


def interval(n: int, metric: str, *, decimals: int | None = None, clusters: bool = False, **options: Any) -> Call:
    y, score, _ = rows(n)
    score = score if decimals is None else score.round(decimals)
    options |= {"cluster": np.arange(n) // ROWS_PER_CLUSTER} if clusters else {}
    return lambda: cw.interval(metric, y, score, **options)


def weighted(most: int, n: int, kind: Any) -> Call:
    y, score, _ = rows(n)
    weight = np.random.default_rng(2).integers(1, most, n, endpoint=True)
    return lambda: cw.interval("roc_auc", y, score, weight=weight, weight_kind=kind, method="percentile")


def many_classes(classes: int, metric: str) -> Call:
    rng = np.random.default_rng(3)
    y = rng.integers(0, classes, CLASS_ROWS)
    p = np.exp(rng.normal(0, 1, (CLASS_ROWS, classes)) + 2 * (y[:, None] == np.arange(classes)))
    p /= p.sum(axis=1, keepdims=True)
    return lambda: cw.multiclass(y, p).interval(metric)


def many_labels(labels: int, metric: str) -> Call:
    rng = np.random.default_rng(4)
    truth = rng.random((CLASS_ROWS, labels)) < 0.2
    score = 1 / (1 + np.exp(1 - rng.normal(1.5 * truth, 1)))
    return lambda: cw.multilabel(truth, score).interval(metric)


def evaluated(n: int) -> Call:
    y, good, bad = rows(n)

    def call() -> None:
        with tempfile.TemporaryDirectory() as folder:
            cw.evaluate(y, {"good": good, "bad": bad}).report(Path(folder) / "report.html")

    return call


GROUPS, MILLION, TEN_MILLION = (1_000, 10_000, 100_000), (100_000, 1_000_000), (1_000_000, 10_000_000)
CASES = {
    "by_group": Case("groups", GROUPS, by_group),
    "by_group, its table and gaps": Case("groups", GROUPS, group_table),
    "by_group, clusters": Case("groups", (100, 1_000, 10_000), sampled_groups),
    "fairness": Case("groups", GROUPS, fairness),
    "compare AP": Case("rows", MILLION, compared),
    "compare AP, clusters": Case("rows", MILLION, lambda n: compared(n, clusters=True)),
    "compare AP, bootstrap": Case("rows", MILLION, lambda n: compared(n, method="bootstrap")),
    "partial_view": Case("rows", MILLION, partial_view),
    "AUC, clusters": Case("rows", MILLION, lambda n: interval(n, "roc_auc", clusters=True)),
    "AP, clusters": Case("rows", MILLION, lambda n: interval(n, "average_precision", clusters=True)),
    "AUC percentile, clusters": Case(
        "rows", MILLION, lambda n: interval(n, "roc_auc", clusters=True, method="percentile")
    ),
    "AUC percentile": Case("rows", TEN_MILLION, lambda n: interval(n, "roc_auc", method="percentile")),
    "AUC percentile, two decimals": Case(
        "rows", TEN_MILLION, lambda n: interval(n, "roc_auc", decimals=2, method="percentile")
    ),
    "400 rows that count for many": Case("at most", (1_000, 10_000, 10**9), lambda most: weighted(most, 400, "count")),
    "rows that count for up to 1e9": Case("rows", (10, 100_000, 1_000_000), lambda n: weighted(10**9, n, "count")),
    "sampling weights up to 1e4": Case("rows", MILLION, lambda n: weighted(10_000, n, "sampling")),
    "multiclass accuracy": Case("classes", (10, 100), lambda k: many_classes(k, "accuracy")),
    "multiclass AUC": Case("classes", (10, 100), lambda k: many_classes(k, "roc_auc")),
    "multilabel AUC": Case("labels", (10, 100), lambda k: many_labels(k, "roc_auc")),
    "multilabel F1": Case("labels", (10, 100), lambda k: many_labels(k, "f1")),
    "evaluate and report": Case("rows", (200_000, 2_000_000), evaluated),
}


def alone(name: str, size: int) -> None:
    """Ask one question in this process and print seconds, processor seconds and megabytes."""
    call = CASES[name].make(size)
    CASES[name].make(CASES[name].sizes[0])()  # imports are left out
    with peak_beyond() as grown:
        start = time.perf_counter()
        cpu, _ = cpu_seconds(call)
        print(json.dumps({"seconds": time.perf_counter() - start, "cpu": cpu, "megabytes": grown()}))


def measure(name: str, size: int, limit: float) -> dict[str, Any]:
    """Ask one question in a process of its own, so that memory of one is not used again by another."""
    command = [sys.executable, __file__, "--alone", name, str(size)]
    told = {"case": name, "of": CASES[name].of, "size": size}
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return told | {"cpu": None, "seconds": None, "megabytes": None}
    if done.returncode:
        print(done.stderr, file=sys.stderr)
        return told | {"cpu": None, "seconds": None, "megabytes": None}
    return told | json.loads(done.stdout)


def table(records: list[dict[str, Any]]) -> tuple[list[str], list[list[str]]]:
    """Return header and rows: each case at each size, and how often the size before it costs."""
    header = ["case", "size", "time", "CPU", "memory, MB", "times the size", "times the CPU", "times the memory"]
    found = []
    for k, r in enumerate(records):
        shown = [r["case"], f"{r['size']:,} {r['of']}".replace(",", " "), seconds(r["seconds"]), seconds(r["cpu"])]
        smallest = CASES[r["case"]].sizes[0]
        warm = r["size"] == smallest  # the call before it left as much memory to use again
        shown.append("given up" if r["megabytes"] is None else "" if warm else digits(r["megabytes"]))
        last = records[k - 1] if k and records[k - 1]["case"] == r["case"] else {}
        for what in ("size", "cpu", "megabytes"):
            both = bool(last) and last[what] is not None and r[what] is not None
            both = both and not (what == "megabytes" and last["size"] == smallest)
            shown.append(digits(r[what] / last[what]) if both and last[what] > 0 else "")
        found.append(shown)
    return header, found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="the smallest size of each case, nothing written")
    parser.add_argument("--only", metavar="TEXT", help="cases whose name has this text, nothing written")
    parser.add_argument("--limit", type=float, default=LIMIT, metavar="S", help="give a case up after S seconds")
    parser.add_argument("--alone", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("-o", type=Path, dest="out", metavar="FILE", help="Markdown; CSV beside it")
    args = parser.parse_args()
    if args.alone:
        alone(args.alone[0], int(args.alone[1]))
        return
    out: Path | None = args.out or (None if args.quick or args.only else RESULTS / "growth.md")
    load, records = load_average(), []
    for name, case in CASES.items():
        if args.only and args.only not in name:
            continue
        for size in case.sizes[:1] if args.quick else case.sizes:
            records.append(measure(name, size, args.limit))
            print(records[-1], file=sys.stderr, flush=True)
    facts = {"load average": f"{load} before, {load_average()} after"} | environment(["scipy"])
    header, shown = table(records)
    if out:
        parts = [
            "# Growth benchmark",
            "Written by `python benchmarks/growth.py`. How to read it: `benchmarks/README.md`.",
        ]
        parts += [markdown_table(header, shown), "\n".join(f"- {key}: {value}" for key, value in facts.items())]
        out.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
        write_csv(out.with_suffix(".csv"), records)
    print(f"\n{text_table(header, shown)}\n\n" + "\n".join(f"{key + ':':17}{value}" for key, value in facts.items()))


if __name__ == "__main__":
    main()
