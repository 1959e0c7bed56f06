"""Everything about one or several detectors on the same images: what the command and the page show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.core.resampling import REPLICATES
from curvewise.detection.matching.match import match, refuse_unknown
from curvewise.detection.matching.matched import Matched
from curvewise.detection.numbers.summary import pycocotools_note
from curvewise.detection.resampling.class_differences import ClassDifferences, class_differences
from curvewise.detection.resampling.compare_detectors import compare_detectors, refuse_unlike
from curvewise.detection.resampling.image_resampling import image_draws
from curvewise.errors import CurvewiseError, Note, OptionError, note
from curvewise.evaluation.answers import detectors as verdicts
from curvewise.evaluation.detector import DetectionOptions, DetectorEvaluation
from curvewise.results.numbers import json_safe
from curvewise.results.result import Result, Table
from curvewise.rows.checks import flag, real, values_of, whole
from curvewise.rows.columns import by_text, shown
from curvewise.words import words

if TYPE_CHECKING:
    from os import PathLike

    from curvewise.inference.comparison import Comparison

ONE = "detector"  # the name of the only one, where none is given
AT_IOU = 0.5  # the overlap of a right box, for what is read at a threshold of the scores


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
    options: DetectionOptions
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
        from curvewise.pages.render import write_page  # noqa: PLC0415 - needs matplotlib and Jinja

        write_page(self, path, lang=lang, force=force, title=title, author=author)

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
    options = DetectionOptions(
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
