"""Read a file, compare its scores, and lay the answer out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from curvewise.cli.layout import Grid
from curvewise.cli.output import heading
from curvewise.cli.words import positive_label, words_of_the_file
from curvewise.inference.compare import compare
from curvewise.results.numbers import show
from curvewise.sources.files import read_file

if TYPE_CHECKING:
    from curvewise.inference.comparison import Comparison

SCHEMA = "curvewise.compare"
VERSION = 1
MEANINGS = {
    "statistic": "z, or what the method counts",
    "p": "p-value of no difference",
    "p_holm": "the same, corrected for the number of pairs",
    "p_non_inferior": "p-value of the first being worse by the margin or more",
    "p_equivalent": "p-value of the two differing by the margin or more",
}


@dataclass(frozen=True)
class Compared:
    """A comparison with where it came from."""

    source: str
    options: dict[str, Any]
    comparison: Comparison
    notes: list[str]

    def parts(self) -> list[Grid | str]:
        """Return tables and sentences in reading order."""
        c = self.comparison
        values = [[name, show(value)] for name, value in c.values.items()]
        table = c.table
        head = list(table.columns)
        how = f"{c.method}, {100 * self.options['level']:.4g} % intervals"
        title = f"Differences of {c.metric}, first minus second ({how})"
        parts: list[Grid | str] = [
            Grid(
                f"Data: {self.source}, label {self.options['label']}",
                ["score", c.metric],
                values,
                range(1, 2),
            ),
            Grid(title, head, table.cells(), range(2, len(head))),
        ]
        if c.omnibus is not None:
            chi, degrees, p = c.omnibus
            parts.append(f"All equal: chi-square {show(chi)} on {degrees:g} degrees of freedom, p {show(p)}.")
        words = [f"{name}: {MEANINGS[name]}" for name in head if name in MEANINGS]
        parts.append("; ".join(words) + ".")
        parts += [f"Note: {note}." for note in c.notes]
        parts.append("A comparison on rows that the models were fitted on is not valid.")
        return parts

    def to_dict(self) -> dict[str, Any]:
        """Return everything, JSON-safe."""
        return {
            **heading(self, SCHEMA, VERSION),
            "comparison": self.comparison.to_dict(),
        }

    def long(self) -> list[list[Any]]:
        """Return a header and one row a pair."""
        columns = self.comparison.table.columns
        return [list(columns), *([row[k] for k in columns] for row in self.comparison.table.rows())]


def compared(
    file: str,
    label: str,
    scores: tuple[str, ...],
    *,
    weight: str | None,
    positive: str | None,
    cluster: str | None,
    thresholds: tuple[float, ...],
    fpr: tuple[float, float] | None,
    seed: int,
    **options: Any,
) -> Compared:
    """Do the whole job."""
    numeric = [*scores, *([weight] if weight else [])]
    data = read_file(file, label=label, numeric=numeric, names=[cluster] if cluster else [])
    frame = data.frame
    named = None if positive is None else positive_label(frame[label], positive)
    cut = dict(zip(scores, thresholds, strict=True)) if len(thresholds) > 1 else next(iter(thresholds), None)
    own = {k: v for k, v in (("threshold", cut), ("fpr", fpr)) if v is not None}
    options |= own  # what the metric asks for
    roles = {"y": label, "weight": weight, "cluster": cluster}
    roles |= {f"score {name!r}": name for name in scores}
    with words_of_the_file(roles, data.first_line):
        found = compare(
            frame[label],
            {name: frame[name] for name in scores},
            weight=frame[weight] if weight else None,
            cluster=frame[cluster] if cluster else None,
            positive=named,
            rng=seed,
            **options,
        )
    asked = {**options, "label": label, "weight": weight, "cluster": cluster, "seed": seed}
    return Compared("standard input" if file == "-" else file, asked, found, data.notes)
