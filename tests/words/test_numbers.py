"""Numbers as the page writes them; test_browser.py holds the script to the same digits."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise.errors import note
from curvewise.results.estimate import Estimate
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
    assert "4 of 1,000 alarms are correct and 700 of 1,000 positives are found" in said
    assert "Of 10,000 such cases, 5,000 raise an alarm, 20 of them correctly, and 8 positives are missed" in said


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


@pytest.mark.parametrize(
    ("way", "low", "high", "english"),
    [
        ("area", 0.00491, 0.00512, "0.0049 to 0.0051"),
        ("area", 0.7, 0.71, "0.700 to 0.710"),
        ("area", 0.005, 0.005, "0.005 to 0.005"),
        ("share", 0.01399, 0.01405, "1.399 to 1.405%"),
        ("points", -0.0002, 0.0001, "−0.02 to 0.01 points"),
        ("short", 1.411, 1.442, "1.41 to 1.44"),
        ("cost", 0.70481, 0.70495, "0.70481 to 0.70495"),
        ("cost", -0.00004, 0.00003, "−0.00004 to 0.00003"),
        ("per_100", 0.8698, 0.8761, "87.0 to 87.6"),
    ],
)
def test_digits_follow_the_width_of_an_interval(way, low, high, english):
    assert en.interval(low, high, way) == english


def test_a_sentence_writes_a_value_with_the_digits_of_its_interval():
    value = 0.72551
    wide, narrow = (
        note("ranks_better", model="a", value=value, level=0.95, low=value - half, high=value + half)
        for half in (0.02, 0.00011)
    )
    assert "AUC 0.726, 95% interval 0.706 to 0.746" in str(wide)
    assert "AUC 0.7255, 95% interval 0.7254 to 0.7256" in str(narrow)
    inner = note("ends_area", level=0.95, low=0.00012, high=0.00034)
    both = note("pair_better_area", first_value=0.72551, second_value=0.72528, difference=0.00023, ends=inner)
    assert "0.7255 against 0.7253 (difference 0.0002, 95% interval 0.0001 to 0.0003" in str(both)
    assert Estimate("roc_auc", 0.005, 0.00497, 0.00503, 0.95, "delong").brief() == "0.00500 (0.00497 to 0.00503)"
