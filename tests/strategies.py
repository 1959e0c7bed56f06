"""Small, tied, imbalanced data of both classes, for hypothesis."""

from hypothesis import strategies as st

score_values = st.one_of(
    st.integers(-3, 3).map(float),
    st.sampled_from([0.0, -0.0, 0.1, 0.30000000000000004, 0.3, 1e-300, -1e300, float("inf"), float("-inf")]),
    st.floats(allow_nan=False, width=16),
)
weights = st.integers(1, 4)
shares = st.integers(0, 20).map(lambda k: k / 20)


@st.composite
def labelled(draw, min_size=2, max_size=24):
    """Return (labels, scores) with at least one row of each class."""
    n = draw(st.integers(min_size, max_size))
    y = draw(st.lists(st.booleans(), min_size=n, max_size=n).filter(lambda v: 0 < sum(v) < n))
    s = draw(st.lists(score_values, min_size=n, max_size=n))
    return y, s
