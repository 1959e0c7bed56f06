"""Judge a detector: boxes matched to annotated objects become sweeps, and every number is read from those.

>>> import curvewise as cw
>>> truth = {"image": [1, 1, 2], "class": ["cat"] * 3, "box": [[0, 0, 9, 9], [20, 0, 9, 9], [5, 5, 9, 9]]}
>>> found = {"image": [1, 2], "class": ["cat"] * 2, "box": [[0, 0, 9, 9], [5, 5, 9, 9]], "score": [0.9, 0.4]}
>>> m = cw.detection.match(truth, found)
>>> m.ap == 67 / 101
True
"""

from __future__ import annotations

from curvewise._names import public_names

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
