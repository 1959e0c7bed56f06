"""Many scores of the same rows: against SciPy, against each column by itself, against every order, by simulation."""

import itertools
import math

import numpy as np
import pytest
from scipy import sparse
from scipy.stats import false_discovery_control, mannwhitneyu, permutation_test, rankdata

import curvewise as cw
from curvewise.breakdown.columns.permutation import centred_ranks, largest_runs, runs
from curvewise.breakdown.columns.ranks import chances_of_wins, placed_in_order


def _data(rows=60, shape=(12,), seed=0, share=0.4, decimals=None):
    rng = np.random.default_rng(seed)
    y = np.arange(rows) < max(2, round(share * rows))
    scores = rng.normal(size=(rows, *shape)) * np.exp(3 * rng.normal(size=shape))
    scores[y] += 0.4
    return rng.permutation(y), scores if decimals is None else np.round(scores, decimals)


@pytest.mark.parametrize(
    ("rows", "share", "decimals"), [(60, 0.4, None), (60, 0.4, 0), (300, 0.02, None), (300, 0.98, None)]
)
@pytest.mark.parametrize("higher_is", ["positive", "negative"])
def test_each_column_is_what_it_is_alone(rows, share, decimals, higher_is):
    y, scores = _data(rows, (4, 3), share=share, decimals=decimals)
    found = cw.by_column(y, scores, higher_is=higher_is)
    ap = cw.by_column(y, scores, metric="ap", higher_is=higher_is)
    assert found.value.shape == found.p.shape == found.low.shape == (4, 3)
    for at in np.ndindex(4, 3):
        column = scores[(slice(None), *at)]
        for name, columns in (("roc_auc", found), ("average_precision", ap)):
            alone = cw.interval(name, y, column, higher_is=higher_is)
            assert columns.value[at] == pytest.approx(alone.value, rel=1e-14)
            assert (columns.low[at], columns.high[at]) == pytest.approx((alone.low, alone.high), rel=1e-11)
    expected = mannwhitneyu(scores[y], scores[~y], axis=0)
    assert found.p == pytest.approx(expected.pvalue, rel=1e-10)
    sign = 1 if higher_is == "positive" else -1
    wins = expected.statistic if sign > 0 else y.sum() * (~y).sum() - expected.statistic
    assert found.value == pytest.approx(wins / (y.sum() * (~y).sum()), rel=1e-14)


@pytest.mark.parametrize(
    "dtype", [np.float16, np.float32, np.float64, np.longdouble, np.int8, np.int64, np.uint64, bool]
)
def test_places_are_in_order_in_every_dtype(dtype):
    rng = np.random.default_rng(1)
    values = (rng.normal(size=(3, 200)) * 50).astype(dtype)
    if np.issubdtype(dtype, np.floating):
        values[0, :7] = [0.0, -0.0, np.inf, -np.inf, np.finfo(dtype).tiny, np.finfo(dtype).max, -np.finfo(dtype).max]
    if dtype == np.uint64:
        values[0, :2] = 2**64 - 1, 2**64 - 2
    for most in (1 << 62, 1 << 8):  # with room, and without
        placed, highest = placed_in_order(values, most)
        assert placed.min() == 0
        assert placed.max() <= highest
        unique, place = np.unique(values, return_inverse=True)
        assert np.array_equal(np.unique(placed, return_inverse=True)[1], place)
        assert len(np.unique(placed)) == len(unique)


def test_level_of_99_per_cent_looks_at_ranks_as_interval_does():
    y, scores = _data(30, (6,))
    scores[:, 0] = y  # separated
    found = cw.by_column(y, scores, level=0.99)
    alone = [cw.interval("auc", y, scores[:, k], level=0.99) for k in range(6)]
    assert found.low == pytest.approx([a.low for a in alone], rel=1e-12)
    assert found.high == pytest.approx([a.high for a in alone], rel=1e-12)


@pytest.mark.parametrize("decimals", [None, 0])
def test_p_of_few_rows_is_that_of_every_order(decimals):
    rng = np.random.default_rng(2)
    scores = rng.normal(size=(9, 8)) if decimals is None else np.round(rng.normal(size=(9, 8)))
    y = np.arange(9) < 4
    found = cw.by_column(y, scores)
    labels = [np.isin(np.arange(9), some) for some in itertools.combinations(range(9), 4)]
    drawn = np.array([[cw.roc_auc(one, column) for column in scores.T] for one in labels])
    below, above = (drawn <= found.value + 1e-9).mean(axis=0), (drawn >= found.value - 1e-9).mean(axis=0)
    assert found.p == pytest.approx(np.minimum(1, 2 * np.minimum(below, above)), rel=1e-12)


def test_chances_of_wins_are_alike_with_and_without_ties_of_one():
    assert chances_of_wins(11, 4) == pytest.approx(chances_of_wins((1,) * 11, 4), rel=1e-12)
    assert chances_of_wins(900, 8).sum() == pytest.approx(1, rel=1e-12)
    expected = mannwhitneyu(np.arange(8), np.arange(8, 900), method="exact").pvalue
    assert 2 * chances_of_wins(900, 8)[0] == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("turn", ["tocsc", "tocsr", "tocoo"])
def test_sparse_is_what_it_is_when_filled(turn):
    matrix = sparse.random(200, 40, 0.15, random_state=1, format="csc")
    matrix.data = np.round(matrix.data - 0.4, 1)  # below zero, above, and stored zeros
    y = np.random.default_rng(0).random(200) < 0.3
    kinds = np.random.default_rng(1).choice(["a", "b", "c"], 200)
    given = getattr(matrix, turn)()
    for labels in (y, kinds):
        of_sparse, filled = cw.by_column(labels, given), cw.by_column(labels, matrix.toarray())
        for name in ("value", "low", "high", "p"):
            assert np.allclose(getattr(of_sparse, name), getattr(filled, name), rtol=1e-13, atol=0)
    drawn = [cw.by_column(y, X, method="permutation", replicates=50).p_family for X in (given, matrix.toarray())]
    assert np.array_equal(*drawn)
    ap = [cw.by_column(y, X, metric="ap").low for X in (given, matrix.toarray())]
    assert np.allclose(*ap, rtol=1e-13)


def test_sparse_with_repeated_entries_and_missing_values():
    twice = sparse.coo_matrix(([1.0, 2.0, 4.0, 1.0], ([0, 0, 1, 2], [0, 0, 0, 1])), shape=(5, 2))
    y = np.array([0, 1, 1, 0, 0])
    assert cw.by_column(y, twice).value.tolist() == cw.by_column(y, twice.toarray()).value.tolist()
    gap = sparse.csc_matrix(([np.nan, 2.0, 3.0], ([0, 1, 3], [1, 1, 1])), shape=(5, 2))
    with pytest.raises(cw.CurvewiseError, match=r"X\[:, 1\] has 1 missing value \(row 0\)"):
        cw.by_column(y, gap)
    found = cw.by_column(y, gap, missing="drop")
    assert found.value[1] == cw.roc_auc(y[1:], gap.toarray()[1:, 1])


def test_a_missing_value_leaves_its_column_only():
    y, scores = _data(80, (5,))
    scores[[3, 9], 2] = np.nan
    scores[:, 4] = np.nan
    with pytest.raises(cw.CurvewiseError, match=r"X\[:, 2\] has 2 missing values \(rows 3, 9\)") as error:
        cw.by_column(y, scores)
    assert error.value.column == "X[:, 2]"
    for metric in ("auc", "gini"):
        found, whole = (cw.by_column(y, s, metric=metric, missing="drop") for s in (scores, np.nan_to_num(scores)))
        there = ~np.isnan(scores[:, 2])
        assert found.value[2] == pytest.approx(cw.score(metric, y[there], scores[there, 2]), rel=1e-14)
        assert np.array_equal(found.value[[0, 1, 3]], whole.value[[0, 1, 3]])
        assert np.isnan(found.value[4])
        assert any("X[:, 4]" in str(note) for note in found.notes)


def test_labels_that_are_missing_leave_rows_out():
    y, scores = _data(80, (5,))
    labels = y.astype(object)
    labels[[0, 7]] = None
    scores[7] = np.nan
    found, there = cw.by_column(labels, scores, missing="drop"), ~np.isin(np.arange(80), [0, 7])
    assert np.array_equal(found.value, cw.by_column(y[there], scores[there]).value)


def test_frames_keep_their_names_and_types():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    y, scores = _data(50, (3,))
    columns = {"one": scores[:, 0], "whole": np.arange(50) + 2**60, "three": scores[:, 2].astype(np.float32)}
    by_name = cw.by_column(y, columns)
    for frame in (pandas.DataFrame(columns), polars.DataFrame(columns)):
        found = cw.by_column(y, frame)
        assert found.axes == {"column": list(columns)}
        assert np.array_equal(found.value, by_name.value)
    assert by_name.value.tolist() == [cw.roc_auc(y, column) for column in columns.values()]
    assert cw.by_column(y, polars.DataFrame(columns)).to_frame().columns[:2] == ["column", "value"]


def test_frames_of_another_index_are_refused():
    pandas = pytest.importorskip("pandas")
    y, scores = _data(50, (3,))
    labels, frame = pandas.Series(y, index=np.arange(50)[::-1]), pandas.DataFrame(scores)
    with pytest.raises(cw.CurvewiseError, match="y and X are pandas objects with different indexes"):
        cw.by_column(labels, frame)
    assert cw.by_column(labels, frame.set_index(labels.index)).value.shape == (3,)


def test_layout_of_the_array_does_not_matter():
    y, scores = _data(40, (3, 4, 5))
    found = cw.by_column(y, scores)
    for other in (np.asfortranarray(scores), scores.transpose(3, 2, 1, 0).copy().T):
        assert np.array_equal(cw.by_column(y, other).value, found.value)
    masked = np.ma.masked_array(scores, mask=np.zeros(scores.shape, dtype=bool))
    assert np.array_equal(cw.by_column(y, masked).value, found.value)
    assert np.array_equal(cw.by_column(y, scores.astype(object)).value, found.value)


def test_many_classes_and_groups_are_what_they_are_alone():
    rng = np.random.default_rng(3)
    scores, kinds = rng.normal(size=(90, 5)), rng.choice(["a", "b", "c"], 90)
    group = rng.choice(["left", "right"], 90)
    rest, pairs = cw.by_column(kinds, scores), cw.by_column(kinds, scores, against="pairs", group=group)
    assert rest.axes["class"] == ["a", "b", "c"]
    assert pairs.axes["group"] == ["left", "right"]
    assert pairs.axes["pair"] == ["a vs b", "a vs c", "b vs c"]
    for k, name in enumerate("abc"):
        assert np.array_equal(rest.value[k], cw.by_column(kinds == name, scores).value)
        assert np.array_equal(rest.p[k], cw.by_column(kinds == name, scores).p)
    for g, side in enumerate(("left", "right")):
        for k, (one, other) in enumerate(itertools.combinations("abc", 2)):
            here = (group == side) & np.isin(kinds, [one, other])
            alone = cw.by_column(kinds[here] == one, scores[here])
            assert np.array_equal(pairs.value[g, k], alone.value)
            assert np.allclose(pairs.low[g, k], alone.low, rtol=1e-12)


def test_other_metrics_and_rows_that_are_not_alike_go_column_by_column():
    y, scores = _data(60, (3,))
    scores = 1 / (1 + np.exp(-scores))
    cluster, weight = np.arange(60) // 3, np.random.default_rng(0).random(60) + 0.5
    for metric, options in (
        ("brier_loss", {}),
        ("f1", {"threshold": 0.5}),
        ("auc", {"cluster": cluster}),
        ("auc", {"weight": weight}),
    ):
        found = cw.by_column(y, scores, metric=metric, **options)
        for k in range(3):
            alone = cw.interval(metric, y, scores[:, k], **options)
            assert (found.value[k], found.low[k], found.high[k]) == (alone.value, alone.low, alone.high)
            if metric == "auc":  # p and interval are one
                assert (found.p[k] < 0.05) == (not alone.low <= 0.5 <= alone.high)
    own = cw.by_column(y, scores, metric=lambda sweep: float(sweep.tp[0]), replicates=20)
    assert own.value.shape == (3,)
    assert "method='permutation'" in str(own.notes[0])


def test_d_prime_is_that_of_each_column():
    y, scores = _data(60, (4,))
    scores[:, 3] = y
    found = cw.by_column(y, scores, metric="d_prime")
    alone = [cw.d_prime(y, scores[:, k]) for k in range(3)]
    assert found.value[:3] == pytest.approx([float(d) for d in alone], rel=1e-12)
    assert found.low[:3] == pytest.approx([d.estimate.low for d in alone], rel=1e-10)
    assert np.isnan(found.value[3])
    assert found.high[3] == math.inf


def test_corrections_are_those_of_scipy_and_of_the_definition():
    y, scores = _data(60, (40,))
    found = cw.by_column(y, scores)
    assert found.p_bh == pytest.approx(false_discovery_control(found.p), rel=1e-12)
    order = np.argsort(found.p)
    steps = [min(1, max((40 - j) * found.p[order[j]] for j in range(k + 1))) for k in range(40)]
    assert found.p_holm[order] == pytest.approx(steps, rel=1e-12)


def test_ranks_are_those_of_scipy():
    rng = np.random.default_rng(0)
    values = np.round(rng.normal(size=(6, 50)), 1)
    inside = rng.random((6, 50)) < 0.9
    for falling in (True, False):
        found = centred_ranks(values, inside, falling=falling)
        for line, there, ranks in zip(values, inside, found, strict=True):
            expected = rankdata(line[there] if falling else -line[there])
            assert ranks[there] == pytest.approx(expected - expected.mean(), abs=1e-9)
            assert not ranks[~there].any()


def test_permutation_is_close_to_scipy_and_to_the_normal_test():
    y, scores = _data(40, (6,))
    found = cw.by_column(y, scores, method="permutation", replicates=4000)
    for k in range(3):
        ranks = rankdata(scores[:, k]) - 20.5
        drawn = (ranks[y], ranks[~y])
        peer = permutation_test(drawn, lambda a, b, axis: a.sum(axis=axis), n_resamples=4000, rng=0, vectorized=True)
        assert found.p[k] == pytest.approx(peer.pvalue, abs=0.05)
    assert found.p == pytest.approx(cw.by_column(y, scores).p, abs=0.03)
    assert (found.p_family >= found.p).all()


def test_p_family_counts_the_largest_of_all_columns_together():
    """Ten equal columns are one test; ten that differ are ten."""
    y, scores = _data(60, (10,), seed=5)
    alike = np.repeat(scores[:, :1], 10, axis=1)
    one = cw.by_column(y, alike, method="permutation", replicates=300)
    assert np.array_equal(one.p_family, one.p)
    assert (cw.by_column(y, scores, method="permutation", replicates=300).p_family > one.p.min()).any()


def test_labels_are_permuted_within_strata_and_clusters_or_as_whole_clusters():
    rng = np.random.default_rng(1)
    site = np.repeat(np.arange(6), 20)
    y = rng.random(120) < np.where(site < 3, 0.8, 0.2)  # sites differ in both
    scores = rng.normal(size=(120, 4)) + 3.0 * (site < 3)[:, None]
    blind = cw.by_column(y, scores, method="permutation", replicates=300)
    assert (blind.p < 0.01).all()
    for option in ("stratum", "cluster"):
        within = cw.by_column(y, scores, method="permutation", replicates=300, **{option: site})
        assert (within.p > 0.01).all()
    patient = np.repeat(np.arange(12), 10)  # one class each: 12 labels, not 120
    whole = cw.by_column(
        patient % 2, np.repeat(rng.normal(size=(12, 3)), 10, axis=0), cluster=patient, method="permutation"
    )
    assert (whole.p > 0.005).all()
    with pytest.raises(cw.CurvewiseError, match="nothing to permute"):
        cw.by_column(y, scores, stratum=np.where(y, "a", "b"), method="permutation")


def test_runs_are_the_sums_of_neighbours_of_one_sign():
    line = np.array([[0.0, 2.0, 3.0, -2.5, -2.5, -2.5, 0.0, 2.2]])
    assert runs(line, 1.96) == [(0, 1, 2, 5.0), (0, 3, 5, -7.5), (0, 7, 7, 2.2)]
    assert largest_runs(np.stack([line, -line, 0 * line]), 1.96).tolist() == [7.5, 7.5, 0.0]


def test_a_run_in_time_is_found_on_any_axis():
    rng = np.random.default_rng(0)
    y = rng.random(60) < 0.5
    scores = rng.normal(size=(60, 3, 25))
    scores[:, 1, 10:15] += 1.2 * y[:, None]
    axes = {"neuron": ["a", "b", "c"], "time": np.arange(25) / 10}
    how = {"method": "permutation", "ordered": "time", "replicates": 300}
    found = cw.by_column(y, scores, axes=axes, **how)
    first = found.runs[0]
    assert (first["neuron"], first["p"]) == ("b", 1 / 301)
    assert 0.9 <= first["first"] <= 1.1
    assert 1.3 <= first["last"] <= 1.5
    turned = cw.by_column(y, scores.transpose(0, 2, 1), axes=dict(reversed(axes.items())), **how)
    assert turned.runs == found.runs
    assert "Runs along time" in str(found)


def _false_positives(draws, columns=20):
    """Return how often each correction finds anything where nothing is, columns being alike."""
    rng, hits = np.random.default_rng(7), np.zeros(5)
    y = np.arange(40) < 16
    for _ in range(draws):
        scores = rng.normal(size=(40, columns)) + rng.normal(size=(40, 1))
        found = cw.by_column(y, scores, method="permutation", replicates=99, rng=rng, ordered="column")
        ranks = cw.by_column(y, scores)
        tests = ranks.p[:1], ranks.p_holm, ranks.p_bh, found.p_family, [run["p"] for run in found.runs]
        hits += [min(p, default=1) <= 0.05 for p in tests]
    return hits / draws


@pytest.mark.slow
def test_false_positives_are_no_more_than_promised():
    one, holm, bh, family, runs_found = _false_positives(1000)
    error = math.sqrt(0.05 * 0.95 / 1000)
    for rate in (one, holm, bh, family, runs_found):
        assert rate <= 0.05 + 3 * error
    assert family >= 0.05 - 3 * error  # exact, where Holm loses
    assert runs_found >= 0.05 - 3 * error


def test_false_positives_of_few_draws():
    assert (_false_positives(60, 5) <= 0.05 + 4 * math.sqrt(0.05 * 0.95 / 60)).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"X": np.zeros((6, 3))}, "y and X must be equally long: y has 8 rows, X has 6 rows"),
        ({"X": np.zeros((3, 8))}, r"pass X\.T"),
        ({"X": np.zeros(8)}, r"expected rows and columns of scores, got an array of shape \(8,\)"),
        ({"X": {"a": np.arange(8), "b": list("abcdefgh")}}, "X 'b': expected real numbers, got 8 other values"),
        ({"X": {"a": np.arange(8), "b": np.arange(7)}}, "X 'a' and X 'b' must be equally long"),
        ({"ordered": "time", "method": "permutation"}, "ordered"),
        ({"ordered": "column"}, "pass method='permutation'"),
        ({"axes": {"a": None, "b": None}}, "axes"),
        ({"axes": {"a": [1]}}, "'a' has 1 label, X has 3 there"),
        ({"against": "pairs"}, "more than two classes"),
        ({"method": "exact"}, "method"),
        ({"tresholds": 1}, "tresholds"),
    ],
)
def test_bad_input_gets_one_sentence(options, message):
    arguments = {"X": np.arange(24.0).reshape(8, 3), **options}
    with pytest.raises(cw.CurvewiseError, match=message):
        cw.by_column([0, 1] * 4, **arguments)


def test_constant_columns_and_absent_classes_are_kept():
    y = np.array([0, 1, 0, 1, 1, 0])
    found = cw.by_column(y, np.column_stack([np.ones(6), y]))
    assert found.value.tolist() == [0.5, 1.0]
    assert found.p[0] == 1
    group = ["a", "a", "b", "b", "b", "c"]
    by_group = cw.by_column(y, np.column_stack([np.arange(6), y]), group=group)
    assert np.isnan(by_group.value[2]).all()
    assert np.isfinite(by_group.value[:2]).all()


def test_results_travel_and_print():
    import pickle

    y, scores = _data(40, (30,))
    found = cw.by_column(y, scores)
    assert np.array_equal(pickle.loads(pickle.dumps(found)).low, found.low)
    assert found.to_dict()["schema"] == "curvewise.columns"
    assert len(found.table) == 30
    assert "10 of 30" in str(found)
    assert len(found.top(3)) == 3


def test_threads_do_not_change_a_number():
    y, scores = _data(300, (700,))
    several = []
    for number in (1, 2):
        cw.set_threads(number)
        several.append(cw.by_column(y, scores))
    cw.set_threads(None)
    assert np.array_equal(several[0].value, several[1].value)
    assert np.array_equal(several[0].low, several[1].low)
