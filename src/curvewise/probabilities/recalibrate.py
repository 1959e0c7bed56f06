"""Mend probabilities: a map fitted on labelled rows, to be applied to others."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Literal, Self, Unpack

import numpy as np

from curvewise.core.probability import probability_sweep
from curvewise.core.sweep import Sweep
from curvewise.errors import CurvewiseError, UndefinedMetricError
from curvewise.metric.proper import LOSSES
from curvewise.probabilities import map_json
from curvewise.probabilities.folds import folds
from curvewise.probabilities.maps import apply_map, fit_map, read_probabilities
from curvewise.probabilities.prior_shift import estimated_prevalence
from curvewise.results.numbers import json_safe, show
from curvewise.results.result import Table
from curvewise.rows.checks import one_of, real, whole
from curvewise.rows.reading import read_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from curvewise.rows.reading import RowOptions, Rows

Method = Literal["isotonic", "platt", "beta", "temperature", "prior"]
JUDGED = {"brier": LOSSES["brier"], "log_loss": LOSSES["log"]}
FOLDS = 5


@dataclass(frozen=True, repr=False)
class Recalibration:
    """A fitted map from probability to better probability.

    Attributes
    ----------
    method, parameters
        What the map is; for ``"isotonic"`` lists, one value a step.
    n, positives
        The rows (or weight) that it was fitted on.
    before, after, apparent
        Brier and log loss (``"brier"``, ``"log_loss"``) of the probabilities as they were; after a map that
        was fitted on other rows (cross-validated); after this map on its own rows, which flatters it. None
        where it cannot be said.
    folds
        How many parts the rows were dealt into.
    notes
        What a careful reader should know.
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
    notes: tuple[str, ...] = ()
    score: str | None = None

    def apply(self, p: object) -> NDArray[np.float64]:
        """Return the mended probabilities, in the order of ``p``; they rise with p and stay in [0, 1]."""
        return apply_map(self.method, self.parameters, read_probabilities(p))

    @property
    def table(self) -> Table:
        """Brier and log loss before and after."""
        rows = {
            "before": self.before,
            f"after, on rows not fitted on ({self.folds} folds)": self.after,
            "after, on the rows fitted on (flattering)": self.apparent,
        }
        if self.method == "prior":
            share = show(self.parameters["to"])
            rows = {
                f"before, at prevalence {share}": self.before,
                f"after, at prevalence {share}": self.apparent,
            }
        kept = {name: found for name, found in rows.items() if found is not None}
        columns: dict[str, list[Any]] = {"probabilities": list(kept)}
        columns |= {k: [found[k] for found in kept.values()] for k in JUDGED}
        return Table(self._head(), columns)

    def _head(self) -> str:
        if self.method == "isotonic":
            what = f"{len(self.parameters['value'])} steps"
        else:
            what = ", ".join(f"{k} {show(v)}" for k, v in self.parameters.items())
        return f"Recalibration by {self.method} ({what}), fitted on {show(self.n)} rows"

    def __str__(self) -> str:
        head = self._head() if self.before is None else str(self.table)
        return "\n".join([head, *(f"note: {note}" for note in self.notes)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return self.table._repr_html_()

    def to_dict(self) -> dict[str, Any]:
        """Return all fields, JSON-safe; an infinite loss is the text ``inf``."""
        found: dict[str, Any] = {f.name: getattr(self, f.name) for f in fields(self)}
        for name in ("before", "after", "apparent"):
            if found[name] is not None:
                found[name] = {k: json_safe(v) for k, v in found[name].items()}
        return {**found, "notes": list(self.notes)}

    def to_json(self) -> str:
        """Return the map as JSON that `from_json` reads back exactly; no code is stored, only numbers."""
        return map_json.written(self.to_dict())

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Read what `to_json` wrote; anything else is refused, and a map of a newer version, too."""
        return cls(**map_json.read(text))


def recalibrate(
    y: object,
    p: object = None,
    *,
    method: Method = "isotonic",
    prevalence: float | Literal["estimate"] | None = None,
    new: object = None,
    cv: int | None = FOLDS,
    rng: np.random.Generator | int | None = None,
    **rows: Unpack[RowOptions],
) -> Recalibration:
    """Fit a map that mends probabilities, and say what it does to rows it was not fitted on.

    Parameters
    ----------
    y, p
        Labels and probabilities of the positive class, with the options of `curvewise.sweep`; or a
        `Sweep` of probabilities alone.
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
    cv
        Parts of the cross-validation, at least 2; None does without.
    rng
        A seed or a NumPy generator, for dealing the rows into parts.

    Returns
    -------
    Recalibration
        ``apply(p)``, ``to_json()``; ``before`` and ``after`` losses.

    Notes
    -----
    Fit on rows that the model was not trained on. ``after`` is the honest number: each part is judged with
    a map fitted on the others, classes dealt apart. A map with ``after`` no better than ``before`` is not
    worth having.

    Platt's own recipe fits raw scores, with labels moved a little inward; here the log odds of p are
    fitted by maximum likelihood, so the parameters are the intercept and slope of `curvewise.calibration`.
    Slopes of a map are never negative: where higher probabilities do not go with more positives the map
    is constant, and a note says so. Logarithmic maps leave 0 and 1 as they are; they refuse to be fitted
    on rows of probability 0 or 1 that turned out otherwise.

    ``"prior"`` moves the log odds by logit(prevalence) - logit(share of positives in y), right if rows of
    either class look as they did and p was calibrated. The losses are then those of these rows reweighted to
    the new prevalence. The estimate is where the EM algorithm of Saerens et al. ends. Fractional weights are
    cross-validated by rows; a `Sweep` of them has forgotten its rows and is not.

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
    one_of("method", method, map_json.METHODS)
    number = None if cv is None else whole("cv", cv, 2)
    sweep = probability_sweep(y, p, rows)
    sweep.need_both_classes("A recalibration map")
    if method == "prior":
        return _prior(sweep, prevalence, new)
    if prevalence is not None or new is not None:
        raise CurvewiseError("prevalence, new: only method='prior' has a use for them.")
    parameters, notes = fit_map(method, sweep)
    fit = Recalibration(method, parameters, sweep.n, sweep.positives, notes=notes)
    fit = replace(fit, before=_losses(sweep), apparent=_losses(sweep, fit))
    if number is None:
        return fit
    fractional = sweep.tp.dtype.kind == "f"
    if fractional and isinstance(y, Sweep):
        lost = "not cross-validated: weights are fractional and a Sweep has forgotten its rows"
        return replace(fit, notes=(*notes, lost))
    read = read_rows(y, p, **rows) if fractional else None
    return _cross_validated(fit, sweep, read, number, np.random.default_rng(rng))


def _prior(sweep: Sweep, prevalence: object, new: object) -> Recalibration:
    if prevalence is None:
        raise CurvewiseError(
            "prevalence: method='prior' needs a share of positives, or 'estimate' with new=."
        )
    notes: tuple[str, ...] = ()
    if prevalence == "estimate" and isinstance(prevalence, str):
        if new is None:
            raise CurvewiseError(
                "new: prevalence='estimate' needs the probabilities of the new population, without labels."
            )
        unlabelled = read_probabilities(new)
        share, steps = estimated_prevalence(unlabelled, sweep.prevalence)
        notes = (f"prevalence estimated from {len(unlabelled)} unlabelled rows in {steps} steps",)
    elif new is not None:
        raise CurvewiseError("new: only prevalence='estimate' has a use for it.")
    else:
        share = real("prevalence", prevalence, 0, 1, closed=False)
    fit = Recalibration(
        "prior", {"from": sweep.prevalence, "to": share}, sweep.n, sweep.positives, notes=notes
    )
    there = sweep.at_prevalence(share)
    return replace(fit, before=_losses(there), apparent=_losses(there, fit))


def _losses(sweep: Sweep, fit: Recalibration | None = None) -> dict[str, float]:
    return {name: total / sweep.n for name, total in _totals(sweep, fit).items()}


def _totals(sweep: Sweep, fit: Recalibration | None) -> dict[str, float]:
    pos, neg = (np.diff(c, prepend=0) for c in (sweep.tp, sweep.fp))
    p = sweep.threshold if fit is None else apply_map(fit.method, fit.parameters, sweep.threshold)
    return {name: loss.total(p, pos, neg) for name, loss in JUDGED.items()}


def _cross_validated(
    fit: Recalibration, sweep: Sweep, rows: Rows | None, number: int, rng: np.random.Generator
) -> Recalibration:
    notes = fit.notes
    few = min(sweep.positives, sweep.negatives)
    if few < number:
        notes += (f"only {show(few)} rows of a class for {number} parts: the losses after are shaky",)
    total = dict.fromkeys(JUDGED, 0.0)
    try:
        for train, test in folds(sweep, rows, number, rng):
            if not len(test.threshold):
                continue
            train.need_both_classes("A recalibration map")
            part = replace(fit, parameters=fit_map(fit.method, train)[0])
            for name, value in _totals(test, part).items():
                total[name] += value
    except UndefinedMetricError as error:
        return replace(fit, notes=(*notes, f"not cross-validated: a part has no map ({error})"))
    after = {name: value / sweep.n for name, value in total.items()}
    if np.isinf(after["log_loss"]):
        notes += ("an infinite log loss: a map gave 0 or 1 to rows not fitted on that turned out otherwise",)
    return replace(fit, after=after, folds=number, notes=notes)
