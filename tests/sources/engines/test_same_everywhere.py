"""Rows that lie anywhere give what the same rows give in memory, bit for bit, and the same sentences."""

from __future__ import annotations

import numpy as np
import pytest

import curvewise as cw
from sources.engines.cases import CASES, in_memory, without_rows


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_case(case, place, put):
    for what in sorted(case.holds & place.lacks.keys()):
        pytest.skip(place.lacks[what])
    expected = in_memory(case)
    source, options = put(case.frame)
    if isinstance(expected, str):
        with pytest.raises(cw.CurvewiseError) as refusal:
            cw.scan(source, **case.asked, **options)
        assert without_rows(str(refusal.value)) in (expected, case.error)
        return
    found = cw.scan(source, **case.asked, **options)
    if isinstance(expected, dict):
        assert list(found) == list(expected)  # the same groups in the same order
        for group, sweep in expected.items():
            assert_same(found[group], sweep, exact=case.exact)
    else:
        assert_same(found, expected, exact=case.exact)


def assert_same(found, expected, *, exact):
    assert found.threshold.dtype == expected.threshold.dtype
    assert found.tp.dtype == expected.tp.dtype
    np.testing.assert_array_equal(found.threshold, expected.threshold)
    np.testing.assert_array_equal(np.signbit(found.threshold), np.signbit(expected.threshold))
    for name in ("tp", "fp", "positives", "negatives"):
        a, b = getattr(found, name), getattr(expected, name)
        np.testing.assert_allclose(a, b, rtol=0 if exact else 1e-12, atol=0)
    for name in ("dropped", "round_to", "higher_is", "weight_kind", "bins"):
        assert getattr(found, name) == getattr(expected, name)
