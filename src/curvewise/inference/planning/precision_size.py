"""How many rows make an interval as narrow as it must be."""

from __future__ import annotations

import math

from curvewise.inference.binormal_variance import auc_variance
from curvewise.inference.limits import expit
from curvewise.inference.planning.power import fewest, reach, share
from curvewise.rows.checks import real


def rate_sample_size(rate: float, *, half_width: float, level: float = 0.95) -> int:
    """Return how many rows of one class give a sensitivity or specificity an interval this narrow.

    Parameters
    ----------
    rate, half_width, level
        The sensitivity or specificity expected; half the width of its Wilson interval; and its level.

    Notes
    -----
    Rows of the class in question: positives for a sensitivity, negatives for a specificity. Divide by
    the prevalence (or its complement) for how many rows to draw in all.

    Examples
    --------
    >>> import curvewise as cw
    >>> cw.rate_sample_size(0.9, half_width=0.05)
    141
    """
    p, half = share("rate", rate), real("half_width", half_width, 0, 0.5, closed=False)
    z = reach(level)
    return fewest(lambda n: z / (n + z * z) * math.sqrt(n * p * (1 - p) + z * z / 4) <= half, 1)


def auc_sample_size(auc: float, *, half_width: float, ratio: float = 1, level: float = 0.95) -> tuple[int, int]:
    """Return how many cases and controls give an AUC an interval this narrow.

    Parameters
    ----------
    auc, half_width, level
        The AUC expected; half the width of its interval, (high - low)/2; and the interval's level.
    ratio
        Controls for each case, rounded up: (1 - π)/π where rows are drawn at a prevalence of π.

    Notes
    -----
    The width is that of logit(A) ± z·√V/(A(1-A)), turned back; the interval of `curvewise.interval` is a little wider
    for few rows, up to a tenth near AUC 0.95. V is the
    variance of an AUC of normal scores, as in `curvewise.power`. The width is what an average study will
    have; half of them have a wider interval. Below about 20 of a class the interval of `curvewise.interval` is
    wider, as it also allows for a variance that is itself uncertain.

    Examples
    --------
    >>> import curvewise as cw
    >>> cw.auc_sample_size(0.85, half_width=0.05)
    (111, 111)
    >>> cw.auc_sample_size(0.85, half_width=0.05, ratio=9)
    (61, 549)
    """
    area, half = share("auc", auc), real("half_width", half_width, 0, 0.5, closed=False)
    ratio = real("ratio", ratio, 0, math.inf, closed=False)
    z, centre, scale = reach(level), math.log(area / (1 - area)), area * (1 - area)

    def enough(cases: int) -> bool:
        away = z * math.sqrt(auc_variance(area, cases, cases * ratio)) / scale
        return expit(centre + away) - expit(centre - away) <= 2 * half

    cases = fewest(enough, max(2, math.ceil(2 / ratio)))
    return cases, math.ceil(cases * ratio)
