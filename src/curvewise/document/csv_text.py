"""A document as CSV: one row per number, in full precision, safe in a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from curvewise.results.numbers import json_safe
from curvewise.results.text import spreadsheet

if TYPE_CHECKING:
    from curvewise.document.blocks import Document
    from curvewise.results.result import Table


def csv_text(document: Document) -> str:
    """Return the long rows of a document; text that a spreadsheet would run is quoted."""
    text = io.StringIO()
    rows = [[spreadsheet(c) if isinstance(c, str) else json_safe(c) for c in row] for row in document.long]
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def long_rows(tables: Iterable[tuple[dict[str, Any], Table]]) -> list[list[Any]]:
    """Put tables below each other under one header; each comes with what names its rows.

    Columns that only some of the tables have are empty in the others.
    """
    rows = [{**names, **row} for names, table in tables for row in table.rows()]
    head = list(dict.fromkeys(name for row in rows for name in row))
    return [head, *([row.get(name, "") for name in head] for row in rows)]
