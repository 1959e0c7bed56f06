"""Two normal distributions: every number is the library's, and one point moves in all six figures."""

import math

import pytest
from scipy.integrate import quad
from scipy.stats import norm

import curvewise as cw
from pages.browsing import EN, opened, settled
from playground.playing import LEFT, ROOM, drag, mark, move, shown

FIGURES = ("densities", "roc", "pr", "det", "cost_curve", "decision_curve")
SETTINGS = [
    {},
    {"threshold": 0.35, "d_prime": 2.5, "spread": 1.6, "prevalence": 0.02, "cost_ratio": 25},
    {"threshold": 2.2, "d_prime": 0.8, "spread": 0.6, "prevalence": 0.6, "cost_ratio": 0.5},
    {"threshold": -1.5, "d_prime": 0, "spread": 2, "prevalence": 0.3},
]


def average_precision(d, spread, up):
    def term(z):
        t = d + spread * z
        hits, wrong = up * norm.sf(z), (1 - up) * norm.sf(t)
        return hits / (hits + wrong) * norm.pdf(z)

    return quad(term, -8.5, 8.5, epsabs=1e-13)[0]


@pytest.mark.parametrize("given", SETTINGS)
def test_every_number_is_that_of_the_library(chromium, address, given):
    with opened(chromium, address["distributions"]) as page:
        s = move(page, **given)
        curve = cw.BinormalRoc(a=s["d_prime"] / s["spread"], b=1 / s["spread"])
        fpr = norm.sf(s["threshold"])
        tpr, up = curve.tpr(fpr), s["prevalence"]
        at = cw.Sweep.from_counts([2.0, 1.0], [tpr, 1 - tpr], [fpr, 1 - fpr]).at_prevalence(up).at(2.0)
        n = EN.numbers
        shares = {"tpr": tpr, "fpr": fpr, "ppv": at.precision, "npv": at.npv, "accuracy": at.accuracy}
        assert {k: shown(page, k) for k in shares} == {k: n.share(v) for k, v in shares.items()}
        ap = average_precision(s["d_prime"], s["spread"], up)
        assert ap == pytest.approx(cw.average_precision(curve.to_sweep().at_prevalence(up)), abs=2e-3)
        areas = {"f1": at.f1, "auc": curve.auc, "ap": ap}
        assert {k: shown(page, k) for k in areas} == {k: n.area(v) for k, v in areas.items()}
        assert shown(page, "cost") == n.cost(at.expected_cost(fp=1, fn=s["cost_ratio"]))
        assert shown(page, "benefit") == n.cost(at.net_benefit(1 / (1 + s["cost_ratio"])))


@pytest.mark.parametrize("given", SETTINGS[:3])
def test_the_point_lies_where_its_numbers_say(chromium, address, given):
    with opened(chromium, address["distributions"]) as page:
        s = move(page, **given)
        fpr, tpr, up = norm.sf(s["threshold"]), norm.sf((s["threshold"] - s["d_prime"]) / s["spread"]), s["prevalence"]
        precision = up * tpr / (up * tpr + (1 - up) * fpr)
        odds = s["cost_ratio"] * up
        x = odds / (odds + 1 - up)
        assert mark(page, "roc") == pytest.approx((fpr, tpr), abs=0.002)
        assert mark(page, "pr") == pytest.approx((tpr, precision), abs=0.002)
        assert mark(page, "densities") == pytest.approx(((s["threshold"] + 3.5) / 9.5, 0), abs=0.002)
        cost = min((1 - tpr) * x + fpr * (1 - x), 0.5)
        assert mark(page, "cost_curve") == pytest.approx((x, cost / 0.5), abs=0.002)
        low, high = norm.ppf([0.001, 0.999])
        places = [(norm.ppf(min(max(r, 0.001), 0.999)) - low) / (high - low) for r in (fpr, 1 - tpr)]
        assert mark(page, "det") == pytest.approx(places, abs=0.003)
        p = 1 / (1 + s["cost_ratio"])
        benefit = up * tpr - (1 - up) * fpr * p / (1 - p)
        share = (min(max(benefit, -0.35 * up), 1.05 * up) + 0.35 * up) / (1.4 * up)
        assert mark(page, "decision_curve") == pytest.approx((p, share), abs=0.004)


@pytest.mark.parametrize("width", [1200, 390])
def test_dragging_in_any_figure_and_arrow_keys_move_the_point_in_all(chromium, address, width):
    with opened(chromium, address["distributions"], viewport={"width": width, "height": 900}) as page:
        before = [mark(page, f) for f in FIGURES]
        for figure, start, stop in (
            ("densities", (0.5, 0.5), (0.7, 0.4)),
            ("roc", (0.2, 0.8), (0.6, 0.97)),
            ("pr", (0.8, 0.5), (0.3, 0.9)),
            ("det", (0.5, 0.3), (0.2, 0.5)),
        ):
            page.locator(f"#{figure}").scroll_into_view_if_needed()
            drag(page, figure, start, stop)
            after = [mark(page, f) for f in FIGURES]
            assert all(a != b for a, b in zip(after, before, strict=True)), figure
            before = after
        t = page.evaluate("playground.state.threshold")
        page.locator("#threshold").focus()
        page.keyboard.press("ArrowRight")
        settled(page)
        assert page.evaluate("playground.state.threshold") == pytest.approx(t + 0.05)
        after = [mark(page, f) for f in FIGURES]
        assert all(a != b for a, b in zip(after, before, strict=True))
        assert page.locator("#threshold").get_attribute("aria-valuetext") == f"{t + 0.05:.2f}".replace("-", "−")


def test_a_finger_moves_the_threshold_too(chromium, address):
    options = {"has_touch": True, "viewport": {"width": 390, "height": 800}}
    with opened(chromium, address["distributions"], **options) as page:
        page.locator("#densities").scroll_into_view_if_needed()
        box = page.locator("#densities").bounding_box()
        page.touchscreen.tap(box["x"] + LEFT + 0.75 * (box["width"] - ROOM), box["y"] + 40)
        settled(page)
        assert page.evaluate("playground.state.threshold") == pytest.approx(-3.5 + 0.75 * 9.5, abs=0.1)


def test_normal_probabilities_and_quantiles_are_scipys(chromium, address):
    xs = [k / 7 for k in range(-56, 57)]
    ps = [10.0**-k for k in range(1, 12)] + [k / 97 for k in range(1, 97)]
    with opened(chromium, address["distributions"]) as page:
        found = page.evaluate("(xs) => xs.map(curvewiseMaths.normal)", xs)
        assert found == pytest.approx(norm.cdf(xs).tolist(), rel=1e-12)
        found = page.evaluate("(ps) => ps.map(curvewiseMaths.quantile)", ps)
        assert found == pytest.approx(norm.ppf(ps).tolist(), rel=1e-9, abs=1e-14)
        assert page.evaluate("curvewiseMaths.quantile(0)") == -math.inf
