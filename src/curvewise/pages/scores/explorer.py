"""What the page's script is given: thresholds with counts of every model and group, costs, places of figures, words."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise.curves.base import kept_points
from curvewise.curves.roc import roc_curve
from curvewise.results.numbers import json_safe
from curvewise.words.numbers import score_digits

if TYPE_CHECKING:
    from curvewise.breakdown.group_metrics import Group
    from curvewise.core.sweep import Sweep
    from curvewise.evaluation.two_classes import ModelEvaluation
    from curvewise.pages.page import Page

MOST_IN_ALL, FEWEST = 8_000, 50  # thresholds of all models together, and of one at the least
BEST = 10  # models of which as many are kept; of further ones the fewest
MOST_GROUPS = 12  # of a column that stand side by side
DIGITS = "0123456789abcdefgh"  # one letter says how many digits of a threshold are shown


def script_data(page: Page) -> dict[str, Any]:
    """Return all of it, JSON-safe; ``first`` is the place of the model that is shown first: the most promising."""
    options, rows, best = page.evaluation.options, page.evaluation.rows, page.evaluation.better.best
    plain = rows is not None and rows.is_plain and rows.weight is None
    return {
        "models": [_model(page, k) for k in range(len(page.models))],
        "first": page.names.index(best[0]) if best else 0,
        "rule": options.rule.name,
        "costs": page.costs if options.costs else None,
        "prevalence": options.prevalence,
        "confidence": page.level if plain else None,  # of a guarantee, which counts of independent rows can give
        "z": NormalDist().inv_cdf((1 + page.level) / 2) if plain else None,
        "figures": {f.id: {"key": key, "frames": f.frames} for key, f in page.figures.items()},
        "shares": page.evaluation.survival is not None,  # counts are sums of weights: shown as shares
        "percent": page.w.numbers.percent,
        "between": page.w.numbers.between,
        "words": page.w.under("js."),
    }


def cost_pair(ratio: float) -> dict[str, float]:
    """Return the costs of a false alarm and of a miss that equals so many of them."""
    return {"fp": 0.0, "fn": 1.0} if math.isinf(ratio) else {"fp": 1.0, "fn": ratio}


def kept_cuts(page: Page, place: int) -> Sweep:
    """Return a model's thresholds that the page keeps: what shows of its curve, and all that were chosen."""
    model = page.models[place]
    sweep, few = model.sweep, model.thinned
    most = max(MOST_IN_ALL // len(page.models), FEWEST) if place < BEST else FEWEST
    # one place less: the curve starts where nothing is flagged, the sweep at its first block
    keep = kept_points(*roc_curve(few).axes(), most + 1)[1:] - 1
    wanted = [few.threshold[keep], _chosen(page, place)]
    places = np.flatnonzero(np.isin(sweep.threshold, np.concatenate(wanted)))
    return replace(sweep, threshold=sweep.threshold[places], tp=sweep.tp[places], fp=sweep.fp[places])


def _chosen(page: Page, place: int) -> NDArray[Any]:
    """Return the thresholds that the rule chose, and those of the groups there."""
    model, found = page.models[place], page.policies.get(place)
    cuts = [] if found is None else [c.threshold for cells in found.cells.values() for c in cells.values()]
    cuts += [] if model.point is None else [model.point.threshold]
    return np.array([t for t in cuts if t is not None], dtype=model.sweep.threshold.dtype if cuts else float)


def digits_of(sweep: Sweep) -> list[int]:
    """Return how many digits tell each threshold of a sweep from those beside it."""
    cuts = sweep.threshold.tolist()
    return [score_digits(t, [*cuts[max(k - 1, 0) : k], *cuts[k + 1 : k + 2]]) for k, t in enumerate(cuts)]


def _model(page: Page, place: int) -> dict[str, Any]:
    """Return the thresholds of a model, first the one that flags no row, with counts."""
    model, sweep, point = page.models[place], page.cuts[place], page.chosen.get(place)
    tp, fp = (np.append(0, c) for c in (sweep.tp, sweep.fp))
    rule = expected = None
    if point is not None:
        if point.is_corrected:
            expected = {name: point.expected[name].value for name in ("recall", "fpr")}
        rule = int(np.flatnonzero((tp == point.confusion.tp) & (fp == point.confusion.fp))[0])
    found: dict[str, Any] = json_safe(
        {
            "place": place,
            "name": model.name,
            "threshold": [None, *sweep.threshold.tolist()],
            "digits": "0" + "".join(DIGITS[d] for d in page.digits[place]),
            "tp": tp,
            "fp": fp,
            "positives": sweep.positives,
            "negatives": sweep.known_negatives("A rate"),
            "higher": sweep.higher_is,
            "rule": rule,
            "expected": expected,
            "ratio": _ratio(page, place, tp, fp),
            "thinned": len(sweep.threshold) < len(model.sweep.threshold),
            "distinct": len(model.sweep.threshold),
            "groups": _groups(page, model, sweep),
        }
    )
    return found


def _ratio(page: Page, place: int, tp: NDArray[Any], fp: NDArray[Any]) -> float:
    """Return how many false alarms one miss equals by the rule's choice, to three digits where that changes nothing."""
    point, sweep = page.chosen.get(place), page.models[place].sweep
    share = page.prevalence or sweep.prevalence
    exact = (1 - share) / share if point is None else point.cost_ratio
    if not 0 < exact < math.inf:
        return exact
    short = float(f"{exact:.2e}")
    wrong, missed = (1 - share) * fp / sweep.known_negatives("A cost"), share * (1 - tp / sweep.positives)
    cheapest = [int(np.argmin(wrong + ratio * missed)) for ratio in (exact, short)]
    return short if cheapest[0] == cheapest[1] else exact


def _groups(page: Page, model: ModelEvaluation, sweep: Sweep) -> list[dict[str, Any]]:
    """Return how many positives and negatives of every group each threshold adds to those before it."""
    groups = page.evaluation.groups.get(model.name)
    if groups is None or model not in page.detailed:
        return []
    return [
        {"column": column, "groups": [_group(page, group, sweep) for group in found]}
        for column, found in groups.breakdowns.items()
        if 1 < len(found) <= MOST_GROUPS
    ]


def _group(page: Page, group: Group, sweep: Sweep) -> dict[str, Any]:
    falling = sweep.higher_is == "positive"
    own, cuts = (s.threshold[::-1] if falling else s.threshold for s in (group.sweep, sweep))
    reached = np.searchsorted(own, cuts, side="left" if falling else "right")
    reached = (len(own) - reached)[::-1] if falling else reached
    counts = (np.append(0, c)[reached] for c in (group.sweep.tp, group.sweep.fp))
    tp, fp = (np.diff(c, prepend=0) for c in counts)
    sizes = {"positives": group.sweep.positives, "negatives": group.sweep.known_negatives("A rate")}
    return {"name": page.w.known("special", group.name), "tp": tp, "fp": fp, **sizes}
