"""``curvewise operate``: choose a threshold by a rule, and say what it will do."""

from __future__ import annotations

from typing import Any

import click

from curvewise.cli.options import check_columns, format_for, number, output_options, reading_options

SHARE = click.FloatRange(0, 1, min_open=True, max_open=True)
COSTS = ("fp", "fn", "tp", "tn")
# the options of each rule: what it must have, what it may have
RULES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "min-cost": (("fp", "fn"), ("tp", "tn")),
    "max-net-benefit": (("at",), ()),
    "youden": ((), ()),
    "closest-topleft": ((), ()),
    "equal-error": ((), ()),
    "max-f": ((), ("beta",)),
    "max-mcc": ((), ()),
    "max-kappa": ((), ()),
    "max-fpr": (("at",), ()),
    "min-specificity": (("at",), ()),
    "min-recall": (("at",), ()),
    "min-precision": (("at",), ()),
    "max-alarms": (("at",), ()),
}


@click.command("operate")
@click.argument("file")
@reading_options
@click.option("--rule", required=True, type=click.Choice(list(RULES)), help="How to choose.")
@click.option("--fp", type=number, metavar="C", help="min-cost: what a false alarm costs.")
@click.option("--fn", type=number, metavar="C", help="min-cost: what a miss costs.")
@click.option("--tp", type=number, metavar="C", help="min-cost: what a hit costs; a gain is below 0.")
@click.option("--tn", type=number, metavar="C", help="min-cost: what a rightly passed row costs.")
@click.option(
    "--at",
    type=number,
    metavar="X",
    help="The limit of a max- or min- rule; for max-alarms a number of rows or a share; for "
    "max-net-benefit the risk at which one would act.",
)
@click.option("--beta", type=number, metavar="B", help="max-f: how much more recall counts; default 1.")
@click.option("--prevalence", type=SHARE, metavar="P", help="The share of positives where it will be used.")
@click.option("--level", type=SHARE, default=0.95, show_default=True, help="Level of the intervals.")
@click.option(
    "--replicates",
    type=click.IntRange(0),
    default=500,
    show_default=True,
    help="Resamples; 0 leaves out the threshold's interval and the optimism.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the resamples.")
@output_options
def command(
    file: str,
    label: str,
    scores: tuple[str, ...],
    rule: str,
    form: str | None,
    output: str | None,
    *,
    force: bool,
    **rest: Any,
) -> None:
    """Choose a threshold for each score in FILE, and say what it will do.

    \b
    curvewise operate scores.csv --label ill --score p --rule min-cost --fp 1 --fn 10 --prevalence 0.02
    curvewise operate scores.csv --label ill --score p --rule max-fpr --at 0.05
    curvewise operate scores.csv --label ill --score p --rule max-alarms --at 100
    """  # noqa: D301 - click wants the backspace itself
    check_columns(label, scores, rest["weight"])
    given = {name: rest.pop(name) for name in (*COSTS, "at", "beta")}
    options = _options(rule, {name: value for name, value in given.items() if value is not None})
    from curvewise._writing import output_path  # noqa: PLC0415 - checks first, heavy imports after

    path = output_path(output, file, force=force)
    from curvewise.cli.operated import operated, rule_of  # noqa: PLC0415 - --help needs no NumPy
    from curvewise.cli.output import emit  # noqa: PLC0415

    chosen_by = rule_of(rule, options, rest.pop("prevalence"))
    emit(operated(file, label, scores, chosen_by, **rest), format_for(form, output), path)


def _options(rule: str, given: dict[str, float]) -> dict[str, float]:
    """Refuse what the rule does not take, and ask for what it needs."""
    needed, allowed = RULES[rule]
    for name in given:
        if name not in (*needed, *allowed):
            raise click.UsageError(f"--{name}: has no meaning with --rule {rule}.")
    absent = [f"--{name}" for name in needed if name not in given]
    if absent:
        raise click.UsageError(f"--rule {rule}: give {' and '.join(absent)}.")
    return given
