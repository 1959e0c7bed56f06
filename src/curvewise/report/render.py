"""Write the report of an evaluation as one page."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, cast

from curvewise.document.embedded_svg import embedded
from curvewise.document.html import HtmlPage
from curvewise.document.html import render_html as render
from curvewise.report.breakdown_section import groups, sites
from curvewise.report.classes_section import class_groups, class_probabilities, class_summary, classes
from curvewise.report.closing_section import caveats, made, methods
from curvewise.report.data_section import data
from curvewise.report.drawings import drawings
from curvewise.report.page import Page
from curvewise.report.probability_section import probabilities
from curvewise.report.ranking_section import comparison, ranking
from curvewise.report.summary_section import summary
from curvewise.report.threshold_section import explorer
from curvewise.results.writing import output_path, write_atomically
from curvewise.rows.checks import one_of
from curvewise.words import LANGS, words

if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike

    from curvewise.figures.export import Drawing
    from curvewise.report.evaluation import Evaluation
    from curvewise.words import Lang

SECTIONS = (  # in the order of a reader's questions
    *(summary, explorer, ranking, comparison, probabilities, groups, sites),
    *(caveats, data, methods, made),
)
OF_CLASSES = (class_summary, classes, class_probabilities, class_groups, caveats, data, methods, made)


def write_page(evaluation: Evaluation, path: str | PathLike[str], *, lang: str, force: bool) -> None:
    """Check where the page may go, make it, and put it there whole or not at all."""
    one_of("lang", lang, LANGS)
    target = output_path(os.fspath(path), evaluation.origin.path or "-", force=force, how="pass force=True")
    page = render_page(evaluation, lang)
    if target is not None:
        write_atomically(target, page.encode())


def render_page(evaluation: Evaluation, lang: str = "en") -> str:
    """Return the page with all its figures."""
    one_of("lang", lang, LANGS)
    return render_html(evaluation, drawings(evaluation, lang), cast("Lang", lang))


def render_html(evaluation: Evaluation, figures: Mapping[str, Drawing] | None = None, lang: Lang = "en") -> str:
    """Return the page of an evaluation.

    Parameters
    ----------
    evaluation
        What `curvewise.evaluate` returned.
    figures
        Drawings by key (``"roc"``, ``"distribution:0"`` …); where one is absent, its table stands alone.
    lang
        ``"en"`` or ``"zh"``.
    """
    drawn, sheet = embedded(figures or {})
    w = words(lang)
    written = SECTIONS if evaluation.multiclass is None else OF_CLASSES
    page = Page(evaluation, w, drawn)
    names = w.listed(page.names or evaluation.options.scores)
    counted = "page.subtitle.weighted" if evaluation.data.get("weighted") else "page.subtitle"
    rows = w(counted if page.models else "page.rows", **evaluation.data)
    return render(
        HtmlPage(
            title=w("page.title.of", names=names),
            heading=w("page.title"),
            subtitles=[names, rows],
            sections=[s for s in (write(page) for write in written) if s is not None],
            models=page.names,
            sheet=sheet,
            data=page.script_data(),
        ),
        lang,
    )
