"""Areas within a region under a curve given by a formula: TPR = √FPR, whose area from a to b is 2/3 (b^1.5 - a^1.5)."""

import math

import pytest

from curvewise.metric.smooth_area import smooth_area


class Root:
    auc = 2 / 3

    def tpr(self, fpr):
        return math.sqrt(fpr)

    def partial_auc(self, fpr):
        return 2 / 3 * (fpr[1] ** 1.5 - fpr[0] ** 1.5)


@pytest.mark.parametrize(
    ("region", "area"),
    [
        ((0, 1, 0, 1), 2 / 3),
        ((0.25, 0.81, 0, 1), 2 / 3 * (0.729 - 0.125)),
        ((0, 1, 0.5, 1), 2 / 3 * (1 - 0.125) - 0.5 * 0.75),  # above one half, which it reaches at a quarter
        ((0, 1, 0, 0.5), 2 / 3 * 0.125 + 0.5 * 0.75),  # below one half, which it fills from a quarter on
        ((0.5, 1, 0, 0.5), 0.25),  # all of it
        ((0.36, 0.64, 0.1, 0.5), 0.28 * 0.4),
        ((0, 0.25, 0.5, 1), 0),  # nothing of it
        ((0.04, 0.64, 0.3, 0.6), 2 / 3 * (0.216 - 0.027) - 0.3 * 0.27 + 0.3 * 0.28),
    ],
)
def test_regions_by_hand(region, area):
    assert smooth_area(Root(), *region) == pytest.approx(area, abs=1e-12)
    a, b, c, d = region
    points = [(k / 20_000, math.sqrt(k / 20_000)) for k in range(20_001)]
    fine = sum((min(max(y, c), d) - c) / 20_000 for x, y in points if a <= x <= b)
    assert smooth_area(Root(), *region) == pytest.approx(fine, abs=1e-3)
