"""Frames and dicts of columns, one row per object or detection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from curvewise.detection.formats.side import FIELDS, Side, Wanted, both_names, side_of
from curvewise.detection.formats.wording import wrong
from curvewise.errors import OptionName
from curvewise.rows.columns import as_column
from curvewise.rows.reading import check_aligned
from curvewise.sources.table import taken

if TYPE_CHECKING:
    from curvewise.detection.formats.scene import BoxForm

# four columns of a box, where it is not one column of lists
OF_BOX: dict[BoxForm, tuple[tuple[str, ...], ...]] = {
    "xywh": (("x", "y", "w", "h"),),
    "xyxy": (("x1", "y1", "x2", "y2"), ("xmin", "ymin", "xmax", "ymax")),
    "cxcywh": (("cx", "cy", "w", "h"), ("x", "y", "w", "h")),
}
AS_IS = ("box", "id", "mask")  # may hold anything


def read_frame(data: Any, wanted: Wanted, where: str, **facts: Any) -> Side:
    """Read a frame that narwhals knows: pandas, Polars, PyArrow, eager or lazy."""
    import narwhals as nw  # noqa: PLC0415 - only a frame needs it

    try:
        frame = nw.from_native(data)
    except nw.exceptions.DuplicateError:
        raise wrong(where, "expected columns of different names, got several of one name.") from None
    except TypeError:
        raise wrong(
            where,
            "expected a path, a COCO dict, a list of dicts, a frame, a dict of columns or dicts of images, got {kind}.",
            kind=f"a {type(data).__name__}",
        ) from None
    keys = column_keys(frame.collect_schema().names(), wanted, where)
    needed = list(dict.fromkeys(name for names in keys.values() for name in names))
    return read_columns(taken(frame, needed), wanted, where, **facts)


def read_columns(data: Mapping[Any, Any], wanted: Wanted, where: str, **facts: Any) -> Side:
    """Read a dict of columns."""
    keys = column_keys(list(data), wanted, where)
    columns: dict[str, Any] = {}
    for field, names in keys.items():
        if field in AS_IS and len(names) == 1:
            columns[field] = data[names[0]]
        else:
            read = tuple(as_column(data[name], f"{where}: {name}") for name in names)
            columns[field] = read[0] if len(read) == 1 else read
    flat = [c for f, c in columns.items() if f not in AS_IS] + list(
        columns["box"] if len(keys.get("box", ())) == 4 else []
    )
    if any(map(len, flat)):
        check_aligned(flat)
    return side_of(columns, wanted, where, **facts)


def column_keys(there: Sequence[Any], wanted: Wanted, where: str) -> dict[str, tuple[str, ...]]:
    """Return which columns hold each field; a box may be one column or four."""
    keys: dict[str, tuple[str, ...]] = {}
    for field in wanted.fields:
        names = [n for n in FIELDS[field] if n in there]
        if len(names) > 1:
            raise both_names(where, names)
        if names:
            keys[field] = (names[0],)
    if "box" not in keys:
        four = _four(there, wanted.form, where)
        if four is not None:
            keys["box"] = four
    return keys


def _four(there: Sequence[Any], form: BoxForm, where: str) -> tuple[str, ...] | None:
    """Return the four columns of a box in this form; columns of another form are refused."""
    for names in OF_BOX[form]:
        if set(names) <= set(there):
            return names
    for other, choices in OF_BOX.items():
        for names in choices:
            if set(names) <= set(there):
                raise wrong(
                    where,
                    "there are the columns {names}, and {said} is read from {wanted}; pass {option}, or rename them.",
                    names=", ".join(names),
                    said=OptionName("boxes", form),
                    wanted=", ".join(OF_BOX[form][0]),
                    option=OptionName("boxes", other),
                )
    return None
