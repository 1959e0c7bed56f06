"""Clusters and weights: every interval, gap, test and pooled mean counts what is independent."""

import math

import numpy as np
import pytest

import curvewise as cw

METRICS = ["roc_auc", "recall", "fpr", "precision", "average_precision", "observed_expected"]
TIMES = 10


def repeated(values):
    return np.repeat(values, TIMES)


def width(estimate):
    return estimate.high - estimate.low


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    n = 1500
    g = rng.choice(["a", "b", "c"], n, p=[0.5, 0.3, 0.2])
    y = rng.random(n) < np.where(g == "a", 0.3, 0.5)
    return y, 1 / (1 + np.exp(-(rng.normal(size=n) + 1.2 * y - 1))), g


@pytest.fixture(scope="module")
def both(data):
    """Return the groups of rows, and of the rows repeated under their cluster."""
    y, p, g = data
    options = {"threshold": 0.4, "metrics": METRICS}
    cluster = repeated(np.arange(len(y)))
    return (
        cw.by_group(y, p, g, **options),
        cw.by_group(*map(repeated, (y, p, g)), cluster=cluster, **options),
    )


@pytest.mark.parametrize("metric", METRICS)
def test_repeated_rows_keep_every_width_in_groups(both, metric):
    one, ten = both
    for alone, together in zip(one.every_group(), ten.every_group(), strict=True):
        assert together.estimates[metric].value == pytest.approx(alone.estimates[metric].value)
        assert width(together.estimates[metric]) == pytest.approx(width(alone.estimates[metric]), rel=0.15)
        assert together.units == alone.units
    for reference in (None, "a", "rest"):
        gaps = [x.gap(metric, reference=reference) for x in both]
        assert width(gaps[1]) == pytest.approx(width(gaps[0]), rel=0.15), reference
        ratios = [x.ratio(metric, reference=reference) for x in both]
        assert width(ratios[1]) == pytest.approx(width(ratios[0]), rel=0.15), reference
    tests = [x.tests(metric) for x in both]
    assert math.log(tests[1].p_value) == pytest.approx(math.log(tests[0].p_value), rel=0.15, abs=0.05)
    for alone, together in zip(*(t.pairs for t in tests), strict=True):
        assert width(together.difference) == pytest.approx(width(alone.difference), rel=0.15)
        assert together.statistic == pytest.approx(alone.statistic, rel=0.15, abs=0.05)


def test_repeated_rows_keep_small_groups_too():
    rng = np.random.default_rng(5)
    y = np.repeat([1, 0], [24, 60])
    s, g = rng.normal(size=84) + 1.5 * y, np.tile(["a", "b"], 42)
    one = cw.by_group(y, s, g, threshold=0.5)
    ten = cw.by_group(*map(repeated, (y, s, g)), threshold=0.5, cluster=repeated(np.arange(84)))
    for alone, together in zip(one.groups(), ten.groups(), strict=True):
        for metric in one.metrics:
            assert width(together.estimates[metric]) == pytest.approx(width(alone.estimates[metric]), rel=0.05)
    assert width(ten.gap("recall")) == pytest.approx(width(one.gap("recall")), rel=0.01)


def test_repeated_rows_keep_fairness_and_xauc(data):
    y, p, g = data
    one = cw.fairness(y, p, g, threshold=0.4)
    ten = cw.fairness(*map(repeated, data), threshold=0.4, cluster=repeated(np.arange(len(y))))
    for alone, together in zip(one.criteria, ten.criteria, strict=True):
        assert width(together.gap) == pytest.approx(width(alone.gap), rel=0.15), alone.code
        if not math.isnan(alone.p_value):
            assert math.log(together.p_value) == pytest.approx(math.log(alone.p_value), rel=0.15, abs=0.05)


def test_repeated_rows_keep_sites_and_their_mean(data):
    y, p, _ = data
    site = np.arange(len(y)) % 6
    one = cw.by_site(y, p, site, threshold=0.4)
    ten = cw.by_site(*map(repeated, (y, p, site)), threshold=0.4, cluster=repeated(np.arange(len(y))))
    for alone, together in zip(one.sites, ten.sites, strict=True):
        assert width(together.auc) == pytest.approx(width(alone.auc), rel=0.15)
        assert list(together.others) == list(alone.others)
        for name, estimate in alone.others.items():
            assert width(together.others[name]) == pytest.approx(width(estimate), rel=0.15), name
    for name in ("value", "low", "high", "prediction_low", "prediction_high", "tau2", "i2", "q"):
        assert getattr(ten.pooled, name) == pytest.approx(getattr(one.pooled, name), rel=0.02, abs=0.01), name
    assert "clusters_span_sites" not in [n.code for n in ten.notes]


def test_a_perfect_site_counts_its_clusters():
    y, s = [1, 1, 0, 0] * 3, [4, 3, 2, 1] + [4, 2, 3, 1] * 2
    site = np.repeat([*"abc"], 4)
    one = cw.by_site(y, s, site)
    ten = cw.by_site(*map(repeated, (y, s, site)), cluster=repeated(np.arange(12)))
    assert (ten.sites[0].logit, ten.sites[0].error) == pytest.approx((one.sites[0].logit, one.sites[0].error))


def paired(n=400, shared=0.9, seed=1):
    """Return positives seen once with each of two devices: the two outcomes of one patient go together."""
    rng = np.random.default_rng(seed)
    patient = np.tile(np.arange(n), 2)
    first = rng.random(n) < 0.7
    second = np.where(rng.random(n) < shared, first, rng.random(n) < 0.6)
    return np.ones(2 * n, dtype=int), np.concatenate([first, second]), np.repeat(["x", "y"], n), patient


def test_a_cluster_in_both_groups_makes_a_gap_paired():
    y, s, g, patient = paired()
    n = len(y) // 2
    options = {"threshold": 1, "metrics": ["recall"]}
    gap = cw.by_group(y, s, g, cluster=patient, **options).gap("recall", reference="y")
    apart = cw.by_group(y, s, g, **options).gap("recall", reference="y")
    assert gap.value == apart.value
    # McNemar: only patients whose two outcomes differ tell
    only_x, only_y = np.sum(s[:n] & ~s[n:]), np.sum(~s[:n] & s[n:])
    error = math.sqrt(only_x + only_y - (only_x - only_y) ** 2 / n) / n
    assert width(gap) == pytest.approx(2 * 1.96 * error, rel=0.1)
    assert width(gap) < 0.5 * width(apart)
    test = cw.by_group(y, s, g, cluster=patient, **options).tests("recall")
    assert test.method == "MOVER"
    assert test.statistic == pytest.approx(gap.value / error, rel=0.1) or test.statistic == pytest.approx(
        -gap.value / error, rel=0.1
    )
    rest = cw.by_group(y, s, g, cluster=patient, **options).gap("recall", reference="rest")
    assert width(rest) == pytest.approx(width(gap), rel=0.05)


def test_a_paired_gap_of_auc_is_that_of_resampled_clusters():
    rng = np.random.default_rng(3)
    n = 300
    ill = rng.random(n) < 0.4
    base = rng.normal(size=n) + 1.3 * ill
    y, patient, g = np.tile(ill, 2), np.tile(np.arange(n), 2), np.repeat(["x", "y"], n)
    s = np.concatenate([base, base + 0.4 * rng.normal(size=n)])
    gap = cw.by_group(y, s, g, cluster=patient).gap("roc_auc", reference="x")
    drawn = []
    for _ in range(400):
        rows = rng.integers(0, n, n)
        if 0 < ill[rows].sum() < n:
            drawn.append(cw.roc_auc(y[n:][rows], s[n:][rows]) - cw.roc_auc(y[:n][rows], s[:n][rows]))
    assert width(gap) == pytest.approx(np.diff(np.quantile(drawn, [0.025, 0.975]))[0], rel=0.3)
    assert width(gap) < 0.6 * width(cw.by_group(y, s, g).gap("roc_auc", reference="x"))


def test_clusters_within_groups_leave_groups_independent(data):
    y, p, g = data
    cluster = np.char.add(g, (np.arange(len(y)) // 7).astype(str))
    found = cw.by_group(y, p, g, threshold=0.4, cluster=cluster)
    assert found.partitions["group"].is_nested
    assert found.correlation("recall", "group") is None
    spanning = cw.by_group(y, p, g, threshold=0.4, cluster=np.arange(len(y)) // 7)
    assert not spanning.partitions["group"].is_nested


def test_one_cluster_in_two_groups_is_enough_to_join_them():
    y, s, g = [0, 1] * 4, np.arange(8.0), [0, 0, 1, 1, 2, 2, 1, 1]
    for cluster, nested in (([3, 3, 0, 0, 1, 1, 2, 2], True), ([3, 3, 0, 1, 1, 2, 2, 2], False)):
        assert cw.by_group(y, s, g, cluster=cluster).partitions["group"].is_nested == nested


def test_clusters_over_several_sites_are_told(data):
    y, p, g = data
    found = cw.by_site(y, p, g, cluster=np.arange(len(y)) // 5)
    assert "clusters_span_sites" in [n.code for n in found.notes]


def test_small_groups_count_clusters():
    y, s = np.tile([1, 0], 100), np.arange(200) % 17
    g = np.repeat(["a", "b"], 100)
    found = cw.by_group(y, s, g, cluster=np.arange(200) // 20)
    assert [x.is_small for x in found.groups()] == [True, True]
    assert str(found.groups()[0].notes[0]) == "small: 5 clusters with positives"
    assert not cw.by_group(y, s, g).groups()[0].is_small


def test_sampling_weights_are_never_counts(data):
    y, p, g = data
    whole = np.random.default_rng(2).integers(1, 20, len(y))
    options = {"threshold": 0.4, "metrics": ["recall", "roc_auc"], "replicates": 200}
    found = cw.by_group(y, p, g, weight=whole, **options)
    scaled = cw.by_group(y, p, g, weight=whole * 0.37, **options)
    plain = cw.by_group(y, p, g, **options)
    counted = cw.by_group(y, p, g, weight=whole, weight_kind="count", **options)
    for k in range(3):
        sampled, again, alone, rows = (x.groups()[k].estimates["recall"] for x in (found, scaled, plain, counted))
        assert (sampled.value, sampled.low, sampled.high) == pytest.approx((again.value, again.low, again.high))
        assert width(sampled) > 0.9 * width(alone)  # unequal weights tell no more than equal ones
        assert width(rows) < 0.5 * width(alone)  # ten times as many rows
        assert found.groups()[k].units == plain.groups()[k].units
    assert width(found.gap("recall")) > 0.9 * width(plain.gap("recall")) > width(counted.gap("recall"))
    assert found.tests("recall").p_value == pytest.approx(scaled.tests("recall").p_value)
    assert found.tests("recall").p_value > counted.tests("recall").p_value


def test_counts_are_repeated_rows_with_clusters_too(data):
    y, p, g = (v[:300] for v in data)
    w = 1 + np.arange(300) % 3
    cluster = np.arange(300) // 4
    options = {"threshold": 0.4, "metrics": METRICS, "replicates": 300}
    some = cw.by_group(y, p, g, weight=w, weight_kind="count", cluster=cluster, **options)
    many = cw.by_group(*(np.repeat(v, w) for v in (y, p, g)), cluster=np.repeat(cluster, w), **options)
    for one, other in zip(some.every_group(), many.every_group(), strict=True):
        for metric in METRICS:
            a, b = one.estimates[metric], other.estimates[metric]
            assert (a.value, a.low, a.high) == pytest.approx((b.value, b.low, b.high)), metric


def test_rows_bring_their_clusters_groups_and_site(data):
    y, p, g = data
    cluster = np.arange(len(y)) // 3
    rows = cw.read_rows(y, p, cluster=cluster, group={"arm": g}, site=g)
    found = cw.by_group(rows, threshold=0.4)
    assert list(found.breakdowns) == ["arm"]
    again = cw.by_group(y, p, {"arm": g}, threshold=0.4, cluster=cluster)
    assert found.table == again.table
    assert cw.by_group(rows, group=g, threshold=0.4).groups()[0].estimates == again.groups()[0].estimates
    assert (
        cw.fairness(rows, threshold=0.4).table.rows()
        == cw.fairness(y, p, {"arm": g}, threshold=0.4, cluster=cluster).table.rows()
    )
    assert cw.by_site(rows).pooled == cw.by_site(y, p, g, cluster=cluster).pooled
    half = rows.take(g != "b")
    assert [x.name for x in cw.by_group(half).groups()] == ["a", "c"]  # no empty group
    bare = cw.read_rows(y, p)
    for call in (cw.by_group, cw.by_site):
        with pytest.raises(cw.CurvewiseError, match="these rows hold no"):
            call(bare)
    with pytest.raises(cw.CurvewiseError, match="already read: cluster cannot apply"):
        cw.by_group(rows, cluster=cluster)
    with pytest.raises(cw.CurvewiseError, match="equally long"):
        cw.by_group(rows, group=g[:5])
