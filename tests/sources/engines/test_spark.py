"""Spark itself: exact areas, limits, partitions of all kinds, workers that die, failures in one sentence."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import curvewise as cw
from curvewise.errors import SourceError
from curvewise.sources import scan
from curvewise.sources.engines import spark as spark_engine
from curvewise.sources.engines import spark_partitions, spark_session
from curvewise.sources.engines.engine import Asked
from curvewise.sources.engines.spark import SparkEngine, spark_files
from sources.engines.conftest import parts

pytestmark = pytest.mark.xdist_group("spark")
ASKED = {"label": "y", "score": "s"}


def rows(n=4000, seed=0, decimals=None):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    s = rng.normal(size=n) + y
    return pl.DataFrame({"y": y.astype(np.int64), "s": s if decimals is None else s.round(decimals)})


@pytest.fixture
def put(spark, tmp_path):
    """Bring rows to Spark, in files of which one is empty."""
    return lambda frame: spark.read.parquet(*map(str, parts(frame, tmp_path)))


@pytest.mark.parametrize("decimals", [None, 2], ids=["all differ", "ties"])
@pytest.mark.parametrize("higher_is", ["positive", "negative"])
@pytest.mark.parametrize("kind", ["Float64", "Float32", "Int64"])
def test_areas_are_exact_in_one_shuffle(put, monkeypatch, decimals, higher_is, kind):
    """Ties lie in several partitions, so their counts have to meet."""
    monkeypatch.setattr(scan, "EXACT_BINS", 64)
    frame = rows(decimals=decimals)
    score = (pl.col("s") * 1e6).cast(pl.Int64) if kind == "Int64" else pl.col("s").cast(getattr(pl, kind))
    frame = frame.with_columns(score)
    found = cw.scan(put(frame), **ASKED, higher_is=higher_is, resolution=0)
    expected = cw.sweep(frame["y"], frame["s"], higher_is=higher_is)
    assert found.bins.mixed.any()
    auc, ap = cw.roc_auc(found), cw.average_precision(found)
    assert auc.low == auc.high == cw.roc_auc(expected)
    assert float(ap) == pytest.approx(cw.average_precision(expected), rel=1e-14)
    passes = cw.scan(frame.lazy(), **ASKED, higher_is=higher_is, resolution=0)  # the way of other engines
    np.testing.assert_array_equal(found.bins.wins, passes.bins.wins)
    np.testing.assert_allclose(found.bins.gained, passes.bins.gained, rtol=1e-14)


@pytest.mark.parametrize("most_bins", [1 << 24, 1 << 11], ids=["to the driver", "added in workers first"])
@pytest.mark.parametrize("weight", [None, "w"])
def test_bins_are_those_of_other_engines(put, monkeypatch, weight, most_bins):
    """Limits are refined in the workers, and bins do not depend on partitions."""
    monkeypatch.setattr(spark_engine, "MOST_BINS", most_bins)
    frame = rows(20_000).with_columns(w=pl.int_range(pl.len()) % 5)
    found = cw.scan(put(frame), **ASKED, weight=weight, resolution=0.01)
    expected = cw.scan(frame.lazy(), **ASKED, weight=weight, resolution=0.01)
    exact = cw.sweep(frame["y"], frame["s"], weight=None if weight is None else frame["w"])
    for metric in (cw.roc_auc, cw.average_precision):
        assert metric(found).low <= metric(exact) <= metric(found).high
        assert metric(found).width <= 0.01
    assert found.tp.dtype == exact.tp.dtype
    assert found.bins == expected.bins
    np.testing.assert_array_equal(found.tp, expected.tp)


def test_rounded_scores_in_bins(put, monkeypatch):
    """Rounding needs the rows themselves, which come in batches."""
    monkeypatch.setattr(scan, "EXACT_BINS", 64)
    frame = rows()
    for resolution in (0, 0.01):
        found = cw.scan(put(frame), **ASKED, round_to=2, resolution=resolution)
        exact = cw.roc_auc(cw.sweep(frame["y"], frame["s"], round_to=2))
        assert float(cw.roc_auc(found)) == pytest.approx(exact, abs=0.01 if resolution else 0)


def test_batches_hold_all_rows_with_groups(put):
    frame = rows(1000).with_columns(g=pl.Series(["a", None, "it's"] * 333 + ["a"]), w=pl.int_range(1000) % 3)
    found = list(SparkEngine(put(frame)).batches(Asked("y", "s", "w", ("g",)), 1))
    kept = frame.filter(pl.col("w") > 0)
    together = pl.DataFrame(
        {
            "y": np.concatenate([b.positive for b in found]).astype(np.int64),
            "s": np.concatenate([b.score for b in found]),
            "g": [g for b in found for g in b.by[0].to_pylist()],
            "w": np.concatenate([b.weight for b in found]),
        }
    )
    assert together.sort("s").equals(kept.select("y", "s", "g", "w").sort("s"))


@pytest.mark.parametrize("partitions", [1, 7, 10_000])
def test_the_number_of_partitions_does_not_show(spark, put, partitions):
    """Most of 10 000 partitions are empty."""
    frame = rows(3000, decimals=1)
    source = put(frame)
    many = source.coalesce(1) if partitions == 1 else source.repartition(partitions)
    assert cw.scan(many, **ASKED) == cw.sweep(frame["y"], frame["s"])
    bins = cw.scan(many, **ASKED, resolution=0.3)
    assert bins == cw.scan(frame.lazy(), **ASKED, resolution=0.3)


def test_skew_does_not_bring_all_rows_together(spark):
    """All rows in one score: each task returns one count of it."""
    frame = spark.range(0, 300_000, 1, 8).selectExpr("cast(id % 3 = 0 as int) as y", "0.5D as s")
    found = cw.scan(frame, **ASKED)
    assert (found.threshold.tolist(), found.tp.tolist(), found.fp.tolist()) == ([0.5], [100_000], [200_000])
    rank = cw.scan(frame, **ASKED, resolution=0)
    assert float(cw.roc_auc(rank)) == 0.5


def test_a_frame_without_its_python(spark, put, monkeypatch):
    """Where workers cannot import the library Spark counts by itself; what needs them says so."""
    frame = rows(500, decimals=1)

    def no_library(batches, **_):
        raise ModuleNotFoundError("No module named 'curvewise'")
        yield from batches

    monkeypatch.setattr(spark_partitions, "count_scores", no_library)
    monkeypatch.setattr(spark_partitions, "count_bins", no_library)
    assert cw.scan(put(frame), **ASKED) == cw.sweep(frame["y"], frame["s"])
    with pytest.raises(SourceError) as failure:
        cw.scan(put(frame), **ASKED, resolution=0.01)
    assert str(failure.value) == (
        "data: Spark failed (the Python of Spark's workers has no curvewise; install it there, or name a Python that "
        "has it in PYSPARK_PYTHON before the session starts)."
    )


def test_a_worker_that_dies_once_is_replaced(spark, put, tmp_path):
    """Every task has two attempts here, as clusters have four."""
    marker = str(tmp_path / "died")
    frame = rows(500)

    def die_once(batches):
        for batch in batches:
            if not Path(marker).exists():
                Path(marker).touch()
                os.kill(os.getpid(), signal.SIGKILL)
            yield batch

    found = cw.scan(put(frame).mapInArrow(die_once, "y long, s double"), **ASKED)
    assert Path(marker).exists()
    assert found == cw.sweep(frame["y"], frame["s"])


def test_a_worker_that_is_killed_during_the_count(spark, tmp_path):
    """The count itself is under way, in Python, when its process is killed from outside."""
    frame = rows(200)
    frame.write_parquet(tmp_path / "t.parquet")
    pid_file = str(tmp_path / "pid")

    def slow(batches):
        for batch in batches:
            if not Path(pid_file).exists():
                Path(pid_file).write_text(str(os.getpid()))
                time.sleep(60)
            yield batch

    def kill():
        while not Path(pid_file).exists() or not Path(pid_file).read_text():
            time.sleep(0.05)
        os.kill(int(Path(pid_file).read_text()), signal.SIGKILL)

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    source = spark.read.parquet(str(tmp_path / "t.parquet")).mapInArrow(slow, "y long, s double")
    assert cw.scan(source, **ASKED) == cw.sweep(frame["y"], frame["s"])
    killer.join()


@pytest.mark.parametrize(
    ("dies", "said"),
    [(True, "Python worker exited unexpectedly"), (False, "ValueError: the model is not there")],
    ids=["dies", "raises"],
)
def test_a_job_that_fails_is_one_sentence(put, dies, said):
    def fails(batches):
        if dies:
            os.kill(os.getpid(), signal.SIGKILL)
        for _ in batches:
            raise ValueError("the model is not there")
        yield from batches

    source = put(rows(100)).mapInArrow(fails, "y long, s double")
    with pytest.raises(SourceError) as failure:
        cw.scan(source, **ASKED)
    _assert_one_sentence(failure.value, said)


def test_a_value_that_cannot_be_cast_is_one_sentence(spark):
    source = spark.createDataFrame([(1, "0.5"), (0, "high")], "y int, t string").selectExpr("y", "cast(t as double) s")
    for resolution in (None, 0.01):
        with pytest.raises(SourceError) as failure:
            cw.scan(source, **ASKED, resolution=resolution)
        _assert_one_sentence(failure.value, 'The value \'high\' of the type "STRING" cannot be cast to "DOUBLE"')


def test_names_that_spark_cannot_tell_apart(spark):
    source = spark.createDataFrame([(1, 0.5), (0, 0.25)], "s int, S double")
    with pytest.raises(SourceError) as failure:
        cw.scan(source, label="s", score="S")
    _assert_one_sentence(failure.value, "ambiguous")


def test_a_wrong_column(put):
    with pytest.raises(cw.CurvewiseError, match="'risk'"):
        cw.scan(put(rows(10)), label="y", score="risk")


def _assert_one_sentence(error, said):
    text = str(error)
    assert text.startswith("data: Spark failed (")
    assert said in text
    assert text.endswith(").")
    assert "\n" not in text
    for noise in ("Traceback", "\tat ", "org.apache", "stacktrace", "SQLSTATE", "== SQL"):
        assert noise not in text


def test_files(spark, tmp_path):
    """The session of the user reads them, and nothing in a name is a wildcard."""
    frame = rows(300)
    folder = tmp_path / "a b [1] {x,y} *"
    folder.mkdir()
    frame[:100].write_parquet(folder / "p?.parquet")
    frame[100:].write_parquet(tmp_path / "p%20.parquet")
    frame.write_parquet(folder / "p1.parquet")  # which the wildcard would find
    paths = [str(folder / "p?.parquet"), str(tmp_path / "p%20.parquet")]
    assert spark_session.session() is spark
    source = spark_files(paths)
    assert cw.scan(source, **ASKED) == cw.sweep(frame["y"], frame["s"])
    assert source.sparkSession is spark
    spark.range(1).collect()  # it goes on


def test_files_in_folders_that_are_columns(spark, tmp_path):
    frame = rows(300)
    for day in ("mon", "tue"):
        (tmp_path / f"day={day}").mkdir()
        frame.write_parquet(tmp_path / f"day={day}" / "p.parquet")
    paths = [str(tmp_path / f"day={day}" / "p.parquet") for day in ("mon", "tue")]
    found = cw.scan(paths, **ASKED, by="day", engine="spark")
    assert list(found) == ["mon", "tue"]


def test_a_missing_file(spark, tmp_path):
    with pytest.raises(SourceError, match="Path does not exist") as failure:
        spark_files([str(tmp_path / "none.parquet")])
    assert "\n" not in str(failure.value)


def test_files_that_spark_cannot_read(spark, tmp_path):
    with pytest.raises(SourceError, match="a colon in its name; rename it"):
        spark_files([str(tmp_path / "10:30.parquet")])
    (tmp_path / "damaged.parquet").write_bytes(b"PAR1 and no more PAR1")
    with pytest.raises(SourceError, match=r"damaged.parquet: Spark failed \(.*footer") as failure:
        spark_files([str(tmp_path / "damaged.parquet")])
    assert "calling" not in str(failure.value)


def test_a_session_of_our_own_is_quiet(tmp_path):
    """A program without a session: nothing on stderr but what Python itself says, and the workers are found."""
    frame = rows(200)
    frame.write_parquet(tmp_path / "t.parquet")
    program = (
        "import warnings; warnings.simplefilter('ignore')\n"
        "import curvewise as cw\n"
        f"s = cw.scan({str(tmp_path / 't.parquet')!r}, label='y', score='s', engine='spark', resolution=0)\n"
        "print(float(cw.roc_auc(s)))\n"
        "from pyspark.sql import SparkSession\n"
        "bad = SparkSession.active().sql(\"select 1 as y, cast(concat('x', id) as double) as s from range(3)\")\n"
        "try:\n    cw.scan(bad, label='y', score='s')\nexcept cw.SourceError:\n    pass\n"
    )
    here = {k: v for k, v in os.environ.items() if k not in ("PYSPARK_PYTHON", "PYSPARK_GATEWAY_PORT")}
    done = subprocess.run([sys.executable, "-c", program], env=here, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) == cw.roc_auc(cw.sweep(frame["y"], frame["s"]))
    assert done.stderr == ""


def test_no_java(tmp_path):
    program = (
        "from curvewise.sources.engines import spark_session\n"
        "try:\n    spark_session.session()\nexcept Exception as e:\n    print(type(e).__name__, e)\n"
    )
    kept = ("JAVA_HOME", "PYSPARK_GATEWAY_PORT", "PYSPARK_GATEWAY_SECRET")
    here = {k: v for k, v in os.environ.items() if k not in kept} | {"JAVA_HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", program], env=here, capture_output=True, text=True, check=False)
    assert done.stdout == "SourceError Spark could not be started (Java 17 or newer is needed, by JAVA_HOME or PATH).\n"
    assert done.stderr == ""


def test_scores_are_dealt_evenly():
    """By the bits of a score, whatever its type: no part has much more than its share."""
    for score in (np.arange(10_000) / 8, np.arange(10_000), np.random.default_rng(0).random(10_000, np.float32)):
        share = np.bincount(spark_partitions._part_of(score, 16), minlength=16)
        assert share.min() > 400
        assert share.max() < 900
    assert len(set(spark_partitions._part_of(np.array([0.0, -0.0]), 1 << 20))) == 1
