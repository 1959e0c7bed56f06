"""What is used of scikit-learn, or one sentence on how to get it."""

from __future__ import annotations

from curvewise.errors import MissingExtraError

try:
    from sklearn import get_config
    from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
    from sklearn.metrics._scorer import _Scorer as Scorer
    from sklearn.model_selection import check_cv
    from sklearn.utils import _safe_indexing as rows_of
    from sklearn.utils import column_or_1d, indexable
    from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
    from sklearn.utils.metaestimators import available_if
    from sklearn.utils.multiclass import type_of_target
    from sklearn.utils.parallel import Parallel, delayed
    from sklearn.utils.validation import _check_method_params as params_of_rows
    from sklearn.utils.validation import assert_all_finite, check_is_fitted, has_fit_parameter
except ImportError:
    raise MissingExtraError(
        "Scorers and ThresholdRule need scikit-learn 1.5 or later; install it with: pip install 'curvewise[sklearn]'"
    ) from None

__all__ = ["BaseEstimator", "ClassifierMixin", "MetaEstimatorMixin", "MetadataRouter", "MethodMapping", "Parallel",
           "Scorer", "assert_all_finite", "available_if", "check_cv", "check_is_fitted", "clone", "column_or_1d",
           "delayed", "get_config", "has_fit_parameter", "indexable", "params_of_rows", "process_routing",
           "rows_of", "type_of_target"]  # fmt: skip
