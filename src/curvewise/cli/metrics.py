"""``curvewise metrics``: areas and threshold metrics of the scores in a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from curvewise.cli.bars import check_bars, fail_under_option, hold_to
from curvewise.cli.options import (
    SHARE,
    check_columns,
    format_for,
    level_option,
    number,
    output_options,
    reading_options,
)

if TYPE_CHECKING:
    from curvewise.cli.many import Many
    from curvewise.cli.measured import Report


@click.command("metrics")
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
@level_option
@click.option(
    "--no-intervals",
    "intervals",
    is_flag=True,
    flag_value=False,
    default=True,
    help="Leave out the intervals of the ranking's numbers, which are resampled.",
)
@click.option(
    "--multiclass",
    is_flag=True,
    help="Labels of many classes: one --score a class, each named as its class.",
)
@fail_under_option
@output_options
def command(
    file: str,
    label: str,
    scores: tuple[str, ...],
    thresholds: tuple[float, ...],
    form: str | None,
    output: str | None,
    fail_under: dict[str, float] | None,
    *,
    force: bool,
    multiclass: bool,
    **rest: Any,
) -> None:
    """Areas and threshold metrics of the scores in FILE.

    FILE is CSV, TSV, JSON lines, Parquet or Arrow, also gzipped; - is standard input. With
    several scores the numbers stand side by side.

    \b
    curvewise metrics scores.csv --label ill --score model_a --score model_b
    curvewise metrics scores.csv --label ill --score model_a --threshold 0.5
    curvewise metrics pets.csv --label pet --score p_cat --score p_dog --score p_owl --multiclass
    """  # noqa: D301 - click wants the backspace itself
    check_columns(label, scores, rest["weight"])
    from curvewise.results.writing import output_path  # noqa: PLC0415 - checks first, heavy imports after

    path = output_path(output, file, force=force)
    from curvewise.cli.output import emit  # noqa: PLC0415 - --help needs no NumPy

    report: Report | Many
    if multiclass:
        options = _for_many({**rest, "threshold": thresholds}, scores)
        from curvewise.cli.many import many  # noqa: PLC0415

        report = many(file, label, scores, **options)
    else:
        from curvewise.cli.job import Request, evaluate  # noqa: PLC0415

        report = evaluate(Request(file, label, scores, dict.fromkeys(scores, thresholds), **rest))
    found = report.numbers()
    check_bars(fail_under, (name for values in found.values() for name, _, _ in values))
    hold_to(fail_under, found)
    emit(report, format_for(form, output), path)


def _for_many(options: dict[str, Any], scores: tuple[str, ...]) -> dict[str, Any]:
    """Return the options that many classes have; refuse those that only two classes have."""
    if len(scores) < 2:
        raise click.UsageError("--multiclass: give one --score a class, at least two.")
    none = {"threshold": (), "positive": None, "prevalence": None, "round_to": None, "higher_is": "positive"}
    for name, unset in none.items():
        if options[name] != unset:
            raise click.UsageError(f"--{name.replace('_', '-')}: has no meaning with --multiclass.")
    return {k: v for k, v in options.items() if k not in none}
