"""Which model is better: by cost where costs are stated, else by AUC and average precision."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from curvewise.errors import Note, Word, note
from curvewise.metric.registry import find
from curvewise.results.result import Result, Table

if TYPE_CHECKING:
    from curvewise.decisions.choice import Rule
    from curvewise.inference.comparison import Comparison, Pair
    from curvewise.results.estimate import Estimate

COST, PARTIAL, AUC, AP = "expected_cost", "partial_roc_auc", "roc_auc", "average_precision"
MOST = 3  # models, or differences between groups, that are spoken of one by one
PICKED = 3  # models or more: of two the interval of the better one holds as often as any other


@dataclass(frozen=True, repr=False)
class Better(Result, schema="better"):
    """Which model is better, and why.

    ``leader`` is the model that is better than every other, None where these rows do not decide it; ``best`` are
    the models that no other is clearly better than, the most promising first. ``answers`` say it in sentences.
    ``by`` are the metrics that decide, whose p-values are corrected for all tests of all of them.
    """

    leader: str | None
    best: tuple[str, ...]
    answers: tuple[Note, ...] = ()
    by: tuple[str, ...] = field(default=(), repr=False)

    @property
    def spoken_of(self) -> tuple[str, ...]:
        """The models that answers are about: the best; where that is not decided, all if they are few."""
        return self.best if len(self.best) <= MOST else self.best[:1]

    @property
    def is_for_use(self) -> bool:
        """Whether a use was stated that decides: costs, or a limit on false positives."""
        return self.by in ((COST,), (PARTIAL,))

    @property
    def table(self) -> Table:
        """One row per sentence."""
        return Table(Word("ask", "better").text(), {"answer": [str(answer) for answer in self.answers]})

    def tables(self) -> list[Table]:
        """Return nothing: sentences have no numbers of their own."""
        return []


def better_of(
    models: list[str], comparisons: Mapping[str, Comparison], prevalence: float, limit: float | None = None
) -> Better:
    """Decide which model is better; ``limit`` is that of the range of false positive rates compared.

    What decides is the first comparison where it is of costs or of a limited range of false positive rates. Without
    either, one model is better than another if AUC or average precision says so and the other of the two does not
    say the contrary. Their p-values are corrected for the tests of both (`areas_compared`), so that equal models are
    said to differ in one study of 20 at most. Where costs or a range decide, both areas are asked only once a model
    leads, which keeps that level.
    """
    if len(models) < 2:
        return Better(models[0] if models else None, tuple(models))
    first = next(iter(comparisons))
    deciding = [AUC, AP] if first == AUC else [first]
    better = {name: c.clearly_better(higher=_higher(name)) for name, c in comparisons.items()}
    beaten = {
        loser
        for name in deciding
        for winner, loser in better[name]
        if not any((loser, winner) in better[other] for other in deciding)
    }
    best = [m for m in models if m not in beaten] or models
    order = comparisons[deciding[-1]]
    best.sort(key=lambda m: order.values[m], reverse=_higher(order.metric))
    leader = best[0] if len(best) == 1 else None
    answers = [_headline(leader, best, models, _conflict(better, deciding, best))]
    answers += [_sentence(comparisons[name], models, limit) for name in deciding]
    answers += _why(leader, better, deciding, comparisons, prevalence)
    return Better(leader, tuple(best), tuple(answers), tuple(deciding))


def _higher(metric: str) -> bool:
    """Whether higher is better."""
    return metric != COST and find(metric).better == "higher"


def _conflict(better: Mapping[str, set[tuple[str, str]]], deciding: list[str], best: list[str]) -> bool:
    """Whether of the best two, one is better by one metric and the other by the other."""
    said = [{pair for pair in better[name] if set(pair) <= set(best)} for name in deciding]
    return len(said) > 1 and any((two, one) in said[1] for one, two in said[0])


def picked_sentence(model: str, deciding: Iterable[Comparison], intervals: Iterable[Estimate], limit: Any) -> Note:
    """Say how much it flatters a model to have been picked among others, and intervals that allow for the choice."""
    compared, intervals = tuple(deciding), [e for e in intervals if e.has_interval]
    amounts = tuple(
        note(f"selection_bias_{_kind(c)}", amount=c.selection_bias, metric=_called(c.metric, limit)) for c in compared
    )
    ends = tuple(note("picked_ends", metric=_called(e.metric, limit), ends=(e.low, e.high)) for e in intervals)
    values = {"model": model, "models": len(compared[0].values), "amounts": amounts}
    if not ends:
        return note("picked", **values)
    return note("picked_with_ends", ends=ends, level=intervals[0].level, **values)


def _headline(leader: str | None, best: list[str], models: list[str], conflict: bool) -> Note:
    if leader is not None:
        return note("better_of_two" if len(models) == 2 else "best_of_all", model=leader, models=len(models))
    return note("better_depends" if conflict else "better_unknown", models=tuple(best))


def _sentence(found: Comparison, models: list[str], limit: float | None) -> Note:
    """Say what one metric shows: the difference of two models, or who leads many."""
    if len(found.pairs) == 1:
        return pair_sentence(found, found.pairs[0], limit)
    return _leading(found, models, limit)


def _called(metric: str, limit: float | None) -> Note | Word:
    return Word("metric", metric) if metric != PARTIAL or limit is None else note("partial_auc_up_to", fpr=limit)


def pair_sentence(found: Comparison, pair: Pair, limit: float | None = None) -> Note:
    """Say whether the first model of a pair is better than the second, of the better one."""
    code = f"pair_{'better' if pair.is_clear else 'same'}_{_kind(found)}"
    return note(code, metric=_called(found.metric, limit), **pair_values(found, pair))


def pair_values(found: Comparison, pair: Pair, *, better_first: bool = True) -> dict[str, Any]:
    """Return what a sentence says of a pair: both values, their difference with its interval, and the p-value."""
    # where the corrected p-value is small the plain interval excludes 0, else that of all tests holds 0
    gap = pair.difference if pair.is_clear or pair.simultaneous is None else pair.simultaneous
    names, ends, away = (pair.first, pair.second), (gap.low, gap.high), gap.value
    if better_first and pair.is_clear and (away > 0) != _higher(found.metric):  # say it of the better one
        names, ends, away = names[::-1], (-ends[1], -ends[0]), -away
    together = "_all" if gap is not pair.difference else ""
    how = note(f"ends_{_kind(found)}{together}", level=gap.level, low=ends[0], high=ends[1], tests=found.tests)
    tested = note("p_of_tests" if found.tests > 1 else "p_plain", p=pair.p_holm, tests=found.tests)
    both = {"first_value": found.values[names[0]], "second_value": found.values[names[1]]}
    return {"first": names[0], "second": names[1], **both, "difference": away, "ends": how, "p": tested}


def _kind(found: Comparison) -> str:
    return "cost" if found.metric == COST else "area"


def _leading(found: Comparison, models: list[str], limit: float | None) -> Note:
    """Name the model with the best value, and which others it is clearly better than."""
    higher = _higher(found.metric)
    leader = max(models, key=lambda m: found.values[m] if higher else -found.values[m])
    worse = {loser for winner, loser in found.clearly_better(higher=higher) if winner == leader}
    others = [m for m in models if m != leader]
    others.sort(key=lambda m: found.values[m], reverse=higher)
    clear, alike = tuple(m for m in others if m in worse), tuple(m for m in others if m not in worse)
    ahead_of = "all" if not alike else "some" if clear else "none"
    values: dict[str, Any] = {"model": leader, "value": found.values[leader], "metric": _called(found.metric, limit)}
    return note(f"leads_{ahead_of}_{_kind(found)}", clear=clear, alike=alike, **values)


def _why(
    leader: str | None,
    better: Mapping[str, set[tuple[str, str]]],
    deciding: list[str],
    comparisons: Mapping[str, Comparison],
    prevalence: float,
) -> Iterable[Note]:
    """Say why AUC and average precision differ, or what AUC alone would have said."""
    if deciding == [AUC, AP]:
        by_auc, by_ap = better[AUC], better[AP]
        if any((two, one) in by_ap for one, two in by_auc):
            yield note("areas_disagree")
        elif leader is not None:
            lost = {m for m in comparisons[AUC].values if m != leader}
            only_ap = any((leader, m) in by_ap and (leader, m) not in by_auc for m in lost)
            only_auc = any((leader, m) in by_auc and (leader, m) not in by_ap for m in lost)
            if only_ap:
                yield note("top_decides", model=leader, prevalence=prevalence)
            elif only_auc:
                yield note("whole_decides", model=leader)
        return
    if leader is not None:
        against = {name: {one for one, two in better[name] if two == leader} for name in (AUC, AP)}
        metrics = tuple(Word("metric", name) for name, others in against.items() if others)
        if metrics:
            code = "areas_against_cost" if deciding == [COST] else "areas_against_range"
            yield note(code, metrics=metrics, models=tuple(sorted(set().union(*against.values()))), model=leader)


def fpr_limit(rule: Rule) -> float | None:
    """Return the highest false positive rate that a rule allows; None where it does not limit it."""
    at = float(rule.options.get("at", 0.0))
    found = {"max_fpr": at, "min_specificity": 1 - at}.get(rule.name, 0.0)
    return found if 0 < found < 1 else None
