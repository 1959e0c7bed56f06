"""From what scikit-learn's ``cross_validate`` returned to folds: held-out rows, scored by the model that lacks them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.arrays import Places
from curvewise.breakdown.by_fold import VERB, folds_of
from curvewise.errors import CurvewiseError, OptionError
from curvewise.inference.interval import split_options
from curvewise.metric.registry import bound
from curvewise.rows.columns import as_column, by_text
from curvewise.rows.model_scores import classes_of, of_positive, positive_class, refuse_unknown_labels, scores_of
from curvewise.rows.reading import ONE, names_of_rows, read_rows

if TYPE_CHECKING:
    from curvewise.breakdown.fold_results import Folds

RESULT = "cross_validate(..., return_estimator=True, return_indices=True)"
PER_ROW = ("weight", "cluster", "stratum")
OWN = ("metric", "level", "rng", "replicates")


def folds_of_cv_results(
    cv_results: object, rows: object, y: object, positive: object, options: dict[str, Any]
) -> Folds:
    """Score held-out rows, and measure every fold."""
    for name in ("fold", "repeat", "train_size"):
        if name in options:
            raise OptionError.of(name, "the results of cross-validation say it themselves; leave it out.")
    reading, own = split_options(options)
    asked = {name: own.pop(name) for name in OWN if name in own}
    target = bound(asked.pop("metric", "roc_auc"), own, VERB)
    several = _by_model(cv_results)
    train, test = _indices(several)
    scores: dict[str, Any] = {}
    for name, found in several.items():
        estimators = found["estimator"]
        positive = positive_class(classes_of(estimators[0]), positive)
        refuse_unknown_labels(name, y, classes_of(estimators[0]))
        each = zip(estimators, test, strict=True)
        scores[name] = np.concatenate([_held_out(name, model, _rows_at(rows, t), positive) for model, t in each])
    where, often = np.concatenate(test), [len(t) for t in test]
    labels = names_of_rows(as_column(y, "y"))
    given: dict[str, Any] = {**reading, **({} if positive is None else {"positive": positive})}
    for name in PER_ROW:
        if given.get(name) is not None:
            given[name] = names_of_rows(as_column(given[name], name))[where]
    numbers = _repeats_and_folds(test)
    repeat, fold = (np.repeat(each, often) for each in zip(*numbers, strict=True))
    several_repeats = len({r for r, _ in numbers}) > 1
    read = read_rows(labels[where], scores, fold=fold, group={"repeat": repeat} if several_repeats else None, **given)
    assert read.fold is not None  # noqa: S101 - given above
    sizes = {(str(r) if several_repeats else None, str(f)): len(t) for (r, f), t in zip(numbers, train, strict=True)}
    how: Any = {"level": 0.95, **asked}
    return folds_of(read, read.fold, read.groups.get("repeat"), target, sizes, **how)


def _by_model(cv_results: object) -> dict[str, Mapping[str, Any]]:
    """Return the results of each model, checked."""
    if not isinstance(cv_results, Mapping):
        raise CurvewiseError(f"cv_results: expected what {RESULT} returns, got {type(cv_results).__name__}.")
    several = {ONE: cv_results}
    if "estimator" not in cv_results and cv_results and all(isinstance(v, Mapping) for v in cv_results.values()):
        several = by_text(cv_results, "cv_results")
    for found in several.values():
        for name in ("estimator", "indices"):
            if name not in found:
                raise CurvewiseError(f"cv_results: there is no {name!r}; expected what {RESULT} returns.")
    return several


def _indices(several: dict[str, Mapping[str, Any]]) -> tuple[list[Places], list[Places]]:
    """Return the training and the test rows of each fold, which all models share."""
    every = [[[np.asarray(i) for i in found["indices"][k]] for k in ("train", "test")] for found in several.values()]
    first = every[0]
    for other in every[1:]:  # mutants: all alike
        same = len(other[1]) == len(first[1]) and all(map(np.array_equal, other[1], first[1]))
        if not same:
            raise CurvewiseError(
                "cv_results: the models were not held out in the same folds; pass the same splits as cv."
            )
    return first[0], first[1]


def _held_out(name: str, model: Any, rows: object, positive: object) -> Any:
    scores = scores_of(name, model, rows)
    if scores.ndim == 2 and scores.shape[1] > 2:
        raise CurvewiseError(f"model {name!r}: expected two classes, got {scores.shape[1]}; see curvewise.multiclass.")
    return of_positive(name, scores, classes_of(model), positive)


def _rows_at(rows: Any, where: Places) -> Any:
    """Return some rows of an array, a sparse matrix, a frame or a list."""
    if hasattr(rows, "iloc"):
        return rows.iloc[where]
    return rows[where] if hasattr(rows, "shape") else [rows[k] for k in where]


def _repeats_and_folds(test: Sequence[Places]) -> list[tuple[int, int]]:
    """Return the repeat and the fold of each split, from 1: one that shares rows with another begins a repeat."""
    found, seen, repeat, fold = [], set[int](), 1, 0
    for where in test:
        own = set(where.tolist())
        if seen & own:
            seen, repeat, fold = set(), repeat + 1, 0
        seen, fold = seen | own, fold + 1
        found.append((repeat, fold))
    return found
