"""Numbers known before: pycocotools' own, a brute force in fractions, examples worked by hand, published ones."""

import math
from fractions import Fraction

import pytest

import curvewise as cw
from curvewise.detection.numbers.catalogue import Number, Reader
from detection.scenes import golden, load

EXPECTED = load("expected.json")
HAND = load("hand.json")
NAMES = {"image": "image_id", "category": "category_id", "box": "bbox"}
IOU = [k / 20 for k in range(10, 20)]
AREAS = {"101-point": "AP_101", "11-point": "AP_11", "all-point": "AP_all_points", "step": "AP_step"}


@pytest.fixture(scope="module", params=["block", "row"])
def matched(request):
    return cw.detection.match(*golden(), ties=request.param)


def expected(m):
    return EXPECTED["exact_tie_blocks" if m.options.ties == "block" else "exact_row_order"]


def test_the_twelve_numbers(matched):
    for name, value in expected(matched)["summary"].items():
        assert matched.number(name.lower()).value == pytest.approx(value, abs=1e-15), name
        assert matched.number(name.lower()).classes == 3


@pytest.mark.parametrize("interpolation", AREAS)
def test_every_class_at_every_iou(matched, interpolation):
    reader, number = Reader(matched, interpolation=interpolation), Number("ap", "ap", (0,))
    for place, category in enumerate(matched.scene.class_ids):
        known = expected(matched)["per_category"][str(category)]
        for t, iou in enumerate(IOU):
            value, counted = reader.at(number, t)[place], reader.counted(t)
            if known is None:
                assert math.isnan(value)
                continue
            told = known[f"{iou:.2f}"]
            assert value == pytest.approx(told[AREAS[interpolation]], abs=1e-15)
            counts = counted.positives[place], counted.hits[place], counted.detections[place] - counted.hits[place]
            assert counts == (told["positives"], told["tp"], told["fp"])


def test_sweeps_are_whole_numbers():
    m = cw.detection.match(*golden())
    sweeps = 0
    for category, known in EXPECTED["exact_tie_blocks"]["per_category"].items():
        for iou in (0.5, 0.75):
            told = known and known[f"{iou:.2f}"].get("sweep")
            if not told:
                continue
            sweeps += 1
            s = m.sweep(int(category), iou=iou)
            assert s.threshold.tolist() == told["threshold"]
            assert s.tp.tolist() == told["tp"]
            assert s.fp.tolist() == told["fp"]
            assert s.positives == known[f"{iou:.2f}"]["positives"]
            assert cw.pr_auc(s, interpolation="101-point") == pytest.approx(known[f"{iou:.2f}"]["AP_101"], abs=1e-15)
            spread = cw.average_precision(s, ties="expected")
            assert spread == pytest.approx(known[f"{iou:.2f}"]["AP_step_expected"], abs=1e-14)
    assert sweeps == 6


def test_pycocotools_own_numbers():
    m = cw.detection.match(*golden())
    told = EXPECTED["pycocotools"]["stats"]
    assert list(m.like_pycocotools().values()) == pytest.approx(told, abs=1e-15)
    rows = cw.detection.match(*golden(), ties="row")
    assert list(rows.like_pycocotools().values()) == pytest.approx(told, abs=1e-15)
    theirs = cw.detection.mean_ap(rows, interpolation="101-point (pycocotools)")
    assert theirs == pytest.approx(told[0], abs=1e-15)
    assert "as pycocotools counts: ap 0.269, ap50 0.446" in str(m)


@pytest.mark.parametrize("name", HAND)
def test_by_hand(name):
    case = HAND[name]
    want, iou = case["want"], float(Fraction(case["iou"]))
    m = cw.detection.match(case["truth"], case["detections"], iou=iou, max_detections=case["max_dets"])
    cls = m.classes[0]
    s = m.sweep(cls, iou=iou, area=case["area"])
    assert (s.tp.tolist(), s.fp.tolist(), s.positives) == (want["tp"], want["fp"], want["positives"])
    for interpolation, key in zip(AREAS, ("101_points", "11_points", "all_points", "step"), strict=True):
        if key in want:
            value = cw.detection.mean_ap(m, area=case["area"], interpolation=interpolation)
            assert value == pytest.approx(float(Fraction(want[key])), abs=1e-15)
    if "expected_step" in want:
        assert cw.average_precision(s, ties="expected") == pytest.approx(float(Fraction(want["expected_step"])))
    if "voc" in want:
        v = cw.detection.match(case["truth"], case["detections"], rule="voc", iou=iou).sweep(cls, iou=iou)
        assert v.tp.tolist() == want["voc"]["tp"]


@pytest.mark.parametrize("pixels", ["real", "inclusive"])
@pytest.mark.parametrize("ties", ["row", "block"])
def test_voc(pixels, ties):
    rows, (truth, _) = load("voc.json"), golden()
    objects, found = (
        [{NAMES.get(key, key): value for key, value in r.items()} for r in rows[side]]
        for side in ("truth", "detections")
    )
    truth["annotations"] = objects
    m = cw.detection.match(truth, found, rule="voc", boxes="xyxy", pixels=pixels, ties=ties)
    key = f"{'plus_one' if pixels == 'inclusive' else 'plain'}/{ties}"
    for category, known in EXPECTED["voc"].items():
        told = known[key]
        if not told["positives"]:
            continue
        place, counted = m.class_place(int(category)), m.counted(0)
        assert (counted.positives[place], counted.hits[place]) == (told["positives"], told["tp"])
        assert counted.detections[place] - counted.hits[place] == told["fp"]
        of_class = {"classes": [int(category)]}
        assert cw.detection.mean_ap(m, **of_class) == pytest.approx(told["AP_all_points"], abs=1e-15)
        eleven = cw.detection.mean_ap(m, interpolation="11-point", **of_class)
        assert eleven == pytest.approx(told["AP_11"], abs=1e-15)


@pytest.mark.parametrize(("pixels", "ties"), [(p, t) for p in ("inclusive", "real") for t in ("row", "block")])
def test_padilla(pixels, ties):
    known = load("padilla/expected.json")
    told = known[f"VOC matching, IoU 0.3, {'extra pixel' if pixels == 'inclusive' else 'plain'}, {ties}"]
    options = {"rule": "voc", "iou": 0.3, "pixels": pixels, "ties": ties}
    m = cw.detection.match(load("padilla/truth.json"), load("padilla/detections.json"), **options)
    assert m.ap == pytest.approx(told["all_points"], abs=1e-15)
    assert cw.detection.mean_ap(m, interpolation="11-point") == pytest.approx(told["11_points"], abs=1e-15)
    if (pixels, ties) == ("inclusive", "row"):
        assert round(m.ap, 4) == 0.2457  # as published
