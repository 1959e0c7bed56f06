"""The file behind ``curvewise survive``: outcomes, risk scores and probabilities, and the numbers to hold them to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from curvewise.cli.horizon_file import OutcomeFile
from curvewise.cli.options import number, option
from curvewise.errors import Note, OptionError, UndefinedMetricError
from curvewise.results.numbers import exactly, percent
from curvewise.results.result import Result, Table

if TYPE_CHECKING:
    from curvewise.censored.survival_result import Survival
    from curvewise.inference.comparison import Comparison
    from curvewise.results.estimate import Estimate

    Probability = tuple[str | None, float, str]  # score, horizon, column

PROBABILITY = re.compile(r"(?:(?P<score>.+)@)?(?P<at>[^@=]+)=(?P<column>.+)", re.DOTALL)
CONCORDANCE = ("concordance", "c", "c_index", "cindex", "harrell")
OTHER_NAMES = {"ipa": "brier_skill"}


def probability(text: str) -> Probability:
    """Read ``1095=p3y``, or with several scores ``risk_a@1095=p3y``: a horizon, and a column of probabilities."""
    found = PROBABILITY.fullmatch(text.strip())
    if found is None:
        raise click.BadParameter(f"{text!r} is not of the form 1095=COLUMN or SCORE@1095=COLUMN.")
    return found["score"], number(found["at"]), found["column"]


PROBABILITIES = option(
    "--probability T=COL",
    "Column of the predicted probabilities of the event by a horizon; SCORE@T=COL where there are several scores; "
    "repeatable.",
    probability,
    multiple=True,
)


@dataclass
class SurvivalFile(OutcomeFile):
    """A file of censored outcomes with risk scores, and probabilities by horizon where there are any."""

    horizons: tuple[float, ...] = ()
    probability: tuple[Probability, ...] = ()
    censoring: str | None = None
    controls: str = "all"
    found: Survival | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.round_to is not None:
            raise click.UsageError("--round-to: has no meaning with --time; round the scores first.")
        if len(set(self.horizons)) < len(self.horizons):
            raise click.UsageError("--horizon: a time is given twice.")
        if self.controls != "all" and self.cause is None:
            raise click.UsageError("--controls: is about competing events; name the one of interest with --cause.")
        _ = self.probabilities  # refuses

    @property
    def probabilities(self) -> dict[str, dict[float, str]]:
        """The column of probabilities by score and horizon."""
        found: dict[str, dict[float, str]] = {}
        for score, at, column in self.probability:
            typed = f"--probability {f'{score}@' if score else ''}{exactly(at)}={column}"
            if score is None and len(self.scores) > 1:
                raise click.UsageError(f"{typed}: say of which score, as in {self.scores[0]}@{exactly(at)}={column}.")
            name = self.scores[0] if score is None else score
            if name not in self.scores:
                raise click.UsageError(f"{typed}: there is no --score {name}.")
            if at not in self.horizons:
                raise click.UsageError(f"{typed}: {exactly(at)} is none of the --horizon given.")
            if at in found.get(name, {}):
                raise click.UsageError(f"{typed}: {name} has probabilities at {exactly(at)} already.")
            if column in (self.time, self.label, self.weight):
                raise click.UsageError(f"{typed}: the column {column!r} has another use already.")
            found.setdefault(name, {})[at] = column
        return found

    @property
    def numeric(self) -> list[str]:
        """The columns of numbers."""
        return list(dict.fromkeys([*super().numeric, *(column for *_, column in self.probability)]))

    def judged(self, **options: Any) -> Survival:
        """Judge the scores over time, and keep what was found; ``options`` are level, replicates and rng."""
        from curvewise.censored.over_time import survival  # noqa: PLC0415 - --help needs no NumPy

        frame, reading = self.data.frame, self.outcome_options()
        told = {name: {at: frame[c] for at, c in own.items()} for name, own in self.probabilities.items()}
        self.found = survival(
            frame[self.time],
            frame[self.label],
            {name: frame[name] for name in self.scores},
            horizons=self.horizons,
            probability=told or None,
            controls=self.controls,  # type: ignore[arg-type]
            censoring=self.censoring,
            **{name: value for name, value in reading.items() if name not in ("weight_kind", "round_to")},
            **options,
        )
        return self.found

    def evaluation_options(self) -> dict[str, Any]:
        """Return the options with which an evaluation reads these outcomes; the first horizon is the main one."""
        return {
            "time": self.time,
            "event": self.label,
            "horizons": self.horizons,
            "probability": self.probabilities or None,
            "cause": None if self.cause is None else self.cause_code,
            "controls": self.controls,
            "censoring": self.censoring,
            "weight_kind": None,
        }

    def reading(self) -> dict[str, Any]:
        """Return how the rows were read, for whoever repeats it."""
        asked = super().reading()
        for name in ("weight_kind", "round_to", "groups", "site", "fold", "repeat", "id", "found"):
            asked.pop(name)
        told = [
            {"score": s, "horizon": at, "column": c} for s, own in self.probabilities.items() for at, c in own.items()
        ]
        return {**asked, "probability": told}

    def facts(self) -> dict[str, Any]:
        """Return how many rows there are, and what became of them."""
        assert self.found is not None  # noqa: S101 - facts are told of what was judged
        outcomes, follow_up = self.found.outcomes, self.found.follow_up
        facts = {"rows": self.data.frame.height, "dropped": outcomes.dropped}
        facts |= {"events": follow_up.events, "censored": follow_up.censored}
        facts |= {"competing events": follow_up.competing} if follow_up.competing else {}
        numbers = {"clusters": outcomes.cluster, "strata": outcomes.stratum}
        return facts | {name: int(v.max()) + 1 for name, v in numbers.items() if v is not None}

    def hints(self, level: float) -> list[Note]:  # noqa: ARG002 - concordance says so itself, at its own level
        """Return nothing: the notes on concordance say which scores rank the wrong way round."""
        return []

    def _roles(self) -> dict[str, str | None]:
        """Return which column the library means by each of its names."""
        of = {
            f"probability at {exactly(at)} of {name!r}": column
            for name, own in self.probabilities.items()
            for at, column in own.items()
        }
        return {**super()._roles(), **of}


def uno(found: Survival, censoring: str | None) -> Table | None:
    """Return Uno's concordance of each model until the last horizon; None where nothing defines it."""
    from curvewise.censored.concordance import concordance_of  # noqa: PLC0415 - --help needs no NumPy

    rows: list[tuple[str, Estimate]] = []
    until = found.horizons[-1]
    if found.outcomes.has_competing:
        return None
    for name in found.models:
        try:
            made = concordance_of(found.outcomes.of(name), method="uno", until=until, censoring=censoring)
        except UndefinedMetricError:  # Harrell's is, too, or the area at this horizon: the reason stands there
            return None
        rows.append((name, made.interval(found.level)))
    columns = {end: [getattr(e, end) for _, e in rows] for end in ("value", "low", "high")}
    title = f"Uno's concordance until {exactly(until)}, which does not depend on how rows were censored"
    return Table(title, {"model": [name for name, _ in rows], **columns})


@dataclass(frozen=True, eq=False, repr=False)
class SurvivalComparisons(Result, schema="survival_comparisons"):
    """Models compared by several numbers; made by ``curvewise survive``."""

    each: dict[str, Comparison]
    level: float

    @property
    def table(self) -> Table:
        """One row per number and pair of models."""
        names = ("number", "first", "second", "difference", "low", "high", "p", "p_holm")
        rows = [
            (name, p.first, p.second, p.difference.value, p.difference.low, p.difference.high, p.p_value, p.p_holm)
            for name, found in self.each.items()
            for p in found.pairs
        ]
        columns = {name: [row[k] for row in rows] for k, name in enumerate(names)}
        return Table(f"Comparison of models on the same rows ({percent(self.level)} intervals)", columns)

    @property
    def notes(self) -> tuple[Note, ...]:  # type: ignore[override]
        """What is said of any of the comparisons, once."""
        said = [part for found in self.each.values() for part in found.parts() if isinstance(part, Note)]
        return tuple({str(part): part for part in said if part.code != "columns"}.values())

    def content(self) -> dict[str, Any]:
        """Return each comparison by the name of its number."""
        return {name: found.content() for name, found in self.each.items()}


def comparisons(found: Survival) -> SurvivalComparisons | None:
    """Compare the models by everything that is defined for all of them; None where there is nothing to compare."""
    if len(found.models) < 2:
        return None
    asked: dict[str, Callable[[], Comparison]] = {"concordance": found.compare} if found.concordance else {}
    if None in found.censorings:  # one estimate of censoring for all models
        for at in found.horizons:
            each = [m.at[at] for m in found.models.values()]
            for metric in ("roc_auc", "brier_loss"):
                if all(metric in own and own[metric].is_defined for own in each):
                    asked[f"{metric}@{exactly(at)}"] = partial(found.compare, metric, at)
    made = {}
    for name, compare in asked.items():
        try:
            made[name] = compare()
        except UndefinedMetricError:
            continue
    return SurvivalComparisons(made, found.level) if made else None


class HeldNumber(NamedTuple):
    """A number of ``curvewise survive`` that ``--fail-under`` may hold."""

    name: str
    better: str
    interval: str = "influence"
    target: float | None = None


def numbers_at(data: SurvivalFile) -> tuple[list[str], Callable[[str], HeldNumber]]:
    """Return the names of the numbers that there will be, and what finds one by any of its names."""
    told = {at for own in data.probabilities.values() for at in own}
    at_each = {at: ["roc_auc", *(("brier_loss", "brier_skill") if at in told else ())] for at in data.horizons}
    known = ["concordance", *(f"{metric}@{exactly(at)}" for at, names in at_each.items() for metric in names)]

    def find(name: str) -> HeldNumber:
        from curvewise.metric import registry  # noqa: PLC0415 - --help needs no NumPy

        metric, sign, when = (part.strip() for part in name.partition("@"))
        key = metric.casefold().replace("-", "_")
        if key in CONCORDANCE:
            if sign:
                raise OptionError.of("fail_under", f"{name!r}: concordance is over all times; leave out @{when}.")
            return HeldNumber("concordance", "higher")
        full = registry.find(OTHER_NAMES.get(key, metric))
        if not sign and len(data.horizons) > 1:
            raise OptionError.of(
                "fail_under", f"{name!r}: say at which horizon, as in {name}@{exactly(data.horizons[0])}."
            )
        try:
            at = number(when) if sign else data.horizons[0]
        except click.BadParameter:
            raise OptionError.of("fail_under", f"{name!r}: {when!r} is not a time.") from None
        return HeldNumber(f"{full.name}@{exactly(at)}", full.better, target=full.target)

    return known, find


def held(found: Survival) -> Iterator[tuple[str, str, Estimate]]:
    """Yield the numbers of each model, for ``--fail-under``."""
    for name, model in found.models.items():
        yield name, "", model.concordance
        for at, own in model.at.items():
            yield from ((name, "", replace(e, metric=f"{e.metric}@{exactly(at)}")) for e in own.values())


def need_something(found: Survival) -> None:
    """Raise where the data define no number at all, with the first reason."""
    every = [e for _, _, e in held(found)]
    if not any(e.is_defined for e in every):
        raise UndefinedMetricError(f"Nothing is defined here: {every[0].reason}.")
