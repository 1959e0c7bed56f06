"""Curves of folds: one thin line each, their mean, and how far folds lie from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.figures.legend import FEW, models, number, panel
from curvewise.figures.pr import bent, pr_axes
from curvewise.figures.registry import draws
from curvewise.figures.roc import roc_axes
from curvewise.rows.checks import one_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from curvewise.breakdown.fold_curves import FoldCurves, Kind
    from curvewise.breakdown.fold_results import Folds
    from curvewise.figures.legend import Ax, FigureWords, Labels, Many, Model
    from curvewise.words import Lang

PALE: dict[str, Any] = {"linewidth": 0.6, "alpha": 0.45, "zorder": 2.2}
AREAS = {"roc": "auc", "pr": "average_precision"}


@draws("FoldCurves")
def draw_fold_curves(
    curves: Many[FoldCurves], *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any
) -> Axes:
    """Draw the mean curve of folds, and a band of one standard deviation over folds; options as in `draw_roc`.

    The folds themselves are thin lines where there is one model. All curves are ROC curves, or all PR curves.
    """
    found = models(curves)
    kind = found[0].result.kind
    one_of("kind", found[-1].result.kind, (kind,))
    with panel(curves, ax, labels, lang) as (axes, several, say):
        (roc_axes if kind == "roc" else pr_axes)(axes, say)
        for model in several:
            if len(several) == 1:
                _draw_each(axes, model)
            _draw_mean(axes, model, say, style)
    return axes


@draws("Folds")
def draw_folds(folds: Folds, *, kind: Kind = "roc", ax: Ax = None, **style: Any) -> Axes:
    """Draw the ROC curves of folds, or their PR curves; of several models the means. As `draw_fold_curves`."""
    if len(folds.models) == 1:
        return draw_fold_curves(folds.curve(kind), ax=ax, **style)
    return draw_fold_curves({name: folds.curve(kind, name) for name in folds.models}, ax=ax, **style)


def _draw_each(ax: Axes, model: Model[FoldCurves]) -> None:
    for place, curve in enumerate(model.result.curves.values()):
        found: Any = curve
        points = found.thin(FEW).axes() if model.result.kind == "roc" else bent(found, FEW)
        ax.plot(*points, color=model.colour, gid=model.id(f"fold-{place}"), **PALE)


def _draw_mean(ax: Axes, model: Model[FoldCurves], say: FigureWords, style: dict[str, Any]) -> None:
    found = model.result
    ax.fill_between(found.x, found.low, found.high, **model.area())
    area = {"area": say[AREAS[found.kind]], "value": number(found.area), "spread": number(found.area_spread)}
    x, y = found.x, found.mean
    if found.kind == "roc":  # the curve begins at nothing flagged, and rises there
        x, y = np.append(0.0, x), np.append(0.0, y)
    model.draw(ax, {"linewidth": 1.8, **style}, say["mean_of_folds"].format(**area), (x, y))
