"""Forests: estimates, groups, sites and differences, one line each with its interval and its numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.core.registry import known
from curvewise.figures.legend import FigureWords, number
from curvewise.figures.style import COLOURS, INK, MUTED, canvas, guide, keep_room
from curvewise.results.numbers import show
from curvewise.results.text import shortened
from curvewise.rows.checks import one_of

if TYPE_CHECKING:
    from typing import TypeAlias

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from curvewise.breakdown.by_site import Site, Sites
    from curvewise.breakdown.group_metrics import Group, Groups
    from curvewise.breakdown.pooling import Pooled
    from curvewise.figures.legend import Ax, Labels, Many
    from curvewise.inference.comparison import Comparison, Pair
    from curvewise.inference.reader_study import ReaderStudy
    from curvewise.many_classes.class_groups import ClassGroup, ClassGroups
    from curvewise.many_classes.class_summary import ClassSummary
    from curvewise.probabilities.calibration import Calibration
    from curvewise.results.estimate import Estimate
    from curvewise.words import Lang

    AnyGroup: TypeAlias = Group | ClassGroup | Site | ClassSummary

LINE = 0.19  # inches
TALLEST = 60  # rows
MOST = 24  # letters of a name
LETTER = 4.2  # points: the width of a digit of the numbers
BARS, HIGHEST = 30, 0.55  # of a distribution above its line, in lines
LAST = {"(pooled)": ("pooled", "mean"), "(prediction)": ("prediction", "range")}
# measures of one scale
CALIBRATION = ("calibration_in_the_large", "calibration_intercept", "calibration_slope", "observed_expected")


def draw_estimate(
    estimates: Many[Estimate], *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any
) -> Axes:
    """Draw an estimate with its interval, or several by name; options as in `draw_roc`.

    A vertical line marks chance, or the ideal of a metric that has one; on each line where metrics differ.
    """
    say = FigureWords(lang, labels)
    first = next(iter(estimates.values())) if isinstance(estimates, Mapping) else estimates
    title = say.metric(first.metric)
    several = estimates if isinstance(estimates, Mapping) else {title: estimates}
    if all(e.metric == first.metric for e in several.values()):
        rows = [_row(name, e, decimals=3) for name, e in several.items()]
        return _draw(rows, ax, say, title, style, _ideal(first.metric))
    rows = [
        _row(f"{name}: {say.metric(e.metric)}", e, decimals=3, ideal=_ideal(e.metric)) for name, e in several.items()
    ]
    return _draw(rows, ax, say, say["value"], style)


def draw_calibration(
    calibration: Calibration, *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any
) -> Axes:
    """Draw calibration in the large, intercept, slope, O/E, each with its ideal; options as in `draw_roc`."""
    say = FigureWords(lang, labels)
    found = {name: getattr(calibration, name.removeprefix("calibration_")) for name in CALIBRATION}
    rows = [_row(say.metric(name), estimate, ideal=_ideal(name)) for name, estimate in found.items()]
    return _draw(rows, ax, say, say["value"], style)


def draw_difference(
    comparison: Comparison | Pair, *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any
) -> Axes:
    """Draw the differences of all pairs of models, first minus second, with a line at 0.

    Above a difference that was resampled stands the distribution of its resamples. Options as in `draw_roc`.
    """
    say = FigureWords(lang, labels)
    pairs: Any = getattr(comparison, "pairs", (comparison,))
    look: dict[str, Any] = {"colour": COLOURS[0], "decimals": 3}
    rows = [
        _row(f"{shortened(p.first, 10)} − {shortened(p.second, 10)}", p.difference, drawn=p.drawn, **look)
        for p in pairs
    ]
    metric = say.metric(getattr(comparison, "metric", pairs[0].difference.metric))
    return _draw(rows, ax, say, say["difference"].format(metric=metric), style, 0.0)


def draw_groups(
    groups: Groups | ClassGroups,
    metric: str | None = None,
    *,
    ax: Ax = None,
    labels: Labels = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw a metric, by default the first, in every group, all rows last and as a line; see `draw_roc`."""
    say = FigureWords(lang, labels)
    name = groups.metrics[0] if metric is None else metric
    one_of("metric", name, groups.metrics)
    rows = []
    breakdowns: dict[str, Any] = {**groups.breakdowns}
    for place, (column, found) in enumerate(breakdowns.items()):
        for group in found:
            # a combination of columns names them itself
            plain = len(groups.breakdowns) == 1 or isinstance(group.label, tuple)
            text = group.name if plain else f"{column}={group.name}"
            colour = COLOURS[place % len(COLOURS)]
            rows.append(_row(text, group.estimates[name], n=group.sizes["n"], colour=colour))
    whole = groups.overall.estimates[name]
    rows.append(_row(say["overall"], whole, n=groups.overall.sizes["n"], kind="mean"))
    return _draw(rows, ax, say, say.metric(name), style, whole.value)


def draw_group(group: AnyGroup, *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any) -> Axes:
    """Draw all metrics of one group, of one site, or of many classes together; options as in `draw_roc`."""
    say = FigureWords(lang, labels)
    found: Any = getattr(group, "group", group)
    rows = [_row(say.metric(name), e) for name, e in found.estimates.items()]
    return _draw(rows, ax, say, shortened(getattr(found, "name", say["value"])), style)


def draw_sites(sites: Sites, *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any) -> Axes:
    """Draw each site's AUC, a square as large as its weight, pooled, and a new one's; see `draw_roc`."""
    say = FigureWords(lang, labels)
    ends = 0 if sites.pooled is None else len(LAST)
    table = sites.forest.rows()
    rows = []
    for place, row in enumerate(table):
        key, kind = LAST[row["site"]] if place >= len(table) - ends else (None, "row")
        name = row["site"] if key is None else say[key]
        numbers = (row["value"], row["low"], row["high"], row["n"], row["weight"])
        rows.append(Row(name, *numbers, kind=kind, colour=COLOURS[0 if key is None else 1]))
    return _draw(rows, ax, say, say["auc"], style, None if sites.pooled is None else sites.pooled.value)


def draw_readers(study: ReaderStudy, *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any) -> Axes:
    """Draw what each reader does in each modality, and the means over readers below; options as in `draw_roc`."""
    say = FigureWords(lang, labels)
    rows = []
    for place, (modality, own) in enumerate(study.by_reader.items()):
        colour = COLOURS[place % len(COLOURS)]
        rows += [_row(f"{modality}: {reader}", e, colour=colour, decimals=3) for reader, e in own.items()]
        rows.append(_row(modality, study.means[modality], kind="mean", colour=colour, decimals=3))
    return _draw(rows, ax, say, say.metric(study.metric), style)


def draw_pooled(pooled: Pooled, *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any) -> Axes:
    """Draw a pooled mean with its interval, and where a new site may lie; options as in `draw_roc`."""
    say, look = FigureWords(lang, labels), {"colour": COLOURS[1], "decimals": 3}
    ends = ((pooled.low, pooled.high), (pooled.prediction_low, pooled.prediction_high))
    rows = [
        Row(say[key], pooled.value, *interval, kind=kind, **look)  # type: ignore[arg-type]
        for (key, kind), interval in zip(LAST.values(), ends, strict=True)
    ]
    return _draw(rows, ax, say, say["value"], style)


def _row(name: str, estimate: Estimate, **more: Any) -> Row:
    return Row(name, estimate.value, estimate.low, estimate.high, **more)


def _ideal(metric: str) -> float | None:
    """Return the ideal of a metric that has one, else its value for a score that says nothing."""
    found = known(metric)
    if found is not None and found.target is not None:
        return found.target
    return found.chance if found is not None and isinstance(found.chance, float) else None


@dataclass(frozen=True)
class Row:
    """One line: ``kind`` is ``"row"``, ``"mean"`` (a diamond) or ``"range"`` (an interval alone)."""

    name: str
    value: float
    low: float
    high: float
    n: float | None = None
    weight: float | None = None
    kind: str = "row"
    colour: str = INK
    decimals: int = 2
    drawn: NDArray[np.float64] | None = None  # resamples, whose distribution stands on the line
    ideal: float | None = None  # marked on this line alone


def _draw(
    rows: list[Row], ax: Ax, say: FigureWords, title: str, style: dict[str, Any], mark: float | None = None
) -> Axes:
    """Draw rows with a line at the mark; of very many the first and all means, and say how many are not."""
    first = [r for r in rows if r.kind == "row"]
    rows, left = first[:TALLEST] + [r for r in rows if r.kind != "row"], max(len(first) - TALLEST, 0)
    with canvas(ax, inches=0.75 + LINE * (len(rows) + 1)) as axes:
        if mark is not None and math.isfinite(mark):
            axes.axvline(mark, **guide(gid="reference"))
        shown = [n for r in rows if (n := r.n) is not None]
        room = LETTER * max((len(show(n)) for n in shown), default=0)
        keep_room(axes, [shortened(r.name, MOST) for r in rows])
        for y, row in enumerate(rows):
            _draw_row(axes, y, row, style)
            _beside(axes, y, row, room, say)
        if shown:
            _text(axes, 1, -1, 6 + room, say["n"], "right", MUTED)
        if left:
            _text(axes, 0, -1, -6, say["more"].format(n=left), "right", MUTED)
        axes.set(ylim=(len(rows) - 0.4, -0.6), xlabel=title)
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
        axes.margins(x=0.04)
        axes.locator_params(axis="x", nbins=3)
    return axes


def _draw_row(ax: Axes, y: int, row: Row, style: dict[str, Any]) -> None:
    line = {"color": row.colour, "linewidth": 1.1, "zorder": 3, **style}
    ends = math.isfinite(row.low) and math.isfinite(row.high)
    if row.drawn is not None:
        heights, edges = np.histogram(np.asarray(row.drawn), bins=BARS)
        top = y - HIGHEST * heights / max(int(heights.max()), 1)
        look: dict[str, Any] = {"color": row.colour, "alpha": 0.2, "linewidth": 0, "gid": f"drawn-{y}"}
        ax.fill_between(edges, np.append(top, top[-1]), y, step="post", **look)
    if row.ideal is not None:
        ax.plot([row.ideal] * 2, [y - 0.4, y + 0.4], **guide(gid=f"ideal-{y}"))
    if row.kind == "mean" and ends:
        corners = ([row.low, row.value, row.high, row.value], [y, y - 0.28, y, y + 0.28])
        ax.fill(*corners, color=row.colour, linewidth=0, zorder=3, gid=f"row-{y}")
        return
    if ends:
        ax.plot([row.low, row.high], [y, y], gid=f"row-{y}", **line)
    if row.kind == "range" and ends:
        ax.plot([row.low, row.high], [y, y], **{**line, "linestyle": "none", "marker": "|", "markersize": 5})
    elif row.kind == "row" and math.isfinite(row.value):
        # the area of a square is the weight
        size = 4.0 if row.weight is None else 2.2 + 6 * math.sqrt(row.weight)
        square = {**line, "linestyle": "none", "marker": "s", "markersize": size}
        ax.plot([row.value], [y], gid=f"value-{y}", **square)


def _beside(ax: Axes, y: int, row: Row, room: float, say: FigureWords) -> None:
    _text(ax, 0, y, -6, shortened(row.name, MOST), "right", INK)
    if row.n is not None:
        _text(ax, 1, y, 6 + room, show(row.n), "right", MUTED)
    value, low, high = (number(v, row.decimals) for v in (row.value, row.low, row.high))
    ends = f"[{low}, {high}]" if math.isfinite(row.low) and math.isfinite(row.high) else ""
    if row.kind == "range":
        numbers = ends or say["undefined"]
    else:
        numbers = f"{value} {ends}".rstrip() if math.isfinite(row.value) else say["undefined"]
    _text(ax, 1, y, 14 + room if room else 6, numbers, "left", INK)


def _text(ax: Axes, x: float, y: float, away: float, text: str, side: str, colour: str) -> None:
    """Write beside the axes, at the height of a row."""
    look: dict[str, Any] = {"ha": side, "va": "center", "size": "small", "color": colour}
    look |= {"xycoords": ("axes fraction", "data"), "textcoords": "offset points", "annotation_clip": False}
    ax.annotate(text, (x, y), (away, 0), **look)
