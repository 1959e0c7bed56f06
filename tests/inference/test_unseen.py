"""Rows that happened not to be drawn: the lower ends of areas that a few rows at one end of the list decide."""

import numpy as np
import pytest

import curvewise as cw


def normal(positives, negatives, rng, away=1.5, astray=0.0):
    """Return labels and scores; a share of the negatives stands far above everything."""
    high = np.where(rng.random(negatives) < astray, 9, 0)
    score = np.r_[rng.normal(size=negatives) + high, rng.normal(size=positives) + away]
    return np.arange(negatives + positives) >= negatives, score


def share_held(metric, truth, runs, draw, **options):
    rng, held = np.random.default_rng(1), 0
    for _ in range(runs):
        y, score, more = draw(rng)
        found = cw.interval(metric, y, score, **options, **more)
        held += found.low <= truth <= found.high
    return held / runs


def test_average_precision_of_cases_and_of_controls_that_weigh_twenty():
    """100 of each: without the negative that was not drawn, 0.75 of the intervals held."""
    y, score = normal(200_000, 200_000, np.random.default_rng(0), 0.954)
    weight = np.where(y, 1.0, 20.0)
    truth = cw.average_precision(y, score, weight=weight)

    def draw(rng):
        y, score = normal(100, 100, rng, 0.954)
        return y, score, {"weight": np.where(y, 1.0, 20.0)}

    assert 0.95 <= share_held("average_precision", truth, 200, draw) <= 1


@pytest.mark.parametrize(("size", "least"), [(15, 0.95), (50, 0.92)])
def test_mean_sensitivity_where_the_top_of_the_list_is_negative(size, least):
    """0.81 and 0.88 of the intervals held while no negative stood in for those that were not drawn."""
    options = {"fpr": (0, 0.1), "scale": "mean"}
    y, score = normal(200_000, 200_000, np.random.default_rng(0), 2.0, 0.04)
    truth = cw.partial_roc_auc(y, score, **options)
    assert least <= share_held(
        "partial_roc_auc", truth, 150, lambda rng: (*normal(size, size, rng, 2.0, 0.04), {}), **options
    )


def test_the_lower_end_is_that_of_one_more_negative():
    """Its value is found by adding the row, and the upper end stays that of the rows."""
    y, score = normal(20, 30, np.random.default_rng(2))
    options = {"fpr": (0, 0.2)}
    plain = cw.interval("partial_roc_auc", y, score, **options)
    more = cw.partial_roc_auc(np.append(y, False), np.append(score, 99.0), **options)
    assert more < plain.value
    assert plain.low < cw.interval("partial_roc_auc", np.append(y, False), np.append(score, 99.0), **options).value
    turned = cw.interval("partial_roc_auc", y, -score, higher_is="negative", **options)
    assert (turned.low, turned.high) == (plain.low, plain.high)
    mirrored = cw.interval("partial_roc_auc", ~y, -score, tpr=(0.8, 1))  # the classes in each other's place
    assert (mirrored.low, mirrored.high) == pytest.approx((plain.low, plain.high))


@pytest.mark.parametrize("metric", ["average_precision", "brier_skill"])
def test_an_interval_and_its_test_agree(metric):
    y, score = normal(20, 30, np.random.default_rng(2))
    p = 1 / (1 + np.exp(1 - score))
    found = cw.interval(metric, y, p)
    for end, inward in ((found.low, 1e-6), (found.high, -1e-6)):
        for null, inside in ((end + inward, True), (end - inward, False)):
            assert (cw.compare(y, {"m": p}, against=null, metric=metric).p_value >= 0.05) is inside


def test_the_upper_end_of_a_skill_is_that_of_one_more_hit():
    """Of over-confident probabilities with 10 positives in 400 rows, 0.85 of the intervals held without it."""
    rng, held = np.random.default_rng(3), 0
    whole = rng.normal(size=400_000) * 1.5 - 4.6
    truth = cw.brier_skill(rng.random(400_000) < 1 / (1 + np.exp(-whole)), 1 / (1 + np.exp(-2 * whole)))
    for _ in range(150):
        odds = rng.normal(size=400) * 1.5 - 4.6
        y = rng.random(400) < 1 / (1 + np.exp(-odds))
        found = cw.interval("brier_skill", y, 1 / (1 + np.exp(-2 * odds)))
        held += found.low <= truth <= found.high
    assert held >= 0.9 * 150


def test_few_negatives_in_a_range_are_said():
    y, score = normal(20, 30, np.random.default_rng(2))
    notes = cw.interval("partial_roc_auc", y, score, fpr=(0, 0.1)).notes
    assert [(n.code, n.values) for n in notes] == [("few_negatives_in_range", {"count": 3, "needed": 0.17})]
    assert "3" in notes[0].text("zh")
    assert not cw.interval("partial_roc_auc", y, score, fpr=(0, 0.17)).notes
    assert cw.interval("partial_roc_auc", y, score, tpr=(0.9, 1)).notes[0].code == "few_positives_in_range"
