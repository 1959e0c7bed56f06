"""Write the report of an evaluation as one page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import TYPE_CHECKING, cast

from curvewise.document.embedded_svg import embedded
from curvewise.document.html import HtmlPage
from curvewise.document.html import render_html as render
from curvewise.pages.classes.page import class_groups, class_summary, classes
from curvewise.pages.page import Page
from curvewise.pages.scores.baseline import baseline
from curvewise.pages.scores.closing import caveats
from curvewise.pages.scores.data import data
from curvewise.pages.scores.drawings import drawings
from curvewise.pages.scores.explorer import script_data
from curvewise.pages.scores.folds import folds
from curvewise.pages.scores.groups import groups, sites
from curvewise.pages.scores.over_time import over_time
from curvewise.pages.scores.probabilities import probabilities
from curvewise.pages.scores.ranking import comparison, ranking
from curvewise.pages.scores.summary import summary
from curvewise.pages.scores.threshold import explorer
from curvewise.results.numbers import exactly
from curvewise.results.writing import FORCE_ARGUMENT, file_path, write_atomically
from curvewise.rows.checks import one_of
from curvewise.words import LANGS, Lang, Words, words

if TYPE_CHECKING:
    from os import PathLike

    from curvewise.evaluation.evaluation import Evaluation
    from curvewise.figures.export import Drawing

SECTIONS = (  # in the order of a reader's questions
    *(summary, explorer, ranking, comparison, probabilities, over_time, groups, sites, folds, baseline),
    *(caveats, data),
)
OF_CLASSES = (class_summary, classes, class_groups, baseline, caveats, data)


def write_page(
    evaluation: Evaluation,
    path: str | PathLike[str],
    *,
    lang: str,
    force: bool,
    title: str | None = None,
    author: str | None = None,
) -> None:
    """Check where the page may go, make it, and put it there whole or not at all."""
    put_page(
        path,
        evaluation.origin.path,
        lambda: render_page(evaluation, lang, title=title, author=author),
        lang=lang,
        force=force,
    )


def put_page(path: str | PathLike[str], source: str | None, make: Callable[[], str], *, lang: str, force: bool) -> None:
    """Put a page at a path, whole or not at all; never over the file that it was made from."""
    one_of("lang", lang, LANGS)
    target = file_path(path, source or "-", force=force)
    write_atomically(target, make().encode(), force=force, how=FORCE_ARGUMENT)


def render_page(
    evaluation: Evaluation, lang: str = "en", *, title: str | None = None, author: str | None = None
) -> str:
    """Return the page with all its figures."""
    one_of("lang", lang, LANGS)
    drawn = drawings(evaluation, lang)
    return render_html(evaluation, drawn, cast("Lang", lang), title=title, author=author, made=date.today())


def render_html(
    evaluation: Evaluation,
    figures: Mapping[str, Drawing] | None = None,
    lang: Lang = "en",
    *,
    title: str | None = None,
    author: str | None = None,
    made: date | None = None,
) -> str:
    """Return the page of an evaluation.

    Parameters
    ----------
    evaluation
        What `curvewise.evaluate` returned.
    figures
        Drawings by key (``"roc"``, ``"distribution:0"`` …); where one is absent, its table stands alone.
    lang
        ``"en"``, ``"zh"``, or ``"zh-general"`` for Chinese where the data are not medical.
    title, author, made
        What stands above the report, who made it, and when; what is None is left out.
    """
    drawn, sheet = embedded(figures or {})
    w = words(lang)
    written = SECTIONS if evaluation.multiclass is None else OF_CLASSES
    page = Page(evaluation, w, drawn)
    names = w("page.names", names=page.names or evaluation.options.scores)
    return render(
        HtmlPage(
            title=title or w("page.title.of", names=names),
            heading=title or w("page.title"),
            facts=_facts(page, names, author, made),
            sections=[s for s in (write(page) for write in written) if s is not None],
            sheet=sheet,
            data=script_data(page),
        ),
        lang,
    )


def _facts(page: Page, names: str, author: str | None, made: date | None) -> list[str]:
    """Return what stands below the heading: models, rows, the positive class, who made it, and when."""
    w, found = page.w, page.evaluation
    counted = "page.subtitle.weighted" if found.data.get("weighted") else "page.subtitle"
    told = found.statement.text(w.lang)
    facts = [names, w(counted, **found.data) if page.models and found.survival is None else told]
    if (asked := found.options.outcome) is not None:
        facts.append(w("page.positive_by", event=asked.event, at=exactly(asked.main_horizon)))
    if page.models and found.options.label is not None:
        positive = found.options.reading.get("positive", 1)
        facts.append(w("page.positive", label=found.options.label, positive=str(positive)))
    return [*facts, *made_by(w, author, made)]


def made_by(w: Words, author: str | None, made: date | None) -> list[str]:
    """Return who made a page, and when, where that is said."""
    facts = [author] if author else []
    return [*facts, w("page.date", year=str(made.year), month=f"{made:%m}", day=f"{made:%d}")] if made else facts
