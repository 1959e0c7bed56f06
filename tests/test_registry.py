"""Every registered metric, and other areas, against every invariance that its facts promise.

One example is tried on all metrics of a family, which is much quicker than an example per metric.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import curvewise as cw
from curvewise.metric import registry
from registry import CASES, OTHERS, REGISTERED
from registry import given as given_options
from strategies import labelled, shares, weights


def of(*families):
    return pytest.mark.parametrize("family", families)


def cases(family, **facts):
    return [c for c in CASES if c.family == family and all(getattr(c, k) == v for k, v in facts.items())]


@st.composite
def rows(draw, family, max_size=24):
    """Return labels of both classes, and scores; probabilities where the family needs them."""
    y, s = draw(labelled(max_size=max_size))
    return (y, draw(st.lists(shares, min_size=len(y), max_size=len(y)))) if family == "probability" else (y, s)


def same(a, b, tolerance=1e-12):
    """Whether two numbers agree; what is undefined agrees with what is undefined."""
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    return a == b or math.isclose(a, b, rel_tol=tolerance, abs_tol=tolerance)


def unlike(found, first, second, tolerance=1e-12):
    """Return the cases whose two numbers differ, with both."""
    pairs = {c.name: (first(c), second(c)) for c in found}
    return {name: pair for name, pair in pairs.items() if not same(*pair, tolerance)}


EVERY = of("ranking", "probability", "likelihood", "threshold")
ORDERED = of("ranking", "threshold")  # only the order of scores matters


@EVERY
@given(draw=st.data(), seed=st.integers(0, 1000))
def test_row_order_does_not_matter(family, draw, seed):
    y, s = draw.draw(rows(family))
    order = np.random.default_rng(seed).permutation(len(y))
    mixed = [y[i] for i in order], [s[i] for i in order]
    assert not unlike(cases(family), lambda c: c(y, s), lambda c: c(*mixed), 0)


@ORDERED
@given(draw=st.data())
def test_rising_transform_does_not_matter(family, draw):
    y, s = draw.draw(rows(family))
    ranks = np.unique(np.asarray(s), return_inverse=True)[1]
    assert not unlike(cases(family), lambda c: c(y, s), lambda c: c(y, ranks**3 - 50))


@EVERY
@given(draw=st.data())
def test_whole_weights_mean_repetition(family, draw):
    y, s = draw.draw(rows(family, max_size=12))
    w = draw.draw(st.lists(weights, min_size=len(y), max_size=len(y)))
    repeated = np.repeat(y, w), np.repeat(s, w)
    for kind in (int, float):
        weight = np.array(w, dtype=kind)
        assert not unlike(cases(family), lambda c: c(*repeated), lambda c, w=weight: c(y, s, weight=w), 0)


@EVERY
@given(draw=st.data(), scale=st.sampled_from([0.3, 7.7, 1e-6, 1e9]))
def test_scale_of_weights_does_not_matter(family, draw, scale):
    y, s = draw.draw(rows(family, max_size=12))
    w = np.array(draw.draw(st.lists(weights, min_size=len(y), max_size=len(y)))) * 0.7
    # what counts rows, as the window of ICI does, refuses fractional weights
    found = [c for c in cases(family, fractional=True) if math.isnan(c(y, s)) or not math.isnan(c(y, s, weight=w))]
    assert not unlike(found, lambda c: c(y, s, weight=w), lambda c: c(y, s, weight=w * scale), 1e-9)


@EVERY
@given(draw=st.data())
def test_zero_weight_rows_do_not_exist(family, draw):
    y, s = draw.draw(rows(family))
    more_y, more_s = [*y, True, False, True], [*s, 9e9, -9e9, math.nan]
    weight = [1] * len(y) + [0, 0, 0]
    assert not unlike(cases(family), lambda c: c(more_y, more_s, weight=weight), lambda c: c(y, s), 0)


@EVERY
@given(draw=st.data())
def test_sweep_and_rows_agree(family, draw):
    y, s = draw.draw(rows(family))
    for whole in (cw.sweep(y, s), cw.read_rows(y, s)):
        assert not unlike(cases(family), lambda c, whole=whole: c(whole), lambda c: c(y, s), 0)


@ORDERED
@given(draw=st.data())
def test_direction_can_be_turned_round(family, draw):
    y, s = draw.draw(rows(family))
    turned = [-v for v in s]
    assert not unlike(cases(family), lambda c: c(y, turned, higher_is="negative"), lambda c: c(y, s), 0)


@given(data=labelled())
def test_swapping_labels_and_direction_changes_nothing(data):
    y, s = data
    swapped = [not v for v in y], [-v for v in s]
    assert not unlike(cases("ranking", swap=True), lambda c: c(*swapped), lambda c: c(y, s))


@EVERY
@given(draw=st.data(), times=st.integers(2, 10))
def test_more_negatives_of_the_same_kind_change_nothing_that_prevalence_does_not_move(family, draw, times):
    y, s = draw.draw(rows(family))
    w = [1 if v else times for v in y]
    sweep = cw.sweep(y, s).at_prevalence(0.03)
    found = cases(family, prevalence=False)
    assert not unlike(found, lambda c: c(y, s, weight=w), lambda c: c(y, s))
    assert not unlike(found, lambda c: c(sweep), lambda c: c(y, s))


@EVERY
def test_prevalence_moves_what_says_so(family):
    moved = set()
    for seed in range(5):
        rng = np.random.default_rng(seed)
        y = np.arange(20) % 3 == 0
        s = np.round(0.7 * rng.random(20) + 0.3 * y, 2)
        w = np.where(y, 1, 7)
        found = cases(family, prevalence=True)
        moved |= {c.name for c in found if not same(c(y, s), c(y, s, weight=w))}
    assert not {c.name for c in cases(family, prevalence=True)} - moved


@ORDERED
@given(data=labelled())
def test_a_constant_score_is_worth_chance(family, data):
    y, _ = data
    share = sum(y) / len(y)
    constant = [0.25] * len(y)
    found = [c for c in cases(family) if c.chance is not None]
    if family == "threshold":  # where every row is flagged, some are 0/0
        found = [c for c in found if not math.isnan(c(y, constant))]
    assert not unlike(found, lambda c: c(y, constant), lambda c: c.expected_chance(share))


@EVERY
@given(data=labelled())
def test_perfect_separation(family, data):
    y, _ = data
    noise = 0 if family == "probability" else np.arange(len(y)) / (2 * len(y))
    s = np.array(y) + noise
    found = [c for c in cases(family) if c.perfect is not None]
    if family == "threshold":
        names = [m for m in registry.every() if m.family == family and m.perfect is not None]
        sweep = cw.sweep(y, s)
        pairs = {m.name: (m.bind({**given_options(m), "threshold": 1.0})(sweep), m.perfect) for m in names}
        assert not {name: pair for name, pair in pairs.items() if not same(*pair)}
    else:
        assert not unlike(found, lambda c: c(y, s), lambda c: c.perfect)


@EVERY
@given(draw=st.data())
def test_no_value_leaves_its_range(family, draw):
    y, s = draw.draw(rows(family))
    values = {c.name: (c(y, s), c.low, c.high) for c in cases(family)}
    outside = {k: v for k, v in values.items() if not (math.isnan(v[0]) or v[1] - 1e-12 <= v[0] <= v[2] + 1e-12)}
    assert not outside


@pytest.mark.parametrize("case", REGISTERED, ids=lambda c: c.name)
def test_facts_agree_with_each_other(case):
    assert case.low < case.high
    assert case.better in ("higher", "lower", "target", "neither")
    if case.perfect is not None:
        assert case.perfect == {"higher": case.high, "lower": case.low}[case.better]
        if isinstance(case.chance, float):
            assert case.chance != case.perfect
    if isinstance(case.chance, float):
        assert case.low <= case.chance <= case.high


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_an_absent_class_is_undefined_where_it_is_needed(case):
    s = [0.2, 0.5, 0.9]
    for absent, y in (("positives", [0, 0, 0]), ("negatives", [1, 1, 1])):
        if absent in case.needs:
            with pytest.raises(cw.UndefinedMetricError):
                case.function(y, s)
        else:
            assert not math.isnan(case(y, s)), absent


@pytest.mark.parametrize("case", [c for c in OTHERS if c.family == "ranking"], ids=lambda c: c.name)
def test_the_message_says_which_class_is_absent(case):
    with pytest.raises(cw.UndefinedMetricError, match="0 of 3 rows are positive"):
        case.function([0, 0, 0], [1, 2, 3])
    if "negatives" in case.needs:
        with pytest.raises(cw.UndefinedMetricError, match="0 of 3 rows are negative"):
            case.function([1, 1, 1], [1, 2, 3])
    else:
        assert case.function([1, 1, 1], [1, 2, 3]) == pytest.approx(case.perfect)


@pytest.mark.parametrize("case", [c for c in CASES if not c.fractional], ids=lambda c: c.name)
def test_orders_of_whole_rows_refuse_fractional_weights(case):
    with pytest.raises(cw.CurvewiseError, match="fractional"):
        case.function([0, 1], [1, 2], weight=[0.5, 1])


@pytest.mark.parametrize("m", registry.every(), ids=lambda m: m.name)
def test_every_metric_has_a_formula_and_a_pitfall_in_both_languages(m):
    assert m.formula
    assert m.pitfall("en")
    assert m.pitfall("zh")
    assert m.pitfall("en") != m.pitfall("zh")


@pytest.mark.parametrize("m", [m for m in registry.every() if m.family == "threshold"], ids=lambda m: m.name)
@given(counts=st.tuples(*[st.integers(1, 50)] * 4))
def test_a_formula_of_counts_gives_the_number(m, counts):
    tp, fp, fn, tn = counts
    cells = {"TP": tp, "FP": fp, "FN": fn, "TN": tn, "root": math.sqrt}
    options = {**given_options(m), "threshold": 0.25}
    said = m.formula.replace("·", "*").replace("√", "root").replace("β²", "beta**2")
    value = m.counted(cw.Confusion(tp, fp, fn, tn), **options)
    assert eval(said, {**cells, "n": sum(counts), "tp": 0, "tn": 0, **options}) == pytest.approx(
        value, rel=1e-12, abs=1e-12
    )
