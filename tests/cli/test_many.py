"""`curvewise metrics --multiclass`: the library's numbers, names of classes, every format."""

from __future__ import annotations

import csv
import io
import json

import pytest

import curvewise as cw

ROWS = """pet,p_cat,p_dog,p_owl,times
cat,0.7,0.2,0.1,1
dog,0.2,0.7,0.1,2
owl,0.1,0.3,0.6,1
cat,0.4,0.5,0.1,1
dog,0.3,0.4,0.3,3
cat,0.5,0.3,0.2,1
owl,0.3,0.3,0.4,1
dog,0.5,0.3,0.2,1
"""
LABELS = ["cat", "dog", "owl", "cat", "dog", "cat", "owl", "dog"]
SCORES = {
    "cat": [0.7, 0.2, 0.1, 0.4, 0.3, 0.5, 0.3, 0.5],
    "dog": [0.2, 0.7, 0.3, 0.5, 0.4, 0.3, 0.3, 0.3],
    "owl": [0.1, 0.1, 0.6, 0.1, 0.3, 0.2, 0.4, 0.2],
}
ASK = ("--label", "pet", "--score", "p_cat", "--score", "p_dog", "--score", "p_owl", "--multiclass")


@pytest.fixture
def pets(write):
    return write("pets.csv", ROWS)


def test_numbers_are_the_librarys(curve, pets):
    answer = curve("metrics", pets, *ASK, "--format", "json")
    found = json.loads(answer.out)
    assert answer.code == 0
    assert answer.err == "Note: 'p_', which starts each column name, is not part of the classes.\n"
    assert (found["schema"], found["version"]) == ("curvewise.command.multiclass", 1)
    m = cw.multiclass(LABELS, SCORES)
    values = {v["metric"]: v["value"] for v in found["metrics"]}
    assert values["accuracy"] == m.accuracy
    assert values["roc_auc"] == m.roc_auc()
    assert values["hand_till"] == m.hand_till()
    assert values["log_loss"] == m.log_loss()
    assert found["classes"] == ["cat", "dog", "owl"]
    assert {k: found[k] for k in m.matrix.content()} == m.matrix.content()
    assert found["each"] == m.per_class().to_dict()["rows"]
    same = m.interval("roc_auc", rng=0, replicates=1000)
    ends = next(v for v in found["metrics"] if v["metric"] == "roc_auc")
    assert (ends["low"], ends["high"]) == pytest.approx((same.low, same.high))


def test_every_format(curve, pets):
    table = curve("metrics", pets, *ASK, "--no-intervals").out
    assert "8 rows, 3 classes; scores), macro means\n" in table
    assert [line for line in table.splitlines() if line.startswith("cat")][1].split() == [
        "cat",
        "2",
        "1",
        "0",
    ]
    markdown = curve("metrics", pets, *ASK, "--no-intervals", "--format", "md").out
    assert "| accuracy | 0.7500 |" in markdown
    rows = list(csv.DictReader(io.StringIO(curve("metrics", pets, *ASK, "--no-intervals", "--format", "csv").out)))
    assert {r["class"] for r in rows} == {"", "cat", "dog", "owl"}
    assert float(next(r for r in rows if r["metric"] == "accuracy")["value"]) == 0.75


def test_weights_and_level(curve, pets):
    found = json.loads(curve("metrics", pets, *ASK, "--weight", "times", "--no-intervals", "--format", "json").out)
    m = cw.multiclass(LABELS, SCORES, weight=[1, 2, 1, 1, 3, 1, 1, 1])
    assert found["data"]["rows"] == 8
    assert next(v for v in found["metrics"] if v["metric"] == "mcc")["value"] == pytest.approx(m.mcc)


def test_columns_named_as_the_classes(curve, write):
    path = write("plain.csv", ROWS.replace("p_", ""))
    answer = curve("metrics", path, *(a.replace("p_", "") for a in ASK), "--no-intervals")
    assert (answer.code, answer.err) == (0, "")
    numbered = write("n.csv", "y,p1,p2,p3\n1,0.8,0.1,0.1\n2,0.2,0.7,0.1\n3,0.3,0.3,0.4\n")
    asked = ("--label", "y", "--score", "p1", "--score", "p2", "--score", "p3", "--multiclass")
    found = json.loads(curve("metrics", numbered, *asked, "--format", "json", "--no-intervals").out)
    assert found["classes"] == ["1", "2", "3"]
    # a beginning that the classes share as well stays theirs
    shared = write("s.csv", "y,p_cat,p_car\ncat,0.8,0.2\ncar,0.4,0.6\n")
    asked = ("--label", "y", "--score", "p_cat", "--score", "p_car", "--multiclass")
    assert json.loads(curve("metrics", shared, *asked, "--no-intervals", "--format", "json").out)["classes"] == [
        "cat",
        "car",
    ]


def test_absent_classes_and_undefined_numbers_are_said(curve, write):
    path = write("few.csv", "pet,cat,dog,owl\ncat,0.8,0.1,0.1\ndog,0.7,0.2,0.1\n")
    asked = ("--label", "pet", "--score", "cat", "--score", "dog", "--score", "owl", "--multiclass")
    answer = curve("metrics", path, *asked, "--no-intervals")
    assert answer.code == 0
    assert "Note: no row of y is 'owl': not in class means." in answer.out
    assert "undefined: 0/0 for 'dog', which never occurs or is never predicted" in answer.out


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        (("--threshold", "0.5"), "--threshold: has no meaning with --multiclass"),
        (("--positive", "cat"), "--positive: has no meaning"),
        (("--prevalence", "0.1"), "--prevalence: has no meaning"),
        (("--higher-is", "negative"), "--higher-is: has no meaning"),
    ],
)
def test_options_of_two_classes_are_refused(curve, pets, extra, message):
    answer = curve("metrics", pets, *ASK, *extra)
    assert answer.code == 2
    assert message in answer.err


def test_bad_data_in_the_words_of_the_file(curve, pets, write):
    answer = curve("metrics", pets, *ASK[:2], "--score", "p_cat", "--score", "p_dog", "--multiclass")
    assert answer.code == 3
    assert "column 'pet': 1 label of no known class ('owl' in 2 rows); the classes are 'cat', 'dog'" in answer.err
    gap = write("gap.csv", ROWS.replace("0.4,0.5,0.1", "0.4,,0.1"))
    answer = curve("metrics", gap, *ASK)
    assert answer.code == 3
    assert "column 'p_dog' has 1 missing value (line 5); fill the gaps, or pass --missing drop" in answer.err
    assert curve("metrics", gap, *ASK, "--no-intervals", "--missing", "drop").code == 0
    assert curve("metrics", pets, "--label", "pet", "--score", "p_cat", "--multiclass").code == 2


def test_dropped_rows_and_weight_are_told(curve, write):
    path = write("gap.csv", ROWS + "owl,0.3,,0.4,1\n")
    call = ("metrics", path, *ASK, "--no-intervals", "--missing", "drop", "--weight", "times")
    assert json.loads(curve(*call, "--format", "json").out)["data"] == {"rows": 9, "dropped": 1}
    text = curve(*call).out
    assert "rows dropped (a value is missing)      1" in text
    assert "Multiclass(8 rows, weight 11, 3 classes; scores)" in text


@pytest.mark.parametrize("command", ["compare", "calibrate"])
def test_commands_for_two_classes_name_those_for_many(curve, pets, command):
    answer = curve(command, pets, *ASK[:-1])
    assert answer.code == 3
    assert "give one --score per class to curvewise report or curvewise metrics --multiclass." in answer.err
    assert "y ==" not in answer.err
