"""A model that is watched: batches into a window, the window beside the validation, numbers into MLflow.

python examples/monitor_with_mlflow.py

Needs nothing beside curvewise. Where MLflow is installed (pip install mlflow), each day is logged as a step of a run;
where it is not, the same numbers are printed only. After 10 days the model of this example begins to fail.
"""

from __future__ import annotations

import numpy as np

import curvewise as cw

try:
    import mlflow
except ImportError:
    mlflow = None

LEVEL = 0.999  # of daily looks; at 0.95 each question would alarm about once in 20 days though nothing changes
DAYS, FAILS = 16, 10


def batches(rng, day):
    """Yield what comes in one day: labels and probabilities, in batches."""
    says = 1.0 if day < FAILS else 0.3  # how much of the log odds is still true
    for _ in range(8):
        odds = rng.normal(-2, 1.5, 500)
        yield rng.random(500) < 1 / (1 + np.exp(2 - says * (odds + 2))), 1 / (1 + np.exp(-odds))


def numbers(found):
    """Return what is logged: each number now, its difference from the reference, and 1 where it has changed."""
    logged = {"psi": found.scores["all"].psi, "rows": found.sizes["now"]["rows"]}
    for name, change in found.questions.items():
        logged[f"{name}.changed"] = float(found.answers[name] == "changed")
        if name != "scores":
            logged |= {name: change.now.value, f"{name}.difference": change.difference.value}
    return {name: value for name, value in logged.items() if not np.isnan(value)}


def main() -> None:
    rng = np.random.default_rng(0)
    reference = cw.Stream()
    for day in range(5):  # the validation
        for y, p in batches(rng, day):
            reference.update(y, p)

    week = cw.StreamWindow(periods=7)
    if mlflow is not None:
        mlflow.set_experiment("curvewise monitoring")
        mlflow.start_run()
    for day in range(DAYS):
        if day:
            week.advance()
        for y, p in batches(rng, day):
            week.update(y, p)
        found = cw.compare_windows(week, reference, level=LEVEL)
        logged = numbers(found)
        print(f"day {day:2}: AUC {logged['roc_auc']:.3f}; changed: {', '.join(found.changed) or 'nothing'}")
        if mlflow is not None:
            mlflow.log_metrics(logged, step=day)
            mlflow.log_dict(found.to_dict(), f"window/day_{day}.json")
    print(*found.verdicts, sep="\n")
    if mlflow is not None:
        mlflow.log_dict(week.to_dict(), "window.json")  # cw.StreamWindow.from_dict goes on from here
        mlflow.end_run()


if __name__ == "__main__":
    main()
