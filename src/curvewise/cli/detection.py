"""What ``curvewise detect`` shows of an evaluation: answers, numbers, classes, errors, differences, notes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from curvewise.detection.matching.options import MatchOptions, read_options
from curvewise.detection.numbers.catalogue import find_number, numbers_for
from curvewise.document.blocks import Answers, Block, Document, Heading, Section, Text, blocks_of, grid_of
from curvewise.document.csv_text import long_rows
from curvewise.document.json_text import heading
from curvewise.document.terminal import Screen, terminal
from curvewise.pages.render import page_of
from curvewise.results.result import Result, Table
from curvewise.results.text import visible
from curvewise.words import Lang, words

if TYPE_CHECKING:
    from curvewise.evaluation.detector import DetectorEvaluation
    from curvewise.evaluation.detectors import DetectionEvaluation

MANY, SHOWN = 20, 10  # more classes than the first are not all shown unasked, but so many
ORDERS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "worst": lambda row: (row["ap"] != row["ap"], row["ap"]),
    "name": lambda row: str(row["class"]),
    "objects": lambda row: -row["truths"],
}


@dataclass(frozen=True)
class _Facts:
    """What ``--fail-under`` has to know of a number."""

    name: str
    better: str = "higher"
    interval: str = "basic"
    target: float | None = None


def bars_of(matching: dict[str, Any]) -> Callable[[str], Any]:
    """Return what looks up a number by name, for ``--fail-under``, before anything is read."""
    names = ("rule", "iou", "max_detections", "ties", "absent", "interpolation")
    options: MatchOptions = read_options(areas=None, **{name: matching[name] for name in names})
    known = numbers_for(options, frequency=options.rule == "lvis")
    return lambda name: _Facts(find_number(known, name).name)


def detection_document(
    evaluation: DetectionEvaluation, source: str, asked: dict[str, Any], *, by: str | None, sort: str, errors: bool
) -> Document:
    """Lay out an evaluation, or the one table that was asked for."""
    each = evaluation.detectors.values()
    blocks: list[Block | Section] = []
    tables: list[tuple[dict[str, Any], Table]] = []

    def add(d: DetectorEvaluation, key: str, found: Result, shown: list[Block] | None = None) -> None:
        if evaluation.several:
            blocks.append(Heading(d.name))
        blocks.extend(blocks_of(found) if shown is None else shown)
        tables.extend(({"detector": d.name, "table": key}, table) for table in found.tables())

    if errors:
        for d in each:
            add(d, "errors", d.errors, [*blocks_of(d.errors), grid_of(d.errors.class_table)])
    elif by == "class":
        for d in each:
            add(d, "classes", _sorted(d.per_class.table, sort))
    elif by is not None:
        for d in each:
            add(d, by, d.by(by))
    else:
        blocks += [_answers(evaluation), grid_of(evaluation.table)]
        tables += [({"detector": d.name, "table": "numbers"}, d.summary.table) for d in each]
        if evaluation.comparison is not None:
            blocks += blocks_of(evaluation.comparison)
            tables += [({"table": "comparison"}, table) for table in evaluation.comparison.tables()]
        if evaluation.class_differences is not None:
            tables += [({"table": "class_differences"}, table) for table in evaluation.class_differences.tables()]
        for d in each:
            classes = _sorted(d.per_class.table, sort)
            add(d, "classes", classes, _some(classes))
            blocks += [grid_of(d.errors.table), *([grid_of(d.at.table)] if len(d.at.by_class) <= MANY else [])]
            tables.append(({"detector": d.name, "table": "errors"}, d.errors.table))
            tables.append(({"detector": d.name, "table": "at"}, d.at.table))
    blocks += [Text(str(said), "note") for said in evaluation.notes]
    head = heading("detect", source, asked)
    return Document("curvewise detect", blocks, {**head, **evaluation.content()}, long_rows(tables))


def _sorted(table: Table, sort: str) -> Table:
    rows = sorted(table.rows(), key=ORDERS[sort])
    return Table(table.title, {name: [row[name] for row in rows] for name in table.columns})


def _some(table: Table) -> list[Block]:
    """Return the first classes of many, and how to see all."""
    if len(table) <= MANY:
        return [grid_of(table)]
    first = Table(table.title, {name: values[:SHOWN] for name, values in table.columns.items()})
    return [grid_of(first), Text(f"{SHOWN} of {len(table)} classes; --by class shows all.")]


def page_summary(evaluation: DetectionEvaluation, written: str, screen: Screen) -> str:
    """Return the answers of a page, and where it was written."""
    w = words(screen.lang)
    text = terminal(Document("", [_answers(evaluation, screen.lang)], {}, []), screen)
    return f"{text}\n{w('terminal.report', path=visible(written))}\n"


def _answers(evaluation: DetectionEvaluation, lang: Lang = "en") -> Answers:
    page = page_of(evaluation, lang)
    rows = [(page.w(f"ask.{key}"), list(map(page.sentence, notes)), "") for key, notes in evaluation.answers.items()]
    return Answers(rows)
