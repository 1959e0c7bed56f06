"""``curvewise plot``: every figure, every kind of file, every refusal."""

import pytest

import curvewise as cw
import curvewise.figures
from curvewise.cli.commands.plot import FIGURES


def ask(path, *more):
    return ("plot", path, "--label", "y", "--score", "p", *more)


def test_the_command_knows_every_figure():
    alone = {name for name, kind in FIGURES.items() if kind.alone}
    assert alone == {"distribution", "thresholds", "confusion"}
    assert all(callable(getattr(cw, kind.verb)) for kind in FIGURES.values() if kind.verb)
    assert all(kind.metric in cw.metrics().to_frame()["name"].to_list() for kind in FIGURES.values() if kind.metric)
    assert all(f"draw_{name.replace('-', '_')}" in cw.figures.__all__ for name in FIGURES)


def test_the_same_seed_gives_the_same_figure(curve, tiny, tmp_path):
    ask_again = ask(tiny, "--figure", "reliability", "--band", "--force", "-o", "x.svg")
    drawn = []
    for seed in ("1", "1", "2"):
        assert curve(*ask_again, "--seed", seed).code == 0
        drawn.append((tmp_path / "x.svg").read_text())
    assert drawn[0] == drawn[1] != drawn[2]


@pytest.mark.parametrize("figure", FIGURES)
def test_every_figure(curve, tiny, tmp_path, figure):
    more = ("--threshold", "0.6") if FIGURES[figure].threshold else ()
    answer = curve(*ask(tiny, "--figure", figure, *more, "-o", "x.svg"))
    assert (answer.code, answer.out) == (0, "Figure: x.svg\n"), answer.err
    assert (tmp_path / "x.svg").read_text().startswith("<?xml")


@pytest.mark.parametrize(("name", "magic"), [("x.pdf", b"%PDF"), ("x.PNG", b"\x89PNG")])
def test_other_kinds_of_file(curve, tiny, tmp_path, name, magic):
    assert curve(*ask(tiny, "-o", name)).code == 0
    assert (tmp_path / name).read_bytes().startswith(magic)


def test_several_scores_with_hostile_names(curve, write, tmp_path):
    path = write("h.csv", "y,$\\frac{,<script>\n1,3,1\n1,2,2\n0,1,3\n0,0,0\n")
    answer = curve(
        *("plot", path, "--label", "y", "--score", "$\\frac{", "--score", "<script>"),
        *("--threshold", "2", "-o", "h.svg"),
    )
    assert answer.code == 0, answer.err
    text = (tmp_path / "h.svg").read_text()
    assert "&lt;script&gt;" in text
    assert "<script>" not in text


def drawn(curve, tiny, tmp_path, *more):
    answer = curve(*ask(tiny, *more, "--force", "-o", "x.svg"))
    assert answer.code == 0, answer.err
    return (tmp_path / "x.svg").read_text()


@pytest.mark.parametrize("figure", ["roc", "pr", "reliability", "decision"])
def test_bands(curve, tiny, tmp_path, figure):
    assert "model-0-band" not in drawn(curve, tiny, tmp_path, "--figure", figure)
    wide = drawn(curve, tiny, tmp_path, "--figure", figure, "--band", "--level", "0.99")
    assert "model-0-band" in wide
    assert wide != drawn(curve, tiny, tmp_path, "--figure", figure, "--band", "--level", "0.5")


@pytest.mark.parametrize(
    ("figure", "metric", "text"),
    [("roc", "roc_auc", "p: AUC {0:.3f} [{1:.3f}, {2:.3f}]"), ("pr", "average_precision", "p: AP {0:.3f} [")],
)
def test_intervals_in_the_legend(curve, tiny, tmp_path, figure, metric, text):
    data = [line.split(",") for line in tiny.read_text().splitlines()[1:]]
    y, p = [int(a) for a, _ in data], [float(b) for _, b in data]
    e = cw.interval(metric, y, p, level=0.8)
    shown = drawn(curve, tiny, tmp_path, "--figure", figure, "--ci", "--level", "0.8")
    assert text.format(e.value, e.low, e.high) in shown
    assert "EER" in drawn(curve, tiny, tmp_path, "--figure", "det", "--ci")


def test_the_look_that_a_journal_wants(curve, tiny, tmp_path):
    usual = drawn(curve, tiny, tmp_path)
    assert 'width="252pt"' in usual
    assert "#0072b2" in usual
    assert 'width="374.4pt"' in drawn(curve, tiny, tmp_path, "--width", "page")
    assert 'width="226.771654pt"' in drawn(curve, tiny, tmp_path, "--width", "80")
    assert "#0072b2" not in drawn(curve, tiny, tmp_path, "--gray")
    assert "DejaVu Serif" in drawn(curve, tiny, tmp_path, "--font", "DejaVu Serif")
    assert 'font-size="12px"' in drawn(curve, tiny, tmp_path, "--font-size", "12")
    assert "假阳性率" in drawn(curve, tiny, tmp_path, "--lang", "zh")
    sizes = []
    for dots in ("100", "200"):
        assert curve(*ask(tiny, "--dpi", dots, "--force", "-o", "x.png")).code == 0
        sizes.append(int.from_bytes((tmp_path / "x.png").read_bytes()[16:20], "big"))
    assert sizes == [350, 700]


def test_other_scales(curve, tiny, tmp_path):
    assert drawn(curve, tiny, tmp_path) != drawn(curve, tiny, tmp_path, "--xscale", "log", "--band")
    for figure in ("distribution", "thresholds"):
        assert "log-odds scale" in drawn(curve, tiny, tmp_path, "--figure", figure, "--xscale", "logit")


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("-o", "x.gif"), "a figure is written as .svg, .pdf, .png, got 'x.gif'"),
        ((), "Missing option '-o'"),
        (("-o", "x.svg", "--figure", "confusion"), "--figure confusion: give --threshold"),
        (
            ("-o", "x.svg", "--figure", "det", "--threshold", "1"),
            "--threshold: has no meaning with --figure det",
        ),
        (("-o", "x.svg", "--figure", "thresholds", "--score", "q"), "--figure thresholds: shows one --score"),
        (("-o", "x.svg", "--figure", "pie"), "'pie' is not one of"),
        (("-o", "x.svg", "--figure", "gain", "--band"), "--band: has no meaning with --figure gain"),
        (("-o", "x.svg", "--figure", "cost", "--ci"), "--ci: has no meaning with --figure cost"),
        (("-o", "x.svg", "--figure", "pr", "--xscale", "log"), "--xscale log: has no meaning with --figure pr"),
        (("-o", "x.svg", "--xscale", "logit"), "--xscale logit: has no meaning with --figure roc"),
        (("-o", "x.svg", "--level", "0.9"), "--level: there is no interval to draw"),
        (("-o", "x.svg", "--band", "--seed", "1"), "--seed: nothing is resampled here"),
        (("-o", "x.svg", "--figure", "reliability", "--replicates", "9"), "--replicates: nothing is resampled"),
        (("-o", "x.svg", "--dpi", "90"), "--dpi: a .svg file has no dots"),
        (("-o", "x.svg", "--width", "wide"), "'wide' is neither column nor page nor a number of millimetres"),
        (("-o", "x.svg", "--width", "5"), "--width: expected a number from 30 to 500"),
        (("-o", "x.svg", "--font", "Nonesuch"), "--font: 'Nonesuch' is not installed here"),
        (("-o", "x.svg", "--font-size", "1"), "--font-size: expected a number from 4 to 40"),
    ],
)
def test_2_for_usage(curve, tiny, more, words):
    answer = curve(*ask(tiny, *more))
    assert answer.code == 2
    assert words in answer.err


def test_3_where_scores_are_no_probabilities(curve, write, tmp_path):
    path = write("s.csv", "y,p\n1,3\n0,-1\n1,2\n0,0\n")
    for figure in ("decision", "reliability"):
        answer = curve(*ask(path, "--figure", figure, "-o", "x.svg"))
        assert answer.code == 3
        assert "column 'p'" in answer.err
    assert not (tmp_path / "x.svg").exists()


def test_4_where_a_class_is_absent(curve, write):
    answer = curve(*ask(write("zeros.csv", "y,p\n0,1\n0,2\n"), "-o", "x.svg"))
    assert answer.code == 4
    assert answer.err.count("\n") == 1


def test_5_for_files_and_a_missing_package(curve, shell, tiny, tmp_path):
    (tmp_path / "x.svg").write_text("mine")
    assert curve(*ask(tiny, "-o", "x.svg")).code == 5
    assert (tmp_path / "x.svg").read_text() == "mine"
    assert curve(*ask(tiny, "-o", "x.svg", "--force")).code == 0
    (tmp_path / "link.svg").symlink_to(tmp_path / "x.svg")
    assert "symbolic link" in curve(*ask(tiny, "-o", "link.svg", "--force")).err
    code = "import sys; sys.modules['matplotlib'] = None; from curvewise.cli import main; main()"
    answer = shell(*ask(tiny, "-o", "y.svg"), code=code)
    assert answer.returncode == 5
    assert "pip install 'curvewise[cli]'" in answer.stderr
