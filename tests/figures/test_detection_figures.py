"""Figures of detectors: each shows the numbers of its result, in both languages, and says what it leaves out."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

import numpy as np
import pytest

import curvewise as cw
from curvewise import figures
from curvewise.detection.mistakes.class_confusion import DetectionConfusion
from curvewise.detection.mistakes.error_types import TYPES
from curvewise.detection.numbers.per_class import class_sweeps
from curvewise.figures.style import COLOURS, PAGE, new_figure
from curvewise.words import words
from figures.cases import line, texts


@cache
def matched(which):
    data = files("curvewise.data")
    truth, found = (json.loads((data / f"traffic_{name}.json").read_text()) for name in ("truth", f"detector_{which}"))
    return cw.detection.match(truth, found)


@cache
def many(classes=40):
    """Return a scene of many classes with an object each, of which every other is found."""
    rows = range(classes)
    truth = {"image": [k // 4 for k in rows], "class": [f"class {k}" for k in rows], "box": [[0, 0, 9, 9]] * classes}
    found = {name: values[::2] for name, values in truth.items()}
    return cw.detection.match(truth, {**found, "score": [1 - k / 100 for k in range(classes // 2)]})


def each(read):
    return {which: read(matched(which)) for which in "ab"}


def drawn(draw, *results, **more):
    fig = new_figure(PAGE)
    draw(*results, ax=fig.add_subplot(), **more)
    fig.canvas.draw()
    return fig


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_sweeps_of_all_classes_are_those_of_each():
    for name, sweep in class_sweeps(matched("a")).items():
        alone = matched("a").sweep(name)
        assert sweep.positives == alone.positives
        for part in ("threshold", "tp", "fp"):
            assert getattr(sweep, part).tolist() == getattr(alone, part).tolist()
    assert set(class_sweeps(matched("a"))) == set(matched("a").classes) - {"train"}  # which has no object


def test_curves_of_classes_are_raw_and_their_envelopes_bound_them():
    ax = drawn(figures.draw_matched, matched("a"), threshold=0.5).axes[0]
    m = matched("a")
    area = dict(zip(m.classes, m.class_ap(0.5).tolist(), strict=True))
    worst = sorted(class_sweeps(m), key=lambda name: area[name])
    assert legend(ax) == ["AP50", *(f"{name}: {area[name]:.3f}" for name in worst)]
    for name in worst:
        place = list(class_sweeps(m)).index(name)
        recall, precision = line(ax, f"class-{place}-line")
        bound_at, bound = line(ax, f"class-{place}-envelope")
        curve = cw.pr_curve(m.sweep(name))
        assert recall[-1] == curve.recall[-1]
        assert precision.min() == curve.precision.min()  # which the envelope does not show
        assert np.all(np.diff(bound) <= 0)
        greatest = [curve.precision[curve.recall >= r].max() for r in curve.recall]
        assert np.interp(curve.recall - 1e-9, bound_at, bound).tolist() == pytest.approx(greatest)
        at = m.sweep(name).at(0.5)
        points = [artist.get_xydata().tolist() for artist in ax.lines]
        assert [[at.recall, at.precision]] in points


def test_of_many_classes_the_lowest_are_named():
    ax = drawn(figures.draw_matched, many()).axes[0]
    said = legend(ax)
    assert len(said) == 12
    assert said[-1] == "30 others"
    assert all(text.endswith(": 0.000") for text in said[1:-1])  # half of the classes are never found


def test_a_class_that_is_never_detected_is_a_point_at_nothing():
    truth = {"image": [1, 1], "class": ["cat", "dog"], "box": [[0, 0, 9, 9], [20, 0, 9, 9]]}
    m = cw.detection.match(truth, {"image": [1], "class": ["cat"], "box": [[0, 0, 9, 9]], "score": [0.5]})
    ax = drawn(figures.draw_matched, m).axes[0]
    assert line(ax, "class-1-line")[0].tolist() == [0.0]
    assert "dog: 0.000" in legend(ax)


def test_classes_are_lines_the_lowest_first():
    found = matched("a").per_class(replicates=20)
    ax = drawn(figures.draw_class_table, found).axes[0]
    rows = sorted((row for row in found.rows if row.ap.is_defined), key=lambda row: row.ap.value)
    for y, row in enumerate(rows):
        assert line(ax, f"value-{y}")[0].tolist() == [row.ap.value]
        assert line(ax, f"row-{y}")[0].tolist() == [row.ap.low, row.ap.high]
        assert {str(row.name), str(row.truths)} <= set(texts(ax))
    assert "train" not in texts(ax)  # has no object, so no average precision
    assert line(ax, "reference")[0][0] == pytest.approx(matched("a").ap)


def test_of_many_classes_as_many_as_wanted():
    fig = drawn(figures.draw_class_table, {"a": many().per_class(replicates=2)}, most=5)
    shown = [text for text in texts(fig.axes[0]) if text.startswith("class")]
    assert len(shown) == 5


def test_detectors_are_panels_with_one_scale():
    fig = drawn(figures.draw_class_table, each(lambda m: m.per_class(intervals=False)))
    assert len(fig.axes) == 2
    assert fig.axes[0].get_xlim() == fig.axes[1].get_xlim()
    assert legend(fig.axes[0]) == ["a", "b"]


def test_by_overlap_is_a_curve_by_size_a_forest():
    ax = drawn(figures.draw_detection_groups, each(lambda m: m.by("iou", replicates=20))).axes[0]
    for place, which in enumerate("ab"):
        x, y = line(ax, f"model-{place}-line")
        assert x.tolist() == list(matched(which).iou)
        assert y.tolist() == pytest.approx([cw.detection.mean_ap(matched(which), iou=t) for t in matched(which).iou])
    sizes = matched("a").by("area", replicates=20)
    ax = drawn(figures.draw_detection_groups, sizes).axes[0]
    assert {"small", "medium", "large"} <= set(texts(ax))
    assert line(ax, "value-0")[0].tolist() == [sizes.groups[0].ap.value]
    ax = drawn(figures.draw_detection_groups, matched("a").by("weather", replicates=20)).axes[0]
    assert "night" in texts(ax)


def test_differences_of_two_detectors_by_class():
    found = matched("a").class_differences(matched("b"), replicates=20)
    ax = drawn(figures.draw_class_differences, found).axes[0]
    for y, (name, e) in enumerate(zip(found.classes, found.differences, strict=True)):
        assert line(ax, f"value-{y}")[0].tolist() == [e.value]
        assert any(text.startswith(str(name)[:5]) for text in texts(ax))  # a long name is shortened
    assert line(ax, "reference")[0].tolist() == [0, 0]
    assert "first − second" in ax.get_xlabel()


def test_a_summary_is_a_forest_of_its_numbers():
    ax = drawn(figures.draw_detection_summary, matched("a").summary()).axes[0]
    assert {"AP", "AP50", "AP SMALL", "AR 100"} <= set(texts(ax))


def test_froc_holds_recall_until_the_next_threshold():
    ax = drawn(figures.draw_froc, each(lambda m: m.froc()), point=each(lambda m: m.at(0.5).pooled)).axes[0]
    for place, which in enumerate("ab"):
        curve, (x, y) = matched(which).froc(), line(ax, f"model-{place}-line")
        for rate in (0.05, 0.1, 0.5, 1, 2):
            assert y[np.searchsorted(x, rate, side="right") - 1] == pytest.approx(curve.recall_at(rate), abs=0.004)
        at = matched(which).at(0.5).pooled
        assert line(ax, f"model-{place}-point")[0].tolist() == [at.false_positives_per_image]
        assert line(ax, f"model-{place}-point")[1].tolist() == [at.recall]
    assert ax.get_xscale() == "log"
    assert ax.get_xlabel() == "Wrong boxes per image"


def test_froc_of_a_detector_without_a_wrong_box():
    truth = {"image": [1], "class": ["cat"], "box": [[0, 0, 9, 9]]}
    m = cw.detection.match(truth, {**truth, "score": [0.5]})
    ax = drawn(figures.draw_froc, m.froc()).axes[0]
    assert line(ax, "model-0-line")[1].max() == 1


def test_f_curves_mark_the_best():
    ax = drawn(figures.draw_f_curve, each(lambda m: m.f_curve())).axes[0]
    for place, which in enumerate("ab"):
        best = matched(which).best_threshold()
        assert line(ax, f"model-{place}-point")[0].tolist() == [best.threshold]
        assert line(ax, f"model-{place}-point")[1].tolist() == [best.f]
        assert f"{which}: best F1 {best.f:.3f} at {best.threshold:.3g}" in legend(ax)
    alone = matched("a").f_curve(beta=2).plot()
    assert [text.split()[0] for text in legend(alone)] == ["best", "Precision", "Recall"]
    assert "F2" in legend(alone)[0]


def test_a_detector_without_detections_has_figures():
    truth = {"image": [1], "class": ["cat"], "box": [[0, 0, 9, 9]]}
    m = cw.detection.match(truth, {"image": [], "class": [], "box": [], "score": []})
    for result in (m, m.froc(), m.f_curve(), m.errors(), m.confusion(0.5)):
        assert result.plot() is not None


def test_bars_of_errors_are_counts_and_gains():
    fig = drawn(figures.draw_detection_errors, each(lambda m: m.errors()))
    for ax, part in zip(fig.axes, ("counts", "delta_ap"), strict=True):
        wide = {bar.get_gid(): bar.get_width() for bar in ax.patches}
        for place, which in enumerate("ab"):
            found = getattr(matched(which).errors(), part)
            assert {kind: wide[f"model-{place}-{part}-{kind}"] for kind in TYPES} == {k: found[k] for k in TYPES}
    assert [t.get_text() for t in fig.axes[0].get_yticklabels()] == [
        *("localisation", "class", "class and localisation", "duplicate", "background", "missed")
    ]
    assert str(matched("a").errors().counts["background"]) in texts(fig.axes[0])
    assert legend(fig.axes[0]) == ["a", "b"]


def test_the_matrix_has_what_is_missed_and_what_is_background():
    found = matched("a").confusion(0.4)
    ax = drawn(figures.draw_detection_confusion, found).axes[0]
    counts = {t.get_gid(): t.get_text() for t in ax.texts if str(t.get_gid()).startswith("count")}
    size = len(found.classes) + 1
    for row in range(size):
        for column in range(size):
            if row == column == size - 1:
                assert f"count-{row}-{column}" not in counts  # no box where there is no object
            else:
                assert counts[f"count-{row}-{column}"] == str(found.matrix[row, column])
    assert ax.get_xticklabels()[-1].get_text() == "missed"
    assert ax.get_yticklabels()[-1].get_text() == "background"
    right = [p.get_gid() for p in ax.patches if str(p.get_gid()).startswith("right")]
    assert right == [f"right-{k}" for k in range(size - 1)]


def test_of_many_classes_the_most_confused_are_shown_and_none_is_lost():
    matrix = np.zeros((21, 21), dtype=np.int64)
    np.fill_diagonal(matrix, 5)
    matrix[-1, -1], matrix[3, 17], matrix[17, 3], matrix[2, -1] = 0, 40, 30, 7
    found = DetectionConfusion(tuple(f"c{k}" for k in range(20)), matrix, 0.5, 0.5)
    ax = drawn(figures.draw_detection_confusion, found).axes[0]
    names = [t.get_text() for t in ax.get_xticklabels()]
    assert len(names) == 10
    assert {"c3", "c17", "12 others", "missed"} <= set(names)
    shown = [int(t.get_text()) for t in ax.texts if str(t.get_gid()).startswith("count")]
    assert sum(shown) == matrix.sum()
    right = [p.get_gid() for p in ax.patches if str(p.get_gid()).startswith("right")]
    assert len(right) == 8  # the others together are not all right


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_words(lang):
    w = words(lang)
    ax = drawn(figures.draw_froc, matched("a").froc(), lang=lang).axes[0]
    assert ax.get_xlabel() == w("figure.word.false_positives_per_image")
    ax = drawn(figures.draw_detection_errors, matched("a").errors(), lang=lang).axes[0]
    assert [t.get_text() for t in ax.get_yticklabels()] == [w(f"figure.word.error_{kind}") for kind in TYPES]
    ax = drawn(figures.draw_detection_confusion, matched("a").confusion(0.5), lang=lang).axes[0]
    assert ax.get_xlabel() == w("figure.word.detected_as")


def test_own_labels_and_grey():
    ax = figures.draw_matched(matched("a"), labels={"recall": "found", "ap": "area"})
    assert ax.get_xlabel() == "found"
    assert legend(ax)[0] == "area"
    fig = figures.figure(gray=True)
    ax = figures.draw_matched(matched("a"), ax=fig.add_subplot())
    used = {artist.get_color() for artist in ax.lines}
    assert not used & set(COLOURS)


def test_precision_and_recall_of_one_class_is_drawn_without_chance():
    ax = cw.pr_curve(matched("a").sweep("car")).plot()
    assert "chance" not in " ".join(legend(ax))
