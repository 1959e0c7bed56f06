"""How messages about one side are worded: where, what, in how many rows, which, what to do."""

from __future__ import annotations

from curvewise.arrays import Bools, Ints
from curvewise.errors import ColumnName, CurvewiseError
from curvewise.rows.columns import count, row_numbers


def wrong(where: str, message: str, **fields: object) -> CurvewiseError:
    """Return an error about one side; ``message`` may have places for ``fields``."""
    return CurvewiseError("{where}: " + message, where=ColumnName(where), **fields)


def wrong_rows(
    where: str, problem: str, bad: Bools, advice: str, rows: Ints | None = None, **fields: object
) -> CurvewiseError:
    """Return an error that says in how many rows, and in which, something is wrong, and what to do.

    ``rows`` are the numbers of the rows, where some have been left out; ``advice`` may have places for ``fields``.

    Examples
    --------
    >>> import numpy as np
    >>> print(wrong_rows("found", "box is NaN", np.array([True, False, False]), "correct such rows"))
    found: box is NaN in 1 of 3 rows (row 0); correct such rows.
    """
    return wrong(
        where,
        "{problem} in {number} of {total} ({rows}); " + advice + ".",
        problem=problem,
        number=int(bad.sum()),
        total=count(len(bad), "row"),
        rows=row_numbers(bad, rows),
        **fields,
    )
