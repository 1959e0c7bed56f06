"""curvewise: judge a classifier from one sweep of its scores.

Everything is read from one object, the sweep: the unique scores in falling order and how many
positives and negatives lie at or above each. Every verb takes labels and scores, rows, or a sweep.

>>> import curvewise as cw
>>> y, score = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
>>> cw.roc_auc(y, score)
0.75
"""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path
from types import FunctionType

from curvewise._version import __version__

# The table of public names is the stub beside this file. Each is loaded at first use, so that `curvewise --help`
# does not wait for NumPy.
_HOME = {
    alias.name: str(line.module)
    for line in ast.parse(Path(__file__).with_suffix(".pyi").read_text("utf-8")).body
    if isinstance(line, ast.ImportFrom)
    for alias in line.names
}

__all__ = ["__version__", *_HOME]  # noqa: PLE0604 - the names are those of the stub


def __getattr__(name: str) -> object:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'curvewise' has no attribute {name!r}")
    value = getattr(import_module(home), name)
    value = _suggesting(value) if isinstance(value, FunctionType) else value
    globals()[name] = value
    return value


def _suggesting(verb: FunctionType) -> object:
    """Return a verb that answers an unknown option with the nearest name instead of Python's bare refusal."""
    from functools import wraps  # noqa: PLC0415 - the first verb pays for it, not the import
    from inspect import signature  # noqa: PLC0415

    from curvewise.errors import UnknownOptionError, unknown_option  # noqa: PLC0415

    @wraps(verb)
    def called(*arguments: object, **options: object) -> object:
        try:
            return verb(*arguments, **options)
        except UnknownOptionError:
            raise
        except TypeError:
            parameters = signature(verb).parameters
            if any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
                raise  # it has looked at its options itself
            unknown = [name for name in options if name not in parameters]
            if not unknown:
                raise
            raise unknown_option(unknown[0], parameters, verb.__name__) from None

    called.__module__ = __name__  # so that it can be pickled by its public name
    return called


def __dir__() -> list[str]:
    return sorted(__all__)
