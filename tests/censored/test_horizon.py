"""A horizon: R's numbers, exact identities on any data, competing risks, estimates of censoring."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import curvewise as cw
from censored.brute_force import event_free_at, incidence_at, rows_of, uncensored_before
from censored.reference_data import columns, numbers
from censored.survival_strategies import outcomes
from ring import examples

GOLDEN, OURS = numbers("golden"), numbers("ours")
DATA = ("veteran", "gbsg", "tied300")
BLOCKS = [(name, k) for name in DATA for k in range(3)]
CLOSE = {"abs": 1e-12, "rel": 1e-12}


def block(kind, name, which):
    return GOLDEN["datasets"][name][kind][which]


def horizon(name, column, at, **options):
    data = columns(name)
    return cw.horizon(data["time"], data["event"], data[column], at, **options)


@pytest.mark.parametrize(("name", "which"), BLOCKS)
def test_numbers_of_the_ranking_are_r_s(name, which):
    known = block("sweep", name, which)
    found = horizon(name, "risk_a", known["t"])
    assert found.sweep.n == pytest.approx(known["weight_sum"], **CLOSE)
    assert found.sweep.positives == pytest.approx(known["cases_weight"], **CLOSE)
    assert found.sweep.negatives == pytest.approx(known["controls_weight"], **CLOSE)
    assert found.sweep.prevalence == pytest.approx(known["one_minus_km"], **CLOSE)
    assert cw.roc_auc(found) == pytest.approx(known["auc"], **CLOSE)
    assert cw.average_precision(found) == pytest.approx(known["average_precision"], **CLOSE)
    partial = cw.partial_roc_auc(found, fpr=(0, 0.2), scale="raw")
    assert partial == pytest.approx(known["partial_auc_fpr_0_0.2_raw"], **CLOSE)
    cut = found.sweep.at(known["at"]["threshold"])
    rates = {"sensitivity": cut.recall, "specificity": cut.specificity, "ppv": cut.precision, "npv": cut.npv}
    assert rates == pytest.approx({k: known["at"][k] for k in rates}, **CLOSE)


@pytest.mark.parametrize(("name", "which"), BLOCKS)
@pytest.mark.parametrize("model", ["a", "b"])
def test_numbers_of_probabilities_are_r_s(name, which, model):
    brier, sweep = block("brier", name, which), block("sweep", name, which)
    found = horizon(name, f"p_{model}_{brier['t']}", brier["t"])
    assert cw.brier_loss(found) == pytest.approx(brier[model], **CLOSE)
    assert cw.brier_skill(found) == pytest.approx(brier[f"ipa_{model}"], **CLOSE)
    if model == "a":
        assert cw.log_loss(found) == pytest.approx(sweep["log_loss_p_a"], **CLOSE)
        cuts = [b["cost_ratio_threshold"] for b in sweep["net_benefit_p_a"]]
        curve = cw.decision_curve(found, thresholds=cuts)
        assert curve.net_benefit.tolist() == pytest.approx(
            [b["net_benefit"] for b in sweep["net_benefit_p_a"]], **CLOSE
        )


@pytest.mark.parametrize(("name", "which"), BLOCKS)
def test_counts_are_rows_and_weights_say_how_much_is_known(name, which):
    known = OURS["datasets"][name]["weights"][which]
    found = horizon(name, "risk_a", known["t"])
    names = {"cases": "cases", "controls": "controls", "unknown": "unknown", "largest_weight": "largest_weight"}
    names |= {"effective_rows_kish": "effective_rows", "G_before_t": "censoring_left"}
    assert {k: getattr(found, v) for k, v in names.items()} == pytest.approx({k: known[k] for k in names}, **CLOSE)


@pytest.mark.parametrize(("name", "which"), BLOCKS)
def test_the_share_observed_is_kaplan_and_meier_s_with_greenwood_s_error(name, which):
    known = block("calibration", name, which)
    found = horizon(name, "risk_a", known["t"]).observed
    assert found.value == pytest.approx(known["observed_km"], **CLOSE)
    assert found.standard_error == pytest.approx(known["observed_se"], **CLOSE)
    assert found.low < found.value < found.high
    assert found.horizon == known["t"]


@pytest.mark.parametrize("at", ["6", "6.5"])
def test_weights_row_by_row(at):
    data = columns("tied300_weights")
    found = horizon("tied300", "risk_a", float(at))
    assert found.weight.tolist() == pytest.approx(data[f"inclusive_{at}"].tolist(), abs=1e-14)
    assert ((found.label == 1) == (data[f"y_{at}"] == 1)).all()
    assert ((found.label == -1) == (data[f"inclusive_{at}"] == 0)).all()


@pytest.mark.parametrize("known", GOLDEN["horizon_is_a_censoring_time"]["tied300"], ids=lambda b: b["t"])
def test_a_row_censored_at_the_horizon_is_a_control_and_just_after_it_is_r_s(known):
    at = float(known["t"])
    assert cw.roc_auc(horizon("tied300", "risk_a", at)) == pytest.approx(known["inclusive"]["auc"], **CLOSE)
    ap = cw.average_precision(horizon("tied300", "risk_a", at))
    assert ap == pytest.approx(known["inclusive"]["average_precision"], **CLOSE)
    after = horizon("tied300", "risk_a", np.nextafter(at, np.inf))
    assert cw.roc_auc(after) == pytest.approx(known["riskRegression_auc"], **CLOSE)
    assert after.observed.value == pytest.approx(known["one_minus_km"], **CLOSE)


@pytest.mark.parametrize(
    "known", GOLDEN["weights_clusters_entry"]["tied300"]["case_weights"]["auc"], ids=lambda b: b["t"]
)
def test_case_weights_are_rows_repeated(known):
    data = columns("tied300")
    found = horizon("tied300", "risk_a", known["t"], weight=data["weight"])
    assert cw.roc_auc(found) == pytest.approx(known["auc"], **CLOSE)
    probabilities = horizon("tied300", f"p_a_{known['t']}", known["t"], weight=data["weight"])
    assert cw.brier_loss(probabilities) == pytest.approx(known["brier"], **CLOSE)


@pytest.mark.parametrize("known", GOLDEN["competing_risks"]["melanoma"], ids=lambda b: b["t"])
def test_competing_risks_in_both_definitions(known):
    data, at = columns("melanoma"), known["t"]
    given_ = {"time": data["time"], "event": data["status"], "at": at, "cause": 1}
    both = known["definition_2_controls_all_others"], known["definition_1_controls_event_free"]
    for model in ("a", "b"):
        every = cw.horizon(risk=data[f"risk_{model}"], **given_)
        free = cw.horizon(risk=data[f"risk_{model}"], controls="event-free", **given_)
        assert cw.roc_auc(every) == pytest.approx(both[0][f"auc_{model}"], **CLOSE)
        assert cw.roc_auc(free) == pytest.approx(both[1][f"auc_{model}"], **CLOSE)
    assert every.observed.value == pytest.approx(known["aalen_johansen_cause_1"], **CLOSE)
    assert free.observed.value == pytest.approx(known["aalen_johansen_cause_1"], **CLOSE)
    assert every.sweep.prevalence == pytest.approx(known["aalen_johansen_cause_1"], **CLOSE)
    assert every.sweep.n == pytest.approx(known["weight_sum"], **CLOSE)
    assert every.sweep.positives == pytest.approx(known["cases_weight"], **CLOSE)
    assert every.competing == int(np.sum((data["status"] == 2) & (data["time"] <= at)))
    assert free.controls == every.controls - every.competing
    probabilities = cw.horizon(risk=data[f"p_a_{at}"], **given_)
    assert cw.brier_loss(probabilities) == pytest.approx(known["brier_a"], **CLOSE)
    assert cw.brier_skill(probabilities) == pytest.approx(known["ipa_a"], **CLOSE)
    base = probabilities.sweep.prevalence
    assert base * (1 - base) == pytest.approx(known["brier_null"], **CLOSE)


@given(outcomes(weighted=True, codes=(0, 1, 1, 2)), st.sampled_from([0.5, 1, 1.5, 2, 3, 3.5, 4, 5, 5.5]))
@settings(max_examples=examples(300))
def test_weights_sum_to_the_rows_and_the_share_of_cases_is_aalen_and_johansen_s(data, at):
    assume(1 in data["code"] and 0 in data["code"])  # without 0, the only other code is read as censored
    rows = rows_of(data["time"], data["code"], data["risk"], data["weight"])
    last = max(rows, key=lambda row: (row.time, row.code == 0))
    given_ = (data["time"], data["code"], data["risk"], at)
    if last.code == 0 and last.time < at:
        with pytest.raises(cw.UndefinedMetricError, match="nobody is known to be without the event"):
            cw.horizon(*given_, cause=1, weight=data["weight"])
        return
    found = cw.horizon(*given_, cause=1, weight=data["weight"])
    total = float(sum(row.weight for row in rows))
    assert found.weight.sum() == pytest.approx(total, rel=1e-14)
    assert found.sweep.n == pytest.approx(total, rel=1e-14)
    assert found.sweep.prevalence == pytest.approx(float(incidence_at(rows, at)), abs=1e-14)
    assert found.observed.value == pytest.approx(float(incidence_at(rows, at)), abs=1e-14)
    for row, label, weight in zip(rows, found.label, found.weight, strict=True):
        left = uncensored_before(rows, min(row.time, at))
        assert label == (1 if row.code == 1 and row.time <= at else -1 if row.code == 0 and row.time < at else 0)
        assert weight == pytest.approx(0 if label < 0 else float(row.weight / left), rel=1e-14)


@given(outcomes(weighted=True), st.sampled_from([1, 1.5, 2, 3, 3.5, 4]))
@settings(max_examples=examples(300))
def test_auc_and_losses_are_those_of_fractions(data, at):
    rows = rows_of(data["time"], data["code"], data["risk"], data["weight"])
    try:
        found = cw.horizon(data["time"], data["code"], np.array(data["risk"]) / 4, at, weight=data["weight"])
        area = cw.roc_auc(found)
    except cw.UndefinedMetricError:
        assume(False)
    cases = [(r, r.weight / uncensored_before(rows, r.time)) for r in rows if r.code and r.time <= at]
    free = [r for r in rows if r.time > at or (r.time == at and not r.code)]
    controls = [(r, r.weight / uncensored_before(rows, at)) for r in free]
    pairs = [(a.risk - b.risk, v * w) for a, v in cases for b, w in controls]
    wins = sum(w for apart, w in pairs if apart > 0) + sum(w for apart, w in pairs if apart == 0) / 2
    assert area == pytest.approx(float(wins / sum(w for _, w in pairs)), rel=1e-13)
    lost = sum(w * (1 - r.risk / 4) ** 2 for r, w in cases) + sum(w * (r.risk / 4) ** 2 for r, w in controls)
    assert cw.score("brier_loss", found) == pytest.approx(float(lost / sum(r.weight for r in rows)), rel=1e-13)


@given(outcomes(max_size=12), st.sampled_from([1, 1.5, 2, 3, 3.5, 4]))
def test_without_competing_events_the_share_is_that_of_kaplan_and_meier(data, at):
    rows = rows_of(data["time"], data["code"], data["risk"])
    try:
        found = cw.horizon(data["time"], data["code"], data["risk"], at)
    except cw.UndefinedMetricError:
        assume(False)
    assert found.sweep.prevalence == pytest.approx(float(1 - event_free_at(rows, at)), abs=1e-14)


@given(outcomes(min_size=4, max_size=30), st.sampled_from([1, 2, 3, 3.5]), st.randoms(use_true_random=False))
def test_the_order_of_rows_the_unit_of_time_and_monotone_scores_do_not_matter(data, at, random):
    try:
        found = cw.horizon(data["time"], data["code"], data["risk"], at)
        value = cw.roc_auc(found)
    except cw.UndefinedMetricError:
        assume(False)
    places = list(range(len(data["time"])))
    random.shuffle(places)
    time, code, risk = (np.array(data[k])[places] for k in ("time", "code", "risk"))
    other = cw.horizon(365.25 * time, code.astype(bool), np.exp(risk) - 7, 365.25 * at)
    assert cw.roc_auc(other) == pytest.approx(value, abs=1e-13)
    assert other.weight.tolist() == pytest.approx(found.weight[places].tolist(), rel=1e-13)
    turned = cw.horizon(time, code, -risk, at, higher_is="negative")
    assert cw.roc_auc(turned) == pytest.approx(value, abs=1e-13)


def test_without_censoring_it_is_the_binary_problem():
    rng = np.random.default_rng(3)
    time, p = rng.exponential(1, 80), rng.random(80)
    y, found = time <= 0.8, cw.horizon(time, np.ones(80), p, 0.8)
    assert found.rows.weight is None
    assert found.sweep == cw.sweep(y, p)
    for metric in (
        "roc_auc",
        "average_precision",
        "brier_loss",
        "brier_skill",
        "observed_expected",
        "calibration_slope",
    ):
        here, there = cw.interval(metric, found), cw.interval(metric, y, p)
        assert (here.value, here.low, here.high, here.method) == (there.value, there.low, there.high, there.method)
    here, there = (cw.interval("f1", *rows, threshold=0.4) for rows in ((found,), (y, p)))
    assert (here.low, here.high) == (there.low, there.high)
    assert "none was censored earlier" in str(here.notes[0])


def test_whole_weights_are_no_repetition():
    # 38 of 76 rows are censored at one time, so that every later row weighs exactly 2
    rng = np.random.default_rng(0)
    time = np.concatenate([np.full(38, 1.0), 1 + rng.random(38)])
    event = np.repeat([0, 1], 38)
    found = cw.horizon(time, event, rng.random(76), 1.7)
    assert set(found.weight[found.label >= 0].tolist()) == {2.0}
    assert not found.rows.is_whole
    assert not found.sweep.is_whole
    bare = cw.interval("roc_auc", found.rows.positive, found.rows.score)
    assert cw.interval("roc_auc", found).standard_error == pytest.approx(bare.standard_error, rel=1e-12)


def test_censoring_in_tenths_of_the_score_keeps_both_identities():
    data = columns("gbsg")
    found = cw.horizon(data["time"], data["event"], data["risk_a"], 1095.5, censoring="by-score")
    assert found.weight.sum() == pytest.approx(686, rel=1e-13)
    assert found.sweep.prevalence == pytest.approx(found.observed.value, rel=1e-13)
    shares = []
    for tenth in range(10):
        on = found.weights.censoring.group == tenth
        alone = cw.horizon(data["time"][on], data["event"][on], data["risk_a"][on], 1095.5)
        assert found.weight[on].tolist() == pytest.approx(alone.weight.tolist(), rel=1e-12)
        shares.append(alone.observed.value * on.sum() / 686)
    assert found.observed.value == pytest.approx(sum(shares), rel=1e-12)


def test_censoring_of_another_sample_is_taken_as_known():
    data, other = columns("gbsg"), columns("veteran")
    own = cw.horizon(data["time"], data["event"], data["risk_a"], 1095.5)
    same = cw.horizon(data["time"], data["event"], data["risk_a"], 1095.5, censoring=(data["time"], data["event"]))
    assert same.weight.tolist() == pytest.approx(own.weight.tolist(), rel=1e-14)
    assert [n.code for n in same.notes] == ["horizon_other_sample"]
    there = cw.horizon(other["time"], other["event"], other["risk_a"], 80.5, censoring=(data["time"], data["event"]))
    assert there.observed.value == pytest.approx(block("calibration", "veteran", 0)["observed_km"], **CLOSE)
    assert there.sweep.n != pytest.approx(137)


def test_it_prints_counts_travels_and_picks_a_model():
    data = columns("gbsg")
    found = horizon("gbsg", "risk_a", 1095.5)
    text = "Horizon(1095.5: 224 had the event, 331 did not, 131 unknown; 35.74% by then; weights to 1.3318)"
    assert repr(found) == text
    assert str(found.sweep).startswith("Sweep(at 1095.5: 224 had the event, 331 did not, 131 unknown; ")
    assert "at 1095.5" in str(found.rows)
    written = found.to_dict()
    assert written["schema"] == "curvewise.horizon"
    assert (written["cases"], written["unknown"], written["at"]) == (224, 131, 1095.5)
    assert "rows" not in written
    assert found.to_frame("pandas")["observed"][0] == pytest.approx(0.3574, abs=1e-4)
    two = cw.horizon(data["time"], data["event"], {"a": data["risk_a"], "b": data["risk_b"]}, 1095.5)
    assert two.models == ["a", "b"]
    assert cw.roc_auc(two.of("a")) == cw.roc_auc(found)
    with pytest.raises(cw.CurvewiseError, match="Rows of 2 models"):
        cw.roc_auc(two)


def test_a_sweep_of_a_horizon_travels_with_its_rows():
    found = horizon("tied300", "p_a_6.5", 6.5).sweep
    back = cw.Sweep.from_dict(found.to_dict())
    assert back == found
    assert back.horizon == found.horizon
    assert cw.score("observed_expected", back) == cw.score("observed_expected", found)


def test_competing_events_are_named_where_it_prints():
    data = columns("melanoma")
    every = cw.horizon(data["time"], data["status"], data["risk_a"], 1825.5, cause=1)
    free = cw.horizon(data["time"], data["status"], data["risk_a"], 1825.5, cause=1, controls="event-free")
    assert f"({every.competing} of them a competing one)" in str(every)
    assert f"{free.competing} with a competing event left out" in str(free)
    assert every.observed.method.startswith("Aalen-Johansen")


def test_notes_say_where_little_is_known():
    time = np.concatenate([np.linspace(1, 2, 200), [3, 3, 3, 3]])
    event = np.zeros(204)
    event[[0, 5, 9, 200]] = 1
    found = cw.horizon(time, event, np.ones(204), 3)
    codes = [n.code for n in found.notes]
    few = ["horizon_few_cases", "horizon_few_controls"]
    assert codes == ["horizon_rarely_followed", "horizon_heavy", *few, "horizon_equal_scores"]
    assert all(n.text("zh") != n.text("en") for n in found.notes)
    assert cw.roc_auc(found) == 0.5
