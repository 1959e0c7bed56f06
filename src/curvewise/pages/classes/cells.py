"""Tables of classes as blocks, in the words for classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curvewise.document.blocks import Cell, Grid
from curvewise.pages.cells import estimate_head, number_cell, written

if TYPE_CHECKING:
    from curvewise.results.result import Table
    from curvewise.words import Words

# how the columns of the tables of classes are written, where it is not as a metric of two classes is
SHARES = ("prevalence", "precision", "recall", "share_of_class", "mean_probability", "observed")
LACKS = {"no row is of this class": "rows", "no row is predicted so": "predictions"}
AREAS = ("f1", "roc_auc", "average_precision", "observed_expected", "calibration_slope", "ece", "largest_gap")


def class_grid(w: Words, table: Table, caption: str) -> Grid:
    """Lay out a table of classes in the words for classes; ends of intervals go under their value."""
    says = [k for k, values in table.columns.items() if any(v is not None for v in values)]
    shown = [k for k in says if not k.endswith(("_low", "_high"))]
    numeric = dict(zip(table.columns, table.numeric(), strict=True))
    head = []
    for k in shown:
        text = w(f"many.column.{k}")
        head.append(estimate_head(w, text) if f"{k}_low" in says else Cell(text, numeric=numeric[k]))
    rows = [[_cell(w, k, row, ends=f"{k}_low" in says) for k in shown] for row in table.rows()]
    return Grid(caption, head, rows, heads=2 if "taken_for" in table.columns else 1)


def _cell(w: Words, name: str, row: dict[str, Any], *, ends: bool) -> Cell:
    value = row[name]
    if isinstance(value, str):
        if name == "undefined":
            lacks = (w(f"many.lacks.{LACKS[reason]}") for reason in value.split(" and "))
            return Cell(w.template("list.and").join(lacks))
        return Cell(w.known("special", value))
    way = "share" if name in SHARES else "area" if name in AREAS else "count" if isinstance(value, int) else "cost"
    if name == "row" or value is None:
        return Cell("" if value is None else str(value), raw=("",) if value is None else (value,), numeric=True)
    if not ends:
        return number_cell(w, way, value)
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    sub = "" if low is None else w.interval(low, high, way)
    return Cell(written(w, way, value), sub, (value, low, high), numeric=True)
