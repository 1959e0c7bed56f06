"""The short door of plain arrays: the same rows as the long one, and the long one wherever anything is odd."""

import numpy as np
import pytest

import curvewise as cw
from curvewise.rows import reading

SCORES = [0.5, -0.0, 0.0, 2.5, -1.5, 0.5]
LABELS = [
    np.array([0, 1, 1, 0, 1, 0]),
    np.array([True, False, True, False, True, True]),
    np.array([-1, 1, 1, -1, 1, 1], dtype=np.int8),
    np.array([0.0, 1.0, 1.0, 0.0, 0.0, 1.0]),
    np.ones(6),
]


@pytest.mark.parametrize("y", LABELS, ids=lambda y: str(y.dtype))
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "g", "i1", "i8"])
def test_plain_arrays_are_read_as_lists_are(y, dtype):
    score = np.array(SCORES).astype(dtype)
    short = reading._plain_rows(y, score)
    long = cw.read_rows(y.tolist(), score)
    assert short is not None
    assert np.array_equal(short.positive, long.positive)
    assert short.score is score
    for name in ("weight", "cluster", "stratum", "kept", "dropped", "backend", "higher_is", "models"):
        assert getattr(short, name) == getattr(long, name)
    if y.min() != y.max():
        for verb in (cw.roc_auc, cw.average_precision):
            assert verb(y, score) == verb(long)
        assert str(cw.interval("auc", y, score)) == str(cw.interval("auc", long))


@pytest.mark.parametrize(
    ("y", "score"),
    [
        (np.array([0, 1, 2]), np.arange(3.0)),
        (np.array([0, np.nan, 1]), np.arange(3.0)),
        (np.array([0, 1, 1]), np.array([1.0, np.nan, 2.0])),
        (np.array([0, 1, 1]), np.arange(4.0)),
        (np.array([0, 1, 1]), np.arange(6.0).reshape(3, 2)),
        (np.array(["a", "b", "b"]), np.arange(3.0)),
        (np.array([0, 1, 1]), np.array([1, 2, 3], dtype=object)),
        (np.array([0, 1, 1]), np.array([1j, 2, 3])),
        (np.array([0, 1, 1]), np.array(["1", "2", "3"])),
        (np.array([0, 1, 1]), np.array([1, 2, 3], dtype="M8[s]")),
        (np.array([0, 1, 1]), np.array([True, False, True])),
        (np.array([0, 1, 1]), np.arange(3.0).astype(">f8")),
        (np.array([0, 1, 1]).astype(">i4"), np.arange(3.0)),
        (np.zeros(0), np.zeros(0)),
        (np.ma.masked_array([0, 1, 1], [True, False, False]), np.arange(3.0)),
        ([0, 1, 1], np.arange(3.0)),
        (5, np.arange(3.0)),
    ],
)
def test_whatever_is_odd_takes_the_long_door(y, score):
    """So that its messages, and what it allows, are the only ones."""
    assert reading._plain_rows(y, score) is None


def test_options_take_the_long_door(monkeypatch):
    def never(*_):
        raise AssertionError

    monkeypatch.setattr(reading, "_plain_rows", never)
    y, score = np.array([0, 1, 1, 0]), np.array([1.0, 2.0, 0.5, 0.2])
    assert cw.roc_auc(y, score, higher_is="negative") == 1 - cw.roc_auc(
        y.tolist(), score.tolist(), higher_is="positive"
    )
    with pytest.raises(cw.CurvewiseError, match="tickness"):
        cw.average_precision(y, score, tickness=1)
    with pytest.raises(AssertionError):
        cw.roc_auc(y, score)
