"""scikit-learn's metrics by scikit-learn's names, faster and exact: change one import and keep the code.

>>> from curvewise import sklearn as metrics
>>> metrics.roc_auc_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
0.75
>>> metrics.f1_score(["a", "b", "b"], ["a", "b", "a"], average="macro")
0.6666666666666666

Names, signatures, defaults, return types, errors and warnings are those of the installed release. The names in
``__all__``, which the stub beside this file lists, are computed here, where a call is ordinary and defined; every other
name of `sklearn.metrics` is scikit-learn's own.
"""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import Any

from curvewise._names import homes_of as _homes_of
from curvewise.errors import MissingExtraError as _MissingExtraError

try:
    from sklearn import calibration as _calibration
    from sklearn import metrics as _theirs
except ImportError as _error:
    raise _MissingExtraError(
        "curvewise.sklearn needs scikit-learn, which is not installed: pip install 'curvewise[sklearn]'."
    ) from _error

__all__: list[str] = []
for _name, _home in _homes_of(__file__).items():
    if hasattr(_theirs, _name) or hasattr(_calibration, _name):  # some are newer than the installed release
        globals()[_name] = getattr(_import_module(_home), _name)
        __all__.append(_name)


def __getattr__(name: str) -> Any:
    """Hand over what is not computed here."""
    if name.startswith("__"):
        raise AttributeError(name)
    try:
        return getattr(_theirs, name)
    except AttributeError:
        raise AttributeError(f"module 'curvewise.sklearn' has no attribute {name!r}, nor has sklearn.metrics") from None


def __dir__() -> list[str]:
    return sorted({*__all__, *_theirs.__all__})
