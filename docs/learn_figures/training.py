"""Two linear scores on a logarithmic FPR axis: log loss against partial AUC."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
from sklearn.linear_model import LogisticRegression

import curvewise as cw
from curvewise.figures import draw_roc

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NAMES = {"en": ("log loss", "partial AUC, FPR ≤ 5%"), "zh": ("对数损失", "部分 AUC，假阳性率 ≤ 5%")}


def _rows(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw positives of two kinds, and 6% of the negatives far out beside the first kind."""
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.2
    x = rng.normal(size=(n, 10))
    first = rng.random(n) < 0.5
    x[y & first, :2] += 1.8
    x[y & ~first, 2:4] += 1.8
    far = ~y & (rng.random(n) < 0.06)
    x[far, :2] += rng.exponential(1.5, size=(far.sum(), 1)) + 1
    return x, y


def draw(lang: Literal["en", "zh"]) -> Figure:
    """Draw both ROC curves on new rows, FPR by powers of ten."""
    x, y = _rows(4000, 1)
    x_new, y_new = _rows(20_000, 2)
    models = (LogisticRegression(), cw.objectives.PartialAucClassifier(fpr=0.05))
    scores = (model.fit(x, y).decision_function(x_new) for model in models)
    curves = {name: cw.roc_curve(y_new, score) for name, score in zip(NAMES[lang], scores, strict=True)}
    return draw_roc(curves, xscale="log", lang=lang).figure
