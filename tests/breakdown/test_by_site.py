"""Sites: AUC at each, pooled on the logit scale; precision at a common prevalence; sites left out."""

import json
import math

import numpy as np
import pytest

import curvewise as cw
from curvewise.breakdown.by_site import precision_at
from curvewise.breakdown.case_mix import expected_auc


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(3)
    n, k = 3000, 6
    site = rng.integers(0, k, n)
    lift = np.array([1.0, 1.3, 1.6, 1.2, 1.9, 1.4])[site]
    y = rng.random(n) < np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.15])[site]
    score = 1 / (1 + np.exp(-(rng.normal(size=n) + lift * y - 1.5)))
    return y, score, np.array(list("abcdef"))[site]


def test_pooled_is_the_random_effects_of_logits(data):
    y, s, site = data
    found = cw.by_site(y, s, site, method="paule-mandel", level=0.9)
    logits, errors = [], []
    for x in found.sites:
        on = site == x.name
        alone = cw.interval("roc_auc", y[on], s[on], level=0.9)
        assert x.auc == alone
        logits.append(math.log(alone.value / (1 - alone.value)))
        errors.append(alone.standard_error / (alone.value * (1 - alone.value)))
    wanted = cw.random_effects(logits, errors, method="paule-mandel", level=0.9)
    assert found.model == wanted
    for name in ("value", "low", "high", "prediction_low", "prediction_high"):
        assert getattr(found.pooled, name) == pytest.approx(1 / (1 + math.exp(-getattr(wanted, name))))
    assert (found.pooled.tau2, found.pooled.i2) == (wanted.tau2, wanted.i2)


def test_forest_and_leave_one_out(data):
    y, s, site = data
    found = cw.by_site(y, s, site)
    forest = found.forest.rows()
    assert [r["site"] for r in forest] == [*"abcdef", "(pooled)", "(prediction)"]
    assert sum(r["weight"] for r in forest[:6]) == pytest.approx(1)
    assert forest[6]["n"] == len(y)
    assert forest[7]["low"] < forest[6]["low"] < forest[6]["high"] < forest[7]["high"]
    without_c = found.leave_one_out.rows()[2]
    on = site != "c"
    again = cw.by_site(y[on], s[on], site[on]).pooled
    assert without_c["without"] == "c"
    assert (without_c["value"], without_c["low"], without_c["tau2"]) == pytest.approx(
        (again.value, again.low, again.tau2)
    )


def test_precision_and_curves_at_own_and_common_prevalence(data):
    y, s, site = data
    found = cw.by_site(y, s, site, threshold=0.4)
    assert found.common_prevalence == np.mean(y)
    for x in found.sites:
        on = site == x.name
        sweep = cw.sweep(y[on], s[on])
        moved = sweep.at_prevalence(found.common_prevalence)
        assert x.others["precision"] == cw.interval("precision", sweep, threshold=0.4)
        assert x.others["precision_common"].value == pytest.approx(moved.at(0.4).precision)
        assert x.others["precision_common"].low < moved.at(0.4).precision < x.others["precision_common"].high
        assert x.average_precision == cw.average_precision(sweep)
        assert x.average_precision_common == pytest.approx(cw.average_precision(moved))
        own = cw.calibration(y[on], s[on])
        assert x.others["observed_expected"].value == own.observed_expected.value
        large = x.others["calibration_in_the_large"]
        assert (large.low, large.high) == pytest.approx((own.in_the_large.low, own.in_the_large.high))
    assert found.pr_curves()["a"].precision.tolist() == cw.pr_curve(y[site == "a"], s[site == "a"]).precision.tolist()
    common = found.pr_curves(common=True)
    assert set(common) == set("abcdef")
    assert common["a"].precision[-1] == pytest.approx(found.common_prevalence)
    other = cw.by_site(y, s, site, threshold=0.4, common_prevalence=0.01)
    assert other.sites[0].others["precision_common"].value < found.sites[0].others["precision_common"].value
    assert other.pooled == found.pooled


def test_interval_of_precision_at_another_prevalence_covers():
    rng = np.random.default_rng(5)
    truth = 0.1 * 0.8 / (0.1 * 0.8 + 0.9 * 0.2)
    inside = 0
    for _ in range(200):
        tp, fp = rng.binomial(50, 0.8), rng.binomial(100, 0.2)
        s = cw.Sweep.from_counts([1, 0], [tp, 50 - tp], [fp, 100 - fp])
        e = precision_at(s, 1, 0.1, 0.95)
        inside += e.low <= truth <= e.high
    assert 0.9 <= inside / 200 <= 0.99


def test_sites_that_cannot_be_pooled_are_named():
    y = [1, 1, 0, 0] * 3 + [1, 1, 1] + [1, 0, 0] + [0, 1, 0, 1] + [1, 0, 1, 0]
    s = [4, 2, 3, 1] * 3 + [1, 2, 3] + [3, 2, 1] + [1, 2, 3, 4] + [5, 5, 5, 5]
    site = [*"aaaabbbbcccc", *"ddd", *"eee", *[None] * 4, *"ffff"]
    found = cw.by_site(y, s, site)
    left_out = {x.name: str(x.left_out) for x in found.sites if x.left_out}
    assert list(left_out) == ["d", "e", "f", "(missing)"]
    assert "0 of 3 rows are negative" in left_out["d"]
    assert "at least two rows of each class" in left_out["e"]
    assert "AUC has variance 0" in left_out["f"]
    assert "do not form a site" in left_out["(missing)"]
    assert found.pooled.sites == 3
    assert found.pooled.value == pytest.approx(0.75)
    assert found.forest.columns["weight"][:3] == pytest.approx([1 / 3] * 3)
    assert found.forest.columns["weight"][3] is None
    assert sum("is left out of pooling" in str(note) for note in found.notes) == 4
    assert "calibration" not in str(found.table)
    assert "d" in found.pr_curves()
    assert "d" not in found.pr_curves(common=True)


def test_perfect_sites_are_pooled_with_a_stated_error():
    y = [1, 1, 0, 0] * 5
    s = [4, 3, 2, 1] + [4, 2, 3, 1] * 4
    site = np.repeat([*"abcde"], 4)
    found = cw.by_site(y, s, site)
    a = found.sites[0]
    assert a.auc.value == 1
    assert a.logit == pytest.approx(math.log(4.5 / 0.5))
    bound = 0.025 ** (1 / 2)
    assert a.logit - 1.959964 * a.error == pytest.approx(math.log(bound / (1 - bound)), abs=1e-5)
    assert "perfect separation at a: pooled as if half a pair were misordered" in str(found.notes[0])
    turned = cw.by_site(y, s, site, higher_is="negative")
    assert turned.sites[0].logit == -a.logit
    assert turned.pooled.value == pytest.approx(1 - found.pooled.value)


def test_one_site_is_not_pooled():
    found = cw.by_site([1, 0, 1, 0, 1], [3, 2, 1, 4, 5], ["a"] * 5)
    assert found.pooled is None
    assert found.model is None
    assert "at least two sites, not 1" in str(found.notes[0])
    assert len(found.forest) == 1
    assert len(found.leave_one_out) == 0
    assert "note: pooling needs" in str(found)
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["pooled"] is None


def test_fractional_weights(data):
    y, s, site = (v[:600] for v in data)
    w = np.linspace(0.5, 1.5, 600)
    found = cw.by_site(y, s, site, weight=w, threshold=0.4, rng=0, replicates=30)
    on = site == "a"
    assert found.sites[0].auc.value == pytest.approx(cw.roc_auc(y[on], s[on], weight=w[on]))
    own = found.sites[0].others["precision"]
    assert own.low < own.value < own.high
    ratio = found.sites[0].others["observed_expected"]
    assert ratio.low < ratio.value < ratio.high
    common = found.sites[0].others["precision_common"]
    assert common.low < common.value < common.high
    assert found.pooled.low < found.pooled.value < found.pooled.high


def test_prints_and_travels(data):
    y, s, site = data
    found = cw.by_site(y, s, site, threshold=0.4)
    assert "Pooled AUC" in str(found)
    assert "a new site:" in str(found)
    assert "<table>" in found._repr_html_()
    assert found.to_frame("polars").shape[0] == 6
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert told["pooled"]["value"] == found.pooled.value
    assert told["logit_model"]["tau2"] == found.model.tau2
    assert len(told["leave_one_out"]) == 6


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"site": {"a": [1] * 4, "b": [1] * 4}}, "site: expected one column, got 2"),
        ({"site": [1, 2]}, "y and site must be equally long"),
        ({"method": "dl"}, "method: expected one of"),
        ({"common_prevalence": 1}, "common_prevalence: expected"),
        ({"level": 2}, "level: expected"),
    ],
)
def test_refusals(options, words):
    given = {"site": list("aabb"), **options}
    with pytest.raises(cw.CurvewiseError, match=words):
        cw.by_site([1, 0, 1, 0], [4, 3, 2, 1], **given)


def test_expected_auc_is_that_of_labels_drawn_with_the_probabilities(data):
    y, p, site = data
    found = cw.by_site(y, p, site)
    rng = np.random.default_rng(1)
    for x in found.sites[:2]:
        own = p[site == x.name]
        drawn = [cw.roc_auc(rng.random(len(own)) < own, own) for _ in range(200)]
        assert x.expected_auc == pytest.approx(np.mean(drawn), abs=0.01)
        i, j = np.meshgrid(own, own)
        worth = i * (1 - j)
        assert x.expected_auc == pytest.approx(np.sum(worth * ((i > j) + 0.5 * (i == j))) / worth.sum())
    assert found.table.columns["expected_auc"][0] == found.sites[0].expected_auc
    # a narrower case mix is harder to rank; scores that are no probabilities have none
    narrow = cw.by_site(y, 0.3 + 0.2 * p, site)
    assert narrow.sites[0].expected_auc < found.sites[0].expected_auc
    assert "expected_auc" not in cw.by_site(y, 10 * p, site).table.columns


def test_precision_at_another_prevalence_where_one_rate_is_0():
    only_false = cw.Sweep.from_counts([2, 1], [0, 5], [5, 5])
    only_hits = cw.Sweep.from_counts([2, 1], [5, 5], [0, 5])
    for sweep, value in ((only_false, 0), (only_hits, 1)):
        found = precision_at(sweep, 2, 0.1, 0.95)
        assert found.value == value
        assert 0 <= found.low <= value <= found.high <= 1
    assert precision_at(only_hits, 3, 0.1, 0.95).reason.code == "none_flagged"


def test_labels_that_can_only_be_one_class_have_no_expected_area():
    for p in (0.0, 1.0):
        assert math.isnan(expected_auc(cw.sweep([0, 1], [p, p])))


def test_many_sites_are_not_left_out_one_by_one(monkeypatch):
    """Time grows with the square of the sites: JSON of 1000 took a minute."""
    rng = np.random.default_rng(0)
    y, site = rng.random(120) < 0.5, np.arange(120) % 4
    few = cw.by_site(y, y + rng.normal(size=120), site)
    assert len(few.leave_one_out) == 4
    monkeypatch.setattr("curvewise.breakdown.by_site.MOST_LEFT_OUT", 3)
    many = cw.by_site(y, y + rng.normal(size=120), site)
    assert len(many.leave_one_out) == 0
    assert [n.code for n in many.notes] == [*(n.code for n in few.notes), "too_many_to_leave_out"]
    assert many.to_dict()["leave_one_out"] == []
