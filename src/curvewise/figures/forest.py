"""Forests: estimates, groups, sites and differences, one line each with its interval and its numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from curvewise.figures.forest_rows import Panel, Row, draw_panels, draw_rows
from curvewise.figures.legend import FigureWords, models
from curvewise.figures.registry import draws
from curvewise.figures.style import COLOURS
from curvewise.metric.registry import known
from curvewise.results.text import shortened, visible
from curvewise.rows.checks import one_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from curvewise.breakdown.by_site import Site, Sites
    from curvewise.breakdown.group_metrics import Group, Groups
    from curvewise.breakdown.pooling import Pooled
    from curvewise.figures.legend import Ax, Labels, Many, Model
    from curvewise.inference.comparison import Comparison, Pair
    from curvewise.inference.reader_study import ReaderStudy
    from curvewise.many_classes.class_groups import ClassGroup, ClassGroups
    from curvewise.many_classes.class_summary import ClassSummary
    from curvewise.probabilities.calibration import Calibration
    from curvewise.results.estimate import Estimate
    from curvewise.words import Lang

    AnyGroup: TypeAlias = Group | ClassGroup | Site | ClassSummary

LAST = {"(pooled)": ("pooled", "mean"), "(prediction)": ("prediction", "range")}
PAIRS = 15  # of models: a table has them all
# measures of one scale
CALIBRATION = ("calibration_in_the_large", "calibration_intercept", "calibration_slope", "observed_expected")


@draws("Estimate")
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
        rows = [row_of(name, e, decimals=3) for name, e in several.items()]
        return draw_rows(rows, ax, say, title, style, _ideal(first.metric))
    rows = [
        row_of(" ".join(parts), e, decimals=3, ideal=_ideal(e.metric), parts=parts)
        for name, e in several.items()
        if (parts := (f"{visible(name)}:", say.metric(e.metric)))
    ]
    return draw_rows(rows, ax, say, say["value"], style)


@draws("Calibration")
def draw_calibration(
    calibration: Calibration, *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any
) -> Axes:
    """Draw calibration in the large, intercept, slope, O/E, each with its ideal; options as in `draw_roc`."""
    say = FigureWords(lang, labels)
    found = {name: getattr(calibration, name.removeprefix("calibration_")) for name in CALIBRATION}
    rows = [row_of(say.metric(name), estimate, ideal=_ideal(name)) for name, estimate in found.items()]
    return draw_rows(rows, ax, say, say["value"], style)


@draws("Comparison", "Pair")
def draw_difference(
    comparison: Many[Comparison | Pair], *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any
) -> Axes:
    """Draw the differences of all pairs of models, first minus second, with a line at 0.

    Above a difference that was resampled stands the distribution of its resamples. Several comparisons of the
    same models by metric, ``{"roc_auc": …, "average_precision": …}``, become panels side by side that share the
    pairs, without numbers; the first panel's axes are returned. Of very many pairs the first 15 are shown. Options
    as in `draw_roc`.
    """
    say = FigureWords(lang, labels)
    if not isinstance(comparison, Mapping):
        metric = say.metric(_metric(comparison))
        return draw_rows(_pairs(comparison), ax, say, say["difference"].format(metric=metric), style, 0.0, PAIRS)
    panels = [Panel(_pairs(found), say.metric(_metric(found)), mark=0.0) for found in comparison.values()]
    return draw_panels(panels, ax, say, say["first_minus_second"], style, PAIRS)


def _pairs(comparison: Any) -> list[Row]:
    return [
        row_of(" ".join(parts), p.difference, drawn=p.drawn, decimals=3, parts=parts)
        for p in getattr(comparison, "pairs", (comparison,))
        if (parts := (visible(p.first), f"− {visible(p.second)}"))
    ]


def _metric(comparison: Any) -> str:
    return str(comparison.metric if hasattr(comparison, "metric") else comparison.difference.metric)


@draws("Groups", "ClassGroups")
def draw_groups(
    groups: Many[Groups | ClassGroups],
    metric: str | None = None,
    *,
    ax: Ax = None,
    labels: Labels = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw a metric, by default the first, in every group, all rows last and as a line; see `draw_roc`.

    Several models by name become panels side by side with one scale, without numbers; the axes of the first
    panel are returned.
    """
    say = FigureWords(lang, labels)
    several: list[Model[Any]] = models(groups)
    name = several[0].result.metrics[0] if metric is None else metric
    for model in several:
        one_of("metric", name, model.result.metrics)
    found = [(model, *_group_rows(model.result, name, say)) for model in several]
    return by_model(found, ax, say, say.metric(name), style)


def _group_rows(groups: Any, metric: str, say: FigureWords) -> tuple[list[Row], float]:
    rows = []
    for column, found in groups.breakdowns.items():
        for group in found:
            # a combination of columns names them itself
            plain = len(groups.breakdowns) == 1 or isinstance(group.label, tuple)
            text = group.name if plain else f"{column}={group.name}"
            head, _, rest = text.partition(", ")
            parts = (f"{head},", rest) if isinstance(group.label, tuple) else ()
            rows.append(row_of(text, group.estimates[metric], n=group.sizes["n"], parts=parts))
    whole = groups.overall.estimates[metric]
    rows.append(row_of(say["overall"], whole, n=groups.overall.sizes["n"], kind="mean"))
    return rows, whole.value


def by_model(
    found: Sequence[tuple[Model[Any], list[Row], float | None]], ax: Ax, say: FigureWords, title: str, style: Any
) -> Axes:
    """Draw the rows of one model with their numbers, or a panel per model."""
    model, rows, mark = found[0]
    if len(found) == 1:
        coloured = rows if model.name is None else [replace(row, colour=model.colour) for row in rows]
        return draw_rows(coloured, ax, say, title, style, mark)
    return draw_panels([Panel(rows, mark=mark, model=model) for model, rows, mark in found], ax, say, title, style)


@draws("Group", "ClassGroup", "Site", "ClassSummary", "VolumeUnderSurface")
def draw_group(group: AnyGroup, *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any) -> Axes:
    """Draw all metrics of one group, of one site, or of many classes together; options as in `draw_roc`."""
    say = FigureWords(lang, labels)
    found: Any = getattr(group, "group", group)
    rows = [row_of(say.metric(name), e) for name, e in found.estimates.items()]
    return draw_rows(rows, ax, say, shortened(getattr(found, "name", say["value"])), style)


@draws("Sites")
def draw_sites(sites: Many[Sites], *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any) -> Axes:
    """Draw each site's AUC, a square as large as its weight, pooled, and a new one's; see `draw_roc`.

    Several models by name become panels side by side, as in `draw_groups`.
    """
    say = FigureWords(lang, labels)
    found = [(m, _site_rows(m.result, say), _pooled_value(m.result)) for m in models(sites)]
    return by_model(found, ax, say, say["auc"], style)


def _pooled_value(sites: Sites) -> float | None:
    return None if sites.pooled is None else sites.pooled.value


def _site_rows(sites: Sites, say: FigureWords) -> list[Row]:
    ends = 0 if sites.pooled is None else len(LAST)
    table = sites.forest.rows()
    rows = []
    for place, row in enumerate(table):
        key, kind = LAST[row["site"]] if place >= len(table) - ends else (None, "row")
        name = row["site"] if key is None else say[key]
        rows.append(Row(name, row["value"], row["low"], row["high"], row["n"], row["weight"], kind=kind))
    return rows


@draws("ReaderStudy")
def draw_readers(study: ReaderStudy, *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any) -> Axes:
    """Draw what each reader does in each modality, and the means over readers below; options as in `draw_roc`."""
    say = FigureWords(lang, labels)
    rows = []
    for place, (modality, own) in enumerate(study.by_reader.items()):
        colour = COLOURS[place % len(COLOURS)]
        rows += [row_of(f"{modality}: {reader}", e, colour=colour, decimals=3) for reader, e in own.items()]
        rows.append(row_of(modality, study.means[modality], kind="mean", colour=colour, decimals=3))
    return draw_rows(rows, ax, say, say.metric(study.metric), style)


@draws("Pooled")
def draw_pooled(pooled: Pooled, *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any) -> Axes:
    """Draw a pooled mean with its interval, and where a new site may lie; options as in `draw_roc`."""
    say, look = FigureWords(lang, labels), {"decimals": 3}
    ends = ((pooled.low, pooled.high), (pooled.prediction_low, pooled.prediction_high))
    rows = [
        Row(say[key], pooled.value, *interval, kind=kind, **look)  # type: ignore[arg-type]
        for (key, kind), interval in zip(LAST.values(), ends, strict=True)
    ]
    return draw_rows(rows, ax, say, say["value"], style)


def row_of(name: str, estimate: Estimate, **more: Any) -> Row:
    """Return the line of an estimate."""
    return Row(name, estimate.value, estimate.low, estimate.high, **more)


def _ideal(metric: str) -> float | None:
    """Return the ideal of a metric that has one, else its value for a score that says nothing."""
    found = known(metric)
    if found is not None and found.target is not None:
        return found.target
    return found.chance if found is not None and isinstance(found.chance, float) else None
