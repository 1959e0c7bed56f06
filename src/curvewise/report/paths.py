"""Lines in few bytes: the same path with relative moves, to a hundredth of a unit, long ones to a tenth."""

from __future__ import annotations

import re

STRAIGHT = re.compile(r"\s*(?:[ML]\s*-?[\d.]+(?:e-?\d+)?[\s,]+-?[\d.]+(?:e-?\d+)?\s*)+[zZ]?\s*")
STEP = re.compile(r"([ML])\s*(-?[\d.]+(?:e-?\d+)?)[\s,]+(-?[\d.]+(?:e-?\d+)?)")
LONG = re.compile(r"-?\d*\.\d{3,}(?:e-?\d+)?")
MANY = 300  # points beyond which a tenth of a unit, a fraction of a pixel, is fine enough


def short_path(text: str) -> str:
    """Return path data that draws the same line; what has curves keeps its form, with fewer digits.

    >>> short_path("M 1.004 2 L 3.5 2 L 3.5 1.25 L 4 1 L 4.001 1 z")
    'M1 2h2.5v-.75l.5-.25z'
    """
    if not STRAIGHT.fullmatch(text):
        return short_numbers(text)
    steps = STEP.findall(text)
    digits = 1 if len(steps) > MANY else 2
    parts: list[str] = []
    x = y = 0
    for letter, right, down in steps:  # whole numbers of the smallest step: errors do not add up
        to_x, to_y = (round(float(place) * 10**digits) for place in (right, down))
        if letter == "M":
            parts.append(f"M{_pair(to_x, to_y, digits)}")
        else:
            parts.append(_move(to_x - x, to_y - y, digits))
        x, y = to_x, to_y
    end = "z" if text.rstrip().endswith(("z", "Z")) else ""
    return "".join(parts) + end


def short_numbers(text: str) -> str:
    """Return text whose numbers have at most two decimals."""
    return LONG.sub(lambda m: f"{float(m[0]):.2f}".rstrip("0").rstrip("."), " ".join(text.split()))


def _move(right: int, down: int, digits: int) -> str:
    """Write a line from here; one that goes nowhere is not written."""
    if not down:
        return f"h{_number(right, digits)}" if right else ""
    return f"l{_pair(right, down, digits)}" if right else f"v{_number(down, digits)}"


def _pair(first: int, second: int, digits: int) -> str:
    return f"{_number(first, digits)}{'' if second < 0 else ' '}{_number(second, digits)}"


def _number(steps: int, digits: int) -> str:
    text = f"{steps / 10**digits:.{digits}f}".rstrip("0").rstrip(".")
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text
