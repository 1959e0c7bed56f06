"""The rings of tests: what runs in minutes anywhere, what needs a browser or a server, and other packages' own suites.

``--ring quick`` (``make test``) runs every test function but the slow ones, one case of each, where Python is all there
is; ``--ring full`` (``make full``) runs every case; ``--ring peers`` (``make peers``) runs what others test, and the
other cases of Spark. Without the option, as for one folder, everything asked for is run. CONTRIBUTING.md says which
ring when.
"""

from __future__ import annotations

import builtins
import os
import subprocess
import sys
from collections import defaultdict
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parent
CASES = 1  # of each test function, in the quick ring
# marks by the fixture that a test asks for, and by the file or function
BY_FIXTURE = {
    "chromium": "browser",
    **dict.fromkeys(("spark", "postgres"), "servers"),
    **dict.fromkeys(("builder", "site", "pages"), "site"),
}
BY_PLACE = {
    "tests/sklearn/test_their_tests.py": "peers",
    "tests/tuning/test_threshold_rule.py::test_scikit_learn_checks": "peers",
    "tests/objectives/test_partial_auc_classifier.py::test_scikit_learn_s_checks": "peers",
    "tests/release/test_distribution.py": "install",
    "tests/notebooks/test_notebooks.py": "site",
    "tests/docs/test_learn_figures.py": "site",
}
LEFT_OUT = {"quick": {"browser", "servers", "site", "install", "peers", "slow"}, "full": {"peers"}}
SPARK = "tests/sources/engines/test_same_everywhere.py::test_a_case["
SPARK_CASES = 10  # of the shared cases, in the full ring: a case takes Spark half a second
# packages of the dependency group "full": a test that needs one is left out where it is missing
FULL = {
    *("adbc_driver_manager", "adbc_driver_postgresql", "adbc_driver_sqlite", "axe_playwright_python", "build", "dask"),
    *("duckdb", "fastexcel", "ibis", "ipykernel", "lightgbm", "nbclient", "nbformat", "playwright", "pyarrow"),
    *("pycocotools", "pyspark", "torch", "twine", "xgboost", "xlsxwriter", "zstandard"),
}
MISSING = sorted(name for name in FULL if find_spec(name) is None)
# by the page or the module whose examples need a package; a test says it itself: @pytest.mark.needs("duckdb")
NEEDS = {
    "docs/how-to/databases.md": "adbc_driver_sqlite",
    "docs/how-to/detection.md": "pycocotools",
    "docs/how-to/duckdb.md": "duckdb",
    "docs/how-to/streams.md": "dask",
    "docs/learn/training.md": "lightgbm",
    "docs/learn/training.zh.md": "lightgbm",
    "docs/images/make.py": "playwright",
    "src/curvewise/sources/_adbc.py": "adbc_driver_manager",
    "src/curvewise/sources/engines/dask.py": "dask",
    "src/curvewise/sources/engines/duckdb.py": "duckdb",
    "src/curvewise/sources/engines/ibis.py": "ibis",
    "src/curvewise/sources/engines/spark.py": "pyspark",
    "src/curvewise/sources/engines/spark_partitions.py": "pyspark",
    "src/curvewise/sources/engines/spark_session.py": "pyspark",
    "src/curvewise/sources/engines/sql.py": "adbc_driver_manager",
    "src/curvewise/sources/engines/sql_database.py": "adbc_driver_manager",
    "src/curvewise/objectives/torch_loss.py": "torch",
    "tests/sources/engines/test_spark.py": "pyspark",
    "tests/sources/engines/test_sql.py": "adbc_driver_manager",
}
collect_ignore = [place for place, package in NEEDS.items() if package in MISSING]


@pytest.fixture(autouse=True)
def _no_figure_stays_open():
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


def pytest_addoption(parser):
    parser.addoption("--ring", choices=("quick", "full", "peers"), help="which tests to run; see CONTRIBUTING.md")
    parser.addoption("--cases-seed", help="chooses the cases of the quick ring; default: the commit")


def pytest_configure(config):
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # two processes of tests have a processor each
    if config.getoption("ring") == "quick":
        # workers inherit the seed, and so choose the same cases
        seed = config.getoption("cases_seed") or os.environ.get("CURVEWISE_CASES_SEED") or _commit()
        config.option.cases_seed = os.environ["CURVEWISE_CASES_SEED"] = seed
        os.environ["CURVEWISE_RING"] = "quick"  # read in tests/ring.py
        _skip_tests_of_missing_packages()


def pytest_report_header(config):
    if config.getoption("ring") != "quick":
        return f"left out, as they are not installed: what needs {', '.join(MISSING)}" if MISSING else None
    without = f" or import {', '.join(MISSING)}" if MISSING else ""
    return (
        f"quick ring: {CASES} case of each test function (--cases-seed {config.option.cases_seed}); make full "
        f"adds those that are slow or need a browser, a server, the site, notebooks, an installation{without}"
    )


def pytest_collection_modifyitems(config, items):
    for item in items:
        for fixture in BY_FIXTURE.keys() & set(getattr(item, "fixturenames", ())):
            item.add_marker(BY_FIXTURE[fixture])
        for mark in {mark for place, mark in BY_PLACE.items() if item.nodeid.startswith(place)}:
            item.add_marker(mark)
    on_spark = [item for item in items if item.nodeid.startswith(SPARK) and "spark" in item.nodeid]
    step = -(-len(on_spark) // SPARK_CASES)
    for k, item in enumerate(on_spark):
        if k % step:
            item.add_marker("peers")
    ring = config.getoption("ring")
    left_out = LEFT_OUT.get(ring, set())
    kept = [item for item in items if not left_out & {mark.name for mark in item.iter_markers()} and not _lacks(item)]
    if ring == "peers":
        kept = [item for item in kept if item.get_closest_marker("peers")]
    if ring == "quick":
        kept = _some_cases(kept, config.option.cases_seed)
    chosen = {id(item) for item in kept}
    config.hook.pytest_deselected(items=[item for item in items if id(item) not in chosen])
    items[:] = kept


def _lacks(item):
    cases = item.callspec.params.values() if hasattr(item, "callspec") else ()
    return any(package in MISSING for mark in item.iter_markers("needs") for package in mark.args) or any(
        type(case).__name__ == "Missing"  # of tests/optional.py
        for case in cases
    )


def _some_cases(items, seed):
    """Return at most so many cases of each test function, in their order; the seed says which."""
    by_function = defaultdict(list)
    for item in items:
        by_function[item.nodeid.partition("[")[0].replace(".zh.md", ".md")].append(item)  # one page in one language

    def drawn(item):
        return blake2b(f"{seed} {item.nodeid}".encode(), digest_size=8).digest()

    chosen = {id(item) for cases in by_function.values() for item in sorted(cases, key=drawn)[:CASES]}
    return [item for item in items if id(item) in chosen]


def _commit():
    try:
        found = subprocess.run(
            ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return "0"
    return found.stdout.strip()


def _skip_tests_of_missing_packages():
    """Make an import of a missing package of the full ring skip the test, or the file, that asks for it."""
    original = builtins.__import__

    def imported(name, globals=None, *more, **options):  # noqa: A002 - the name that Python gives it
        try:
            return original(name, globals, *more, **options)
        except ImportError as error:
            root = (getattr(error, "name", None) or "").partition(".")[0]
            asks = (globals or {}).get("__file__") or ""
            if root in MISSING and Path(asks).is_relative_to(ROOT / "tests"):
                pytest.skip(f"needs {root}: make full", allow_module_level=True)
            raise

    builtins.__import__ = imported
