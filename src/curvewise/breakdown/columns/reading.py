"""Columns of scores, read piece by piece: an array of any number of axes, a frame of columns, a sparse matrix."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Bools, Ints, Places
from curvewise.errors import CurvewiseError, OptionError
from curvewise.rows.columns import Column, as_column, by_text, count, frame_columns, row_numbers, shown
from curvewise.rows.reading import check_aligned, missing_values, real_numbers, rounded

LEAST, MOST = 1 << 13, 1 << 16  # entries read together: few enough for the cache, and for little memory
PARTS = 8  # of a matrix that is stored row by row, one of which at a time is turned round
Codes = NDArray[np.uint16]


@dataclass(frozen=True)
class Piece:
    """Lines of some columns: values, codes of rows, and, of a sparse matrix, how many rows of each code there are."""

    columns: Places
    values: NDArray[Any]
    code: Codes
    totals: Ints | None = None


@dataclass(frozen=True, eq=False)
class Scores:
    """Columns of scores: ``shape`` and ``axes`` are those of what is found, without the axis of rows."""

    data: Any  # an array, a sparse matrix, or a list of columns
    rows: int
    shape: tuple[int, ...]
    axes: dict[str, list[Any]]
    like: Column | None = None  # of a frame: one of its columns, with the index of all
    missing: str = "raise"
    round_to: int | None = None
    names: list[str] = field(default_factory=list)

    @property
    def size(self) -> int:
        """How many columns there are."""
        return math.prod(self.shape)

    def name(self, column: int) -> str:
        """Return what messages call a column."""
        if self.names:
            return f"X {self.names[column]!r}"
        return f"X[:, {', '.join(str(k) for k in np.unravel_index(column, self.shape))}]"

    @property
    def entries(self) -> int:
        """How many values there are to sort."""
        return int(getattr(self.data, "nnz", self.rows * self.size))

    @property
    def piece(self) -> int:
        """How many of them are read together."""
        return min(max(self.entries // 32, LEAST), MOST)

    def parts(self) -> Iterator[list[tuple[Any, Places]]]:
        """Yield lists of parts to be read in threads: where columns are held, and which."""
        if isinstance(self.data, list):
            by_type = groupby(range(self.size), key=lambda k: self.data[k].dtype)
            yield [part for _, alike in by_type for part in self._cut(self.data, np.array(list(alike)))]
        elif isinstance(self.data, np.ndarray):
            yield self._cut(self.data, np.arange(self.size))
        elif self.data.format == "csc":
            yield self._cut_sparse(self.data, 0)
        else:
            step = -(-self.size // PARTS)
            for first in range(0, self.size, step):
                yield self._cut_sparse(self.data[:, first : first + step].tocsc(), first)

    def _cut(self, data: Any, columns: Places) -> list[tuple[Any, Places]]:
        step = max(self.piece // self.rows, 1)
        return [(data, columns[k : k + step]) for k in range(0, len(columns), step)]

    def _cut_sparse(self, matrix: Any, first: int) -> list[tuple[Any, Places]]:
        """Put columns that store about as many rows together."""
        stored = np.diff(matrix.indptr)
        order, parts, start = np.argsort(stored, kind="stable"), [], 0
        ends = stored[order]
        while start < len(order):
            stop = start + max(self.piece // (int(ends[start]) + 1), 1)
            while stop > start + 1 and (stop - start) * (int(ends[min(stop, len(ends)) - 1]) + 1) > 2 * self.piece:
                stop = start + max((stop - start) // 2, 1)
            parts.append(((matrix, first), order[start:stop] + first))
            start = stop
        return parts

    def read(self, part: tuple[Any, Places], code: Codes, codes: int) -> Piece:
        """Read some columns; the last code is that of rows that take no part, where a value is missing too."""
        source, columns = part
        if isinstance(source, tuple):
            matrix, first = source
            piece = self._sparse(matrix, first, columns, code, codes)
        else:
            piece = Piece(columns, self._dense(source, columns), np.broadcast_to(code, (len(columns), self.rows)))
        if self.round_to is not None:
            piece = Piece(columns, rounded(piece.values, self.round_to), piece.code, piece.totals)
        if piece.values.dtype.kind != "f" or not np.isnan(piece.values.min()):
            return piece
        gaps = (np.isnan(piece.values) & (piece.code != codes - 1)).any(axis=1)
        if self.missing == "raise" and gaps.any():
            self.dense(columns[gaps][:1], np.flatnonzero(code != codes - 1))  # says which rows
        values, absent, totals = piece.values.copy(), np.isnan(piece.values), piece.totals
        if totals is not None:
            totals = totals - np.stack(
                [np.bincount(own[gap], minlength=codes) for own, gap in zip(piece.code, absent, strict=True)]
            )
        values[absent] = 0
        return Piece(columns, values, np.where(absent, np.uint16(codes - 1), piece.code), totals)

    def _gap(self, column: int, mask: Bools, rows: Places) -> CurvewiseError:
        return missing_values([(self.name(column), int(mask.sum()), row_numbers(mask, rows))])

    def dense(self, columns: Places, rows: Places) -> tuple[NDArray[Any], Bools]:
        """Return lines of a few columns at some rows, and where there is a value."""
        values = self._lines(columns)[:, rows]
        there = ~np.isnan(values) if values.dtype.kind == "f" else np.ones(values.shape, dtype=bool)
        if self.missing == "raise" and not there.all():
            first = int(np.argmin(there.all(axis=1)))
            raise self._gap(int(columns[first]), ~there[first], rows)
        values = values if self.round_to is None else rounded(values, self.round_to)
        return np.where(there, values, 0), there

    def _lines(self, columns: Places) -> NDArray[Any]:
        if isinstance(self.data, (list, np.ndarray)):
            return self._dense(self.data, columns)
        return np.ascontiguousarray(self.data[:, columns].toarray().T)

    def _dense(self, data: Any, columns: Places) -> NDArray[Any]:
        if isinstance(data, list):
            return np.stack([data[k] for k in columns])
        if data.ndim > 2 and not data.flags.c_contiguous:  # a copy of some, not of all
            return np.ascontiguousarray(data[(slice(None), *np.unravel_index(columns, self.shape))].T)
        beside = slice(columns[0], columns[-1] + 1) if (np.diff(columns) == 1).all() else columns
        return np.ascontiguousarray(data.reshape(self.rows, -1)[:, beside].T)

    def _sparse(self, matrix: Any, first: int, columns: Places, code: Codes, codes: int) -> Piece:
        """Return what columns store, then zeros; rows that are not stored are absent."""
        own = [slice(*matrix.indptr[k : k + 2]) for k in columns - first]
        stored = np.array([here.stop - here.start for here in own])
        shape = len(own), int(stored.max()) + 1
        values, of_rows = np.zeros(shape, matrix.dtype), np.zeros(shape, np.uint16)
        there = code.take(np.concatenate([matrix.indices[here] for here in own]))
        stop = 0
        for line, here in enumerate(own):
            start, stop = stop, stop + here.stop - here.start
            values[line, : stop - start] = matrix.data[here]
            of_rows[line, : stop - start] = there[start:stop]
        return Piece(columns, values, of_rows, np.bincount(code, minlength=codes))


def read_scores(X: Any, axes: object, missing: str, round_to: int | None) -> Scores:  # noqa: N803 - as in scikit-learn
    """Take an array with rows first, a frame or a dict of columns, or a sparse matrix of SciPy."""
    frame = by_text(X, "X") if isinstance(X, Mapping) else frame_columns(X, "X")
    if frame is not None:
        names = list(by_text(frame, "X"))
        return _of_columns(dict(zip(names, frame.values(), strict=True)), names, axes, missing, round_to)
    if hasattr(X, "tocsc") and hasattr(X, "nnz"):
        data: Any = X if X.format in ("csc", "csr") else X.tocsc()
        if not data.has_canonical_format:
            data = data.copy()
            data.sum_duplicates()
    elif isinstance(X, np.ma.MaskedArray):
        data = np.ma.filled(X.astype(np.float64), math.nan)
    else:
        data = np.asarray(X)
    if data.ndim < 2 or 0 in data.shape:
        raise CurvewiseError(f"X: expected rows and columns of scores, got an array of shape {data.shape}.")
    shape = tuple(data.shape[1:])
    if data.dtype.kind not in "biuf":
        flat = data.reshape(len(data), -1)
        place = Scores(data, len(data), shape, {})
        columns = {place.name(k): flat[:, k] for k in range(flat.shape[1])}
        data = _of_columns(columns, [], None, missing, round_to).data
    rows = len(data[0]) if isinstance(data, list) else data.shape[0]
    return Scores(data, rows, shape, _axes(axes, shape), None, missing, round_to)


def _of_columns(columns: Mapping[str, object], names: list[str], axes: object, missing: str, round_to: Any) -> Scores:
    """Read columns one by one; a gap becomes NaN."""
    if not columns:
        raise CurvewiseError("X: expected at least one column, got none.")
    read = [as_column(data, f"X {name!r}" if names else name) for name, data in columns.items()]
    found = []
    for column in read:
        check_aligned([read[0], column])
        values = real_numbers(column)
        if column.missing is not None and column.missing.any():
            values = values.astype(np.result_type(values, np.float32))
            values[column.missing] = math.nan
        found.append(values)
    shape = (len(found),)
    labels = _axes(axes, shape) if axes is not None else {"column": names}
    like = replace(read[0], name="X")
    return Scores(found, len(found[0]), shape, labels, like, missing, round_to, names)


def _axes(axes: object, shape: tuple[int, ...]) -> dict[str, list[Any]]:
    """Return the names of axes with the labels along each."""
    if axes is None:
        names = ["column"] if len(shape) == 1 else [f"axis {k}" for k in range(1, len(shape) + 1)]
        return {name: list(range(size)) for name, size in zip(names, shape, strict=True)}
    if not isinstance(axes, Mapping) or len(axes) != len(shape):
        each = "{" + ", ".join(f"'axis {k}': labels" for k in range(1, len(shape) + 1)) + "}"
        raise OptionError.of("axes", f"expected a dict of the axes of X after the rows, {each}, got {shown(axes)}.")
    found = {}
    for (name, labels), size in zip(by_text(axes, "axes").items(), shape, strict=True):
        found[name] = list(range(size)) if labels is None else as_column(labels, f"axes {name!r}").values.tolist()
        if len(found[name]) != size:
            raise OptionError.of("axes", f"{name!r} has {count(len(found[name]), 'label')}, X has {size} there.")
    return found
