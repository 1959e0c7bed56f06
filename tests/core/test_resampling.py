"""Resamples: what they cost goes with rows or blocks, never with what these count for."""

import numpy as np
import pytest

import curvewise as cw
from curvewise.core import resampling
from curvewise.core.resampling import draw_models, owner_draws, poisson_draws, resample_rows
from curvewise.core.strata import strata_of_columns

Y, A, B = [1, 0, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.3, 0.6, 0.2], [0.5, 0.8, 0.9, 0.3, 0.1, 0.2]
HUGE = {"weight": [10**12] * 6, "weight_kind": "count"}  # one by one, 12 TB at the least


CALLS = {
    "percentile": lambda: cw.interval("pr_auc", Y, A, method="percentile", **HUGE),
    "bca": lambda: cw.interval("pr_auc", Y, A, method="bca", **HUGE),
    "strata": lambda: cw.interval("pr_auc", Y, A, method="percentile", stratum=list("aabbab"), **HUGE),
    "two": lambda: cw.compare(Y, {"a": A, "b": B}, metric="pr_auc", method="bootstrap", **HUGE).difference,
}


@pytest.mark.parametrize("call", CALLS)
def test_weights_that_count_cost_no_memory(call):
    found = CALLS[call]()
    assert found.high - found.low == pytest.approx(0, abs=1e-4)
    assert found.low <= found.value <= found.high


def test_groups_of_very_many_rows_that_are_separated():
    found = cw.by_group(Y, A, list("aaabbb"), **HUGE).table.columns
    assert found["high"] == pytest.approx(found["low"], abs=1e-4)


@pytest.mark.filterwarnings("error")
def test_bands_of_very_many_rows():
    band = cw.roc_band(Y, A, **HUGE)
    assert np.isfinite([band.low, band.high]).all()
    assert (band.low <= band.high).all()


@pytest.mark.parametrize("each", [1, 1000], ids=["one by one", "multinomial"])
def test_draws_have_the_moments_of_a_resample(each):
    counts = np.array([0, 2, 5, 0, 3, 10, 0]) * each
    draw, total, rng = owner_draws(counts), int(counts.sum()), np.random.default_rng(1)
    drawn = np.array([draw(rng, total) for _ in range(4000)])
    share = counts / total
    assert (drawn.sum(axis=1) == total).all()
    assert (drawn[:, counts == 0] == 0).all()
    assert drawn.mean(axis=0) == pytest.approx(counts, rel=0.05)
    assert drawn.var(axis=0) == pytest.approx(total * share * (1 - share), rel=0.1)


@pytest.mark.parametrize("each", [2, 1000], ids=["one by one", "multinomial"])
def test_draws_within_strata(each):
    """Half of the units of the first stratum are not here."""
    counts, stratum = np.array([1, 3, 2, 2]) * each, np.array([0, 0, 1, 1])
    strata = strata_of_columns(stratum, None, np.array([8, 4]) * each, counts)
    draw, rng = strata.draw(), np.random.default_rng(1)
    drawn = np.array([draw(rng) for _ in range(4000)])
    assert drawn.mean(axis=0) == pytest.approx(counts, rel=0.05)
    assert (drawn[:, 2:].sum(axis=1) == 4 * each).all()
    share = counts / (np.array([8, 8, 4, 4]) * each)
    assert drawn.var(axis=0) == pytest.approx(np.array([8, 8, 4, 4]) * each * share * (1 - share), rel=0.1)


def test_poisson_draws_are_a_resample():
    """Mean 1, variance and covariance of a multinomial, and as many rows as there are, every time."""
    size, draws = 50, 40_000
    draw, rng = poisson_draws(size), np.random.default_rng(1)
    drawn = np.array([draw(rng) for _ in range(draws)], dtype=np.int64)
    assert (drawn.sum(axis=1) == size).all()
    assert drawn.mean(axis=0) == pytest.approx(np.ones(size), abs=0.03)
    covariance = np.cov(drawn.T)
    assert np.diag(covariance) == pytest.approx(np.full(size, 1 - 1 / size), abs=0.05)
    assert covariance[~np.eye(size, dtype=bool)].mean() == pytest.approx(-1 / size, abs=1e-3)
    often = np.bincount(drawn.ravel(), minlength=6)[:6] / drawn.size
    law = [np.exp(size * np.log1p(-1 / size)) * _ways(size, k) for k in range(6)]
    assert often == pytest.approx(law, abs=2e-3)


def _ways(size, k):
    """Return C(n, k) / (n - 1)^k."""
    return float(np.prod([(size - j) / (j + 1) / (size - 1) for j in range(k)]))


def test_poisson_draws_decide_what_16_bits_leave_open():
    """Every number has its probability, also where 1/65536 would be too coarse."""
    draw, rng = poisson_draws(10**6), np.random.default_rng(2)
    often = sum(np.bincount(draw(rng), minlength=30)[:30] for _ in range(20))
    rare = often[8:].sum() / 20  # a Poisson number of 8 or more: 1.02e-5 of the rows
    assert 9.2 < rare < 11.3


def many_rows(n=3000, seed=4, **options):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    scores = {name: rng.normal(y * 1.0).round(options.get("decimals", 9)) for name in "ab"}
    return y, scores, rng.integers(1, 5, n) / 2


@pytest.mark.parametrize("decimals", [9, 0], ids=["one by one", "alike"])
@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
def test_resamples_of_many_rows_do_not_depend_on_their_order(decimals, weighted, monkeypatch):
    monkeypatch.setattr(resampling, "MANY", 1000)
    y, scores, weight = many_rows(decimals=decimals)

    def found(order):
        given = {name: score[order] for name, score in scores.items()}
        options = {"weight": weight[order]} if weighted else {}
        asked = {"metric": "average_precision", "method": "bootstrap", "replicates": 60}
        pair = cw.compare(y[order], given, **asked, **options).difference
        view = cw.partial_view(y[order], given, fp=1, fn=(2, 5), prevalence=0.2, replicates=60, **options)
        one = cw.interval("average_precision", y[order], given["a"], method="percentile", replicates=60, **options)
        return [(e.low, e.high) for e in (pair, view.comparison.pairs[0].difference, one)]

    first = found(np.arange(len(y)))
    again = found(np.random.default_rng(5).permutation(len(y)))
    assert again == [pytest.approx(ends, rel=1e-12) for ends in first]


@pytest.mark.parametrize("decimals", [9, 0], ids=["one by one", "alike"])
@pytest.mark.parametrize("stratified", [False, True])
def test_resamples_of_many_rows_have_the_moments_of_few(decimals, stratified, monkeypatch):
    """Counts by block of two models: mean and covariance, also between models, of rows drawn one by one."""
    y, scores, _ = many_rows(400, decimals=decimals)
    rows = cw.read_rows(y, scores)

    def moments():
        draw, models = draw_models(rows, [0.0, 0.5], stratified=stratified)  # two blocks of each
        rng = np.random.default_rng(7)
        drawn = np.array([np.concatenate([np.concatenate(pair) for pair in draw(rng)]) for _ in range(20_000)])
        assert len(models) == 2
        return drawn.mean(axis=0), np.cov(drawn.T)

    few = moments()
    monkeypatch.setattr(resampling, "MANY", 100)
    many = moments()
    assert many[0] == pytest.approx(few[0], rel=0.02)
    assert np.abs(many[1] - few[1]).max() < 0.06 * few[1].max()


def test_clusters_drawn_by_the_many_have_the_moments_of_few(monkeypatch):
    y, scores, _ = many_rows(600)
    rows = cw.read_rows(y, scores["a"], cluster=np.arange(600) // 4)

    def moments():
        source, rng = resample_rows(rows, stratified=False, threshold=0.5), np.random.default_rng(8)
        drawn = np.array([np.concatenate(source.draw(rng)) for _ in range(20_000)])
        return drawn.mean(axis=0), np.cov(drawn.T)

    few = moments()
    monkeypatch.setattr(resampling, "MANY", 100)
    many = moments()
    assert many[0] == pytest.approx(few[0], rel=0.02)
    assert np.abs(many[1] - few[1]).max() < 0.06 * few[1].max()


def test_alike_rows_are_drawn_together(monkeypatch):
    """A draw costs the different rows, not all."""
    asked = []
    monkeypatch.setattr(resampling, "owner_draws", lambda counts: asked.append(len(counts)) or owner_draws(counts))
    y, scores, _ = many_rows(120_000, decimals=0)
    cw.compare(y, scores, metric="average_precision", method="bootstrap", replicates=20)
    assert 0 < max(asked) < 300
