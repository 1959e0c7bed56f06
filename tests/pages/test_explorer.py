"""The operating point in Chromium: it agrees with Python, its criterion stays alive, and an address restores it."""

import math
from contextlib import contextmanager

import pytest

import curvewise as cw
from curvewise.evaluation import two_classes as model_evaluation
from curvewise.pages.render import render_html
from curvewise.pages.scores.explorer import script_data
from curvewise.pages.scores.page import ScorePage
from curvewise.words import words
from curvewise.words.numbers import base_of
from pages import sample
from pages.browsing import EN, opened, settled, shown, slide
from pages.sample import drawings
from pages.test_page import cuts


def exact(page):
    """Return the threshold with all its digits."""
    return float(page.get_attribute("#ex-t-copy", "title").split()[-1])


@contextmanager
def first_model(chromium, report, **options):
    """Open the page at the first model of all."""
    with opened(chromium, report, **options) as page:
        page.select_option("#ex-model", "0")
        settled(page)
        yield page


def pressed(page):
    """Return the presets that are marked as the one in force."""
    return page.evaluate("[...document.querySelectorAll('#ex [aria-pressed=true]')].map((e) => e.id)")


def test_it_opens_with_the_model_that_is_better(chromium, report):
    best = sample.screening().better.best[0]
    with opened(chromium, report) as page:
        assert page.locator("#ex-model option:checked").inner_text() == best == "model_b"
        assert pressed(page) == ["ex-rule"]


def number(text):
    return float(text.replace("−", "-").replace(",", ""))


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
                n = seen.tp + seen.fp + seen.fn + seen.tn
                cases = base_of([*(cell / n for cell in (seen.tp, seen.fp, seen.fn, seen.tn)), seen.predicted_rate])
                said = shown(page, "alarms_in", cases=write.count(cases))
                assert said == write.of(seen.predicted_rate, cases)
                assert shown(page, "cost") == write.cost(cost)
                assert page.inner_text("#ex-tp") == write.count(found["tp"][k])
                assert page.inner_text("#ex-fp-count") == write.count(found["fp"][k])
                assert page.inner_text("#ex-fn-count") == write.count(found["positives"] - found["tp"][k])


def test_it_opens_at_the_rule_s_choice_with_python_s_intervals(chromium, report):
    point = sample.screening().models["model_a"].point
    rates, right = point.estimates, EN.numbers.of(point.expected["precision"].value, 100)
    with first_model(chromium, report) as page:
        for key in ("recall", "fpr", "specificity"):
            row = rates[key]
            assert shown(page, key) == EN.numbers.share(row.value)
            cell = page.locator("#ex-rates tr", has=page.get_by_role("rowheader", name=EN(f"js.{key}"), exact=True))
            assert cell.locator("small").inner_text() == EN.interval(row.low, row.high, "share")
        assert page.inner_text("#ex-say").startswith(
            f"Flag scores of 0.1589 or more. On new data, expect {right} of 100 alarms to be correct"
        )
        page.focus("#ex-t")
        page.keyboard.press("ArrowRight")
        settled(page)
        assert "At the rates of these data," in page.inner_text("#ex-say")


def test_presets_find_what_the_library_finds(chromium, report):
    y, score = sample.frame()["disease"], sample.frame()["model_a"]
    sweep = cw.sweep(y, score)

    def choice(rule):
        return cw.operating_point(sweep, rule=rule, replicates=0)

    with first_model(chromium, report) as page:

        def landed():
            settled(page)
            return exact(page), page.inner_text("#ex-tp")

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
        # the same limits, guaranteed on new rows: recomputed in the page from the counts
        page.check("#ex-sure")
        assert landed()[0] == choice(cw.rules.min_recall(0.9, confidence=0.95)).threshold
        for limit in ("5", "20"):
            page.fill("#ex-at-most", limit)
            page.click("#ex-find-fpr")
            expected = choice(cw.rules.max_fpr(float(limit) / 100, confidence=0.95))
            threshold, hits = landed()  # the page leaves out thresholds between that find no more
            assert hits == str(expected.confusion.tp)
            assert threshold >= expected.threshold
            assert "sure=1" in page.get_attribute("#ex-link", "href")
        page.fill("#ex-at-most", "0.001")
        page.click("#ex-find-fpr")
        settled(page)
        assert page.inner_text("#ex-note") == EN("js.no_guarantee")
        page.uncheck("#ex-sure")
        page.select_option("#ex-model", "2")  # its highest score already flags 1.5% of the negatives
        page.fill("#ex-at-most", "1")
        page.click("#ex-find-fpr")
        settled(page)
        assert page.inner_text("#ex-note") == EN("js.no_cut")


def test_costs_and_prevalence_recompute(chromium, report):
    model = sample.screening().models["model_a"]
    with first_model(chromium, report) as page:
        page.fill("#ex-fp", "3")
        page.press("#ex-fp", "Tab")
        page.fill("#ex-fn", "40")
        page.press("#ex-fn", "Tab")
        page.fill("#ex-prev-number", "7.5")
        page.press("#ex-prev-number", "Tab")
        settled(page)
        cut = cw.operating_point(model.sweep, cw.rules.min_cost(fp=3, fn=40, prevalence=0.075), replicates=0).threshold
        assert exact(page) == cut  # the rule was the least cost, and stays it
        assert pressed(page) == ["ex-cheapest"]
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
        assert page.inner_text("#ex-note").startswith(f"This page keeps {kept} of 3,759 thresholds")
        assert float(shown(page, "fpr").removesuffix("%")) <= 5
        page.fill("#ex-t-number", "0.2")
        page.press("#ex-t-number", "Tab")
        settled(page)
        assert page.inner_text("#ex-note").startswith("Nearest threshold on this page")
        page.click("#ex-rule")
        settled(page)
        assert page.locator("#ex-note").is_hidden()


def test_one_point_moves_through_the_figures(chromium, report):
    found = cuts(sample.screening(), 0)
    last = len(found["threshold"]) - 1
    frames = {key: d.frames[0] for key, d in drawings().items()}
    with first_model(chromium, report) as page:

        def mark(figure, attribute):
            return float(page.get_attribute(f"#fig-{figure} + .live > *", attribute))

        def at(x, low, high, start, length, scale="linear"):
            x, low, high = (math.log(v / (1 - v)) if scale == "logit" else v for v in (x, low, high))
            return start + length * (x - low) / (high - low)

        for k in (found["rule"], last // 2):
            slide(page, "#ex-t", last - k)
            f = frames["roc"]
            x = at(found["fpr"][k], *f.xlim, f.left, f.width)
            y = at(found["recall"][k], *f.ylim, f.top + f.height, -f.height)
            assert math.isclose(mark("roc", "cx"), x, abs_tol=0.02)
            assert math.isclose(mark("roc", "cy"), y, abs_tol=0.02)
            f = frames["pr"]
            assert math.isclose(
                mark("pr", "cy"),
                at(found["precision"][k], *f.ylim, f.top + f.height, -f.height),
                abs_tol=0.02,
            )
            f = frames["distribution:0"]
            assert math.isclose(
                mark("distribution-0", "x1"),
                at(found["threshold"][k], *f.xlim, f.left, f.width, f.xscale),
                abs_tol=0.02,
            )
            f = frames["decision"]
            assert math.isclose(mark("decision", "x1"), at(1 / 11, *f.xlim, f.left, f.width), abs_tol=0.02)
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
            assert page.inner_text("#ex-tp") in {"68", "43", "0"}


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
        assert shown(page, "recall") == "100.0%"
        assert "recall 100.0%" in page.get_attribute("#ex-t", "aria-valuetext")


@pytest.fixture(scope="module")
def no_costs(tmp_path_factory):
    """Return three models without stated costs, as evaluation and address."""
    names = ["model_a", "model_b", "rating"]
    found = cw.evaluate(sample.frame(), label="disease", scores=names, group="sex", replicates=5)
    path = tmp_path_factory.mktemp("page") / "plain.html"
    path.write_text(render_html(found, None, "en"), "utf-8")
    return found, path.as_uri()


def test_without_costs_it_opens_at_the_ratio_that_the_rule_implies(chromium, no_costs):
    found, address = no_costs
    with opened(chromium, address) as page:
        for place, model in enumerate(found.models.values()):
            page.select_option("#ex-model", str(place))
            settled(page)
            ratio = float(page.input_value("#ex-fn"))
            assert page.input_value("#ex-fp") == "1"
            assert ratio == pytest.approx(model.point.cost_ratio, rel=0.005)
            assert page.inner_text("#ex-ratio-shown") == EN.numbers.cost(ratio)
            assert number(shown(page, "benefit")) >= 0
            assert shown(page, "cost") == shown(page, "cost_best")  # Youden's point is then the cheapest
            assert page.locator("#ex-implied").is_visible()
        page.fill("#ex-fn", "2")
        page.press("#ex-fn", "Tab")
        settled(page)
        assert page.locator("#ex-implied").is_hidden()
        assert pressed(page) == ["ex-rule"]  # the rule is not about costs
        page.select_option("#ex-model", "0")
        settled(page)
        assert page.input_value("#ex-fn") == "2"  # touched: it follows no model any more
        page.click("#ex-reset")
        settled(page)
        assert float(page.input_value("#ex-fn")) == pytest.approx(found.models["model_a"].point.cost_ratio, rel=0.005)


def test_a_ratio_is_rounded_only_where_the_cheapest_threshold_stays(no_costs):
    found, _ = no_costs
    for made, model in zip(script_data(ScorePage(found, words("en")))["models"], found.models.values(), strict=True):
        rule = cw.rules.min_cost(fp=1, fn=made["ratio"])
        assert cw.operating_point(model.sweep, rule, replicates=0).threshold == model.point.threshold


def test_the_cheapest_follows_costs_and_prevalence(chromium, report):
    sweep = sample.screening().models["model_a"].sweep
    with first_model(chromium, report) as page:
        page.click("#ex-cheapest")
        for ratio, logit in ((50, -392), (250, -392), (250, -200)):
            slide(page, "#ex-ratio", ratio)
            slide(page, "#ex-prev", logit)
            share = float(page.input_value("#ex-prev-number")) / 100
            rule = cw.rules.min_cost(fp=1, fn=float(page.input_value("#ex-fn")), prevalence=share)
            chosen = cw.operating_point(sweep, rule, replicates=0)
            assert page.inner_text("#ex-tp") == str(chosen.confusion.tp)
            assert pressed(page) == ["ex-cheapest"]
        slide(page, "#ex-t", 100)
        assert pressed(page) == []
        stays = exact(page)
        slide(page, "#ex-ratio", 100)
        assert exact(page) == stays  # by hand: costs do not move it


def test_limits_survive_another_model(chromium, report):
    models = list(sample.screening().models.values())
    with opened(chromium, report) as page:
        page.fill("#ex-at-most", "7")  # typing is enough
        settled(page)
        assert pressed(page) == ["ex-find-fpr"]
        for place in (1, 2, 0):
            page.select_option("#ex-model", str(place))
            settled(page)
            chosen = cw.operating_point(models[place].sweep, cw.rules.max_fpr(0.07), replicates=0)
            assert page.inner_text("#ex-tp") == str(chosen.confusion.tp)
            assert pressed(page) == ["ex-find-fpr"]
        page.fill("#ex-at-least", "95")
        page.press("#ex-at-least", "Enter")
        page.select_option("#ex-model", "2")
        settled(page)
        assert pressed(page) == ["ex-find-recall"]
        chosen = cw.operating_point(models[2].sweep, cw.rules.min_recall(0.95), replicates=0)
        assert page.inner_text("#ex-tp") == str(chosen.confusion.tp)
        slide(page, "#ex-t", 2)
        page.select_option("#ex-model", "0")  # scores of two models do not compare: back to the rule
        settled(page)
        assert pressed(page) == ["ex-rule"]


def test_the_address_keeps_the_criterion(chromium, report):
    with opened(chromium, report) as page:
        page.fill("#ex-at-most", "7.5")
        page.select_option("#ex-model", "1")
        page.wait_for_timeout(600)
        address, said = page.evaluate("location.href"), page.inner_text("#ex")
        assert "by=fpr%3A0.075" in address
    with opened(chromium, address) as page:
        settled(page)
        assert page.inner_text("#ex") == said
        assert page.input_value("#ex-at-most") == "7.5"
        page.select_option("#ex-model", "0")
        settled(page)
        assert pressed(page) == ["ex-find-fpr"]
    for bad in ("&by=fpr", "&by=fpr:7", "&by=constructor", "&by=rule:x", "&by=toString"):
        with opened(chromium, report + "#model=0" + bad) as page:
            assert pressed(page) == ["ex-rule"]


def test_a_threshold_is_short_to_read_and_exact_to_copy(chromium, report):
    point = sample.screening().models["model_a"].point
    with first_model(chromium, report, permissions=["clipboard-read", "clipboard-write"]) as page:
        assert page.input_value("#ex-t-number") == "0.1589"
        page.click("#ex-t-copy")
        assert page.evaluate("navigator.clipboard.readText()") == repr(point.threshold)
        page.focus("#ex-t-number")
        assert page.input_value("#ex-t-number") == repr(point.threshold)
        page.keyboard.press("Tab")
        settled(page)
        assert page.input_value("#ex-t-number") == "0.1589"
        cell = page.locator("#explorer td.n", has_text="0.1589").first
        cell.evaluate("(e) => getSelection().selectAllChildren(e)")
        cell.evaluate("(e) => getSelection().setBaseAndExtent(e.firstChild, 0, e.firstChild, e.firstChild.length)")
        page.keyboard.press("Control+C")
        assert page.evaluate("navigator.clipboard.readText()") == repr(point.threshold)


def test_small_shares_are_told_of_more_cases(chromium, report):
    with first_model(chromium, report) as page:
        page.click("#ex-youden")
        page.fill("#ex-prev-number", "0.02")
        page.press("#ex-prev-number", "Tab")
        settled(page)
        assert "7 of 10,000 alarms are correct, 7,661 of 10,000 positives are found" in page.inner_text("#ex-say")
        smalls = page.locator("#ex .matrix small").all_inner_texts()
        assert all(not text.startswith("0") for text in smalls)
        assert smalls[0].endswith("of 100,000")


def test_thresholds_for_each_group_are_python_s(chromium, report):
    evaluation = sample.screening()
    page_of = ScorePage(evaluation, words("en"))
    with opened(chromium, report) as page:
        for place in (0, 1, 2):
            page.select_option("#ex-model", str(place))
            page.evaluate("document.getElementById('ex-policies').open = true")
            settled(page)
            found = evaluation.policies[page_of.names[place]]
            for row, name in enumerate(("female", "male")):
                cells = page.locator(f"#ex-groups tr:nth-child({row + 1}) td")
                assert page.locator(f"#ex-groups tr:nth-child({row + 1}) th").inner_text() == name
                for k, policy in enumerate(found.cells):
                    c = found.cells[policy][name]
                    assert cells.nth(k).locator("span").inner_text() == page_of.threshold(place, c.threshold)
                    rates = EN("policy.rates", recall=c.recall, fpr=c.fpr, flagged=c.predicted_rate)
                    assert cells.nth(k).locator("small").inner_text() == rates
            costs = page.locator("#ex-group-costs td").all_inner_texts()
            assert costs == [EN.numbers.cost(found.overall(p).expected_cost(**sample.COSTS)) for p in found.cells]
            assert costs[0] == shown(page, "cost")
        slide(page, "#ex-t", int(page.get_attribute("#ex-t", "max")))
        assert page.locator("#ex-policies").is_hidden()  # no row is flagged


@pytest.mark.parametrize("width", [390, 768, 1300])
def test_no_number_is_cut_or_broken(chromium, report, width):
    fits = """() => {
      const inputs = [...document.querySelectorAll("#ex input.number")];
      const cut = inputs.filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.id);
      const broken = [...document.querySelectorAll("#ex td > span, #ex td > small, #ex-ratio-shown")].filter((e) => {
        if (!e.offsetParent || e.closest(".policies, .matrix") && e.tagName === "SMALL") return false;
        const range = document.createRange();
        range.selectNodeContents(e);
        const rows = [...range.getClientRects()].filter((r) => r.width > 1).map((r) => Math.round(r.bottom));
        return Math.max(...rows) - Math.min(...rows) > 8;
      }).map((e) => e.textContent);
      return [cut, broken];
    }"""
    with opened(chromium, report) as page:
        page.set_viewport_size({"width": width, "height": 900})
        page.fill("#ex-prev-number", "0.0213")
        page.fill("#ex-fn", "12345.5")
        page.press("#ex-fn", "Tab")
        settled(page)
        assert page.evaluate(fits) == [[], []]
        assert page.evaluate("document.documentElement.scrollWidth") <= width
