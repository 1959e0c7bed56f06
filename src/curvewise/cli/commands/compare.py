"""``curvewise compare``: whether one score in a file is better than another, and how sure that is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from curvewise.cli.fail_under import fail
from curvewise.cli.options import METRIC_OPTION, RESAMPLING, number, option, scores_command

if TYPE_CHECKING:
    from collections.abc import Iterator

    from curvewise.cli.file_rows import ScoreFile
    from curvewise.cli.options import Answer, Settings
    from curvewise.inference.comparison import Comparison


@scores_command(
    "compare",
    option("--metric NAME", "What to compare by; roc_curve asks whether whole curves differ.", default="roc_auc"),
    option(
        "--threshold X",
        "The threshold, for a metric at one; once for all scores, or one per score in their order.",
        number,
        into="thresholds",
        multiple=True,
    ),
    option("--fpr A B", "The FPR range, for partial_roc_auc.", float, nargs=2),
    METRIC_OPTION,
    option(
        "--method NAME",
        "delong, bootstrap, permutation, mcnemar or venkatraman; default: the best for the metric.",
    ),
    option("--margin M", "A difference too small to matter: exit with 1 unless the first is non-inferior.", float),
    option("--against V", "Compare with this value, too.", float),
    *RESAMPLING,
)
def command(data: ScoreFile, thresholds: tuple[float, ...], fpr: Any, option: Settings, **rest: Any) -> Answer:
    """Compare the scores in FILE, all on the same rows.

    With one score, its AUC is compared with 0.5, or any metric with --against. --metric roc_curve asks
    whether whole curves differ. A comparison on rows that the models were fitted on is not valid. With --margin,
    the exit code is 1 unless the first score is shown to be non-inferior to every other one.

    \b
    curvewise compare scores.csv --label ill --score model_a --score model_b
    curvewise compare scores.csv --label ill --score a --score b --metric average_precision
    curvewise compare scores.csv --label ill --score a --score b --cluster patient --margin 0.02
    curvewise compare scores.csv --label ill --score a --score b --metric recall --threshold 0.5
    """  # noqa: D301 - click wants the backspace itself
    if len(thresholds) not in (0, 1, len(data.scores)):
        raise click.UsageError(f"--threshold: expected one, or one for each of {len(data.scores)} scores.")
    asked = dict(option) | ({} if fpr is None else {"fpr": fpr})
    if thresholds:
        several = len(thresholds) > 1
        asked["threshold"] = dict(zip(data.scores, thresholds, strict=True)) if several else thresholds[0]
    from curvewise.inference.compare import WHOLE_CURVE, compare  # noqa: PLC0415 - --help needs no NumPy

    if rest["metric"].casefold().replace("-", "_") == WHOLE_CURVE:
        rest["metric"] = WHOLE_CURVE
    found = compare(data.rows, **rest, **asked)
    if rest["margin"] is not None:
        fail(_inferior(found, rest["margin"]))
    return {None: {"comparison": found}}


def _inferior(found: Comparison, margin: float) -> Iterator[str]:
    """Yield a sentence for each score to which the first is not shown to be non-inferior."""
    first = next(iter(found.values))
    for pair in (p for p in found.pairs if p.first == first):
        p, alpha = pair.p_non_inferior, 1 - pair.difference.level
        if p is not None and not p < alpha:  # NaN is no proof
            yield (
                f"{found.metric} of {first} is not shown to be non-inferior to that of {pair.second} by a margin of "
                f"{margin:g}: p is {p:.4g}, and should be below {alpha:.4g}."
            )
