"""``curvewise groups``: how the scores in a file do in each group or at each site."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from curvewise.cli.options import BREAKDOWN, METRIC_OPTION, RESAMPLING, SHARE, number, scores_command

if TYPE_CHECKING:
    from curvewise.breakdown.group_metrics import Groups
    from curvewise.cli.file_rows import ScoreFile
    from curvewise.cli.options import Answer
    from curvewise.results.result import Table
    from curvewise.rows.reading import Rows


@scores_command(
    "groups",
    *BREAKDOWN,
    click.option("--threshold", type=number, metavar="X", help="Also judge scores cut here."),
    click.option(
        *("--metric", "metrics"), multiple=True, metavar="NAME", help="What to break down; repeatable."
    ),
    METRIC_OPTION,
    click.option(
        "--reference", metavar="GROUP", help='Measure gaps against this group, or against the "rest".'
    ),
    click.option(
        "--common-prevalence",
        type=SHARE,
        metavar="P",
        help="Share of positives at which precision of sites is compared.",
    ),
    *RESAMPLING,
)
def command(
    data: ScoreFile,
    metrics: tuple[str, ...],
    option: tuple[tuple[str, Any], ...],
    reference: str | None,
    common_prevalence: float | None,
    seed: int,
    **rest: Any,
) -> Answer:
    """Break the scores in FILE down by group, by site, or both.

    With several --group columns, each is broken down, and then their combinations. Rows without a group are
    a group of their own.

    \b
    curvewise groups scores.csv --label ill --score p --group sex --group age_band --threshold 0.5
    curvewise groups scores.csv --label ill --score p --group sex --reference male
    curvewise groups scores.csv --label ill --score p --site hospital
    """  # noqa: D301 - click wants the backspace itself
    if not data.groups and data.site is None:
        raise click.UsageError("Name a column of groups (--group) or of sites (--site).")
    if not data.groups and (reference is not None or metrics):
        raise click.UsageError(f"--{'metric' if reference is None else 'reference'}: needs --group.")
    if data.site is None and common_prevalence is not None:
        raise click.UsageError("--common-prevalence: needs --site.")
    from curvewise.breakdown.by_group import by_group  # noqa: PLC0415 - --help needs no NumPy
    from curvewise.breakdown.by_site import by_site  # noqa: PLC0415

    def of_score(rows: Rows) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if data.groups:
            found["groups"] = by_group(rows, metrics=metrics or None, rng=seed, **rest, **dict(option))
            found |= _gaps(found["groups"], reference)
        if data.site is not None:
            found["sites"] = by_site(rows, common_prevalence=common_prevalence, rng=seed, **rest)
            if len(found["sites"].leave_one_out):
                found["leave_one_out"] = found["sites"].leave_one_out
        return found

    return dict(data.each(of_score))


def _gaps(found: Groups, reference: str | None) -> dict[str, Table]:
    """Return the gaps of every column, against the reference where the column has such a group."""
    has = {c for c, groups in found.breakdowns.items() if any(g.name == reference for g in groups)}
    if reference not in (None, "rest") and not has:
        every = [g.name for groups in found.breakdowns.values() for g in groups]
        raise click.UsageError(
            f"--reference: no group is called {reference!r}; the groups are {', '.join(every[:8])}"
            f"{', …' if len(every) > 8 else ''}."
        )
    return {
        f"gaps of {column}": found.gaps(
            reference=reference if reference == "rest" or column in has else None, column=column
        )
        for column in found.breakdowns
    }
