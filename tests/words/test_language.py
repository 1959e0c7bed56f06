"""The language of all that a user reads: phrases that never occur, short sentences, a noun after its number."""

import re
from pathlib import Path

import click
import pytest

from curvewise.cli.app import COMMANDS, find_command, program
from curvewise.errors import note
from curvewise.words import Words, texts

NEVER = {
    "en": (
        *("certain limits", "told apart", "tell apart", "rightly", "these rows", "as they stand", "mean what they say"),
        *("1 is right", "what was said", "no sign", "any interval is unreliable", r"\bholds?\b", r"\bflatters\b"),
        r"\b(?!(19|20)\d\d\b)\d{4,}",  # thousands have a comma; a year has none
    ),
    "zh": (
        *(
            "分不出",
            "名副其实",
            "1 为正确",
            "训练所用的行",
            "没有迹象",
            "这些行",
            "这批行",
            "若不合适",
            "排序能力",
            "患病优势",
        ),
        *("^的", "一视同仁", "按全部指标和列"),
    ),
}
# README, help and guides, which may say of rows that they are these, and of a test that it holds its level
NEVER_IN_TEXTS = (
    *("certain limits", "told apart", "tell apart", "rightly", "as they stand", "mean what they say", "1 is right"),
    *("what was said", "any interval is unreliable", "sure, or not", "foretell", "how sure (that|it|this) is"),
    *(r"\bflatters?\b", r"\bholds? (what|the truth)", "wrong way round", "in the place of"),
    *("分不出", "名副其实", "1 为正确", "训练所用的行", "没有迹象", "这些行", "这批行", "排序能力", "一视同仁"),
)
ROOT = Path(__file__).resolve().parents[2]
WORDS_PER_SENTENCE = 35


@pytest.mark.parametrize("lang", NEVER)
def test_no_text_has_a_phrase_that_never_occurs(lang):
    found = {key: p for key, text in texts(lang).items() for p in NEVER[lang] if re.search(p, text)}
    assert found == {}


def helps():
    """Return the help of the program and of every command."""
    commands = {"curvewise": program} | {name: find_command(name) for name in COMMANDS}
    return {name: command.get_help(click.Context(command, info_name=name)) for name, command in commands.items()}


def test_no_page_and_no_help_has_a_phrase_that_never_occurs():
    pages = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
    shown = {str(page.relative_to(ROOT)): page.read_text("utf-8") for page in pages} | helps()
    assert len(shown) > 80
    said = {name: " ".join(text.split()) for name, text in shown.items()}
    assert {
        (name, p) for name, text in said.items() for p in NEVER_IN_TEXTS if re.search(p, text, re.IGNORECASE)
    } == set()


def sentences(text):
    """Split a text into sentences; a place for a value counts as one word."""
    plain = re.sub(r"{[^{}]*}", "x", text)
    return [part.split() for part in re.split(r"(?<=[.?!])\s", plain)]


@pytest.mark.parametrize("family", ["note.", "card.", "metric.pitfall.", "figure."])
def test_no_sentence_is_long(family):
    long = {
        key: len(words)
        for key, text in texts("en").items()
        if key.startswith(family)
        for words in sentences(text)
        if len(words) > WORDS_PER_SENTENCE
    }
    assert long == {}


@pytest.mark.parametrize(
    ("count", "said"),
    [(1, "only 1 negative: no interval is reliable"), (4, "only 4 negatives: no interval is reliable")],
)
def test_a_noun_follows_its_number(count, said):
    assert str(note("few_negatives", count=count)) == said


def test_no_space_stands_around_a_chinese_name():
    zh = Words("zh")
    assert zh("note.better_of_two", model="逻辑回归") == "逻辑回归更优。"
    assert zh("note.better_of_two", model="rf") == "rf 更优。"
    assert zh("note.detectors_alike", names=["甲", "yolo", "乙"]) == "根据这些图像尚不能判断甲、yolo 和乙孰优"
    assert zh("note.better_of_two", model="模型 一") == "模型 一更优。"  # a name stays as it is
    assert Words("en")("note.better_of_two", model="逻辑回归") == "逻辑回归 is better."


def test_no_space_stands_between_chinese_notes_of_a_list():
    listed = Words("zh")("note.better_unknown", models=[note("no_truths"), note("no_truths")])
    assert "和" in listed
    assert " " not in listed
