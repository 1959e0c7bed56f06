"""Blocks of equal probabilities: moments of what they add, by the definition."""

import numpy as np
import pytest

from curvewise.metric.blocks import Blocks


def cumulants(values, chances):
    """Return variance and fourth cumulant of a number with a mean of 0."""
    second, fourth = (np.sum(np.multiply(chances, np.power(values, k))) for k in (2, 4))
    return second, fourth - 3 * second**2


@pytest.mark.parametrize("weight", [1.0, 2.5])
def test_moments_of_right_probabilities(weight):
    """Each of n rows adds w(1 - p) with chance p, else -wp; cumulants of independent rows add up."""
    p, n = np.array([0.8, 0.5, 0.1]), np.array([10.0, 4.0, 30.0])
    each = weight * np.array([1.0, 2.0, 1.0])  # the weight of a row may depend on p
    pos, neg = n * p * each, n * (1 - p) * each
    blocks = Blocks(p, pos, neg, (pos * each, neg * each), whole=False)
    wanted = [n[k] * np.array(cumulants(each[k] * np.array([1 - q, -q]), [q, 1 - q])) for k, q in enumerate(p)]
    variance, fourth = blocks.null_moments("A test")
    assert variance == pytest.approx([pair[0] for pair in wanted])
    assert fourth == pytest.approx([pair[1] for pair in wanted])
    assert blocks.rows("A test") == pytest.approx(np.sum(n * each) ** 2 / np.sum(n * each**2))
