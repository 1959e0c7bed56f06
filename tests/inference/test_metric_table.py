"""Every metric of every model in one table: the same numbers as one by one, and honest gaps."""

import math

import numpy as np
import pytest

import curvewise as cw
from curvewise import OptionError
from curvewise.errors import note
from curvewise.inference.metric_table import _notes, metric_table
from curvewise.metric.registry import Metric, _known, add, every
from curvewise.results.estimate import Estimate

rng = np.random.default_rng(5)
Y = np.arange(200) % 4 == 0
P = np.clip(0.25 + 0.3 * (Y - 0.25) + rng.normal(0, 0.15, 200), 0.01, 0.99)
Q = rng.random(200)


def test_numbers_are_those_of_interval():
    table = metric_table(Y, {"p": P, "q": Q}, thresholds=[0.3], replicates=50)
    for model, score in (("p", P), ("q", Q)):
        for name, found in table.estimates[model].items():
            options = table.options[name]
            wanted = cw.interval(name, Y, score, replicates=50, **options)
            assert (found.value, found.low, found.high) == (wanted.value, wanted.low, wanted.high)
        cut = table.at_thresholds[model][0.3]
        assert cut["recall"].low == cw.interval("recall", Y, score, threshold=0.3).low
        assert set(cut) == {m.name for m in every() if m.family == "threshold" and m.shown is not None}
    assert list(table.estimates["p"]) == [m.name for m in every() if m.in_tables]


def test_what_is_defined_has_a_meaning_and_what_is_not_a_reason():
    found = metric_table([1, 1, 0, 0], [0.9, 0.8, 0.3, 0.2], metrics=["roc_auc", "calibration_slope"]).to_dict()
    one, two = found["scores"][0]["metrics"]
    assert one["meaning"].startswith("chance that a positive outranks a negative")
    assert one["reason"] is None
    assert two["meaning"] is None
    assert two["reason"].startswith("the probabilities separate the classes")


def test_probabilities_are_judged_only_where_scores_are_some():
    names = metric_table(Y, {"p": P, "logit": np.log(P / (1 - P))}, intervals=False).estimates["p"]
    assert "brier_loss" not in names
    assert "brier_loss" in metric_table(Y, P, intervals=False).estimates["score"]
    assert "brier_loss" not in metric_table(Y, -P, higher_is="negative", intervals=False).estimates["score"]


def test_one_rate_where_the_other_is_95_percent_stands_in_every_table():
    names = {"sensitivity_at_specificity": "specificity", "specificity_at_sensitivity": "sensitivity"}
    table = metric_table(Y, P, replicates=50)
    for name, option in names.items():
        found, wanted = table.estimates["score"][name], cw.interval(name, Y, P, **{option: 0.95})
        assert (found.value, found.low, found.high) == (wanted.value, wanted.low, wanted.high)
        assert found.low < found.value < found.high
        assert table.options[name] == {option: 0.95}
        alone = metric_table(Y, P, metrics=[name]).estimates["score"]
        assert alone == {name: found}
        said = metric_table(Y, P, metrics=[name], **{option: 0.5}).estimates["score"][name]
        assert said.value == cw.score(name, Y, P, **{option: 0.5}) != found.value


def test_options_are_for_the_metrics_that_were_named():
    table = metric_table(Y, P, also=["recall_at_fpr"], fpr=0.2, intervals=False)
    assert table.options["recall_at_fpr"] == {"fpr": 0.2}
    assert table.options["partial_roc_auc"] == {"fpr": (0, 0.1), "scale": "mean"}
    named = metric_table(Y, P, metrics=["pAUC"], fpr=(0, 0.5), intervals=False)
    assert list(named.estimates["score"]) == ["partial_roc_auc"]
    assert named.options["partial_roc_auc"] == {"fpr": (0, 0.5), "scale": "mean"}
    for wrong in ({"fpr": 0.2}, {"metrics": ["auc", "roc_auc"]}, {"metrics": []}, {"metrics": ["recall"]}):
        with pytest.raises(OptionError):
            metric_table(Y, P, **wrong)


def test_clusters_count_in_every_interval():
    ten = {"y": np.repeat(Y, 10), "p": np.repeat(P, 10), "cluster": np.repeat(np.arange(200), 10)}
    rows = cw.read_rows(ten["y"], {"p": ten["p"]}, cluster=ten["cluster"])
    once, clustered = (
        metric_table(r, metrics=["auc", "ap", "brier"], also=["recall", "mcc"], thresholds=[0.3])
        for r in (cw.read_rows(Y, {"p": P}), rows)
    )
    for (_, at, a), (_, _, b) in zip(once.every, clustered.every, strict=True):
        assert b.high - b.low == pytest.approx(a.high - a.low, rel=0.15), (a.metric, at)


def test_undefined_has_its_reason_and_nothing_else_suffers():
    table = metric_table([1, 1], {"p": [0.9, 0.3]})
    assert math.isnan(table.estimates["p"]["roc_auc"].value)
    assert "roc_auc of p is undefined: " in str(table)
    table.need_something()
    none = metric_table([0, 0], {"p": [3.0, 1.0]})
    with pytest.raises(cw.UndefinedMetricError, match="0 of 2 rows are positive"):
        none.need_something()


def test_an_infinite_ratio_has_a_finite_lower_end():
    table = metric_table([1, 1, 0, 0, 0], {"p": [9, 8, 1, 2, 3]}, metrics=["lr+"], thresholds=[5])
    found = table.at_thresholds["p"][5]["lr_positive"]
    assert (found.value, found.high) == (math.inf, math.inf)
    assert 0 < found.low < 10  # two of two found, no false alarm among three: at least that much is known
    assert found.standard_error is None


def test_limits_stay_within_the_range_of_the_metric():
    table = metric_table(Y, {"p": P}, metrics=[m.name for m in every() if m.in_tables], replicates=50)
    for _, _, e in table.every:
        metric = next(m for m in every() if m.name == e.metric)
        assert (metric.interval == "none") != e.has_interval, e
        if e.has_interval:
            assert metric.low <= e.low <= e.high <= metric.high, e


def test_another_prevalence():
    table = metric_table(Y, {"p": P}, prevalence=0.01, thresholds=[0.3], replicates=20)
    found = table.estimates["p"]
    assert found["average_precision"].value == cw.average_precision(cw.sweep(Y, P).at_prevalence(0.01))
    assert not found["average_precision"].has_interval
    assert found["roc_auc"].has_interval
    assert table.at_thresholds["p"][0.3]["recall"].has_interval
    assert not table.at_thresholds["p"][0.3]["precision"].has_interval


def test_a_new_metric_appears(monkeypatch):
    monkeypatch.setattr("curvewise.metric.registry._known", dict(_known))
    add(Metric("half_auc", lambda s: cw.roc_auc(s) / 2, "ranking", aliases=("half",), needs=()))
    table = metric_table(Y, {"p": P}, replicates=20)
    assert table.estimates["p"]["half_auc"].value == cw.roc_auc(Y, P) / 2
    assert "half_auc" in str(table)


def test_a_result_like_all_others():
    table = metric_table(Y, {"p": P}, thresholds=[0.3], replicates=20)
    assert list(table.table.columns) == ["score", "threshold", "metric", "value", "low", "high"]
    assert table.to_dict()["schema"] == "curvewise.metric_table"
    assert "| roc_auc |" in table.to_markdown()
    assert len(table.tables()) == 1
    assert table.to_frame("polars").height == len(table.table)


def test_thresholds_by_model():
    scores = {"p": P, "q": P}
    table = metric_table(Y, scores, metrics=["auc", "recall"], thresholds={"q": [0.3]}, intervals=False)
    assert [list(cuts) for cuts in table.at_thresholds.values()] == [[], [0.3]]
    with pytest.raises(cw.CurvewiseError, match="thresholds: there is no model 'r'; there are p, q"):
        metric_table(Y, scores, thresholds={"r": [0.3]})


def test_a_note_says_what_it_is_about():
    """What most metrics of a model say is said of its rows; else the metrics are named, and the models if not all."""
    told = note("few_sites", sites=3)

    def said(of=3, **models):
        found = {
            model: {
                f"m{k}": Estimate(f"m{k}", 0.5, 0.4, 0.6, 0.95, "wald", notes=(told,) if k < many else ())
                for k in range(of)
            }
            for model, many in models.items()
        }
        return [n.values.get("who") for n in _notes(found)]

    assert said(a=2, b=3) == [None]
    assert said(a=1, b=1) == ["m0"]
    assert said(a=1, b=2) == ["m0, m1"]
    assert said(a=2, b=0) == ["a"]
    assert said(a=1, b=0) == ["m0 of a"]
    assert said(a=0, b=0) == []
    assert said(of=4, a=2, b=3) == ["m0, m1, m2"]  # half of them are not most
    assert said(of=4, a=3, b=3) == [None]


def test_models_stand_side_by_side_under_their_names():
    table = metric_table(Y, {"p": P, "metric": Q}, metrics=["roc_auc"], intervals=False).side_by_side()
    assert list(table.columns) == ["metric", "p", "score metric", "meaning"]


def test_a_table_at_a_threshold_says_what_each_number_means_or_why_there_is_none():
    (part,) = (
        part
        for part in metric_table([0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4], thresholds=[0.9]).parts()
        if getattr(part, "title", "").startswith("score at threshold")
    )
    told = dict(zip(part.columns["metric"], part.columns["meaning"], strict=True))
    assert told["recall"].startswith("0 of 100 positives are found")
    assert told["precision"] == "undefined: no row is flagged"


def test_losses_alone_do_not_make_a_table_of_one_class():
    both = metric_table([1, 1], {"p": [0.9, 0.3]}, metrics=["roc_auc", "brier"], replicates=20)
    assert both.estimates["p"]["brier_loss"].is_defined
    with pytest.raises(cw.UndefinedMetricError, match="needs both classes"):
        both.need_something()
    metric_table([1, 1], {"p": [0.9, 0.3]}, metrics=["brier"], replicates=20).need_something()


def test_the_title_at_a_threshold_tells_the_level_where_any_number_has_an_interval():
    table = metric_table(Y, {"p": P}, thresholds=[2.0], metrics=["recall", "precision"], replicates=20)
    found = table.at_thresholds["p"][2.0]
    assert found["recall"].has_interval
    assert not found["precision"].has_interval  # no row is flagged
    assert "95% intervals" in str(table)
