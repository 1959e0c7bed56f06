"""Proper losses and skill: exact values, scikit-learn, invariances, infinities, intervals."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

import curvewise as cw
from curvewise.core import keys as _keys
from curvewise.metric import losses
from curvewise.metric.registry import find
from strategies import weights

LOSSES = {"brier": cw.brier_loss, "log": cw.log_loss, "spherical": cw.spherical_loss}
SKILLS = {"brier": cw.brier_skill, "log": cw.log_skill, "spherical": cw.spherical_skill}
every = pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
Y, P = [0, 0, 0, 1, 1, 1], [0.4, 0.3, 0.2, 0.1, 0.5, 0.9]


@st.composite
def forecasts(draw, max_size=20):
    """Return labels, probabilities strictly between 0 and 1 with ties, and whole weights."""
    n = draw(st.integers(1, max_size))
    p = st.one_of(st.sampled_from([0.125, 0.25, 0.5, 0.75]), st.floats(1e-6, 1 - 1e-6))
    rows = st.tuples(st.booleans(), p, weights)
    return tuple(zip(*draw(st.lists(rows, min_size=n, max_size=n)), strict=True))


def by_hand(name, y, p, w):
    def lost(label, q):
        told = q if label else 1 - q
        if name == "brier":
            return (1 - told) ** 2
        return -math.log(told) if name == "log" else 1 - told / math.hypot(told, 1 - told)

    return math.fsum(k * lost(a, b) for a, b, k in zip(y, p, w, strict=True)) / sum(w)


@given(forecasts())
def test_brier_is_exact(rows):
    y, p, w = rows
    exact = sum(k * (Fraction(q) - label) ** 2 for label, q, k in zip(y, p, w, strict=True)) / sum(w)
    assert cw.brier_loss(y, p, weight=w) == pytest.approx(float(exact), abs=1e-15)


@pytest.mark.parametrize("name", LOSSES)
@given(forecasts())
def test_losses_are_what_they_say(name, rows):
    y, p, w = rows
    assert LOSSES[name](y, p, weight=w) == pytest.approx(by_hand(name, y, p, w), rel=1e-13, abs=1e-15)


@pytest.mark.parametrize("kind", ["unweighted", "whole", "fractional"])
def test_scikit_learn_agrees(kind):
    rng = np.random.default_rng(0)
    for decimals in (1, 2, 16):
        p = np.clip(np.round(rng.random(500), decimals), 1e-3, 1 - 1e-3)
        y = rng.random(500) < p**2
        w = {"unweighted": None, "whole": rng.integers(1, 5, 500), "fractional": rng.random(500) + 0.01}[kind]
        brier, log = (f(y, p, weight=w) for f in (cw.brier_loss, cw.log_loss))
        assert brier == pytest.approx(metrics.brier_score_loss(y, p, sample_weight=w), abs=1e-13)
        assert log == pytest.approx(metrics.log_loss(y, p, sample_weight=w), abs=1e-13)


@every
@given(forecasts(max_size=10))
def test_whole_weights_mean_repetition(loss, rows):
    y, p, w = rows
    assert loss(y, p, weight=w) == loss(np.repeat(y, w), np.repeat(p, w))
    assert loss(y, p, weight=np.array(w) * 0.3) == pytest.approx(loss(y, p, weight=w), rel=1e-12)


@every
@given(forecasts())
def test_order_and_container_do_not_matter(loss, rows):
    y, p, _ = rows
    assert loss(y, p) == loss(y[::-1], np.array(p[::-1])) == loss(cw.sweep(y, p))
    assert loss([not v for v in y], [1 - v for v in p]) == pytest.approx(loss(y, p), rel=1e-9)


@every
def test_rows_of_no_weight_do_not_exist(loss):
    assert loss([*Y, 1], [*P, math.nan], weight=[1] * 6 + [0]) == loss(Y, P)


@every
def test_float32_is_read_exactly(loss):
    p = np.array(P, dtype=np.float32)
    assert loss(Y, p) == loss(Y, p.astype(np.float64))


@every
def test_pieces_add_up(loss, monkeypatch):
    rng = np.random.default_rng(1)
    p = np.round(rng.random(50), 2) * 0.98 + 0.01
    y = rng.random(50) < p
    untied = (y, p + np.arange(50) * 1e-9)
    expected = [loss(y, p), loss(*untied)]
    monkeypatch.setattr(_keys, "CHUNK", 7)
    assert [loss(y, p), loss(*untied)] == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("least", [1e-300, 1e-20, 0.01])
def test_logarithms_of_products_lose_nothing(least):
    rng = np.random.default_rng(4)
    p = least ** rng.random(1003)
    y = rng.random(1003) < 0.5
    assert cw.log_loss(y, p) == pytest.approx(by_hand("log", y, p, [1] * 1003), rel=1e-14)


@pytest.mark.parametrize("name", LOSSES)
def test_nobody_gains_by_saying_what_they_do_not_believe(name):
    """Of 100 rows 30 are positive: no constant costs less than 0.3, and that is the base rate's loss."""
    y = [1] * 30 + [0] * 70
    told = {q: LOSSES[name](y, [q] * 100) for q in np.arange(1, 100) / 100}
    assert min(told, key=told.get) == 0.3
    assert SKILLS[name](y, [0.3] * 100) == pytest.approx(0, abs=1e-12)


def test_infinite_log_loss_counts_the_rows_that_deserve_it():
    y, p = [1, 1, 0, 0, 1], [0.0, 0.0, 1.0, 0.5, 0.5]
    said = r"infinite: 3 of 5 rows gave probability 0.*\(2 positive with p = 0, 1 negative with p = 1\)"
    with pytest.warns(cw.CurvewiseWarning, match=said):
        assert cw.log_loss(y, p) == math.inf
    with pytest.warns(cw.CurvewiseWarning, match=said):
        assert cw.log_skill(y, p) == -math.inf
    with pytest.warns(cw.CurvewiseWarning, match=r"infinite: 0\.5 of a weight of 1 "):
        cw.log_loss([1, 0], [0.0, 0.4], weight=[0.5, 0.5])


def test_certain_and_right_costs_nothing():
    assert cw.log_loss([1, 0, 1], [1.0, 0.0, 0.5]) == pytest.approx(math.log(2) / 3)


def test_clip_is_one_number_for_every_dtype():
    narrow, wide = (cw.log_loss([1, 0, 1], np.array([0, 0.25, 0.75], dtype=t), clip=1e-12) for t in ("f4", "f8"))
    assert narrow == wide == pytest.approx((-math.log(1e-12) - 2 * math.log(0.75)) / 3, rel=1e-14)
    for clip in (0, 0.5, -1, "x"):
        with pytest.raises(cw.CurvewiseError, match="clip: expected a number strictly between 0 and"):
            cw.log_loss(Y, P, clip=clip)


@pytest.mark.parametrize("verb", [cw.brier_loss, cw.spherical_loss, cw.brier_skill, cw.decompose])
def test_predicted_labels_are_warned_of(verb):
    with pytest.warns(cw.CurvewiseWarning, match="no longer proper: pass probabilities"):
        verb([0, 1, 1], [0, 1, 0])
    with pytest.warns(cw.CurvewiseWarning, match="no longer proper"):
        verb([0, 1, 1], [True, True, True])


def test_one_class_has_losses_but_no_skill():
    assert cw.brier_loss([1, 1], [0.5, 0.9]) == pytest.approx(0.13)
    assert cw.log_loss([0, 0], [0.5, 0.5]) == pytest.approx(math.log(2))
    for skill in SKILLS.values():
        with pytest.raises(cw.UndefinedMetricError, match="skill score needs both classes: 0 of 2 rows"):
            skill([1, 1], [0.5, 0.9])


@pytest.mark.parametrize("name", LOSSES)
def test_skill_is_the_share_saved(name):
    share = LOSSES[name](Y, [0.5] * 6)
    assert SKILLS[name](Y, P) == pytest.approx(1 - LOSSES[name](Y, P) / share, abs=1e-14)


@pytest.mark.parametrize("name", LOSSES)
def test_intervals_are_those_of_a_mean(name):
    """A loss is a mean of rows, so its standard error is known; also where rows are drawn in bins."""
    rng = np.random.default_rng(2)
    for n, times in ((400, 800), (60_000, 150)):
        p = rng.beta(0.6, 2, n)
        y = rng.random(n) < p
        q = np.where(y, p, 1 - p)
        rows = {"brier": (1 - q) ** 2, "log": -np.log(q), "spherical": 1 - q / np.hypot(q, 1 - q)}[name]
        error = np.std(rows, ddof=1) / math.sqrt(n)
        found = cw.interval(f"{name}_loss", y, p, rng=0, replicates=times)
        assert found.value == LOSSES[name](y, p)
        assert found.low < found.value < found.high
        assert found.standard_error == pytest.approx(error, rel=3 / math.sqrt(2 * times))
        assert cw.interval(f"{name}_skill", y, p, rng=0, replicates=50).value == SKILLS[name](y, p)


def test_models_are_compared_on_the_same_rows():
    rng = np.random.default_rng(3)
    p = rng.random(300)
    y = rng.random(300) < p
    found = cw.compare(y, {"p": p, "p²": p**2}, metric="log_loss", rng=0, replicates=300)
    assert found.difference.value == pytest.approx(cw.log_loss(y, p) - cw.log_loss(y, p**2))
    assert found.difference.high < 0
    assert found.p_value < 0.05


def test_an_infinite_loss_has_no_interval():
    y, p = [1, 0, 1, 0] * 5, [0.0, 0.2, 0.9, 0.4] * 5
    with pytest.raises(cw.UndefinedMetricError, match=r"5 of 20 rows gave probability 0.*no interval; pass clip="):
        cw.interval("log_loss", y, p)
    assert cw.interval("log_loss", y, p, clip=0.01, rng=0, replicates=20).value < 3


@pytest.mark.filterwarnings("error")
def test_an_infinite_loss_has_no_test_either():
    y, p, other = [1, 0, 1, 0] * 5, [0.0, 0.2, 0.9, 0.4] * 5, [0.4, 0.2, 0.9, 0.1] * 5
    two = cw.compare(y, {"a": p, "b": other}, metric="log_loss")
    assert (two.difference.value, math.isnan(two.p_value), math.isnan(two.pairs[0].p_holm)) == (math.inf, True, True)
    three = cw.compare(y, {"a": p, "b": other, "c": other[::-1]}, metric="log_loss")
    assert three.omnibus is None
    assert three.pairs[2].p_holm == three.pairs[2].p_value < 1
    assert any("a: The log loss is infinite: 5 of 20 rows" in str(said) for said in three.notes)


def test_intervals_have_the_same_door():
    with pytest.raises(cw.CurvewiseError, match="look like percentages"):
        cw.interval("brier_loss", Y, [40.5, 30, 20, 10, 50, 90])


@pytest.mark.parametrize("name", ["brier", "log", "spherical"])
@pytest.mark.parametrize("less", [(0.0, 0.0), (0.3, 0.1)])
def test_the_variance_of_a_loss_if_probabilities_are_right(name, less):
    """Every row with either outcome, each with its probability: the variance of that distribution."""
    p, n = np.array([0.9, 0.6, 0.2]), np.array([1, 3, 4])
    sweep = cw.Sweep.from_counts(p, [1, 2, 0], [0, 1, 4])
    of = losses.LOSSES[name].of
    values = np.concatenate([of(p) - less[0], of(1 - p) - less[1]])
    chance = np.concatenate([p, 1 - p]) * np.tile(n, 2) / 8
    wanted = chance @ values**2 - (chance @ values) ** 2
    assert losses.LOSSES[name].expected_variance(sweep, less) == pytest.approx(wanted)


@pytest.mark.parametrize("name", ["brier", "log", "spherical"])
def test_the_variance_of_what_a_row_adds_to_a_skill(name):
    """A row adds (S·L₀ of the base rate - its own loss) / L₀, but for a constant; S = L/L₀."""
    p, n = np.array([0.9, 0.6, 0.2]), np.array([1, 3, 4])
    sweep = cw.Sweep.from_counts(p, [1, 2, 0], [0, 1, 4])
    of = losses.LOSSES[name].of
    base = 3 / 8 * of(np.array(3 / 8)) + 5 / 8 * of(np.array(5 / 8))
    loss = (of(np.array([0.9, 0.6, 0.6])).sum() + of(np.array([0.4, 0.8, 0.8, 0.8, 0.8])).sum()) / 8
    ratio = loss / base
    values = np.concatenate([ratio * of(np.array(3 / 8)) - of(p), ratio * of(np.array(5 / 8)) - of(1 - p)]) / base
    chance = np.concatenate([p, 1 - p]) * np.tile(n, 2) / 8
    wanted = chance @ values**2 - (chance @ values) ** 2
    assert find(f"{name}_skill").expected(sweep) == pytest.approx(wanted)


def test_an_infinite_loss_counts_the_rows_that_make_it():
    for y, p, told in (
        ([0, 1, 1], [1.0, 0.5, 0.25], "1 of 3 rows .* 0 positive with p = 0, 1 negative with p = 1"),
        ([1, 0, 0], [0.0, 0.5, 0.25], "1 of 3 rows .* 1 positive with p = 0, 0 negative with p = 1"),
    ):
        with pytest.warns(cw.CurvewiseWarning, match=told.replace(" .* ", " gave probability 0 to what happened .")):
            assert cw.log_loss(y, p) == math.inf
