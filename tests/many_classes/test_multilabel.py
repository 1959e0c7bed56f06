"""Several labels a row: scikit-learn's numbers, where it differs and why, brute force on ties."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sk

import curvewise as cw

AVERAGES = ("macro", "weighted", "micro", "samples")


def random_rows(seed, *, tied=False, weighted=False):
    """Rows of which one has no label and one has all."""
    rng = np.random.default_rng(seed)
    n, labels = int(rng.integers(40, 120)), int(rng.integers(2, 8))
    y = (rng.random((n, labels)) < 0.1 + 0.7 * rng.random(labels)).astype(int)
    y[0], y[1] = 0, 1
    s = rng.random((n, labels)) * 0.7 + 0.3 * y
    return y, np.round(s * 5) / 5 if tied else s, rng.random(n) + 0.1 if weighted else None


CASES = [random_rows(s, tied=s % 2 == 1, weighted=s % 3 == 0) for s in range(10)]


@pytest.mark.parametrize(("y", "s", "w"), CASES)
def test_rankings_equal_scikit_learn(y, s, w):
    m = cw.multilabel(y, s, weight=w)
    for average in AVERAGES[:3]:
        options = {"average": average, "sample_weight": w}
        assert m.roc_auc(average) == pytest.approx(sk.roc_auc_score(y, s, **options), rel=1e-12)
        theirs = sk.average_precision_score(y, s, **options)
        assert m.average_precision(average) == pytest.approx(theirs, rel=1e-12)
    assert m.mean_ap == m.average_precision("macro")
    assert m.coverage_error() == pytest.approx(sk.coverage_error(y, s, sample_weight=w))


@pytest.mark.parametrize(("y", "s", "w"), CASES)
def test_rows_equal_scikit_learn_where_a_row_can_be_ranked(y, s, w):
    m = cw.multilabel(y, s, weight=w)
    some = y.any(axis=1)
    both = some & ~y.all(axis=1)
    own, pairs = (None if w is None else w[on] for on in (some, both))
    theirs = sk.label_ranking_average_precision_score(y[some], s[some], sample_weight=own)
    assert m.label_ranking_ap() == m.average_precision("samples") == pytest.approx(theirs)
    theirs = sk.label_ranking_loss(y[both], s[both], sample_weight=pairs)
    assert m.ranking_loss() == pytest.approx(theirs)
    theirs = sk.roc_auc_score(y[both], s[both], average="samples", sample_weight=pairs)
    assert m.roc_auc("samples") == pytest.approx(theirs)


def test_rows_that_cannot_be_ranked_are_left_out_and_counted():
    y, s = [[1, 0], [0, 0], [0, 0], [1, 1]], [[0.2, 0.9], [0.1, 0.2], [0.3, 0.3], [0.4, 0.5]]
    m = cw.multilabel(y, s)
    assert m.ranking_loss() == 1  # scikit-learn: 0.25, three rows being counted as perfect
    assert m.label_ranking_ap() == (0.5 + 1) / 2
    assert m.coverage_error() == (2 + 0 + 0 + 2) / 4
    assert [(n.code, n.values) for n in m.notes] == [
        ("rows_without_label", {"rows": 2}),
        ("rows_with_every_label", {"rows": 1}),
    ]


@pytest.mark.parametrize(("y", "s", "w"), CASES)
def test_flags_equal_scikit_learn(y, s, w):
    m = cw.multilabel(y, s, weight=w)
    flags = (s >= 0.5).astype(int)
    for average in AVERAGES:
        how = {"average": average, "sample_weight": w}
        theirs = sk.precision_score(y, flags, zero_division=0, **how)
        assert m.precision(average, zero=0) == pytest.approx(theirs)
        # a row without a label has no recall: left out, which scikit-learn does when told nan
        assert m.recall(average) == pytest.approx(sk.recall_score(y, flags, zero_division=np.nan, **how))
        for beta in (0.5, 2):
            theirs = sk.fbeta_score(y, flags, beta=beta, zero_division=0, **how)
            assert m.f_beta(beta, average, zero=0) == pytest.approx(theirs)
    assert m.hamming_loss() == pytest.approx(sk.hamming_loss(y, flags, sample_weight=w))
    assert m.subset_accuracy() == pytest.approx(sk.accuracy_score(y, flags, sample_weight=w))


@given(
    st.lists(
        st.tuples(
            st.lists(st.booleans(), min_size=4, max_size=4),
            st.lists(st.integers(0, 3), min_size=4, max_size=4),
        ),
        min_size=1,
        max_size=8,
    )
)
def test_rows_by_brute_force(rows):
    rows = [*rows, ([True, False, True, False], [2, 2, 1, 3])]
    m = cw.multilabel([y for y, _ in rows], [s for _, s in rows])
    wrong, half, depth = [], [], []
    for y, s in rows:
        true, false = ([v for v, on in zip(s, y, strict=True) if on is want] for want in (True, False))
        pairs = [(a, b) for a in true for b in false]
        if pairs:
            wrong.append(sum(a <= b for a, b in pairs) / len(pairs))
            half.append(sum((a > b) + (a == b) / 2 for a, b in pairs) / len(pairs))
        depth.append(sum(v >= min(true) for v in s) if true else 0)
    assert m.ranking_loss() == pytest.approx(np.mean(wrong))
    assert m.roc_auc("samples") == pytest.approx(np.mean(half))
    assert m.coverage_error() == pytest.approx(np.mean(depth))


def test_a_label_without_positives_is_left_out_and_named():
    y, s, _ = random_rows(4)
    y = y[2:].copy()
    s = s[2:]
    y[:, 0], y[:, 1] = 0, 1
    m = cw.multilabel(y, s)
    assert str(m.notes[0]) == "no positive row: 0; not in label means"
    assert str(m.notes[1]) == "no negative row: 1; left out of mean areas under ROC curves"
    assert m.roc_auc() == pytest.approx(sk.roc_auc_score(y[:, 2:], s[:, 2:], average="macro"))
    assert m.average_precision() == pytest.approx(sk.average_precision_score(y[:, 1:], s[:, 1:]))
    assert m.recall() == pytest.approx(sk.recall_score(y[:, 1:], s[:, 1:] >= 0.5, average="macro"))
    row = m.per_label().rows()[0]
    assert math.isnan(row["roc_auc"])
    assert row["undefined"] == "no row is positive"


def test_what_flags_leave_undefined_needs_a_word():
    m = cw.multilabel([[1, 0], [1, 1]], [[0.9, 0.1], [0.8, 0.2]])
    with pytest.raises(cw.UndefinedMetricError, match=r"label 1 is never flagged.*zero=0 or zero=1"):
        m.precision()
    assert m.precision(zero=1) == 1
    assert m.f_beta() == 0.5
    empty = cw.multilabel([[0, 0], [1, 0]], [[0.1, 0.1], [0.9, 0.1]])
    with pytest.raises(cw.UndefinedMetricError, match="0/0 in 1 row"):
        empty.f_beta(average="samples")
    assert empty.f_beta(average="samples", zero=1) == 1
    assert empty.recall("samples") == 1
    nothing = cw.multilabel([[0, 0]], [[0.1, 0.2]])
    for call in (nothing.roc_auc, nothing.label_ranking_ap, lambda: nothing.recall("samples")):
        with pytest.raises(cw.UndefinedMetricError):
            call()


def test_threshold_is_compared_in_the_scores_dtype():
    s = np.array([[0.7, 0.1]], dtype=np.float32)
    assert cw.multilabel([[1, 0]], s).subset_accuracy(threshold=0.7) == 1


def test_whole_weights_are_repetition():
    y, s, _ = random_rows(5, tied=True)
    w = np.random.default_rng(0).integers(0, 4, len(y))
    w[:2] = 1
    a, b = cw.multilabel(y, s, weight=w), cw.multilabel(np.repeat(y, w, axis=0), np.repeat(s, w, axis=0))
    for metric in ("roc_auc", "average_precision", "recall"):
        for average in AVERAGES:
            assert getattr(a, metric)(average) == pytest.approx(getattr(b, metric)(average), rel=1e-12)
    for metric in ("coverage_error", "ranking_loss", "hamming_loss", "subset_accuracy"):
        assert getattr(a, metric)() == pytest.approx(getattr(b, metric)(), rel=1e-12)


def test_containers_and_names():
    y, s, _ = random_rows(1)
    y, s = y[:, :2], s[:, :2]
    plain = cw.multilabel(y, s)
    names = ["sea", "sky"]
    truth, scores = pd.DataFrame(y, columns=names), pl.DataFrame(s, schema=names)
    named = cw.multilabel(truth, scores)
    assert (plain.labels, named.labels) == ((0, 1), ("sea", "sky"))
    turned = cw.multilabel(truth, scores.select("sky", "sea"))  # by name, not by place
    listed = cw.multilabel(y.astype(bool).tolist(), s.tolist(), labels=names)
    for m in (named, turned, listed):
        assert m.roc_auc() == plain.roc_auc()
        assert m.ranking_loss() == plain.ranking_loss()
    assert named.sweep("sky") == cw.sweep(y[:, 1], s[:, 1])
    assert json.dumps(named.to_dict(), allow_nan=False)
    assert "sea" in str(named.per_label())
    assert "Multilabel(" in str(named)
    assert "<table>" in named._repr_html_()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: cw.multilabel([[1, 0]], [[0.5, 0.5, 0.5]]), "Y has 2 columns, S has 3 columns"),
        (lambda: cw.multilabel([1, 0], [0.5, 0.4]), "one column per class"),
        (
            lambda: cw.multilabel([[1, 2, 0]] * 3, np.ones((3, 3))),
            r"Y\[:, 1\]: expected 1 where a row has the label and 0 where it has not, got 2",
        ),
        (lambda: cw.multilabel([[1, 0]], [[0.5, np.nan]]), r"S\[:, 1\] has 1 missing value \(row 0\)"),
        (lambda: cw.multilabel({"a": [1], "b": [0]}, {"a": [1], "c": [0]}), "'b', 'c' is in only one"),
        (lambda: cw.multilabel([[1, 0]], [[1, 2]], labels=["a"]), "a name for each of 2 columns"),
        (lambda: cw.multilabel([[1, 0]], [[1, 2]], labels=["a", "a"]), "'a' twice"),
        (lambda: cw.multilabel([[1, 0]], [[1, 2]]).sweep("a"), "expected one of 0, 1"),
        (lambda: cw.multilabel([[1, 0]], [[1, 2]]).roc_auc("mean"), "average: expected one of"),
    ],
)
def test_errors(call, message):
    with pytest.raises(cw.CurvewiseError, match=message):
        call()


def test_missing_rows_are_dropped_on_request():
    m = cw.multilabel([[1, 0], [0, 1]], [[0.5, 0.4], [None, 0.3]], missing="drop")
    assert (m.n, m.dropped) == (1, 1)
    assert str(m.notes[-1]) == "rows dropped for missing values: 1"


def test_table_says_where_labels_are_flagged():
    m = cw.multilabel([[1, 0], [0, 1]], [[0.9, 0.2], [0.4, 0.7]])
    assert m.table.title == "Multilabel(2 rows, 2 labels; 1 per row, flagged at 0.5 or more), macro means"
