"""Databases that speak SQL, through ADBC: rows are counted there, one row per score and label comes back."""

# ruff: noqa: S608 - statements are made of the user's own query and of quoted names of its columns, never of values

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from curvewise.errors import ColumnName, CurvewiseError, SourceError
from curvewise.rows.columns import count, is_missing
from curvewise.sources._adbc import pa, pc
from curvewise.sources.engines.engine import Asked, Batch, Counted, Kind
from curvewise.sources.engines.facts import MOST_LABELS, FactsEngine, LabelFacts
from curvewise.sources.engines.lazy_frame import number_array
from curvewise.sources.engines.sql_database import Database
from curvewise.sources.engines.sql_text import one_query, quoted

NAN = "cast('NaN' as double precision)"
MOST_FLOAT = "1.7976931348623157e308"
FRACTIONS_END = "9007199254740992"  # 2^53: every number from here is whole


@dataclass(frozen=True)
class Held:
    """A column of the query: what it holds, and the SQL that fetches it as one type that Arrow has."""

    kind: Kind
    sql: str
    type: Any
    empty: str = "0"  # a value of its type
    many_digits: str = ""  # the SQL of values of more digits than float64 keeps

    @property
    def is_float(self) -> bool:
        """Whether it may hold NaN."""
        return bool(pa.types.is_floating(self.type))


class SqlEngine(FactsEngine):
    """The rows of a query.

    Values of the data stay out of the SQL text: rows are grouped by label and score, and it is found here which label
    is the positive one.
    """

    name: ClassVar[str] = "SQL"
    counts_where_rows_lie: ClassVar[bool] = True

    def __init__(self, source: object, query: str) -> None:
        self.query = one_query(query)
        self.database = Database(source)
        self.shown_as = self.database.shown_as
        self.snapshot = self.database.snapshot

    def kinds(self) -> dict[str, Kind]:
        """Return the columns, and what they hold."""
        return {name: held.kind for name, held in self.columns}

    @cached_property
    def columns(self) -> list[tuple[str, Held]]:
        """The columns of the query, in order; a name may stand there twice."""
        with self.database.answer(f"select * from {self._source} where 1 = 0") as reader:
            schema = reader.schema
        if not self.database.is_sqlite:
            return [(field.name, _typed(field)) for field in schema]
        names = list(dict.fromkeys(schema.names))
        storage = ", ".join(f"group_concat(distinct typeof({quoted(name)})) as c{k}" for k, name in enumerate(names))
        (types,) = self.database.table(f"select {storage} from {self._source}").to_pylist()
        held = {name: _of_storage(name, types[f"c{k}"]) for k, name in enumerate(names)}
        return [(name, held[name]) for name in schema.names]

    @cached_property
    def knows_nan(self) -> bool:
        """Whether the database has NaN."""
        try:
            (answer,) = self.database.table(f"select {NAN} as cw_nan").to_pylist()
        except SourceError:
            return False
        return is_missing(answer["cw_nan"])

    def facts(self, asked: Asked) -> list[LabelFacts]:
        """Return facts per label."""
        self._check_digits(asked.score)
        no_score = self._missing("cw_score", asked.score)
        when = {"no_score": no_score, "left": f"not {no_score}"}
        sums = ""
        if asked.weight is not None:
            no_weight = self._missing("cw_weight", asked.weight)
            zero = "coalesce(cw_weight, 1) = 0"
            left = f"not {no_score} and not {no_weight} and not {zero}"
            weight = "cast(cw_weight as double precision)"
            finite = f"abs({weight}) <= {MOST_FLOAT}"
            when = {"no_score": f"{no_score} and not {zero}", "no_weight": no_weight, "zero": zero, "left": left}
            when["bad_weight"] = f"{left} and not (cw_weight >= 0 and {finite})"
            # a number that is too large would not fit: it is looked at only where it does
            cut = f"{left} and abs({weight}) < {FRACTIONS_END} then case when {weight} <> cast({weight} as bigint)"
            sums = f", count(case when {cut} then 1 end end) as fractional"
            sums += f", sum(case when {left} and {finite} then {weight} else 0 end) as weight"
        counts = "".join(f", count(case when {what} then 1 end) as {quoted(name)}" for name, what in when.items())
        table = self.database.table(
            f"select cw_label as label, count(*) as n{counts}{sums} from {self._asked(asked)} "
            f"group by cw_label limit {MOST_LABELS}"
        )
        rows = table.to_pylist()
        labels = [row.pop("label") for row in rows]
        return [
            LabelFacts(None if is_missing(label) else label, row.pop("n"), **row)
            for label, row in zip(labels, rows, strict=True)
        ]

    def batches(self, asked: Asked, positive: Any) -> Iterator[Batch]:
        """Hand out all rows once."""
        weight = "" if asked.weight is None else ", cw_weight"
        with self.database.answer(
            f"select cw_label, cw_score{weight}{self._groups(asked)} from {self._rows(asked)}"
        ) as reader:
            for batch in reader:
                if batch.num_rows:
                    yield Batch(
                        number_array(batch["cw_score"]),
                        _equal(batch["cw_label"], positive),
                        number_array(batch["cw_weight"]) if weight else None,
                        _groups(batch, asked),
                    )

    def counts(self, asked: Asked, positive: Any) -> Counted:
        """Count rows, or sum their weights, by score and group, where they lie."""
        often = "count(*)"
        if asked.weight is not None:
            whole = not self._held(asked.weight).is_float
            often = "cast(sum(cw_weight) as bigint)" if whole else "sum(cast(cw_weight as double precision))"
        keys = ", ".join(["cw_label", "cw_score", *(f"cw_by{k}" for k in range(len(asked.by)))])
        table = self.database.table(
            f"select cw_label, cw_score, {often} as cw_often{self._groups(asked)} from {self._rows(asked)} "
            f"group by {keys}"
        )
        is_positive = _equal(table["cw_label"], positive)
        score, number = (number_array(table[name]) for name in ("cw_score", "cw_often"))
        return Counted.of(score, is_positive, number, _groups(table, asked))

    @property
    def _source(self) -> str:
        return f"(\n{self.query}\n) as cw_source"  # a comment may end the query

    def _held(self, name: str) -> Held:
        columns = [held for column, held in self.columns if column == name]
        if len(columns) > 1:
            raise SourceError(f"{self.shown_as}: the query has {len(columns)} columns named {name!r}; name them apart.")
        if columns[0].sql:
            return columns[0]
        raise SourceError(
            f"{self.shown_as}: column {name!r} holds values of several types; convert them in the query, as "
            f"cast({quoted(name)} as text)."
        )

    def _check_digits(self, name: str) -> None:
        """Refuse decimals that may differ and be one float: those that do not come back from float64."""
        held = self._held(name)
        if not held.many_digits:
            return
        table = self.database.table(f"select count(*) as n from {self._source} where {held.many_digits}")
        if number := table["n"][0].as_py():
            raise CurvewiseError(
                f"{{column}}: holds {count(number, 'number')} of more digits than float64 keeps (15), which it may "
                "not tell apart; round or rank them first.",
                column=ColumnName("score"),
            )

    def _asked(self, asked: Asked) -> str:
        """Return the SQL of the columns that are wanted, under names of their own."""
        named = {"cw_label": self._held(asked.label).sql, "cw_score": self._held(asked.score).sql}
        if asked.weight is not None:
            weight = self._held(asked.weight)
            named["cw_weight"] = f"cast({weight.sql} as integer)" if weight.kind == "boolean" else weight.sql
        named |= {f"cw_by{k}": self._held(name).sql for k, name in enumerate(asked.by)}
        columns = ", ".join(f"{sql} as {alias}" for alias, sql in named.items())
        return f"(select {columns} from {self._source}) as cw_asked"

    def _rows(self, asked: Asked) -> str:
        """Return the SQL of the rows that can be used."""
        there = [f"not {self._missing('cw_label', asked.label)}", f"not {self._missing('cw_score', asked.score)}"]
        if asked.weight is not None:
            there += [f"not {self._missing('cw_weight', asked.weight)}", "cw_weight <> 0"]
        return f"{self._asked(asked)} where {' and '.join(there)}"

    def _missing(self, column: str, name: str) -> str:
        """Return the SQL of whether a value is missing, which is true or false, never NULL."""
        nan = f" or {column} = {NAN} or {column} <> {column}" if self._held(name).is_float and self.knows_nan else ""
        return f"({column} is null{nan})"

    def _groups(self, asked: Asked) -> str:
        """Return the SQL of the columns of groups."""
        if not self.database.is_sqlite:
            return "".join(f", cw_by{k}" for k in range(len(asked.by)))
        # the driver finds the type of a column in its first rows, which must not all be NULL
        return "".join(
            f", coalesce(cw_by{k}, {self._held(name).empty}) as cw_by{k}, cw_by{k} is null as cw_null{k}"
            for k, name in enumerate(asked.by)
        )


def _typed(field: pa.Field) -> Held:
    """Return what a column holds by its type in Arrow and, in PostgreSQL, there."""
    types, held, sql = pa.types, field.type, quoted(field.name)
    native = (field.metadata or {}).get(b"POSTGRESQL:type", b"").decode()
    if types.is_decimal(held) or native == "numeric":
        decimal = native or f"decimal({held.precision}, {held.scale})"
        wide = f"cast({sql} as double precision)"
        return Held("number", wide, pa.float64(), many_digits=f"cast({wide} as {decimal}) <> {sql}")
    if native == "money":
        return Held("other", sql, held)
    if types.is_boolean(held):
        return Held("boolean", sql, held)
    if types.is_integer(held) or types.is_floating(held):
        return Held("number", sql, held)
    if native == "bpchar" or isinstance(held, pa.BaseExtensionType):  # blanks that fill up; types of the database
        return Held("text", f"cast({sql} as text)", pa.string())
    value = held.value_type if types.is_dictionary(held) else held
    is_text = types.is_string(value) or types.is_large_string(value) or types.is_string_view(value)
    return Held("text" if is_text else "other", sql, held)


def _of_storage(name: str, classes: str | None) -> Held:
    """Return what a column of SQLite holds by the storage classes of its values; several have no SQL."""
    sql = f"{quoted(name)} collate binary"
    match set((classes or "null").split(",")) - {"null"}:
        case storage if storage == {"integer"}:
            return Held("number", quoted(name), pa.int64())
        case storage if storage <= {"integer", "real"}:
            column = quoted(name)
            # SQLite compares whole numbers with others exactly
            many = f"typeof({column}) = 'integer' and cast({column} as real) <> {column}"
            return Held("number", f"cast({column} as real)", pa.float64(), "0.0", many)
        case storage if storage == {"text"}:
            return Held("text", sql, pa.string(), "''")
        case storage if storage == {"blob"}:
            return Held("other", sql, pa.binary(), "x''")
    return Held("other", "", pa.null())


def _equal(labels: Any, positive: Any) -> NDArray[np.bool_]:
    """Say which labels are the positive one."""
    if positive is None:
        return np.zeros(len(labels), dtype=bool)
    if pa.types.is_dictionary(labels.type):
        labels = pc.cast(labels, labels.type.value_type)
    return np.asarray(pc.equal(labels, pa.scalar(positive, labels.type)), dtype=bool)


def _groups(table: Any, asked: Asked) -> tuple[Any, ...]:
    """Return the columns of groups, NULL where it was."""
    columns = []
    for k in range(len(asked.by)):
        column = table[f"cw_by{k}"]
        if f"cw_null{k}" in table.schema.names:
            column = pc.if_else(pc.cast(table[f"cw_null{k}"], pa.bool_()), pa.scalar(None, column.type), column)
        columns.append(column)
    return tuple(columns)
