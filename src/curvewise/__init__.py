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
    from curvewise.areas.h_measure import h_measure as h_measure
    from curvewise.areas.partial import partial_roc_auc as partial_roc_auc
    from curvewise.areas.pr_auc import pr_auc as pr_auc
    from curvewise.areas.pr_auc import pr_auc_levels as pr_auc_levels
    from curvewise.areas.roc_auc import roc_auc as roc_auc
    from curvewise.classes.multiclass import Multiclass as Multiclass
    from curvewise.classes.multiclass import multiclass as multiclass
    from curvewise.classes.multilabel import Multilabel as Multilabel
    from curvewise.classes.multilabel import multilabel as multilabel
    from curvewise.counts.confusion import Confusion as Confusion
    from curvewise.counts.confusion import confusion as confusion
    from curvewise.counts.confusion import confusion_from_labels as confusion_from_labels
    from curvewise.counts.rates import rate_interval as rate_interval
    from curvewise.curves.brier_curve import brier_curve as brier_curve
    from curvewise.curves.cost import cost_curve as cost_curve
    from curvewise.curves.decision import decision_curve as decision_curve
    from curvewise.curves.det import det_curve as det_curve
    from curvewise.curves.hull import roc_hull as roc_hull
    from curvewise.curves.joint_hull import joint_hull as joint_hull
    from curvewise.curves.lift import lift_curve as lift_curve
    from curvewise.curves.pr import pr_curve as pr_curve
    from curvewise.curves.pr_gain import pr_gain_curve as pr_gain_curve
    from curvewise.curves.roc import roc_curve as roc_curve
    from curvewise.decisions import rules as rules
    from curvewise.decisions.cost import expected_cost as expected_cost
    from curvewise.decisions.cost import iso_cost_slope as iso_cost_slope
    from curvewise.decisions.operating_point import operating_point as operating_point
    from curvewise.decisions.partial_view import partial_view as partial_view
    from curvewise.decisions.point import OperatingPoint as OperatingPoint
    from curvewise.decisions.prevalence import ppv_npv as ppv_npv
    from curvewise.groups.breakdown import Groups as Groups
    from curvewise.groups.by_group import by_group as by_group
    from curvewise.groups.by_site import by_site as by_site
    from curvewise.groups.fairness import Fairness as Fairness
    from curvewise.groups.fairness import fairness as fairness
    from curvewise.groups.pooling import Pooled as Pooled
    from curvewise.groups.pooling import random_effects as random_effects
    from curvewise.groups.sites import Sites as Sites
    from curvewise.probabilities.calibration import Calibration as Calibration
    from curvewise.probabilities.calibration import calibration as calibration
    from curvewise.probabilities.decomposition import Decomposition as Decomposition
    from curvewise.probabilities.decomposition import decompose as decompose
    from curvewise.probabilities.isotonic import Isotonic as Isotonic
    from curvewise.probabilities.isotonic import isotonic as isotonic
    from curvewise.probabilities.losses import brier_loss as brier_loss
    from curvewise.probabilities.losses import log_loss as log_loss
    from curvewise.probabilities.losses import spherical_loss as spherical_loss
    from curvewise.probabilities.recalibrate import Recalibration as Recalibration
    from curvewise.probabilities.recalibrate import recalibrate as recalibrate
    from curvewise.probabilities.reliability import Reliability as Reliability
    from curvewise.probabilities.reliability import reliability as reliability
    from curvewise.probabilities.skill import brier_skill as brier_skill
    from curvewise.probabilities.skill import log_skill as log_skill
    from curvewise.probabilities.skill import spherical_skill as spherical_skill
    from curvewise.report.evaluate import evaluate as evaluate
    from curvewise.report.evaluation import Evaluation as Evaluation
    from curvewise.signal.analytic import AnalyticRoc as AnalyticRoc
    from curvewise.signal.analytic import BinormalRoc as BinormalRoc
    from curvewise.signal.binormal import binormal as binormal
    from curvewise.signal.dprime import d_prime as d_prime
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
    "h_measure": "areas.h_measure",
    "partial_roc_auc": "areas.partial",
    "pr_auc": "areas.pr_auc",
    "pr_auc_levels": "areas.pr_auc",
    "roc_auc": "areas.roc_auc",
    "Multiclass": "classes.multiclass",
    "multiclass": "classes.multiclass",
    "Multilabel": "classes.multilabel",
    "multilabel": "classes.multilabel",
    "Confusion": "counts.confusion",
    "confusion": "counts.confusion",
    "confusion_from_labels": "counts.confusion",
    "rate_interval": "counts.rates",
    "brier_curve": "curves.brier_curve",
    "cost_curve": "curves.cost",
    "decision_curve": "curves.decision",
    "det_curve": "curves.det",
    "roc_hull": "curves.hull",
    "joint_hull": "curves.joint_hull",
    "lift_curve": "curves.lift",
    "pr_curve": "curves.pr",
    "pr_gain_curve": "curves.pr_gain",
    "roc_curve": "curves.roc",
    "rules": "decisions",
    "expected_cost": "decisions.cost",
    "iso_cost_slope": "decisions.cost",
    "operating_point": "decisions.operating_point",
    "partial_view": "decisions.partial_view",
    "OperatingPoint": "decisions.point",
    "ppv_npv": "decisions.prevalence",
    "Groups": "groups.breakdown",
    "by_group": "groups.by_group",
    "by_site": "groups.by_site",
    "Fairness": "groups.fairness",
    "fairness": "groups.fairness",
    "Pooled": "groups.pooling",
    "random_effects": "groups.pooling",
    "Sites": "groups.sites",
    "Calibration": "probabilities.calibration",
    "calibration": "probabilities.calibration",
    "Decomposition": "probabilities.decomposition",
    "decompose": "probabilities.decomposition",
    "Isotonic": "probabilities.isotonic",
    "isotonic": "probabilities.isotonic",
    "brier_loss": "probabilities.losses",
    "log_loss": "probabilities.losses",
    "spherical_loss": "probabilities.losses",
    "Recalibration": "probabilities.recalibrate",
    "recalibrate": "probabilities.recalibrate",
    "Reliability": "probabilities.reliability",
    "reliability": "probabilities.reliability",
    "brier_skill": "probabilities.skill",
    "log_skill": "probabilities.skill",
    "spherical_skill": "probabilities.skill",
    "evaluate": "report.evaluate",
    "Evaluation": "report.evaluation",
    "AnalyticRoc": "signal.analytic",
    "BinormalRoc": "signal.analytic",
    "binormal": "signal.binormal",
    "d_prime": "signal.dprime",
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
