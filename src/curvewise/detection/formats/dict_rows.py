"""A list of dicts, one per object or detection, as columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from curvewise.detection.formats.side import FIELDS, NEEDED, Side, Wanted, both_names, side_of
from curvewise.detection.formats.wording import wrong_rows
from curvewise.errors import CurvewiseError
from curvewise.rows.columns import kind_of


def read_dicts(rows: Sequence[Any], wanted: Wanted, where: str, **facts: Any) -> Side:
    """Read rows such as ``{"image_id": 1, "category_id": 3, "bbox": [x, y, w, h], "score": 0.9}``."""
    masks = False
    if not rows:
        columns: dict[str, list[Any]] = {name: [] for name in wanted.fields if name in NEEDED}
        if wanted.score is not None:
            columns.pop("score", None)
    elif isinstance(rows[0], Mapping):
        try:
            columns = {f: _values(rows, key) for f in wanted.fields if (key := _key(rows, f, where)) is not None}
            masks = wanted.name == "truth" and any(map(_has_mask, rows))
        except (TypeError, AttributeError, IndexError, ValueError) as error:
            if isinstance(error, CurvewiseError):
                raise
            raise _no_dicts(rows, where) from None
    else:
        raise _no_dicts(rows, where)
    return side_of(columns, wanted, where, has_areas=True, has_masks=masks, **facts)


def _key(rows: Sequence[Mapping[str, Any]], field: str, where: str) -> str | None:
    """Return what rows call a field; None where no row has it."""
    names = [n for n in FIELDS[field] if n in rows[0]]
    names = names or [n for n in FIELDS[field] if any(n in r for r in rows)]
    if len(names) > 1:
        raise both_names(where, names)
    return names[0] if names else None


def _values(rows: Sequence[Mapping[str, Any]], key: str) -> list[Any]:
    try:
        return [r[key] for r in rows]
    except KeyError:  # a row without it counts as one with None
        return [r.get(key) for r in rows]


def _has_mask(row: Mapping[str, Any]) -> bool:
    mask = row.get("segmentation")
    return mask is not None and not (isinstance(mask, list) and not mask)


def _no_dicts(rows: Sequence[Any], where: str) -> CurvewiseError:
    bad = np.fromiter((not isinstance(r, Mapping) for r in rows), bool, len(rows))
    first = kind_of(rows[int(np.argmax(bad))])
    return wrong_rows(where, f"what should be a dict is {first}", bad, "give one dict per object or detection")
