"""A sweep as a versioned dict that JSON can hold, and back, checked."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise._columns import as_column
from curvewise._errors import CurvewiseError
from curvewise._table import json_safe
from curvewise._validate import one_of, real, whole, whole_or_float

if TYPE_CHECKING:
    from numpy.typing import NDArray

SCHEMA = "curvewise.sweep"
VERSION = 1
KEPT = ("positives", "negatives", "weighted", "dropped", "round_to", "higher_is", "sample_prevalence")


def to_dict(fields: dict[str, Any]) -> dict[str, Any]:
    """Write the fields of a sweep."""
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "dtype": fields["threshold"].dtype.name,
        "threshold": _numbers(fields["threshold"]),
        "tp": fields["tp"].tolist(),
        "fp": fields["fp"].tolist(),
        **{k: fields[k] for k in KEPT},
    }


def _numbers(threshold: NDArray[Any]) -> list[Any]:
    """Write scores exactly; those longer than a float64 as text."""
    if threshold.dtype.itemsize > 8:
        return [str(t) for t in threshold]
    return [json_safe(t) for t in threshold.tolist()]


def from_dict(data: dict[str, Any]) -> dict[str, Any]:
    """Read the fields of a sweep; refuse what no sweep could have written."""
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise CurvewiseError(f"Expected a dict with schema {SCHEMA!r}, as to_dict writes it.")
    if data.get("version") != VERSION:
        raise CurvewiseError(
            f"Expected version {VERSION} of {SCHEMA}, got {data.get('version')!r}; "
            "a newer curvewise may have written it."
        )
    try:
        return _checked(data)
    except CurvewiseError:
        raise
    except (KeyError, TypeError, OverflowError, ValueError) as error:
        raise CurvewiseError(f"The dict is not a whole sweep ({type(error).__name__}: {error}).") from None


def _checked(data: dict[str, Any]) -> dict[str, Any]:
    dtype = np.dtype(str(data["dtype"]))
    if dtype.kind not in "iuf":
        raise CurvewiseError(f"dtype: expected a real number type, got {data['dtype']!r}.")
    one_of("higher_is", data["higher_is"], ("positive", "negative"))
    threshold = np.array([dtype.type(t) if isinstance(t, str) else t for t in data["threshold"]], dtype)
    tp, fp = (whole_or_float(as_column(data[k], k)) for k in ("tp", "fp"))
    if not len(threshold) == len(tp) == len(fp) > 0:
        raise CurvewiseError("threshold, tp and fp must be equally long and not empty.")
    if tp.dtype != fp.dtype or isinstance(data["positives"], float):
        tp, fp = tp.astype(np.float64), fp.astype(np.float64)
    before, after = threshold[:-1], threshold[1:]
    in_order = before > after if data["higher_is"] == "positive" else before < after
    if not in_order.all() or (np.diff(tp) < 0).any() or (np.diff(fp) < 0).any():
        raise CurvewiseError("Thresholds must fall and counts must not: this is no sweep.")
    for name, total in (("positives", tp[-1]), ("negatives", fp[-1])):
        if real(name, data[name], 0, math.inf) < total:
            raise CurvewiseError(f"{name}: expected at least the last count, got {data[name]!r}.")
    if not isinstance(data["weighted"], bool):
        raise CurvewiseError(f"weighted: expected true or false, got {data['weighted']!r}.")
    whole("dropped", data["dropped"], 0)
    if data["round_to"] is not None:
        whole("round_to", data["round_to"], 0)
    if data["sample_prevalence"] is not None:
        real("sample_prevalence", data["sample_prevalence"], 0, 1)
    return {"threshold": threshold, "tp": tp, "fp": fp, **{k: data[k] for k in KEPT}}
