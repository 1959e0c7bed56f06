"""Two scikit-learn models on its breast-cancer data, from fit to report.

    python examples/breast_cancer.py [report.html]

Half of the rows are for fitting, half for judging: a report on rows that a model was fitted on would
flatter it.
"""

from __future__ import annotations

import sys

import polars as pl
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import curvewise as cw


def predictions() -> pl.DataFrame:
    """Return labels and both models' probabilities of the rows that were not fitted."""
    data = load_breast_cancer()
    malignant = (data.target == 0).astype(int)
    fit_x, new_x, fit_y, new_y = train_test_split(
        data.data, malignant, test_size=0.5, stratify=malignant, random_state=0
    )
    models = {
        "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
        "forest": RandomForestClassifier(200, random_state=0),
    }
    scores = {name: m.fit(fit_x, fit_y).predict_proba(new_x)[:, 1] for name, m in models.items()}
    return pl.DataFrame({"malignant": new_y, **scores})


def main(path: str) -> None:
    table = predictions()
    evaluation = cw.evaluate(
        table,
        label="malignant",
        scores=["logistic", "forest"],
        costs={"fp": 1, "fn": 20},  # a missed tumour costs as much as twenty needless biopsies
        rng=0,
    )
    print(evaluation)
    print()
    print(evaluation.comparison)
    evaluation.report(path, force=True)
    print(f"\nThe report is in {path}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "breast-cancer.html")
