"""``curvewise operate``: the library's numbers, in every format, with every refusal."""

import csv
import io
import json
from importlib.resources import files

import numpy as np
import pytest

import curvewise as cw
from curvewise.cli.rule_options import RULES

SCREENING = str(files("curvewise.data") / "screening.csv")
BASE = ("operate", SCREENING, "--label", "disease", "--score", "model_b")
COST = ("--rule", "min-cost", "--fp", "1", "--fn", "10", "--prevalence", "0.02")
QUICK = ("--replicates", "0")


@pytest.fixture(scope="module")
def table():
    return np.genfromtxt(SCREENING, delimiter=",", names=True, dtype=None, encoding="ascii")


def ask(path, *more):
    return ("operate", path, "--label", "y", "--score", "p", *more)


def test_json_has_the_librarys_answer(curve, table):
    answer = curve(*BASE, *COST, "--replicates", "60", "--seed", "3", "--format", "json")
    assert (answer.code, answer.err) == (0, "")
    data = json.loads(answer.out)
    assert (data["schema"], data["version"]) == ("curvewise.command.operate", 1)
    rule = cw.rules.min_cost(fp=1, fn=10, prevalence=0.02)
    wanted = cw.operating_point(table["disease"], table["model_b"], rule, rng=3, replicates=60)
    (score,) = data["scores"]
    assert score["name"] == "model_b"
    assert score["point"] == json.loads(json.dumps(wanted.to_dict()))
    assert curve(*BASE, *COST, "--replicates", "60", "--seed", "3", "--format", "json").out == answer.out


def test_table_and_markdown_have_the_sentence(curve):
    for form in ("table", "md"):
        answer = curve(*BASE, "--rule", "max-fpr", "--at", "0.05", "--replicates", "20", "--format", form)
        assert answer.code == 0
        for words in (
            "Flag scores of 0.340139 or more. On new data, expect",
            "Uncorrected: 58, 4.9 and 27",
            "to deploy (halfway to the next score)",
            "TP 72, FP 193, FN 52, TN 3743",
            "Rates to expect on new rows (95% intervals)",
            "recall uncorrected",
            "either 0.508611 or 0.166104 is at least as cheap",
            "Equally good: 0.337163",
        ):
            assert words in answer.out


def test_csv_is_long_and_the_sentence_is_on_standard_error(curve):
    answer = curve(*BASE, "--rule", "youden", "--replicates", "20", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(answer.out)))
    named = {row["metric"]: row for row in rows}
    assert len(named) == len(rows)
    assert float(named["threshold"]["value"]) == 0.112143
    assert float(named["threshold"]["low"]) <= 0.112143 <= float(named["threshold"]["high"])
    assert float(named["recall"]["value"]) == 87 / 124
    assert {"tp", "midpoint", "youden", "corrected_youden"} <= set(named)
    assert "Flag scores of 0.112143 or more" in answer.err


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_its_place(curve, rule, table):
    at = {"max-alarms": "100", "max-net-benefit": "0.1", "min-precision": "0.4"}.get(rule, "0.5")
    needed, _ = RULES[rule]
    more = [word for name in needed for word in (f"--{name}", at if name == "at" else "2")]
    answer = curve(*BASE, "--rule", rule, *more, *QUICK, "--format", "json")
    assert answer.code == 0
    point = json.loads(answer.out)["scores"][0]["point"]
    assert point["rule"]["name"] == rule.replace("-", "_")
    assert (point["optimism"], point["threshold_interval"]) == (None, None)
    assert set(RULES) == {name.replace("_", "-") for name in cw.rules.__all__ if name not in ("max_of", "all_of")}


def test_a_limit_that_holds_on_new_rows(curve):
    limit = (*BASE, "--rule", "max-fpr", "--at", "0.1", *QUICK)
    answer = curve(*limit, "--confidence", "0.95", "--format", "json")
    found = json.loads(answer.out)["scores"][0]["point"]["guarantee"]
    assert (found["metric"], found["limit"], found["confidence"], found["kind"]) == ("fpr", 0.1, 0.95, "exact")
    assert found["here"] < found["bound"] <= 0.1
    assert "With 95% confidence, at most 10% of the negatives" in curve(*limit, "--confidence", "0.95").out
    assert "--confidence" in curve(*limit, "--confidence", "1.5").err
    none = curve(*BASE, "--rule", "youden", "--confidence", "0.9")
    assert "--confidence: has no meaning with --rule youden" in none.err
    too_few = curve(*BASE, "--rule", "max-fpr", "--at", "0.0001", "--confidence", "0.95")
    assert too_few.code == 4
    assert "29,956 without an error would do" in too_few.err


def test_several_scores_weights_and_direction(curve, write):
    path = write("t.csv", "y,p,q,w\n1,1,5,2\n0,2,4,1\n1,3,3,1\n0,4,2,3\n0,5,1,1\n")
    more = ("--score", "q", "--weight", "w", "--higher-is", "negative", "--rule", "youden", *QUICK)
    answer = curve(*ask(path, *more, "--format", "json"))
    first, second = json.loads(answer.out)["scores"]
    assert (first["point"]["threshold"], first["point"]["confusion"]["tp"]) == (3, 3)
    assert second["point"]["higher_is"] == "negative"
    assert first["point"]["sentence"].startswith("Flag scores of 3 or less")


def test_missing_values(curve, write):
    path = write("gap.csv", "y,p\n1,4\n0,\n0,2\n1,1\n")
    answer = curve(*ask(path, "--rule", "youden"))
    assert answer.code == 3
    assert "column 'p' has 1 missing value (line 3)" in answer.err
    dropped = curve(*ask(path, "--rule", "youden", "--missing", "drop", *QUICK, "--format", "json"))
    assert json.loads(dropped.out)["scores"][0]["point"]["confusion"]["dropped"] == 1


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ((), "--rule"),
        (("--rule", "best"), "is not one of"),
        (("--rule", "max-fpr"), "--rule max-fpr: give --at"),
        (("--rule", "min-cost", "--fp", "1"), "--rule min-cost: give --fn"),
        (("--rule", "min-cost"), "give --fp and --fn"),
        (("--rule", "youden", "--fp", "1"), "--fp: has no meaning with --rule youden"),
        (("--rule", "max-f", "--at", "1"), "--at: has no meaning with --rule max-f"),
        (("--rule", "max-fpr", "--at", "2"), "--at: expected a number from 0 to 1, got 2"),
        (("--rule", "max-fpr", "--at", "much"), "is not a number"),
        (("--rule", "max-alarms", "--at", "2.5"), "--at: expected a whole number of rows, or a share"),
        (("--rule", "max-net-benefit", "--at", "1"), "--at: expected a number below 1"),
        (("--rule", "max-f", "--beta", "-1"), "--beta: expected"),
        (("--rule", "min-cost", "--fp", "0", "--fn", "0"), "every mistake the better answer"),
        (("--rule", "min-cost", "--fp", "inf", "--fn", "1"), "--fp: expected a finite number"),
        (("--rule", "youden", "--prevalence", "1"), "--prevalence"),
        (("--rule", "youden", "--replicates", "-1"), "--replicates"),
        (("--rule", "youden", "--score", "model_b"), "named twice"),
    ],
)
def test_2_for_usage(curve, more, words):
    answer = curve(*BASE, *more)
    assert (answer.code, answer.out) == (2, "")
    assert words in answer.err
    assert "Usage: curvewise operate" in answer.err


@pytest.mark.parametrize(
    ("content", "more", "words"),
    [
        ("y,p\n0,1\n0,2\n", ("--rule", "youden"), "column 'p': An operating point needs both classes"),
        (
            "y,p\n0,3\n1,2\n0,1\n",
            ("--rule", "max-fpr", "--at", "0.1"),
            "no observed score has an FPR of 0.1 or less; the nearest that can be reached is 0.5000",
        ),
        ("y,p\n0,1\n1,1\n", ("--rule", "max-mcc"), "has no value at any threshold"),
    ],
)
def test_4_for_undefined(curve, write, content, more, words):
    answer = curve(*ask(write("u.csv", content), *more))
    assert (answer.code, answer.out) == (4, "")
    assert words in answer.err
    assert answer.err.count("\n") == 1


def test_3_and_5_for_data_and_files(curve, write, tmp_path):
    assert curve(*ask(write("a.csv", "y,q\n1,2\n"), "--rule", "youden")).code == 3
    assert curve(*ask(write("b.csv", "y,p\n1,high\n0,1\n"), "--rule", "youden")).code == 3
    assert curve(*ask(tmp_path / "no.csv", "--rule", "youden")).code == 5


def test_hostile_names_stay_text(curve, write):
    name = "=p|\x1b[31m<b>"
    path = write("evil.csv", f"y,{name}\n1,4\n0,3\n1,2\n0,1\n")
    rest = ("--label", "y", "--score", name, "--rule", "youden", *QUICK)
    for form in ("table", "md", "csv", "json"):
        answer = curve("operate", path, *rest, "--format", form)
        assert answer.code == 0
        assert "\x1b" not in answer.out + answer.err
    assert "<b>" not in curve("operate", path, *rest, "--format", "md").out
    assert "\n'=p|" in curve("operate", path, *rest, "--format", "csv").out


def test_file_and_standard_input(curve, tmp_path):
    target = tmp_path / "point.json"
    assert curve(*BASE, "--rule", "youden", *QUICK, "-o", target).code == 0
    assert json.loads(target.read_text())["scores"][0]["point"]["threshold"] == 0.112143
    assert curve(*BASE, "--rule", "youden", *QUICK, "-o", target).code == 5
    piped = curve(*ask("-", "--rule", "youden", *QUICK), stdin=b"y,p\n1,2\n0,1\n")
    assert "Data: standard input, label y" in piped.out
    assert "Choice by youden()" in piped.out


def test_help_loads_nothing_heavy(shell):
    code = (
        "import sys\nfrom curvewise.cli import main\ntry:\n    main(sys.argv[1:])\nfinally:\n"
        "    sys.stderr.write(' '.join(m for m in ('numpy', 'polars') if m in sys.modules))"
    )
    answer = shell("operate", "--help", code=code)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert "max-alarms" in answer.stdout


def test_csv_has_the_threshold_in_every_row(curve):
    answer = curve(*BASE, "--rule", "youden", "--replicates", "20", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(answer.out)))
    assert rows[0]["metric"] == "threshold"
    assert {row["threshold"] for row in rows} == {rows[0]["value"]}


@pytest.fixture(scope="module")
def payments(tmp_path_factory):
    rng = np.random.default_rng(0)
    y = rng.random(300) < 0.2
    p = 1 / (1 + np.exp(1.4 - rng.normal(size=300) - 1.5 * y))
    rows = [
        f"{int(a)},{b:.4f},{c:.2f},{d:.4f}" for a, b, c, d in zip(y, p, rng.lognormal(3, 1, 300), p**2, strict=True)
    ]
    path = tmp_path_factory.mktemp("payments") / "payments.csv"
    path.write_text("\n".join(["fraud,p,amount,q", *rows]) + "\n")
    return path


def test_costs_come_from_a_column(curve, payments):
    data = np.genfromtxt(payments, delimiter=",", names=True)
    asked = (payments, "--label", "fraud", "--score", "p", "--fp", "4", "--fn-column", "amount")
    found = curve("operate", *asked, "--rule", "min-cost", "--unit", "EUR", "--replicates", "0", "--format", "json")
    point = cw.operating_point(
        data["fraud"], data["p"], cw.rules.min_cost(fp=4, fn=data["amount"], unit="EUR"), replicates=0
    )
    (said,) = json.loads(found.out)["scores"]
    assert said["point"]["threshold"] == point.threshold
    assert said["point"]["cost"]["estimate"]["value"] == pytest.approx(point.value)
    assert said["point"]["rule"]["options"] == {"fp": 4.0, "fn": "amount", "unit": "EUR"}
    both = curve("compare", *asked, "--decide-by", "both", "--replicates", "20").out
    assert "p by score" in both
    assert "p by expected cost" in both


def test_what_costs_from_a_column_cannot_be(curve, payments):
    asked = ("operate", payments, "--label", "fraud", "--score", "p", "--rule")
    for more, message in (
        (("min-cost", "--fp", "1", "--fn", "2", "--fn-column", "amount"), "--fn-column: give --fn"),
        (("youden", "--fn-column", "amount"), "--fn: has no meaning with --rule youden"),
        (("min-cost", "--fp", "1", "--fn-column", "amont"), "there is no column 'amont'"),
        (("min-cost", "--fn-column", "amount"), "--rule min-cost: give --fp"),
    ):
        found = curve(*asked, *more)
        assert found.code in (2, 3)
        assert message in found.err
    said = curve(
        "report", payments, "--label", "fraud", "--score", "p", "--fp", "1", "--fn", "2", "--decide-by", "expected_cost"
    )
    assert said.code == 2
    assert "a report is about cuts of the score" in said.err
