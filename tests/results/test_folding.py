"""Text and tables on a screen: folded at words, never in a number, never wider than the screen."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise.results.folding import aligned, folded, paragraph
from curvewise.results.text import width

HEAD = ["metric", "model_a", "model_b", "rating", "meaning"]
ROWS = [
    ["distinct_scores", "3759", "3353", "5", "fewer than rows means ties"],
    ["roc_auc", *("0.8611 (0.8291 to 0.8868)",) * 3, "chance that a positive outranks a negative; 0.5 is chance"],
    ["h_measure", "undefined", "−0.01", "∞", ""],
]
WORDS = [False] * 5


@pytest.mark.parametrize("most", [42, 60, 80, 100, 120, 150, 200])
def test_a_table_fits_and_keeps_every_cell(most):
    text = aligned(HEAD, ROWS, WORDS, most)
    assert max(map(width, text.splitlines())) <= most
    for row in ROWS:
        for cell in row[1:4]:
            assert cell in text  # no number is broken, nor a number from its interval
    for word in re.findall(r"\S+", " ".join(row[4] for row in ROWS)):
        assert word in text
    assert "…" not in text


def test_as_it_is_where_it_fits_or_where_there_is_no_limit():
    wide = aligned(HEAD, ROWS, WORDS)
    assert wide == aligned(HEAD, ROWS, WORDS, max(map(width, wide.splitlines())))
    assert len(wide.splitlines()) == 2 + len(ROWS)
    assert wide != aligned(HEAD, ROWS, WORDS, max(map(width, wide.splitlines())) - 1)


def test_words_are_folded_before_columns_are_parted():
    text = aligned(
        ["name", "value", "meaning"], [["a", "0.25", "of 100 rows, 25 are positive, more or less"]], [0, 1, 0], 45
    )
    assert text.splitlines()[2:] == [
        "a      0.25  of 100 rows, 25 are positive,",
        "             more or less",
    ]


def test_sentences_that_begin_with_a_number_are_words():
    text = aligned(
        ["metric", "note"],
        [["auc", "40-49 0.9061 minus 70+ 0.7849; chance alone would spread them by 0.07"]],
        [0, 0],
        50,
    )
    assert max(map(width, text.splitlines())) <= 50


def test_columns_are_parted_with_what_names_the_rows():
    parts = aligned(HEAD, ROWS, WORDS, 80).split("\n\n")
    assert [part.split("\n")[0].split() for part in parts] == [
        ["metric", "model_a", "model_b"],
        ["metric", "rating", "meaning"],
    ]
    pairs = [["a", "b", *("0.1234567",) * 6], ["a", "c", *("0.1234567",) * 6], ["b", "c", *("0.1234567",) * 6]]
    head = ["first", "second", *(f"number_{k}" for k in range(6))]
    for part in aligned(head, pairs, [False, False, *([True] * 6)], 50).split("\n\n"):
        assert part.split()[:2] == ["first", "second"]  # one of the two would not tell the pairs apart


def test_long_heads_and_names_are_broken_rather_than_cut():
    name = "gradient_boosting_" * 8
    for text in (
        aligned(["", name], [["x", "0.5"]], [False, True], 60),
        aligned(["", "p"], [[name, "0.5"]], [False, True], 60),
    ):
        assert max(map(width, text.splitlines())) <= 60
        assert text.replace("\n", "").replace(" ", "").replace("─", "").count("gradient_boosting_") == 8


def test_chinese_characters_count_twice_and_break_anywhere_but_before_a_comma():
    lines = folded("每 100 个阳性中有 87 个被标记，灵敏度（真阳性率）为 0.871。", 16)
    assert max(map(width, lines)) <= 16
    assert not any(line[0] in "，。）" or line[-1] == "（" for line in lines)
    assert any("0.871" in line for line in lines)


@given(st.text(alphabet="ab1. 中，（_", max_size=60), st.integers(4, 30))
def test_folding_loses_nothing(text, most):
    lines = folded(text, most)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert max((width(line) for line in lines), default=0) <= most or width(text) <= most


def test_a_paragraph_has_a_hanging_indent_and_shows_no_control_characters():
    assert paragraph("one two three \x1b[31m" + "word " * 10, 40, "- ", "  ").split("\n") == [
        "- one two three \\x1b[31mword word word",
        "  word word word word word word word",
    ]
    assert max(map(width, paragraph("word " * 30, 50, "", "    ").split("\n"))) <= 50
    assert paragraph("a " * 50, None) == "a " * 50


def test_paint_changes_no_place():
    painted = aligned(HEAD, ROWS, WORDS, 80, lambda text, part: f"<{part}>{text}</>" if text else text)
    assert re.sub(r"</?(head|name)?>", "", painted) == aligned(HEAD, ROWS, WORDS, 80)
    assert painted.count("<head>") == 6
    assert painted.count("<name>") == 6
