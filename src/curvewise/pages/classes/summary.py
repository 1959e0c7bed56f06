"""The summary: every question answered in a sentence, the numbers that matter, the confusion matrix and ROC."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.document.blocks import Answers, Block, Card, CardColumn, Cards, Cell, Grid, Plates, Section
from curvewise.pages.cells import ends_of, label_of, way_of, written
from curvewise.pages.classes.cells import class_grid
from curvewise.pages.classes.ranking import curve_grid, estimates_grid

if TYPE_CHECKING:
    from curvewise.pages.classes.page import ClassPage


CARDS = ("accuracy", "balanced_accuracy", "roc_auc", "log_loss")
WITHOUT_SCORES = ("accuracy", "balanced_accuracy", "kappa")
MOST_COLUMNS = 12  # classes whose matrix is written as a table of counts, one column per class


def summary(page: ClassPage) -> Section:
    """Write the answers and the numbers that matter, and below them the confusion matrix and the ROC curves."""
    w, lang, found = page.w, page.w.lang, page.classes
    answers = [(v.asked(lang), [a.text(lang) for a in v.answers], v.section) for v in page.evaluation.verdicts]
    plates = [page.plate("confusion_matrix", _matrix_grid(page))]
    if found.rows.ready is not None:
        plates.append(page.plate("class_roc", curve_grid(page, "roc")))
    return Section("summary", w("section.summary"), [Answers(answers), cards(page), Plates(plates)])


def numbers(page: ClassPage) -> list[Block]:
    """Return the numbers that a terminal shows: of all classes together, and of each class."""
    w, found = page.w, page.classes
    return [estimates_grid(page), class_grid(w, found.summary.each, w("classes.table", level=page.level))]


def cards(page: ClassPage) -> Cards:
    """Return the numbers that matter as cards."""
    w, found = page.w, page.classes
    names = CARDS if found.are_probabilities else WITHOUT_SCORES if found.rows.ready is None else CARDS[:3]
    return Cards([CardColumn(w("many.all"), None, [_card(page, name) for name in names])])


def _card(page: ClassPage, name: str) -> Card:
    w, found = page.w, page.classes.estimates[name]
    words = found.reason.text(w.lang) if found.reason is not None and not found.is_defined else w(f"many.card.{name}")
    return Card(label_of(w, name), written(w, way_of(name), found.value), ends_of(w, found), words)


def _matrix_grid(page: ClassPage) -> Grid:
    """Return the counts with their shares of the true class; of very many classes one row per pair that occurs."""
    w, matrix = page.w, page.classes.rows.matrix
    names = matrix.table.columns["class"]
    if len(names) > MOST_COLUMNS:
        return class_grid(w, matrix.confused(), w("many.pairs"))
    head = [Cell(w("figure.word.actual")), *(Cell(w("many.taken_as", label=name), numeric=True) for name in names)]
    rows = []
    for name, counts, total in zip(names, matrix.counts.tolist(), matrix.support.tolist(), strict=True):
        cells = [
            Cell(written(w, "count", n), written(w, "share", n / total) if total else "", (n,), numeric=True)
            for n in counts
        ]
        rows.append([Cell(name), *cells])
    return Grid(w("classes.confusion"), head, rows)
