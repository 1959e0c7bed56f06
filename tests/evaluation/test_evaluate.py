"""`evaluate`: what applies is done and agrees with the single verbs; what does not is said, and why."""

import json
import math
import re
from importlib.resources import files

import numpy as np
import pandas as pd
import polars as pl
import pytest

import curvewise as cw
from curvewise.document.blocks import Document, blocks_of
from curvewise.document.terminal import terminal
from curvewise.metric import registry
from curvewise.pages.render import render_html
from curvewise.pages.scores.drawings import drawings
from curvewise.words import words

SCREENING = str(files("curvewise.data") / "screening.csv")
QUICK = {"replicates": 60, "rng": 3}


@pytest.fixture(scope="module")
def frame():
    return pl.read_csv(SCREENING)


@pytest.fixture(scope="module")
def found(frame):
    return cw.evaluate(
        frame,
        label="disease",
        scores=["model_a", "rating"],
        group=["sex", "age_band"],
        site="site",
        costs={"fp": 1, "fn": 10},
        prevalence=0.02,
        **QUICK,
    )


def test_numbers_are_those_of_the_verbs(frame, found):
    y, a = frame["disease"], frame["model_a"]
    model = found.models["model_a"]
    assert model.estimates["roc_auc"] == cw.interval("roc_auc", y, a)
    assert model.estimates["average_precision"] == cw.interval("average_precision", y, a, **QUICK)
    rule = cw.rules.min_cost(fp=1, fn=10, prevalence=0.02)
    chosen = cw.operating_point(y, a, rule, **QUICK)
    assert model.point.threshold == chosen.threshold
    assert model.point.threshold_interval == chosen.threshold_interval
    assert model.parts_of_loss == cw.decompose(y, a)
    assert model.calibration.table.columns == cw.calibration(y, a, **QUICK).table.columns
    scores = {"model_a": a, "rating": frame["rating"]}
    assert found.comparison == cw.compare_costs(y, scores, fp=1, fn=10, prevalence=0.02, **QUICK)
    for metric in ("roc_auc", "average_precision"):  # whose p-values are corrected for the tests of both
        area, alone = (c.pairs[0] for c in (found.comparisons[metric], cw.compare(y, scores, metric=metric, **QUICK)))
        assert (area.difference, area.p_value) == (alone.difference, alone.p_value)
    alone = cw.by_site(y, a, frame["site"], threshold=chosen.threshold, common_prevalence=0.02)
    assert found.sites["model_a"].pooled == alone.pooled
    columns = {k: frame[k] for k in ("sex", "age_band")}
    fair = cw.fairness(y, a, columns, threshold=chosen.threshold, **QUICK)
    assert found.fairness["model_a"].table == fair.table
    assert found.fairness["model_a"].notes == fair.notes


def left_out(found):
    return {(n.values["part"], n.values["model"], n.code) for n in found.left_out}


def test_what_does_not_apply_is_said(found):
    assert left_out(found) == {("probabilities", "rating", "scores_outside")}
    alone = cw.evaluate({"y": [0, 1, 0, 1], "p": [0, 1, 1, 1]}, label="y", scores="p", **QUICK)
    assert left_out(alone) == {
        ("comparison", None, "one_model"),
        ("groups", None, "no_column"),
        ("sites", None, "no_column"),
        ("probabilities", "p", "scores_decisions"),
    }
    assert alone.comparison is None
    assert alone.groups == alone.fairness == alone.sites == {}


def test_the_dict_is_json_and_says_how_it_was_made(found):
    text = json.dumps(found.to_dict(), allow_nan=False)
    data = json.loads(text)
    assert (data["schema"], data["version"]) == ("curvewise.evaluation", 1)
    assert data["made"] == {"source": None, "sha256": None, "command": None, "seed": 3}
    assert data["options"]["costs"] == {"fp": 1, "fn": 10}
    assert data["data"]["rows"] == 4060
    sweep = data["models"][0]["sweep"]
    assert len(sweep["threshold"]) <= 1000
    assert (sweep["tp"][-1], sweep["fp"][-1]) == (124, 3936)
    assert data["models"][1]["calibration"] is None
    assert [n["code"] for n in data["notes"]] == [n.code for n in found.notes]
    histogram = data["models"][0]["histogram"]
    assert sum(histogram["positives"]) == 124
    assert sum(histogram["negatives"]) == 3936


def test_thinned_sweep_keeps_the_counts_of_its_thresholds(frame, found):
    whole = cw.sweep(frame["disease"], frame["model_a"])
    thin = found.models["model_a"].thinned
    for cut in thin.threshold[::97]:
        assert (thin.at(cut).tp, thin.at(cut).fp) == (whole.at(cut).tp, whole.at(cut).fp)


@pytest.mark.needs("pyarrow")
def test_any_source_gives_the_same(frame, found):
    options = {"label": "disease", "scores": "model_a", **QUICK}
    wanted = cw.evaluate(frame, **options).metrics()
    for data in (
        frame.lazy(),
        frame.to_pandas(),
        frame.to_arrow(),
        {name: frame[name].to_numpy() for name in ("disease", "model_a")},
        SCREENING,
    ):
        assert cw.evaluate(data, **options).metrics() == wanted
    made = cw.evaluate(SCREENING, **options).to_dict()["made"]
    assert made["source"] == "screening.csv"
    assert len(made["sha256"]) == 64


def test_flat_metrics(found):
    flat = found.metrics()
    assert flat["model_a.roc_auc"] == found.models["model_a"].estimates["roc_auc"].value
    assert "model_a.brier_loss" in flat
    assert "rating.brier_loss" not in flat
    assert all(isinstance(v, float | int) for v in flat.values())


def test_weights_and_clusters(frame):
    found = cw.evaluate(frame, label="disease", scores=["model_a"], weight="weight", cluster="patient", **QUICK)
    model = found.models["model_a"]
    wanted = cw.interval(
        "roc_auc", frame["disease"], frame["model_a"], weight=frame["weight"], cluster=frame["patient"]
    )
    assert model.estimates["roc_auc"] == wanted
    assert model.band.table.columns == cw.roc_band(model.rows, **QUICK).table.columns
    assert {"weighted_rows", "threshold_on_same_rows"} <= {n.code for n in found.notes}
    json.dumps(found.to_dict(), allow_nan=False)


@pytest.mark.parametrize(
    ("data", "options", "code"),
    [
        ({"y": [0, 1] * 30, "s": [1, 0] * 30}, {}, "reversed"),
        ({"y": [0, 1] * 30, "s": [0, 1] * 30}, {}, "perfect"),
        ({"y": [0, 1] * 5, "s": [0, 1, 1, 1, 0, 0, 1, 1, 0, 1]}, {}, "too_few_positives"),
        ({"y": [0] * 40 + [1] * 20, "s": [2] * 60}, {}, "constant_score"),
        ({"y": [0, 1] * 30, "s": list(range(60))}, {"prevalence": 0.01}, "prevalence_unlike"),
        ({"y": [0, 1, None] * 20, "s": list(range(60))}, {"missing": "drop"}, "dropped_rows"),
        ({"y": [0, 1] * 100, "s": [0.999, 0.001, 0.6, 0.7] * 50}, {}, "miscalibrated"),
        (
            {"y": [0, 1] * 30 + [0] * 9, "s": [*range(60), *range(9)], "g": ["a"] * 60 + ["b"] * 9},
            {"group": "g"},
            "one_class_group",
        ),
    ],
)
def test_caveats(data, options, code):
    found = cw.evaluate(data, label="y", scores="s", **options, **QUICK)
    assert code in {n.code for n in found.notes}
    assert all(n.values["severity"] in ("warn", "note") for n in found.notes)
    text = found.to_markdown()
    assert "## Caveats" in text
    json.dumps(found.to_dict(), allow_nan=False)


def test_missing_rows_are_refused_or_dropped_for_all():
    data = {
        "y": [0, 1, 0, 1, 1],
        "a": [1, 2, None, 4, 5],
        "b": [1.0, math.nan, 3, 4, 5],
        "g": [*"uuvv", None],
    }
    with pytest.raises(cw.CurvewiseError, match="missing value"):
        cw.evaluate(data, label="y", scores=["a", "b"], **QUICK)
    found = cw.evaluate(data, label="y", scores=["a", "b"], group="g", missing="drop", **QUICK)
    assert found.rows.dropped == 2
    assert found.models["a"].sweep.n == found.models["b"].sweep.n == 3
    assert {g.name for g in found.groups["a"].groups()} == {"u", "v", "(missing)"}


def test_many_classes():
    rng = np.random.default_rng(0)
    y = rng.choice(["cat", "dog", "owl"], 90)
    proba = rng.dirichlet([1, 1, 1], 90)
    data = {"y": y, **{name: proba[:, k] for k, name in enumerate(["cat", "dog", "owl"])}}
    found = cw.evaluate(data, label="y", scores=["cat", "dog", "owl"], **QUICK)
    assert found.multiclass.accuracy == cw.multiclass(y, proba, classes=["cat", "dog", "owl"]).accuracy
    data = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert data["models"] == []
    assert data["multiclass"]["metrics"][0]["metric"] == "accuracy"
    assert data["multiclass"]["metrics"][0]["value"] == found.multiclass.accuracy
    assert len(found.table) == len(data["multiclass"]["metrics"])
    assert "accuracy" in found.to_markdown()
    assert "multiclass.accuracy" in found.metrics()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"label": "absent", "scores": "a"}, "there is no column 'absent'; there are 'y', 'a'"),
        ({"label": "y", "scores": []}, "the name of at least one column"),
        ({"label": "y", "scores": ["a", "a"]}, "'a' is already used as scores"),
        ({"label": "y", "scores": "y"}, "already used as label"),
        ({"label": "y", "scores": "a", "costs": {"fp": 1}}, "costs: expected"),
        ({"label": "y", "scores": "a", "prevalence": 2}, "prevalence: expected"),
        ({"label": "y", "scores": "a", "rule": "youden"}, "rule: expected one of curvewise.rules"),
        (
            {"label": "y", "scores": "a", "rule": cw.rules.youden(), "costs": {"fp": 1, "fn": 1}},
            "expected one of them",
        ),
        ({"label": "y", "scores": "a", "missing": "ignore"}, "missing: expected one of"),
        ({"label": "y", "scores": "a", "clusters": "c"}, "did you mean 'cluster'"),
        ({"label": "y", "scores": "a", "sample_weight": "w"}, "did you mean 'weight'"),
        ({"label": "y", "scores": "a", "groups": "g"}, "did you mean 'group'"),
    ],
)
def test_refusals(options, words):
    with pytest.raises(cw.CurvewiseError, match=words):
        cw.evaluate({"y": [0, 1, 0, 1], "a": [1, 2, 3, 4]}, **options)


def test_one_class_is_undefined_and_other_data_refused():
    with pytest.raises(cw.UndefinedMetricError, match="needs both classes"):
        cw.evaluate({"y": [0, 0], "a": [1, 2]}, label="y", scores="a")
    with pytest.raises(cw.CurvewiseError, match="data: expected a frame"):
        cw.evaluate(7, label="y", scores="a")
    with pytest.raises(cw.SourceError):
        cw.evaluate("no/such/file.csv", label="y", scores="a")


def test_a_rule_that_cannot_be_met_leaves_the_point_out(frame):
    rule = cw.rules.min_precision(0.999)
    found = cw.evaluate(frame, label="disease", scores="rating", rule=rule, group="sex", **QUICK)
    assert found.models["rating"].point is None
    assert ("point", "rating", "rule_not_met") in left_out(found)
    assert found.fairness == {}
    json.dumps(found.to_dict(), allow_nan=False)


def test_hostile_names_stay_text():
    name = "a|b`<script>[x](http://x)"
    found = cw.evaluate({"y": [0, 1, 0, 1, 1], name: [1, 2, 3, 4, 5]}, label="y", scores=[name], **QUICK)
    text = found.to_markdown()
    assert "<script>" not in text
    assert "a\\|b\\`" in text
    assert "<script>" not in found._repr_html_()


def test_print_is_short(found):
    assert str(found).splitlines()[1] == "4,060 rows, 124 positive (3.054%), label disease"
    questions = [line for line in str(found).splitlines()[2:] if not line.startswith("  ")]
    assert questions == [v.asked() for v in found.verdicts]
    assert len(str(found).splitlines()) < 30


def test_pandas_index_is_kept_aligned():
    frame = pd.DataFrame({"y": [0, 1, 0, 1, 1], "a": [1, 2, 3, 4, 5]}, index=[5, 3, 9, 1, 2])
    assert cw.evaluate(frame, label="y", scores="a", **QUICK).models["a"].sweep.n == 5


def test_a_model_keeps_its_place_in_figures_that_others_are_missing_from(frame):
    found = cw.evaluate(frame, label="disease", scores=["rating", "model_a", "model_b"], **QUICK)
    drawn = drawings(found, "en")
    places = {key: set(re.findall(r"-model-(\d)-", d.svg)) for key, d in drawn.items()}
    assert places["roc"] == {"0", "1", "2"}
    assert places["decision"] == {"1", "2"}  # ratings are no probabilities
    assert "reliability:0" not in drawn
    assert (places["reliability:1"], places["reliability:2"]) == ({"1"}, {"2"})
    assert "var(--model-2" in drawn["reliability:2"].svg
    assert "var(--model-0" not in drawn["reliability:2"].svg


def test_a_lazy_frame_is_collected_once(frame):
    turns = iter(range(99))

    def shuffled(some):
        return some.sample(fraction=1, shuffle=True, seed=next(turns))

    lazy = frame.lazy().map_batches(shuffled, projection_pushdown=False)
    options = {"label": "disease", "group": "sex", "site": "site", "cluster": "patient", **QUICK}
    found = cw.evaluate(lazy, scores=["model_a", "model_b"], **options)
    assert next(turns) == 1
    assert found.models["model_a"].sweep == cw.sweep(frame["disease"], frame["model_a"])
    assert found.data["groups"] == cw.evaluate(frame, scores="model_a", **options).data["groups"]


def test_rows_that_are_read_already(frame):
    rows = cw.read_rows(
        frame["disease"], {"a": frame["model_a"]}, group={"sex": frame["sex"]}, cluster=frame["patient"]
    )
    found = cw.evaluate(rows, **QUICK)
    named = cw.evaluate(frame, label="disease", scores="model_a", group="sex", cluster="patient", **QUICK)
    assert found.models["a"].estimates == named.models["model_a"].estimates
    assert list(found.groups) == ["a"]
    with pytest.raises(cw.CurvewiseError, match="already read"):
        cw.evaluate(rows, positive=1)


def test_every_option_of_rows_counts(frame):
    def auc(**options):
        return cw.evaluate(frame, label="disease", scores="model_a", **options, **QUICK).models["model_a"]

    plain = auc().estimates["roc_auc"]
    for name, option in (
        ("weight", {"weight": "weight"}),
        ("weight_kind", {"weight": "rating", "weight_kind": "count"}),
        ("cluster", {"cluster": "patient"}),
        ("positive", {"positive": 0}),
        ("higher_is", {"higher_is": "negative"}),
        ("round_to", {"round_to": 1}),
    ):
        assert auc(**option).estimates["roc_auc"] != plain, name
    sampled = auc(weight="rating").estimates["roc_auc"]
    assert auc(weight="rating", weight_kind="count").estimates["roc_auc"] != sampled
    kept = cw.evaluate(frame, label="disease", scores="model_a", fold="site", id="patient", **QUICK)
    assert kept.rows.fold.names == kept.rows.take(kept.rows.positive).fold.names
    assert len(kept.rows.id) == len(frame)


def test_evaluations_are_results(found):
    for result in (found, found.models["model_a"]):
        assert isinstance(result, cw.results.Result)
        assert len(result.table) == len(result.to_frame("polars")) > 6
        assert result.to_dict()["schema"].startswith("curvewise.")
        assert result.to_markdown().count("|") > 20
        assert "0.861" in result._repr_html_()
        assert all(isinstance(n, cw.Note) for n in result.notes)
    assert found.options.to_dict()["costs"] == {"fp": 1, "fn": 10}
    assert isinstance(found.origin, cw.results.Result)
    row = next(r for r in found.table.rows() if (r["model"], r["metric"]) == ("rating", "roc_auc"))
    assert row["low"] == found.models["rating"].estimates["roc_auc"].low


def test_plots_show_the_roc_curves(found):
    pytest.importorskip("matplotlib")
    assert {line.get_label().split(":")[0] for line in found.plot()[0].lines} >= {"model_a", "rating"}
    assert found.models["rating"].plot().lines


def test_a_metric_appears_without_another_edit(frame, monkeypatch):
    known = dict(registry._known)
    monkeypatch.setattr(registry, "_known", known)
    registry.metric("half_auc", unit="share", interval="percentile", prevalence=False)(lambda s: cw.roc_auc(s) / 2)
    found = cw.evaluate(frame, label="disease", scores="model_a", **QUICK)
    assert found.models["model_a"].estimates["half_auc"].has_interval
    assert "half_auc" in found.table.columns["metric"]
    assert found.metrics()["model_a.half_auc"] == found.metrics()["model_a.roc_auc"] / 2
    page = render_html(found)
    assert "half auc" in page
    assert words("en").numbers.share(found.metrics()["model_a.half_auc"]) in page


def test_weighted_rows_and_their_weight_are_told_apart(frame):
    found = cw.evaluate(frame, label="disease", scores="model_b", weight="weight", **QUICK)
    counted = "4,060 rows (weight 4,991.3), 124.7 of the weight positive (2.499%)"
    assert str(found.statement) == f"{counted}, label disease"
    assert found.statement.text("zh").startswith("4,060 行（权重 4,991.3），其中阳性权重 124.7（2.499%）")
    assert "4,060 rows (weight 4,991.3), 124.7 of the weight positive (2.5%)" in render_html(found, None, "en")


def test_combinations_of_groups_have_their_sizes(found):
    sizes = found.data["groups"]
    assert list(sizes) == ["sex", "age_band", "sex, age_band"]
    assert sizes["sex, age_band"]["sex=female, age_band=40-49"] == 478
    assert all(sum(of.values()) == 4060 for of in sizes.values())
    assert "sex=female, age_band=40-49" in render_html(found, None, "en")


def test_what_scores_do_not_define_is_said_with_the_reason(found):
    text = found.to_markdown()
    row = next(line for line in text.splitlines() if line.startswith("| brier_loss"))
    assert row.endswith("| undefined |")
    assert "> rating: The scores are not probabilities." in text


def test_the_level_and_the_serious_notes_are_said():
    data = {"y": [0, 1] * 5, "s": [0.1, 0.8, 0.7, 0.9, 0.2, 0.3, 0.6, 0.7, 0.1, 0.9]}
    found = cw.evaluate(data, label="y", scores="s", level=0.9, **QUICK)
    assert str(found).startswith("Evaluation of predictions (90% intervals)\n")
    assert "\n  Few positives (5)" in str(found)
    assert found.table.title == "Evaluation of predictions (90% intervals)"
    text = found.to_markdown()
    assert "## Numbers (90% intervals)" in text
    assert "- Warning: Few positives (5)" in text
    assert "- Note: The threshold was chosen on these data" in text
    shown = terminal(Document("", blocks_of(found), {}, []))
    assert "\nWarning: Few positives (5)" in shown
    assert "\nNote: The threshold was chosen on these data" in shown


def test_rule_and_report_speak_of_one_prevalence():
    """A prevalence stated beside a rule is the rule's, so that no card contradicts its sentence."""
    data = {"y": [0, 1] * 10, "s": [0.1, 0.8, 0.7, 0.9, 0.2, 0.3, 0.6, 0.7, 0.15, 0.95] * 2}
    wanted = cw.evaluate(data, label="y", scores="s", rule=cw.rules.max_fpr(0.3, prevalence=0.02), **QUICK)
    for rule in (cw.rules.max_fpr(0.3), cw.rules.max_fpr(0.3, prevalence=0.02)):
        found = cw.evaluate(data, label="y", scores="s", rule=rule, prevalence=0.02, **QUICK)
        assert found.options.prevalence == wanted.options.prevalence == 0.02
        assert found.models["s"].point.sentence == wanted.models["s"].point.sentence
        assert "at a prevalence of 2%" in found.models["s"].point.sentence
    with pytest.raises(cw.CurvewiseError, match=r"0.1 was stated, and the rule has 0.02; state it once"):
        cw.evaluate(data, label="y", scores="s", rule=cw.rules.max_fpr(0.3, prevalence=0.02), prevalence=0.1, **QUICK)
