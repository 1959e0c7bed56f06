"""Everything about models on one set of rows: as objects, as a dict, as Markdown, as a page."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from curvewise._version import __version__
from curvewise.breakdown.balance import OBSERVED_EXPECTED
from curvewise.breakdown.by_group import AREAS, AT_THRESHOLD, by_group
from curvewise.breakdown.by_site import by_site
from curvewise.breakdown.fairness import fairness_of
from curvewise.errors import UndefinedMetricError
from curvewise.inference.compare import compare
from curvewise.report.as_dict import group_part, model_part, site_part
from curvewise.report.caveats import caveats, left_out

if TYPE_CHECKING:
    from os import PathLike

    from curvewise.breakdown.breakdown import Groups
    from curvewise.breakdown.fairness import Fairness
    from curvewise.breakdown.sites import Sites
    from curvewise.inference.comparison import Comparison
    from curvewise.many_classes.multiclass import Multiclass
    from curvewise.report.judged import Judged
    from curvewise.report.reading import Source

SCHEMA = "curvewise.evaluation"
VERSION = 1


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation:
    """Models judged on the same rows, made by `curvewise.evaluate`; parts are computed when asked for.

    Attributes
    ----------
    models
        One `Judged` a score, by name: ``sweep``, ``estimates``, ``roc``, ``pr``, ``point``, ``reliability`` …
    multiclass
        The model of many classes instead, where labels have more than two.
    options
        What was asked for.
    source
        The columns, and where they came from.
    """

    models: dict[str, Judged]
    source: Source
    options: dict[str, Any]
    reading: dict[str, Any] = field(default_factory=dict)
    multiclass: Multiclass | None = None
    command: str | None = None

    @cached_property
    def comparison(self) -> Comparison | None:
        """The AUCs of all models compared; None for one model."""
        if len(self.models) < 2:
            return None
        scores = {name: self.source[name] for name in self.models}
        return compare(
            self._label,
            scores,
            cluster=self._column("cluster"),
            level=self.options["level"],
            **self.reading,
        )

    @cached_property
    def groups(self) -> dict[str, Groups]:
        """Every model by group; empty without a group column."""
        names = self.options["group"]
        if not names:
            return {}
        columns = {name: self.source[name] for name in names}
        return {
            name: by_group(
                self._label,
                self.source[name],
                columns,
                metrics=self._group_metrics(model),
                threshold=None if model.point is None else model.point.threshold,
                level=self.options["level"],
                rng=model.seed,
                **self.reading,
            )
            for name, model in self.models.items()
        }

    @cached_property
    def fairness(self) -> dict[str, Fairness]:
        """The criteria of fairness at each model's threshold; empty without groups or a threshold."""
        return {
            name: fairness_of(groups, list(groups.breakdowns)[-1], groups.threshold)
            for name, groups in self.groups.items()
            if groups.threshold is not None
        }

    @staticmethod
    def _group_metrics(model: Judged) -> list[str]:
        names = [*AREAS, *(AT_THRESHOLD if model.point is not None else ())]
        return [*names, OBSERVED_EXPECTED] if model.is_probability else names

    @cached_property
    def sites(self) -> dict[str, Sites]:
        """Every model by site; empty without a site column."""
        if self.options["site"] is None:
            return {}
        return {
            name: by_site(
                self._label,
                self.source[name],
                self._column("site"),
                threshold=None if model.point is None else model.point.threshold,
                common_prevalence=self.options["prevalence"],
                level=self.options["level"],
                **self.reading,
            )
            for name, model in self.models.items()
        }

    @cached_property
    def caveats(self) -> list[dict[str, Any]]:
        """What a careful reader should know of these data, by code."""
        return caveats(self)

    @cached_property
    def left_out(self) -> list[dict[str, Any]]:
        """Which parts do not apply, and why."""
        return left_out(self)

    def metrics(self) -> dict[str, float]:
        """Return plain numbers by flat names, as experiment trackers take them: ``"model_a.roc_auc"``."""
        if self.multiclass is not None:
            return {f"multiclass.{name}": e.value for name, e in self.multiclass_estimates.items()}
        found = {}
        for name, model in self.models.items():
            for metric, estimate in {**model.estimates, **model.losses}.items():
                found[f"{name}.{metric}"] = estimate.value
            if model.point is not None:
                found[f"{name}.threshold"] = model.point.threshold
        return found

    @cached_property
    def multiclass_estimates(self) -> dict[str, Any]:
        """The main numbers of a model of many classes, with intervals."""
        found: dict[str, Any] = {}
        if self.multiclass is not None:
            for metric in ("accuracy", "balanced_accuracy", "roc_auc", "average_precision", "log_loss"):
                try:
                    found[metric] = self.multiclass.interval(
                        metric, level=self.options["level"], rng=self.options["seed"], replicates=200
                    )
                except (UndefinedMetricError, ValueError):
                    continue
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return everything, JSON-safe, in a documented schema with a version."""
        return {
            "schema": SCHEMA,
            "version": VERSION,
            "curvewise": __version__,
            "made": {
                "source": self.source.name,
                "sha256": self.source.sha256,
                "command": self.command,
                "seed": self.options["seed"],
            },
            "options": {k: v for k, v in self.options.items() if k != "seed"},
            "data": self._data(),
            "models": [model_part(m) for m in self.models.values()],
            "comparison": None if self.comparison is None else self.comparison.to_dict(),
            "groups": [group_part(n, g, self.fairness.get(n)) for n, g in self.groups.items()] or None,
            "sites": [site_part(n, s) for n, s in self.sites.items()] or None,
            "multiclass": self._multiclass(),
            "caveats": self.caveats,
            "left_out": self.left_out,
        }

    def to_markdown(self) -> str:
        """Return the main numbers as Markdown."""
        from curvewise.report.markdown import to_markdown  # noqa: PLC0415 - only who wants it pays

        return to_markdown(self)

    def report(self, path: str | PathLike[str], *, lang: str = "en", force: bool = False) -> None:
        """Write the report as one self-contained page.

        Parameters
        ----------
        path
            Where to; an existing file is kept unless ``force``.
        lang
            ``"en"`` or ``"zh"``.
        force
            Whether an existing file may be replaced. It is replaced whole, or not at all.
        """
        from curvewise.report.output import write_page  # noqa: PLC0415 - needs matplotlib and Jinja

        write_page(self, path, lang=lang, force=force)

    def __str__(self) -> str:
        from curvewise.report.markdown import to_text  # noqa: PLC0415

        return to_text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from curvewise.report.markdown import to_notebook  # noqa: PLC0415

        return to_notebook(self)

    @property
    def _label(self) -> Any:
        return self.source[self.options["label"]]

    def _column(self, role: str) -> Any:
        name = self.options[role]
        return None if name is None else self.source[name]

    def _data(self) -> dict[str, Any]:
        if self.multiclass is not None:
            return {"rows": self.multiclass.n, "dropped": self.source.dropped}
        first = next(iter(self.models.values()))
        sweep = first.sweep
        cluster = first.rows.cluster
        return {
            "rows": len(first.rows.positive),
            "positives": sweep.positives,
            "negatives": sweep.negatives,
            "prevalence": sweep.prevalence,
            "dropped": self.source.dropped,
            "weighted": first.rows.weight is not None,
            "clusters": None if cluster is None else int(cluster.max()) + 1,
            "groups": self._sizes(next(iter(self.groups.values()), None)),
            "sites": {s.name: s.group.sweep.n for s in next(iter(self.sites.values())).sites}
            if self.sites
            else None,
        }

    @staticmethod
    def _sizes(groups: Groups | None) -> dict[str, dict[str, float]] | None:
        if groups is None:
            return None
        return {column: {g.name: g.sweep.n for g in found} for column, found in groups.breakdowns.items()}

    def _multiclass(self) -> dict[str, Any] | None:
        if self.multiclass is None:
            return None
        return {
            "table": self.multiclass.per_class(self.options["level"]).to_dict(),
            "estimates": {k: e.to_dict() for k, e in self.multiclass_estimates.items()},
            "confusion": self.multiclass.matrix.table.to_dict(),
            "notes": list(self.multiclass.notes),
        }
