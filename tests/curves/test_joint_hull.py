"""The hull of several models: against every chord of all their points, in exact fractions."""

import json
import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import curvewise as cw
import oracle
from strategies import labelled

Y = [1, 1, 1, 1, 0, 0, 0, 0]
MODELS = {"early": [9, 8, 3, 2, 7, 6, 5, 1], "late": [9, 6, 5, 4, 8, 7, 2, 1], "coin": [1] * 8}


@st.composite
def two_models(draw):
    y, a = draw(labelled())
    b = draw(st.lists(st.integers(-3, 3), min_size=len(y), max_size=len(y)))
    return y, {"a": a, "b": [float(v) for v in b]}


def vertices_by_chords(point_lists):
    """Return the upper hull of all points by trying every chord; a point on a chord is no vertex."""
    points = sorted(set().union(*point_lists))
    highest = [p for p in points if not any(q[0] == p[0] and q[1] > p[1] for q in points)]
    ordered = highest if highest[0] == (0, 0) else [(0, 0), *highest]
    return oracle.hull(ordered)


@given(two_models())
def test_vertices_are_those_of_all_points_together(data):
    y, scores = data
    hull = cw.joint_hull(y, scores)
    expected = vertices_by_chords([oracle.roc_points(y, s) for s in scores.values()])
    assert [(v.fpr, v.tpr) for v in hull.vertices] == [(float(f), float(t)) for f, t in expected]
    area = sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in pairwise(expected))
    assert hull.auc == pytest.approx(float(area), abs=1e-15)


@given(labelled())
def test_one_model_is_its_own_hull(data):
    hull, alone = cw.joint_hull(data[0], {"a": data[1]}), cw.roc_hull(*data)
    assert np.array_equal(hull.fpr, alone.fpr)
    assert np.array_equal(hull.tpr, alone.tpr)
    assert hull.auc == alone.auc
    assert hull.hull_auc["a"] == pytest.approx(alone.auc, abs=1e-15)


@given(two_models(), st.floats(0.1, 20), st.floats(0.02, 0.98))
def test_best_is_the_cheapest_threshold_of_all_models(data, fn, prevalence):
    y, scores = data
    best = cw.joint_hull(y, scores).best(fp=1, fn=fn, prevalence=prevalence)

    def cost(f, t):
        return (1 - prevalence) * f + fn * prevalence * (1 - t)

    least = min(cost(float(f), float(t)) for s in scores.values() for f, t in oracle.roc_points(y, s))
    assert cost(best.fpr, best.tpr) == pytest.approx(least, abs=1e-9)


@given(two_models())
def test_every_rule_does_what_its_vertex_says(data):
    y, scores = data
    for vertex in cw.joint_hull(y, scores).vertices:
        for name, cut in vertex.thresholds.items():
            c = cw.confusion(y, scores[name], threshold=cut)
            assert (c.fpr, c.recall) == (vertex.fpr, vertex.tpr)


@given(two_models(), st.integers(0, 20))
def test_a_mixture_reaches_its_point(data, place):
    hull = cw.joint_hull(*data)
    mix = hull.mixture(place / 20)
    for rate in ("fpr", "tpr"):
        mean = (1 - mix.share) * getattr(mix.first, rate) + mix.share * getattr(mix.second, rate)
        assert mean == pytest.approx(getattr(mix, rate), abs=1e-12)
    assert 0 <= mix.share <= 1
    highest = max(t for f, t in zip(hull.fpr, hull.tpr, strict=True) if f <= place / 20)
    assert mix.tpr >= highest - 1e-12


def test_who_is_best_for_which_slopes():
    hull = cw.joint_hull(Y, MODELS)
    assert hull.best_for == {"early": ((1.0, math.inf),), "late": ((0.0, 1.0),), "coin": ()}
    assert hull.dominated == ("coin",)
    assert hull.best(fp=1, fn=1).rule == "early ≥ 8"  # a tie: fewer flagged
    assert hull.best(fp=1, fn=1.01).rule == "late ≥ 4"
    assert hull.best(fp=1, fn=9, prevalence=0.01).rule == "early ≥ 8"
    assert hull.auc == 0.875
    assert max(hull.hull_auc.values()) < hull.auc
    assert str(hull.mixture(0.25)) == (
        "FPR 0.2500, TPR 0.7500: early ≥ 8 with probability 0.5000, late ≥ 4 with probability 0.5000"
    )


def test_a_model_may_have_two_ranges():
    """``outer`` is best at both ends, ``inner`` in the middle."""
    outer = cw.Sweep.from_counts([3, 2, 1], [40, 30, 30], [2, 48, 50])
    inner = cw.Sweep.from_counts([2, 1], [75, 25], [20, 80])
    hull = cw.joint_hull({"outer": outer, "inner": inner})
    assert [list(v.thresholds) for v in hull.vertices] == [[], ["outer"], ["inner"], []]
    ranges = cw.joint_hull(
        {"outer": cw.Sweep.from_counts([3, 2, 1], [40, 50, 10], [2, 48, 50]), "inner": inner}
    ).best_for
    assert len(ranges["outer"]) == 2
    assert ranges["outer"][0][0] == ranges["inner"][0][1]
    assert ranges["inner"][0][0] == ranges["outer"][1][1]


def test_neighbouring_vertices_of_a_model_make_one_range():
    """Slopes by hand: 40/2, 30/8, 20/20, 8/30, 2/40 from vertex to vertex."""
    alone = cw.joint_hull({"a": cw.Sweep.from_counts([4, 3, 2, 1], [4, 3, 2, 1], [1, 2, 3, 4])})
    assert alone.best_for == {"a": ((1 / 4, 4.0),)}
    outer = cw.Sweep.from_counts([4, 3, 2, 1], [40, 50, 8, 2], [2, 28, 30, 40])
    inner = cw.Sweep.from_counts([2, 1], [70, 30], [10, 90])
    found = cw.joint_hull({"outer": outer, "inner": inner}).best_for
    assert found == {"outer": ((30 / 8, 20.0), (2 / 40, 1.0)), "inner": ((1.0, 30 / 8),)}


def test_mixtures_at_the_ends_and_their_table():
    hull = cw.joint_hull(Y, MODELS)
    all_flagged, steep = hull.mixture(1), hull.mixture(0)
    assert (all_flagged.second.rule, all_flagged.share, all_flagged.tpr) == ("flag all", 1, 1)
    assert (steep.first.rule, steep.share, steep.tpr) == ("early ≥ 8", 0, 0.5)
    table = hull.mixture(0.1).table  # a fifth of the way from FPR 0 to 1/2
    assert table.columns["probability"] == pytest.approx([0.8, 0.2])
    assert table.columns["rule"] == ["early ≥ 8", "late ≥ 4"]


def test_points_nearer_than_floats_can_tell_stay_apart():
    """The products b·P and a·Q differ by 1: so do a/P and b/Q, in the last of 19 digits."""
    p, q = 2**31 - 1, 2**31 - 19
    b = pow(p, -1, q)
    a = (b * p - 1) // q
    assert b * p - a * q == 1
    higher = {"low": ([a, p - a], [0, 1]), "high": ([b, q - b], [0, 1])}
    further_left = {"right": ([1, 0], [b, q - b]), "left": ([1, 0], [a, p - a])}
    for counts, winner, place in ((higher, "high", (0, b / q)), (further_left, "left", (a / p, 1))):
        hull = cw.joint_hull({name: cw.Sweep.from_counts([2, 1], *blocks) for name, blocks in counts.items()})
        assert hull.vertices[1].thresholds == {winner: 2}
        assert (hull.vertices[1].fpr, hull.vertices[1].tpr) == place


def test_whole_and_fractional_counts_together():
    whole = cw.Sweep.from_counts([2, 1], [1, 1], [0, 2])
    fractional = cw.Sweep.from_counts([2, 1], [1.8, 0.2], [0.5, 0.5])
    hull = cw.joint_hull({"whole": whole, "fractional": fractional})
    assert hull.fpr == pytest.approx([0, 0, 1 / 2, 1])
    assert hull.tpr == pytest.approx([0, 1 / 2, 9 / 10, 1])
    assert hull.auc == pytest.approx((1 / 2 + 9 / 10) / 4 + (9 / 10 + 1) / 4)


def test_a_prevalence_of_all_models_is_equal_but_for_rounding():
    half, more = cw.Sweep.from_counts([2, 1], [1, 1], [1, 1]), cw.Sweep.from_counts([2, 1], [2, 1], [1, 1])
    assert cw.joint_hull({"a": half, "b": half}).prevalence == 0.5
    assert cw.joint_hull({"a": half, "b": half, "c": more}).prevalence is None

    def moved(relative):
        by = relative / 4
        return cw.Sweep.from_counts([2, 1], [0.25 + by, 0.25 + by], [0.25 - by, 0.25 - by])

    assert cw.joint_hull({"a": half, "b": moved(0.5e-12)}).prevalence == 0.5
    assert cw.joint_hull({"a": half, "b": moved(1.5e-12)}).prevalence is None


def test_equal_models_share_every_vertex():
    hull = cw.joint_hull(Y, {"a": MODELS["early"], "b": [v * 10 for v in MODELS["early"]]})
    assert hull.dominated == ()
    assert hull.vertices[1].thresholds == {"a": 8, "b": 80}
    assert hull.vertices[1].rule == "a ≥ 8 or b ≥ 80"


def test_rows_that_differ_stay_exact():
    y = {"a": [1, 1, 1, 0, 0], "b": [1, 0, 0, 0, 0, 0, 0]}
    scores = {"a": [5, 4, 1, 3, 2], "b": [7, 6, 5, 4, 3, 2, 1]}
    hull = cw.joint_hull(y, scores)
    assert [(v.fpr, v.tpr) for v in hull.vertices] == [(0, 0), (0, 1), (1, 1)]
    assert hull.dominated == ("a",)
    assert hull.prevalence is None
    with pytest.raises(cw.CurvewiseError, match="prevalence: the models' rows have different shares"):
        hull.best(fp=1, fn=1)
    sweeps = {k: cw.sweep(y[k], scores[k]) for k in y}
    assert cw.joint_hull(sweeps).to_dict() == hull.to_dict()
    # 1/3 and 2/6 are one point, whatever the totals
    meet = cw.joint_hull(
        {"a": cw.Sweep.from_counts([2, 1], [1, 2], [0, 3]), "b": cw.Sweep.from_counts([2, 1], [2, 4], [0, 7])}
    )
    assert meet.vertices[1].thresholds == {"a": 2, "b": 2}


def test_weights_and_direction():
    w = [1, 2, 1, 1, 3, 1, 1, 2]
    whole = cw.joint_hull(Y, MODELS, weight=w)
    repeated = cw.joint_hull(np.repeat(Y, w), {k: np.repeat(s, w) for k, s in MODELS.items()})
    assert whole.to_dict() == repeated.to_dict()
    fractional = cw.joint_hull(Y, MODELS, weight=np.array(w) * 0.1)
    assert fractional.fpr == pytest.approx(whole.fpr)
    assert fractional.prevalence == pytest.approx(whole.prevalence)
    turned = cw.joint_hull(Y, {k: [-v for v in s] for k, s in MODELS.items()}, higher_is="negative")
    assert np.array_equal(turned.tpr, cw.joint_hull(Y, MODELS).tpr)
    assert turned.vertices[1].rule == "early ≤ -8"


def test_results_print_and_travel():
    hull = cw.joint_hull(Y, {**MODELS, "<b>": [1] * 8})
    assert json.loads(json.dumps(hull.to_dict()))["vertices"][0]["slope_from"] == "inf"
    assert "Never best: coin, <b>" in str(hull)
    assert "&lt;b&gt;" in hull._repr_html_()
    assert len(hull.to_frame("pandas")) == 4


def test_golden_hulls():
    """The joint hull of paired150's two models lies on or above both (areas of ROCR 1.0.11)."""
    from pathlib import Path

    here = Path(__file__).parents[1] / "reference"
    table = np.genfromtxt(here / "paired150.csv", delimiter=",", names=True)
    golden = json.loads((here / "golden.json").read_text())["cases"]["paired150"]
    hull = cw.joint_hull(table["y"], {"a": table["a"], "b": table["b"]})
    for name in "ab":
        assert hull.hull_auc[name] == pytest.approx(golden[name]["hull_auc"], abs=1e-11)
        assert hull.auc >= hull.hull_auc[name]


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((Y,), {}, "Expected labels and"),
        (({"a": Y},), {}, "dict of sweeps"),
        (({"a": cw.Sweep.from_counts([1], [1], [1]), "b": Y},), {}, "dict of sweeps"),
        ((Y, {}), {}, "scores: expected a dict of models"),
        (({"a": Y}, {"b": Y}), {}, "expected labels for each model"),
        (({"a": Y}, {"a": Y}), {"weight": [1] * 8}, "need a dict of weights, one entry per model"),
        (({"a": cw.Sweep.from_counts([1], [1], [1])},), {"positive": 1}, "already read"),
    ],
)
def test_refusals(arguments, options, message):
    with pytest.raises(cw.CurvewiseError, match=message):
        cw.joint_hull(*arguments, **options)


def test_more_refusals():
    with pytest.raises(TypeError, match="colour: unknown option"):
        cw.joint_hull(Y, MODELS, colour="red")
    with pytest.raises(cw.UndefinedMetricError, match=r"model 'a'.* needs both classes"):
        cw.joint_hull([1, 1], {"a": [1, 2]})
    hull = cw.joint_hull(Y, MODELS)
    with pytest.raises(cw.CurvewiseError, match="fpr: expected a number from 0 to 1"):
        hull.mixture(1.5)
    with pytest.raises(cw.CurvewiseError, match="fn: expected a cost above 0"):
        hull.best(fp=1, fn=0)
