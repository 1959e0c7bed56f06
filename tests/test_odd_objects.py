"""Objects and names that cannot be looked at, and numbers at the ends of what can be held: one sentence each."""

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

import curvewise as cw
from calls import CLASS, TIME, VERBS, N, P, Q, Y
from optional import optional

pa = optional("pyarrow")


def of_type(**methods):
    return type("Odd", (), methods)()


def fail(*_):
    raise KeyError("no")


WRITTEN = "expected names that can be written as text, got a "
RELEASED = memoryview(bytearray(8))
RELEASED.release()
HUGE = 10**5000  # Python writes no more than 4300 digits
REFUSED = {
    "no array": (lambda: cw.roc_auc(Y, of_type(__array__=fail)), "score: a Odd cannot be read as a column (KeyError"),
    "no array within": (lambda: cw.roc_auc(Y, [of_type(__array__=fail)] * N), "score: a list cannot be read as a"),
    "no array of classes": (lambda: cw.multiclass(CLASS, of_type(__array__=fail)), "one column per class"),
    "no hash": (lambda: cw.by_group(Y, P, [of_type(__hash__=fail)] * N), "group: expected a name for each row's group"),
    "no equals": (
        lambda: cw.by_group(Y, P, [of_type(__eq__=fail, __hash__=lambda _: 1) for _ in range(N)]),
        "group: expected a name for each row's group (text, a number), got KeyError('no').",
    ),
    "labels without hash": (
        lambda: cw.roc_auc([of_type(__hash__=fail)] * N, P),
        "y: expected labels (numbers or text)",
    ),
    "released memory": (lambda: cw.sample_size(0.8, RELEASED, correlation=0.3), "other: expected a number"),
    "no end": (lambda: cw.roc_auc(Y, range(10**18)), "score: a range cannot be read as a column (MemoryError"),
    "no end of a pair": (lambda: cw.partial_roc_auc(Y, P, fpr=range(10**18)), "fpr: expected a pair (low, high)"),
    "pair of lines": (lambda: cw.partial_roc_auc(Y, P, fpr=memoryview(np.zeros((2, 2)))), "fpr: expected a pair"),
    "several indexes": (
        lambda: cw.roc_auc(Y, pd.MultiIndex.from_product([range(N // 2), list("ab")])),
        "score: a MultiIndex cannot be read as a column",
    ),
    "nanoseconds": (lambda: cw.roc_auc(Y, pa.array([1] * N, pa.time64("ns"))), "score: a Time64Array cannot be read"),
    "group without text": (lambda: cw.by_group(Y, P, [of_type(__str__=fail)] * N), f"group: {WRITTEN}Odd"),
    "group of many digits": (lambda: cw.by_group(Y, P, [HUGE, 1] * (N // 2)), f"group: {WRITTEN}int"),
    "groups without text": (lambda: cw.by_group(Y, P, {of_type(__str__=fail): Y}), f"group: {WRITTEN}Odd"),
    "models without text": (lambda: cw.compare(Y, {of_type(__str__=fail): P, "b": Q}), f"{WRITTEN}Odd"),
    "column of many digits": (lambda: cw.evaluate({"y": Y, "a": P}, label="y", scores=HUGE), f"scores: {WRITTEN}int"),
    "class of many digits": (
        lambda: cw.detection.match(**{**VERBS["detection.match"], "classes": [HUGE]}),
        f"classes: {WRITTEN}int",
    ),
    "seed of days": (lambda: cw.interval("ece", Y, P, rng=np.timedelta64(1, "D")), "rng: expected a whole number"),
    "decimals of days": (lambda: cw.sweep(Y, P, round_to=np.timedelta64(1, "D")), "round_to: expected a whole number"),
    "long file name": (lambda: cw.detection.match("x" * 9999, "y"), "x"),
    "event beyond float64": (
        lambda: cw.concordance(TIME, [Decimal("1e999999"), *Y[1:].tolist()], P),
        "event: expected 0/1 or True/False",
    ),
    "labels of arrays": (
        lambda: cw.verification_corrected(pd.Series([np.zeros(2), None] * (N // 2)), P, threshold=0.5),
        "y: expected labels (numbers or text)",
    ),
    "certain everywhere": (
        lambda: cw.validation_sample_size(prevalence=0.1, auc=0.8, linear_predictor=(-3, 1), slope=2**53 + 1),
        "every chance is 0 or 1",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_looked_at_is_refused(name):
    call, says = REFUSED[name]
    with pytest.raises(cw.CurvewiseError) as refused:
        call()
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", [None, ("a", "b"), 1])
def test_a_frame_of_one_column_is_a_column_whatever_its_name_is(name):
    assert cw.roc_auc(Y, pd.DataFrame({name: P})) == cw.roc_auc(Y, P)


@pytest.mark.filterwarnings("error")
def test_numbers_at_the_ends_of_what_can_be_held():
    smallest = np.full(N, 1e-320)
    assert cw.d_calibration(TIME, Y, smallest).to_dict() == cw.d_calibration(TIME, Y, np.full(N, 1e-100)).to_dict()
    weight = [2.0**64, *np.full(N - 1, 0.3)]
    str(cw.reclassification(Y, {"a": P, "b": Q}, thresholds=[0.3, 0.6], weight=weight))
    costs = {"fp": 2.0**70, "fn": 2.0**71, "replicates": 9}
    few = {"fp": 1, "fn": 2, "replicates": 9}
    pair, other = (cw.compare_costs(Y, {"a": P, "b": Q}, **c).pairs[0] for c in (costs, few))
    assert pair.p_value == pytest.approx(other.p_value)
