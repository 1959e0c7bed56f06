"""Read a saved evaluation: a dict, or the path of the JSON that holds it, checked part by part."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any

import numpy as np

from curvewise.core.confusion import Confusion
from curvewise.core.sweep import Sweep
from curvewise.curves.histogram import ScoreHistogram
from curvewise.errors import CurvewiseError
from curvewise.evaluation.evaluation import Evaluation
from curvewise.evaluation.options import Origin
from curvewise.evaluation.saved.evaluation import SavedEvaluation, SavedModel, SavedPoint
from curvewise.evaluation.saved.fields import SavedFields, estimate_of, note_of, plain_json
from curvewise.probabilities.calibration import MEASURES, Calibration
from curvewise.probabilities.expected_errors import ExpectedError
from curvewise.probabilities.goodness_tests import GoodnessTest
from curvewise.results.estimate import Estimate
from curvewise.sources.byte_source import unreadable

CENSORED = "an evaluation of censored outcomes cannot be read back yet; evaluate its rows again."
LARGEST = 1 << 28  # bytes: fifty models with a hundred groups take a tenth of it
FITS = ("in_the_large", "slope", "intercept", "observed_expected")
TESTS = ("joint", "spiegelhalter", "hosmer_lemeshow")
CELLS = ("tp", "fp", "fn", "tn")
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
    top = SavedFields(saved, what)
    made, options, counted = top.fields("made"), top.fields("options"), top.fields("data")
    level = options.number("level")
    if not 0 < level < 1:
        raise options.wrong(options.place("level"), "a number between 0 and 1", options.value["level"])
    if not isinstance(options.value.get("scores"), list):
        raise options.wrong(options.place("scores"), "a list of names", options.value.get("scores"))
    for name in COUNTED:
        _ = counted.number(name) if name in counted else None
    weight_kind = options.text("weight_kind") if counted.value.get("weighted") else None
    models = {m.name: m for m in (_model(found, weight_kind) for found in top.each("models"))}
    if len(models) != len(saved["models"]):
        raise CurvewiseError(f"{top.place('models')}: two models have the same name; the file was changed or damaged.")
    classes = [] if "multiclass" not in top else list(top.fields("multiclass").each("metrics"))
    if not models and not classes:
        raise CurvewiseError(f"{top.place('models')}: there is no model; the file was changed or damaged.")
    return SavedEvaluation(
        models=models,
        options=options.value,
        data=counted.value,
        prevalence=_prevalence(counted, level) if models else None,
        multiclass_estimates={f.text("metric"): _of_classes(f, level) for f in classes},
        origin=Origin(made.text_or_none("source"), None, made.text_or_none("sha256")),
        command=made.text_or_none("command"),
        seed=made.whole_or_none("seed"),
        written_by=top.text("curvewise"),
        level=level,
        left_out=top.notes("left_out"),
        notes=top.notes("notes"),
        saved={k: v for k, v in saved.items() if k not in ("schema", "version")},
    )


def _model(found: SavedFields, weight_kind: str | None) -> SavedModel:
    sweep = _sweep(found, "sweep", weight_kind)
    distinct = found.whole_or_none("distinct") or len(sweep.threshold)
    return SavedModel(
        name=found.text("name"),
        why_not_probability=found.text_or_none("why_not_probability"),
        distinct=distinct,
        estimates={name: estimate_of(e) for name, e in found.by_name("estimates").items()},
        sweep=sweep,
        quantiles=_sweep(found, "quantiles", weight_kind),
        histogram=_histogram(found.fields("histogram"), sweep),
        point=_point(found.fields("point")) if "point" in found else None,
        calibration=_calibration(found.fields("calibration")) if "calibration" in found else None,
    )


def _sweep(found: SavedFields, name: str, weight_kind: str | None) -> Sweep:
    """Return a thinned sweep; the totals and the direction stand with that of the ROC curve."""
    own, whole = found.fields(name), found.fields("sweep")
    threshold = own.numbers("threshold")
    whole_numbers = all(isinstance(t, int) and abs(t) < 2**63 for t in threshold)
    fields = {
        "dtype": "int64" if whole_numbers else "float64",
        "threshold": threshold,
        **{k: own.numbers(k) for k in ("tp", "fp")},
        **{k: whole.number(k) for k in ("positives", "negatives")},
        "higher_is": whole.text("higher_is"),
        "weight_kind": weight_kind,
        "dropped": 0,
        "round_to": None,
        "sample_prevalence": None,
        "horizon": None,
        "bins": None,
    }
    try:
        return Sweep.from_dict({"schema": Sweep.schema, "version": Sweep.version, **fields})
    except CurvewiseError as error:
        raise CurvewiseError(f"{own.where}: {error}") from None


def _histogram(found: SavedFields, sweep: Sweep) -> ScoreHistogram:
    columns = ("from", "to", "positives", "negatives")
    low, high, positives, negatives = (np.array(found.numbers(k), dtype=np.float64) for k in columns)
    edges = np.append(low, high[-1:])
    whole = len(low) and len({len(v) for v in (low, high, positives, negatives)}) == 1
    if not whole or not (np.diff(edges) > 0).all() or min(positives.min(), negatives.min()) < 0:
        raise CurvewiseError(f"{found.where}: expected rising bins with counts; the file was changed or damaged.")
    return ScoreHistogram(edges, positives, negatives, sweep.positives, sweep.negatives)


def _point(found: SavedFields) -> SavedPoint:
    rule, level = found.fields("rule"), found.number("level")
    estimates = {name: estimate_of(e) for name, e in found.by_name("estimates").items()}
    stated = rule.number("prevalence")
    expected = estimates
    if "optimism" in found:
        later = {f.text("metric"): _expected(f, level) for f in found.fields("optimism").each("expectations")}
        if "recall" in later and later["recall"].is_defined:
            expected = {name: later.get(name, e) for name, e in estimates.items()}
    return SavedPoint(
        rule=rule.text("name"),
        threshold=float(found.number("threshold")),
        midpoint=float(found.number("midpoint")),
        flags_nothing=found.flag("flags_nothing"),
        confusion=_confusion(found.fields("confusion")),
        prevalence=float(found.number("prevalence")),
        stated_prevalence=None if math.isnan(stated) else float(stated),
        estimates=estimates,
        expected=expected,
        sentence=found.text("sentence"),
        level=level,
        higher_is=found.text("higher_is"),
    )


def _confusion(found: SavedFields) -> Confusion:
    counts = {k: found.number(k) for k in (*CELLS, "threshold")}
    try:
        return Confusion(**counts)
    except CurvewiseError as error:
        raise CurvewiseError(f"{found.where}.{error}") from None


def _expected(found: SavedFields, level: float) -> Estimate:
    value, low, high = (float(found.number(k)) for k in ("corrected", "low", "high"))
    return Estimate(found.text("metric"), value, low, high, level, "optimism-corrected")


def _of_classes(found: SavedFields, level: float) -> Estimate:
    """Return a number of many classes, whose method and standard error were not saved."""
    value, low, high = (float(found.number(k)) for k in ("value", "low", "high"))
    return Estimate(found.text("metric"), value, low, high, level, None, reason=found.note_or_none("reason"))


def _prevalence(found: SavedFields, level: float) -> Estimate:
    value, low, high = (float(found.number(k)) for k in ("prevalence", "prevalence_low", "prevalence_high"))
    return Estimate("prevalence", value, low, high, level, "wilson")


def _calibration(found: SavedFields) -> Calibration:
    parts: dict[str, Any] = {k: estimate_of(found.fields(k)) for k in FITS}
    parts |= {k: _test(found.fields(k)) for k in TESTS}
    parts |= {k: float(found.number(k)) for k in MEASURES if k not in parts}
    return Calibration(
        **parts,
        expected={name: _error(e) for name, e in found.by_name("expected").items()},
        **{k: found.number(k) for k in ("n", "positives", "level")},
        bins=found.whole_or_none("bins") or 0,
        binning=found.text("binning"),
        weighted=found.flag("weighted"),
        clusters=found.whole_or_none("clusters"),
        reasons={name: note_of(why) for name, why in found.by_name("reasons").items()},
        notes=found.notes("notes"),
    )


def _test(found: SavedFields) -> GoodnessTest:
    statistic, p_value = (float(found.number(k)) for k in ("statistic", "p_value"))
    degrees, why = found.whole_or_none("degrees"), found.note_or_none("reason")
    return GoodnessTest(found.text("test"), statistic, p_value, degrees, why)


def _error(found: SavedFields) -> ExpectedError:
    numbers: dict[str, Any] = {k: float(found.number(k)) for k in ("value", "expected", "limit", "level", "p_value")}
    return ExpectedError(found.text("measure"), **numbers, replicates=found.whole_or_none("replicates") or 0)
