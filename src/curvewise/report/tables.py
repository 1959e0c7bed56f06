"""The library's tables as tables of the page: the reader's words, numbers with their intervals."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from curvewise.document.blocks import Cell, Grid
from curvewise.report.measures import estimate, estimate_head, number, way

if TYPE_CHECKING:
    from curvewise.words import Words

ByGroup = dict[tuple[str, str], dict[str, dict[str, Any]]]  # column and group: metric: row
NAMED = {"metric": "metric", "measure": "measure", "criterion": "criterion"}  # column: family of words
MEANINGS = ("meaning", "met when")
REMARKS = ("note", "undefined", "reason")
ENDS = {
    "value": ("low", "high"),
    "gap": ("low", "high"),
    "difference": ("low", "high"),
    "roc_auc": ("low", "high"),
}
CRITERION = {
    "equal opportunity": "recall",
    "equal false alarms": "fpr",
    "equalised odds": "recall",
    "demographic parity": "predicted_rate",
    "predictive parity": "precision",
    "false-omission parity": "false_omission_rate",
    "calibration by group": "observed_expected",
}
FEW = 10  # rows of a class below which the library calls a group small
MOST_COLUMNS = 4  # groups that stand side by side
SPECIAL = ("(all)", "(pooled)", "(prediction)")


def table_grid(w: Words, table: dict[str, Any], caption: str, *, leave: tuple[str, ...] = ()) -> Grid:
    """Lay out any table; ends of intervals go under their value, texts get the reader's words."""
    rows: list[dict[str, Any]] = table["rows"]
    names = [n for n in (rows[0] if rows else {}) if n not in leave and _says_something(rows, n)]
    ends = _ends(names)
    inner = {end for pair in ends.values() for end in pair}
    shown = [n for n in names if n not in inner]
    head = [_head(w, n, n in ends, rows) for n in shown]
    cells = [[_cell(w, n, row, ends.get(n)) for n in shown] for row in rows]
    return Grid(caption, head, cells)


def _says_something(rows: list[dict[str, Any]], name: str) -> bool:
    return any(row.get(name) not in (None, "") for row in rows)


def _ends(names: list[str]) -> dict[str, tuple[str, str]]:
    """Find which columns are the ends of an interval of which."""
    found = {n: (f"{n}_low", f"{n}_high") for n in names}
    for name, pair in ENDS.items():
        if name in names:
            found[name] = pair
            break
    return {n: pair for n, pair in found.items() if all(end in names for end in pair)}


def _head(w: Words, name: str, has_ends: bool, rows: list[dict[str, Any]]) -> Cell:
    text = w.known("column", name) if f"column.{name}" in w else w.known("metric", name)
    if has_ends:
        return estimate_head(w, text)
    return Cell(text, numeric=any(isinstance(row.get(name), (int, float)) for row in rows))


def _cell(w: Words, name: str, row: dict[str, Any], ends: tuple[str, str] | None) -> Cell:
    value = row.get(name)
    if name in MEANINGS:
        return _meaning(w, row, value)
    if name in REMARKS:
        return Cell(str(value or ""), lang="en")
    if isinstance(value, str) and value not in ("inf", "-inf"):
        return Cell(w.known("special", value) if value in SPECIAL else w.known(NAMED.get(name, ""), value))
    kind = _kind(name, row)
    if name in ("gap", "difference") and way(kind) == "share":
        kind = "points"
    if ends is None:
        return number(w, kind, value) if value is not None else Cell("", raw=("",), numeric=True)
    return estimate(w, kind, {"value": value, "low": row.get(ends[0]), "high": row.get(ends[1])})


def _kind(name: str, row: dict[str, Any]) -> str:
    """Say which quantity a number is: that of its column, or the metric its row is about."""
    if name in ("value", "gap", "difference", "apparent", "out_of_bag"):
        return str(row.get("metric", row.get("measure", CRITERION.get(row.get("criterion", ""), "roc_auc"))))
    return name


def _meaning(w: Words, row: dict[str, Any], value: Any) -> Cell:
    """Say what a row means in the reader's language; a reason for having no value stays as it is."""
    text = str(value or "")
    for family, name in NAMED.items():
        key = f"{name}.meaning.{row.get(family)}"
        if family in row and key in w and not text.startswith("undefined"):
            return Cell(w(key, value=row.get("value")))
    return Cell(text, lang="en")


def pivoted(w: Words, table: dict[str, Any], caption: str) -> tuple[Grid, list[str]]:
    """Lay out metrics by group, few groups side by side, and say what is undefined and why."""
    rows: list[dict[str, Any]] = table["rows"]
    if not rows or "metric" not in rows[0]:
        return table_grid(w, table, caption), []
    metrics = list(dict.fromkeys(r["metric"] for r in rows))
    groups: ByGroup = {}
    for row in rows:
        groups.setdefault((row.get("column") or "", row["group"]), {})[row["metric"]] = row
    reasons = [
        f"{name}, {m}: {r['note']}"
        for (_, name), found in groups.items()
        for m, r in found.items()
        if r["value"] is None and r.get("note")
    ]
    upright = len(groups) <= MOST_COLUMNS and len({column for column, _ in groups if column}) <= 1
    lay_out = _groups_across if upright else _groups_down
    return lay_out(w, groups, metrics, caption), reasons


def _groups_across(w: Words, groups: ByGroup, metrics: list[str], caption: str) -> Grid:
    head = [Cell(w("column.metric"))]
    for (_, name), found in groups.items():
        row = next(iter(found.values()))
        said = w("groups.rows", n=row["n"], positives=row["positives"])
        shown, note = _group_name(w, name), _small(w, row)
        head.append(replace(estimate_head(w, shown), sub=f"{said}, {note}" if note else said))
    body = [
        [Cell(w.known("metric", m)), *(estimate(w, m, found.get(m)) for found in groups.values())]
        for m in metrics
    ]
    return Grid(caption, head, body)


def _groups_down(w: Words, groups: ByGroup, metrics: list[str], caption: str) -> Grid:
    several = len({column for column, _ in groups if column}) > 1
    head = [Cell(w("column.column"))] if several else []
    head += [Cell(w("column.group")), *(Cell(w(f"column.{k}"), numeric=True) for k in ("n", "positives"))]
    head += [estimate_head(w, w.known("metric", m)) for m in metrics]
    body = []
    for (column, name), found in groups.items():
        row = next(iter(found.values()))
        cells = [Cell(column)] if several else []
        cells += [Cell(_group_name(w, name), _small(w, row))]
        cells += [number(w, "n", row["n"]), number(w, "n", row["positives"])]
        body.append([*cells, *(estimate(w, m, found.get(m)) for m in metrics)])
    return Grid(caption, head, body, heads=2 if several else 1)


def _group_name(w: Words, name: str) -> str:
    return w.known("special", name) if name in SPECIAL else name


def _small(w: Words, row: dict[str, Any]) -> str:
    return w("groups.small") if min(row["positives"], row["n"] - row["positives"]) < FEW else ""


def rows_by_model(
    w: Words, names: list[str], found: list[dict[str, Any] | None], metrics: list[str], caption: str
) -> Grid:
    """Lay out estimates, a row a metric with what it says, and a column a model."""
    head = [Cell(w("column.metric")), *(estimate_head(w, n) for n in names)]
    rows = []
    for metric in metrics:
        if not any(f and f.get(metric) for f in found):
            continue
        meaning = w(f"metric.meaning.{metric}", value=None) if f"metric.meaning.{metric}" in w else ""
        cells = [estimate(w, metric, (f or {}).get(metric)) for f in found]
        rows.append([Cell(w.known("metric", metric), meaning), *cells])
    return Grid(caption, head, rows)
