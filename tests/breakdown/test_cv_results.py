"""Folds made of what scikit-learn's cross_validate returned equal hand-made loops."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import (
    KFold,
    LeaveOneOut,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_validate,
)
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import curvewise as cw

KEPT = {"return_estimator": True, "return_indices": True}


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(8)
    y = (np.arange(120) % 3 == 0).astype(int)
    return rng.normal(size=(120, 3)) + 0.8 * y[:, None], y


@pytest.mark.parametrize("model", [LogisticRegression(), LinearSVC()], ids=["predict_proba", "decision_function"])
def test_values_are_those_of_scikit_learn(data, model):
    X, y = data
    result = cross_validate(model, X, y, cv=StratifiedKFold(4), scoring="roc_auc", **KEPT)
    found = cw.Folds.from_cv_results(result, X, y)
    assert [f.estimates["score"].value for f in found.folds] == pytest.approx(result["test_score"], abs=1e-15)
    assert [(f.name, f.rows, f.train_size) for f in found.folds] == [(str(k), 30, 90) for k in (1, 2, 3, 4)]
    assert found.repeats == 1


@pytest.mark.parametrize("model", [LogisticRegression(), LinearSVC()], ids=["predict_proba", "decision_function"])
def test_named_classes_and_the_positive_one(data, model):
    X, y = data
    named = np.where(y, "b", "a")
    cv = StratifiedKFold(4)
    plain = cw.Folds.from_cv_results(cross_validate(model, X, y, cv=cv, **KEPT), X, y).mean.value
    result = cross_validate(model, X, named, cv=cv, **KEPT)
    assert cw.Folds.from_cv_results(result, X, named).mean.value == plain  # classes_[1] is "b"
    turned = cw.Folds.from_cv_results(result, X, named, positive="a")
    assert turned.mean.value == pytest.approx(plain)  # scores of "a" rank "a" as well
    assert turned.folds[0].positives == 20
    with pytest.raises(cw.CurvewiseError, match="knows no class 'c'"):
        cw.Folds.from_cv_results(result, X, named, positive="c")


def test_repeats_and_training_sizes(data):
    X, y = data
    cv = RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=0)
    results = {
        name: cross_validate(m, X, y, cv=cv, **KEPT) for name, m in (("a", LogisticRegression()), ("b", LinearSVC()))
    }
    found = cw.Folds.from_cv_results(results, X, y)
    assert (found.repeats, len(found.folds)) == (3, 12)
    assert [(f.repeat, f.name) for f in found.folds][3:5] == [("1", "4"), ("2", "1")]
    apart = []
    for k, test in enumerate(results["a"]["indices"]["test"]):
        p = results["a"]["estimator"][k].predict_proba(X[test])[:, 1]
        s = results["b"]["estimator"][k].decision_function(X[test])
        apart.append(roc_auc_score(y[test], p) - roc_auc_score(y[test], s))
    t = np.mean(apart) / np.sqrt((1 / 12 + 30 / 90) * np.var(apart, ddof=1))
    assert found.compare("a", "b").statistic == pytest.approx(t)


def test_splits_that_share_rows_know_their_own_training_size(data):
    X, y = data
    cv = ShuffleSplit(6, test_size=0.2, train_size=0.5, random_state=0)
    found = cw.Folds.from_cv_results(cross_validate(LogisticRegression(), X, y, cv=cv, **KEPT), X, y)
    assert {(f.rows, f.train_size) for f in found.folds} == {(24, 60)}
    assert found.repeats > 1


def test_frames_weights_and_metrics(data):
    import pandas as pd
    import polars as pl

    X, y = data
    weight = np.where(np.arange(120) < 60, 2.0, 1.0)
    cv = StratifiedKFold(4, shuffle=True, random_state=1)
    result = cross_validate(LogisticRegression(), X, y, cv=cv, **KEPT)
    found = cw.Folds.from_cv_results(result, X, y, weight=weight, metric="average_precision", replicates=20)
    test = result["indices"]["test"][0]
    p = result["estimator"][0].predict_proba(X[test])[:, 1]
    assert found.folds[0].estimates["score"].value == cw.average_precision(y[test], p, weight=weight[test])
    names = ["x1", "x2", "x3"]
    for frame in (pd.DataFrame(X, columns=names), pl.DataFrame(X, schema=names)):
        framed = cross_validate(LogisticRegression(), frame, y, cv=cv, **KEPT)
        assert cw.Folds.from_cv_results(framed, frame, pd.Series(y)).mean == cw.Folds.from_cv_results(result, X, y).mean


def test_what_cannot_be_read(data):
    X, y = data
    whole = cross_validate(LogisticRegression(), X, y, cv=StratifiedKFold(4), **KEPT)
    other = cross_validate(LogisticRegression(), X, y, cv=KFold(5), **KEPT)
    three = np.arange(120) % 3
    many = cross_validate(DecisionTreeClassifier(), X, three, cv=StratifiedKFold(4), **KEPT)
    one = cross_validate(LogisticRegression(), X, y, cv=LeaveOneOut(), **KEPT)
    cases = [
        ("no 'indices'; expected what cross_validate", lambda: (without(whole, "indices"), y)),
        ("no 'estimator'", lambda: (without(whole, "estimator"), y)),
        ("expected what cross_validate", lambda: (3, y)),
        ("not held out in the same folds", lambda: ({"a": whole, "b": other}, y)),
        ("expected two classes, got 3", lambda: (many, three)),
        ("leave-one-out", lambda: (one, y)),
    ]
    for words, make in cases:
        result, labels = make()
        with pytest.raises(cw.CurvewiseError, match=words):
            cw.Folds.from_cv_results(result, X, labels)
    with pytest.raises(cw.OptionError, match="fold: the results of cross-validation say it themselves"):
        cw.Folds.from_cv_results(whole, X, y, fold=y)


def without(result, name):
    return {key: value for key, value in result.items() if key != name}
