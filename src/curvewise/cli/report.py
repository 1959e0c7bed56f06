"""``curvewise report``: everything about the scores in a file, as one page."""

from __future__ import annotations

import shlex
from typing import Any

import click
from click.core import ParameterSource

from curvewise.cli.bars import check_bars, fail_under_option, hold_to
from curvewise.cli.options import (
    breakdown_options,
    check_columns,
    check_named,
    cluster_option,
    force_option,
    format_for,
    level_option,
    reading_options,
    seed_option,
)
from curvewise.cli.ruling import rule_of, rule_options, take_rule

FORMATS = ("html", "json", "md")
PAGE = "report.html"


@click.command("report")
@reading_options
@breakdown_options
@cluster_option
@rule_options(required=False)
@level_option
@click.option("--replicates", type=click.IntRange(2), default=1000, show_default=True, help="Resamples.")
@seed_option
@click.option(
    "--lang", type=click.Choice(["en", "zh"]), default="en", show_default=True, help="Language of the page."
)
@fail_under_option
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="A page, data or Markdown; default: what the ending of -o says, else html.",
)
@click.option(
    *("-o", "--output"),
    type=click.Path(),
    metavar="FILE",
    help=f"Where to; - is standard output. Default: {PAGE}; json and md go to standard output.",
)
@force_option
@click.pass_context
def command(
    context: click.Context,
    /,
    file: str,
    label: str,
    scores: tuple[str, ...],
    groups: tuple[str, ...],
    form: str | None,
    output: str | None,
    lang: str,
    fail_under: dict[str, float] | None,
    *,
    force: bool,
    **rest: Any,
) -> None:
    """Write everything about the scores in FILE as one page that needs no network.

    Ranking, comparison, threshold, probabilities, groups and sites, each where the data have it, with
    intervals and caveats. A short summary goes to the terminal. Labels of more than two classes take one
    --score a class.

    \b
    curvewise report scores.csv --label ill --score a --score b --group sex -o report.html
    curvewise report scores.csv --label ill --score a --fp 1 --fn 10 --prevalence 0.02 --lang zh
    curvewise report scores.csv --label ill --score a --fail-under auc=0.9,ap=0.5 -o report.json
    """  # noqa: D301 - click wants the backspace itself
    check_columns(label, scores, rest["weight"])
    named = {"groups": groups, "site": rest["site"], "cluster": rest["cluster"]}
    check_named((label, *scores, rest["weight"]), **named)
    form = format_for(form, output, FORMATS, "html")
    if lang != "en" and form != "html":
        raise click.UsageError(f"--lang: only the page speaks {lang}; {form} is English.")
    rule, options = take_rule(rest)
    from curvewise.results.writing import output_path, write_atomically  # noqa: PLC0415 - checks first

    output = PAGE if output is None and form == "html" else output
    path = output_path(output, file, force=force)
    from curvewise.cli.output import is_plain, put  # noqa: PLC0415 - --help needs no NumPy
    from curvewise.cli.reported import NUMBERS, numbers, rendered, reported  # noqa: PLC0415
    from curvewise.cli.run import say  # noqa: PLC0415
    from curvewise.cli.steps import Steps  # noqa: PLC0415
    from curvewise.cli.summary import summary  # noqa: PLC0415

    check_bars(fail_under, NUMBERS)
    chosen = None if rule is None else rule_of(rule, options, rest["prevalence"])
    # costs are kept as costs: the page lets its reader change them
    rest |= {"costs": options} if rule == "min-cost" else {"rule": chosen}
    with Steps() as step:
        found = reported(file, label, scores, groups=groups, say=step, command=_typed(context), **rest)
        data = rendered(found, form, lang, step)
        step("writing")
        if path is not None:
            write_atomically(path, data.encode())
    for note in found.source.notes:
        say(f"Note: {note}.")
    hold_to(fail_under, numbers(found))
    if path is None:
        put(data, exactly=True)
    else:
        put(summary(found, str(path), plain=is_plain()))


def _typed(context: click.Context) -> str:
    """Return the command as it was typed, with what a file of options added to it."""
    words = ["curvewise", *context.obj["args"]]
    for option in context.command.params:
        if context.get_parameter_source(str(option.name)) is ParameterSource.DEFAULT_MAP:
            value = (context.default_map or {})[option.name]
            for cell in value if isinstance(value, list) else [value]:
                words += [option.opts[-1], cell]
    return shlex.join(words)
