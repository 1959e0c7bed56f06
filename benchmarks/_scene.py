"""A simulated scene as large as COCO's validation set, as the lists of dicts that a program would hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

CLASSES = 80
WIDTH, HEIGHT = 640, 480


def make_scene(
    images: int, truths: int, detections: int, decimals: int | None
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return annotations and detections in COCO's form; ``decimals`` of the scores, None for distinct ones.

    Class frequencies fall as 1/rank, sizes are log-normal, 1 object in 80 is a crowd. Two detections per object, on
    average, lie near it (the better they fit, the higher they score); the others are background, half of them of a
    class that the image has.
    """
    rng = np.random.default_rng(0)
    share = 1 / np.arange(1, CLASSES + 1)
    image, label = rng.integers(images, size=truths), rng.choice(CLASSES, truths, p=share / share.sum())
    box = _boxes(rng, truths)
    crowd = rng.random(truths) < 1 / 80

    near = rng.integers(truths, size=min(2 * truths, detections))
    blur = rng.gamma(1.5, 0.08, len(near))
    moved = box[near] + blur[:, None] * rng.standard_normal((len(near), 4)) * box[near][:, [2, 3, 2, 3]]
    moved[:, 2:] = np.maximum(moved[:, 2:], 1)
    background = detections - len(near)
    beside = rng.integers(truths, size=background)  # whose image and, for half, whose class
    other = rng.choice(CLASSES, background, p=share / share.sum())
    where = np.append(image[near], image[beside])
    what = np.append(label[near], np.where(rng.random(background) < 0.5, label[beside], other))
    evidence = np.append(1 - 6 * blur + 0.8 * rng.standard_normal(len(near)), rng.normal(-2.5, 1, background))
    score = 1 / (1 + np.exp(-evidence))
    order = rng.permutation(detections)
    boxes = np.vstack([moved, _boxes(rng, background)])

    annotations = [
        {"id": k + 1, "image_id": i + 1, "category_id": c + 1, "bbox": b, "area": b[2] * b[3], "iscrowd": int(many)}
        for k, (i, c, b, many) in enumerate(
            zip(image.tolist(), label.tolist(), box.round(2).tolist(), crowd.tolist(), strict=True)
        )
    ]
    columns = (
        where[order],
        what[order],
        boxes[order].round(2),
        score[order] if decimals is None else score[order].round(decimals),
    )
    found = [
        {"image_id": i + 1, "category_id": c + 1, "bbox": b, "score": s}
        for i, c, b, s in zip(*(column.tolist() for column in columns), strict=True)
    ]
    listed = [{"id": k + 1, "width": WIDTH, "height": HEIGHT} for k in range(images)]
    categories = [{"id": k + 1, "name": f"class {k + 1}"} for k in range(CLASSES)]
    return {"images": listed, "categories": categories, "annotations": annotations}, found


def _boxes(rng: np.random.Generator, many: int) -> Floats:
    size = np.exp(rng.normal(4.0, 0.9, (many, 1)) + rng.normal(0, 0.3, (many, 2))).clip(4, (WIDTH - 1, HEIGHT - 1))
    return np.hstack([rng.random((many, 2)) * (np.array([WIDTH, HEIGHT]) - size), size])
