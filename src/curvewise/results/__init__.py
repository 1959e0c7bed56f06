"""What a verb returns: the class of every result, loaded when used; the base of all, tables and estimates.

>>> import curvewise as cw
>>> curve = cw.roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
>>> isinstance(curve, cw.results.RocCurve)
True
"""

from __future__ import annotations

from curvewise._names import public_names

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
