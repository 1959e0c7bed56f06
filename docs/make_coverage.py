"""Write docs/reference/coverage.md from what `make coverage` counted: how often each interval held the truth."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PAGE, COUNTED = ROOT / "docs" / "reference" / "coverage.md", ROOT / "simulations" / "coverage.json"
ENOUGH = 10  # rows of the rarer class
LOW, HIGH = 0.93, 0.985
HEAD = """# Coverage: how often intervals hold

An interval is a claim about how often it holds the truth. Here it is counted: studies are drawn from populations in
which the true value of every metric is known, and the default 95% interval of each is looked at. The studies have 20
to 2 000 rows, 5 positives and more; normal scores of equal and unequal variance, heavy tails, skewed scores, ratings
with ties; weights that depend on the score; clusters. `make coverage` counts again ({runs:,} studies, about half an
hour on two cores); the counts, with seed and version, are kept in
[`simulations/coverage.json`](../../simulations/coverage.json), and a test repeats some of them. This page is written
from them by `make docs`.

A share counted in 400 studies is itself uncertain by about ±0.02.
"""


def page(counted: dict[str, Any]) -> str:
    """Return the whole page."""
    cells = counted["cells"]
    covered = [c for c in cells if "covered" in c and "method" not in c["subject"]]
    rejected = [c for c in cells if "rejected" in c]
    parts = [HEAD.format(runs=sum(c["runs"] + c["refused"] for c in cells))]
    parts += ["## Intervals\n", _intervals(covered), "## Tests\n", _tests(rejected)]
    odd = [c for c in covered if not _is_fine(c)]
    parts += ["## Where an interval falls short, or is too wide\n", _explained(odd, len(covered))]
    return "\n".join(parts)


def share(cell: dict[str, Any]) -> float:
    """Return the share of studies that are counted."""
    return float(cell.get("covered", cell.get("rejected"))) / max(cell["runs"], 1)


def error(cell: dict[str, Any], level: float = 0.95) -> float:
    """Return the standard error of a share at the level."""
    return math.sqrt(level * (1 - level) / max(cell["runs"], 1))


def _is_fine(cell: dict[str, Any]) -> bool:
    """Whether a share lies within the limits asked for, but for two standard errors of the count."""
    low, high = (LOW, HIGH) if _is_enough(cell) else (0.90, 0.99)
    return low - 2 * error(cell) <= share(cell) <= high + 2 * error(cell, high)


def _is_enough(cell: dict[str, Any]) -> bool:
    return cell["rare"] is None or cell["rare"] >= ENOUGH


def _intervals(cells: list[dict[str, Any]]) -> str:
    lines = [
        "Settings with at least 10 rows of each class and 15 clusters; the last column counts all those with fewer.",
        "",
        "| metric | settings | lowest | mean | highest | fewer rows: lowest to highest |",
        "|---|--:|--:|--:|--:|---|",
    ]
    for name in dict.fromkeys(c["subject"] for c in cells):
        own = [c for c in cells if c["subject"] == name]
        enough, few = ([share(c) for c in own if _is_enough(c) == e and c["runs"]] for e in (True, False))
        if not enough:
            continue
        rest = f"{min(few):.3f} to {max(few):.3f} ({len(few)})" if few else ""
        mean = sum(enough) / len(enough)
        lines.append(f"| `{name}` | {len(enough)} | {min(enough):.3f} | {mean:.3f} | {max(enough):.3f} | {rest} |")
    return "\n".join(lines) + "\n"


def _tests(cells: list[dict[str, Any]]) -> str:
    lead = "How often a true null hypothesis is rejected at the nominal 5%: two equally good models, one model against "
    lead += "its true value, right probabilities."
    lines = [
        lead,
        "",
        "| test | settings | lowest | mean | highest |",
        "|---|--:|--:|--:|--:|",
    ]
    for name in dict.fromkeys(c["subject"] for c in cells):
        own = [share(c) for c in cells if c["subject"] == name and c["runs"]]
        lines.append(f"| {name} | {len(own)} | {min(own):.3f} | {sum(own) / len(own):.3f} | {max(own):.3f} |")
    return "\n".join(lines) + "\n"


def _explained(cells: list[dict[str, Any]], every: int) -> str:
    lead = (
        f"{len(cells)} of {every} settings lie outside 0.93 to 0.985 (0.90 to 0.99 with fewer than 10 rows of a class, "
    )
    lead += "or 15 clusters) by more than twice the error of the count:"
    lines = [lead, "", "| metric | study | held | why |", "|---|---|--:|---|"]
    ordered = sorted(cells, key=lambda c: (why(c), c["subject"], share(c)))
    lines += [f"| `{c['subject']}` | {c['study']} | {share(c):.3f} | {why(c)} |" for c in ordered]
    return "\n".join(lines) + "\n"


def why(cell: dict[str, Any]) -> str:
    """Say what makes an interval miss, or too wide, in a setting."""
    name, study, low = cell["subject"], cell["study"], share(cell) < LOW
    if low and "cluster" in study:
        return "few clusters: their variance is known badly"
    if low and "heavy tails" in study and name in ("average_precision", "pr_auc"):
        return "a few negatives with very high scores make the difference, and are often not among these rows"
    if low and ("heavy tails" in study or "wide positives" in study):
        return "a few positives with very low scores make the difference, and are often not among these rows"
    if low and name in ("precision_at_recall", "recall_at_precision", "top_precision", "equal_error_rate"):
        return "the best of several thresholds is chosen on the same rows: biased with few of them"
    if low and name == "partial_roc_auc":
        return "only two or three negatives lie in the range"
    if low and name in ("average_precision", "pr_auc"):
        return "the highest scores decide, and few rows have them: biased upward"
    if low:
        return "few rows: a discrete number has no interval of exactly this level"
    if "narrow positives" in study or "skewed" in study or "ratings" in study:
        return "scores vary less than is expected beforehand, which few rows cannot tell: too wide"
    return "few rows: kept wide on purpose, since as few may hide a much larger variance"


if __name__ == "__main__":
    PAGE.write_text(page(json.loads(COUNTED.read_text("utf-8"))), encoding="utf-8")
