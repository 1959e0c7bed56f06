"""Cells and tables of the page: numbers by their unit, with intervals, in the reader's words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from curvewise.document.blocks import Cell, Grid
from curvewise.errors import Note
from curvewise.metric.registry import known
from curvewise.rows.columns import is_number

if TYPE_CHECKING:
    from curvewise.decisions.choice import Rule
    from curvewise.results.estimate import Estimate
    from curvewise.results.result import Table
    from curvewise.words import Words

MOST_MODELS = 6  # that stand side by side in a table
UNITS = {"share": "share", "area": "area"}  # all other units are written as a cost is
COLUMNS = {  # how columns that are no metric are written, where it is not by their type
    "threshold": "amount",
    **dict.fromkeys(("weight", "i2", "gain"), "share"),
    **dict.fromkeys(("ratio", "recall_gain", "precision_gain", "hand_till", "ap"), "area"),
    **dict.fromkeys(("p", "p_value", "p_holm", "p_equal", "p_non_inferior", "p_equivalent"), "p_value"),
}
PROBABILITIES = ("prevalence", "threshold_probability", "confidence")  # options of rules that are written as a per cent
DIFFERENCES = ("gap", "difference")
VALUES = ("value", *DIFFERENCES)  # of what a row is about


def way_of(name: str) -> str:
    """Say how a metric or a column is written: the name of a method of `Numbers`."""
    if name in COLUMNS:
        return COLUMNS[name]
    found = known(name)
    return "cost" if found is None else UNITS.get(found.unit, "cost")


def label_of(w: Words, name: str, *, shown: bool = False) -> str:
    """Return what a reader calls a metric (``shown``: with the options that tables have), or any column."""
    found = known(name)
    if found is None:
        return w.known("metric" if f"metric.{name}" in w else "column", name)
    return found.label(w.lang, shown=shown)


def meaning_of(w: Words, name: str, value: float | None = None, *, shown: bool = False) -> str:
    """Return what a metric says; nothing for what is none."""
    found = known(name)
    return "" if found is None else found.meaning(w.lang, value, shown=shown)


def rule_of(w: Words, rule: Rule) -> str:
    """Return what a reader calls a rule, with the options that it was given."""
    name, told = w.known("rule", rule.name), []
    given = rule.options | ({} if rule.prevalence is None else {"prevalence": rule.prevalence})
    for option, value in given.items():
        if option == "rules":
            told.append(w.listed([rule_of(w, each) for each in value]))
            continue
        way = "level" if option in PROBABILITIES else "amount"
        said = written(w, way, value) if is_number(value) else getattr(value, "__name__", str(value))
        told.append(f"{w.known('rule_option', option)} {said}".strip())
    return w("point.rule", rule=name, options=w.listed(told)) if told else name


def written(w: Words, way: str, value: Any) -> str:
    """Write a number."""
    return str(getattr(w.numbers, way)(value))


def number_cell(w: Words, way: str, value: Any) -> Cell:
    """Return a cell with a number."""
    return Cell(written(w, way, value), raw=(value,), numeric=True)


def count_cell(w: Words, value: Any) -> Cell:
    """Return a cell with a count."""
    return number_cell(w, "count", value)


def value_of(w: Words, estimate: Estimate, way: str) -> str:
    """Write the value of an estimate, with as many digits as its interval."""
    return w.numbers.written(estimate.value, way, w.numbers.digits(estimate.low, estimate.high, way))


def ends_of(w: Words, estimate: Estimate, way: str | None = None) -> str:
    """Write the interval of an estimate, or nothing where it has none."""
    if not estimate.has_interval:
        return ""
    return w.interval(estimate.low, estimate.high, way or way_of(estimate.metric))


def estimate_cell(w: Words, estimate: Estimate | None, way: str | None = None) -> Cell:
    """Return a cell with a value and, smaller, its interval or why there is no value."""
    if estimate is None:
        return Cell(w.numbers.area(None), raw=("", "", ""), numeric=True)
    way = way or way_of(estimate.metric)
    sub = ends_of(w, estimate, way)
    if not math.isfinite(estimate.value) and estimate.reason is not None:
        sub = estimate.reason.text(w.lang)
    raw = (estimate.value, estimate.low, estimate.high)
    return Cell(value_of(w, estimate, way), sub, raw, numeric=True)


def estimate_head(w: Words, text: str, sub: str = "") -> Cell:
    """Return the head of a column of estimates: three columns of a CSV file."""
    ends = (f"{text}: {w('column.low')}", f"{text}: {w('column.high')}")
    return Cell(text, sub, (text, *ends), numeric=True)


def metrics_grid(w: Words, found: Mapping[str, Mapping[str, Estimate]], caption: str) -> Grid:
    """Lay out estimates: one row per metric with what it says, one column per model; of many models one row each."""
    if len(found) > MOST_MODELS:
        return _models_grid(w, found, caption)
    head = [Cell(w("column.metric")), *(estimate_head(w, name) for name in found)]
    names = dict.fromkeys(metric for estimates in found.values() for metric in estimates)
    rows = [
        [
            Cell(label_of(w, name, shown=True), meaning_of(w, name, shown=True)),
            *(estimate_cell(w, e.get(name)) for e in found.values()),
        ]
        for name in names
    ]
    return Grid(caption, head, rows)


def _models_grid(w: Words, found: Mapping[str, Mapping[str, Estimate]], caption: str) -> Grid:
    names = dict.fromkeys(metric for estimates in found.values() for metric in estimates)
    head = [Cell(w("column.model")), *(estimate_head(w, label_of(w, name, shown=True)) for name in names)]
    rows = [[Cell(model), *(estimate_cell(w, e.get(name)) for name in names)] for model, e in found.items()]
    return Grid(caption, head, rows)


def table_grid(w: Words, table: Table, caption: str, *, metric: str = "", leave: tuple[str, ...] = ()) -> Grid:
    """Lay out any table of a result; ends of intervals go under their value.

    ``metric`` is what the values are of, where no column of the table says it.
    """
    rows = table.rows()
    says = {n: any(v not in (None, "") for v in values) for n, values in table.columns.items()}
    names = [n for n in table.columns if n not in leave and says[n]]
    ends = _ends(names)
    inner = {end for pair in ends.values() for end in pair}
    shown = [n for n in names if n not in inner]
    numeric = dict(zip(table.columns, table.numeric(), strict=True))
    head = [estimate_head(w, _head(w, n)) if n in ends else Cell(_head(w, n), numeric=numeric[n]) for n in shown]
    cells = [[_cell(w, n, row, ends.get(n), str(row.get("metric", metric))) for n in shown] for row in rows]
    return Grid(caption, head, cells)


def _ends(names: list[str]) -> dict[str, tuple[str, str]]:
    """Find which columns are the ends of whose interval: ``x_low`` and ``x_high``, or the plain ones."""
    found = {n: (f"{n}_low", f"{n}_high") for n in names}
    if "low" in names:
        found[names[names.index("low") - 1]] = ("low", "high")
    return {n: pair for n, pair in found.items() if all(end in names for end in pair)}


def _head(w: Words, name: str) -> str:
    return w(f"column.{name}") if f"column.{name}" in w else label_of(w, name)


def _cell(w: Words, name: str, row: dict[str, Any], ends: tuple[str, str] | None, metric: str) -> Cell:
    value = row.get(name)
    if isinstance(value, Note):
        return Cell(value.text(w.lang))
    if isinstance(value, str):
        return Cell(label_of(w, value) if name == "metric" else w.known("special", value))
    if isinstance(value, bool) or value is None:
        return Cell("" if value is None else w("yes") if value else w("no"), raw=("",))
    way = way_of(metric if name in VALUES and metric else name)
    if isinstance(value, int) and name not in COLUMNS and way == "cost":
        way = "count"
    if name in DIFFERENCES and way == "share":
        way = "points"
    if ends is None:
        return number_cell(w, way, value)
    low, high = (row[end] for end in ends)
    undefined = low is None or math.isnan(low)
    sub = "" if undefined else w.interval(low, high, way)
    text = w.numbers.written(value, way, None if undefined else w.numbers.digits(low, high, way))
    return Cell(text, sub, (value, low, high), numeric=True)
