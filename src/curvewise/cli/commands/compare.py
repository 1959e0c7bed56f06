"""``curvewise compare``: whether one score in a file is better than another, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from curvewise.cli.fail_under import fail
from curvewise.cli.options import FOLD, METRIC_OPTION, REPEAT, RESAMPLING, SHARE, number, option, scores_command
from curvewise.cli.rule_options import COST_COLUMNS, costs_in, with_columns

if TYPE_CHECKING:
    from curvewise.cli.file_rows import ScoreFile
    from curvewise.cli.options import Answer, Settings
    from curvewise.inference.comparison import Comparison


@scores_command(
    "compare",
    option(
        "--metric NAME",
        "What to compare by; roc_curve asks whether whole curves differ. Default: cost if --fp and --fn are given, "
        "otherwise AUC and average precision.",
    ),
    option("--fp C", "Cost of a false alarm: compare scores by cost, each at its cheapest threshold.", number),
    option("--fn C", "Cost of a miss.", number),
    *COST_COLUMNS,
    option(
        "--decide-by",
        "With costs: use each score's cheapest threshold, flag the rows with a lower expected cost, or both.",
        ("score", "expected_cost", "both"),
    ),
    option("--prevalence P", "With costs: share of positives where the model will be used.", SHARE),
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
        "delong, delong-wald, bootstrap, permutation, mcnemar or venkatraman; default: the best for the metric.",
    ),
    option(
        "--margin M", "Largest difference that does not matter: exit with 1 unless the first is non-inferior.", float
    ),
    option("--against V", "Also compare with this value.", float),
    FOLD,
    REPEAT,
    *RESAMPLING,
)
def command(
    data: ScoreFile,
    metric: str | None,
    thresholds: tuple[float, ...],
    fpr: Any,
    option: Settings,
    fp: float | None,
    fn: float | None,
    prevalence: float | None,
    decide_by: str,
    **rest: Any,
) -> Answer:
    """Compare the scores in FILE, all on the same rows.

    Two scores or more are compared by AUC and by average precision, which may differ where positives are rare; with
    --fp and --fn by what they cost; or by the --metric alone. With one score, its AUC is compared with 0.5, or any
    metric with --against. Do not compare models on their training data. With --margin,
    the exit code is 1 unless the first score is shown to be non-inferior to every other one. With --fold, means over
    the folds of cross-validation are compared, by the t-test corrected for overlapping training sets.

    \b
    curvewise compare scores.csv --label ill --score model_a --score model_b
    curvewise compare scores.csv --label ill --score a --score b --fp 1 --fn 10 --prevalence 0.02
    curvewise compare scores.csv --label ill --score a --score b --metric average_precision
    curvewise compare scores.csv --label ill --score a --score b --cluster patient --margin 0.02
    curvewise compare scores.csv --label ill --score a --score b --metric recall --threshold 0.5
    curvewise compare scores.csv --label ill --score a --score b --fold fold
    """  # noqa: D301 - click wants the backspace itself
    if len(thresholds) not in (0, 1, len(data.scores)):
        raise click.UsageError(f"--threshold: expected one, or one for each of {len(data.scores)} scores.")
    asked = dict(option) | ({} if fpr is None else {"fpr": fpr})
    if thresholds:
        several = len(thresholds) > 1
        asked["threshold"] = dict(zip(data.scores, thresholds, strict=True)) if several else thresholds[0]
    costs = with_columns({"fp": fp, "fn": fn, "prevalence": prevalence}, data)
    if data.fold is not None:
        return _over_folds(data, metric or "roc_auc", {**costs, "threshold": asked.pop("threshold", None)}, asked, rest)
    if decide_by != "score" and not data.cost_columns and fp is None and fn is None:
        raise click.UsageError("--decide-by: needs costs; give --fp and --fn, or their columns.")
    if any(value is not None for value in costs.values()):
        others = {"metric": metric, "method": rest.pop("method"), "against": rest.pop("against"), **asked}
        found = _by_cost(
            data, costs | {"decide_by": decide_by}, {k: v for k, v in others.items() if v is not None}, rest
        )
        fail(_inferior(found, rest["margin"]))
        return {None: {"comparison": found}}
    from curvewise.inference.compare import WHOLE_CURVE, compare  # noqa: PLC0415 - --help needs no NumPy

    if metric is not None and metric.casefold().replace("-", "_") == WHOLE_CURVE:
        metric = WHOLE_CURVE
    if metric is not None or len(data.scores) < 2 or asked or rest["method"] is not None or rest["against"] is not None:
        found = compare(data.rows, metric=metric or "roc_auc", **rest, **asked)
        fail(_inferior(found, rest["margin"]))
        return {None: {"comparison": found}}
    from curvewise.evaluation.answers.better import AP, AUC  # noqa: PLC0415
    from curvewise.evaluation.comparisons import areas_compared, decide  # noqa: PLC0415

    both = areas_compared(data.rows, **rest)
    fail(_inferior(both[AUC], rest["margin"]))
    drawing = {name: rest[name] for name in ("level", "rng", "replicates")}
    better = decide(data.rows, both, data.facts()["prevalence"], **drawing)
    return {None: {"better": better, "comparison": both[AUC], AP: both[AP]}}


def _over_folds(
    data: ScoreFile, metric: str, others: dict[str, Any], asked: dict[str, Any], rest: dict[str, Any]
) -> Answer:
    """Compare means over folds, which leaves no method to choose."""
    threshold = others.pop("threshold")
    if isinstance(threshold, dict):
        raise click.UsageError("--threshold: with --fold, one for all scores.")
    others |= {name: rest.pop(name) for name in ("method", "against")}
    for name, value in others.items():
        if value is not None:
            raise click.UsageError(f"--{name}: has no meaning with --fold, which compares means over folds.")
    if len(data.scores) < 2:
        raise click.UsageError("--fold: compares two --score or more; curvewise groups shows the folds of one.")
    from curvewise.breakdown.by_fold import by_fold  # noqa: PLC0415 - --help needs no NumPy

    margin = rest.pop("margin")
    asked |= {} if threshold is None else {"threshold": threshold}
    folds = by_fold(data.rows, repeat=data.repeats, metric=metric, **rest, **asked)
    found = folds.compare(margin=margin)
    fail(_inferior(found, margin))
    return {None: {"comparison": found, "folds": folds}}


def _by_cost(data: ScoreFile, costs: dict[str, Any], others: dict[str, Any], rest: dict[str, Any]) -> Comparison:
    """Compare by cost, which leaves nothing else to choose."""
    for name in others:
        raise click.UsageError(f"--{name}: has no meaning with --fp and --fn, which compare by cost.")
    if costs["fp"] is None or costs["fn"] is None:
        raise click.UsageError("Give both --fp and --fn (or their columns) to compare by cost.")
    if len(data.scores) < 2 and costs["decide_by"] != "both":
        raise click.UsageError("--fp, --fn: costs compare two --score or more.")
    from curvewise.decisions.compare_costs import compare_costs  # noqa: PLC0415 - --help needs no NumPy

    return compare_costs(data.rows, **costs_in(data, costs), **rest)


def _inferior(found: Comparison, margin: float | None) -> Iterator[str]:
    """Yield a sentence for each score to which the first is not shown to be non-inferior; none without a margin."""
    if margin is None:
        return
    first = next(iter(found.values))
    for pair in (p for p in found.pairs if p.first == first):
        p, alpha = pair.p_non_inferior, 1 - pair.difference.level
        if p is not None and not p < alpha:  # NaN is no proof
            yield (
                f"{found.metric} of {first} is not shown to be non-inferior to that of {pair.second} by a margin of "
                f"{margin:g}: p is {p:.4g}, and should be below {alpha:.4g}."
            )
