"""Models over time: held to R's numbers, to single horizons, to derivatives, and to changes that must not matter."""

import json

import numpy as np
import pytest

import curvewise as cw
from censored.reference_data import columns, numbers
from curvewise.censored.survival_result import horizon_at

DATA = ("veteran", "gbsg", "tied300")
TOLERANCE = 1e-9


def risks(name):
    d = columns(name)
    return {m: d[f"risk_{m}"] for m in "ab"}


def by_horizon(name):
    d, times = columns(name), numbers("golden")["datasets"][name]["horizons"]
    return {m: {t: d[f"p_{m}_{t}"] for t in times} for m in "ab"}


def judged(name, **options):
    d = columns(name)
    given = {"horizons": numbers("golden")["datasets"][name]["horizons"], **options}
    return cw.survival(d["time"], d["event"], risks(name), **given)


def curves():
    """Predicted survival curves of two models of gbsg."""
    return {
        m: np.stack(list(columns(f).values()), axis=1) for m, f in (("a", "gbsg_survival"), ("b", "gbsg_survival_b"))
    }


@pytest.mark.parametrize("name", DATA)
def test_numbers_at_horizons_are_those_of_riskregression(name):
    known, ours = numbers("golden")["datasets"][name], numbers("ours")["datasets"][name]
    alone, told = judged(name), judged(name, probability=by_horizon(name))
    for k, t in enumerate(known["horizons"]):
        for m in "ab":
            assert alone.models[m].at[t]["roc_auc"].value == pytest.approx(known["auc"][k][m], abs=TOLERANCE)
            assert list(alone.models[m].at[t]) == ["roc_auc"]
            found, brier = told.models[m].at[t], known["brier"][k]
            assert found["brier_loss"].value == pytest.approx(brier[m], abs=TOLERANCE)
            assert found["brier_skill"].value == pytest.approx(brier[f"ipa_{m}"], abs=TOLERANCE)
            assert found["brier_loss"].standard_error == pytest.approx(ours["brier"][k][f"se_{m}"], abs=TOLERANCE)
        expected = known["calibration"][k]["observed_expected"]
        assert told.models["a"].at[t]["observed_expected"].value == pytest.approx(expected, abs=TOLERANCE)
        observed = told.follow_up.at[t]["observed"]
        assert observed == pytest.approx(known["calibration"][k]["observed_km"], abs=TOLERANCE)


@pytest.mark.parametrize("name", DATA)
def test_concordance_and_the_check_of_censoring_are_those_of_each_model(name):
    known, sv = numbers("golden")["datasets"][name], judged(name)
    for m in "ab":
        assert sv.concordance[m].value == pytest.approx(known["harrell"][m]["value"], abs=TOLERANCE)
        assert sv.models[m].concordance.standard_error == pytest.approx(known["harrell"][m]["se"], abs=TOLERANCE)
    check = numbers("ours")["datasets"][name]["does_censoring_follow_risk"]
    assert sv.censoring_check["a"].value == pytest.approx(check["concordance_of_risk_a_with_censoring"], abs=TOLERANCE)


@pytest.mark.parametrize("name", DATA)
def test_counts_and_weights_of_the_follow_up(name):
    sv, d = judged(name), columns(name)
    for known in numbers("ours")["datasets"][name]["weights"]:
        found = sv.follow_up.at[known["t"]]
        assert [found[k] for k in ("cases", "controls", "unknown")] == [
            known[k] for k in ("cases", "controls", "unknown")
        ]
        assert found["largest_weight"] == pytest.approx(known["largest_weight"], abs=TOLERANCE)
        assert found["effective_rows"] == pytest.approx(known["effective_rows_kish"], abs=1e-6)
        assert found["censoring_left"] == pytest.approx(known["G_before_t"], abs=TOLERANCE)
    assert sv.follow_up.events + sv.follow_up.censored == sv.follow_up.rows == len(d["time"])
    # the reverse Kaplan–Meier estimate, step by step
    left, median = 1.0, None
    for t in np.unique(d["time"]):
        here = (d["time"] == t) & (d["event"] == 0)
        left *= 1 - here.sum() / max((d["time"] > t).sum() + here.sum(), 1)
        median = t if median is None and left <= 0.5 else median
    assert sv.follow_up.median == median


@pytest.mark.parametrize("name", DATA)
def test_comparisons_are_those_of_each_kind(name):
    known, ours = numbers("golden")["datasets"][name], numbers("ours")["datasets"][name]
    sv = judged(name, probability=by_horizon(name))
    difference = known["harrell"]["difference"]
    assert sv.compare().difference.value == pytest.approx(difference["difference_a_minus_b"], abs=TOLERANCE)
    for k, t in enumerate(known["horizons"]):
        found = sv.compare("brier_loss", t)
        assert found.difference.value == pytest.approx(ours["brier"][k]["difference_a_minus_b"], abs=TOLERANCE)
        assert found.p_value == cw.compare(sv.at(t), metric="brier_loss").p_value
    assert judged(name).compare("roc_auc", t).difference.value == pytest.approx(
        known["auc"][-1]["difference_a_minus_b"], abs=TOLERANCE
    )


@pytest.mark.parametrize("name", DATA)
def test_the_mean_auc_weighs_by_the_events_between_horizons(name):
    known = numbers("golden")["datasets"][name]
    share = np.array([c["observed_km"] for c in known["calibration"]])
    auc = np.array([a["a"] for a in known["auc"]])
    expected = np.sum(auc * np.diff(share, prepend=0)) / share[-1]
    found = judged(name).mean_auc()
    assert found.values["a"].value == pytest.approx(expected, abs=TOLERANCE)
    peer = numbers("peers")["datasets"][name]["mean_auc_scikit-survival"]
    assert found.values["a"].value == pytest.approx(peer, abs=1e-3)  # whose weights are 1/G(T)
    assert not found.values["a"].has_interval
    assert (found.start, found.stop) == (known["horizons"][0], known["horizons"][-1])


RULES = {"trapezoid": "trapezoid", "step": "step_left", "step-from-zero": "riskRegression_ibs_from_zero"}


@pytest.mark.parametrize("rule", RULES)
def test_the_integrated_brier_score_is_that_of_the_rule(rule):
    known, d = numbers("golden")["ibs"]["gbsg"], columns("gbsg")
    sv = cw.survival(d["time"], d["event"], horizons=[1000.5], survival=curves(), times=known["grid"])
    found = sv.integrated_brier(rule)
    for m in "ab":
        assert found.values[m].value == pytest.approx(known[m][RULES[rule]], abs=TOLERANCE)
        assert found.values[m].low < found.values[m].value < found.values[m].high
    assert found.reference == pytest.approx(known["null"][RULES[rule]], abs=TOLERANCE)
    if rule == "trapezoid":
        assert found.skill["a"] == pytest.approx(known["integrated_ipa_trapezoid_a"], abs=TOLERANCE)
    for m in "ab":
        curve = sv.brier_curve(m)
        np.testing.assert_allclose(curve.value, known[f"brier_{m}"], atol=TOLERANCE)
        np.testing.assert_allclose(curve.reference, known["brier_null"], atol=TOLERANCE)
    assert sv.integrated_brier(rule, until=1000.5).stop == 1000.5


def test_the_error_of_the_integrated_brier_score_is_the_sum_of_squared_derivatives():
    d, times = columns("tied300"), [3.5, 6.5, 9.5]
    p = {t: d[f"p_a_{t}"] for t in times}
    some = slice(0, 60)

    def ibs(weight):
        told = {t: v[some] for t, v in p.items()}
        made = cw.survival(d["time"][some], d["event"][some], horizons=times, probability=told, weight=weight)
        return made.integrated_brier().values["score"]

    weight, step, each = np.full(60, 1.5), 1e-5, np.zeros(60)
    for k in range(60):
        moved = [weight.copy(), weight.copy()]
        moved[0][k] += step
        moved[1][k] -= step
        each[k] = weight[k] * (ibs(moved[0]).value - ibs(moved[1]).value) / (2 * step)
    assert ibs(weight).standard_error == pytest.approx(np.sqrt(np.sum(each**2)), rel=1e-6)


def test_a_horizon_of_it_is_what_every_verb_takes():
    d, sv = columns("gbsg"), judged("gbsg", probability=by_horizon("gbsg"))
    one = sv.at(1095.5, "a")
    same = cw.horizon(d["time"], d["event"], d["p_a_1095.5"], at=1095.5)
    for metric in ("roc_auc", "brier_loss", "brier_skill", "observed_expected"):
        expected = cw.interval(metric, same)
        for found in (cw.interval(metric, one), sv.models["a"].at[1095.5][metric]):
            assert (found.value, found.low, found.high) == (expected.value, expected.low, expected.high)
    assert sv.at(1095.5).models == ["a", "b"]
    assert cw.calibration(one).observed_expected.value == sv.models["a"].at[1095.5]["observed_expected"].value
    assert len(cw.reliability(one, bins=4).p) == 4
    assert judged("gbsg").at(365.5, "b").rows.score.max() == d["risk_b"].max()


def test_curves_are_horizons_at_the_times_of_events():
    d, sv = columns("gbsg"), judged("gbsg")
    curve = sv.auc_curve("a", points=7)
    assert len(curve.time) == 7
    assert set(curve.time) <= set(d["time"][d["event"] == 1])
    for k in (1, 4):
        expected = cw.interval("roc_auc", cw.horizon(d["time"], d["event"], d["risk_a"], at=curve.time[k]))
        assert (curve.value[k], curve.low[k], curve.high[k]) == (expected.value, expected.low, expected.high)
    assert [n.code for n in curve.notes][:1] == ["survival_pointwise"]
    last = judged("veteran").auc_curve("a", points=9)  # nobody is without the event at the last time
    assert [n.code for n in last.notes] == ["survival_pointwise", "survival_times_left_out"]
    assert len(last.time) == 8
    with pytest.raises(cw.CurvewiseError, match="needs probabilities, and a has none"):
        sv.brier_curve("a")


def test_competing_risks_are_judged_at_horizons_and_not_by_concordance():
    d, known = columns("melanoma"), numbers("golden")["competing_risks"]["melanoma"]
    status = d["status"] if "status" in d else d["event"]
    times = [k["t"] for k in known]
    risk = {"a": d["risk_a"], "b": d["risk_b"]}
    sv = cw.survival(d["time"], status, risk, horizons=times, cause=1)
    free = cw.survival(d["time"], status, risk, horizons=times, cause=1, controls="event-free")
    for k in known:
        two, one = k["definition_2_controls_all_others"], k["definition_1_controls_event_free"]
        assert sv.models["a"].at[k["t"]]["roc_auc"].value == pytest.approx(two["auc_a"], abs=TOLERANCE)
        assert free.models["b"].at[k["t"]]["roc_auc"].value == pytest.approx(one["auc_b"], abs=TOLERANCE)
        assert sv.follow_up.at[k["t"]]["observed"] == pytest.approx(k["aalen_johansen_cause_1"], abs=TOLERANCE)
    assert sv.concordance == {}
    assert sv.models["a"].concordance.reason.code == "survival_competing"
    assert sv.risk_groups("a").method == "Aalen-Johansen"
    with pytest.raises(cw.CurvewiseError, match="does not support competing risks"):
        sv.compare()


def test_censoring_by_score_and_of_another_sample():
    d = columns("gbsg")
    by_score = judged("gbsg", censoring="by-score")
    for m in "ab":
        same = cw.horizon(d["time"], d["event"], d[f"risk_{m}"], at=1095.5, censoring="by-score")
        assert by_score.models[m].at[1095.5]["roc_auc"].value == cw.roc_auc(same)
    assert by_score.to_dict()["censoring"] == "by-score"
    for wrong, say in (
        (lambda: by_score.at(1095.5), "its own weights"),
        (lambda: by_score.compare("auc", 365.5), "by-score"),
    ):
        with pytest.raises(cw.CurvewiseError, match=say):
            wrong()
    other = judged("gbsg", censoring=(d["time"], d["event"]))
    np.testing.assert_allclose(other.table.columns["roc_auc"], judged("gbsg").table.columns["roc_auc"])
    assert "horizon_other_sample" in [n.code for n in other.notes]


def test_what_must_not_matter_does_not():
    d, sv = columns("tied300"), judged("tied300")
    order = np.random.default_rng(1).permutation(300)
    mixed = cw.survival(
        d["time"][order],
        d["event"][order],
        {m: s[order] for m, s in risks("tied300").items()},
        horizons=[9.5, 3.5, 6.5],
    )
    stretched = cw.survival(
        7 * d["time"], d["event"], {m: np.exp(s) for m, s in risks("tied300").items()}, horizons=[24.5, 45.5, 66.5]
    )
    turned = cw.survival(
        d["time"], d["event"], {m: -s for m, s in risks("tied300").items()}, horizons=sv.horizons, higher_is="negative"
    )
    for other in (mixed, stretched, turned):
        for name in ("roc_auc", "roc_auc_low"):
            np.testing.assert_allclose(other.table.columns[name], sv.table.columns[name], atol=1e-12)
        assert other.concordance["a"].value == sv.concordance["a"].value
    assert mixed.horizons == (3.5, 6.5, 9.5)


def test_probabilities_are_of_the_event_whatever_the_score_says():
    d = columns("tied300")
    p = {"a": by_horizon("tied300")["a"]}
    low = {m: -s for m, s in risks("tied300").items()}
    times = [3.5, 6.5, 9.5]
    turned = cw.survival(d["time"], d["event"], low, horizons=times, probability=p, higher_is="negative")
    plain = judged("tied300", probability=p)
    for name in ("roc_auc", "brier_loss"):
        assert turned.table.columns[name] == plain.table.columns[name]
    assert plain.table.columns["brier_loss"][3:] == [None] * 3  # b has no probabilities


def test_a_row_with_a_missing_value_is_left_out_of_everything():
    d, times = columns("gbsg"), numbers("golden")["ibs"]["gbsg"]["grid"]
    matrix = curves()["a"].copy()
    matrix[5, 3] = np.nan
    sv = cw.survival(
        d["time"], d["event"], d["risk_a"], horizons=[1000.5], survival=matrix, times=times, missing="drop"
    )
    kept = np.arange(len(matrix)) != 5
    same = cw.survival(
        d["time"][kept], d["event"][kept], d["risk_a"][kept], horizons=[1000.5], survival=matrix[kept], times=times
    )
    assert sv.follow_up.rows == 685
    assert sv.table.columns == same.table.columns
    with pytest.raises(cw.CurvewiseError, match=r"survival at 400\.5 has 1 missing value \(row 5\)"):
        cw.survival(d["time"], d["event"], d["risk_a"], horizons=[1000.5], survival=matrix, times=times)


def test_a_model_without_a_risk_score_is_ranked_by_its_probability_at_the_last_horizon():
    d, p = columns("gbsg"), by_horizon("gbsg")
    sv = cw.survival(d["time"], d["event"], horizons=[365.5, 1095.5, 1825.5], probability=p)
    assert sv.concordance["b"].value == cw.concordance(d["time"], d["event"], d["p_b_1825.5"]).value
    assert sum(n.code == "survival_ranked_by" for n in sv.notes) == 2
    assert "1825.5" in str(sv.notes[0])
    assert sv.auc_curve("a").time.tolist() == [365.5, 1095.5, 1825.5]


def test_clusters_and_weights_reach_every_interval():
    d = columns("tied300")
    plain = judged("tied300", probability=by_horizon("tied300"))
    clustered = judged("tied300", probability=by_horizon("tied300"), cluster=d["cluster"])
    weighted = judged("tied300", probability=by_horizon("tied300"), weight=d["weight"])
    for name in ("roc_auc", "brier_loss", "observed_expected"):
        assert clustered.table.columns[name] == plain.table.columns[name]
        assert clustered.table.columns[f"{name}_low"] != plain.table.columns[f"{name}_low"]
        assert weighted.table.columns[name] != plain.table.columns[name]
    assert (
        clustered.integrated_brier().values["a"].standard_error != plain.integrated_brier().values["a"].standard_error
    )


def test_what_is_undefined_says_why_and_the_rest_is_there():
    p = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    time, event = [2, 3, 5, 6, 8, 9], [0, 1, 0, 1, 0, 1]
    sv = cw.survival(time, event, horizons=[1, 6], probability={1: p, 6: p})
    assert not sv.models["score"].at[1]["roc_auc"].is_defined
    assert sv.models["score"].at[1]["brier_loss"].is_defined
    said = [str(n) for n in sv.notes if n.code == "survival_undefined"]
    assert [text.split(":")[0] for text in said] == [
        "AUC of score at 1 is undefined",
        "Brier skill of score at 1 is undefined",
    ]
    assert sv.models["score"].at[6]["roc_auc"].is_defined
    assert sv.mean_auc().values["score"].value == sv.models["score"].at[6]["roc_auc"].value
    none = cw.survival(time, [0] * 6, p, horizons=[5])
    assert none.concordance == {}
    assert "there is no concordance: 0 of 6 rows had the event" in map(str, none.notes)
    assert none.models["score"].concordance.reason.code == "survival_no_event"
    with pytest.raises(cw.UndefinedMetricError, match="needs an event by 5"):
        none.mean_auc()
    with pytest.raises(cw.UndefinedMetricError, match="the last usable horizon is 8"):
        cw.survival(time[:5], event[:5], p[:5], horizons=[6, 9])
    with pytest.raises(cw.UndefinedMetricError, match="two times or more, got 1"):
        cw.survival(time, event, horizons=[6], probability={6: p}).integrated_brier()


def test_survival_probabilities_in_the_place_of_risks_are_noticed():
    d, p = columns("gbsg"), columns("gbsg")["p_a_365.5"]
    sv = cw.survival(d["time"], d["event"], horizons=[365.5], probability={365.5: 1 - p})
    assert "survival_probabilities" in [n.code for n in sv.notes]


def test_notes_say_of_which_model_they_are():
    d = columns("gbsg")
    sv = cw.survival(d["time"], d["event"], {"a": d["risk_a"], "turned": -d["risk_a"]}, horizons=[365.5])
    said = [str(n) for n in sv.notes if n.code == "survival_of_model"]
    assert [text.split(" ranks")[0] for text in said] == ["turned: the score"]
    assert [n.code for n in sv.models["turned"].notes] == ["survival_wrong_way"]
    assert sv.models["a"].notes == ()
    alone = cw.survival(d["time"], d["event"], -d["risk_a"], horizons=[365.5])
    assert "survival_wrong_way" in [n.code for n in alone.notes]


def test_it_prints_and_travels():
    sv = judged("gbsg", probability=by_horizon("gbsg"))
    data = json.loads(json.dumps(sv.to_dict(), allow_nan=False))
    assert data["schema"] == "curvewise.survival"
    assert [m["name"] for m in data["models"]] == ["a", "b"]
    assert data["models"][0]["horizons"][1]["metrics"][0]["value"] == sv.models["a"].at[1095.5]["roc_auc"].value
    assert data["follow_up"]["events"] == 299
    text = str(sv)
    assert all(word in text for word in ("AUC", "IPA", "Brier", "O/E", "median follow-up", "with censoring"))
    assert len(sv.table) == 6
    assert sv.table.columns["concordance"][1:3] == [None, None]
    assert "survival_assumes" in [n.code for n in sv.notes]


def test_horizons_share_the_estimate_of_censoring():
    sv = judged("gbsg")
    parts = [horizon_at(sv.predictions, sv.censorings, t, "a", "all") for t in sv.horizons]
    assert len({id(h.weights.censoring) for h in parts}) == 1
