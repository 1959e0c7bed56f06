"""Small ROC curves of characters: every curve where it belongs."""

import curvewise as cw
from curvewise.cli.sketch import COLUMNS, ROWS, sketch

PERFECT = cw.roc_curve([0, 0, 1, 1], [1, 2, 3, 4])
CHANCE = cw.roc_curve([0, 1], [1, 1])
REVERSED = cw.roc_curve([1, 1, 0, 0], [1, 2, 3, 4])


def drawn(curve):
    return [line[2:] for line in sketch({"m": curve}, plain=True).splitlines()[1 : ROWS + 1]]


def test_perfect_goes_up_and_then_right():
    rows = drawn(PERFECT)
    assert rows[0] == "*" * COLUMNS
    assert all(row.startswith("*") and "*" not in row[1:] for row in rows[1:])


def test_reversed_goes_right_and_then_up():
    rows = drawn(REVERSED)
    assert rows[-1] == "*" * COLUMNS
    assert all(row.endswith("*") and row.count("*") == 1 for row in rows[:-1])


def test_chance_is_the_diagonal():
    rows = drawn(CHANCE)
    middles = [(row.index("*") + row.rindex("*")) / 2 for row in rows]
    assert middles == sorted(middles, reverse=True)
    assert all("." not in row for row in rows)


def test_braille_has_the_same_corner():
    lines = sketch({"m": PERFECT}, plain=False).splitlines()
    top = lines[1][2:]
    assert len(top) == COLUMNS
    assert all(ord(c) - 0x2800 & 0x09 for c in top)  # the dots of the first row
    assert all(ord(line[2]) - 0x2800 & 0x47 == 0x47 for line in lines[1 : ROWS + 1])  # of the first column


def test_side_by_side_with_names_cut_to_fit():
    curves = {"北京" * 20: PERFECT, "\x1b[31mred": CHANCE, "c": CHANCE, "d": CHANCE}
    text = sketch(curves, plain=True)
    assert "\x1b" not in text
    assert "1 more in the report" in text
    head = text.splitlines()[0]
    assert "…" in head
    assert "\\x1b[31mred" in head
    assert "d" not in head.split()
    assert len(text.splitlines()) == ROWS + 3
