"""``curvewise report --time --event --horizon``: censored outcomes in the place of labels."""

import json

import polars as pl
import pytest

from pages import survival_sample as sample

AT = ("--time", "days", "--event", "dead", "--horizon", "365")


@pytest.fixture
def trial(tmp_path):
    path = tmp_path / "trial.csv"
    pl.DataFrame(sample.trial()).write_csv(path)
    return str(path)


def test_the_page_and_the_summary(curve, trial, tmp_path):
    out = tmp_path / "report.html"
    more = ("--horizon", "1095", "--score", "risk_a", "--probability", "365=p365", "--group", "sex", "--id", "code")
    answer = curve("report", trial, *AT, *more, "--replicates", "30", "-o", str(out))
    assert answer.code == 0
    assert "How well does it rank over time?" in answer.out
    assert 'id="over_time"' in out.read_text("utf-8")


def test_json_has_what_python_has(curve, trial):
    more = ("--score", "risk_a", "--score", "risk_b", "--probability", "risk_a@365=p365", "--replicates", "30")
    answer = curve("report", trial, *AT, *more, "--format", "json")
    assert answer.code == 0
    found = json.loads(answer.out)
    same = sample.evaluated(horizons=[365], probability={"risk_a": {365: "p365"}}, replicates=30)
    assert found["data"] == json.loads(json.dumps(same.to_dict()["data"]))
    told = {m["name"]: m["concordance"]["value"] for m in found["survival"]["models"]}
    assert told == {name: c.value for name, c in same.survival.concordance.items()}


def test_competing_codes_are_not_classes(curve, tmp_path):
    frame = pl.DataFrame(sample.trial()).with_columns(dead=pl.col("dead") * (1 + pl.col("code") % 2))
    path = tmp_path / "codes.csv"
    frame.write_csv(path)
    scores = ("--score", "risk_a", "--score", "risk_b", "--score", "p365")
    answer = curve("report", str(path), *AT, *scores, "--cause", "1", "--replicates", "20", "--format", "md")
    assert answer.code == 0
    assert "competing risks" in answer.out
    assert curve("report", str(path), *AT, *scores).code == 3  # which code is the event?


@pytest.mark.parametrize(
    ("bars", "code"),
    [
        ("concordance=0.6", 0),
        ("concordance=0.99", 1),
        ("auc@1095=0.99", 1),
        ("auc=0.6,auc@1095=0.6", 0),
        ("auc@7=0.5", 2),
    ],
)
def test_fail_under(curve, trial, bars, code):
    more = ("--horizon", "1095", "--score", "risk_a", "--replicates", "20", "--fail-under", bars, "--format", "md")
    assert curve("report", trial, *AT, *more).code == code


@pytest.mark.parametrize(
    ("more", "said", "code"),
    [
        (("--label", "dead"), "--label: has no meaning with --time", 2),
        (("--baseline", "last.json"), "--baseline: censored outcomes", 2),
        (("--round-to", "2"), "--round-to: has no meaning with --time", 2),
        (("--positive", "1"), "--positive: has no meaning with --time", 2),
        (("--horizon", "365"), "--horizon: a time is given twice", 2),
        (("--horizon", "99999"), "nobody is known to be without the event", 4),
        (("--probability", "365=risk_a"), "column 'risk_a': expected probabilities", 3),
        (("--probability", "7=p365"), "7 is none of the --horizon given", 2),
    ],
)
def test_refusals(curve, trial, more, said, code):
    answer = curve("report", trial, *AT, "--score", "risk_a", *more)
    assert said in answer.err
    assert answer.code == code
    assert "Traceback" not in answer.err


def test_a_horizon_needs_times(curve, trial):
    answer = curve("report", trial, "--label", "dead", "--score", "risk_a", "--horizon", "365")
    assert answer.code == 2
    assert "--horizon: needs --time" in answer.err
