"""``curvewise table``: formats by ending, thresholds or rules, languages, refusals."""

import csv
import io
import json
import zipfile

import pytest

import curvewise as cw


@pytest.fixture
def two(write):
    rows = "\n".join(
        f"{int(k % 3 == 0)},{0.2 + 0.5 * (k % 3 == 0) + 0.01 * (k % 7)},{(k * 37 % 100) / 100}" for k in range(90)
    )
    return write("two.csv", f"ill,a,b\n{rows}\n")


def test_the_terminal_shows_the_table_and_its_notes(curve, two):
    answer = curve("table", two, "--label", "ill", "--score", "a", "--score", "b", "--threshold", "0.5")
    assert answer.code == 0
    for said in (
        "Sensitivity, n/N",
        "PPV",
        "LR+",
        "P, AUC against a",
        "reference",
        "Thresholds are as given, and rates are not corrected: that is right if the thresholds were fixed",
    ):
        assert said in answer.out


@pytest.mark.parametrize("ending", ["md", "tex", "csv", "json", "docx"])
def test_the_ending_says_how_it_is_written(curve, two, tmp_path, ending):
    path = tmp_path / f"table2.{ending}"
    asked = ("table", two, "--label", "ill", "--score", "a", "--score", "b", "--threshold", "0.5", "-o", path)
    answer = curve(*asked)
    assert answer.code == 0
    assert answer.out == f"Table: {path}\n"
    if ending == "docx":
        assert "Sensitivity" in zipfile.ZipFile(path).read("word/document.xml").decode()
        return
    text = path.read_text()
    wanted = {
        "md": "| Sensitivity, n/N",
        "tex": r"\toprule",
        "csv": "model,metric,value",
        "json": "curvewise.command.table",
    }
    assert wanted[ending] in text
    if ending == "json":
        found = json.loads(text)
        assert found["options"]["threshold"] == 0.5
        assert found["models"]["a"]["rates"]["recall"]["method"] == "wilson"
    if ending == "csv":
        rows = list(csv.DictReader(io.StringIO(text)))
        recall = next(r for r in rows if (r["model"], r["metric"]) == ("a", "recall"))
        assert float(recall["value"]) == int(recall["count"]) / int(recall["of"])
    assert curve(*asked).code == 5  # it exists
    assert curve(*asked, "--force").code == 0


def test_a_rule_costs_a_prevalence_and_a_language(curve, two):
    ruled = curve(
        "table", two, "--label", "ill", "--score", "b", "--fp", "1", "--fn", "5", "--replicates", "50", "--lang", "zh"
    )
    assert ruled.code == 0
    assert "灵敏度" in ruled.out
    assert "Sensitivity" not in ruled.out
    moved = curve("table", two, "--label", "ill", "--score", "b", "--threshold", "0.5", "--prevalence", "0.02")
    assert "for a prevalence of 2" in moved.out


def test_one_threshold_per_score_and_reclassification(curve, two):
    asked = ("table", two, "--label", "ill", "--score", "a", "--score", "b", "--reclassification")
    both = curve(*asked, "--threshold", "0.5", "--threshold", "0.7")
    assert "≥ 0.5" in both.out
    assert "≥ 0.7" in both.out
    assert "Continuous NRI" in both.out
    assert "Do not choose a model by NRI or IDI" in both.out
    assert "categories divided at 0.5" in curve(*asked, "--threshold", "0.5").out


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        ((), 2, "Give --threshold, or a --rule"),
        (("--threshold", "1", "--rule", "youden"), 2, "Give --threshold, or a --rule"),
        (("--threshold", "1", "--threshold", "2", "--threshold", "3"), 2, "expected one, or one for each of 1 scores"),
        (("--threshold", "1", "-o", "x.pdf"), 2, "x.pdf is not written here"),
        (("--threshold", "1", "--format", "docx"), 2, "give -o"),
        (("--threshold", "1", "--format", "docx", "-o", "-"), 2, "give -o"),
        (("--threshold", "1", "--format", "csv", "--lang", "zh"), 2, "no words to translate"),
        (("--threshold", "0.5", "--reclassification"), 2, "needs two --score"),
    ],
)
def test_refusals(curve, two, options, code, said):
    score = "b"
    answer = curve("table", two, "--label", "ill", "--score", score, *options)
    assert answer.code == code
    assert said in answer.err
    assert "Traceback" not in answer.err


def test_a_rule_that_no_score_meets_and_one_class(curve, write):
    none = write("none.csv", "ill,a,b\n1,0,1\n0,1,0\n1,0,1\n0,1,0\n")
    asked = ("--rule", "min-precision", "--at", "0.9", "--replicates", "10")
    assert curve("table", none, "--label", "ill", "--score", "a", *asked).code == 4
    both = curve("table", none, "--label", "ill", "--score", "a", "--score", "b", *asked)
    assert both.code == 0
    assert "No threshold of a meets the rule." in both.out
    one = write("one.csv", "ill,a\n1,0\n1,1\n")
    assert curve("table", one, "--label", "ill", "--score", "a", "--threshold", "1").code == 4


def test_the_numbers_are_those_of_the_verb(curve, two, tmp_path):
    path = tmp_path / "t.json"
    curve("table", two, "--label", "ill", "--score", "b", "--rule", "youden", "--replicates", "100", "-o", path)
    import polars as pl

    d = pl.read_csv(two)
    wanted = cw.diagnostic_table(d["ill"], {"b": d["b"]}, rule=cw.rules.youden(), replicates=100)
    found = json.loads(path.read_text())["models"]["b"]["rates"]["recall"]
    assert found["value"] == wanted.models["b"].rates["recall"].value
    assert found["low"] == wanted.models["b"].rates["recall"].low
