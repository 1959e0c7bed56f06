"""Results own their data: what a caller does to his arrays afterwards changes no number."""

import numpy as np
import pytest

import curvewise as cw

RNG = np.random.default_rng(2)
N = 60
Y = np.arange(N) % 3 == 0
P = 1 / (1 + np.exp(-RNG.normal(Y * 1.0)))
W = RNG.random(N) + 0.1
CLASS = np.arange(N) % 3
THREE = RNG.dirichlet([1, 1, 1], N)
GROUP = np.arange(N) % 2

MADE = {
    "read_rows": (lambda y, p, w: cw.read_rows(y, p, weight=w, id=p), [Y, P, W], lambda r: r.table.columns),
    "evaluate": (
        lambda y, p, w, g: cw.evaluate(y, {"a": p, "b": p**2}, weight=w, group=g, replicates=20),
        [Y, P, W, GROUP],
        lambda r: r.to_dict(),
    ),
    "evaluate a table": (
        lambda y, p, g: cw.evaluate({"y": y, "p": p, "g": g}, label="y", scores="p", group="g", replicates=20),
        [Y, P, GROUP],
        lambda r: r.to_dict(),
    ),
    "multiclass": (lambda y, p, w: cw.multiclass(y, p, weight=w), [CLASS, THREE, W], lambda r: r.to_dict()),
    "multilabel": (lambda y, p, w: cw.multilabel(y, p, weight=w), [THREE > 0.3, THREE, W], lambda r: r.to_dict()),
}


@pytest.mark.parametrize("name", MADE)
def test_changing_the_arrays_changes_no_result(name):
    make, arrays, read = MADE[name]
    mine = [a.copy() for a in arrays]
    found = make(*mine)
    for array in mine:
        array[...] = array[::-1].copy()
    assert str(read(found)) == str(read(make(*arrays)))
