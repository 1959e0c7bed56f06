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
def labelled(draw, min_size=2, max_size=24, each=1):
    """Return (labels, scores) with at least ``each`` rows of each class."""
    n = draw(st.integers(max(min_size, 2 * each), max_size))
    positives = draw(st.integers(each, n - each))
    y = draw(st.permutations([True] * positives + [False] * (n - positives)))
    s = draw(st.lists(score_values, min_size=n, max_size=n))
    return y, s
