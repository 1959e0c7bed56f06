"""Every learn page has the same parts, in English and in Chinese."""

import re
from pathlib import Path

import pytest

LEARN = Path(__file__).resolve().parents[2] / "docs" / "learn"
PAGES = sorted(p.stem for p in LEARN.glob("*.md") if not p.stem.endswith(".zh"))
# lang: question mark, pitfalls, exercises, summary of an answer, references, figure and playground endings
PARTS = {
    "en": ("?", "## Pitfalls", "## Exercises", "Answer", "References", ".svg", ".html"),
    "zh": ("？", "## 常见误区", "## 练习", "答案", "参考文献", ".zh.svg", ".zh.html"),
}
FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
CODE = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
ANSWER = re.compile(
    r'^<details markdown="1">\n<summary>(.*?)</summary>\n\n(.*?)\n\n?</details>$', re.DOTALL | re.MULTILINE
)
COMMENT = re.compile(r"\s+#.*$")
EXERCISES = 3


def read(name, lang):
    return (LEARN / (f"{name}.md" if lang == "en" else f"{name}.zh.md")).read_text(encoding="utf-8")


def headings(text):
    """Return the levels of all headings; a # within code is none."""
    return [len(found[1]) for found in re.finditer(r"^(#+) ", FENCE.sub("", text), re.MULTILINE)]


def code(text):
    """Return the lines of all code, without comments and the spaces before them."""
    return [COMMENT.sub("", line).rstrip() for block in CODE.findall(text) for line in block.splitlines()]


both = pytest.mark.parametrize("lang", ["en", "zh"])
every = pytest.mark.parametrize("name", PAGES)


@every
@both
def test_begins_with_its_question(name, lang):
    title, blank, question = read(name, lang).splitlines()[:3]
    assert title.startswith("# ")
    assert not blank
    assert PARTS[lang][0] in question


@every
@both
def test_has_a_figure_that_is_drawn(name, lang):
    found = re.findall(r"!\[([^\]]+)\]\(\.\./figures/([\w.-]+)\)", read(name, lang))
    assert (name + PARTS[lang][5]) in [file for _, file in found]
    for _, file in found:
        assert (LEARN.parent / "learn_figures" / f"{file.split('.')[0].replace('-', '_')}.py").exists()


@every
@both
def test_has_pitfalls_exercises_and_references_in_this_order(name, lang):
    _, pitfalls, exercises, summary, references, *_ = PARTS[lang]
    lines = FENCE.sub("", read(name, lang)).splitlines()
    assert lines.count(pitfalls) == lines.count(exercises) == 1
    last = max((k for k, line in enumerate(lines) if references in line), default=-1)
    assert lines.index(pitfalls) < lines.index(exercises) < last
    answers = ANSWER.findall(read(name, lang).split(exercises)[1])
    assert [said for said, _ in answers] == [summary] * EXERCISES
    for _, answer in answers:
        assert ">>> " in "".join(CODE.findall(answer))


@every
@both
def test_playground_is_in_the_same_language(name, lang):
    for source in re.findall(r'<iframe class="playground" src="([^"]+)"', read(name, lang)):
        assert source.startswith("../../playground/" if lang == "en" else "../../../playground/")
        assert source.endswith(".html")
        assert source.endswith(".zh.html") == (lang == "zh")


@every
def test_chinese_page_has_the_same_headings_and_code(name):
    english, chinese = read(name, "en"), read(name, "zh")
    assert headings(english) == headings(chinese)
    assert code(english) == code(chinese)
    assert re.findall(r"^\$ .*", english, re.MULTILINE) == re.findall(r"^\$ .*", chinese, re.MULTILINE)
    # the site finds the Chinese twin of a link by itself
    assert not re.findall(r"\]\([\w-]+\.zh\.md", chinese)


def test_a_linked_place_is_found_in_both_languages():
    # the site makes ids from headings, and a Chinese heading yields none: a linked place is marked on the page
    for page in LEARN.parent.rglob("*.md"):
        for target, place in re.findall(r"\]\(([\w./-]*)#([\w-]+)\)", page.read_text(encoding="utf-8")):
            linked = (page.parent / target).resolve() if target else page
            twin = LEARN / f"{linked.name.split('.')[0]}.zh.md"
            if linked.parent == LEARN and twin.exists():
                assert f'<a id="{place}"></a>' in twin.read_text(encoding="utf-8"), (page.name, place)
