"""The Chinese words are those of the glossary, in the report, the README, the playground and every Chinese page."""

import re
from pathlib import Path

import pytest

from curvewise.words import SECTIONS, texts

ROOT = Path(__file__).resolve().parents[2]
GLOSSARY = ROOT / "docs/reference/glossary.md"
WORDS = [ROOT / f"src/curvewise/words/{section}.json" for section in SECTIONS]
PAGES = [*WORDS, ROOT / "README.zh-CN.md", *sorted((ROOT / "docs").rglob("*.zh.md"))]
PAGES += [ROOT / "docs/playground/words_zh.py"]
# shorter than the words that contain it: mAP is 平均精度 in the literature, precision is never 精度
PATTERNS = {"精度": r"(?<!平均)精度"}


def terms():
    lines = [line for line in GLOSSARY.read_text("utf-8").splitlines() if line.startswith("| ")][1:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def forbidden():
    listed = {word: chinese for _, chinese, _, _, words in terms() for word in words.split("、") if word}
    return {**listed, "精度": "精确率"}


def occurrences(text):
    return {w: use for w, use in forbidden().items() if re.search(PATTERNS.get(w, re.escape(w)), text)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_page_uses_another_word(page):
    assert occurrences(page.read_text("utf-8")) == {}, "left the word found, right the word of the glossary"


def test_every_row_is_whole_and_no_word_is_both_used_and_not():
    used = [word for _, chinese, _, _, _ in terms() for word in chinese.split("、")]
    assert len(terms()) > 30
    for row in terms():
        assert len(row) == 5
        assert all(row[:4]), row
    assert len(used) == len(set(used))
    assert not set(used) & set(forbidden())


def test_the_report_has_the_words_of_the_glossary():
    said = "".join(texts("zh").values())
    assert [chinese for _, chinese, *_ in terms() for word in chinese.split("、") if word not in said] == []


def test_another_word_is_found():
    assert occurrences("模型的精度为 0.9") == {"精度": "精确率"}
    assert occurrences("平均精度均值") == {}
    assert list(occurrences("真阳率")) == ["真阳率"]
