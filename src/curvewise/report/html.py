"""The report as one HTML page that needs nothing else: no network, no other file."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from curvewise.errors import CurvewiseError, MissingExtraError
from curvewise.report.figures import prepared
from curvewise.report.paper import Paper
from curvewise.report.safe import policy, script_json, visible_all
from curvewise.report.sections.caveats import caveats
from curvewise.report.sections.classes import classes
from curvewise.report.sections.comparison import comparison
from curvewise.report.sections.data import data
from curvewise.report.sections.explorer import explorer, script_data
from curvewise.report.sections.groups import groups
from curvewise.report.sections.methods import made, methods
from curvewise.report.sections.probabilities import probabilities
from curvewise.report.sections.ranking import ranking
from curvewise.report.sections.sites import sites
from curvewise.report.sections.summary import summary
from curvewise.words import Words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from curvewise.report.figures import DrawingLike
    from curvewise.words import Lang

SCHEMA = ("curvewise.evaluation", 1)
TAGS = {"en": "en", "zh": "zh-Hans"}
SECTIONS = (
    *(summary, data, ranking, comparison, explorer, probabilities, groups, sites, classes),
    *(caveats, methods, made),
)


def render_html(
    document: dict[str, Any], figures: Mapping[str, DrawingLike] | None = None, lang: Lang = "en"
) -> str:
    """Return the page of an evaluation.

    Parameters
    ----------
    document
        What ``Evaluation.to_dict()`` returns.
    figures
        Drawings by key (``"roc"``, ``"distribution:0"`` …); where one is absent, its table stands alone.
    lang
        ``"en"`` or ``"zh"``.

    Returns
    -------
    str
        One HTML file. It runs its own script and styles, known by hash, and loads nothing.

    Raises
    ------
    CurvewiseError
        If the document is not an evaluation of a version that is known here.
    MissingExtraError
        If jinja2 is not installed.
    """
    found = (document.get("schema"), document.get("version"))
    if found != SCHEMA:
        raise CurvewiseError(
            f"document: expected {SCHEMA[0]} version {SCHEMA[1]}, got {found[0]!r} version {found[1]!r}."
        )
    environment = _environment()
    w = Words(lang)
    drawn, sheet = prepared(figures or {})
    paper = Paper(visible_all(document), drawn, w)
    styles, scripts = [asset("page.css"), sheet], [asset("page.js")]
    page: str = environment.get_template("page.html.j2").render(
        w=w,
        lang=TAGS[lang],
        paper=paper,
        sections=[s for s in (write(paper) for write in SECTIONS) if s is not None],
        policy=policy(styles, scripts),
        styles=styles,
        scripts=scripts,
        data=script_json(script_data(paper)),
    )
    return page


@cache
def asset(name: str) -> str:
    """Return the text of a file that goes into the page."""
    return (files("curvewise.report") / "assets" / name).read_text("utf-8")


@cache
def _environment() -> Any:
    try:
        import jinja2  # noqa: PLC0415 - of an extra, and only pages need it
    except ImportError:
        raise MissingExtraError(
            "A report needs jinja2, which is not installed; install it with: pip install 'curvewise[cli]'"
        ) from None
    return jinja2.Environment(
        loader=jinja2.FunctionLoader(asset),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
