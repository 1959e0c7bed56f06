"""The evaluation behind ``curvewise report``: made of a file, written, and summed up for a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curvewise.cli.fail_under import Bars, find_of_classes, full_names
from curvewise.cli.scan_file import ScanFile
from curvewise.cli.sketch import sketch
from curvewise.cli.survival import CONCORDANCE, SurvivalFile, held, numbers_at
from curvewise.document.blocks import Block, Document, Section, Text
from curvewise.document.json_text import json_text
from curvewise.document.terminal import Screen, terminal
from curvewise.evaluation.evaluate import evaluate
from curvewise.many_classes.class_metrics import CLASS_TABLE
from curvewise.metric.registry import every, find
from curvewise.pages.page import Page
from curvewise.pages.scores.summary import overview
from curvewise.results.text import visible
from curvewise.sources.file_names import digest_of, files_of
from curvewise.words import words

if TYPE_CHECKING:
    from curvewise.cli.file_rows import ScoreFile
    from curvewise.evaluation.evaluation import Evaluation
    from curvewise.results.estimate import Estimate

    Say = Callable[[str], None]

BRIEF = ("better", "threshold", "then", "probabilities", "caveats")  # the questions that a demonstration answers


def evaluated(data: ScoreFile, say: Say, command: str, *, seed: int, **options: Any) -> Evaluation:
    """Do everything but the writing; ``say`` hears of each step."""
    say("reading the file")
    frame, scores = data.data.frame, data.scores
    if has_many_classes(data):
        scores = _name_classes(data)
        frame = data.data.frame
    options |= data.row_options()
    options |= data.row_columns()
    options |= data.evaluation_options() if isinstance(data, SurvivalFile) else {"label": data.label}
    options |= {
        "scores": list(scores),
        "group": list(data.groups),
        "site": data.site,
        "fold": data.fold,
        "id": data.id,
    }
    found = evaluate(frame, rng=seed, **options)
    origin = replace(found.origin, notes=(*data.data.notes, *data.remarks), **_origin(data))
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
    _ = found.notes, found.then_and_now
    return found


def rendered(
    found: Evaluation, form: str, lang: str, say: Say, *, title: str | None = None, author: str | None = None
) -> str:
    """Return the text of the report."""
    if form == "json":
        return json_text(Document(found.title, [], found.to_dict(), []))
    if form == "md":
        return found.to_markdown()
    say("drawing")
    from curvewise.pages import render  # noqa: PLC0415 - needs matplotlib and Jinja

    return render.render_page(found, lang, title=title, author=author)


def numbers(found: Evaluation) -> Iterator[tuple[str, str, Estimate]]:
    """Yield the numbers of each model, for ``--fail-under``."""
    for name, model in found.models.items():
        yield from ((name, "", e) for e in model.estimates.values())
    yield from () if found.survival is None else held(found.survival)
    yield from (("the model", "", e) for e in found.multiclass_estimates.values())


def bars_of(data: ScoreFile, asked: Bars | None) -> Bars:
    """Return the bars of a report by the full names of what it will have."""
    if has_many_classes(data):
        return full_names(asked, CLASS_TABLE, find=find_of_classes)
    families = ("ranking", "probability")
    known = [m.name for m in every() if m.in_tables and m.family in families]
    if isinstance(data, SurvivalFile):
        at, find_at = numbers_at(data)
        return full_names(asked, [*known, *at], find=lambda name: find_at(name) if _is_over_time(name) else find(name))
    return full_names(asked, known)


def _is_over_time(name: str) -> bool:
    """Whether a number is over all times, or names its horizon; all others are of the first horizon."""
    return "@" in name or name.casefold().replace("-", "_") in CONCORDANCE


def has_many_classes(data: ScoreFile) -> bool:
    """Whether the labels are of more than two classes, with one score for each."""
    if isinstance(data, SurvivalFile | ScanFile):  # more than two codes are competing events; a scan takes one score
        return False
    return data.positive is None and len(data.scores) > 2 and data.data.frame[data.label].drop_nulls().n_unique() > 2


def summary(found: Evaluation, written: str, screen: Screen, *, plain: bool, brief: bool = False) -> str:
    """Return the summary of the page, small ROC curves, and the name of what was written.

    ``brief`` leaves out the numbers of the models, and answers the first questions alone.
    """
    w = words(screen.lang)
    answers, *numbers = overview(Page(found, w), BRIEF if brief else None)
    shown: list[Block | Section] = [Text(found.statement.text(screen.lang)), answers, *(() if brief else numbers)]
    text = terminal(Document(found.title, shown, {}, []), screen)
    curves = {name: model.roc for name, model in found.models.items()}
    drawn = sketch(curves, plain=plain, lang=screen.lang) + "\n\n" if curves else ""
    return f"{text}\n{drawn}{w('terminal.report', path=visible(written))}\n"


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
    if isinstance(data, ScanFile):  # too many bytes to read them once more
        return {"name": data.source, "path": None, "sha256": None}
    if data.file == "-":
        return {"name": "standard input", "path": None, "sha256": None}
    return {
        "name": Path(data.file).name,
        "path": data.file,
        "sha256": data.data.sha256 or digest_of(files_of(data.file)),
    }
