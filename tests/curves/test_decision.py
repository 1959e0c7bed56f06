"""Decision curves: published numbers, the confusion table as oracle, coverage of the intervals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import curvewise as cw
from curvewise.curves.decision import decision_limit, shown_thresholds
from strategies import labelled, shares

# dcurves 1.1.7, its interventions avoided times 100
DCURVES = {
    "net_benefit": [0.27777777777777773, 0.1111111111111111, 0.13888888888888887, 0.04166666666666666],
    "all": [0.25925925925925924, 0.11111111111111108, -0.11111111111111122, -0.6666666666666667],
    "net_intervention_avoided": [16.66666666666664, 0.0, 37.5, 47.22222222222223],
    "at_prevalence_0.1": [
        0.024999999999999994,
        -0.11249999999999999,
        -0.07500000000000001,
        -0.11874999999999998,
    ],
}
FIELDS = ["threshold", "net_benefit", "low", "high", "standardised", "treat_all", "interventions_avoided"]


@st.composite
def forecasts(draw):
    y, _ = draw(labelled())
    p = draw(st.lists(shares, min_size=len(y), max_size=len(y)))
    return y, p


@given(forecasts())
def test_net_benefit_is_that_of_the_confusion_table(data):
    y, p = data
    curve = cw.decision_curve(y, p)
    for k in (0, 4, 9, 19, 49, 98):
        t = curve.threshold[k]
        c = cw.confusion(y, p, threshold=t)
        assert curve.net_benefit[k] == pytest.approx(c.net_benefit(t), abs=1e-12)
        assert curve.treat_all[k] == pytest.approx(cw.confusion(y, p, threshold=0).net_benefit(t), abs=1e-12)
        assert curve.standardised[k] == pytest.approx(c.net_benefit(t) / c.prevalence, abs=1e-12)
        # the definition in counts: true negatives less misses at the odds against
        avoided = 100 * (c.tn - c.fn * (1 - t) / t) / c.n
        assert curve.interventions_avoided[k] == pytest.approx(avoided, abs=1e-9)
        assert curve.low[k] <= curve.net_benefit[k] + 1e-15
        assert curve.high[k] >= curve.net_benefit[k] - 1e-15


def test_published_numbers():
    # Vickers, van Calster & Steyerberg (2019) Diagn. Progn. Res. 3:18: 14 % with cancer; at 20 % treating
    # all is worth 0.14 - 0.86 · 0.25 = -0.075
    y = np.arange(100) < 14
    curve = cw.decision_curve(y, np.full(100, 0.5), thresholds=[0.05, 0.2, 0.5])
    assert curve.treat_all == pytest.approx([0.14 - 0.86 / 19, -0.075, -0.72], abs=1e-15)
    assert curve.net_benefit == pytest.approx(curve.treat_all, abs=1e-15)  # p flags all up to 0.5


def test_dcurves_agrees():
    """Numbers of Python's dcurves 1.1.7: ``dca(data, "y", ["p"], thresholds)`` on the rows built here."""
    y = np.array([1, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0])
    p = np.array([0.91, 0.35, 0.12, 0.44, 0.51, 0.2, 0.08, 0.27, 0.33, 0.72, 0.05, 0.6])
    curve = cw.decision_curve(y, p, thresholds=[0.1, 0.25, 0.4, 0.6])
    assert curve.net_benefit == pytest.approx(DCURVES["net_benefit"], abs=1e-12)
    assert curve.treat_all == pytest.approx(DCURVES["all"], abs=1e-12)
    assert curve.interventions_avoided == pytest.approx(DCURVES["net_intervention_avoided"], abs=1e-9)
    rare = cw.decision_curve(y, p, thresholds=[0.1, 0.25, 0.4, 0.6], prevalence=0.1)
    assert rare.net_benefit == pytest.approx(DCURVES["at_prevalence_0.1"], abs=1e-12)


def test_default_thresholds_and_fields():
    curve = cw.decision_curve([0, 1, 1], [0.1, 0.5, 0.7])
    assert curve.threshold.tolist() == [k / 100 for k in range(1, 100)]
    assert list(curve.points) == FIELDS
    assert list(curve.to_frame("pandas").columns) == FIELDS
    assert len(list(curve)) == 7
    assert "99 points" in repr(curve)
    with pytest.raises(ValueError, match="read-only"):
        curve.net_benefit[0] = 1


def test_threshold_zero_flags_all_and_avoids_nothing_defined():
    curve = cw.decision_curve([0, 1], [0, 0.5], thresholds=[0, 0.5])
    assert curve.net_benefit.tolist() == [0.5, 0.5]
    assert np.isnan(curve.interventions_avoided).tolist() == [True, False]


def test_a_score_at_the_threshold_is_flagged_in_its_own_precision():
    for dtype in (np.float32, np.float64):
        p = np.array([0.1, 0.7, 0.3, 0.7], dtype=dtype)
        assert cw.decision_curve([0, 1, 0, 1], p, thresholds=[0.3, 0.7]).net_benefit == pytest.approx(
            [0.5 - 0.25 * 3 / 7, 0.5]
        )


def test_prevalence_moves_the_curve_and_keeps_the_rates():
    rng = np.random.default_rng(0)
    y = np.arange(400) < 200
    p = np.clip(0.3 + 0.3 * y + rng.normal(0, 0.15, 400), 0, 1)
    moved = cw.decision_curve(y, p, thresholds=[0.2, 0.5], prevalence=0.05)
    same = cw.decision_curve(cw.sweep(y, p).at_prevalence(0.05), thresholds=[0.2, 0.5])
    assert moved.net_benefit == pytest.approx(same.net_benefit, abs=1e-12)
    assert moved.prevalence == 0.05
    assert np.isnan(same.low).all()  # reweighted counts are no binomial counts
    assert np.isfinite(moved.low).all()


def test_weights_that_count_are_repetition_and_a_weighted_sweep_has_no_interval():
    y, p, w = [1, 0, 1, 0], [0.9, 0.2, 0.4, 0.6], [3, 1, 2, 2]
    one = cw.decision_curve(y, p, weight=w, weight_kind="count")
    many = cw.decision_curve(np.repeat(y, w), np.repeat(p, w))
    for name in FIELDS:
        assert np.array_equal(getattr(one, name), getattr(many, name), equal_nan=True)
    forgotten = cw.decision_curve(cw.sweep(y, p, weight=w))
    assert np.isnan(forgotten.high).all()
    assert [note.code for note in forgotten.notes] == ["weighted_sweep_no_interval"]


@pytest.mark.parametrize("prevalence", [None, 0.05])
def test_clusters_and_weights_count(prevalence):
    rng = np.random.default_rng(3)
    y = rng.random(200) < 0.3
    p = np.clip(0.3 * y + rng.uniform(0, 0.6, 200), 0, 1)
    cluster = np.repeat(np.arange(200), 10)

    def width(*rows, **options):
        curve = cw.decision_curve(*rows, prevalence=prevalence, **options)
        return curve.high - curve.low

    plain = width(y, p)
    assert width(np.repeat(y, 10), np.repeat(p, 10), cluster=cluster) == pytest.approx(plain, rel=0.05)
    rows = cw.read_rows(np.repeat(y, 10), np.repeat(p, 10), cluster=cluster)
    assert width(rows) == pytest.approx(plain, rel=0.05)
    assert width(y, p, weight=np.full(200, 10)) == pytest.approx(plain, rel=0.05)
    assert (width(y, p, weight=np.full(200, 10), weight_kind="count") < 0.6 * plain).all()
    # clusters that say nothing new cost almost nothing
    spread = width(y, p, cluster=rng.permutation(np.repeat(np.arange(100), 2)))
    assert np.median(spread / plain) == pytest.approx(1, abs=0.1)


@pytest.mark.parametrize(
    ("n", "share", "tpr", "fpr", "t"),
    [(40, 0.1, 0.7, 0.1, 0.1), (40, 0.05, 0.5, 0.02, 0.3), (200, 0.14, 0.9, 0.5, 0.2)],
)
@pytest.mark.parametrize("known", [False, True])
def test_coverage(n, share, tpr, fpr, t, known):
    """A nominal 0.95 covers at least 0.92, also where next to nothing is flagged."""
    rng = np.random.default_rng(1)
    truth = share * tpr - (1 - share) * fpr * t / (1 - t)
    covered = []
    for _ in range(250):
        y = rng.random(n) < share
        if not 0 < y.sum() < n:
            continue
        p = np.where(rng.random(n) < np.where(y, tpr, fpr), t, 0.0)
        curve = cw.decision_curve(y, p, thresholds=[t], prevalence=share if known else None)
        covered.append(curve.low[0] <= truth <= curve.high[0])
    assert np.mean(covered) >= 0.92


def test_interval_agrees_with_the_bootstrap_where_rows_are_many():
    rng = np.random.default_rng(2)
    y = rng.random(2000) < 0.2
    p = np.clip(0.15 + 0.3 * y + rng.normal(0, 0.1, 2000), 0, 1)
    curve = cw.decision_curve(y, p, thresholds=[0.25])
    boot = cw.interval(lambda s: s.at(0.25).net_benefit(0.25), y, p, rng=0, replicates=500)
    assert curve.net_benefit[0] == pytest.approx(boot.value, abs=1e-12)
    assert (curve.low[0], curve.high[0]) == pytest.approx((boot.low, boot.high), abs=0.003)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"thresholds": [0.2, 1]}, "rising probabilities from 0 up to but not 1"),
        ({"thresholds": [0.5, 0.2]}, "rising probabilities"),
        ({"thresholds": []}, "rising probabilities"),
        ({"thresholds": [None, 0.2]}, "rising probabilities"),
        ({"thresholds": 0.2}, "thresholds: expected one value per row"),
        ({"prevalence": 0}, "prevalence: expected a number strictly between 0 and 1"),
        ({"level": 1}, "level: expected a number strictly between 0 and 1"),
        ({"higher_is": "negative"}, "higher is positive"),
    ],
)
def test_refusals(options, message):
    with pytest.raises(cw.CurvewiseError, match=message):
        cw.decision_curve([0, 1], [0.2, 0.7], **options)


def test_scores_that_are_no_probabilities_are_refused():
    with pytest.raises(cw.CurvewiseError, match="expected probabilities from 0 to 1"):
        cw.decision_curve([0, 1], [-2.5, 3.5])
    with pytest.raises(cw.UndefinedMetricError, match="needs both classes"):
        cw.decision_curve([1, 1], [0.2, 0.3])


def test_figures_look_where_positives_are():
    assert decision_limit(0.3) == 1
    assert decision_limit(0.1) == pytest.approx(0.4)
    assert decision_limit(0.001) == 0.05
    assert decision_limit(0.001, chosen=0.2) == pytest.approx(0.3)
    places = shown_thresholds(0.005)
    assert len(places[places <= 0.05]) >= 100
    assert {0.01, 0.5, 0.99} <= set(places.tolist())
    assert (places > 0).all()
    assert (places < 1).all()


def test_what_else_a_decision_curve_refuses():
    for level in (0, 1):
        with pytest.raises(cw.CurvewiseError, match="level: expected"):
            cw.decision_curve([0, 1], [0.2, 0.9], level=level, thresholds=[2.0])
    with pytest.raises(cw.CurvewiseError, match="thresholds: expected"):
        cw.decision_curve([0, 1], [0.2, 0.9], thresholds=[0.1, 0.1])


def test_alarms_avoided_are_unknown_at_a_threshold_of_0_alone():
    found = cw.decision_curve([0, 1, 0, 1], [0.2, 0.9, 0.4, 0.6], thresholds=[0, 0.3, 0.5])
    assert np.isnan(found.interventions_avoided).tolist() == [True, False, False]
