"""What a notebook shows of an evaluation: its numbers, names only as text, outputs that do not disturb each other."""

import re
from html.parser import HTMLParser

import pytest

from pages.sample import HOSTILE, hostile, many_classes, no_choice, one_model, screening


class Outline(HTMLParser):
    """Elements with their attributes, and the text."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.ids, self.attributes, self.text = [], [], [], ""
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]
        self.ids += [value for name, value in attrs if name == "id"]

    def handle_data(self, data):
        self.text += data


def test_cards_figures_and_warnings():
    pytest.importorskip("matplotlib")
    found = Outline(screening()._repr_html_())
    assert found.tags.count("svg") == 2
    assert {"script", "link", "img"}.isdisjoint(found.tags)
    for name, model in screening().models.items():
        assert name in found.text
        for estimate in (model.estimates["roc_auc"], model.estimates["average_precision"]):
            assert f"{estimate.value:.3f}" in found.text
            assert f"{estimate.low:.3f} to {estimate.high:.3f}" in found.text
        recall = model.point.expected["recall"]
        assert f"{100 * recall.value:.1f}" in found.text
    assert "flag scores of" in found.text
    assert "Recalibrate them before use" in found.text  # a warning of these data


def test_two_outputs_share_no_id_and_no_rule_of_a_figure():
    pytest.importorskip("matplotlib")
    one, two = screening()._repr_html_(), one_model()._repr_html_()
    assert not set(Outline(one).ids) & set(Outline(two).ids)
    again = screening()._repr_html_()
    assert not set(Outline(one).ids) & set(Outline(again).ids)
    for html in (one, two):
        own = re.search(r'class="curvewise (cw-\w+)"', html)[1]
        sheet = html[html.index("<style>") : html.index("</style>")]
        ours = [line for line in sheet.splitlines() if re.match(r"\.\w", line)]
        assert all(line.startswith((f".{own} ", ".curvewise ")) for line in ours)
        assert ":root" not in sheet
        assert html.count("url(") == len(re.findall(r"url\(#[\w-]+\)", html))  # nothing is fetched
        assert "prefers-color-scheme: dark" in sheet


@pytest.mark.parametrize("kind", list(HOSTILE))
def test_names_are_only_text(kind):
    found = Outline(hostile(HOSTILE[kind])._repr_html_())
    assert {"script", "img", "iframe"}.isdisjoint(found.tags)
    assert not [name for name in found.attributes if name.startswith("on")]
    assert not set("\x00\x07\x1b\u202e\u2028") & set(found.text)


def test_many_classes_have_cards_their_matrix_and_their_curves():
    found = Outline(many_classes()._repr_html_())
    assert found.tags.count("svg") == 2
    assert "Confusion matrix" in found.text
    assert f"{many_classes().multiclass_estimates['roc_auc'].value:.3f}" in found.text


def test_without_matplotlib_there_are_the_numbers(monkeypatch):
    from curvewise.errors import MissingExtraError

    def absent():
        raise MissingExtraError("figures need matplotlib")

    monkeypatch.setattr("curvewise.figures.style.matplotlib", absent)
    found = Outline(screening()._repr_html_())
    assert "svg" not in found.tags
    assert f"{screening().models['model_b'].estimates['average_precision'].value:.3f}" in found.text


def test_a_rule_that_no_score_meets_leaves_the_areas():
    found = Outline(no_choice()._repr_html_())
    assert "no threshold meets the rule" in found.text
    assert "Recall" not in found.text.split("Precision and recall")[0]


def test_more_models_than_cards_are_rows_of_a_table():
    import numpy as np

    import curvewise as cw

    rng = np.random.default_rng(0)
    y = rng.random(80) < 0.5
    found = cw.evaluate(y, {f"m{k}": rng.random(80) for k in range(7)}, replicates=4)
    outline = Outline(found._repr_html_())
    assert outline.tags.count("tr") == 6  # a heading and the first five
    assert "none is recommended" in outline.text  # random scores
    assert "cw-cards" not in found._repr_html_().split("</style>")[1]


def test_each_number_stands_in_a_row_with_its_label():
    """JupyterLab floats the parts of a list of definitions, so that numbers slip below other labels."""
    html = one_model()._repr_html_().split("</style>")[1]
    rows = re.findall(r"<tr><th scope='row'>(.*?)</th><td><b>(.*?)</b>", html)
    auc = one_model().models[next(iter(one_model().models))].estimates["roc_auc"]
    assert ("AUC", f"{auc.value:.3f}") in rows
    assert not re.search("<d[ltd]>", html)


def test_plot_draws_roc_and_pr_side_by_side():
    pytest.importorskip("matplotlib")
    roc, pr = screening().plot()
    assert {line.get_label().split(":")[0] for line in roc.lines} >= {"model_a", "rating"}
    assert {line.get_label().split(":")[0] for line in pr.lines} >= {"model_a", "rating"}
    assert many_classes().plot().lines
