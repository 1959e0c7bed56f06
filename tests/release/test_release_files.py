"""Files for those who cite, check and release: they parse, and name what exists."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest
import yaml

import curvewise as cw

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))


def test_the_citation_is_of_this_version():
    found = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert {"cff-version", "message", "title", "authors"} <= set(found)
    assert found["cff-version"] == "1.2.0"
    assert found["version"] == cw.__version__
    assert found["license"] == PROJECT["project"]["license"]
    assert [a["name"] for a in found["authors"]] == [a["name"] for a in PROJECT["project"]["authors"]]


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
def test_a_workflow_has_steps_and_reads_no_input_as_a_command(file):
    found = yaml.safe_load(file.read_text())
    assert found[True]  # YAML reads the key "on" so
    assert found["permissions"] == {"contents": "read"}
    for job in found["jobs"].values():
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step)
            assert "${{" not in step.get("run", "")


def test_continuous_integration_runs_the_one_script_and_the_tests_on_the_ends_of_what_is_supported():
    jobs = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())["jobs"]
    assert any(".ci/run" in step.get("run", "") for step in jobs["full"]["steps"])
    assert (ROOT / ".ci/run").exists()
    assert {"make demo", "make test"} <= {step.get("run") for step in jobs["quick"]["steps"]}
    matrix = jobs["quick"]["strategy"]["matrix"]
    assert {os_name.split("-")[0] for os_name in matrix["os"]} == {"ubuntu", "macos", "windows"}
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["project"]["classifiers"]))
    assert matrix["python"] == [named[0], named[-1]]
    assert PROJECT["project"]["requires-python"] == f">={named[0]}"
    assert any("lowest-direct" in step.get("run", "") for step in jobs["lowest-dependencies"]["steps"])


def test_every_dependency_has_a_lowest_version():
    extras = PROJECT["project"]["optional-dependencies"].values()
    listed = [*PROJECT["project"]["dependencies"], *(d for many in extras for d in many)]
    listed += [d for many in PROJECT["dependency-groups"].values() for d in many]
    listed = [d for d in listed if isinstance(d, str)]  # not a group within a group
    assert [d for d in listed if ">=" not in d] == []


def test_a_tag_is_checked_before_it_is_published():
    jobs = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())["jobs"]
    assert "twine check --strict" in str(jobs["build"]["steps"])
    assert jobs["publish"]["needs"] == "build"
    assert jobs["publish"]["permissions"] == {"id-token": "write"}


def test_the_hook_names_a_command_that_takes_a_bar():
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    program, command = hook["entry"].split()
    assert program in PROJECT["project"]["scripts"]
    assert "--fail-under" in help_of(command)


def help_of(command):
    call = [sys.executable, "-m", "curvewise", command, "--help"]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_input_of_the_action_is_a_variable():
    steps = [s for s in ACTION["runs"]["steps"] if "run" in s]
    for step in steps:
        assert "${{" not in step["run"]
    given = {m for s in steps for v in s["env"].values() for m in re.findall(r"inputs\.([\w-]+)", v)}
    assert given == set(ACTION["inputs"])


@pytest.mark.skipif(shutil.which("bash") is None or os.name == "nt", reason="the action's script is for bash")
@pytest.mark.parametrize(("bar", "code"), [("auc=0.9", 0), ("auc=0.9999", 1), ("auc=0.9; touch made", 2)])
def test_the_action_fails_where_the_bar_is_not_reached(bar, code, tmp_path):
    judge = next(s for s in ACTION["runs"]["steps"] if s.get("id") == "judge")
    program = tmp_path / "curvewise"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m curvewise "$@"\n')
    program.chmod(0o755)
    here = {
        **os.environ,
        "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}",
        "INPUT_FILE": str(files("curvewise.data") / "breast_cancer.csv"),
        "INPUT_LABEL": "malignant",
        "INPUT_SCORE": "logistic\n",
        "INPUT_FAIL_UNDER": bar,
        "INPUT_THRESHOLD": "",
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "RUNNER_TEMP": str(tmp_path),
    }
    call = ["bash", "-e", "-c", judge["run"]]
    done = subprocess.run(call, cwd=tmp_path, env=here, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    assert not (tmp_path / "made").exists()
    assert (tmp_path / "curvewise-metrics.json").exists() == (code < 2)


def test_the_licence_of_shipped_data_is_stated():
    said = (ROOT / "src/curvewise/data/README.md").read_text()
    for file in (ROOT / "src/curvewise/data").glob("*.[cj]s*"):
        assert f"| `{file.name}` |" in said.split("## Provenance and licence")[1], file.name
    for words in (
        "UCI Machine Learning Repository",
        "CC BY 4.0",
        "10.24432/C5DW2B",
        "Wolberg",
        "Mangasarian",
        "Street",
    ):
        assert words in said
    for script in re.findall(r"examples/\w+\.py", said):
        assert (ROOT / script).exists()
