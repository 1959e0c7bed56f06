"""A report in four formats, on standard output or in a file."""

from __future__ import annotations

import csv
import io
import json
import sys
from typing import TYPE_CHECKING, Literal

from curvewise._table import json_safe
from curvewise.cli.layout import Grid, layout
from curvewise.cli.run import ReaderGoneError, say
from curvewise.cli.text import markdown, spreadsheet, visible

if TYPE_CHECKING:
    from pathlib import Path

    from curvewise.cli.report import Report

Format = Literal["table", "json", "md", "csv"]


def emit(report: Report, form: Format, output: Path | None) -> None:
    """Write the report where it belongs, and its notes on standard error."""
    for note in report.notes:
        say(f"Note: {note}.")
    if form == "csv":  # the long form has no place for words
        for line in [p for p in layout(report) if isinstance(p, str)]:
            say(line)
    if output is not None:
        from curvewise.cli.writing import write_atomically  # noqa: PLC0415 - only with -o

        write_atomically(output, render(report, form).encode())
        return
    try:
        if form == "table" and sys.stdout.isatty() and _on_terminal(report):
            return
        if isinstance(sys.stdout, io.TextIOWrapper):  # a terminal of another encoding shows "?"
            sys.stdout.reconfigure(errors="replace")
        sys.stdout.write(render(report, form))
        sys.stdout.flush()
    except BrokenPipeError:
        raise ReaderGoneError from None


def render(report: Report, form: Format) -> str:
    """Return the report as text that ends in a newline."""
    if form == "json":
        return json.dumps(report.to_dict(), indent=2, allow_nan=False) + "\n"
    if form == "csv":
        return _long(report)
    if form == "md":
        return "\n\n".join(_markdown(part) for part in layout(report)) + "\n"
    return "\n\n".join(visible(p) if isinstance(p, str) else str(p) for p in layout(report)) + "\n"


def _long(report: Report) -> str:
    text = io.StringIO()
    write = csv.writer(text, lineterminator="\n").writerow
    write(["score", "threshold", "metric", "value", "low", "high"])
    for scored in report.scores:
        name = spreadsheet(scored.name)
        for fact, number in {**report.data, "distinct_scores": scored.distinct_scores}.items():
            write([name, "", fact, number, "", ""])
        for value in scored.metrics:
            write([name, "", value.metric, json_safe(value.value), "", ""])
        for cut in scored.thresholds:
            for count, number in cut.counts.items():
                write([name, cut.threshold, count, number, "", ""])
            for v in cut.metrics:
                write([name, cut.threshold, v.metric, *(json_safe(x) for x in (v.value, v.low, v.high))])
    return text.getvalue()


def _markdown(part: Grid | str) -> str:
    if isinstance(part, str):
        return markdown(part)
    rule = ["---:" if i in part.right else "---" for i in range(len(part.head))]
    lines = [[markdown(c) for c in part.head], rule, *([markdown(c) for c in row] for row in part.rows)]
    return "\n".join(
        [f"### {markdown(part.title)}", "", *("| " + " | ".join(cells) + " |" for cells in lines)]
    )


def _on_terminal(report: Report) -> bool:
    """Print with rich; say False where it is not installed. Colours obey NO_COLOR there."""
    try:
        from rich import box  # noqa: PLC0415 - slow to load, for a terminal alone
        from rich.console import Console  # noqa: PLC0415
        from rich.table import Table  # noqa: PLC0415
        from rich.text import Text  # noqa: PLC0415
    except ImportError:
        return False
    console = Console(highlight=False, markup=False, emoji=False)
    for part in layout(report):
        if isinstance(part, str):
            console.print(Text(visible(part)))
        else:
            table = Table(title=Text(visible(part.title), "bold"), title_justify="left", box=box.SIMPLE_HEAD)
            for i, name in enumerate(part.head):
                style = "cyan" if i == 0 else None
                table.add_column(
                    Text(visible(name)), justify="right" if i in part.right else "left", style=style
                )
            for row in part.rows:
                table.add_row(*(Text(visible(cell)) for cell in row))
            console.print(table)
        console.print()
    return True
