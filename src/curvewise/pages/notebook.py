"""What a notebook shows of an evaluation: cards, the ROC and PR curves, warnings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.document.blocks import Block, Grid, Plate, Plates, Points, Text
from curvewise.document.notebook import notebook_figures, render_notebook
from curvewise.errors import MissingExtraError
from curvewise.evaluation.answers.caveats import is_warning, of_model
from curvewise.pages.classes.page import ClassPage
from curvewise.pages.classes.summary import cards
from curvewise.pages.render import page_of
from curvewise.pages.scores.summary import numbers

if TYPE_CHECKING:
    from curvewise.document.embedded_svg import Figure
    from curvewise.evaluation.evaluation import Evaluation
    from curvewise.pages.scores.page import ScorePage

ANSWERED = ("better", "threshold")  # questions that a notebook answers


def notebook_html(evaluation: Evaluation) -> str:
    """Return an evaluation as HTML for a notebook; without matplotlib there are no figures."""
    page = page_of(evaluation)
    w = page.w
    figures, sheet = _figures(evaluation)
    blocks: list[Block] = [Text(evaluation.statement.text()), *_numbers(page)]
    plates = [Plate(f, w(f"figure.{key}"), "", Grid("", [], []), key) for key, f in figures.items()]
    blocks += [Plates(plates)] if plates else []
    warned = [of_model(n).text() for n in evaluation.notes if is_warning(n)]
    blocks += [Points([Text(text, "warn") for text in warned])] if warned else []
    return render_notebook(evaluation.title, blocks, sheet)


def _numbers(page: ScorePage) -> list[Block]:
    """Return which model is better, and the numbers that matter, as the page has them."""
    level = Text(page.w("notebook.intervals", level=page.level), "note")
    if isinstance(page, ClassPage):
        return [cards(page), level]
    told = [v for v in page.evaluation.verdicts if v.question in ANSWERED]
    return [*(Text(" ".join(a.text() for a in v.answers)) for v in told), *numbers(page), level]


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
