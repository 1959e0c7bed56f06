"""Losses taken apart: the parts add up, are what they say, and answer to the right changes."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import curvewise as cw
from strategies import weights

LOSSES = ("brier", "log", "spherical")
Y, P = [0, 0, 0, 1, 1, 1], [0.4, 0.3, 0.2, 0.1, 0.5, 0.9]


@st.composite
def forecasts(draw, max_size=20):
    n = draw(st.integers(1, max_size))
    p = st.one_of(st.sampled_from([0.125, 0.25, 0.5, 0.75]), st.floats(1e-6, 1 - 1e-6))
    rows = st.tuples(st.booleans(), p, weights)
    return tuple(zip(*draw(st.lists(rows, min_size=n, max_size=n)), strict=True))


def adds_up(d):
    return d.miscalibration - d.discrimination + d.uncertainty + d.within == pytest.approx(
        d.score, rel=1e-14, abs=1e-15
    )


@pytest.mark.parametrize("loss", LOSSES)
@given(forecasts(), st.integers(1, 12))
def test_the_parts_add_up(loss, rows, bins):
    y, p, w = rows
    d = cw.decompose(y, p, loss=loss, weight=w)
    assert adds_up(d)
    assert min(d.miscalibration, d.discrimination, d.uncertainty) >= 0
    assert d.score == getattr(cw, f"{loss}_loss")(y, p, weight=w)
    for binning in ("width", "count"):
        binned = cw.decompose(y, p, loss=loss, weight=w, bins=bins, binning=binning)
        assert adds_up(binned)
        assert binned.uncertainty == d.uncertainty
        # a mean over bins cannot hold more than the rows do
        assert min(binned.discrimination, binned.miscalibration) >= -1e-15


def test_worked_by_hand():
    d = cw.decompose(Y, P)
    found = (d.miscalibration, d.discrimination, d.uncertainty, d.score)
    assert found == pytest.approx((0.61 / 6, 0.125, 0.25, 1.36 / 6), abs=1e-15)
    d = cw.decompose(Y, P, loss="log")
    found = (d.miscalibration, d.discrimination, d.uncertainty, d.score)
    assert found == pytest.approx((0.3237327, 0.3182571, 0.6931472, 0.6986228), abs=5e-8)


@pytest.mark.parametrize("loss", LOSSES)
def test_recalibrated_probabilities_have_no_miscalibration(loss):
    rng = np.random.default_rng(0)
    p = rng.random(300)
    y = rng.random(300) < p**2
    fitted = cw.isotonic(y, p).apply(p)
    before, after = cw.decompose(y, p, loss=loss), cw.decompose(y, fitted, loss=loss)
    assert after.miscalibration == pytest.approx(0, abs=1e-15)
    assert after.score == pytest.approx(before.score - before.miscalibration, abs=1e-14)


@pytest.mark.parametrize("loss", LOSSES)
def test_the_ranking_is_all_that_discrimination_sees(loss):
    rng = np.random.default_rng(1)
    p = rng.random(300)
    y = rng.random(300) < p
    told, bent = cw.decompose(y, p, loss=loss), cw.decompose(y, p**2, loss=loss)
    assert bent.discrimination == told.discrimination
    assert bent.uncertainty == told.uncertainty
    assert bent.miscalibration > 3 * told.miscalibration


@pytest.mark.parametrize("binning", ["width", "count"])
def test_bins_are_murphys_and_stephensons(binning):
    rng = np.random.default_rng(2)
    p = np.round(rng.random(500), 2)
    y, w = rng.random(500) < p**1.5, rng.integers(1, 4, 500)
    d = cw.decompose(y, p, bins=7, binning=binning, weight=w)
    if binning == "width":
        place = np.ceil(p * 7 - 1e-9).clip(1).astype(int)
    else:
        below = np.array([w[p <= v].sum() for v in p]) - np.array([w[p == v].sum() for v in p])
        place = np.floor(below / w.sum() * 7 + 1e-9).astype(int)
    mean, share = p.copy(), y.astype(float)
    for k in np.unique(place):
        on = place == k
        mean[on], share[on] = (np.average(v[on], weights=w[on]) for v in (p, y))
    average = lambda v: np.average(v, weights=w)  # noqa: E731
    rate = average(y)
    assert d.uncertainty == pytest.approx(rate * (1 - rate))
    assert d.discrimination == pytest.approx(average((share - rate) ** 2))
    assert d.miscalibration == pytest.approx(average((mean - share) ** 2))
    assert d.within == pytest.approx(average((p - mean) ** 2) - 2 * average((p - mean) * (y - share)))


def test_a_bin_for_each_probability_hides_nothing():
    d = cw.decompose([0, 1, 1, 0, 1], [0.2, 0.2, 0.6, 0.6, 0.6], bins=5)
    assert d.within == pytest.approx(0, abs=1e-15)
    assert d.miscalibration == pytest.approx((2 * 0.3**2 + 3 * (2 / 3 - 0.6) ** 2) / 5)


def test_an_infinite_loss_is_all_miscalibration():
    for options in ({}, {"bins": 2}, {"bins": 1000}):
        with pytest.warns(cw.CurvewiseWarning, match="infinite: 1 of 4 rows"):
            d = cw.decompose([1, 0, 0, 1], [0.0, 0.3, 0.3, 0.8], loss="log", **options)
        assert d.score == math.inf == d.miscalibration + d.within
        assert math.isfinite(d.discrimination)
        assert not math.isnan(d.within)
    assert json.loads(json.dumps(d.to_dict()))["score"] == "inf"


def test_fitted_certainty_costs_nothing():
    d = cw.decompose([0, 0, 1], [0.1, 0.2, 0.9], loss="log")
    assert d.discrimination == d.uncertainty
    assert d.miscalibration == d.score


def test_one_class_has_nothing_to_discriminate():
    for loss in LOSSES:
        d = cw.decompose([1, 1], [0.5, 0.9], loss=loss)
        assert (d.uncertainty, d.discrimination) == (0, 0)
        assert d.miscalibration == d.score > 0
    with pytest.raises(cw.UndefinedMetricError, match="both classes"):
        _ = d.skill


def test_how_it_shows():
    d = cw.decompose(Y, P, bins=3, binning="count")
    assert str(d).endswith("(3 bins of equal count)")
    assert "within bins" in str(d)
    assert (d.method, d.bins, d.binning) == ("bins", 3, "count")
    assert cw.decompose(Y, P).skill == cw.brier_skill(Y, P)
    assert "<td>0.2267</td>" in cw.decompose(Y, P)._repr_html_()
    assert cw.decompose(Y, P).table.columns["part"][0] == "score"


def test_what_it_refuses():
    with pytest.raises(cw.CurvewiseError, match="loss: expected one of 'brier', 'log', 'spherical'"):
        cw.decompose(Y, P, loss="hinge")
    with pytest.raises(cw.CurvewiseError, match="binning: says how bins are cut, so it needs bins="):
        cw.decompose(Y, P, binning="count")
    with pytest.raises(cw.CurvewiseError, match="bins: expected a whole number of at least 1"):
        cw.decompose(Y, P, bins=0)
