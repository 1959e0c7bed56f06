"""Rows in pieces give the sweep of all rows at once, however pieces are cut and however often scores repeat."""

import numpy as np
import pytest

import curvewise as cw
from curvewise.core import exact_counter, keys
from curvewise.core.exact_counter import ExactCounter


def pieces(rng, dtype):
    sign = rng.choice([1, -1])
    for _ in range(int(rng.integers(1, 4))):
        n = int(rng.integers(1, 150))
        score = rng.normal(size=n) * (10 if dtype == np.int64 else 1)
        score = np.abs(score) * sign if rng.random() < 0.5 else score
        score = score.round(1) if rng.random() < 0.5 else score
        score[rng.random(n) < 0.05] = -0.0
        if dtype != np.int64:
            score[rng.random(n) < 0.03] = np.inf
            score[rng.random(n) < 0.01] = -np.inf
        yield score.astype(dtype), rng.random(n) < 0.4


@pytest.mark.parametrize("higher_is", ["positive", "negative"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
@pytest.mark.parametrize("weighted", [False, True])
def test_pieces_give_the_sweep_of_memory(monkeypatch, dtype, higher_is, weighted):
    rng = np.random.default_rng(1)
    for _ in range(40):
        monkeypatch.setattr(keys, "CHUNK", 7)
        monkeypatch.setattr(exact_counter, "PIECE", int(rng.integers(5, 60)))
        monkeypatch.setattr(exact_counter, "CROWDED", int(rng.integers(20, 300)))
        counter, given = ExactCounter(), list(pieces(rng, dtype))
        weights = [rng.integers(1, 4, len(s)) for s, _ in given]
        for (score, positive), weight in zip(given, weights, strict=True):
            kept = score.copy(), positive.copy()
            counter.add(*kept, weight if weighted else None)
            kept[0][:], kept[1][:] = 0, False  # the caller may use its arrays again
        score, positive = (np.concatenate(part) for part in zip(*given, strict=True))
        memory = cw.sweep(positive, score, higher_is=higher_is, weight=np.concatenate(weights) if weighted else None)
        found = counter.sweep(higher_is=higher_is)
        assert found == memory
        assert found.threshold.dtype == memory.threshold.dtype
        assert found.tp.dtype == memory.tp.dtype
        assert not np.signbit(found.threshold[found.threshold == 0]).any()


def test_no_rows_is_no_sweep():
    assert ExactCounter().sweep() is None
    assert ExactCounter().summary() is None


def test_rows_whose_scores_repeat_after_all_are_not_kept(monkeypatch):
    """A score is new within its piece, and comes again in every piece: what is kept does not grow with the pieces."""
    monkeypatch.setattr(exact_counter, "PIECE", 10)
    monkeypatch.setattr(exact_counter, "CROWDED", 100)
    counter, score = ExactCounter(), np.arange(10.0)
    for _ in range(50):
        counter.add(score, score > 4)
        assert sum(len(some) for pieces in counter._keys.values() for some in pieces) < 100
    assert counter.sweep() == cw.sweep(np.tile(score > 4, 50), np.tile(score, 50))


def test_a_summary_may_be_asked_for_twice(monkeypatch):
    monkeypatch.setattr(exact_counter, "PIECE", 4)
    counter = ExactCounter()
    for score in (np.arange(8.0), -np.arange(8.0)):
        counter.add(score, score > 2)
        once, twice = counter.summary(), counter.summary()
        for name in ("low", "high", "positives", "negatives"):
            assert getattr(once, name).tolist() == getattr(twice, name).tolist()
