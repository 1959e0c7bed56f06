"""Scorers against loops made by hand: labels of any kind, any class positive, every metric."""

import copy
import math
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.metrics import get_scorer, make_scorer
from sklearn.model_selection import (
    GridSearchCV,
    RandomizedSearchCV,
    StratifiedKFold,
    TunedThresholdClassifierCV,
    cross_val_score,
    cross_validate,
)
from sklearn.multioutput import MultiOutputClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import curvewise as cw
from curvewise.metric.registry import every

X, Y01 = make_classification(400, 6, weights=[0.7], flip_y=0.1, class_sep=0.7, random_state=1)
FOLDS = StratifiedKFold(4, shuffle=True, random_state=0)
MODEL = LinearDiscriminantAnalysis()  # has both kinds of scores, and is quick to fit
OPTIONS = {"fpr": 0.2, "specificity": 0.8, "sensitivity": 0.7, "recall": 0.6, "precision": 0.5, "at_fraction": 0.3}
# as labels of 0 and 1, and which class is positive; None is classes_[1]
LABELS = {
    "0-1": (Y01, None),
    "0 positive": (Y01, 0),
    "text": (np.array(["b", "c"])[Y01], None),
    "first text positive": (np.array(["b", "c"])[Y01], "b"),
    "reversed text": (np.array(["well", "ill"])[Y01], "ill"),
    "objects": (np.array(["well", "ill"], dtype=object)[Y01], "ill"),
    "bool": (Y01.astype(bool), None),
    "-1 and 1": (2 * Y01 - 1, -1),
    "numbers": (Y01 + 1, None),
}


def own_options(m, threshold=None):
    given = {name: OPTIONS.get(name, 0.5) for name in m.required if (m.family, name) != ("threshold", "threshold")}
    return {**(m.shown or {}), **given, **({} if threshold is None else {"threshold": threshold})}


def by_hand(model, y, positive, read, method):
    """Fit each fold, take the scores of the positive class, and read."""
    found = []
    for train, test in FOLDS.split(X, y):
        fitted = clone(model).fit(X[train], y[train])
        classes = list(fitted.classes_)
        place = 1 if positive is None else classes.index(positive)
        if method == "predict":
            said = fitted.predict(X[test]) == classes[place]
        elif method == "predict_proba":
            said = fitted.predict_proba(X[test])[:, place]
        else:
            said = fitted.decision_function(X[test]) * (1 if place == 1 else -1)
        found.append(read(y[test] == classes[place], said))
    return np.array(found)


@pytest.mark.parametrize("coding", LABELS)
@pytest.mark.parametrize("method", ["decision_function", "predict_proba"])
def test_any_labels_and_any_positive_class(coding, method):
    y, positive = LABELS[coding]
    scorer = cw.scorer("partial_auc", fpr=(0, 0.2), positive=positive, response_method=method)
    expected = by_hand(MODEL, y, positive, lambda t, s: cw.partial_roc_auc(t, s, fpr=(0, 0.2)), method)
    np.testing.assert_array_equal(cross_val_score(MODEL, X, y, cv=FOLDS, scoring=scorer), expected)


@pytest.mark.parametrize("coding", LABELS)
@pytest.mark.parametrize("metric", ["precision", "fpr"])
def test_predicted_labels(coding, metric):
    y, positive = LABELS[coding]
    expected = by_hand(MODEL, y, positive, lambda t, s: getattr(cw.confusion_from_labels(t, s), metric), "predict") * (
        -1 if metric == "fpr" else 1
    )
    found = cross_val_score(MODEL, X, y, cv=FOLDS, scoring=cw.scorer(metric, positive=positive))
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("m", every(), ids=lambda m: m.name)
def test_every_metric_through_cross_validate(m):
    y, positive = LABELS["first text positive"]
    sign = -1 if m.better == "lower" else 1
    asked = {"scores": own_options(m, 0.6 if m.family == "threshold" else None)}
    if m.family == "threshold":
        asked["labels"] = own_options(m)
    for kind, options in asked.items():
        scorer = cw.scorer(m.name, positive=positive, response_method="auto", **options)
        (method, *_) = scorer._response_method

        def read(truth, said, kind=kind, options=options):
            given = {**options, "threshold": 1} if kind == "labels" else options
            return cw.score(m.name, truth, said, **given)

        values = by_hand(MODEL, y, positive, read, method)
        expected = -np.abs(values - m.target) if m.better == "target" else sign * values
        found = cross_validate(MODEL, X, y, cv=FOLDS, scoring=scorer, error_score="raise")["test_score"]
        np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("name", ["roc_auc", "average_precision", "neg_brier_score", "neg_log_loss", "f1", "accuracy"])
def test_the_same_numbers_as_the_scorers_of_scikit_learn(name):
    ours = cw.scorer({"neg_brier_score": "brier_loss", "neg_log_loss": "log_loss"}.get(name, name))
    theirs = get_scorer(name)
    tree = DecisionTreeClassifier(max_depth=3, random_state=0)  # its log loss is infinite, and clipped by theirs
    for model in (MODEL, *(() if name == "neg_log_loss" else (tree,))):
        found, expected = (cross_val_score(model, X, Y01, cv=FOLDS, scoring=s) for s in (ours, theirs))
        np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_make_scorer_is_wrong_where_this_is_right():
    # P("well") instead of P("ill"): the trap, of which no function of labels and scores can know
    y, fitted = np.array(["well", "ill"])[Y01], LogisticRegression()
    fitted.fit(X, y)
    right = cw.roc_auc(y == "ill", fitted.predict_proba(X)[:, list(fitted.classes_).index("ill")])
    trap = make_scorer(cw.roc_auc, response_method="predict_proba", positive="ill")
    assert trap(fitted, X, y) == pytest.approx(1 - right)
    assert cw.scorer("roc_auc", positive="ill")(fitted, X, y) == pytest.approx(right)
    with pytest.raises(cw.UnknownOptionError, match=r"'positive'.*cw\.scorer"):
        make_scorer(cw.roc_auc, response_method="predict_proba", pos_label="ill")(fitted, X, y)


def test_several_scorers_each_get_the_scores_of_their_class():
    # scikit-learn keeps what a method answered, whichever class it was asked for
    y = np.array(["b", "c"])[Y01]
    several = {
        "c": cw.scorer("brier", positive="c"),
        "b": cw.scorer("recall_at_fpr", fpr=0.1, positive="b"),
        "theirs": make_scorer(lambda t, p, pos_label: cw.brier_loss(t, p, positive="b"),
                              response_method="predict_proba", pos_label="b"),
        "c again": cw.scorer("log_loss", positive="c"),
        "b again": cw.scorer("brier", positive="b"),
        "f1": cw.scorer("f1", positive="b"),
        "precision": cw.scorer("precision", positive="c"),
    }  # fmt: skip
    found = cross_validate(MODEL, X, y, cv=FOLDS, scoring=several)
    for name, scorer in several.items():
        np.testing.assert_array_equal(found[f"test_{name}"], cross_val_score(MODEL, X, y, cv=FOLDS, scoring=scorer))
    assert found["test_c again"] == pytest.approx(-by_hand(MODEL, y, "c", cw.log_loss, "predict_proba"), rel=1e-12)


class Counting(LinearDiscriminantAnalysis):
    """Count how often probabilities are asked for."""

    calls = 0

    def predict_proba(self, X):
        type(self).calls += 1
        return super().predict_proba(X)


def test_scorers_of_one_class_share_what_the_model_says():
    Counting.calls = 0
    cross_validate(Counting(), X, Y01, cv=FOLDS, scoring={m: cw.scorer(m) for m in ("brier", "log_loss", "ece")})
    assert Counting.calls == FOLDS.get_n_splits()


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_grid_search_equals_a_loop(n_jobs):
    y, grid = np.array(["well", "ill"])[Y01], [0.001, 0.03, 1.0, 30.0]
    scorer = cw.scorer("partial_roc_auc", fpr=(0, 0.1), positive="ill")
    search = GridSearchCV(LogisticRegression(), {"C": grid}, scoring=scorer, cv=FOLDS, n_jobs=n_jobs).fit(X, y)
    means = [
        by_hand(LogisticRegression(C=c), y, "ill", lambda t, s: cw.partial_roc_auc(t, s, fpr=(0, 0.1)),
                "decision_function").mean()
        for c in grid
    ]  # fmt: skip
    np.testing.assert_allclose(search.cv_results_["mean_test_score"], means, rtol=1e-12)
    assert search.best_params_["C"] == grid[int(np.argmax(means))]
    assert len(set(means)) > 1
    assert search.score(X, y) == scorer(search.best_estimator_, X, y)
    assert scorer(search, X, y) == scorer(search.best_estimator_, X, y)


def test_a_loss_is_made_small_by_a_random_search():
    search = RandomizedSearchCV(
        LogisticRegression(), {"C": [1e-6, 1.0]}, n_iter=2, scoring=cw.scorer("log_loss"), cv=FOLDS, random_state=0
    ).fit(X, Y01)
    losses = [by_hand(LogisticRegression(C=c), Y01, None, cw.log_loss, "predict_proba").mean() for c in (1e-6, 1.0)]
    assert search.best_params_["C"] == 1.0
    assert losses[1] < losses[0]
    assert search.best_score_ == pytest.approx(-losses[1])


def test_weights_with_and_without_metadata_routing():
    w = np.random.default_rng(0).integers(1, 5, len(X))
    fitted = MODEL.fit(X, Y01)
    scorer = cw.scorer("roc_auc")
    expected = cw.roc_auc(Y01, fitted.decision_function(X), weight=w)
    assert scorer(fitted, X, Y01, sample_weight=w) == expected
    assert scorer(fitted, X, Y01) != expected
    f1 = cw.scorer("f1")(fitted, X, Y01, sample_weight=w)
    assert f1 == cw.confusion_from_labels(Y01, fitted.predict(X), weight=w).f1
    with sklearn.config_context(enable_metadata_routing=True):
        both = {str(b): cw.scorer("roc_auc").set_score_request(sample_weight=b) for b in (True, False)}
        found = cross_validate(MODEL, X, Y01, cv=FOLDS, scoring=both, params={"sample_weight": w})
        with pytest.raises(cw.UnknownOptionError, match=r"unknown option of scorer.*sample_weight"):
            cw.scorer("roc_auc").set_score_request(colour=True)(fitted, X, Y01, colour=w)
    folds = [(clone(MODEL).fit(X[a], Y01[a]), b) for a, b in FOLDS.split(X, Y01)]
    assert found["test_True"].tolist() == [cw.roc_auc(Y01[b], m.decision_function(X[b]), weight=w[b]) for m, b in folds]
    assert found["test_False"].tolist() == [cw.roc_auc(Y01[b], m.decision_function(X[b])) for m, b in folds]


def test_pickled_copied_cloned():
    fitted = MODEL.fit(X, Y01)
    for scorer in (cw.scorer("mcc"), cw.scorer("pauc", fpr=(0, 0.3), positive=0), cw.scorer(cw.roc_auc)):
        for again in (pickle.loads(pickle.dumps(scorer)), copy.deepcopy(scorer), clone(scorer, safe=False)):
            assert repr(again) == repr(scorer)
            assert again(fitted, X, Y01) == scorer(fitted, X, Y01)


def test_repr_says_what_is_returned():
    assert repr(cw.scorer("auc")) == "scorer('roc_auc'): roc_auc, from decision_function or predict_proba"
    assert repr(cw.scorer("brier", positive=0)) == "scorer('brier_loss', positive=0): -brier_loss, from predict_proba"
    assert repr(cw.scorer("citl")).startswith("scorer('calibration_in_the_large'): -|calibration_in_the_large - 0|")
    assert repr(cw.scorer("fnr")) == "scorer('fnr'): -fnr, from predict"


def test_a_function_of_a_sweep():
    fitted = MODEL.fit(X, Y01)
    scorer = cw.scorer(lambda sweep: float(sweep.positives))
    assert scorer(fitted, X, Y01) == Y01.sum()
    with pytest.raises(cw.UnknownOptionError, match="takes no options"):
        cw.scorer(lambda sweep: 1.0, fpr=0.1)


@pytest.mark.parametrize("coding", LABELS)
@pytest.mark.parametrize("metric", ["f1", "youden", "mcc", "npv", "balanced_error"])
def test_tuned_threshold(coding, metric):
    y, positive = LABELS[coding]
    scorer = cw.scorer(metric, positive=positive)
    thresholds = np.linspace(0.05, 0.95, 19)
    tuned = TunedThresholdClassifierCV(
        MODEL, scoring=scorer, cv=FOLDS, thresholds=thresholds, store_cv_results=True
    ).fit(X, y)

    def values(truth, p):
        """Read at each threshold; the worst where no row, or every row, is flagged and it is undefined."""
        sign, worst = (-1, -1) if metric == "balanced_error" else (1, -1 if metric == "mcc" else 0)
        tables = [cw.confusion(truth, p, threshold=t) for t in thresholds]
        return [worst if math.isnan(getattr(c, metric)) else sign * getattr(c, metric) for c in tables]

    expected = by_hand(MODEL, y, positive, values, "predict_proba").mean(axis=0)
    np.testing.assert_allclose(tuned.cv_results_["scores"], expected, rtol=1e-12)
    assert tuned.best_threshold_ == thresholds[np.argmax(expected)]
    place = 1 if positive is None else list(tuned.classes_).index(positive)
    flagged = tuned.estimator_.predict_proba(X)[:, place] >= tuned.best_threshold_
    np.testing.assert_array_equal(tuned.predict(X), tuned.classes_[np.where(flagged, place, 1 - place)])


def test_tuned_threshold_with_the_ends_of_the_scores():
    # at the lowest score every row is flagged, where MCC is 0/0; it must not be chosen
    tuned = TunedThresholdClassifierCV(MODEL, scoring=cw.scorer("mcc"), cv=FOLDS).fit(X, Y01)
    assert 0.1 < tuned.best_threshold_ < 0.9


@pytest.mark.parametrize(
    ("scorer", "message"),
    [
        (cw.scorer("roc_auc"), "judges predicted labels, and roc_auc reads scores"),
        (cw.scorer("f1", threshold=0.3), "without threshold="),
        (cw.scorer("lr_positive"), "infinite"),
    ],
)
def test_tuned_threshold_refuses(scorer, message):
    with pytest.raises(cw.CurvewiseError, match=message):
        TunedThresholdClassifierCV(MODEL, scoring=scorer, cv=FOLDS).fit(X, Y01)


def test_labels_alone_need_a_name_where_one_class_is_left():
    read = cw.scorer("precision")._score_func
    assert read(["b", "c"], ["b", "c"]) == 1
    assert read([0, 0], [0, 0]) == 0  # nothing is flagged: the worst
    assert read([1, 1], [1, 1]) == 1
    with pytest.raises(cw.OptionError, match="positive: all rows of a fold are of class 'b'"):
        read(["b", "b"], ["b", "b"])
    with pytest.raises(cw.UndefinedMetricError):  # by the truth, at any threshold
        cw.scorer("recall")._score_func([0, 0], [0, 1])


@pytest.mark.parametrize("average", ["macro", "weighted", "micro"])
@pytest.mark.parametrize("metric", ["roc_auc", "average_precision", "f1", "brier_loss"])
def test_many_classes(average, metric):
    y = np.array(["x", "y", "z"])[np.digitize(X[:, 0] + Y01, [-0.5, 1])]
    scorer = cw.scorer(metric, average=average)
    folds = [(clone(MODEL).fit(X[a], y[a]), b) for a, b in FOLDS.split(X, y)]
    found = cross_val_score(MODEL, X, y, cv=FOLDS, scoring=scorer)
    expected = [
        (-1 if metric == "brier_loss" else 1)
        * cw.multiclass(
            y[b],
            m.predict_proba(X[b]) if metric == "brier_loss" else None if metric == "f1" else m.decision_function(X[b]),
            predicted=m.predict(X[b]) if metric == "f1" else None,
            classes=m.classes_,
        ).average(metric, average)
        for m, b in folds
    ]
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    if metric == "f1":
        theirs = cross_val_score(MODEL, X, y, cv=FOLDS, scoring=f"f1_{average}")
        np.testing.assert_allclose(found, theirs, rtol=1e-12)


def test_one_class_in_a_fold_is_nan_with_a_warning_of_scikit_learn():
    order = np.argsort(Y01, kind="stable")
    folds = [(np.arange(50, 400), np.arange(50))]
    with pytest.warns(UserWarning, match="Scoring failed"):
        found = cross_val_score(MODEL, X[order], Y01[order], cv=folds, scoring=cw.scorer("roc_auc"))
    assert np.isnan(found).all()
    # what one class defines is read with the positive class of the model, not of the fold
    y = np.array(["b", "c"])[Y01[order]]
    loss = cross_val_score(MODEL, X[order], y, cv=folds, scoring=cw.scorer("brier"))
    p = clone(MODEL).fit(X[order][50:], y[50:]).predict_proba(X[order][:50])[:, 1]
    assert loss == pytest.approx(-np.mean(p**2))


BAD = [
    (lambda: cw.scorer("nonsense"), "no metric 'nonsense'"),
    (lambda: cw.scorer("roc_auc", fpr=0.1), "fpr: unknown option of roc_auc"),
    (lambda: cw.scorer("roc_auc", positve=1), "did you mean 'positive'"),
    (lambda: cw.scorer("roc_auc", threshold=0.5), "not a number at a threshold"),
    (lambda: cw.scorer("recall_at_fpr"), "pass fpr="),
    (lambda: cw.scorer("partial_roc_auc", fpr=(0, 2)), "fpr: expected a pair"),
    (lambda: cw.scorer("partial_roc_auc", scale="nonsense"), "scale: expected one of"),
    (lambda: cw.scorer("ece", bins=0), "bins"),
    (lambda: cw.scorer("f1", threshold="high"), "threshold: expected a number"),
    (lambda: cw.scorer("f1", beta=2), "beta: unknown option"),
    (lambda: cw.scorer("roc_auc", response_method="predict"), "'predict' gives labels"),
    (lambda: cw.scorer("f1", threshold=0.5, response_method="predict"), "'predict' gives labels"),
    (lambda: cw.scorer("roc_auc", response_method="proba"), "response_method: expected one of"),
    (lambda: cw.scorer("brier", response_method="decision_function"), "brier_loss needs probabilities"),
    (lambda: cw.scorer("f1", response_method="predict_proba"), "pass threshold= too"),
    (lambda: cw.scorer("f1", average="mean"), "average: expected one of"),
    (lambda: cw.scorer("f1", average="macro", positive=1), "leave positive= out"),
    (lambda: cw.scorer("roc_auc", positive="c")(MODEL.fit(X, Y01), X, Y01), "positive: the model has no class 'c'"),
    (lambda: cw.scorer("roc_auc", average="macro")(MODEL.fit(X, Y01), X, Y01), "leave average= out"),
    (lambda: cw.scorer("brier")(RidgeClassifier().fit(X, Y01), X, Y01), "RidgeClassifier has no predict_proba"),
    (lambda: cw.scorer("f1", threshold=0)(LinearSVC().fit(X, Y01), X, Y01), "LinearSVC has no predict_proba"),
    (lambda: cw.scorer("roc_auc")(LinearRegression().fit(X, Y01), X, Y01), "LinearRegression has no classes_"),
    (lambda: cw.scorer("roc_auc")(LogisticRegression(), X, Y01), "expected a fitted classifier"),
    (lambda: cw.scorer("roc_auc")(DecisionTreeClassifier().fit(X, Y01 * 0), X, Y01), "1 class"),
    (lambda: cw.scorer("roc_auc")(MODEL.fit(X, np.arange(400) % 3), X, Y01), "3 classes; pass 'macro'"),
    (lambda: cw.scorer("roc_auc")(MODEL.fit(X, Y01), X, np.arange(400) % 3), "3 classes"),
    (
        lambda: cw.scorer("auc")(MultiOutputClassifier(MODEL).fit(X, np.c_[Y01, Y01]), X, Y01),
        "several outcomes at once",
    ),
]


@pytest.mark.parametrize(("call", "message"), BAD, ids=[m for _, m in BAD])
def test_refusals(call, message):
    with pytest.raises(cw.CurvewiseError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_thresholds_of_a_decision_function_and_pipelines():
    model = make_pipeline(StandardScaler(), LinearSVC(random_state=0)).fit(X, Y01)
    scorer = cw.scorer("recall", threshold=0.2, response_method="decision_function", positive=0)
    assert scorer(model, X, Y01) == cw.confusion(Y01 == 0, -model.decision_function(X), threshold=0.2).recall


def test_trying_the_options_warns_of_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for m in every():
            cw.scorer(m.name, **own_options(m))


@pytest.mark.parametrize("name", ["scorer", "ThresholdRule"])
def test_without_scikit_learn_one_sentence_says_what_to_install(name):
    code = f"""
import sys
sys.modules["sklearn"] = None
import curvewise as cw
try:
    cw.{name}
except cw.MissingExtraError as error:
    print(error)
"""
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "pip install 'curvewise[sklearn]'" in said
