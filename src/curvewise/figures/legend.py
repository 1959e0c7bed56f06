"""One model or several on the same axes: colours, names, the legend, and the words of all figures."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from curvewise.errors import CurvewiseError
from curvewise.figures.style import COLOURS, DASHES, FAINT, canvas
from curvewise.results.text import shortened, width
from curvewise.rows.checks import one_of
from curvewise.words import LANGS, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from matplotlib.axes import Axes

    from curvewise.results.estimate import Estimate
    from curvewise.words import Lang

    Ax: TypeAlias = Axes | None
    Labels: TypeAlias = Mapping[str, str] | None

T = TypeVar("T")
Many: TypeAlias = T | Mapping[str, T]  # one result, or several by name of model
MOST = 1000  # points of a line: more do not show
NARROW = 24  # letters: two such texts fit side by side in a column


class Model(Generic[T]):
    """A result with the name, the place and the colour of its model."""

    def __init__(self, place: int, name: str | None, result: T) -> None:
        self.place, self.name, self.result = place, name, result
        self.colour = COLOURS[place % len(COLOURS)]

    def draw(self, ax: Axes, style: Mapping[str, Any], number: str = "", points: Any = None) -> Any:
        """Draw a line, that of the curve unless other points are given; return its x and y."""
        curve: Any = self.result
        x, y = curve.thin(MOST).axes() if points is None else points
        ax.plot(x, y, label=self.label(number), **self.line(style))
        return x, y

    def line(self, style: Mapping[str, Any]) -> dict[str, Any]:
        """Return how its line is drawn, after what the caller wants."""
        dash = DASHES[self.place // len(COLOURS) % len(DASHES)]
        return {"color": self.colour, "linestyle": dash, "zorder": 3, "gid": self.id("line"), **style}

    def area(self) -> dict[str, Any]:
        """Return how its band is drawn."""
        return {"color": self.colour, "alpha": FAINT, "linewidth": 0, "zorder": 2, "gid": self.id("band")}

    def marker(self) -> dict[str, Any]:
        """Return how its operating point is drawn."""
        return {"marker": "o", "markersize": 5, "color": self.colour, "zorder": 5, "gid": self.id("point")}

    def id(self, part: str) -> str:
        """Return the id of a part in an SVG."""
        return f"model-{self.place}-{part}"

    def of(self, given: Mapping[str, Any] | Any | None) -> Any:
        """Return what belongs to this model: from a dict by name, or the thing itself."""
        return given.get(str(self.name)) if isinstance(given, Mapping) else given

    def label(self, number: str = "") -> str | None:
        """Write name and number for the legend; None where there is neither."""
        return ": ".join(filter(None, ("" if self.name is None else shortened(self.name), number))) or None


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
    results: Many[T], ax: Ax, labels: Labels, lang: Lang, shape: float = 1.0, where: str = "lower right"
) -> Iterator[tuple[Axes, list[Model[T]], FigureWords]]:
    """Give the axes, models and words of a figure of curves; its legend is added when all is drawn."""
    several, say = models(results), FigureWords(lang, labels)
    with canvas(ax, shape=shape) as axes:
        yield axes, several, say
        legend(axes, where)


def models(results: Many[T]) -> list[Model[T]]:
    """Return the models of a dict by name, or the one without a name."""
    if not isinstance(results, Mapping):
        return [Model(0, None, results)]
    if not results:
        raise CurvewiseError("There is nothing to draw: the dict of results is empty.")
    places = results.places.values() if isinstance(results, SomeModels) else range(len(results))
    return [Model(k, str(name), r) for k, (name, r) in zip(places, results.items(), strict=True)]


def refuse_shared(results: Any, **given: Any) -> int:
    """Refuse one band, point … for several models, where it would be drawn for each; count the models."""
    several = len(results) if isinstance(results, Mapping) else 1
    for name, value in given.items():
        if several > 1 and value is not None and not isinstance(value, Mapping):
            raise CurvewiseError(f"{name}: there are {several} models; pass a dict by name of model.")
    return several


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


def legend(ax: Axes, where: str = "lower right") -> None:
    """Add the legend, at a corner or ``"above"`` the axes, models first, if there is anything to tell."""
    found = sorted(zip(*ax.get_legend_handles_labels(), strict=True), key=lambda pair: not _place(pair[0]))
    if not found:
        return
    handles, texts = map(list, zip(*found, strict=True))
    place: dict[str, Any] = {"loc": where}
    if where == "above":
        columns = 2 if max(map(width, texts)) <= NARROW else 1
        place = {"loc": "lower left", "bbox_to_anchor": (0, 1.01), "ncols": columns}
    made = ax.legend(handles, texts, **place)
    for text, shown, handle in zip(made.get_texts(), made.legend_handles, handles, strict=True):
        text.set_parse_math(False)
        model = _place(handle)
        text.set_gid(f"{model}label" if model else None)
        if shown is not None:  # a copy may not carry the id of the line itself
            shown.set_gid(f"{model}key" if model else None)


def _place(handle: Any) -> str:
    """Return what the ids of a model begin with, if the handle is its line."""
    gid = handle.get_gid() or ""
    return gid.removesuffix("line") if gid.startswith("model-") and gid.endswith("-line") else ""
