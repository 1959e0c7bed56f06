"""`curvewise survive`: the numbers of `cw.survival`, in every format, with bars, refusals and exit codes."""

import csv
import io
import json

import numpy as np
import polars as pl
import pytest

import curvewise as cw

BASE = ("--time", "days", "--event", "dead", "--horizon", "300", "--horizon", "600")
BOTH = ("--score", "a", "--score", "b")
TOLD = ("--probability", "a@600=p_a", "--probability", "b@600=p_b")


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(3)
    n = 200
    a = rng.normal(size=n)
    b = a + rng.normal(size=n)
    event, censored = rng.exponential(900 * np.exp(-a)), rng.uniform(100, 1500, n)
    told = {name: np.round(1 - np.exp(-600 / 900 * np.exp(r)), 6) for name, r in (("p_a", a), ("p_b", b / 2))}
    return pl.DataFrame(
        {
            "days": np.ceil(np.minimum(event, censored)),
            "dead": (event <= censored).astype(int),
            "a": a.round(6),
            "b": b.round(6),
            **told,
            "patient": np.arange(n) // 2,
        }
    )


@pytest.fixture
def trial(frame, tmp_path):
    path = tmp_path / "trial.csv"
    frame.write_csv(path)
    return str(path)


@pytest.fixture
def wanted(frame):
    scores = {name: frame[name] for name in "ab"}
    told = {name: {600: frame[f"p_{name}"]} for name in "ab"}
    return cw.survival(frame["days"], frame["dead"], scores, horizons=[300, 600], probability=told)


@pytest.fixture
def ask(curve, trial):
    def run(*more):
        answer = curve("survive", trial, *BASE, *more, "--format", "json")
        assert answer.code == 0, answer.err
        return json.loads(answer.out)

    return run


def test_json_has_what_the_verb_finds(ask, wanted):
    found = ask(*BOTH, *TOLD)
    assert (found["schema"], found["survival"]["schema"]) == ("curvewise.command.survive", "curvewise.survival")
    assert found["survival"]["models"] == json.loads(json.dumps(wanted.to_dict()["models"]))
    assert found["survival"]["follow_up"] == json.loads(json.dumps(wanted.to_dict()["follow_up"]))
    assert found["data"] == {
        "rows": 200,
        "dropped": 0,
        "events": wanted.follow_up.events,
        "censored": wanted.follow_up.censored,
    }


def test_uno_and_comparisons(ask, frame, wanted):
    found = ask(*BOTH, *TOLD)
    uno = cw.concordance(frame["days"], frame["dead"], frame["a"], method="uno", until=600)
    assert found["uno"]["rows"][0] == {
        "model": "a",
        "value": uno.value,
        "low": uno.interval().low,
        "high": uno.interval().high,
    }
    made = found["comparisons"]
    names = ["concordance", "roc_auc@300", "roc_auc@600", "brier_loss@600"]
    assert [name for name in made if name not in ("schema", "version")] == names
    assert made["concordance"]["pairs"][0]["p"] == wanted.compare().p_value
    assert made["roc_auc@300"]["pairs"][0]["difference"] == wanted.compare("roc_auc", 300).difference.value
    assert made["brier_loss@600"]["pairs"][0]["p"] == wanted.compare("brier_loss", 600).p_value


def test_one_score_is_compared_with_nothing(ask):
    found = ask("--score", "a", "--probability", "600=p_a")
    assert "comparisons" not in found
    assert "brier_loss" in [m["metric"] for m in found["survival"]["models"][0]["horizons"][1]["metrics"]]
    assert found["options"]["probability"] == [{"score": "a", "horizon": 600, "column": "p_a"}]


def test_the_table_always_shows_the_check_of_censoring(curve, trial, wanted):
    shown = curve("survive", trial, *BASE, *BOTH)
    assert shown.code == 0
    assert shown.err == ""
    assert "with censoring" in shown.out
    assert wanted.censoring_check["a"].brief() in shown.out
    assert "assume that censoring depends neither on the event nor on the score" in shown.out
    assert "Follow-up: 200 rows" in shown.out
    assert "Uno's concordance until 600" in shown.out


def test_formats_agree(curve, trial, wanted):
    args = ("survive", trial, *BASE, *BOTH, *TOLD)
    text = curve(*args, "--format", "csv").out
    rows = list(csv.DictReader(io.StringIO(text)))
    first = next(r for r in rows if r["table"] == "survival")
    assert float(first["concordance"]) == wanted.concordance["a"].value
    assert float(first["roc_auc"]) == wanted.models["a"].at[300]["roc_auc"].value
    assert {r["number"] for r in rows if r["table"] == "comparisons"} >= {"concordance", "brier_loss@600"}
    page = curve(*args, "--format", "md").out
    assert page.count("### ") >= 4
    assert f"| {wanted.models['a'].concordance.brief()} |" in page


def test_censoring_by_score_and_clusters(ask, frame):
    found = ask(*BOTH, "--censoring", "by-score", "--cluster", "patient")
    scores = {name: frame[name] for name in "ab"}
    options = {"censoring": "by-score", "cluster": frame["patient"]}
    sv = cw.survival(frame["days"], frame["dead"], scores, horizons=[300, 600], **options)
    auc = found["survival"]["models"][1]["horizons"][0]["metrics"][0]
    assert (auc["value"], auc["low"]) == (
        sv.models["b"].at[300]["roc_auc"].value,
        sv.models["b"].at[300]["roc_auc"].low,
    )
    assert found["data"]["clusters"] == 100
    assert [k for k in found["comparisons"] if k not in ("schema", "version")] == ["concordance"]


def test_a_score_that_ranks_the_wrong_way_is_said(curve, frame, write):
    path = write("w.csv", frame.with_columns(a=-pl.col("a")).write_csv())
    wrong = curve("survive", path, *BASE, "--score", "a")
    assert "the score ranks in the wrong direction" in wrong.out
    right = curve("survive", path, *BASE, "--score", "a", "--higher-is", "negative")
    assert "the score ranks in the wrong direction" not in right.out


def test_competing_events(curve, write):
    rng = np.random.default_rng(1)
    cells = zip(rng.integers(1, 90, 120), rng.integers(0, 3, 120), rng.random(120), strict=True)
    path = write("c.csv", "\n".join(["t,e,r", *(f"{t},{e},{r:.4f}" for t, e, r in cells)]) + "\n")
    args = ("survive", path, "--time", "t", "--event", "e", "--horizon", "40", "--score", "r")
    refused = curve(*args)
    assert refused.code == 3
    assert "column 'e': 3 codes (0, 1, 2); competing risks need the one of interest: --cause 1" in refused.err
    fine = curve(*args, "--cause", "1", "--format", "json")
    found = json.loads(fine.out)
    assert found["options"]["cause"] == 1
    assert found["survival"]["models"][0]["concordance"]["value"] is None
    assert found["data"]["competing events"] > 0
    assert "uno" not in found


@pytest.mark.parametrize(
    ("bars", "code", "said"),
    [
        ("concordance=0.5", 0, ""),
        ("c-index=0.5,auc@300=0.5,brier@600=0.5,ipa@600=-1", 0, ""),
        ("concordance=0.99", 1, "concordance of a is"),
        ("concordance.low=0.99", 1, "the lower limit of concordance of a is"),
        ("auc@600=0.99", 1, "roc_auc@600 of a is"),
        ("auc@600.low=0.99", 1, "the lower limit of roc_auc@600 of a is"),
        ("brier@600=0.01", 1, "brier_loss@600 of a is"),
        ("auc=0.7", 2, "say at which horizon, as in auc@300"),
        ("auc@365=0.7", 2, "there is no number 'roc_auc@365' here"),
        ("auc@soon=0.7", 2, "'soon' is not a time"),
        ("brier@300=0.2", 2, "there is no number 'brier_loss@300' here"),
        ("concordance@300=0.7", 2, "concordance is over all times"),
        ("nonsense=1", 2, "nonsense"),
        ("c=0.5,concordance=0.6", 2, "'concordance' is named twice"),
    ],
)
def test_fail_under(curve, trial, bars, code, said):
    answer = curve("survive", trial, *BASE, *BOTH, *TOLD, "--fail-under", bars)
    assert answer.code == code
    assert said in answer.err
    assert bool(answer.out) == (code < 2)


def test_one_horizon_needs_no_name_in_a_bar(curve, trial):
    args = ("survive", trial, "--time", "days", "--event", "dead", "--horizon", "600", "--score", "a")
    assert curve(*args, "--fail-under", "auc=0.6").code == 0
    failed = curve(*args, "--fail-under", "auc=0.99")
    assert (failed.code, "roc_auc@600 of a is" in failed.err) == (1, True)


USAGE = [
    ((*BASE,), "give --score"),
    (("--score", "a", "--horizon", "300"), "give --time and --event"),
    (("--time", "days", "--event", "dead", "--score", "a"), "--horizon"),
    ((*BASE, "--horizon", "300", "--score", "a"), "--horizon: a time is given twice."),
    ((*BASE, *BOTH, "--probability", "600=p_a"), "say of which score, as in a@600=p_a"),
    ((*BASE, "--score", "a", "--probability", "500=p_a"), "500 is none of the --horizon given"),
    ((*BASE, "--score", "a", "--probability", "b@600=p_a"), "there is no --score b"),
    ((*BASE, "--score", "a", "--probability", "p_a"), "is not of the form 1095=COLUMN"),
    ((*BASE, "--score", "a", "--probability", "soon=p_a"), "'soon' is not a number"),
    ((*BASE, "--score", "a", "--probability", "600=p_a", "--probability", "600=p_b"), "already"),
    ((*BASE, "--score", "a", "--probability", "600=days"), "the column 'days' has another use already"),
    ((*BASE, "--score", "a", "--label", "dead"), "--label"),
    ((*BASE, "--score", "a", "--controls", "event-free"), "--controls: is about competing events"),
    ((*BASE, "--score", "days"), "--time: the column 'days' has another use already"),
    (("--time", "days", "--event", "dead", "--horizon", "-1", "--score", "a"), "expected a positive time, got -1"),
]


@pytest.mark.parametrize(("typed", "said"), USAGE)
def test_usage(curve, trial, typed, said):
    answer = curve("survive", trial, *typed)
    assert answer.code == 2
    assert said in answer.err
    assert answer.out == ""


def test_the_suggested_columns(curve, trial):
    answer = curve("survive", trial, "--horizon", "300")
    assert answer.err.splitlines()[-1].strip().endswith("--time days --event dead --score p_a --score p_b")


@pytest.mark.parametrize(
    ("line", "said"),
    {
        "-3,1,0.5,0.5": "column 'days': expected 0 or more, got -3 (line 6)",
        "5,2,0.5,0.5": "column 'dead': 3 codes (0, 1, 2)",
        "5,1,,0.5": "column 'risk' has 1 missing value (line 6)",
        "5,1,0.5,": "column 'p' has 1 missing value (line 6)",
        "5,1,0.5,1.5": "column 'p': ",
    }.items(),
)
def test_bad_data_name_column_and_line(curve, write, line, said):
    path = write("bad.csv", f"days,dead,risk,p\n1,1,0.9,0.9\n2,0,0.1,0.1\n3,1,0.3,0.3\n9,0,0.2,0.2\n{line}\n")
    args = ("--time", "days", "--event", "dead", "--horizon", "4", "--score", "risk", "--probability", "4=p")
    answer = curve("survive", path, *args)
    assert answer.code == 3
    assert said in answer.err


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("1,0,1\n2,0,2\n3,0,3\n", "0 of 3 rows had the event"),
        ("1,1,1\n2,0,2\n", "At 2.5 nobody is known to be without the event: the longest follow-up is 2 (censored)"),
    ],
)
def test_what_is_undefined(curve, write, rows, said):
    path = write("u.csv", f"t,e,r\n{rows}")
    answer = curve("survive", path, "--time", "t", "--event", "e", "--horizon", "2.5", "--score", "r")
    assert answer.code == 4
    assert said in answer.err


def test_an_undefined_area_does_not_hide_what_is_defined(curve, trial):
    args = ("survive", trial, "--time", "days", "--event", "dead", "--horizon", "0.5", "--horizon", "600", *BOTH)
    answer = curve(*args)
    assert answer.code == 0
    assert "undefined" in answer.out
    failed = curve(*args, "--fail-under", "auc@0.5=0.1")
    assert failed.code == 1
    assert "roc_auc@0.5 of a is undefined" in failed.err


def test_a_file_of_numbers_has_the_check_of_censoring_too(curve, trial):
    found = curve("survive", trial, *BASE, *BOTH, "--format", "csv")
    assert found.code == 0
    assert "with_censoring_low" in found.out
