"""Bins of scores: a line that rises with the scores, counts that do not depend on how rows came, limits that hold."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad

import curvewise as cw
from curvewise.core.bins import Bins, Summary, grid
from curvewise.core.sweep import Sweep
from curvewise.metric.average_precision import ends_in_bins
from curvewise.metric.bounds import bounds_of
from curvewise.metric.registry import bound, every
from ring import examples

EDGES = [
    0.0,
    -0.0,
    0.5,
    1.0,
    1 + 2**-52,
    1 - 2**-53,
    0.5 + 2**-53,
    np.inf,
    -np.inf,
    1e-300,
    5e-324,
    -5e-324,
    2.0,
    1e308,
]
GIVEN = {"fpr": 0.2, "specificity": 0.8, "sensitivity": 0.8, "recall": 0.7, "precision": 0.6, "at_fraction": 0.3}
VARIANTS = {
    "average_precision": [{"ties": t} for t in ("block", "expected", "optimistic", "pessimistic")],
    "pr_auc": [{"interpolation": i} for i in ("continuous", "step", "envelope", "11-point", "101-point")],
    "partial_roc_auc": [{"fpr": (0, 0.3)}, {"fpr": (0.1, 0.5), "scale": "mcclish"}, {"tpr": (0.8, 1)}],
}


def binned(y, score, most, **facts):
    return Sweep.from_summary(Summary.of(np.asarray(score), np.asarray(y, bool)).within(most), **facts)


def rows(rng, n, decimals=None):
    y = rng.random(n) < rng.uniform(0.1, 0.9)
    y[:2] = [True, False]
    score = 1 / (1 + np.exp(-2 * rng.normal(size=n) - y))
    return y, score if decimals is None else score.round(decimals)


def test_grid_never_falls():
    rng = np.random.default_rng(0)
    spread = np.concatenate([rng.random(3000), rng.normal(size=3000) * 10.0 ** rng.integers(-300, 300, 3000), EDGES])
    line = grid(np.sort(spread))
    assert (np.diff(line) >= 0).all()
    assert grid(np.array([0.0])) == grid(np.array([-0.0]))


def test_grid_is_as_fine_near_one_as_near_zero():
    near = 2.0 ** -np.arange(2, 50) * 1.3
    below, above = grid(near), grid(1 - near)
    # 1 - x is rounded, so x is read back from it
    np.testing.assert_array_equal(above - grid(np.array([0.5])), grid(np.array([0.5])) - grid(1 - (1 - near)))
    assert (np.abs(below - grid(1 - (1 - near))) <= np.abs(below)).all()


@pytest.mark.parametrize("seam", [-1.0, 0.25, 0.5, 1.0, 2.0])
def test_grid_has_no_gap_where_it_is_joined(seam):
    """Neighbours among floats stand side by side; below 1 they are as far apart as 2^-53 is from 0."""
    around = grid(np.array([np.nextafter(seam, -9), seam, np.nextafter(seam, 9)]))
    closest = grid(np.array([2.0**-53]))[0] if seam == 1 else 1
    assert around[1] - around[0] <= closest
    assert 0 <= around[2] - around[1] <= 1


def test_integers_beyond_float_stay_apart_until_they_are_binned():
    score = 2**60 + np.arange(50)
    y = np.arange(50) % 3 == 0
    exact = Summary.of(score, y)
    assert len(exact) == 50
    few = exact.within(10)
    assert len(few) <= 10
    assert few.positives.sum() == y.sum()
    assert (few.low.min(), few.high.max()) == (score.min(), score.max())


@given(st.data())
@settings(max_examples=examples(60), deadline=None)
def test_bins_do_not_depend_on_how_rows_came(data):
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    y, score = rows(rng, 300, data.draw(st.sampled_from([None, 2, 3])))
    most = data.draw(st.integers(2, 60))
    whole = Summary.of(score, y).within(most)
    cuts = np.sort(rng.integers(1, 300, data.draw(st.integers(1, 6))))
    order = rng.permutation(300)
    parts = [Summary.of(score[p], y[p]).within(most) for p in np.split(order, cuts) if len(p)]
    rng.shuffle(parts)
    one_by_one = parts[0]
    for part in parts[1:]:
        one_by_one = Summary.total([one_by_one, part]).within(most)
    for found in (Summary.total(parts).within(most), one_by_one):
        assert found.shift == whole.shift
        for name in ("low", "high", "positives", "negatives"):
            np.testing.assert_array_equal(getattr(found, name), getattr(whole, name))


def test_the_smallest_shift_that_fits_is_taken():
    y, score = rows(np.random.default_rng(3), 500)
    found = Summary.of(score, y).within(40)
    finer = Summary.of(score, y, shift=found.shift - 1)
    assert len(found) <= 40 < len(finer)


def test_a_shift_counts_what_scores_first_would():
    rng = np.random.default_rng(1)
    y, score = rows(rng, 2000)
    score = np.concatenate([score[:1000], rng.normal(size=1000) * 5])
    for dtype in (np.float64, np.float32):
        for shift in (1, 30, 45, 50, 55):
            direct = Summary.of(score.astype(dtype), y, shift=shift)
            later = Summary.of(score.astype(dtype), y).shifted(shift)
            for name in ("low", "high", "positives", "negatives"):
                np.testing.assert_array_equal(getattr(direct, name), getattr(later, name))


@pytest.mark.parametrize("metric", [m.name for m in every()])
def test_limits_hold(metric):
    """Every number of all scores lies within the limits that bins give; metrics without limits say so."""
    m = next(found for found in every() if found.name == metric)
    rng = np.random.default_rng(7)
    judged = 0
    for _ in range(60):
        n = int(rng.integers(5, 120))
        y, score = rows(rng, n, int(rng.integers(1, 8)))
        higher_is = (
            ["positive", "negative"][int(rng.integers(2))] if m.family in ("ranking", "threshold") else "positive"
        )
        full = cw.sweep(y, score, higher_is=higher_is)
        coarse = binned(y, score, int(rng.integers(2, 20)), higher_is=higher_is)
        if coarse.bins is None:
            continue
        options = {k: GIVEN.get(k, float(rng.choice([rng.choice(score), rng.random()]))) for k in m.required}
        for more in VARIANTS.get(metric, [{}]):
            try:
                exact = cw.score(metric, full, **options, **more)
            except cw.UndefinedMetricError:
                continue
            try:
                found = bounds_of(m.bind({**options, **more}), coarse)
            except cw.UndefinedMetricError:  # bins moved a probability to 0 or 1, or separated the classes
                assert metric.startswith("calibration")
                continue
            if found.low is None:
                assert found.high is None
                continue
            judged += 1
            assert found.low <= exact <= found.high
            assert found.low <= found <= found.high
    unknown = metric in ("top_average_precision", "ece", "mce", "observed_expected", "smooth_ece", "ici", "e50", "e90")
    assert judged == 0 if unknown or metric.startswith("calibration") else judged > 30


def test_auc_limits_are_exact_fractions_and_cannot_be_closer():
    rng = np.random.default_rng(0)
    y, score = rows(rng, 60)
    coarse = binned(y, score, 6)
    found = cw.roc_auc(coarse)
    pos, neg = coarse.block_positives, coarse.block_negatives
    wins = sum(int(a) * int(neg[k + 1 :].sum()) for k, a in enumerate(pos))
    inside = sum(int(a) * int(b) for a, b, mixed in zip(pos, neg, coarse.bins.mixed, strict=True) if mixed)
    tied = sum(int(a) * int(b) for a, b, mixed in zip(pos, neg, coarse.bins.mixed, strict=True) if not mixed)
    pairs = int(y.sum()) * int((~y).sum())
    assert found.low == float((wins + Fraction(tied, 2)) / pairs)
    assert found.high == float((wins + Fraction(tied, 2) + inside) / pairs)
    assert found.value == float((wins + Fraction(tied + inside, 2)) / pairs)


def test_a_bin_of_one_score_is_a_block_of_ties():
    y, score = [1, 0, 1, 0, 1, 0, 0], [0.5, 0.5, 0.5, 0.9, 0.1, 0.1000001, 0.3]
    exact = cw.sweep(y, score)
    coarse = binned(y, score, 4)
    assert coarse.bins.mixed.sum() == 1
    assert cw.roc_auc(coarse).low <= cw.roc_auc(exact) <= cw.roc_auc(coarse).high
    assert cw.score("recall", coarse, threshold=0.5) == cw.score("recall", exact, threshold=0.5)
    certain = cw.score("recall", coarse, threshold=0.5)
    assert (certain.low, certain.high) == (certain, certain)
    open_one = cw.score("recall", coarse, threshold=0.10000005)
    assert open_one.low < open_one.high


def test_every_threshold_of_bins_has_exact_counts():
    y, score = rows(np.random.default_rng(5), 400)
    for higher_is in ("positive", "negative"):
        exact, coarse = cw.sweep(y, score, higher_is=higher_is), binned(y, score, 30, higher_is=higher_is)
        for cut in coarse.threshold.tolist():
            assert (coarse.at(cut).tp, coarse.at(cut).fp) == (exact.at(cut).tp, exact.at(cut).fp)


def test_sweeps_with_bins_add():
    rng = np.random.default_rng(8)
    y, score = rows(rng, 400)
    other_y, other = rows(rng, 300, 2)
    exact = cw.sweep(np.concatenate([y, other_y]), np.concatenate([score, other]))
    total = binned(y, score, 30) + cw.sweep(other_y, other)
    assert (total.positives, total.negatives) == (exact.positives, exact.negatives)
    found = cw.roc_auc(total)
    assert found.low <= cw.roc_auc(exact) <= found.high
    assert total == cw.sweep(other_y, other) + binned(y, score, 30)
    assert (total.bins.low[:-1] > total.bins.high[1:]).all()


def test_bins_are_saved_and_refused_when_damaged():
    y, score = rows(np.random.default_rng(9), 100)
    coarse = binned(y, score, 10)
    data = coarse.to_dict()
    assert cw.Sweep.from_dict(data) == coarse
    assert cw.Sweep.from_dict(data) != cw.sweep(y, score)
    data["bins"]["low"] = data["bins"]["high"]
    with pytest.raises(cw.CurvewiseError, match="bins"):
        cw.Sweep.from_dict(data)


def test_bounds_are_numbers_that_survive():
    import copy
    import pickle

    b = cw.results.Bounds(0.5, 0.25, 0.75)
    assert b + 1 == 1.5
    assert b.width == 0.5
    assert repr(pickle.loads(pickle.dumps(b))) == repr(b) == repr(copy.deepcopy(b)) == "Bounds(0.5, 0.25, 0.75)"
    assert str(b) == "0.5000 (certain: 0.25 to 0.75)"
    assert str(cw.results.Bounds(0.5)) == "0.5000 (no guaranteed bounds)"
    assert np.isnan(cw.results.Bounds(0.5).width)


def test_step_areas_have_limits_over_all_recalls_only():
    y, score = rows(np.random.default_rng(2), 200)
    coarse = binned(y, score, 10)
    known, area = cw.average_precision(coarse), cw.pr_auc(coarse, interpolation="step")
    assert (area.low, area.high) == (known.low, known.high)
    assert area.low < area.high
    assert cw.pr_auc(coarse, interpolation="step", recall=(0, 0.5)).low is None
    assert cw.pr_auc(coarse, interpolation="trapezoid").low is None
    part = cw.pr_auc(coarse, recall=(0, 0.5))
    assert part.low < cw.pr_auc(cw.sweep(y, score), recall=(0, 0.5)) < part.high


def test_summaries_of_several_dtypes_are_put_together_once():
    parts = [np.array([0.5, 2.0], dtype=np.float32), np.array([1.0, 3.0]), np.array([4], dtype=np.int64)]
    several = [
        Summary(low, low, np.ones(len(low), dtype=np.int64), np.zeros(len(low), dtype=np.int64)) for low in parts
    ]
    total = Summary.total(several)
    assert total.low.tolist() == [0.5, 1, 2, 3, 4]
    assert total.positives.tolist() == [1] * 5


def test_bins_that_were_put_beside_each_other_can_be_joined_again():
    near = [0.5, np.nextafter(0.5, 1)]
    one, other = (Summary.of(np.array([s]), np.array([True])) for s in near)
    both = one.overlapping(other)
    assert (len(both), len(both.within(1))) == (2, 1)


def test_scores_that_no_dtype_holds_together_are_refused():
    whole, fraction = (Summary.of(np.array([s]), np.array([True])) for s in (2**60 + 1, 0.5))
    with pytest.raises(cw.CurvewiseError, match="cannot be added exactly"):
        whole.overlapping(fraction)


def test_bins_whose_pairs_were_counted_know_the_area():
    """Wins of a bin: 2 for each pair that a positive wins, 1 for a tie."""
    y, score = rows(np.random.default_rng(5), 60, decimals=2)
    sweep, pair = binned(y, score, 8), next(m for m in every() if m.name == "roc_auc")
    wins = []
    for low, high in zip(sweep.bins.low, sweep.bins.high, strict=True):
        inside = (score >= low) & (score <= high)
        away = score[inside & y][:, None] - score[inside & ~y]
        wins.append(int(2 * (away > 0).sum() + (away == 0).sum()))
    known = replace(sweep, bins=replace(sweep.bins, wins=np.array(wins)))
    assert sweep.is_binned
    assert pair.within(known) == (pytest.approx(cw.roc_auc(y, score)), pytest.approx(cw.roc_auc(y, score)))


def test_a_rate_of_an_absent_class_is_undefined_within_a_bin_too():
    score = np.linspace(0, 1, 50)
    sweep = binned(np.zeros(50), score, 4)
    inside = float(np.mean([sweep.bins.low[0], sweep.bins.high[0]]))
    with pytest.raises(cw.UndefinedMetricError):
        bounds_of(bound("recall", {"threshold": inside}, "x"), sweep)


def in_order(sweep, first):
    """Return labels and scores in which one class of every bin stands first: negatives, then positives one by one; or
    positives all at once, then negatives."""
    labels, scores, at = [], [], 0.0
    for pos, neg in zip(sweep.block_positives.tolist(), sweep.block_negatives.tolist(), strict=True):
        if first == "positives":
            labels += [1] * pos + [0] * neg
            scores += [at - 1] * pos + [at - 2] * neg
        else:
            labels += [0] * neg + [1] * pos
            scores += [at - 1] * neg + [at - 2 - k / 1000 for k in range(pos)]
        at -= 3
    return labels, scores


def test_limits_of_average_precision_are_reached():
    y, score = rows(np.random.default_rng(3), 80)
    sweep = binned(y, score, 9)
    assert sweep.bins.mixed.all()
    low, high = ends_in_bins(sweep)
    assert low == pytest.approx(cw.average_precision(*in_order(sweep, "negatives")), abs=1e-12)
    assert high == pytest.approx(cw.average_precision(*in_order(sweep, "positives")), abs=1e-12)
    tied = replace(sweep, bins=None)
    for ties in ("expected", "optimistic", "pessimistic"):
        ends = [cw.average_precision(tied, ties=way) for way in ("pessimistic", "optimistic")]
        assert ends_in_bins(sweep, ties=ties) == pytest.approx(ends, abs=1e-12)
    known = replace(sweep, bins=replace(sweep.bins, gained=np.array([2.0, 1.5])))
    assert ends_in_bins(known) == (pytest.approx(3.5 / y.sum()), pytest.approx(3.5 / y.sum()))


def test_limits_of_average_precision_of_weights():
    """At least: positives of a bin come in ever smaller pieces, so that a sum becomes an integral."""
    pos, neg = np.array([0.4, 0.7, 0.2]), np.array([0.0, 0.5, 0.3])
    sweep = Sweep.from_counts([3.0, 2.0, 1.0], pos, neg)
    sweep = replace(sweep, bins=Bins(sweep.threshold - 0.4, sweep.threshold + 0.4))
    low, high = ends_in_bins(sweep)
    least = most = hits = false = 0.0
    for p, n in zip(pos, neg, strict=True):
        most += p * (hits + p) / (hits + p + false)
        false += n
        least += quad(lambda t, f=false: t / (t + f), hits, hits + p)[0] if false else p
        hits += p
    assert (low, high) == (pytest.approx(least / pos.sum()), pytest.approx(most / pos.sum()))
