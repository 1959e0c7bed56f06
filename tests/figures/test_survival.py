"""Figures over time draw the numbers of the results, and nothing else."""

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot

import curvewise as cw
from curvewise import figures
from figures.cases import key, made, over_time, own_time

mpl.use("agg")


@pytest.fixture(autouse=True)
def _close():
    yield
    pyplot.close("all")


def line(ax, gid):
    return next(artist.get_xydata().T for artist in ax.get_lines() if artist.get_gid() == gid)


def test_a_metric_over_time_with_its_reference():
    curves = {name: over_time().brier_curve(name) for name in over_time().models}
    ax = figures.draw_time_curve(curves)
    for place, curve in enumerate(curves.values()):
        np.testing.assert_array_equal(line(ax, f"model-{place}-line"), [curve.time, curve.value])
    np.testing.assert_array_equal(line(ax, "reference"), [curve.time, curve.reference])
    assert key(ax) == ["first", "second"]
    with pytest.raises(cw.CurvewiseError, match="One figure is of one metric, got brier_loss and roc_auc"):
        figures.draw_time_curve({"a": curve, "b": over_time().auc_curve("first", points=3)})


def test_horizons_with_intervals_of_any_metric():
    sv = over_time()
    for metric in ("roc_auc", "brier_skill", "brier_loss", "observed_expected"):
        ax = sv.plot(metric=metric)
        np.testing.assert_array_equal(
            line(ax, "model-1-line")[1], [found[metric].value for found in sv.models["second"].at.values()]
        )
    alone = sv.models["first"].plot()
    assert line(alone, "model-0-line")[0].tolist() == list(sv.horizons)


def test_risk_groups_and_d_calibration():
    groups = over_time().risk_groups("first")
    ax = groups.plot()
    for place, group in enumerate(groups.groups):
        np.testing.assert_array_equal(line(ax, f"model-{place}-line"), [group.time, group.observed])
    assert [text.split(" (")[0] for text in key(ax)] == ["lowest risk", "risk group 2", "highest risk"]
    bars = made("d_calibration").axes[0]
    drawn = next(p for p in bars.patches if p.get_gid() == "bars")
    np.testing.assert_array_equal(drawn.get_data().values, own_time().counts)
    assert line(bars, "expected")[1].tolist() == [30, 30]
    assert "风险最低" in "".join(key(figures.draw_risk_groups(groups, lang="zh")))
