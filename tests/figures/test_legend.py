"""Which model is which: colours, dashes, names, and the height that a legend needs."""

import re

import matplotlib as mpl
import numpy as np
import pytest

import curvewise as cw
from curvewise import figures
from figures.cases import FIGURES, RATINGS, groups, key, made, sweeps


def lines(ax):
    return [a for a in ax.get_lines() if str(a.get_gid()).startswith("model-") and str(a.get_gid()).endswith("-line")]


@pytest.mark.parametrize("gray", [False, True])
def test_models_differ_by_colour_and_by_dashes(gray):
    figure = figures.figure(gray=gray)
    ax = figures.draw_roc({f"m{k}": cw.roc_curve(RATINGS) for k in range(10)}, ax=figure.add_subplot())
    assert len({a.get_color() for a in lines(ax)}) == 10
    assert len({str(a._unscaled_dash_pattern) for a in lines(ax)}) == 10
    if gray:
        channels = [mpl.colors.to_rgb(a.get_color()) for a in ax.get_lines()]
        assert all(r == g == b for r, g, b in channels)


def test_a_legend_names_ten_models_and_counts_the_others():
    ax = figures.draw_roc({f"m{k}": cw.roc_curve(RATINGS) for k in range(13)}, point={"m12": RATINGS.at(3)})
    assert key(ax) == [*(f"m{k}: AUC 0.893" for k in range(10)), "(3 more)"]
    pale, named = lines(ax)[10:], lines(ax)[:10]
    assert len(pale) == 3
    assert max(a.get_linewidth() for a in pale) < min(a.get_linewidth() for a in named)
    assert {a.get_color() for a in pale}.isdisjoint(figures.COLOURS)
    assert max(a.get_zorder() for a in pale) < min(a.get_zorder() for a in named)
    assert [a.get_gid() for a in pale] == [f"model-{k}-line" for k in (10, 11, 12)]
    ten = figures.draw_roc({f"m{k}": cw.roc_curve(RATINGS) for k in range(10)})
    assert len(key(ten)) == 10


def test_an_eleventh_model_alone_is_no_pale_line():
    alone = figures.SomeModels({"m10": cw.roc_curve(RATINGS)}, [f"m{k}" for k in range(13)])
    ax = figures.draw_roc(alone)
    assert key(ax) == ["m10: AUC 0.893"]
    assert lines(ax)[0].get_linewidth() == 1.4
    assert lines(ax)[0].get_color() not in figures.COLOURS


def test_long_names_fit_beside_their_numbers():
    names = ["A VERY LONG NAME OF A MODEL IN CAPITALS", "gradient_boosting_v2_calibrated_2024"]
    found = cw.interval("roc_auc", sweeps()["first"])
    curves = dict.fromkeys(names, cw.roc_curve(sweeps()["first"]))
    for size in (8, 11):
        figure = figures.figure(font_size=size)
        ax = figures.draw_roc(curves, estimate=dict.fromkeys(names, found), ax=figure.add_subplot())
        for text in ax.get_legend().get_texts():
            assert text.get_text().endswith(f"AUC {found.value:.3f} [{found.low:.3f}, {found.high:.3f}]")
            assert text.get_window_extent().x1 <= figure.bbox.x1
    assert key(figures.draw_roc({"short": curves[names[0]]}, estimate={"short": found}))[0].startswith("short: AUC")


def test_figures_side_by_side_are_equally_high():
    from curvewise.figures.legend_box import equal_heights

    both = [made("roc"), made("pr")]
    assert len({figure.get_figheight() for figure in both}) == 2
    highest = max(figure.get_figheight() for figure in both)
    equal_heights(both)
    assert [figure.get_figheight() for figure in both] == [highest] * 2
    bottoms = []
    for figure in both:
        frame = figures.to_svg(figure).frames[0]
        bottoms.append(frame.top + frame.height)
        legend = figure.axes[0].get_legend().get_window_extent()
        assert legend.y0 >= figure.axes[0].get_window_extent().y1  # it covers no curve
        assert legend.y1 <= figure.bbox.y1
    assert bottoms[0] == pytest.approx(bottoms[1], abs=0.5)


def test_pale_lines_have_fewer_points():
    curves = dict.fromkeys((f"m{k}" for k in range(12)), cw.roc_curve(np.arange(2000) % 2, np.sin(np.arange(2000.0))))
    found = [len(a.get_xdata()) for a in lines(figures.draw_roc(curves))]
    assert max(found[10:]) <= 150 < min(found[:10]) <= 1000


@pytest.mark.parametrize("name", [*FIGURES, "panels"])
def test_without_colour_there_is_none(name):
    figure = figures.figure(gray=True)
    draw = FIGURES.get(name, lambda ax: figures.draw_groups({"a": groups(), "b": groups()}, ax=ax))
    draw(ax=figure.add_subplot())
    svg = figures.to_svg(figure).svg
    found = {hue for hue in re.findall(r"#([0-9a-f]{6})\b", svg) if not hue[:2] == hue[2:4] == hue[4:]}
    assert found == set()
