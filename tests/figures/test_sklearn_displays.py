"""Displays in scikit-learn's manner, and ``plot`` on results."""

import subprocess
import sys

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import RocCurveDisplay
from sklearn.svm import LinearSVC

import curvewise as cw
from curvewise import figures
from figures.cases import RATINGS, comparison, groups, rows, sites, sweeps

DISPLAYS = [getattr(figures, name) for name in figures.__all__ if name.endswith("Display")]


def fitted(kind, labels=(0, 1)):
    rng = np.random.default_rng(0)
    y = np.array(labels)[rng.integers(0, 2, 80)]
    x = rng.normal(size=(80, 2)) + (y == labels[1])[:, None]
    return kind().fit(x, y), x, y


@pytest.mark.parametrize("kind", DISPLAYS)
def test_from_estimator_is_from_predictions(kind):
    model, x, y = fitted(LogisticRegression)
    options = {"threshold": 0.5} if kind is figures.ConfusionDisplay else {}
    if kind is figures.ReliabilityDisplay:
        options = {"rng": 0, "replicates": 20}
    found = kind.from_estimator(model, x, y, **options)
    same = kind.from_predictions(y, model.predict_proba(x)[:, 1], name="LogisticRegression", **options)
    drawn = [[(a.get_gid(), a.get_xydata().tolist()) for a in d.ax_.get_lines()] for d in (found, same)]
    assert drawn[0] == drawn[1]
    assert [t.get_text() for t in found.ax_.texts] == [t.get_text() for t in same.ax_.texts]
    assert found.ax_ in found.figure_.axes
    assert kind.__doc__


def test_the_same_curve_as_scikit_learn():
    model, x, y = fitted(LogisticRegression)
    ours, theirs = figures.RocDisplay.from_estimator(model, x, y), RocCurveDisplay.from_estimator(model, x, y)
    assert ours.result.auc == pytest.approx(theirs.roc_auc)
    assert set(zip(theirs.fpr, theirs.tpr, strict=True)) <= set(zip(ours.result.fpr, ours.result.tpr, strict=True))
    assert [t.get_text() for t in ours.ax_.get_legend().get_texts()] == [
        f"LogisticRegression: AUC {ours.result.auc:.3f}"
    ]


def test_the_positive_class_of_an_estimator():
    model, x, y = fitted(LogisticRegression, ("ill", "well"))
    found = figures.RocDisplay.from_estimator(model, x, y, positive="ill")
    assert found.result.auc == pytest.approx(cw.roc_auc(y == "ill", model.predict_proba(x)[:, 0]))
    with pytest.raises(cw.CurvewiseError, match="positive"):
        figures.RocDisplay.from_estimator(model, x, y)
    with pytest.raises(cw.CurvewiseError, match="positive: 'dead' is not one of the classes"):
        figures.RocDisplay.from_estimator(model, x, y, positive="dead")


def test_decision_functions_turn_with_the_positive_class():
    model, x, y = fitted(LinearSVC, ("a", "b"))
    for label in ("a", "b"):
        found = figures.DetDisplay.from_estimator(model, x, y, positive=label)
        assert found.result.eer < 0.4
    with pytest.raises(cw.CurvewiseError, match="needs predict_proba, which LinearSVC does not have"):
        figures.ReliabilityDisplay.from_estimator(model, x, y, positive="a")


def test_what_is_no_classifier_is_refused():
    rng = np.random.default_rng(0)
    model = LinearRegression().fit(rng.normal(size=(5, 1)), [0, 1, 0, 1, 1])
    with pytest.raises(cw.CurvewiseError, match="fitted classifier of two classes, got LinearRegression"):
        figures.RocDisplay.from_estimator(model, [[0], [1]], [0, 1])


def test_style_and_options_go_where_they_belong():
    y, first, *_ = rows()
    found = figures.RocDisplay.from_predictions(y, first, weight=np.full(len(y), 2), style={"linewidth": 4}, name="m")
    assert found.result.positives == 2 * y.sum()
    assert found.ax_.get_lines()[1].get_linewidth() == 4
    again = found.plot(linewidth=1)
    assert again is found
    assert again.ax_.get_lines()[1].get_linewidth() == 1


@pytest.mark.parametrize(
    "verb",
    [
        *(cw.roc_curve, cw.pr_curve, cw.pr_gain_curve, cw.det_curve, cw.lift_curve, cw.roc_hull),
        *(cw.cost_curve, cw.brier_curve, cw.decision_curve),
    ],
)
def test_curves_plot_themselves(verb):
    sweep = sweeps()["first"]
    assert verb(sweep).plot(linewidth=2).get_xlabel()


def test_other_results_plot_themselves():
    first = sweeps()["first"]
    bars = first.plot()
    assert bars.get_xlabel() == "Score"
    assert cw.roc_band(RATINGS, rng=0, replicates=10).plot().get_ylabel() == "True positive rate"
    assert cw.reliability(first, bins=5).plot().get_ylabel() == "Observed share"
    assert cw.joint_hull(sweeps()).plot().get_ylabel() == "True positive rate"
    assert first.at(0.5).plot().get_ylabel() == "Actual"
    assert groups().plot(metric="roc_auc").get_xlabel() == "AUC"
    assert sites().plot().get_xlabel() == "AUC"
    assert comparison().plot().get_xlabel() == "Difference in AUC"


def test_draw_refuses_what_has_no_figure():
    with pytest.raises(cw.CurvewiseError, match="There is no figure of int"):
        figures.draw(3)


def test_without_matplotlib(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(cw.MissingExtraError, match=r"figures need matplotlib: pip install 'curvewise\[cli\]'"):
        cw.roc_curve(RATINGS).plot()
    with pytest.raises(cw.MissingExtraError, match="figures need matplotlib"):
        figures.figure()


def test_nothing_is_loaded_before_it_is_drawn():
    code = "import curvewise.figures, sys; print(*{m.split('.')[0] for m in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"matplotlib", "sklearn", "scipy"} & set(done.stdout.split())
