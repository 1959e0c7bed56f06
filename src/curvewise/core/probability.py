"""The door for probabilities: scores that must lie in [0, 1], and what they look like where they do not."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise.core.sweep import Sweep, as_source, sweep_of
from curvewise.errors import CurvewiseError, CurvewiseWarning
from curvewise.results.numbers import show
from curvewise.rows.columns import Column, count
from curvewise.rows.reading import read_columns, real_numbers

if TYPE_CHECKING:
    from curvewise.rows.rows import RowOptions, Rows

SLIP = 1e-6  # so far beyond [0, 1] is rounding, and is clipped with a warning
FEW = 0.05  # a smaller share of scores outside is a slip, not another scale


def probability_sweep(y: object, p: object, options: RowOptions) -> Sweep:
    """Take a sweep of probabilities, or make one from rows, or from labels and probabilities.

    Thresholds of the result are float64 in [0, 1]. Values up to 1e-6 beyond are clipped with a warning
    (equal ones are then one block); anything further is refused with a guess at what the scores are.
    """
    return rows_and_sweep(y, p, options)[1]


def rows_and_sweep(y: object, p: object, options: RowOptions) -> tuple[Rows | None, Sweep]:
    """Return the rows, None where a sweep was given, and the sweep of their probabilities."""
    if isinstance(turned := options.get("higher_is"), str) and turned == "negative":
        raise CurvewiseError(_TURNED)
    source = as_source(y, p, options)
    rows, sweep = (None, source) if isinstance(source, Sweep) else (source, sweep_of(source))
    if rows is not None and sweep.higher_is == "positive" and _beyond(sweep.threshold).any():
        raise outside_error(Column("p", rows.score, rows=rows.kept), sweep.threshold)
    inside = of_probabilities(sweep)
    if (sweep.threshold[[0, -1]] != inside.threshold[[0, -1]]).any():
        outside = (sweep.threshold < 0) | (sweep.threshold > 1)
        clipped = (sweep.block_positives + sweep.block_negatives)[outside].sum().item()
        _warn_clipped(clipped, sweep.n)
    return rows, inside


def probabilities(p: object) -> NDArray[np.float64]:
    """Check probabilities without labels; those hardly outside [0, 1] are clipped with a warning."""
    column = read_columns({"p": p}, "raise")[0]["p"]
    values: NDArray[np.float64] = real_numbers(column).astype(np.float64, copy=False)
    ends = np.array([values.max(), values.min()])
    if _beyond(ends).any():
        raise outside_error(replace(column, values=values), np.unique(values)[::-1])
    if ends[0] > 1 or ends[1] < 0:
        _warn_clipped(int(np.count_nonzero((values < 0) | (values > 1))), len(values))
    return np.clip(values, 0, 1)


def of_probabilities(sweep: Sweep) -> Sweep:
    """Return a sweep whose thresholds are float64 in [0, 1], or refuse; what is hardly outside is clipped."""
    if sweep.higher_is == "negative":
        raise CurvewiseError(_TURNED)
    if not sweep.all_scored:
        raise CurvewiseError(
            "A sweep in which some positives have no score has no probability for them; give them one."
        )
    if _beyond(sweep.threshold).any():
        outside = (sweep.threshold < -SLIP) | (sweep.threshold > 1 + SLIP)
        first = float(sweep.threshold[outside][0])
        raise CurvewiseError(
            f"p: expected probabilities from 0 to 1, got {count(int(outside.sum()), 'other score')}, "
            f"the first {first!r}; {_looks(sweep.threshold)}."
        )
    threshold = sweep.threshold.astype(np.float64, copy=False)
    if threshold[0] > 1 or threshold[-1] < 0:
        # scores clipped to one value are one block: its counts are those of the last of them
        clipped = np.clip(threshold, 0, 1)
        last = np.append(np.flatnonzero(clipped[1:] != clipped[:-1]), len(clipped) - 1)
        return replace(sweep, threshold=clipped[last], tp=sweep.tp[last], fp=sweep.fp[last])
    return sweep if threshold is sweep.threshold else replace(sweep, threshold=threshold)


def outside_error(column: Column, falling: NDArray[Any]) -> CurvewiseError:
    """Return the error of probabilities outside [0, 1], given the distinct ones in falling order."""
    values = column.values
    wrong = (values < -SLIP) | (values > 1 + SLIP)
    return column.wrong(wrong, "probabilities from 0 to 1", _looks(falling))


def _warn_clipped(outside: float, n: float) -> None:
    warnings.warn(
        f"p: clipped to [0, 1]: {show(outside)} of {show(n)} rows lie up to {SLIP:g} outside.",
        CurvewiseWarning,
        stacklevel=5,
    )


_TURNED = (
    "higher_is: p is the probability of the positive class, so higher is positive; "
    "pass 1 - p, or positive= for the class that p speaks of."
)


def _beyond(threshold: NDArray[Any]) -> NDArray[np.bool_]:
    """Say whether the highest and the lowest score, the ends of a sweep, are no probabilities."""
    ends = threshold[[0, -1]]
    return (ends > 1 + SLIP) | (ends < -SLIP)


def _looks(threshold: NDArray[Any]) -> str:
    """Guess what scores outside [0, 1] are, and say what would make probabilities of them."""
    high, low = float(threshold[0]), float(threshold[-1])
    if not np.isfinite([high, low]).all():
        return "an infinite score is a rank, not a probability"
    if np.mean((threshold < -SLIP) | (threshold > 1 + SLIP)) < FEW:
        return "correct those rows"
    whole = bool((threshold == np.floor(threshold)).all())  # mutants: same test
    if low >= 0 and whole and high <= 10:
        return (
            f"whole numbers from {low:g} to {high:g} look like ratings, which rank and are no "
            "probabilities: fit them with curvewise.isotonic"
        )
    if low >= 0 and 2 < high <= 100:
        return "they look like percentages: divide by 100"
    if high <= 0:
        return "they look like logarithms of probabilities: apply exp(x)"
    if low >= -0.5 and high <= 1.5 and 0.5 <= low + high <= 1.5:
        return "they look like the fit of a linear regression, which knows no bounds"
    if low < 0 and -low <= 1 and high <= 1:
        return (
            "from -1 to 1 they look like signed scores of a decision function, which rank and are no "
            "probabilities: fit them with curvewise.isotonic"
        )
    if low < 0 and max(-low, high) <= 50:
        return "they look like logits: apply 1 / (1 + exp(-x))"
    return "scores that only rank can be fitted with curvewise.isotonic"


__all__ = ["SLIP", "of_probabilities", "outside_error", "probabilities", "probability_sweep", "rows_and_sweep"]
