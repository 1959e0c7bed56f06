"""``curvewise compare``: whether one score in a file is better than another, and how sure that is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from curvewise.cli.options import METRIC_OPTION, RESAMPLING, number, scores_command

if TYPE_CHECKING:
    from curvewise.cli.file_rows import ScoreFile
    from curvewise.cli.options import Answer


@scores_command(
    "compare",
    click.option("--metric", default="roc_auc", show_default=True, help="What to compare by."),
    click.option(
        *("--threshold", "thresholds"),
        multiple=True,
        type=number,
        metavar="X",
        help="The threshold, for a metric at one; once for all scores, or one per score in their order.",
    ),
    click.option("--fpr", nargs=2, type=float, metavar="A B", help="The FPR range, for partial_roc_auc."),
    METRIC_OPTION,
    click.option(
        "--method",
        metavar="NAME",
        help="delong, bootstrap, permutation, mcnemar or venkatraman; default: the best for the metric.",
    ),
    click.option("--margin", type=float, metavar="M", help="A difference too small to matter."),
    click.option("--against", type=float, metavar="V", help="Compare with this value, too."),
    *RESAMPLING,
)
def command(
    data: ScoreFile,
    thresholds: tuple[float, ...],
    fpr: tuple[float, float] | None,
    option: tuple[tuple[str, Any], ...],
    seed: int,
    **rest: Any,
) -> Answer:
    """Compare the scores in FILE, all on the same rows.

    With one score, its AUC is compared with 0.5, or any metric with --against. --metric roc_curve asks
    whether whole curves differ. A comparison on rows that the models were fitted on is not valid.

    \b
    curvewise compare scores.csv --label ill --score model_a --score model_b
    curvewise compare scores.csv --label ill --score a --score b --metric average_precision
    curvewise compare scores.csv --label ill --score a --score b --cluster patient --margin 0.02
    curvewise compare scores.csv --label ill --score a --score b --metric recall --threshold 0.5
    """  # noqa: D301 - click wants the backspace itself
    if len(thresholds) not in (0, 1, len(data.scores)):
        raise click.UsageError(f"--threshold: expected one, or one for each of {len(data.scores)} scores.")
    cuts = (
        dict(zip(data.scores, thresholds, strict=True))
        if len(thresholds) > 1
        else next(iter(thresholds), None)
    )
    asked = {**dict(option), **{k: v for k, v in (("threshold", cuts), ("fpr", fpr)) if v is not None}}
    from curvewise.inference.compare import compare  # noqa: PLC0415 - --help needs no NumPy

    return {None: {"comparison": compare(data.rows, rng=seed, **rest, **asked)}}
