"""Whether one model is better than another, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from curvewise.core.confusion import ALL
from curvewise.core.probability import of_probabilities
from curvewise.core.resampling import REPLICATES
from curvewise.core.strata import strata_of
from curvewise.core.sweep import Sweep, counted_rows, sweep_of
from curvewise.errors import ArgumentName, OptionError, OptionName, UndefinedMetricError, note
from curvewise.inference.by_bootstrap import ByBootstrap
from curvewise.inference.by_delong import ByDelong
from curvewise.inference.by_influence import ByInfluence, has_influence
from curvewise.inference.by_permutation import ByPermutation, UnpairedVenkatraman, Venkatraman, comparable, only_paired
from curvewise.inference.comparison import (
    Comparable,
    Comparison,
    ModelTest,
    Task,
    holm,
    pair_of_models,
    with_simultaneous,
)
from curvewise.inference.influence import lonely_notes
from curvewise.inference.interval import split_options
from curvewise.inference.limits import critical_value, crossing
from curvewise.inference.methods import is_auc
from curvewise.inference.pivots import t_tail
from curvewise.metric.bounds import note_on_bins
from curvewise.metric.losses import why_infinite
from curvewise.metric.registry import Bound, Metric, bound
from curvewise.results.estimate import Estimate
from curvewise.rows.checks import one_of, real, whole
from curvewise.rows.columns import by_text
from curvewise.rows.reading import read_models, refuse_beside
from curvewise.rows.seeds import random_stream

if TYPE_CHECKING:
    from curvewise.inference.comparison import Pair, Parts

VERB = ("metric", "method", "level", "margin", "against", "rng", "replicates")
DELONG = ("delong", "delong-wald")
WHOLE_CURVE = "roc_curve"
FEW = 25  # discordant rows below which the exact p-value is told as well


def compare(
    y: object,
    scores: Mapping[str, object] | None = None,
    *,
    metric: str | Callable[[Sweep], float] = "roc_auc",
    method: str | None = None,
    level: float = 0.95,
    margin: float | None = None,
    against: float | None = None,
    rng: np.random.Generator | int | None = 0,
    replicates: int = REPLICATES,
    **options: Any,
) -> Comparison:
    """Compare models that scored the same rows, or different rows.

    Parameters
    ----------
    y
        Labels of rows that all models scored (paired), or `Rows` or a `Horizon` of several models alone. Or a dict of
        labels by model, for models that scored different rows (unpaired). Or, alone, a dict of sweeps of different
        rows by model. Or, alone, a dict of matched detections
        by detector; ``metric`` is then one of their numbers, such as ``"ap"``: see `Matched.compare`.
    scores
        Scores by the name of the model: two or more, or one against a fixed value.
    metric
        As in `curvewise.interval`: a name, or a function of a `Sweep`; or ``"roc_curve"``, whole curves.
    method
        The first that fits, by default. AUC: ``"delong"``, the score test and interval with DeLong's variance;
        ``"delong-wald"`` is pROC's test. Accuracy, recall, specificity and their
        complements at thresholds: ``"mcnemar"`` (rows that are independent and count alike). Whole curves:
        ``"venkatraman"``. Metrics with a derivative: ``"influence"``, the variance of what each row, or cluster,
        adds to the difference. Anything: ``"bootstrap"`` (rows are resampled for all models together) or
        ``"permutation"`` (their scores are swapped, or those of one model given to other rows to compare it with
        chance: a p-value without an interval).
    margin
        A difference too small to matter: adds tests of non-inferiority (of the first to the second; which end is
        better, the metric knows) and of equivalence, of each pair alone. Of a function of your own, higher is taken
        to be better.
    against
        A fixed value that the models are compared with as if it were one more, called "value" ("fixed value" where a
        model has that name); by default 0.5 for the AUC of one model. The test is that of the model's own interval.
        Far from 0.5 the test that an AUC is 0.5 becomes Mann and Whitney's: its normal tail, or the number of orders
        of few rows whose classes are separated perfectly.
    level, rng, replicates
        As in `curvewise.interval`.
    **options
        Options of the metric, and of `curvewise.sweep` (``weight=``, ``cluster=``, ``stratum=``, ``positive=`` …).
        For models on different rows, ``weight=``, ``cluster=`` and ``stratum=`` are dicts by model.
        ``threshold=`` is one for all models, or a dict of thresholds by model.

    Returns
    -------
    Comparison
        ``difference`` (first minus second), ``statistic``, ``p_value``; for three models or more a
        test that all are equal (Hotelling's T², from the covariance of what rows add, or of resamples); all pairs with
        Holm's correction in ``table``, and with simultaneous intervals (Bonferroni), which hold for all differences
        together.

    Notes
    -----
    The variance of a difference of AUCs is that of the per-row differences of placements, so two equal models have
    z = 0 and p = 1. By the score test it is taken where the difference is the null value: at the estimates it is too
    small near an AUC of 1. An interval excludes 0 exactly when p < 1 - level. A test on rows that the models were
    fitted on is not valid, whatever its p-value.

    A permutation swaps ranks for metrics of the ranking, decisions for those at a threshold, and the
    scores themselves for anything else, which then must share a scale. It swaps within rows, or clusters, which
    holds whatever their strata. McNemar's z = (b-c)/√(b+c) counts
    the rows on which only one model is right; its interval is Tango's, which inverts the same test.
    Venkatraman's test asks whether two curves differ anywhere, also where their areas are equal; of models on
    different rows it exchanges positives with positives and negatives with negatives (Venkatraman 2000).

    References
    ----------
    DeLong, DeLong & Clarke-Pearson (1988) Biometrics 44:837-845. Obuchowski (1997) Biometrics
    53:567-578. Holm (1979) Scand. J. Statist. 6:65-70. Venkatraman & Begg (1996) Biometrika 83:835-848.
    Venkatraman (2000) Biometrics 56:1134-1138.
    McNemar (1947) Psychometrika 12:153-157. Tango (1998) Statistics in Medicine 17:891-908.

    Examples
    --------
    >>> import curvewise as cw
    >>> y = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> a, b = [9, 8, 7, 3, 6, 5, 2, 1], [9, 4, 3, 2, 8, 7, 6, 1]
    >>> c = cw.compare(y, {"a": a, "b": b})
    >>> c.difference.value, round(c.p_value, 4)
    (0.4375, 0.1277)
    """
    return compare_in_family(1, y, scores, metric, method, level, margin, against, rng, replicates, **options)


def compare_in_family(
    family: int,
    y: object,
    scores: Mapping[str, object] | None = None,
    metric: str | Callable[[Sweep], float] = "roc_auc",
    method: str | None = None,
    level: float = 0.95,
    margin: float | None = None,
    against: float | None = None,
    rng: np.random.Generator | int | None = 0,
    replicates: int = REPLICATES,
    **options: Any,
) -> Comparison:
    """Compare models by one metric of so many, with intervals that hold for all of them together."""
    level = real("level", level, 0, 1, closed=False)
    margin = None if margin is None else real("margin", margin, 0, math.inf)
    replicates = whole("replicates", replicates, 2)
    random_stream(rng)  # refuses what is no seed
    if isinstance(y, Mapping) and any(isinstance(model, Comparable) for model in y.values()):
        tests = {"method": method, "margin": margin, "against": against}
        options |= {name: value for name, value in tests.items() if value is not None}
        return _by_themselves(y, scores, metric=metric, level=level, rng=rng, replicates=replicates, **options)
    reading, metric_options = split_options(options)
    sweeps = _sweeps(y, scores, reading)
    tables = [counted_rows(s, name) for name, s in sweeps.items()] if sweeps else read_models(y, scores, reading)
    names = [name for table in tables for name in table.models]
    targets = _targets(metric, metric_options, names)
    plain = len(tables) == 1 and tables[0].is_plain and tables[0].weight is None and against is None
    chosen = _method(method, metric, targets, plain=plain)
    against = _against(against, targets[0], names, chosen)
    task = Task(tables, targets, chosen, level, against, rng, replicates, by_default=method is None)
    test = (TESTS if len(tables) == 1 else {**TESTS, "venkatraman": UnpairedVenkatraman})[chosen](task)
    if against is not None:
        names.append(_called_value(names))
    better = better_end(targets[0], margin)
    which = list(combinations(range(len(names)), 2))
    tested = [pair_with_margin(test, i, j, names, margin, better) for i, j in which]
    pairs = holm(with_simultaneous(test, tested, which, names, family))
    values, omnibus = dict(zip(names, test.values, strict=True)), test.omnibus()
    notes = test.notes
    for target, model in zip(targets, (t.of(name) for t in tables for name in t.models), strict=True):
        if target.metric.unit == "loss" and math.isinf(values[model.models[0]]):
            why = why_infinite(of_probabilities(sweep_of(model)))
            notes += (note("of_model", model=model.models[0], said=why),)
    for strata in map(strata_of, tables):
        notes += lonely_notes(strata) if strata is not None else ()
    for target, (name, sweep) in zip(targets, sweeps.items(), strict=False):
        notes += tuple(note("of_model", model=name, said=remark) for remark in note_on_bins(target, sweep))
    return Comparison(targets[0].name, chosen, values, pairs, omnibus, notes, family)


def _sweeps(y: object, scores: object, reading: Mapping[str, object]) -> dict[str, Sweep]:
    """Return sweeps by model, where models were given as those."""
    if not isinstance(y, Mapping) or not any(isinstance(model, Sweep) for model in y.values()):
        return {}
    for name, model in y.items():
        if not isinstance(model, Sweep):
            raise OptionError.of("y", f"expected a Sweep for every model, got a {type(model).__name__} for {name!r}.")
    refuse_beside("Sweeps were", scores, reading)
    return by_text(y, "y")


def _by_themselves(models: Mapping[Any, Any], scores: object, **options: Any) -> Comparison:
    """Let models that have a comparison of their own compare themselves."""
    if scores is not None:
        raise OptionError.of("scores", "models that hold their own scores are given alone; leave it out.")
    kind = type(next(model for model in models.values() if isinstance(model, Comparable)))
    other = next((name for name, model in models.items() if not isinstance(model, kind)), None)
    if other is not None:
        raise OptionError.of("y", f"expected a {kind.__name__} for every model, got another kind for {other!r}.")
    return kind.compare_models(by_text(models, "y"), **options)


def better_end(target: Bound, margin: float | None) -> str:
    """Return which end of a metric is better; refuse a margin where neither is."""
    better = target.metric.better
    if margin is not None and better not in ("higher", "lower"):
        raise OptionError.of("margin", f"{target.name} has no better end to be inferior at; leave out margin.")
    return better


def pair_with_margin(test: ModelTest, i: int, j: int, names: list[str], margin: float | None, better: str) -> Pair:
    """Test one difference; where lower is better, inferior means higher by the margin or more."""
    pair = test.pair(i, j, names, margin)
    if pair.p_margins is None or better == "higher":
        return pair
    return replace(pair, p_non_inferior=pair.p_margins[1])


def _is_whole(metric: object) -> bool:
    """Say whether whole curves are asked for; a column given by mistake is no text."""
    return isinstance(metric, str) and metric == WHOLE_CURVE


def _targets(metric: str | Callable[[Sweep], float], options: dict[str, Any], names: list[str]) -> list[Bound]:
    """Return the metric of each model, at the threshold of each where they differ."""
    if _is_whole(metric):
        return [bound("roc_auc", options, VERB)] * len(names)
    cuts = options.get("threshold")
    if not isinstance(cuts, dict):
        return [bound(metric, options, VERB)] * len(names)
    if set(map(str, cuts)) != set(names):
        names_of_cuts = sorted(map(str, cuts))
        why = f"got thresholds for {names_of_cuts} and scores for {sorted(names)}."
        raise OptionError.of("threshold", f"expected one for each model, {why}")
    by_model = by_text(cuts, "threshold")
    return [bound(metric, {**options, "threshold": by_model[name]}, VERB) for name in names]


def _method(wanted: str | None, metric: str | Callable[[Sweep], float], targets: list[Bound], *, plain: bool) -> str:
    """Choose how to compare: the first that fits the metric, unless one is asked for."""
    if _is_whole(metric):
        choices: tuple[str, ...] = ("venkatraman",)
    else:
        choices = ("influence",) if has_influence(targets[0]) else ()
        choices += ("bootstrap", "permutation")
        if is_auc(targets[0]):
            choices = (*DELONG, "bootstrap", "permutation")
        elif share_of_right(targets[0].metric) is not None:
            choices = ("mcnemar", *choices) if plain else (*choices, "mcnemar")
    one_of("method", wanted, (None, *choices))
    return wanted or choices[0]


def _called_value(names: list[str]) -> str:
    """Return what the fixed value is called: "value", unless a model is."""
    called = "value"
    while called in names:
        called = f"fixed {called}"
    return called


def _against(against: float | None, target: Bound, names: list[str], method: str) -> float | None:
    if against is not None and method in ("mcnemar", "venkatraman"):
        raise OptionError.of("against", f"method={method!r} compares models with each other; leave it out.")
    if against is None and len(names) == 1:
        if not is_auc(target) or method == "delong-wald":
            raise OptionError(
                "{option}: expected two models or more; one model needs {against}0.8, for example.",
                option=ArgumentName("scores"),
                against=OptionName("against"),
            )
        return float(target.metric.chance or 0)  # mutants: never 0
    return None if against is None else real("against", against, *target.bounds)


def share_of_right(metric: Metric) -> tuple[bool | None, bool] | None:
    """Say of which rows a rate counts right or wrong decisions; None if it is no such rate.

    The rows are the positives (True), the negatives (False) or all (None); the second says whether the rate
    counts what is right.
    """
    if metric.rate is None:
        return None
    part, whole = (set(cells) for cells in metric.rate)
    rows = {frozenset({"tp", "fn"}): True, frozenset({"fp", "tn"}): False, frozenset(ALL): None}
    decided = part <= {"tp", "tn"} or part <= {"fp", "fn"}
    return (rows[frozenset(whole)], part <= {"tp", "tn"}) if decided and frozenset(whole) in rows else None


class Mcnemar(ModelTest):
    """Shares of right decisions compared on the same rows.

    With b rows on which only the first is right and c on which only the second is, z = (b-c)/√(b+c). The
    interval of the difference is Tango's, which inverts the same test: it excludes 0 exactly when p < α.
    """

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        table, targets = only_paired(task.tables, task.method), task.targets
        if not table.is_plain:
            raise OptionError.of(
                "method", "'mcnemar' takes rows that are independent and count alike, without strata; use 'bootstrap'."
            )
        which, self.good = cast("tuple[bool | None, bool]", share_of_right(targets[0].metric))  # mutants: all alike
        rows = np.full(len(table.positive), True) if which is None else table.positive == which
        if not rows.any():
            raise UndefinedMetricError(f"{self.name} needs {'positives' if which else 'negatives'}.")
        self.right: list[NDArray[np.bool_]] = [
            (comparable(table.of(model), k) == table.positive)[rows]
            for model, k in zip(table.scores, targets, strict=True)
        ]
        self.weight = np.ones(rows.sum(), np.int64) if table.weight is None else table.weight[rows]
        share = [float(np.average(right, weights=self.weight)) for right in self.right]
        self.values = share if self.good else [1 - s for s in share]

    def pair(self, i: int, j: int, names: list[str], margin: float | None) -> Pair:
        """Test one difference."""
        one, two = (self.right[k] if self.good else ~self.right[k] for k in (i, j))
        first, second = int(self.weight[one & ~two].sum()), int(self.weight[two & ~one].sum())
        n = int(self.weight.sum())

        def z(away: float) -> float:
            return tango_score(first, second, n, away)

        reach = critical_value(self.level)
        value, at_zero = (first - second) / n, z(0)
        low = crossing(lambda d: z(d) - reach, -1, value)
        high = crossing(lambda d: z(d) + reach, value, 1)
        if first + second < FEW:
            facts = {"first": names[i], "second": names[j], "rows": first + second}
            self.notes += (note("mcnemar_exact", **facts, p=_exact(first, second)),)
        margins = None if margin is None else (t_tail(-z(-margin)), t_tail(z(margin)))
        gap = Estimate(f"difference of {self.name}", value, low, high, self.level, self.method)
        return pair_of_models((names[i], names[j]), gap, at_zero, 2 * t_tail(-abs(at_zero)), margins)

    def covariances(self) -> Parts:
        """Return the covariance of the shares, over the rows that they are counted on."""
        return [(np.atleast_2d(np.cov(self.right, fweights=self.weight)) / self.weight.sum(), self.weight.sum())]


TESTS: dict[str, type[ModelTest]] = {
    **dict.fromkeys(DELONG, ByDelong),
    "influence": ByInfluence,
    "bootstrap": ByBootstrap,
    "permutation": ByPermutation,
    "mcnemar": Mcnemar,
    "venkatraman": Venkatraman,
}


def tango_score(first: float, second: float, n: float, away: float) -> float:
    """Return Tango's score statistic of a difference (Tango 1998, eq. 3); McNemar's z where it is 0."""
    b = -first - second + (2 * n - first + second) * away
    c = -second * away * (1 - away)
    share = (math.sqrt(max(b * b - 8 * n * c, 0.0)) - b) / (4 * n)
    variance = n * (2 * share + away * (1 - away))
    gap = first - second - n * away
    if variance <= 0:
        return math.copysign(math.inf, gap) if gap else 0.0
    return gap / math.sqrt(variance)


def _exact(first: int, second: int) -> float:
    """Return the two-sided binomial p-value of a fair coin, twice the smaller tail."""
    total, least = first + second, min(first, second)
    tail = sum(math.comb(total, k) for k in range(least + 1))
    return min(1.0, tail / 2 ** (total - 1)) if total else 1.0
