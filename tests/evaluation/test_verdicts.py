"""One answer per question: the right comparison, and the same sentence wherever it is said."""

import html
import json
import re
from statistics import NormalDist

import numpy as np
import pytest

import curvewise as cw
from curvewise.decisions.trivial import stated_costs
from curvewise.evaluation.answers.better import better_of, fpr_limit
from curvewise.evaluation.comparisons import areas_compared, decide
from curvewise.pages.page import Page
from curvewise.pages.render import render_html
from curvewise.pages.scores.summary import overview
from curvewise.rows.reading import read_rows
from curvewise.words import words
from pages import sample

QUICK = {"replicates": 40}


def answers(found, question, lang="en"):
    return [a.text(lang).replace("\u00a0", " ") for v in found.verdicts if v.question == question for a in v.answers]


def codes(found, question):
    return [a.code for v in found.verdicts if v.question == question for a in v.answers]


def two(y, a, b, **options):
    return cw.evaluate({"y": y, "a": a, "b": b}, label="y", scores=["a", "b"], **QUICK, **options)


@pytest.fixture(scope="module")
def rare():
    """Return 0.5% positives: a ranks better over all thresholds, b among the highest scores."""
    rng = np.random.default_rng(3)
    n = 40_000
    y = rng.random(n) < 0.005
    a = rng.normal(0, 1, n) + 1.9 * y
    b = np.where(y & (rng.random(n) < 0.6), rng.normal(4.5, 0.5, n), rng.normal(0, 1, n))
    return y.astype(int), a, b


def test_auc_and_average_precision_that_disagree_are_both_said(rare):
    found = two(*rare)
    assert found.comparisons.keys() == {"roc_auc", "average_precision"}
    auc, ap = (found.comparisons[k].pairs[0] for k in ("roc_auc", "average_precision"))
    assert auc.difference.low > 0 > ap.difference.high
    assert found.better.leader is None
    assert codes(found, "better") == ["better_depends", "pair_better_area", "pair_better_area", "areas_disagree"]
    assert "a is better than b" in answers(found, "better")[1]
    assert "b is better than a" in answers(found, "better")[2]


def test_a_third_model_that_loses_to_both_is_not_among_the_best(rare):
    y, a, b = rare
    data = {"y": y, "a": a, "b": b, "c": np.random.default_rng(0).normal(size=len(y))}
    found = cw.evaluate(data, label="y", scores=["c", "a", "b"], **QUICK)
    assert set(found.better.best) == {"a", "b"}
    assert found.better.leader is None
    assert codes(found, "better")[0] == "better_depends"


def test_of_many_models_the_most_promising_come_first():
    rng = np.random.default_rng(8)
    y = rng.random(900) < 0.3
    data = {"y": y.astype(int)} | {f"m{k}": rng.normal(size=900) + 0.25 * k * y for k in range(9)}
    for costs in (None, {"fp": 1, "fn": 3}):
        found = cw.evaluate(data, label="y", scores=[f"m{k}" for k in range(9)], costs=costs, **QUICK)
        page = Page(found, words())
        values = [found.comparison.values[name] for name in page.names]
        best = len(found.better.best)
        assert page.names[:best] == list(found.better.best)
        assert values[best:] == sorted(values[best:], reverse=costs is None)
        assert [m.name for m in page.detailed] == page.names[:4]


def test_stated_costs_decide_and_say_what_areas_would_have_said(rare):
    found = two(*rare, costs={"fp": 1, "fn": 20})
    assert list(found.comparisons) == ["expected_cost", "roc_auc", "average_precision"]
    assert found.comparison.metric == "expected_cost"
    assert found.better.leader == "b"
    assert codes(found, "better") == ["better_of_two", "pair_better_cost", "areas_against_cost"]
    at = found.comparison.values
    assert at["b"] < at["a"]
    told = answers(found, "better")[1]
    assert told.startswith(f"b costs less per case than a: {words().numbers.cost(at['b'])} against")
    # the page opens with, and speaks of, the model that costs less
    assert [a.values["model"] for v in found.verdicts if v.question == "threshold" for a in v.answers] == ["b"]
    cheap = cw.rules.min_cost(fp=1, fn=20)
    again = two(*rare, rule=cheap)
    assert again.comparison.pairs[0].difference == found.comparison.pairs[0].difference
    assert again.options.costs == {"fp": 1, "fn": 20}


def test_costs_that_need_many_alarms_turn_the_answer_round(rare):
    found = two(*rare, costs={"fp": 1, "fn": 400})
    assert found.better.leader == "a"


def test_a_risk_to_act_at_is_a_cost(rare):
    found = two(*rare, rule=cw.rules.max_net_benefit(1 / 21))
    cost = two(*rare, costs={"fp": 1, "fn": 20})
    assert found.better.leader == cost.better.leader == "b"
    ratio = found.comparison.values["a"] / cost.comparison.values["a"]
    assert ratio == pytest.approx(1 / 21)
    assert stated_costs(cw.rules.max_net_benefit(0.2)) == {"fp": 0.2, "fn": 0.8}
    assert stated_costs(cw.rules.youden()) is None


def test_a_limit_on_false_alarms_compares_that_part_of_the_curve(rare):
    found = two(*rare, rule=cw.rules.max_fpr(0.01))
    assert next(iter(found.comparisons)) == "partial_roc_auc"
    assert found.comparison == cw.compare(
        rare[0],
        {"a": rare[1], "b": rare[2]},
        metric="partial_roc_auc",
        fpr=(0, 0.01),
        scale="mean",
        **QUICK,
    )
    assert found.better.leader == "b"
    assert codes(found, "better")[-1] == "areas_against_range"
    assert fpr_limit(cw.rules.min_specificity(0.95)) == pytest.approx(0.05)
    assert fpr_limit(cw.rules.min_recall(0.95)) is None


def test_equal_auc_and_better_top_of_the_list():
    found = sample.frame()
    found = cw.evaluate(found, label="disease", scores=["model_a", "model_b"], **QUICK)
    assert codes(found, "better") == ["better_of_two", "pair_same_area", "pair_better_area", "top_decides"]
    assert found.better.leader == "model_b"
    assert "3.1% here" in answers(found, "better")[-1]


def test_equal_models_are_told_apart_in_one_study_of_twenty():
    """Each of the two tests has 5% of its own; read without correction one of them speaks in 7 to 9% of studies."""
    rng = np.random.default_rng(4)
    y = (np.arange(200) < 20).astype(int)
    named = small = 0
    for _ in range(500):
        both = rng.normal(size=200) + 1.5 * y
        scores = {name: both + rng.normal(size=200) for name in "ab"}
        areas = areas_compared(read_rows(y, scores))
        named += better_of(list("ab"), areas, 0.1).leader is not None
        small += min(found.p_value for found in areas.values()) < 0.05
    assert small / 500 > 0.06
    assert named / 500 <= 0.05


def test_a_small_p_value_of_one_area_alone_does_not_decide():
    rng = np.random.default_rng(20)
    y = np.arange(200) < 60
    both = rng.normal(size=200) + 1.2 * y
    found = two(y.astype(int), both + rng.normal(size=200), both + rng.normal(size=200))
    auc, ap = (found.comparisons[k].pairs[0] for k in ("roc_auc", "average_precision"))
    assert 0.025 < min(auc.p_value, ap.p_value) < 0.05 < max(auc.p_value, ap.p_value)
    assert found.better.leader is None
    assert codes(found, "better") == ["better_unknown", "pair_same_area", "pair_same_area"]
    for pair, sentence in zip((auc, ap), answers(found, "better")[1:], strict=True):
        assert pair.p_holm == pytest.approx(max(2 * min(auc.p_value, ap.p_value), pair.p_value))
        assert pair.simultaneous.low < 0 < pair.simultaneous.high
        assert "95% interval for all 2 comparisons together" in sentence
        assert "corrected for 2 comparisons" in sentence


def equal_models(rng, k):
    """Return labels and the scores of k models that are equally good, with an AUC of 0.76."""
    y = (np.arange(200) < 60).astype(int)
    return y, {f"m{i}": rng.normal(size=200) + y for i in range(k)}


def test_the_best_of_ten_equal_models_has_an_interval_that_allows_for_the_choice():
    rng, true = np.random.default_rng(2), NormalDist().cdf(0.5**0.5)
    flattered, amounts, plain, allowing = [], [], 0, 0
    for _ in range(50):
        rows = read_rows(*equal_models(rng, 10))
        areas = areas_compared(rows)
        decided = decide(rows, areas, 0.3)
        model = decided.best[0]
        (picked,) = [a for a in decided.answers if a.code == "picked_with_ends"][:1]
        low, high = picked.values["ends"][0].values["ends"]
        naive = cw.interval("roc_auc", rows.of(model))
        assert (picked.values["model"], high) == (model, naive.high)
        plain += naive.low <= true <= naive.high
        allowing += low <= true <= high
        flattered.append(max(areas["roc_auc"].values.values()) - true)
        amounts.append(picked.values["amounts"][0].values["amount"])
    assert plain <= 45
    assert allowing >= 48
    assert np.mean(amounts) == pytest.approx(np.mean(flattered), rel=0.15)


def test_a_model_picked_among_three_or_more_says_by_how_much_that_flatters_it():
    y, scores = equal_models(np.random.default_rng(7), 5)
    scores["m3"] = scores["m3"] + 3 * y
    found = cw.evaluate(y, scores, **QUICK)
    assert codes(found, "better")[-1] == "picked_with_ends"
    said = answers(found, "better")[-1]
    assert said.startswith("m3 was picked from 5 models on these data")
    wide = cw.interval("roc_auc", y, scores["m3"], level=0.99)
    plain = found.models["m3"].estimates["roc_auc"]
    assert f"95% intervals that allow for the choice: AUC {words().interval(wide.low, plain.high)} and" in said
    by_cost = cw.evaluate(y, scores, costs={"fp": 1, "fn": 3}, **QUICK)
    assert codes(by_cost, "better")[-1] == "picked"
    assert re.search(r"about 0\.\d+ per case\.$", answers(by_cost, "better")[-1])
    by_part = cw.evaluate(y, scores, rule=cw.rules.max_fpr(0.2), **QUICK)
    assert "partial AUC (false positive rate ≤ 20.0%) 0." in answers(by_part, "better")[-1]
    of_two = cw.evaluate(y, {name: scores[name] for name in ("m1", "m3")}, **QUICK)
    assert "picked_with_ends" not in codes(of_two, "better")


def test_the_selection_bias_of_independent_equal_models_is_the_mean_of_the_greatest_of_normal_deviates():
    y, scores = equal_models(np.random.default_rng(9), 3)
    found = cw.compare(y, scores)
    error = np.sqrt(np.mean([pair.difference.standard_error**2 for pair in found.pairs]) / 2)
    assert found.selection_bias == pytest.approx(1.5 / np.sqrt(np.pi) * error, rel=0.03)  # t for normal quantiles


def test_better_for_this_use_is_said_where_a_use_was_stated(rare):
    for options, praise in (({"costs": {"fp": 1, "fn": 20}}, "better for this use"), ({}, "better on these data")):
        rows = rare if options else (rare[0], rare[1], rare[2] * 0 + np.arange(len(rare[0])) % 7)
        found = two(*rows, **options)
        assert found.better.leader is not None
        (cards,) = [b for b in overview(Page(found, words())) if hasattr(b, "columns")]
        assert {column.remark for column in cards.columns} == {praise, ""}


def test_many_models_have_a_leader_and_those_not_told_apart():
    rng = np.random.default_rng(1)
    y = np.arange(600) < 200
    base = rng.normal(size=600)
    data = {"y": y.astype(int), "good": base + 2.5 * y, "same": base + 2.5 * y + rng.normal(0, 0.01, 600)}
    data |= {f"weak{k}": rng.normal(size=600) + 0.4 * y for k in range(4)}
    found = cw.evaluate(data, label="y", scores=list(data)[1:], **QUICK)
    assert set(found.better.best) == {"good", "same"}
    assert found.better.leader is None
    assert codes(found, "better")[0] == "better_unknown"
    by_auc = found.verdicts[0].answers[1]
    assert by_auc.code == "leads_some_area"
    assert len(by_auc.values["clear"]) == 4
    assert len(by_auc.values["alike"]) == 1
    assert "weak" in answers(found, "better")[1]


@pytest.mark.parametrize(("models", "spoken"), [(2, 2), (3, 3), (4, 1)])
def test_of_models_not_told_apart_a_few_are_all_spoken_of(models, spoken):
    rng = np.random.default_rng(4)
    y = rng.random(400) < 0.4
    score = rng.normal(size=400) + y
    data = {"y": y.astype(int)} | {f"m{k}": score for k in range(models)}
    found = cw.evaluate(data, label="y", scores=[f"m{k}" for k in range(models)], **QUICK)
    assert len(found.better.best) == models
    assert len(codes(found, "threshold")) == spoken


def test_equal_models_are_not_told_apart():
    rng = np.random.default_rng(2)
    y = (rng.random(300) < 0.3).astype(int)
    a = rng.normal(size=300) + y
    found = two(y, a, a.copy(), costs={"fp": 1, "fn": 3})
    assert codes(found, "better") == ["better_unknown", "pair_same_cost"]
    assert found.comparison.pairs[0].p_value == 1


def test_a_score_without_skill_gets_a_caveat_and_no_threshold():
    rng = np.random.default_rng(5)
    n = 500
    data = {"y": (rng.random(n) < 0.3).astype(int), "row_id": rng.permutation(n) + 1}
    found = cw.evaluate(data, label="y", scores="row_id", **QUICK)
    assert codes(found, "threshold") == ["no_threshold_without_skill"]
    assert codes(found, "then") == []
    assert "looks_like_id" in [n.code for n in found.notes]
    assert "identifier" in answers(found, "caveats")[0]
    page = render_html(found, None, "en")
    assert "none is recommended" in page
    reversed_ = cw.evaluate({"y": data["y"], "s": -data["y"] + 0.1 * rng.random(n)}, label="y", scores="s", **QUICK)
    assert codes(reversed_, "ranking") == ["ranks_worse"]
    assert codes(reversed_, "threshold") == ["no_threshold_without_skill"]


def test_a_rule_without_costs_says_what_a_miss_is_worth():
    found = cw.evaluate(sample.frame(), label="disease", scores="model_a", **QUICK)
    ratio = (4060 - 124) / 124
    assert found.models["model_a"].point.cost_ratio == pytest.approx(ratio)
    assert f"implies that one miss is as bad as {ratio:.0f} false alarms" in answers(found, "threshold")[0]
    stated = cw.evaluate(sample.frame(), label="disease", scores="model_a", costs={"fp": 2, "fn": 30}, **QUICK)
    assert "As stated, one miss is as bad as 15 false alarms" in answers(stated, "threshold")[0]
    assert "expected cost" in answers(stated, "then")[1]


def test_costs_in_the_sentence_are_those_of_the_comparison():
    found = cw.evaluate(
        sample.frame(), label="disease", scores=["model_a", "model_b"], costs={"fp": 1, "fn": 10}, **QUICK
    )
    told = next(a for v in found.verdicts if v.question == "then" for a in v.answers if a.code == "then_costs")
    assert told.values["cost"] == pytest.approx(found.comparison.values["model_b"])
    assert told.values["none"] == pytest.approx(10 * 124 / 4060)
    assert told.values["every"] == pytest.approx(3936 / 4060)
    full = cw.evaluate(
        sample.frame(), label="disease", scores="model_b", costs={"fp": 2, "fn": 9, "tp": 1, "tn": 0.5}, **QUICK
    )
    told = next(a for v in full.verdicts if v.question == "then" for a in v.answers if a.code == "then_costs")
    assert told.values["none"] == pytest.approx((9 * 124 + 0.5 * 3936) / 4060)
    assert told.values["every"] == pytest.approx((124 + 2 * 3936) / 4060)
    assert told.values["cost"] == pytest.approx(full.models["model_b"].point.optimism.goal.corrected.value)


def weak(seed):
    """Return a score that ranks better than chance, and at these costs hardly better than flagging everybody."""
    rng = np.random.default_rng(seed)
    y = (np.arange(113) < 41).astype(int)
    return cw.evaluate(y, {"s": rng.normal(size=113) + 0.8 * y}, costs={"fp": 1, "fn": 5}, replicates=200)


def test_a_threshold_that_costs_more_than_flagging_everybody_is_not_advised():
    found = weak(1)
    model = found.models["s"]
    costs = model.beside_trivial.values
    assert costs["every"] == pytest.approx(72 / 113)
    assert costs["none"] == pytest.approx(5 * 41 / 113)
    assert costs["cost"] == pytest.approx(model.point.optimism.goal.corrected.value)
    assert costs["cost"] > costs["every"] > model.point.value  # on these rows the threshold looks cheaper
    assert model.trivial == "every"
    assert codes(found, "threshold") == ["advise_every"]
    assert codes(found, "then") == ["then_every"]
    assert answers(found, "threshold")[0].startswith("s: flag every row, at a cost of 0.6372 per case.")
    assert model.point.notes[0].code == "trivial_every"
    page = Page(found, words())
    (cards,) = [b for b in overview(page) if hasattr(b, "columns")]
    assert [card.name for card in cards.columns[0].cards][-2:] == ["AUC", "Average precision"]  # no rates
    by_risk = cw.operating_point(model.rows, cw.rules.max_net_benefit(1 / 6), replicates=200)
    assert by_risk.notes[0].code == "trivial_every"
    assert by_risk.notes[0].values["trivial"] == pytest.approx(72 / 113 / 6)


def test_a_threshold_that_is_not_shown_to_cost_less_than_a_trivial_decision_says_so_first():
    found = weak(0)
    pair = found.models["s"].beside_trivial.pairs[1]
    assert pair.p_holm > 0.05
    assert codes(found, "threshold") == ["not_below_every", "threshold_high"]
    good = cw.evaluate(sample.frame(), label="disease", scores="model_b", costs={"fp": 1, "fn": 10}, **QUICK)
    assert all(pair.is_clear and pair.difference.value < 0 for pair in good.models["model_b"].beside_trivial.pairs)
    assert codes(good, "threshold") == ["threshold_high"]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_summary_sections_and_terminal_say_the_same(lang):
    found = sample.screening()
    page = html.unescape(re.sub(r"<[^>]+>", " ", render_html(found, None, lang)))
    page = re.sub(r"\s+", " ", page.replace("\u00a0", " "))
    shown = overview(Page(found, words(lang)))[0].rows
    for verdict, (question, said, section) in zip(found.verdicts, shown, strict=True):
        assert question == verdict.asked(lang)
        assert section == verdict.section
        for text in said:
            assert re.sub(r"\s+", " ", text.replace("\u00a0", " ")) in page
    for question in ("groups", "sites", "probabilities"):  # once in the summary, once in the section
        for text in answers(found, question, lang):
            assert page.count(re.sub(r"\s+", " ", text)) >= 2


def test_verdicts_travel_as_json():
    found = sample.screening().to_dict()
    text = json.loads(json.dumps(found, allow_nan=False))
    assert text["better"] in (None, "model_a", "model_b", "rating")
    assert [v["question"] for v in text["verdicts"]] == [v.question for v in sample.screening().verdicts]
    assert text["comparisons"][0]["metric"] == "expected_cost"


def test_a_guaranteed_limit_and_one_that_too_few_rows_can_give():
    rng = np.random.default_rng(0)
    y = (rng.random(500) < 0.3).astype(int)
    score = 1 / (1 + np.exp(-rng.normal(size=500) - 1.5 * y + 1))
    found = cw.evaluate(y, score, rule=cw.rules.max_fpr(0.1, confidence=0.95), **QUICK)
    model = next(iter(found.models.values()))
    limit = "with 95% confidence, at most 10% of the negatives of the same population are flagged at"
    assert limit in str(found)
    assert limit in found.to_markdown()
    assert found.to_dict()["models"][0]["point"]["guarantee"]["kind"] == "exact"
    assert model.unmet is None
    folds = cw.evaluate({"y": y, "p": score, "f": np.arange(500) % 5}, label="y", scores="p", fold="f",
                        rule=cw.rules.max_fpr(0.1, confidence=0.95), **QUICK)  # fmt: skip
    assert folds.models["p"].point.guarantee.kind == "approximate"
    rare = cw.evaluate(y, score, rule=cw.rules.max_fpr(0.001, confidence=0.95), **QUICK)
    model = next(iter(rare.models.values()))
    negatives = int(np.sum(y == 0))
    assert model.point is None
    assert f"{negatives} negatives are too few to guarantee this limit with 95% confidence; 2,995" in str(rare)
