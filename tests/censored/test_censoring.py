"""Kaplan–Meier estimates of events and of censoring: R's numbers, fractions, identities, derivatives."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import curvewise as cw
from censored.brute_force import derivative, event_free_at, incidence_at, rows_of, uncensored_before
from censored.reference_data import columns, numbers
from censored.survival_strategies import outcomes, outcomes_of
from curvewise.censored.censoring import censoring_of, score_groups
from curvewise.censored.outcomes import read_outcomes
from curvewise.censored.product_limit import event_free, incidence, uncensored
from ring import examples

GOLDEN, OURS = numbers("golden"), numbers("ours")
DATA = ("veteran", "gbsg", "tied300")


def read(name, **options):
    data = columns(name)
    return read_outcomes(data["time"], data["event"], data["risk_a"], **options)


@pytest.mark.parametrize("name", DATA)
def test_event_free_is_r_s(name):
    found = event_free(read(name))
    for block in GOLDEN["datasets"][name]["calibration"]:
        assert 1 - found.at(block["t"]) == pytest.approx(block["observed_km"], abs=1e-12)


@pytest.mark.parametrize("name", DATA)
def test_uncensored_before_a_time(name):
    found = uncensored(read(name))
    for block in OURS["datasets"][name]["weights"]:
        assert found.left(block["t"]) == pytest.approx(block["G_before_t"], abs=1e-12)


def test_weights_row_by_row_where_events_and_censorings_share_times():
    data, weights = columns("tied300"), columns("tied300_weights")
    found = censoring_of(read("tied300"))
    for t in ("6", "6.5"):
        at = float(t)
        case = (data["time"] <= at) & (data["event"] == 1)
        control = (data["time"] > at) | ((data["time"] == at) & (data["event"] == 0))
        mine = case / found.own_left(data["time"]) + control / found.left(at)
        assert mine == pytest.approx(weights[f"inclusive_{t}"], abs=1e-12)
        assert mine.sum() == pytest.approx(300, abs=1e-10)


def test_incidence_with_competing_events_is_r_s():
    data = columns("melanoma")
    rows = read_outcomes(data["time"], data["status"].astype(int), cause=1)
    for block in GOLDEN["competing_risks"]["melanoma"]:
        assert incidence(rows).at(block["t"]) == pytest.approx(block["aalen_johansen_cause_1"], abs=1e-12)


@settings(max_examples=examples(500))
@given(outcomes(min_size=1, codes=(0, 1, 2), weighted=True))
def test_estimates_are_those_of_fractions(data):
    rows = rows_of(data["time"], data["code"], data["risk"], data["weight"])
    read = outcomes_of(data)
    free, stay, own = event_free(read), censoring_of(read), incidence(read)
    for t in (0.5, 1, 1.5, 2, 3, 3.5, 4, 5, 6):
        assert free.at(t) == pytest.approx(float(event_free_at(rows, t)), abs=1e-12)
        assert stay.lowest_left(t) == pytest.approx(float(uncensored_before(rows, t)), abs=1e-12)
        assert own.at(t) == pytest.approx(float(incidence_at(rows, t)), abs=1e-12)
    before = [float(uncensored_before(rows, t)) for t in data["time"]]
    assert stay.own_left(read.time) == pytest.approx(before, abs=1e-12)
    assert stay.left(read.time) == pytest.approx(before, abs=1e-12)
    assert (stay.own_left(read.time) > 0).all()


@settings(max_examples=examples(100))
@given(
    outcomes(min_size=2, max_size=7, codes=(0, 1, 2), weighted=True),
    st.lists(st.integers(-3, 3), min_size=7, max_size=7),
)
def test_derivatives_by_the_weight_of_a_row(data, sensitivity):
    rows = rows_of(data["time"], data["code"], data["risk"], data["weight"])
    read = outcomes_of(data)
    h = np.array(sensitivity[: len(rows)], dtype=float)
    found = censoring_of(read).log_derivatives(read.time, h)
    for k in range(len(rows)):
        # Σ h ∂log G = Σ h ∂G / G
        each = [
            derivative(lambda rows, t=row.time: uncensored_before(rows, t), rows, k) / uncensored_before(rows, row.time)
            for row in rows
        ]
        expected = sum(float(d) * weight for d, weight in zip(each, h, strict=True))
        assert found[k] == pytest.approx(expected, abs=1e-8)
        grown = derivative(lambda rows: incidence_at(rows, 3), rows, k)
        assert incidence(read).derivatives(3)[k] == pytest.approx(float(grown), abs=1e-8)
        if (free := event_free_at(rows, 3)) > 0:
            lost = event_free(read).log_derivatives(3, 1, left=False)[k]
            assert lost == pytest.approx(
                float(derivative(lambda rows: event_free_at(rows, 3), rows, k) / free), abs=1e-8
            )


def test_without_censoring_nobody_leaves():
    rows = read_outcomes([1, 2, 3], [1, 1, 1])
    found = censoring_of(rows)
    assert found.left(rows.time).tolist() == found.own_left(rows.time).tolist() == [1, 1, 1]
    assert found.log_derivatives(rows.time, np.ones(3)).tolist() == [0, 0, 0]
    assert event_free(rows).value.tolist() == pytest.approx([2 / 3, 1 / 3, 0])


def test_without_an_event_nobody_has_one():
    rows = read_outcomes([1, 2, 3], [0, 0, 0])
    assert event_free(rows).at(9) == 1
    assert incidence(rows).at(9) == 0
    assert censoring_of(rows).left(rows.time).tolist() == pytest.approx([1, 2 / 3, 1 / 3])


def test_whole_weights_are_repetition():
    rows, twice = read("tied300", weight=columns("tied300")["weight"]), columns("tied300")["weight"].astype(int)
    repeated = read("tied300").take(np.repeat(np.arange(300), twice))
    assert np.array_equal(uncensored(rows).value, uncensored(repeated).value)
    assert np.array_equal(uncensored(rows).at_risk, uncensored(repeated).at_risk)
    assert event_free(rows).at_risk.dtype == np.int64


def test_by_score_is_an_estimate_in_each_tenth():
    rows = read("gbsg")
    found, group = censoring_of(rows, "by-score"), score_groups(rows)
    assert sorted(np.unique(group)) == list(range(10))
    assert np.bincount(group).tolist() == pytest.approx([68.6] * 10, abs=2)
    assert rows.score[group == 0].min() >= rows.score[group == 1].max()  # the highest tenth first
    for k in range(10):
        own = rows.take(group == k)
        assert np.array_equal(found.own_left(rows.time)[group == k], uncensored(own).own_left)
        assert np.array_equal(found.left(900)[group == k], np.full(len(own), uncensored(own).left(900)))
    assert found.lowest_left(900) == found.left(900).min()
    assert found.last == min(rows.time[group == k].max() for k in range(10))


def test_equal_scores_stay_in_one_tenth():
    group = score_groups(read("tied300"))
    scores = columns("tied300")["risk_a"]
    assert all(len(np.unique(group[scores == s])) == 1 for s in np.unique(scores))
    assert len(np.unique(score_groups(read_outcomes([1, 2, 3], [0, 1, 0], [5, 5, 5])))) == 1


def test_derivatives_by_score():
    rng = np.random.default_rng(3)
    rows = replace(read("tied300"), weight=rng.uniform(0.5, 2, 300))
    h, groups = rng.normal(size=300), score_groups(rows)

    def number(weight):
        moved = replace(rows, weight=weight)
        assert np.array_equal(score_groups(moved), groups)
        return h @ np.log(censoring_of(moved, "by-score").own_left(rows.time))

    found = censoring_of(rows, "by-score").log_derivatives(rows.time, h)
    for k in range(0, 300, 23):
        step = np.zeros(300)
        step[k] = 1e-5
        expected = (number(rows.weight + step) - number(rows.weight - step)) / 2e-5
        assert found[k] == pytest.approx(expected, abs=1e-8)


def test_another_sample_is_taken_as_known():
    rows, data = read("veteran"), columns("gbsg")
    found = censoring_of(rows, (data["time"], data["event"]))
    assert np.array_equal(found.own_left(rows.time), uncensored(read("gbsg")).left(rows.time))
    assert not found.log_derivatives(rows.time, np.ones(len(rows))).any()
    assert (found.kind, found.last) == ("sample", data["time"].max())


@pytest.mark.parametrize("how", ["by-risk", 3, ([1, 2],), [[1, 2], [0, 1]]])
def test_other_ways_are_refused(how):
    with pytest.raises(cw.OptionError, match="censoring: expected None, 'by-score' or a pair"):
        censoring_of(read("veteran"), how)


def test_a_bad_censoring_sample_is_told_as_any_other():
    with pytest.raises(cw.CurvewiseError, match=r"time: expected 0 or more, got -1 \(row 0\)"):
        censoring_of(read("veteran"), ([-1, 2], [0, 1]))
