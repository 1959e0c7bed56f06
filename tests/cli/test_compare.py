"""``curvewise compare``: the library's numbers, in every format, with every refusal."""

import json
from importlib.resources import files

import numpy as np
import pytest

import curvewise as cw

SCREENING = str(files("curvewise.data") / "screening.csv")
BASE = ("compare", SCREENING, "--label", "disease", "--score", "model_a", "--score", "model_b")


@pytest.fixture(scope="module")
def table():
    return np.genfromtxt(SCREENING, delimiter=",", names=True, dtype=None, encoding="ascii")


def expected(table, **options):
    return cw.compare(table["disease"], {k: table[k] for k in ("model_a", "model_b")}, **options)


def test_json_has_the_librarys_numbers(curve, table):
    answer = curve(*BASE, "--format", "json")
    assert answer.code == 0
    data = json.loads(answer.out)
    assert (data["schema"], data["version"]) == ("curvewise.command.compare", 1)
    pair, wanted = data["comparison"]["pairs"][0], expected(table)
    assert pair["difference"] == pytest.approx(wanted.difference.value, abs=1e-15)
    assert pair["p"] == pytest.approx(wanted.p_value, rel=1e-12)


def test_clusters_margin_and_weights(curve, table):
    answer = curve(*BASE, "--cluster", "patient", "--margin", "0.05", "--format", "json")
    pair = json.loads(answer.out)["comparison"]["pairs"][0]
    wanted = expected(table, cluster=table["patient"], margin=0.05).pairs[0]
    assert pair["p"] == pytest.approx(wanted.p_value, rel=1e-12)
    assert pair["p_non_inferior"] == pytest.approx(wanted.p_non_inferior, rel=1e-12)
    weighted = json.loads(curve(*BASE, "--weight", "weight", "--format", "json").out)
    assert weighted["comparison"]["pairs"][0]["p"] == pytest.approx(
        expected(table, weight=table["weight"]).p_value, rel=1e-12
    )


def test_other_metrics_are_repeatable(curve, table):
    options = ("--metric", "average_precision", "--replicates", "100", "--seed", "4", "--format", "json")
    first, again = curve(*BASE, *options), curve(*BASE, *options)
    assert first.out == again.out
    pair = json.loads(first.out)["comparison"]["pairs"][0]
    wanted = expected(table, metric="average_precision", rng=4, replicates=100)
    assert (pair["low"], pair["high"]) == (wanted.difference.low, wanted.difference.high)


def test_table_says_it_in_words(curve):
    answer = curve(*BASE, "--score", "rating")
    assert answer.code == 0
    for words in (
        "model_a",
        "first    second   difference",
        "Note: all models equal: chi-square",
        "p_holm is p corrected for all 6 tests that are read together",
    ):
        assert words in answer.out
    assert "Do not compare models on their training data" in answer.out


def test_markdown_and_csv(curve, tmp_path):
    assert "| model_a | model_b |" in curve(*BASE, "--format", "md").out
    target = tmp_path / "pairs.csv"
    assert curve(*BASE, "--metric", "auc", "-o", target).code == 0
    lines = target.read_text().splitlines()
    assert lines[0] == "first,second,difference,low,high,statistic,p,p_holm"
    assert lines[1].startswith("model_a,model_b,0.0059141")
    both = curve(*BASE, "--format", "csv").out.splitlines()
    assert [line.split(",")[0] for line in both] == ["table", "comparison", "average_precision"]


def test_two_scores_are_compared_by_auc_and_average_precision(curve, table):
    found = json.loads(curve(*BASE, "--format", "json").out)
    assert found["better"]["leader"] == "model_b"
    assert found["comparison"]["metric"] == "roc_auc"
    alone = json.loads(curve(*BASE, "--metric", "ap", "--format", "json").out)
    (pair,), (by_itself,) = found["average_precision"]["pairs"], alone["comparison"]["pairs"]
    assert pair.items() >= {k: v for k, v in by_itself.items() if k != "p_holm"}.items()
    assert pair["p_holm"] == pytest.approx(2 * by_itself["p"], rel=1e-12)  # corrected for the test of AUC, too
    assert "better" not in alone
    shown = curve(*BASE).out
    assert "model_b is better." in shown
    assert "By AUC, these data do not separate model_a and model_b" in shown


def test_costs_are_a_comparison_of_their_own(curve, table):
    found = json.loads(curve(*BASE, "--fp", "1", "--fn", "10", "--prevalence", "0.02", "--format", "json").out)
    scores = {name: table[name] for name in ("model_a", "model_b")}
    expected = cw.compare_costs(table["disease"], scores, fp=1, fn=10, prevalence=0.02)
    assert found["comparison"]["values"] == expected.values
    assert found["comparison"]["pairs"][0]["low"] == expected.difference.low
    for more, words in (
        (("--fp", "1"), "both --fp and --fn"),
        (("--prevalence", "0.1"), "both --fp and --fn"),
        (("--fp", "1", "--fn", "2", "--metric", "auc"), "--metric: has no meaning"),
        (("--fp", "1", "--fn", "2", "--threshold", "0.5"), "--threshold: has no meaning"),
        (("--fp", "1", "--fn", "2", "--method", "delong"), "--method: has no meaning"),
    ):
        answer = curve(*BASE, *more)
        assert answer.code == 2
        assert words in answer.err
    assert curve(*BASE, "--fp", "1", "--fn", "10", "--margin", "0.001").code == 1
    assert curve(*BASE, "--fp", "1", "--fn", "10", "--margin", "1").code == 0


def test_one_score_against_a_value(curve):
    answer = curve("compare", SCREENING, "--label", "disease", "--score", "model_a", "--format", "json")
    pair = json.loads(answer.out)["comparison"]["pairs"][0]
    assert (pair["first"], pair["second"]) == ("model_a", "value")
    assert pair["p"] < 1e-10


def test_a_metric_at_a_threshold(curve):
    answer = curve(*BASE, "--metric", "recall", "--threshold", "0.05", "--replicates", "50", "--format", "json")
    assert json.loads(answer.out)["comparison"]["values"]["model_a"] == pytest.approx(84 / 124)


def test_thresholds_of_their_own_and_other_methods(curve, table):
    cuts = ("--metric", "recall", "--threshold", "0.05", "--threshold", "0.1")
    found = json.loads(curve(*BASE, *cuts, "--format", "json").out)["comparison"]
    wanted = expected(table, metric="recall", threshold={"model_a": 0.05, "model_b": 0.1})
    assert (found["method"], found["pairs"][0]["p"]) == ("mcnemar", wanted.p_value)
    assert found["pairs"][0]["statistic"] == wanted.statistic
    for options in (
        ("--metric", "roc_curve"),
        ("--metric", "average_precision", "--method", "permutation"),
    ):
        answer = curve(*BASE, *options, "--replicates", "20")
        assert answer.code == 0, answer.err
        assert "Note: " in answer.out
        data = json.loads(curve(*BASE, *options, "--replicates", "20", "--format", "json").out)
        assert data["comparison"]["pairs"][0]["low"] is None


def test_a_partial_area(curve, table):
    part = ("--metric", "partial_roc_auc", "--fpr", "0", "0.1", "--replicates", "50")
    found = json.loads(curve(*BASE, *part, "--format", "json").out)["comparison"]["values"]
    assert found["model_b"] == pytest.approx(cw.partial_roc_auc(table["disease"], table["model_b"], fpr=(0, 0.1)))


@pytest.mark.parametrize(
    ("more", "code", "words"),
    [
        (("--metric", "xyzzy"), 2, "there is no metric 'xyzzy'; curvewise metrics --list shows"),
        (("--metric", "auroc2"), 2, "did you mean 'roc_auc' or 'pr_auc'?"),
        (("--method", "delongs"), 2, "--method: expected one of"),
        (("--option", "fpr=0.1"), 2, "fpr: unknown option of roc_auc"),
        (("--option", "fpr"), 2, "'fpr' is not of the form"),
        (("--metric", "recall"), 2, "recall is a number at a threshold: pass --threshold 0.5, for example."),
        (("--threshold", "1", "--threshold", "2", "--threshold", "3"), 2, "one for each of 2 scores"),
        (("--metric", "roc_curve", "--margin", "0.1"), 2, "--margin: method='venkatraman' tests only"),
        (("--cluster", "nobody"), 3, "there is no column 'nobody'"),
        (("--cluster", "disease"), 2, "has another use"),
        (("--score", "model_a"), 2, "named twice"),
        (("--margin", "-1"), 2, "--margin: expected"),
        (("--score", "sex"), 3, "cannot be read as a number"),
    ],
)
def test_refusals(curve, more, code, words):
    answer = curve(*BASE, *more)
    assert (answer.code, answer.out) == (code, "")
    assert words in answer.err


def test_one_class_is_undefined(curve, write):
    path = write("one.csv", "y,a,b\n0,1,2\n0,2,1\n")
    answer = curve("compare", path, "--label", "y", "--score", "a", "--score", "b")
    assert answer.code == 4
    assert "0 of 2 rows are positive" in answer.err


def test_missing_values_name_their_line(curve, write):
    path = write("gap.csv", "y,a,b\n0,1,2\n1,,1\n1,3,3\n0,2,2\n1,4,5\n")
    answer = curve("compare", path, "--label", "y", "--score", "a", "--score", "b")
    assert answer.code == 3
    assert "column 'a' has 1 missing value (line 3)" in answer.err
    assert curve("compare", path, "--label", "y", "--score", "a", "--score", "b", "--missing", "drop").code == 0


def test_columns_are_explained(curve):
    text = " ".join(curve(*BASE, "--margin", "0.02").out.split())
    assert "statistic: the test statistic (z for DeLong) and p: test of no difference" in text
    assert "p_equivalent: test that the two differ by the margin or more" in text
    resampled = curve(*BASE, "--metric", "average_precision", "--method", "bootstrap", "--replicates", "20").out
    assert "p: test of no difference." in resampled
    assert "statistic" not in resampled


def test_test_of_all_models_in_full_precision(curve, table):
    call = (*BASE, "--score", "rating", "--metric", "auc")
    chi, degrees, p = json.loads(curve(*call, "--format", "json").out)["comparison"]["omnibus"]
    last = curve(*call, "--format", "csv").out.splitlines()[-1].split(",")
    assert last[0] == "(all equal)"
    assert [float(cell) for cell in last[1:] if cell] == [chi, p, degrees]


def test_1_where_the_first_is_not_shown_to_be_non_inferior(curve, table):
    found = expected(table, margin=0.05).pairs[0]
    assert found.p_non_inferior < 0.05
    assert curve(*BASE, "--margin", "0.05").code == 0
    assert curve(*BASE, "--margin", "0.05", "--level", "0.9999").code == 1
    answer = curve(*BASE, "--margin", "0.02")
    p = expected(table, margin=0.02).pairs[0].p_non_inferior
    assert answer.code == 1
    assert answer.err == (
        "Failed: roc_auc of model_a is not shown to be non-inferior to that of model_b by a margin of 0.02: "
        f"p is {p:.4g}, and should be below 0.05.\n"
    )
    assert "p_non_inferior" in answer.out  # the answer is written all the same


def test_only_the_first_score_is_held_to_the_margin(curve):
    ask = ("compare", SCREENING, "--label", "disease", "--margin", "0.02", "--score", "model_a")
    assert curve(*ask, "--score", "rating").code == 0
    three = curve(*ask, "--score", "rating", "--score", "model_b")
    assert (three.code, three.err.count("Failed: ")) == (1, 1)
    worse = curve(*ask[:-2], "--score", "rating", "--score", "model_a", "--score", "model_b")
    assert (worse.code, worse.err.count("Failed: roc_auc of rating")) == (1, 2)
    assert curve(*BASE).code == 0  # without a margin there is nothing to fail
