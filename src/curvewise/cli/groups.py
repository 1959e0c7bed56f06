"""``curvewise groups``: how the scores in a file do in each group or at each site."""

from __future__ import annotations

from typing import Any

import click

from curvewise.cli.options import (
    SHARE,
    breakdown_options,
    check_columns,
    check_named,
    format_for,
    level_option,
    number,
    output_options,
    reading_options,
    seed_option,
)


@click.command("groups")
@reading_options
@breakdown_options
@click.option("--threshold", type=number, metavar="X", help="Also judge scores cut here.")
@click.option("--metric", "metrics", multiple=True, metavar="NAME", help="What to break down; repeatable.")
@click.option("--reference", metavar="GROUP", help='Measure gaps against this group, or against the "rest".')
@click.option(
    "--common-prevalence", type=SHARE, metavar="P", help="Where precision of sites is made comparable."
)
@level_option
@click.option("--replicates", type=click.IntRange(2), default=500, show_default=True, help="Resamples.")
@seed_option
@output_options
def command(
    file: str,
    label: str,
    scores: tuple[str, ...],
    groups: tuple[str, ...],
    site: str | None,
    form: str | None,
    output: str | None,
    *,
    force: bool,
    **rest: Any,
) -> None:
    """Break the scores in FILE down by group, by site, or both.

    With several --group columns, each is broken down, and then their combinations. Rows without a group
    are a group of their own.

    \b
    curvewise groups scores.csv --label ill --score p --group sex --group age_band --threshold 0.5
    curvewise groups scores.csv --label ill --score p --group sex --reference male
    curvewise groups scores.csv --label ill --score p --site hospital
    """  # noqa: D301 - click wants the backspace itself
    check_columns(label, scores, rest["weight"])
    if not groups and site is None:
        raise click.UsageError("Name a column of groups (--group) or of sites (--site).")
    check_named((label, *scores, rest["weight"]), groups=groups, site=site)
    if rest["reference"] is not None and not groups:
        raise click.UsageError("--reference: needs --group.")
    from curvewise.results.writing import output_path  # noqa: PLC0415 - checks first, heavy imports after

    path = output_path(output, file, force=force)
    from curvewise.cli.grouped import grouped  # noqa: PLC0415 - --help needs no NumPy
    from curvewise.cli.output import emit  # noqa: PLC0415

    emit(grouped(file, label, scores, groups, site, **rest), format_for(form, output), path)
