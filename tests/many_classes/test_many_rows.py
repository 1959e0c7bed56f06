"""Intervals of many rows: scores in bins, rows in an order of their own, the same answers."""

import numpy as np
import pytest

import curvewise as cw
from curvewise.core import resampling
from curvewise.many_classes import class_draws, class_rows

N, K = 4000, 5
ASKED = {"level": 0.9, "replicates": 300}


@pytest.fixture
def many(monkeypatch):
    """Take fewer rows for many, and fewer scores for too many, so that bins are coarse."""

    def switch(*, on):
        for module in (resampling, class_draws, class_rows):
            monkeypatch.setattr(module, "MANY", 1000 if on else 50_000)
        monkeypatch.setattr("curvewise.many_classes.class_scores.BINS", 512 if on else 2048)

    return switch


def data(seed=1):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, K, N)
    p = np.exp(rng.normal(0, 1, (N, K)) + 1.5 * (y[:, None] == np.arange(K)))
    return y, p / p.sum(axis=1, keepdims=True), rng.random((N, K)) < 0.3


def read(kind, order=slice(None), **options):
    y, p, labels = data()
    if kind == "labels":
        return cw.multilabel(labels[order], np.where(labels, p, p**2)[order], **options)
    return cw.multiclass(y[order], p[order], **options)


CASES = [
    *(("classes", name) for name in ("roc_auc", "average_precision", "accuracy", "hand_till", "log_loss", "f1")),
    *(("labels", name) for name in ("roc_auc", "average_precision", "f1", "label_ranking_ap", "hamming_loss")),
]


@pytest.mark.parametrize(("kind", "metric"), CASES)
@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
def test_bins_and_bytes_leave_the_interval(kind, metric, weighted, many):
    options = {"weight": np.random.default_rng(2).uniform(0.5, 1.5, N)} if weighted else {}
    many(on=False)
    few = read(kind, **options).interval(metric, method="percentile", **ASKED)
    many(on=True)
    found = read(kind, **options).interval(metric, method="percentile", **ASKED)
    assert found.value == few.value
    assert found.replicates == few.replicates == 300
    assert found.standard_error == pytest.approx(few.standard_error, rel=0.25)
    assert [found.low, found.high] == pytest.approx([few.low, few.high], abs=0.7 * few.standard_error)


@pytest.mark.parametrize(("kind", "metric"), [("classes", "roc_auc"), ("labels", "f1"), ("classes", "accuracy")])
def test_resamples_of_many_rows_do_not_depend_on_their_order(kind, metric, many):
    many(on=True)
    first = read(kind).interval(metric, **ASKED)
    again = read(kind, np.random.default_rng(3).permutation(N)).interval(metric, **ASKED)
    assert (again.low, again.high) == pytest.approx((first.low, first.high), rel=1e-9)


def test_bins_are_few_and_hold_every_row(many):
    many(on=True)
    m = read("classes")
    binned = m.in_bins()
    assert all(len(r) <= 512 < len(whole) for r, whole in zip(binned.ready.rankings, m.ready.rankings, strict=True))
    sweep = binned.weighed(np.ones(N, dtype=np.uint8)).sweep_at(2)
    assert (sweep.positives, sweep.negatives) == (m.sweep_at(2).positives, m.sweep_at(2).negatives)
    assert cw.roc_auc(sweep) == pytest.approx(cw.roc_auc(m.sweep_at(2)), abs=1e-3)
