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
from curvewise.errors import ColumnName, CurvewiseError, OptionError
from curvewise.rows.checks import one_of, real, values_of, whole
from curvewise.rows.columns import Column, as_column, count, shown
from curvewise.rows.labels import binary_labels, is_label
from curvewise.rows.reading import MOST_WEIGHT, missing_values, rounded
from curvewise.sources.byte_source import changed, file_state
from curvewise.sources.engines.engine import Asked, Batch, summaries_of
from curvewise.sources.engines.find import find_engine
from curvewise.sources.engines.lazy_frame import MOST_LABELS
from curvewise.sources.engines.refining import hold, ranked_within, refined
from curvewise.sources.engines.sweep_groups import SweepGroups, grouped
from curvewise.sources.streams.stream import Stream, bins_for
from curvewise.sources.table import need_columns
from curvewise.sources.wording import FileWords

if TYPE_CHECKING:
    from curvewise.rows.rows import HigherIs, Missing, WeightKind
    from curvewise.sources.engines.engine import Engine, LabelFacts, Ranges

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
            found = open_scan(
                rows,
                label=label,
                score=score,
                weight=weight,
                weight_kind=weight_kind,
                by=names,
                positive=positive,
                higher_is=higher_is,
                missing=missing,
                round_to=round_to,
            )
            return found.groups(resolution) if names else found.sweep(resolution)
    except CurvewiseError as error:
        raise FileWords({"y": label, "score": score, "weight": weight}, python=True).translate(error) from None


def open_scan(
    source: object,
    *,
    label: str,
    score: str,
    weight: str | None = None,
    weight_kind: WeightKind = "sampling",
    by: tuple[str, ...] = (),
    positive: object = None,
    higher_is: HigherIs = "positive",
    missing: Missing = "raise",
    round_to: int | None = None,
) -> Reading:
    """Find the engine that holds the rows, and check these; see `scan`."""
    one_of("higher_is", higher_is, ("positive", "negative"))
    one_of("missing", missing, ("raise", "drop"))
    one_of("weight_kind", weight_kind, ("sampling", "count"))
    decimals = None if round_to is None else whole("round_to", round_to, 0)
    for name, column in (("label", label), ("score", score), ("weight", weight), *(("by", column) for column in by)):
        if not isinstance(column, str) and (name != "weight" or column is not None):
            raise OptionError.of(name, f"expected the name of a column, got {shown(column)}.")
    found = find_engine(source)
    state = file_state(found.files)
    asked = Asked(label, score, weight, by)
    need_columns(list(found.kinds()), asked.names, found.shown_as)
    checked = check_rows(found, asked, positive=positive, missing=missing, weight_kind=weight_kind)
    facts = {
        "weight_kind": None if weight is None else weight_kind,
        "dropped": checked.dropped,
        "round_to": decimals,
        "higher_is": higher_is,
        "backend": found.backend,
    }
    return Reading(found, asked, checked, decimals, facts, state)


@dataclass(frozen=True)
class Reading:
    """Rows of an engine that have been checked, ready to be counted."""

    engine: Engine
    asked: Asked
    checked: CheckedRows
    round_to: int | None
    facts: dict[str, Any]  # of the sweep: how rows were read
    state: object  # of its files, before the first pass

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
            score = batch.score if self.round_to is None else rounded(batch.score, self.round_to)
            weight = self._weights(batch.weight)
            for k, rows in enumerate((batch.positive, ~batch.positive)):
                classes[k] += np.count_nonzero(rows) if weight is None else weight[rows].sum()
            yield Batch(score, batch.positive, weight, batch.by)
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

    def counts(self) -> Any:
        """Count rows by score and group where they lie."""
        found = self.engine.counts(self.asked, self.checked.positive)
        self._hold((found.positives.sum(), found.negatives.sum()))
        score = found.score if self.round_to is None else rounded(found.score, self.round_to)
        return type(found)(score, self._weights(found.positives), self._weights(found.negatives), found.by)

    def _weights(self, weight: Any) -> Any:
        if weight is None:
            return None
        return weight.astype(np.int64 if self.checked.whole else np.float64, copy=False)

    def exact(self) -> Sweep:
        """Return the sweep in which every score is counted by itself."""
        if self.engine.counts_where_rows_lie:
            found = self.counts()
            return Sweep.from_summary(Summary.of_counts(found.score, found.positives, found.negatives), **self.facts)
        counter = ExactCounter()
        for batch in self.batches():
            counter.add(batch.score, batch.positive, batch.weight)
        made = counter.sweep(**self.facts)
        assert made is not None  # noqa: S101 - the facts counted rows
        return made

    def summaries(self, most: int, inside: Ranges | None = None) -> Iterator[Summary]:
        """Hand out counts of all rows, or of those in some ranges, by bins of scores."""
        if self.round_to is not None:
            yield from summaries_of(self.batches(), most, inside)
            return
        handed = self.engine.summaries(self.asked, self.checked.positive, most, inside)
        classes = np.zeros(2)
        rows = self.checked.left / sum(self.checked.classes)  # per weight
        for found in self._watched(handed, lambda s: int(rows * (s.positives.sum() + s.negatives.sum()))):
            classes += found.positives.sum(), found.negatives.sum()
            yield replace(found, positives=self._weights(found.positives), negatives=self._weights(found.negatives))
        if inside is None:
            self._hold(classes)

    def in_bins(self, most: int, resolution: float | None = None) -> Sweep:
        """Return the sweep of at most so many bins, refined as far as a resolution asks, or ranked within (0)."""
        stream = Stream()
        stream.most = most
        for found in self.summaries(most):
            stream.add_summary(found)
        summary = stream.summary()
        assert summary is not None  # noqa: S101 - the facts counted rows
        if resolution == 0:
            sweep = Sweep.from_summary(summary, in_bins=True, **self.facts)
            if self.round_to is not None:
                return ranked_within(sweep, self.batches)
            return self.engine.ranked(sweep, self.asked, self.checked.positive)
        if resolution is not None:
            summary = refined(summary, self.summaries, resolution, most)
        return Sweep.from_summary(summary, in_bins=resolution is not None, **self.facts)


# ---- What an engine says of its rows, held to the same rules as rows in memory, in the same words ----


@dataclass(frozen=True)
class CheckedRows:
    """What is known before rows are counted: the label of positive rows, and how many rows there are."""

    positive: Any  # the label of positive rows; None where no row is positive
    negative: Any  # the label of negative rows; None where no row is negative
    left: int
    dropped: int
    whole: bool  # whether weights are whole numbers, or there are none
    classes: tuple[float, float]  # positives and negatives, rows or sums of weights: what every later pass must see


def check_rows(
    engine: Engine, asked: Asked, *, positive: object, missing: Missing, weight_kind: WeightKind
) -> CheckedRows:
    """Ask an engine for facts about its rows, and refuse what rows in memory would be refused for."""
    kinds = engine.kinds()
    for role, name in (("score", asked.score), ("weight", asked.weight)):
        if name is not None and kinds[name] not in ("number", "boolean"):
            held = kinds[name] if kinds[name] == "text" else "values that are no numbers"
            said = f"{{column}}: expected real numbers, got {held}; convert first."
            raise CurvewiseError(said, column=ColumnName(role))
    facts = engine.facts(asked)
    if len(facts) >= MOST_LABELS:
        raise _too_many(engine, asked)
    rows = sum(f.rows - f.zero for f in facts)
    if not rows:
        zero = sum(f.zero for f in facts)
        if zero:
            raise CurvewiseError(
                f"{{column}}: all {count(zero, 'weight')} are 0, so no row is left.", column=ColumnName("weight")
            )
        raise CurvewiseError("Expected at least one row, got none.")
    gaps = {
        "y": sum(f.rows - f.zero for f in facts if f.label is None),
        "score": sum(f.no_score for f in facts),
        "weight": sum(f.no_weight for f in facts),
    }
    if missing == "raise" and any(gaps.values()):
        raise missing_values((name, number, None) for name, number in gaps.items() if number)
    used = [f for f in facts if f.label is not None and f.left]
    left = sum(f.left for f in used)
    if not left:
        raise CurvewiseError(f"No row is left: a value is missing in {rows} of {count(rows, 'row')}.")
    _check_weights(used, asked, weight_kind)
    values = _labels(used)
    mask = binary_labels(Column("y", values), positive, other=_scores_if_swapped(engine, asked, values))
    yes, no = (next(iter(values[m].tolist()), None) for m in (mask, ~mask))
    number = np.array([f.left if asked.weight is None else f.weight for f in used])
    classes = number[mask].sum().item(), number[~mask].sum().item()
    return CheckedRows(yes, no, left, rows - left, not any(f.fractional for f in used), classes)


def _too_many(engine: Engine, asked: Asked) -> CurvewiseError:
    """Return the error of so many labels that not all of them were counted."""
    swapped = len(engine.facts(Asked(asked.score, asked.label))) <= 2
    advice = "labels and scores look swapped" if swapped else "check that this is the column of labels"
    said = f"{{column}}: expected two classes, found {count(MOST_LABELS, 'class')} or more; {advice}."
    return CurvewiseError(said, column=ColumnName("y"))


def _labels(used: list[LabelFacts]) -> NDArray[Any]:
    """Return the labels that occur; refuse what no label can be."""
    bad = sum(f.left for f in used if not is_label(f.label))
    if bad:
        said = f"{{column}}: expected labels (numbers or text), got {count(bad, 'other value')}."
        raise CurvewiseError(said, column=ColumnName("y"))
    return as_column([f.label for f in used], "y").values


def _scores_if_swapped(engine: Engine, asked: Asked, labels: NDArray[Any]) -> Column | None:
    """Return the scores, each once, where labels look like scores: by them swapped columns are told."""
    if labels.dtype.kind != "f" or len(labels) <= 2:
        return None
    scores = [f.label for f in engine.facts(Asked(asked.score, asked.label)) if f.label is not None]
    return Column("score", as_column(scores, "score").values)


def _check_weights(used: list[LabelFacts], asked: Asked, kind: WeightKind) -> None:
    if asked.weight is None:
        return
    weight = ColumnName("weight")
    bad = sum(f.bad_weight for f in used)
    if bad:
        raise CurvewiseError(
            f"{{column}}: expected weights of 0 or more, all finite, got {count(bad, 'other value')}.", column=weight
        )
    fractional = sum(f.fractional for f in used)
    if kind == "count" and fractional:
        raise CurvewiseError(
            f"{{column}}: expected whole numbers, since they are counts, got {count(fractional, 'other value')}.",
            column=weight,
        )
    if not fractional and sum(f.weight for f in used) >= MOST_WEIGHT:
        raise CurvewiseError(
            "{column}: the sum is more than 2^62, beyond exact counts; scale the values down.", column=weight
        )
