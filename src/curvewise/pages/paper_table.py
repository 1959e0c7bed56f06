"""The table of diagnostic accuracy that a paper shows, its "Table 2": one column per model."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Unpack, cast

from curvewise.core.resampling import REPLICATES
from curvewise.core.sweep import Sweep, sweep_of
from curvewise.decisions.operating_point import OperatingPoint, operating_point
from curvewise.decisions.predictive_values import rate_pair, rates_at, ratio_ends
from curvewise.errors import CurvewiseError, Note, UndefinedMetricError, Word, note
from curvewise.inference.compare import compare
from curvewise.inference.comparison import Comparison, holm_corrected
from curvewise.inference.interval import estimate_of
from curvewise.metric.registry import find
from curvewise.pages.paper_layout import document_of, layout
from curvewise.probabilities.reclassification import Reclassification
from curvewise.probabilities.reclassification import reclassification as reclassify
from curvewise.results.estimate import Estimate
from curvewise.results.result import Result, Table
from curvewise.rows.checks import flag, one_of, real, whole
from curvewise.rows.columns import shown
from curvewise.rows.reading import as_rows
from curvewise.words import LANGS, Lang, words

if TYPE_CHECKING:
    from os import PathLike

    from curvewise.core.confusion import Confusion
    from curvewise.decisions.choice import Rule
    from curvewise.rows.horizon_rows import AtHorizon
    from curvewise.rows.rows import RowOptions, Rows

RATES = ("recall", "specificity", "precision", "npv", "accuracy")
RATIOS = {"lr_positive": ("tp", "fp"), "lr_negative": ("fn", "tn")}  # of shares of positives and of negatives


@dataclass(frozen=True, repr=False)
class DiagnosticAccuracy(Result, schema="diagnostic_accuracy"):
    """One model of a `DiagnosticTable`.

    ``rates`` has sensitivity (``"recall"``), ``"specificity"``, PPV (``"precision"``), ``"npv"``, ``"accuracy"``,
    ``"lr_positive"`` and ``"lr_negative"``; where ``is_corrected`` they are those to expect on new rows. ``confusion``
    counts these rows. It is None, and there are no rates, where no score meets the rule. ``p_value`` is that of an
    AUC equal to the first model's, corrected by Holm's method where there are several.
    """

    model: str
    auc: Estimate
    threshold: float | None
    confusion: Confusion | None
    rates: dict[str, Estimate]
    is_corrected: bool
    p_value: float | None

    @property
    def table(self) -> Table:
        """One row per number, with its interval and the counts behind it."""
        rows: list[tuple[Any, ...]] = [("roc_auc", *_ends(self.auc), None, None)]
        if self.confusion is not None:
            rows.append(("threshold", self.threshold, None, None, None, None))
        for name, e in self.rates.items():
            rows.append((name, *_ends(e), *(self.counts(name) or (None, None))))
        if self.p_value is not None:
            rows.append(("p_value", self.p_value, None, None, None, None))
        names = ("metric", "value", "low", "high", "count", "of")
        columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
        return Table("", {"model": [self.model] * len(rows), **columns})

    def counts(self, name: str) -> tuple[float, float] | None:
        """Return the part and the whole of a rate on these rows; None for what is no rate."""
        cells = find(name).rate
        if cells is None or self.confusion is None:
            return None
        part, of = (sum(getattr(self.confusion, cell) for cell in some) for some in cells)
        return part, of


@dataclass(frozen=True, repr=False)
class DiagnosticTable(Result, schema="diagnostic_table"):
    """Diagnostic accuracy of models at a threshold, made by `curvewise.diagnostic_table`.

    ``models`` has a `DiagnosticAccuracy` for each. ``prevalence`` is the one at which predictive values and accuracy
    are stated, None for that of the rows. ``rule`` chose the thresholds; None where they were fixed beforehand.
    ``reclassification`` compares two models of probabilities where that was asked for. ``notes`` are the notes below
    the table. By a ``horizon`` of censored outcomes, counts of classes are sums of weights; the horizon knows the rows.
    """

    rows: int
    positives: float
    negatives: float
    models: dict[str, DiagnosticAccuracy]
    rule: Rule | None
    prevalence: float | None
    level: float
    higher_is: str = "positive"
    weighted: bool = False
    reclassification: Reclassification | None = None
    notes: tuple[Note, ...] = ()
    backend: str | None = field(default=None, repr=False)
    horizon: AtHorizon | None = field(default=None, repr=False)

    @property
    def table(self) -> Table:
        """One row per number of each model: value, interval, and the counts behind a rate."""
        rows = [row for m in self.models.values() for row in m.table.rows()]
        return Table("", {name: [row[name] for row in rows] for name in rows[0]}, self.backend)

    def tables(self) -> list[Table]:
        """Return all numbers, those of reclassification too."""
        return [self.table, *([] if self.reclassification is None else [self.reclassification.table])]

    def parts(self) -> list[Table | Note]:
        """Return the table as a paper shows it, what reclassification says, and the notes."""
        more = [] if self.reclassification is None else self.reclassification.parts()
        return [layout(self, words("en")).table, *self.notes, *more]

    def to_markdown(self, lang: Lang = "en") -> str:
        """Return the table and its notes as Markdown, in English or Chinese (``"zh"``)."""
        from curvewise.document.markdown import markdown_page  # noqa: PLC0415 - who wants it pays for it

        return markdown_page(document_of(self, _language(lang)))

    def to_latex(self, lang: Lang = "en") -> str:
        r"""Return the table and its notes as LaTeX; the article needs ``\usepackage{booktabs}``."""
        from curvewise.document.latex import latex_page  # noqa: PLC0415

        return latex_page(document_of(self, _language(lang)))

    def to_csv(self) -> str:
        """Return all numbers in full precision, one row each."""
        from curvewise.document.csv_text import csv_text  # noqa: PLC0415

        return csv_text(document_of(self, words("en")))

    def to_docx(self, path: str | PathLike[str], *, lang: Lang = "en", force: bool = False) -> None:
        """Write the table and its notes as a file of a text processor, a real table that can be edited.

        An existing file is kept unless ``force``; it is replaced whole, or not at all.
        """
        from curvewise.document.docx import docx_bytes  # noqa: PLC0415
        from curvewise.results.writing import FORCE_ARGUMENT, file_path, write_atomically  # noqa: PLC0415

        made = docx_bytes(document_of(self, _language(lang)), lang)
        write_atomically(file_path(path, "-", force=force), made, force=force, how=FORCE_ARGUMENT)


def diagnostic_table(
    y: object,
    scores: object = None,
    *,
    threshold: float | Mapping[str, float] | None = None,
    rule: Rule | None = None,
    prevalence: float | None = None,
    reclassification: bool = False,
    level: float = 0.95,
    rng: int = 0,
    replicates: int = REPLICATES,
    **rows: Unpack[RowOptions],
) -> DiagnosticTable:
    """Return sensitivity, specificity, predictive values and likelihood ratios of models, as papers show them.

    Parameters
    ----------
    y, scores
        Labels, and scores of one model or of several in a dict by name; or `Rows` alone.
    threshold
        Where scores are cut, fixed beforehand: a number for all models, or a dict by model.
    rule
        Or a rule of `curvewise.rules` that chooses a threshold for each model on these rows. A model that has none
        that meets the rule has no rates, and a note says so.
    prevalence
        The share of positives at which PPV, NPV and accuracy are stated; None takes that of the rule, or of the rows.
    reclassification
        Whether to add NRI and IDI of two models of probabilities, with their caveat. NRI between two
        categories needs one threshold for both.
    level, rng, replicates, **rows
        As in `curvewise.operating_point`.

    Returns
    -------
    DiagnosticTable
        ``to_markdown()``, ``to_latex()``, ``to_docx(path)``, ``to_csv()``, ``to_frame()``.

    Notes
    -----
    Rates at a threshold that was fixed beforehand have Wilson intervals, likelihood ratios those of Jeffreys'
    posterior. A threshold that a rule chose on these rows looks better than it is: rates and intervals are then those
    to expect on new rows, as `curvewise.operating_point` corrects them, and likelihood ratios are ratios of corrected
    rates (Donner and Zou's intervals). The notes below the table say so.

    References
    ----------
    Cohen et al. (2016) BMJ Open 6:e012799 (STARD 2015).

    Examples
    --------
    >>> import curvewise as cw
    >>> y = [1, 1, 1, 1, 0, 0, 0, 0, 0, 0] * 4
    >>> table = cw.diagnostic_table(y, {"ct": [0.9, 0.8, 0.4, 0.7, 0.6, 0.3, 0.3, 0.2, 0.2, 0.1] * 4}, threshold=0.5)
    >>> table.models["ct"].rates["recall"].brief(), table.models["ct"].counts("recall")
    ('0.7500 (0.5050 to 0.8982)', (12, 16))
    """
    level, replicates = real("level", level, 0, 1, closed=False), whole("replicates", replicates, 2)
    read = as_rows(y, scores, rows)
    if prevalence is not None:
        prevalence = real("prevalence", prevalence, 0, 1, closed=False)
    if (threshold is None) == (rule is None):
        raise CurvewiseError("threshold, rule: expected one of them, a threshold fixed beforehand or how to choose it.")
    sweep_of(read.of(read.models[0])).need_both_classes("A diagnostic table")
    cuts: dict[str, OperatingPoint | float | None]
    if rule is not None:
        from curvewise.evaluation.evaluate import chosen_by  # noqa: PLC0415 - it checks rules for evaluations too

        rule = chosen_by(rule, None, prevalence)
        cuts = _chosen(read, rule, level=level, rng=rng, replicates=replicates)
    else:
        cuts = dict(_fixed(threshold, read.models))
    prevalence = rule.prevalence if rule is not None else prevalence
    comparison = compare(read, level=level) if len(read.models) > 1 else None
    found = table_of(read, cuts, comparison, rule=rule, prevalence=prevalence, level=level)
    if flag("reclassification", reclassification):
        found = replace(found, reclassification=reclassify(read, thresholds=_common(cuts), level=level))
    return found


def table_of(
    rows: Rows,
    cuts: Mapping[str, OperatingPoint | float | None],
    comparison: Comparison | None,
    *,
    rule: Rule | None,
    prevalence: float | None,
    level: float,
) -> DiagnosticTable:
    """Return the table of models cut at chosen points, at fixed thresholds, or (None) nowhere."""
    sweeps = {name: sweep_of(rows.of(name)) for name in rows.models}
    p_values = _p_values(rows.models, comparison)
    auc = find("roc_auc").bind()
    models = {}
    for name, cut in cuts.items():
        own = rows.of(name)
        area = estimate_of(auc, own, level=level)
        if cut is None:
            models[name] = DiagnosticAccuracy(name, area, None, None, {}, False, p_values[name])
        elif isinstance(cut, (int, float)):
            rates = _fixed_rates(own, sweeps[name], cut, prevalence, level)
            counts = sweeps[name].at(cut)
            models[name] = DiagnosticAccuracy(name, area, cut, counts, rates, False, p_values[name])
        else:
            rates = _chosen_rates(own, sweeps[name], cut, level)
            more = cut.is_corrected, p_values[name]
            models[name] = DiagnosticAccuracy(name, area, cut.threshold, cut.confusion, rates, *more)
    first = next(iter(sweeps.values()))
    found = DiagnosticTable(
        rows=int(first.n) if rows.is_whole else len(rows),
        positives=first.positives,
        negatives=first.known_negatives("A diagnostic table"),
        models=models,
        rule=rule,
        prevalence=prevalence,
        level=level,
        higher_is=rows.higher_is,
        weighted=not rows.is_whole,
        backend=rows.backend,
        horizon=first.horizon,
    )
    return replace(found, notes=_notes(found))


def _fixed(threshold: Any, models: list[str]) -> dict[str, float]:
    given = threshold if isinstance(threshold, Mapping) else dict.fromkeys(models, threshold)
    for name in given:
        if name not in models:
            raise CurvewiseError(f"threshold: there is no model {shown(name)}; there are {', '.join(models)}.")
    if absent := [name for name in models if name not in given]:
        raise CurvewiseError(f"threshold: expected one for each model, {absent[0]!r} has none.")
    found = {name: real("threshold", given[name], -math.inf, math.inf) for name in models}
    return {name: given[name] if isinstance(given[name], int) else value for name, value in found.items()}  # exact


def _chosen(rows: Rows, rule: Rule, **how: Any) -> dict[str, OperatingPoint | float | None]:
    """Return what the rule chooses for each model; None where no score meets it, unless that is so for all."""
    found: dict[str, OperatingPoint | float | None] = {}
    unmet: UndefinedMetricError | None = None
    for name in rows.models:
        try:
            found[name] = operating_point(rows.of(name), rule=rule, **how)
        except UndefinedMetricError as error:
            found[name], unmet = None, unmet or error
    if unmet is not None and all(cut is None for cut in found.values()):
        raise unmet
    return found


def _common(cuts: Mapping[str, OperatingPoint | float | None]) -> list[float] | None:
    """Return the threshold of all models as the limit between two categories, where it is one of probabilities."""
    fixed = {cut for cut in cuts.values() if isinstance(cut, (int, float))}
    return sorted(fixed) if len(fixed) == 1 and 0 < next(iter(fixed)) < 1 else None


def _fixed_rates(
    rows: Rows, sweep: Sweep, threshold: float, prevalence: float | None, level: float
) -> dict[str, Estimate]:
    source = sweep if rows.is_plain else rows
    found = rates_at(source, sweep, sweep.at(threshold), prevalence, level)
    ratios = {k: estimate_of(find(k).bind({"threshold": threshold}), source, level=level) for k in RATIOS}
    return {**{k: found[k] for k in RATES}, **ratios}


def _chosen_rates(rows: Rows, sweep: Sweep, point: OperatingPoint, level: float) -> dict[str, Estimate]:
    """Return the rates to expect on new rows, and likelihood ratios of them."""
    found = point.expected
    source = sweep if rows.is_plain else rows
    together = rate_pair(source, point.confusion, point.threshold, level).correlation
    shares = {"tp": found["recall"], "fp": found["fpr"], "fn": found["fnr"], "tn": found["specificity"]}
    ratios = {k: _ratio(k, shares[part], shares[other], together) for k, (part, other) in RATIOS.items()}
    return {**{k: found[k] for k in RATES}, **ratios}


def _ratio(name: str, above: Estimate, below: Estimate, together: float) -> Estimate:
    if not (above.value or below.value) or math.isnan(above.value + below.value):
        why = above.reason or below.reason or note("zero_over_zero", empty=[])
        return Estimate(name, math.nan, math.nan, math.nan, above.level, None, reason=why)
    value = above.value / below.value if below.value else math.inf
    if not (above.has_interval and below.has_interval):
        return Estimate(name, value, math.nan, math.nan, above.level, None, reason=above.reason or below.reason)
    ends = ratio_ends((above.value, above.low, above.high), (below.value, below.low, below.high), together)
    return Estimate(name, value, *ends, above.level, "mover")


def _p_values(models: list[str], comparison: Comparison | None) -> dict[str, float | None]:
    """Return p-values of differences to the first model, corrected for their number."""
    found: dict[str, float | None] = dict.fromkeys(models)
    if comparison is None:
        return found
    pairs = {pair.second: pair.p_value for pair in comparison.pairs if pair.first == models[0]}
    return {**found, **dict(zip(pairs, holm_corrected(list(pairs.values())), strict=True))}


def _notes(table: DiagnosticTable) -> tuple[Note, ...]:
    """Return the notes below the table."""
    first, several = next(iter(table.models)), len(table.models) > 1
    notes = [note("diagnostic_intervals", level=table.level, methods=_methods(table))]
    chosen = [m for m in table.models.values() if m.confusion is not None]
    if table.rule is not None and any(m.is_corrected for m in chosen):
        notes.append(note("diagnostic_chosen"))
    elif table.rule is not None:
        notes.append(note("diagnostic_chosen_uncorrected"))
    else:
        notes.append(note("diagnostic_fixed"))
    if table.prevalence is not None:
        here = table.positives / (table.positives + table.negatives)
        notes.append(note("diagnostic_prevalence", prevalence=table.prevalence, here=here))
    if several:
        corrected = "diagnostic_p_holm" if len(table.models) > 2 else "diagnostic_p"
        notes.append(note(corrected, first=first, comparisons=len(table.models) - 1))
    if table.horizon is not None:
        notes.append(table.horizon.counts)
    elif table.weighted:
        notes.append(note("diagnostic_weighted"))
    notes += [note("diagnostic_rule_not_met", model=m.model) for m in table.models.values() if m.confusion is None]
    return tuple(notes)


def _methods(table: DiagnosticTable) -> tuple[Note, ...]:
    """Name the methods of the intervals of AUC, of rates, and of likelihood ratios."""
    estimates = [("area", m.auc) for m in table.models.values()]
    estimates += [("ratios" if k in RATIOS else "rates", e) for m in table.models.values() for k, e in m.rates.items()]
    ways = dict.fromkeys((what, e.method) for what, e in estimates if e.has_interval and e.method)
    return tuple(
        note("interval_by", what=note(f"interval_of_{what}"), way=Word("interval_way", way)) for what, way in ways
    )


def _ends(e: Estimate) -> tuple[float | None, ...]:
    return (e.value, e.low, e.high) if e.has_interval else (e.value, None, None)


def _language(lang: str) -> Any:
    one_of("lang", lang, LANGS)
    return words(cast("Lang", lang))
