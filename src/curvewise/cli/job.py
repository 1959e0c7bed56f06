"""Read a file, sweep every score once, and collect the numbers into a report."""

from __future__ import annotations

import math
import signal
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from curvewise.cli.measured import Cut, Report, Scored, Value
from curvewise.cli.words import positive_label, words_of_the_file
from curvewise.core.sweep import Sweep, sweep_of
from curvewise.curves.det import det_curve
from curvewise.errors import UndefinedMetricError
from curvewise.inference.interval import interval_of
from curvewise.metric.average_precision import average_precision
from curvewise.metric.partial import partial_roc_auc
from curvewise.metric.pr_auc import pr_auc
from curvewise.metric.roc_auc import roc_auc
from curvewise.rows.reading import read_rows
from curvewise.sources._polars import pl
from curvewise.sources.files import FileData, read_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from curvewise.rows.reading import HigherIs, Missing, Rows

FPR = (0, 0.1)
SEED, REPLICATES = 0, 1000  # of the bootstrap, where a metric has no formula


@dataclass(frozen=True)
class Request:
    """What the user asked for; ``thresholds`` by score."""

    file: str
    label: str
    scores: Sequence[str]
    thresholds: Mapping[str, Sequence[float]]
    weight: str | None = None
    positive: str | None = None
    higher_is: HigherIs = "positive"
    missing: Missing = "raise"
    round_to: int | None = None
    prevalence: float | None = None
    level: float = 0.95
    intervals: bool = True


@dataclass(frozen=True)
class Metric:
    """A number read from a whole sweep."""

    name: str
    compute: Callable[[Sweep], float]
    meaning: str
    parameters: dict[str, Any]
    moves_with_prevalence: bool = False


METRICS = (
    Metric("roc_auc", roc_auc, "how often a positive outranks a negative; 0.5 is chance, 1 perfect", {}),
    Metric(
        "partial_roc_auc",
        lambda s: partial_roc_auc(s, fpr=FPR, scale="mean"),
        "mean recall where FPR is 0.1 or less; 0.05 is chance, 1 perfect",
        {"fpr": list(FPR), "scale": "mean"},
    ),
    Metric(
        "average_precision",
        lambda s: average_precision(s, ties="block"),
        "mean precision over the positives; chance is the prevalence, 1 perfect",
        {"ties": "block"},
        moves_with_prevalence=True,
    ),
    Metric(
        "pr_auc",
        lambda s: pr_auc(s, interpolation="continuous"),
        "area under the PR curve, counts interpolated; chance is the prevalence, 1 perfect",
        {"interpolation": "continuous"},
        moves_with_prevalence=True,
    ),
    Metric(
        "equal_error_rate", lambda s: det_curve(s).eer, "where FPR equals FNR; 0.5 is chance, 0 perfect", {}
    ),
)
# rates within one class: another prevalence does not change them, nor their intervals
WITHIN_A_CLASS = ("recall", "specificity", "fpr", "fnr")


def evaluate(request: Request) -> Report:
    """Do the whole job.

    Raises
    ------
    UndefinedMetricError
        If no number at all could be computed.
    """
    heed_interrupts()
    numeric = [*request.scores, *([request.weight] if request.weight else [])]
    data = read_file(request.file, label=request.label, numeric=numeric)
    positive = positive_label(data.frame[request.label], request.positive)
    rows = score_rows(data, request, positive)
    sweeps = {name: sweep_of(r) for name, r in rows.items()}
    scored = [_scored(name, s, rows[name], request) for name, s in sweeps.items()]
    values = [v for s in scored for v in [*s.metrics, *(v for cut in s.thresholds for v in cut.metrics)]]
    if all(math.isnan(v.value) for v in values):
        raise UndefinedMetricError(values[0].reason)
    first = next(iter(sweeps.values()))
    facts = {
        "rows": data.frame.height,
        "dropped": first.dropped,
        "positives": first.positives,
        "negatives": first.negatives,
        "prevalence": first.prevalence,
    }
    kept = ("label", "weight", "higher_is", "missing", "round_to", "prevalence", "level")
    options = {k: getattr(request, k) for k in kept}
    source = "standard input" if request.file == "-" else request.file
    return Report(source, {**options, "positive": positive}, facts, scored, data.notes)


def heed_interrupts() -> None:
    """Let Ctrl-C end a wait for input again: Polars, once imported, makes such a wait start over."""
    if hasattr(signal, "siginterrupt"):  # not on Windows
        signal.siginterrupt(signal.SIGINT, True)


def score_rows(data: FileData, request: Request, positive: object) -> dict[str, Rows]:
    """Return the rows of each score, as the door leaves them; a row that lacks any is out for all."""
    scores = list(request.scores)
    frame = data.frame.with_columns(pl.selectors.float().fill_nan(None))
    if request.missing == "drop":
        # side by side, all scores must speak of the same rows: one without a value takes the row along
        whole = pl.all_horizontal(pl.col(scores).is_not_null())
        frame = frame.with_columns(pl.when(whole).then(pl.col(scores)))
    found = {}
    for name in scores:
        roles = {"y": request.label, "score": name, "weight": request.weight}
        with words_of_the_file(roles, data.first_line):
            found[name] = read_rows(
                frame[request.label],
                frame[name],
                weight=frame[request.weight] if request.weight else None,
                positive=positive if request.positive is not None else None,
                higher_is=request.higher_is,
                missing=request.missing,
                round_to=request.round_to,
            )
    return found


def _scored(name: str, s: Sweep, rows: Rows, request: Request) -> Scored:
    moved = s if request.prevalence is None else s.at_prevalence(request.prevalence)
    values = [_value(m, moved if m.moves_with_prevalence else s) for m in METRICS]
    if request.intervals:
        values = [
            v if m.moves_with_prevalence and moved is not s else _with_interval(v, m, s, rows, request.level)
            for v, m in zip(values, METRICS, strict=True)
        ]
    cuts = [_cut(name, s, moved, t, request) for t in request.thresholds.get(name, ())]
    return Scored(name, len(s.threshold), values, cuts)


def _value(metric: Metric, s: Sweep) -> Value:
    try:
        return Value(metric.name, metric.compute(s), metric.meaning, parameters=metric.parameters)
    except UndefinedMetricError as error:
        return Value(metric.name, math.nan, metric.meaning, None, None, str(error), metric.parameters)


def _with_interval(value: Value, metric: Metric, s: Sweep, rows: Rows, level: float) -> Value:
    """Add the interval; weights that are fractional need the rows themselves."""
    source = rows if s.tp.dtype.kind == "f" else s
    try:
        estimate = interval_of(
            metric.name, source, level=level, rng=SEED, replicates=REPLICATES, **metric.parameters
        )
    except UndefinedMetricError:
        return value
    return replace(value, low=estimate.low, high=estimate.high)


def _cut(name: str, s: Sweep, moved: Sweep, threshold: float, request: Request) -> Cut:
    here, there = s.at(threshold), moved.at(threshold)
    sampled = {row["metric"]: row for row in here.table(level=request.level).rows()}
    values = []
    for row in there.table(level=request.level).rows():
        known = moved is s or row["metric"] in WITHIN_A_CLASS
        low, high = (sampled[row["metric"]][k] if known else None for k in ("low", "high"))
        reason = row["meaning"] if math.isnan(row["value"]) else None
        values.append(Value(row["metric"], float(row["value"]), row["meaning"], low, high, reason))
    counted = any(v.low is not None for v in values)
    level = f"{100 * request.level:.4g} % Wilson intervals"
    level = level if moved is s else f"{level} where prevalence plays no part"
    sign = "≥" if request.higher_is == "positive" else "≤"
    return Cut(
        threshold,
        f"flagged where {name} {sign} {threshold}",
        {"tp": there.tp, "fp": there.fp, "fn": there.fn, "tn": there.tn},
        level if counted else "no intervals: weights are fractional",
        values,
    )
