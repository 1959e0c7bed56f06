"""A figure of a page is drawn once, and looks as matplotlib saves it."""

import io

import curvewise as cw
from curvewise.figures.export import rewritten, to_svg, variable
from curvewise.figures.style import PAGE, matplotlib, new_figure, own_style


def drawn():
    fig = new_figure(PAGE)
    cw.roc_curve([0, 1, 0, 1, 1, 0], [0.1, 0.9, 0.4, 0.35, 0.8, 0.5]).plot(fig.add_subplot())
    return fig


def test_it_is_what_savefig_writes():
    fig, target = drawn(), io.StringIO()
    with own_style(PAGE):
        matplotlib().rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "curvewise"})
        fig.savefig(target, format="svg", facecolor="none", metadata={"Date": None})
    assert to_svg(drawn(), "one").svg == rewritten(target.getvalue(), "one", variable)


def test_axes_are_laid_out_once(monkeypatch):
    fig = drawn()
    engine, calls = fig.get_layout_engine(), []
    lay_out = engine.execute
    monkeypatch.setattr(engine, "execute", lambda fig: calls.append(lay_out(fig)))
    to_svg(fig, "one")
    assert len(calls) == 1
