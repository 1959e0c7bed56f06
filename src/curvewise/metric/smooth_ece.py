"""SmoothECE: the calibration error of residuals smoothed by a kernel that chooses its own width."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from curvewise.arrays import Floats
from curvewise.core.probability import of_probabilities
from curvewise.metric.blocks import Blocks, blocks_of
from curvewise.metric.calibration_error import GAP
from curvewise.metric.registry import metric

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep

GRID = 2048
COARSE = 4.0  # a kernel narrower than this many cells is too fine for a grid
STEPS = 60  # to the width that equals its error  # mutants: work
LEAST, FIRST, MOST = -30.0, -5.0, 0.1  # log widths between which it is sought, and the first that is tried
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
    mass = np.zeros((len(residual), GRID))
    mass[:, cells] = np.add.reduceat(residual * (1 - share), starts, axis=1)
    mass[:, cells + 1] += np.add.reduceat(residual * share, starts, axis=1)
    return mass


def smooth_errors(mass: Floats, sizes: tuple[int, ...] = (GRID,), close: float = 1e-10) -> Floats:  # mutants: rounding
    """Return SmoothECE of each line of residuals on the grid.

    A Gaussian that is reflected at both ends again and again is heat that spreads between walls: each cosine
    cos(πkt) shrinks by exp(-π²k²σ²/2). A wide kernel leaves few of them, so a coarse grid will do for it:
    ``sizes`` are tried in turn. ``close`` is the error of the answer.
    """
    from scipy.fft import dct  # noqa: PLC0415 - slow to load

    waves, errors = dct(mass, axis=1), np.zeros(len(mass))
    todo = np.arange(len(mass))
    for size in sizes:
        if size < sizes[-1]:  # where the width will be too fine for this grid, it need not be found
            # mutants: never equal
            wide = _error(waves[todo, :size])(np.full(len(todo), COARSE / size)) >= COARSE / size
            coarse, todo = todo[wide], todo[~wide]
        else:
            coarse = todo
        if len(coarse):
            errors[coarse] = _own_width(waves[coarse, :size], close)
        if not len(todo):
            break
    return errors


def _error(waves: Floats) -> Callable[[Floats], Floats]:
    """Return what tells the mean absolute residual that a kernel of some width leaves, for each line."""
    from scipy.fft import idct  # noqa: PLC0415 - slow to load

    square = (np.pi * np.arange(waves.shape[1])) ** 2 / 2

    def error(width: Floats) -> Floats:
        smooth = idct(waves * np.exp(-square * width[:, None] ** 2), axis=1)
        return np.asarray(np.abs(smooth, out=smooth).sum(axis=1))

    return error


def _own_width(waves: Floats, close: float) -> Floats:
    """Return the width that equals its error, for each line; the error falls as the width rises, so there is one.

    The logarithm of error / width falls by at least 1 for each 1 of log width, and for residuals of chance by about
    1.5: secants find its zero in a few steps.
    """
    error = _error(waves)
    low, high = np.full(len(waves), LEAST), np.full(len(waves), MOST)
    at, slope = np.full(len(waves), FIRST), np.full(len(waves), -1.5)  # mutants: work
    before, above_before = at, np.zeros(len(waves))
    for _ in range(STEPS):
        width = np.exp(at)
        errors = error(width)
        far = np.abs(errors - width) >= close  # mutants: work, never equal
        if not far.any():
            break
        above = np.log(np.maximum(errors, 1e-300)) - at  # mutants: rounding
        moved = at != before
        slope[moved] = np.minimum((above - above_before)[moved] / (at - before)[moved], -1)  # mutants: rounding
        low, high = np.where(above > 0, at, low), np.where(above > 0, high, at)  # mutants: found already
        before, above_before = at, above
        there = at - above / slope
        there = np.where((there > low) & (there < high), there, (low + high) / 2)
        at = np.where(far, there, at)
    return np.where(errors > 0, width, 0.0)
