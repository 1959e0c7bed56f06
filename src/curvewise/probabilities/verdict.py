"""One answer to "are the probabilities right?", for the summary, the caveats, the section and the terminal alike."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from curvewise.errors import Note, note

if TYPE_CHECKING:
    from curvewise.probabilities.goodness_tests import GoodnessTest
    from curvewise.results.estimate import Estimate

LOOSE = (0.8, 1.25)  # an interval of O/E or of the slope that reaches beyond says little


def signs(ratio: Estimate, slope: Estimate, joint: GoodnessTest) -> tuple[Note, ...]:
    """Say in what way the probabilities are wrong: in level, in slope, or as the joint test alone sees.

    Each is judged at the level of the intervals, so of right probabilities about one sample in ten shows a
    sign at 0.95.
    """
    found = [
        _side(ratio, "sign_too_many", "sign_too_few"),
        _side(slope, "sign_extreme", "sign_moderate"),
    ]
    some = tuple(sign for sign in found if sign is not None)
    if not some and joint.p_value < 1 - ratio.level:
        return (note("sign_curved", p=joint.p_value),)
    return some


def verdict_of(found: tuple[Note, ...], ratio: Estimate, slope: Estimate, joint: GoodnessTest) -> Note:
    """Return the verdict; without a sign it says how much these rows could have shown."""
    if found:
        return note("probabilities_off", signs=together(found))
    if not (ratio.has_interval or slope.has_interval or joint.reason is None):
        return note("probabilities_untested")
    if not (ratio.has_interval and slope.has_interval):
        return note("no_sign_hardly_tested")
    wide = [name for name, e in (("level", ratio), ("slope", slope)) if e.low < LOOSE[0] or e.high > LOOSE[1]]
    ends = {"ratio_low": ratio.low, "ratio_high": ratio.high, "slope_low": slope.low, "slope_high": slope.high}
    if not wide:
        return note("no_sign", ratio=ratio.value, **ends, level=ratio.level)
    what = note(f"little_known_{wide[0] if len(wide) == 1 else 'both'}")
    return note("no_sign_little_known", ratio=ratio.value, **ends, level=ratio.level, what=what)


def together(found: tuple[Note, ...]) -> Note:
    """Return several notes as one."""
    return reduce(lambda first, then: note("first_and_then", first=first, then=then), found)


def _side(found: Estimate, below: str, above: str) -> Note | None:
    """Say on which side of 1 a measure lies with its whole interval."""
    code = below if found.high < 1 else above if found.low > 1 else None
    return None if code is None else note(code, value=found.value, low=found.low, high=found.high, level=found.level)
