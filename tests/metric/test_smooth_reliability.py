"""The smooth reliability curve by weighted least squares, and distances from a line by hand."""

from types import SimpleNamespace

import numpy as np
import pytest

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
