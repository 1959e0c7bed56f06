"""The logistic fit on blocks: other programs' numbers, existence, weights, and its standard errors."""

from dataclasses import replace
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression

import curvewise as cw
from curvewise.core import keys
from curvewise.metric.blocks import read_blocks
from curvewise.metric.log_odds import log_odds
from curvewise.metric.logistic import _Model, _reach, fit_logistic, in_the_large_fit, slope_fit
from jackknife_oracle import settled


def table(name):
    return np.genfromtxt(files("curvewise.data") / name, delimiter=",", names=True, dtype=None, encoding="ascii")


def drawn(n=800, seed=0, decimals=2):
    rng = np.random.default_rng(seed)
    p = rng.beta(1, 3, n).round(decimals).clip(0.01, 0.99)
    y = rng.random(n) < 1 / (1 + np.exp(-(0.3 + 0.6 * log_odds(p))))
    return y, p


def blocks(y, p, **rows):
    return read_blocks(y, p, rows)[1]


def errors(fit):
    return np.sqrt(np.diag(fit.covariance))


# statsmodels 0.15.0, GLM(y, [1, logit(p)], Binomial) and GLM(y, [1], offset=logit(p)), tol 1e-14:
# intercept and slope, then the intercept beside the offset
STATSMODELS = {
    ("breast_cancer.csv", "malignant", "forest"): ([-0.01554221844155746, 0.9747295350252844], -0.006719663376108048),
    ("breast_cancer.csv", "malignant", "logistic"): ([0.21178276718112965, 1.1680936139345819], 0.08696925957800625),
    ("screening.csv", "disease", "model_b"): ([-1.9866130795719428, 0.5463830177277869], -1.7590739728096894),
}


@pytest.mark.parametrize("case", STATSMODELS)
def test_statsmodels(case):
    file, label, score = case
    data = table(file)
    both, large = STATSMODELS[case]
    found = blocks(data[label], data[score])
    fit, shift = slope_fit(found), in_the_large_fit(found)
    assert fit.coefficients == pytest.approx(both, abs=1e-9)
    assert shift.coefficients[0] == pytest.approx(large, abs=1e-9)


def test_fractional_weights_have_a_jackknife():
    data = table("screening.csv")
    y, p, weight = (np.asarray(data[k], dtype=float) for k in ("disease", "model_b", "weight"))
    fit = slope_fit(blocks(data["disease"], data["model_b"], weight=data["weight"]))
    # statsmodels 0.15.0 with freq_weights
    assert fit.coefficients == pytest.approx([-2.056375734106658, 0.5428614604280286], abs=1e-9)
    # HC3 by hand, row by row: each row's score over one less its leverage
    x = np.vstack([np.ones(len(p)), np.log(p / (1 - p))])
    chance = 1 / (1 + np.exp(-fit.coefficients @ x))
    bread = np.linalg.inv((x * weight * chance * (1 - chance)) @ x.T)
    leverage = np.einsum("ji,jk,ki->i", x, bread, x) * weight * chance * (1 - chance)
    scores = x * weight * (y - chance) / (1 - leverage)
    expected = np.sum((bread @ x * weight) ** 2 * chance * (1 - chance), axis=1)
    wanted = np.sqrt(np.diag(settled(bread @ scores, (len(p) - 1) / len(p), expected, np.inf)[0]))
    assert errors(fit) == pytest.approx(wanted, rel=1e-3)  # rows of one probability share their mean weight
    assert (fit.degrees > 60).all()


@pytest.mark.parametrize("weighted", [False, True])
def test_scikit_learn(weighted):
    y, p = drawn()
    weight = np.random.default_rng(1).random(len(y)) + 0.1 if weighted else None
    peer = LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000)
    peer.fit(log_odds(p)[:, None], y, sample_weight=weight)
    found = slope_fit(blocks(y, p, weight=weight) if weighted else blocks(y, p)).coefficients
    assert found == pytest.approx([peer.intercept_[0], peer.coef_[0, 0]], abs=1e-5)


def test_several_features_against_a_general_optimiser():
    y, p = drawn(300)
    features = np.vstack([np.ones(len(p)), np.log(p), -np.log1p(-p)])

    def loss(beta):
        eta = beta @ features
        return np.logaddexp(0, np.where(y, -eta, eta)).sum()

    best = minimize(loss, np.zeros(3), method="BFGS", options={"gtol": 1e-7})
    found = blocks(y, p)
    fit = fit_logistic(lambda some: [np.log(some.p), -np.log1p(-some.p)], found)
    assert fit.log_likelihood >= -best.fun - 1e-9
    assert fit.coefficients == pytest.approx(best.x, abs=1e-4)


def test_any_number_of_threads_gives_the_same_bits():
    y, p = drawn(600_000, decimals=8)
    found = blocks(y, p)
    cw.set_threads(1)
    one = slope_fit(found).coefficients
    cw.set_threads(3)
    assert slope_fit(found).coefficients.tolist() == one.tolist()


def test_narrow_probabilities_keep_their_digits():
    rng = np.random.default_rng(3)
    x = rng.normal(size=2000)
    p = 0.9 + 1e-6 * x
    y = rng.random(2000) < 1 / (1 + np.exp(-x))
    peer = LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000).fit(x[:, None], y)
    slope = slope_fit(blocks(y, p)).coefficients[1]
    assert slope == pytest.approx(peer.coef_[0, 0] * 0.09 / 1e-6, rel=1e-3)  # d logit = dp / (p(1 - p))


def test_counts_are_repetition_and_weights_have_no_unit():
    y, p = drawn(200)
    weight = np.random.default_rng(2).integers(1, 4, len(y))
    repeated, weighted = (
        slope_fit(blocks(y.repeat(weight), p.repeat(weight))),
        blocks(y, p, weight=weight, weight_kind="count"),
    )
    assert slope_fit(weighted).coefficients.tolist() == repeated.coefficients.tolist()
    assert errors(slope_fit(weighted)).tolist() == errors(repeated).tolist()
    fractional = slope_fit(blocks(y, p, weight=weight + 0.5))
    for unit in (1e-180, 1e180):
        other = slope_fit(blocks(y, p, weight=(weight + 0.5) * unit))
        assert other.coefficients == pytest.approx(fractional.coefficients, rel=1e-9)
        assert errors(other) == pytest.approx(errors(fractional), rel=1e-9)


@given(st.integers(0, 2**32 - 1))
def test_label_swap_turns_the_intercept_round(seed):
    y, p = drawn(60, seed)
    fit = slope_fit(blocks(y, p))
    turned = slope_fit(blocks(~y, 1 - p))
    assert turned.coefficients == pytest.approx([-fit.coefficients[0], fit.coefficients[1]], abs=1e-7)


@given(st.lists(st.tuples(st.booleans(), st.integers(1, 9)), min_size=2, max_size=12))
def test_a_fit_is_found_or_refused_exactly_when_it_exists(rows):
    y, p = np.array([r[0] for r in rows]), np.array([r[1] / 10 for r in rows])
    pos, neg = p[y], p[~y]
    exists = len(pos) and len(neg) and pos.min() < neg.max() and neg.min() < pos.max()
    if not exists:
        with pytest.raises(cw.UndefinedMetricError):
            slope_fit(blocks(y, p))
        return
    fit = slope_fit(blocks(y, p))
    chance = 1 / (1 + np.exp(-(fit.coefficients[0] + fit.coefficients[1] * log_odds(p))))
    # the score equations of maximum likelihood
    assert np.sum(y - chance) == pytest.approx(0, abs=1e-7)
    assert np.sum((y - chance) * log_odds(p)) == pytest.approx(0, abs=1e-7)


@pytest.mark.parametrize(
    ("y", "p", "words"),
    [
        ([0, 0, 1, 1], [0.1, 0.2, 0.3, 0.4], "separate the classes perfectly"),
        ([0, 0, 1, 1], [0.4, 0.3, 0.2, 0.1], "separate the classes perfectly"),
        ([0, 0, 1, 1], [0.1, 0.3, 0.3, 0.4], "separate the classes perfectly"),
        ([0, 1], [0.3, 0.3], "two different probabilities or more: all are 0.3"),
        ([0, 0], [0.3, 0.4], "0 of 2 rows with a probability between 0 and 1 are positive"),
        ([0, 1, 1], [0.3, 0.0, 0.5], r"turned out otherwise \(1 of 3\)"),
        ([0, 0, 1], [0.3, 1.0, 0.5], r"turned out otherwise \(1 of 3\)"),
    ],
)
def test_why_there_is_no_slope(y, p, words):
    with pytest.raises(cw.UndefinedMetricError, match=words):
        slope_fit(blocks(y, p))


def test_certain_and_right_rows_are_what_clipping_tends_to():
    y, p = drawn(200)
    more_y, more_p = np.append(y, [0, 0, 1]), np.append(p, [0.0, 0.0, 1.0])
    fit = slope_fit(blocks(more_y, more_p))
    assert fit.left_out == 3
    assert fit.coefficients.tolist() == slope_fit(blocks(y, p)).coefficients.tolist()
    clipped = slope_fit(blocks(more_y, more_p.clip(1e-15, 1 - 1e-15)))
    assert clipped.coefficients == pytest.approx(fit.coefficients, abs=1e-6)


def test_endless_likelihood_is_refused():
    found = blocks([0, 0, 1, 1], [0.1, 0.2, 0.3, 0.4])
    with pytest.raises(cw.UndefinedMetricError, match="no finite answer"):
        fit_logistic(lambda some: [log_odds(some.p)], found)


@pytest.mark.parametrize("seed", range(1, 30, 4))
def test_one_row_of_a_class_is_enough_for_calibration_in_the_large(seed):
    p = 0.5 + 1e-9 * np.random.default_rng(seed).random(3000)
    y = np.arange(3000) > 0
    assert cw.score("calibration_in_the_large", y, p) == pytest.approx(np.log(2999), abs=1e-7)


def test_features_are_taken_in_units_of_mean_and_standard_deviation():
    """Values 1, 2 and 4 with weights 1, 2 and 1: mean 9/4, mean square 25/4, mean of squares 25/4 - (9/4)²."""
    model = _Model([np.array([1.0, 2, 4])], None, np.array([1.0, 0, 1]), np.array([0.0, 2, 0]), intercept=True)
    assert model.standardised().units == (pytest.approx((9 / 4, np.sqrt(25 / 4 - 81 / 16))),)
    assert replace(model, intercept=False).standardised().units == (pytest.approx((0, 5 / 2)),)
    assert replace(model, features=[np.full(3, 7.0)]).standardised().units == ((7, 1),)  # nothing to divide by


def test_where_a_class_begins_and_ends_in_pieces(monkeypatch):
    monkeypatch.setattr(keys, "CHUNK", 2)
    assert _reach(np.array([0, 1.0, 0, 0, 2, 0, 0])) == (1, 4)


@pytest.mark.parametrize("y", [[0, 0, 1, 1], [1, 1, 0, 0]])
def test_classes_that_meet_in_one_probability_have_no_slope(y):
    with pytest.raises(cw.CurvewiseError, match="separate the classes perfectly"):
        slope_fit(blocks(y, [0.9, 0.5, 0.5, 0.1]))


def test_no_row_is_left_out_unless_said():
    assert fit_logistic(lambda b: [b.odds], blocks(*drawn(50))).left_out == 0


def test_the_bend_is_the_mean_cube_of_the_larger_half_of_a_cell():
    """Steps of 2 and 4, and of 1 and 1, in cells of weights 1 and 3: (64 + 3)/4."""
    odds = np.array([3.0, 2, 0, 7, 6.5, 6])
    positives, negatives = np.array([1.0, 0, 0, 1, 0, 1]), np.array([0.0, 0, 0, 0, 1, 0])
    model = _Model([odds], None, positives, negatives, intercept=True, units=((1.0, 0.5),))
    assert model.bend(np.array([5.0, 1.0])) == pytest.approx(67 / 4)


def test_a_step_that_overshoots_is_halved():
    """Half of the rows are positive where log odds are -10: the first of Newton's steps would add 11 000."""
    found = in_the_large_fit(blocks([0, 1], [1 / (1 + np.exp(10))] * 2))
    assert found.coefficients == pytest.approx([10])
    assert found.log_likelihood == pytest.approx(2 * np.log(0.5))


def test_rows_within_strata_have_the_variance_within_them():
    """A⁻¹BA⁻¹ with A the information and B the sum over strata of G/(G - 1)·Σ(z - z̄)(z - z̄)', z = x(y - π)/(1 - h).

    Times (59/60)², so that one stratum is as good as none.
    """
    y, p = drawn(60, decimals=8)
    stratum = np.arange(60) % 3
    fit = slope_fit(blocks(y, p, stratum=stratum))
    x = np.stack([np.ones(60), log_odds(p)])
    chance = 1 / (1 + np.exp(-fit.coefficients @ x))
    inverse = np.linalg.inv(x * chance * (1 - chance) @ x.T)
    z = x * (y - chance) / (1 - np.sum(x * (inverse @ x), axis=0) * chance * (1 - chance))
    within = sum(20 * np.cov(z[:, stratum == k], ddof=1) for k in range(3))
    assert fit.covariance == pytest.approx(inverse @ within @ inverse * (59 / 60) ** 2)
    assert ((fit.degrees > 20) & (fit.degrees <= 57)).all()


def test_the_information_is_that_of_the_answer():
    """Also where the last of Newton's steps was not the smallest."""
    for seed in range(60):
        y, p = drawn(60, seed)
        fit = slope_fit(blocks(y, p))
        x = np.stack([np.ones(60), log_odds(p)])
        chance = 1 / (1 + np.exp(-fit.coefficients @ x))
        inverse = np.linalg.inv(x * chance * (1 - chance) @ x.T)
        z = inverse @ x * (y - chance) / (1 - np.sum(x * (inverse @ x), axis=0) * chance * (1 - chance))
        wanted, _ = settled(z, 59 / 60, np.diag(inverse), np.inf)
        assert fit.covariance == pytest.approx(wanted, rel=1e-8)
