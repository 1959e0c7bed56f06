"""Every figure of a report, drawn from the parts of an evaluation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from curvewise.curves.decision import decision_limit
from curvewise.curves.histogram import suits_log_odds
from curvewise.decisions.expected_cost import iso_cost_slope
from curvewise.evaluation.shown import detailed, page_order, shown_pairs
from curvewise.evaluation.two_classes import RARE, ModelEvaluation
from curvewise.figures.confusion import draw_confusion
from curvewise.figures.drift import draw_drift
from curvewise.figures.folds import draw_fold_curves
from curvewise.figures.forest import draw_difference, draw_groups, draw_sites
from curvewise.figures.gain_and_cost import draw_cost, draw_decision, draw_gain
from curvewise.figures.legend import SomeModels
from curvewise.figures.pr import draw_pr, draw_pr_gain
from curvewise.figures.reliability import draw_reliability
from curvewise.figures.roc import draw_det, draw_roc
from curvewise.figures.scores import draw_distribution, draw_thresholds
from curvewise.figures.survival import draw_risk_groups, draw_time_curve
from curvewise.pages.drawn import drawn_rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from curvewise.evaluation.evaluation import Evaluation
    from curvewise.evaluation.over_time import OverTime
    from curvewise.figures.export import Drawing
    from curvewise.pages.drawn import Draw, Row

PANELS = 4  # models whose groups or sites fit side by side


def drawings(evaluation: Evaluation, lang: str) -> dict[str, Drawing]:
    """Return the figures by the keys that the page knows; one that the data do not define is absent."""
    return drawn_rows(_rows(evaluation), lang)


def _rows(evaluation: Evaluation) -> Iterator[Row]:
    own = {m.name: m for m in detailed(evaluation)}
    models = {m.name: m for m in page_order(evaluation)}
    names = list(models)
    points = {name: m.point for name, m in models.items() if m.point is not None}

    def of_all(draw: Callable[..., Axes], part: str, **more: Any) -> Draw:
        return partial(draw, SomeModels({name: getattr(m, part) for name, m in models.items()}, names), **more)

    def of_own(draw: Callable[..., Axes], part: str) -> Draw:
        return partial(draw, SomeModels({name: getattr(m, part) for name, m in own.items()}, names))

    def estimates(metric: str) -> dict[str, Any]:
        return {name: m.estimates[metric] for name, m in models.items()}

    bands = {name: m.band for name, m in own.items()}
    shown: dict[str, Any] = {"point": points, "iso_cost": _slope(evaluation), "estimate": estimates("roc_auc")}
    row = {
        "roc": of_all(draw_roc, "roc", band=bands, **shown),
        "pr": of_all(draw_pr, "pr", point=points, estimate=estimates("average_precision")),
    }
    if evaluation.data["prevalence"] < RARE:
        at_low = {name: m.low_band for name, m in own.items()}
        curves = SomeModels({name: m.whole_roc for name, m in own.items()}, names)  # thinned when drawn
        row["roc_log"] = partial(draw_roc, curves, band=at_low, xscale="log", **shown)
    row["pr_gain"] = of_own(draw_pr_gain, "pr_gain")
    row["det"] = of_own(draw_det, "det")
    row["lift"] = of_own(draw_gain, "lift")
    yield row
    row = {"cost": of_own(draw_cost, "cost")}
    decisions = {name: m.decision for name, m in own.items() if m.decision is not None}
    if decisions:
        prevalence = next(iter(decisions.values())).prevalence
        row["decision"] = partial(
            draw_decision, SomeModels(decisions, names), highest=decision_limit(prevalence, _chosen(evaluation))
        )
    yield row
    if evaluation.comparisons:
        shown_of = {metric: shown_pairs(evaluation, found) for metric, found in evaluation.comparisons.items()}
        yield {"difference": partial(draw_difference, shown_of)}
    yield {f"{key}:{names.index(name)}": draw for name, m in own.items() for key, draw in _scores(m).items()}
    if evaluation.over_time is not None:
        yield from _rows_over_time(evaluation.over_time, names)
    yield {
        f"reliability:{names.index(name)}": partial(
            draw_reliability, SomeModels({name: m.reliability}, names), histogram={name: m.every_row}
        )
        for name, m in own.items()
        if m.reliability is not None
    }
    for key, draw, found in (("groups", draw_groups, evaluation.groups), ("sites", draw_sites, evaluation.sites)):
        some = {name: found[name] for name in own if name in found}
        yield from _panels(key, draw, some, names, **({"metric": "roc_auc"} if key == "groups" else {}))
    if (folds := evaluation.folds) is not None:
        yield {
            f"folds:{names.index(name)}": partial(draw_fold_curves, SomeModels({name: folds.curve("roc", name)}, names))
            for name in own
        }
    changes = {} if evaluation.then_and_now is None else evaluation.then_and_now.models
    yield {
        f"drift:{names.index(name)}": partial(draw_drift, *change.histograms)
        for name, change in changes.items()
        if name in own and change.histograms is not None
    }


def _rows_over_time(found: OverTime, names: list[str]) -> Iterator[Row]:
    if found.auc:
        yield {"auc_over_time": partial(draw_time_curve, SomeModels(found.auc, names))}
    for at, curves in found.calibration.items():
        yield {
            found.key(at, names.index(name)): partial(draw_reliability, SomeModels({name: curve}, names))
            for name, curve in curves.items()
        }
    yield {f"risk_groups:{names.index(name)}": partial(draw_risk_groups, g) for name, g in found.groups.items()}


def _scores(model: ModelEvaluation) -> Row:
    point = model.point
    cut = None if point is None else point.threshold
    by_odds = model.is_probability and suits_log_odds(model.sweep)
    scale: dict[str, Any] = {"threshold": cut, "xscale": "logit" if by_odds else "linear"}
    row: Row = {
        "distribution": partial(draw_distribution, model.sweep if by_odds else model.histogram, **scale),
        "thresholds": partial(draw_thresholds, model.thinned, **scale),
    }
    if point is None:
        return row
    weighed = model.sweep.horizon is not None
    return {**row, "confusion": partial(draw_confusion, point.confusion, shares=weighed)}


def _panels(
    key: str, draw: Callable[..., Axes], results: dict[str, Any], names: list[str], **more: Any
) -> Iterator[Row]:
    """Draw all models in one figure where they fit, else each in its own."""
    if 1 <= len(results) <= PANELS:
        yield {key: partial(draw, SomeModels(results, names), **more)}
        return
    for name, result in results.items():
        yield {f"{key}:{names.index(name)}": partial(draw, SomeModels({name: result}, names), **more)}


def _chosen(evaluation: Evaluation) -> float:
    """Return the threshold probability that stated costs imply, 0 without costs."""
    costs = evaluation.options.costs
    if costs is None:
        return 0.0
    act, leave = costs["fp"] - costs.get("tn", 0), costs["fn"] - costs.get("tp", 0)
    return act / (act + leave) if act + leave > 0 else 0.0


def _slope(evaluation: Evaluation) -> float | None:
    costs, stated = evaluation.options.costs, evaluation.options.prevalence
    if costs is None:
        return None
    prevalence = evaluation.data["prevalence"] if stated is None else stated
    return iso_cost_slope(**costs, prevalence=prevalence)
