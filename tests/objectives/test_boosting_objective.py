"""The objective for XGBoost and LightGBM: gradient, hessian, all four interfaces, gain in the objective."""

import pickle

import numpy as np
import pytest

import curvewise as cw

Boosting = cw.objectives.BoostingObjective


def data(n=1500, seed=1):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.25
    x = rng.normal(size=(n, 4))
    x[:, 0] += np.where(y, 1.0, 0.0)
    x[:, 1] *= np.where(y, 2.0, 1.0)
    return x, y.astype(int)


def smooth(y, score, **options):
    return cw.objectives.partial_auc(y, score, spread=1.0, temperature=2.0, **options).value


def test_gradient_is_that_of_the_loss_and_the_hessian_is_positive():
    _, y = data(300)
    rng = np.random.default_rng(2)
    score, weight = rng.normal(size=300) + y, rng.integers(0, 4, 300).astype(float)
    gradient, hessian = Boosting(fpr=0.2, tpr=0.3)(y, score, weight)
    of = {"fpr": 0.2, "tpr": 0.3, "weight": weight}
    for row in (0, 7, 100, 250):
        step = np.where(np.arange(300) == row, 1e-6, 0)
        slope = (smooth(y, score + step, **of) - smooth(y, score - step, **of)) / 2e-6
        assert gradient[row] == pytest.approx(-weight.sum() / 2 * slope, abs=1e-6)
    assert (hessian > 0).all()
    assert hessian[y == 1].sum() == pytest.approx(weight.sum() / 2 / 8)
    assert hessian[y == 0].sum() == pytest.approx(weight.sum() / 2 / 8)


def test_equal_scores_are_a_start():
    gradient, _ = Boosting(fpr=0.1)(np.array([0, 0, 1, 1]), np.zeros(4))
    np.testing.assert_allclose(gradient, [0.125, 0.125, -0.125, -0.125])


def test_it_can_be_pickled_and_options_are_checked():
    assert pickle.loads(pickle.dumps(Boosting(fpr=0.1))) == Boosting(fpr=0.1)
    with pytest.raises(cw.OptionError, match="fpr"):
        Boosting(fpr=0)
    with pytest.raises(cw.UndefinedMetricError, match="needs both classes"):
        Boosting()(np.zeros(3), np.arange(3.0))


def lightgbm_scores(native, weight, rounds):
    lightgbm = pytest.importorskip("lightgbm")
    x, y = data()
    options = {"num_leaves": 7, "learning_rate": 0.1, "verbose": -1, "num_threads": 1}
    if native:
        rows = lightgbm.Dataset(x, y, weight=weight)
        return lightgbm.train({"objective": Boosting(fpr=0.1), **options}, rows, num_boost_round=rounds).predict(x)
    model = lightgbm.LGBMClassifier(objective=Boosting(fpr=0.1), n_estimators=rounds, **options)
    return model.fit(x, y, sample_weight=weight).predict(x, raw_score=True)


def xgboost_scores(native, weight, rounds):
    xgboost = pytest.importorskip("xgboost")
    x, y = data()
    if native:
        rows = xgboost.DMatrix(x, y, weight=weight)
        options = {"max_depth": 3, "eta": 0.1, "nthread": 1, "base_score": 0.0}
        model = xgboost.train(options, rows, num_boost_round=rounds, obj=Boosting(fpr=0.1))
        return model.predict(rows, output_margin=True)
    model = xgboost.XGBClassifier(
        objective=Boosting(fpr=0.1), n_estimators=rounds, max_depth=3, learning_rate=0.1, n_jobs=1
    )
    return model.fit(x, y, sample_weight=weight).predict(x, output_margin=True)


@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("native", [False, True], ids=["scikit-learn", "native"])
@pytest.mark.parametrize("scores", [lightgbm_scores, xgboost_scores], ids=["lightgbm", "xgboost"])
def test_every_interface_raises_the_objective(scores, native, weighted):
    x, y = data()
    weight = np.where(x[:, 2] > 0, 1.0, 3.0) if weighted else None
    few, many = (scores(native, weight, rounds) for rounds in (10, 60))
    rates = [cw.partial_roc_auc(y, s, fpr=(0, 0.1), scale="mean", weight=weight) for s in (few, many)]
    values = [smooth(y, s, fpr=0.1, weight=weight) for s in (few, many)]
    assert values[1] > values[0] + 0.02  # equal scores have 0.5, which the first rounds need not reach
    assert rates[1] > rates[0] + 0.05


@pytest.mark.parametrize("scores", [lightgbm_scores, xgboost_scores], ids=["lightgbm", "xgboost"])
def test_both_interfaces_of_a_library_agree_and_weights_matter(scores):
    x, _ = data()
    weight = np.where(x[:, 2] > 0, 1.0, 3.0)
    one, other = scores(False, weight, 5), scores(True, weight, 5)
    np.testing.assert_allclose(one - one.mean(), other - other.mean(), atol=1e-5)
    assert np.abs(scores(True, None, 5) - other).max() > 0.01
