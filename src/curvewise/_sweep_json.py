"""A sweep as a versioned dict that JSON can hold, and back, checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from curvewise._columns import as_column
from curvewise._errors import CurvewiseError
from curvewise._table import json_safe
from curvewise._validate import one_of, whole_or_float

SCHEMA = "curvewise.sweep"
VERSION = 1
KEPT = ("positives", "negatives", "weighted", "dropped", "round_to", "higher_is", "sample_prevalence")


def to_dict(fields: dict[str, Any]) -> dict[str, Any]:
    """Write the fields of a sweep."""
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "dtype": fields["threshold"].dtype.name,
        "threshold": [json_safe(t) for t in fields["threshold"].tolist()],
        "tp": fields["tp"].tolist(),
        "fp": fields["fp"].tolist(),
        **{k: fields[k] for k in KEPT},
    }


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
    dtype = np.dtype(data["dtype"])
    if dtype.kind not in "iuf":
        raise CurvewiseError(f"dtype: expected a real number type, got {data['dtype']!r}.")
    one_of("higher_is", data["higher_is"], ("positive", "negative"))
    threshold = np.array([float(t) if isinstance(t, str) else t for t in data["threshold"]], dtype)
    tp, fp = (whole_or_float(as_column(data[k], k)) for k in ("tp", "fp"))
    if not len(threshold) == len(tp) == len(fp) > 0:
        raise CurvewiseError("threshold, tp and fp must be equally long and not empty.")
    if tp.dtype != fp.dtype or isinstance(data["positives"], float):
        tp, fp = tp.astype(np.float64), fp.astype(np.float64)
    before, after = threshold[:-1], threshold[1:]
    in_order = before > after if data["higher_is"] == "positive" else before < after
    if not in_order.all() or (np.diff(tp) < 0).any() or (np.diff(fp) < 0).any():
        raise CurvewiseError("Thresholds must fall and counts must not: this is no sweep.")
    if data["positives"] < tp[-1] or data["negatives"] < fp[-1]:
        raise CurvewiseError("positives and negatives must be at least the last counts.")
    return {"threshold": threshold, "tp": tp, "fp": fp, **{k: data[k] for k in KEPT}}
