"""Command lines by a grammar of all options, over the shipped files, changed too: an answer or one sentence."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
import shlex
import sys
import warnings
from importlib.resources import files
from pathlib import Path

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

import curvewise as cw
from curvewise.cli import main
from curvewise.cli.app import COMMANDS, find_command
from fuzz.effort import effort

DATA = files("curvewise.data")
ROWS = 90


def _table(name, outcome):
    """Return the header of a shipped table, and rows of it in which both outcomes are common."""
    header, *rows = csv.reader(io.StringIO((DATA / f"{name}.csv").read_text()))
    at = header.index(outcome)
    had = [[row for row in rows if row[at] == value][: ROWS // 2] for value in "10"]
    return [header, *(row for pair in zip(*had, strict=True) for row in pair)]


TABLES = {
    "screening": _table("screening", "disease"),
    "trial": _table("trial", "dead"),
    "breast_cancer": _table("breast_cancer", "malignant"),
}
SCENES = {
    name: json.loads((DATA / f"traffic_{name}.json").read_text()) for name in ("truth", "detector_a", "detector_b")
}
# what makes an answer likely: without these, nearly every line would be refused for what it lacks
LABELS = {
    "screening": {"--label": "disease", "--score": "model_a"},
    "breast_cancer": {"--label": "malignant", "--score": "logistic"},
    "trial": {"--label": "dead", "--score": "p_a_365"},
}
USUAL = {**LABELS, "trial": {"--time": "days", "--event": "dead", "--horizon": "700", "--score": "risk_a"}}
NEEDED = {
    "groups": {"screening": {"--group": "sex"}, "trial": {"--group": "age_band"}, "breast_cancer": {"--fold": "fold"}},
    "operate": {name: {"--rule": "youden"} for name in TABLES},
    "table": {name: {"--threshold": "0.1"} for name in TABLES},
    "plot": {name: {"--output": "out.svg"} for name in TABLES},
    "report": {name: {"--format": "json"} for name in TABLES},
    "recalibrate": {name: {"--map": "map.json"} for name in TABLES},
}
RESAMPLED = ("report", "metrics", "compare", "operate", "survive", "groups", "calibrate", "detect")
MAP = cw.Recalibration("temperature", {"temperature": 2.0}, 10, 5, score="model_a").to_json()
CELLS = [
    "",
    "NA",
    "nan",
    "inf",
    "-inf",
    "1e400",
    "1e300",
    "-1",
    "0",
    "1",
    "2",
    "0.5",
    "x",
    "é",
    '5"',
    "1,5",
    "2020-01-01",
    "\u202e",
    "0" * 400,
]
NUMBERS = ["0.5", "0.1", "0.9", "1", "2", "700"]
ODD_NUMBERS = ["0", "-1", "1e-300", "1e300", "inf", "nan", "x", "", "0.9999999999999999", "1_0", "٣"]
COUNTS, ODD_COUNTS = ["2", "3", "5", "20"], ["0", "1", "-1", "9" * 25, "x", "1.5", ""]
TEXTS = [
    "",
    "a",
    "auc",
    "auc=0.5",
    "auc=2",
    "fpr=0.1",
    "fpr=0,0.1",
    "x=y=z",
    "=",
    "700=p_a_365",
    "roc_auc",
    "ece",
    "brier",
    "a b",
    "-",
    "\u2028",
    "{{7*7}}",
    "1",
    "0",
    "model_a",
    "youden",
    "class",
    "xywh",
    "select 1",
]
FILES = ["out.json", "out.html", "out.md", "out.csv", "out.txt", "out.svg", "out.png", "out.pdf", "out.docx", "out.tex"]
ODD_FILES = ["no/folder.json", "out", "-", "", "data.csv"]
SLOW = {"--engine": ["auto", "polars", "duckdb"], "--sql": ["sqlite:///no.db"]}  # a session of Spark takes seconds
FIELDS = [None, -1, 0, 1e300, "x", [], [1, 2, 3, 4], [0, 0, 0, 0], {}, True, float("nan")]
# words of other programs
FOREIGN = re.compile(r"Traceback|\w+Warning|Exception|this is a bug|<class|object at 0x")


# equal chances, where hypothesis prefers what is simple: most lines would be refused for the same few reasons
CHANCE = st.randoms(use_true_random=True)


def table_of(chance, name):
    """Return a shipped table as text, some of its cells changed, or some of its rows left out."""
    header, *rows = [row[:] for row in TABLES[name]]
    rows = rows[: chance.choice([0, 1, 2, 3, 10, *[ROWS] * 15])]
    for _ in range(chance.choice([0, 0, 0, 1, 2])):
        column, cell = chance.randrange(len(header)), chance.choice(CELLS)
        for row in rows if chance.random() < 0.3 else rows[:1]:
            row[column] = cell
    out = io.StringIO()
    csv.writer(out, delimiter=chance.choice(",,,;\t")).writerows([header, *rows])
    return out.getvalue()


def value_of(chance, option, columns):
    """Return what is typed behind an option: mostly what suits it."""
    kind, shown = option.type, option.metavar or ""
    if option.opts[-1] in SLOW:
        suits, odd = SLOW[option.opts[-1]], ["nonsense"]
    elif isinstance(kind, click.Choice):
        suits, odd = list(kind.choices), ["nonsense", ""]
    elif "COL" in shown:
        suits, odd = columns, ["absent", ""]
    elif isinstance(kind, click.types.IntParamType) or shown == "N":
        suits, odd = COUNTS, ODD_COUNTS
    elif isinstance(kind, click.Path) or "FILE" in shown:
        suits, odd = FILES, ODD_FILES
    elif isinstance(kind, click.types.FloatParamType) or shown in ("X", "T", "P", "B", "C", "W H"):
        suits, odd = NUMBERS, ODD_NUMBERS
    else:
        suits, odd = [*TEXTS, *columns], ["", "\udcff"]
    return chance.choice(odd if chance.random() < 0.1 else suits)


def line_of(chance, command, arguments, columns, usual):
    """Return a command line: options by chance, and for those that are not among them, what is usual."""
    known = [p for p in find_command(command).params if isinstance(p, click.Option) and p.name != "help"]
    typed = {"--replicates": ["20"]} if command in RESAMPLED else {}
    typed |= {name: [value] for name, value in usual.items() if any(name in p.opts for p in known)}
    for option in chance.sample(known, chance.choice([0, 1, 1, 1, 2, 2, 3])):
        words = [value_of(chance, option, columns) for _ in range(0 if option.is_flag else option.nargs)]
        name = option.opts[-1]
        several = option.multiple and name in typed and chance.random() < 0.7
        typed[name] = [*typed[name], name, *words] if several else words
    return [command, *arguments, *(word for name, words in typed.items() for word in (name, *words))]


def check(folder, typed):
    """Run a command line; expect an answer, or one sentence and its exit code."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    stdin, before = sys.stdin, Path.cwd()
    os.chdir(folder)
    sys.stdin = io.TextIOWrapper(io.BytesIO(b"y,p\n1,0.5\n0,0.2\n"))
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), warnings.catch_warnings():
            warnings.simplefilter("error")  # of other libraries: what ours says is always shown
            with pytest.raises(SystemExit) as stop:
                main(typed)
    finally:
        os.chdir(before)
        sys.stdin = stdin
    out.flush()
    shown, said = out.buffer.getvalue(), err.getvalue()
    told = f"{shlex.join(typed)}\n{said}"
    assert stop.value.code in (0, 1, 2, 3, 4, 5), told
    assert not FOREIGN.search(said), told
    refusals = [text for text in said.splitlines() if text.startswith("Error: ")]
    if stop.value.code < 2:
        assert not refusals, told
        if typed[-2:] == ["--format", "json"] and "--output" not in typed:
            json.loads(shown, parse_constant=pytest.fail)
    else:
        assert shown == b"", told
        assert len(refusals) == 1, told
        assert len(refusals[0]) < 2000, told
    return stop.value.code


@effort(40)
@given(CHANCE)
def test_a_table_gives_an_answer_or_one_sentence(tmp_path_factory, chance):
    command = chance.choice([c for c in COMMANDS if c not in ("detect", "demo")])
    name = chance.choice(["trial"] if command == "survive" else sorted(TABLES))
    columns = (USUAL if chance.random() < 0.5 or command == "survive" else LABELS)[name]
    folder = tmp_path_factory.mktemp("run")
    (folder / "data.csv").write_text(table_of(chance, name), newline="")
    (folder / "map.json").write_text(MAP)
    usual = {**columns, **NEEDED.get(command, {}).get(name, {})} if chance.random() < 0.95 else {}
    check(folder, line_of(chance, command, ["data.csv"], TABLES[name][0], usual))


def scenes_of(chance):
    """Return truth and detections of a few images, some of their fields changed."""
    found = json.loads(json.dumps(SCENES))
    truth = found["truth"]
    kept = {image["id"] for image in truth["images"][: chance.choice([0, 1, 5, 12, 12, 12])]}
    truth["images"] = [i for i in truth["images"] if i["id"] in kept]
    truth["annotations"] = [a for a in truth["annotations"] if a["image_id"] in kept]
    both = [[d for d in found[name] if d["image_id"] in kept] for name in ("detector_a", "detector_b")]
    for rows in (truth["annotations"], *both):
        if rows and chance.random() < 0.15:
            row = chance.choice(rows)
            row[chance.choice(sorted(row))] = chance.choice(FIELDS)
    return [truth, *both]


@effort(15)
@given(CHANCE)
def test_detections_give_an_answer_or_one_sentence(tmp_path_factory, chance):
    folder = tmp_path_factory.mktemp("run")
    for name, content in zip(("truth", "a", "b"), scenes_of(chance), strict=True):
        (folder / f"{name}.json").write_text(json.dumps(content))
    arguments = ["truth.json", "a.json", *chance.choice([[], [], ["b.json"], ["absent.json"], ["truth.json"]])]
    check(folder, line_of(chance, "detect", arguments, ["car", "person", "bicycle"], {}))
