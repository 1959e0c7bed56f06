"""Detections matched to annotated objects: what every number about a detector is read from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from curvewise.detection.matching.joined import joined
from curvewise.detection.numbers.breakdown import DetectionGroups, by_images
from curvewise.detection.numbers.catalogue import ClassMean, Number, Reader, number_of
from curvewise.detection.numbers.per_class import ClassTable, per_class
from curvewise.detection.numbers.readings import Readings
from curvewise.detection.numbers.summary import DetectionSummary, like_pycocotools, summary
from curvewise.detection.resampling.class_differences import ClassDifferences, class_differences
from curvewise.detection.resampling.compare_detectors import compare_detectors, compare_matched
from curvewise.detection.resampling.intervals import interval, resampled_numbers
from curvewise.detection.resampling.threshold_intervals import threshold_intervals
from curvewise.results.numbers import json_safe

if TYPE_CHECKING:
    from curvewise.detection.resampling.image_resampling import DrawOptions
    from curvewise.errors import Note
    from curvewise.inference.comparison import Comparison
    from curvewise.results.estimate import Estimate
    from curvewise.results.result import Table


@dataclass(frozen=True, eq=False, repr=False)
class Matched(Readings, schema="matched"):
    """Detections matched to annotated objects, made by `curvewise.detection.match`.

    Numbers are properties (`ap`, `ap50`, `ap75`, `ar`) or read by name (`number`); `summary` has all of them. Matches
    of different images add: ``m1 + m2``.

    Attributes
    ----------
    scene, options
        Objects and detections as they were read, and how they were matched.
    images, classes, iou
        The names of images and classes, and the IoU thresholds.
    """

    # ---- numbers ----

    @cached_property
    def _reader(self) -> Reader:
        return Reader(self)

    def number(self, name: str) -> ClassMean:
        """Return a number by its name, with how many classes it is a mean of; NaN where no class defines it."""
        return self._reader.mean(number_of(self, name))

    @property
    def ap(self) -> float:
        """Average precision: the mean over IoU thresholds and classes."""
        return self.number("ap").value

    @property
    def ap50(self) -> float:
        """Average precision at IoU 0.5, mean over classes."""
        return self._reader.mean(Number("ap50", "ap", (self.options.iou_place(0.5),))).value

    @property
    def ap75(self) -> float:
        """Average precision at IoU 0.75, mean over classes."""
        return self._reader.mean(Number("ap75", "ap", (self.options.iou_place(0.75),))).value

    @property
    def ar(self) -> float:
        """Average recall: the greatest recall, mean over IoU thresholds and classes."""
        return self.number("ar").value

    def class_ap(self, iou: float | None = None) -> NDArray[np.float64]:
        """Return the average precision of each class; NaN for those without an object."""
        places = tuple(range(len(self.iou))) if iou is None else (self.options.iou_place(iou),)
        return self._reader.per_class(Number("ap", "ap", places))

    def tie_range(self, name: str = "ap") -> tuple[float, float]:
        """Return the least and the greatest value that any order of equal scores could give a number.

        Matches stay the same. With an envelope the worst order, false detections first, is exactly what equal scores
        give as one block.
        """
        number = number_of(self, name)
        low, high = (Reader(self, order=order).mean(number).value for order in ("block", "optimistic"))
        return low, high

    def like_pycocotools(self) -> dict[str, float]:
        """Return the numbers as pycocotools counts them, by name; NaN where it says -1."""
        return like_pycocotools(self)

    # ---- how sure that is ----

    def summary(
        self,
        *,
        intervals: bool = False,
        **drawing: Unpack[DrawOptions],
    ) -> DetectionSummary:
        """Return the numbers that sum up the detector, COCO's twelve by default, each with the classes behind it.

        Options as in `interval`; all numbers are read from the same resamples.
        """
        return summary(self, resampled_numbers(self, by_class=None, **drawing).estimates() if intervals else None)

    def interval(
        self,
        name: str | Callable[[Reader], float] = "ap",
        *,
        cls: object = None,
        method: str | None = None,
        **drawing: Unpack[DrawOptions],
    ) -> Estimate:
        """Return a number with its interval, from resamples of whole images.

        Parameters
        ----------
        name
            One of the numbers of `summary`, such as ``"ap"`` or ``"ap50"``; or a function of a `Reader`.
        cls
            Of one class, by name or id; None for the mean over classes.
        method
            None takes ``"recentred"``: t standard errors around the value less its bias, on the logit scale. Also
            ``"basic"``, ``"bca"``, and ``"percentile"``, which hold the true value less often, and say so.
        **drawing
            ``level``: the confidence level, 0.95. ``rng``, ``replicates``: seed or generator of the draws, and how
            many. ``cluster``: images that belong together (a video, a patient), which are drawn together: the name of
            one of their attributes, one label per image, or a dict of labels by image.

        Notes
        -----
        Detections of one image depend on each other, so images are drawn; matches do not change, only how often each
        image counts. Average precision is too high in small samples, because the envelope takes maxima: the bias is
        estimated from halves of the images, and told where it matters. The draws depend on what images hold, never on
        their names or order. See the coverage in the documentation of detection.

        Examples
        --------
        >>> import curvewise as cw
        >>> truth = {"image": [1, 2, 3], "class": ["cat"] * 3, "box": [[0, 0, 9, 9]] * 3}
        >>> found = {**truth, "score": [0.9, 0.8, 0.7], "box": [[0, 0, 9, 9]] * 2 + [[50, 0, 9, 9]]}
        >>> found = cw.detection.match(truth, found).interval("ar", replicates=100)
        >>> found.low < found.value < found.high
        True
        """
        return interval(self, name, cls=cls, method=method, **drawing)

    def interval_at(
        self,
        threshold: float,
        *,
        iou: float = 0.5,
        cls: object = None,
        beta: float = 1.0,
        **drawing: Unpack[DrawOptions],
    ) -> dict[str, Estimate]:
        """Return precision, recall, F and false positives per image at a threshold, each with its interval.

        Options as in `at` and `interval`. Images are resampled: an interval of a share of independent rows, as
        Wilson's, would be too narrow. A threshold chosen on these images makes all of them too good.
        """
        return threshold_intervals(self, threshold, iou=iou, cls=cls, beta=beta, **drawing)

    def per_class(
        self,
        *,
        iou: float | None = None,
        intervals: bool = True,
        **drawing: Unpack[DrawOptions],
    ) -> ClassTable:
        """Return every class: objects, detections, average precision with its interval, the best threshold.

        Parameters
        ----------
        iou
            The IoU threshold of average precision and recall; None takes the mean over all.
        intervals
            Whether to resample images.
        **drawing
            ``level``, ``rng``, ``replicates`` and ``cluster`` as in `interval`.
        """
        return per_class(self, iou=iou, intervals=intervals, **drawing)

    def by(
        self,
        column: object,
        *,
        intervals: bool = True,
        **drawing: Unpack[DrawOptions],
    ) -> DetectionGroups:
        """Return average precision by size of object, by overlap, or by group of images, with gaps to the best.

        Parameters
        ----------
        column
            ``"area"``, ``"iou"``; or labels of the images (a site, a camera, the weather): the name of one of their
            attributes, one label per image, or a dict of labels by image.
        intervals
            Whether to resample images; groups are read from the same resamples.
        **drawing
            ``level``, ``rng``, ``replicates`` and ``cluster`` as in `interval`; intervals of gaps hold for all pairs
            of groups together.
        """
        return by_images(self, column, intervals=intervals, **drawing)

    def compare(
        self,
        other: Matched,
        *,
        metric: str | Callable[[Reader], float] = "ap",
        cls: object = None,
        names: tuple[str, str] = ("first", "second"),
        margin: float | None = None,
        **drawing: Unpack[DrawOptions],
    ) -> Comparison:
        """Compare two detectors on the same images, resampled together: this one minus the other.

        Parameters
        ----------
        other
            Matched detections of the same images, objects and options; others are refused.
        metric, cls
            What to compare, as in `interval`.
        names
            What the detectors are called.
        margin
            A difference too small to matter: adds tests of non-inferiority and of equivalence.
        **drawing
            ``level``, ``rng``, ``replicates`` and ``cluster`` as in `interval`.

        Notes
        -----
        The bias of average precision mostly cancels in a difference, so the interval is that of percentiles. Two
        intervals that overlap are no test. ``curvewise.compare({"a": m1, "b": m2}, metric="ap")`` takes several;
        `class_differences` compares class by class.
        """
        return compare_detectors(
            dict(zip(names, (self, other), strict=True)), metric=metric, cls=cls, margin=margin, **drawing
        )

    @staticmethod
    def compare_models(models: Mapping[str, Any], **options: Any) -> Comparison:
        """Compare detectors by name, with the options of `curvewise.compare` that apply."""
        return compare_matched(models, options)

    def class_differences(
        self,
        other: Matched,
        *,
        metric: str = "ap",
        names: tuple[str, str] = ("first", "second"),
        **drawing: Unpack[DrawOptions],
    ) -> ClassDifferences:
        """Compare two detectors class by class, p-values corrected for the number of classes (Holm).

        Options as in `compare`.
        """
        return class_differences(self, other, metric=metric, names=names, **drawing)

    # ---- what a result is ----

    @property
    def table(self) -> Table:
        """The numbers that sum up the detector."""
        return summary(self).table

    def parts(self) -> list[Table | Note]:
        """Return the numbers and the notes."""
        return summary(self).parts()

    def content(self) -> dict[str, Any]:
        """Return options, numbers, and counts and average precision of each class, JSON-safe."""
        counted, ap = self.counted(0), self.class_ap()
        of_classes = [
            {"name": name, "truths": p, "ap": value}
            for name, p, value in zip(self.classes, counted.positives.tolist(), ap.tolist(), strict=True)
        ]
        return {**summary(self).content(), "by_class": json_safe(of_classes)}

    def __add__(self, other: object) -> Matched:
        """Return the matches of the images of both; an image in both is refused."""
        return joined(self, other) if isinstance(other, Matched) else NotImplemented

    def __radd__(self, other: object) -> Matched:
        return self if other == 0 and isinstance(other, int) else NotImplemented  # for sum()
