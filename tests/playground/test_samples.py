"""Rows that the page draws from a seed: losses, calibration and intervals are the library's for the same rows."""

import numpy as np
import pytest

import curvewise as cw
from pages.browsing import EN, opened, settled
from playground.playing import move, shown

METRICS = ("brier_loss", "log_loss", "calibration_slope", "calibration_intercept", "ece", "observed_expected")


@pytest.mark.parametrize(
    "given", [{}, {"slope": 1, "shift": 0}, {"slope": 0.4, "shift": 1.2}, {"slope": 3, "shift": -3}]
)
def test_probabilities_are_bent_and_the_auc_stays(chromium, address, given):
    with opened(chromium, address["calibration"]) as page:
        s = move(page, **given)
        rows = page.evaluate("playgroundRows()")
        y, p = np.array(rows["y"]), np.array(rows["p"])
        right = 1 / (1 + np.exp(-(np.log(p / (1 - p)) - s["shift"]) / s["slope"]))
        n = EN.numbers
        assert shown(page, "auc", 2) == [n.area(cw.roc_auc(y, p))] * 2
        for name in METRICS:
            values = [cw.score(name, y, q) for q in (right, p)]
            write = n.area if name == "ece" else n.cost
            assert shown(page, name, 2) == [write(v) for v in values], name
        bins = page.locator("#reliability .bin")
        assert bins.count() == len(cw.reliability(y, p, bins=10).table.columns["p"])


def test_bent_probabilities_are_said_to_be_wrong(chromium, address):
    with opened(chromium, address["calibration"]) as page:
        for button, said in (("as_they_are", "calibrated"), ("too_extreme", "too extreme"), ("too_low", "too low")):
            page.click(f"#{button}")
            page.locator("#say", has_text=said).wait_for()


def studies(page):
    page.locator("#held-1", has_not_text="…").wait_for()
    return page.evaluate("Array.from({ length: 50 }, (_, k) => playgroundRows(k))")


@pytest.mark.parametrize(
    "given", [{}, {"rows": 30, "auc": 0.97, "prevalence": 0.1}, {"rows": 200, "auc": 0.7, "prevalence": 0.5}]
)
def test_intervals_are_those_of_the_library_and_are_counted(chromium, address, given):
    with opened(chromium, address["intervals"]) as page:
        s = move(page, plain=("prevalence",), **given)
        found = studies(page)
        held = 0
        for study in found:
            own = cw.interval("roc_auc", study["y"], study["score"], method="delong-wald")
            assert (study["wald"]["low"], study["wald"]["high"]) == pytest.approx((own.low, own.high), abs=1e-12)
            assert study["wald"]["value"] == pytest.approx(own.value, abs=1e-12)
            held += own.low <= s["auc"] <= own.high
        assert shown(page, "held", 2)[0] == str(held)
        drawn = sum(f["percentile"]["low"] <= s["auc"] <= f["percentile"]["high"] for f in found)
        assert shown(page, "held", 2)[1] == str(drawn)
        assert shown(page, "held_all", 2) == [EN.numbers.share(held / 50), EN.numbers.share(drawn / 50)]
        assert page.locator("#studies .thick").count() == 100 - held - drawn
        positives = round(s["rows"] * s["prevalence"])
        assert sum(found[0]["y"]) == positives
        assert f"{positives} positives" in page.inner_text("#say")


def test_the_bootstrap_is_a_percentile_interval_and_comes_from_a_seed(chromium, address):
    with opened(chromium, address["intervals"]) as page:
        found = studies(page)
        for study in found[:6]:  # other resamples, so only about the same
            own = cw.interval("roc_auc", study["y"], study["score"], method="percentile", replicates=2000, rng=1)
            given = (study["percentile"]["low"], study["percentile"]["high"])
            assert given == pytest.approx((own.low, own.high), abs=0.03)
        ask = """() => { const { y, score } = playgroundRows(0), m = curvewiseMaths, s = m.sweep(y, score);
          return [Array.from(m.replicates(s, m.random(60), 500)), m.percentile(s, m.random(60), 500)] }"""
        replicates, ends = page.evaluate(ask)
        assert np.quantile(replicates, [0.025, 0.975]) == pytest.approx([ends["low"], ends["high"]], abs=1e-12)
        assert ends == found[0]["percentile"]
        variance = cw.interval("roc_auc", found[0]["y"], found[0]["score"]).standard_error ** 2
        assert np.var(replicates) == pytest.approx(variance, rel=0.25)
    with opened(chromium, address["intervals.zh"]) as page:
        assert studies(page) == found
        page.click("#more_studies")
        page.locator("#studies_all-0", has_text="100").wait_for()
        assert studies(page) != found
        page.click("#first_studies")
        settled(page)
        assert studies(page) == found
        assert shown(page, "studies_all", 2) == ["100", "100"]  # the first fifty are not counted again


def test_a_study_grows_by_rows_and_its_intervals_shrink(chromium, address):
    with opened(chromium, address["intervals"]) as page:
        widths = []
        few = page.evaluate("playgroundRows(0)")
        for rows in (60, 200, 500):
            move(page, rows=rows)
            studies(page)
            widths.append([float(text) for text in shown(page, "width", 2)])
        assert np.all(np.diff(widths, axis=0) < 0)
        many = page.evaluate("playgroundRows(0)")
        assert many["score"][: sum(few["y"])] == few["score"][: sum(few["y"])]
