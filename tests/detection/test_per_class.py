"""Every class: counts, average precision with its interval, the best threshold."""

import json
import math

import numpy as np
import pytest

import curvewise as cw
from curvewise.detection.numbers.catalogue import Number, Reader
from curvewise.detection.numbers.f_curve import best_threshold
from curvewise.detection.numbers.per_class import per_class
from curvewise.detection.resampling.intervals import resampled_numbers
from detection.scenes import golden, renamed

FEW = {"replicates": 40}


@pytest.fixture(scope="module")
def matched():
    return cw.detection.match(*golden())


@pytest.mark.parametrize("iou", [None, 0.5, 0.9])
def test_counts_and_numbers_are_those_of_the_sweeps(matched, iou):
    table = per_class(matched, iou=iou, intervals=False)
    at = iou or 0.5
    assert (table.iou, table.counts_iou, table.classes) == (iou, at, matched.classes)
    recall = Reader(matched).per_class(
        Number("ar", "ar", tuple(range(10)) if iou is None else ({0.5: 0, 0.9: 8}[iou],))
    )
    for k, row in enumerate(table.rows):
        sweep = matched.sweep(row.name, iou=at)
        assert (row.truths, row.tp, row.fp) == (sweep.positives, sweep.tp[-1], sweep.fp[-1])
        assert (row.detections, row.missed) == (row.tp + row.fp, row.truths - row.tp)
        assert not row.ap.has_interval
        for value, want in ((row.ap.value, matched.class_ap(iou)[k]), (row.ar, recall[k])):
            np.testing.assert_equal(value, want)
        np.testing.assert_equal((row.ap50, row.ap75), (matched.class_ap(0.5)[k], matched.class_ap(0.75)[k]))
        if row.truths:
            best = best_threshold(matched, row.name, iou=at)
            np.testing.assert_allclose((row.best_f, row.best_threshold), (best.f, best.threshold), rtol=1e-15)


def test_a_class_without_objects_has_a_reason(matched):
    row = per_class(matched, **FEW).rows[-1]
    assert (row.truths, row.detections > 0) == (0, True)
    assert str(row.reason) == f"0 objects, {row.detections} detections"
    assert math.isnan(row.ap.value)
    assert row.ap.reason == row.reason
    assert math.isnan(row.best_f)
    assert all(r.reason is None for r in per_class(matched, **FEW).rows[:-1])


def test_absent_classes_that_count_as_zero_keep_their_reason():
    m = cw.detection.match(*golden(), absent="zero")
    row = per_class(m, **FEW).rows[-1]
    assert (row.ap.value, row.reason.code) == (0.0, "absent_class")


def test_intervals_are_those_of_the_shared_draws(matched):
    shared = resampled_numbers(matched, level=0.9, **FEW)
    table = per_class(matched, resampled=shared)
    again = per_class(matched, level=0.9, **FEW)
    assert table.level == 0.9
    for k, (row, other) in enumerate(zip(table.rows, again.rows, strict=True)):
        assert repr(row.ap) == repr(other.ap)
        if row.truths:
            assert (row.ap.low, row.ap.high) == (shared.class_estimate(k).low, shared.class_estimate(k).high)
            assert row.ap.level == 0.9


def test_no_name_moves_a_row(matched):
    other = cw.detection.match(*renamed(*golden(), seed=4))
    ours = {row.name: repr(row) for row in per_class(matched, **FEW).rows}
    assert ours == {row.name: repr(row) for row in per_class(other, **FEW).rows}


def test_thresholds_that_were_not_matched_at_are_left_out():
    m = cw.detection.match(*golden(), iou=[0.6, 0.75])
    table = per_class(m, **FEW)
    assert table.counts_iou == 0.6
    assert {"ap50", "ap75"} & set(table.table.columns) == {"ap75"}
    with pytest.raises(cw.OptionError, match="iou"):
        per_class(m, iou=0.5)


def test_the_table_and_the_dict(matched):
    table = per_class(matched, **FEW)
    columns = ["class", "truths", "detections", "tp", "fp", "missed", "ap", "low", "high", "ap50", "ap75", "ar"]
    assert list(table.table.columns) == [*columns, "best_f", "best_threshold", "note"]
    assert "few_images" in [n.code for n in table.notes]
    plain = json.loads(json.dumps(table.to_dict()))
    assert plain["schema"] == "curvewise.class_table"
    assert plain["classes"][-1]["ap"]["value"] is None
    assert len(plain["classes"]) == len(matched.classes)
