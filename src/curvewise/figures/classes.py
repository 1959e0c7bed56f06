"""The figure of many classes: the ROC curve of each against the rest, with their mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curvewise.figures.confusion import draw_confusion_matrix
from curvewise.figures.roc import draw_roc

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from curvewise.many_classes.multiclass import Multiclass
    from curvewise.many_classes.multilabel import Multilabel


def draw_classes(rows: Multiclass | Multilabel, *, ax: Axes | None = None, **style: Any) -> Axes:
    """Draw the ROC curve of each class or label with their mean; without scores, the confusion matrix.

    Options as in `draw_roc`.
    """
    if rows.ready is None:
        return draw_confusion_matrix(rows.matrix, ax=ax, **style)  # type: ignore[union-attr]
    return draw_roc(rows.roc_curves(), ax=ax, **style)
