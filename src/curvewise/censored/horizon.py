"""A horizon: censored outcomes at one time as a weighted problem of two classes, which every verb takes."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats
from curvewise.censored.censoring import BY_SCORE, Censoring, censoring_of
from curvewise.censored.event_codes import COMPETING, EVENT
from curvewise.censored.horizon_weights import HorizonWeights
from curvewise.censored.outcomes import Outcomes, read_outcomes
from curvewise.core.sweep import Sweep, sweep_of
from curvewise.errors import Note, OptionError, UndefinedMetricError, note, unknown_option
from curvewise.inference.influence import influences
from curvewise.metric.registry import bound
from curvewise.results.estimate import Estimate
from curvewise.results.numbers import exactly, percent, show
from curvewise.results.result import Result, Table
from curvewise.rows.checks import as_float, one_of
from curvewise.rows.columns import shown
from curvewise.rows.horizon_rows import CASE, CONTROL, UNKNOWN, HorizonRows

if TYPE_CHECKING:
    from curvewise.rows.rows import HigherIs, Missing, Rows

Controls = Literal["all", "event-free"]
OPTIONS = ("cause", "controls", "censoring", "weight", "cluster", "stratum", "higher_is", "missing", "round_to")
FEW, RARE, HEAVY = 10, 0.1, 10.0  # rows of a class, chance of still being followed, weight: beyond these a note
LEVEL = 0.95


@dataclass(frozen=True, eq=False, repr=False)
class Horizon(Result, schema="horizon"):
    """Who had the event by a time, and the weights with which known rows stand for those censored before.

    Made by `curvewise.horizon`, and taken by every verb in the place of labels and scores.

    Attributes
    ----------
    at, cause
        The horizon, and the code of the event of interest where it was named.
    cases, controls, unknown, competing
        How many rows had the event by then, did not, or were censored before; how many had a competing event.
    observed
        The share that had the event, by Kaplan–Meier (Aalen–Johansen where there are competing events), with
        Greenwood's error and log-log limits.
    censoring_left
        G(t-), the chance of not being censored before the horizon; the lowest one where there are several.
    largest_weight
        For how many rows of its own weight a known row stands at most.
    effective_rows
        As many rows of equal weight would tell as much as the known ones (Kish).
    rows
        The known rows, with their weights.
    weights
        Labels and weights of all rows, and how each of them moves the weights.
    """

    at: float
    cause: object
    cases: int
    controls: int
    unknown: int
    competing: int
    observed: Estimate
    censoring_left: float
    largest_weight: float
    effective_rows: float
    rows: Rows = field(repr=False)
    weights: HorizonWeights = field(repr=False)
    dropped: int = 0
    notes: tuple[Note, ...] = ()
    backend: str | None = field(default=None, repr=False)

    @cached_property
    def sweep(self) -> Sweep:
        """The weighted sweep of the only model."""
        return sweep_of(self.rows)

    @property
    def models(self) -> list[str]:
        """The names of the models."""
        return self.rows.models

    @property
    def label(self) -> NDArray[np.int8]:
        """Of every row: 1 it had the event, 0 it did not, -1 unknown, -2 left out (a competing event)."""
        return self.weights.label

    @property
    def weight(self) -> Floats:
        """The weight of every row, 0 where it is unknown or left out."""
        return self.weights.weight

    def of(self, model: str) -> Horizon:
        """Return the horizon with the scores of one model."""
        return replace(self, rows=self.rows.of(model))

    def influence(self, metric: str | Callable[[Sweep], float], **options: Any) -> Floats:
        """Return what every row, the unknown ones too, adds to a metric of the only model.

        The derivative of the metric by the row's weight, times that weight: directly, and through the estimate of
        censoring. The squares sum to the variance of the metric.
        """
        target, sweep = bound(metric, options), self.sweep
        found = influences(target, self.rows, sweep)
        if found.of_all:
            return found.each
        every = np.zeros(len(self.label))  # nobody was censored before: rows add by themselves
        every[self.label >= CONTROL] = found.each
        return every

    @property
    def table(self) -> Table:
        """One row: the counts, the share observed, and what the weights are like."""
        names = ("cases", "controls", "unknown", "competing")
        row = {"at": self.at, "cause": self.cause, **{k: getattr(self, k) for k in names}}
        row |= {"observed": self.observed.value, "low": self.observed.low, "high": self.observed.high}
        row |= {k: getattr(self, k) for k in ("censoring_left", "largest_weight", "effective_rows", "dropped")}
        return Table("Horizon", {k: [v] for k, v in row.items()}, self.backend)

    def __str__(self) -> str:
        did_not = f"{self.controls} did not"
        if self.competing:
            inside = self.rows.horizon is not None and (self.label >= UNKNOWN).all()
            did_not += f" ({self.competing} of them a competing one)" if inside else ""
        facts = [
            f"{exactly(self.at)}: {self.cases} had the event, {did_not}, {self.unknown} unknown",
            f"{self.competing} with a competing event left out" if (self.label < UNKNOWN).any() else "",
            f"{percent(self.observed.value)} by then",
            f"weights to {show(self.largest_weight)}" if self.largest_weight > 1 else "",
            f"{self.dropped} dropped" if self.dropped else "",
            f"{len(self.models)} models ({', '.join(self.models)})" if len(self.models) > 1 else "",
        ]
        return "\n".join([f"Horizon({'; '.join(filter(None, facts))})", *(f"  note: {n}" for n in self.notes)])


def horizon(
    time: object,
    event: object,
    risk: object,
    at: float,
    *,
    cause: object = None,
    controls: Controls = "all",
    censoring: object = None,
    weight: object = None,
    cluster: object = None,
    stratum: object = None,
    higher_is: HigherIs = "positive",
    missing: Missing = "raise",
    round_to: int | None = None,
    **unknown: object,
) -> Horizon:
    """Turn censored outcomes into a problem of two classes: who had the event by a time, and who did not.

    Every verb takes the result in the place of labels and scores: ``cw.roc_auc(h)``, ``cw.interval("brier_loss", h)``,
    ``cw.decision_curve(h)``.

    Parameters
    ----------
    time
        When each row had its event or was last seen, from when the prediction was made, in one unit.
    event
        1 or True for an event, 0 or False for a row that was censored; or any codes, with ``cause``.
    risk
        Risk scores, or the predicted probabilities of the event by ``at``: of one model, or a dict by name.
    at
        The horizon. "By" it includes it: an event at that time has happened, and a row censored at that time is known
        to be without it.
    cause
        The code of the event of interest where there are competing ones; 0 is censored.
    controls
        Competing events by the horizon: ``"all"`` (default) takes them for rows without the event, ``"event-free"``
        leaves them out, so that only rows without any event are controls.
    censoring
        How the chance of being censored is estimated. None: one Kaplan–Meier estimate of these rows, right if
        censoring depends neither on the event's time nor on the score. ``"by-score"``: one in each tenth of the score
        (of one model), right if it depends on the score alone. ``(time, event)`` of another sample, taken as known.
    weight, cluster, stratum, missing
        As in `curvewise.sweep`. A weight says how much a row counts, and multiplies that of censoring.
    higher_is
        ``"positive"``: a higher score means an earlier event; ``"negative"``: a later one.
    round_to
        Decimals to which scores are rounded.

    Returns
    -------
    Horizon
        ``cases``, ``controls``, ``unknown``, ``observed``, the weights, ``notes``; taken by every verb.

    Notes
    -----
    A case at T weighs 1/G(T-), a control 1/G(t-), a row censored before t nothing; G is the Kaplan–Meier estimate of
    not being censored, in which events come before censorings of the same time. The weights sum to the number of rows,
    and the weighted share of cases is 1 - S(t), the Kaplan–Meier (Aalen–Johansen) estimate, both exactly. Numbers are
    those of Uno et al. (2007) and of riskRegression, which differs where rows are censored exactly at t: its number is
    ours just after t.

    Weights of inverse probability are sampling weights: no interval takes them for repetition. AUC has the weighted
    variance of DeLong. What else has a derivative has its variance from the influence of all rows, the unknown ones
    too, through the estimate of censoring; a bootstrap draws whole rows, the unknown ones too, and estimates censoring
    anew in each resample.

    No weight repairs censoring that foretells the event. Delayed entry is for `curvewise.concordance` alone.

    References
    ----------
    Uno, Cai, Tian & Wei (2007) J. Am. Stat. Assoc. 102:527-537. Graf, Schmoor, Sauerbrei & Schumacher (1999) Statist.
    Med. 18:2529-2545. Blanche, Dartigues & Jacqmin-Gadda (2013) Statist. Med. 32:5381-5397.

    Examples
    --------
    >>> import curvewise as cw
    >>> time, event = [2, 3, 4, 6, 7, 8, 9, 9], [1, 0, 1, 1, 0, 1, 0, 0]
    >>> risk = [0.9, 0.5, 0.4, 0.6, 0.3, 0.5, 0.2, 0.1]
    >>> h = cw.horizon(time, event, risk, at=7)
    >>> print(str(h).splitlines()[0])
    Horizon(7: 3 had the event, 4 did not, 1 unknown; 41.67% by then; weights to 1.1667)
    >>> round(cw.roc_auc(h), 4), round(cw.brier_loss(h), 4)
    (0.9125, 0.134)
    >>> round(float(h.weight.sum()), 12), round(h.sweep.prevalence, 4)
    (8.0, 0.4167)
    """
    for name in unknown:
        if name == "entry":
            raise OptionError.of("entry", "delayed entry is for concordance alone, not for a horizon; leave it out.")
        raise unknown_option(name, OPTIONS, "horizon")
    one_of("controls", controls, ("all", "event-free"))
    when = _horizon(at)
    read = read_outcomes(
        time,
        event,
        risk,
        cause=cause,
        weight=weight,
        cluster=cluster,
        stratum=stratum,
        higher_is=higher_is,
        missing=missing,
        round_to=round_to,
    )
    if not read.scores:
        raise OptionError.of("risk", "expected risk scores, one per row, got None.")
    if isinstance(censoring, str) and censoring == BY_SCORE and len(read.scores) > 1:
        raise OptionError.of(
            "censoring",
            f"'by-score' takes the score of one model, got {len(read.scores)} ({', '.join(read.scores)}); make a "
            "horizon for each.",
        )
    return horizon_of(read, when, censoring_of(read, censoring), controls=controls)


def horizon_of(outcomes: Outcomes, at: float, censoring: Censoring, *, controls: Controls = "all") -> Horizon:
    """Return the horizon of outcomes that have been read, with an estimate of censoring that horizons may share."""
    weights = HorizonWeights(outcomes, at, censoring, event_free=controls == "event-free")
    _need_follow_up(weights)
    label, time = weights.label, outcomes.time
    place = np.flatnonzero(label >= CONTROL)
    known, weight = weights.is_known, weights.weight[place]
    first = time[outcomes.code == EVENT]
    where = HorizonRows(
        at=at,
        everyone=weights.everyone,
        label=label,
        place=place,
        weighing=weights,
        first_event=float(first.min()) if len(first) else None,
        last_control=float(time.max()),
        is_known=known,
    )
    rows = replace(
        weights.everyone.take(place),
        weight_kind="sampling",
        dropped=outcomes.dropped,
        round_to=outcomes.round_to,
        kept=place if outcomes.kept is None else outcomes.kept[place],
        horizon=where,
    )
    if not known:
        rows = replace(rows, weight=weight)
    factor = 1 / weights.left[place]
    squares = float(weight @ weight)
    found = Horizon(
        at=at,
        cause=outcomes.cause,
        cases=int(np.count_nonzero(label == CASE)),
        controls=int(np.count_nonzero(label == CONTROL)),
        unknown=int(np.count_nonzero(label == UNKNOWN)),
        competing=int(np.count_nonzero((outcomes.code == COMPETING) & (time <= at))),
        observed=_observed(weights),
        censoring_left=censoring.lowest_left(at),
        largest_weight=float(factor.max()) if len(factor) else 1.0,
        effective_rows=float(weight.sum()) ** 2 / squares if squares else 0.0,
        rows=rows,
        weights=weights,
        dropped=outcomes.dropped,
        backend=outcomes.backend,
    )
    return replace(found, notes=(*outcomes.notes, *_notes(found)))


def _horizon(at: object) -> float:
    """Check the horizon: one positive number."""
    found = as_float(at)
    if isinstance(at, bool) or not (found > 0 and math.isfinite(found)):
        raise OptionError.of(
            "at", f"expected one positive number, got {shown(at)}; for several use survival(horizons=[…])."
        )
    return found


def _need_follow_up(weights: HorizonWeights) -> None:
    """Refuse a horizon at which nobody knows what became of the rows."""
    at, outcomes, censoring = weights.at, weights.outcomes, weights.censoring
    if censoring.kind == "sample" and censoring.last < at:
        raise UndefinedMetricError(
            f"censoring: the censoring sample ends at {exactly(censoring.last)}, before the horizon {exactly(at)}."
        )
    if math.isinf(weights.ends):
        return
    last, end = exactly(weights.ends), exactly(float(outcomes.time.max()))
    if censoring.kind == BY_SCORE and weights.ends < outcomes.time.max():
        raise UndefinedMetricError(
            f"censoring: in a tenth of the score follow-up ends at {last} (censored), before the horizon "
            f"{exactly(at)}; use an earlier one, or censoring=None."
        )
    raise UndefinedMetricError(
        f"At {exactly(at)} nobody is known to be without the event: the longest follow-up is {end} (censored); the "
        f"last usable horizon is {end}."
    )


def _observed(weights: HorizonWeights) -> Estimate:
    """Return the share that had the event by the horizon."""
    rows = weights
    if weights.censoring.kind == "sample":  # that of these rows, whatever weighs them
        rows = HorizonWeights(weights.outcomes, weights.at, censoring_of(weights.outcomes))
    value, error, low, high = rows.share(LEVEL)
    method = "Aalen-Johansen" if weights.outcomes.has_competing else "Kaplan-Meier"
    reason = note("no_variance") if math.isnan(low) else None
    return Estimate(
        "observed",
        value,
        low,
        high,
        LEVEL,
        None if reason else f"{method}, log-log",
        error,
        reason=reason,
        horizon=weights.at,
    )


def _notes(found: Horizon) -> tuple[Note, ...]:
    """Say what a careful reader should know of the weights and of the counts."""
    notes, at = [], exactly(found.at)
    if found.weights.censoring.kind == "sample":
        notes.append(note("horizon_other_sample"))
    if found.censoring_left < RARE:
        notes.append(note("horizon_rarely_followed", at=at, share=found.censoring_left))
    if found.largest_weight > HEAVY:
        notes.append(note("horizon_heavy", weight=found.largest_weight, rows=found.effective_rows))
    if found.cases < FEW:
        notes.append(note("horizon_few_cases", at=at, count=found.cases))
    if found.controls < FEW:
        notes.append(note("horizon_few_controls", at=at, count=found.controls))
    notes += [
        note("horizon_equal_scores", model=name)
        for name, score in found.rows.scores.items()
        if len(score) and (score == score[0]).all()
    ]
    return tuple(notes)
