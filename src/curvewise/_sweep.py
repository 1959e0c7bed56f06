"""The sweep: the unique scores in falling order, and the positives and negatives at or above each."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise import kernel
from curvewise._columns import EXACT_FLOAT
from curvewise._errors import CurvewiseError, UndefinedMetricError
from curvewise._frames import to_frame
from curvewise._plot import Plotted
from curvewise._sweep_json import KEPT, from_dict, to_dict
from curvewise._table import show
from curvewise._validate import (
    HigherIs,
    Missing,
    RowOptions,
    Rows,
    count,
    read_columns,
    read_rows,
    real,
    real_numbers,
    refuse_unknown,
    threshold_for,
    whole_or_float,
)
from curvewise.counts.confusion import Confusion

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False, repr=False)
class Sweep(Plotted):
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
        never reached by any threshold.
    weighted, dropped, round_to, higher_is
        The choices made when the rows were read: whether weights were given, how many rows with a
        missing value were left out, how many decimals scores were rounded to, which end of the
        scores means positive.
    sample_prevalence
        The prevalence of the rows themselves, where `at_prevalence` moved the sweep to another.
    """

    threshold: NDArray[Any]
    tp: kernel.Counts
    fp: kernel.Counts
    positives: int | float
    negatives: int | float
    weighted: bool = False
    dropped: int = 0
    round_to: int | None = None
    higher_is: HigherIs = "positive"
    sample_prevalence: float | None = None
    backend: str | None = field(default=None, repr=False)

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
    ) -> Sweep:
        """Build a sweep from how many positives and negatives have each score.

        Parameters
        ----------
        threshold
            Scores, in any order; equal ones are put together.
        positives, negatives
            How many (or how much weight) of each class has that score.
        total_positives
            All positives, where some have no score at all (an object that no detection found).

        Examples
        --------
        >>> import curvewise as cw
        >>> cw.Sweep.from_counts([5, 4, 3, 2, 1], [33, 11, 2, 2, 3], [2, 11, 6, 6, 33])
        Sweep(109 rows: 51 positive, 58 negative; 5 thresholds, 5 to 1)
        """
        given = {"threshold": threshold, "positives": positives, "negatives": negatives}
        columns, _ = read_columns(given, "raise")
        values = real_numbers(columns["threshold"])
        pos, neg = (whole_or_float(columns[k]) for k in ("positives", "negatives"))
        if pos.dtype != neg.dtype:
            pos, neg = pos.astype(np.float64), neg.astype(np.float64)
        used = (pos + neg) > 0
        if not used.any():
            raise CurvewiseError("positives, negatives: every count is zero, so there is no row.")
        thresholds, tp, fp = kernel.merged(values[used], pos[used], neg[used])
        reached = total = tp[-1].item()
        if total_positives is not None:
            total = real("total_positives", total_positives, 0, math.inf)
            total = int(total_positives) if total == int(total) else total
        if total < reached:
            raise CurvewiseError(
                f"total_positives: expected at least the {show(float(reached))} positives that have "
                f"a score, got {total!r}."
            )
        return cls(thresholds, tp, fp, total, fp[-1].item(), weighted=pos.dtype.kind == "f")

    @property
    def n(self) -> int | float:
        """All rows (or all weight): positives + negatives."""
        return self.positives + self.negatives

    @property
    def prevalence(self) -> float:
        """The share of positives."""
        return self.positives / self.n

    def at(self, threshold: float, *, zero: float = math.nan) -> Confusion:
        """Return the confusion table where positive means score ≥ ``threshold``.

        With ``higher_is="negative"``, positive means score ≤ ``threshold``.
        """
        last = self._reached(threshold)
        tp, fp = (self.tp[last - 1].item(), self.fp[last - 1].item()) if last else (0, 0)
        return Confusion(
            tp=tp,
            fp=fp,
            fn=max(self.positives - tp, 0),
            tn=max(self.negatives - fp, 0),
            zero=zero,
            threshold=threshold,
        )

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
        up, down = share * self.n / self.positives, (1 - share) * self.n / self.negatives
        return replace(
            self,
            tp=self.tp * up,
            fp=self.fp * down,
            positives=self.positives * up,
            negatives=self.negatives * down,
            sample_prevalence=self.prevalence if self.sample_prevalence is None else self.sample_prevalence,
        )

    def __add__(self, other: object) -> Sweep:
        """Return the sweep of the union of both sets of rows: exact when counts are whole."""
        if not isinstance(other, Sweep):
            return NotImplemented
        for name in ("higher_is", "round_to", "sample_prevalence"):
            if getattr(self, name) != getattr(other, name):
                raise CurvewiseError(
                    f"Sweeps with different {name} cannot be added: "
                    f"{getattr(self, name)!r} and {getattr(other, name)!r}."
                )
        rising = self.higher_is == "negative"
        both = np.concatenate(_same_dtype(self.threshold, other.threshold))
        pos = np.concatenate([np.diff(s.tp, prepend=0) for s in (self, other)])
        neg = np.concatenate([np.diff(s.fp, prepend=0) for s in (self, other)])
        turned = kernel.turned(both) if rising else both
        threshold, tp, fp = kernel.merged(turned, pos, neg)
        return replace(
            self,
            threshold=kernel.turned(threshold) if rising else threshold,
            tp=tp,
            fp=fp,
            positives=self.positives + other.positives,
            negatives=self.negatives + other.negatives,
            weighted=self.weighted or other.weighted,
            dropped=self.dropped + other.dropped,
        )

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
        )

    __hash__ = None  # type: ignore[assignment]

    def need_positives(self, what: str) -> None:
        """Raise `UndefinedMetricError` unless there is a positive row."""
        if self.positives == 0:
            raise UndefinedMetricError(f"{what} needs positive rows: 0 of {self._rows()} are positive.")

    def need_both_classes(self, what: str) -> None:
        """Raise `UndefinedMetricError` unless both classes are present."""
        if self.positives == 0 or self.negatives == 0:
            absent = "positive" if self.positives == 0 else "negative"
            raise UndefinedMetricError(f"{what} needs both classes: 0 of {self._rows()} are {absent}.")

    def _rows(self) -> str:
        return count(self.n, "row") if isinstance(self.n, int) else f"rows of total weight {show(self.n)}"

    def to_frame(self, backend: str | None = None) -> Any:
        """Return thresholds and counts as a frame (``"polars"``, ``"pandas"`` or ``"pyarrow"``).

        By default of the library the rows came from, else of the first one loaded or installed.
        """
        columns = {"threshold": self.threshold, "tp": self.tp, "fp": self.fp}
        return to_frame(columns, backend or self.backend)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-safe dict that `from_dict` reads back exactly."""
        fields = {k: getattr(self, k) for k in ("threshold", "tp", "fp", *KEPT)}
        return to_dict(fields)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Sweep:
        """Read what `to_dict` wrote; a dict of another schema or version is refused."""
        return cls(**from_dict(data))

    def __repr__(self) -> str:
        m = len(self.threshold)
        ends = " to ".join(
            f"{t:.6g}" for t in (self.threshold[0].item(), self.threshold[-1].item())[: min(m, 2)]
        )
        rows = "weight" if self.weighted and isinstance(self.n, float) else "rows"
        notes = "".join(
            f", {note}"
            for note, said in (
                (f"{self.dropped} dropped", self.dropped),
                (f"rounded to {self.round_to} decimals", self.round_to is not None),
                ("lower is positive", self.higher_is == "negative"),
                (f"sample prevalence {self.sample_prevalence or 0:.4g}", self.sample_prevalence),
            )
            if said
        )
        return (
            f"Sweep({show(self.n)} {rows}: {show(self.positives)} positive, {show(self.negatives)} negative; "
            f"{count(m, 'threshold')}, {ends}{notes})"
        )

    def _repr_html_(self) -> str:
        facts = {
            "rows": show(self.n),
            "positives": show(self.positives),
            "negatives": show(self.negatives),
            "prevalence": show(self.prevalence),
            "thresholds": str(len(self.threshold)),
            "weighted": "yes" if self.weighted else "no",
            "rows dropped": str(self.dropped),
        }
        body = "".join(f"<tr><th>{escape(k)}</th><td>{escape(v)}</td></tr>" for k, v in facts.items())
        return f"<table><caption>Sweep</caption><tbody>{body}</tbody></table>"


def sweep(
    y: object,
    score: object,
    *,
    weight: object = None,
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
        Finite weights of 0 or more. Rows of weight 0 are left out first. Whole weights mean
        repetition and keep counts exact.
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
    return sweep_of(
        read_rows(
            y,
            score,
            weight=weight,
            positive=positive,
            higher_is=higher_is,
            missing=missing,
            round_to=round_to,
        )
    )


def sweep_of(rows: Rows) -> Sweep:
    """Sort rows that passed the door."""
    threshold, tp, fp = kernel.blocks(
        rows.score, rows.positive, rows.weight, falling=rows.higher_is == "positive"
    )
    return Sweep(
        threshold,
        tp,
        fp,
        positives=tp[-1].item(),
        negatives=fp[-1].item(),
        weighted=rows.weight is not None,
        dropped=rows.dropped,
        round_to=rows.round_to,
        higher_is=rows.higher_is,
        backend=rows.backend,
    )


def as_sweep(y: object, score: object, rows: RowOptions) -> Sweep:
    """Take a sweep as it is, or make one from labels and scores."""
    if isinstance(y, Sweep):
        refuse_rows_beside_sweep(score, rows)
        return y
    refuse_unknown(rows)
    return sweep(y, score, **rows)


def refuse_rows_beside_sweep(score: object, rows: Mapping[str, object]) -> None:
    """Refuse scores or reading options where a finished sweep was given."""
    if score is not None or rows:
        given = ", ".join((["score"] if score is not None else []) + list(rows))
        raise CurvewiseError(
            f"A Sweep was given, so its rows are already read: {given} cannot apply; make a new sweep."
        )


def _same_dtype(a: NDArray[Any], b: NDArray[Any]) -> list[NDArray[Any]]:
    """Bring two threshold arrays to one dtype; refuse where that would merge different scores."""
    if a.dtype == b.dtype:
        return [a, b]
    common = np.result_type(a, b)
    for array in (a, b):
        if (
            array.dtype.kind in "iu"
            and common.kind == "f"
            and max(abs(int(array[0])), abs(int(array[-1]))) > EXACT_FLOAT
        ):
            raise CurvewiseError(
                f"Scores of {a.dtype} and {b.dtype} cannot be added exactly: integers beyond 2^53."
            )
    return [a.astype(common), b.astype(common)]


__all__ = ["Sweep", "as_sweep", "sweep"]
