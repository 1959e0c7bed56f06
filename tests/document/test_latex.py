"""LaTeX: tables of booktabs, notes with their table, and no character of a name that is a command."""

import re

import pytest

from curvewise.document.blocks import (
    Card,
    CardColumn,
    Cards,
    Cell,
    Document,
    Facts,
    Fold,
    Grid,
    Heading,
    Plate,
    Points,
    Section,
    Tabs,
    Text,
)
from curvewise.document.latex import latex, latex_page


def grid(*rows, caption="Numbers"):
    return Grid(caption, [Cell("name"), Cell("n", numeric=True)], [[Cell(a), Cell(b, "1 to 2")] for a, b in rows])


def page(*blocks):
    return latex_page(Document("", list(blocks), {}, []))


def test_a_table_with_its_notes_inside_the_float():
    text = page(grid(("a", "3")), Text("First note."), Text("Second."), Heading("Next"), Text("Prose."))
    assert r"\begin{tabular}{lr}" in text
    assert "a & 3 (1 to 2) \\\\" in text
    inside = text[: text.index(r"\end{table}")]
    assert "First note.\\par\nSecond.\\par" in inside
    assert "Prose." not in inside
    assert text.index(r"\toprule") < text.index(r"\midrule") < text.index(r"\bottomrule")
    assert r"\usepackage{booktabs}" in text
    assert "ctex" not in text
    assert "ctex" in page(Text("灵敏度"))


@pytest.mark.parametrize(
    "name",
    [
        r"\input{/etc/passwd}",
        "50% & more",
        "a_b^c",
        "$x$",
        "#1",
        "~tilde",
        "{",
        "}",
        "[x]",
        "*",
        'a"b',
        "--",
        "a\\\\b",
        "`",
    ],
)
def test_every_special_character_is_text(name):
    row = next(line for line in page(grid((name, "1"))).splitlines() if line.endswith(r" & 1 (1 to 2) \\"))
    bare = row.removesuffix(r" & 1 (1 to 2) \\")
    for command in re.findall(r"\\[A-Za-z]+", bare):
        assert command.startswith((r"\text", r"\char"))
    left = re.sub(r"\\[A-Za-z]+(\d+)?|\\[{}$&#_%]|[{}]", "", bare)
    assert not set("\\$&#_%^~{}") & set(left)
    opened = re.sub(r"\\[{}]", "", bare)
    assert opened.count("{") == opened.count("}")
    assert not bare.startswith(("[", "*"))  # they would be options of the end of the last row


def test_in_a_wide_table_intervals_stand_below_their_numbers():
    head = [Cell("name"), *(Cell(f"m{k}", numeric=True) for k in range(6))]
    wide = Grid("", head, [[Cell("a"), *(Cell("0.5 [x", "0.1 to 0.9") for _ in range(6))]])
    text = page(wide)
    assert text.count(r"\shortstack[r]{0.5 {[}x\\(0.1 to 0.9)}") == 6
    assert "shortstack" not in page(grid(("a", "3")))


def test_signs_and_what_does_not_print():
    assert latex("≥ −0.5 – ∞") == r"$\geq$ $-$0.5 -- $\infty$"
    assert latex("95%") == r"95\%"
    assert latex("5\u00a0km") == "5~km"
    assert "\x1b" not in latex("a\x1b[31m")
    assert "\u202e" not in latex("a\u202eb")


def test_any_document_can_be_written():
    inner = [Heading("H"), Text("t"), Points([Text("one"), Text("two")])]
    cards = Cards([CardColumn("m", 0, [Card("AUC", "0.9", "0.8 to 1", "")])])
    text = page(
        Section("s", "S 1", inner),
        Fold("F", [grid(("f", "1"))]),
        Tabs("T", [("tab", [grid(("g", "2"))])]),
        Plate(None, "p", "", grid(("p", "3")), "k"),
        Facts([("rows", "10", False)]),
        cards,
    )
    for said in ("S 1", r"\item {}one", "f & 1", "g & 2", "p & 3", "rows & 10", "AUC & 0.9 (0.8 to 1)", "tab"):
        assert said in text
    assert text.count(r"\begin{table}") == text.count(r"\end{table}") == 5
