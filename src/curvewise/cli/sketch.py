"""Small ROC curves drawn with characters, side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from curvewise.results.text import shortened, width
from curvewise.words import Lang, words

if TYPE_CHECKING:
    from curvewise.curves.roc import RocCurve

COLUMNS, ROWS = 20, 8  # characters are about twice as high as wide
MOST = 3
SAMPLES = 500
BLANK = 0x2800  # of the block of braille
# the bit of each dot of a braille character, by row and column
DOTS = np.array([[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]])


def sketch(curves: Mapping[str, RocCurve], *, plain: bool, lang: Lang = "en") -> str:
    """Draw the first curves, TPR against FPR, with the line of chance; ``plain`` is ASCII alone."""
    shown = dict(list(curves.items())[:MOST])
    draw = _ascii if plain else _braille
    wall, corner, floor = ("|", "+", "-") if plain else ("│", "└", "─")
    names = [shortened(name, COLUMNS) for name in shown]
    head = [f"  {name}{' ' * (COLUMNS - width(name))}" for name in names]
    drawn = [draw(*curve.axes()) for curve in shown.values()]
    rows = ["  ".join(f"{wall}{line}" for line in lines) for lines in zip(*drawn, strict=True)]
    foot = "  ".join(corner + floor * COLUMNS for _ in shown)
    lines = [" ".join(head), *(f" {row}" for row in rows), f" {foot}"]
    left = len(curves) - len(shown)
    w = words(lang)
    lines.append("  " + w("terminal.axes") + (w("terminal.more_curves", more=left) if left else ""))
    return "\n".join(line.rstrip() for line in lines)


def _braille(fpr: np.ndarray, tpr: np.ndarray) -> list[str]:
    high, wide = DOTS.shape
    dots = np.zeros((ROWS * high, COLUMNS * wide), dtype=bool)
    chance = np.arange(0, len(dots), 3)  # dotted
    dots[len(dots) - 1 - chance, chance] = True
    dots[_places(fpr, tpr, dots.shape)] = True
    bits = dots.reshape(ROWS, high, COLUMNS, wide).transpose(0, 2, 1, 3) * DOTS
    return ["".join(chr(BLANK + code) if code else " " for code in row) for row in bits.sum((2, 3)).tolist()]


def _ascii(fpr: np.ndarray, tpr: np.ndarray) -> list[str]:
    cells = np.full((ROWS, COLUMNS), " ")
    along = np.linspace(0, 1, COLUMNS)
    cells[_places(along, along, cells.shape)] = "."
    cells[_places(fpr, tpr, cells.shape)] = "*"
    return ["".join(row) for row in cells.tolist()]


def _places(fpr: np.ndarray, tpr: np.ndarray, shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Return the cells that a curve goes through; fpr + tpr grows all along it."""
    along = fpr + tpr
    at = np.linspace(0, 2, SAMPLES)
    right, up = (np.interp(at, along, side) for side in (fpr, tpr))
    down = shape[0] - 1 - np.minimum(up * shape[0], shape[0] - 1).astype(int)
    return down, np.minimum(right * shape[1], shape[1] - 1).astype(int)
