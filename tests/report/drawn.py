"""The figures of the sample document, drawn as an evaluation would draw them."""

from __future__ import annotations

from functools import cache

import numpy as np

import curvewise as cw
from curvewise import figures
from report import sample

WORDS = {"en": figures.ENGLISH, "zh": figures.CHINESE}


@cache
def drawings(lang="en", names=("model_a", "model_b", "rating")):
    """Return drawings by key; the names may be hostile."""
    y = np.array(sample.column("disease", int))
    kept = ("model_a", "model_b", "rating")
    scores = {shown: np.array(sample.column(n, float)) for n, shown in zip(kept, names, strict=True)}
    sweeps = {n: cw.sweep(y, s) for n, s in scores.items()}
    say = WORDS[lang]

    def drawn(key, draw, *results, **options):
        fig = figures.figure()
        draw(*results, ax=fig.add_subplot(), labels=say, **options)
        return figures.to_svg(fig, prefix=key.replace(":", "-"))

    def each(curve):
        return {n: curve(s) for n, s in sweeps.items()}

    decisions = {n: cw.decision_curve(s) for n, s in list(sweeps.items())[:2]}
    found = {
        "roc": drawn("roc", figures.draw_roc, each(cw.roc_curve)),
        "pr": drawn("pr", figures.draw_pr, each(cw.pr_curve)),
        "det": drawn("det", figures.draw_det, each(cw.det_curve)),
        "cost": drawn("cost", figures.draw_cost, each(cw.cost_curve)),
        "decision": drawn("decision", figures.draw_decision, decisions),
        "difference": drawn("difference", figures.draw_difference, cw.compare(y, scores)),
        "thresholds:0": drawn("thresholds:0", figures.draw_thresholds, next(iter(sweeps.values()))),
    }
    for k, sweep in enumerate(sweeps.values()):
        found[f"distribution:{k}"] = drawn(f"distribution:{k}", figures.draw_distribution, sweep)
    return found
