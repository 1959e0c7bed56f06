"""``curvewise report``: what is written and said, and that an old report outlives every accident."""

import errno
import json
import os
import subprocess
import sys

import pytest

import curvewise as cw
from curvewise.cli import evaluation as behind
from curvewise.metric.registry import every
from curvewise.pages import render

QUICK = ("--replicates", "20")


@pytest.fixture
def two(write):
    """Forty rows, two scores, two groups, two sites, two rows a patient."""
    rows = [
        f"{k % 2},{(k * 7 % 40) / 40 * 0.6 + 0.3 * (k % 2)},{(k * 13 % 40) / 40},{'fm'[k // 2 % 2]},"
        f"{'ab'[k // 4 % 2]},{k // 2}"
        for k in range(40)
    ]
    return write("two.csv", "\n".join(["y,p,q,sex,site,patient", *rows]) + "\n")


def ask(path, *more):
    return ("report", path, "--label", "y", "--score", "p", *QUICK, *more)


@pytest.fixture
def blank(monkeypatch):
    """Make the page without figures, which take most of the time."""
    monkeypatch.setattr(render, "render_page", lambda evaluation, lang, **said: f"<!doctype html>{lang}")


def test_page_and_summary(curve, two, tmp_path):
    answer = curve(*ask(two, "--score", "q", "--group", "sex", "--site", "site", "-o", "r.html"))
    assert answer.code == 0, answer.err
    page = (tmp_path / "r.html").read_text()
    assert page.startswith("<!DOCTYPE html>")
    assert "curvewise report" in page
    ev = cw.evaluate(two, label="y", scores=["p", "q"], replicates=20)
    auc = ev.models["p"].estimates["roc_auc"]
    lines = answer.out.splitlines()
    assert lines[0] == "40 rows, 20 positive (50%), label y"
    row = next(line for line in lines if line.startswith("AUC "))
    assert f"{auc.value:.3f} ({auc.low:.3f} to {auc.high:.3f})" in row
    assert "TPR against FPR" in answer.out
    assert any("\u2800" < c <= "\u28ff" for c in answer.out)
    for verdict in ev.verdicts:  # with the seed and the resamples of the command, the very same sentences
        assert verdict.asked() in answer.out
    assert lines[-1] == "Report: r.html"


def test_the_default_name_is_kept_from_being_replaced(curve, two, tmp_path, blank):
    assert curve(*ask(two)).out.endswith("Report: report.html\n")
    (tmp_path / "report.html").write_text("old")
    again = curve(*ask(two))
    assert (again.code, again.out) == (5, "")
    assert again.err == "Error: report.html: the file exists; use --force to replace it.\n"
    assert curve(*ask(two, "--force", "--lang", "zh")).code == 0
    assert (tmp_path / "report.html").read_text() == "<!doctype html>zh"


def test_data_and_markdown(curve, two, tmp_path):
    answer = curve(*ask(two, "--format", "json", "--seed", "3", "--cluster", "patient"))
    assert answer.code == 0, answer.err
    data = json.loads(answer.out)
    assert (data["schema"], data["made"]["seed"], data["made"]["source"]) == (
        "curvewise.evaluation",
        3,
        "two.csv",
    )
    assert data["data"]["clusters"] == 20
    assert data["made"]["command"].startswith("curvewise report ")
    assert data["made"]["command"].endswith("--seed 3 --cluster patient")
    assert data == {**cw.evaluate(
        two, label="y", scores="p", cluster="patient", replicates=20, rng=3
    ).to_dict(), "made": data["made"]}  # fmt: skip
    assert curve(*ask(two, "-o", "r.json")).out.endswith("Report: r.json\n")
    assert json.loads((tmp_path / "r.json").read_text())["models"][0]["name"] == "p"
    assert curve(*ask(two, "-o", "r.md")).code == 0
    assert (tmp_path / "r.md").read_text().startswith("# Evaluation of two.csv")
    assert curve(*ask(two, "--format", "md")).out.startswith("# Evaluation of two.csv")


def test_page_on_standard_output(curve, two, blank, tmp_path):
    answer = curve(*ask(two, "-o", "-"))
    assert answer.out == "<!doctype html>en"
    assert not (tmp_path / "report.html").exists()


def test_standard_input(curve, two):
    with open(two, "rb") as stream:  # noqa: PTH123
        answer = curve(*ask("-", "--format", "json"), stdin=stream.read())
    made = json.loads(answer.out)["made"]
    assert (made["source"], made["sha256"]) == ("standard input", None)


def chosen(answer):
    assert answer.code == 0, answer.err
    data = json.loads(answer.out)
    return data["options"]["rule"], data["options"]["costs"], data["models"][0]["point"]


def test_rules_and_costs(curve, two):
    base = ask(two, "--format", "json")
    assert chosen(curve(*base))[:2] == ("youden", None)
    costs = chosen(curve(*base, "--fp", "1", "--fn", "10", "--prevalence", "0.1"))
    assert costs[:2] == ("min_cost", {"fp": 1, "fn": 10})
    assert costs == chosen(curve(*base, "--rule", "min-cost", "--fp", "1", "--fn", "10", "--prevalence", "0.1"))
    rule, none, point = chosen(curve(*base, "--rule", "min-recall", "--at", "0.9"))
    assert (rule, none) == ("min_recall", None)
    assert point["confusion"]["tp"] >= 18


def test_a_rule_that_no_score_keeps_is_said(curve, write, blank):
    path = write("w.csv", "y,p\n0,4\n1,3\n0,2\n1,1\n")
    answer = curve(*ask(path, "--rule", "min-precision", "--at", "0.9"))
    assert answer.code == 0, answer.err
    assert "Which threshold? p: none is recommended" in answer.out
    good = write("g.csv", "y,p\n" + "".join(f"{k % 2},{(k % 2) + (k % 7) / 4}\n" for k in range(80)))
    answer = curve(*ask(good, "--rule", "min-precision", "--at", "1", "-o", "g.html"))
    assert "Which threshold? p: flag scores of" in answer.out


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("--fp", "1"), "--rule min-cost: give --fn"),
        (("--at", "1"), "--at: needs --rule"),
        (("--rule", "youden", "--fp", "1"), "--fp: has no meaning with --rule youden"),
        (("--fp", "-1", "--fn", "-10"), "fp"),
        (("--group", "sex", "--group", "sex"), "--group: a column is named twice"),
        (("--group", "p"), "--group: the column 'p' has another use already"),
        (("--site", "y"), "--site: the column 'y' has another use already"),
        (("--cluster", "p"), "--cluster: the column 'p' has another use already"),
        (("--lang", "zh", "--format", "md"), "--lang: only the page speaks zh; md is English"),
        (("--lang", "fr"), "'fr' is not one of"),
        (("--format", "csv"), "'csv' is not one of"),
        (("--fail-under", "recall=1"), "there is no number 'recall' here; there are roc_auc, average_precision, "),
        (("--level", "1"), "--level"),
    ],
)
def test_2_for_usage(curve, two, more, words):
    answer = curve(*ask(two, *more))
    assert answer.code == 2
    assert words in answer.err


@pytest.mark.parametrize(
    ("content", "more", "code", "words"),
    [
        ("y,q\n1,2\n", (), 3, "no column 'p'"),
        ("y,p\n1,high\n0,1\n", (), 3, "column 'p': 1 cell cannot be read as a number (line 2)"),
        (
            "y,p\n1,\n0,1\n",
            (),
            3,
            "column 'p' has 1 missing value (line 2); fill the gaps, or pass --missing",
        ),
        ("y,p\nyes,2\nno,1\n", (), 3, "for example --positive 'yes'"),
        ("y,p,w\n1,2,-1\n0,1,1\n", ("--weight", "w"), 3, "column 'w': expected weights of 0 or more"),
        ("y,p\n0,1\n0,2\n", (), 4, "0 of 2 rows are positive"),
        ("", (), 5, "empty"),
    ],
)
def test_what_is_wrong_is_said_in_words_of_the_file(curve, write, tmp_path, content, more, code, words):
    answer = curve(*ask(write("bad.csv", content), *more))
    assert answer.code == code
    assert words in answer.err
    assert answer.err.count("\n") == 1
    assert answer.out == ""
    assert not (tmp_path / "report.html").exists()


def test_missing_rows_and_a_named_positive(curve, write):
    path = write("m.csv", "y,p\nyes,0.9\nno,0.2\nyes,\nno,0.4\nyes,0.3\nno,0.1\n")
    answer = curve(*ask(path, "--missing", "drop", "--positive", "yes", "--format", "json"))
    assert answer.code == 0, answer.err
    data = json.loads(answer.out)["data"]
    assert (data["rows"], data["dropped"], data["positives"]) == (5, 1, 2)


def test_many_classes(curve, write, tmp_path):
    rows = [f"{'abc'[k % 3]},{'0.6,0.3,0.1' if k % 2 else '0.2,0.5,0.3'}" for k in range(12)]
    path = write("many.csv", "\n".join(["y,p_a,p_b,p_c", *rows]) + "\n")
    base = ("report", path, "--label", "y", "--score", "p_a", "--score", "p_b", "--score", "p_c", *QUICK)
    answer = curve(*base, "--fail-under", "accuracy=0.99", "-o", "r.json")
    assert answer.code == 1
    assert "'p_', which starts each column name, is not part of the classes" in answer.err
    assert "Failed: accuracy of the model is " in answer.err
    assert "12 rows, 3 classes" in answer.out
    assert "How well does it classify? Accuracy is " in answer.out
    assert json.loads((tmp_path / "r.json").read_text())["options"]["scores"] == ["a", "b", "c"]


def test_fail_under(curve, two, blank, tmp_path):
    answer = curve(*ask(two, "--score", "q", "--fail-under", "auc=0.65,brier=0.3"))
    assert answer.code == 1
    assert (tmp_path / "report.html").exists()
    assert answer.out.endswith("Report: report.html\n")
    assert all(" of q is " in line for line in answer.err.splitlines())
    assert curve(*ask(two, "--fail-under", "auc=0.1", "--force")).code == 0


def test_names_are_text(curve, write, tmp_path):
    names = ("</script><script>alert(1)", "\u202egnp.exe\x1b[31m")
    rows = [f"{k % 2},{(k * 7 % 20) / 20},{k}" for k in range(20)]
    path = write("<h>.csv", "\n".join([",".join(("y", *names)), *rows]) + "\n")
    scores = [part for name in names for part in ("--score", name)]
    answer = curve("report", path, "--label", "y", *scores, *QUICK)
    assert answer.code == 0, answer.err
    assert not any(c in answer.out + answer.err for c in "\x1b\u202e")
    page = (tmp_path / "report.html").read_text()
    assert "<script>alert" not in page
    assert "\x1b" not in page


@pytest.mark.parametrize("command", ["report", "compare", "groups", "metrics", "calibrate"])
def test_a_name_that_looks_like_a_pattern_is_no_bug(curve, write, command):
    path = write("odd.csv", "y,a(b[*\\1,q\n1,,1\n0,1,2\n")
    more = ("--group", "q") if command == "groups" else ()
    answer = curve(command, path, "--label", "y", "--score", "a(b[*\\1", *more)
    assert answer.code == 3, answer.err
    assert r"column 'a(b[*\\1' has 1 missing value (line 2)" in answer.err


class TestOldReport:
    """Whatever happens, the old report is there, whole, and nothing lies beside it."""

    @pytest.fixture
    def old(self, tmp_path, two):
        path = tmp_path / "report.html"
        path.write_text("old")
        yield path
        assert path.read_text() == "old"
        assert sorted(p.name for p in tmp_path.iterdir() if p.name != "link.html") == [
            "report.html",
            "two.csv",
        ]

    def test_interrupted_while_drawing(self, curve, two, old, monkeypatch):
        def stop(*_, **__):
            raise KeyboardInterrupt

        monkeypatch.setattr(render, "render_page", stop)
        answer = curve(*ask(two, "--force"))
        assert (answer.code, answer.out, answer.err) == (130, "", "\nInterrupted.\n")

    @pytest.mark.parametrize("call", ["fsync", "replace"])
    def test_interrupted_while_writing(self, curve, two, old, blank, monkeypatch, call):
        def stop(*_, **__):
            raise KeyboardInterrupt

        monkeypatch.setattr("pathlib.Path.replace" if call == "replace" else "os.fsync", stop)
        assert curve(*ask(two, "--force")).code == 130

    @pytest.mark.parametrize("call", ["fsync", "replace"])
    def test_full_disk(self, curve, two, old, blank, monkeypatch, call):
        def full(*_, **__):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        monkeypatch.setattr("pathlib.Path.replace" if call == "replace" else "os.fsync", full)
        answer = curve(*ask(two, "--force"))
        assert (answer.code, answer.out) == (5, "")
        assert answer.err == "Error: report.html: cannot be written (No space left on device).\n"

    def test_no_memory(self, curve, two, old, monkeypatch):
        def much(*_, **__):
            raise MemoryError

        monkeypatch.setattr(render, "render_page", much)
        assert curve(*ask(two, "--force")).code == 5

    def test_missing_package(self, shell, two, old):
        code = "import sys; sys.modules['jinja2'] = None; from curvewise.cli import main; main()"
        answer = shell(*ask(two, "--force"), code=code)
        assert answer.returncode == 5
        assert "pip install 'curvewise[cli]'" in answer.stderr

    def test_link(self, curve, two, old, tmp_path):
        (tmp_path / "link.html").symlink_to(old)
        answer = curve(*ask(two, "-o", "link.html", "--force"))
        assert answer.code == 5
        assert "link.html: this is a symbolic link" in answer.err

    def test_input(self, curve, two, old, tmp_path):
        before = (tmp_path / "two.csv").read_text()
        assert "the file the data come from" in curve(*ask(two, "-o", "two.csv", "--format", "html", "--force")).err
        assert (tmp_path / "two.csv").read_text() == before


def test_options_from_a_file_are_part_of_the_command(curve, two, write):
    write("curvewise.toml", 'label = "y"\nscore = ["p", "q"]\n[report]\nfail-under = "auc=0.1"\nseed = 7\n')
    answer = curve("report", two, *QUICK, "--format", "json")
    assert json.loads(answer.out)["made"]["command"] == (
        f"curvewise report {two} --replicates 20 --format json "
        "--label y --score p --score q --seed 7 --fail-under auc=0.1"
    )


def test_plain_characters_where_no_others_are_known(shell, two, clean_env):
    env = {**clean_env, "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    answer = shell(*ask(two, "-o", "r.md"), env=env)
    assert answer.returncode == 0, answer.stderr
    assert "+----" in answer.stdout
    assert "Youden's J" in answer.stdout
    assert "??" not in answer.stdout
    assert answer.stdout.isascii()


def test_the_page_itself_is_utf_8_wherever_it_goes(shell, write, clean_env):
    path = write("q.csv", "y,分\n1,0.9\n0,0.1\n1,0.4\n0,0.6\n")
    env = {**clean_env, "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii", "LC_ALL": "C.UTF-8"}
    args = ("report", path, "--label", "y", "--score", "分", *QUICK, "--format", "md")
    answer = shell(*args, env=env)
    assert answer.returncode == 0, answer.stderr
    assert "分" in answer.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_file_whose_name_is_no_text(curve, two, tmp_path):
    answer = curve(*ask(two, "-o", "\udcff\n.html"))
    assert answer.code == 0, answer.err
    assert answer.out.endswith("Report: \\udcff\\n.html\n")
    assert "udcff" in (tmp_path / "\udcff\n.html").read_text()


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_steps_are_said_on_a_terminal_alone_and_are_gone(shell, clean_env, two, tmp_path):
    import pty  # not on Windows

    assert shell(*ask(two, "-o", "q.json")).stderr == ""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "curvewise", *ask(two, "-o", "r.json")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, env=clean_env, cwd=tmp_path) as process:
        os.close(theirs)
        shown = b""
        try:
            while part := os.read(ours, 4096):
                shown += part
        except OSError:  # how Linux says that the other end is closed
            pass
        os.close(ours)
        assert b"\x1b" not in process.stdout.read()
    assert process.returncode == 0
    text = shown.decode()
    for step in ("reading the file", "ranking", "comparing", "groups and sites", "writing"):
        assert f"\r{step} …\x1b[K" in text
    assert text.endswith("\r\x1b[K")


def test_every_number_can_be_a_bar(two):
    ev = cw.evaluate(two, label="y", scores="p", replicates=20)
    found = {e.metric for _, _, e in behind.numbers(ev)}
    assert found == {m.name for m in every() if m.in_tables}


def test_ids_name_the_costliest_mistakes_as_the_file_writes_them(curve, write):
    rows = "1,0.9,007\n1,0.1,1.50\n0,0.8,=1+1\n0,0.2,x\n" * 5
    file = write("named.csv", f"y,p,who\n{rows}")
    asked = ("report", file, "--label", "y", "--score", "p", "--replicates", "20", "--rule", "max-fpr", "--at", "0.5")
    found = json.loads(curve(*asked, "--id", "who", "--format", "json").out)
    assert {m["id"] for m in found["mistakes"][0]["found"]} == {"1.50"}  # not 1.5
    assert found["options"]["id"] == "who"
    assert "mistakes" not in json.loads(curve(*asked, "--format", "json").out)
    same = curve(*asked, "--id", "p")
    assert same.code == 2
    assert "--id: the column 'p' has another use already" in same.err
    absent = curve(*asked, "--id", "nobody")
    assert absent.code == 3
    assert "nobody" in absent.err
    assert "| 1.50 | positive |" in curve(*asked, "--id", "who", "--format", "md").out
