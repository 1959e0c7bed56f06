"""One detector evaluated: every part is made when it is asked for, and once."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from curvewise.curves.histogram import ScoreHistogram, score_histogram
from curvewise.detection.mistakes.class_confusion import DetectionConfusion, class_confusion
from curvewise.detection.mistakes.error_types import DetectionErrors, error_types
from curvewise.detection.numbers.at_threshold import DetectionsAt, detections_at
from curvewise.detection.numbers.breakdown import DetectionGroups, by_images
from curvewise.detection.numbers.f_curve import FCurve, best_threshold, f_curve
from curvewise.detection.numbers.froc import Froc, froc
from curvewise.detection.numbers.per_class import ClassTable, class_sweeps, per_class
from curvewise.detection.numbers.summary import DetectionSummary, summary
from curvewise.detection.resampling.intervals import resampled_numbers
from curvewise.detection.resampling.threshold_intervals import threshold_intervals

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.detection.matching.matched import Matched
    from curvewise.detection.resampling.image_resampling import DrawOptions
    from curvewise.detection.resampling.replicates import Replicates
    from curvewise.probabilities.reliability import Reliability
    from curvewise.results.estimate import Estimate


@dataclass(frozen=True)
class DetectionOptions:
    """What was asked for: a threshold of the scores, the overlap of a right box, intervals."""

    threshold: float | None
    iou: float
    level: float
    replicates: int
    rng: int
    intervals: bool
    cluster: Any = None
    by: tuple[str, ...] = ()

    @property
    def drawing(self) -> DrawOptions:
        """How images are drawn."""
        return {"level": self.level, "rng": self.rng, "replicates": self.replicates, "cluster": self.cluster}


@dataclass(frozen=True, eq=False)
class DetectorEvaluation:
    """One detector: every part is made when it is asked for, and once."""

    name: str
    matched: Matched
    options: DetectionOptions

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in vars(self).items() if k != "resampled"}  # it holds functions; the seed gives it again

    @cached_property
    def resampled(self) -> Replicates | None:
        """All numbers of all resamples, shared by summary, classes and breakdowns; None without intervals."""
        o = self.options
        if not o.intervals:
            return None
        return resampled_numbers(self.matched, **o.drawing)

    @cached_property
    def summary(self) -> DetectionSummary:
        """The numbers that sum it up."""
        return summary(self.matched, None if self.resampled is None else self.resampled.estimates())

    @cached_property
    def per_class(self) -> ClassTable:
        """Every class."""
        return per_class(
            self.matched, level=self.options.level, intervals=self.options.intervals, resampled=self.resampled
        )

    @cached_property
    def errors(self) -> DetectionErrors:
        """What goes wrong, by type."""
        return error_types(self.matched, iou=self.options.iou)

    @cached_property
    def threshold(self) -> float:
        """The threshold that was asked for, else the one with the greatest F1; where nothing is found, the lowest."""
        if self.options.threshold is not None:
            return self.options.threshold
        best = best_threshold(self.matched, iou=self.options.iou).threshold
        return float(self.matched.scene.found.score.min(initial=0.0)) if math.isnan(best) else best

    @cached_property
    def at(self) -> DetectionsAt:
        """What that threshold finds, and shows wrongly."""
        return detections_at(self.matched, self.threshold, iou=self.options.iou)

    @cached_property
    def rates(self) -> dict[str, Estimate]:
        """Precision, recall, F1 and false positives per image at that threshold, with intervals; empty without."""
        o = self.options
        if not o.intervals:
            return {}
        return threshold_intervals(self.matched, self.threshold, iou=o.iou, **o.drawing)

    @cached_property
    def confusion(self) -> DetectionConfusion:
        """Which classes are taken for which."""
        return class_confusion(self.matched, self.threshold, iou=self.options.iou)

    @cached_property
    def froc(self) -> Froc:
        """Recall against false positives per image."""
        return froc(self.matched, iou=self.options.iou)

    @cached_property
    def f_curve(self) -> FCurve:
        """Precision, recall and F1 at every threshold."""
        return f_curve(self.matched, iou=self.options.iou)

    @cached_property
    def reliability(self) -> Reliability | None:
        """How often a detection with some score is right; None where scores are not between 0 and 1."""
        score = self.matched.scene.found.score
        if not len(score) or not ((score >= 0) & (score <= 1)).all():
            return None
        return self.matched.reliability(iou=self.options.iou)

    @cached_property
    def sweeps(self) -> dict[Any, Sweep]:
        """The sweep of every class with an object."""
        return class_sweeps(self.matched, self.options.iou)

    @cached_property
    def pooled(self) -> Sweep:
        """The sweep of all classes together."""
        return self.matched.sweep(iou=self.options.iou)

    @cached_property
    def score_counts(self) -> ScoreHistogram:
        """How many right and wrong boxes each bin of scores holds; objects without a box are in neither."""
        found = score_histogram(self.pooled)
        totals = (float(found.positives.sum()), float(found.negatives.sum()))
        return replace(found, total_positives=totals[0], total_negatives=totals[1])

    @cached_property
    def groups(self) -> dict[str, DetectionGroups]:
        """Average precision by attributes of the images."""
        return {name: self.by(name) for name in self.options.by}

    @cached_property
    def sizes(self) -> DetectionGroups | None:
        """Average precision by size of the objects; None where there are no size ranges."""
        return self.by("area") if len(self.matched.options.areas) > 1 else None

    @cached_property
    def overlaps(self) -> DetectionGroups | None:
        """Average precision by IoU threshold; None where there is one only."""
        return self.by("iou") if len(self.matched.iou) > 1 else None

    def by(self, column: str) -> DetectionGroups:
        """Return average precision by ``"area"``, ``"iou"`` or an attribute of the images."""
        o = self.options
        return by_images(self.matched, column, intervals=o.intervals, resampled=self.resampled, **o.drawing)
