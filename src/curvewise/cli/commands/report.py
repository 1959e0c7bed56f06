"""``curvewise report``: everything about the scores in a file, as one page."""

from __future__ import annotations

import shlex
from typing import Any

import click
from click.core import ParameterSource

from curvewise.cli.fail_if_worse import BASELINE, hold_to_baseline, take_baseline
from curvewise.cli.fail_under import FAIL_UNDER, Bars, hold_to
from curvewise.cli.horizon_file import file_in
from curvewise.cli.options import (
    BREAKDOWN,
    CENSORING,
    CONTROLS,
    FILE_OR_DATABASE,
    ID,
    RESAMPLING,
    ROWS,
    SCAN,
    SWEPT,
    format_for,
    make_command,
    option,
    outcome_options,
    output_options,
    time_ahead,
)
from curvewise.cli.output import is_plain, mention, put, say, screen, steps
from curvewise.cli.rule_options import make_rule, rule_options, take_rule
from curvewise.cli.survival import PROBABILITIES, SurvivalFile
from curvewise.errors import CurvewiseError
from curvewise.words import LANGS, Lang

FORMATS = ("html", "json", "md")
PAGE = "report.html"
OUTCOME = ("time", "event", "horizons", "probability", "cause", "censoring", "controls")


@make_command(
    "report",
    FILE_OR_DATABASE,
    option("--label COL", "Column of true labels."),
    *outcome_options(required=False),
    option(
        "--horizon T",
        "With --time: evaluate the scores against who had the event by this time. With several, the report is about "
        "the first and has a section on all.",
        time_ahead,
        into="horizons",
        multiple=True,
    ),
    PROBABILITIES,
    CENSORING,
    CONTROLS,
    *ROWS,
    *SWEPT,
    *SCAN,
    *BREAKDOWN,
    ID,
    *rule_options(required=False),
    *RESAMPLING,
    option("--lang", "Language of the page; zh-general is for data that are not medical.", LANGS),
    option("--title TEXT", "Title of the page."),
    option("--author TEXT", "Author, shown below the title."),
    FAIL_UNDER,
    *BASELINE,
    *output_options(
        FORMATS,
        "A page, data or Markdown; default: what the ending of -o says, else html.",
        f"Where to; - is standard output. Default: {PAGE}; json and md go to standard output.",
    ),
)
def command(
    form: str | None,
    output: str | None,
    lang: Lang,
    title: str | None,
    author: str | None,
    fail_under: Bars | None,
    *,
    force: bool,
    **given: Any,
) -> None:
    """Write a one-page report on the scores in FILE; it needs no network.

    Ranking, comparison, threshold, probabilities, groups and sites, as far as the data allow, with
    intervals and caveats. A short summary goes to the terminal. Labels of more than two classes take one
    --score per class. Censored outcomes take --time, --event and --horizon instead of --label.

    \b
    curvewise report scores.csv --label ill --score a --score b --group sex -o report.html
    curvewise report scores.csv --label ill --score a --fp 1 --fn 10 --prevalence 0.02 --lang zh
    curvewise report scores.csv --label ill --score a --fail-under auc=0.9,ap=0.5 -o report.json
    curvewise report trial.csv --time days --event dead --horizon 365 --horizon 1095 --score risk -o report.html
    curvewise report new.csv --label ill --score a --baseline report.json --fail-if-worse auc=0.01
    """  # noqa: D301 - click wants the backspace itself
    data = file_in(given, SurvivalFile, OUTCOME)
    if isinstance(data, SurvivalFile) and given["baseline"] is not None:
        raise click.UsageError("--baseline: censored outcomes (--time) cannot be compared with an earlier report yet.")
    form = format_for(form, output, FORMATS, "html")
    if lang != "en" and form != "html":
        raise click.UsageError(f"--lang: only the page speaks {lang}; {form} is English.")
    for name, said in (("title", title), ("author", author)):
        if said is not None and form != "html":
            raise click.UsageError(f"--{name}: only the page shows it, not {form}.")
    rule, asked = take_rule(given, data)
    if asked.pop("decide_by", "score") != "score":
        raise click.UsageError(
            "--decide-by: a report is about cuts of the score; curvewise operate and compare know it."
        )
    worse = take_baseline(given)
    from curvewise.results.writing import output_path, write_atomically  # noqa: PLC0415 - checks first

    path = output_path(PAGE if output is None and form == "html" else output, data.file, force=force)
    from curvewise.cli.evaluation import bars_of, evaluated, numbers, rendered, summary  # noqa: PLC0415 - --help needs no NumPy

    try:
        bars = bars_of(data, fail_under)
        chosen = None if rule is None or data.cost_columns else make_rule(rule, asked, given["prevalence"], data)
        # costs are kept as costs: the page lets its reader change them
        given |= {"costs": asked} if rule == "min-cost" else {"rule": chosen}
        with steps() as step:
            found = evaluated(data, step, _typed(click.get_current_context()), **given)
            text = rendered(found, form, lang, step, title=title, author=author)
            step("writing")
            if path is not None:
                write_atomically(path, text.encode(), force=force)
    except CurvewiseError as error:
        raise data.translated(error) from None
    for note in data.data.notes:
        say(f"Note: {note}.")
    hold_to(bars, numbers(found))
    hold_to_baseline(worse, found)
    put(text, exactly=True) if path is None else mention(summary(found, str(path), screen(lang), plain=is_plain()))


def _typed(context: click.Context) -> str:
    """Return the command as it was typed, with what a file of options added to it."""
    words = ["curvewise", *context.obj["args"]]
    for known in context.command.params:
        if context.get_parameter_source(str(known.name)) is ParameterSource.DEFAULT_MAP:
            value = (context.default_map or {})[known.name]
            for cell in value if isinstance(value, list) else [value]:
                words += [known.opts[-1], cell]
    return shlex.join(words)
