"""What several models achieve over time on censored outcomes, and the questions that follow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.arrays import Floats
from curvewise.censored.concordance import Concordance, compare_concordance
from curvewise.censored.horizon import Controls, Horizon, horizon_of
from curvewise.censored.integrated import RULES, Integrated, Rule, weights_of
from curvewise.censored.observed import GROUPS, RiskGroups, risk_groups_of
from curvewise.censored.product_limit import incidence
from curvewise.censored.spread import spread_of_influence
from curvewise.censored.survival_model import SHOWN, SurvivalModel, wide
from curvewise.censored.time_curve import POINTS, TimeCurve, some_times, time_curve
from curvewise.errors import CurvewiseError, Note, OptionError, UndefinedMetricError, note
from curvewise.inference.compare import compare
from curvewise.inference.interval import estimate_of
from curvewise.inference.pivots import WaldPivot
from curvewise.metric.registry import bound, find
from curvewise.results.estimate import Estimate, value_alone
from curvewise.results.numbers import exactly, json_safe, percent
from curvewise.results.result import Result, Table
from curvewise.rows.checks import as_float, one_of, real, whole
from curvewise.rows.columns import count, shown

if TYPE_CHECKING:
    from curvewise.censored.censoring import Censoring
    from curvewise.censored.follow_up import FollowUp
    from curvewise.censored.outcomes import Outcomes
    from curvewise.censored.predictions import Predictions
    from curvewise.inference.comparison import Comparison


@dataclass(frozen=True, eq=False, repr=False)
class Survival(Result, schema="survival"):
    """What models achieve over time on censored outcomes. Made by `curvewise.survival`.

    Attributes
    ----------
    horizons
        The times, rising.
    models
        By name, a `SurvivalModel`.
    follow_up
        How long rows were followed, and of how many the outcome at each horizon is known.
    level
        The confidence level of every interval.
    """

    horizons: tuple[float, ...]
    models: dict[str, SurvivalModel]
    follow_up: FollowUp
    level: float
    predictions: Predictions = field(repr=False)
    censorings: Mapping[str | None, Censoring] = field(repr=False)
    drawing: dict[str, Any] = field(repr=False)
    controls: Controls = "all"
    cause: object = None
    notes: tuple[Note, ...] = ()
    backend: str | None = field(default=None, repr=False)

    @property
    def outcomes(self) -> Outcomes:
        """The outcomes, with the score of each model that concordance ranks by."""
        return self.predictions.outcomes

    @property
    def concordance(self) -> dict[str, Concordance]:
        """Harrell's concordance by model, of those that have one."""
        return {name: m.pairs for name, m in self.models.items() if m.pairs is not None}

    @property
    def censoring_check(self) -> dict[str, Estimate]:
        """By model: the concordance of its score with the times of censoring, ½ if censoring does not depend on it."""
        return {name: m.censoring_check for name, m in self.models.items()}

    @property
    def table(self) -> Table:
        """One row per model and horizon, each number with its interval; concordance once per model."""
        return Table(f"Survival: {self._title}", wide(list(self.models.values())), self.backend)

    @cached_property
    def _title(self) -> str:
        models, horizons = count(len(self.models), "model"), count(len(self.horizons), "horizon")
        return f"{models}, {horizons}; {percent(self.level)} confidence"

    def tables(self) -> list[Table]:
        """Return the numbers of models, the check of censoring against each score, and the follow-up."""
        found = {name: model.censoring_check for name, model in self.models.items()}
        check: dict[str, list[Any]] = {"model": list(found)}
        columns = {"with_censoring": "value", "with_censoring_low": "low", "with_censoring_high": "high"}
        check |= {name: [getattr(e, end) for e in found.values()] for name, end in columns.items()}
        return [self.table, Table("", check, self.backend), self.follow_up.table]

    def parts(self) -> list[Table | Note]:
        """Return the numbers at each horizon, concordance with the check of censoring, follow-up, and the notes."""
        at: dict[str, list[Any]] = {"model": [], "horizon": []}
        names = [k for k in SHOWN if any(k in found for m in self.models.values() for found in m.at.values())]
        at |= {SHOWN[k]: [] for k in names}
        for name, model in self.models.items():
            for t, found in model.at.items():
                at["model"].append(name)
                at["horizon"].append(exactly(t))
                for k in names:
                    at[SHOWN[k]].append(found[k].brief() if k in found else "")
        every = self.models.values()
        ranks = {
            "model": list(self.models),
            "concordance": [m.concordance.brief() for m in every],
            "with censoring": [m.censoring_check.brief() for m in every],
        }
        return [
            Table(f"Survival: {self._title}", at, self.backend),
            Table("Concordance, with events and with censoring times", ranks, self.backend),
            self.follow_up.table,
            *self.notes,
        ]

    def content(self) -> dict[str, Any]:
        """Return the numbers of all models, the follow-up, the choices and the notes; not the rows."""
        kinds = sorted({g.kind for g in self.censorings.values()})
        return {
            "horizons": list(self.horizons),
            "level": self.level,
            "cause": json_safe(self.cause),
            "controls": self.controls,
            "censoring": kinds[0],
            "follow_up": self.follow_up.content(),
            "models": [m.content() for m in self.models.values()],
            "notes": json_safe(self.notes),
        }

    def at(self, horizon: float, model: str | None = None) -> Horizon:
        """Return a horizon, which every verb takes: of one model, or without a name of all.

        Its scores are the probabilities by then, and risk scores of models that have none.
        """
        if model is None and len(self.models) > 1 and None not in self.censorings:
            raise OptionError.of("model", f"expected one of {', '.join(self.models)}: each has its own weights.")
        name = None if model is None and len(self.models) > 1 else self._model(model)
        return horizon_at(self.predictions, self.censorings, self._horizon(horizon), name, self.controls)

    def _model(self, name: str | None) -> str:
        if name is None and len(self.models) == 1:
            return next(iter(self.models))
        if not isinstance(name, str) or name not in self.models:
            raise OptionError.of("model", f"expected one of {', '.join(self.models)}, got {shown(name)}.")
        return name

    def _horizon(self, at: object) -> float:
        found = as_float(at)
        if found not in self.horizons:
            known = ", ".join(map(exactly, self.horizons))
            raise OptionError.of("horizon", f"expected one of the horizons, {known}, got {shown(at)}.")
        return found

    def compare(self, metric: str = "concordance", horizon: float | None = None, **options: Any) -> Comparison:
        """Compare the models on the same rows.

        Parameters
        ----------
        metric
            ``"concordance"``, or any metric of `curvewise.metrics` at a horizon.
        horizon
            One of the horizons; may be left out where there is one.
        **options
            As in `curvewise.compare`: ``margin=``, ``against=``, ``method=``, options of the metric.

        Examples
        --------
        >>> import curvewise as cw
        >>> time, event = [2, 3, 5, 6, 8, 9], [1, 1, 0, 1, 0, 1]
        >>> sv = cw.survival(time, event, {"a": [9, 4, 7, 6, 1, 2], "b": [5, 6, 1, 4, 3, 2]}, horizons=[6])
        >>> round(sv.compare().difference.value, 4)
        -0.0909
        """
        options = {"level": self.level, **options}
        if isinstance(metric, str) and metric == "concordance":
            if horizon is not None:
                raise OptionError.of("horizon", "concordance is over all times; leave it out, or pass until=.")
            return compare_concordance(self.outcomes, **options)
        if None not in self.censorings:
            raise OptionError.of(
                "censoring", "'by-score' weighs rows by each model's own score; compare models with censoring=None."
            )
        if horizon is None and len(self.horizons) > 1:
            known = ", ".join(map(exactly, self.horizons))
            raise OptionError.of("horizon", f"{find(metric).name} is at a horizon; expected one of {known}.")
        at = self._horizon(self.horizons[0] if horizon is None else horizon)
        if find(metric).family == "probability":
            self._need_probability(metric, at)
        drawing = {k: v for k, v in self.drawing.items() if k != "level"}
        return compare(self.at(at), metric=metric, **{**drawing, **options})

    def _need_probability(self, what: str, at: float) -> None:
        lacking = [name for name in self.models if not self.predictions.has_probability(name, at)]
        if lacking:
            raise CurvewiseError(
                f"{what} at {exactly(at)} needs probabilities, and {', '.join(lacking)} has none: pass probability= or "
                "survival=."
            )

    def auc_curve(self, model: str | None = None, *, points: int = POINTS) -> TimeCurve:
        """Return AUC(t) of a model over the times of events, at most so many, with limits at each time.

        It ranks by the risk score; a model without one by its probabilities, at their times.
        """
        name, points = self._model(model), whole("points", points, 2)
        if name in self.predictions.stand_ins:
            times = np.array(sorted(self.predictions.by_time[name]))
        else:
            times = np.unique(self.outcomes.time[self.outcomes.event])
            times = some_times(times[times > 0], points)
        return self._curve("roc_auc", name, times)

    def brier_curve(self, model: str | None = None) -> TimeCurve:
        """Return Brier(t) of a model at the times of its probabilities, with limits at each time."""
        name = self._model(model)
        return self._curve("brier_loss", name, np.array(self._probability_times([name])))

    def _curve(self, metric: str, name: str, times: Floats) -> TimeCurve:
        target, ranks = bound(metric, {}), metric == "roc_auc"

        def horizon(t: float) -> Horizon:
            return horizon_at(self.predictions, self.censorings, t, name, self.controls, ranks=ranks)

        def estimate(at: Horizon) -> Estimate:
            return estimate_of(target, at.rows, **self.drawing)

        return time_curve(metric, name, times.tolist(), horizon, estimate, self.level)

    def _probability_times(self, names: list[str]) -> list[float]:
        """Return the times at which all of some models predict a probability."""
        each = [set(self.predictions.by_time.get(name, {})) for name in names]
        found = sorted(set.intersection(*each))
        if not found:
            raise CurvewiseError(
                f"A Brier score needs probabilities, and {', '.join(names)} has none: pass probability= or survival=."
            )
        return found

    def integrated_brier(self, rule: Rule = "trapezoid", *, until: float | None = None) -> Integrated:
        """Return the Brier score integrated over the times of ``times=``, or else over the horizons.

        Parameters
        ----------
        rule
            ``"trapezoid"``, divided by the length of the range (scikit-survival); ``"step"`` holds each value until
            the next time (pec); ``"step-from-zero"`` does so from time 0, before the first time with 0
            (riskRegression).
        until
            The last time; by default that of the last one predicted.

        Returns
        -------
        Integrated
            By model, with intervals by the influence of every row, and the integrated IPA in ``skill``.

        Examples
        --------
        >>> import curvewise as cw
        >>> time, event = [2, 3, 4, 6, 7, 8, 9, 9], [1, 0, 1, 1, 0, 1, 0, 0]
        >>> p = {4: [0.4, 0.2, 0.2, 0.3, 0.1, 0.2, 0.1, 0.1], 7: [0.9, 0.5, 0.4, 0.6, 0.3, 0.5, 0.2, 0.1]}
        >>> sv = cw.survival(time, event, horizons=[4, 7], probability=p)
        >>> found = sv.integrated_brier()
        >>> round(found.values["score"].value, 4), round(found.skill["score"], 4)
        (0.1478, 0.3289)
        """
        one_of("rule", rule, RULES)
        names = list(self.models)
        end = np.inf if until is None else real("until", until, 0, np.inf)
        times = [t for t in self._probability_times(names) if t <= end]
        weights = weights_of(np.array(times), rule)
        rows, target = len(self.outcomes), bound("brier_loss", {})
        value, each = dict.fromkeys(names, 0.0), {name: np.zeros(rows) for name in names}
        reference, observed = 0.0, incidence(self.outcomes)
        for t, share in zip(times, weights.tolist(), strict=True):
            for name in names:
                own = horizon_at(self.predictions, self.censorings, t, name, self.controls)
                value[name] += share * target(own.sweep)
                if share:
                    each[name] += share * own.influence("brier_loss")
            happened = observed.at(t)
            reference += share * happened * (1 - happened)
        values = {name: self._mean_loss(value[name], each[name]) for name in names}
        skill = {name: 1 - v / reference if reference else np.nan for name, v in value.items()}
        start = 0.0 if rule == "step-from-zero" else times[0]
        notes = (note("survival_mean_over_time"),)
        return Integrated(
            "brier_loss", rule, start, times[-1], len(times), values, reference, skill, notes, self.backend
        )

    def _mean_loss(self, value: float, each: Floats) -> Estimate:
        name = "integrated_brier"
        try:
            pivot = WaldPivot(value, spread_of_influence(self.outcomes, each), "log")
        except UndefinedMetricError as error:
            return value_alone(name, value, self.level, error.reason)
        if pivot.is_degenerate:
            return value_alone(name, value, self.level, note("no_variance"))
        return Estimate(name, value, *pivot.ends(self.level), self.level, "influence", pivot.spread.error)

    def mean_auc(self) -> Integrated:
        """Return the mean of AUC(t) over the horizons, each weighed by the share of events since the one before.

        Σ AUC(tₖ)(S(tₖ₋₁) - S(tₖ)) / (1 - S(t_m)), as in scikit-survival: a summary for tables, without an interval.
        """
        share = np.array([self.follow_up.at[t]["observed"] for t in self.horizons])
        gained = np.diff(share, prepend=0.0)
        if not share[-1]:
            raise UndefinedMetricError(f"The mean AUC needs an event by {exactly(self.horizons[-1])}.")
        values = {}
        for name, model in self.models.items():
            found = np.array([model.at[t]["roc_auc"].value for t in self.horizons])
            lacking = np.isnan(found) & (gained > 0)
            if lacking.any():
                at = self.horizons[int(np.argmax(lacking))]
                raise UndefinedMetricError(
                    f"The mean AUC of {name} needs AUC at {exactly(at)}: {model.at[at]['roc_auc'].reason}.",
                )
            value = float(np.sum(np.where(gained > 0, found, 0.0) * gained) / share[-1])
            values[name] = value_alone("mean_auc", value, self.level, note("survival_summary_alone"))
        start, stop = self.horizons[0], self.horizons[-1]
        notes = (note("survival_mean_over_time"),)
        rule = "weighed by events"
        return Integrated("roc_auc", rule, start, stop, len(share), values, notes=notes, backend=self.backend)

    def risk_groups(self, model: str | None = None, groups: int = GROUPS) -> RiskGroups:
        """Return what was observed over time in groups of equal size of a model's risk score."""
        return risk_groups_of(self.outcomes.of(self._model(model)), groups, self.level, self.horizons)


def horizon_at(
    told: Predictions,
    censorings: Mapping[str | None, Censoring],
    at: float,
    model: str | None,
    controls: Controls,
    *,
    ranks: bool = False,
) -> Horizon:
    """Return the horizon of one model, or of all, with what each predicts for it; ``ranks``: with risk scores."""
    outcomes = told.at(at, ranks=ranks)
    if model is not None:
        outcomes = outcomes.of(model)
    censoring = censorings[None] if None in censorings else censorings[model]
    return horizon_of(outcomes, at, censoring, controls=controls)
