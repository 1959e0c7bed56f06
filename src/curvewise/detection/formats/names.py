"""Names of images and classes, any hashable: the different ones once, and the place of each row's name among them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from numbers import Integral, Real
from typing import Any

import numpy as np

from curvewise.arrays import Bools, Ints
from curvewise.detection.formats.wording import wrong_rows
from curvewise.rows.columns import Column, as_column, is_missing, kind_of


@dataclass(frozen=True, eq=False)
class Names:
    """A column of names: the different ones in order of appearance, and each row's place among them, −1 for none."""

    places: Ints
    values: list[Any]

    def __len__(self) -> int:
        return len(self.places)

    @property
    def missing(self) -> Bools | None:
        """The rows without a name; None where every row has one."""
        return self.places < 0 if len(self.places) and self.places.min() < 0 else None


def read_names(data: Any, what: str, where: str) -> Names:
    """Read a list, an array or a column of a frame; ``what`` the names are of, ``where`` they stand, for messages."""
    if isinstance(data, Names):
        return data
    if not isinstance(data, list | tuple):
        column = data if isinstance(data, Column) else as_column(data, f"{where}: {what}")
        data = column.values.tolist()
        if column.missing is not None:
            data = [None if gone else name for name, gone in zip(data, column.missing, strict=True)]
    try:
        names = _different(data)
    except TypeError:
        names = _with_plain_values(data, what, where)
    values = [_plain(v) for v in names.values]
    if any(map(is_missing, values)) or len(set(values)) < len(values):
        return _merged(names.places, values)
    return Names(names.places, values)


def sorted_names(names: Iterable[Any]) -> list[Any]:
    """Return each name once, in rising order where they have one, else in order of appearance."""
    different = list(dict.fromkeys(names))
    try:
        return sorted(different)
    except TypeError:
        return different


def repeated(names: Iterable[Any]) -> list[Any]:
    """Return the names that are there more than once; what cannot be hashed is no name."""
    return [name for name, times in Counter(filter(is_hashable, names)).items() if times > 1]


def kind_of_names(names: Sequence[Any]) -> str | None:
    """Say what names are, if all are of one kind: text, whole numbers, numbers."""
    for kind, types in (("text", str), ("whole numbers", Integral), ("numbers", Real)):
        if names and all(isinstance(n, types) for n in names):
            return kind
    return None


def _different(data: Sequence[Any]) -> Names:
    seen: defaultdict[Any, int] = defaultdict(count().__next__)  # a name seen for the first time gets the next place
    places = np.fromiter(map(seen.__getitem__, data), np.intp, len(data))
    return Names(places, list(seen))


def _plain(name: Any) -> Any:
    """Take the value out of a NumPy scalar or of a tensor without dimensions, whose hash is not that of its value."""
    return name.item() if getattr(name, "ndim", None) == 0 else name


def _with_plain_values(data: Sequence[Any], what: str, where: str) -> Names:
    """Read names some of which cannot be hashed: arrays of one value can, once taken out."""
    plain = [_plain(v) for v in data]
    try:
        return _different(plain)
    except TypeError:
        bad = np.fromiter((not is_hashable(v) for v in plain), bool, len(plain))
        first = kind_of(plain[int(np.argmax(bad))])
        raise wrong_rows(where, f"{what} is {first}", bad, "give one name, text or a number, per row") from None


def is_hashable(value: Any) -> bool:
    """Say whether a value can be a name."""
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _merged(places: Ints, values: list[Any]) -> Names:
    """Join names that are equal once they are plain, and give rows without one the place −1."""
    there = [v for v in values if not is_missing(v)]
    kept = {v: k for k, v in enumerate(dict.fromkeys(there))}
    at = np.array([-1 if is_missing(v) else kept[v] for v in values], np.intp)
    return Names(at[places], list(kept))
