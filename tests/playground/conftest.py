"""The pages of the playground, written once."""

from pathlib import Path
from runpy import run_path

import pytest

MAKE = Path(__file__).resolve().parents[2] / "docs/playground/make.py"


@pytest.fixture(scope="session")
def make():
    pytest.importorskip("jinja2", reason="the playground is written with jinja2, which is not installed")
    return run_path(str(MAKE))


@pytest.fixture(scope="session")
def texts(make):
    return make["pages"]()


@pytest.fixture(scope="session")
def address(texts, tmp_path_factory):
    """Return where each page stands, by its file name without the ending."""
    folder = tmp_path_factory.mktemp("playground")
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    return {name.removesuffix(".html"): (folder / name).as_uri() for name in texts}
