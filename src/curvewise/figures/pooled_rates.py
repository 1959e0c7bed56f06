"""Sensitivity and specificity over sites in ROC space: sites, summary point, regions, summary curve."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from curvewise.figures.legend import panel
from curvewise.figures.registry import draws
from curvewise.figures.roc import roc_axes
from curvewise.figures.style import DOTTED, MUTED, guide

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from curvewise.breakdown.pooled_rates import PooledRates
    from curvewise.figures.legend import Ax, Labels, Many
    from curvewise.words import Lang

LARGEST, SMALLEST = 9.0, 2.0  # of a site's circle, points


@draws("PooledRates")
def draw_pooled_rates(
    rates: Many[PooledRates], *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any
) -> Axes:
    """Draw each site, the summary point with its region (filled), a new site's region (dashed), the summary curve.

    The area of a site's circle is its number of rows. Options as in `draw_roc`.
    """
    with panel(rates, ax, labels, lang, corner="lower right") as (axes, found, say):
        roc_axes(axes, say)
        for model in found:
            pooled: PooledRates = model.result
            sizes = [s.positives + s.negatives for s in pooled.sites]
            for place, (site, size) in enumerate(zip(pooled.sites, sizes, strict=True)):
                if site.positives and site.negatives:
                    width = max(SMALLEST, LARGEST * math.sqrt(size / max(sizes)))
                    look: dict[str, Any] = {
                        "marker": "o",
                        "markersize": width,
                        "color": MUTED,
                        "fillstyle": "none",
                        "linewidth": 0.6,
                    }
                    at = ([site.fp / site.negatives], [site.tp / site.positives])
                    axes.plot(*at, **look, gid=model.id(f"site-{place}"))
            region = pooled.region().columns
            axes.fill(region["fpr"], region["tpr"], **model.area())
            ahead = pooled.region("prediction").columns
            dashed = guide((0, (3, 2)), color=model.colour, label=say["prediction"], gid=model.id("prediction"))
            axes.plot(ahead["fpr"], ahead["tpr"], **dashed)
            curve = pooled.curve().columns
            if math.isfinite(curve["tpr"][0]):
                axes.plot(curve["fpr"], curve["tpr"], **guide(DOTTED, color=model.colour, gid=model.id("curve")))
            point = ([1 - pooled.specificity.value], [pooled.sensitivity.value])
            axes.plot(*point, **{**model.marker(), **style, "label": say["pooled"]})
    return axes
