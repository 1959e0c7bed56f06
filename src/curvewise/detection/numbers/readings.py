"""What matched detections say at a threshold of the scores, and what goes wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from curvewise.detection.matching.matches import Matches
from curvewise.detection.matching.options import ALL
from curvewise.detection.matching.row_table import row_table
from curvewise.detection.mistakes.class_confusion import DetectionConfusion, class_confusion
from curvewise.detection.mistakes.error_types import DetectionErrors, error_types
from curvewise.detection.numbers.at_threshold import DetectionsAt, Empty, detections_at
from curvewise.detection.numbers.f_curve import BestThreshold, FCurve, best_threshold, f_curve
from curvewise.detection.numbers.froc import Froc, froc
from curvewise.errors import UndefinedMetricError, note
from curvewise.probabilities.reliability import Reliability, reliability
from curvewise.rows.columns import shown

if TYPE_CHECKING:
    from curvewise.results.result import Table


@dataclass(frozen=True, eq=False, repr=False)
class Readings(Matches):
    """Matches with what is read from them at a threshold; `Matched` adds numbers and intervals."""

    # ---- at a threshold of the scores ----

    def at(
        self, threshold: float, iou: float = 0.5, area: str = ALL, beta: float = 1.0, empty: Empty = "ignore"
    ) -> DetectionsAt:
        """Return what is found and what is wrongly shown where detections with at least some score are shown.

        Parameters
        ----------
        threshold
            Detections with this score or more are shown.
        iou, area
            Which matches: one of the IoU thresholds, one of the size ranges.
        beta
            Recall counts β times as much as precision in F.
        empty
            ``"ignore"`` (default): the precision of a class of which nothing is shown is 0/0, NaN, and left out of
            means. ``"one"``: it is 1.

        Notes
        -----
        Precision = TP/(TP + FP), recall = TP/P, F_β = (1+β²)TP/((1+β²)TP + β²·missed + FP), from the raw counts and
        never from the envelope that average precision reads. True negatives, and what needs them, are undefined.

        Examples
        --------
        >>> import curvewise as cw
        >>> truth = {"image": [1, 1, 2], "class": ["cat", "dog", "dog"],
        ...          "box": [[0, 0, 9, 9], [20, 0, 9, 9], [0, 0, 9, 9]]}
        >>> found = {"image": [1, 1, 2], "class": ["cat", "dog", "cat"], "box": truth["box"], "score": [0.9, 0.8, 0.7]}
        >>> m = cw.detection.match(truth, found)
        >>> at = m.at(0.5)
        >>> at.by_class["dog"].recall, at.pooled.precision == 2 / 3, at.mean_recall.value
        (0.5, True, 0.75)
        """
        return detections_at(self, threshold, iou=iou, area=area, beta=beta, empty=empty)

    def f_curve(self, iou: float = 0.5, beta: float = 1.0, cls: object = None) -> FCurve:
        """Return precision, recall and F at every distinct score, of one class or of all together.

        Raw counts, as in `at`; ``best`` is the place of the greatest F.

        Examples
        --------
        >>> import curvewise as cw
        >>> truth = {"image": [1, 1], "class": ["cat"] * 2, "box": [[0, 0, 9, 9], [20, 0, 9, 9]]}
        >>> found = {"image": [1] * 3, "class": ["cat"] * 3, "box": [[0, 0, 9, 9], [50, 0, 9, 9], [20, 0, 9, 9]],
        ...          "score": [0.9, 0.8, 0.7]}
        >>> curve = cw.detection.match(truth, found).f_curve()
        >>> curve.f.round(3), curve.threshold[curve.best]
        (array([0.667, 0.5  , 0.8  ]), np.float64(0.7))
        """
        return f_curve(self, iou=iou, beta=beta, cls=cls)

    def best_threshold(self, cls: object = None, iou: float = 0.5, beta: float = 1.0) -> BestThreshold:
        """Return the threshold with the greatest F, of one class or one for all.

        Of equally good ones the highest, as `curvewise.rules.max_f` chooses; NaN where nothing is found at any. It is
        chosen on the images that it is judged on, so expect less of it on new ones.

        Examples
        --------
        >>> import curvewise as cw
        >>> truth = {"image": [1, 1], "class": ["cat"] * 2, "box": [[0, 0, 9, 9], [20, 0, 9, 9]]}
        >>> found = {"image": [1, 1], "class": ["cat"] * 2, "box": [[0, 0, 9, 9], [50, 0, 9, 9]], "score": [0.9, 0.8]}
        >>> best = cw.detection.match(truth, found).best_threshold()
        >>> best.threshold, best.recall, round(best.f, 4)
        (0.9, 0.5, 0.6667)
        """
        return best_threshold(self, cls, iou=iou, beta=beta)

    def froc(self, iou: float = 0.5, cls: object = None) -> Froc:
        """Return recall against false positives per image: the FROC curve, of one class or of all together.

        What a ROC curve is to detection, where true negatives cannot be counted: one point per distinct score.

        References
        ----------
        Bunch et al. (1978) J. Appl. Photogr. Eng. 4:166-171. Chakraborty & Winter (1990) Radiology 174:873-881. Setio
        et al. (2017) Medical Image Analysis 42:1-13 (mean recall at 1/8 … 8).

        Examples
        --------
        >>> import curvewise as cw
        >>> truth = {"image": [1, 2], "class": ["cat"] * 2, "box": [[0, 0, 9, 9], [0, 0, 9, 9]]}
        >>> found = {"image": [1, 1, 2], "class": ["cat"] * 3, "box": [[0, 0, 9, 9], [50, 0, 9, 9], [0, 0, 9, 9]],
        ...          "score": [0.9, 0.8, 0.7]}
        >>> curve = cw.detection.match(truth, found).froc()
        >>> curve.false_positives_per_image, curve.recall
        (array([0. , 0.5, 0.5]), array([0.5, 0.5, 1. ]))
        >>> curve.recall_at(0.25), curve.recall_at(1)
        (0.5, 1.0)
        """
        return froc(self, iou=iou, cls=cls)

    def reliability(self, iou: float = 0.5, area: str = ALL, cls: object = None, **options: Any) -> Reliability:
        """Return how often a detection with some score is right.

        Is one scored 0.8 right 8 times in 10? `curvewise.reliability` of the detections that count: 1 where matched at
        this overlap, else 0; images are clusters. Scores that are no probabilities, outside [0, 1], are refused.

        Parameters
        ----------
        iou, area, cls
            Which matches: one of the IoU thresholds, one of the size ranges, one class; by default of all classes.
        **options
            As in `curvewise.reliability`: ``method``, ``bins``, ``bands``, ``level``, ``rng`` and others.

        Examples
        --------
        >>> import curvewise as cw
        >>> truth = {"image": [1, 2], "class": ["cat"] * 2, "box": [[0, 0, 9, 9], [0, 0, 9, 9]]}
        >>> found = {"image": [1, 1, 2], "class": ["cat"] * 3, "box": [[0, 0, 9, 9], [50, 0, 9, 9], [0, 0, 9, 9]],
        ...          "score": [0.9, 0.3, 0.8]}
        >>> cw.detection.match(truth, found).reliability(bins=2, bands="none").observed
        array([0., 1.])
        """
        status = self.status(iou, area)
        judged = status >= 0
        found = self.scene.found
        if cls is not None:
            judged &= found.label[self.found] == self.class_place(cls)
        if not judged.any():
            raise UndefinedMetricError(
                "Reliability is undefined: there is no detection{whose}{where}.",
                whose="" if cls is None else f" of class {shown(cls)}",
                where="" if area == ALL else f" of size {area!r}",
                why=note("no_detections"),
            )
        rows = self.found[judged]
        return reliability(status[judged] == 1, found.score[rows], cluster=found.image[rows], **options)

    # ---- mistakes ----

    def confusion(self, threshold: float, iou: float = 0.5) -> DetectionConfusion:
        """Return which class is detected as which, with objects that are missed and detections without an object.

        Parameters
        ----------
        threshold
            Detections with this score or more are shown.
        iou
            One of the IoU thresholds.

        Notes
        -----
        First come the matches within classes: the diagonal is exactly the true positives at this threshold. Then
        the detections left over, by falling score, go to the best object left over of any other class with at least
        this overlap; the others are background, and objects left in the end are missed. Under VOC's rule a second
        detection may overlap another object of its own class that is free: it stays a false detection here too, and
        the object missed. Detections and objects set aside are in no cell. Tools that match by overlap alone, whatever
        the class, give another diagonal.

        Examples
        --------
        >>> import curvewise as cw
        >>> truth = {"image": [1, 1, 2], "class": ["cat", "dog", "dog"],
        ...          "box": [[0, 0, 9, 9], [20, 0, 9, 9], [0, 0, 9, 9]]}
        >>> found = {"image": [1, 1, 2], "class": ["cat", "cat", "dog"], "box": truth["box"], "score": [0.9, 0.8, 0.2]}
        >>> cw.detection.match(truth, found).confusion(0.5)
        Score ≥ 0.5, IoU ≥ 0.5: objects by class and what they were detected as
        <BLANKLINE>
        class         as cat  as dog  missed
        ────────────  ──────  ──────  ──────
        cat                1       0       0
        dog                1       0       1
        (background)       0       0
        """
        return class_confusion(self, threshold, iou=iou)

    def errors(self, iou: float = 0.5, background: float = 0.1) -> DetectionErrors:
        """Return what kinds of errors there are, and what each costs in average precision.

        Parameters
        ----------
        iou
            One of the IoU thresholds.
        background
            Up to this overlap a detection has nothing to do with an object.

        Notes
        -----
        Every false detection is of the first type that fits. *Localisation*: its best overlap with an object of its
        class is at least ``background`` and less than ``iou``. *Class*: at least ``iou`` with an object of another
        class. *Duplicate*: at least ``iou`` with one of its own class, which is taken. *Background*: at most
        ``background`` with every object. *Both*: what is left. An object not found is *missed*, unless an error of
        localisation or class is about it. Crowds and objects to be ignored are no objects here, and detections set
        aside are no errors.

        ``delta_ap`` is average precision if one type alone were corrected, less what it is. Localisation and class:
        of the detections about an object not found, the one with the highest score becomes right, in the object's
        class; the others go. Both, duplicate, background: they go. Missed: the objects go, and a class without any left
        is out of the mean. The types do not sum to 1 - AP: precision and recall multiply.

        Numbers of the program tidecv differ: it takes detections that are set aside for errors, a class without objects
        for AP 0, a negative rise for 0 and the highest 100 detections of an image; and it corrects one detection of an
        object over both of localisation and class, where this corrects one for each type.

        References
        ----------
        Bolya, Foley, Hays & Hoffman (2020) ECCV, LNCS 12348:558-573.

        Examples
        --------
        >>> import curvewise as cw
        >>> truth = {"image": [1, 1], "class": ["cat", "dog"], "box": [[0, 0, 10, 10], [40, 0, 10, 10]]}
        >>> found = {"image": [1] * 3, "class": ["cat", "cat", "dog"], "score": [0.9, 0.8, 0.7],
        ...          "box": [[0, 0, 10, 10], [0, 0, 10, 8], [40, 0, 10, 4]]}
        >>> errors = cw.detection.match(truth, found).errors()
        >>> errors.counts["localisation"], errors.counts["duplicate"], errors.counts["missed"]
        (1, 1, 0)
        >>> errors.ap, errors.delta_ap["localisation"], errors.delta_ap["duplicate"]
        (0.5, 0.5, 0.0)
        """
        return error_types(self, iou=iou, background=background)

    def rows(self) -> Table:
        """Return one row per detection that was matched or could have been, within the limit of detections.

        Image, class, score and box; ``row``, its place in what was given; ``truth``, the id (or row) of the object
        that it takes at the lowest IoU threshold, and ``iou``, the overlap with it; and for every threshold, as in
        ``at 0.50``, what it counts as: ``"true"``, ``"false"``, or ``"aside"`` where it counts neither way.

        Examples
        --------
        >>> import curvewise as cw
        >>> truth = {"image": [1], "class": ["cat"], "box": [[0, 0, 10, 10]]}
        >>> found = {"image": [1], "class": ["cat"], "box": [[0, 0, 10, 6]], "score": [0.9]}
        >>> (row,) = cw.detection.match(truth, found).rows().rows()
        >>> row["truth"], row["iou"], row["at 0.60"], row["at 0.65"]
        (0, 0.6, 'true', 'false')
        """
        return row_table(self)
