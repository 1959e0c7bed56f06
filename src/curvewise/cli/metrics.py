"""``curvewise metrics``: areas and threshold metrics of the scores in a file."""

from __future__ import annotations

from typing import Any

import click

from curvewise.cli.options import check_columns, format_for, number, output_options, reading_options

SHARE = click.FloatRange(0, 1, min_open=True, max_open=True)


@click.command("metrics")
@click.argument("file")
@reading_options
@click.option(
    "--threshold",
    "thresholds",
    multiple=True,
    type=number,
    metavar="X",
    help="Also judge scores cut here; repeatable.",
)
@click.option(
    "--round-to",
    type=click.IntRange(0, 30),
    metavar="N",
    help="Round scores to N decimals, which merges near-ties.",
)
@click.option(
    "--prevalence", type=SHARE, metavar="P", help="Re-express the numbers at this share of positives."
)
@click.option("--level", type=SHARE, default=0.95, show_default=True, help="Level of the intervals.")
@click.option(
    "--no-intervals",
    "intervals",
    is_flag=True,
    flag_value=False,
    default=True,
    help="Leave out the intervals of the ranking's numbers, which are resampled.",
)
@output_options
def command(
    file: str,
    label: str,
    scores: tuple[str, ...],
    thresholds: tuple[float, ...],
    form: str | None,
    output: str | None,
    *,
    force: bool,
    **rest: Any,
) -> None:
    """Areas and threshold metrics of the scores in FILE.

    FILE is CSV, TSV, JSON lines, Parquet or Arrow, also gzipped; - is standard input. With
    several scores the numbers stand side by side.

    \b
    curvewise metrics scores.csv --label ill --score model_a --score model_b
    curvewise metrics scores.csv --label ill --score model_a --threshold 0.5
    """  # noqa: D301 - click wants the backspace itself
    check_columns(label, scores, rest["weight"])
    from curvewise.cli.writing import output_path  # noqa: PLC0415 - checks first, heavy imports after

    path = output_path(output, file, force=force)
    from curvewise.cli.job import Request, evaluate  # noqa: PLC0415 - --help needs no NumPy
    from curvewise.cli.output import emit  # noqa: PLC0415

    report = evaluate(Request(file, label, scores, dict.fromkeys(scores, thresholds), **rest))
    emit(report, format_for(form, output), path)
