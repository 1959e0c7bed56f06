"""Boxes in every form, and overlaps against exact fractions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise.detection.formats.boxes import as_xywh, box_area, pair_iou

quarters = st.integers(-40, 40).map(lambda k: k / 4)
lengths = st.integers(0, 40).map(lambda k: k / 4)
box = st.tuples(quarters, quarters, lengths, lengths)


def exact_overlap(a, b, crowd=False):
    ax, ay, aw, ah = map(Fraction, a)
    bx, by, bw, bh = map(Fraction, b)
    inter = max(Fraction(0), min(ax + aw, bx + bw) - max(ax, bx)) * max(
        Fraction(0), min(ay + ah, by + bh) - max(ay, by)
    )
    base = aw * ah if crowd else aw * ah + bw * bh - inter
    return inter / base if inter else Fraction(0)


@given(st.lists(st.tuples(box, box, st.booleans()), min_size=1, max_size=20))
def test_overlap_of_exact_coordinates_is_the_nearest_float(pairs):
    a, b = np.array([p[0] for p in pairs]), np.array([p[1] for p in pairs])
    crowd = np.array([p[2] for p in pairs])
    plain = [float(exact_overlap(x, y)) for x, y, _ in pairs]
    assert pair_iou(a, b).tolist() == plain
    assert pair_iou(a, b, np.zeros(len(a), bool)).tolist() == plain
    assert pair_iou(a, b, crowd).tolist() == [float(exact_overlap(*p)) for p in pairs]


def test_boxes_that_touch_or_have_no_area_do_not_overlap():
    a = np.array([[0, 0, 10, 10], [0, 0, 0, 10], [0, 0, 0, 0], [0, 0, 1e-200, 1e-200]], float)
    b = np.array([[10, 0, 10, 10], [0, 0, 10, 10], [0, 0, 0, 0], [0, 0, 1e-200, 1e-200]], float)
    for crowd in (None, np.ones(4, bool)):
        assert pair_iou(a, b, crowd).tolist() == [0, 0, 0, 0]


def test_overlap_leaves_its_input_alone():
    a, b = np.array([[0.0, 0, 10, 10]]), np.array([[5.0, 5, 10, 10]])
    before = a.copy(), b.copy()
    pair_iou(a, b, np.array([True]))
    np.testing.assert_array_equal((a, b), before)
    assert pair_iou(a[:0], b[:0]).shape == (0,)


@pytest.mark.parametrize(
    ("form", "given_box"), [("xywh", [10, 20, 30, 8]), ("xyxy", [10, 20, 40, 28]), ("cxcywh", [25, 24, 30, 8])]
)
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.uint8])
def test_every_form_is_the_same_box(form, given_box, dtype):
    boxes = np.array([given_box], dtype)
    box = as_xywh(boxes, form)
    assert box.dtype == np.float64
    assert box.tolist() == [[10, 20, 30, 8]]
    assert box_area(box).tolist() == [240]
    assert as_xywh(boxes, form, "inclusive").tolist() == [[10, 20, 31, 9]]
    assert boxes.tolist() == [given_box]


def test_inclusive_pixels_count_both_ends():
    # the devkit: iw = min(x2, x2') - max(x1, x1') + 1, a side is x2 - x1 + 1
    a = as_xywh(np.array([[0, 0, 9, 9]]), "xyxy", "inclusive")
    b = as_xywh(np.array([[9, 0, 18, 9]]), "xyxy", "inclusive")
    assert pair_iou(a, b).tolist() == [10 / 190]
