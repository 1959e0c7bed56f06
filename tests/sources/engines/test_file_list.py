"""A folder, a glob or a list of files is one table: as if the rows had been in one file."""

from __future__ import annotations

import gzip
import json
import re

import numpy as np
import polars as pl
import pytest

import curvewise as cw
from curvewise.sources.file_names import digest_of, files_of
from curvewise.sources.files import read_file
from curvewise.sources.table import read_table
from sources.engines.cases import CASES, frame, in_memory
from sources.engines.test_same_everywhere import assert_same

ROWS = frame(60, risk=np.arange(60) % 7 / 8)
ASKED = {"label": "ill", "score": "risk"}
DUCKDB = pytest.param("duckdb", marks=pytest.mark.needs("duckdb"))
WHOLE = cw.sweep(ROWS["ill"], ROWS["risk"])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path, rows=ROWS):
    path.parent.mkdir(parents=True, exist_ok=True)
    kinds = {".csv": rows.write_csv, ".parquet": rows.write_parquet, ".arrow": rows.write_ipc}
    kinds[".jsonl"] = rows.write_ndjson
    kinds[path.suffix](path)


def refusal(source, **options):
    with pytest.raises(cw.CurvewiseError) as trouble:
        cw.scan(source, **{**ASKED, **options})
    assert "\n" not in str(trouble.value)
    return str(trouble.value)


@pytest.mark.parametrize("ending", ["csv", "parquet", "arrow", "jsonl"])
@pytest.mark.parametrize(
    "source",
    ["t", "t/", "./t", "t/**", "t/**/*.{}", "t/d?y=*/p[0-9].{}", ["t/day=1", "t/day=2"], "t/day=*", "file://{}/t"],
    ids=str,
)
def test_what_stands_for_files(folder, ending, source):
    for k, part in enumerate([ROWS[:20], ROWS[20:20], ROWS[20:]]):
        write(folder / f"t/day={1 + k // 2}/p{k}.{ending}", part)
    (folder / "t/_SUCCESS").write_text("")
    (folder / "t/.p0.crc").write_bytes(b"\0")
    (folder / "t/_temporary/0").mkdir(parents=True)
    (folder / f"t/_temporary/0/p9.{ending}").write_text("not read")
    source = source.format(folder if "://" in source else ending) if isinstance(source, str) else source
    assert cw.scan(source, **ASKED) == WHOLE
    days = cw.scan(source, **ASKED, by="day")
    assert list(days) == [1, 2]
    assert sum(days.values()) == WHOLE


def test_the_order_is_that_of_names(folder):
    for name in ("b/1.csv", "a/2.csv", "a-c/1.csv", "a/10.csv"):
        write(folder / name)
    assert files_of(".") == ["./a/10.csv", "./a/2.csv", "./a-c/1.csv", "./b/1.csv"]
    assert files_of(["b", "a/*.csv", "b/1.csv"]) == ["b/1.csv", "a/10.csv", "a/2.csv"]


@pytest.mark.parametrize("name", ["a*.parquet", "a[1].parquet", "it's.parquet", "x;--.parquet", "病 Ω.parquet"])
@pytest.mark.parametrize("engine", ["polars", DUCKDB])
def test_a_name_that_exists_is_that_file(folder, name, engine):
    write(folder / name)
    write(folder / "a1.parquet", ROWS[:3])
    assert cw.scan(name, **ASKED, engine=engine) == WHOLE


def test_hidden_files_can_be_asked_for(folder):
    write(folder / "_late/.x.csv")
    assert cw.scan("_late/.*.csv", **ASKED) == WHOLE
    assert "no file matches" in refusal("_late/*.csv")


def test_nothing_there(folder):
    assert refusal("none-*.csv").startswith("none-*.csv: no file matches; check the pattern and the folder")
    assert refusal("none.parquet") == "none.parquet: there is no such file; check the name and the folder."
    (folder / "t").mkdir()
    assert refusal("t").startswith("t: there is no file in this folder")
    (folder / "t/a.csv").write_text("")
    assert refusal("t/a.csv") == "t/a.csv: the file is empty."
    write(folder / "t/b.csv", ROWS.clear())
    assert refusal("t").endswith("there is a header and no row below it.")
    write(folder / "t/c.csv", ROWS.clear())
    assert refusal("t") == "t/b.csv: there is no row in this file, nor in 1 other file."
    write(folder / "t/d.csv")
    assert cw.scan("t", **ASKED) == WHOLE


def test_what_is_no_path(folder):
    assert refusal([1, 2]) == "source: expected the path of a file, a folder or a glob, got int."


def test_kinds_do_not_mix(folder):
    write(folder / "t/a.parquet")
    write(folder / "t/b.csv")
    assert refusal("t").startswith("t/a.parquet is Parquet and t/b.csv is CSV: files that are read together")
    with pytest.raises(cw.SourceError, match="files that are read together"):
        read_file("t", label="ill", numeric=["risk"])
    assert refusal("t/b.csv", engine="duckdb") == "engine: 'duckdb' reads Parquet, and this is CSV; leave it out."


@pytest.mark.parametrize("engine", ["polars", DUCKDB])
@pytest.mark.parametrize("by", [None, "site"])
def test_whole_and_fractional_scores(folder, engine, by):
    rows = ROWS.with_columns(site=pl.lit("a"))
    whole = rows.with_columns(pl.col("risk").cast(pl.Int32), extra=1)
    write(folder / "t/a.parquet", rows)
    write(folder / "t/b.parquet", whole)
    write(folder / "t/c.parquet", rows.with_columns(risk=pl.lit(None), site=pl.lit(None)))  # of no type at all
    options = {**ASKED, "by": by, "engine": engine, "missing": "drop"}
    found = cw.scan("t", **options)
    expected = cw.sweep([*rows["ill"], *whole["ill"]], [*rows["risk"], *whole["risk"]])
    assert (found if by is None else found["a"]) == expected
    write(folder / "t/d.parquet", rows.with_columns(risk=pl.lit(2**53 + 1)))
    assert "integers beyond 2^53" in refusal("t", **options)


@pytest.mark.parametrize("engine", ["polars", DUCKDB])
def test_schemas_that_cannot_be_one(folder, engine):
    write(folder / "t/a.parquet")
    write(folder / "t/b.parquet", ROWS.with_columns(pl.col("ill").cast(pl.String)))
    assert (
        refusal("t", engine=engine)
        == "column 'ill': holds numbers in t/a.parquet and text in t/b.parquet; write the files alike."
    )
    with pytest.raises(cw.CurvewiseError, match=r"holds numbers in t/a.parquet and text in t/b.parquet"):
        read_file("t", label="ill", numeric=["risk"])
    write(folder / "t/b.parquet", ROWS.drop("risk"))
    assert refusal("t", engine=engine).startswith("t/b.parquet: there is no column 'risk'")


def test_cells_of_all_files_are_read_as_one(folder):
    (folder / "a.csv").write_text("ill;risk;site\n1;0,5;1\n0;NA;2\n")
    (folder / "b.csv").write_text("site,risk,ill\n01,2,0\n3,4,1\n")
    found = read_file("*.csv", label="ill", numeric=["risk"], names=["site"])
    assert found.frame["risk"].to_list() == [0.5, None, 2.0, 4.0]
    assert found.frame["site"].to_list() == ["1", "2", "01", "3"]  # 01 in one file is no number in any
    assert [n.code for n in found.notes] == ["delimiter_detected", "decimal_comma_detected"]
    assert found.first_line is None
    assert found.files == (("a.csv", 2, 2), ("b.csv", 2, 2))


def test_a_bad_cell_has_a_file_and_a_line(folder):
    (folder / "a.csv").write_text("ill,risk\n1,0.5\n")
    (folder / "b.csv").write_text("ill,risk\n1,0.5\n0,high\n")
    said = "b.csv: column 'risk': 1 cell cannot be read as a number (line 3), first 'high'; correct such cells"
    assert refusal("*.csv").startswith(said)


def test_a_file_without_the_column_is_named(folder):
    write(folder / "a.csv")
    write(folder / "b.csv", ROWS.rename({"risk": "Risk"}))
    assert refusal("*.csv").startswith("b.csv: there is no column 'risk' (did you mean 'Risk'?)")


def test_text_may_be_packed_and_of_several_formats(folder):
    (folder / "a.csv.gz").write_bytes(gzip.compress(ROWS[:20].write_csv().encode(), mtime=0))
    (folder / "b.json").write_text(json.dumps(ROWS[20:40].to_dicts()))
    write(folder / "c.jsonl", ROWS[40:])
    assert cw.scan(str(folder), **ASKED) == WHOLE


@pytest.mark.parametrize("code", ["01", "2024-01-31", "a%20b", "1.5"])
@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("engine", ["auto", DUCKDB])
def test_names_of_folders_keep_their_text(folder, code, ending, engine):
    if ending == "csv" and engine == "duckdb":
        pytest.skip("DuckDB is asked to read Parquet alone")
    write(folder / f"t/site={code}/x.{ending}")
    write(folder / f"t/site=__HIVE_DEFAULT_PARTITION__/x.{ending}")
    found = cw.scan("t", **ASKED, by="site", engine=engine)
    assert list(found) == [{"a%20b": "a b", "1.5": 1.5}.get(code, code), None]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_column_of_the_file_goes_before_the_name_of_a_folder(folder, ending):
    write(folder / f"ill=1/a.{ending}")
    assert cw.scan(folder, **ASKED) == WHOLE
    assert read_file(str(folder), label="ill", numeric=["risk"]).frame["ill"].n_unique() == 2


def test_the_source_of_a_report(folder):
    write(folder / "t/a.csv", ROWS[:20])
    write(folder / "t/b.csv", ROWS[20:])
    found = read_table("t", label="ill", numeric=["risk"])
    assert (found.name, found.path, found.first_line) == ("t", "t", None)
    assert found.sha256 == digest_of(["t/a.csv", "t/b.csv"]) != digest_of(["t/a.csv"])


# text has no dates, and a name that holds every delimiter is found only by who knows it
READABLE = [c for c in CASES if c.frame.height and not re.search("Date|dates|times|statements", c.name)]


@pytest.mark.parametrize("case", READABLE, ids=lambda case: case.name)
def test_text_files_give_what_one_file_gives(case, tmp_path):
    """Scan three files of text; memory gets what the reader makes of one."""
    case.frame.write_csv(tmp_path / "whole.csv")
    asked = case.asked
    by = asked.get("by")
    names = [by] if isinstance(by, str) else by or []
    numeric = [asked["score"], *([asked["weight"]] if "weight" in asked else [])]
    third = -(-case.frame.height // 3)
    (tmp_path / "t").mkdir()
    for k in range(3):
        case.frame[k * third : (k + 1) * third].write_csv(tmp_path / f"t/{k}.csv")
    try:
        read = read_file(str(tmp_path / "whole.csv"), label=asked["label"], numeric=numeric, names=names)
    except cw.CurvewiseError as error:
        with pytest.raises(type(error)):
            cw.scan(tmp_path / "t", **asked)
        return
    expected = in_memory(type(case)(case.name, read.frame, case.options))
    if isinstance(expected, str):
        with pytest.raises(cw.CurvewiseError):
            cw.scan(tmp_path / "t", **asked)
        return
    found = cw.scan(tmp_path / "t", **asked)
    assert_same(found, expected, exact=case.exact) if not names else None
    assert not names or list(found) == list(expected)
    for group in expected if names else ():
        assert_same(found[group], expected[group], exact=case.exact)
