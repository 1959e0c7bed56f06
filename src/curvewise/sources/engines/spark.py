"""Spark: data frames and files, counted in its workers by this library's kernel."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import narwhals as nw
import numpy as np

from curvewise.errors import SourceError
from curvewise.sources.engines import spark_session  # first: it says what is not installed

# isort: split
from collections.abc import Callable, Iterator, Mapping, Sequence

from curvewise.sources.engines import spark_partitions as workers
from curvewise.sources.engines.engine import Counted
from curvewise.sources.engines.lazy_frame import LazyFrameEngine, shown_text
from curvewise.sources.engines.refining import MOST_ROWS, with_ranks

if TYPE_CHECKING:
    from curvewise.core.bins import Bins, Summary
    from curvewise.core.sweep import Sweep
    from curvewise.sources.engines.engine import Asked, Ranges
    from curvewise.sources.engines.refining import Ranked, Stretch

TASKS = 200  # where Spark is left to choose
MOST_BINS = 1 << 24  # that come to this process from all tasks together


class SparkEngine(LazyFrameEngine):
    """A data frame of Spark, classic or Connect; its rows are counted in the workers."""

    name: ClassVar[str] = "Spark"
    counts_where_rows_lie: ClassVar[bool] = True
    failures: ClassVar[tuple[type[Exception], ...]] = spark_session.FAILURES

    def failed(self, error: Exception) -> SourceError:
        """Return the error of Spark as one sentence."""
        return spark_session.failed(self.shown_as, error)

    def named(self, columns: Mapping[str, str]) -> nw.LazyFrame[Any]:
        """Return columns under other names, in not too many partitions.

        Spark would read dots and backticks in the user's names; a task costs more than a partition is worth.
        """
        native = self.frame.to_native().coalesce(self.tasks)
        quoted = {alias: "`" + name.replace("`", "``") + "`" for alias, name in columns.items()}
        selected = self.computed(lambda: native.select(*(native[name].alias(alias) for alias, name in quoted.items())))
        return nw.from_native(selected)  # type: ignore[no-any-return]

    def columns(self, asked: Asked) -> nw.LazyFrame[Any]:
        """Return the columns asked for under names of our own, weights as numbers that sums keep."""
        frame = super().columns(asked)
        if asked.weight is None:
            return frame
        held = frame.collect_schema()["cw_weight"]
        if held == nw.Boolean or held.is_integer():
            return frame.with_columns(nw.col("cw_weight").cast(nw.Int64))
        return frame.with_columns(nw.col("cw_weight").cast(nw.Float64)) if held.is_numeric() else frame

    @property
    def tasks(self) -> int:
        """How many tasks a job has at most: as many as Spark makes of a shuffle."""
        session = self.frame.to_native().sparkSession
        partitions = self.computed(lambda: session.conf.get("spark.sql.shuffle.partitions"))
        return int(partitions) if partitions.isdecimal() else TASKS

    def counts(self, asked: Asked, positive: Any) -> Counted:
        """Count rows, or sum their weights, by score and group: in each task first, then all counts of a score."""
        if asked.by:
            return super().counts(asked, positive)
        parts = self.tasks
        counted = self._mapped(self._rows(asked, positive), partial(workers.count_scores, parts=parts))
        added = self._mapped(counted.repartition("part"), workers.add_counts)
        try:
            table = added.toArrow()
        except self.failures as error:
            if spark_session.lacks_module(error) is None:
                raise self.failed(error) from None
            return super().counts(asked, positive)  # slower, and no Python is needed there
        arrays = workers.gathered(workers.unpacked(table.to_batches()))[0]
        return Counted(arrays["score"], arrays["positives"], arrays["negatives"])

    def summaries(self, asked: Asked, positive: Any, most: int, inside: Ranges | None = None) -> Iterator[Summary]:
        """Hand out counts of rows by bins, one table from each task."""
        rows = self._rows(asked, positive)
        counted = self._mapped(rows, partial(workers.count_bins, most=most, inside=inside))
        if self.tasks * most > MOST_BINS:
            # as many tasks as their bytes are worth: often one
            counted = self._mapped(counted.hint("rebalance"), partial(workers.add_bins, most=most))
        return workers.summaries_in(self.computed(counted.toArrow).to_batches())

    def ranked(self, sweep: Sweep, asked: Asked, positive: Any) -> Sweep:
        """Rank the rows within bins in one shuffle: neighbouring bins go to one task, which knows what lies above."""

        def rank(bins: Bins, parts: list[Stretch]) -> list[Ranked | None]:
            here = [part.bins for part in parts]
            low, high = (np.array([end(b[k]) for k in here]) for end, b in ((np.min, bins.low), (np.max, bins.high)))
            counted = self._mapped(self._rows(asked, positive), partial(workers.count_in_stretches, low=low, high=high))
            falling = sweep.higher_is == "positive"
            of_parts = partial(workers.rank_stretches, bins=(bins.low, bins.high), stretches=parts, falling=falling)
            table = self.computed(self._mapped(counted.repartition("part"), of_parts).toArrow)
            ranked = workers.gathered(workers.unpacked(table.to_batches()))
            return [ranked.get(k) for k in range(len(parts))]

        return with_ranks(sweep, rank, int(min(max(sweep.n // self.tasks, 1), MOST_ROWS)))

    def iterate(self, native: Any) -> Iterator[Any]:
        """Compute rows task by task, and hand them out in batches."""
        cells = self._mapped(native, workers.hand_out)
        for row in cells.toLocalIterator(prefetchPartitions=True):
            yield workers.table_in(bytes(row["packed"]))

    def _rows(self, asked: Asked, positive: Any) -> Any:
        """Return score, label and weight of the rows that can be used, as Spark's frame."""
        return self.rows(asked, positive).to_native()

    def _mapped(self, native: Any, function: Callable[..., Any]) -> Any:
        """Let a function of the workers see each partition."""
        return self.computed(lambda: native.mapInArrow(function, workers.PACKED))


def spark_files(paths: Sequence[str]) -> Any:
    """Return Parquet files as one data frame, of the user's session or of one on this machine."""
    named = next((path for path in paths if ":" in path), None)
    if named is not None:
        raise SourceError(
            f"{named}: Spark cannot read a file with a colon in its name; rename it, or leave engine out."
        )
    reader = spark_session.session().read.option("mergeSchema", "true")
    base = _base_of(paths)
    if base is not None:
        reader = reader.option("basePath", base)
    try:
        return reader.parquet(*map(_literal, paths))
    except spark_session.FAILURES as error:
        raise spark_session.failed(shown_text(", ".join(paths), 100), error) from None


def _literal(path: str) -> str:
    """Return the address of a file, in which nothing is a wildcard."""
    return "file://" + re.sub(r"([\\{}\[\]*?])", r"\\\1", str(Path(path).absolute()))


def _base_of(paths: Sequence[str]) -> str | None:
    """Return the folder above folders such as ``day=3``, whose names Spark then reads as columns."""
    folders = [Path(path).absolute().parts[:-1] for path in paths]
    bases = {next((f[:k] for k, name in enumerate(f) if "=" in name), None) for f in folders}
    base = bases.pop()
    return "file://" + str(Path(*base)) if base is not None and not bases else None
