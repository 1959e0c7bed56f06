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
BOXES = {"image": [1, 2, 3], "class": ["a", "a", "a"], "box": [[0, 0, 9, 9], [20, 0, 9, 9], [9, 9, 9, 9]]}
MATCHED = cw.detection.match(BOXES, {**BOXES, "score": [0.9, 0.8, 0.7]})
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
    "by_fold": lambda rng: cw.by_fold(Y, P, np.arange(N) % 3, rng=rng),
    "detection": lambda rng: MATCHED.interval(replicates=9, rng=rng),
}


NO_SEEDS = {str(v): v for v in (-1, 1.5, "x", [1, 2], {}, True, float("nan"))} | {"old": np.random.RandomState(0)}
NO_SEEDS["array"] = np.zeros((2, 1))


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


def test_a_number_beside_0_or_1():
    for level in (1e-300, 5e-324):
        with pytest.raises(cw.OptionError, match="level: expected a number strictly between 0 and 1, not so near to 0"):
            cw.interval("roc_auc", Y, P, level=level)
    with pytest.raises(cw.OptionError, match="level: expected a number strictly between 0 and 1, not so near to 1"):
        cw.interval("roc_auc", Y, P, level=1 - 2**-53)


PLANNED = {
    "sample_size": lambda x: cw.sample_size(0.8, 0.7, ratio=x),
    "auc_sample_size": lambda x: cw.auc_sample_size(0.8, half_width=0.05, ratio=x),
    "prevalence": lambda x: cw.validation_sample_size(x, 0.8),
    "width": lambda x: cw.validation_sample_size(0.1, 0.8, slope_width=x),
    "slope": lambda x: cw.validation_sample_size(0.1, 0.8, linear_predictor=(-2, 1), slope=x),
    "intercept": lambda x: cw.validation_sample_size(linear_predictor=(-2, 1), intercept=x),
    "fp": lambda x: cw.compare_costs(Y, BOTH, fp=x, fn=1),
    "temperature": lambda x: cw.objectives.auc(Y, P, temperature=x),
}


@pytest.mark.parametrize("extreme", [5e-324, 1e308])
@pytest.mark.parametrize("call", PLANNED)
def test_extreme_numbers_are_answered_or_refused(call, extreme):
    try:
        found = PLANNED[call](extreme)
    except cw.CurvewiseError as refused:
        assert "expected" in str(refused)  # noqa: PT017 - either will do
    else:
        assert "nan" not in str(found)


def test_a_function_that_returns_no_number():
    for call in (lambda f: cw.interval(f, Y, P), lambda f: cw.score(f, Y, P), lambda f: cw.compare(Y, BOTH, metric=f)):
        with pytest.raises(cw.OptionError, match="metric: expected text to return a number, got 'no number'"):
            call(text)


def text(sweep):
    return "no number"
