"""`--time`, `--event` and `--horizon` in the place of `--label`: every command judges outcomes by a time."""

import json

import numpy as np
import polars as pl
import pytest

import curvewise as cw

AT = ("--time", "days", "--event", "dead", "--horizon", "500")
COMMANDS = {
    "metrics": (),
    "compare": ("--score", "b"),
    "operate": ("--rule", "youden", "--replicates", "0"),
    "calibrate": (),
    "groups": ("--group", "sex"),
}


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(8)
    n = 240
    risk = rng.normal(size=n)
    event, censored = rng.exponential(900 * np.exp(-risk)), rng.uniform(100, 1500, n)
    return pl.DataFrame(
        {
            "days": np.ceil(np.minimum(event, censored)),
            "dead": (event <= censored).astype(int),
            "p": np.round(1 - np.exp(-500 / 900 * np.exp(risk)), 6),
            "b": np.round(risk + rng.normal(size=n), 6),
            "sex": np.where(rng.random(n) < 0.5, "f", "m"),
            "hospital": [f"h{k % 3}" for k in range(n)],
            "patient": np.arange(n) // 2,
        }
    )


@pytest.fixture
def trial(frame, tmp_path):
    path = tmp_path / "trial.csv"
    frame.write_csv(path)
    return str(path)


@pytest.fixture
def at(frame):
    """Make the horizon of some scores in Python."""

    def make(*scores, **options):
        named = {name: frame[name] for name in scores}
        return cw.horizon(frame["days"], frame["dead"], named, at=500, **options)

    return make


@pytest.fixture
def ask(curve, trial):
    """Run a command on the file; return what it answers as JSON."""

    def run(command, *more):
        answer = curve(command, trial, *AT, "--score", "p", *COMMANDS.get(command, ()), *more, "--format", "json")
        assert answer.code == 0, answer.err
        return json.loads(answer.out)

    return run


def test_metrics_are_those_of_the_horizon(ask, at):
    found, h = ask("metrics"), at("p")
    values = {m["metric"]: m["value"] for m in found["scores"][0]["metrics"]}
    assert values["roc_auc"] == cw.roc_auc(h)
    assert values["brier_loss"] == cw.brier_loss(h)
    wanted = cw.interval("roc_auc", h)
    auc = next(m for m in found["scores"][0]["metrics"] if m["metric"] == "roc_auc")
    assert (auc["low"], auc["high"]) == (wanted.low, wanted.high)


def test_counts_are_rows_and_say_what_is_unknown(ask, at, curve, trial):
    data, h = ask("metrics")["data"], at("p")
    assert (data["rows"], data["cases"], data["controls"], data["unknown"]) == (240, h.cases, h.controls, h.unknown)
    assert data["cases"] + data["controls"] + data["unknown"] == 240
    assert data["prevalence"] == h.observed.value
    assert (data["censoring_left"], data["largest_weight"]) == (h.censoring_left, h.largest_weight)
    shown = curve("metrics", trial, *AT, "--score", "p").out
    assert (
        f"unknown (censored before)  {h.unknown}".split()
        == next(line for line in shown.splitlines() if line.startswith("unknown")).split()
    )
    assert "time days, event dead, by 500" in shown


def test_json_says_how_rows_were_read(ask):
    options = ask("metrics")["options"]
    asked = {k: options[k] for k in ("time", "event", "horizon", "cause", "censoring", "controls")}
    assert asked == {
        "time": "days",
        "event": "dead",
        "horizon": 500,
        "cause": None,
        "censoring": None,
        "controls": "all",
    }
    assert "label" not in options
    assert "positive" not in options


def test_compare(ask, at):
    found = ask("compare")["comparison"]
    wanted = cw.compare(at("p", "b"))
    assert found["pairs"][0]["p"] == wanted.p_value


def test_sums_of_weights_are_not_called_counts(curve, trial):
    shown = curve("operate", trial, *AT, "--score", "p", *COMMANDS["operate"])
    assert "weighted counts on these rows" in shown.out


def test_operate(ask, at):
    point = ask("operate")["scores"][0]["point"]
    assert point["threshold"] == cw.operating_point(at("p"), cw.rules.youden(), replicates=0).threshold


def test_calibrate(ask, at):
    found = ask("calibrate")["scores"][0]["calibration"]
    assert found["observed_expected"]["value"] == cw.calibration(at("p")).observed_expected.value


def test_groups_know_their_unknown_rows(ask, at, frame):
    found = ask("groups", "--site", "hospital", "--group", "hospital")["scores"][0]
    wanted = cw.by_group(at("p"), {"sex": frame["sex"], "hospital": frame["hospital"]})
    of_sex = [g for g in found["groups"]["groups"] if g["column"] == "sex"]
    for mine, theirs in zip(of_sex, wanted.groups("sex"), strict=True):
        assert mine["unknown"] == theirs.sweep.horizon.unknown
        assert mine["n"] == int((frame["sex"] == theirs.name).sum())
    assert [s["site"] for s in found["sites"]["sites"]] == ["h0", "h1", "h2"]
    alone = cw.by_site(at("p"), frame["hospital"])
    assert [s["roc_auc"]["value"] for s in found["sites"]["sites"]] == [s.auc.value for s in alone.sites]


def test_groups_of_rows_that_were_dropped(curve, frame, write, at):
    days = frame["days"].cast(pl.String).to_list()
    days[3] = ""
    path = write("gap.csv", frame.with_columns(days=pl.Series(days)).write_csv())
    args = ("groups", path, *AT, "--score", "p", "--group", "sex", "--missing", "drop", "--format", "json")
    found = json.loads(curve(*args).out)
    assert found["data"]["dropped"] == 1
    sizes = {g["group"]: g["n"] for g in found["scores"][0]["groups"]["groups"] if g["column"]}
    left = frame["sex"].gather([k for k in range(240) if k != 3])
    assert sizes == {name: int((left == name).sum()) for name in ("f", "m")}


@pytest.mark.parametrize("figure", ["roc", "pr", "reliability", "decision", "distribution"])
def test_plot(curve, trial, tmp_path, figure):
    out = tmp_path / "x.svg"
    answer = curve("plot", trial, *AT, "--score", "p", "--figure", figure, "-o", out)
    assert answer.code == 0, answer.err
    assert out.read_text().startswith("<?xml")


def test_censoring_by_score(ask, at):
    found = ask("metrics", "--censoring", "by-score", "--metric", "auc")
    auc = found["scores"][0]["metrics"][0]["value"]
    assert auc == cw.roc_auc(at("p", censoring="by-score"))
    assert auc != cw.roc_auc(at("p"))


def test_competing_events(curve, write):
    rng = np.random.default_rng(1)
    drawn = zip(rng.integers(1, 90, 99), rng.integers(0, 3, 99), rng.random(99), strict=True)
    rows = [f"{t},{e},{r:.4f}" for t, e, r in drawn]
    path = write("c.csv", "\n".join(["t,e,r", *rows]) + "\n")
    args = ("metrics", path, "--time", "t", "--event", "e", "--horizon", "40", "--score", "r", "--metric", "auc")
    refused = curve(*args)
    assert refused.code == 3
    assert "column 'e': 3 codes (0, 1, 2); competing risks need the one of interest: --cause 1" in refused.err
    cells = np.array([[float(x) for x in row.split(",")] for row in rows])
    for controls in ("all", "event-free"):
        found = json.loads(curve(*args, "--cause", "2", "--controls", controls, "--format", "json").out)
        h = cw.horizon(*cells.T, at=40, cause=2, controls=controls)
        assert found["scores"][0]["metrics"][0]["value"] == cw.roc_auc(h)
        assert found["data"]["competing"] == h.competing
    assert curve(*args, "--cause", "7").code == 3


@pytest.mark.parametrize("command", ["metrics", "operate", "calibrate", "groups", "compare"])
def test_rows_of_one_patient_stay_together(ask, command):
    def widths(found):
        if isinstance(found, dict):
            low, high = found.get("low"), found.get("high")
            if isinstance(low, float) and isinstance(high, float):
                yield high - low
            for value in found.values():
                yield from widths(value)
        elif isinstance(found, list):
            for value in found:
                yield from widths(value)

    more = ("--rule", "youden", "--replicates", "50") if command == "operate" else ()
    plain, clustered = ask(command, *more), ask(command, *more, "--cluster", "patient")
    assert clustered["data"]["clusters"] == 120
    assert list(widths(plain)) != list(widths(clustered))


USAGE = [
    (("--time", "days", "--event", "dead", "--horizon", "5", "--label", "dead"), "--label: has no meaning with --time"),
    (("--time", "days"), "--time: give --event and --horizon, too."),
    (("--time", "days", "--event", "dead"), "--time: give --horizon, too."),
    (("--label", "dead", "--event", "dead"), "--event: needs --time."),
    (("--label", "dead", "--horizon", "5"), "--horizon: needs --time."),
    (("--label", "dead", "--censoring", "by-score"), "--censoring: needs --time."),
    (("--label", "dead", "--controls", "event-free"), "--controls: needs --time."),
    ((*AT, "--positive", "1"), "--positive: has no meaning with --time"),
    ((*AT, "--controls", "event-free"), "--controls: is about competing events"),
    ((*AT, "--score", "b", "--censoring", "by-score"), "--censoring by-score: takes one --score"),
    ((*AT, "--weight", "patient", "--weight-kind", "count"), "--weight-kind: has no meaning with --time"),
    ((*AT, "--score", "days"), "--time: the column 'days' has another use already."),
    ((*AT, "--score", "dead"), "--event: the column 'dead' has another use already."),
    (("--time", "dead", "--event", "dead", "--horizon", "5"), "--time: the column 'dead' has another use already."),
    ((*AT, "--cluster", "days"), "--cluster: the column 'days' has another use already."),
    (("--time", "days", "--event", "dead", "--horizon", "0"), "'--horizon'"),
    (("--time", "days", "--event", "dead", "--horizon", "nan"), "'--horizon'"),
    (("--time", "days", "--event", "dead", "--horizon", "inf"), "'--horizon'"),
    ((*AT, "--multiclass"), "--multiclass: has no meaning with --time."),
    ((), "give --label"),
]


@pytest.mark.parametrize(("typed", "said"), USAGE)
def test_usage(curve, trial, typed, said):
    answer = curve("metrics", trial, "--score", "p", *typed)
    assert answer.code == 2
    assert said in answer.err


def test_the_report_still_needs_a_label(curve, trial):
    answer = curve("report", trial, "--score", "p")
    assert answer.code == 2
    assert "give --label" in answer.err


BAD = {
    "-3,1,0.5": "column 'days': expected 0 or more, got -3 (line 6); time runs from when the prediction was made.",
    ",1,0.5": "column 'days' has 1 missing value (line 6)",
    "soon,1,0.5": "column 'days': ",
    "5,,0.5": "column 'dead' has 1 missing value (line 6)",
    "5,0.37,0.5": "column 'dead': expected 0/1 or True/False, or codes with --cause, got 0.37 (line 6).",
    "5,1,high": "column 'p': ",
    "5,1,": "column 'p' has 1 missing value (line 6)",
}


@pytest.mark.parametrize(("line", "said"), BAD.items())
def test_bad_data_name_column_and_line(curve, write, line, said):
    path = write("bad.csv", f"days,dead,p\n1,1,0.9\n2,0,0.1\n3,1,0.3\n9,0,0.2\n{line}\n")
    answer = curve("metrics", path, "--time", "days", "--event", "dead", "--horizon", "4", "--score", "p")
    assert answer.code == 3
    assert said in answer.err


@pytest.mark.parametrize(
    ("when", "said"),
    [
        ("5000", "At 5000 nobody is known to be without the event: the longest follow-up is"),
        ("0.5", "needs rows with the event: the first is at"),
    ],
)
def test_what_is_undefined(curve, trial, when, said):
    answer = curve("metrics", trial, "--time", "days", "--event", "dead", "--horizon", when, "--score", "p")
    assert answer.code == 4
    assert said in answer.err
    assert answer.err.startswith(("Error: At", "Error: A table"))


def test_what_is_typed_wins_over_a_label_from_a_file(curve, trial, write):
    write("curvewise.toml", 'label = "dead"\n')
    assert curve("metrics", trial, *AT, "--score", "p", "--metric", "auc").code == 0
    assert curve("metrics", trial, "--score", "p", "--metric", "auc").code == 0


def test_notes_of_a_horizon_are_shown(curve, trial):
    early = ("--time", "days", "--event", "dead", "--horizon", "15", "--score", "p")
    shown = curve("metrics", trial, *early)
    assert "only " in shown.out
    notes = json.loads(curve("metrics", trial, *early, "--format", "json").out)["notes"]
    assert "horizon_few_cases" in [n["code"] for n in notes]
