"""The options that choose a threshold by a rule, and the rule they make."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from curvewise.cli.file_rows import option_text
from curvewise.cli.options import SHARE, number, option
from curvewise.errors import CurvewiseError

if TYPE_CHECKING:
    from curvewise.cli.file_rows import ScoreFile
    from curvewise.decisions.choice import Rule

COSTS = ("fp", "fn", "tp", "tn")
WAYS = ("score", "expected_cost")
COST_COLUMNS = tuple(
    option(f"--{name}-column COL", f"Column of what {what} costs, one value per row, instead of --{name}.")
    for name, what in {"fp": "a false alarm", "fn": "a miss", "tp": "a hit", "tn": "a true negative"}.items()
)
# the options of each rule: what it must have, what it may have
RULES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "min-cost": (("fp", "fn"), ("tp", "tn", "unit", "decide_by")),
    "max-net-benefit": (("at",), ()),
    "youden": ((), ()),
    "closest-topleft": ((), ()),
    "equal-error": ((), ()),
    "max-f": ((), ("beta",)),
    "max-mcc": ((), ()),
    "max-kappa": ((), ()),
    "max-fpr": (("at",), ("confidence",)),
    "min-specificity": (("at",), ("confidence",)),
    "min-recall": (("at",), ("confidence",)),
    "min-precision": (("at",), ("confidence",)),
    "max-alarms": (("at",), ("confidence",)),
}


# what a rule is called elsewhere
OTHER_NAMES = {"min-sensitivity": "min-recall", "min-tpr": "min-recall", "min-ppv": "min-precision"}
OTHER_NAMES |= {"min-tnr": "min-specificity", "max-f1": "max-f"}


class RuleName(click.Choice):  # type: ignore[type-arg] # no generic class in click 8.1
    """The name of a rule, with hyphens or underscores, or one that it has elsewhere."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name as it is listed."""
        name = str(value).strip().lower().replace("_", "-")
        return str(super().convert(OTHER_NAMES.get(name, name), param, ctx))


def rule_options(*, required: bool) -> tuple[Any, ...]:
    """Return ``--rule``, all that rules ask for, and ``--prevalence``."""
    default = "" if required else " Default: min-cost with --fp and --fn, else youden."
    how = f"How to choose a threshold.{default}"
    limit = (
        "The limit of a max- or min- rule; for max-alarms a number of rows or a share; for max-net-benefit "
        "the risk at which one would act."
    )
    return (
        option("--rule", how, RuleName(list(RULES)), required=required),
        option("--fp C", "min-cost: what a false alarm costs.", number),
        option("--fn C", "min-cost: what a miss costs.", number),
        option("--tp C", "min-cost: what a hit costs; a gain is below 0.", number),
        option("--tn C", "min-cost: what a true negative costs.", number),
        *COST_COLUMNS,
        option("--unit TEXT", "min-cost: what costs are counted in, such as EUR."),
        option(
            "--decide-by",
            "min-cost: cut the score, or flag each row that is expected to cost less so.",
            click.Choice(WAYS),
        ),
        option("--at X", limit, number),
        option("--confidence C", "The limit is to hold on new rows with this confidence, such as 0.95.", SHARE),
        option("--beta B", "max-f: how much more recall counts; default 1.", number),
        option("--prevalence P", "Share of positives where it will be used.", SHARE),
    )


def take_rule(given: dict[str, Any], data: ScoreFile) -> tuple[str | None, dict[str, Any]]:
    """Take the rule and what it asks for out of the options given; None where nothing was said."""
    rule = given.pop("rule")
    typed = {name: given.pop(name) for name in (*COSTS, "at", "confidence", "beta", "unit", "decide_by")}
    typed = with_columns(typed, data)
    asked = {name: value for name, value in typed.items() if value is not None}
    if rule is None and any(name in COSTS for name in asked):
        rule = "min-cost"
    if rule is None:
        for name in asked:
            raise click.UsageError(f"--{name.replace('_', '-')}: needs --rule.")
        return None, {}
    needed, allowed = RULES[rule]
    for name in asked:
        if name not in (*needed, *allowed):
            raise click.UsageError(f"--{name.replace('_', '-')}: has no meaning with --rule {rule}.")
    if absent := [f"--{name}" for name in needed if name not in asked]:
        raise click.UsageError(f"--rule {rule}: give {' and '.join(absent)}.")
    return rule, asked


def with_columns(typed: dict[str, Any], data: ScoreFile) -> dict[str, Any]:
    """Return costs with the names of columns in the place of numbers; refuse both at once."""
    for name, column in data.cost_columns.items():
        if typed.get(name) is not None:
            raise click.UsageError(f"--{name}-column: give --{name} (one cost for all rows) or the column, not both.")
        typed[name] = column
    return typed


def costs_in(data: ScoreFile, asked: dict[str, Any]) -> dict[str, Any]:
    """Return costs with columns of the file in the place of their names."""
    from curvewise.decisions.row_costs import CostColumn  # noqa: PLC0415 - --help needs no NumPy

    named = data.cost_columns
    return {k: CostColumn.read(k, data.data.frame[v], v) if k in named else v for k, v in asked.items()}


def make_rule(name: str, asked: dict[str, Any], prevalence: float | None, data: ScoreFile) -> Rule:
    """Make the rule that was asked for; a value that it refuses was typed by the user."""
    from curvewise.decisions import rules  # noqa: PLC0415 - --help needs no NumPy

    given: dict[str, Any] = costs_in(data, asked)
    if name == "max-net-benefit":
        given["threshold_probability"] = given.pop("at")
    try:
        rule: Rule = getattr(rules, name.replace("-", "_"))(**given, prevalence=prevalence)
    except CurvewiseError as error:
        raise click.UsageError(error.in_words(option_text)) from None
    return rule
