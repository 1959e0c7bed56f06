"""Time scans of a Spark data frame, exact, ranked and in bins, beside Spark ML's area under the ROC curve.

Run ``python benchmarks/spark.py``; README.md beside this file says how to read the table.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from _report import digits, environment, load_average, markdown_table, seconds, text_table, write_csv
from _timing import once, peak_beyond

import curvewise as cw

if TYPE_CHECKING:
    from collections.abc import Callable

RESULTS = Path(__file__).parent / "results"
SIZES = {"full": 10_000_000, "quick": 200_000}
FILES = 8
CORES = 2
TOLERANCE = 1e-9


def write_rows(rows: int, folder: Path, seed: int = 0) -> None:
    """Draw rows whose scores all differ, and write them as several files of Parquet."""
    rng = np.random.default_rng(seed)
    y = rng.random(rows) < 0.3
    score = 1 / (1 + np.exp(-(rng.normal(size=rows) + 1.2 * y)))
    frame = pl.DataFrame({"y": y.astype(np.int8), "s": score})
    for k in range(FILES):
        frame[k * rows // FILES : (k + 1) * rows // FILES].write_parquet(folder / f"part-{k}.parquet")


def start_spark() -> Any:
    """Start Spark on this machine, with this Python in its workers."""
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    quiet = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.log.level": "ERROR"}
    memory = {"spark.driver.memory": "4g"}
    return SparkSession.builder.master(f"local[{CORES}]").config(map=quiet | memory).getOrCreate()


def ask_curvewise(frame: Any, resolution: float | None) -> float:
    return float(cw.roc_auc(cw.scan(frame, label="y", score="s", resolution=resolution)))


def ask_spark_ml(frame: Any, bins: int) -> float:
    from pyspark.ml.evaluation import BinaryClassificationEvaluator

    judge = BinaryClassificationEvaluator(rawPredictionCol="s", labelCol="y", metricName="areaUnderROC", numBins=bins)
    return float(judge.evaluate(frame))


ASK: dict[str, tuple[Callable[..., float], float]] = {  # and by how much the area may be wrong
    "curvewise, exact sweep": (partial(ask_curvewise, resolution=None), 0.0),
    "curvewise, exact areas (resolution=0)": (partial(ask_curvewise, resolution=0), 0.0),
    "curvewise, bins (resolution=1e-4)": (partial(ask_curvewise, resolution=1e-4), 1e-4),
    "Spark ML, exact (numBins=0)": (partial(ask_spark_ml, bins=0), TOLERANCE),
    "Spark ML, its default (numBins=1000)": (partial(ask_spark_ml, bins=1000), 1e-2),
}


def measured(frame: Any, exact: float, repeat: int) -> list[dict[str, Any]]:
    """Time each on the same frame; the best of several rounds counts, of Spark ML the only one."""
    records: list[dict[str, Any]] = []
    for name, (ask, tolerance) in ASK.items():
        runs, grown = [], []
        for _ in range(repeat if name.startswith("curvewise") else 1):
            with peak_beyond() as peak:
                runs.append(once(partial(ask, frame)))
            grown.append(peak())
        best, value = min(t for t, _ in runs), runs[0][1]
        if abs(value - exact) > tolerance:
            sys.exit(f"{name}: {value!r} is not the area, {exact!r}.")
        told = {"what": name, "seconds": best, "ratio": best / (records[0]["seconds"] if records else best)}
        records.append(told | {"driver_mb": max(grown), "area": value})
        print(f"{name}: {seconds(best)}", file=sys.stderr)
    return records


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="200 000 rows, nothing written")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="best of N (default 3)")
    args = parser.parse_args()
    rows = SIZES["quick" if args.quick else "full"]
    load = load_average()
    with tempfile.TemporaryDirectory() as folder:
        write_rows(rows, Path(folder))
        data = pl.read_parquet(Path(folder) / "*.parquet")
        exact = cw.roc_auc(data["y"], data["s"])
        del data
        spark = start_spark()
        frame = spark.read.parquet(folder)
        frame.groupBy("y").count().collect()  # the start of Spark is left out
        records = measured(frame, exact, args.repeat)
        spark.stop()
    facts = {
        "rows": f"{rows:_}".replace("_", " ") + ", all scores different",
        "Spark": f"local[{CORES}], Parquet of {FILES} files",
        "load average": f"{load} before, {load_average()} after",
        "repeats": f"best of {args.repeat}, Spark ML one",
    } | environment(["pyspark", "pyarrow"])
    header = ["what", "time", "times the exact sweep", "driver's Python, MB"]
    table = [[r["what"], seconds(r["seconds"]), digits(r["ratio"]), f"{r['driver_mb']:.0f}"] for r in records]
    if not args.quick:
        parts = [
            "# Spark benchmark",
            "Written by `python benchmarks/spark.py`. How to read it: `benchmarks/README.md`.",
            markdown_table(header, table),
            "## Environment",
            "\n".join(f"- {key}: {value}" for key, value in facts.items()),
        ]
        (RESULTS / "spark.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")
        write_csv(RESULTS / "spark.csv", records)
    print("\n" + text_table(header, table))
    print("\n" + "\n".join(f"{key + ':':17}{value}" for key, value in facts.items()))


if __name__ == "__main__":
    main()
