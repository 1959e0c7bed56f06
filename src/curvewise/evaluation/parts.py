"""What an evaluation computes of its rows: models, comparisons, groups, sites, folds, classes."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from curvewise.breakdown.by_fold import by_fold
from curvewise.breakdown.by_group import AT_THRESHOLD, RANKING, by_group
from curvewise.breakdown.by_site import Sites, by_site
from curvewise.breakdown.fairness import Fairness, fairness_of
from curvewise.breakdown.group_metrics import OBSERVED_EXPECTED, Groups
from curvewise.breakdown.threshold_policies import ThresholdPolicies, threshold_policies
from curvewise.core.rate import rate_of_rows
from curvewise.errors import CurvewiseError, Note, UndefinedMetricError, note
from curvewise.evaluation.answers.better import AUC, Better, better_of, fpr_limit
from curvewise.evaluation.comparisons import comparisons_of, decide
from curvewise.evaluation.facts import class_facts, facts_of
from curvewise.evaluation.many_classes import ClassEvaluation
from curvewise.evaluation.mistakes import Mistakes, mistakes_of
from curvewise.evaluation.options import EvaluationOptions, Origin
from curvewise.evaluation.two_classes import ModelEvaluation
from curvewise.probabilities.reclassification import Reclassification, reclassification
from curvewise.results.estimate import Estimate, undefined
from curvewise.results.result import Result

if TYPE_CHECKING:
    from curvewise.breakdown.fold_results import Folds
    from curvewise.censored.survival_result import Survival
    from curvewise.evaluation.diagnostic_accuracy import DiagnosticTable
    from curvewise.evaluation.evaluation import Evaluation
    from curvewise.evaluation.saved.evaluation import SavedEvaluation
    from curvewise.inference.comparison import Comparison
    from curvewise.many_classes.multiclass import Multiclass
    from curvewise.results.result import Table
    from curvewise.rows.rows import Rows

MOST_GROUPS = 12  # of a column that stand side by side


@dataclass(frozen=True, eq=False, repr=False)
class EvaluationParts(Result):
    """The rows of an evaluation, and every part that is computed of them when it is asked for."""

    rows: Rows | None
    options: EvaluationOptions
    origin: Origin = field(default_factory=Origin)
    multiclass: Multiclass | None = None
    command: str | None = None
    baseline: Evaluation | SavedEvaluation | None = field(default=None, repr=False)
    survival: Survival | None = field(default=None, repr=False)

    @cached_property
    def models(self) -> dict[str, ModelEvaluation]:
        """The models by name."""
        o = self.options
        rows = self.rows
        if rows is None:
            return {}
        made_by = (o.rule, o.level, o.seed, o.replicates)
        return {name: ModelEvaluation(name, rows.of(name), *made_by) for name in rows.models}

    @cached_property
    def comparisons(self) -> dict[str, Comparison]:
        """The models compared by metric, the one that decides first; empty for one model.

        By expected cost where costs are stated, by partial AUC where the rule limits the false positive rate; in any
        case by AUC and average precision.
        """
        if self.rows is None or len(self.models) < 2:
            return {}
        return comparisons_of(self.rows, {name: m.point for name, m in self.models.items()}, self.options)

    @property
    def comparison(self) -> Comparison | None:
        """The comparison that decides which model is better; None for one model."""
        return next(iter(self.comparisons.values()), None)

    @cached_property
    def better(self) -> Better:
        """Which model is better, in sentences."""
        o = self.options
        if self.rows is None or not self.comparisons:
            return better_of(list(self.models), {}, math.nan)
        return decide(self.rows, self.comparisons, self.data["prevalence"], fpr_limit(o.rule), **o.drawing)

    @cached_property
    def reclassification(self) -> Reclassification | None:
        """NRI and IDI of the second model against the first; None unless two models give probabilities."""
        models = list(self.models.values())
        if self.rows is None or len(models) != 2 or self.rows.stratum is not None:
            return None
        if not all(m.is_probability for m in models):
            return None
        return reclassification(self.rows, level=self.options.level)

    def diagnostic_table(self) -> DiagnosticTable:
        """Return sensitivity, specificity and the like at the chosen thresholds, as a paper shows them.

        The same as `curvewise.diagnostic_table` with the rule of this evaluation.
        """
        from curvewise.evaluation.diagnostic_table import table_of  # noqa: PLC0415 - who wants it pays for it

        if self.rows is None:
            raise CurvewiseError("A diagnostic table is of two classes; these labels have more.")
        o, points = self.options, {name: m.point for name, m in self.models.items()}
        by_area = self.comparisons.get(AUC)
        return table_of(self.rows, points, by_area, rule=o.rule, prevalence=o.rule.prevalence, level=o.level)

    @cached_property
    def mistakes(self) -> dict[str, Mistakes]:
        """The costliest mistakes of each model at its threshold; empty where rows have no ids."""
        if self.rows is None or self.rows.id is None:
            return {}
        chosen = {name: m.point for name, m in self.models.items() if m.point is not None}
        costs = self.options.costs
        return {name: mistakes_of(self.rows.of(name), point.threshold, costs) for name, point in chosen.items()}

    @cached_property
    def groups(self) -> dict[str, Groups]:
        """Every model by group; empty without a group column."""
        if self.rows is None or not self.rows.groups:
            return {}
        return {
            name: by_group(
                model.rows,
                metrics=[
                    *(*RANKING, *(AT_THRESHOLD if model.point is not None else ())),
                    *([OBSERVED_EXPECTED] if model.is_probability else []),
                ],
                threshold=None if model.point is None else model.point.threshold,
                **model.drawing,
            )
            for name, model in self.models.items()
        }

    @cached_property
    def policies(self) -> dict[str, ThresholdPolicies]:
        """By model, what it takes to treat groups of the first column alike, from the chosen threshold on."""
        found = {}
        for name, groups in self.groups.items():
            first, model = next(iter(groups.breakdowns.values())), self.models[name]
            if model.point is not None and not model.point.flags_nothing and 1 < len(first) <= MOST_GROUPS:
                threshold = model.point.threshold
                found[name] = threshold_policies(first, model.sweep, threshold, self.options.prevalence)
        return found

    @cached_property
    def gaps(self) -> dict[str, dict[str, Table]]:
        """How far groups lie apart, by model and by column."""
        return {name: {c: g.gaps(column=c) for c in g.breakdowns} for name, g in self.groups.items()}

    @cached_property
    def fairness(self) -> dict[str, Fairness]:
        """The criteria of fairness at each model's threshold; empty without groups or a threshold."""
        return {
            name: fairness_of(groups, list(groups.breakdowns)[-1], groups.threshold)
            for name, groups in self.groups.items()
            if groups.threshold is not None
        }

    @cached_property
    def sites(self) -> dict[str, Sites]:
        """Every model by site; empty without a site column."""
        if self.rows is None or self.rows.site is None:
            return {}
        return {
            name: by_site(
                model.rows,
                threshold=None if model.point is None else model.point.threshold,
                common_prevalence=self.options.prevalence,
                **model.drawing,
            )
            for name, model in self.models.items()
        }

    @cached_property
    def folds(self) -> Folds | None:
        """All models fold by fold; None without a fold column, or where a fold does not define AUC."""
        return None if self.why_no_folds is not None else self._by_fold

    @cached_property
    def why_no_folds(self) -> Note | None:
        """Why folds are not evaluated although rows have them: one lacks a class, as in leave-one-out."""
        try:
            _ = self._by_fold
        except UndefinedMetricError as error:
            return error.reason
        return None

    @cached_property
    def _by_fold(self) -> Folds | None:
        if self.rows is None or self.rows.fold is None:
            return None
        return by_fold(self.rows, **self.options.drawing)

    @cached_property
    def classes(self) -> ClassEvaluation | None:
        """What a model of many classes has to say: numbers, curves, calibration, groups; None for two classes."""
        o = self.options
        if self.multiclass is None:
            return None
        return ClassEvaluation(self.multiclass, o.level, o.seed, o.replicates)

    @property
    def multiclass_estimates(self) -> dict[str, Estimate]:
        """The numbers of a model of many classes; empty for two classes."""
        return {} if self.classes is None else self.classes.estimates

    @property
    def data(self) -> dict[str, Any]:
        """How many rows there are of each kind."""
        if self.rows is None:
            return {} if self.multiclass is None else class_facts(self.multiclass)
        return facts_of(self.rows, next(iter(self.models.values())).sweep, self.prevalence)

    @cached_property
    def prevalence(self) -> Estimate:
        """The share of positives among the rows, with Wilson's interval; by a horizon, that of Kaplan–Meier."""
        level = self.options.level
        if self.rows is None:
            return undefined("prevalence", level, note("many_classes"))
        if (at := self.rows.horizon) is not None:
            seen = at.weighing.observed(at.standing_for, level)
            return Estimate("prevalence", seen.value, seen.low, seen.high, level, "kaplan-meier", seen.error)
        found = rate_of_rows(self.rows, self.rows.positive, level=level)
        return Estimate("prevalence", found.value, *found.interval(level), level, "wilson")
