"""Every verb on probabilities takes every option of rows, and returns a result like every other."""

import json

import numpy as np
import pytest

import curvewise as cw
from curvewise.metric.registry import find
from curvewise.results import Result, Table

NUMBERS = ("brier_loss", "log_loss", "spherical_loss", "brier_skill", "log_skill", "spherical_skill")
VERBS = (*NUMBERS, "calibration", "reliability", "isotonic", "decompose", "recalibrate")
every = pytest.mark.parametrize("verb", [getattr(cw, name) for name in VERBS], ids=VERBS)


def content(found):
    return found.content() if isinstance(found, Result) else found


@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    p = rng.beta(1, 2, 120).clip(0.01, 0.99)
    return rng.random(120) < p, p


@every
def test_rows_and_sweeps_in_the_place_of_labels(verb, rows):
    assert content(verb(cw.read_rows(*rows))) == content(verb(*rows)) == content(verb(cw.sweep(*rows)))
    assert content(verb(cw.read_rows(rows[0], {"a": rows[1]}))) == content(verb(*rows))
    with pytest.raises(cw.CurvewiseError, match="already read"):
        verb(cw.read_rows(*rows), rows[1])
    with pytest.raises(cw.CurvewiseError, match="Rows of 2 models"):
        verb(cw.read_rows(rows[0], {"a": rows[1], "b": rows[1]}))


@every
def test_every_option_of_rows_counts(verb, rows):
    y, p = rows
    plain = content(verb(y, p))
    named = np.where(y, "ill", "well")
    assert content(verb(named, p, positive="ill")) == plain
    assert content(verb(y, p.round(1))) == content(verb(y, p, round_to=1)) != plain
    gaps = np.append(p, np.nan)
    assert content(verb(np.append(y, True), gaps, missing="drop")) == plain
    weight = np.arange(120) % 3
    repeated = content(verb(y.repeat(weight), p.repeat(weight)))
    assert content(verb(y, p, weight=weight, weight_kind="count")) == repeated
    sampled, clustered = verb(y, p, weight=weight + 0.5), verb(y, p, cluster=np.arange(120) // 4)
    assert content(sampled) != plain
    if verb in (cw.calibration, cw.reliability, cw.recalibrate):
        assert content(clustered) != plain
    else:
        assert content(clustered) == plain  # a number does not depend on clusters
    with pytest.raises(cw.CurvewiseError, match="did you mean 'weight'"):
        verb(y, p, sample_weight=weight)
    with pytest.raises(cw.CurvewiseError, match="did you mean 'cluster'"):
        verb(y, p, clusters=weight)
    if verb is not cw.isotonic:  # which takes any score
        with pytest.raises(cw.CurvewiseError, match="pass 1 - p"):
            verb(y, p, higher_is="negative")


@every
def test_a_sweep_has_forgotten_its_clusters(verb, rows):
    with pytest.raises(cw.CurvewiseError, match="cluster"):
        verb(cw.sweep(*rows), cluster=np.arange(120))


def test_the_rows_outside_are_named_as_they_came(rows):
    y, p = rows[0], rows[1].copy()
    p[17] = 3.0
    kept = cw.read_rows(y, p).take(np.arange(10, 120))
    with pytest.raises(cw.CurvewiseError, match=r"1 other value \(row 17\), the first 3.0") as caught:
        cw.calibration(kept)
    assert caught.value.column == "p"
    assert caught.value.rows == (17,)


@pytest.mark.parametrize(
    "verb", [getattr(cw, n) for n in ("calibration", "reliability", "isotonic", "decompose", "recalibrate")]
)
def test_results_are_results(verb, rows):
    found = verb(*rows)
    assert isinstance(found, Result)
    assert isinstance(found.table, Table)
    data = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert data["schema"] == f"curvewise.{type(found).__name__.lower()}"
    assert data["version"] >= 1
    assert len(found.to_frame("polars")) == len(found.table)
    assert "|" in found.to_markdown()
    assert "<table>" in found._repr_html_()
    assert all(note.text("zh") != note.text("en") for note in found.notes)


def test_tests_of_fit_are_results(rows):
    found = cw.calibration(*rows).spiegelhalter
    assert isinstance(found, Result)
    assert found.table.columns["test"] == ["spiegelhalter"]
    assert found.to_dict()["schema"] == "curvewise.goodness_test"
    assert "undefined" in str(cw.calibration([0, 1], [0.0, 1.0]).hosmer_lemeshow)


def test_the_same_call_gives_the_same_answer(rows):
    for verb in (cw.reliability, cw.recalibrate):
        assert verb(*rows).content() == verb(*rows).content() == verb(*rows, rng=0).content()
        assert verb(*rows, rng=1).content() != verb(*rows).content()


def test_the_table_has_the_names_of_metrics(rows):
    table = cw.calibration(*rows).table
    for name, value in zip(table.columns["metric"], table.columns["value"], strict=True):
        if name not in ("squared_error", "joint_test", "spiegelhalter", "hosmer_lemeshow"):
            assert find(name).bind()(cw.sweep(*rows)) == pytest.approx(value), name
            assert find(name).meaning() in table.columns["meaning"]
            assert find(name).meaning("zh") != find(name).meaning()


@pytest.mark.parametrize("name", ["ece", "mce"])
def test_bins_are_of_equal_width_or_count(name, rows):
    of = find(name)
    assert of.options == {"bins": 10, "binning": "width"}
    sweep = cw.sweep(*rows)
    assert of.bind({"binning": "count"})(sweep) != of.bind()(sweep)
    with pytest.raises(cw.CurvewiseError, match="binning"):
        of.bind({"binning": "mass"})(sweep)
