"""Write the playground: one self-contained HTML page per idea and language, with the report's script and styles."""

from __future__ import annotations

from pathlib import Path
from runpy import run_path
from typing import Any

import jinja2

from curvewise import __version__
from curvewise.document.html import TAGS, asset, policy, script_json
from curvewise.words import words

HERE = Path(__file__).parent
TITLES: dict[str, tuple[str, str]] = run_path(str(HERE.parent / "stage_pages.py"))["PLAYGROUND"]
LANGUAGES = ("en", "zh")
# names of numbers that the report has already
METRICS = {"auc": "roc_auc", "ap": "average_precision"}
METRICS |= {n: n for n in ("accuracy", "f1", "brier_loss", "log_loss")}


def pages() -> dict[str, str]:
    """Return the text of every page by its file name, such as ``ties.html`` and ``ties.zh.html``."""
    endings = zip(LANGUAGES, ("", ".zh"), strict=True)
    return {f"{idea}{ending}.html": page(idea, lang) for lang, ending in endings for idea in TITLES}


def page(idea: str, lang: str) -> str:
    """Return one page; its policy allows its own styles and scripts, by hash, and nothing else."""
    said = page_words(idea, lang)
    styles = [*map(asset, ("page.css", "explorer.css", "charts.css")), _read("playground.css")]
    scripts = [*map(asset, ("page.js", "charts.js")), *map(_read, ("maths.js", "playground.js", f"{idea}.js"))]
    spoken = words(lang)  # type: ignore[arg-type]
    data = {"models": [], "words": said, "percent": spoken.numbers.percent, "between": spoken.numbers.between}
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    text: str = environment.from_string(_read("page.html.j2")).render(
        lang=TAGS[lang],
        title=TITLES[idea][LANGUAGES.index(lang)],
        words=said,
        version=__version__,
        policy=policy(styles, scripts),
        styles=styles,
        scripts=scripts,
        data=script_json(data),
    )
    return text


def page_words(idea: str, lang: str) -> dict[str, Any]:
    """Return what a page says: words of the report, of every idea, and of this one."""
    spoken = words(lang)  # type: ignore[arg-type]
    own = run_path(str(HERE / f"words_{lang}.py"))["WORDS"]
    named = {key: spoken.known("metric", name) for key, name in METRICS.items()}
    return {**spoken.under("js."), **named, **own["every"], **own[idea]}


def _read(name: str) -> str:
    return (HERE / name).read_text("utf-8")
