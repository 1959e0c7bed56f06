"""Write the report of an evaluation as one page."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from curvewise.report.drawings import WORDS, drawings
from curvewise.report.html import render_html
from curvewise.results.writing import output_path, write_atomically
from curvewise.rows.checks import one_of

if TYPE_CHECKING:
    from os import PathLike

    from curvewise.report.evaluation import Evaluation


def write_page(evaluation: Evaluation, path: str | PathLike[str], *, lang: str, force: bool) -> None:
    """Check where the page may go, make it, and put it there whole or not at all."""
    one_of("lang", lang, tuple(WORDS))
    target = output_path(os.fspath(path), evaluation.source.path or "-", force=force, how="pass force=True")
    page = render_page(evaluation, lang)
    if target is not None:
        write_atomically(target, page.encode())


def render_page(evaluation: Evaluation, lang: str) -> str:
    """Return the page."""
    return render_html(evaluation.to_dict(), drawings(evaluation, lang), lang)  # type: ignore[arg-type]
