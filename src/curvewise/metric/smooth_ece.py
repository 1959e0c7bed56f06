"""SmoothECE: the calibration error of residuals smoothed by a kernel that chooses its own width."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from curvewise.core.probability import of_probabilities
from curvewise.core.registry import metric
from curvewise.metric.blocks import blocks_of
from curvewise.metric.calibration_error import GAP

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from curvewise.core.sweep import Sweep
    from curvewise.metric.blocks import Blocks

    Floats = NDArray[np.float64]

GRID = 2048
COARSE = 4.0  # a kernel narrower than this many cells is too fine for a grid
MOST = 60  # steps to the width that equals its error
BLASIOK = "Błasiok & Nakkiran (2024) ICLR, arXiv:2309.12236"


@metric(
    aliases=("smece", "smooth_calibration_error"),
    **{**GAP, "reference": BLASIOK},
    formula="the σ with ∫ |Σ K_σ(t, p)·(y - p)|/n dt = σ, K_σ Gaussian, reflected at 0 and 1",
)
def smooth_ece(sweep: Sweep) -> float:
    """Return the mean absolute smoothed residual, with the kernel as wide as the answer (SmoothECE).

    ∫ |mean of K_σ(t, p)·(y - p)| dt with a Gaussian kernel that is reflected at 0 and 1, where σ is the one
    width at which the integral is σ itself. No bins; like ECE it cannot be negative, so it is biased upward.
    """
    return smooth_error(blocks_of(of_probabilities(sweep)))


def smooth_error(blocks: Blocks) -> float:
    """Return SmoothECE of blocks."""
    mass = blocks.summed(lambda here: on_grid(blocks.p[here], blocks.residual(here)[None]))
    return float(smooth_errors(mass / blocks.n)[0])


def on_grid(p: Floats, residual: Floats) -> Floats:
    """Put residuals at rising or falling probabilities, one line per sample, on the middles of equal cells of [0, 1].

    Each is shared by the two nearest middles so that its place is kept.
    """
    place = np.clip(p * GRID - 0.5, 0, GRID - 1)
    left = np.minimum(place.astype(np.intp), GRID - 2)
    share = place - left
    starts = np.append(0, np.flatnonzero(left[1:] != left[:-1]) + 1)
    cells = left[starts]
    found = np.zeros((len(residual), GRID))
    found[:, cells] = np.add.reduceat(residual * (1 - share), starts, axis=1)
    found[:, cells + 1] += np.add.reduceat(residual * share, starts, axis=1)
    return found


def smooth_errors(mass: Floats, sizes: tuple[int, ...] = (GRID,), close: float = 1e-10) -> Floats:
    """Return SmoothECE of each line of residuals on the grid.

    A Gaussian that is reflected at both ends again and again is heat that spreads between walls: each cosine
    cos(πkt) shrinks by exp(-π²k²σ²/2). A wide kernel leaves few of them, so a coarse grid will do for it:
    ``sizes`` are tried in turn. ``close`` is the error of the answer.
    """
    from scipy.fft import dct  # noqa: PLC0415 - slow to load

    waves, found = dct(mass, axis=1), np.zeros(len(mass))
    todo = np.arange(len(mass))
    for size in sizes:
        if size < sizes[-1]:  # where the width will be too fine for this grid, it need not be found
            wide = _excess(waves[todo, :size])(np.full(len(todo), COARSE / size)) >= 0
            coarse, todo = todo[wide], todo[~wide]
        else:
            coarse = todo
        if len(coarse):
            found[coarse] = _own_width(waves[coarse, :size], close)
        if not len(todo):
            break
    return found


def _excess(waves: Floats) -> Callable[[Floats], Floats]:
    """Return what tells by how much the error of a width is more than the width, for each line."""
    from scipy.fft import idct  # noqa: PLC0415 - slow to load

    square = (np.pi * np.arange(waves.shape[1])) ** 2 / 2

    def excess(width: Floats) -> Floats:
        smooth = idct(waves * np.exp(-square * width[:, None] ** 2), axis=1)
        return np.asarray(np.abs(smooth).sum(axis=1) - width)

    return excess


def _own_width(waves: Floats, close: float) -> Floats:
    """Return the width that equals its error, for each line; the error falls as the width rises, so there is one."""
    excess = _excess(waves)
    low, high = np.zeros(len(waves)), np.ones(len(waves))
    above, below = excess(low), excess(high)
    for _ in range(MOST):  # false position; an end that stays counts half the next time (Illinois)
        middle = np.where(above > below, low + (high - low) * above / np.maximum(above - below, 1e-300), low)
        here = excess(middle)
        up = here > 0
        low, high = np.where(up, middle, low), np.where(up, high, middle)
        above, below = np.where(up, here, above / 2), np.where(up, below / 2, here)
        if np.abs(here).max() < close:
            break
    return middle
