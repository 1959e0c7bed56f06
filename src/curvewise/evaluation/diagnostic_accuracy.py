"""Diagnostic accuracy of models at a threshold, as results: what `curvewise.diagnostic_table` returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from curvewise.metric.registry import find
from curvewise.results.result import Result, Table
from curvewise.rows.checks import one_of
from curvewise.words import LANGS, Lang, words

if TYPE_CHECKING:
    from os import PathLike

    from curvewise.core.confusion import Confusion
    from curvewise.decisions.choice import Rule
    from curvewise.document.blocks import Document
    from curvewise.errors import Note
    from curvewise.probabilities.reclassification import Reclassification
    from curvewise.results.estimate import Estimate
    from curvewise.rows.horizon_rows import AtHorizon


@dataclass(frozen=True, repr=False)
class DiagnosticAccuracy(Result, schema="diagnostic_accuracy"):
    """One model of a `DiagnosticTable`.

    ``rates`` has sensitivity (``"recall"``), ``"specificity"``, PPV (``"precision"``), ``"npv"``, ``"accuracy"``,
    ``"lr_positive"`` and ``"lr_negative"``; where ``is_corrected`` they are those to expect on new rows. ``confusion``
    counts these rows. It is None, and there are no rates, where no score meets the rule. ``p_value`` is that of an
    AUC equal to the first model's, corrected by Holm's method where there are several.
    """

    model: str
    auc: Estimate
    threshold: float | None
    confusion: Confusion | None
    rates: dict[str, Estimate]
    is_corrected: bool
    p_value: float | None

    @property
    def table(self) -> Table:
        """One row per number, with its interval and the counts behind it."""
        rows: list[tuple[Any, ...]] = [("roc_auc", *_ends(self.auc), None, None)]
        if self.confusion is not None:
            rows.append(("threshold", self.threshold, None, None, None, None))
        for name, e in self.rates.items():
            rows.append((name, *_ends(e), *(self.counts(name) or (None, None))))
        if self.p_value is not None:
            rows.append(("p_value", self.p_value, None, None, None, None))
        names = ("metric", "value", "low", "high", "count", "of")
        columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
        return Table("", {"model": [self.model] * len(rows), **columns})

    def counts(self, name: str) -> tuple[float, float] | None:
        """Return the part and the whole of a rate on these rows; None for what is no rate."""
        cells = find(name).rate
        if cells is None or self.confusion is None:
            return None
        part, of = (sum(getattr(self.confusion, cell) for cell in some) for some in cells)
        return part, of


@dataclass(frozen=True, repr=False)
class DiagnosticTable(Result, schema="diagnostic_table"):
    """Diagnostic accuracy of models at a threshold, made by `curvewise.diagnostic_table`.

    ``models`` has a `DiagnosticAccuracy` for each. ``prevalence`` is the one at which predictive values and accuracy
    are stated, None for that of the rows. ``rule`` chose the thresholds; None where they were fixed beforehand.
    ``reclassification`` compares two models of probabilities where that was asked for. ``notes`` are the notes below
    the table. By a ``horizon`` of censored outcomes, counts of classes are sums of weights; the horizon knows the rows.
    """

    rows: int
    positives: float
    negatives: float
    models: dict[str, DiagnosticAccuracy]
    rule: Rule | None
    prevalence: float | None
    level: float
    higher_is: str = "positive"
    weighted: bool = False
    reclassification: Reclassification | None = None
    notes: tuple[Note, ...] = ()
    backend: str | None = field(default=None, repr=False)
    horizon: AtHorizon | None = field(default=None, repr=False)

    @property
    def table(self) -> Table:
        """One row per number of each model: value, interval, and the counts behind a rate."""
        rows = [row for m in self.models.values() for row in m.table.rows()]
        return Table("", {name: [row[name] for row in rows] for name in rows[0]}, self.backend)

    def tables(self) -> list[Table]:
        """Return all numbers, those of reclassification too."""
        return [self.table, *([] if self.reclassification is None else [self.reclassification.table])]

    def parts(self) -> list[Table | Note]:
        """Return the table as a paper shows it, what reclassification says, and the notes."""
        more = [] if self.reclassification is None else self.reclassification.parts()
        from curvewise.pages.paper_table import text_table  # noqa: PLC0415 - who wants it pays for it

        return [text_table(self, words("en")), *self.notes, *more]

    def _document(self, lang: Lang) -> Document:
        from curvewise.pages.paper_table import document_of  # noqa: PLC0415

        one_of("lang", lang, LANGS)
        return document_of(self, words(lang))

    def to_markdown(self, lang: Lang = "en") -> str:
        """Return the table and its notes as Markdown, in English or Chinese (``"zh"``)."""
        from curvewise.document.markdown import markdown_page  # noqa: PLC0415 - who wants it pays for it

        return markdown_page(self._document(lang))

    def to_latex(self, lang: Lang = "en") -> str:
        r"""Return the table and its notes as LaTeX; the article needs ``\usepackage{booktabs}``."""
        from curvewise.document.latex import latex_page  # noqa: PLC0415

        return latex_page(self._document(lang))

    def to_csv(self) -> str:
        """Return all numbers in full precision, one row each."""
        from curvewise.document.csv_text import csv_text  # noqa: PLC0415

        return csv_text(self._document("en"))

    def to_docx(self, path: str | PathLike[str], *, lang: Lang = "en", force: bool = False) -> None:
        """Write the table and its notes as a file of a text processor, a real table that can be edited.

        An existing file is kept unless ``force``; it is replaced whole, or not at all.
        """
        from curvewise.document.docx import docx_bytes  # noqa: PLC0415
        from curvewise.results.writing import FORCE_ARGUMENT, file_path, write_atomically  # noqa: PLC0415

        made = docx_bytes(self._document(lang), lang)
        write_atomically(file_path(path, "-", force=force), made, force=force, how=FORCE_ARGUMENT)


def _ends(e: Estimate) -> tuple[float | None, ...]:
    return (e.value, e.low, e.high) if e.has_interval else (e.value, None, None)
