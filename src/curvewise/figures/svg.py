"""Turn matplotlib's SVG into one that can stand in a page: no style of its own, no size, no date.

Styles become attributes, so that a page whose policy forbids inline styles shows them; ids get a prefix, so
that two figures on a page do not meet; colours become variables, so that the page's theme decides.
"""

from __future__ import annotations

import re
from html import escape, unescape
from typing import TYPE_CHECKING

from curvewise.figures.style import COLOURS, GRID, INK, MUTED, NEGATIVE, POSITIVE

if TYPE_CHECKING:
    from collections.abc import Callable

FONTS = "system-ui, sans-serif"
VARIABLES = {INK: "ink", GRID: "grid", MUTED: "muted", POSITIVE: "positive", NEGATIVE: "negative"}
VARIABLES |= {colour: f"model-{k}" for k, colour in enumerate(COLOURS)}
# matplotlib's style sheet holds for all elements: inside a page it would hold for the page
SHEET = re.compile(r"<defs>\s*<style[^>]*>[^<]*</style>\s*</defs>\s*")
INHERITED = 'stroke-linejoin="round" stroke-linecap="butt"'
HEAD = re.compile(r"^.*?(?=<svg)|<metadata>.*?</metadata>\s*|<!--.*?-->\s*", re.DOTALL)
TAG = re.compile(r"<[^>]*>")
ATTRIBUTE = re.compile(r'\s([\w:-]+)="([^"]*)"')
REFERENCE = re.compile(r"url\(#([^)]*)\)")
FONT = re.compile(r"^(?P<before>.*?)(?P<size>[\d.]+px)\b.*$")


def variable(colour: str) -> str:
    """Return a colour of ours as the page's variable, itself behind it; any other as it is."""
    name = VARIABLES.get(colour)
    return colour if name is None else f"var(--{name}, {colour})"


def rewritten(svg: str, prefix: str, colour: Callable[[str], str], *, sized: bool = False, fonts: str = FONTS) -> str:
    """Return the SVG element alone, rewritten; ``sized`` keeps its width and height.

    Only tags are touched: text, which may come from data, stays as matplotlib escaped it.
    """
    svg = SHEET.sub("", HEAD.sub("", svg))
    made = TAG.sub(lambda tag: _tag(tag[0], prefix, colour, sized=sized), svg).strip() + "\n"
    return made if fonts == FONTS else made.replace(f'font-family="{FONTS}"', f'font-family="{escape(fonts)}"')


def _tag(tag: str, prefix: str, colour: Callable[[str], str], *, sized: bool) -> str:
    if tag.startswith("</"):
        return tag
    name = re.match(r"<[\w:]+", tag)
    if name is None:
        return ""
    root = name[0] == "<svg"
    parts = [name[0]]
    for key, value in ATTRIBUTE.findall(tag):
        if root and key in ("width", "height", "version") and not sized:
            continue
        if key == "style":
            parts += [f'{k}="{escape(v)}"' for k, v in _style(unescape(value), prefix, colour).items()]
        elif key == "id":
            parts.append(f'id="{prefix}-{value}"')
        elif key in ("xlink:href", "href") and value.startswith("#"):
            parts.append(f'{key}="#{prefix}-{value[1:]}"')
        else:
            parts.append(f'{key}="{_led(value, prefix)}"')
    if root:
        parts.append(INHERITED)
    return " ".join(parts) + ("/>" if tag.endswith("/>") else ">")


def _led(value: str, prefix: str) -> str:
    """Return a value that refers to ids as they are now."""
    return REFERENCE.sub(rf"url(#{prefix}-\1)", value)


def _style(text: str, prefix: str, colour: Callable[[str], str]) -> dict[str, str]:
    """Return declarations as attributes."""
    found: dict[str, str] = {}
    for part in filter(None, (p.strip() for p in text.split(";"))):
        key, value = (side.strip() for side in part.split(":", 1))
        if key == "font":  # older matplotlib writes all in one, which is no attribute
            found |= _font(value)
        elif key == "font-family":
            found[key] = FONTS
        elif key in ("fill", "stroke"):
            found[key] = _led(colour(value.lower()), prefix)
        else:
            found[key] = value
    return found


def _font(value: str) -> dict[str, str]:
    match = FONT.match(value)
    if match is None:
        return {"font-family": FONTS}
    words = match["before"].split()
    weight = [w for w in words if w.isdigit() or w == "bold"]
    slant = [w for w in words if w in ("italic", "oblique")]
    return {
        **({"font-weight": weight[0]} if weight else {}),
        **({"font-style": slant[0]} if slant else {}),
        "font-size": match["size"],
        "font-family": FONTS,
    }
