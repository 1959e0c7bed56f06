"""Train for the part of the ROC curve that matters: partial AUC as something to optimise.

>>> import curvewise as cw
>>> value, gradient = cw.objectives.partial_auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], fpr=0.5)
>>> round(value, 4), gradient.round(2).tolist()
(0.568, [-0.13, -2.04, 2.01, 0.16])
"""

from __future__ import annotations

from curvewise._names import public_names

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
