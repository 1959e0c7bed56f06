"""The page of a model of many classes: summary, class by class, probabilities, groups."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from curvewise.document.blocks import (
    Answers,
    Beside,
    Block,
    Card,
    CardColumn,
    Cards,
    Cell,
    Fold,
    Grid,
    Heading,
    Plates,
    Section,
    Text,
)
from curvewise.pages.cells import (
    count_cell,
    ends_of,
    estimate_cell,
    estimate_head,
    label_of,
    number_cell,
    table_grid,
    way_of,
    written,
)
from curvewise.pages.curve_tables import RATES, TENTHS, first_reaching, last_within

if TYPE_CHECKING:
    from curvewise.evaluation.many_classes import ClassEvaluation
    from curvewise.many_classes.class_groups import ClassGroup, ClassGroups
    from curvewise.pages.page import Page
    from curvewise.results.result import Table

CARDS = ("accuracy", "balanced_accuracy", "roc_auc", "log_loss")
WITHOUT_SCORES = ("accuracy", "balanced_accuracy", "kappa")
LACKS = {"no row is of this class": "rows", "no row is predicted so": "predictions"}
# how the columns of the tables of classes are written, where it is not as a metric of two classes is
SHARES = ("prevalence", "precision", "recall", "share_of_class", "mean_probability", "observed")
AREAS = ("f1", "roc_auc", "average_precision", "observed_expected", "calibration_slope", "ece", "largest_gap")
UNSHOWN = ("rows", "largest_gap")  # of the tables of calibration
MOST_COLUMNS = 12  # classes whose matrix is written as a table of counts, one column per class


def class_summary(page: Page) -> Section:
    """Write the answers and the numbers that matter, and below them the confusion matrix and the ROC curves."""
    w, lang, found = page.w, page.w.lang, _of(page)
    answers = [(v.asked(lang), [a.text(lang) for a in v.answers], v.section) for v in page.evaluation.verdicts]
    plates = [page.plate("confusion_matrix", _matrix_grid(page))]
    if found.rows.ready is not None:
        plates.append(page.plate("class_roc", _curve_grid(page, "roc")))
    return Section("summary", w("section.summary"), [Answers(answers), class_cards(page), Plates(plates)])


def class_numbers(page: Page) -> list[Block]:
    """Return the numbers that a terminal shows: of all classes together, and of each class."""
    w, found = page.w, _of(page)
    return [_estimates(page), _grid(page, found.summary.each, w("classes.table", level=page.level))]


def class_cards(page: Page) -> Cards:
    """Return the numbers that matter as cards."""
    w, found = page.w, _of(page)
    names = CARDS if found.are_probabilities else WITHOUT_SCORES if found.rows.ready is None else CARDS[:3]
    return Cards([CardColumn(w("many.all"), None, [_card(page, name) for name in names])])


def classes(page: Page) -> Section:
    """Write each class, its curves, the pairs confused most, whether the probabilities are right, and all numbers."""
    w, found = page.w, _of(page)
    blocks: list[Block] = [
        Text(w("many.classes.lead"), "lead"),
        _grid(page, found.summary.each, w("classes.table", level=page.level)),
    ]
    never = Text(w("note.classes_never_confused"))
    pairs: Block = _grid(page, found.confused, w("many.pairs")) if len(found.confused) else never
    if found.rows.ready is not None:
        pairs = Beside(page.plate("class_pr", _curve_grid(page, "pr")), [pairs])
    blocks += [pairs, Heading(w("ask.probabilities")), *page.answer("probabilities")]
    if found.calibration is not None and found.choice is not None:
        table, chosen = found.calibration.table, found.choice.table
        both = {k: [*values, *chosen.columns[k]] for k, values in table.columns.items() if k not in UNSHOWN}
        grid = _grid(page, replace(table, columns=both), w("many.calibration", level=page.level))
        blocks.append(Beside(page.plate("class_reliability", _reliability_grid(page)), [grid]))
    if found.mistakes is not None and len(found.mistakes):
        blocks.append(_grid(page, found.mistakes, w("many.mistakes")))
    blocks.append(Fold(w("many.estimates"), [_estimates(page)]))
    said = [n.text(w.lang) for e in found.estimates.values() for n in e.notes]
    return Section("classes", w("section.classes"), [*blocks, *page.folded_notes(said)])


def class_groups(page: Page) -> Section:
    """Write the numbers of every group, and how far the groups lie apart."""
    w, found = page.w, _of(page).groups
    if found is None:
        return Section("groups", w("ask.groups"), page.left_out("groups"))
    gaps = table_grid(w, found.gaps(), w("groups.gaps", level=page.level), leave=("note",))
    grid = _groups_grid(page, found)
    blocks: list[Block] = [*page.answer("groups"), Text(w("many.groups.lead"), "note")]
    for key, table in (("class_groups", grid), ("class_groups_auc", gaps)):
        drawn = key in page.figures
        blocks.append(Beside(page.plate(key, grid), [table]) if drawn else table)
    return Section("groups", w("ask.groups"), [*blocks, *page.remarks(found.notes)])


def _of(page: Page) -> ClassEvaluation:
    found = page.evaluation.classes
    assert found is not None  # noqa: S101 - written of many classes alone
    return found


def _card(page: Page, name: str) -> Card:
    w, found = page.w, _of(page).estimates[name]
    words = found.reason.text(w.lang) if found.reason is not None and not found.is_defined else w(f"many.card.{name}")
    return Card(label_of(w, name), written(w, way_of(name), found.value), ends_of(w, found), words)


def _estimates(page: Page) -> Grid:
    w, found = page.w, _of(page).summary
    head = [Cell(w("column.metric")), estimate_head(w, w("column.value"))]
    rows = [
        [Cell(label_of(w, name), found.meaning(e, w.lang)), estimate_cell(w, e)] for name, e in found.estimates.items()
    ]
    return Grid(w("classes.estimates", level=page.level), head, rows)


def _grid(page: Page, table: Table, caption: str) -> Grid:
    """Lay out a table of classes in the words for classes; ends of intervals go under their value."""
    w = page.w
    says = [k for k, values in table.columns.items() if any(v is not None for v in values)]
    shown = [k for k in says if not k.endswith(("_low", "_high"))]
    numeric = dict(zip(table.columns, table.numeric(), strict=True))
    head = []
    for k in shown:
        text = w(f"many.column.{k}")
        head.append(estimate_head(w, text) if f"{k}_low" in says else Cell(text, numeric=numeric[k]))
    rows = [[_cell(page, k, row, ends=f"{k}_low" in says) for k in shown] for row in table.rows()]
    return Grid(caption, head, rows, heads=2 if "taken_for" in table.columns else 1)


def _cell(page: Page, name: str, row: dict[str, Any], *, ends: bool) -> Cell:
    w, value = page.w, row[name]
    if isinstance(value, str):
        if name == "undefined":
            return Cell(
                w.template("list.and").join(w(f"many.lacks.{LACKS[reason]}") for reason in value.split(" and "))
            )
        return Cell(w.known("special", value))
    way = "share" if name in SHARES else "area" if name in AREAS else "count" if isinstance(value, int) else "cost"
    if name == "row" or value is None:
        return Cell("" if value is None else str(value), raw=("",) if value is None else (value,), numeric=True)
    if not ends:
        return number_cell(w, way, value)
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    sub = "" if low is None else w.interval(low, high, way)
    return Cell(written(w, way, value), sub, (value, low, high), numeric=True)


def _matrix_grid(page: Page) -> Grid:
    """Return the counts with their shares of the true class; of very many classes one row per pair that occurs."""
    w, matrix = page.w, _of(page).rows.matrix
    names = matrix.table.columns["class"]
    if len(names) > MOST_COLUMNS:
        return _grid(page, matrix.confused(), w("many.pairs"))
    head = [Cell(w("figure.word.actual")), *(Cell(w("many.taken_as", label=name), numeric=True) for name in names)]
    rows = []
    for name, counts, total in zip(names, matrix.counts.tolist(), matrix.support.tolist(), strict=True):
        cells = [
            Cell(written(w, "count", n), written(w, "share", n / total) if total else "", (n,), numeric=True)
            for n in counts
        ]
        rows.append([Cell(name), *cells])
    return Grid(w("classes.confusion"), head, rows)


def _curve_grid(page: Page, kind: str) -> Grid:
    """Return each class's curve at round places: TPR at round FPRs, precision at round recalls."""
    w, curves = page.w, getattr(_of(page), kind)
    axis, value, limits, places = (
        ("fpr", "tpr", RATES, last_within) if kind == "roc" else ("recall", "precision", TENTHS, first_reaching)
    )
    head = [Cell(w("many.column.class")), Cell(w(f"figure.word.{axis}"), numeric=True)]
    head.append(Cell(w(f"figure.word.{value}"), numeric=True))
    rows = []
    for name, curve in curves.items():
        called = w("many.mean") if type(curve).__name__.startswith("Mean") else name
        for k in places(getattr(curve, axis), limits):
            numbers = (float(getattr(curve, which)[k]) for which in (axis, value))
            rows.append([Cell(called), *(number_cell(w, "share", x) for x in numbers)])
    return Grid(w(f"figure.class_{kind}"), head, rows)


def _reliability_grid(page: Page) -> Grid:
    w = page.w
    head = [Cell(w("many.column.class")), Cell(w("column.probability"), numeric=True)]
    head.append(Cell(w("column.observed"), numeric=True))
    rows = [
        [Cell(name), number_cell(w, "share", float(curve.p[k])), number_cell(w, "share", float(curve.observed[k]))]
        for name, curve in _of(page).reliability.items()
        for k in first_reaching(curve.p, TENTHS)
    ]
    return Grid(w("figure.class_reliability"), head, rows)


def _groups_grid(page: Page, found: ClassGroups) -> Grid:
    w, several = page.w, len(found.breakdowns) > 1
    head = [Cell(w("column.group")), Cell(w("column.n"), numeric=True)]
    head += [estimate_head(w, label_of(w, metric)) for metric in found.metrics]
    rows = [_group_row(page, g, several=several) for g in found.every_group()]
    return Grid(w("groups.table", level=page.level), head, rows)


def _group_row(page: Page, group: ClassGroup, *, several: bool) -> list[Cell]:
    w = page.w
    own = isinstance(group.label, tuple) or not group.column  # names its columns itself, or is all rows
    name = group.name if own or not several else f"{group.column}={group.name}"
    said = w("list.semicolon").join(n.text(w.lang) for n in group.notes)
    cells = [Cell(w.known("special", name), said), count_cell(w, group.n)]
    return [*cells, *(estimate_cell(w, e) for e in group.estimates.values())]
