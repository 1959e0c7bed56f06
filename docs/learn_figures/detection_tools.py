"""Four equal scores: what three treatments of ties make of precision and recall."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import curvewise as cw
from curvewise.figures import draw_pr

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NAMES = {
    "en": ("right ones first", "rows as they come", "one block"),
    "zh": ("正确的在前", "按文件中的次序", "作为一个整体"),
}
SCORES = ((0.54, 0.53, 0.52, 0.51), (0.54, 0.51, 0.53, 0.52), (0.5, 0.5, 0.5, 0.5))


def draw(lang: Literal["en", "zh"]) -> Figure:
    """Draw two right and two wrong boxes in three orders."""
    truth = [{"image_id": 1, "category_id": 1, "bbox": [x, 0, 10, 10]} for x in (0, 50)]
    curves = {}
    for name, scores in zip(NAMES[lang], SCORES, strict=True):
        found = [
            {"image_id": 1, "category_id": 1, "bbox": [x, 0, 10, 10], "score": s}
            for x, s in zip((0, 50, 700, 750), scores, strict=True)
        ]
        curves[name] = cw.pr_curve(cw.detection.match(truth, found).sweep(1, iou=0.5))
    return draw_pr(curves, lang=lang).figure
