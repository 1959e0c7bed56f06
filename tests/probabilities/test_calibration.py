"""Measures of calibration: definitions by brute force, weights, simulated truth, and why one is undefined."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2, norm

import curvewise as cw
from curvewise.metric.smooth_reliability import SmoothGaps
from curvewise.probabilities import calibration
from curvewise.probabilities.calibration import MEASURES


def drawn(n, seed=0, power=1.0):
    rng = np.random.default_rng(seed)
    p = rng.beta(1, 2, n)
    return rng.random(n) < p**power, p


def in_tens(p):
    return np.clip(np.ceil(p * 10) - 1, 0, 9).astype(int)


@st.composite
def labelled(draw):
    rows = draw(st.lists(st.tuples(st.booleans(), st.integers(0, 20)), min_size=1, max_size=30))
    return np.array([r[0] for r in rows]), np.array([r[1] for r in rows]) / 20


@given(labelled())
def test_binned_errors_by_their_definition(rows):
    y, p = rows
    gap = {k: abs(y[in_tens(p) == k].mean() - p[in_tens(p) == k].mean()) for k in set(in_tens(p))}
    c = cw.calibration(y, p, replicates=0)
    assert c.ece == pytest.approx(sum(gap[k] * np.mean(in_tens(p) == k) for k in gap), abs=1e-12)
    assert c.mce == pytest.approx(max(gap.values()), abs=1e-12)
    parts = []
    for k in gap:
        here, own = y[in_tens(p) == k], p[in_tens(p) == k]
        if len(here) > 1:
            away = here.mean() - own.mean()
            parts += [(len(here), away**2 - here.mean() * (1 - here.mean()) / (len(here) - 1))]
    if parts:
        wanted = sum(n * v for n, v in parts) / sum(n for n, _ in parts)
        assert c.squared_error == pytest.approx(wanted, abs=1e-12)
    else:
        assert "two independent rows" in str(c.reasons["squared_error"])


@given(labelled())
def test_ratio_and_tests_by_their_definition(rows):
    y, p = rows
    c = cw.calibration(y, p, replicates=0)
    if p.sum():
        assert c.observed_expected.value == pytest.approx(y.sum() / p.sum())
    below = math.sqrt(np.sum((1 - 2 * p) ** 2 * p * (1 - p)))
    if below:
        z = np.sum((y - p) * (1 - 2 * p)) / below
        assert c.spiegelhalter.statistic == pytest.approx(z, abs=1e-9)
        assert c.spiegelhalter.p_value == pytest.approx(2 * norm.sf(abs(z)), abs=1e-12)
    else:
        assert math.isnan(c.spiegelhalter.statistic)
        assert "other than 0, 0.5 and 1" in str(c.reasons["spiegelhalter"])


def test_hosmer_lemeshow_by_its_definition():
    y, p = drawn(2000)
    groups = np.array_split(np.argsort(p), 10)
    wanted = sum((y[g].sum() - p[g].sum()) ** 2 / (p[g].sum() * (1 - p[g].mean())) for g in groups)
    found = cw.calibration(y, p, replicates=0).hosmer_lemeshow
    assert found.statistic == pytest.approx(wanted)
    assert (found.degrees, found.p_value) == (10, pytest.approx(chi2.sf(wanted, 10)))


def test_hosmer_lemeshow_merges_groups_that_expect_fewer_than_3():
    # ten groups of ten rows: 0.5, 1, 1.5 and 2 positives expected in the first four, so 3 after three of them
    p = np.repeat([0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.9, 0.95], 10)
    y = np.tile([True, False, False, False, True, False, True, False, False, False], 10)
    merged = [slice(0, 30), slice(30, 50), slice(50, 60), slice(60, 70), slice(70, 100)]
    wanted = sum((y[g].sum() - p[g].sum()) ** 2 / (p[g].sum() * (1 - p[g].mean())) for g in merged)
    found = cw.calibration(y, p, replicates=0).hosmer_lemeshow
    assert (found.degrees, found.statistic) == (5, pytest.approx(wanted))


def test_hosmer_lemeshow_where_nothing_can_surprise():
    wrong = cw.calibration([0, 1, 1, 0], [0.0, 0.0, 0.4, 0.6], groups=2, replicates=0)
    for found in (wrong.hosmer_lemeshow, wrong.joint):
        assert (found.statistic, found.p_value) == (math.inf, 0)
    sure = cw.calibration([0, 1], [0.0, 1.0], replicates=0)
    for name in ("hosmer_lemeshow", "joint_test"):
        assert "other than 0 and 1" in str(sure.reasons[name])
    assert sure.verdict.code == "no_sign_hardly_tested"


def test_smooth_gaps_are_those_of_the_smooth_curve():
    y, p = drawn(400, power=2)
    curve = cw.reliability(y, p, method="smooth")
    gap = np.sort(np.abs(np.interp(p, curve.p, curve.observed) - p))
    c = cw.calibration(y, p)
    assert c.ici == pytest.approx(gap.mean())
    assert c.e50 == pytest.approx((gap[199] + gap[200]) / 2)
    assert c.e90 == pytest.approx((gap[359] + gap[360]) / 2)


def test_counts_are_repetition():
    y, p = drawn(300)
    weight = np.random.default_rng(1).integers(1, 4, 300)
    repeated, weighted = (
        cw.calibration(y.repeat(weight), p.repeat(weight)),
        cw.calibration(y, p, weight=weight, weight_kind="count"),
    )
    once, twice = (dict(c.to_dict()) for c in (repeated, weighted))
    assert once == twice
    assert cw.calibration(cw.sweep(y, p, weight=weight, weight_kind="count")).to_dict() == twice


def test_fractional_weights_have_no_unit_and_equal_ones_no_effect():
    y, p = drawn(300)
    weight = np.random.default_rng(1).random(300) + 0.1
    one, other = cw.calibration(y, p, weight=weight), cw.calibration(y, p, weight=weight * 1e100)
    plain, half = cw.calibration(y, p), cw.calibration(y, p, weight=np.full(300, 0.5))
    for name in MEASURES:
        if name == "hosmer_lemeshow":
            assert "count equally" in str(one.reasons[name])
            continue
        a, b, c, d = (getattr(x, name) for x in (one, other, plain, half))
        for pair in ((a, b), (c, d)):
            values = [float(getattr(v, "statistic", v)) for v in pair]
            assert values[0] == pytest.approx(values[1], rel=1e-9), name
    assert (one.n, one.positives) == pytest.approx((weight.sum(), weight[y].sum()))
    assert one.slope.method == "robust-wald"
    assert half.squared_error == pytest.approx(plain.squared_error)
    assert half.observed_expected.low == pytest.approx(plain.observed_expected.low, rel=0.01)


def test_a_sweep_of_fractional_weights_says_what_it_has_forgotten():
    y, p = drawn(100)
    c = cw.calibration(cw.sweep(y, p, weight=np.full(100, 0.5)))
    assert c.slope.value == pytest.approx(cw.calibration(y, p).slope.value)
    assert math.isnan(c.slope.low)
    assert math.isnan(c.observed_expected.high)
    assert any("does not keep the rows" in str(note) for note in c.notes)
    assert "does not keep the rows" in str(c.reasons["spiegelhalter"])


def test_label_swap():
    y, p = drawn(200)
    c, turned = cw.calibration(y, p, binning="count"), cw.calibration(~y, 1 - p, binning="count")
    assert turned.slope.value == pytest.approx(c.slope.value)
    assert turned.intercept.value == pytest.approx(-c.intercept.value)
    assert turned.in_the_large.value == pytest.approx(-c.in_the_large.value)
    assert turned.spiegelhalter.statistic == pytest.approx(c.spiegelhalter.statistic)
    assert turned.ici == pytest.approx(c.ici, rel=0.02)  # up to where the curve is read


def test_a_recalibrated_set_has_slope_one():
    y, p = drawn(300, power=2)
    better = cw.recalibrate(y, p, method="platt", cv=None).apply(p)
    c = cw.calibration(y, better)
    assert (c.slope.value, c.intercept.value, c.in_the_large.value) == pytest.approx((1, 0, 0), abs=1e-9)
    assert c.observed_expected.value == pytest.approx(1)


@pytest.fixture(scope="module")
def perfect():
    """Return the calibration of 300 samples of 200 rows with perfect probabilities."""
    with pytest.MonkeyPatch.context() as patch:  # the smooth curve is not asked for, and takes most of the time
        patch.setattr(calibration, "smooth_gaps", lambda *_: SmoothGaps(0, 0, 0))
        return [cw.calibration(*drawn(200, seed), replicates=0) for seed in range(300)]


@pytest.mark.parametrize(
    ("measure", "truth"), [("in_the_large", 0), ("slope", 1), ("intercept", 0), ("observed_expected", 1)]
)
def test_intervals_hold_what_they_promise(perfect, measure, truth):
    ends = [(getattr(c, measure).low, getattr(c, measure).high) for c in perfect]
    cover = np.mean([low <= truth <= high for low, high in ends])
    assert 0.92 <= cover <= 0.985  # nominal 0.95, and two standard errors are 0.025


def test_what_perfect_probabilities_score(perfect):
    squared, ece = (np.array([getattr(c, k) for c in perfect]) for k in ("squared_error", "ece"))
    assert abs(squared.mean()) < 3 * squared.std() / math.sqrt(300)  # unbiased
    assert ece.min() > 0.01  # never 0, although the probabilities are perfect
    z = np.array([c.spiegelhalter.statistic for c in perfect])
    assert abs(z.mean()) < 0.2
    assert 0.85 < z.std() < 1.15
    # as many degrees of freedom as groups
    tests = [c.hosmer_lemeshow for c in perfect]
    assert np.mean([t.statistic - t.degrees for t in tests]) == pytest.approx(0, abs=1)
    # nominal 0.05, and two standard errors are 0.025
    for name in ("joint", "hosmer_lemeshow", "spiegelhalter"):
        assert 0.02 <= np.mean([getattr(c, name).p_value < 0.05 for c in perfect]) <= 0.08, name
    # level, slope and joint test together: about one sample in ten
    assert 0.04 <= np.mean([bool(c.signs) for c in perfect]) <= 0.16


def test_squared_error_of_a_known_miscalibration():
    # p² where p is right: E (p² - p)² = 1/30 for uniform p, up to what bins of a tenth hide
    rng = np.random.default_rng(5)
    p = rng.random(200_000)
    found = cw.calibration(rng.random(200_000) < p, p**2, binning="count", bins=50)
    assert found.squared_error == pytest.approx(1 / 30, rel=0.03)


def test_example_22_of_a_squared_probability():
    rng = np.random.default_rng(1)
    p = rng.beta(2, 2, 4000)
    y = rng.random(4000) < p
    right, wrong = cw.calibration(y, p), cw.calibration(y, p**2)
    assert right.slope.low < 1 < right.slope.high
    assert wrong.observed_expected.low > 1
    assert wrong.ici > 3 * right.ici
    assert cw.roc_auc(y, p) == cw.roc_auc(y, p**2)


def test_one_class_leaves_what_it_defines():
    c = cw.calibration([0, 0, 0, 0], [0.1, 0.1, 0.3, 0.3])
    assert (c.observed_expected.value, c.observed_expected.low) == (0, 0)
    assert c.observed_expected.high == pytest.approx(cw.rate_interval(0, 4)[1] * 4 / 0.8)
    assert c.ece == pytest.approx(0.2)
    assert math.isnan(c.slope.value)
    assert {f"calibration_{k}" for k in ("in_the_large", "slope", "intercept")} == set(c.reasons)
    nothing = cw.calibration([0, 0], [0.0, 0.0])
    assert "every probability is 0" in str(nothing.reasons["observed_expected"])


def test_certain_rows_are_counted_in_a_note():
    y, p = drawn(100)
    c = cw.calibration(np.append(y, [False, False]), np.append(p, [0.0, 0.0]))
    assert c.slope.value == cw.calibration(y, p).slope.value
    assert any(n.values == {"left_out": 2, "rows": 102} for n in c.notes if n.code == "certain_rows_left_out")
    wrong = cw.calibration(np.append(y, True), np.append(p, 0.0))
    why = wrong.reasons["calibration_slope"]
    assert (why.code, why.values) == ("certain_rows_wrong", {"wrong": 1, "rows": 101})
    assert "1 of 101 rows of probability 0 or 1 turned out otherwise" in str(why)
    assert wrong.ece > 0


def test_printed_and_written():
    y, p = drawn(200)
    c = cw.calibration(y, p)
    text = str(c)
    for name in MEASURES.values():
        assert name in text
    assert "ideal 1; below 1 probabilities are too extreme, above 1 too moderate" in text
    assert "chi-square, 4 degrees of freedom" in text
    assert str(c.verdict) in text
    assert "200 rows" in text
    assert len(c.table.to_frame("polars")) == len(MEASURES)
    assert "<table>" in c._repr_html_()
    data = json.loads(json.dumps(cw.calibration([0, 0], [0.1, 0.3]).to_dict(), allow_nan=False))
    assert data["slope"]["value"] is None
    assert "0 of 2 rows" in data["reasons"]["calibration_slope"]["text"]


@pytest.mark.parametrize(
    ("p", "words"),
    [
        ([-2.0, 3.0, 0.5, -1.0], "look like logits"),
        ([20.0, 30.0, 60.0, 90.0], "look like percentages"),
        ([0.1, float("nan"), 0.5, 0.9], "1 missing value"),
    ],
)
def test_what_is_no_probability_is_refused(p, words):
    with pytest.raises(cw.CurvewiseError, match=words):
        cw.calibration([0, 1, 0, 1], p)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"bins": 0}, "bins: expected"),
        ({"binning": "depth"}, "binning: expected one of"),
        ({"groups": 1}, "groups: expected"),
        ({"level": 1}, "level: expected"),
        ({"replicates": -1}, "replicates: expected"),
        ({"higher_is": "negative"}, "pass 1 - p"),
    ],
)
def test_options_are_checked(options, words):
    with pytest.raises(cw.CurvewiseError, match=words):
        cw.calibration([0, 1, 0], [0.1, 0.2, 0.3], **options)


def test_intervals_by_name_and_by_cluster():
    y, p = drawn(300)
    c = cw.calibration(y, p)
    for name, wanted in (
        ("calibration_slope", c.slope),
        ("calibration_intercept", c.intercept),
        ("calibration_in_the_large", c.in_the_large),
        ("observed_expected", c.observed_expected),
    ):
        found = cw.interval(name, y, p, rng=0, replicates=300)
        assert found.value == pytest.approx(wanted.value)
        assert found.high - found.low == pytest.approx(wanted.high - wanted.low, rel=0.3)
    # ten copies of a row say no more than one
    copies = np.repeat(np.arange(300), 10)
    alone = cw.interval("calibration_slope", y, p, rng=0, replicates=200)
    wide = cw.interval("calibration_slope", y[copies], p[copies], cluster=copies, rng=0, replicates=200)
    assert wide.high - wide.low == pytest.approx(alone.high - alone.low, rel=0.25)


@pytest.mark.parametrize(
    ("y", "p", "options"),
    [
        ([0, 0], [0.0, 0.0], {}),
        ([0, 1], [0.0, 1.0], {}),
        ([0, 1], [0.5, 0.5], {}),
        ([0, 1, 1], [0.0, 0.2, 0.0], {"weight": [1, 2, 0.5]}),
        ([0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4], {"cluster": [0, 0, 1, 1]}),
    ],
)
def test_reasons_are_said_in_both_languages(y, p, options):
    c = cw.calibration(y, p, **options)
    assert c.reasons
    for why in c.reasons.values():
        assert why.code != "undefined"
        assert why.text("zh") != why.text("en")
