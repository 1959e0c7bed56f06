"""The smooth reliability curve by weighted least squares, and distances from a line by hand."""

from types import SimpleNamespace

import numpy as np
import pytest

import curvewise as cw
from curvewise.metric import smooth_reliability
from curvewise.metric.smooth_reliability import _line, mean_and_quantiles, smoothed


def test_a_line_is_that_of_least_squares():
    rng = np.random.default_rng(0)
    kernel, away, n, share = rng.random(6), rng.normal(size=6), rng.integers(1, 9, 6), rng.random(6)
    value = np.polyfit(away, share, 1, w=np.sqrt(kernel * n))[1]  # of the line at 0
    assert _line(kernel, away, n) @ (n * share) == pytest.approx(value)
    assert _line(kernel, np.zeros(6), n) @ (n * share) == pytest.approx(np.average(share, weights=kernel * n))


def test_the_curve_is_a_line_through_the_nearest_rows():
    """Of 33 rows 33^(4/5) = 16.4 are near, so 17; the tricube is 0 at the distance of the first one beyond."""
    rng = np.random.default_rng(1)
    p, positives = np.sort(rng.random(33)), rng.integers(0, 2, 33)
    data = SimpleNamespace(p=p, n=np.ones(33), positives=positives, rows=np.ones(33), design_effect=1.0)
    found = smoothed(data, np.array([0, 9, 32]))
    for j, value in zip((0, 9, 32), found.value, strict=True):
        away = p - p[j]
        edge = np.sort(np.abs(away))[17]
        kernel = np.clip(1 - (np.abs(away) / edge) ** 3, 0, None) ** 3
        assert value == pytest.approx(np.clip(np.polyfit(away, positives, 1, w=np.sqrt(kernel))[1], 0, 1))


@pytest.mark.parametrize(
    ("cells", "places", "values", "p", "weight", "mean"),
    [
        # 0.1 above, 0 and 0.2 below a level line, in one cell
        (1, [0.5], [0.2], [0.1, 0.2, 0.4], [1, 1, 1], 0.1),
        # 0.2 above at both ends of a cell, and on the line where it bends
        (1, [0.1, 0.2, 0.4], [0.3, 0.2, 0.6], [0.1, 0.2, 0.4], [1, 1, 1], 0.4 / 3),
        # a cell on both sides of the line counts for nothing where its rows do
        (2, [0.5], [0.2], [0.1, 0.4, 0.6, 0.7], [0, 0, 1, 1], 0.45),
    ],
)
def test_mean_distance_from_a_line(cells, places, values, p, weight, mean, monkeypatch):
    monkeypatch.setattr(smooth_reliability, "CELLS", cells)
    line, weight = (np.array(places), np.array(values)), np.array(weight, float)
    assert mean_and_quantiles(line, np.array(p), [weight], ()) == [pytest.approx(mean)]


def test_quantiles_of_distances_from_a_line():
    line, p = (np.array([0.5]), np.array([0.0])), np.array([0.1, 0.2, 0.4, 0.8])
    found = mean_and_quantiles(line, p, [np.ones(4)], (0.5, 0.6, 1.0))
    assert found == pytest.approx([0.375, 0.3, 0.4, 0.8])  # half lies between two, all do not exceed the last


def test_rows_at_one_probability_have_their_mean_whatever_rounding_leaves():
    kernel, n = np.array([0.3, 0.7, 0.9]), np.array([1.0, 2.0, 4.0])
    for away in (0.1, 0.3, 0.7, 1 / 3):
        assert _line(kernel, np.full(3, away), n) == pytest.approx(kernel / (kernel @ n))


def test_cells_do_not_show_in_mean_and_quantiles(monkeypatch):
    """Weights below 1, so that no cell is heavy; no quantile lies on an edge."""
    rng = np.random.default_rng(2)
    for _ in range(100):
        monkeypatch.setattr(smooth_reliability, "CELLS", int(rng.integers(1, 8)))
        p, weight = np.sort(rng.random(25)), rng.integers(0, 3, 25) + 1e-3 * rng.random(25)
        line = np.sort(rng.random(3)), rng.random(3)
        away = np.abs(np.interp(p, *line) - p)
        order = np.argsort(away)
        share = np.cumsum(weight[order]) / weight.sum()
        wanted = [np.average(away, weights=weight), *(away[order][np.argmax(share >= k)] for k in (0.5, 0.9))]
        assert mean_and_quantiles(line, p, [0.01 * weight], (0.5, 0.9)) == pytest.approx(wanted)


def test_whole_weights_repeat_rows():
    rng = np.random.default_rng(3)
    p = rng.random(60)
    y, weight = rng.random(60) < p, rng.integers(1, 4, 60)
    for name in ("ici", "e50", "e90"):
        assert cw.score(name, y, p, weight=weight) == pytest.approx(cw.score(name, y.repeat(weight), p.repeat(weight)))
