"""Read a file, evaluate its models, and write that as a page, as data or as Markdown."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curvewise.cli.job import heed_interrupts
from curvewise.cli.many import class_names
from curvewise.cli.words import positive_label, words_of_the_file
from curvewise.report.evaluate import evaluate
from curvewise.report.judged import LOSSES, RANKING
from curvewise.sources.files import read_file

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from curvewise.cli.bars import Found
    from curvewise.report.evaluation import Evaluation
    from curvewise.sources.files import FileData

    Say = Callable[[str], None]

# what --fail-under may name; the last two are of many classes
NUMBERS = (*RANKING, *LOSSES, "accuracy", "balanced_accuracy")


def reported(
    file: str,
    label: str,
    scores: tuple[str, ...],
    *,
    groups: Sequence[str],
    site: str | None,
    cluster: str | None,
    weight: str | None,
    positive: str | None,
    seed: int,
    say: Say,
    command: str,
    **options: Any,
) -> Evaluation:
    """Do everything but the writing; ``say`` hears of each step."""
    heed_interrupts()
    say("reading the file")
    names = list(dict.fromkeys([*groups, *(c for c in (site, cluster) if c)]))
    data = read_file(file, label=label, numeric=[*scores, *([weight] if weight else [])], names=names)
    if positive is None:
        data, scores = _as_classes(data, label, scores)
    roles = {"y": label, "weight": weight, "cluster": cluster, "site": site}
    roles |= {"group": groups[0]} if len(groups) == 1 else {f"group {name!r}": name for name in groups}
    roles |= {f"score {name!r}": name for name in scores}
    # rows that are left out shift all those behind them: their lines are no longer known
    whole = options["missing"] == "raise" or not sum(data.frame.null_count().row(0))
    with words_of_the_file(roles, data.first_line if whole else None):
        found = evaluate(
            data.frame,
            label=label,
            scores=scores,
            group=list(groups),
            site=site,
            cluster=cluster,
            weight=weight,
            positive=None if positive is None else positive_label(data.frame[label], positive),
            rng=seed,
            **options,
        )
        source = replace(found.source, notes=data.notes, **_origin(file))
        found = replace(found, source=source, command=command)
        _compute(found, say)
    return found


def _compute(evaluation: Evaluation, say: Say) -> None:
    """Ask for every part in turn, so that each can be named while it is made."""
    say("ranking")
    for model in evaluation.models.values():
        _ = model.estimates, model.losses, model.band, model.point
    _ = evaluation.multiclass_estimates
    say("comparing")
    _ = evaluation.comparison
    say("groups and sites")
    _ = evaluation.groups, evaluation.fairness, evaluation.sites
    say("probabilities")
    _ = evaluation.caveats, [m.reliability for m in evaluation.models.values()]


def rendered(evaluation: Evaluation, form: str, lang: str, say: Say) -> str:
    """Return the text of the report."""
    if form == "json":
        return json.dumps(evaluation.to_dict(), indent=2, allow_nan=False) + "\n"
    if form == "md":
        return evaluation.to_markdown()
    say("drawing")
    from curvewise.report import output  # noqa: PLC0415 - needs matplotlib and Jinja

    return output.render_page(evaluation, lang)


def numbers(evaluation: Evaluation) -> Found:
    """Return the numbers of each model, for ``--fail-under``."""
    found: Found = {name: [] for name in evaluation.models} or {"the model": []}
    for flat, value in evaluation.metrics().items():
        model, metric = flat.rsplit(".", 1)
        found[model if evaluation.models else "the model"].append((metric, "", value))
    return found


def _as_classes(data: FileData, label: str, scores: tuple[str, ...]) -> tuple[FileData, tuple[str, ...]]:
    """Call the columns of a model of many classes as its classes are called, as ``metrics`` does."""
    if len(scores) < 3 or data.frame[label].drop_nulls().n_unique() < 3:
        return data, scores
    names, note = class_names(data, label, scores)
    others = set(data.frame.columns) - set(scores)
    if not note or others & set(names):
        return data, scores
    frame = data.frame.rename(dict(zip(scores, names, strict=True)))
    return replace(data, frame=frame, notes=[*data.notes, *note]), tuple(names)


def _origin(file: str) -> dict[str, Any]:
    if file == "-":
        return {"name": "standard input", "path": None, "sha256": None}
    with Path(file).open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    return {"name": Path(file).name, "path": file, "sha256": digest}
