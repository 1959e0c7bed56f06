"""Forests: what each line shows, and panels of several models or metrics."""

import math

import numpy as np
import pytest
from matplotlib import pyplot

import curvewise as cw
from curvewise import figures
from figures.cases import comparison, estimate, groups, key, line, made, rows, sites, sweeps, texts


def test_groups():
    ax = made("groups").axes[0]
    found = groups().groups()
    for y, group in enumerate(found):
        e = group.estimates["roc_auc"]
        assert line(ax, f"row-{y}")[0].tolist() == [e.low, e.high]
        assert line(ax, f"value-{y}")[0].tolist() == [e.value]
        assert f"{e.value:.2f} [{e.low:.2f}, {e.high:.2f}]" in texts(ax)
        assert str(group.sweep.n) in texts(ax)
    assert {"f", "m", "all rows", "n"} <= set(texts(ax))
    with pytest.raises(cw.CurvewiseError, match="metric: expected one of"):
        figures.draw_groups(groups(), "nonsense")


def test_groups_of_several_columns_name_the_column():
    y, score = [0, 1] * 40, list(range(80))
    found = cw.by_group(y, score, {"sex": ["f", "m"] * 40, "ward": ["a"] * 40 + ["b"] * 40})
    shown = texts(figures.draw_groups(found))
    assert {"sex=f", "ward=a", "sex=f, ward=a"} <= set(shown)
    assert "undefined" in shown  # each sex has one class only


def test_sites():
    ax = made("sites").axes[0]
    table = sites().forest.rows()
    for y, row in enumerate(table[:-2]):
        assert line(ax, f"row-{y}")[0].tolist() == [row["low"], row["high"]]
    pooled = sites().pooled
    diamond = ax.patches[0].get_xy()
    assert diamond[:, 0].min() == pooled.low
    assert diamond[:, 0].max() == pooled.high
    assert line(ax, f"row-{len(table) - 1}")[0].tolist() == [pooled.prediction_low, pooled.prediction_high]
    assert line(ax, "reference")[0][0] == pooled.value
    assert {"A", "E", "pooled", "new site"} <= set(texts(ax))


def test_a_single_site_has_no_mean():
    y, score = [0, 1] * 20, list(range(40))
    shown = texts(figures.draw_sites(cw.by_site(y, score, ["(pooled)"] * 40)))
    assert "(pooled)" in shown
    assert "pooled" not in shown


def test_many_rows_are_cut_and_counted():
    rng = np.random.default_rng(0)
    y = np.tile([0, 1], 350)
    ax = figures.draw_groups(cw.by_group(y, rng.normal(size=700) + y, np.repeat(np.arange(70), 10)))
    assert "(10 more not shown)" in texts(ax)
    assert "all rows" in texts(ax)
    assert ax.figure.get_figheight() < 15


def test_difference():
    ax = made("difference").axes[0]
    e = comparison().difference
    assert line(ax, "row-0")[0].tolist() == [e.low, e.high]
    assert line(ax, "reference")[0][0] == 0
    assert ax.get_xlabel() == "Difference in AUC"
    assert "first − second" in texts(ax)


def test_resampled_differences_show_their_distribution():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 60)
    scores = {name: rng.normal(size=120) + y for name in "ab"}
    found = cw.compare(y, scores, metric="average_precision", method="bootstrap", replicates=200, rng=0)
    assert found.pairs[0].drawn.shape == (200,)
    axes = found.plot()
    shapes = [c for c in axes.collections if c.get_gid() == "drawn-0"]
    assert len(shapes) == 1
    x = shapes[0].get_paths()[0].vertices[:, 0]
    assert x.min() == pytest.approx(found.pairs[0].drawn.min())
    assert x.max() == pytest.approx(found.pairs[0].drawn.max())
    exact = cw.compare(y, scores)
    assert exact.pairs[0].drawn is None
    assert not [c for c in exact.plot().collections if str(c.get_gid()).startswith("drawn")]


def test_an_estimate_is_a_small_forest():
    e = estimate()
    ax = e.plot()
    assert line(ax, "row-0")[0].tolist() == [e.low, e.high]
    assert line(ax, "value-0")[0].tolist() == [e.value]
    assert line(ax, "reference")[0][0] == 0.5
    assert ax.get_xlabel() == "AUC"
    assert f"{e.value:.3f} [{e.low:.3f}, {e.high:.3f}]" in texts(ax)
    assert cw.interval("f1", sweeps()["first"], threshold=0.4, replicates=50).plot(lang="zh").get_xlabel() == "F1"
    several = {name: cw.interval("brier", s, replicates=50) for name, s in sweeps().items()}
    ax = figures.draw_estimate(several)
    assert ax.get_xlabel() == "Brier loss"
    assert {"first", "second"} <= set(texts(ax))


def test_estimates_of_several_metrics_mark_their_own_ideal():
    first = sweeps()["first"]
    found = {"first": cw.interval("roc_auc", first), "again": cw.interval("slope", first, replicates=50)}
    ax = figures.draw_estimate(found)
    assert line(ax, "ideal-0")[0].tolist() == [0.5, 0.5]
    assert line(ax, "ideal-1")[0].tolist() == [1, 1]
    assert {"first:\nAUC", "again:\nCalibration slope"} <= set(texts(ax))


def test_an_estimate_without_a_value_is_drawn_as_undefined():
    ax = cw.results.Estimate("roc_auc", math.nan, math.nan, math.nan, 0.95, None).plot()
    assert "undefined" in texts(ax)


def test_calibration_marks_the_ideal_of_each_measure():
    found = cw.calibration(sweeps()["first"])
    ax = found.plot()
    ideals = [line(ax, f"ideal-{k}")[0][0] for k in range(4)]
    assert ideals == [0, 0, 1, 1]
    assert line(ax, "row-2")[0].tolist() == [found.slope.low, found.slope.high]
    assert "Calibration slope" in texts(ax)


def test_a_group_a_pair_and_a_pooled_mean_draw_themselves():
    group = groups().groups()[0]
    assert "AUC" in texts(figures.draw(group))
    pair = comparison().pairs[0]
    assert line(figures.draw(pair), "row-0")[0].tolist() == [pair.difference.low, pair.difference.high]
    pooled = sites().pooled
    ax = figures.draw(pooled)
    assert line(ax, "row-1")[0].tolist() == [pooled.prediction_low, pooled.prediction_high]


def test_several_comparisons_are_panels_that_share_the_pairs():
    y, first, second, *_ = rows()
    scores = {"first": first, "second": second}
    found = {m: cw.compare(y, scores, metric=m, replicates=50) for m in ("roc_auc", "average_precision")}
    ax = figures.draw_difference(found)
    panels = ax.figure.axes
    assert panels[0] is ax
    assert [p.get_title() for p in panels] == ["AUC", "AP"]
    for panel, comparison_ in zip(panels, found.values(), strict=True):
        e = comparison_.difference
        assert line(panel, "row-0")[0].tolist() == [e.low, e.high]
        assert line(panel, "reference")[0][0] == 0
    assert texts(ax) == ["first − second"]
    assert texts(panels[1]) == []
    assert ax.get_xlabel() == "First minus second"


def test_groups_and_sites_of_several_models_are_panels():
    y, first, second, sex, site = rows()
    models = {"one": first, "two": second}
    by_sex = {name: cw.by_group(y, score, {"sex": sex}) for name, score in models.items()}
    by_place = {name: cw.by_site(y, score, site) for name, score in models.items()}
    for draw, found in ((figures.draw_groups, by_sex), (figures.draw_sites, by_place)):
        figure = figures.figure()
        ax = draw(found, ax=figure.add_subplot())
        left, right = figure.axes
        assert ax is left
        assert left.get_xlim() == right.get_xlim()
        assert key(left) == ["one", "two"]
        assert "n" in texts(right)
        assert not any("[" in text for text in texts(left))
        colours = [line_.get_color() for line_ in left.get_lines() if line_.get_gid() == "model-0-row-0"]
        assert colours == [figures.COLOURS[0]]
        assert [line_.get_color() for line_ in right.get_lines() if line_.get_gid() == "model-1-row-0"]
    e = by_sex["two"].groups()[1].estimates["roc_auc"]
    figure = figures.figure()
    figures.draw_groups(by_sex, ax=figure.add_subplot())
    assert line(figure.axes[1], "model-1-row-1")[0].tolist() == [e.low, e.high]
    with pytest.raises(cw.CurvewiseError, match="ax: expected axes of a grid"):
        figures.draw_groups(by_sex, ax=pyplot.figure().add_axes((0, 0, 1, 1)))


def test_of_very_many_pairs_the_first_are_shown():
    rng = np.random.default_rng(0)
    y = np.tile([0, 1], 40)
    found = cw.compare(y, {f"m{k}": rng.normal(size=80) + y for k in range(7)})
    for ax in (figures.draw_difference(found), figures.draw_difference({"a": found, "b": found})):
        assert "(6 more not shown)" in texts(ax)
