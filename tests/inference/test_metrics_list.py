"""The list of metrics, and any metric by any name as a plain number."""

import json
import math

import numpy as np
import pytest

import curvewise as cw
from curvewise.inference.metrics_list import metrics, score
from curvewise.metric import registry
from curvewise.metric.registry import Metric, every
from curvewise.results import MetricList
from curvewise.words import LANGS, texts

Y = [0, 0, 1, 1, 0, 1]
P = [0.1, 0.4, 0.35, 0.8, 0.3, 0.6]
COLUMNS = [
    *("name", "aliases", "family", "unit", "better", "range", "chance", "prevalence", "options", "interval"),
    *("reference", "label", "meaning", "formula", "pitfall"),
]


@pytest.fixture
def newcomer(monkeypatch):
    """Register a metric that has no words anywhere, for one test."""

    def share_of_ties(sweep, *, power: float = 1.0):
        """Return the share of rows that tie with another.

        It says nothing else.
        """
        rows = sweep.block_positives + sweep.block_negatives
        return float(rows[rows > 1].sum() / sweep.n) ** power

    every()
    monkeypatch.setattr(registry, "_known", dict(registry._known))
    registry.add(Metric("share_of_ties", share_of_ties, "ranking", aliases=("ties",), low=0.0, high=1.0))


def test_the_list_has_every_metric_and_every_fact():
    found = metrics()
    assert isinstance(found, MetricList)
    assert list(found.names) == [m.name for m in every()]
    assert list(found.table.columns) == COLUMNS
    assert len(found) == len(found.table) == len(every())
    rows = {row["name"]: row for row in found.table.rows()}
    assert rows["roc_auc"]["range"] == "0 to 1"
    assert rows["roc_auc"]["chance"] == "0.5"
    assert rows["roc_auc"]["prevalence"] is False
    assert rows["average_precision"]["chance"] == "prevalence"
    assert rows["average_precision"]["options"] == "ties='block'"
    assert rows["f1"]["options"] == "threshold"
    assert rows["calibration_slope"]["better"] == "near 1"
    assert rows["ks"]["aliases"] == "kolmogorov_smirnov, ks_statistic"


def test_the_list_is_a_result_like_any_other():
    found = metrics()
    assert len(found.to_frame("polars")) == len(found)
    data = json.loads(json.dumps(found.to_dict()))
    assert data["schema"] == "curvewise.metric_list"
    assert [m["name"] for m in data["metrics"]] == list(found.names)
    assert "roc_auc" in found.to_markdown()
    assert "roc_auc" in found._repr_html_()
    assert "x of 100 alarms are correct" in str(found)


@pytest.mark.parametrize("family", ["ranking", "probability", "threshold"])
def test_one_family(family):
    found = metrics(family)
    assert 0 < len(found) < len(every())
    assert {m.family for m in found} == {family}


def test_what_cannot_be_listed():
    with pytest.raises(cw.CurvewiseError, match=r"family: expected one of .* did you mean 'threshold'"):
        metrics("thresholds")
    with pytest.raises(cw.CurvewiseError, match="lang: expected one of 'en', 'zh'"):
        metrics(lang="fr")


@pytest.mark.parametrize("lang", LANGS)
def test_every_metric_has_its_words(lang):
    known = texts(lang)
    for m in every():
        assert known[f"metric.{m.name}"] == m.label(lang)
        assert f"metric.meaning.{m.name}" in known, m.name
        for text in (
            m.meaning(lang),
            m.meaning(lang, 0.25),
            m.label(lang, shown=True),
            m.meaning(lang, shown=True),
        ):
            assert text
            assert not set("{}–") & set(text.replace("Kolmogorov–", "").replace("Fowlkes–", "")), text
        if m.rate is not None:
            assert "25" in m.meaning(lang, 0.25)
            assert "x" in m.meaning(lang)


def test_words_speak_of_the_options_that_tables_show():
    partial = next(m for m in every() if m.name == "partial_roc_auc")
    assert partial.label() == "Partial AUC"
    assert partial.label(shown=True) == "Partial AUC, FPR up to 10%"
    assert partial.meaning("zh", shown=True).startswith("误报不超过 10%")


@pytest.mark.usefixtures("newcomer")
def test_a_metric_without_words_works():
    assert score("Ties", Y, [1, 1, 2, 3, 3, 3]) == pytest.approx(5 / 6)
    for lang in LANGS:
        row = metrics(lang=lang).table.rows()[[m.name for m in every()].index("share_of_ties")]
        assert row["label"] == "share of ties"
        assert row["meaning"] == "the share of rows that tie with another"
        assert row["options"] == "power=1.0"
    assert cw.interval("ties", Y * 5, P * 5, replicates=20).metric == "share_of_ties"
    assert cw.interval("ties", Y * 5, P * 5, replicates=20).plot().get_xlabel() == "share of ties"


@pytest.mark.parametrize("m", every(), ids=lambda m: m.name)
def test_every_name_gives_the_same_number(m):
    options = dict.fromkeys(m.required, 0.5)
    value = score(m.name, Y, P, **options)
    assert isinstance(value, float)
    assert value == m.bind(options)(cw.sweep(Y, P))
    for name in (*m.aliases, m.name.upper(), m.name.replace("_", "-")):
        assert score(name, Y, P, **options) == value
    assert score(m.function, Y, P, **options) == value


def test_a_function_of_a_sweep_is_a_metric():
    assert score(lambda s: s.n, Y, P) == 6
    with pytest.raises(cw.UndefinedMetricError, match="returned NaN"):
        score(lambda s: math.nan, Y, P)


def test_rows_are_read_with_all_options():
    y, p = np.array(Y), np.array(P)
    words = np.where(y, "ill", "well")
    assert score("auc", words, p, positive="ill") == cw.roc_auc(y, p)
    assert score("auc", y, -p, higher_is="negative") == cw.roc_auc(y, p)
    w = [1, 2, 1, 3, 1, 1]
    again = np.repeat(y, w), np.repeat(p, w)
    for name, options in (("auc", {}), ("mcc", {"threshold": 0.35}), ("brier", {}), ("ap", {})):
        assert score(name, y, p, weight=w, **options) == score(name, *again, **options)
    assert score("auc", y, p, round_to=1) == cw.roc_auc(y, np.round(p, 1))
    assert score("f1", [*Y, 1], [*P, np.nan], missing="drop", threshold=0.35) == score("f1", Y, P, threshold=0.35)
    assert score("auc", y, p, cluster=[1, 1, 2, 2, 3, 3]) == cw.roc_auc(y, p)
    assert score("auc", cw.sweep(y, p)) == cw.roc_auc(y, p)


def test_what_is_unknown_is_refused_with_a_suggestion():
    with pytest.raises(cw.CurvewiseError, match=r"sample_weight: unknown option of roc_auc; did you mean 'weight'"):
        score("roc_auc", Y, P, sample_weight=[1] * 6)
    with pytest.raises(cw.CurvewiseError, match="tie: unknown option of average_precision; did you mean 'ties'"):
        score("ap", Y, P, tie="block")
    with pytest.raises(cw.CurvewiseError, match="no metric 'f2_scor'; did you mean 'f2'"):
        score("f2_scor", Y, P)
    with pytest.raises(cw.CurvewiseError, match="f1 is a number at a threshold: pass threshold="):
        score("f1", Y, P)
    with pytest.raises(cw.CurvewiseError, match="recall_at_fpr needs a number: pass fpr="):
        score("recall_at_fpr", Y, P)
    with pytest.raises(cw.UndefinedMetricError, match="0 of 2 rows are negative"):
        score("auc", [1, 1], [1, 2])
