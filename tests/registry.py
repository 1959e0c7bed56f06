"""The product's metrics as cases to test, and what else must meet the same invariances.

A metric that is registered is tested without another line here: its facts say what must hold.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import curvewise as cw
from curvewise.core.sweep import as_sweep
from curvewise.inference.metrics_list import score
from curvewise.metric.registry import every

if TYPE_CHECKING:
    from collections.abc import Callable

    from curvewise.metric.registry import Metric

# values of options that must be given, by the name of the option; any other gets one half
OPTIONS = {"fpr": 0.2, "specificity": 0.8, "sensitivity": 0.7, "recall": 0.6, "precision": 0.5}
OPTIONS |= {"at_fraction": 0.3}


@dataclass(frozen=True)
class Case:
    """A number read from labels and scores (or a sweep), with the facts that decide what must hold."""

    name: str
    function: Callable[..., float]
    family: str = "ranking"
    needs: tuple[str, ...] = ("positives", "negatives")
    prevalence: bool = True  # whether prevalence moves it
    low: float = -math.inf
    high: float = math.inf
    better: str = "higher"
    chance: Any = None  # a number, "prevalence", or a function of prevalence
    perfect: float | None = None
    swap: bool = False  # the same where labels are swapped and scores reversed
    fractional: bool = True  # takes fractional weights, and does not change when they are scaled

    def __call__(self, y, score=None, **rows):
        """Return the number, NaN where the rows do not define it."""
        try:
            return float(self.function(y, score, **rows))
        except cw.UndefinedMetricError:
            return math.nan

    def expected_chance(self, prevalence):
        """Return the value of a score that says nothing."""
        if callable(self.chance):
            return self.chance(prevalence)
        return prevalence if self.chance == "prevalence" else self.chance


def _reader(m: Metric, options: dict[str, Any]) -> Callable[..., float]:
    def value(y, s=None, **rows):
        own = dict(options)
        if m.family == "threshold":  # in the middle of the scores, which is a place in their order
            places = as_sweep(y, s, rows).threshold
            own["threshold"] = places[len(places) // 2]
        return score(m.name, y, s, **own, **rows)

    return value


def given(m: Metric) -> dict[str, Any]:
    """Return the options of a metric that must be given, but for the threshold of one at any."""
    return {name: OPTIONS.get(name, 0.5) for name in m.required if (m.family, name) != ("threshold", "threshold")}


def case(m: Metric) -> Case:
    """Return the case of a registered metric."""
    options = given(m)
    facts = ("needs", "prevalence", "low", "high", "better", "chance", "perfect")
    return Case(
        m.name,
        _reader(m, {**options, **(m.shown or {})}),
        m.family,
        **{name: getattr(m, name) for name in facts},
    )


def _curve(maker, attribute):
    return lambda y, score=None, **rows: getattr(maker(y, score, **rows), attribute)


def _with(function, **options):
    return lambda y, score=None, **rows: function(y, score, **options, **rows)


REGISTERED = [case(m) for m in every()]
OTHERS = [
    Case("roc_auc", cw.roc_auc, prevalence=False, chance=0.5, perfect=1.0, swap=True),
    *(
        Case(
            f"{maker.__name__}.{attribute}",
            _curve(maker, attribute),
            prevalence=False,
            chance=chance,
            perfect=perfect,
            swap=True,
        )
        for maker, attribute, chance, perfect in (
            (cw.roc_curve, "auc", 0.5, 1.0),
            (cw.roc_hull, "auc", 0.5, 1.0),
            (cw.det_curve, "eer", 0.5, 0.0),
            (cw.cost_curve, "area", 0.25, 0.0),
        )
    ),
    *(
        Case(
            f"partial_roc_auc {options}",
            _with(cw.partial_roc_auc, **options),
            prevalence=False,
            chance=chance,
            perfect=perfect,
        )
        for options, chance, perfect in (
            ({"fpr": (0, 0.2)}, 0.02, 0.2),
            ({"fpr": (0, 0.2), "scale": "mean"}, 0.1, 1.0),
            ({"fpr": (0.1, 0.3), "scale": "mcclish"}, 0.5, 1.0),
            ({"tpr": (0.8, 1), "scale": "skill"}, 0.0, 1.0),
            ({"fpr": (0, 0.5), "tpr": (0.5, 1), "scale": "skill"}, 0.0, 1.0),
        )
    ),
    *(
        Case(
            f"average_precision {ties}",
            _with(cw.average_precision, ties=ties),
            needs=("positives",),
            fractional=False,
            perfect=1.0,
        )
        for ties in ("expected", "optimistic", "pessimistic")
    ),
    *(
        Case(
            f"pr_auc {way}",
            _with(cw.pr_auc, interpolation=way),
            needs=("positives",),
            chance=(lambda p: (1 + p) / 2) if way == "trapezoid" else "prevalence",
            perfect=1.0,
        )
        for way in ("continuous", "step", "trapezoid", "envelope", "11-point", "101-point")
    ),
    Case(
        "pr_auc recall",
        _with(cw.pr_auc, recall=(0.2, 0.7)),
        needs=("positives",),
        chance=lambda p: p / 2,
        perfect=0.5,
    ),
    Case("h_measure", cw.h_measure, chance=0.0, perfect=1.0, swap=True),
    Case("h_measure Beta(3, 1.5)", _with(cw.h_measure, alpha=3, beta=1.5), chance=0.0, perfect=1.0),
    Case("pr_gain_curve.area", _curve(cw.pr_gain_curve, "area"), chance=0.0, perfect=1.0),
]
CASES = [*REGISTERED, *OTHERS]
