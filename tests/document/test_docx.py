"""DOCX: a package that text processors open, a real table, names only as text, the same bytes again."""

import io
import xml.etree.ElementTree as ET
import zipfile

import pytest

from curvewise.document.blocks import Cell, Document, Grid, Heading, Points, Text
from curvewise.document.docx import docx_bytes
from pages.sample import HOSTILE

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
PARTS = ["[Content_Types].xml", "_rels/.rels", "word/document.xml", "word/_rels/document.xml.rels", "word/styles.xml"]


def document(*names):
    head = [Cell(""), *(Cell(name, numeric=True) for name in names)]
    rows = [[Cell("AUC"), *(Cell("0.9", "0.8 to 1.0") for _ in names)], [Cell("n"), *(Cell("7") for _ in names)]]
    note = Text(f"A note on {names[0]}.")
    return Document("", [Heading("Head"), Grid("Caption", head, rows), note, Points([Text("point")])], {}, [])


def body(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == PARTS
        return ET.fromstring(archive.read("word/document.xml")).find(f"{W}body")


def text(element):
    return "".join(t.text or "" for t in element.iter(f"{W}t"))


def test_every_part_is_xml_and_is_known_by_its_type():
    data = docx_bytes(document("a", "b"))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        roots = {name: ET.fromstring(archive.read(name)) for name in archive.namelist()}
    known = {o.get("PartName") for o in roots["[Content_Types].xml"] if o.get("PartName")}
    assert known == {"/word/document.xml", "/word/styles.xml"}
    assert [r.get("Target") for r in roots["_rels/.rels"]] == ["word/document.xml"]
    styles = {s.get(f"{W}styleId") for s in roots["word/styles.xml"].iter(f"{W}style")}
    used = {s.get(f"{W}val") for s in roots["word/document.xml"].iter(f"{W}pStyle")}
    assert used <= styles


def test_a_real_table_with_caption_and_notes():
    found = body(docx_bytes(document("a", "b")))
    (table,) = found.findall(f"{W}tbl")
    cells = [[text(cell) for cell in row.findall(f"{W}tc")] for row in table.findall(f"{W}tr")]
    area = "0.9 (0.8\u00a0to\u00a01.0)"  # an interval is not broken over lines
    assert cells == [["", "a", "b"], ["AUC", area, area], ["n", "7", "7"]]
    widths = [int(c.get(f"{W}w")) for c in table.find(f"{W}tblGrid")]
    assert widths[1] == widths[2] > widths[0]
    assert sum(widths) <= 9070
    assert len(table.find(f"{W}tblGrid")) == 3
    assert table.find(f"{W}tr/{W}trPr/{W}tblHeader") is not None
    outside = [text(p) for p in found.findall(f"{W}p")]
    assert outside == ["Head", "Caption", "", "A note on a.", "• point"]
    assert found[-1].tag == f"{W}sectPr"


@pytest.mark.parametrize("kind", list(HOSTILE))
def test_names_are_only_text(kind):
    name = HOSTILE[kind]
    found = body(docx_bytes(document(name)))
    (table,) = found.findall(f"{W}tbl")
    cell = text(table.findall(f"{W}tr")[0].findall(f"{W}tc")[1])
    assert all(c.isprintable() for c in cell)
    if name.isprintable():
        assert cell == name


def test_the_same_document_gives_the_same_bytes():
    assert docx_bytes(document("a")) == docx_bytes(document("a"))
    assert docx_bytes(document("a")) != docx_bytes(document("b"))
    assert docx_bytes(document("a"), "zh") != docx_bytes(document("a"), "en")
