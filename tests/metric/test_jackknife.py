"""Variances of logistic coefficients without one cluster or row at a time, by matrices of rows as the formulas read."""

import numpy as np
import pytest

from curvewise.metric.blocks import read_blocks
from curvewise.metric.log_odds import log_odds
from curvewise.metric.logistic import fit_logistic
from jackknife_oracle import settled


def sample(n=40):
    rng = np.random.default_rng(5)
    p = rng.permutation(np.linspace(0.1, 0.9, n))  # all different, so that a block is a row
    return rng.random(n) < p, p, rng.random(n) + 0.2


def dense(y, p, weight, beta):
    """Return design, fitted chance, information and the weights in units of their mean, one row per row."""
    x = np.column_stack([np.ones(len(p)), np.log(p / (1 - p))])
    weight = weight / weight.mean()
    q = 1 / (1 + np.exp(-x @ beta))
    return x, q, weight, (x.T * (weight * q * (1 - q))) @ x


def satterthwaite(added):
    return added.sum() ** 2 / np.sum(added**2) - 1


@pytest.mark.parametrize("weighted", [False, True])
def test_rows_are_left_out_one_at_a_time(weighted):
    y, p, w = sample()
    w = w if weighted else np.ones(len(y))
    blocks = read_blocks(y, p, {"weight": w} if weighted else {})[1]
    fit = fit_logistic(lambda some: [log_odds(some.p)], blocks)
    x, q, w, information = dense(y, p, w, fit.coefficients)
    inverse = np.linalg.inv(information)
    leverage = w * q * (1 - q) * np.sum(x @ inverse * x, axis=1)
    moved = (w * (y - q) / (1 - leverage))[:, None] * x @ inverse
    lines = inverse @ x.T
    added = (w * lines) ** 2 * q * (1 - q)
    covariance, degrees = settled(moved.T, 39 / 40, added.sum(axis=1), [satterthwaite(each) for each in added])
    assert fit.covariance == pytest.approx(covariance)
    assert fit.degrees == pytest.approx(degrees)


@pytest.mark.parametrize("weighted", [False, True])
def test_clusters_are_left_out_one_at_a_time(weighted):
    y, p, w = sample()
    cluster = np.arange(len(y)) // 5
    options = {"cluster": cluster} | ({"weight": w} if weighted else {})
    blocks = read_blocks(y, p, options)[1]
    fit = fit_logistic(lambda some: [log_odds(some.p)], blocks)
    x, q, w, information = dense(y, p, w if weighted else np.ones(len(y)), fit.coefficients)
    moved = []
    for one in range(8):
        on = cluster == one
        own = (x[on].T * (w * q * (1 - q))[on]) @ x[on]
        moved.append(np.linalg.solve(information - own, x[on].T @ (w * (y - q))[on]))
    moved = np.array(moved)
    correlation = blocks.clusters.correlation
    assert 0 <= correlation <= 1
    worth, each = [], w * (np.linalg.inv(information) @ x.T) * np.sqrt(q * (1 - q))
    for line in each:
        together, apart = (np.bincount(cluster, line) ** 2, np.bincount(cluster, line**2))
        worth.append(max(satterthwaite(correlation * together + (1 - correlation) * apart), 1))
    covariance, degrees = settled(moved.T, 7 / 8, np.sum(each**2, axis=1), worth)
    assert fit.covariance == pytest.approx(covariance)
    assert fit.degrees == pytest.approx(np.maximum(degrees, 1))


def test_one_cluster_or_one_row_that_holds_all_tells_nothing():
    y, p, _ = sample()
    blocks = read_blocks(y, p, {"cluster": np.zeros(len(y))})[1]
    assert np.isnan(fit_logistic(lambda some: [log_odds(some.p)], blocks).covariance).all()
    # all but a trillionth of the weight in one of two clusters: without it nothing is left to learn from
    cluster = np.arange(len(y)) // 20
    blocks = read_blocks(y, p, {"cluster": cluster, "weight": np.where(cluster == 0, 1.0, 1e-12)})[1]
    assert np.isnan(fit_logistic(lambda some: [log_odds(some.p)], blocks).covariance).all()
