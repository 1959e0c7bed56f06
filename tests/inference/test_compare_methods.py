"""Permutation, McNemar and Venkatraman: brute force, closed forms, golden numbers, laws."""

import itertools
import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, norm, rankdata

import curvewise as cw
from curvewise.inference import by_permutation
from curvewise.inference.by_bootstrap import pair_of_draws
from curvewise.inference.by_permutation import doubled_ranks, share_beyond
from strategies import labelled

HERE = Path(__file__).parents[1] / "reference"
GOLDEN = json.loads((HERE / "golden.json").read_text())["cases"]
fair = labelled(min_size=8, each=2)


def read(case):
    table = np.genfromtxt(HERE / f"{case}.csv", delimiter=",", names=True)
    return table["y"], {"a": table["a"], "b": table["b"]}


def errors_at_ranks(y, ranks):
    return np.array(
        [sum(y & (ranks <= k)) + sum(~y & (ranks > k)) for k in range(1, len(y))]
    )  # the k lowest are called negative


@pytest.mark.parametrize("case", ["paired150", "rare2000"])
def test_venkatraman_is_procs_once_ties_are_broken_as_it_does(case):
    """PROC 1.18.0 ranks tied scores in the order of the rows; we give them one mid-rank."""
    y, scores = read(case)
    first_come = {name: rankdata(s, method="ordinal") for name, s in scores.items()}
    found = cw.compare(y, first_come, metric="roc_curve", replicates=50, rng=0)
    assert found.statistic == GOLDEN[case]["a-b"]["venkatraman_e"]


@given(fair, st.integers(0, 99))
def test_venkatraman_statistic_by_its_definition(data, seed):
    y, a = data
    b = np.random.default_rng(seed).integers(0, 5, len(y))
    found = cw.compare(y, {"a": a, "b": b}, metric="roc_curve", replicates=2, rng=0)
    truth = np.asarray(y) == 1
    apart = errors_at_ranks(truth, rankdata(a)) - errors_at_ranks(truth, rankdata(b))
    assert found.statistic == np.abs(apart).sum()
    order = np.random.default_rng(seed).permutation(len(y))
    moved = {"a": np.asarray(a)[order], "b": b[order]}
    again = cw.compare(np.asarray(y)[order], moved, metric="roc_curve", replicates=2, rng=0)
    assert again.statistic == found.statistic


def test_venkatraman_sees_curves_of_equal_area_that_differ():
    """Scores of the same AUC, one with half of its positives on top and half at chance."""
    rng = np.random.default_rng(5)
    y = np.repeat([1, 0], 200)
    even = rng.normal(size=400) + 0.85 * y
    split = np.where((y == 1) & (rng.random(400) < 0.45), 4, rng.normal(size=400))
    scores = {"even": even, "split": split}
    assert cw.compare(y, scores).p_value > 0.3
    found = cw.compare(y, scores, metric="roc_curve", replicates=400, rng=1)
    assert found.p_value < 0.01
    assert found.method == "venkatraman"
    assert "whole curves" in str(found)


def test_permutation_counts_every_swap():
    """All swaps of six rows, with one loop, against many random ones."""
    y = np.array([1, 1, 1, 0, 0, 0])
    a, b = np.array([6, 5, 3, 4, 2, 1.0]), np.array([2, 6, 1, 5, 3, 4.0])
    seen = cw.average_precision(y, a) - cw.average_precision(y, b)
    beyond = []
    for swap in itertools.product([False, True], repeat=6):
        one, two = np.where(swap, b, a), np.where(swap, a, b)
        away = cw.average_precision(y, one) - cw.average_precision(y, two)
        beyond.append(abs(away) >= abs(seen) - 1e-12)
    found = cw.compare(y, {"a": a, "b": b}, metric="average_precision", method="permutation", replicates=20_000, rng=3)
    assert found.p_value == pytest.approx(np.mean(beyond), abs=0.012)
    assert np.isnan(found.difference.low)
    assert found.difference.value == pytest.approx(seen)
    assert "no interval" in str(found)


class Prescribed:
    """A stream whose next draw is known: which rows to swap, or how far to turn an order round."""

    def __init__(self, swap=(), turn=0):
        self.swap, self.turn = np.array(swap), turn

    def integers(self, low, high, size):
        assert (low, high, size) == (0, 2, len(self.swap))
        return self.swap

    def permutation(self, values):
        return np.roll(values, self.turn)


def prescribe(monkeypatch, streams):
    """Draw once from each stream in place of at random, and return what is found."""
    seen = []

    def draws(one, replicates, rng):
        seen.extend(one(stream) for stream in streams)
        return np.array(seen), 0

    monkeypatch.setattr(by_permutation, "replicate_draws", draws)
    return seen


SWAPS = list(itertools.product([False, True], repeat=5))
FIVE = np.array([1, 1, 0, 1, 0])
A, B = np.array([4.0, 2.0, 3.0, 3.0, 1.0]), np.array([20.0, 10.0, 30.0, 40.0, 30.0])


def f1(y, flagged):
    return 2 * sum(y & flagged) / (sum(y) + sum(flagged)) if flagged.any() else 0.0


@pytest.mark.parametrize("turn", [1, -1])
@pytest.mark.parametrize("cuts", [(3, 20), (2, 30), (3, 2)])
def test_every_swap_of_decisions_at_a_threshold(monkeypatch, turn, cuts):
    """A row at its threshold is flagged; thresholds differ, so decisions are swapped and not scores."""
    seen = prescribe(monkeypatch, map(Prescribed, SWAPS))
    higher_is = "positive" if turn == 1 else "negative"
    threshold = {"a": turn * cuts[0], "b": turn * cuts[1]}
    options = {"metric": "f1", "threshold": threshold, "method": "permutation", "higher_is": higher_is}
    found = cw.compare(FIVE, {"a": turn * A, "b": turn * B}, **options)
    one, two, y = cuts[0] <= A, cuts[1] <= B, FIVE == 1
    wanted = [f1(y, np.where(s, two, one)) - f1(y, np.where(s, one, two)) for s in SWAPS]
    assert seen == pytest.approx(wanted)
    away = abs(f1(y, one) - f1(y, two))
    assert found.p_value == (1 + sum(abs(w) >= away - 1e-9 for w in wanted)) / 33


@pytest.mark.parametrize("higher_is", ["positive", "negative"])
def test_every_swap_of_scores_of_a_function(monkeypatch, higher_is):
    """A function may read the scores themselves: the mean score of the positives, and the area."""

    def mean_and_area(s):
        return float(np.average(s.threshold, weights=s.block_positives)) + 100 * cw.roc_auc(s)

    seen = prescribe(monkeypatch, map(Prescribed, SWAPS))
    cw.compare(FIVE, {"a": A, "b": B}, metric=mean_and_area, method="permutation", higher_is=higher_is)
    sign = 1 if higher_is == "positive" else -1

    def by_pairs(s):
        pos, neg = s[FIVE == 1], s[FIVE == 0]
        wins = np.sign(sign * (pos[:, None] - neg)).mean() / 2 + 1 / 2
        return pos.mean() + 100 * wins

    assert seen == pytest.approx([by_pairs(np.where(s, B, A)) - by_pairs(np.where(s, A, B)) for s in SWAPS])


@pytest.mark.parametrize("weight", [None, np.array([2, 1, 3, 1, 4]), np.array([0.5, 1.5, 2.5, 1, 0.25])])
def test_every_swap_of_ranks(monkeypatch, weight):
    """Areas swap mid-ranks; Venkatraman's E sums the errors when the k lowest of the new ranks are called negative."""
    one, two, y = rankdata(A), rankdata(B), FIVE == 1
    each = np.ones(5) if weight is None else weight
    seen = prescribe(monkeypatch, map(Prescribed, SWAPS))
    cw.compare(FIVE, {"a": A, "b": B}, metric="average_precision", method="permutation", weight=weight)
    for found, swap in zip(seen, SWAPS, strict=True):
        ranks = np.where(swap, two, one), np.where(swap, one, two)
        wanted = [cw.average_precision(FIVE, r, weight=weight) for r in ranks]
        assert found == pytest.approx(wanted[0] - wanted[1])

    def apart(ranks, others):
        gain = np.where(y, each, -each)
        return sum(abs(gain @ (1.0 * (ranks <= k) - (others <= k))) for k in range(1, 5))

    seen = prescribe(monkeypatch, map(Prescribed, SWAPS))
    found = cw.compare(FIVE, {"a": A, "b": B}, metric="roc_curve", weight=weight)
    assert found.statistic == pytest.approx(apart(one, two))
    again = [(rankdata(np.where(s, two, one)), rankdata(np.where(s, one, two))) for s in SWAPS]
    assert seen == pytest.approx([apart(*ranks) for ranks in again])


def test_p_values_count_what_is_equal_but_for_rounding():
    assert share_beyond(0.5, np.array([0.5 - 0.8e-12, 0.5 - 1.5e-12, 0.7])) == 3 / 4
    assert share_beyond(1000.0, np.array([1000 - 0.8e-9, 1000 - 1.5e-9])) == 2 / 3
    assert share_beyond(1e-12, np.array([0.0])) == 1


@pytest.mark.parametrize(
    ("metric", "options"),
    [
        ("roc_auc", {}),
        ("partial_roc_auc", {"fpr": (0, 0.3)}),
        ("f1", {"threshold": {"a": 0.5, "b": 1.0}}),
        (lambda s: 2 * cw.roc_auc(s), {}),
    ],
)
def test_permutation_agrees_with_the_bootstrap(metric, options):
    y, scores = read("paired150")
    found = cw.compare(y, scores, metric=metric, method="permutation", replicates=999, rng=1, **options)
    drawn = cw.compare(y, scores, metric=metric, method="bootstrap", replicates=999, rng=1, **options)
    assert found.values == drawn.values
    assert found.p_value == pytest.approx(drawn.p_value, abs=0.1)


@pytest.mark.parametrize("weight", [None, np.ones(150, int), np.full(150, 0.5)])
@pytest.mark.parametrize("higher_is", ["positive", "negative"])
def test_permutation_ignores_scale_direction_and_equal_weights(weight, higher_is):
    y, scores = read("paired150")
    turned = scores if higher_is == "positive" else {k: -v for k, v in scores.items()}
    plain = cw.compare(y, scores, metric="average_precision", method="permutation", replicates=99, rng=2)
    found = cw.compare(
        y,
        {"a": turned["a"] * 9, "b": turned["b"]},
        metric="average_precision",
        method="permutation",
        replicates=99,
        rng=2,
        weight=weight,
        higher_is=higher_is,
    )
    assert found.p_value == plain.p_value


@given(fair)
def test_a_model_against_itself_is_never_different(data):
    y, s = data
    for options in (
        {"metric": "average_precision", "method": "permutation"},
        {"metric": "roc_curve"},
        {"metric": "accuracy", "threshold": 1, "method": "mcnemar"},
    ):
        assert cw.compare(y, {"a": s, "b": s}, replicates=9, rng=0, **options).p_value == 1


def test_clusters_are_swapped_whole():
    y, scores = read("paired150")
    twice = {k: np.repeat(v, 2) for k, v in scores.items()}
    each = np.repeat(np.arange(150), 2)
    options = {"metric": "roc_curve", "replicates": 999, "rng": 4}
    alone = cw.compare(y, scores, **options)
    honest = cw.compare(np.repeat(y, 2), twice, cluster=each, **options)
    assert honest.p_value == pytest.approx(alone.p_value, abs=0.02)


def decisions(both, first, second, neither):
    """Rows of positives: both right, only the first, only the second, neither."""
    a = np.repeat([1, 1, 0, 0], [both, first, second, neither])
    b = np.repeat([1, 0, 1, 0], [both, first, second, neither])
    return np.ones(len(a), int), {"a": a, "b": b}


def score_at(b, c, n, away):
    """Return (b - c - n·away) over its standard error, with the shares that fit best given the difference."""
    only_second = np.linspace(max(0, -away), (1 - away) / 2, 400_002)[1:-1]
    only_first = only_second + away
    likelihood = b * np.log(only_first) + c * np.log(only_second) + (n - b - c) * np.log(1 - only_first - only_second)
    best = only_second[np.argmax(likelihood)]
    return (b - c - n * away) / np.sqrt(n * (2 * best + away - away**2))


@pytest.mark.parametrize("counts", [(40, 6, 2, 10), (150, 86, 150, 16), (20, 1, 9, 3)])
def test_tangos_interval_ends_where_the_score_test_does(counts):
    y, scores = decisions(*counts)
    scores = {k: np.append(v, 0) for k, v in scores.items()}
    found = cw.compare(np.append(y, 0), scores, metric="recall", threshold=1)
    _, b, c, _ = counts
    assert found.method == "mcnemar"
    assert found.statistic**2 == pytest.approx((b - c) ** 2 / (b + c))
    assert score_at(b, c, len(y), found.difference.low) == pytest.approx(1.959964, abs=1e-4)
    assert score_at(b, c, len(y), found.difference.high) == pytest.approx(-1.959964, abs=1e-4)


@given(
    st.tuples(*[st.integers(0, 12)] * 4).filter(lambda c: sum(c) > 1),
    st.sampled_from([0.5, 0.9, 0.95, 0.99]),
    st.sampled_from([("accuracy", 1), ("recall", 1), ("error", -1), ("fnr", -1)]),
)
def test_mcnemar_interval_and_test_agree(counts, level, metric):
    y, scores = decisions(*counts)
    name, sign = metric
    y, scores = np.append(y, 0), {k: np.append(v, 0) for k, v in scores.items()}  # both are right there
    found = cw.compare(y, scores, metric=name, threshold=1, level=level)
    _, b, c, _ = counts
    n = len(y) - (name in ("recall", "fnr"))
    assert found.difference.value == pytest.approx(sign * (b - c) / n)
    assert found.values["a"] - found.values["b"] == pytest.approx(found.difference.value)
    excludes = not found.difference.low <= 0 <= found.difference.high
    assert excludes == (found.p_value < 1 - level)
    exact = binomtest(b, b + c).pvalue if b + c else 1
    told = [note.values["p"] for note in found.notes if note.code == "mcnemar_exact"]
    assert told == [pytest.approx(exact)] or b + c >= 25


@pytest.mark.parametrize(("first", "second", "told"), [(14, 10, True), (15, 10, False), (30, 10, False)])
def test_the_exact_p_value_is_told_below_25_rows_that_differ(first, second, told):
    y, scores = decisions(20, first, second, 6)
    found = cw.compare(np.append(y, 0), {k: np.append(v, 0) for k, v in scores.items()}, metric="fnr", threshold=1)
    assert [note.code for note in found.notes if note.code == "mcnemar_exact"] == ["mcnemar_exact"] * told
    n = 26 + first + second
    assert found.values == pytest.approx({"a": (second + 6) / n, "b": (first + 6) / n})


def test_mcnemar_p_values_are_computed_on_their_own_side():
    y = np.arange(400) < 120
    right, half = y.astype(float), np.where(np.arange(400) % 5 < 2, ~y, y).astype(float)
    found = cw.compare(y, {"a": right, "b": half}, metric="accuracy", threshold=0.5, margin=0.01)
    assert found.method == "mcnemar"
    assert found.statistic == pytest.approx(160**0.5)
    assert found.p_value == pytest.approx(2 * norm.sf(160**0.5), rel=1e-12, abs=0)
    assert 0 < found.pairs[0].p_non_inferior < 1e-16


def test_mcnemar_with_thresholds_of_their_own_and_margins():
    y, scores = read("paired150")
    cuts = {"a": 0.5, "b": 1.0}
    found = cw.compare(y, scores, metric="specificity", threshold=cuts, margin=0.1)
    for name, cut in cuts.items():
        assert found.values[name] == pytest.approx(cw.confusion(y, scores[name], threshold=cut).specificity)
    drawn = cw.compare(
        y,
        scores,
        metric="specificity",
        threshold=cuts,
        method="bootstrap",
        rng=1,
        margin=0.1,
        replicates=4000,
    )
    assert found.difference.low == pytest.approx(drawn.difference.low, abs=0.03)
    assert found.p_value == pytest.approx(drawn.p_value, abs=0.05)
    assert found.pairs[0].p_non_inferior == pytest.approx(drawn.pairs[0].p_non_inferior, abs=0.05)
    repeated = cw.compare(
        y,
        scores,
        metric="specificity",
        threshold=cuts,
        weight=np.full(150, 2),
        weight_kind="count",
        method="mcnemar",
    )
    assert repeated.statistic == pytest.approx(found.statistic * np.sqrt(2))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"metric": "roc_curve", "margin": 0.1}, "margin: method='venkatraman' tests only whether"),
        ({"metric": "roc_curve", "method": "delong"}, "method: expected one of"),
        ({"metric": "roc_curve", "against": 0.5}, "against: method='venkatraman'"),
        ({"method": "permutation", "against": 0.6}, "against: a permutation compares roc_auc with chance"),
        ({"metric": "f1", "threshold": {"a": 1}}, "threshold: expected one for each model"),
        ({"metric": "f1", "threshold": 1, "method": "mcnemar"}, "method: expected one of"),
        (
            {"metric": "accuracy", "threshold": 1, "method": "mcnemar", "weight": np.full(150, 0.3)},
            "count alike",
        ),
        (
            {"metric": "accuracy", "threshold": 1, "method": "mcnemar", "cluster": np.arange(150)},
            "independent",
        ),
    ],
)
def test_refusals(options, words):
    with pytest.raises(cw.CurvewiseError, match=words):
        cw.compare(*read("paired150"), **options)


@pytest.mark.parametrize("method", ["permutation", "mcnemar"])
def test_models_on_different_rows_are_refused(method):
    y, scores = read("paired150")
    with pytest.raises(cw.CurvewiseError, match="compares models on the same rows"):
        cw.compare({"a": y, "b": y}, scores, metric="accuracy", method=method, threshold=1)


def errors_of_shares(y, s, share):
    """Return the errors at any share called negative, with ``share`` positives: straight lines across ties."""
    cuts = np.unique(s)
    f, g = (np.append(0, [np.mean(s[on] <= c) for c in cuts]) for on in (y, ~y))
    called, errors = share * f + (1 - share) * g, share * f + (1 - share) * (1 - g)
    return lambda p: np.interp(p, called, errors)


def test_unpaired_venkatraman_by_its_definition():
    rng = np.random.default_rng(2)
    y = {"a": rng.random(60) < 0.5, "b": rng.random(90) < 0.3}
    s = {k: np.round(rng.normal(size=len(v)) + v, 1) for k, v in y.items()}
    found = cw.compare(y, s, metric="roc_curve", replicates=99, rng=0)
    share = sum(v.sum() for v in y.values()) / 150
    first, second = (errors_of_shares(y[k], s[k], share) for k in "ab")
    p = (np.arange(200_000) + 0.5) / 200_000
    assert found.statistic == pytest.approx(np.mean(np.abs(first(p) - second(p))), rel=1e-4)
    assert found.values == pytest.approx({k: cw.roc_auc(y[k], s[k]) for k in "ab"})
    rising = {"a": np.exp(s["a"]), "b": s["b"] ** 3}
    again = cw.compare(y, rising, metric="roc_curve", replicates=99, rng=0)
    assert (again.statistic, again.p_value) == (pytest.approx(found.statistic), found.p_value)
    assert cw.compare({"a": y["a"], "b": y["a"]}, {"a": s["a"], "b": s["a"]}, metric="roc_curve").p_value == 1


def area_between(first, second, share):
    """Return ∫ |e₁(p) - e₂(p)| dp of two models' (positives, negatives) as a fraction."""

    def corners(pos, neg):
        found = [(Fraction(0), 1 - share)]
        for cut in sorted({*pos, *neg}):
            f, g = (Fraction(sum(v <= cut for v in part), len(part)) for part in (pos, neg))
            found.append((share * f + (1 - share) * g, share * f + (1 - share) * (1 - g)))
        return found

    def at(line, p):
        (x0, y0), (x1, y1) = next((a, b) for a, b in itertools.pairwise(line) if a[0] <= p <= b[0])
        return y0 + (y1 - y0) * (p - x0) / (x1 - x0)

    one, two = corners(*first), corners(*second)
    places, total = sorted({x for x, _ in one + two}), Fraction(0)
    for left, right in itertools.pairwise(places):
        a, b = (at(one, p) - at(two, p) for p in (left, right))
        if a * b < 0:  # two triangles that meet where the lines cross
            cross = left + (right - left) * a / (a - b)
            total += (abs(a) * (cross - left) + abs(b) * (right - cross)) / 2
        else:
            total += (abs(a) + abs(b)) * (right - left) / 2
    return total


def test_every_exchange_of_unpaired_venkatraman(monkeypatch):
    """Rows keep the place that they have in their own model, ties halfway; classes are exchanged by themselves."""
    y = {"a": [1, 1, 1, 0, 0, 0, 0], "b": [1, 1, 0, 0, 0, 0, 0]}
    s = {"a": [2, 3, 4, 1, 1, 4, 4], "b": [1, 4, 2, 2, 2, 4, 4]}
    turns = range(5)
    seen = prescribe(monkeypatch, [Prescribed(turn=k) for k in turns])
    found = cw.compare(y, s, metric="roc_curve")
    share, places, own = Fraction(5, 14), [], []

    def place(v, parts):
        below = (Fraction(sum(2 * (v > w) + (v == w) for w in part), 2 * len(part)) for part in parts)
        return sum(k * b for k, b in zip((share, 1 - share), below, strict=True))

    for labels, scores in zip(y.values(), s.values(), strict=True):
        parts = [[v for v, label in zip(scores, labels, strict=True) if label == wanted] for wanted in (1, 0)]
        own.append(parts)
        places.append([[place(v, parts) for v in part] for part in parts])
    assert not {*places[0][0], *places[0][1]} & {*places[1][0], *places[1][1]}  # nothing hangs on rounding
    assert found.statistic == pytest.approx(float(area_between(*own, share)))
    for turn, value in zip(turns, seen, strict=True):
        pos, neg = (np.roll(np.array(one + two), turn).tolist() for one, two in zip(*places, strict=True))
        assert value == pytest.approx(float(area_between((pos[:3], neg[:4]), (pos[3:], neg[4:]), share)))


def test_unpaired_venkatraman_sees_curves_of_equal_area_and_keeps_its_size():
    rng = np.random.default_rng(5)
    y = np.repeat([1, 0], 200)
    scores = {
        "even": rng.normal(size=400) + 0.85 * y,
        "split": np.where((y == 1) & (rng.random(400) < 0.45), 4, rng.normal(size=400)),
    }
    found = cw.compare({"even": y, "split": y}, scores, metric="roc_curve", replicates=200, rng=1)
    assert found.p_value < 0.03
    labels = {"a": np.repeat([1, 0], [30, 30]), "b": np.repeat([1, 0], [20, 60])}
    rejected = 0
    for run in range(100):
        own = {k: rng.normal(size=len(v)) + v for k, v in labels.items()}
        rejected += cw.compare(labels, own, metric="roc_curve", replicates=99, rng=run).p_value <= 0.1
    assert 3 <= rejected <= 19


def test_unpaired_venkatraman_keeps_its_size_where_prevalences_differ():
    """Ranks among all rows of a model, which pROC exchanges, mean other shares of a class at another prevalence."""
    rng, rejected = np.random.default_rng(6), 0
    labels = {"a": np.repeat([1, 0], [20, 80]), "b": np.repeat([1, 0], [50, 50])}
    for run in range(80):
        own = {k: rng.normal(size=len(v)) + v for k, v in labels.items()}
        rejected += cw.compare(labels, own, metric="roc_curve", replicates=49, rng=run).p_value <= 0.2
    assert 9 <= rejected <= 24


@pytest.mark.parametrize(
    ("drawn", "p"),
    [
        ([-3, -2, -2, -1, -1, 0, 0, 0, 1, 2], 8 / 9),
        ([-9, -8, -7, -6, -5, -4, -3, -2, -1, 0], 0.2),
        ([-9, -8, -7, -6, -5, -4, -3, 0, 0, 0], 4 / 9),
        ([1, 2, 3, 4, 5, 6, 7, 8, 9, 9], 0.2),
        ([0.1 + 0.2 - 0.3, 0, 0, 1, 1, 1, 1, 1, 1, 1], 4 / 9),
        ([0] * 10, 1.0),
    ],
)
def test_bootstrap_p_of_discrete_differences_agrees_with_the_interval(drawn, p):
    found = pair_of_draws(("a", "b"), "recall", np.median(drawn), np.array(drawn, dtype=float), 0.9, None)
    assert found.p_value == pytest.approx(p)
    for level in np.linspace(0.05, 0.99, 95):
        if abs(1 - level - p) < 1e-9:
            continue
        gap = pair_of_draws(("a", "b"), "recall", 0.0, np.array(drawn, dtype=float), float(level), None).difference
        assert (gap.low > 0 or gap.high < 0) == (found.p_value < 1 - level)


def test_bootstrap_of_a_rate_agrees_with_its_interval():
    rng, seen = np.random.default_rng(7), 0
    for run in range(15):
        y = np.repeat([1, 0], [12, 12])
        scores = {"a": rng.integers(0, 3, 24) + y, "b": rng.integers(0, 3, 24) + 2 * y}
        found = cw.compare(y, scores, metric="recall", threshold=2, method="bootstrap", replicates=200, rng=run)
        gap = found.difference
        seen += 0 in (gap.low, gap.high)
        assert (gap.low > 0 or gap.high < 0) == (found.p_value < 0.05)
    assert seen


def test_unpaired_venkatraman_refuses_weights_and_clusters():
    y, scores = read("paired150")
    for options in ({"weight": {"a": np.ones(len(y))}}, {"cluster": {"b": np.arange(len(y))}}):
        with pytest.raises(cw.CurvewiseError, match="without weights and clusters"):
            cw.compare({"a": y, "b": y}, scores, metric="roc_curve", **options)


def test_size_of_the_permutation_tests():
    rng = np.random.default_rng(7)
    y = np.repeat([0, 1], 30)
    rejected = dict.fromkeys(("roc_curve", "average_precision"), 0)
    for run in range(200):
        base = rng.normal(size=60) + y
        scores = {k: base + rng.normal(size=60) for k in "ab"}
        for metric in rejected:
            method = None if metric == "roc_curve" else "permutation"
            p = cw.compare(y, scores, metric=metric, method=method, replicates=99, rng=run).p_value
            rejected[metric] += p <= 0.1
    assert all(0.05 <= count / 200 <= 0.16 for count in rejected.values()), rejected


def test_many_rows_are_resampled_in_bins():
    rng = np.random.default_rng(0)
    y = rng.random(60_000) < 0.2
    scores = {name: rng.normal(size=60_000) + shift * y for name, shift in (("a", 1.0), ("b", 1.02))}
    exact = cw.compare(y, scores)
    drawn = cw.compare(y, scores, method="bootstrap", replicates=200, rng=1)
    assert drawn.values == pytest.approx(exact.values, rel=1e-12)
    assert drawn.difference.standard_error == pytest.approx(exact.difference.standard_error, rel=0.2)
    assert "resampled in bins" in str(drawn)
    middle = (drawn.difference.low + drawn.difference.high) / 2
    assert middle == pytest.approx(exact.difference.value, abs=exact.difference.standard_error / 2)


@pytest.mark.parametrize(("metric", "options"), [("brier", {}), ("log_loss", {}), ("fpr", {"threshold": 0.5})])
@pytest.mark.parametrize("method", [None, "bootstrap"])
def test_where_lower_is_better_inferior_means_higher(metric, options, method):
    rng = np.random.default_rng(8)
    y = rng.random(300) < 0.5
    good = np.clip(0.5 + (y - 0.5) * 0.8 + rng.normal(0, 0.1, 300), 0.02, 0.98)
    bad = rng.uniform(0.1, 0.95, 300)
    worse = cw.compare(y, {"bad": bad, "good": good}, metric=metric, margin=0.01, method=method, **options)
    better = cw.compare(y, {"good": good, "bad": bad}, metric=metric, margin=0.01, method=method, **options)
    assert worse.pairs[0].p_non_inferior > 0.9
    assert better.pairs[0].p_non_inferior < 0.01
    assert worse.pairs[0].p_equivalent == pytest.approx(better.pairs[0].p_equivalent)
    assert len(worse.notes) == len(set(map(str, worse.notes)))


def test_a_metric_without_a_better_end_has_no_margin():
    y, scores = read("paired150")
    p = {name: 1 / (1 + np.exp(-np.asarray(s, dtype=float))) for name, s in scores.items()}
    with pytest.raises(cw.OptionError, match="calibration_slope has no better end"):
        cw.compare(y, p, metric="calibration_slope", margin=0.1, replicates=20)


@pytest.mark.parametrize(
    ("metric", "options", "method"),
    [
        ("average_precision", {}, "influence"),
        ("brier_loss", {}, "influence"),
        ("recall_at_fpr", {"fpr": 0.2}, "bootstrap"),  # a quantile of the scores has no derivative to trust
        ("h_measure", {}, "bootstrap"),
        ("recall", {"threshold": 0.5}, "mcnemar"),
        ("roc_auc", {}, "delong"),
    ],
)
def test_which_method_compares_by_default(metric, options, method):
    y, scores = read("paired150")
    p = {name: 1 / (1 + np.exp(-s)) for name, s in scores.items()}
    assert cw.compare(y, p, metric=metric, replicates=20, **options).method == method


@pytest.mark.parametrize(
    ("metric", "options"),
    [("youden", {"threshold": 0.5}), ("partial_roc_auc", {"fpr": (0, 0.1)}), ("roc_auc", {"method": "delong-wald"})],
)
def test_where_all_rows_add_the_same_there_is_no_interval_and_no_p_value(metric, options):
    y = np.arange(40) < 16
    found = cw.compare(y, {"right": y.astype(float), "flat": np.full(40, 0.5)}, metric=metric, **options)
    assert found.difference.value > 0
    assert not found.difference.has_interval
    assert found.difference.reason.code == "no_variance"
    assert found.statistic is None
    assert np.isnan([found.p_value, found.pairs[0].p_holm]).all()
    alike = cw.compare(y, {"a": y.astype(float), "b": y * 2.0}, metric=metric, **options)
    assert (alike.difference.value, alike.p_value) == (0, 1)


def test_doubled_ranks_start_at_2_for_the_least_positive():
    for higher_is, wanted in (("positive", [2, 5, 5, 8]), ("negative", [8, 5, 5, 2])):
        assert doubled_ranks(cw.read_rows([0, 1, 0, 1], [1, 2, 2, 3], higher_is=higher_is)).tolist() == wanted
