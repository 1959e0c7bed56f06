"""``curvewise calibrate`` and ``recalibrate``: the library's numbers, untouched files, refusals."""

import csv
import io
import json
import re
from importlib.resources import files
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import curvewise as cw

SCREENING = str(files("curvewise.data") / "screening.csv")
BASE = ("calibrate", SCREENING, "--label", "disease", "--score", "model_b")


@pytest.fixture(scope="module")
def table():
    return np.genfromtxt(SCREENING, delimiter=",", names=True, dtype=None, encoding="ascii")


@pytest.fixture
def map_file(tmp_path):
    """A map that halves the log odds, for the column p."""
    text = cw.Recalibration("temperature", {"temperature": 2.0}, 10, 5, score="p").to_json()
    path = tmp_path / "map.json"
    path.write_text(text)
    return path


def halved(p):
    return 1 / (1 + np.sqrt((1 - p) / p))


def test_json_has_the_librarys_numbers(curve, table):
    answer = curve(*BASE, "--method", "beta", "--format", "json")
    assert (answer.code, answer.err) == (0, "")
    data = json.loads(answer.out)
    assert (data["schema"], data["version"]) == ("curvewise.command.calibrate", 1)
    wanted = cw.calibration(table["disease"], table["model_b"])
    assert data["scores"][0]["calibration"] == wanted.to_dict()
    fit = cw.recalibrate(table["disease"], table["model_b"], method="beta", rng=0)
    assert data["scores"][0]["recalibration"] == {**fit.to_dict(), "score": "model_b"}


def test_weights_bins_and_several_scores(curve, table):
    options = (
        "--score",
        "model_a",
        "--weight",
        "weight",
        "--bins",
        "5",
        "--binning",
        "count",
        "--level",
        "0.9",
    )
    data = json.loads(curve(*BASE, *options, "--format", "json").out)
    assert [s["name"] for s in data["scores"]] == ["model_b", "model_a"]
    wanted = cw.calibration(
        table["disease"], table["model_a"], weight=table["weight"], bins=5, binning="count", level=0.9
    )
    assert data["scores"][1]["calibration"]["slope"] == wanted.slope.content()
    assert data["scores"][1]["calibration"]["ece"] == wanted.ece


def test_table_markdown_and_csv(curve):
    text = curve(*BASE, "--method", "platt").out
    for words in (
        "too extreme",
        "does not measure the error",
        "Recalibration by platt (slope 0.5464",
        "5 folds",
    ):
        assert words in text
    assert "| calibration_slope | 0.5464 |" in curve(*BASE, "--format", "md").out
    rows = list(csv.reader(io.StringIO(curve(*BASE, "--method", "platt", "--format", "csv").out)))
    assert rows[0][:7] == ["score", "table", "metric", "value", "low", "high", "expected"]
    assert rows[2][:3] == ["model_b", "calibration", "calibration_slope"]
    assert [row[1] for row in rows[-3:]] == ["recalibration"] * 3


def test_save_and_correct(curve, tmp_path, table):
    saved, out = tmp_path / "map.json", tmp_path / "corrected.csv"
    assert curve(*BASE, "--method", "beta", "--save", saved).code == 0
    answer = curve("recalibrate", SCREENING, "--map", saved, "-o", out)
    assert (answer.code, answer.out) == (0, "")
    assert "beta map: the mean of model_b is 0.0713" in answer.err
    with Path(SCREENING).open() as before, out.open() as after:
        for old, new in zip(before, after, strict=True):
            assert new.startswith(old.rstrip("\n") + ",")
    again = np.genfromtxt(out, delimiter=",", names=True, dtype=None, encoding="ascii")
    fit = cw.recalibrate(table["disease"], table["model_b"], method="beta", cv=None)
    assert again["model_b_recalibrated"].tolist() == fit.apply(table["model_b"]).tolist()
    assert set(tmp_path.iterdir()) == {saved, out}  # no draft is left


def test_prior(curve):
    answer = curve(*BASE, "--method", "prior", "--prevalence", "0.1")
    assert answer.code == 0
    assert "at prevalence 0.1" in answer.out


def test_missing_rows_are_dropped_for_every_score(curve, write):
    path = write("gap.csv", "y,a,b\n0,0.1,0.2\n1,,0.4\n1,0.6,0.5\n0,0.7,\n1,0.2,0.9\n0,0.3,0.6\n")
    base = ("calibrate", path, "--label", "y", "--score", "a", "--score", "b")
    assert "column 'a' has 1 missing value (line 3)" in curve(*base).err
    data = json.loads(curve(*base, "--missing", "drop", "--format", "json").out)
    assert [s["calibration"]["n"] for s in data["scores"]] == [4, 4]


def test_bytes_of_other_columns_stay(curve, write, map_file):
    text = b'\xef\xbb\xbfid;"na;me";p\r\n=1+1;"a ""b""";0,5\r\n\r\n+2;caf\xc3\xa9;0,125\r\n'
    answer = curve("recalibrate", write("odd.csv", text), "--map", map_file, "-o", (out := map_file.parent / "o.csv"))
    assert answer.code == 0, answer.err
    assert "decimal comma detected" in answer.err
    wanted = b'\xef\xbb\xbfid;"na;me";p;p_recalibrated\r\n=1+1;"a ""b""";0,5;0,5\r\n\r\n+2;caf\xc3\xa9;0,125;'
    written = out.read_bytes()
    assert written.startswith(wanted)
    assert float(written.rstrip().rsplit(b";", 1)[1].replace(b",", b".")) == pytest.approx(halved(0.125))


def test_decimal_comma_beside_commas_is_quoted(curve, write, map_file):
    answer = curve("recalibrate", write("c.csv", 'p,x\n"0,5",1\n"0,25",2\n'), "--map", map_file)
    assert answer.out.splitlines()[1] == '"0,5",1,"0,5"'


def test_quoted_line_breaks_and_no_last_newline(curve, write, map_file):
    answer = curve("recalibrate", write("q.csv", 'x,p\n"two\nlines",0.5\nz,0.5'), "--map", map_file, "--as", 'a,"b"')
    assert answer.out == 'x,p,"a,""b"""\n"two\nlines",0.5,0.5\nz,0.5,0.5\n'


@pytest.mark.parametrize(
    ("encoding", "mark", "end", "said"),
    [
        ("cp1252", b"", "\n", "Windows-1252"),
        ("cp1252", b"", "\r", "Windows-1252"),
        ("utf-16-le", b"\xff\xfe", "\r\n", "UTF-16"),
        ("utf-16-be", b"\xfe\xff", "\n", "UTF-16"),
        ("utf-16-le", b"", "\n", "UTF-16"),
        ("utf-32-be", b"\0\0\xfe\xff", "\n", "UTF-32"),
    ],
)
def test_the_encoding_of_other_columns_stays(curve, write, map_file, encoding, mark, end, said):
    out = map_file.parent / "o.csv"
    lines = [["näme,p", "Müller,0.5", "Sögel,0.5"], ["näme,p,p_recalibrated", "Müller,0.5,0.5", "Sögel,0.5,0.5"]]
    given, wanted = (mark + "".join(line + end for line in part).encode(encoding) for part in lines)
    answer = curve("recalibrate", write("l.csv", given), "--map", map_file, "-o", out)
    assert answer.code == 0, answer.err
    assert out.read_bytes() == wanted
    assert f"Note: the output is {said} text as the input is." in answer.err


def test_chinese_text_of_an_older_encoding_stays(curve, write, map_file):
    given = "姓名,性别,p\n张三,男,0.5\n李四,女,0.5\n".encode("gb18030")
    answer = curve("recalibrate", write("l.csv", given), "--map", map_file, "-o", (out := map_file.parent / "o.csv"))
    assert "the output is GB 18030 text as the input is" in answer.err
    assert out.read_bytes() == "姓名,性别,p,p_recalibrated\n张三,男,0.5,0.5\n李四,女,0.5,0.5\n".encode("gb18030")


def test_a_name_that_an_older_encoding_does_not_have(curve, write, map_file):
    path = write("l.csv", "näme,p\nMüller,0.5\n".encode("cp1252"))
    answer = curve("recalibrate", path, "--map", map_file, "--as", "风险", "-o", map_file.parent / "o.csv")
    assert answer.code == 3
    assert "is Windows-1252 text, which has no '风'; give the new column another name" in answer.err


def test_many_rows_across_blocks(curve, write, map_file, monkeypatch):
    monkeypatch.setattr("curvewise.sources.formats.csv_rows.CHUNK", 64)
    p = np.random.default_rng(0).random(300)
    answer = curve(
        "recalibrate",
        write("m.csv", "k,p\n" + "".join(f"{i},{v!r}\n" for i, v in enumerate(p.tolist()))),
        "--map",
        map_file,
    )
    rows = list(csv.DictReader(io.StringIO(answer.out)))
    assert [int(r["k"]) for r in rows] == list(range(300))
    assert [float(r["p_recalibrated"]) for r in rows] == pytest.approx(halved(p), rel=1e-12)


def test_standard_input_and_another_column(curve, map_file):
    answer = curve("recalibrate", "-", "--map", map_file, "--score", "q", "--as", "r", stdin=b"q\tz\n0.5\t1\n")
    assert (answer.code, answer.out) == (0, "q\tz\tr\n0.5\t1\t0.5\n")


def test_json_lines(curve, write, map_file):
    path = write("d.jsonl", '{"p": 0.5, "x": [1, {"y": "}"}]}\n\n{"x": 1.50, "p": 0.5 }\n')
    answer = curve("recalibrate", path, "--map", map_file)
    first, blank, last = answer.out.splitlines()
    assert first == '{"p": 0.5, "x": [1, {"y": "}"}], "p_recalibrated": 0.5}'
    assert blank == ""
    assert last == '{"x": 1.50, "p": 0.5, "p_recalibrated": 0.5}'


@pytest.mark.parametrize(("ending", "kind"), [("parquet", "parquet"), ("arrow", "ipc"), ("arrow", "ipc_stream")])
def test_binary_files(curve, tmp_path, map_file, ending, kind):
    frame = pl.DataFrame({"p": [0.5, 0.2], "when": pl.Series(["2020-01-01", None]).str.to_date(), "list": [[1], []]})
    path, out = tmp_path / f"d.{ending}", tmp_path / f"o.{ending}"
    getattr(frame, f"write_{kind}")(path)
    assert curve("recalibrate", path, "--map", map_file, "-o", out).code == 0
    again = getattr(pl, f"read_{kind}")(out)
    assert again.drop("p_recalibrated").equals(frame)
    assert again["p_recalibrated"].to_list() == pytest.approx(halved(np.array([0.5, 0.2])).tolist())
    nowhere = curve("recalibrate", path, "--map", map_file)
    assert nowhere.code == 5
    assert "give -o" in nowhere.err


def test_missing_probabilities(curve, write, map_file):
    path = write("g.csv", "p,x\n0.5,1\n,2\nNA,3\n")
    answer = curve("recalibrate", path, "--map", map_file)
    assert answer.code == 3
    assert "column 'p' has 2 missing values (lines 3, 4); fill the gaps, or give --missing keep." in answer.err
    kept = curve("recalibrate", path, "--map", map_file, "--missing", "keep")
    assert kept.out == "p,x,p_recalibrated\n0.5,1,0.5\n,2,\nNA,3,\n"
    assert "2 rows without a probability" in kept.err


@pytest.mark.parametrize(
    ("more", "code", "words"),
    [
        (("--save", "m.json"), 2, "needs --method"),
        (("--save", "m.json", "--method", "beta", "--score", "model_a"), 2, "one --score"),
        (("--method", "prior"), 2, "--prevalence"),
        (("--method", "beta", "--prevalence", "0.1"), 2, "--prevalence"),
        (("--method", "beta", "--save", "x.json", "-o", "x.json"), 2, "a file each"),
        (("--method", "beta", "--save", SCREENING), 5, "the file the data come from"),
        (("--method", "beta", "--save", "no/folder/x.json"), 5, "there is no folder"),
        (("--score", "rating"), 3, "look like ratings"),
        (("--higher-is", "negative"), 3, "pass 1 - p"),
        (("--score", "nobody"), 3, "there is no column 'nobody'"),
        (("--bins", "0"), 2, "--bins"),
    ],
)
def test_calibrate_refuses(curve, more, code, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answer = curve(*BASE, *more)
    assert (answer.code, answer.out) == (code, "")
    assert words in answer.err
    assert not list(tmp_path.iterdir())


def test_outside_probabilities_name_their_lines(curve, write):
    path = write("l.csv", "y,p\n0,-2.5\n1,0.5\n1,3\n0,-1\n")
    answer = curve("calibrate", path, "--label", "y", "--score", "p")
    assert answer.code == 3
    assert "column 'p': expected probabilities from 0 to 1, got 3 other values (lines 2, 4, 5)" in answer.err
    assert "they look like logits" in answer.err


def test_one_class_is_undefined(curve, write):
    path = write("one.csv", "y,p\n0,0.1\n0,0.2\n")
    base = ("calibrate", path, "--label", "y", "--score", "p")
    for more in ((), ("--method", "platt")):
        answer = curve(*base, *more)
        assert (answer.code, answer.out) == (4, "")
        assert "column 'p': Calibration needs both classes: 0 of 2 rows are positive." in answer.err


@pytest.mark.parametrize(
    ("text", "more", "code", "words"),
    [
        ("p,x\n0.5,1\n", ("--as", "x"), 3, "there is a column 'x' already"),
        ("q\n0.5\n", (), 3, "there is no column 'p'"),
        ("p\n7\n", (), 3, "column 'p': expected probabilities from 0 to 1, got 1 other value (line 2)"),
        ("p\nhigh\n", (), 3, "cannot be read as a number"),
        ("p\n0.5\n", ("--as", "\udcff"), 3, "is no name for a column: it is not text"),
        ("p\n0.5\n", ("-o", "o.parquet"), 5, "the output is CSV as the input is"),
        ("p\n0.5\n", ("-o", "o.csv.gz"), 5, "the output is CSV as the input is"),
        ("p\n0.5\n", ("-o", "o.pdf"), 5, "name it accordingly (.csv, .tsv, .tab)"),
        ("p\n0.5\n", ("-o", "d.csv", "--force"), 5, "the file the data come from"),
        ("p\n0.5\n", ("-o", "map.json", "--force"), 5, "name another one"),
        ("p\n0.5\n", ("-o", "there.csv"), 5, "use --force"),
    ],
)
def test_recalibrate_refuses(curve, write, map_file, monkeypatch, text, more, code, words):
    monkeypatch.chdir(map_file.parent)
    write("there.csv", "kept")
    before = {f.name: f.read_bytes() for f in [*map_file.parent.iterdir()]}
    answer = curve("recalibrate", write("d.csv", text), "--map", map_file, *more)
    assert (answer.code, answer.out) == (code, "")
    assert words in answer.err
    assert {f.name: f.read_bytes() for f in map_file.parent.iterdir()} == {**before, "d.csv": text.encode()}


@pytest.mark.parametrize(
    ("content", "code", "words"),
    [
        ("{}", 3, "schema 'curvewise.recalibration'"),
        ("not json", 3, "The map is not JSON"),
        ("", 5, "empty"),
    ],
)
def test_bad_maps(curve, write, content, code, words):
    answer = curve("recalibrate", write("d.csv", "p\n0.5\n"), "--map", write("bad.json", content))
    assert answer.code == code
    assert words in answer.err
    assert "bad.json" in answer.err
    assert curve("recalibrate", write("d.csv", "p\n0.5\n"), "--map", "absent.json").code == 5


def test_an_array_of_records_stays_one(curve, write, map_file):
    text = '[\n  {"id": 1e2, "p": 0.25 },\n  {"p": 0.5}\n]\n'
    answer = curve("recalibrate", write("d.json", text), "--map", map_file)
    assert answer.code == 0, answer.err
    first, second = json.loads(answer.out)
    assert (first["id"], first["p"], second["p"]) == (100, 0.25, 0.5)
    assert 0 < first["p_recalibrated"] < 1
    plain = re.sub(r', "p_recalibrated": [-0-9.e]+', "", answer.out)
    assert plain == text.replace("0.25 }", "0.25}")  # all else is copied as it is
    assert curve("recalibrate", write("e.json", "[{}]"), "--map", map_file).code == 3


def test_a_map_without_a_column_asks_for_one(curve, write):
    text = cw.Recalibration("temperature", {"temperature": 2.0}, 10, 5).to_json()
    answer = curve("recalibrate", write("d.csv", "p\n0.5\n"), "--map", write("m.json", text))
    assert answer.code == 3
    assert "give --score" in answer.err


@pytest.mark.parametrize("twin", ["map.json", "./map.json", "../{folder}/map.json"])
def test_the_map_and_the_answer_need_a_file_each(curve, tmp_path, twin):
    output = twin.format(folder=tmp_path.name)
    answer = curve(*BASE, "--method", "platt", "--save", "map.json", "-o", output, "--format", "json")
    assert (answer.code, "need a file each" in answer.err) == (2, True)
    assert not (tmp_path / "map.json").exists()
