"""`curvewise demo`: the numbers of the shipped file, and words that follow from them."""

from __future__ import annotations

import json
import shlex

import pytest

import curvewise as cw
from curvewise import Estimate, MetricTable
from curvewise.cli.commands import demo
from curvewise.cli.commands.demo import explain

# scikit-learn's numbers for the shipped file, from its README
EXPECTED = {
    "model_a": {"roc_auc": 0.861, "partial_roc_auc": 0.384, "average_precision": 0.226},
    "model_b": {"roc_auc": 0.855, "partial_roc_auc": 0.555, "average_precision": 0.520},
    "rating": {"roc_auc": 0.796, "partial_roc_auc": 0.293},
}


@pytest.fixture(autouse=True)
def quick(monkeypatch, request):
    """Leave out the making of the page, which takes seconds, but where the page is asked about."""
    if "page_is" not in request.node.name:
        monkeypatch.setattr(demo, "_page", lambda file: "<!doctype html>")


def test_numbers_agree_with_the_data_s_own_readme(curve):
    found = json.loads(curve("demo", "--format", "json").out)
    assert (found["data"]["rows"], found["data"]["positives"]) == (4060, 124)
    for score in found["scores"]:
        values = {m["metric"]: m["value"] for m in score["metrics"]}
        for metric, value in EXPECTED[score["name"]].items():
            assert values[metric] == pytest.approx(value, abs=6e-4), (score["name"], metric)


def test_says_that_data_are_simulated_and_what_to_run_next(curve, write):
    answer = curve("demo")
    assert answer.code == 0
    assert "simulated" in answer.out.splitlines()[0]
    command = next(line for line in answer.out.splitlines() if "YOUR_FILE" in line).split(": ")[1]
    name, *args = shlex.split(command)
    assert name == "curvewise"
    rows = [f"{k % 2},0.{k},0.{9 - k},{'fm'[k // 2 % 2]}" for k in range(1, 9)]
    path = write("own.csv", "\n".join(["disease,model_a,model_b,sex", *rows]) + "\n")
    done = curve(*(path if a == "YOUR_FILE.csv" else a for a in args), "--replicates", "20")
    assert done.code == 0, done.err


def test_names_the_report_and_keeps_an_earlier_one(curve, tmp_path):
    page = tmp_path / demo.PAGE
    assert curve("demo").out.endswith(f"\nReport: {demo.PAGE}\n")
    assert page.read_text() == "<!doctype html>"
    page.write_text("mine")
    answer = curve("demo")
    assert answer.code == 0
    assert "kept; curvewise demo --force makes it again" in answer.out
    assert page.read_text() == "mine"
    assert curve("demo", "--force", "--format", "json").err == f"Report: {demo.PAGE}\n"
    assert page.read_text() == "<!doctype html>"


def test_another_name_for_the_report(curve, tmp_path):
    assert curve("demo", "-o", "mine.html").out.endswith("\nReport: mine.html\n")
    assert not (tmp_path / demo.PAGE).exists()
    again = curve("demo", "-o", "mine.html")
    assert (again.code, again.out) == (5, "")
    assert "mine.html: the file exists; use --force" in again.err


def test_the_page_is_the_report_of_the_shipped_data(curve, tmp_path, monkeypatch):
    monkeypatch.setattr(demo, "REPLICATES", 20)
    assert curve("demo").code == 0
    page = (tmp_path / demo.PAGE).read_text()
    assert page.startswith("<!DOCTYPE html>")
    assert all(name in page for name in ("model_a", "model_b", "rating", "screening.csv"))


def test_markdown_and_csv_formats(curve):
    assert "| roc_auc | 0.8611 (0.8291 to 0.8868) | 0.8552 (" in curve("demo", "--format", "md").out
    long = curve("demo", "--format", "csv")
    assert long.out.startswith("score,threshold,metric,")
    assert "simulated" in long.err  # the words have no place in the long form
    assert "simulated" not in long.out


def made_up(**models):
    """Make a table of models from their ROC area and its part."""
    found = {
        name: {
            metric: Estimate(metric, value, value, value, 0.95, None)
            for metric, value in (("roc_auc", roc), ("partial_roc_auc", part), ("average_precision", 0.4))
        }
        for name, (roc, part) in models.items()
    }
    facts = {"rows": 100, "dropped": 0, "positives": 10, "negatives": 90, "prevalence": 0.1}
    none = {name: {} for name in found}
    return MetricTable(facts, dict.fromkeys(found, 7), found, none, none, {})


def test_words_follow_from_the_numbers():
    at = cw.Confusion(tp=9, fp=1, fn=1, tn=89, threshold=0.5)

    def words(one, two):
        return " ".join(explain(made_up(one=one, two=two, three=(0.6, 0.5)), at))

    first = words((0.9, 0.8), (0.89, 0.7))
    assert "one and two are nearly the same (0.900 and 0.890)" in first
    assert "one is ahead: 0.800 against 0.700 for two" in first
    assert "10 of 100 rows are positive (10.0%)" in first
    assert "10 alarms, of which 9 are right (90%), and finds 90% of the 10 positives" in first
    turned = words((0.9, 0.7), (0.6, 0.8))
    assert "one and two are not the same (0.900 and 0.600)" in turned
    assert "two is ahead: 0.800 against 0.700 for one" in turned
    assert "and so it is where false alarms are rare (0.700 and 0.700)" in words((0.9, 0.7), (0.9, 0.7))


def test_one_model_is_judged_at_a_threshold(curve):
    found = json.loads(curve("demo", "--format", "json").out)["scores"]
    assert [len(score["thresholds"]) for score in found] == [1, 0, 0]
    cut = found[0]["thresholds"][0]
    assert cut["threshold"] == demo.THRESHOLD
    assert sum(cut["counts"].values()) == 4060
    recall = next(m for m in cut["metrics"] if m["metric"] == "recall")
    assert recall["low"] < recall["value"] < recall["high"]
    for form, words in (
        ("table", "model_a at threshold 0.05: TP "),
        ("md", "at threshold 0.05"),
        ("csv", "model_a,0.05,recall,"),
    ):
        assert words in curve("demo", "--format", form).out
