"""What the page's script is given: thresholds with counts and rates, as Python has them."""

import math

import numpy as np
import pytest

import curvewise as cw
from curvewise.evaluation import two_classes as model_evaluation
from curvewise.pages.cells import rule_of, way_of
from curvewise.pages.curve_tables import curve_grid, first_reaching, last_within
from curvewise.pages.scores.explorer import script_data
from curvewise.pages.scores.page import ScorePage
from curvewise.words import words
from pages import sample


def cuts(evaluation, place):
    """Return what the script gets of a model, and the rates that it makes of that."""
    found = script_data(ScorePage(evaluation, words("en")))["models"][place]
    tp, fp = (np.array(found[k], dtype=float) for k in ("tp", "fp"))
    with np.errstate(invalid="ignore"):
        rates = {"recall": tp / found["positives"], "fpr": fp / found["negatives"], "precision": tp / (tp + fp)}
    return found | {name: values.tolist() for name, values in rates.items()}


@pytest.mark.parametrize("place", [0, 1, 2])
def test_flagging_no_row_comes_first_and_the_rule_s_choice_is_there(place):
    found, point = cuts(sample.screening(), place), list(sample.screening().models.values())[place].point
    assert (found["threshold"][0], found["tp"][0], found["fp"][0]) == (None, 0, 0)
    assert found["threshold"][found["rule"]] == point.threshold
    assert found["tp"][found["rule"]] == point.confusion.tp
    assert found["fp"][found["rule"]] == point.confusion.fp


def test_a_thinned_sweep_keeps_the_choice(monkeypatch):
    monkeypatch.setattr(model_evaluation, "POINTS", 10)
    evaluation = cw.evaluate(sample.frame(), label="disease", scores="model_a", replicates=5)
    found = cuts(evaluation, 0)
    assert found["thinned"]
    assert len(found["threshold"]) <= 13
    assert found["threshold"][found["rule"]] == evaluation.models["model_a"].point.threshold


def test_rates_are_those_of_the_library():
    sweep = cw.sweep(sample.frame()["disease"], sample.frame()["model_b"])
    found = cuts(sample.screening(), 1)
    for k in range(1, len(found["threshold"]), 97):
        there = sweep.at(found["threshold"][k])
        assert (found["tp"][k], found["fp"][k]) == (there.tp, there.fp)
        for name in ("recall", "fpr", "precision"):
            assert math.isclose(found[name][k], getattr(there, name))


def test_intervals_of_the_script_need_independent_rows():
    options = {"label": "disease", "scores": "model_a", "replicates": 4}
    plain = ScorePage(cw.evaluate(sample.frame(), **options), words("en"))
    clustered = ScorePage(cw.evaluate(sample.frame(), cluster="patient", **options), words("en"))
    assert script_data(plain)["z"] == pytest.approx(1.959964)
    assert script_data(clustered)["z"] is None


def test_round_places():
    rates = np.array([0, 0, 0.04, 0.2, 1])
    assert last_within(rates, (0, 0.05, 0.1, 1)) == [1, 2, 4]
    assert first_reaching(rates, (0.1, 0.2, 0.9)) == [3, 4]
    assert first_reaching(np.array([0, 0.5]), (0.6,)) == []


@pytest.mark.parametrize(
    ("rule", "en", "zh"),
    [
        (cw.rules.youden(), "highest Youden’s J", "约登指数最大"),
        (
            cw.rules.min_cost(fp=1, fn=10, prevalence=0.02),
            "least expected cost (cost of a false alarm 1, cost of a miss 10, prevalence 2%)",
            "期望代价最小（误报一次的代价 1、漏检一次的代价 10、患病率 2%）",
        ),
        (
            cw.rules.min_precision(0.999),
            "highest recall with enough precision (limit 0.999)",
            "保证精确率下灵敏度最高（限值 0.999）",
        ),
        (cw.rules.max_of(len), "a function given by the user (function len)", "用户给定的函数（函数 len）"),
    ],
)
def test_rules_are_said_in_words_with_their_options(rule, en, zh):
    assert (rule_of(words("en"), rule), rule_of(words("zh"), rule)) == (en, zh)


def test_the_share_of_positives_found_is_a_per_cent():
    assert way_of("gain") == "share"
    grid = curve_grid(ScorePage(sample.one_model(), words("en")), "lift")
    place = [cell.text for cell in grid.head].index("Positives found")
    assert all(row[place].text.endswith("%") for row in grid.rows)
