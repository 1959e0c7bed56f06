"""What somebody sees who does not know the commands yet: the way in, and what to type instead."""

import io
import re
import shlex
from importlib.resources import files

import polars as pl
import pytest

from curvewise.cli.app import COMMANDS
from curvewise.cli.guess import Guess, guess_columns
from curvewise.sources.files import MOST_GLANCED as ROWS

SCREENING = str(files("curvewise") / "data" / "screening.csv")
BREAST = str(files("curvewise") / "data" / "breast_cancer.csv")


def suggested(answer):
    """Return the command that an error ends with."""
    return shlex.split(answer.err.strip().splitlines()[-1])


@pytest.mark.parametrize("args", [(), ("--help",), ("-h",)])
def test_help_begins_with_report_and_an_example(curve, args):
    answer = curve(*args)
    text = answer.out + answer.err
    assert text.index("curvewise report scores.csv --label") < text.index("Commands:") < text.index("Options:")
    assert re.findall(r"^  (\w+)  +\w", text.split("Commands:")[1].split("Options:")[0], re.MULTILINE) == list(COMMANDS)
    assert next(iter(COMMANDS)) == "report"
    assert "Exit codes: 0 success, 1" in text


def test_a_file_instead_of_a_command(curve):
    answer = curve(SCREENING)
    assert answer.code == 2
    scores = ["--score", "model_a", "--score", "model_b"]
    assert suggested(answer) == ["curvewise", "report", SCREENING, "--label", "disease", *scores]
    named = curve(SCREENING, "--label", "disease", "--score=rating", "-o", "x.html")
    assert suggested(named) == [
        "curvewise",
        "report",
        SCREENING,
        "--label",
        "disease",
        "--score=rating",
        "-o",
        "x.html",
    ]
    absent = curve("my scores.parquet")
    assert absent.code == 2
    assert "curvewise report 'my scores.parquet' --label COLUMN --score COLUMN" in absent.err


def test_the_suggestion_runs(curve):
    command = suggested(curve("metrics", BREAST, "--no-intervals"))
    assert command[0] == "curvewise"
    assert curve(*command[1:]).code == 0


@pytest.mark.parametrize(
    ("typed", "meant"), [("metrcs", "metrics"), ("reports", "report"), ("calibration", "calibrate")]
)
def test_a_misspelt_command(curve, typed, meant):
    answer = curve(typed, "x.csv")
    assert answer.code == 2
    assert f"{typed}: there is no such command; did you mean '{meant}'?" in answer.err


def test_nothing_like_a_command(curve):
    assert "the commands are report, metrics" in curve("xyzzy\x1b[31m").err
    assert "\x1b" not in curve("xyzzy\x1b[31m").err


NAMED = sorted(set(COMMANDS) - {"recalibrate", "demo", "detect", "survive"})


@pytest.mark.parametrize("command", NAMED)
def test_without_columns_those_of_the_file_are_named_with_a_guess(curve, command):
    answer = curve(command, SCREENING)
    assert answer.code == 2
    assert "give --label and --score; the columns of" in answer.err
    assert "'patient', 'site', 'sex', 'age_band', 'disease', 'model_a', 'model_b', 'rating', 'weight'" in answer.err
    assert suggested(answer)[3:] == ["--label", "disease", "--score", "model_a", "--score", "model_b"]


def test_what_was_named_is_kept(curve):
    assert suggested(curve("metrics", SCREENING, "--label", "disease"))[3:5] == ["--label", "disease"]
    answer = curve("metrics", SCREENING, "--score", "rating")
    assert "Error: give --label; " in answer.err
    assert suggested(answer)[3:] == ["--score", "rating", "--label", "disease"]


def test_standard_input_and_absent_files_have_no_guess(curve):
    answer = curve("metrics", "-", stdin=b"y,p\n1,0.5\n")
    assert (answer.code, "give --label and --score, columns of the file." in answer.err) == (2, True)
    assert "(no.csv: there is no such file)" in curve("metrics", "no.csv").err


@pytest.mark.parametrize(
    ("more", "command"),
    [
        (("--label", "diseas", "--score", "model_a"), ["--label", "disease", "--score", "model_a"]),
        (("--label", "disease", "--score", "xgboost"), ["--label", "disease", "--score", "model_a"]),
        (("--label", "outcome", "--score", "rating"), ["--label", "disease", "--score", "rating"]),
    ],
)
def test_a_column_that_is_not_there(curve, more, command):
    answer = curve("metrics", SCREENING, *more)
    assert answer.code == 3
    assert "there is no column" in answer.err
    assert answer.err.count("\n") == 1
    assert shlex.split(answer.err.split("For example: ")[1])[3:] == command


def test_no_command_where_nothing_is_known(curve):
    answer = curve("metrics", SCREENING, "--label", "disease", "--score", "model_a", "--weight", "zzz")
    assert answer.code == 3
    assert "For example" not in answer.err


@pytest.mark.parametrize(
    ("content", "label", "scores"),
    [
        ("id,y,p\n1,0,0.5\n2,1,0.25\n3,1,0.125\n", "y", ("p",)),
        ("sex,ill,risk\nf,0,3\nm,1,7\nf,1,12\n", "ill", ("risk",)),
        ("a,b,c\nx,1,0.5\ny,0,0.1\nz,1,0.2\n", "b", ("c",)),  # of two values the numbers, before text
        ("a,b\nno,-1.5\nyes,2\nno,7\n", "a", ("b",)),
        ("row,target,age,prob\n0,no,50,0.1\n1,no,51,0.2\n2,no,53,0.3\n", "target", ("prob",)),  # sorted by label
        ("n,y,w,q\n5,0,1.5,\n6,1,2.5,\n7,1,3.5,\n", "y", ()),
        ("y;p\n1;0,5\n0;0,25\n1;0,75\n", "y", ("p",)),
        (
            "y,logit,p1,p2,p3,p4\n1,-5,0.1,0.1,0.1,0.1\n0,2,0.2,0.2,0.2,0.2\n0,3,0.3,0.3,0.3,0.3\n",
            "y",
            ("p1", "p2", "p3"),
        ),
        ("x,z\na,b\nc,d\ne,f\n", None, ()),
    ],
)
def test_guesses(write, content, label, scores):
    found = guess_columns(write("g.csv", content))
    assert (found.label, found.scores) == (label, scores)


@pytest.mark.parametrize("form", ["parquet", "arrow", "ipc_stream", "jsonl", "json"])
def test_guesses_in_every_format(tmp_path, form):
    frame = pl.DataFrame(
        {"id": range(9), "day": [None] * 9, "y": [True, False, True] * 3, "score": [k / 9 for k in range(9)]}
    )
    how = {"arrow": "ipc", "jsonl": "ndjson"}.get(form, form)
    stream = io.BytesIO()
    getattr(frame, f"write_{how}")(stream)
    path = tmp_path / f"f.{form.split('_')[0]}"
    path.write_bytes(stream.getvalue())
    found = guess_columns(str(path))
    assert (found.label, found.scores) == ("y", ("score",))


def test_only_the_first_rows_are_looked_at(write):
    rows = "".join(f"{k % 2},{k % 7 / 10}\n" for k in range(ROWS)) + "neither,text\n"
    assert guess_columns(write("long.csv", "y,p\n" + rows)) == Guess(("y", "p"), "y", ("p",))
