"""Time `by_column`, and the short door of plain arrays, beside SciPy, scikit-learn and loops.

Run ``python benchmarks/by_column.py``; README.md beside this file says how to read the table.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from _report import digits, environment, load_average, markdown_table, seconds, text_table
from _timing import best_times, peak_bytes
from scipy import sparse
from scipy.stats import mannwhitneyu, rankdata
from sklearn.metrics import roc_auc_score

import curvewise as cw

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

RESULTS = Path(__file__).parent / "results" / "by_column.md"
TRIALS, NEURONS = 200, 2_000
CELLS, GENES, FILLED = 10_000, 20_000, 0.05
Calls = dict[str, "Callable[[], Any]"]  # the first is curvewise


def dense() -> Calls:
    """Return the calls on 200 rows of 2 000 columns; all say the same, or less."""
    rng = np.random.default_rng(0)
    y = rng.random(TRIALS) < 0.4
    X = rng.normal(size=(TRIALS, NEURONS)) + 0.2 * y[:, None]  # noqa: N806
    found = cw.by_column(y, X)
    expected = mannwhitneyu(X[y], X[~y], axis=0)
    assert np.allclose(found.p, expected.pvalue, rtol=1e-9)
    assert np.allclose(found.value, [roc_auc_score(y, column) for column in X.T], rtol=1e-12)
    return {
        "by_column": lambda: cw.by_column(y, X),
        "by_column, intervals read": lambda: cw.by_column(y, X).low,
        "rankdata(axis=0)": lambda: rankdata(X, axis=0),
        "mannwhitneyu(axis=0)": lambda: mannwhitneyu(X[y], X[~y], axis=0),
        "loop of roc_auc": lambda: [cw.roc_auc(y, column) for column in X.T],
        "loop of interval": lambda: [cw.interval("roc_auc", y, column) for column in X.T],
        "loop of roc_auc_score": lambda: [roc_auc_score(y, column) for column in X.T],
    }


def genes(stored: str) -> Calls:
    """Return the calls on a sparse matrix of cells and genes."""
    rng = np.random.default_rng(0)
    matrix = sparse.random(CELLS, GENES, FILLED, format="csc", random_state=rng)
    y = rng.random(CELLS) < 0.3
    some = np.arange(0, GENES, 1000)
    part = matrix[:, some].toarray()
    assert np.allclose(cw.by_column(y, matrix).p[some], mannwhitneyu(part[y], part[~y], axis=0).pvalue, rtol=1e-9)
    given = matrix if stored == "csc" else matrix.tocsr()
    return {
        f"by_column, {stored}": lambda: cw.by_column(y, given),
        "np.sort of the non-zeros": lambda: np.sort(given.data),
        "by_column, intervals read": lambda: cw.by_column(y, given).low,
    }


def plain(rows: int) -> Calls:
    """Return the calls on two plain arrays."""
    rng = np.random.default_rng(0)
    y = (rng.random(rows) < 0.4).astype(int)
    score = rng.normal(size=rows) + y
    return {
        "roc_auc": lambda: cw.roc_auc(y, score),
        "average_precision": lambda: cw.average_precision(y, score),
        'interval("roc_auc")': lambda: cw.interval("roc_auc", y, score),
        'interval("average_precision")': lambda: cw.interval("average_precision", y, score),
        "roc_auc_score": lambda: roc_auc_score(y, score),
    }


def given_bytes(call: str) -> int:
    """Return how many bytes the first call of a scene is given."""
    stored = round(CELLS * GENES * FILLED)
    return stored * 12 + 4 * GENES if "cs" in call else TRIALS * NEURONS * 8


def lines(repeat: int) -> Iterator[list[str]]:
    """Yield a line per call: what it was given, its time, and how many of it curvewise takes."""
    scenes: dict[str, Callable[[], Calls]] = {
        f"{TRIALS} x {NEURONS}": dense,
        f"{CELLS} x {GENES}, {FILLED:.0%} stored by column": lambda: genes("csc"),
        f"{CELLS} x {GENES}, {FILLED:.0%} stored by row": lambda: genes("csr"),
        "100 rows": lambda: plain(100),
        "1 000 rows": lambda: plain(1000),
    }
    for scene, make in scenes.items():
        calls = make()
        best = best_times(calls, repeat)
        ours = next(iter(calls))
        memory = digits(peak_bytes(calls[ours]) / given_bytes(ours)) if ours.startswith("by_column") else ""
        for name, (wall, processor) in best.items():
            ratios = digits(best[ours][0] / wall), digits(best[ours][1] / processor)
            yield [scene, name, seconds(wall), seconds(processor), *ratios, memory if name == ours else ""]


def main() -> None:
    """Time everything, print the table and write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=3)
    before, header = load_average(), ["given", "call", "time", "CPU", "curvewise's time by it", "CPU by it", "memory"]
    rows = list(lines(parser.parse_args().repeat))
    facts = {**environment(["scipy", "scikit-learn"]), "load before and after": f"{before}, {load_average()}"}
    print(text_table(header, rows))
    below = "\n".join(f"- {name}: {value}" for name, value in facts.items())
    RESULTS.write_text(f"# Many columns\n\n{markdown_table(header, rows)}\n\n{below}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
