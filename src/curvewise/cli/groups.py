"""``curvewise groups``: how the scores in a file do in each group or at each site."""

from __future__ import annotations

from typing import Any

import click

from curvewise.cli.options import check_columns, format_for, number, output_options, reading_options

SHARE = click.FloatRange(0, 1, min_open=True, max_open=True)


@click.command("groups")
@click.argument("file")
@reading_options
@click.option("--group", "groups", multiple=True, metavar="COL", help="Column of groups; repeatable.")
@click.option("--site", metavar="COL", help="Column of sites: AUC at each, pooled by random effects.")
@click.option("--threshold", type=number, metavar="X", help="Also judge scores cut here.")
@click.option("--metric", "metrics", multiple=True, metavar="NAME", help="What to break down; repeatable.")
@click.option("--reference", metavar="GROUP", help='Measure gaps against this group, or against the "rest".')
@click.option(
    "--common-prevalence", type=SHARE, metavar="P", help="Where precision of sites is made comparable."
)
@click.option("--level", type=SHARE, default=0.95, show_default=True, help="Level of the intervals.")
@click.option("--replicates", type=click.IntRange(2), default=500, show_default=True, help="Resamples.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the resamples.")
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
    if len(set(groups)) < len(groups):
        raise click.UsageError("--group: a column is named twice.")
    for option, column in (*(("--group", g) for g in groups), ("--site", site)):
        if column is not None and column in (label, *scores, rest["weight"]):
            raise click.UsageError(f"{option}: the column {column!r} has another use already.")
    if rest["reference"] is not None and not groups:
        raise click.UsageError("--reference: needs --group.")
    from curvewise._writing import output_path  # noqa: PLC0415 - checks first, heavy imports after

    path = output_path(output, file, force=force)
    from curvewise.cli.grouped import grouped  # noqa: PLC0415 - --help needs no NumPy
    from curvewise.cli.output import emit  # noqa: PLC0415

    emit(grouped(file, label, scores, groups, site, **rest), format_for(form, output), path)
