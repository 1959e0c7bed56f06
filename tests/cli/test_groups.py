"""``curvewise groups``: the library's numbers, in every format, with every refusal."""

import csv
import io
import json
from importlib.resources import files

import numpy as np
import pytest

import curvewise as cw

SCREENING = str(files("curvewise.data") / "screening.csv")
BASE = ("groups", SCREENING, "--label", "disease", "--score", "model_a")


@pytest.fixture(scope="module")
def table():
    return np.genfromtxt(SCREENING, delimiter=",", names=True, dtype=None, encoding="ascii")


def test_json_has_the_librarys_numbers(curve, table):
    answer = curve(*BASE, "--group", "sex", "--group", "age_band", "--threshold", "0.05", "--format", "json")
    assert answer.code == 0
    data = json.loads(answer.out)
    assert (data["schema"], data["version"]) == ("curvewise.command.groups", 1)
    wanted = cw.by_group(table["disease"], table["model_a"], {k: table[k] for k in ("sex", "age_band")}, threshold=0.05)
    found = data["scores"][0]["groups"]["groups"]
    assert len(found) == 1 + 2 + 4 + 8
    for got, group in zip(found[1:3], wanted.groups("sex"), strict=True):
        assert got["group"] == group.name
        assert got["metrics"]["recall"]["low"] == pytest.approx(group.estimates["recall"].low, rel=1e-12)
    gap = data["scores"][0]["groups"]["gaps"]["age_band"][1]
    assert gap["metric"] == "recall"
    assert gap["gap"] == pytest.approx(wanted.gap("recall", column="age_band").value)


def test_sites(curve, table):
    answer = curve(*BASE, "--site", "site", "--threshold", "0.05", "--format", "json")
    found = json.loads(answer.out)["scores"][0]["sites"]
    wanted = cw.by_site(table["disease"], table["model_a"], table["site"], threshold=0.05)
    assert found["pooled"]["prediction_low"] == pytest.approx(wanted.pooled.prediction_low, rel=1e-12)
    assert [s["site"] for s in found["sites"]] == ["coast", "east", "north", "south", "west"]
    text = curve(*BASE, "--site", "site", "--common-prevalence", "0.1").out
    for words in (
        "common prevalence 0.1000",
        "Pooled AUC 0.8298",
        "a new site:",
        "Pooled AUC without each site",
    ):
        assert words in text


def test_table_says_it_in_words(curve):
    answer = curve(*BASE, "--score", "rating", "--group", "sex", "--reference", "male")
    assert answer.code == 0
    for words in (
        "Score model_a",
        "Score rating",
        "Metrics by group",
        "Gaps of sex, against male",
        "p_equal",
    ):
        assert words in answer.out
    several = curve(*BASE, "--group", "sex", "--group", "age_band", "--reference", "male").out
    assert "Gaps of sex, against male" in several
    assert "Gaps of age_band, largest minus smallest" in several
    assert "against rest" in curve(*BASE, "--group", "sex", "--reference", "rest").out


def test_markdown_csv_and_metrics(curve, tmp_path):
    assert curve(*BASE, "--group", "sex", "--format", "md").out.startswith("### ")
    target = tmp_path / "groups.csv"
    options = (
        "--metric",
        "average_precision",
        "--replicates",
        "50",
        "--seed",
        "2",
        "--site",
        "site",
        "-o",
        target,
    )
    assert curve(*BASE, "--group", "sex", *options).code == 0
    rows = list(csv.DictReader(io.StringIO(target.read_text())))
    assert list(rows[0])[:7] == ["score", "table", "column", "group", "n", "positives", "prevalence"]
    female = next(r for r in rows if r["group"] == "female")
    assert (female["score"], female["column"], female["n"], female["positives"]) == (
        "model_a",
        "sex",
        "1964",
        "67",
    )
    assert {r["table"] for r in rows} == {"groups", "gaps of sex", "sites", "leave_one_out"}
    assert next(r for r in rows if r["table"] == "gaps of sex")["metric"] == "average_precision"


def test_hostile_names_stay_text(curve, write):
    rows = "\n".join(f"{k % 2},{k},{g}" for k, g in enumerate(["=1+1", "\x1b[31mred", "<b>|x", ""] * 4))
    path = write("hostile.csv", f"y,p,g\n{rows}\n")
    call = ("groups", path, "--label", "y", "--score", "p", "--group", "g")
    text = curve(*call).out
    assert "\x1b" not in text
    assert "\\x1b[31mred" in text
    assert "(missing)" in text
    assert "'=1+1" in curve(*call, "--format", "csv").out
    assert "&lt;b&gt;\\|x" in curve(*call, "--format", "md").out


def test_undefined_groups_are_said(curve, write):
    path = write("one.csv", "y,p,g\n1,3,a\n0,2,a\n0,1,b\n0,2,b\n1,4,a\n0,1,a\n")
    answer = curve("groups", path, "--label", "y", "--score", "p", "--group", "g", "--threshold", "2")
    assert answer.code == 0
    assert "Note: recall is undefined or has no interval in b: no row is positive." in answer.out
    assert "undefined" in answer.out
    data = curve("groups", path, "--label", "y", "--score", "p", "--group", "g", "--format", "json")
    assert json.loads(data.out)["scores"][0]["groups"]["gaps"]["g"][0]["gap"] is None


@pytest.mark.parametrize(
    ("more", "code", "words"),
    [
        ((), 2, "Name a column of groups (--group), of sites (--site) or of folds (--fold)"),
        (("--group", "nobody"), 3, "there is no column 'nobody'"),
        (("--site", "nobody"), 3, "there is no column 'nobody'"),
        (("--group", "sex", "--group", "sex"), 2, "named twice"),
        (("--group", "model_a"), 2, "has another use"),
        (("--site", "disease"), 2, "has another use"),
        (
            ("--group", "sex", "--reference", "other"),
            2,
            "no group is called 'other'; the groups are female, male",
        ),
        (("--site", "site", "--reference", "male"), 2, "needs --group"),
        (("--site", "site", "--metric", "recall"), 2, "--metric: needs --group"),
        (("--group", "sex", "--common-prevalence", "0.1"), 2, "--common-prevalence: needs --site"),
        (("--group", "sex", "--metric", "recall"), 2, "pass --threshold 0.5, for example"),
        (("--group", "sex", "--metric", "nonsense"), 2, "--metric: there is no metric 'nonsense'"),
    ],
)
def test_refusals(curve, more, code, words):
    answer = curve(*BASE, *more)
    assert (answer.code, answer.out) == (code, "")
    assert words in answer.err


def test_missing_values_name_their_column_and_line(curve, write):
    path = write("gap.csv", "y,a,g\n0,1,x\n1,,x\n1,3,y\n0,2,y\n1,4,\n")
    call = ("groups", path, "--label", "y", "--score", "a", "--group", "g")
    answer = curve(*call)
    assert answer.code == 3
    assert "column 'a' has 1 missing value (line 3)" in answer.err
    assert "(missing)" in curve(*call, "--missing", "drop").out


def test_csv_of_sites_is_long_and_numeric(curve, table):
    options = ("--site", "site", "--threshold", "0.05", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(curve(*BASE, *options).out)))
    sites = [r for r in rows if r["table"] == "sites"]
    wanted = cw.by_site(table["disease"], table["model_a"], table["site"], threshold=0.05)
    read = {(r["site"], r["metric"]): r for r in sites}
    for site in wanted.sites:
        for name, e in {"roc_auc": site.auc, **site.others}.items():
            row = read[site.name, name]
            assert [float(row[k]) for k in ("value", "low", "high")] == pytest.approx([e.value, e.low, e.high])
        assert float(read[site.name, "average_precision_common"]["value"]) == site.average_precision_common
        assert read[site.name, "roc_auc"]["n"] == str(site.group.sweep.n)
    pooled, new = sites[-2:]
    assert (pooled["site"], new["site"]) == ("(pooled)", "(prediction)")
    assert [float(pooled[k]) for k in ("value", "low", "high")] == [
        wanted.pooled.value, wanted.pooled.low, wanted.pooled.high,
    ]  # fmt: skip
    assert (float(new["low"]), float(new["high"])) == (wanted.pooled.prediction_low, wanted.pooled.prediction_high)


def test_says_what_a_gap_is(curve):
    text = " ".join(curve(*BASE, "--group", "sex").out.split())
    assert "p_equal tests that all groups are equal. A gap describes these data; it does not say" in text
    assert "A gap" not in curve(*BASE, "--site", "site").out
