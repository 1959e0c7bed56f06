"""Every form of truth and detections becomes the same scene; nothing given is modified."""

import copy
import sys
from collections import namedtuple

import numpy as np
import pandas as pd
import polars as pl
import pytest

from curvewise.detection.formats.reading import read_scene
from curvewise.errors import CurvewiseError, OptionError
from detection.given import CATEGORIES, EXPECTED, FOUND, IMAGES, TRUTH, coco, codes, columns, content
from optional import optional

pa = optional("pyarrow")


def per_image(rows, images, kind=np.array):
    entries = []
    for image in images:
        own = [r for r in rows if r["image_id"] == image]
        entry = {"boxes": kind([r["bbox"] for r in own]), "labels": kind([r["category_id"] for r in own])}
        if "score" in rows[0]:
            entry["scores"] = kind([r["score"] for r in own])
        else:
            entry |= {"area": kind([r["area"] for r in own]), "iscrowd": kind([r["iscrowd"] for r in own])}
        entries.append(entry)
    return entries


def test_coco_gives_names_ids_sizes_and_attributes():
    scene = read_scene(coco(), FOUND)
    assert scene.images == (0, 4, 9)  # in the order of ids, the image without anything among them
    assert scene.classes == ("cat", "owl", "dog")
    assert scene.class_ids == (0, 3, 7)
    assert scene.sizes.tolist() == [[640, 480], [320, 240], [640, 480]]
    assert scene.attributes == {"site": ["south", None, "north"]}
    assert scene.truths.image.tolist() == [2, 0, 2]
    assert scene.truths.label.tolist() == [2, 0, 0]
    assert scene.truths.box.tolist() == [[10, 20, 30, 40], [0.25, 0, 8, 8], [100, 100, 50, 50]]
    assert scene.truths.area.tolist() == [900.5, 60, 2500]
    assert scene.truths.crowd.tolist() == [False, True, False]
    assert scene.truths.ignored.tolist() == [False] * 3
    assert scene.truths.id == [0, 5, 6]
    assert scene.truths.row.tolist() == scene.found.row.tolist() == [0, 1, 2]
    assert scene.found.score.tolist() == [0.5, 0.75, 0.25]
    assert scene.federated is None
    assert not scene.in_shares


@pytest.mark.parametrize("frame", [dict, pd.DataFrame, pl.DataFrame, pa.table, lambda c: pl.DataFrame(c).lazy()])
def test_frames_say_the_same(frame):
    scene = read_scene(frame(columns(TRUTH)), frame(columns(FOUND)))
    assert content(scene) == EXPECTED
    assert scene.images == (0, 9)  # no table of images: those of the truth
    assert scene.classes == scene.class_ids == (0, 7)
    assert scene.truths.id is None
    assert scene.sizes is None


@pytest.mark.parametrize(
    "frame",
    [
        dict,
        pd.DataFrame,
        pl.DataFrame,
        pa.table,
        lambda c: pl.DataFrame(c).with_columns(pl.col("bbox").cast(pl.Array(pl.Float64, 4))),
        lambda c: c | {"bbox": np.array(c["bbox"])},
        lambda c: c | {"bbox": tuple(map(tuple, c["bbox"]))},
    ],
)
def test_a_box_may_be_one_column_under_the_names_of_coco(frame):
    def given(rows):
        return {k: [[float(v) for v in r[k]] if k == "bbox" else r[k] for r in rows] for k in rows[0]}

    assert content(read_scene(frame(given(TRUTH)), frame(given(FOUND)))) == EXPECTED


@pytest.mark.parametrize("form", ["xyxy", "cxcywh"])
@pytest.mark.parametrize("four", [False, True])
def test_forms_of_boxes(form, four):
    def turned(rows):
        found = []
        for row in rows:
            x, y, w, h = row["bbox"]
            box = [x, y, x + w, y + h] if form == "xyxy" else [x + w / 2, y + h / 2, w, h]
            found.append(row | {"bbox": box})
        return found

    if not four:
        assert content(read_scene(turned(TRUTH), turned(FOUND), boxes=form)) == EXPECTED
        assert content(read_scene(coco(), turned(FOUND), boxes=("xywh", form))) == EXPECTED
        return
    names = {"xyxy": [("x1", "y1", "x2", "y2"), ("xmin", "ymin", "xmax", "ymax")], "cxcywh": [("cx", "cy", "w", "h")]}
    for called in names[form]:
        truth, found = (
            {dict(zip("xywh", called, strict=True)).get(k, k): v for k, v in columns(turned(rows)).items()}
            for rows in (TRUTH, FOUND)
        )
        assert content(read_scene(truth, found, boxes=form)) == EXPECTED
        if called != ("cx", "cy", "w", "h"):
            with pytest.raises(
                CurvewiseError, match=f"the columns {', '.join(called)}, and boxes='xywh' is read from x, y"
            ):
                read_scene(truth, found)


@pytest.mark.parametrize("kind", [np.array, list])
def test_dicts_per_image_say_the_same(kind):
    names = [9, 0, 4]
    truth, found = per_image(TRUTH, names, kind), per_image(FOUND, names, kind)
    scene = read_scene(dict(zip(names, truth, strict=True)), dict(zip(names, found, strict=True)))
    assert content(scene) == EXPECTED
    assert scene.images == (0, 4, 9)
    by_position = read_scene(truth, found)
    assert by_position.images == (0, 1, 2)
    assert by_position.truths.image.tolist() == [0, 0, 1]
    assert content(read_scene(coco(), dict(zip(names, found, strict=True)))) == EXPECTED


class Tensor:
    """What a reader may use of a tensor on a device: NumPy cannot look into it before it is detached and copied."""

    def __init__(self, data, dtype=np.float32, held=False, name=None):
        self.data, self.held, self.dtype = np.array(data, dtype), held, name or f"torch.{np.dtype(dtype)}"

    def detach(self):
        return self

    def cpu(self):
        return Tensor(self.data, self.data.dtype, True, self.dtype)

    def float(self):
        return Tensor(self.data, np.float32, True)

    def __array__(self, dtype=None, copy=None):
        if not self.held or self.dtype == "torch.bfloat16":
            raise TypeError("can't convert device tensor to numpy")
        return self.data


@pytest.mark.parametrize("name", [None, "torch.bfloat16"])
def test_tensors_of_a_device(name):
    truth = [{"boxes": Tensor([[0, 0, 10, 10]], name=name), "labels": Tensor([1], np.int64)}]
    found = [{"boxes": Tensor([[0, 0, 10, 9]], name=name), "labels": Tensor([1], np.int64), "scores": Tensor([0.5])}]
    scene = read_scene(truth, found)
    assert scene.found.box.tolist() == [[0, 0, 10, 9]]
    assert scene.classes == (1,)
    assert scene.found.score.dtype == np.float32


def test_an_image_without_boxes_may_come_in_any_shape():
    truth = [{"boxes": np.zeros((0, 4)), "labels": np.zeros(0, int)}, {"boxes": [[0, 0, 1, 1]], "labels": ["dog"]}]
    found = [{"boxes": [], "labels": [], "scores": []}, {"boxes": [[0, 0, 1, 1]], "labels": ["dog"], "scores": [1]}]
    scene = read_scene(truth, found)
    assert (len(scene.images), scene.classes, len(scene.truths), len(scene.found)) == (2, ("dog",), 1, 1)


def test_nothing_given_is_modified():
    given = [(coco(), FOUND), (columns(TRUTH), columns(FOUND)), (per_image(TRUTH, [9, 0]), per_image(FOUND, [9, 0]))]
    for truth, found in given:
        before = copy.deepcopy((truth, found))
        read_scene(truth, found, boxes=("cxcywh", "cxcywh"), pixels="inclusive")
        np.testing.assert_equal((truth, found), before)
    boxes = np.array([r["bbox"] for r in FOUND])
    before = boxes.copy()
    read_scene(coco(), columns(FOUND) | {"box": boxes}, boxes=("xywh", "cxcywh"))
    np.testing.assert_array_equal(boxes, before)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int8, np.int64, np.uint16])
def test_scores_keep_their_dtype(dtype):
    scene = read_scene(coco(), columns(FOUND) | {"score": np.array([1, 0, 3], dtype)})
    assert scene.found.score.dtype == dtype
    as_scalars = [row | {"score": dtype(k)} for k, row in enumerate(FOUND)]
    assert read_scene(coco(), as_scalars).found.score.dtype == dtype


def test_float32_boxes_are_widened_not_rounded():
    boxes = np.array([r["bbox"] for r in FOUND], np.float32) + np.float32(0.1)
    scene = read_scene(coco(), columns(FOUND) | {"box": boxes})
    assert scene.found.box.tolist() == boxes.astype(float).tolist()


def test_inclusive_pixels_make_each_side_one_longer():
    scene = read_scene(coco(), FOUND, pixels="inclusive")
    assert scene.truths.box[0].tolist() == [10, 20, 31, 41]
    assert scene.found.box[2].tolist() == [10, 20, 31, 42]
    assert scene.truths.area.tolist() == [900.5, 60, 2500]  # as stated


Key = namedtuple("Key", "site number")


@pytest.mark.parametrize("names", [("a", "b"), (Key("n", 1), Key("n", 2)), (1.5, 2.5), (("x", 1), 3), (b"1", b"0")])
def test_any_hashable_names_an_image_and_a_class(names):
    truth = [{"image_id": n, "category_id": n, "bbox": [0, 0, 9, 9]} for n in names]
    scene = read_scene(truth, [t | {"score": 1} for t in truth])
    assert set(scene.images) == set(scene.classes) == set(names)
    assert list(scene.images) == (sorted(names) if names != (("x", 1), 3) else list(names))


def test_numbers_of_numpy_name_what_python_numbers_name():
    found = [r | {"image_id": np.int64(r["image_id"]), "category_id": np.array(r["category_id"])} for r in FOUND]
    assert content(read_scene(coco(), found)) == EXPECTED


def test_classes_may_be_called_by_name_or_by_id():
    name = {c["id"]: c["name"] for c in CATEGORIES}
    by_name = [r | {"category_id": name[r["category_id"]]} for r in FOUND]
    assert content(read_scene(coco(), by_name)) == EXPECTED


def test_found_may_bring_categories_of_its_own():
    own = [{"id": 1, "name": "cat"}, {"id": 2, "name": "dog"}]
    rows = [r | {"category_id": {0: 1, 7: 2}[r["category_id"]]} for r in FOUND]
    assert content(read_scene(coco(), {"annotations": rows, "categories": own})) == EXPECTED
    named = [r | {"category_id": {0: "cat", 7: "dog"}[r["category_id"]]} for r in TRUTH]
    scene = read_scene(named, {"annotations": rows, "categories": own})
    assert scene.classes == ("cat", "dog")
    assert scene.found.label.tolist() == [0, 1, 1]
    with pytest.raises(CurvewiseError, match="class 7 is 'horse' in found and 'dog' in truth"):
        read_scene(coco(), {"annotations": FOUND, "categories": [{"id": 0, "name": "cat"}, {"id": 7, "name": "horse"}]})


def test_equal_names_of_categories_leave_the_ids():
    scene = read_scene(coco(categories=[c | {"name": "thing"} for c in CATEGORIES]), FOUND)
    assert scene.classes == scene.class_ids == (0, 3, 7)


def test_images_may_be_called_by_their_file():
    for part in ("night/{}.jpg", "{}.jpg", "{}"):
        found = [r | {"image_id": part.format(r["image_id"])} for r in FOUND]
        assert content(read_scene(coco(), found)) == EXPECTED


def test_classes_without_categories_are_those_seen():
    scene = read_scene(TRUTH, [FOUND[0], FOUND[1] | {"category_id": 12}])
    assert scene.classes == (0, 7, 12)
    assert "detection_only_found" in codes(scene)


def test_one_class_for_all():
    scene = read_scene(coco(), FOUND, classes="one")
    assert scene.classes == scene.class_ids == ("object",)
    assert set(scene.truths.label) | set(scene.found.label) == {0}
    without = [{k: v for k, v in r.items() if k != "category_id"} for r in FOUND]
    assert len(read_scene(coco(), without, classes="one").found) == 3


def test_only_some_classes():
    for only in (["dog"], [7], {"dog"}, np.array([7])):
        scene = read_scene(coco(), FOUND, classes=only)
        assert (scene.classes, scene.class_ids) == (("dog",), (7,))
        assert scene.truths.row.tolist() == [0]
        assert scene.found.row.tolist() == [1, 2]
        assert scene.truths.id == [0]
    with pytest.raises(OptionError, match="classes: there is no 'dgo'; did you mean 'dog'"):
        read_scene(coco(), FOUND, classes=["dgo"])
    with pytest.raises(OptionError, match="classes: expected a list of names, got 'dog'"):
        read_scene(coco(), FOUND, classes="dog")
    with pytest.raises(OptionError, match="classes: expected at least one name"):
        read_scene(coco(), FOUND, classes=[])


def test_only_some_images():
    scene = read_scene(coco(), FOUND, images=[9, 4])
    assert scene.images == (4, 9)
    assert scene.truths.row.tolist() == [0, 2]
    assert scene.found.row.tolist() == [0, 2]
    assert scene.sizes.tolist() == [[320, 240], [640, 480]]
    assert scene.attributes == {"site": [None, "north"]}
    with pytest.raises(OptionError, match="images: there is no 5; there are "):
        read_scene(coco(), FOUND, images=[5])


def test_images_are_the_list_where_the_truth_has_none():
    found = [*FOUND, FOUND[0] | {"image_id": 30}]
    scene = read_scene(columns(TRUTH), columns(found), images=[0, 9, 30, 31])
    assert scene.images == (0, 9, 30, 31)
    assert len(scene.found) == 4


def test_a_constant_score():
    without = [{k: v for k, v in r.items() if k != "score"} for r in FOUND]
    assert read_scene(coco(), without, score=1).found.score.tolist() == [1, 1, 1]
    assert (
        read_scene(coco(), {k: v for k, v in columns(FOUND).items() if k != "score"}, score=0.5).found.score[0] == 0.5
    )


def test_masks_are_kept_where_asked():
    truth = [r | {"segmentation": [[k]]} for k, r in enumerate(TRUTH)]
    found = [r | {"segmentation": {"counts": str(k), "size": [1, 1]}} for k, r in enumerate(FOUND)]
    scene = read_scene(coco(truth), found, masks=True, classes=["cat"])
    assert scene.truths.mask == [[[1]], [[2]]]
    assert scene.found.mask == [{"counts": "0", "size": [1, 1]}]
    assert read_scene(coco(truth), found).found.mask is None
    without = [{k: v for k, v in r.items() if k != "bbox"} for r in found]
    assert np.isnan(read_scene(coco(truth), without, masks=True).found.box).all()
    with pytest.raises(CurvewiseError, match="found: there is no 'segmentation'"):
        read_scene(coco(truth), FOUND, masks=True)
    with pytest.raises(CurvewiseError, match=r"truth: segmentation is missing in 1 of 3 rows \(row 1\)"):
        read_scene(coco([truth[0], TRUTH[1], truth[2]]), found, masks=True)


def test_ignore_and_difficult_are_set_aside():
    truth = [TRUTH[0] | {"ignore": 1}, TRUTH[1] | {"difficult": 1}, TRUTH[2]]
    scene = read_scene(coco(truth), FOUND)
    assert scene.truths.ignored.tolist() == [True, True, False]
    assert "detection_ignored" in codes(scene)


LVIS = {
    "images": [
        {"id": 1, "neg_category_ids": [20], "not_exhaustive_category_ids": []},
        {"id": 2, "neg_category_ids": [], "not_exhaustive_category_ids": [10, 20]},
    ],
    "categories": [{"id": 20, "name": "b", "frequency": "r"}, {"id": 10, "name": "a", "frequency": "f"}],
    "annotations": [{"id": 1, "image_id": 1, "category_id": 10, "bbox": [0, 0, 5, 5], "area": 25}],
}


def test_lvis_says_which_classes_were_looked_for():
    scene = read_scene(LVIS, [], rule="lvis")
    assert scene.federated.negative.tolist() == [1]  # image 1, class b
    assert scene.federated.partial.tolist() == [2, 3]
    assert scene.federated.frequency == ("f", "r")
    fewer = read_scene(LVIS, [], rule="lvis", classes=["b"], images=[2])
    assert fewer.federated.negative.tolist() == []
    assert fewer.federated.partial.tolist() == [0]
    assert read_scene(LVIS, []).federated is None
    for truth in (coco(), columns(TRUTH)):
        with pytest.raises(CurvewiseError, match=r"rule='lvis'.*use rule='coco'"):
            read_scene(truth, [], rule="lvis")
    with pytest.raises(OptionError, match="classes"):
        read_scene(LVIS, [], rule="lvis", classes="one")


def test_shares_of_the_image_become_pixels_where_sizes_are_given():
    size = {i["id"]: (i["width"], i["height"]) for i in IMAGES}
    shares = []
    for row in FOUND:
        w, h = size[row["image_id"]]
        x, y, a, b = row["bbox"]
        shares.append(row | {"bbox": [x / w, y / h, a / w, b / h]})
    scene = read_scene(coco(), shares, sizes=size)
    np.testing.assert_allclose(scene.found.box, [r["bbox"] for r in FOUND], rtol=1e-12)
    assert read_scene(TRUTH, FOUND, sizes=(640, 480)).sizes.tolist() == [[640, 480]] * 2
    both = read_scene([t | {"bbox": [0.1, 0.2, 0.3, 0.4]} for t in TRUTH], shares)
    assert "detection_in_shares" in codes(both)
    for bad in ((1, 2, 3), 640, (0, 1), {9: 3}, "ab"):
        with pytest.raises(OptionError, match="sizes"):
            read_scene(coco(), shares, sizes=bad)
    with pytest.raises(OptionError, match="sizes: none of its images is judged"):
        read_scene(coco(), shares, sizes={"9": (640, 480)})


def test_no_detections_and_no_truths_are_a_scene():
    scene = read_scene(coco(), [])
    assert len(scene.found) == 0
    assert "detection_none_found" in codes(scene)
    for nothing in (columns(FOUND), pl.DataFrame(columns(FOUND)).clear(), pd.DataFrame(columns(FOUND)).iloc[:0], {}):
        empty = {k: [] for k in nothing} if isinstance(nothing, dict) else nothing
        assert len(read_scene(coco(), empty).found) == 0
    for truth in (coco([]), [], {k: [] for k in columns(TRUTH)}):
        scene = read_scene(truth, FOUND)
        assert (len(scene.truths), len(scene.found)) == (0, 3)
    assert len(read_scene([], []).images) == 0


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("boxes", "xxyy"),
        ("boxes", ("xywh",)),
        ("pixels", "both"),
        ("unknown", "keep"),
        ("missing", "no"),
        ("score", "x"),
    ],
)
def test_options_are_checked(option, value):
    with pytest.raises(OptionError, match=option):
        read_scene(coco(), FOUND, **{option: value})


def test_memory_needs_no_extra():
    import subprocess

    code = (
        "import sys; from curvewise.detection.formats.reading import read_scene; "
        "t = [{'image_id': 1, 'category_id': 1, 'bbox': [0, 0, 5, 5]}]; read_scene(t, [t[0] | {'score': 1}]); "
        "assert not {'polars', 'pandas', 'pyarrow', 'narwhals', 'click'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
