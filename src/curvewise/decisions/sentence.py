"""A chosen threshold in one plain sentence."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from curvewise.core.confusion import Confusion


def sentence(what: str, c: Confusion, prevalence: float, *, stated: bool) -> str:
    """Say what is flagged, and what follows for 100 positives, 100 negatives and 100 alarms."""
    seen = f"of 100 positives {of_100(c.recall)} are found, of 100 negatives {of_100(c.fpr)} are flagged"
    whose = "a" if stated else "the sample's"
    where = f"at {whose} prevalence of {percent(prevalence)}"
    if math.isnan(c.precision):
        return f"{what}: {seen}; there are no alarms, {where}."
    return f"{what}: {seen}; of 100 alarms {of_100(c.precision)} are right {where}."


def flagged(threshold: str, place: int, blocks: int, higher_is: str) -> str:
    """Say which scores are flagged."""
    if place == 0:
        return "Flag nobody"
    side = "more" if higher_is == "positive" else "less"
    end = "lowest" if higher_is == "positive" else "highest"
    everybody = f", which is everybody ({threshold} is the {end} score)" if place == blocks else ""
    return f"Flag scores of {threshold} or {side}{everybody}"


def of_100(rate: float) -> str:
    """Write how many of 100; only none at all is 0, and only all is 100.

    >>> of_100(0.914), of_100(0.0), of_100(0.0031), of_100(0.9996)
    ('91', '0', '0.31', '99.96')
    """
    times = 100 * rate
    if rate in (0, 1):
        return f"{times:.0f}"
    if times < 1:
        return f"{times:.2g}"
    if times > 99:
        digits = 1 - math.floor(math.log10(100 - times))
        return f"{times:.{min(digits, 12)}f}".rstrip("0")
    return f"{times:.0f}"


def percent(share: float) -> str:
    """Write a share as a per cent, three digits."""
    return f"{100 * share:.3g} %"
