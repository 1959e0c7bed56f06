"""From rows that lie in files, lazy frames, clusters or databases to a sweep: counted there, or in one pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from curvewise.core.bins import Summary
from curvewise.core.exact_counter import ExactCounter
from curvewise.core.progress import Progress
from curvewise.core.sweep import Sweep
from curvewise.errors import CurvewiseError, OptionError
from curvewise.rows.checks import real, values_of
from curvewise.rows.columns import shown
from curvewise.rows.reading import rounded
from curvewise.sources.byte_source import changed, file_state
from curvewise.sources.engines.engine import Asked, Batch, Counted, summaries_of
from curvewise.sources.engines.find import find_engine
from curvewise.sources.engines.refining import hold, ranked_within, refined
from curvewise.sources.engines.sweep_groups import SweepGroups, grouped
from curvewise.sources.streams.stream import HowRead, Stream, bins_for
from curvewise.sources.table import need_columns
from curvewise.sources.wording import FileWords

if TYPE_CHECKING:
    from curvewise.rows.rows import HigherIs, Missing, WeightKind
    from curvewise.sources.engines.engine import CheckedRows, Engine, Ranges

Part = TypeVar("Part")
EngineName = Literal["auto", "polars", "duckdb", "spark"]
STEP = 1 << 18  # rows after which a terminal hears of it
EXACT_BINS = 1 << 16  # for areas that are ranked bin by bin


def scan(
    source: object,
    *,
    label: str,
    score: str,
    weight: str | None = None,
    weight_kind: WeightKind = "sampling",
    by: str | Sequence[str] | None = None,
    positive: object = None,
    higher_is: HigherIs = "positive",
    missing: Missing = "raise",
    round_to: int | None = None,
    resolution: float | None = None,
    engine: EngineName = "auto",
    query: str | None = None,
) -> Any:
    """Read the sweep of rows that need not fit in memory, or on one machine.

    Parameters
    ----------
    source
        A Polars lazy frame, a DuckDB relation, a Spark data frame, an Ibis table, any other frame that narwhals knows;
        the path of a file, a folder or a glob (``"day=*/part-*.parquet"``), or a list of paths; the address of a
        database (``"postgresql://..."``, ``"sqlite:///file.db"``) or an ADBC connection, with ``query``.
    label, score, weight
        Names of columns.
    by
        A column of groups, or several: one sweep per group, all from one pass.
    weight_kind, positive, higher_is, missing, round_to
        As in `curvewise.sweep`.
    resolution
        None (default): every score is counted by itself, and the numbers are those of rows in memory. Between 0 and
        1, as 1e-4: scores are counted in bins, in fixed memory; areas and rates come as `Bounds` that contain the
        exact ones, and bins that leave ROC AUC or average precision open by more than that are counted again, more
        finely. 0: the rows of each bin are ranked, as many bins at a time as fit in memory; ROC AUC and average
        precision are then exact, after several passes.
    engine
        What reads files: ``"polars"`` (default), ``"duckdb"`` or ``"spark"``. A frame belongs to its own engine.
    query
        The query of a database; its columns are named by ``label``, ``score``, ``weight``, ``by``.

    Returns
    -------
    Sweep
        Or `SweepGroups`, a mapping from group to `Sweep`, with ``by``.

    Raises
    ------
    CurvewiseError
        If the rows cannot be used, in the same words as for rows in memory: what, which column, how many, what to do.
    SourceError
        If the engine, the files or the database fail.

    Notes
    -----
    Two passes: one for facts (classes, missing values, weights), one for rows. Files, Polars and DuckDB run in this
    process: rows stream through the library's own sort, 24 bytes per different score. Spark and databases count rows by
    score where they lie (``GROUP BY``), and send one row per different score.

    Rows that change between passes are refused. By its address, a database is read in one snapshot.

    Counts, and whole weights, are exactly those of rows in memory. Fractional weights are added in another order, so
    their sums may differ in the last digits (by less than one part in 10^12).

    Examples
    --------
    >>> import polars as pl
    >>> import curvewise as cw
    >>> rows = pl.LazyFrame({"ill": [1, 0, 1, 0], "risk": [0.9, 0.8, 0.3, 0.1], "site": ["a", "a", "b", "b"]})
    >>> cw.roc_auc(cw.scan(rows, label="ill", score="risk"))
    0.75
    >>> cw.scan(rows, label="ill", score="risk", by="site")["b"]
    Sweep(2 rows: 1 positive, 1 negative; 2 thresholds, 0.3 to 0.1)
    """
    try:
        names = () if by is None else tuple(values_of("by", by))
        rows = find_engine(source, engine, query)
        with rows.snapshot():
            how = HowRead(positive, higher_is, missing, round_to, weight_kind)
            reading = open_scan(rows, Asked(label, score, weight, names), how)
            return reading.groups(resolution) if names else reading.sweep(resolution)
    except CurvewiseError as error:
        raise FileWords({"y": label, "score": score, "weight": weight}, python=True).translate(error) from None


def open_scan(source: object, asked: Asked, how: HowRead) -> Reading:
    """Find the engine that holds the rows, and check these; see `scan`."""
    named = [("label", asked.label), ("score", asked.score), *(("by", column) for column in asked.by)]
    for name, column in [*named, *([] if asked.weight is None else [("weight", asked.weight)])]:
        if not isinstance(column, str):
            raise OptionError.of(name, f"expected the name of a column, got {shown(column)}.")
    engine = find_engine(source)
    state = file_state(engine.files)
    need_columns(list(engine.kinds()), asked.names, engine.shown_as)
    return Reading(engine, asked, engine.check(asked, how), how, state)


@dataclass(frozen=True)
class Reading:
    """Rows of an engine that have been checked, ready to be counted."""

    engine: Engine
    asked: Asked
    checked: CheckedRows
    how: HowRead
    state: object  # of its files, before the first pass

    @property
    def facts(self) -> dict[str, Any]:
        """What the sweep says of how rows were read."""
        return {
            "weight_kind": None if self.asked.weight is None else self.how.weight_kind,
            "dropped": self.checked.dropped,
            "round_to": self.how.round_to,
            "higher_is": self.how.higher_is,
            "backend": self.engine.backend,
        }

    def rounded(self, score: NDArray[Any]) -> NDArray[Any]:
        """Return scores with as many decimals as were asked for."""
        return score if self.how.round_to is None else rounded(score, self.how.round_to)

    def sweep(self, resolution: float | None) -> Sweep:
        """Return the sweep of all rows."""
        if resolution is None:
            return self.exact()
        resolution = real("resolution", resolution, 0, 1)
        if resolution == 0 and self.asked.weight is not None:
            raise OptionError.of("resolution", "0 ranks rows that count alike; leave out weight, or give 1e-6.")
        return self.in_bins(EXACT_BINS if resolution == 0 else bins_for(resolution), resolution)

    def groups(self, resolution: float | None) -> SweepGroups:
        """Return one sweep per group."""
        if resolution is not None and real("resolution", resolution, 0, 1) == 0:
            raise OptionError.of("resolution", "0 ranks all rows together; leave it out: groups are exact without it.")
        return grouped(self, None if resolution is None else bins_for(resolution))

    def batches(self) -> Iterator[Batch]:
        """Hand out all rows once, scores rounded and weights whole where they are."""
        classes = np.zeros(2)
        for batch in self._watched(self.engine.batches(self.asked, self.checked.positive), lambda b: len(b.score)):
            weight = self._weights(batch.weight)
            for k, rows in enumerate((batch.positive, ~batch.positive)):
                classes[k] += np.count_nonzero(rows) if weight is None else weight[rows].sum()
            yield Batch(self.rounded(batch.score), batch.positive, weight, batch.by)
        self._hold(classes)

    def _hold(self, classes: Sequence[float] | NDArray[np.float64]) -> None:
        """Refuse a pass that saw other rows than the first one."""
        hold(self.checked.classes, classes, self.engine.shown_as)
        if file_state(self.engine.files) != self.state:
            raise changed(self.engine.shown_as)

    def _watched(self, handed: Iterator[Part], rows: Callable[[Part], int]) -> Iterator[Part]:
        """Hand on what an engine hands out, and say on a terminal how far it has come."""
        steps, seen = -(-self.checked.left // STEP), 0
        with Progress("Reading rows", steps) as progress:
            for part in handed:
                before, seen = seen // STEP, min(seen + rows(part), self.checked.left)
                for _ in range(before, seen // STEP):
                    progress.step()
                yield part

    def counts(self) -> Counted:
        """Count rows by score and group where they lie."""
        counts = self.engine.counts(self.asked, self.checked.positive)
        self._hold((counts.positives.sum(), counts.negatives.sum()))
        positives, negatives = self._weights(counts.positives), self._weights(counts.negatives)
        return Counted(self.rounded(counts.score), positives, negatives, counts.by)

    def _weights(self, weight: Any) -> Any:
        if weight is None:
            return None
        return weight.astype(np.int64 if self.checked.whole else np.float64, copy=False)

    def exact(self) -> Sweep:
        """Return the sweep in which every score is counted by itself."""
        if self.engine.counts_where_rows_lie:
            counts = self.counts()
            return Sweep.from_summary(Summary.of_counts(counts.score, counts.positives, counts.negatives), **self.facts)
        counter = ExactCounter()
        for batch in self.batches():
            counter.add(batch.score, batch.positive, batch.weight)
        sweep = counter.sweep(**self.facts)
        assert sweep is not None  # noqa: S101 - the facts counted rows
        return sweep

    def summaries(self, most: int, inside: Ranges | None = None) -> Iterator[Summary]:
        """Hand out counts of all rows, or of those in some ranges, by bins of scores."""
        if self.how.round_to is not None:
            yield from summaries_of(self.batches(), most, inside)
            return
        handed = self.engine.summaries(self.asked, self.checked.positive, most, inside)
        classes = np.zeros(2)
        rows = self.checked.left / sum(self.checked.classes)  # per weight
        for part in self._watched(handed, lambda s: int(rows * (s.positives.sum() + s.negatives.sum()))):
            classes += part.positives.sum(), part.negatives.sum()
            yield replace(part, positives=self._weights(part.positives), negatives=self._weights(part.negatives))
        if inside is None:
            self._hold(classes)

    def in_bins(self, most: int, resolution: float | None = None) -> Sweep:
        """Return the sweep of at most so many bins, refined as far as a resolution asks, or ranked within (0)."""
        stream = Stream()
        stream.most = most
        for part in self.summaries(most):
            stream.add_summary(part)
        summary = stream.summary()
        assert summary is not None  # noqa: S101 - the facts counted rows
        if resolution == 0:
            sweep = Sweep.from_summary(summary, in_bins=True, **self.facts)
            if self.how.round_to is not None:
                return ranked_within(sweep, self.batches)
            return self.engine.ranked(sweep, self.asked, self.checked.positive)
        if resolution is not None:
            summary = refined(summary, self.summaries, resolution, most)
        return Sweep.from_summary(summary, in_bins=resolution is not None, **self.facts)
