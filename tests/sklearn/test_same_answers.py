"""Whatever is asked, the answer, the error and the warnings are scikit-learn's; what is ordinary is computed by us."""

import inspect
import pickle
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

metrics = pytest.importorskip("sklearn.metrics")
from sklearn.calibration import calibration_curve  # noqa: E402

from curvewise import sklearn as ours  # noqa: E402
from curvewise.sklearn import hand_over  # noqa: E402
from ring import examples  # noqa: E402

CODINGS = {
    "0, 1": np.array([0, 1]),
    "-1, 1": np.array([-1, 1]),
    "bool": np.array([False, True]),
    "float": np.array([0.0, 1.0]),
    "3, 7": np.array([3, 7]),
    "text": np.array(["no", "yes"]),
    "objects": np.array(["no", "yes"], dtype=object),
}
OF_LABELS = (
    *("accuracy_score", "balanced_accuracy_score", "precision_score", "recall_score", "f1_score", "jaccard_score"),
    *("precision_recall_fscore_support", "matthews_corrcoef", "cohen_kappa_score", "hamming_loss", "zero_one_loss"),
    *("class_likelihood_ratios", "confusion_matrix", "multilabel_confusion_matrix", "classification_report"),
)
OF_SCORES = (
    *("roc_auc_score", "roc_curve", "precision_recall_curve", "average_precision_score", "det_curve"),
    *("confusion_matrix_at_thresholds", "brier_score_loss", "log_loss", "d2_log_loss_score", "d2_brier_score"),
    *("calibration_curve", "hinge_loss"),
)
OF_MARKS = ("label_ranking_average_precision_score", "label_ranking_loss", "coverage_error")
RATES = ("precision_score", "recall_score", "f1_score", "jaccard_score", "precision_recall_fscore_support")


def theirs(name):
    return calibration_curve if name == "calibration_curve" else getattr(metrics, name)


def there(names):
    return [name for name in names if name in ours.__all__]


def outcome(function, *data, **options):
    """Return what came of a call: a value or an error, and what was warned of."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            found = function(*data, **options)
        except Exception as error:  # noqa: BLE001 - whatever it is, it must be the same
            found = error
    return found, [(w.category, str(w.message)) for w in said]


def same(one, other):
    """Say whether two answers are of one type, shape and dtype, and the same numbers but for rounding."""
    if isinstance(other, BaseException):
        return type(one) is type(other) and str(one) == str(other)
    if isinstance(other, tuple | list):
        return type(one) is type(other) and len(one) == len(other) and all(map(same, one, other))
    if isinstance(other, dict):
        return list(one) == list(other) and all(same(one[k], other[k]) for k in other)
    if isinstance(other, str) or other is None:
        return one == other
    return (
        isinstance(one, float if isinstance(other, float) else type(other))
        and np.shape(one) == np.shape(other)
        and np.asarray(one).dtype == np.asarray(other).dtype
        and np.allclose(one, other, rtol=1e-12, atol=1e-14, equal_nan=True)
    )


def check(name, *data, **options):
    ours_said, theirs_said = outcome(getattr(ours, name), *data, **options), outcome(theirs(name), *data, **options)
    assert same(ours_said[0], theirs_said[0]), (ours_said[0], theirs_said[0])
    assert ours_said[1] == theirs_said[1]


@pytest.fixture
def alone(monkeypatch):
    """Refuse to hand over."""

    def refuse(theirs, data, options):
        pytest.fail(f"{theirs.__name__} was handed over")

    monkeypatch.setattr(hand_over, "call_theirs", refuse)


@st.composite
def binary(draw, coding=None):
    size = draw(st.integers(1, 30))
    classes = CODINGS[coding or draw(st.sampled_from(sorted(CODINGS)))]
    code = st.lists(st.integers(0, 1), min_size=size, max_size=size).map(np.array)
    score = draw(st.lists(st.integers(0, 8), min_size=size, max_size=size).map(lambda v: np.array(v) / 8))
    # eighths are exact, so that no rounding decides which points of a curve are dropped
    eighths = st.lists(st.integers(0, 16), min_size=size, max_size=size).map(lambda v: np.array(v) / 8)
    weight = draw(st.none() | eighths | eighths.map(lambda w: (8 * w).astype(np.int64)))
    return classes[draw(code)], classes[draw(code)], score, weight, draw(st.sampled_from([None, *classes.tolist()]))


@settings(max_examples=examples(150), deadline=None)
@given(binary(), st.sampled_from(there(OF_SCORES)))
def test_scores_of_two_classes(rows, name):
    y, _, score, weight, positive = rows
    options = {} if name == "calibration_curve" else {"sample_weight": weight}
    known = inspect.signature(theirs(name)).parameters
    if "pos_label" in known and (positive is not None or name != "average_precision_score"):
        options["pos_label"] = positive
    if "drop_intermediate" in known:
        check(name, y, score, **options, drop_intermediate=True)
    check(name, y, score, **options)


@settings(max_examples=examples(60), deadline=None)
@given(binary(), st.sampled_from([0.1, 0.3, 0.5, 1, 1.0, 0.99]))
def test_partial_areas(rows, most):
    y, _, score, weight, _ = rows
    check("roc_auc_score", y, score, max_fpr=most, sample_weight=weight)


@settings(max_examples=examples(150), deadline=None)
@given(binary(), st.sampled_from(there(OF_LABELS)), st.sampled_from(["warn", 0, 1.0, np.nan]))
def test_labels_of_two_classes(rows, name, zero_division):
    y, guess, _, weight, positive = rows
    options = {"sample_weight": weight}
    if name in RATES and positive is not None:
        options |= {"pos_label": positive, "average": "binary"}
    if "zero_division" in inspect.signature(theirs(name)).parameters:
        options["zero_division"] = zero_division
    check(name, y, guess, **options)


@st.composite
def many_classes(draw):
    size, number = draw(st.integers(3, 40)), draw(st.integers(2, 5))
    classes = draw(st.sampled_from([np.arange(number), np.arange(number) * 3 - 2, np.array(list("abcde"))[:number]]))
    code = st.lists(st.integers(0, number - 1), min_size=size, max_size=size).map(np.array)
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    p = rng.integers(1, 4, (size, number)).astype(float)
    weight = draw(st.sampled_from([None, rng.integers(0, 3, size), rng.integers(1, 9, size) / 8]))
    return classes, classes[draw(code)], classes[draw(code)], p / p.sum(axis=1, keepdims=True), weight


@settings(max_examples=examples(120), deadline=None)
@given(
    many_classes(),
    st.sampled_from(there(OF_LABELS)),
    st.sampled_from(["micro", "macro", "weighted", "samples", "binary", None]),
    st.sampled_from(["all", "some", "reversed"]),
    st.sampled_from(["warn", 0, 1.0, np.nan]),
)
def test_labels_of_many_classes(rows, name, average, which, zero_division):
    classes, y, guess, _, weight = rows
    options = {"sample_weight": weight}
    if name in RATES:
        options |= {"average": average, "zero_division": zero_division}
    if "labels" in inspect.signature(theirs(name)).parameters and which != "all":
        options["labels"] = classes[::-1] if which == "reversed" else classes[:2]
    check(name, y, guess, **options)


@settings(max_examples=examples(120), deadline=None)
@given(
    many_classes(),
    st.sampled_from(["ovr", "ovo", "raise"]),
    st.sampled_from(["macro", "weighted", "micro", "samples", None]),
    st.booleans(),
)
def test_areas_of_many_classes(rows, multi_class, average, listed):
    classes, y, _, p, weight = rows
    options = {"labels": classes} if listed else {}
    check("roc_auc_score", y, p, multi_class=multi_class, average=average, sample_weight=weight, **options)
    check("average_precision_score", y, p, average=average, sample_weight=weight)


@settings(max_examples=examples(100), deadline=None)
@given(many_classes(), st.booleans(), st.integers(1, 4))
def test_probabilities_of_many_classes(rows, listed, k):
    classes, y, _, p, weight = rows
    options = {"labels": classes} if listed else {}
    for name in ("log_loss", "d2_log_loss_score", "top_k_accuracy_score"):
        check(name, y, p, sample_weight=weight, **options, **({"k": k} if name.startswith("top") else {}))
    for name in there(("brier_score_loss", "d2_brier_score")):
        if "labels" in inspect.signature(theirs(name)).parameters:
            check(name, y, p, sample_weight=weight, **options)


@settings(max_examples=examples(100), deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(["micro", "macro", "weighted", "samples", None]), st.booleans())
def test_several_labels(seed, average, weighted):
    rng = np.random.default_rng(seed)
    size, number = rng.integers(1, 20), rng.integers(2, 5)
    truth, guess = rng.integers(0, 2, (2, size, number))
    score, weight = rng.integers(0, 6, (size, number)) / 5, rng.integers(0, 9, size) / 8 if weighted else None
    for name in OF_MARKS:
        check(name, truth, score, sample_weight=weight)
    for name in ("roc_auc_score", "average_precision_score"):
        check(name, truth, score, average=average, sample_weight=weight)
    for name in RATES:
        check(name, truth, guess, average=average, sample_weight=weight, zero_division=1)
    for name in ("accuracy_score", "zero_one_loss", "multilabel_confusion_matrix"):
        check(name, truth, guess, sample_weight=weight)
    check("multilabel_confusion_matrix", truth, guess, sample_weight=weight, samplewise=True)
    check("hamming_loss", truth, guess)
    for zero_division in ("warn", 0, 1, np.nan):
        check("classification_report", truth, guess, zero_division=zero_division)


@pytest.mark.parametrize("coding", CODINGS)
@pytest.mark.parametrize("name", there((*OF_SCORES, *OF_LABELS)))
def test_what_is_ordinary_is_not_handed_over(alone, name, coding):
    rng = np.random.default_rng(3)
    (code, guess), score = rng.integers(0, 2, (2, 50)), rng.random(50)
    classes = CODINGS[coding]
    options = {"pos_label": classes.tolist()[1]} if "pos_label" in inspect.signature(theirs(name)).parameters else {}
    if name == "precision_recall_fscore_support":
        options["average"] = "binary"
    getattr(ours, name)(classes[code], score if name in OF_SCORES else classes[guess], **options)


@pytest.mark.parametrize("container", ["list", "pandas", "polars", "memmap"])
def test_containers_are_not_handed_over(alone, container, tmp_path):
    y, score = np.array([0, 1, 1, 0, 1]), np.array([0.1, 0.8, 0.3, 0.35, 0.9])
    if container == "memmap":
        held = np.memmap(tmp_path / "scores", dtype=np.float64, mode="w+", shape=5)
        held[:] = score
        data = y, held
    elif container == "list":
        data = y.tolist(), score.tolist()
    else:
        series = pytest.importorskip(container).Series
        data = series(y), series(score)
    assert ours.roc_auc_score(*data) == 5 / 6
    assert ours.accuracy_score(data[0], data[0]) == 1.0
    assert ours.f1_score(*(["a" if v else "b" for v in y] for _ in range(2)), pos_label="a") == 1.0


def test_what_is_not_ordinary_is_handed_over():
    for wrong in ([0, 1, np.nan], [0, 1, np.inf], ["a", "b", "c"], [[1], [2], [3]], [0, 1], []):
        check("roc_auc_score", [0, 1, 1], wrong)
    check("roc_auc_score", [0, 0, 0], [1, 2, 3])
    check("roc_auc_score", [0, 1, 1], [1, 2, 3], sample_weight=[1, -1, 2])
    check("roc_auc_score", [0, 1, 1], [1, 2, 3], max_fpr=2)
    check("roc_curve", ["a", "b", "b"], [1, 2, 3])
    check("roc_curve", [0, 1, 1], [1, 2, 3], drop_intermediate="yes")
    check("f1_score", [0, 1, 2], [0, 1, 1])
    check("f1_score", [0, 1, 1], ["a", "b", "b"])
    check("f1_score", [0.5, 1, 1], [1, 1, 0])
    check("f1_score", np.ma.array([0, 1, 1], mask=[0, 0, 1]), [1, 1, 0])
    check("log_loss", [0, 1, 1], [0.1, 0.2, 1.2])
    check("accuracy_score", [0, 1], [0, 1], nonsense=1)
    check("accuracy_score", [0, 1])
    check("accuracy_score", range(30), range(30))


def test_arguments_are_left_alone_and_answers_are_the_callers_own():
    y, score = np.array([0, 1, 1, 0, 1, 0]), np.array([0.1, 0.8, 0.3, 0.35, 0.9, 0.9])
    before = y.copy(), score.copy()
    for name in there(OF_SCORES):
        found = getattr(ours, name)(y, score)
        for part in found if isinstance(found, tuple) else ():
            part[...] = 7
    ours.confusion_matrix(y, y)[...] = 7
    for part in ours.precision_recall_fscore_support(y, y)[:3]:
        part[...] = 7
    assert np.array_equal(y, before[0])
    assert np.array_equal(score, before[1])


@pytest.mark.parametrize("name", ours.__all__)
def test_names_are_scikit_learns(name):
    function = getattr(ours, name)
    if isinstance(function, type):
        return  # a display
    assert function.__name__ == name
    assert str(inspect.signature(function)) == str(inspect.signature(theirs(name)))
    assert inspect.getdoc(theirs(name)).partition("\n\nExamples\n")[0] in function.__doc__
    assert ">>>" not in function.__doc__
    assert pickle.loads(pickle.dumps(function)) is function


def test_other_names_are_scikit_learns_own():
    assert ours.mean_squared_error is metrics.mean_squared_error
    assert ours.make_scorer is metrics.make_scorer
    assert set(metrics.__all__) <= set(dir(ours))
    with pytest.raises(AttributeError, match="nonsense"):
        ours.nonsense  # noqa: B018


def test_exact_where_scikit_learn_rounds():
    rng = np.random.default_rng(0)
    y, score = rng.integers(0, 2, 3000), rng.integers(0, 50, 3000)
    pairs = score[y == 1][:, None] - score[y == 0]
    doubled = 2 * np.count_nonzero(pairs > 0) + np.count_nonzero(pairs == 0)
    assert ours.roc_auc_score(y, score) == int(doubled) / (2 * pairs.size)
