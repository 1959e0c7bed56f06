"""Time weighted metrics, intervals, comparisons, groups and calibration, in units of ``np.sort(scores)``.

Run ``python benchmarks/weighted.py``; README.md beside this file says how to read the table.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import sklearn.metrics as skm
from _report import digits, environment, load_average, markdown_table, seconds, text_table, write_csv
from _timing import best_times
from sklearn.calibration import calibration_curve

import curvewise as cw

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

RESULTS = Path(__file__).parent / "results" / "weighted.md"
ROWS = [100_000, 1_000_000, 10_000_000]
HUGE = 10_000_000  # from here on peers are timed once: a call takes many seconds
GROUPS, BINS = 50, 10
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Data:
    """Labels, the probabilities of two models, weights and groups."""

    y: NDArray[np.int64]
    p: NDArray[np.float64]
    other: NDArray[np.float64]
    p32: NDArray[np.float32]
    weight: NDArray[np.float64]
    whole: NDArray[np.int64]
    group: NDArray[np.int64]


@dataclass(frozen=True)
class Task:
    """One question: how curvewise is asked, how scikit-learn, and which of curvewise's numbers are also theirs.

    ``peer`` says what scikit-learn does where it is less than curvewise does; ``goal`` is in sorts of ``unit``,
    at `HUGE` rows.
    """

    ours: Callable[[Data], Any]
    theirs: Callable[[Data], Any]
    number: Callable[[Any], Any]
    goal: float
    peer: str = ""
    unit: str = "p"


def group_areas(d: Data) -> list[float]:
    """Ask scikit-learn for the area of each group."""
    rows = (d.group == g for g in range(GROUPS))
    return [float(skm.roc_auc_score(d.y[on], d.p[on])) for on in rows]


def gaps(curve: Any) -> float:
    """Return the largest gap of scikit-learn's calibration curve."""
    observed, predicted = curve
    return float(np.abs(observed - predicted).max())


TASKS = {
    "AUC": Task(
        ours=lambda d: cw.roc_auc(d.y, d.p),
        theirs=lambda d: skm.roc_auc_score(d.y, d.p),
        number=float,
        goal=1.3,
    ),
    "AUC, float32": Task(
        ours=lambda d: cw.roc_auc(d.y, d.p32),
        theirs=lambda d: skm.roc_auc_score(d.y, d.p32),
        number=float,
        goal=1.3,
        unit="p32",
    ),
    "weighted AUC": Task(
        ours=lambda d: cw.roc_auc(d.y, d.p, weight=d.weight),
        theirs=lambda d: skm.roc_auc_score(d.y, d.p, sample_weight=d.weight),
        number=float,
        goal=5,
    ),
    "weighted AUC, whole weights": Task(
        ours=lambda d: cw.roc_auc(d.y, d.p, weight=d.whole),
        theirs=lambda d: skm.roc_auc_score(d.y, d.p, sample_weight=d.whole),
        number=float,
        goal=5,
    ),
    "ROC curve": Task(
        ours=lambda d: cw.roc_curve(d.y, d.p),
        theirs=lambda d: skm.roc_curve(d.y, d.p, drop_intermediate=False),
        number=lambda c: c.tpr if hasattr(c, "tpr") else c[1],
        goal=2,
    ),
    "PR curve": Task(
        ours=lambda d: cw.pr_curve(d.y, d.p),
        theirs=lambda d: skm.precision_recall_curve(d.y, d.p),
        number=lambda c: c.precision if hasattr(c, "precision") else c[0][-2::-1],
        goal=2,
    ),
    "AUC interval": Task(
        ours=lambda d: cw.interval("roc_auc", d.y, d.p),
        theirs=lambda d: skm.roc_auc_score(d.y, d.p),
        number=lambda found: float(getattr(found, "value", found)),
        goal=4,
        peer="the AUC alone",
    ),
    "compare two models": Task(
        ours=lambda d: cw.compare(d.y, {"a": d.p, "b": d.other}),
        theirs=lambda d: skm.roc_auc_score(d.y, d.p) - skm.roc_auc_score(d.y, d.other),
        number=lambda found: float(found.difference.value if hasattr(found, "difference") else found),
        goal=12,
        peer="two AUCs alone",
    ),
    f"by_group, {GROUPS} groups": Task(
        ours=lambda d: cw.by_group(d.y, d.p, d.group),
        theirs=group_areas,
        number=lambda f: np.array(f if isinstance(f, list) else [g.estimates["roc_auc"].value for g in f.groups()]),
        goal=12,
        peer="AUCs alone",
    ),
    "calibration": Task(
        ours=lambda d: cw.calibration(d.y, d.p, bins=BINS),
        theirs=lambda d: calibration_curve(d.y, d.p, n_bins=BINS),
        number=lambda found: found.mce if hasattr(found, "mce") else gaps(found),
        goal=10,
        peer="the binned curve alone",
    ),
}


def make_data(rows: int) -> Data:
    """Draw calibrated probabilities of a tenth of positives, and those of a second model that sees with noise."""
    rng = np.random.default_rng(rows)
    y = (rng.random(rows) < 0.1).astype(np.int64)
    seen = rng.standard_normal(rows) + 1.5 * y
    odds = np.log(1 / 9) + 1.5 * seen - 1.5**2 / 2  # of two normal distributions 1.5 apart
    p, other = (1 / (1 + np.exp(-each)) for each in (odds, odds + 0.5 * rng.standard_normal(rows)))
    return Data(
        y,
        p,
        other,
        p.astype(np.float32),
        rng.uniform(0.5, 1.5, rows),
        rng.integers(1, 5, rows),
        rng.integers(0, GROUPS, rows),
    )


def measure(name: str, data: Data, repeat: int) -> dict[str, Any]:
    """Compare both answers, then time both and the sort in one run."""
    task = TASKS[name]
    scores = getattr(data, task.unit)
    calls: dict[str, Callable[[], Any]] = {
        "sort": lambda: np.sort(scores),
        "ours": lambda: task.ours(data),
        "theirs": lambda: task.theirs(data),
    }
    start = time.perf_counter()
    answer = task.number(calls["theirs"]())
    spent = time.perf_counter() - start
    apart = float(np.abs(np.asarray(task.number(calls["ours"]())) - answer).max())
    if not apart <= TOLERANCE:
        sys.exit(f"{name} on {len(data.y)} rows: the answers differ by {apart:.3g}. Nothing was timed further.")
    if len(data.y) >= HUGE:
        del calls["theirs"]
    best = best_times(calls, repeat)
    (sort, sort_cpu), (own, own_cpu), (peer, _) = best["sort"], best["ours"], best.get("theirs", (spent, spent))
    return {
        "task": name,
        "rows": len(data.y),
        "curvewise_s": own,
        "in_sorts": own / sort,
        "cpu_s": own_cpu,
        "cpu_in_sorts": own_cpu / sort_cpu,
        "goal_in_sorts": task.goal,
        "sklearn_s": peer,
        "sklearn_ratio": peer / own,
        "sklearn_does": task.peer,
    }


def line(r: dict[str, Any]) -> list[str]:
    """Write one record as a line of the table."""
    return [
        r["task"],
        f"{r['rows']:,}".replace(",", " "),
        seconds(r["curvewise_s"]),
        digits(r["in_sorts"]),
        f"{r['goal_in_sorts']:g}" if r["rows"] >= HUGE else "",
        seconds(r["cpu_s"]),
        digits(r["cpu_in_sorts"]),
        seconds(r["sklearn_s"]) + (f" ({r['sklearn_does']})" if r["sklearn_does"] else ""),
        digits(r["sklearn_ratio"]),
    ]


HEADER = ["task", "rows", "curvewise", "in np.sorts", "goal", "CPU", "CPU in np.sorts", "scikit-learn", "times faster"]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, nargs="+", default=ROWS, metavar="N", help="sizes")
    parser.add_argument("--only", default="", metavar="NAME", help="tasks whose name has this in it")
    parser.add_argument("--repeat", type=int, default=5, metavar="N", help="best of N (default 5)")
    parser.add_argument("--write", action="store_true", help=f"write {RESULTS.name} and .csv in results/")
    args = parser.parse_args()
    load, start = load_average(), time.perf_counter()
    records = []
    for rows in args.rows:
        data = make_data(rows)
        for name in TASKS:
            if args.only in name:
                records.append(measure(name, data, args.repeat))
                print(f"{time.perf_counter() - start:5.0f} s  {rows} rows, {name}", file=sys.stderr)
    below = {
        "load average": f"{load} before, {load_average()} after",
        "repeats": f"best of {args.repeat} or more; scikit-learn once from {HUGE:,} rows on".replace(",", " "),
        "checked": f"what scikit-learn computes too agrees to {TOLERANCE:g}",
    } | environment(["scikit-learn", "scipy"])
    lines = [line(r) for r in records]
    print(f"\n{text_table(HEADER, lines)}\n\n" + "\n".join(f"{k + ':':15}{v}" for k, v in below.items()))
    if args.write:
        head = "# Weighted rows, intervals, comparisons, groups, calibration"
        told = "Written by `python benchmarks/weighted.py --write`. How to read it: `benchmarks/README.md`."
        where = "\n".join(f"- {key}: {value}" for key, value in below.items())
        table = markdown_table(HEADER, lines)
        RESULTS.write_text(f"{head}\n\n{told}\n\n{table}\n\n## Environment\n\n{where}\n", encoding="utf-8")
        write_csv(RESULTS.with_suffix(".csv"), records)


if __name__ == "__main__":
    main()
