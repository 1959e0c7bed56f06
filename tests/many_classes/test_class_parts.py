"""Parts of many classes: some rows, curves of each class, mistakes."""

from __future__ import annotations

import numpy as np
import pytest

import curvewise as cw
from many_classes.sample import class_rows

Y, P = class_rows(n=120)


def test_some_rows_are_a_model_of_their_own():
    weight, cluster = np.arange(1.0, 121), np.arange(120) // 2
    m = cw.multiclass(Y, P, weight=weight, cluster=cluster)
    places = np.flatnonzero(np.arange(120) % 4 < 2)
    some, alone = m.take(places), cw.multiclass(Y[places], P[places], weight=weight[places], cluster=cluster[places])
    assert some.roc_auc() == pytest.approx(alone.roc_auc())
    assert some.cluster.tolist() == alone.cluster.tolist()
    assert some.interval("accuracy", replicates=50).low == alone.interval("accuracy", replicates=50).low
    assert m.take(np.flatnonzero(Y != 1)).occurs.tolist() == [True, False, True]


def test_curves_of_each_class_and_their_mean():
    m = cw.multiclass(Y, P)
    found = m.pr_curves()
    assert list(found) == ["0", "1", "2", "macro"]
    assert found["1"].average_precision == cw.average_precision(Y == 1, P[:, 1])
    assert found["macro"].average_precision == pytest.approx(m.average_precision())
    curves = m.reliability_curves()
    alone = cw.reliability(Y == 2, P[:, 2], method="smooth", bands="none")
    assert curves["2"].observed == pytest.approx(alone.observed)
    with pytest.raises(cw.CurvewiseError, match="A reliability curve needs probabilities"):
        cw.multiclass(Y, 2 * P).reliability_curves()


def test_the_surest_mistakes_come_first():
    y = ["a", "b", "c", "a"]
    p = {"a": [0.6, 0.7, 0.2, 0.1], "b": [0.3, 0.2, 0.1, 0.8], "c": [0.1, 0.1, 0.7, 0.1]}
    m = cw.multiclass(y, p)
    assert m.mistakes().rows() == [
        {"row": 3, "class": "a", "taken_for": "b", "score_of_taken": 0.8, "score_of_class": 0.1},
        {"row": 1, "class": "b", "taken_for": "a", "score_of_taken": 0.7, "score_of_class": 0.2},
    ]
    assert m.mistakes(1, id=["w", "x", "y", "z"]).columns["row"] == ["z"]
    with pytest.raises(cw.CurvewiseError, match="id has 1 row"):
        m.mistakes(id=["w"])
    with pytest.raises(cw.CurvewiseError, match="needs the scores"):
        cw.multiclass(y, predicted=y).mistakes()
