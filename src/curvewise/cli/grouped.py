"""Read a file, break its scores down by group and site, and lay the answer out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from curvewise.breakdown.breakdown import written
from curvewise.breakdown.by_group import by_group
from curvewise.breakdown.by_site import by_site
from curvewise.cli.layout import Grid
from curvewise.cli.output import heading
from curvewise.cli.words import positive_label, words_of_the_file
from curvewise.errors import CurvewiseError
from curvewise.results.numbers import show
from curvewise.sources.files import read_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curvewise.breakdown.breakdown import Groups
    from curvewise.breakdown.sites import Sites
    from curvewise.results.result import Table

SCHEMA = "curvewise.breakdown"
VERSION = 1
READ = (
    "p_equal: p-value of all groups being equal. A gap describes these rows; it does not say why there is "
    "one, and where the groups are small, chance alone makes one."
)


@dataclass(frozen=True)
class Broken:
    """One score, broken down by group, by site, or both; gaps by column."""

    name: str
    groups: Groups | None
    gaps: dict[str, Table]
    sites: Sites | None


@dataclass(frozen=True)
class Grouped:
    """All scores, with where they came from."""

    source: str
    options: dict[str, Any]
    scores: list[Broken]
    notes: list[str]

    def parts(self) -> list[Grid | str]:
        """Return tables and sentences in reading order."""
        parts: list[Grid | str] = []
        for score in self.scores:
            where = f"{self.source}, label {self.options['label']}, score {score.name}"
            if score.groups is not None:
                parts += _of_groups(where, score.groups, score.gaps)
            if score.sites is not None:
                parts += _of_sites(where, score.sites)
        return parts

    def to_dict(self) -> dict[str, Any]:
        """Return everything, JSON-safe."""
        return {
            **heading(self, SCHEMA, VERSION),
            "scores": [
                {
                    "score": s.name,
                    "groups": None if s.groups is None else s.groups.to_dict(),
                    "gaps": {column: table.to_dict()["rows"] for column, table in s.gaps.items()},
                    "sites": None if s.sites is None else s.sites.to_dict(),
                }
                for s in self.scores
            ],
        }

    def long(self) -> list[list[Any]]:
        """Return a header and one row a number."""
        head = ["score", "column", "group", "n", "positives", "prevalence", "metric", "value", "low", "high"]
        rows: list[list[Any]] = [head]
        for s in self.scores:
            if s.groups is not None:
                rows += [[s.name, *(row[k] for k in head[1:])] for row in s.groups.table.rows()]
            for column, table in s.gaps.items():
                for row in table.rows():
                    name = f"gap of {row['metric']}"
                    rows.append([s.name, column, "", "", "", "", name, row["gap"], row["low"], row["high"]])
            if s.sites is not None:
                rows += _long_sites(s.name, self.options["site"], s.sites)
        return rows


def grouped(
    file: str,
    label: str,
    scores: tuple[str, ...],
    groups: tuple[str, ...],
    site: str | None,
    *,
    weight: str | None,
    positive: str | None,
    threshold: float | None,
    metrics: tuple[str, ...],
    reference: str | None,
    common_prevalence: float | None,
    level: float,
    replicates: int,
    seed: int,
    **reading: Any,
) -> Grouped:
    """Do the whole job."""
    names = list(dict.fromkeys([*groups, *([site] if site else [])]))
    numeric = [*scores, *([weight] if weight else [])]
    data = read_file(file, label=label, numeric=numeric, names=names)
    frame = data.frame
    rows = {**reading, "weight": frame[weight] if weight else None}
    rows["positive"] = None if positive is None else positive_label(frame[label], positive)

    def broken(name: str) -> Broken:
        y, score = frame[label], frame[name]
        found = sites = None
        if groups:
            found = by_group(
                y,
                score,
                {column: frame[column] for column in groups},
                threshold=threshold,
                metrics=metrics or None,
                level=level,
                rng=seed,
                replicates=replicates,
                **rows,
            )
        if site:
            sites = by_site(
                y,
                score,
                {site: frame[site]},
                threshold=threshold,
                common_prevalence=common_prevalence,
                level=level,
                rng=seed,
                replicates=replicates,
                **rows,
            )
        return Broken(name, found, {} if found is None else _gaps(found, reference), sites)

    roles = {"y": label, "weight": weight, "group": groups[0] if len(groups) == 1 else None, "site": site}
    roles |= {f"group {name!r}": name for name in groups}
    done = []
    for name in scores:
        with words_of_the_file({**roles, "score": name}, data.first_line):
            done.append(broken(name))
    asked = {
        **reading,
        "label": label,
        "weight": weight,
        "groups": list(groups),
        "site": site,
        "threshold": threshold,
        "reference": reference,
        "level": level,
        "seed": seed,
        "replicates": replicates,
    }
    return Grouped("standard input" if file == "-" else file, asked, done, data.notes)


def _gaps(found: Groups, reference: str | None) -> dict[str, Table]:
    """Return the gaps of every column, against the reference where the column has such a group."""
    if reference in (None, "rest"):
        return {column: found.gaps(reference=reference, column=column) for column in found.breakdowns}
    has = {c for c, groups in found.breakdowns.items() if any(g.name == reference for g in groups)}
    if not has:
        every = [g.name for groups in found.breakdowns.values() for g in groups]
        raise CurvewiseError(
            f"--reference: no group is called {reference!r}; the groups are {', '.join(every[:8])}"
            f"{', …' if len(every) > 8 else ''}."
        )
    return {
        column: found.gaps(reference=reference if column in has else None, column=column)
        for column in found.breakdowns
    }


def _of_groups(where: str, found: Groups, gaps: dict[str, Table]) -> list[Grid | str]:
    parts: list[Grid | str] = []
    for column, groups in found.breakdowns.items():
        at = "" if found.threshold is None else f", threshold {found.threshold}"
        title = f"{where}, by {column}{at} ({100 * found.level:.4g} % intervals)"
        head = ["group", "n", "positives", "prevalence", *found.metrics, "note"]
        rows = [
            [
                *(g.name, show(g.sweep.n), show(g.sweep.positives), show(g.sweep.prevalence)),
                *(written(g.estimates[m]) for m in found.metrics),
                g.note,
            ]
            for g in (found.overall, *groups)
        ]
        parts += [Grid(title, head, rows, range(1, len(head) - 1)), _grid(gaps[column])]
        parts += [
            f"Note: {metric} or its interval is undefined in {g.name}: {g.why(metric)}."
            for g in groups
            for metric in found.metrics
            if g.why(metric)
        ]
    return [*parts, READ]


def _of_sites(where: str, found: Sites) -> list[Grid | str]:
    table = _grid(found.table)
    title = f"{where}: {table.title}"
    tables = [Grid(title, table.head, table.rows, table.right)]
    tables += [_grid(found.leave_one_out)] if len(found.leave_one_out) else []
    return [*tables, *(f"{line.replace('note:', 'Note:', 1)}." for line in found.words())]


def _grid(table: Table) -> Grid:
    head = list(table.columns)
    return Grid(table.title, head, table.cells(), range(1, len(head) - 1))


def _long_sites(score: str, column: str, found: Sites) -> Sequence[list[Any]]:
    rows: list[list[Any]] = []
    for s in found.sites:
        facts = [score, column, s.name, s.group.sweep.n, s.group.sweep.positives, s.group.sweep.prevalence]
        rows.append([*facts, "roc_auc", s.auc.value, s.auc.low, s.auc.high])
        rows += [[*facts, name, e.value, e.low, e.high] for name, e in s.others.items()]
        rows.append([*facts, "average_precision", s.average_precision, "", ""])
        rows.append([*facts, "average_precision_common", s.average_precision_common, "", ""])
    if found.pooled is not None:
        p = found.pooled
        rows.append([score, column, "(pooled)", "", "", "", "roc_auc", p.value, p.low, p.high])
        ahead = [p.value, p.prediction_low, p.prediction_high]
        rows.append([score, column, "(prediction)", "", "", "", "roc_auc", *ahead])
    return rows
