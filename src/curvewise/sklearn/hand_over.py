"""Which call is answered here, and which one is handed over to scikit-learn.

A function of this package computes what is defined and ordinary: arrays, lists and columns of frames, whose labels and
scores pass our checks. Whatever else comes (an error, a warning, an undefined number, a sparse matrix, an array of
another library, a deprecated parameter) is handed over, so that scikit-learn says it, in the words of its release.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
from sklearn import __version__, calibration, metrics

from curvewise.errors import CurvewiseError

Function = TypeVar("Function", bound="Callable[..., Any]")
RELEASE = tuple(int(part) for part in __version__.split(".")[:2])


class HandOverError(Exception):
    """A call that scikit-learn itself must answer."""


class Warned(NamedTuple):
    """A value that is not defined everywhere, and a few rows that lack the same, of which scikit-learn warns alike."""

    value: Any
    few: tuple[Any, Any]


def require(condition: object) -> None:
    """Hand the call over unless a condition holds."""
    if not condition:
        raise HandOverError


def call_theirs(theirs: Callable[..., Any], data: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Let scikit-learn answer: the one place where that happens."""
    return theirs(*data, **options)


def in_place_of_theirs(function: Function) -> Function:
    """Return scikit-learn's function of the same name, answered by ours wherever ours can.

    Name, signature, documentation and parameter constraints are those of the installed release. The first two
    arguments are data, whatever the release calls them; an option that ours does not know is handed over. Where the
    release has no such function, ours is returned as it is, and `curvewise.sklearn` does not offer it.
    """
    theirs = _theirs(function.__name__)
    if theirs is None:
        return function
    signature = inspect.signature(theirs)
    first, second = list(signature.parameters)[:2]
    known = set(inspect.signature(function).parameters)

    @wraps(theirs)
    def answer(*data: Any, **options: Any) -> Any:
        try:
            bound = dict(signature.bind(*data, **options).arguments)
        except TypeError:
            bound = {}
        try:
            require(first in bound and second in bound)
            rows = bound.pop(first), bound.pop(second)
            require(known.issuperset(bound))
            value = function(*rows, **bound)
        except (HandOverError, CurvewiseError):
            value = None  # answered below: here, an error of theirs would mention ours
        if isinstance(value, Warned):
            call_theirs(theirs, value.few, {k: v for k, v in bound.items() if k != "sample_weight"})
            value = value.value
        elif value is None:
            return call_theirs(theirs, data, options)
        return np.float64(value) if RELEASE < (1, 7) and type(value) is float else value  # as scikit-learn had it

    answer.__module__ = "curvewise.sklearn"  # so that it can be pickled by its public name
    text = (inspect.getdoc(theirs) or "").partition("\n\nExamples\n---")[0]  # its examples import scikit-learn's own
    answer.__doc__ = f"{inspect.getdoc(function)}\n\nWhat follows is scikit-learn's text.\n\n{text}"
    return cast("Function", answer)


def _theirs(name: str) -> Callable[..., Any] | None:
    """Return scikit-learn's function of a name, if the release has one."""
    return getattr(metrics, name, None) or getattr(calibration, name, None)
