"""One threshold for all groups, or one for each: counted by hand, and as the rules choose."""

import math

import numpy as np
import pytest

import curvewise as cw

#       a: 4 positives, 4 negatives       b: 2 positives, 6 negatives
Y = [*(1, 1, 0, 1, 0, 1, 0, 0), *(1, 0, 0, 1, 0, 0, 0, 0)]
SCORE = [*(9, 8, 7, 6, 5, 4, 3, 2), *(9, 8, 7, 5, 4, 3, 2, 1)]
GROUP = ["a"] * 8 + ["b"] * 8


@pytest.fixture(scope="module")
def fair():
    return cw.fairness(Y, SCORE, GROUP, threshold=6, replicates=4)


def cut(found, policy):
    return {name: c.threshold for name, c in found.cells[policy].items()}


def test_by_hand(fair):
    found = fair.policies()  # all rows at 6: recall 4/6, FPR 3/10, flagged 7/16
    assert cut(found, "one") == {"a": 6, "b": 6}
    assert cut(found, "recall") == {"a": 6, "b": 5}  # 3/4 and 2/2: the first that reach 4/6
    assert cut(found, "fpr") == {"a": 6, "b": 9}  # 1/4; 1/6 would flag no further positive
    assert cut(found, "flagged") == {"a": 8, "b": 9}  # 3 of 8 rows at most; a third would be a negative
    one = found.overall("one")
    assert (one.tp, one.fp, one.fn, one.tn) == (4, 3, 2, 7)
    equal = found.overall("recall")
    assert (equal.tp, equal.fp) == (5, 3)
    assert one.expected_cost(fp=1, fn=2) == 7 / 16
    assert equal.expected_cost(fp=1, fn=2) == 5 / 16


def test_a_stated_prevalence_multiplies_the_odds_of_every_group_alike(fair):
    found = fair.policies(prevalence=0.2)
    odds = {name: (c.tp + c.fn) / (c.fp + c.tn) for name, c in found.cells["one"].items()}
    factor = (0.2 / 0.8) / (6 / 10)
    assert odds == pytest.approx({"a": factor * 4 / 4, "b": factor * 2 / 6})
    whole = found.overall("one")
    assert whole.prevalence == pytest.approx(0.2)
    assert whole.predicted_rate == pytest.approx(0.2 * 4 / 6 + 0.8 * 3 / 10)
    for name, c in found.cells["flagged"].items():
        assert c.predicted_rate <= whole.predicted_rate * (1 + 1e-12), name


def test_a_group_that_no_threshold_serves_keeps_the_common_one():
    y, score, group = [1, 0, 1, 0, 1, 1], [4, 3, 2, 1, 3, 2], list("aaaabb")
    found = cw.fairness(y, score, group, threshold=3, replicates=4).policies()
    assert all(found.cells[policy]["b"].threshold == 3 for policy in found.cells)


def test_flagging_every_row_is_met_by_the_last_positive(fair):
    everything = cw.fairness(Y, SCORE, GROUP, threshold=-math.inf, replicates=4).policies()
    assert cut(everything, "flagged") == {"a": 4, "b": 5}


def test_rates_come_near_on_many_rows_and_the_table_has_every_group():
    rng = np.random.default_rng(0)
    group = rng.integers(0, 3, 6000)
    y = rng.random(6000) < 0.2 + 0.1 * group
    fair = cw.fairness(y, y + rng.normal(0, 1, 6000) + 0.3 * group, group, threshold=1.0, replicates=4)
    found, now = fair.policies(), fair.groups.overall.sweep.at(1.0)
    for policy, rate in (("recall", "recall"), ("fpr", "fpr"), ("flagged", "predicted_rate")):
        assert all(abs(getattr(c, rate) - getattr(now, rate)) < 0.004 for c in found.cells[policy].values())
    assert len(found.table) == 12
    assert [n.code for n in found.notes] == ["chosen_on_these_rows", "treats_by_group"]
    assert found.to_dict()["prevalence"] == pytest.approx(y.mean())
