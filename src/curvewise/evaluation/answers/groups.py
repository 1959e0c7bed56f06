"""Whether groups differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.errors import Note, Word, note
from curvewise.evaluation.answers.better import MOST

if TYPE_CHECKING:
    from curvewise.evaluation.evaluation import Evaluation


def answer(evaluation: Evaluation) -> list[Note]:
    """Name the clearest differences in recall and false positive rate, by the corrected p-value of the table."""
    gaps = [
        (model, column, row)
        for model, tables in evaluation.gaps.items()
        for column, table in tables.items()
        for row in table.rows()
        if row["metric"] in ("recall", "fpr")
    ]
    if not gaps:
        return []
    level = evaluation.options.level
    defined = [gap for gap in gaps if gap[2]["p_holm"] is not None and gap[2]["p_holm"] >= 0]
    clear = sorted((gap for gap in defined if gap[2]["p_holm"] < 1 - level), key=lambda gap: float(gap[2]["p_holm"]))
    notes = [] if clear else [note("groups_alike" if defined else "groups_undefined", looked=len(defined))]
    for model, column, row in clear[:MOST]:
        values = {"gap": row["gap"], "ends": (row["low"], row["high"]), "level": level, "p": row["p_holm"]}
        notes.append(note("groups_differ", model=model, column=column, metric=Word("metric", row["metric"]), **values))
    more = len(clear) - MOST
    return [*notes, note("groups_differ_more", more=more)] if more > 0 else notes
