"""curvewise: judge a classifier from one sweep of its scores.

Everything is read from one object, the sweep: the unique scores in falling order and how many
positives and negatives lie at or above each. Every verb takes labels and scores, rows, or a sweep.

>>> import curvewise as cw
>>> y, score = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
>>> cw.roc_auc(y, score)
0.75
"""

from __future__ import annotations

from importlib.util import find_spec

from curvewise import _interrupt  # noqa: F401 - first: what follows takes time
from curvewise._names import public_names
from curvewise._version import __version__

_names, __getattr__, __dir__ = public_names(__name__, __file__)
_of_sklearn = () if find_spec("sklearn") else ("MetricScorer", "ThresholdRule", "scorer", "sklearn")  # not with a star
__all__ = ["__version__", *(n for n in _names if n not in _of_sklearn)]  # noqa: PLE0604 - those of the stub
