"""The examples run as a user runs them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import curvewise as cw

EXAMPLES = Path(__file__).parents[1] / "examples"


def run(name, *arguments, **environment):
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name), *map(str, arguments)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_breast_cancer(tmp_path):
    out = run("breast_cancer.py", tmp_path / "report.html")
    assert "Which model is better?" in out
    page = (tmp_path / "report.html").read_text("utf-8")
    assert page.lower().startswith("<!doctype html>")
    assert "forest" in page


@pytest.mark.slow
def test_digits(tmp_path):
    out = run("digits.py", tmp_path / "digits.html")
    assert "Accuracy is 88.3" in out
    assert "8 is taken for 1 in 10 rows" in out
    assert 'data-key="confusion_matrix"' in (tmp_path / "digits.html").read_text("utf-8")


def test_scorers_and_flat_metrics():
    out = run("scorer.py")
    assert "auc    0.99" in out
    assert "logistic.roc_auc = 0.98" in out
    assert "brier  -0.0" in out


@pytest.mark.slow
def test_detection(tmp_path):
    out = run("detection.py", tmp_path / "detectors.html")
    assert "these images do not separate a and b" in out.lower()
    assert "AP of a is 0.4083; pycocotools, by its order of equal scores, says 0.4096" in out
    page = (tmp_path / "detectors.html").read_text("utf-8")
    assert page.lower().startswith("<!doctype html>")
    assert "traffic light" in page


def test_survival():
    out = run("survival.py")
    assert "risk_a: concordance 0.7292 (0.6974 to 0.7589)" in out
    assert "Concordance differs by 0.1002" in out
    assert "Died of the disease by three years: 34.8%" in out


# what the example calls of MLflow, written to a file: names and values as MLflow checks them
MLFLOW = """
import json, math, os, re
log = lambda *call: print(json.dumps(call, allow_nan=False), file=open(os.environ["MLFLOW_CALLS"], "a"))
def set_experiment(name): log("set_experiment", name)
def start_run(): log("start_run")
def end_run(): log("end_run")
def log_metrics(metrics, step):
    assert all(re.fullmatch(r"[\\w\\-. /]+", name) and math.isfinite(value) for name, value in metrics.items())
    log("log_metrics", metrics, step)
def log_dict(found, path): log("log_dict", found, path)
"""


def test_monitoring_is_logged(tmp_path):
    (tmp_path / "mlflow.py").write_text(MLFLOW)
    calls = tmp_path / "calls.jsonl"
    out = run("monitor_with_mlflow.py", PYTHONPATH=str(tmp_path), MLFLOW_CALLS=str(calls))
    assert "day  9: AUC 0.822; changed: nothing" in out
    assert "day 15: AUC 0.666; changed: roc_auc" in out
    told = [json.loads(line) for line in calls.read_text().splitlines()]
    assert [call[0] for call in told[:2]] == ["set_experiment", "start_run"]
    metrics = [call[1:] for call in told if call[0] == "log_metrics"]
    assert [step for _, step in metrics] == list(range(16))
    assert [found["roc_auc.changed"] for found, _ in metrics] == [0] * 10 + [1] * 6
    window = next(found for name, found, path in (c for c in told if c[0] == "log_dict") if path == "window.json")
    assert cw.StreamWindow.from_dict(window).rows == 7 * 8 * 500
    assert told[-1] == ["end_run"]


def test_monitoring_needs_no_mlflow(tmp_path):
    (tmp_path / "mlflow.py").write_text("raise ImportError('not installed')")
    assert "changed: roc_auc" in run("monitor_with_mlflow.py", PYTHONPATH=str(tmp_path))


@pytest.mark.parametrize(("script", "file"), [("make_survival_data", "trial"), ("make_transactions", "transactions")])
def test_simulated_data_come_out_the_same(script, file, tmp_path):
    shipped = EXAMPLES.parent / "src" / "curvewise" / "data" / f"{file}.csv"
    code = (
        f"import sys, pathlib; sys.path.insert(0, sys.argv[1]); import {script} as made; "
        "made.DATA = pathlib.Path(sys.argv[2]); made.main()"
    )
    subprocess.run([sys.executable, "-c", code, str(EXAMPLES), str(tmp_path)], check=True)
    assert (tmp_path / f"{file}.csv").read_bytes() == shipped.read_bytes()
