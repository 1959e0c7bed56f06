"""The ROC and the PR curves of all models of an evaluation, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from curvewise.errors import CurvewiseError
from curvewise.figures.legend import LISTED
from curvewise.figures.pr import draw_pr
from curvewise.figures.roc import draw_roc
from curvewise.figures.style import WIDTHS, several_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from curvewise.curves.pr import PrCurve
    from curvewise.curves.roc import RocCurve
    from curvewise.figures.confusion import Point
    from curvewise.figures.legend import Labels
    from curvewise.inference.bands import Band
    from curvewise.results.estimate import Estimate
    from curvewise.words import Lang

LINE = 0.15  # inches of a line of the legends


def draw_evaluation(
    roc: Mapping[str, RocCurve],
    pr: Mapping[str, PrCurve],
    *,
    auc: Mapping[str, Estimate] | None = None,
    average_precision: Mapping[str, Estimate] | None = None,
    points: Mapping[str, Point] | None = None,
    roc_bands: Mapping[str, Band] | None = None,
    pr_bands: Mapping[str, Band] | None = None,
    ax: Sequence[Axes] | None = None,
    labels: Labels = None,
    lang: Lang = "en",
    **style: Any,
) -> tuple[Axes, Axes]:
    """Draw ROC and PR curves of the same models side by side.

    Parameters
    ----------
    roc, pr
        The curves by name of model.
    auc, average_precision
        The areas with their intervals, for the legends.
    points
        Operating points, marked in both.
    roc_bands, pr_bands
        Bands of `curvewise.roc_band` and `curvewise.pr_band`.
    ax
        A pair of axes, for the ROC and the PR curves; None makes a new figure.
    labels, lang, **style
        As in `draw_roc`.

    Returns
    -------
    tuple of matplotlib.axes.Axes
        The axes of the ROC curves and those of the PR curves.
    """
    left, right = _pair(ax, len(roc))
    said: dict[str, Any] = {"point": points, "labels": labels, "lang": lang, **style}
    draw_roc(roc, estimate=auc, band=roc_bands, ax=left, **said)
    draw_pr(pr, estimate=average_precision, band=pr_bands, ax=right, **said)
    return left, right


def _pair(ax: Sequence[Axes] | None, models: int) -> tuple[Axes, Axes]:
    if ax is None:
        across = WIDTHS["column"]
        ax = several_axes(2, inches=(2 * across, 0.92 * across + LINE * (min(models, LISTED + 1) + 1)))
    try:
        left, right = ax
    except (TypeError, ValueError):
        raise CurvewiseError("ax: expected a pair of axes, for the ROC and the PR curves.") from None
    return left, right
