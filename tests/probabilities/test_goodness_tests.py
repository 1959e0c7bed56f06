"""Tests that probabilities are right: by all labels that there can be, and by hand."""

from dataclasses import replace
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import chi2, f, norm

from curvewise.errors import UndefinedMetricError, note
from curvewise.metric.blocks import read_blocks
from curvewise.metric.spline import knots_of
from curvewise.probabilities import goodness_tests
from curvewise.probabilities.goodness_tests import (
    _independent,
    _merged,
    _together,
    hosmer_lemeshow,
    joint_test,
    spiegelhalter,
)

P = np.array([0.05, 0.15, 0.3, 0.4, 0.55, 0.7, 0.8, 0.9])


def test_mean_and_variance_of_the_joint_statistic_are_those_over_all_labels():
    labels = np.array(list(product((0, 1), repeat=8)))
    chance = np.where(labels, P, 1 - P).prod(axis=1)
    found = [joint_test(read_blocks(y, P, {})[1]) for y in labels]
    statistic, degrees = np.array([each.statistic for each in found]), found[0].degrees
    assert chance @ statistic == pytest.approx(degrees)
    matched = 2 * degrees**2 / (chance @ (statistic - degrees) ** 2)
    assert [each.p_value for each in found] == pytest.approx(chi2.sf(statistic * matched / degrees, matched))


def test_a_statistic_that_cannot_vary_says_nothing():
    """(y - 0.5)² / 0.25 is 1 for either label; at p = 0.4 it is 1.5 or 2/3."""
    sure, unsure = (joint_test(read_blocks([1], [p], {})[1]) for p in (0.5, 0.4))
    assert (sure.statistic, sure.p_value, sure.degrees) == (1, 1, 1)
    assert unsure.statistic == pytest.approx(1.5)
    # variance of the statistic: 0.24 * (1.5 - 2/3)² = 1/6, so chi-square with 2 / (1/6) degrees of freedom
    assert unsure.p_value == pytest.approx(chi2.sf(1.5 * 12, 12))


def test_groups_are_merged_from_the_lowest_until_they_expect_enough(monkeypatch):
    monkeypatch.setattr(goodness_tests, "LEAST", 5)
    assert _merged(np.array([3.0, 2, 5, 4, 1]), np.full(5, 9.0)).tolist() == [0, 0, 1, 2, 2]
    # what is left goes to the group before, and to none where there is no other
    assert _merged(np.array([3.0, 2, 5, 4]), np.full(4, 9.0)).tolist() == [0, 0, 1, 1]
    assert _merged(np.array([3.0, 1]), np.full(2, 9.0)).tolist() == [0, 0]
    # negatives count as well
    assert _merged(np.full(3, 9.0), np.array([4.0, 1, 6])).tolist() == [0, 0, 1]


def test_hosmer_and_lemeshow_by_hand():
    """20 rows each at 0.25 and 0.5, of which 7 and 8 are positive: (7 - 5)²/3.75 + (8 - 10)²/5."""
    y = np.repeat([1, 0, 1, 0], [7, 13, 8, 12])
    found = hosmer_lemeshow(*read_blocks(y, np.repeat([0.25, 0.5], 20), {}), 2)
    assert found.statistic == pytest.approx(4 / 3.75 + 4 / 5)
    assert found.degrees == 2
    assert found.p_value == pytest.approx(chi2.sf(4 / 3.75 + 4 / 5, 2))


def test_columns_are_apart_in_information():
    blocks = read_blocks(np.arange(8) % 2, P, {})[1]
    lines = _independent(blocks, knots_of(blocks, 4))(slice(None))
    information = blocks.p * (1 - blocks.p)
    assert (lines * information) @ lines.T == pytest.approx(np.eye(4), abs=1e-9)


def test_a_joint_test_needs_two_more_clusters_than_columns():
    """Of one probability there is one column, 1; three clusters that are alike have two degrees of freedom."""
    with pytest.raises(UndefinedMetricError, match="needs more clusters: there are 2"):
        joint_test(read_blocks([0, 1] * 2, [0.3] * 4, {"cluster": [0, 0, 1, 1]})[1])
    found = joint_test(read_blocks([0, 1] * 3, [0.3] * 6, {"cluster": [0, 0, 1, 1, 2, 2]})[1])
    assert found.degrees == 1
    assert found.p_value == pytest.approx(f.sf(found.statistic, 1, 2))


def test_a_rest_without_positives_goes_to_the_group_before(monkeypatch):
    monkeypatch.setattr(goodness_tests, "LEAST", 5)
    assert _merged(np.array([5.0, 5, 0]), np.array([9.0, 9, 3])).tolist() == [0, 1, 1]


def test_groups_that_share_clusters_vary_together(monkeypatch):
    """Two of four clusters have a row in each group; a correlation of 1/2 leaves half of the variances' products."""
    monkeypatch.setattr(goodness_tests, "CLUSTERS", 2)
    places = np.ones(4), np.array([0, 1, 0, 1]), np.array([0, 0, 1, 1])
    cells = SimpleNamespace(number=4, correlation=0.5, by_place=lambda _: places)
    found = _together(cells, np.array([2.0, 3.0]), np.array([2.0, 2.0]))
    assert found == pytest.approx(np.array([[2, np.sqrt(1.5)], [np.sqrt(1.5), 3]]))
    cells.number = 3
    with pytest.raises(UndefinedMetricError, match="needs 2 clusters per group: there are 3 for 2 groups"):
        _together(cells, np.array([2.0, 3.0]), np.array([2.0, 2.0]))


def test_spiegelhalter_by_hand():
    """Residuals 0.2, -0.3 and 0.4 times 1 - 2p of -0.6, 0.4 and -0.2; variances 0.16, 0.21 and 0.24."""
    found = spiegelhalter(read_blocks([1, 0, 1], [0.8, 0.3, 0.6], {})[1])
    z = (-0.12 - 0.12 - 0.08) / np.sqrt(0.36 * 0.16 + 0.16 * 0.21 + 0.04 * 0.24)
    assert found.statistic == pytest.approx(z)
    assert found.p_value == pytest.approx(2 * norm.sf(abs(z)))


def test_weights_that_are_all_alike_do_not_show():
    plain, half = (
        spiegelhalter(read_blocks([1, 0, 1], [0.8, 0.3, 0.6], rows)[1]) for rows in ({}, {"weight": [0.5] * 3})
    )
    assert half.statistic == pytest.approx(plain.statistic)


def test_a_test_shows_its_table_and_why_it_was_not_made():
    found = spiegelhalter(read_blocks([1, 0, 1], [0.8, 0.3, 0.6], {})[1])
    assert len(found.parts()) == 1
    why = note("nothing_to_test")
    assert replace(found, reason=why).parts()[1:] == [why]


def test_wrong_certainties_are_impossible_and_right_ones_say_nothing():
    found = joint_test(read_blocks([0, 1, 0], [1.0, 0.5, 0.2], {})[1])
    assert (found.statistic, found.p_value) == (np.inf, 0)
    with pytest.raises(UndefinedMetricError, match="needs a probability between 0 and 1"):
        joint_test(read_blocks([0, 1], [0.0, 1.0], {})[1])
