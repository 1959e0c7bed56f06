"""Every metric with one line, and the facts about it that decide which invariances must hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import curvewise as cw

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Metric:
    """A number read from labels and scores (or a sweep)."""

    name: str
    function: Callable[..., float]
    needs_negatives: bool = True  # undefined without negatives (all are undefined without positives)
    prevalence_free: bool = False  # the same at any prevalence
    swap: str | None = None  # label swap with reversed scores: "same"
    fractional: bool = True  # takes fractional weights, and does not change when they are scaled
    constant: Callable[[float], float] | None = None  # value of a constant score, from the prevalence
    perfect: float | None = 1.0  # value of perfect separation


def _at(metric):
    def value(y, score=None, **rows):
        sweep = y if isinstance(y, cw.Sweep) else cw.sweep(y, score, **rows)
        middle = sweep.threshold[len(sweep.threshold) // 2]
        return float(getattr(sweep.at(middle), metric))

    return value


def _curve(maker, attribute):
    return lambda y, score=None, **rows: getattr(maker(y, score, **rows), attribute)


def _with(function, **options):
    return lambda y, score=None, **rows: function(y, score, **options, **rows)


METRICS = [
    Metric("roc_auc", cw.roc_auc, prevalence_free=True, swap="same", constant=lambda _: 0.5),
    Metric(
        "roc_curve.auc",
        _curve(cw.roc_curve, "auc"),
        prevalence_free=True,
        swap="same",
        constant=lambda _: 0.5,
    ),
    Metric(
        "roc_hull.auc", _curve(cw.roc_hull, "auc"), prevalence_free=True, swap="same", constant=lambda _: 0.5
    ),
    Metric(
        "eer",
        _curve(cw.det_curve, "eer"),
        prevalence_free=True,
        swap="same",
        constant=lambda _: 0.5,
        perfect=0.0,
    ),
    *(
        Metric(
            f"partial_roc_auc {options}",
            _with(cw.partial_roc_auc, **options),
            prevalence_free=True,
            constant=constant,
            perfect=perfect,
        )
        for options, constant, perfect in (
            ({"fpr": (0, 0.2)}, lambda _: 0.02, 0.2),
            ({"fpr": (0, 0.2), "scale": "mean"}, lambda _: 0.1, 1.0),
            ({"fpr": (0.1, 0.3), "scale": "mcclish"}, lambda _: 0.5, 1.0),
            ({"tpr": (0.8, 1), "scale": "skill"}, lambda _: 0.0, 1.0),
            ({"fpr": (0, 0.5), "tpr": (0.5, 1), "scale": "skill"}, lambda _: 0.0, 1.0),
        )
    ),
    Metric("average_precision", cw.average_precision, needs_negatives=False, constant=lambda p: p),
    *(
        Metric(
            f"average_precision {ties}",
            _with(cw.average_precision, ties=ties),
            needs_negatives=False,
            fractional=False,
        )
        for ties in ("expected", "optimistic", "pessimistic")
    ),
    *(
        Metric(
            f"pr_auc {way}",
            _with(cw.pr_auc, interpolation=way),
            needs_negatives=False,
            constant=(lambda p: (1 + p) / 2) if way == "trapezoid" else (lambda p: p),
        )
        for way in ("continuous", "step", "trapezoid", "envelope", "11-point", "101-point")
    ),
    Metric(
        "pr_auc recall",
        _with(cw.pr_auc, recall=(0.2, 0.7)),
        needs_negatives=False,
        constant=lambda p: p / 2,
        perfect=0.5,
    ),
    Metric("h_measure", cw.h_measure, swap="same", constant=lambda _: 0.0),
    Metric("h_measure Beta(3, 1.5)", _with(cw.h_measure, alpha=3, beta=1.5), constant=lambda _: 0.0),
    Metric(
        "cost_curve.area",
        _curve(cw.cost_curve, "area"),
        prevalence_free=True,
        swap="same",
        constant=lambda _: 0.25,
        perfect=0.0,
    ),
    Metric("pr_gain area", _curve(cw.pr_gain_curve, "area"), constant=lambda _: 0.0),
    *(
        Metric(f"at {name}", _at(name), needs_negatives=False, prevalence_free=free, perfect=None)
        for name, free in (("recall", True), ("precision", False), ("f1", False), ("lift", False))
    ),
    *(
        Metric(f"at {name}", _at(name), prevalence_free=free, perfect=None)
        for name, free in (
            ("fpr", True),
            ("specificity", True),
            ("youden", True),
            ("balanced_accuracy", True),
            ("mcc", False),
            ("kappa", False),
            ("accuracy", False),
            ("g_mean", True),
        )
    ),
]
