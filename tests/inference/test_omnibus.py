"""The test that all models are equal: for every metric, with degrees of freedom; and what corrects many pairs."""

import numpy as np
import pytest
from scipy import stats

import curvewise as cw
from curvewise.inference.comparison import all_equal


def models(rng, number, positives, negatives, shift=1.0):
    y = np.repeat([1, 0], [positives, negatives])
    shared, own = rng.normal(size=len(y)), rng.normal(size=(number, len(y)))
    return y, {f"m{k}": (shared + line) / np.sqrt(2) + shift * y for k, line in enumerate(own)}


def test_one_sample_is_hotellings():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(12, 4))
    mean, covariance = x.mean(axis=0), np.cov(x.T) / 12
    square, rank, p, degrees = all_equal(mean.tolist(), [(covariance, 12)])
    contrast = np.diff(np.eye(4), axis=0)
    gap = contrast @ mean
    wanted = float(gap @ np.linalg.solve(contrast @ covariance @ contrast.T, gap))
    assert (square, rank, degrees) == (pytest.approx(wanted), 3, pytest.approx(11))
    assert p == pytest.approx(stats.f.sf(wanted * 9 / (11 * 3), 3, 9))


def test_two_groups_of_two_means_have_welchs_degrees_of_freedom():
    rng = np.random.default_rng(1)
    one, two = rng.normal(size=8), 3 * rng.normal(size=20)
    parts = [(np.diag([one.var(ddof=1) / 8, 0.0]), 8), (np.diag([0.0, two.var(ddof=1) / 20]), 20)]
    _, _, p, degrees = all_equal([one.mean(), two.mean()], parts)
    assert p == pytest.approx(stats.ttest_ind(one, two, equal_var=False).pvalue)
    assert degrees == pytest.approx(stats.ttest_ind(one, two, equal_var=False).df)


def test_few_positives_do_not_reject_too_often():
    rng, rejected = np.random.default_rng(2), 0
    for _ in range(150):
        y, scores = models(rng, 8, 10, 90)
        rejected += cw.compare(y, scores).p_value < 0.05
    assert rejected <= 15  # chi-square: more than 50


@pytest.mark.parametrize(
    ("metric", "options"),
    [
        ("average_precision", {}),
        ("f1", {"threshold": 0.5}),
        ("recall", {"threshold": 0.5}),
        ("recall", {"threshold": 0.5, "method": "influence"}),
        ("roc_auc", {"method": "bootstrap", "replicates": 200}),
        ("ks", {"replicates": 200}),
        ("roc_auc", {"against": 0.7}),
    ],
)
def test_every_metric_has_it(metric, options):
    y, scores = models(np.random.default_rng(3), 3, 60, 140)
    alike = cw.compare(y, scores, metric=metric, **options)
    scores["m2"] = scores["m2"] + 2 * y
    apart = cw.compare(y, scores, metric=metric, **options)
    assert apart.p_value < 1e-4 < alike.p_value
    assert apart.omnibus[1] == len(apart.values) - 1


def test_clusters_and_different_rows_have_it():
    rng = np.random.default_rng(4)
    y, scores = models(rng, 3, 60, 140)
    cluster = np.arange(200) % 12
    some = cw.compare(y, scores, cluster=cluster)
    degrees = next(n.values["degrees"] for n in some.notes if n.code == "omnibus_degrees")
    assert degrees == pytest.approx(11)
    apart = cw.compare(dict.fromkeys(scores, y), scores, metric="average_precision")
    assert 0 < apart.p_value < 1


def test_what_has_no_such_test_says_so():
    y, scores = models(np.random.default_rng(5), 3, 20, 20)
    found = cw.compare(y, scores, method="permutation", replicates=50)
    assert found.omnibus is None
    assert "cannot test all models at once" in str(found)


def test_margins_of_many_pairs_say_that_they_are_not_corrected():
    y, scores = models(np.random.default_rng(6), 3, 20, 20)
    assert "for all 3 pairs together, multiply them by 3" in str(cw.compare(y, scores, margin=0.1))
    del scores["m2"]
    assert "multiply" not in str(cw.compare(y, scores, margin=0.1))


def test_a_permutation_compares_one_model_with_chance():
    y, scores = models(np.random.default_rng(7), 1, 15, 25, shift=0.1)
    found = cw.compare(y, scores, method="permutation", replicates=2000)
    wanted = stats.mannwhitneyu(scores["m0"][y == 1], scores["m0"][y == 0], method="exact").pvalue
    assert found.p_value == pytest.approx(wanted, abs=0.04)
    assert found.values == {"m0": cw.roc_auc(y, scores["m0"]), "value": 0.5}


def test_a_permutation_knows_chance_of_other_metrics():
    y, scores = models(np.random.default_rng(8), 1, 20, 60, shift=1.5)
    options = {"method": "permutation", "replicates": 200}
    assert cw.compare(y, scores, metric="average_precision", against=0.25, **options).p_value < 0.02
    with pytest.raises(
        cw.CurvewiseError, match=r"against: a permutation compares average_precision with chance, 0\.25"
    ):
        cw.compare(y, scores, metric="average_precision", against=0.3, **options)
    with pytest.raises(cw.CurvewiseError, match="rows are independent"):
        cw.compare(y, scores, against=0.5, cluster=np.arange(80) // 2, **options)


def test_shuffled_scores_of_no_value_reject_as_often_as_they_should():
    rng, p_values = np.random.default_rng(9), []
    for seed in range(100):
        y = np.repeat([1, 0], [8, 22])
        options = {"metric": "average_precision", "against": 8 / 30, "method": "permutation"}
        p_values.append(cw.compare(y, {"a": rng.normal(size=30)}, replicates=99, rng=seed, **options).p_value)
    assert 1 <= np.sum(np.array(p_values) < 0.05) <= 12
