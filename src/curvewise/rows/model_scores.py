"""The scores that a fitted classifier gives rows, for the positive class, as scikit-learn has it."""

from __future__ import annotations

from typing import Any

import numpy as np

from curvewise.errors import CurvewiseError
from curvewise.rows.columns import as_column, shown
from curvewise.rows.labels import classes_in

SCORERS = ("predict_proba", "decision_function")
FITTED = "a fitted classifier with predict_proba or decision_function"


def scores_of(name: object, model: Any, rows: object) -> np.ndarray[Any, Any]:
    """Return the probabilities that a model gives rows, or its decision function."""
    how = next((h for h in SCORERS if callable(getattr(model, h, None))), None)
    if how is None:
        raise CurvewiseError(f"model {str(name)!r}: expected {FITTED}, got {kind_of(model)}.")
    try:
        scores = np.asarray(getattr(model, how)(rows))
    except (ValueError, TypeError, AttributeError) as error:
        why = " ".join(str(error).split()).rstrip(".")
        raise CurvewiseError(f"model {str(name)!r}: {how} failed ({type(error).__name__}: {why}).") from error
    if scores.ndim not in (1, 2) or scores.dtype.kind not in "fiub":
        raise CurvewiseError(
            f"model {str(name)!r}: {how} gave {scores.dtype} of shape {scores.shape}, not one score per row and class."
        )
    return scores[:, 0] if scores.ndim == 2 and scores.shape[1] == 1 else scores


def of_positive(name: object, scores: np.ndarray[Any, Any], classes: list[Any] | None, positive: object) -> Any:
    """Return the scores of the positive class: its column, or the decision function in its direction."""
    second = True if classes is None or len(classes) != 2 or positive is None else classes[1] == positive
    if classes is not None and positive is not None and positive not in classes:
        raise CurvewiseError(
            f"positive: model {str(name)!r} knows no class {shown(positive)}; its classes are "
            f"{', '.join(map(shown, classes))}."
        )
    if scores.ndim == 2:
        return scores[:, 1 if second else 0]
    return scores if second else -scores


def classes_of(model: Any) -> list[Any] | None:
    """Return the classes that a model knows, in its order; None where it does not say."""
    found = getattr(model, "classes_", None)
    return None if found is None else list(np.asarray(found).tolist())


def refuse_unknown_labels(name: object, y: object, classes: list[Any] | None) -> None:
    """Refuse labels that a model does not know."""
    if classes is None:
        return
    column = as_column(y, "y")
    there = classes_in(column.values if column.missing is None else column.values[~column.missing])
    if unknown := [label for label in there if label not in classes]:
        raise CurvewiseError(
            f"y: model {str(name)!r} knows no class {shown(unknown[0])}; its classes are "
            f"{', '.join(map(shown, classes))}."
        )


def positive_class(classes: list[Any] | None, positive: object) -> object:
    """Return the positive class as asked for; else None where labels say it themselves, or the last class."""
    understood = classes is None or set(classes) in ({0, 1}, {-1, 1})  # True and False are 1 and 0
    return positive if positive is not None or understood or classes is None else classes[-1]


def kind_of(value: object) -> str:
    """Return the class of something, with its article."""
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"
