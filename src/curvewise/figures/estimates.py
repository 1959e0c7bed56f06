"""Forests: estimates with their intervals, groups, sites, and the differences of models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from curvewise.core.registry import known
from curvewise.figures.forest import Row, draw_forest
from curvewise.figures.legend import FigureWords
from curvewise.figures.style import COLOURS
from curvewise.results.text import shortened
from curvewise.rows.checks import one_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from curvewise.breakdown.by_site import Site, Sites
    from curvewise.breakdown.group_metrics import Group, Groups
    from curvewise.breakdown.pooling import Pooled
    from curvewise.inference.comparison import Comparison, Pair
    from curvewise.many_classes.class_summary import ClassSummary
    from curvewise.probabilities.calibration import Calibration
    from curvewise.results.estimate import Estimate
    from curvewise.words import Lang

LAST = {"(pooled)": ("pooled", "mean"), "(prediction)": ("prediction", "range")}
CALIBRATION = {  # measures of one scale, with the metric that knows the ideal
    "in_the_large": "calibration_in_the_large",
    "intercept": "calibration_intercept",
    "slope": "calibration_slope",
    "observed_expected": "observed_expected",
}


def draw_estimate(
    estimates: Estimate | Mapping[str, Estimate],
    *,
    ax: Axes | None = None,
    labels: Mapping[str, str] | None = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw an estimate with its interval, or several of one metric by name.

    Parameters
    ----------
    estimates
        The result of `curvewise.interval`, or several by name of model. A vertical line marks chance, or the
        ideal of a metric that has one.
    ax, labels, lang, **style
        As in `draw_roc`.
    """
    say = FigureWords(lang, labels)
    first = next(iter(estimates.values())) if isinstance(estimates, Mapping) else estimates
    title = say.metric(first.metric)
    several = estimates if isinstance(estimates, Mapping) else {title: estimates}
    same = all(e.metric == first.metric for e in several.values())
    rows = [
        _row(
            name if same else f"{name}: {say.metric(e.metric)}",
            e,
            decimals=3,
            ideal=None if same else _ideal(e.metric),
        )
        for name, e in several.items()
    ]
    reference = _ideal(first.metric) if same else None
    title = title if same else say["value"]
    return draw_forest(rows, ax=ax, say=say, title=title, reference=reference, style=style)


def draw_calibration(
    calibration: Calibration,
    *,
    ax: Axes | None = None,
    labels: Mapping[str, str] | None = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw calibration in the large, intercept, slope and O/E, with the ideal marked on each line.

    Parameters
    ----------
    calibration
        The result of `curvewise.calibration`.
    ax, labels, lang, **style
        As in `draw_roc`.
    """
    say = FigureWords(lang, labels)
    rows = [
        _row(say.metric(metric), getattr(calibration, name), ideal=_ideal(metric))
        for name, metric in CALIBRATION.items()
    ]
    return draw_forest(rows, ax=ax, say=say, title=say["value"], reference=None, style=style)


def draw_difference(
    comparison: Comparison | Pair,
    *,
    ax: Axes | None = None,
    labels: Mapping[str, str] | None = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw the differences of all pairs of models, first minus second, with a line at 0.

    Above a difference that was resampled stands the distribution of its resamples.

    Parameters
    ----------
    comparison
        The result of `curvewise.compare`, or one of its pairs.
    ax, labels, lang, **style
        As in `draw_roc`.
    """
    say = FigureWords(lang, labels)
    pairs: Any = getattr(comparison, "pairs", (comparison,))
    rows = [
        _row(
            f"{shortened(p.first, 10)} − {shortened(p.second, 10)}",
            p.difference,
            colour=COLOURS[0],
            decimals=3,
            drawn=p.drawn,
        )
        for p in pairs
    ]
    metric = say.metric(getattr(comparison, "metric", pairs[0].difference.metric))
    title = say["difference"].format(metric=metric)
    return draw_forest(rows, ax=ax, say=say, title=title, reference=0.0, style=style)


def draw_groups(
    groups: Groups,
    metric: str | None = None,
    *,
    ax: Axes | None = None,
    labels: Mapping[str, str] | None = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw one metric in every group, with all rows last and as a vertical line.

    Parameters
    ----------
    groups
        The result of `curvewise.by_group`.
    metric
        One of its metrics; the first by default.
    ax, labels, lang, **style
        As in `draw_roc`.
    """
    say = FigureWords(lang, labels)
    name = groups.metrics[0] if metric is None else metric
    one_of("metric", name, groups.metrics)
    rows = []
    for place, (column, found) in enumerate(groups.breakdowns.items()):
        for group in found:
            # a combination of columns names them itself
            plain = len(groups.breakdowns) == 1 or isinstance(group.label, tuple)
            text = group.name if plain else f"{column}={group.name}"
            colour = COLOURS[place % len(COLOURS)]
            rows.append(_row(text, group.estimates[name], n=group.sweep.n, colour=colour))
    whole = groups.overall.estimates[name]
    rows.append(_row(say["overall"], whole, n=groups.overall.sweep.n, kind="mean"))
    title = say.metric(name)
    return draw_forest(rows, ax=ax, say=say, title=title, reference=whole.value, style=style)


def draw_group(
    group: Group | Site | ClassSummary,
    *,
    ax: Axes | None = None,
    labels: Mapping[str, str] | None = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw all metrics of one group, of one site, or of many classes together; options as in `draw_roc`."""
    say = FigureWords(lang, labels)
    found: Any = getattr(group, "group", group)
    rows = [_row(say.metric(name), e) for name, e in found.estimates.items()]
    title = shortened(getattr(found, "name", say["value"]))
    return draw_forest(rows, ax=ax, say=say, title=title, reference=None, style=style)


def draw_sites(
    sites: Sites,
    *,
    ax: Axes | None = None,
    labels: Mapping[str, str] | None = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw the AUC of every site with squares as large as its weight, the pooled one and a new site's.

    Parameters
    ----------
    sites
        The result of `curvewise.by_site`.
    ax, labels, lang, **style
        As in `draw_roc`.
    """
    say = FigureWords(lang, labels)
    ends = 0 if sites.pooled is None else len(LAST)
    table = sites.forest.rows()
    rows = []
    for place, row in enumerate(table):
        key, kind = LAST[row["site"]] if place >= len(table) - ends else (None, "row")
        name = row["site"] if key is None else say[key]
        numbers = (row["value"], row["low"], row["high"], row["n"], row["weight"])
        rows.append(Row(name, *numbers, kind=kind, colour=COLOURS[0 if key is None else 1]))
    mean = None if sites.pooled is None else sites.pooled.value
    return draw_forest(rows, ax=ax, say=say, title=say["auc"], reference=mean, style=style)


def draw_pooled(
    pooled: Pooled,
    *,
    ax: Axes | None = None,
    labels: Mapping[str, str] | None = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw a pooled mean with its interval, and where a new site may lie; options as in `draw_roc`."""
    say = FigureWords(lang, labels)
    rows = [
        Row(say["pooled"], pooled.value, pooled.low, pooled.high, kind="mean", colour=COLOURS[1], decimals=3),
        Row(
            say["prediction"],
            pooled.value,
            pooled.prediction_low,
            pooled.prediction_high,
            kind="range",
            colour=COLOURS[1],
            decimals=3,
        ),
    ]
    return draw_forest(rows, ax=ax, say=say, title=say["value"], reference=None, style=style)


def _row(name: str, estimate: Estimate, **more: Any) -> Row:
    return Row(name, estimate.value, estimate.low, estimate.high, **more)


def _ideal(metric: str) -> float | None:
    """Return the ideal of a metric that has one, else its value for a score that says nothing."""
    found = known(metric)
    if found is None:
        return None
    if found.target is not None:
        return found.target
    return found.chance if isinstance(found.chance, float) else None
