"""Folds in an evaluation: what it holds, says, warns of and writes, in both languages."""

import json

import numpy as np
import pytest

import curvewise as cw
from curvewise.pages.render import render_html
from curvewise.pages.scores.drawings import drawings


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(6)
    n = 300
    y = np.arange(n) % 3 == 0
    fold = np.arange(n) // 3 % 5 + 1
    net = y + rng.normal(size=n) + 3 * (fold == 2)
    return {"y": y.astype(int), "net": net, "tree": 0.7 * y + rng.normal(size=n), "fold": fold, "row": np.arange(n)}


@pytest.fixture(scope="module")
def evaluation(data):
    return cw.evaluate(data, label="y", scores=["net", "tree"], fold="fold", replicates=30)


def test_an_evaluation_has_its_folds(data, evaluation):
    wanted = cw.by_fold(data["y"], {"net": data["net"], "tree": data["tree"]}, data["fold"])
    assert {k: m.mean for k, m in evaluation.folds.models.items()} == {k: m.mean for k, m in wanted.models.items()}
    arrays = cw.evaluate(data["y"], {"net": data["net"]}, fold=data["fold"], replicates=30)
    assert arrays.folds.mean == wanted.models["net"].mean
    rows = cw.read_rows(data["y"], {"net": data["net"]}, fold=data["fold"])
    assert cw.evaluate(rows, replicates=30).folds.mean == wanted.models["net"].mean
    assert cw.evaluate(data, label="y", scores="net", replicates=30).folds is None


def test_what_is_said_and_warned_of(evaluation):
    (verdict,) = [v for v in evaluation.verdicts if v.question == "folds"]
    said = {str(answer).split(":")[0]: str(answer) for answer in verdict.answers}
    for name, model in evaluation.folds.models.items():
        assert f"mean AUC over 5 folds {model.mean.value:.3f}" in said[name]
    (warned,) = [n for n in evaluation.notes if n.code == "folds_differ"]
    assert (warned.values["model"], warned.values["severity"], warned.values["fold"]) == ("net", "warn", "2")
    assert "## How much does it vary over folds?" in evaluation.to_markdown()


def test_as_data_and_back(evaluation):
    data = json.loads(json.dumps(evaluation.to_dict(), allow_nan=False))
    assert [m["model"] for m in data["folds"]["models"]] == ["net", "tree"]
    assert data["options"]["fold"] == "fold"
    assert cw.Evaluation.from_dict(data).to_dict()["folds"] == data["folds"]


@pytest.mark.parametrize("lang", ["en", "zh", "zh-general"])
def test_the_page_has_curves_table_and_note(evaluation, lang):
    page = render_html(evaluation, drawings(evaluation, lang), lang)
    section = page.split('<section id="folds"')[1].split("</section>")[0]
    for key in ("folds:0", "folds:1"):
        assert f'data-key="{key}"' in section
    assert section.count("<table") >= 4  # the models, each model's folds, the comparison
    told = {"en": "most in fold 2", "zh": "第 2 折最明显", "zh-general": "第 2 折最明显"}[lang]
    assert told in section
    assert "Nadeau" in page


def test_one_model_and_many_models(data):
    one = cw.evaluate(data, label="y", scores="tree", fold="fold", replicates=30)
    section = render_html(one, drawings(one, "en"), "en").split('<section id="folds"')[1].split("</section>")[0]
    assert "corrected t-test" not in section
    rng = np.random.default_rng(0)
    wide = {f"m{k}": data["tree"] + rng.normal(size=300) for k in range(8)}
    many = cw.evaluate({**data, **wide}, label="y", scores=list(wide), fold="fold", replicates=20)
    section = render_html(many, drawings(many, "en"), "en").split('<section id="folds"')[1].split("</section>")[0]
    assert all(name in section for name in wide)


def test_leave_one_out_is_left_out_with_a_warning(data):
    found = cw.evaluate(data, label="y", scores="tree", fold="row", replicates=30)
    assert found.folds is None
    (warned,) = [n for n in found.notes if n.code == "folds_left_out"]
    assert warned.values["severity"] == "warn"
    assert "leave-one-out" in str(warned)
    assert "留一法" in warned.text("zh")
    assert 'id="folds"' not in render_html(found, {}, "en")


def test_rows_without_a_fold_are_refused_at_once(data):
    fold = [None, *map(str, data["fold"][1:])]
    with pytest.raises(cw.CurvewiseError, match="fold has 1 missing value"):
        cw.evaluate(data["y"], data["tree"], fold=fold)


def test_many_classes_have_no_folds():
    shares = np.random.default_rng(0).dirichlet([1, 1, 1], 60)
    with pytest.raises(cw.CurvewiseError, match="fold: a model of many classes is not pooled over sites or folds"):
        cw.evaluate(np.arange(60) % 3, shares, fold=np.arange(60) % 4)
