"""Rows that a person decides: the best pair of thresholds among all, what it saves, and what is guaranteed."""

import json
import math

import numpy as np
import pytest
from scipy.stats import norm

import curvewise as cw


def counts_of(y, score, cuts, higher=True):
    """Return the tables of each pair of cuts (high, low): false alarms, misses, referred, flagged, passed."""
    s = score if higher else -score
    for high in cuts:
        for low in cuts:
            if low <= high:
                flag, done = s >= high, s < low
                yield (
                    high,
                    low,
                    np.sum(flag & (y == 0)),
                    np.sum(done & (y == 1)),
                    np.sum(~flag & ~done),
                    flag.sum(),
                    done.sum(),
                )


def draw(rng, n=25, values=8):
    y = np.zeros(n, int)
    while not 0 < y.sum() < n:
        y = rng.integers(0, 2, n)
    return y, rng.integers(0, values, n) + y


@pytest.mark.parametrize("higher_is", ["positive", "negative"])
def test_no_pair_of_thresholds_costs_less(higher_is):
    rng, sign = np.random.default_rng(0), 1 if higher_is == "positive" else -1
    for _ in range(60):
        y, score = draw(rng)
        fp, fn, refer = rng.integers(1, 9, 3)
        found = cw.referral(y, sign * score, fp=fp, fn=fn, refer=refer / 4, replicates=0, higher_is=higher_is)
        cuts = [math.inf, *np.unique(score)[::-1].tolist()]
        pairs = [
            (fp * a + fn * m + refer / 4 * r, r) for _, _, a, m, r, _, _ in counts_of(y, score, [*cuts, -math.inf])
        ]
        cost, referred = min(pairs)
        assert found.apparent["cost"] == pytest.approx(cost / len(y), abs=1e-12)
        assert found.apparent["referred"] == pytest.approx(referred / len(y), abs=1e-12)
        single = min(fp * a + fn * m for high, low, a, m, *_ in counts_of(y, score, [*cuts, -math.inf]) if high == low)
        assert found.apparent["saving"] == pytest.approx((single - cost) / len(y), abs=1e-12)
        table = found.counts.columns
        at = [sign * v for v in (found.high, found.low)]
        inside = (score < at[0]) & (score >= at[1])
        assert table["positives"][1] == np.sum(inside & (y == 1))
        assert table["negatives"][1] == np.sum(inside & (y == 0))


def test_no_zone_that_keeps_both_targets_is_smaller():
    rng = np.random.default_rng(1)
    for _ in range(60):
        y, score = draw(rng)
        precision, npv = rng.integers(3, 10, 2) / 10
        found = cw.referral(y, score, precision=precision, npv=npv, replicates=0)
        cuts = [math.inf, *np.unique(score)[::-1].tolist(), -math.inf]
        kept = [
            r
            for _, _, a, m, r, flagged, passed in counts_of(y, score, cuts)
            if flagged - a >= (precision - 1e-12) * flagged and passed - m >= (npv - 1e-12) * passed
        ]
        assert found.apparent["referred"] == pytest.approx(min(kept) / len(y), abs=1e-12)
        assert not found.apparent["precision"] < precision - 1e-12
        assert not found.apparent["npv"] < npv - 1e-12


def sample(n, seed, shift=1.5, share=0.3):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < share).astype(int)
    return y, rng.normal(size=n) + shift * y


def truth(high, low, fp, fn, refer, shift=1.5, p=0.3):
    t, f = norm.sf(np.array([high, low]) - shift), norm.sf([high, low])
    referred = p * (t[1] - t[0]) + (1 - p) * (f[1] - f[0])
    return fp * (1 - p) * f[0] + fn * p * (1 - t[1]) + refer * referred, referred


@pytest.mark.slow
def test_intervals_of_cost_saving_and_referrals_hold_the_truth():
    costs, held = {"fp": 1, "fn": 3, "refer": 0.3}, {"cost": 0, "referred": 0, "saving": 0}
    off = {name: [] for name in held}
    for seed in range(200):
        found = cw.referral(*sample(300, seed), **costs, replicates=100, rng=seed)
        cost, referred = truth(found.high, found.low, **costs)
        there = {"cost": cost, "referred": referred, "saving": truth(found.single, found.single, **costs)[0] - cost}
        for name, value in there.items():
            held[name] += found.estimates[name].low <= value <= found.estimates[name].high
            off[name].append(found.estimates[name].value - value)
    assert all(185 <= number <= 200 for number in held.values()), held
    assert all(abs(np.mean(away)) < 0.012 for away in off.values())


def test_what_is_guaranteed():
    y, score = sample(1500, 3)
    found = cw.referral(y, score, precision=0.8, npv=0.9, confidence=0.9, replicates=20)
    precise = cw.operating_point(y, score, cw.rules.min_precision(0.8, confidence=0.95), replicates=0)
    turned = cw.operating_point(1 - y, -score, cw.rules.min_precision(0.9, confidence=0.95), replicates=0)
    assert found.high == precise.threshold
    assert np.sum(score < found.low) == turned.confusion.tp + turned.confusion.fp
    guarantee, other = found.guarantee, found.guarantee.also[0]
    assert (guarantee.metric, other.metric, guarantee.confidence, guarantee.kind) == ("precision", "npv", 0.9, "exact")
    assert other.bound == turned.guarantee.bound
    assert "With 90% confidence, the precision is at least 80% and the NPV at least 90%" in found.sentence
    assert "以 90% 的置信度保证" in found.statement.text("zh")
    here = cw.referral(y, score, precision=0.8, npv=0.9, replicates=0)
    assert here.apparent["referred"] < found.apparent["referred"]
    clusters = cw.referral(
        np.repeat(y, 2),
        np.repeat(score, 2),
        precision=0.8,
        npv=0.9,
        confidence=0.9,
        replicates=20,
        cluster=np.repeat(np.arange(1500), 2),
    )
    assert clusters.guarantee.kind == "approximate"
    assert clusters.guarantee.bound == pytest.approx(guarantee.bound, rel=0.02)
    assert clusters.estimates["referred"].high == pytest.approx(found.estimates["referred"].high, abs=0.02)


def test_a_referral_that_costs_too_much():
    y, score = sample(300, 0)
    found = cw.referral(y, score, fp=1, fn=2, refer=2, replicates=20)
    assert (found.high, found.estimates["referred"].value, found.estimates["saving"].high) == (found.low, 0, 0)
    assert "a referral costs as much as any mistake, so no row is referred" in str(found)
    assert "refer no row" in found.sentence
    assert found.single == cw.operating_point(y, score, cw.rules.min_cost(fp=1, fn=2), replicates=0).threshold
    separated = cw.referral([0, 0, 1, 1], [1, 2, 3, 4], fp=1, fn=1, refer=0.1, replicates=0)
    assert "no row is worth a referral" in str(separated)
    every = cw.referral([1, 0, 1, 0], [1, 2, 3, 4], fp=9, fn=9, refer=0.1, replicates=0)
    assert "Flag no row, pass no row, and refer the other 100.0% to a person" in every.sentence
    assert every.estimates["precision"].reason is not None
    drawn = cw.referral(y, score, fp=9, fn=9, refer=0.01, replicates=20)  # where no row is passed, none is on new rows
    assert drawn.estimates["npv"].is_defined is bool(
        drawn.counts.columns["positives"][2] + drawn.counts.columns["negatives"][2]
    )
    assert json.dumps(every.to_dict(), allow_nan=False)


def test_a_sweep_and_a_prevalence():
    y, score = sample(400, 2)
    costs = {"fp": 1, "fn": 4, "refer": 0.4, "replicates": 30}
    rows, sweep = cw.referral(y, score, **costs), cw.referral(cw.sweep(y, score), **costs)
    for name, column in rows.table.columns.items():
        assert sweep.table.columns[name] == pytest.approx(column) or name == "metric"
    rare = cw.referral(y, score, **costs, prevalence=0.05)
    weight = np.where(y, 0.05 / y.mean(), 0.95 / (1 - y.mean()))
    again = cw.referral(y, score, **costs, weight=weight)
    assert (rare.high, rare.low) == (again.high, again.low)
    assert rare.apparent == pytest.approx(again.apparent)
    one, two = (found.estimates["cost"] for found in (rare, cw.referral(y, score, **costs, prevalence=y.mean())))
    assert one.value < two.value
    assert rare.plot() is not None


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "fp, fn, refer: state all three costs, or precision and npv"),
        ({"fp": 1, "fn": 2}, "fp, fn, refer: state all three"),
        ({"fp": 1, "fn": 2, "refer": 0.1, "npv": 0.9}, "fp, fn, refer: state all three"),
        ({"fp": 1, "fn": -2, "refer": 0.1}, "fn: expected"),
        ({"fp": 1, "fn": math.inf, "refer": 0.1}, "fn: expected"),
        ({"fp": 1, "fn": 2, "refer": math.nan}, "refer: expected"),
        ({"fp": 0, "fn": 0, "refer": 1}, "fp, fn: expected one cost above 0"),
        ({"precision": 1.5, "npv": 0.5}, "precision: expected"),
        ({"precision": 0.5, "npv": 0.5, "confidence": 2}, "confidence: expected"),
        ({"precision": 0.5, "npv": 0.5, "confidence": 0.9, "prevalence": 0.1}, "prevalence: there is no guarantee"),
    ],
)
def test_refusals(options, words):
    with pytest.raises(cw.CurvewiseError, match=words):
        cw.referral(*sample(100, 0), **options)


@pytest.mark.parametrize("seed", range(4))
def test_what_is_chosen_in_these_data_looks_better_than_it_will_be_and_each_interval_contains_its_value(seed):
    y = np.arange(80) % 2 == 0
    score = norm.cdf(np.random.default_rng(seed).normal(y * 1.5 - 0.75))
    found = cw.referral(y, score, fp=1, fn=3, refer=0.3, rng=0, replicates=100)
    for name in ("cost", "error"):
        assert found.estimates[name].value > found.apparent[name], name
    for e in found.estimates.values():
        assert e.low <= e.value <= e.high, e.name
        assert e.low < e.high, e.name
