"""The page in Chromium: one point moves through everything, and nothing is fetched, broken or unsafe."""

import csv
import io
import json
import math
import random
import re
import xml.etree.ElementTree as ET
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

import curvewise as cw
from curvewise.report import model_evaluation
from curvewise.report.render import render_html
from curvewise.words import Words
from report import sample
from report.sample import drawings
from report.test_page import cuts

EN = Words("en")


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """Return the address of the sample page."""
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(render_html(sample.screening(), drawings(), "en"), "utf-8")
    return path.as_uri()


@contextmanager
def opened(chromium, address, **options):
    """Open a page; fail on any message, error, request or breach of its policy."""
    context = chromium.new_context(viewport={"width": 1300, "height": 900}, **options)
    page = context.new_page()
    heard = SimpleNamespace(said=[], asked=[])
    page.on("console", lambda m: heard.said.append(m.text))
    page.on("pageerror", lambda e: heard.said.append(str(e)))
    page.on("dialog", lambda d: heard.said.append(d.message))
    page.on("request", lambda r: heard.asked.append(r.url))
    page.add_init_script(
        "window.breaches = [];addEventListener('securitypolicyviolation', (e) => breaches.push(e.violatedDirective))"
    )
    page.goto(address)
    page.set_default_timeout(30_000)
    yield page
    if options.get("java_script_enabled", True):
        assert page.evaluate("window.breaches") == []
    assert heard.said == []
    own = [url for url in heard.asked if not url.startswith(("data:", "blob:"))]
    assert {url.split("#")[0] for url in own} == {address.split("#")[0]}
    context.close()


def settled(page):
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def shown(page, key):
    """Return the number that the page shows beside a name."""
    row = page.locator("#ex tr:visible", has=page.get_by_role("rowheader", name=EN(f"js.{key}"), exact=True))
    return row.locator("td > span").inner_text()


def slide(page, name, value):
    page.locator(name).evaluate("(e, v) => { e.value = v; e.dispatchEvent(new Event('input')) }", value)
    settled(page)


def reading(sweep, threshold, prevalence):
    """Return what a threshold does in a population; None flags no row."""
    return sweep.at_prevalence(prevalence).at(math.inf if threshold is None else threshold)


def test_numbers_follow_the_slider_and_agree_with_python(chromium, report):
    write = EN.numbers
    with opened(chromium, report) as page:
        for place, model in enumerate(sample.screening().models.values()):
            found = cuts(sample.screening(), place)
            last = len(found["threshold"]) - 1
            page.select_option("#ex-model", str(place))
            for k in sorted({0, 1, found["rule"], last // 3, last}):
                slide(page, "#ex-t", last - k)
                cut = found["threshold"][k]
                seen = reading(model.sweep, cut, 0.02)
                cost = cw.expected_cost(
                    model.sweep, threshold=math.inf if cut is None else cut, prevalence=0.02, **sample.COSTS
                )
                assert shown(page, "recall") == write.share(seen.recall)
                assert shown(page, "specificity") == write.share(seen.specificity)
                assert shown(page, "ppv") == write.share(seen.precision)
                assert shown(page, "npv") == write.share(seen.npv)
                assert shown(page, "alarms_1000") == write.per_1000(seen.predicted_rate)
                assert shown(page, "cost") == write.cost(cost)
                assert page.inner_text("#ex-tp") == write.count(found["tp"][k])
                assert page.inner_text("#ex-fp-count") == write.count(found["fp"][k])
                assert page.inner_text("#ex-fn-count") == write.count(found["positives"] - found["tp"][k])


def test_it_opens_at_the_rule_s_choice_with_python_s_intervals(chromium, report):
    rates = sample.screening().models["model_a"].point.estimates
    with opened(chromium, report) as page:
        for key in ("recall", "fpr", "specificity"):
            row = rates[key]
            assert shown(page, key) == EN.numbers.share(row.value)
            cell = page.locator("#ex-rates tr", has=page.get_by_role("rowheader", name=EN(f"js.{key}"), exact=True))
            assert cell.locator("small").inner_text() == EN.interval(row.low, row.high, "share")
        assert page.inner_text("#ex-say").startswith(
            "Flag scores of 0.158929 or more. With the rates of these rows, of 100 alarms 21 are right"
        )


def test_presets_find_what_the_library_finds(chromium, report):
    y, score = sample.frame()["disease"], sample.frame()["model_a"]
    sweep = cw.sweep(y, score)

    def choice(rule):
        return cw.operating_point(sweep, rule=rule, replicates=0)

    with opened(chromium, report) as page:

        def landed():
            settled(page)
            return float(page.input_value("#ex-t-number")), page.inner_text("#ex-tp")

        for button, rule in (
            ("#ex-youden", cw.rules.youden()),
            ("#ex-cheapest", cw.rules.min_cost(fp=1, fn=10, prevalence=0.02)),
            ("#ex-rule", cw.rules.min_cost(fp=1, fn=10, prevalence=0.02)),
        ):
            page.click(button)
            expected = choice(rule)
            assert landed() == (expected.threshold, str(expected.confusion.tp))
        # the sample page is not thinned here, so limits are met as the library meets them
        for limit in ("5", "1", "20"):
            page.fill("#ex-at-most", limit)
            page.click("#ex-find-fpr")
            expected = choice(cw.rules.max_fpr(float(limit) / 100))
            threshold, hits = landed()
            assert hits == str(expected.confusion.tp)
            assert threshold <= expected.threshold or math.isclose(threshold, expected.threshold)
        page.fill("#ex-at-least", "90")
        page.press("#ex-at-least", "Enter")
        settled(page)
        assert int(page.inner_text("#ex-tp")) >= 0.9 * sum(y)
        page.select_option("#ex-model", "2")  # its highest score already flags 1.5 % of the negatives
        page.fill("#ex-at-most", "1")
        page.click("#ex-find-fpr")
        settled(page)
        assert page.inner_text("#ex-note") == EN("js.no_cut")


def test_costs_and_prevalence_recompute(chromium, report):
    model = sample.screening().models["model_a"]
    with opened(chromium, report) as page:
        page.fill("#ex-fp", "3")
        page.press("#ex-fp", "Tab")
        page.fill("#ex-fn", "40")
        page.press("#ex-fn", "Tab")
        page.fill("#ex-prev-number", "7.5")
        page.press("#ex-prev-number", "Tab")
        settled(page)
        cut = model.point.threshold
        seen = reading(model.sweep, cut, 0.075)
        cost = cw.expected_cost(model.sweep, threshold=cut, prevalence=0.075, fp=3, fn=40)
        assert shown(page, "cost") == EN.numbers.cost(cost)
        assert shown(page, "ppv") == EN.numbers.share(seen.precision)
        n = seen.tp + seen.fp + seen.fn + seen.tn
        assert shown(page, "benefit") == EN.numbers.cost((seen.tp - seen.fp * 3 / 40) / n)
        slide(page, "#ex-ratio", 200)
        assert page.input_value("#ex-fn") == "300"
        slide(page, "#ex-prev", 0)
        assert page.input_value("#ex-prev-number") == "50"
        page.fill("#ex-prev-number", "0")
        page.press("#ex-prev-number", "Tab")
        settled(page)
        assert page.inner_text("#ex-note") == EN("js.bad")
        page.click("#ex-reset")
        settled(page)
        assert (page.input_value("#ex-fn"), page.input_value("#ex-prev-number")) == ("10", "2")


def test_at_the_rows_own_prevalence_ppv_is_theirs_with_its_interval(chromium, tmp_path):
    path = tmp_path / "report.html"
    path.write_text(render_html(sample.one_model(), None, "en"), "utf-8")
    with opened(chromium, path.as_uri()) as page:
        c = sample.one_model().models["model_a"].point.confusion
        low, high = cw.rate_interval(c.tp, c.tp + c.fp)
        row = page.locator("#ex-rates tr", has=page.get_by_role("rowheader", name=EN("js.ppv"), exact=True))
        assert row.locator("span").inner_text() == EN.numbers.share(c.precision)
        assert row.locator("small").inner_text() == EN.interval(low, high, "share")
        assert not page.locator("#ex-model").count()
        assert "prev=" not in page.get_attribute("#ex-link", "href")


def test_a_thinned_curve_says_so_where_it_matters(chromium, tmp_path, monkeypatch):
    path = tmp_path / "report.html"
    monkeypatch.setattr(model_evaluation, "POINTS", 20)
    few = cw.evaluate(sample.frame(), label="disease", scores="model_a", replicates=5)
    path.write_text(render_html(few, None, "en"), "utf-8")
    with opened(chromium, path.as_uri()) as page:
        page.click("#ex-find-fpr")
        settled(page)
        kept = len(cuts(few, 0)["threshold"]) - 1
        assert page.inner_text("#ex-note").startswith(f"The page keeps {kept} of 3,759 thresholds")
        assert float(shown(page, "fpr").removesuffix("\u00a0%")) <= 5
        page.fill("#ex-t-number", "0.2")
        page.press("#ex-t-number", "Tab")
        settled(page)
        assert page.inner_text("#ex-note").startswith("Nearest threshold kept")
        page.click("#ex-rule")
        settled(page)
        assert page.locator("#ex-note").is_hidden()


def test_one_point_moves_through_the_figures(chromium, report):
    found = cuts(sample.screening(), 0)
    last = len(found["threshold"]) - 1
    frames = {key: d.frames[0] for key, d in drawings().items()}
    with opened(chromium, report) as page:

        def mark(figure, attribute):
            return float(page.get_attribute(f"#fig-{figure} + .live > *", attribute))

        def at(f, x, low, high, start, length):
            return start + length * (x - low) / (high - low)

        for k in (found["rule"], last // 2):
            slide(page, "#ex-t", last - k)
            f = frames["roc"]
            x = at(f, found["fpr"][k], *f.xlim, f.left, f.width)
            y = at(f, found["recall"][k], *f.ylim, f.top + f.height, -f.height)
            assert math.isclose(mark("roc", "cx"), x, abs_tol=0.02)
            assert math.isclose(mark("roc", "cy"), y, abs_tol=0.02)
            f = frames["pr"]
            assert math.isclose(
                mark("pr", "cy"),
                at(f, found["precision"][k], *f.ylim, f.top + f.height, -f.height),
                abs_tol=0.02,
            )
            f = frames["distribution:0"]
            assert math.isclose(
                mark("distribution-0", "x1"),
                at(f, found["threshold"][k], *f.xlim, f.left, f.width),
                abs_tol=0.02,
            )
            f = frames["decision"]
            assert math.isclose(mark("decision", "x1"), at(f, 1 / 11, *f.xlim, f.left, f.width), abs_tol=0.02)
        # every figure of the explorer shows it too, and only the model's own distribution is there
        assert page.locator("#ex-figures figure:visible").count() == 4
        assert page.locator("#ex-figures .live > *").count() == 4


def test_the_address_restores_the_view(chromium, report):
    with opened(chromium, report) as page:
        page.select_option("#ex-model", "1")
        slide(page, "#ex-t", 200)
        slide(page, "#ex-prev", -300)
        page.wait_for_timeout(1000)  # the address follows once the hand rests
        assert page.evaluate("location.hash").startswith("#model=1&t=")
        address, said = page.evaluate("location.href"), page.inner_text("#ex")
        assert page.get_attribute("#ex-link", "href") == page.evaluate("location.hash")
    with opened(chromium, address) as page:
        settled(page)
        assert page.inner_text("#ex") == said
        assert page.evaluate("scrollY") > 500
    for bad in ("#model=99&t=x&fp=-1&fn=1e99&prev=2", "#model=%00", "#model=0&t=none"):
        with opened(chromium, report + bad) as page:
            assert page.inner_text("#ex-tp") in {"43", "0"}


def test_keys_move_the_threshold(chromium, report):
    with opened(chromium, report) as page:
        page.focus("#ex-t")
        before = float(page.input_value("#ex-t-number"))
        page.keyboard.press("ArrowRight")
        settled(page)
        assert float(page.input_value("#ex-t-number")) > before
        page.keyboard.press("End")
        settled(page)
        assert page.inner_text("#ex-say") == f"{EN('js.none')} {EN('js.no_alarms')}"
        page.keyboard.press("Home")
        settled(page)
        assert shown(page, "recall") == "100.0\u00a0%"
        assert "recall 100.0\u00a0%" in page.get_attribute("#ex-t", "aria-valuetext")


def test_models_are_switched_off_and_on(chromium, report):
    with opened(chromium, report) as page:
        line = page.locator("#fig-roc .model-1").first
        assert line.is_visible()
        page.uncheck("#switches input[value='1']")
        assert not line.is_visible()
        assert page.locator("#fig-roc .model-0").first.is_visible()
        page.check("#switches input[value='1']")
        assert line.is_visible()


def test_hovering_reads_and_clicking_takes(chromium, report):
    with opened(chromium, report) as page:
        page.locator("#fig-roc").scroll_into_view_if_needed()
        box = page.locator("#fig-roc").bounding_box()
        page.mouse.move(box["x"] + box["width"] * 0.4, box["y"] + box["height"] * 0.4)
        tip = page.locator("figure[data-key=roc] .tip")
        assert tip.is_visible()
        said = re.match(r"threshold ([\d.]+): recall", tip.inner_text())
        page.mouse.click(box["x"] + box["width"] * 0.4, box["y"] + box["height"] * 0.4)
        settled(page)
        assert page.input_value("#ex-t-number").startswith(said[1][:5])


def test_figures_and_data_are_saved(chromium, tmp_path):
    path = tmp_path / "report.html"
    evaluation = sample.hostile(sample.HOSTILE["formula"])
    path.write_text(render_html(evaluation, drawings("en", "formula"), "en"), "utf-8")
    with opened(chromium, path.as_uri(), accept_downloads=True) as page:

        def saved(key, what):
            with page.expect_download() as waiting:
                page.locator(f"figure[data-key='{key}'] [data-do={what}]").click()
            return waiting.value.suggested_filename, waiting.value.path().read_text("utf-8-sig")

        name, text = saved("roc", "svg")
        assert name == "curvewise-roc.svg"
        root = ET.fromstring(text)
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert root.get("width").endswith("pt")
        assert "stroke:var(--model-0, #0072b2)" in text.replace("; ", ";")

        name, text = saved("roc", "csv")
        assert name == "curvewise-roc.csv"
        read = list(csv.reader(io.StringIO(text)))
        assert read[0][:2] == ["model", "threshold"]
        found = [cuts(evaluation, k) for k in range(3)]
        assert len(read) == 1 + sum(len(c["threshold"]) for c in found)
        assert [float(v) for v in read[2][4:]] == [found[0][name][1] for name in ("recall", "fpr", "precision")]
        assert all(row[0].startswith("'=cmd") for row in read[1:])

        _, text = saved("difference", "csv")
        read = list(csv.reader(io.StringIO(text)))
        assert read[1][0].startswith("'=cmd")
        difference = evaluation.comparison.pairs[0].difference.value
        place = read[0].index("Difference")
        assert float(read[1][place]) == difference
        assert not any(cell.startswith(("=", "@", "+")) for row in read for cell in row)


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
        for way in ("area", "share", "of_100", "per_1000", "count", "amount", "cost"):
            said = page.evaluate(f"(values) => values.map((v) => curvewise.numbers.{way}(v))", values)
            assert said == [getattr(EN.numbers, way)(v) for v in values], way


def test_print_shows_every_table_and_no_slider(chromium, report):
    with opened(chromium, report, color_scheme="dark") as page:
        slide(page, "#ex-t", 500)
        said = page.inner_text("#ex-say")
        page.emulate_media(media="print")
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert page.locator("details:not([open])").count() == 0
        assert not page.locator("#ex-t").is_visible()
        assert not page.locator("nav").is_visible()
        assert page.locator("#ex-say").is_visible()
        assert page.inner_text("#ex-say") == said
        ink = page.evaluate("getComputedStyle(document.documentElement).color")
        assert ink == "rgb(29, 33, 38)"  # paper is light, whatever the screen is
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        assert page.locator("details:not([open])").count() > 0


def test_without_script_it_is_still_a_report(chromium, report):
    with opened(chromium, report, java_script_enabled=False) as page:
        assert not page.locator("#ex").is_visible()
        assert page.get_by_text(EN("explorer.noscript")).is_visible()
        assert page.locator("#fig-roc").is_visible()
        assert page.locator("#explorer td", has_text="0.158929").first.is_visible()


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
