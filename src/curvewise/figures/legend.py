"""One model or several on the same axes: colours, names, the legend, and the words of all figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from curvewise.errors import CurvewiseError
from curvewise.figures.legend_box import OTHERS, add_legend
from curvewise.figures.style import (
    COLOURS,
    DASHES,
    FAINT,
    INK,
    MARKERS,
    MUTED,
    USUAL,
    Look,
    canvas,
    line_style,
    look_of,
)
from curvewise.results.text import shortened
from curvewise.rows.checks import one_of
from curvewise.words import LANGS, Lang, words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from curvewise.results.estimate import Estimate

    Ax: TypeAlias = Axes | None
    Labels: TypeAlias = Mapping[str, str] | None

T = TypeVar("T")
Many: TypeAlias = T | Mapping[str, T]  # one result, or several by name of model
MOST, CROWDED, FEW = 1000, 300, 40  # points of a line, of one among many, and of a pale one: more do not show
LISTED = len(COLOURS)  # models that a legend names; the lines of further ones are pale
LONGEST = 26  # letters of a name in a legend
PALE: dict[str, Any] = {"color": MUTED, "linewidth": 0.6, "alpha": 0.35, "linestyle": "-", "zorder": 1.5}


class Model(Generic[T]):
    """A result with the name and the place of its model, which decide colour, dashes and marker."""

    def __init__(self, place: int, name: str | None, result: T, look: Look = USUAL, *, crowded: bool = False) -> None:
        self.place, self.name, self.result = place, name, result
        self.is_listed = place < LISTED or not crowded
        own = look.colours[place] if place < LISTED else INK
        self.colour = own if self.is_listed else MUTED
        self.most = (CROWDED if crowded else MOST) if self.is_listed else FEW
        self.number = ""

    def draw(self, ax: Axes, style: Mapping[str, Any], number: str = "", points: Any = None) -> Any:
        """Draw a line, that of the curve unless other points are given; return its x and y."""
        curve: Any = self.result
        x, y = curve.thin(self.most).axes() if points is None else points
        self.number = number
        ax.plot(x, y, **{"label": self.label(), **self.line(style)})
        return x, y

    def line(self, style: Mapping[str, Any]) -> dict[str, Any]:
        """Return how its line is drawn, after what the caller wants."""
        look: dict[str, Any] = {"color": self.colour, "linestyle": DASHES[self.place % LISTED], "zorder": 3}
        return {**(look if self.is_listed else PALE), "gid": self.id("line"), **line_style(style)}

    def area(self) -> dict[str, Any]:
        """Return how its band is drawn."""
        return {"color": self.colour, "alpha": FAINT, "linewidth": 0, "zorder": 2, "gid": self.id("band")}

    def marker(self) -> dict[str, Any]:
        """Return how its operating point is drawn."""
        look = {"color": self.colour, "zorder": 5, "gid": self.id("point")}
        if not self.is_listed:
            return {"marker": "o", "markersize": 2, **look, "alpha": PALE["alpha"], "zorder": 2}
        return {"marker": MARKERS[self.place % LISTED], "markersize": 5, **look}

    def id(self, part: str) -> str:
        """Return the id of a part in an SVG."""
        return f"model-{self.place}-{part}"

    def of(self, given: Mapping[str, Any] | Any | None) -> Any:
        """Return what belongs to this model: from a dict by name, or the thing itself."""
        return given.get(str(self.name)) if isinstance(given, Mapping) else given

    def label(self, longest: int = LONGEST) -> str | None:
        """Write name and number for the legend; None where there is neither, or no place."""
        name = "" if self.name is None else shortened(self.name, longest)
        return (": ".join(filter(None, (name, self.number))) or None) if self.is_listed else None


class SomeModels(dict[str, T]):
    """Results of some of several models: each keeps the place, so the colour, that it has among all."""

    def __init__(self, results: Mapping[str, T], among: Sequence[str]) -> None:
        super().__init__(results)
        self.places = {name: among.index(name) for name in results}


def figure_words(lang: Lang = "en") -> dict[str, str]:
    """Return the words of all figures by key, in a language: what ``labels=`` can replace."""
    one_of("lang", lang, LANGS)
    return words(lang).under("figure.word.")


class FigureWords(dict[str, str]):
    """The words of all figures by key, in a language, with those of the caller in their place."""

    def __init__(self, lang: Lang, labels: Labels) -> None:
        self.lang = lang
        super().__init__({**figure_words(lang), **(labels or {})})

    def metric(self, name: str) -> str:
        """Return the name of a metric or of an axis; a name without a word is shown as it is."""
        found = self.get(name) or words(self.lang).known("metric", name)
        return found if found != name else name.replace("_", " ")


@contextmanager
def panel(
    results: Many[T], ax: Ax, labels: Labels, lang: Lang, shape: float = 0.95, corner: str | None = None
) -> Iterator[tuple[Axes, list[Model[T]], FigureWords]]:
    """Give the axes, models and words of a figure of curves; its legend is added when all is drawn.

    The legend stands above the axes, or in a ``corner`` of them where there is one model without a name.
    """
    say = FigureWords(lang, labels)
    with canvas(ax, shape=shape) as axes:
        several = models(results, look_of(axes), _lines_of_models(axes))
        yield axes, several, say
        if others := sum(not m.is_listed for m in several):
            axes.plot([], [], label=say["others"].format(n=others), gid=OTHERS, **PALE)
        add_legend(axes, several, corner if several[0].name is None else None)


def _lines_of_models(ax: Axes) -> int:
    """Count the models that axes show already, so that the next one looks different."""
    gids = [str(line.get_gid()) for line in ax.get_lines()]
    return sum(gid.startswith("model-") and gid.endswith("-line") for gid in gids)


def models(results: Many[T], look: Look = USUAL, before: int = 0) -> list[Model[T]]:
    """Return the models of a dict by name, or the one without a name, which comes after those ``before``."""
    if not isinstance(results, Mapping):
        return [Model(before, None, results, look)]
    if not results:
        raise CurvewiseError("There is nothing to draw: the dict of results is empty.")
    places = results.places.values() if isinstance(results, SomeModels) else range(before, before + len(results))
    crowded = len(results) > LISTED
    found = zip(places, results.items(), strict=True)
    return [Model(k, str(name), r, look, crowded=crowded) for k, (name, r) in found]


def refuse_shared(results: Any, **given: Any) -> None:
    """Refuse one band, point … for several models, where it would be drawn for each."""
    several = len(results) if isinstance(results, Mapping) else 1
    for name, value in given.items():
        if several > 1 and value is not None and not isinstance(value, Mapping):
            raise CurvewiseError(f"{name}: there are {several} models; pass a dict by name of model.")


def written(value: float | Estimate) -> str:
    """Write a number, and its interval where it has one, in any language."""
    if isinstance(value, (int, float)):
        return number(value)
    return f"{number(value.value)} [{number(value.low)}, {number(value.high)}]"


def number(value: float, decimals: int = 3) -> str:
    """Write a number with a real minus sign.

    >>> number(-0.0123)
    '−0.012'
    """
    return f"{value:.{decimals}f}".replace("-", "−")
