"""One answer to each question about a model of many classes, for summary, sections, caveats and terminal alike."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.errors import Note, Word, note
from curvewise.inference.interval import FEW
from curvewise.many_classes.class_summary import MOST_CELLS, ClassSummary
from curvewise.many_classes.confusion_matrix import ConfusionMatrix, class_names
from curvewise.metric.registry import known

if TYPE_CHECKING:
    from curvewise.many_classes.class_calibration import ClassCalibration
    from curvewise.many_classes.class_groups import ClassGroups
    from curvewise.many_classes.multiclass import Multiclass
    from curvewise.results.estimate import Estimate

MOST_PAIRS = 3
MOST_GAPS = 4


def gain_over_most_frequent(m: Multiclass, *, level: float, rng: int, replicates: int) -> Estimate | None:
    """Return accuracy minus the share of the most frequent class, which always saying that class would reach.

    None where rows are too many to resample.
    """
    if len(m) * len(m.classes) > MOST_CELLS:
        return None
    place = int(np.argmax(m.support))

    def accuracy_gain(some: Multiclass) -> float:
        counts = some.matrix.counts
        return float((np.trace(counts) - counts[place].sum()) / counts.sum())

    return m.interval(accuracy_gain, level=level, rng=rng, replicates=replicates)


def how_good(m: Multiclass, summary: ClassSummary, gain: Estimate | None) -> tuple[Note, ...]:
    """Compare accuracy with always saying the most frequent class, and balanced accuracy with guessing."""
    support, accuracy = m.support, summary.estimates["accuracy"]
    most = int(np.argmax(support))
    values: dict[str, Any] = {"accuracy": accuracy.value, "share": float(support[most] / support.sum())}
    values |= {"label": class_names(m.classes)[most], "level": accuracy.level}
    if gain is None:
        first = note("classes_accuracy", **values)
    else:
        side = _side(gain, 0.0)
        ends = (-gain.high, -gain.low) if side == "worse" else (gain.low, gain.high)
        first = note(f"classes_{side}", **values, gain=abs(gain.value), ends=ends)
    balanced, number = summary.estimates["balanced_accuracy"], int(np.count_nonzero(m.occurs))
    side = _side(balanced, 1 / number) if balanced.has_interval else "alone"
    values = {"value": balanced.value, "ends": _ends(balanced.low, balanced.high), "level": balanced.level}
    return first, note(f"classes_balanced_{side}", **values, classes=number, chance=1 / number)


def worst_class(summary: ClassSummary) -> tuple[Note, ...]:
    """Name the class of which the smallest share is found."""
    there = [row for row in summary.each.rows() if row["rows"]]
    worst = min(there, key=lambda row: float(row["recall"]))
    values = {"label": worst["class"], "rows": worst["rows"], "recall": worst["recall"]}
    if worst["recall"] == 1:
        return (note("classes_all_found"),)
    if worst["recall_low"] is None:
        return (note("class_worst_alone", **values),)
    ends = _ends(worst["recall_low"], worst["recall_high"])
    return (note("class_worst", **values, ends=ends, level=next(iter(summary.estimates.values())).level),)


def confused_most(matrix: ConfusionMatrix) -> tuple[Note, ...]:
    """Name the pairs of classes that are confused in most rows."""
    pairs = matrix.confused(MOST_PAIRS).rows()
    if not pairs:
        return (note("classes_never_confused"),)
    named = {"taken_for": "other", "share_of_class": "share", "class": "label", "rows": "rows"}
    return tuple(note("class_pair", **{new: pair[old] for old, new in named.items()}) for pair in pairs)


def are_right(m: Multiclass, calibration: ClassCalibration | None, choice: ClassCalibration | None) -> tuple[Note, ...]:
    """Say whether the probabilities are right, class by class and for the class chosen."""
    if calibration is None or choice is None:
        return (note("class_labels_alone") if m.trouble is None else note("class_scores_alone", why=m.trouble),)
    return calibration.verdict, choice.verdict


def differ(groups: ClassGroups | None) -> tuple[Note, ...]:
    """Name the differences between groups that chance does not explain, the clearest first."""
    if groups is None:
        return ()
    rows = groups.gaps().rows()
    defined = [row for row in rows if not math.isnan(row["p_holm"])]
    clear = sorted((row for row in defined if row["p_holm"] < 1 - groups.level), key=lambda row: float(row["p_holm"]))
    if any(n.code == "class_intervals_left_out" for n in groups.notes):
        return (note("class_gaps_not_drawn"),)
    if not clear:
        return (note("class_gaps_none" if defined else "class_gaps_undefined", looked=len(defined)),)
    notes = []
    for row in clear[:MOST_GAPS]:
        code = "class_gap" if is_share(row["metric"]) else "class_gap_area"
        values = {"column": row["column"], "metric": Word("metric", row["metric"]), "gap": row["gap"]}
        ends = _ends(row["low"], row["high"])
        notes.append(note(code, **values, ends=ends, p=row["p_holm"], level=groups.level))
    more = len(clear) - len(notes)
    return (*notes, note("class_gaps_more", more=more)) if more else tuple(notes)


def beware(m: Multiclass, calibration: ClassCalibration | None, choice: ClassCalibration | None) -> tuple[Note, ...]:
    """Return what a careful reader should know of these rows; each note has its severity."""
    names, caveats = class_names(m.classes), []
    support = [(k, m.units(m.is_of(k))) for k in np.flatnonzero(m.occurs).tolist()]
    few = [f"{names[k]} ({number})" for k, number in support if number < FEW]
    if few:
        caveats.append(note("few_rows_in_classes", severity="warn", classes=few, few=FEW))
    predicted = m.matrix.counts.sum(axis=0)
    never = [names[k] for k, _ in support if not predicted[k]]
    if never:
        caveats.append(note("classes_never_predicted", severity="warn", classes=never))
    if m.accuracy == 1:
        caveats.append(note("classes_perfect", severity="warn"))
    wrong = [] if calibration is None or not calibration.off else [calibration.verdict]
    wrong += [] if choice is None or choice.verdict.code == "choice_as_sure" else [choice.verdict]
    caveats += [note("class_probabilities", severity="warn", verdict=verdict) for verdict in wrong]
    elsewhere = ("class_rows_dropped", "class_scores_only_rank")  # a caveat of every evaluation; the verdict
    remarks = [n for n in m.notes if n.code not in elsewhere]
    warned = ("class_sums_off", "class_scores_outside", "class_never_occurs")
    kinds = ("warn" if n.code in warned else "note" for n in remarks)
    return (*caveats, *(note("class_remark", severity=kind, said=n) for kind, n in zip(kinds, remarks, strict=True)))


def is_share(metric: str) -> bool:
    """Say whether a number is a share of rows, so that its differences are percentage points."""
    fact = known(metric)
    return fact is not None and fact.unit == "share"


def _side(estimate: Estimate, chance: float) -> str:
    """Say on which side of chance an estimate lies with its whole interval."""
    return "better" if estimate.low > chance else "worse" if estimate.high < chance else "unclear"


def _ends(low: float, high: float) -> tuple[float, float] | None:
    """Return the ends of an interval as a note holds them."""
    return None if math.isnan(low) else (float(low), float(high))
