"""Rows: read once, taken by every verb, with all that belongs to them."""

import numpy as np
import polars as pl
import pytest

import curvewise as cw

RNG = np.random.default_rng(5)
N = 60
Y = RNG.random(N) < 0.4
S = np.round(RNG.normal(Y * 1.0), 1)
P = 1 / (1 + np.exp(-S))
CLUSTER = np.arange(N) // 3


def test_every_column_is_kept_and_goes_along_with_its_row():
    rows = cw.read_rows(
        Y,
        {"a": S, "b": P},
        weight=np.arange(N) + 1,
        cluster=CLUSTER,
        group={"sex": np.where(Y, "f", "m"), "age": np.arange(N) % 4},
        site=[f"site {k % 5}" for k in range(N)],
        fold=np.arange(N) % 3,
        id=[f"row {k}" for k in range(N)],
    )
    some = rows.take(np.arange(N) % 7 == 0)
    assert len(some) == 9
    assert some.models == ["a", "b"]
    assert some.id.tolist() == [f"row {k}" for k in range(0, N, 7)]
    assert [some.site.names[k] for k in some.site.code] == [f"site {k % 5}" for k in range(0, N, 7)]
    assert some.groups["age"].code.tolist() == [k % 4 for k in range(0, N, 7)]
    assert some.fold.code.tolist() == [k % 3 for k in range(0, N, 7)]
    assert some.weight.tolist() == [k + 1 for k in range(0, N, 7)]
    assert some.cluster.tolist() == [k // 3 for k in range(0, N, 7)]
    assert some.kept.tolist() == list(range(0, N, 7))
    assert set(some.table.columns) == {
        "positive",
        "a",
        "b",
        "weight",
        "cluster",
        "id",
        "sex",
        "age",
        "site",
        "fold",
    }
    np.testing.assert_array_equal(some.of("b").score, P[::7])


def test_rows_are_taken_by_verbs_in_the_place_of_labels_and_scores():
    rows = cw.read_rows(Y, {"a": S, "b": P}, weight=np.arange(N) + 1.5, cluster=CLUSTER)
    one = rows.of("a")
    options = {"weight": np.arange(N) + 1.5, "cluster": CLUSTER}
    assert cw.roc_auc(one) == cw.roc_auc(Y, S, **options)
    assert cw.sweep(Y, S, **options) == cw.Sweep.from_dict(cw.sweep(Y, S, **options).to_dict())
    assert cw.interval("auc", one) == cw.interval("auc", Y, S, **options)
    assert cw.interval("ap", one, replicates=40) == cw.interval("ap", Y, S, replicates=40, **options)
    assert cw.compare(rows).table.columns == cw.compare(Y, {"a": S, "b": P}, **options).table.columns
    with pytest.raises(cw.CurvewiseError, match=r"Rows were given.*weight cannot apply"):
        cw.roc_auc(one, weight=np.ones(N))
    with pytest.raises(cw.CurvewiseError, match=r"Rows of 2 models \(a, b\): pick one"):
        cw.roc_auc(rows)
    with pytest.raises(cw.CurvewiseError, match="no model 'c'; the models are a, b"):
        rows.of("c")


def test_missing_values_drop_a_row_for_all_models_and_keep_its_number():
    a, b = S.copy(), P.copy()
    a[3], b[5] = np.nan, np.nan
    with pytest.raises(cw.CurvewiseError) as caught:
        cw.read_rows(Y, {"a": a, "b": b})
    assert caught.value.column == "score 'a'"
    assert caught.value.rows == (3,)
    rows = cw.read_rows(Y, {"a": a, "b": b}, group=np.arange(N), missing="drop")
    assert rows.dropped == 2
    assert 3 not in rows.kept
    assert 5 not in rows.kept
    assert len(rows) == N - 2
    kept = rows.groups["group"]
    assert [kept.labels[k] for k in kept.code] == [k for k in range(N) if k not in (3, 5)]


def test_a_missing_group_is_a_group_and_a_missing_cluster_an_error():
    names = pl.Series("ward", ["x", None, "y", "x"])
    rows = cw.read_rows([0, 1, 0, 1], [1, 2, 3, 4], group=names)
    assert rows.groups["ward"].names == ("x", "y", "(missing)")
    with pytest.raises(cw.CurvewiseError, match="cluster has 1 missing value"):
        cw.read_rows([0, 1, 0, 1], [1, 2, 3, 4], cluster=names)


def test_whether_weights_count_rows_is_said_and_never_guessed():
    for whole in (np.full(N, 10), np.full(N, 10.0), np.full(N, 10.5)):
        plain, weighted = cw.interval("auc", Y, S), cw.interval("auc", Y, S, weight=whole)
        assert weighted.high - weighted.low == pytest.approx(plain.high - plain.low, rel=0.02)
    counted = cw.interval("auc", Y, S, weight=np.full(N, 10), weight_kind="count")
    repeated = cw.interval("auc", np.repeat(Y, 10), np.repeat(S, 10))
    assert (counted.low, counted.high) == (repeated.low, repeated.high)
    drawn = cw.interval("ap", Y, S, weight=np.full(N, 10), weight_kind="count", replicates=400)
    wide = cw.interval("ap", Y, S, weight=np.full(N, 10), replicates=400)
    assert (drawn.high - drawn.low) * 2 < wide.high - wide.low
    clustered = cw.interval("ap", Y, S, weight=np.full(N, 10), weight_kind="count", cluster=CLUSTER, replicates=400)
    assert clustered.value == pytest.approx(wide.value)
    assert cw.sweep(Y, S, weight=np.full(N, 10), weight_kind="count").is_whole
    assert not cw.sweep(Y, S, weight=np.full(N, 10)).is_whole
    with pytest.raises(cw.CurvewiseError, match="whole numbers, since they are counts"):
        cw.sweep(Y, S, weight=np.full(N, 1.5), weight_kind="count")


@pytest.mark.parametrize("metric", ["auc", "ap", "pr_auc", "eer", "brier", "slope"])
@pytest.mark.parametrize("weight", [None, "sampling"])
def test_rows_repeated_under_their_cluster_keep_the_width(metric, weight):
    options = {} if weight is None else {"weight": RNG.random(N) + 0.5}
    alone = cw.interval(metric, Y, P, cluster=np.arange(N), **options)
    ten = {k: np.repeat(v, 10) for k, v in options.items()}
    again = cw.interval(metric, np.repeat(Y, 10), np.repeat(P, 10), cluster=np.repeat(np.arange(N), 10), **ten)
    assert again.value == pytest.approx(alone.value)
    assert again.high - again.low == pytest.approx(alone.high - alone.low, rel=0.15)


UNKNOWN = [
    (lambda: cw.roc_auc(Y, S, sample_weight=1), "sample_weight: unknown option.*did you mean 'weight'"),
    (lambda: cw.interval("auc", Y, S, clusters=CLUSTER), "clusters: unknown option.*'cluster'"),
    (lambda: cw.compare(Y, {"a": S, "b": P}, clusters=CLUSTER), "clusters: unknown option.*'cluster'"),
    (lambda: cw.compare(Y, {"a": S, "b": P}, sample_weight=S), "sample_weight: unknown option.*'weight'"),
    (lambda: cw.compare(Y, {"a": S, "b": P}, metric="ap", tie="block"), "tie: unknown option.*'ties'"),
    (lambda: cw.roc_band(Y, S, confidence_level=0.9), "confidence_level: unknown option"),
    (lambda: cw.pr_curve(Y, S, pos_label=1), "pos_label: unknown option.*'positive'"),
    (lambda: cw.rate_interval(1, 2, metod="wilson"), "metod: unknown option of rate_interval.*'method'"),
    (lambda: cw.read_rows(Y, S, groups=S), "groups: unknown option of read_rows.*'group'"),
]


@pytest.mark.parametrize(("call", "words"), UNKNOWN)
def test_an_unknown_option_is_an_error_that_suggests_the_nearest(call, words):
    with pytest.raises(cw.UnknownOptionError, match=words):
        call()
    with pytest.raises(TypeError, match=words):  # as Python's own
        call()


TWO = {"a": P, "b": 1 - P}
DIRECTED = [
    lambda side: cw.compare(Y, TWO, higher_is=side),
    lambda side: cw.compare({"a": Y, "b": Y}, TWO, higher_is=side),
    lambda side: cw.evaluate(Y, TWO, higher_is=side),
    lambda side: cw.evaluate({"y": Y, **TWO}, label="y", scores=["a", "b"], higher_is=side),
    lambda side: cw.joint_hull(Y, TWO, higher_is=side),
    lambda side: cw.partial_view(Y, TWO, fp=1, fn=1, prevalence=0.4, higher_is=side),
    lambda side: cw.pilot_power(Y, TWO, higher_is=side),
    lambda side: cw.roc_auc(cw.Rows(Y, {"a": P}, higher_is=side)),
]


@pytest.mark.parametrize("side", ["Positive", "high", None, True], ids=str)
@pytest.mark.parametrize("call", range(len(DIRECTED)))
def test_a_direction_that_does_not_exist_is_refused_and_never_turns_the_ranking(call, side):
    with pytest.raises(cw.OptionError, match="higher_is: expected one of 'positive', 'negative', got"):
        DIRECTED[call](side)


def test_compare_reads_rows_as_every_verb_does():
    coarse = cw.compare(Y, {"a": S, "b": P}, round_to=0)
    assert coarse.values["a"] == cw.roc_auc(Y, S, round_to=0)
    clustered = cw.compare(
        np.repeat(Y, 10),
        {"a": np.repeat(S, 10), "b": np.repeat(P**2 - S, 10)},
        cluster=np.repeat(np.arange(N), 10),
    )
    plain = cw.compare(Y, {"a": S, "b": P**2 - S})
    assert clustered.statistic == pytest.approx(plain.statistic, rel=0.02)


def test_errors_carry_their_column_and_rows_as_fields():
    with pytest.raises(cw.CurvewiseError) as caught:
        cw.sweep([0, 1, 0, 1], [1, "x", 3, "y"])
    error = caught.value
    assert (error.column, error.rows) == ("score", (1, 3))
    assert error.in_words(lambda field: f"<{field}>").startswith("<score>: expected <real numbers>")


def test_strata_are_read_kept_and_told():
    rows = cw.read_rows([0, 1, 0, 1], [1, 2, 3, 4], stratum=list("abba"), cluster=[1, 2, 3, 4])
    assert str(rows) == "Rows(4 rows: 2 positive, 2 negative; 1 model (score); 4 clusters; 2 strata)"
    assert rows.table.columns["stratum"] == [0, 1, 1, 0]
    assert rows.sampled.tolist() == [2, 2]
    assert not rows.is_plain
    taken = rows.take(np.array([0, 1]))
    assert taken.stratum.tolist() == [0, 1]
    assert taken.sampled.tolist() == [2, 2]
    dropped = cw.read_rows([0, 1, 0, 1], [1, 2, 3, 4], stratum=["a", None, "b", "a"], missing="drop")
    assert dropped.dropped == 1
    with pytest.raises(cw.CurvewiseError, match="stratum has 1 missing value"):
        cw.read_rows([0, 1, 0, 1], [1, 2, 3, 4], stratum=["a", None, "b", "a"])
