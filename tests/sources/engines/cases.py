"""One table of inputs for every engine: rows, options of `scan`, and what rows in memory say to them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import numpy as np
import polars as pl

from curvewise.core.sweep import sweep_of
from curvewise.errors import CurvewiseError
from curvewise.rows.category import combined
from curvewise.rows.reading import read_rows
from curvewise.sources.wording import FileWords

TINY = np.nextafter(0.0, 1.0)


@dataclass(frozen=True)
class Case:
    """Rows with what is asked of them.

    ``holds`` names what not every engine can hold (a type of column, NaN, infinities): an engine that cannot says so
    in its ``lacks``. ``error`` is what an engine may say where it cannot know what rows in memory know.
    """

    name: str
    frame: pl.DataFrame
    options: dict[str, Any] = field(default_factory=dict)
    holds: frozenset[str] = frozenset()
    error: str | None = None
    exact: bool = True  # else sums of fractions are taken in another order

    @property
    def asked(self) -> dict[str, Any]:
        """All options of `scan`."""
        return {"label": "ill", "score": "risk", **self.options}


def in_memory(case: Case) -> Any:
    """Return the sweep of rows in memory, a dict of sweeps by group, or the text of the error."""
    options = case.asked
    by = options.pop("by", None)
    names = [by] if isinstance(by, str) else by or []
    roles = {"y": options.pop("label"), "score": options.pop("score"), "weight": options.pop("weight", None)}
    column = {role: None if name is None else case.frame[name] for role, name in roles.items()}
    groups = {f"{k} {name}": case.frame[name] for k, name in enumerate(names)} or None
    try:
        rows = read_rows(column["y"], column["score"], weight=column["weight"], group=groups, **options)
    except CurvewiseError as error:
        return without_rows(str(FileWords(roles, python=True).translate(error)))
    if not names:
        return sweep_of(rows)
    members = list(rows.groups.values())
    found = members[0] if len(members) == 1 else combined(members)
    return {label: sweep_of(rows.take(found.code == k)) for k, label in enumerate(found.labels) if k in found.code}


def without_rows(text: str) -> str:
    """Leave out of a message which rows it is about: an engine need not know them."""
    return re.sub(r" \(data rows? [^)]*\)|, the first [^;]*(?=[;.])", "", text)


def frame(n: int = 300, seed: int = 0, **more: Any) -> pl.DataFrame:
    """Return some rows; a column given replaces the usual one."""
    rng = np.random.default_rng(seed)
    ill = rng.integers(0, 2, n)
    usual = {"ill": ill, "risk": rng.normal(size=n) + ill}
    return pl.DataFrame({**usual, **more})


def typed(dtype: Any, values: list[Any], name: str = "risk", **more: Any) -> pl.DataFrame:
    """Return rows with one column of a given type."""
    ill = [k % 2 for k in range(len(values))]
    return pl.DataFrame({"ill": ill, **more}).with_columns(pl.Series(name, values, dtype=dtype))


def labels(values: list[Any], dtype: Any = None) -> pl.DataFrame:
    """Return rows with these labels, again and again."""
    n = 40
    some = (values * n)[:n]
    return pl.DataFrame({"risk": [(k * 7 % 11) / 8 for k in range(n)]}).with_columns(
        pl.Series("ill", some, dtype=dtype, strict=False)
    )


def _draws(n: int = 300) -> np.random.Generator:
    return np.random.default_rng(n)


def _cases() -> list[Case]:
    rng = _draws()
    ties = frame(2000, risk=rng.integers(0, 12, 2000) / 8)
    special = [0.0, -0.0, np.inf, -np.inf, TINY, -TINY, 1.7e308, -1.7e308, 1.0, np.nextafter(1, 2), -0.0, 0.0]
    gaps = [0.5, None, 0.25, 0.75, None, 0.5, 0.125, 1.0]
    nans = [0.5, np.nan, 0.25, 0.75, np.nan, 0.5, 0.125, None]
    whole = frame(weight=rng.integers(0, 5, 300))
    sites = frame(400, site=rng.choice(["a", "b", "it's", 'say "c"', "Zürich", ""], 400), risk=ties["risk"][:400])
    return [
        Case("all scores differ", frame(3000)),
        Case("ties", ties),
        Case("all rows in one score", frame(500, risk=np.full(500, 0.5))),
        Case("two rows", pl.DataFrame({"ill": [1, 0], "risk": [0.5, 0.25]})),
        Case("one row", pl.DataFrame({"ill": [1], "risk": [0.5]})),
        Case("positives alone", pl.DataFrame({"ill": [1, 1, 1], "risk": [0.5, 0.25, 0.5]})),
        Case("negatives alone", pl.DataFrame({"ill": [0, 0, 0], "risk": [0.5, 0.25, 0.5]})),
        Case("duplicated rows", pl.concat([ties] * 3)),
        Case("zeros with signs, infinities and extremes", typed(pl.Float64, special), holds=frozenset({"infinity"})),
        Case("zeros with signs", typed(pl.Float64, [0.0, -0.0, -0.0, 0.0, 0.5, -0.5])),
        Case("higher is negative", ties, {"higher_is": "negative"}),
        Case("rounded", frame(2000), {"round_to": 2}),
        Case("rounded, higher is negative", frame(2000), {"round_to": 1, "higher_is": "negative"}),
        Case("label is the score", frame(50), {"score": "ill"}),
        # types of scores
        *(
            Case(f"scores of {dtype}", typed(dtype, [3, 1, 4, 1, 5, 9, 2, 6]), holds=frozenset({str(dtype)}))
            for dtype in (pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64)
        ),
        Case("scores of Float32", frame(500).with_columns(pl.col("risk").cast(pl.Float32)), holds=_set("Float32")),
        Case("scores of Boolean", typed(pl.Boolean, [True, False, True, True]), holds=_set("Boolean score")),
        Case(
            "scores of Decimal",
            typed(pl.Decimal(10, 2), [Decimal(v) for v in ("1.25", "0.10", "0.20", "-3.00", "0.10")]),
            holds=_set("Decimal"),
        ),
        Case(
            "scores of Decimal with many digits",
            typed(pl.Decimal(38, 20), [Decimal(v) for v in ("0.12345", "0.1", "0.3", "-0.7", "123456789.123456789")]),
            holds=_set("long Decimal"),
        ),
        Case(
            "scores of Decimal that are one float",
            typed(pl.Decimal(38, 20), [Decimal(v) for v in ("0.1", "0.10000000000000000001", "0.3")]),
            holds=_set("long Decimal"),
            error="column 'risk': float64 cannot tell some of its decimals apart; rank or round them first.",
        ),
        Case("whole scores beyond 2^53", typed(pl.Int64, [2**53, 2**53 + 1, 2**53 + 2, -(2**63), 2**63 - 1])),
        Case("whole scores beyond 2^63", typed(pl.UInt64, [2**63, 2**63 + 1, 2**64 - 1, 0]), holds=_set("UInt64")),
        # labels
        Case("labels -1 and 1", labels([-1, 1, 1])),
        Case("labels that are fractions", labels([0.0, 1.0])),
        Case("labels of Boolean", labels([True, False, False]), holds=_set("Boolean")),
        Case("labels of text", labels(["ill", "well"]), {"positive": "ill"}),
        Case("labels with quotes", labels(["it's", 'say "no"; --']), {"positive": "it's"}),
        Case("labels of several alphabets", labels(["病", "naïve Ω", "病"]), {"positive": "naïve Ω"}),
        Case("labels with spaces are not stripped", labels([" a", "a"]), {"positive": "a"}),
        Case("labels 1 and 2", labels([1, 2]), {"positive": 2}),
        Case("the positive label is 0", labels([1, 0]), {"positive": 0}),
        Case("positive True for 1", labels([1, 0]), {"positive": True}),
        Case("positive 1.0 for 1", labels([1, 0]), {"positive": 1.0}),
        Case("positive 1 for True", labels([True, False]), {"positive": 1}, _set("Boolean")),
        Case("labels of Categorical", labels(["u", "v"], pl.Categorical), {"positive": "u"}, _set("Categorical")),
        Case("labels of Enum", labels(["u", "v"], pl.Enum(["v", "u"])), {"positive": "u"}, _set("Categorical")),
        Case("labels of Decimal", labels([Decimal(0), Decimal(1)], pl.Decimal(3, 0)), {}, _set("Decimal")),
        Case("labels as text that looks like numbers", labels(["0", "1"]), {"positive": "1"}),
        Case("whole labels beyond 2^53", labels([2**53, 2**53 + 1]), {"positive": 2**53 + 1}),
        Case("other class alone", labels([2, 2]), {"positive": 3}),
        # missing values
        Case("missing scores", typed(pl.Float64, gaps)),
        Case("missing scores dropped", typed(pl.Float64, gaps), {"missing": "drop"}),
        Case("NaN beside missing", typed(pl.Float64, nans), holds=_set("NaN")),
        Case("NaN beside missing dropped", typed(pl.Float64, nans), {"missing": "drop"}, _set("NaN")),
        Case("missing whole scores dropped", typed(pl.Int64, [1, None, 2**53 + 1, 2**53]), {"missing": "drop"}),
        Case("missing labels", labels([1, 0, None])),
        Case("missing labels dropped", labels([1, 0, None]), {"missing": "drop"}),
        Case("missing labels of text dropped", labels(["a", None, "b"]), {"missing": "drop", "positive": "a"}),
        Case("NaN labels dropped", labels([1.0, 0.0, np.nan, None]), {"missing": "drop"}, _set("NaN")),
        Case("missing in both", typed(pl.Float64, gaps).with_columns(ill=pl.Series([1, 0, None, 1, None, 0, 1, 0]))),
        Case("no row is left", typed(pl.Float64, [None, None]), {"missing": "drop"}),
        Case("no row at all", frame().clear()),
        # weights
        Case("whole weights", whole, {"weight": "weight"}),
        Case("weights that count", whole, {"weight": "weight", "weight_kind": "count"}),
        Case("whole weights as floats", whole.with_columns(pl.col("weight").cast(pl.Float64)), {"weight": "weight"}),
        Case("quarters as weights", whole.with_columns(pl.col("weight") / 4), {"weight": "weight"}),
        Case("fractions as weights", frame(weight=rng.random(300)), {"weight": "weight"}, exact=False),
        Case("weights of Float32", _weights(np.float32), {"weight": "weight"}, _set("Float32"), exact=False),
        Case("weights of UInt8", _weights(np.uint8), {"weight": "weight"}, _set("UInt8")),
        Case("weights of Boolean", _weights(bool), {"weight": "weight"}, _set("Boolean score")),
        Case("fractions that count", frame(weight=rng.random(300)), {"weight": "weight", "weight_kind": "count"}),
        Case("weights below 0", frame(4, weight=[1, -1, 2, -3]), {"weight": "weight"}),
        Case("infinite weights", frame(4, weight=[1.0, np.inf, 2, 3]), {"weight": "weight"}, _set("infinity")),
        Case("missing weights", frame(4, weight=[1.5, None, 2, 3]), {"weight": "weight"}),
        Case("missing weights dropped", frame(4, weight=[1.5, None, 2, 3]), {"weight": "weight", "missing": "drop"}),
        Case("NaN weights", frame(4, weight=[1.5, np.nan, 2, 3]), {"weight": "weight"}, _set("NaN")),
        Case("all weights are 0", frame(4, weight=[0, 0, 0, 0]), {"weight": "weight"}),
        Case("weights beyond 2^62", frame(4, weight=[2**61, 2**61, 2**61, 0]), {"weight": "weight"}),
        Case("gaps where the weight is 0", _zero_weights(), {"weight": "weight"}),
        Case("a bad weight where the score is missing", _zero_weights(-1), {"weight": "weight", "missing": "drop"}),
        # groups
        Case("groups by text", sites, {"by": "site"}),
        Case("groups by whole numbers", sites.with_columns(site=pl.Series(rng.integers(-2, 3, 400))), {"by": "site"}),
        Case("groups by booleans", sites.with_columns(site=pl.col("risk") > 0.7), {"by": "site"}, _set("Boolean")),
        Case("groups by fractions", sites.with_columns(site=pl.col("risk").round(0) / 4), {"by": "site"}),
        Case("groups by dates", _dated(sites, date), {"by": "site"}, _set("Date")),
        Case("groups by times", _dated(sites, datetime), {"by": "site"}, _set("Datetime")),
        Case("groups by text with gaps", _gappy(sites), {"by": "site"}),
        Case("groups by numbers with gaps", _gappy(_numbered(sites)), {"by": "site"}),
        Case("groups by NaN", _nan_groups(sites), {"by": "site"}, _set("NaN")),
        Case("groups by zeros with signs", _zero_groups(sites), {"by": "site"}),
        Case("groups by two columns", _gappy(sites).with_columns(day=pl.col("ill") + 1), {"by": ["site", "day"]}),
        Case("groups by the label", sites, {"by": "ill"}),
        Case("groups by the score", sites, {"by": ["risk", "site"]}),
        Case("groups with weights", sites.with_columns(weight=_repeat(rng, 400)), {"by": "site", "weight": "weight"}),
        Case("groups, rounded", sites, {"by": "site", "round_to": 0, "higher_is": "negative"}),
        Case("groups, rows dropped", _gappy(sites, "risk"), {"by": "site", "missing": "drop"}),
        Case("groups of one class", _one_class(), {"by": "site"}),
        # refusals
        Case("one unclear class", labels(["ill"])),
        Case("two unclear classes", labels(["ill", "well"])),
        Case("two unclear numbers", labels([1, 2])),
        Case("three classes", labels(["a", "b", "c"])),
        Case("three classes and a positive one", labels([1, 2, 3]), {"positive": 3}),
        Case("many classes", labels(list(range(9)))),
        Case("no label equals positive", labels([0, 1]), {"positive": 2}),
        Case("positive of another type", labels([0, 1]), {"positive": "1"}),
        Case("positive of another type than text", labels(["0", "1"]), {"positive": 1}),
        Case("labels and scores swapped", frame(40), {"label": "risk", "score": "ill"}),
        Case(
            "too many classes to be counted",
            frame(3000),
            {"label": "risk", "score": "ill"},
            error="column 'risk': expected two classes, found 1 000 classes or more; labels and scores look swapped.",
        ),
        Case("labels of Date", labels([date(2024, 1, 2), date(2024, 1, 3)]), {}, _set("Date")),
        Case(
            "scores of text",
            frame(4, risk=["a", "b", "0.5", "c"]),
            error="column 'risk': expected real numbers, got text; convert first.",
        ),
        Case(
            "weights of text",
            frame(4, weight=["a", "b", "0.5", "c"]),
            {"weight": "weight"},
            error="column 'weight': expected real numbers, got text; convert first.",
        ),
        # names
        Case(
            "columns named as the library's own", _renamed("cw_positive", "cw_score"), _named("cw_positive", "cw_score")
        ),
        Case("columns named like facts", _renamed("cw_rows", "cw_left"), _named("cw_rows", "cw_left")),
        Case("columns with quotes", _renamed('a"b', "c'd"), _named('a"b', "c'd")),
        Case("columns with statements", _renamed("x; drop table t; --", "y`z"), _named("x; drop table t; --", "y`z")),
        Case("columns of several alphabets", _renamed("病", "naïve Ω"), _named("病", "naïve Ω")),
        Case("columns with spaces and dots", _renamed("a b", "a.b"), _named("a b", "a.b")),
        Case("columns that differ in capitals", _renamed("risk", "RISK"), _named("risk", "RISK"), _set("capitals")),
        Case("groups named as our own", _own_names(), _named("ill", "risk") | {"by": ["cw_by0", "cw_score"]}),
    ]


def _set(*names: str) -> frozenset[str]:
    return frozenset(names)


def _weights(dtype: Any) -> pl.DataFrame:
    rng = _draws(1)
    return frame(weight=(rng.random(300) * 5).astype(dtype))


def _repeat(rng: np.random.Generator, n: int) -> pl.Series:
    return pl.Series(rng.integers(0, 4, n))


def _zero_weights(bad: int = 0) -> pl.DataFrame:
    """Return rows of weight 0 that lack everything else, and a weight where the score is missing."""
    return pl.DataFrame(
        {"ill": [1, 0, None, 1, 0], "risk": [0.5, 0.5, 0.5, None, 0.25], "weight": [1, 2, 0, bad, 3]},
    )


def _dated(rows: pl.DataFrame, kind: Any) -> pl.DataFrame:
    days = [kind(2024, 1, 1 + k % 3) for k in range(rows.height)]
    return rows.with_columns(site=pl.Series(days))


def _numbered(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.with_columns(site=pl.int_range(pl.len()) % 4 + 2**53)


def _gappy(rows: pl.DataFrame, name: str = "site") -> pl.DataFrame:
    gone = pl.int_range(pl.len()) % 7 == 3
    return rows.with_columns(pl.when(gone).then(None).otherwise(pl.col(name)).alias(name))


def _nan_groups(rows: pl.DataFrame) -> pl.DataFrame:
    site = pl.Series([(1.5, np.nan, 2.5, None)[k % 4] for k in range(rows.height)], dtype=pl.Float64)
    return rows.with_columns(site=site)


def _zero_groups(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.with_columns(site=pl.Series([(0.0, -0.0, 1.0)[k % 3] for k in range(rows.height)]))


def _one_class() -> pl.DataFrame:
    return pl.DataFrame(
        {
            "ill": [1, 1, 1, 0, 0, 0, 1, 0, 1],
            "risk": [0.5, 0.25, 0.5, 0.25, 0.75, 0.5, 0.125, 0.5, 0.5],
            "site": ["p", "p", "p", "n", "n", "n", "both", "both", "single"],
        }
    )


def _renamed(label: str, score: str) -> pl.DataFrame:
    return frame(50, risk=np.arange(50) % 7 / 8).rename({"ill": label, "risk": score})


def _named(label: str, score: str) -> dict[str, Any]:
    return {"label": label, "score": score}


def _own_names() -> pl.DataFrame:
    rng = _draws(2)
    return frame(
        60, cw_by0=rng.choice(["u", "v"], 60), cw_score=rng.integers(0, 2, 60), risk=rng.integers(0, 5, 60) / 4
    )


CASES = _cases()
