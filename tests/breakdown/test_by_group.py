"""Metrics by group: the library's own numbers, undefined cells, gaps, ratios, tests of equality."""

import json
import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2, chi2_contingency, norm, studentized_range

import curvewise as cw
from curvewise.breakdown.group_gaps import expected_spread, p_of_range, range_level
from curvewise.breakdown.pair_ends import difference_ends, farthest, ratio_ends
from strategies import labelled

Y = np.array([1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0])
S = np.array([9, 6, 4, 2, 8, 3, 5, 1, 7, 5, 2])
G = np.array(list("aaaabbbbccc"))


@pytest.fixture(scope="module")
def large():
    rng = np.random.default_rng(1)
    n = 1500
    g = rng.choice(["a", "b", "c"], n, p=[0.5, 0.3, 0.2])
    y = rng.random(n) < np.where(g == "a", 0.3, 0.5)
    s = rng.normal(size=n) + 1.2 * y + 0.3 * (g == "b")
    return y, s, g


def test_every_number_is_the_librarys(large):
    y, s, g = large
    found = cw.by_group(y, s, g, threshold=0.8, level=0.9)
    assert [x.name for x in found.groups()] == ["a", "b", "c"]
    for group in found.groups():
        on = g == group.name
        assert group.sweep == cw.sweep(y[on], s[on])
        assert group.estimates["roc_auc"] == cw.interval("roc_auc", y[on], s[on], level=0.9)
        for metric in found.metrics[1:]:
            assert group.estimates[metric] == cw.interval(metric, y[on], s[on], threshold=0.8, level=0.9)
    assert found.overall.sweep == cw.sweep(y, s)
    assert found.overall.estimates["recall"] == cw.interval("recall", y, s, threshold=0.8, level=0.9)


def test_undefined_cells_have_reasons_and_so_have_gaps():
    found = cw.by_group(Y, S, G, threshold=5)
    c = found.groups()[2]
    assert math.isnan(c.estimates["roc_auc"].value)
    assert str(c.why("recall")) == "no row is positive"
    assert "0 of 3 rows are positive" in str(c.why("roc_auc"))
    assert c.estimates["fpr"].value == 2 / 3
    for metric in ("recall", "roc_auc"):
        for number in (found.gap(metric), found.ratio(metric), found.gap(metric, reference="a")):
            assert math.isnan(number.value)
            assert math.isnan(number.low)
            assert f"{metric} is undefined in c" in str(number.reason)
            assert number.reason.code == "undefined_in"
    assert found.gap("fpr").value == 2 / 3
    assert "note: recall is undefined or has no interval in c: no row is positive" in str(found)
    nothing = cw.by_group(Y, S, G, threshold=100, metrics=["precision"])
    assert str(nothing.groups()[0].why("precision")) == "no row is flagged"


def test_a_perfect_classifier_has_no_gap():
    y = np.array([1, 0, 1, 0, 1, 1, 0, 0, 1, 1])
    g = ["a", "a", "b", "b", "b", "a", "a", "b", "only positives", "only positives"]
    found = cw.by_group(y, y.astype(float), g, threshold=0.5, metrics=["recall", "precision", "accuracy"])
    for metric in found.metrics:
        assert found.gap(metric).value == 0
        assert found.ratio(metric).value == 1
        assert found.tests(metric).p_value == 1
    both = cw.by_group(y, y.astype(float), g, threshold=0.5)
    assert math.isnan(both.gap("fpr").value)
    assert math.isnan(both.gap("roc_auc").value)


def test_small_groups_are_flagged_not_hidden():
    found = cw.by_group(Y, S, G)
    assert [x.is_small for x in found.groups()] == [True] * 3
    assert [str(x.notes[0]) for x in found.groups()] == [
        "small: 2 positive rows",
        "small: 2 positive rows",
        "small: 0 positive rows",
    ]
    two = cw.by_group(Y[:8], S[:8], G[:8])
    assert "small groups: a, b" in map(str, two.gap("roc_auc").notes)


def test_an_interval_may_be_undefined_where_the_value_is_not():
    found = cw.by_group([1, 0, 0, 1, 1, 0, 0], [3, 2, 1, 5, 4, 3, 2], list("aaabbbb"))
    a = found.groups()[0].estimates["roc_auc"]
    assert (a.value, a.method, a.has_interval) == (1.0, None, False)
    assert "at least two rows of each class" in str(a.reason)
    gap = found.gap("roc_auc")
    assert gap.value == 0
    assert math.isnan(gap.low)
    assert "one group has no interval" in str(gap.reason)


def test_missing_groups_are_a_row():
    found = cw.by_group(Y, S, [None if g == "b" else g for g in G])
    assert [x.name for x in found.groups()] == ["a", "c", "(missing)"]
    assert found.groups()[2].label is None
    assert found.groups()[2].sweep == cw.sweep(Y[G == "b"], S[G == "b"])


def test_several_columns_and_their_combinations(large):
    y, s, g = large
    other = np.arange(len(y)) % 2
    found = cw.by_group(y, s, {"g": g, "half": other}, threshold=0.5, metrics=["recall"])
    assert list(found.breakdowns) == ["g", "half", "g, half"]
    assert len(found.groups("g, half")) == 6
    on = (g == "b") & (other == 1)
    assert found.groups("g, half")[3].sweep == cw.sweep(y[on], s[on])
    assert found.groups("g, half")[3].label == ("b", 1)
    with pytest.raises(cw.CurvewiseError, match="column: expected one of 'g', 'half', 'g, half', got None"):
        found.gap("recall")
    assert found.gap("recall", column="half").value >= 0
    frame = found.to_frame("polars")
    assert frame.shape == (1 + 3 + 2 + 6, 10)
    assert found.wide.columns["column"][:2] == ["", "g"]
    table = pl.DataFrame({"g": g, "half": other})
    assert cw.by_group(y, s, table, threshold=0.5, metrics=["recall"]).table == found.table


def test_metrics_by_name_by_function_and_resampled(large):
    y, s, g = large

    def low_fpr(sweep):
        return cw.partial_roc_auc(sweep, fpr=(0, 0.1))

    options = {"metrics": ["average_precision", low_fpr], "rng": 3, "replicates": 60}
    found, again = (cw.by_group(y, s, g, **options) for _ in range(2))
    assert found.metrics == ("average_precision", "low_fpr")
    assert found.table == again.table
    a = found.groups()[0].estimates["average_precision"]
    assert a.value == cw.average_precision(y[g == "a"], s[g == "a"])
    assert found.groups()[0].estimates["low_fpr"].replicates == 60
    assert a.low < a.value < a.high
    gap = found.gap("average_precision", reference="a")
    assert gap == again.gap("average_precision", reference="a")
    assert gap.low < gap.value < gap.high
    assert found.gap("average_precision", reference="rest") == again.gap("average_precision", reference="rest")
    assert found.tests("low_fpr").method == "MOVER"
    assert cw.by_group(y, s, g, metrics="roc_auc").metrics == ("roc_auc",)


def test_weights_mean_repetition_and_fractions_are_resampled(large):
    y, s, g = (v[:200] for v in large)
    w = np.arange(200) % 3
    some, many = (
        cw.by_group(y, s, g, weight=w, weight_kind="count", threshold=0.5),
        cw.by_group(*(np.repeat(v, w) for v in (y, s, g)), threshold=0.5),
    )
    assert some.table == many.table
    assert some.gap("recall") == many.gap("recall")
    half = cw.by_group(y, s, g, weight=w * 0.37, threshold=0.5, rng=0, replicates=80)
    for one, other in zip(half.groups(), some.groups(), strict=True):
        for metric in half.metrics:
            assert one.estimates[metric].value == pytest.approx(other.estimates[metric].value)
    assert all(one.estimates["recall"].high > one.estimates["recall"].low for one in half.groups())
    assert half.gap("recall", reference="rest").low < half.gap("recall", reference="rest").high


def test_gap_of_two_rates_is_newcombes():
    # Newcombe (1998), Statist. Med. 17:873-890, Table II, method 10: 56/70 - 48/80 gives 0.0524 to 0.3339
    y = np.ones(150, dtype=int)
    s = np.concatenate([np.repeat([1, 0], [56, 14]), np.repeat([1, 0], [48, 32])])
    g = np.repeat(["first", "second"], [70, 80])
    found = cw.by_group(y, s, g, threshold=1, metrics=["recall"])
    gap = found.gap("recall")
    assert gap.value == pytest.approx(0.2)
    assert (gap.low, gap.high) == pytest.approx((0.0524, 0.3339), abs=5e-5)
    turned = found.gap("recall", reference="first")
    assert (turned.value, turned.low, turned.high) == pytest.approx((-gap.value, -gap.high, -gap.low))
    assert str(turned.notes[0]) == "second 0.6 minus first 0.8"
    rest = found.gap("recall", reference="rest")
    assert abs(rest.value) == pytest.approx(0.2)
    assert rest.high - rest.low == pytest.approx(gap.high - gap.low)


def test_ratio_of_two_groups(large):
    y, s, g = large
    found = cw.by_group(y, s, np.where(g == "a", "a", "b"), threshold=0.8, metrics=["fpr"])
    values = [x.estimates["fpr"].value for x in found.groups()]
    ratio = found.ratio("fpr")
    assert ratio.value == min(values) / max(values)
    assert 0 < ratio.low < ratio.value < ratio.high <= 1
    against = found.ratio("fpr", reference="a")
    assert against.value == values[1] / values[0]
    # close to the log-scale Wald interval, which needs large counts
    counts = [x.sweep.at(0.8) for x in found.groups()]
    error = math.sqrt(sum(1 / c.fp - 1 / (c.fp + c.tn) for c in counts))
    wald = [against.value * math.exp(z * error) for z in (-1.96, 1.96)]
    assert [against.low, against.high] == pytest.approx(wald, rel=0.03)


@given(st.tuples(*[st.floats(0.01, 0.99)] * 4), st.floats(0.001, 0.3))
def test_mover_laws(points, half):
    a, b = points[:2]
    of_a, of_b = (max(a - half, 0), min(a + half, 1)), (max(b - half, 0), min(b + half, 1))
    low, high = difference_ends(np.array(a), of_a, np.array(b), of_b, 0.0)
    assert low <= a - b <= high
    back = difference_ends(np.array(b), of_b, np.array(a), of_a, 0.0)
    assert (float(-back[1]), float(-back[0])) == pytest.approx((float(low), float(high)))
    low, high = ratio_ends(np.array(a), of_a, np.array(b), of_b, 0.0)
    assert low <= a / b * (1 + 1e-9)
    assert high >= a / b * (1 - 1e-9)
    exact = ratio_ends(np.array(a), (a, a), np.array(b), (b, b), 0.0)
    assert [float(v) for v in exact] == pytest.approx([a / b] * 2, rel=1e-5)


def test_ratio_at_the_edges():
    low, high = ratio_ends(np.array(0.0), (0.0, 0.1), np.array(0.5), (0.4, 0.6), 0.0)
    assert low == 0
    assert 0.1 / 0.6 < high < 0.1 / 0.3
    assert ratio_ends(np.array(0.5), (0.4, 0.6), np.array(0.1), (0.0, 0.3), 0.0)[1] == math.inf
    none = cw.by_group([0, 0, 0, 0, 1, 1], [1, 1, 1, 1, 1, 1], list("aabbab"), threshold=5, metrics=["fpr"])
    assert none.gap("fpr").value == 0
    assert "0 in every group" in str(none.ratio("fpr").reason)
    assert "is 0 in a" in str(none.ratio("fpr", reference="a").reason)
    signed = cw.by_group(Y[:8], S[:8], G[:8], threshold=5, metrics=["mcc"], rng=0, replicates=20)
    assert signed.gap("mcc").value >= 0
    worse = cw.by_group(1 - Y[:8], S[:8], G[:8], threshold=5, metrics=["mcc"], rng=0, replicates=20)
    assert "values of at least 0" in str(worse.ratio("mcc").reason)


@pytest.mark.parametrize("k", [2, 3, 7, 20])
def test_the_widest_of_all_pairs_uses_the_studentised_range(k):
    z = norm.ppf((1 + range_level(k, 0.95)) / 2)
    assert z * math.sqrt(2) == pytest.approx(studentized_range.ppf(0.95, k, np.inf), rel=1e-6)


def test_expected_spread():
    assert expected_spread(np.ones(2)) == pytest.approx(2 / math.sqrt(math.pi), rel=1e-4)
    errors = np.array([1, 2, 0.5, 1])
    drawn = np.random.default_rng(0).normal(size=(100_000, 4)) * errors
    assert expected_spread(errors) == pytest.approx(np.mean(np.ptp(drawn, axis=1)), rel=0.01)
    assert expected_spread(np.zeros(3)) == 0


def test_gap_of_three_groups_holds_for_all_pairs(large):
    y, s, g = large
    found = cw.by_group(y, s, g, threshold=0.8)
    gap = found.gap("recall")
    values = {x.name: x.estimates["recall"].value for x in found.groups()}
    assert gap.value == max(values.values()) - min(values.values())
    assert gap.method == "MOVER, studentised range"
    assert "if all 3 groups were equal, chance alone would spread them by about" in str(gap.notes[1])
    largest, smallest = max(values, key=values.get), min(values, key=values.get)
    pair = next(p for p in found.tests("recall").pairs if {p.first, p.second} == {largest, smallest})
    assert gap.high > max(pair.difference.high, -pair.difference.low)  # wider: the pair was picked
    against = found.gap("recall", reference=smallest)
    assert against.value == gap.value
    assert against.method == "MOVER, Bonferroni"


def test_rest(large):
    y, s, g = large
    found = cw.by_group(y, s, g, threshold=0.8)
    away = {}
    for name in "abc":
        on = g == name
        away[name] = cw.roc_auc(y[on], s[on]) - cw.roc_auc(y[~on], s[~on])
    gap = found.gap("roc_auc", reference="rest")
    assert gap.value == pytest.approx(max(away.values(), key=abs), abs=1e-15)
    assert gap.low < gap.value < gap.high
    ratio = found.ratio("recall", reference="rest")
    assert ratio.low < ratio.value < ratio.high
    with pytest.raises(cw.CurvewiseError, match="itself called 'rest'"):
        cw.by_group(Y, S, np.where(G == "a", "rest", "b")).gap("roc_auc", reference="rest")


@pytest.mark.parametrize("groups", [2, 3])
def test_a_test_of_groups_is_the_other_side_of_their_interval(groups):
    """p < 1 - level exactly where the gap's interval excludes 0, and p is the same at any level."""
    rng = np.random.default_rng(groups)
    for lift in (0, 1, 2):
        g = rng.integers(0, groups, 120)
        y = rng.random(120) < 0.3
        s = rng.normal(size=120) + y + lift * (g == 0) * y
        p_values = []
        for level in (0.8, 0.95, 0.99):
            found = cw.by_group(y, s, g, threshold=0.5, metrics=["roc_auc", "recall"], level=level)
            gaps = found.gaps()
            p_values.append(gaps.columns["p_equal"])
            assert [p < 1 - level for p in p_values[-1]] == [low > 0 for low in gaps.columns["low"]]
            test = found.tests("recall")
            assert test.p_value == p_values[-1][1]
            for pair in test.pairs:
                ends = pair.difference.low, pair.difference.high
                assert (pair.p_value < 1 - level) == (ends[0] > 0 or ends[1] < 0)
        assert p_values[0] == pytest.approx(p_values[1], rel=1e-6)
        assert p_values[2] == pytest.approx(p_values[1], rel=1e-6)


def test_a_test_of_large_groups_is_that_of_their_standard_errors(large):
    y, s, g = large
    found = cw.by_group(y, s, g, threshold=0.8)
    cells = [(c.tp, c.fn) for c in (x.sweep.at(0.8) for x in found.groups())]
    rates = found.tests("recall")
    # Newcombe's interval of two rates and Pearson's test are nearly two sides of one thing
    assert rates.pairs[0].statistic ** 2 == pytest.approx(
        chi2_contingency(cells[:2], correction=False).statistic, rel=0.05
    )
    assert rates.omnibus[:2] == (pytest.approx(chi2.isf(rates.p_value, 2)), 2.0)
    plain = sorted(p.p_value for p in rates.pairs)
    assert min(p.p_holm for p in rates.pairs) == pytest.approx(min(3 * plain[0], 1))
    first, second = (x.estimates["roc_auc"] for x in found.groups()[:2])
    z = (first.value - second.value) / math.hypot(first.standard_error, second.standard_error)
    assert found.tests("roc_auc").pairs[0].statistic == pytest.approx(z, rel=0.1)


def test_equal_ranking_keeps_its_size_with_a_dozen_positives_per_group():
    """Eight equal groups of 12 positives, whose spread differs: Cochran's Q rejected .144 of such studies."""
    rng = np.random.default_rng(4)
    y, g = np.tile(np.repeat([1, 0], [12, 60]), 8), np.repeat(np.arange(8), 72)
    studies = (rng.normal(size=len(y)) * np.where(y, 1.5, 1) + y for _ in range(60))
    rejected = sum(cw.by_group(y, s, g).tests("roc_auc").p_value < 0.05 for s in studies)
    assert rejected <= 6


def test_tests_leave_out_what_is_undefined():
    found = cw.by_group(Y, S, G, threshold=5)
    test = found.tests("recall")
    assert list(test.values) == ["a", "b"]
    assert "left out: c (no row is positive)" in map(str, test.notes)
    with pytest.raises(cw.UndefinedMetricError, match="needs two groups that define it, got 1 of group"):
        cw.by_group(Y[4:], S[4:], G[4:], threshold=5).tests("recall")
    # perfect separation has no variance, but an interval
    perfect = cw.by_group([1, 1, 0, 0] * 2, [4, 3, 2, 1] * 2, list("aaaabbbb"))
    assert perfect.tests("roc_auc").p_value == 1


def test_one_group_has_no_gap():
    found = cw.by_group(Y, S, ["a"] * len(Y))
    assert math.isnan(found.gap("roc_auc").value)
    assert "only one group" in str(found.gap("roc_auc").reason)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda: cw.by_group(Y, S, G, metrics=["recall"]),
            "recall is a number at a threshold: pass threshold=",
        ),
        (lambda: cw.by_group(Y, S, G, metrics=[]), "metrics: expected at least one"),
        (lambda: cw.by_group(Y, S, G, metrics=["roc_auc", "roc_auc"]), "named twice"),
        (
            lambda: cw.by_group(Y, S, G, metrics=["nonsense"]),
            "metric: there is no metric 'nonsense'",
        ),
        (lambda: cw.by_group(Y, S, G, level=1), "level: expected"),
        (lambda: cw.by_group(Y, S, G, replicates=0), "replicates: expected"),
        (
            lambda: cw.by_group(Y, S, G).gap("recall"),
            "metric: expected one of roc_auc, got 'recall'; ask for",
        ),
        (
            lambda: cw.by_group(Y, S, G).gap("roc_auc", reference="z"),
            r"a group of group \(a, b, c\), got 'z'",
        ),
        (lambda: cw.by_group(Y, S, G).gap("roc_auc", column="sex"), "column: expected one of 'group'"),
        (lambda: cw.by_group(Y, S, G, metrics=["observed_expected"]), "expected probabilities from 0 to 1"),
    ],
)
def test_refusals(call, words):
    with pytest.raises(cw.CurvewiseError, match=words):
        call()


def test_prints_and_travels():
    found = cw.by_group(Y, S, np.where(G == "a", "<b>&", G), threshold=5)
    assert "<b>&" in str(found)
    assert "&lt;b&gt;&amp;" in found._repr_html_()
    data = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert [g["group"] for g in data["groups"]] == ["(all)", "<b>&", "b", "c"]
    assert data["groups"][3]["metrics"]["recall"]["value"] is None
    assert data["gaps"]["group"][1]["gap"] is None
    assert found.gaps().columns["metric"] == list(found.metrics)
    assert math.isnan(found.gaps().columns["p_equal"][1])
    assert "(all)" in found.table.columns["group"]


@given(labelled(min_size=6), st.randoms(use_true_random=False))
def test_order_of_rows_does_not_matter(data, shuffle):
    y, s = data
    g = ["a", "b"] * (len(y) // 2) + ["a"] * (len(y) % 2)
    order = list(range(len(y)))
    shuffle.shuffle(order)
    one = cw.by_group(y, s, g, threshold=0.5)
    two = cw.by_group(*([v[k] for k in order] for v in (y, s, g)), threshold=0.5)
    assert str(one.table) == str(two.table)


@pytest.mark.parametrize("metric", ["recall", "roc_auc"])
def test_the_gap_of_five_equal_groups_is_covered(metric):
    """Under equality the interval of the widest gap holds 0 at about its level (400 draws: 0.94 to 0.97)."""
    rng = np.random.default_rng(2)
    y = np.tile(np.repeat([0, 1], 50), 5)
    g = np.repeat(np.arange(5), 100)
    covered = 0
    for _ in range(120):
        s = rng.normal(size=500) + 1.5 * y
        covered += cw.by_group(y, s, g, threshold=1.0, metrics=[metric]).gap(metric).low == 0
    assert covered / 120 >= 0.9


def test_arms_of_a_difference_by_hand():
    """Both arms are 0.3 and 0.4 long: a right angle between them gives 0.5, their direction the difference."""
    a, b, of_a, of_b = np.array(0.9), np.array(0.2), (0.6, 1.3), (-0.1, 0.6)
    for r, low, high in ((0.0, 0.5, 0.5), (1.0, 0.1, 0.1), (-1.0, 0.7, 0.7), (0.5, math.sqrt(0.13), math.sqrt(0.13))):
        found = difference_ends(a, of_a, b, of_b, r)
        assert found == (pytest.approx(0.7 - low), pytest.approx(0.7 + high))


def test_only_a_range_of_three_differences_says_what_chance_spreads():
    rng = np.random.default_rng(0)
    y = rng.random(300) < 0.4
    score = rng.normal(size=300) + y

    def told(groups, verb="gap", **options):
        found = cw.by_group(y, score, {"g": np.arange(300) % groups})
        return "chance_spread" in [n.code for n in getattr(found, verb)("roc_auc", **options).notes]

    assert told(3)
    assert not told(2)
    assert not told(3, "ratio")
    assert not told(3, reference="rest")


@pytest.mark.parametrize("r", [-0.4, 0.0, 0.5])
def test_the_farthest_pair_by_hand(r):
    """Arms of 0.3 and 0.4 towards each other: a difference of 0.5 is once √(0.25 - 2r·0.12), 1 without correlation."""
    value, low, high = np.array([[0.9, 0.4, 0.65], [0.6, 0.0, 0.0], [1.0, 0.8, 1.0]])
    together = np.eye(3)
    together[0, 1] = together[1, 0] = r
    two = [each[:2] for each in (value, low, high)]
    assert farthest(*two, together[:2, :2]) == pytest.approx(0.5 / math.sqrt(0.25 - 0.24 * r))
    assert farthest(*two, None) == pytest.approx(1)
    # a third with wide arms in between is never the farthest
    assert farthest(value, low, high, None) == pytest.approx(1)
    assert farthest(value[[1, 1]], low[[1, 1]], high[[1, 1]], None) == 0


@pytest.mark.parametrize("k", [2, 3, 20])
def test_the_p_value_of_a_range_keeps_its_digits(k):
    for reach in (0.5, 2.0, 4.0):
        wanted = studentized_range.sf(math.sqrt(2) * reach, k, np.inf)
        assert p_of_range(reach, k) == pytest.approx(wanted, rel=1e-6)
    assert p_of_range(0.0, k) == pytest.approx(1)
    # far out the pairs exclude each other: their p-values add
    assert p_of_range(20.0, k) == pytest.approx(k * (k - 1) * norm.sf(20.0), rel=0.05)
    assert p_of_range(1e5, k) > 0


def test_groups_without_any_error_are_equal_or_not_to_be_tested():
    def of(*values):
        return farthest(*np.array([values] * 3), None)

    assert of(0.5, 0.5) == 0
    with pytest.raises(cw.UndefinedMetricError, match="needs standard errors above 0"):
        of(0.5, 0.7)


def test_only_several_groups_have_gaps_to_describe():
    def codes(group):
        found = cw.by_group([0, 1, 0, 1], [1, 2, 3, 4], group)
        return [part.code for part in found.parts() if isinstance(part, cw.Note)]

    assert "gaps_describe" in codes([0, 0, 1, 1])
    assert "gaps_describe" not in codes([0, 0, 0, 0])


@pytest.mark.parametrize("r", [-0.5, 0.0, 0.6])
def test_a_ratio_turned_round_has_its_ends_turned_round(r):
    a, b, of_a, of_b = np.array(0.6), np.array(0.4), (0.45, 0.7), (0.32, 0.5)
    low, high = ratio_ends(a, of_a, b, of_b, r)
    least, most = ratio_ends(b, of_b, a, of_a, r)
    assert (float(low), float(high)) == pytest.approx((1 / float(most), 1 / float(least)))
    assert low < 1.5 < high
    # an error of one side alone is that of its end
    assert ratio_ends(a, of_a, b, (0.4, 0.4), r) == (pytest.approx(0.45 / 0.4), pytest.approx(0.7 / 0.4))
