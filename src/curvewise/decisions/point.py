"""A chosen threshold with everything that follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from curvewise.results.numbers import json_safe, show

if TYPE_CHECKING:
    from curvewise.core.confusion import Confusion
    from curvewise.decisions.optimism import Optimism
    from curvewise.decisions.rule import Rule
    from curvewise.decisions.slopes import BestFor
    from curvewise.results.result import Table

TIES_SHOWN = 5


@dataclass(frozen=True, repr=False)
class OperatingPoint:
    """A threshold chosen by a rule, made by `curvewise.operating_point`.

    Attributes
    ----------
    rule
        The rule, with its options.
    threshold
        The observed score to cut at; infinite where nobody is flagged.
    midpoint
        Halfway to the next score, which is not flagged: the same rows here, and safer where a score changes
        in its last digits. Infinite where everybody is flagged.
    tied
        All thresholds that are equally good, the chosen one first.
    confusion
        The counts of these rows.
    value
        What the rule made as good as it could, on these rows and at its prevalence.
    prevalence
        What the rule, the rates and the sentence refer to.
    rates
        Recall, specificity, precision … with intervals, at that prevalence.
    threshold_interval
        Where the threshold would lie on other samples of this size, by bootstrap; None without resamples.
    optimism
        What the rule gave here (``apparent``) against what this threshold will give on new rows
        (``out_of_bag``); None without resamples.
    best_for
        The costs for which this is the cheapest point of all.
    sentence
        The choice in plain words.
    level, replicates, higher_is, notes
        How it was made, and what a careful reader should know.
    """

    rule: Rule
    threshold: float
    midpoint: float
    tied: tuple[float, ...]
    confusion: Confusion
    value: float
    prevalence: float
    rates: Table
    threshold_interval: tuple[float, float] | None
    optimism: Optimism | None
    best_for: BestFor
    sentence: str
    level: float
    replicates: int
    higher_is: str
    notes: tuple[str, ...] = ()

    def headline(self) -> str:
        """Return rule, threshold and value in one line."""
        text = f"{self.rule!r}: threshold {self.threshold!r}"
        if self.midpoint != self.threshold:
            text += f" (to deploy: {self.midpoint:.10g})"
        if self.threshold_interval is not None:
            low, high = self.threshold_interval
            text += f", {100 * self.level:.4g} % interval {show(low)} to {show(high)}"
        return f"{text}; {self.rule.goal} {show(self.value)}"

    def remarks(self) -> list[str]:
        """Return what else is to be said, a sentence each."""
        others = [repr(t) for t in self.tied[1:]]
        more = f" and {len(others) - TIES_SHOWN} more" if len(others) > TIES_SHOWN else ""
        ties = f"Equally good: {', '.join(others[:TIES_SHOWN])}{more}; the first is chosen."
        return [str(self.best_for), *([ties] if others else []), *(f"Note: {note}." for note in self.notes)]

    def __str__(self) -> str:
        tables = [str(self.rates), *([] if self.optimism is None else [str(self.optimism)])]
        return "\n\n".join([f"{self.headline()}\n{self.sentence}", *tables, "\n".join(self.remarks())])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"

    def to_dict(self) -> dict[str, Any]:
        """Return everything, JSON-safe."""
        ends = self.threshold_interval
        options = {k: json_safe(v) if not callable(v) else repr(v) for k, v in self.rule.options.items()}
        return {
            "rule": {"name": self.rule.name, "options": options, "prevalence": self.rule.prevalence},
            "threshold": json_safe(self.threshold),
            "midpoint": json_safe(self.midpoint),
            "tied": [json_safe(t) for t in self.tied],
            "threshold_interval": None if ends is None else [json_safe(t) for t in ends],
            "confusion": self.confusion.to_dict(),
            "goal": self.rule.goal,
            "value": json_safe(self.value),
            "prevalence": self.prevalence,
            "rates": self.rates.to_dict()["rows"],
            "optimism": None if self.optimism is None else self.optimism.to_dict(),
            "best_for": self.best_for.to_dict(),
            "sentence": self.sentence,
            "level": self.level,
            "replicates": self.replicates,
            "higher_is": self.higher_is,
            "notes": list(self.notes),
        }
