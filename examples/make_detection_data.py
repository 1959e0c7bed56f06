"""Make the example data of object detection that ship inside the package.

Run ``python examples/make_detection_data.py`` from anywhere. It writes ``traffic_truth.json``,
``traffic_detector_a.json`` and ``traffic_detector_b.json`` (all simulated, in COCO's form) into
``src/curvewise/data``. There are no pictures: only boxes, classes and scores are drawn. The seed is
fixed, so with the same NumPy the files come out the same byte for byte.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Box = NDArray[np.float64]

DATA = Path(__file__).resolve().parents[1] / "src" / "curvewise" / "data"
SEED = 7
WIDTH, HEIGHT = 640, 480
WEATHER = {"day": 90, "night": 40, "rain": 30}  # images of each
CAMERAS = ("bridge", "crossing", "market", "school", "station", "tunnel")


@dataclass(frozen=True)
class Kind:
    """A class: how many are in an image on average, height in pixels (median), width by height."""

    name: str
    mean: float
    height: float
    shape: float
    mistaken_for: str


# "train" is listed, but nothing in these images is one
KINDS = {
    1: Kind("person", 2.0, 62, 0.42, "bicycle"),
    2: Kind("bicycle", 0.5, 48, 1.15, "person"),
    3: Kind("car", 2.1, 55, 1.6, "bus"),
    4: Kind("bus", 0.35, 130, 1.25, "car"),
    5: Kind("traffic light", 0.7, 24, 0.42, "person"),
    6: Kind("dog", 0.07, 34, 1.2, "person"),
    7: Kind("train", 0.0, 140, 2.2, "bus"),
}


@dataclass(frozen=True)
class Detector:
    """How a detector behaves.

    ``reach``: log odds of finding an object of middling difficulty. ``blur``: standard error of a
    box's sides, as a share of them. ``repeats``: share of found objects that are found twice.
    ``ghosts``: boxes on background per image. ``mistakes``: share of found objects whose class is
    wrong. ``sharpness``: how much a score tells. ``shift``: how high scores are.
    """

    reach: float
    blur: float
    repeats: float
    ghosts: float
    mistakes: float
    sharpness: float
    shift: float


DETECTORS = {
    "a": Detector(reach=0.9, blur=0.036, repeats=0.03, ghosts=0.9, mistakes=0.04, sharpness=1.5, shift=0.6),
    "b": Detector(reach=2.4, blur=0.07, repeats=0.14, ghosts=1.4, mistakes=0.06, sharpness=1.3, shift=0.0),
}


def rounded(box: Box) -> list[float]:
    """Return x, y, width, height with one decimal, within the image."""
    x, y = np.clip(box[:2], 0, (WIDTH - 2, HEIGHT - 2))
    w, h = np.clip(box[2:], 2, (WIDTH - x, HEIGHT - y))
    return [round(float(v), 1) for v in (x, y, w, h)]


def some_box(rng: np.random.Generator, kind: Kind) -> Box:
    """Draw a box of a class: low in the image, and so nearer to the camera, it is larger."""
    depth = rng.uniform(-1, 1)
    height = min(kind.height * np.exp(0.55 * depth + 0.45 * rng.standard_normal()), 0.9 * HEIGHT)
    width = min(height * kind.shape * np.exp(0.15 * rng.standard_normal()), 0.9 * WIDTH)
    foot = np.clip(HEIGHT * (0.62 + 0.3 * depth), height, HEIGHT)
    return np.array([rng.uniform(0, WIDTH - width), foot - height, width, height])


def make_truth(rng: np.random.Generator) -> tuple[dict[str, Any], dict[int, float]]:
    """Draw images and objects; return COCO's dict, and how hard each object is to find."""
    weather = rng.permutation([name for name, many in WEATHER.items() for _ in range(many)])
    images = [
        {
            "id": k + 1,
            "file_name": f"traffic_{k + 1:03d}.jpg",
            "width": WIDTH,
            "height": HEIGHT,
            "weather": str(now),
            "camera": CAMERAS[int(rng.integers(len(CAMERAS)))],
        }
        for k, now in enumerate(weather)
    ]
    objects: list[dict[str, Any]] = []
    hard: dict[int, float] = {}

    def add(image: dict[str, Any], kind: int, box: list[float], *, crowd: bool) -> None:
        number = len(objects) + 1
        area = round(box[2] * box[3], 1)
        dark = {"day": 0.0, "rain": 0.5, "night": 1.2}[image["weather"]]
        hard[number] = dark - 0.8 * np.log(area / 48**2) / 2 + rng.standard_normal()
        about = {"id": number, "image_id": image["id"], "category_id": kind, "bbox": box}
        objects.append(about | {"area": area, "iscrowd": int(crowd)})

    for image in images:
        busy = rng.gamma(2.0, 0.5)  # streets are empty or full
        for number, kind in KINDS.items():
            for _ in range(int(rng.poisson(kind.mean * busy)) if kind.mean else 0):
                add(image, number, rounded(some_box(rng, kind)), crowd=False)
        if busy > 1.9 and rng.random() < 0.5:
            wide = np.array([rng.uniform(0, 360), rng.uniform(200, 300), rng.uniform(140, 260), rng.uniform(60, 110)])
            add(image, 1, rounded(wide), crowd=True)
    categories = [{"id": number, "name": kind.name} for number, kind in KINDS.items()]
    return {"images": images, "categories": categories, "annotations": objects}, hard


def make_detections(
    rng: np.random.Generator, truth: dict[str, Any], hard: dict[int, float], how: Detector
) -> list[dict[str, Any]]:
    """Draw what a detector makes of the objects, and the boxes that it adds."""
    found: list[dict[str, Any]] = []

    def add(image: int, kind: int, box: Box, evidence: float) -> None:
        score = 1 / (1 + np.exp(-(how.shift + how.sharpness * evidence)))
        if score >= 0.05:  # what a detector keeps
            about = {"image_id": image, "category_id": kind, "bbox": rounded(box)}
            found.append(about | {"score": round(min(float(score), 0.99), 2)})

    def moved(box: Box, blur: float) -> Box:
        sides = np.array([box[2], box[3], box[2], box[3]])
        return box + blur * sides * rng.standard_normal(4) * (1, 1, 1.2, 1.2)

    def in_a_crowd(thing: dict[str, Any]) -> None:
        x, y, w, h = thing["bbox"]
        for _ in range(int(rng.integers(3, 9))):
            tall = rng.uniform(0.5, 0.9) * h
            box = np.array([x + rng.uniform(0, 0.9) * w, y + rng.uniform(0, h - tall), 0.4 * tall, tall])
            add(thing["image_id"], 1, box, rng.normal(-0.3, 0.8))

    for thing in truth["annotations"]:
        if thing["iscrowd"]:
            in_a_crowd(thing)
            continue
        image, kind, box = thing["image_id"], thing["category_id"], np.array(thing["bbox"])
        ease = how.reach - hard[thing["id"]]
        if rng.random() > 1 / (1 + np.exp(-1.6 * ease)):
            continue
        evidence = 0.55 * ease + 0.5 * rng.standard_normal()
        blur = how.blur * rng.gamma(2.0, 0.5) * (1.6 if thing["area"] < 32**2 else 1.0)
        wrong = rng.random() < how.mistakes
        taken_for = next(n for n, k in KINDS.items() if k.name == KINDS[kind].mistaken_for)
        add(image, taken_for if wrong else kind, moved(box, blur), evidence - 0.6 * wrong)
        if wrong and rng.random() < 0.5:  # and the right class, too, less surely
            add(image, kind, moved(box, blur), evidence - 1.0)
        while rng.random() < how.repeats:
            evidence -= abs(rng.normal(0.4, 0.3))
            add(image, kind, moved(box, how.blur + 0.05), evidence)

    kinds = list(KINDS)
    share = np.array([max(k.mean, 0.25) for k in KINDS.values()])
    for about in truth["images"]:
        dark = {"day": 0.8, "rain": 1.2, "night": 1.3}[about["weather"]]
        for _ in range(int(rng.poisson(how.ghosts * dark))):
            kind = int(rng.choice(kinds, p=share / share.sum()))
            add(about["id"], kind, some_box(rng, KINDS[kind]), rng.normal(-1.2, 0.8))
    order = rng.permutation(len(found))
    return sorted((found[k] for k in order), key=lambda row: row["image_id"])


def write(name: str, data: object) -> None:
    """Write JSON without spaces; one entry per line, so that a change can be read."""
    text = json.dumps(data, separators=(",", ":")).replace("},{", "},\n{")
    (DATA / name).write_bytes((text + "\n").encode("ascii"))


def main() -> None:
    rng = np.random.default_rng(SEED)
    truth, hard = make_truth(rng)
    write("traffic_truth.json", truth)
    for name, how in DETECTORS.items():
        write(f"traffic_detector_{name}.json", make_detections(rng, truth, hard, how))


if __name__ == "__main__":
    main()
