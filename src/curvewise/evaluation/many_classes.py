"""A model of many classes, evaluated: numbers, curves, calibration, groups, each computed when asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from curvewise.errors import Note, note
from curvewise.inference.interval import FEW
from curvewise.many_classes.class_verdicts import (
    are_right,
    beware,
    confused_most,
    differ,
    gain_over_most_frequent,
    how_good,
    worst_class,
)
from curvewise.results.numbers import json_safe
from curvewise.results.result import Result, Table

if TYPE_CHECKING:
    from curvewise.curves.pr import PrCurve
    from curvewise.curves.roc import RocCurve
    from curvewise.many_classes.class_calibration import ClassCalibration
    from curvewise.many_classes.class_groups import ClassGroups
    from curvewise.many_classes.class_summary import ClassSummary
    from curvewise.many_classes.mean_curves import MeanPrCurve, MeanRocCurve
    from curvewise.many_classes.multiclass import Multiclass
    from curvewise.probabilities.reliability import Reliability
    from curvewise.results.estimate import Estimate

POINTS = 300  # of each curve: there is one per class
DRAWN = 100  # points of a reliability curve
PAIRS, MISTAKES = 10, 10


@dataclass(frozen=True, eq=False, repr=False)
class ClassEvaluation(Result, schema="class_evaluation"):
    """A model of many classes in an `Evaluation`; ``rows`` are what was read, with groups and names of rows."""

    rows: Multiclass
    level: float
    seed: int
    replicates: int

    @property
    def _drawn(self) -> dict[str, Any]:
        return {"level": self.level, "rng": self.seed, "replicates": self.replicates}

    @cached_property
    def summary(self) -> ClassSummary:
        """Every number with its interval, each class, and the confusion matrix."""
        return self.rows.summary(**self._drawn)

    @property
    def estimates(self) -> dict[str, Estimate]:
        """The numbers of all classes together, by name."""
        return self.summary.estimates

    @cached_property
    def gain(self) -> Estimate | None:
        """Accuracy minus that of always saying the most frequent class."""
        return gain_over_most_frequent(self.rows, **self._drawn)

    @cached_property
    def roc(self) -> dict[str, RocCurve | MeanRocCurve]:
        """The ROC curve of each class, their mean last."""
        return {name: curve.thin(POINTS) for name, curve in self.rows.roc_curves().items()}

    @cached_property
    def pr(self) -> dict[str, PrCurve | MeanPrCurve]:
        """The precision-recall curve of each class, their mean last."""
        return {name: curve.thin(POINTS) for name, curve in self.rows.pr_curves().items()}

    @property
    def are_probabilities(self) -> bool:
        """Whether the scores of every row are probabilities."""
        return self.rows.ready is not None and self.rows.trouble is None

    @cached_property
    def reliability(self) -> dict[str, Reliability]:
        """The reliability curve of each class; empty where scores are no probabilities."""
        return self.rows.reliability_curves() if self.are_probabilities else {}

    @cached_property
    def calibration(self) -> ClassCalibration | None:
        """The calibration of each class; None where scores are no probabilities."""
        return self.rows.calibration(level=self.level) if self.are_probabilities else None

    @cached_property
    def choice(self) -> ClassCalibration | None:
        """The calibration of the class chosen; None where scores are no probabilities."""
        return self.rows.top_label_calibration(level=self.level) if self.are_probabilities else None

    @cached_property
    def confused(self) -> Table:
        """Most frequent confusions, by rows."""
        return self.rows.matrix.confused(PAIRS)

    @cached_property
    def mistakes(self) -> Table | None:
        """The surest mistakes by the names of their rows; None where rows have no names."""
        return None if self.rows.id is None else self.rows.mistakes(MISTAKES, id=self.rows.id)

    @cached_property
    def groups(self) -> ClassGroups | None:
        """The numbers by group; None without a group column."""
        return self.rows.by_group(**self._drawn) if self.rows.groups else None

    @cached_property
    def answers(self) -> dict[str, tuple[Note, ...]]:
        """The answer to each question, in sentences."""
        found = {
            "classify": how_good(self.rows, self.summary, self.gain),
            "worst": worst_class(self.summary),
            "confused": confused_most(self.rows.matrix),
            "probabilities": are_right(self.rows, self.calibration, self.choice),
            "groups": differ(self.groups),
        }
        return {question: said for question, said in found.items() if said}

    @cached_property
    def caveats(self) -> tuple[Note, ...]:
        """What a careful reader should know of these rows."""
        found = beware(self.rows, self.calibration, self.choice)
        groups = [] if self.groups is None else [g for some in self.groups.breakdowns.values() for g in some]
        small = [g.name for g in groups if g.notes]
        return (*found, note("class_groups_small", severity="note", groups=small, few=FEW)) if small else found

    @property
    def table(self) -> Table:
        """Every number with its interval and its meaning."""
        return self.summary.table

    def parts(self) -> list[Table | Note]:
        """Return the numbers, each class, the confusion matrix, the pairs confused, calibration and groups."""
        found: list[Table | Note] = [part for part in self.summary.parts() if isinstance(part, Table)]
        found += [self.confused] if len(self.confused) else []
        found += [] if self.calibration is None else [self.calibration.table]
        found += [] if self.groups is None else [self.groups.wide, self.groups.gaps()]
        return found if self.mistakes is None else [*found, self.mistakes]

    def content(self) -> dict[str, Any]:
        """Return all parts, JSON-safe; curves are thinned."""
        curves: dict[str, Any] = {"roc": self.roc, "pr": self.pr} if self.rows.ready is not None else {}
        drawn = {kind: {name: c.table.columns for name, c in own.items()} for kind, own in curves.items()}
        stated = {
            name: {k: v[:: max(len(v) // DRAWN, 1)] for k, v in curve.table.columns.items()}
            for name, curve in self.reliability.items()
        }
        return {
            **self.summary.content(),
            "gain_over_most_frequent": json_safe(self.gain),
            "confused": self.confused.content()["rows"],
            "curves": json_safe({**drawn, "reliability": stated}),
            "calibration": json_safe(self.calibration),
            "choice": json_safe(self.choice),
            "groups": json_safe(self.groups),
            "mistakes": None if self.mistakes is None else self.mistakes.content()["rows"],
        }
