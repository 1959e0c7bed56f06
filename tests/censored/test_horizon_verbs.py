"""Every verb takes a horizon in the place of labels and scores."""

import math

import numpy as np
import pytest

import curvewise as cw
from censored.reference_data import columns, numbers
from curvewise.metric.registry import every

GOLDEN = numbers("golden")
DATA = ("veteran", "gbsg", "tied300")
BLOCKS = [(name, k) for name in DATA for k in range(3)]
TIED = columns("tied300")
GROUP = np.where(TIED["cluster"] % 2 == 0, "even", "odd")
ONE = {"time": TIED["time"], "event": TIED["event"], "risk": TIED["p_a_6.5"], "at": 6.5}
QUICK = {"replicates": 40}


@pytest.fixture(scope="module")
def one():
    return cw.horizon(**ONE)


@pytest.fixture(scope="module")
def two():
    return cw.horizon(TIED["time"], TIED["event"], {"a": TIED["p_a_6.5"], "b": TIED["p_b_6.5"]}, 6.5)


def weighted(h, model=None):
    """Return labels, scores and weights, as one gave them before there was a horizon."""
    rows = h.rows if model is None else h.rows.of(model)
    return {"y": rows.positive, "score": rows.score, "weight": rows.weight}


VALUES = ("roc_auc", "partial_roc_auc", "average_precision", "pr_auc", "h_measure")
PROBABILITIES = ("brier_loss", "log_loss", "spherical_loss", "brier_skill", "log_skill", "spherical_skill")


@pytest.mark.parametrize("verb", [*VALUES, *PROBABILITIES])
def test_a_number_is_that_of_the_weighted_rows(one, verb):
    rows = weighted(one)
    y, score, weight = rows.values()
    assert getattr(cw, verb)(one) == pytest.approx(getattr(cw, verb)(y, score, weight=weight), rel=1e-15)
    assert cw.score(verb, one) == getattr(cw, verb)(one)


CURVES = ("roc_curve", "pr_curve", "pr_gain_curve", "det_curve", "lift_curve", "roc_hull", "cost_curve", "brier_curve")
OTHERS = ("threshold_rates", "score_histogram", "isotonic", "decompose", "recalibrate")


@pytest.mark.parametrize("verb", [*CURVES, *OTHERS])
def test_a_curve_is_that_of_the_weighted_rows(one, verb):
    y, score, weight = weighted(one).values()
    here, there = getattr(cw, verb)(one), getattr(cw, verb)(y, score, weight=weight)
    assert here.table.content()["rows"] == there.table.content()["rows"]


def _options(metric):
    return {k: 0.3 for k in metric.required if k != "threshold"}


def test_every_metric_has_a_value_and_an_interval_or_says_why(one):
    for metric in every():
        found = cw.metric_table(one, metrics=[metric.name], thresholds=[0.3], **QUICK, **_options(metric))
        found = next(e for *_, e in found.every)
        if not found.is_defined:
            assert found.reason is not None
            continue
        assert found.horizon == 6.5
        assert found.notes[0].code == "at_horizon"
        assert found.notes[0].values == {"at": "6.5", "cases": 58, "controls": 86, "unknown": 156}
        assert str(found).startswith(f"{metric.name} at 6.5 ")
        assert not found.has_interval or found.low <= found.value <= found.high
        assert found.to_dict()["horizon"] == 6.5


def test_verbs_print_rows_and_not_weights(one, two):
    table = cw.metric_table(two, thresholds=[0.3], **QUICK)
    assert {k: table.facts[k] for k in ("rows", "positives", "negatives", "unknown")} == {
        "rows": 300,
        "positives": 58,
        "negatives": 86,
        "unknown": 156,
    }
    assert table.facts["prevalence"] == pytest.approx(one.observed.value)
    groups = cw.by_group(one, GROUP, metrics=["roc_auc"], **QUICK)
    assert groups.overall.sizes["n"] == 300
    assert sum(g.sizes["unknown"] for g in groups.groups()) == 156
    assert sum(g.sizes["positives"] for g in groups.groups()) == 58
    assert "at 6.5: 58 had the event, 86 did not, 156 unknown" in cw.calibration(one).table.title
    assert "fitted on 144 rows" in cw.recalibrate(one, method="platt").table.title
    assert "58" in one.sweep._repr_html_()


@pytest.mark.parametrize(("name", "which"), BLOCKS)
def test_calibration_compares_kaplan_and_meier_s_share_with_the_probabilities_of_all_rows(name, which):
    known, data = GOLDEN["datasets"][name]["calibration"][which], columns(name)
    at = known["t"]
    found = cw.calibration(cw.horizon(data["time"], data["event"], data[f"p_a_{at}"], at))
    assert found.observed_expected.value == pytest.approx(known["observed_expected"], rel=1e-12)
    fitted = known["ipcw_logistic"]
    assert found.slope.value == pytest.approx(fitted["slope"], rel=1e-9)
    assert found.intercept.value == pytest.approx(fitted["intercept"], rel=1e-9, abs=1e-9)
    assert found.in_the_large.value == pytest.approx(fitted["in_the_large"], rel=1e-9, abs=1e-9)
    assert {"at_horizon", "calibration_at_horizon"} <= {n.code for n in found.notes}
    assert found.expected == {}
    # R's limits of O/E take E as known, and so does the error of the share observed
    h = cw.horizon(data["time"], data["event"], data[f"p_a_{at}"], at)
    reach = 1.959963984540054 * h.observed.standard_error / h.observed.value
    ends = [found.observed_expected.value * math.exp(side * reach) for side in (-1, 1)]
    assert ends == pytest.approx([known["oe_low"], known["oe_high"]], rel=1e-7)


@pytest.mark.parametrize(("name", "which"), BLOCKS)
def test_shares_in_bins_are_those_of_survfit_with_log_log_limits(name, which):
    known, data = GOLDEN["datasets"][name]["calibration"][which], columns(name)
    at, p = known["t"], data[f"p_a_{known['t']}"]
    weighing = cw.horizon(data["time"], data["event"], p, at).rows.horizon.weighing
    for b in known["bins"]:
        on = (p >= b["from"]) & ((p < b["to"]) | (b["to"] == 1))
        assert on.sum() == b["rows"]
        if not on.any():
            continue
        value, error, low, high = weighing.observed(on, 0.95)
        if b["observed_km"] is None:
            assert math.isnan(value)
            continue
        assert value == pytest.approx(b["observed_km"], abs=1e-12)
        assert error == pytest.approx(math.nan if b["se"] is None else b["se"], abs=1e-12, nan_ok=True)
        ends = [b[k] if 0 < value < 1 else math.nan for k in ("low", "high")]  # survfit has 0 to 0, or none
        assert [low, high] == pytest.approx(ends, rel=1e-8, nan_ok=True)


@pytest.mark.parametrize("binning", ["width", "count"])
def test_reliability_in_bins_holds_all_rows(one, binning):
    found = cw.reliability(one, bins=4, binning=binning)
    assert found.n.sum() == 300
    assert (found.p @ found.n) / 300 == pytest.approx(TIED["p_a_6.5"].mean())
    first = (TIED["p_a_6.5"] <= found.stop[0]) & (TIED["p_a_6.5"] >= found.start[0])
    alone = cw.horizon(TIED["time"][first], TIED["event"][first], TIED["p_a_6.5"][first], 6.5)
    assert found.observed[0] == pytest.approx(alone.observed.value, rel=1e-13)
    assert (found.low[0], found.high[0]) == pytest.approx((alone.observed.low, alone.observed.high), rel=1e-13)
    assert [n.code for n in found.notes] == ["at_horizon", "reliability_in_bins_at_horizon"]
    assert cw.reliability(one, bins=4, binning=binning, bands="none").low is None


def test_a_bin_whose_follow_up_ends_early_has_no_share():
    time, event = [1, 2, 3, 9, 9, 4, 5, 9, 9], [0, 1, 0, 0, 1, 1, 1, 0, 0]
    p = [0.1, 0.1, 0.1, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6]
    found = cw.reliability(cw.horizon(time, event, p, 8), bins=2)
    assert math.isnan(found.observed[0])
    assert found.observed[1] == pytest.approx(2 / 6)
    none = cw.reliability(cw.horizon([3, 9, 9, 9], [0, 0, 0, 0], [0.2] * 4, 8), bins=1)
    assert (none.observed[0], math.isnan(none.low[0])) == (0, True)


@pytest.mark.parametrize("method", ["isotonic", "smooth", "spline"])
def test_other_curves_of_reliability_are_of_the_weighted_rows(one, method):
    found = cw.reliability(one, method=method, **QUICK)
    assert [n.code for n in found.notes][:2] == ["at_horizon", "reliability_at_horizon"]
    y, score, weight = weighted(one).values()
    there = cw.reliability(y, score, method=method, weight=weight, **QUICK)
    assert found.observed.tolist() == pytest.approx(there.observed.tolist())


def test_survival_probabilities_in_the_place_of_risks_are_asked_about():
    data = columns("gbsg")
    survival = 1 - data["p_a_365.5"]
    notes = cw.calibration(cw.horizon(data["time"], data["event"], survival, 365.5)).notes
    assert "are these survival probabilities?" in str(notes[-1])
    assert "survival_probabilities" not in [n.code for n in cw.calibration(cw.horizon(**ONE)).notes]


def test_an_operating_point_a_decision_curve_and_predictive_values(one):
    point = cw.operating_point(one, cw.rules.min_cost(fp=1, fn=5), **QUICK)
    assert point.replicates > 30
    assert point.confusion.prevalence == pytest.approx(one.observed.value)
    known = cw.interval("recall", one, threshold=point.threshold)
    assert point.estimates["recall"].low == pytest.approx(known.low)
    assert cw.operating_point(one, rule=cw.rules.youden(), replicates=0).threshold == pytest.approx(0.437823)
    curve = cw.decision_curve(one, thresholds=[0.1, 0.3])
    assert (curve.low < curve.net_benefit).all()
    assert (curve.net_benefit < curve.high).all()
    value = one.sweep.at(0.3)
    benefit = (value.tp - 3 / 7 * value.fp) / 300
    assert curve.net_benefit[1] == pytest.approx(benefit)
    found = cw.ppv_npv(one, threshold=0.3, prevalence=[0.1])
    assert len(found.table) > 0


def test_net_benefit_varies_as_resamples_say(one):
    curve = cw.decision_curve(one, thresholds=[0.3])
    drawn = cw.interval(lambda s: s.at(0.3).net_benefit(0.3), one, replicates=500)
    assert curve.high[0] - curve.low[0] == pytest.approx(drawn.high - drawn.low, rel=0.15)


@pytest.mark.parametrize("metric", ["recall", "precision", "f1", "average_precision", "recall_at_fpr"])
def test_intervals_by_formula_are_about_those_of_the_bootstrap(one, metric):
    options = {"fpr": 0.3} if metric == "recall_at_fpr" else {"threshold": 0.3}
    options = {} if metric == "average_precision" else options
    formula, drawn = (cw.interval(metric, one, method=m, replicates=400, **options) for m in (None, "percentile"))
    assert formula.high - formula.low == pytest.approx(drawn.high - drawn.low, rel=0.25)


def test_models_are_compared_by_all_ways(two):
    assert cw.compare(two).method == "delong"
    assert cw.compare(two, metric="log_loss").method == "influence"
    assert cw.compare(two, metric="recall", threshold=0.3).method == "influence"
    assert cw.compare(two, metric="observed_expected").p_value < 1
    assert cw.compare(two, metric="roc_auc", method="bootstrap", **QUICK).values["a"] == cw.roc_auc(two.of("a"))
    assert cw.compare(two, method="permutation", **QUICK).p_value <= 1
    against = cw.compare(two.of("a"))
    assert against.pairs[0].second == "value"
    with pytest.raises(cw.OptionError, match="'mcnemar' takes rows that are independent"):
        cw.compare(two, metric="recall", threshold=0.3, method="mcnemar")
    assert cw.joint_hull(two).auc > 0.7
    assert cw.reclassification(two, thresholds=[0.2, 0.4]) is not None


def test_groups_share_the_estimate_of_censoring_and_expect_by_their_own_rows(one):
    found = cw.by_group(one, GROUP, metrics=["roc_auc", "observed_expected", "brier_loss"], **QUICK)
    for group in found.groups():
        here, known = np.equal(GROUP, group.name), one.rows.horizon.place
        y, score, weight = (v[here[known]] for v in weighted(one).values())
        assert group.estimates["roc_auc"].value == pytest.approx(cw.roc_auc(y, score, weight=weight))
        share = np.average(y, weights=weight)
        expected = TIED["p_a_6.5"][here].mean()  # of the unknown rows too
        assert group.estimates["observed_expected"].value == pytest.approx(share / expected)
    assert found.gap("brier_loss").has_interval
    assert found.gaps().columns["metric"] == ["roc_auc", "observed_expected", "brier_loss"]
    both = cw.by_group(one, {"g": GROUP, "late": TIED["cluster"] > 8}, metrics=["observed_expected"], **QUICK)
    assert len(both.breakdowns) == 3
    assert sum(g.sizes["n"] for g in both.groups("g, late")) == 300
    rest = found.gap("observed_expected", reference="rest")
    assert rest.is_defined
    assert cw.by_group(one, group=GROUP, metrics="auc", **QUICK).overall.sizes["n"] == 300


def test_groups_are_given_for_all_rows(one):
    with pytest.raises(cw.CurvewiseError, match="the horizon has 300 rows, group has 144 rows"):
        cw.by_group(one, GROUP[one.label >= 0])


def test_fairness_and_sites(one):
    assert cw.fairness(one, group=GROUP, threshold=0.3, **QUICK).table is not None
    sites = cw.by_site(one, site=TIED["cluster"] % 4, **QUICK)
    assert len(sites.sites) == 4
    assert [s.group.name for s in cw.by_site(one, TIED["cluster"] % 4, **QUICK).sites] == ["0.0", "1.0", "2.0", "3.0"]


def test_rows_and_clusters_and_weights_go_along():
    found = cw.horizon(**ONE, cluster=TIED["cluster"], weight=TIED["weight"])
    assert found.rows.cluster.max() + 1 == len(np.unique(TIED["cluster"]))
    narrow, wide = (cw.interval("roc_auc", h) for h in (cw.horizon(**ONE, weight=TIED["weight"]), found))
    assert narrow.value == wide.value
    assert narrow.standard_error != wide.standard_error
    for metric, options in (("brier_loss", {}), ("recall", {"threshold": 0.3}), ("f1", {"threshold": 0.3})):
        assert cw.interval(metric, found, **options, **QUICK).has_interval
    assert cw.calibration(found).slope.has_interval
    assert "clusters" in cw.calibration(found).table.title


def test_what_needs_rows_that_count_alike_says_so(one, two):
    for verb, match in (
        (lambda: cw.calibration_belt(one), "these are weighted"),
        (lambda: cw.pool_rates(one, site=TIED["cluster"] % 4, threshold=0.3), "nor sampling weights"),
        (lambda: cw.interval("roc_auc", one, method="hanley-mcneil"), "independent and count alike"),
        (lambda: cw.interval("roc_auc", one.sweep), "no interval of its own"),
        (lambda: one.sweep + one.sweep, "Sweeps at a horizon cannot be added"),
        (lambda: cw.roc_auc(one, TIED["p_a_6.5"]), "already read: score cannot apply"),
        (lambda: cw.roc_auc(one, weight=TIED["weight"]), "already read: weight cannot apply"),
        (lambda: cw.verification_corrected(one, TIED["p_a_6.5"], 0.3), "no unverified rows left"),
        (lambda: cw.reader_study(one, TIED["p_a_6.5"]), "do not say who read them"),
    ):
        with pytest.raises(cw.CurvewiseError, match=match):
            verb()


def test_expected_probabilities_are_not_guessed(one):
    moved = one.sweep.at_prevalence(0.1)
    with pytest.raises(cw.UndefinedMetricError, match="O/E at a horizon needs the probabilities of all rows"):
        cw.score("observed_expected", moved)
    data = columns("melanoma")
    free = cw.horizon(data["time"], data["status"], data["p_a_1825.5"], 1825.5, cause=1, controls="event-free")
    with pytest.raises(cw.UndefinedMetricError, match="competing events as controls"):
        cw.score("observed_expected", free)


def test_a_group_of_unknown_rows_alone_is_named(one):
    group = np.where(one.label == -1, "gone", GROUP)
    group[np.flatnonzero(one.label == -1)[:3]] = "odd"
    found = cw.by_group(one, group, metrics="roc_auc", **QUICK)
    assert [g.name for g in found.groups()] == ["even", "odd"]
    assert str(found.notes[0]).endswith("left out: gone")


def test_costs_are_compared_by_what_all_rows_add(two):
    found = cw.compare_costs(two, fp=1, fn=3, **QUICK)
    assert found.difference.has_interval
    y, weight = two.rows.positive, two.rows.weight
    known = cw.compare_costs(y, two.rows.scores, fp=1, fn=3, weight=weight, **QUICK)
    assert found.difference.standard_error != known.difference.standard_error
    assert found.difference.standard_error == pytest.approx(known.difference.standard_error, rel=0.2)


def test_draws_know_no_classes(one):
    with pytest.raises(cw.OptionError, match="stratified: at a horizon whole rows are drawn"):
        cw.interval("average_precision", one, method="percentile", stratified=True)
