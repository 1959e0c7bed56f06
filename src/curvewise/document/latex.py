"""A document as LaTeX, in which every character of a name is only text; tables are those of booktabs."""

from __future__ import annotations

from curvewise.document.blocks import Cell, Document, Grid, Heading, Points, Text
from curvewise.document.simple_blocks import Simple, simple_blocks
from curvewise.document.terminal import cell_text, grid_cells, said
from curvewise.results.text import visible, width

# what LaTeX reads as a command, and signs that its usual fonts lack. A row may begin with a bracket or a star,
# which after the end of the last row would be an option of it.
SPECIAL = {
    **{c: f"\\{c}" for c in "{}$&#_%"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    '"': r"{\char34}",
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    "-": "-{}",
    "'": "{'}",
    "\u00a0": "~",
    "–": "--",
    "−": "$-$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "∞": r"$\infty$",
    "·": r"$\cdot$",
    "×": r"$\times$",
    "…": r"\ldots{}",
    "’": "'",
    "‘": "`",
    "“": "``",
    "”": "''",
    "²": r"\textsuperscript{2}",
    "χ": r"$\chi$",
    "π": r"$\pi$",
    "κ": r"$\kappa$",
    "τ": r"$\tau$",
    "→": r"$\to$",
    "\u2068": "",
    "\u2069": "",
}
WIDE = 90  # letters that fit side by side on a page
NOTES = ("plain", "note")  # ways of paragraphs that may belong to a table
ESCAPES = str.maketrans(SPECIAL)
HEAD = r"% In the preamble: \usepackage{booktabs}"
CHINESE = HEAD + r" and \usepackage{ctex} (XeLaTeX or LuaLaTeX)"


def latex_page(document: Document) -> str:
    r"""Return the document as a piece of LaTeX, to be put into an article with ``\input``.

    Paragraphs directly below a table are its notes, and go with it wherever it floats to.
    """
    parts: list[str] = []
    table: Grid | None = None
    notes: list[str] = []
    for block in [*simple_blocks(document.blocks), None]:
        if table is not None and isinstance(block, Text) and block.way in NOTES:
            notes.append(said(block))
            continue
        if table is not None:
            parts.append(_table(table, notes))
        table, notes = (block, []) if isinstance(block, Grid) else (None, [])
        if block is not None and table is None:
            parts.append(_block(block))
    chinese = any("\u4e00" <= c <= "\u9fff" for part in parts for c in part)
    return "\n\n".join([CHINESE if chinese else HEAD, *filter(None, parts)]) + "\n"


def latex(text: str) -> str:
    r"""Escape every character that LaTeX would not print as it is.

    >>> latex(r"50% of \input{a_b} & $x$")
    '50\\% of \\textbackslash{}input\\{a\\_b\\} \\& \\$x\\$'
    """
    return visible_spaces(text).translate(ESCAPES)


def visible_spaces(text: str) -> str:
    """Write characters that do not print as escapes, but keep the spaces that do not break a line."""
    return "\u00a0".join(visible(part) for part in text.split("\u00a0"))


def _block(block: Simple) -> str:
    match block:
        case Heading():
            return f"\\subsection*{{{latex(block.text)}}}"
        case Points():
            items = "\n".join(f"\\item {{}}{latex(said(text))}" for text in block.texts)
            return f"\\begin{{itemize}}\n{items}\n\\end{{itemize}}" if items else ""
        case _:
            return latex(said(block)) if isinstance(block, Text) else _table(block, [])


def _table(grid: Grid, notes: list[str]) -> str:
    _, rows, right = grid_cells(grid)
    across = sum(max(map(width, column)) for column in zip(*rows, strict=True))
    sides = "".join("r" if numeric else "l" for numeric in right)
    lines = [r"\begin{table}[htbp]", r"\centering\small"]
    lines += [f"\\caption{{{latex(grid.caption)}}}"] if grid.caption else []
    body = [_row(row, right, stacked=across > WIDE) for row in (grid.head, *grid.rows)]
    lines += [f"\\begin{{tabular}}{{{sides}}}", r"\toprule", body[0], r"\midrule", *body[1:]]
    lines += [r"\bottomrule", r"\end{tabular}"]
    if notes:
        lines += [r"\par\medskip", r"\begin{minipage}{\linewidth}\footnotesize"]
        lines += [f"{latex(note)}\\par" for note in notes]
        lines.append(r"\end{minipage}")
    return "\n".join([*lines, r"\end{table}"])


def _row(cells: list[Cell], right: list[bool], *, stacked: bool) -> str:
    """Write a row; in a wide table an interval stands below its number."""
    shown = []
    for cell, numeric in zip(cells, right, strict=True):
        if stacked and cell.sub:
            shown.append(f"\\shortstack[{'r' if numeric else 'l'}]{{{latex(cell.text)}\\\\({latex(cell.sub)})}}")
        else:
            shown.append(latex(cell_text(cell)))
    return " & ".join(shown) + r" \\"
