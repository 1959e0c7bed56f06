"""How many rows a guaranteed limit needs, so that little is lost by being certain."""

from __future__ import annotations

import numpy as np

from curvewise.decisions.choice import Rule
from curvewise.decisions.guarantee import needed_rows
from curvewise.errors import OptionError
from curvewise.inference.binormal_variance import NORMAL
from curvewise.inference.planning.power import fewest, share
from curvewise.rows.columns import shown

QUANTILES = 500  # over which the rate at a guaranteed threshold is averaged


def guarantee_sample_size(rule: Rule, *, auc: float, loss: float) -> int:
    """Return how many rows of one class guarantee a limit at a stated loss.

    Parameters
    ----------
    rule
        `rules.max_fpr` or `rules.min_specificity` with a ``confidence``, which need negatives, or `rules.min_recall`,
        which needs positives.
    auc
        The AUC that the model is expected to have.
    loss
        The recall (for a guaranteed recall: the specificity) that may be lost on average, against the threshold that
        has exactly the limit in the population, such as 0.05.

    Notes
    -----
    Scores are taken to be normal in each class with equal spread. The guaranteed threshold lies next to an order
    statistic of the scores of one class, so that its true rate has a Beta(k + 1, n - k) distribution where k errors are
    allowed among n rows. The answer is the smallest n that allows the k with which the mean loss is small enough.

    Examples
    --------
    >>> import curvewise as cw
    >>> rule = cw.rules.max_fpr(0.05, confidence=0.95)
    >>> [cw.guarantee_sample_size(rule, auc=0.85, loss=loss) for loss in (0.2, 0.1, 0.05)]
    [93, 234, 832]
    """
    from scipy.special import betaincinv, ndtr, ndtri  # noqa: PLC0415 - slow to load

    if not isinstance(rule, Rule) or rule.confidence is None or len(rule.limits) != 1:
        raise OptionError.of(
            "rule", f"expected a limit with a confidence, as in max_fpr(0.05, confidence=0.95), got {shown(rule)}."
        )
    limit, risk = rule.limits[0], 1 - rule.confidence
    if limit.metric not in ("fpr", "specificity", "recall"):
        raise OptionError.of("rule", f"expected a limit of FPR, specificity or recall, got {rule!r}.")
    errors = limit.bound if limit.at_most else 1 - limit.bound
    apart, most = 2**0.5 * NORMAL.inv_cdf(share("auc", auc)), share("loss", loss)
    middle = (np.arange(QUANTILES) + 0.5) / QUANTILES

    def lost(allowed: int) -> float:
        rate = betaincinv(allowed + 1, needed_rows(errors, risk, allowed) - allowed, middle)
        return float(ndtr(apart + ndtri(errors)) - ndtr(apart + ndtri(rate)).mean())

    return needed_rows(errors, risk, fewest(lambda number: lost(number - 1) <= most, 1) - 1)
