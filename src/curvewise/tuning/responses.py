"""What a fitted classifier says of rows: its classes, which one is positive, and the scores of that one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curvewise.errors import CurvewiseError, OptionError
from curvewise.rows.columns import count, shown

RESPONSES = ("auto", "predict_proba", "decision_function")


def classes_of(estimator: Any) -> NDArray[Any]:
    """Return the classes of a fitted classifier of one outcome."""
    name = type(estimator).__name__
    classes = getattr(estimator, "classes_", None)
    if classes is None:
        raise CurvewiseError(f"{name} has no classes_: expected a fitted classifier.")
    if isinstance(classes, list) or np.ndim(classes) != 1:
        raise CurvewiseError(f"{name} predicts several outcomes at once: expected a classifier of one.")
    return np.asarray(classes)


def positive_place(classes: NDArray[Any], positive: object, owner: str = "the model") -> int:
    """Return the place of the positive one of two classes: the last, as in scikit-learn, unless one is given."""
    if len(classes) != 2:
        raise CurvewiseError(
            f"expected two classes, but {owner} has {count(len(classes), 'class')} ({listed(classes)})."
        )
    if positive is None:
        return 1
    places = [k for k, label in enumerate(classes.tolist()) if label == positive]
    if not places:
        raise OptionError.of("positive", f"{owner} has no class {shown(positive)}; its classes are {listed(classes)}.")
    return places[0]


def response_name(estimator: Any, wanted: Sequence[str]) -> str:
    """Return the first of these methods that the classifier has."""
    response = next((name for name in wanted if hasattr(estimator, name)), None)
    if response is None:
        name, lacking = type(estimator).__name__, " and no ".join(wanted)
        raise OptionError.of("response_method", f"{name} has no {lacking}, from which the scores are read.")
    return response


def scores_of(estimator: Any, x: Any, wanted: Sequence[str], place: int) -> NDArray[Any]:
    """Return the scores of the positive class, by its place: its column of probabilities, or signed distances."""
    method = response_name(estimator, wanted)
    scores = np.asarray(getattr(estimator, method)(x))
    if method == "predict_proba":
        return scores[:, place]
    return scores if place == 1 else -scores


def listed(classes: NDArray[Any]) -> str:
    """Return the first classes, as in Python."""
    return ", ".join(shown(c, 24) for c in classes[:6]) + (", …" if len(classes) > 6 else "")
