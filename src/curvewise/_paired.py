"""The paired table: scores of several models on the same rows, with labels, weights and clusters."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from curvewise._errors import CurvewiseError
from curvewise._sweep import Sweep, sweep_of
from curvewise._validate import (
    HigherIs,
    Missing,
    Rows,
    binary_labels,
    cluster_codes,
    read_columns,
    real_numbers,
    whole_or_float,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Paired:
    """Rows that several models scored, read once: ``scores`` by model, in the order given."""

    scores: dict[str, NDArray[Any]]
    positive: NDArray[np.bool_]
    weight: NDArray[Any] | None = None
    cluster: NDArray[np.intp] | None = None
    dropped: int = 0
    higher_is: HigherIs = "positive"

    def rows(self, model: str) -> Rows:
        """Return the rows of one model, as the door leaves them."""
        return Rows(
            self.scores[model],
            self.positive,
            self.weight,
            self.dropped,
            None,
            self.higher_is,
            None,
            self.cluster,
        )

    def sweep(self, model: str) -> Sweep:
        """Return the sweep of one model."""
        return sweep_of(self.rows(model))


def paired(
    y: object,
    scores: Mapping[str, object],
    *,
    weight: object = None,
    cluster: object = None,
    positive: object = None,
    higher_is: HigherIs = "positive",
    missing: Missing = "raise",
) -> Paired:
    """Read labels and the scores of several models on the same rows.

    Parameters
    ----------
    y
        Labels, as in `curvewise.sweep`.
    scores
        Scores by the name of the model.
    weight, cluster
        One weight, one cluster label a row.
    positive, higher_is, missing
        As in `curvewise.sweep`. ``missing="drop"`` leaves out a row for all models if one lacks a value.

    Returns
    -------
    Paired
    """
    if not hasattr(scores, "items") or not len(scores):
        raise CurvewiseError('scores: expected a dict of models, as in {"a": scores_a, "b": scores_b}.')
    names = {f"score {name!r}": str(name) for name in scores}
    data: dict[str, object] = {"y": y, **dict(zip(names, scores.values(), strict=True)), "weight": weight}
    if cluster is not None:
        data["cluster"] = cluster
    columns, dropped = read_columns(data, missing)
    table = Paired(
        {name: real_numbers(columns[column]) for column, name in names.items()},
        binary_labels(columns["y"], positive),
        whole_or_float(columns["weight"]) if "weight" in columns else None,
        None,
        dropped,
        higher_is,
    )
    if cluster is None:
        return table
    return replace(table, cluster=cluster_codes(columns["cluster"]))
