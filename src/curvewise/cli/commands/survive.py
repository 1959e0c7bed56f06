"""``curvewise survive``: evaluate risk scores against censored time-to-event outcomes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curvewise.cli.fail_under import Bars, bars, full_names, hold_to
from curvewise.cli.options import (
    CENSORING,
    CONTROLS,
    FILE,
    RESAMPLING,
    ROWS,
    option,
    outcome_options,
    scores_command,
    time_ahead,
)
from curvewise.cli.survival import PROBABILITIES, SurvivalFile, comparisons, held, need_something, numbers_at, uno

if TYPE_CHECKING:
    from curvewise.cli.options import Answer


def _file_in(given: dict[str, Any]) -> SurvivalFile:
    given["label"] = given.pop("event")
    return SurvivalFile.named_in(given)


@scores_command(
    "survive",
    *RESAMPLING,
    option(
        "--fail-under NAME=X,…",
        "Exit with 1 unless every score reaches these numbers, e.g. concordance=0.7,auc@1095=0.7; auc@1095.low is the "
        "lower limit of the interval. For metrics where lower is better (brier@1095) the number is a maximum.",
        bars,
    ),
    reading=(
        FILE,
        *outcome_options(required=True),
        option(
            "--horizon T",
            "Evaluate outcomes at this time; repeat for several.",
            time_ahead,
            into="horizons",
            required=True,
            multiple=True,
        ),
        PROBABILITIES,
        CENSORING,
        CONTROLS,
        *ROWS,
    ),
    file_in=_file_in,
)
def command(data: SurvivalFile, fail_under: Bars | None, **rest: Any) -> Answer:
    """Evaluate the risk scores in FILE against time-to-event outcomes, some of them censored.

    Concordance over all times, and at each --horizon AUC and, of probabilities, Brier score, IPA and O/E, each with
    its interval; follow-up; whether censoring depends on the score, which no weight repairs; and which score is
    better. The other commands take --time, --event and one --horizon instead of --label.

    \b
    curvewise survive trial.csv --time days --event dead --score risk_a --score risk_b --horizon 365 --horizon 1095
    curvewise survive trial.csv --time days --event dead --score risk --horizon 1095 --probability 1095=p3y
    curvewise survive trial.csv --time days --event status --cause 1 --score risk --horizon 1095
    """  # noqa: D301 - click wants the backspace itself
    known, find = numbers_at(data)
    asked = full_names(fail_under, known, find=find)
    found = data.judged(**rest)
    need_something(found)
    hold_to(asked, held(found))
    answer = {"survival": found, "uno": uno(found, data.censoring), "comparisons": comparisons(found)}
    return {None: {name: result for name, result in answer.items() if result is not None}}
