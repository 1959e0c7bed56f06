"""Options that cannot be used: one sentence, whatever was given, and no search without end."""

import numpy as np
import pytest

import curvewise as cw

RNG = np.random.default_rng(8)
N = 60
Y = np.arange(N) % 3 == 0
P = 1 / (1 + np.exp(-RNG.normal(Y * 1.0)))
BOTH = {"a": P, "b": P**2}
GROUP = np.arange(N) % 2
SEEDED = {
    "interval": lambda rng: cw.interval("roc_auc", Y, P, rng=rng),
    "resampled": lambda rng: cw.interval("pr_auc", Y, P, method="percentile", rng=rng),
    "compare": lambda rng: cw.compare(Y, BOTH, rng=rng),
    "permuted": lambda rng: cw.compare(Y, BOTH, method="permutation", rng=rng),
    "operating_point": lambda rng: cw.operating_point(Y, P, cw.rules.youden(), rng=rng),
    "by_group": lambda rng: cw.by_group(Y, P, GROUP, rng=rng),
    "fairness": lambda rng: cw.fairness(Y, P, GROUP, threshold=0.5, rng=rng),
    "roc_band": lambda rng: cw.roc_band(Y, P, rng=rng),
    "pr_band": lambda rng: cw.pr_band(Y, P, rng=rng),
    "partial_view": lambda rng: cw.partial_view(Y, BOTH, fp=1, fn=1, prevalence=0.3, rng=rng),
    "compare_costs": lambda rng: cw.compare_costs(Y, BOTH, fp=1, fn=2, rng=rng),
    "reliability": lambda rng: cw.reliability(Y, P, rng=rng),
    "calibration": lambda rng: cw.calibration(Y, P, rng=rng),
    "recalibrate": lambda rng: cw.recalibrate(Y, P, rng=rng),
}


NO_SEEDS = {str(v): v for v in (-1, 1.5, "x", [1, 2], {}, True, float("nan"))} | {"old": np.random.RandomState(0)}


@pytest.mark.parametrize("rng", NO_SEEDS)
@pytest.mark.parametrize("verb", SEEDED)
def test_what_is_no_seed(verb, rng):
    with pytest.raises(cw.OptionError, match="rng: expected a whole number of at least 0, a NumPy Generator or None"):
        SEEDED[verb](NO_SEEDS[rng])


def test_generators_and_large_seeds():
    one, same = (cw.interval("pr_auc", Y, P, method="percentile", rng=r) for r in (5, np.random.default_rng(5)))
    assert (one.low, one.high) == (same.low, same.high)
    assert cw.interval("pr_auc", Y, P, method="percentile", rng=2**200).low < one.value
    assert cw.interval("pr_auc", Y, P, method="percentile", rng=np.int64(5)).low == one.low


@pytest.mark.parametrize("option", ["cluster", "stratum"])
def test_labels_that_have_no_equals(option):
    with pytest.raises(cw.CurvewiseError, match=rf"{option}: expected a label for each row .*got 60 other values"):
        cw.interval("roc_auc", Y, P, **{option: [{} for _ in Y]})


@pytest.mark.parametrize("decimals", [400, 10**10, 10**30])
def test_more_decimals_than_a_number_has(decimals):
    assert cw.roc_auc(Y, P, round_to=decimals) == cw.roc_auc(Y, P)


@pytest.mark.parametrize("cv", [N + 1, 10**18])
def test_more_parts_than_rows(cv):
    with pytest.raises(cw.OptionError, match="cv: expected at most 60, a part for each row"):
        cw.recalibrate(Y, P, cv=cv)
