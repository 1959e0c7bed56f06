"""``curvewise demo``: the metrics of a file that comes with the package, explained, and its report."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from curvewise.cli.file_rows import ScoreFile
from curvewise.cli.options import FORCE, FORMATS, make_command, option
from curvewise.cli.output import emit, put, say, steps
from curvewise.results.text import visible

if TYPE_CHECKING:
    from curvewise.core.confusion import Confusion
    from curvewise.inference.metric_table import MetricTable

SCORES = ("model_a", "model_b", "rating")
THRESHOLD = 0.05
OWN = "curvewise report YOUR_FILE.csv --label disease --score model_a --score model_b --group sex"
PAGE = "curvewise-demo.html"
REPLICATES = 200  # a demonstration should be quick


@make_command(
    "demo",
    option("--format", "How to write the numbers.", FORMATS, into="form"),
    option(
        "-o --output FILE",
        f"Where the report goes; default: {PAGE}, which is kept if it exists.",
        click.Path(),
    ),
    FORCE,
)
def command(form: Any, output: str | None, *, force: bool) -> None:
    """Show the metrics of simulated data that come with the package, say what they mean, write a report."""
    from curvewise.cli.answer import document_of  # noqa: PLC0415 - --help needs no NumPy
    from curvewise.document.blocks import Text  # noqa: PLC0415
    from curvewise.inference.metric_table import metric_table  # noqa: PLC0415
    from curvewise.results.writing import output_path, write_atomically  # noqa: PLC0415

    kept = output is None and not force and Path(PAGE).exists()
    with as_file(files("curvewise.data") / "screening.csv") as file:
        path = None if kept else output_path(output or PAGE, str(file), force=force)
        shown = "screening.csv (simulated, shipped with curvewise)"
        data = ScoreFile(str(file), "disease", SCORES, shown_as=shown)
        table = metric_table(data.rows, thresholds={SCORES[0]: [THRESHOLD]})
        document = document_of("metrics", 2, data, {}, {None: {"": table}})
        document.blocks.extend(Text(line) for line in explain(table, table.confusions[SCORES[0]][THRESHOLD]))
        emit(document, form, None)
        if path is not None:
            write_atomically(path, _page(str(file)).encode())
    line = f"Report: {visible(output or PAGE)}"
    if kept:
        line += " (of an earlier run, kept; curvewise demo --force makes it again)"
    # below the text, or beside numbers that a program may read
    put(f"\n{line}\n") if form == "table" else say(line)


def _page(file: str) -> str:
    from curvewise.cli.evaluation import evaluated, rendered  # noqa: PLC0415

    data = ScoreFile(file, "disease", SCORES, groups=("sex",), site="site")
    with steps() as step:
        found = evaluated(data, step, "curvewise demo", seed=0, replicates=REPLICATES)
        return rendered(found, "html", "en", step)


def explain(table: MetricTable, at: Confusion) -> list[str]:
    """Say in plain words what the numbers show; every claim follows from the numbers themselves."""
    a, b, rating = table.estimates
    share = table.facts["prevalence"]
    precision = {name: table.estimates[name]["average_precision"].value for name in (a, b)}
    rare = (
        f"{table.facts['positives']} of {table.facts['rows']} rows are positive ({share:.1%}), so a score "
        f"without skill would have average precision {share:.3f} but ROC area 0.5: the average precision "
        f"of {a}, {precision[a]:.3f}, and of {b}, {precision[b]:.3f}, must be read against the former."
    )
    tied = (
        f"{rating} takes only {table.distinct_scores[rating]} values, so many rows are tied; a tie counts "
        "one half in the ROC area, whatever the order of the rows."
    )
    flagged, ill = at.tp + at.fp, at.tp + at.fn
    cut = (
        f"Flagging rows with {a} ≥ {at.threshold} raises {flagged} alarms, of which {at.tp} are right "
        f"({at.tp / flagged:.0%}), and finds {at.tp / ill:.0%} of the {ill} positives."
    )
    simulated = "The data are simulated: no row is a real person."
    own = f"On your own file, with your own columns: {OWN}"
    return [simulated, _whole_and_part(table), rare, tied, cut, own]


def _whole_and_part(table: MetricTable) -> str:
    a, b, *_ = table.estimates
    found = [table.estimates[name] for name in (a, b)]
    whole, part = ([e[metric].value for e in found] for metric in ("roc_auc", "partial_roc_auc"))
    near = "nearly the same" if abs(whole[0] - whole[1]) < 0.02 else "not the same"
    text = f"Over the whole ROC curve {a} and {b} are {near} ({whole[0]:.3f} and {whole[1]:.3f})"
    if abs(part[0] - part[1]) < 0.02:
        return f"{text}, and so it is where false alarms are rare ({part[0]:.3f} and {part[1]:.3f})."
    better, worse = (a, b) if part[0] > part[1] else (b, a)
    return (
        f"{text}; where at most one negative in ten may be flagged, {better} is ahead: "
        f"{max(part):.3f} against {min(part):.3f} for {worse}."
    )
