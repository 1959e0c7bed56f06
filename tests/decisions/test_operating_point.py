"""The chosen point: pROC's thresholds, what is reported with them, and whether resampling tells the truth."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm

import curvewise as cw
from curvewise import rules
from curvewise.decisions import operating_point as choosing
from curvewise.decisions import repeated_choice as drawing
from curvewise.decisions.optimism import _corrected, _length
from curvewise.decisions.repeated_choice import Choices
from curvewise.words import Words

HERE = Path(__file__).parents[1] / "reference"
GOLDEN = json.loads((HERE / "golden.json").read_text())["cases"]
MODELS = [(case, model) for case, models in GOLDEN.items() for model in models if model != "a-b"]
# pROC 1.18.0 coords(x="best"); best.weights=c(5, 0.1): the cost of a miss in false alarms, the prevalence
PROC = {
    "youden": rules.youden(),
    "topleft": rules.closest_topleft(),
    "youden_w5_p0.1": rules.min_cost(fp=1, fn=5, prevalence=0.1),
}


def simulated(n, seed, prevalence=0.3, apart=1.2):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < prevalence
    return y, rng.normal(size=n) + apart * y


@pytest.mark.parametrize(("case", "model"), MODELS)
@pytest.mark.parametrize("rule", PROC)
def test_best_points_of_proc(case, model, rule):
    table = np.genfromtxt(HERE / f"{case}.csv", delimiter=",", names=True)
    (wanted,) = GOLDEN[case][model][rule]
    for turn, higher_is in ((1, "positive"), (-1, "negative")):
        point = cw.operating_point(table["y"], turn * table[model], PROC[rule], replicates=0, higher_is=higher_is)
        assert turn * point.midpoint == pytest.approx(wanted["threshold_midpoint"], abs=1e-12)
        assert point.confusion.recall == pytest.approx(wanted["sensitivity"], abs=1e-11)
        assert point.confusion.specificity == pytest.approx(wanted["specificity"], abs=1e-11)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.uint8])
@pytest.mark.parametrize("higher_is", ["positive", "negative"])
def test_threshold_and_midpoint_flag_the_same_rows(dtype, higher_is):
    rng = np.random.default_rng(2)
    y = rng.random(60) < 0.4
    score = rng.integers(0, 40, 60) + 10 * (y if higher_is == "positive" else ~y)
    point = cw.operating_point(y, score.astype(dtype), rules.youden(), replicates=0, higher_is=higher_is)
    s = cw.sweep(y, score.astype(dtype), higher_is=higher_is)
    assert point.threshold in s.threshold
    cells = [(c.tp, c.fp) for c in (point.confusion, s.at(point.threshold), s.at(point.midpoint))]
    assert cells[0] == cells[1] == cells[2]
    assert point.midpoint != point.threshold


@pytest.mark.parametrize(
    ("score", "midpoint"),
    [
        ([1.0, np.nextafter(1.0, 0), 0.0], 1.0),  # nothing lies between
        # halfway, as float64; as float32 it is 1, which flags the same
        (np.array([1, np.nextafter(np.float32(1), np.float32(0)), 0], dtype=np.float32), 1 - 2.0**-25),
        # halfway would be 1 as float32, which flags too much
        (np.array([np.nextafter(np.float32(1), np.float32(2)), 1, 0], dtype=np.float32), 1 + 2.0**-23),
        ([math.inf, -math.inf, -math.inf], math.inf),
        ([5.0, -math.inf, -math.inf], 5.0),
        ([1.7e308, -1.7e308, -1.7e308], 0.0),
        (np.array([2**62 + 1, 2**62, 0]), 2**62 + 1),
    ],
)
def test_midpoints_where_floating_point_ends(score, midpoint):
    point = cw.operating_point([1, 0, 0], score, rules.youden(), replicates=0)
    assert point.midpoint == midpoint
    assert (point.confusion.tp, point.confusion.fp) == (1, 0)


def test_infinite_scores_and_no_row_flagged():
    point = cw.operating_point([0, 1], [math.inf, 1.0], rules.min_cost(fp=9, fn=1), replicates=0)
    assert (point.threshold, point.confusion.fp) == (math.inf, 0)
    assert point.flags_nothing
    assert point.notes[0].code == "infinite_scores"


def test_rates_are_those_of_the_confusion_table():
    y, score = simulated(200, 1)
    point = cw.operating_point(y, score, rules.max_fpr(0.1), level=0.9, replicates=0)
    table = {row["metric"]: row for row in point.confusion.rates(0.9).rows()}
    assert {"recall", "specificity", "fpr", "precision", "npv", "predicted_rate"} <= set(point.estimates)
    assert "prevalence" not in point.estimates  # which no threshold moves
    for row in point.rates.rows():
        assert row == table[row["metric"]]
        assert (
            point.estimates[row["metric"]].brief()
            == cw.interval(row["metric"], y, score, threshold=point.threshold, level=0.9).brief()
        )
    assert point.value == point.confusion.recall
    assert point.prevalence == cw.sweep(y, score).prevalence
    assert (point.optimism, point.threshold_interval, point.replicates) == (None, None, 0)


def test_another_prevalence_changes_what_alarms_are_worth():
    y, score = simulated(400, 2)
    here = cw.operating_point(y, score, rules.youden(), replicates=0)
    there = cw.operating_point(y, score, rules.youden(prevalence=0.01), replicates=0)
    assert (here.threshold, here.value) == (there.threshold, pytest.approx(there.value))
    rates = {row["metric"]: row for row in there.rates.rows()}
    moved = cw.sweep(y, score).at_prevalence(0.01).at(there.threshold)
    assert rates["precision"]["value"] == pytest.approx(moved.precision)
    table = cw.ppv_npv(here.confusion, prevalence=[0.01]).table.rows()[0]
    assert (rates["precision"]["low"], rates["npv"]["high"]) == (table["ppv_low"], table["npv_high"])
    assert rates["recall"]["low"] == {r["metric"]: r for r in here.rates.rows()}["recall"]["low"]
    assert "at a prevalence of 1%" in there.sentence
    assert f"{100 * moved.precision:.1f} of 100 alarms are correct" in there.sentence
    assert "On these data" in there.sentence
    # the rule itself moves too, as it does on a sweep at that prevalence
    stated = cw.operating_point(y, score, rules.max_f(prevalence=0.01), replicates=0)
    as_sweep = cw.operating_point(cw.sweep(y, score).at_prevalence(0.01), rule=rules.max_f(), rng=0)
    assert stated.threshold == as_sweep.threshold != cw.operating_point(y, score, rules.max_f()).threshold
    assert stated.value == pytest.approx(as_sweep.value)
    assert as_sweep.optimism is None
    assert as_sweep.sentence == stated.sentence
    assert [note.code for note in as_sweep.notes] == ["weighted_sweep_not_resampled"]
    assert "pass labels, scores and weights" in str(as_sweep.estimates["recall"].reason)


def test_ties_are_listed_and_the_highest_chosen():
    point = cw.operating_point([1, 0, 1, 0], [4, 3, 2, 1], rules.youden(), replicates=0)
    assert (point.threshold, point.tied) == (4, (4, 2))
    assert "Equally good: 2; the first is chosen." in str(point)


def test_five_ties_are_listed_and_more_are_counted():
    for scores, words in ((12, "10.0, 8.0, 6.0, 4.0, 2.0; the first"), (14, "12.0, 10.0, 8.0, 6.0, 4.0 and 1 more")):
        y = np.arange(scores) % 2 == 1  # every positive stands just above a negative
        point = cw.operating_point(y, np.arange(scores) + 1.0, rules.youden(), replicates=0)
        assert len(point.tied) == scores / 2
        assert words in str(point)


def test_prints_and_travels():
    y, score = simulated(150, 3)
    point = cw.operating_point(y, score, rules.min_cost(fp=1, fn=5), rng=1, replicates=50)
    text = str(point)
    assert text == repr(point)
    for words in (
        "min_cost(fp=1, fn=5): threshold",
        "to deploy",
        "to expect on new rows",
        "apparent",
        "a miss costs",
        point.sentence,
    ):
        assert words in text
    assert "Flag scores of" in point._repr_html_()
    data = json.loads(json.dumps(point.to_dict(), allow_nan=False))
    assert data["rule"] == {"name": "min_cost", "options": {"fp": 1, "fn": 5}, "prevalence": None}
    assert data["threshold"] == point.threshold
    assert data["optimism"]["expectations"][0]["metric"] == data["goal"] == "expected_cost"
    assert data["optimism"]["expectations"][0]["corrected"] == point.optimism.goal.corrected.value
    assert data["best_for"]["cost_ratio"] == list(point.best_for.cost_ratio)
    function = cw.operating_point(y, score, lambda c: c.f1, replicates=0).to_dict()
    assert "lambda" in json.dumps(function)
    with pytest.raises(AttributeError):
        point.threshold = 3


def test_an_answer_for_any_number_of_threads():
    y, score = simulated(300, 4)
    found = []
    for threads in (1, 2, 5):
        cw.set_threads(threads)
        point = cw.operating_point(y, score, rules.max_mcc(), rng=7, replicates=120)
        found.append((point.threshold_interval, point.optimism))
    assert found[0] == found[1] == found[2]
    assert cw.operating_point(y, score, rules.max_mcc(), rng=8, replicates=120).optimism != found[0][1]


@pytest.mark.parametrize("rule", [rules.youden(), rules.max_f(), rules.max_fpr(0.1)])
def test_corrected_rates_tell_what_new_rows_will_show(rule):
    """Over many samples the apparent value is too good, and the corrected one is right on average."""
    optimism, error = [], []
    for seed in range(80):
        y, score = simulated(80, seed)
        point = cw.operating_point(y, score, rule, rng=seed, replicates=60)
        recall, fpr = norm.sf(point.threshold - 1.2), norm.sf(point.threshold)
        truth = cw.Confusion(tp=0.3 * recall, fp=0.7 * fpr, fn=0.3 * (1 - recall), tn=0.7 * (1 - fpr))
        found = point.optimism.expectations[1] if rule.limits else point.optimism.goal
        new = rule.measures[found.metric](truth)
        optimism.append(found.apparent - new)
        error.append(found.corrected.value - new)
    noise = np.std(error) / math.sqrt(len(error))
    assert abs(np.mean(error)) < 2.5 * noise
    assert abs(np.mean(optimism)) > abs(np.mean(error)) + 1.5 * noise


@pytest.mark.parametrize("prevalence", [None, 0.02])
def test_corrected_metrics_are_those_of_one_table(prevalence):
    """Recall and FPR are corrected; all else follows from them, so nothing contradicts the sentence."""
    y, score = simulated(120, 11)
    for rule in (rules.youden(prevalence=prevalence), rules.max_f(prevalence=prevalence), rules.min_recall(0.9)):
        point = cw.operating_point(y, score, rule, rng=0, replicates=100)
        e = {name: found.value for name, found in point.expected.items()}
        share = point.prevalence
        hits, alarms = share * e["recall"], share * e["recall"] + (1 - share) * e["fpr"]
        assert e["specificity"] == pytest.approx(1 - e["fpr"])
        assert e["predicted_rate"] == pytest.approx(alarms)
        assert e["precision"] == pytest.approx(hits / alarms)
        assert e["accuracy"] == pytest.approx(hits + (1 - share) * e["specificity"])
        goal = {"youden": e["recall"] - e["fpr"], "f_beta": 2 * hits / (share + alarms), "fpr": e["fpr"]}
        assert point.optimism.goal.corrected.value == pytest.approx(goal[rule.goal])
        for found in point.optimism.expectations:
            assert found.corrected.low <= found.corrected.value <= found.corrected.high
            assert found.corrected.method == "optimism-corrected"
        for name in ("recall", "fpr", "precision"):
            assert f" {Words('en').numbers.of(e[name], 100)} of 100 " in point.sentence
        assert "On new data, expect" in point.sentence
        assert "Uncorrected: " in point.sentence
        assert "在新数据中，预期" in point.sentence_in("zh")


def test_intervals_of_corrected_rates_by_hand():
    """Wilson at the corrected rate of the rows of the class, and the correction added towards the apparent."""
    y, score = simulated(150, 12)
    point = cw.operating_point(y, score, rules.youden(), rng=0, replicates=200)
    found, positives = point.optimism["recall"], int(y.sum())
    value, apparent = found.corrected.value, found.apparent
    assert apparent > value
    low, high = cw.rate_interval(value * positives, positives)
    assert found.corrected.low == pytest.approx(low)
    assert found.corrected.high == pytest.approx(min(value + math.hypot(high - value, apparent - value), 1))
    # Youden's J: the squares of what recall and FPR may be off add up
    fpr, goal = point.optimism["fpr"].corrected, point.optimism.goal.corrected
    assert goal.value - goal.low == pytest.approx(math.hypot(value - found.corrected.low, fpr.high - fpr.value))
    assert goal.high - goal.value == pytest.approx(math.hypot(found.corrected.high - value, fpr.value - fpr.low))


def test_intervals_of_corrected_rates_hold_the_truth():
    """Of 240 intervals at 95%, at least 218 hold what the threshold does in the population (binomial, 1 in 1000)."""
    held = {"recall": 0, "specificity": 0, "precision": 0, "youden": 0}
    for seed in range(240):
        y, score = simulated(60, seed, prevalence=0.5, apart=1.8)
        point = cw.operating_point(y, score, rules.youden(), rng=seed, replicates=60)
        recall, fpr = norm.sf(point.threshold - 1.8), norm.sf(point.threshold)
        truth = {"recall": recall, "specificity": 1 - fpr, "precision": recall / (recall + fpr), "youden": recall - fpr}
        for name in held:
            e = point.optimism[name].corrected
            held[name] += e.low <= truth[name] <= e.high
    assert min(held.values()) >= 218


def test_nothing_is_corrected_where_no_row_is_flagged():
    y, score = simulated(100, 13, apart=0.0)
    point = cw.operating_point(y, score, rules.min_cost(fp=1000, fn=1, prevalence=0.01), rng=0, replicates=50)
    if not point.flags_nothing:
        point = cw.operating_point(~y, score, rules.min_cost(fp=1000, fn=1, prevalence=0.01), rng=0, replicates=50)
    assert point.flags_nothing
    cost = point.optimism.goal
    assert (cost.apparent, cost.corrected.value) == (pytest.approx(0.01), pytest.approx(0.01))
    assert (cost.corrected.low, cost.corrected.high) == (pytest.approx(0.01), pytest.approx(0.01))
    assert point.expected["recall"].value == 0
    assert math.isnan(point.expected["precision"].value)


def test_functions_without_a_value_or_a_bound():
    y, score = simulated(100, 14)
    endless = cw.operating_point(y, score, lambda c: c.tp / c.fp if c.fp else math.inf, rng=0, replicates=40)
    found = endless.optimism.goal.corrected
    assert math.isnan(found.low) or math.isinf(found.high)
    never = cw.operating_point(y, score, lambda c: c.f1 if c.tp == int(c.tp) else math.nan, rng=0, replicates=40)
    assert never.optimism.goal.corrected.reason.code == "function_nan"


def test_a_weight_of_one_half_each_changes_nothing_but_the_draws():
    y, score = simulated(200, 6)
    plain = cw.operating_point(y, score, rules.youden(), rng=0, replicates=300)
    halves = cw.operating_point(y, score, rules.youden(), rng=1, replicates=300, weight=np.full(200, 0.5))
    assert halves.confusion.tp == plain.confusion.tp / 2
    assert halves.threshold == plain.threshold
    assert halves.optimism.goal.apparent == pytest.approx(plain.optimism.goal.apparent)
    assert float(halves.optimism.goal.corrected) == pytest.approx(float(plain.optimism.goal.corrected), abs=0.02)
    low, high = halves.threshold_interval
    assert low <= halves.threshold <= high
    for name, rate in halves.estimates.items():
        same = plain.estimates[name]
        assert rate.high - rate.low == pytest.approx(same.high - same.low, rel=0.15)


def test_many_rows_are_drawn_by_bin_as_by_row(monkeypatch):
    y, score = simulated(3000, 8)
    by_row = cw.operating_point(y, score, rules.youden(), rng=0, replicates=300)
    monkeypatch.setattr(drawing, "MANY", 1000)
    monkeypatch.setattr(drawing, "CANDIDATES_OF_MANY", 400)
    by_bin = cw.operating_point(y, score, rules.youden(), rng=0, replicates=300)
    assert any("resamples chose from" in str(note) for note in by_bin.notes)
    assert not any("resamples chose from" in str(note) for note in by_row.notes)
    for one, other in zip(by_row.optimism.expectations, by_bin.optimism.expectations, strict=True):
        assert other.apparent == one.apparent
        new, old = other.corrected, one.corrected
        assert new.value == pytest.approx(old.value, abs=0.004)
        assert new.high - new.low == pytest.approx(old.high - old.low, rel=0.2)
    assert by_bin.threshold_interval == pytest.approx(by_row.threshold_interval, abs=0.1)


def test_poisson_draws_by_bin_have_the_law_of_rows():
    rng = np.random.default_rng(0)
    counts = np.array([0, 1, 7, 40])
    pairs = np.array([drawing._poisson(rng, counts) for _ in range(4000)])
    times = rng.poisson(1, (4000, 40))
    rows = np.stack([times.sum(axis=1), (times == 0).sum(axis=1)])
    drawn, never = pairs[:, 0], pairs[:, 1]
    assert (drawn[:, 0] == 0).all()
    assert (never[:, 0] == 0).all()
    assert ((drawn[:, 1] == 0) == (never[:, 1] == 1)).all()
    assert drawn.mean(axis=0) == pytest.approx(counts, rel=0.05)
    assert never.mean(axis=0) == pytest.approx(counts / math.e, rel=0.06)
    assert np.cov(drawn[:, 3], never[:, 3]) == pytest.approx(np.cov(rows), rel=0.12)


def test_few_rows_and_rules_without_an_answer_in_resamples():
    y, score = [1, 0, 1, 0, 0, 0], [6, 5, 4, 3, 2, 1]
    point = cw.operating_point(y, score, rules.min_precision(1), rng=0, replicates=100)
    assert "only 2 positives" in str(point.notes[0])
    assert "of 100 resamples have no threshold that meets this rule" in str(point.notes[1])
    assert point.replicates < 100
    alone = cw.operating_point([1, 0], [2, 1], rules.youden(), rng=0, replicates=20)
    assert math.isnan(alone.optimism.goal.corrected.value)  # no row is ever left to judge by
    assert alone.optimism.goal.corrected.reason.code == "no_row_left_out"


def test_positives_that_no_score_reaches():
    s = cw.Sweep.from_counts([0.9, 0.8, 0.5], [3, 2, 1], [0, 1, 4], total_positives=10)
    point = cw.operating_point(s, rule=rules.max_f(), rng=0, replicates=50)
    assert (point.threshold, point.confusion.fn) == (0.8, 5)
    with pytest.raises(cw.UndefinedMetricError, match=r"the nearest that can be reached is 0.6000"):
        cw.operating_point(s, rule=rules.min_recall(0.9))


def test_every_noun_and_place_of_the_rule():
    y, score = simulated(120, 5)
    rule = rules.max_fpr(0.1)
    s, rows = cw.sweep(y, score), cw.read_rows(y, score)
    wanted = cw.operating_point(y, score, rule, replicates=50)
    for point in (
        cw.operating_point(y, score, rule=rule, replicates=50),
        cw.operating_point(s, rule, replicates=50),
        cw.operating_point(s, rule=rule, replicates=50),
        cw.operating_point(rows, rule, replicates=50),
        cw.operating_point(rows, rule=rule, replicates=50),
    ):
        assert point.to_dict() == wanted.to_dict()
    f1 = cw.operating_point(y, score, lambda c: c.f1, replicates=0)
    assert cw.operating_point(s, lambda c: c.f1, replicates=0).threshold == f1.threshold
    with pytest.raises(cw.CurvewiseError, match="cannot apply"):
        cw.operating_point(s, score, rule)
    with pytest.raises(cw.CurvewiseError, match="cluster: needs labels and scores"):
        cw.operating_point(s, rule, cluster=np.arange(120))


def widths(point):
    """Return the width of every interval of a point."""
    found = {name: e.high - e.low for name, e in point.estimates.items()}
    more = {f"corrected {e.metric}": e.corrected.high - e.corrected.low for e in point.optimism.expectations}
    low, high = point.threshold_interval
    return {**found, **more, "threshold": high - low}


@pytest.mark.parametrize("rule", [rules.youden(), rules.max_fpr(0.1), rules.min_cost(fp=1, fn=5, prevalence=0.05)])
def test_rows_repeated_under_their_cluster_know_no_more(rule):
    y, score = simulated(400, 1)
    ten = np.repeat(np.arange(400), 10)
    once = cw.operating_point(y, score, rule, replicates=4000)
    many = cw.operating_point(y[ten], score[ten], rule, cluster=ten, replicates=4000)
    weighed = cw.operating_point(y, score, rule, weight=np.full(400, 10), replicates=4000)
    assert once.threshold == many.threshold == weighed.threshold
    for repeated in (many, weighed):
        assert widths(repeated) == pytest.approx(widths(once), rel=0.15)
        for name, rate in once.estimates.items():
            assert repeated.estimates[name].value == pytest.approx(rate.value)
    counted = cw.operating_point(y, score, rule, weight=np.full(400, 10), weight_kind="count", replicates=200)
    forgotten = cw.operating_point(y[ten], score[ten], rule, replicates=200)
    for name in once.estimates:
        assert counted.estimates[name] == forgotten.estimates[name]
        assert widths(counted)[name] < 0.4 * widths(once)[name]


def test_counts_within_clusters_are_rows_repeated():
    y, score = simulated(150, 2)
    times = np.random.default_rng(0).integers(1, 4, 150)
    cluster = np.arange(150) // 3
    counted = cw.operating_point(
        y, score, rules.youden(), weight=times, weight_kind="count", cluster=cluster, replicates=200
    )
    repeated = cw.operating_point(
        *(np.repeat(v, times) for v in (y, score)),
        rules.youden(),
        cluster=np.repeat(cluster, times),
        replicates=200,
    )
    assert counted.to_dict() == repeated.to_dict()


def test_rates_are_those_that_interval_gives():
    y, score = simulated(200, 9)
    cluster = np.arange(200) // 4
    point = cw.operating_point(y, score, rules.youden(), cluster=cluster, replicates=0)
    for name, rate in point.estimates.items():
        assert rate == cw.interval(name, y, score, threshold=point.threshold, cluster=cluster)
        assert rate.method == "wilson"
    assert point.optimism is None


def test_rates_at_a_stated_prevalence_have_intervals_of_their_own():
    y, score = simulated(300, 3)
    point = cw.operating_point(y, score, rules.youden(prevalence=0.02), replicates=0)
    moved = cw.sweep(y, score).at_prevalence(0.02).at(point.threshold)
    for name, rate in point.estimates.items():
        assert rate.value == pytest.approx(getattr(moved, name))
        assert 0 <= rate.low < rate.value < rate.high <= 1
    for name, other in (("precision", "fdr"), ("npv", "false_omission_rate"), ("accuracy", "error")):
        one, two = point.estimates[name], point.estimates[other]
        assert (one.low, one.high) == pytest.approx((1 - two.high, 1 - two.low))
    # a share of all rows against its bootstrap
    table = cw.interval(
        lambda s: 0.02 * s.at(point.threshold).recall + 0.98 * s.at(point.threshold).specificity, y, score
    )
    accuracy = point.estimates["accuracy"]
    assert (accuracy.low, accuracy.high) == pytest.approx((table.low, table.high), abs=0.02)


def test_the_sentence_in_two_languages():
    y, score = simulated(100, 4)
    point = cw.operating_point(y, score, rules.youden(), replicates=0)
    assert point.sentence == point.sentence_in("en") == str(point.statement)
    assert point.sentence.startswith(f"Flag scores of {point.threshold} or more. On these data,")
    assert str(point.threshold) in point.sentence_in("zh")
    assert "分数不低于" in point.sentence_in("zh")
    none = cw.operating_point([0, 1], [2.0, 1.0], rules.min_cost(fp=9, fn=1), replicates=0)
    assert none.flags_nothing
    assert "均不预警" in none.sentence_in("zh")
    low = cw.operating_point(y, -score, rules.youden(), replicates=0, higher_is="negative")
    assert "or less" in low.sentence
    assert "不高于" in low.sentence_in("zh")
    for remark in point.remarks():
        assert remark.text("zh") != remark.text("en")


def test_every_row_option_counts():
    y, score = simulated(60, 7)
    labels = np.where(y, "ill", "well")
    holes = np.append(np.round(score, 3), np.nan)
    point = cw.operating_point(
        np.append(labels, "ill"),
        -holes,
        rules.youden(),
        positive="ill",
        higher_is="negative",
        missing="drop",
        round_to=1,
        weight=np.full(61, 2.5),
        cluster=np.arange(61) // 2,
        replicates=50,
    )
    assert point.confusion.dropped == 1
    assert point.confusion.n == pytest.approx(60 * 2.5)
    assert point.threshold == pytest.approx(round(point.threshold, 1))
    assert all(e.has_interval for e in point.estimates.values())
    with pytest.raises(cw.CurvewiseError, match="did you mean 'cluster'"):
        cw.operating_point(y, score, rules.youden(), clusters=y)


def test_results_have_the_methods_of_all_results():
    y, score = simulated(80, 8)
    point = cw.operating_point(y, score, rules.youden(), replicates=40)
    for result in (
        point,
        point.optimism,
        point.optimism.goal,
        point.best_for,
        cw.ppv_npv(point.confusion, prevalence=[0.1]),
    ):
        assert isinstance(result, type(point).__mro__[1])
        data = json.loads(json.dumps(result.to_dict(), allow_nan=False))
        assert data["schema"].startswith("curvewise.")
        assert result.to_markdown()
        assert result._repr_html_()
        assert str(result) == repr(result)
        assert len(result.to_frame("pandas"))


@pytest.mark.parametrize("counts", [(0, 2, 0, 5), (3, 0, 4, 0), (0, 0, 0, 0)])
def test_nothing_is_corrected_where_no_row_of_a_class_was_left_out(counts):
    here = cw.Confusion(tp=6, fp=2, fn=4, tn=8)
    drawn = np.array([[6.0, 3, 10, 10]])
    found = Choices(np.array([0]), drawn, np.array([counts], dtype=float), 0, 5)
    assert _corrected(here, found, 0.5) is None
    # TP, FP, P, N of the rows drawn and not drawn: recall 0.6 against 0.4, FPR 0.3 against 0.5
    known = _corrected(here, Choices(np.array([0]), drawn, np.array([[2.0, 2, 5, 4]]), 0, 5), 0.5)
    assert (known.recall, known.fpr) == (pytest.approx(0.6 - 0.5 * 0.2), pytest.approx(0.2 + 0.5 * 0.2))


@pytest.mark.parametrize(("positives", "code"), [(3, "few_positives_chosen"), (37, "few_negatives_chosen")])
def test_a_class_of_few_weighted_rows_is_told(positives, code):
    y = np.arange(40) < positives
    point = cw.operating_point(y, np.arange(40.0) % 7, rules.youden(), weight=np.full(40, 0.5), replicates=0)
    assert [(n.code, n.values["count"]) for n in point.notes if "few" in n.code] == [(code, 3)]


def test_as_many_hits_as_false_alarms_are_corrected_too():
    """TP = FP = 5 of 10: recall 0.8 against 0.6 and FPR 0.3 against 0.4 on the rows drawn and not drawn."""
    here = cw.Confusion(tp=5, fp=5, fn=5, tn=5)
    found = Choices(np.array([0]), np.array([[8.0, 3, 10, 10]]), np.array([[3.0, 2, 5, 5]]), 0, 5)
    known = _corrected(here, found, 0.5)
    assert (known.recall, known.fpr) == (pytest.approx(0.5 - 0.5 * 0.2), pytest.approx(0.5 + 0.5 * 0.1))
    # FPR 5/10 here, and as many hits: its interval is no point at 0
    y, score = np.repeat([1, 0], 20), np.tile(np.repeat([2.0, 1.0], 10), 2)
    point = cw.operating_point(y, score, rules.max_fpr(0.5), rng=0, replicates=50)
    assert point.confusion.tp == point.confusion.fp == 10
    assert 0.2 < point.optimism["fpr"].corrected.low < point.optimism["fpr"].corrected.high < 0.8


def test_lengths_of_correlated_moves():
    alone, together = np.eye(2), np.array([[1, 0.5], [0.5, 1]])
    assert _length(np.array([3.0, 4.0]), alone) == pytest.approx(5)
    assert _length(np.array([3.0, -4.0]), together) == pytest.approx(math.sqrt(9 + 16 - 12))
    assert _length(np.array([math.inf, 1.0]), alone) == math.inf
    assert math.isnan(_length(np.array([math.nan, math.inf]), alone))


def test_no_row_flagged_leaves_the_interval_of_the_prevalence():
    """Every miss costs 2, so the cost is twice the share of positives, between twice its Wilson limits."""
    y, score = np.repeat([0, 1], [28, 12]), np.arange(40.0)[::-1]
    point = cw.operating_point(y, score, rules.min_cost(fp=50, fn=2), rng=0, replicates=20)
    found, (low, high) = point.optimism.goal.corrected, cw.rate_interval(12, 40)
    assert (point.flags_nothing, found.value) == (True, pytest.approx(2 * 12 / 40))
    assert (found.low, found.high) == (pytest.approx(2 * low), pytest.approx(2 * high))
    alone = cw.operating_point(y, score, rules.min_cost(fp=50, fn=2), rng=0, replicates=20, cluster=[1] * 40)
    found = alone.optimism.goal.corrected
    assert (found.value, found.reason.code) == (pytest.approx(2 * 12 / 40), "one_cluster")
    assert math.isnan(found.low)
    assert math.isnan(found.high)


def test_a_measure_that_is_infinite_has_no_interval():
    y, score = simulated(100, 14)
    point = cw.operating_point(y, score, lambda c: math.inf if c.tp else 0.0, rng=0, replicates=20)
    found = point.optimism.goal.corrected
    assert (found.value, found.reason.code) == (math.inf, "infinite_value")


def test_errors_of_rates_that_go_together_in_clusters():
    """Clusters move recall and FPR alike, so Youden's J, their difference, varies less than the two alone."""
    rng = np.random.default_rng(3)
    cluster = np.repeat(np.arange(30), 12)
    y = rng.random(360) < 0.4
    score = rng.normal(size=360) + 1.5 * y + 1.5 * rng.normal(size=30)[cluster]
    point = cw.operating_point(y, score, rules.youden(), rng=0, replicates=60, cluster=cluster)
    flagged, away = score >= point.threshold, []
    for rows in (y, ~y):
        each, hits = np.bincount(cluster, rows, 30), np.bincount(cluster, rows & flagged, 30)
        away.append(hits - hits.sum() / each.sum() * each)
    along = away[0] @ away[1] / math.sqrt(away[0] @ away[0] * (away[1] @ away[1]))
    assert along > 0.3
    recall, fpr, goal = (point.optimism[k].corrected for k in ("recall", "fpr", "youden"))
    for found, a, b in (
        (goal.value - goal.low, recall.value - recall.low, fpr.high - fpr.value),
        (goal.high - goal.value, recall.high - recall.value, fpr.value - fpr.low),
    ):
        assert found == pytest.approx(math.sqrt(a * a + b * b - 2 * along * a * b))


def separated(**options):
    """Ten positives score 2 and ten negatives 1: every resample with both chooses 2, and nothing is corrected."""
    y, score = np.repeat([1, 0], 10), np.repeat([2, 1], 10)
    return cw.operating_point(y, score, options.pop("rule", rules.youden()), rng=0, **{"replicates": 20, **options})


def test_the_headline_and_the_choice():
    drawn, fixed = separated(), separated(replicates=0)
    low, high = cw.rate_interval(10, 10)[0], 1
    least = 1 - math.hypot(1 - low, 1 - low)  # what recall and FPR may be off
    goal = f"youden 1 ({least:.4f} to {high}) on new rows, youden 1 uncorrected"
    assert drawn.headline() == f"youden(): threshold 2 (to deploy: 1.5), 95% interval 2 to 2; {goal}"
    assert fixed.headline() == "youden(): threshold 2 (to deploy: 1.5); youden 1 on these rows"
    assert drawn.choice.columns["value"][:3] == ["2 (95% interval 2 to 2)", "1.5", "TP 10, FP 0, FN 0, TN 10"]
    assert fixed.choice.columns["value"][0] == "2"
    assert fixed.choice.columns["what"] == [
        "threshold",
        "to deploy (halfway to the next score)",
        "counts on these rows",
        "youden on these rows",
    ]
    weighted = separated(replicates=0, weight=[0.55] * 20)
    assert weighted.choice.columns["what"][2] == "weighted counts on these rows"
    assert weighted.choice.columns["value"][2] == "TP 5.5000, FP 0, FN 0, TN 5.5000"


def test_every_number_in_one_table():
    (drawn,), (fixed,) = separated().tables(), separated(replicates=0, rule=rules.max_fpr(0.1)).tables()
    numbers = zip(*(drawn.columns[k] for k in ("value", "low", "high")), strict=True)
    rows = dict(zip(drawn.columns["metric"], numbers, strict=True))
    assert set(drawn.columns["threshold"]) == {2}
    assert (rows["threshold"], rows["midpoint"], rows["youden"]) == ((2, 2, 2), (1.5, None, None), (1, None, None))
    assert [rows[cell] for cell in ("tp", "fp", "fn", "tn")] == [(n, None, None) for n in (10, 0, 0, 10)]
    low = cw.rate_interval(10, 10)[0]
    assert rows["recall"] == rows["corrected_recall"] == (1, pytest.approx(low), 1)
    # the goal of this rule is a rate, which is told once
    assert fixed.columns["metric"].count("recall") == 1
    assert not [name for name in fixed.columns["metric"] if name.startswith("corrected")]
    assert fixed.columns["low"][0] is None
    nothing = cw.operating_point([0, 1], [2, 1], rules.min_cost(fp=9, fn=1), replicates=0)
    (table,) = nothing.tables()
    at = table.columns["metric"].index("precision")
    assert (nothing.flags_nothing, table.columns["low"][at], table.columns["high"][at]) == (True, None, None)


def test_rates_say_of_which_rows_and_at_which_prevalence():
    stated = separated(rule=rules.youden(prevalence=0.02))
    assert stated.rates.title == "Rates to expect on new rows, at a prevalence of 2% (95% intervals)"
    assert separated().rates.title == "Rates to expect on new rows (95% intervals)"
    assert separated(replicates=0).rates.title == "Rates on these rows (95% intervals)"
    # two rows: none is ever left out, so that resamples say nothing of new rows
    alone = cw.operating_point([1, 0], [2, 1], rules.youden(), rng=0, replicates=20)
    assert alone.expected is alone.estimates
    assert alone.rates.title == "Rates on these rows (95% intervals)"


def test_the_costs_are_told_once():
    point = separated()
    assert str(point.best_for) in str(point)
    assert f"Note: {point.remarks()[0]}" not in str(point)


def test_infinite_scores_are_told_where_no_row_is_flagged():
    flags_none = rules.min_cost(fp=9, fn=1)
    for score, told in (([math.inf, 1.0], True), ([2.0, 1.0], False)):
        point = cw.operating_point([0, 1], score, flags_none, replicates=0)
        assert point.flags_nothing
        assert ("infinite_scores" in [n.code for n in point.notes]) == told
    point = cw.operating_point([1, 0], [math.inf, 1.0], rules.youden(), replicates=0)
    assert (point.threshold, point.flags_nothing) == (math.inf, False)
    assert "infinite_scores" not in [n.code for n in point.notes]


def test_nine_rows_of_a_class_are_few_and_ten_are_not():
    for size, told in ((9, True), (10, False)):
        y = [1] * size + [0] * 30
        point = cw.operating_point(y, range(size + 30, 0, -1), rules.youden(), replicates=0)
        assert ("few_positives_chosen" in [n.code for n in point.notes]) == told


def test_the_middle_half_of_the_chosen_thresholds():
    """Places 0 to 100, one each: a level of one half goes from the 25th to the 75th, thresholds 76 and 26 of 100."""
    sweep = cw.Sweep.from_counts(range(1, 101), [1] * 100, [1] * 100)
    found = Choices(np.arange(101)[::-1], np.zeros((101, 4)), np.zeros((101, 4)), 0, 100)
    assert choosing._ends(sweep, found, 0.5) == (26, 76)


def test_what_else_an_operating_point_refuses():
    sweep = cw.Sweep.from_counts([2, 1], [1, 0], [0, 1])
    for level in (0, 1):  # before the rule is looked at
        with pytest.raises(cw.CurvewiseError, match="level: expected"):
            cw.operating_point(sweep, rule="youden", level=level)
    with pytest.raises(cw.CurvewiseError, match="A Sweep was"):
        cw.operating_point(sweep, rules.youden(), rules.max_f())
    with pytest.raises(cw.UndefinedMetricError, match="An operating point needs both classes"):
        cw.operating_point([1, 1], [1, 2], rules.youden())
    unknown = cw.Sweep.from_counts([2, 1], [1, 1], [0, 1], negatives_known=False)
    with pytest.raises(cw.CurvewiseError, match=r"The rule youden\(\)"):
        cw.operating_point(unknown, rules.youden())


def test_the_inner_function_has_the_defaults_of_the_verb():
    sweep = cw.Sweep.from_counts([5, 4, 3, 2, 1], [33, 11, 2, 2, 3], [2, 11, 6, 6, 33])
    verb = cw.operating_point(sweep, rules.youden())
    assert choosing.point_of(sweep, rules.youden()).to_dict() == verb.to_dict()
