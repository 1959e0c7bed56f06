"""Choose a threshold by a rule, and say what it will do."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from curvewise.core.sweep import Sweep, sweep_of
from curvewise.decisions import rules
from curvewise.decisions.cuts import Cuts, confusion_of
from curvewise.decisions.optimism import optimism
from curvewise.decisions.point import OperatingPoint
from curvewise.decisions.rates import rates_table
from curvewise.decisions.resampled import Resampled, resampled
from curvewise.decisions.rule import Rule
from curvewise.decisions.sentence import flagged, sentence
from curvewise.decisions.slopes import best_for
from curvewise.errors import CurvewiseError, UndefinedMetricError
from curvewise.rows.checks import real, whole
from curvewise.rows.columns import count
from curvewise.rows.reading import Rows, read_rows, refuse_unknown

if TYPE_CHECKING:
    from collections.abc import Callable

    from curvewise.core.confusion import Confusion
    from curvewise.rows.reading import RowOptions

FEW = 10  # rows of a class below which any choice is shaky


def operating_point(
    y: object,
    score: object = None,
    rule: Rule | Callable[[Confusion], float] | None = None,
    *,
    rng: np.random.Generator | int | None = None,
    level: float = 0.95,
    replicates: int = 500,
    **rows: Unpack[RowOptions],
) -> OperatingPoint:
    """Choose a threshold by a rule, and say what it does here and will do on new rows.

    Parameters
    ----------
    y, score
        A `Sweep` alone (then name ``rule=``), or labels and scores with the options of `curvewise.sweep`.
    rule
        One of `curvewise.rules`, as in ``rules.min_cost(fp=1, fn=10, prevalence=0.02)``, or any function of
        a `Confusion`, which is made as large as can be.
    rng
        A seed or a NumPy generator for the resamples; the answer is the same for any number of threads.
    level
        The confidence level of all intervals.
    replicates
        How many bootstrap resamples; 0 leaves out the interval of the threshold and the optimism.

    Returns
    -------
    OperatingPoint
        ``threshold``, ``midpoint`` (safer to deploy), ``tied``, ``confusion``, ``rates``, ``value``,
        ``threshold_interval``, ``optimism``, ``best_for``, ``sentence``.

    Raises
    ------
    UndefinedMetricError
        If no observed score keeps within the limit of the rule; the message says what comes nearest.

    Notes
    -----
    A threshold chosen on the rows that it is judged on looks better than it is. To see by how much, the rule
    is applied again to bootstrap resamples; what it gives there, less what the same thresholds give on the
    rows not drawn (out of bag), is the optimism of choices as unsteady as those on half as many rows. The
    apparent value less 0.63 of that (2^(-2/3), the law of the best point of a step curve; 1/2 for a rule with
    a limit) is ``out_of_bag``: what this threshold is expected to give on new rows. In simulations of 60 to
    500 rows that took away most of the optimism, about nine tenths in the median. Its intervals are
    approximate: of those of 95 %, 84 to 95 % held the truth.

    The interval of the threshold is the range of thresholds chosen on resamples. It is often wide, and
    rough: the best point of a step curve converges slowly (with the cube root of the number of rows), and its
    value matters more than its place.

    Resamples choose among at most 8 192 thresholds, densest near the chosen one; with more than 50 000 rows,
    among 2 048, and each row is drawn a Poisson(1) number of times; for a function, among 256.

    References
    ----------
    Efron & Tibshirani (1997) J. Am. Stat. Assoc. 92:548-560 (out of bag). Kim & Pollard (1990) Ann.
    Statist. 18:191-219 (cube roots). Metz (1978) Semin. Nucl. Med. 8:283-298 (costs and slopes).

    Examples
    --------
    >>> import curvewise as cw
    >>> s = cw.Sweep.from_counts([5, 4, 3, 2, 1], [33, 11, 2, 2, 3], [2, 11, 6, 6, 33])
    >>> point = cw.operating_point(s, rule=cw.rules.min_recall(0.9), rng=0)
    >>> point.threshold, point.midpoint, round(point.value, 4)
    (3, 2.5, 0.3276)
    >>> print(point.sentence)
    Flag scores of 3 or more: of 100 positives 90 are found, of 100 negatives 33 are flagged; of 100 alarms 71
    are right at the sample's prevalence of 46.8 %.
    """
    level = real("level", level, 0, 1, closed=False)
    replicates = whole("replicates", replicates, 0)
    chosen_by = _rule(rule)
    read: Rows | None = None
    if isinstance(y, Sweep):
        refuse_rows_beside_sweep(score, rows)
        sweep = y
    else:
        refuse_unknown(rows)
        read = read_rows(y, score, **rows)
        sweep = sweep_of(read)
    return point_of(read, sweep, chosen_by, rng=rng, level=level, replicates=replicates)


def point_of(
    rows: Rows | None,
    sweep: Sweep,
    rule: Rule,
    *,
    rng: np.random.Generator | int | None,
    level: float,
    replicates: int,
) -> OperatingPoint:
    """Choose on a sweep; its rows are needed for resampling where weights are fractional."""
    sweep.need_both_classes("An operating point")
    tied = rule.best(Cuts.of(sweep, rule.prevalence))
    place = int(tied[0])
    prevalence = sweep.prevalence if rule.prevalence is None else rule.prevalence
    tp, fp = (c[place - 1].item() if place else 0 for c in (sweep.tp, sweep.fp))
    counts = (tp, fp, sweep.positives, sweep.negatives)
    cut = _threshold(sweep, place)
    confusion = replace(confusion_of(*counts), threshold=cut, dropped=sweep.dropped)
    there = confusion_of(*counts, prevalence=rule.prevalence)
    stated = rule.prevalence is not None or sweep.sample_prevalence is not None
    found, notes = _resampled(rows, sweep, rule, place, replicates, rng)
    name = str(sweep.threshold[place - 1]) if place else ""
    what = flagged(name, place, len(sweep.threshold), sweep.higher_is)
    return OperatingPoint(
        rule=rule,
        threshold=cut,
        midpoint=_midpoint(sweep, place),
        tied=(cut, *sweep.threshold[tied[1:] - 1].tolist()),
        confusion=confusion,
        value=float(rule.measures[rule.goal](there)),
        prevalence=prevalence,
        rates=rates_table(confusion, rule.prevalence, level, counted=sweep.tp.dtype.kind == "i"),
        threshold_interval=None if found is None else _ends(sweep, found, level),
        optimism=None if found is None else optimism(rule, counts, found, level),
        best_for=best_for(sweep, place, prevalence),
        sentence=sentence(what, there, prevalence, stated=stated),
        level=level,
        replicates=0 if found is None else len(found.place),
        higher_is=sweep.higher_is,
        notes=tuple(notes),
    )


def _rule(rule: object) -> Rule:
    if isinstance(rule, Rule):
        return rule
    name = getattr(rule, "__name__", "")
    if getattr(rules, name, None) is rule and name in rules.__all__:
        raise CurvewiseError(
            f"rule: expected a rule, got the function that makes it; call it: rules.{name}(…)."
        )
    if callable(rule) and not isinstance(rule, type):
        return rules.max_of(rule)
    raise CurvewiseError(
        "rule: expected one of curvewise.rules, as in rule=rules.max_fpr(0.05), or a function of a "
        f"Confusion, got {rule!r}."
    )


def _threshold(sweep: Sweep, place: int) -> Any:
    """Return the score of a cut; infinite where nobody is flagged."""
    nobody = math.inf if sweep.higher_is == "positive" else -math.inf
    return sweep.threshold[place - 1].item() if place else nobody


def _midpoint(sweep: Sweep, place: int) -> Any:
    """Return a cut halfway to the next score, or the score itself where no number lies between."""
    here = _threshold(sweep, place)
    if place == 0:
        return here
    if place == len(sweep.threshold):
        return -math.inf if sweep.higher_is == "positive" else math.inf
    middle = here / 2 + sweep.threshold[place].item() / 2
    if math.isnan(middle):  # between the two infinities
        return here
    ours, theirs = sweep.at(here), sweep.at(middle)
    return middle if (ours.tp, ours.fp) == (theirs.tp, theirs.fp) else here


def _resampled(
    rows: Rows | None,
    sweep: Sweep,
    rule: Rule,
    place: int,
    replicates: int,
    rng: np.random.Generator | int | None,
) -> tuple[Resampled | None, list[str]]:
    notes = []
    if place == 0 and math.isinf(sweep.threshold[0]):
        notes.append("scores are infinite, so no number flags nobody: the threshold is only a sign for it")
    notes += _few(rows, sweep)
    if not replicates:
        return None, notes
    if sweep.tp.dtype.kind == "f" and rows is None:
        notes.append(
            "a sweep with fractional counts cannot be resampled: for the interval of the threshold and the "
            "optimism, pass labels, scores and weights"
        )
        return None, notes
    try:
        found = resampled(rows, sweep, rule, place, replicates, rng)
    except UndefinedMetricError:
        notes.append(f"none of {replicates} resamples has an answer to this rule, so there is no interval")
        return None, notes
    if found.failed:
        notes.append(
            f"{found.failed} of {replicates} resamples have no answer to this rule and were left out"
        )
    if found.cuts < len(sweep.threshold):
        notes.append(f"resamples chose among {found.cuts} of {len(sweep.threshold)} thresholds")
    return found, notes


def _few(rows: Rows | None, sweep: Sweep) -> list[str]:
    """Warn of a class of few rows, where rows can be counted."""
    if sweep.tp.dtype.kind == "i":
        sizes = {"positive": int(sweep.positives), "negative": int(sweep.negatives)}
    elif rows is not None:
        sizes = {"positive": int(rows.positive.sum()), "negative": int((~rows.positive).sum())}
    else:
        return []
    rarer = min(sizes, key=lambda name: sizes[name])
    return [f"only {count(sizes[rarer], rarer)}: any choice is shaky"] if sizes[rarer] < FEW else []


def _ends(sweep: Sweep, found: Resampled, level: float) -> tuple[float, float]:
    """Return the ends of the thresholds chosen on resamples, each an observed score."""
    places = np.sort(found.place)
    last = len(places) - 1
    ends = (math.floor((1 - level) / 2 * last), math.ceil((1 + level) / 2 * last))
    low, high = sorted(_threshold(sweep, int(places[k])) for k in ends)
    return low, high
