"""The options that choose a threshold by a rule, and the rule they make."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from curvewise.cli.options import SHARE, Decorated, number
from curvewise.errors import CurvewiseError

if TYPE_CHECKING:
    from collections.abc import Callable

    from curvewise.decisions.rule import Rule

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


def rule_options(*, required: bool) -> Callable[[Decorated], Decorated]:
    """Return what adds ``--rule``, all that rules ask for, and ``--prevalence``."""
    default = "" if required else " Default: min-cost with --fp and --fn, else youden."

    def add(command: Decorated) -> Decorated:
        for option in (
            click.option(
                *("--prevalence",),
                type=SHARE,
                metavar="P",
                help="The share of positives where it will be used.",
            ),
            click.option(
                "--beta", type=number, metavar="B", help="max-f: how much more recall counts; default 1."
            ),
            click.option(
                "--at",
                type=number,
                metavar="X",
                help="The limit of a max- or min- rule; for max-alarms a number of rows or a share; for "
                "max-net-benefit the risk at which one would act.",
            ),
            click.option("--tn", type=number, metavar="C", help="min-cost: what a rightly passed row costs."),
            click.option(
                "--tp", type=number, metavar="C", help="min-cost: what a hit costs; a gain is below 0."
            ),
            click.option("--fn", type=number, metavar="C", help="min-cost: what a miss costs."),
            click.option("--fp", type=number, metavar="C", help="min-cost: what a false alarm costs."),
            click.option(
                "--rule",
                required=required,
                type=click.Choice(list(RULES)),
                help=f"How to choose a threshold.{default}",
            ),
        ):
            command = option(command)
        return command

    return add


def take_rule(given: dict[str, Any]) -> tuple[str | None, dict[str, float]]:
    """Take the rule and what it asks for out of the options given; None where nothing was said."""
    rule = given.pop("rule")
    typed = {name: given.pop(name) for name in (*COSTS, "at", "beta")}
    options = {name: value for name, value in typed.items() if value is not None}
    if rule is None and any(name in COSTS for name in options):
        rule = "min-cost"
    if rule is None:
        for name in options:
            raise click.UsageError(f"--{name}: needs --rule.")
        return None, {}
    return rule, _checked(rule, options)


def _checked(rule: str, options: dict[str, float]) -> dict[str, float]:
    """Refuse what the rule does not take, and ask for what it needs."""
    needed, allowed = RULES[rule]
    for name in options:
        if name not in (*needed, *allowed):
            raise click.UsageError(f"--{name}: has no meaning with --rule {rule}.")
    absent = [f"--{name}" for name in needed if name not in options]
    if absent:
        raise click.UsageError(f"--rule {rule}: give {' and '.join(absent)}.")
    return options


def rule_of(name: str, options: dict[str, float], prevalence: float | None) -> Rule:
    """Make the rule that was asked for; a value it refuses was typed by the user."""
    from curvewise.decisions import rules  # noqa: PLC0415 - --help needs no NumPy

    given: dict[str, Any] = dict(options)
    if name == "max-net-benefit":
        given["threshold_probability"] = given.pop("at")
    try:
        rule: Rule = getattr(rules, name.replace("-", "_"))(**given, prevalence=prevalence)
    except CurvewiseError as error:
        text = str(error).replace("threshold_probability:", "at:")
        known = any(text.startswith(f"{option}:") for option in options)
        raise click.UsageError(f"--{text}" if known else text) from None
    return rule
