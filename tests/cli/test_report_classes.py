"""`curvewise report` of many classes: what the terminal says, what is refused, what fails."""

from __future__ import annotations

import json

import numpy as np
import pytest

SCORES = tuple(part for name in "abc" for part in ("--score", f"p_{name}"))
QUICK = ("--replicates", "30")


@pytest.fixture
def ask(curve, write):
    rng = np.random.default_rng(2)
    rows = []
    for k in range(90):
        p = rng.dirichlet(np.ones(3)) + 0.3 * np.eye(3)[k % 3]
        cells = ",".join(f"{v:.4f}" for v in p / p.sum())
        rows.append(f"{'abc'[k % 3]},{cells},{'north' if k % 2 else 'south'}")
    path = write("many.csv", "\n".join(["y,p_a,p_b,p_c,ward", *rows]) + "\n")
    return lambda *more: curve("report", path, "--label", "y", *SCORES, *QUICK, *more)


def test_the_terminal_has_the_answers_and_a_table_of_classes(ask):
    answer = ask("--group", "ward")
    assert answer.code == 0, answer.err
    for question in (
        "How well does it classify?",
        "Which class is found least often?",
        "Which classes does it confuse?",
    ):
        assert question in answer.out
    assert "Is it fair? No significant difference between groups" in answer.out
    assert "Class by class (95" in answer.out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--fp", "1", "--fn", "5"), "--fp, --fn: of many classes the highest score is predicted"),
        (("--rule", "max-f"), "--rule: of many classes"),
        (("--prevalence", "0.2"), "--prevalence: of many classes"),
        (
            ("--site", "ward"),
            "--site: a model of many classes is not pooled over sites or folds; give the column as --group",
        ),
        (("--higher-is", "negative"), "--higher-is: a higher score must mean more of its class"),
    ],
)
def test_options_of_two_classes_exit_with_2(ask, tmp_path, options, said):
    answer = ask(*options)
    assert answer.code == 2
    assert said in answer.err
    assert not (tmp_path / "report.html").exists()


def test_a_bar_that_is_not_reached_exits_with_1(ask):
    assert ask("--fail-under", "auc=0.5,accuracy=0.3", "--force").code == 0
    answer = ask("--fail-under", "auc=0.9999", "--force")
    assert answer.code == 1
    assert "Failed: roc_auc of the model is " in answer.err


def test_json_has_groups(ask):
    found = json.loads(ask("--group", "ward", "--format", "json").out)
    assert [g["group"] for g in found["multiclass"]["groups"]["groups"]] == ["(all)", "north", "south"]
