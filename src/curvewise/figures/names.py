"""Names from data in figures: literally, all characters visible, not too long."""

from __future__ import annotations

from curvewise.results.text import visible, width


def literal(name: object, most: int = 26) -> str:
    """Write a name so that it fits: what is too long loses its middle, not its end.

    >>> literal("gradient boosting, trained in spring")
    'gradient boo…ed in spring'
    """
    text = visible(str(name))
    if width(text) <= most:
        return text
    half = (most - 1) / 2
    return _fitting(text, half) + "…" + _fitting(text[::-1], half)[::-1]


def _fitting(text: str, most: float) -> str:
    """Return the beginning of a text that is at most so wide."""
    taken = 0
    for place, c in enumerate(text):
        taken += width(c)
        if taken > most:
            return text[:place]
    return text
