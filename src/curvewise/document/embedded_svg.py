"""Figures as parts of the page: the SVG of a drawing, with classes instead of style attributes.

The page's policy allows no style attribute, and a colour that is a CSS variable works in no presentation
attribute; so every distinct style becomes a class, and all classes together one hashed style element. Only
elements and attributes that a drawing needs pass, whatever the drawing holds. Lines are
written in few bytes: relative moves, to a hundredth of a unit, long ones to a tenth.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from curvewise.errors import CurvewiseError

if TYPE_CHECKING:
    from curvewise.figures.export import Drawing, Frame

ELEMENTS = frozenset(
    (
        *("svg", "g", "defs", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon"),
        *("text", "tspan", "use", "clipPath", "marker"),
    )
)
NUMBERS = ("points", "x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "rx", "ry", "width", "height")
ATTRIBUTES = frozenset(("id", "class", "transform", "viewBox", "clip-path", "clipPathUnits", "dy"))
PROPERTIES = frozenset(
    (
        *("fill", "fill-opacity", "fill-rule", "opacity", "paint-order", "text-anchor", "dominant-baseline"),
        *("stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-dashoffset"),
        *("stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "white-space"),
        *("font", "font-family", "font-size", "font-style", "font-weight", "font-variant", "font-stretch"),
    )
)
VALUE = re.compile(r"[-\w\s.,#%()'\"/]*")
LOCAL = re.compile(r"url\(#[\w-]+\)")
MODEL = re.compile(r"-model-(\d+)-")
NO_TURN = re.compile(r"rotate\(-?0(?: [-\d. ]+)?\)")
STRAIGHT = re.compile(r"\s*(?:[ML]\s*-?[\d.]+(?:e-?\d+)?[\s,]+-?[\d.]+(?:e-?\d+)?\s*)+[zZ]?\s*")
STEP = re.compile(r"([ML])\s*(-?[\d.]+(?:e-?\d+)?)[\s,]+(-?[\d.]+(?:e-?\d+)?)")
LONG = re.compile(r"-?\d*\.\d{3,}(?:e-?\d+)?")
MANY = 300  # points beyond which a tenth of a unit, a fraction of a pixel, is fine enough
COMMON = ".figure *{stroke-linejoin:round;stroke-linecap:butt}"  # what matplotlib says of all elements


@dataclass(frozen=True)
class Figure:
    """A figure ready for the page."""

    key: str
    id: str
    svg: str
    frames: list[dict[str, Any]]


@dataclass
class StyleSheet:
    """Styles seen so far, each under the name of its class."""

    classes: dict[str, str] = field(default_factory=dict)

    def name(self, style: str) -> str:
        """Return the class for a style."""
        return self.classes.setdefault(style, f"f{len(self.classes)}")

    def css(self) -> str:
        """Return all of them as a style sheet."""
        return "\n".join([COMMON, *(f".{name}{{{style}}}" for style, name in self.classes.items())])


def embedded(drawings: Mapping[str, Drawing]) -> tuple[dict[str, Figure], str]:
    """Return the figures by key, and the style sheet of all."""
    sheet = StyleSheet()
    figures = {key: _figure(key, drawing, sheet) for key, drawing in drawings.items()}
    return figures, sheet.css()


def _figure(key: str, drawing: Drawing, sheet: StyleSheet) -> Figure:
    if "<!DOCTYPE" in drawing.svg or "<!ENTITY" in drawing.svg:
        raise CurvewiseError(f"figure {key!r}: an SVG with a document type cannot be a part of a page.")
    try:
        root = ET.fromstring(drawing.svg)  # noqa: S314
    except ET.ParseError as error:
        raise CurvewiseError(f"figure {key!r}: not a well-formed SVG ({error}).") from None
    place = f"fig-{key.replace(':', '-').replace('_', '-')}"
    clean = _clean(root, sheet)
    if clean is None or clean.tag != "svg" or "viewBox" not in clean.attrib:
        raise CurvewiseError(f"figure {key!r}: expected an SVG with a viewBox.")
    _trim(clean, _referred_to(clean))
    body = ET.Element("g", {"id": f"{place}-body"})
    body.extend(list(clean))
    shell = ET.Element(
        "svg",
        {
            "class": "figure",
            "id": place,
            "viewBox": clean.attrib["viewBox"],
            "role": "img",
            "aria-labelledby": f"{place}-title",
        },
    )
    shell.append(body)
    return Figure(key, place, ET.tostring(shell, encoding="unicode"), [_frame(f) for f in drawing.frames])


def _clean(element: ET.Element, sheet: StyleSheet) -> ET.Element | None:
    tag = _local(element.tag)
    if tag not in ELEMENTS:
        return None
    kept = ET.Element(tag)
    styles: dict[str, str] = {}
    for name, value in element.attrib.items():
        _keep(kept, styles, _local(name), value)
    _set_class(kept, styles, sheet)
    if tag in ("text", "tspan"):
        kept.text = element.text
    for child in element:
        inner = _clean(child, sheet)
        if inner is not None:
            inner.tail = child.tail if tag in ("text", "tspan") else None
            kept.append(inner)
    return kept


def _keep(kept: ET.Element, styles: dict[str, str], name: str, value: str) -> None:
    if name == "style":
        for rule in value.split(";"):
            prop, _, said = rule.partition(":")
            _add_style(styles, prop.strip(), said.strip())
    elif name in PROPERTIES:
        _add_style(styles, name, value.strip())
    elif name == "href" and value.startswith("#"):
        kept.set("href", value)
    elif name == "clip-path" and not LOCAL.fullmatch(value):
        return
    elif name == "d":
        kept.set(name, short_path(value))
    elif name in NUMBERS:
        kept.set(name, short_numbers(value))
    elif name in ATTRIBUTES:
        kept.set(name, value)


def _add_style(styles: dict[str, str], prop: str, value: str) -> None:
    if prop in PROPERTIES and VALUE.fullmatch(value) and "url(" not in value:
        styles[prop] = value


def _set_class(kept: ET.Element, styles: dict[str, str], sheet: StyleSheet) -> None:
    names = [kept.get("class", "")]
    if styles:
        style = ";".join(f"{k}:{v}" for k, v in styles.items())
        names.append(sheet.name(style))
    whose = MODEL.search(kept.get("id", ""))  # what belongs to a model can be switched off with it
    names.append(f"model-{whose[1]}" if whose else "")
    if any(names):
        kept.set("class", " ".join(filter(None, dict.fromkeys(names))))


def _referred_to(root: ET.Element) -> set[str]:
    """Return the ids that something in the figure needs."""
    found = set()
    for element in root.iter():
        found.add(element.get("href", "").removeprefix("#"))
        found.add(element.get("clip-path", "").removeprefix("url(#").removesuffix(")"))
    return found


def _trim(element: ET.Element, needed: set[str]) -> None:
    """Leave out ids that nothing refers to, rotations by 0, and groups without attributes."""
    kept: list[ET.Element] = []
    for child in list(element):
        if child.get("id") not in needed and not MODEL.search(child.get("id", "")):
            child.attrib.pop("id", None)
        if NO_TURN.fullmatch(child.get("transform", "")):
            del child.attrib["transform"]
        _trim(child, needed)
        kept.extend([child] if child.tag != "g" or child.attrib else list(child))
    element[:] = kept


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def _frame(frame: Frame) -> dict[str, Any]:
    box = {k: round(float(getattr(frame, k)), 3) for k in ("left", "top", "width", "height")}
    limits = {k: [float(v) for v in getattr(frame, k)] for k in ("xlim", "ylim")}
    return {**box, **limits, "xscale": frame.xscale, "yscale": frame.yscale}


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
