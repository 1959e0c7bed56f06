"""Rows and cells of CSV are those that Python's own reader finds, wherever quotes stand."""

from __future__ import annotations

import csv
import io

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curvewise import CurvewiseError
from curvewise.sources.files import first_rows, read_file, read_whole
from curvewise.sources.formats import csv_rows
from curvewise.sources.formats.format import column_names
from ring import examples

INCHES = 'y,s,size\n1,0.9,5"\n0,0.1,6"\n1,0.2,a\n0,0.3,b\n'


@st.composite
def files(draw):
    """A file with one row per number; the cells beside it have quotes at any place."""
    delimiter = draw(st.sampled_from(",;\t|"))
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    other = "".join({",", ";", "\t", "|"} - {delimiter})
    bare = st.text(f"ab \"'é{other}", max_size=6).filter(lambda t: not t.startswith('"'))
    quoted = st.text(f'ab ",;\t|\n\r{delimiter}é', max_size=8).map(lambda t: '"' + t.replace('"', '""') + '"')
    behind = st.builds('"{}"{}'.format, st.text("ab;"), st.text('a "', max_size=4).filter(lambda t: t[:1] != '"'))
    cell = st.one_of(bare, quoted, behind)
    rows = draw(st.lists(st.tuples(cell, cell), min_size=1, max_size=8))
    lines = [delimiter.join(["y", "t", "p", "u"])]
    for at, (left, right) in enumerate(rows):
        lines += [""] * draw(st.integers(0, 1))
        lines.append(delimiter.join([str(at % 2), left, str(at), right]))
    return delimiter, newline.join(lines) + draw(st.sampled_from(["", newline]))


def by_csv(text, delimiter):
    return [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row]


@settings(max_examples=examples(400), deadline=None)
@given(file=files(), size=st.sampled_from([1, 7, 64, 1 << 22]))
def test_rows_and_cells_are_those_of_csv(tmp_path_factory, file, size):
    delimiter, text = file
    path = tmp_path_factory.mktemp("csv") / "t.csv"
    path.write_bytes(text.encode())
    _, *rows = by_csv(text, delimiter)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_rows, "CHUNK", size)
        found = read_file(str(path), label="y", numeric=["p"], as_is=["t", "u"]).frame
        written = read_whole(str(path), "p").with_column("q", pl.Series(range(len(rows))) + 0.5).decode()
    assert first_rows(str(path)).filter(pl.col("p").is_not_null())["p"].to_list() == list(range(len(rows)))
    assert column_names(str(path)) == ["y", "t", "p", "u"]
    shown = found.select(pl.col("y", "t", "p", "u").cast(pl.String).fill_null("")).rows()
    assert shown == [tuple(row) for row in rows]
    assert by_csv(written, delimiter)[1:] == [[*row, f"{at}.5"] for at, row in enumerate(rows)]


@settings(max_examples=examples(400), deadline=None)
@given(
    pieces=st.lists(
        st.sampled_from(['"', '""', ",", "\n", "\r\n", "a", ' "', '",', ',"', '"\n', "\n0,1,"]), max_size=16
    )
)
def test_any_row_of_signs_is_read_as_csv_reads_it_or_refused(tmp_path_factory, pieces):
    text = "y,p,t\n1,0,x\n" + "0,1," + "".join(pieces) + "\n1,2,z\n"
    path = tmp_path_factory.mktemp("csv") / "t.csv"
    path.write_bytes(text.encode())
    rows = by_csv(text, ",")[1:]
    try:
        found = read_file(str(path), label="y", numeric=["p"], as_is=["t"]).frame
    except CurvewiseError:
        return
    assert found.select(pl.col("y", "p", "t").cast(pl.String).fill_null("")).rows() == [tuple(r) for r in rows]


def test_quotes_within_cells_merge_no_rows(tmp_path):
    path = tmp_path / "inches.csv"
    path.write_text(INCHES)
    assert read_file(str(path), label="y", numeric=["s"]).frame.rows() == [(1, 0.9), (0, 0.1), (1, 0.2), (0, 0.3)]
    written = read_whole(str(path), "s").with_column("q", pl.Series([1.0, 2.0, 3.0, 4.0])).decode()
    assert written == 'y,s,size,q\n1,0.9,5",1.0\n0,0.1,6",2.0\n1,0.2,a,3.0\n0,0.3,b,4.0\n'


def test_a_quoted_cell_that_swallows_rows_is_refused(tmp_path):
    path = tmp_path / "inches.csv"
    path.write_text('y,s,size\n1,0.9,"five inch\n0,0.1,"six inch\n1,0.2,a\n0,0.3,b\n')
    with pytest.raises(CurvewiseError, match="a quote opened on line 2 is closed on another, in the middle of a cell"):
        read_file(str(path), label="y", numeric=["s"])


def test_a_header_may_be_long(tmp_path):
    names = [f"column number {i}" for i in range(12_000)]
    path = tmp_path / "wide.csv"
    path.write_text(",".join(["y", "p", *names]) + "\n" + ",".join(["1", "0.5", *"0" * len(names)]) + "\n")
    assert column_names(str(path)) == ["y", "p", *names]
    assert read_file(str(path), label="y", numeric=["p"]).frame.rows() == [(1, 0.5)]
