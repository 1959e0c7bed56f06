"""A linear classifier trained for the part of the ROC curve that matters."""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats
from curvewise.core.sweep import sweep
from curvewise.decisions.choice import Candidates
from curvewise.decisions.rules import max_fpr
from curvewise.errors import CurvewiseError, MissingExtraError, UndefinedMetricError
from curvewise.objectives.region import TEMPERATURE, Region, Share
from curvewise.rows.checks import real, whole

try:
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import _check_sample_weight, check_is_fitted
except ImportError:
    raise MissingExtraError("PartialAucClassifier needs scikit-learn: pip install 'curvewise[sklearn]'") from None
try:
    from sklearn.utils.validation import validate_data
except ImportError:  # before scikit-learn 1.6

    def validate_data(estimator: Any, *data: Any, **options: Any) -> Any:
        """Check data as the function of later releases does."""
        return estimator._validate_data(*data, **options)


FLAT = 1e-10  # the gain of a step below which L-BFGS stops; kinks may keep gradients from getting small


class PartialAucClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Linear classifier with the highest smooth partial AUC on the rows that it is fitted to.

    Helps where a linear model is too simple for the data, so that log loss spends it on rows that do not matter at low
    false positive rates; where a logistic model is right, logistic regression is as good or better, and gives
    probabilities.

    Parameters
    ----------
    fpr, tpr
        The part of the ROC curve that matters, as in `curvewise.objectives.partial_auc`.
    temperature
        How smooth the objective is, relative to the spread of the scores.
    l2
        Ridge penalty: ``l2`` · ‖w‖² is taken from the objective, where w are the coefficients of standardised features,
        scaled so that scores have a spread of 1. It keeps away from directions in which features hardly vary.
    max_iter, tol
        Most iterations of L-BFGS, and the size of the gradient at which it stops.

    Attributes
    ----------
    classes_
        The two classes; the second is the positive one.
    coef_, intercept_
        Coefficients of the features as given, of norm 1 (their scale does not matter to a ranking), and the intercept.
    objective_
        The smooth partial AUC reached on the training rows; too high as an estimate for new rows.
    n_iter_
        Iterations of L-BFGS.

    Notes
    -----
    Features are standardised; the start is a logistic regression on them (C = 1), from which L-BFGS climbs with the
    exact gradient. The objective is not concave, so what is found is a maximum near logistic regression; on the
    training rows it is never below it. Nothing is random.

    `predict` cuts scores where recall on the training rows is highest with a false positive rate of at most the higher
    end of ``fpr`` there; on new rows the rate is a little higher on average, so choose a threshold on other rows
    where it matters (`curvewise.operating_point`). There is no ``predict_proba``, since the scores are no
    probabilities: scikit-learn's ``CalibratedClassifierCV`` makes some on inner folds.

    References
    ----------
    Narasimhan & Agarwal (2013) ICML 28:516-524. Ma & Huang (2005) Bioinformatics 21:4356-4362 (a sigmoid for AUC).

    Examples
    --------
    >>> import numpy as np
    >>> import curvewise as cw
    >>> rng = np.random.default_rng(0)
    >>> y = rng.random(2000) < 0.2
    >>> X = rng.normal(size=(2000, 3)) + np.outer(y, [1.0, 1.0, 0.0])
    >>> model = cw.objectives.PartialAucClassifier(fpr=0.1).fit(X, y)
    >>> bool(np.mean(model.predict(X)[~y]) <= 0.1)
    True
    """

    def __init__(
        self,
        fpr: Share = 0.05,
        tpr: Share | None = None,
        *,
        temperature: float = TEMPERATURE,
        l2: float = 0.0,
        max_iter: int = 500,
        tol: float = 1e-6,
    ) -> None:
        self.fpr = fpr
        self.tpr = tpr
        self.temperature = temperature
        self.l2 = l2
        self.max_iter = max_iter
        self.tol = tol

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:  # noqa: N803 - scikit-learn's name
        """Fit the direction, then the threshold."""
        region = Region.read(self.fpr, self.tpr, self.temperature)
        l2 = real("l2", self.l2, 0, float("inf"))
        X, y = validate_data(self, X, y, dtype=np.float64)  # noqa: N806
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        if len(self.classes_) != 2:
            raise CurvewiseError(
                f"Only binary classification is supported: expected two classes, got {len(self.classes_)}"
                f"{' class' if len(self.classes_) == 1 else ''}."
            )
        weight = _check_sample_weight(sample_weight, X, dtype=np.float64)
        positive = y == self.classes_[1]
        _check_weight(positive, weight)
        scaler = StandardScaler().fit(X, sample_weight=weight)
        scaled = scaler.transform(X)
        w = self._climb(region, l2, scaled, positive, weight)
        direction = w / scaler.scale_
        direction /= np.linalg.norm(direction)
        self.coef_ = direction[None, :]
        self.intercept_ = -np.atleast_1d(_threshold(positive, X @ direction, weight, region.fpr[1]))
        return self

    def _climb(self, region: Region, l2: float, scaled: Floats, positive: NDArray[np.bool_], weight: Floats) -> Floats:
        """Return the coefficients of standardised features where L-BFGS ends, from logistic regression on."""
        from scipy.optimize import minimize  # noqa: PLC0415 - slow to load

        start = _logistic(scaled, positive, weight)
        covariance = _balanced_covariance(scaled, positive, weight) if l2 else np.eye(len(start))

        def loss(w: Floats) -> tuple[float, Floats]:
            score = scaled @ w
            reached = region.at(positive, score, weight)
            ridge, by_w = _ridge(w, covariance)
            return l2 * ridge - reached.value, l2 * by_w - scaled.T @ reached.gradient

        options = {
            "maxiter": whole("max_iter", self.max_iter, 1),
            "gtol": real("tol", self.tol, float(np.nextafter(0, 1)), float("inf")),
            "ftol": FLAT,
        }
        optimum = minimize(loss, start, jac=True, method="L-BFGS-B", options=options)
        if optimum.status == 1:
            warnings.warn(
                f"L-BFGS stopped after {optimum.nit} iterations; raise max_iter or tol.",
                ConvergenceWarning,
                stacklevel=3,
            )
        self.n_iter_ = int(optimum.nit)
        self.objective_ = region.at(positive, scaled @ optimum.x, weight).value
        return np.asarray(optimum.x)

    def decision_function(self, X: Any) -> Floats:  # noqa: N803 - scikit-learn's name
        """Return the scores, above 0 where a row is predicted to be positive."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)  # noqa: N806
        return np.asarray(X @ self.coef_[0] + self.intercept_[0])

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: N803 - scikit-learn's name
        """Return the predicted classes."""
        above = self.decision_function(X) > 0
        return np.asarray(self.classes_[above.astype(int)])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def _more_tags(self) -> dict[str, bool]:  # before scikit-learn 1.6
        return {"binary_only": True}


def _check_weight(positive: NDArray[np.bool_], weight: Floats) -> None:
    if (weight < 0).any():
        raise CurvewiseError(f"sample_weight: expected weights of 0 or more, got {int((weight < 0).sum())} negative.")
    if not weight[positive].any() or not weight[~positive].any():
        raise CurvewiseError("sample_weight: all rows of one class have weight 0; both classes are needed.")


def _logistic(scaled: Floats, positive: NDArray[np.bool_], weight: Floats) -> Floats:
    """Return the direction of a logistic regression, of norm 1."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # it is only a start
        model = LogisticRegression(tol=1e-8, max_iter=1000).fit(scaled, positive, sample_weight=weight)
    direction = np.asarray(model.coef_[0], dtype=np.float64)
    size = float(np.linalg.norm(direction))
    if not size:
        raise UndefinedMetricError("X: every feature is constant, or none differs between the classes.")
    return direction / size


def _balanced_covariance(scaled: Floats, positive: NDArray[np.bool_], weight: Floats) -> Floats:
    """Return the covariance of features, both classes weighing the same: wᵀCw is the squared spread of scores."""
    balanced = np.where(positive, weight / weight[positive].sum(), weight / weight[~positive].sum()) / 2
    centred = scaled - balanced @ scaled
    return np.asarray((centred * balanced[:, None]).T @ centred)


def _ridge(w: Floats, covariance: Floats) -> tuple[float, Floats]:
    """Return ‖w‖² / wᵀCw, which has no scale, and its gradient."""
    along = covariance @ w
    size, spread = float(w @ w), float(w @ along)
    return size / spread, 2 * (w - size / spread * along) / spread


def _threshold(positive: NDArray[np.bool_], score: Floats, weight: Floats, fpr: float) -> float:
    """Return the cut with the highest recall within an FPR, midway between the last score flagged and the next."""
    seen = sweep(positive, score, weight=weight)
    try:
        flagged = int(max_fpr(fpr).best(Candidates.of(seen, None))[0])
    except UndefinedMetricError:  # the highest score has too many negatives
        flagged = 0
    ends = np.concatenate([[seen.threshold[0] + 1], seen.threshold, [seen.threshold[-1] - 1]])
    return float(ends[flagged] + ends[flagged + 1]) / 2
