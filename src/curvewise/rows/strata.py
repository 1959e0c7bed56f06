"""Rows that were sampled within strata: which stratum each belongs to, and how many units each stratum has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curvewise.rows.category import codes_of
from curvewise.rows.columns import Column, count, row_numbers

Codes = NDArray[np.intp]


def read_strata(columns: Mapping[str, Column], cluster: Codes | None, repeated: NDArray[Any] | None) -> dict[str, Any]:
    """Return the stratum of each row and how many units were sampled in each stratum, as fields of `Rows`.

    Units are clusters, or rows where there are none; ``repeated`` says how many rows each stands for.
    """
    if "stratum" not in columns:
        return {}
    stratum = codes_of(columns["stratum"], "a label for each row (text, a number)")
    if cluster is None:
        return {"stratum": stratum, "sampled": np.bincount(stratum, repeated).astype(np.intp)}
    first = np.zeros(int(cluster.max()) + 1, dtype=np.intp)
    first[cluster[::-1]] = stratum[::-1]  # that of the first row of each cluster
    other = first[cluster] != stratum
    if other.any():
        raise columns["stratum"].error(
            "expected every cluster within one stratum, got {found} with rows in several ({rows}); name clusters apart "
            "that have the same name in different strata.",
            found=count(len(np.unique(cluster[other])), "cluster"),
            rows=row_numbers(other, columns["stratum"].rows),
        )
    return {"stratum": stratum, "sampled": np.bincount(first)}
