"""The summary: every question answered in a sentence, the numbers that matter, ROC and PR."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.decisions.trivial import costs_of
from curvewise.document.blocks import Answers, Block, Card, CardColumn, Cards, Cell, Grid, Plates, Section, Switches
from curvewise.evaluation.answers.better import COST
from curvewise.evaluation.answers.verdicts import is_advised
from curvewise.pages.cells import ends_of, estimate_cell, estimate_head, label_of, value_of, way_of
from curvewise.pages.classes.page import class_numbers
from curvewise.pages.curve_tables import curve_grid

if TYPE_CHECKING:
    from curvewise.evaluation.two_classes import ModelEvaluation
    from curvewise.pages.page import Page
    from curvewise.results.estimate import Estimate

LISTED = 10  # models that curves show in a colour of their own
AREAS, RATES = ("roc_auc", "average_precision"), ("recall", "precision")
MOST_COLUMNS, MOST_ROWS = 4, 5  # models side by side, and below each other


def summary(page: Page) -> Section:
    """Write the summary."""
    blocks = overview(page)
    if len(page.models) > 1:
        blocks.append(Switches(page.names[:LISTED], max(0, len(page.names) - LISTED)))
    if page.models:
        blocks.append(Plates([page.plate(kind, curve_grid(page, kind)) for kind in ("roc", "pr")]))
    return Section("summary", page.w("section.summary"), blocks)


def overview(page: Page, questions: tuple[str, ...] | None = None) -> list[Block]:
    """Return the answers, of some questions or of all, and the numbers of the models: what the terminal shows, too."""
    lang = page.w.lang
    found = [v for v in page.evaluation.verdicts if questions is None or v.question in questions]
    answers = [(v.asked(lang), [page.sentence(a) for a in v.answers], v.section) for v in found]
    return [Answers(answers), *numbers(page)]


def numbers(page: Page) -> list[Block]:
    """Return the numbers that matter: cards of few models, a table of the first of many."""
    if page.evaluation.classes is not None:
        return class_numbers(page)
    if not page.models:
        return []
    if len(page.models) <= MOST_COLUMNS:
        return [Cards([_column(page, k) for k in range(len(page.models))])]
    return [_table(page, list(range(len(page.models)))[:MOST_ROWS])]


def _column(page: Page, place: int) -> CardColumn:
    w, model = page.w, page.models[place]
    found = [*_costs(page, model), *_areas(page, model), *_rates(page, model)]
    better = page.evaluation.better
    leads = better.leader == model.name and len(page.models) > 1
    remark = w("card.leader.use" if better.is_for_use else "card.leader")
    return CardColumn(model.name, place, found, remark if leads else "")


def _costs(page: Page, model: ModelEvaluation) -> list[Card]:
    """Return what a case costs where costs are stated."""
    w, point = page.w, model.point
    compared = page.evaluation.options.costs is not None
    if not compared or point is None or point.optimism is None or not point.is_corrected:
        return []
    unit = str(point.rule.options.get("unit", ""))
    text = w("card.expected_cost", **costs_of(point), unit=unit and f"{unit} ")
    return [_card(page, point.optimism.goal.corrected, text)]


def _areas(page: Page, model: ModelEvaluation) -> list[Card]:
    w = page.w
    prevalence = model.sweep.prevalence
    return [_card(page, model.estimates[name], w(f"card.{name}", prevalence=prevalence)) for name in AREAS]


def _rates(page: Page, model: ModelEvaluation) -> list[Card]:
    """Return what the chosen threshold does; nothing where none is advised."""
    point = model.point
    if point is None or point.flags_nothing or not is_advised(model):
        return []
    whose = "new" if point.is_corrected else "here"
    cards = [_card(page, point.expected[name], page.w(f"card.{name}.{whose}")) for name in RATES]
    w, guarantee = page.w, point.guarantee
    for one in () if guarantee is None else (guarantee, *guarantee.also):
        sign = "≤" if one.metric in ("fpr", "predicted_rate") else "≥"
        value = f"{sign}\u00a0{w.numbers.level(one.limit)}"
        cards.append(Card(label_of(w, one.metric), value, "", w("card.guarantee", confidence=one.confidence)))
    return cards


def _card(page: Page, found: Estimate, text: str) -> Card:
    w = page.w
    name = "metric.expected_cost" if found.metric == COST else None
    label = w(name) if name else label_of(w, found.metric)
    return Card(label, value_of(w, found, way_of(found.metric)), ends_of(w, found), text)


def _table(page: Page, places: list[int]) -> Grid:
    w = page.w
    names = [*((COST,) if page.evaluation.options.costs is not None else ()), *AREAS, *RATES]
    head = [Cell(w("column.model")), *(estimate_head(w, label_of(w, name)) for name in names)]
    rows = []
    for place in places:
        model = page.models[place]
        point = model.point if is_advised(model) else None
        later = {} if point is None else point.expected
        if point is not None and point.optimism is not None:
            later = {**later, COST: point.optimism.goal.corrected}
        cells = {**model.estimates, **later}
        rows.append([Cell(model.name), *(estimate_cell(w, cells.get(name)) for name in names)])
    return Grid(w("models.table", level=page.level), head, rows, places)
