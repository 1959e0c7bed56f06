"""A score that ranks the wrong way round gets a hint at the option that turns it, whatever was asked."""

import json

import pytest

SCORES = (1, 2, 3, 4, 5, 6, 8, 11, 7, 9, 10, 12, 13, 14, 15, 16)  # the first eight are those of positives
ROWS = "".join(f"{k < 8:d},{p},{'ab'[k % 2]}\n" for k, p in enumerate(SCORES))


@pytest.fixture
def base(write):
    path = write("r.csv", "y,p,g\n" + ROWS)
    return lambda command, *more: (command, path, "--label", "y", "--score", "p", *more)


@pytest.mark.parametrize(
    ("command", "more"),
    [
        ("metrics", ("--no-intervals",)),
        ("metrics", ("--metric", "ap")),
        ("compare", ()),
        ("operate", ("--rule", "youden", "--replicates", "0")),
        ("groups", ("--group", "g", "--replicates", "20")),
    ],
)
def test_every_command_says_it(curve, base, command, more):
    answer = curve(*base(command, *more))
    assert answer.code == 0
    assert "its interval lies below 0.5: scores or labels may be reversed." in answer.out
    assert "Warning: p: AUC is 0.0" in answer.out
    assert "give --higher-is negative" in answer.out
    turned = curve(*base(command, *more, "--higher-is", "negative"))
    assert turned.code == 0
    assert "may be reversed" not in turned.out


def test_turned_once_too_often(curve, write):
    rows = [line.split(",") for line in ROWS.split()]
    path = write("t.csv", "y,p\n" + "".join(f"{1 - int(y)},{p}\n" for y, p, _ in rows))
    ask = ("metrics", path, "--label", "y", "--score", "p", "--metric", "auc")
    assert "may be reversed" not in curve(*ask).out
    assert "leave out --higher-is negative" in curve(*ask, "--higher-is", "negative").out


def test_json_has_the_note_and_csv_says_it_beside(curve, base):
    found = json.loads(curve(*base("metrics", "--metric", "auc", "--format", "json")).out)
    assert [n["values"]["said"]["code"] for n in found["notes"] if isinstance(n, dict)] == ["reversed"]
    answer = curve(*base("metrics", "--metric", "auc", "--format", "csv"))
    assert "may be reversed" in answer.err
    assert "may be reversed" not in answer.out


def test_chance_alone_is_no_reason(curve, write):
    path = write("c.csv", "y,p\n1,1\n0,2\n1,3\n0,4\n1,2.5\n0,2.6\n")
    answer = curve("metrics", path, "--label", "y", "--score", "p", "--metric", "auc")
    assert "may be reversed" not in answer.out
