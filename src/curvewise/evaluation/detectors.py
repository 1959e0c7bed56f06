"""Everything about one or several detectors on the same images: what the command and the page show."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.core.resampling import REPLICATES
from curvewise.detection.matching.match import match, refuse_unknown
from curvewise.detection.matching.matched import Matched
from curvewise.detection.mistakes.class_confusion import DetectionConfusion, class_confusion
from curvewise.detection.mistakes.error_types import DetectionErrors, error_types
from curvewise.detection.numbers.at_threshold import DetectionsAt, detections_at
from curvewise.detection.numbers.breakdown import DetectionGroups, by_images
from curvewise.detection.numbers.f_curve import FCurve, best_threshold, f_curve
from curvewise.detection.numbers.froc import Froc, froc
from curvewise.detection.numbers.per_class import ClassTable, per_class
from curvewise.detection.numbers.summary import DetectionSummary, pycocotools_note, summary
from curvewise.detection.resampling.class_differences import ClassDifferences, class_differences
from curvewise.detection.resampling.compare_detectors import compare_detectors, refuse_unlike
from curvewise.detection.resampling.image_resampling import image_draws
from curvewise.detection.resampling.intervals import resampled_numbers
from curvewise.detection.resampling.threshold_intervals import threshold_intervals
from curvewise.errors import CurvewiseError, Note, OptionError, note
from curvewise.evaluation.answers import detectors as verdicts
from curvewise.results.numbers import json_safe
from curvewise.results.result import Result, Table
from curvewise.rows.checks import flag, real, values_of, whole
from curvewise.rows.columns import by_text, shown
from curvewise.words import words

if TYPE_CHECKING:
    from os import PathLike

    from curvewise.detection.resampling.image_resampling import DrawOptions
    from curvewise.detection.resampling.replicates import Replicates
    from curvewise.inference.comparison import Comparison
    from curvewise.probabilities.reliability import Reliability
    from curvewise.results.estimate import Estimate

ONE = "detector"  # the name of the only one, where none is given
AT_IOU = 0.5  # the overlap of a right box, for what is read at a threshold of the scores


@dataclass(frozen=True)
class EvaluationOptions:
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
    options: EvaluationOptions

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


@dataclass(frozen=True, eq=False, repr=False)
class DetectionEvaluation(Result, schema="detection_evaluation"):
    """Detectors judged on the same images, made by `curvewise.detection.evaluate`.

    Attributes
    ----------
    detectors
        Each detector by name, with all its parts.
    options
        What was asked for.
    sources
        The names of the files, where there were any: of the objects, then of each detector.
    """

    detectors: dict[str, DetectorEvaluation]
    options: EvaluationOptions
    sources: tuple[str, ...] = field(default=(), repr=False)

    @property
    def several(self) -> bool:
        """Whether there is more than one detector."""
        return len(self.detectors) > 1

    @cached_property
    def comparison(self) -> Comparison | None:
        """Paired differences of average precision; None for one detector, or without intervals."""
        o = self.options
        if not self.several or not o.intervals:
            return None
        models = {name: d.matched for name, d in self.detectors.items()}
        return compare_detectors(models, **o.drawing)

    @cached_property
    def class_differences(self) -> ClassDifferences | None:
        """Paired differences of two detectors class by class; None for another number of them, or without intervals."""
        o = self.options
        if len(self.detectors) != 2 or not o.intervals:
            return None
        first, second = self.detectors.values()
        return class_differences(first.matched, second.matched, names=(first.name, second.name), **o.drawing)

    @cached_property
    def answers(self) -> dict[str, tuple[Note, ...]]:
        """The answers to the questions that a reader asks, by the key of the question."""
        each, several = self.detectors.values(), {"several": self.several}
        found = {"detector_quality": tuple(verdicts.quality(d.name, d.summary.numbers["ap"], **several) for d in each)}
        if self.comparison is not None:
            found["detector_better"] = tuple(verdicts.better(self.comparison))
        found["detector_threshold"] = tuple(verdicts.at_threshold(d.name, d.at, **several) for d in each)
        found["detector_errors"] = tuple(verdicts.main_error(d.name, d.errors, **several) for d in each)
        return found

    @cached_property
    def notes(self) -> tuple[Note, ...]:  # type: ignore[override]
        """What a careful reader should know of the data, each once; of one detector under its name."""
        told = {
            d.name: [*filter(None, [pycocotools_note(d.matched)]), *d.summary.notes] for d in self.detectors.values()
        }
        of_all = [said for said in next(iter(told.values())) if all(said in theirs for theirs in told.values())]
        own = [
            note("of_model", model=n, said=said) for n, theirs in told.items() for said in theirs if said not in of_all
        ]
        return (*of_all, *own)

    @property
    def table(self) -> Table:
        """The numbers that sum up each detector, with their intervals, side by side."""
        each = list(self.detectors.values())
        if not self.several:
            return each[0].summary.table
        columns: dict[str, list[Any]] = {"number": list(each[0].summary.numbers)}
        columns |= {d.name: [e.brief() for e in d.summary.numbers.values()] for d in each}
        columns["classes"] = list(each[0].summary.classes.values())
        columns["meaning"] = each[0].summary.table.columns["meaning"]
        m = each[0].matched
        counts = {"images": len(m.images), "truths": int(np.count_nonzero(m.counting[:, 0]))}
        return Table(words("en")("detection.scene", **counts), columns)

    def parts(self) -> list[Table | Note]:
        """Return the answers, the numbers, the differences, and what to know."""
        w = words("en")
        told = [(w(f"ask.{key}"), str(said)) for key, each in self.answers.items() for said in each]
        answers = Table("", {"question": [question for question, _ in told], "answer": [said for _, said in told]})
        differences = [] if self.comparison is None else self.comparison.parts()
        return [answers, self.table, *differences, *self.notes]

    def tables(self) -> list[Table]:
        """Return every number: of the summary, classes, errors, the threshold, and differences."""
        found = [
            table for d in self.detectors.values() for part in (d.summary, d.per_class, d.at) for table in part.tables()
        ]
        found += [d.errors.table for d in self.detectors.values()]
        pairs = [part for part in (self.comparison, self.class_differences) if part is not None]
        return [*found, *(table for part in pairs for table in part.tables())]

    def report(
        self,
        path: str | PathLike[str],
        *,
        lang: str = "en",
        force: bool = False,
        title: str | None = None,
        author: str | None = None,
    ) -> None:
        """Write everything as one page that needs no network: ``ev.report("detectors.html", lang="zh")``.

        ``force`` replaces a file that is there; ``title`` and ``author`` stand above the page.
        """
        # by name: the page lies above the results, and no result may depend on it
        from curvewise.pages.detectors.page import write_detection_page  # noqa: PLC0415 - needs matplotlib and Jinja

        write_detection_page(self, path, lang=lang, force=force, title=title, author=author)

    def content(self) -> dict[str, Any]:
        """Return answers, all parts of each detector, and differences, JSON-safe."""
        of_each = {
            name: {
                "summary": d.summary.content(),
                "classes": d.per_class.content(),
                "errors": d.errors.content(),
                "at": {**d.at.content(), "intervals": {k: e.content() for k, e in d.rates.items()}},
                "confusion": d.confusion.content(),
                "groups": {k: g.content() for k, g in d.groups.items()},
            }
            for name, d in self.detectors.items()
        }
        answers = {key: [said.to_dict() for said in told] for key, told in self.answers.items()}
        found: dict[str, Any] = json_safe({"answers": answers, "detectors": of_each, "notes": self.notes})
        found["comparison"] = None if self.comparison is None else self.comparison.content()
        found["class_differences"] = None if self.class_differences is None else self.class_differences.content()
        return found


def evaluate(
    truth: object,
    found: object = None,
    *,
    threshold: float | None = None,
    at_iou: float | None = None,
    level: float = 0.95,
    replicates: int = REPLICATES,
    rng: int | None = 0,
    intervals: bool = True,
    cluster: Any = None,
    by: str | tuple[str, ...] | list[str] = (),
    **matching: Any,
) -> DetectionEvaluation:
    """Judge detectors on the same images: numbers with intervals, classes, errors, a threshold, differences, a page.

    Parameters
    ----------
    truth
        Annotated objects in any form that `match` takes; or what `match` returned, or a dict of such by name, alone.
    found
        Detections of one detector; or a dict of several, by name. (A dict is always taken for detectors by name.)
    threshold
        The score from which on a detection is shown; None takes the one with the highest F1 of each detector.
    at_iou
        The least overlap of a right box for what is read at a threshold, and for types of errors; one of those matched
        at. None takes 0.5, or the lowest where that was not.
    level, replicates, rng
        Of intervals: the confidence level, how many resamples of images, the seed of the draws (None draws one).
    intervals
        Whether to resample at all; without, there is no comparison either.
    cluster
        Images that belong together (a video, a patient): see `Matched.interval`.
    by
        Attributes of the images to break average precision down by.
    **matching
        Options of `match`.

    Returns
    -------
    DetectionEvaluation

    Examples
    --------
    >>> import curvewise as cw
    >>> truth = {"image": [1, 2], "class": ["cat", "cat"], "box": [[0, 0, 9, 9], [20, 0, 9, 9]]}
    >>> a = {"image": [1, 2], "class": ["cat", "cat"], "box": [[0, 0, 9, 9], [20, 0, 9, 9]], "score": [0.9, 0.8]}
    >>> ev = cw.detection.evaluate(truth, {"a": a}, intervals=False)
    >>> ev.detectors["a"].at.pooled.recall, ev.detectors["a"].summary.numbers["ap"].value
    (1.0, 1.0)
    """
    refuse_unknown(matching, evaluate)
    models = _matched(truth, found, matching)
    first = next(iter(models.values()))
    if at_iou is None:
        at_iou = AT_IOU if any(abs(t - AT_IOU) < 1e-9 for t in first.iou) else first.iou[0]
    first.options.iou_place(at_iou, "at_iou")
    refuse_unlike(models)
    names = tuple(values_of("by", by))
    options = EvaluationOptions(
        threshold=threshold if threshold is None else real("threshold", threshold, -np.inf, np.inf),
        iou=at_iou,
        level=real("level", level, 0, 1, closed=False),
        replicates=whole("replicates", replicates, 2),
        rng=int(np.random.SeedSequence().generate_state(1)[0]) if rng is None else whole("rng", rng, 0),
        intervals=flag("intervals", intervals),
        cluster=cluster,
        by=names,
    )
    for name in names:
        if not isinstance(name, str) or name not in first.scene.attributes:
            there = ", ".join(first.scene.attributes) or "none"
            raise OptionError.of("by", f"the images have no attribute {shown(name)}; there are: {there}.")
    image_draws(list(models.values()), cluster)  # a cluster that does not fit is refused before any work
    return DetectionEvaluation({k: DetectorEvaluation(k, m, options) for k, m in models.items()}, options)


def _matched(truth: Any, found: Any, matching: dict[str, Any]) -> dict[str, Matched]:
    """Return the detectors by name, matched."""
    given = {ONE: truth} if isinstance(truth, Matched) else truth
    if isinstance(given, Mapping) and given and all(isinstance(m, Matched) for m in given.values()):
        if found is not None or matching:
            raise CurvewiseError("Matched detections were given, so there is nothing to match: leave the rest out.")
        return by_text(given, "truth")
    if found is None:
        raise CurvewiseError("found: detections are missing; give them, or matched detections alone.")
    sides = found if isinstance(found, Mapping) else {ONE: found}
    if not sides:
        raise CurvewiseError("found: expected at least one detector, got an empty dict.")
    return {name: match(truth, side, **matching) for name, side in by_text(sides, "found").items()}
