"""``curvewise detect``: numbers of detectors, from files; every bad file is one sentence and the right exit code."""

import csv
import io
import json
import shutil
from importlib.resources import files

import pytest

import curvewise as cw

DATA = files("curvewise.data")
TRUTH, A, B = (str(DATA / f"traffic_{name}.json") for name in ("truth", "detector_a", "detector_b"))
FEW = ("--replicates", "40")


@pytest.fixture(scope="module")
def matched():
    return cw.detection.match(TRUTH, A)


def answer(curve, *args):
    found = curve("detect", TRUTH, A, *args, "--format", "json")
    assert found.code == 0, found.err
    return json.loads(found.out)


def test_the_whole_answer(curve):
    found = curve("detect", TRUTH, A, *FEW)
    assert found.code == 0
    assert found.out.startswith("How good is it? Average precision is 0.408 (95% interval ")
    for text in (
        "ar_100",
        "traffic light",
        "localisation",
        "Detections with score ≥ 0.38",
        "as pycocotools counts: ap 0.410",
    ):
        assert text in found.out


def test_numbers_are_those_of_the_library(curve, matched):
    told = answer(curve, *FEW)["detectors"]["traffic_detector_a"]["summary"]["numbers"]
    assert {name: row["value"] for name, row in told.items()} == {name: matched.number(name).value for name in told}
    assert told["ap"]["low"] < told["ap"]["value"]
    assert told["ap"]["classes"] == 6


def test_two_detectors_are_compared(curve):
    found = curve("detect", TRUTH, A, B, *FEW, "--name", "first", "--name", "second", "--format", "json")
    told = json.loads(found.out)
    assert list(told["detectors"]) == ["first", "second"]
    (pair,) = told["comparison"]["pairs"]
    values = told["comparison"]["values"]
    assert pair["difference"] == pytest.approx(values["first"] - values["second"])
    assert "detector_better" in told["answers"]


def test_the_same_seed_says_the_same(curve):
    first, second = (answer(curve, *FEW, "--seed", "3") for _ in range(2))
    assert first == second
    assert first != answer(curve, *FEW, "--seed", "4")


@pytest.mark.parametrize("sort", ["worst", "name", "objects"])
def test_classes_as_csv(curve, sort, matched):
    found = curve("detect", TRUTH, A, "--by", "class", "--sort", sort, "--format", "csv", "--no-intervals")
    rows = list(csv.DictReader(io.StringIO(found.out)))
    assert len(rows) == len(matched.classes)
    order = {
        "worst": lambda r: float(r["ap"] or "inf"),
        "name": lambda r: r["class"],
        "objects": lambda r: -int(r["truths"]),
    }
    assert rows == sorted(rows, key=order[sort])
    ap = dict(zip(matched.classes, matched.class_ap(), strict=True))
    assert all(float(r["ap"]) == ap[r["class"]] for r in rows if r["ap"])


def test_by_an_attribute_by_size_and_by_overlap(curve):
    attribute = next(iter(cw.detection.match(TRUTH, A).scene.attributes))
    for by, text in ((attribute, attribute), ("area", "medium"), ("iou", "0.9500")):
        found = curve("detect", TRUTH, A, "--by", by, *FEW)
        assert found.code == 0
        assert text in found.out
    assert curve("detect", TRUTH, A, "--by", "moon", *FEW).code == 2


def test_errors_alone(curve):
    found = curve("detect", TRUTH, A, "--errors", "--no-intervals")
    assert found.code == 0
    assert "delta_ap" in found.out
    assert "Errors by class" in found.out
    assert "How good" not in found.out


@pytest.mark.parametrize(
    "more",
    [
        ("--threshold", "0.4", "--errors"),
        ("--threshold", "0.4", "--by", "class"),
        ("--cluster", "camera", "--no-intervals"),
        ("--by", "class", "--errors"),
    ],
)
def test_an_option_that_would_be_ignored_is_refused(curve, more):
    found = curve("detect", TRUTH, A, *more)
    assert (found.code, found.out) == (2, "")
    assert "--" in found.err


def test_like_pycocotools(curve, matched):
    told = answer(curve, "--like", "pycocotools", "--no-intervals")["detectors"]["traffic_detector_a"]["summary"]
    theirs = matched.like_pycocotools()
    assert {name: row["value"] for name, row in told["numbers"].items()} == pytest.approx(theirs, abs=1e-12)
    assert curve("detect", TRUTH, A, "--like", "pycocotools", "--ties", "row").code == 2


def test_a_threshold(curve, matched):
    told = answer(curve, "--threshold", "0.6", "--no-intervals")["detectors"]["traffic_detector_a"]["at"]
    assert told["threshold"] == 0.6
    assert told["pooled"]["tp"] == matched.at(0.6).pooled.tp


@pytest.mark.parametrize(
    ("bars", "code", "said"),
    [
        ("ap=0.3,ap50=0.5", 0, ""),
        ("ap=0.37,AP50=0.99", 1, "Failed: ap50 of traffic_detector_a is 0.6095, below 0.99."),
        ("mAP=0.99", 1, "Failed: ap of traffic_detector_a is 0.4083, below 0.99."),
        ("ar=0.9", 1, "Failed: ar_100 of traffic_detector_a"),
        ("ap.low=0.405", 1, "Failed: the lower limit of ap"),
        ("auc=0.9", 2, "there is no number 'auc' of detection here"),
    ],
)
def test_fail_under(curve, bars, code, said):
    found = curve("detect", TRUTH, A, "--fail-under", bars, *FEW)
    assert found.code == code
    assert said in found.err


def test_limits_need_intervals(curve):
    found = curve("detect", TRUTH, A, "--fail-under", "ap.low=0.1", "--no-intervals")
    assert found.code == 2
    assert "leave out --no-intervals" in found.err


def test_voc_from_a_table(curve, tmp_path):
    truth, found = tmp_path / "truth.csv", tmp_path / "found.csv"
    truth.write_text("image,class,x1,y1,x2,y2\n1,cat,0,0,9,9\n1,cat,20,0,29,9\n")
    found.write_text("image,class,x1,y1,x2,y2,score\n1,cat,0,0,9,4,0.9\n")
    args = ("detect", str(truth), str(found), "--rule", "voc", "--boxes", "xyxy", "--no-intervals", "--format", "json")

    def ap(*more):
        told = json.loads(curve(*args, *more).out)
        return told["detectors"]["found"]["summary"]["numbers"]["ap"]["value"]

    assert ap("--pixels", "inclusive") == 0.5
    assert ap() == 0
    assert ap("--pixels", "inclusive", "--interpolation", "11-point") == pytest.approx(6 / 11)


def test_the_page(curve, tmp_path):
    out = tmp_path / "detectors.html"
    found = curve("detect", TRUTH, A, B, *FEW, "-o", str(out), "--lang", "zh", "--title", "路口")
    assert found.code == 0
    page = out.read_text("utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert "路口" in page
    assert "平均精度" in found.out
    assert curve("detect", TRUTH, A, *FEW, "-o", str(out)).code == 5
    assert "only the page shows it" in curve("detect", TRUTH, A, "--lang", "zh").err


@pytest.mark.parametrize("form", ["md", "table", "csv", "json"])
def test_every_format_is_written_whole(curve, tmp_path, form):
    out = tmp_path / "answer"
    assert curve("detect", TRUTH, A, "--no-intervals", "--format", form, "-o", str(out)).code == 0
    assert "person" in out.read_text("utf-8")


def test_bad_files(curve, tmp_path):
    rows = json.loads((DATA / "traffic_detector_a.json").read_text())

    def found(content):
        path = tmp_path / "bad.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return curve("detect", TRUTH, str(path), "--no-intervals")

    cases = [
        ([{**rows[0], "bbox": [1, 2, -3, 4]}], 3, "width"),
        ([{**rows[0], "bbox": [1, 2, 3]}], 3, "row"),
        ([{**rows[0], "score": "high"}], 3, "score"),
        ([{**rows[0], "image_id": 10**9}], 3, "image"),
        ([{**rows[0], "category_id": 999}], 3, "class"),
        ('[{"image_id": 1, "bbox"', 5, "bad.json"),
        ({"foo": []}, 3, "foo"),
        ("", 5, "empty"),
    ]
    for content, code, said in cases:
        answer = found(content)
        assert answer.code == code, (content, answer.err)
        assert said in answer.err
        assert answer.out == ""
        assert "Traceback" not in answer.err
    assert curve("detect", TRUTH, str(tmp_path / "absent.json")).code == 5
    assert curve("detect", TRUTH).code == 2


def test_nothing_to_find_is_4(curve, tmp_path):
    truth = json.loads((DATA / "traffic_truth.json").read_text())
    path = tmp_path / "empty.json"
    path.write_text(json.dumps({**truth, "annotations": []}))
    found = curve("detect", str(path), A)
    assert found.code == 4
    assert "no annotated object counts" in found.err


def test_one_name_each(curve, tmp_path):
    other = tmp_path / "traffic_detector_a.json"
    shutil.copy(A, other)
    found = curve("detect", TRUTH, A, str(other), "--no-intervals", "--format", "json")
    assert list(json.loads(found.out)["detectors"]) == [A, str(other)]
    assert curve("detect", TRUTH, A, A).code == 2
    assert curve("detect", TRUTH, A, B, "--name", "one").code == 2


def test_options_from_a_file(curve, tmp_path):
    (tmp_path / "curvewise.toml").write_text("[detect]\nmax-detections = 1\n")
    told = answer(curve, "--no-intervals")
    assert told["detectors"]["traffic_detector_a"]["summary"]["options"]["max_detections"] == 1
