"""Which group, site or fold each row belongs to; rows without a name are a group of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curvewise.errors import CurvewiseError
from curvewise.rows.columns import Column, as_text, by_text, frame_columns, is_hashable, shown

MISSING = "(missing)"


@dataclass(frozen=True)
class Category:
    """The groups of one column, in order: ``code`` says which one each row belongs to.

    A label is what the column holds, None for rows without a value; names are labels as text, and differ.
    """

    column: str
    code: NDArray[np.intp]
    labels: tuple[Any, ...]
    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.names)

    def take(self, which: NDArray[Any]) -> Category:
        """Return the category of some rows; groups that none of them belongs to stay, empty."""
        return replace(self, code=self.code[which])


def named_columns(group: object, role: str = "group") -> dict[str, object]:
    """Return the columns of groups by name: of a dict or a frame, or one column alone."""
    if isinstance(group, Mapping):
        if not group:
            raise CurvewiseError(f"{role}: expected at least one column, got an empty dict.")
        return by_text(group, role)
    if group is None or isinstance(group, (np.ndarray, Sequence)):
        return {role: group}
    if (columns := frame_columns(group, role)) is not None:
        if not columns:
            raise CurvewiseError(f"{role}: expected at least one column, got an empty frame.")
        return by_text(columns, role)
    import narwhals as nw  # noqa: PLC0415 - quick, but not needed by lists and arrays

    native = nw.from_native(group, allow_series=True, eager_only=True, pass_through=True)
    if isinstance(native, nw.Series) and isinstance(native.name, str) and native.name:
        return {native.name: group}
    return {role: group}


def category(name: str, column: Column) -> Category:
    """Read a column of names; rows without one are the group "(missing)"."""
    values = column.values
    absent = np.zeros(len(column), dtype=bool) if column.missing is None else column.missing
    if values.dtype.kind in "mM":
        absent = absent | np.isnat(values)
    present = values[~absent] if absent.any() else values
    labels, codes = _labels_and_codes(column, present)
    code = np.full(len(values), len(labels), dtype=np.intp)
    code[~absent] = codes
    if absent.any():
        labels = [*labels, None]
    return Category(name, code, tuple(labels), _names(labels, name, missing=bool(absent.any())))


def combined(members: Sequence[Category]) -> Category:
    """Return the combinations of groups that occur, as groups."""
    code = members[0].code
    for member in members[1:]:
        code = code * len(member) + member.code
    found, inverse = np.unique(code, return_inverse=True)
    parts: list[list[int]] = []
    for member in reversed(members):
        found, part = np.divmod(found, len(member))
        parts.insert(0, part.tolist())
    picked = list(zip(*parts, strict=True))
    return Category(
        ", ".join(m.column for m in members),
        inverse.astype(np.intp),
        tuple(tuple(m.labels[k] for m, k in zip(members, which, strict=True)) for which in picked),
        tuple(", ".join(f"{m.column}={m.names[k]}" for m, k in zip(members, which, strict=True)) for which in picked),
    )


def codes(values: NDArray[Any]) -> NDArray[np.intp]:
    """Return a number per row: equal labels have equal numbers, from 0."""
    if values.dtype.kind == "O":
        numbers = {label: k for k, label in enumerate(dict.fromkeys(values))}
        return np.array([numbers[label] for label in values], dtype=np.intp)
    if values.dtype.kind in "iub" and len(values):
        low, high = int(values.min()), int(values.max())
        if high - low <= len(values):  # numbers close together are counted, not sorted
            place = (values.astype(np.uint64) - np.uint64(low % 2**64)).astype(np.intp)  # right modulo 2^64
            occurs = np.bincount(place) > 0
            return place if occurs.all() else (np.cumsum(occurs) - 1).take(place)
    return np.unique(values, return_inverse=True)[1]


def codes_of(column: Column, what: str = "a name for each row's group (text, a number)") -> NDArray[np.intp]:
    """Return the codes of a column; refuse values that cannot be compared for equality."""
    try:
        return codes(column.values)
    except Exception as error:  # noqa: BLE001 - of any object
        bad = np.fromiter((not is_hashable(v) for v in column.values), dtype=bool, count=len(column))
        if not bad.any():  # equal or not, they do not say
            raise column.error("expected {what}, got {error}.", what=what, error=shown(error, 200)) from None
        raise column.wrong(bad, what) from None


def _labels_and_codes(column: Column, values: NDArray[Any]) -> tuple[list[Any], NDArray[np.intp]]:
    """Return the distinct labels, in order where they have one, and which of them each row has."""
    if not len(values):
        return [], np.zeros(0, dtype=np.intp)
    if values.dtype.kind in "USV":
        values = values.astype(object)  # a dict finds equal texts much faster than a sort
    code = codes_of(replace(column, values=values, missing=None))
    first = np.empty(int(code.max()) + 1, dtype=np.intp)
    first[code[::-1]] = np.arange(len(code) - 1, -1, -1)  # the last one written is the first row
    labels = [v.item() if isinstance(v, np.generic) else v for v in values[first]]
    try:
        order = sorted(range(len(labels)), key=labels.__getitem__)
    except Exception:  # noqa: BLE001 - labels of several types have no order, nor a float beside a huge whole number
        return labels, code
    rank = np.empty(len(labels), dtype=np.intp)
    rank[order] = np.arange(len(labels))
    return [labels[k] for k in order], rank[code]


def _names(labels: Sequence[object], column: str, *, missing: bool) -> tuple[str, ...]:
    """Write labels as text; where two would look alike, as in Python."""
    present = labels[:-1] if missing else labels
    texts = [as_text(v, column) for v in present]
    often = Counter([*texts, MISSING])
    names = [text if often[text] == 1 else shown(v, 200) for text, v in zip(texts, present, strict=True)]
    return (*names, MISSING) if missing else tuple(names)
