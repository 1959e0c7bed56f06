"""Whether one model is better than another, and how sure that is."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, Any

from curvewise.core.registry import bound
from curvewise.core.resampling import REPLICATES
from curvewise.errors import ArgumentName, OptionError, OptionName
from curvewise.inference.by_bootstrap import ByBootstrap
from curvewise.inference.by_permutation import ByPermutation, Venkatraman
from curvewise.inference.comparison import Comparison, ModelTest, holm
from curvewise.inference.delong import ByDelong
from curvewise.inference.interval import split_options
from curvewise.inference.mcnemar import Mcnemar, share_of_right
from curvewise.rows.checks import one_of, real, whole
from curvewise.rows.reading import read_models

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy as np

    from curvewise.core.registry import Bound
    from curvewise.core.sweep import Sweep

VERB = ("metric", "method", "level", "margin", "against", "rng", "replicates")
WHOLE_CURVE = "roc_curve"


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
        Labels of rows that all models scored (paired), or `Rows` of several models alone. Or a dict of
        labels by model, for models that scored different rows (unpaired).
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
    margin
        A difference too small to matter: adds tests of non-inferiority (of the first to the second)
        and of equivalence.
    against
        A fixed value that the models are compared with as if it were one more, called "value"; by default 0.5
        for the AUC of one model.
    level, rng, replicates
        As in `curvewise.interval`.
    **options
        Options of the metric, and of `curvewise.sweep` (``weight=``, ``cluster=``, ``positive=`` …). For
        models on different rows, ``weight=`` and ``cluster=`` are dicts by model.
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
    reading, own = split_options(options)
    tables = read_models(y, scores, reading)
    names = [name for table in tables for name in table.models]
    targets = _targets(metric, own, names)
    plain = len(tables) == 1 and tables[0].is_plain and tables[0].weight is None and against is None
    method = _method(method, metric, targets, plain=plain and len(names) > 1)
    against = _against(against, targets[0], names, method)
    found: ModelTest
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
) -> list[Bound]:
    """Return the metric of each model, at the threshold of each where they differ."""
    if metric == WHOLE_CURVE:
        return [bound("roc_auc", options, VERB)] * len(names)
    cuts = options.get("threshold")
    if not isinstance(cuts, dict):
        return [bound(metric, options, VERB)] * len(names)
    if set(map(str, cuts)) != set(names):
        names_of_cuts = sorted(map(str, cuts))
        why = f"got thresholds for {names_of_cuts} and scores for {sorted(names)}."
        raise OptionError.of("threshold", f"expected one for each model, {why}")
    own = {str(name): cut for name, cut in cuts.items()}
    return [bound(metric, {**options, "threshold": own[name]}, VERB) for name in names]


def _method(
    asked: str | None, metric: str | Callable[[Sweep], float], targets: list[Bound], *, plain: bool
) -> str:
    """Choose how to compare: the first that fits the metric, unless one is asked for."""
    if metric == WHOLE_CURVE:
        choices: tuple[str, ...] = ("venkatraman",)
    elif targets[0].metric.interval == "delong":
        choices = ("delong", "bootstrap", "permutation")
    elif share_of_right(targets[0].metric) is not None:
        choices = ("mcnemar", "bootstrap") if plain else ("bootstrap", "mcnemar")
        choices += ("permutation",)
    else:
        choices = ("bootstrap", "permutation")
    one_of("method", asked, (None, *choices))
    return asked or choices[0]


def _against(asked: float | None, target: Bound, names: list[str], method: str) -> float | None:
    if asked is not None and method not in ("delong", "bootstrap"):
        raise OptionError.of("against", f"method={method!r} compares models with each other; leave it out.")
    if asked is None and len(names) == 1:
        if target.metric.interval != "delong":
            raise OptionError(
                "{option}: expected two models or more; one model needs {against}0.8, for example.",
                option=ArgumentName("scores"),
                against=OptionName("against"),
            )
        return float(target.metric.chance or 0)
    return None if asked is None else real("against", asked, -math.inf, math.inf)
