"""A document as a file of a text processor (Office Open XML, .docx), with real tables; nothing else is needed.

The same document gives the same bytes: no date is written.
"""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from curvewise.document.blocks import Cell, Document, Grid, Heading, Points
from curvewise.document.html import page_text
from curvewise.document.simple_blocks import Simple, simple_blocks
from curvewise.document.terminal import said
from curvewise.results.text import width

if TYPE_CHECKING:
    from curvewise.words import Lang

BEGIN = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
SCHEMAS = "http://schemas.openxmlformats.org"
WORD = f'xmlns:w="{SCHEMAS}/wordprocessingml/2006/main"'
TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"
TAGS = {"en": "en-US", "zh": "zh-CN", "zh-general": "zh-CN"}
FIRST_DAY = (1980, 1, 1, 0, 0, 0)  # the earliest that a ZIP file can say
TEXT = 9070  # the width of the text of an A4 page with margins of 2.5 cm, in twentieths of a point
FEWEST, MOST, NAMES, PADDING = 8, 32, 24, 3  # letters that decide on the width of a column, of the first one, between
MARGIN = 60  # at the sides of a cell, in twentieths of a point
NO_BREAK = "\u00a0"
LINES = 8  # eighths of a point: a thin rule
STYLES = (  # name, what it is called, size in half points, bold, space before and after in twentieths of a point
    ("Normal", "Normal", 20, False, 0, 80),
    ("Heading2", "heading 2", 26, True, 240, 80),
    ("Caption", "caption", 20, True, 120, 80),
    ("Cell", "Table cell", 17, False, 30, 30),
    ("Footnote", "Table note", 17, False, 60, 0),
)
CONTENT_TYPES = (
    f'{BEGIN}<Types xmlns="{SCHEMAS}/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    f'<Override PartName="/word/document.xml" ContentType="{TYPE}.document.main+xml"/>'
    f'<Override PartName="/word/styles.xml" ContentType="{TYPE}.styles+xml"/></Types>'
)


def docx_bytes(document: Document, lang: Lang = "en") -> bytes:
    """Return the document as the bytes of a .docx file."""
    body = "".join(_block(block) for block in simple_blocks(document.blocks))
    page = '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1418" w:right="1418" w:bottom="1418" '
    page += 'w:left="1418" w:header="709" w:footer="709" w:gutter="0"/></w:sectPr>'
    parts = {
        "[Content_Types].xml": CONTENT_TYPES,
        "_rels/.rels": _relation("officeDocument", "word/document.xml"),
        "word/document.xml": f"{BEGIN}<w:document {WORD}><w:body>{body}{page}</w:body></w:document>",
        "word/_rels/document.xml.rels": _relation("styles", "styles.xml"),
        "word/styles.xml": _styles(lang),
    }
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(zipfile.ZipInfo(name, FIRST_DAY), text.encode(), zipfile.ZIP_DEFLATED)
    return target.getvalue()


def _relation(kind: str, target: str) -> str:
    relation = f'<Relationship Id="rId1" Type="{SCHEMAS}/officeDocument/2006/relationships/{kind}" Target="{target}"/>'
    return f'{BEGIN}<Relationships xmlns="{SCHEMAS}/package/2006/relationships">{relation}</Relationships>'


def _styles(lang: Lang) -> str:
    fonts = '<w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:cs="Calibri" w:eastAsia="SimSun"/>'
    language = f'<w:lang w:val="{TAGS[lang]}" w:eastAsia="zh-CN"/>'
    defaults = f"<w:docDefaults><w:rPrDefault><w:rPr>{fonts}{language}</w:rPr></w:rPrDefault></w:docDefaults>"
    made = []
    for name, shown, size, bold, before, after in STYLES:
        default, based = (' w:default="1"', "") if name == "Normal" else ("", '<w:basedOn w:val="Normal"/>')
        keep = "<w:keepNext/>" if name in ("Heading2", "Caption") else ""
        space = f'<w:pPr>{keep}<w:spacing w:before="{before}" w:after="{after}"/></w:pPr>'
        weight = "<w:b/>" if bold else ""
        type_ = f'<w:rPr>{weight}<w:sz w:val="{size}"/><w:szCs w:val="{size}"/></w:rPr>'
        content = f'<w:name w:val="{shown}"/>{based}{space}{type_}'
        made.append(f'<w:style w:type="paragraph"{default} w:styleId="{name}">{content}</w:style>')
    return f"{BEGIN}<w:styles {WORD}>{defaults}{''.join(made)}</w:styles>"


def _block(block: Simple) -> str:
    match block:
        case Grid():
            return (_paragraph(block.caption, "Caption") if block.caption else "") + _table(block)
        case Heading():
            return _paragraph(block.text, "Heading2")
        case Points():
            return "".join(_paragraph(f"• {said(text)}", "Normal") for text in block.texts)
        case _:
            return _paragraph(said(block), "Footnote")


def _paragraph(text: str, style: str, *, right: bool = False, bold: bool = False) -> str:
    side = '<w:jc w:val="right"/>' if right else ""
    weight = "<w:rPr><w:b/></w:rPr>" if bold else ""
    run = f'<w:r>{weight}<w:t xml:space="preserve">{escape(page_text(text))}</w:t></w:r>'
    return f'<w:p><w:pPr><w:pStyle w:val="{style}"/>{side}</w:pPr>{run}</w:p>'


def _table(grid: Grid) -> str:
    lines = [[_shown(cell) for cell in line] for line in (grid.head, *grid.rows)]
    right, widths = [cell.numeric for cell in grid.head], _widths(lines)
    rule = f'w:val="single" w:sz="{LINES}" w:space="0" w:color="auto"'
    borders = f"<w:tblBorders><w:top {rule}/><w:bottom {rule}/></w:tblBorders>"
    sides = "".join(f'<w:{side} w:w="{MARGIN}" w:type="dxa"/>' for side in ("left", "right"))
    properties = f'<w:tblW w:w="{sum(widths)}" w:type="dxa"/>{borders}<w:tblLayout w:type="fixed"/>'
    properties = f"<w:tblPr>{properties}<w:tblCellMar>{sides}</w:tblCellMar></w:tblPr>"
    columns = "".join(f'<w:gridCol w:w="{w}"/>' for w in widths)
    below = f"<w:tcBorders><w:bottom {rule}/></w:tcBorders>"
    rows = [_row(lines[0], widths, right, below, head=True), *(_row(line, widths, right) for line in lines[1:])]
    behind = _paragraph("", "Cell")  # else two tables would be one
    return f"<w:tbl>{properties}<w:tblGrid>{columns}</w:tblGrid>{''.join(rows)}</w:tbl>{behind}"


def _shown(cell: Cell) -> str:
    """Return what stands in a cell; what is in brackets, an interval, is not broken over lines."""
    return f"{cell.text} ({cell.sub.replace(' ', NO_BREAK)})" if cell.sub else cell.text


def _widths(lines: list[list[str]]) -> list[int]:
    """Share the width of the text among columns by their longest cells, none of which gets too little or too much."""
    longest = [max(map(width, column)) for column in zip(*lines, strict=True)]
    shares = [PADDING + min(max(letters, FEWEST), MOST if place else NAMES) for place, letters in enumerate(longest)]
    return [TEXT * share // sum(shares) for share in shares]


def _row(cells: list[str], widths: list[int], right: list[bool], borders: str = "", *, head: bool = False) -> str:
    # a row is never broken over pages, and the head stands again on every page
    properties = f"<w:trPr><w:cantSplit/>{'<w:tblHeader/>' if head else ''}</w:trPr>"
    made = "".join(
        f'<w:tc><w:tcPr><w:tcW w:w="{w}" w:type="dxa"/>{borders}</w:tcPr>'
        f"{_paragraph(text, 'Cell', right=side, bold=head)}</w:tc>"
        for text, w, side in zip(cells, widths, right, strict=True)
    )
    return f"<w:tr>{properties}{made}</w:tr>"
