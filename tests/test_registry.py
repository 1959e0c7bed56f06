"""Every metric of the registry against every invariance that its facts promise."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import curvewise as cw
from registry import METRICS
from strategies import labelled, weights

every = pytest.mark.parametrize("metric", METRICS, ids=lambda m: m.name)


def only(**facts):
    chosen = [m for m in METRICS if all(getattr(m, k) == v for k, v in facts.items())]
    return pytest.mark.parametrize("metric", chosen, ids=lambda m: m.name)


def same(a, b, tolerance=1e-12):
    return (math.isnan(a) and math.isnan(b)) or a == pytest.approx(b, rel=tolerance, abs=tolerance)


@every
@given(data=labelled(), seed=st.integers(0, 1000))
def test_row_order_does_not_matter(metric, data, seed):
    y, s = data
    order = np.random.default_rng(seed).permutation(len(y))
    shuffled = metric.function([y[i] for i in order], [s[i] for i in order])
    value = metric.function(y, s)
    assert value == shuffled or (math.isnan(value) and math.isnan(shuffled))


@every
@given(data=labelled())
def test_rising_transform_does_not_matter(metric, data):
    y, s = data
    ranks = np.unique(np.asarray(s), return_inverse=True)[1]
    assert same(metric.function(y, s), metric.function(y, ranks**3 - 50))


@every
@given(data=labelled(max_size=12), draw=st.data())
def test_whole_weights_mean_repetition(metric, data, draw):
    y, s = data
    w = draw.draw(st.lists(weights, min_size=len(y), max_size=len(y)))
    repeated = metric.function(np.repeat(y, w), np.repeat(s, w))
    for kind in (int, float):
        weighted = metric.function(y, s, weight=np.array(w, dtype=kind))
        assert repeated == weighted or (math.isnan(repeated) and math.isnan(weighted))


@only(fractional=True)
@given(data=labelled(max_size=12), draw=st.data(), scale=st.sampled_from([0.3, 7.7, 1e-6, 1e9]))
def test_scale_of_weights_does_not_matter(metric, data, draw, scale):
    y, s = data
    w = np.array(draw.draw(st.lists(weights, min_size=len(y), max_size=len(y)))) * 0.7
    assert same(metric.function(y, s, weight=w), metric.function(y, s, weight=w * scale), 1e-9)


@every
@given(data=labelled())
def test_zero_weight_rows_do_not_exist(metric, data):
    y, s = data
    more_y, more_s = [*y, True, False, True], [*s, 9e9, -9e9, math.nan]
    value = metric.function(more_y, more_s, weight=[1] * len(y) + [0, 0, 0])
    assert same(value, metric.function(y, s), 0)


@every
@given(data=labelled())
def test_sweep_and_rows_agree(metric, data):
    y, s = data
    assert same(metric.function(cw.sweep(y, s)), metric.function(y, s), 0)


@every
@given(data=labelled())
def test_direction_can_be_turned_round(metric, data):
    y, s = data
    assert same(metric.function(y, [-v for v in s], higher_is="negative"), metric.function(y, s), 0)


@only(swap="same")
@given(data=labelled())
def test_swapping_labels_and_direction_changes_nothing(metric, data):
    y, s = data
    assert same(metric.function([not v for v in y], [-v for v in s]), metric.function(y, s))


@only(prevalence_free=True)
@given(data=labelled(), times=st.integers(2, 10))
def test_more_negatives_of_the_same_kind_change_nothing(metric, data, times):
    y, s = data
    w = [1 if v else times for v in y]
    assert same(metric.function(y, s, weight=w), metric.function(y, s))
    assert same(metric.function(cw.sweep(y, s).at_prevalence(0.03)), metric.function(y, s))


@pytest.mark.parametrize("metric", [m for m in METRICS if m.constant], ids=lambda m: m.name)
@given(data=labelled())
def test_constant_score(metric, data):
    y, _ = data
    assert same(metric.function(y, [0.25] * len(y)), metric.constant(sum(y) / len(y)))


@pytest.mark.parametrize("metric", [m for m in METRICS if m.perfect is not None], ids=lambda m: m.name)
@given(data=labelled())
def test_perfect_separation(metric, data):
    y, _ = data
    noise = np.arange(len(y)) / (2 * len(y))
    assert same(metric.function(y, np.array(y) + noise), metric.perfect)


@pytest.mark.parametrize("metric", [m for m in METRICS if not m.name.startswith("at ")], ids=lambda m: m.name)
def test_an_absent_class_is_undefined(metric):
    with pytest.raises(cw.UndefinedMetricError, match="0 of 3 rows are positive"):
        metric.function([0, 0, 0], [1, 2, 3])
    if metric.needs_negatives:
        with pytest.raises(cw.UndefinedMetricError, match="0 of 3 rows are negative"):
            metric.function([1, 1, 1], [1, 2, 3])
    else:
        assert metric.function([1, 1, 1], [1, 2, 3]) == pytest.approx(metric.perfect)


@only(fractional=False)
def test_orders_of_whole_rows_refuse_fractional_weights(metric):
    with pytest.raises(cw.CurvewiseError, match="fractional"):
        metric.function([0, 1], [1, 2], weight=[0.5, 1])
