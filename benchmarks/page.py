"""Profile one report: what each step of `curvewise report` costs, beside importing the packages that it stands on.

Run ``python benchmarks/page.py``; each run is a process of its own, and the best of them counts.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from importlib.resources import files

from _report import environment, text_table

SCORES = ("model_a", "model_b")
PACKAGES = ("numpy", "scipy.special", "polars", "matplotlib.figure", "jinja2")
WRITES = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
BOUND = "import " + ", ".join(PACKAGES)


def steps() -> dict[str, float]:
    """Return the seconds of the processor that each step takes, in all threads, in the order of a report."""
    spent: dict[str, float] = {}
    last = 0.0

    def done(name: str) -> None:
        nonlocal last
        now = time.process_time()
        spent[name], last = now - last, now

    for name in PACKAGES:
        __import__(name)
    done(BOUND)
    from curvewise.evaluation.evaluate import evaluate
    from curvewise.pages.render import page_of, render_html

    done("import curvewise")
    evaluation = evaluate(str(files("curvewise.data") / "screening.csv"), label="disease", scores=list(SCORES))
    done("read")
    for model in evaluation.models.values():
        _ = model.estimates, model.point, model.band, model.low_band, model.reliability, model.decision
    _ = evaluation.comparisons
    done("compute what is shown")
    _ = evaluation.verdicts, evaluation.notes
    done("answer")
    figures = page_of(evaluation).drawings()
    done(f"draw {len(figures)} figures, and what they need")
    render_html(evaluation, figures)
    done("write the page")
    return spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(steps()))
        return
    with tempfile.TemporaryDirectory() as compiled:  # as after an installation, which compiles the modules
        command = [sys.executable, "-X", f"pycache_prefix={compiled}", __file__, "--child"]
        runs = [
            json.loads(subprocess.run(command, check=True, capture_output=True, text=True, env=WRITES).stdout)
            for _ in range(1 + options.runs)
        ]
    best = min(runs[1:], key=lambda run: sum(run.values()))  # the first one compiled
    whole, bound = sum(best.values()), best[BOUND]
    rows = [[name, f"{spent:.2f}", f"{spent / whole:.0%}"] for name, spent in best.items()]
    rows += [
        ["all of it", f"{whole:.2f}", "100%"],
        ["all of it, in imports of the packages", f"{whole / bound:.1f}", ""],
    ]
    for name, value in environment(("matplotlib", "scipy", "polars")).items():
        print(f"{name}: {value}")
    print(text_table(["step", "seconds of the processor", "share"], rows))


if __name__ == "__main__":
    main()
