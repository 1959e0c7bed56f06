"""Intervals: golden numbers, laws, and coverage by a small simulation."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import curvewise as cw
from curvewise.inference.interval import interval_of, intervals_of
from curvewise.inference.methods import corrected, left_out
from curvewise.metric.registry import bound
from curvewise.rows.reading import read_rows
from strategies import labelled

HERE = Path(__file__).parents[1] / "reference"
GOLDEN = json.loads((HERE / "golden.json").read_text())["cases"]
MODELS = [(case, model) for case, models in GOLDEN.items() for model in models if model != "a-b"]
BOOTSTRAPS = ["percentile", "basic", "bca"]
RATINGS = cw.Sweep.from_counts([1, 2, 3, 4, 5], [3, 2, 2, 11, 33], [33, 6, 6, 11, 2])


def read(case, model):
    table = np.genfromtxt(HERE / f"{case}.csv", delimiter=",", names=True)
    return table["y"], table[model]


@pytest.mark.parametrize(("case", "model"), MODELS)
def test_delong_is_procs(case, model):
    reference = GOLDEN[case][model]
    for data in (read(case, model), (cw.sweep(*read(case, model)),)):
        estimate = cw.interval("roc_auc", *data, method="delong-wald")
        assert estimate.standard_error**2 == pytest.approx(reference["var_delong"], rel=1e-10)
        assert [estimate.low, estimate.high] == pytest.approx(reference["ci95_delong_wald"], abs=1e-11)


def test_worked_example_21():
    estimate = cw.interval("roc_auc", RATINGS)
    assert estimate.value == pytest.approx(0.893171061528, abs=5e-13)
    assert estimate.standard_error == pytest.approx(0.0307244083794, abs=5e-13)


@given(labelled(min_size=6, each=2))
def test_variance_is_the_two_sample_jackknife(data):
    y, s = np.array(data[0]), np.array(data[1])
    auc = cw.roc_auc(y, s)
    total = 0.0
    for on in (y, ~y):
        rows = np.flatnonzero(on)
        left_out = np.array([cw.roc_auc(np.delete(y, r), np.delete(s, r)) for r in rows])
        m = len(rows)
        pseudo = m * auc - (m - 1) * left_out
        total += pseudo.var(ddof=1) / m
    assert cw.interval("roc_auc", y, s).standard_error ** 2 == pytest.approx(total, abs=1e-12)


@given(labelled(min_size=6, each=2), st.integers(1, 4))
def test_whole_weights_mean_repetition(data, times):
    y, s = data
    w = np.arange(len(y)) % times + 1
    weighted = cw.interval("roc_auc", y, s, weight=w, weight_kind="count")
    repeated = cw.interval("roc_auc", np.repeat(y, w), np.repeat(s, w))
    assert (weighted.low, weighted.high) == (repeated.low, repeated.high)


@pytest.mark.parametrize("method", ["delong", "delong-wald", "hanley-mcneil", *BOOTSTRAPS])
def test_intervals_are_nested_in_level(method):
    found = [cw.interval("roc_auc", RATINGS, level=v, method=method, rng=3) for v in (0.5, 0.9, 0.99)]
    assert found[0].low >= found[1].low >= found[2].low
    assert found[0].high <= found[1].high <= found[2].high
    assert all(0 <= e.low <= e.value <= e.high <= 1 for e in found[:2])


def test_perfect_separation_has_a_bound():
    perfect = cw.interval("roc_auc", [0] * 8 + [1] * 5, np.arange(13))
    assert 0.5 < perfect.low < 0.8
    assert perfect.high == 1
    assert "perfectly separated" in str(perfect)
    assert "only 5 positives" in str(perfect)
    worst = cw.interval("roc_auc", [1] * 8 + [0] * 5, np.arange(13))
    assert (worst.low, worst.high) == (0, pytest.approx(1 - perfect.low))


@pytest.mark.parametrize("metric", ["roc_auc", "average_precision", "pr_auc", "equal_error_rate", "pr_gain_area"])
@pytest.mark.parametrize("method", BOOTSTRAPS)
def test_bootstrap_is_the_same_for_any_number_of_threads(metric, method):
    y, s = read("paired150", "a")
    found = []
    for threads in (1, 2, 5):
        cw.set_threads(threads)
        found.append(cw.interval(metric, y, s, method=method, rng=7, replicates=160))
    assert found[0] == found[1] == found[2]
    assert found[0].low < found[0].value < found[0].high
    assert found[0].replicates == 160


def test_bootstrap_standard_error_is_near_delongs():
    y, s = read("paired150", "a")
    delong = cw.interval("roc_auc", y, s).standard_error
    for data, options in (
        ((y, s), {}),
        ((y, s), {"weight": np.full(150, 0.7)}),
        ((y, s), {"cluster": np.arange(150)}),
    ):
        found = cw.interval("roc_auc", *data, method="bootstrap", rng=1, replicates=1000, **options)
        assert found.standard_error == pytest.approx(delong, rel=0.1)


def test_bins_for_many_rows_state_their_error():
    rng = np.random.default_rng(2)
    y = rng.random(120_000) < 0.3
    s = rng.normal(size=120_000) + y
    binned = cw.interval("roc_auc", y, s, method="percentile", rng=0, replicates=200)
    assert "bins, which change the value by" in str(binned)
    assert binned.standard_error == pytest.approx(cw.interval("roc_auc", y, s).standard_error, rel=0.2)


def test_rates_by_wilson_and_others_by_jeffreys():
    recall = cw.interval("recall", RATINGS, threshold=3)
    assert (recall.low, recall.high) == cw.rate_interval(46, 51)
    assert recall.method == "wilson"
    assert cw.interval("recall", RATINGS, threshold=3, method="clopper-pearson").low < recall.low
    mcc = cw.interval("mcc", RATINGS, threshold=3, rng=0, replicates=200)
    assert mcc.method == "jeffreys"
    assert mcc.low < mcc.value < mcc.high
    own = cw.interval(lambda s: s.at(3).mcc, RATINGS, rng=0, replicates=200)
    assert own.value == mcc.value


def test_a_metric_at_a_threshold_needs_no_bins():
    rng = np.random.default_rng(4)
    y = rng.random(60_000) < 0.2
    s = rng.normal(size=60_000) + y
    for higher in ("positive", "negative"):
        scores = s if higher == "positive" else -s
        cut = 0.5 if higher == "positive" else -0.5
        found = cw.interval("mcc", y, scores, threshold=cut, rng=0, replicates=300, higher_is=higher)
        assert not found.notes
        assert found.low < found.value < found.high
        assert found.value == cw.confusion(y, s, threshold=0.5).mcc
    nothing = cw.interval("accuracy", y, s, threshold=99, method="bootstrap", rng=0, replicates=50)
    assert nothing.value == pytest.approx((~y).mean())


def test_clusters_widen_the_interval():
    rng = np.random.default_rng(0)
    patient = np.repeat(np.arange(60), 4)
    y = (rng.random(60) < 0.4)[patient]
    s = (rng.normal(size=60)[patient] + y) + 0.1 * rng.normal(size=240)
    alone, together = cw.interval("roc_auc", y, s), cw.interval("roc_auc", y, s, cluster=patient)
    assert together.value == alone.value
    assert together.standard_error > 1.5 * alone.standard_error
    whole = cw.interval("roc_auc", y, s, cluster=patient, method="bootstrap", rng=0, replicates=800)
    assert whole.standard_error == pytest.approx(together.standard_error, rel=0.15)
    names = np.array([f"P{p}" for p in patient], dtype=object)
    assert cw.interval("roc_auc", y, s, cluster=names).standard_error == pytest.approx(together.standard_error)


def test_clusters_of_one_row_are_no_clusters():
    y, s = read("paired150", "b")
    one = cw.interval("roc_auc", y, s, cluster=np.arange(150))
    assert one.standard_error == pytest.approx(cw.interval("roc_auc", y, s).standard_error, rel=1e-12)


@pytest.mark.parametrize("kind", ["sampling", "count"])
@pytest.mark.parametrize("stratum", [False, True])
def test_large_whole_weights_leave_perfect_separation_without_variance(kind, stratum):
    """A total of integers is not the sum of floats, by one bit: the rest passed for a variance, another per order."""
    rng = np.random.default_rng(1)
    y, cluster = np.arange(60) % 3 == 0, np.arange(60) % 8
    score, weight = np.where(y, 0.6, 0.2) + 0.1 * (np.arange(60) % 4), 2**50 + rng.integers(-9, 9, 60)
    found = []
    for order in (np.arange(60), rng.permutation(60), rng.permutation(60)):
        rows = {"cluster": cluster[order], "weight": weight[order], "weight_kind": kind}
        rows |= {"stratum": cluster[order] // 4} if stratum else {}
        found.append(cw.interval("roc_auc", y[order], score[order], **rows))
    assert [e.standard_error for e in found] == [0, 0, 0]
    assert found[1].low == found[2].low == found[0].low < 0.9


def test_fractional_weights():
    y, s = read("paired150", "a")
    plain = cw.interval("roc_auc", y, s)
    scaled = cw.interval("roc_auc", y, s, weight=np.full(150, 0.3))
    assert scaled.value == pytest.approx(plain.value)
    assert scaled.standard_error == pytest.approx(plain.standard_error, rel=1e-12)
    uneven = cw.interval("roc_auc", y, s, weight=np.tile([0.1, 1.9], 75))
    assert uneven.standard_error > plain.standard_error


def test_rows_dropped_take_their_cluster_along():
    y, s = read("paired150", "a")
    gap = np.where(np.arange(150) == 3, np.nan, s)
    found = cw.interval("roc_auc", y, gap, cluster=np.arange(150) // 2, missing="drop")
    keep = np.arange(150) != 3
    assert found.standard_error == pytest.approx(
        cw.interval("roc_auc", y[keep], s[keep], cluster=(np.arange(150) // 2)[keep]).standard_error
    )


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: cw.interval("roc_acu", RATINGS), "there is no metric 'roc_acu'; did you mean 'roc_auc'"),
        (lambda: cw.interval("recall", RATINGS), "pass threshold="),
        (lambda: cw.interval("roc_auc", RATINGS, method="wald"), "method: expected one of"),
        (lambda: cw.interval("recall", RATINGS, threshold=3, method="delong"), "method: expected one of"),
        (lambda: cw.interval("roc_auc", RATINGS, level=1), "level: expected"),
        (lambda: cw.interval("roc_auc", RATINGS, replicates=1), "replicates: expected"),
        (lambda: cw.interval("roc_auc", RATINGS, cluster=[1]), "forgotten its rows"),
        (
            lambda: cw.interval("roc_auc", cw.Sweep.from_counts([2, 1], [3, 3], [3, 3], total_positives=9)),
            "no score",
        ),
        (lambda: cw.interval("roc_auc", RATINGS.at_prevalence(0.1)), "fractional counts"),
        (lambda: cw.interval("roc_auc", [0, 0, 1, 1], [1, 2, 3, 4], cluster=[1, 2]), "equally long"),
        (
            lambda: cw.interval("roc_auc", [0, 0, 1, 1], [1, 2, 3, 4], cluster=[1, 2, None, 4]),
            "cluster has 1 missing",
        ),
        (lambda: cw.interval("roc_auc", [0, 0, 0, 1], [1, 2, 3, 4]), "at least two rows of each class"),
        (lambda: cw.interval("roc_auc", [1, 1], [1, 2]), "0 of 2 rows are negative"),
        (lambda: cw.interval(cw.roc_auc, RATINGS, fpr=(0, 1)), "fpr: unknown option of roc_auc"),
    ],
)
def test_refusals(call, words):
    with pytest.raises(cw.CurvewiseError, match=words):
        call()


def test_an_estimate_prints_and_travels():
    estimate = cw.interval("average_precision", RATINGS, method="percentile", rng=0, replicates=100)
    assert str(estimate).startswith("average_precision 0.8576, 95% interval ")
    assert "(percentile, 100 replicates)" in str(estimate)
    assert float(estimate) == estimate.value
    assert json.loads(json.dumps(estimate.to_dict()))["method"] == "percentile"
    assert "<pre>" in estimate._repr_html_()


def test_coverage_of_the_default_auc_interval():
    """A small simulation: far off means wrong; the exact level is for a longer one."""
    rng = np.random.default_rng(20)
    hits, runs = 0, 400
    for _ in range(runs):
        y = np.repeat([0, 1], 25)
        s = rng.normal(size=50) + 1.8123876 * y
        estimate = cw.interval("roc_auc", y, s)
        hits += estimate.low <= 0.9 <= estimate.high
    assert 0.92 <= hits / runs <= 0.985
    assert not math.isnan(hits)


def test_the_bound_counts_what_is_independent():
    y, s = np.repeat([0, 1], 12), np.arange(24)
    together = cw.interval("roc_auc", y, s, cluster=np.arange(24) // 3)
    assert together.low < cw.interval("roc_auc", y, s).low - 0.2
    light = cw.interval("roc_auc", y, s, weight=np.full(24, 0.01))
    assert light.low == pytest.approx(cw.interval("roc_auc", y, s).low)


def without_each(target, sweep):
    values, times = left_out(target, sweep)
    return np.repeat(values, times.astype(int))


@given(labelled(min_size=6, each=3))
def test_acceleration_leaves_out_each_row_once(data):
    y, s = np.array(data[0]), np.array(data[1])
    sweep = cw.sweep(y, s)
    without = np.array([cw.roc_auc(np.delete(y, k), np.delete(s, k)) for k in range(len(y))])
    apart = [(without[y == c] - without[y == c].mean()) * (1 - 1 / np.sum(y == c)) for c in (1, 0)]
    assert np.sort(without_each(bound("roc_auc"), sweep)) == pytest.approx(np.sort(np.concatenate(apart)), abs=1e-12)
    precise = [cw.average_precision(np.delete(y, k), np.delete(s, k)) for k in range(len(y))]
    assert np.sort(without_each(bound("average_precision"), sweep)) == pytest.approx(np.sort(precise), abs=1e-12)


@pytest.mark.parametrize("rows", [400, 6000])
def test_acceleration_is_that_of_every_row(rows):
    """Influence values of AUC are placements less their mean: the acceleration within 2 per cent, also in bins."""
    rng = np.random.default_rng(4)
    y = rng.random(rows) < 0.1
    s = rng.normal(size=rows) + 1.5 * y
    ranks = np.argsort(np.argsort(s)) + 1
    below = ranks[y] - (np.argsort(np.argsort(s[y])) + 1)
    above = (rows - ranks[~y]) - (np.count_nonzero(~y) - 1 - np.argsort(np.argsort(s[~y])))
    each = [below / np.count_nonzero(~y), above / np.count_nonzero(y)]
    away = np.concatenate([(v - v.mean()) / len(v) for v in each])
    wanted = np.sum(away**3) / (6 * np.sum(away**2) ** 1.5)
    left = without_each(bound("roc_auc"), cw.sweep(y, s))
    found = np.sum((left.mean() - left) ** 3) / (6 * np.sum(left**2) ** 1.5)
    assert found == pytest.approx(wanted, rel=0.02)


def test_a_function_called_roc_auc_is_not_the_auc():
    def roc_auc(sweep):
        return sweep.prevalence

    with pytest.raises(cw.CurvewiseError, match="method: expected one of None, 'percentile', 'bootstrap'"):
        cw.interval(roc_auc, RATINGS, method="delong")


def test_bca_refuses_clusters():
    y, s = read("paired150", "a")
    with pytest.raises(cw.CurvewiseError, match="independent and count alike"):
        cw.interval("roc_auc", y, s, cluster=np.arange(150) // 2, method="bca")


@pytest.mark.parametrize("weight", [None, "whole", "fractional"])
def test_several_metrics_from_the_same_resamples_are_each_as_alone(weight):
    rng = np.random.default_rng(2)
    y = rng.random(120) < 0.3
    p = np.clip(rng.normal(0.3, 0.2, 120) + 0.2 * y, 0.01, 0.99)
    weights = {None: None, "whole": rng.integers(1, 3, 120), "fractional": rng.random(120) + 0.5}[weight]
    source = cw.sweep(y, p) if weight is None else read_rows(y, p, weight=weights)
    metrics = {
        "roc_auc": {},
        "average_precision": {},
        "partial_roc_auc": {"fpr": (0, 0.2)},
        "equal_error_rate": {},
        "brier_loss": {},
        "recall": {"threshold": 0.4},
    }
    targets = [bound(name, options) for name, options in metrics.items()]
    found = intervals_of(targets, source, level=0.9, rng=5, replicates=60)
    assert list(found) == list(metrics)
    for target in targets:
        assert found[target.name] == interval_of(target, source, level=0.9, rng=5, replicates=60)


def test_what_is_undefined_has_its_reason_among_several():
    flat = cw.sweep([0, 1, 0, 1], [0.5, 0.5, 2, 3])
    targets = [bound(name) for name in ("roc_auc", "average_precision", "brier_skill")]
    found = intervals_of(targets, cw.sweep([1, 1], [0.2, 0.3]), level=0.9, replicates=5)
    assert math.isnan(found["roc_auc"].value)
    assert str(found["roc_auc"].reason) == "0 of 2 rows are negative"
    assert found["average_precision"].value == 1
    area = intervals_of([bound("average_precision")], flat, level=0.9, replicates=20)["average_precision"]
    assert area.is_defined
    assert area.has_interval


@pytest.mark.parametrize("metric", ["average_precision", "pr_auc"])
def test_perfect_separation_is_a_bound_for_precision_too(metric):
    y, score = [0] * 12 + [1] * 5, list(range(17))
    found = cw.interval(metric, y, score)
    assert (found.value, found.high) == (1, 1)
    assert 0.25 < found.low < 0.7
    paired = cw.interval(metric, y, score, cluster=[*range(12), 20, 20, 21, 21, 22])
    assert paired.low < found.low  # three clusters of positives say less than five rows
    rough = cw.interval("partial_roc_auc", y, score, fpr=(0, 0.2), method="percentile", rng=0, replicates=50)
    assert "a zero-width interval does not mean certainty" in str(rough)


def test_clustered_rates_are_those_of_as_many_rows_as_they_are_worth():
    rng = np.random.default_rng(0)
    y = rng.random(120) < 0.4
    s = rng.normal(size=120) + y
    ten = np.repeat(np.arange(120), 10)
    for name in ("recall", "fpr", "precision", "npv", "accuracy", "predicted_rate"):
        for threshold in (-9, -0.5, 0.5, 2.2, 9):  # also where every row is flagged, or next to none
            if name in ("precision", "npv") and abs(threshold) == 9:
                continue
            once = cw.interval(name, y, s, threshold=threshold)
            many = cw.interval(name, y[ten], s[ten], threshold=threshold, cluster=ten)
            heavy = cw.interval(name, y, s, threshold=threshold, weight=np.full(120, 7.5))
            counted = cw.interval(name, y, s, threshold=threshold, weight=np.full(120, 10), weight_kind="count")
            assert many.method == heavy.method == "wilson"
            assert many.value == pytest.approx(once.value)
            assert many.high - many.low == pytest.approx(once.high - once.low, rel=0.06)
            assert (heavy.low, heavy.high) == pytest.approx((once.low, once.high), rel=0.02, abs=1e-4)
            assert counted == cw.interval(name, y[ten], s[ten], threshold=threshold)
    exact = cw.interval("recall", y[ten], s[ten], threshold=0.5, cluster=ten, method="clopper-pearson")
    assert exact.method == "clopper-pearson"
    alone = cw.interval("recall", y, s, threshold=0.5, cluster=np.zeros(120))
    assert alone.value == cw.interval("recall", y, s, threshold=0.5).value
    assert alone.reason.code == "one_cluster"


def test_coverage_of_clustered_rates():
    """30 clusters of 1 to 19 rows with an intraclass correlation of 0.3: percentiles cover 0.89."""
    rng = np.random.default_rng(1)
    hits = []
    for _ in range(250):
        cluster = np.repeat(np.arange(30), rng.integers(1, 20, 30))
        flagged = rng.random(len(cluster)) < rng.beta(0.1 * 7 / 3, 0.9 * 7 / 3, 30)[cluster]
        y = np.ones(len(cluster), dtype=bool)
        y[-1] = False
        found = cw.interval("predicted_rate", y, flagged.astype(float), threshold=1, cluster=cluster)
        hits.append(found.low <= 0.1 <= found.high)
    assert np.mean(hits) >= 0.89


def test_weights_that_count_keep_counting_within_clusters():
    y, s, w = np.tile([1, 0], 40), np.arange(80) % 17 + np.tile([4, 0], 40), np.arange(80) % 3 + 1
    cluster = np.arange(80) // 4
    found = cw.interval("f1", y, s, threshold=9, weight=w, weight_kind="count", cluster=cluster, replicates=100)
    again = cw.interval(
        "f1", *(np.repeat(v, w) for v in (y, s)), threshold=9, cluster=np.repeat(cluster, w), replicates=100
    )
    assert (found.low, found.high) == (again.low, again.high)


def test_stratified_is_refused_where_nothing_is_resampled():
    for metric in ("roc_auc", "average_precision"):
        with pytest.raises(cw.OptionError, match=r"stratified: .* does not resample"):
            cw.interval(metric, RATINGS, stratified=True)
    kept, free = (cw.interval("average_precision", RATINGS, method="percentile", stratified=k) for k in (True, False))
    assert (kept.low, kept.high) != (free.low, free.high)


def test_hanley_and_mcneils_own_example():
    # Hanley & McNeil (1982) Radiology 143:29-36: CT ratings of 51 abnormal and 58 normal patients, W 0.893, SE 0.032
    ratings = cw.Sweep.from_counts([1, 2, 3, 4, 5], [3, 2, 2, 11, 33], [33, 6, 6, 11, 2])
    found = cw.interval("roc_auc", ratings, method="hanley-mcneil")
    assert found.value == pytest.approx(0.893, abs=0.0005)
    assert found.standard_error == pytest.approx(0.032, abs=0.0005)
    # one tie of all: A = 1/2, and Q1 = Q2 = 1/3
    half = cw.interval("roc_auc", cw.Sweep.from_counts([1], [10], [20]), method="hanley-mcneil").standard_error
    assert half**2 == pytest.approx((1 / 4 + 9 * (1 / 3 - 1 / 4) + 19 * (1 / 3 - 1 / 4)) / 200)


def test_bootstrap_is_percentile_unless_the_default_is_another_bootstrap():
    y, s = [0, 1, 0, 1, 1, 0], [1, 2, 3, 4, 5, 6]
    assert cw.interval("roc_auc", y, s, method="bootstrap", replicates=20).method == "percentile"
    assert cw.interval("roc_auc", y, s).method == "delong"


def test_the_variance_of_few_resampled_rows_is_widened():
    assert corrected(2.0, 5, None) == (2.5, 4)
    assert corrected(2.0, 1, None) == (2.0, 1)
    assert corrected(0.0, 5, None) == (0.0, 1)


def test_weights_have_no_scale_in_jeffreys_interval():
    rng = np.random.default_rng(1)
    y, weight = rng.random(80) < 0.4, rng.uniform(0.5, 2, 80)
    score = rng.normal(size=80) + y
    one, other = (
        cw.interval("mcc", y, score, threshold=0.5, weight=weight * scale, rng=0, replicates=50)
        for scale in (1, 2.0**40)
    )
    assert one.method == "jeffreys"
    assert (other.low, other.high) == (pytest.approx(one.low, rel=1e-9), pytest.approx(one.high, rel=1e-9))


def test_ties_are_told_where_there_are_more_than_two_rows_to_a_score():
    for distinct, told in ((20, False), (19, True)):  # of 40 rows
        y, score = np.tile([1, 0], 20), np.arange(40) % distinct
        assert ("many_ties" in [n.code for n in cw.interval("roc_auc", y, score).notes]) == told


def told(y, **options):
    score = np.random.default_rng(0).permutation(len(y))
    return [n.code for n in cw.interval("roc_auc", y, score, **options).notes]


def test_notes_start_below_ten_rows_of_a_class_and_twenty_clusters():
    for positives, negatives, code in ((9, 30, "few_positives"), (30, 9, "few_negatives"), (9, 9, "few_positives")):
        assert told([1] * positives + [0] * negatives) == [code]
    assert told([1] * 10 + [0] * 10) == []
    for clusters, few in ((19, True), (20, False)):
        assert ("few_clusters" in told([1, 0] * 20, cluster=np.arange(40) % clusters)) == few


def test_a_row_is_heavy_above_a_tenth_of_the_weight_of_its_class():
    """Ten rows of 1.5 have a tenth each; of nine, each has more."""
    for positives, heavy in ((10, False), (9, True)):
        codes = told([1] * positives + [0] * 30, weight=[1.5] * (positives + 30))
        assert ("heavy_weights" in codes) == heavy
