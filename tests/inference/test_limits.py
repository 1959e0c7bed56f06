"""From replicates or a standard error to two ends: against SciPy, and by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.special import expit as scipy_expit

import curvewise as cw
from curvewise.inference import limits


@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
@pytest.mark.parametrize("level", [0.5, 0.9, 0.95])
def test_bootstrap_intervals_are_scipys(method, level):
    """Of a skewed sample of whole numbers, so that many replicates equal the value (counted half in BCa)."""
    data = np.array([0, 0, 1, 1, 1, 2, 2, 3, 5, 9])
    peer = stats.bootstrap(
        (data,), np.mean, confidence_level=level, n_resamples=999, method=method, random_state=np.random.default_rng(3)
    )
    replicates = peer.bootstrap_distribution
    assert np.mean(replicates == data.mean()) > 0.01
    left_out = np.array([np.delete(data, k).mean() for k in range(len(data))])
    found = limits.from_replicates(method, data.mean(), replicates, level, lambda: left_out)
    assert found == pytest.approx(tuple(peer.confidence_interval))
    # equal values need be left out only once
    once, times = np.unique(left_out, return_counts=True)
    assert limits.from_replicates(method, data.mean(), replicates, level, lambda: (once, times)) == pytest.approx(found)


def test_bca_needs_replicates_on_both_sides():
    for value in (-1.0, 3.0):
        with pytest.raises(cw.UndefinedMetricError, match="one side of the value"):
            limits.from_replicates("bca", value, np.array([0.0, 1, 2]), 0.95, lambda: np.zeros(2))
    # without any acceleration only the bias is corrected; here there is none
    found = limits.from_replicates("bca", 1.0, np.array([0.0, 1, 2]), 0.5, lambda: np.ones(2))
    assert found == pytest.approx(limits.from_replicates("percentile", 1.0, np.array([0.0, 1, 2]), 0.5, lambda: None))


def test_quantiles_between_infinite_replicates_are_replicates():
    found = limits.from_replicates("percentile", 2.0, np.array([1.0, 2.0, 3.0, math.inf]), 0.9, lambda: None)
    assert found == (1.0, math.inf)


@given(st.floats(0.01, 0.999), st.floats(1, 200))
def test_critical_values(level, degrees):
    assert limits.critical_value(level) == pytest.approx(stats.norm.ppf((1 + level) / 2))
    assert limits.critical_value(level, degrees) == pytest.approx(stats.t.ppf((1 + level) / 2, degrees))


def test_a_level_that_rounds_to_one_still_has_an_end():
    assert 8 < limits.critical_value(1.0) < 9


def test_wald_is_cut_to_shares():
    assert limits.wald(0.5, 0.1, 0.95) == pytest.approx((0.5 - 0.1959964, 0.5 + 0.1959964))
    assert limits.wald(0.9, 0.1, 0.95) == (pytest.approx(0.9 - 0.1959964), 1.0)
    assert limits.wald(0.1, 0.1, 0.95) == (0.0, pytest.approx(0.1 + 0.1959964))


def test_logit_wald_by_hand():
    z, t = stats.norm.ppf(0.975), stats.t.ppf(0.975, 5)
    # at 0.8 the way towards 0.5 is six tenths of that from normal to t
    scale, inward = 0.05 / 0.16, z + 0.6 * (t - z)
    wanted = scipy_expit([math.log(4) - inward * scale, math.log(4) + z * scale])
    assert limits.logit_wald(0.8, 0.05, 0.95, 10, degrees=5) == pytest.approx(tuple(wanted))
    low, high = limits.logit_wald(0.2, 0.05, 0.95, 10, degrees=5)  # the mirror image
    assert (1 - high, 1 - low) == pytest.approx(tuple(wanted))
    # a half has no nearer end, and reaches as far both ways
    assert limits.logit_wald(0.5, 0.05, 0.95, 10, degrees=5) == pytest.approx(
        (scipy_expit(-z * 0.2), scipy_expit(z * 0.2))
    )
    # at the ends: the share that would give no failure in ten rows once in forty
    assert limits.logit_wald(1.0, 0.0, 0.95, 10) == (pytest.approx(0.025**0.1), 1.0)
    assert limits.logit_wald(0.0, 0.0, 0.95, 10) == (0.0, pytest.approx(1 - 0.025**0.1))


@given(st.floats(-700, 700))
def test_expit_is_scipys_and_undone_by_logit(x):
    assert limits.expit(x) == pytest.approx(scipy_expit(x), rel=1e-14)
    if abs(x) < 10:
        assert limits.logit(limits.expit(x)) == pytest.approx(x, abs=1e-10)


@given(
    st.integers(-3000, 3000).filter(bool),
    st.sampled_from([lambda x: -x, lambda x: -(x**3), lambda x: -math.expm1(9 * x), math.erfc]),
)
def test_crossing_finds_the_root_to_the_last_bits(root, shape):
    """At the root 0 for a falling function; steep on one side, flat on the other, or infinite at an end."""
    root, middle, calls = root / 1000, shape(0.0), []

    def falling(x):
        calls.append(x)
        return math.inf if x == -5 else shape(x - root) - middle

    found = limits.crossing(falling, -5, 7)
    assert found == pytest.approx(root, abs=1e-5)  # flat as a cube there
    assert falling(found - 1e-4) > 0 > falling(found + 1e-4)
    assert len(calls) < 150


def test_crossing_ends_where_the_sign_does_not_change():
    assert limits.crossing(lambda x: -1 - x, 0, 1) == 0
    assert limits.crossing(lambda x: 1 - x / 2, 0, 1) == 1
    assert limits.crossing(lambda x: -x, 0, 1) == 0
    assert limits.crossing(lambda x: 1 - x, 0, 1) == 1
    assert limits.crossing(lambda x: 1 - 2 * x, 0, 1) == 0.5
    assert limits.crossing(lambda x: math.copysign(1, 0.3 - x), 0, 1) == pytest.approx(0.3, abs=1e-15)
