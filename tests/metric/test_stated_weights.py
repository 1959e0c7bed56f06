"""Numbers that weigh the four counts as the user states: known values, intervals, and what they refuse."""

import numpy as np
import pytest

import curvewise as cw
from curvewise.inference.metric_table import metric_table

# precision .5 and recall .9, and precision .909 and recall .6: F2 prefers the first, F0.5 and F1 the second
FIRST, SECOND = cw.Sweep.from_counts([1, 0], [45, 5], [45, 405]), cw.Sweep.from_counts([1, 0], [30, 20], [3, 447])


def rows(n=300, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    return y, 1 / (1 + np.exp(1 - rng.normal(size=n) - 1.5 * y))


@pytest.mark.parametrize(
    ("name", "beta", "first", "second"),
    [("f0.5", 0.5, 0.548780, 0.824176), ("f1", 1, 0.642857, 0.722892), ("f2", 2, 0.775862, 0.643777)],
)
def test_f_of_two_models(name, beta, first, second):
    for sweep, expected in ((FIRST, first), (SECOND, second)):
        assert cw.score(name, sweep, threshold=1) == pytest.approx(expected, abs=5e-7)
        assert cw.score("f_beta", sweep, threshold=1, beta=beta) == cw.score(name, sweep, threshold=1)
        one, two = (cw.interval(n, sweep, threshold=1, **o) for n, o in ((name, {}), ("f_beta", {"beta": beta})))
        assert (one.low, one.high, one.method) == (two.low, two.high, "jeffreys")
        assert one.low < expected < one.high


def test_other_names():
    assert cw.score("F-beta", FIRST, threshold=1, beta=2) == cw.score("f2_score", FIRST, threshold=1)
    assert cw.score("f05", FIRST, threshold=1) == cw.score("f0.5", FIRST, threshold=1)


def test_net_benefit_is_that_of_the_decision_curve():
    y, p = rows()
    for threshold in (0.05, 0.2, 0.6):
        curve = cw.decision_curve(y, p, thresholds=[threshold])
        found = cw.interval("net_benefit", y, p, threshold=threshold)
        assert found.value == pytest.approx(curve.net_benefit[0], abs=1e-15)
        assert found.low == pytest.approx(curve.low[0], abs=0.015)
        assert found.high == pytest.approx(curve.high[0], abs=0.015)


def test_expected_cost_is_that_of_the_verb():
    y, p = rows()
    costs = {"fp": 1, "fn": 6, "tp": -0.5}
    found = cw.interval("expected_cost", y, p, threshold=0.3, **costs)
    assert found.value == cw.expected_cost(y, p, 0.3, **costs)
    drawn = cw.interval("expected_cost", y, p, threshold=0.3, method="percentile", **costs)
    assert (found.low, found.high) == pytest.approx((drawn.low, drawn.high), abs=0.1)


@pytest.mark.parametrize(
    ("name", "options"),
    [("f_beta", {"beta": 2}), ("net_benefit", {}), ("expected_cost", {"fp": 1, "fn": 4})],
)
def test_every_verb_takes_them(name, options):
    y, p = rows()
    other = np.clip(p + 0.1 * np.random.default_rng(1).normal(size=len(y)), 0, 1)
    found = cw.compare(y, {"a": p, "b": other, "c": 1 - p}, metric=name, threshold=0.4, **options)
    assert found.method == "influence"
    assert found.omnibus is not None
    groups = cw.by_group(y, p, group=np.arange(len(y)) % 2, metrics=[name], threshold=0.4, **options)
    assert set(groups.table.columns["metric"]) == {name}
    table = metric_table(y, p, metrics=[name, "f2"], thresholds=[0.4, 0.6], **options)
    for cut in (0.4, 0.6):
        for metric, own in ((name, options), ("f2", {})):
            value = table.at_thresholds["score"][cut][metric].value
            assert value == pytest.approx(cw.score(metric, y, p, threshold=cut, **own), rel=1e-12)


def test_clusters_widen_their_intervals():
    y, p = rows()
    twice = {"y": np.repeat(y, 3), "score": np.repeat(p, 3)}
    plain = cw.interval("net_benefit", y, p, threshold=0.3)
    clustered = cw.interval("net_benefit", *twice.values(), threshold=0.3, cluster=np.repeat(np.arange(len(y)), 3))
    assert clustered.high - clustered.low == pytest.approx(plain.high - plain.low, rel=0.05)


def test_what_is_missing_or_wrong_is_said():
    y, p = rows(40)
    with pytest.raises(cw.CurvewiseError, match=r"f_beta needs a number: pass beta="):
        cw.score("f_beta", y, p, threshold=0.5)
    with pytest.raises(cw.CurvewiseError, match="f2 is a number at a threshold"):
        cw.score("f2", y, p)
    with pytest.raises(cw.CurvewiseError, match=r"threshold: expected a number from 0 to 1, got 1\.5"):
        cw.score("net_benefit", y, p, threshold=1.5)
    with pytest.raises(cw.CurvewiseError, match="threshold: expected a number strictly between 0 and 1, got 1"):
        cw.score("net_benefit", y, p, threshold=1)
    with pytest.raises(cw.CurvewiseError, match=r"not a probability|from 0 to 1"):
        cw.score("net_benefit", y, 9 * p, threshold=0.5)
    with pytest.raises(cw.CurvewiseError, match="every mistake the better answer"):
        cw.score("expected_cost", y, p, threshold=0.5, fp=0, fn=0)
