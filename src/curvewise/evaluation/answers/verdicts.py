"""Every question that a report answers; the answer to each is in the file of its name, and all places repeat it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from curvewise.errors import Note, Word
from curvewise.evaluation.answers import (
    baseline,
    better,
    caveats,
    folds,
    groups,
    over_time,
    probabilities,
    ranking,
    sites,
    then,
    threshold,
)
from curvewise.results.result import Result, Table

if TYPE_CHECKING:
    from curvewise.evaluation.evaluation import Evaluation

    Questions = Mapping[str, tuple[Callable[[Evaluation], Iterable[Note]], str]]

# the question: its answer, and the section that says more
OF_ANY: Questions = {"baseline": (baseline.answer, "baseline"), "caveats": (caveats.answer, "caveats")}
QUESTIONS: Questions = {
    "better": (better.answer, "comparison"),
    "ranking": (ranking.answer, "ranking"),
    "threshold": (threshold.answer, "explorer"),
    "then": (then.answer, "explorer"),
    "probabilities": (probabilities.answer, "probabilities"),
    "over_time": (over_time.answer, "over_time"),
    "groups": (groups.answer, "groups"),
    "sites": (sites.answer, "sites"),
    "folds": (folds.answer, "folds"),
    **OF_ANY,
}
# the sections that say more of many classes; else it is that of the classes
OF_CLASSES = {"classify": "summary", "confused": "summary", "groups": "groups"}


@dataclass(frozen=True, repr=False)
class Verdict(Result, schema="verdict"):
    """The answer to one question in sentences, and the section of the report that says more.

    ``question`` is ``"better"``, ``"ranking"``, ``"threshold"``, ``"then"``, ``"probabilities"``, ``"over_time"``,
    ``"groups"``, ``"sites"``, ``"folds"``, ``"baseline"`` or ``"caveats"``; of many classes ``"classify"``,
    ``"worst"``, ``"confused"``, ``"probabilities"``, ``"groups"``, ``"baseline"`` and ``"caveats"``.
    """

    question: str
    answers: tuple[Note, ...]
    section: str

    @property
    def table(self) -> Table:
        """One row per sentence."""
        return Table("", {"answer": [str(answer) for answer in self.answers]})

    def asked(self, lang: str = "en") -> str:
        """Return the question in a language."""
        return Word("ask", self.question).text(lang)


def verdicts(evaluation: Evaluation) -> tuple[Verdict, ...]:
    """Answer every question that these data can answer."""
    classes = evaluation.classes
    of_classes = {} if classes is None else classes.answers
    found = [Verdict(question, notes, OF_CLASSES.get(question, "classes")) for question, notes in of_classes.items()]
    for question, (answer, section) in (QUESTIONS if classes is None else OF_ANY).items():
        found.append(Verdict(question, tuple(answer(evaluation)), section))
    return tuple(verdict for verdict in found if verdict.answers)
