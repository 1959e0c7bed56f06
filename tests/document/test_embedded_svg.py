"""A drawing becomes part of the page: styles as classes, nothing but drawing, short paths."""

import re
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import curvewise as cw
from curvewise.document.embedded_svg import MANY, embedded, short_path

FRAME = SimpleNamespace(left=10, top=5, width=80, height=60, xlim=(0, 1), ylim=(0, 1), xscale="linear", yscale="log")


def drawing(body, head='viewBox="0 0 100 80"'):
    spaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    svg = f"<svg {spaces} {head}>{body}</svg>"
    return SimpleNamespace(svg=svg, frames=[FRAME])


def one(body, **options):
    figures, sheet = embedded({"roc": drawing(body, **options)})
    return figures["roc"].svg, sheet


def test_styles_and_colours_become_classes():
    svg, sheet = one(
        '<g id="roc-model-1-line">'
        '<path d="M 1.23456 2 L 3 4" style="fill: none; stroke: var(--model-1, #d55e00)"/></g>'
        '<path d="M 0 0" fill="none" stroke="var(--model-1, #d55e00)"/>'
    )
    assert "style=" not in svg
    assert svg.count('class="f0"') == 2  # written in two ways, one class
    assert ".f0{fill:none;stroke:var(--model-1, #d55e00)}" in sheet
    assert '<g id="roc-model-1-line" class="model-1">' in svg
    assert 'd="M1.23 2l1.77 2"' in svg


def test_what_says_nothing_is_left_out():
    svg, _ = one('<g id="roc-axes"><g><text id="roc-t" transform="rotate(-0 1.5 2)">0.2</text></g></g>')
    assert '<g id="fig-roc-body"><text>0.2</text></g>' in svg
    turned, _ = one('<text transform="rotate(-90 1 2)">y</text>')
    assert 'transform="rotate(-90 1 2)"' in turned


def test_the_shell_names_the_figure_and_its_body():
    svg, _ = one("<path/>")
    assert svg.startswith('<svg class="figure" id="fig-roc" viewBox="0 0 100 80" role="img"')
    assert 'aria-labelledby="fig-roc-title"' in svg
    assert '<g id="fig-roc-body">' in svg


def test_frames_are_passed_on():
    figures, _ = embedded({"distribution:0": drawing("<g/>")})
    found = figures["distribution:0"]
    assert found.id == "fig-distribution-0"
    assert found.frames == [vars(FRAME) | {"xlim": [0, 1], "ylim": [0, 1]}]


@pytest.mark.parametrize(
    "body",
    [
        "<script>alert(1)</script>",
        '<path onload="alert(1)" d="M 0 0"/>',
        '<use xlink:href="https://x.test/a.svg#b"/>',
        '<use href="javascript:alert(1)"/>',
        "<foreignObject><b>alert</b></foreignObject>",
        "<style>*{fill:url(//x.test)}</style>",
        '<path style="fill:url(https://x.test)"/>',
        '<path clip-path="url(https://x.test#a)"/>',
        '<image href="https://x.test/a.png"/>',
        '<a href="https://x.test"><text>x</text></a>',
        '<path style="stroke:red}body{background:url(//x.test)"/>',
    ],
)
def test_only_drawing_passes(body):
    svg, sheet = one(body)
    for bad in ("script", "alert", "x.test", "foreignObject", "<style", "<image", "<a ", "onload"):
        assert bad not in svg + sheet


def test_what_a_drawing_needs_passes():
    svg, _ = one(
        '<defs><clipPath id="roc-c"><rect x="0" y="0" width="9" height="9"/></clipPath></defs>'
        '<defs><path id="roc-m" d="M 0 0"/></defs>'
        '<g clip-path="url(#roc-c)"><use xlink:href="#roc-m" x="1.5" y="2"/></g>'
        '<text transform="translate(1 2) rotate(-90)">a &lt;b&gt; style="x" <tspan>c</tspan></text>'
    )
    assert '<clipPath id="roc-c">' in svg
    assert 'clip-path="url(#roc-c)"' in svg
    assert '<use href="#roc-m" x="1.5" y="2"' in svg
    assert 'a &lt;b&gt; style="x" <tspan>c</tspan>' in svg


def test_what_is_no_figure_is_refused():
    with pytest.raises(cw.CurvewiseError, match="figure 'roc': not a well-formed SVG"):
        one("<g>")
    with pytest.raises(cw.CurvewiseError, match="expected an SVG with a viewBox"):
        one("<g/>", head="")
    with pytest.raises(cw.CurvewiseError, match="document type"):
        embedded({"roc": SimpleNamespace(svg='<!DOCTYPE svg [<!ENTITY a "b">]><svg/>', frames=[])})


place = st.floats(min_value=-500, max_value=500)


def walked(path):
    """Return the corners of a path of M, L, l, h and v."""
    x = y = 0.0
    corners = []
    for letter, numbers in re.findall(r"([MLlhv])([^MLlhvz]*)", path):
        found = [float(n) for n in re.findall(r"-?\d*\.?\d+(?:e-?\d+)?", numbers)]
        if letter in "ML":
            x, y = found
        elif letter == "l":
            x, y = x + found[0], y + found[1]
        else:
            x, y = (x + found[0], y) if letter == "h" else (x, y + found[0])
        corners.append((x, y))
    return corners


@given(st.lists(st.tuples(place, place), min_size=2, max_size=20))
def test_every_corner_stays_within_a_hundredth(points):
    text = "M " + " \nL ".join(f"{x} {y}" for x, y in points)
    short = walked(short_path(text))
    assert all(min(abs(x - a) + abs(y - b) for a, b in short) < 0.0101 for x, y in points)


def test_errors_do_not_add_up_along_a_long_line():
    points = [(k * 0.237, (k * k * 0.0173) % 100) for k in range(4 * MANY)]
    text = "M " + " L ".join(f"{x} {y}" for x, y in points)
    x, y = walked(short_path(text))[-1]
    assert abs(x - points[-1][0]) + abs(y - points[-1][1]) < 0.101
    assert len(short_path(text)) < 0.5 * len(text)


def test_curves_and_ends_keep_their_form():
    assert short_path("M 0 1.23456 C 1 2 3 4 5 6 z") == "M 0 1.23 C 1 2 3 4 5 6 z"
    assert short_path("M 0 0 \nL 1 0 \nL 1 1 \nz\n") == "M0 0h1v1z"
    assert short_path("M 0 0 L 1 1 M 5 5 L 6 5.5") == "M0 0l1 1M5 5l1 .5"
    assert short_path("M -0.001 1e-7 L 2.5 -0.5") == "M0 0l2.5-.5"
