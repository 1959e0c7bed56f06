"""Every metric in one list, and the plain number of any of them by name."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, get_args

from curvewise.core.sweep import Sweep, as_sweep
from curvewise.errors import Note, UndefinedMetricError
from curvewise.inference.interval import split_options
from curvewise.metric.bounds import bounds_of
from curvewise.metric.registry import Family, Metric, every, find
from curvewise.results.numbers import json_safe
from curvewise.results.result import Result, Table
from curvewise.rows.checks import one_of
from curvewise.words import LANGS, Lang


@dataclass(frozen=True, repr=False)
class MetricList(Result, schema="metric_list"):
    """Metrics by family with all that is known of them, made by `curvewise.metrics`.

    ``lang`` is the language of ``label``, ``meaning`` and ``pitfall`` in the table.
    """

    metrics: tuple[Metric, ...]
    lang: Lang = "en"

    def __len__(self) -> int:
        return len(self.metrics)

    def __iter__(self) -> Iterator[Metric]:
        return iter(self.metrics)

    @property
    def names(self) -> tuple[str, ...]:
        """The names that every verb takes."""
        return tuple(m.name for m in self.metrics)

    @property
    def table(self) -> Table:
        """One row per metric with all its facts."""
        rows = [_facts(m, self.lang) for m in self.metrics]
        return Table("Metrics", {name: [row[name] for row in rows] for name in rows[0]} if rows else {})

    def parts(self) -> list[Table | Note]:
        """Return what fits on a page: names, options and what each says."""
        columns = self.table.columns
        short = ("name", "aliases", "family", "better", "options", "meaning")
        return [Table("Metrics", {name: columns[name] for name in short})]

    def content(self) -> dict[str, Any]:
        """Return one dict per metric, JSON-safe."""
        return {"metrics": [json_safe(_facts(m, self.lang)) for m in self.metrics]}


def metrics(family: Family | None = None, *, lang: Lang = "en") -> MetricList:
    """List every metric that `interval`, `compare`, `by_group`, the command line and the report know.

    Parameters
    ----------
    family
        Only those that read the order of scores alone (``"ranking"``), probabilities (``"probability"``),
        logarithms of likelihood ratios (``"likelihood"``) or rows at a threshold (``"threshold"``).
    lang
        The language of label, meaning and pitfall: ``"en"`` or ``"zh"``.

    Returns
    -------
    MetricList
        Its table has name, aliases, family, unit, direction, range, the value of chance, whether prevalence
        moves it, options with defaults, the default method of its interval, a reference, label, meaning, formula and
        pitfall.

    Examples
    --------
    >>> import curvewise as cw
    >>> found = cw.metrics()
    >>> "roc_auc" in found.names, "f1" in found.names
    (True, True)
    >>> next(m for m in cw.metrics("ranking") if m.name == "roc_auc").aliases
    ('auc', 'auroc', 'auc_roc', 'c_statistic')
    """
    one_of("family", family, (None, *(f for f in get_args(Family) if f != "custom")))
    one_of("lang", lang, LANGS)
    return MetricList(tuple(m for m in every() if family in (None, m.family)), lang)


def score(metric: str | Callable[[Sweep], float], y: object, score: object = None, **options: Any) -> float:
    """Return any metric by any of its names, as a plain number; `interval` returns it with its interval.

    Parameters
    ----------
    metric, y, score, **options
        As in `curvewise.interval`.

    Raises
    ------
    UndefinedMetricError
        If the rows do not define the metric; the message says why.

    Examples
    --------
    >>> import curvewise as cw
    >>> y, p = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
    >>> cw.score("auc", y, p), cw.score("mcc", y, p, threshold=0.35)
    (0.75, 0.5773502691896258)
    """
    reading, metric_options = split_options(options)
    target = find(metric).bind(metric_options)
    if not isinstance(y, Sweep) and _takes_rows(target.metric):
        # the metric's own verb may have a quicker way than a whole sweep, as AUC has
        value = float(target.metric.function(y, score, **metric_options, **reading))
    else:
        sweep = as_sweep(y, score, reading)
        if sweep.bins is not None:
            return bounds_of(target, sweep)
        value = target.value(sweep)
    if math.isnan(value):
        raise UndefinedMetricError(f"{target.name} is undefined: the function returned NaN.")
    return value


def _takes_rows(metric: Metric) -> bool:
    """Whether the registered function reads labels and scores itself."""
    return metric.family != "custom" and "score" in inspect.signature(metric.function).parameters


def _facts(m: Metric, lang: Lang) -> dict[str, Any]:
    return {
        "name": m.name,
        "aliases": ", ".join(m.aliases),
        "family": m.family,
        "unit": m.unit,
        "better": f"near {m.target:g}" if m.target is not None else m.better,
        "range": f"{m.low:g} to {m.high:g}",
        "chance": f"{m.chance:g}" if isinstance(m.chance, float) else m.chance or "",
        "prevalence": m.prevalence,
        "options": ", ".join(k if default is ... else f"{k}={default!r}" for k, default in m.options.items()),
        "interval": m.interval,
        "reference": m.reference,
        "label": m.label(lang),
        "meaning": m.meaning(lang),
        "formula": m.formula,
        "pitfall": m.pitfall(lang),
    }
