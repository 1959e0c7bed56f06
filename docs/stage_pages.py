"""Put together what the site is built from: the pages of docs/, and those that are generated.

mkdocs-static-i18n reads files from a folder, so generated pages are written to one instead of kept in memory.
A link that leaves docs/ leads on GitHub to a file of the repository; the site has a copy of it under repository/.
A notebook becomes a page of Markdown beside its file: no plugin of mkdocs has to recognise it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from runpy import run_path

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
COPIED = {".css", ".ipynb", ".jpg", ".json", ".md", ".png", ".svg"}
PLAYGROUND = {  # idea: its title in each language
    "distributions": ("Two distributions and a threshold", "两个分布与阈值"),
    "ties": ("What ties do", "并列分数的影响"),
    "partial-area": ("Part of the ROC curve", "部分 ROC 曲线下面积"),
    "calibration": ("Calibration", "校准"),
    "intervals": ("How often an interval holds", "区间的覆盖率"),
    "equal-auc": ("Equal AUC, different curves", "AUC 相同，曲线不同"),
}
LINK = re.compile(r"(?<=\]\()(?!\w+:|#)([^)\s#]+)(#[^)\s]*)?(?=\))")
# how much a page counts in the search, by its folder: who asks a question wants to learn first
SEARCH = {"learn": "boost: 4", "how-to": "boost: 3", "reference/api": "boost: 0.5", "repository": "exclude: true"}
FENCE = re.compile(r"(^ *```.*?^ *```|`[^`\n]+`)", re.MULTILINE | re.DOTALL)


def stage(folder: Path) -> dict[str, str]:
    """Write everything to an empty folder; return the playground's HTML files, to be put beside the built pages."""
    shutil.rmtree(folder, ignore_errors=True)
    for path in sorted(DOCS.rglob("*")):
        if path.suffix in COPIED and "playground" not in path.relative_to(DOCS).parts:
            _copy(path, folder)
        if path.suffix == ".ipynb":
            page = place(path).with_suffix(".md")
            _write(folder / page, searched(page, notebook_page(path)))
    _copy(ROOT / "CHANGELOG.md", folder)
    scripts = {name: run_path(str(DOCS / f"{name}.py")) for name in ("figures", "api_reference")}
    for name, text in scripts["figures"]["draw_all"]().items():
        _write(folder / "figures" / name, text)
    for name, text in scripts["api_reference"]["pages"]().items():
        page = Path("reference", "api", name)
        _write(folder / page, searched(page, text))
    playground: dict[str, str] = run_path(str(DOCS / "playground" / "make.py"))["pages"]()
    for name in playground:
        idea, ending = name.removesuffix(".html").partition(".")[::2]
        text = _playground_page(PLAYGROUND[idea][ending == "zh"], name, ending)
        _write(folder / "playground" / f"{name.removesuffix('.html')}.md", text)
    return playground


def _playground_page(title: str, name: str, lang: str) -> str:
    up = "../../../" if lang else "../../"
    return f'# {title}\n\n<iframe class="playground" src="{up}playground/{name}" title="{title}"></iframe>\n'


def notebook_page(path: Path) -> str:
    """Return a notebook as Markdown: its text, its code, and a link to the file."""
    parts = []
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        source = "".join(cell["source"])
        parts.append(f"```python\n{source}\n```" if cell["cell_type"] == "code" else source)
    return "\n\n".join([*parts, f"[Download this notebook]({path.name})"]) + "\n"


def place(path: Path) -> Path:
    """Return where a file of the repository stands on the site."""
    return path.relative_to(DOCS) if path.is_relative_to(DOCS) else Path("repository", path.relative_to(ROOT))


def _copy(path: Path, folder: Path) -> None:
    """Copy a file, and those outside docs/ that it links to."""
    target = folder / place(path)
    if target.exists():
        return
    if path.suffix != ".md":
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
        return
    _write(target, "")  # before its links are followed: two pages may link to each other
    pieces = FENCE.split(path.read_text("utf-8"))
    pieces[::2] = [LINK.sub(lambda m: _link(m, path, folder), text) for text in pieces[::2]]
    _write(target, searched(place(path), "".join(pieces)))


def _link(match: re.Match[str], page: Path, folder: Path) -> str:
    """Return the address of a link on the site; one within docs/ stays as it is."""
    wanted = Path(os.path.normpath(page.parent / match[1]))
    wanted = wanted / "README.md" if wanted.is_dir() else wanted
    generated = wanted.is_relative_to(DOCS) and not wanted.exists()
    inside = page.is_relative_to(DOCS) and wanted.is_relative_to(DOCS)
    if wanted.suffix == ".ipynb" and wanted.is_relative_to(DOCS):
        return Path(os.path.relpath(place(wanted).with_suffix(".md"), place(page).parent)).as_posix()
    if inside or not (generated or (wanted.is_file() and wanted.is_relative_to(ROOT))):
        return match[0]  # of a file that is not there: the strict build says so
    if not generated and wanted.suffix != ".py":
        _copy(wanted, folder)
    elif not generated:  # a browser shows a script as text; ".py." would be taken for a language
        target = folder / place(wanted).with_name(f"{wanted.stem}-py.txt")
        _write(target, wanted.read_text("utf-8"))
        return Path(os.path.relpath(target, (folder / place(page)).parent)).as_posix()
    return Path(os.path.relpath(place(wanted), place(page).parent)).as_posix() + (match[2] or "")


def searched(page: Path, text: str) -> str:
    """Return a page that says how much it counts in the search."""
    said = SEARCH.get(page.parent.as_posix()) or SEARCH.get(page.parts[0])
    return f"---\nsearch:\n  {said}\n---\n\n{text}" if said else text


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
