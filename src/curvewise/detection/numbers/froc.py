"""The FROC curve: recall against false positives per image, what a ROC curve is to detection."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.curves.base import Curve, Floats, Scores, origin
from curvewise.errors import OptionError
from curvewise.rows.checks import real

if TYPE_CHECKING:
    from curvewise.detection.matching.matches import Matches

RATES = (1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8)  # false positives per image, as in LUNA16


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Froc(Curve, schema="froc"):
    """Recall against false positives per image, one point per distinct score, the highest first.

    ``cls`` is the class, None for all together; ``positives`` are the objects.
    """

    points = ("false_positives_per_image", "recall", "threshold")
    false_positives_per_image: Floats
    recall: Floats
    threshold: Scores
    images: int
    iou: float
    cls: Any

    def recall_at(self, false_positives_per_image: float) -> float:
        """Return the greatest recall with at most so many false positives per image; nothing is interpolated.

        Read it from the whole curve: one that was thinned has fewer thresholds.
        """
        most = real("false_positives_per_image", false_positives_per_image, 0, math.inf)
        place = int(np.searchsorted(self.false_positives_per_image, most * (1 + 1e-12), side="right"))
        return float(self.recall[place - 1]) if place else 0.0

    def mean_recall(self, rates: Iterable[float] = RATES) -> float:
        """Return the mean recall at several rates of false positives per image, 1/8 … 8 by default.

        The competition performance metric of LUNA16, without its interpolation.
        """
        values = [self.recall_at(rate) for rate in rates]
        if not values:
            raise OptionError.of("rates", "expected at least one number of false positives per image, got none.")
        return math.fsum(values) / len(values)


def froc(m: Matches, *, iou: float = 0.5, cls: object = None) -> Froc:
    """Return what `Matched.froc` describes."""
    sweep = m.sweep(cls, iou=iou)
    sweep.need_positives("A FROC curve")
    return Froc(
        false_positives_per_image=sweep.fp / len(m.images),
        recall=sweep.tp / sweep.positives,
        threshold=sweep.threshold,
        images=len(m.images),
        iou=m.iou[m.options.iou_place(iou)],
        cls=None if cls is None else m.classes[m.class_place(cls)],
        **origin(sweep),
    )
