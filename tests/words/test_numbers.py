"""Numbers as the page writes them; test_browser.py holds the script to the same digits."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise.words import Words
from curvewise.words.numbers import fixed

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
        ("share", 0.3467741935483871, "34.7\u00a0%"),
        ("share", 0.00034, "0.03\u00a0%"),
        ("share", 0.9996, "99.96\u00a0%"),
        ("share", 0, "0.0\u00a0%"),
        ("share", 1, "100.0\u00a0%"),
        ("points", -0.105, "−10.5 points"),
        ("of_100", 0.62, "62"),
        ("of_100", 0.0031, "0.3"),
        ("per_1000", 0.0326, "33"),
        ("per_1000", 0.0069, "6.9"),
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
        ("level", 0.95, "95\u00a0%"),
        ("level", 0.999, "99.9\u00a0%"),
    ],
)
def test_ways(way, value, english):
    assert getattr(en, way)(value) == english


def test_chinese_writes_no_space_before_a_per_cent_and_joins_with_a_tilde():
    assert zh.share(0.347) == "34.7%"
    assert zh.interval(0.269, 0.434, "share") == "26.9～43.4%"
    assert en.interval(0.269, 0.434, "share") == "26.9 to 43.4\u00a0%"
    assert zh.interval(0.01, 0.2, "points") == "1.0～20.0 个百分点"
    assert en.interval(None, 0.4) == ""


def test_exact_halves_go_away_from_zero():
    # Python's own format gives 0.12, 2 and -0.12: to even
    assert (fixed(0.125, 2), fixed(2.5, 0), fixed(-0.125, 2)) == ("0.13", "3", "−0.13")
    assert fixed(0.15, 1) == "0.1"  # the float lies below the half


@given(st.floats(min_value=0, max_value=1))
def test_only_nothing_is_shown_as_nothing_down_to_six_digits(x):
    shown = float(en.share(x).removesuffix("\u00a0%"))
    assert math.isclose(shown, 100 * x, abs_tol=0.0500001)
    if 1e-7 < x < 1 - 1e-7:
        assert shown not in (0, 100)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_an_amount_is_right_to_six_digits(x):
    shown = float(en.amount(x).replace(",", "").replace("−", "-"))
    assert math.isclose(shown, x, rel_tol=5.0001e-6, abs_tol=1e-320)
