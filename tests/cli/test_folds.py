"""Folds from a file: groups --fold, compare --fold, report --fold, with repeats."""

import json

import numpy as np
import polars as pl
import pytest

import curvewise as cw


@pytest.fixture
def table(write):
    rng = np.random.default_rng(4)
    n = 240
    y = np.arange(n) % 3 == 0
    frame = pl.DataFrame(
        {
            "y": y.astype(int),
            "p": np.round(y + rng.normal(size=n), 6),
            "q": np.round(0.5 * y + rng.normal(size=n), 6),
            "part": [f"f{k}" for k in np.arange(n) // 3 % 4],
            "run": np.repeat([1, 2], n // 2),
            "g": np.where(np.arange(n) % 2, "a", "b"),
        }
    )
    path = write("cv.csv", frame.write_csv())
    return path, frame


def ask(command, path, *more):
    return (command, path, "--label", "y", "--score", "p", *more)


def test_groups_by_fold(curve, table):
    path, frame = table
    wanted = cw.by_fold(frame["y"], frame["p"], frame["part"])
    found = json.loads(curve(*ask("groups", path, "--fold", "part", "--format", "json")).out)["scores"][0]["folds"]
    assert found["models"][0]["mean"]["value"] == wanted.mean.value
    assert [f["name"] for f in found["folds"]] == ["f0", "f1", "f2", "f3"]
    text = curve(*ask("groups", path, "--fold", "part")).out
    assert str(wanted.summary).split("\n\n")[1].splitlines()[0] in text
    assert "Divided by √k it is not a standard error" in text


def test_every_metric_asked_for(curve, table):
    path, frame = table
    options = ("--fold", "part", "--metric", "recall", "--metric", "auc", "--threshold", "0.5", "--format", "csv")
    out = curve(*ask("groups", path, *options)).out
    rows = pl.read_csv(out.encode(), infer_schema_length=None)
    assert set(rows["table"]) == {"folds of recall", "folds of roc_auc"}
    wanted = cw.by_fold(frame["y"], frame["p"], frame["part"], metric="recall", threshold=0.5)
    mean = rows.filter((pl.col("table") == "folds of recall") & pl.col("mean").is_not_null())["mean"].item()
    assert float(mean) == pytest.approx(wanted.mean.value)


def test_groups_and_folds_together(curve, table):
    path, _ = table
    found = json.loads(curve(*ask("groups", path, "--fold", "part", "--group", "g", "--format", "json")).out)["scores"][
        0
    ]
    assert {"groups", "folds"} <= set(found)


def test_compare_over_folds_and_repeats(curve, table):
    path, frame = table
    base = ask("compare", path, "--score", "q", "--fold", "part", "--format", "json")
    scores = {"p": frame["p"], "q": frame["q"]}
    wanted = cw.by_fold(frame["y"], scores, frame["part"]).compare()
    found = json.loads(curve(*base).out)
    assert found["comparison"]["method"] == "corrected-t"
    assert found["comparison"]["pairs"][0]["p"] == wanted.p_value
    assert found["folds"]["repeats"] == 1
    repeated = cw.by_fold(frame["y"], scores, frame["part"], repeat=frame["run"]).compare()
    found = json.loads(curve(*base, "--repeat", "run").out)
    assert found["comparison"]["pairs"][0]["p"] == repeated.p_value
    assert curve(*base, "--margin", "0.5").code == 0
    worse = ("compare", path, "--label", "y", "--score", "q", "--score", "p", "--fold", "part", "--margin", "0")
    assert curve(*worse).code == 1


def test_rows_that_are_dropped_lose_their_repeat_too(curve, table, write):
    _, frame = table
    gone = frame.with_columns(pl.when(pl.int_range(pl.len()) < 2).then(None).otherwise(pl.col("p")).alias("p"))
    path = write("gone.csv", gone.write_csv())
    options = ("--fold", "part", "--repeat", "run", "--missing", "drop", "--format", "json")
    found = json.loads(curve(*ask("groups", path, *options)).out)["scores"][0]["folds"]
    kept = frame[2:]
    wanted = cw.by_fold(kept["y"], kept["p"], kept["part"], repeat=kept["run"])
    assert found["models"][0]["mean"]["value"] == wanted.mean.value


def test_report_has_a_section(curve, table, tmp_path):
    path, _ = table
    answer = curve(*ask("report", path, "--score", "q", "--fold", "part", "-o", "r.html"))
    assert answer.code == 0, answer.err
    page = (tmp_path / "r.html").read_text("utf-8")
    assert 'id="folds"' in page
    assert "How much does it vary over folds?" in answer.out
    assert 'data-key="folds:0"' in page
    assert 'data-key="folds:1"' in page


@pytest.mark.parametrize(
    ("command", "more", "code", "words"),
    [
        ("groups", ("--repeat", "run", "--group", "g"), 2, "--repeat: needs --fold"),
        ("groups", ("--fold", "y"), 2, "--fold: the column 'y' has another use already"),
        ("groups", ("--fold", "nobody"), 3, "there is no column 'nobody'"),
        ("groups", ("--fold", "part", "--reference", "a"), 2, "--reference: needs --group"),
        ("compare", ("--fold", "part"), 2, "--fold: compares two --score or more"),
        (
            "compare",
            ("--score", "q", "--fold", "part", "--method", "delong"),
            2,
            "--method: has no meaning with --fold",
        ),
        ("compare", ("--score", "q", "--fold", "part", "--against", "0.5"), 2, "--against: has no meaning with --fold"),
        (
            "compare",
            ("--score", "q", "--fold", "part", "--fp", "1", "--fn", "2"),
            2,
            "--fp: has no meaning with --fold",
        ),
        (
            "compare",
            ("--score", "q", "--fold", "part", "--metric", "f1", "--threshold", "0", "--threshold", "1"),
            2,
            "--threshold: with --fold, one for all scores",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_refused(curve, table, command, more, code, words):
    path, _ = table
    answer = curve(*ask(command, path, *more))
    assert (answer.code, answer.out) == (code, "")
    assert words in answer.err


def test_leave_one_out_and_missing_folds(curve, write):
    rows = "\n".join(f"{k % 2},{k},{k},{'' if k == 3 else k % 3}" for k in range(12))
    path = write("loo.csv", f"y,p,row,fold\n{rows}\n")
    answer = curve(*ask("groups", path, "--fold", "row"))
    assert answer.code == 4
    assert "every fold has one row (leave-one-out)" in answer.err
    answer = curve(*ask("groups", path, "--fold", "fold"))
    assert answer.code == 3
    assert "fold' has 1 missing value (line 5)" in answer.err


def test_censored_outcomes_in_folds(curve, write):
    rng = np.random.default_rng(1)
    n = 200
    rows = zip(rng.exponential(2, n), rng.random(n) < 0.7, rng.normal(size=n), np.arange(n) % 4, strict=True)
    text = "\n".join(f"{t:.4f},{e:d},{s:.4f},{f}" for t, e, s, f in rows)
    path = write("t.csv", f"t,e,p,fold\n{text}\n")
    base = (path, "--time", "t", "--event", "e", "--horizon", "1.5", "--score", "p", "--fold", "fold")
    found = json.loads(curve("groups", *base, "--format", "json").out)["scores"][0]["folds"]
    assert len(found["folds"]) == 4
    assert curve("report", *base, "-o", "r.html").code == 0
