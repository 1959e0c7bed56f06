"""Files come in as they are: exact numbers, untouched labels, clear sentences for the rest."""

from __future__ import annotations

import decimal
import gzip
import io
import json
import os
import sys
import threading
import time
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curvewise import CurvewiseError, SourceError
from curvewise.cli.input import FileInput
from curvewise.errors import note
from curvewise.sources.files import read_file
from curvewise.sources.formats import csv_rows
from curvewise.sources.formats.cells import numbers
from curvewise.sources.formats.format import column_names
from ring import examples

FRAME = pl.DataFrame({"id": ["a", "b", "c"], "y": [1, 0, 1], "p": [0.5, 0.25, None]})


@pytest.fixture
def read(tmp_path):
    def from_content(name, content, label="y", numeric=("p",)):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_file(str(path), label=label, numeric=list(numeric))

    return from_content


@pytest.fixture
def refused(read):
    def message(name, content, kind=CurvewiseError, **options):
        with pytest.raises(CurvewiseError) as trouble:
            read(name, content, **options)
        assert type(trouble.value) is kind
        assert "\n" not in str(trouble.value)
        return str(trouble.value)

    return message


def as_bytes(write):
    stream = io.BytesIO()
    write(stream)
    return stream.getvalue()


TABLES = {
    "t.csv": as_bytes(FRAME.write_csv),
    "t.tsv": as_bytes(lambda s: FRAME.write_csv(s, separator="\t")),
    "t.tab": as_bytes(lambda s: FRAME.write_csv(s, separator="\t")),
    "t.jsonl": as_bytes(FRAME.write_ndjson),
    "t.ndjson": as_bytes(FRAME.write_ndjson),
    "t.json": as_bytes(FRAME.write_json),
    "t.json.gz": gzip.compress(as_bytes(FRAME.write_json), mtime=0),
    "t.parquet": as_bytes(FRAME.write_parquet),
    "t.pq": as_bytes(FRAME.write_parquet),
    "t.arrow": as_bytes(FRAME.write_ipc),
    "t.feather": as_bytes(FRAME.write_ipc),
    "t.ipc": as_bytes(FRAME.write_ipc_stream),
    "t.csv.gz": gzip.compress(as_bytes(FRAME.write_csv), mtime=0),
    "t.jsonl.gz": gzip.compress(as_bytes(FRAME.write_ndjson), mtime=0),
}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("named", [True, False], ids=["by name", "by content"])
def test_every_format_gives_the_same_columns(read, name, named):
    data = read(name if named else "table", TABLES[name])
    assert data.frame.columns == ["y", "p"]  # and not the column that nobody asked for
    assert data.frame["y"].to_list() == [1, 0, 1]
    assert data.frame["p"].to_list() == [0.5, 0.25, None]


@pytest.mark.parametrize(
    ("content", "notes"),
    [
        ("y,p\n1,0.5\n", []),
        ("y;p\n1;0.5\n", ["delimiter ';' detected"]),
        ("y\tp\n1\t0.5\n", ["delimiter tab detected"]),
        ("y|p\n1|0.5\n", ["delimiter '|' detected"]),
        ("y;p\n1;0,5\n", ["delimiter ';' detected", "decimal comma detected"]),
        ('y,p\n1,"0,5"\n', ["decimal comma detected"]),
        ("\ufeffy,p\n1,0.5\n", ["UTF-8 byte order mark detected"]),
        ("y,p\n1,0.5\n".encode("utf-16"), ["UTF-16 byte order mark detected"]),
        ('y,p,"a;b;c;d"\n1,0.5,x\n', []),
        ("y,p\r\n1,0.5\r\n", []),
        ("y,p\r1,0.5\r", []),
        ("y,p\n1,0.5", []),
        ("\n\ny,p\n\n1, 0.5 \n\n", []),
    ],
)
def test_dialects_are_detected_and_announced(read, content, notes):
    data = read("d.csv", content)
    assert data.frame.rows() == [(1, 0.5)]
    assert list(map(str, data.notes)) == notes


def test_tab_needs_no_announcement_in_a_tsv_file(read):
    assert read("d.tsv", "y\tp\n1\t0.5\n").notes == []
    assert read("d.tsv", "y,p\n1,0.5\n").notes == [note("delimiter_detected", delimiter="','")]


def test_comma_that_may_separate_thousands_is_not_guessed(refused, read):
    assert "thousands" in refused("d.csv", "y;p\n1;1,500\n0;2,125\n")
    assert read("d.csv", "y;p\n1;1,500\n0;2,12\n").frame["p"].to_list() == [1.5, 2.12]


def test_comma_beside_a_point_is_no_decimal_comma(refused):
    assert "first '1,5'" in refused("d.csv", "y;p\n1;1,5\n0;2.5\n")


@settings(max_examples=examples(50), deadline=None)
@given(st.lists(st.floats(allow_nan=False), min_size=1), st.sampled_from([repr, "{:.17e}".format]))
def test_floats_are_read_to_the_last_bit(values, written):
    cells = pl.Series("p", [written(v) for v in values], dtype=pl.String)
    found = numbers(cells, 2).cast(pl.Float64).to_numpy()
    np.testing.assert_array_equal(found, np.array(values))


@pytest.mark.parametrize("name", ["e.csv", "e.jsonl"])
def test_the_double_nearest_to_the_text(read, name):
    text = "0.1000000000000000055511151231257827021181583404541015626"  # just above 0.1's double
    rows = f"y,p\n1,{text}\n" if name == "e.csv" else f'{{"y":1,"p":{text}}}\n'
    assert read(name, rows).frame["p"].to_list() == [float(text)]


@pytest.mark.parametrize("form", ["csv", "jsonl"])
@pytest.mark.parametrize(
    ("cells", "dtype"),
    [
        ((9007199254740993, 9007199254740992), pl.Int64),
        ((-9007199254740993, 1), pl.Int64),
        ((2**64 - 1, 2**64 - 2), pl.UInt64),
    ],
)
def test_long_integers_stay_integers(read, form, cells, dtype):
    rows = [f"1,{c}" if form == "csv" else f'{{"y":1,"p":{c}}}' for c in cells]
    head = ["y,p"] if form == "csv" else []
    column = read(f"i.{form}", "\n".join(head + rows)).frame["p"]
    assert column.dtype == dtype
    assert column.to_list() == list(cells)


def test_long_integers_beside_fractions_are_refused_when_they_would_merge(refused, read):
    assert "floats cannot distinguish" in refused("i.csv", "y,p\n1,9007199254740993\n0,9007199254740992\n1,0.5\n")
    assert read("i.csv", "y,p\n1,9007199254740994\n0,9007199254740992\n1,0.5\n").frame["p"][0] == 2**53 + 2


def test_infinities_are_legal_and_overflow_is_not(read, refused):
    assert read("i.csv", "y,p\n1,inf\n0,-Infinity\n").frame["p"].to_list() == [float("inf"), float("-inf")]
    assert "2 cells" in refused("i.csv", "y,p\n1,1e400\n0,1e-400\n1,0e5\n")


@pytest.mark.parametrize("word", ["", "NA", "NaN", "nan", "null", "NULL", "None", "N/A", "#N/A", "<NA>", '""', " "])
def test_words_for_missing_are_null_in_scores_and_labels(read, word):
    data = read("m.csv", f"y,p,x\n1,{word},a\n{word},0.5,b\n0,1.5,c\n")
    assert data.frame.rows() == [(1, None), (None, 0.5), (0, 1.5)]


WORDS = ["NA", "None", "null", "", "nan", " "]


@pytest.mark.parametrize("name", ["g.jsonl", "g.json", "g.parquet", "g.arrow"])
def test_words_are_text_where_the_file_has_nulls_of_its_own(tmp_path, name):
    rows = [{"y": word, "p": k, "g": word} for k, word in enumerate([*WORDS, None])]
    text = "".join(json.dumps(row) + "\n" for row in rows) if name == "g.jsonl" else json.dumps(rows)
    path = tmp_path / name
    path.write_text(text)
    if "json" not in name:
        frame = pl.DataFrame(rows)
        frame.write_parquet(path) if name == "g.parquet" else frame.write_ipc(path)
    frame = read_file(str(path), label="y", numeric=["p"], names=["g"]).frame
    assert frame["g"].to_list() == frame["y"].to_list() == [*WORDS, None]


def test_the_nan_that_python_writes_into_json_is_no_value(tmp_path):
    path = tmp_path / "n.jsonl"
    path.write_text('{"y": 1, "p": NaN, "g": NaN}\n{"y": 0, "p": -Infinity, "g": "a"}\n')
    frame = read_file(str(path), label="y", numeric=["p"], names=["g"]).frame
    assert frame.rows() == [(None, 1, None), ("a", 0, -float("inf"))]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["yes", "no"], ["yes", "no"]),
        (["01", "02"], ["01", "02"]),
        (["0", "1"], [0, 1]),
        (["1.0", "0.0"], [1.0, 0.0]),
        (["-1", "+1"], [-1, 1]),
        (["TRUE", "false"], [True, False]),
        (["1", "01"], ["1", "01"]),
        (["yes ", "yes"], ["yes ", "yes"]),
        (["1", "x"], ["1", "x"]),
        (["是", "否"], ["是", "否"]),
    ],
)
def test_labels_keep_what_they_are(read, cells, expected):
    found = read("l.csv", "y,p\n" + "".join(f"{c},1\n" for c in cells)).frame["y"].to_list()
    assert found == expected
    assert list(map(type, found)) == list(map(type, expected))


LONG = ["12345678901234567890", "12345678901234567891"]


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["1", "-2"], [1, -2]),
        (["0.5", "1.5"], [0.5, 1.5]),
        (["1.1", "1.10"], ["1.1", "1.10"]),
        (LONG, LONG),
        (["9007199254740993", "1.5"], ["9007199254740993", "1.5"]),
        (["007", "7"], ["007", "7"]),
        (["1e3", "1000"], ["1e3", "1000"]),
        (["TRUE", "false"], [True, False]),
        (["TRUE", "true"], ["TRUE", "true"]),
        ([None, "3"], [None, 3]),
    ],
    ids=["whole", "fractions", "versions", "long", "long beside fraction", "codes", "powers", "flags", "cases", "none"],
)
def test_names_that_differ_stay_apart(tmp_path, ending, cells, expected):
    path = tmp_path / f"n.{ending}"
    if ending == "csv":
        path.write_text("y,p,site\n" + "".join(f"1,1,{c or ''}\n" for c in cells))
    else:
        path.write_text("".join(json.dumps({"y": 1, "p": 1, "site": c}) + "\n" for c in cells))
    found = read_file(str(path), label="y", numeric=["p"], names=["site"]).frame["site"].to_list()
    assert found == expected
    assert list(map(type, found)) == list(map(type, expected))


def test_clusters_with_long_identifiers(tmp_path):
    path = tmp_path / "ids.csv"
    path.write_text("y,s,id\n" + "".join(f"{i % 2},0.{i % 7}{i % 5},1234567890123456{i:04d}\n" for i in range(400)))
    rows = FileInput(str(path), "y", ("s",), cluster="id").rows
    assert rows.cluster.max() + 1 == 400


def test_typed_columns_of_parquet(read, refused):
    frame = pl.DataFrame(
        {
            "y": pl.Series(["a", "b"], dtype=pl.Categorical),
            "half": pl.Series([0.1, 0.2], dtype=pl.Float32),
            "cents": [decimal.Decimal("1.10"), decimal.Decimal("2.20")],
            "flag": [True, False],
            "text": ["0.5", "0.25"],
            "none": [None, None],
            "day": pl.Series([0, 1], dtype=pl.Date),
        }
    )
    content = as_bytes(frame.write_parquet)
    data = read("t.parquet", content, numeric=["half", "cents", "flag", "text", "none"]).frame
    assert data["y"].to_list() == ["a", "b"]
    assert data["half"].dtype == pl.Float32
    assert data["cents"].to_list() == [1.1, 2.2]
    assert data["flag"].to_list() == [1, 0]
    assert data["text"].to_list() == [0.5, 0.25]
    assert data["none"].to_list() == [None, None]
    assert "expected numbers, the file holds dates" in refused("t.parquet", content, numeric=["day"])
    assert "expected labels, the file holds dates" in refused("t.parquet", content, label="day", numeric=["half"])


def test_unreadable_cells_are_counted_placed_and_shown(refused):
    text = refused("n.csv", "y,p\n1,0.5\n0,abc\n1,0.7\n0,1.2.3\n")
    assert "column 'p': 2 cells cannot be read as a number (lines 3, 5), first 'abc'" in text


def test_a_cell_over_two_lines_makes_rows_differ_from_lines(refused):
    text = refused("n.csv", 'y,p,note\n1,0.5,"two\nlines"\n0,abc,x\n')
    assert "(data row 2)" in text


def test_unknown_column_lists_and_suggests(refused):
    text = refused("c.csv", "y,Score,x\n1,2,3\n", numeric=["score"])
    assert "no column 'score' (did you mean 'Score'?); the columns are 'y', 'Score', 'x'" in text
    many = ",".join(f"c{i}" for i in range(40))
    assert "… 40 in all" in refused("c.csv", f"{many}\n{many}\n")


def test_unknown_column_in_json_lines_and_parquet(refused):
    assert "the columns are 'y', 'q'" in refused("c.jsonl", '{"y": 1}\n{"y": 0, "q": 2}\n')
    assert "the columns are 'id', 'y', 'p'" in refused("c.parquet", TABLES["t.parquet"], numeric=["q"])


def test_duplicate_name_matters_only_where_it_is_wanted(refused, read):
    assert "2 columns are called 'p'" in refused("c.csv", "y,p,p\n1,2,3\n")
    assert read("c.csv", "x,y,x,p\n8,1,9,2\n").frame.rows() == [(1, 2)]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (
            "y,p\n1,2\n0\n1,3\n0\n",
            "2 rows do not have the 2 fields of the header (delimiter ','), line 3 has 1",
        ),
        ("y,p\n1,2\n0,1,5\n", "1 row does not have the 2 fields of the header (delimiter ','), line 3 has 3"),
        ('y,p,t\n1,2,"a\nb"\n0,1\n', "line 4 has 2"),
        ("y,p\n", "no row"),
        ("y,p", "no row"),
        ("y,p\n\n\n", "no row"),
        ('y,p\n1,"2\n0,3\n', "a quote opened on line 2"),
    ],
)
def test_csv_that_is_not_whole(refused, content, words):
    assert words in refused("r.csv", content)


def test_blocks_end_anywhere(read, refused, monkeypatch):
    rows = "".join(f'{i % 2},{i},"x,{i}\n{i}"\n' for i in range(50))
    for size in range(1, 40):
        monkeypatch.setattr(csv_rows, "CHUNK", size)
        assert read("b.csv", "y,p,t\n" + rows).frame["p"].to_list() == list(range(50))
        assert "1 row does not have the 3 fields of the header (delimiter ','), line 104 has 2" in refused(
            "b.csv", "y,p,t\n" + rows + "\n\n1,2\n"
        )


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("s.csv", b"", "empty"),
        ("s.csv", b" \n\n", "empty"),
        ("s.csv", b"\xef\xbb\xbf", "empty"),
        ("s.csv.gz", gzip.compress(b"", mtime=0), "empty"),
        ("s.csv", b"\xd0\xcf\x11\xe0\0\0", "neither text nor Parquet nor Arrow"),
        ("s.csv", b"PK\x03\x04\0\0", "zip file is corrupt"),
        ("s.csv", b"\xff\xfey", "UTF-16"),
        ("s.csv", b"y,p\n\x81,2\nb,1\n", "column 'y' is not UTF-8"),
        ("s.csv", "y,p\né,2\nè,1\n".encode() + b"\xe9,3\n", "column 'y' is not UTF-8"),
        ("s.csv.gz", TABLES["t.csv.gz"][:-9], "gzip file is corrupt"),
        ("s.csv.gz", b"y,p\n1,2\n", "not a gzip file"),
        ("s.parquet", b"y,p\n1,2\n", "not Parquet"),
        ("s.parquet", TABLES["t.parquet"][:-20], "cannot be read as Parquet"),
        ("s.arrow", TABLES["t.arrow"][:60], "cannot be read as Arrow"),
        ("s.feather", b"FEA1 of long ago", "not Arrow"),
    ],
)
def test_files_that_cannot_be_read(refused, name, content, words):
    assert words in refused(name, content, kind=SourceError)


def test_accents_of_an_old_encoding_elsewhere_do_not_matter(read):
    assert read("s.csv", b"y,p,name\n1,2,Ren\xe9\n").frame.rows() == [(1, 2)]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'{"y": 1, "p": 2}\n[1]\n{"y": 1\n', "found something else on lines 2, 3"),
        (b'{"y": 1, "p": "\x81"}\n', "found something else on line 1"),
        (b'{"y": 1, "p": [2]}\n', "column 'p' holds a list or an object on line 1"),
        (b'{"y": 1, "p": 2}\n{"y": 1, "p": "x"}\n', "(line 2), first 'x'"),
    ],
)
def test_json_lines_that_are_not_whole(refused, content, words):
    assert words in refused("j.jsonl", content)


def test_json_lines_keep_digits_and_take_what_python_writes(read):
    content = '{"y": true, "p": NaN}\n\n{"y": false, "p": -Infinity}\n{"y": true}\n{"p": 1e-3, "y": null}\n'
    data = read("j.jsonl", content)
    assert data.frame.rows() == [(True, None), (False, float("-inf")), (True, None), (None, 0.001)]
    assert data.first_line is None  # a blank line: rows are no longer lines


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('[{"y": 1, "p": 2}, 3]', "expected an array of JSON records ([{…}, {…}]), record 2 is none"),
        ("[[1, 2]]", "record 1 is none"),
        ('[{"y": 1, "p": 2}', "this is not whole JSON (Expecting ',' delimiter, line 1)"),
        ('[{"y": 1, "p": 2},\n]', "this is not whole JSON (Expecting value, line 2)"),
        ('[{"y": 1, "p": 2}]\n\n[]', "this is not whole JSON (Extra data, line 3)"),
        ('[{"y": 1, "p": 2} {"y": 1}]', "not whole JSON (Expecting ','"),
        ("[", "not whole JSON"),
        ("[ ]", "the array has no record in it"),
        ('"text"', "expected an array of JSON records ([{…}, {…}]), or one JSON object per line"),
        ('{"y": [1, 0],\n "p": [1, 2]}', "expected one JSON object per line ({…}) or one array of them"),
        ('[{"y": 1, "p": [2]}]', "column 'p' holds a list or an object in record 1"),
        ('[{"y": 1, "p": 2}, {"y": 0, "p": "x"}]', "(data row 2), first 'x'"),
        ('[{"y": 1, "q": 2}]', "there is no column 'p'; the columns are 'y', 'q'"),
    ],
)
def test_json_arrays_that_are_not_whole(refused, content, words):
    assert words in refused("a.json", content)


def test_json_arrays_keep_digits_and_a_key_left_out_is_missing(read):
    content = '[{"y": true, "p": NaN},\n {"p": 9007199254740993, "y": false}, {"y": true, "z": {"a": [1]}}\n]\n'
    data = read("a.json", content)
    assert data.frame.rows() == [(True, None), (False, 9007199254740993), (True, None)]
    assert read("a.json", content.replace("NaN", "0.5").encode("utf-8-sig")).frame["p"][0] == 0.5
    assert read("lines.json", '{"y": 1, "p": 2}\n{"y": 0, "p": 3}\n').frame.rows() == [(1, 2), (0, 3)]


def test_a_header_may_begin_with_a_bracket(read):
    assert read("b.csv", "[y],p\n1,2\n", label="[y]").frame.rows() == [(1, 2)]
    assert read("b", "[y],p\n1,2\n", label="[y]").frame.rows() == [(1, 2)]


@pytest.mark.parametrize("name", TABLES)
def test_the_columns_alone(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(TABLES[name])
    assert column_names(str(path)) == FRAME.columns


def test_absent_file_and_folder(tmp_path):
    with pytest.raises(SourceError, match="no such file"):
        read_file(str(tmp_path / "no.csv"), label="y", numeric=["p"])
    with pytest.raises(SourceError, match="folder"):
        read_file(str(tmp_path), label="y", numeric=["p"])


def test_names_are_paths_and_never_patterns_or_addresses(read, tmp_path, monkeypatch):
    read("x1.csv", "y,p\n1,1\n")
    for name in ("x[1].csv", "x*.csv"):
        assert read(name, "y,p\n1,5\n").frame["p"].to_list() == [5]
    assert read("x[1].parquet", TABLES["t.parquet"]).frame.height == 3
    (tmp_path / "file:").mkdir()
    monkeypatch.chdir(tmp_path)
    read("file:/q.csv", "y,p\n1,7\n")
    assert read_file("file:/q.csv", label="y", numeric=["p"]).frame["p"].to_list() == [7]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_read_once(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"y;p\n1;0,5\n",))
    writer.start()
    data = read_file(str(pipe), label="y", numeric=["p"])
    writer.join()
    assert data.frame.rows() == [(1, 0.5)]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_a_name_of_an_older_encoding(tmp_path):
    path = os.fsdecode(os.fsencode(tmp_path) + b"/b\xe9.csv")
    Path(path).write_text("y,s\n0,1\n1,2\n")
    assert read_file(path, label="y", numeric=["s"]).frame["s"].to_list() == [1, 2]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (bytes(3 << 20), "neither text nor Parquet nor Arrow"),
        (b"," * (5 << 20), "line 1 is longer than 4 MB"),
        (b"a" * (5 << 20), "line 1 is longer than 4 MB"),
        (b"y,p\n1,0.5\n0," + b"1" * (3 << 20), "line 3 is longer than 2 MB"),
        (b'y,p\n1,0.5\n0,"' + b"1" * (3 << 20), "a quote opened on line 3 or below is not closed"),
        (b"a" * (1 << 20) + b"\n1\n", "there is no column 'y'"),
    ],
    ids=["zeros", "commas", "letters", "long line", "open quote", "long name"],
)
def test_what_is_no_table_is_told_soon(tmp_path, monkeypatch, content, said):
    monkeypatch.setattr(csv_rows, "LONGEST_RECORD", 2 << 20)
    for name, data in (("t.csv", content), ("t.csv.gz", gzip.compress(content, 1))):
        (tmp_path / name).write_bytes(data)
        start = time.process_time()
        with pytest.raises(CurvewiseError, match=said):
            read_file(str(tmp_path / name), label="y", numeric=["p"])
        assert time.process_time() - start < 1
