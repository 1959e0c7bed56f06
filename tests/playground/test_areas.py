"""Partial areas on every scale, and two curves of equal AUC: numbers are the library's, ranges are dragged."""

from typing import get_args

import numpy as np
import pytest

import curvewise as cw
from curvewise.metric.partial import Scale
from pages.browsing import EN, opened, settled
from playground.playing import drag, move, shown

SCALES = get_args(Scale)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"to": 0.05, "d_prime": 2.4},
        {"to": 0.9, "from": 0.35, "d_prime": 0.5, "spread": 1.8},
        {"to": 1, "from": 0.8, "d_prime": 0.3, "spread": 2},  # below chance
    ],
)
def test_a_partial_area_is_that_of_the_library_on_all_scales(chromium, address, given):
    with opened(chromium, address["partial-area"]) as page:
        s = move(page, **given)
        curve = cw.BinormalRoc(a=s["d_prime"] / s["spread"], b=1 / s["spread"])
        area, fpr = EN.numbers.area, (s["from"], s["to"])
        chance = cw.AnalyticRoc(lambda x: x)
        perfect = cw.AnalyticRoc(np.ones_like)
        for scale in SCALES:
            values = [cw.partial_roc_auc(c, fpr=fpr, scale=scale) for c in (curve, chance, perfect)]
            assert shown(page, scale, 3) == [area(round(v, 9)) for v in values], scale
        assert shown(page, "auc", 3)[0] == area(curve.auc)


@pytest.mark.parametrize(("idea", "width"), [("partial-area", 1200), ("partial-area", 390), ("equal-auc", 390)])
def test_a_range_is_dragged_by_an_end_or_as_a_whole(chromium, address, idea, width):
    def ends():
        return page.evaluate("[playground.state.from, playground.state.to]")

    with opened(chromium, address[idea], viewport={"width": width, "height": 900}) as page:
        page.locator("#roc").scroll_into_view_if_needed()
        drag(page, "roc", (0.2, 0.5), (0.6, 0.5))
        assert ends() == pytest.approx([0, 0.6], abs=0.011)
        drag(page, "roc", (0.005, 0.5), (0.2, 0.5))
        assert ends() == pytest.approx([0.2, 0.6], abs=0.011)
        raw = shown(page, "raw", 2)
        drag(page, "roc", (0.4, 0.5), (0.5, 0.5))
        assert ends() == pytest.approx([0.3, 0.7], abs=0.021)
        assert shown(page, "raw", 2) != raw
        drag(page, "roc", (0.5, 0.5), (1, 0.5))
        assert ends()[1] == 1


def test_a_slider_takes_the_other_end_along(chromium, address):
    with opened(chromium, address["partial-area"]) as page:
        page.locator("#from").focus()
        move(page, **{"from": 0.5})
        settled(page)
        assert page.evaluate("[playground.state.from, playground.state.to]") == [0.5, 0.51]
        page.locator("#to").focus()
        page.keyboard.press("Home")
        settled(page)
        settled(page)
        assert page.evaluate("[playground.state.from, playground.state.to]") == [0, 0.01]
        assert shown(page, "mean", 3)[0] != "–"


@pytest.mark.parametrize(
    ("given", "better", "cheaper"),
    [
        ({}, 0, 0),
        ({"auc": 0.67, "to": 1, "from": 0.6, "cost_ratio": 30, "prevalence": 0.3}, 1, 1),
        ({"auc": 0.9, "to": 0.1, "cost_ratio": 100, "prevalence": 0.2}, 0, 1),
        ({"auc": 0.6, "to": 0.95, "from": 0.9, "cost_ratio": 0.3, "prevalence": 0.5}, 1, 0),
    ],
)
def test_equal_auc_has_the_librarys_numbers_and_says_which_is_better(chromium, address, given, better, cheaper):
    with opened(chromium, address["equal-auc"]) as page:
        s = move(page, **given)
        k = s["auc"] / (1 - s["auc"])
        curves = [cw.AnalyticRoc(lambda x: x ** (1 / k)), cw.AnalyticRoc(lambda x: 1 - (1 - x) ** k)]
        area, fpr = EN.numbers.area, (s["from"], s["to"])
        assert shown(page, "auc_row", 2) == [area(round(c.auc, 9)) for c in curves] == [area(s["auc"])] * 2
        for scale in SCALES:
            values = [cw.partial_roc_auc(c, fpr=fpr, scale=scale) for c in curves]
            assert shown(page, scale, 2) == [area(v) for v in values], scale
        costs = [c.cost_optimum(fp=1, fn=s["cost_ratio"], prevalence=s["prevalence"]) for c in curves]
        assert shown(page, "cost", 2) == [EN.numbers.cost(c.cost) for c in costs]
        for key, name in (("best_fpr", "fpr"), ("best_tpr", "tpr")):
            at = [float(text.rstrip("%")) / 100 for text in shown(page, key, 2)]
            assert at == pytest.approx([getattr(c, name) for c in costs], abs=0.002)
        said, names = page.inner_text("#say"), ("Early", "Late")
        assert f"{names[better]} is better" in said
        assert f"{names[cheaper]} is cheaper" in said
        assert ("two answers" in said) == (better != cheaper)
