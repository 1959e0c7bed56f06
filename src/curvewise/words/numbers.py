"""Numbers as a reader of the page sees them; the page's script has the same rules, digit for digit.

Both round half away from zero, on the exact binary value: JavaScript's ``toFixed`` does so, Python's
``format`` rounds exact halves to even, so decimal arithmetic is used here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Any

UNDEFINED = "–"
MOST_DIGITS = 6  # beyond these a share next to 0 or 1 is shown as what it rounds to
USUAL = {
    "area": 3,
    "share": 1,
    "points": 1,
    "per_100": 0,
    "amount": 6,
    "cost": 4,
    "short": 2,
}  # digits, by the way of writing
SIGNIFICANT = ("amount", "cost", "short")  # whose digits are significant ones, not decimals
LEAST_STEPS = 2  # of the last digit, which an interval should be wide
SMALLEST_P = 0.001
PLAIN = range(-5, 9)  # powers of ten that are written out
BASES = (100, 1_000, 10_000, 100_000)  # of how many rows people are told
SCORE_DIGITS = range(4, 17)  # significant ones, as many as tell a score from those beside it
EXACT = Context(prec=800)  # any float is a decimal of fewer digits


@dataclass(frozen=True)
class Numbers:
    """How one language writes numbers.

    ``percent`` and ``points_sign`` follow a share and a difference of shares; ``between`` joins the ends of
    an interval.
    """

    percent: str
    between: str
    points_sign: str = ""

    def area(self, value: Any, digits: int = 3) -> str:
        """Write a number between 0 and 1; only 0 is shown as 0, and only 1 as 1."""
        number = read(value)
        return _unless_finite(number) or _grown(number, digits, 1)

    @staticmethod
    def digits(low: Any, high: Any, way: str) -> int | None:
        """Return how many digits show an interval of so little width; None where the usual ones do.

        >>> Numbers("%", " to ").digits(0.0049, 0.0051, "area"), Numbers("%", " to ").digits(0.4, 0.6, "area")
        (4, None)
        """
        if way not in USUAL:
            return None
        usual, first, last = USUAL[way], read(low), read(high)
        width = last - first
        if not 0 < width < math.inf:
            return None
        if way in SIGNIFICANT:
            top = max(abs(first), abs(last))
            least = math.floor(math.log10(top)) + 1 - math.floor(math.log10(width / LEAST_STEPS))
            return least if usual < least <= SCORE_DIGITS[-1] else None
        scale = 1 if way == "area" else 100
        least = -math.floor(math.log10(scale * width / LEAST_STEPS))
        return min(least, MOST_DIGITS) if least > usual else None

    def share(self, value: Any, digits: int = 1) -> str:
        """Write a share as a per cent; only none is 0%, and only all is 100%.

        >>> Numbers("%", " to ").share(0.0262), Numbers("%", " to ").share(0.99996)
        ('2.6%', '99.996%')
        """
        number = read(value)
        return _unless_finite(number) or _grown(100 * number, digits, 100) + self.percent

    def points(self, value: Any, digits: int = 1) -> str:
        """Write a difference of two shares, in percentage points."""
        number = read(value)
        return _unless_finite(number) or _grown(100 * number, digits, 100) + self.points_sign

    def interval(self, low: Any, high: Any, way: str = "area") -> str:
        """Write both ends of an interval, the unit once; nothing where an end is unknown.

        >>> Numbers("%", " to ").interval(0.269, 0.434, "share"), Numbers("%", " to ").interval(0.0049, 0.0051)
        ('26.9 to 43.4%', '0.0049 to 0.0051')
        """
        if low is None or high is None:
            return ""
        first, last = (self.written(end, way, self.digits(low, high, way)) for end in (low, high))
        unit = {"share": self.percent, "points": self.points_sign}.get(way, "")
        return f"{first.removesuffix(unit)}{self.between}{last}"

    def written(self, value: Any, way: str, digits: int | None = None) -> str:
        """Write a number in one of these ways, with its usual digits or so many."""
        return str(getattr(self, way)(value, *([] if digits is None else [digits])))

    def of_100(self, value: Any) -> str:
        """Write how many of 100."""
        number = read(value)
        return _unless_finite(number) or _grown(100 * number, 0, 100)

    def of(self, value: Any, base: int) -> str:
        """Write how many of so many rows, given how many for each row; see `base_of`.

        >>> Numbers("%", "~").of(0.0326, 1000), Numbers("%", "~").of(0.00412, 1000)
        ('33', '4.1')
        """
        number = base * read(value)
        return _unless_finite(number) or _grown(number, 0 if number >= 10 else 1, base).removesuffix(".0")

    def count(self, value: Any) -> str:
        """Write a count of rows, or a sum of weights."""
        number = read(value)
        return _unless_finite(number) or fixed(number, 0 if number == math.floor(number) else 1)

    def amount(self, value: Any, digits: int = 6) -> str:
        """Write any number to so many significant digits.

        >>> Numbers("%", "~").amount(0.1589294), Numbers("%", "~").amount(-1.5e-9)
        ('0.158929', '−1.5e−9')
        """
        number = read(value)
        return _unless_finite(number) or _significant(number, digits)

    def per_100(self, value: Any, digits: int | None = None) -> str:
        """Write a ratio, which may exceed 1, as how many there are for each 100.

        >>> Numbers("%", "~").per_100(1.004), Numbers("%", "~").per_100(0.0432)
        ('100', '4.3')
        """
        number = 100 * read(value)
        return _unless_finite(number) or fixed(number, (0 if number >= 10 else 1) if digits is None else digits)

    def cut(self, value: Any, beside: Iterable[Any] = ()) -> str:
        """Write a threshold for reading: four significant digits, more where a score beside it would read the same.

        >>> Numbers("%", "~").cut(0.158929, (0.158931, 0.1571))
        '0.158929'
        """
        return self.amount(value, score_digits(value, beside))

    def cost(self, value: Any, digits: int = 4) -> str:
        """Write a cost, a loss or a benefit: four significant digits."""
        return self.amount(value, digits)

    def short(self, value: Any, digits: int = 2) -> str:
        """Write a number whose size alone matters: two significant digits."""
        return self.amount(value, digits)

    def p_value(self, value: Any) -> str:
        """Write a p-value with its sign of relation.

        >>> Numbers("%", "~").p_value(0.0004), Numbers("%", "~").p_value(0.25)
        ('< 0.001', '0.250')
        """
        number = read(value)
        if 0 <= number < SMALLEST_P:
            return f"< {SMALLEST_P}"
        return _unless_finite(number) or fixed(number, 3)

    def relation(self, value: Any) -> str:
        """Write a p-value behind its sign of relation, also where that is equality.

        >>> Numbers("%", "~").relation(0.0004), Numbers("%", "~").relation(0.25)
        ('< 0.001', '= 0.250')
        """
        text = self.p_value(value)
        return text if text.startswith("<") or text == UNDEFINED else f"= {text}"

    def level(self, value: Any) -> str:
        """Write a confidence level: 95%, 99.9%."""
        return self.amount(100 * read(value), 4) + self.percent


def base_of(shares: Iterable[Any]) -> int:
    """Return of how many rows shares are told: of 100, or of as many more as make the smallest that is not 0 one row.

    >>> base_of([0.2, 0.013]), base_of([0.2, 0.0042, 0]), base_of([0.2, 1e-9])
    (100, 1000, 100000)
    """
    smallest = min((x for x in map(read, shares) if x > 0), default=1.0)
    return next((base for base in BASES if base * smallest >= 1), BASES[-1])


def score_digits(value: Any, beside: Iterable[Any]) -> int:
    """Return how many significant digits tell a score from those beside it."""
    shown, others = read(value), [read(other) for other in beside]
    for digits in SCORE_DIGITS:
        text = f"{shown:.{digits - 1}e}"
        if all(f"{other:.{digits - 1}e}" != text for other in others):
            return digits
    return SCORE_DIGITS.stop


def read(value: Any) -> float:
    """Return a number from what JSON holds: null is NaN, infinities are text."""
    if value is None:
        return math.nan
    return float(value)


def fixed(number: float, digits: int) -> str:
    """Write a finite number with so many decimals and with commas between thousands.

    >>> fixed(1234.125, 2), fixed(-0.04, 1), fixed(2.5, 0)
    ('1,234.13', '0.0', '3')
    """
    text = f"{Decimal(abs(number)).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP, EXACT):,f}"
    return f"−{text}" if number < 0 and text.strip("0.,") else text


def _grown(number: float, digits: int, whole: int) -> str:
    """Add decimals until what is not 0 and not all does not look so."""
    text = fixed(number, digits)
    while digits < MOST_DIGITS and number not in (0, whole) and float(_bare(text)) in (0, whole):
        digits += 1
        text = fixed(number, digits)
    return text


def _bare(text: str) -> str:
    return text.replace(",", "").replace("−", "-")


def _significant(number: float, digits: int) -> str:
    if number == 0:
        return "0"
    exact = Decimal(abs(number))
    step = exact.adjusted() - digits + 1
    rounded = exact.quantize(Decimal(1).scaleb(step), ROUND_HALF_UP, EXACT)
    power = rounded.adjusted()
    sign = "−" if number < 0 else ""
    if power in PLAIN:
        text = f"{rounded:,f}"
        return sign + (text.rstrip("0").rstrip(".") if "." in text else text)
    mantissa = f"{rounded.scaleb(-power, EXACT):f}".rstrip("0").rstrip(".")
    return f"{sign}{mantissa}e{'−' if power < 0 else ''}{abs(power)}"


def _unless_finite(number: float) -> str:
    """Write what is not a number, or nothing if it is one."""
    if math.isnan(number):
        return UNDEFINED
    if math.isinf(number):
        return "∞" if number > 0 else "−∞"
    return ""
