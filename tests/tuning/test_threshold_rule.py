"""A threshold chosen on inner folds, against loops made by hand, and scikit-learn's own checks of an estimator."""

import pickle

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_predict,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import curvewise as cw

X, Y01 = make_classification(400, 6, weights=[0.7], flip_y=0.1, class_sep=0.7, random_state=1)
FOLDS = StratifiedKFold(4, shuffle=True, random_state=0)
MODEL = LinearDiscriminantAnalysis()
RULE = cw.rules.max_fpr(0.1)


# scikit-learn expects the same of its own TunedThresholdClassifierCV
EXPECTED = {"expected_failed_checks": lambda _: {"check_classifiers_train": "predict does not cut at 0.5"}}
# earlier releases have no such option, or compare weighted rows with repeated ones in other folds
CURRENT = tuple(map(int, sklearn.__version__.split(".")[:2])) >= (1, 7)


@parametrize_with_checks(
    [
        cw.ThresholdRule(LogisticRegression(), cw.rules.youden(), cv=3),
        cw.ThresholdRule(GaussianNB(), cw.rules.min_recall(0.8), cv=3, response_method="predict_proba"),
    ],
    **(EXPECTED if CURRENT else {}),
)
@pytest.mark.skipif(not CURRENT, reason="the checks of scikit-learn before 1.7 differ")
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("method", ["predict_proba", "decision_function"])
@pytest.mark.parametrize(
    ("classes", "positive"), [((0, 1), None), ((0, 1), 0), (("well", "ill"), "ill"), (("b", "c"), None), ((-1, 1), -1)]
)
def test_the_threshold_is_that_of_out_of_fold_scores(classes, positive, method):
    y = np.array(classes)[Y01]
    rule = cw.ThresholdRule(MODEL, RULE, cv=FOLDS, positive=positive, response_method=method).fit(X, y)
    place = 1 if positive is None else list(rule.classes_).index(positive)

    def scores(found):
        return found[:, place] if method == "predict_proba" else found * (2 * place - 1)

    said = scores(cross_val_predict(MODEL, X, y, cv=FOLDS, method=method))
    truth = y == rule.classes_[place]
    point = cw.operating_point(truth, said, RULE)
    assert rule.threshold_ == point.threshold
    assert rule.operating_point_.confusion == point.confusion
    assert rule.operating_point_.threshold_interval is not None
    flagged = scores(getattr(clone(MODEL).fit(X, y), method)(X)) >= point.threshold
    np.testing.assert_array_equal(rule.predict(X), np.where(flagged, *rule.classes_[[place, 1 - place]]))
    np.testing.assert_array_equal(rule.predict_proba(X), rule.estimator_.predict_proba(X))
    alone = [cw.operating_point(truth[b], said[b], RULE, replicates=0).threshold for _, b in FOLDS.split(X, y)]
    np.testing.assert_array_equal(rule.fold_thresholds_, alone)
    spread = next(n for n in rule.operating_point_.notes if n.code == "fold_thresholds")
    assert spread.values == {"folds": 4, "low": min(alone), "high": max(alone)}
    assert "4 folds" in str(spread)
    assert "4" in spread.text("zh")
    assert cw.roc_auc(rule.out_of_fold_) == cw.roc_auc(truth, said)


def test_nested_cross_validation_equals_a_loop():
    y = np.array(["well", "ill"])[Y01]
    rule = cw.ThresholdRule(MODEL, RULE, cv=3, positive="ill")
    scoring = {m: cw.scorer(m, positive="ill") for m in ("fpr", "recall", "roc_auc")}
    found = cross_validate(rule, X, y, cv=FOLDS, scoring=scoring)
    for k, (train, test) in enumerate(FOLDS.split(X, y)):
        inner = cross_val_predict(MODEL, X[train], y[train], cv=3, method="predict_proba")[:, 0]
        cut = cw.operating_point(y[train], inner, RULE, positive="ill", replicates=0).threshold
        p = clone(MODEL).fit(X[train], y[train]).predict_proba(X[test])[:, 0]
        c = cw.confusion(y[test], p, threshold=cut, positive="ill")
        assert (found["test_fpr"][k], found["test_recall"][k]) == (-c.fpr, c.recall)
        assert found["test_roc_auc"][k] == pytest.approx(cw.roc_auc(y[test], p, positive="ill"))


def test_grid_search_over_the_classifier_and_over_rules_in_two_processes():
    rules = [cw.rules.max_fpr(0.05), cw.rules.youden(), cw.rules.min_cost(fp=1, fn=3)]
    grid = {"rule": rules, "estimator__priors": [None, [0.5, 0.5]]}
    rule = cw.ThresholdRule(MODEL, RULE, cv=3)
    search = GridSearchCV(rule, grid, scoring=cw.scorer("youden"), cv=FOLDS, n_jobs=2).fit(X, Y01)
    assert search.best_params_["rule"] in rules
    k = search.best_index_
    again = rule.set_params(**search.cv_results_["params"][k])
    expected = cross_validate(again, X, Y01, cv=FOLDS, scoring=cw.scorer("youden"))["test_score"]
    assert search.best_score_ == pytest.approx(expected.mean())
    assert search.best_estimator_.get_params()["estimator__priors"] == search.best_params_["estimator__priors"]


def test_folds_in_two_processes():
    one, two = (cw.ThresholdRule(MODEL, RULE, cv=FOLDS, n_jobs=n).fit(X, Y01) for n in (1, 2))
    assert one.threshold_ == two.threshold_


def test_fitted_beforehand():
    fitted = clone(MODEL).fit(X[:200], Y01[:200])
    rule = cw.ThresholdRule(fitted, RULE, cv="prefit").fit(X[200:], Y01[200:])
    assert rule.estimator_ is fitted
    p = fitted.predict_proba(X[200:])[:, 1]
    assert rule.threshold_ == cw.operating_point(Y01[200:], p, RULE, replicates=0).threshold
    assert rule.fold_thresholds_.tolist() == [rule.threshold_]
    assert not [n for n in rule.operating_point_.notes if n.code == "fold_thresholds"]


def test_one_split_without_a_second_fit():
    split = ShuffleSplit(1, test_size=0.3, random_state=0)
    rule = cw.ThresholdRule(MODEL, RULE, cv=split, refit=False).fit(X, Y01)
    ((train, test),) = split.split(X)
    model = clone(MODEL).fit(X[train], Y01[train])
    np.testing.assert_array_equal(rule.predict_proba(X), model.predict_proba(X))
    p = model.predict_proba(X[test])[:, 1]
    assert rule.threshold_ == cw.operating_point(Y01[test], p, RULE, replicates=0).threshold


def test_rows_of_repeated_folds_are_clusters():
    repeated = RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=0)
    rule = cw.ThresholdRule(MODEL, cw.rules.youden(), cv=repeated).fit(X, Y01)
    rows = rule.out_of_fold_
    assert len(rows) == 1200
    assert len(np.unique(rows.cluster)) == 400
    assert len(rule.fold_thresholds_) == 12
    once = cw.ThresholdRule(MODEL, cw.rules.youden(), cv=4).fit(X, Y01).operating_point_.estimates["recall"]
    often = rule.operating_point_.estimates["recall"]
    # three scores of a row are no three rows
    assert often.high - often.low > 0.8 * (once.high - once.low)


def test_weights_go_to_the_classifier_and_to_the_choice():
    w = np.random.default_rng(0).integers(1, 4, len(X))
    rule = cw.ThresholdRule(LogisticRegression(), RULE, cv=FOLDS).fit(X, Y01, sample_weight=w)
    said = np.empty(len(X))
    for a, b in FOLDS.split(X, Y01):
        said[b] = LogisticRegression().fit(X[a], Y01[a], sample_weight=w[a]).predict_proba(X[b])[:, 1]
    assert rule.threshold_ == cw.operating_point(Y01, said, RULE, weight=w, replicates=0).threshold
    expected = LogisticRegression().fit(X, Y01, sample_weight=w)
    np.testing.assert_array_equal(rule.estimator_.coef_, expected.coef_)
    with pytest.warns(cw.CurvewiseWarning, match="KNeighborsClassifier.fit takes no sample_weight"):
        cw.ThresholdRule(KNeighborsClassifier(), cw.rules.youden()).fit(X, Y01, sample_weight=w)


def test_metadata_routing():
    w, group = np.random.default_rng(0).integers(1, 4, len(X)), np.arange(len(X)) % 7
    plain = cw.ThresholdRule(LogisticRegression(), RULE, cv=list(GroupKFold(4).split(X, Y01, group)))
    plain.fit(X, Y01, sample_weight=w)
    with sklearn.config_context(enable_metadata_routing=True):
        inner = make_pipeline(StandardScaler(), LogisticRegression().set_fit_request(sample_weight=True))
        inner[0].set_fit_request(sample_weight=False)
        rule = cw.ThresholdRule(inner, RULE, cv=GroupKFold(4)).fit(X, Y01, sample_weight=w, groups=group)
        alone = cw.ThresholdRule(LogisticRegression().set_fit_request(sample_weight=True), RULE, cv=GroupKFold(4))
        assert alone.fit(X, Y01, sample_weight=w, groups=group).threshold_ == plain.threshold_
    assert rule.out_of_fold_.weight.sum() == w.sum()


def test_frames_and_attributes():
    frame = pd.DataFrame(X, columns=list("abcdef"), index=np.arange(400)[::-1])
    y = pd.Series(Y01, index=frame.index).map({0: "no", 1: "yes"})
    rule = cw.ThresholdRule(MODEL, RULE).fit(frame, y)
    assert rule.feature_names_in_.tolist() == list("abcdef")
    assert (rule.n_features_in_, rule.classes_.tolist()) == (6, ["no", "yes"])
    assert rule.threshold_ == pytest.approx(cw.ThresholdRule(MODEL, RULE).fit(X, Y01).threshold_, rel=1e-9)
    assert "max_fpr(at=0.1)" in repr(rule)
    again = pickle.loads(pickle.dumps(rule))
    np.testing.assert_array_equal(again.predict(frame), rule.predict(frame))
    assert str(again.operating_point_) == str(rule.operating_point_)
    rule.fit(frame.iloc[:300], y.iloc[:300])
    assert rule.operating_point_.threshold == rule.threshold_  # not that of the first fit


def test_methods_are_those_of_the_classifier():
    assert not hasattr(cw.ThresholdRule(GaussianNB(), RULE), "decision_function")
    rule = cw.ThresholdRule(RidgeClassifier(), RULE).fit(X, Y01)
    assert not hasattr(rule, "predict_proba")
    np.testing.assert_array_equal(rule.predict(X), rule.decision_function(X) >= rule.threshold_)
    both = cw.ThresholdRule(MODEL, RULE).fit(X, Y01)
    np.testing.assert_array_equal(both.predict_log_proba(X), both.estimator_.predict_log_proba(X))


def test_no_row_may_be_flagged():
    noise = np.random.default_rng(0).normal(size=X.shape)
    rule = cw.ThresholdRule(MODEL, cw.rules.min_cost(fp=1000, fn=1)).fit(noise, Y01)
    assert rule.threshold_ == np.inf
    assert not rule.predict(noise).any()


def test_a_function_as_a_rule():
    rule = cw.ThresholdRule(MODEL, cw.Confusion.f_beta).fit(X[:100], Y01[:100])
    assert rule.operating_point_.rule.name == "max_of"


def test_a_fold_without_an_answer_is_nan():
    order = np.argsort(Y01, kind="stable")
    folds = [(np.arange(50, 400), np.arange(50)), (np.arange(350), np.arange(50, 400))]
    rule = cw.ThresholdRule(MODEL, cw.rules.youden(), cv=folds).fit(X[order], Y01[order])
    assert np.isnan(rule.fold_thresholds_).tolist() == [True, False]


BAD = [
    ({"cv": "fitted"}, Y01, "cv: expected one of 'prefit'"),
    ({"cv": 4, "refit": False}, Y01, "refit: with 4 folds"),
    ({"positive": "ill"}, Y01, "positive: y has no class 'ill'; its classes are 0, 1"),
    ({"response_method": "predict"}, Y01, "response_method: expected one of"),
    ({"estimator": RidgeClassifier(), "response_method": "predict_proba"}, Y01, "RidgeClassifier has no predict_proba"),
    ({"rule": cw.rules.youden}, Y01, "call it: rules.youden"),
    ({"rule": 0.5}, Y01, "rule: expected one of curvewise.rules"),
    ({}, Y01 * 0, "expected two classes, but y has 1 class"),
    ({}, np.arange(400) % 3, "Only binary classification is supported"),
    ({"cv": [(np.flatnonzero(Y01), np.arange(400))]}, Y01, "the training rows of fold 1 are of one class"),
]


@pytest.mark.parametrize(("options", "y", "message"), BAD, ids=[m for *_, m in BAD])
def test_refusals(options, y, message):
    given = {"estimator": MODEL, "rule": RULE, **options}
    with pytest.raises(cw.CurvewiseError, match=message) as caught:
        cw.ThresholdRule(**given).fit(X, y)
    assert "\n" not in str(caught.value)


def test_prefit_of_other_classes():
    with pytest.raises(cw.CurvewiseError, match="y has the classes 0, 1, but the fitted model has 1, 2"):
        cw.ThresholdRule(clone(MODEL).fit(X, Y01 + 1), RULE, cv="prefit").fit(X, Y01)


def test_parameters_set_later_change_nothing_that_was_chosen():
    rule = cw.ThresholdRule(MODEL, RULE).fit(X, Y01)
    before = rule.predict(X)
    rule.set_params(rule=cw.rules.youden(), positive=0)
    assert rule.operating_point_.rule == RULE
    np.testing.assert_array_equal(rule.predict(X), before)


def test_prefit_takes_nothing_to_fit_with():
    with pytest.raises(cw.OptionError, match="prefit"):
        cw.ThresholdRule(clone(MODEL).fit(X, Y01), RULE, cv="prefit").fit(X, Y01, groups=X)
