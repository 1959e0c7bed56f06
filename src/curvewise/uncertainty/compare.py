"""Whether one model is better than another, and how sure that is."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise import kernel
from curvewise._errors import CurvewiseError
from curvewise._paired import Paired, paired
from curvewise._validate import one_of, real, whole
from curvewise.uncertainty.comparison import Comparison, Pair
from curvewise.uncertainty.delong import Placements
from curvewise.uncertainty.estimate import Estimate
from curvewise.uncertainty.known import Known, known
from curvewise.uncertainty.resample import replicate_paired, resample_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from curvewise._sweep import Sweep

    Floats = NDArray[np.float64]

READING = ("weight", "positive", "higher_is", "missing")


def compare(
    y: object,
    scores: Mapping[str, object],
    *,
    metric: str | Callable[[Sweep], float] = "roc_auc",
    method: str | None = None,
    cluster: object = None,
    level: float = 0.95,
    margin: float | None = None,
    against: float | None = None,
    rng: np.random.Generator | int | None = None,
    replicates: int = 2000,
    **options: Any,
) -> Comparison:
    """Compare models that scored the same rows, or different rows.

    Parameters
    ----------
    y
        Labels of rows that all models scored (paired). Or a dict of labels by model, for models that
        scored different rows (unpaired).
    scores
        Scores by the name of the model: two or more, or one against a fixed value.
    metric
        As in `curvewise.interval`: a name, or a function of a `Sweep`. Higher is better is not assumed.
    method
        ``"delong"`` (AUC, the default) or ``"bootstrap"`` (anything; rows are resampled for all
        models together).
    cluster
        One label a row: rows of one cluster may depend on each other.
    level
        The confidence level of the differences' intervals.
    margin
        A difference too small to matter: adds tests of non-inferiority (of the first to the second)
        and of equivalence.
    against
        A fixed value that the models are compared with as if it were one more, called "value". For the AUC of
        one model it is 0.5 unless said otherwise.
    rng, replicates
        Seed and number of the bootstrap's resamples.
    **options
        Options of the metric, and ``weight=``, ``positive=``, ``higher_is=``, ``missing=``.

    Returns
    -------
    Comparison
        ``difference`` (first minus second), ``statistic``, ``p_value``; for three models or more a
        test that all are equal; all pairs with Holm's correction in ``table``.

    Notes
    -----
    The variance of a difference of AUCs is that of the per-row differences of placements, so two equal
    models have z = 0 and p = 1. An interval excludes 0 exactly when p < 1 - level. A test on rows that
    the models were fitted on is not valid, whatever its p-value.

    References
    ----------
    DeLong, DeLong & Clarke-Pearson (1988) Biometrics 44:837-845. Obuchowski (1997) Biometrics
    53:567-578. Holm (1979) Scand. J. Statist. 6:65-70.

    Examples
    --------
    >>> import curvewise as cw
    >>> y = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> a, b = [9, 8, 7, 3, 6, 5, 2, 1], [9, 4, 3, 2, 8, 7, 6, 1]
    >>> c = cw.compare(y, {"a": a, "b": b})
    >>> c.difference.value, round(c.p_value, 4)
    (0.4375, 0.0738)
    """
    level = real("level", level, 0, 1, closed=False)
    margin = None if margin is None else real("margin", margin, 0, math.inf)
    reading = {k: options.pop(k) for k in READING if k in options}
    target = known(metric, options)
    if not hasattr(scores, "items") or not len(scores):
        raise CurvewiseError('scores: expected a dict of models, as in {"a": scores_a, "b": scores_b}.')
    own = ("delong",) if metric == "roc_auc" else ()
    if against is None and len(scores) == 1:
        if not own:
            raise CurvewiseError(
                "scores: expected two models or more; one model needs against=, a fixed value."
            )
        against = 0.5
    against = None if against is None else real("against", against, -math.inf, math.inf)
    one_of("method", method, (None, *own, "bootstrap"))
    by_delong = bool(own) and method != "bootstrap"
    tables = _tables(y, scores, cluster, reading)
    found: _Delong | _Bootstrap
    if by_delong:
        found = _Delong(tables, level, against)
    else:
        found = _Bootstrap(tables, target, level, whole("replicates", replicates, 2), rng, against)
    names = [str(name) for name in scores] + ([] if against is None else ["value"])
    pairs = _holm([found.pair(i, j, names, margin) for i, j in combinations(range(len(names)), 2)])
    values = dict(zip(names, found.values, strict=True))
    return Comparison(target.name, found.method, values, pairs, found.omnibus(), found.notes)


def _tables(
    y: object, scores: Mapping[str, object], cluster: object, reading: dict[str, Any]
) -> list[Paired]:
    """Return one table of all models, or one a model where each has labels of its own."""
    if not isinstance(y, dict):
        return [paired(y, scores, cluster=cluster, **reading)]
    if set(map(str, y)) != set(map(str, scores)):
        raise CurvewiseError(
            f"y and scores: expected labels for each model, got labels for {sorted(map(str, y))} "
            f"and scores for {sorted(map(str, scores))}."
        )
    own = {**dict.fromkeys(y), **(cluster if isinstance(cluster, dict) else {})}
    if cluster is not None and not isinstance(cluster, dict):
        raise CurvewiseError("cluster: models on different rows need a dict of clusters, one a model.")
    if reading.get("weight") is not None:
        raise CurvewiseError(
            "weight: models on different rows cannot share weights; compare them unweighted."
        )
    return [paired(y[name], {name: scores[name]}, cluster=own[name], **reading) for name in scores]


class _Delong:
    """AUCs compared by the variance of their placements."""

    method = "delong"

    def __init__(self, tables: list[Paired], level: float, against: float | None) -> None:
        self.level = level
        self.notes: tuple[str, ...] = ()
        for t in tables:
            t.sweep(next(iter(t.scores))).need_both_classes("A comparison of AUCs")
        self.placed = [
            Placements(
                np.stack(
                    [
                        kernel.placements(s, t.positive, t.weight, falling=t.higher_is == "positive")
                        for s in t.scores.values()
                    ]
                ),
                t.positive,
                t.weight,
                t.cluster,
            )
            for t in tables
        ]
        if against is not None:  # a model that places every row there has that AUC, and no variance
            if len(tables) > 1:
                raise CurvewiseError("against: expected models on the same rows.")
            flat = np.full((1, len(tables[0].positive)), against)
            self.placed = [replace(p, value=np.concatenate([p.value, flat])) for p in self.placed]
        self.values = [float(v) for p in self.placed for v in p.auc()]

    def _variance(self, i: int, j: int) -> tuple[float, float | None]:
        """Return the variance of a difference, and Welch's degrees of freedom for different rows."""
        if len(self.placed) == 1:
            whole_table = self.placed[0]
            apart = whole_table.value[i] - whole_table.value[j]
            return float(replace(whole_table, value=apart[None]).covariance()[0, 0]), None
        one, two = (float(self.placed[k].covariance()[0, 0]) for k in (i, j))
        rows = [len(self.placed[k].positive) - 1 for k in (i, j)]
        below = one**2 / rows[0] + two**2 / rows[1]
        return one + two, (one + two) ** 2 / below if below else None

    def pair(self, i: int, j: int, names: list[str], margin: float | None) -> Pair:
        """Test one difference."""
        from scipy.special import ndtr, ndtri, stdtr, stdtrit  # noqa: PLC0415 - slow to load

        away = self.values[i] - self.values[j]
        variance, degrees = self._variance(i, j)
        error = math.sqrt(max(variance, 0.0))
        below = ndtr if degrees is None else lambda x: stdtr(degrees, x)
        reach = float(
            ndtri((1 + self.level) / 2) if degrees is None else stdtrit(degrees, (1 + self.level) / 2)
        )

        def z(from_value: float) -> float:
            gap = away - from_value
            return gap / error if error else math.copysign(math.inf, gap) if gap else 0.0

        at_zero = z(0)
        low, high = away - reach * error, away + reach * error
        worse, better = (
            (None, None) if margin is None else (float(below(-z(-margin))), float(below(z(margin))))
        )
        return Pair(
            names[i],
            names[j],
            Estimate("difference of roc_auc", away, low, high, self.level, self.method, error),
            at_zero,
            2 * float(below(-abs(at_zero))),
            math.nan,
            degrees,
            worse,
            None if worse is None or better is None else max(worse, better),
        )

    def omnibus(self) -> tuple[float, float, float] | None:
        """Test that three models or more are all equal."""
        k = len(self.values)
        if k < 3 or len(self.placed) > 1:
            return None
        from scipy.special import chdtrc  # noqa: PLC0415 - slow to load

        contrast = np.eye(k)[:-1] - np.eye(k)[1:]
        apart = contrast @ np.array(self.values)
        covariance = contrast @ self.placed[0].covariance() @ contrast.T
        degrees = int(np.linalg.matrix_rank(covariance))
        chi = float(apart @ np.linalg.pinv(covariance) @ apart)
        return chi, float(degrees), float(chdtrc(degrees, chi)) if degrees else 1.0


class _Bootstrap:
    """Any metric compared by resampling rows, the same ones for all models that share rows."""

    method = "bootstrap"

    def __init__(
        self,
        tables: list[Paired],
        target: Known,
        level: float,
        replicates: int,
        rng: np.random.Generator | int | None,
        against: float | None,
    ) -> None:
        self.level, self.target = level, target
        self.values = [float(target.statistic(t.sweep(m))) for t in tables for m in t.scores]
        if len(tables) == 1:
            drawn, failed = replicate_paired(
                tables[0], target.statistic, replicates, rng, stratified=target.stratified
            )
        else:
            parts = [
                resample_rows(t.rows(m), stratified=target.stratified).replicate(
                    target.statistic, replicates, seed
                )
                for t, seed in zip(tables, np.random.default_rng(rng).spawn(len(tables)), strict=True)
                for m in t.scores
            ]
            failed = max(f for _, f in parts)
            drawn = np.stack([v[: replicates - failed] for v, _ in parts])
        if against is not None:
            self.values.append(against)
            drawn = np.concatenate([drawn, np.full((1, drawn.shape[1]), against)])
        self.drawn = drawn
        self.notes = (
            (f"{failed} of {replicates} resamples do not define it and were left out",) if failed else ()
        )

    def pair(self, i: int, j: int, names: list[str], margin: float | None) -> Pair:
        """Test one difference by where 0 lies among the replicates."""
        away = self.values[i] - self.values[j]
        drawn = np.sort(self.drawn[i] - self.drawn[j])
        ranks = np.linspace(0, 1, len(drawn))

        def below(x: float) -> float:
            if drawn[0] == drawn[-1]:
                return float(drawn[0] < x) + float(drawn[0] == x) / 2
            return float(np.clip(np.interp(x, drawn, ranks), 1 / len(drawn), 1 - 1 / len(drawn)))

        low, high = np.quantile(drawn, [(1 - self.level) / 2, (1 + self.level) / 2]).tolist()
        name = f"difference of {self.target.name}"
        error = float(np.std(drawn, ddof=1))
        worse, better = (None, None) if margin is None else (below(-margin), 1 - below(margin))
        return Pair(
            names[i],
            names[j],
            Estimate(name, away, low, high, self.level, self.method, error, len(drawn)),
            None,
            2 * min(below(0), 1 - below(0)),
            math.nan,
            None,
            worse,
            None if worse is None or better is None else max(worse, better),
        )

    def omnibus(self) -> None:
        """Say that there is no test of all models at once."""
        return


def _holm(pairs: list[Pair]) -> tuple[Pair, ...]:
    """Correct p-values for the number of pairs, step by step from the smallest."""
    order = sorted(range(len(pairs)), key=lambda k: pairs[k].p_value)
    corrected, running = dict[int, float](), 0.0
    for rank, k in enumerate(order):
        running = max(running, min((len(pairs) - rank) * pairs[k].p_value, 1.0))
        corrected[k] = running
    return tuple(replace(pair, p_holm=corrected[k]) for k, pair in enumerate(pairs))
