"""NRI and IDI: published numbers, exact small cases, invariances, clusters and weights, refusals."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit
from scipy.stats import norm, ttest_1samp, ttest_ind

import curvewise as cw
from ring import examples

OF = ("positives", "negatives", "total")


def from_moves(positives, negatives, middle):
    """Return rows whose probabilities lie in the middle of categories, moved as tables say."""
    rows = [
        (label, middle[i], middle[j])
        for label, table in ((1, positives), (0, negatives))
        for i, row in enumerate(table)
        for j, n in enumerate(row)
        for _ in range(n)
    ]
    y, old, new = zip(*rows, strict=True)
    return y, {"old": old, "new": new}


def test_framingham():
    """Pencina et al. (2008) Statistics in Medicine 27:157-172: HDL added to the Framingham score.

    Its cross-table of categories below 6%, to 20%, above: of 183 events 29 move up and 7 down, of 3081 non-events
    173 up and 174 down; NRI 0.121, p < 0.001. Its z = 0.1205/√(36/183² + 347/3081²) = 3.616.
    """
    positives = [[39, 15, 0], [4, 87, 14], [0, 3, 21]]
    negatives = [[1959, 142, 0], [148, 703, 31], [1, 25, 72]]
    found = cw.reclassification(*from_moves(positives, negatives, [0.03, 0.1, 0.4]), thresholds=[0.06, 0.2])
    assert found.moves == {"positives": positives, "negatives": negatives}
    assert found.nri.total.value == pytest.approx(0.121, abs=0.0006)
    assert found.nri.positives.value == pytest.approx(22 / 183)
    assert found.nri.negatives.value == pytest.approx(1 / 3081)
    # McNemar's test in each class; the published z of the sum has the same variances
    assert norm.isf(found.nri.p_values["positives"] / 2) == pytest.approx(22 / 6, abs=1e-9)
    assert norm.isf(found.nri.p_value / 2) == pytest.approx(3.616, abs=0.01)
    assert found.nri.p_value < 0.001


@pytest.mark.parametrize(
    ("positives", "negatives", "total", "low", "high", "p"),
    [
        ([[90, 24], [16, 208]], [[10671, 591], [654, 2344]], 0.03, -0.01, 0.07, 0.14),
        ([[60, 17], [46, 215]], [[8774, 399], [2551, 2536]], 0.07, 0.02, 0.11, 0.005),
    ],
)
def test_score_and_hapiee(positives, negatives, total, low, high, p):
    """doi:10.1093/eurheartj/ehaa571, Table 2: death from cardiovascular disease, threshold 5%, two pairs of models.

    Its p-values are Wald's, which the standard error meets to the digits shown.
    """
    found = cw.reclassification(*from_moves(positives, negatives, [0.02, 0.1]), thresholds=[0.05]).nri
    assert found.total.value == pytest.approx(total, abs=0.0051)
    assert (found.total.low, found.total.high) == pytest.approx((low, high), abs=0.0075)
    assert 2 * norm.sf(found.total.value / found.total.standard_error) == pytest.approx(
        p, abs=0.0051 if p > 0.1 else 5e-4
    )
    assert found.p_value == pytest.approx(p, abs=0.015)


def test_motor_cars():
    """PredictABEL's numbers in the documentation of R's jsmodule 1.5.6: reclassificationJS on mtcars.

    glm(vs ~ am + gear) against glm(vs ~ am + gear + wt), cutoff 0.2, 0.4: categorical NRI 0.754 (0.341-1.167),
    continuous NRI 1.413 (0.943-1.882), IDI 0.532 (0.356-0.709). Its intervals are Wald's.
    """
    vs = np.array([0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1])
    am = np.array([1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1])
    gear = [4, 4, 4, 3, 3, 3, 3, 4, 4, 4, 4, 3, 3, 3, 3, 3, 3, 4, 4, 4, 3, 3, 3, 3, 3, 4, 5, 5, 5, 5, 5, 4]
    wt = [2.62, 2.875, 2.32, 3.215, 3.44, 3.46, 3.57, 3.19, 3.15, 3.44, 3.44, 4.07, 3.73, 3.78, 5.25, 5.424]
    wt += [5.345, 2.2, 1.615, 1.835, 2.465, 3.52, 3.435, 3.84, 3.845, 1.935, 2.14, 1.513, 3.17, 2.77, 3.57, 2.78]

    def fitted(*columns):
        x, beta = np.column_stack([np.ones(32), *columns]), np.zeros(len(columns) + 1)
        for _ in range(50):
            p = expit(x @ beta)
            beta += np.linalg.solve((x.T * p * (1 - p)) @ x, x.T @ (vs - p))
        return expit(x @ beta)

    found = cw.reclassification(vs, {"old": fitted(am, gear), "new": fitted(am, gear, wt)}, thresholds=[0.2, 0.4])
    for measure, value, low, high in (
        (found.nri, 0.754, 0.341, 1.167),
        (found.continuous_nri, 1.413, 0.943, 1.882),
        (found.idi, 0.532, 0.356, 0.709),
    ):
        assert measure.total.value == pytest.approx(value, abs=0.0005)
        # Wald's standard error has n where an unbiased variance has n - 1
        assert measure.total.standard_error == pytest.approx((high - low) / 2 / 1.96, rel=0.04)


def test_idi_is_the_difference_of_slopes_with_welchs_t():
    rng = np.random.default_rng(3)
    y, p, q = np.arange(60) < 20, rng.random(60), rng.random(60)
    found = cw.reclassification(y, {"a": p, "b": q})
    assert found.nri is None
    assert found.moves == {}
    idi = found.idi
    assert idi.total.value == pytest.approx(found.slopes["b"] - found.slopes["a"])
    rise = q - p
    for estimate, p_value, expected in (
        (idi.positives, idi.p_values["positives"], ttest_1samp(rise[y], 0)),
        (idi.negatives, idi.p_values["negatives"], ttest_1samp(-rise[~y], 0)),
        (idi.total, idi.p_value, ttest_ind(rise[y], rise[~y], equal_var=False)),
    ):
        assert p_value == pytest.approx(expected.pvalue, rel=1e-9)
        assert (estimate.low, estimate.high) == pytest.approx(tuple(expected.confidence_interval(0.95)), rel=1e-9)


def test_net_shares_are_tangos_differences():
    """As `compare` has them for paired decisions, by McNemar."""
    y = np.r_[np.ones(44), np.zeros(10)]
    old = np.full(54, 0.5)
    new = np.r_[np.full(12, 0.6), np.full(2, 0.4), np.full(30, 0.5), np.full(10, 0.5)]
    found = cw.reclassification(y, {"old": old, "new": new}).continuous_nri
    assert (found.positives.value, found.negatives.value) == (pytest.approx(10 / 44), 0)
    assert found.positives.high > found.positives.value > found.positives.low > 0
    same = cw.compare(
        np.ones(44), {"new": (new > 0.5)[:44] * 1.0, "old": (new < 0.5)[:44] * 1.0}, metric="accuracy", threshold=0.5
    )
    assert found.positives.low == pytest.approx(same.difference.low, abs=1e-12)
    assert found.positives.high == pytest.approx(same.difference.high, abs=1e-12)
    assert found.p_values["positives"] == pytest.approx(same.p_value, rel=1e-9)


probability = st.sampled_from([0.05, 0.1, 0.2, 0.35, 0.5, 0.8])


@settings(deadline=None, max_examples=examples(25))
@given(st.lists(st.tuples(st.booleans(), probability, probability, st.integers(0, 4)), min_size=8, max_size=30))
def test_invariances(rows):
    y, p, q, cluster = (np.array(v) for v in zip(*rows, strict=True))
    if min(y.sum(), (~y).sum()) < 2:
        return
    for extra in ({}, {"cluster": cluster}, {"weight": cluster + 0.5}):
        there = cw.reclassification(y, {"a": p, "b": q}, thresholds=[0.2, 0.5], **extra)
        back = cw.reclassification(y, {"b": q, "a": p}, thresholds=[0.2, 0.5], **extra)
        turned = cw.reclassification(~y, {"a": 1 - p, "b": 1 - q}, **extra)
        for name in ("nri", "continuous_nri", "idi"):
            one, two = getattr(there, name), getattr(back, name)
            for of in OF:
                a, b, p_value = getattr(one, of), getattr(two, of), one.p_values[of]
                assert a.value == pytest.approx(-b.value, abs=1e-12)
                assert (a.low, a.high) == pytest.approx((-b.high, -b.low), abs=1e-9, nan_ok=True)
                if a.has_interval:
                    assert a.low <= a.value + 1e-12
                    assert a.value <= a.high + 1e-12
                    assert (p_value < 0.05) == (a.low > 0 or a.high < 0) or p_value == pytest.approx(0.05, abs=1e-6)
                else:
                    assert math.isnan(p_value)
                    assert a.reason is not None
        for of, other in (("positives", "negatives"), ("negatives", "positives"), ("total", "total")):
            assert getattr(turned.idi, of).value == pytest.approx(getattr(there.idi, other).value, abs=1e-12)


def test_weights_that_count_are_rows_repeated_and_clusters_of_one_are_rows():
    rng = np.random.default_rng(5)
    n = 50
    y, p, q = np.arange(n) % 3 == 0, rng.random(n).round(1), rng.random(n).round(1)
    times = rng.integers(1, 4, n)
    counted = cw.reclassification(y, {"a": p, "b": q}, thresholds=[0.5], weight=times, weight_kind="count")
    long = cw.reclassification(*(np.repeat(y, times), {"a": p.repeat(times), "b": q.repeat(times)}), thresholds=[0.5])
    assert counted.table.columns["low"] == pytest.approx(long.table.columns["low"], rel=1e-9)
    assert counted.moves == long.moves
    plain = cw.reclassification(y, {"a": p, "b": q}, thresholds=[0.5])
    alone = cw.reclassification(y, {"a": p, "b": q}, thresholds=[0.5], cluster=np.arange(n))
    for name in ("nri", "idi"):
        one, two = getattr(plain, name).total, getattr(alone, name).total
        assert one.standard_error == pytest.approx(two.standard_error, rel=0.03)
        assert (one.low, one.high) == pytest.approx((two.low, two.high), abs=0.05)


def test_rows_that_belong_together_say_less():
    rng = np.random.default_rng(6)
    cluster = np.repeat(np.arange(40), 6)
    y, p = (rng.random(40) < 0.5)[cluster], rng.random(40)[cluster]
    q = np.clip(p + rng.normal(0.05, 0.2, 40)[cluster], 0, 1)
    naive = cw.reclassification(y, {"a": p, "b": q}, thresholds=[0.5])
    honest = cw.reclassification(y, {"a": p, "b": q}, thresholds=[0.5], cluster=cluster)
    for name in ("nri", "continuous_nri", "idi"):
        one, two = getattr(naive, name).total, getattr(honest, name).total
        assert one.value == pytest.approx(two.value)
        assert two.high - two.low > 1.5 * (one.high - one.low)


def test_float32_probabilities_at_a_limit_are_in_the_upper_category():
    p = np.array([0.2, 0.1, 0.2, 0.1], dtype=np.float32)
    q = np.array([0.1, 0.2, 0.2, 0.1], dtype=np.float32)
    assert cw.reclassification([1, 1, 0, 0], {"a": p, "b": q}, thresholds=[0.2]).moves["positives"] == [[0, 1], [1, 0]]


def test_what_has_no_interval():
    y, p = [1, 1, 0, 0, 0], np.array([0.5, 0.6, 0.2, 0.3, 0.4])
    same = cw.reclassification(y, {"a": p, "b": p})
    assert same.idi.p_value == same.continuous_nri.p_value == 1
    assert same.idi.total.value == 0
    assert same.continuous_nri.total.low < 0 < same.continuous_nri.total.high
    shifted = cw.reclassification(y, {"a": p, "b": p + 0.125})
    assert shifted.idi.positives.reason.code == "same_gain_everywhere"
    one = cw.reclassification([1, 0, 0, 0, 0], {"a": p, "b": p[::-1]})
    assert one.idi.positives.reason.code == one.idi.total.reason.code == "one_row_of_class"
    assert one.idi.negatives.has_interval
    tied = cw.reclassification(y, {"a": p, "b": p[::-1]}, cluster=[1, 1, 1, 2, 2])
    assert tied.idi.positives.reason.code == tied.continuous_nri.total.reason.code == "one_cluster"


def test_it_says_how_it_misleads():
    found = cw.reclassification([1, 1, 0, 0], {"a": [0.1, 0.4, 0.2, 0.3], "b": [0.2, 0.5, 0.2, 0.1]}, thresholds=[0.3])
    assert [n.code for n in found.notes] == ["few_positives", "reclassification_misleads"]
    assert "do not choose a model by NRI or IDI" in str(found)
    assert "by b: ≥ 0.3" in str(found)


def test_a_useless_predictor_wins_on_the_rows_it_was_fitted_on():
    """Pepe et al. (2014): the tests reject far too often on the rows of the fit, and keep their size on new ones."""
    rng = np.random.default_rng(7)

    def fit(x, y):
        beta = np.zeros(x.shape[1])
        for _ in range(15):
            p = expit(x @ beta)
            beta += np.linalg.solve((x.T * p * (1 - p)) @ x + 1e-9 * np.eye(len(beta)), x.T @ (y - p))
        return beta

    wins = []
    for _ in range(60):
        y, new = rng.random((2, 200)) < 0.4
        x, fresh = (
            np.column_stack([np.ones(200), rng.normal(size=200) + t, rng.normal(size=(200, 5))]) for t in (y, new)
        )
        small, large = fit(x[:, :2], y), fit(x, y)
        wins.append(
            [
                found.total.value > 0 and found.p_value < 0.05
                for a, b in ((x, y), (fresh, new))
                for found in [cw.reclassification(b, {"a": expit(a[:, :2] @ small), "b": expit(a @ large)}).idi]
            ]
        )
    fitted, unseen = np.mean(wins, axis=0)
    assert fitted > 0.3
    assert unseen < 0.12


@pytest.mark.parametrize(
    ("scores", "options", "words"),
    [
        ({"a": [0.1, 0.2, 0.3, 0.4]}, {}, "expected two models, the old one first"),
        ({"a": [0.1, 0.2, 0.3, 0.4], "b": [1, 2, 3, 4]}, {}, "expected probabilities"),
        ({"a": [0.1, 0.2, 0.3, 0.4], "b": [0.1, 0.2, 0.3, 0.4]}, {"thresholds": [0.5, 0.2]}, "thresholds: expected"),
        ({"a": [0.1, 0.2, 0.3, 0.4], "b": [0.1, 0.2, 0.3, 0.4]}, {"thresholds": [0]}, "thresholds: expected"),
        ({"a": [0.1, 0.2, 0.3, 0.4], "b": [0.1, 0.2, 0.3, 0.4]}, {"thresholds": []}, "thresholds: expected"),
        ({"a": [0.1, 0.2, 0.3, 0.4], "b": [0.1, 0.2, 0.3, 0.4]}, {"higher_is": "negative"}, "higher_is: p is"),
        ({"a": [0.1, 0.2, 0.3, 0.4], "b": [0.1, 0.2, 0.3, 0.4]}, {"level": 1}, "level: expected"),
        ({"a": [0.1, 0.2, 0.3, 0.4], "b": [0.1, 0.2, 0.3, 0.4]}, {"cutoff": 1}, "cutoff: unknown option"),
    ],
)
def test_refusals(scores, options, words):
    with pytest.raises(cw.CurvewiseError, match=words):
        cw.reclassification([1, 0, 1, 0], scores, **options)
    with pytest.raises(cw.UndefinedMetricError, match="needs both classes"):
        cw.reclassification([1, 1], {"a": [0.1, 0.2], "b": [0.1, 0.3]}, positive=1)


def test_categories_need_rising_limits():
    y, old, new = [0, 1, 0, 1], [0.2, 0.6, 0.4, 0.7], [0.1, 0.7, 0.5, 0.8]
    for limits in ([0.3, 0.3], [0.5, 0.3]):
        with pytest.raises(cw.CurvewiseError, match="thresholds"):
            cw.reclassification(y, {"old": old, "new": new}, thresholds=limits)
