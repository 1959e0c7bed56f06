"""d′ from an area and from counts: closed forms, the correction, and what has no answer."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

import curvewise as cw

counts = st.integers(0, 60)


@given(st.floats(0.001, 0.999))
def test_area_there_and_back(auc):
    found = cw.d_prime(auc=auc)
    assert float(found) == pytest.approx(math.sqrt(2) * norm.ppf(auc), abs=1e-12)
    assert found.auc == auc
    assert cw.BinormalRoc(a=float(found)).auc == pytest.approx(auc, abs=1e-12)
    assert found.criterion is None
    assert found.correction == "none"


@given(counts, counts, counts, counts)
def test_counts_with_the_log_linear_correction(hits, misses, alarms, rejections):
    if not (hits + misses and alarms + rejections):
        return
    found = cw.d_prime(hits=hits, misses=misses, false_alarms=alarms, correct_rejections=rejections)
    z_hit = norm.ppf((hits + 0.5) / (hits + misses + 1))
    z_alarm = norm.ppf((alarms + 0.5) / (alarms + rejections + 1))
    assert found.d_prime == pytest.approx(z_hit - z_alarm, abs=1e-12)
    assert found.criterion == pytest.approx(-(z_hit + z_alarm) / 2, abs=1e-12)
    assert found.beta == pytest.approx(norm.pdf(z_hit) / norm.pdf(z_alarm), rel=1e-9)
    assert found.auc == pytest.approx(norm.cdf(found.d_prime / math.sqrt(2)), abs=1e-12)
    assert (found.hit_rate, found.false_alarm_rate) == (
        hits / (hits + misses),
        alarms / (alarms + rejections),
    )
    assert found.correction == "log-linear"


def test_textbook_rates():
    """Stanislaw & Todorov (1999), their example: H = 20/25, F = 10/25, uncorrected."""
    found = cw.d_prime(hits=20, misses=5, false_alarms=10, correct_rejections=15, correction="none")
    assert found.d_prime == pytest.approx(1.09, abs=0.01)
    assert found.criterion == pytest.approx(-0.29, abs=0.01)
    assert found.beta == pytest.approx(0.72, abs=0.01)
    assert found.a_prime == pytest.approx(0.79, abs=0.01)


def test_a_prime_is_symmetric_about_chance():
    def a_prime(h, f):
        return cw.d_prime(hits=h, misses=10 - h, false_alarms=f, correct_rejections=10 - f).a_prime

    assert a_prime(7, 3) == pytest.approx(1 - a_prime(3, 7))
    assert a_prime(4, 4) == 0.5
    assert a_prime(10, 0) == 1
    assert a_prime(0, 10) == 0
    assert math.isnan(a_prime(0, 0))
    assert math.isnan(a_prime(10, 10))


def test_a_prime_above_chance_is_griers_formula():
    h, f = 0.9, 0.25
    found = cw.d_prime(hits=90, misses=10, false_alarms=25, correct_rejections=75)
    assert found.a_prime == pytest.approx(0.5 + (h - f) * (1 + h - f) / (4 * h * (1 - f)))


def test_swapping_signal_and_noise():
    one = cw.d_prime(hits=30, misses=9, false_alarms=4, correct_rejections=11)
    other = cw.d_prime(hits=11, misses=4, false_alarms=9, correct_rejections=30)
    assert float(one) == pytest.approx(float(other))
    assert one.criterion == pytest.approx(-other.criterion)


def test_it_prints_and_travels():
    found = cw.d_prime(hits=20, misses=5, false_alarms=10, correct_rejections=15)
    assert "log-linear correction" in str(found)
    assert "a_prime" in found._repr_html_()
    assert json.loads(json.dumps(found.to_dict()))["correction"] == "log-linear"
    assert str(cw.d_prime(auc=0.9)) == "d′ 1.8124, AUC 0.9000"
    nothing = cw.d_prime(hits=0, misses=5, false_alarms=0, correct_rejections=15)
    assert nothing.to_dict()["a_prime"] is None


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({}, cw.CurvewiseError, "expected auc alone, or hits.*; got nothing"),
        ({"auc": 0.5, "hits": 3}, cw.CurvewiseError, "got auc, hits"),
        ({"hits": 3, "misses": 1}, cw.CurvewiseError, "got hits, misses"),
        ({"auc": 1.2}, cw.CurvewiseError, "auc: expected a number from 0 to 1"),
        ({"auc": 1}, cw.UndefinedMetricError, "infinite: auc is exactly 1"),
        ({"auc": 0.7, "correction": "half"}, cw.CurvewiseError, "correction: expected one of"),
    ],
)
def test_refusals(options, error, message):
    with pytest.raises(error, match=message):
        cw.d_prime(**options)


def test_refused_counts():
    with pytest.raises(cw.UndefinedMetricError, match="no trial with noise"):
        cw.d_prime(hits=3, misses=1, false_alarms=0, correct_rejections=0)
    with pytest.raises(cw.UndefinedMetricError, match="no trial with signal"):
        cw.d_prime(hits=0, misses=0, false_alarms=1, correct_rejections=0)
    with pytest.raises(cw.UndefinedMetricError, match="a rate is exactly 1"):
        cw.d_prime(hits=3, misses=0, false_alarms=1, correct_rejections=2, correction="none")
    with pytest.raises(cw.CurvewiseError, match="hits: expected a finite number of at least 0"):
        cw.d_prime(hits=-1, misses=0, false_alarms=1, correct_rejections=2)


def test_rows_a_sweep_and_a_threshold():
    rng = np.random.default_rng(1)
    y = rng.random(300) < 0.5
    score = rng.normal(size=300) + 1.2 * y
    found = cw.d_prime(y, score)
    assert found.auc == cw.roc_auc(y, score)
    assert float(found) == float(cw.d_prime(auc=found.auc))
    area = cw.interval("roc_auc", y, score)
    assert found.estimate.low == pytest.approx(math.sqrt(2) * norm.ppf(area.low))
    assert found.estimate.high == pytest.approx(math.sqrt(2) * norm.ppf(area.high))
    assert cw.d_prime(cw.sweep(y, score)).estimate == found.estimate
    ten = np.repeat(np.arange(300), 10)
    many = cw.d_prime(y[ten], score[ten], cluster=ten)
    assert many.estimate.high - many.estimate.low == pytest.approx(found.estimate.high - found.estimate.low, rel=0.05)
    c = cw.confusion(y, score, threshold=0.5)
    wanted = cw.d_prime(hits=c.tp, misses=c.fn, false_alarms=c.fp, correct_rejections=c.tn)
    assert cw.d_prime(y, score, 0.5) == wanted
    with pytest.raises(cw.CurvewiseError, match="leave out auc"):
        cw.d_prime(y, score, auc=0.7)
    with pytest.raises(cw.UndefinedMetricError, match="infinite"):
        cw.d_prime([0, 0, 1, 1], [1, 2, 3, 4])
