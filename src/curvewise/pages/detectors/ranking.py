"""How good detectors are: the numbers, their differences, each class, by overlap and by size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curvewise.curves.pr import pr_curve
from curvewise.detection.matching.options import ALL
from curvewise.detection.numbers.catalogue import number_of
from curvewise.detection.numbers.summary import meaning
from curvewise.document.blocks import Beside, Block, Cell, Fold, Grid, Heading, Plates, Section, Text
from curvewise.pages.cells import count_cell, estimate_cell, estimate_head, number_cell, table_grid
from curvewise.pages.curve_tables import TENTHS, first_reaching
from curvewise.pages.detectors.drawings import BREAKDOWNS

if TYPE_CHECKING:
    from curvewise.detection.numbers.per_class import ClassRow
    from curvewise.evaluation.detector import DetectorEvaluation
    from curvewise.pages.detectors.page import DetectionPage

FEW_CLASSES = 20  # whose table is not folded
ESTIMATED = ("ap", "ap50", "ap75", "ar")


def quality(page: DetectionPage) -> Section:
    """Write the section."""
    w = page.w
    blocks: list[Block] = [*page.answer("detector_quality"), _numbers(page)]
    if page.evaluation.options.intervals:
        blocks.append(Text(w("detection.quality.bias"), "note"))
    blocks += [*_comparison(page), Heading(w("detection.quality.classes")), *_classes(page)]
    more = [page.plate(key, grid) for key, grid in _parts(page).items() if key in page.figures]
    if more:
        blocks += [Heading(w("detection.quality.overlap")), Plates(more)]
    return Section("quality", w("ask.detector_quality"), blocks)


def label_of(page: DetectionPage, name: str) -> str:
    """Return what a reader calls a number: AP, AP50, AP of small objects."""
    w, found = page.w, number_of(page.first.matched, name)
    if found.area != ALL:
        return w(f"detection.number.{found.kind}_of", what=w.known("detection.size", found.area))
    if found.frequency is not None:
        return w(f"detection.number.{found.kind}_of", what=w(f"detection.frequency.{found.frequency}"))
    return name.upper().replace("_", "@")


def _numbers(page: DetectionPage) -> Grid:
    w, found = page.w, page.evaluation.detectors.values()
    summary = page.first.summary
    head = [Cell(w("detection.column.number"))]
    head += [estimate_head(w, d.name if len(found) > 1 else w("column.value")) for d in found]
    head.append(Cell(w("detection.column.classes"), numeric=True))
    rows = []
    for name in summary.numbers:
        said = meaning(page.first.matched, number_of(page.first.matched, name), w.lang)
        cells = [estimate_cell(w, d.summary.numbers[name], "area") for d in found]
        rows.append([Cell(label_of(page, name), said), *cells, count_cell(w, summary.classes[name])])
    return Grid(_caption(page, "detection.quality.table"), head, rows)


def _caption(page: DetectionPage, key: str) -> str:
    """Return the caption of a table of estimates; without intervals it does not speak of them."""
    options = page.evaluation.options
    return page.w(key, level=options.level) if options.intervals else page.w(f"{key}_alone")


def _comparison(page: DetectionPage) -> list[Block]:
    """Write the paired differences of AP."""
    w, found = page.w, page.evaluation.comparison
    if found is None:
        return []
    leave = ("low_simultaneous", "high_simultaneous", "statistic", *(("p_holm",) if len(found.pairs) == 1 else ()))
    caption = w("detection.quality.compare_table", level=page.evaluation.options.level)
    grid = table_grid(w, found.table, caption, metric="ap", leave=leave)
    told: list[Block] = [grid, Text(w("detection.quality.compare_how"), "note"), *page.remarks(found.notes)]
    plate = page.plate("detection_difference", grid)
    shown: list[Block] = [*told] if plate.figure is None else [Beside(plate, told)]
    by_class = page.evaluation.class_differences
    if by_class is not None:
        title = w("detection.quality.compare_classes", first=by_class.first, second=by_class.second)
        shown.append(Fold(title, [table_grid(w, by_class.table, title, metric="ap"), *page.remarks(by_class.notes)]))
    return [Heading(w("ask.detector_better")), *page.answer("detector_better"), *shown]


def _classes(page: DetectionPage) -> list[Block]:
    """Write AP of each class, and precision against recall."""
    w, count = page.w, len(page.first.per_class.rows)
    each: dict[str, list[Block]] = {d.name: [_class_grid(page, d)] for d in page.detailed}
    plates = [page.plate("detection_classes", _forest_grid(page))]
    iou = page.evaluation.options.iou
    plates += [
        page.plate(f"detection_pr:{page.place(d.name)}", _pr_grid(page, d), d.name, iou=iou) for d in page.detailed
    ]
    tables = page.of_each(each)
    if count > FEW_CLASSES:
        tables = [Fold(w("detection.quality.class_fold", count=count), tables)]
    return [Plates(plates), *tables]


def worst_first(detector: DetectorEvaluation) -> list[ClassRow]:
    """Return the classes by rising AP; those that have none last."""
    return sorted(detector.per_class.rows, key=lambda row: (not row.ap.is_defined, row.ap.value))


def _class_grid(page: DetectionPage, detector: DetectorEvaluation) -> Grid:
    w, rows = page.w, worst_first(detector)
    several = len(detector.matched.iou) > 1  # else AP is that at the only one
    shown = [k for k in ESTIMATED if (several or k in ("ap", "ar")) and getattr(rows[0], k) is not None]
    head = [Cell(w("detection.column.class"))]
    head += [Cell(w(f"detection.column.{k}"), numeric=True) for k in ("truths", "detections")]
    head.append(estimate_head(w, w("detection.column.ap")))
    head += [Cell(w(f"detection.column.{k}"), numeric=True) for k in (*shown[1:], "best_f", "best_threshold")]
    lines = []
    for row in rows:
        cells = [Cell(str(row.name)), count_cell(w, row.truths), count_cell(w, row.detections)]
        cells.append(estimate_cell(w, row.ap, "area"))
        cells += [number_cell(w, "area", _value(getattr(row, k))) for k in (*shown[1:], "best_f")]
        lines.append([*cells, number_cell(w, "cost", row.best_threshold)])
    return Grid(_caption(page, "detection.quality.class_table"), head, lines)


def _value(found: Any) -> float:
    return float(getattr(found, "value", found))


def _forest_grid(page: DetectionPage) -> Grid:
    """Return AP of each class, one column per detector."""
    w, found = page.w, page.detailed
    head = [Cell(w("detection.column.class")), Cell(w("detection.column.truths"), numeric=True)]
    head += [estimate_head(w, d.name if len(found) > 1 else w("detection.column.ap")) for d in found]
    others = [{row.name: row.ap for row in d.per_class.rows} for d in found]
    rows = [
        [Cell(str(r.name)), count_cell(w, r.truths), *(estimate_cell(w, ap[r.name], "area") for ap in others)]
        for r in worst_first(found[0])
    ]
    return Grid(w("figure.detection_classes"), head, rows)


def _pr_grid(page: DetectionPage, detector: DetectorEvaluation) -> Grid:
    """Return precision where recall reaches round places."""
    w = page.w
    head = [Cell(w("detection.column.class"))]
    head += [Cell(w(f"detection.column.{k}"), numeric=True) for k in ("recall", "precision")]
    rows = []
    for row in worst_first(detector)[:FEW_CLASSES]:
        sweep = detector.sweeps.get(row.name)
        if sweep is None or not len(sweep.threshold):
            continue
        curve = pr_curve(sweep)
        for k in first_reaching(curve.recall, TENTHS):
            values = (float(curve.recall[k]), float(curve.precision[k]))
            rows.append([Cell(str(row.name)), *(number_cell(w, "share", v) for v in values)])
    return Grid(w("figure.detection_pr"), head, rows, points=True)


def _parts(page: DetectionPage) -> dict[str, Grid]:
    """Return AP by overlap and by size, one column per detector."""
    w, found = page.w, page.evaluation.detectors.values()
    grids = {}
    for key, part in BREAKDOWNS.items():
        if getattr(page.first, part) is None:
            continue
        each = [{g.name: g.ap for g in getattr(d, part).groups} for d in found]
        head = [Cell(w(f"detection.column.{key.removeprefix('detection_')}"))]
        head += [estimate_head(w, d.name if len(found) > 1 else w("detection.column.ap")) for d in found]
        rows = [[Cell(_part_name(page, name)), *(estimate_cell(w, e[name], "area") for e in each)] for name in each[0]]
        grids[key] = Grid(w(f"figure.{key}"), head, rows)
    return grids


def _part_name(page: DetectionPage, name: Any) -> str:
    w = page.w
    return w.known("detection.size", name) if isinstance(name, str) else w.numbers.amount(name)
