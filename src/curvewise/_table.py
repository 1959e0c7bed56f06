"""A small table that prints well, in a terminal and in a notebook, and becomes a frame or a dict."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import Any

from curvewise._frames import to_frame


@dataclass(frozen=True)
class Table:
    """Named columns of equal length; numbers keep full precision, only their display is rounded."""

    title: str
    columns: dict[str, list[Any]]
    backend: str | None = None

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def rows(self) -> list[dict[str, Any]]:
        """Return one dict a row."""
        return [dict(zip(self.columns, row, strict=True)) for row in zip(*self.columns.values(), strict=True)]

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-safe dict: NaN and infinities become None and text."""
        return {
            "title": self.title,
            "rows": [{k: json_safe(v) for k, v in row.items()} for row in self.rows()],
        }

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the table as a frame (``"polars"``, ``"pandas"`` or ``"pyarrow"``)."""
        return to_frame(self.columns, backend or self.backend)

    def cells(self) -> list[list[str]]:
        """Return the displayed text of every row."""
        shown = ([show(v) for v in values] for values in self.columns.values())
        return [list(row) for row in zip(*shown, strict=True)]

    def __str__(self) -> str:
        cells = self.cells()
        widths = [max(map(len, column)) for column in zip(list(self.columns), *cells, strict=True)]
        numeric = [_is_numeric(values) for values in self.columns.values()]
        lines = [list(self.columns), ["─" * w for w in widths], *cells]
        text = [
            "  ".join(
                c.rjust(w) if right else c.ljust(w) for c, w, right in zip(line, widths, numeric, strict=True)
            ).rstrip()
            for line in lines
        ]
        return "\n".join([self.title, "", *text] if self.title else text)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in self.cells()
        )
        return (
            f"<table><caption>{escape(self.title)}</caption>"
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        )


def show(value: object) -> str:
    """Write one value for a reader: four significant digits after the leading zeros, no noise."""
    if value is None:
        return ""
    if not isinstance(value, float):
        return str(value)
    if math.isnan(value):
        return "undefined"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value == round(value) and abs(value) < 1e15:
        return f"{value:.0f}"
    text = f"{value:.4f}" if 1e-3 <= abs(value) < 1e4 else f"{value:.4g}"
    return text.replace("-", "−", 1) if text.startswith("-") else text


def json_safe(value: object) -> object:
    """Return what JSON can hold: NaN as null, infinities as text, NumPy scalars as Python's."""
    item = getattr(value, "item", None)
    value = item() if item is not None else value
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else ("inf" if value > 0 else "-inf")
    return value


def _is_numeric(values: list[Any]) -> bool:
    return any(isinstance(v, (int, float)) for v in values)
