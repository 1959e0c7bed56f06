"""A document as one HTML page that needs nothing else: no network, no other file.

What comes from data is only ever text: in the page, in its script's data, in its policy.
"""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from curvewise._version import __version__
from curvewise.errors import MissingExtraError
from curvewise.words import Lang, words

if TYPE_CHECKING:
    from curvewise.document.blocks import Section

STYLES, SCRIPTS = ("page.css", "explorer.css"), ("page.js", "charts.js", "figures.js", "explorer.js")  # in this order
TAGS = {"en": "en", "zh": "zh-Hans", "zh-general": "zh-Hans"}
ESCAPED = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}
HARMLESS = "\u00a0\u2068\u2069\n"  # not printable, but written by `curvewise.words` itself


@dataclass(frozen=True)
class HtmlPage:
    """What a page shows: its heading and the facts below it, its sections, what its script gets.

    ``title`` is that of the window; ``sheet`` holds the styles of the figures (see `embedded_svg`); ``styles`` and
    ``scripts`` are the files it needs, in this order.
    """

    title: str
    heading: str
    facts: list[str]
    sections: list[Section]
    sheet: str = ""
    data: dict[str, Any] = field(default_factory=dict)
    styles: tuple[str, ...] = STYLES
    scripts: tuple[str, ...] = SCRIPTS


def render_html(page: HtmlPage, lang: Lang = "en") -> str:
    """Return one HTML file; it runs its own script and styles, known by hash, and loads nothing.

    Raises
    ------
    MissingExtraError
        If jinja2 is not installed.
    """
    styles, scripts = [*map(asset, page.styles), page.sheet], list(map(asset, page.scripts))
    text: str = (
        _environment()
        .get_template("page.html.j2")
        .render(
            w=words(lang),
            lang=TAGS[lang],
            page=page,
            version=__version__,
            policy=policy(styles, scripts),
            styles=styles,
            scripts=scripts,
            data=script_json(_visible(page.data)),
        )
    )
    return text


@cache
def asset(name: str) -> str:
    """Return the text of a file that goes into the page."""
    return (files("curvewise.document") / "assets" / name).read_text("utf-8")


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
        finalize=_finalize,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _finalize(value: Any) -> Any:
    """Make every text that a template writes visible; markup of the templates stays as it is."""
    return page_text(value) if type(value) is str else value


def page_text(text: str) -> str:
    """Write control, bidirectional and other unprintable characters as escapes."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in HARMLESS else c.encode("unicode_escape").decode() for c in text)


def script_json(data: Any) -> str:
    r"""Return JSON that cannot end the script element it stands in.

    >>> script_json("</script>")
    '"\\u003c/script\\u003e"'
    """
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.translate(ESCAPED)


def _visible(value: Any) -> Any:
    if isinstance(value, str):
        return page_text(value)
    if isinstance(value, dict):
        return {page_text(str(k)): _visible(v) for k, v in value.items()}
    return [_visible(v) for v in value] if isinstance(value, (list, tuple)) else value


def policy(styles: list[str], scripts: list[str]) -> str:
    """Return a content security policy that allows these styles and scripts, by hash, and nothing else.

    Nothing is fetched, nothing is sent; ``data:`` is for the page's icon.
    """
    allowed = {
        "default-src": "'none'",
        "style-src": _hashes(styles),
        "script-src": _hashes(scripts),
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{name} {source}" for name, source in allowed.items())


def _hashes(texts: list[str]) -> str:
    digests = (hashlib.sha256(t.encode()).digest() for t in texts)
    return " ".join(f"'sha256-{base64.b64encode(d).decode()}'" for d in digests) or "'none'"
