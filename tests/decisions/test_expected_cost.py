"""Expected cost and the slope of equal costs."""

import math

import numpy as np
import pytest

import curvewise as cw
from curvewise.decisions.expected_cost import BestFor

Y, SCORE = [1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.5]


def test_cost_is_the_formula_at_any_prevalence():
    s = cw.sweep(Y, SCORE)
    for threshold in (*SCORE, math.inf, -math.inf):
        c = s.at(threshold)
        for share in (None, 0.01, 0.7):
            p = s.prevalence if share is None else share
            wanted = 2 * (1 - p) * c.fpr + 7 * p * (1 - c.recall) - 3 * p * c.recall + 0.5 * (1 - p) * (1 - c.fpr)
            options = {"fp": 2, "fn": 7, "tp": -3, "tn": 0.5, "prevalence": share}
            assert cw.expected_cost(Y, SCORE, threshold, **options) == pytest.approx(wanted, abs=1e-14)
            assert cw.expected_cost(s, threshold=threshold, **options) == pytest.approx(wanted, abs=1e-14)


def test_a_weight_and_a_direction():
    low = cw.expected_cost(Y, [-v for v in SCORE], -0.7, fp=1, fn=10, higher_is="negative")
    assert low == cw.expected_cost(Y, SCORE, 0.7, fp=1, fn=10) == 0.2
    assert cw.expected_cost(Y, SCORE, 0.7, fp=1, fn=10, weight=[1, 3, 1, 1, 1]) == pytest.approx(3 / 7)


def test_along_an_iso_cost_line_the_cost_stays():
    slope = cw.iso_cost_slope(fp=3, fn=4, tp=-1, tn=1, prevalence=0.2)
    assert slope == pytest.approx(2 / 5 * 4)

    def cost(fpr, tpr):
        s = cw.Sweep.from_counts([2, 1], [tpr, 1 - tpr], [fpr, 1 - fpr])
        return cw.expected_cost(s, threshold=2, fp=3, fn=4, tp=-1, tn=1, prevalence=0.2)

    assert cost(0.1, 0.3) == pytest.approx(cost(0.2, 0.3 + 0.1 * slope))


def test_ends_of_the_slope():
    assert cw.iso_cost_slope(fp=1, fn=0, prevalence=0.5) == math.inf
    assert cw.iso_cost_slope(fp=0, fn=1, prevalence=0.5) == 0
    assert np.isclose(cw.iso_cost_slope(fp=1, fn=1, prevalence=0.5), 1)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: cw.expected_cost(Y, SCORE, fp=1, fn=1), "threshold: say where"),
        (lambda: cw.expected_cost(Y, SCORE, 0.5, fp=math.inf, fn=1), "fp: expected a finite number"),
        (lambda: cw.expected_cost(Y, SCORE, 0.5, fp=1, fn=1, prevalence=0), "prevalence: expected"),
        (lambda: cw.iso_cost_slope(fp=0, fn=0, prevalence=0.5), "every mistake the better answer"),
        (lambda: cw.iso_cost_slope(fp=-1, fn=1, prevalence=0.5), "an alarm is always the cheaper answer"),
        (lambda: cw.iso_cost_slope(fp=1, fn=-1, prevalence=0.5), "an alarm is never the cheaper answer"),
        (lambda: cw.iso_cost_slope(fp=1, fn=1, prevalence=1), "prevalence: expected"),
    ],
)
def test_refusals(call, words):
    with pytest.raises(cw.CurvewiseError, match=words):
        call()


def test_one_class():
    assert cw.expected_cost([1, 1], [1, 2], 2, fp=1, fn=10) == 5
    with pytest.raises(cw.UndefinedMetricError, match="both classes"):
        cw.expected_cost([1, 1], [1, 2], 2, fp=1, fn=10, prevalence=0.5)


# Hull of these rows: (0, 0), (0, 1/2), (1/3, 1), (1, 1) in (FPR, TPR); 0.8 lies below it, prevalence is 2/5.
@pytest.mark.parametrize(
    ("rule", "threshold", "ratio"),
    [
        (cw.rules.min_cost(fp=1, fn=10), 0.7, 10),
        (cw.rules.min_cost(fp=3, fn=4, tp=-1, tn=1), 0.7, 5 / 2),
        (cw.rules.min_cost(fp=0, fn=1), 0.7, math.inf),
        (cw.rules.min_cost(fp=1, fn=0, tp=2), math.inf, 0),
        (cw.rules.max_net_benefit(0.25), 0.7, 3),
        (cw.rules.max_net_benefit(0), 0.7, math.inf),
        (cw.rules.youden(), 0.7, 1.5),
        (cw.rules.youden(prevalence=0.01), 0.7, 99),
        (cw.rules.max_fpr(0), 0.9, 0.5),  # best for 0 to 1
        (cw.rules.max_fpr(0.4), 0.7, 2),  # best from 1 on
        (cw.rules.max_fpr(0.4, prevalence=0.2), 0.7, 2 * 4 / 1.5),
        (cw.rules.max_of(lambda c: -2 * abs(c.fp - 1) - c.tp), 0.8, 1),  # below the segment of slope 3/2
    ],
)
def test_the_ratio_that_a_choice_implies(rule, threshold, ratio):
    point = cw.operating_point(Y, SCORE, rule, replicates=0)
    assert point.threshold == threshold
    assert point.cost_ratio == pytest.approx(ratio, rel=1e-15)
    assert point.to_dict()["cost_ratio"] == (point.cost_ratio if math.isfinite(ratio) else "inf")


def test_a_middle_point_of_the_hull_implies_the_geometric_middle():
    s = cw.Sweep.from_counts([4, 3, 2, 1], [8, 8, 3, 1], [1, 4, 6, 9])  # slopes 8, 2, 1/2, 1/9: ratios at equal classes
    point = cw.operating_point(s, cw.rules.max_fpr(0.25), replicates=0)
    assert point.threshold == 3
    assert point.best_for.cost_ratio == pytest.approx((1 / 2, 2))
    assert point.cost_ratio == pytest.approx(1)


def test_points_that_are_best_for_every_ratio_or_for_an_end_only():
    apart = cw.Sweep.from_counts([2, 1], [5, 0], [0, 5])
    assert cw.operating_point(apart, cw.rules.equal_error(), replicates=0).cost_ratio == 1
    nothing = cw.rules.max_of(lambda c: -c.tp - c.fp)
    assert cw.operating_point(apart, nothing, replicates=0).cost_ratio == 0
    everything = cw.rules.max_of(lambda c: c.tp + c.fp)
    assert cw.operating_point(apart, everything, replicates=0).cost_ratio == math.inf


@pytest.mark.parametrize("seed", range(5))
def test_with_the_implied_ratio_a_point_of_the_hull_is_the_cheapest(seed):
    rng = np.random.default_rng(seed)
    y = rng.random(60) < 0.3
    s = cw.sweep(y, (y + rng.normal(0, 1, 60)).round(1))
    rules = cw.rules
    for rule in (rules.max_f(), rules.max_mcc(), rules.max_fpr(0.2), rules.min_recall(0.8), rules.youden()):
        point = cw.operating_point(s, rule, replicates=0)
        ratio = point.cost_ratio
        assert 0 < ratio < math.inf
        costs = [cw.expected_cost(s, threshold=t, fp=1, fn=ratio) for t in (math.inf, *s.threshold.tolist())]
        own = cw.expected_cost(s, threshold=point.threshold, fp=1, fn=ratio)
        if point.best_for.cost_ratio is not None:
            assert own == pytest.approx(min(costs), rel=1e-12)
        else:  # both ends of the segment above are the cheapest, so no ratio makes it lose less
            assert sum(c == pytest.approx(min(costs), rel=1e-12) for c in costs) >= 2
        if rule.name == "youden" or point.best_for.cost_ratio is not None:
            assert own <= costs[0] + 1e-15  # flagging no row is not cheaper: net benefit is not negative


def test_below_the_first_segment_of_the_hull_alarms_are_still_worth_their_cost():
    s = cw.Sweep.from_counts([3, 2, 1], [1, 9, 0], [2, 0, 8])  # (0.2, 0.1) lies below chance, (0.2, 1) is a vertex
    point = cw.operating_point(s, cw.rules.max_of(lambda c: -abs(c.tp - 1)), replicates=0)
    assert point.threshold == 3
    assert point.best_for.ratio_above == pytest.approx(0.2)  # where flagging no row costs as much as flagging from 2 on
    assert point.cost_ratio == pytest.approx(2)
    none = cw.expected_cost(s, threshold=math.inf, fp=1, fn=2)
    assert cw.expected_cost(s, threshold=3, fp=1, fn=2) == pytest.approx(none)


@pytest.mark.parametrize(
    ("ratio", "code"),
    [((2.0, math.inf), "best_costs_from"), ((0.0, 5.0), "best_costs_to"), ((2.0, 5.0), "best_costs")],
)
def test_costs_are_told_as_a_range_or_by_their_one_end(ratio, code):
    told = BestFor((0.1, 0.5), ratio, 0.2).statement
    assert (told.code, told.values["few"], told.values["many"]) == (code, *ratio)
