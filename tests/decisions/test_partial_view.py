"""Models compared on the range of FPR that costs make relevant."""

import json
from dataclasses import replace

import numpy as np
import pytest

import curvewise as cw


def crossing(n=3000, seed=1):
    """Return two models of nearly equal AUC, one steep at first, the other late."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) < n // 4
    steep = np.where(y, rng.normal(1.8, 2.0, n), rng.normal(0, 1, n))
    late = np.where(y, rng.normal(0.9, 0.6, n), rng.normal(0, 1, n))
    return y, {"steep": steep, "late": late}


def test_equal_areas_different_decisions():
    y, scores = crossing()
    areas = [cw.roc_auc(y, s) for s in scores.values()]
    assert areas[0] == pytest.approx(areas[1], abs=0.02)
    rare = cw.partial_view(y, scores, fp=1, fn=(2, 4), prevalence=0.05, rng=0, replicates=100)
    common = cw.partial_view(y, scores, fp=1, fn=(2, 8), prevalence=(0.3, 0.5), rng=0, replicates=100)
    assert rare.better == "steep"
    assert common.better == "late"
    assert rare.fpr[1] < 0.2 < common.fpr[1]


def test_range_holds_the_cheapest_point_of_every_cost_in_it():
    y, scores = crossing(600)
    view = cw.partial_view(y, scores, fp=(1, 2), fn=(5, 20), prevalence=(0.05, 0.2), rng=0, replicates=20)
    assert view.slope == pytest.approx((1 * 0.8 / (20 * 0.2), 2 * 0.95 / (5 * 0.05)))
    rng = np.random.default_rng(0)
    for _ in range(50):
        costs = {"fp": rng.uniform(1, 2), "fn": rng.uniform(5, 20), "prevalence": rng.uniform(0.05, 0.2)}
        for name, score in scores.items():
            best = cw.joint_hull(y, {name: score}).best(**costs)
            assert view.own_fpr[name][0] <= best.fpr <= view.own_fpr[name][1]
            assert view.fpr[0] <= best.fpr <= view.fpr[1]


def test_the_comparison_is_that_of_the_range():
    y, scores = crossing(400)
    view = cw.partial_view(y, scores, fp=1, fn=3, prevalence=0.1, rng=3, replicates=50, level=0.8)
    same = cw.compare(y, scores, metric="partial_roc_auc", fpr=view.fpr, scale="mean", rng=3, replicates=50, level=0.8)
    assert view.comparison.difference.value == pytest.approx(same.difference.value)
    assert view.comparison.values == pytest.approx(same.values)
    for name, score in scores.items():
        mean = cw.partial_roc_auc(y, score, fpr=view.fpr, scale="mean")
        assert view.mean_tpr[name] == pytest.approx(mean, abs=1e-12)
    assert "read from these data" in str(view.notes[0])


def test_one_model_and_one_point():
    y, scores = crossing(400)
    alone = cw.partial_view(y, {"a": scores["steep"]}, fp=1, fn=(1, 9), prevalence=0.2)
    assert alone.comparison is None
    assert alone.better is None
    assert alone.fpr == alone.own_fpr["a"]
    perfect = cw.partial_view([0, 0, 1, 1], {"a": [1, 2, 3, 4], "b": [1, 2, 4, 3]}, fp=1, fn=1, prevalence=0.5)
    assert perfect.fpr == (0, 0)
    assert perfect.mean_tpr == {"a": 1, "b": 1}
    assert "one FPR is best" in str(perfect.notes[0])


def test_three_models():
    y, scores = crossing(2000)
    scores["coin"] = np.random.default_rng(9).random(2000)
    view = cw.partial_view(y, scores, fp=1, fn=(2, 4), prevalence=0.05, rng=0, replicates=300)
    assert view.better == "steep"
    assert len(view.comparison.pairs) == 3
    assert all(pair.simultaneous is not None for pair in view.comparison.pairs)
    worst = cw.partial_view(
        y, {"coin": scores["coin"], "again": scores["coin"]}, fp=1, fn=2, prevalence=0.3, rng=0, replicates=20
    )
    assert worst.better is None


def test_better_needs_the_corrected_p_value():
    y, scores = crossing(2000)
    view = cw.partial_view(y, scores, fp=1, fn=(2, 4), prevalence=0.05, rng=0, replicates=300)
    assert view.better == "steep"
    (pair,) = view.comparison.pairs
    unsure = replace(view, comparison=replace(view.comparison, pairs=(replace(pair, p_holm=0.06),)))
    assert unsure.better is None


def test_every_resample_chooses_its_range():
    """Small samples: the interval with the range chosen again is not the one that takes it as given."""
    y, scores = crossing(120)
    options = {"rng": 1, "replicates": 200}
    view = cw.partial_view(y, scores, fp=1, fn=(1, 5), prevalence=0.2, **options)
    fixed = cw.compare(y, scores, metric="partial_roc_auc", fpr=view.fpr, scale="mean", method="bootstrap", **options)
    assert view.comparison.difference.standard_error != pytest.approx(fixed.difference.standard_error, rel=0.02)
    labels = dict.fromkeys(scores, y)
    apart = cw.partial_view(labels, scores, fp=1, fn=(1, 5), prevalence=0.2, **options)
    assert apart.mean_tpr == pytest.approx(view.mean_tpr)
    patients = cw.partial_view(y, scores, fp=1, fn=(1, 5), prevalence=0.2, cluster=np.arange(120) // 4, **options)
    assert patients.comparison.difference.has_interval


def test_it_prints_and_travels():
    y, scores = crossing(300)
    view = cw.partial_view(y, scores, fp=1, fn=(1, 4), prevalence=0.2, rng=0, replicates=30)
    assert "Better:" in str(view)
    assert "the range of FPR" in view._repr_html_()
    assert json.loads(json.dumps(view.to_dict()))["models"][0]["model"] == "steep"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fn": (9, 1)}, "fn: expected a number or a pair"),
        ({"fn": (1, 2, 3)}, "fn: expected a number or a pair"),
        ({"fn": 0}, "fn: expected a cost above 0"),
        ({"fp": (0, 1)}, "fp: expected a cost above 0"),
        ({"prevalence": (0.1, 1)}, "prevalence: expected a number strictly between 0 and 1"),
        ({"prevalence": "rare"}, "prevalence: expected"),
        ({"method": "permutation"}, "method: unknown option"),
        ({"replicate": 9}, "replicate: unknown option; did you mean 'replicates'?"),
        ({"replicates": 1}, "replicates: expected"),
    ],
)
def test_refusals(options, message):
    y, scores = crossing(40)
    with pytest.raises(cw.CurvewiseError, match=message):
        cw.partial_view(y, scores, **{"fp": 1, "fn": 1, "prevalence": 0.2, **options})
