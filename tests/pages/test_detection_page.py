"""The page of detectors: complete, with the evaluation's numbers, and one threshold that moves through all of them."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files

import numpy as np
import pytest

import curvewise as cw
from curvewise.pages.detectors.page import SCRIPTS, render_detection_page, write_detection_page
from curvewise.words import Words
from pages.browsing import opened, settled, slide
from pages.sample import HOSTILE
from pages.test_html import Reader, text_of

EN = Words("en")
QUICK = {"replicates": 20}
SECTIONS = ["summary", "explorer", "quality", "errors", "scores", "groups", "caveats", "data"]


@cache
def traffic(name):
    return json.loads((files("curvewise.data") / f"traffic_{name}.json").read_text())


@cache
def both():
    found = {"fast": traffic("detector_a"), "large": traffic("detector_b")}
    return cw.detection.evaluate(traffic("truth"), found, by=["weather"], **QUICK)


@cache
def one():
    return cw.detection.evaluate(traffic("truth"), {"only": traffic("detector_a")}, threshold=0.5, **QUICK)


@cache
def page(lang="en"):
    return render_detection_page(both(), lang)


@cache
def crowd(classes=80, images=150):
    """Return objects of many classes, and detections of most of them beside wrong ones, in COCO's form."""
    rng = np.random.default_rng(1)
    truth = {
        "images": [{"id": k, "width": 640, "height": 480} for k in range(images)],
        "categories": [{"id": k, "name": f"class {k}"} for k in range(classes)],
        "annotations": [],
    }
    found = []
    for image in range(images):
        for _ in range(12):
            box = [*rng.uniform(0, 400, 2).round(1).tolist(), *rng.uniform(10, 200, 2).round(1).tolist()]
            own = {"image_id": image, "category_id": int(rng.integers(classes)), "bbox": box}
            truth["annotations"].append({**own, "id": len(truth["annotations"]), "area": box[2] * box[3], "iscrowd": 0})
            if rng.random() < 0.7:
                near = [v + d for v, d in zip(box, rng.normal(0, 4, 4), strict=True)]
                found.append({**own, "bbox": [*near[:2], *map(abs, near[2:])], "score": rng.beta(4, 2)})
            found.append({**own, "bbox": [*rng.uniform(0, 400, 2), 40, 40], "score": rng.beta(2, 4)})
    return truth, found


def at(path, text):
    path.write_text(text, "utf-8")
    return path.as_uri()


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    return at(tmp_path_factory.mktemp("page") / "detection.html", page())


# ---- the page as text ----


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_sections_and_figures_each_with_its_table(lang):
    read = Reader(page(lang))
    assert not read.open
    assert [a["id"] for tag, a in read.elements if tag == "section"] == SECTIONS
    keys = [a["data-key"] for tag, a in read.elements if tag == "figure"]
    assert keys == [
        *("detection_f", "detection_froc", "detection_difference", "detection_classes", "detection_pr:0"),
        *("detection_pr:1", "detection_iou", "detection_size", "detection_errors", "detection_confusion:0"),
        *("detection_confusion:1", "detection_reliability", "detection_scores:0", "detection_scores:1"),
        "detection_groups:0",
    ]
    assert sum(a.get("class") == "figure" for _, a in read.elements) == len(keys)
    assert len(read.ids) == len(set(read.ids))
    places = {a["href"][1:] for tag, a in read.elements if tag == "a" and a["href"].startswith("#")}
    assert places <= set(read.ids)


def test_the_numbers_are_the_evaluation_s():
    said = text_of(page())
    for d in both().detectors.values():
        for e in d.summary.numbers.values():
            assert f"{e.value:.3f}" in said
            assert f"{e.low:.3f} to {e.high:.3f}" in said
        pooled = d.at.pooled
        for count in (pooled.tp, pooled.fp, pooled.missed):
            assert f" {count:,} " in said
        assert f"{100 * pooled.recall:.1f}%" in said
        for row in d.per_class.rows:
            assert f"{row.ap.value:.3f}" in said or not row.ap.is_defined
        for gain in d.errors.delta_ap.values():
            assert EN.numbers.area(gain) in said
        for group in d.groups["weather"].groups:
            assert f"{group.ap.low:.3f} to {group.ap.high:.3f}" in said
    gap = both().comparison.pairs[0].difference
    assert EN.numbers.interval(gap.low, gap.high) in said


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_page_and_terminal_give_the_same_answers(lang):
    said = text_of(page(lang))
    for answers in both().answers.values():
        for answer in answers:
            assert re.sub(r"\s+", " ", answer.text(lang))[1:] in said  # which begins with a capital there
            assert str(answer) in str(both())
    for note in both().notes:
        assert re.sub(r"\s+", " ", note.text(lang))[1:].removesuffix("。") in said


# names of the data, of people, of measures and of formats, which are the same in both languages
KNOWN = {
    *("fast", "large", "person", "bicycle", "car", "bus", "traffic", "light", "dog", "train", "jpg", "weather"),
    *("clear", "rain", "night", "day", "COCO", "TIDE", "Holm", "CSV", "SVG", "PNG", "JavaScript", "curvewise"),
    *("pycocotools", "ROC", "Cookie", "traff", "small", "medium"),  # pycocotools' own names
}  # fmt: skip


def test_no_english_is_left_on_the_chinese_page():
    chinese = re.sub(r'<(\w+)[^>]* lang="en">.*?</\1>', "", page("zh"), flags=re.DOTALL)
    left = {word for text in Reader(chinese).text for word in re.findall(r"[A-Za-z]{3,}", text)}
    assert not left - KNOWN, left - KNOWN
    for term in ("交并比", "漏检", "误检", "定位错误", "背景误检", "重复检测", "小目标", "置信度"):
        assert term in chinese


def test_one_detector_has_no_comparison_and_keeps_the_threshold_asked_for():
    text = render_detection_page(one(), title="My report", author="Ann")
    read, said = Reader(text), text_of(text)
    assert "detection_difference" not in text
    assert not [a for _, a in read.elements if a.get("id") == "dx-detector"]
    pooled = one().detectors["only"].matched.at(0.5).pooled
    assert f"{100 * pooled.precision:.1f}%" in said
    assert "My report" in said
    assert "Ann" in said
    assert "groups" not in [a["id"] for tag, a in read.elements if tag == "section"]


@pytest.mark.parametrize(
    "scores", [[0.9, 0.4, 0.3], [90, 40, -3], [1, 1, 1], [float("inf"), 0.4, float("-inf")], []], ids=str
)
def test_odd_detections_have_a_page(scores):
    truth = {"image": [1, 1, 2, 3], "class": ["cat", "cat", "cat", "dog"]}
    truth["box"] = [[0, 0, 9, 9], [20, 0, 9, 9], [5, 5, 9, 9], [1, 1, 50, 50]]
    rows = len(scores)
    found = {"image": [1, 2, 2][:rows], "class": ["cat"] * rows, "score": scores}
    found["box"] = [[0, 0, 9, 9], [5, 5, 9, 9], [50, 5, 9, 8]][:rows]
    for lang in ("en", "zh"):
        said = text_of(render_detection_page(cw.detection.evaluate(truth, {"a": found}, **QUICK), lang))
        assert "nan" not in said.lower().split()


def test_the_rule_of_voc_has_one_overlap_and_no_sizes():
    truth = {"image": [1, 1, 2, 3], "class": ["cat", "cat", "cat", "dog"]}
    truth["box"] = [[0, 0, 9, 9], [20, 0, 9, 9], [5, 5, 9, 9], [1, 1, 50, 50]]
    found = {"image": [1, 2], "class": ["cat"] * 2, "score": [0.9, 0.4], "box": [[0, 0, 9, 9], [5, 5, 9, 9]]}
    text = render_detection_page(cw.detection.evaluate(truth, {"a": found}, rule="voc", **QUICK))
    assert "detection_iou" not in text
    assert "detection_size" not in text
    assert "AP50" not in text_of(text)  # it is AP itself


def test_without_intervals_nothing_speaks_of_them():
    found = cw.detection.evaluate(traffic("truth"), {"a": traffic("detector_a")}, intervals=False)
    said = text_of(render_detection_page(found))
    assert "95%" not in said
    assert f"{found.detectors['a'].summary.numbers['ap'].value:.3f}" in said


def test_eighty_classes_stay_readable_and_small():
    truth, found = crowd()
    evaluation = cw.detection.evaluate(truth, {"a": found, "b": found[::2]}, **QUICK)
    text = render_detection_page(evaluation)
    assert len(text.encode()) < 1_000_000
    told = json.loads(Reader(text).scripts[0])["detection"]
    assert all(len(d["sweeps"]) == 81 for d in told["detectors"])
    assert text.count("class 79") >= 3  # in tables, though no figure names all


def test_of_very_many_classes_those_with_the_most_objects_can_be_chosen():
    truth, found = crowd(500, 100)
    evaluation = cw.detection.evaluate(truth, {"a": found}, intervals=False)
    text = render_detection_page(evaluation)
    told = json.loads(Reader(text).scripts[0])["detection"]
    assert 100 < len(told["detectors"][0]["sweeps"]) < 450
    assert "classes with the most objects, of 456, can be chosen" in text_of(text)
    assert len(text.encode()) < 1_500_000


def test_counts_of_the_script_are_the_sweeps():
    told = json.loads(Reader(page()).scripts[0])["detection"]
    assert told["images"] == len(both().detectors["fast"].matched.images)
    for name, d in zip(both().detectors, told["detectors"], strict=True):
        m, threshold = both().detectors[name].matched, both().detectors[name].threshold
        classes = [None, *(c for c in m.classes if c != "train")]
        for cls, got in zip(classes, d["sweeps"], strict=True):
            sweep = m.sweep(cls)
            assert got["truths"] == sweep.positives
            for k in (1, len(got["tp"]) // 2, len(got["tp"]) - 1, got["best"], got["chosen"]):
                here = sweep.at(got["threshold"][k])
                assert (got["tp"][k], got["fp"][k]) == (here.tp, here.fp)
            assert got["threshold"][got["best"]] == m.best_threshold(cls).threshold
            asked = sweep.at(threshold)
            assert (got["tp"][got["chosen"]], got["fp"][got["chosen"]]) == (asked.tp, asked.fp)


def test_the_file_is_written_whole_and_not_over_another(tmp_path):
    path = tmp_path / "page.html"
    write_detection_page(one(), path, lang="en", force=False)
    assert path.read_text("utf-8").rstrip().endswith("</html>")
    with pytest.raises(cw.CurvewiseError, match=r"page\.html"):
        write_detection_page(one(), path, lang="en", force=False)
    write_detection_page(one(), path, lang="zh", force=True)
    assert "目标检测报告" in path.read_text("utf-8")
    with pytest.raises(cw.OptionError, match="lang"):
        write_detection_page(one(), path, lang="fr", force=True)


@pytest.mark.parametrize("kind", HOSTILE)
def test_names_are_text_and_nothing_else(kind):
    text = HOSTILE[kind]
    truth = {"image": [f"{text}1", f"{text}2"], "class": [f"{text}c", f"{text}d"], "box": [[0, 0, 9, 9], [5, 5, 9, 9]]}
    found = {**truth, "class": [f"{text}c", f"{text}c"], "score": [0.9, 0.4]}
    evaluation = cw.detection.evaluate(truth, {f"{text}a": found, f"{text}b": found}, **QUICK)
    read = Reader(render_detection_page(evaluation, title=text, author=text))
    assert not read.open
    tags = {tag for tag, _ in read.elements}
    assert "img" not in tags
    assert not [a for _, a in read.elements if any(name.startswith("on") or name == "style" for name in a)]
    assert len(read.scripts) == 1 + len(SCRIPTS)  # data, and what is run


# ---- the page in Chromium ----


def shown(page, key):
    row = page.locator("#dx tr", has=page.get_by_role("rowheader", name=EN(f"detection.js.{key}"), exact=True))
    return row.locator("td > span").inner_text()


def test_what_the_slider_shows_is_what_the_library_says(chromium, address):
    with opened(chromium, address) as page:
        for detector, cls in ((0, None), (1, None), (1, "car"), (0, "dog")):
            m = list(both().detectors.values())[detector].matched
            classes = [None, *(c for c in m.classes if c != "train")]
            page.select_option("#dx-detector", str(detector))
            page.select_option("#dx-class", str(classes.index(cls)))
            settled(page)
            cuts = json.loads(Reader(page.content()).scripts[0])["detection"]["detectors"][detector]
            cuts = cuts["sweeps"][classes.index(cls)]["threshold"]
            for k in (1, len(cuts) // 3, len(cuts) - 1):
                slide(page, "#dx-t", len(cuts) - 1 - k)
                at = m.at(cuts[k])
                row = at.pooled if cls is None else at.by_class[cls]
                assert shown(page, "found") == f"{row.tp:,}"
                assert shown(page, "missed") == f"{row.missed:,}"
                assert shown(page, "wrong") == f"{row.fp:,}"
                assert shown(page, "recall") == EN.numbers.share(row.recall)
                assert shown(page, "precision") == EN.numbers.share(row.precision)
                assert shown(page, "f1") == EN.numbers.area(row.f)
                assert shown(page, "wrong_per_image") == EN.numbers.amount(row.false_positives_per_image, 3)


def test_presets_keep_their_promise(chromium, address):
    with opened(chromium, address) as page:
        m = both().detectors["fast"].matched
        page.select_option("#dx-detector", "0")
        assert page.get_attribute("#dx-chosen", "aria-pressed") == "true"
        page.click("#dx-best")
        settled(page)
        assert shown(page, "f1") == EN.numbers.area(m.best_threshold().f)
        page.fill("#dx-at-most", "0.3")
        settled(page)
        assert shown(page, "recall") == EN.numbers.share(m.froc().recall_at(0.3))
        assert page.get_attribute("#dx-find-wrong", "aria-pressed") == "true"
        page.fill("#dx-at-least", "50")
        settled(page)
        assert float(shown(page, "recall").rstrip("%")) >= 50
        page.fill("#dx-at-least", "99")
        settled(page)
        assert page.inner_text("#dx-note") == EN("js.no_cut")
        page.select_option("#dx-class", "1")
        settled(page)
        assert page.get_attribute("#dx-find-found", "aria-pressed") == "true"  # the criterion stays, the class changes


def test_the_point_in_a_chart_can_be_taken_and_the_link_brings_it_back(chromium, address):
    with opened(chromium, address) as page:
        page.locator("#dx-charts").scroll_into_view_if_needed()
        box = page.locator(".chart").nth(1).bounding_box()
        page.mouse.click(box["x"] + 0.7 * box["width"], box["y"] + 40)
        settled(page)
        said = page.inner_text("#dx-say")
        assert page.locator("#dx [aria-pressed=true]").count() == 0
        assert page.locator(".chart .mark:visible").count() == 3
        link = page.get_attribute("#dx-link", "href")
        page.wait_for_url("**#detector=*")
    with opened(chromium, address + link) as page:
        assert page.inner_text("#dx-say") == said


def test_words_first(chromium, address):
    with opened(chromium, address) as page:
        d = both().detectors["fast"]
        page.select_option("#dx-detector", "0")
        settled(page)
        pooled = d.at.pooled
        recall, precision = (EN.numbers.of(v, 100) for v in (pooled.recall, pooled.precision))
        said = page.inner_text("#dx-say")
        assert f"{recall} of 100 objects are found, {precision} of 100 boxes shown are correct" in said
        assert EN.numbers.amount(pooled.false_positives_per_image, 2) in said


def test_without_script_the_threshold_has_its_table(chromium, address):
    with opened(chromium, address, java_script_enabled=False) as page:
        assert not page.locator("#dx").is_visible()
        assert page.locator("#dx-noscript").is_visible()
        assert page.locator("#explorer > .table table").first.is_visible()


def test_print_shows_the_point_and_no_control(chromium, address):
    with opened(chromium, address) as page:
        page.emulate_media(media="print")
        assert page.locator("#dx-say").is_visible()
        assert page.locator(".chart").first.is_visible()
        assert not page.locator("#dx-t").is_visible()
        assert not page.locator("#dx-best").is_visible()


@pytest.mark.parametrize("width", [390, 768, 1440])
def test_no_page_is_wider_than_the_window(chromium, address, width):
    with opened(chromium, address, viewport={"width": width, "height": 900}) as page:
        page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true })")
        settled(page)
        assert page.evaluate("document.documentElement.scrollWidth") == width
        sizes = page.locator(".chart text").evaluate_all("(all) => all.map((t) => t.getBoundingClientRect().height)")
        assert min(sizes) >= 11  # text of charts keeps its size


def test_charts_follow_the_room(chromium, address):
    with opened(chromium, address) as page:
        before = page.get_attribute(".chart >> nth=0", "viewBox")
        page.set_viewport_size({"width": 500, "height": 900})
        settled(page)
        assert page.get_attribute(".chart >> nth=0", "viewBox") != before


@pytest.mark.parametrize(("lang", "scheme"), [("en", "light"), ("zh", "dark")])
def test_axe_finds_nothing(chromium, tmp_path, lang, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    with opened(chromium, at(tmp_path / "page.html", page(lang)), color_scheme=scheme) as shown_page:
        shown_page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true })")
        options = {"resultTypes": ["violations"]}
        found = axe.Axe().run(shown_page, context={"exclude": [["svg > *"]]}, options=options).response["violations"]
        assert not found, json.dumps([(v["id"], [n["html"] for n in v["nodes"]][:3]) for v in found], indent=1)


def test_hostile_names_run_nothing(chromium, tmp_path):
    text = HOSTILE["script"]
    truth = {"image": [1, 2], "class": [f"{text}c", f"{text}d"], "box": [[0, 0, 9, 9], [5, 5, 9, 9]]}
    found = {**truth, "score": [0.9, 0.4]}
    evaluation = cw.detection.evaluate(truth, {f"{text}a": found, f"{text}b": found}, **QUICK)
    with opened(chromium, at(tmp_path / "page.html", render_detection_page(evaluation))) as shown_page:
        slide(shown_page, "#dx-t", 1)
        shown_page.select_option("#dx-class", "1")
        settled(shown_page)
        assert shown_page.locator("#dx-class option").nth(1).inner_text() == f"{text}c"
