"""Take the screenshots of the demo report again, with Chromium and Playwright."""

from __future__ import annotations

import shutil
import tempfile
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

import curvewise as cw

HERE = Path(__file__).parent
ARGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
SHOTS = {
    "report-en": ("en", None),
    "explorer-en": ("en", "#ex"),
    "report-zh": ("zh", None),
    "explorer-zh": ("zh", "#ex"),
    "classes-en": ("classes-en", "#summary"),
    "classes-zh": ("classes-zh", "#summary"),
    "detection-en": ("detection", None),
}
NAMES = ("healthy", "cold", "flu", "pneumonia", "covid")


def five_classes() -> cw.Evaluation:
    """Evaluate a made-up model of five classes, rare ones among them, that is too sure of itself."""
    rng = np.random.default_rng(7)
    share = np.array([0.52, 0.24, 0.13, 0.07, 0.04])
    z = 1.3 * rng.normal(size=(2000, 5)) + np.log(share)
    p = np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
    y = (p.cumsum(axis=1) > rng.random((2000, 1))).argmax(axis=1)
    told = np.exp(1.3 * z) / np.exp(1.3 * z).sum(axis=1, keepdims=True)
    data = {"diagnosis": [NAMES[k] for k in y], "ward": np.where(rng.random(2000) < 0.4, "north", "south")}
    data |= {name: told[:, k] for k, name in enumerate(NAMES)}
    return cw.evaluate(data, label="diagnosis", scores=NAMES, group="ward")


def two_detectors() -> cw.detection.DetectionEvaluation:
    """Evaluate the shipped detections."""
    folder = files("curvewise.data")
    with as_file(folder / "traffic_truth.json") as truth, as_file(folder) as data:
        found = {name: data / f"traffic_detector_{name}.json" for name in "ab"}
        return cw.detection.evaluate(truth, found)


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
    classes = five_classes()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=ARGS)
        for lang in ("en", "zh"):
            found.report(Path(folder) / f"{lang}.html", lang=lang)
            classes.report(Path(folder) / f"classes-{lang}.html", lang=lang)
        two_detectors().report(Path(folder) / "detection.html")
        for name, (lang, part) in SHOTS.items():
            page = browser.new_page(viewport={"width": 1240, "height": 900})
            page.goto((Path(folder) / f"{lang}.html").as_uri())
            page.set_viewport_size({"width": 1240, "height": 900 if part is None else 2200})
            (page if part is None else page.locator(part)).screenshot(path=HERE / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main()
