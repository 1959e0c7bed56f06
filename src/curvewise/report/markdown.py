"""The main numbers of an evaluation as text: Markdown, plain, and for a notebook."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING

from curvewise.results.numbers import show
from curvewise.results.text import markdown
from curvewise.words import Words

if TYPE_CHECKING:
    from curvewise.report.evaluation import Evaluation
    from curvewise.results.estimate import Estimate


def to_markdown(evaluation: Evaluation) -> str:
    """Return sections with tables, in the order a reader asks."""
    lines = [f"# {_title(evaluation)}", "", _rows(evaluation), ""]
    if evaluation.multiclass is not None:
        cells = [[k, _written(e)] for k, e in evaluation.multiclass_estimates.items()]
        return "\n".join([*lines, *_grid(["metric", "value"], cells), *_caveats(evaluation)]) + "\n"
    models = evaluation.models
    names = list(dict.fromkeys(k for m in models.values() for k in (*m.estimates, *m.losses)))
    cells = [
        [name, *(_written({**m.estimates, **m.losses}.get(name)) for m in models.values())] for name in names
    ]
    lines += ["## Numbers", "", *_grid(["metric", *models], cells), ""]
    if evaluation.comparison is not None:
        table = evaluation.comparison.table
        lines += ["## Comparison", "", *_grid(list(table.columns), table.cells()), ""]
    points = {name: m.point for name, m in models.items() if m.point is not None}
    if points:
        lines += ["## Threshold", ""]
        lines += [f"- **{_safe(name)}**: {_safe(p.sentence)}" for name, p in points.items()] + [""]
    for name, groups in evaluation.groups.items():
        wide = groups.wide
        lines += [f"## Groups: {_safe(name)}", "", *_grid(list(wide.columns), wide.cells()), ""]
    for name, sites in evaluation.sites.items():
        lines += [
            f"## Sites: {_safe(name)}",
            "",
            *_grid(list(sites.forest.columns), sites.forest.cells()),
            "",
        ]
    return "\n".join([*lines, *_caveats(evaluation)]) + "\n"


def to_text(evaluation: Evaluation) -> str:
    """Return the same in a few lines."""
    lines = [_title(evaluation), _rows(evaluation)]
    for name, estimate in evaluation.multiclass_estimates.items():
        lines.append(f"{name}: {_written(estimate)}")
    for name, model in evaluation.models.items():
        auc = model.estimates.get("roc_auc")
        lines.append(f"{name}: AUC {_written(auc)}")
        if model.point is not None:
            lines.append(f"  {model.point.sentence}")
    return "\n".join(lines)


def to_notebook(evaluation: Evaluation) -> str:
    """Return HTML for a notebook: text alone, escaped."""
    return f"<pre>{escape(to_text(evaluation))}</pre>"


def _title(evaluation: Evaluation) -> str:
    return f"Evaluation of {_safe(evaluation.source.name or 'predictions')}"


def _rows(evaluation: Evaluation) -> str:
    if evaluation.multiclass is not None:
        return f"{show(evaluation.multiclass.n)} rows, {len(evaluation.options['scores'])} classes"
    first = next(iter(evaluation.models.values())).sweep
    return (
        f"{show(first.n)} rows, {show(first.positives)} positive ({100 * first.prevalence:.3g} %), "
        f"label {_safe(evaluation.options['label'])}"
    )


def _caveats(evaluation: Evaluation) -> list[str]:
    if not evaluation.caveats:
        return []
    words = Words("en")
    lines = ["## Caveats", ""]
    for caveat in evaluation.caveats:
        whose = f"{caveat['model']}: " if caveat["model"] else ""
        lines.append(f"- {_safe(whose + words('caveat.' + caveat['code'], **caveat['values']))}")
    return lines


def _written(estimate: Estimate | None) -> str:
    if estimate is None:
        return "undefined"
    if math.isnan(estimate.low):
        return show(estimate.value)
    return f"{show(estimate.value)} ({show(estimate.low)} to {show(estimate.high)})"


def _grid(head: list[str], cells: list[list[str]]) -> list[str]:
    rows = [head, ["---"] * len(head), *cells]
    return ["| " + " | ".join(_safe(c) for c in row) + " |" for row in rows]


def _safe(text: str) -> str:
    """Keep one line, and escape what Markdown or HTML would take for markup."""
    return markdown(" ".join(str(text).split()))
