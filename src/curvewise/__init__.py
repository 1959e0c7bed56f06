"""curvewise: judge a classifier from one sweep of its scores.

Everything is read from one object, the sweep: the unique scores in falling order and how many
positives and negatives lie at or above each. Every verb takes labels and scores, or a sweep.

>>> import curvewise as cw
>>> y, score = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
>>> cw.roc_auc(y, score)
0.75
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from curvewise._version import __version__

if TYPE_CHECKING:
    from curvewise._errors import CurvewiseError as CurvewiseError
    from curvewise._errors import CurvewiseWarning as CurvewiseWarning
    from curvewise._errors import MissingExtraError as MissingExtraError
    from curvewise._errors import SourceError as SourceError
    from curvewise._errors import UndefinedMetricError as UndefinedMetricError
    from curvewise._paired import Paired as Paired
    from curvewise._paired import paired as paired
    from curvewise._sweep import Sweep as Sweep
    from curvewise._sweep import sweep as sweep
    from curvewise._threads import get_threads as get_threads
    from curvewise._threads import set_threads as set_threads
    from curvewise.areas.average_precision import average_precision as average_precision
    from curvewise.areas.partial import partial_roc_auc as partial_roc_auc
    from curvewise.areas.pr_auc import pr_auc as pr_auc
    from curvewise.areas.pr_auc import pr_auc_levels as pr_auc_levels
    from curvewise.areas.roc_auc import roc_auc as roc_auc
    from curvewise.counts.confusion import Confusion as Confusion
    from curvewise.counts.confusion import confusion as confusion
    from curvewise.counts.confusion import confusion_from_labels as confusion_from_labels
    from curvewise.counts.rates import rate_interval as rate_interval
    from curvewise.curves.det import det_curve as det_curve
    from curvewise.curves.hull import roc_hull as roc_hull
    from curvewise.curves.lift import lift_curve as lift_curve
    from curvewise.curves.pr import pr_curve as pr_curve
    from curvewise.curves.pr_gain import pr_gain_curve as pr_gain_curve
    from curvewise.curves.roc import roc_curve as roc_curve
    from curvewise.uncertainty.bands import Band as Band
    from curvewise.uncertainty.bands import pr_band as pr_band
    from curvewise.uncertainty.bands import roc_band as roc_band
    from curvewise.uncertainty.bands import threshold_band as threshold_band
    from curvewise.uncertainty.compare import compare as compare
    from curvewise.uncertainty.comparison import Comparison as Comparison
    from curvewise.uncertainty.estimate import Estimate as Estimate
    from curvewise.uncertainty.interval import interval as interval
    from curvewise.uncertainty.pilot import pilot_power as pilot_power
    from curvewise.uncertainty.planning import power as power
    from curvewise.uncertainty.planning import rate_sample_size as rate_sample_size
    from curvewise.uncertainty.planning import sample_size as sample_size

# Loaded at first use, so that `curvewise --help` does not wait for NumPy. No module may share the
# name of a public verb: importing it would put the module in the verb's place.
_HOME = {
    "CurvewiseError": "_errors",
    "CurvewiseWarning": "_errors",
    "MissingExtraError": "_errors",
    "SourceError": "_errors",
    "UndefinedMetricError": "_errors",
    "Paired": "_paired",
    "paired": "_paired",
    "Sweep": "_sweep",
    "sweep": "_sweep",
    "get_threads": "_threads",
    "set_threads": "_threads",
    "average_precision": "areas.average_precision",
    "partial_roc_auc": "areas.partial",
    "pr_auc": "areas.pr_auc",
    "pr_auc_levels": "areas.pr_auc",
    "roc_auc": "areas.roc_auc",
    "Confusion": "counts.confusion",
    "confusion": "counts.confusion",
    "confusion_from_labels": "counts.confusion",
    "rate_interval": "counts.rates",
    "det_curve": "curves.det",
    "roc_hull": "curves.hull",
    "lift_curve": "curves.lift",
    "pr_curve": "curves.pr",
    "pr_gain_curve": "curves.pr_gain",
    "roc_curve": "curves.roc",
    "Band": "uncertainty.bands",
    "pr_band": "uncertainty.bands",
    "roc_band": "uncertainty.bands",
    "threshold_band": "uncertainty.bands",
    "compare": "uncertainty.compare",
    "Comparison": "uncertainty.comparison",
    "Estimate": "uncertainty.estimate",
    "interval": "uncertainty.interval",
    "pilot_power": "uncertainty.pilot",
    "power": "uncertainty.planning",
    "rate_sample_size": "uncertainty.planning",
    "sample_size": "uncertainty.planning",
}

__all__ = ["__version__", *_HOME]  # noqa: PLE0604 - the names are the keys above


def __getattr__(name: str) -> object:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'curvewise' has no attribute {name!r}")
    value = getattr(import_module(f"curvewise.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
