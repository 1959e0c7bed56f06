"""Intervals of many sweeps at once are those of each alone."""

import math
from dataclasses import replace

import numpy as np
import pytest

import curvewise as cw
from curvewise.inference.interval import intervals_of
from curvewise.inference.limits import crossing, crossings
from curvewise.inference.many_intervals import intervals_of_many, many_sweeps
from curvewise.metric.registry import several

NAMES = ("roc_auc", "recall", "fpr", "precision", "false_omission_rate", "predicted_rate", "accuracy", "f1", "ks")
TARGETS = list(several(NAMES, {"threshold": 0.5}).values())


def sweeps(higher_is="positive"):
    """Groups of all kinds: one class, one row, separated both ways, tied, few and many rows."""
    rng = np.random.default_rng(2)
    shapes = [(1, 0), (0, 1), (1, 1), (2, 2), (0, 5), (7, 3), (40, 60), (2, 300)]
    found = []
    for k in range(160):
        p, n = shapes[k % len(shapes)]
        y = np.repeat([1, 0], [p, n])
        score = rng.normal(0.5 + y * rng.choice([-3, 0, 0.5, 1, 3]), 0.5)
        score = score if k % 3 else score.round(rng.integers(0, 2))
        found.append(cw.sweep(y, score, higher_is=higher_is, positive=1) if p and n else _one_class(score, p))
    return [s if s.higher_is == higher_is else replace(s, higher_is=higher_is) for s in found]


def _one_class(score, p):
    pos = np.full(len(score), int(p > 0))
    return cw.Sweep.from_counts(score, pos, 1 - pos)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
@pytest.mark.parametrize("higher_is", ["positive", "negative"])
def test_each_is_what_it_is_alone(level, higher_is):
    some = [s for s in sweeps(higher_is) if higher_is == "positive" or (s.positives and s.negatives)]
    some += [some[2]] * 40
    many = many_sweeps(some)
    found = intervals_of_many(TARGETS, many, level=level, rng=0, replicates=50)
    for sweep, own in zip(some, found, strict=True):
        for name, alone in intervals_of(TARGETS, sweep, level=level, rng=0, replicates=50).items():
            numbers = [(e.value, e.low, e.high, e.standard_error or 0.0) for e in (own[name], alone)]
            assert numbers[0] == pytest.approx(numbers[1], rel=1e-9, abs=1e-12, nan_ok=True)
            assert replace(own[name], value=0, low=0, high=0, standard_error=None) == replace(
                alone, value=0, low=0, high=0, standard_error=None
            )


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("level", [0.8, 0.999])
@pytest.mark.parametrize("name", ["observed_expected", "calibration_in_the_large"])
def test_calibration_is_what_it_is_alone(name, level):
    rng, target = np.random.default_rng(4), list(several([name], {}).values())
    some = []
    for k in range(150):
        pos, neg = (rng.integers(k % 2, 4, 6) if k % 5 else np.full(6, own) for own in (0, 1))
        p = rng.random(6).round(int(rng.integers(1, 9))) if k % 7 else np.zeros(6)
        some.append(cw.Sweep.from_counts(p, pos, neg))
    some += [cw.Sweep.from_counts(p, [0, 2, 3], [4, 1, n]) for p in ([0, 0.5, 1], [1e-300, 1e-9, 1]) for n in (0, 2)]
    some.append(cw.Sweep.from_counts([0.1, 0.2, 0.4], [0, 1, 0], [3, 2, 1]))  # one positive
    many = many_sweeps(some)
    assert many.columns(target[0], 0.95) is not None
    found = intervals_of_many(target, many, level=level, rng=0, replicates=50)
    for sweep, own in zip(some, found, strict=True):
        one, two = own[name], intervals_of(target, sweep, level=level)[name]
        numbers = [(e.value, e.low, e.high, e.standard_error or 0.0) for e in (one, two)]
        assert numbers[0] == pytest.approx(numbers[1], rel=1e-9, abs=1e-12, nan_ok=True)
        assert (one.notes, one.reason, one.method) == (two.notes, two.reason, two.method)
    assert many_sweeps(sweeps()).columns(target[0], 0.95) is None  # no probabilities


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "uint8"])
@pytest.mark.parametrize("cut", [-1e300, -1, 0, 0.1, 2, 2.5, np.float32(2.5), 300, 1e300])
def test_cells_are_those_of_each_sweep(dtype, cut):
    rng = np.random.default_rng(5)
    found = [cw.sweep(rng.permutation([1, 0, 1, 0, 0]), rng.integers(0, 5, 5).astype(dtype)) for _ in range(120)]
    part, whole = many_sweeps(found).rate(several(["precision"], {"threshold": cut})["precision"])
    assert part.tolist() == [s.at(cut).tp for s in found]
    assert whole.tolist() == [s.at(cut).tp + s.at(cut).fp for s in found]


def test_few_sweeps_and_weights_are_asked_one_by_one():
    some = sweeps()
    assert many_sweeps(some[:10]) is None
    weighted = cw.sweep([1, 0, 1, 0], [1, 2, 3, 4], weight=[0.5, 1, 1, 1])
    assert many_sweeps([*some, weighted]) is None


def test_crossings_are_those_of_one_function_after_another():
    rng = np.random.default_rng(1)
    a, b = rng.uniform(-2, 2, 200), rng.uniform(0.1, 5, 200)

    def falling(x, which):
        return a[which] - b[which] * x**3 - x

    found = crossings(falling, np.full(200, -1.0), np.full(200, 1.0))
    alone = [crossing(lambda x, k=k: a[k] - b[k] * x**3 - x, -1.0, 1.0) for k in range(200)]
    assert found == pytest.approx(alone, rel=1e-13, abs=1e-15)
    ends = crossings(lambda x, which: np.where(x <= 0, math.inf, 0.5 - x)[: len(which)], np.zeros(3), np.ones(3))
    assert ends == pytest.approx([0.5] * 3)
