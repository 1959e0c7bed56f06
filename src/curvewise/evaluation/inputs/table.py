"""Labels with scores, or with fitted models, as the named columns that `curvewise.evaluate` reads."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from curvewise.errors import CurvewiseError
from curvewise.rows.category import named_columns
from curvewise.rows.columns import as_column, by_text
from curvewise.rows.labels import classes_in
from curvewise.rows.model_scores import (
    FITTED,
    SCORERS,
    classes_of,
    kind_of,
    of_positive,
    positive_class,
    refuse_unknown_labels,
    scores_of,
)
from curvewise.rows.reading import ONE, refuse_beside
from curvewise.rows.rows import Rows

ROLES = ("label", "scores", "group", "site", "fold", "id", "weight", "cluster", "stratum")  # that name columns
NAMED = 'as in evaluate(data, label="ill", scores=["a", "b"])'
Columns = dict[str, object]


def columns_and_names(data: object, more: tuple[object, ...], given: Mapping[str, Any]) -> tuple[Columns, Columns]:
    """Return labels, scores and all columns ``given`` by role as one dict of columns, and the options that name them.

    ``data`` and ``more`` are ``(y, scores)`` or ``(model, X, y)``.
    """
    _refuse_mixture(data, more, given)
    options = {k: v for k, v in given.items() if v is not None}
    if len(more) == 2:
        y, scores, options["positive"] = _scored(data, *more, options.get("positive"))
    else:
        y, scores = data, _by_model(data, more[0])
    columns: Columns = by_text(scores, "scores")
    found: Columns = {k: v for k, v in options.items() if k not in ROLES and v is not None}
    found["scores"] = list(columns)
    groups = named_columns(options["group"]) if "group" in options else {}
    for name, column in groups.items():
        if name in columns:
            raise CurvewiseError(f"group: {name!r} is the name of a model already; rename one of them.")
        columns[name] = column
    found["group"] = list(groups)
    beside = {role: options[role] for role in ROLES if role in options and role not in ("label", "scores", "group")}
    for role, column in {"label": y, **beside}.items():
        name = _unused(_name_of(column) or "y" if role == "label" else role, columns)
        columns[name], found[role] = column, name
    return columns, found


def refuse_columns(data: object, given: Mapping[str, Any]) -> None:
    """Refuse labels alone, and columns themselves where they stand in the frame or file and have names."""
    if isinstance(data, (list, tuple, np.ndarray)):
        raise CurvewiseError("scores: labels alone were given; pass scores after them, evaluate(y, scores).")
    for role, value in given.items():
        several = value if isinstance(value, (list, tuple)) and role in ("scores", "group") else [value]
        for one in several:
            if not isinstance(one, str) and hasattr(one, "__len__"):
                raise CurvewiseError(
                    f"{role}: expected the name of a column, {NAMED}, got {kind_of(value)}; columns themselves go with "
                    f"labels and scores, as in evaluate(y, scores, …)."
                )


def is_model(data: object) -> bool:
    """Say whether something gives scores of rows: a fitted classifier, or a pipeline that ends in one."""
    return any(callable(getattr(data, name, None)) for name in (*SCORERS, "predict"))


def _refuse_mixture(data: object, more: tuple[object, ...], given: Mapping[str, Any]) -> None:
    """Refuse what is neither labels with scores nor a model with rows and labels."""
    if isinstance(data, Rows):
        refuse_beside("Rows were", more[0], {})
    if isinstance(data, (str, os.PathLike)) or isinstance(more[0], str):
        raise CurvewiseError(f"data: name the columns by keyword, {NAMED}.")
    models = is_model(data) or (isinstance(data, Mapping) and bool(data) and all(map(is_model, data.values())))
    for role in ("label", "scores"):
        if given.get(role) is not None:
            what = "a model with rows and labels was" if models else "labels and scores were"
            raise CurvewiseError(f"{role}: names a column of a frame or file, but {what} given; leave it out.")
    if len(more) > 2:
        raise CurvewiseError(f"Expected evaluate(y, scores) or evaluate(model, X, y), got {len(more) + 1} arguments.")
    if models and len(more) == 1:
        raise CurvewiseError("y: a model takes rows and their labels, evaluate(model, X, y); got two arguments.")
    if not models and len(more) == 2:
        raise CurvewiseError(f"model: expected {FITTED}, or a dict of such models, got {kind_of(data)}.")
    if not models and isinstance(data, Mapping):
        raise CurvewiseError(f"y: expected one label per row, got a dict; name its columns by keyword, {NAMED}.")


def _by_model(y: object, scores: object) -> Mapping[Any, object]:
    """Return scores by the name of their model, or of their class where an array has a column for each."""
    if is_model(scores) or (isinstance(scores, Mapping) and any(map(is_model, scores.values()))):
        raise CurvewiseError("scores: got a model; a model comes first, with rows and labels: evaluate(model, X, y).")
    if isinstance(scores, np.ndarray) and scores.ndim == 2 and scores.shape[1] > 2:
        return _by_class(y, scores)
    if isinstance(scores, np.ndarray) and scores.ndim == 2 and scores.shape[1] == 2:
        raise CurvewiseError(
            f"scores: expected one score per row, got an array of shape {scores.shape}; pass scores[:, 1] if the "
            "second column is the positive class's."
        )
    return named_columns(scores, ONE)


def _by_class(y: object, scores: np.ndarray[Any, Any]) -> dict[str, object]:
    """Name the columns of an array: by the labels 0 … K-1, else by the sorted labels if there are as many."""
    column, many = as_column(y, "y"), scores.shape[1]
    classes = classes_in(column.values if column.missing is None else column.values[~column.missing])
    if set(classes) <= set(range(many)):
        classes = list(range(many))
    if len(classes) != many:
        raise CurvewiseError(
            f"scores: an array of {many} columns, but y has {len(classes)} classes; pass a dict of columns by class, "
            'as in {"cat": p_cat, "dog": p_dog}.'
        )
    return {str(name): scores[:, k] for k, name in enumerate(classes)}


def _scored(models: object, rows: object, y: object, positive: object) -> tuple[object, Mapping[Any, object], object]:
    """Return the labels, the scores that each model gives the rows, and the positive label."""
    named = dict(models) if isinstance(models, Mapping) else {_model_name(models): models}
    found: dict[Any, object] = {}
    for name, model in named.items():
        scores = scores_of(name, model, rows)
        classes = classes_of(model)
        refuse_unknown_labels(name, y, classes)
        if scores.ndim == 2 and scores.shape[1] > 2:
            return _of_many_classes(named, scores, classes, y, positive)
        positive = positive_class(classes, positive)
        found[name] = of_positive(name, scores, classes, positive)
    return y, found, positive


def _of_many_classes(
    models: dict[Any, Any], scores: np.ndarray[Any, Any], classes: list[Any] | None, y: object, positive: object
) -> tuple[object, Mapping[Any, object], object]:
    if len(models) > 1:
        raise CurvewiseError(f"model: of {scores.shape[1]} classes, evaluate one model at a time; got {len(models)}.")
    if positive is not None:
        raise CurvewiseError(f"positive: the model has {scores.shape[1]} classes, each positive in turn; leave it out.")
    if classes is None or len(classes) != scores.shape[1]:
        return y, _by_class(y, scores), None
    return y, {str(name): scores[:, k] for k, name in enumerate(classes)}, None


def _model_name(model: Any) -> str:
    """Return the class of a model; of a pipeline, that of its last step."""
    steps = getattr(model, "steps", None)
    return type(steps[-1][-1] if isinstance(steps, list) and steps else model).__name__


def _name_of(column: object) -> str | None:
    """Return the name of a column of a frame."""
    name = getattr(column, "name", None)
    return name if isinstance(name, str) and name else None


def _unused(name: str, taken: Columns) -> str:
    while name in taken:
        name += "_"
    return name
