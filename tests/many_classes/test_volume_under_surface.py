"""Three ordered classes: against all triples one by one, in fractions, and against what two classes give."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import curvewise as cw
from curvewise.many_classes.volume_under_surface import Blocks, blocks_of

ORDER = ["low", "mid", "high"]


def in_order(a, b, c):
    """Return the share of the six orders of three scores, ties broken at random, that is the right one."""
    if a > b or b > c:
        return Fraction(0)
    return Fraction(1, 6) if a == b == c else Fraction(1, 2) if b in (a, c) else Fraction(1)


def brute(low, mid, high, weights=None):
    weights = weights or ([1] * len(low), [1] * len(mid), [1] * len(high))
    total = Fraction(0)
    for (a, u), (b, v), (c, w) in product(
        *(zip(s, k, strict=True) for s, k in zip((low, mid, high), weights, strict=True))
    ):
        total += in_order(a, b, c) * u * v * w
    return total / (sum(weights[0]) * sum(weights[1]) * sum(weights[2]))


def volume(low, mid, high, **options):
    y = ["low"] * len(low) + ["mid"] * len(mid) + ["high"] * len(high)
    return cw.volume_under_surface(y, [*low, *mid, *high], order=ORDER, **options)


few = st.lists(st.integers(0, 4), min_size=1, max_size=5)


@given(few, few, few)
def test_the_volume_is_that_of_all_triples_to_the_last_bit(low, mid, high):
    assert float(volume(low, mid, high)) == float(brute(low, mid, high))


@given(few, few, few)
def test_placements_of_each_class_average_to_the_volume(low, mid, high):
    label = np.repeat([0, 1, 2], [len(low), len(mid), len(high)])
    blocks = blocks_of(np.array([*low, *mid, *high]), label, None, rising=True)
    placed = blocks.placements(label)
    wanted = float(brute(low, mid, high))
    assert [placed[label == k].mean() for k in range(3)] == pytest.approx([wanted] * 3)


def test_by_hand():
    # 3 x 2 x 2 = 12 triples: mid 2 has one low row below it and both high rows above (2 in order), and low 2 beside
    # it (2 times 1/2); mid 5 has all three low rows below it, one high row above and one tied with it: 3 + 3/2
    found = volume([1, 2, 4], [2, 5], [5, 7])
    assert float(found) == pytest.approx((2 + 1 + 3 + 1.5) / 12)


def test_chance_is_one_sixth_and_order_is_one():
    assert float(volume([1] * 4, [1] * 5, [1] * 6)) == pytest.approx(1 / 6)
    perfect = volume(range(10), range(10, 20), range(20, 30)).estimate
    assert (perfect.value, perfect.high) == (1.0, 1.0)
    assert perfect.low == pytest.approx(0.025 ** (1 / 10))
    assert perfect.notes[0].code == "separated"
    assert float(volume(range(20, 30), range(10, 20), range(10))) == 0


def test_with_the_highest_class_far_away_it_is_the_auc_of_the_others_with_delongs_variance():
    rng = np.random.default_rng(0)
    low, mid = rng.normal(size=30), rng.normal(0.8, size=25)
    found = volume(low, mid, np.full(20, 99.0)).estimate
    two = cw.interval("roc_auc", [0] * 30 + [1] * 25, [*low, *mid])
    assert (found.value, found.standard_error) == pytest.approx((two.value, two.standard_error))


def test_the_variance_is_that_of_the_jackknife_of_each_class():
    # Nakas & Yiannoutsos (2004): for a U-statistic leaving out rows one by one gives its placements' variance
    rng = np.random.default_rng(1)
    scores = [np.round(rng.normal(k, size=n), 1) for k, n in enumerate((12, 15, 9))]
    found = volume(*scores).estimate
    total = 0.0
    for k, own in enumerate(scores):
        n = len(own)
        left = [float(volume(*(np.delete(s, i) if j == k else s for j, s in enumerate(scores)))) for i in range(n)]
        total += (n - 1) / n * np.sum((left - np.mean(left)) ** 2)
    assert found.standard_error == pytest.approx(np.sqrt(total))


def test_weights_are_rows_repeated_and_clusters_count_once():
    rng = np.random.default_rng(2)
    scores = [np.round(rng.normal(k, size=8), 1) for k in range(3)]
    times = rng.integers(1, 4, 24)
    weights = [times[:8].tolist(), times[8:16].tolist(), times[16:].tolist()]
    exact = brute(*(s.tolist() for s in scores), weights)
    counted = volume(*scores, weight=times, weight_kind="count").estimate
    repeated = volume(*(np.repeat(s, w) for s, w in zip(scores, weights, strict=True))).estimate
    assert counted.value == float(exact)
    assert (counted.low, counted.high) == pytest.approx((repeated.low, repeated.high))
    assert volume(*scores, weight=times / 7).estimate.value == pytest.approx(float(exact))
    plain = volume(*scores).estimate
    halves = volume(*scores, weight=np.full(24, 0.5)).estimate
    assert (halves.low, halves.high) == pytest.approx((plain.low, plain.high))
    twice = volume(*(np.repeat(s, 2) for s in scores), cluster=np.repeat(np.arange(24), 2)).estimate
    once = volume(*scores, cluster=np.arange(24)).estimate
    assert (twice.low, twice.high) == pytest.approx((once.low, once.high))
    assert once.standard_error == pytest.approx(plain.standard_error, rel=0.06)


def test_counts_beyond_64_bits_stay_exact():
    count = np.array([[10**7, 0, 1], [0, 10**7, 0], [0, 0, 10**7]])
    found = Blocks(count, np.zeros(0, dtype=int)).volume()
    assert found == float(Fraction(10**7, 10**7 + 1))


def test_two_scores_on_the_same_rows_are_compared_by_row():
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1, 2], 40)
    good, poor = y + rng.normal(size=120), 0.5 * y + rng.normal(size=120)
    found = cw.volume_under_surface(y, {"good": good, "poor": poor})
    assert found.difference.value == pytest.approx(found.estimates["good"].value - found.estimates["poor"].value)
    edge = cw.volume_under_surface(y, {"good": good, "poor": poor}, level=1 - found.pairs[0].p_value)
    assert edge.difference.low == pytest.approx(0, abs=1e-12)
    same = cw.volume_under_surface(y, {"a": good, "b": 3 * good + 1})
    assert (same.pairs[0].statistic, same.pairs[0].p_value) == (0.0, 1.0)
    three = cw.volume_under_surface(y, {"a": good, "b": poor, "c": y})
    assert len(three.pairs) == 3
    with pytest.raises(cw.CurvewiseError, match="3 scores have 3 differences"):
        three.difference  # noqa: B018
    with pytest.raises(cw.CurvewiseError, match="There are 3 scores"):
        float(three)


def test_options_of_rows():
    y, score = [0, 0, 1, 1, 2, 2, 2], [1, 2, 3, 4, 5, 6, float("nan")]
    with pytest.raises(cw.CurvewiseError, match="score has 1 missing value"):
        cw.volume_under_surface(y, score)
    left = cw.volume_under_surface(y, score, missing="drop")
    assert (float(left), left.rows) == (1.0, (2, 2, 2))
    turned = cw.volume_under_surface(y[:6], [-v for v in score[:6]], higher_is="negative")
    assert float(turned) == 1.0
    assert float(
        cw.volume_under_surface([0, 0, 1, 1, 2, 2], [0.1, 0.2, 0.3, 0.4, 0.1, 0.2], round_to=0)
    ) == pytest.approx(1 / 6)


def test_what_cannot_be_used_is_refused():
    with pytest.raises(cw.OptionError, match=r"order: name the three classes .* y has 3 classes \('a', 'b', 'c'\)"):
        cw.volume_under_surface(list("abc"), [1, 2, 3])
    with pytest.raises(cw.OptionError, match="order: expected three classes, got 4"):
        cw.volume_under_surface(list("abc"), [1, 2, 3], order=list("abcd"))
    with pytest.raises(cw.OptionError, match=r"y has 2 classes \(0, 1\)"):
        cw.volume_under_surface([0, 1, 1], [1, 2, 3])
    with pytest.raises(cw.CurvewiseError, match="1 label of no known class"):
        cw.volume_under_surface(list("abcd"), [1, 2, 3, 4], order=list("abc"))
    with pytest.raises(cw.UndefinedMetricError, match="no row is 'c'"):
        cw.volume_under_surface(list("aabb"), [1, 2, 3, 4], order=list("abc"))
    with pytest.raises(cw.OptionError, match="positive: three classes have an order"):
        cw.volume_under_surface([0, 1, 2], [1, 2, 3], positive=1)
    with pytest.raises(cw.UnknownOptionError, match="weights"):
        cw.volume_under_surface([0, 1, 2], [1, 2, 3], weights=[1, 1, 1])
    alone = cw.volume_under_surface([0, 1, 2], [1, 2, 3]).estimate
    assert alone.value == 1
    assert not alone.has_interval
    assert "at least two rows of each class" in str(alone.reason)
    one = cw.volume_under_surface([0, 0, 1, 1, 2, 2], range(6), cluster=[0, 0, 1, 1, 2, 2]).estimate
    assert not one.has_interval
    assert "at least two clusters with each class, got 1" in str(one.reason)
    assert "independent rows of 0: 2" in str(cw.volume_under_surface([0, 0, 1, 1, 1, 2, 2], range(7)))
    with pytest.raises(cw.UndefinedMetricError, match="at least two rows of each class"):
        cw.volume_under_surface([0, 1, 2], {"a": [1, 2, 3], "b": [3, 2, 1]})
