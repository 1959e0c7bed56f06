"""Nothing on the Chinese page, and nothing in its terminal summary, is left in English."""

import re

import pytest

import curvewise as cw
from curvewise.pages.render import render_html
from curvewise.pages.scores.drawings import drawings
from curvewise.pages.scores.page import ScorePage
from curvewise.pages.scores.summary import overview
from curvewise.words import words
from pages import sample
from pages.test_html import Reader

# names of the data, of people, of methods and of formats, which are the same in both languages
KNOWN = {
    *("model_a", "model_b", "rating", "disease", "sex", "male", "female", "site", "curvewise", "report", "screening"),
    *("coast", "east", "north", "south", "west", "score", "label", "evaluation", "csv", "command"),
    *("AUC", "ROC", "Brier", "Holm", "DeLong", "CSV", "SVG", "PNG", "PDF", "JSON", "SHA", "JavaScript", "Cookie"),
    *(
        "Kappa",
        "Hotelling",
        "Cohen",
        "Youden",
        "Wilson",
        "Hosmer",
        "Lemeshow",
        "Spiegelhalter",
        "Kolmogorov",
        "Smirnov",
        "Platt",
    ),
    *("ECE", "MCE", "SmoothECE", "ICI", "CITL", "DET", "NRI", "IDI", "PSI", "FPR", "TPR", "PPV", "NPV", "xAUC"),
    *("Fowlkes", "Mallows", "Jaccard", "REML", "profile", "logit", "log", "Chouldechova", "Kleinberg", "AUPRG"),
    *("json", "MOVER", "Newcombe", "Cox", "Bonferroni", "Gini"),
}


def evaluations():
    frame = sample.frame().head(2000)
    quick = {"label": "disease", "replicates": 20}
    last = cw.evaluate(frame.head(900), scores=["model_a", "model_b"], **quick)
    return {
        "screening": sample.screening,
        "one model": sample.one_model,
        "no choice": sample.no_choice,
        "since a baseline": lambda: cw.evaluate(
            frame, scores=["model_a", "model_b"], group="sex", baseline=last, rule=cw.rules.max_fpr(0.05), **quick
        ),
    }


@pytest.mark.parametrize("name", ["screening", "one model", "no choice", "since a baseline"])
def test_no_english_is_left(name):
    found = evaluations()[name]()
    figures = drawings(found, "zh")
    page = re.sub(
        r'<(\w+)[^>]* lang="en">.*?</\1>|<code>.*?</code>', "", render_html(found, figures, "zh"), flags=re.DOTALL
    )
    texts = [*Reader(page).text, *re.findall(r'(?:aria-label|title|data-title|data-label)="([^"]*)"', page)]
    for block in overview(ScorePage(found, words("zh"))):
        texts += [text for _, said, _ in getattr(block, "rows", []) if isinstance(said, list) for text in said]
    left = {word: text for text in texts for word in re.findall(r"[A-Za-z_]{3,}", text) if word not in KNOWN}
    assert left == {}


def test_signs_are_those_of_chinese_papers():
    page = render_html(sample.screening(), None, "zh")
    assert re.search(r"P\u00a0= 0\.\d{3}|P\u00a0&lt; 0\.001", page)
    assert "χ² = " in page
    assert "95% 置信区间" in page
    assert "全部重置" in page
    assert "不连接网络" in page
