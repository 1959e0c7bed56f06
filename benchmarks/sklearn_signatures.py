"""Time scikit-learn's functions beside ours of the same names, on the same rows, in one run.

Run ``python benchmarks/sklearn_signatures.py``; README.md beside this file says how to read the table.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import sklearn.calibration
import sklearn.metrics
from _report import digits, environment, load_average, markdown_table, seconds, text_table, write_csv
from _timing import best_of, once

import curvewise.sklearn as ours

if TYPE_CHECKING:
    from collections.abc import Callable

RESULTS = Path(__file__).parent / "results" / "sklearn_signatures.md"
ROWS = 5_000_000
TOLERANCE = 1e-9
LONG = 5.0  # seconds; a call that takes longer is timed once


def make_rows(rows: int) -> dict[str, Any]:
    """Return labels of two and of ten classes, predictions, scores, probabilities and weights."""
    rng = np.random.default_rng(0)
    y = (rng.random(rows) < 0.1).astype(np.int64)
    score = rng.normal(size=rows) + 1.5 * y
    p = 1 / (1 + np.exp(3 - 1.5 * score))
    classes = rng.integers(0, 10, rows)
    few = min(rows, 500_000)
    each = rng.random((few, 10)) + np.eye(10)[classes[:few]]
    marks = rng.random((few, 10)) < 0.2
    return {
        "y": y,
        "p": p,
        "guess": (p > 0.5).astype(np.int64),
        "text": np.array(["no", "yes"])[y],
        "text_guess": np.array(["no", "yes"])[(p > 0.5).astype(np.int64)],
        "weight": rng.uniform(0.5, 1.5, rows),
        "classes": classes,
        "class_guess": np.where(rng.random(rows) < 0.7, classes, rng.integers(0, 10, rows)),
        "few_classes": classes[:few],
        "each": each / each.sum(axis=1, keepdims=True),
        "marks": marks.astype(np.int64),
        "mark_scores": rng.random((few, 10)) + marks,
        "mark_guess": (rng.random((few, 10)) + marks > 0.9).astype(np.int64),
    }


# what is asked, of which rows, with which options ("weight" for the weights)
TASKS: list[tuple[str, tuple[str, str], dict[str, Any]]] = [
    ("roc_auc_score", ("y", "p"), {}),
    ("roc_auc_score", ("y", "p"), {"max_fpr": 0.1}),
    ("roc_auc_score", ("y", "p"), {"sample_weight": "weight"}),
    ("roc_auc_score", ("text", "p"), {}),
    ("roc_auc_score", ("few_classes", "each"), {"multi_class": "ovr"}),
    ("roc_auc_score", ("few_classes", "each"), {"multi_class": "ovo"}),
    ("roc_auc_score", ("marks", "mark_scores"), {"average": "macro"}),
    ("roc_curve", ("y", "p"), {}),
    ("roc_curve", ("y", "p"), {"drop_intermediate": False}),
    ("precision_recall_curve", ("y", "p"), {}),
    ("average_precision_score", ("y", "p"), {}),
    ("det_curve", ("y", "p"), {}),
    ("brier_score_loss", ("y", "p"), {}),
    ("log_loss", ("y", "p"), {}),
    ("log_loss", ("few_classes", "each"), {}),
    ("calibration_curve", ("y", "p"), {"n_bins": 10}),
    ("confusion_matrix", ("y", "guess"), {}),
    ("confusion_matrix", ("classes", "class_guess"), {}),
    ("confusion_matrix", ("text", "text_guess"), {}),
    ("accuracy_score", ("y", "guess"), {}),
    ("balanced_accuracy_score", ("y", "guess"), {}),
    ("f1_score", ("y", "guess"), {}),
    ("f1_score", ("y", "guess"), {"sample_weight": "weight"}),
    ("f1_score", ("classes", "class_guess"), {"average": "macro"}),
    ("f1_score", ("marks", "mark_guess"), {"average": "macro"}),
    ("matthews_corrcoef", ("y", "guess"), {}),
    ("cohen_kappa_score", ("classes", "class_guess"), {}),
    ("classification_report", ("y", "guess"), {}),
    ("classification_report", ("classes", "class_guess"), {}),
    ("top_k_accuracy_score", ("few_classes", "each"), {"k": 3}),
    ("label_ranking_average_precision_score", ("marks", "mark_scores"), {}),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, default=ROWS, metavar="N", help=f"rows (default {ROWS})")
    parser.add_argument(
        "--only", default="", metavar="NAME", help="functions whose name has this in it; writes nothing"
    )
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="best of N (default 3)")
    args = parser.parse_args()
    data, load, start = make_rows(args.rows), load_average(), time.perf_counter()
    records = []
    for name, columns, options in TASKS:
        if args.only in name:
            records.append(measure(name, columns, options, data, args.repeat))
            print(f"{time.perf_counter() - start:5.0f} s  {records[-1]['call']}", file=sys.stderr)
    below = {
        "load average": f"{load} before, {load_average()} after",
        "repeats": f"best of {args.repeat} or more; calls of more than {LONG:g} s once",
        "checked": f"every answer agrees with scikit-learn's to {TOLERANCE:g}",
    } | environment(["scikit-learn", "scipy"])
    header = ["call", "rows", "curvewise", "scikit-learn", "times faster"]
    lines = [
        [
            r["call"],
            f"{r['rows']:,}".replace(",", " "),
            seconds(r["ours_s"]),
            seconds(r["theirs_s"]),
            digits(r["ratio"]),
        ]
        for r in records
    ]
    print(f"\n{text_table(header, lines)}\n\n" + "\n".join(f"{k + ':':15}{v}" for k, v in below.items()))
    if not args.only and args.rows == ROWS:
        head = "# scikit-learn's signatures\n\nWritten by `python benchmarks/sklearn_signatures.py`."
        where = "\n".join(f"- {key}: {value}" for key, value in below.items())
        RESULTS.write_text(
            f"{head}\n\n{markdown_table(header, lines)}\n\n## Environment\n\n{where}\n", encoding="utf-8"
        )
        write_csv(RESULTS.with_suffix(".csv"), records)


def measure(
    name: str, columns: tuple[str, str], options: dict[str, Any], data: dict[str, Any], repeat: int
) -> dict[str, Any]:
    """Compare both answers, then time both."""
    first, second = (data[column] for column in columns)
    given = {k: data[v] if k == "sample_weight" else v for k, v in options.items()}
    home = sklearn.metrics if hasattr(sklearn.metrics, name) else sklearn.calibration
    calls: dict[str, Callable[[], Any]] = {
        "ours": lambda: getattr(ours, name)(first, second, **given),
        "theirs": lambda: getattr(home, name)(first, second, **given),
    }
    spent, answer = once(calls["theirs"])
    if not same(calls["ours"](), answer):
        sys.exit(f"{name}({', '.join(columns)}, {options}): the answers differ. Nothing was timed further.")
    del answer
    best = best_of(calls if spent < LONG else {"ours": calls["ours"]}, repeat)
    theirs = best.get("theirs", spent)
    shown = "".join(f", {k}={v if k == 'sample_weight' else repr(v)}" for k, v in options.items())
    return {
        "call": f"{name}({', '.join(columns)}{shown})",
        "rows": len(first),
        "ours_s": best["ours"],
        "theirs_s": theirs,
        "ratio": theirs / best["ours"],
    }


def same(one: Any, other: Any) -> bool:
    """Say whether two answers agree: text exactly, numbers within the tolerance."""
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, str):
        return one == other
    return np.shape(one) == np.shape(other) and bool(np.allclose(one, other, rtol=TOLERANCE, atol=TOLERANCE))


if __name__ == "__main__":
    main()
