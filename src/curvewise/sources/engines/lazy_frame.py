"""What the lazy frames of all libraries share, said once: narwhals says it to each of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import narwhals as nw
import numpy as np

from curvewise.errors import ColumnName, CurvewiseError, SourceError
from curvewise.rows.columns import as_column
from curvewise.rows.reading import real_numbers
from curvewise.sources.engines.engine import Asked, Batch, Counted, Kind
from curvewise.sources.engines.facts import MOST_LABELS, FactsEngine, LabelFacts

EXACT_DIGITS = 15  # decimal numbers of so many digits are different floats


class LazyFrameEngine(FactsEngine):
    """A frame that narwhals knows, computed when it is asked.

    A library's own engine says how rows come in batches (`iterate`) and how its errors look (`computed`).
    """

    name: ClassVar[str] = "narwhals"
    failures: ClassVar[tuple[type[Exception], ...]] = (Exception,)

    def __init__(self, native: Any, name: str | None = None) -> None:
        frame = nw.from_native(native)
        self.frame: nw.LazyFrame[Any] = frame.lazy() if isinstance(frame, nw.DataFrame) else frame
        self.shown_as = name or "data"
        self.backend = frame.implementation.value if isinstance(frame, nw.DataFrame) else None

    def kinds(self) -> dict[str, Kind]:
        """Return the columns, and what they hold."""
        schema = self.computed(lambda: dict(self.frame.collect_schema()))
        return {name: kind_of_dtype(dtype) for name, dtype in schema.items()}

    def computed(self, compute: Any) -> Any:
        """Let the engine compute; what it complains of becomes one sentence."""
        failures: tuple[type[Exception], ...] = (*self.failures, nw.exceptions.NarwhalsError)
        try:
            return compute()
        except CurvewiseError:
            raise
        except failures as error:
            raise self.failed(error) from None

    def failed(self, error: Exception) -> SourceError:
        """Return the error of the engine as one sentence."""
        return failed(self.shown_as, error)

    def columns(self, asked: Asked) -> nw.LazyFrame[Any]:
        """Return the columns asked for under names of our own, so that no name of the user's stands in the way."""
        named = {"cw_label": asked.label, "cw_score": asked.score}
        if asked.weight is not None:
            named["cw_weight"] = asked.weight
        return self.named(named | {f"cw_by{k}": name for k, name in enumerate(asked.by)})

    def named(self, columns: Mapping[str, str]) -> nw.LazyFrame[Any]:
        """Return columns under other names; by place, as a name may look like a pattern to a library."""
        there = list(self.kinds())
        return self.frame.select(*(nw.nth(there.index(name)).alias(alias) for alias, name in columns.items()))

    def facts(self, asked: Asked) -> list[LabelFacts]:
        """Return facts per label."""
        frame = self.columns(asked)
        dtypes = self.computed(frame.collect_schema)
        if _is_long(dtypes["cw_score"]):
            self._check_decimals(frame)
        no_score = self._missing("cw_score", dtypes)
        named, counted = {"no_score": no_score, "left": ~no_score}, {}
        if asked.weight is not None:
            weight, no_weight = nw.col("cw_weight").cast(nw.Float64), self._missing("cw_weight", dtypes)
            zero, finite = ~no_weight & (weight == 0), ~no_weight & weight.is_finite()
            left = ~no_score & ~no_weight & ~zero
            named = {"no_score": no_score & ~zero, "no_weight": no_weight, "zero": zero, "left": left}
            named["bad_weight"] = left & ~(finite & (weight >= 0))
            named["fractional"] = left & finite & (weight != weight.floor())
            counted["weight"] = nw.when(left & finite).then(weight).otherwise(0.0)
        # a column for each fact first: not every library sums an expression of several columns within groups
        frame = frame.with_columns(
            **{f"cw_{k}": nw.when(e).then(1).otherwise(0).cast(nw.Int64) for k, e in named.items()},
            **{f"cw_sum_{k}": e for k, e in counted.items()},
        )
        sums = [nw.col(f"cw_{k}").sum() for k in named] + [nw.col(f"cw_sum_{k}").sum() for k in counted]
        table = self.table(frame.group_by("cw_label").agg(nw.len().alias("cw_rows"), *sums).head(MOST_LABELS))
        labels = as_column(table["cw_label"], "y")
        absent = np.zeros(len(labels), dtype=bool) if labels.missing is None else labels.missing
        values = [None if gone else v for v, gone in zip(labels.values.tolist(), absent, strict=True)]
        numbers: dict[str, Any] = {k: list(map(int, np.asarray(table[f"cw_{k}"]))) for k in ("rows", *named)}
        numbers |= {k: np.asarray(table[f"cw_sum_{k}"]).tolist() for k in counted}
        return [LabelFacts(value, **{k: v[at] for k, v in numbers.items()}) for at, value in enumerate(values)]

    def _check_decimals(self, frame: nw.LazyFrame[Any]) -> None:
        """Refuse decimals that differ and are one float."""
        exact, near = (c.n_unique() for c in (nw.col("cw_score"), nw.col("cw_score").cast(nw.Float64)))
        different = self.table(frame.select(exact.alias("exact"), near.alias("near")))
        if different["exact"][0] != different["near"][0]:
            message = "{column}: float64 cannot tell some of its decimals apart; rank or round them first."
            raise CurvewiseError(message, column=ColumnName("score"))

    def rows(self, asked: Asked, positive: Any) -> nw.LazyFrame[Any]:
        """Return the rows that can be used: score, whether they are positive, weight and groups."""
        frame = self.columns(asked)
        dtypes = self.computed(frame.collect_schema)
        gone = self._missing("cw_label", dtypes) | self._missing("cw_score", dtypes)
        columns = [nw.col("cw_score"), (nw.lit(value=False) if positive is None else nw.col("cw_label") == positive)]
        if dtypes["cw_score"] == nw.Decimal and not _is_long(dtypes["cw_score"]):
            columns[0] = columns[0].cast(nw.Float64)
        columns[1] = columns[1].alias("cw_positive")
        if asked.weight is not None:
            gone = gone | self._missing("cw_weight", dtypes) | (nw.col("cw_weight") == 0)
            columns.append(nw.col("cw_weight"))
        columns += [nw.col(f"cw_by{k}") for k in range(len(asked.by))]
        return frame.filter(~gone).select(*columns)

    def is_nan(self, column: nw.Expr) -> nw.Expr:
        """Say where a column is NaN."""
        return column.is_nan()

    def _missing(self, name: str, dtypes: Any) -> nw.Expr:
        column = nw.col(name)
        return column.is_null() | self.is_nan(column) if dtypes[name].is_float() else column.is_null()

    def batches(self, asked: Asked, positive: Any) -> Iterator[Batch]:
        """Hand out all rows once."""
        batches = iter(self.iterate(self.rows(asked, positive).to_native()))
        while (columns := self.computed(lambda: next(batches, None))) is not None:
            if len(columns["cw_score"]):
                yield Batch(
                    number_array(columns["cw_score"]),
                    np.asarray(columns["cw_positive"], dtype=bool),
                    None if asked.weight is None else number_array(columns["cw_weight"]),
                    tuple(columns[f"cw_by{k}"] for k in range(len(asked.by))),
                )

    def counts(self, asked: Asked, positive: Any) -> Counted:
        """Count rows, or sum their weights, by score and group, where they lie."""
        frame = self.rows(asked, positive)
        whole = asked.weight is None or not frame.collect_schema()["cw_weight"].is_float()
        one = nw.lit(1).cast(nw.Int64) if asked.weight is None else nw.col("cw_weight")
        one = one.cast(nw.Int64 if whole else nw.Float64)
        none = nw.lit(0).cast(nw.Int64 if whole else nw.Float64)
        is_positive = nw.col("cw_positive")
        frame = frame.with_columns(
            cw_pos=nw.when(is_positive).then(one).otherwise(none), cw_neg=nw.when(is_positive).then(none).otherwise(one)
        )
        keys = ["cw_score", *(f"cw_by{k}" for k in range(len(asked.by)))]
        counted = [nw.col(name) for name in ("cw_pos", "cw_neg")]
        sums = frame.group_by(*keys, drop_null_keys=False).agg(*(c.sum() for c in counted))
        table = self.table(sums.with_columns(*(c.cast(nw.Int64 if whole else nw.Float64) for c in counted)))
        return Counted(
            number_array(table["cw_score"]),
            np.asarray(table["cw_pos"]),
            np.asarray(table["cw_neg"]),
            tuple(table[f"cw_by{k}"] for k in range(len(asked.by))),
        )

    def table(self, frame: nw.LazyFrame[Any]) -> Any:
        """Compute a small frame: a table of the library, which gives its columns by name."""
        return self.computed(frame.collect).to_native()

    def iterate(self, native: Any) -> Iterator[Any]:
        """Compute rows in batches, each such a table. Here all at once, which fits in memory or fails."""
        yield self.table(nw.from_native(native))


def failed(name: str, error: Exception) -> SourceError:
    """Return the error of an engine as one sentence."""
    reason = " ".join(str(error).split())
    if type(error).__name__ == "PanicException":  # which says where in Polars, not what is wrong
        reason = "Polars broke off; the file may be corrupt"
    return SourceError(f"{name}: the engine failed ({type(error).__name__}: {shown_text(reason)}).")


def shown_text(text: str, most: int = 300) -> str:
    """Cut a text that is too long for one sentence."""
    return text if len(text) <= most else text[: most - 1] + "…"


def number_array(column: Any) -> np.ndarray[Any, Any]:
    """Return numbers as NumPy has them, as in memory: booleans are 0 and 1, whole ones of 128 bits must fit in 64."""
    return real_numbers(as_column(column, "score"))


def is_nan_by_value(column: nw.Expr) -> nw.Expr:
    """Say where a column is NaN, by arithmetic.

    DuckDB takes Parquet files to hold no NaN unless it is told (``can_have_nan``), and answers isnan from statistics,
    without a look at the values.
    """
    return ~((column - column) == 0) & (column != np.inf) & (column != -np.inf)


def _is_long(dtype: Any) -> bool:
    """Say whether a type has decimals that an engine may not turn into floats exactly: they are handed out instead."""
    return dtype == nw.Decimal and (getattr(dtype, "precision", None) or 38) > EXACT_DIGITS


def kind_of_dtype(dtype: Any) -> Kind:
    """Return what a column of this type holds."""
    if dtype == nw.Boolean:
        return "boolean"
    if dtype.is_numeric():
        return "number"
    return "text" if dtype in (nw.String, nw.Categorical, nw.Enum) else "other"
