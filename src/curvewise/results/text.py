"""Names from data are only ever text: never control sequences, markup, formulas."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

FORMULA = ("=", "+", "-", "@", "\t", "\r")
MARKUP = re.compile(r"([\\`*\[\]|~$@#]|:(?=//)|(?<=www)\.|(?<![^\W_])_|_(?![^\W_]))", re.IGNORECASE)


def visible(text: str) -> str:
    r"""Write control, bidirectional and other unprintable characters as escapes.

    >>> visible("a\x1b[31m")
    'a\\x1b[31m'
    """
    text = text.replace("\u00a0", " ")  # a space that does not break is no secret
    if text.isprintable():
        return text
    # a space that does not break a line, as between a number and its unit, is still a space
    return "".join(c if c.isprintable() or c == "\u00a0" else c.encode("unicode_escape").decode() for c in text)


def markdown(text: str) -> str:
    """Escape what Markdown or HTML would read as markup; a table cell stays one cell."""
    plain = visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return MARKUP.sub(r"\\\1", plain)


def spreadsheet(text: str) -> str:
    """Keep a spreadsheet from running text that begins like a formula."""
    return "'" + visible(text) if text.startswith(FORMULA) else visible(text)


def piped(head: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool]) -> str:
    """Write a table in Markdown."""
    rule = ["---:" if r else "---" for r in right]
    lines = [list(map(markdown, head)), rule, *(list(map(markdown, row)) for row in rows)]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def width(text: str) -> int:
    """Return how many narrow characters are as wide as a text: Chinese ones count twice.

    >>> width("北京 a")
    6
    """
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def shortened(name: object, most: int = 26) -> str:
    """Write a name so that it fits: what is too long loses its middle, not its end.

    >>> shortened("gradient boosting, trained in spring")
    'gradient boo…ed in spring'
    """
    text = str(name)
    if len(text) > 4 * most:  # what is lost need not be looked at
        text = text[: 2 * most] + text[-2 * most :]
    text = visible(text)
    if width(text) <= most:
        return text
    half = (most - 1) / 2
    return _beginning(text, half) + "…" + _beginning(text[::-1], half)[::-1]


def _beginning(text: str, most: float) -> str:
    """Return the beginning of a text that is at most so wide."""
    taken = 0
    for place, c in enumerate(text):
        taken += width(c)
        if taken > most:
            return text[:place]
    return text
