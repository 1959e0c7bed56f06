"""What a report found, in a few lines for a terminal."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from curvewise.cli.layout import Grid
from curvewise.cli.sketch import sketch
from curvewise.results.numbers import show
from curvewise.results.text import visible
from curvewise.rows.columns import count

if TYPE_CHECKING:
    from curvewise.report.evaluation import Evaluation
    from curvewise.results.estimate import Estimate


def summary(evaluation: Evaluation, written: str, *, plain: bool) -> str:
    """Return the main numbers, the thresholds, small ROC curves and the name of what was written."""
    parts = _of_classes(evaluation) if evaluation.multiclass is not None else _of_models(evaluation, plain)
    found = evaluation.caveats
    warned = sum(c["severity"] == "warn" for c in found)
    parts.append(f"{count(len(found), 'caveat')}, {warned or 'none'} of them serious.")
    parts.append(f"Report: {visible(written)}")
    return "\n\n".join(parts) + "\n"


def _of_models(evaluation: Evaluation, plain: bool) -> list[str]:
    models = evaluation.models
    first = next(iter(models.values())).sweep
    rows = [
        [name, *(_written(m.estimates.get(k)) for k in ("roc_auc", "average_precision"))]
        for name, m in models.items()
    ]
    title = (
        f"{evaluation.source.name}: {show(first.n)} rows, {show(first.positives)} positive "
        f"({100 * first.prevalence:.3g} %), {_level(evaluation)}"
    )
    parts = [str(Grid(title, ["score", "AUC", "average precision"], rows, range(1, 3)))]
    parts.append(sketch({name: m.roc for name, m in models.items()}, plain=plain))
    parts += [
        visible(f"{name}: {m.point.sentence}" if m.point else f"{name}: no threshold keeps the rule.")
        for name, m in models.items()
    ]
    return parts


def _of_classes(evaluation: Evaluation) -> list[str]:
    found: Any = evaluation.multiclass
    title = f"{evaluation.source.name}: {show(found.n)} rows, {len(found.classes)} classes, "
    rows = [[name, _written(e)] for name, e in evaluation.multiclass_estimates.items()]
    return [str(Grid(title + _level(evaluation), ["metric", "value"], rows, range(1, 2)))]


def _level(evaluation: Evaluation) -> str:
    return f"{100 * evaluation.options['level']:.4g} % intervals"


def _written(estimate: Estimate | None) -> str:
    if estimate is None:
        return "undefined"
    ends = "" if math.isnan(estimate.low) else f" ({show(estimate.low)} to {show(estimate.high)})"
    return show(estimate.value) + ends
