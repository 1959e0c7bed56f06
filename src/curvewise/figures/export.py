"""A finished figure as an SVG for a page, with the places of its axes, or as a file."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape, unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curvewise.errors import CurvewiseError, CurvewiseWarning, SourceError
from curvewise.figures.fonts import MISSING_LETTER
from curvewise.figures.style import COLOURS, GRID, INK, LOOKS, MUTED, NEGATIVE, POSITIVE, USUAL, matplotlib, own_style
from curvewise.results.writing import write_atomically
from curvewise.rows.checks import whole
from curvewise.rows.columns import shown

if TYPE_CHECKING:
    from os import PathLike

    from matplotlib.figure import Figure

FORMATS = ("svg", "pdf", "png")
DPI = 300
POINTS = 72  # an SVG of matplotlib counts in points
PREFIX = re.compile(r"[A-Za-z][\w-]*")


@dataclass(frozen=True)
class Frame:
    """Where axes lie in the drawing, and what they show.

    ``left``, ``top``, ``width``, ``height`` are in units of the SVG's viewBox, whose y runs downward. A value
    x lies at left + width · (s(x) - s(x₀))/(s(x₁) - s(x₀)) with xlim = (x₀, x₁), where s is the scale:
    ``"linear"`` (x itself), ``"log"``, ``"logit"`` (log(x/(1 - x)), the log odds) or ``"probit"`` (the normal
    deviate of x, as in a DET curve). A value beyond the limits of a logit axis, as 0 and 1 are, lies at its edge.
    """

    left: float
    top: float
    width: float
    height: float
    xlim: tuple[float, float]
    ylim: tuple[float, float]
    xscale: str
    yscale: str


@dataclass(frozen=True)
class Drawing:
    """An SVG element to be put into a page, and the frames of its axes in order."""

    svg: str
    frames: list[Frame]


def to_svg(fig: Figure, prefix: str = "figure") -> Drawing:
    """Return a figure as an SVG element for a page.

    All ids begin with ``prefix``, unlike for every figure on a page; what belongs to model k has an id that
    begins with ``<prefix>-model-k-``. The same figure gives the same bytes. Colours are variables of the page
    with the light theme's colour behind them, text is text, and sizes are the page's business.
    """
    if not PREFIX.fullmatch(prefix):
        raise CurvewiseError(f"prefix: expected a letter and then letters, digits, - or _, got {shown(prefix)}.")
    svg = _svg(fig, prefix, variable)
    # axes set into others come behind them
    return Drawing(svg, [_frame(found, fig) for ax in fig.axes for found in (ax, *ax.child_axes)])


def save(fig: Figure, path: str | PathLike[str], *, dpi: int = DPI) -> None:
    """Write a figure as ``.svg``, ``.pdf`` or ``.png``, whole or not at all; ``dpi`` are the dots per inch of a PNG.

    A file says nothing of when it was made: the same figure gives the same bytes.
    """
    write_atomically(Path(path), file_bytes(fig, Path(path), dpi=dpi), force=True)


def file_bytes(fig: Figure, path: Path, *, dpi: int = DPI) -> bytes:
    """Return a figure as the ending of a file's name says."""
    form = path.suffix.lower().removeprefix(".")
    if form not in FORMATS:
        raise CurvewiseError(
            f"{path.name}: a figure is written as .svg, .pdf or .png; the name ends in {path.suffix!r}."
        )
    if not path.parent.is_dir():
        raise SourceError(f"{path}: there is no folder {str(path.parent)!r}; make it first.")
    return _bytes(fig, form, whole("dpi", dpi, 30))


def _bytes(fig: Figure, form: str, dpi: int = DPI) -> bytes:
    if form == "svg":  # with plain colours and a size: drawing programs know no variables
        svg = _svg(fig, "figure", lambda colour: colour, sized=True)
        return b'<?xml version="1.0" encoding="UTF-8"?>\n' + svg.encode()
    target = io.BytesIO()
    with own_style(LOOKS.get(fig, USUAL)), _one_warning_of_missing_letters():
        matplotlib().rcParams["pdf.fonttype"] = 42  # fonts that journals accept
        metadata = {"CreationDate": None} if form == "pdf" else {}
        fig.savefig(target, format=form, dpi=dpi, facecolor="white", metadata=metadata)
    return target.getvalue()


def _svg(fig: Figure, prefix: str, colour: Callable[[str], str], *, sized: bool = False) -> str:
    target = io.StringIO()
    with own_style(LOOKS.get(fig, USUAL)):  # the reader's program draws the text, with fonts of its own
        matplotlib().rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "curvewise"})
        from matplotlib.backends.backend_svg import FigureCanvasSVG  # noqa: PLC0415 - slow to load

        # `savefig` draws twice, first for the layout, which this one drawing makes, too
        fig.set(facecolor="none", edgecolor="none")
        FigureCanvasSVG(fig).print_svg(target, metadata={"Date": None})  # type: ignore[no-untyped-call]
    font = LOOKS.get(fig, USUAL).font
    return rewritten(target.getvalue(), prefix, colour, sized=sized, fonts=f"'{font}', {FONTS}" if font else FONTS)


@contextmanager
def _one_warning_of_missing_letters() -> Iterator[None]:
    """Say once, and what to do, what matplotlib says for every letter."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    missing = [w for w in caught if re.match(MISSING_LETTER, str(w.message))]
    for other in caught:
        if other not in missing:
            warnings.warn_explicit(other.message, other.category, other.filename, other.lineno)
    if missing:
        text = (
            "No installed font has all letters of this figure, so some are drawn as boxes; install one (for Chinese "
            "the package fonts-noto-cjk or Noto Sans CJK SC). SVG and HTML use the reader's fonts and are unaffected."
        )
        warnings.warn(text, CurvewiseWarning, stacklevel=5)


def _frame(ax: Any, fig: Figure) -> Frame:
    scale, height = POINTS / fig.dpi, fig.get_figheight() * POINTS
    box = ax.get_window_extent()
    scales = ("probit" if name == "function" else name for name in (ax.get_xscale(), ax.get_yscale()))
    sides = (box.x0 * scale, height - box.y1 * scale, box.width * scale, box.height * scale)
    limits: Any = (tuple(map(float, limit)) for limit in (ax.get_xlim(), ax.get_ylim()))
    left, top, width, height = map(float, sides)
    return Frame(left, top, width, height, *limits, *scales)


# ---- Turn matplotlib's SVG into one that can stand in a page: no style of its own, no size, no date ----
# Styles become attributes, so that a page whose policy forbids inline styles shows them; ids get a prefix, so
# that two figures on a page do not meet; colours become variables, so that the page's theme decides.

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
