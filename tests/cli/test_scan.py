"""Commands on rows that are scanned: the numbers of rows in memory, limits where scores are binned, plain refusals."""

import json
import sqlite3

import numpy as np
import polars as pl
import pytest

import curvewise as cw


@pytest.fixture
def table():
    rng = np.random.default_rng(5)
    ill = rng.random(600) < 0.3
    score = 1 / (1 + np.exp(-rng.normal(size=600) - 2 * ill + 1))
    names = np.where(ill, "ill", "well")
    return pl.DataFrame({"y": names, "s": score, "site": rng.choice(["a", "b"], 600), "w": rng.integers(1, 4, 600)})


@pytest.fixture
def parts(tmp_path, table):
    for k in range(6):
        folder = tmp_path / f"day={k % 2}"
        folder.mkdir(exist_ok=True)
        table[k * 100 : (k + 1) * 100].write_parquet(folder / f"part-{k}.parquet")
    return tmp_path


COLUMNS = ("--label", "y", "--score", "s", "--positive", "ill")


def found(answer, name="metrics"):
    return {m["metric"]: m for m in answer["scores"][0][name]}


def test_a_glob_is_scanned_and_equals_memory(curve, parts, table, tmp_path):
    scanned = json.loads(curve("metrics", str(parts / "day=*/part-*.parquet"), *COLUMNS, "--format", "json").out)
    path = tmp_path / "all.parquet"
    table.write_parquet(path)
    memory = json.loads(curve("metrics", str(path), *COLUMNS, "--format", "json").out)
    assert scanned["data"]["rows"] == memory["data"]["rows"] == 600
    ours, theirs = found(scanned), found(memory)
    assert set(ours) == set(theirs)
    for name in ours:
        assert ours[name]["value"] == pytest.approx(theirs[name]["value"], rel=1e-12)
    assert ours["roc_auc"]["value"] == theirs["roc_auc"]["value"]
    # counts say as much as rows: the same interval
    assert ours["roc_auc"]["low"] == pytest.approx(theirs["roc_auc"]["low"], rel=1e-9)


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_bins_come_with_limits(curve, parts, table, engine):
    if engine == "duckdb":
        pytest.importorskip("duckdb")
    asked = ("--resolution", "0.02", "--engine", engine, "--threshold", "0.4", "--no-intervals", "--format", "json")
    answer = json.loads(curve("metrics", str(parts / "day=*/part-*.parquet"), *COLUMNS, *asked).out)
    limits = {m["metric"]: m for m in answer["limits"]["metrics"]}
    full = cw.sweep(table["y"], table["s"], positive="ill")
    for name, options in (("roc_auc", {}), ("average_precision", {}), ("brier_loss", {}), ("f1", {"threshold": 0.4})):
        shown = limits[name if not options else f"{name} at 0.4"]
        assert shown["low"] <= cw.score(name, full, **options) <= shown["high"]
    assert answer["data"]["bins"] < 600


def test_resolution_0_is_exact_areas(curve, parts, table):
    asked = ("--resolution", "0", "--no-intervals", "--format", "json")
    answer = json.loads(curve("metrics", str(parts / "day=*/part-*.parquet"), *COLUMNS, *asked).out)
    if "limits" in answer:
        areas = {m["metric"]: m["value"] for m in answer["limits"]["metrics"]}
    else:
        areas = {name: m["value"] for name, m in found(answer).items()}
    assert areas["roc_auc"] == cw.roc_auc(table["y"], table["s"], positive="ill")


def test_groups_of_a_scan(curve, parts, table):
    asked = ("--by", "site", "--metric", "f1", "--metric", "auc", "--threshold", "0.5", "--format", "csv")
    out = curve("metrics", str(parts / "day=*/part-*.parquet"), *COLUMNS, *asked).out
    shown = pl.read_csv(out.encode())
    assert shown["site"].to_list() == ["a", "b"]
    for row in shown.to_dicts():
        some = table.filter(pl.col("site") == row["site"])
        assert row["rows"] == some.height
        assert row["roc_auc"] == pytest.approx(cw.roc_auc(some["y"], some["s"], positive="ill"))
        assert row["f1"] == pytest.approx(cw.score("f1", some["y"], some["s"], positive="ill", threshold=0.5))


def test_counts_as_weights(curve, parts, table):
    asked = ("--weight", "w", "--weight-kind", "count", "--metric", "auc", "--format", "json")
    answer = json.loads(curve("metrics", str(parts / "day=*/part-*.parquet"), *COLUMNS, *asked).out)
    exact = cw.roc_auc(table["y"], table["s"], positive="ill", weight=table["w"])
    assert found(answer)["roc_auc"]["value"] == pytest.approx(exact, rel=1e-14)
    assert answer["data"]["positives"] == table.filter(pl.col("y") == "ill")["w"].sum()


@pytest.mark.parametrize(
    ("command", "more"),
    [
        ("operate", ("--rule", "youden", "--replicates", "20")),
        ("calibrate", ()),
        ("report", ("--format", "json", "--replicates", "20")),
    ],
)
def test_other_commands_take_a_scan(curve, parts, command, more):
    done = curve(command, str(parts / "day=*/part-*.parquet"), *COLUMNS, "--resolution", "0.02", *more)
    assert done.code == 0
    assert "scores were counted in" in (done.out + done.err).lower()


def test_the_page_of_a_scan_says_that_scores_were_binned(curve, parts, tmp_path):
    page = tmp_path / "page.html"
    done = curve("report", str(parts / "day=*/*.parquet"), *COLUMNS, "--resolution", "0.02", "-o", str(page))
    assert done.code == 0
    text = page.read_text()
    assert "Scores were counted in" in text
    assert "600" in text


def test_plot_takes_a_scan(curve, parts, tmp_path):
    done = curve("plot", str(parts / "day=*/part-*.parquet"), *COLUMNS, "-o", str(tmp_path / "roc.svg"))
    assert done.code == 0
    assert (tmp_path / "roc.svg").exists()


def test_sqlite_by_query(curve, table, tmp_path):
    pytest.importorskip("adbc_driver_sqlite")
    path = tmp_path / "rows.db"
    with sqlite3.connect(path) as base:
        base.execute("create table rows (y text, s real)")
        base.executemany("insert into rows values (?, ?)", table.select("y", "s").rows())
    asked = ("--sql", f"sqlite:///{path}", "--query", "select y, s from rows", *COLUMNS, "--format", "json")
    answer = json.loads(curve("metrics", *asked).out)
    assert found(answer)["roc_auc"]["value"] == cw.roc_auc(table["y"], table["s"], positive="ill")
    assert "sqlite:" not in json.dumps(answer)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--cluster", "site"), "--cluster: needs rows in memory"),
        (("--score", "w"), "one score"),
        (("--weight", "w"), "--weight-kind count"),
        (("--query", "select 1"), "give both"),
        (("--sql", "sqlite:///x.db", "--query", "select 1"), "in place of FILE"),
        (("--resolution", "1"), "resolution"),
        (("--by", "site", "--fail-under", "auc=0.5"), "--fail-under"),
        (("--by", "site", "--resolution", "0"), "groups are exact"),
        (("--multiclass",), "--multiclass"),
        (("--by", "nowhere"), "no column 'nowhere'"),
    ],
)
def test_refusals_are_one_sentence(curve, parts, more, said):
    done = curve("metrics", str(parts / "day=*/part-*.parquet"), *COLUMNS, *more)
    assert done.code in (2, 3)
    assert said in done.err
    assert "Traceback" not in done.err


def test_no_file_and_no_database(curve):
    done = curve("metrics", *COLUMNS)
    assert done.code == 2
    assert "FILE" in done.err


def test_a_bad_label_names_the_column(curve, parts):
    done = curve("metrics", str(parts / "day=*/part-*.parquet"), "--label", "y", "--score", "s")
    assert done.code == 3
    assert "column 'y': the classes are 'ill' and 'well'" in done.err
    assert "--positive" in done.err


def test_weights_that_count_are_rows(curve, write):
    """A file that says how often each row occurred is reported as the rows that it stands for."""
    path = write("counts.csv", "y,s,n\n1,0.9,30\n0,0.7,20\n1,0.6,25\n0,0.2,40\n")
    asked = ("--label", "y", "--score", "s", "--weight", "n", "--weight-kind", "count", "--format", "json")
    data = json.loads(curve("report", path, *asked, "--replicates", "20").out)["data"]
    assert (data["rows"], data["positives"], data["weighted"]) == (115, 55, False)


def test_bins_are_not_called_ties(curve, parts):
    done = curve("metrics", str(parts / "day=*/part-*.parquet"), *COLUMNS, "--resolution", "0.1")
    assert "many ties" not in done.out + done.err
    assert "apart" in done.out


def test_folds_need_rows(curve, parts):
    done = curve("report", str(parts / "day=*/part-*.parquet"), *COLUMNS, "--fold", "site")
    assert done.code == 2
    assert "--fold: needs rows in memory" in done.err


def test_exact_areas_stand_in_the_table_too(curve, parts, table, monkeypatch):
    monkeypatch.setattr("curvewise.sources.scan.EXACT_BINS", 16)
    asked = ("--resolution", "0", "--no-intervals", "--format", "json")
    answer = json.loads(curve("metrics", str(parts / "day=*/part-*.parquet"), *COLUMNS, *asked).out)
    exact = cw.roc_auc(table["y"], table["s"], positive="ill")
    limits = {m["metric"]: m for m in answer["limits"]["metrics"]}
    assert found(answer)["roc_auc"]["value"] == limits["roc_auc"]["value"] == exact


@pytest.mark.parametrize("option", [("--level", "0.9"), ("--seed", "1"), ("--replicates", "9"), ("--no-intervals",)])
def test_groups_refuse_options_of_intervals(curve, parts, option):
    done = curve("metrics", str(parts / "day=*/part-*.parquet"), *COLUMNS, "--by", "site", *option)
    assert done.code == 2
    assert f"{option[0]} has no effect with --by" in done.err


def test_bins_are_not_called_different_scores(curve, parts):
    asked = (str(parts / "day=*/part-*.parquet"), *COLUMNS, "--resolution", "0.1", "--no-intervals")
    assert "distinct_scores" not in curve("metrics", *asked).out
    answer = json.loads(curve("metrics", *asked, "--format", "json").out)
    assert answer["scores"][0]["distinct_scores"] is None
    assert curve("metrics", *asked, "--format", "csv").code == 0
    assert curve("metrics", *asked, "--format", "md").code == 0


@pytest.mark.parametrize("resolution", [(), ("--resolution", "0.1")], ids=["exact", "in bins"])
def test_rows_are_rows_in_every_format(curve, parts, resolution):
    path = str(parts / "day=*/part-*.parquet")
    out = curve("metrics", path, *COLUMNS, "--round-to", "1", "--no-intervals", "--format", "csv", *resolution).out
    assert ",rows,600," in out
