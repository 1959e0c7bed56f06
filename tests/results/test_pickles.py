"""Results that hold metrics travel between processes."""

import pickle

import numpy as np
import pytest

import curvewise as cw
from curvewise.metric.registry import bound

Y = np.arange(60) % 3 == 0
P = np.round(1 / (1 + np.exp(-np.random.default_rng(1).normal(Y * 1.0))), 2)
GROUP = np.arange(60) % 2
MADE = {
    "groups": lambda: cw.by_group(Y, P, GROUP, threshold=0.5),
    "fairness": lambda: cw.fairness(Y, P, GROUP, threshold=0.5, replicates=20),
    "sites": lambda: cw.by_site(Y, P, GROUP),
    "multiclass": lambda: cw.multiclass(np.arange(60) % 3, np.random.default_rng(1).dirichlet([1, 1, 1], 60)),
}


def halved(sweep):
    return cw.roc_auc(sweep) / 2


@pytest.mark.parametrize("name", MADE)
def test_results_travel(name):
    found = MADE[name]()
    assert pickle.loads(pickle.dumps(found)).to_dict() == found.to_dict()


@pytest.mark.parametrize("metric", ["roc_auc", "precision", halved], ids=["area", "threshold", "function"])
def test_metrics_travel_with_their_options(metric):
    target = bound(metric, {"threshold": 0.5} if metric == "precision" else {})
    sweep = cw.sweep(Y, P)
    value = target(sweep)
    again = pickle.loads(pickle.dumps(target))
    assert again(sweep) == value
    assert again.options == target.options


def test_operating_points_and_evaluations_travel():
    rng = np.random.default_rng(0)
    y = rng.random(150) < 0.3
    p = np.clip(0.5 * rng.random(150) + 0.4 * y, 0, 1)
    point = cw.operating_point(y, p, cw.rules.min_cost(fp=1, fn=5), replicates=20)
    assert pickle.loads(pickle.dumps(point)).to_dict() == point.to_dict()
    whole = cw.evaluate(y, {"a": p}, replicates=20)
    again = pickle.loads(pickle.dumps(whole))
    assert again.models["a"].estimates == whole.models["a"].estimates
