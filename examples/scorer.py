"""curvewise metrics as scikit-learn scorers, and its numbers for an experiment tracker.

python examples/scorer.py
"""

from __future__ import annotations

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import curvewise as cw


def early_area(y, p):
    """Mean recall where at most 10% of the negatives are flagged."""
    return cw.partial_roc_auc(y, p, fpr=(0, 0.1), scale="mean")


def main() -> None:
    data = load_breast_cancer()
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    scorers = {
        "auc": make_scorer(cw.roc_auc, response_method="predict_proba"),
        "ap": make_scorer(cw.average_precision, response_method="predict_proba"),
        "early": make_scorer(early_area, response_method="predict_proba"),
        "brier": make_scorer(cw.brier_loss, response_method="predict_proba", greater_is_better=False),
    }
    found = cross_validate(model, data.data, data.target, scoring=scorers, cv=5)
    for name in scorers:
        print(f"{name:6} {found[f'test_{name}'].mean():.4f}")

    model.fit(data.data[::2], data.target[::2])
    p = model.predict_proba(data.data[1::2])[:, 1]
    rows = {"y": data.target[1::2], "logistic": p}
    for name, value in cw.evaluate(rows, label="y", scores="logistic", rng=0).metrics().items():
        print(f"{name} = {value:.4f}")  # mlflow.log_metric(name, value), wandb.log({name: value}) …


if __name__ == "__main__":
    main()
