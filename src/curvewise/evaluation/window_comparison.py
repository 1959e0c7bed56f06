"""What has changed between two windows of rows, and the one place that says whether anything has."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from curvewise.errors import Note, Word, note
from curvewise.evaluation.answers.baseline import on_number, on_prevalence, on_scores, values_of
from curvewise.evaluation.then_and_now import MetricChange
from curvewise.results.numbers import json_safe, percent, show
from curvewise.results.result import Result, Table

if TYPE_CHECKING:
    from curvewise.inference.score_drift import ScoreDrift

Answer = Literal["changed", "no sign", "too few", "unknown"]
WINDOWS = ("now", "reference")
# fewer of a class show only very large changes
LEAST = {"rows": 10, "positives": 20, "negatives": 20}
OF_ALL_ROWS = ("prevalence", "scores")  # questions that need rows, of whichever class


@dataclass(frozen=True, repr=False)
class WindowComparison(Result, schema="window_comparison"):
    """Two windows of rows compared, made by `curvewise.compare_windows`.

    Attributes
    ----------
    metrics
        ROC AUC and average precision now and in the reference (``then``), the difference with its interval, and p.
    calibration
        Observed over expected, and the calibration slope; empty where scores are no probabilities.
    prevalence
        The share of positives.
    scores
        How far the scores have shifted: of ``"all"`` rows, of ``"positives"``, of ``"negatives"``.
    sizes
        Rows, positives and negatives of each window, ``"now"`` and ``"reference"``.
    answers
        For each question whether it has ``"changed"``, or there is ``"no sign"`` of that; ``"too few"`` rows to tell;
        ``"unknown"`` where there is no interval, as of weighted rows.
    changed
        The questions whose answer is ``"changed"``.
    verdicts
        The same in sentences.
    """

    metrics: dict[str, MetricChange]
    calibration: dict[str, MetricChange]
    prevalence: MetricChange
    scores: dict[str, ScoreDrift]
    sizes: dict[str, dict[str, float]]
    level: float
    notes: tuple[Note, ...] = ()

    @property
    def questions(self) -> dict[str, MetricChange | ScoreDrift]:
        """What is asked, each by its name."""
        numbers = {**self.metrics, **self.calibration, "prevalence": self.prevalence}
        return numbers | {"scores": self.scores["all"]}

    @cached_property
    def _told(self) -> dict[str, tuple[Answer, Note]]:
        return {name: answer_to(name, found, self.sizes) for name, found in self.questions.items()}

    @property
    def answers(self) -> dict[str, Answer]:
        """The answer to each question, in a word."""
        return {name: answer for name, (answer, _) in self._told.items()}

    @property
    def changed(self) -> tuple[str, ...]:
        """The questions whose answer is "changed"."""
        return tuple(name for name, answer in self.answers.items() if answer == "changed")

    @property
    def verdicts(self) -> tuple[Note, ...]:
        """The answer to each question, in a sentence."""
        return tuple(said for _, said in self._told.values())

    @property
    def table(self) -> Table:
        """Every number in the reference and now, one row each."""
        rows = []
        for name, found in self.questions.items():
            if isinstance(found, MetricChange):
                gap = found.difference
                ends = (gap.low, gap.high) if gap.has_interval else (None, None)
                rows.append((name, found.then.value, found.now.value, gap.value, *ends, found.p_value))
        names = ("metric", "reference", "now", "difference", "low", "high", "p")
        columns = {k: list(cells) for k, cells in zip(names, zip(*rows, strict=True), strict=True)}
        columns["answer"] = [self.answers[name] for name in columns["metric"]]
        now, then = (show(self.sizes[window]["rows"]) for window in WINDOWS)
        sizes = f"{now} rows now and {then} in the reference"
        return Table(f"Windows compared: {sizes} ({percent(self.level)} intervals of the differences)", columns)

    @property
    def drift(self) -> Table:
        """How far the scores have shifted, one row per part of the rows."""
        rows = [found.table.rows()[0] for found in self.scores.values()]
        columns = {name: [row[name] for row in rows] for name in rows[0]}
        columns["answer"] = [self.answers["scores"] if part == "all" else None for part in self.scores]
        return Table("Drift of the scores (psi_limit: what chance alone rarely exceeds)", columns)

    def tables(self) -> list[Table]:
        """Return the numbers and the drift of scores."""
        return [self.table, self.drift]

    def parts(self) -> list[Table | Note]:
        """Return the verdicts, the numbers, the drift of scores, and the notes."""
        return [*self.verdicts, *self.tables(), *self.notes]

    def content(self) -> dict[str, Any]:
        """Return everything, JSON-safe."""
        return {**super().content(), "answers": dict(self.answers), "verdicts": json_safe(self.verdicts)}


def answer_to(name: str, found: MetricChange | ScoreDrift, sizes: dict[str, dict[str, float]]) -> tuple[Answer, Note]:
    """Answer one question, in a word and in a sentence; nothing else decides whether there is a change."""
    few = _too_few(name, sizes)
    if few is not None:
        family = "said" if name == "scores" else "metric"
        return "too few", note("window_too_few", metric=Word(family, name), why=few)
    if not isinstance(found, MetricChange):
        if found.psi <= found.psi_limit:
            return "no sign", note("window_no_sign_scores", psi=found.psi, limit=found.psi_limit, ks=found.ks)
        return "changed" if found.is_clear else "unknown", on_scores(found)
    speak = on_prevalence if name == "prevalence" else on_number
    if not found.difference.has_interval:
        return "unknown", speak(found)
    if found.is_clear:
        return "changed", speak(found)
    if name == "prevalence":
        return "no sign", note("window_no_sign_prevalence", **values_of(found, "difference_points"))
    return "no sign", note("window_no_sign", **values_of(found))


def _too_few(name: str, sizes: dict[str, dict[str, float]]) -> Note | None:
    """Say which window has too few rows, or too few of a class, for this question."""
    for window in WINDOWS:
        for of in ("rows",) if name in OF_ALL_ROWS else ("positives", "negatives"):
            if sizes[window][of] < LEAST[of]:
                when = note(f"when_{window}")
                return note(f"window_few_{of}", count=sizes[window][of], when=when, least=LEAST[of])
    return None
