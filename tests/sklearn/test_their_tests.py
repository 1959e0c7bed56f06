"""scikit-learn's own tests, which ship with it, run with our functions in place of scikit-learn's.

Each file runs in a process of its own (`in_their_place`). Tests that differ are listed, each with the reason, in
differences.toml. ``python tests/sklearn/test_their_tests.py`` prints how many pass, and how many calls were answered
by scikit-learn because they were not ordinary.
"""

# ruff: noqa: T201 - run as a program, it prints a table

import json
import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import pytest

sklearn = pytest.importorskip("sklearn")
HERE, THEIRS = Path(__file__).parent, Path(sklearn.__file__).parent
RELEASE = tuple(map(int, sklearn.__version__.split(".")[:2]))
FILES = {  # and the names of the tests in them that concern us, where not all do
    "metrics/tests/test_ranking.py": "",
    "metrics/tests/test_classification.py": "",
    "metrics/tests/test_common.py": "",
    "metrics/tests/test_score_objects.py": "",
    "tests/test_public_functions.py": "",
    "tests/test_calibration.py": "calibration_curve or calibration_display",
    "metrics/_plot/tests/test_common_curve_display.py": "",
    "metrics/_plot/tests/test_confusion_matrix_display.py": "",
    "metrics/_plot/tests/test_det_curve_display.py": "",
    "metrics/_plot/tests/test_precision_recall_display.py": "",
    "metrics/_plot/tests/test_roc_curve_display.py": "",
}


def differences(file):
    """Return the tests of a file that are known to differ with the installed release."""

    def applies(found):
        first, stop = (tuple(map(int, found.get(k, d).split("."))) for k, d in (("since", "0.0"), ("before", "99.0")))
        return found["test"].startswith(f"{file}::") and first <= RELEASE < stop

    listed = tomllib.loads((HERE / "differences.toml").read_text("utf-8"))["difference"]
    return {found["test"]: found["reason"] for found in listed if applies(found)}


def run(file, folder, *, tests=(), in_place=True):
    """Run a test file of theirs, or some of its tests, and return what came of each."""
    folder = Path(folder)
    (folder / "pytest.ini").write_text("[pytest]\n")
    paths = [str(THEIRS / name) for name in tests or [file]]
    names = ["-k", FILES[file]] if FILES[file] and not tests else []
    plain = ["-q", "-p", "no:cacheprovider", "--disable-pytest-warnings", "-c", folder / "pytest.ini"]
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(HERE), *filter(None, sys.path[1:])]),
        "CURVEWISE_OUTCOMES": str(folder / "outcomes.json"),
        "CURVEWISE_IN_PLACE": "yes" if in_place else "no",
    }
    for variable in ("PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER", "PYTEST_CURRENT_TEST"):
        environment.pop(variable, None)
    command = [sys.executable, "-m", "pytest", "-p", "in_their_place", f"--rootdir={THEIRS}", *plain, *names, *paths]
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=False)
    assert (folder / "outcomes.json").exists(), done.stdout + done.stderr
    found = json.loads((folder / "outcomes.json").read_text("utf-8"))
    return {**found, "said": done.stdout}


def failed(found):
    return {test for test, outcome in found["outcomes"].items() if outcome == "failed"}


def of_ours(file, found, folder):
    """Return the tests that fail with our functions and pass with scikit-learn's."""
    wrong = failed(found)
    return wrong - failed(run(file, folder, tests=sorted(wrong), in_place=False)) if wrong else wrong


@pytest.mark.parametrize("file", FILES)
def test_their_tests(file, tmp_path):
    if not (THEIRS / file).exists():
        pytest.skip(f"scikit-learn {sklearn.__version__} ships no {file}")
    found = run(file, tmp_path)
    assert "passed" in found["outcomes"].values(), found["said"]
    wrong, listed = of_ours(file, found, tmp_path), set(differences(file))
    assert not wrong - listed, f"not listed in differences.toml: {sorted(wrong - listed)}\n{found['said'][-6000:]}"
    assert not listed - wrong, f"listed in differences.toml, but it passes: {sorted(listed - wrong)}"


def test_every_difference_has_a_reason():
    listed = tomllib.loads((HERE / "differences.toml").read_text("utf-8"))["difference"]
    assert all(found["reason"].strip() and found["test"].partition("::")[0] in FILES for found in listed)


def main():
    """Print the share of each file that passes."""
    print(f"scikit-learn {sklearn.__version__}")
    print("| file | passed | differ | fail anyway | skipped | calls | handed over |\n|---|---|---|---|---|---|---|")
    for file in FILES:
        if not (THEIRS / file).exists():
            continue
        with tempfile.TemporaryDirectory() as folder:
            found = run(file, folder)
            differ = of_ours(file, found, folder)
        outcomes = list(found["outcomes"].values())
        passed, skipped = outcomes.count("passed") + outcomes.count("xfailed"), outcomes.count("skipped")
        calls, handed = (sum(found[k].values()) for k in ("calls", "handed_over"))
        anyway = len(failed(found)) - len(differ)
        print(f"| `{file}` | {passed} | {len(differ)} | {anyway} | {skipped} | {calls} | {handed} |", flush=True)
        for test in sorted(differ ^ set(differences(file))):
            print(f"  {'not listed' if test in differ else 'passes'}: {test}")


if __name__ == "__main__":
    main()
