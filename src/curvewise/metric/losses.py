"""What probabilities cost: Brier, log and spherical loss, the proper losses.

A loss is proper if no other probability can be expected to lose less than the true one. All rows with one
probability lose one of two amounts, so the mean is a sum over blocks: exact for any weights.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats
from curvewise.core import kernel
from curvewise.core.keys import slices
from curvewise.core.probability import of_probabilities, probability_sweep
from curvewise.core.sweep import Sweep, as_sweep
from curvewise.core.threads import in_threads
from curvewise.errors import CurvewiseWarning, Note, note
from curvewise.metric.registry import metric, read
from curvewise.rows.checks import real

if TYPE_CHECKING:
    from curvewise.rows.rows import RowOptions

LOSS: dict[str, Any] = {"family": "probability", "unit": "loss", "better": "lower"}
LOSS |= {"low": 0.0, "perfect": 0.0, "needs": (), "interval": "log", "monotone": True}
BRIER_NAMES, LOG_NAMES = ("brier", "brier_score"), ("logloss", "cross_entropy", "log_score", "nll")
BRIER = "Brier (1950) Monthly Weather Review 78:1-3"
GOOD = "Good (1952) J. R. Stat. Soc. B 14:107-114"
GNEITING = "Gneiting & Raftery (2007) J. Am. Stat. Assoc. 102:359-378"


@dataclass(frozen=True)
class ProperLoss:
    """What a row loses when ``q`` was the probability given to what happened: p, or 1 - p for a negative.

    ``added`` is a quick way to the sum of such losses, where there is one.
    """

    name: str
    of: Callable[[Floats], Floats]
    added: Callable[[Floats], float] | None = None

    def total(self, p: Floats, pos: NDArray[Any], neg: NDArray[Any]) -> float:
        """Sum the losses of so many positives and negatives at each p; no rows lose nothing."""
        with np.errstate(divide="ignore", invalid="ignore"):  # 0 rows times an infinite loss
            lost = np.where(pos > 0, pos * self.of(p), 0.0) + np.where(neg > 0, neg * self.of(1 - p), 0.0)
        return float(lost.sum())

    def at_base_rate(self, sweep: Sweep) -> float:
        """Return the mean loss of saying the share of positives every time: the least of any constant."""
        both = (np.array([float(n)]) for n in (sweep.positives, sweep.known_negatives("A base rate")))
        return self.total(np.array([sweep.prevalence]), *both) / sweep.n

    def mean(self, sweep: Sweep) -> float:
        """Return the mean loss of a sweep of probabilities."""

        def part(here: slice) -> float:
            p = sweep.threshold[here]
            pos, neg = (kernel.steps_in(c, here) for c in (sweep.tp, sweep.fp))
            if pos.dtype.kind == "f" or pos.sum() + neg.sum() > len(p):
                return self.total(p, pos, neg)
            q = np.where(pos > 0, p, 1 - p)  # one row per block: one loss instead of two
            with np.errstate(divide="ignore"):
                return float(self.of(q).sum()) if self.added is None else self.added(q)

        size = len(sweep.threshold)
        return math.fsum(in_threads(part, list(slices(size)), size)) / sweep.n

    def influence(self, sweep: Sweep) -> tuple[Floats, Floats]:
        """Return what one more positive, or negative, of each probability adds to the mean loss."""
        p, mean = np.clip(sweep.threshold.astype(np.float64), 0, 1), self.mean(of_probabilities(sweep))
        with np.errstate(divide="ignore"):
            lost = self.of(p), self.of(1 - p)
        here = sweep.block_positives > 0, sweep.block_negatives > 0  # no rows, and perhaps an infinite loss
        mean = mean if math.isfinite(mean) else math.nan
        pos, neg = (np.where(on, each - mean, 0.0) / sweep.n for on, each in zip(here, lost, strict=True))
        return pos, neg

    def expected_variance(self, sweep: Sweep, less: tuple[float, float] = (0.0, 0.0)) -> float:
        """Return the variance of the loss of a row, ``less`` something for a positive and a negative, if p is right.

        That of outcomes, p(1 - p)·(l(p) - l(1 - p))², and that between the expected losses of rows: few rows may not
        have shown the failures that the probabilities themselves expect.
        """
        p = np.clip(sweep.threshold.astype(np.float64), 1e-9, 1 - 1e-9)
        weight = (sweep.block_positives + sweep.block_negatives) / sweep.n
        right, wrong = self.of(p) - less[0], self.of(1 - p) - less[1]
        mean = p * right + (1 - p) * wrong
        return float(weight @ (p * (1 - p) * (right - wrong) ** 2 + (mean - weight @ mean) ** 2))

    def clipped(self, by: float) -> ProperLoss:
        """Return the loss after probabilities were moved into [by, 1 - by]."""
        return ProperLoss(self.name, lambda q: self.of(np.clip(q, by, 1 - by)))


def _logs(q: Floats) -> float:
    """Return the sum of -log q: products of eight need an eighth of the logarithms."""
    size = len(q) // 8
    if not size or q.min() < 1e-30:  # a product could be too small to hold
        return float(-np.log(q).sum())
    product = q[:size].copy()
    for k in range(1, 8):
        product *= q[k * size : (k + 1) * size]
    return float(-np.log(product).sum() - np.log(q[8 * size :]).sum())


LOSSES = {
    "brier": ProperLoss("brier", lambda q: (1 - q) ** 2),
    "log": ProperLoss("log", lambda q: -np.log(q), _logs),
    "spherical": ProperLoss("spherical", lambda q: 1 - q / np.hypot(q, 1 - q)),
}


def brier_loss(y: object, p: object = None, **rows: Unpack[RowOptions]) -> float:
    """Return the mean squared distance of probabilities from what happened.

    Parameters
    ----------
    y, p
        Labels and probabilities of the positive class, with the options of `curvewise.sweep`; or a
        `Sweep` or `Rows` of probabilities alone.

    Notes
    -----
    Σ w (p - y)² / Σ w, from 0 (certain and right) to 1 (certain and wrong). Saying the base rate π every time
    costs π(1 - π): with rare positives even that is close to 0, so compare with it (`curvewise.brier_skill`).
    Predicted labels in place of probabilities are an error rate, no proper loss: that is warned of.

    References
    ----------
    Brier (1950) Monthly Weather Review 78:1-3.

    Examples
    --------
    >>> import curvewise as cw
    >>> round(cw.brier_loss([0, 0, 0, 1, 1, 1], [0.4, 0.3, 0.2, 0.1, 0.5, 0.9]), 7)
    0.2266667
    """
    return read_warned("brier_loss", y, p, rows)


def log_loss(y: object, p: object = None, *, clip: float | None = None, **rows: Unpack[RowOptions]) -> float:
    """Return the mean of -log of the probability that was given to what happened.

    Parameters
    ----------
    y, p
        As in `curvewise.brier_loss`.
    clip
        Move probabilities into [clip, 1 - clip] first: one number for every dtype. None (default): none.

    Notes
    -----
    -Σ w [y log p + (1 - y) log(1 - p)] / Σ w, in nats. A single row with p = 0 that turns out positive makes
    it infinite (a warning counts such rows), as it should: no number of good rows makes up for "impossible".
    A clip turns that into a number that is mostly the clip's.

    References
    ----------
    Good (1952) J. R. Stat. Soc. B 14:107-114.

    Examples
    --------
    >>> import curvewise as cw
    >>> y, p = [0, 0, 0, 1, 1, 1], [0.4, 0.3, 0.2, 0.1, 0.5, 0.9]
    >>> round(cw.log_loss(y, p), 7)
    0.6986228
    >>> round(cw.log_loss([0, 1], [0.5, 0.0], clip=0.01), 4)
    2.6492
    """
    return read_warned("log_loss", y, p, rows, clip=clip)


def spherical_loss(y: object, p: object = None, **rows: Unpack[RowOptions]) -> float:
    """Return the mean spherical loss: one minus the cosine between (1 - p, p) and what happened.

    It takes what `curvewise.brier_loss` takes; from 0 (certain and right) to 1 (certain and wrong).

    Notes
    -----
    1 - Σ w q / √(p² + (1 - p)²) / Σ w, with q = p for a positive row and 1 - p for a negative one.
    Proper, and bounded like Brier's.

    References
    ----------
    Gneiting & Raftery (2007) J. Am. Stat. Assoc. 102:359-378.

    Examples
    --------
    >>> import curvewise as cw
    >>> round(cw.spherical_loss([0, 1], [0.4, 0.4]), 4)
    0.3066
    """
    return read_warned("spherical_loss", y, p, rows)


def log_clipped(clip: float | None) -> ProperLoss:
    """Return the log loss, clipped if asked."""
    return LOSSES["log"] if clip is None else LOSSES["log"].clipped(real("clip", clip, 0, 0.5, closed=False))


metric(
    "brier_loss",
    aliases=BRIER_NAMES,
    **LOSS,
    high=1.0,
    influence=LOSSES["brier"].influence,
    expected=LOSSES["brier"].expected_variance,
    place=1,
    reference=BRIER,
    formula="Σ (p - y)²/n",
)(lambda sweep: LOSSES["brier"].mean(of_probabilities(sweep)))


metric(
    "log_loss",
    aliases=LOG_NAMES,
    **LOSS,
    influence=lambda sweep, clip=None: log_clipped(clip).influence(sweep),
    expected=lambda sweep, clip=None: log_clipped(clip).expected_variance(sweep),
    place=2,
    reference=GOOD,
    formula="-Σ ln q/n, q = p for a positive, 1 - p for a negative",
)(lambda sweep, *, clip=None: log_clipped(clip).mean(of_probabilities(sweep)))


metric(
    "spherical_loss",
    aliases=("spherical",),
    **LOSS,
    high=1.0,
    influence=LOSSES["spherical"].influence,
    expected=LOSSES["spherical"].expected_variance,
    shown=None,
    reference=GNEITING,
    formula="1 - Σ (q/√(p² + (1 - p)²))/n, q = p for a positive, 1 - p for a negative",
)(lambda sweep: LOSSES["spherical"].mean(of_probabilities(sweep)))


def read_warned(name: str, y: object, p: object, rows: RowOptions, **options: Any) -> float:
    """Return a loss, or a skill, to its verb, whose caller is warned of labels and of an infinite loss."""
    if isinstance(y, Sweep) and y.bins is not None:
        return read(name, as_sweep(y, p, rows), **options)
    sweep = probability_sweep(y, p, rows)
    return warned(read(name, sweep, **options), sweep, stacklevel=4)


def warned(value: float, sweep: Sweep, stacklevel: int = 3) -> float:
    """Return a loss, or a skill, of which a caller is warned if it is that of predicted labels, or infinite."""
    if len(sweep.threshold) <= 2 and set(sweep.threshold.tolist()) <= {0.0, 1.0}:
        warnings.warn(
            "p: every value is 0 or 1, as of predicted labels, and for these a loss is no longer proper: "
            "pass probabilities.",
            CurvewiseWarning,
            stacklevel=stacklevel,
        )
    if math.isinf(value):
        warnings.warn(f"{why_infinite(sweep)}; clip= would bound it.", CurvewiseWarning, stacklevel=stacklevel)
    return value


def why_infinite(sweep: Sweep) -> Note:
    """Count the rows that make the log loss infinite."""
    negatives = sweep.fp[0].item() if sweep.threshold[0] == 1 else 0
    positives = sweep.block_positives[-1].item() if sweep.threshold[-1] == 0 else 0
    code = "log_loss_infinite" if isinstance(sweep.n, int) else "log_loss_infinite_weight"
    return note(code, count=positives + negatives, total=sweep.n, positives=positives, negatives=negatives)
