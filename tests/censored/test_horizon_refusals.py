"""What a horizon cannot say, and input that it cannot use: one sentence each, never 0 or one half."""

import math

import numpy as np
import pytest

import curvewise as cw

TIME = [8, 9, 12, 15, 15, 18, 20, 22, 25, 30]
EVENT = [1, 0, 1, 1, 0, 0, 1, 0, 1, 0]
P = [0.8, 0.3, 0.7, 0.5, 0.4, 0.2, 0.6, 0.3, 0.4, 0.1]


def horizon(at=16, **options):
    return cw.horizon(TIME, EVENT, P, at, **options)


@pytest.mark.parametrize("at", [0, -3, math.nan, math.inf, "16", [10, 20], None, True, np.array([5, 6])], ids=str)
def test_a_horizon_is_one_positive_number(at):
    with pytest.raises(cw.OptionError, match=r"^at: expected one positive number, got .*; for several use survival\("):
        horizon(at)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"entry": [0] * 10}, "entry: delayed entry is for concordance alone, not for a horizon; leave it out."),
        ({"sample_weight": [1] * 10}, "sample_weight: unknown option of horizon; did you mean 'weight'?"),
        ({"controls": "none"}, "controls: expected one of 'all', 'event-free', got 'none'."),
        ({"censoring": "by_score"}, "censoring: expected None, 'by-score' or a pair (time, event), got 'by_score'."),
        ({"risk": None}, "risk: expected risk scores, one per row, got None."),
        (
            {"risk": {"a": P, "b": P}, "censoring": "by-score"},
            "censoring: 'by-score' takes the score of one model, got 2 (a, b); make a horizon for each.",
        ),
    ],
    ids=lambda v: next(iter(v)) if isinstance(v, dict) else "",
)
def test_options_that_cannot_be_used(options, sentence):
    given = {"time": TIME, "event": EVENT, "risk": P, "at": 16, **options}
    with pytest.raises(cw.OptionError) as refused:
        cw.horizon(**given)
    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("columns", "match"),
    [
        ({"time": [-3, *TIME[1:]]}, r"time: expected 0 or more, got -3 \(row 0\)"),
        ({"time": [math.inf, *TIME[1:]]}, "time: expected finite numbers in one unit"),
        ({"time": [math.nan, *TIME[1:]]}, "missing"),
        ({"event": [2, 0, 1, 1, 0, 0, 1, 0, 1, 0]}, "cause=1"),
        ({"event": [0.37, *EVENT[1:]]}, "event: expected 0/1 or True/False"),
        ({"risk": np.ones((10, 3))}, "risk: expected one number per row, got 10 × 3"),
        ({"risk": P[:9]}, "must be equally long"),
        ({"weight": [-1] * 10}, "weight"),
    ],
    ids=lambda v: next(iter(v)) if isinstance(v, dict) else "",
)
def test_columns_that_cannot_be_used(columns, match):
    with pytest.raises(cw.CurvewiseError, match=match):
        cw.horizon(**{"time": TIME, "event": EVENT, "risk": P, "at": 16, **columns})


def test_missing_rows_are_dropped_and_counted():
    found = cw.horizon([math.nan, *TIME[1:]], EVENT, P, 16, missing="drop")
    assert found.dropped == 1
    assert len(found.label) == 9
    assert found.rows.kept[0] == 2  # row 1 is censored at 9, and unknown
    assert "1 dropped" in str(found)


def test_a_horizon_past_follow_up_names_the_last_usable_one():
    with pytest.raises(cw.UndefinedMetricError) as refused:
        horizon(31)
    assert str(refused.value) == (
        "At 31 nobody is known to be without the event: the longest follow-up is 30 (censored); the last usable "
        "horizon is 30."
    )
    assert horizon(30).controls == 1


def test_a_horizon_before_the_first_event():
    found = horizon(5)
    sentence = "The area under the ROC curve at 5 needs rows with the event: the first is at 8."
    with pytest.raises(cw.UndefinedMetricError) as refused:
        cw.roc_auc(found)
    assert str(refused.value) == sentence
    for verb in (cw.average_precision, cw.brier_skill, cw.pr_curve, cw.roc_curve):
        with pytest.raises(cw.UndefinedMetricError, match="at 5 needs rows with the event: the first is at 8"):
            verb(found)
    for metric, options in (("recall", {"threshold": 0.5}), ("calibration_slope", {})):
        with pytest.raises(cw.UndefinedMetricError):
            cw.score(metric, found, **options)
    assert cw.brier_loss(found) == pytest.approx(np.mean(np.square(P)))
    assert cw.score("specificity", found, threshold=0.45) == pytest.approx(0.6)
    assert cw.score("observed_expected", found) == 0
    assert [n.code for n in found.notes] == ["horizon_few_cases"]
    assert found.observed.value == 0
    assert not found.observed.has_interval


def test_no_event_at_all():
    found = cw.horizon(TIME, [0] * 10, P, 16)
    with pytest.raises(cw.UndefinedMetricError) as refused:
        cw.roc_auc(found)
    assert str(refused.value) == "The area under the ROC curve at 16 needs rows with the event: 0 of 10 rows had one."
    assert 0 < cw.brier_loss(found) < 1
    ratio = cw.interval("observed_expected", found)
    assert (ratio.value, ratio.low) == (0, 0)
    assert ratio.high > 0
    with pytest.raises(cw.UndefinedMetricError, match="nobody is known to be without the event"):
        cw.horizon(TIME, [0] * 10, P, 31)


def test_everybody_had_the_event():
    found = cw.horizon(TIME, [1] * 10, P, 30)
    assert (found.cases, found.controls, found.unknown) == (10, 0, 0)
    for verb in (cw.roc_auc, cw.brier_skill):
        with pytest.raises(
            cw.UndefinedMetricError, match="at 30 needs rows without the event: the last is known to be"
        ):
            verb(found)
    with pytest.raises(cw.UndefinedMetricError):
        cw.score("specificity", found, threshold=0.45)
    assert cw.brier_loss(found) == pytest.approx(np.mean((1 - np.array(P)) ** 2))
    assert (found.observed.value, found.observed.has_interval) == (1, False)
    # the last row had the event, so what became of the one censored before is known to Kaplan and Meier
    censored = cw.horizon(TIME, [*EVENT[:-1], 1], P, 40)
    assert (censored.controls, censored.unknown) == (0, 4)
    assert censored.sweep.prevalence == 1
    assert censored.weight.sum() == pytest.approx(10)


def test_a_censoring_sample_that_ends_early():
    with pytest.raises(cw.UndefinedMetricError) as refused:
        horizon(16, censoring=([3, 5, 9], [1, 0, 0]))
    assert str(refused.value) == "censoring: the censoring sample ends at 9, before the horizon 16."


def test_a_tenth_of_the_score_whose_follow_up_ends_early():
    time = np.concatenate([np.full(20, 5.0), np.full(180, 20.0)])
    event = np.concatenate([np.zeros(20), np.arange(180) % 2])
    with pytest.raises(cw.UndefinedMetricError, match="in a tenth of the score follow-up ends at 5"):
        cw.horizon(time, event, np.arange(200), 10, censoring="by-score")


def test_time_and_event_exchanged_are_asked_about():
    found = cw.horizon([1, 0, 1, 1, 0, 1], [1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1], 1)
    assert "are time and event swapped?" in str(found.notes[0])


def test_probabilities_outside_their_range_are_refused():
    with pytest.raises(cw.CurvewiseError, match="p: expected probabilities from 0 to 1"):
        cw.brier_loss(cw.horizon(TIME, EVENT, [10 * p for p in P], 16))


def test_certain_and_wrong_is_infinite():
    p = [0.0, *P[1:]]
    found = cw.horizon(TIME, EVENT, p, 16)
    with pytest.warns(cw.CurvewiseWarning, match="The log loss is infinite"):
        assert cw.log_loss(found) == math.inf


def test_one_cluster_has_values_and_no_intervals():
    found = cw.horizon(TIME, EVENT, P, 16, cluster=[1] * 10)
    assert not found.observed.has_interval
    assert 0 < cw.roc_auc(found) < 1
    for metric, options in (("brier_loss", {}), ("roc_auc", {})):
        with pytest.raises(cw.UndefinedMetricError, match="clusters"):
            cw.interval(metric, found, **options)
    assert not cw.interval("recall", found, threshold=0.4).has_interval
    assert np.isnan(cw.reliability(found, bins=2).low).all()
