"""Everything about models on one set of rows: as objects, as a dict, as Markdown, as a page."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from curvewise._version import __version__
from curvewise.evaluation.answers.caveats import caveats, left_out
from curvewise.evaluation.answers.verdicts import Verdict, verdicts
from curvewise.evaluation.facts import flat_metrics, flat_over_time, statement_of
from curvewise.evaluation.over_time import OverTime
from curvewise.evaluation.parts import EvaluationParts
from curvewise.evaluation.shown import detailed
from curvewise.evaluation.two_classes import estimates_table
from curvewise.results.numbers import json_safe, percent
from curvewise.results.result import Table

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike

    from curvewise.errors import Note
    from curvewise.evaluation.saved.evaluation import SavedEvaluation
    from curvewise.evaluation.then_and_now import ThenAndNow
    from curvewise.inference.comparison import Comparison

STEPS = {  # parts that take long
    "comparing": ("multiclass_estimates", "comparison"),
    "groups and sites": ("groups", "fairness", "sites"),
    "probabilities": ("notes", "then_and_now"),
}


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation(EvaluationParts, schema="evaluation"):
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

    @cached_property
    def verdicts(self) -> tuple[Verdict, ...]:
        """One answer per question, in sentences: what the summary of the page and the terminal show."""
        return verdicts(self)

    @cached_property
    def folds_compared(self) -> Comparison | None:
        """The models that are shown one by one, compared over the same folds; None for one model."""
        names = [m.name for m in detailed(self)]
        return None if self.folds is None or len(names) < 2 else self.folds.compare(*names)

    def compute(self, say: Callable[[str], object]) -> None:
        """Compute every part that takes long, which else happens when it is asked for; ``say`` hears of each step."""
        say("ranking")
        for model in self.models.values():
            _ = model.estimates, model.point
        for step, parts in STEPS.items():
            say(step)
            for part in parts:
                getattr(self, part)

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

    def _leveled(self, title: str) -> str:
        return f"{title} ({percent(self.options.level)} intervals)"

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

    @property
    def statement(self) -> Note:
        """How many rows of which kind there are, in a sentence."""
        return statement_of(self.data, self.options.label, len(self.options.scores))

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
    def title(self) -> str:
        """What was evaluated, in a few words."""
        return f"Evaluation of {self.origin.name or 'predictions'}"

    def to_markdown(self, lang: str = "en") -> str:
        """Return the sections of the report as Markdown; points of curves are left out."""
        from curvewise.document.markdown import markdown_page  # noqa: PLC0415 - who wants it pays for it
        from curvewise.pages.render import document_of  # noqa: PLC0415

        return markdown_page(document_of(self, lang), title=True)

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
