"""Exit codes and the manners of a process: one sentence, never a traceback."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import curvewise
from curvewise import CurvewiseWarning
from curvewise.cli.app import COMMANDS
from curvewise.inference import metric_table as library

HEAVY = ("numpy", "scipy", "polars", "narwhals", "pandas", "matplotlib", "jinja2")
PROBE = """
import sys
from curvewise.cli import main
try:
    main(sys.argv[1:])
finally:
    sys.stderr.write(" ".join(m for m in {heavy!r} if m in sys.modules))
"""


def ask(*more):
    return ("--label", "y", "--score", "p", *more)


@pytest.mark.parametrize(
    "args",
    [
        ("metrics",),
        ("metrics", "x.csv", "--label", "y"),
        ("metrics", "x.csv", *ask("--format", "xml")),
        ("metrics", "x.csv", *ask("--threshold", "high")),
        ("metrics", "x.csv", *ask("--threshold", "nan")),
        ("metrics", "x.csv", *ask("--level", "1")),
        ("metrics", "x.csv", *ask("--prevalence", "0")),
        ("metrics", "x.csv", *ask("--missing", "guess")),
        ("metrics", "x.csv", *ask("--score", "p")),
        ("metrics", "x.csv", "--label", "p", "--score", "p"),
        ("metrics", "x.csv", *ask("--weight", "y")),
        ("metrics", "x.csv", *ask("--weight-kind", "count")),
        ("metrics", "x.csv", *ask("--cluster", "p")),
        ("nonsense",),
    ],
)
def test_2_for_usage(curve, args):
    answer = curve(*args)
    assert answer.code == 2
    assert "Usage: curvewise" in answer.err
    assert answer.out == ""


def test_no_command_shows_the_help(curve):
    answer = curve()
    assert re.search(r"metrics +Areas, losses", answer.out + answer.err)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("y,q\n1,2\n", "no column 'p'"),
        ("y,p,p\n1,2,3\n", "2 columns are called 'p'"),
        ("y,p\n", "no row"),
        ("y,p\n1,2\n0\n", "1 row does not have the 2 fields"),
        ("y,p\n1,high\n0,1\n", "column 'p': 1 cell cannot be read as a number (line 2), first 'high'"),
        ("y,p\nyes,2\nno,1\n", "say which one is positive, for example --positive 'yes'"),
        ("y,p\na,2\nb,1\nc,3\n", "expected two classes, found 3 classes"),
        ("y,p\n0.5,1\n0.25,0\n0.75,1\n", "look swapped: check --label and --score"),
    ],
)
def test_3_for_bad_data(curve, write, content, words):
    answer = curve("metrics", write("bad.csv", content), *ask())
    assert answer.code == 3
    assert words in answer.err
    assert answer.err.count("\n") == 1
    assert answer.out == ""


@pytest.mark.parametrize("options", [("--resolution", "1e-3"), ()], ids=["scanned", "read"])
def test_5_for_a_parquet_file_that_lost_its_middle(curve, write, options):
    rows = np.random.default_rng(0).normal(size=20_000)
    stream = io.BytesIO()
    pl.DataFrame({"y": rows < 0, "p": rows}).write_parquet(stream, row_group_size=1000)
    data = stream.getvalue()
    answer = curve(
        "metrics", write("lost.parquet", data[: len(data) // 3] + data[2 * len(data) // 3 :]), *ask(*options)
    )
    assert answer.code == 5
    assert answer.err.strip().splitlines()[-1].startswith("Error: ")
    assert "Traceback" not in answer.err


def test_70_for_a_panic_that_nothing_else_catches(curve, tiny, monkeypatch):
    def panic(*_, **__):
        raise pl.exceptions.PanicException("range end out of bounds")

    monkeypatch.setattr("curvewise.sources.files.read_file", panic)
    answer = curve("metrics", tiny, *ask())
    assert answer.code == 70
    assert "this is a bug in curvewise (PanicException: range end out of bounds)" in answer.err


def test_3_for_a_positive_that_is_no_label(curve, tiny):
    answer = curve("metrics", tiny, *ask("--positive", "ill"))
    assert answer.code == 3
    assert "no label equals --positive 'ill'" in answer.err


def test_3_for_a_negative_weight(curve, write):
    answer = curve("metrics", write("w.csv", "y,p,w\n1,2,-1\n0,1,1\n"), *ask("--weight", "w"))
    assert answer.code == 3
    assert "column 'w': expected weights of 0 or more" in answer.err


@pytest.mark.parametrize("more", [(), ("--prevalence", "0.5", "--threshold", "1")])
def test_4_where_a_class_is_absent(curve, write, more):
    answer = curve("metrics", write("zeros.csv", "y,p\n0,1\n0,2\n"), *ask(*more))
    assert answer.code == 4
    assert "0 of 2 rows are positive" in answer.err
    assert answer.err.count("\n") == 1
    assert answer.out == ""


def test_4_where_one_class_has_only_losses(curve, write):
    path = write("zeros.csv", "y,p\n0,0.1\n0,0.2\n")
    answer = curve("metrics", path, *ask())
    assert (answer.code, answer.out) == (4, "")
    assert "needs both classes: 0 of 2 rows are positive." in answer.err
    assert curve("metrics", path, *ask("--metric", "brier")).code == 0  # which they define
    assert curve("metrics", path, *ask("--threshold", "0.15")).code == 4
    assert curve("metrics", path, *ask("--threshold", "0.15", "--metric", "specificity")).code == 0


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.csv", b"", "empty"),
        ("a.csv", b"\n \n", "empty"),
        ("a.csv", b"y,p\n\0\1,2\n", "neither text nor"),
        ("a.parquet", b"PAR1 and then nothing PAR1", "Parquet"),
        ("a.arrow", b"ARROW1 and then nothing", "Arrow"),
        ("a.csv.gz", b"\x1f\x8b\x08 cut", "gzip"),
    ],
)
def test_5_for_a_file_that_cannot_be_read(curve, write, name, content, words):
    answer = curve("metrics", write(name, content), *ask())
    assert answer.code == 5
    assert words in answer.err
    assert answer.err.count("\n") == 1


def test_5_for_a_file_that_is_absent_or_a_folder(curve, tmp_path):
    assert curve("metrics", tmp_path / "no.csv", *ask()).code == 5
    answer = curve("metrics", tmp_path, *ask())
    assert answer.code == 5
    assert "folder" in answer.err


@pytest.mark.parametrize(("module", "args"), [("polars", ("demo",)), ("click", ("--help",))])
def test_5_for_a_missing_extra_and_how_to_get_it(shell, module, args):
    code = f"import sys; sys.modules[{module!r}] = None; from curvewise.cli import main; main()"
    answer = shell(*args, code=code)
    assert answer.returncode == 5
    assert "pip install 'curvewise[cli]'" in answer.stderr
    assert answer.stderr.count("\n") == 1


def test_70_for_a_bug_and_a_traceback_only_on_request(curve, tiny, monkeypatch):
    def broken(*_, **__):
        raise RuntimeError("two\nlines")

    monkeypatch.setattr(library, "metric_table", broken)
    answer = curve("metrics", tiny, *ask())
    assert answer.code == 70
    assert "bug in curvewise (RuntimeError: two\\nlines)" in answer.err
    assert "Traceback" not in answer.err
    assert "Traceback" in curve("--debug", "metrics", tiny, *ask()).err
    monkeypatch.setenv("CURVEWISE_DEBUG", "1")
    assert "Traceback" in curve("metrics", tiny, *ask()).err


def test_warning_is_one_line(curve, tiny, monkeypatch):
    really = library.metric_table

    def warned(*args, **options):
        warnings.warn("look\nagain", CurvewiseWarning, stacklevel=1)
        return really(*args, **options)

    monkeypatch.setattr(library, "metric_table", warned)
    answer = curve("metrics", tiny, *ask())
    assert answer.code == 0
    assert answer.err == "Warning: look\\nagain\n"


def test_version(curve):
    assert curve("--version").out == f"curvewise {curvewise.__version__}\n"


@pytest.mark.parametrize(
    "args", [("--help",), ("--version",), ("demo", "-h"), *((name, "--help") for name in COMMANDS)]
)
def test_help_loads_nothing_heavy(shell, args):
    answer = shell(*args, code=PROBE.format(heavy=HEAVY))
    assert answer.returncode == 0
    assert "curvewise" in answer.stdout
    assert answer.stderr == ""


def test_the_probe_would_notice(shell, tiny):
    assert "numpy" in shell("metrics", tiny, *ask(), code=PROBE.format(heavy=HEAVY)).stderr.split()


def test_help_names_every_command(curve):
    out = curve("--help").out
    for name, line in COMMANDS.items():
        assert re.search(rf"^ +{name} +{line[:20]}", out, re.MULTILINE), name


@pytest.mark.parametrize(("content", "code"), [(b"y,p\n1,2\n0,1\n", 0), (b"y,p\n0,1\n0,2\n", 4), (b"", 5)])
def test_process_reads_standard_input_and_exits_with_the_code(shell, content, code):
    answer = shell("metrics", "-", *ask(), input=content.decode())
    assert answer.returncode == code
    assert "Traceback" not in answer.stderr
    assert ("roc_auc" in answer.stdout) is (code == 0)


def test_5_when_the_input_would_be_overwritten_through_a_redirect(shell, tiny):
    before = tiny.read_text()
    with tiny.open() as stdin:
        answer = shell("metrics", "-", *ask("-o", tiny, "--force"), stdin=stdin)
    assert answer.returncode == 5
    assert tiny.read_text() == before


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_130_when_interrupted_and_nothing_written(clean_env, tmp_path):
    # a background job may ignore the signal: take Python's own handler back first
    code = "import signal; signal.signal(2, signal.default_int_handler); from curvewise.cli import main; main()"
    args = ["metrics", "-", *ask("-o", str(tmp_path / "out.json"))]
    with subprocess.Popen(
        [sys.executable, "-c", code, *args], stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=clean_env
    ) as process:
        # more than a pipe holds: when it is taken, the program is reading
        process.stdin.write(b"y,p\n" + b"1,0.5\n" * 100_000)
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        try:
            code = process.wait(60)
        finally:
            process.kill()  # a program that does not heed the signal must not keep the test waiting
        stderr = process.stderr.read()
    assert code == 130
    assert stderr.split() == [b"Interrupted."]
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of POSIX")
def test_reader_that_goes_away_is_no_error(shell, tiny):
    # so little output that Python still holds it after the failure, and would try again at its exit
    read, write = os.pipe()
    os.close(read)
    try:
        answer = shell("metrics", tiny, *ask(), stdout=write)
    finally:
        os.close(write)
    assert answer.returncode == 0
    assert answer.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_5_when_the_disk_is_full(shell, tiny):
    with open("/dev/full", "w") as full:  # noqa: PTH123
        answer = shell("metrics", tiny, *ask(), stdout=full)
    assert answer.returncode == 5
    assert answer.stderr == "Error: No space left on device.\n"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize("no_color", [False, True])
def test_colours_only_on_a_terminal_and_not_with_no_color(clean_env, tmp_path, no_color):
    import pty  # not on Windows

    path = tmp_path / "c.csv"
    path.write_text("y,[red]p[/red]\x1b[31m\n1,2\n0,1\n")
    env = {**clean_env, "TERM": "xterm-256color", "COLUMNS": "200"}
    if no_color:
        env["NO_COLOR"] = "1"
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "curvewise", "metrics", str(path), "--label", "y"]
    with subprocess.Popen([*command, "--score", "[red]p[/red]\x1b[31m"], stdout=theirs, env=env) as process:
        os.close(theirs)
        shown = b""
        try:
            while part := os.read(ours, 4096):
                shown += part
        except OSError:  # how Linux says that the other end is closed
            pass
        os.close(ours)
    text = shown.decode()
    assert process.returncode == 0
    assert "[red]p[/red]\\x1b[31m" in text  # the name is text, not markup and not a colour
    assert bool(re.search(r"\x1b\[[0-9;]*3[0-9]", text)) is not no_color


DEEP = "[" * 100_000 + "]" * 100_000


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("deep.jsonl", '{"y": 1, "p": 2, "z": ' + DEEP + "}\n", "line 1 is nested too deeply"),
        ("deep.json", '[{"y": 1, "p": 2, "z": ' + DEEP + "}]", "record 1 is nested too deeply"),
        ("half.jsonl", '{"y": "a", "p": 1}\n{"y": "\\ud800", "p": 2}\n', "column 'y' holds half a character"),
        ("twice.jsonl", '{"y": 1, "p": 1}\n{"y": 0, "p": 2, "p": 3}\n', "'p' stands more than once on line 2"),
        ("twice.json", '[{"y": 1, "p": 1, "y": 0}]', "'y' stands more than once in record 1"),
    ],
    ids=["deep lines", "deep array", "surrogate", "keys of a line", "keys of a record"],
)
def test_json_that_is_no_table_is_bad_data(curve, write, name, content, words):
    answer = curve("metrics", write(name, content), *ask())
    assert (answer.code, answer.out) == (3, "")
    assert words in answer.err
    assert answer.err.count("\n") == 1


def test_keys_that_are_not_wanted_may_stand_twice(curve, write):
    lines = "".join(f'{{"y": {k % 2}, "p": 0.{k}, "z": 1, "z": {{"p": 1, "p": 2}}}}\n' for k in range(1, 9))
    answer = curve("metrics", write("z.jsonl", lines), *ask())
    assert answer.code == 0, answer.err


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (("metrics", "--level", "0.9999999999999999"), 2, "--level: expected a number strictly between 0 and 1"),
        (("calibrate", "--level", "0.9999999999999999"), 2, "--level: expected a number strictly between 0 and 1"),
        (("calibrate", "--bins", "9" * 20), 2, "--bins: expected a whole number of at most 1000000"),
        (("calibrate", "--replicates", "9" * 20), 2, "--replicates: expected a whole number of at most 10000000"),
        (("compare", "--replicates", "9" * 10), 2, "--replicates: expected a whole number of at most 10000000"),
        (("compare", "--against", "1e300"), 2, "--against: expected a number from 0 to 1, got 1e+300"),
        (("compare", "--against", "1.01"), 2, "--against: expected a number from 0 to 1"),
        (("metrics", "--weight", ""), 3, "there is no column ''"),
        (("metrics", "--cluster", ""), 3, "there is no column ''"),
        (("report", "--id", ""), 3, "there is no column ''"),
    ],
    ids=lambda v: " ".join(v) if isinstance(v, tuple) else None,
)
def test_options_beyond_reason_are_no_bug(curve, tiny, args, code, words):
    command, *rest = args
    answer = curve(command, tiny, *ask(*rest))
    assert answer.code == code
    assert words in answer.err


def test_a_message_does_not_grow_with_the_names_of_columns(curve, write):
    path = write("long.csv", f"{'x' * 200_000},y,p\n1,0,0.5\n2,1,0.7\n")
    assert curve("metrics", path, *ask()).code == 0
    answer = curve("metrics", path, "--label", "y", "--score", "q")
    assert (answer.code, len(answer.err) < 300) == (3, True)
    assert "…" in answer.err


@pytest.mark.parametrize(
    ("env", "settings", "code", "said"),
    [
        ({"MPLBACKEND": "nonsense"}, "", 5, "correct or unset MPLBACKEND"),
        ({"MPLBACKEND": "qtagg"}, "", 0, ""),
        ({}, "text.usetex: True\nbackend: nonsense\nfont.family: nowhere\n", 0, ""),
    ],
)
@pytest.mark.parametrize("command", ["report", "plot"])
def test_settings_of_matplotlib_are_no_bug(shell, clean_env, tiny, command, env, settings, code, said):
    (tiny.parent / "matplotlibrc").write_text(settings)
    out = tiny.parent / {"report": "r.html", "plot": "r.svg"}[command]
    done = shell(command, tiny, *ask(), "-o", out, env=clean_env | env)
    assert done.returncode == code, done.stderr
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == bool(said)
    assert out.exists() is (code == 0)


@pytest.mark.parametrize("command", [name for name in COMMANDS if name not in ("detect", "demo")])
def test_help_names_the_kinds_of_files(curve, command):
    said = " ".join(curve(command, "--help").out.split())
    assert "FILE is CSV, TSV, JSON, Parquet, Arrow or the first sheet of an Excel workbook" in said
    assert "also packed (.gz, .zip, .zst)" in said
