"""Whether one model is better than another, and how sure that is."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, Any

from curvewise._errors import CurvewiseError
from curvewise._paired import Paired, paired
from curvewise._validate import one_of, real, whole
from curvewise.uncertainty.by_bootstrap import ByBootstrap
from curvewise.uncertainty.by_delong import ByDelong
from curvewise.uncertainty.by_permutation import ByPermutation
from curvewise.uncertainty.comparison import Comparison, holm
from curvewise.uncertainty.known import Known, known
from curvewise.uncertainty.mcnemar import SHARES, Mcnemar
from curvewise.uncertainty.venkatraman import Venkatraman

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy as np

    from curvewise._sweep import Sweep

READING = ("weight", "positive", "higher_is", "missing")
WHOLE_CURVE = "roc_curve"


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
        As in `curvewise.interval`: a name, or a function of a `Sweep`; or ``"roc_curve"``, whole curves.
        Higher is better is not assumed.
    method
        The first that fits, by default. AUC: ``"delong"``. Accuracy, recall, specificity and their
        complements at thresholds: ``"mcnemar"`` (rows that are independent and count alike). Whole curves:
        ``"venkatraman"``. Anything: ``"bootstrap"`` (rows are resampled for all models together) or
        ``"permutation"`` (their scores are swapped: a p-value without an interval).
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
        ``threshold=`` is one for all models, or a dict of thresholds by model.

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

    A permutation swaps ranks for metrics of the ranking, decisions for those at a threshold, and the
    scores themselves for anything else, which then must share a scale. McNemar's z = (b-c)/√(b+c) counts
    the rows on which only one model is right; its interval is Tango's, which inverts the same test.
    Venkatraman's test asks whether two curves differ anywhere, also where their areas are equal.

    References
    ----------
    DeLong, DeLong & Clarke-Pearson (1988) Biometrics 44:837-845. Obuchowski (1997) Biometrics
    53:567-578. Holm (1979) Scand. J. Statist. 6:65-70. Venkatraman & Begg (1996) Biometrika 83:835-848.
    McNemar (1947) Psychometrika 12:153-157. Tango (1998) Statistics in Medicine 17:891-908.

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
    replicates = whole("replicates", replicates, 2)
    reading = {k: options.pop(k) for k in READING if k in options}
    if not hasattr(scores, "items") or not len(scores):
        raise CurvewiseError('scores: expected a dict of models, as in {"a": scores_a, "b": scores_b}.')
    names = [str(name) for name in scores]
    targets = _targets(metric, options, names)
    plain = cluster is None and reading.get("weight") is None and against is None and not isinstance(y, dict)
    method = _method(method, metric, targets, plain=plain and len(names) > 1)
    against = _against(against, metric, names, method)
    tables = _tables(y, scores, cluster, reading)
    found: ByDelong | ByBootstrap | ByPermutation | Venkatraman | Mcnemar
    if method == "delong":
        found = ByDelong(tables, level, against)
    elif method == "bootstrap":
        found = ByBootstrap(tables, targets, level, replicates, rng, against)
    elif method == "mcnemar":
        found = Mcnemar(tables, targets, level)
    else:
        test = Venkatraman if method == "venkatraman" else ByPermutation
        found = test(tables, targets, level, replicates, rng)
    if against is not None:
        names.append("value")
    pairs = holm([found.pair(i, j, names, margin) for i, j in combinations(range(len(names)), 2)])
    values = dict(zip(names, found.values, strict=True))
    return Comparison(targets[0].name, found.method, values, pairs, found.omnibus(), found.notes)


def _targets(
    metric: str | Callable[[Sweep], float], options: dict[str, Any], names: list[str]
) -> list[Known]:
    """Return the metric of each model, at the threshold of each where they differ."""
    if metric == WHOLE_CURVE:
        return [known("roc_auc", options)] * len(names)
    cuts = options.get("threshold")
    if not isinstance(cuts, dict):
        return [known(metric, options)] * len(names)
    if set(map(str, cuts)) != set(names):
        raise CurvewiseError(
            f"threshold: expected one for each model, got thresholds for {sorted(map(str, cuts))} "
            f"and scores for {sorted(names)}."
        )
    own = {str(name): cut for name, cut in cuts.items()}
    return [known(metric, {**options, "threshold": own[name]}) for name in names]


def _method(
    asked: str | None, metric: str | Callable[[Sweep], float], targets: list[Known], *, plain: bool
) -> str:
    """Choose how to compare: the first that fits the metric, unless one is asked for."""
    if metric == WHOLE_CURVE:
        choices: tuple[str, ...] = ("venkatraman",)
    elif metric == "roc_auc":
        choices = ("delong", "bootstrap", "permutation")
    elif targets[0].name in SHARES and targets[0].threshold is not None:
        choices = (
            ("mcnemar", "bootstrap", "permutation") if plain else ("bootstrap", "mcnemar", "permutation")
        )
    else:
        choices = ("bootstrap", "permutation")
    one_of("method", asked, (None, *choices))
    return asked or choices[0]


def _against(
    asked: float | None, metric: str | Callable[[Sweep], float], names: list[str], method: str
) -> float | None:
    if asked is not None and method not in ("delong", "bootstrap"):
        raise CurvewiseError(f"against: method={method!r} compares models with each other; leave it out.")
    if asked is None and len(names) == 1:
        if metric != "roc_auc":
            raise CurvewiseError(
                "scores: expected two models or more; one model needs against=, a fixed value."
            )
        return 0.5
    return None if asked is None else real("against", asked, -math.inf, math.inf)


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
