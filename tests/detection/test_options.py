"""Options of matching and of reading: what they do, and what is refused."""

import math

import numpy as np
import pytest

import curvewise as cw
from curvewise.detection.numbers.catalogue import numbers
from detection.scenes import golden

BOX = [0, 0, 10, 10]


def one(score=0.9, **truth):
    return (
        {"image": [1], "class": ["a"], "box": [BOX], **{k: [v] for k, v in truth.items()}},
        {"image": [1], "class": ["a"], "box": [BOX], "score": [score]},
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rule": "cocoo"}, "rule: expected one of 'coco', 'voc', 'lvis', got 'cocoo'; did you mean 'coco'"),
        ({"iou": 0}, "iou: expected a number above 0 and up to 1"),
        ({"iou": [0.5, 1.1]}, "iou: expected a number above 0 and up to 1"),
        ({"iou": [0.5, 0.5]}, "iou: a threshold is given twice"),
        ({"iou": "half"}, "iou: expected a number"),
        ({"max_detections": 0}, "max_detections: expected a whole number of at least 1"),
        ({"areas": {"tiny": (9, 3)}}, "areas: expected a name and"),
        ({"areas": {"a": (0, 10), "b": (5, 20)}}, "'a' .* and 'b' .* overlap by more than an end"),
        ({"areas": [1, 2]}, "areas: expected a dict"),
        ({"rule": "voc", "areas": {"small": (0, 9)}}, "VOC has no size ranges"),
        ({"ties": "rows"}, "ties: expected one of 'block', 'row'"),
        ({"absent": "ignore"}, "absent: expected one of"),
        ({"overlap": 3}, "overlap: expected a function"),
        ({"iuo": 0.5}, "iuo: unknown option of match; did you mean 'iou'"),
    ],
)
def test_what_is_refused(options, message):
    with pytest.raises(cw.CurvewiseError, match=message):
        cw.detection.match(*golden(), **options)


def test_a_threshold_is_found_by_its_value():
    m = cw.detection.match(*golden(), iou=np.linspace(0.5, 0.95, 10))
    assert cw.detection.mean_ap(m, iou=0.9) == cw.detection.mean_ap(cw.detection.match(*golden()), iou=0.9)
    with pytest.raises(cw.OptionError, match=r"iou: expected one of the thresholds .* got 0.91; match again"):
        m.sweep("kite", iou=0.91)


def test_numbers_by_name():
    m = cw.detection.match(*golden())
    assert m.number("AR@10") == m.number("ar_10") == m.number("ar10")
    assert m.ar == m.number("ar_100").value
    with pytest.raises(cw.OptionError, match=r"there is no number 'ap_smal' .* did you mean 'ap_small'"):
        m.number("ap_smal")
    with pytest.raises(cw.OptionError, match="there is no class 'kit'; did you mean 'kite'"):
        m.sweep("kit")
    assert m.sweep(14) == m.sweep("kite")


def test_fewer_detections_are_read_without_matching_again():
    m, fewer = cw.detection.match(*golden()), cw.detection.match(*golden(), max_detections=10)
    assert cw.detection.mean_ap(m, max_detections=10) == fewer.ap
    assert m.sweep("mug", max_detections=10) == fewer.sweep("mug")
    with pytest.raises(cw.OptionError, match="matched with 10 per image and class, so 20 cannot be read"):
        cw.detection.mean_ap(fewer, max_detections=20)


def test_own_sizes():
    truth, found = golden()
    m = cw.detection.match(truth, found, areas={"tiny": (0, 400), "rest": (400, 1e10)})
    assert list(m.options.areas) == ["all", "tiny", "rest"]
    assert m.number("ap_tiny").value == cw.detection.mean_ap(m, area="tiny")
    assert list(numbers(cw.detection.match(truth, found, areas={}))) == [
        *("ap", "ap50", "ap75"),
        *("ar_1", "ar_10", "ar_100"),
    ]


def test_absent_classes():
    truth, found = golden()
    skip, zero = (cw.detection.match(truth, found, absent=a) for a in ("skip", "zero"))
    assert (skip.number("ap").classes, zero.number("ap").classes) == (3, 4)
    assert zero.ap == pytest.approx(skip.ap * 3 / 4)
    assert math.isnan(skip.class_ap()[skip.class_place("ghost")])
    assert zero.class_ap()[skip.class_place("ghost")] == 0
    with pytest.raises(cw.UndefinedMetricError, match=r"There is 1 class without any annotated object .*ghost"):
        cw.detection.match(truth, found, absent="raise")
    assert "ghost (36)" in str(skip)


def test_means_of_classes():
    def found(k, hits):  # so many of ten objects are found
        rows = range(hits)
        return {
            "image": [1] * hits,
            "class": [k] * hits,
            "box": [[20 * i, 50, 9, 9] for i in rows],
            "score": [0.5] * hits,
        }

    truth = {"image": [1] * 20, "class": ["a"] * 10 + ["b"] * 10, "box": [[20 * i, 50, 9, 9] for i in range(10)] * 2}
    a, b = found("a", 8), found("b", 6)
    rows = {name: a[name] + b[name] for name in a}
    assert cw.detection.mean_ap(truth, rows, interpolation="all-point") == pytest.approx(0.7)
    rows = {name: [*rows[name], extra] for name, extra in zip(rows, (1, "c", BOX, 0.5), strict=True)}
    options = {"interpolation": "all-point", "classes": None}
    m = cw.detection.match({**truth, "image": truth["image"]}, rows, unknown="drop")
    assert cw.detection.mean_ap(m, **options) == pytest.approx(0.7)


def test_average_of_pooled_classes():
    m = cw.detection.match(*golden())
    value = cw.detection.mean_ap(m, iou=0.5, average="micro")
    assert value == cw.pr_auc(m.sweep(iou=0.5), interpolation="101-point")
    assert value != m.ap50
    with pytest.raises(cw.CurvewiseError, match="average='micro' has no interpolation"):
        cw.detection.mean_ap(m, average="micro", interpolation="101-point (pycocotools)")
    with pytest.raises(cw.OptionError, match="found: has no meaning where matched detections are given"):
        cw.detection.mean_ap(m, [])


def test_truths_and_no_detection_is_zero():
    truth, _ = one()
    m = cw.detection.match(truth, {"image": [], "class": [], "box": [], "score": []})
    assert (m.ap, m.ar) == (0, 0)
    assert m.sweep("a").at(0.5).recall == 0


def test_nothing_to_find_is_undefined():
    _, found = one()
    nothing = {"images": [{"id": 1}], "categories": [{"id": "a", "name": "a"}], "annotations": []}
    with pytest.raises(cw.UndefinedMetricError, match="no annotated object counts, in 1 image and 1 class"):
        cw.detection.match(nothing, found)


def test_what_needs_true_negatives_is_refused():
    s = cw.detection.match(*golden()).sweep("kite")
    for verb in (cw.roc_auc, cw.roc_curve):
        with pytest.raises(cw.UndefinedMetricError, match="needs the number of negatives"):
            verb(s)
    with pytest.raises(cw.UndefinedMetricError, match="number of true negatives is unknown"):
        s.at(0.5).specificity  # noqa: B018


def test_own_overlap():
    truth, found = golden()
    plain = cw.detection.match(truth, found)
    seen = []

    def overlap(d, t):
        seen.append(d["image"])
        a, b = d["box"][:, None], t["box"][None]
        wide = np.minimum(a[..., 0] + a[..., 2], b[..., 0] + b[..., 2]) - np.maximum(a[..., 0], b[..., 0])
        high = np.minimum(a[..., 1] + a[..., 3], b[..., 1] + b[..., 3]) - np.maximum(a[..., 1], b[..., 1])
        inside = np.clip(wide, 0, None) * np.clip(high, 0, None)
        both = a[..., 2] * a[..., 3] + np.where(t["crowd"], 0, b[..., 2] * b[..., 3] - inside)
        return np.where(inside > 0, inside / np.where(both > 0, both, 1), 0)

    m = cw.detection.match(truth, found, overlap=overlap)
    assert m.ap == plain.ap
    assert len(seen) == len(set(seen))
    with pytest.raises(cw.CurvewiseError, match=r"overlap: expected .* rows .detections. and .* columns"):
        cw.detection.match(truth, found, overlap=lambda d, t: np.zeros((1, 1)))
    with pytest.raises(cw.CurvewiseError, match="overlap: expected numbers from 0 to 1"):
        cw.detection.match(truth, found, overlap=lambda d, t: np.full((len(d["row"]), len(t["row"])), 2.0))
    with pytest.raises(cw.CurvewiseError, match="got nothing"):
        cw.detection.match(truth, found, overlap={})


def test_a_matrix_per_image():
    truth, found = one()
    half = {1: [[0.6]]}
    m = cw.detection.match(truth, found, overlap=half)
    assert (cw.detection.mean_ap(m, iou=0.6), cw.detection.mean_ap(m, iou=0.65)) == (1, 0)
