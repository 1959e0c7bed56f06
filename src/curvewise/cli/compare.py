"""``curvewise compare``: whether one score in a file is better than another, and how sure that is."""

from __future__ import annotations

from typing import Any

import click

from curvewise.cli.options import (
    check_columns,
    check_named,
    cluster_option,
    format_for,
    level_option,
    number,
    output_options,
    reading_options,
    seed_option,
)

METHODS = ["delong", "bootstrap", "permutation", "mcnemar", "venkatraman"]


@click.command("compare")
@reading_options
@click.option("--metric", default="roc_auc", show_default=True, help="What to compare by.")
@click.option(
    "--threshold",
    "thresholds",
    multiple=True,
    type=number,
    metavar="X",
    help="The threshold, for a metric at one; once for all scores, or once a score in their order.",
)
@click.option("--fpr", nargs=2, type=float, metavar="A B", help="The FPR range, for partial_roc_auc.")
@cluster_option
@click.option("--method", type=click.Choice(METHODS), help="Default: the metric's best.")
@click.option("--margin", type=float, metavar="M", help="A difference too small to matter.")
@click.option("--against", type=float, metavar="V", help="Compare with this value, too.")
@level_option
@click.option("--replicates", type=click.IntRange(2), default=2000, show_default=True, help="Resamples.")
@seed_option
@output_options
def command(
    file: str,
    label: str,
    scores: tuple[str, ...],
    form: str | None,
    output: str | None,
    thresholds: tuple[float, ...],
    *,
    force: bool,
    **rest: Any,
) -> None:
    """Compare the scores in FILE, all on the same rows.

    With one score, its AUC is compared with 0.5, or any metric with --against. --metric roc_curve
    asks whether whole curves differ.

    \b
    curvewise compare scores.csv --label ill --score model_a --score model_b
    curvewise compare scores.csv --label ill --score a --score b --metric average_precision
    curvewise compare scores.csv --label ill --score a --score b --cluster patient --margin 0.02
    curvewise compare scores.csv --label ill --score a --score b --metric recall --threshold 0.5
    """  # noqa: D301 - click wants the backspace itself
    check_columns(label, scores, rest["weight"])
    check_named((label, *scores, rest["weight"]), cluster=rest["cluster"])
    if len(thresholds) not in (0, 1, len(scores)):
        raise click.UsageError(f"--threshold: expected one, or one for each of {len(scores)} scores.")
    from curvewise.results.writing import output_path  # noqa: PLC0415 - checks first, heavy imports after

    path = output_path(output, file, force=force)
    from curvewise.cli.compared import compared  # noqa: PLC0415 - --help needs no NumPy
    from curvewise.cli.output import emit  # noqa: PLC0415

    emit(compared(file, label, scores, thresholds=thresholds, **rest), format_for(form, output), path)
