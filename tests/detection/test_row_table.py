"""One row per detection."""

import numpy as np
import pytest

import curvewise as cw
from curvewise.detection.matching.row_table import row_table
from detection.scenes import golden

TRUTH = {
    "image": ["x", "x", "y"],
    "class": ["a", "a", "b"],
    "box": [[0, 0, 10, 10], [50, 0, 40, 40], [0, 0, 10, 10]],
    "crowd": [0, 1, 0],
}
FOUND = {
    "image": ["y", "x", "x", "x"],
    "class": ["b", "a", "a", "a"],
    "box": [[0, 0, 10, 6], [0, 0, 10, 10], [55, 5, 10, 10], [90, 90, 5, 5]],
    "score": [0.4, 0.9, 0.8, 0.7],
}


def test_where_each_detection_is_and_what_it_counts_as():
    rows = {r["row"]: r for r in row_table(cw.detection.match(TRUTH, FOUND)).rows()}
    assert sorted(rows) == [0, 1, 2, 3]
    hit, crowd, nothing, short = rows[1], rows[2], rows[3], rows[0]
    assert (hit["image"], hit["class"], hit["score"], hit["truth"], hit["iou"]) == ("x", "a", 0.9, 0, 1.0)
    assert [hit[k] for k in ("x", "y", "width", "height")] == [0, 0, 10, 10]
    assert (crowd["truth"], crowd["iou"], crowd["at 0.50"]) == (1, 1.0, "aside")  # its whole area lies inside
    assert (nothing["truth"], nothing["iou"], nothing["at 0.50"]) == (None, None, "false")
    assert (short["truth"], short["iou"]) == (2, 0.6)
    assert [short[f"at {t:.2f}"] for t in (0.5, 0.55, 0.6, 0.65, 0.95)] == ["true", "true", "true", "false", "false"]


def test_objects_are_called_by_their_ids_where_they_have_any():
    m = cw.detection.match({**TRUTH, "id": ["p", "q", "r"]}, FOUND)
    assert dict(zip(*(row_table(m).columns[k] for k in ("row", "truth")), strict=True)) == {
        0: "r",
        1: "p",
        2: "q",
        3: None,
    }


def test_all_statuses_agree_with_the_counts():
    m = cw.detection.match(*golden(), iou=[0.3, 0.5, 0.625])
    table = row_table(m)
    assert [k for k in table.columns if k.startswith("at ")] == ["at 0.30", "at 0.50", "at 0.625"]
    for t in m.iou:
        said = table.columns[f"at {t:.2f}" if t != 0.625 else "at 0.625"]
        sweep = m.sweep(iou=t)
        assert (said.count("true"), said.count("false")) == (sweep.tp[-1], sweep.fp[-1])
    assert len(table) == len(m.found)
    frame = table.to_frame("polars")
    assert frame.height == len(table)


def test_the_overlap_is_that_of_one_s_own_function():
    m = cw.detection.match(TRUTH, FOUND, overlap=lambda d, g: np.full((len(d["row"]), len(g["row"])), 0.875))
    assert set(row_table(m).columns["iou"]) == {0.875}


def test_no_detections_make_an_empty_table():
    table = row_table(cw.detection.match(TRUTH, []))
    assert len(table) == 0
    assert "truth" in table.columns


@pytest.mark.parametrize("ties", ["block", "row"])
def test_scores_stay_what_they_are(ties):
    m = cw.detection.match(TRUTH, {**FOUND, "score": [4, 3, 2, 1]}, ties=ties)
    assert sorted(row_table(m).columns["score"]) == [1, 2, 3, 4]
