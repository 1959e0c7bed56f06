"""The SVG that a page takes in, and the files that are written."""

import math
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import matplotlib as mpl
import pytest
from scipy.special import ndtri

import curvewise as cw
from curvewise import figures
from curvewise.figures import fonts
from curvewise.figures.export import rewritten, variable
from figures.cases import FIGURES, RATINGS, made, sweeps

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = ["<script>alert(1)</script>", "$x_1$", "a & b", '" onload="x', "a\u202eb\x1b[0m", 'id="#0072b2"']


@pytest.fixture
def fresh_fonts():
    fonts.chinese_font.cache_clear()
    yield
    fonts.chinese_font.cache_clear()


def points(svg, gid):
    """Return the points of a line by the id of its group."""
    group = next(g for g in ET.fromstring(svg).iter(f"{SVG}g") if g.get("id") == gid)
    path = group.find(f"{SVG}path").get("d")
    return [tuple(map(float, p)) for p in re.findall(r"[ML] (\S+) (\S+)", path)]


def placed(frame, x, y):
    scale = {"linear": float, "probit": ndtri, "log": math.log10, "logit": lambda p: math.log(p / (1 - p))}
    fx, fy = scale[frame.xscale], scale[frame.yscale]
    across = (fx(x) - fx(frame.xlim[0])) / (fx(frame.xlim[1]) - fx(frame.xlim[0]))
    up = (fy(y) - fy(frame.ylim[0])) / (fy(frame.ylim[1]) - fy(frame.ylim[0]))
    return frame.left + across * frame.width, frame.top + (1 - up) * frame.height


@pytest.mark.parametrize("name", FIGURES)
def test_what_a_page_relies_on(name):
    drawing = figures.to_svg(made(name), prefix="it")
    svg = drawing.svg
    root = ET.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    assert root.get("viewBox").startswith("0 0 252 ")
    assert not {"width", "height"} & set(root.keys())
    assert svg.startswith("<svg ")
    for forbidden in (
        "style=",
        "<style",
        "<metadata",
        "<?xml",
        "<!DOCTYPE",
        "<!--",
        "<script",
        'pt"',
        "dc:date",
    ):
        assert forbidden not in svg, forbidden
    ids = re.findall(r'\sid="([^"]*)"', svg)
    assert len(ids) == len(set(ids))
    assert all(i.startswith("it-") for i in ids)
    referred = re.findall(r'(?:href="#|url\(#)([^")]*)', svg)
    assert set(referred) <= set(ids)
    colours = set(re.findall(r'(?:fill|stroke)="([^"]*)"', svg)) - {"none"}
    assert all(re.fullmatch(r"var\(--[a-z]+(-\d)?, #[0-9a-f]{6}\)", c) for c in colours), colours
    assert {t.get("font-family") for t in root.iter(f"{SVG}text")} == {"system-ui, sans-serif"}
    assert len(drawing.frames) == (2 if name == "reliability" else 1)
    assert len(svg) < 100_000


@pytest.mark.parametrize("name", ["roc", "distribution"])
def test_the_same_figure_gives_the_same_bytes(name):
    assert figures.to_svg(made(name)) == figures.to_svg(made(name))


def test_variables():
    svg = figures.to_svg(made("pr")).svg
    assert "var(--model-0, #0072b2)" in svg
    assert "var(--model-1, #d55e00)" in svg
    assert "var(--ink, #222222)" in svg
    assert "var(--muted, #757575)" in svg
    assert "var(--grid, #dddddd)" in svg
    assert variable("#c4500c") == "var(--positive, #c4500c)"
    assert variable("#123456") == "#123456"


@pytest.mark.parametrize("name", ["roc", "det", "cost"])
def test_frames_say_where_a_value_lies(name):
    figure = figures.figure()
    verb = {"roc": cw.roc_curve, "det": cw.det_curve, "cost": cw.cost_curve}[name]
    curve = verb(RATINGS).thin(1000)
    getattr(figures, f"draw_{name}")(curve, ax=figure.add_subplot())
    drawing = figures.to_svg(figure, "f")
    x, y, *_ = curve
    # a DET curve begins and ends at a rate of 0, beyond the edge
    inner = slice(1, -1) if name == "det" else slice(None)
    wanted = [placed(drawing.frames[0], *p) for p in zip(x[inner], y[inner], strict=True)]
    assert points(drawing.svg, "f-model-0-line")[inner] == [pytest.approx(p, abs=1e-3) for p in wanted]


def test_frames_of_powers_of_ten_and_of_log_odds():
    figure = figures.figure()
    figures.draw_roc(cw.roc_curve(RATINGS), ax=figure.add_subplot(), xscale="log")
    drawing = figures.to_svg(figure, "f")
    frame = drawing.frames[0]
    assert (frame.xscale, frame.xlim) == ("log", (2 / 58, 1))
    drawn = points(drawing.svg, "f-model-0-line")
    for x, y in zip(*cw.roc_curve(RATINGS).axes(), strict=True):
        if x:  # FPR 0 has no place on a log axis
            assert min(math.dist(placed(frame, x, y), p) for p in drawn) < 0.01
    sweep = cw.sweep([0, 0, 1, 0, 1], [0.0, 0.001, 0.02, 0.004, 1.0])
    figure = figures.figure()
    figures.draw_thresholds(sweep, ax=figure.add_subplot(), xscale="logit", threshold=0.02)
    drawing = figures.to_svg(figure, "f")
    frame = drawing.frames[0]
    assert (frame.xscale, frame.xlim) == ("logit", (0.001, 0.02))
    drawn = points(drawing.svg, "f-recall")
    assert drawn[0] == pytest.approx(placed(frame, 0.02, 0.5), abs=1e-3)  # where 1 lies: at the edge
    assert drawn[-1] == pytest.approx(placed(frame, 0.001, 1), abs=1e-3)


def test_the_second_frame_is_the_histograms():
    above, below = figures.to_svg(made("reliability")).frames
    assert below.top > above.top + above.height
    assert (below.left, below.width) == pytest.approx((above.left, above.width))


def test_names_stay_text():
    curves = {name: cw.roc_curve(RATINGS) for name in HOSTILE}
    figure = figures.figure()
    figures.draw_roc(curves, ax=figure.add_subplot())
    svg = figures.to_svg(figure).svg
    shown = [t.text for t in ET.fromstring(svg).iter(f"{SVG}text")]
    for name in (
        "<script>alert(1)</script>",
        "$x_1$",
        "a & b",
        '" onload="x',
        r"a\u202eb\x1b[0m",
        'id="#0072b2"',
    ):
        assert f"{name}: AUC 0.893" in shown
    assert "<script" not in svg
    assert "onload" not in re.sub(r">[^<]*<", "><", svg)


def test_hostile_groups_stay_text():
    y, score = [0, 1] * 60, list(range(120))
    figure = figures.figure()
    figures.draw_groups(cw.by_group(y, score, HOSTILE[:3] * 40), ax=figure.add_subplot())
    shown = [t.text for t in ET.fromstring(figures.to_svg(figure).svg).iter(f"{SVG}text")]
    assert {"$x_1$", "a & b"} <= set(shown)
    assert any(text.startswith("<script>") and text.endswith("/script>") for text in shown)


def test_long_names_lose_their_middle():
    from curvewise.results.text import shortened

    assert shortened("x" * 26) == "x" * 26
    assert shortened("a" * 20 + "b" * 20) == "a" * 12 + "…" + "b" * 12
    assert shortened("北京协和医院心内科第二病区随访队列") == "北京协和医院…病区随访队列"
    assert shortened(17) == "17"


def test_a_prefix_is_an_id():
    with pytest.raises(cw.CurvewiseError, match="prefix: expected a letter"):
        figures.to_svg(made("roc"), prefix='x" y')


def test_older_matplotlib_writes_fonts_in_one():
    old = (
        '<?xml version="1.0"?><!DOCTYPE svg><svg width="9pt" viewBox="0 0 9 9"><metadata>m</metadata>'
        '<g style="fill: #0072B2"><text style="font: italic 700 8px \'DejaVu Sans\', sans-serif; '
        'text-anchor: middle">font: 9px</text></g></svg>'
    )
    assert rewritten(old, "p", variable) == (
        '<svg viewBox="0 0 9 9" stroke-linejoin="round" stroke-linecap="butt">'
        '<g fill="var(--model-0, #0072b2)"><text font-weight="700" font-style="italic" font-size="8px" '
        'font-family="system-ui, sans-serif" text-anchor="middle">font: 9px</text></g></svg>\n'
    )


def test_chinese_names_need_no_font_in_an_svg(monkeypatch, fresh_fonts):
    monkeypatch.setattr(fonts, "CHINESE_FONTS", ())
    monkeypatch.setattr(fonts, "_has_letters", lambda path: False)
    y, score = [0, 1] * 60, list(range(120))
    found = cw.by_group(y, score, ["北京协和医院", "上海"] * 60)
    figure = figures.figure()
    figures.draw_groups(found, ax=figure.add_subplot(), lang="zh")
    drawing = figures.to_svg(figure)
    assert "北京协和医院" in drawing.svg
    # six letters of the full width, which matplotlib took for narrower ones, fit beside the axes
    assert drawing.frames[0].left > 6 * 7
    with pytest.warns(cw.CurvewiseWarning, match="No installed font has all letters .* fonts-noto-cjk") as caught:
        figures.export._bytes(figure, "png")
    assert len(caught) == 1


def test_a_font_is_found_by_its_letters(monkeypatch, fresh_fonts):
    monkeypatch.setattr(fonts, "CHINESE_FONTS", ())
    assert fonts.chinese_font() != fonts.LAST_RESORT  # a font of boxes
    assert not fonts._has_letters(mpl.get_data_path() + "/fonts/ttf/DejaVuSans.ttf")
    assert not fonts._has_letters("removed.ttf")
    fonts.chinese_font.cache_clear()
    monkeypatch.setattr(fonts, "_has_letters", lambda path: Path(path).stem.startswith("DejaVuSerif"))
    assert fonts.chinese_font() == "DejaVu Serif"


@pytest.mark.parametrize("form", ["svg", "pdf", "png"])
def test_save(tmp_path, form):
    path = tmp_path / f"confusion.{form}"
    figures.save(made("confusion"), path)
    first = path.read_bytes()
    figures.save(made("confusion"), str(path))
    assert path.read_bytes() == first
    assert [p.name for p in tmp_path.iterdir()] == [path.name]
    assert {"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG"}[form] == first[: 4 + (form == "svg")]
    if form == "png":
        assert mpl.image.imread(path).shape[1] == round(3.5 * 300)
    if form == "svg":
        assert b"var(" not in first
        assert b'width="252pt"' in first


def test_save_refuses(tmp_path, monkeypatch):
    figure = made("roc")
    with pytest.raises(cw.CurvewiseError, match=r"roc.jpeg: a figure is written as .svg, .pdf or .png"):
        figures.save(figure, tmp_path / "roc.jpeg")
    with pytest.raises(cw.CurvewiseError, match="the name ends in ''"):
        figures.save(figure, tmp_path / "roc")
    with pytest.raises(cw.SourceError, match="there is no folder"):
        figures.save(figure, tmp_path / "nowhere" / "roc.svg")
    (tmp_path / "old.svg").write_text("kept")
    monkeypatch.setattr("pathlib.Path.replace", lambda *_: (_ for _ in ()).throw(OSError(28, "disk full")))
    with pytest.raises(cw.SourceError, match="cannot be written"):
        figures.save(figure, tmp_path / "old.svg")
    assert [p.read_text() for p in tmp_path.iterdir()] == ["kept"]


def test_a_page_wide_figure():
    figure = figures.figure("page")
    figures.draw_roc(cw.roc_curve(sweeps()["first"]), ax=figure.add_subplot())
    assert figure.get_size_inches().tolist() == pytest.approx([5.2, 0.95 * 5.2])
    with pytest.raises(cw.CurvewiseError, match="width: expected"):
        figures.figure("poster")


def test_a_figure_of_any_width_font_and_size(tmp_path):
    figure = figures.figure(84, font="dejavu serif", font_size=10)
    ax = figures.draw_roc(cw.roc_curve(RATINGS), ax=figure.add_subplot())
    assert figure.get_figwidth() == pytest.approx(84 / 25.4)
    assert (ax.xaxis.label.get_fontsize(), ax.get_xticklabels()[0].get_fontsize()) == (10, 8.75)
    assert ax.get_legend().get_texts()[0].get_fontfamily()[0] == "DejaVu Serif"
    figures.save(figure, tmp_path / "x.svg")
    assert 'font-family="&#x27;DejaVu Serif&#x27;, system-ui, sans-serif"' in (tmp_path / "x.svg").read_text()
    figures.save(figure, tmp_path / "x.png", dpi=100)
    assert mpl.image.imread(tmp_path / "x.png").shape[1] == int(84 / 25.4 * 100)
    for wrong, words in (
        ({"font": "Liberty Sans"}, "font: 'Liberty Sans' is not installed here"),
        ({"font": "DejaVu Serrif"}, "did you mean 'DejaVu Serif'"),
        ({"font_size": 0}, "font_size: expected a number from 4 to 40"),
        ({"width": 3}, "width: expected a number from 30 to 500"),
    ):
        with pytest.raises(cw.CurvewiseError, match=words):
            figures.figure(**wrong)
    with pytest.raises(cw.CurvewiseError, match="dpi: expected a whole number"):
        figures.save(figure, tmp_path / "x.png", dpi=0)


def test_two_panels_keep_their_size():
    figure = figures.figure("page")
    figure.set_size_inches(5.2, 2.4)
    left, right = figure.subplots(1, 2)
    figures.draw_gain(cw.lift_curve(RATINGS), ax=left)
    figures.draw_lift(cw.lift_curve(RATINGS), ax=right)
    first, second = figures.to_svg(figure).frames
    assert figure.get_size_inches().tolist() == [5.2, 2.4]
    assert second.left > first.left + first.width
