"""The one method of every result that has a figure."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class Plotted:
    """A result that can draw itself."""

    def plot(self, ax: Any = None, **style: Any) -> Any:
        """Draw the result; see `curvewise.display` for everything a figure can show beside it.

        Parameters
        ----------
        ax
            The matplotlib axes to draw on; None makes a figure of the width of a journal's column.
        **style
            Options of the drawing function of this result; what it does not know goes to matplotlib's line.

        Returns
        -------
        matplotlib.axes.Axes
        """
        # by name: drawing lies above the results, and no result may depend on it
        return import_module("curvewise.display").draw(self, ax=ax, **style)
