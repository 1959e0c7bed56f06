"""Then and now: differences by hand, which way is worse, drift, verdicts that agree with the numbers."""

import json
import math
import re
from dataclasses import replace

import numpy as np
import pytest

import curvewise as cw
from curvewise.evaluation.changes_since import change
from curvewise.pages.render import render_html
from curvewise.pages.scores.drawings import drawings
from curvewise.results.estimate import Estimate
from curvewise.results.estimate import undefined as undefined_estimate
from pages import sample

QUICK = {"replicates": 20}


def rows(seed, n=400, lift=1.5, base=-1.5, shift=0.0):
    """Return rows whose probabilities are right if nothing is shifted."""
    rng = np.random.default_rng(seed)
    x = rng.normal(base, lift, n)
    y = rng.random(n) < 1 / (1 + np.exp(-x))
    return {"y": y, "p": 1 / (1 + np.exp(-(x + shift)))}


def evaluated(data, **more):
    return cw.evaluate(data, label="y", **{"scores": "p", **QUICK, **more})


@pytest.fixture(scope="module")
def then():
    return evaluated(rows(1))


@pytest.fixture(scope="module")
def now():
    return evaluated(rows(2, n=900, lift=0.6, shift=1.0))


def test_the_interval_of_a_difference_is_joined_from_both(then, now):
    found = now.compare(then).models["p"].metrics["roc_auc"]
    a, b = now.models["p"].estimates["roc_auc"], then.models["p"].estimates["roc_auc"]
    assert found.difference.value == a.value - b.value
    assert found.difference.low == pytest.approx(found.difference.value - math.hypot(a.value - a.low, b.high - b.value))
    assert found.difference.high == pytest.approx(
        found.difference.value + math.hypot(a.high - a.value, b.value - b.low)
    )
    assert found.difference.method == "MOVER"
    assert found.p_value is None


def test_a_baseline_may_be_live_saved_a_dict_or_a_file(then, now, tmp_path):
    path = tmp_path / "last.json"
    path.write_text(json.dumps(then.to_dict()))
    tables = [
        now.compare(baseline).table.columns
        for baseline in (then, cw.Evaluation.from_dict(then.to_dict()), then.to_dict(), path, str(path))
    ]
    assert all(table == tables[0] for table in tables)


def test_prevalence_has_newcombes_interval(then, now):
    found = now.compare(then).prevalence
    # R 4.4: DescTools::BinomDiffCI(x1, n1, x2, n2, method = "score") is the same formula
    (k1, n1), (k2, n2) = ((ev.data["positives"], ev.data["rows"]) for ev in (now, then))
    (l1, u1), (l2, u2) = cw.rate_interval(k1, n1), cw.rate_interval(k2, n2)
    p1, p2 = k1 / n1, k2 / n2
    assert found.difference.value == p1 - p2
    assert found.difference.low == pytest.approx(p1 - p2 - math.sqrt((p1 - l1) ** 2 + (u2 - p2) ** 2))
    assert found.difference.high == pytest.approx(p1 - p2 + math.sqrt((u1 - p1) ** 2 + (p2 - l2) ** 2))


@pytest.mark.parametrize(
    ("metric", "before", "after", "worse"),
    [
        ("roc_auc", 0.9, 0.8, 0.1),
        ("roc_auc", 0.8, 0.9, -0.1),
        ("brier_loss", 0.1, 0.2, 0.1),
        ("brier_loss", 0.2, 0.1, -0.1),
        ("equal_error_rate", 0.2, 0.3, 0.1),
        ("calibration_slope", 1.0, 0.9, 0.1),
        ("calibration_slope", 0.8, 1.1, -0.1),
        ("observed_expected", 0.9, 1.3, 0.2),
        ("hand_till", 0.9, 0.8, 0.1),
        ("prevalence", 0.1, 0.2, math.nan),
    ],
)
def test_which_way_is_worse(metric, before, after, worse):
    both = (Estimate(metric, value, value - 0.01, value + 0.01, 0.95, "wald") for value in (before, after))
    found = change(*both)
    assert found.worse_by == pytest.approx(worse, nan_ok=True)
    assert found.is_clear


def test_a_change_within_its_interval_is_not_clear():
    both = [Estimate("roc_auc", value, value - 0.05, value + 0.05, 0.95, "wald") for value in (0.8, 0.83)]
    assert not change(*both).is_clear
    assert change(both[0], replace(both[1], value=0.9, low=0.85, high=0.95)).is_clear


def test_without_an_interval_there_is_the_difference_and_the_reason(then, now):
    found = now.compare(then)
    h = found.models["p"].metrics["h_measure"].difference
    assert h.is_defined
    assert not h.has_interval
    assert any("H-measure: no interval" in str(n) for n in found.notes)
    fine = Estimate("log_loss", 0.3, 0.2, 0.4, 0.95, "log")
    endless = replace(fine, value=math.inf, low=math.nan, high=math.nan, method=None)
    assert change(fine, endless).difference.value == math.inf
    assert change(fine, endless).worse_by == math.inf
    assert not change(endless, endless).difference.is_defined
    nothing = undefined_estimate("log_loss", 0.95, cw.Note("no_variance"))
    assert str(change(fine, nothing).difference.reason).startswith("undefined now: ")
    assert str(change(nothing, fine).difference.reason).startswith("undefined in the baseline: ")


def test_intervals_of_other_levels_are_not_joined(then):
    found = evaluated(rows(2), level=0.9).compare(then)
    auc = found.models["p"].metrics["roc_auc"].difference
    assert not auc.has_interval
    assert "95% intervals" in str(auc.reason).replace("95%", "95%")
    assert [n.code for n in found.notes].count("levels_differ_so") == 1
    assert "difference_without" in [n.code for n in found.notes]  # of the H-measure alone
    assert any(v.code == "metric_then_now" for v in found.verdicts)


def test_the_same_rows_are_compared_row_by_row(then):
    data = rows(1)
    worse = np.clip(data["p"] * np.random.default_rng(5).uniform(0.3, 1.7, 400), 0.001, 0.999)
    found = evaluated({**data, "p": worse}).compare(then)
    alone = cw.compare(data["y"], {"now": worse, "then": data["p"]})
    auc = found.models["p"].metrics["roc_auc"]
    assert found.is_paired
    assert (auc.difference, auc.p_value) == (alone.difference, alone.p_value)
    assert found.prevalence is None
    assert not found.models["p"].at_threshold
    assert math.isnan(found.models["p"].scores["all"].psi_limit)
    assert "same_rows" in [n.code for n in found.notes]
    assert "p" in found.table.columns
    slope = found.models["p"].calibration["calibration_slope"]
    assert slope.p_value is not None


def test_rows_with_other_labels_weights_or_ids_are_not_the_same():
    data = {**rows(1), "w": [1, 2] * 200, "k": range(400)}
    plain, other = evaluated(data, id="k"), evaluated({**data, "k": range(1, 401)}, id="k")
    assert plain.compare(evaluated(data, id="k")).is_paired
    assert not plain.compare(other).is_paired
    assert not plain.compare(evaluated(data)).is_paired
    assert not evaluated(data, weight="w").compare(evaluated(data)).is_paired


def test_the_same_file_is_noticed(then):
    mark = replace(then.origin, name="x.csv", sha256="0" * 64)
    last = replace(then, origin=mark).to_dict()
    found = replace(then, origin=mark).compare(last)
    assert found.notes[0].code == "same_file"
    assert "same_file" not in [n.code for n in then.compare(last).notes]


def test_models_are_paired_by_name(then):
    data = {**rows(2), "q": rows(2)["p"] ** 2, "r": rows(2)["p"] ** 3}
    two = evaluated(data, scores=["p", "q"])
    found = two.compare(evaluated(data, scores=["r", "p"]))
    assert list(found.models) == ["p"]
    assert [str(n) for n in found.notes[:2]] == ["Not in the baseline (1): q.", "Only in the baseline (1): r."]
    only = evaluated(data, scores="q").compare(then)
    assert (only.models["q"].then_name, only.notes[0].code) == ("p", "renamed")
    with pytest.raises(cw.CurvewiseError, match=r"its models are r, and these are p, q; name a column"):
        two.compare(evaluated(data, scores="r"))


def test_many_classes_are_compared_by_their_numbers(then):
    ev = sample.many_classes()
    found = ev.compare(ev.to_dict())
    changes = found.models["multiclass"].metrics
    assert set(changes) == set(ev.multiclass_estimates)
    assert changes["accuracy"].difference.value == 0
    assert changes["accuracy"].difference.has_interval
    assert found.prevalence is None
    with pytest.raises(cw.CurvewiseError, match="it has two classes, and these rows have many classes"):
        ev.compare(then)


def test_rates_at_the_threshold_of_the_baseline(then, now):
    found = now.compare(then.to_dict()).models["p"]
    point = then.models["p"].point
    here = now.models["p"].sweep.at(point.threshold)
    assert found.threshold == point.threshold
    assert found.at_threshold["recall"].now.value == here.recall
    assert found.at_threshold["fpr"].now.value == here.fpr
    assert found.at_threshold["recall"].then.value == point.expected["recall"].value
    assert found.at_threshold["recall"].then.value != point.estimates["recall"].value
    stated = evaluated(rows(1), costs={"fp": 1, "fn": 5}, prevalence=0.02)
    rare = evaluated(rows(2)).compare(stated.to_dict()).models["p"].at_threshold["precision"]
    counts = evaluated(rows(2)).models["p"].sweep.at(stated.models["p"].point.threshold)
    share = 0.02 * counts.recall
    assert rare.now.value == pytest.approx(share / (share + 0.98 * counts.fpr))


def test_scores_of_a_saved_evaluation_are_near_the_exact_ones(then, now):
    exact, near = (now.compare(last).models["p"].scores for last in (then, then.to_dict()))
    for part, drift in exact.items():
        assert drift.within == 0
        assert near[part].within == 0.01
        assert abs(near[part].ks - drift.ks) <= 0.01
        assert near[part].psi == pytest.approx(drift.psi, rel=0.1)


def test_verdicts_say_what_the_numbers_say(then, now):
    found = now.compare(then.to_dict())
    model, said = found.models["p"], {v.code: v for v in reversed(found.verdicts)}
    auc, psi = model.metrics["roc_auc"], model.scores["all"]
    assert auc.is_clear
    assert f"AUC fell by {-auc.difference.value:.3f}, from {auc.then.value:.3f} to {auc.now.value:.3f}" in str(
        said["metric_fell"]
    )
    assert said["metric_fell"].values["severity"] == "warn"
    assert psi.is_clear
    assert f"PSI {psi.psi:.3f} (large, by convention)" in str(said["scores_drifted"])
    assert model.calibration["observed_expected"].is_clear
    assert "observed over expected is further from its ideal value 1" in str(said["fit_farther"])
    texts = [v.text(lang) for v in found.verdicts for lang in ("en", "zh")]
    assert not any(re.search(r"{|None|nan", text) for text in texts)


def test_no_clear_change_is_one_sentence_per_model():
    found = evaluated(rows(3)).compare(evaluated(rows(4)))
    assert [v.code for v in found.verdicts] == ["no_clear_change", "prevalence_no_clear_change"]
    text = str(found.verdicts[0])
    auc = found.models["p"].metrics["roc_auc"].difference
    assert f"{abs(auc.value):.3f}" in text
    for word in ("AUC", "average precision", "observed over expected", "the calibration slope", "scores (PSI"):
        assert word in text
    assert found.verdicts[0].values["severity"] == "note"


def test_average_precision_that_moves_with_prevalence_is_said_to():
    a, b = evaluated(rows(1, n=2000)), evaluated(rows(2, n=2000, base=0.5))
    found = b.compare(a)
    codes = [v.code for v in found.verdicts]
    assert "prevalence_rose" in codes
    assert codes.index("ap_with_prevalence") > codes.index("metric_rose")


def test_coverage_of_differences_of_auc():
    rng, hits = np.random.default_rng(8), 0
    for _ in range(120):
        draws = [(y := np.arange(550) < 50, rng.normal(1.8 * y)), (y := np.arange(330) < 30, rng.normal(1.8 * y))]
        gap = change(*(cw.interval("roc_auc", *draw) for draw in draws)).difference
        hits += gap.low <= 0 <= gap.high
    assert 107 <= hits <= 120  # 114 expected


def test_an_evaluation_with_a_baseline_says_so_everywhere(then, tmp_path):
    path = tmp_path / "last.json"
    path.write_text(json.dumps(then.to_dict()))
    ev = evaluated(rows(2), baseline=path)
    changes = ev.then_and_now
    assert isinstance(ev.baseline, cw.results.SavedEvaluation)
    assert ev.to_dict()["baseline"]["verdicts"][0]["text"] == str(changes.verdicts[0])
    assert cw.Evaluation.from_dict(ev.to_dict()).to_dict() == ev.to_dict()
    verdict = next(v for v in ev.verdicts if v.question == "baseline")
    assert [str(a) for a in verdict.answers] == [
        f"{v.values['model']}: {v}" if v.values["model"] else str(v) for v in changes.verdicts
    ]
    assert "## Then and now" in ev.to_markdown()
    page = render_html(ev, drawings(ev, "en"))
    assert 'id="baseline"' in page
    assert "What has changed since the baseline?" in page
    assert "Scores then and now" in page
    for v in changes.verdicts:
        assert str(v).replace("'", "&#39;") in page.replace("\u00a0", " ")


def test_without_a_baseline_nothing_is_said(then):
    assert then.then_and_now is None
    assert then.to_dict()["baseline"] is None
    assert 'id="baseline"' not in render_html(then)


@pytest.mark.parametrize("name", ["script", "image", "quotes", "braces", "control"])
def test_names_of_a_baseline_are_only_text(name):
    text = sample.HOSTILE[name]
    last = sample.hostile(text).to_dict()
    last["made"]["source"] = text
    now = evaluated(rows(2) | {f"{text} 0": rows(2)["p"], "p": rows(3)["p"]}, scores=[f"{text} 0", "p"], baseline=last)
    for lang in ("en", "zh"):
        page = render_html(now, lang=lang)
        assert "<script>alert" not in page
        assert "<img src=x" not in page
        assert "<svg/onload" not in page
    assert "\x1b" not in str(now.then_and_now)
    assert "<script" not in now.to_markdown()


def test_the_page_has_chinese_alone(then):
    ev = evaluated(rows(2), baseline=then.to_dict())
    section = render_html(ev, lang="zh").split('id="baseline"')[1].partition(">")[2].split("<section")[0]
    words = re.sub(r"<[^>]*>|&\w+;", " ", section)
    assert set(re.findall(r"[A-Za-z]{3,}", words)) <= {"AUC", "PSI", "Brier"}


@pytest.mark.parametrize("bad", [5, object(), b"no such file", ["a"]])
def test_what_is_no_baseline_is_refused(then, bad):
    with pytest.raises(cw.CurvewiseError):
        then.compare(bad)
    with pytest.raises(cw.CurvewiseError):
        evaluated(rows(2), baseline=bad)
