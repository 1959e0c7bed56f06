"""Everything about models on one set of rows: as objects, as a dict, as Markdown, as a page."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from curvewise._version import __version__
from curvewise.breakdown.by_fold import by_fold
from curvewise.breakdown.by_group import AT_THRESHOLD, RANKING, by_group
from curvewise.breakdown.by_site import Sites, by_site
from curvewise.breakdown.fairness import Fairness, fairness_of
from curvewise.breakdown.group_metrics import OBSERVED_EXPECTED, Groups
from curvewise.core.rate import rate_of_rows
from curvewise.errors import CurvewiseError, Note, UndefinedMetricError, note
from curvewise.evaluation.answers.better import AUC, Better, better_of, fpr_limit
from curvewise.evaluation.answers.caveats import caveats, is_warning, left_out, of_model
from curvewise.evaluation.answers.verdicts import Verdict, verdicts
from curvewise.evaluation.comparisons import comparisons_of, decide
from curvewise.evaluation.facts import class_facts, facts_of, flat_metrics, flat_over_time, statement_of
from curvewise.evaluation.many_classes import ClassEvaluation
from curvewise.evaluation.mistakes import Mistakes, mistakes_of
from curvewise.evaluation.options import EvaluationOptions, Origin
from curvewise.evaluation.over_time import OverTime
from curvewise.evaluation.shown import detailed
from curvewise.evaluation.two_classes import ModelEvaluation, estimates_table
from curvewise.probabilities.reclassification import Reclassification, reclassification
from curvewise.results.estimate import Estimate, undefined
from curvewise.results.numbers import json_safe, percent, show
from curvewise.results.result import Result, Table
from curvewise.results.text import markdown

if TYPE_CHECKING:
    from os import PathLike

    from curvewise.breakdown.fold_results import Folds
    from curvewise.censored.survival_result import Survival
    from curvewise.evaluation.diagnostic_accuracy import DiagnosticTable
    from curvewise.evaluation.saved.evaluation import SavedEvaluation
    from curvewise.evaluation.then_and_now import ThenAndNow
    from curvewise.inference.comparison import Comparison
    from curvewise.many_classes.multiclass import Multiclass
    from curvewise.rows.rows import Rows


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation(Result, schema="evaluation"):
    """Models evaluated on the same rows, made by `curvewise.evaluate`; parts are computed when asked for.

    Attributes
    ----------
    models
        One `ModelEvaluation` per score, by name: ``sweep``, ``estimates``, ``roc``, ``pr``, ``point`` …
    multiclass
        The model of many classes instead, where labels have more than two.
    rows
        The rows that were read, with groups, site, clusters, strata and weights; None for many classes.
    options, origin
        What was asked for, and where the rows came from: ``name``, ``path`` and ``sha256`` of a file.
    notes
        What a careful reader should know of these data: notes whose values name a ``severity``, ``"warn"``
        or ``"note"``, and the ``model`` they speak of.
    left_out
        Which ``part`` does not apply, and why.
    survival
        Of censored outcomes: all horizons, as `curvewise.survival` returns them; else None.
    baseline, then_and_now
        The earlier evaluation to compare with, and what has changed since; None without one.
    """

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
        drawn = {"level": o.level, "rng": o.seed, "replicates": o.replicates}
        return decide(self.rows, self.comparisons, self.data["prevalence"], fpr_limit(o.rule), **drawn)

    @cached_property
    def verdicts(self) -> tuple[Verdict, ...]:
        """One answer per question, in sentences: what the summary of the page and the terminal show."""
        return verdicts(self)

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
                metrics=self._group_metrics(model),
                threshold=None if model.point is None else model.point.threshold,
                level=model.level,
                rng=model.seed,
                replicates=model.replicates,
            )
            for name, model in self.models.items()
        }

    @staticmethod
    def _group_metrics(model: ModelEvaluation) -> list[str]:
        names = [*RANKING, *(AT_THRESHOLD if model.point is not None else ())]
        return [*names, OBSERVED_EXPECTED] if model.is_probability else names

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
                level=model.level,
                rng=model.seed,
                replicates=model.replicates,
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
        return by_fold(self.rows, level=self.options.level, rng=self.options.seed, replicates=self.options.replicates)

    def compare(self, baseline: object) -> ThenAndNow:
        """Say what has changed since an earlier evaluation.

        Parameters
        ----------
        baseline
            An evaluation, what `from_dict` returned, the dict, or the path of the JSON that holds it.

        Returns
        -------
        ThenAndNow
            Every metric then and now with the interval of the difference, drift of prevalence, scores and
            calibration, and ``verdicts``: what has clearly changed, and what has not.

        Notes
        -----
        Then and now are different rows as a rule: the interval of a difference is joined from those of the two
        numbers (MOVER). Of two evaluations in memory that have the same rows (labels, weights, clusters, ids), the
        differences are those of `curvewise.compare`, row by row.

        Examples
        --------
        >>> import curvewise as cw
        >>> then = {"ill": [1, 1, 0, 1, 0, 0] * 5, "risk": [0.9, 0.8, 0.7, 0.6, 0.2, 0.1] * 5}
        >>> now = {"ill": [1, 1, 0, 1, 0, 0] * 5 + [0], "risk": [0.9, 0.3, 0.7, 0.6, 0.2, 0.1] * 5 + [0.1]}
        >>> last, ev = (cw.evaluate(d, label="ill", scores="risk", replicates=50) for d in (then, now))
        >>> change = ev.compare(last).models["risk"].metrics["roc_auc"]
        >>> round(change.difference.value, 3), change.is_clear
        (-0.097, False)
        """
        from curvewise.evaluation.changes_since import changes_since  # noqa: PLC0415 - it needs what stands here

        return changes_since(self, baseline)

    @cached_property
    def then_and_now(self) -> ThenAndNow | None:
        """What has changed since the ``baseline``; None without one."""
        return None if self.baseline is None else self.compare(self.baseline)

    @cached_property
    def over_time(self) -> OverTime | None:
        """Of censored outcomes: AUC over time, calibration at each horizon, groups of risk; else None."""
        return None if self.survival is None else OverTime(self.survival, [m.name for m in detailed(self)])

    @cached_property
    def notes(self) -> tuple[Note, ...]:  # type: ignore[override]
        """What a careful reader should know of these data, those of the data first."""
        return caveats(self)

    @cached_property
    def left_out(self) -> tuple[Note, ...]:
        """Which parts do not apply, and why."""
        return left_out(self)

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

    def metrics(self) -> dict[str, float]:
        """Return plain numbers by flat names, as experiment trackers take them: ``"model_a.roc_auc"``."""
        over_time = {} if self.survival is None else self.survival.models
        return flat_metrics(self.models, self.multiclass_estimates) | flat_over_time(over_time)

    @property
    def backend(self) -> str | None:  # type: ignore[override]
        """The library that the rows came from, of which `to_frame` makes frames."""
        return (self.rows or self.multiclass or Table("", {})).backend

    @property
    def table(self) -> Table:
        """Every number with its interval, one row per metric of a model."""
        if self.multiclass is not None:
            names = ("metric", "value", "low", "high", "method")
            found = self.multiclass_estimates.values()
            return Table(self._leveled(self.title), {k: [getattr(e, k) for e in found] for k in names})
        return estimates_table(self.models, self._leveled(self.title))

    @property
    def wide(self) -> Table:
        """The same for reading: one row per metric, one column per model."""
        found = {name: m.estimates for name, m in self.models.items()}
        if self.multiclass is not None:
            found = {"value": self.multiclass_estimates}
        metrics = list(dict.fromkeys(k for estimates in found.values() for k in estimates))
        columns = {name: [e[k].brief() if k in e else show(math.nan) for k in metrics] for name, e in found.items()}
        return Table(self._leveled("Numbers"), {"metric": metrics, **columns})

    def _leveled(self, title: str) -> str:
        return f"{title} ({percent(self.options.level)} intervals)"

    def parts(self) -> list[Table | Note]:
        """Return the rows, the numbers, the comparison, thresholds, groups, sites and folds, then the notes."""
        if self.classes is not None:
            return [self.statement, *self.classes.parts(), *self.notes]
        found: list[Table | Note] = [self.statement, self.wide, *self._without("probabilities")]
        found += [
            Table(self._leveled(f"Comparison: {metric}"), c.table.columns) for metric, c in self.comparisons.items()
        ]
        chosen = [(name, m.point) for name, m in self.models.items() if m.point is not None]
        if chosen:
            columns: dict[str, list[Any]] = {
                "model": [name for name, _ in chosen],
                "threshold": [p.threshold for _, p in chosen],
                "what it does": [p.sentence for _, p in chosen],
            }
            found.append(Table("Threshold", columns))
        found += self._without("point")
        found += [Table(self._leveled(f"Groups: {name}"), g.wide.columns) for name, g in self.groups.items()]
        found += [Table(self._leveled(f"Sites: {name}"), s.forest.columns) for name, s in self.sites.items()]
        found += [] if self.folds is None else [self.folds.wide, self.folds.summary]
        found += [] if self.survival is None else self.survival.parts()[: -len(self.survival.notes) or None]
        changes = self.then_and_now
        found += [] if changes is None else [*changes.tables(), *changes.notes]  # its verdicts are among those here
        found += [m.table for m in self.mistakes.values()]
        return [*found, *map(of_model, self.notes)]

    def _without(self, part: str) -> list[Note]:
        """Return why models lack a part."""
        return [of_model(n) for n in self.left_out if n.values["part"] == part]

    def content(self) -> dict[str, Any]:
        """Return everything, JSON-safe; the schema is documented with the package."""
        made = {"source": self.origin.name, "sha256": self.origin.sha256, "command": self.command}
        return {
            "curvewise": __version__,
            "made": {**made, "seed": self.options.seed},
            # the highest score is predicted of many classes: there is no threshold to choose
            "options": {**self.options.content(), **({} if self.multiclass is None else {"rule": None})},
            "data": json_safe(self.data),
            "models": [m.content() for m in self.models.values()],
            "verdicts": [{"question": v.question, "answers": json_safe(v.answers)} for v in self.verdicts],
            "better": self.better.leader,
            "comparisons": [c.content() for c in self.comparisons.values()] or None,
            "groups": [
                {"model": name, **g.content(), "fairness": json_safe(self.fairness.get(name))}
                for name, g in self.groups.items()
            ]
            or None,
            "sites": [{"model": name, **s.content()} for name, s in self.sites.items()] or None,
            **({} if self.folds is None else {"folds": self.folds.content()}),
            "multiclass": json_safe(self.classes),
            "baseline": json_safe(self.then_and_now),
            **({} if self.survival is None else {"survival": self.survival.content()}),
            **({"mistakes": [m.content() for m in self.mistakes.values()]} if self.mistakes else {}),
            "notes": json_safe(self.notes),
            "left_out": json_safe(self.left_out),
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> SavedEvaluation:
        """Read what `to_dict`, or ``curvewise report -o last.json``, wrote.

        Returns
        -------
        SavedEvaluation
            Every number with its interval, and what curves are drawn from. Rows are not saved.

        Examples
        --------
        >>> import curvewise as cw
        >>> rows = {"ill": [1, 1, 0, 1, 0, 0], "risk": [0.9, 0.8, 0.7, 0.6, 0.2, 0.1]}
        >>> ev = cw.evaluate(rows, label="ill", scores="risk", replicates=50)
        >>> last = cw.Evaluation.from_dict(ev.to_dict())
        >>> last.models["risk"].estimates["roc_auc"] == ev.models["risk"].estimates["roc_auc"]
        True
        """
        from curvewise.evaluation.saved.read import saved_evaluation  # noqa: PLC0415 - it needs what stands here

        return saved_evaluation(data, "data")

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

    @property
    def title(self) -> str:
        """What was evaluated, in a few words."""
        return f"Evaluation of {self.origin.name or 'predictions'}"

    def to_markdown(self) -> str:
        """Return the main numbers as Markdown, under a heading that says what they are of."""
        head = [f"# {markdown(self.title)}", markdown(str(self.statement))]
        for verdict in self.verdicts:
            answers = " ".join(markdown(str(answer)) for answer in verdict.answers)
            head.append(f"**{markdown(verdict.asked())}** {answers}")
        parts = self.parts()
        for part in parts[1 : len(parts) - len(self.notes)]:
            if isinstance(part, Table):
                head.append(part.markdown_table().replace("### ", "## ", 1))
            else:
                head.append(f"> {markdown(str(part))}")
        kinds = ["Warning" if is_warning(n) else "Note" for n in self.notes]
        said = "\n".join(f"- {k}: {markdown(str(of_model(n)))}" for k, n in zip(kinds, self.notes, strict=True))
        return "\n\n".join([*head, *(["## Caveats", said] if said else [])]) + "\n"

    def report(
        self,
        path: str | PathLike[str],
        *,
        lang: str = "en",
        title: str | None = None,
        author: str | None = None,
        force: bool = False,
    ) -> None:
        """Write the report as one self-contained page.

        Parameters
        ----------
        path
            Where to; an existing file is kept unless ``force``.
        lang
            ``"en"``, ``"zh"``, or ``"zh-general"`` for Chinese where the data are not medical.
        title, author
            What stands above the report, and who made it.
        force
            Whether an existing file may be replaced. It is replaced whole, or not at all.
        """
        from curvewise.pages.render import write_page  # noqa: PLC0415 - needs matplotlib and Jinja

        write_page(self, path, lang=lang, force=force, title=title, author=author)

    def plot(self, ax: Any = None, **style: Any) -> Any:
        """Draw the ROC and PR curves of all models side by side; of many classes, their ROC curves and the matrix.

        Parameters
        ----------
        ax
            A pair of axes; None makes a figure. Of many classes, one.
        **style
            Options of `curvewise.figures.draw_evaluation`; what it does not know goes to matplotlib's line.

        Returns
        -------
        tuple of matplotlib.axes.Axes
            Those of the ROC curves and of the PR curves.
        """
        from curvewise.figures.roc_and_pr import draw_evaluation  # noqa: PLC0415 - needs matplotlib
        from curvewise.figures.style import refusals  # noqa: PLC0415

        if self.multiclass is not None:
            return self.multiclass.plot(ax, **style)
        models = self.models
        given: dict[str, Any] = {
            "auc": {name: m.estimates["roc_auc"] for name, m in models.items()},
            "average_precision": {name: m.estimates["average_precision"] for name, m in models.items()},
            "points": {name: m.point for name, m in models.items() if m.point is not None},
            "roc_bands": {name: m.band for name, m in models.items()},
        }
        curves = ({name: getattr(m, part) for name, m in models.items()} for part in ("roc", "pr"))
        with refusals(draw_evaluation, style):
            return draw_evaluation(*curves, ax=ax, **{**given, **style})

    def _repr_html_(self) -> str:
        from curvewise.pages.notebook import notebook_html  # noqa: PLC0415 - it needs this module

        return notebook_html(self)

    def __str__(self) -> str:
        lines = [self._leveled(self.title), str(self.statement)]
        for verdict in self.verdicts:
            lines += [verdict.asked(), *(f"  {answer}" for answer in verdict.answers)]
        return "\n".join(lines)

    @property
    def statement(self) -> Note:
        """How many rows of which kind there are, in a sentence."""
        return statement_of(self.data, self.options.label, len(self.options.scores))
