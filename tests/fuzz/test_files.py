"""Files by a grammar of mutations: as many rows and the same values as Python's csv module reads, or a refusal."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import zipfile

import pandas as pd
import zstandard
from hypothesis import assume, given
from hypothesis import strategies as st

from curvewise.sources.files import read_file, read_whole
from fuzz.effort import effort, only_refusals
from optional import optional

xlsxwriter = optional("xlsxwriter")

CELLS = st.one_of(
    st.sampled_from(
        ["", "a", '5"', '"', '""', "é", "阳性", "a,b", "x\ny", "x\r\ny", " ", "NA", "0.5", "1,5", "'", ";"]
    ),
    st.text(st.characters(codec="utf-8", exclude_characters="\r\0"), max_size=6),
)
SCORES = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-5, 5)


def _table(draw):
    n = draw(st.integers(1, 8))
    y = draw(st.lists(st.sampled_from(["0", "1"]), min_size=n, max_size=n))
    s = [repr(v) for v in draw(st.lists(SCORES, min_size=n, max_size=n))]
    other = draw(st.lists(CELLS, min_size=n, max_size=n))
    return list(zip(other, y, s, strict=True))


@st.composite
def texts(draw):
    """Return the text of a table, written by the rules or nearly so."""
    rows = [("note", "y", "s"), *_table(draw)]
    out = io.StringIO()
    how = {"delimiter": draw(st.sampled_from(",;\t|")), "lineterminator": draw(st.sampled_from(["\n", "\r\n"]))}
    if draw(st.booleans()):
        csv.writer(out, quoting=draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])), **how).writerows(rows)
        return out.getvalue()
    return "".join(how["delimiter"].join(row) + how["lineterminator"] for row in rows)


MUTATIONS = ["none", "cut", "double", "delete", "insert", "blank", "end"]


@st.composite
def mutated(draw):
    """Return a text with some of its characters cut off, doubled, deleted or added."""
    text = draw(texts())
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(text)))
        what = draw(st.sampled_from(MUTATIONS))
        added = draw(st.sampled_from(['"', ",", ";", "\n", "\t", "|", "0", "é", "\ufeff", "\0", "sep=;\n"]))
        text = {
            "none": text,
            "cut": text[:at],
            "double": text[:at] + text[at - 1 : at] + text[at:],
            "delete": text[:at] + text[at + 1 :],
            "insert": text[:at] + added + text[at:],
            "blank": text[:at] + "\n\n" + text[at:],
            "end": text.rstrip("\r\n"),
        }[what]
    assume(not re.search(r"\r(?!\n)", text))  # to the others the end of a row, here a character as in a quoted cell
    return text


def _other_reader(text, delimiter):
    """Return labels and scores as the csv module reads them."""
    found = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row]
    header = found[0]
    at = header.index("y"), header.index("s")
    return [(row[at[0]], row[at[1]]) for row in found[1:]]


def _delimiter(text, notes):
    """Return what the cells of a text are separated by, and the text below a line that says so."""
    plain = text.removeprefix("\ufeff")
    if plain.lower().startswith("sep="):
        return plain[4], plain.partition("\n")[2]
    named = [n.values["delimiter"] for n in notes if n.code == "delimiter_detected"]
    return {"';'": ";", "tab": "\t", "'|'": "|"}[named[0]] if named else ",", plain


def _number(cell):
    return float(cell) if cell.strip() and cell.strip().upper() != "NA" else None


def _as_written(notes):
    """Say whether numbers are read as Python reads them."""
    return not any(n.code in ("decimal_comma_detected", "thousands_detected") for n in notes)


@effort(300)
@given(mutated())
def test_rows_are_those_of_other_readers(tmp_path_factory, text):
    path = tmp_path_factory.getbasetemp() / "fuzz.csv"
    path.write_bytes(text.encode())
    with only_refusals():
        found = read_file(str(path), label="y", numeric=["s"])
        delimiter, plain = _delimiter(text, found.notes)
        other = _other_reader(plain, delimiter)
        assert found.frame.height == len(other)
        if _as_written(found.notes):
            assert found.frame["s"].cast(float).to_list() == [_number(s) for _, s in other]
        how = {"sep": delimiter, "dtype": str, "keep_default_na": False, "encoding": "utf-8"}
        third = pd.read_csv(io.StringIO(plain, newline=""), **how)
        assert list(zip(third["y"], third["s"], strict=True)) == other


@effort(300)
@given(mutated())
def test_a_column_is_added_to_the_rows_it_is_of(tmp_path_factory, text):
    path = tmp_path_factory.getbasetemp() / "fuzz.csv"
    path.write_bytes(text.encode())
    with only_refusals():
        whole = read_whole(str(path), "s")
        delimiter, plain = _delimiter(text, whole.notes)
        _, below = _delimiter(whole.with_column("added", whole.values).decode(), whole.notes)
        before, after = (
            [row for row in csv.reader(io.StringIO(part, newline=""), delimiter=delimiter) if row]
            for part in (plain, below)
        )
        assert [row[:-1] for row in after] == before
        assert after[0][-1] == "added"
        at = before[0].index("s")
        if _as_written(whole.notes):
            assert [_number(row[-1]) for row in after[1:]] == [_number(row[at]) for row in before[1:]]


@st.composite
def records(draw):
    """Return lines of JSON with values of any kind, some lines broken."""
    values = st.one_of(SCORES, st.none(), st.booleans(), st.text(max_size=3), st.lists(st.integers(), max_size=2))
    keys = st.sampled_from(["y", "s", "", "\ud800", "q"])
    lines = [
        json.dumps({"y": k % 2, "s": draw(SCORES), **draw(st.dictionaries(keys, values, max_size=2))})
        for k in range(draw(st.integers(1, 6)))
    ]
    text = "\n".join(lines) if draw(st.booleans()) else f"[{','.join(lines)}]"
    at = draw(st.integers(0, len(text)))
    return draw(st.sampled_from([text, text[:at], text[:at] + draw(st.sampled_from('"{}[],\n\\')) + text[at:]]))


@effort(150)
@given(records())
def test_any_json_is_read_or_refused(tmp_path_factory, text):
    path = tmp_path_factory.getbasetemp() / "fuzz.json"
    path.write_text(text)
    with only_refusals():
        read_file(str(path), label="y", numeric=["s"])


def _workbook(rows):
    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        for at, row in enumerate(rows):
            sheet.write_row(at, 0, row)
    return out.getvalue()


def _zip(data):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("t.csv", data)
    return out.getvalue()


TABLE = b"y,s\n1,0.5\n0,0.25\n1,0.125\n"
PACKED = {
    "plain": TABLE,
    "gzip": gzip.compress(TABLE, mtime=0),
    "zstandard": zstandard.compress(TABLE),
    "zip": _zip(TABLE),
    "workbook": _workbook([("y", "s"), (1, 0.5), (0, 0.25), (1, 0.125)]),
    "cp1252": "y,s,é\n1,0.5,ü\n".encode("cp1252"),
    "utf-16": TABLE.decode().encode("utf-16"),
}


@effort(150)
@given(st.sampled_from(sorted(PACKED)), st.lists(st.tuples(st.integers(0, 10**6), st.binary(max_size=3)), max_size=3))
def test_any_bytes_are_read_or_refused(tmp_path_factory, kind, changes):
    data = PACKED[kind]
    for at, put in changes:
        at %= len(data) + 1  # noqa: PLW2901
        data = data[:at] + put + data[at + len(put) :]
    path = tmp_path_factory.getbasetemp() / "fuzz"
    path.write_bytes(data)
    with only_refusals():
        read_file(str(path), label="y", numeric=["s"])
