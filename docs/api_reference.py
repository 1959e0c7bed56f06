"""Write the pages of the Python reference: every public name, on the page of the package that defines it."""

from __future__ import annotations

import ast
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src"
# page: its title, and the modules whose public names it holds; the longest match wins
PAGES: dict[str, tuple[str, tuple[str, ...]]] = {
    "sweeps": ("Rows and sweeps", ("curvewise.rows", "curvewise.core", "curvewise.metric.bounds")),
    "confusion": ("The confusion table", ("curvewise.core.confusion", "curvewise.metric.confusion_counts")),
    "areas": ("Areas and other numbers of a ranking", ("curvewise.metric",)),
    "curves": ("Curves", ("curvewise.curves",)),
    "inference": ("Intervals, comparisons, sample size", ("curvewise.inference", "curvewise.core.rate")),
    "decisions": ("Thresholds and costs", ("curvewise.decisions",)),
    "probabilities": (
        "Probabilities",
        ("curvewise.probabilities", "curvewise.metric.losses", "curvewise.metric.skill"),
    ),
    "breakdown": ("Groups, sites, folds", ("curvewise.breakdown",)),
    "many-classes": ("Many classes, several labels", ("curvewise.many_classes",)),
    "detection": ("Detection", ("curvewise.detection", "curvewise.evaluation.detectors")),
    "survival": ("Censored outcomes", ("curvewise.censored",)),
    "signal-detection": ("Signal detection", ("curvewise.signal_detection",)),
    "sources": ("Large data, streams", ("curvewise.sources", "curvewise.core.threads", "curvewise.core.bins")),
    "scikit-learn": ("Inside scikit-learn", ("curvewise.tuning", "curvewise.sklearn")),
    "objectives": ("Objectives for training", ("curvewise.objectives",)),
    "evaluation": ("Evaluations and reports", ("curvewise.evaluation", "curvewise.pages")),
    "results": ("Results and errors", ("curvewise.results", "curvewise.errors")),
}


def public_names() -> dict[str, str]:
    """Return where each public name is defined, from the stubs: ``curvewise.roc_auc`` and its like."""
    found = {}
    for package in ("curvewise", "curvewise.results", "curvewise.detection", "curvewise.objectives"):
        stub = SOURCE.joinpath(*package.split("."), "__init__.pyi")
        for line in ast.parse(stub.read_text("utf-8")).body:
            if isinstance(line, ast.ImportFrom):
                found |= {f"{package}.{alias.name}": f"{line.module}.{alias.name}" for alias in line.names}
    return found


def page_of(home: str) -> str:
    """Return the page that a name belongs to, by the module where it is defined."""
    fitting = [
        (len(m), page) for page, (_, modules) in PAGES.items() for m in modules if f"{home}.".startswith(f"{m}.")
    ]
    if not fitting:
        raise LookupError(f"{home}: no page of docs/api_reference.py holds this module.")
    return max(fitting)[1]


def pages() -> dict[str, str]:
    """Return the Markdown of every page by its file name."""
    parts = {page: [f"# {title}\n"] for page, (title, _) in PAGES.items()}
    for name, home in sorted(public_names().items(), key=lambda item: item[0].casefold()):
        parts[page_of(home)].append(_entry(name, home))
    return {f"{page}.md": "\n".join(lines) for page, lines in parts.items()}


def _entry(name: str, home: str) -> str:
    """Return the Markdown that shows one name with its docstring; of a module, only what it is for."""
    is_module = not SOURCE.joinpath(*home.split(".")[:-1]).with_suffix(".py").exists() and (
        SOURCE.joinpath(*home.split(".")).is_dir() or SOURCE.joinpath(*home.split(".")).with_suffix(".py").exists()
    )
    members = "\n      members: false" if is_module and home != "curvewise.decisions.rules" else ""
    anchor = f"[](){{#{name}}}\n\n" if name != home else ""
    return f"{anchor}::: {home}\n    options:\n      heading: {name}\n      toc_label: {name}{members}\n"
