"""What is released: wheel and source distribution, installed without extras where nothing else is."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.xdist_group("release")  # built once


def run(*command, **options):
    here = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=here, **options)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    done = run(sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT))
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def wheel(built):
    (found,) = built.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def clean(wheel, tmp_path_factory):
    """Python with the wheel, what it requires, and nothing else."""
    folder = tmp_path_factory.mktemp("clean")
    assert run(sys.executable, "-m", "venv", str(folder)).returncode == 0
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    done = run(str(python), "-m", "pip", "install", "--quiet", str(wheel))
    if done.returncode != 0 and any(word in done.stderr for word in ("No matching distribution", "connection")):
        pytest.skip("NumPy, SciPy and narwhals cannot be downloaded: no network")
    assert done.returncode == 0, done.stderr
    return python


def test_the_index_will_accept_it(built):
    done = run(sys.executable, "-m", "twine", "check", "--strict", *map(str, built.iterdir()))
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_wheel_has_the_package_and_nothing_else(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"curvewise"}
    assert "curvewise/py.typed" in names
    assert {f"curvewise/data/{n.name}" for n in (ROOT / "src/curvewise/data").iterdir() if n.is_file()} <= names
    tracked = run("git", "-C", str(ROOT), "ls-files", "src/curvewise").stdout.split()
    assert {name.removeprefix("src/") for name in tracked} <= names
    assert not any("test" in Path(name).stem.split("_") and "/tests/" in name for name in names)


def test_the_source_has_what_tests_need(built):
    (source,) = built.glob("*.tar.gz")
    with tarfile.open(source) as packed:
        names = {name.split("/", 1)[-1] for name in packed.getnames()}
    needed = {"pyproject.toml", "README.md", "LICENSE", "CITATION.cff", "tests/conftest.py", "docs/make_schemas.py"}
    assert needed <= names


def test_a_clean_installation_works_without_extras(clean, tmp_path):
    code = (
        "import sys, curvewise as cw\n"
        "assert cw.roc_auc([0, 1, 1, 0], [0.1, 0.4, 0.35, 0.2]) == 1.0\n"
        "assert cw.interval('auc', [0, 1, 1, 0] * 9, list(range(36))).has_interval\n"
        "loaded = {m.split('.')[0] for m in sys.modules}\n"
        "extras = {'click', 'polars', 'matplotlib', 'jinja2', 'pandas', 'pyarrow', 'sklearn', 'torch', 'duckdb'}\n"
        "print(sorted(loaded & extras), 'site-packages' in cw.__file__)"
    )
    done = run(str(clean), "-c", code, cwd=tmp_path)
    assert done.stdout.strip() == "[] True", done.stderr


def test_a_missing_extra_is_one_sentence(clean, tmp_path):
    code = (
        "import curvewise as cw\ntry: cw.roc_curve([0, 1], [1, 2]).plot()\nexcept cw.MissingExtraError as e: print(e)"
    )
    done = run(str(clean), "-c", code, cwd=tmp_path)
    assert "pip install 'curvewise[cli]'" in done.stdout, done.stdout + done.stderr
    command = run(str(clean), "-m", "curvewise", "--help", cwd=tmp_path)
    assert command.returncode != 0
    assert "pip install 'curvewise[cli]'" in command.stderr
    assert "Traceback" not in command.stderr


def test_a_type_checker_sees_the_types_of_the_installed_package(clean, tmp_path):
    pytest.importorskip("mypy", reason="mypy is in the lint group")
    (tmp_path / "use.py").write_text(
        "import curvewise as cw\nreveal_type(cw.roc_auc([0, 1], [0.1, 0.2]))\nwrong: str = cw.sweep([0, 1], [1, 2])\n"
    )
    call = [sys.executable, "-m", "mypy", "--python-executable", str(clean), "--strict", "use.py"]
    done = run(*call, cwd=tmp_path)
    assert 'Revealed type is "float"' in done.stdout.replace("builtins.", ""), done.stdout
    assert "Incompatible types in assignment" in done.stdout
    assert "missing library stubs" not in done.stdout
