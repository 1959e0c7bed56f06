"""The page in Chromium: nothing is fetched, broken or unsafe; numbers are Python's; it prints, and needs no script."""

import json
import random

import numpy as np
import pytest

import curvewise as cw
from curvewise.document import html
from curvewise.document.blocks import Section, Tabs, Text
from curvewise.pages.render import render_html
from curvewise.words.numbers import BASES, base_of
from pages import sample
from pages.browsing import EN, opened, slide
from pages.sample import drawings


def test_models_are_switched_off_and_on(chromium, report):
    with opened(chromium, report) as page:
        line = page.locator("#fig-roc .model-1").first
        assert line.is_visible()
        page.uncheck("#switches input[value='1']")
        assert not line.is_visible()
        assert page.locator("#fig-roc .model-0").first.is_visible()
        page.check("#switches input[value='1']")
        assert line.is_visible()


def test_the_models_without_a_colour_are_switched_together(chromium, tmp_path):
    y, scores = np.arange(40) % 2, np.random.default_rng(2).random((13, 40))
    models = {f"m{k}": s for k, s in enumerate(scores)}
    path = tmp_path / "report.html"
    cw.evaluate({"y": y, **models}, label="y", scores=list(models), replicates=4).report(path)
    with opened(chromium, path.as_uri()) as page:
        best, *others = (page.locator(f"#fig-roc .model-{k}").first for k in (0, 10, 11, 12))
        colours = page.locator("#switches label.swatch").evaluate_all(
            "all => all.map(one => getComputedStyle(one).getPropertyValue('--c'))"
        )
        assert len(set(colours[:10])) == 10
        page.uncheck("#switches input[value='others']")
        assert best.is_visible()
        assert not any(line.is_visible() for line in others)
        page.check("#switches input[value='others']")
        assert all(line.is_visible() for line in others)
        assert page.get_by_label("3 others, grey").is_checked()


def test_the_script_writes_numbers_as_python_does(chromium, report):
    rng = random.Random(0)
    values = [
        0,
        1,
        -1,
        0.5,
        0.125,
        0.0005,
        0.00005,
        0.9995,
        0.99999,
        2.5,
        1e-7,
        123456.5,
        1e15,
        5e-324,
        None,
        "inf",
    ]
    values += [rng.random() ** 4 for _ in range(300)] + [
        rng.gauss(0, 1) * 10 ** rng.randint(-9, 12) for _ in range(300)
    ]
    values += [k / 2000 for k in range(200)] + [k / 64 for k in range(65)]
    with opened(chromium, report) as page:
        for way in ("area", "share", "of_100", "count", "amount", "cost"):
            said = page.evaluate(f"(values) => values.map((v) => curvewise.numbers.{way}(v))", values)
            assert said == [getattr(EN.numbers, way)(v) for v in values], way
        for base in BASES:
            said = page.evaluate("([values, base]) => values.map((v) => curvewise.numbers.of(v, base))", [values, base])
            assert said == [EN.numbers.of(v, base) for v in values]
        for digits in (4, 7, 16):
            ask = "([values, digits]) => values.map((v) => curvewise.numbers.amount(v, digits))"
            assert page.evaluate(ask, [values, digits]) == [EN.numbers.amount(v, digits) for v in values]
        pairs = list(zip(values, reversed(values), strict=True))
        said = page.evaluate("(pairs) => pairs.map((p) => curvewise.numbers.base_of(p))", pairs)
        assert said == [base_of(pair) for pair in pairs]


def test_print_shows_tables_where_they_are_asked_for_and_no_slider(chromium, report):
    with opened(chromium, report, color_scheme="dark") as page:
        slide(page, "#ex-t", 500)
        said = page.inner_text("#ex-say")
        page.emulate_media(media="print")
        folded = page.locator("details:not([open])").count()
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert page.locator("details:not([open])").count() == folded > 0
        page.evaluate("document.getElementById('print-tables').click()")
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert page.locator("details:not([open])").count() == 0
        assert not page.locator("#ex-t").is_visible()
        assert not page.locator("nav").is_visible()
        assert page.locator("#ex-say").is_visible()
        assert page.inner_text("#ex-say") == said
        ink = page.evaluate("getComputedStyle(document.documentElement).color")
        assert ink == "rgb(29, 33, 38)"  # paper is light, whatever the screen is
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        assert page.locator("details:not([open])").count() == folded


def test_without_script_it_is_still_a_report(chromium, report):
    with opened(chromium, report, java_script_enabled=False) as page:
        assert not page.locator("#ex").is_visible()
        assert page.get_by_text(EN("explorer.noscript")).is_visible()
        assert page.locator("#fig-roc").is_visible()
        assert page.locator("#explorer td", has_text="0.1589").first.is_visible()


@pytest.mark.parametrize("kind", ["script", "quotes", "bidi", "long"])
def test_hostile_names_do_nothing(chromium, tmp_path, kind):
    text = sample.HOSTILE[kind]
    path = tmp_path / "report.html"
    drawn = drawings("en", kind) if kind in ("script", "quotes") else None
    path.write_text(render_html(sample.hostile(text), drawn, "en"), "utf-8")
    with opened(chromium, path.as_uri()) as page:
        assert page.locator("img").count() == 0
        slide(page, "#ex-t", 300)
        assert page.locator("#ex-model option").count() == 3
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= 1300


def test_no_page_is_wider_than_a_telephone(chromium, report):
    with opened(chromium, report) as page:
        page.set_viewport_size({"width": 390, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.parametrize(("lang", "scheme"), [("en", "light"), ("zh", "dark")])
def test_axe_finds_nothing_serious(chromium, tmp_path, lang, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    path = tmp_path / "report.html"
    path.write_text(render_html(sample.screening(), drawings(), lang), "utf-8")
    with opened(chromium, path.as_uri(), color_scheme=scheme) as page:
        page.evaluate("document.querySelectorAll('.fold').forEach((d) => { d.open = true })")
        # what is inside a figure is one image to a reader's program
        options = {"resultTypes": ["violations"]}
        found = axe.Axe().run(page, context={"exclude": [["svg > *"]]}, options=options).response["violations"]
        serious = [v for v in found if v["impact"] in ("serious", "critical")]
        said = [(v["id"], [n["html"] for n in v["nodes"]][:3]) for v in serious]
        assert not serious, json.dumps(said, indent=1)


def test_the_bar_names_the_section_and_folds(chromium, report):
    with opened(chromium, report) as page:
        page.set_viewport_size({"width": 390, "height": 800})
        bar, state = page.locator("#nav-button"), "document.querySelector('nav').classList.contains('open')"
        assert bar.get_attribute("aria-expanded") == "false"
        bar.click()
        assert page.locator("nav a").first.is_visible()
        assert bar.get_attribute("aria-expanded") == "true"
        assert page.evaluate(state)
        page.keyboard.press("Escape")
        assert not page.evaluate(state)
        assert not page.locator("nav a").first.is_visible()
        assert page.evaluate("document.activeElement.id") == "nav-button"
        for section in ("explorer", "ranking"):
            page.evaluate(f"document.getElementById('{section}').scrollIntoView({{ behavior: 'instant' }})")
            page.locator(f"nav a[href='#{section}'].here").wait_for(state="attached")
            assert page.evaluate("document.querySelectorAll('nav [aria-current]').length") == 1
            assert bar.text_content() == page.locator(f"nav a[href='#{section}']").text_content()


def test_tabs_show_one_panel_at_a_time_and_print_all_on_request(chromium, tmp_path):
    tabs = Tabs("Models", [(name, [Text(f"about {name}")]) for name in ("first", "<b>second</b>", "third")])
    data = {"models": [], "figures": {}, "words": EN.under("js."), "percent": "%", "between": " to "}
    page = html.HtmlPage("t", "t", [], [Section("summary", "Summary", [tabs])], data=data)
    path = tmp_path / "tabs.html"
    path.write_text(html.render_html(page), "utf-8")
    with opened(chromium, path.as_uri()) as page:

        def seen():
            return [page.get_by_text(f"about {name}").is_visible() for name in ("first", "<b>second</b>", "third")]

        tabs = page.get_by_role("tab")
        assert tabs.all_inner_texts() == ["first", "<b>second</b>", "third"]
        assert page.get_by_role("tablist").get_attribute("aria-label") == "Models"
        assert seen() == [True, False, False]
        tabs.nth(1).click()
        assert seen() == [False, True, False]
        page.keyboard.press("ArrowRight")
        assert seen() == [False, False, True]
        assert tabs.nth(2).evaluate("(e) => e === document.activeElement && e.getAttribute('aria-selected') === 'true'")
        page.keyboard.press("ArrowRight")
        assert seen() == [True, False, False]
        page.keyboard.press("End")
        assert page.get_by_role("tabpanel").get_attribute("aria-labelledby") == tabs.nth(2).get_attribute("id")
        page.emulate_media(media="print")
        assert seen() == [False, False, True]
        assert page.get_by_role("heading", name="third").is_visible()
        page.emulate_media(media="screen")
        page.check("#print-tables")
        page.emulate_media(media="print")
        assert seen() == [True, True, True]
    with opened(chromium, path.as_uri(), java_script_enabled=False) as page:
        assert page.get_by_text("about third").is_visible()
        assert page.get_by_role("heading", name="third").is_visible()


WRAPPED = """() => {
  const found = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const number = /[−-]?\\d[\\d,.]*%?/g;
  while (walk.nextNode()) {
    const node = walk.currentNode;
    if (node.parentElement.closest("script, style, svg, .vh, [hidden], code, small[lang=en]")) continue;
    for (const match of node.data.matchAll(number)) {
      const range = document.createRange();
      range.setStart(node, match.index);
      range.setEnd(node, match.index + match[0].length);
      const lines = new Set([...range.getClientRects()].map((r) => Math.round(r.top)));
      if (lines.size > 1) found.push(`${match[0]} in ${node.data}`);
    }
  }
  return found;
}"""


@pytest.mark.parametrize("width", [1440, 1200, 768, 390])
def test_no_number_is_broken_and_nothing_is_wider_than_the_screen(chromium, report, width):
    with opened(chromium, report, viewport={"width": width, "height": 900}) as page:
        for fold in page.locator("details").all():
            fold.evaluate("(e) => { e.open = true }")
        assert page.evaluate(WRAPPED) == []
        assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize(("width", "figure", "explorer"), [(1440, 1200, 3000), (1200, 1200, 3000)])
def test_the_first_figure_and_the_explorer_are_near_the_top(chromium, report, width, figure, explorer):
    with opened(chromium, report, viewport={"width": width, "height": 900}) as page:
        top = "(e) => e.getBoundingClientRect().top + scrollY"
        assert page.locator("svg.figure").first.evaluate(top) < figure
        assert page.locator("#ex").evaluate(top) < explorer
