"""d′ and its kin: how well one yes-or-no observer tells signal from noise, and where the criterion lies."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Literal, Unpack

from scipy.special import ndtri

from curvewise.core.sweep import Sweep, as_source, sweep_of
from curvewise.errors import CurvewiseError, UndefinedMetricError
from curvewise.inference.interval import interval_of
from curvewise.metric.registry import bound
from curvewise.results.estimate import Estimate
from curvewise.results.numbers import show
from curvewise.results.result import Result, Table
from curvewise.rows.checks import one_of, real
from curvewise.signal_detection.smooth_roc import BinormalRoc

if TYPE_CHECKING:
    from curvewise.rows.rows import RowOptions, Rows

Correction = Literal["log-linear", "none"]
COUNTS = ("hits", "misses", "false_alarms", "correct_rejections")


@dataclass(frozen=True, repr=False)
class DPrime(Result, schema="d_prime"):
    """d′, and what else a hit rate and a false alarm rate tell; ``float()`` gives d′.

    The formulas are those of `curvewise.d_prime`. d′ is how many standard deviations lie between signal and
    noise, ``auc`` the area under its curve, Φ(d′/√2). ``criterion`` is above 0 where "yes" is said seldom;
    ``beta`` is the likelihood ratio there. ``a_prime`` (Grier), ``hit_rate`` and ``false_alarm_rate`` are as
    they were counted (A′ is NaN where both are 0 or both are 1); ``correction`` says whether the others come
    from (hits + ½)/(n + 1). Where d′ was made from an AUC, those from ``criterion`` to ``false_alarm_rate``
    are None; ``estimate`` is d′ with its interval, where that was the AUC of rows.
    """

    d_prime: float
    auc: float
    criterion: float | None = None
    beta: float | None = None
    a_prime: float | None = None
    hit_rate: float | None = None
    false_alarm_rate: float | None = None
    correction: Correction = "none"
    estimate: Estimate | None = None

    def __float__(self) -> float:
        return self.d_prime

    @property
    def table(self) -> Table:
        """One row per number that was made."""
        names = [f.name for f in fields(self) if isinstance(getattr(self, f.name), float)]
        return Table("", {"name": names, "value": [getattr(self, name) for name in names]})

    def __str__(self) -> str:
        text = f"d′ {show(self.d_prime)}, AUC {show(self.auc)}"
        if self.criterion is None:
            return text
        text += f", criterion {show(self.criterion)}, β {show(self.beta)}, A′ {show(self.a_prime)}"
        rates = f"hit rate {show(self.hit_rate)}, false alarm rate {show(self.false_alarm_rate)}"
        return f"{text}; {rates}{'' if self.correction == 'none' else ' (log-linear correction)'}"


def d_prime(
    y: object = None,
    score: object = None,
    threshold: float | None = None,
    *,
    auc: float | None = None,
    hits: float | None = None,
    misses: float | None = None,
    false_alarms: float | None = None,
    correct_rejections: float | None = None,
    correction: Correction = "log-linear",
    level: float = 0.95,
    **rows: Unpack[RowOptions],
) -> DPrime:
    """Return d′ from rows, from an AUC, or from the four counts of a yes-or-no task.

    Parameters
    ----------
    y, score
        A `Sweep` or `Rows` alone, or labels and scores with the options of `curvewise.sweep`.
    threshold
        Where scores are cut to yes and no. Without one, d′ comes from the AUC, with an interval.
    auc
        An area strictly between 0 and 1, alone: d′ = √2·Φ⁻¹(AUC), for equal variances.
    hits, misses, false_alarms, correct_rejections
        Counts: all four, without ``auc``.
    correction
        ``"log-linear"`` (default): each rate is (count + ½)/(trials + 1), always, not only where a rate is
        0 or 1 (Hautus). ``"none"``: plain rates; 0 and 1 are then refused, since d′ is infinite.
    level
        The confidence level of the interval of d′ from rows.

    Raises
    ------
    UndefinedMetricError
        If d′ is infinite, or a class has no trial.

    Notes
    -----
    d′ = z(H) - z(F), c = -(z(H) + z(F))/2, β = exp(d′·c), with z = Φ⁻¹. A′ = ½ + (H-F)(1+H-F)/(4H(1-F)) for
    H ≥ F, mirrored otherwise. One pair of rates cannot show whether variances are equal: `curvewise.binormal`
    can, from ratings or scores.

    References
    ----------
    Green & Swets (1966). Hautus (1995) Behav. Res. Methods Instrum. Comput. 27:46-51. Grier (1971) Psychol.
    Bull. 75:424-429. Stanislaw & Todorov (1999) Behav. Res. Methods Instrum. Comput. 31:137-149.

    Examples
    --------
    >>> import curvewise as cw
    >>> round(float(cw.d_prime(auc=0.9)), 7)
    1.8123876
    >>> cw.d_prime(hits=20, misses=5, false_alarms=10, correct_rejections=15)
    d′ 1.0445, AUC 0.7699, criterion −0.2788, β 0.7473, A′ 0.7917; hit rate 0.8000, false alarm rate
    0.4000 (log-linear correction)
    """
    one_of("correction", correction, ("log-linear", "none"))
    counts = dict(zip(COUNTS, (hits, misses, false_alarms, correct_rejections), strict=True))
    given = [name for name, value in counts.items() if value is not None]
    if y is not None:
        if auc is not None or given:
            raise CurvewiseError(f"d_prime: rows were given, so leave out {', '.join(given or ['auc'])}.")
        source = as_source(y, score, rows)
        if threshold is None:
            return _of_rows(source, level)
        c = (source if isinstance(source, Sweep) else sweep_of(source)).at(threshold)
        counts, given = dict(zip(COUNTS, (c.tp, c.fn, c.fp, c.tn), strict=True)), list(COUNTS)
    if auc is not None and not given:
        area = real("auc", auc, 0, 1)
        return DPrime(math.sqrt(2) * _deviate(area, "auc"), area)
    if auc is not None or len(given) < 4:
        got = ", ".join(["auc"] * (auc is not None) + given) or "nothing"
        raise CurvewiseError(f"d_prime: expected auc alone, or {', '.join(COUNTS)}; got {got}.")
    h, m, f, r = (real(name, value, 0, math.inf) for name, value in counts.items())
    if h + m == 0 or f + r == 0:
        absent = "signal (hits + misses)" if h + m == 0 else "noise (false alarms + correct rejections)"
        raise UndefinedMetricError(f"d′ needs trials of both kinds: there is no trial with {absent}.")
    half = 0.5 if correction == "log-linear" else 0.0
    z_hit, z_alarm = (_deviate((k + half) / (n + 2 * half)) for k, n in ((h, h + m), (f, f + r)))
    prime, criterion = z_hit - z_alarm, -(z_hit + z_alarm) / 2
    hit, alarm = h / (h + m), f / (f + r)
    auc, beta = BinormalRoc(prime).auc, math.exp(prime * criterion)
    return DPrime(prime, auc, criterion, beta, _a_prime(hit, alarm), hit, alarm, correction)


def _of_rows(source: Sweep | Rows, level: float) -> DPrime:
    """Return d′ of the AUC of rows, with the AUC's interval on the scale of d′."""
    area = interval_of(bound("roc_auc"), source, level=level)
    prime = math.sqrt(2) * _deviate(area.value, "auc")
    low, high = (math.sqrt(2) * float(ndtri(end)) for end in (area.low, area.high))  # infinite at 0 and 1
    number = Estimate("d_prime", prime, low, high, level, area.method, notes=area.notes)
    return DPrime(prime, area.value, estimate=number)


def _deviate(share: float, name: str = "a rate") -> float:
    if share in (0, 1):
        raise UndefinedMetricError(f"d′ is infinite: {name} is exactly {share:g}.")
    return float(ndtri(share))


def _a_prime(hit: float, alarm: float) -> float:
    if hit == alarm and hit in (0, 1):
        return math.nan
    away, below = abs(hit - alarm), 4 * (max(hit, alarm) - hit * alarm)
    return 0.5 + math.copysign(away * (1 + away) / below, hit - alarm)
