"""Resamples of rows of many classes or labels: what was sorted stays sorted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise.core.resampling import MANY, draw_times, replicate_draws
from curvewise.rows.rows import Rows

if TYPE_CHECKING:
    from curvewise.many_classes.class_rows import ClassRows, Seed

    Draw = Callable[[np.random.Generator], NDArray[Any]]


def drawer(m: ClassRows) -> Draw:
    """Return what draws how often each row is taken: whole clusters, or rows of any class, within strata."""
    same = np.ones(len(m), dtype=bool)  # one class, so that rows are drawn in their own order
    if len(m) <= MANY or m.cluster is not None or m.stratum is not None:
        rows = Rows(same, {}, m.weight, m.weight_kind, m.cluster, m.stratum, m.sampled)
        return draw_times(rows, stratified=False)
    order = _own_order(m)
    draw = draw_times(Rows(same, {}, None if m.weight is None else m.weight[order], m.weight_kind), stratified=False)

    def drawn(rng: np.random.Generator) -> NDArray[Any]:
        times = draw(rng)
        in_order = np.empty_like(times)
        in_order[order] = times
        return in_order

    return drawn


def _own_order(m: ClassRows) -> NDArray[np.intp]:
    """Return many rows in an order that is theirs, so that resamples do not depend on how they came.

    By one mixture of all that a row has, which only rows that are alike share.
    """
    columns = [*np.atleast_2d(m.truth), *([] if m.ready is None else m.ready.scores)]
    columns += [] if m.weight is None else [m.weight]
    mixture = np.zeros(len(m))
    with np.errstate(all="ignore"):
        for share, column in zip(np.random.default_rng(0).random(len(columns)), columns, strict=True):
            mixture += share * column
    return np.argsort(mixture, kind="stable") if np.isfinite(mixture).all() else np.lexsort(columns)


def replicate(
    of_rows: Sequence[ClassRows], read: Callable[..., Any], replicates: int, rng: Seed
) -> tuple[NDArray[np.float64], int]:
    """Return what is read from every resample of models on the same rows, and how many do not define it.

    The scores of many rows are put together in bins; by as much as this moves the number, resamples are moved back.
    """
    draw, models = drawer(of_rows[0]), [m.in_bins() for m in of_rows]

    def one(stream: np.random.Generator) -> Any:
        times = draw(stream)
        return read(*(m.weighed(times) for m in models))

    if all(m is same for m, same in zip(models, of_rows, strict=True)):
        return replicate_draws(one, replicates, rng)
    # read before the draws, so that bins are made once and not by every thread
    exact, binned = (np.asarray(read(*rows), dtype=np.float64) for rows in (of_rows, models))
    values, failed = replicate_draws(one, replicates, rng)
    with np.errstate(invalid="ignore"):
        return values + np.nan_to_num(exact - binned, posinf=0, neginf=0), failed
