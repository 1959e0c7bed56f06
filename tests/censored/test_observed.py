"""Risk groups are Kaplan–Meier estimates, and D-calibration is that of other programs and of plain loops."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import curvewise as cw
from censored.reference_data import columns, numbers
from ring import examples

DATA = ("veteran", "gbsg", "tied300")


def kaplan_meier(time, event, t):
    left = 1.0
    for c in np.unique(time[(event == 1) & (time <= t)]):
        left *= 1 - ((time == c) & (event == 1)).sum() / (time >= c).sum()
    return 1 - left


@pytest.mark.parametrize("name", DATA)
def test_risk_groups_are_observed_by_kaplan_and_meier(name):
    d = columns(name)
    sv = cw.survival(d["time"], d["event"], d["risk_a"], horizons=[d["time"].max() / 3])
    found = sv.risk_groups(groups=4)
    assert sum(g.rows for g in found.groups) == len(d["time"])
    ends = [(g.lowest, g.highest) for g in found.groups]
    assert ends == sorted(ends)  # from the lowest risk on
    for group in found.groups:
        on = (d["risk_a"] >= group.lowest) & (d["risk_a"] <= group.highest)
        assert on.sum() == group.rows
        for k in (0, len(group.time) // 2, -1):
            expected = kaplan_meier(d["time"][on], d["event"][on], group.time[k])
            assert group.observed[k] == pytest.approx(expected, abs=1e-12)
        assert (np.diff(group.observed) >= -1e-12).all()
        middle = len(group.time) // 2
        assert group.low[middle] < group.observed[middle] < group.high[middle]


def test_groups_of_a_score_that_is_higher_for_later_events_begin_with_the_highest_score():
    d = columns("gbsg")
    plain = cw.survival(d["time"], d["event"], d["risk_a"], horizons=[1000]).risk_groups()
    turned = cw.survival(d["time"], d["event"], -d["risk_a"], horizons=[1000], higher_is="negative").risk_groups()
    assert [(g.rows, g.events) for g in turned.groups] == [(g.rows, g.events) for g in plain.groups]
    assert turned.groups[0].highest == -plain.groups[0].lowest


def test_rows_with_equal_scores_stay_together():
    d = columns("tied300")
    found = cw.survival(d["time"], d["event"], np.sign(d["risk_a"]), horizons=[6.5]).risk_groups(groups=5)
    assert len(found.groups) < 5
    assert "survival_fewer_groups" in [n.code for n in found.notes]


@pytest.mark.parametrize("name", DATA)
def test_d_calibration_is_that_of_r_and_of_survivaleval(name):
    d, known = columns(name), numbers("golden")["datasets"][name]["d_calibration"]
    found = cw.d_calibration(d["time"], d["event"], d["s_a_own"])
    np.testing.assert_allclose(found.counts, known["bins_from_low_survival"], atol=1e-9)
    assert found.statistic == pytest.approx(known["statistic"], abs=1e-9)
    assert found.degrees == known["df"]
    as_if_known = stats.chi2.sf(found.statistic, found.degrees)  # p of both, as if no row were censored
    assert as_if_known == pytest.approx(known["p"], abs=1e-9)
    assert found.p_value < as_if_known
    peer = numbers("peers")["datasets"][name]["d_calibration"]["SurvivalEVAL"]
    assert (found.statistic, as_if_known) == pytest.approx(peer, abs=1e-9)


def own_times(rng, rows, latest, ratio=1.0):
    """Return times, events and survival at them, of predictions that are right if the ratio of hazards is 1."""
    rate, censored = np.exp(rng.normal(size=rows) / 2), rng.uniform(0, latest, rows)
    event = rng.exponential(size=rows) / rate / ratio
    time = np.minimum(event, censored)
    return time, event <= censored, np.exp(-time * rate)


@pytest.mark.parametrize("latest", [1e9, 2.3, 0.8])
def test_d_calibration_keeps_its_size_however_many_are_censored(latest):
    rng = np.random.default_rng(0)
    p = np.array(
        [(d.p_value, d.p_events) for d in (cw.d_calibration(*own_times(rng, 100, latest)) for _ in range(600))]
    )
    rejected = np.mean(p < 0.05, axis=0)
    assert np.all((rejected > 0.025) & (rejected < 0.075))


def test_d_calibration_sees_through_censoring():
    rng = np.random.default_rng(1)
    p = np.array(
        [(d.p_value, d.p_events) for d in (cw.d_calibration(*own_times(rng, 300, 2.3, 1.3)) for _ in range(100))]
    )
    assert np.mean(p < 0.05, axis=0) == pytest.approx([0.7, 0.95], abs=0.12)


def test_the_one_sample_log_rank_counts_events_against_the_hazard():
    found = cw.d_calibration([1, 2, 3, 4], [1, 1, 1, 0], np.exp([-0.2, -0.4, -0.3, -0.1]))
    assert (found.events, found.expected_events) == (3, pytest.approx(1.0))
    assert found.p_events == pytest.approx(2 * stats.norm.sf(2))


def test_without_censoring_p_is_that_of_chi_square():
    found = cw.d_calibration(np.arange(1, 51), np.ones(50), np.random.default_rng(2).random(50))
    assert found.p_value == pytest.approx(stats.chi2.sf(found.statistic, 9))
    assert found.notes == ()


def by_loops(event, s, bins):
    counts = [0.0] * bins
    for happened, value in zip(event, s, strict=True):
        own = max(k for k in range(bins) if value >= k / bins)
        if happened or value == 0:
            counts[own] += 1
            continue
        counts[own] += (value - own / bins) / value
        for k in range(own):
            counts[k] += 1 / (bins * value)
    return counts


@settings(max_examples=examples(200), deadline=None)
@given(st.data())
def test_d_calibration_is_that_of_plain_loops(data):
    n, bins = data.draw(st.integers(1, 12)), data.draw(st.integers(2, 11))
    event = data.draw(st.lists(st.booleans(), min_size=n, max_size=n))
    tenths = st.integers(0, 20).map(lambda k: k / 20)
    s = data.draw(st.lists(tenths, min_size=n, max_size=n))
    found = cw.d_calibration(np.arange(1, n + 1) + 0.5, event, s, bins=bins)
    np.testing.assert_allclose(found.counts, by_loops(event, s, bins), atol=1e-12)
    assert found.counts.sum() == pytest.approx(n)


def test_edges_belong_to_the_bin_above_and_one_to_the_last():
    found = cw.d_calibration([1, 2, 3, 4], [1, 1, 1, 1], [0.29, 0.0, 1.0, 0.3], bins=100)
    assert np.flatnonzero(found.counts).tolist() == [0, 29, 30, 99]


def test_notes_say_where_the_test_is_weak():
    found = cw.d_calibration(np.arange(1, 21), [0] * 15 + [1] * 5, np.linspace(0.1, 0.9, 20))
    assert [n.code for n in found.notes] == ["d_calibration_censored", "d_calibration_few"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            {"s": [0.2, 1.3, 0.4]},
            r"survival_at_own_time: expected probabilities from 0 to 1, got 1 other value \(row 1\)",
        ),
        ({"s": [0.2, 0.3]}, "time and survival_at_own_time must be equally long"),
        ({"s": [0.2, None, 0.4]}, "survival_at_own_time has 1 missing value"),
        ({"bins": 1}, "bins: expected a whole number of at least 2, got 1"),
        ({"event": [1, 2, 0], "cause": 1}, "event: 1 row had a competing event, and D-calibration"),
        ({"event": [1, 2, 0]}, "event: .*cause="),
        ({"time": [1, -2, 3]}, "time: expected 0 or more"),
    ],
)
def test_bad_input_of_d_calibration(options, sentence):
    given_ = {"time": [1, 2, 3], "event": [1, 0, 1], "s": [0.2, 0.3, 0.4], **options}
    with pytest.raises(cw.CurvewiseError, match=sentence):
        cw.d_calibration(given_.pop("time"), given_.pop("event"), given_.pop("s"), **given_)
    dropped = cw.d_calibration([1, 2, 3], [1, 0, 1], [0.2, None, 0.4], missing="drop")
    assert dropped.rows == 2
