"""Write docs/reference/coverage.md from what `make coverage` counted: how often each interval contained the truth."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PAGE, COUNTED = ROOT / "docs" / "reference" / "coverage.md", ROOT / "simulations" / "coverage.json"
ENOUGH = 10  # rows of the rarer class
LOW, HIGH = 0.93, 0.985
HEAD = """# Coverage: how often intervals contain the truth

A 95% interval claims to contain the truth in 95% of studies. Here this is counted: studies are drawn from populations
in which the true value of every metric is known, and the default 95% interval is computed in each. The studies have 20
to 2 000 rows, 5 positives and more; normal scores of equal and unequal variance, heavy tails, skewed scores, ratings
with ties; weights that depend on the score; clusters, of unequal size and prevalence too; probabilities that are right,
too extreme or too moderate. On six families (gamma, beta, a hidden subgroup, rounded log-normal, skew-t, five ratings)
no constant of any method was chosen. Classes, groups, sites, folds, two samples, windows of a stream, outcomes over
time, partial verification, readers, decision curves and chosen thresholds have studies of their own; detection is
counted by `simulations/detection.py`, and [its page](../learn/detection.md) has the result.
`make coverage` counts again ({runs:,} studies, about an hour on two cores); the counts, with seed and version, are kept
in [`simulations/coverage.json`](../../simulations/coverage.json), and a test repeats some of them. This page is written
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
    counted_at_all = [c for c in covered if c["runs"]]
    odd = [c for c in counted_at_all if not LOW <= share(c) <= HIGH]
    parts += ["## Where an interval falls short, or is too wide\n", _explained(odd, len(counted_at_all))]
    return "\n".join(parts)


def share(cell: dict[str, Any]) -> float:
    """Return the share of studies that are counted."""
    return float(cell.get("covered", cell.get("rejected"))) / max(cell["runs"], 1)


def error(cell: dict[str, Any], level: float = 0.95) -> float:
    """Return the standard error of a share at the level."""
    return math.sqrt(level * (1 - level) / max(cell["runs"], 1))


def _is_chance(cell: dict[str, Any]) -> bool:
    """Whether a share lies within the limits but for two standard errors of the count."""
    return LOW - 2 * error(cell, LOW) <= share(cell) <= HIGH + 2 * error(cell, HIGH)


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
    clear, few = [c for c in cells if not _is_chance(c)], [c for c in cells if not _is_enough(c)]
    below = [c for c in cells if share(c) < LOW]
    lead = (
        f"**{len(cells)} of {every} settings lie outside 0.93 to 0.985**: {len(below)} below, "
        f"{len(cells) - len(below)} above. {len(few)} of these have fewer than 10 rows of a class, or 15 clusters, "
        f"and a note beside their interval says so. {len(cells) - len(clear)} are within two standard errors of the "
        f"count, so chance may explain each of them, though not all together: the means above show where intervals "
        f"are too wide. {len(clear)} are not, {sum(share(c) < LOW for c in clear)} of them below. By reason:"
    )
    lines = [lead, "", "| why | below | above | beyond chance |", "|---|--:|--:|--:|"]
    for reason in sorted({why(c) for c in cells}):
        own = [c for c in cells if why(c) == reason]
        low, sure = sum(share(c) < LOW for c in own), sum(not _is_chance(c) for c in own)
        lines.append(f"| {reason} | {low} | {len(own) - low} | {sure} |")
    lines += ["", "Each of them; those that chance may explain are marked ±.", ""]
    lines += ["| metric | study | held | why |", "|---|---|--:|---|"]
    ordered = sorted(cells, key=lambda c: (why(c), c["subject"], share(c)))
    lines += [
        f"| `{c['subject']}` | {c['study']} | {share(c):.3f}{' ±' if _is_chance(c) else ''} | {why(c)} |"
        for c in ordered
    ]
    return "\n".join(lines) + "\n"


def why(cell: dict[str, Any]) -> str:
    """Say what makes an interval miss, or too wide, in a setting."""
    name, study, low = cell["subject"], cell["study"], share(cell) < LOW
    if low and "cluster" in study:
        return "few clusters: their variance is uncertain"
    if low and "log odds times" in study:
        return "probabilities are too extreme: a few positives with a high one matter most, and few were drawn"
    if low and "heavy tails" in study and name in ("average_precision", "pr_auc"):
        return "a few negatives with very high scores matter most, and are often not in the sample"
    if low and any(family in study for family in ("heavy tails", "wide positives", "hidden subgroup")):
        return "a few positives with very low scores matter most, and are often not in the sample"
    chosen = ("precision_at_recall", "recall_at_precision", "top_precision", "equal_error_rate")
    if low and (name in chosen or name.startswith("chosen threshold")):
        return "the best of several thresholds is chosen on the same rows: biased with few of them"
    if low and name in ("average_precision", "pr_auc"):
        return "the highest scores matter most, and few rows have them: biased upward"
    if low:
        return "few rows: a discrete number has no interval of exactly this level"
    if name in ("average_precision", "pr_auc", "partial_roc_auc"):
        return "the lower end allows for a negative that was not drawn, and here there are none: too wide"
    if "narrow positives" in study or "skewed" in study or "ratings" in study:
        return "scores vary less than is expected beforehand, which few rows cannot show: too wide"
    return "few rows: kept wide on purpose, since as few may hide a much larger variance"


if __name__ == "__main__":
    PAGE.write_text(page(json.loads(COUNTED.read_text("utf-8"))), encoding="utf-8")
