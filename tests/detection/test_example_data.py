"""The shipped detections show what their README says: numbers counted here, and by pycocotools 2.0.11 where named."""

import json
import math
from collections import Counter
from importlib.resources import files

import pytest

import curvewise as cw

DATA = files("curvewise.data")
TRUTH, A, B = (str(DATA / f"traffic_{name}.json") for name in ("truth", "detector_a", "detector_b"))


@pytest.fixture(scope="module")
def matched():
    return {name: cw.detection.match(TRUTH, path) for name, path in (("a", A), ("b", B))}


def test_what_is_there():
    truth = json.loads((DATA / "traffic_truth.json").read_text())
    assert Counter(i["weather"] for i in truth["images"]) == {"day": 90, "night": 40, "rain": 30}
    assert len({i["camera"] for i in truth["images"]}) == 6
    assert sum(not a["iscrowd"] for a in truth["annotations"]) == 975
    assert sum(a["iscrowd"] for a in truth["annotations"]) == 11
    assert sum(len((DATA / f"traffic_{n}.json").read_bytes()) for n in ("truth", "detector_a", "detector_b")) < 3e5


@pytest.mark.parametrize(
    ("name", "ap", "ap50", "ap75", "ar"), [("a", 0.408, 0.609, 0.461, 0.494), ("b", 0.373, 0.681, 0.335, 0.530)]
)
def test_numbers_of_the_readme(matched, name, ap, ap50, ap75, ar):
    m = matched[name]
    assert [round(v, 3) for v in (m.ap, m.ap50, m.ap75, m.ar)] == [ap, ap50, ap75, ar]


@pytest.mark.parametrize(
    ("name", "stats"),
    [
        ("a", [0.4096, 0.6101, 0.4618, 0.3363, 0.3954, 0.522, 0.3541, 0.4935, 0.4942, 0.3953, 0.4791, 0.5841]),
        ("b", [0.3784, 0.6838, 0.3424, 0.2698, 0.4643, 0.4051, 0.3406, 0.5295, 0.5305, 0.3723, 0.6138, 0.5235]),
    ],
)
def test_pycocotools_says(matched, name, stats):
    assert [round(v, 4) for v in matched[name].like_pycocotools().values()] == stats


def test_classes_of_the_readme(matched):
    ap = {name: dict(zip(m.classes, m.class_ap().round(3).tolist(), strict=True)) for name, m in matched.items()}
    wanted = {
        "person": (0.359, 0.337),
        "bicycle": (0.387, 0.410),
        "car": (0.436, 0.382),
        "bus": (0.516, 0.462),
        "traffic light": (0.278, 0.280),
        "dog": (0.474, 0.368),
    }
    assert {c: (ap["a"][c], ap["b"][c]) for c in wanted} == wanted
    assert math.isnan(ap["a"]["train"])  # there is none


def test_images_at_night(matched):
    truth = json.loads((DATA / "traffic_truth.json").read_text())

    def ap(path, weather):
        return round(
            cw.detection.match(TRUTH, path, images=[i["id"] for i in truth["images"] if i["weather"] == weather]).ap, 3
        )

    assert [ap(path, when) for path in (A, B) for when in ("day", "night")] == [0.434, 0.280, 0.394, 0.382]
