"""``curvewise metrics``: areas, losses and threshold metrics of the scores in a file."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from curvewise.cli.fail_under import FAIL_UNDER, Bars, find_of_classes, full_names, hold_to
from curvewise.cli.horizon_file import HorizonFile
from curvewise.cli.options import (
    METRIC_OPTION,
    NO_INTERVALS,
    READING_SCAN,
    RESAMPLING,
    SHARE,
    flag,
    number,
    option,
    scores_command,
)
from curvewise.cli.scan_file import ScanFile

if TYPE_CHECKING:
    from curvewise.cli.file_rows import ScoreFile
    from curvewise.cli.options import Answer, Names, Settings

# options of intervals, by their parameter
OF_INTERVALS = {"level": "level", "replicates": "replicates", "seed": "seed", "intervals": "no-intervals"}
# what only two classes have, and how it looks unasked
OF_TWO: dict[str, Any] = {"threshold": (), "metric": (), "option": (), "positive": None, "prevalence": None}
OF_TWO["higher-is"] = "positive"


def _list(context: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not context.resilient_parsing:
        from curvewise.cli.output import put, screen  # noqa: PLC0415 - --help needs no NumPy
        from curvewise.document.blocks import Document, blocks_of  # noqa: PLC0415
        from curvewise.document.terminal import terminal  # noqa: PLC0415
        from curvewise.inference.metrics_list import metrics  # noqa: PLC0415

        put(terminal(Document("", [*blocks_of(metrics())], {}, []), screen()))
        context.exit()


@scores_command(
    "metrics",
    option("--threshold X", "Also evaluate at this threshold; repeatable.", number, into="thresholds", multiple=True),
    option("--metric NAME", "Only this metric; repeatable.", into="metrics", multiple=True),
    METRIC_OPTION,
    option("--by COL", "Stream the data and return one row of metrics per group; repeatable.", multiple=True),
    option("--prevalence P", "Report metrics at this share of positives.", SHARE),
    *RESAMPLING,
    NO_INTERVALS,
    flag("--multiclass", "Labels of many classes: one --score per class, named as its class."),
    FAIL_UNDER,
    flag("--list", "List all metrics, and exit.", is_eager=True, expose_value=False, callback=_list),
    reading=READING_SCAN,
)
def command(
    data: ScoreFile,
    metrics: Names,
    option: Settings,
    fail_under: Bars | None,
    *,
    multiclass: bool,
    **rest: Any,
) -> Answer:
    """Areas, losses and threshold metrics of the scores in FILE.

    FILE may be a folder or a glob. With several scores the numbers stand side by side.

    Memory: a file is read whole. Folders and globs of Parquet, and whatever --resolution, --engine, --sql or --by asks
    for, are scanned, in about half a gigabyte however many rows there are: exact up to 262,144 different scores, then
    in bins, with guaranteed bounds. --by needs about 40 bytes per group and different score.

    \b
    curvewise metrics scores.csv --label ill --score model_a --score model_b
    curvewise metrics scores.csv --label ill --score model_a --threshold 0.5
    curvewise metrics scores.csv --label ill --score model_a --metric recall_at_fpr --option fpr=0.05
    curvewise metrics 'day=*/part-*.parquet' --label ill --score model_a --resolution 1e-4
    curvewise metrics --sql postgresql://host/db --query 'select ill, p from t' --label ill --score p
    curvewise metrics pets.csv --label pet --score p_cat --score p_dog --score p_owl --multiclass
    """  # noqa: D301 - click wants the backspace itself
    if isinstance(data, ScanFile) and (data.by or multiclass):
        return _by_group(data, fail_under, metrics=metrics, option=option, multiclass=multiclass, **rest)
    if multiclass:
        return _many_classes(data, fail_under, metrics=metrics, option=option, **rest)
    from curvewise.core.sweep import sweep_of  # noqa: PLC0415
    from curvewise.inference.metric_table import metric_table  # noqa: PLC0415
    from curvewise.metric.registry import find  # noqa: PLC0415 - --help needs no NumPy

    bars = full_names(fail_under, intervals=rest["intervals"])
    also = list(dict.fromkeys(bar.metric for bar in bars.values()))
    wanted = dict.fromkeys([*(find(name).name for name in metrics), *also]) if metrics else None
    if wanted is None:  # losses and rates that one class alone defines have to be named
        sweep_of(data.rows.of(data.scores[0])).need_both_classes("A table of metrics")
    table = metric_table(data.rows, metrics=wanted, also=also, **rest, **dict(option))
    table.need_something()
    limits = None
    if isinstance(data, ScanFile):  # rows that were counted, not the counts
        table = replace(table, facts={**table.facts, "rows": data.facts()["rows"]})
    if isinstance(data, ScanFile) and data.sweep.is_binned and rest["prevalence"] is None:
        from curvewise.cli.limits import limits_of, with_limits  # noqa: PLC0415 - few scans need it

        limits = limits_of(table, data.sweep)
        table = with_limits(table, limits)
    hold_to(bars, ((m, "" if at is None else f" at {at}", e) for m, at, e in table.every))
    if limits is not None:
        return {None: {"": table, "limits": limits}}
    return {None: {"": table}}


def _by_group(data: ScanFile, fail_under: Bars | None, metrics: Names, option: Settings, **rest: Any) -> Answer:
    """Return the metrics of each group of a scan, for ``curvewise metrics --by``."""
    if rest["multiclass"]:
        raise click.UsageError("--multiclass: needs rows in memory; leave out what asks for a scan.")
    if fail_under is not None or rest["prevalence"] is not None or len(rest["thresholds"]) > 1:
        wrong = "--fail-under" if fail_under is not None else "--prevalence" if rest["prevalence"] else "--threshold"
        raise click.UsageError(f"{wrong}: has no meaning with --by, or is given twice.")
    context = click.get_current_context()
    for name, typed in OF_INTERVALS.items():
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{typed} has no effect with --by, which computes no intervals; leave it out.")
    cut = {"threshold": rest["thresholds"][0]} if rest["thresholds"] else {}
    return {None: {"": data.sweeps.metrics(*metrics, **cut, **dict(option))}}


def _many_classes(data: ScoreFile, fail_under: Bars | None, **rest: Any) -> Answer:
    """Return the metrics of a model of many classes, for ``curvewise metrics --multiclass``."""
    if isinstance(data, HorizonFile):
        raise click.UsageError("--multiclass: has no meaning with --time.")
    if len(data.scores) < 2:
        raise click.UsageError("--multiclass: give one --score per class, at least two.")
    given = {**rest, "positive": data.positive, "higher-is": data.higher_is}
    given |= {"threshold": given.pop("thresholds"), "metric": given.pop("metrics")}
    for name, unset in OF_TWO.items():
        if given[name] != unset:
            raise click.UsageError(f"--{name}: has no meaning with --multiclass.")
    from curvewise.many_classes.class_metrics import CLASS_TABLE  # noqa: PLC0415 - --help needs no NumPy
    from curvewise.many_classes.multiclass import multiclass  # noqa: PLC0415

    bars = full_names(fail_under, CLASS_TABLE, find=find_of_classes, intervals=rest["intervals"])
    names, notes = data.class_names()
    data.classes = dict(zip(names, data.scores, strict=True))
    data.data.notes.extend(notes)
    frame = data.data.frame
    scores = {name: frame[column] for name, column in data.classes.items()}
    model = multiclass(frame[data.label], scores, **data.row_options())
    data.dropped = model.dropped
    found = model.summary(**{k: rest[k] for k in ("rng", "level", "intervals", "replicates")})
    hold_to(bars, (("all classes", "", e) for e in found.estimates.values()))
    return {None: {"": found}}
