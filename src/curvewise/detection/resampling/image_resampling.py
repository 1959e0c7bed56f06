"""Draws of whole images, or of clusters of them: how often each image counts in a resample.

Matching is within an image, so a resample changes no match: it weighs what each image adds to the counts. Images
are drawn in an order of their content, so that no name of an image or a class and no order of rows can move a draw.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats, Ints
from curvewise.core.resampling import REPLICATES, replicate_draws
from curvewise.detection.resampling.image_labels import every_image, image_labels
from curvewise.errors import unknown_option
from curvewise.rows.checks import real, whole

if TYPE_CHECKING:
    from curvewise.detection.formats.scene import Scene, Truths
    from curvewise.detection.matching.matched import Matched

    Keys = NDArray[np.uint64]

TRUTH, FOUND = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F  # so that an object and a detection of one box differ


class DrawOptions(TypedDict, total=False):
    """Options of every verb that draws images; `Matched.interval` says what each is."""

    level: float
    rng: np.random.Generator | int | None
    replicates: int
    cluster: object


@dataclass(frozen=True)
class Drawing:
    """How images are drawn, checked: the confidence level, the seed, how many times, and which belong together."""

    level: float = 0.95
    rng: np.random.Generator | int | None = 0
    replicates: int = REPLICATES
    cluster: object = None

    @classmethod
    def of(cls, options: DrawOptions) -> Drawing:
        """Check the options of a verb."""
        for name in options:
            if name not in DrawOptions.__annotations__:
                raise unknown_option(name, DrawOptions.__annotations__, "drawing images")
        how = cls(**options)
        return replace(
            how, level=real("level", how.level, 0, 1, closed=False), replicates=whole("replicates", how.replicates, 2)
        )


@dataclass(frozen=True, eq=False)
class ImageDraws:
    """What is drawn with replacement: images, or clusters of images.

    Attributes
    ----------
    unit
        Of each image, the place of what it is drawn with.
    units
        How many there are to draw from, and how many each resample draws.
    clustered
        Whether clusters are drawn.
    rows
        The detections that a resample weighs.
    """

    unit: Ints
    units: int
    clustered: bool
    rows: int

    def draw(self, rng: np.random.Generator) -> Ints:
        """Return how often each image counts in one resample."""
        times = np.bincount(rng.integers(0, self.units, self.units), minlength=self.units)
        return times.astype(np.int32).take(self.unit)

    def without(self, which: int) -> Ints:
        """Return how often each image counts without one of the units."""
        others: Ints = (self.unit != which).astype(np.int32)
        return others

    def halves(self, rng: np.random.Generator) -> tuple[Ints, Ints]:
        """Return how often each image counts in one half, and in the other half: once or not at all."""
        one = np.zeros(self.units, dtype=np.int32)
        one[rng.permutation(self.units)[: self.units // 2]] = 1
        return one.take(self.unit), (1 - one).take(self.unit)

    def replicate(self, read: Callable[[Ints], Any], replicates: int, rng: np.random.Generator | int | None) -> Floats:
        """Return what ``read`` makes of the weights of each resample, one row each."""
        found, _ = replicate_draws(lambda stream: read(self.draw(stream)), replicates, rng, self.rows)
        return found

    def read_halves(self, read: Callable[[Ints], Any], splits: int, rng: np.random.Generator | int | None) -> Floats:
        """Return what ``read`` makes of both halves of each split, one row each.

        Of the two halves of a split one is as much too high as the other is too low, so few splits do.
        """
        found, _ = replicate_draws(lambda stream: [read(w) for w in self.halves(stream)], splits, rng, self.rows)
        return found.reshape(-1, *found.shape[2:])


def image_draws(models: Sequence[Matched], cluster: object = None) -> ImageDraws:
    """Return what to draw: the same images for all models, which have the same truths.

    Parameters
    ----------
    models
        Matched detections of the same images; the draws are in the order of the first one's.
    cluster
        One label per image; images with the same one are drawn together. See `image_labels`.
    """
    scene = models[0].scene
    truth, found = _truth_keys(scene), np.zeros(len(scene.images), dtype=np.uint64)
    for m in models:
        found += _found_keys(m.scene)[places_of(m.scene, scene)]
    rows = max(len(m.found) for m in models)
    if cluster is None:
        order = np.lexsort((found, truth))
        unit = np.empty(len(order), dtype=np.intp)
        unit[order] = np.arange(len(order))
        return ImageDraws(unit, len(order), clustered=False, rows=rows)
    labels = every_image(image_labels(scene, cluster, "cluster"), "cluster")
    of_cluster = _summed(_mixed(truth), labels.code, len(labels)), _summed(_mixed(found), labels.code, len(labels))
    order = np.lexsort(of_cluster[::-1])
    place = np.empty(len(order), dtype=np.intp)
    place[order] = np.arange(len(order))
    return ImageDraws(place[labels.code], len(labels), clustered=True, rows=rows)


def places_of(scene: Scene, like: Scene) -> Ints:
    """Return where each image of ``like`` stands in another scene of the same images."""
    if scene.images == like.images:
        return np.arange(len(like.images))
    place = {image: k for k, image in enumerate(scene.images)}
    return np.array([place[image] for image in like.images], dtype=np.intp)


def row_keys(truths: Truths, *more: Ints) -> Keys:
    """Return a number per object that depends on what it is, and on the columns given."""
    return _hashed(TRUTH, *truths.box.T, truths.area, truths.crowd, truths.ignored, *more)


def _truth_keys(scene: Scene) -> Keys:
    """Return a number per image that depends on its objects alone, and on no name and no order."""
    side = scene.truths
    return _image_keys(row_keys(side), side.image, side.label, scene)


def _found_keys(scene: Scene) -> Keys:
    """Return the same for its detections."""
    side = scene.found
    return _image_keys(_hashed(FOUND, *side.box.T, side.score), side.image, side.label, scene)


def _image_keys(row: Keys, image: Ints, label: Ints, scene: Scene) -> Keys:
    """Sum keys of rows per image; of a class no name enters, but all that it holds."""
    of_class = _mixed(_summed(row, label, len(scene.classes)))
    return _summed(_mixed(row + of_class[label]), image, len(scene.images))


def _summed(key: Keys, group: Ints, groups: int) -> Keys:
    """Add keys per group modulo 2**64, which no order can change."""
    sums = np.zeros(groups, dtype=np.uint64)
    np.add.at(sums, group, key)
    return sums


def _hashed(salt: int, *columns: Ints) -> Keys:
    """Return a number per row that depends on every value of the row, bit by bit."""
    key = np.full(len(columns[0]), salt, dtype=np.uint64)
    for column in columns:
        plain = column.astype(np.float64) + 0.0  # -0.0 equals 0.0, and so must its bits
        key = _mixed(key ^ plain.view(np.uint64))
    return key


def _mixed(key: Keys) -> Keys:
    """Spread the bits of numbers over all 64 (the finaliser of splitmix64)."""
    key = key + np.uint64(0x9E3779B97F4A7C15)
    key = (key ^ (key >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    key = (key ^ (key >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return key ^ (key >> np.uint64(31))
