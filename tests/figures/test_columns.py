"""Many columns drawn: lines with spans, a map, a volcano, each where it is right."""

import numpy as np
import pytest
from matplotlib import pyplot as plt

import curvewise as cw


def _found(columns=(3, 10), **how):
    rng = np.random.default_rng(0)
    y = np.arange(60) < 30
    scores = rng.normal(size=(60, *columns))
    scores[:, 1, 4:8] += 2.0 * y[:, None]
    axes = {"neuron": None, "time": np.arange(columns[1]) / 10}
    return cw.by_column(y, scores, axes=axes, **how)


def _gids(ax):
    return [a.get_gid() for a in ax.findobj() if a.get_gid()]


def test_lines_have_bands_and_the_runs_below():
    found = _found(method="permutation", ordered="time", replicates=99)
    ax = found.plot()
    spans = [line for line in ax.get_lines() if str(line.get_gid()).endswith("span")]
    mine = [run for run in found.runs if run["p"] < 0.05]
    assert len(spans) == len(mine) > 0
    assert spans[0].get_xdata() == pytest.approx([mine[0]["first"] - 0.05, mine[0]["last"] + 0.05])
    lines = {line.get_gid(): line for line in ax.get_lines()}
    assert lines["model-1-line"].get_ydata() == pytest.approx(found.value[1])
    assert "model-2-band" in _gids(ax)
    plt.close("all")


def test_many_lines_are_a_map_with_dots():
    found = _found((20, 10))
    ax = found.plot(lang="zh")
    assert np.asarray(ax.images[0].get_array()) == pytest.approx(found.value)
    dots = next(c for c in ax.collections if c.get_gid() == "beyond")
    assert sorted(map(tuple, dots.get_offsets()[:, ::-1].astype(int).tolist())) == sorted(
        map(tuple, np.argwhere(found.p_holm < 0.05).tolist())
    )
    plt.close("all")


def test_columns_without_order_are_a_volcano():
    found = _found()
    flat = cw.by_column(np.arange(60) < 30, np.random.default_rng(0).normal(size=(60, 40)))
    ax = flat.plot()
    assert next(c for c in ax.collections if c.get_gid() == "columns").get_offsets()[:, 1].max() == pytest.approx(
        -np.log10(flat.p[flat.p_holm >= 0.05].min())
    )
    assert found.plot(kind="volcano").get_title() == ""
    plt.close("all")


def test_a_kind_that_does_not_fit_says_so():
    with pytest.raises(cw.CurvewiseError, match="a map has two axes"):
        cw.by_column([0, 1] * 4, np.arange(24.0).reshape(8, 3)).plot(kind="map")
    with pytest.raises(cw.CurvewiseError, match="at most 8"):
        _found((20, 10)).plot(kind="lines")
    plt.close("all")
