"""Everything about detectors at once: parts are those of the verbs, and answers follow from numbers."""

import json

import pytest

import curvewise as cw
from curvewise.detection.mistakes.false_detections import TYPES
from detection.scenes import golden

FEW = {"replicates": 60}
BOX = [[20 * k, 40, 9, 9] for k in range(12)]
TRUTH = {"image": list(range(12)), "class": ["a", "b"] * 6, "box": BOX}
GOOD = {**TRUTH, "score": [0.9 - k / 100 for k in range(12)]}
POOR = {**GOOD, "box": [*BOX[:3], *([[5, 5, 9, 9]] * 9)]}
NONE = {"image": [], "class": [], "box": [], "score": []}


@pytest.fixture(scope="module")
def two():
    return cw.detection.evaluate(TRUTH, {"good": GOOD, "poor": POOR}, **FEW)


def test_parts_are_those_of_the_verbs():
    m = cw.detection.match(*golden())
    ev = cw.detection.evaluate(*golden(), **FEW)
    (d,) = ev.detectors.values()
    assert d.name == "detector"
    assert d.summary.numbers["ap"] == m.interval("ap", **FEW)
    assert d.at.content() == m.at(m.best_threshold().threshold).content()
    assert d.errors.content() == m.errors().content()
    assert (d.confusion.matrix == m.confusion(d.threshold).matrix).all()
    assert d.per_class.table.columns["low"] == pytest.approx(m.per_class(**FEW).table.columns["low"], nan_ok=True)
    assert ev.comparison is None
    assert "detector_better" not in ev.answers


def test_the_better_detector_is_named_once(two):
    best, difference = two.answers["detector_better"]
    assert str(best) == "good is the best of 2 detectors"
    assert str(difference).startswith("good minus poor: ")
    pair = two.comparison.pairs[0]
    assert pair.p_holm < 0.05
    assert pair.difference.value == pytest.approx(1 - two.detectors["poor"].matched.ap)


def test_equal_detectors_are_not_told_apart():
    ev = cw.detection.evaluate(TRUTH, {"a": GOOD, "b": GOOD}, **FEW)
    assert str(ev.answers["detector_better"][0]) == "these images do not separate a and b"
    assert ev.comparison.p_value == 1


def test_the_costliest_error_is_one_type(two):
    errors = two.detectors["poor"].errors
    (said,) = [s for s in two.answers["detector_errors"] if s.values["model"] == "poor"]
    worst = max(TYPES, key=lambda kind: errors.delta_ap[kind])
    assert f"“{worst}”: correcting all {errors.counts[worst]}" in str(said)
    assert "no single type of error" in str(two.answers["detector_errors"][0])


def test_nothing_found_is_said():
    ev = cw.detection.evaluate(TRUTH, {"none": NONE}, **FEW)
    assert "no object is found at IoU 0.5" in str(ev.answers["detector_errors"][0])
    assert "no detection scores" in str(ev.answers["detector_threshold"][0])
    assert ev.detectors["none"].summary.numbers["ap"].value == 0
    json.dumps(ev.to_dict(), allow_nan=False)
    assert ev.detectors["none"].reliability is None


def test_notes_of_all_are_told_once(two):
    told = [str(said) for said in two.notes]
    assert len(told) == len(set(told))
    assert sum("fewer than 20 objects" in text for text in told) == 1


def test_matched_detections_are_taken_as_they_are(two):
    again = cw.detection.evaluate({name: d.matched for name, d in two.detectors.items()}, **FEW)
    assert again.to_dict() == two.to_dict()
    with pytest.raises(cw.CurvewiseError, match="nothing to match"):
        cw.detection.evaluate(two.detectors["good"].matched, rule="voc")


def test_a_threshold_for_all(two):
    ev = cw.detection.evaluate(TRUTH, {"good": GOOD, "poor": POOR}, threshold=0.85, intervals=False)
    assert {d.threshold for d in ev.detectors.values()} == {0.85}
    assert ev.comparison is None
    assert ev.detectors["good"].rates == {}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ({"found": None}, "found: detections are missing"),
        ({"found": {}}, "expected at least one detector"),
        ({"at_iou": 0.52}, "at_iou: expected one of the thresholds"),
        ({"by": "moon"}, "by: the images have no attribute 'moon'"),
        ({"level": 2}, "level: expected a number strictly between"),
        ({"replicates": 1}, "replicates: expected a whole number of at least 2"),
        ({"rng": -1}, "rng: expected a whole number of at least 0"),
        ({"threshold": "high"}, "threshold: expected a finite number"),
        ({"rul": "voc"}, "rul: unknown option"),
        ({"cluster": "moon"}, "cluster: .*'moon'"),
    ],
)
def test_what_is_refused(call, message):
    with pytest.raises(cw.CurvewiseError, match=message):
        cw.detection.evaluate(**{"truth": TRUTH, "found": {"good": GOOD}, **call})


def test_an_unknown_option_of_an_area_is_refused():
    with pytest.raises(cw.UnknownOptionError, match="interpolatoin: unknown option of mean_ap; did you mean"):
        cw.detection.mean_ap(TRUTH, GOOD, interpolatoin="step")


def test_detectors_of_other_images_are_refused():
    other = {name: values[:6] for name, values in TRUTH.items()}
    a, b = cw.detection.match(TRUTH, GOOD), cw.detection.match(other, {k: v[:6] for k, v in GOOD.items()})
    with pytest.raises(cw.CurvewiseError, match="6 images only in one of them"):
        cw.detection.evaluate({"a": a, "b": b})


def test_the_page_is_written_whole(two, tmp_path):
    path = tmp_path / "page.html"
    two.report(path, title="Two detectors")
    text = path.read_text("utf-8")
    for told in two.answers.values():
        for said in told:
            sentence = said.text("en")
            assert sentence[1:] in text.replace("&#34;", '"').replace("&amp;", "&")
    with pytest.raises(cw.SourceError, match="the file exists"):
        two.report(path)


def test_printing_asks_and_answers(two):
    text = str(two)
    assert "Which detector is better?" in text
    assert "good is the best of 2 detectors" in text
    assert "question" in two.to_markdown()
