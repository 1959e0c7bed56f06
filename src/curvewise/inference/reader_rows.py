"""Scores of several readers who read the same cases in each modality: from long columns, or a dict, to `Rows`.

One row per case, one model per reader and modality, so that everything that holds for models on the same rows holds
for readers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curvewise.errors import CurvewiseError, OptionError, OptionName
from curvewise.rows.category import Category, category
from curvewise.rows.columns import Column, count, row_numbers, shown
from curvewise.rows.labels import binary_labels
from curvewise.rows.reading import read_columns, read_rows, real_numbers, refuse_unknown, rows_within
from curvewise.rows.rows import RowOptions, Rows
from curvewise.rows.weight_scale import with_near_weights

ONE = "all"  # what a modality is called where there is one without a name


@dataclass(frozen=True)
class ReaderRows:
    """Rows with one model per modality and reader, all readers of the first modality first."""

    rows: Rows
    modalities: tuple[str, ...]
    readers: tuple[str, ...]

    def model(self, modality: int, reader: int) -> str:
        """Return the name of the model that one reader is in one modality."""
        return self.rows.models[modality * len(self.readers) + reader]


def read_readers(
    y: object, score: object, reader: object, modality: object, case: object, options: RowOptions
) -> ReaderRows:
    """Read long columns (one row per reader, modality and case), or a dict of modalities of readers."""
    if isinstance(rows_within(y), Rows):
        raise CurvewiseError("Rows do not say who read them: pass labels, scores, reader=, modality= and case=.")
    refuse_unknown(options, ("reader", "modality", "case"))
    if options.get("stratum") is not None:
        raise OptionError.of("stratum", "a reader study takes cases that were not sampled within strata; leave it out.")
    if isinstance(score, Mapping):
        columns = [name for name, v in (("reader", reader), ("modality", modality), ("case", case)) if v is not None]
        if columns:
            raise CurvewiseError(f"{', '.join(columns)}: a dict of scores says that itself; leave it out.")
        return _from_dict(y, score, options)
    if reader is None or case is None:
        raise CurvewiseError(
            "reader and case: say who read each row, and which case it is (modality= too, if there are several); "
            "or pass scores as {modality: {reader: scores}} with one label per case."
        )
    return _from_columns({"y": y, "score": score, "reader": reader, "modality": modality, "case": case}, options)


def _from_dict(y: object, score: Mapping[Any, object], options: RowOptions) -> ReaderRows:
    modalities = [str(name) for name in score]
    readers: list[str] | None = None
    models: dict[str, object] = {}
    for name, by_reader in score.items():
        if not isinstance(by_reader, Mapping) or not by_reader:
            raise CurvewiseError(f"scores: expected {{modality: {{reader: scores}}}}, got no readers in {shown(name)}.")
        names = [str(k) for k in by_reader]
        readers = readers or names
        if sorted(names) != sorted(readers):
            odd = sorted(set(names) ^ set(readers))
            raise CurvewiseError(f"scores: every reader must read every modality; {', '.join(odd)} did not.")
        by_name = {str(k): v for k, v in by_reader.items()}
        models |= {_model(str(name), k): by_name[k] for k in readers}
    if readers is None:
        raise CurvewiseError("scores: expected {modality: {reader: scores}}, got an empty dict.")
    if len(models) != len(modalities) * len(readers):
        raise CurvewiseError("scores: expected modalities and readers of different names.")
    return ReaderRows(with_near_weights(read_rows(y, models, **options)), tuple(modalities), tuple(readers))


def _from_columns(data: dict[str, object], options: RowOptions) -> ReaderRows:
    missing = options.get("missing", "raise")
    beside = {k: v for k in ("weight", "cluster") if (v := options.get(k)) is not None}
    present = {k: v for k, v in data.items() if v is not None or k in ("y", "score")}
    columns, _, _ = read_columns({**present, **beside}, missing)
    values = real_numbers(columns["score"])
    positive = binary_labels(columns["y"], options.get("positive"), other=columns["score"])
    by_reader, by_case = (category(name, columns[name]) for name in ("reader", "case"))
    by_modality = category("modality", columns["modality"]) if "modality" in columns else None
    modality = np.zeros(len(values), dtype=np.intp) if by_modality is None else by_modality.code
    modalities = (ONE,) if by_modality is None else by_modality.names
    size = len(modalities), len(by_reader), len(by_case)
    cell = (modality * size[1] + by_reader.code) * size[2] + by_case.code
    order = np.argsort(cell, kind="stable")
    _refuse_repeated(cell[order], order, columns["score"], (by_modality, by_reader, by_case))
    whole = np.bincount(by_case.code, minlength=size[2]) == size[0] * size[1]
    if not whole.all():
        if missing == "raise" or not whole.any():
            raise _incomplete(cell[order], size, (by_modality, by_reader, by_case), some_left=bool(whole.any()))
        order = order[whole[by_case.code[order]]]
    table = order.reshape(size[0] * size[1], -1)  # the row of each modality and reader (first axis) and case
    for name in ("y", *beside):
        _refuse_varied(columns[name], table, by_case)
    first = table[0]
    names = [_model(m, r) for m in modalities for r in by_reader.names]
    models = {name: values[rows] for name, rows in zip(names, table, strict=True)}
    row_options: dict[str, Any] = {
        k: v for k, v in options.items() if k not in ("weight", "cluster", "positive", "missing")
    }
    row_options |= {name: columns[name].values[first] for name in beside}
    rows = with_near_weights(read_rows(positive[first], models, **row_options))
    rows = replace(rows, dropped=int((~whole).sum()), backend=columns["score"].backend)
    return ReaderRows(rows, modalities, by_reader.names)


def _model(modality: str, reader: str) -> str:
    return f"{modality}, {reader}"


def _told(place: tuple[int, ...], names: tuple[Category | None, ...]) -> str:
    """Name a modality, a reader and a case in words."""
    parts = [(c.column, shown(c.labels[k])) for c, k in zip(names, place, strict=True) if c is not None]
    return ", ".join(f"{column} {label}" for column, label in parts)


def _refuse_repeated(
    cell: NDArray[np.intp], order: NDArray[np.intp], score: Column, names: tuple[Category | None, ...]
) -> None:
    again = np.append(False, cell[1:] == cell[:-1])
    if not again.any():
        return
    mask = np.zeros(len(cell), dtype=bool)
    mask[order[again]] = True
    first = order[again][0]
    place = _told(tuple(0 if c is None else int(c.code[first]) for c in names), names)
    raise score.error(
        "expected one score of each reader in each modality for each case, got {found} more ({rows}), the first "
        "of {told}.",
        found=f"{int(again.sum())}",
        rows=row_numbers(mask, score.rows),
        told=place,
    )


def _incomplete(
    cell: NDArray[np.intp], size: tuple[int, int, int], names: tuple[Category | None, ...], *, some_left: bool
) -> CurvewiseError:
    """Say which score is missing first, and how many are; the cells are sorted."""
    every = size[0] * size[1] * size[2]
    gap = np.flatnonzero(cell != np.arange(len(cell)))
    absent = int(gap[0]) if len(gap) else len(cell)  # cells are numbered from 0, so the first gap is the first absent
    place = (absent // (size[1] * size[2]), absent // size[2] % size[1], absent % size[2])
    advice = "pass {option} to leave such cases out for all readers" if some_left else "no case has them all"
    return CurvewiseError(
        "Expected a score of every reader in every modality for every case: {missing} of {every} missing, the first "
        f"of {{told}}; {advice}.",
        missing=count(every - len(cell), "score"),
        every=f"{every:,}".replace(",", " "),
        told=_told(place, names),
        option=OptionName("missing", "drop"),
    )


def _refuse_varied(column: Column, table: NDArray[np.intp], names: Category) -> None:
    """Refuse a label, weight or cluster that is not the same in all rows of a case."""
    values = column.values[table]
    differs = np.asarray(values != values[0], dtype=bool)
    if not differs.any():
        return
    mask = np.zeros(len(column), dtype=bool)
    mask[table[differs]] = True
    cases = np.flatnonzero(differs.any(axis=0))
    raise column.error(
        "expected the same value in all rows of a case, got others in {cases} ({rows}), the first {case}.",
        cases=count(len(cases), "case"),
        rows=row_numbers(mask, column.rows),
        case=shown(names.labels[int(names.code[table[0, cases[0]]])]),
    )
