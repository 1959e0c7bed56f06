"""English and Chinese beside each other: complete, with the same places, each text once."""

import json
import re
import string
from collections import Counter
from pathlib import Path

import pytest

from curvewise import words as package
from curvewise.breakdown.criteria import BETWEEN, CRITERIA, ODDS
from curvewise.decisions import rules
from curvewise.metric.registry import every
from curvewise.probabilities.calibration import MEASURES
from curvewise.words import COUNTED, LANGS, SECTIONS, Words, _in_language, texts
from curvewise.words.numbers import Numbers

CODES = (
    *("too_few_positives", "too_few_negatives", "reversed", "tied_scores", "perfect", "one_class_group"),
    "small_group",
    *("threshold_on_same_rows", "prevalence_unlike", "training_rows_suspected", "miscalibrated"),
    *("constant_score", "dropped_rows", "weighted_rows"),
)


def places(text):
    """Return the places of a text; a noun that follows its number is English alone."""
    found = [(name, spec) for _, name, spec, _ in string.Formatter().parse(text) if name is not None]
    return sorted(place for place in found if not place[1].startswith("one|"))


def read(section):
    """Return the pairs of keys and values of a section; as a list, since a key may stand twice."""
    text = Path(package.__file__).with_name(f"{section}.json").read_text("utf-8")
    return json.loads(text, object_pairs_hook=list)


def pairs():
    return [(section, key, value) for section in SECTIONS for key, value in read(section)]


def test_every_file_of_words_is_a_section():
    assert {path.stem for path in Path(package.__file__).parent.glob("*.json")} == set(SECTIONS)


def test_a_key_has_an_english_and_a_chinese_text_or_names_the_key_that_has_them():
    own = {key: value for _, key, value in pairs() if not isinstance(value, str)}
    for section, key, value in pairs():
        if isinstance(value, str):  # so is a pair that lost its comma
            assert value in own, (section, key, value)
            continue
        english, chinese = value
        assert isinstance(english, str), (section, key)
        assert chinese is None or chinese or not english.strip(), f"{section}: {key}: write None until it is translated"


def test_no_text_waits_for_its_translation():
    assert [(section, key) for section, key, value in pairs() if value[1] is None] == []


def test_a_text_that_waits_is_english():
    assert _in_language(("rows", None), "zh") == _in_language(("rows", None), "zh-general") == "rows"
    assert _in_language((" ", ""), "zh") == ""


def test_no_text_is_written_twice():
    of = {}
    for _, key, value in pairs():
        if not isinstance(value, str):
            of.setdefault(tuple(value), []).append(key)
    assert [keys for keys in of.values() if len(keys) > 1] == [], "name one key as the text of the others"


def test_a_text_has_the_same_places_in_both():
    for key, text in texts("en").items():
        assert places(text) == places(texts("zh")[key]), key


def test_no_key_is_written_twice():
    count = Counter(key for _, key, _ in pairs())
    assert {key for key, times in count.items() if times > 1} == set()


@pytest.mark.parametrize("lang", LANGS)
def test_every_place_says_a_way_of_writing_that_exists(lang):
    for key, text in texts(lang).items():
        for _, spec in places(text):
            way = spec.removesuffix("_ends")
            known = way in ("", "notes", "rows", "names", "sentence", *COUNTED) or callable(getattr(Numbers, way, None))
            assert known, (key, spec)


def test_chinese_of_other_fields_has_no_word_of_medicine():
    medical, general = texts("zh"), texts("zh-general")
    assert any("患病率" in text for text in medical.values())
    assert not any("患" in text or "病例" in text for text in general.values())
    assert medical["ask.better"] == general["ask.better"]
    assert {k: places(text) for k, text in general.items()} == {k: places(text) for k, text in medical.items()}


def test_chinese_is_chinese():
    same = {k: text for k, text in texts("zh").items() if text == texts("en")[k]}
    # signs, names and abbreviations such as AUC, p and Brier are those of both
    assert {k for k, text in same.items() if re.search(r"\b[a-z]{2}", re.sub(r"{.*?}", "", text))} == set()


@pytest.mark.parametrize("lang", LANGS)
def test_what_the_library_names_has_words(lang):
    w = Words(lang)
    assert all(f"note.{code}" in w for code in CODES)
    assert all(f"rule.{name}" in w for name in rules.__all__)
    assert all(f"metric.{name}" in w and f"metric.meaning.{name}" in w for name in MEASURES.values())
    for name in (*CRITERIA, ODDS, BETWEEN):
        assert f"criterion.{name}" in w
        assert f"criterion.meaning.{name}" in w
    assert all(f"metric.{m.name}" in w and f"metric.meaning.{m.name}" in w for m in every())


def test_the_field_s_terms():
    zh = Words("zh")
    assert "精确率" in zh("metric.precision")
    assert "召回率" in zh("metric.recall")
    assert "真阳性率" in zh("metric.meaning.recall", value=0.5)
    assert "部分曲线下面积" in zh("metric.partial_roc_auc")
    assert zh("metric.youden") == "约登指数"


def test_places_are_filled_by_value_never_by_what_a_value_says():
    w = Words("en")
    assert w("point.by", rule="{model} {0.__class__}") == "Rule: {model} {0.__class__}"
    assert w("point.by") == "Rule: –"
    assert w("data.of_rows", count=4060, share=0.031) == "4,060 (3.1%)"
    assert w("point.by", rule="\u05d0") == "Rule: \u2068\u05d0\u2069"
    assert w.known("metric", "nonsense") == "nonsense"


def test_an_unknown_language_is_refused():
    with pytest.raises(ValueError, match="lang: expected"):
        Words("fr")


def test_an_alarm_and_a_miss_have_one_chinese_word_each():
    assert {k for k, text in texts("zh").items() if "报警" in text or "漏报" in text} == set()
