"""Tiny, heavily tied censored outcomes, for hypothesis."""

import numpy as np
from hypothesis import strategies as st

from curvewise.censored.outcomes import Outcomes


@st.composite
def outcomes(draw, min_size=2, max_size=9, codes=(0, 1), times=5, risks=3, weighted=False, entered=False):
    """Return columns (time, code, risk, weight or None, entry or None) by name."""
    count = draw(st.integers(min_size, max_size))

    def column(values):
        return draw(st.lists(values, min_size=count, max_size=count))

    time = column(st.integers(1, times))
    found = {"time": time, "code": column(st.sampled_from(codes)), "risk": column(st.integers(0, risks))}
    found["weight"] = column(st.integers(1, 4)) if weighted else None
    found["entry"] = [draw(st.integers(0, t - 1)) for t in time] if entered else None
    return found


def outcomes_of(data, **more):
    """Return the outcomes of such columns, codes as they are."""
    entry, weight = data["entry"], data["weight"]
    return Outcomes(
        np.array(data["time"], dtype=float),
        np.array(data["code"], dtype=np.int8),
        {"score": np.array(data["risk"])},
        entry=None if entry is None else np.array(entry, dtype=float),
        weight=None if weight is None else np.array(weight),
        **more,
    )
