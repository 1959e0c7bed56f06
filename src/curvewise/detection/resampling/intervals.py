"""Intervals of numbers about a detector: whole images are resampled, and all numbers read from the same draws."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Unpack

import numpy as np

from curvewise.arrays import Floats, Ints
from curvewise.detection.matching.options import ALL
from curvewise.detection.numbers.catalogue import Number, Reader, number_of, numbers
from curvewise.detection.numbers.ranked import Weights
from curvewise.detection.numbers.summary import FEW_TRUTHS
from curvewise.detection.resampling.image_resampling import Drawing, DrawOptions, ImageDraws, image_draws
from curvewise.detection.resampling.replicates import METHODS, Parts, Quantity, Replicates, replicated
from curvewise.errors import OptionError, note
from curvewise.rows.checks import one_of

if TYPE_CHECKING:
    from curvewise.detection.matching.matched import Matched
    from curvewise.detection.resampling.replicates import Key
    from curvewise.results.estimate import Estimate

AT_IOU = "ap at IoU"


def resampled_numbers(
    m: Matched,
    names: Iterable[str] | None = None,
    *,
    by_class: Number | str | None = "ap",
    **drawing: Unpack[DrawOptions],
) -> Replicates:
    """Read numbers, and one number of every class, from the same resamples of images.

    Parameters
    ----------
    m
        Matched detections.
    names
        The numbers; None takes all that sum up a detector, and average precision at every IoU threshold, whose keys
        are `AT_IOU` and the place of the threshold.
    by_class
        The number that is read of every class; None for none.
    **drawing
        As in `Matched.interval`.
    """
    wanted = [number_of(m, name) for name in names] if names is not None else list(numbers(m).values())
    how = Drawing.of(drawing)
    draws = image_draws([m], how.cluster)
    each = number_of(m, by_class) if isinstance(by_class, str) else by_class
    quantities: dict[Key, Quantity] = {number.name: quantity_of(m, number, draws) for number in wanted}
    overlaps = [Number(f"ap at IoU {t:g}", "ap", (k,)) for k, t in enumerate(m.iou)] if names is None else []
    quantities |= {(AT_IOU, k): quantity_of(m, number, draws) for k, number in enumerate(overlaps)}
    if each is not None:
        quantities |= {(each.name, k): what for k, what in enumerate(class_quantities(m, each, draws))}

    def read(weights: Ints) -> Floats:
        reader = Reader(m, Weights(weights))
        means = [reader.mean(number) for number in (*wanted, *overlaps)]
        found = np.zeros((2, len(quantities)))
        found[0, : len(means)], found[1, : len(means)] = [x.value for x in means], [x.classes for x in means]
        if each is not None:
            found[0, len(means) :] = reader.per_class(each)
        return found.ravel()

    def of_classes(weights: Ints) -> Floats:
        reader = Reader(m, Weights(weights))
        found = [class_parts(reader, number) for number in (*wanted, *overlaps)]
        return np.concatenate([*found, *([] if each is None else [reader.per_class(each)])])

    means = len(wanted) + len(overlaps)
    column = np.concatenate([np.repeat(np.arange(means), len(m.classes)), np.arange(means, len(quantities))])
    parts = Parts(column, of_classes)
    return replicated(quantities, read, draws, how, parts)


def interval(
    m: Matched,
    name: str | Callable[[Reader], float] = "ap",
    *,
    cls: object = None,
    method: str | None = None,
    **drawing: Unpack[DrawOptions],
) -> Estimate:
    """Return a number with its interval, as `Matched.interval` describes."""
    one_of("method", method, (None, *METHODS))
    how = Drawing.of(drawing)
    draws = image_draws([m], how.cluster)
    if callable(name):
        if cls is not None:
            raise OptionError.of("cls", "a function reads what it wants itself; leave it out.")
        title = getattr(name, "__name__", type(name).__name__)
        what = Quantity(title, draws.units, share=False, envelope=False)
        statistic = name

        def one(weights: Ints) -> Floats:
            return np.array([float(statistic(Reader(m, Weights(weights))))])

        return replicated({title: what}, one, draws, how).estimate(title, method)
    number = number_of(m, name)
    if cls is None:
        return resampled_numbers(m, [number.name], by_class=None, **drawing).estimate(number.name, method)
    place = m.class_place(cls)

    def of_class(weights: Ints) -> Floats:
        return Reader(m, Weights(weights)).per_class(number)[place : place + 1]

    key = (number.name, place)
    what = class_quantities(m, number, draws)[place]
    return replicated({key: what}, of_class, draws, how).estimate(key, method)


def class_parts(reader: Reader, number: Number) -> Floats:
    """Return a number of each class that it is a mean of; NaN for others, and for those without an object."""
    values = np.full(len(reader.m.classes), np.nan)
    members, positives = reader.members(number), reader.counted(number.iou[0], number.area).positives
    values[members] = np.where(positives > 0, reader.per_class(number), np.nan)[members]
    return values


def quantity_of(m: Matched, number: Number, draws: ImageDraws) -> Quantity:
    """Say what a mean over classes rests on."""
    reader = Reader(m)
    positives = reader.counted(number.iou[0], number.area).positives[reader.members(number)]
    rare = int(np.count_nonzero((positives > 0) & (positives < FEW_TRUTHS)))
    classes = int(np.count_nonzero(positives))
    why = note("no_truths") if number.area == ALL else note("no_class_of_size", area=number.area)
    return Quantity(number.name, draws.units, None, classes, rare, envelope=number.kind == "ap", undefined=why)


def class_quantities(m: Matched, number: Number, draws: ImageDraws) -> list[Quantity]:
    """Say what a number of each class rests on: its objects, and the images or clusters that hold them."""
    counts = m.counting[:, m.options.area_place(number.area)]
    label, kinds = m.scene.truths.label[counts].astype(np.int64), len(m.classes)
    held = np.unique(label * draws.units + draws.unit[m.scene.truths.image[counts]]) // draws.units
    columns = (np.bincount(of, minlength=kinds).tolist() for of in (held, label, m.scene.found.label))
    return [
        Quantity(
            f"{number.name} of {name}",
            units,
            truths,
            envelope=number.kind == "ap",
            undefined=note("absent_class", truths=0, detections=found),
        )
        for name, units, truths, found in zip(m.classes, *columns, strict=True)
    ]
