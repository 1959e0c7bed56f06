"""d′ and its kin: how well one yes-or-no observer tells signal from noise, and where the criterion lies."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from html import escape
from typing import Any, Literal

from curvewise.errors import CurvewiseError, UndefinedMetricError
from curvewise.results.numbers import json_safe, show
from curvewise.rows.checks import one_of, real

Correction = Literal["log-linear", "none"]


@dataclass(frozen=True)
class DPrime:
    """d′, and what else a hit rate and a false alarm rate tell; ``float()`` gives d′.

    Attributes
    ----------
    d_prime
        z(hit rate) - z(false alarm rate): how many standard deviations lie between signal and noise.
    auc
        The area under the curve of this d′: Φ(d′/√2).
    criterion, beta
        c = -(z(H) + z(F))/2, above 0 where "yes" is said seldom; β, the likelihood ratio at the criterion.
    a_prime
        A′ (Grier), from the rates as they were counted; NaN where both are 0 or both are 1.
    hit_rate, false_alarm_rate
        As they were counted.
    correction
        ``"log-linear"`` if d′, c and β come from (hits + ½)/(n + 1), else ``"none"``.

    Where d′ was made from an AUC, the last six are None, None, None, None, None and ``"none"``.
    """

    d_prime: float
    auc: float
    criterion: float | None = None
    beta: float | None = None
    a_prime: float | None = None
    hit_rate: float | None = None
    false_alarm_rate: float | None = None
    correction: Correction = "none"

    def __float__(self) -> float:
        return self.d_prime

    def to_dict(self) -> dict[str, Any]:
        """Return all fields, JSON-safe."""
        return {k: json_safe(v) for k, v in asdict(self).items()}

    def __str__(self) -> str:
        text = f"d′ {show(self.d_prime)}, AUC {show(self.auc)}"
        if self.criterion is None:
            return text
        return (
            f"{text}, criterion {show(self.criterion)}, β {show(self.beta)}, A′ {show(self.a_prime)}; hit "
            f"rate {show(self.hit_rate)}, false alarm rate {show(self.false_alarm_rate)}"
            f"{'' if self.correction == 'none' else ' (log-linear correction)'}"
        )

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def d_prime(
    *,
    auc: float | None = None,
    hits: float | None = None,
    misses: float | None = None,
    false_alarms: float | None = None,
    correct_rejections: float | None = None,
    correction: Correction = "log-linear",
) -> DPrime:
    """Return d′ from an AUC, or from the four counts of a yes-or-no task.

    Parameters
    ----------
    auc
        An area strictly between 0 and 1, alone: d′ = √2·Φ⁻¹(AUC), for equal variances.
    hits, misses, false_alarms, correct_rejections
        Counts: all four, without ``auc``.
    correction
        ``"log-linear"`` (default): each rate is (count + ½)/(trials + 1), always, not only where a rate is
        0 or 1 (Hautus). ``"none"``: plain rates; 0 and 1 are then refused, since d′ is infinite.

    Returns
    -------
    DPrime

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
    counts = {
        "hits": hits,
        "misses": misses,
        "false_alarms": false_alarms,
        "correct_rejections": correct_rejections,
    }
    given = [name for name, value in counts.items() if value is not None]
    if auc is not None and not given:
        return _from_auc(auc)
    if auc is not None or len(given) < 4:
        raise CurvewiseError(
            f"d_prime: expected auc alone, or {', '.join(counts)}; got "
            f"{', '.join(['auc'] * (auc is not None) + given) or 'nothing'}."
        )
    h, m, f, r = (real(name, value, 0, math.inf) for name, value in counts.items())
    if h + m == 0 or f + r == 0:
        absent = "signal (hits + misses)" if h + m == 0 else "noise (false alarms + correct rejections)"
        raise UndefinedMetricError(f"d′ needs trials of both kinds: there is no trial with {absent}.")
    half = 0.5 if correction == "log-linear" else 0.0
    z_hit, z_alarm = (_deviate((k + half) / (n + 2 * half)) for k, n in ((h, h + m), (f, f + r)))
    prime, criterion = z_hit - z_alarm, -(z_hit + z_alarm) / 2
    hit, alarm = h / (h + m), f / (f + r)
    return DPrime(
        prime,
        _area(prime),
        criterion,
        math.exp(prime * criterion),
        _a_prime(hit, alarm),
        hit,
        alarm,
        correction,
    )


def _from_auc(auc: float) -> DPrime:
    area = real("auc", auc, 0, 1)
    return DPrime(math.sqrt(2) * _deviate(area, "auc"), area)


def _deviate(share: float, name: str = "a rate") -> float:
    from scipy.special import ndtri  # noqa: PLC0415 - slow to load

    if share in (0, 1):
        raise UndefinedMetricError(f"d′ is infinite: {name} is exactly {share:g}.")
    return float(ndtri(share))


def _area(prime: float) -> float:
    from scipy.special import ndtr  # noqa: PLC0415 - slow to load

    return float(ndtr(prime / math.sqrt(2)))


def _a_prime(hit: float, alarm: float) -> float:
    if hit == alarm and hit in (0, 1):
        return math.nan
    away = abs(hit - alarm)
    below = 4 * (max(hit, alarm) - hit * alarm)
    return 0.5 + math.copysign(away * (1 + away) / below, hit - alarm)
