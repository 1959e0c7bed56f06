"""Numbers read from the same resamples of images, and the intervals that these give."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from curvewise.arrays import Floats, Ints
from curvewise.detection.numbers.summary import FEW_IMAGES, FEW_TRUTHS
from curvewise.errors import Note, note
from curvewise.inference.interval import FEW_CLUSTERS
from curvewise.inference.limits import BOOTSTRAPS, critical_value, expit, from_replicates, logit_wald
from curvewise.results.estimate import Estimate, undefined, value_alone
from curvewise.rows.seeds import random_stream

if TYPE_CHECKING:
    from curvewise.detection.resampling.image_resampling import Drawing, ImageDraws

    Key = str | tuple[str, int]  # the name of a number, perhaps with the place of a class

RECENTRED = "recentred"
METHODS = (RECENTRED, *BOOTSTRAPS)
SPLITS = 50  # of the images into halves, for the bias
HALVES_TO_BIAS = 2.0  # the bias falls about as n ** -0.6, so it is this many times what halves of the images add
BIAS_ERROR = 1 / 3  # of the bias is taken as its own standard error
NOTABLE = 0.1  # standard errors, from which on a bias is told
# how often 95% intervals held the true mean average precision: least and most over simulations/detection.py
COVERAGE = {RECENTRED: (0.91, 0.98), "percentile": (0.13, 0.92), "basic": (0.74, 0.93), "bca": (0.48, 0.88)}


@dataclass(frozen=True)
class Quantity:
    """What a column of replicates is.

    Attributes
    ----------
    name
        What it is called.
    units
        How many images, or clusters, hold what it is read from.
    truths
        Objects of the class, where it is about one class.
    classes, rare
        How many classes it is a mean of, and how many of these have few objects.
    share
        Whether it lies between 0 and 1.
    envelope
        Whether it is an area under an envelope, which is too large in small samples.
    undefined
        Why it is undefined, where it is.
    """

    name: str
    units: int
    truths: int | None = None
    classes: int = 1
    rare: int = 0
    share: bool = True
    envelope: bool = True
    undefined: Note | None = None


@dataclass(frozen=True, eq=False)
class Parts:
    """What columns are means of: the column of each part, rising, and what reads all parts; NaN is not among them."""

    column: Ints
    read: Callable[[Ints], Floats]


@dataclass(frozen=True, eq=False)
class Replicates:
    """Numbers read from the same resamples of images, one column each.

    Attributes
    ----------
    quantities
        What each column is, by key: the name of a number; or the name and the place of a class.
    value, bias
        Of each column: what all images give, and by how much that is too high in samples of this size.
    drawn
        What each resample gives (first axis); NaN where it does not define the number.
    lost
        Of each column, in how many resamples a class behind it had no object.
    draws
        What was drawn.
    level
        The confidence level of intervals.
    read
        Returns all columns for any weights of the images.
    """

    quantities: dict[Key, Quantity]
    value: Floats
    bias: Floats
    drawn: Floats
    lost: Ints
    draws: ImageDraws
    level: float
    read: Callable[[Ints], Floats] = field(repr=False)

    def place(self, key: Key) -> int:
        """Return which column a key is."""
        return list(self.quantities).index(key)

    def estimates(self) -> dict[str, Estimate]:
        """Return every number with its interval, by name; those of single classes are not among them."""
        return {key: self.estimate(key) for key in self.quantities if isinstance(key, str)}

    def class_estimate(self, place: int, name: str = "ap", method: str | None = None) -> Estimate:
        """Return a number of one class, given by its place."""
        return self.estimate((name, place), method)

    def estimate(self, key: Key, method: str | None = None) -> Estimate:
        """Return a number with its interval; NaN with the reason where one of them is undefined."""
        k, what = self.place(key), self.quantities[key]
        return self._estimate(what, self.value[k], self.bias[k], self.drawn[:, k], int(self.lost[k]), method, k)

    def gap(self, first: Key, second: Key, level: float) -> Estimate:
        """Return the first minus the second, resample by resample, with an interval of its own level."""
        i, j = self.place(first), self.place(second)
        a, b = self.quantities[first], self.quantities[second]
        what = Quantity(f"{a.name} minus {b.name}", min(a.units, b.units), share=False)
        value, bias = self.value[i] - self.value[j], self.bias[i] - self.bias[j]
        found = self._estimate(what, value, bias, self.drawn[:, i] - self.drawn[:, j], 0, None, None, level)
        return replace(found, low=max(found.low, -1.0), high=min(found.high, 1.0), level=self.level)

    def _estimate(
        self,
        what: Quantity,
        value: float,
        bias: float,
        drawn: Floats,
        lost: int,
        method: str | None,
        column: int | None,
        level: float | None = None,
    ) -> Estimate:
        level = self.level if level is None else level
        method = method or RECENTRED
        value, bias = float(value), float(bias)
        notes = self._notes(what, lost)
        if math.isnan(value):
            return undefined(what.name, level, what.undefined or note("no_truths"))
        defined = drawn[~np.isnan(drawn)]
        if len(defined) < len(drawn):
            notes += (note("resamples_undefined", failed=len(drawn) - len(defined), replicates=len(drawn)),)
        if what.units < 2 or len(defined) < 2:
            one = "one_cluster" if self.draws.clustered else "one_image"
            reason = note(one) if what.units < 2 else note("no_resample_defines", replicates=len(drawn))
            return value_alone(what.name, value, level, reason, notes)
        error = float(np.std(defined, ddof=1))
        if error == 0:
            notes += (note("all_resamples_equal"),)
        if method == RECENTRED:
            low, high = recentred(value, bias, error, level, what.units, share=what.share)
            notes += _bias_note(bias, error)
        else:
            low, high = from_replicates(method, value, defined, level, lambda: self._left_out(column))
            notes += _coverage_note(method) if what.envelope else ()
        if what.share:
            low, high = max(low, 0.0), min(high, 1.0)
        return Estimate(what.name, value, low, high, level, method, error, len(defined), notes)

    def _left_out(self, column: int | None) -> Floats:
        """Return a column without each image, or cluster, in turn."""
        found: Floats = np.array([self.read(self.draws.without(k))[column] for k in range(self.draws.units)])
        return found[~np.isnan(found)]

    def unit_notes(self) -> tuple[Note, ...]:
        """Say that there are few images, or few clusters."""
        return unit_notes(self.draws)

    def _notes(self, what: Quantity, lost: int) -> tuple[Note, ...]:
        """Say what makes an interval unreliable."""
        found = list(self.unit_notes())
        if what.truths is not None and what.truths < FEW_TRUTHS:
            found.append(note("few_truths_interval", truths=what.truths, least=FEW_TRUTHS))
        if what.rare:
            found.append(note("rare_classes_interval", rare=what.rare, classes=what.classes, least=FEW_TRUTHS))
        if lost:
            found.append(note("resamples_lost_class", lost=lost, replicates=len(self.drawn)))
        return tuple(found)


def unit_notes(draws: ImageDraws) -> tuple[Note, ...]:
    """Say that there are few clusters, or few images."""
    if draws.clustered:
        return (note("few_clusters", clusters=draws.units),) if draws.units < FEW_CLUSTERS else ()
    return (note("few_images", images=draws.units, least=FEW_IMAGES),) if draws.units < FEW_IMAGES else ()


def recentred(value: float, bias: float, error: float, level: float, units: int, *, share: bool) -> tuple[float, float]:
    """Return the ends of an interval around the value less its bias: t standard errors, of a share on the logit scale.

    A third of the bias is added to the error, root of squares: how many times what halves add the bias is, was 1.0 to
    2.4 in simulations. The centre of a share goes at most half the way to 0 or 1.
    """
    reach = critical_value(level, units - 1) * math.hypot(error, BIAS_ERROR * bias)
    if not share:
        return value - bias - reach, value - bias + reach
    centre = min(max(value - bias, value / 2), (1 + value) / 2)
    if centre in (0, 1):
        return logit_wald(centre, error, level, units)
    logit, reach = math.log(centre / (1 - centre)), reach / (centre * (1 - centre))
    return expit(logit - reach), expit(logit + reach)


def replicated(
    quantities: dict[Key, Quantity],
    read: Callable[[Ints], Floats],
    draws: ImageDraws,
    how: Drawing,
    parts: Parts | None = None,
) -> Replicates:
    """Read columns from resamples, and their bias from halves of the images.

    ``read`` returns the columns; or twice as many, of which the second half are the numbers of classes that each is a
    mean of. ``parts`` are what each column is a mean of; by default the column itself.
    """
    source, k = random_stream(how.rng), len(quantities)
    once = np.ones(len(draws.unit), dtype=np.int32)
    value, drawn = read(once), draws.replicate(read, how.replicates, source)
    bias = _bias(parts or Parts(np.arange(k), lambda weights: read(weights)[:k]), k, once, draws, source)
    behind, fewer = value[k:], drawn[:, k:]
    lost = (fewer < behind).sum(axis=0) if len(behind) else np.zeros(k, dtype=np.int64)
    return Replicates(quantities, value[:k], bias, drawn[:, :k], lost, draws, how.level, read)


def _bias(parts: Parts, columns: int, once: Ints, draws: ImageDraws, rng: np.random.Generator) -> Floats:
    """Return by how much each column is too high: the mean of its parts, each over the halves that define it.

    A class that a half lacks must not count as a change of the mean, so classes are compared one by one.
    """
    if draws.units < 2:
        return np.zeros(columns)
    added = _mean(draws.read_halves(parts.read, SPLITS, rng)) - parts.read(once)
    ends = np.searchsorted(parts.column, np.arange(1, columns))
    return np.array([HALVES_TO_BIAS * _mean(own[:, None])[0] for own in np.split(added, ends)])


def _mean(rows: Floats) -> Floats:
    """Return the mean of each column over the rows that define it, summed exactly; NaN where none does."""
    columns = [column[~np.isnan(column)].tolist() for column in rows.T]
    return np.array([math.fsum(column) / len(column) if column else math.nan for column in columns])


def _coverage_note(method: str) -> tuple[Note, ...]:
    """Say how often a method held the truth, and how often the default did."""
    (low, high), (least, most) = COVERAGE[method], COVERAGE[RECENTRED]
    return (note("covers_less", method=method, low=low, high=high, default_low=least, default_high=most),)


def _bias_note(bias: float, error: float) -> tuple[Note, ...]:
    """Say by how much the value is too high or too low, unless that is little beside its standard error."""
    if math.isnan(bias) or abs(bias) < NOTABLE * error:
        return ()
    return (note("value_too_high" if bias > 0 else "value_too_low", bias=abs(bias)),)
