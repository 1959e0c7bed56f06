"""Which class is detected as which, with objects that are missed and detections where there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Ints
from curvewise.detection.matching.assignment import NONE, take_best_free
from curvewise.detection.matching.image_pairs import image_pairs, names_of, place_of_each, taken_truth, tie_order
from curvewise.detection.matching.pairs import Pairs
from curvewise.detection.numbers.at_threshold import at_least
from curvewise.many_classes.confusion_matrix import class_names, place_of
from curvewise.results.result import Result, Table
from curvewise.rows.checks import as_float

if TYPE_CHECKING:
    from curvewise.detection.matching.matches import Matches

MISSED, BACKGROUND = "(missed)", "(background)"


@dataclass(frozen=True, eq=False, repr=False)
class DetectionConfusion(Result, schema="detection_confusion"):
    """Objects by their class (rows) and what they were detected as (columns), made by `Matched.confusion`.

    Attributes
    ----------
    classes
        The names, in the order of rows and columns.
    matrix
        Counts, one row and one column more than there are classes: the last column are objects that are missed, the
        last row detections where there is no object (background). Row sums are the objects of a class, column sums its
        detections. How often there was neither, the last cell, is not defined, and 0.
    threshold, iou
        As asked for: detections with this score or more, matched at this overlap.
    """

    classes: tuple[Any, ...]
    matrix: NDArray[np.int64]
    threshold: float
    iou: float

    def __post_init__(self) -> None:
        self.matrix.flags.writeable = False

    @property
    def missed(self) -> NDArray[np.int64]:
        """The objects of each class that were not detected, as whatever class."""
        return self.matrix[:-1, -1]

    @property
    def background(self) -> NDArray[np.int64]:
        """The detections of each class where there was no object, or none left."""
        return self.matrix[-1, :-1]

    def of(self, true: object, detected: object) -> int:
        """Return how many objects of one class were detected as another, or as the same."""
        return int(self.matrix[place_of(true, self.classes, "class"), place_of(detected, self.classes, "class")])

    @property
    def table(self) -> Table:
        """One row per class of the objects, and a last one of detections without an object."""
        names = class_names(self.classes)
        across = {f"as {name}": self.matrix[:, k].tolist() for k, name in enumerate(names)}
        columns: dict[str, list[Any]] = {"class": [*names, BACKGROUND], **across, "missed": self.matrix[:, -1].tolist()}
        columns["missed"][-1] = None
        return Table(f"{self._where()}: objects by class and what they were detected as", columns)

    def confused(self, most: int | None = None) -> Table:
        """Return which class is taken for which other, the most objects first, with their share of the class."""
        mistakes = self.matrix[:-1, :-1].copy()
        np.fill_diagonal(mistakes, 0)
        order = np.argsort(-mistakes, axis=None, kind="stable")[: np.count_nonzero(mistakes)]
        true, said = np.unravel_index(order[:most], mistakes.shape)
        names, objects = class_names(self.classes), mistakes[true, said]
        columns: dict[str, list[Any]] = {
            "class": [names[k] for k in true],
            "taken_for": [names[k] for k in said],
            "objects": objects.tolist(),
            "share_of_class": (objects / self.matrix[true].sum(axis=1)).tolist(),
        }
        return Table(f"{self._where()}: which class is taken for which", columns)

    def _where(self) -> str:
        return f"Score ≥ {self.threshold:g}, IoU ≥ {self.iou:g}"


def class_confusion(m: Matches, threshold: float, *, iou: float = 0.5) -> DetectionConfusion:
    """Return what `Matched.confusion` describes."""
    t = m.options.iou_place(iou)
    status, shown = m.status(iou), at_least(m, threshold)
    kinds, truths, label = len(m.classes), m.scene.truths, m.scene.found.label[m.found]
    matrix = np.zeros((kinds + 1, kinds + 1), dtype=np.int64)
    right = np.flatnonzero(shown & (status == 1))
    np.add.at(matrix, (label[right], label[right]), 1)
    left = np.flatnonzero(shown & (status == 0))
    open_to = m.counting[:, 0].copy()
    open_to[taken_truth(m, t)[right]] = False
    found, truth = _other_classes(m, left, np.flatnonzero(open_to), m.iou[t])
    np.add.at(matrix, (truths.label[truth], label[found]), 1)
    open_to[truth] = False
    matrix[:-1, -1] = np.bincount(truths.label[open_to], minlength=kinds)
    nothing = np.setdiff1d(left, found, assume_unique=True)
    matrix[-1, :-1] = np.bincount(label[nothing], minlength=kinds)
    return DetectionConfusion(m.classes, matrix, as_float(threshold), m.iou[t])


def _other_classes(m: Matches, left: Ints, open_to: Ints, least: float) -> tuple[Ints, Ints]:
    """Match detections left over, places in `Matched.found`, with objects left over of other classes.

    By falling score over all classes of an image, each to the best object still free, as COCO does within a class.
    Returns both sides of what was matched.
    """
    found, truths = m.scene.found, m.scene.truths
    near = image_pairs(m, left, open_to, least)
    other = np.flatnonzero(found.label[m.found[near.found]] != truths.label[near.truth])
    some, which = np.unique(near.found[other], return_inverse=True)
    objects, whose = np.unique(near.truth[other], return_inverse=True)
    turn, line = _by_score(m, some), np.argsort(tie_order(m, objects))
    found_at, truth_at = place_of_each(turn)[which], place_of_each(line)[whose]
    rising = np.argsort(found_at, kind="stable")
    pairs = Pairs(found_at[rising], truth_at[rising], near.overlap[other][rising])
    image, alike = found.image[m.found[some[turn]]], np.ones((len(truths), 1), dtype=bool)
    taken = take_best_free(pairs, image, objects[line], np.array([least]), alike, ~alike[:, 0])
    truth = taken.truth[:, 0, 0]
    matched = truth != NONE
    return some[turn][taken.found[matched]], truth[matched].astype(np.intp)


def _by_score(m: Matches, places: Ints) -> Ints:
    """Return the order of detections by image and falling score; of equal ones by box and name of the class, or row."""
    found = m.scene.found
    rows = m.found[places]
    box, name = found.box[rows], names_of(m)[found.label[rows]]
    equal = (found.row[rows],) if m.options.ties == "row" else (name, *box.T[::-1])
    return np.lexsort((*equal, m.level[places], found.image[rows]))
