"""Precision and recall of four detections of three objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import curvewise as cw

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw(lang: Literal["en", "zh"]) -> Figure:
    """Draw the curve of the worked example: right, wrong, right, wrong."""
    truth = [{"image_id": 1, "category_id": "cat", "bbox": [x, 0, 10, 10]} for x in (0, 50, 100)]
    found = [
        {"image_id": 1, "category_id": "cat", "bbox": [x, 0, 10, 10], "score": s}
        for x, s in ((0, 0.9), (700, 0.8), (50, 0.7), (750, 0.6))
    ]
    return cw.detection.match(truth, found).plot(lang=lang).figure
