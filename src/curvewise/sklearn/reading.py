"""Labels, scores and weights as scikit-learn's functions take them; what is out of the ordinary is handed over."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curvewise.core.keys import slices
from curvewise.core.threads import in_threads
from curvewise.rows.columns import EXACT_FLOAT
from curvewise.sklearn.hand_over import HandOverError, require

GLANCE = 100  # labels that may show at once that there are more than two classes
TABLE = 1 << 16  # whole labels within so wide a range are looked up, others are sorted
CODINGS = ({0, 1}, {-1, 1})  # in which 1 is positive unasked


@dataclass(frozen=True)
class Labels:
    """The classes in order, and the place of each row's class among them: True and False for two classes."""

    classes: NDArray[Any]
    codes: NDArray[Any]

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def places(self) -> NDArray[Any]:
        """The codes as small whole numbers."""
        return self.codes.view(np.uint8) if self.codes.dtype.kind == "b" else self.codes

    def mask(self, place: int) -> NDArray[np.bool_]:
        """Mark the rows of one class."""
        if self.codes.dtype.kind == "b":
            return self.codes if place else ~self.codes
        return np.asarray(self.codes == place)

    def positive(self, pos_label: object) -> NDArray[np.bool_]:
        """Mark the rows of the positive class, which needs no name in the usual codings of two classes."""
        if pos_label is None:
            require(self.classes.dtype.kind in "biuf" and any(coding.issuperset(self.classes) for coding in CODINGS))
            pos_label = 1
        return self.mask(place_of(pos_label, self.classes))

    def given(self, labels: object) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the classes, all of those that were given in order, and the place of each row's class among them."""
        if labels is None:
            return self.classes, self.places
        classes = column(labels)
        require(classes.dtype.kind in "biufUO" and same_kind(classes, self.classes))
        require(len(classes) < 2 or (classes[1:] > classes[:-1]).all())
        return classes, self.among(classes)

    def among(self, classes: NDArray[Any]) -> NDArray[np.intp]:
        """Return the place of each row's class among others, which must hold them all."""
        require(same_kind(self.classes, classes))
        places = np.searchsorted(classes, self.classes)
        require(places.max() < len(classes) and (classes[places] == self.classes).all())
        among: NDArray[np.intp] = places[self.places]
        return among


def place_of(label: Any, classes: NDArray[Any]) -> int:
    """Return the place of a label among classes, all of one kind."""
    require(isinstance(label, str) == is_text(classes) and np.isscalar(label))
    places = np.flatnonzero(classes == label)
    require(len(places) == 1)
    return int(places[0])


def is_text(values: NDArray[Any]) -> bool:
    """Say whether values are text: `labels_of` lets no other objects pass."""
    return values.dtype.kind in "UO"


def same_kind(first: NDArray[Any], second: NDArray[Any]) -> bool:
    """Say whether labels of both may be compared as they are."""
    return is_text(first) == is_text(second)


def array(data: object) -> NDArray[Any]:
    """Return an array of what is one: an array of NumPy, a list, a column or a frame of pandas or Polars."""
    if isinstance(data, np.ndarray):
        require(not isinstance(data, np.ma.MaskedArray | np.matrix))
        return np.asarray(data)
    if isinstance(data, list | tuple):
        try:
            values = np.asarray(data)
        except (ValueError, OverflowError):
            raise HandOverError from None
        require(values.dtype.kind not in "US" or (values.ndim == 1 and all(isinstance(v, str) for v in data)))
        return values
    library = sys.modules.get(type(data).__module__.partition(".")[0])
    require(getattr(library, "__name__", "") in ("pandas", "polars") and hasattr(data, "__array__"))
    return np.asarray(data)


def column(data: object, rows: int | None = None) -> NDArray[Any]:
    """Return one value per row."""
    values = array(data)
    require(values.ndim == 1 and len(values) and (rows is None or len(values) == rows))
    return values


def finite(values: NDArray[Any]) -> NDArray[Any]:
    """Return real numbers, all of them finite."""
    require(values.dtype.kind in "iuf" and values.dtype.itemsize <= 8 and values.size)
    require(values.dtype.kind != "f" or (np.isfinite(values.min()) and np.isfinite(values.max())))
    return values


def scores_of(data: object, rows: int) -> NDArray[Any]:
    """Return one finite score per row."""
    return finite(column(data, rows))


def table_of(data: object, rows: int) -> NDArray[Any]:
    """Return finite numbers, one line per row."""
    values = array(data)
    require(values.ndim == 2 and len(values) == rows)
    return finite(values)


def probabilities(values: NDArray[Any]) -> NDArray[Any]:
    """Return numbers that are all from 0 to 1, as floats."""
    require(values.dtype.kind in "iuf" and values.dtype.itemsize <= 8 and values.size)
    require(values.min() >= 0 and values.max() <= 1)  # NaN is neither
    return values if values.dtype.kind == "f" else values.astype(np.float64)


def weight_of(data: object, rows: int) -> NDArray[Any] | None:
    """Return weights of 0 or more that are not all 0, if there are any."""
    if data is None:
        return None
    values = finite(column(data, rows))
    require(values.min() >= 0 and values.max() > 0)
    return values


def marks_of(data: object) -> NDArray[np.bool_]:
    """Return a table of 0 and 1 as marks: one line per row, one column per label, two columns or more."""
    values = array(data)
    require(values.ndim == 2 and len(values) and values.shape[1] > 1 and values.dtype.kind in "biuf")
    if values.dtype.kind == "b":
        return values
    marks = values == 1
    require(np.count_nonzero(values) == np.count_nonzero(marks))
    return np.asarray(marks)


def labels_of(data: object, rows: int | None = None) -> Labels:
    """Return labels of one kind: whole numbers, truth values or text."""
    values = column(data, rows)
    kind = values.dtype.kind
    require(kind in "biufUO")
    labels = _few(values) if kind in "biuf" else None
    if labels is None:
        labels = _text(values) if kind in "UO" else _whole(values)
    # of more than 20 labels that are mostly different scikit-learn warns
    require(len(values) <= 20 or 2 * len(labels.classes) <= len(values))
    return labels


def _few(values: NDArray[Any]) -> Labels | None:
    """Return labels that are only the lowest and the highest number, else None."""
    low, high = values.min(), values.max()
    require(values.dtype.kind != "f" or (low.is_integer() and high.is_integer()))
    if low == high:
        return Labels(values[:1], np.zeros(len(values), dtype=np.intp))
    is_high = values if values.dtype.kind == "b" else values == high
    adjacent = values.dtype.kind != "f" and int(high) - int(low) == 1
    if not adjacent and ((values[:GLANCE] != low) & (values[:GLANCE] != high)).any():
        return None
    if not adjacent and np.count_nonzero(is_high) + np.count_nonzero(values == low) < len(values):
        return None
    return Labels(np.array([low, high], dtype=values.dtype), is_high)


def _whole(values: NDArray[Any]) -> Labels:
    """Return labels that are whole numbers, of a float dtype too."""
    if values.dtype.kind == "f":
        require(max(abs(values.min()), abs(values.max())) < EXACT_FLOAT)
        numbers = values.astype(np.int64)
        require((numbers == values).all())
        labels = _whole(numbers)
        return Labels(labels.classes.astype(values.dtype), labels.codes)
    low, high = int(values.min()), int(values.max())
    if high - low >= TABLE:
        return Labels(*np.unique(values, return_inverse=True))
    codes = np.empty(len(values), dtype=np.uint8 if high - low < 256 else np.uint16)

    def write(here: slice) -> NDArray[np.bool_]:
        codes[here] = values[here] - values.dtype.type(low)
        return np.bincount(codes[here], minlength=high - low + 1) > 0

    used = np.flatnonzero(np.any(in_threads(write, list(slices(len(values))), len(values)), axis=0))
    if len(used) <= high - low:  # some numbers in between are no class
        places = np.zeros(high - low + 1, dtype=codes.dtype)
        places[used] = np.arange(len(used))
        codes = places[codes]
    return Labels((used + low).astype(values.dtype), codes)


def _text(values: NDArray[Any]) -> Labels:
    """Return labels that are text: a dict finds equal ones much faster than a sort."""
    if values.dtype.kind == "U":
        is_first = values == values[0]
        other = values[int(np.argmin(is_first))]
        is_other = values == other
        if np.count_nonzero(is_first) + np.count_nonzero(is_other) == len(values):
            in_order = bool(other > values[0])
            return Labels(np.sort(np.array([values[0], other])), is_other if in_order else is_first)
    listed = values.tolist()
    require(set(map(type, listed)) == {str})
    classes = sorted(set(listed))
    place = {label: k for k, label in enumerate(classes)}
    codes = np.fromiter(map(place.__getitem__, listed), dtype=np.intp, count=len(listed))
    codes = codes.astype(bool) if len(classes) == 2 else codes
    return Labels(np.array(classes, dtype=values.dtype), codes)
