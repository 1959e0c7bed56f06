"""Any metric as a scikit-learn scorer, with the scores of the class that is positive."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from curvewise.errors import CurvewiseError, OptionError, UndefinedMetricError, unknown_option
from curvewise.inference.metrics_list import score
from curvewise.many_classes.class_metrics import AVERAGES, Average
from curvewise.many_classes.multiclass import multiclass
from curvewise.metric.registry import Metric, find
from curvewise.rows.checks import one_of
from curvewise.rows.columns import shown
from curvewise.rows.labels import classes_in
from curvewise.tuning._sklearn import Scorer
from curvewise.tuning.responses import RESPONSES, classes_of, positive_place, response_name

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep

ResponseMethod = Literal["auto", "predict_proba", "decision_function", "predict"]
OWN = ("positive", "response_method", "average")
# on these every option meets its check, whatever the model
TRIED = [0, 1, 0, 1], [0.2, 0.4, 0.6, 0.8]


def scorer(
    metric: str | Callable[[Sweep], float],
    *,
    positive: object = None,
    response_method: ResponseMethod = "auto",
    average: Average | None = None,
    **options: Any,
) -> MetricScorer:
    """Return a metric as a scikit-learn scorer, for cross-validation and for the search of parameters.

    Parameters
    ----------
    metric
        Any name or alias of `curvewise.metrics`, or a function of a `Sweep`, which is better when higher. A
        metric at a threshold without ``threshold=`` judges what ``predict`` says, and can be passed to
        `sklearn.model_selection.TunedThresholdClassifierCV`.
    positive
        The positive class; None takes ``classes_[1]`` of the model, as scikit-learn does.
    response_method
        Where scores come from: ``"predict_proba"`` or ``"decision_function"``. ``"auto"``: for metrics of the
        order of scores whichever the model has, the latter first, as scikit-learn does; for probabilities, and
        with ``threshold=``, the former. ``"predict"``: labels, for metrics at a threshold.
    average
        For three classes or more, the mean of each class against the rest: ``"macro"``, ``"weighted"`` or
        ``"micro"``, as in `curvewise.multiclass`.
    **options
        The metric's own, such as ``fpr=(0, 0.1)`` or ``threshold=0.3``.

    Returns
    -------
    MetricScorer
        Called as ``scorer(model, X, y, sample_weight=None)``. Greater is better: a loss is negated, a number with a
        target (such as the calibration slope, 1) is minus the distance from it, and ``repr`` says so. What has
        no direction, such as the share of rows flagged, comes as it is: do not search with it. The scorer can be
        pickled, and takes part in metadata routing (``set_score_request``).

    Raises
    ------
    OptionError
        Here if an option cannot be used with the metric; when called, if the model has no such class or method.

    Notes
    -----
    ``make_scorer(cw.roc_auc, response_method="predict_proba", positive="b")`` is wrong, silently, where "b" is
    ``classes_[0]``: scikit-learn passes the column of ``classes_[1]``, which no function of labels and scores can
    see, and the answer is 1 − AUC. This scorer takes the column of the positive class, or turns the sign of
    ``decision_function``.

    Where a metric is undefined (no row of a class in a fold, say) the scorer raises `UndefinedMetricError`;
    scikit-learn then warns and puts NaN, or ``error_score``.

    Examples
    --------
    >>> import curvewise as cw
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import cross_val_score
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = LogisticRegression(max_iter=10_000)
    >>> scorer = cw.scorer("partial_roc_auc", fpr=(0, 0.1), scale="mean", positive=0)
    >>> cross_val_score(model, X[:, :2], y, scoring=scorer, cv=3).round(3)
    array([0.685, 0.829, 0.827])
    >>> cw.scorer("brier", positive=0)
    scorer('brier_loss', positive=0): -brier_loss, from predict_proba
    """
    known = find(metric)
    labels = known.family == "threshold" and options.get("threshold") is None
    checked = _checked(known, options, labels=labels)
    if average is not None:
        one_of("average", average, AVERAGES)
        if positive is not None:
            raise OptionError.of("average", "each class is the positive one in turn; leave positive= out.")
    of_labels = LabelMetric(metric if callable(metric) and known.family == "custom" else known.name, checked)
    return MetricScorer(of_labels, positive, _responses(known, response_method, labels=labels), average)


class MetricScorer(Scorer):  # type: ignore[misc]  # scikit-learn has no types
    """A metric as a scikit-learn scorer, made by `curvewise.scorer`."""

    def __init__(
        self, of_labels: LabelMetric, positive: object, responses: tuple[str, ...], average: Average | None
    ) -> None:
        sign = -1 if of_labels.known.better == "lower" else 1
        chosen = {} if positive is None else {"pos_label": positive}
        # scikit-learn reads these by their names: the function is what TunedThresholdClassifierCV calls with labels
        super().__init__(of_labels, sign, chosen, responses)
        self._average = average

    def _score(self, method_caller: Callable[..., Any], estimator: Any, X: Any, y_true: Any, **metadata: Any) -> float:  # noqa: N803
        """Return the metric of what the model says of these rows, greater is better."""
        for name in metadata:
            if name != "sample_weight":
                raise unknown_option(name, ["sample_weight"], repr(self))
        weight, of_labels = metadata.get("sample_weight"), self._score_func
        classes, method = classes_of(estimator), response_name(estimator, self._response_method)
        if self._average is not None:
            return self._oriented(self._mean(method_caller, estimator, X, y_true, classes, method, weight))
        if len(classes) > 2:
            raise OptionError.of(
                "average", f"the model has {len(classes)} classes; pass 'macro', 'weighted' or 'micro' to cw.scorer."
            )
        place = positive_place(classes, self._kwargs.get("pos_label"))
        label = classes.tolist()[place]
        if method == "predict":
            flags = np.asarray(method_caller(estimator, method, X, pos_label=None)) == label
            return self._oriented(of_labels.of_flags(y_true, flags, label, weight))
        # the answers that scikit-learn keeps for several scorers of one model have the method as their key, whichever
        # class it was asked for: with another key per class nobody gets the scores of the other one
        key = (method,) * (place + 1)
        scores = method_caller(estimator, key, X, pos_label=classes[place])
        options = {"positive": label, "weight": weight, **of_labels.options}
        return self._oriented(score(of_labels.metric, y_true, scores, **options))

    def _mean(
        self, method_caller: Callable[..., Any], estimator: Any, x: Any, y: Any, classes: Any, method: str, weight: Any
    ) -> float:
        """Return the mean over classes."""
        if len(classes) < 3:
            raise OptionError.of("average", "the model has two classes, of which one is positive; leave average= out.")
        answer = method_caller(estimator, method, x, pos_label=None)
        predictions = {"predicted": answer} if method == "predict" else {"proba": answer}
        of_labels = self._score_func
        return multiclass(y, **predictions, classes=classes, weight=weight).average(
            of_labels.metric, self._average or "macro", **of_labels.options
        )

    def _oriented(self, value: float) -> float:
        target = self._score_func.known.target
        return float(self._sign * value if target is None else -abs(value - target))

    def __repr__(self) -> str:
        metric = self._score_func.known
        chosen = {"average": self._average, "positive": self._kwargs.get("pos_label")}
        options = {**self._score_func.options, **{k: v for k, v in chosen.items() if v is not None}}
        arguments = ", ".join([repr(metric.name), *(f"{k}={shown(v)}" for k, v in options.items())])
        signed = f"{'-' if self._sign < 0 else ''}{metric.name}"
        number = signed if metric.target is None else f"-|{metric.name} - {metric.target:g}|"
        return f"scorer({arguments}): {number}, from {' or '.join(self._response_method)}"


@dataclass(frozen=True)
class LabelMetric:
    """A metric with its options, as a function of true and predicted labels in scikit-learn's manner.

    `TunedThresholdClassifierCV` calls it for each threshold. The metric is held by its name, which can be pickled.
    """

    metric: str | Callable[[Sweep], float]
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def known(self) -> Metric:
        """The metric."""
        return find(self.metric)

    @property
    def __name__(self) -> str:  # what scikit-learn shows of a function
        return self.known.name

    def __call__(self, y_true: Any, y_pred: Any, *, pos_label: object = None, sample_weight: object = None) -> float:
        """Return the metric of predicted labels; the worst that it can be where it is undefined."""
        metric = self.known
        if metric.family != "threshold" or "threshold" in self.options:
            raise CurvewiseError(
                f"TunedThresholdClassifierCV judges predicted labels, and {metric.name} reads scores here: pass a "
                "metric at a threshold without threshold=, such as cw.scorer('youden')."
            )
        y, predicted = np.asarray(y_true), np.asarray(y_pred)
        label = _last_class(y, predicted) if pos_label is None else pos_label
        flags = predicted == label
        try:
            value = self.of_flags(y, flags, label, sample_weight)
        except UndefinedMetricError:
            if 0 < np.count_nonzero(flags) < len(flags):
                raise  # by the truth, and so at every threshold
            value = metric.high if metric.better == "lower" else metric.low  # so that it is never chosen
        if math.isinf(value):
            raise CurvewiseError(
                f"{metric.name} is infinite at some thresholds, which TunedThresholdClassifierCV cannot average over "
                "folds: take a metric that is not, or cw.ThresholdRule."
            )
        return value

    def of_flags(self, y: Any, flags: Any, label: object, weight: object) -> float:
        """Return the metric where these rows are flagged."""
        return score(self.metric, y, flags, threshold=1, positive=label, weight=weight, **self.options)


def _checked(metric: Metric, options: Mapping[str, Any], *, labels: bool) -> dict[str, Any]:
    """Return the metric's own options, each with a value that it takes."""
    chosen = {k: v for k, v in options.items() if not (labels and k == "threshold")}
    tried = {**chosen, "threshold": 0.5} if labels else chosen
    bound = metric.bind(tried, OWN).options
    if metric.family != "custom":
        with suppress(UndefinedMetricError):
            score(metric.name, *TRIED, **bound)
    return chosen if labels else bound


def _responses(metric: Metric, wanted: str, *, labels: bool) -> tuple[str, ...]:
    """Return the methods of a model that the metric may be read from, the preferred one first."""
    one_of("response_method", wanted, (*RESPONSES, "predict"))
    if labels:
        if wanted not in ("auto", "predict"):
            raise OptionError.of(
                "response_method", f"{metric.name} is read from labels; for {wanted} pass threshold= too."
            )
        return ("predict",)
    if wanted == "predict":
        what = "needs scores" if metric.family != "threshold" else "with threshold= is read from scores"
        raise OptionError.of("response_method", f"{metric.name} {what}, and 'predict' gives labels.")
    if metric.family == "probability" and wanted == "decision_function":
        raise OptionError.of("response_method", f"{metric.name} needs probabilities, which decision_function is not.")
    if wanted != "auto":
        return (wanted,)
    return (
        ("predict_proba",) if metric.family in ("probability", "threshold") else ("decision_function", "predict_proba")
    )


def _last_class(y: Any, predicted: Any) -> Any:
    """Return the last of two classes, as scikit-learn does; 1 where one of a known coding is there."""
    classes = classes_in(np.concatenate([y, predicted]))
    if len(classes) == 2:
        return classes[1]
    if len(classes) == 1 and classes[0] in (-1, 0, 1):
        return 1
    seen = f"all rows of a fold are of class {shown(classes[0])}" if len(classes) == 1 else "there are more than two"
    raise OptionError.of("positive", f"{seen}; name the positive class: cw.scorer(…, positive=…).")
