"""A report as paragraphs and grids of text, the same for a terminal, a file and Markdown."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from curvewise.results.numbers import show
from curvewise.results.text import visible, width

if TYPE_CHECKING:
    from curvewise.cli.measured import Cut, Report, Scored, Value


@dataclass(frozen=True)
class Grid:
    """A titled table of text; the columns named in ``right`` are numbers."""

    title: str
    head: list[str]
    rows: list[list[str]]
    right: range

    def __str__(self) -> str:
        lines = [self.head, *self.rows]
        widths = [max(width(visible(line[i])) for line in lines) for i in range(len(self.head))]
        lines.insert(1, ["─" * w for w in widths])
        return "\n".join([visible(self.title), "", *(self._line(line, widths) for line in lines)])

    def _line(self, cells: list[str], widths: list[int]) -> str:
        padded = []
        for i, (cell, room) in enumerate(zip(map(visible, cells), widths, strict=True)):
            gap = " " * (room - width(cell))
            padded.append(gap + cell if i in self.right else cell + gap)
        return "  ".join(padded).rstrip()


def layout(report: Report) -> list[Grid | str]:
    """Return the parts of a report in reading order."""
    parts: list[Grid | str] = [_data(report), _scores(report)]
    parts += [line for line in [_prevalence(report), *_reasons(report)] if line]
    parts += [_cut(s, cut) for s in report.scores for cut in s.thresholds]
    return parts + report.remarks


def _data(report: Report) -> Grid:
    o, d = report.options, report.data
    what = f"Data: {report.source}, label {o['label']}, positive class {o['positive']}"
    lower = ", a low score means positive" if o["higher_is"] == "negative" else ""
    weighed = f" (sum of {o['weight']})" if o["weight"] else ""
    rows = [
        ["rows in the file", show(d["rows"])],
        ["rows dropped (a value is missing)", show(d["dropped"])],
        [f"positives{weighed}", show(d["positives"])],
        [f"negatives{weighed}", show(d["negatives"])],
        ["prevalence", show(d["prevalence"])],
    ]
    if o["round_to"] is not None:
        rows.append(["scores rounded to decimals", str(o["round_to"])])
    return Grid(what + lower, ["fact", "value"], rows, range(1, 2))


def _scores(report: Report) -> Grid:
    names = [s.name for s in report.scores]
    rows = [
        ["distinct_scores", *(str(s.distinct_scores) for s in report.scores), "fewer than rows means ties"]
    ]
    rows += [
        [values[0].metric, *(with_ends(v) for v in values), values[0].meaning]
        for values in zip(*(s.metrics for s in report.scores), strict=True)
    ]
    level = f" ({100 * report.options['level']:.4g} % intervals)"
    ends = any(v.low is not None for s in report.scores for v in s.metrics)
    return Grid(
        "Ranking" + (level if ends else ""), ["metric", *names, "meaning"], rows, range(1, 1 + len(names))
    )


def with_ends(value: Value) -> str:
    """Write a number with its interval, if it has one."""
    if value.low is None or value.high is None:
        return show(value.value)
    return f"{show(value.value)} ({show(value.low)} to {show(value.high)})"


def _prevalence(report: Report) -> str:
    asked = report.options["prevalence"]
    if asked is None:
        return ""
    return (
        f"Precision-recall numbers and everything at a threshold are re-expressed at prevalence "
        f"{asked} (in the data {show(report.data['prevalence'])}): the same ranking in such a population."
    )


def _reasons(report: Report) -> list[str]:
    return [
        f"{v.metric} of {s.name} is undefined: {v.reason}"
        for s in report.scores
        for v in s.metrics
        if math.isnan(v.value)
    ]


def _cut(scored: Scored, cut: Cut) -> Grid:
    counts = ", ".join(f"{k.upper()} {show(v)}" for k, v in cut.counts.items())
    title = f"{scored.name} at threshold {cut.threshold}: {counts} ({cut.rule}; {cut.intervals})"
    rows = [[v.metric, show(v.value), show(v.low), show(v.high), v.meaning] for v in cut.metrics]
    return Grid(title, ["metric", "value", "low", "high", "meaning"], rows, range(1, 4))
