"""What a notebook shows of an evaluation: cards, the ROC and PR curves, warnings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.document.blocks import Card, CardColumn, Cards, Cell, Grid, Plate, Plates, Points, Text
from curvewise.document.notebook import notebook_figures, render_notebook
from curvewise.errors import MissingExtraError
from curvewise.report.cells import ends_of, estimate_cell, estimate_head, label_of, way_of, written
from curvewise.report.classes_section import class_cards
from curvewise.report.page import Page
from curvewise.report.verdicts import is_warning, of_model
from curvewise.words import words

if TYPE_CHECKING:
    from curvewise.document.blocks import Block
    from curvewise.document.embedded_svg import Figure
    from curvewise.report.evaluation import Evaluation
    from curvewise.report.model_evaluation import ModelEvaluation
    from curvewise.results.estimate import Estimate
    from curvewise.words import Words

MOST_CARDS = 6  # models; more are rows of a table
RANKING, AT_POINT = ("roc_auc", "average_precision"), ("recall", "precision")


def notebook_html(evaluation: Evaluation) -> str:
    """Return an evaluation as HTML for a notebook; without matplotlib there are no figures."""
    w = words("en")
    figures, sheet = _figures(evaluation)
    blocks: list[Block] = [Text(evaluation.statement.text()), *_numbers(evaluation, w)]
    plates = [Plate(f, w(f"figure.{key}"), "", Grid("", [], []), key) for key, f in figures.items()]
    blocks += [Plates(plates)] if plates else []
    warned = [of_model(n).text() for n in evaluation.notes if is_warning(n)]
    blocks += [Points([Text(text, "warn") for text in warned])] if warned else []
    return render_notebook(evaluation.title, blocks, sheet)


def _numbers(evaluation: Evaluation, w: Words) -> list[Block]:
    if evaluation.classes is not None:
        return [class_cards(Page(evaluation, w)), Text(w("notebook.intervals", level=evaluation.options.level), "note")]
    found = {name: _estimates(model) for name, model in evaluation.models.items()}
    remarks = {name: _remark(model, w) for name, model in evaluation.models.items()}
    if len(found) > MOST_CARDS:
        metrics = (*RANKING, *AT_POINT)
        head = [Cell(w("column.model")), *(estimate_head(w, label_of(w, m)) for m in metrics), Cell("")]
        cells = [
            [Cell(name), *(estimate_cell(w, e.get(m)) for m in metrics), Cell(remarks[name])]
            for name, e in found.items()
        ]
        return [Grid("", head, cells)]
    columns = [
        CardColumn(name, place, [_card(e, w) for e in estimates.values()], remarks[name])
        for place, (name, estimates) in enumerate(found.items())
    ]
    level = w("notebook.intervals", level=evaluation.options.level)
    return [Cards(columns), Text(level, "note")]


def _estimates(model: ModelEvaluation) -> dict[str, Estimate]:
    at_point = {} if model.point is None else model.point.expected
    return {**{m: model.estimates[m] for m in RANKING}, **{m: at_point[m] for m in AT_POINT if m in at_point}}


def _remark(model: ModelEvaluation, w: Words) -> str:
    """Say at which threshold, and on which rows, recall and precision are read."""
    if model.point is None:
        return w("notebook.no_threshold")
    if model.point.flags_nothing:
        return w("cut.none")
    return w(f"notebook.{'new' if model.point.is_corrected else 'here'}", threshold=model.point.threshold)


def _card(found: Estimate, w: Words) -> Card:
    return Card(label_of(w, found.metric), written(w, way_of(found.metric), found.value), ends_of(w, found), "")


def _figures(evaluation: Evaluation) -> tuple[dict[str, Figure], str]:
    many = evaluation.multiclass
    keys = ("roc", "pr") if many is None else ("confusion_matrix", "class_roc")[: 1 if many.ready is None else 2]
    try:
        from curvewise.figures.style import figure  # noqa: PLC0415 - needs matplotlib

        drawn = {key: figure() for key in keys}
    except MissingExtraError:
        return {}, ""
    if many is not None:
        many.matrix.plot(drawn["confusion_matrix"].add_subplot())
        if many.ready is not None:
            many.plot(drawn["class_roc"].add_subplot())
        return notebook_figures(drawn)
    evaluation.plot(ax=tuple(one.add_subplot() for one in drawn.values()))
    return notebook_figures(drawn)
