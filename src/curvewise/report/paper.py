"""What every section of the page is written from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from curvewise.document.blocks import Block, Plate, Text
from curvewise.report.cuts import Cuts, cuts

if TYPE_CHECKING:
    from curvewise.document.blocks import Grid
    from curvewise.report.figures import Figure
    from curvewise.words import Words

NO_COSTS = {"fp": 1.0, "fn": 1.0, "tp": 0.0, "tn": 0.0}


@dataclass(frozen=True)
class Paper:
    """An evaluation, its figures, and a language."""

    document: dict[str, Any]
    figures: dict[str, Figure]
    w: Words

    @property
    def models(self) -> list[dict[str, Any]]:
        """The models, in order."""
        found: list[dict[str, Any]] = self.document["models"]
        return found

    @property
    def names(self) -> list[str]:
        """The names of the models."""
        return [m["name"] for m in self.models]

    @property
    def level(self) -> float:
        """The confidence level of all intervals."""
        return float(self.document["options"]["level"])

    @cached_property
    def cuts(self) -> list[Cuts]:
        """The thresholds of each model."""
        return [cuts(m) for m in self.models]

    @property
    def costs(self) -> dict[str, float]:
        """What each outcome costs; where nothing was said, a miss as much as a false alarm."""
        given = self.document["options"].get("costs") or {}
        return {**NO_COSTS, **{k: v for k, v in given.items() if v is not None}}

    @property
    def prevalence(self) -> float | None:
        """The share of positives where the model will be used: as stated, else that of the rows."""
        stated: float | None = self.document["options"].get("prevalence")
        sample: float | None = self.document["data"].get("prevalence")
        return sample if stated is None else stated

    def plate(self, key: str, grid: Grid, model: str | None = None) -> Plate:
        """Return a figure, or its table alone where the figure was not drawn."""
        kind = key.partition(":")[0]
        title = self.w(f"figure.{kind}")
        if model is not None and len(self.models) > 1:
            title = self.w("figure.of", title=title, model=model)
        return Plate(self.figures.get(key), title, self.w(f"figure.{kind}.caption"), grid, key)

    def left_out(self, part: str) -> list[Block]:
        """Say why a part, or a model in it, is missing."""
        return [
            Text(left_out_words(self.w, item), "note", title=self.w.known("part", part) + self.w("colon"))
            for item in self.document["left_out"]
            if item["part"] == part
        ]


def left_out_words(w: Words, item: dict[str, Any]) -> str:
    """Say what was left out, and why."""
    key = f"left_out.{item['reason']}"
    values = {**(item.get("values") or {}), "model": item.get("model")}
    why = w(key, **values) if key in w else w("left_out.other", reason=item["reason"])
    return w("left_out.of", model=item["model"], why=why) if item.get("model") else why
