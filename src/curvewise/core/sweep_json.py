"""A sweep as a versioned dict that JSON can hold, and back, checked."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curvewise.core.bins import Bins
from curvewise.errors import CurvewiseError
from curvewise.results.numbers import json_safe
from curvewise.rows.checks import one_of, real, whole
from curvewise.rows.columns import as_column, shown
from curvewise.rows.horizon_rows import AtHorizon
from curvewise.rows.reading import whole_or_float

KEPT = ("positives", "negatives", "weight_kind", "dropped", "round_to", "higher_is", "sample_prevalence")


def to_dict(fields: dict[str, Any]) -> dict[str, Any]:
    """Write the fields of a sweep."""
    return {
        "dtype": fields["threshold"].dtype.name,
        "threshold": _numbers(fields["threshold"]),
        "tp": fields["tp"].tolist(),
        "fp": fields["fp"].tolist(),
        **{k: fields[k] for k in KEPT},
        "horizon": None if fields["horizon"] is None else json_safe(asdict(fields["horizon"])),
        "bins": None if fields["bins"] is None else _written_bins(fields["bins"]),
    }


def _numbers(threshold: NDArray[Any]) -> list[Any]:
    """Write scores exactly; those longer than a float64 as text."""
    if threshold.dtype.itemsize > 8:
        return [str(t) for t in threshold]
    return [json_safe(t) for t in threshold.tolist()]


def from_dict(data: dict[str, Any], schema: str, version: int) -> dict[str, Any]:
    """Read the fields of a sweep; refuse what no sweep could have written."""
    if not isinstance(data, dict) or data.get("schema") != schema:
        raise CurvewiseError(f"Expected a dict with schema {schema!r}, as to_dict writes it.")
    if data.get("version") != version:
        raise CurvewiseError(
            f"Expected version {version} of {schema}, got {shown(data.get('version'))}; "
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
        raise CurvewiseError(f"dtype: expected a real number type, got {shown(data['dtype'])}.")
    one_of("higher_is", data["higher_is"], ("positive", "negative"))
    threshold = np.array([dtype.type(t) if isinstance(t, str) else t for t in data["threshold"]], dtype)
    tp, fp = (whole_or_float(as_column(data[k], k)) for k in ("tp", "fp"))
    if not len(threshold) == len(tp) == len(fp) or not (len(threshold) or data["positives"]):
        raise CurvewiseError("threshold, tp and fp must be equally long and not empty.")
    if tp.dtype != fp.dtype or isinstance(data["positives"], float):
        tp, fp = tp.astype(np.float64), fp.astype(np.float64)
    before, after = threshold[:-1], threshold[1:]
    in_order = before > after if data["higher_is"] == "positive" else before < after
    if not in_order.all() or (np.diff(tp) < 0).any() or (np.diff(fp) < 0).any():
        raise CurvewiseError("Thresholds must fall and counts must not: this is no sweep.")
    for name, counts in (("positives", tp), ("negatives", fp)):
        if name == "negatives" and data[name] is None:
            continue  # unknown
        if real(name, data[name], 0, math.inf) < (counts[-1] if len(counts) else 0):
            raise CurvewiseError(f"{name}: expected at least the last count, got {shown(data[name])}.")
    one_of("weight_kind", data["weight_kind"], (None, "sampling", "count"))
    whole("dropped", data["dropped"], 0)
    if data["round_to"] is not None:
        whole("round_to", data["round_to"], 0)
    if data["sample_prevalence"] is not None:
        real("sample_prevalence", data["sample_prevalence"], 0, 1)
    return {
        "threshold": threshold,
        "tp": tp,
        "fp": fp,
        **{k: data[k] for k in KEPT},
        "horizon": _horizon(data),
        "bins": _bins(data, threshold),
    }


def _written_bins(bins: Bins) -> dict[str, Any]:
    wins, gained = (None if v is None else v.tolist() for v in (bins.wins, bins.gained))
    return {"low": _numbers(bins.low), "high": _numbers(bins.high), "wins": wins, "gained": gained}


def _bins(data: dict[str, Any], threshold: NDArray[Any]) -> Bins | None:
    written = data["bins"]
    if written is None:
        return None
    low, high = (
        np.array([threshold.dtype.type(t) if isinstance(t, str) else t for t in written[k]], threshold.dtype)
        for k in ("low", "high")
    )
    if not len(low) == len(high) == len(threshold) or not ((low <= threshold) & (threshold <= high)).all():
        raise CurvewiseError("bins: expected a least and a greatest score per threshold, around it.")
    wins, gained = (written[k] for k in ("wins", "gained"))
    return Bins(
        low,
        high,
        None if wins is None else np.array(wins, np.int64),
        None if gained is None else np.array(gained, np.float64),
    )


def _horizon(data: dict[str, Any]) -> AtHorizon | None:
    written = data["horizon"]
    if written is None:
        return None
    counts = {k: whole(k, written[k], 0) for k in ("cases", "controls", "unknown")}
    first, mean = written["first_event"], written["mean_score"]
    return AtHorizon(
        at=real("at", written["at"], 0, math.inf),
        **counts,
        first_event=None if first is None else real("first_event", first, 0, math.inf),
        last_control=real("last_control", written["last_control"], 0, math.inf),
        mean_score=None if mean is None else float(mean),
        is_known=bool(written["is_known"]),
    )
