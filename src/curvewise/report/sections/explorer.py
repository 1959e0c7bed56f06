"""Which threshold, and what happens then: sliders, and the rule's choice beneath them."""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from curvewise.document.blocks import Block, Explorer, Heading, Plates, Section, Text
from curvewise.report import behind
from curvewise.report.sections.point import points

if TYPE_CHECKING:
    from curvewise.report.cuts import Cuts
    from curvewise.report.paper import Paper


def explorer(paper: Paper) -> Section | None:
    """Write the section of the sliders."""
    w = paper.w
    if not paper.models:
        return None
    blocks: list[Block] = [Text(w("explorer.lead"), "lead")]
    if ready(paper):
        blocks.append(Explorer([paper.names[k] for k in ready(paper)]))
    blocks += points(paper)
    costs = []
    if any(m.get("decision") for m in paper.models):
        costs.append(paper.plate("decision", behind.decision_grid(paper)))
    if "cost" in paper.figures:
        costs.append(paper.plate("cost", behind.cost_grid(paper)))
    blocks += [Heading(w("explorer.costs")), Text(w("explorer.costs.lead")), Plates(costs)] if costs else []
    return Section("explorer", w("section.explorer"), [*blocks, *paper.left_out("decision")])


def ready(paper: Paper) -> list[int]:
    """Return the models whose thresholds can be moved: those that saw both classes."""
    return [k for k, c in enumerate(paper.cuts) if c.positives and c.negatives]


def script_data(paper: Paper) -> dict[str, Any]:
    """Return what the page's script needs: cuts, costs, places of figures, words."""
    stated = paper.document["options"].get("prevalence")
    rows = paper.document["data"]
    independent = rows.get("clusters") is None and not rows.get("weighted")
    return {
        "models": [_model(paper, k, paper.cuts[k]) for k in ready(paper)],
        "costs": paper.costs,
        "prevalence": stated,
        "z": NormalDist().inv_cdf((1 + paper.level) / 2) if independent else None,
        "figures": {f.id: {"key": key, "frames": f.frames} for key, f in paper.figures.items()},
        "percent": paper.w.numbers.percent,
        "between": paper.w.numbers.between,
        "words": paper.w.under("js."),
    }


def _model(paper: Paper, place: int, found: Cuts) -> dict[str, Any]:
    return {
        "place": place,
        "name": paper.names[place],
        "threshold": found.threshold,
        "tp": found.tp,
        "fp": found.fp,
        "positives": found.positives,
        "negatives": found.negatives,
        "higher": found.higher_is,
        "rule": found.rule,
        "thinned": found.thinned,
        "distinct": paper.models[place]["distinct"],
    }
