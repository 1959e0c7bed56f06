"""``--stratum`` and ``stratum=`` of the report: strata are read from a column, told, and count in every interval."""

import json

import pytest

import curvewise as cw
from curvewise.pages.scores.page import ScorePage
from curvewise.words import words


@pytest.fixture
def survey(write):
    """Sixty rows in three regions that differ in prevalence, two rows per household."""
    rows = [f"{k % 10 < 3 * (k // 20) + 2:d},{(k * 7 % 60) / 90 + k // 20 / 10},{k // 20},{k // 2}" for k in range(60)]
    return write("survey.csv", "\n".join(["y,p,region,home", *rows]) + "\n")


@pytest.mark.parametrize(
    ("command", "more"),
    [
        ("metrics", ("--threshold", "0.4")),
        ("compare", ("--against", "0.5")),
        ("calibrate", ()),
        ("operate", ("--rule", "youden", "--replicates", "50")),
    ],
)
def test_strata_count_in_every_command(curve, survey, command, more):
    base = (command, survey, "--label", "y", "--score", "p", *more, "--format", "json")
    plain, strata = (curve(*base, *extra) for extra in ((), ("--stratum", "region", "--cluster", "home")))
    assert strata.code == 0, strata.err
    assert plain.out != strata.out


def test_facts_name_the_strata(curve, survey):
    answer = curve("metrics", survey, "--label", "y", "--score", "p", "--stratum", "region", "--format", "json")
    assert json.loads(answer.out)["data"]["strata"] == 3
    typed = curve("metrics", survey, "--label", "y", "--score", "p", "--stratum", "p")
    assert typed.code == 2
    assert "--stratum: the column 'p' has another use already" in typed.err


def test_the_configuration_may_name_the_stratum(curve, survey, write):
    write("curvewise.toml", 'label = "y"\nscore = ["p"]\nstratum = "region"\n')
    assert json.loads(curve("metrics", survey, "--format", "json").out)["data"]["strata"] == 3


def test_a_cluster_in_two_strata_names_the_columns(curve, survey):
    answer = curve("metrics", survey, "--label", "y", "--score", "p", "--stratum", "home", "--cluster", "region")
    assert answer.code != 0
    assert "column 'home': expected every cluster within one stratum, got 3 clusters" in answer.err


def test_the_report_says_so(survey):
    found = cw.evaluate(survey, label="y", scores="p", stratum="region", cluster="home", replicates=20)
    assert found.data["strata"] == 3
    rows = found.rows
    assert found.models["p"].estimates["roc_auc"] == cw.interval("roc_auc", rows)
    for lang, said in (("en", "sampled within strata"), ("zh", "在层内抽样")):
        page = ScorePage(found, words(lang))
        assert said in page.w("data.stratified", column="region", count=3)
        assert said in page.w("method.strata")
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["data"]["strata"] == 3
