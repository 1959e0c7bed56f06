"""Fairness: criteria, AUC within and between groups, thresholds by group, what excludes what."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import curvewise as cw
from curvewise.breakdown.criteria import implied_fpr
from curvewise.breakdown.cross_auc import cross
from curvewise.breakdown.partition import partition, ranked
from curvewise.core import kernel
from curvewise.rows.category import Category
from curvewise.rows.reading import read_rows
from strategies import labelled, weights

Y = np.array([1, 1, 0, 0, 1, 1, 0, 0])
S = np.array([9, 6, 4, 2, 8, 3, 5, 1])
G = np.array(list("aaaabbbb"))


def crossed(y, s, codes, **options):
    rows, names = read_rows(y, s, **options), tuple(map(str, range(int(max(codes)) + 1)))
    part = partition(rows, ranked(rows), Category("group", np.asarray(codes), names, names))
    return cross(part, part.sweeps())


def draw_codes(draw, n):
    found = draw.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    return np.unique(found, return_inverse=True)[1]


@given(labelled(), st.data(), st.sampled_from(["positive", "negative"]))
def test_pairs_are_counted_exactly_and_add_up(data, draw, higher_is):
    y, s = map(np.asarray, data)
    codes = draw_codes(draw, len(y))
    found = crossed(y, s, codes, higher_is=higher_is)
    sign = 1 if higher_is == "positive" else -1
    for g in range(len(found.names)):
        for h in range(len(found.names)):
            pos, neg = sign * s[y & (codes == g)], sign * s[~y & (codes == h)]
            wins = sum(2 * int(p > n) + int(p == n) for p in pos for n in neg)
            assert found.wins[g, h] == wins
            if len(pos) and len(neg):
                assert found.auc[g, h] == wins / (2 * len(pos) * len(neg))
            else:
                assert math.isnan(found.auc[g, h])
    # A·P·N = Σ P_g·N_h·A_gh, in whole numbers
    whole = cw.sweep(y, s, higher_is=higher_is)
    assert int(found.wins.sum()) == kernel.doubled_area(whole.tp, whole.fp)
    pairs = found._pairs()
    total = sum(Fraction(int(found.wins[g, h]), 2) for g in range(len(pairs)) for h in range(len(pairs)) if pairs[g, h])
    assert total / (whole.positives * whole.negatives) == Fraction(int(found.wins.sum()), 2 * int(pairs.sum()))
    assert found.pooled == cw.roc_auc(whole)


@given(labelled(), st.data())
def test_whole_weights_repeat_rows(data, draw):
    y, s = map(np.asarray, data)
    codes = draw_codes(draw, len(y))
    w = np.array(draw.draw(st.lists(weights, min_size=len(y), max_size=len(y))))
    one, many = crossed(y, s, codes, weight=w), crossed(*(np.repeat(v, w) for v in (y, s, codes)))
    assert (one.wins == many.wins).all()
    half = crossed(y, s, codes, weight=w / 4)
    np.testing.assert_allclose(half.wins * 16, one.wins)


def test_counts_beyond_64_bits_stay_exact():
    w = np.array([2**33, 2**33, 2**33 + 1, 3])
    found = crossed([1, 0, 1, 0], [4, 3, 2, 2], [0, 0, 1, 1], weight=w)
    assert found.wins.dtype == object
    assert found.wins.tolist() == [[2 * 2**66, 6 * 2**33], [0, 3 * (2**33 + 1)]]
    assert found.auc.tolist() == [[1, 1], [0, 0.5]]


def test_within_and_between():
    found = cw.fairness(Y, S, G, threshold=5).xauc
    assert found.auc.tolist() == [[1.0, 1.0], [0.75, 0.75]]
    assert (found.within, found.between, found.share_within) == (0.875, 0.875, 0.5)
    assert found.table.columns["negatives of a"] == [1.0, 0.75]
    e = found.estimate(1, 0, 0.95)
    other = cw.interval("roc_auc", [1, 1, 0, 0], [8, 3, 4, 2])
    assert (e.value, e.low, e.high) == (other.value, other.low, other.high)


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(7)
    n = 3000
    g = rng.choice(["x", "y"], n)
    p = np.clip(rng.beta(1.5, 4, n) + 0.1 * (g == "y"), 0.01, 0.99)
    return rng.random(n) < p, p, g


def test_criteria_are_gaps_of_metrics(data):
    y, p, g = data
    found = cw.fairness(y, p, g, threshold=0.4)
    by = cw.by_group(y, p, g, threshold=0.4)
    # eight criteria share the error; equalised odds is two of them
    wider = cw.by_group(y, p, g, threshold=0.4, level=1 - 0.05 / 8)
    for name, metric in (
        ("equal opportunity", "recall"),
        ("equal false alarms", "fpr"),
        ("demographic parity", "predicted_rate"),
        ("predictive parity", "precision"),
        ("false-omission parity", "false_omission_rate"),
        ("equal ranking", "roc_auc"),
    ):
        criterion = found.criterion(name)
        for gap, alone in ((criterion.gap, wider.gap(metric)), (criterion.ratio, wider.ratio(metric))):
            assert [gap.value, gap.low, gap.high] == pytest.approx([alone.value, alone.low, alone.high], rel=1e-12)
            assert (gap.level, gap.method) == (0.95, f"{alone.method}, Bonferroni")
        assert criterion.p_value == pytest.approx(min(8 * by.tests(metric).p_value, 1), rel=1e-6)
        assert (criterion.p_value < 0.05) == (criterion.gap.low > 0)
    odds = found.criterion("equalised odds").gap
    gaps = [found.criterion(name).gap for name in ("equal opportunity", "equal false alarms")]
    assert odds.value == max(e.value for e in gaps)
    assert odds.low <= max(e.low for e in gaps)
    assert odds.high >= max(e.high for e in gaps)
    assert odds.level == 0.95
    calibrated = found.criterion("calibration by group")
    ratios = [cw.calibration(y[g == k], p[g == k]).observed_expected for k in "xy"]
    assert calibrated.gap.value == pytest.approx(abs(ratios[0].value - ratios[1].value))
    group = found.groups.groups()[0].estimates["observed_expected"]
    assert (group.low, group.high) == (ratios[0].low, ratios[0].high)
    xauc = found.criterion("equal ranking between").gap
    assert xauc.value == abs(found.xauc.auc[0, 1] - found.xauc.auc[1, 0])
    assert xauc.low <= xauc.value <= xauc.high
    assert len(found.table) == 9


def test_fair_groups_are_rarely_said_to_be_unfair():
    """Two groups drawn alike: one criterion or another alone differs in .25 of such studies, prevalence in all."""
    rng = np.random.default_rng(8)
    unfair, clashes = 0, 0
    for _ in range(40):
        g, p = rng.integers(0, 2, 300), 1 / (1 + np.exp(1.5 - 1.5 * rng.normal(size=300)))
        found = cw.fairness(rng.random(300) < p, p, g, threshold=0.3)
        assert [c.gap.low > 0 for c in found.criteria[:-1]] == [c.p_value < 0.05 for c in found.criteria[:-1]]
        unfair += any(c.gap.low > 0 for c in found.criteria)
        clashes += any(n.code.startswith("criteria_clash") for n in found.notes)
    assert unfair <= 5
    assert clashes <= 5


def test_scores_that_are_no_probabilities_are_not_calibrated():
    found = cw.fairness(Y, S, G, threshold=5)
    assert "calibration by group" not in [c.name for c in found.criteria]
    assert any("calibration by group is not measured" in str(note) for note in found.notes)


def test_a_group_without_positives_makes_its_criteria_undefined():
    y = np.where(G == "b", 0, Y)
    found = cw.fairness(y, S, G, threshold=5)
    for name in ("equal opportunity", "equalised odds", "equal ranking", "equal ranking between"):
        assert math.isnan(found.criterion(name).gap.value), name
        assert found.criterion(name).gap.reason is not None
    assert found.criterion("demographic parity").gap.value == 0
    assert "equal opportunity is undefined: recall is undefined in b: no row is positive" in str(found)
    assert "xAUC between a and b needs both classes in each" in str(found)


def test_the_impossibility_is_said_where_it_applies():
    # 100 rows a group, prevalence 0.2 and 0.5; precision 0.8 and recall 0.8 in both
    y = np.repeat([1, 1, 0, 0, 1, 1, 0, 0], [16, 4, 4, 76, 40, 10, 10, 40])
    s = np.tile([1, 0, 1, 0], 2).repeat([16, 4, 4, 76, 40, 10, 10, 40])
    g = np.repeat(["a", "b"], 100)
    found = cw.fairness(y, s, g, threshold=1)
    assert found.criterion("equal opportunity").gap.value == pytest.approx(0)
    assert found.criterion("predictive parity").gap.value == pytest.approx(0)
    assert found.implied.columns["implied_fpr"] == pytest.approx([0.05, 0.2])
    assert found.implied.columns["fpr"] == pytest.approx([0.05, 0.2])
    assert "0.05 in a and 0.2 in b (Chouldechova 2017)" in str(found.notes[0])
    assert "Kleinberg" in str(found.notes[1])
    perfect = cw.fairness(y, y, g, threshold=1)
    assert perfect.implied is None
    assert not any("prevalence differs" in str(note) for note in perfect.notes)
    # who flags exactly the positives flags more where there are more of them
    assert {c.name for c in perfect.criteria if c.gap.value != 0} == {"demographic parity"}
    equal = cw.fairness(np.tile(y[:100], 2), np.tile(s[:100], 2), g, threshold=1)
    assert equal.implied is None
    beyond = cw.fairness(
        [1] * 9 + [0] + [1] + [0] * 9, [1] * 9 + [0] + [1] + [1] * 9, ["a"] * 10 + ["b"] * 10, threshold=1
    )
    assert beyond.notes[0].code == "criteria_clash_beyond"
    assert "above 1, so impossible" in str(beyond.notes[0])


def test_implied_fpr():
    assert implied_fpr(0.5, 0.5, 1) == 1
    assert implied_fpr(0.2, 1, 0.7) == 0
    assert math.isnan(implied_fpr(1, 0.5, 0.5))
    c = cw.Confusion(tp=30, fp=20, fn=20, tn=430)
    assert implied_fpr(c.prevalence, c.precision, c.recall) == pytest.approx(c.fpr)


def test_a_threshold_for_each_group(data):
    y, p, g = data
    found = cw.fairness(y, p, g, threshold=0.4).thresholds(cw.rules.min_recall(0.8))
    counts = dict.fromkeys(("tp", "fp", "fn", "tn"), 0)
    for k, row in zip("xy", found.table.rows(), strict=True):
        alone = cw.operating_point(y[g == k], p[g == k], cw.rules.min_recall(0.8), replicates=0)
        assert row["threshold"] == found.thresholds[k] == alone.threshold
        assert row["recall"] == alone.confusion.recall >= 0.8
        for cell in counts:
            counts[cell] += getattr(alone.confusion, cell)
    before, common, after = found.overall.rows()
    assert {k: after[k] for k in counts} == counts
    assert before["way"] == "one threshold 0.4"
    assert {k: before[k] for k in counts} == {k: getattr(cw.sweep(y, p).at(0.4), k) for k in counts}
    assert common["recall"] >= 0.8
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["rule"] == "min_recall(at=0.8)"
    assert "thresholds chosen on these data are optimistic" in str(found)
    assert "<table>" in found._repr_html_()


def test_a_rule_without_answer_in_a_group():
    y = np.where(G == "b", 0, Y)
    found = cw.fairness(y, S, G, threshold=5).thresholds(cw.rules.max_fpr(0.3))
    assert list(found.thresholds) == ["a"]
    assert found.table.columns["note"][1] == "no answer"
    assert str(found.notes[0]).startswith("b keeps the threshold 5: ")
    assert found.overall.rows()[-1]["fp"] == 2  # those of b, at the threshold it keeps


def test_several_columns_are_judged_by_their_combinations(data):
    y, p, g = data
    found = cw.fairness(y, p, {"g": g, "h": np.arange(len(y)) % 2}, threshold=0.4)
    assert found.column == "g, h"
    assert len(found.xauc.names) == 4
    assert found.criterion("equal ranking between").gap.method == "MOVER, Bonferroni"


def test_prints_and_travels(data):
    y, p, g = data
    found = cw.fairness(y, p, g, threshold=0.4)
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert told["criteria"][0]["criterion"] == "equal opportunity"
    assert told["implied_fpr"][0]["group"] == "x"
    for words in ("Fairness by group at threshold 0.4", "AUC within (diagonal)", "note: prevalence differs"):
        assert words in str(found)
    assert "<table>" in found._repr_html_()
    assert found.to_frame("polars").shape[0] == 9
    alone = cw.fairness(y, p, ["a"] * len(y), threshold=0.4)
    assert math.isnan(alone.criterion("equal ranking between").gap.value)
    with pytest.raises(cw.CurvewiseError, match="threshold: expected a number"):
        cw.fairness(y, p, g, threshold="high")


def test_fractional_weights_have_criteria(data):
    y, p, g = (v[:300] for v in data)
    found = cw.fairness(y, p, g, threshold=0.4, weight=np.linspace(0.5, 1.5, 300), rng=0, replicates=40)
    assert 0 <= found.criterion("equal opportunity").gap.value <= 1
    assert found.criterion("calibration by group").gap.value >= 0
    between = found.criterion("equal ranking between").gap
    assert between.value == abs(found.xauc.auc[0, 1] - found.xauc.auc[1, 0])
    assert between.low <= between.value <= between.high


def test_a_criterion_is_named_by_the_nearest_or_by_all(data):
    y, p, g = data
    found = cw.fairness(y, p, g, threshold=0.4)
    with pytest.raises(cw.CurvewiseError, match=r"did you mean 'equal opportunity'\?"):
        found.criterion("equal opportunty")
    with pytest.raises(cw.CurvewiseError, match=r"'equal opportunity' or .*'demographic parity'"):
        found.criterion("zzz")


def test_a_limit_guaranteed_in_each_group_and_in_all_together():
    rng = np.random.default_rng(4)
    group = np.repeat(["a", "b"], [600, 400])
    y = (rng.random(1000) < 0.4).astype(int)
    score = rng.normal(size=1000) + 1.5 * y
    cluster = np.arange(1000) // 2
    for more in ({}, {"cluster": cluster}):
        found = cw.fairness(y, score, group, threshold=1, **more)
        each = found.thresholds(cw.rules.max_fpr(0.1, confidence=0.95))
        both = found.thresholds(cw.rules.max_fpr(0.1, confidence=0.95), together=True)
        for k, name in enumerate("ab"):
            on = group == name
            rows = {k: v[on] for k, v in more.items()}
            for confidence, chosen in ((0.95, each), (0.975, both)):
                rule = cw.rules.max_fpr(0.1, confidence=confidence)
                alone = cw.operating_point(y[on], score[on], rule, replicates=0, **rows)
                assert chosen.thresholds[name] == alone.threshold
            assert both.thresholds[name] > each.thresholds[name]
        assert "the limit is guaranteed with 95% confidence in each of 2 groups, and in all of them" in str(each)
        assert "together with at least 90%" in str(each)
        assert "97.5% confidence in each of 2 groups, and in all of them together with at least 95%" in str(both)
    with pytest.raises(cw.OptionError, match="together: the rule has no confidence"):
        found.thresholds(cw.rules.max_fpr(0.1), together=True)
