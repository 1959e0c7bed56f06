"""Figures as parts of the page: the SVG of a drawing, with classes instead of style attributes.

The page's policy allows no style attribute, and a colour that is a CSS variable works in no presentation
attribute; so every distinct style becomes a class, and all classes together one hashed style element. Only
elements and attributes that a drawing needs pass, whatever the drawing holds.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from curvewise.errors import CurvewiseError
from curvewise.report.paths import short_numbers, short_path

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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
COMMON = ".figure *{stroke-linejoin:round;stroke-linecap:butt}"  # what matplotlib says of all elements


class FrameLike(Protocol):
    """Where the axes of a drawing are, in units of its view box."""

    left: float
    top: float
    width: float
    height: float
    xlim: Any
    ylim: Any
    xscale: str
    yscale: str


class DrawingLike(Protocol):
    """A drawing of `curvewise.figures`."""

    @property
    def svg(self) -> str:
        """The figure."""

    @property
    def frames(self) -> Sequence[Any]:
        """Its axes."""


@dataclass(frozen=True)
class Figure:
    """A figure ready for the page."""

    key: str
    id: str
    svg: str
    frames: list[dict[str, Any]]


@dataclass
class Wardrobe:
    """Styles seen so far, each under the name of its class."""

    classes: dict[str, str] = field(default_factory=dict)

    def name(self, style: str) -> str:
        """Return the class for a style."""
        return self.classes.setdefault(style, f"f{len(self.classes)}")

    def css(self) -> str:
        """Return all of them as a style sheet."""
        return "\n".join([COMMON, *(f".{name}{{{style}}}" for style, name in self.classes.items())])


def prepared(drawings: Mapping[str, DrawingLike]) -> tuple[dict[str, Figure], str]:
    """Return the figures by key, and the style sheet of all."""
    wardrobe = Wardrobe()
    figures = {key: _figure(key, drawing, wardrobe) for key, drawing in drawings.items()}
    return figures, wardrobe.css()


def _figure(key: str, drawing: DrawingLike, wardrobe: Wardrobe) -> Figure:
    if "<!DOCTYPE" in drawing.svg or "<!ENTITY" in drawing.svg:
        raise CurvewiseError(f"figure {key!r}: an SVG with a document type cannot be a part of a page.")
    try:
        root = ET.fromstring(drawing.svg)  # noqa: S314
    except ET.ParseError as error:
        raise CurvewiseError(f"figure {key!r}: not a well-formed SVG ({error}).") from None
    place = f"fig-{key.replace(':', '-').replace('_', '-')}"
    clean = _clean(root, wardrobe)
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


def _clean(element: ET.Element, wardrobe: Wardrobe) -> ET.Element | None:
    tag = _local(element.tag)
    if tag not in ELEMENTS:
        return None
    kept = ET.Element(tag)
    styles: dict[str, str] = {}
    for name, value in element.attrib.items():
        _keep(kept, styles, _local(name), value)
    _dress(kept, styles, wardrobe)
    if tag in ("text", "tspan"):
        kept.text = element.text
    for child in element:
        inner = _clean(child, wardrobe)
        if inner is not None:
            inner.tail = child.tail if tag in ("text", "tspan") else None
            kept.append(inner)
    return kept


def _keep(kept: ET.Element, styles: dict[str, str], name: str, value: str) -> None:
    if name == "style":
        for rule in value.split(";"):
            prop, _, said = rule.partition(":")
            _wear(styles, prop.strip(), said.strip())
    elif name in PROPERTIES:
        _wear(styles, name, value.strip())
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


def _wear(styles: dict[str, str], prop: str, value: str) -> None:
    if prop in PROPERTIES and VALUE.fullmatch(value) and "url(" not in value:
        styles[prop] = value


def _dress(kept: ET.Element, styles: dict[str, str], wardrobe: Wardrobe) -> None:
    names = [kept.get("class", "")]
    if styles:
        style = ";".join(f"{k}:{v}" for k, v in styles.items())
        names.append(wardrobe.name(style))
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
    """Leave out ids that nobody asks for, turns by nothing, and groups that then say nothing."""
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


def _frame(frame: FrameLike) -> dict[str, Any]:
    box = {k: round(float(getattr(frame, k)), 3) for k in ("left", "top", "width", "height")}
    limits = {k: [float(v) for v in getattr(frame, k)] for k in ("xlim", "ylim")}
    return {**box, **limits, "xscale": frame.xscale, "yscale": frame.yscale}
