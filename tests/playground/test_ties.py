"""Ten rows with ties: AUC and AP are exactly those of the library, under every policy."""

import random
from typing import get_args

import pytest

import curvewise as cw
from curvewise.metric.average_precision import Ties
from pages.browsing import EN, opened, settled
from playground.playing import change, drag, shown

Y = [1] * 5 + [0] * 5
PUSH = {"optimistic": 1, "pessimistic": -1}  # which class comes first where scores are equal


def expected(places):
    def auc(policy):
        return cw.roc_auc(Y, [4 * p + PUSH.get(policy, 0) * label for p, label in zip(places, Y, strict=True)])

    return {
        policy: [EN.numbers.area(auc(policy)), EN.numbers.area(cw.average_precision(Y, places, ties=policy))]
        for policy in get_args(Ties)
    }


def found(page):
    return {policy: shown(page, policy, 2) for policy in get_args(Ties)}


def test_every_policy_of_the_library_is_there_with_its_numbers(chromium, address):
    rng = random.Random(0)
    with opened(chromium, address["ties"]) as page:
        assert found(page) == expected(page.evaluate("playground.state.places"))
        for name in ("untied", "some_ties", "all_tied"):
            page.click(f"#{name}")
            settled(page)
            assert found(page) == expected(page.evaluate("playground.state.places"))
        assert found(page)["block"] == ["0.500", "0.500"]
        for most in (1, 3, 8, 20) * 4:
            places = [rng.randint(0, most) for _ in Y]
            change(page, places=places)
            assert found(page) == expected(places)


@pytest.mark.parametrize("width", [1200, 390])
def test_a_row_is_dragged_onto_another_and_snaps(chromium, address, width):
    with opened(chromium, address["ties"], viewport={"width": width, "height": 900}) as page:
        page.click("#untied")
        settled(page)
        assert page.locator("#roc .thick").count() == 0
        scale = [(score + 0.03) / 1.06 for score in (19 / 20, 15 / 20)]
        height = 0.5 + 0.75 / 11.2
        drag(page, "points", (scale[0], height), (scale[1] + 0.01, height))
        places = page.evaluate("playground.state.places")
        assert places[0] == places[5] == 15
        assert found(page) == expected(places)
        assert page.locator("#roc .thick").count() == 1
        assert page.locator("#pr .thick").count() >= 1
        assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Score of positive 1"


def test_arrow_keys_move_a_row_and_it_keeps_the_focus(chromium, address):
    with opened(chromium, address["ties"]) as page:
        page.click("#untied")
        settled(page)
        row = page.get_by_role("slider", name="Score of negative 1")
        row.focus()
        for key, place in (("ArrowRight", 16), ("ArrowRight", 17), ("ArrowLeft", 16), ("End", 20), ("Home", 0)):
            page.keyboard.press(key)
            settled(page)
            assert page.evaluate("playground.state.places[5]") == place
            assert row.get_attribute("aria-valuenow") == str(place / 20).removesuffix(".0")
            assert found(page) == expected(page.evaluate("playground.state.places"))
        assert row.evaluate("(e) => e === document.activeElement")
        assert page.get_by_role("slider").count() == 10
