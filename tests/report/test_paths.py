"""A shortened path draws the same line."""

import re

from hypothesis import given
from hypothesis import strategies as st

from curvewise.report.paths import MANY, short_path

place = st.floats(min_value=-500, max_value=500)


def walked(path):
    """Return the corners of a path of M, L, l, h and v."""
    x = y = 0.0
    corners = []
    for letter, numbers in re.findall(r"([MLlhv])([^MLlhvz]*)", path):
        found = [float(n) for n in re.findall(r"-?\d*\.?\d+(?:e-?\d+)?", numbers)]
        if letter in "ML":
            x, y = found
        elif letter == "l":
            x, y = x + found[0], y + found[1]
        else:
            x, y = (x + found[0], y) if letter == "h" else (x, y + found[0])
        corners.append((x, y))
    return corners


@given(st.lists(st.tuples(place, place), min_size=2, max_size=20))
def test_every_corner_stays_within_a_hundredth(points):
    text = "M " + " \nL ".join(f"{x} {y}" for x, y in points)
    short = walked(short_path(text))
    assert all(min(abs(x - a) + abs(y - b) for a, b in short) < 0.0101 for x, y in points)


def test_errors_do_not_add_up_along_a_long_line():
    points = [(k * 0.237, (k * k * 0.0173) % 100) for k in range(4 * MANY)]
    text = "M " + " L ".join(f"{x} {y}" for x, y in points)
    x, y = walked(short_path(text))[-1]
    assert abs(x - points[-1][0]) + abs(y - points[-1][1]) < 0.101
    assert len(short_path(text)) < 0.5 * len(text)


def test_curves_and_ends_keep_their_form():
    assert short_path("M 0 1.23456 C 1 2 3 4 5 6 z") == "M 0 1.23 C 1 2 3 4 5 6 z"
    assert short_path("M 0 0 \nL 1 0 \nL 1 1 \nz\n") == "M0 0h1v1z"
    assert short_path("M 0 0 L 1 1 M 5 5 L 6 5.5") == "M0 0l1 1M5 5l1 .5"
    assert short_path("M -0.001 1e-7 L 2.5 -0.5") == "M0 0l2.5-.5"
