"""Numbers as the page writes them; test_browser.py holds the script to the same digits."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise.words import Words
from curvewise.words.numbers import BASES, base_of, fixed

en, zh = Words("en").numbers, Words("zh").numbers


@pytest.mark.parametrize(
    ("way", "value", "english"),
    [
        ("area", 0.8611319, "0.861"),
        ("area", 1.0, "1.000"),
        ("area", 0.99984, "0.9998"),
        ("area", 0.9999999, "1.000000"),
        ("area", -0.0059, "−0.006"),
        ("area", -0.0001, "−0.0001"),
        ("area", None, "–"),
        ("share", 0.3467741935483871, "34.7%"),
        ("share", 0.00034, "0.03%"),
        ("share", 0.9996, "99.96%"),
        ("share", 0, "0.0%"),
        ("share", 1, "100.0%"),
        ("points", -0.105, "−10.5 points"),
        ("of_100", 0.62, "62"),
        ("of_100", 0.0031, "0.3"),
        ("count", 4060, "4,060"),
        ("count", 1234567, "1,234,567"),
        ("count", 12.34, "12.3"),
        ("amount", 0.158929, "0.158929"),
        ("amount", 4, "4"),
        ("amount", 1234567.891, "1,234,570"),
        ("amount", 0.000012345678, "0.0000123457"),
        ("amount", 1.5e-9, "1.5e−9"),
        ("amount", -2.5e12, "−2.5e12"),
        ("amount", "inf", "∞"),
        ("amount", "-inf", "−∞"),
        ("amount", 999999.9, "1,000,000"),
        ("cost", 0.15629048, "0.1563"),
        ("p_value", 0.0004, "< 0.001"),
        ("p_value", 0.772, "0.772"),
        ("level", 0.95, "95%"),
        ("level", 0.999, "99.9%"),
    ],
)
def test_ways(way, value, english):
    assert getattr(en, way)(value) == english


@pytest.mark.parametrize(
    ("value", "base", "shown"),
    [
        (0.0326, 1000, "33"),
        (0.0069, 1000, "6.9"),
        (0.00702, 1000, "7"),
        (0.0996, 100, "10"),
        (0, 1000, "0"),
        (1, 100, "100"),
        (0.9997, 1000, "999.7"),
        (0.000004, 100_000, "0.4"),
        (None, 100, "–"),
    ],
)
def test_so_many_of_so_many(value, base, shown):
    assert en.of(value, base) == shown


def test_shares_are_told_of_as_many_rows_as_make_the_smallest_one_row():
    assert [base_of([0.5, x]) for x in (0.01, 0.0099, 0.001, 0.00099, 0.0001, 0.00009, 1e-9)] == [
        *(100, 1000, 1000, 10_000, 10_000, 100_000, 100_000)
    ]
    assert base_of([0, None, 0.2]) == base_of([]) == base_of([1]) == 100


@given(st.lists(st.floats(min_value=1e-5, max_value=1), min_size=1))
def test_no_share_is_shown_as_none(shares):
    base = base_of(shares)
    assert all(float(en.of(x, base).replace(",", "")) >= 1 for x in shares)
    assert base == BASES[0] or min(shares) * base / 10 < 1


def test_sentences_choose_their_number_of_rows():
    shares = {"precision": 0.004, "recall": 0.7, "alarms": 0.5, "right": 0.002, "missed": 0.0008}
    said = Words("en")("note.then_here", model="m", prevalence=0.0028, **shares)
    assert "of 1,000 alarms 4 are right and of 1,000 positives 700 are found" in said
    assert "Of 10,000 such cases 5,000 raise an alarm, 20 of them rightly, and 8 positives are missed" in said


def test_scores_are_short_but_differ_from_those_beside_them():
    assert en.cut(0.158929) == "0.1589"
    assert en.cut(0.158929, (0.15893, 0.2)) == "0.158929"
    assert en.cut(0.158929, (0.15889, 0.15901)) == "0.15893"
    assert en.cut(3, (4, 2)) == "3"
    assert en.cut("inf", (1,)) == "∞"


def test_chinese_writes_no_space_before_a_per_cent_and_joins_with_a_tilde():
    assert zh.share(0.347) == "34.7%"
    assert zh.interval(0.269, 0.434, "share") == "26.9～43.4%"
    assert en.interval(0.269, 0.434, "share") == "26.9 to 43.4%"
    assert zh.interval(0.01, 0.2, "points") == "1.0～20.0 个百分点"
    assert en.interval(None, 0.4) == ""


def test_exact_halves_go_away_from_zero():
    # Python's own format gives 0.12, 2 and -0.12: to even
    assert (fixed(0.125, 2), fixed(2.5, 0), fixed(-0.125, 2)) == ("0.13", "3", "−0.13")
    assert fixed(0.15, 1) == "0.1"  # the float lies below the half


@given(st.floats(min_value=0, max_value=1))
def test_only_nothing_is_shown_as_nothing_down_to_six_digits(x):
    shown = float(en.share(x).removesuffix("%"))
    assert math.isclose(shown, 100 * x, abs_tol=0.0500001)
    if 1e-7 < x < 1 - 1e-7:
        assert shown not in (0, 100)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_an_amount_is_right_to_six_digits(x):
    shown = float(en.amount(x).replace(",", "").replace("−", "-"))
    assert math.isclose(shown, x, rel_tol=5.0001e-6, abs_tol=1e-320)
