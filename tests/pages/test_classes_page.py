"""The page of a model of many classes, and everything else an evaluation of one gives."""

from __future__ import annotations

import json
import re
from functools import cache

import numpy as np
import pytest

import curvewise as cw
from curvewise.pages.render import render_html, render_page
from pages.test_html import Reader, text_of

NAMES = ["healthy", "cold", "flu", "pneumonia"]
QUICK = {"replicates": 60}


@cache
def frame(n=500):
    rng = np.random.default_rng(5)
    y = rng.choice(4, n, p=[0.5, 0.25, 0.15, 0.1])
    z = rng.normal(size=(n, 4)) + np.log([0.5, 0.25, 0.15, 0.1])
    z[np.arange(n), y] += 1.8
    p = np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
    data = {"diagnosis": [NAMES[k] for k in y], **{name: p[:, k] for k, name in enumerate(NAMES)}}
    data["ward"] = np.where(np.arange(n) % 3 == 0, "north", "south")
    data["case"] = [f"C{k}" for k in range(n)]
    data["patient"] = np.arange(n) // 2
    data["times"] = 1 + np.arange(n) % 2
    return data


def evaluate(data=None, **options):
    return cw.evaluate(data or frame(), label="diagnosis", scores=NAMES, **QUICK, **options)


@cache
def found():
    return evaluate(group="ward", id="case")


@cache
def page(lang="en"):
    return render_page(found(), lang)


def test_sections_and_figures_each_with_its_table():
    read = Reader(page())
    ids = [a["id"] for tag, a in read.elements if tag == "section"]
    assert ids == ["summary", "classes", "groups", "caveats", "data"]
    keys = [a["data-key"] for tag, a in read.elements if tag == "figure"]
    assert keys == [
        *("confusion_matrix", "class_roc", "class_pr", "class_reliability"),
        *("class_groups", "class_groups_auc"),
    ]
    assert sum(a.get("class") == "figure" for _, a in read.elements) == len(keys)
    assert len(read.ids) == len(set(read.ids))


def test_what_the_page_says_is_what_the_library_says():
    said = text_of(page())
    m = cw.multiclass(frame()["diagnosis"], {name: frame()[name] for name in NAMES})
    for name in ("accuracy", "balanced_accuracy"):
        e = m.interval(name, **QUICK)
        assert f"{100 * e.value:.1f}" in said
        assert f"{100 * e.low:.1f} to {100 * e.high:.1f}" in said
    auc = m.interval("roc_auc", **QUICK)
    assert f"{auc.low:.3f} to {auc.high:.3f}" in said
    for row in m.matrix.confused(3).rows():
        assert f"{row['class']} is taken for {row['taken_for']} in {row['rows']} rows" in said
    for verdict in found().verdicts:
        for answer in verdict.answers:
            assert re.sub(r"\s+", " ", answer.text()) in said
    assert "C" + str(m.mistakes(1).columns["row"][0]) in said


def test_summary_terminal_markdown_and_json_give_the_same_answers():
    said = [str(a) for v in found().verdicts for a in v.answers]
    markdown = re.sub(r"\\(.)", r"\1", found().to_markdown())
    data = found().to_dict()
    assert [a["text"] for v in data["verdicts"] for a in v["answers"]] == said
    for text in said:
        assert text in str(found())
        assert text in markdown


def test_the_dict_has_every_part():
    data = json.loads(json.dumps(found().to_dict(), allow_nan=False))
    got = data["multiclass"]
    assert got["classes"] == NAMES
    assert np.array(got["counts"]).sum() == 500
    assert set(got["curves"]) == {"roc", "pr", "reliability"}
    assert set(got["curves"]["roc"]) == {*NAMES, "macro"}
    assert max(len(c["fpr"]) for c in got["curves"]["roc"].values()) <= 300
    assert got["calibration"]["verdict"]["text"] in {a["text"] for v in data["verdicts"] for a in v["answers"]}
    assert [g["group"] for g in got["groups"]["groups"]] == ["(all)", "north", "south"]
    assert got["mistakes"][0]["row"].startswith("C")
    assert data["data"]["classes"] == {name: frame()["diagnosis"].count(name) for name in NAMES}
    assert data["options"]["rule"] is None


# names of the data, of people, of methods and of formats, which are the same in both languages
KNOWN = {
    *NAMES, "diagnosis", "ward", "north", "south", "case",
    *("AUC", "ROC", "Brier", "Hand", "Till", "Cohen", "Kappa", "Holm", "CSV", "SVG", "log", "curvewise"),
    *("evaluation", "Wilson", "Cox", "Hosmer", "Lemeshow", "Spiegelhalter", "Newcombe", "MOVER"),
    *("ECE", "logit", "Cookie"),
}  # fmt: skip


def test_no_english_is_left_on_the_chinese_page():
    chinese = re.sub(r'<(\w+)[^>]* lang="en">.*?</\1>', "", page("zh"), flags=re.DOTALL)
    read = Reader(chinese)
    left = {word for text in read.text for word in re.findall(r"[A-Za-z]{3,}", text)} - KNOWN
    assert not {word for word in left if not re.fullmatch(r"C\d+", word)}, left
    assert "宏平均" in chinese


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ({"costs": {"fp": 1, "fn": 2}}, "costs: of many classes the highest score is predicted"),
        ({"rule": cw.rules.max_f(1)}, "rule: of many classes the highest score is predicted"),
        ({"prevalence": 0.1}, "prevalence: of many classes the highest score is predicted"),
        (
            {"site": "ward"},
            "site: a model of many classes is not pooled over sites or folds; pass the column as group=",
        ),
        ({"fold": "ward"}, "fold: a model of many classes is not pooled"),
        ({"higher_is": "negative"}, "higher_is: a higher score must mean more of its class"),
    ],
)
def test_what_only_two_classes_have_is_refused(option, said):
    with pytest.raises(cw.OptionError) as error:
        evaluate(**option)
    assert str(error.value).startswith(said)


def test_weights_clusters_groups_and_names_of_rows_are_used():
    weighted = evaluate(weight="times")
    direct = cw.multiclass(frame()["diagnosis"], {n: frame()[n] for n in NAMES}, weight=frame()["times"])
    assert weighted.classes.estimates["accuracy"].value == direct.accuracy
    assert "weighted_rows" in [n.code for n in weighted.notes]
    clustered, plain = evaluate(cluster="patient"), evaluate()
    assert clustered.classes.estimates["accuracy"].low != plain.classes.estimates["accuracy"].low
    assert clustered.data["clusters"] == 250
    assert "250" in text_of(render_html(clustered))
    assert plain.classes.groups is None
    assert "groups" in [n.values["part"] for n in plain.left_out]
    assert plain.classes.mistakes is None


def test_rows_left_out_are_left_out_of_groups_and_names_too():
    data = {k: list(v) for k, v in frame().items()}
    data["flu"][0] = data["flu"][7] = None
    some = evaluate(data, group="ward", id="case", missing="drop")
    assert len(some.multiclass) == 498
    groups = {g.name: g.n for g in some.classes.groups.breakdowns["ward"]}
    wards = [w for k, w in enumerate(data["ward"]) if k not in (0, 7)]
    assert groups == {name: wards.count(name) for name in ("north", "south")}
    assert some.multiclass.id[0] == "C1"
    assert "dropped_rows" in [n.code for n in some.notes]


def test_scores_that_are_no_probabilities_have_a_page_without_calibration():
    data = {**frame(), **{name: 3 * np.asarray(frame()[name]) for name in NAMES}}
    said = text_of(render_page(evaluate(data)))
    assert "The scores are not probabilities: " in said
    assert "Log loss" not in said.split("Class by class")[0]


def test_a_perfect_model_has_a_page_and_data():
    p = 0.7 * np.eye(4)[[NAMES.index(v) for v in frame()["diagnosis"]]] + 0.075
    data = {**frame(), **{name: p[:, k] for k, name in enumerate(NAMES)}}
    perfect = evaluate(data, group="ward", id="case")
    assert json.dumps(perfect.to_dict(), allow_nan=False)
    said = text_of(render_page(perfect))
    assert "Every row of every class is found." in said
    assert "No row was assigned a wrong class." in said


def test_hostile_names_stay_text():
    bad = ["</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "\"'>", "{model} {0}"]
    data = {"y": [bad[NAMES.index(v)] for v in frame()["diagnosis"]]}
    data |= {bad[k]: frame()[name] for k, name in enumerate(NAMES)}
    data["g"] = [bad[k % 2] for k in range(500)]
    made = render_page(cw.evaluate(data, label="y", scores=bad, group="g", replicates=10))
    assert "<script>alert" not in made
    assert "<img" not in made
    read = Reader(made)
    assert not read.open
    assert any("{model} {0}" in text for text in read.text)


def test_many_classes_have_their_matrix_as_pairs():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 14, 300)
    p = rng.dirichlet(np.ones(14), 300) + np.eye(14)[y]
    data = {"y": [f"c{k}" for k in y], **{f"c{k}": p[:, k] / 2 for k in range(14)}}
    evaluation = cw.evaluate(data, label="y", scores=[f"c{k}" for k in range(14)], replicates=10)
    assert "counts in the table" in render_page(evaluation)


def test_plot_draws_curves_and_matrix():
    pytest.importorskip("matplotlib").use("agg")
    assert len(found().plot().figure.axes) == 2
