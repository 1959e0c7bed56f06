"""The page as text: complete, safe, small, and the same numbers as the evaluation's."""

import base64
import hashlib
import json
import re
import sys
from functools import cache
from html.parser import HTMLParser

import pytest

import curvewise as cw
from curvewise.document import html
from curvewise.document.html import SCRIPTS, page_text, policy, script_json
from curvewise.pages.render import render_html, render_page
from pages import sample
from pages.sample import drawings

VOID = {"meta", "link", "input", "br"}
SECTIONS = (
    *("summary", "explorer", "ranking", "comparison", "probabilities", "groups", "sites"),
    *("caveats", "data"),
)


class Reader(HTMLParser):
    """Read elements, attributes and text; know which element is open."""

    def __init__(self, page):
        super().__init__()
        self.open, self.elements, self.text, self.scripts, self.styles = [], [], [], [], []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open, tag
        assert self.open.pop() == tag

    def handle_data(self, data):
        inside = self.open[-1] if self.open else ""
        {"script": self.scripts, "style": self.styles}.get(inside, self.text).append(data)

    @property
    def ids(self):
        return [a["id"] for _, a in self.elements if "id" in a]


@cache
def plain_elements(lang):
    return Reader(render_html(sample.hostile("x"), None, lang)).elements


@pytest.fixture(scope="module")
def page():
    return render_html(sample.screening(), drawings(), "en")


def text_of(page):
    return re.sub(r"\s+", " ", " ".join(Reader(page).text))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_well_formed_with_every_section_and_a_table_for_each_figure(lang):
    read = Reader(render_html(sample.screening(), drawings(lang), lang))
    assert not read.open
    assert [a["id"] for tag, a in read.elements if tag == "section"] == list(SECTIONS)
    assert len(read.ids) == len(set(read.ids))
    tags = [tag for tag, _ in read.elements]
    assert sum(a.get("class") == "figure" for _, a in read.elements) == len(drawings(lang))
    assert tags.count("table") >= tags.count("figure") >= len(drawings(lang))
    places = {a["href"][1:] for tag, a in read.elements if tag == "a" and a["href"].startswith("#")}
    assert places <= set(read.ids)
    assert ("html", {"lang": {"en": "en", "zh": "zh-Hans"}[lang]}) in read.elements


def test_the_numbers_that_matter_are_the_evaluation_s(page):
    words = text_of(page)
    auc = sample.screening().models["model_a"].estimates["roc_auc"]
    assert f"{auc.value:.3f}" in words
    assert f"{auc.low:.3f} to {auc.high:.3f}" in words
    point = sample.screening().models["model_a"].point
    new, here = point.expected, point.estimates
    shown = {name: [f"{100 * e[name].value:.0f}" for e in (new, here)] for name in ("precision", "recall")}
    assert shown["precision"][1] == "21"
    assert shown["recall"][1] == "35"
    said = "on new data, expect {} of 100 alarms to be correct and {} of 100 positives to be found."
    assert said.format(shown["precision"][0], shown["recall"][0]) in words
    for name in ("recall", "precision"):  # the cards, and the tables of the rule's choice
        ends = f"{100 * new[name].low:.1f} to {100 * new[name].high:.1f}%"
        assert words.count(ends) >= 3
    assert "3 models rank better than chance" in words
    assert "model_b: the probabilities are miscalibrated: too many positives are predicted: 43 observed per" in words
    assert "rating gives scores, not probabilities." in words
    assert sample.screening().origin.sha256 in words
    assert "the test is paired (score test with DeLong’s variance)" in words
    assert "DeLong, DeLong & Clarke-Pearson (1988)" in words


@pytest.mark.parametrize("make", [sample.screening, sample.many_classes, sample.no_choice])
def test_chinese_has_no_english_sentence_but_references(make):
    page = render_html(make(), None, "zh")
    marked = " ".join(re.findall(r'lang="en">(.*?)</', page))
    for said in Reader(page).text:
        if re.search(r"[A-Za-z]{3,} [a-z]{3,} [a-z]{2,}", said):
            assert said.split("&")[0].strip()[:30] in marked or "curvewise report" in said, said


def test_notes_are_written_in_the_language_of_the_page():
    chinese, english = (text_of(render_html(sample.no_choice(), None, lang)) for lang in ("zh", "en"))
    for note in (*sample.no_choice().notes, *sample.no_choice().left_out):
        assert note.text("zh") in chinese
        assert note.text("en") in english


def test_policy_allows_what_is_there_by_hash_and_nothing_else(page):
    read = Reader(page)
    said = next(a["content"] for _, a in read.elements if a.get("http-equiv") == "Content-Security-Policy")
    assert "unsafe" not in said
    assert "default-src 'none'" in said
    for text in (*read.styles, *read.scripts[1:]):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in said
    assert len(read.scripts) == 1 + len(SCRIPTS)  # data, and what is run
    assert not [a for _, a in read.elements if "style" in a or any(k.startswith("on") for k in a)]
    fetched = {"src", "srcset", "action", "formaction", "ping", "poster"}
    assert not [a for _, a in read.elements if fetched & set(a)]
    links = [a["href"] for _, a in read.elements if "href" in a]
    assert all(link.startswith(("#", "data:image/svg+xml,")) for link in links)


def test_no_address_is_in_what_runs():
    assert "http" not in html.asset("page.css")
    assert re.findall(r"https?://[^\"\s]+", html.asset("page.js")) == ["http://www.w3.org/2000/svg"]


@pytest.mark.parametrize("kind", list(sample.HOSTILE))
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_hostile_names_stay_text(kind, lang):
    text = sample.HOSTILE[kind]
    page = render_html(sample.hostile(text), None, lang)
    read = Reader(page)
    plain = plain_elements(lang)
    assert [(tag, set(a)) for tag, a in read.elements] == [(tag, set(a)) for tag, a in plain]
    assert page_text(text) in "".join(read.text)
    assert json.loads(read.scripts[0])["models"][0]["name"] == page_text(f"{text} 0")
    assert page.encode()  # no lone surrogate is left
    assert not re.search("[\u202a-\u202e\u2066\u2067\u2028\u2029\x00-\x08\x0b-\x1f]", page)


@pytest.mark.parametrize("kind", ["script", "quotes", "style"])
def test_hostile_names_in_figures_stay_text(kind):
    read = Reader(render_html(sample.hostile(sample.HOSTILE[kind]), drawings("en", kind), "en"))
    assert [t for t, _ in read.elements].count("script") == 1 + len(SCRIPTS)
    assert not [a for _, a in read.elements if "style" in a or any(k.startswith("on") for k in a)]


def test_data_of_the_script_cannot_leave_it():
    said = script_json({"a": "</script><!--\u2028\u2029&"})
    assert not set(said) & set("<>&\u2028\u2029")
    assert json.loads(said) == {"a": "</script><!--\u2028\u2029&"}
    with pytest.raises(ValueError, match="JSON"):
        script_json(float("nan"))
    assert policy([], []).count("'none'") == 5


def test_small(page):
    assert len(page.encode()) < 1_000_000


def test_any_figure_may_be_absent():
    bare = render_html(sample.screening(), None, "en")
    assert '<svg class="figure"' not in bare
    assert "ROC curve" in bare
    for key in ("roc", "decision", "distribution:1"):
        some = {k: v for k, v in drawings().items() if k != key}
        page = render_html(sample.screening(), some, "en")
        assert f'id="fig-{key.replace(":", "-")}"' not in page
        assert f'data-key="{key}"' in page


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("make", [sample.one_model, sample.many_classes, sample.no_choice])
def test_evaluations_that_lack_much(make, lang):
    read = Reader(render_html(make(), None, lang))
    assert not read.open
    assert "nan" not in "".join(read.text).lower().split()


def test_one_model_says_why_there_is_no_comparison():
    words = text_of(render_html(sample.one_model()))
    assert "There is only one model." in words
    assert "No column was named for it." in words


def test_many_classes_have_their_own_section():
    read = Reader(render_html(sample.many_classes()))
    sections = [a["id"] for tag, a in read.elements if tag == "section"]
    assert "classes" in sections
    assert not {"ranking", "explorer"} & set(sections)


def test_a_language_that_is_not_known_is_refused():
    with pytest.raises(cw.CurvewiseError, match="lang"):
        render_page(sample.one_model(), "xx")


def test_without_jinja_the_message_says_what_to_install(monkeypatch):
    html._environment.cache_clear()
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(cw.MissingExtraError, match=r"pip install 'curvewise\[cli\]'"):
        render_html(sample.one_model())


def test_the_same_evaluation_gives_the_same_page(page):
    assert render_html(sample.screening(), drawings(), "en") == page


def test_methods_name_all_their_references():
    words = text_of(render_html(sample.one_model(), None, "en"))
    assert "Hanley & McNeil (1982) Radiology 143:29-36; DeLong, DeLong & Clarke-Pearson (1988) Biometrics" in words
    assert "Dodd & Pepe (2003)" in words
    assert "Brümmer & de Villiers (2013)" in words


def test_a_rule_is_not_shown_as_code(page):
    assert "min_cost(" not in text_of(page)
    assert "Rule: least expected cost (cost of a false alarm 1, cost of a miss 10" in text_of(page)
