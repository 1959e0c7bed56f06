"""One small scene in the forms that several tests give it."""

from curvewise.detection.formats.reading import read_scene

IMAGES = [
    {"id": 9, "width": 640, "height": 480, "file_name": "night/9.jpg", "site": "north", "license": 4},
    {"id": 0, "width": 640, "height": 480, "file_name": "night/0.jpg", "site": "south", "license": 4},
    {"id": 4, "width": 320, "height": 240, "file_name": "day/4.jpg", "site": None, "license": 4},
]
CATEGORIES = [{"id": 7, "name": "dog"}, {"id": 0, "name": "cat"}, {"id": 3, "name": "owl"}]
TRUTH = [
    {"id": 0, "image_id": 9, "category_id": 7, "bbox": [10, 20, 30, 40], "area": 900.5, "iscrowd": 0},
    {"id": 5, "image_id": 0, "category_id": 0, "bbox": [0.25, 0, 8, 8], "area": 60, "iscrowd": 1},
    {"id": 6, "image_id": 9, "category_id": 0, "bbox": [100, 100, 50, 50], "area": 2500, "iscrowd": 0},
]
FOUND = [
    {"image_id": 9, "category_id": 0, "bbox": [101, 100, 50, 50], "score": 0.5},
    {"image_id": 0, "category_id": 7, "bbox": [1, 2, 3.5, 4], "score": 0.75},
    {"image_id": 9, "category_id": 7, "bbox": [10, 20, 30, 41], "score": 0.25},
]


def coco(truth=TRUTH, **parts):
    return {"images": IMAGES, "categories": CATEGORIES, "annotations": truth} | parts


def columns(rows, names=("image", "class", "score")):
    found = {"image": [r["image_id"] for r in rows], "class": [r["category_id"] for r in rows]}
    found |= {k: [float(r["bbox"][i]) for r in rows] for i, k in enumerate("xywh")}
    if "score" in rows[0]:
        return found | {"score": [r["score"] for r in rows]}
    return found | {"area": [r["area"] for r in rows], "crowd": [r["iscrowd"] for r in rows]}


def codes(scene):
    return {n.code for n in scene.notes}


def content(scene):
    """What a scene says, whatever order its rows came in."""
    truths, found = scene.truths, scene.found
    a = [
        (scene.images[i], scene.class_ids[c], *b, area, crowd, ignored)
        for i, c, b, area, crowd, ignored in zip(
            truths.image,
            truths.label,
            truths.box.tolist(),
            truths.area.tolist(),
            truths.crowd.tolist(),
            truths.ignored.tolist(),
            strict=True,
        )
    ]
    b = [
        (scene.images[i], scene.class_ids[c], *box, s)
        for i, c, box, s in zip(found.image, found.label, found.box.tolist(), found.score.tolist(), strict=True)
    ]
    return sorted(a), sorted(b)


EXPECTED = content(read_scene(coco(), FOUND))
