"""Groups, sites, folds and names of rows beside a horizon."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.rows.category import category
from curvewise.rows.columns import Column, as_column
from curvewise.rows.reading import names_of_rows

if TYPE_CHECKING:
    from curvewise.censored.horizon import Horizon
    from curvewise.rows.rows import Rows


def with_names(
    found: Horizon,
    groups: Mapping[str, object],
    *,
    site: Any = None,
    fold: Any = None,
    id: Any = None,  # noqa: A002 - as rows call it
) -> Rows:
    """Return the rows of a horizon with columns of names, one name per row as it came.

    Rows that were left out for a missing value lose their names, too. All outcomes keep their group and site, so that
    a group knows of its unknown rows.
    """
    rows, kept, there = found.rows, found.weights.outcomes.kept, found.rows.horizon
    assert there is not None  # noqa: S101 - the rows of a horizon have one

    def read(role: str, data: Any) -> Column:
        column = as_column(data, role)
        if kept is None:
            return column
        mask = np.zeros(len(column), dtype=bool)
        mask[kept] = True
        return column.keep(mask)

    columns = {name: category(name, read(f"group {name!r}", data)) for name, data in groups.items()}
    sites = None if site is None else category("site", read("site", site))
    folds = None if fold is None else category("fold", read("fold", fold))
    return replace(
        rows,
        groups={name: c.take(there.place) for name, c in columns.items()},
        site=None if sites is None else sites.take(there.place),
        fold=None if folds is None else folds.take(there.place),
        id=None if id is None else names_of_rows(read("id", id))[there.place],
        horizon=replace(there, everyone=replace(there.everyone, groups=columns, site=sites, fold=folds)),
    )
