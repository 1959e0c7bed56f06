"""One scene, three truths, all found, spoilt in one way after the other: an error or a note, never a wrong number."""

import math
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest

from curvewise.detection.formats.reading import read_scene
from curvewise.errors import CurvewiseError, OptionError
from curvewise.words import LANGS

IMAGES = [{"id": 1, "width": 640, "height": 480}, {"id": 2, "width": 640, "height": 480}]
CATEGORIES = [{"id": 1, "name": "cat"}, {"id": 2, "name": "dog"}]
TRUTH = [
    {"id": 1, "image_id": 1, "category_id": 1, "bbox": [400, 300, 200, 100], "area": 20_000, "iscrowd": 0},
    {"id": 2, "image_id": 1, "category_id": 2, "bbox": [350, 250, 40, 60], "area": 2400, "iscrowd": 0},
    {"id": 3, "image_id": 2, "category_id": 1, "bbox": [500, 200, 120, 240], "area": 28_800, "iscrowd": 0},
]
FOUND = [{k: r[k] for k in ("image_id", "category_id", "bbox")} | {"score": 0.9 - k / 10} for k, r in enumerate(TRUTH)]
NAN = math.nan


def truth_of(rows=TRUTH, **parts):
    return {"images": IMAGES, "categories": CATEGORIES, "annotations": rows} | parts


def spoilt(rows, at=0, **values):
    return [row | (values if k == at else {}) for k, row in enumerate(rows)]


def without(rows, *keys):
    return [{k: v for k, v in row.items() if k not in keys} for row in rows]


def as_columns(rows):
    keys = [k for k in rows[0] if k != "bbox"]
    boxes = [r["bbox"] for r in rows]
    found = {k: [r[k] for r in rows] for k in keys}
    return found | {name: [float(b[k]) for b in boxes] for k, name in enumerate("xywh")}


FORMS = {"dicts": list, "columns": as_columns, "pandas": lambda r: pd.DataFrame(as_columns(r))}
FORMS["polars"] = lambda r: pl.DataFrame(as_columns(r))


@pytest.fixture(params=FORMS, ids=list(FORMS))
def form(request):
    return FORMS[request.param]


def codes(scene):
    return [n.code for n in scene.notes]


def told(scene, code):
    """Return the note, which must read as a sentence in every language."""
    (found,) = [n for n in scene.notes if n.code == code]
    for lang in LANGS:
        assert "–" not in found.text(lang)
    return found


def refuses(truth, found, message, **options):
    with pytest.raises(CurvewiseError) as caught:
        read_scene(truth, found, **options)
    assert re.search(message, str(caught.value)), str(caught.value)
    assert str(caught.value).count("\n") == 0
    return caught.value


def test_the_scene_itself_has_nothing_to_say(form):
    scene = read_scene(truth_of(), form(FOUND))
    assert scene.notes == ()
    assert len(scene.found) == 3


def test_nan_in_the_box_of_a_detection(form):
    bad = form(spoilt(FOUND, bbox=[400, 300, NAN, 100]))
    error = refuses(truth_of(), bad, r"^found: box is NaN in 1 of 3 rows \(row 0\); .*pass missing='drop'")
    assert (error.column, error.rows) == ("found", (0,))
    scene = read_scene(truth_of(), bad, missing="drop")
    assert scene.found.row.tolist() == [1, 2]
    assert told(scene, "detection_dropped_missing").values["rows"] == 1


def test_nan_in_the_box_of_a_truth(form):
    bad = form(spoilt(TRUTH, 2, bbox=[400, NAN, 5, 100]))
    refuses(bad, FOUND, r"^truth: box is NaN in 1 of 3 rows \(row 2\)")
    assert read_scene(bad, FOUND, missing="drop", unknown="drop").truths.row.tolist() == [0, 1]


@pytest.mark.parametrize("value", [None, NAN])
def test_what_is_missing_in_a_list(value):
    for key, name in (("image_id", "image"), ("category_id", "class"), ("score", "score"), ("bbox", "box")):
        bad = spoilt(FOUND, 1, **{key: value})
        refuses(truth_of(), bad, rf"^found: {name} is (NaN|missing) in 1 of 3 rows \(row 1\); .*missing='drop'")
        assert read_scene(truth_of(), bad, missing="drop").found.row.tolist() == [0, 2]
    absent = [FOUND[0], *without(FOUND[1:2], "score"), FOUND[2]]
    refuses(truth_of(), absent, r"score is (NaN|missing) in 1 of 3 rows \(row 1\)")


def test_several_gaps_are_told_together():
    bad = spoilt(spoilt(FOUND, 0, score=NAN), 2, bbox=[1, 2, NAN, 3])
    refuses(truth_of(), bad, r"box is NaN in 1 of 3 rows \(row 2\) and score is NaN in 1 of 3 rows \(row 0\)")


def test_null_in_a_frame():
    frame = pl.DataFrame(as_columns(FOUND)).with_columns(
        pl.when(pl.col("score") > 0.85).then(None).otherwise(pl.col("category_id")).alias("category_id")
    )
    refuses(truth_of(), frame, r"class is missing in 1 of 3 rows \(row 0\)")
    assert read_scene(truth_of(), frame, missing="drop").found.row.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("box", "what"), [([400, 300, -5, 9], "width"), ([400, 300, 5, -9], "height"), ([9, 9, -5, -9], "width or height")]
)
def test_negative_sides(form, box, what):
    for truth, found, side in (
        (TRUTH, spoilt(FOUND, 1, bbox=box), "found"),
        (spoilt(TRUTH, 1, bbox=box), FOUND, "truth"),
    ):
        refuses(
            form(truth),
            form(found),
            rf"^{side}: {what} is negative in 1 of 3 rows \(row 1\); corners given\? boxes='xyxy'",
        )


def test_sides_given_where_corners_are_said():
    refuses(TRUTH, FOUND, r"width or height is negative .*width and height given\? boxes='xywh'", boxes="xyxy")
    corner = [TRUTH[0] | {"bbox": [10, 10, 9, 20]}]  # one less, which an inclusive pixel must not hide
    refuses(corner, FOUND[:1], "width is negative in 1 of 1 row", boxes="xyxy", pixels="inclusive")


def test_boxes_without_width(form):
    scene = read_scene(form(spoilt(TRUTH, bbox=[400, 300, 0, 5])), form(spoilt(FOUND, bbox=[400, 300, 7, 0])))
    assert told(scene, "detection_zero_truth").values == {"rows": 1, "of": 3}
    assert told(scene, "detection_zero_found").values == {"rows": 1, "of": 3}


def corners(rows):
    return [
        r | {"bbox": [r["bbox"][0], r["bbox"][1], r["bbox"][0] + r["bbox"][2], r["bbox"][1] + r["bbox"][3]]}
        for r in rows
    ]


def test_detections_as_corners(form):
    refuses(
        truth_of(),
        form(corners(FOUND)),
        r"^found: boxes end beyond their image in most rows \(100%\).* 0% .*100%.*pass boxes=\('xywh', 'xyxy'\)",
    )
    assert read_scene(truth_of(), corners(FOUND), boxes=("xywh", "xyxy")).notes == ()
    scene = read_scene(TRUTH, form(corners(FOUND)))  # the size of images is not known
    assert told(scene, "detection_other_form").values["form"] == "boxes=('xywh', 'xyxy')"
    centres = [r | {"bbox": [b[0] + b[2] / 2, b[1] + b[3] / 2, b[2], b[3]]} for r in FOUND for b in [r["bbox"]]]
    refuses(truth_of(), form(centres), r"boxes end beyond their image in most rows \(67%\).*boxes=\('xywh', 'cxcywh'\)")
    scene = read_scene(TRUTH, form(centres))
    assert told(scene, "detection_other_form").values["form"] == "boxes=('xywh', 'cxcywh')"


def test_truth_as_corners(form):
    scene = read_scene(form(corners(TRUTH)), form(FOUND))
    assert told(scene, "detection_other_form").values["form"] == "boxes=('xyxy', 'xywh')"


def test_both_as_corners(form):
    scene = read_scene(truth_of(corners(TRUTH)), form(corners(FOUND)))
    assert told(scene, "detection_most_beyond").values == {"truths": 3, "found": 3}


def many(rows=25, seed=3):
    rng = np.random.default_rng(seed)
    start = rng.uniform(50, 400, (rows, 2))
    return np.hstack([start, start + rng.uniform(10, 40, (rows, 2))])


def test_corners_of_torchvision_at_the_default():
    boxes = many()
    truth = [{"boxes": boxes, "labels": np.ones(25, int)}]
    found = [{"boxes": boxes, "labels": np.ones(25, int), "scores": np.linspace(0, 1, 25)}]
    refuses(truth, found, r"^truth: in all 25 boxes the third number .* pass boxes='xyxy', or boxes=\('xywh', 'xywh'\)")
    assert "detection_like_corners" in codes(read_scene(truth, found, boxes=("xywh", "xywh")))
    assert read_scene(truth, found, boxes="xyxy").notes == ()
    rows = [{"image_id": 1, "category_id": 1, "bbox": b, "score": 1} for b in boxes.tolist()]
    assert told(read_scene(rows, rows), "detection_like_corners").values["rows"] == 50


def test_shares_against_pixels(form):
    shares = [r | {"bbox": [v / 640 for v in r["bbox"]]} for r in FOUND]
    refuses(truth_of(), form(shares), r"^found: all coordinates lie in \[0, 1\], truth's reach 500: in shares.*sizes=")
    refuses(form([r | {"bbox": [v / 640 for v in r["bbox"]]} for r in TRUTH]), FOUND, r"^truth: all coordinates lie in")
    assert read_scene(truth_of(), form(shares), sizes=(640, 640)).found.box.tolist() == [r["bbox"] for r in FOUND]


def test_an_unknown_image(form):
    bad = form([*FOUND, FOUND[0] | {"image_id": 17}, FOUND[0] | {"image_id": 30}])
    error = refuses(
        truth_of(),
        bad,
        r"^found: image is unknown to truth \(17, 30\) in 2 of 5 rows \(rows 3, 4\).*pass unknown='drop'",
    )
    assert error.rows == (3, 4)
    scene = read_scene(truth_of(), bad, unknown="drop")
    assert scene.found.row.tolist() == [0, 1, 2]
    assert told(scene, "detection_unknown_image").values == {"rows": 2, "of": 5, "names": "17, 30"}
    # a truth that does not list its images: its rows are what is known of them
    refuses(
        form(TRUTH), bad, r"image is unknown to truth .*name all images that are judged in images=, or pass unknown="
    )
    assert read_scene(form(TRUTH), bad, images=[1, 2, 17, 30]).images == (1, 2, 17, 30)


@pytest.mark.parametrize("unknown", ["raise", "drop"])
def test_ids_of_another_type(form, unknown):
    text = [r | {"image_id": str(r["image_id"])} for r in FOUND]
    for truth in (truth_of(), form(TRUTH)):
        refuses(truth, form(text), "^image ids are text in found and whole numbers in truth", unknown=unknown)
    text = [r | {"category_id": str(r["category_id"])} for r in FOUND]
    for truth in (truth_of(), form(TRUTH)):
        refuses(truth, form(text), "^class ids are text in found and whole numbers in truth", unknown=unknown)


def test_a_truth_in_an_image_that_is_not_listed():
    bad = truth_of(spoilt(TRUTH, 1, image_id=99))
    refuses(bad, FOUND, r"^truth: image is not in 'images' \(99\) in 1 of 3 rows \(row 1\)")
    refuses(bad, FOUND, "image is not in 'images'", unknown="drop")


def test_an_unknown_class(form):
    bad = form(spoilt(FOUND, 1, category_id=9))
    refuses(
        truth_of(),
        bad,
        r"^found: class is unknown to truth \(9\) in 1 of 3 rows \(row 1\); the classes are 1 'cat', 2 'dog'; .*'drop'",
    )
    scene = read_scene(truth_of(), bad, unknown="drop")
    assert scene.found.row.tolist() == [0, 2]
    assert told(scene, "detection_unknown_class").values["rows"] == 1


def test_class_ids_shifted_by_one(form):
    bad = form([r | {"category_id": r["category_id"] - 1} for r in FOUND])
    refuses(truth_of(), bad, r"ids seem shifted by one \(from 0 in found, from 1 in truth\)")
    assert "detection_classes_shifted" in codes(read_scene(form(TRUTH), bad))
    up = form([r | {"category_id": r["category_id"] + 1} for r in FOUND])
    refuses(truth_of(), up, r"ids seem shifted by one \(from 2 in found, from 1 in truth\)")


def test_a_truth_of_a_class_that_is_not_listed():
    refuses(
        truth_of(spoilt(TRUTH, category_id=5)),
        FOUND,
        r"^truth: class is not in 'categories' \(5\) in 1 of 3 rows \(row 0\)",
    )


def test_two_truths_with_one_id(form):
    scene = read_scene(form(spoilt(TRUTH, 1, id=1)), form(FOUND))
    assert told(scene, "detection_ids_repeat").values == {"ids": 1, "first": "1"}


def test_id_zero_or_none_is_right(form):
    for truth in (spoilt(TRUTH, id=0), without(TRUTH, "id")):
        scene = read_scene(form(truth), form(FOUND))
        assert len(scene.truths) == 3
        assert scene.notes == ()
    assert read_scene(without(TRUTH, "id"), FOUND).truths.id is None


def test_two_images_or_categories_with_one_id():
    refuses(truth_of(images=[*IMAGES, IMAGES[0]]), FOUND, "^truth: 'images' has 1 id more than once, the first 1")
    refuses(
        truth_of(categories=[*CATEGORIES, CATEGORIES[1]]), FOUND, "'categories' has 1 id more than once, the first 2"
    )


def test_the_same_detection_twice(form):
    scene = read_scene(truth_of(), form([*FOUND, FOUND[1], FOUND[1], FOUND[1] | {"score": 0.01}]))
    assert len(scene.found) == 6
    assert told(scene, "detection_identical").values == {"rows": 2, "of": 6}


def test_identical_rows_among_many_round_numbers():
    rng = np.random.default_rng(0)
    rows = np.unique(np.column_stack([rng.integers(1, 3, 20_000), rng.integers(0, 64, (20_000, 4))]), axis=0)
    found = {"image": rows[:, 0], "class": np.ones(len(rows), int), "box": rows[:, 1:], "score": np.ones(len(rows))}
    assert "detection_identical" not in codes(read_scene(truth_of(), found))
    again = {k: np.concatenate([v, v[7:10]]) for k, v in found.items()}
    assert told(read_scene(truth_of(), again), "detection_identical").values["rows"] == 3


def test_nan_and_infinite_scores(form):
    refuses(truth_of(), form(spoilt(FOUND, 1, score=NAN)), r"^found: score is NaN in 1 of 3 rows \(row 1\)")
    infinite = form(spoilt(spoilt(FOUND, 1, score=math.inf), 2, score=-math.inf))
    assert read_scene(truth_of(), infinite).found.score.tolist() == [0.9, math.inf, -math.inf]


def test_scores_are_ranks_of_any_range(form):
    for scores in ([87, 20, 3], [-1.5, -2.0, 0.0], [0.1, 0.5, 7.0]):
        rows = [r | {"score": s} for r, s in zip(FOUND, scores, strict=True)]
        scene = read_scene(truth_of(), form(rows))
        assert scene.found.score.tolist() == scores
        assert codes(scene) == (["detection_mixed_scores"] if scores[2] == 7 else [])
    assert told(scene, "detection_mixed_scores").values == {"rows": 1, "of": 3, "most": 7.0}


def test_text_for_a_score(form):
    refuses(
        truth_of(),
        form([r | {"score": "high"} for r in FOUND]),
        "found: score: expected real numbers, got 3 other values",
    )
    refuses(truth_of(), spoilt(FOUND, 2, score="0.5"), r"expected real numbers, got 1 other value \(row 2\)")


def test_no_score(form):
    refuses(
        truth_of(),
        form(without(FOUND, "score")),
        "^found: there is no 'score'; pass score=1 if the detections have none",
    )
    assert read_scene(truth_of(), form(without(FOUND, "score")), score=1).found.score.tolist() == [1, 1, 1]
    refuses(truth_of(), form(FOUND), "^found: the detections have scores, so score= cannot apply", score=1)


def test_no_detections_at_all():
    scene = read_scene(truth_of(), [])
    assert (len(scene.truths), len(scene.found)) == (3, 0)
    assert told(scene, "detection_none_found").values == {}


def test_no_truths_at_all_are_left_to_the_metric():
    scene = read_scene(truth_of([]), FOUND)
    assert (len(scene.truths), len(scene.found), len(scene.images)) == (0, 3, 2)


def test_no_area():
    scene = read_scene(truth_of(without(TRUTH, "area", "iscrowd")), FOUND)
    assert scene.truths.area.tolist() == [20_000, 2400, 28_800]
    assert scene.truths.crowd.tolist() == [False] * 3
    assert told(scene, "detection_no_area").values == {"rows": 3, "of": 3}
    partly = [TRUTH[0], *without(TRUTH[1:], "area")]
    assert told(read_scene(truth_of(partly), FOUND), "detection_no_area").values == {"rows": 2, "of": 3}
    assert read_scene(as_columns(without(TRUTH, "area")), FOUND).notes == ()  # a frame promises none


def test_areas_unlike_the_boxes(form):
    scene = read_scene(form([r | {"area": 1.0} for r in TRUTH]), FOUND)
    assert scene.truths.area.tolist() == [1, 1, 1]
    assert told(scene, "detection_unlike_area").values["rows"] == 3
    masks = [r | {"area": r["area"] / 2, "segmentation": [[1, 2, 3, 4, 5, 6]]} for r in TRUTH]
    assert read_scene(truth_of(masks), FOUND).notes == ()  # areas of masks, smaller than their boxes
    larger = spoilt(masks, area=10**6)
    assert told(read_scene(truth_of(larger), FOUND), "detection_unlike_area").values["rows"] == 1
    refuses(form(spoilt(TRUTH, 2, area=-1)), FOUND, r"^truth: area is negative or infinite in 1 of 3 rows \(row 2\)")


def test_ignored_truths(form):
    scene = read_scene(form([r | {"ignore": k % 2} for k, r in enumerate(TRUTH)]), FOUND)
    assert scene.truths.ignored.tolist() == [False, True, False]
    assert told(scene, "detection_ignored").values == {"rows": 1, "of": 3}
    refuses(
        form(spoilt(TRUTH, iscrowd=2)), FOUND, r"^truth: (crowd|iscrowd): expected 0 or 1, got 1 other value \(row 0\)"
    )


@pytest.mark.parametrize(
    ("box", "message"),
    [
        ([1, 2, 3], "the first has 3: .1, 2, 3."),
        ([1, 2, 3, 4, 5], "the first has 5"),
        ([[1, 2, 3, 4]], "the first has 1"),
        ([1, 2, 3, [4]], "the first is .1, 2, 3, .4.."),
        (["1", "2", "3", "4"], "the first is"),
        ([1, 2, 3, "4"], "the first is"),
        ("1 2 3 4", "the first is text, '1 2 3 4'"),
        ("1234", "the first is text, '1234'"),
        ({"x": 1, "y": 2, "w": 3, "h": 4}, "the first is a dict"),
        (5, "the first is a int, 5"),
    ],
)
def test_boxes_that_are_none(box, message):
    bad = spoilt(FOUND, 1, bbox=box)
    refuses(truth_of(), bad, rf"^found: box is not 4 numbers \({message}.* in 1 of 3 rows \(row 1\)")
    frame = {k: [r[k] for r in bad] for k in bad[0]}
    refuses(truth_of(), frame, rf"^found: box is not 4 numbers \({message}.* in 1 of 3 rows \(row 1\)")


def test_wrong_lengths_that_cancel_out():
    bad = [FOUND[0] | {"bbox": [1, 2, 3]}, FOUND[1] | {"bbox": [1, 2, 3, 4, 5]}, FOUND[2]]
    refuses(truth_of(), bad, r"box is not 4 numbers .* in 2 of 3 rows \(rows 0, 1\)")
    refuses(
        truth_of(), as_columns(FOUND) | {"box": np.ones((3, 5))}, "expected 4 numbers per row, got an array of shape"
    )


def test_infinite_boxes(form):
    refuses(
        truth_of(),
        form(spoilt(FOUND, 2, bbox=[1, 2, math.inf, 4])),
        r"^found: box is infinite or nearly so in 1 of 3 rows \(row 2\)",
    )


def test_boxes_beyond_the_image(form):
    scene = read_scene(truth_of(), form(spoilt(spoilt(FOUND, bbox=[-40, 0, 80, 80]), 1, bbox=[600, 400, 42, 5])))
    assert told(scene, "detection_beyond").values["rows"] == 2
    assert scene.found.box[0].tolist() == [-40, 0, 80, 80]  # not clipped
    assert read_scene(truth_of(), form(spoilt(FOUND, 2, bbox=[-0.5, 0, 640.75, 480.5]))).notes == ()


def test_columns_of_different_lengths():
    bad = as_columns(FOUND) | {"score": [0.5, 0.5]}
    refuses(truth_of(), bad, "must be equally long")
    bad = as_columns(FOUND) | {"box": [[1, 2, 3, 4]]}
    refuses(truth_of(), {k: v for k, v in bad.items() if k not in "xywh"}, "must be equally long")


def test_pandas_columns_of_different_indexes():
    bad = {k: pd.Series(v) for k, v in as_columns(FOUND).items()}
    bad["score"] = bad["score"].iloc[::-1]
    refuses(truth_of(), bad, "pandas objects with different indexes")


@pytest.mark.parametrize("bad", [5, None, "nowhere.json", [[1, 2, 3]], [None], {1, 2}, np.ones((3, 6))])
def test_what_is_no_side_at_all(bad):
    refuses(truth_of(), bad, "found|nowhere.json")
    refuses(bad, FOUND, "truth|nowhere.json")


def test_dicts_per_image_that_do_not_fit():
    one = {"boxes": [[0, 0, 5, 5]], "labels": [1], "scores": [0.5]}
    refuses([one, one], [one], "truth has 2 images, found has 1 image")
    refuses([one], [one | {"labels": [1, 2]}], "image 0: 'labels' must be as long as 'boxes', which has 1; got 2")
    refuses([one], [one | {"scores": 0.5}], "image 0: 'scores' must be as long as 'boxes', which has 1; got one value")
    refuses([one], [one | {"boxes": [0, 0, 5, 5]}], "image 0: expected 4 numbers per box, got an array of shape")
    refuses([one], [one | {"boxes": [["a", "b", "c", "d"]]}], "image 0: expected 4 numbers per box")
    refuses([one], [{"boxes": [[0, 0, 5, 5]], "labels": [1]}], "^found: there is no 'scores'; pass score=1")
    refuses([one], [{"boxes": [[0, 0, 5, 5]], "scores": [1]}], "^found: there is no 'labels', and without classes pass")
    refuses([one, one], [one, {"boxes": [[0, 0, 5, 5]], "labels": [1]}], "image 1: there is no 'scores'")
    refuses([one, one], [one, {"labels": [1]}], "image 1: expected a dict with 'boxes', got a dict with 'labels'")
    refuses([one, 3], [one, one], "image 1: expected a dict with 'boxes', got 3")
    refuses({"a": one}, {"b": one}, r"image is unknown to truth \('b'\)")


def test_names_with_braces_and_strange_marks():
    refuses(truth_of(), spoilt(FOUND, category_id="{x}"), "class|ids")
    truth = truth_of(categories=[{"id": 1, "name": "{cat}"}, {"id": 2, "name": "%s"}])
    refuses(truth, spoilt(FOUND, category_id=7), r"the classes are 1 '\{cat\}', 2 '%s'")


def test_names_that_cannot_be_names():
    refuses(
        truth_of(), spoilt(FOUND, 1, image_id=[1]), r"^found: image is a list in 1 of 3 rows \(row 1\); give one name"
    )
    with pytest.raises(OptionError, match="images: expected a list of names, got 1"):
        read_scene(truth_of(), FOUND, images=1)


STRANGE = [
    *(None, NAN, math.inf, -1, 0, 2, 10**30, 1e308, "a", "", "1", b"x", True, 1j, object(), pd.NA, pd.NaT),
    *(
        [],
        [1, 2],
        {},
        {"a": 1},
        [None] * 4,
        [NAN] * 4,
        [1e308] * 4,
        np.array([1, 2, 3, 4]),
        np.array(5),
        np.zeros((2, 2)),
    ),
]


def strange(rng, data):
    """Put something strange somewhere into a copy of data."""
    data = dict(data) if isinstance(data, dict) else list(data)
    keys = list(data) if isinstance(data, dict) else range(len(data))
    key = keys[int(rng.integers(len(keys)))]
    if isinstance(data[key], list | dict) and data[key] and rng.random() < 0.8:
        data[key] = strange(rng, data[key])
    elif rng.random() < 0.2:
        del data[key]
    else:
        data[key] = STRANGE[int(rng.integers(len(STRANGE)))]
    return data


@pytest.mark.parametrize("options", [{}, {"missing": "drop", "unknown": "drop"}, {"classes": "one"}, {"sizes": (9, 9)}])
def test_whatever_comes_is_a_scene_or_one_sentence(options):
    rng = np.random.default_rng(0)
    by_image = {k: {"boxes": [[0, 0, 5, 5]], "labels": [1], "scores": [0.5]} for k in (1, 2)}
    pairs = [(truth_of(), FOUND), (TRUTH, as_columns(FOUND)), (by_image, by_image), (list(by_image.values()),) * 2]
    read = 0
    for turn in range(400):
        pair = list(pairs[turn % 4])
        side = int(rng.integers(2))
        pair[side] = strange(rng, pair[side])
        try:
            scene = read_scene(*pair, **options)
        except CurvewiseError:
            continue
        read += 1
        assert np.isfinite(scene.found.box).all()
        assert (scene.truths.box[:, 2:] >= 0).all()
        assert all(str(n) and n.text("zh") for n in scene.notes)
    assert read > 20
