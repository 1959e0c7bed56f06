"""Concordance and Kaplan–Meier in fractions, pair by pair and row by row, written as the definitions read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction


@dataclass(frozen=True)
class Row:
    time: Fraction
    code: int  # 0 censored, 1 the event, 2 another event
    risk: Fraction
    weight: Fraction = Fraction(1)
    entry: Fraction | None = None


def rows_of(time, code, risk, weight=None, entry=None):
    """Return rows of plain numbers."""
    count = len(time)
    weight = [1] * count if weight is None else weight
    entry = [None] * count if entry is None else entry
    return [
        Row(Fraction(t), int(d), Fraction(r), Fraction(w), None if e is None else Fraction(e))
        for t, d, r, w, e in zip(time, code, risk, weight, entry, strict=True)
    ]


def uncensored_before(rows, t):
    """Return G(t-): at a censoring time c, those with an event at c are gone."""
    found = Fraction(1)
    for c in sorted({row.time for row in rows if row.code == 0 and row.time < t}):
        at_risk = sum(row.weight for row in rows if row.time > c or (row.time == c and row.code == 0))
        gone = sum(row.weight for row in rows if row.time == c and row.code == 0)
        found *= 1 - gone / at_risk
    return found


def event_free_at(rows, t):
    """Return S(t), where any event counts."""
    found = Fraction(1)
    for c in sorted({row.time for row in rows if row.code and row.time <= t}):
        at_risk = sum(row.weight for row in rows if row.time >= c)
        found *= 1 - sum(row.weight for row in rows if row.time == c and row.code) / at_risk
    return found


def incidence_at(rows, t):
    """Return the Aalen–Johansen estimate of code 1 by t."""
    found, before = Fraction(0), Fraction(1)
    for c in sorted({row.time for row in rows if row.code and row.time <= t}):
        at_risk = sum(row.weight for row in rows if row.time >= c)
        found += before * sum(row.weight for row in rows if row.time == c and row.code == 1) / at_risk
        before = event_free_at(rows, c)
    return found


def comparable(first, second):
    """Say whether the first row had its event while the second was under observation."""
    later = first.time < second.time or (first.time == second.time and second.code == 0)
    return first.code == 1 and later and (second.entry is None or second.entry < first.time)


def pairs(rows, uno=False, until=None):
    """Return the weight of concordant, tied and comparable pairs."""
    concordant = tied = total = Fraction(0)
    for first in rows:
        if until is not None and first.time > until:
            continue
        scale = 1 / uncensored_before(rows, first.time) ** 2 if uno and first.code == 1 else 1
        for second in rows:
            if comparable(first, second):
                weight = first.weight * second.weight * scale
                total += weight
                concordant += weight * (first.risk > second.risk)
                tied += weight * (first.risk == second.risk)
    return concordant, tied, total


def concordance(rows, uno=False, until=None):
    """Return C, or None where no pair is comparable."""
    concordant, tied, total = pairs(rows, uno, until)
    return (concordant + tied / 2) / total if total else None


def derivative(function, rows, k, step=Fraction(1, 10**6)):
    """Return the derivative of a number of rows by the weight of row k: exact arithmetic, error of order step²."""
    ends = []
    for sign in (1, -1):
        moved = [replace(row, weight=row.weight + sign * step) if j == k else row for j, row in enumerate(rows)]
        ends.append(function(moved))
    return (ends[0] - ends[1]) / (2 * step)
