"""The scores of each class, and every rate against the threshold."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from curvewise.core.sweep import Sweep
from curvewise.curves.base import kept_points
from curvewise.curves.histogram import ScoreHistogram, log_odds_limits, score_histogram
from curvewise.curves.threshold_rates import ThresholdRates, threshold_rates
from curvewise.errors import OptionError
from curvewise.figures.legend import FigureWords
from curvewise.figures.legend_box import add_legend
from curvewise.figures.registry import draws
from curvewise.figures.scales import at_edges, log_odds_axis
from curvewise.figures.style import DASHES, INK, MUTED, bar_style, canvas, guide, line_style, look_of, small
from curvewise.results.numbers import show
from curvewise.rows.checks import one_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from curvewise.decisions.referral import Referral
    from curvewise.figures.legend import Ax, Labels
    from curvewise.words import Lang

Scale = Literal["linear", "logit"]
SCALES = ("linear", "logit")
HUGE, HUGE_UNIT = 1e300, 1e16
MOST = 400  # points of a line: there are four


@draws("Sweep", "ScoreHistogram")
def draw_distribution(
    scores: ScoreHistogram | Sweep,
    *,
    threshold: float | None = None,
    xscale: Scale = "linear",
    ax: Ax = None,
    labels: Labels = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw how the scores of each class are spread, as shares of the class: positives up, negatives down.

    Of a `Sweep` scores are counted in 40 bins; a vertical line goes to ``threshold``. With ``xscale="logit"``
    probabilities are shown by their log odds, with room for those near 0 and 1, which themselves are at the
    edges. Other options as in `draw_roc`, ``style`` of the bars.
    """
    one_of("xscale", xscale, SCALES)
    say = FigureWords(lang, labels)
    found = score_histogram(scores, scale=xscale) if isinstance(scores, Sweep) else scores
    unit = _unit(found.edges)
    edges = found.edges / unit
    threshold = None if threshold is None else threshold / unit
    low, high = float(edges[0]), float(edges[-1])
    with canvas(ax, shape=0.8) as axes:
        look = look_of(axes)
        # texts where the threshold is not
        at, side = (1, "right") if threshold is not None and _is_left(threshold, edges) else (0, "left")
        corner: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points", "size": small(axes)}
        # one class is filled, the other is an outline, so that they differ without colour too
        filled: dict[str, Any] = {"fill": True, "alpha": 0.75, "linewidth": 0}
        sides: tuple[tuple[str, int, str, dict[str, Any], str], ...] = (
            ("positives", 1, look.positive, filled, "top"),
            ("negatives", -1, look.negative, {"linewidth": 1}, "bottom"),
        )
        highest = 0.001
        for name, sign, colour, bars, edge in sides:
            counts, total = getattr(found, name), getattr(found, f"total_{name}")
            share = counts / total if total else np.zeros(len(counts))
            highest = max(highest, float(share.max()))
            axes.stairs(sign * share, edges, **{"color": colour, "gid": name, **bars, **bar_style(style)})
            text = f"{say[name]} ({say['n']} = {show(_rows(found, name))})"
            where: dict[str, Any] = {"xy": (at, (1 + sign) / 2), "xytext": (4 - 8 * at, -2 * sign), "ha": side}
            axes.annotate(text, color=colour, va=edge, **where, **corner)
        axes.axhline(0, color=INK, linewidth=0.6)
        top = 1.4 * highest  # room for the texts
        axes.set(xlim=(low, high), ylim=(-top, top), xlabel=_in_units(say["score"], unit), ylabel=say["share_of_class"])
        axes.yaxis.set_major_formatter(lambda v, _: f"{100 * abs(v):.3g}%")
        if xscale == "logit":
            _log_odds(axes, say, low, high, "score")
        _mark(axes, threshold, (low, high) if xscale == "logit" else None)
    return axes


@draws("Referral")
def draw_referral(found: Referral, *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any) -> Axes:
    """Draw the scores of each class, the zone between the two thresholds shaded; options as in `draw_distribution`."""
    axes = draw_distribution(found.histogram, ax=ax, labels=labels, lang=lang, **style)
    unit, limits = _unit(found.histogram.edges), axes.get_xlim()
    ends = np.clip(np.divide([found.low, found.high], unit), *limits)
    axes.axvspan(*ends, color=MUTED, alpha=0.25, linewidth=0, gid="referred")
    return axes


def _unit(places: NDArray[np.float64]) -> float:
    """Return what to divide scores by before they are drawn: an axis needs room beyond the ends of its range."""
    return HUGE_UNIT if len(places) and float(np.abs(places).max()) > HUGE else 1.0


def _in_units(name: str, unit: float) -> str:
    return name if unit == 1 else f"{name} / {unit:.0e}"


def _rows(found: ScoreHistogram, name: str) -> float:
    """Return how many rows a class has; by a horizon those that are known, not their weight."""
    if found.horizon is None:
        return float(getattr(found, f"total_{name}"))
    return found.horizon.cases if name == "positives" else found.horizon.controls


@draws("ThresholdRates")
def draw_thresholds(
    rates: ThresholdRates | Sweep,
    *,
    threshold: float | None = None,
    xscale: Scale = "linear",
    ax: Ax = None,
    labels: Labels = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw recall, specificity, precision and F1 at every threshold.

    Each rate is constant from one score to the next; one that a missing class leaves undefined is left out.
    A vertical line goes to ``threshold``; ``xscale`` as in `draw_distribution`, other options as in `draw_roc`.
    """
    one_of("xscale", xscale, SCALES)
    say = FigureWords(lang, labels)
    found = threshold_rates(rates) if isinstance(rates, Sweep) else rates
    with np.errstate(over="ignore"):
        places = np.asarray(found.threshold, dtype=np.float64)
    finite = np.isfinite(places)
    unit = _unit(places[finite])
    places = places / unit
    threshold = None if threshold is None else threshold / unit
    low, high = log_odds_limits(found) if xscale == "logit" else (-math.inf, math.inf)
    with canvas(ax, shape=0.8) as axes:
        look, own = look_of(axes), line_style(style)
        if "label" in own:
            raise OptionError.of("label", "this figure has several lines, each with a name; give names by labels=.")
        # recall is a rate of positives, specificity one of negatives
        lines = zip((look.positive, look.negative, INK, MUTED), DASHES, found.points[1:], strict=False)
        for colour, dash, name in lines:
            rate = getattr(found, name)
            if np.isnan(rate).all() or not finite.any():
                continue
            # what a score flags, every cut down to the next score flags too
            x, y = at_edges(np.repeat(places[finite], 2)[1:], low, high), np.repeat(rate[finite], 2)[:-1]
            keep = kept_points(np.log(x / (1 - x)) if xscale == "logit" else x, y, MOST)
            line = {"color": colour, "linestyle": dash, "linewidth": 1.2, "gid": name, **own}
            axes.plot(x[keep], y[keep], label=say[name], **line)
        axes.set(ylim=(-0.015, 1.015), xlabel=_in_units(say["threshold"], unit), ylabel=say["rate"])
        axes.margins(x=0.01)
        if xscale == "logit":
            _log_odds(axes, say, low, high, "threshold")
        _mark(axes, threshold, (low, high) if xscale == "logit" else None)
        add_legend(axes)
    return axes


def _log_odds(ax: Axes, say: FigureWords, low: float, high: float, name: str) -> None:
    log_odds_axis(ax, low, high)
    ax.set_xlabel(say["log_odds"].format(name=say[name]))


def _is_left(threshold: float, edges: Any) -> bool:
    """Say whether a threshold lies in the left half of the bins, which are equally wide in the figure."""
    return bool(threshold < edges[len(edges) // 2])


def _mark(ax: Axes, threshold: float | None, limits: tuple[float, float] | None) -> None:
    """Draw a line at a threshold, at the edge where the axis ends before it."""
    if threshold is not None and math.isfinite(threshold):
        place = threshold if limits is None else float(at_edges(threshold, *limits))
        ax.axvline(place, **guide(color=INK, zorder=4, gid="threshold"))
