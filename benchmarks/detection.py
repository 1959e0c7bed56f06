"""Time the judging of a detector beside pycocotools and faster-coco-eval, from lists of dicts to twelve numbers.

Run ``python benchmarks/detection.py``; README.md beside this file says how to read the tables.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import os
import subprocess
import sys
import time
from contextlib import redirect_stdout
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from _scene import make_scene
from _timing import cpu_seconds, peak_beyond

if TYPE_CHECKING:
    from collections.abc import Callable

RESULTS = Path(__file__).parent / "results"
NAMES = ("ap", "ap50", "ap75", "ap_small", "ap_medium", "ap_large")
NAMES += ("ar_1", "ar_10", "ar_100", "ar_small", "ar_medium", "ar_large")
SCORES = {"distinct": None, "3 decimals": 3}
SIZES = {"full": (5_000, 36_000, 500_000), "quick": (250, 1_800, 25_000)}
REPLICATES = 1000
TOLERANCE = 1e-9
PEERS = {"pycocotools": "pycocotools", "faster-coco-eval": "faster_coco_eval"}


def ask_curvewise(truth: dict[str, Any], found: list[dict[str, Any]]) -> Callable[[], list[float]]:
    import curvewise as cw

    match = cw.detection.match  # loaded when used: imports are left out

    def call() -> list[float]:
        m = match(truth, found)
        return [m.number(name).value for name in NAMES]

    return call


def ask_pycocotools(truth: dict[str, Any], found: list[dict[str, Any]]) -> Callable[[], list[float]]:
    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval

    def call() -> list[float]:
        with redirect_stdout(StringIO()):
            objects = COCO()
            objects.dataset = truth
            objects.createIndex()
            asked = COCOeval(objects, objects.loadRes(found), "bbox")
            asked.evaluate()
            asked.accumulate()
            asked.summarize()
        return [float(v) for v in asked.stats]

    return call


def ask_faster(truth: dict[str, Any], found: list[dict[str, Any]]) -> Callable[[], list[float]]:
    from faster_coco_eval import COCO, COCOeval_faster

    def call() -> list[float]:
        with redirect_stdout(StringIO()):
            objects = COCO(truth)
            asked = COCOeval_faster(objects, objects.loadRes(found), "bbox", print_function=lambda *_: None)
            asked.evaluate()
            asked.accumulate()
            asked.summarize()
        return [float(v) for v in asked.stats[:12]]

    return call


ASK = {"curvewise": ask_curvewise, "pycocotools": ask_pycocotools, "faster-coco-eval": ask_faster}


def as_pycocotools(truth: dict[str, Any], found: list[dict[str, Any]]) -> list[float]:
    """Return the twelve numbers in pycocotools' order of ties and on its recall grid, for the check."""
    import curvewise as cw

    numbers = cw.detection.match(truth, found).like_pycocotools()
    return [numbers[name] for name in NAMES]


def resampled(truth: dict[str, Any], found: list[dict[str, Any]]) -> dict[str, float]:
    """Return the CPU-seconds and the memory of an interval of AP, matching left out."""
    import curvewise as cw

    m = cw.detection.match(truth, found)
    gc.collect()
    with peak_beyond() as memory:
        seconds, _ = cpu_seconds(lambda: m.interval("ap", replicates=REPLICATES, rng=0))
    return {"cpu_s": seconds, "memory_mb": memory()}


def in_this_process(task: str, size: str, scores: str) -> dict[str, Any]:
    """Make the scene, measure one candidate once, and return what it took and said."""
    truth, found = make_scene(*SIZES[size], decimals=SCORES[scores])
    gc.collect()
    if task == "check":
        return {"numbers": as_pycocotools(truth, found)}
    if task == "resampling":
        return resampled(truth, found)
    call = ASK[task](truth, found)
    start = time.perf_counter()
    with peak_beyond() as memory:
        seconds, numbers = cpu_seconds(call)
    return {"cpu_s": seconds, "wall_s": time.perf_counter() - start, "memory_mb": memory(), "numbers": numbers}


def in_its_own(task: str, size: str, scores: str, repeat: int = 1) -> dict[str, Any]:
    """Measure one candidate in processes of its own; the best time and the most memory count."""
    asked = [sys.executable, __file__, "--task", task, "--size", size, "--scores", scores]
    runs = []
    for _ in range(repeat):
        done = subprocess.run(asked, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"{task} failed:\n{done.stderr}")
        runs.append(json.loads(done.stdout.splitlines()[-1]))
    best: dict[str, Any] = {k: min(r[k] for r in runs) for k in ("cpu_s", "wall_s") if k in runs[0]}
    return runs[0] | best | {k: max(r[k] for r in runs) for k in ("memory_mb",) if k in runs[0]}


def measure(size: str, repeat: int, peers: list[str]) -> tuple[list[dict[str, Any]], float]:
    """Return one record per kind of scores and candidate, and by how much answers differ at most."""
    records: list[dict[str, Any]] = []
    apart = 0.0
    for scores in SCORES:
        wanted = in_its_own("check", size, scores)["numbers"]
        own: dict[str, Any] = {}
        for name in ("curvewise", *peers):
            # a peer takes half a minute: once, against the best of several, which favours curvewise a little
            found = in_its_own(name, size, scores, 1 if name == "pycocotools" else repeat)
            own = own or found
            if name != "curvewise":
                apart = max(apart, *(abs(a - b) for a, b in zip(found["numbers"], wanted, strict=True)))
            ratio = found["cpu_s"] / own["cpu_s"]
            told = {"task": "twelve numbers", "scores": scores, "package": name, "ratio": ratio}
            records.append(told | {k: found[k] for k in ("cpu_s", "wall_s", "memory_mb")} | {"ap": found["numbers"][0]})
            print(f"{scores}, {name}: {found['cpu_s']:.2f} s, {found['memory_mb']:.0f} MB", file=sys.stderr)
        found = in_its_own("resampling", size, scores)
        records.append({"task": f"{REPLICATES} resamples", "scores": scores, "package": "curvewise"} | found)
    return records, apart


def tables(records: list[dict[str, Any]]) -> list[tuple[str, list[str], list[list[str]]]]:
    """Return name, header and rows of each table."""
    from _report import digits, seconds

    header = ["scores", "package", "CPU", "times curvewise", "time", "memory", "AP"]
    rows = [
        [
            r["scores"],
            r["package"],
            seconds(r["cpu_s"]),
            digits(r["ratio"]),
            seconds(r["wall_s"]),
            f"{r['memory_mb']:.0f} MB",
            f"{r['ap']:.5f}",
        ]
        for r in records
        if r["task"] == "twelve numbers"
    ]
    again = [r for r in records if r["task"] != "twelve numbers"]
    drawn = [[r["scores"], seconds(r["cpu_s"]), f"{r['memory_mb']:.0f} MB"] for r in again]
    return [
        ("From lists of dicts to the twelve numbers", header, rows),
        (f"An interval of AP, {REPLICATES} resamples of the images", ["scores", "CPU", "memory"], drawn),
    ]


def below(size: str, repeat: int, apart: float, load: str, peers: list[str]) -> dict[str, str]:
    """Return what stands below the tables: how it was run, and where."""
    from _report import environment, load_average

    images, truths, detections = (f"{n:,}".replace(",", " ") for n in SIZES[size])
    return {
        "scene": f"{images} images, 80 classes, {truths} objects, {detections} detections",
        "load average": f"{load} before, {load_average()} after",
        "repeats": f"best of {repeat} processes, pycocotools one",
        "checked": f"in their order of ties and on their recall grid, answers differ by {apart:.1e} at most",
    } | environment([*peers, "scipy"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="a scene of 250 images, nothing written")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="best of N (default 3)")
    parser.add_argument("-o", type=Path, dest="out", metavar="FILE", help="Markdown; CSV beside it")
    parser.add_argument("--task", choices=[*ASK, "check", "resampling"], help=argparse.SUPPRESS)
    parser.add_argument("--size", choices=list(SIZES), default="full", help=argparse.SUPPRESS)
    parser.add_argument("--scores", choices=list(SCORES), default="distinct", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.task:
        print(json.dumps(in_this_process(args.task, args.size, args.scores)))
        return
    from _report import load_average, markdown_table, text_table, write_csv

    size = "quick" if args.quick else "full"
    out: Path | None = args.out or (None if args.quick else RESULTS / "detection.md")
    peers = [name for name, module in PEERS.items() if find_spec(module)]
    for name in sorted(set(PEERS) - set(peers)):
        print(f"{name} is left out: it is not installed.")
    load = load_average()
    records, apart = measure(size, args.repeat, peers)
    if not apart <= TOLERANCE or math.isnan(apart):
        sys.exit(f"curvewise and its peers differ by {apart:.3g}, more than {TOLERANCE:g}; nothing is written.")
    facts = below(size, args.repeat, apart, load, peers)
    if out:
        parts = [
            "# Detection benchmark",
            "Written by `python benchmarks/detection.py`. How to read it: `benchmarks/README.md`.",
        ]
        for name, header, rows in tables(records):
            parts += [f"## {name}", markdown_table(header, rows)]
        parts += ["## Environment", "\n".join(f"- {key}: {value}" for key, value in facts.items())]
        out.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
        columns = dict.fromkeys(k for r in records for k in r)
        write_csv(out.with_suffix(".csv"), [{k: r.get(k) for k in columns} for r in records])
    for name, header, rows in tables(records):
        print(f"\n{name}\n{text_table(header, rows)}")
    print("\n" + "\n".join(f"{key + ':':15}{value}" for key, value in facts.items()))


if __name__ == "__main__":
    os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
    main()
