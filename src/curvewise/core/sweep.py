"""The sweep: the unique scores in falling order, and the positives and negatives at or above each."""

from __future__ import annotations

import math
from collections.abc import Sized
from dataclasses import dataclass, field, replace
from functools import cached_property
from inspect import unwrap
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise.core import kernel
from curvewise.core.bins import Bins, Summary, same_dtype
from curvewise.core.confusion import Confusion
from curvewise.core.row_order import turned
from curvewise.core.sweep_json import KEPT, from_dict, to_dict
from curvewise.errors import CurvewiseError, OptionError, UndefinedMetricError, note
from curvewise.results.frames import to_frame
from curvewise.results.numbers import show
from curvewise.results.result import Result, Table
from curvewise.rows.checks import real, threshold_for
from curvewise.rows.columns import count, shown
from curvewise.rows.reading import (
    MOST_WEIGHT,
    ONE,
    as_rows,
    read_columns,
    read_rows,
    real_numbers,
    refuse_beside,
    whole_or_float,
)
from curvewise.rows.rows import Rows
from curvewise.rows.weight_scale import far_exponent

if TYPE_CHECKING:
    from curvewise.rows.horizon_rows import AtHorizon
    from curvewise.rows.rows import HigherIs, Missing, RowOptions, WeightKind


@dataclass(frozen=True, eq=False, repr=False)
class Sweep(Result, schema="sweep"):
    """Everything that thresholding can tell about a set of rows.

    Made by `curvewise.sweep` or `Sweep.from_counts`; the constructor itself trusts its arguments.

    Attributes
    ----------
    threshold
        The unique scores, most positive first.
    tp, fp
        Positives and negatives with a score at or above each threshold: int64, exact, unless
        weights are fractional.
    positives, negatives
        The totals P and N. Kept apart from the last counts: in detection, some positives are
        never reached by any threshold, and N is unknown (None).
    weight_kind
        None without weights; ``"count"`` where weights count independent rows; ``"sampling"`` where they do
        not, so that counts are sums of weights even if they happen to be whole.
    dropped, round_to, higher_is
        The choices made when the rows were read: how many rows with a missing value were left out, how many
        decimals scores were rounded to, which end of the scores means positive.
    sample_prevalence
        The prevalence of the rows themselves, where `at_prevalence` moved the sweep to another.
    horizon
        At a horizon of censored outcomes: how many rows had the event, did not, are unknown. Counts are then sums
        of weights of inverse probability.
    bins
        Where ranges of scores were counted, not each score: the least and the greatest score in each. Every threshold
        is then one of the scores, and its counts are exact; what lies between two of them is not known, and metrics
        return `Bounds`.
    """

    threshold: NDArray[Any]
    tp: kernel.Counts
    fp: kernel.Counts
    positives: int | float
    negatives: Any  # int or float; None where they were not counted
    weight_kind: WeightKind | None = None
    dropped: int = 0
    round_to: int | None = None
    higher_is: HigherIs = "positive"
    sample_prevalence: float | None = None
    backend: str | None = field(default=None, repr=False)
    horizon: AtHorizon | None = field(default=None, repr=False)
    bins: Bins | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        for array in (self.threshold, self.tp, self.fp):
            array.flags.writeable = False

    @classmethod
    def from_counts(
        cls,
        threshold: object,
        positives: object,
        negatives: object,
        total_positives: float | None = None,
        *,
        negatives_known: bool = True,
    ) -> Sweep:
        """Build a sweep from how many positives and negatives have each score.

        Parameters
        ----------
        threshold
            Scores, in any order; equal ones are put together.
        positives, negatives
            How many (or how much weight) of each class has that score.
        total_positives
            All positives, where some have no score at all (an object that no detection found). With it, there
            may be no score at all.
        negatives_known
            False where negatives were not enumerated, as in detection: ``negatives`` are then false alarms,
            and what needs the number of true negatives is refused.

        Examples
        --------
        >>> import curvewise as cw
        >>> cw.Sweep.from_counts([5, 4, 3, 2, 1], [33, 11, 2, 2, 3], [2, 11, 6, 6, 33])
        Sweep(109 rows: 51 positive, 58 negative; 5 thresholds, 5 to 1)
        """
        total = None if total_positives is None else real("total_positives", total_positives, 0, math.inf)
        if total and isinstance(threshold, Sized) and not len(threshold):
            none = np.zeros(0, dtype=np.int64)
            return cls(np.zeros(0), none, none.copy(), _as_count(total), 0 if negatives_known else None)
        data = {"threshold": threshold, "positives": positives, "negatives": negatives}
        columns, _, _ = read_columns(data, "raise")
        values = real_numbers(columns["threshold"])
        pos, neg = (whole_or_float(columns[k]) for k in ("positives", "negatives"))
        if pos.dtype != neg.dtype:
            pos, neg = pos.astype(np.float64), neg.astype(np.float64)
        if not math.isfinite(float(pos.sum()) + float(neg.sum())):
            raise CurvewiseError("positives, negatives: the sum is more than float64 can hold; scale the counts down.")
        used = (pos > 0) | (neg > 0)
        if not used.any():
            raise CurvewiseError("positives, negatives: every count is zero, so there is no row.")
        thresholds, tp, fp = kernel.merged(values[used], pos[used], neg[used])
        reached = tp[-1].item()
        if total is None:
            total = reached
        if total < reached:
            raise CurvewiseError(
                f"total_positives: expected at least the {show(float(reached))} positives that have "
                f"a score, got {shown(total_positives)}."
            )
        kind: WeightKind | None = "sampling" if pos.dtype.kind == "f" else None
        return cls(thresholds, tp, fp, _as_count(total), fp[-1].item() if negatives_known else None, kind)

    @classmethod
    def from_points(cls, fpr: object, tpr: object, *, positives: float, negatives: float) -> Sweep:
        """Build a sweep from points of a published ROC curve.

        Parameters
        ----------
        fpr, tpr
            Both rates at each point, from the lower left to the upper right; (0, 0) and (1, 1) may be left out.
        positives, negatives
            How many rows of each class the curve was made of.

        Notes
        -----
        Thresholds are unknown, so points are numbered: the first point has the highest number. Between points the
        curve is a straight line, as for tied rows. Counts are whole where every rate is that of whole rows; else they
        are fractional, and there are values without intervals.

        Examples
        --------
        >>> import curvewise as cw
        >>> s = cw.Sweep.from_points([0, 0.05, 0.10], [0, 0.4, 0.6], positives=50, negatives=100)
        >>> round(cw.partial_roc_auc(s, fpr=(0, 0.1)), 6)
        0.035
        """
        columns, _, _ = read_columns({"fpr": fpr, "tpr": tpr}, "raise")
        rates = [real_numbers(columns[name]).astype(np.float64) for name in ("fpr", "tpr")]
        sizes = [real(k, v, 0, math.inf) for k, v in (("negatives", negatives), ("positives", positives))]
        cumulated = []
        for name, each, size in zip(("fpr", "tpr"), rates, sizes, strict=True):
            wrong = np.flatnonzero((each < 0) | (each > 1) | (np.diff(each, prepend=0) < 0))
            if len(wrong):
                at = int(wrong[0])
                raise OptionError.of(name, f"expected rates from 0 to 1 that never fall, got {each[at]} at point {at}.")
            cumulated.append(np.append(each, 1.0) * size)
        near = [np.rint(c) for c in cumulated]
        if all(np.allclose(a, b, rtol=0, atol=1e-9 * max(b[-1], 1)) for a, b in zip(cumulated, near, strict=True)):
            cumulated = [c.astype(np.int64) for c in near]
        added = [np.diff(c, prepend=0) for c in cumulated]
        return cls.from_counts(np.arange(len(added[0]), 0, -1), added[1], added[0])

    @property
    def n(self) -> int | float:
        """All rows (or all weight): positives + negatives."""
        return self.positives + self.known_negatives("The number of rows")

    @property
    def prevalence(self) -> float:
        """The share of positives."""
        return self.positives / (self.positives + self.known_negatives("Prevalence"))

    @property
    def is_whole(self) -> bool:
        """Whether counts are numbers of independent rows, and not sums of weights."""
        return self.tp.dtype.kind == "i" and self.weight_kind != "sampling"

    @property
    def is_binned(self) -> bool:
        """Whether some bin holds several scores, so that numbers have limits that lie apart."""
        return self.bins is not None and bool(self.bins.mixed.any())

    @cached_property
    def block_positives(self) -> kernel.Counts:
        """Positives with each score."""
        return kernel.steps(self.tp)

    @cached_property
    def block_negatives(self) -> kernel.Counts:
        """Negatives with each score."""
        return kernel.steps(self.fp)

    @property
    def near_one(self) -> Sweep:
        """The sweep with sums of weights near 1 where products of them would leave float64; else itself."""
        exponent = far_exponent(float(self.positives) + (self.negatives or 0.0)) if self.tp.dtype.kind == "f" else 0
        if not exponent:
            return self
        tp, fp = np.ldexp(self.tp, -exponent), np.ldexp(self.fp, -exponent)
        negatives = None if self.negatives is None else math.ldexp(self.negatives, -exponent)
        return replace(self, tp=tp, fp=fp, positives=math.ldexp(self.positives, -exponent), negatives=negatives)

    def with_counts(self, positives: kernel.Counts, negatives: kernel.Counts) -> Sweep:
        """Return the sweep of other counts of positives and negatives with each score; empty scores go."""
        used = np.flatnonzero((positives + negatives) > 0)
        tp, fp = np.cumsum(positives[used]), np.cumsum(negatives[used])
        return self.with_cumulated(self.threshold[used], tp, fp)

    def with_cumulated(self, threshold: NDArray[Any], tp: kernel.Counts, fp: kernel.Counts) -> Sweep:
        """Return a sweep of other thresholds and cumulated counts, read in the same way."""
        p, n = (tp[-1].item(), fp[-1].item()) if len(tp) else (0, 0)
        at = self.horizon
        at = None if at is None or at.is_known else replace(at, mean_score=None)
        return replace(
            self, threshold=threshold, tp=tp, fp=fp, positives=p, negatives=n, backend=None, horizon=at, bins=None
        )

    def known_negatives(self, what: str) -> int | float:
        """Return the number of negatives, or refuse where it is unknown."""
        if self.negatives is None:
            raise UndefinedMetricError(
                "{what} needs the number of negatives, which is unknown here: only false alarms were counted.",
                what=what,
                why=note("negatives_unknown"),
            )
        known: int | float = self.negatives
        return known

    @property
    def all_scored(self) -> bool:
        """Whether every positive has a score."""
        return bool(len(self.tp)) and bool(self.positives == self.tp[-1])

    def at(self, threshold: float, *, zero: float = math.nan) -> Confusion:
        """Return the confusion table where positive means score ≥ ``threshold``.

        With ``higher_is="negative"``, positive means score ≤ ``threshold``.
        """
        last = self._reached(threshold) if len(self.threshold) else 0
        tp, fp = (self.tp[last - 1].item(), self.fp[last - 1].item()) if last else (0, 0)
        return Confusion(
            tp=tp,
            fp=fp,
            fn=max(self.positives - tp, 0),
            tn=None if self.negatives is None else max(self.negatives - fp, 0),
            zero=zero,
            threshold=threshold,
        )

    @property
    def _scored(self) -> float:
        """All rows that have a score, or all their weight."""
        return self.tp[-1].item() + self.fp[-1].item() if len(self.tp) else 0

    def _reached(self, threshold: float) -> int:
        """Count the blocks on the positive side of a threshold."""
        falling = self.higher_is == "positive"
        cut = threshold_for(self.threshold.dtype, threshold, falling=falling)
        rising = self.threshold[::-1] if falling else self.threshold
        # the ends first: a cut beyond them may not fit the scores' dtype
        if cut < rising[0]:
            below = 0
        elif cut > rising[-1]:
            below = len(rising)
        else:
            below = int(np.searchsorted(rising, cut, side="left" if falling else "right"))
        return len(rising) - below if falling else below

    def at_prevalence(self, prevalence: float) -> Sweep:
        """Return the same ranking in a population with another share of positives.

        Classes are reweighted so that n stays what it was; ROC quantities do not change, and
        everything that depends on prevalence follows.

        Examples
        --------
        >>> import curvewise as cw
        >>> s = cw.sweep([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1])
        >>> s.at(0.5).precision, s.at_prevalence(0.01).at(0.5).precision
        (0.5, 0.01)
        """
        share = real("prevalence", prevalence, 0, 1, closed=False)
        self.need_both_classes("A sweep at another prevalence")
        negatives = self.known_negatives("A sweep at another prevalence")
        up, down = share * self.n / self.positives, (1 - share) * self.n / negatives
        return replace(
            self,
            tp=self.tp * up,
            fp=self.fp * down,
            positives=self.positives * up,
            negatives=negatives * down,
            sample_prevalence=self.prevalence if self.sample_prevalence is None else self.sample_prevalence,
            horizon=None if self.horizon is None else replace(self.horizon, mean_score=None),
        )

    def __add__(self, other: object) -> Sweep:
        """Return the sweep of the union of both sets of rows: exact when counts are whole."""
        if not isinstance(other, Sweep):
            return NotImplemented
        if self.horizon is not None or other.horizon is not None:
            raise CurvewiseError("Sweeps at a horizon cannot be added: put times, events and risks together first.")
        for name in ("higher_is", "round_to", "sample_prevalence"):
            if getattr(self, name) != getattr(other, name):
                raise CurvewiseError(
                    f"Sweeps with different {name} cannot be added: "
                    f"{getattr(self, name)!r} and {getattr(other, name)!r}."
                )
        total = self._scored + other._scored
        if self.tp.dtype.kind == other.tp.dtype.kind == "i" and total >= MOST_WEIGHT:
            raise CurvewiseError("The sum of both sweeps is more than 2^62 rows, beyond exact counts.")
        if not math.isfinite(total):
            raise CurvewiseError("The sum of both sweeps is more than float64 can hold.")
        if self.bins is not None or other.bins is not None:
            summary = self.summary().overlapping(other.summary())
            return self._sum(other, *_cumulated(summary, self.higher_is, in_bins=True))
        rising = self.higher_is == "negative"
        both = np.concatenate(same_dtype(self.threshold, other.threshold))
        pos = np.concatenate([s.block_positives for s in (self, other)])
        neg = np.concatenate([s.block_negatives for s in (self, other)])
        falling = turned(both) if rising else both
        threshold, tp, fp = kernel.merged(falling, pos, neg)
        return self._sum(other, turned(threshold) if rising else threshold, tp, fp)

    def _sum(
        self, other: Sweep, threshold: NDArray[Any], tp: kernel.Counts, fp: kernel.Counts, bins: Bins | None = None
    ) -> Sweep:
        return replace(
            self,
            threshold=threshold,
            tp=tp,
            fp=fp,
            bins=bins,
            positives=self.positives + other.positives,
            negatives=None if self.negatives is None or other.negatives is None else self.negatives + other.negatives,
            weight_kind=next((k for k in ("sampling", "count") if k in (self.weight_kind, other.weight_kind)), None),
            dropped=self.dropped + other.dropped,
        )

    def summary(self) -> Summary:
        """Return positives and negatives per score, or per bin of scores, by rising score."""
        low, high = (self.threshold, self.threshold) if self.bins is None else (self.bins.low, self.bins.high)
        step = -1 if self.higher_is == "positive" else 1
        return Summary(low[::step], high[::step], self.block_positives[::step], self.block_negatives[::step])

    @classmethod
    def from_summary(cls, summary: Summary, *, in_bins: bool = False, **facts: Any) -> Sweep:
        """Cumulate positives and negatives per score, or per bin of scores; ``facts`` say how rows were read.

        ``in_bins``: bins were asked for, so that metrics return `Bounds` also where every bin holds one score.
        """
        threshold, tp, fp, bins = _cumulated(summary, facts.get("higher_is", "positive"), in_bins=in_bins)
        return cls(threshold, tp, fp, tp[-1].item(), fp[-1].item(), bins=bins, **facts)

    def __radd__(self, other: object) -> Sweep:
        return self if other == 0 and isinstance(other, int) else NotImplemented  # for sum()

    def __eq__(self, other: object) -> bool:
        """Compare thresholds, counts and direction; how the rows were read does not matter."""
        if not isinstance(other, Sweep):
            return NotImplemented
        return (
            self.higher_is == other.higher_is
            and self.positives == other.positives
            and self.negatives == other.negatives
            and all(np.array_equal(getattr(self, k), getattr(other, k)) for k in ("threshold", "tp", "fp"))
            and self.is_binned == other.is_binned
            and (not self.is_binned or self.bins == other.bins)
        )

    __hash__ = None  # type: ignore[assignment]

    def need_positives(self, what: str) -> None:
        """Raise `UndefinedMetricError` unless there is a positive row."""
        if self.positives == 0:
            raise self._absent(what, "positive rows", "positive")

    def need_both_classes(self, what: str) -> None:
        """Raise `UndefinedMetricError` unless both classes are present."""
        self.known_negatives(what)
        if self.positives == 0 or self.negatives == 0:
            raise self._absent(what, "both classes", "positive" if self.positives == 0 else "negative")

    def _absent(self, what: str, needs: str, which: str) -> UndefinedMetricError:
        if self.horizon is not None:
            return self.horizon.absent(what, which)
        return UndefinedMetricError(
            "{needs}: 0 of {rows} are {which}.",
            needs=f"{what} needs {needs}",
            rows=self._rows(),
            which=which,
            why=note(f"no_{which}_rows", rows=None if self.negatives is None else self.n),
        )

    def _rows(self) -> str:
        if self.negatives is None:
            return f"the rows with a score or a label ({show(float(self.positives))} positive)"
        return count(self.n, "row") if isinstance(self.n, int) else f"rows of total weight {show(self.n)}"

    @property
    def table(self) -> Table:
        """Thresholds and counts, one row per unique score."""
        columns = {"threshold": self.threshold, "tp": self.tp, "fp": self.fp}
        return Table("Sweep", {k: v.tolist() for k, v in columns.items()}, self.backend)

    def to_frame(self, backend: str | None = None) -> Any:
        """Return thresholds and counts as a frame (``"polars"``, ``"pandas"`` or ``"pyarrow"``).

        By default of the library the rows came from, else of the first one loaded or installed.
        """
        columns = {"threshold": self.threshold, "tp": self.tp, "fp": self.fp}
        return to_frame(columns, self.backend if backend is None else backend)

    def content(self) -> dict[str, Any]:
        """Return what `from_dict` reads back exactly, JSON-safe."""
        return to_dict({k: getattr(self, k) for k in ("threshold", "tp", "fp", "horizon", "bins", *KEPT)})

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Sweep:
        """Read what `to_dict` wrote; a dict of another schema or version is refused."""
        return cls(**from_dict(data, cls.schema, cls.version))

    def __str__(self) -> str:
        m = len(self.threshold)
        ends = " to ".join(
            f"{t:.6g}" for t in [t.item() for t in (self.threshold[:1], self.threshold[-1:]) if m][: min(m, 2)]
        )
        notes = "".join(
            f", {note}"
            for note, applies in (
                (f"{self.dropped} dropped", self.dropped),
                (f"rounded to {self.round_to} decimals", self.round_to is not None),
                ("lower is positive", self.higher_is == "negative"),
                (f"sample prevalence {self.sample_prevalence or 0:.4g}", self.sample_prevalence),
            )
            if applies
        )
        if self.negatives is None:
            what = f"{show(self.positives)} positive, negatives unknown"
        else:
            rows = "weight" if self.weight_kind and isinstance(self.n, float) else "rows"
            what = f"{show(self.n)} {rows}: {show(self.positives)} positive, {show(self.negatives)} negative"
        if (here := self.horizon) is not None:
            what = here.text
        if self.bins is not None and self.is_binned:
            notes += f", {count(int(self.bins.mixed.sum()), 'bin')} of several scores"
        return f"Sweep({what}; {count(m, 'threshold')}{', ' if ends else ''}{ends}{notes})"

    def _repr_html_(self) -> str:
        facts = {
            "rows": show(None if self.negatives is None else self.n),
            "positives": show(self.positives),
            "negatives": "unknown" if self.negatives is None else show(self.negatives),
            "prevalence": "" if self.negatives is None else show(self.prevalence),
            "thresholds": str(len(self.threshold)),
            "weighted": "yes" if self.weight_kind else "no",
            "rows dropped": str(self.dropped),
        }
        if (here := self.horizon) is not None:  # people are shown rows, not weights
            facts |= {"rows": here.text, "positives": str(here.cases), "negatives": str(here.controls)}
        return Table("Sweep", {"fact": list(facts), "value": list(facts.values())}).html_table()


def sweep(
    y: object,
    score: object,
    *,
    weight: object = None,
    weight_kind: WeightKind = "sampling",
    cluster: object = None,
    stratum: object = None,
    positive: object = None,
    higher_is: HigherIs = "positive",
    missing: Missing = "raise",
    round_to: int | None = None,
) -> Sweep:
    """Read labels and scores once; everything else is read from the result.

    Parameters
    ----------
    y
        Labels of two classes. {0, 1}, {False, True} and {-1, 1} are understood; for anything else
        say which class is ``positive``.
    score
        Real numbers of any dtype, compared exactly in that dtype. Infinities are legal ranks.
    weight
        Finite weights of 0 or more. Rows of weight 0 are left out first. A number read with whole weights is
        exactly that of the rows repeated. Sampling weights have no scale; where they are beyond 2^±100, verbs other
        than this one and `confusion` give sums of them with a power of two as the unit.
    weight_kind
        ``"sampling"`` (default): weights say how much a row counts; intervals and tests then know that a row
        of weight 10 is one row. ``"count"``: a weight of 10 stands for ten independent rows.
    cluster
        One label per row (a patient, an image): rows of one cluster may depend on each other. Numbers do
        not depend on it; every interval and test does.
    stratum
        One label per row: rows, or whole clusters, were sampled within strata (regions, sizes of hospital), whose
        numbers were fixed by the design. Numbers do not depend on it (give ``weight`` where strata were sampled at
        different rates); intervals and tests compare rows, or clusters, within strata only.
    positive
        The label of the positive class.
    higher_is
        ``"positive"`` (default) or ``"negative"``, where a low score means positive.
    missing
        ``"raise"`` (default) or ``"drop"``: leave out rows with a missing label, score or weight.
    round_to
        Decimals (0 or more) to round scores to, which merges near-ties; None compares them exactly.

    Returns
    -------
    Sweep

    Raises
    ------
    CurvewiseError
        If the rows cannot be used; the message says what, where, how many, what to do.

    Examples
    --------
    >>> import curvewise as cw
    >>> s = cw.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> s
    Sweep(4 rows: 2 positive, 2 negative; 4 thresholds, 0.8 to 0.1)
    >>> s.tp, s.fp
    (array([1, 1, 2, 2]), array([0, 1, 1, 2]))
    """
    rows = unwrap(read_rows)(
        y,
        score,
        weight=weight,
        weight_kind=weight_kind,
        cluster=cluster,
        stratum=stratum,
        positive=positive,
        higher_is=higher_is,
        missing=missing,
        round_to=round_to,
    )
    return sweep_of(rows)


def sweep_of(rows: Rows) -> Sweep:
    """Sort the rows of one model."""
    threshold, tp, fp = kernel.blocks(rows.score, rows.positive, rows.weight, falling=rows.higher_is == "positive")
    return Sweep(
        threshold,
        tp,
        fp,
        positives=tp[-1].item(),
        negatives=fp[-1].item(),
        weight_kind=None if rows.weight is None else rows.weight_kind,
        dropped=rows.dropped,
        round_to=rows.round_to,
        higher_is=rows.higher_is,
        backend=rows.backend,
        horizon=None if rows.horizon is None else rows.horizon.facts(rows),
    )


def as_sweep(y: object, score: object, options: RowOptions) -> Sweep:
    """Take a sweep as it is, or make one from rows, or from labels and scores."""
    if isinstance(y, Sweep):
        refuse_beside("A Sweep was", score, options)
        return y.near_one
    return sweep_of(as_rows(y, score, options))


def as_source(y: object, score: object, options: RowOptions) -> Sweep | Rows:
    """Take a sweep or rows as they are, or read rows: what needs rows and what needs counts find both."""
    if isinstance(y, Sweep):
        for name in ("cluster", "stratum"):
            if options.get(name) is not None:
                raise CurvewiseError(f"{name}: needs labels and scores; a Sweep has forgotten its rows.")
        refuse_beside("A Sweep was", score, options)
        return y.near_one
    return as_rows(y, score, options)


def counted_rows(sweep: Sweep, model: str = ONE) -> Rows:
    """Return rows that count as many as the sweep did; rows of one score and class were alike to it.

    Where the sweep has bins, a row stands at its bin's threshold.
    """
    if not sweep.is_whole or sweep.sample_prevalence is not None or sweep.negatives is None or not sweep.all_scored:
        raise CurvewiseError("A sweep of weights, or of unknown negatives, has forgotten its rows: read them anew.")
    if sweep.horizon is not None:
        raise CurvewiseError("A sweep at a horizon has forgotten its rows: give the horizon itself.")
    weight = np.concatenate([sweep.block_positives, sweep.block_negatives])
    positive = np.repeat([True, False], len(sweep.threshold))
    there = weight > 0
    return Rows(
        positive[there],
        {model: np.tile(sweep.threshold, 2)[there]},
        weight[there],
        "count",
        dropped=sweep.dropped,
        round_to=sweep.round_to,
        higher_is=sweep.higher_is,
        backend=sweep.backend,
    )


def _cumulated(
    summary: Summary, higher_is: HigherIs, *, in_bins: bool
) -> tuple[NDArray[Any], kernel.Counts, kernel.Counts, Bins | None]:
    """Return thresholds, most positive first, counts, and bins where some hold several scores, or were asked for."""
    step = -1 if higher_is == "positive" else 1
    low, high, pos, neg = (v[::step].copy() for v in (summary.low, summary.high, summary.positives, summary.negatives))
    bins = None if summary.is_exact and not in_bins else Bins(low, high)
    return (low if step < 0 else high).copy(), np.cumsum(pos), np.cumsum(neg), bins


def _as_count(total: float) -> int | float:
    return int(total) if total == int(total) else total


__all__ = ["Sweep", "as_source", "as_sweep", "counted_rows", "sweep", "sweep_of"]
