"""Truth and detections in files and folders: COCO, tables, YOLO, VOC."""

import gzip
import json

import numpy as np
import pandas as pd
import polars as pl
import pytest

from curvewise.detection.formats.reading import read_scene
from curvewise.errors import CurvewiseError, SourceError
from detection.given import CATEGORIES, EXPECTED, FOUND, IMAGES, TRUTH, coco, codes, columns, content


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def as_json(path, data):
    return write(path, json.dumps(data))


def test_coco_and_results(tmp_path):
    truth, found = as_json(tmp_path / "truth.json", coco()), as_json(tmp_path / "found.json", FOUND)
    scene = read_scene(truth, str(found))
    assert content(scene) == EXPECTED
    assert scene.classes == ("cat", "owl", "dog")
    zipped = tmp_path / "found.json.gz"
    zipped.write_bytes(gzip.compress(found.read_bytes()))
    marked = tmp_path / "marked.json"
    marked.write_bytes(b"\xef\xbb\xbf" + found.read_bytes())
    as_annotations = as_json(tmp_path / "dict.json", {"annotations": FOUND})
    lines = write(tmp_path / "found.jsonl", "\n".join(map(json.dumps, FOUND)) + "\n")
    unnamed = write(tmp_path / "found", "\n".join(map(json.dumps, FOUND)))
    for file in (zipped, marked, as_annotations, lines, unnamed):
        assert content(read_scene(truth, file)) == EXPECTED


def test_tables(tmp_path):
    frames = [pl.DataFrame(columns(rows)) for rows in (TRUTH, FOUND)]
    for suffix, method in (("csv", "write_csv"), ("parquet", "write_parquet"), ("arrow", "write_ipc")):
        paths = [tmp_path / f"{k}.{suffix}" for k in range(2)]
        for frame, path in zip(frames, paths, strict=True):
            getattr(frame, method)(path)
        assert content(read_scene(*paths)) == EXPECTED
    semicolons = tmp_path / "found.csv"
    frames[1].write_csv(semicolons, separator=";")
    scene = read_scene(tmp_path / "0.csv", semicolons)
    assert content(scene) == EXPECTED
    assert "delimiter_detected" in codes(scene)
    lists = pl.DataFrame({k: [r[k] for r in FOUND] for k in FOUND[0] if k != "bbox"}).with_columns(
        bbox=pl.Series([[float(v) for v in r["bbox"]] for r in FOUND])
    )
    lists.write_parquet(tmp_path / "lists.parquet")
    assert content(read_scene(coco(), tmp_path / "lists.parquet")) == EXPECTED


def test_names_and_gaps_of_a_csv(tmp_path):
    truth = write(tmp_path / "t.csv", "image,class,x,y,w,h,crowd\n007,dog,0,0,10,10,true\n010,cat,1,1,5,5,false\n")
    found = write(tmp_path / "f.csv", "image,class,x,y,w,h,score\n007,dog,0,0,10,9,0.5\n010,cat,1,1,,5,0.25\n")
    with pytest.raises(CurvewiseError, match=r"f\.csv: box is NaN in 1 of 2 rows \(row 1\).*missing='drop'"):
        read_scene(truth, found)
    scene = read_scene(truth, found, missing="drop")
    assert scene.images == ("007", "010")
    assert scene.truths.crowd.tolist() == [True, False]
    assert scene.found.row.tolist() == [0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("image,class,x,y,w\n1,2,3,4,5\n", "there is no 'box' or 'bbox'; there are 'image', 'class', 'x', 'y', 'w'"),
        ("img,class,x,y,w,h,score\n1,2,3,4,5,6,7\n", "there is no 'image' or 'image_id'"),
        ("image,x,y,w,h,score\n1,3,4,5,6,7\n", r"there is no 'class' or 'category_id', .*pass classes='one'"),
        ("image,class,x,y,w,h\n1,2,3,4,5,6\n", "there is no 'score'; pass score=1 if"),
        (
            "image,class,x1,y1,x2,y2,score\n1,2,3,4,5,6,7\n",
            "columns x1, y1, x2, y2, and boxes='xywh' is read from x, y, w, h; pass boxes='xyxy'",
        ),
        ("image,image_id,class,x,y,w,h,score\n1,1,2,3,4,5,6,7\n", "both 'image' and 'image_id' are there"),
        ("image,class,x,y,w,h,score\n1,2,a,4,5,6,7\n", "cannot be read as a number"),
        ("image,class,box,score\n1,2,3 4 5 6,7\n", "box is not 4 numbers .the first is text, '3 4 5 6'"),
    ],
)
def test_tables_that_are_none(tmp_path, text, message):
    with pytest.raises(CurvewiseError, match=message):
        read_scene(coco(), write(tmp_path / "found.csv", text))


def test_json_that_is_not_whole(tmp_path):
    whole = json.dumps(coco(), indent=1)
    cut = write(tmp_path / "cut.json", whole[: len(whole) // 2])
    with pytest.raises(
        SourceError, match=r"cut\.json: this is not whole JSON \(.*line \d+, column \d+, character \d+ of"
    ):
        read_scene(cut, FOUND)
    results = write(tmp_path / "cut2.json", json.dumps(FOUND)[:-20])
    with pytest.raises(SourceError, match=r"cut2\.json: this is not whole JSON .*cut off"):
        read_scene(coco(), results)
    lines = write(tmp_path / "cut.jsonl", "\n".join(map(json.dumps, FOUND))[:-3])
    with pytest.raises(SourceError, match=r"cut\.jsonl: line 3 is not one JSON object"):
        read_scene(coco(), lines)
    with pytest.raises(SourceError, match="nested too deeply"):
        read_scene(coco(), write(tmp_path / "deep.json", "[" * 100_000))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"info": 1, "licenses": []}, r"neither COCO's dict .* nor columns .*the keys are 'info', 'licenses'"),
        ({"images": IMAGES, "categories": CATEGORIES}, "no 'annotations'; there are 'images', 'categories'"),
        ({"annotations": 5, "images": IMAGES}, "'annotations' is a int, where a list is expected"),
        ({"annotations": [], "images": [{"file_name": "a"}]}, "entry 0 of 'images' has no 'id'"),
        (["a", "b"], "what should be a dict is text in 2 of 2 rows"),
        (7, "expected a path, a COCO dict, a list of dicts"),
    ],
)
def test_json_that_is_not_coco(tmp_path, data, message):
    path = as_json(tmp_path / "x.json", data)
    with pytest.raises(CurvewiseError, match=rf"x\.json: .*{message}"):
        read_scene(path, FOUND)
    with pytest.raises(CurvewiseError, match=message):
        read_scene(data, FOUND)


def test_paths_that_lead_nowhere(tmp_path):
    with pytest.raises(SourceError, match="there is no such file"):
        read_scene(tmp_path / "absent.json", FOUND)
    with pytest.raises(SourceError, match=r"no annotations in this folder, neither \.txt"):
        read_scene(tmp_path, FOUND)


def yolo(folder, rows, score=False, names=None):
    """Write labels, and a file of class names beside the folder."""
    size = {i["id"]: (i["width"], i["height"]) for i in IMAGES}
    for image, (a, b) in size.items():
        lines = []
        for row in rows:
            if row["image_id"] == image:
                x, y, w, h = row["bbox"]
                four = [(x + w / 2) / a, (y + h / 2) / b, w / a, h / b]
                lines.append(" ".join(map(repr, [row["category_id"], *four, *([row["score"]] if score else [])])))
        write(folder / f"{image}.txt", "".join(f"{line}\n" for line in lines))
    return folder


SIZES = {str(i["id"]): (i["width"], i["height"]) for i in IMAGES}


def test_yolo_folders(tmp_path):
    truth = yolo(tmp_path / "a" / "labels", TRUTH)
    found = yolo(tmp_path / "b" / "labels", FOUND, score=True)
    scene = read_scene(truth, found, sizes=SIZES)
    assert scene.images == ("0", "4", "9")  # the empty file is an image
    assert scene.classes == (0, 7)
    order = [1, 0, 2]
    np.testing.assert_allclose(scene.truths.box, [TRUTH[k]["bbox"] for k in order], rtol=1e-12)
    assert scene.found.score.tolist() == [0.75, 0.5, 0.25]
    assert not scene.in_shares

    without = read_scene(truth, found)  # both in shares: overlaps are right, sizes are not known
    assert without.in_shares
    assert "detection_in_shares" in codes(without)
    with pytest.raises(CurvewiseError, match="pixels: boxes are shares of the image; pass sizes="):
        read_scene(truth, found, pixels="inclusive")
    with pytest.raises(CurvewiseError, match="boxes of this format are cxcywh, so boxes='xyxy' cannot apply"):
        read_scene(truth, found, boxes="xyxy")


def test_yolo_detections_of_coco_images(tmp_path):
    found = yolo(tmp_path, FOUND, score=True)
    scene = read_scene(coco(), found)  # by file names, with the sizes that the truth lists
    np.testing.assert_allclose(
        sorted(scene.found.box.tolist()), sorted(list(map(float, r["bbox"])) for r in FOUND), rtol=1e-12
    )
    write(tmp_path / "classes.txt", "cat\ndog\n")
    shifted = yolo(tmp_path, [r | {"category_id": {0: 0, 7: 1}[r["category_id"]]} for r in FOUND], score=True)
    named = read_scene(coco(), shifted)  # classes by the names of the file
    assert named.found.label.tolist() == scene.found.label.tolist()
    pixels = [r | {"image_id": str(r["image_id"])} for r in TRUTH]
    with pytest.raises(
        CurvewiseError, match="boxes are shares of the image, those of the other side are not; pass sizes="
    ):
        read_scene(pixels, yolo(tmp_path, FOUND, score=True))
    partly = {"0": (640, 480)}
    with pytest.raises(CurvewiseError, match=r"the size of 1 images is unknown \('9'\); pass sizes="):
        read_scene(pixels, found, sizes=partly)


@pytest.mark.parametrize(
    ("name", "text", "names"),
    [
        ("classes.txt", "a\nb\n\n", ["a", "b"]),
        ("obj.names", "a\nb", ["a", "b"]),
        ("data.yaml", "path: x\nnames: ['a', \"b\"]  # two\nnc: 2\n", ["a", "b"]),
        ("data.yaml", "names:\n  0: a\n  1: b b\nnc: 2\n", ["a", "b b"]),
        ("data.yaml", "names:\n- a\n- b\n", ["a", "b"]),
        ("data.yaml", "names: !include x\n", None),
    ],
)
@pytest.mark.parametrize("beside", [False, True])
def test_class_names_beside_yolo_labels(tmp_path, name, text, names, beside):
    labels = tmp_path / "labels"
    write(labels / "i.txt", "1 0.5 0.5 0.25 0.25\n")
    write((tmp_path if beside else labels) / name, text)
    found = [{"image_id": "i", "category_id": 1, "bbox": [0.1, 0.1, 0.5, 0.5], "score": 1}]
    scene = read_scene(labels, found)
    assert list(scene.classes) == (names or [1])


def test_pictures_beside_yolo_labels_are_images(tmp_path):
    write(tmp_path / "data" / "labels" / "val" / "i.txt", "0 0.5 0.5 0.25 0.25\n")
    found = write(tmp_path / "found" / "j.txt", "0 0.5 0.5 0.25 0.25 0.9\n").parent
    truth = tmp_path / "data" / "labels" / "val"
    with pytest.raises(
        CurvewiseError, match=r"image is unknown to truth \('j'\).*name all images that are judged in images="
    ):
        read_scene(truth, found)
    assert read_scene(truth, found, images=["i", "j"]).images == ("i", "j")
    for name in ("i.jpg", "j.PNG", "readme.md"):
        write(tmp_path / "data" / "images" / "val" / name, "")
    assert read_scene(truth, found).images == ("i", "j")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0 0.1 0.2 0.3 0.4", "there is no 'score'"),
        ("0 0.1 0.2 0.3", r"a\.txt, line 1: expected 6 numbers .*, got 4"),
        ("0 .1 .2 .3 .4 .5\n\ndog .1 .2 .3 .4 .5", r"a\.txt, line 3: expected a class number .* got 'dog'"),
        ("0 .1 .2 .3 x .5", r"a\.txt, line 1: expected numbers"),
        ("-1 .1 .2 .3 .4 .5", "expected a class number"),
    ],
)
def test_yolo_labels_that_are_none(tmp_path, text, message):
    write(tmp_path / "a.txt", text)
    with pytest.raises(CurvewiseError, match=message):
        read_scene({"a": {"boxes": [[0, 0, 0.5, 0.5]], "labels": [0]}}, tmp_path)


XML = (
    "<annotation><filename>{name}.jpg</filename><size><width>640</width><height>480</height></size>{objects}"
    "</annotation>"
)
OBJECT = (
    "<object><name>{name}</name><difficult>{difficult}</difficult><bndbox><xmin>{0}</xmin><ymin>{1}</ymin>"
    "<xmax>{2}</xmax><ymax>{3}</ymax></bndbox><part><name>head</name><bndbox><xmin>1</xmin><ymin>1</ymin><xmax>2</xmax>"
    "<ymax>2</ymax></bndbox></part></object>"
)


def voc(folder):
    dog = OBJECT.format(10, 20, 39, 59, name="dog", difficult=0)
    cat = OBJECT.format(1, 1, 8.5, 8, name="cat", difficult=1)
    write(folder / "000012.xml", XML.format(name="000012", objects=dog + cat))
    write(folder / "000013.xml", XML.format(name="000013", objects=""))
    return folder


def test_voc_folders(tmp_path):
    truth = voc(tmp_path / "Annotations")
    results = tmp_path / "results"
    write(results / "comp4_det_test_dog.txt", "000012 0.5 10 20 39 60\n000013 0.25 1 1 5 5\n")
    write(results / "comp4_det_test_cat.txt", "")
    scene = read_scene(truth, results, rule="voc", pixels="inclusive")
    assert scene.images == ("000012", "000013")
    assert scene.classes == ("cat", "dog")
    assert scene.sizes.tolist() == [[640, 480], [640, 480]]
    assert scene.truths.box.tolist() == [[10, 20, 30, 40], [1, 1, 8.5, 8]]
    assert scene.truths.ignored.tolist() == [False, True]
    assert scene.found.box.tolist() == [[10, 20, 30, 41], [1, 1, 5, 5]]
    assert scene.found.score.tolist() == [0.5, 0.25]
    assert "detection_no_area" not in codes(scene)
    frame = pd.DataFrame({"image": ["000012"], "class": ["dog"], "box": [[10.0, 20, 29, 39]], "score": [1]})
    assert read_scene(truth, frame, boxes=("xyxy", "xywh")).found.box.tolist() == [[10, 20, 29, 39]]


def test_xml_is_parsed_without_entities(tmp_path):
    bomb = (
        '<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><annotation><object><name>&c;</name></object></annotation>'
    )
    write(tmp_path / "a.xml", bomb)
    with pytest.raises(SourceError, match=r"a\.xml: declares a document type"):
        read_scene(tmp_path, FOUND)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<annotation><object>", r"a\.xml: this is not whole XML"),
        ("", r"a\.xml: this is not whole XML"),
        ("<annotation><object><name>dog</name></object></annotation>", "the object 'dog' has no bndbox"),
        ("<annotation><object><bndbox/></object></annotation>", "an object has no <name>"),
        (
            XML.format(name="a", objects=OBJECT.format("a", 1, 2, 3, name="d", difficult=0)),
            "expected numbers, got 'a 1 2 3'",
        ),
    ],
)
def test_annotations_of_voc_that_are_none(tmp_path, text, message):
    write(tmp_path / "a.xml", text)
    with pytest.raises(CurvewiseError, match=message):
        read_scene(tmp_path, FOUND)


def test_results_of_the_devkit_that_are_none(tmp_path):
    write(tmp_path / "r" / "comp4_det_test_dog.txt", "000012 0.5 10 20 39\n")
    with pytest.raises(CurvewiseError, match=r"dog\.txt, line 1: expected image, score and four corners, got 5"):
        read_scene(voc(tmp_path / "t"), tmp_path / "r")


@pytest.mark.parametrize("name", ["deep.json", "deep.jsonl", "deep"])
def test_json_nested_too_deeply_is_refused(tmp_path, name):
    deep = write(tmp_path / name, '{"a": 1}\n{"x": ' + "[" * 100_000 + "]" * 100_000 + "}\n")
    with pytest.raises(SourceError, match="nested too deeply"):
        read_scene(deep, deep)
