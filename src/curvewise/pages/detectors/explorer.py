"""What the script of a page about detectors is given: thresholds with counts, of all classes together and of each."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.curves.base import kept_points
from curvewise.pages.scores.explorer import DIGITS, MOST_IN_ALL, digits_of
from curvewise.results.numbers import json_safe

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.pages.detectors.page import DetectionPage

POOLED = 400  # thresholds of all classes together
FEWEST = 20  # thresholds of one class


def script_data(page: DetectionPage) -> dict[str, Any]:
    """Return all of it, JSON-safe; ``first`` is the place of the detector that is shown first."""
    names = list(page.evaluation.detectors)
    leader = page.leader
    return {
        "models": [],  # those of classifiers, which the common scripts look for
        "detection": {
            "images": len(page.first.matched.images),
            "first": names.index(leader) if leader in names else 0,
            "detectors": [_detector(page, name) for name in names],
        },
        "figures": {f.id: {"key": key, "frames": f.frames} for key, f in page.figures.items()},
        "percent": page.w.numbers.percent,
        "between": page.w.numbers.between,
        "words": {**page.w.under("js."), **page.w.under("detection.js.")},
    }


def explored_classes(page: DetectionPage) -> list[Any]:
    """Return the classes that the slider knows: all, or of very many those with the most objects."""
    objects = {name: sweep.positives for name, sweep in page.first.sweeps.items()}
    most = max(MOST_IN_ALL // (FEWEST * len(page.names)), 1)
    kept = set(sorted(objects, key=lambda name: -objects[name])[:most])
    return [] if len(objects) < 2 else [name for name in objects if name in kept]


def _detector(page: DetectionPage, name: str) -> dict[str, Any]:
    found, classes = page.evaluation.detectors[name], explored_classes(page)
    most = max((MOST_IN_ALL // len(page.names) - POOLED) // max(len(classes), 1), FEWEST)
    threshold = float(found.at.threshold)
    sweeps = [_sweep(found.pooled, threshold, POOLED)]
    sweeps += [_sweep(found.sweeps[c], threshold, most) for c in classes]
    return {"name": name, "threshold": json_safe(threshold), "sweeps": sweeps}


def _sweep(sweep: Sweep, threshold: float, most: int) -> dict[str, Any]:
    """Return the thresholds that the page keeps, first the one that shows no box, with counts.

    Kept are those that show in the curve, the last at or above the report's threshold, and the one of the best F1.
    """
    scores, tp, fp = sweep.threshold, sweep.tp, sweep.fp
    if not len(scores):
        return {"threshold": [None], "digits": "0", "tp": [0], "fp": [0], "truths": sweep.positives, **_NOTHING}
    f = 2 * tp / (tp + fp + sweep.positives)
    at = sweep.at(threshold)
    best, chosen = int(np.argmax(f)), int(np.searchsorted(tp + fp, at.tp + at.fp, side="right")) - 1
    keep = np.arange(len(scores))
    if len(scores) > most:
        shown = kept_points(np.append(0, fp) / max(int(fp[-1]), 1), np.append(0, tp) / sweep.positives, most + 1)
        keep = np.union1d(shown[shown > 0] - 1, [best, max(chosen, 0)]).astype(np.intp)
    few = replace(sweep, threshold=scores[keep], tp=tp[keep], fp=fp[keep])
    found: dict[str, Any] = json_safe(
        {
            "threshold": [None, *few.threshold.tolist()],
            "digits": "0" + "".join(DIGITS[d] for d in digits_of(few)),
            "tp": [0, *few.tp.tolist()],
            "fp": [0, *few.fp.tolist()],
            "truths": sweep.positives,
            "best": int(np.searchsorted(keep, best)) + 1,
            "chosen": int(np.searchsorted(keep, chosen)) + 1 if chosen >= 0 else 0,
            "thinned": len(keep) < len(scores),
            "distinct": len(scores),
        }
    )
    return found


_NOTHING = {"best": 0, "chosen": 0, "thinned": False, "distinct": 0}
