"""Chromium for the tests of the page; without it, or without Playwright, they are skipped."""

import os
import shutil

import pytest

from curvewise.report.render import render_html
from report import sample

ARGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


@pytest.fixture(scope="session")
def chromium():
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="the page's script is tested with playwright, which is not installed"
    )
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.skip("the page's script is tested in chromium, which is not installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=list(ARGS))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def report(tmp_path_factory):
    """Return the address of the sample page."""
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(render_html(sample.screening(), sample.drawings(), "en"), "utf-8")
    return path.as_uri()
