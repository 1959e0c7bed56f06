"""What detectors get wrong: types of errors, classes taken for others, and the wrong boxes with the highest scores."""

from __future__ import annotations

from heapq import nlargest
from typing import TYPE_CHECKING, Any

from curvewise.detection.mistakes.error_types import TYPES
from curvewise.document.blocks import Beside, Block, Cell, Fold, Grid, Heading, Section, Text
from curvewise.pages.cells import count_cell, number_cell

if TYPE_CHECKING:
    from curvewise.evaluation.detector import DetectorEvaluation
    from curvewise.pages.detectors.page import DetectionPage

MOST_COLUMNS = 12  # classes whose matrix is written as a table, one column per class
MOST_PAIRS, MOST_LISTED = 10, 60  # shown, and in the table of the figure of many classes
MOST_BOXES = 15
TOTALS = {"all false": "detection.errors.all_false", "all missed": "detection.errors.all_missed"}


def mistakes(page: DetectionPage) -> Section:
    """Write the section."""
    w, iou = page.w, page.evaluation.options.iou
    grid = _types_grid(page)
    how = Text(w("detection.errors.how", iou=iou), "note")
    plate = page.plate("detection_errors", grid)
    blocks: list[Block] = [*page.answer("detector_errors"), Beside(plate, [_types_grid(page), how])]
    confused = {d.name: _confusion(page, d) for d in page.detailed}
    blocks += [Heading(w("detection.errors.confusion")), *page.of_each(confused)]
    boxes: dict[str, list[Block]] = {d.name: [_boxes_grid(page, d)] for d in page.detailed}
    blocks.append(Fold(w("detection.errors.strongest"), page.of_each(boxes)))
    return Section("errors", w("ask.detector_errors"), blocks)


def _types_grid(page: DetectionPage) -> Grid:
    """Lay out the types with what each means, their numbers and gains, two columns per detector."""
    w, found = page.w, list(page.evaluation.detectors.values())
    first = found[0].errors
    head = [Cell(w("detection.column.type"))]
    for d in found:
        sub = d.name if len(found) > 1 else ""
        head += [Cell(w(f"detection.column.{k}"), sub, numeric=True) for k in ("count", "delta_ap")]
    rows = []
    for kind in (*TYPES, *TOTALS):
        if kind in TOTALS:
            name = Cell(w(TOTALS[kind]))
        else:
            said = w(f"detection.errors.meaning.{kind}", iou=first.iou, background=first.background)
            name = Cell(w(f"figure.word.error_{kind}"), said)
        cells = [
            cell
            for d in found
            for cell in (count_cell(w, d.errors.counts[kind]), number_cell(w, "area", d.errors.delta_ap[kind]))
        ]
        rows.append([name, *cells])
    return Grid(w("detection.errors.table", iou=first.iou), head, rows)


def _confusion(page: DetectionPage, detector: DetectorEvaluation) -> list[Block]:
    """Write which class is detected as which; the figure's table is the matrix, of many classes the pairs."""
    few = len(detector.confusion.classes) <= MOST_COLUMNS
    grid = _matrix_grid(page, detector) if few else _pairs_grid(page, detector, MOST_LISTED)
    pairs = _pairs_grid(page, detector, MOST_PAIRS)
    told: Block = pairs if pairs.rows else Text(page.w("detection.errors.no_pairs"))
    return [Beside(page.plate(f"detection_confusion:{page.place(detector.name)}", grid), [told])]


def _pairs_grid(page: DetectionPage, detector: DetectorEvaluation, most: int) -> Grid:
    w = page.w
    head = [Cell(w(f"detection.column.{k}")) for k in ("class", "taken_for")]
    head += [Cell(w(f"detection.column.{k}"), numeric=True) for k in ("objects", "share_of_class")]
    rows = []
    for row in detector.confusion.confused(most).rows():
        names = [Cell(str(row[k])) for k in ("class", "taken_for")]
        rows.append([*names, count_cell(w, row["objects"]), number_cell(w, "share", row["share_of_class"])])
    return Grid(w("detection.errors.pairs"), head, rows, heads=2)


def _matrix_grid(page: DetectionPage, detector: DetectorEvaluation) -> Grid:
    w, confusion = page.w, detector.confusion
    names = [str(c) for c in confusion.classes]
    head = [Cell(w("figure.word.annotated_as")), *(Cell(name, numeric=True) for name in names)]
    head.append(Cell(w("figure.word.missed"), numeric=True))
    rows = [
        [Cell(name), *(count_cell(w, n) for n in line)]
        for name, line in zip([*names, w("figure.word.background")], confusion.matrix.tolist(), strict=True)
    ]
    rows[-1][-1] = Cell("", raw=("",), numeric=True)  # nothing detected where there is nothing: not counted
    return Grid(w("figure.detection_confusion"), head, rows)


def _boxes_grid(page: DetectionPage, detector: DetectorEvaluation) -> Grid:
    """Lay out the wrong boxes with the highest scores, and the object that each is about."""
    w, columns = page.w, detector.errors.rows.columns
    scores = columns["score"]
    there = [k for k, score in enumerate(scores) if score is not None]
    kept = nlargest(MOST_BOXES, there, key=lambda k: (scores[k], -k))
    head = [
        Cell(w("detection.column.score"), numeric=True),
        *(Cell(w(f"detection.column.{k}")) for k in ("type", "class", "image", "truth", "truth_class")),
        Cell(w("detection.column.iou"), numeric=True),
    ]
    rows = []
    for k in kept:
        about = [Cell(_name(columns[name][k])) for name in ("class", "image", "truth", "truth_class")]
        kind, overlap = w(f"figure.word.error_{columns['error'][k]}"), columns["iou"][k]
        last = Cell("", raw=("",), numeric=True) if overlap is None else number_cell(w, "area", overlap)
        rows.append([number_cell(w, "cost", scores[k]), Cell(kind), *about, last])
    return Grid(w("detection.errors.rows"), head, rows)


def _name(value: Any) -> str:
    return "" if value is None else str(value)
