"""What every row adds to a number at a horizon: derivatives, R's and our own reference errors, draws of whole rows."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import curvewise as cw
from censored.reference_data import columns, numbers
from censored.survival_strategies import outcomes
from curvewise.core.resampling import class_order, draw_times, replicate_draws
from curvewise.rows.horizon_rows import UNKNOWN
from ring import examples

GOLDEN, OURS = numbers("golden"), numbers("ours")
DATA = ("veteran", "gbsg", "tied300")
BLOCKS = [(name, k) for name in DATA for k in range(3)]
STEP = 1e-5
SMOOTH = ("roc_auc", "brier_loss", "log_loss", "brier_skill", "log_skill", "observed_expected", "spherical_loss")


def models(name, at, kind="p", **options):
    data = columns(name)
    scores = {m: data[f"{kind}_{m}" + (f"_{at}" if kind == "p" else "")] for m in "ab"}
    return cw.horizon(data["time"], data["event"], scores, at, **options)


def numerical(value, weight):
    """Return ω ∂value/∂ω of every row by central differences."""
    found = []
    for k in range(len(weight)):
        moved = [weight.astype(float) for _ in range(2)]
        moved[0][k] += STEP
        moved[1][k] -= STEP
        found.append((value(moved[0]) - value(moved[1])) / (2 * STEP))
    return np.array(found) * weight


@pytest.mark.parametrize(("name", "which"), BLOCKS)
def test_errors_of_brier_losses_and_of_their_difference_are_the_reference_ones(name, which):
    known = OURS["datasets"][name]["brier"][which]
    found = models(name, known["t"])
    for model in "ab":
        error = cw.interval("brier_loss", found.of(model)).standard_error
        assert error == pytest.approx(known[f"se_{model}"], rel=1e-10)
        influence = found.of(model).influence("brier_loss")
        assert math.sqrt(influence @ influence) == pytest.approx(known[f"se_{model}"], rel=1e-10)
    compared = cw.compare(found, metric="brier_loss")
    assert compared.method == "influence"
    assert compared.difference.value == pytest.approx(known["difference_a_minus_b"], abs=1e-13)
    assert compared.difference.standard_error == pytest.approx(known["se"], rel=1e-10)
    assert compared.statistic == pytest.approx(known["z"], rel=1e-9)
    assert compared.p_value == pytest.approx(known["p"], rel=1e-8)


@pytest.mark.parametrize(("name", "which"), BLOCKS)
def test_influences_on_auc_give_the_reference_errors_and_intervals_are_the_weighted_delong_ones(name, which):
    known = OURS["datasets"][name]["auc"][which]
    found = models(name, known["t"], "risk")
    for model in "ab":
        influence = found.of(model).influence("roc_auc")
        assert math.sqrt(influence @ influence) == pytest.approx(known[f"se_{model}"], rel=1e-9)
        weighted = cw.interval("roc_auc", found.rows.positive, found.rows.scores[model], weight=found.rows.weight)
        here = cw.interval("roc_auc", found.of(model))
        assert (here.value, here.low, here.high, here.method) == pytest.approx(
            (weighted.value, weighted.low, weighted.high, "delong")
        )
    delong = known["weighted_delong_of_curvewise_0.1.0"]
    assert abs(cw.interval("roc_auc", found.of("a")).standard_error / delong["se_a"] - 1) < 0.05
    compared = cw.compare(found, method="delong-wald")
    assert compared.p_value == pytest.approx(delong["p_a_against_b"], rel=0.2)


@pytest.mark.parametrize("known", OURS["horizon_is_a_censoring_time"]["tied300"], ids=lambda b: b["t"])
def test_a_horizon_at_a_censoring_time(known):
    found = models("tied300", known["t"], "risk").of("a")
    assert cw.roc_auc(found) == pytest.approx(known["auc"], abs=1e-13)
    influence = found.influence("roc_auc")
    assert math.sqrt(influence @ influence) == pytest.approx(known["se"], rel=1e-9)


@pytest.mark.parametrize("known", GOLDEN["competing_risks"]["melanoma"], ids=lambda b: b["t"])
def test_errors_with_competing_risks_are_close_to_those_of_riskregression(known):
    data, at = columns("melanoma"), known["t"]
    found = cw.horizon(data["time"], data["status"], data[f"p_a_{at}"], at, cause=1)
    assert cw.interval("brier_loss", found).standard_error == pytest.approx(known["se_brier_a"], rel=0.02)
    ranked = cw.horizon(data["time"], data["status"], data["risk_a"], at, cause=1)
    expected = known["definition_2_controls_all_others"]["se_a"]
    assert cw.interval("roc_auc", ranked).standard_error == pytest.approx(expected, rel=0.05)


@given(
    outcomes(min_size=6, max_size=10, codes=(0, 1, 1, 2), weighted=True),
    st.sampled_from([2, 2.5, 3, 4]),
    st.sampled_from(["all", "event-free"]),
)
@settings(max_examples=examples(60), deadline=None)
def test_influences_are_derivatives_by_the_weights_of_rows(data, at, controls):
    assume(0 in data["code"] and 1 in data["code"])
    p = (np.array(data["risk"]) + 1) / 5

    def horizon(weight):
        return cw.horizon(data["time"], data["code"], p, at, cause=1, weight=weight, controls=controls)

    weight = np.array(data["weight"])
    try:
        found = horizon(weight)
        cw.roc_auc(found)
    except cw.UndefinedMetricError:
        assume(False)
    assume(not found.rows.horizon.is_known)
    for metric in SMOOTH:
        if metric == "observed_expected" and controls == "event-free" and found.competing:
            with pytest.raises(cw.UndefinedMetricError, match="competing events as controls"):
                found.influence(metric)
            continue
        each = numerical(lambda w, m=metric: cw.score(m, horizon(w)), weight)
        assert found.influence(metric).tolist() == pytest.approx(each.tolist(), abs=1e-8, rel=1e-7)


@pytest.mark.parametrize("censoring", [None, "by-score"])
def test_influences_are_derivatives_on_real_data(censoring):
    data = columns("tied300")

    def horizon(weight):
        return cw.horizon(data["time"], data["event"], data["p_a_3.5"], 3.5, weight=weight, censoring=censoring)

    weight = data["weight"]
    places = np.arange(0, 300, 17)
    fixed = horizon(weight).weights.censoring.group

    def value(metric, w):
        found = horizon(w)
        assert fixed is None or (found.weights.censoring.group == fixed).all()
        return cw.score(metric, found)

    for metric in ("brier_loss", "log_loss", "brier_skill", "observed_expected"):
        each = horizon(weight).influence(metric)
        for k in places:
            moved = [weight.copy(), weight.copy()]
            moved[0][k] += STEP
            moved[1][k] -= STEP
            slope = (value(metric, moved[0]) - value(metric, moved[1])) / (2 * STEP) * weight[k]
            assert each[k] == pytest.approx(slope, abs=1e-8)
    assert horizon(weight).influence("brier_loss").sum() == pytest.approx(0, abs=1e-12)


def test_unknown_rows_add_to_what_censoring_moves():
    found = models("gbsg", 1825.5).of("a")
    influence = found.influence("brier_loss")
    assert (influence[found.label == UNKNOWN] != 0).any()
    loss = (found.rows.positive - found.rows.score) ** 2
    direct = found.rows.weight * (loss - cw.brier_loss(found)) / 686
    assert math.sqrt(influence @ influence) < math.sqrt(direct @ direct)  # known, censoring is too wide
    through = influence.copy()
    through[found.label >= 0] -= direct
    assert np.abs(through[found.label >= 0]).max() > 1e-6


def test_clusters_sum_influences():
    data = columns("tied300")
    found = models("tied300", 6.5, cluster=data["cluster"])
    influence = found.of("a").influence("brier_loss")
    sums = np.bincount(data["cluster"].astype(int), influence)
    assert cw.interval("brier_loss", found.of("a")).standard_error == pytest.approx(math.sqrt(sums @ sums), rel=1e-12)
    apart = np.bincount(data["cluster"].astype(int), influence - found.of("b").influence("brier_loss"))
    compared = cw.compare(found, metric="brier_loss")
    assert compared.difference.standard_error == pytest.approx(math.sqrt(apart @ apart), rel=1e-12)
    assert compared.pairs[0].degrees_of_freedom == len(np.unique(data["cluster"])) - 1


def test_strata_compare_rows_within_them():
    data = columns("tied300")
    stratum = data["cluster"] % 5
    plain, within = (cw.interval("brier_loss", models("tied300", 6.5, **s).of("a")) for s in ({}, {"stratum": stratum}))
    influence = models("tied300", 6.5).of("a").influence("brier_loss")
    variance = 0.0
    for k in range(5):
        own = influence[stratum == k]
        variance += len(own) / (len(own) - 1) * np.sum((own - own.mean()) ** 2)
    assert within.value == plain.value
    assert within.standard_error == pytest.approx(math.sqrt(variance), rel=1e-12)


def test_ratio_of_observed_to_expected_lets_both_vary():
    data = columns("gbsg")
    found = models("gbsg", 1095.5).of("a")
    p = data["p_a_1095.5"]
    ratio = cw.interval("observed_expected", found)
    assert ratio.value == pytest.approx(found.observed.value / p.mean(), rel=1e-13)
    # with E as known it is Greenwood's error, which does not know that O and E go together
    assert ratio.standard_error < found.observed.standard_error / p.mean()
    assert ratio.high / ratio.value == pytest.approx(ratio.value / ratio.low, rel=1e-12)
    drawn = []
    rng = np.random.default_rng(5)
    for _ in range(400):
        rows = rng.integers(0, 686, 686)
        again = cw.horizon(data["time"][rows], data["event"][rows], p[rows], 1095.5)
        drawn.append(cw.score("observed_expected", again))
    assert ratio.standard_error == pytest.approx(np.std(drawn), rel=0.1)
    with pytest.raises(cw.OptionError, match="O/E at a horizon has one method"):
        cw.interval("observed_expected", found, method="percentile")


@given(outcomes(min_size=4, max_size=12, weighted=True), st.sampled_from([2, 3, 3.5]), st.integers(0, 99))
def test_weights_of_a_resample_are_those_of_a_horizon_made_of_it(data, at, seed):
    try:
        found = cw.horizon(data["time"], data["code"], data["risk"], at, weight=data["weight"])
    except cw.UndefinedMetricError:
        assume(False)
    times = np.bincount(np.random.default_rng(seed).integers(0, len(found.label), len(found.label)))
    times = np.append(times, np.zeros(len(found.label) - len(times), dtype=int))
    own = times * np.array(data["weight"])
    assume(own.any())
    try:
        again = cw.horizon(data["time"], data["code"], data["risk"], at, weight=own)
    except cw.UndefinedMetricError:
        with pytest.raises(cw.UndefinedMetricError):
            found.weights.weights(own.astype(float))
        return
    drawn = found.weights.weights(own.astype(float))
    assert drawn[own > 0].tolist() == pytest.approx(again.weight.tolist(), rel=1e-13)
    assert not drawn[own == 0].any()


@pytest.mark.parametrize("cluster", [False, True])
@pytest.mark.parametrize("metric", ["roc_auc", "brier_loss", "average_precision"])
def test_a_bootstrap_draws_whole_rows_and_estimates_censoring_anew(metric, cluster):
    data = columns("tied300")
    group = data["cluster"].astype(int) if cluster else np.arange(300)
    found = models("tied300", 6.5, **({"cluster": group} if cluster else {})).of("a")
    ours = cw.interval(metric, found, method="percentile", replicates=400)
    p, drawn, rng = data["p_a_6.5"], [], np.random.default_rng(8)
    members = [np.flatnonzero(group == g) for g in np.unique(group)]
    for _ in range(400):
        rows = np.concatenate([members[g] for g in rng.integers(0, len(members), len(members))])
        again = cw.horizon(data["time"][rows], data["event"][rows], p[rows], 6.5)
        drawn.append(cw.score(metric, again))
    assert ours.standard_error == pytest.approx(np.std(drawn, ddof=1), rel=0.15)
    assert (ours.low, ours.high) == pytest.approx(tuple(np.quantile(drawn, [0.025, 0.975])), abs=0.03)
    error = cw.interval(metric, found).standard_error
    assert ours.standard_error == pytest.approx(error, rel=0.15)


def test_draws_include_rows_that_are_unknown():
    found = models("tied300", 6.5).of("a")
    times = draw_times(found.rows, stratified=True)
    sums, totals = [], []
    for seed in range(20):
        weight = times(np.random.default_rng(seed))
        assert len(weight) == len(found.rows)
        totals.append(weight.sum())
        sums.append(weight[: found.cases].sum())
    # every resample of 300 rows sums to 300, whatever it drew of the 144 known ones
    assert totals == pytest.approx([300] * 20)
    assert np.std(sums) > 0
    assert (class_order(found.rows)[: found.cases] == np.flatnonzero(found.rows.positive)).all()


def test_models_are_compared_on_the_same_resamples():
    data = columns("tied300")
    scores = {"a": data["p_a_6.5"], "same": data["p_a_6.5"]}
    found = cw.horizon(data["time"], data["event"], scores, 6.5)
    compared = cw.compare(found, metric="average_precision", method="bootstrap", replicates=50)
    assert (compared.pairs[0].drawn == 0).all()
    other = cw.compare(models("tied300", 6.5), metric="average_precision", method="bootstrap", replicates=300)
    by_influence = cw.compare(models("tied300", 6.5), metric="average_precision")
    assert by_influence.method == "influence"
    assert other.difference.standard_error == pytest.approx(by_influence.difference.standard_error, rel=0.2)


def test_a_resample_in_which_nobody_is_followed_up_defines_nothing():
    time = [1, 2, 3, 4, 5, 6, 7, 8]
    event = [1, 1, 0, 1, 0, 0, 0, 0]
    found = cw.horizon(time, event, [8, 7, 6, 5, 4, 3, 2, 1], 8)
    draw = draw_times(found.rows, stratified=False)
    _, failed = replicate_draws(lambda rng: draw(rng).sum(), 200, 0)
    assert 0.2 < failed / 200 < 0.5  # (7/8)^8 of them do not have the only row that is followed up to 8
    estimate = cw.interval("brier_loss", cw.horizon(time, event, np.linspace(0.9, 0.1, 8), 8), method="percentile")
    assert any(n.code == "resamples_undefined" for n in estimate.notes)
