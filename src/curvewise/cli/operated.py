"""Read a file, choose a threshold for each of its scores, and lay the answer out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from curvewise.cli.job import Request, heed_interrupts, score_rows
from curvewise.cli.layout import Grid
from curvewise.cli.output import heading
from curvewise.cli.words import positive_label
from curvewise.core.sweep import sweep_of
from curvewise.decisions.operating_point import point_of
from curvewise.errors import UndefinedMetricError
from curvewise.results.numbers import show
from curvewise.sources.files import read_file

if TYPE_CHECKING:
    from curvewise.decisions.point import OperatingPoint
    from curvewise.decisions.rule import Rule
    from curvewise.results.result import Table

SCHEMA = "curvewise.operate"
VERSION = 1


@dataclass(frozen=True)
class Operated:
    """The chosen point of each score, with where it came from."""

    source: str
    options: dict[str, Any]
    points: dict[str, OperatingPoint]
    notes: list[str]

    def parts(self) -> list[Grid | str]:
        """Return tables and sentences in reading order."""
        return [part for name, point in self.points.items() for part in self._of_score(name, point)]

    def _of_score(self, name: str, point: OperatingPoint) -> list[Grid | str]:
        where = f"{self.source}, label {self.options['label']}, score {name}: {point.rule!r}"
        parts: list[Grid | str] = [
            Grid(where, ["what", "value"], _facts(point), range(1, 2)),
            point.sentence,
            _grid(point.rates, range(1, 4)),
        ]
        if point.optimism is not None:
            parts.append(_grid(point.optimism.table, range(1, 6)))
        return parts + list(point.remarks())

    def to_dict(self) -> dict[str, Any]:
        """Return everything, JSON-safe."""
        points = [{"name": name, "point": point.to_dict()} for name, point in self.points.items()]
        return {
            **heading(self, SCHEMA, VERSION),
            "scores": points,
        }

    def long(self) -> list[list[Any]]:
        """Return a header and one row a number."""
        lines: list[list[Any]] = [["score", "threshold", "metric", "value", "low", "high"]]
        for name, point in self.points.items():
            low, high = point.threshold_interval or (None, None)
            c, rates = point.confusion, point.rates.columns["metric"]
            numbers: list[list[Any]] = [
                ["threshold", point.threshold, low, high],
                ["midpoint", point.midpoint, None, None],
                *([k, getattr(c, k), None, None] for k in ("tp", "fp", "fn", "tn")),
                *([[point.rule.goal, point.value, None, None]] if point.rule.goal not in rates else []),
                *([row[k] for k in ("metric", "value", "low", "high")] for row in point.rates.rows()),
            ]
            if point.optimism is not None:
                numbers += [
                    [f"out_of_bag_{j.measure}", j.out_of_bag, j.low, j.high] for j in point.optimism.judged
                ]
            lines += [[name, point.threshold, *row] for row in numbers]
        return lines


def operated(
    file: str,
    label: str,
    scores: tuple[str, ...],
    rule: Rule,
    *,
    level: float,
    replicates: int,
    seed: int,
    **reading: Any,
) -> Operated:
    """Do the whole job."""
    heed_interrupts()
    request = Request(file, label, scores, {}, **reading)
    numeric = [*scores, *([request.weight] if request.weight else [])]
    data = read_file(file, label=label, numeric=numeric)
    positive = positive_label(data.frame[label], request.positive)
    points = {}
    for name, rows in score_rows(data, request, positive).items():
        try:
            points[name] = point_of(rows, sweep_of(rows), rule, rng=seed, level=level, replicates=replicates)
        except UndefinedMetricError as error:
            raise UndefinedMetricError(f"column {name!r}: {error}") from None
    options = {
        "label": label,
        **reading,
        "positive": positive,
        "level": level,
        "replicates": replicates,
        "seed": seed,
    }
    return Operated("standard input" if file == "-" else file, options, points, data.notes)


def _facts(point: OperatingPoint) -> list[list[str]]:
    ends = point.threshold_interval
    sure = "" if ends is None else f" ({100 * point.level:.4g} % interval {show(ends[0])} to {show(ends[1])})"
    cells = ", ".join(f"{k.upper()} {show(getattr(point.confusion, k))}" for k in ("tp", "fp", "fn", "tn"))
    return [
        ["threshold", f"{point.threshold}{sure}"],
        ["to deploy (halfway to the next score)", f"{point.midpoint:.10g}"],
        ["in these rows", cells],
        [point.rule.goal, show(point.value)],
    ]


def _grid(table: Table, right: range) -> Grid:
    return Grid(table.title, list(table.columns), table.cells(), right)
