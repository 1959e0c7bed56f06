"""Build the site of one version, and keep the list of versions beside it: site/VERSION/, site/versions.json."""

from __future__ import annotations

import json
import logging
import re
import sys
import tempfile
from pathlib import Path
from runpy import run_path
from typing import Any

from curvewise import __version__

ROOT = Path(__file__).parents[1]
REDIRECT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>curvewise</title>
<meta http-equiv="refresh" content="0; url={version}/"></head>
<body><a href="{version}/">curvewise {version}</a></body></html>
"""


def build(site: Path, version: str = __version__) -> Path:
    """Build a version into a folder of the site, list it, and return that folder."""
    from mkdocs.commands.build import build as build_pages  # noqa: PLC0415 - of the group docs
    from mkdocs.config import load_config  # noqa: PLC0415

    target = site / version
    with tempfile.TemporaryDirectory() as folder:
        pages = Path(folder, "docs")
        playground = run_path(str(ROOT / "docs" / "stage_pages.py"))["stage"](pages)
        config = load_config(str(ROOT / "mkdocs.yml"), docs_dir=str(pages), site_dir=str(target), strict=True)
        config.nav = navigation(config.nav, pages)
        config.plugins.on_startup(command="build", dirty=False)
        build_pages(config)
        config.plugins.on_shutdown()
    for name, text in playground.items():
        (target / "playground").mkdir(exist_ok=True)
        (target / "playground" / name).write_text(text, "utf-8")
    shorten_search(target / "search" / "search_index.json")
    list_versions(site)
    return target


def shorten_search(index: Path) -> None:
    """Leave single attributes of results out of the search: they are most of its entries, and the class is found."""
    found = json.loads(index.read_text("utf-8"))
    found["docs"] = [entry for entry in found["docs"] if "-attribute</code>" not in entry["title"]]
    index.write_text(json.dumps(found, ensure_ascii=False, separators=(",", ":")), "utf-8")


def navigation(entries: list[Any], pages: Path) -> list[Any]:
    """Return the navigation with the files that stand for ``folder/*``; a section without pages is left out."""
    found: list[Any] = []
    for entry in entries:
        if isinstance(entry, dict):
            ((title, inner),) = entry.items()
            inner = navigation(inner, pages) if isinstance(inner, list) else inner
            found += [{title: inner}] if inner else []
        elif entry.endswith("/*"):
            files = sorted((pages / entry).parent.glob("*.md"))
            found += [p.relative_to(pages).as_posix() for p in files if not p.stem.endswith(".zh")]
        else:
            found.append(entry)
    return found


def list_versions(site: Path) -> None:
    """Write the versions that the site holds, the newest first, and a page that leads to the newest."""
    versions = sorted((p.parent.name for p in site.glob("*/sitemap.xml")), key=_order, reverse=True)
    listed = [{"version": v, "title": v, "aliases": ["latest"] if i == 0 else []} for i, v in enumerate(versions)]
    (site / "versions.json").write_text(json.dumps(listed, indent=1), "utf-8")
    (site / "index.html").write_text(REDIRECT.format(version=versions[0]), "utf-8")


def _order(version: str) -> tuple[bool, list[int], bool, str]:
    """Order versions by their numbers, and a release after its candidates."""
    numbers = re.match(r"\d+(\.\d+)*", version)
    rest = version[numbers.end() :] if numbers else version
    return numbers is not None, [int(n) for n in numbers[0].split(".")] if numbers else [], not rest, rest


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(message)s")
    sys.stdout.write(f"{build(ROOT / 'site')}\n")
