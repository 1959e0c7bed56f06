"""The rows of a side that are judged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from curvewise.detection.inputs.side import Side
    from curvewise.detection.scene import Bools, Floats, Ints


@dataclass(frozen=True, eq=False)
class Kept:
    """The rows of a side that are judged: their numbers, and their places among images and classes.

    ``box`` is nobody else's, and becomes x, y, width, height in pixels.
    """

    side: Side
    row: Ints
    image: Ints
    label: Ints
    box: Floats

    def __len__(self) -> int:
        return len(self.row)

    def of(self, values: NDArray[Any] | None) -> Any:
        """Return these rows of a column of the side."""
        return values if values is None or len(self.row) == len(self.side) else values[self.row]

    def of_list(self, values: list[Any] | None) -> list[Any] | None:
        """Return these rows of a list."""
        return values if values is None or len(self.row) == len(self.side) else [values[k] for k in self.row.tolist()]


def kept_rows(side: Side, image: Ints, label: Ints, gone: Bools | None) -> Kept:
    """Keep the rows of judged images and classes that lack nothing."""
    if gone is None and (not len(side) or (image.min() >= 0 and label.min() >= 0)):
        return Kept(side, np.arange(len(side), dtype=np.intp), image, label, side.box)
    keep = (image >= 0) & (label >= 0)
    if gone is not None:
        keep &= ~gone
    return Kept(side, np.flatnonzero(keep), image[keep], label[keep], side.box[keep])
