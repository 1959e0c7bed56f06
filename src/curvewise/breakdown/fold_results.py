"""What cross-validation found: a metric fold by fold, its mean and spread, and the pooled value beside them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any

from curvewise.breakdown.fold_curves import FoldCurves, Kind, curves_of_folds
from curvewise.breakdown.fold_mean import ByFolds, held_out_share
from curvewise.breakdown.group_metrics import stacked
from curvewise.errors import CurvewiseError, Note, OptionError, note
from curvewise.inference.compare import better_end, pair_with_margin
from curvewise.inference.comparison import Comparison, holm, with_simultaneous
from curvewise.results.numbers import json_safe, percent
from curvewise.results.result import Result, Table
from curvewise.rows.checks import real
from curvewise.rows.columns import shown

if TYPE_CHECKING:
    from curvewise.breakdown.fold_shift import FoldShift
    from curvewise.core.sweep import Sweep
    from curvewise.metric.registry import Bound
    from curvewise.results.estimate import Estimate


MATTERS = 0.005  # a smaller difference of pooled value and mean does not matter


@dataclass(frozen=True, eq=False, repr=False)
class Fold(Result, schema="fold"):
    """The rows that were held out together: how many, and the metric of each model on them.

    ``n`` and ``positives`` are sums of weights where rows have them, ``rows`` counts rows; ``train_size`` is how many
    rows the models of this fold were fitted on. The interval of an estimate speaks of new rows for the model of
    this fold.
    """

    name: str
    repeat: str | None
    n: float
    positives: float
    rows: int
    train_size: int
    estimates: dict[str, Estimate]
    sweeps: dict[str, Sweep] = field(repr=False)
    units: dict[str, tuple[float, float]] = field(repr=False)

    @property
    def sizes(self) -> dict[str, Any]:
        """Its name, its repeat where there are several, and its rows."""
        repeat = {} if self.repeat is None else {"repeat": self.repeat}
        return {**repeat, "fold": self.name, "n": self.n, "positives": self.positives}

    @property
    def table(self) -> Table:
        """One row per model."""
        rows = [
            {**self.sizes, "model": name, "value": e.value, "low": e.low, "high": e.high}
            for name, e in self.estimates.items()
        ]
        return Table("", stacked(rows))


@dataclass(frozen=True, eq=False, repr=False)
class ModelFolds(Result, schema="model_folds"):
    """One model over all folds.

    Attributes
    ----------
    mean
        The mean over folds. AUC has an interval that speaks of new rows for the models of the folds
        (``"delong-folds"``); any other metric one that speaks of the way of fitting (``"corrected-t"``).
    spread
        The standard deviation over folds.
    expected_spread
        The standard deviation that folds would have by chance alone, if their models were equally good and only their
        rows differed; NaN where a fold has no standard error.
    pooled
        The metric of all rows together, whatever fold they are in; with repeats, the mean over repeats.
    shift
        The test that the scores of folds are alike within classes, without which pooling misleads.
    """

    model: str
    mean: Estimate
    spread: float
    expected_spread: float
    pooled: float
    shift: FoldShift

    @property
    def difference(self) -> float:
        """The pooled value minus the mean over folds."""
        return self.pooled - self.mean.value

    def row(self) -> dict[str, Any]:
        """Return the cells of a table of models."""
        mean = {"mean": self.mean.value, "low": self.mean.low, "high": self.mean.high}
        names = ("spread", "expected_spread", "pooled", "difference")
        return {"model": self.model, **mean, **{name: getattr(self, name) for name in names}}

    @property
    def table(self) -> Table:
        """One row."""
        return Table("", stacked([self.row()]))

    def content(self) -> dict[str, Any]:
        """Return everything, JSON-safe."""
        found: dict[str, Any] = json_safe({**vars(self), "difference": self.difference})
        return found

    def warning(self) -> Note | None:
        """Return the warning that folds differ by more than chance and that pooling shows it, if that is so.

        Where pooled value and mean differ by less than 0.005, pooling does no harm: always so for means over rows.
        """
        if not self.shift.differs or abs(self.difference) < MATTERS:
            return None
        values = {"p": self.shift.p_value, "fold": self.shift.fold}
        return note("folds_differ", pooled=self.pooled, mean=self.mean.value, **values)


@dataclass(frozen=True, eq=False, repr=False)
class Folds(Result, schema="folds"):
    """A metric fold by fold, made by `curvewise.by_fold`.

    ``folds`` are the folds in order, ``models`` has mean, spread and pooled value of each model by name; of a
    single model ``mean``, ``spread``, ``pooled`` and ``difference`` say the same. ``repeats`` is how often the rows
    were dealt to folds.
    """

    folds: tuple[Fold, ...]
    models: dict[str, ModelFolds]
    target: Bound = field(repr=False)
    level: float
    repeats: int
    dropped: int = 0
    notes: tuple[Note, ...] = ()
    backend: str | None = field(default=None, repr=False)

    @property
    def metric(self) -> str:
        """The name of the metric."""
        return self.target.name

    @property
    def mean(self) -> Estimate:
        """The mean over folds of the only model, with its interval."""
        return self._model(None).mean

    @property
    def spread(self) -> float:
        """The standard deviation over folds of the only model."""
        return self._model(None).spread

    @property
    def pooled(self) -> float:
        """The metric of all rows together, of the only model."""
        return self._model(None).pooled

    @property
    def difference(self) -> float:
        """The pooled value of the only model minus its mean over folds."""
        return self._model(None).difference

    def curve(self, kind: Kind = "roc", model: str | None = None) -> FoldCurves:
        """Return one curve per fold, and their mean with the spread around it.

        Parameters
        ----------
        kind
            ``"roc"``: TPR averaged at each FPR; ``"pr"``: precision averaged at each recall.
        model
            Which model, where there are several.
        """
        found = self._model(model)
        return curves_of_folds({self._title(f): f.sweeps[found.model] for f in self.folds}, kind)

    def compare(self, *models: str, margin: float | None = None) -> Comparison:
        """Compare models over the same folds by the corrected resampled t-test.

        Parameters
        ----------
        *models
            Which models, two or more; all by default.
        margin
            As in `curvewise.compare`.

        Returns
        -------
        Comparison
            ``difference`` (first minus second) as an `Estimate`, ``statistic`` (t), ``p_value``; ``pairs`` have the
            degrees of freedom.

        Notes
        -----
        With differences dⱼ of J = k·r folds of r repeats, t = d̄ / √((1/J + n_test/n_train)·s²) on J - 1 degrees of
        freedom. It asks which way of fitting is better on training sets of this size, and not whether these very models
        differ (`curvewise.compare` does). The plain paired t-test (without n_test/n_train) takes folds as
        independent, which they are not: it finds differences that are not there. The correction is approximate, since
        no unbiased estimate of that variance exists.

        References
        ----------
        Nadeau & Bengio (2003) Machine Learning 52:239-281. Bouckaert & Frank (2004) PAKDD, LNCS 3056:3-12. Bengio &
        Grandvalet (2004) J. Mach. Learn. Res. 5:1089-1105.

        Examples
        --------
        >>> import curvewise as cw
        >>> y, fold = [1, 1, 0, 0] * 3, [1] * 4 + [2] * 4 + [3] * 4
        >>> a, b = [9, 8, 2, 1, 9, 4, 5, 1, 9, 8, 2, 1], [9, 2, 8, 1, 9, 4, 5, 1, 5, 2, 3, 4]
        >>> found = cw.by_fold(y, {"a": a, "b": b}, fold).compare("a", "b")
        >>> found.difference.value, round(found.statistic, 4), found.pairs[0].degrees_of_freedom
        (0.25, 1.0954, 2)
        """
        names = [self._model(name).model for name in models] or list(self.models)
        if len(set(names)) < 2:
            raise OptionError.of("models", f"a comparison needs two models, got {', '.join(names)}.")
        margin = None if margin is None else real("margin", margin, 0, math.inf)
        found = ByFolds(self.target, names, self.folds, self.level)
        which = list(combinations(range(len(names)), 2))
        better = better_end(self.target, margin)
        tested = [pair_with_margin(found, i, j, names, margin, better) for i, j in which]
        pairs = holm(with_simultaneous(found, tested, which, names))
        number = len(self.folds)
        told = note("corrected_t", folds=number, degrees=number - 1, ratio=held_out_share(self.folds))
        notes = (told, *(n for n in self.notes if n.code == "clusters_span_folds"))
        return Comparison(self.metric, found.method, dict(zip(names, found.values, strict=True)), pairs, notes=notes)

    @classmethod
    def from_cv_results(
        cls,
        cv_results: dict[str, Any],
        X: object,  # noqa: N803 - as scikit-learn calls it
        y: object,
        *,
        positive: object = None,
        **options: Any,
    ) -> Folds:
        """Make folds of what scikit-learn's ``cross_validate`` returned.

        Parameters
        ----------
        cv_results
            The result of ``cross_validate(..., return_estimator=True, return_indices=True)``, or a dict of several
            by name of model, all with the same folds.
        X, y
            The rows and labels that were given to it.
        positive
            The positive class; by default 1 of 0 and 1 or of -1 and 1, else ``classes_[1]`` of the estimators, as in
            scikit-learn.
        **options
            Options of `curvewise.by_fold` (``metric``, ``level``, ``weight`` …), columns with a value per row of ``X``.

        Returns
        -------
        Folds
            Held-out rows are scored by the estimator that was not fitted on them, with ``predict_proba`` of the
            positive class, or with ``decision_function``. Training sizes are those of its indices. Splits that
            share rows are repeats.

        Examples
        --------
        >>> import numpy as np
        >>> from sklearn.linear_model import LogisticRegression
        >>> from sklearn.model_selection import StratifiedKFold, cross_validate
        >>> import curvewise as cw
        >>> rng = np.random.default_rng(0)
        >>> y = np.arange(60) % 2
        >>> X = rng.normal(size=(60, 3)) + y[:, None]
        >>> kept = {"cv": StratifiedKFold(3), "return_estimator": True, "return_indices": True}
        >>> folds = cw.Folds.from_cv_results(cross_validate(LogisticRegression(), X, y, **kept), X, y)
        >>> [(f.name, f.rows, f.train_size) for f in folds.folds]
        [('1', 20, 40), ('2', 20, 40), ('3', 20, 40)]
        """
        from curvewise.breakdown.cv_results import folds_of_cv_results  # noqa: PLC0415 - it needs what stands here

        return folds_of_cv_results(cv_results, X, y, positive, options)

    @property
    def table(self) -> Table:
        """One row per fold and model."""
        parts = [fold.table.columns for fold in self.folds]
        columns = {name: [v for part in parts for v in part[name]] for name in parts[0]}  # mutants: all alike
        if len(self.models) == 1:
            columns.pop("model")
        return Table(self._headed("by fold"), columns, self.backend)

    @property
    def wide(self) -> Table:
        """The same for reading: one row per fold, one column per model."""
        several = len(self.models) > 1
        rows = [
            {**f.sizes, **{name if several else self.metric: e.brief() for name, e in f.estimates.items()}}
            for f in self.folds
        ]
        return Table(self._headed("by fold"), stacked(rows))

    @property
    def summary(self) -> Table:
        """One row per model: mean, spread, what chance alone would make of it, pooled value and the difference."""
        return Table(self._headed("over folds"), stacked([m.row() for m in self.models.values()]), self.backend)

    def tables(self) -> list[Table]:
        """Return the folds, and mean, spread and pooled value."""
        return [self.table, self.summary]

    def parts(self) -> list[Table | Note]:
        """Return the folds, what they come to, and the notes."""
        return [self.wide, self.summary, *self.notes]

    def content(self) -> dict[str, Any]:
        """Return folds and models, JSON-safe."""
        names = ("metric", "level", "repeats", "dropped", "folds")
        found: dict[str, Any] = json_safe({name: getattr(self, name) for name in names})
        return {**found, "models": json_safe(list(self.models.values())), "notes": json_safe(self.notes)}

    def _headed(self, what: str) -> str:
        return f"{self.metric} {what} ({percent(self.level)} intervals)"

    def _title(self, fold: Fold) -> str:
        return fold.name if fold.repeat is None else f"{fold.repeat}, {fold.name}"

    def _model(self, name: str | None) -> ModelFolds:
        if name is None and len(self.models) == 1:
            return next(iter(self.models.values()))
        if name not in self.models:
            known = ", ".join(map(repr, self.models))
            raise CurvewiseError(f"model: expected one of {known}, got {shown(name)}.")
        return self.models[str(name)]
