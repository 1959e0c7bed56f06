"""One document in four formats: the same words and numbers, and names that stay names."""

import csv
import io
import json

import curvewise as cw
from curvewise.document.blocks import (
    Answers,
    Beside,
    Cell,
    Document,
    Facts,
    Grid,
    Heading,
    Plate,
    Points,
    Section,
    Text,
    blocks_of,
)
from curvewise.document.csv_text import csv_text, long_rows
from curvewise.document.json_text import heading, json_text
from curvewise.document.latex import latex_page
from curvewise.document.markdown import markdown_page
from curvewise.document.simple_blocks import simple_blocks
from curvewise.document.terminal import Screen, terminal

ROWS = ([1, 1, 0, 1, 0, 0, 1, 0], {"a": [9, 8, 7, 6, 5, 4, 3, 2], "b": [9, 3, 8, 6, 7, 1, 5, 2]})


def document(*blocks):
    return Document("title", list(blocks), {"schema": "x", "value": None}, [["a"], [1.5]])


def test_terminal_markdown_and_python_show_the_same():
    found = cw.compare(*ROWS)
    page = document(*blocks_of(found))
    for part in found.parts():
        text = str(part)
        assert text in terminal(page)
    assert found.table.markdown_table() in markdown_page(page)
    assert "note: " in str(found)
    assert "\n\nNote: " in terminal(page)
    assert "\n\n> Note: " in markdown_page(page)


def test_every_kind_of_block_is_written():
    section = Section("s", "Part one", [Heading("Small"), Points([Text("first"), Text("second")])])
    page = document(Text("Lead."), Facts([("rows", "8", False)]), section)
    assert terminal(page).split("\n\n")[0] == "Lead."
    assert "rows  8" in terminal(page)
    assert "- first\n- second" in terminal(page)
    lines = markdown_page(page, title=True).splitlines()
    assert lines[0] == "# title"
    assert "## Part one" in lines
    assert "### Small" in lines


def test_the_words_around_a_document_are_of_its_language():
    page = document(
        Answers([("哪个更好？", ["甲更好。", "差 0.1。"], "x")]),
        Text("阳性很少", "warn"),
        Text("样本小。", "note"),
        Facts([("行数", "8", False)]),
    )
    assert terminal(page, Screen("zh")).split("\n\n") == [
        "哪个更好？甲更好。差 0.1。",
        "警告：阳性很少。",
        "说明：样本小。",
        "项目  数值\n────  ────\n行数  8\n",
    ]


def test_columns_are_called_in_the_reader_s_language():
    found = cw.compare(*ROWS)
    assert blocks_of(found)[0].head[0].text == "first"
    assert blocks_of(found, "zh")[0].head[0].text == "前者"


def test_questions_stand_out_in_colours():
    page = document(Answers([("Which?", ["The first."], "x")]), Heading("Part"))
    assert terminal(page, Screen(colours=True)) == "\x1b[1mWhich?\x1b[0m The first.\n\n\x1b[1mPart\x1b[0m\n"
    assert terminal(page) == "Which? The first.\n\nPart\n"


def test_names_stay_text():
    hostile = document(Text("\x1b[31m<b>|x"))
    assert "\x1b" not in terminal(hostile)
    assert "<b>" not in markdown_page(hostile)
    rows = long_rows([({"score": "=1+1"}, cw.results.Table("", {"value": [-1.5]}))])
    assert csv_text(Document("", [], {}, rows)) == "score,value\n'=1+1,-1.5\n"


def test_tables_of_different_columns_stand_below_each_other():
    rows = long_rows(
        [({"score": "a"}, cw.results.Table("", {"x": [1, 2]})), ({"score": "b"}, cw.results.Table("", {"y": [None]}))]
    )
    found = list(csv.DictReader(io.StringIO(csv_text(Document("", [], {}, rows)))))
    assert [r["x"] for r in found] == ["1", "2", ""]
    assert list(found[0]) == ["score", "x", "y"]


def test_json_begins_with_what_it_is():
    head = heading("compare", "file.csv", {"level": 0.95, "threshold": float("inf")})
    assert list(head) == ["schema", "version", "curvewise", "source", "options"]
    text = json_text(Document("", [], {**head, "value": None}, []))
    assert json.loads(text)["options"] == {"level": 0.95, "threshold": "inf"}
    assert text.endswith("}\n")


def test_what_stands_beside_a_figure_is_kept_by_every_renderer():
    figure = Grid("of the figure", [Cell("a")], [[Cell("1")]])
    found = [Beside(Plate(None, "t", "c", figure, "k"), [Text("beside it")])]
    page = document(*found)
    assert [getattr(b, "caption", None) or b.text for b in simple_blocks(found)] == ["of the figure", "beside it"]
    for text in (terminal(page), markdown_page(page), latex_page(page)):
        assert text.index("of the figure") < text.index("beside it")
