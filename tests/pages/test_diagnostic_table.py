"""The table of diagnostic accuracy: numbers by hand, corrected choices, other prevalences, writers, hostile names."""

import csv
import io
import json
import zipfile

import numpy as np
import pytest

import curvewise as cw
from pages.sample import HOSTILE, many_classes, no_choice, screening

# 20 positives, 15 of them at 1 or above; 80 negatives, 8 of them at 1 or above
Y = np.repeat([1, 1, 0, 0], [15, 5, 8, 72])
S = np.concatenate([np.linspace(1, 2, 15), np.linspace(0, 0.9, 5), np.linspace(1, 1.8, 8), np.linspace(-1, 0.8, 72)])
rng = np.random.default_rng(2)
T = S + rng.normal(0, 0.6, 100)


def test_rates_at_a_fixed_threshold_by_hand():
    found = cw.diagnostic_table(Y, S, threshold=1)
    model = found.models["score"]
    parts = {"recall": (15, 20), "specificity": (72, 80), "precision": (15, 23), "npv": (72, 77), "accuracy": (87, 100)}
    for name, (k, n) in parts.items():
        assert model.counts(name) == (k, n)
        assert model.rates[name].value == k / n
        assert (model.rates[name].low, model.rates[name].high) == cw.rate_interval(k, n)  # Wilson's
    assert model.rates["lr_positive"].value == pytest.approx((15 / 20) / (8 / 80))
    assert model.rates["lr_negative"].value == pytest.approx((5 / 20) / (72 / 80))
    assert model.rates["lr_negative"] == cw.interval("lr_negative", Y, S, threshold=1)
    assert model.auc.low == cw.interval("roc_auc", Y, S).low
    assert not model.is_corrected
    assert model.p_value is None
    text = found.to_markdown()
    assert "15/20, 75.0" in text
    assert "≥ 1 |" in text
    assert "if the thresholds were fixed beforehand" in text
    methods = (
        "AUC by a score interval with DeLong’s variance, rates by Wilson’s method and likelihood ratios by Jeffreys’"
    )
    assert f"Intervals: {methods} posterior" in text
    chosen = cw.diagnostic_table(Y, {"s": S}, rule=cw.rules.youden(), replicates=60)
    assert "rates by Wilson’s method (corrected for the choice of the threshold) and" in str(chosen)


def test_a_chosen_threshold_has_the_corrected_rates_of_the_operating_point():
    rule = cw.rules.youden()
    found = cw.diagnostic_table(Y, {"s": S}, rule=rule, replicates=200)
    point = cw.operating_point(Y, S, rule, replicates=200)
    model = found.models["s"]
    for name in ("recall", "specificity", "precision", "npv", "accuracy"):
        assert model.rates[name] == point.expected[name]
    assert model.rates["recall"].value < point.estimates["recall"].value
    ratio = model.rates["lr_positive"]
    assert ratio.value == pytest.approx(point.expected["recall"].value / point.expected["fpr"].value)
    assert ratio.low < ratio.value < ratio.high
    text = found.to_markdown()
    assert "to expect on new data" in text
    c = point.confusion
    assert f"{c.tp} / {c.fp} / {c.fn} / {c.tn}" in text
    assert "n/N" not in text  # counts would contradict corrected rates


def test_another_prevalence_moves_predictive_values_only():
    here = cw.diagnostic_table(Y, S, threshold=1)
    there = cw.diagnostic_table(Y, S, threshold=1, prevalence=0.02)
    ppv = 0.02 * 0.75 / (0.02 * 0.75 + 0.98 * 0.1)
    rates = there.models["score"].rates
    assert rates["precision"].value == pytest.approx(ppv)
    assert rates["precision"].low < ppv < rates["precision"].high
    assert rates["accuracy"].value == pytest.approx(0.02 * 0.75 + 0.98 * 0.9)
    for name in ("recall", "specificity", "lr_positive", "lr_negative"):
        assert rates[name] == here.models["score"].rates[name]
    text = there.to_markdown()
    assert "for a prevalence of 2" in text
    assert "Sensitivity, n/N" in text
    assert "PPV, n/N" not in text
    ruled = cw.diagnostic_table(Y, S, rule=cw.rules.youden(), prevalence=0.02, replicates=50)
    assert ruled.prevalence == 0.02


def test_models_are_compared_with_the_first():
    found = cw.diagnostic_table(Y, {"s": S, "t": T}, threshold={"s": 1, "t": 0.5})
    assert found.models["s"].p_value is None
    assert found.models["t"].p_value == cw.compare(Y, {"s": S, "t": T}).p_value
    assert found.models["t"].threshold == 0.5
    three = cw.diagnostic_table(Y, {"s": S, "t": T, "u": -S}, threshold=1)
    plain = {p.second: p.p_value for p in cw.compare(Y, {"s": S, "t": T, "u": -S}).pairs if p.first == "s"}
    smallest = min(plain, key=plain.get)
    assert three.models[smallest].p_value == pytest.approx(min(2 * plain[smallest], 1))  # Holm's first step
    assert "corrected for 2 comparisons" in three.to_markdown()


def test_nri_and_idi_come_with_their_caveat():
    p, q = (1 / (1 + np.exp(-s)) for s in (S, T))
    found = cw.diagnostic_table(Y, {"p": p, "q": q}, threshold=0.5, reclassification=True)
    wanted = cw.reclassification(Y, {"p": p, "q": q}, thresholds=[0.5])
    assert found.reclassification.nri.total == wanted.nri.total
    assert found.reclassification.idi == wanted.idi
    for text in (found.to_markdown(), found.to_latex()):
        assert "Do not choose a model by NRI or IDI" in text
        assert "Continuous NRI" in text
    apart = cw.diagnostic_table(Y, {"p": p, "q": q}, threshold={"p": 0.5, "q": 0.4}, reclassification=True)
    assert apart.reclassification.nri is None  # two categories need one limit
    with pytest.raises(cw.CurvewiseError, match="expected two models"):
        cw.diagnostic_table(Y, p, threshold=0.5, reclassification=True)
    with pytest.raises(cw.CurvewiseError):
        cw.diagnostic_table(Y, {"s": S, "t": T}, threshold=0.5, reclassification=True)  # no probabilities


def test_evaluations_have_the_table_and_the_reclassification_of_two_models():
    found = screening().diagnostic_table()
    for name, model in screening().models.items():
        assert found.models[name].rates["recall"] == model.point.expected["recall"]
        assert found.models[name].auc.value == model.estimates["roc_auc"].value
    assert found.prevalence == 0.02
    assert screening().reclassification is None  # three models
    assert no_choice().diagnostic_table().models["rating"].rates == {}
    assert "No threshold of rating meets the rule" in no_choice().diagnostic_table().to_markdown()
    with pytest.raises(cw.CurvewiseError, match="of two classes"):
        many_classes().diagnostic_table()
    p, q = (1 / (1 + np.exp(-s)) for s in (S, T))
    two = cw.evaluate(Y, {"p": p, "q": q}, replicates=20)
    assert two.reclassification.idi == cw.reclassification(Y, {"p": p, "q": q}).idi
    assert cw.evaluate(Y, {"p": p, "s": S}, replicates=20).reclassification is None
    strata = cw.evaluate(Y, {"p": p, "q": q}, stratum=np.arange(100) % 2, replicates=20)
    assert strata.reclassification is None


def test_low_scores_that_mean_positive_clusters_and_weights():
    turned = cw.diagnostic_table(Y, -S, threshold=-1, higher_is="negative")
    assert turned.models["score"].rates == cw.diagnostic_table(Y, S, threshold=1).models["score"].rates
    assert "≤ −1" in turned.to_markdown()
    rows = cw.read_rows(Y, S, cluster=np.arange(100) // 4)
    recall = cw.diagnostic_table(rows, threshold=1).models["score"].rates["recall"]
    assert recall == cw.interval("recall", rows, threshold=1)
    weighted = cw.diagnostic_table(Y, S, threshold=1, weight=1 + np.arange(100) % 3 / 2)
    assert "sums of weights" in weighted.to_markdown()
    assert "n/N" not in weighted.to_markdown()
    counted = cw.diagnostic_table(Y, S, threshold=1, weight=np.full(100, 3), weight_kind="count")
    assert counted.rows == 300
    assert counted.models["score"].counts("recall") == (45, 60)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "threshold, rule: expected one of them"),
        ({"threshold": 1, "rule": cw.rules.youden()}, "threshold, rule: expected one of them"),
        ({"threshold": {"s": 1}}, "threshold: expected one for each model, 't' has none"),
        ({"threshold": {"s": 1, "t": 1, "u": 1}}, "there is no model 'u'"),
        ({"threshold": float("nan")}, "threshold: expected a"),
        ({"threshold": 1, "prevalence": 1}, "prevalence: expected"),
        ({"rule": "youden"}, "rule: expected one of curvewise.rules"),
        ({"threshold": 1, "wieght": S}, "did you mean 'weight'"),
    ],
)
def test_bad_options_are_refused(options, said):
    with pytest.raises(cw.CurvewiseError, match=said):
        cw.diagnostic_table(Y, {"s": S, "t": T}, **options)


def test_one_class_alone_is_undefined():
    with pytest.raises(cw.UndefinedMetricError, match="A diagnostic table"):
        cw.diagnostic_table(np.ones(5), np.arange(5), threshold=1)


def test_a_result_like_all_others():
    pytest.importorskip("polars")
    found = cw.diagnostic_table(Y, {"s": S, "t": T}, threshold=1)
    assert found.to_dict()["schema"] == "curvewise.diagnostic_table"
    json.dumps(found.to_dict(), allow_nan=False)
    frame = found.to_frame("polars")
    assert frame.columns == ["model", "metric", "value", "low", "high", "count", "of"]
    assert frame.filter(model="s", metric="recall").row(0)[2:] == (0.75, *cw.rate_interval(15, 20), 15, 20)
    assert "Sensitivity" in str(found)
    rows = list(csv.DictReader(io.StringIO(found.to_csv())))
    assert len(rows) == len(frame)
    value = next(r["value"] for r in rows if (r["model"], r["metric"]) == ("s", "npv"))
    assert float(value) == 72 / 77  # in full precision


@pytest.mark.parametrize("kind", list(HOSTILE))
def test_hostile_names_in_every_form(kind, tmp_path):
    name = HOSTILE[kind]
    found = cw.diagnostic_table(Y, {name: S, f"{name} 2": T}, threshold=1)
    assert "<script" not in found.to_markdown() + found._repr_html_()
    assert all(line.isprintable() for line in found.to_latex().replace("~", "").splitlines())
    assert not any(row.startswith("=") for row in found.to_csv().splitlines())
    found.to_docx(tmp_path / "t.docx")
    assert zipfile.ZipFile(tmp_path / "t.docx").testzip() is None


def test_docx_is_not_written_over_another_file(tmp_path):
    found = cw.diagnostic_table(Y, S, threshold=1)
    path = tmp_path / "t.docx"
    found.to_docx(path)
    before = path.read_bytes()
    with pytest.raises(cw.SourceError, match="pass force=True"):
        found.to_docx(path)
    found.to_docx(path, force=True)
    assert path.read_bytes() == before  # the same table, the same bytes
    with pytest.raises(cw.CurvewiseError, match="lang"):
        found.to_docx(tmp_path / "u.docx", lang="fr")
    assert not (tmp_path / "u.docx").exists()


def test_chinese_has_no_english_left():
    text = cw.diagnostic_table(Y, {"s": S, "t": T}, rule=cw.rules.youden(), prevalence=0.1, replicates=50).to_markdown(
        "zh"
    )
    for word in ("Sensitivity", "Threshold", "rows", "CI", "reference"):
        assert word not in text
    assert "灵敏度" in text
