"""``curvewise groups``: how the scores in a file do in each group, at each site or in each fold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from curvewise.cli.options import BREAKDOWN, METRIC_OPTION, REPEAT, RESAMPLING, SHARE, number, option, scores_command

if TYPE_CHECKING:
    from curvewise.breakdown.fold_results import Folds
    from curvewise.breakdown.group_metrics import Groups
    from curvewise.cli.file_rows import ScoreFile
    from curvewise.cli.options import Answer, Names, Settings
    from curvewise.results.result import Table
    from curvewise.rows.rows import Rows


@scores_command(
    "groups",
    *BREAKDOWN,
    REPEAT,
    option("--threshold X", "Also evaluate at this threshold.", number),
    option("--metric NAME", "What to break down; repeatable.", into="metrics", multiple=True),
    METRIC_OPTION,
    option("--reference GROUP", 'Measure gaps against this group, or against the "rest".'),
    option("--common-prevalence P", "Share of positives at which precision of sites is compared.", SHARE),
    *RESAMPLING,
)
def command(
    data: ScoreFile,
    metrics: Names,
    option: Settings,
    reference: str | None,
    common_prevalence: Any,
    **rest: Any,
) -> Answer:
    """Break the scores in FILE down by group, by site, by fold of cross-validation, or by several of them.

    With several --group columns, each is broken down, and then their combinations. Rows without a group are
    a group of their own. With --fold there are mean and spread over folds, and the pooled value beside them.

    \b
    curvewise groups scores.csv --label ill --score p --group sex --group age_band --threshold 0.5
    curvewise groups scores.csv --label ill --score p --group sex --reference male
    curvewise groups scores.csv --label ill --score p --site hospital
    curvewise groups scores.csv --label ill --score p --fold fold
    """  # noqa: D301 - click wants the backspace itself
    if not data.groups and data.site is None and data.fold is None:
        raise click.UsageError("Name a column of groups (--group), of sites (--site) or of folds (--fold).")
    if not data.groups and reference is not None:
        raise click.UsageError("--reference: needs --group.")
    if not data.groups and data.fold is None and metrics:
        raise click.UsageError("--metric: needs --group or --fold.")
    if data.site is None and common_prevalence is not None:
        raise click.UsageError("--common-prevalence: needs --site.")
    from curvewise.breakdown.by_group import by_group  # noqa: PLC0415 - --help needs no NumPy
    from curvewise.breakdown.by_site import by_site  # noqa: PLC0415

    def of_score(rows: Rows) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if data.groups:
            found["groups"] = by_group(rows, metrics=metrics or None, **rest, **dict(option))
            found |= _gaps(found["groups"], reference)
        if data.site is not None:
            found["sites"] = by_site(rows, common_prevalence=common_prevalence, **rest)
            if len(found["sites"].leave_one_out):
                found["leave_one_out"] = found["sites"].leave_one_out
        if data.fold is not None:
            found |= _folds(data, rows, metrics, dict(option), **rest)
        return found

    return dict(data.each(of_score))


def _folds(
    data: ScoreFile, rows: Rows, metrics: Names, options: dict[str, Any], threshold: float | None, **how: Any
) -> dict[str, Folds]:
    """Return every metric over the folds: those asked for, or the usual ones of groups."""
    from curvewise.breakdown.by_fold import by_fold  # noqa: PLC0415 - --help needs no NumPy
    from curvewise.breakdown.by_group import AT_THRESHOLD, RANKING, bound_metrics  # noqa: PLC0415

    usual = RANKING if threshold is None else (*RANKING, *AT_THRESHOLD)
    _, targets = bound_metrics(metrics or usual, threshold, options)
    several = len(targets) > 1
    return {
        f"folds of {name}" if several else "folds": by_fold(
            rows, repeat=data.repeats, metric=name, **target.options, **how
        )
        for name, target in targets.items()
    }


def _gaps(found: Groups, reference: str | None) -> dict[str, Table]:
    """Return the gaps of every column, against the reference where the column has such a group."""
    has = {c for c, groups in found.breakdowns.items() if any(g.name == reference for g in groups)}
    if reference not in (None, "rest") and not has:
        every = [g.name for groups in found.breakdowns.values() for g in groups]
        raise click.UsageError(
            f"--reference: no group is called {reference!r}; the groups are {', '.join(every[:8])}"
            f"{', …' if len(every) > 8 else ''}."
        )
    against = {c: reference if reference == "rest" or c in has else None for c in found.breakdowns}
    return {f"gaps of {c}": found.gaps(reference=name, column=c) for c, name in against.items()}
