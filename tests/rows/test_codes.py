"""Numbers of groups: counted where labels are whole numbers close together, sorted elsewhere; the same either way."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from curvewise.rows.category import codes


@pytest.mark.parametrize("dtype", ["?", "i1", "u1", "i2", "i8", "u8", "f8"])
@given(data=st.data())
def test_codes_number_labels_by_their_order(dtype, data):
    elements = {"allow_nan": False} if dtype == "f8" else None
    values = data.draw(hnp.arrays(dtype, st.integers(1, 30), elements=elements))
    labels = sorted(set(values.tolist()))
    assert codes(values).tolist() == [labels.index(v) for v in values.tolist()]


@pytest.mark.parametrize("start", [-(2**63), -3, 0, 2**53, 2**63 - 3, 2**63, 2**64 - 3])
def test_codes_of_close_numbers_anywhere(start):
    values = [start + 2, start, start + 2, start + 2]
    found = codes(np.array(values, dtype=np.int64 if start < 2**63 - 2 and start + 2 < 2**63 else np.uint64))
    assert found.tolist() == [1, 0, 1, 1]
    assert found.dtype == np.intp
