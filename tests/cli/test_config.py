"""Options from a TOML file: found, named, checked, and never stronger than what is typed."""

import json
import sys
from pathlib import Path

import pytest

from curvewise.cli.app import COMMANDS

BOTH = 'label = "y"\nscore = ["p"]\n'


@pytest.fixture
def ask(curve, tiny):
    def call(*more):
        return curve("metrics", tiny, "--format", "json", *more)

    return call


def found(answer):
    assert answer.code == 0, answer.err
    return json.loads(answer.out)


@pytest.mark.parametrize(
    ("name", "content", "args"),
    [
        ("curvewise.toml", BOTH, ()),
        ("pyproject.toml", "[tool.curvewise]\n" + BOTH, ()),
        ("other.toml", BOTH, ("--config", "other.toml")),
        ("pyproject.toml", "[tool.curvewise]\n" + BOTH, ("--config", "pyproject.toml")),
    ],
)
def test_options_come_from_the_file_and_the_file_is_named(ask, write, name, content, args):
    write(name, content)
    answer = ask(*args)
    assert found(answer)["scores"][0]["name"] == "p"
    assert answer.err == f"Note: options that are not given are taken from {name} (label, score).\n"


def test_what_is_typed_wins(ask, write):
    write("curvewise.toml", BOTH + "level = 0.8\nthreshold = [0.5, 0.6]\n")
    assert found(ask())["options"]["level"] == 0.8
    assert [c["threshold"] for c in found(ask())["scores"][0]["thresholds"]] == [0.5, 0.6]
    answer = found(ask("--level", "0.9", "--threshold", "0.7"))
    assert answer["options"]["level"] == 0.9
    assert [c["threshold"] for c in answer["scores"][0]["thresholds"]] == [0.7]


def test_a_table_for_one_command_wins_over_the_rest(ask, curve, tiny, write):
    write("curvewise.toml", BOTH + "level = 0.8\n[metrics]\nlevel = 0.7\nno-intervals = true\n")
    answer = found(ask())
    assert answer["options"]["level"] == 0.7
    assert answer["scores"][0]["metrics"][0]["low"] is None
    other = curve("compare", tiny, "--format", "json")
    assert found(other)["options"]["level"] == 0.8


def test_options_of_other_commands_are_passed_over(ask, write):
    write("curvewise.toml", BOTH + 'group = ["sex"]\nlang = "zh"\n[report]\nfp = 1\n')
    assert ask().code == 0


def test_its_own_file_comes_before_the_projects(ask, write):
    write("curvewise.toml", BOTH)
    write("pyproject.toml", "this is not TOML")
    assert "curvewise.toml" in ask().err


@pytest.mark.parametrize("content", ["", "[tool.other]\nlabel = 3\n", "[tool.curvewise]\n"])
def test_a_project_that_says_nothing_of_us_is_left_alone(ask, write, content):
    write("pyproject.toml", content)
    answer = ask("--label", "y", "--score", "p")
    assert (answer.code, answer.err) == (0, "")


def test_numbers_flags_and_text_as_toml_has_them(ask, write):
    write(
        "curvewise.toml",
        'label = "y"\nscore = "p"\npositive = 0\nthreshold = 0.5\nno-intervals = false\nmissing = "drop"\n',
    )
    answer = found(ask())
    assert answer["options"]["positive"] == 0
    assert answer["scores"][0]["thresholds"][0]["threshold"] == 0.5
    assert answer["scores"][0]["metrics"][0]["low"] is not None


def test_pairs(curve, tiny, write):
    write("curvewise.toml", BOTH + "fpr = [0, 0.2]\n")
    ask = ("compare", tiny, "--metric", "partial_roc_auc", "--against", "0.1", "--format", "json")
    assert found(curve(*ask, "--replicates", "20"))["options"]["fpr"] == [0, 0.2]
    write("curvewise.toml", BOTH + "fpr = [0]\n")
    assert "curvewise.toml: fpr: expected a list of 2" in curve(*ask).err


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('lable = "y"', "lable: there is no such option; did you mean 'label'?"),
        ('higher_is = "negative"', "higher_is: there is no such option; did you mean 'higher-is'?"),
        ("zzz = 1", "zzz: there is no such option."),
        ("level = 2", "level: 2"),
        ('level = "high"', "level: expected a number, got 'high'"),
        ("level = true", "level: expected a number, got true"),
        ("label = ['y']", "label: expected text in quotes, got ['y']"),
        ("label = true", "label: expected text in quotes, got true"),
        ("score = [{a = 1}]", "score: expected text in quotes, got {'a': 1}"),
        ("missing = 'guess'", "missing: 'guess' is not one of"),
        ('output = "\\u0000"', "output: expected text without zero bytes, got '\\x00'"),
        ("no-intervals = 1", "no-intervals: expected true or false, got 1"),
        ("fail-under = 'auc'", "fail-under: 'auc' is not of the form"),
        ("threshold = [nan]", "threshold: 'nan' is not a number"),
        ("metrics = 3", "metrics: expected a table of options, [metrics]"),
        ("[metrics]\ngroup = 'sex'", "metrics.group: there is no such option"),
        ("force = true", "force: give --force on the command line, not in a file."),
        ("config = 'x'", "config: give --config on the command line"),
        ("[tool.curvewise]\nlabel = 'y'", "tool: there is no such option"),
        ("label = ", "this is not TOML"),
    ],
)
def test_2_for_what_cannot_be_used_and_where_it_stands(ask, write, line, words):
    write("curvewise.toml", line)
    answer = ask("--label", "y", "--score", "p")
    assert answer.code == 2
    assert f"curvewise.toml: {words}" in answer.err
    assert "Traceback" not in answer.err
    assert answer.out == ""


def test_not_text(ask, write):
    write("curvewise.toml", b"\xff\xfe")
    answer = ask("--label", "y", "--score", "p")
    assert answer.code == 2
    assert "curvewise.toml: this is not TOML" in answer.err


def test_a_file_that_is_named_must_be_there(ask, write):
    answer = ask("--config", "no.toml")
    assert answer.code == 5
    assert "no.toml: cannot be read (No such file or directory)" in answer.err
    write("pyproject.toml", "[tool.other]\n")
    answer = ask("--config", "pyproject.toml")
    assert answer.code == 2
    assert "there is no [tool.curvewise]" in answer.err
    write("pyproject.toml", "[tool]\ncurvewise = 3\n")
    assert "tool.curvewise: expected a table" in ask().err


def test_hostile_text_in_a_file_is_shown_as_text(ask, write):
    write("curvewise.toml", '"\\u001b[31mlabel" = 1\n')
    answer = ask()
    assert answer.code == 2
    assert "\x1b" not in answer.err


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - {"demo", "recalibrate"}))
def test_every_command_that_reads_scores_has_it(curve, name):
    assert "--config FILE" in curve(name, "--help").out


def test_help_needs_no_good_file(curve, write):
    write("curvewise.toml", "nonsense")
    assert curve("metrics", "--help").code == 0


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")
def test_a_folder_in_its_place_is_passed_over(ask, tmp_path):
    Path(tmp_path / "curvewise.toml").mkdir()
    assert ask("--label", "y", "--score", "p").code == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tool = 1\n", ""),
        ("[broken\n", "Note: pyproject.toml was passed over, it is not TOML: Expected ']'"),
        ("x = " + "[" * 100_000, "Note: pyproject.toml was passed over, it is not TOML: it is nested too deeply."),
    ],
    ids=["no table", "broken", "deep"],
)
def test_a_shared_file_without_our_table_blocks_nothing(curve, tiny, text, said):
    (tiny.parent / "pyproject.toml").write_text(text)
    answer = curve("metrics", tiny, "--label", "y", "--score", "p")
    assert answer.code == 0, answer.err
    assert answer.err.startswith(said) if said else not answer.err
    (tiny.parent / "curvewise.toml").write_text("x = " + "[" * 100_000)
    assert curve("metrics", tiny, "--label", "y", "--score", "p").code == 2
    (tiny.parent / "curvewise.toml").unlink()
    (tiny.parent / "pyproject.toml").write_text("[tool.curvewise]\nlabel = [\n")
    assert "this is not TOML" in curve("metrics", tiny, "--label", "y", "--score", "p").err
