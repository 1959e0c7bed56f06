"""Every figure of a report, drawn from the parts of an evaluation."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from curvewise.decisions.expected_cost import iso_cost_slope
from curvewise.errors import UndefinedMetricError
from curvewise.figures.classes import draw_class_pr, draw_class_reliability, draw_class_roc, draw_confusion_matrix
from curvewise.figures.confusion import draw_confusion
from curvewise.figures.export import to_svg
from curvewise.figures.forest import draw_difference, draw_groups, draw_sites
from curvewise.figures.gain_and_cost import draw_cost, draw_decision, draw_gain
from curvewise.figures.legend import SomeModels
from curvewise.figures.pr import draw_pr, draw_pr_gain
from curvewise.figures.reliability import draw_reliability
from curvewise.figures.roc import draw_det, draw_roc
from curvewise.figures.scores import draw_distribution, draw_thresholds
from curvewise.figures.style import figure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from matplotlib.axes import Axes

    from curvewise.figures.export import Drawing
    from curvewise.report.class_evaluation import ClassEvaluation
    from curvewise.report.evaluation import Evaluation
    from curvewise.report.model_evaluation import ModelEvaluation

    Draw = Callable[..., Axes]  # all that is to be drawn, but for axes and language


def drawings(evaluation: Evaluation, lang: str) -> dict[str, Drawing]:
    """Return the figures by the keys that the page knows; one that the data do not define is absent."""
    found = {}
    for key, draw in _figures(evaluation):
        fig = figure()
        try:
            draw(ax=fig.add_subplot(), lang=lang)
        except UndefinedMetricError:
            continue
        found[key] = to_svg(fig, prefix=key.replace(":", "-").replace("_", "-"))
    return found


def _figures(evaluation: Evaluation) -> Iterator[tuple[str, Draw]]:
    models = evaluation.models
    if evaluation.classes is not None:
        yield from _of_classes(evaluation.classes)
    if not models:
        return
    points = {name: m.point for name, m in models.items() if m.point is not None}

    def of_all(draw: Callable[..., Axes], part: str, **more: Any) -> Draw:
        return partial(draw, {name: getattr(m, part) for name, m in models.items()}, **more)

    def estimates(metric: str) -> dict[str, Any]:
        return {name: m.estimates[metric] for name, m in models.items()}

    bands = {name: m.band for name, m in models.items()}
    shown = {"band": bands, "point": points, "iso_cost": _slope(evaluation)}
    yield "roc", of_all(draw_roc, "roc", estimate=estimates("roc_auc"), **shown)
    yield "pr", of_all(draw_pr, "pr", point=points, estimate=estimates("average_precision"))
    yield "pr_gain", of_all(draw_pr_gain, "pr_gain")
    yield "det", of_all(draw_det, "det")
    yield "lift", of_all(draw_gain, "lift")
    yield "cost", of_all(draw_cost, "cost")
    decisions = {name: m.decision for name, m in models.items() if m.decision is not None}
    if decisions:
        yield "decision", partial(draw_decision, SomeModels(decisions, list(models)))
    if evaluation.comparison is not None:
        yield "difference", partial(draw_difference, evaluation.comparison)
    for k, model in enumerate(models.values()):
        for key, draw in _own(model, list(models)):
            yield f"{key}:{k}", draw
    for k, groups in enumerate(evaluation.groups.values()):
        yield f"groups:{k}", partial(draw_groups, groups, "roc_auc")
    for k, sites in enumerate(evaluation.sites.values()):
        yield f"sites:{k}", partial(draw_sites, sites)


def _of_classes(found: ClassEvaluation) -> Iterator[tuple[str, Draw]]:
    yield "confusion_matrix", partial(draw_confusion_matrix, found.rows.matrix)
    if found.rows.ready is not None:
        yield "class_roc", partial(draw_class_roc, found.roc)
        yield "class_pr", partial(draw_class_pr, found.pr)
    if found.reliability:
        yield "class_reliability", partial(draw_class_reliability, found.reliability)
    if found.groups is not None:
        yield "class_groups", partial(draw_groups, found.groups, "accuracy")
        if found.rows.ready is not None:
            yield "class_groups_auc", partial(draw_groups, found.groups, "roc_auc")


def _own(model: ModelEvaluation, among: list[str]) -> Iterator[tuple[str, Draw]]:
    point = model.point
    cut = None if point is None else point.threshold
    yield "distribution", partial(draw_distribution, model.histogram, threshold=cut)
    yield "thresholds", partial(draw_thresholds, model.thinned, threshold=cut)
    if point is not None:
        yield "confusion", partial(draw_confusion, point.confusion)
    if model.reliability is not None:
        curve = SomeModels({model.name: model.reliability}, among)
        yield "reliability", partial(draw_reliability, curve, histogram={model.name: model.sweep})


def _slope(evaluation: Evaluation) -> float | None:
    costs, stated = evaluation.options.costs, evaluation.options.prevalence
    if costs is None:
        return None
    prevalence = evaluation.data["prevalence"] if stated is None else stated
    return iso_cost_slope(**costs, prevalence=prevalence)
