"""Write the report of an evaluation: of scores, of many classes or of detectors, as one page or as a document."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING, Any, cast

from curvewise.document.blocks import Document, Text
from curvewise.document.embedded_svg import embedded
from curvewise.document.html import HtmlPage
from curvewise.document.html import render_html as render
from curvewise.evaluation.detectors import DetectionEvaluation
from curvewise.pages.classes.page import ClassPage
from curvewise.pages.detectors.page import DetectionPage
from curvewise.pages.scores.page import ScorePage
from curvewise.results.writing import FORCE_ARGUMENT, file_path, write_atomically
from curvewise.rows.checks import one_of
from curvewise.words import LANGS, Lang, words

if TYPE_CHECKING:
    from os import PathLike

    from curvewise.evaluation.evaluation import Evaluation
    from curvewise.figures.export import Drawing


def page_of(evaluation: Any, lang: Lang = "en", *figures: Any) -> Any:
    """Return what the sections on an evaluation are written from."""
    if isinstance(evaluation, DetectionEvaluation):
        return DetectionPage(evaluation, words(lang), *figures)
    return (ScorePage if evaluation.multiclass is None else ClassPage)(evaluation, words(lang), *figures)


def document_of(evaluation: Evaluation, lang: str = "en") -> Document:
    """Return all sections without figures, for any writer."""
    one_of("lang", lang, LANGS)
    statement = Text(evaluation.statement.text(lang))
    return Document(evaluation.title, [statement, *page_of(evaluation, cast("Lang", lang)).written()], {}, [])


def write_page(
    evaluation: Evaluation | DetectionEvaluation,
    path: str | PathLike[str],
    *,
    lang: str,
    force: bool,
    title: str | None = None,
    author: str | None = None,
) -> None:
    """Check where the page may go, make it, and put it there whole or not at all; never over the file it is from."""
    one_of("lang", lang, LANGS)
    source = None if isinstance(evaluation, DetectionEvaluation) else evaluation.origin.path
    target = file_path(path, source or "-", force=force)
    text = render_page(evaluation, lang, title=title, author=author)
    write_atomically(target, text.encode(), force=force, how=FORCE_ARGUMENT)


def render_page(
    evaluation: Evaluation | DetectionEvaluation,
    lang: str = "en",
    *,
    title: str | None = None,
    author: str | None = None,
    made: date | None = None,
) -> str:
    """Return the page with all its figures."""
    one_of("lang", lang, LANGS)
    figures = page_of(evaluation, cast("Lang", lang)).drawings()
    return render_html(evaluation, figures, cast("Lang", lang), title=title, author=author, made=made or date.today())


def render_html(
    evaluation: Evaluation | DetectionEvaluation,
    figures: Mapping[str, Drawing] | None = None,
    lang: Lang = "en",
    *,
    title: str | None = None,
    author: str | None = None,
    made: date | None = None,
) -> str:
    """Return the page with drawings by key (``"roc"``, ``"distribution:0"`` …); where one is absent, its table stands.

    ``made`` is the day that stands above it; what is None is left out.
    """
    drawn, sheet = embedded(figures or {})
    page = page_of(evaluation, lang, drawn)
    w, facts = page.w, [page.of, *page.facts(), *([author] if author else [])]
    if made:
        facts.append(w("page.date", year=str(made.year), month=f"{made:%m}", day=f"{made:%d}"))
    return render(
        HtmlPage(
            title=title or w(f"{page.heading}.of", names=page.of),
            heading=title or w(page.heading),
            facts=facts,
            sections=page.written(),
            sheet=sheet,
            data=page.script_data(),
            styles=page.styles,
            scripts=page.scripts,
        ),
        lang,
    )
