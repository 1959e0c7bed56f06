"""Comparisons: golden numbers, laws, margins, clusters, other metrics."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

import curvewise as cw
from curvewise.core import keys
from curvewise.core.bins import Summary
from curvewise.core.sweep import Sweep
from curvewise.core.threads import ROWS_PER_THREAD
from curvewise.inference.delong import placements
from strategies import labelled

HERE = Path(__file__).parents[1] / "reference"
GOLDEN = json.loads((HERE / "golden.json").read_text())["cases"]
PAIRS = ["paired150", "rare2000"]
fair = labelled(min_size=8, each=2)


def read(case):
    table = np.genfromtxt(HERE / f"{case}.csv", delimiter=",", names=True)
    return table["y"], {"a": table["a"], "b": table["b"]}


@pytest.mark.parametrize("case", PAIRS)
def test_delong_paired_is_procs(case):
    found, reference = cw.compare(*read(case), method="delong-wald"), GOLDEN[case]["a-b"]["delong_paired"]
    assert found.statistic == pytest.approx(reference["z"], rel=1e-10)
    assert found.p_value == pytest.approx(reference["p"], rel=1e-10)
    assert found.difference.value == pytest.approx(GOLDEN[case]["a"]["auc"] - GOLDEN[case]["b"]["auc"], abs=1e-11)


@pytest.mark.parametrize("case", PAIRS)
def test_delong_unpaired_is_procs(case):
    y, scores = read(case)
    found, reference = (
        cw.compare({"a": y, "b": y}, scores, method="delong-wald"),
        GOLDEN[case]["a-b"]["delong_unpaired"],
    )
    assert found.statistic == pytest.approx(reference["d"], rel=1e-10)
    assert found.p_value == pytest.approx(reference["p"], rel=1e-10)
    assert found.pairs[0].degrees_of_freedom == pytest.approx(reference["df"], rel=1e-10)


def test_the_default_is_not_called_delongs_test():
    y, scores = read(PAIRS[0])
    assert "(score interval, DeLong's variance, 95% intervals)" in cw.compare(y, scores).table.title
    assert "(DeLong's Wald interval, 95% intervals)" in cw.compare(y, scores, method="delong-wald").table.title


@given(fair)
def test_a_model_against_itself_or_a_transform_of_itself(data):
    y, s = data
    ranks = np.unique(np.asarray(s), return_inverse=True)[1]
    for other in (s, ranks**3):
        found = cw.compare(y, {"a": s, "b": other})
        assert (found.difference.value, found.statistic, found.p_value) == (0, 0, 1)


@given(fair, st.integers(0, 99))
def test_antisymmetric_and_consistent(data, seed):
    y, s = data
    other = np.random.default_rng(seed).normal(size=len(y)) + np.array(y)
    one = cw.compare(y, {"a": s, "b": other})
    two = cw.compare(y, {"b": other, "a": s})
    assert one.statistic == pytest.approx(-two.statistic)
    assert one.p_value == pytest.approx(two.p_value)
    excludes = not one.difference.low <= 0 <= one.difference.high
    assert excludes == (one.p_value < 0.05)


def test_bootstrap_agrees_with_delong_and_with_its_interval():
    y, scores = read("paired150")
    exact, drawn = cw.compare(y, scores), cw.compare(y, scores, method="bootstrap", rng=0, replicates=1000)
    assert drawn.difference.value == exact.difference.value
    assert drawn.difference.standard_error == pytest.approx(exact.difference.standard_error, rel=0.1)
    assert drawn.statistic is None
    for level in (0.5, 0.9, 0.99, 0.999):
        found = cw.compare(y, scores, method="bootstrap", rng=0, replicates=1000, level=level)
        excludes = not found.difference.low <= 0 <= found.difference.high
        assert excludes == (found.p_value < 1 - level)


def test_bootstrap_is_the_same_for_any_number_of_threads():
    y, scores = read("paired150")
    found = []
    for threads in (1, 2, 4):
        cw.set_threads(threads)
        found.append(cw.compare(y, scores, metric="average_precision", rng=5, replicates=120))
    assert found[0] == found[1] == found[2]
    itself = cw.compare(y, {"a": scores["a"], "b": scores["a"]}, metric="average_precision", rng=5, replicates=60)
    assert itself.p_value == 1


def test_three_models():
    y, scores = read("paired150")
    found = cw.compare(y, {**scores, "both": scores["a"] + scores["b"]})
    assert found.omnibus[1] == 2
    assert found.statistic == found.omnibus[0]
    assert found.p_value == found.omnibus[2] < 0.001
    assert [(p.first, p.second) for p in found.pairs] == [("a", "b"), ("a", "both"), ("b", "both")]
    plain = sorted(p.p_value for p in found.pairs)
    holm = sorted(p.p_holm for p in found.pairs)
    assert holm == pytest.approx([3 * plain[0], max(3 * plain[0], 2 * plain[1]), max(2 * plain[1], plain[2])])
    with pytest.raises(cw.CurvewiseError, match="3 models have 3 differences"):
        found.difference  # noqa: B018
    assert "all models equal: chi-square" in str(found)
    assert len(found.table) == 3
    assert json.loads(json.dumps(found.to_dict()))["omnibus"][1] == 2
    same = cw.compare(y, {"a": scores["a"], "b": scores["a"], "c": scores["a"]})
    assert same.p_value == 1


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"method": "bootstrap", "replicates": 400},
        {"metric": "accuracy", "threshold": 0},
        {"metric": "average_precision", "margin": 0.05, "replicates": 400},
    ],
)
def test_simultaneous_intervals_agree_with_bonferroni(options):
    y, scores = read("paired150")
    scores = {**scores, "both": scores["a"] + scores["b"]}
    found = cw.compare(y, scores, rng=0, **options)
    for pair in found.pairs:
        alone, together = pair.difference, pair.simultaneous
        assert together.value == alone.value
        assert together.low <= alone.low <= alone.high <= together.high
        assert together.level == alone.level == 0.95
        assert (together.low > 0 or together.high < 0) == (3 * pair.p_value < 0.05)
        two = {k: scores[k] for k in (pair.first, pair.second)}
        wide = cw.compare(y, two, rng=0, **{**options, "level": 1 - 0.05 / 3})
        if options.get("metric", "roc_auc") in ("roc_auc", "accuracy") and "method" not in options:
            assert (together.low, together.high) == pytest.approx((wide.difference.low, wide.difference.high))
    assert {"low_simultaneous", "high_simultaneous"} <= set(found.table.columns)
    assert "cover all 3 differences together" in str(found)


def test_two_models_need_no_simultaneous_interval():
    y, scores = read("paired150")
    found = cw.compare(y, scores)
    assert found.pairs[0].simultaneous is None
    assert "low_simultaneous" not in found.table.columns
    swapped = cw.compare(y, {**scores, "c": scores["a"]}, method="permutation", replicates=20)
    assert all(pair.simultaneous is None for pair in swapped.pairs)


def test_margins():
    y, scores = read("paired150")
    pair = cw.compare(y, {"b": scores["b"], "a": scores["a"]}, margin=0.2).pairs[0]
    assert pair.p_value < 0.01
    assert pair.p_non_inferior < 0.05  # worse, but not by 0.2
    assert pair.p_equivalent == pytest.approx(pair.p_non_inferior)
    narrow = cw.compare(y, {"b": scores["b"], "a": scores["a"]}, margin=0.01).pairs[0]
    assert narrow.p_non_inferior > 0.9
    drawn = cw.compare(y, {"b": scores["b"], "a": scores["a"]}, margin=0.2, method="bootstrap", rng=0).pairs[0]
    assert drawn.p_non_inferior == pytest.approx(pair.p_non_inferior, abs=0.02)


def test_one_model_against_a_value():
    y, scores = read("paired150")
    alone = cw.compare(y, {"a": scores["a"]})
    estimate = cw.interval("roc_auc", y, scores["a"])
    assert alone.difference.value == pytest.approx(estimate.value - 0.5)
    assert (alone.difference.low, alone.difference.high) == pytest.approx((estimate.low - 0.5, estimate.high - 0.5))
    assert alone.p_value < 1e-6
    assert cw.compare(y, {"a": scores["a"]}, against=estimate.value).p_value == pytest.approx(1)
    drawn = cw.compare(y, {"a": scores["a"]}, metric="average_precision", against=0.3, rng=0, replicates=300)
    assert drawn.p_value < 0.02
    for value in (0.6, 0.99):  # a statistic has the sign of the difference
        found = cw.compare(y, {"a": scores["a"]}, against=value)
        assert np.sign(found.statistic) == np.sign(estimate.value - value)
        assert found.p_value == pytest.approx(2 * norm.sf(abs(found.statistic)))
    asked = cw.compare(y, {"a": scores["a"]}, against=0.7, method="bootstrap", rng=0, replicates=300)
    alone = cw.interval("roc_auc", y, scores["a"], method="percentile", rng=0, replicates=300)
    assert asked.difference.value == pytest.approx(alone.value - 0.7)
    assert (asked.difference.low, asked.difference.high) == pytest.approx((alone.low - 0.7, alone.high - 0.7), abs=0.02)
    assert [(p.first, p.second) for p in cw.compare(y, scores, against=0.5).pairs][1:] == [
        ("a", "value"),
        ("b", "value"),
    ]


def test_a_level_next_to_1_is_shared_among_pairs():
    y, scores = read("paired150")
    level = 0.9999999999999998
    found = cw.compare(y, {**scores, "c": np.negative(scores["a"])}, level=level)
    ends = [(p.simultaneous.low, p.difference.low, p.difference.high, p.simultaneous.high) for p in found.pairs]
    assert all(list(e) == sorted(e) for e in ends)


def test_a_model_may_be_called_value():
    y, scores = read("paired150")
    found = cw.compare(y, {"value": scores["a"]}, against=0.6)
    assert found.values == pytest.approx({"value": cw.roc_auc(y, scores["a"]), "fixed value": 0.6})
    assert found.pairs[0].difference.value == pytest.approx(found.values["value"] - 0.6)


def test_clusters_and_weights():
    y, scores = read("paired150")
    alone = cw.compare(y, scores, cluster=np.arange(150))
    assert alone.statistic == pytest.approx(cw.compare(y, scores).statistic, rel=1e-10)
    doubled = {k: np.repeat(v, 2) for k, v in scores.items()}
    naive = cw.compare(np.repeat(y, 2), doubled)
    honest = cw.compare(np.repeat(y, 2), doubled, cluster=np.repeat(np.arange(150), 2))
    assert abs(naive.statistic) > 1.3 * abs(honest.statistic)
    weighted = cw.compare(y, scores, weight=np.full(150, 0.4))
    assert weighted.statistic == pytest.approx(cw.compare(y, scores).statistic, rel=1e-10)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda y, s: cw.compare(y, {"a": s["a"]}, metric="average_precision"), "one model needs against="),
        (lambda y, s: cw.compare(y, s["a"]), "expected a dict of models"),
        (lambda y, s: cw.compare({"a": y, "b": y}, s, against=0.5), "models on the same rows"),
        (lambda y, s: cw.compare(y, {"a": s["a"], "b": s["b"][:9]}), "equally long"),
        (lambda y, s: cw.compare({"a": y}, s), "expected labels for each model"),
        (lambda y, s: cw.compare(y * 0, s), "needs both classes"),
        (lambda y, s: cw.compare(y, s, metric="nonsense"), "there is no metric"),
        (
            lambda y, s: cw.compare(y, s, metric="average_precision", method="delong"),
            "method: expected one of",
        ),
        (lambda y, s: cw.compare(y, s, margin=-1), "margin: expected"),
        (lambda y, s: cw.compare(y, s, cluster=[1, 2]), "equally long"),
    ],
)
def test_refusals(call, words):
    with pytest.raises(cw.CurvewiseError, match=words):
        call(*read("paired150"))


def test_size_of_the_paired_test():
    """Under equal models, a small simulation rejects about one time in twenty."""
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1], 100)
    rejected = 0
    for _ in range(400):
        base = rng.normal(size=200) + y
        p = cw.compare(y, {"a": base + rng.normal(size=200), "b": base + rng.normal(size=200)}).p_value
        rejected += p < 0.05
    assert 0.02 <= rejected / 400 <= 0.085


def two_models(rng, positives, negatives, auc, spread, correlation=0.6):
    """Binormal scores of two models of these AUCs; those of positives are ``spread`` times as wide."""
    size, on = (positives + negatives, 2), np.arange(positives + negatives) < positives
    scores = rng.normal(size=size) @ np.linalg.cholesky([[1, correlation], [correlation, 1]]).T
    scores[on] = spread * scores[on] + math.hypot(1, spread) * norm.ppf(auc)
    return on, dict(zip("ab", scores.T, strict=True))


@pytest.mark.parametrize(
    ("sizes", "auc", "spread"),
    [((20, 380), (0.8, 0.8), 2), ((20, 380), (0.85, 0.9), 1), ((30, 70), (0.95, 0.99), 1), ((15, 60), (0.8, 0.997), 1)],
)
def test_intervals_of_differences_hold_and_margins_keep_their_size(sizes, auc, spread):
    """600 studies: of 20 + 380 rows with AUC .95 and .99 Wald's interval held in .86, and .18 passed at the margin."""
    rng, true, held, passed = np.random.default_rng(5), auc[0] - auc[1], 0, 0
    for _ in range(600):
        pair = cw.compare(*two_models(rng, *sizes, auc, spread), margin=max(-true, 1e-9)).pairs[0]
        held += pair.difference.low <= true <= pair.difference.high
        passed += pair.p_non_inferior < 0.05
        assert (pair.p_value < 0.05) == (not pair.difference.low <= 0 <= pair.difference.high)
    assert 0.925 < held / 600 < 0.99
    assert passed / 600 < 0.08


def test_a_window_that_has_not_changed_is_rarely_called_so():
    """40 positives of 400 rows beside 2 000, AUC .945: Wald's p was below .01 in .03, below .001 in .01 of studies."""
    rng, p = np.random.default_rng(6), []
    for _ in range(600):
        new, old = (two_models(rng, k, 9 * k, (0.945, 0.945), 1) for k in (40, 200))
        p.append(cw.compare({"new": new[0], "old": old[0]}, {"new": new[1]["a"], "old": old[1]["a"]}).p_value)
    assert 0.025 < np.mean(np.array(p) < 0.05) < 0.08
    assert np.mean(np.array(p) < 0.01) < 0.022
    assert np.mean(np.array(p) < 0.001) <= 3 / 600


def test_one_cluster_per_row_or_one_stratum_is_the_same_difference():
    y, scores = read("paired150")
    alone, fixed = cw.compare(y, scores).difference, cw.compare(y, scores, weight=np.full(150, 3.0)).difference
    clustered = cw.compare(y, scores, cluster=np.arange(150)).difference
    assert (clustered.low, clustered.high) == pytest.approx((alone.low, alone.high), abs=1e-3)
    assert (fixed.low, fixed.high) == pytest.approx((alone.low, alone.high), abs=1e-3)


def test_both_sides_of_a_margin():
    y, scores = read("paired150")
    pair = cw.compare(y, scores, margin=0.2).pairs[0]
    away, error = pair.difference.value, pair.difference.standard_error
    assert pair.p_equivalent < 0.1
    wald = cw.compare(y, scores, margin=0.2, method="delong-wald").pairs[0]
    assert wald.p_non_inferior == pytest.approx(norm.sf((away + 0.2) / error))
    assert wald.p_equivalent == pytest.approx(norm.cdf((away - 0.2) / error))  # better, by less than 0.2?
    turned = cw.compare(y, {"b": scores["b"], "a": scores["a"]}, margin=0.2).pairs[0]
    assert turned.p_equivalent == pytest.approx(pair.p_equivalent)


@pytest.mark.parametrize("metric", ["roc_auc", "brier_loss", "accuracy"])
def test_margins_around_a_fixed_value_are_ends_of_its_interval(metric):
    """A value that lies a margin within an end of the 90 % interval is left with 5 % on that side."""
    rng = np.random.default_rng(0)
    y = rng.random(200) < 0.5
    p = np.clip(0.5 + 0.2 * (y - 0.5) + rng.normal(0, 0.2, 200), 0, 1)
    how = {"threshold": 0.5} if metric == "accuracy" else {}
    known = cw.interval(metric, y, p, level=0.9, **how)
    margin = 2 * (known.high - known.low)
    for end, side in ((known.low, 1), (known.high, -1)):
        pair = cw.compare(y, {"p": p}, metric=metric, against=end + side * margin, margin=margin, **how).pairs[0]
        assert pair.p_equivalent == pytest.approx(0.05, abs=1e-6)
        if side == (-1 if metric == "brier_loss" else 1):
            assert pair.p_non_inferior == pytest.approx(0.05, abs=1e-6)
        else:
            assert pair.p_non_inferior < 1e-4


def test_differences_stay_within_what_is_possible():
    y = [1, 1, 1, 0, 0, 0]
    good, bad = [6, 5, 2, 4, 3, 1], [1, 3, 2, 5, 4, 6]
    for metric in ("roc_auc", "average_precision", "gini"):
        found = cw.compare(y, {"good": good, "bad": bad}, metric=metric, level=0.999).difference
        widest = 2 if metric == "gini" else 1
        assert -widest <= found.low <= found.value <= found.high <= widest


@pytest.mark.parametrize("kind", [None, "count", "sampling"])
def test_placements_piece_by_piece_have_the_covariance_of_all_at_once(kind, monkeypatch):
    """The definitions: covariances of the placements of each class, counted or weighted, over pieces of any size."""
    rng = np.random.default_rng(4)
    n = 400
    y = rng.random(n) < 0.3
    scores = {k: (rng.normal(size=n) + y).round(1) for k in "abc"}
    weight = {None: None, "count": rng.integers(1, 5, n), "sampling": rng.uniform(0.5, 2, n)}[kind]
    options = {} if kind is None else {"weight": weight, "weight_kind": kind}
    rows = cw.read_rows(y, scores, **options)
    own = np.ones(n) if weight is None else weight.astype(float)
    placed, wanted = placements(rows), np.zeros((3, 3))
    for on in (y, ~y):
        v, w = placed.value[:, on], own[on]
        if kind == "sampling":
            share = w / w.sum()
            away = v - (v @ share)[:, None]
            wanted += (away * (share / (1 - share)) ** 2) @ away.T * (on.sum() - 1) / on.sum()
        else:
            wanted += np.cov(v, fweights=w.astype(int)) / w.sum()
    for chunk in (7, 100, 10**6):
        monkeypatch.setattr(keys, "CHUNK", chunk)
        found = placements(rows)
        assert np.array_equal(found.value, placed.value)
        assert found.auc() == pytest.approx([cw.roc_auc(y, s, weight=weight) for s in scores.values()], rel=1e-13)
        assert found.covariance() == pytest.approx(wanted, rel=1e-11)
        apart = wanted[0, 0] + wanted[2, 2] - 2 * wanted[0, 2]
        assert found.spreads([(0, 2)])[0].variance == pytest.approx(apart, rel=1e-9)


def test_a_comparison_of_many_rows_is_the_same_for_any_number_of_threads():
    rng = np.random.default_rng(6)
    n = 2 * ROWS_PER_THREAD + 17
    y = rng.random(n) < 0.2
    scores = {"a": rng.normal(size=n) + y, "b": (rng.normal(size=n) + y).round(2)}
    try:
        cw.set_threads(1)
        one = cw.compare(y, scores).to_dict()
        cw.set_threads(3)
        assert cw.compare(y, scores).to_dict() == one
    finally:
        cw.set_threads(None)


class Holds:
    """A model that compares itself: it keeps what it was asked."""

    @staticmethod
    def compare_models(models, **options):
        return models, options


def test_models_that_hold_their_own_scores_compare_themselves():
    one, two = Holds(), Holds()
    models, options = cw.compare({"one": one, 2: two}, metric="ap", margin=0.1, rng=3, replicates=20, level=0.9)
    assert models == {"one": one, "2": two}
    assert options == {"metric": "ap", "margin": 0.1, "rng": 3, "replicates": 20, "level": 0.9}
    with pytest.raises(cw.CurvewiseError, match="scores: models that hold their own scores are given alone"):
        cw.compare({"one": one}, {"one": [1, 2]})
    with pytest.raises(cw.CurvewiseError, match="expected a Holds for every model, got another kind for 'two'"):
        cw.compare({"one": one, "two": [1, 0]})


def test_sweeps_by_model_are_compared_as_their_rows():
    y, scores = read("paired150")
    sweeps = {name: cw.sweep(y, s) for name, s in scores.items()}
    found, rows = cw.compare(sweeps), cw.compare({"a": y, "b": y}, scores)
    assert (found.values, found.p_value) == (pytest.approx(rows.values), pytest.approx(rows.p_value))
    # four scores only: the degrees of freedom are those of the 150 rows all the same
    few = {name: np.round(3 * (s - s.min()) / np.ptp(s)) for name, s in scores.items()}
    found = cw.compare({name: cw.sweep(y, s) for name, s in few.items()}).difference
    rows = cw.compare({"a": y, "b": y}, few).difference
    assert (found.low, found.high) == (pytest.approx(rows.low), pytest.approx(rows.high))
    with pytest.raises(cw.CurvewiseError, match="y: expected a Sweep for every model, got a list for 'b'"):
        cw.compare({"a": sweeps["a"], "b": [1, 0]})


def test_bins_of_each_model_are_told():
    y, scores = read("paired150")

    def binned(s):
        return Sweep.from_summary(Summary.of(np.asarray(s), y == 1).within(20))

    found = cw.compare({"a": binned(scores["a"]), "b": binned(scores["b"])})
    told = [n.values for n in found.notes if n.code == "of_model"]
    assert [(v["model"], v["said"].code) for v in told] == [("a", "in_bins"), ("b", "in_bins")]
    for value in told:
        exact = cw.roc_auc(y, scores[value["model"]])
        assert value["said"].values["low"] <= exact <= value["said"].values["high"]


@pytest.mark.parametrize("level", [0, 1])
def test_a_level_lies_strictly_between_0_and_1(level):
    with pytest.raises(cw.CurvewiseError, match="level: expected"):
        cw.compare(*read("paired150"), level=level)


def test_separated_classes_against_another_value_than_chance():
    """The exact test of ranks, 2 of 252 orders, is one of 0.5 alone."""
    y, score = [1] * 5 + [0] * 5, range(10, 0, -1)
    assert cw.compare(y, {"a": score}, against=0.5).p_value == pytest.approx(2 / 252)
    assert cw.compare(y, {"a": score}, against=0.95).p_value > 0.2
