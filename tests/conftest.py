"""Settings of all tests, and Chromium for those of pages, which are skipped without it or without Playwright."""

import os
import shutil

import pytest
from hypothesis import HealthCheck, settings

import curvewise as cw
from ring import examples

# No deadline: a busy machine is not a bug. Derandomised, so that a failure is the same for everyone.
settings.register_profile(
    "curvewise",
    deadline=None,
    max_examples=examples(30),
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("curvewise")

ARGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


@pytest.fixture(autouse=True)
def _default_threads():
    yield
    cw.set_threads(None)


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
