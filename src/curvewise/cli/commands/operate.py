"""``curvewise operate``: choose a threshold by a rule, and say what it will do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from curvewise.cli.options import LEVEL, READING_SCAN, SEED, option, scores_command
from curvewise.cli.rule_options import make_rule, rule_options, take_rule

if TYPE_CHECKING:
    from curvewise.cli.file_rows import ScoreFile
    from curvewise.cli.options import Answer


@scores_command(
    "operate",
    *rule_options(required=True),
    LEVEL,
    option(
        "--replicates",
        "Number of resamples; 0 omits the threshold's interval and the correction for the choice.",
        click.IntRange(0),
        default=1000,
    ),
    SEED,
    reading=READING_SCAN,
)
def command(data: ScoreFile, prevalence: float | None, **rest: Any) -> Answer:
    """Choose a threshold for each score in FILE, and report what to expect of it.

    \b
    curvewise operate scores.csv --label ill --score p --rule min-cost --fp 1 --fn 10 --prevalence 0.02
    curvewise operate scores.csv --label ill --score p --rule max-fpr --at 0.05
    curvewise operate scores.csv --label ill --score p --rule max-fpr --at 0.05 --confidence 0.95
    curvewise operate scores.csv --label ill --score p --rule max-alarms --at 100
    curvewise operate transactions.csv --label fraud --score p --rule min-cost --fp 4 --fn-column amount --unit EUR
    """  # noqa: D301 - click wants the backspace itself
    name, asked = take_rule(rest, data)
    rule = make_rule(str(name), asked, prevalence, data)
    from curvewise.decisions.operating_point import operating_point  # noqa: PLC0415 - --help needs no NumPy

    return data.each(lambda rows: {"point": operating_point(rows, rule=rule, **rest)})
