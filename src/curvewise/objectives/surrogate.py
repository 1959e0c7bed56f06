"""A smooth AUC, of part of the curve or of the whole, with its gradient by the scores."""

from __future__ import annotations

import numpy as np

from curvewise.core.sweep import sweep_of
from curvewise.errors import ColumnName, CurvewiseError
from curvewise.objectives.region import TEMPERATURE, Objective, Region, Share
from curvewise.rows.checks import one_of
from curvewise.rows.columns import as_column, count, row_numbers
from curvewise.rows.reading import as_rows, rows_within
from curvewise.rows.rows import HigherIs, Rows

LARGEST = 1e300  # differences of such scores still fit in float64


def partial_auc(
    y: object,
    score: object = None,
    *,
    fpr: Share = 0.05,
    tpr: Share | None = None,
    temperature: float = TEMPERATURE,
    spread: float | None = None,
    weight: object = None,
    positive: object = None,
    higher_is: HigherIs = "positive",
) -> Objective:
    """Return a smooth partial AUC and its gradient: what to make large in training.

    Parameters
    ----------
    y, score
        Labels and scores, or `Rows` alone.
    fpr
        The highest false positive rate that matters, or a range (low, high): which negatives count, ranked from the
        highest score. 0.05: the highest 5% of them.
    tpr
        The lowest true positive rate that matters, or a range: which positives count. 0.8: the lowest 20% of them.
        With ``fpr`` this is the two-way partial AUC. None: all positives.
    temperature
        How smooth: pairs whose scores differ by less than τ = temperature × spread count in part.
    spread
        None: the standard deviation of the scores, both classes weighing the same, so that neither the scale of the
        scores nor prevalence matters. A number takes its place; τ is then a constant.
    weight, positive, higher_is
        As in `curvewise.sweep`.

    Returns
    -------
    Objective
        ``value``, from 0 to 1, and ``gradient``, one number per row (0 for a row of weight 0).

    Raises
    ------
    UndefinedMetricError
        If a class is absent, or all scores are equal and no ``spread`` is given.

    Notes
    -----
    V = Σᵢ Σⱼ uᵢ vⱼ S((sᵢ − sⱼ)/τ) over positives i and negatives j, with weights u and v that add up to 1 and are 0
    beyond the ranges; the row at an end counts in part, and equal scores are one block. S(x) = 1 − (2 + x)e⁻ˣ/4 for
    x ≥ 0, and 1 − S(−x) below: a sigmoid within 0.017 of the logistic one. It is bounded, so that one far outlier
    counts no more than any other row. With all rows, V is the expected AUC of scores to which independent Laplace noise
    of scale τ is added. As the temperature goes to 0, V goes to `curvewise.partial_roc_auc` with ``scale="mean"``,
    unless the end of a range cuts a block of equal scores that holds both classes.

    Exact, in O(n log n): no pair is visited, and none is left out. The gradient is that of V as it stands, the
    dependence of τ on the scores included. Which rows are in a range changes only where two scores are equal; V is
    continuous there, and has a kink if the end of the range lies between the two.

    References
    ----------
    Dodd & Pepe (2003) Biometrics 59:614-623 (partial AUC over pairs). Narasimhan & Agarwal (2013) ICML 28:516-524
    (training for it). Yang et al. (2019) Statistics in Medicine 38:4243-4258 (two-way).

    Examples
    --------
    >>> import curvewise as cw
    >>> y, score = [0, 0, 0, 0, 1, 1, 1], [1, 2, 3, 6, 4, 5, 7]
    >>> value, gradient = cw.objectives.partial_auc(y, score, fpr=0.25, temperature=0.5)
    >>> round(value, 4), gradient.round(3).tolist()
    (0.3775, [-0.007, -0.005, -0.003, -0.153, 0.033, 0.064, 0.07])
    >>> round(cw.objectives.partial_auc(y, score, fpr=0.25, temperature=1e-6).value, 6)
    0.333333
    >>> cw.partial_roc_auc(y, score, fpr=(0, 0.25), scale="mean")
    0.3333333333333333
    """
    region = Region.read(fpr, tpr, temperature, spread)
    one_of("higher_is", higher_is, ("positive", "negative"))
    options = {"weight": weight, "positive": positive, "higher_is": None if higher_is == "positive" else higher_is}
    rows = as_rows(y, score, {k: v for k, v in options.items() if v is not None})
    of_rows = objective(rows, region)
    if rows.kept is None or isinstance(rows_within(y), Rows):
        return of_rows
    every = np.zeros(len(as_column(score, "score")))  # rows of weight 0 were left out
    every[rows.kept] = of_rows.gradient
    return Objective(of_rows.value, every)


def auc(
    y: object,
    score: object = None,
    *,
    temperature: float = TEMPERATURE,
    spread: float | None = None,
    weight: object = None,
    positive: object = None,
    higher_is: HigherIs = "positive",
) -> Objective:
    """Return a smooth AUC and its gradient: `partial_auc` over the whole curve, with its other options.

    Examples
    --------
    >>> import curvewise as cw
    >>> value, gradient = cw.objectives.auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> round(value, 4)
    0.784
    """
    return partial_auc(
        y,
        score,
        fpr=1.0,
        temperature=temperature,
        spread=spread,
        weight=weight,
        positive=positive,
        higher_is=higher_is,
    )


def objective(rows: Rows, region: Region) -> Objective:
    """Return the objective of rows that were read, with the gradient by their scores."""
    if rows.positive.all() or not rows.positive.any():
        sweep_of(rows).need_both_classes("A partial AUC")
    score = rows.score.astype(np.float64)
    extreme = np.abs(score) > LARGEST
    if extreme.any():
        raise CurvewiseError(
            "{column}: expected finite numbers, got {found} ({rows}).",
            column=ColumnName("score"),
            found=count(int(extreme.sum()), "infinite or extreme value"),
            rows=row_numbers(extreme, rows.kept),
        )
    weight = np.ones(len(rows)) if rows.weight is None else rows.weight.astype(np.float64)
    if rows.higher_is == "positive":
        return region.at(rows.positive, score, weight)
    turned = region.at(rows.positive, -score, weight)
    return Objective(turned.value, -turned.gradient)
