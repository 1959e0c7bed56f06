"""Every rule against brute force over all cuts, in exact fractions."""

import copy
import pickle
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import curvewise as cw
import oracle
from curvewise import rules
from curvewise.decisions.choice import Candidates, Limit, Rule, confusion_of
from strategies import labelled


def exact(x):
    return Fraction(str(x))


def cuts(y, score):
    """Return [(threshold, tp, fp)], flagging no row first."""
    found = [(float("inf"), 0, 0)]
    for s, pos, neg in oracle.blocks(y, score):
        found.append((s, found[-1][1] + pos, found[-1][2] + neg))
    return found


class Counts:
    """Exact counts at a prevalence, with what the definitions call them."""

    def __init__(self, tp, fp, p, n, prevalence):
        up = 1 if prevalence is None else exact(prevalence) * (p + n) / p
        down = 1 if prevalence is None else (1 - exact(prevalence)) * (p + n) / n
        self.tp, self.fp = Fraction(tp) * up, Fraction(fp) * down
        self.p, self.n = Fraction(p) * up, Fraction(n) * down
        self.fn, self.tn = self.p - self.tp, self.n - self.fp
        self.recall, self.fpr = self.tp / self.p, self.fp / self.n
        self.alarms = self.tp + self.fp


def signed_mcc_squared(c):
    around = c.alarms * (c.tn + c.fn) * c.p * c.n
    over = c.tp * c.tn - c.fp * c.fn
    return None if around == 0 else (1 if over > 0 else -1) * over**2 / around


def kappa(c):
    return 2 * (c.tp * c.tn - c.fp * c.fn) / (c.alarms * c.n + c.p * (c.tn + c.fn))


def f_beta(b):
    return lambda c: (1 + b * b) * c.tp / (b * b * c.p + c.alarms)


def cost(fp, fn, tp=0, tn=0):
    fp, fn, tp, tn = (exact(v) for v in (fp, fn, tp, tn))
    return lambda c: -(fp * c.fp + fn * c.fn + tp * c.tp + tn * c.tn)


# (rule, the number to be made large, what must hold, whether flagging no row is allowed)
RULES = {
    "cost 1:10": (lambda p: rules.min_cost(fp=1, fn=10, prevalence=p), cost(1, 10), None, True),
    "cost 0.3:0.7": (lambda p: rules.min_cost(fp=0.3, fn=0.7, prevalence=p), cost(0.3, 0.7), None, True),
    "cost with gains": (
        lambda p: rules.min_cost(fp=2, fn=3, tp=-1, tn=1, prevalence=p),
        cost(2, 3, -1, 1),
        None,
        True,
    ),
    "net benefit": (
        lambda p: rules.max_net_benefit(0.2, prevalence=p),
        lambda c: c.tp - c.fp / 4,
        None,
        True,
    ),
    "youden": (lambda p: rules.youden(prevalence=p), lambda c: c.recall - c.fpr, None, False),
    "closest": (
        lambda p: rules.closest_topleft(prevalence=p),
        lambda c: -(c.fpr**2 + (1 - c.recall) ** 2),
        None,
        False,
    ),
    "equal error": (
        lambda p: rules.equal_error(prevalence=p),
        lambda c: -abs(c.fpr - 1 + c.recall),
        None,
        False,
    ),
    "F1": (lambda p: rules.max_f(prevalence=p), f_beta(1), None, False),
    "F2": (lambda p: rules.max_f(2, prevalence=p), f_beta(2), None, False),
    "MCC": (lambda p: rules.max_mcc(prevalence=p), signed_mcc_squared, None, False),
    "kappa": (lambda p: rules.max_kappa(prevalence=p), kappa, None, False),
    "max_fpr": (
        lambda p: rules.max_fpr(0.3, prevalence=p),
        lambda c: c.recall,
        lambda c: c.fpr <= exact(0.3),
        False,
    ),
    "min_specificity": (
        lambda p: rules.min_specificity(0.6, prevalence=p),
        lambda c: c.recall,
        lambda c: 1 - c.fpr >= exact(0.6),
        False,
    ),
    "min_recall": (
        lambda p: rules.min_recall(0.9, prevalence=p),
        lambda c: -c.fpr,
        lambda c: c.recall >= exact(0.9),
        False,
    ),
    "min_precision": (
        lambda p: rules.min_precision(0.6, prevalence=p),
        lambda c: c.recall,
        lambda c: c.tp >= exact(0.6) * c.alarms,
        False,
    ),
    "max_alarms 3": (
        lambda p: rules.max_alarms(3, prevalence=p),
        lambda c: c.recall,
        lambda c: c.alarms <= 3,
        False,
    ),
    "max_alarms 20%": (
        lambda p: rules.max_alarms(0.2, prevalence=p),
        lambda c: c.recall,
        lambda c: c.alarms <= exact(0.2) * (c.p + c.n),
        False,
    ),
    "accuracy": (
        lambda p: rules.max_of(lambda c: c.accuracy, prevalence=p),
        lambda c: c.tp + c.tn,
        None,
        True,
    ),
}


def brute(y, score, goal, limit, nobody, prevalence):
    """Return all best thresholds, the highest first; None where no cut keeps within the limit."""
    p, n = sum(y), len(y) - sum(y)
    found = []
    for threshold, tp, fp in cuts(y, score):
        c = Counts(tp, fp, p, n, prevalence)
        if (tp + fp == 0 and not nobody) or (limit is not None and not limit(c)):
            continue
        value = goal(c)
        if value is not None:
            found.append((value, threshold))
    best = max((v for v, _ in found), default=None)
    return [t for v, t in found if v == best] or None


@pytest.mark.parametrize("name", RULES)
@given(data=labelled(), prevalence=st.sampled_from([None, 0.02, 0.3]))
def test_rule_is_brute_force(name, data, prevalence):
    y, score = data
    make, goal, limit, nobody = RULES[name]
    wanted = brute(y, score, goal, limit, nobody, prevalence)
    if wanted is None:
        with pytest.raises(cw.UndefinedMetricError, match=r"no observed score has|no value at any"):
            cw.operating_point(y, score, make(prevalence), replicates=0)
        return
    point = cw.operating_point(y, score, make(prevalence), replicates=0)
    assert list(point.tied) == wanted
    assert point.threshold == wanted[0]


@pytest.mark.parametrize("name", [k for k in RULES if not k.startswith("max_alarms")])
@settings(max_examples=10)
@given(data=labelled(max_size=12), seed=st.integers(0, 5))
def test_whole_weights_mean_repetition_and_direction_turns(name, data, seed):
    y, score = data
    rule = RULES[name][0](None)
    times = np.random.default_rng(seed).integers(1, 4, len(y))

    def threshold(*rows, **options):
        try:
            return cw.operating_point(*rows, rule, replicates=0, **options).threshold
        except cw.UndefinedMetricError:
            return None

    once = threshold(y, score, weight=times)
    assert once == threshold(np.repeat(y, times), np.repeat(score, times))
    turned = threshold(y, [-s for s in score], weight=times, higher_is="negative")
    assert (turned is None) == (once is None)
    assert once is None or turned == -once
    # scaled to fractions they weigh the same: the same cut, by tolerance instead of integers
    assert once == threshold(y, score, weight=times / 8)


def test_limits_count_rows_and_not_rounding_errors():
    y, score = [1] * 10 + [0] * 10, [*range(20, 10, -1), *range(10, 0, -1)]
    for k in range(1, 11):
        for share in (k / 10, 1 - (10 - k) / 10, k * 0.1):
            assert cw.operating_point(y, score, rules.min_recall(share), replicates=0).confusion.tp == k
    turns = [0, 1] * 10
    for k in range(1, 10):
        for rule in (rules.max_fpr(k * 0.1), rules.min_specificity(1 - k * 0.1)):
            assert cw.operating_point(turns, score, rule, replicates=0).confusion.fp == k
    assert cw.operating_point(y, score, rules.max_alarms(0.3), replicates=0).confusion.tp == 6


def test_the_cheapest_cut_is_the_hull_vertex_of_that_slope():
    rng = np.random.default_rng(3)
    y = rng.random(300) < 0.3
    score = np.round(rng.normal(size=300) + y, 1)
    hull = cw.roc_hull(y, score)
    for ratio in (0.1, 0.7, 1, 2.5, 6, 50):
        slope = cw.iso_cost_slope(fp=1, fn=ratio, prevalence=0.1)
        point = cw.operating_point(y, score, rules.min_cost(fp=1, fn=ratio, prevalence=0.1), replicates=0)
        k = hull.threshold.tolist().index(point.threshold)
        steep = np.concatenate([[np.inf], hull.slope, [0]])
        assert steep[k + 1] <= slope <= steep[k]
        low, high = point.best_for.cost_ratio
        assert low <= ratio <= high


def test_the_range_of_costs_is_where_the_choice_stays():
    y, score = [1, 0, 1, 1, 0, 0, 1, 0, 0, 0], list(range(10, 0, -1))
    point = cw.operating_point(y, score, rules.youden(), replicates=0)
    low, high = point.best_for.cost_ratio
    assert point.best_for.slope == (0.75, 3)
    for ratio, same in ((low * 0.99, False), (low * 1.01, True), (high * 0.99, True), (high * 1.01, False)):
        other = cw.operating_point(y, score, rules.min_cost(fp=1, fn=ratio), replicates=0)
        assert (other.threshold == point.threshold) is same


def test_a_point_below_the_hull_says_which_are_cheaper():
    y, score = [1, 1, 0, 1, 0, 1, 0, 0], list(range(8, 0, -1))
    point = cw.operating_point(y, score, rules.max_alarms(3), replicates=0)
    assert point.threshold == 7  # the highest of 7 and 6, which find as many
    below = cw.operating_point(y, score, lambda c: -abs(c.fp - 2) - abs(c.tp - 3), replicates=0)
    assert (below.threshold, below.best_for.slope, below.best_for.cost_ratio) == (4, None, None)
    assert "either 7 or 3 is at least as cheap" in str(below.best_for)


def test_never_an_alarm_can_be_cheapest_and_always_too():
    y, score = [0, 1, 0, 0, 1, 0], [6, 5, 4, 3, 2, 1]
    never = cw.operating_point(y, score, rules.min_cost(fp=100, fn=1), replicates=0)
    assert (never.threshold, never.midpoint) == (np.inf, np.inf)
    assert never.flags_nothing
    assert never.confusion.tp == never.confusion.fp == 0
    assert never.sentence.startswith("Flag no row: 0 of 100 positives are found")
    assert never.best_for.slope[1] == np.inf
    always = cw.operating_point(y, score, rules.min_cost(fp=1, fn=100), replicates=0)
    assert (always.threshold, always.midpoint) == (2, 1.5)
    everybody = cw.operating_point([1, 0, 0, 1], [4, 3, 2, 1], rules.min_recall(1), replicates=0)
    assert (everybody.threshold, everybody.midpoint) == (1, -np.inf)
    assert "which is every row (1 is the lowest score)" in everybody.sentence
    low = cw.operating_point(y, [-s for s in score], rules.min_cost(fp=100, fn=1), replicates=0, higher_is="negative")
    assert low.threshold == -np.inf


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (
            rules.max_fpr(0.1),
            "an FPR of 0.1 or less; the nearest that can be reached is 0.2500, at the score 9",
        ),
        (rules.min_specificity(0.9), "a specificity of 0.9 or more; the nearest .* 0.7500, at the score 9"),
        (rules.min_precision(0.8), "a precision of 0.8 or more; the nearest .* 0.6667, at the score 7"),
        (
            rules.min_precision(0.5, prevalence=0.01),
            "a precision of 0.5 or more; the nearest .* 0.0262, at the score 7",
        ),
        (rules.max_alarms(0.05), "0.05 of the rows flagged or fewer; the nearest .* 0.1429, at the score 9"),
    ],
)
def test_unreachable_says_the_nearest(rule, words):
    y, score = [0, 1, 1, 0, 1, 0, 0], [9, 8, 7, 6, 5, 4, 3]
    with pytest.raises(cw.UndefinedMetricError, match=words):
        cw.operating_point(y, score, rule)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: rules.min_cost(fp=0, fn=0), "every mistake the better answer"),
        (lambda: rules.min_cost(fp=1, fn=1, tp=2, tn=2), "got fp=1, fn=1, tp=2, tn=2"),
        (lambda: rules.min_cost(fp=float("nan"), fn=1), "fp: expected a finite number"),
        (lambda: rules.min_cost(fp=1, fn=1, prevalence=1), "prevalence: expected a number strictly between"),
        (lambda: rules.max_fpr(1.5), "at: expected a number from 0 to 1"),
        (lambda: rules.max_alarms(0), "at: expected a whole number of at least 1"),
        (lambda: rules.max_alarms(1.5), "a whole number of rows, or a share between 0 and 1, got 1.5"),
        (lambda: rules.max_alarms(0.0), "a whole number of rows, or a share between 0 and 1, got 0.0"),
        (lambda: rules.max_alarms(1.0), "a whole number of rows, or a share"),
        (lambda: rules.max_net_benefit(1), "expected a number below 1"),
        (lambda: rules.max_f(-1), "beta: expected"),
        (lambda: rules.max_f(1.5e150), "beta: expected"),
        (lambda: rules.max_of(3), "function: expected a function of a Confusion, got 3"),
        (lambda: cw.operating_point([0, 1], [1, 2], rules.youden), "call it: rules.youden"),
        (lambda: cw.operating_point([0, 1], [1, 2]), "rule: expected one of curvewise.rules"),
        (lambda: cw.operating_point([0, 1], [1, 2], "youden"), "got 'youden'"),
        (lambda: cw.operating_point([0, 1], [1, 2], lambda c: "much"), "lambda: expected a number"),
        (lambda: cw.operating_point([0, 1], [1, 2], rules.youden(), level=1), "level: expected"),
        (lambda: cw.operating_point([0, 1], [1, 2], rules.youden(), replicates=-1), "replicates: expected"),
        (lambda: cw.operating_point(cw.sweep([0, 1], [1, 2]), [1, 2], rules.youden()), "score cannot apply"),
    ],
)
def test_refusals(make, words):
    with pytest.raises(cw.CurvewiseError, match=words):
        make()


def test_undefined():
    with pytest.raises(cw.UndefinedMetricError, match="needs both classes"):
        cw.operating_point([1, 1], [1, 2], rules.youden())
    with pytest.raises(cw.UndefinedMetricError, match=r"max_mcc.* has no value at any threshold"):
        cw.operating_point([0, 1], [1, 1], rules.max_mcc())
    with pytest.raises(TypeError, match="did you mean 'weight'"):
        cw.operating_point([0, 1], [1, 2], rules.youden(), weights=[1, 1])


def test_a_function_is_never_chosen_where_it_is_undefined():
    y, score = [1, 0, 0, 1, 0], [5, 4, 3, 2, 1]
    point = cw.operating_point(y, score, lambda c: c.precision, replicates=0)
    assert (point.threshold, point.value, point.rule.goal) == (5, 1.0, "lambda")
    ratio = cw.operating_point(y, score, rules.max_of(lambda c: c.lr_positive), replicates=0)
    assert (ratio.threshold, ratio.value) == (5, np.inf)


def test_rules_print_and_compare_as_they_were_made():
    assert repr(rules.min_cost(fp=1, fn=10.5, prevalence=0.02)) == "min_cost(fp=1, fn=10.5, prevalence=0.02)"
    assert repr(rules.max_fpr(0.05)) == "max_fpr(at=0.05)"
    assert rules.youden() == rules.youden()
    assert rules.max_f(2) != rules.max_f(1)
    assert set(rules.__all__) == {
        n for n in vars(rules) if not n.startswith("_") and getattr(vars(rules)[n], "__module__", "") == rules.__name__
    }


def test_counts_beyond_int64_products():
    s = cw.Sweep.from_counts([3, 2, 1], [2**40, 2**41, 5], [7, 2**40, 2**41])
    assert cw.operating_point(s, rule=rules.youden(), replicates=0).threshold == 3 - 1
    assert all(a > b for a, b in pairwise(s.threshold))


@pytest.mark.parametrize(
    "rule",
    [
        rules.min_cost(fp=1, fn=10, tp=-1, prevalence=0.1),
        rules.max_net_benefit(0.2),
        rules.youden(prevalence=0.3),
        rules.closest_topleft(),
        rules.equal_error(),
        rules.max_f(2),
        rules.max_mcc(),
        rules.max_kappa(),
        rules.max_fpr(0.1),
        rules.min_specificity(0.9),
        rules.min_recall(0.8),
        rules.min_precision(0.6),
        rules.max_alarms(10),
        rules.max_alarms(0.1),
        rules.max_of(cw.Confusion.f_beta),
        rules.max_fpr(0.2, confidence=0.8),
        rules.all_of(rules.max_fpr(0.5), rules.min_recall(0.3)),
        rules.all_of(rules.max_fpr(0.5), rules.min_recall(0.3), confidence=0.9),
    ],
    ids=str,
)
def test_a_rule_and_what_it_chose_can_be_pickled_and_copied(rule):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 100)
    point = cw.operating_point(y, rng.normal(size=100) + y, rule, replicates=20)
    for found in point.optimism.expectations:  # limits of the range must not cut the value off
        assert not found.corrected.value < found.corrected.low
        assert not found.corrected.value > found.corrected.high
    for again in (pickle.loads(pickle.dumps(rule)), copy.deepcopy(rule)):
        assert again == rule
        assert repr(again) == repr(rule)
    assert str(pickle.loads(pickle.dumps(point))) == str(point)


@pytest.mark.parametrize("beta", [0.3, 0.5, 1, 2, 5])
@pytest.mark.parametrize("prevalence", [None, 0.1])
def test_no_threshold_has_a_higher_f(beta, prevalence):
    for seed in range(30):
        rng = np.random.default_rng(seed)
        y = rng.random(40) < 0.4
        sweep = cw.sweep(y, rng.normal(size=40) + y)
        asked = sweep if prevalence is None else sweep.at_prevalence(prevalence)
        found = cw.operating_point(sweep, rule=rules.max_f(beta, prevalence=prevalence), replicates=0)
        best = max(asked.at(t).f_beta(beta) for t in sweep.threshold.tolist())
        assert asked.at(found.threshold).f_beta(beta) == pytest.approx(best)
        assert found.value == pytest.approx(best)


def test_distances_lie_between_the_perfect_and_the_worst_corner():
    distance = rules.closest_topleft().measures["distance"]
    assert distance(cw.Confusion(tp=4, fp=0, fn=0, tn=5)) == distance.low == 0
    assert distance(cw.Confusion(tp=0, fp=5, fn=4, tn=0)) == distance.high


def test_whole_counts_beyond_what_floats_hold_are_compared_exactly():
    many = 2**53 + 1
    counts = Candidates(np.array([0, many]), np.array([0, 1]), many, 1)
    assert counts.linear(1, 1).tolist() == [0, many - 1]
    assert counts.linear(2, 1).tolist() == [0, 2 * many - 1]


def test_products_beyond_int64_are_taken_as_floats():
    one_positive = Candidates(np.array([0, 1]), np.array([0, 2**40]), 1, 2**40)
    assert one_positive.linear(1, 2**40).tolist() == pytest.approx([0, 1 - 2**80])
    one_negative = Candidates(np.array([0, 2**40]), np.array([0, 1]), 2**40, 1)
    assert one_negative.linear(2**40, 1).tolist() == pytest.approx([0, 2**80 - 1])


def test_only_floats_are_equal_up_to_rounding():
    counts = Candidates(np.array([0, 1, 2]), np.array([0, 0, 0]), 2, 1)
    for kind, best in ((np.int64, [2]), (np.float64, [1, 2])):
        keys = np.array([0, 10**13 - 1, 10**13], kind)
        assert Rule("largest", {}, None, lambda c, keys=keys: keys, {}).best(counts).tolist() == best


def test_a_limit_of_0_keeps_everything():
    counts = Candidates(np.array([0, 0, 1]), np.array([0, 1, 1]), 1, 1)
    assert Limit("", lambda c: c.tp, lambda c: c.positives, 0.0).holds(counts).tolist() == [True] * 3


def test_one_class_has_no_prevalence_to_state():
    assert confusion_of(0, 1, 0, 3, prevalence=0.2) == cw.Confusion(0, 1, 0, 2)
    assert confusion_of(2, 0, 3, 0, prevalence=0.2) == cw.Confusion(2, 0, 1, 0)
    # 4 rows at 0.5: a positive counts for 2, a negative for 2/3
    found = confusion_of(1, 1, 1, 3, prevalence=0.5)
    assert [found.tp, found.fp, found.fn, found.tn] == pytest.approx([2, 2 / 3, 0, 4 / 3])


def test_options_of_a_rule_in_a_table():
    rule = rules.max_of(cw.Confusion.f_beta, prevalence=0.25)
    assert rule.table.columns == {"option": ["function", "prevalence"], "value": ["f_beta", 0.25]}
    assert rules.max_f(2).table.columns == {"option": ["beta"], "value": [2]}


def test_measures_and_words_of_rules():
    error = rules.equal_error().measures["mean_error"]
    assert (error.low, error.high) == (0, 1)
    assert error(cw.Confusion(tp=0, fp=3, fn=2, tn=0)) == 1
    assert rules.max_alarms(0.1).limits[0].words == "0.1 of the rows flagged or fewer"
    assert rules.max_alarms(10).limits[0].words == "10 alarms or fewer"
