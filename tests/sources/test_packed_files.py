"""Packed files, workbooks of Excel, older encodings, and numbers with separated thousands."""

from __future__ import annotations

import gzip
import io
import sys
import zipfile
from datetime import datetime

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from curvewise import CurvewiseError, SourceError
from curvewise.cli import main
from curvewise.errors import MissingExtraError, note
from curvewise.sources import unpack
from curvewise.sources.files import first_rows, read_file, read_whole
from curvewise.sources.formats.format import column_names
from curvewise.sources.scan import scan
from optional import optional
from ring import examples

xlsxwriter = optional("xlsxwriter")

ROWS = [("y", "p"), (1, 0.5), (0, 0.25), (1, 0.125)]
CSV = "".join(f"{a},{b}\n" for a, b in ROWS).encode()


def zipped(**files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def workbook(*sheets):
    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True}) as book:
        for rows in sheets:
            sheet = book.add_worksheet()
            for at, row in enumerate(rows):
                sheet.write_row(at, 0, row)
    return out.getvalue()


@pytest.fixture
def path_of(tmp_path):
    def written(name, content):
        path = tmp_path / name
        path.write_bytes(content)
        return str(path)

    return written


def read(path):
    return read_file(path, label="y", numeric=["p"])


def refusal(path, kind=SourceError):
    with pytest.raises(CurvewiseError) as trouble:
        read(path)
    assert type(trouble.value) is kind
    assert "\n" not in str(trouble.value)
    return str(trouble.value)


PACKED = {
    "t.csv.zip": zipped(**{"t.csv": CSV}),
    "folder.zip": zipped(**{"a/": b"", "a/t.csv": CSV, "__MACOSX/a/._t.csv": b"x"}),
    "t.csv.zst": zstandard.compress(CSV),
    "parts.csv.zst": zstandard.compress(CSV[:9]) + zstandard.compress(CSV[9:]),
    "t.csv.gz": gzip.compress(CSV),
    "t.tsv.zip": zipped(**{"t.tsv": CSV.replace(b",", b"\t")}),
    "t.xlsx": workbook(ROWS),
}


@pytest.mark.parametrize("name", PACKED)
@pytest.mark.parametrize("named", [True, False], ids=["by name", "by content"])
def test_packed_files_are_read(path_of, name, named):
    path = path_of(name if named else "table", PACKED[name])
    found = read(path)
    assert [found.frame.columns, *map(list, found.frame.rows())] == [*map(list, ROWS)]
    assert found.notes == []
    assert column_names(path) == ["y", "p"]
    assert first_rows(path).rows() == ROWS[1:]
    assert scan(path, label="y", score="p").n == 3


def test_a_cut_file_is_corrupt(path_of):
    assert "Zstandard file is corrupt" in refusal(path_of("a.csv.zst", PACKED["t.csv.zst"][:-3]))
    assert "zip file is corrupt" in refusal(path_of("a.csv.zip", PACKED["t.csv.zip"][:-9]))
    broken = bytearray(PACKED["t.csv.zip"])
    broken[40] ^= 255
    assert "zip file is corrupt" in refusal(path_of("b.csv.zip", bytes(broken)))


def test_a_name_that_promises_a_packed_file(path_of):
    assert "not a Zstandard file, although its name ends in .zst" in refusal(path_of("a.csv.zst", CSV))
    assert "not a zip file, although its name ends in .zip" in refusal(path_of("a.csv.zip", PACKED["t.csv.gz"]))
    assert "not an Excel workbook" in refusal(path_of("a.xlsx", CSV))


def test_an_archive_of_several_files_is_refused(path_of):
    message = refusal(path_of("a.zip", zipped(**{"a.csv": CSV, "b.csv": CSV})))
    assert "holds 2 files, expected one ('a.csv', 'b.csv'); unpack it" in message
    assert "holds 0 files, expected one." in refusal(path_of("b.zip", zipped(**{"a/": b"", ".hidden": b"x"})))


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress, lambda d: zipped(**{"a.csv": d})])
def test_a_file_that_grows_without_bound_is_refused(path_of, monkeypatch, pack):
    monkeypatch.setattr(unpack, "MOST_BYTES", 1 << 20)
    path = path_of("bomb", pack(b"y,p\n" + b"1,0.5\n" * 4_000_000))
    assert "unpacks to more than 200 times its size" in refusal(path)
    monkeypatch.setattr(unpack, "MOST_BYTES", 1 << 28)
    assert len(read(path).frame) == 4_000_000


def test_a_workbook_that_grows_without_bound_is_refused(path_of, monkeypatch):
    monkeypatch.setattr(unpack, "MOST_BYTES", 1 << 20)
    parts = {"xl/workbook.xml": b"<workbook/>", "xl/worksheets/sheet1.xml": b"<row/>" * 1_000_000}
    assert "unpacks to more than 200 times its size" in refusal(path_of("bomb.xlsx", zipped(**parts)))
    monkeypatch.setattr(unpack, "MOST_BYTES", 1 << 28)
    assert "cannot be read as an Excel workbook" in refusal(path_of("none.xlsx", zipped(**parts)))


def test_what_a_sheet_holds(path_of):
    rows = [("id", "y", "p"), ("07", 1, 0.1), ("b", 0, "0.25"), (), ("c", 1, 2)]
    path = path_of("w.xlsx", workbook(rows, [("other",)]))
    found = read_file(path, label="y", numeric=["p"], as_is=["id"])
    assert found.frame.rows(named=True) == [
        {"y": 1, "p": 0.1, "id": "07"},
        {"y": 0, "p": 0.25, "id": "b"},
        {"y": 1, "p": 2.0, "id": "c"},
    ]
    assert found.notes == [note("first_sheet", sheet="Sheet1", sheets=2)]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], "no sheet that is visible has cells"),
        ([("y", "p")], "no row"),
        ([("y", "q"), (1, 2)], "there is no column 'p'"),
        ([("y", "p", "y"), (1, 2, 3)], "2 columns are called 'y'"),
        ([("y", "p"), (1, "x")], "cannot be read as a number"),
    ],
)
def test_sheets_that_are_no_table(path_of, rows, words):
    with pytest.raises(CurvewiseError, match=words):
        read(path_of("w.xlsx", workbook(rows)))


def test_no_column_is_added_to_a_workbook(path_of):
    with pytest.raises(SourceError, match="save it as CSV first"):
        read_whole(path_of("w.xlsx", workbook(ROWS)), "p")


@pytest.mark.parametrize(("name", "package"), [("t.xlsx", "fastexcel"), ("t.csv.zst", "zstandard")])
def test_the_extra_that_is_missing_is_named(path_of, monkeypatch, capsys, name, package):
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setitem(sys.modules, "compression.zstd", None)
    path = path_of(name, PACKED[name])
    message = refusal(path, MissingExtraError)
    assert f"needs {package}, which is not installed; install it with: pip install 'curvewise[" in message
    with pytest.raises(SystemExit, match=r"^5$"):
        main(["metrics", path, "--label", "y", "--score", "p"])
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("word", "encoding", "shown"),
    [
        ("größer", "cp1252", "Windows-1252"),
        ("éèà", "latin-1", "Windows-1252"),
        ("阳性", "gb18030", "GB 18030"),
        ("阳性 positive", "utf-16-le", "UTF-16"),
        ("positiv für", "utf-16-be", "UTF-16"),
    ],
)
@pytest.mark.parametrize("far", [False, True], ids=["at the beginning", "behind it"])
def test_old_encodings_are_read_and_announced(path_of, word, encoding, shown, far):
    rows = "no,0.25\n" * (20_000 if far else 1) + f"{word},0.5\n"
    found = read(path_of("o.csv", f"y,p\n{rows}".encode(encoding)))
    assert found.frame["y"][-1] == word
    assert found.frame["p"][-1] == 0.5
    assert found.notes == [note("old_encoding", encoding=shown)]
    assert found.first_line == 2


def test_a_header_of_an_old_encoding(path_of):
    path = path_of("o.csv", "größe,p,y\n1,0.5,1\n".encode("cp1252"))
    assert column_names(path) == ["größe", "p", "y"]
    assert read_file(path, label="y", numeric=["größe"]).frame["größe"].to_list() == [1]


@pytest.mark.parametrize(
    ("first", "content"),
    [
        (b"sep=;", b"y;p\n1;0.5\n"),
        (b'"sep=;"', b"y;p\r\n1;0.5\r\n"),
        (b"SEP=\t", b"y\tp\n1\t0.5\n"),
        (b"\xef\xbb\xbfsep=;", b"y;p\n1;0.5\n"),
        (b"sep=|", b"y|p,q,r,s\n1|0.5\n".replace(b",q,r,s", b"")),
    ],
)
def test_the_line_that_names_the_separator(path_of, first, content):
    end = b"\r\n" if b"\r" in content else b"\n"
    path = path_of("s.csv", first + end + content)
    found = read(path)
    assert found.frame.rows() == [(1, 0.5)]
    assert found.first_line == 3
    assert "delimiter_detected" not in {n.code for n in found.notes}
    whole = read_whole(path, "p")
    written = whole.with_column("q", whole.values)
    assert written.removeprefix(b"\xef\xbb\xbf").startswith(b"sep=")
    again = read_file(path_of("again.csv", written), label="y", numeric=["p", "q"])
    assert again.frame.rows() == [(1, 0.5, 0.5)]


def test_the_separator_that_is_named_is_taken(path_of):
    """The other one would find as many columns."""
    found = read_file(path_of("s.csv", b"sep=;\na,b;p;c,y\n1,2;0.5;7\n"), label="c,y", numeric=["p"])
    assert found.frame.rows() == [(7, 0.5)]


@pytest.mark.parametrize(
    ("cells", "values", "separator"),
    [
        (["1,234.5", "2", "1,000"], [1234.5, 2, 1000], "','"),
        (["1,234,567", "-1,000"], [1234567, -1000], "','"),
        (["1.234,5", "0,25"], [1234.5, 0.25], "'.'"),
        (["1.234.567", "1.000"], [1234567, 1000], "'.'"),
        (["1 234,5", "0,25"], [1234.5, 0.25], "space"),
        (["1\u202f234", "1\u00a0234\u00a0567"], [1234, 1234567], "space"),
        (["1'234.5", "0.25"], [1234.5, 0.25], '"\'"'),
    ],
)
def test_separated_thousands_are_read_where_certain(path_of, cells, values, separator):
    rows = "".join(f"1;{c}\n" for c in cells)
    found = read(path_of("d.csv", f"y;p\n{rows}".encode()))
    assert found.frame["p"].to_list() == values
    assert note("thousands_detected", separator=separator) in found.notes


@pytest.mark.parametrize(
    "cells",
    [
        ["1,500", "2,125"],
        ["1,500", "2.5"],
        ["1,23,456"],
        ["1,234.5", "1.234,5"],
        ["0,123.5"],
        ["1 23"],
        ["1,234.5", "7,5"],
    ],
)
def test_separated_thousands_are_not_guessed(path_of, cells):
    rows = "".join(f"1;{c}\n" for c in cells)
    with pytest.raises(CurvewiseError, match=r"thousands|cannot be read as a number"):
        read(path_of("d.csv", f"y;p\n{rows}".encode()))


@settings(max_examples=examples(60), deadline=None)
@given(
    st.lists(st.integers(-(10**12), 10**12), min_size=1, max_size=20),
    st.integers(0, 3),
    st.sampled_from([(",", "."), (".", ","), (" ", ","), ("'", ".")]),
)
def test_written_with_thousands_and_read_again(tmp_path_factory, values, digits, signs):
    """Every number is what it was, or the file is refused: never another number."""
    thousands, decimal = signs
    numbers = [value / 10**digits for value in values]
    cells = [f"{n:,.{digits}f}".translate({44: thousands, 46: decimal}) for n in numbers]
    path = tmp_path_factory.mktemp("t") / "d.tsv"
    path.write_text("y\tp\n" + "".join(f"1\t{c}\n" for c in cells))
    try:
        found = read(str(path)).frame["p"].to_list()
    except CurvewiseError:
        return
    if not all(cell.count(thousands) == 0 or cell.count(",") + cell.count(".") == 1 for cell in cells):
        assert found == [float(f"{n:.{digits}f}") for n in numbers]


def made(fill):
    """Return a workbook that a function fills."""
    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True}) as book:
        fill(book)
    return out.getvalue()


def write_rows(sheet, *rows, at=(0, 0)):
    for k, row in enumerate(rows):
        sheet.write_row(at[0] + k, at[1], row)


def test_a_table_may_begin_anywhere_in_its_sheet(path_of):
    path = path_of("w.xlsx", made(lambda book: write_rows(book.add_worksheet(), *ROWS, at=(3, 2))))
    assert [(found := read(path)).frame.columns, *map(list, found.frame.rows())] == [*map(list, ROWS)]
    assert first_rows(path).rows() == ROWS[1:]


def test_the_first_sheet_that_is_seen_and_not_empty_is_read(path_of, capfd):
    def fill(book):
        chart = book.add_chart({"type": "line"})
        book.add_chartsheet("picture").set_chart(chart)
        book.add_worksheet("blank")
        hidden, shown = book.add_worksheet("hidden"), book.add_worksheet("shown")
        write_rows(hidden, ("y", "p"), (0, 0.75))
        hidden.hide()
        write_rows(shown, *ROWS)
        chart.add_series({"values": "=shown!$B$2:$B$4"})
        shown.activate()

    path = path_of("w.xlsx", made(fill))
    found = read(path)
    assert found.frame.rows() == ROWS[1:]
    assert found.notes == [note("first_sheet", sheet="shown", sheets=4)]
    with pytest.raises(SystemExit, match="0"):
        main(["metrics", path, "--label", "y", "--score", "p"])
    said = "Note: sheet shown read: the first visible, non-empty one of 4.\n"
    assert capfd.readouterr().err == said


def test_dates_are_names_and_no_numbers(path_of):
    def fill(book):
        sheet, day = book.add_worksheet(), book.add_format({"num_format": "yyyy-mm-dd"})
        write_rows(sheet, ("y", "p", "day"), *ROWS[1:])
        for k in (1, 2, 3):
            sheet.write_datetime(k, 2, datetime(2020, 1, k), day)

    path = path_of("w.xlsx", made(fill))
    named = read_file(path, label="y", numeric=["p"], names=["day"]).frame["day"]
    assert [name[:10] for name in named] == ["2020-01-01", "2020-01-02", "2020-01-03"]
    with pytest.raises(CurvewiseError, match=r"column 'day': expected numbers, the file holds dates or times\.$"):
        read_file(path, label="y", numeric=["day"])


def test_cells_with_errors_are_missing_and_formulas_are_their_values(path_of):
    def fill(book):
        sheet = book.add_worksheet()
        write_rows(sheet, ("y", "p"), (1,), (0,), (1,))
        sheet.write_formula(1, 1, "=1/0", value="#DIV/0!")
        sheet.write_formula(2, 1, "=1/4", value=0.25)
        sheet.write_formula(3, 1, '="0."&5', value="0.5")

    assert read(path_of("w.xlsx", made(fill))).frame["p"].to_list() == [None, 0.25, 0.5]


def test_a_workbook_with_a_password_is_refused(path_of):
    locked = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(2000)  # how Excel wraps what it encrypts, and .xls files
    for name in ("w.xlsx", "w.xls", "w"):
        assert "without a password" in refusal(path_of(name, locked))


def test_zeros_longer_than_any_number(path_of):
    assert read(path_of("z.csv", f"y,p\n1,0.5\n0,{'0' * 400}\n".encode())).frame["p"].to_list() == [0.5, 0]


def test_a_cell_far_from_the_others_does_not_fill_the_memory(path_of):
    def fill(book, row, column):
        sheet = book.add_worksheet()
        write_rows(sheet, *ROWS)
        sheet.write(row, column, "x")

    message = refusal(path_of("far.xlsx", made(lambda book: fill(book, 1_048_575, 16_383))))
    assert "has 9 cells far apart, the last in row 1048576 and column 16384; clear what stands beside" in message
    beside = read(path_of("beside.xlsx", made(lambda book: fill(book, 2, 16_383))))
    assert beside.frame.rows() == ROWS[1:]


def test_an_archive_with_a_password_is_refused(path_of):
    locked = bytearray(PACKED["t.csv.zip"])
    locked[6] |= 1
    locked[locked.index(b"PK\x01\x02") + 8] |= 1
    assert "locked by a password; unpack it first" in refusal(path_of("a.csv.zip", bytes(locked)))


def test_a_workbook_may_be_packed_and_an_archive_in_an_archive_may_not(path_of):
    book = workbook(ROWS)
    for name, content in {"w.xlsx.gz": gzip.compress(book), "w.zip": zipped(**{"w.xlsx": book})}.items():
        assert read(path_of(name, content)).frame.rows() == ROWS[1:]
    assert "cannot be read" in refusal(path_of("a.zip", zipped(**{"b.zip": PACKED["t.csv.zip"]})))
