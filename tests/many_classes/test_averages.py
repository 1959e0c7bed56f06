"""Any metric of the registry, by any of its names, averaged over classes or labels."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import curvewise as cw
from curvewise.many_classes.class_metrics import CLASS_TABLE, LABEL_TABLE, metrics_of_all
from curvewise.metric.registry import every
from curvewise.words import words
from many_classes.sample import class_rows, label_rows

KINDS = (cw.results.Multiclass, cw.results.Multilabel)
NEEDS = {
    "fpr": 0.1,
    "specificity": 0.9,
    "sensitivity": 0.9,
    "recall": 0.5,
    "precision": 0.5,
    "at_fraction": 0.2,
    "prior": 0.2,
    "beta": 2,
    "fp": 1,
    "fn": 3,
}


def own(metric):
    return {name: NEEDS[name] for name in metric.required if name != "threshold"}


@pytest.mark.parametrize("metric", every(), ids=lambda m: m.name)
def test_a_mean_over_classes_is_the_mean_of_each_class_against_the_rest(metric):
    y, p = class_rows(n=150)
    m = cw.multiclass(y, p)
    options = own(metric)
    if metric.name == "net_benefit":  # which costs it states is said by the threshold
        options["threshold"] = 0.4
    if metric.family == "threshold" and "threshold" not in options:
        stated = {"threshold": 0.5, **options}
        each = [cw.interval(metric.name, y == k, p.argmax(1) == k, replicates=2, **stated).value for k in range(3)]
    else:
        each = [metric.bind(options)(cw.sweep(y == k, p[:, k])) for k in range(3)]
    assert m.average(metric.name, **options) == pytest.approx(np.mean(each))
    weights = np.bincount(y)
    assert m.average(metric.name, "weighted", **options) == pytest.approx(np.average(each, weights=weights))
    for alias in metric.aliases:
        assert m.average(alias.upper(), **options) == pytest.approx(np.mean(each))
    assert math.isfinite(m.average(metric.name, "micro", **options))


def test_a_threshold_counts_scores_and_not_predictions():
    y, p = class_rows(n=150)
    m = cw.multiclass(y, p)
    each = [cw.confusion(y == k, p[:, k], threshold=0.3) for k in range(3)]
    assert m.average("recall", threshold=0.3) == pytest.approx(np.mean([c.recall for c in each]))
    total = cw.Confusion(**{k: sum(getattr(c, k) for c in each) for k in ("tp", "fp", "fn", "tn")})
    assert m.average("precision", "micro", threshold=0.3) == pytest.approx(total.precision)


def test_intervals_take_any_name():
    m = cw.multiclass(*class_rows(n=120))
    for name, same in (
        ("auc", "roc_auc"),
        ("AP", "average_precision"),
        ("f1_score", "f1"),
        ("acc", "accuracy"),
    ):
        a, b = (m.interval(k, replicates=40) for k in (name, same))
        assert a == b
        assert a.metric == same
    found = m.interval("sensitivity_at_specificity", specificity=0.9, average="weighted", replicates=40)
    assert found.value == m.average("sensitivity_at_specificity", "weighted", specificity=0.9)
    with pytest.raises(cw.CurvewiseError, match="specificty"):
        m.interval("sensitivity_at_specificity", specificty=0.9)
    with pytest.raises(cw.CurvewiseError, match="unknown option"):
        m.average("recall", zeros=0)


@pytest.mark.parametrize("metric", ["specificity", "jaccard", "ks", "brier_loss", "auc"])
def test_labels_average_any_metric(metric):
    truth, s = label_rows()
    m = cw.multilabel(truth, s)
    options = {"threshold": 0.6} if metric in ("specificity", "jaccard") else {}
    each = [cw.interval(metric, truth[:, k], s[:, k], replicates=2, **options).value for k in range(3)]
    assert m.average(metric, **options) == pytest.approx(np.mean(each))
    assert m.interval(metric, replicates=20, **options).value == m.average(metric, **options)


def test_rows_own_labels_have_counts_and_two_areas():
    truth, s = label_rows()
    m = cw.multilabel(truth, s)
    flags = s >= 0.5
    jaccard = [(t & f).sum() / (t | f).sum() for t, f in zip(truth.astype(bool), flags, strict=True) if (t | f).any()]
    assert m.average("jaccard", "samples", zero=0) == pytest.approx(np.sum(jaccard) / len(truth))
    with pytest.raises(cw.CurvewiseError, match="average='samples' is for metrics at a threshold"):
        m.average("ks", "samples")


def test_several_estimates_share_their_resamples():
    y, p = class_rows(n=120)
    m = cw.multiclass(y, p)
    found = m.estimates(replicates=50)
    assert list(found) == list(CLASS_TABLE)
    for name in ("accuracy", "roc_auc", "f1", "log_loss"):
        alone = m.interval(name, replicates=50)
        assert (found[name].low, found[name].high) == (pytest.approx(alone.low), pytest.approx(alone.high))
    assert found["recall"].value == m.recall()
    labels_only = cw.multiclass([0, 1, 2, 2] * 5, predicted=[0, 1, 1, 1] * 5).estimates(replicates=20)
    assert not labels_only["precision"].is_defined
    assert "never predicted" in str(labels_only["precision"].reason)
    assert labels_only["recall"].has_interval
    sure = cw.multiclass([0, 1] * 5, [[1, 0], [1, 0]] * 5).estimates(["log_loss"], replicates=20)["log_loss"]
    assert (sure.value, sure.has_interval) == (math.inf, False)
    assert m.estimates(["auc"], average="micro", replicates=10)["roc_auc"].value == m.roc_auc("micro")
    assert list(cw.multilabel(*label_rows()).estimates(replicates=10)) == list(LABEL_TABLE)


def test_the_table_shows_what_is_asked():
    m = cw.multiclass(*class_rows(n=60))
    found = m.summary("weighted", ["ks", "acc"], replicates=20)
    assert found.table.columns["metric"] == ["ks", "accuracy"]
    assert found.table.columns["value"] == [m.average("ks", "weighted"), m.accuracy]
    assert found.estimates == m.estimates(["ks", "accuracy"], average="weighted", replicates=20)
    quick = m.summary(intervals=False)
    assert list(quick.table.columns) == ["metric", "value", "meaning"]
    assert str(m).startswith(str(quick.table))
    text = str(m.summary(replicates=20))
    assert "Each class against the rest (95% intervals)" in text
    assert "as 0" in text


def test_very_many_rows_are_not_resampled_unasked(monkeypatch):
    monkeypatch.setattr("curvewise.many_classes.class_rows.MOST_CELLS", 100)
    found = cw.multiclass(*class_rows(n=60)).summary()
    assert not any(e.has_interval for e in found.estimates.values())
    assert found.notes[-1].code == "class_intervals_left_out"


def test_every_number_has_a_meaning_in_both_languages():
    for lang in ("en", "zh"):
        say = words(lang)
        for name in {*CLASS_TABLE, *LABEL_TABLE, *(f.name for kind in KINDS for f in metrics_of_all(kind).values())}:
            assert say(f"many.meaning.{name}", average="macro")


def results():
    y, p = class_rows(n=60)
    m = cw.multiclass(y, p)
    labels = cw.multilabel(*label_rows(n=60))
    return [
        m,
        labels,
        m.summary(replicates=20),
        labels.summary(replicates=20),
        m.matrix,
        m.calibration(),
        m.top_label_calibration(),
        labels.at(0.5),
        m.roc_curve(),
        m.pr_curve(),
    ]


@pytest.mark.parametrize("result", results(), ids=lambda r: type(r).__name__)
def test_results_do_what_every_result_does(result):
    assert result.table.columns
    assert len(result.to_frame("polars"))
    found = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert list(found)[:2] == ["schema", "version"]
    assert str(result)
    assert result.to_markdown()
    assert result._repr_html_()
    assert isinstance(result.notes, tuple)
    assert result.parts()


def test_figures():
    pytest.importorskip("matplotlib").use("agg")
    y, p = class_rows(n=60)
    m, labels = cw.multiclass(y, p), cw.multilabel(*label_rows(n=60))
    for rows in (m, labels):
        lines = [text.get_text() for text in rows.plot().get_legend().get_texts()]
        assert [line.split(":")[0] for line in lines] == ["0", "1", "2", "mean AUC"]
        assert lines[-1].endswith(f"{rows.roc_auc():.3f}")
    for result in (m.roc_curve(), m.pr_curve(), m.matrix, m.summary(replicates=20)):
        assert result.plot().has_data()
    assert cw.multiclass(y, predicted=p.argmax(axis=1)).plot().has_data()
