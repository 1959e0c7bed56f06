"""The built site: links, nothing from other hosts, every page and name, both languages, and a reader's walk."""

import json
import posixpath
from urllib.parse import unquote, urlsplit

import pytest

import curvewise
from docs_site.conftest import ROOT

pytestmark = pytest.mark.xdist_group("docs_site")
# what a reader asks, and the page that answers
WALK = {
    "what does the confusion table mean": "learn/threshold/",
    "which threshold should I use": "learn/choosing-a-threshold/",
    "what is AUC and what do ties do": "learn/ranking/",
    "precision recall curve join points": "learn/precision-recall/",
    "partial area low false positive rates": "learn/partial-area/",
    "costs decision curves": "learn/costs-and-curves/",
    "how sure intervals comparisons": "learn/uncertainty/",
    "how many rows planning a study": "learn/sample-size/",
    "cross-validation folds pooled averaged": "learn/cross-validation/",
    "good ranking bad probabilities": "learn/probabilities/",
    "macro micro weighted classes": "learn/many-classes/",
    "groups gap": "learn/groups/",
    "validating at several sites": "learn/sites/",
    "is my model fair to every group": "learn/groups/",
    "my data does not fit in memory": "how-to/large-data/",
    "boxes to mAP": "learn/detection/",
    "why tools disagree about mAP": "learn/detection-tools/",
    "censored outcomes": "learn/survival/",
    "reader studies": "learn/reader-studies/",
    "command line": "how-to/command-line/",
    "recalibrate probabilities": "how-to/recalibrate-probabilities/",
    "table for a paper": "how-to/table-for-a-paper/",
    "missing values input": "reference/input/",
    "change one import scikit-learn": "how-to/scikit-learn/",
}


def resolved(page, address):
    """Return the file of the site that a link leads to, and its anchor."""
    parts = urlsplit(address)
    path = posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(parts.path))) if parts.path else page
    return (posixpath.join(path, "index.html") if parts.path.endswith(("/", ".")) else path), unquote(parts.fragment)


def is_other_host(address):
    return bool(urlsplit(address).netloc)


def test_every_link_leads_to_a_file_and_an_anchor_that_exist(site, pages):
    broken = []
    for page, read in pages.items():
        if page == "404.html":
            continue  # shown at any address, so its links are absolute
        for address in read.links:
            if is_other_host(address) or urlsplit(address).scheme:
                continue
            target, anchor = resolved(page, address)
            known = (site / target).is_file()
            if not known or (anchor and target in pages and anchor not in pages[target].anchors):
                broken.append((page, address))
    assert broken == []


def test_everything_that_is_loaded_is_part_of_the_site(site, pages):
    assert [(p, a) for p, read in pages.items() for a in read.loaded if is_other_host(a)] == []
    loaded = {(p, a) for p, read in pages.items() if p != "404.html" for a in read.loaded if not a.startswith("data:")}
    assert [(p, a) for p, a in sorted(loaded) if not (site / resolved(p, a)[0]).is_file()] == []
    assert len(loaded) > 100


def test_styles_load_nothing_from_other_hosts(site):
    styles = list(site.rglob("*.css"))
    assert styles
    assert [s.name for s in styles if "url(http" in s.read_text("utf-8") or "@import" in s.read_text("utf-8")] == []


@pytest.mark.parametrize("folder", ["learn", "how-to", "reference"])
def test_every_page_is_in_the_navigation_and_on_the_front_page_or_one_click_further(pages, folder):
    written = [p.stem for p in (ROOT / "docs" / folder).glob("*.md") if not p.stem.endswith(".zh")]
    assert written
    linked = {resolved("index.html", a)[0] for a in pages["index.html"].links}
    assert [w for w in written if f"{folder}/{w}/index.html" not in linked] == []


def test_every_public_name_is_documented(pages):
    anchors = {a for page, read in pages.items() if page.startswith("reference/api/") for a in read.anchors}
    shown = (curvewise, curvewise.results, curvewise.detection, curvewise.objectives)
    packages = {package.__name__: package for package in shown}
    names = [f"{package}.{n}" for package, module in packages.items() for n in module.__all__ if n != "__version__"]
    assert len(names) > 200
    assert [n for n in names if n not in anchors] == []


def test_both_languages_are_searched(site):
    index = json.loads((site / "search" / "search_index.json").read_text("utf-8"))
    assert set(index["config"]["lang"]) == {"en", "zh"}
    locations = {d["location"].split("#")[0] for d in index["docs"]}
    assert {"learn/ranking/", "reference/metrics/"} <= locations
    translated = [p.name.removesuffix(".zh.md") for p in (ROOT / "docs" / "learn").glob("*.zh.md")]
    assert [t for t in translated if f"zh/learn/{t}/" not in locations] == []


NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_is_a_page_with_its_text_and_its_code(site, pages, file):
    cells = json.loads(file.read_text("utf-8"))["cells"]
    title = cells[0]["source"][0].strip().removeprefix("# ")
    for place in (f"notebooks/{file.stem}/index.html", f"zh/notebooks/{file.stem}/index.html"):
        text = (site / place).read_text("utf-8")
        assert text.lstrip().lower().startswith("<!doctype html>")
        assert '"cell_type"' not in text
        assert f"<title>{title} - curvewise</title>" in text
        assert text.count('<div class="highlight">') == sum(c["cell_type"] == "code" for c in cells)
        assert f"notebooks/{file.name}" in {resolved(place, a)[0] for a in pages[place].article}
    assert json.loads((site / "notebooks" / file.name).read_text("utf-8"))["cells"] == cells


def test_notebooks_are_in_the_navigation(pages):
    linked = {resolved("learn/ranking/index.html", a)[0] for a in pages["learn/ranking/index.html"].links}
    assert {f"notebooks/{file.stem}/index.html" for file in NOTEBOOKS} <= linked


def test_every_title_of_the_navigation_is_translated():
    yaml = pytest.importorskip("yaml")
    config = yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))

    def titles(entries):
        for entry in entries:
            if isinstance(entry, dict):
                ((title, inner),) = entry.items()
                yield title
                yield from titles(inner) if isinstance(inner, list) else ()

    (plugin,) = (p["i18n"] for p in config["plugins"] if isinstance(p, dict) and "i18n" in p)
    (chinese,) = (language for language in plugin["languages"] if language["locale"] == "zh")
    assert set(titles(config["nav"])) == set(chinese["nav_translations"])


@pytest.mark.parametrize("question", WALK)
def test_a_reader_finds_the_page_by_two_clicks(pages, question):
    wanted = f"{WALK[question]}index.html"
    first = {resolved("index.html", a)[0] for a in pages["index.html"].article}
    second = {resolved(p, a)[0] for p in first & set(pages) for a in pages[p].article}
    assert wanted in first | second


def test_versions_are_listed_with_the_newest_first(builder, tmp_path):
    for version in ("0.9.0", "0.10.0", "0.10.0rc1"):
        (tmp_path / version).mkdir()
        (tmp_path / version / "sitemap.xml").touch()
    builder.list_versions(tmp_path)
    listed = json.loads((tmp_path / "versions.json").read_text("utf-8"))
    assert [v["version"] for v in listed] == ["0.10.0", "0.10.0rc1", "0.9.0"]
    assert [v["aliases"] for v in listed] == [["latest"], [], []]
    assert "url=0.10.0/" in (tmp_path / "index.html").read_text("utf-8")
