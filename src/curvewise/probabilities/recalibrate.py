"""Recalibrate probabilities: a map fitted on labelled rows, to be applied to others."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, Self, Unpack

import numpy as np
from numpy.typing import NDArray

from curvewise.core.probability import probabilities, rows_and_sweep
from curvewise.errors import CurvewiseError, Note, OptionError, UndefinedMetricError, note
from curvewise.inference.interval import smaller_class
from curvewise.metric.losses import LOSSES
from curvewise.probabilities import probability_maps as maps
from curvewise.results.numbers import show
from curvewise.results.result import Result, Table
from curvewise.rows.checks import one_of, real, whole
from curvewise.rows.columns import shown
from curvewise.rows.seeds import random_stream

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.rows.rows import RowOptions, Rows

    Counts = NDArray[Any]
    Parts = Iterator[tuple[Counts, Counts]]  # what a part leaves for fitting, and what it is judged on

Method = Literal["isotonic", "platt", "beta", "temperature", "prior"]
JUDGES = {"brier_loss": LOSSES["brier"], "log_loss": LOSSES["log"]}
FOLDS = 5
MOST_DEALT = 10_000_000  # rows beyond this go to a part each by its own chance  # mutants: work


@dataclass(frozen=True, repr=False)
class Recalibration(Result, schema="recalibration"):
    """A fitted map from probability to better probability.

    Attributes
    ----------
    method, parameters
        What the map is; for ``"isotonic"`` lists, one value per step.
    n, positives
        The rows (or weight) that it was fitted on.
    before, after, apparent
        ``"brier_loss"`` and ``"log_loss"`` of the probabilities as they were; after a map that was fitted on
        other rows (cross-validated in ``folds``); after this map on its own rows. None if it cannot be said.
    score
        The name of the column that held the probabilities, where known.
    """

    method: str
    parameters: dict[str, Any]
    n: float
    positives: float
    before: dict[str, float] | None = None
    after: dict[str, float] | None = None
    apparent: dict[str, float] | None = None
    folds: int | None = None
    notes: tuple[Note, ...] = ()
    score: str | None = None

    def apply(self, p: object) -> NDArray[np.float64]:
        """Return the recalibrated probabilities, in the order of ``p``: rising with p, and in [0, 1]."""
        return maps.apply_map(self.method, self.parameters, probabilities(p))

    @property
    def table(self) -> Table:
        """Brier and log loss before and after."""
        if self.method == "prior":
            there = f"at prevalence {show(self.parameters['to'])}"
            rows = {f"before, {there}": self.before, f"after, {there}": self.apparent}
        else:
            rows = {"before": self.before, f"after, on rows not fitted on ({self.folds} folds)": self.after}
            rows["after, on the rows fitted on (flattering)"] = self.apparent
        kept = {name: found for name, found in rows.items() if found is not None}
        columns: dict[str, list[Any]] = {"probabilities": list(kept)}
        columns |= {k: [found[k] for found in kept.values()] for k in JUDGES}
        if self.method == "isotonic":
            what = f"{len(self.parameters['value'])} steps"
        else:
            what = ", ".join(f"{k} {show(v)}" for k, v in self.parameters.items())
        return Table(f"Recalibration by {self.method} ({what}), fitted on {show(self.n)} rows", columns)

    def to_json(self) -> str:
        """Return the map as JSON that `from_json` reads back exactly; no code is stored, only numbers."""
        return json.dumps(self.to_dict(), indent=1, allow_nan=False) + "\n"

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Read what `to_json` wrote; anything else is refused."""
        return cls(**maps.read_map(text, cls.schema, cls.version))


def recalibrate(
    y: object,
    p: object = None,
    *,
    method: Method = "isotonic",
    prevalence: float | Literal["estimate"] | None = None,
    new: object = None,
    cv: int | None = FOLDS,
    rng: np.random.Generator | int | None = 0,
    **rows: Unpack[RowOptions],
) -> Recalibration:
    """Fit a map that recalibrates probabilities, and say what it does to rows it was not fitted on.

    Parameters
    ----------
    y, p
        As in `curvewise.brier_loss`.
    method
        ``"isotonic"``: the best rising step function; needs many rows (a thousand, say), and gives 0 and 1
        at the ends. ``"platt"``: logit q = a + b·logit p. ``"beta"``: logit q = c + a·ln p - b·ln(1 - p), a
        and b at least 0; bends both ends apart. ``"temperature"``: logit q = logit p / T, one parameter.
        ``"prior"``: nothing is wrong but the share of positives; see ``prevalence``.
    prevalence
        For ``"prior"``: the share of positives where the map will be used. Or ``"estimate"``, from the
        unlabelled probabilities ``new`` of that population.
    new
        Probabilities of the same model on rows of the new population, without labels.
    cv, rng
        Parts of the cross-validation, at least 2, or None to do without; as in `curvewise.interval`.

    Notes
    -----
    Fit on rows that the model was not trained on. ``after`` is the honest number: each part is judged with
    a map fitted on the others, classes dealt apart where there are no clusters. A map with ``after`` no
    better than ``before`` is not worth having.

    Platt's own recipe fits raw scores, with labels moved a little inward; here the log odds of p are
    fitted by maximum likelihood, so the parameters are the intercept and slope of `curvewise.calibration`.
    Slopes of a map are never negative: where higher probabilities do not go with more positives the map
    is constant, and a note says so. Logarithmic maps leave 0 and 1 as they are; they refuse to be fitted
    on rows of probability 0 or 1 that turned out otherwise.

    ``"prior"`` moves the log odds by logit(prevalence) - logit(share of positives in y), right if rows of
    either class look as they did and p was calibrated. The losses are then those of these rows reweighted to
    the new prevalence. The estimate is where the EM algorithm of Saerens et al. ends.

    A cluster is dealt whole, so that no map is judged on a patient that it was fitted on. Weighted rows are
    dealt with all their weight; a `Sweep` of them has forgotten its rows and is not cross-validated.

    References
    ----------
    Zadrozny & Elkan (2002) KDD 694-699. Platt (1999) Advances in Large Margin Classifiers 61-74. Kull, Silva
    Filho & Flach (2017) AISTATS 54:623-631. Guo et al. (2017) ICML 70:1321-1330. Saerens, Latinne &
    Decaestecker (2002) Neural Computation 14:21-41.

    Examples
    --------
    >>> import curvewise as cw
    >>> y = [0, 0, 0, 1, 0, 1, 1, 0, 1, 1]
    >>> p = [0.01, 0.02, 0.05, 0.05, 0.1, 0.6, 0.9, 0.95, 0.98, 0.99]
    >>> fit = cw.recalibrate(y, p, method="temperature", cv=None)
    >>> round(fit.parameters["temperature"], 3)
    2.392
    >>> fit.apply([0, 0.05, 0.5, 0.99]).round(3)
    array([0.   , 0.226, 0.5  , 0.872])
    >>> cw.Recalibration.from_json(fit.to_json()) == fit
    True
    """
    one_of("method", method, maps.METHODS)
    number = None if cv is None else whole("cv", cv, 2)
    random_stream(rng)  # refuses what is no seed
    read, sweep = rows_and_sweep(y, p, rows)
    sweep.need_both_classes("A recalibration map")
    if method == "prior":
        return _prior(sweep, prevalence, new)
    if prevalence is not None or new is not None:
        raise CurvewiseError("prevalence, new: only method='prior' has a use for them.")
    parameters, notes = maps.fit_map(method, sweep)
    fit = Recalibration(method, parameters, *_sizes(sweep), notes=notes)
    fit = replace(fit, before=_losses(sweep), apparent=_losses(sweep, fit))
    if number is None:
        return fit
    most = len(read) if read is not None and not read.is_plain else int(sweep.n)
    if number > most:
        raise OptionError.of("cv", f"expected at most {most}, a part for each row, got {shown(cv)}.")
    if read is None and not sweep.is_whole:
        return replace(fit, notes=(*notes, note("not_cross_validated_weights")))
    return _cross_validated(fit, sweep, read, number, random_stream(rng))


def _prior(sweep: Sweep, prevalence: object, new: object) -> Recalibration:
    if prevalence is None:
        raise CurvewiseError("prevalence: method='prior' needs a share of positives, or 'estimate' with new=.")
    notes: tuple[Note, ...] = ()
    if prevalence == "estimate" and isinstance(prevalence, str):
        if new is None:
            raise CurvewiseError(
                "new: prevalence='estimate' needs the probabilities of the new population, without labels."
            )
        unlabelled = probabilities(new)
        share, steps = maps.estimated_prevalence(unlabelled, sweep.prevalence)
        notes = (note("prevalence_estimated", rows=len(unlabelled), steps=steps),)
    elif new is not None:
        raise CurvewiseError("new: only prevalence='estimate' has a use for it.")
    else:
        share = real("prevalence", prevalence, 0, 1, closed=False)
    parameters = {"from": sweep.prevalence, "to": share}
    fit = Recalibration("prior", parameters, *_sizes(sweep), notes=notes)
    there = sweep.at_prevalence(share)
    return replace(fit, before=_losses(there), apparent=_losses(there, fit))


def _sizes(sweep: Sweep) -> tuple[float, float]:
    """Return the rows, or weight, and the positives; at a horizon the known rows."""
    if (here := sweep.horizon) is not None:
        return here.cases + here.controls, here.cases
    return sweep.n, sweep.positives


def _losses(sweep: Sweep, fit: Recalibration | None = None, n: float | None = None) -> dict[str, float]:
    """Return the mean losses, or the sums with ``n`` of 1."""
    p = sweep.threshold if fit is None else maps.apply_map(fit.method, fit.parameters, sweep.threshold)
    both = sweep.block_positives, sweep.block_negatives
    return {name: loss.total(p, *both) / (n or sweep.n) for name, loss in JUDGES.items()}


def _cross_validated(
    fit: Recalibration, sweep: Sweep, rows: Rows | None, number: int, rng: np.random.Generator
) -> Recalibration:
    notes, few = fit.notes, smaller_class(rows, sweep)
    if few < number:
        notes += (note("few_for_parts", count=few, parts=number),)
    total = dict.fromkeys(JUDGES, 0.0)
    try:
        for train, test in folds(sweep, rows, number, rng):
            if not len(test.threshold):
                continue
            train.need_both_classes("A recalibration map")
            part = replace(fit, parameters=maps.fit_map(fit.method, train)[0])
            for name, value in _losses(test, part, 1).items():
                total[name] += value
    except UndefinedMetricError as error:
        why = str(error).rstrip(".")[: maps.LONGEST]
        return replace(fit, notes=(*notes, note("part_without_map", why=why)))
    after = {name: value / sweep.n for name, value in total.items()}
    if np.isinf(after["log_loss"]):
        notes += (note("infinite_after"),)
    return replace(fit, after=after, folds=number, notes=notes)


def folds(sweep: Sweep, rows: Rows | None, number: int, rng: np.random.Generator) -> Iterator[tuple[Sweep, Sweep]]:
    """Yield a sweep to fit and one to judge on per part; a row is dealt with its weight, a cluster whole."""
    size = len(sweep.threshold)
    if rows is None or rows.is_plain:
        deals = [_deal_counts(c, number, rng) for c in (sweep.block_positives, sweep.block_negatives)]
    else:
        block = size - 1 - np.searchsorted(sweep.threshold[::-1], np.clip(rows.score, 0, 1))
        part = None if rows.cluster is None else _deal(int(rows.cluster.max()) + 1, number, rng)[rows.cluster]
        deals = []
        for on in (rows.positive, ~rows.positive):
            own = _deal(int(np.count_nonzero(on)), number, rng) if part is None else part[on]
            weight = None if rows.weight is None else rows.weight[on]
            deals.append(_shares(block[on], own, weight, size, number))
    for (fit_pos, test_pos), (fit_neg, test_neg) in zip(*deals, strict=True):
        yield sweep.with_counts(fit_pos, fit_neg), sweep.with_counts(test_pos, test_neg)


def _deal(size: int, number: int, rng: np.random.Generator) -> NDArray[Any]:
    """Return the part of each of so many rows or clusters, by chance and as equal in size as can be."""
    return np.asarray(rng.permutation(size) % number)


def _deal_counts(counts: Counts, number: int, rng: np.random.Generator) -> Parts:
    left, total = counts, int(counts.sum())
    if total <= MOST_DEALT:
        block = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
        yield from _shares(block, _deal(total, number, rng), None, len(counts), number)
        return
    for k in range(number):
        test = rng.binomial(left, 1 / (number - k))
        left = left - test
        yield counts - test, test


def _shares(block: NDArray[Any], part: NDArray[Any], weight: Counts | None, size: int, number: int) -> Parts:
    for k in range(number):
        both = (part != k, part == k)
        fit_on, judge_on = (np.bincount(block[m], weight if weight is None else weight[m], size) for m in both)
        yield fit_on, judge_on
