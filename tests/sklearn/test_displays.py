"""scikit-learn's displays, of our numbers."""

import inspect
import pickle
import re
from runpy import run_path

import numpy as np
import pytest
from matplotlib import pyplot
from scipy.special import ndtri
from sklearn import calibration, metrics
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate

from curvewise import sklearn as ours
from curvewise.sklearn import areas, counts, curves, displays, hand_over

# display: scikit-learn's, the functions that its numbers come from
DISPLAYS = {
    "RocCurveDisplay": (metrics.RocCurveDisplay, ("roc_curve", "auc")),
    "PrecisionRecallDisplay": (metrics.PrecisionRecallDisplay, ("precision_recall_curve", "average_precision_score")),
    "DetCurveDisplay": (metrics.DetCurveDisplay, ("det_curve",)),
    "ConfusionMatrixDisplay": (metrics.ConfusionMatrixDisplay, ("confusion_matrix",)),
    "CalibrationDisplay": (calibration.CalibrationDisplay, ("calibration_curve",)),
}
BY_FOLD = [name for name, (theirs, _) in DISPLAYS.items() if hasattr(theirs, "from_cv_results")]
each_display = pytest.mark.parametrize("name", DISPLAYS)


@pytest.fixture(autouse=True)
def _no_figure_left():
    yield
    pyplot.close("all")


def fitted(labels=(0, 1)):
    rng = np.random.default_rng(7)
    y = np.array(labels)[rng.integers(0, 2, 90)]
    x = rng.normal(size=(90, 2)).round(1) + (y == labels[1])[:, None]
    return LogisticRegression().fit(x, y), x, y


def prediction(name, model, x):
    return model.predict(x) if name == "ConfusionMatrixDisplay" else model.predict_proba(x)[:, 1]


def drawn(display):
    """Return everything of the axes that a reader sees."""
    ax = display.ax_
    legend = ax.get_legend()
    return {
        "lines": [(line.get_xydata().tolist(), line.get_color(), line.get_linestyle()) for line in ax.get_lines()],
        "images": [np.asarray(image.get_array()).tolist() for image in ax.images],
        "texts": [text.get_text() for text in ax.texts],
        "legend": legend and [text.get_text() for text in legend.get_texts()],
        "axes": (ax.get_xlabel(), ax.get_ylabel(), ax.get_xlim(), ax.get_ylim()),
        "ticks": [text.get_text() for text in ax.get_xticklabels()],
    }


def same(found, expected):
    """Compare two drawings: numbers but for rounding, the rest exactly."""
    seen, wanted = drawn(found), drawn(expected)
    lines, others = seen.pop("lines"), wanted.pop("lines")
    assert seen == wanted
    assert len(lines) == len(others)
    for (points, *style), (known, *look) in zip(lines, others, strict=True):
        np.testing.assert_allclose(points, known, rtol=1e-12, atol=1e-12)
        assert style == look
    ax = found.ax_
    assert found.figure_ is ax.figure
    assert vars(found).keys() == vars(expected).keys()


@each_display
def test_it_is_scikit_learns_display(name):
    display, (theirs, _) = getattr(ours, name), DISPLAYS[name]
    assert issubclass(display, theirs)
    assert display.__name__ == name
    assert display.__doc__ != theirs.__doc__
    for method in ("__init__", "plot", "from_estimator", "from_predictions", "from_cv_results"):
        if hasattr(theirs, method):
            assert inspect.signature(getattr(display, method)) == inspect.signature(getattr(theirs, method))
            assert getattr(display, method).__doc__ == getattr(theirs, method).__doc__
        else:
            assert not hasattr(display, method)


@pytest.mark.parametrize("labels", [(0, 1), (-1, 1), (False, True), ("no", "yes"), ("yes", "no")], ids=str)
@each_display
def test_the_same_drawing_from_an_estimator(name, labels):
    model, x, y = fitted(labels)
    display, (theirs, _) = getattr(ours, name), DISPLAYS[name]
    same(display.from_estimator(model, x, y), theirs.from_estimator(model, x, y))


@pytest.mark.parametrize("positive", ["no", "yes"])
@pytest.mark.parametrize("name", [name for name in DISPLAYS if name != "ConfusionMatrixDisplay"])
def test_the_same_drawing_of_either_class(name, positive):
    model, x, y = fitted(("no", "yes"))
    display, (theirs, _) = getattr(ours, name), DISPLAYS[name]
    same(*(kind.from_estimator(model, x, y, pos_label=positive) for kind in (display, theirs)))
    score = model.predict_proba(x)[:, list(model.classes_).index(positive)]
    same(*(kind.from_predictions(y, score, pos_label=positive, name="model") for kind in (display, theirs)))


@pytest.mark.parametrize("name", ["RocCurveDisplay", "PrecisionRecallDisplay", "DetCurveDisplay"])
@pytest.mark.parametrize("drop", [True, False], ids=["drop", "keep"])
def test_the_same_drawing_with_weights(name, drop):
    model, x, y = fitted()
    display, (theirs, _) = getattr(ours, name), DISPLAYS[name]
    options = {"sample_weight": np.random.default_rng(0).integers(0, 4, len(y))}
    if "drop_intermediate" in inspect.signature(theirs.from_predictions).parameters:  # of DET since 1.7
        options["drop_intermediate"] = drop
    score = prediction(name, model, x)
    same(*(kind.from_predictions(y, score, **options) for kind in (display, theirs)))


@pytest.mark.parametrize("normalize", [None, "true", "pred", "all"])
def test_the_same_confusion_matrix_of_chosen_labels(normalize):
    y, found = ["cat", "dog", "owl", "dog", "owl", "owl"], ["cat", "owl", "owl", "dog", "cat", "owl"]
    options = {"labels": ["owl", "cat", "dog"], "normalize": normalize, "colorbar": False}
    display, (theirs, _) = ours.ConfusionMatrixDisplay, DISPLAYS["ConfusionMatrixDisplay"]
    same(*(kind.from_predictions(y, found, **options) for kind in (display, theirs)))


@pytest.mark.parametrize("strategy", ["uniform", "quantile"])
def test_the_same_calibration_of_bins(strategy):
    model, x, y = fitted()
    options = {"n_bins": 4, "strategy": strategy, "ref_line": False}
    score = model.predict_proba(x)[:, 1]
    display, (theirs, _) = ours.CalibrationDisplay, DISPLAYS["CalibrationDisplay"]
    same(*(kind.from_predictions(y, score, **options) for kind in (display, theirs)))


@pytest.mark.parametrize("positive", [None, "no", "yes"], ids=str)
@pytest.mark.parametrize("labels", [("no", "yes"), ("yes", "no")], ids=str)
@pytest.mark.parametrize("name", BY_FOLD)
def test_the_same_drawing_by_fold(name, labels, positive):
    model, x, y = fitted(labels)
    folds = cross_validate(model, x, y, cv=4, return_estimator=True, return_indices=True)
    display, (theirs, _) = getattr(ours, name), DISPLAYS[name]
    options = {"pos_label": positive, "plot_chance_level": True, "sample_weight": np.arange(len(y)) % 3}
    try:
        expected = theirs.from_cv_results(folds, x, y, **options)
    except ValueError as error:  # 1.7 wants to be told which of two strings is positive
        with pytest.raises(ValueError, match=re.escape(str(error))):
            display.from_cv_results(folds, x, y, **options)
        return
    found = display.from_cv_results(folds, x, y, **options)
    same(found, expected)
    assert len(found.line_) == 4
    assert found.pos_label == (positive or "yes")


@pytest.mark.parametrize("name", BY_FOLD)
def test_the_value_of_a_fold_is_that_of_its_class(name):
    """The positive class of a fold, checked against scores taken by hand."""
    model, x, y = fitted(("ill", "well"))
    folds = cross_validate(model, x, y, cv=3, return_estimator=True, return_indices=True)
    found = getattr(ours, name).from_cv_results(folds, x, y, pos_label="ill")
    verb, attribute = {
        "RocCurveDisplay": (metrics.roc_auc_score, "roc_auc"),
        "PrecisionRecallDisplay": (metrics.average_precision_score, "average_precision"),
    }[name]
    by_hand = [
        verb(y[rows] == "ill", estimator.predict_proba(x[rows])[:, 0])
        for estimator, rows in zip(folds["estimator"], folds["indices"]["test"], strict=True)
    ]
    assert getattr(found, attribute) == pytest.approx(by_hand)


@each_display
def test_no_number_is_scikit_learns(name, monkeypatch):
    """Its functions fail wherever they are called from, and ours are drawn all the same."""
    display, (theirs, functions) = getattr(ours, name), DISPLAYS[name]
    model, x, y = fitted()
    home = inspect.getmodule(theirs)

    def fail(*_, **__):
        raise AssertionError("scikit-learn computed")

    monkeypatch.setattr(hand_over, "call_theirs", fail)
    for function in functions:
        monkeypatch.setattr(home, function, fail)
    with pytest.raises(AssertionError, match="scikit-learn computed"):
        theirs.from_estimator(model, x, y)
    assert drawn(display.from_estimator(model, x, y))["axes"]


HALF = np.array([0.25, 0.5])

# what a function returns in place of ours, and what is drawn of it
REPLACED = {
    "roc_curve": ((HALF, HALF, None), [[0.25, 0.25], [0.5, 0.5]]),
    "auc": (0.123, "LogisticRegression (AUC = 0.12)"),
    "precision_recall_curve": ((HALF[::-1], HALF, None), [[0.25, 0.5], [0.5, 0.25]]),
    "average_precision_score": (0.123, "LogisticRegression (AP = 0.12)"),
    "det_curve": ((HALF, HALF[::-1], None), [[ndtri(0.25), 0], [0, ndtri(0.25)]]),
    "confusion_matrix": (np.array([[11, 12], [13, 14]]), ["11", "12", "13", "14"]),
    "calibration_curve": ((HALF, HALF[::-1]), [[0.5, 0.25], [0.25, 0.5]]),
}


def home_of(function):
    """Return the module of ours that a function is defined in."""
    homes = (areas, counts, curves)
    return next(home for home in homes if hasattr(home, function))


@pytest.mark.parametrize(("name", "function"), [(d, f) for d, (_, names) in DISPLAYS.items() for f in names])
def test_every_number_is_ours(name, function, monkeypatch):
    """Our function is replaced, and the change is seen."""
    returned, expected = REPLACED[function]

    def stand_in(*_, **__):
        return returned

    stand_in.__name__ = function
    monkeypatch.setattr(home_of(function), function, stand_in)
    display = run_path(displays.__file__)[name]
    model, x, y = fitted()
    shown = display.from_estimator(model, x, y)
    if "curve" in function:
        np.testing.assert_allclose(shown.line_.get_xydata(), expected, atol=1e-12)
    else:
        assert expected in (drawn(shown)["texts"], *(drawn(shown)["legend"] or ()))
    if name in BY_FOLD:
        folds = cross_validate(model, x, y, cv=3, return_estimator=True, return_indices=True)
        shown = display.from_cv_results(folds, x, y)
        if "curve" in function:
            assert all(np.allclose(line.get_xydata(), expected) for line in shown.line_)
        else:
            assert "= 0.12 +/- 0.00" in drawn(shown)["legend"][0]


@each_display
def test_a_display_can_be_pickled(name):
    model, x, y = fitted()
    found = getattr(ours, name).from_estimator(model, x, y)
    again = pickle.loads(pickle.dumps(found))
    assert type(again) is type(found)
    assert drawn(again) == drawn(found)


@each_display
def test_several_models_on_the_same_axes(name):
    model, x, y = fitted()
    score = prediction(name, model, x)
    display = getattr(ours, name)
    first = display.from_predictions(y, score)
    assert display.from_predictions(y, score, ax=first.ax_).ax_ is first.ax_


def test_scikit_learns_errors():
    with pytest.raises(ValueError, match="The target y is not binary"):
        ours.RocCurveDisplay.from_predictions([0, 1, 2], [0.1, 0.2, 0.3])
    with pytest.raises(ValueError, match="pos_label is not specified"):
        ours.RocCurveDisplay.from_predictions(["a", "b"], [0.1, 0.2])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        ours.PrecisionRecallDisplay.from_predictions([0, 1], [0.1, 0.2, 0.3])
