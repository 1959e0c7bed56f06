"""Masks: overlap and areas by pycocotools' code, against its own evaluation of segmentations."""

import contextlib
import copy
import io
import math

import numpy as np
import pytest

import curvewise as cw

code = pytest.importorskip("pycocotools.mask")


def masks_scene(seed=0, images=12, polygons=True):
    rng = np.random.default_rng(seed)
    truth = {
        "info": {},
        "images": [{"id": k, "width": 120, "height": 100} for k in range(1, images + 1)],
        "categories": [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}],
        "annotations": [],
    }
    found = []
    for image in range(1, images + 1):
        for _ in range(rng.integers(1, 5)):
            x, y, w, h = (float(v) for v in (*rng.integers(0, 60, 2), *rng.integers(12, 45, 2)))
            corners = [x, y, x + w, y, x + w, y + h, x + w / 3, y + h]  # less than the box
            encoded = code.merge(code.frPyObjects([corners], 100, 120))
            kind = int(rng.integers(1, 3))
            area = float(code.area(encoded))
            truth["annotations"].append(
                {"id": len(truth["annotations"]) + 1, "image_id": image, "category_id": kind, "bbox": [x, y, w, h],
                 "area": area, "iscrowd": 0, "segmentation": [corners] if polygons else encoded}
            )  # fmt: skip
            moved = [v + float(rng.normal(0, 2)) for v in corners]
            shape = code.merge(code.frPyObjects([moved], 100, 120))
            score = round(float(rng.random()), 3)
            found.append({"image_id": image, "category_id": kind, "segmentation": shape, "score": score})
            found.append({"image_id": image, "category_id": 3 - kind, "segmentation": shape, "score": score / 2})
    return truth, found


def theirs(truth, found):
    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval

    with contextlib.redirect_stdout(io.StringIO()):
        coco = COCO()
        coco.dataset = copy.deepcopy(truth)
        coco.createIndex()
        judged = COCOeval(coco, coco.loadRes(copy.deepcopy(found)), "segm")
        judged.evaluate()
        judged.accumulate()
        judged.summarize()
    return judged.stats


@pytest.mark.parametrize("seed", range(3))
def test_pycocotools_agrees_on_masks(seed):
    truth, found = masks_scene(seed)
    m = cw.detection.match(truth, found, overlap="mask")
    for value, told in zip(m.like_pycocotools().values(), theirs(truth, found), strict=True):
        assert value == pytest.approx(told, abs=1e-12) if told > -1 else math.isnan(value)
    assert m.ap50 > 0


def test_errors_and_confusion_compare_masks_too():
    truth, found = masks_scene()
    m = cw.detection.match(truth, found, overlap="mask")
    assert m.errors().counts["class"] > 0
    assert m.confusion(0.0).of("a", "a") == m.at(0.0).by_class["a"].tp


def test_a_row_without_a_mask_is_refused():
    truth, found = masks_scene()
    del found[3]["segmentation"]
    with pytest.raises(cw.CurvewiseError, match=r"found: .*segmentation"):
        cw.detection.match(truth, found, overlap="mask")


def test_without_pycocotools_it_says_how_to_install(monkeypatch):
    import builtins

    usual = builtins.__import__

    def absent(name, *rest, **more):
        if name.startswith("pycocotools"):
            raise ImportError(name)
        return usual(name, *rest, **more)

    truth, found = masks_scene()
    monkeypatch.setattr(builtins, "__import__", absent)
    with pytest.raises(cw.MissingExtraError, match="pip install pycocotools"):
        cw.detection.match(truth, found, overlap="mask")
