"""Numbers of many classes by group: those of the group's rows alone, gaps with intervals and tests."""

from __future__ import annotations

import json
import math
import pickle

import numpy as np
import pytest
from scipy.stats import chi2_contingency

import curvewise as cw
from curvewise.many_classes.class_verdicts import differ
from many_classes.sample import class_rows

Y, P = class_rows(n=300)
SIDE = np.where(np.arange(300) % 3 == 0, "left", "right")
QUICK = {"replicates": 200}


@pytest.fixture(scope="module")
def found():
    return cw.multiclass(Y, P).by_group(SIDE, **QUICK)


def test_each_group_has_the_numbers_of_its_rows_alone(found):
    for group in found.breakdowns["group"]:
        alone = cw.multiclass(Y[group.name == SIDE], P[group.name == SIDE])
        values = {name: e.value for name, e in group.estimates.items()}
        assert values == pytest.approx(
            {"accuracy": alone.accuracy, "balanced_accuracy": alone.balanced_accuracy, "roc_auc": alone.roc_auc()}
        )
        assert group.n == len(alone)
        assert all(e.low < e.value < e.high for e in group.estimates.values())


def test_all_rows_together_have_the_intervals_of_the_summary(found):
    same = cw.multiclass(Y, P).estimates(["accuracy", "roc_auc"], **QUICK)
    for name, e in same.items():
        here = found.overall.estimates[name]
        assert (here.value, here.low, here.high) == (e.value, e.low, e.high)


def test_the_gap_of_two_groups_is_the_difference_with_its_interval(found):
    left, right = (g.estimates["accuracy"] for g in found.breakdowns["group"])
    high, low = (left, right) if left.value > right.value else (right, left)
    gap = found.gap("accuracy")
    assert gap.value == pytest.approx(abs(left.value - right.value))
    up = math.hypot(high.high - high.value, low.value - low.low)
    down = math.hypot(high.value - high.low, low.high - low.value)
    assert (gap.low, gap.high) == pytest.approx((max(gap.value - down, 0), gap.value + up))
    assert str(gap.notes[0]).startswith(f"{'left' if high is left else 'right'} {high.value:.4g}")


@pytest.mark.parametrize("level", [0.6, 0.95])
def test_the_test_of_groups_agrees_with_their_gap(level):
    right = P.argmax(axis=1) == Y
    table = [[np.sum(right[s == SIDE]), np.sum(~right[s == SIDE])] for s in ("left", "right")]
    found = cw.multiclass(Y, P).by_group(SIDE, level=level, **QUICK)
    for row in found.gaps().rows():
        assert (row["p_equal"] < 1 - level) == (row["low"] > 0)
        assert row["p_holm"] >= row["p_equal"]
    accuracy = next(r for r in found.gaps().rows() if r["metric"] == "accuracy")
    assert accuracy["p_equal"] == pytest.approx(chi2_contingency(table, correction=False).pvalue, rel=0.1)


def test_a_clear_difference_is_found_and_corrected_for_all_numbers():
    proba = P.copy()
    proba[SIDE == "left"] = 1 / 3
    rows = cw.multiclass(Y, proba).by_group(SIDE, **QUICK).gaps().rows()
    area = next(r for r in rows if r["metric"] == "roc_auc")
    assert area["p_holm"] < 0.001
    assert area["low"] > 0.2
    assert min(r["p_holm"] for r in rows) == pytest.approx(3 * min(r["p_equal"] for r in rows))


def test_means_over_different_classes_are_not_compared():
    side = np.where((Y == 2) & (SIDE == "left"), "right", SIDE)
    found = cw.multiclass(Y, P).by_group(side, **QUICK)
    left = next(g for g in found.breakdowns["group"] if g.name == "left")
    assert left.absent == ("2",)
    assert "without a row of 2" in str(found)
    gap = found.gap("balanced_accuracy")
    assert math.isnan(gap.value)
    assert str(gap.reason) == "left has no row of 2: means over different classes are not comparable"
    assert found.gap("accuracy").has_interval
    with pytest.raises(cw.UndefinedMetricError, match="left has no row of 2"):
        found.tests("balanced_accuracy")


def test_groups_are_compared_with_one_of_them_and_with_the_rest():
    third = np.array(["a", "b", "c"])[np.arange(300) % 3]
    found = cw.multiclass(Y, P).by_group(third, **QUICK)
    right = {name: np.mean((P.argmax(axis=1) == Y)[third == name]) for name in "abc"}
    others = {name: np.mean((P.argmax(axis=1) == Y)[third != name]) for name in "abc"}
    away = {name: right[name] - right["a"] for name in "bc"}
    assert found.gap("acc", reference="a").value == pytest.approx(max(away.values(), key=abs))
    rest = found.gap("accuracy", reference="rest")
    assert rest.value == pytest.approx(max((right[name] - others[name] for name in "abc"), key=abs))
    assert rest.low < rest.value < rest.high
    ratio = found.ratio("accuracy")
    assert ratio.value == pytest.approx(min(right.values()) / max(right.values()))
    assert (ratio.high == 1) == (found.gap("accuracy").low == 0)
    tests = found.tests("accuracy")
    equal = next(r for r in found.gaps().rows() if r["metric"] == "accuracy")["p_equal"]
    assert tests.omnibus[2] == equal
    assert {(p.first, p.second) for p in tests.pairs} == {("a", "b"), ("a", "c"), ("b", "c")}
    assert "chance alone would spread them" in str(found.gap("accuracy").notes[1])


def test_the_rest_goes_with_a_group_that_shares_its_clusters():
    found = cw.multiclass(Y, P, cluster=np.arange(300) // 3).by_group(SIDE, **QUICK)
    two, rest = found.gap("accuracy"), found.gap("accuracy", reference="rest")
    assert abs(rest.value) == pytest.approx(two.value)
    assert max(rest.high, -rest.low) == pytest.approx(two.high)  # the rest of one is the other


def test_groups_travel():
    found = cw.multiclass(Y, P).by_group(SIDE, metrics=["accuracy", "kappa", "ks", "hand_till"], **QUICK)
    again = pickle.loads(pickle.dumps(found))
    assert [again.gap(m).high for m in again.metrics] == [found.gap(m).high for m in found.metrics]


def test_groups_that_share_clusters_go_together():
    # the same 150 subjects on both sides, whose answers mostly agree
    y, p = np.tile(Y[:150], 2), np.tile(P[:150], (2, 1))
    side, subject = np.repeat(["left", "right"], 150), np.tile(np.arange(150), 2)
    p[150:165] = p[150:165][:, ::-1]
    apart, joined = (cw.multiclass(y, p, cluster=c).by_group(side, **QUICK).gap("accuracy") for c in (None, subject))
    assert joined.value == apart.value
    assert joined.high < 0.8 * apart.high


def test_several_columns_and_their_combinations():
    rows = cw.multiclass(Y, P)
    found = rows.by_group({"side": SIDE, "half": np.arange(300) < 150}, metrics=["accuracy"], **QUICK)
    assert list(found.breakdowns) == ["side", "half", "side, half"]
    assert found.breakdowns["side, half"][0].name == "side=left, half=False"
    assert len(found.gaps()) == 3
    with pytest.raises(cw.CurvewiseError, match="column: expected one of 'side', 'half', 'side, half', got None"):
        found.gap("accuracy")
    with pytest.raises(cw.CurvewiseError, match="metric: expected one of accuracy, got 'kappa'"):
        found.gap("kappa", column="side")
    assert json.dumps(found.to_dict(), allow_nan=False)
    assert found.table.columns["column"][-1] == "side, half"


def test_predicted_labels_have_what_counts_give():
    found = cw.multiclass(Y, predicted=P.argmax(axis=1)).by_group(SIDE, **QUICK)
    assert found.metrics == ("accuracy", "balanced_accuracy")


def test_what_cannot_be_grouped_is_refused():
    rows = cw.multiclass(Y, P)
    with pytest.raises(cw.CurvewiseError, match="rows has 300 rows, group has 2 rows"):
        rows.by_group(["left", "right"])
    with pytest.raises(cw.CurvewiseError, match="group: these rows hold no groups"):
        rows.by_group()
    one = rows.by_group(np.zeros(300), **QUICK)
    assert str(one.gap("accuracy").reason) == "group has only one group"


def test_very_many_rows_have_no_intervals_and_say_so(monkeypatch):
    monkeypatch.setattr("curvewise.many_classes.class_groups.MOST_CELLS", 100)
    found = cw.multiclass(Y, P).by_group(SIDE, **QUICK)
    assert found.notes[0].code == "class_intervals_left_out"
    assert not found.overall.estimates["accuracy"].has_interval
    assert found.gap("accuracy").reason.code == "member_without_interval"
    assert [n.code for n in differ(found)] == ["class_gaps_not_drawn"]
