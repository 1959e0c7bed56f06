"""The evaluation behind ``curvewise report``: made of a file, written, and summed up for a terminal."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curvewise.cli.sketch import sketch
from curvewise.document.blocks import Document, Text, blocks_of
from curvewise.document.json_text import json_text
from curvewise.document.terminal import terminal
from curvewise.report.classes_section import class_overview
from curvewise.report.evaluate import evaluate
from curvewise.report.page import Page
from curvewise.results.text import visible
from curvewise.words import words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from curvewise.cli.file_rows import ScoreFile
    from curvewise.report.evaluation import Evaluation

    Say = Callable[[str], None]


def evaluated(data: ScoreFile, say: Say, command: str, *, seed: int, **options: Any) -> Evaluation:
    """Do everything but the writing; ``say`` hears of each step."""
    say("reading the file")
    frame, scores = data.data.frame, data.scores
    if data.positive is None and len(scores) > 2 and frame[data.label].drop_nulls().n_unique() > 2:
        scores = _name_classes(data)
        frame = data.data.frame
    options |= data.row_options()
    options |= {name: column for name in ("weight", "cluster", "stratum") if (column := getattr(data, name))}
    options |= {"label": data.label, "scores": list(scores), "group": list(data.groups), "site": data.site}
    found = evaluate(frame, rng=seed, **options)
    origin = replace(found.origin, notes=tuple(data.data.notes), **_origin(data))
    found = replace(found, origin=origin, command=command)
    say("ranking")
    for model in found.models.values():
        _ = model.estimates, model.point
    _ = found.multiclass_estimates
    say("comparing")
    _ = found.comparison
    say("groups and sites")
    _ = found.groups, found.fairness, found.sites
    say("probabilities")
    _ = found.notes
    return found


def rendered(found: Evaluation, form: str, lang: str, say: Say) -> str:
    """Return the text of the report."""
    if form == "json":
        return json_text(Document(found.title, [], found.to_dict(), []))
    if form == "md":
        return found.to_markdown()
    say("drawing")
    from curvewise.report import render  # noqa: PLC0415 - needs matplotlib and Jinja

    return render.render_page(found, lang)


def numbers(found: Evaluation) -> Iterator[tuple[str, str, str, float]]:
    """Yield the numbers of each model, for ``--fail-under``."""
    for flat, value in found.metrics().items():
        model, metric = flat.rsplit(".", 1)
        yield model if found.models else "the model", "", metric, value


def summary(found: Evaluation, written: str, *, plain: bool) -> str:
    """Return what the evaluation shows of itself, small ROC curves, and the name of what was written."""
    blocks = blocks_of(found) if found.multiclass is None else class_overview(Page(found, words()))
    shown = terminal(Document(found.title, [Text(found.title), *blocks], {}, []))
    curves = {name: model.roc for name, model in found.models.items()}
    drawn = sketch(curves, plain=plain) + "\n\n" if curves else ""
    return f"{shown}\n{drawn}Report: {visible(written)}\n"


def _name_classes(data: ScoreFile) -> tuple[str, ...]:
    """Call the columns of a model of many classes as its classes are called, as ``metrics`` does."""
    names, notes = data.class_names()
    if not notes or (set(data.data.frame.columns) - set(data.scores)) & set(names):
        return data.scores
    data.classes = dict(zip(names, data.scores, strict=True))
    frame = data.data.frame.rename(dict(zip(data.scores, names, strict=True)))
    data.__dict__["data"] = replace(data.data, frame=frame, notes=[*data.data.notes, *notes])
    return tuple(names)


def _origin(data: ScoreFile) -> dict[str, Any]:
    if data.file == "-":
        return {"name": "standard input", "path": None, "sha256": None}
    with Path(data.file).open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    return {"name": Path(data.file).name, "path": data.file, "sha256": digest}
