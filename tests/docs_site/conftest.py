"""The site, built once per session; without the packages of the group docs its tests are skipped."""

import importlib.util
import os
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
    with pytest.MonkeyPatch.context() as patch:
        if os.name == "posix":  # a page that is handed to pandoc may keep it busy for ever
            pandoc = tmp_path_factory.mktemp("bin") / "pandoc"
            pandoc.write_text(f"#!/bin/sh\necho pandoc 3.1\ntouch '{pandoc}.called'\n", "utf-8")
            pandoc.chmod(0o755)
            patch.setenv("PATH", str(pandoc.parent), prepend=os.pathsep)
        built = builder.build(tmp_path_factory.mktemp("site"))
        assert os.name != "posix" or not pandoc.with_name("pandoc.called").exists()
    return built


@pytest.fixture(scope="session")
def pages(site):
    return {path.relative_to(site).as_posix(): Page.read(path) for path in sorted(site.rglob("*.html"))}
