"""One row per detection: where it is, what it was matched with, and what it counts as at each IoU threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Ints
from curvewise.detection.matching.image_pairs import taken_truth
from curvewise.detection.matching.pairs import overlapping
from curvewise.results.result import Table

if TYPE_CHECKING:
    from curvewise.detection.matching.matches import Matches

STATUS = np.array(["false", "true", "aside"], dtype=object)  # by status: 0, 1, and -1 from the end


def row_table(m: Matches) -> Table:
    """Return what `Matched.rows` describes."""
    found = m.scene.found
    truth, overlap = taken_truth(m, 0), np.full(len(m.found), np.nan)
    some = np.flatnonzero(truth >= 0)
    each = np.arange(len(some))  # every pair is a group of its own
    overlap[some] = overlapping(m.scene, m.found[some], each, truth[some], each, 0.0, m.overlap).overlap
    columns: dict[str, list[Any]] = {
        "image": named(m.scene.images, found.image[m.found]),
        "class": named(m.scene.classes, found.label[m.found]),
        "score": found.score[m.found].tolist(),
        **dict(zip(("x", "y", "width", "height"), found.box[m.found].T.tolist(), strict=True)),
        "row": found.row[m.found].tolist(),
        "truth": truth_names(m, truth),
        "iou": or_none(overlap),
    }
    for t in m.iou:
        columns[f"at {t:.2f}" if round(t, 2) == t else f"at {t:g}"] = STATUS[m.status(t)].tolist()
    return Table("Detections", columns)


def named(names: tuple[Any, ...], places: Ints) -> list[Any]:
    """Return the names at these places; None at -1."""
    every = np.empty(len(names) + 1, dtype=object)
    every[:-1] = list(names)
    found: list[Any] = every[places].tolist()
    return found


def truth_names(m: Matches, truth: Ints) -> list[Any]:
    """Return the ids of objects, or their rows where they have none; None at -1."""
    truths = m.scene.truths
    rows = truths.row.tolist()
    if truths.id is not None:
        rows = [row if ident is None else ident for ident, row in zip(truths.id, rows, strict=True)]
    return named(tuple(rows), truth)


def or_none(values: NDArray[np.float64]) -> list[float | None]:
    """Return numbers, None instead of NaN."""
    found = values.astype(object)
    found[np.isnan(values)] = None
    listed: list[float | None] = found.tolist()
    return listed
