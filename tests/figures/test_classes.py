"""Figures of many classes: what stands in each cell and in the legend, how large it is, and how classes differ."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import curvewise as cw
from curvewise import figures
from curvewise.figures.classes import DASHES
from curvewise.figures.style import COLOURS, PAGE, new_figure

SMALLEST = 8.25  # points: 11 pixels where a column is shown on 345


def model(k, n=600, names=None):
    rng = np.random.default_rng(k)
    y = rng.integers(0, k, n)
    z = rng.normal(size=(n, k))
    z[np.arange(n), y] += 2
    p = np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
    names = names or [f"class {i}" for i in range(k)]
    return cw.multiclass([names[i] for i in y], {name: p[:, i] for i, name in enumerate(names)})


def drawn(draw, result, **more):
    fig = new_figure(PAGE)
    ax = draw(result, ax=fig.add_subplot(), **more)
    fig.canvas.draw()
    return fig, ax


def texts(ax, kind):
    return [t.get_text() for t in ax.texts if str(t.get_gid()).startswith(kind)]


def test_cells_have_counts_and_shares_of_the_true_class():
    matrix = model(4).matrix
    _, ax = drawn(figures.draw_confusion_matrix, matrix)
    assert texts(ax, "count") == [str(n) for n in matrix.counts.ravel()]
    share = matrix.counts / matrix.support[:, None]
    assert texts(ax, "share")[1] == f"{100 * share[0, 1]:.0f}%"
    depth = {p.get_gid(): p.get_alpha() for p in ax.patches}
    inside = [depth[f"cell-{i}-{j}"] for i in range(4) for j in range(4)]
    assert np.argsort(inside).tolist() == np.argsort(share.ravel(), kind="stable").tolist()
    assert [p.get_gid() for p in ax.patches if str(p.get_gid()).startswith("right")] == [f"right-{k}" for k in range(4)]


def test_shares_next_to_0_and_1_do_not_look_so():
    y = ["a"] * 1000 + ["b"]
    _, ax = drawn(figures.draw_confusion_matrix, cw.multiclass(y, predicted=["a"] * 999 + ["b", "b"]).matrix)
    assert texts(ax, "share") == [">99%", "<1%", "100%"]


@pytest.mark.parametrize("classes", [2, 5, 8, 12])
def test_no_text_leaves_its_cell_and_none_is_small(classes):
    fig, ax = drawn(figures.draw_confusion_matrix, model(classes, n=400 * classes).matrix)
    scale = 72 / fig.dpi
    for text in ax.texts:
        assert text.get_size() >= SMALLEST
        box = text.get_window_extent().transformed(ax.transData.inverted())
        column, row = (int(v) for v in text.xy)
        assert column <= box.x0 < box.x1 <= column + 1, text.get_text()
        assert row <= min(box.y0, box.y1), text.get_text()
        assert max(box.y0, box.y1) <= row + 1, text.get_text()
    assert fig.get_figwidth() * 72 == pytest.approx(252)
    names = ax.get_xticklabels()
    wide = [n.get_window_extent().width * scale for n in names]
    assert max(wide) <= ax.get_window_extent().width * scale / classes


def test_large_counts_of_many_classes_are_written_in_thousands():
    matrix = cw.multiclass(list(range(11)) * 1234, predicted=list(range(11)) * 1234).matrix
    assert texts(drawn(figures.draw_confusion_matrix, matrix)[1], "count")[0] == "1k"


def test_very_many_classes_have_colour_alone_and_say_so():
    _, ax = drawn(figures.draw_confusion_matrix, model(13).matrix)
    assert not ax.texts
    assert "counts in the table" in ax.get_ylabel()
    assert "数据表" in drawn(figures.draw_confusion_matrix, model(13).matrix, lang="zh")[1].get_ylabel()


@pytest.mark.parametrize(
    ("draw", "part", "number"),
    [
        (figures.draw_class_roc, "roc_curves", "auc"),
        (figures.draw_class_pr, "pr_curves", "average_precision"),
    ],
)
def test_each_class_has_a_line_and_its_number(draw, part, number):
    curves = getattr(model(5), part)()
    _, ax = drawn(draw, curves)
    told = [t.get_text() for t in ax.get_legend().get_texts()]
    values = [f"{getattr(curve, number):.3f}" for curve in curves.values()]
    assert [t.split(": ")[1] for t in told] == values
    assert told[-1].startswith("mean A")
    lines = {line.get_gid(): line for line in ax.get_lines()}
    looks = {
        (lines[f"class-{k}-line"].get_color(), lines[f"class-{k}-line"]._dash_pattern[1] is None) for k in range(5)
    }
    assert len({look[0] for look in looks}) == 5
    assert {t.get_size() for t in ax.get_legend().get_texts()} == {SMALLEST}


def test_neighbours_differ_in_colour_and_in_dashes_and_thirty_classes_in_one_of_them():
    looks = [(k % len(COLOURS), k % len(DASHES)) for k in range(30)]
    assert len(set(looks)) == 30
    assert all(a[0] != b[0] and a[1] != b[1] for a, b in pairwise(looks))


def test_a_mean_curve_of_precision_holds_back_to_the_recall_before():
    curve = model(3, n=40).pr_curves()
    line = next(x for x in drawn(figures.draw_class_pr, curve)[1].get_lines() if x.get_gid() == "mean-line")
    x, y = line.get_data()
    mean = curve["macro"]
    assert (x[0], x[-1]) == (0, mean.recall[-1])
    assert float(np.trapezoid(y, x)) == pytest.approx(mean.average_precision)


def test_of_many_classes_the_ten_lowest_are_named():
    curves = model(14).roc_curves()
    _, ax = drawn(figures.draw_class_roc, curves)
    told = [t.get_text() for t in ax.get_legend().get_texts()]
    lowest = sorted((c.auc, name) for name, c in curves.items() if name != "macro")[:10]
    assert {t.split(":")[0] for t in told[:10]} == {name for _, name in lowest}
    assert told[10].startswith("mean AUC: ")
    assert told[11] == "4 others"


def test_reliability_of_each_class_with_the_diagonal():
    curves = model(3).reliability_curves()
    _, ax = drawn(figures.draw_class_reliability, curves, lang="zh")
    assert [t.get_text() for t in ax.get_legend().get_texts()] == list(curves)
    gids = [line.get_gid() for line in ax.get_lines()]
    assert gids == ["ideal", "class-0-line", "class-1-line", "class-2-line"]
    assert ax.get_xlabel() == "预测概率"


def test_plot_shows_the_curves_and_the_matrix_beside_them():
    m = model(5)
    ax = m.plot()
    left, right = ax.figure.axes
    assert ax is left
    assert texts(right, "count") == [str(n) for n in m.matrix.counts.ravel()]
    own = figures.figure().add_subplot()
    assert m.plot(own) is own
    assert len(own.figure.axes) == 1


def test_groups_are_a_forest():
    m = model(3)
    groups = m.by_group(np.where(np.arange(600) % 2, "left", "right"), replicates=50)
    ax = groups.plot()
    assert {"left", "right", "all rows"} <= {t.get_text() for t in ax.texts}
    assert groups.breakdowns["group"][0].plot().has_data()


def test_names_beside_a_matrix_of_forty_classes_do_not_overlap():
    fig, ax = drawn(figures.draw_confusion_matrix, model(40, n=2000).matrix)
    boxes = [t.get_window_extent() for t in ax.get_yticklabels()]
    assert 10 <= len(boxes) < 40
    assert all(a.y0 >= b.y1 - 1 for a, b in pairwise(boxes))
    assert fig.get_figwidth() * 72 == pytest.approx(252)


def test_names_are_text_and_long_ones_are_cut():
    ax = drawn(figures.draw_confusion_matrix, model(2, names=["$x^2$", "a very long name of a class"]).matrix)[1]
    names = [t.get_text() for t in ax.get_yticklabels()]
    assert names[0] == "$x^2$"
    assert len(names[1]) <= 11
