"""Axes by powers of ten and by log odds, and how far a decision curve goes."""

import numpy as np
import pytest

import curvewise as cw
from curvewise import figures
from figures.cases import line, made


def test_a_log_axis_bends_what_is_straight():
    curve = cw.roc_curve([1, 0, 0, 0, 0, 1], [6, 5, 4, 3, 3, 3])
    ax = figures.draw_roc(curve, xscale="log", point=cw.sweep([1, 0], [2, 1]).at(2), iso_cost=0.5)
    assert ax.get_xlim() == (0.1, 1)  # 1/4 would leave too little of an axis
    x, y = line(ax, "chance")
    assert y == pytest.approx(x)
    assert len(x) > 20
    x, y = line(ax)
    assert np.interp(0.75, x, y) == pytest.approx(0.75, abs=0.01)  # halfway through the tie of three
    assert (x[0], y[0]) == (0.1, 0.5)
    cost = line(ax, "model-0-cost")
    assert cost[1] == pytest.approx(1 + 0.5 * cost[0])
    assert line(ax, "model-0-point")[0] == 0.1  # FPR 0 is at the edge
    with pytest.raises(cw.CurvewiseError, match="xscale: expected one of 'linear', 'log'"):
        figures.draw_roc(curve, xscale="logit")


def test_distribution_by_log_odds():
    sweep = cw.sweep([0, 0, 0, 1, 0, 1], [0.0, 0.001, 0.01, 0.1, 0.002, 1.0])
    ax = figures.draw_distribution(sweep, xscale="logit", threshold=0)
    assert ax.get_xlim() == (0.001, 0.1)
    down = ax.patches[1].get_data()
    assert down.values[0] == pytest.approx(-0.5)  # 0 and 0.001
    assert np.diff(np.log(down.edges / (1 - down.edges))) == pytest.approx(np.log(0.1 / 0.9 / (0.001 / 0.999)) / 40)
    assert "0.01" in [t.get_text() for t in ax.get_xticklabels()]
    assert "0 and 1 at the edges" in ax.get_xlabel()
    mark = next(a for a in ax.get_lines() if a.get_gid() == "threshold")
    assert mark.get_xdata()[0] == 0.001
    with pytest.raises(cw.CurvewiseError, match="log odds is for probabilities; 1 scores are below 0 or above 1"):
        figures.draw_distribution(cw.sweep([0, 1], [0.5, 2.0]), xscale="logit")
    with pytest.raises(cw.CurvewiseError, match="log odds is for probabilities"):
        figures.draw_thresholds(cw.sweep([0, 1], [0.5, 2.0]), xscale="logit")
    with pytest.raises(cw.CurvewiseError, match="xscale: expected one of 'linear', 'logit'"):
        figures.draw_thresholds(sweep, xscale="log")


def test_a_decision_curve_ends_a_few_times_above_the_prevalence():
    y = np.arange(1000) < 20
    p = np.clip(0.02 + 0.3 * y * np.linspace(0, 1, 1000), 0, 1)
    curve = cw.decision_curve(y, p)
    assert figures.draw_decision(curve).get_xlim() == (0.01, 0.08)
    assert figures.draw_decision(curve, highest=0.5).get_xlim() == (0.01, 0.5)
    low, high = figures.draw_decision(curve).get_ylim()
    assert low == pytest.approx(-0.2 * 0.02)
    assert high == pytest.approx(1.1 * 0.02)
    assert not figures.draw_decision(curve, band=False).collections
    assert made("decision").axes[0].get_xlim() == (0.01, 0.99)
