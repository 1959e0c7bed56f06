"""The Spark session that reads files, started quietly where there is none, and what failures of Spark say."""

from __future__ import annotations

import logging
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from curvewise.errors import MissingExtraError, SourceError
from curvewise.sources.engines.lazy_frame import shown_text

try:
    import pyarrow  # noqa: F401 - Spark hands out its tables
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException, PySparkRuntimeError
    from pyspark.sql import SparkSession
except ImportError:
    raise MissingExtraError(
        "Reading with Spark needs PySpark and PyArrow, which are not both installed; install them with: "
        "pip install 'curvewise[spark]'"
    ) from None


FAILURES: tuple[type[Exception], ...] = (PySparkException, Py4JError, OSError, EOFError)
OWN: dict[str, Any] = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}  # of a session that is started here
LOGS = ("SQLQueryContextLogger", "DataFrameQueryContextLogger")  # where PySpark writes errors that it also raises
NO_MODULE = re.compile(r"ModuleNotFoundError: No module named '(curvewise|numpy|pyarrow|narwhals)\b")
# what stands before the cause: which task was lost, which object of Java was called
BEFORE = re.compile(
    r"(?:.*Lost task [^:]*executor \w+\)|An error occurred while calling \S+\n): (?:[\w.$]+: )?", re.DOTALL
)
STACK = re.compile(r"\n\s*at [\w.$]+|\n+(?:JVM|Driver) stacktrace:|\nCaused by:|\n== (?:SQL|DataFrame)")


def session() -> Any:
    """Return the session of the user; where there is none, start one on this machine."""
    try:
        return SparkSession.active()
    except PySparkRuntimeError:
        pass
    try:
        if "SPARK_REMOTE" in os.environ or "PYSPARK_GATEWAY_PORT" in os.environ:  # the user has said where
            return SparkSession.builder.getOrCreate()
        for name in LOGS:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        with _quiet_start():
            return SparkSession.builder.master("local[*]").config(map=OWN).getOrCreate()
    except FAILURES as error:
        no_java = "JAVA_GATEWAY" in str(error)
        reason = "Java 17 or newer is needed, by JAVA_HOME or PATH" if no_java else sentence(error)
        raise SourceError(f"Spark could not be started ({reason}).") from None


@contextmanager
def _quiet_start() -> Iterator[None]:
    """Let a Java machine start with this Python for its workers and nowhere to write its log."""
    before, kept = os.environ.get("PYSPARK_PYTHON"), os.dup(2)
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)  # the machine inherits it, this process has its own back afterwards
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)
        if before is None:
            del os.environ["PYSPARK_PYTHON"]


def failed(name: str, error: Exception) -> SourceError:
    """Return the error of Spark as one sentence."""
    return SourceError(f"{name}: Spark failed ({sentence(error)}).")


def lacks_module(error: Exception) -> str | None:
    """Return the package that the Python workers of Spark lack, where a job failed for that."""
    missing = NO_MODULE.search(str(error))
    return None if missing is None else missing[1]


def sentence(error: Exception) -> str:
    """Return what a failure says, without the traces of Java and Python."""
    missing = lacks_module(error)
    if missing is not None:
        return (
            f"the Python of Spark's workers has no {missing}; install it there, or name a Python that has it in "
            "PYSPARK_PYTHON before the session starts"
        )
    text = BEFORE.sub("", str(error))
    if "Traceback (most recent call last):" in text:
        lines = text.rpartition("Traceback (most recent call last):")[2].splitlines()[1:]
        text = next((line for line in lines if line and not line[0].isspace()), text)
    text = re.sub(r"\s*SQLSTATE: \w+", "", STACK.split(text)[0])
    return shown_text(" ".join(text.split()).rstrip("."))
