"""Take the screenshots of the demo report again, with Chromium and Playwright."""

from __future__ import annotations

import shutil
import tempfile
from importlib.resources import as_file, files
from pathlib import Path

from playwright.sync_api import sync_playwright

import curvewise as cw

HERE = Path(__file__).parent
ARGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
SHOTS = {"report-en": ("en", None), "explorer-en": ("en", "#ex"), "report-zh": ("zh", None)}


def main() -> None:
    """Evaluate the shipped data, open the report, and keep what is seen: all, or one part."""
    with as_file(files("curvewise.data") / "screening.csv") as data:
        found = cw.evaluate(
            data,
            label="disease",
            scores=["model_a", "model_b"],
            group="sex",
            site="site",
            costs={"fp": 1, "fn": 10},
            prevalence=0.02,
            rng=0,
        )
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=ARGS)
        for lang in ("en", "zh"):
            found.report(Path(folder) / f"{lang}.html", lang=lang)
        for name, (lang, part) in SHOTS.items():
            page = browser.new_page(viewport={"width": 1240, "height": 900})
            page.goto((Path(folder) / f"{lang}.html").as_uri())
            page.set_viewport_size({"width": 1240, "height": 900 if part is None else 2200})
            (page if part is None else page.locator(part)).screenshot(path=HERE / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main()
