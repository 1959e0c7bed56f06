"""Read a saved evaluation: a dict, or the path of the JSON that holds it, checked part by part."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any

import numpy as np

from curvewise.core.sweep import Sweep
from curvewise.curves.histogram import ScoreHistogram
from curvewise.errors import CurvewiseError, Note
from curvewise.evaluation.evaluation import Evaluation
from curvewise.evaluation.options import Origin
from curvewise.evaluation.saved.decode import field, optional, plain_json, result, wrong
from curvewise.evaluation.saved.evaluation import SavedEvaluation, SavedModel, SavedPoint
from curvewise.results.estimate import Estimate
from curvewise.sources.byte_source import unreadable

CENSORED = "an evaluation of censored outcomes cannot be read back yet; evaluate its rows again."
LARGEST = 1 << 28  # bytes: fifty models with a hundred groups take a tenth of it
COUNTED = ("rows", "positives", "negatives", "prevalence", "dropped", "weight", "clusters", "strata")


def baseline_of(given: object) -> Evaluation | SavedEvaluation:
    """Return the evaluation to compare with: one, its dict, or the path of its JSON."""
    if isinstance(given, Evaluation) and given.survival is not None:
        raise CurvewiseError(f"baseline: {CENSORED}")
    if isinstance(given, (Evaluation, SavedEvaluation)):
        return given
    if isinstance(given, (str, os.PathLike)):
        path = os.fspath(given)
        return saved_evaluation(_json_in(Path(os.fsdecode(path))), os.fsdecode(path))
    return saved_evaluation(given)


def _json_in(path: Path) -> Any:
    try:
        with path.open("rb") as stream:
            text = stream.read(LARGEST + 1)
    except (OSError, ValueError) as error:  # a name with a zero byte is a ValueError
        raise unreadable(str(path), error) from None
    if len(text) > LARGEST:
        raise CurvewiseError(f"{path}: too large for a saved evaluation (more than {LARGEST >> 20} MB).")
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        why = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise CurvewiseError(f"{path}: expected JSON, as curvewise report -o last.json writes it ({why}).") from None


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def saved_evaluation(data: object, what: str = "baseline") -> SavedEvaluation:
    """Read the dict of an evaluation, checked; ``what`` names it in messages."""
    schema = SavedEvaluation.schema
    if not isinstance(data, dict) or data.get("schema") != schema:
        found = f"schema {data.get('schema')!r}" if isinstance(data, dict) else f"a {type(data).__name__}"
        raise CurvewiseError(
            f"{what}: expected an evaluation (schema {schema!r}), as ev.to_dict() and curvewise report -o last.json "
            f"write it, got {found[:80]}."
        )
    if data.get("version") != SavedEvaluation.version:
        raise CurvewiseError(
            f"{what}: expected version {SavedEvaluation.version} of {schema}, got {str(data.get('version'))[:20]}; "
            "another version of curvewise wrote it: make it again with this one."
        )
    if data.get("survival") is not None:
        raise CurvewiseError(f"{what}: {CENSORED}")
    saved = plain_json(data, what)
    made, options, counted = (field(dict, saved, what, name) for name in ("made", "options", "data"))
    source, sha256, command = (optional(str, made, f"{what}.made", k) for k in ("source", "sha256", "command"))
    level = field(float, options, f"{what}.options", "level")
    if not 0 < level < 1:
        raise wrong(f"{what}.options.level", "a number between 0 and 1", options["level"])
    if not isinstance(options.get("scores"), list):
        raise wrong(f"{what}.options.scores", "a list of names", options.get("scores"))
    for name in COUNTED:
        optional(float, counted, f"{what}.data", name)
    weight_kind = field(str, options, f"{what}.options", "weight_kind") if counted.get("weighted") else None
    each = enumerate(field(list[Any], saved, what, "models"))
    models = {m.name: m for m in (_model(found, f"{what}.models[{k}]", weight_kind) for k, found in each)}
    if len(models) != len(saved["models"]):
        raise CurvewiseError(f"{what}.models: two models have the same name; the file was changed or damaged.")
    classes = optional(dict, saved, what, "multiclass")
    numbers = [] if classes is None else field(list[Any], classes, f"{what}.multiclass", "metrics")
    if not models and not numbers:
        raise CurvewiseError(f"{what}.models: there is no model; the file was changed or damaged.")
    # of many classes, and of the prevalence, more is not saved
    alone = {"level": level, "method": None, "standard_error": None, "replicates": None, "notes": ()}
    of_classes = (
        result(Estimate, found, f"{what}.multiclass.metrics[{k}]", **alone) for k, found in enumerate(numbers)
    )
    return SavedEvaluation(
        models=models,
        options=options,
        data=counted,
        prevalence=_wilson(counted, f"{what}.data", level) if models else None,
        multiclass_estimates={e.metric: e for e in of_classes},
        origin=Origin(source, None, sha256),
        command=command,
        seed=optional(int, made, f"{what}.made", "seed"),
        written_by=field(str, saved, what, "curvewise"),
        level=level,
        left_out=field(tuple[Note, ...], saved, what, "left_out"),
        notes=field(tuple[Note, ...], saved, what, "notes"),
        saved={k: v for k, v in saved.items() if k not in ("schema", "version")},
    )


def _wilson(counted: Any, where: str, level: float) -> Estimate:
    value, low, high = (field(float, counted, where, k) for k in ("prevalence", "prevalence_low", "prevalence_high"))
    return Estimate("prevalence", value, low, high, level, "wilson")


def _model(saved: Any, where: str, weight_kind: str | None) -> SavedModel:
    sweep = _sweep(saved, where, "sweep", weight_kind)
    point = optional(dict, saved, where, "point")
    return result(  # type: ignore[no-any-return]
        SavedModel,
        saved,
        where,
        distinct=optional(int, saved, where, "distinct") or len(sweep.threshold),
        sweep=sweep,
        quantiles=_sweep(saved, where, "quantiles", weight_kind),
        histogram=_histogram(field(dict, saved, where, "histogram"), f"{where}.histogram", sweep),
        point=None if point is None else _point(point, f"{where}.point"),
    )


def _sweep(saved: Any, where: str, name: str, weight_kind: str | None) -> Sweep:
    """Return a thinned sweep; the totals and the direction stand with that of the ROC curve."""
    counts, whole = (field(dict, saved, where, k) for k in (name, "sweep"))
    threshold, tp, fp = (_numbers(counts, f"{where}.{name}", k) for k in ("threshold", "tp", "fp"))
    whole_numbers = all(isinstance(t, int) and abs(t) < 2**63 for t in threshold)
    columns = {
        "dtype": "int64" if whole_numbers else "float64",
        "threshold": threshold,
        "tp": tp,
        "fp": fp,
        **{k: field(float, whole, f"{where}.sweep", k) for k in ("positives", "negatives")},
        "higher_is": field(str, whole, f"{where}.sweep", "higher_is"),
        "weight_kind": weight_kind,
        "dropped": 0,
        **dict.fromkeys(("round_to", "sample_prevalence", "horizon", "bins")),
    }
    try:
        return Sweep.from_dict({"schema": Sweep.schema, "version": Sweep.version, **columns})
    except CurvewiseError as error:
        raise CurvewiseError(f"{where}.{name}: {error}") from None


def _numbers(saved: Any, where: str, name: str) -> list[Any]:
    """Return a list of numbers, none of them null."""
    found: list[Any] = field(list[float], saved, where, name)
    if None in saved[name]:
        raise wrong(f"{where}.{name}[{saved[name].index(None)}]", "a number", None)
    return found


def _histogram(saved: Any, where: str, sweep: Sweep) -> ScoreHistogram:
    columns = ("from", "to", "positives", "negatives")
    low, high, positives, negatives = (np.array(_numbers(saved, where, k), dtype=np.float64) for k in columns)
    edges = np.append(low, high[-1:])
    whole = len(low) and len({len(v) for v in (low, high, positives, negatives)}) == 1
    if not whole or not (np.diff(edges) > 0).all() or min(positives.min(), negatives.min()) < 0:
        raise CurvewiseError(f"{where}: expected rising bins with counts; the file was changed or damaged.")
    return ScoreHistogram(edges, positives, negatives, sweep.positives, sweep.negatives)


def _point(saved: Any, where: str) -> SavedPoint:
    rule, optimism = field(dict, saved, where, "rule"), optional(dict, saved, where, "optimism")
    stated = field(float, rule, f"{where}.rule", "prevalence")
    estimates = field(dict[str, Estimate], saved, where, "estimates")
    level, later = field(float, saved, where, "level"), {}
    for k, found in enumerate(
        [] if optimism is None else field(list[Any], optimism, f"{where}.optimism", "expectations")
    ):
        here = f"{where}.optimism.expectations[{k}]"
        value, low, high = (field(float, found, here, name) for name in ("corrected", "low", "high"))
        corrected = Estimate(field(str, found, here, "metric"), value, low, high, level, "optimism-corrected")
        later[corrected.metric] = corrected
    is_corrected = "recall" in later and later["recall"].is_defined
    return result(  # type: ignore[no-any-return]
        SavedPoint,
        saved,
        where,
        rule=field(str, rule, f"{where}.rule", "name"),
        stated_prevalence=None if math.isnan(stated) else stated,
        estimates=estimates,
        expected={name: later.get(name, e) if is_corrected else e for name, e in estimates.items()},
    )
