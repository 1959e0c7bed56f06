"""``curvewise demo``: the metrics of a file that comes with the package, explained."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import as_file, files
from typing import TYPE_CHECKING

import click

from curvewise.cli.options import format_for, output_options

if TYPE_CHECKING:
    from curvewise.cli.report import Report

SCORES = ("model_a", "model_b", "rating")
THRESHOLD = 0.05
OWN = "curvewise metrics YOUR_FILE.csv --label disease --score model_a --score model_b --threshold 0.05"


@click.command("demo")
@output_options
def command(form: str | None, output: str | None, *, force: bool) -> None:
    """Show the metrics of simulated data that come with the package, and say what they mean."""
    from curvewise._writing import output_path  # noqa: PLC0415
    from curvewise.cli.job import Request, evaluate  # noqa: PLC0415 - --help needs no NumPy
    from curvewise.cli.output import emit  # noqa: PLC0415

    with as_file(files("curvewise.data") / "screening.csv") as file:
        path = output_path(output, str(file), force=force)
        report = evaluate(Request(str(file), "disease", SCORES, {"model_a": [THRESHOLD]}))
    report = replace(
        report, source="screening.csv (simulated, shipped with curvewise)", remarks=explain(report)
    )
    emit(report, format_for(form, output), path)


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
