"""The site, built once per session; without the packages of the group docs its tests are skipped."""

import importlib.util
from pathlib import Path

import pytest

from docs_site.reading import Page

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def builder():
    for package in (
        "mkdocs",
        "material",
        "mkdocs_static_i18n",
        "mkdocs_jupyter",
        "mkdocstrings_handlers.python",
        "jieba",
    ):
        try:
            importlib.import_module(package)
        except ImportError:
            pytest.skip(f"the site is built with {package}, which is not installed (the group docs)")
    spec = importlib.util.spec_from_file_location("build_site", ROOT / "docs" / "build_site.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def site(builder, tmp_path_factory):
    """Return the folder of the built version: the build is strict, and fails here at any warning."""
    return builder.build(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="session")
def pages(site):
    return {path.relative_to(site).as_posix(): Page.read(path) for path in sorted(site.rglob("*.html"))}
