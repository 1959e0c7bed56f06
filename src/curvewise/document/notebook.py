"""Blocks as a piece of HTML for a notebook: no script, nothing to load, its styles for itself alone.

A notebook holds many outputs in one page. Rules of the figures begin with a class that stands for the content of the
output, and ids have a number that no other output of this process has.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from html import escape
from itertools import count
from typing import Any

from curvewise.document.blocks import Block, CardColumn, Cards, Cell, Grid, Plates, Points, Text
from curvewise.document.embedded_svg import Figure, embedded
from curvewise.document.html import asset, page_text

# dark where the notebook says so, or, if it does not say, where the reader's system is
DARK = ('body[data-jp-theme-light="false"]', 'body[data-vscode-theme-kind$="dark"]', "body.theme-dark")
SAID = ('[data-jp-theme-light="true"]', "[data-vscode-theme-kind]")
PALETTE = re.compile(r":root \{(.*?)\}", re.DOTALL)
_outputs = count(1)


def notebook_figures(drawn: Mapping[str, Any]) -> tuple[dict[str, Figure], str]:
    """Return figures of matplotlib by key, with ids that no other output has, and the rules of their styles."""
    from curvewise.figures.export import to_svg  # noqa: PLC0415 - needs matplotlib

    begin = f"cw{next(_outputs)}"
    drawings = {f"{begin}-{key}": to_svg(one, prefix=f"{begin}-{key}") for key, one in drawn.items()}
    figures, sheet = embedded(drawings)
    return {key: figures[f"{begin}-{key}"] for key in drawn}, sheet


def render_notebook(title: str, blocks: Iterable[Block], sheet: str = "") -> str:
    """Return blocks as HTML; what only a page can show is left out."""
    body = "".join([f"<p class='cw-title'>{_text(title)}</p>", *map(_block, blocks)])
    own = "cw-" + hashlib.sha256((sheet + body).encode()).hexdigest()[:12]
    rules = [f".{own} {rule}" if rule.startswith(".") else rule for rule in sheet.splitlines()]
    style = "\n".join([_palettes(), asset("notebook.css"), *rules])
    return f'<div class="curvewise {own}"><style>\n{style}</style>{body}</div>'


def _palettes() -> str:
    """Return the colours of the page for this output alone, light and dark."""
    light, dark = PALETTE.findall(asset("page.css"))[:2]
    unsaid = "".join(f":not({said})" for said in SAID)
    return (
        f".curvewise {{{light}}}\n{', '.join(f'{body} .curvewise' for body in DARK)} {{{dark}}}\n"
        f"@media (prefers-color-scheme: dark) {{ body{unsaid} .curvewise {{{dark}}} }}"
    )


def _block(block: Block) -> str:
    match block:
        case Text():
            return f"<p class='cw-{escape(block.way)}'>{_text(block.text)}</p>"
        case Points():
            said = (f"<li class='cw-{escape(t.way)}'>{_text(t.text)}</li>" for t in block.texts)
            return f"<ul>{''.join(said)}</ul>" if block.texts else ""
        case Cards():
            return f"<div class='cw-models'>{''.join(map(_column, block.columns))}</div>"
        case Plates():
            return (
                f"<div class='cw-plates'>{''.join(_plate(p.figure, p.title) for p in block.plates if p.figure)}</div>"
            )
        case Grid():
            return _grid(block)
        case _:
            return ""


def _column(column: CardColumn) -> str:
    place = "" if column.place is None else f" style='border-color:var(--model-{column.place % 10})'"
    cards = "".join(
        f"<tr><th scope='row'>{_text(c.name)}</th>"
        f"<td><b>{_text(c.value)}</b> <small>{_text(c.interval)}</small></td></tr>"
        for c in column.cards
    )
    remark = f"<p class='cw-note'>{_text(column.remark)}</p>" if column.remark else ""
    name = f"<p class='cw-name'><bdi>{_text(column.title)}</bdi></p>"
    return f"<div class='cw-model'{place}>{name}<table class='cw-cards'><tbody>{cards}</tbody></table>{remark}</div>"


def _plate(figure: Figure, title: str) -> str:
    # the SVG was made of known elements and attributes alone, and its text is escaped
    return f"<figure><figcaption id='{figure.id}-title'>{_text(title)}</figcaption>{figure.svg}</figure>"


def _grid(grid: Grid) -> str:
    head = "".join(f"<th scope='col'{_side(c)}>{_cell(c)}</th>" for c in grid.head)
    rows = []
    for row in grid.rows:
        cells = [f"<th scope='row'>{_cell(c)}</th>" for c in row[: grid.heads]]
        cells += [f"<td{_side(c)}>{_cell(c)}</td>" for c in row[grid.heads :]]
        rows.append(f"<tr>{''.join(cells)}</tr>")
    caption = f"<caption>{_text(grid.caption)}</caption>" if grid.caption else ""
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _side(cell: Cell) -> str:
    return " class='cw-number'" if cell.numeric else ""


def _cell(cell: Cell) -> str:
    small = f" <small>{_text(cell.sub)}</small>" if cell.sub else ""
    return f"<bdi>{_text(cell.text)}</bdi>{small}"


def _text(text: str) -> str:
    return escape(page_text(text))
