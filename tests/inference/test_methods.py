"""The table of interval methods: every metric names one, and a new one is one entry."""

import pytest

import curvewise as cw
from curvewise.inference import methods
from curvewise.inference.methods import METHODS, Method, has_pivot, method_of
from curvewise.inference.pivots import EndsPivot
from curvewise.metric.registry import bound, every

Y, S = [0, 0, 1, 1, 0, 1, 1, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6, 7, 3, 2, 4, 9, 8]


def target_of(m):
    return m.bind(dict.fromkeys(m.required, 0.5))


@pytest.mark.parametrize("m", every(), ids=lambda m: m.name)
def test_the_default_method_of_a_metric_is_in_the_table(m):
    method = method_of(target_of(m))
    assert method.name == m.interval
    assert method.needs_draws(target_of(m)) == (m.interval == "percentile" or (not m.smooth and m.interval != "none"))


def test_a_method_is_asked_for_by_name_and_makes_interval_and_test(monkeypatch):
    """One entry: `interval` takes it, the message lists it, and only metrics that it is for have it."""

    def wide(case):
        return EndsPivot(case.value, lambda level: (case.value - level / 2, case.value + level / 2))

    added = Method("wide", wide, also_for=lambda target: target.metric.unit == "area")
    monkeypatch.setattr(methods, "METHODS", (*METHODS, added))
    found = cw.interval("roc_auc", Y, S, method="wide", level=0.4)
    value = cw.roc_auc(Y, S)
    assert (found.low, found.high, found.method) == (pytest.approx(value - 0.2), pytest.approx(value + 0.2), "wide")
    assert cw.interval("average_precision", Y, S, method="wide").high == 1  # ends stay within the range of the metric
    with pytest.raises(cw.CurvewiseError, match="'hanley-mcneil', 'wide', 'bootstrap'"):
        cw.interval("roc_auc", Y, S, method="wilde")
    with pytest.raises(cw.CurvewiseError, match="method: expected one of"):
        cw.interval("recall", Y, S, threshold=3, method="wide")


def test_a_metric_without_a_test_has_no_pivot():
    assert has_pivot(bound("roc_auc"))
    assert has_pivot(bound("recall", {"threshold": 1}))
    assert not has_pivot(bound("ks"))
    assert not has_pivot(bound("average_precision", {"ties": "expected"}))
    assert not has_pivot(bound(lambda sweep: sweep.n))
