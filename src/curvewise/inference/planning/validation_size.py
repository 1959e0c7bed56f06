"""How many rows the external validation of a prediction model needs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from curvewise.arrays import Floats
from curvewise.core.probability import probabilities
from curvewise.errors import Note, OptionError, UndefinedMetricError, note
from curvewise.inference.binormal_variance import NORMAL
from curvewise.inference.planning.power import fewest, reach, share
from curvewise.metric.log_odds import log_odds
from curvewise.results.numbers import percent, show
from curvewise.results.result import Result, Table
from curvewise.rows.checks import real
from curvewise.rows.columns import count, shown

COLUMNS = ("criterion", "value", "width", "standard_error", "n", "events")
FAR, FAR_AUC = 0.1, 0.02  # so far apart, what was stated and what follows from the probabilities disagree


@dataclass(frozen=True, repr=False)
class PrecisionTarget(Result, schema="precision_target"):
    """One number that a study is to know well, and the rows that this takes.

    Attributes
    ----------
    criterion
        ``"observed_expected"``, ``"calibration_slope"``, ``"roc_auc"`` or ``"standardised_net_benefit"``.
    value, width, standard_error
        What it is expected to be, the width of its interval (high minus low), and the standard error that
        gives this width; of O/E that of its logarithm.
    n, events
        Rows in all, and the positives expected among them.
    """

    criterion: str
    value: float
    width: float
    standard_error: float
    n: int
    events: int

    @property
    def table(self) -> Table:
        """One row."""
        return Table("", {name: [getattr(self, name)] for name in COLUMNS})


@dataclass(frozen=True, repr=False)
class ValidationSize(Result, schema="validation_size"):
    """How many rows a validation study needs, by criterion; made by `curvewise.validation_sample_size`.

    ``n`` and ``events`` are those of the criterion that needs most.
    """

    n: int
    events: int
    targets: tuple[PrecisionTarget, ...]
    prevalence: float
    auc: float
    level: float
    notes: tuple[Note, ...] = ()

    @property
    def table(self) -> Table:
        """One row per criterion."""
        assumed = f"prevalence {self.prevalence:.4g}, AUC {self.auc:.4g}, {percent(self.level)} intervals"
        title = f"Rows to validate a model: {self.n}, {self.events} of them positive ({assumed})"
        return Table(title, {name: [getattr(t, name) for t in self.targets] for name in COLUMNS})


def validation_sample_size(
    prevalence: float | None = None,
    auc: float | None = None,
    *,
    linear_predictor: Sequence[float] | None = None,
    p: object = None,
    threshold: float | None = None,
    sensitivity: float | None = None,
    specificity: float | None = None,
    observed_expected: float = 1,
    slope: float = 1,
    intercept: float = 0,
    observed_expected_width: float = 0.2,
    slope_width: float = 0.2,
    auc_width: float = 0.1,
    net_benefit_width: float = 0.2,
    level: float = 0.95,
) -> ValidationSize:
    """Return how many rows an external validation needs, so that every number of it has a narrow interval.

    Parameters
    ----------
    prevalence, auc
        The share of positives and the AUC expected where the model is to be validated. Where the model's
        probabilities are given (next two options) they may be left out, and follow from these.
    linear_predictor
        Mean and standard deviation of the model's log odds, if those are about normal.
    p
        In its place: probabilities that the model gave to rows like those of the study, a pilot for example.
        Without both, log odds are taken to be normal in each class with equal spread, and follow from
        ``prevalence`` and ``auc``.
    threshold, sensitivity, specificity
        The threshold probability of the net benefit, which is left out without one; and what is expected at it, by
        default what follows from the model's probabilities.
    observed_expected, slope, intercept
        The calibration that is expected: O/E, and b and a of logit P(y) = a + b·logit(p). By default it is right.
    observed_expected_width, slope_width, auc_width, net_benefit_width
        How wide each interval may be, from its low to its high end; that of the net benefit is divided by the
        prevalence (standardised). O/E needs most rows where positives are rare: there, 0.2 is seldom needed.
    level
        The level of the intervals.

    Returns
    -------
    ValidationSize
        ``n``, ``events``, and a table of criteria.

    Notes
    -----
    For a prevalence φ and z normal deviates of the level:

    - *O/E*: ln(O/E) has the variance (1-φ)/(nφ), and the interval O/E·e^(±z·SE).
    - *Calibration slope*: the information of logit P(y) = a + b·logit(p) per row, I, over the distribution of
      the probabilities, and n = I₀₀/(SE²(I₀₀I₁₁ - I₀₁²)). It often needs the most rows.
    - *AUC*: Newcombe's variance A(1-A)(1 + (n/2-1)(1-A)/(2-A) + (n/2-1)A/(1+A))/(n²φ(1-φ)).
    - *Net benefit* at the threshold t, standardised, with w = (1-φ)/φ·t/(1-t): the variance
      (se(1-se)/φ + w²sp(1-sp)/(1-φ) + w²(1-sp)²/(φ(1-φ)))/n. The intervals of `curvewise.decision_curve` are of
      the net benefit itself: with ``prevalence=`` they are about as wide times φ, without it wider.

    In simulations the intervals of `curvewise.calibration` (slope) and `curvewise.interval` (AUC) were as wide as
    planned; that of O/E was about a sixth narrower, as it counts what the probabilities explain.

    The published program pmvalsampsize draws a million log odds; here integrals are exact, so that answers differ by
    its random error. Events are those expected at that prevalence. Rows with missing values come on top.

    References
    ----------
    Riley et al. (2021) Statistics in Medicine 40:4230-4251. Newcombe (2006) Statistics in Medicine 25:559-573.
    Pavlou et al. (2021) Stat. Methods Med. Res. 30:2187-2206.

    Examples
    --------
    >>> import curvewise as cw
    >>> size = cw.validation_sample_size(0.1, 0.8, threshold=0.2)
    >>> size.n, size.events
    (4196, 420)
    >>> [t.n for t in size.targets]
    [3469, 4196, 836, 1372]
    """
    z = reach(level)
    if not z:
        raise OptionError.of(
            "level", f"an interval of level {show(level)} has no width to plan for; expected a higher one."
        )
    widths = [
        real(name, width, 0, math.inf, closed=False)
        for name, width in (
            ("observed_expected_width", observed_expected_width),
            ("slope_width", slope_width),
            ("auc_width", auc_width),
            ("net_benefit_width", net_benefit_width),
        )
    ]
    ratio = real("observed_expected", observed_expected, 0, math.inf, closed=False)
    line = (real("slope", slope, 0, math.inf, closed=False), real("intercept", intercept, -math.inf, math.inf))
    predictor, derived = _distribution(prevalence, auc, linear_predictor, p, line)
    if not 0 < predictor.prevalence < 1 or (predictor.chance == 1).all():
        raise OptionError.of("slope, intercept", "these make every chance 0 or 1; expected smaller numbers.")
    phi = predictor.prevalence if prevalence is None else share("prevalence", prevalence)
    area = predictor.auc() if auc is None else share("auc", auc)
    notes = () if derived else _disagreements(predictor, phi, area)

    def target(name: str, value: float, width: float, error: float, n: float) -> PrecisionTarget:
        rows = max(math.ceil(n), 2)
        return PrecisionTarget(name, value, width, error, rows, math.ceil(rows * phi))

    logarithm = math.asinh(widths[0] / (2 * ratio)) / z
    errors = [width / (2 * z) for width in widths]
    targets = [
        target("observed_expected", ratio, widths[0], logarithm, (1 - phi) / (phi * logarithm**2)),
        target("calibration_slope", line[0], widths[1], errors[1], predictor.slope_variance() / errors[1] ** 2),
        target("roc_auc", area, widths[2], errors[2], _newcombe(area, phi, errors[2])),
    ]
    rates = _rates(predictor, threshold, sensitivity, specificity)
    if rates is not None:
        hit, clear, odds = rates
        w = (1 - phi) / phi * odds
        variance = hit * (1 - hit) / phi + w**2 * clear * (1 - clear) / (1 - phi)
        variance += w**2 * (1 - clear) ** 2 / (phi * (1 - phi))
        benefit = hit - w * (1 - clear)
        targets.append(target("standardised_net_benefit", benefit, widths[3], errors[3], variance / errors[3] ** 2))
    most = max(targets, key=lambda t: t.n)
    return ValidationSize(most.n, most.events, tuple(targets), phi, area, float(level), notes)


def _distribution(
    prevalence: float | None,
    auc: float | None,
    linear_predictor: Sequence[float] | None,
    p: object,
    line: tuple[float, float],
) -> tuple[LinearPredictor, bool]:
    """Return what the model will say, and whether it was derived from prevalence and AUC."""
    if linear_predictor is not None and p is not None:
        raise OptionError.of("p", "it stands in the place of linear_predictor; leave one of them out.")
    if p is not None:
        return of_probabilities(p, *line), False
    if linear_predictor is not None:
        pair = list(linear_predictor) if isinstance(linear_predictor, (tuple, list)) else []
        if len(pair) != 2:
            why = f"expected a pair, mean and standard deviation of the log odds, got {shown(linear_predictor)}."
            raise OptionError.of("linear_predictor", why)
        mean = real("linear_predictor", pair[0], -math.inf, math.inf)
        return of_normal(mean, real("linear_predictor", pair[1], 0, math.inf, closed=False), *line), False
    for name, value in (("prevalence", prevalence), ("auc", auc)):
        if value is None:
            raise OptionError.of(name, "expected a number, since neither linear_predictor nor p is given.")
    phi, area = share("prevalence", prevalence or 0.0), real("auc", auc, 0.5, 1, closed=False)
    return of_auc(area, phi, *line), True


def _rates(
    predictor: LinearPredictor, threshold: float | None, sensitivity: float | None, specificity: float | None
) -> tuple[float, float, float] | None:
    """Return sensitivity, specificity and odds at the threshold; None where there is no threshold."""
    rates = {"sensitivity": sensitivity, "specificity": specificity}
    stated = {name: real(name, value, 0, 1) for name, value in rates.items() if value is not None}
    if threshold is None:
        if stated:
            raise OptionError.of(next(iter(stated)), "it needs the threshold of the net benefit, too.")
        return None
    cut = share("threshold", threshold)
    if len(stated) == 1:
        raise OptionError.of(next(iter(stated)), "expected sensitivity and specificity both, or neither.")
    hit, clear = tuple(stated.values()) or predictor.rates(cut)
    return hit, clear, cut / (1 - cut)


def _disagreements(predictor: LinearPredictor, prevalence: float, auc: float) -> tuple[Note, ...]:
    """Return notes where what was stated does not follow from the probabilities."""
    notes: tuple[Note, ...] = ()
    if abs(predictor.prevalence - prevalence) > FAR * prevalence:
        notes += (note("implied_prevalence", implied=predictor.prevalence, stated=prevalence),)
    if abs((implied := predictor.auc()) - auc) > FAR_AUC:  # mutants: rounding
        notes += (note("implied_auc", implied=implied, stated=auc),)
    return notes


def _newcombe(auc: float, prevalence: float, error: float) -> int:
    """Return the fewest rows for which Newcombe's standard error of an AUC is this small."""

    def enough(n: int) -> bool:
        half = n / 2 - 1
        between = 1 + half * (1 - auc) / (2 - auc) + half * auc / (1 + auc)
        return auc * (1 - auc) * between / (n**2 * prevalence * (1 - prevalence)) <= error**2

    return fewest(enough, 2)


# ---- What a model will say to the rows of a study: the distribution of its log odds ----

POINTS, REACH = 20_001, 9.0  # of a normal distribution: more would not change the eighth digit


@dataclass(frozen=True)
class LinearPredictor:
    """Log odds that a model states, rising, with their shares; and the chance of a positive at each."""

    value: Floats
    share: Floats
    chance: Floats

    @property
    def prevalence(self) -> float:
        """The share of positives that the chances add up to."""
        return float(self.share @ self.chance)

    def auc(self) -> float:
        """Return the AUC of the log odds, ties half."""
        value, at = np.unique(self.value, return_inverse=True)
        hit = np.bincount(at, self.share * self.chance, len(value))
        miss = np.bincount(at, self.share * (1 - self.chance), len(value))
        outranked = np.cumsum(miss) - miss / 2
        return float(hit @ outranked / (hit.sum() * miss.sum()))

    def rates(self, threshold: float) -> tuple[float, float]:
        """Return sensitivity and specificity where rows of this probability or more are flagged."""
        flagged = self.value >= math.log(threshold / (1 - threshold))
        hit, miss = self.share * self.chance, self.share * (1 - self.chance)
        return float(hit[flagged].sum() / hit.sum()), float(miss[~flagged].sum() / miss.sum())

    def slope_variance(self) -> float:
        """Return the variance of a calibration slope, times the number of rows: from the information matrix."""
        weight = self.share * self.chance * (1 - self.chance)
        total = float(weight.sum())
        information = float(weight @ (self.value - float(weight @ self.value) / total) ** 2) if total else 0.0
        if not information:
            raise UndefinedMetricError("No number of rows tells a calibration slope: every chance is 0 or 1.")
        return 1 / information


def of_normal(mean: float, deviation: float, slope: float, intercept: float) -> LinearPredictor:
    """Return normal log odds."""
    at = np.linspace(-REACH, REACH, POINTS)
    share = np.exp(-(at**2) / 2)
    value = mean + deviation * at
    return LinearPredictor(value, share / share.sum(), _expit(intercept + slope * value))


def of_probabilities(p: object, slope: float, intercept: float) -> LinearPredictor:
    """Return the log odds of the probabilities of a pilot."""
    stated = np.sort(probabilities(p))
    certain = int(np.count_nonzero((stated == 0) | (stated == 1)))
    if certain:
        raise OptionError.of(
            "p",
            f"expected probabilities between 0 and 1, got {count(certain, 'row')} of exactly 0 or 1, whose log odds "
            "are infinite; leave them out.",
        )
    if stated[0] == stated[-1]:
        raise OptionError.of("p", f"expected different probabilities, got {stated[0]:g} alone: it has no slope.")
    value = log_odds(stated)
    return LinearPredictor(value, np.full(len(value), 1 / len(value)), _expit(intercept + slope * value))


def of_auc(auc: float, prevalence: float, slope: float, intercept: float) -> LinearPredictor:
    """Return log odds that are normal in each class with equal spread, of this AUC and prevalence.

    With variance v = 2Φ⁻¹(A)² in both classes and means logit(π) ± v/2, the log odds are right; a model of
    another slope or intercept states (log odds - intercept)/slope.
    """
    deviation = math.sqrt(2) * NORMAL.inv_cdf(auc)
    middle, half = math.log(prevalence / (1 - prevalence)), deviation**2 / 2
    right = np.linspace(middle - half - REACH * deviation, middle + half + REACH * deviation, POINTS)
    miss, hit = (np.exp(-(((right - middle + s * half) / deviation) ** 2) / 2) for s in (1, -1))
    share = (1 - prevalence) * miss + prevalence * hit
    return LinearPredictor((right - intercept) / slope, share / share.sum(), _expit(right))


def _expit(x: Floats) -> Floats:
    from scipy.special import expit  # noqa: PLC0415 - slow to load

    return np.asarray(expit(x))
