"""The answer to each question about detectors, as notes: page, terminal, Markdown and JSON repeat these."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from curvewise.detection.mistakes.false_detections import TYPES
from curvewise.errors import Note, Word, note

if TYPE_CHECKING:
    from curvewise.detection.mistakes.error_types import DetectionErrors
    from curvewise.detection.numbers.at_threshold import DetectionsAt
    from curvewise.inference.comparison import Comparison
    from curvewise.results.estimate import Estimate

LITTLE = 0.005  # of average precision: no type of error is worth naming that costs less


def quality(name: str, ap: Estimate, *, several: bool) -> Note:
    """Say how good a detector is."""
    code = "detector_ap" if ap.has_interval else "detector_ap_alone"
    said = note(code, ap=ap.value, ends=(ap.low, ap.high), level=ap.level)
    return _whose(name, said, several=several)


def at_threshold(name: str, found: DetectionsAt, *, several: bool) -> Note:
    """Say what a threshold does to objects and to the boxes that are shown."""
    all_classes = found.pooled
    if math.isnan(all_classes.precision):
        said = note("detector_shows_nothing", threshold=found.threshold)
    else:
        said = note(
            "detector_at",
            threshold=found.threshold,
            recall=all_classes.recall,
            precision=all_classes.precision,
            wrong=all_classes.false_positives_per_image,
        )
    return _whose(name, said, several=several)


def main_error(name: str, found: DetectionErrors, *, several: bool) -> Note:
    """Say which type of error costs most average precision."""
    if found.counts["all missed"] == sum(found.matched.counting[:, 0]):
        return _whose(name, note("detector_finds_nothing", iou=found.iou), several=several)
    worst = max(TYPES, key=lambda kind: _or_nothing(found.delta_ap.get(kind)))
    gain = _or_nothing(found.delta_ap.get(worst))
    if gain < LITTLE:
        return _whose(name, note("detector_no_error"), several=several)
    said = note("detector_main_error", kind=Word("figure.word", f"error_{worst}"), gain=gain, count=found.counts[worst])
    return _whose(name, said, several=several)


def better(found: Comparison) -> list[Note]:
    """Say which of several detectors is better: the first that the paired test puts before all others."""
    order = sorted(found.values, key=lambda name: -found.values[name])
    beaten = {loser for _, loser in found.clearly_better()}
    best = [name for name in order if name not in beaten]
    if len(best) == 1:
        told = [note("detector_better", name=best[0], count=len(order))]
    else:
        told = [note("detectors_alike", names=best, count=len(order))]
    if len(order) == 2:
        pair = found.pairs[0]
        gap = pair.difference
        told.append(
            note(
                "detector_difference",
                first=pair.first,
                second=pair.second,
                gap=gap.value,
                ends=(gap.low, gap.high),
                level=gap.level,
                p=pair.p_value,
            )
        )
    if len(best) < len(order) > 2:
        amount = note("selection_bias_area", amount=found.selection_bias, metric=Word("metric", "average_precision"))
        told.append(note("picked", model=best[0], models=len(order), amounts=(amount,)))
    return told


def _whose(name: str, said: Note, *, several: bool) -> Note:
    """Put the name of the detector before a sentence, where there are several."""
    return note("of_model", model=name, said=said) if several else said


def _or_nothing(value: float | None) -> float:
    return 0.0 if value is None or math.isnan(value) else value
