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
    assert all(kind.metric in cw.metrics().table.columns["metric"] for kind in FIGURES.values() if kind.metric)
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
