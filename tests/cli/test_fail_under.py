"""``--fail-under``: what passes, what fails, and that the answer is written all the same."""

import json
import math
import os
import sys

import click
import pytest

from curvewise.cli.fail_under import bars, failures, full_names
from curvewise.metric.registry import every
from curvewise.results import Estimate

# the AUC of the seventeen rows is 55/72
ASK = ("--label", "y", "--score", "p", "--no-intervals")


@pytest.mark.parametrize("bars", ["auc=0.76", "roc_auc=0.76, ap=0.5", "auc=0.7,eer=0.5", "auc=-inf"])
def test_0_where_every_bar_is_reached(curve, tiny, bars):
    answer = curve("metrics", tiny, *ASK, "--fail-under", bars)
    assert (answer.code, answer.err) == (0, "")


def test_1_and_a_sentence_for_each_failure(curve, tiny):
    answer = curve("metrics", tiny, *ASK, "--fail-under", "auc=0.99,ap=0.1,eer=0.01", "--format", "json")
    assert answer.code == 1
    first, second = answer.err.splitlines()
    assert first == "Failed: roc_auc of p is 0.7639, below 0.99."
    assert second.startswith("Failed: equal_error_rate of p is 0.")
    assert second.endswith(", above 0.01 (less is better).")
    assert json.loads(answer.out)["schema"] == "curvewise.command.metrics"


def test_the_file_is_written_all_the_same(curve, tiny, tmp_path):
    assert curve("metrics", tiny, *ASK, "--fail-under", "auc=1", "-o", "out.json").code == 1
    assert json.loads((tmp_path / "out.json").read_text())["scores"][0]["name"] == "p"


def test_every_score_must_pass(curve, write):
    path = write("two.csv", "y,a,b\n1,3,1\n1,2,2\n0,1,3\n0,0,0\n")
    answer = curve("metrics", path, "--label", "y", "--score", "a", "--score", "b", "--fail-under", "auc=0.9")
    assert answer.code == 1
    assert answer.err.count("\n") == 1
    assert "roc_auc of b is 0.5, below 0.9" in answer.err


def test_numbers_at_a_threshold(curve, tiny):
    ask = ("metrics", tiny, *ASK, "--threshold", "0.7", "--threshold", "0.5", "--fail-under")
    answer = curve(*ask, "recall=0.9")
    assert answer.code == 1
    assert answer.err == "Failed: recall of p at 0.7 is 0.625, below 0.9.\n"
    assert curve(*ask, "recall=0.625").code == 0


def test_many_classes(curve, write):
    path = write("pets.csv", "pet,cat,dog\ncat,0.8,0.2\ndog,0.3,0.7\ncat,0.6,0.4\ndog,0.6,0.4\n")
    ask = ("metrics", path, "--label", "pet", "--score", "cat", "--score", "dog", "--multiclass")
    assert curve(*ask, "--no-intervals", "--fail-under", "accuracy=0.75").code == 0
    answer = curve(*ask, "--no-intervals", "--fail-under", "accuracy=0.76")
    assert (answer.code, answer.err) == (1, "Failed: accuracy of all classes is 0.75, below 0.76.\n")
    own = curve(*ask, "--no-intervals", "--fail-under", "hand-till=0.99,logloss=9")  # those that two classes lack, too
    assert (own.code, own.err) == (1, "Failed: hand_till of all classes is 0.875, below 0.99.\n")
    for name, words in (
        ("gini", "there is no number 'gini' here; there are accuracy, "),
        ("hand_til", "did you mean 'hand_till'"),
    ):
        refused = curve(*ask, "--fail-under", f"{name}=0.5")
        assert (refused.code, refused.out) == (2, "")
        assert f"--fail-under: {'' if name == 'gini' else repr(name)}" in refused.err
        assert words in refused.err


@pytest.mark.parametrize(
    ("bars", "words"),
    [
        ("acu=0.9", "there is no metric 'acu'; did you mean 'roc_auc'"),
        ("recall=0.9", "recall is a number at a threshold: pass --threshold"),  # not without one
        ("recall_at_fpr=0.9", "recall_at_fpr needs a number: pass --option fpr=0.9, for example"),
        ("slope=1", "--fail-under: calibration_slope is best near 1, so it has no bar"),
        ("auc", "'auc' is not of the form auc=0.9"),
        ("auc=", "'auc=' is not of the form"),
        ("auc=high", "'high' is not a number"),
        ("auc=nan", "'nan' is not a number"),
        ("auc=0.9,roc_auc=0.8", "'roc_auc' is named twice"),
        ("auc.low=0.9", "roc_auc.low is a limit of an interval; leave out --no-intervals"),
        ("auc.middle=0.9", "there is no metric 'auc.middle'"),
        ("", "is not of the form"),
    ],
)
def test_2_for_a_bar_that_cannot_be_read(curve, tiny, bars, words):
    answer = curve("metrics", tiny, *ASK, "--fail-under", bars, "-o", "never.json")
    assert answer.code == 2
    assert words in answer.err
    assert not (tiny.parent / "never.json").exists()


def failed(bar, *found):
    """Return the sentences of a bar; numbers are given as model, metric, value and perhaps both ends."""
    read = [(model, "", Estimate(name, *(ends * 3)[:3], 0.95, None)) for model, name, *ends in found]
    return list(failures(full_names(bars(bar)), read))


def test_what_is_undefined_fails():
    assert failed("roc_auc=0.5", ("a", "roc_auc", math.nan), ("b", "gini", 0.5)) == [
        f"roc_auc of {name} is undefined, and should be 0.5." for name in "ab"
    ]


def test_a_number_that_rounds_to_its_bar_is_told_from_it():
    assert failed("auc=0.9", ("a", "roc_auc", 0.8999999)) == ["roc_auc of a is 0.8999999, below 0.9."]
    assert not failed("roc_auc=0.9", ("a", "roc_auc", 0.9))
    assert not failed("error=0.1", ("a", "error", 0.1))


def test_an_end_of_the_interval():
    found = ("a", "roc_auc", 0.9, 0.8, 0.95)
    assert failed("auc.low=0.8,auc=0.9,auc.high=0.95", found) == []
    with pytest.raises(click.UsageError, match=r"'roc_auc\.low' is named twice"):
        failed("auc.low=0.9,roc_auc.low=0.8", found)
    assert failed("auc.low=0.81", found) == ["the lower limit of roc_auc of a is 0.8, below 0.81."]
    brier = ("a", "brier_loss", 0.1, 0.05, 0.2)
    assert failed("brier.high=0.15,brier=0.15", brier) == [
        "the upper limit of brier_loss of a is 0.2, above 0.15 (less is better)."
    ]
    assert failed("auc.low=0.5", ("a", "roc_auc", 0.9, math.nan, math.nan)) == [
        "the lower limit of roc_auc of a is undefined, and should be 0.5."
    ]


def test_an_end_of_the_interval_on_the_command_line(curve, tiny):
    ask = ("metrics", tiny, "--label", "y", "--score", "p", "--format", "json", "--fail-under")
    read = json.loads(curve(*ask, "auc.low=0").out)["scores"][0]["metrics"]
    low = next(m["low"] for m in read if m["metric"] == "roc_auc")
    assert curve(*ask, f"auc.low={low - 1e-9}").code == 0
    answer = curve(*ask, f"AUC.low={low + 1e-9}")
    assert answer.code == 1
    assert answer.err.startswith("Failed: the lower limit of roc_auc of p is 0.")


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of POSIX")
def test_a_reader_that_goes_away_does_not_turn_failure_into_success(shell, tiny):
    read, write = os.pipe()
    os.close(read)
    try:
        answer = shell("metrics", tiny, *ASK, "--fail-under", "auc=0.99", stdout=write)
    finally:
        os.close(write)
    assert answer.returncode == 1
    assert answer.stderr == "Failed: roc_auc of p is 0.7639, below 0.99.\n"


def test_metrics_that_tables_leave_out_can_be_bars(curve, tiny):
    answer = curve("metrics", tiny, *ASK, "--fail-under", "gini=0.6,KS=0.1", "--format", "json")
    assert (answer.code, answer.err) == (1, "Failed: gini of p is 0.5278, below 0.6.\n")
    assert "gini" in {m["metric"] for m in json.loads(answer.out)["scores"][0]["metrics"]}
    bars = ("--fail-under", "recall_at_fpr=0.1", "--option", "fpr=0.2")
    assert curve("metrics", tiny, *ASK, *bars).code == 0


@pytest.mark.parametrize("name", [m.name for m in every() if m.better in ("higher", "lower")])
def test_the_direction_comes_from_the_metric(name):
    lower = next(m for m in every() if m.name == name).better == "lower"
    assert bool(failed(f"{name}=0.5", ("a", name, 0.6))) is lower
    assert bool(failed(f"{name}=0.5", ("a", name, 0.4))) is not lower


def test_an_end_that_a_metric_never_has(curve, tiny):
    answer = curve("metrics", tiny, "--label", "y", "--score", "p", "--fail-under", "h.low=0.1")
    assert (answer.code, answer.out) == (2, "")
    assert "h_measure.low is a limit of an interval; h_measure has none" in answer.err


def test_a_name_that_does_not_exist_is_blamed_on_its_option(curve, tiny):
    answer = curve("metrics", tiny, *ASK, "--fail-under", "aucc=0.9")
    assert (answer.code, answer.out) == (2, "")
    assert "--fail-under: there is no metric 'aucc'; did you mean " in answer.err
    assert "--metric" not in answer.err


def test_undefined_data_are_no_failure_of_a_bar(curve, write):
    answer = curve("metrics", write("zeros.csv", "y,p\n0,0.1\n0,0.2\n"), *ASK, "--fail-under", "auc=0.9")
    assert answer.code == 4
    assert "Failed" not in answer.err
