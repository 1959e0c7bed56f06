"""The thresholds a page can show, and what follows at each; the page's script has the same formulas."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Cuts:
    """Flag nobody first, then more and more; ``rule`` is the place of the rule's choice, if there is one."""

    threshold: list[Any]
    tp: list[float]
    fp: list[float]
    positives: float
    negatives: float
    higher_is: str
    rule: int | None
    thinned: bool

    def __len__(self) -> int:
        return len(self.threshold)

    @property
    def prevalence(self) -> float | None:
        """The share of positives in the rows."""
        n = self.positives + self.negatives
        return self.positives / n if n else None

    def tpr(self, k: int) -> float | None:
        """Return the share of positives that are flagged."""
        return self.tp[k] / self.positives if self.positives else None

    def fpr(self, k: int) -> float | None:
        """Return the share of negatives that are flagged."""
        return self.fp[k] / self.negatives if self.negatives else None

    def precision(self, k: int) -> float | None:
        """Return the share of positives among the flagged rows."""
        flagged = self.tp[k] + self.fp[k]
        return self.tp[k] / flagged if flagged else None


def cuts(model: dict[str, Any]) -> Cuts:
    """Read the sweep of a model; a rule's choice that was thinned out is put back."""
    sweep = model["sweep"]
    threshold = [None, *sweep["threshold"]]
    tp, fp = [0, *sweep["tp"]], [0, *sweep["fp"]]
    thinned = model["distinct"] > len(sweep["threshold"])
    point = model.get("point")
    rule = None
    if point is not None:
        hits, alarms = point["confusion"]["tp"], point["confusion"]["fp"]
        rule = next((k for k in range(len(tp)) if tp[k] == hits and fp[k] == alarms), None)
        if rule is None:
            rule = sum(t + f < hits + alarms for t, f in zip(tp, fp, strict=True))
            threshold.insert(rule, point["threshold"])
            tp.insert(rule, hits)
            fp.insert(rule, alarms)
    higher = sweep.get("higher_is", "positive")
    return Cuts(threshold, tp, fp, sweep["positives"], sweep["negatives"], higher, rule, thinned)


@dataclass(frozen=True)
class Reading:
    """What a cut does in a population: rates, and counts for each row."""

    tpr: float
    fpr: float
    ppv: float | None
    npv: float | None
    alarms: float
    hits: float
    missed: float
    cost: float


def reading(found: Cuts, k: int, prevalence: float, costs: dict[str, float]) -> Reading | None:
    """Return what a cut does at a prevalence; None where a class is absent.

    PPV = π·TPR/(π·TPR + (1−π)·FPR); cost = c_FP(1−π)FPR + c_FN·π(1−TPR) + c_TP·π·TPR + c_TN(1−π)(1−FPR).
    """
    tpr, fpr = found.tpr(k), found.fpr(k)
    if tpr is None or fpr is None:
        return None
    up, down = prevalence, 1 - prevalence
    hits, false = up * tpr, down * fpr
    missed, passed = up * (1 - tpr), down * (1 - fpr)
    alarms, quiet = hits + false, missed + passed
    return Reading(
        tpr,
        fpr,
        hits / alarms if alarms else None,
        passed / quiet if quiet else None,
        alarms,
        hits,
        missed,
        costs["fp"] * false + costs["fn"] * missed + costs["tp"] * hits + costs["tn"] * passed,
    )
