"""`curvewise demo`: a summary, the page, and the data that the documentation's commands read."""

from __future__ import annotations

import hashlib
import re
import shlex
from importlib.resources import files

import pytest

from curvewise.cli import evaluation
from curvewise.cli.commands import demo

SHIPPED = {name: (files("curvewise.data") / name).read_bytes() for name in demo.DATA}


@pytest.fixture
def quick(monkeypatch):
    """Leave out the making of the page, and most of the resamples, where neither is asked about."""
    made = evaluation.evaluated
    asked = []

    def few(*args, replicates, seed, **options):
        asked.append((replicates, seed))
        return made(*args, replicates=20, seed=seed, **options)

    monkeypatch.setattr(evaluation, "evaluated", few)
    monkeypatch.setattr(evaluation, "rendered", lambda found, form, lang, say, **said: f"<!doctype html {lang}>")
    return asked


def test_it_shows_curves_the_page_and_leaves_the_data(curve, tmp_path, quick):
    answer = curve("demo")
    assert answer.code == 0
    assert "TPR against FPR" in answer.out
    assert f"\nReport: {demo.PAGE}\nSimulated data: screening.csv. Try next: curvewise report " in answer.out
    assert (tmp_path / demo.PAGE).read_text() == "<!doctype html en>"
    assert {name: (tmp_path / name).read_bytes() for name in demo.DATA} == SHIPPED
    assert answer.err == ""
    assert quick == [(1000, 0)]  # as every command: page and terminal show the same limits


def test_the_command_it_suggests_runs(curve, quick):
    command = shlex.split(curve("demo").out.split("next: ")[1])
    assert command[0] == "curvewise"
    answer = curve(*command[1:])
    assert answer.code == 0, answer.err
    assert "model_b" in answer.out


def test_an_earlier_page_is_kept_unless_forced(curve, tmp_path, quick):
    (tmp_path / demo.PAGE).write_text("mine")
    answer = curve("demo")
    assert answer.code == 0
    assert "of an earlier run, and was kept; curvewise demo --force makes it again" in answer.err
    assert (tmp_path / demo.PAGE).read_text() == "mine"
    assert "kept" not in curve("demo", "--force", "--lang", "zh").err
    assert (tmp_path / demo.PAGE).read_text() == "<!doctype html zh>"


def test_another_name_for_the_page(curve, tmp_path, quick):
    assert "\nReport: mine.html\n" in curve("demo", "-o", "mine.html").out
    assert not (tmp_path / demo.PAGE).exists()
    again = curve("demo", "-o", "mine.html")
    assert (again.code, again.out) == (5, "")
    assert "mine.html: the file exists; use --force" in again.err


def test_files_of_the_same_name_are_kept_and_not_evaluated(curve, tmp_path, quick):
    (tmp_path / "screening.csv").write_text("my,own\n1,2\n")
    answer = curve("demo")
    assert answer.code == 0
    assert "4,060 rows" in answer.out
    assert (
        "screening.csv here is another file than the one of the demo, and was kept; --force replaces it" in answer.err
    )
    assert "Try: " not in answer.err
    assert (tmp_path / "screening.csv").read_text() == "my,own\n1,2\n"
    assert "another file" not in curve("demo", "--force").err
    assert (tmp_path / "screening.csv").read_bytes() == SHIPPED["screening.csv"]


def test_chinese_around_the_summary(curve, quick):
    assert f"报告：{demo.PAGE}\n" in curve("demo", "--lang", "zh").out


def test_the_page_is_the_report_of_the_shipped_data(curve, tmp_path, monkeypatch):
    made = evaluation.evaluated
    monkeypatch.setattr(evaluation, "evaluated", lambda *args, **options: made(*args, **{**options, "replicates": 20}))
    assert curve("demo").code == 0
    page = (tmp_path / demo.PAGE).read_text()
    assert page.startswith("<!DOCTYPE html>")
    assert all(name in page for name in ("model_a", "model_b", "rating", "screening.csv"))
    assert hashlib.sha256(SHIPPED["screening.csv"]).hexdigest() in page
    assert not re.search(r"/data/screening\.csv", page)  # the copy in the folder, not a path of the package
