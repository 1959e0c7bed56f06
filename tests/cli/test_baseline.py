"""``--baseline`` and ``--fail-if-worse``: what is said, what fails, and what no baseline is."""

import json
from dataclasses import replace

import numpy as np
import pytest

from curvewise.cli.fail_if_worse import failures
from curvewise.evaluation.changes_since import change
from curvewise.evaluation.then_and_now import ModelThenAndNow, ThenAndNow
from curvewise.results.estimate import Estimate

ASK = ("--label", "y", "--score", "p", "--replicates", "20")


def csv(seed, lift, n=120, names=("p",)):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3 == 0
    scores = [np.round(1 / (1 + np.exp(-rng.normal(lift * y - 1))), 4) for _ in names]
    lines = [",".join(map(str, (int(label), *row))) for label, *row in zip(y, *scores, strict=True)]
    return "\n".join([",".join(("y", *names)), *lines]) + "\n"


@pytest.fixture
def last(curve, write):
    """Save a report of a good model."""
    assert curve("report", write("then.csv", csv(1, 3.0)), *ASK, "-o", "last.json").code == 0
    return "last.json"


@pytest.fixture
def worse(write):
    return write("now.csv", csv(2, 0.5))


def test_every_form_says_what_has_changed(curve, worse, last, tmp_path):
    ask = ("report", worse, *ASK, "--baseline", last)
    assert curve(*ask, "-o", "new.html").code == 0
    page = (tmp_path / "new.html").read_text("utf-8")
    assert "What has changed since the baseline?" in page
    assert "AUC fell by" in page
    assert "then.csv" in page
    found = json.loads(curve(*ask, "--format", "json").out)["baseline"]
    assert found["origin"]["name"] == "then.csv"
    assert found["models"][0]["metrics"]["roc_auc"]["clear"] is True
    assert "| What has changed since the baseline? | p: AUC fell by" in curve(*ask, "--format", "md").out
    shown = curve(*ask, "-o", "new.md").out
    assert "What has changed since the baseline?" in shown
    assert "AUC fell by" in " ".join(shown.split())
    assert curve(*ask, "--lang", "zh", "-o", "zh.html").code == 0
    assert "与基线相比有何变化？" in (tmp_path / "zh.html").read_text("utf-8")


def test_1_where_a_number_is_worse_by_more(curve, worse, last, tmp_path):
    answer = curve("report", worse, *ASK, "--baseline", last, "--fail-if-worse", "auc=0.01,eer=0.02", "-o", "new.json")
    assert answer.code == 1
    first, second = answer.err.splitlines()
    assert first.startswith("Failed: roc_auc of p is 0.")
    assert ", worse than the baseline's 0.9" in first
    assert " by more than 0.01 (difference −0." in first
    assert ", 95% interval −0." in first
    assert second.startswith("Failed: equal_error_rate of p is 0.")
    assert json.loads((tmp_path / "new.json").read_text())["baseline"]["models"]  # written all the same


def test_0_where_nothing_is_worse_by_so_much(curve, worse, last, write):
    ask = ("report", worse, *ASK, "--baseline", last, "--format", "md")
    assert curve(*ask, "--fail-if-worse", "auc=0.9,brier=0.9").code == 0
    same = write("then.csv", csv(1, 3.0))
    answer = curve(
        "report", same, *ASK, "--baseline", last, "--format", "md", "--fail-if-worse", "auc=0,ap=0,log_loss=0"
    )
    assert (answer.code, answer.err) == (0, "")
    assert "made from the same file" in answer.out


def test_a_rolling_baseline_may_be_replaced(curve, worse, last, tmp_path):
    answer = curve("report", worse, *ASK, "--baseline", last, "-o", last, "--force")
    assert answer.code == 0
    assert json.loads((tmp_path / last).read_text())["made"]["source"] == "now.csv"


def test_a_model_that_the_baseline_lacks_is_not_judged_in_silence(curve, write):
    ask = ("--label", "y", "--score", "p", "--score", "q", "--replicates", "20")
    assert (
        curve("report", write("a.csv", csv(1, 3.0, names=("p", "r"))), *ASK, "--score", "r", "-o", "l.json").code == 0
    )
    path = write("b.csv", csv(2, 3.0, names=("p", "q")))
    answer = curve("report", path, *ask, "--baseline", "l.json", "--fail-if-worse", "auc=0.5", "--format", "md")
    assert answer.code == 0
    assert answer.err == "Note: q is not in the baseline, so --fail-if-worse does not judge it.\n"
    other = write("c.csv", csv(2, 3.0, names=("x", "z")))
    answer = curve("report", other, *ASK[:2], "--score", "x", "--score", "z", "--baseline", "l.json")
    assert answer.code == 3
    assert "baseline: its models are p, r, and these are x, z" in answer.err


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ("auc", "'auc' is not of the form auc=0.01."),
        ("auc=x", "'x' is not a number."),
        ("auc=nan", "'nan' is not a number."),
        ("auc=-0.1", "a number may be worse by 0 or more."),
        ("auc=0,auc=1", "'auc' is named twice."),
        ("auc=0,roc_auc=1", "--fail-if-worse: 'roc_auc' is named twice."),
        ("acu=0", "--fail-if-worse: there is no metric 'acu'; did you mean"),
        ("recall=0.1", "--fail-if-worse: the baseline has no 'recall' to compare; it has roc_auc, "),
        ("slope=0.1", "the baseline has no 'calibration_slope' to compare"),
    ],
)
def test_2_for_limits_that_mean_nothing(curve, worse, last, limits, said):
    answer = curve("report", worse, *ASK, "--baseline", last, "--fail-if-worse", limits)
    assert answer.code == 2
    assert said in answer.err


def test_2_without_a_baseline(curve, worse):
    answer = curve("report", worse, *ASK, "--fail-if-worse", "auc=0.01")
    assert answer.code == 2
    assert answer.err.endswith("Error: --fail-if-worse needs something to compare with: add --baseline last.json.\n")


@pytest.mark.parametrize(
    ("content", "code", "said"),
    [
        (None, 5, "bad.json: there is no such file"),
        ("", 3, "bad.json: expected JSON"),
        ("y,p\n1,0.5\n", 3, "bad.json: expected JSON"),
        ('{"schema": "curvewise.evaluation", "version": 1', 3, "bad.json: expected JSON"),
        ("[1, 2]", 3, "expected an evaluation (schema 'curvewise.evaluation')"),
        ('{"schema": "curvewise.command.metrics", "version": 1}', 3, "got schema 'curvewise.command.metrics'."),
        (
            '{"schema": "curvewise.evaluation", "version": 99}',
            3,
            "expected version 1 of curvewise.evaluation, got 99",
        ),
        ('{"schema": "curvewise.evaluation", "version": 1}', 3, "the field 'made' is missing"),
        ('{"schema": "curvewise.evaluation", "version": 1, "made": NaN}', 3, "NaN is not JSON"),
        ("[" * 100_000, 3, "bad.json: expected JSON"),
        ("1" * 5000, 3, "bad.json: expected JSON"),
        (b"\xff\xfe\x00\x00\x01", 3, "bad.json: expected JSON"),
        (b"\x1f\x8b\x08\x00", 3, "bad.json: expected JSON"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_what_is_no_baseline(curve, worse, write, tmp_path, content, code, said):
    if content is not None:
        write("bad.json", content)
    answer = curve("report", worse, *ASK, "--baseline", "bad.json", "-o", "new.html")
    assert answer.code == code
    assert said in answer.err
    assert answer.err.startswith("Error: ")
    assert answer.err.count("\n") == 1
    assert "Traceback" not in answer.err
    assert not (tmp_path / "new.html").exists()


def test_5_for_a_folder(curve, worse, tmp_path):
    answer = curve("report", worse, *ASK, "--baseline", tmp_path)
    assert answer.code == 5
    assert "cannot be read (Is a directory)" in answer.err


def test_a_baseline_too_large_for_one_is_not_read(curve, worse, write, monkeypatch):
    monkeypatch.setattr("curvewise.evaluation.saved.read.LARGEST", 1 << 20)
    answer = curve("report", worse, *ASK, "--baseline", write("big.json", " " * ((1 << 20) + 1)))
    assert answer.code == 3
    assert "too large for a saved evaluation (more than 1 MB)" in answer.err


def changes(metric, then, now):
    """Return what has changed in one metric of one model."""
    both = (Estimate(metric, v, v - 0.02, v + 0.02, 0.95, "wald") for v in (then, now))
    model = ModelThenAndNow("a", "a", {metric: change(*both)}, {}, {}, None, {})
    return ThenAndNow({"a": model}, None, None, 100, 100, 0.95, is_paired=False)


@pytest.mark.parametrize(
    ("metric", "then", "now", "most", "fails"),
    [
        ("roc_auc", 0.86, 0.85, 0.01, False),  # rounding is no failure
        ("roc_auc", 0.86, 0.8499, 0.01, True),
        ("roc_auc", 0.85, 0.99, 0, False),
        ("roc_auc", 0.85, 0.85, 0, False),
        ("roc_auc", 0.85, 0.8499999, 0, True),
        ("brier_loss", 0.10, 0.12, 0.01, True),
        ("brier_loss", 0.12, 0.10, 0, False),
        ("log_loss", 0.3, float("inf"), 0.1, True),
        ("hand_till", 0.9, 0.8, 0.05, True),
    ],
)
def test_which_way_is_worse(metric, then, now, most, fails):
    assert len(list(failures({metric: most}, changes(metric, then, now)))) == fails


def test_a_sentence_tells_both_numbers_apart():
    (said,) = failures({"roc_auc": 0}, changes("roc_auc", 0.85, 0.8499999))
    assert said.startswith("roc_auc of a is 0.8499999, worse than the baseline's 0.85 (difference −1e−07, ")
    (said,) = failures({"roc_auc": 0.01}, changes("roc_auc", 0.861, 0.812))
    assert said == (
        "roc_auc of a is 0.812, worse than the baseline's 0.861 by more than 0.01 "
        "(difference −0.049, 95% interval −0.07728 to −0.02072)."
    )


def test_a_sentence_names_the_model_of_the_baseline_where_it_is_another_one():
    found = changes("roc_auc", 0.861, 0.812)
    renamed = replace(found, models={"a": replace(found.models["a"], then_name="lr")})
    (said,) = failures({"roc_auc": 0.01}, renamed)
    assert said.startswith("roc_auc of a is 0.812, worse than the 0.861 of lr in the baseline by more than 0.01 (")
    (said,) = failures({"log_loss": 0}, changes("log_loss", 0.3, float("inf")))
    assert said.startswith("log_loss of a is ∞, worse than the baseline's 0.3 (")


def test_a_model_of_another_name_is_compared_with_a_word(curve, write, last):
    path = write("renamed.csv", csv(2, 0.5, names=("rf",)))
    ask = ("report", path, "--label", "y", "--score", "rf", "--replicates", "20", "--format", "md")
    answer = curve(*ask, "--baseline", last, "--fail-if-worse", "auc=0")
    assert answer.err.startswith("Note: rf is compared with the baseline’s only model, p.\n")
    assert " of p in the baseline (" in answer.err


def test_what_cannot_be_compared_fails():
    (said,) = failures({"roc_auc": 1}, changes("brier_loss", 0.1, 0.1))
    assert said == "roc_auc of a is not among the numbers of both evaluations, so it cannot be compared."
    (said,) = failures({"roc_auc": 1}, changes("roc_auc", 0.9, float("nan")))
    assert "cannot be compared with the baseline's: undefined now" in said
