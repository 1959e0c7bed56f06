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
from types import FunctionType
from typing import TYPE_CHECKING

from curvewise._version import __version__

if TYPE_CHECKING:
    from curvewise.breakdown.breakdown import Groups as Groups
    from curvewise.breakdown.by_group import by_group as by_group
    from curvewise.breakdown.by_site import by_site as by_site
    from curvewise.breakdown.fairness import Fairness as Fairness
    from curvewise.breakdown.fairness import fairness as fairness
    from curvewise.breakdown.pooling import Pooled as Pooled
    from curvewise.breakdown.pooling import random_effects as random_effects
    from curvewise.breakdown.sites import Sites as Sites
    from curvewise.core.confusion import Confusion as Confusion
    from curvewise.core.rate import rate_interval as rate_interval
    from curvewise.core.sweep import Sweep as Sweep
    from curvewise.core.sweep import sweep as sweep
    from curvewise.core.threads import get_threads as get_threads
    from curvewise.core.threads import set_threads as set_threads
    from curvewise.curves.brier_curve import BrierCurve as BrierCurve
    from curvewise.curves.brier_curve import brier_curve as brier_curve
    from curvewise.curves.cost import CostCurve as CostCurve
    from curvewise.curves.cost import cost_curve as cost_curve
    from curvewise.curves.decision import DecisionCurve as DecisionCurve
    from curvewise.curves.decision import decision_curve as decision_curve
    from curvewise.curves.det import DetCurve as DetCurve
    from curvewise.curves.det import det_curve as det_curve
    from curvewise.curves.histogram import ScoreHistogram as ScoreHistogram
    from curvewise.curves.histogram import score_histogram as score_histogram
    from curvewise.curves.hull import RocHull as RocHull
    from curvewise.curves.hull import roc_hull as roc_hull
    from curvewise.curves.joint_hull import JointHull as JointHull
    from curvewise.curves.joint_hull import joint_hull as joint_hull
    from curvewise.curves.lift import LiftCurve as LiftCurve
    from curvewise.curves.lift import lift_curve as lift_curve
    from curvewise.curves.pr import PrCurve as PrCurve
    from curvewise.curves.pr import pr_curve as pr_curve
    from curvewise.curves.pr_gain import PrGainCurve as PrGainCurve
    from curvewise.curves.pr_gain import pr_gain_curve as pr_gain_curve
    from curvewise.curves.roc import RocCurve as RocCurve
    from curvewise.curves.roc import roc_curve as roc_curve
    from curvewise.curves.threshold_rates import ThresholdRates as ThresholdRates
    from curvewise.curves.threshold_rates import threshold_rates as threshold_rates
    from curvewise.decisions import rules as rules
    from curvewise.decisions.cost import expected_cost as expected_cost
    from curvewise.decisions.cost import iso_cost_slope as iso_cost_slope
    from curvewise.decisions.operating_point import operating_point as operating_point
    from curvewise.decisions.partial_view import partial_view as partial_view
    from curvewise.decisions.point import OperatingPoint as OperatingPoint
    from curvewise.decisions.prevalence import ppv_npv as ppv_npv
    from curvewise.errors import CurvewiseError as CurvewiseError
    from curvewise.errors import CurvewiseWarning as CurvewiseWarning
    from curvewise.errors import MissingExtraError as MissingExtraError
    from curvewise.errors import Note as Note
    from curvewise.errors import SourceError as SourceError
    from curvewise.errors import UndefinedMetricError as UndefinedMetricError
    from curvewise.errors import UnknownOptionError as UnknownOptionError
    from curvewise.inference.bands import Band as Band
    from curvewise.inference.bands import pr_band as pr_band
    from curvewise.inference.bands import roc_band as roc_band
    from curvewise.inference.bands import threshold_band as threshold_band
    from curvewise.inference.compare import compare as compare
    from curvewise.inference.comparison import Comparison as Comparison
    from curvewise.inference.comparison import Pair as Pair
    from curvewise.inference.interval import interval as interval
    from curvewise.inference.metrics_list import MetricList as MetricList
    from curvewise.inference.metrics_list import metrics as metrics
    from curvewise.inference.metrics_list import score as score
    from curvewise.inference.pilot import pilot_power as pilot_power
    from curvewise.inference.planning import power as power
    from curvewise.inference.planning import rate_sample_size as rate_sample_size
    from curvewise.inference.planning import sample_size as sample_size
    from curvewise.many_classes.multiclass import Multiclass as Multiclass
    from curvewise.many_classes.multiclass import multiclass as multiclass
    from curvewise.many_classes.multilabel import Multilabel as Multilabel
    from curvewise.many_classes.multilabel import multilabel as multilabel
    from curvewise.metric.average_precision import average_precision as average_precision
    from curvewise.metric.confusion_counts import confusion as confusion
    from curvewise.metric.confusion_counts import confusion_from_labels as confusion_from_labels
    from curvewise.metric.h_measure import h_measure as h_measure
    from curvewise.metric.losses import brier_loss as brier_loss
    from curvewise.metric.losses import log_loss as log_loss
    from curvewise.metric.losses import spherical_loss as spherical_loss
    from curvewise.metric.partial import partial_roc_auc as partial_roc_auc
    from curvewise.metric.pr_auc import pr_auc as pr_auc
    from curvewise.metric.pr_auc import pr_auc_levels as pr_auc_levels
    from curvewise.metric.roc_auc import roc_auc as roc_auc
    from curvewise.metric.skill import brier_skill as brier_skill
    from curvewise.metric.skill import log_skill as log_skill
    from curvewise.metric.skill import spherical_skill as spherical_skill
    from curvewise.probabilities.calibration import Calibration as Calibration
    from curvewise.probabilities.calibration import calibration as calibration
    from curvewise.probabilities.decomposition import Decomposition as Decomposition
    from curvewise.probabilities.decomposition import decompose as decompose
    from curvewise.probabilities.isotonic import Isotonic as Isotonic
    from curvewise.probabilities.isotonic import isotonic as isotonic
    from curvewise.probabilities.recalibrate import Recalibration as Recalibration
    from curvewise.probabilities.recalibrate import recalibrate as recalibrate
    from curvewise.probabilities.reliability import Reliability as Reliability
    from curvewise.probabilities.reliability import reliability as reliability
    from curvewise.report.evaluate import evaluate as evaluate
    from curvewise.report.evaluation import Evaluation as Evaluation
    from curvewise.results.estimate import Estimate as Estimate
    from curvewise.results.result import Result as Result
    from curvewise.results.result import Table as Table
    from curvewise.rows.reading import Rows as Rows
    from curvewise.rows.reading import read_rows as read_rows
    from curvewise.signal_detection.analytic import AnalyticRoc as AnalyticRoc
    from curvewise.signal_detection.analytic import BinormalRoc as BinormalRoc
    from curvewise.signal_detection.binormal_fit import binormal as binormal
    from curvewise.signal_detection.d_prime import d_prime as d_prime

# Loaded at first use, so that `curvewise --help` does not wait for NumPy. No module may share the
# name of a public verb: importing it would put the module in the verb's place.
_HOME = {
    "CurvewiseError": "errors",
    "CurvewiseWarning": "errors",
    "MissingExtraError": "errors",
    "SourceError": "errors",
    "Note": "errors",
    "UndefinedMetricError": "errors",
    "UnknownOptionError": "errors",
    "Sweep": "core.sweep",
    "sweep": "core.sweep",
    "get_threads": "core.threads",
    "set_threads": "core.threads",
    "average_precision": "metric.average_precision",
    "h_measure": "metric.h_measure",
    "partial_roc_auc": "metric.partial",
    "pr_auc": "metric.pr_auc",
    "pr_auc_levels": "metric.pr_auc",
    "roc_auc": "metric.roc_auc",
    "Multiclass": "many_classes.multiclass",
    "multiclass": "many_classes.multiclass",
    "Multilabel": "many_classes.multilabel",
    "multilabel": "many_classes.multilabel",
    "Confusion": "core.confusion",
    "confusion": "metric.confusion_counts",
    "confusion_from_labels": "metric.confusion_counts",
    "rate_interval": "core.rate",
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
    "Groups": "breakdown.breakdown",
    "by_group": "breakdown.by_group",
    "by_site": "breakdown.by_site",
    "Fairness": "breakdown.fairness",
    "fairness": "breakdown.fairness",
    "Pooled": "breakdown.pooling",
    "random_effects": "breakdown.pooling",
    "Sites": "breakdown.sites",
    "Calibration": "probabilities.calibration",
    "calibration": "probabilities.calibration",
    "Decomposition": "probabilities.decomposition",
    "decompose": "probabilities.decomposition",
    "Isotonic": "probabilities.isotonic",
    "isotonic": "probabilities.isotonic",
    "brier_loss": "metric.losses",
    "log_loss": "metric.losses",
    "spherical_loss": "metric.losses",
    "Recalibration": "probabilities.recalibrate",
    "recalibrate": "probabilities.recalibrate",
    "Reliability": "probabilities.reliability",
    "reliability": "probabilities.reliability",
    "brier_skill": "metric.skill",
    "log_skill": "metric.skill",
    "spherical_skill": "metric.skill",
    "evaluate": "report.evaluate",
    "Evaluation": "report.evaluation",
    "AnalyticRoc": "signal_detection.analytic",
    "BinormalRoc": "signal_detection.analytic",
    "binormal": "signal_detection.binormal_fit",
    "d_prime": "signal_detection.d_prime",
    "Band": "inference.bands",
    "pr_band": "inference.bands",
    "roc_band": "inference.bands",
    "threshold_band": "inference.bands",
    "compare": "inference.compare",
    "Comparison": "inference.comparison",
    "Estimate": "results.estimate",
    "Result": "results.result",
    "Rows": "rows.reading",
    "Table": "results.result",
    "read_rows": "rows.reading",
    "interval": "inference.interval",
    "pilot_power": "inference.pilot",
    "power": "inference.planning",
    "MetricList": "inference.metrics_list",
    "metrics": "inference.metrics_list",
    "score": "inference.metrics_list",
    "Pair": "inference.comparison",
    "ScoreHistogram": "curves.histogram",
    "score_histogram": "curves.histogram",
    "ThresholdRates": "curves.threshold_rates",
    "threshold_rates": "curves.threshold_rates",
    "RocCurve": "curves.roc",
    "PrCurve": "curves.pr",
    "PrGainCurve": "curves.pr_gain",
    "DetCurve": "curves.det",
    "LiftCurve": "curves.lift",
    "RocHull": "curves.hull",
    "JointHull": "curves.joint_hull",
    "CostCurve": "curves.cost",
    "BrierCurve": "curves.brier_curve",
    "DecisionCurve": "curves.decision",
    "rate_sample_size": "inference.planning",
    "sample_size": "inference.planning",
}

__all__ = ["__version__", *_HOME]  # noqa: PLE0604 - the names are the keys above


def __getattr__(name: str) -> object:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'curvewise' has no attribute {name!r}")
    value = getattr(import_module(f"curvewise.{home}"), name)
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
