"""Rows by score: histograms, and rates at every threshold."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import curvewise as cw
from curvewise.curves.histogram import score_histogram, suits_log_odds
from curvewise.curves.threshold_rates import threshold_rates
from curvewise.results import ScoreHistogram, ThresholdRates
from strategies import labelled


@given(data=labelled(), bins=st.integers(1, 50))
def test_every_finite_score_is_in_one_bin(data, bins):
    y, s = np.array(data[0]), np.array(data[1])
    found = score_histogram(y, s, bins=bins)
    finite = np.isfinite(s)
    assert found.positives.sum() == np.count_nonzero(finite & y)
    assert found.negatives.sum() == np.count_nonzero(finite & ~y)
    assert (found.total_positives, found.total_negatives) == (y.sum(), (~y).sum())
    assert len(found.edges) == bins + 1
    assert np.all(np.diff(found.edges) > 0)
    assert np.array_equal(found.rows, found.positives + found.negatives)


def test_limits_and_weights():
    found = score_histogram([1, 0, 1], [0.2, 0.6, 1.0000001], weight=[2, 0.5, 1], bins=2, limits=(0, 1))
    assert found.edges.tolist() == [0, 0.5, 1]
    assert found.positives.tolist() == [2, 1]
    assert found.negatives.tolist() == [0, 0.5]
    with pytest.raises(cw.CurvewiseError, match="limits: expected a lower and a higher number"):
        score_histogram([1, 0], [0.2, 0.6], limits=(1, 1))
    with pytest.raises(cw.CurvewiseError, match="bins"):
        score_histogram([1, 0], [0.2, 0.6], bins=0)
    with pytest.raises(cw.CurvewiseError, match="did you mean 'weight'"):
        score_histogram([1, 0], [0.2, 0.6], sample_weight=[1, 1])


def test_negatives_that_nobody_counted_are_false_alarms():
    sweep = cw.Sweep.from_counts([2, 1], [1, 1], [0, 3], total_positives=5, negatives_known=False)
    found = score_histogram(sweep, bins=1)
    assert (found.total_positives, found.total_negatives) == (5, 3)


def test_both_are_results():
    y, s = [0, 1, 1, 0], [0.1, 0.4, 0.8, 0.4]
    for found, columns in (
        (score_histogram(y, s, bins=2), ["from", "to", "positives", "negatives"]),
        (threshold_rates(y, s), ["threshold", "recall", "specificity", "precision", "f1"]),
    ):
        assert isinstance(found, (ScoreHistogram, ThresholdRates))
        assert list(found.table.columns) == columns
        assert list(found.to_frame("polars").columns) == columns
        assert found.to_dict()["schema"].startswith("curvewise.")
        json.dumps(found.to_dict())
        assert found.to_markdown()
        assert found.plot().get_xlabel()


@given(data=labelled())
def test_rates_are_those_of_the_confusion_table(data):
    sweep = cw.sweep(*data)
    found = threshold_rates(sweep)
    for k, threshold in enumerate(sweep.threshold):
        counts = sweep.at(threshold)
        for name in ("recall", "specificity", "precision", "f1"):
            assert getattr(found, name)[k] == pytest.approx(getattr(counts, name))


def test_a_rate_of_an_absent_or_unknown_class_is_undefined():
    alone = threshold_rates([1, 1], [1, 2], positive=1)
    assert np.isnan(alone.specificity).all()
    assert not np.isnan(alone.recall).any()
    unknown = threshold_rates(cw.Sweep.from_counts([2, 1], [1, 1], [0, 3], negatives_known=False))
    assert np.isnan(unknown.specificity).all()
    assert unknown.precision.tolist() == [1, 0.4]


def test_bins_of_log_odds_hold_0_and_1_at_their_ends():
    y, p = [0, 0, 0, 1, 1], [0.0, 0.002, 0.5, 0.998, 1.0]
    found = score_histogram(y, p, bins=4, scale="logit")
    assert found.edges[[0, 2, 4]] == pytest.approx([0.002, 0.5, 0.998])
    assert np.diff(np.log(found.edges / (1 - found.edges))) == pytest.approx([np.log(0.998 / 0.002) / 2] * 4)
    assert found.negatives.tolist() == [2, 0, 1, 0]
    assert found.positives.tolist() == [0, 0, 0, 2]
    tiny = score_histogram([0, 1], [1e-12, 1 - 1e-12], scale="logit")
    assert tiny.edges[[0, -1]].tolist() == [1e-6, 1 - 1e-6]
    one = score_histogram([0, 1], [0.2, 0.2], bins=1, scale="logit")
    assert one.edges.tolist() == pytest.approx([0.1, 0.6])
    assert score_histogram([0, 1], [0, 1], scale="logit").rows.sum() == 2
    with pytest.raises(cw.CurvewiseError, match="2 scores are below 0 or above 1"):
        score_histogram([0, 1, 1], [-1, 2, 0.5], scale="logit")
    with pytest.raises(cw.CurvewiseError, match="limits: expected a number strictly between 0 and 1"):
        score_histogram(y, p, scale="logit", limits=(0, 1))
    with pytest.raises(cw.CurvewiseError, match="scale: expected one of"):
        score_histogram(y, p, scale="log")


def test_log_odds_suit_probabilities_that_are_mostly_extreme():
    assert suits_log_odds(cw.sweep([0, 0, 1], [0.01, 0.95, 0.5]))
    assert not suits_log_odds(cw.sweep([0, 0, 1, 1], [0.01, 0.95, 0.5, 0.6]))
    assert suits_log_odds(cw.sweep([0, 1], [0.01, 0.5], weight=[3, 2]))


def test_a_range_that_no_float64_holds():
    found = cw.score_histogram([0, 1, 1], [-1.5e308, 0.0, 1.5e308], bins=4)
    assert found.edges.tolist() == pytest.approx([-1.5e308, -0.75e308, 0, 0.75e308, 1.5e308])
    assert found.positives.sum() == 2


def test_scores_closer_than_bins_can_be():
    """Three floats from end to end: ten bins between them would have no width."""
    found = score_histogram([0, 1], [1.0, 1 + 3 * 2**-52], bins=10)
    assert (np.diff(found.edges) > 0).all()
    assert found.rows.sum() == 2


def test_log_odds_of_labels_have_some_room_around_one_half():
    edges = score_histogram([0, 1], [0, 1], bins=4, scale="logit").edges
    assert (edges[0], edges[-1]) == (0.25, 0.75)


def test_probabilities_are_extreme_below_a_tenth_and_above_nine_tenths():
    for p, extreme in ((0.15, False), (0.1, False), (0.0999, True), (0.9, False), (0.9001, True), (0.85, False)):
        assert suits_log_odds(cw.sweep([0, 1], [p, p])) == extreme


def test_forty_bins_by_default():
    assert len(score_histogram([0, 1], [0.2, 0.9]).edges) == 41


def test_without_a_finite_score_the_range_is_0_to_1():
    found = score_histogram([0, 1], [-np.inf, np.inf], bins=2)
    assert found.edges.tolist() == [0, 0.5, 1]
    assert found.positives.tolist() == found.negatives.tolist() == [0, 0]


def test_bins_of_one_large_score_are_as_wide_as_floats_can_tell():
    """A trillionth of the score for each bin, and 1 in all at least."""
    for score, width in ((1e15, 4000), (1e6, 1)):
        edges = score_histogram([0, 1], [score, score], bins=4).edges
        assert edges[-1] - edges[0] == pytest.approx(width)
