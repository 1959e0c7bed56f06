"""Two detectors compared class by class, on the same images."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from curvewise.arrays import Floats
from curvewise.detection.numbers.catalogue import number_of
from curvewise.detection.resampling.compare_detectors import read_all, refuse_unlike
from curvewise.detection.resampling.image_resampling import Drawing, DrawOptions, image_draws
from curvewise.detection.resampling.replicates import unit_notes
from curvewise.errors import Note, UndefinedMetricError
from curvewise.inference.by_bootstrap import pair_of_draws
from curvewise.inference.comparison import holm_corrected
from curvewise.results.numbers import percent
from curvewise.results.result import Result, Table

if TYPE_CHECKING:
    from curvewise.detection.matching.matched import Matched
    from curvewise.results.estimate import Estimate


@dataclass(frozen=True, eq=False, repr=False)
class ClassDifferences(Result, schema="class_differences"):
    """Two detectors compared class by class, on the same resamples of images.

    Attributes
    ----------
    first, second
        The names of the detectors; differences are the first minus the second.
    metric, level
        What was compared, and the confidence level of each interval alone.
    classes
        The names of the classes that have an object.
    values
        What each detector gives (one row per class).
    differences
        Of each class, with its interval.
    p_value, p_holm
        Of each class, and corrected for the number of classes.
    """

    first: str
    second: str
    metric: str
    level: float
    classes: tuple[Any, ...]
    values: Floats
    differences: tuple[Estimate, ...]
    p_value: tuple[float, ...]
    p_holm: tuple[float, ...]
    notes: tuple[Note, ...] = ()

    @property
    def table(self) -> Table:
        """One row per class."""
        gaps = {"difference": "value", "low": "low", "high": "high"}
        columns: dict[str, list[Any]] = {"class": list(self.classes)}
        columns |= {name: self.values[:, k].tolist() for k, name in enumerate((self.first, self.second))}
        columns |= {name: [getattr(e, what) for e in self.differences] for name, what in gaps.items()}
        columns |= {"p": list(self.p_value), "p_holm": list(self.p_holm)}
        title = f"{self.metric} by class, {self.first} minus {self.second} ({percent(self.level)} intervals)"
        return Table(title, columns)


def class_differences(
    first: Matched,
    second: Matched,
    *,
    names: tuple[str, str] = ("first", "second"),
    metric: str = "ap",
    **drawing: Unpack[DrawOptions],
) -> ClassDifferences:
    """Compare two detectors class by class; options as in `compare_detectors`.

    p-values are corrected for the number of classes (Holm); of many classes one would differ by chance. Classes
    without an object are not compared.
    """
    refuse_unlike(dict(zip(names, (first, second), strict=True)))
    how = Drawing.of(drawing)
    number = number_of(first, metric)
    draws = image_draws([first, second], how.cluster)
    objects = first.counting[:, first.options.area_place(number.area)]
    own = np.flatnonzero(np.bincount(first.scene.truths.label[objects], minlength=len(first.classes))).tolist()
    if not own:
        raise UndefinedMetricError(f"{number.name} is undefined: no class has an object for it.")
    classes = tuple(first.classes[k] for k in own)
    places = (own, [second.classes.index(c) for c in classes])
    read = read_all([first, second], lambda reader, k: reader.per_class(number)[places[k]])
    values = read(np.ones(len(draws.unit), dtype=np.int32)).T
    drawn = draws.replicate(read, how.replicates, how.rng)
    pairs = []
    for k in range(len(classes)):
        away = drawn[:, 0, k] - drawn[:, 1, k]
        value = float(values[k, 0] - values[k, 1])
        pairs.append(pair_of_draws(names, number.name, value, away[~np.isnan(away)], how.level, None))
    p_values = [pair.p_value for pair in pairs]
    return ClassDifferences(
        *names,
        number.name,
        how.level,
        classes,
        values,
        tuple(pair.difference for pair in pairs),
        tuple(p_values),
        tuple(holm_corrected(p_values)),
        unit_notes(draws),
    )
