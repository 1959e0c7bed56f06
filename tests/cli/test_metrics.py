"""`curvewise metrics`: right numbers, in every format, safely written."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import stat
from importlib.resources import files

import polars as pl
import pytest

import curvewise as cw
from curvewise.metric.registry import every

# By hand for the seventeen rows of conftest.
# AUC: 55 of the 72 pairs are in order (no positive ties with a negative).
AUC = 55 / 72
# FPR 1/9 is beyond 0.1, so the curve is flat at TPR 2/8 there: area 1/40, least 1/200, most 1/10.
PARTIAL = (1 / 40) / (1 / 10)
AP = (1 + 1 + 2 * 4 / 5 + 5 / 8 + 6 / 9 + 7 / 11 + 8 / 13) / 8
# a block of positives alone from a to b true positives adds (b - a) - fp ln((b + fp) / (a + fp))
PR = 1 - (math.log(5 / 3) + 3 * math.log(9 / 7) + 4 * math.log(11 / 10) + 5 * math.log(13 / 12)) / 8
# the hull runs straight from (1/9, 4/8) to (5/9, 8/8), where FPR = FNR at 5/17
EER = 5 / 17


def from_json(answer):
    assert answer.code == 0, answer.err
    return json.loads(answer.out, parse_constant=lambda c: pytest.fail(f"{c} is not JSON"))


def metrics_of(score):
    return {m["metric"]: m["value"] for m in score["metrics"]}


@pytest.fixture
def numbers(curve):
    """Run with --format json; return the metrics of the first score."""

    def run(*args, **options):
        return metrics_of(from_json(curve("metrics", *args, "--format", "json", **options))["scores"][0])

    return run


def test_numbers_worked_out_by_hand(curve, tiny):
    found = from_json(curve("metrics", tiny, "--label", "y", "--score", "p", "--format", "json"))
    assert (found["schema"], found["version"]) == ("curvewise.command.metrics", 1)
    assert found["data"] == {"rows": 17, "dropped": 0, "positives": 8, "negatives": 9, "prevalence": 8 / 17}
    assert found["scores"][0]["distinct_scores"] == 15
    values = metrics_of(found["scores"][0])
    # every metric that the registry marks for tables is there: p lies in [0, 1]
    shown = [m.name for m in every() if m.in_tables]
    assert list(values) == shown
    assert {k: values[k] for k in shown[:5]} == {
        "roc_auc": AUC,
        "partial_roc_auc": pytest.approx(PARTIAL, rel=1e-12),
        "average_precision": pytest.approx(AP, rel=1e-12),
        "pr_auc": pytest.approx(PR, rel=1e-12),
        "equal_error_rate": pytest.approx(EER, rel=1e-12),
    }


def test_table_is_plain_and_unwrapped_away_from_a_terminal(curve, tiny):
    answer = curve("metrics", tiny, "--label", "y", "--score", "p")
    assert answer.code == 0
    assert "\x1b" not in answer.out
    row = next(line for line in answer.out.splitlines() if line.startswith("roc_auc"))
    assert row.split()[:2] == ["roc_auc", "0.7639"]
    assert row.endswith("0.5 is chance, 1 perfect")
    assert answer.err == ""


def test_threshold_gives_the_confusion_table(curve, tiny):
    found = from_json(curve("metrics", tiny, "--label", "y", "--score", "p", "--threshold", "0.6", "--format", "json"))
    cut = found["scores"][0]["thresholds"][0]
    assert cut["counts"] == {"tp": 7, "fp": 4, "fn": 1, "tn": 5}
    rows = {m["metric"]: m for m in cut["metrics"]}
    assert rows["precision"]["value"] == 7 / 11
    # Wilson's interval of 7 in 8 at 95%: centre (p + z²/2n) / (1 + z²/n)
    z2 = 1.959963984540054**2
    centre, half = (7 / 8 + z2 / 16) / (1 + z2 / 8), math.sqrt(z2 * (7 / 64 / 8 + z2 / 256)) / (1 + z2 / 8)
    assert rows["recall"]["low"] == pytest.approx(centre - half, rel=1e-12)
    assert rows["recall"]["high"] == pytest.approx(centre + half, rel=1e-12)
    assert "88 of 100 positives are found" in rows["recall"]["meaning"]


def test_level_changes_the_interval(curve, tiny):
    base = ("metrics", tiny, "--label", "y", "--score", "p", "--threshold", "0.6", "--format", "json")
    widths = []
    for level in ("0.5", "0.99"):
        cut = from_json(curve(*base, "--level", level))["scores"][0]["thresholds"][0]
        recall = next(m for m in cut["metrics"] if m["metric"] == "recall")
        widths.append(recall["high"] - recall["low"])
    assert widths[0] < widths[1]


def test_several_thresholds_and_scores_side_by_side(curve, write):
    path = write("two.csv", "y,a,b\n1,4,1\n1,3,2\n0,2,3\n0,1,4\n")
    base = ("metrics", path, "--label", "y", "--score", "a", "--score", "b")
    found = from_json(curve(*base, "--threshold", "2", "--threshold", "3", "--format", "json"))
    assert [metrics_of(s)["roc_auc"] for s in found["scores"]] == [1, 0]
    assert [t["counts"]["tp"] for s in found["scores"] for t in s["thresholds"]] == [2, 2, 1, 0]
    table = curve(*base, "--no-intervals").out
    assert ["metric", "a", "b", "meaning"] in [line.split() for line in table.splitlines()]
    assert ["roc_auc", "1", "0"] in [line.split()[:3] for line in table.splitlines()]


def test_prevalence_moves_what_depends_on_it_and_says_so(curve, tiny):
    base = ("metrics", tiny, "--label", "y", "--score", "p", "--threshold", "0.6", "--prevalence", "0.1")
    found = from_json(curve(*base, "--format", "json"))
    cut = {m["metric"]: m for m in found["scores"][0]["thresholds"][0]["metrics"]}
    # 0.1 · 7/8 of all rows are hits, 0.9 · 4/9 false alarms
    assert cut["precision"]["value"] == pytest.approx(7 / 39, rel=1e-12)
    assert cut["precision"]["low"] is None
    assert cut["recall"]["low"] is not None
    ranking = metrics_of(found["scores"][0])
    assert ranking["roc_auc"] == AUC
    # the negatives now weigh (0.9/9) / (0.1/8) = 8 times a positive
    moved = (1 + 1 + 2 * 4 / 12 + 5 / 29 + 6 / 30 + 7 / 39 + 8 / 48) / 8
    assert ranking["average_precision"] == pytest.approx(moved, rel=1e-12)
    assert "given at prevalence 0.1 (in the data 0.4706)" in curve(*base).out


def test_reweighted_whole_counts_get_no_false_interval(curve, write):
    # at prevalence 0.5, 1 positive and 3 negatives become 2 and 2: whole numbers, yet only 4 rows
    path = write("four.csv", "y,p\n1,9\n0,1\n0,2\n0,3\n")
    args = ("--label", "y", "--score", "p", "--threshold", "5", "--prevalence", "0.5", "--format", "json")
    cut = from_json(curve("metrics", path, *args))["scores"][0]["thresholds"][0]
    rows = {m["metric"]: m for m in cut["metrics"]}
    assert cut["counts"] == {"tp": 2, "fp": 0, "fn": 0, "tn": 2}
    assert rows["accuracy"]["low"] is None
    assert rows["recall"]["low"] == pytest.approx(1 / (1 + 1.959963984540054**2), rel=1e-9)  # 1 of 1


def test_weights_mean_repetition(numbers, write):
    once = write("w.csv", "y,p,w\n1,3,2\n0,2,1\n1,1,1\n0,0,0\n")
    # positives 3, 3, 1 against the negative 2: two of three pairs in order
    assert numbers(once, "--label", "y", "--score", "p", "--weight", "w")["roc_auc"] == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("labels", "positive"),
    [
        ("yes yes no no", "yes"),
        ("2 2 1 1", "2"),
        ("1.0 1.0 0.0 0.0", "1"),
        ("True True False False", "true"),
        ("01 01 02 02", "01"),
        ("-1 -1 1 1", "-1"),
        ("ill\u202e ill\u202e 'ok' 'ok'", "ill\u202e"),
    ],
)
def test_positive_is_matched_to_the_labels_of_the_column(numbers, write, labels, positive):
    rows = "".join(f"{y},{p}\n" for y, p in zip(labels.split(), (4, 2, 3, 1), strict=True))
    path = write("l.csv", "y,p\n" + rows)
    assert numbers(path, "--label", "y", "--score", "p", "--positive", positive)["roc_auc"] == 0.75


def test_boolean_column_of_parquet(numbers, tmp_path):
    path = tmp_path / "b.parquet"
    pl.DataFrame({"y": [True, False, True], "p": [3.0, 2.0, 1.0]}).write_parquet(path)
    assert numbers(path, "--label", "y", "--score", "p")["roc_auc"] == 0.5
    assert numbers(path, "--label", "y", "--score", "p", "--positive", "FALSE")["roc_auc"] == 0.5


def test_higher_is_negative_turns_the_ranking_round(curve, write):
    path = write("h.csv", "y,p\n1,1\n1,2\n0,3\n")
    args = (
        "--label",
        "y",
        "--score",
        "p",
        "--higher-is",
        "negative",
        "--threshold",
        "1.5",
        "--format",
        "json",
    )
    found = from_json(curve("metrics", path, *args))["scores"][0]
    assert metrics_of(found)["roc_auc"] == 1
    assert found["thresholds"][0]["counts"] == {"tp": 1, "fp": 0, "fn": 1, "tn": 1}
    assert found["thresholds"][0]["rule"] == "flagged where p ≤ 1.5"


def test_round_to_merges_near_ties(numbers, write):
    path = write("r.csv", "y,p\n1,0.501\n0,0.5\n")
    assert numbers(path, "--label", "y", "--score", "p")["roc_auc"] == 1
    assert numbers(path, "--label", "y", "--score", "p", "--round-to", "2")["roc_auc"] == 0.5


def test_threshold_beyond_2_to_the_53_stays_exact(curve, write):
    path = write("i.csv", "y,p\n1,9007199254740993\n0,9007199254740992\n")
    args = ("--label", "y", "--score", "p", "--threshold", "9007199254740993", "--format", "json")
    found = from_json(curve("metrics", path, *args))["scores"][0]
    assert metrics_of(found)["roc_auc"] == 1
    assert found["thresholds"][0]["counts"] == {"tp": 1, "fp": 0, "fn": 0, "tn": 1}


def test_missing_values_name_column_line_and_option(curve, write):
    path = write("m.csv", "y,p\n1,0.9\n0,NA\n,0.3\n0,\n")
    answer = curve("metrics", path, "--label", "y", "--score", "p")
    assert answer.code == 3
    assert "column 'y' has 1 missing value (line 4)" in answer.err
    assert "column 'p' has 2 missing values (lines 3, 5)" in answer.err
    assert "--missing drop" in answer.err


def test_dropping_leaves_the_same_rows_to_every_score(curve, write):
    path = write("d.csv", "y,a,b\n1,0.9,0.8\n1,,0.95\n0,0.1,0.1\n0,0.2,0.9\n")
    args = ("--label", "y", "--score", "a", "--score", "b", "--missing", "drop", "--format", "json")
    found = from_json(curve("metrics", path, *args))
    assert found["data"] | {"prevalence": None} == {
        "rows": 4, "dropped": 1, "positives": 1, "negatives": 2, "prevalence": None,
    }  # fmt: skip
    assert [metrics_of(s)["roc_auc"] for s in found["scores"]] == [1, 0.5]  # 0.75 with the row b has


def test_undefined_is_shown_with_its_reason(curve, write):
    path = write("one.csv", "y,p\n1,0.9\n1,0.3\n")
    assert curve("metrics", path, "--label", "y", "--score", "p").code == 4
    ask = ("metrics", path, "--label", "y", "--score", "p", "--metric", "auc", "--metric", "ap")
    answer = curve(*ask)
    assert answer.code == 0  # average precision without negatives is 1, not undefined
    assert ["roc_auc", "undefined"] in [line.split()[:2] for line in answer.out.splitlines()]
    assert "roc_auc of p is undefined: " in answer.out
    found = from_json(curve(*ask, "--format", "json"))
    roc = found["scores"][0]["metrics"][0]
    assert roc["value"] is None
    assert "0 of 2 rows are negative" in roc["reason"]


def test_csv_is_long_and_exact(curve, tiny):
    answer = curve("metrics", tiny, "--label", "y", "--score", "p", "--threshold", "0.6", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(answer.out)))
    assert list(rows[0]) == ["score", "threshold", "metric", "value", "low", "high"]
    found = {(r["threshold"], r["metric"]): r for r in rows}
    assert float(found["", "roc_auc"]["value"]) == AUC
    assert found["0.6", "tp"]["value"] == "7"
    assert float(found["0.6", "precision"]["value"]) == 7 / 11


def test_csv_text_cannot_run_as_a_formula_and_numbers_stay_numbers(curve, write):
    path = write("f.csv", "y,=1+1,@x\n1,2,-2\n0,1,-1\n1,1,-1\n0,2,-2\n")
    args = ("--label", "y", "--score", "=1+1", "--score", "@x", "--threshold", "-1.5", "--format", "csv")
    rows = list(csv.reader(io.StringIO(curve("metrics", path, *args).out)))[1:]
    assert {r[0] for r in rows} == {"'=1+1", "'@x"}
    assert {r[1] for r in rows} == {"", "-1.5"}


def test_markdown_is_one_cell_a_cell(curve, write):
    name = "a|b<script>*x*_y_`c`[l](u)"
    path = write("m.csv", f"y,{name}\n1,2\n0,1\n")
    answer = curve("metrics", path, "--label", "y", "--score", name, "--format", "md")
    head = next(line for line in answer.out.splitlines() if line.startswith("| metric"))
    assert head == r"| metric | a\|b&lt;script&gt;\*x\*\_y\_\`c\`\[l\](u) | meaning |"
    assert "| roc_auc | 1 |" in answer.out
    assert "| --- | --- | --- |" in answer.out


@pytest.mark.parametrize("form", ["table", "md", "csv", "json"])
def test_control_and_bidi_characters_are_made_visible(curve, write, form):
    name = "p\x1b[31m\u202e"
    path = write("c.csv", f"y,{name}\n1,2\n0,1\n")
    answer = curve("metrics", path, "--label", "y", "--score", name, "--format", form)
    assert answer.code == 0
    assert "\x1b" not in answer.out
    assert "\u202e" not in answer.out
    assert "\\u202e" in answer.out
    if form == "json":
        assert json.loads(answer.out)["scores"][0]["name"] == name


def test_names_in_errors_are_made_visible(curve, write):
    path = write("e.csv", "y,evil\x1b]0;title\x07\n1,2\n")
    answer = curve("metrics", path, "--label", "y", "--score", "p")
    assert answer.code == 3
    assert "\x1b" not in answer.err
    assert "\\x1b" in answer.err


def test_a_score_may_be_called_like_one_of_our_columns(curve, write):
    path = write("n.csv", "y,metric,meaning\n1,2,1\n0,1,2\n")
    out = curve("metrics", path, "--label", "y", "--score", "metric", "--score", "meaning").out
    head = ["metric", "score", "metric", "score", "meaning", "meaning"]
    assert head in [line.split() for line in out.splitlines()]
    row = next(line for line in out.splitlines() if line.startswith("roc_auc")).split("  ")
    assert [cell.split()[0] for cell in row if cell.strip()][1:3] == ["1", "0"]


def test_infinite_values_are_text_in_json(curve, write):
    path = write("inf.csv", "y,p\n1,2\n1,1\n0,0\n")
    args = ("--label", "y", "--score", "p", "--threshold", "1", "--format", "json")
    cut = from_json(curve("metrics", path, *args))["scores"][0]["thresholds"][0]
    assert next(m["value"] for m in cut["metrics"] if m["metric"] == "lr_positive") == "inf"


def test_what_was_detected_is_announced(curve, write):
    path = write("de.csv", "y;p\n1;0,9\n0;0,1\n")
    answer = curve("metrics", path, "--label", "y", "--score", "p", "--format", "json")
    assert answer.err.splitlines() == ["Note: delimiter ';' detected.", "Note: decimal comma detected."]
    assert json.loads(answer.out)["notes"] == ["delimiter ';' detected", "decimal comma detected"]


@pytest.mark.parametrize(
    "content",
    [b"y,p\n1,2\n0,1\n", b"y\tp\n1\t2\n0\t1\n", b'{"y": 1, "p": 2}\n{"y": 0, "p": 1}\n'],
    ids=["csv", "tsv", "jsonl"],
)
def test_standard_input(numbers, content):
    assert numbers("-", "--label", "y", "--score", "p", stdin=content)["roc_auc"] == 1


def test_parquet_on_standard_input(numbers):
    stream = io.BytesIO()
    pl.DataFrame({"y": [1, 0], "p": [2.0, 1.0]}).write_parquet(stream)
    assert numbers("-", "--label", "y", "--score", "p", stdin=stream.getvalue())["roc_auc"] == 1


class TestOutputFile:
    @pytest.fixture
    def run(self, curve, tiny):
        def call(output, *more):
            return curve("metrics", tiny, "--label", "y", "--score", "p", "-o", output, *more)

        return call

    def test_is_written_whole_and_the_terminal_stays_silent(self, run, tmp_path):
        target = tmp_path / "out.json"
        answer = run(target)  # the ending says the format
        assert (answer.code, answer.out) == (0, "")
        assert json.loads(target.read_text())["scores"][0]["metrics"][0]["value"] == AUC
        assert sorted(p.name for p in tmp_path.iterdir()) == ["out.json", "tiny.csv"]

    def test_has_the_usual_permissions(self, run, tmp_path):
        before = os.umask(0o022)
        try:
            run(tmp_path / "out.json")
        finally:
            os.umask(before)
        assert stat.S_IMODE((tmp_path / "out.json").stat().st_mode) == 0o644

    def test_existing_file_needs_force(self, run, tmp_path):
        target = tmp_path / "out.csv"
        target.write_text("mine")
        answer = run(target)
        assert answer.code == 5
        assert "--force" in answer.err
        assert target.read_text() == "mine"
        assert run(target, "--force").code == 0
        assert target.read_text().startswith("score,threshold,")

    @pytest.mark.parametrize("link", ["itself", "hard", "symbolic"])
    def test_is_never_the_input(self, run, tiny, tmp_path, link):
        target = tiny if link == "itself" else tmp_path / "link.csv"
        if link == "hard":
            os.link(tiny, target)
        elif link == "symbolic":
            target.symlink_to(tiny)
        before = tiny.read_text()
        answer = run(target, "--force")
        assert answer.code == 5
        assert ("symbolic link" if link == "symbolic" else "the data come from") in answer.err
        assert tiny.read_text() == before

    def test_symbolic_link_is_refused_even_when_it_points_nowhere(self, run, tmp_path):
        target = tmp_path / "link"
        target.symlink_to(tmp_path / "elsewhere")
        assert run(target, "--force").code == 5
        assert not (tmp_path / "elsewhere").exists()

    def test_folder_absent_or_given(self, run, tmp_path):
        absent = run(tmp_path / "no" / "out.json")
        assert absent.code == 5
        assert "no folder" in absent.err
        assert run(tmp_path, "--force").code == 5

    @pytest.mark.parametrize(("trouble", "code"), [(KeyboardInterrupt(), 130), (OSError(28, "No space left"), 5)])
    def test_nothing_half_written(self, run, tmp_path, monkeypatch, trouble, code):
        target = tmp_path / "out.json"
        target.write_text("mine")

        def fail(_):
            raise trouble

        monkeypatch.setattr(os, "fsync", fail)
        assert run(target, "--force").code == code
        assert target.read_text() == "mine"
        assert sorted(p.name for p in tmp_path.iterdir()) == ["out.json", "tiny.csv"]


def test_numbers_of_the_ranking_carry_intervals(curve, tiny):
    base = ("metrics", tiny, "--label", "y", "--score", "p")
    found = {m["metric"]: m for m in from_json(curve(*base, "--format", "json"))["scores"][0]["metrics"]}
    table = pl.read_csv(tiny)
    wanted = cw.interval("roc_auc", table["y"], table["p"])
    assert (found["roc_auc"]["low"], found["roc_auc"]["high"]) == (wanted.low, wanted.high)
    for name in ("partial_roc_auc", "average_precision", "pr_auc", "equal_error_rate"):
        assert found[name]["low"] <= found[name]["value"] <= found[name]["high"]
    wide = from_json(curve(*base, "--level", "0.99", "--format", "json"))["scores"][0]["metrics"][0]
    assert wide["low"] < wanted.low
    assert "0.7639 (" in curve(*base).out
    plain = curve(*base, "--no-intervals", "--format", "json")
    assert all(m["low"] is None for m in from_json(plain)["scores"][0]["metrics"])


def test_another_prevalence_has_no_interval_where_it_matters(curve, tiny):
    base = ("metrics", tiny, "--label", "y", "--score", "p", "--prevalence", "0.1", "--format", "json")
    found = {m["metric"]: m["low"] for m in from_json(curve(*base))["scores"][0]["metrics"]}
    assert found["average_precision"] is None
    assert found["roc_auc"] is not None


def test_fractional_weights_have_intervals_too(curve, write):
    rows = [f"{k % 2},{k * 7 % 11},{0.5 + k % 3 / 4}" for k in range(20)]
    path = write("w.csv", "\n".join(["y,p,w", *rows]) + "\n")
    answer = curve("metrics", path, "--label", "y", "--score", "p", "--weight", "w", "--format", "json")
    first = from_json(answer)["scores"][0]["metrics"][0]
    assert first["low"] < first["value"] < first["high"]


# scikit-learn's numbers for the shipped file, from its README
SHIPPED = {
    "model_a": {"roc_auc": 0.861, "partial_roc_auc": 0.384, "average_precision": 0.226},
    "model_b": {"roc_auc": 0.855, "partial_roc_auc": 0.555, "average_precision": 0.520},
    "rating": {"roc_auc": 0.796, "partial_roc_auc": 0.293},
}


def test_numbers_agree_with_the_readme_of_the_shipped_data(curve):
    scores = [word for name in SHIPPED for word in ("--score", name)]
    path = files("curvewise.data") / "screening.csv"
    found = json.loads(curve("metrics", path, "--label", "disease", *scores, "--no-intervals", "--format", "json").out)
    assert (found["data"]["rows"], found["data"]["positives"]) == (4060, 124)
    for score in found["scores"]:
        values = {m["metric"]: m["value"] for m in score["metrics"]}
        for metric, value in SHIPPED[score["name"]].items():
            assert values[metric] == pytest.approx(value, abs=6e-4), (score["name"], metric)
