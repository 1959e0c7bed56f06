"""Rows of many classes and of many labels to test with."""

from __future__ import annotations

import numpy as np


def class_rows(seed=0, n=240, k=3, shift=1.2):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, n)
    z = rng.normal(size=(n, k))
    z[np.arange(n), y] += shift
    p = np.exp(z)
    return y, p / p.sum(axis=1, keepdims=True)


def label_rows(seed=0, n=200):
    rng = np.random.default_rng(seed)
    truth = rng.random((n, 3)) < [0.3, 0.5, 0.6]
    return truth.astype(int), rng.random((n, 3)) * 0.7 + 0.3 * truth
