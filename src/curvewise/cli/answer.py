"""The answer of a command as a document: facts on the data, then what the results themselves show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curvewise.document.blocks import Block, Cell, Document, Grid, Heading, Section, Text, blocks_of
from curvewise.document.csv_text import long_rows
from curvewise.document.json_text import heading
from curvewise.results.numbers import json_safe, show

if TYPE_CHECKING:
    from curvewise.cli.input import FileInput
    from curvewise.cli.options import Answer

FACTS = {"rows": "rows in the file", "dropped": "rows dropped (a value is missing)"}
# at a horizon
FACTS |= {"cases": "cases (event by then)", "controls": "controls (no event by then)"}
FACTS |= {"unknown": "unknown (censored before)", "competing": "rows with a competing event by then"}
FACTS |= {"censoring_left": "share not censored before", "largest_weight": "largest weight of censoring"}
FACTS |= {"effective_rows": "effective number of known rows"}


def document_of(command: str, data: FileInput, options: dict[str, Any], answer: Answer) -> Document:
    """Lay out what a command found: under a score's name what is of this score, under None what is of all."""
    asked = {**data.reading(), **{k: v for k, v in options.items() if k != "config"}}
    blocks: list[Block | Section] = [_facts(data), *(Text(str(said), "note") for said in data.remarks)]
    body: dict[str, Any] = {"data": json_safe(data.facts())}
    tables = []
    reading = tuple(map(str, data.data.notes))
    notes: list[Any] = [*reading, *(said.to_dict() for said in data.remarks)]
    for score, results in answer.items():
        several = len(results) > 1
        if score is not None:
            blocks.append(Heading(f"Score {score}"))
            found = {key: result.to_dict() for key, result in results.items()}
            body.setdefault("scores", []).append({"name": score, **found})
        for key, result in results.items():
            blocks += blocks_of(result)
            names = {**({} if score is None else {"score": score}), **({"table": key} if several else {})}
            tables += [(names, table) for table in result.tables()]
            if score is None:
                found = {key: result.to_dict()} if key else result.content()
                notes += found.pop("notes", [])
                body = {**found, **body}
    hints = data.hints(options.get("level", 0.95))
    blocks += [Text(str(hint), "warn") for hint in hints]
    notes += [hint.to_dict() for hint in hints]
    head = heading("multiclass" if data.classes else command, data.source, asked)
    content = {**head, "notes": notes, **body}
    return Document(f"curvewise {command}", blocks, content, long_rows(tables), reading)


def _facts(data: FileInput) -> Grid:
    weighed = f" (sum of {data.weight})" if data.weight is not None else ""
    rows = {
        FACTS.get(name, name) + (weighed if name.endswith("tives") else ""): show(value)
        for name, value in data.facts().items()
    }
    if data.round_to is not None:
        rows["scores rounded to decimals"] = str(data.round_to)
    title = f"Data: {data.source}, {data.outcome}"
    head = [Cell("fact"), Cell("value", numeric=True)]
    return Grid(title, head, [[Cell(name), Cell(value, numeric=True)] for name, value in rows.items()])
