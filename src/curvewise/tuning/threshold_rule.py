"""A classifier whose threshold one of our rules chooses, on the scores of inner folds."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Places
from curvewise.decisions.operating_point import OperatingPoint, operating_point
from curvewise.errors import CurvewiseError, CurvewiseWarning, OptionError, UndefinedMetricError, note
from curvewise.rows.checks import one_of
from curvewise.rows.reading import read_rows
from curvewise.tuning import _sklearn as sk
from curvewise.tuning.responses import RESPONSES, classes_of, listed, positive_place, scores_of

if TYPE_CHECKING:
    from curvewise.core.confusion import Confusion
    from curvewise.decisions.choice import Rule
    from curvewise.rows.rows import Rows

    Split = tuple[Places, Places]
    FoldScores = list[tuple[Places, NDArray[Any]]]


def _inner_has(method: str) -> Callable[[ThresholdRule], bool]:
    """Return whether the classifier within has a method, as `available_if` asks."""
    return lambda rule: hasattr(getattr(rule, "estimator_", rule.estimator), method)


class ThresholdRule(sk.ClassifierMixin, sk.MetaEstimatorMixin, sk.BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """A classifier of two classes with a threshold that a rule chooses on out-of-fold scores.

    Inner folds are scored by models that have not seen them, the rule chooses one threshold on all those scores, and
    the classifier is then fitted to all rows. ``predict`` says positive where the score is at the threshold or above.

    Parameters
    ----------
    estimator
        A classifier with ``predict_proba`` or ``decision_function``.
    rule
        One of `curvewise.rules`, or a function of a `Confusion`, as in `curvewise.operating_point`.
    cv
        The inner folds: their number (stratified), a splitter, pairs of training and test rows, or ``"prefit"``:
        the classifier is fitted already, on other rows, and nothing is fitted here. A row in the test part of
        several folds, as with repeated folds, is a cluster.
    positive
        The positive class; None takes ``classes_[1]``, as scikit-learn does.
    response_method
        Which scores: ``"predict_proba"``, ``"decision_function"``, or ``"auto"``, the first of them that it has.
    refit
        Whether to fit the classifier to all rows once the threshold is chosen. False, with one split only, keeps
        the one fitted to its training rows.
    n_jobs
        How many folds to fit at the same time, as in scikit-learn.

    Attributes
    ----------
    estimator_
        The fitted classifier.
    threshold_
        The score from which on a row is predicted positive.
    operating_point_
        The `OperatingPoint` of the out-of-fold scores: rates with intervals, what to expect on new rows, notes.
        It is computed, with resamples, when first asked for.
    fold_thresholds_
        What the rule chooses on each fold alone; NaN where a fold has no answer. Where they lie far apart, the
        threshold is uncertain, or the models of the folds are calibrated differently.
    out_of_fold_
        The `Rows` of the out-of-fold scores, with fold and row number, for any other verb.
    rule_, positive_
        The rule, and the positive class.
    classes_, n_features_in_, feature_names_in_
        As in scikit-learn; the latter two where the classifier has them.

    Notes
    -----
    The threshold is chosen on scores of models fitted to fewer rows, and used with one fitted to all. Where the two
    differ much (few rows, few folds, a model whose scores are not probabilities) its rates on new rows differ from
    those that ``operating_point_`` expects. The estimate to report is that of an outer cross-validation, or of rows
    held out from ``fit``.

    ``sample_weight`` goes to the classifier and to the choice.

    Examples
    --------
    >>> import curvewise as cw
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = cw.ThresholdRule(LogisticRegression(), cw.rules.max_fpr(0.05), positive=0).fit(X[:, :2], y)
    >>> round(model.threshold_, 3), model.fold_thresholds_.round(2)
    (0.654, array([0.42, 0.47, 0.53, 0.6 , 0.79]))
    >>> model.operating_point_.expected["recall"].brief()
    '0.7499 (0.6875 to 0.8036)'
    """

    def __init__(
        self,
        estimator: Any,
        rule: Rule | Callable[[Confusion], float],
        *,
        cv: Any = 5,
        positive: object = None,
        response_method: Literal["auto", "predict_proba", "decision_function"] = "auto",
        refit: bool = True,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.rule = rule
        self.cv = cv
        self.positive = positive
        self.response_method = response_method
        self.refit = refit
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **fit_params: Any) -> Self:  # noqa: N803
        """Choose the threshold on out-of-fold scores, then fit the classifier to all rows.

        ``fit_params`` go to the classifier; with metadata routing, to whatever asked for them.
        """
        one_of("response_method", self.response_method, RESPONSES)
        X, y = sk.indexable(X, sk.column_or_1d(y, warn=True))  # noqa: N806 - scikit-learn's name
        sk.assert_all_finite(y, input_name="y")
        kind = sk.type_of_target(y, input_name="y")
        if kind == "unknown":
            raise CurvewiseError("Unknown label type: expected numbers or text in y.")
        if kind != "binary":
            raise CurvewiseError(f"Only binary classification is supported. The type of the target is {kind}.")
        weight = None if sample_weight is None else _weight(sample_weight, len(y))
        classes = _classes(y, weight)
        place = positive_place(classes, self.positive, "y")
        to_fit, to_split = self._routed(sample_weight, fit_params)
        if isinstance(self.cv, str):
            one_of("cv", self.cv, ("prefit",))
            model, folds = self._prefit(X, classes, place, fit_params)
        else:
            splits = list(sk.check_cv(self.cv, y, classifier=True).split(X, y, **to_split))
            for k, (train, _) in enumerate(splits, 1):
                if len(_classes(y, weight, train)) < 2:
                    problem = f"the training rows of fold {k} are of one class; take fewer or other folds."
                    raise OptionError.of("cv", problem)
            model, folds = self._fitted(X, y, place, splits, to_fit)
        tested = np.concatenate([test for test, _ in folds])
        fold = np.repeat(np.arange(len(folds)), [len(test) for test, _ in folds])
        rows = read_rows(
            sk.rows_of(y, tested),
            np.concatenate([scores for _, scores in folds]),
            positive=classes.tolist()[place],
            weight=None if weight is None else weight[tested],
            cluster=tested if len(np.unique(tested)) < len(tested) else None,
            fold=fold,
            id=tested,
        )
        chosen = operating_point(rows, rule=self.rule, replicates=0)
        self.__dict__.pop("operating_point_", None)  # of an earlier fit
        self.estimator_, self.classes_, self.out_of_fold_ = model, model.classes_, rows
        self.positive_, self.rule_, self.threshold_ = classes[place], chosen.rule, chosen.threshold
        self.fold_thresholds_ = _by_fold(rows, chosen.rule, len(folds))
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(model, name):
                setattr(self, name, getattr(model, name))
        return self

    @cached_property
    def operating_point_(self) -> OperatingPoint:
        """The choice with intervals, computed from the out-of-fold scores when first asked for."""
        sk.check_is_fitted(self)
        point, spread = operating_point(self.out_of_fold_, self.rule_), self.fold_thresholds_
        known = spread[~np.isnan(spread)]
        if len(known) < 2:
            return point
        of_folds = note("fold_thresholds", folds=len(known), low=float(known.min()), high=float(known.max()))
        return replace(point, notes=(*point.notes, of_folds))

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: N803
        """Return the positive class where the score is at the threshold or above, else the other one."""
        sk.check_is_fitted(self)
        place = positive_place(self.classes_, self.positive_)
        flagged = scores_of(self.estimator_, X, self._responses, place) >= self.threshold_
        labels: NDArray[Any] = self.classes_[np.where(flagged, place, 1 - place)]
        return labels

    @sk.available_if(_inner_has("predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> NDArray[Any]:  # noqa: N803
        """Return the probabilities of the classifier; no threshold changes them."""
        return self._inner("predict_proba", X)

    @sk.available_if(_inner_has("predict_log_proba"))  # type: ignore[untyped-decorator]
    def predict_log_proba(self, X: Any) -> NDArray[Any]:  # noqa: N803
        """Return the logarithms of the probabilities of the classifier."""
        return self._inner("predict_log_proba", X)

    @sk.available_if(_inner_has("decision_function"))  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> NDArray[Any]:  # noqa: N803
        """Return the decision function of the classifier; no threshold changes it."""
        return self._inner("decision_function", X)

    def get_metadata_routing(self) -> Any:
        """Return what goes where: metadata of ``fit`` to the classifier and to the splitter."""
        to_fit, to_split = (sk.MethodMapping().add(caller="fit", callee=callee) for callee in ("fit", "split"))
        router = sk.MetadataRouter(owner=self).add_self_request(self)
        return router.add(estimator=self.estimator, method_mapping=to_fit).add(
            splitter=self.cv, method_mapping=to_split
        )

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import get_tags  # noqa: PLC0415 - since 1.6, which is the first to ask for tags

        tags, inner = super().__sklearn_tags__(), get_tags(self.estimator)
        tags.classifier_tags.multi_class = False
        tags.input_tags.sparse, tags.input_tags.allow_nan = inner.input_tags.sparse, inner.input_tags.allow_nan
        return tags

    @property
    def _responses(self) -> tuple[str, ...]:
        return RESPONSES[1:] if self.response_method == "auto" else (self.response_method,)

    def _inner(self, method: str, x: Any) -> NDArray[Any]:
        sk.check_is_fitted(self)
        answer: NDArray[Any] = getattr(self.estimator_, method)(x)
        return answer

    def _prefit(
        self, x: Any, classes: NDArray[Any], place: int, fit_params: Mapping[str, Any]
    ) -> tuple[Any, FoldScores]:
        """Return the classifier as it is, and its scores of all rows."""
        if fit_params:
            raise OptionError.of(next(iter(fit_params)), 'cv="prefit" fits nothing; leave it out.')
        sk.check_is_fitted(self.estimator)
        theirs = classes_of(self.estimator)
        if theirs.tolist() != classes.tolist():
            raise CurvewiseError(f"y has the classes {listed(classes)}, but the fitted model has {listed(theirs)}.")
        scores = scores_of(self.estimator, x, self._responses, place)
        return self.estimator, [(np.arange(len(scores)), scores)]

    def _fitted(
        self, x: Any, y: Any, place: int, splits: Sequence[Split], params: Mapping[str, Any]
    ) -> tuple[Any, FoldScores]:
        """Return the fitted classifier, and the rows and scores of each fold."""
        if not self.refit:
            if len(splits) > 1:
                raise OptionError.of("refit", f"with {len(splits)} folds there is no one model to keep; expected True.")
            train, test = splits[0]
            model = _model(self.estimator, x, y, train, params)
            return model, [(test, scores_of(model, sk.rows_of(x, test), self._responses, place))]
        scores = sk.Parallel(n_jobs=self.n_jobs)(
            sk.delayed(_fold_scores)(self.estimator, x, y, split, params, self._responses, place) for split in splits
        )
        folds = [(np.asarray(test), s) for (_, test), s in zip(splits, scores, strict=True)]
        return sk.clone(self.estimator).fit(x, y, **params), folds

    def _routed(self, sample_weight: Any, fit_params: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return what goes to the classifier, and what to the splitter."""
        if sk.get_config()["enable_metadata_routing"]:
            routed = sk.process_routing(self, "fit", sample_weight=sample_weight, **fit_params)
            return routed.estimator.fit, routed.splitter.split
        if sample_weight is None:
            return dict(fit_params), {}
        if sk.has_fit_parameter(self.estimator, "sample_weight"):
            return {**fit_params, "sample_weight": sample_weight}, {}
        if self.cv != "prefit":
            warnings.warn(
                f"{type(self.estimator).__name__}.fit takes no sample_weight: only the choice of the threshold is "
                "weighted; with a pipeline, enable scikit-learn's metadata routing.",
                CurvewiseWarning,
                stacklevel=3,
            )
        return dict(fit_params), {}


def _weight(sample_weight: Any, n: int) -> NDArray[Any]:
    """Return weights, one per row and not all zero; of what they are, `read_rows` says more."""
    weight = np.asarray(sample_weight)
    if weight.shape != (n,):
        raise OptionError.of("sample_weight", f"expected one number per row, {n}, got the shape {weight.shape}.")
    if not weight.any():
        raise OptionError.of("sample_weight", "all weights are zero; expected at least one non-zero number.")
    return weight


def _classes(y: Any, weight: NDArray[Any] | None, rows: Any = slice(None)) -> NDArray[Any]:
    """Return the classes of some of the rows, those of weight 0 left out."""
    some = np.asarray(y)[rows]
    return np.unique(some if weight is None else some[weight[rows] > 0])


def _model(estimator: Any, x: Any, y: Any, train: Places, params: Mapping[str, Any]) -> Any:
    """Return a copy of the classifier, fitted to some of the rows."""
    return sk.clone(estimator).fit(
        sk.rows_of(x, train), sk.rows_of(y, train), **sk.params_of_rows(x, params, indices=train)
    )


def _fold_scores(
    estimator: Any, x: Any, y: Any, split: Split, params: Mapping[str, Any], wanted: Sequence[str], place: int
) -> NDArray[Any]:
    """Return the scores of a fold by a model that has not seen it."""
    train, test = split
    return scores_of(_model(estimator, x, y, train, params), sk.rows_of(x, test), wanted, place)


def _by_fold(rows: Rows, rule: Any, folds: int) -> NDArray[np.float64]:
    """Return what the rule chooses on each fold alone; NaN where it has no answer."""
    thresholds, member = np.full(folds, math.nan), rows.fold
    if member is None:
        return thresholds
    for code, fold in enumerate(member.labels):
        with suppress(UndefinedMetricError):
            thresholds[fold] = operating_point(rows.take(member.code == code), rule=rule, replicates=0).threshold
    return thresholds
