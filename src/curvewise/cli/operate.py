"""``curvewise operate``: choose a threshold by a rule, and say what it will do."""

from __future__ import annotations

from typing import Any

import click

from curvewise.cli.options import (
    check_columns,
    format_for,
    level_option,
    output_options,
    reading_options,
    seed_option,
)
from curvewise.cli.ruling import rule_of, rule_options, take_rule


@click.command("operate")
@reading_options
@rule_options(required=True)
@level_option
@click.option(
    "--replicates",
    type=click.IntRange(0),
    default=500,
    show_default=True,
    help="Resamples; 0 leaves out the threshold's interval and the optimism.",
)
@seed_option
@output_options
def command(
    file: str,
    label: str,
    scores: tuple[str, ...],
    form: str | None,
    output: str | None,
    *,
    force: bool,
    **rest: Any,
) -> None:
    """Choose a threshold for each score in FILE, and say what it will do.

    \b
    curvewise operate scores.csv --label ill --score p --rule min-cost --fp 1 --fn 10 --prevalence 0.02
    curvewise operate scores.csv --label ill --score p --rule max-fpr --at 0.05
    curvewise operate scores.csv --label ill --score p --rule max-alarms --at 100
    """  # noqa: D301 - click wants the backspace itself
    check_columns(label, scores, rest["weight"])
    rule, options = take_rule(rest)
    from curvewise.results.writing import output_path  # noqa: PLC0415 - checks first, heavy imports after

    path = output_path(output, file, force=force)
    from curvewise.cli.operated import operated  # noqa: PLC0415 - --help needs no NumPy
    from curvewise.cli.output import emit  # noqa: PLC0415

    chosen_by = rule_of(str(rule), options, rest.pop("prevalence"))
    emit(operated(file, label, scores, chosen_by, **rest), format_for(form, output), path)
