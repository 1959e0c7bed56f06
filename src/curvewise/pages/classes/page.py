"""What the sections on a model of many classes are written from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from curvewise.pages.classes.groups import groups
from curvewise.pages.classes.ranking import classes
from curvewise.pages.classes.summary import numbers, summary
from curvewise.pages.scores.baseline import baseline
from curvewise.pages.scores.caveats import caveats
from curvewise.pages.scores.data import data
from curvewise.pages.scores.page import ScorePage

if TYPE_CHECKING:
    from curvewise.document.blocks import Block
    from curvewise.evaluation.many_classes import ClassEvaluation
    from curvewise.figures.export import Drawing


@dataclass(frozen=True)
class ClassPage(ScorePage):
    """An evaluation of many classes, its figures, and a language; there are no models of two classes."""

    sections = (summary, classes, groups, baseline, caveats, data)

    @property
    def classes(self) -> ClassEvaluation:
        """All that was computed of the classes."""
        found = self.evaluation.classes
        assert found is not None  # noqa: S101 - written of many classes alone
        return found

    def numbers(self) -> list[Block]:
        """Return the numbers that matter, as the terminal shows them."""
        return numbers(self)

    def drawings(self) -> dict[str, Drawing]:
        """Draw all figures, by the keys that the sections know."""
        from curvewise.pages.classes.drawings import drawings  # noqa: PLC0415 - needs matplotlib

        return drawings(self.classes, self.w.lang)
