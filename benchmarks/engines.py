"""Time scans of Parquet files: exact, and with certain limits, beside reading everything into scikit-learn.

Run ``python benchmarks/engines.py``; README.md beside this file says how to read the table.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"
FILES = 10
CASES: dict[str, dict[str, Any]] = {
    "curvewise, exact": {"resolution": None},
    "curvewise, limits (resolution 1e-4)": {"resolution": 1e-4},
    "curvewise, exact areas in fixed memory (resolution 0)": {"resolution": 0},
    "curvewise on DuckDB, limits (resolution 1e-4)": {"resolution": 1e-4, "engine": "duckdb"},
    "pandas and scikit-learn": {},
}


def write_parts(folder: Path, rows: int) -> None:
    """Write rows with different scores, a tenth of them positive."""
    import numpy as np
    import polars as pl

    rng = np.random.default_rng(1)
    for k in range(FILES):
        n = rows // FILES
        y = (rng.random(n) < 0.1).astype(np.int64)
        score = 1 / (1 + np.exp(-(rng.normal(size=n) + 1.5 * y - 2)))
        pl.DataFrame({"y": y, "score": score}).write_parquet(folder / f"part-{k}.parquet")


def measure(case: str, folder: str) -> dict[str, Any]:
    """Measure one case in this process: time on the clock, processor time, peak memory, answers."""
    import resource

    asked = CASES[case]
    pattern = f"{folder}/part-*.parquet"
    if case.startswith("pandas"):
        import pandas as pd
        from sklearn.metrics import average_precision_score, roc_auc_score

        def call() -> tuple[Any, Any]:
            frame = pd.concat(map(pd.read_parquet, sorted(Path(folder).glob("part-*.parquet"))))
            return roc_auc_score(frame["y"], frame["score"]), average_precision_score(frame["y"], frame["score"])
    else:
        import polars  # noqa: F401 - imports are left out

        import curvewise as cw

        def call() -> tuple[Any, Any]:
            found = cw.scan(pattern, label="y", score="score", **asked)
            return cw.roc_auc(found), cw.average_precision(found)

    start, cpu = time.perf_counter(), time.process_time()
    auc, ap = call()
    return {
        "case": case,
        "seconds": time.perf_counter() - start,
        "cpu": time.process_time() - cpu,
        "gigabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
        "auc": float(auc),
        "auc_width": getattr(auc, "width", 0.0),
        "ap": float(ap),
        "ap_width": getattr(ap, "width", 0.0),
    }


def stream_speed(rows: int) -> float:
    """Return rows per second of a stream fed in batches of 100 000."""
    import numpy as np

    import curvewise as cw

    rng = np.random.default_rng(0)
    batches = [(rng.random(100_000) < 0.1, rng.random(100_000)) for _ in range(20)]
    stream, start = cw.Stream(), time.perf_counter()
    for k in range(rows // 100_000):
        stream.update(*batches[k % 20])
    stream.sweep()
    return rows / (time.perf_counter() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=50_000_000)
    parser.add_argument("--quick", action="store_true", help="a million rows; writes nothing")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        print(json.dumps(measure(asked.one, asked.folder)))
        return
    rows = 1_000_000 if asked.quick else asked.rows
    lines = [
        f"{rows:,} rows with different scores in {FILES} Parquet files, each case in a process of its own.",
        "",
        "| | time | CPU | peak memory | ROC AUC | limits apart | AP | limits apart |",
        "|---|---|---|---|---|---|---|---|",
    ]
    with tempfile.TemporaryDirectory() as folder:
        write_parts(Path(folder), rows)
        for case in CASES:
            needs = {"duckdb": "DuckDB" in case, "sklearn": "scikit" in case, "pandas": "pandas" in case}
            if any(wanted and find_spec(name) is None for name, wanted in needs.items()):
                continue
            run = [sys.executable, __file__, "--one", case, "--folder", folder]
            done = subprocess.run(run, capture_output=True, text=True, check=True)
            m = json.loads(done.stdout)
            lines.append(
                f"| {case} | {m['seconds']:.2f} s | {m['cpu']:.2f} s | {m['gigabytes']:.2f} GB | {m['auc']:.9f} | "
                f"{m['auc_width']:.2g} | {m['ap']:.9f} | {m['ap_width']:.2g} |"
            )
            print(lines[-1], flush=True)
    speed = stream_speed(10_000_000 if not asked.quick else 1_000_000)
    lines += ["", f"A stream fed in batches of 100 000 rows: {speed / 1e6:.1f} million rows per second."]
    print(lines[-1])
    if not asked.quick:
        (RESULTS / "engines.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
