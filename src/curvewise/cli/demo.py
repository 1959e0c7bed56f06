"""``curvewise demo``: the metrics of a file that comes with the package, explained, and its report."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from curvewise.cli.options import FORMATS, force_option
from curvewise.results.text import visible

if TYPE_CHECKING:
    from curvewise.cli.measured import Report

SCORES = ("model_a", "model_b", "rating")
THRESHOLD = 0.05
OWN = "curvewise report YOUR_FILE.csv --label disease --score model_a --score model_b --group sex"
PAGE = "curvewise-demo.html"
REPLICATES = 200  # a demonstration should be quick


@click.command("demo")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="table",
    show_default=True,
    help="How to write the numbers.",
)
@click.option(
    *("-o", "--output"),
    type=click.Path(),
    metavar="FILE",
    help=f"Where the report goes; default: {PAGE}, which is kept if it exists.",
)
@force_option
def command(form: Any, output: str | None, *, force: bool) -> None:
    """Show the metrics of simulated data that come with the package, say what they mean, write a report."""
    from curvewise.cli.job import Request, evaluate  # noqa: PLC0415 - --help needs no NumPy
    from curvewise.cli.output import emit  # noqa: PLC0415
    from curvewise.results.writing import output_path, write_atomically  # noqa: PLC0415

    kept = output is None and not force and Path(PAGE).exists()
    with as_file(files("curvewise.data") / "screening.csv") as file:
        path = None if kept else output_path(output or PAGE, str(file), force=force)
        report = evaluate(Request(str(file), "disease", SCORES, {"model_a": [THRESHOLD]}))
        report = replace(
            report, source="screening.csv (simulated, shipped with curvewise)", remarks=explain(report)
        )
        emit(report, form, None)
        if path is not None:
            write_atomically(path, _page(str(file)).encode())
    line = f"Report: {visible(output or PAGE)}"
    if kept:
        line += " (of an earlier run, kept; curvewise demo --force makes it again)"
    _last(line, form)


def _page(file: str) -> str:
    from curvewise.cli.reported import rendered, reported  # noqa: PLC0415
    from curvewise.cli.steps import Steps  # noqa: PLC0415

    with Steps() as step:
        found = reported(
            file,
            "disease",
            SCORES,
            groups=["sex"],
            site="site",
            cluster=None,
            weight=None,
            positive=None,
            missing="raise",
            seed=0,
            replicates=REPLICATES,
            say=step,
            command="curvewise demo",
        )
        return rendered(found, "html", "en", step)


def _last(line: str, form: str) -> None:
    """Name the report: below the text, or beside numbers that a program may read."""
    from curvewise.cli.output import put  # noqa: PLC0415
    from curvewise.cli.run import say  # noqa: PLC0415

    if form == "table":
        put(f"\n{line}\n")
    else:
        say(line)


def explain(report: Report) -> list[str]:
    """Say in plain words what the numbers show; every claim follows from the numbers themselves."""
    a, b, rating = report.scores
    share = report.data["prevalence"]
    rare = (
        f"{report.data['positives']} of {report.data['rows']} rows are positive ({share:.1%}), so a score "
        f"without skill would have average precision {share:.3f} but ROC area 0.5: the average precision "
        f"of {a.name}, {a.number('average_precision'):.3f}, and of {b.name}, "
        f"{b.number('average_precision'):.3f}, must be read against the former."
    )
    tied = (
        f"{rating.name} takes only {rating.distinct_scores} values, so many rows are tied; a tie counts one "
        "half in the ROC area, whatever the order of the rows."
    )
    return [
        "The data are simulated: no row is a real person.",
        _whole_and_part(report),
        rare,
        tied,
        _at_threshold(report),
        f"On your own file, with your own columns: {OWN}",
    ]


def _whole_and_part(report: Report) -> str:
    a, b = report.scores[:2]
    whole = [s.number("roc_auc") for s in (a, b)]
    part = [s.number("partial_roc_auc") for s in (a, b)]
    near = "nearly the same" if abs(whole[0] - whole[1]) < 0.02 else "not the same"
    text = f"Over the whole ROC curve {a.name} and {b.name} are {near} ({whole[0]:.3f} and {whole[1]:.3f})"
    if abs(part[0] - part[1]) < 0.02:
        return f"{text}, and so it is where false alarms are rare ({part[0]:.3f} and {part[1]:.3f})."
    better, worse = (a, b) if part[0] > part[1] else (b, a)
    return (
        f"{text}; where at most one negative in ten may be flagged, {better.name} is ahead: "
        f"{max(part):.3f} against {min(part):.3f} for {worse.name}."
    )


def _at_threshold(report: Report) -> str:
    a = report.scores[0]
    counts = a.thresholds[0].counts
    flagged, ill = counts["tp"] + counts["fp"], counts["tp"] + counts["fn"]
    return (
        f"Flagging rows with {a.name} ≥ {a.thresholds[0].threshold} raises {flagged} alarms, of which "
        f"{counts['tp']} are right ({counts['tp'] / flagged:.0%}), and finds {counts['tp'] / ill:.0%} of the "
        f"{ill} positives."
    )
