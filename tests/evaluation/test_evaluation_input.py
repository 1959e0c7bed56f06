"""The three forms of `evaluate`: named columns, labels with scores, fitted models; and what is refused."""

import numpy as np
import pytest

import curvewise as cw

rng = np.random.default_rng(3)
X = rng.normal(size=(240, 3))
Y = (X[:, 0] + 0.8 * rng.normal(size=240) > 0.3).astype(int)
P = 1 / (1 + np.exp(-2 * X[:, 0]))
Q = rng.random(240)
SEX = np.where(X[:, 1] > 0, "f", "m").astype(object)
QUICK = {"replicates": 20}


class Model:
    """A fitted classifier of nobody's library."""

    def __init__(self, classes, proba=None, decision=None):
        if classes is not None:
            self.classes_ = np.array(classes)
        if proba is not None:
            self.predict_proba = lambda rows: proba[: len(rows)]
        if decision is not None:
            self.decision_function = lambda rows: decision[: len(rows)]


def proba(p):
    return np.column_stack([1 - p, p])


def named(**more):
    data = {"ill": Y, "p": P, "q": Q, "sex": SEX, "site": np.arange(240) % 3, "who": np.arange(240) // 2}
    return cw.evaluate(data, label="ill", scores=["p", "q"], **QUICK, **more)


def test_labels_and_scores_give_what_named_columns_give():
    by_name = named(group="sex", site="site", cluster="who", costs={"fp": 1, "fn": 3})
    columns = {"group": {"sex": SEX}, "site": np.arange(240) % 3, "cluster": np.arange(240) // 2}
    by_value = cw.evaluate(Y, {"p": P, "q": Q}, costs={"fp": 1, "fn": 3}, **columns, **QUICK)
    one, two = by_name.to_dict(), by_value.to_dict()
    assert one.pop("options")["cluster"] == "who"
    assert two.pop("options")["cluster"] == "cluster"
    assert one == two
    assert by_value.options.scores == ["p", "q"]
    assert by_value.options.group == ["sex"]
    assert by_value.rows.dropped == 0


def test_one_model_needs_no_name_and_columns_of_frames_bring_theirs():
    pl = pytest.importorskip("polars")
    assert list(cw.evaluate(Y, P, **QUICK).models) == ["score"]
    found = cw.evaluate(pl.Series("ill", Y), pl.Series("risk", P), group=pl.Series("sex", SEX.tolist()), **QUICK)
    assert (list(found.models), found.options.label, found.options.group) == (["risk"], "ill", ["sex"])
    assert isinstance(found.to_frame(), pl.DataFrame)
    several = cw.evaluate(pl.Series("ill", Y), pl.DataFrame({"a": P, "b": Q}), **QUICK)
    assert list(several.models) == ["a", "b"]
    pd = pytest.importorskip("pandas")
    frame = cw.evaluate(pd.Series(Y), pd.Series(P, name="risk"), **QUICK).to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert list(frame.columns[:3]) == ["model", "metric", "value"]
    assert not frame.duplicated(["model", "metric"]).any()


def test_weights_folds_and_ids_are_columns_and_stay_aligned_where_rows_are_dropped():
    gap = P.copy()
    gap[[3, 7]] = np.nan
    weight = np.arange(240) % 4 + 1
    found = cw.evaluate(
        Y, {"y": gap}, weight=weight, fold=np.arange(240) % 5, id=np.arange(240), missing="drop", **QUICK
    )
    assert found.options.label == "y_"  # "y" is the model
    assert found.rows.dropped == 2
    assert found.rows.id.tolist() == [k for k in range(240) if k not in (3, 7)]
    keep = ~np.isnan(gap)
    assert found.metrics()["y.roc_auc"] == cw.roc_auc(Y[keep], P[keep], weight=weight[keep])


def test_an_array_with_a_column_per_class():
    truth = np.digitize(X[:, 0], [-0.5, 0.5])
    scores = rng.dirichlet([1, 1, 1], 240)
    found = cw.evaluate(truth, scores, **QUICK)
    assert found.options.scores == ["0", "1", "2"]
    assert found.metrics()["multiclass.accuracy"] == np.mean(scores.argmax(1) == truth)
    words = np.array(["cat", "dog", "owl"])[truth]
    assert cw.evaluate(words, scores, **QUICK).options.scores == ["cat", "dog", "owl"]
    with pytest.raises(cw.CurvewiseError, match="an array of 3 columns, but y has 2 classes"):
        cw.evaluate(np.where(truth == 0, "cat", "dog"), scores, **QUICK)


def test_a_model_gives_the_column_of_its_positive_class():
    auc = cw.roc_auc(Y, P)
    words = np.where(Y == 1, "yes", "no")
    for y, classes in ((Y, [0, 1]), (words, ["no", "yes"]), (Y == 1, [False, True])):
        found = cw.evaluate(Model(classes, proba(P)), X, y, **QUICK)
        assert found.metrics()["Model.roc_auc"] == auc
        assert found.models["Model"].is_probability
    for model in (Model(["no", "yes"], proba(P)), Model(["no", "yes"], decision=P - 0.5)):
        found = cw.evaluate(model, X, words, positive="no", **QUICK)
        assert found.metrics()["Model.roc_auc"] == pytest.approx(auc)
        assert found.metrics()["Model.average_precision"] == pytest.approx(cw.average_precision(1 - Y, -P))
    assert cw.evaluate(Model(None, proba(P)), X, Y, **QUICK).metrics()["Model.roc_auc"] == auc
    assert cw.evaluate(Model(None, P[:, None]), X, Y, **QUICK).metrics()["Model.roc_auc"] == auc


def test_several_models_and_many_classes():
    found = cw.evaluate({"a": Model([0, 1], proba(P)), "b": Model([0, 1], decision=Q)}, X, Y, **QUICK)
    assert found.metrics()["b.roc_auc"] == cw.roc_auc(Y, Q)
    assert found.comparison is not None
    many = Model(["x", "z", "y"], rng.dirichlet([1, 1, 1], 240))
    truth = rng.choice(["x", "y", "z"], 240)
    assert cw.evaluate(many, X, truth, **QUICK).options.scores == ["x", "z", "y"]
    with pytest.raises(cw.CurvewiseError, match="evaluate one model at a time; got 2"):
        cw.evaluate({"a": many, "b": many}, X, truth)
    with pytest.raises(cw.CurvewiseError, match="3 classes, each positive in turn"):
        cw.evaluate(many, X, truth, positive="x")


def test_models_and_pipelines_of_scikit_learn():
    linear = pytest.importorskip("sklearn.linear_model")
    pipeline = pytest.importorskip("sklearn.pipeline")
    scale = pytest.importorskip("sklearn.preprocessing").StandardScaler()
    svm = pytest.importorskip("sklearn.svm").LinearSVC().fit(X, Y)
    pipe = pipeline.make_pipeline(scale, linear.LogisticRegression()).fit(X, Y)
    found = cw.evaluate(pipe, X, Y, **QUICK)
    assert found.metrics()["LogisticRegression.roc_auc"] == cw.roc_auc(Y, pipe.predict_proba(X)[:, 1])
    both = cw.evaluate({"pipe": pipe, "svm": svm}, X, Y, group={"sex": SEX}, **QUICK)
    assert not both.models["svm"].is_probability
    assert list(both.groups) == ["pipe", "svm"]
    with pytest.raises(cw.CurvewiseError, match=r"'LogisticRegression': predict_proba failed \(NotFittedError: "):
        cw.evaluate(linear.LogisticRegression(), X, Y)
    with pytest.raises(cw.CurvewiseError, match="with predict_proba or decision_function, got a LinearRegression"):
        cw.evaluate(linear.LinearRegression().fit(X, Y), X, Y)


FITTED = Model(["no", "yes"], proba(P))


@pytest.mark.parametrize(
    ("given", "more", "said"),
    [
        ((Y, P), {"label": "ill"}, "label: names a column of a frame or file, but labels and scores were given"),
        ((FITTED, X, Y), {"scores": "p"}, "scores: names a column .* but a model with rows and labels was given"),
        ((Y,), {}, "labels alone were given; pass scores after them"),
        ((FITTED,), {}, "got the model alone"),
        ((FITTED, X), {}, r"evaluate\(model, X, y\); got two arguments"),
        ((Y, FITTED), {}, "a model comes first"),
        ((Y, {"a": FITTED}), {}, "a model comes first"),
        ((X, X, Y), {}, "expected a fitted classifier .* got a ndarray"),
        (({"a": 1}, X, Y), {}, "expected a fitted classifier .* got a dict"),
        ((Y, P, Y, Y), {}, "got 4 arguments"),
        (("scores.csv", "ill"), {}, "name the columns by keyword"),
        (({"ill": Y, "p": P}, "ill", "p"), {}, "name the columns by keyword"),
        (({"ill": Y}, P), {}, "y: expected one label per row, got a dict"),
        (({"ill": Y, "p": P},), {"label": "ill", "scores": "p", "site": SEX}, "site: expected the name of a column"),
        (({"ill": Y, "p": P},), {"label": "ill", "scores": "p", "group": [SEX]}, "group: expected the name"),
        (({"ill": Y, "p": P},), {"label": "ill", "scores": "p", "weight": P}, "weight: expected the name of a column"),
        ((Y, proba(P)), {}, r"got an array of shape \(240, 2\); pass scores\[:, 1\]"),
        ((Y, {"a": P}), {"group": {"a": SEX}}, "group: 'a' is the name of a model already"),
        ((Y, P), {"group": "sex"}, "group: expected one value per row"),
        ((Y, P), {"sample_weight": P}, "did you mean 'weight'"),
        ((Y, {}), {}, "expected at least one column"),
        ((FITTED, X, np.where(Y == 1, "yes", "maybe")), {}, "y: model 'Model' knows no class 'maybe'"),
        ((FITTED, X, np.where(Y == 1, "yes", "no")), {"positive": "maybe"}, "positive: model 'Model' knows no class"),
        ((Model([0, 1], np.zeros((2, 3, 4))), X, Y), {}, r"gave float64 of shape \(2, 3, 4\)"),
    ],
)
def test_mixtures_are_refused_in_one_sentence(given, more, said):
    with pytest.raises(cw.CurvewiseError, match=said) as error:
        cw.evaluate(*given, **more, **QUICK)
    assert str(error.value).count("\n") == 0
    assert str(error.value).endswith((".", "?"))


def test_rows_and_scores_are_one_too_many():
    with pytest.raises(cw.CurvewiseError, match="Rows were given"):
        cw.evaluate(cw.read_rows(Y, P), P)
