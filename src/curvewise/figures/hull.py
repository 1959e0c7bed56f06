"""A hull by itself: of one model's ROC curve, or of several models together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curvewise.figures.look import canvas
from curvewise.figures.models import key, models, written
from curvewise.figures.roc import roc_axes
from curvewise.figures.words import words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    from curvewise.curves.hull import RocHull
    from curvewise.curves.joint_hull import JointHull


def draw_hull(
    hulls: RocHull | JointHull | Mapping[str, RocHull | JointHull],
    *,
    ax: Axes | None = None,
    labels: Mapping[str, str] | None = None,
    **style: Any,
) -> Axes:
    """Draw ROC hulls with their vertices; options as in `draw_roc`."""
    several, say = models(hulls), words(labels)
    with canvas(ax) as axes:
        roc_axes(axes, say)
        for model in several:
            hull: Any = model.result
            kind = say["joint_hull" if hasattr(hull, "models") else "hull"]
            line = {"marker": "o", "markersize": 3, **model.line(style)}
            axes.plot(
                hull.fpr, hull.tpr, label=model.label(f"{kind}: {say['auc']} {written(hull.auc)}"), **line
            )
        key(axes)
    return axes
