"""Which function draws which result: each says so where it is defined."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from curvewise.errors import CurvewiseError, OptionError
from curvewise.rows.columns import shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# by the name of the class, so that drawing one result does not load all the others
Drawer = TypeVar("Drawer", bound=Callable[..., Any])
_FIGURES: dict[str, Callable[..., Axes]] = {}


def draws(*kinds: str) -> Callable[[Drawer], Drawer]:
    """Register a function as the one that draws results of these classes, and of those below them."""

    def register(drawer: Drawer) -> Drawer:
        _FIGURES.update(dict.fromkeys(kinds, drawer))
        return drawer

    return register


def registered() -> dict[str, Callable[..., Axes]]:
    """Return the function that draws each class of results, by the name of the class."""
    from curvewise import figures  # noqa: PLC0415 - a module of figures registers what it draws when it is loaded

    for name in dir(figures):
        getattr(figures, name)
    return dict(_FIGURES)


def draw(result: Any, *, ax: Axes | None = None, **style: Any) -> Axes:
    """Draw a result by the function for its class; this is what ``result.plot()`` does."""
    from curvewise.figures.style import refusals  # noqa: PLC0415 - needs matplotlib

    drawers = registered()
    drawer = next((drawers[kind.__name__] for kind in type(result).__mro__ if kind.__name__ in drawers), None)
    if drawer is None:
        of = f"{type(result).__name__}; there are figures of {', '.join(sorted(drawers))}"
        raise CurvewiseError(f"There is no figure of {of}.")
    if ax is not None and not hasattr(ax, "get_figure"):
        raise OptionError.of("ax", f"expected axes of matplotlib, got {shown(ax)}.")
    with refusals(drawer, style):
        return drawer(result, ax=ax, **style)
