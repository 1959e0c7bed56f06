"""From rows that lie in files, lazy frames, clusters or databases to a sweep: counted there, or in one pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from curvewise.core import kernel
from curvewise.core.bins import Summary
from curvewise.core.exact_counter import ExactCounter
from curvewise.core.sweep import Sweep
from curvewise.errors import CurvewiseError, OptionError
from curvewise.rows.checks import one_of, whole
from curvewise.rows.reading import rounded
from curvewise.sources.checked_rows import check_rows
from curvewise.sources.engines.engine import Asked, Batch
from curvewise.sources.engines.find import find_engine
from curvewise.sources.refining import ranked_within, refined
from curvewise.sources.stream import Stream, bins_for
from curvewise.sources.sweep_groups import grouped
from curvewise.sources.table import need_columns
from curvewise.sources.wording import FileWords

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from curvewise.rows.rows import HigherIs, Missing, WeightKind
    from curvewise.sources.checked_rows import CheckedRows
    from curvewise.sources.engines.engine import Engine

EngineName = Literal["auto", "polars", "duckdb", "spark"]
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
    one_of("higher_is", higher_is, ("positive", "negative"))
    one_of("missing", missing, ("raise", "drop"))
    one_of("weight_kind", weight_kind, ("sampling", "count"))
    decimals = None if round_to is None else whole("round_to", round_to, 0)
    groups = () if by is None else (by,) if isinstance(by, str) else tuple(by)
    most = None if resolution is None else EXACT_BINS if resolution == 0 else bins_for(resolution)
    if resolution == 0 and (weight is not None or groups):
        raise OptionError.of("resolution", "0 ranks rows of weight 1 without groups; leave out weight and by.")
    found = find_engine(source, engine, query)
    asked = Asked(label, score, weight, groups)
    need_columns(list(found.kinds()), asked.names, found.shown_as)
    roles = {"y": label, "score": score, "weight": weight}
    try:
        checked = check_rows(found, asked, positive=positive, missing=missing, weight_kind=weight_kind)
        facts: dict[str, Any] = {
            "weight_kind": None if weight is None else weight_kind,
            "dropped": checked.dropped,
            "round_to": decimals,
            "higher_is": higher_is,
            "backend": found.backend,
        }
        reading = Reading(found, asked, checked, decimals)
        if groups:
            return grouped(reading, facts, most)
        return reading.exact(facts) if most is None else reading.in_bins(facts, resolution or 0.0, most)
    except CurvewiseError as error:
        raise FileWords(roles, python=True).translate(error) from None


@dataclass(frozen=True)
class Reading:
    """Rows of an engine that have been checked, ready to be counted."""

    engine: Engine
    asked: Asked
    checked: CheckedRows
    round_to: int | None

    def batches(self) -> Iterator[Batch]:
        """Hand out all rows once, scores rounded and weights whole where they are."""
        for batch in self.engine.batches(self.asked, self.checked.positive):
            score = batch.score if self.round_to is None else rounded(batch.score, self.round_to)
            yield Batch(score, batch.positive, self._weights(batch.weight), batch.by)

    def counts(self) -> Any:
        """Count rows by score and group where they lie."""
        found = self.engine.counts(self.asked, self.checked.positive)
        score = found.score if self.round_to is None else rounded(found.score, self.round_to)
        return type(found)(score, self._weights(found.positives), self._weights(found.negatives), found.by)

    def _weights(self, weight: Any) -> Any:
        if weight is None:
            return None
        return weight.astype(np.int64 if self.checked.whole else np.float64, copy=False)

    def exact(self, facts: dict[str, Any]) -> Sweep:
        """Return the sweep in which every score is counted by itself."""
        if self.engine.counts_where_rows_lie:
            found = self.counts()
            threshold, tp, fp = kernel.merged(found.score, found.positives, found.negatives)
            counts = (np.diff(c, prepend=c.dtype.type(0))[::-1] for c in (tp, fp))
            low = threshold[::-1]
            return Sweep.from_summary(Summary(low, low, *counts), **facts)  # type: ignore[arg-type]
        counter = ExactCounter()
        for batch in self.batches():
            counter.add(batch.score, batch.positive, batch.weight)
        made = counter.sweep(**facts)
        assert made is not None  # noqa: S101 - the facts counted rows
        return made

    def in_bins(self, facts: dict[str, Any], resolution: float, most: int) -> Sweep:
        """Return the sweep of bins, refined where they matter, or ranked within."""
        stream = Stream()
        stream.most = most
        if self.round_to is None:
            for found in self.engine.summaries(self.asked, self.checked.positive, most):
                stream.add_summary(found)
        else:
            for batch in self.batches():
                stream.add_summary(Summary.of(batch.score, batch.positive, batch.weight))
        summary = stream.summary()
        assert summary is not None  # noqa: S101 - the facts counted rows
        if resolution == 0:
            return ranked_within(Sweep.from_summary(summary, **facts), self.batches)
        return Sweep.from_summary(refined(summary, self.batches, resolution, most), **facts)
