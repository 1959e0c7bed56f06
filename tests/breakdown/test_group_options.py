"""Options of rows and of metrics, aliases, Holm's correction, and what every result can do."""

import json
import math

import numpy as np
import pytest

import curvewise as cw
from curvewise.metric.registry import every
from curvewise.results import Result

Y = np.array([1, 1, 0, 0, 1, 1, 0, 0] * 8)
S = np.clip(0.3 + 0.3 * Y + 0.25 * np.random.default_rng(4).normal(size=64), 0.01, 0.99)
G = np.array([*"aaaabbbb"] * 8)


def test_any_metric_by_any_name_with_its_options():
    found = cw.by_group(Y, S, G, metrics=["AUC", "partial_roc_auc", "sensitivity"], fpr=(0, 0.5), threshold=0.5)
    assert found.metrics == ("roc_auc", "partial_roc_auc", "recall")
    on = G == "a"
    wanted = cw.partial_roc_auc(Y[on], S[on], fpr=(0, 0.5))
    assert found.groups()[0].estimates["partial_roc_auc"].value == wanted
    assert found.gap("sensitivity") == found.gap("recall")
    assert found.tests("tpr").metric == "recall"


def test_every_metric_of_the_registry_can_be_broken_down():
    asked = [m for m in every() if m.in_tables]
    options = {k: v for m in asked for k, v in m.shown.items() if k != "threshold"}
    found = cw.by_group(Y, S, G, metrics=[m.name for m in asked], threshold=0.5, replicates=5, **options)
    assert found.metrics == tuple(m.name for m in asked)
    assert len(found.gaps()) == len(asked)


def test_resampled_metrics_are_those_of_interval():
    found = cw.by_group(Y, S, G, metrics=["average_precision"], replicates=50)
    on = G == "b"
    assert found.groups()[1].estimates["average_precision"] == cw.interval(
        "average_precision", Y[on], S[on], replicates=50
    )
    weight = np.linspace(1, 2, len(Y))
    found = cw.by_group(Y, S, G, metrics=["average_precision"], replicates=50, weight=weight)
    alone = cw.interval("average_precision", Y[on], S[on], replicates=50, weight=weight[on])
    assert found.groups()[1].estimates["average_precision"] == alone


def test_the_same_call_gives_the_same_answer():
    def resampled(sweep):
        return cw.average_precision(sweep)

    calls = [cw.by_group(Y, S, G, metrics=[resampled], replicates=30) for _ in range(2)]
    assert calls[0].table == calls[1].table
    fresh = cw.by_group(Y, S, G, metrics=[resampled], replicates=30, rng=None)
    assert fresh.table != calls[0].table
    assert fresh.gap("resampled") == fresh.gap("resampled")


@pytest.mark.parametrize("verb", [cw.by_group, cw.by_site])
def test_every_option_of_rows_counts(verb):
    def auc(*data, **options):
        found = verb(*data, **options)
        return [e.value for e in _aucs(found)]

    plain = auc(Y, S, G)
    assert auc(np.where(Y == 1, "ill", "well"), S, G, positive="ill") == plain
    assert auc(Y, -S, G, higher_is="negative") == plain
    assert auc(Y, S, G, round_to=0) != plain
    assert auc(Y, S, G, weight=1 + np.arange(64) % 3) != plain
    gaps = np.where(np.arange(64) == 5, np.nan, S)
    kept = np.arange(64) != 5
    assert auc(Y, gaps, G, missing="drop") == auc(Y[kept], S[kept], G[kept])
    honest, naive = (_aucs(verb(Y, S, G, cluster=c)) for c in (np.arange(64) // 8, np.arange(64)))
    assert honest[0].standard_error != pytest.approx(naive[0].standard_error, rel=0.05)


def _aucs(found):
    groups = found.groups() if hasattr(found, "groups") else [s.group for s in found.sites]
    return [g.estimates["roc_auc"] for g in groups]


@pytest.mark.parametrize(
    "call",
    [
        lambda **o: cw.by_group(Y, S, G, **o),
        lambda **o: cw.fairness(Y, S, G, threshold=0.5, **o),
        lambda **o: cw.by_site(Y, S, G, **o),
    ],
)
def test_unknown_options_are_refused_with_the_nearest(call):
    for wrong, right in (("sample_weight", "weight"), ("clusters", "cluster"), ("seed", "rng")):
        with pytest.raises(cw.CurvewiseError, match=f"{wrong}: unknown option; did you mean '{right}'"):
            call(**{wrong: Y})


def test_holm_corrects_for_all_metrics_and_columns():
    rng = np.random.default_rng(0)
    other = rng.choice(["u", "v", "w"], 64)
    found = cw.by_group(Y, S, {"g": G, "h": other}, threshold=0.5, metrics=["recall", "fpr", "roc_auc"])
    tables = [found.gaps(column=name).columns for name in found.breakdowns]
    plain = np.concatenate([t["p_equal"] for t in tables])
    holm = np.concatenate([t["p_holm"] for t in tables])
    assert len(plain) == 9
    there = ~np.isnan(plain)
    assert (np.isnan(holm) == ~there).all()
    assert (holm[there] >= plain[there]).all()
    least = np.nanargmin(plain)
    assert holm[least] == pytest.approx(min(there.sum() * plain[least], 1))
    one = cw.by_group(Y, S, G, metrics=["roc_auc"]).gaps().columns
    assert one["p_holm"] == one["p_equal"]


def test_criteria_have_codes_metrics_and_words():
    found = cw.fairness(Y, S, G, threshold=0.5)
    for c in found.criteria:
        assert found.criterion(c.code) is found.criterion(c.name) is c
        assert c.label("zh") != c.label("en")
        assert c.told("en") == c.meaning
        assert c.metric in found.groups.metrics
    assert found.criterion("Demographic Parity").metric == "predicted_rate"
    with pytest.raises(cw.CurvewiseError, match="no criterion 'equal oportunity'; did you mean 'equal opport"):
        found.criterion("equal oportunity")
    with pytest.raises(cw.CurvewiseError, match="no criterion 'x'"):
        found.criterion("x")


def results():
    groups = cw.by_group(np.where(G == "b", 0, Y), S, G, threshold=0.5)
    fairness = cw.fairness(Y, S, G, threshold=0.5)
    sites = cw.by_site(Y, S, np.arange(64) // 16, threshold=0.5)
    return [
        groups,
        groups.overall,
        groups.gap("recall"),
        groups.tests("fpr"),
        fairness,
        fairness.criteria[0],
        fairness.xauc,
        sites,
        sites.sites[0],
        sites.pooled,
    ]


@pytest.mark.parametrize("result", results(), ids=lambda r: type(r).__name__)
def test_every_result_does_the_same(result):
    assert isinstance(result, Result)
    assert len(result.table) >= 1
    assert result.to_frame("polars").shape[0] == len(result.table)
    told = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert told["schema"].startswith("curvewise.")
    assert str(result)
    assert repr(result) == str(result)
    assert "|" in result.to_markdown()
    assert "<" in result._repr_html_()
    for note in result.notes:
        assert note.text("zh") != note.text("en")


def test_reasons_are_told_in_any_language():
    gap = cw.by_group(np.where(G == "b", 0, Y), S, G, threshold=0.5).gap("recall")
    assert math.isnan(gap.value)
    assert str(gap.reason) == "recall is undefined in b: no row is positive"
    assert "no row" not in gap.reason.text("zh")
    assert gap.reason.to_dict()["values"]["why"]["code"] == "nothing_there"
