"""Every page, in both languages, wide and narrow, light and dark: self-contained, legible, accessible."""

import json
import re

import pytest

from pages.browsing import opened, settled
from pages.test_html import Reader
from playground.conftest import MAKE

NAMES = ("distributions", "ties", "partial-area", "calibration", "intervals", "equal-auc")
ALL = [f"{name}{ending}" for name in NAMES for ending in ("", ".zh")]
CUT = """() => [...document.querySelectorAll("svg.chart")].flatMap((svg) => {
  const frame = svg.getBoundingClientRect();
  return [...svg.querySelectorAll("text")].filter((t) => {
    const box = t.getBoundingClientRect();
    const across = box.left < frame.left - 1 || box.right > frame.right + 1;
    return across || box.top < frame.top - 1 || box.bottom > frame.bottom + 1;
  }).map((t) => `${svg.id}: ${t.textContent}`);
})"""


def test_the_site_gets_a_page_for_every_idea_in_both_languages(texts, make):
    assert list(make["TITLES"]) == list(NAMES)
    assert sorted(texts) == sorted(f"{name}.html" for name in ALL)


@pytest.mark.parametrize("name", ALL)
def test_a_page_is_complete_and_safe(texts, name):
    text = texts[f"{name}.html"]
    read = Reader(text)
    assert not read.open
    assert not [a for _, a in read.elements if any(key.startswith("on") or key == "style" for key in a)]
    assert set(re.findall(r"https?://[^\"'\s)]+", text)) <= {"http://www.w3.org/2000/svg"}
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)[1]
    assert policy.startswith("default-src &#39;none&#39;")
    assert "unsafe" not in policy
    assert len(text) < 120_000


def test_both_languages_have_the_same_words(make):
    for name in NAMES:
        english, chinese = (make["page_words"](name, lang) for lang in ("en", "zh"))
        assert english.keys() == chinese.keys()
        places = {key: set(re.findall(r"\{(\w+)\}", text)) for key, text in english.items()}
        assert {key: set(re.findall(r"\{(\w+)\}", text)) for key, text in chinese.items()} == places


def test_every_word_is_used(make):
    def used(key, *names):
        return any(re.search(rf"\b{key}\b", (MAKE.parent / name).read_text("utf-8")) for name in names)

    said = make["run_path"](str(MAKE.parent / "words_en.py"))["WORDS"]
    shared = ("page.html.j2", "playground.js", "maths.js")
    for idea, own in said.items():
        scripts = [f"{name}.js" for name in (NAMES if idea == "every" else [idea])]
        assert [key for key in own if not used(key, *shared, *scripts)] == [], idea


@pytest.mark.parametrize(
    ("width", "scheme"), [(1200, "light"), (1200, "dark"), (690, "light"), (390, "dark"), (356, "light")]
)
@pytest.mark.parametrize("name", ALL)
def test_a_page_fits_says_everything_and_axe_finds_nothing(chromium, address, name, width, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    with opened(chromium, address[name], viewport={"width": width, "height": 800}, color_scheme=scheme) as page:
        settled(page)
        if name.startswith("intervals"):
            page.locator("#held-1", has_not_text="…").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert page.evaluate(CUT) == []
        text = page.evaluate("document.body.innerText")
        assert not re.search(r"undefined|NaN|\{\w+\}|null", text)
        assert "NaN" not in page.inner_html("#charts")
        found = axe.Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
        said = [(v["id"], [n["html"] for n in v["nodes"]][:3]) for v in found]
        assert not found, json.dumps(said, indent=1)


@pytest.mark.parametrize("name", ["distributions", "ties.zh"])
def test_without_script_a_page_says_so(chromium, address, make, name):
    lang = "zh" if name.endswith(".zh") else "en"
    with opened(chromium, address[name], java_script_enabled=False) as page:
        assert page.get_by_text(make["page_words"](name.removesuffix(".zh"), lang)["noscript"]).is_visible()
        assert not page.locator("#play").is_visible()


def test_numbers_and_sentence_are_read_aloud_once_the_hand_rests(chromium, address):
    with opened(chromium, address["distributions"]) as page:
        page.locator("#threshold").focus()
        page.keyboard.press("ArrowRight")
        settled(page)
        assert page.locator("#numbers").get_attribute("aria-live") == "off"
        page.locator("#numbers[aria-live=polite]").wait_for()
        assert page.locator("#say").get_attribute("aria-live") == "polite"
        assert page.inner_text("#say") != ""


@pytest.mark.parametrize("name", NAMES)
def test_every_number_is_there_at_the_ends_of_all_sliders(chromium, address, name):
    ask = """(ends) => { document.querySelectorAll("input[type=range]").forEach((e, k) => {
      e.value = ends >> k & 1 ? e.max : e.min; e.dispatchEvent(new Event("input")); });
      return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))); }"""
    with opened(chromium, address[name]) as page:
        sliders = page.locator("input[type=range]").count()
        assert sliders == {"ties": 0, "calibration": 2, "intervals": 3, "partial-area": 4}.get(name, 5)
        for ends in range(2**sliders):
            page.evaluate(ask, ends)
            text = page.inner_text("main")
            assert not re.search(r"NaN|undefined|–|∞", text), (ends, text)
            assert not re.search(r"NaN|Infinity", page.inner_html("#charts")), ends
