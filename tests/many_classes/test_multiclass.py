"""Many classes: scikit-learn's numbers, brute force, and what a careful reader must be told."""

from __future__ import annotations

import json
import math
import warnings
from itertools import combinations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sk

import curvewise as cw
from curvewise.errors import RowNumbers

PETS = ["cat", "dog", "owl", "cat", "dog", "cat"]
SCORES = {
    "cat": [0.7, 0.2, 0.1, 0.4, 0.3, 0.5],
    "dog": [0.2, 0.7, 0.3, 0.5, 0.4, 0.3],
    "owl": [0.1, 0.1, 0.6, 0.1, 0.3, 0.2],
}
AVERAGES = ("macro", "weighted", "micro")


def random_rows(seed, *, tied=False, weighted=False, classes=None):
    """Imbalanced rows in which every class occurs, some scores right by more than chance."""
    rng = np.random.default_rng(seed)
    k = classes or int(rng.integers(3, 7))
    n = int(rng.integers(40, 160))
    y = rng.choice(k, n, p=rng.dirichlet(np.full(k, 0.7)))
    y[:k] = np.arange(k)
    p = rng.dirichlet(np.ones(k), n) + 0.3 * np.eye(k)[y]
    p /= p.sum(axis=1, keepdims=True)
    if tied:  # sixteenths add up exactly
        p = np.floor(p * 16) / 16
        p[:, 0] += 1 - p.sum(axis=1)
    return y, p, rng.random(n) + 0.1 if weighted else None


CASES = [random_rows(s, tied=s % 2 == 1, weighted=s % 3 == 0) for s in range(12)]


@pytest.mark.parametrize(("y", "p", "w"), CASES)
def test_rankings_equal_scikit_learn(y, p, w):
    m = cw.multiclass(y, p, weight=w)
    hot = np.eye(p.shape[1])[y]
    for average in AVERAGES:
        options = {"average": average, "sample_weight": w}
        assert m.roc_auc(average) == pytest.approx(sk.roc_auc_score(hot, p, **options), rel=1e-12)
        assert m.average_precision(average) == pytest.approx(sk.average_precision_score(hot, p, **options), rel=1e-12)
    if w is None:
        for average in ("macro", "weighted"):
            theirs = sk.roc_auc_score(y, p, average=average, multi_class="ovo")
            assert m.roc_auc(average, scheme="ovo") == pytest.approx(theirs, rel=1e-12)


@pytest.mark.parametrize(("y", "p", "w"), CASES)
def test_counts_equal_scikit_learn(y, p, w):
    m = cw.multiclass(y, p, weight=w)
    guess = p.argmax(axis=1)
    assert np.array_equal(m.predicted, guess)
    np.testing.assert_allclose(m.matrix.counts, sk.confusion_matrix(y, guess, sample_weight=w))
    for average in AVERAGES:
        how = {"average": average, "sample_weight": w}
        assert m.precision(average, zero=0) == pytest.approx(sk.precision_score(y, guess, zero_division=0, **how))
        assert m.recall(average) == pytest.approx(sk.recall_score(y, guess, **how))
        for beta in (0.5, 1, 2):
            assert m.f_beta(beta, average) == pytest.approx(sk.fbeta_score(y, guess, beta=beta, **how))
    for weights in (None, "linear", "quadratic"):
        theirs = sk.cohen_kappa_score(y, guess, weights=weights, sample_weight=w)
        assert m.kappa(weights) == pytest.approx(theirs)
    assert m.accuracy == pytest.approx(sk.accuracy_score(y, guess, sample_weight=w))
    assert m.balanced_accuracy == pytest.approx(sk.balanced_accuracy_score(y, guess, sample_weight=w))
    assert m.mcc == pytest.approx(sk.matthews_corrcoef(y, guess, sample_weight=w))
    alone = cw.multiclass(y, predicted=guess, weight=w, classes=range(p.shape[1]))
    assert (alone.accuracy, alone.mcc, alone.kappa("linear")) == (m.accuracy, m.mcc, m.kappa("linear"))


@pytest.mark.parametrize(("y", "p", "w"), CASES)
def test_losses_equal_scikit_learn(y, p, w):
    m = cw.multiclass(y, p, weight=w)
    assert m.brier_loss() == pytest.approx(sk.brier_score_loss(y, p, sample_weight=w))
    if p.min() > 0:
        assert m.log_loss() == pytest.approx(sk.log_loss(y, p, sample_weight=w))
        for k in (1, 2, 3):
            theirs = sk.accuracy_score(y, p.argmax(1), sample_weight=w)
            if k > 1:
                theirs = sk.top_k_accuracy_score(y, p, k=k, labels=range(p.shape[1]), sample_weight=w)
            assert m.top_k_accuracy(k) == pytest.approx(theirs)


def test_clip_bounds_an_infinite_loss():
    m = cw.multiclass([0, 1, 2, 0], [[1, 0, 0], [0.5, 0.5, 0], [1, 0, 0], [0.2, 0.4, 0.4]])
    with pytest.warns(cw.CurvewiseWarning, match="infinite: 1 of 4 rows"):
        assert m.log_loss() == math.inf
    expected = -(2 * math.log(0.5) / 2 + math.log(1 - 0.01) + math.log(0.01) + math.log(0.2)) / 4
    assert m.log_loss(clip=0.01) == pytest.approx(expected)
    with pytest.raises(cw.UndefinedMetricError, match="clip= would bound it"):
        m.interval("log_loss", rng=0)


def test_hand_and_till_by_brute_force():
    y, p, _ = random_rows(5, tied=True)

    def area(j, k):
        pairs = [(p[a, j], p[b, j]) for a in np.flatnonzero(y == j) for b in np.flatnonzero(y == k)]
        return sum((a > b) + (a == b) / 2 for a, b in pairs) / len(pairs)

    both = [(area(j, k) + area(k, j)) / 2 for j, k in combinations(range(p.shape[1]), 2)]
    assert cw.multiclass(y, p).hand_till() == pytest.approx(np.mean(both), rel=1e-12)
    # repeating the rows of one class changes no pair: M does not depend on frequencies
    again = np.concatenate([np.arange(len(y)), np.flatnonzero(y == 1), np.flatnonzero(y == 1)])
    assert cw.multiclass(y[again], p[again]).hand_till() == pytest.approx(np.mean(both), rel=1e-12)


def test_two_classes_are_the_binary_answers():
    rng = np.random.default_rng(0)
    y, p = rng.integers(0, 2, 50), rng.integers(0, 11, 50) / 10
    m = cw.multiclass(y, np.stack([1 - p, p], axis=1))
    assert m.roc_auc() == m.hand_till() == pytest.approx(cw.roc_auc(y, p), rel=1e-12)
    assert m.sweep(1) == cw.sweep(y, p)
    assert m.mcc == pytest.approx(cw.confusion(y, p, threshold=0.50001).mcc)
    assert m.brier_loss() == pytest.approx(2 * np.mean((p - y) ** 2))


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 4), st.integers(0, 4), st.integers(0, 4)), min_size=4),
    st.randoms(use_true_random=False),
)
def test_order_of_rows_and_of_classes_does_not_matter(rows, random):
    table = np.array([*rows, (0, 4, 1, 0), (1, 0, 4, 1), (2, 1, 0, 4)])
    y, s = table[:, 0], table[:, 1:]
    m = cw.multiclass(y, s)
    order = random.sample(range(len(y)), len(y))
    shuffled = cw.multiclass(y[order], s[order])
    turned = cw.multiclass(y, s[:, ::-1], classes=[2, 1, 0])
    for average in AVERAGES:
        assert m.roc_auc(average) == shuffled.roc_auc(average) == turned.roc_auc(average)
        assert m.average_precision(average) == pytest.approx(turned.average_precision(average), rel=1e-12)
    assert m.hand_till() == pytest.approx(turned.hand_till(), rel=1e-12)
    assert shuffled.kappa("quadratic") == pytest.approx(m.kappa("quadratic"), abs=1e-12)
    assert m.f_beta(average="micro") == m.precision("micro") == m.recall("micro") == m.accuracy


def test_whole_weights_are_repetition():
    y, p, _ = random_rows(3, tied=True)
    w = np.random.default_rng(1).integers(0, 4, len(y))
    w[: p.shape[1]] = 1
    a, b = cw.multiclass(y, p, weight=w), cw.multiclass(np.repeat(y, w), np.repeat(p, w, axis=0))
    assert np.array_equal(a.matrix.counts, b.matrix.counts)
    for average in AVERAGES:
        assert a.roc_auc(average) == b.roc_auc(average)
        assert a.average_precision(average) == pytest.approx(b.average_precision(average), rel=1e-12)
    assert a.hand_till() == b.hand_till()
    assert a.log_loss(clip=1e-9) == pytest.approx(b.log_loss(clip=1e-9))
    assert a.calibration().ece == pytest.approx(b.calibration().ece)


def test_an_absent_class_is_left_out_and_named():
    y, p, _ = random_rows(2, classes=4)
    keep = y != 2
    y, p = y[keep], p[keep]
    m = cw.multiclass(y, p)
    assert [str(n) for n in m.notes] == ["no row of y is 2: not in class means"]
    others = [0, 1, 3]
    hot = np.eye(4)[y]
    assert m.roc_auc() == pytest.approx(np.mean([sk.roc_auc_score(hot[:, k], p[:, k]) for k in others]))
    assert m.roc_auc("weighted") == pytest.approx(
        np.average([sk.roc_auc_score(hot[:, k], p[:, k]) for k in others], weights=hot.mean(0)[others])
    )
    assert m.roc_auc("micro") == pytest.approx(sk.roc_auc_score(hot.ravel(), p.ravel()))
    guess = p.argmax(1)
    assert 2 in guess  # it is still predicted, wrongly
    assert m.f_beta() == pytest.approx(sk.f1_score(y, guess, labels=others, average="macro"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert m.balanced_accuracy == pytest.approx(sk.balanced_accuracy_score(y, guess))
    pairs = [(j, k) for j, k in combinations(others, 2)]
    masks = [(np.isin(y, pair), pair) for pair in pairs]
    both = [np.mean([sk.roc_auc_score(y[on] == c, p[on][:, c]) for c in pair]) for on, pair in masks]
    assert m.hand_till() == pytest.approx(np.mean(both))
    row = m.per_class().rows()[2]
    assert math.isnan(row["roc_auc"])
    assert row["undefined"] == "no row is of this class"


def test_a_class_never_predicted_has_no_precision():
    m = cw.multiclass([0, 1, 2, 2], predicted=[0, 1, 1, 1])
    with pytest.raises(cw.UndefinedMetricError, match=r"class 2 is never predicted.*zero=0 or zero=1"):
        m.precision()
    assert m.precision(zero=0) == pytest.approx((1 + 1 / 3 + 0) / 3)
    assert m.f_beta() == pytest.approx((1 + 0.5 + 0) / 3)  # 0/4 is 0, not 0/0
    assert m.precision("micro") == m.accuracy == 0.5
    reasons = {r["metric"]: r["meaning"] for r in m.table.rows() if math.isnan(r["value"])}
    assert list(reasons) == ["precision"]
    assert reasons["precision"] == "undefined: 0/0 for 2, which never occurs or is never predicted"


def test_undefined_answers_say_why():
    one = cw.multiclass(["a", "a"], {"a": [0.5, 0.6], "b": [0.5, 0.4]})
    with pytest.raises(cw.UndefinedMetricError, match="two classes that occur in y; only 'a' does"):
        one.roc_auc()
    with pytest.raises(cw.UndefinedMetricError, match="fewer than two classes occur"):
        one.hand_till()
    with pytest.raises(cw.UndefinedMetricError, match="only one predicted class"):
        _ = one.mcc
    with pytest.raises(cw.UndefinedMetricError, match="κ is undefined"):
        one.kappa()
    assert one.accuracy == 1


def test_labels_alone_refuse_a_ranking():
    m = cw.multiclass(["a", "b", "c"], predicted=["a", "b", "b"])
    for call in (m.roc_auc, m.hand_till, m.average_precision, m.log_loss, m.brier_loss, m.calibration):
        with pytest.raises(cw.CurvewiseError, match="labels alone were given"):
            call()
    assert m.matrix.of("b").precision == 0.5
    assert "predicted labels" in str(m)
    assert "roc_auc" not in m.per_class().columns


def test_containers_give_one_answer():
    as_array = np.array(list(SCORES.values())).T
    given = [
        cw.multiclass(PETS, SCORES),
        cw.multiclass(PETS, pd.DataFrame(SCORES)),
        cw.multiclass(pd.Series(PETS, dtype="category"), pl.DataFrame(SCORES)),
        cw.multiclass(PETS, as_array, classes=["cat", "dog", "owl"]),
        cw.multiclass(np.array(PETS), as_array.tolist()),
        cw.multiclass(PETS, np.asfortranarray(as_array)),
        cw.multiclass(PETS, np.ma.masked_array(as_array)),
    ]
    for m in given:
        assert m.classes == ("cat", "dog", "owl")
        assert (m.accuracy, m.roc_auc(), m.log_loss()) == (
            given[0].accuracy,
            given[0].roc_auc(),
            given[0].log_loss(),
        )
    assert list(map(str, given[4].notes)) == ["columns taken as the sorted labels: cat, dog, owl"]
    assert given[0].notes == given[3].notes == ()


def test_the_users_array_is_not_kept():
    p = np.array(list(SCORES.values())).T
    m = cw.multiclass(PETS, p, classes=list(SCORES))
    before = m.log_loss()
    p[:] = 1 / 3
    assert m.roc_auc() == cw.multiclass(PETS, SCORES).roc_auc()
    assert m.log_loss() == before


def test_names_of_columns_as_text():
    m = cw.multiclass([1, 2, 2.0], pl.DataFrame({"1": [0.9, 0.2, 0.4], "2": [0.1, 0.8, 0.6]}))
    assert m.accuracy == 1
    assert [n.code for n in m.notes] == ["class_labels_as_text"]


def test_classes_beside_names_set_the_order():
    m = cw.multiclass(PETS, SCORES, classes=["owl", "dog", "cat"])
    assert m.classes == ("owl", "dog", "cat")
    assert m.roc_auc() == cw.multiclass(PETS, SCORES).roc_auc()
    with pytest.raises(cw.CurvewiseError, match="'emu', 'owl' is in only one of both"):
        cw.multiclass(PETS, SCORES, classes=["emu", "dog", "cat"])


def test_sorted_text_is_no_order():
    grades = ["low", "high", "mid", "low"]
    m = cw.multiclass(grades, predicted=["low", "mid", "mid", "high"])
    with pytest.raises(cw.CurvewiseError, match="pass classes=, from the lowest to the highest"):
        m.kappa("linear")
    ordered = cw.multiclass(grades, predicted=["low", "mid", "mid", "high"], classes=["low", "mid", "high"])
    codes = {"low": 0, "mid": 1, "high": 2}
    theirs = sk.cohen_kappa_score(
        [codes[g] for g in grades], [codes[g] for g in ("low", "mid", "mid", "high")], weights="quadratic"
    )
    assert ordered.kappa("quadratic") == pytest.approx(theirs)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: cw.multiclass(PETS), "expected one of them"),
        (lambda: cw.multiclass(PETS, SCORES, predicted=PETS), "expected one of them"),
        (
            lambda: cw.multiclass([*PETS[:5], "emu"], SCORES),
            r"y: 1 label of no known class \('emu' in 1 row\); the classes are 'cat', 'dog', 'owl'",
        ),
        (lambda: cw.multiclass(PETS, SCORES["cat"]), "one column per class"),
        (lambda: cw.multiclass(PETS, {"cat": SCORES["cat"]}), "at least two, got one column"),
        (
            lambda: cw.multiclass(PETS, np.ones((6, 4)) / 4),
            r"which column is which class\? It has 4 columns, y has 3 classes",
        ),
        (lambda: cw.multiclass(PETS, np.ones((6, 3)) / 3, classes=["a", "b"]), "each of 3 columns"),
        (lambda: cw.multiclass(PETS, np.ones((6, 3)) / 3, classes=["a", "b", "a"]), "'a' twice"),
        (lambda: cw.multiclass(PETS[:5], SCORES), "y has 5 rows, proba 'cat' has 6 rows"),
        (
            lambda: cw.multiclass(PETS, {**SCORES, "owl": [0.1, None, 0.6, 0.1, 0.3, math.nan]}),
            r"proba 'owl' has 2 missing values \(rows 1, 5\)",
        ),
        (
            lambda: cw.multiclass(pd.Series(PETS, index=range(1, 7)), pd.DataFrame(SCORES)),
            "different indexes",
        ),
        (
            lambda: cw.multiclass(PETS, {**SCORES, "owl": list("abcdef")}),
            "proba 'owl': expected real numbers",
        ),
        (lambda: cw.multiclass(PETS, SCORES, weight=[1, 1, 1, 1, 1, -1]), "weight: expected weights of 0"),
        (lambda: cw.multiclass(["a", "a"], predicted=["a", "a"]), "found only 'a'"),
        (lambda: cw.multiclass(PETS, SCORES).roc_auc("micro", scheme="ovo"), "no 'micro'"),
        (lambda: cw.multiclass(PETS, SCORES).roc_auc("samples"), "average: expected one of"),
        (lambda: cw.multiclass(PETS, SCORES).top_k_accuracy(4), "at most the 3 classes"),
        (lambda: cw.multiclass(PETS, SCORES).sweep("emu"), "expected one of 'cat', 'dog', 'owl'"),
        (lambda: cw.multiclass(PETS, SCORES).matrix.of("emu"), "expected one of 'cat', 'dog', 'owl'"),
        (lambda: cw.multiclass(PETS, SCORES).interval("acuracy"), "did you mean 'accuracy'"),
        (lambda: cw.multiclass(PETS, SCORES).interval("hand_tiller"), "did you mean 'hand_till'"),
        (lambda: cw.multiclass(PETS, SCORES).interval("kappa", wieghts="linear"), "did you mean 'weights'"),
        (lambda: cw.multiclass(PETS, SCORES).interval("accuracy", average="macro"), "takes no options"),
        (lambda: cw.multiclass(PETS, SCORES).interval("mcc", method="bca"), "method: expected one of"),
    ],
)
def test_errors(call, message):
    with pytest.raises(cw.CurvewiseError, match=message):
        call()


def test_missing_rows_are_dropped_on_request():
    m = cw.multiclass(PETS, {**SCORES, "owl": [0.1, None, 0.6, 0.1, 0.3, 0.2]}, missing="drop")
    assert (m.n, m.dropped) == (5, 1)
    assert "rows dropped for missing values: 1" in map(str, m.notes)


def test_sums_are_said_and_refused_only_where_needed():
    off = {**SCORES, "owl": [0.1, 0.1, 0.6, 0.1, 0.35, 0.2]}
    m = cw.multiclass(PETS, off)
    assert str(m.notes[0]) == "1 of 6 rows: scores do not sum to 1, the first to 1.05 (row 4)"
    assert m.notes[0].values | {"first": 1.05} == {"rows": 1, "n": 6, "row": RowNumbers((4,)), "first": 1.05}
    assert m.notes[0].to_dict()["values"]["row"] == [4]
    assert str(m.notes[1]).startswith("scores can rank")
    assert 0 < m.roc_auc() <= 1
    for call in (m.log_loss, m.brier_loss, m.calibration, m.top_label_calibration):
        with pytest.raises(cw.CurvewiseError, match=r"needs probabilities: 1 of 6 rows: scores do not sum to 1"):
            call()
    logits = cw.multiclass(PETS, {k: np.log(v) for k, v in SCORES.items()})
    assert logits.roc_auc() == cw.multiclass(PETS, SCORES).roc_auc()
    with pytest.raises(cw.CurvewiseError, match=r"class 'cat' has 6 scores outside \[0, 1\]"):
        logits.log_loss()
    close = cw.multiclass(PETS, np.array(list(SCORES.values()), dtype=np.float32).T)
    assert close.log_loss() == pytest.approx(cw.multiclass(PETS, SCORES).log_loss(), rel=1e-6)


def test_rounding_beyond_one_is_cut_with_a_warning():
    m = cw.multiclass([0, 1, 2], [[1 + 1e-9, 0, 0], [0, 1, 0], [-1e-9, 0, 1]])
    with pytest.warns(cw.CurvewiseWarning, match="2 probabilities lie outside"):
        assert m.log_loss() == 0


def test_ties_for_the_highest_score_go_to_the_first_column():
    m = cw.multiclass([0, 1, 2], [[0.5, 0.5, 0], [0.4, 0.4, 0.2], [0, 0.3, 0.7]])
    assert m.predicted.tolist() == [0, 0, 2]
    assert [str(n) for n in m.notes] == [
        "2 of 3 rows have several highest scores: the first column is taken as predicted"
    ]
    assert [m.top_k_accuracy(k) for k in (1, 2, 3)] == [m.accuracy, 1, 1]


@pytest.mark.parametrize("seed", [1, 4, 7])
def test_mean_curves_have_the_mean_area(seed):
    y, p, w = random_rows(seed, tied=seed != 4, weighted=seed == 7)
    m = cw.multiclass(y, p, weight=w)
    roc, pr = m.roc_curve(), m.pr_curve()
    assert (roc.fpr[0], roc.fpr[-1], roc.tpr[-1]) == (0, 1, pytest.approx(1))
    assert np.all(np.diff(roc.fpr) >= 0)
    assert np.all(np.diff(roc.tpr) > -1e-12)
    assert np.trapezoid(roc.tpr, roc.fpr) == pytest.approx(m.roc_auc(), rel=1e-12) == roc.auc
    assert np.diff(pr.recall, prepend=0) @ pr.precision == pytest.approx(m.average_precision(), rel=1e-12)
    assert pr.average_precision == pytest.approx(m.average_precision(), rel=1e-12)
    # at any place the mean curve is the mean of the curves
    for x in (0.013, 0.31, 0.777):
        lines = [cw.roc_curve(m.sweep(c)) for c in m.classes]
        assert np.interp(x, roc.fpr, roc.tpr) == pytest.approx(np.mean([np.interp(x, c.fpr, c.tpr) for c in lines]))
    assert m.roc_curve("micro").auc == m.roc_auc("micro")
    assert m.pr_curve("micro").average_precision == m.average_precision("micro")
    assert len(roc.thin(20)) <= 20


def test_calibration_by_class_and_of_the_choice():
    y, p, _ = random_rows(8)
    m = cw.multiclass(y, p)

    def ece(happened, said, bins=10):
        place = np.clip(np.ceil(said * bins) - 1, 0, bins - 1).astype(int)
        found = [(np.mean(place == b), happened[place == b], said[place == b]) for b in set(place)]
        return sum(share * abs(h.mean() - s.mean()) for share, h, s in found)

    by_class = [ece(y == k, p[:, k]) for k in range(p.shape[1])]
    assert m.calibration().table.columns["ece"] == pytest.approx(by_class)
    assert m.calibration().ece == pytest.approx(np.mean(by_class))
    assert m.top_label_calibration().ece == pytest.approx(ece(y == p.argmax(1), p.max(1)))
    assert "Calibration by class" in str(m.calibration())
    assert json.dumps(m.top_label_calibration().to_dict(), allow_nan=False)


def test_results_print_and_travel():
    m = cw.multiclass(pl.Series(PETS), pl.DataFrame(SCORES))
    assert json.loads(json.dumps(m.to_dict(), allow_nan=False))["matrix"] == [[2, 1, 0], [0, 2, 0], [0, 0, 1]]
    assert isinstance(m.matrix.to_frame(), pl.DataFrame)
    assert isinstance(m.per_class().to_frame("pandas"), pd.DataFrame)
    assert "<table>" in m._repr_html_()
    assert "Multiclass(6 rows, 3 classes; scores), macro means" in str(m)
    hostile = cw.multiclass(["<b>", "x"], predicted=["x", "<b>"])
    assert "<b>" not in hostile.matrix._repr_html_()


def test_per_class_intervals_are_those_of_the_binary_verbs():
    y, p, _ = random_rows(10)
    m = cw.multiclass(y, p)
    row = m.per_class(0.9).rows()[1]
    auc = cw.interval("roc_auc", y == 1, p[:, 1], level=0.9)
    assert (row["roc_auc"], row["roc_auc_low"], row["roc_auc_high"]) == (auc.value, auc.low, auc.high)
    c = m.matrix.of(1)
    assert (row["recall_low"], row["recall_high"]) == cw.rate_interval(c.tp, c.positives, level=0.9)
    clustered = cw.multiclass(y, p, cluster=np.arange(len(y)) // 2).per_class().rows()[1]
    other = cw.interval("roc_auc", y == 1, p[:, 1], cluster=np.arange(len(y)) // 2)
    assert clustered["recall_low"] == clustered["recall"] == 0 < clustered["recall_high"] < 1
    assert clustered["roc_auc_low"] == pytest.approx(other.low)


def test_answers_are_the_same_for_any_number_of_threads():
    rng = np.random.default_rng(0)
    y, s = rng.integers(0, 3, 210_000), rng.integers(0, 1000, (210_000, 3))
    found = []
    for threads in (1, 2):
        cw.set_threads(threads)
        m = cw.multiclass(y, s)
        found.append((m.roc_auc(), m.roc_auc("micro"), m.average_precision(), m.hand_till()))
    assert found[0] == found[1]


def test_scores_that_are_no_probabilities_are_told_by_their_rows():
    twice = cw.multiclass(PETS, {k: [2 * p for p in v] for k, v in SCORES.items()})
    with pytest.raises(cw.CurvewiseError, match=r"needs probabilities: .* \(rows? \d+(, \d+)*\)\.") as outside:
        twice.log_loss()
    assert outside.value.rows == twice.trouble.values["row"].rows
    half = cw.multiclass(PETS, {k: [p / 2 for p in v] for k, v in SCORES.items()})
    assert str(half.trouble) == ("6 of 6 rows: scores do not sum to 1, the first to 0.5 (rows 0, 1, 2, 3, 4, …)")
    assert "（第 0, 1, 2, 3, 4, … 行）" in half.trouble.text("zh")


def test_title_has_rows_and_weight():
    m = cw.multiclass(PETS, SCORES, weight=[2, 2, 2, 2, 2, 3])
    assert m.title() == "Multiclass(6 rows, weight 13, 3 classes; scores)"
