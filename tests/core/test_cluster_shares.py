"""A variance between clusters of unequal weight is known as well as few clusters know it."""

import numpy as np
import pytest

import curvewise as cw
from curvewise.core.cluster_shares import design_degrees, fewer_degrees
from curvewise.core.rate import rate_of_rows


def test_equal_clusters_have_one_degree_less_than_there_are():
    assert design_degrees([np.full(12, 3.0)], [0.4], 0.0) == pytest.approx(11)
    assert design_degrees([np.full(12, 3.0), np.full(12, 1.0)], [0.4, 0.1], 0.2) == pytest.approx(11)


def test_degrees_by_design_by_hand():
    """Of weights 1, 1, 1, 3 the squares are 1, 1, 1, 9: (12² / 84) - 1; of rows that are independent (6² / 12) - 1."""
    weight = np.array([1.0, 1.0, 1.0, 3.0])
    assert design_degrees([weight], [1.0], 0.0) == 1.0  # 0.71, and never less than 1
    assert design_degrees([weight], [1.0], 1.0) == pytest.approx(2.0)
    assert design_degrees([np.append(weight, np.ones(8))], [1.0], 0.0) == pytest.approx(20**2 / 92 - 1)
    # a class whose clusters make no variance does not count
    assert design_degrees([np.ones(5), np.array([9.0, 0, 0, 0, 0])], [1.0, 0.0], 0.0) == pytest.approx(4)
    assert design_degrees([np.ones(5)], [0.0], 0.0) == np.inf


def test_the_design_takes_degrees_and_never_adds_any():
    rng = np.random.default_rng(0)
    cluster = np.repeat(np.arange(10), [40, *[4] * 9])
    row = np.arange(len(cluster))
    each, positive, weight = rng.normal(size=len(cluster)), row % 3 == 0, np.ones(len(cluster))
    assert fewer_degrees(9.0, cluster, weight, positive, each, 0.0) < 5
    assert fewer_degrees(1.1, cluster, weight, positive, each, np.inf) == 1.1
    assert fewer_degrees(9.0, row, weight, positive, each, 0.0) == 9.0  # one row per cluster is no cluster


@pytest.mark.parametrize("metric", ["roc_auc", "average_precision", "brier_loss", "precision"])
def test_one_large_cluster_widens_an_interval_by_more_than_its_standard_error(metric):
    """Intervals of 20 equal clusters, and where one of them has half of the rows."""
    rng = np.random.default_rng(3)
    y = rng.random(400) < 0.4
    p = 1 / (1 + np.exp(-(rng.normal(size=400) + y - 0.7)))
    options = {"threshold": 0.4} if metric == "precision" else {}

    def reach(cluster):
        found = cw.interval(metric, y, p, cluster=cluster, **options)
        rows = cw.read_rows(y, p, cluster=cluster)
        rate = rate_of_rows(rows, rows.positive, rows.score >= 0.4, level=0.95)
        return (found.high - found.low) / (found.standard_error or np.sqrt(rate.away @ rate.away))

    equal = reach(np.arange(400) % 20)
    unequal = reach(np.where(np.arange(400) < 200, 0, 1 + np.arange(400) % 19))
    assert unequal > 1.2 * equal


@pytest.mark.parametrize(("metric", "options"), [("average_precision", {}), ("precision", {"threshold": 0.5})])
def test_unequal_clusters_are_covered(metric, options):
    """15 clusters of very unequal size and prevalence: .85 and .87 without the design, .94 and .96 with it."""
    rng = np.random.default_rng(7)

    def drawn(clusters):
        risk, size = rng.normal(size=clusters), np.ceil(6 * np.exp(1.2 * rng.normal(size=clusters))).astype(int)
        cluster = np.repeat(np.arange(clusters), size)
        y = rng.random(len(cluster)) < 1 / (1 + np.exp(1 - 2.2 * risk[cluster]))
        score = 1.2 * y + (rng.normal(size=clusters) + 0.3 * risk)[cluster] + rng.normal(size=len(cluster))
        return y, 1 / (1 + np.exp(1.5 - 1.2 * score)), cluster

    y, p, _ = drawn(20_000)
    truth = cw.interval(metric, y, p, **options).value
    covered = []
    for _ in range(400):
        y, p, cluster = drawn(15)
        found = cw.interval(metric, y, p, cluster=cluster, **options)
        covered.append(found.low <= truth <= found.high)
    assert np.mean(covered) > 0.9
