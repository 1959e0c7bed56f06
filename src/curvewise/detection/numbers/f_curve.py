"""Precision, recall and F at every threshold, and the threshold with the greatest F."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.curves.base import Curve, Floats, Scores, origin
from curvewise.decisions.choice import TOLERANCE
from curvewise.errors import Note, note
from curvewise.results.result import Result, Table
from curvewise.rows.checks import real

if TYPE_CHECKING:
    from curvewise.detection.matching.matches import Matches

MOST_BETA = 1e150  # its square is still a number


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class FCurve(Curve, schema="f_curve"):
    """Rates where detections with at least each score are shown, one point per distinct score, the highest first.

    Raw counts, never the envelope. ``cls`` is the class, None for all together; ``positives`` are the objects.
    """

    points = ("threshold", "precision", "recall", "f", "false_positives_per_image")
    threshold: Scores
    precision: Floats
    recall: Floats
    f: Floats
    false_positives_per_image: Floats
    iou: float
    beta: float
    cls: Any
    images: int

    @property
    def best(self) -> int:
        """The place of the greatest F, of equal ones that with the highest threshold; -1 where there is no point."""
        return int(np.argmax(self.f >= self.f.max() * (1 - TOLERANCE))) if len(self) else -1

    def axes(self) -> tuple[Floats, Floats]:
        """Return threshold and F."""
        return self.threshold, self.f


@dataclass(frozen=True, repr=False)
class BestThreshold(Result, schema="best_threshold"):
    """The threshold with the greatest F, and what it gives on these images.

    Attributes
    ----------
    threshold
        The observed score to cut at; of equally good ones the highest; NaN where no threshold finds anything.
    f, precision, recall, false_positives_per_image
        What it gives here.
    beta, iou, cls
        As asked for; ``cls`` is None for all classes together.
    """

    threshold: float
    f: float
    precision: float
    recall: float
    false_positives_per_image: float
    beta: float
    iou: float
    cls: Any
    notes: tuple[Note, ...] = ()

    def __float__(self) -> float:
        return self.threshold

    @property
    def table(self) -> Table:
        """One row."""
        names = ("threshold", "precision", "recall", "f", "false_positives_per_image")
        whose = "all classes together" if self.cls is None else f"class {self.cls}"
        title = f"The threshold with the greatest F{self.beta:g} at IoU ≥ {self.iou:g}, {whose}"
        return Table(title, {f_name(self.beta) if k == "f" else k: [getattr(self, k)] for k in names})


def f_curve(m: Matches, *, iou: float = 0.5, beta: float = 1.0, cls: object = None) -> FCurve:
    """Return what `Matched.f_curve` describes."""
    root = real("beta", beta, 0, MOST_BETA)
    sweep = m.sweep(cls, iou=iou)
    sweep.need_positives("F")
    tp, fp, missed = sweep.tp, sweep.fp, sweep.positives - sweep.tp
    b = root * root
    return FCurve(
        threshold=sweep.threshold,
        precision=tp / (tp + fp),
        recall=tp / sweep.positives,
        f=(1 + b) * tp / ((1 + b) * tp + b * missed + fp),
        false_positives_per_image=fp / len(m.images),
        iou=m.iou[m.options.iou_place(iou)],
        beta=root,
        cls=None if cls is None else m.classes[m.class_place(cls)],
        images=len(m.images),
        **origin(sweep),
    )


def best_threshold(m: Matches, cls: object = None, *, iou: float = 0.5, beta: float = 1.0) -> BestThreshold:
    """Return what `Matched.best_threshold` describes."""
    curve = f_curve(m, iou=iou, beta=beta, cls=cls)
    place = curve.best
    told = {"beta": curve.beta, "iou": curve.iou, "cls": curve.cls}
    if place < 0 or not curve.f[place]:
        nothing = {"f": 0.0, "precision": math.nan, "recall": 0.0, "false_positives_per_image": math.nan}
        return BestThreshold(threshold=math.nan, **nothing, **told, notes=(note("nothing_found_at_any_threshold"),))
    values = {name: getattr(curve, name)[place].item() for name in curve.points}
    return BestThreshold(**values, **told, notes=(note("best_f_on_same_images"),))


def f_name(beta: float) -> str:
    """Return what a column of F is called: ``f1``, ``f2``, ``f0.5``."""
    return f"f{beta:g}"
