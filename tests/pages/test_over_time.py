"""Censored outcomes in an evaluation: the report at a horizon, its section on all horizons, and every refusal."""

import json
import re

import numpy as np
import polars as pl
import pytest

import curvewise as cw
from curvewise.pages.render import render_html
from curvewise.pages.scores.drawings import _all_rows, drawings
from pages import survival_sample as sample
from pages.browsing import opened, settled
from pages.test_chinese import KNOWN
from pages.test_html import Reader

MAIN = 365


def section(page, name):
    """Return a section of a page."""
    return re.search(rf'<section[^>]*id="{name}".*?</section>', page, re.DOTALL)[0]


def texts(page):
    return " ".join(Reader(page).text)


@pytest.fixture(scope="module")
def found():
    return sample.full()


@pytest.fixture(scope="module")
def page(found):
    return render_html(found, drawings(found, "en"), "en")


def test_numbers_are_those_of_survival_and_of_the_horizon(found):
    d = sample.trial()
    probability = {"risk_a": {at: d[f"p{at}"] for at in sample.HORIZONS}}
    risks = {"risk_a": d["risk_a"], "risk_b": d["risk_b"]}
    sv = cw.survival(d["days"], d["dead"], risks, horizons=sample.HORIZONS, probability=probability)
    assert found.survival.table.columns == sv.table.columns
    at = cw.horizon(d["days"], d["dead"], d["p365"], at=MAIN)
    own = found.models["risk_a"]
    assert own.estimates["roc_auc"].value == cw.roc_auc(at)
    assert own.estimates["brier_loss"].value == cw.brier_loss(at)
    assert own.calibration.observed_expected.value == pytest.approx(cw.calibration(at).observed_expected.value)
    assert found.prevalence.value == pytest.approx(at.observed.value, abs=1e-12)
    assert (found.prevalence.low, found.prevalence.high) == pytest.approx((at.observed.low, at.observed.high))


def test_counts_are_rows_never_weights(found):
    d = sample.trial()
    at = cw.horizon(d["days"], d["dead"], d["p365"], at=MAIN)
    assert at.unknown > 0
    data = found.data
    assert (data["positives"], data["negatives"], data["unknown"]) == (at.cases, at.controls, at.unknown)
    assert data["rows"] == sample.ROWS == at.cases + at.controls + at.unknown
    sizes = dict(zip(*(a.tolist() for a in np.unique(d["sex"], return_counts=True)), strict=True))
    assert data["groups"] == {"sex": sizes}
    assert f"{at.cases} had the event, {at.controls} did not, {at.unknown} unknown" in str(found)


def test_no_sum_of_weights_is_shown_as_a_count(found, page):
    shown, sweep = texts(page), found.models["risk_a"].sweep
    point = found.models["risk_a"].point.confusion
    for weight in (sweep.positives, sweep.negatives, point.tp, point.fp, point.fn, point.tn):
        assert weight != round(weight)
        assert f" {weight:.1f} " not in shown
        assert f"{weight:.4f}" not in shown
    sizes = dict(zip(*(a.tolist() for a in np.unique(sample.trial()["clinic"], return_counts=True)), strict=True))
    for name, forest in ((name, s.forest.columns) for name, s in found.sites.items()):
        shown_sizes = dict(zip(forest["site"], forest["n"], strict=True))
        assert {k: shown_sizes[k] for k in sizes} == sizes, name
    table = found.diagnostic_table().to_markdown()
    assert f"{sweep.positives:.1f}" not in table
    assert f"{point.tp:.1f}" not in table


def test_the_section_shows_the_numbers_of_survival(found, page):
    shown = texts(section(page, "over_time"))
    sv = found.survival
    for model in sv.models.values():
        assert f"{model.concordance.value:.3f}" in shown
        assert f"{model.concordance.low:.3f} to {model.concordance.high:.3f}" in shown
        assert f"{model.censoring_check.value:.3f}" in shown
        for metrics in model.at.values():
            assert f"{metrics['roc_auc'].low:.3f} to {metrics['roc_auc'].high:.3f}" in shown
    for row in sv.follow_up.at.values():
        assert f"{100 * row['observed']:.1f}%" in shown
        assert str(row["unknown"]) in shown
    assert f"{sv.follow_up.events} events" in shown
    assert "depends neither on when the event happens nor on the score" in shown
    assert "At equal times, events come first" in shown


def test_the_section_has_its_figures_and_their_tables(found, page):
    own = section(page, "over_time")
    for key in ("auc-over-time", "calibration-at-0-0", "calibration-at-0-1", "risk-groups-0", "risk-groups-1"):
        assert f'id="fig-{key}"' in own or f"{key}" in own
    assert "calibration-at-1" not in own  # the second model gives no probabilities
    groups = found.over_time.groups["risk_a"].groups
    assert sum(g.rows for g in groups) == sample.ROWS
    assert all(MAIN in g.time for g in groups)


def test_the_bars_below_a_reliability_curve_count_all_rows(found):
    counted = _all_rows(found.models["risk_a"])
    assert counted.n == sample.ROWS
    assert isinstance(counted.positives, int)


def test_bins_of_calibration_hold_all_rows(found):
    curve = found.over_time.calibration[MAIN]["risk_a"]
    assert curve.n.sum() == sample.ROWS


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_page_renders_without_figures(found, lang):
    page = render_html(found, None, lang)
    assert 'id="over_time"' in page


def test_nothing_is_left_in_english(found):
    known = KNOWN | {"risk_a", "risk_b", "days", "dead", "clinic", "Kaplan", "Meier", "Aalen", "Johansen", "Harrell"}
    known |= {"IPA", "Greenwood"}
    page = render_html(found, drawings(found, "zh"), "zh")
    page = re.sub(r'<(\w+)[^>]* lang="en">.*?</\1>|<code>.*?</code>', "", page, flags=re.DOTALL)
    said = [*Reader(page).text, *re.findall(r'(?:aria-label|title|data-title|data-label)="([^"]*)"', page)]
    left = {word: text for text in said for word in re.findall(r"[A-Za-z_]{3,}", text) if word not in known}
    assert left == {}


def test_in_the_browser(chromium, page, tmp_path, found):
    path = tmp_path / "report.html"
    path.write_text(page, "utf-8")
    with opened(chromium, path.as_uri()) as shown:
        assert shown.locator("#over_time").is_visible()
        assert shown.locator("#over_time figure svg, #over_time svg").count() >= 5
        shown.locator("#ex-find-recall, #ex-say").first.wait_for()
        settled(shown)
        cells = [shown.locator(f"#{name}").inner_text() for name in ("ex-tp", "ex-fn-count", "ex-fp-count", "ex-tn")]
        c = found.models[found.better.best[0]].point.confusion
        assert cells == [f"{100 * n / c.n:.1f}%" for n in (c.tp, c.fn, c.fp, c.tn)]


def test_without_script(chromium, page, tmp_path):
    path = tmp_path / "report.html"
    path.write_text(page, "utf-8")
    with opened(chromium, path.as_uri(), java_script_enabled=False) as shown:
        assert shown.locator("#over_time h2").is_visible()
        assert shown.locator("#over_time table").count() >= 4


def test_the_main_horizon_is_the_first_given_or_the_one_named():
    assert sample.evaluated(horizons=[1095, 365]).data["horizon"] == 1095
    assert sample.evaluated(main_horizon=1095).data["horizon"] == 1095


def test_scores_between_0_and_1_are_probabilities_by_the_main_horizon():
    found = sample.evaluated(scores="p1095", probability=None, main_horizon=1095)
    assert "brier_loss" in found.survival.models["p1095"].at[1095]
    assert "brier_loss" not in found.survival.models["p1095"].at[365]
    assert any("read as probabilities of the event by 1095" in str(n) for n in found.notes)
    given = sample.evaluated(scores="p1095", probability={1095: "p1095"}, main_horizon=1095)
    assert not any("read as probabilities" in str(n) for n in given.notes)
    assert given.survival.table.columns == found.survival.table.columns


def test_other_containers_weights_clusters_and_missing_values(tmp_path):
    d = {**sample.trial(), "w": np.tile([1.0, 2.0], sample.ROWS // 2), "who": np.arange(sample.ROWS) // 2}
    d["risk_b"] = np.where(np.arange(sample.ROWS) < 3, np.nan, d["risk_b"])
    frame = pl.DataFrame(d)
    frame.write_csv(tmp_path / "trial.csv")
    asked = {"time": "days", "event": "dead", "horizons": [365], "scores": ["risk_a", "risk_b"], "replicates": 20}
    asked |= {"weight": "w", "cluster": "who", "missing": "drop", "group": "sex", "id": "code"}
    one, two = cw.evaluate(frame, **asked), cw.evaluate(tmp_path / "trial.csv", **asked)
    assert one.metrics() == two.metrics()
    assert one.data["rows"] == sample.ROWS - 3
    assert one.data["dropped"] == 3
    assert one.data["clusters"] == 199
    assert set(one.rows.id.tolist()).isdisjoint({0, 1, 2})
    assert 'id="over_time"' in render_html(one, drawings(one, "en"), "en")


def test_competing_events_and_censoring_by_score():
    d = dict(sample.trial())
    d["dead"] = np.where((d["dead"] == 1) & (d["code"] % 3 == 0), 2, d["dead"])
    asked = {"time": "days", "event": "dead", "cause": 1, "horizons": [365], "scores": "risk_a", "replicates": 20}
    found = cw.evaluate(d, **asked)
    page = render_html(found, drawings(found, "en"), "en")
    assert "competing risks" in texts(page)
    free = cw.evaluate(d, controls="event-free", **asked)
    assert free.data["negatives"] < found.data["negatives"]
    assert "left out at that horizon" in texts(render_html(free, drawings(free, "en"), "en"))
    by_score = sample.evaluated(scores="risk_a", probability=None, censoring="by-score")
    assert "each tenth of the score" in texts(render_html(by_score, None, "en"))


def test_without_censoring_it_is_the_problem_of_two_classes():
    d = {**sample.trial(), "dead": np.ones(sample.ROWS, dtype=int)}
    d["label"] = (d["days"] <= MAIN).astype(int)
    asked = {"scores": "p365", "replicates": 40}
    over = cw.evaluate(d, time="days", event="dead", horizons=MAIN, **asked)
    plain = cw.evaluate(d, label="label", **asked)
    areas = [(e.value, e.low, e.high) for e in (ev.models["p365"].estimates["roc_auc"] for ev in (over, plain))]
    assert areas[0] == areas[1]
    assert over.data["unknown"] == 0
    assert 'id="over_time"' in render_html(over, drawings(over, "en"), "en")


def test_caveats_name_what_speaks_against_a_number():
    d = dict(sample.trial())
    d["ward"] = np.where(d["days"] < 30, "early", "late")
    d["dead"] = np.where(d["ward"] == "early", 0, d["dead"])  # none of that ward is known at the horizon
    d["follows"] = 300 * d["risk_a"] - d["days"]
    asked = {"time": "days", "event": "dead", "horizons": [365], "scores": ["risk_a", "follows"], "replicates": 20}
    found = cw.evaluate(d, group="ward", **asked)
    said = {n.code: n for n in found.notes}
    assert "early" in str(said["groups_all_unknown"])
    assert said["survival_censoring_follows"].values["model"] == "follows"
    assert said["survival_censoring_follows"].values["severity"] == "warn"
    assert said["survival_assumes"].values["severity"] == "note"
    page = render_html(found, drawings(found, "en"), "en")
    told = texts(section(page, "caveats"))
    assert "Numbers at horizons assume that censoring depends neither on the event nor on the score" in told


def test_few_rows_are_warned_of_once():
    tiny = {"t": [2, 3, 4, 6, 7, 8, 9, 9], "e": [1, 0, 1, 1, 0, 1, 0, 0], "r": [0.9, 0.5, 0.4, 0.6, 0.3, 0.5, 0.2, 0.1]}
    found = cw.evaluate(tiny, time="t", event="e", horizons=[6, 7], scores="r", replicates=20)
    codes = [(n.code, n.values.get("at")) for n in found.notes]
    assert ("too_few_positives", None) in codes
    assert ("horizon_few_cases", "7") in codes
    assert ("horizon_few_cases", "6") not in codes
    assert 'id="over_time"' in render_html(found, drawings(found, "zh"), "zh")


def test_other_forms_speak_of_rows_and_of_all_horizons(found):
    said = found.to_markdown()
    assert "had the event" in said
    assert "Concordance, with events and with censoring times" in said
    saved = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert saved["options"]["time"] == "days"
    assert saved["options"]["horizons"] == [365, 1095]
    assert saved["survival"]["models"][0]["concordance"]["value"] == found.survival.concordance["risk_a"].value
    assert "unknown" in found._repr_html_()
    metrics = found.metrics()
    assert metrics["risk_a.concordance"] == found.survival.concordance["risk_a"].value
    assert metrics["risk_a.roc_auc@1095"] == found.survival.models["risk_a"].at[1095]["roc_auc"].value


def test_a_saved_one_is_refused_as_a_baseline(found):
    with pytest.raises(cw.CurvewiseError, match="censored outcomes cannot be read back"):
        cw.Evaluation.from_dict(found.to_dict())
    d = {**sample.trial(), "ill": sample.trial()["dead"]}
    for last in (found, found.to_dict()):
        with pytest.raises(cw.CurvewiseError, match="censored outcomes cannot be read back"):
            cw.evaluate(d, label="ill", scores="risk_a", baseline=last)
    with pytest.raises(cw.CurvewiseError, match="cannot be compared with an earlier"):
        found.compare(found)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"label": "dead"}, "label: has no meaning with time="),
        ({"time": None}, "event: needs time="),
        ({"event": None}, "event: is needed with time="),
        ({"horizons": None}, "horizons: is needed with time="),
        ({"horizons": []}, "horizons: expected positive numbers"),
        ({"horizons": [365, -1]}, "horizons: expected positive numbers"),
        ({"horizons": [365, 365]}, "365 is given 2 times"),
        ({"main_horizon": 400}, "main_horizon: expected one of the horizons, 365, 1095, got 400"),
        ({"time": "dead"}, "event: the column 'dead' is already used as time"),
        ({"time": "dayz"}, "there is no column 'dayz'"),
        ({"time": [1, 2]}, "time: expected the name of a column"),
        ({"probability": {365: "p365"}}, "there are 2 scores"),
        ({"probability": {"other": {365: "p365"}}}, "there is no score"),
        ({"probability": {"risk_a": {400: "p365"}}}, "400"),
        ({"probability": {"risk_a": {365: 7}}}, "expected columns by horizon"),
        ({"probability": {"risk_a": {365: "risk_a"}}}, "probability at 365"),
        ({"probability": 3}, "expected columns by horizon"),
        ({"positive": 1}, "positive: has no meaning with time=: cause="),
        ({"weight_kind": "count", "weight": "days"}, "weight_kind: has no meaning"),
        ({"round_to": 2}, "round_to: has no meaning"),
        ({"censoring": "by-score"}, "'by-score' takes the tenths of one score, got 2"),
        ({"censoring": "other"}, "censoring"),
        ({"controls": "some"}, "controls"),
        ({"baseline": "last.json"}, "baseline: censored outcomes cannot be compared"),
        ({"horizons": [1e6]}, "nobody is known to be without the event"),
        ({"horizons": [0.01]}, "needs rows with the event"),
    ],
)
def test_refusals(options, said):
    with pytest.raises(cw.CurvewiseError) as caught:
        sample.evaluated(**({"probability": None} | options))
    assert said in str(caught.value)
    assert str(caught.value).count("\n") == 0


def test_arrays_in_the_place_of_names_are_refused():
    d = sample.trial()
    with pytest.raises(cw.CurvewiseError, match="names a column of a frame"):
        cw.evaluate(d["dead"], d["risk_a"], time="days", event="dead", horizons=[365])
    with pytest.raises(cw.CurvewiseError, match="controls: needs time="):
        cw.evaluate(d, label="dead", scores="risk_a", controls="event-free")
