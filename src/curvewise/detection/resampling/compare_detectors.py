"""Detectors compared on the same images: the same draws for all, so that what images have in common cancels."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import fields
from itertools import combinations
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from curvewise.arrays import Floats, Ints
from curvewise.detection.numbers.catalogue import Number, Reader, number_of
from curvewise.detection.numbers.ranked import Weights
from curvewise.detection.resampling.image_resampling import Drawing, DrawOptions, image_draws, places_of, row_keys
from curvewise.detection.resampling.replicates import unit_notes
from curvewise.errors import CurvewiseError, OptionError, UndefinedMetricError, note, unknown_option
from curvewise.inference.by_bootstrap import pair_of_draws
from curvewise.inference.comparison import Comparison, ModelTest, Pair, holm, with_simultaneous
from curvewise.rows.checks import one_of, real
from curvewise.rows.columns import count, shown

if TYPE_CHECKING:
    from curvewise.detection.matching.matched import Matched

OPTION_NAMES = {"limit": "max_detections"}  # what users call them, where that differs


def compare_detectors(
    models: Mapping[str, Matched],
    *,
    metric: str | Callable[[Reader], float] = "ap",
    cls: object = None,
    margin: float | None = None,
    **drawing: Unpack[DrawOptions],
) -> Comparison:
    """Compare detectors that were judged on the same images and objects.

    Parameters
    ----------
    models
        Matched detections by the name of the detector, two or more.
    metric, cls
        As in `Matched.interval`: the name of a number, perhaps of one class; or a function of a `Reader`.
    margin
        A difference too small to matter: adds tests of non-inferiority of the first to the second, and of equivalence.
    **drawing
        As in `Matched.interval`.

    Returns
    -------
    Comparison
        ``difference`` (first minus second) and ``p_value``; of three detectors or more all pairs, with Holm's
        correction and simultaneous intervals.

    Notes
    -----
    Both detectors are read from the same resamples of images. The bias of average precision in small samples mostly
    cancels in a difference, so the interval is that of percentiles, and excludes 0 exactly when p < 1 - level.
    Two intervals that overlap are no test of a difference.

    Examples
    --------
    >>> import curvewise as cw
    >>> images = list(range(8))
    >>> truth = {"image": images, "class": ["cat"] * 8, "box": [[0, 0, 9, 9]] * 8}
    >>> a = {**truth, "score": [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2]}
    >>> b = {**a, "box": [[0, 0, 9, 9]] * 4 + [[50, 0, 9, 9]] * 4}
    >>> m = {name: cw.detection.match(truth, found) for name, found in {"a": a, "b": b}.items()}
    >>> compare_detectors(m).difference.value > 0.4
    True
    """
    names = [str(name) for name in models]
    found = ByImages(list(models.values()), names, metric, cls, Drawing.of(drawing))
    margin = None if margin is None else real("margin", margin, 0, math.inf)
    which = list(combinations(range(len(names)), 2))
    tested = [found.pair(i, j, names, margin) for i, j in which]
    pairs = holm(with_simultaneous(found, tested, which, names))
    return Comparison(found.name, found.method, dict(zip(names, found.values, strict=True)), pairs, None, found.notes)


def compare_matched(models: Mapping[str, Matched], options: dict[str, Any]) -> Comparison:
    """Compare detectors with the options of `curvewise.compare`, of which some do not apply."""
    known = ("metric", "cls", "level", "margin", "rng", "replicates", "cluster")
    one_of("method", options.pop("method", None), (None, ByImages.method))
    for name in options:
        if name == "against":
            raise OptionError.of(name, "detectors are compared with each other; leave it out.")
        if name not in known:
            raise unknown_option(name, known, "a comparison of detectors")
    return compare_detectors(models, **options)


class ByImages(ModelTest):
    """Detectors compared by resampling images, the same ones for all."""

    method = "bootstrap"

    def __init__(
        self,
        models: list[Matched],
        names: list[str],
        metric: str | Callable[[Reader], float],
        cls: object,
        how: Drawing,
    ) -> None:
        refuse_unlike(dict(zip(names, models, strict=True)))
        if len(models) < 2:
            raise CurvewiseError("A comparison needs two detectors or more; one alone has an interval.")
        self.level = how.level
        self.name, statistics = _statistics(models, metric, cls)
        draws = image_draws(models, how.cluster)
        read = read_all(models, lambda reader, k: statistics[k](reader))
        self.values = read(np.ones(len(draws.unit), dtype=np.int32)).tolist()
        for name, value in zip(names, self.values, strict=True):
            if math.isnan(value):
                raise UndefinedMetricError(f"{self.name} of {name!r} is undefined: no class has an object for it.")
        drawn = draws.replicate(read, how.replicates, how.rng)
        defined = drawn[~np.isnan(drawn).any(axis=1)]
        if len(defined) < 2:
            raise UndefinedMetricError(f"None of {how.replicates} resamples defines {self.name} of all detectors.")
        if len(defined) < len(drawn):
            self.notes += (note("resamples_undefined", failed=len(drawn) - len(defined), replicates=len(drawn)),)
        self.notes += unit_notes(draws)
        self.drawn = defined.T

    def pair(self, i: int, j: int, names: list[str], margin: float | None) -> Pair:
        """Test one difference by where 0 lies among those of the resamples."""
        away, drawn = self.values[i] - self.values[j], self.drawn[i] - self.drawn[j]
        return pair_of_draws((names[i], names[j]), self.name, away, drawn, self.level, margin)


def refuse_unlike(models: Mapping[str, Matched]) -> None:
    """Refuse detectors that were not judged on the same images, objects and options, and say what differs."""
    names, all_ = list(models), list(models.values())
    if not all_:
        raise CurvewiseError("There is no detector to compare.")
    for name, m in zip(names[1:], all_[1:], strict=True):
        differs = _difference(all_[0], m)
        if differs:
            raise CurvewiseError(
                f"{shown(names[0])} and {shown(name)} cannot be compared: {differs}; match both with the same truth "
                "and options."
            )


def _difference(a: Matched, b: Matched) -> str:
    """Say in what two matches differ that should be alike; nothing if they do not."""
    if a.scene.images != b.scene.images and set(a.images) != set(b.images):
        only = len(set(a.images) ^ set(b.images))
        return f"{count(only, 'image')} only in one of them"
    of_each = [(f.name, getattr(a.options, f.name), getattr(b.options, f.name)) for f in fields(a.options)]
    unlike = [f"{OPTION_NAMES.get(name, name)} {shown(x)} and {shown(y)}" for name, x, y in of_each if x != y]
    if (a.overlap is None) != (b.overlap is None):
        unlike.append("overlap of one of them only")
    if unlike:
        return f"different options ({', '.join(unlike)})"
    if (a.scene.federated is None) != (b.scene.federated is None):
        return "only one of them says which classes were looked for"
    objects = _objects(a, b)
    return f"{count(objects, 'object')} only in one of them" if objects else ""


def _objects(a: Matched, b: Matched) -> int:
    """Count objects that only one of two scenes has, whatever the order of rows, images and classes."""
    keys = []
    classes: dict[Any, int] = {}
    for m in (a, b):
        truths = m.scene.truths
        image = places_of(a.scene, m.scene)[truths.image]
        label = np.array([classes.setdefault(c, len(classes)) for c in m.classes], dtype=np.intp)[truths.label]
        keys.append(row_keys(truths, image, label))
    distinct, which = np.unique(np.concatenate(keys), return_inverse=True)
    first, second = (np.bincount(part, minlength=len(distinct)) for part in np.split(which, [len(keys[0])]))
    return int(np.abs(first - second).sum())


def read_all(models: list[Matched], one: Callable[[Reader, int], Any]) -> Callable[[Ints], Floats]:
    """Return what reads all models with the same weights, given in the order of the first one's images."""
    places = [places_of(models[0].scene, m.scene) for m in models]

    def read(weights: Ints) -> Floats:
        readers = [Reader(m, Weights(weights.take(place))) for m, place in zip(models, places, strict=True)]
        return np.array([one(reader, k) for k, reader in enumerate(readers)])

    return read


def _statistics(
    models: list[Matched], metric: str | Callable[[Reader], float], cls: object
) -> tuple[str, list[Callable[[Reader], float]]]:
    """Return the name of a number, and what reads it of each model."""
    if callable(metric):
        if cls is not None:
            raise OptionError.of("cls", "a function reads what it wants itself; leave it out.")
        function = metric
        return getattr(metric, "__name__", type(metric).__name__), [lambda r: float(function(r))] * len(models)
    number: Number = number_of(models[0], metric)
    if cls is None:
        return number.name, [lambda r: r.mean(number).value] * len(models)
    name = models[0].classes[models[0].class_place(cls)]

    def of_class(place: int) -> Callable[[Reader], float]:
        return lambda r: float(r.per_class(number)[place])

    return f"{number.name} of {name}", [of_class(m.class_place(name)) for m in models]
