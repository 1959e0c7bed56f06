"""Small scenes for tests: the reference files, and random ones with ties, crowds and equal boxes."""

from __future__ import annotations

import json
import random
from pathlib import Path

from hypothesis import strategies as st

REFERENCE = Path(__file__).parent / "reference"


def load(name):
    return json.loads((REFERENCE / name).read_text("utf-8"))


def golden():
    return load("truth.json"), load("detections.json")


def box(draw):
    x, y = (draw(st.integers(6, 18)) for _ in "xy")
    w, h = (draw(st.integers(1, 8)) for _ in "wh")
    return [x / 2, y / 2, w / 2, h / 2]


@st.composite
def scenes(draw, images=3, classes=2, truths=8, found=12, crowds=True):
    """Return (truth, detections) in COCO's form: boxes on a coarse grid, few distinct scores."""
    annotations = [
        {
            "id": k,
            "image_id": draw(st.integers(1, images)),
            "category_id": draw(st.integers(1, classes)),
            "bbox": (b := box(draw)),
            "area": draw(st.sampled_from([b[2] * b[3], 4.0, 9.0])),
            "iscrowd": int(crowds and draw(st.integers(0, 5)) == 0),
        }
        for k in range(1, 1 + draw(st.integers(1, truths)))
    ]
    annotations[0]["iscrowd"] = 0
    detections = [
        {
            "image_id": draw(st.integers(1, images)),
            "category_id": draw(st.integers(1, classes)),
            "bbox": draw(st.sampled_from([a["bbox"] for a in annotations])) if draw(st.booleans()) else box(draw),
            "score": draw(st.sampled_from([0.125, 0.25, 0.5, 0.75])),
        }
        for _ in range(draw(st.integers(0, found)))
    ]
    truth = {
        "images": [{"id": k} for k in range(1, images + 1)],
        "categories": [{"id": k, "name": f"c{k}"} for k in range(1, classes + 1)],
        "annotations": annotations,
    }
    return truth, detections


def renamed(truth, found, seed=0, name=str):
    """Return the same scene with rows shuffled, images and classes under other ids, in another order."""
    rng = random.Random(seed)
    ids = [i["id"] for i in truth["images"]]
    images = dict(zip(ids, rng.sample([name(k) for k in range(100, 100 + len(ids))], len(ids)), strict=True))
    kinds = [c["id"] for c in truth["categories"]]
    classes = dict(zip(kinds, rng.sample([name(k) for k in range(7, 7 + len(kinds))], len(kinds)), strict=True))

    def moved(rows):
        return shuffled(
            [{**r, "image_id": images[r["image_id"]], "category_id": classes[r["category_id"]]} for r in rows]
        )

    def shuffled(rows):
        return rng.sample(rows, len(rows))

    other = {
        "images": shuffled([{**i, "id": images[i["id"]]} for i in truth["images"]]),
        "categories": shuffled([{**c, "id": classes[c["id"]]} for c in truth["categories"]]),
        "annotations": moved(truth["annotations"]),
    }
    return other, moved(found)
