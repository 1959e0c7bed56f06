"""Scans: guaranteed bounds as narrow as asked, exact areas in fixed memory, and memory that does not grow with rows."""

import tracemalloc

import numpy as np
import polars as pl
import pytest

import curvewise as cw
from curvewise.core.exact_counter import ExactCounter
from curvewise.sources import scan
from curvewise.sources.engines import refining
from curvewise.sources.engines.polars import PolarsEngine


def rows(n=4000, seed=0, decimals=None, base=0.2):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < base
    y[:2] = [True, False]
    score = 1 / (1 + np.exp(-rng.normal(size=n) - 1.5 * y + 1))
    return y, score if decimals is None else score.round(decimals)


def lazy(y, score, **more):
    return pl.LazyFrame({"y": y, "s": score, **more})


@pytest.mark.parametrize("higher_is", ["positive", "negative"])
@pytest.mark.parametrize("resolution", [0.3, 0.03, 0.003, 1e-4])
def test_limits_hold_and_are_as_narrow_as_asked(resolution, higher_is):
    for seed in range(5):
        y, score = rows(seed=seed, decimals=[None, 3][seed % 2])
        found = cw.scan(lazy(y, score), label="y", score="s", resolution=resolution, higher_is=higher_is)
        for verb in (cw.roc_auc, cw.average_precision):
            exact = verb(y, score, higher_is=higher_is)
            limits = verb(found)
            low, high = (limits, limits) if found.bins is None else (limits.low, limits.high)
            assert low <= exact <= high
            assert high - low <= resolution
        assert found.n == len(y)


def test_a_second_pass_counts_only_what_matters(monkeypatch):
    """Most scores in one place and some of all sizes: bins of one width would leave the areas open."""
    rng = np.random.default_rng(0)
    y, _ = rows()
    score = 1000 + rng.normal(size=len(y)) * 1e-3 + 1e-3 * y
    score[:1000] = 10.0 ** rng.uniform(-300, 300, 1000)
    passes = []
    again = refining._counted_again
    monkeypatch.setattr(refining, "_counted_again", lambda *a: passes.append(len(a[0])) or again(*a))
    found = cw.scan(lazy(y, score), label="y", score="s", resolution=0.05)
    limits = cw.roc_auc(found)
    assert passes
    assert limits.low <= cw.roc_auc(y, score) <= limits.high
    assert limits.width <= 0.05


@pytest.mark.parametrize("higher_is", ["positive", "negative"])
def test_resolution_0_ranks_within_bins(monkeypatch, higher_is):
    monkeypatch.setattr(scan, "EXACT_BINS", 50)
    for seed, most in enumerate((60, 300, 5000, 100_000)):
        monkeypatch.setattr(refining, "MOST_ROWS", most)
        y, score = rows(seed=seed, decimals=[None, 3][seed % 2])
        if seed == 2:
            score = score - 0.5  # both signs
        found = cw.scan(lazy(y, score), label="y", score="s", resolution=0, higher_is=higher_is)
        assert found.bins is not None
        assert len(found.threshold) <= 50
        auc, ap = cw.roc_auc(found), cw.average_precision(found)
        assert auc == auc.low == auc.high == cw.roc_auc(y, score, higher_is=higher_is)
        assert ap == pytest.approx(cw.average_precision(y, score, higher_is=higher_is), rel=1e-13)
        assert ap.low == ap.high
        assert cw.Sweep.from_dict(found.to_dict()) == found
        assert cw.roc_auc(cw.Sweep.from_dict(found.to_dict())).width == 0


def test_rows_are_read_batch_by_batch(monkeypatch):
    monkeypatch.setattr("curvewise.sources.engines.polars.ROWS", 700)
    y, score = rows()
    for resolution in (None, 0.01, 0):
        found = cw.scan(lazy(y, score), label="y", score="s", resolution=resolution)
        assert float(cw.roc_auc(found)) == pytest.approx(cw.roc_auc(y, score), abs=0.01)
    assert cw.scan(lazy(y, score), label="y", score="s") == cw.sweep(y, score)


def test_rounding_is_that_of_memory():
    y, score = rows()
    for resolution in (None, 1e-4):
        found = cw.scan(lazy(y, score), label="y", score="s", round_to=2, resolution=resolution)
        assert found == cw.sweep(y, score, round_to=2)
        assert found.round_to == 2


@pytest.mark.parametrize("kind", ["whole", "count", "fractional"])
def test_weights(kind):
    y, score = rows(decimals=2)
    rng = np.random.default_rng(4)
    weight = rng.random(len(y)) if kind == "fractional" else rng.integers(0, 5, len(y))
    options = {"weight_kind": "count" if kind == "count" else "sampling"}
    found = cw.scan(lazy(y, score, w=weight), label="y", score="s", weight="w", **options)
    memory = cw.sweep(y, score, weight=weight, **options)
    assert found.weight_kind == memory.weight_kind
    if kind == "fractional":
        np.testing.assert_array_equal(found.threshold, memory.threshold)
        np.testing.assert_allclose(found.tp, memory.tp, rtol=1e-12)
    else:
        assert found == memory
    coarse = cw.scan(lazy(y, score, w=weight), label="y", score="s", weight="w", resolution=0.1, **options)
    limits = cw.roc_auc(coarse)
    low, high = (limits, limits) if coarse.bins is None else (limits.low, limits.high)
    assert low <= cw.roc_auc(memory) + 1e-12
    assert cw.roc_auc(memory) <= high + 1e-12


def test_memory_does_not_grow_with_rows_where_scores_repeat():
    def peak(batches):
        rng = np.random.default_rng(0)
        score = (rng.random(200_000) * 1000).round() / 1000
        y = rng.random(200_000) < 0.3
        tracemalloc.start()
        counter = ExactCounter()
        for _ in range(batches):
            counter.add(score, y)
        counter.sweep()
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    assert peak(100) < 1.3 * peak(10)


def test_facts_refuse_what_memory_refuses():
    y, score = rows(100)
    table = {"y": y, "s": score, "t": ["a"] * 100, "gap": [None, *score[1:]], "bad": [-1.0, *score[1:]]}
    frame = pl.LazyFrame(table)
    for asked, said in (
        ({"label": "y", "score": "t"}, "column 't': expected real numbers, got text"),
        ({"label": "y", "score": "gap"}, "column 'gap' has 1 missing value; fill the gaps, or pass missing='drop'"),
        ({"label": "y", "score": "s", "weight": "bad"}, "column 'bad': expected weights of 0 or more"),
        ({"label": "s", "score": "y"}, "column 's': expected two classes"),
        ({"label": "y", "score": "S"}, "did you mean 's'"),
        ({"label": "y", "score": "s", "positive": 7}, "no label equals positive=7"),
    ):
        with pytest.raises(cw.CurvewiseError, match=said.replace("(", r"\(")):
            cw.scan(frame, **asked)
    dropped = cw.scan(frame, label="y", score="gap", missing="drop")
    assert dropped == cw.sweep(y[1:], score[1:])
    assert dropped.dropped == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"resolution": -1}, "resolution"),
        ({"resolution": 1}, "resolution"),
        ({"resolution": 0, "weight": "w"}, "leave out weight"),
        ({"resolution": 0, "by": "g"}, "groups are exact"),
        ({"missing": "skip"}, "missing"),
        ({"higher_is": "up"}, "higher_is"),
        ({"engine": "pandas"}, "engine"),
        ({"engine": "duckdb"}, "belongs to its own engine"),
    ],
)
def test_options_are_checked(options, said):
    y, score = rows(50)
    with pytest.raises(cw.CurvewiseError, match=said):
        cw.scan(lazy(y, score, w=y, g=y), label="y", score="s", **options)


def test_what_is_no_source():
    for source in (7, None, {"y": [1]}):
        with pytest.raises(cw.CurvewiseError, match="source"):
            cw.scan(source, label="y", score="s")
    with pytest.raises(cw.CurvewiseError, match="query"):
        cw.scan("postgresql://nowhere/db", label="y", score="s")


def test_groups_are_a_mapping_with_metrics_as_a_frame():
    y, score = rows(900, decimals=2)
    site = np.arange(900) % 7
    names = [None if k == 3 else int(k) for k in site]
    frame = pl.DataFrame({"y": y, "s": score, "site": names, "day": site % 2})
    found = cw.scan(frame.lazy(), label="y", score="s", by="site")
    assert list(found) == [0, 1, 2, 4, 5, 6, None]
    for key, sweep in found.items():
        there = site == (3 if key is None else key)
        assert sweep == cw.sweep(y[there], score[there])
    shown = found.metrics("roc_auc", "f1", threshold=0.5).to_frame("pandas")
    assert list(shown.columns) == ["site", "rows", "positives", "roc_auc", "f1"]
    two = cw.scan(frame.lazy(), label="y", score="s", by=["site", "day"])
    assert two.by == ("site", "day")
    assert two[0, 0] == found[0]


def test_a_group_of_one_class_has_no_area():
    frame = pl.LazyFrame({"y": [1, 1, 1, 0], "s": [0.1, 0.2, 0.3, 0.4], "g": ["a", "a", "b", "b"]})
    found = cw.scan(frame, label="y", score="s", by="g")
    assert found.metrics("roc_auc").columns["roc_auc"] == [None, 0.0]


def test_an_engine_can_be_given_itself():
    y, score = rows(100)
    assert cw.scan(PolarsEngine(lazy(y, score)), label="y", score="s") == cw.sweep(y, score)


@pytest.mark.parametrize("share", [0.9, 0.6, 0.3])
def test_bins_are_refined_until_nothing_is_open_by_more(share):
    y, score = rows()
    opened = scan.open_scan(
        lazy(y, score), scan.Asked("y", "s"), scan.HowRead(None, "positive", "raise", None, "sampling")
    )
    first = opened.in_bins(64)
    open_by = max(cw.roc_auc(first).width, cw.average_precision(first).width)
    found = opened.in_bins(64, share * open_by)
    assert max(cw.roc_auc(found).width, cw.average_precision(found).width) <= share * open_by


@pytest.mark.parametrize("resolution", [None, 1e-3])
def test_weights_of_any_size_take_no_longer(resolution):
    frame = pl.LazyFrame({"y": [1, 0, 1, 0], "s": [0.4, 0.3, 0.2, 0.1], "w": [10**15] * 4})
    assert cw.scan(frame, label="y", score="s", weight="w", resolution=resolution).positives == 2 * 10**15


def test_a_row_of_weight_0_lacks_nothing():
    frame = pl.LazyFrame({"y": [None, 1, 0], "s": [0.1, 0.2, 0.3], "w": [0, 1, 2]})
    found = cw.scan(frame, label="y", score="s", weight="w")
    assert found == cw.sweep([None, 1, 0], [0.1, 0.2, 0.3], weight=[0, 1, 2])
    assert found.dropped == 0


def test_what_was_asked_for_in_bins_comes_with_limits_also_where_it_is_exact():
    y, score = rows(200, decimals=1)
    exact = cw.sweep(y, score)
    streamed = cw.Stream(resolution=0.01).update(y, score).sweep()
    scanned = [cw.scan(lazy(y, score), label="y", score="s", resolution=r) for r in (0.01, 0)]
    for found in (streamed, *scanned, streamed + exact):
        for verb in (cw.roc_auc, cw.average_precision, cw.brier_loss):
            value = verb(found)
            assert value.low == value.high == value
        assert cw.score("recall", found, threshold=0.5).width == 0
        assert not found.is_binned
    for found in (streamed, *scanned):
        assert found == exact
        assert "bins" not in str(found)
        assert cw.interval("roc_auc", found).notes == cw.interval("roc_auc", exact).notes
    assert isinstance(cw.roc_auc(cw.Stream().update(y, score).sweep()), float)


def test_a_name_that_is_no_text():
    y, score = rows(20)
    with pytest.raises(cw.CurvewiseError, match="score: expected the name of a column, got 3"):
        cw.scan(lazy(y, score), label="y", score=3)
