"""Options that commands share, and what makes a command of a verb: read, call, render."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from curvewise.cli.config import OWN, SHARED, use_config
from curvewise.cli.guess import command_line, complete_column, guess_columns, said_columns
from curvewise.cli.horizon_file import file_in
from curvewise.cli.output import emit
from curvewise.errors import CurvewiseError
from curvewise.results.text import visible

if TYPE_CHECKING:
    from curvewise.cli.file_rows import ScoreFile
    from curvewise.results.result import Result

    # results of each score by name, and by what they are; under None what is of all scores
    Answer = Mapping[Any, Mapping[str, Result]]
    Settings = tuple[tuple[str, Any], ...]  # what --option sets
    Names = tuple[str, ...]

KINDS = (
    "FILE is CSV, TSV, JSON, Parquet, Arrow or the first sheet of an Excel workbook, also packed (.gz, .zip, .zst); "
    "- is standard input."
)
FORMATS = ("table", "json", "md", "csv")
ENGINES = ("auto", "polars", "duckdb", "spark")
ENDINGS = {"txt": "table", "markdown": "md", "htm": "html"}  # of a file, that are not called as the format is
PAGE = "curvewise report writes a page (.html), and a browser prints it as PDF"
HERE = "this command writes a page (.html), and a browser prints it as PDF"
PICTURE = "curvewise plot draws figures (.svg, .pdf, .png)"
SHEET = "curvewise metrics writes .csv, which a spreadsheet opens"
PAPER = "curvewise table writes the table of a paper as .docx, and curvewise report a page (.html)"
# what is asked for and never written, and what to do
INSTEAD = {"pdf": PAGE, **dict.fromkeys(("png", "svg", "jpg", "jpeg", "eps"), PICTURE)}
INSTEAD |= {**dict.fromkeys(("xlsx", "xls", "ods"), SHEET), **dict.fromkeys(("docx", "doc", "odt", "rtf"), PAPER)}


def number(text: str) -> int | float:
    """Read a real number; a whole one stays whole, so that long integers stay exact."""
    for read in (int, float):
        with suppress(ValueError):
            value: int | float = read(text)
            if not math.isnan(value):
                return value
    raise click.BadParameter(f"{text!r} is not a number.")


def time_ahead(text: str) -> int | float:
    """Read a horizon: a time after the prediction."""
    value = number(text)
    if not 0 < value < math.inf:
        raise click.BadParameter(f"expected a positive time, got {text}.")
    return value


def setting(text: str) -> tuple[str, Any]:
    """Read ``scale=mean`` or ``fpr=0,0.1``: a name, and text, a number or several numbers."""
    name, sign, value = (part.strip() for part in text.partition("="))
    if not (name and sign and value):
        raise click.BadParameter(f"{text!r} is not of the form fpr=0.1 or fpr=0,0.1.")
    try:
        numbers = tuple(number(part) for part in value.split(","))
    except click.BadParameter:
        return name, value
    return name, numbers[0] if len(numbers) == 1 else numbers


def option(typed: str, text: str, kind: Any = None, into: str | None = None, **more: Any) -> Any:
    """Make an option of how help shows it (``-o --output FILE``), its help, and its type.

    ``COL`` is a column of the file, and the Tab key completes it. A tuple is what can be chosen, the first by
    default; ``into`` names the argument, if the option does not.
    """
    names = [word for word in typed.split() if word.startswith("-")]
    more["metavar"] = " ".join(word for word in typed.split() if not word.startswith("-")) or None
    if more["metavar"] == "COL":
        more["shell_complete"] = complete_column
    if isinstance(kind, tuple):
        more, kind = {"default": kind[0], **more}, click.Choice(kind)
    more["show_default"] = more.get("default") is not None and not more.get("is_flag")
    return click.option(*names, *([into] if into else []), type=kind, help=text, **more)


flag = functools.partial(option, is_flag=True)
SHARE = click.FloatRange(0, 1, min_open=True, max_open=True)
FILE = click.argument("file", type=click.Path())  # a path, so that shells complete its name
# a file, or with --sql none; a path, so that shells complete its name
FILE_OR_DATABASE = click.argument("file", type=click.Path(), required=False, metavar="FILE")
CONFIG = option(
    "--config FILE",
    f"TOML file of options; default: {OWN}, or [tool.curvewise] in {SHARED}, if present.",
    click.Path(),
    is_eager=True,
    expose_value=False,
    callback=use_config,
)
ROWS = (
    option("--score COL", "Column of scores; repeat for several.", into="scores", required=True, multiple=True),
    option("--weight COL", "Column of weights, 0 or more."),
    option("--cluster COL", "Column that says which rows belong together (e.g. patient)."),
    option("--stratum COL", "Column of the strata within which rows, or clusters, were sampled."),
    option("--higher-is", "What a high score means.", ("positive", "negative")),
    option("--missing", "Stop at a missing value, or leave such rows out of all scores.", ("raise", "drop")),
    CONFIG,
)
SWEPT = (  # what else rows of two classes have
    option("--positive LABEL", "The positive label, if labels are not 0/1, true/false or -1/1."),
    option(
        "--weight-kind",
        "How intervals treat a weight of 10: one sampled row (sampling) or ten independent rows (count).",
        ("sampling", "count"),
    ),
    option("--round-to N", "Round scores to N decimals, which merges near-ties.", click.IntRange(0, 30)),
)
READING = (FILE, option("--label COL", "Column of true labels, two classes.", required=True), *ROWS, *SWEPT)


def outcome_options(*, required: bool) -> tuple[Any, ...]:
    """Return the options that name times and events."""
    instead = "" if required else "In place of --label: "
    when = f"{instead}{'C' if required else 'c'}olumn of when each row had its event or was last seen."
    return (
        option("--time COL", when, required=required),
        option(
            "--event COL", "Column of events: 1 at --time, 0 censored then; or codes, with --cause.", required=required
        ),
        option("--cause CODE", "The code of the event of interest; 0 is censored, others are competing events."),
    )


CONTROLS = option("--controls", "Whether rows with a competing event by then are controls.", ("all", "event-free"))
CENSORING = option(
    "--censoring", "by-score: estimate censoring in each tenth of the score.", click.Choice(["by-score"])
)
# labels, or who had the event by a horizon
READING_AT = (
    FILE,
    option("--label COL", "Column of true labels, two classes."),
    *outcome_options(required=False),
    option("--horizon T", "Evaluate the scores against who had the event by this time.", time_ahead),
    CENSORING,
    CONTROLS,
    *ROWS,
    *SWEPT,
)
SCAN = (  # of what a sweep can answer, from rows that need not fit in memory
    option(
        "--resolution X",
        "Stream the data, counting scores in bins of this width (e.g. 1e-4); results have guaranteed bounds. "
        "0 takes further passes for exact AUC and AP.",
        click.FloatRange(0, 1, max_open=True),
    ),
    option("--engine", "Stream the data with this engine; folders and globs of Parquet are always streamed.", ENGINES),
    option("--sql URI", "Instead of FILE: read rows from a database, postgresql://… or sqlite:///…."),
    option("--query SQL", "With --sql: the query that returns the rows to evaluate."),
)
READING_SCAN = (FILE_OR_DATABASE, *READING_AT[1:], *SCAN)
FOLD = option("--fold COL", "Column of the folds in which rows were held out: mean and spread over folds.")
REPEAT = option("--repeat COL", "With --fold: column of the repeat, where cross-validation was repeated.")
BREAKDOWN = (
    option("--group COL", "Column of groups; repeatable.", into="groups", multiple=True),
    option("--site COL", "Column of sites: AUC at each, pooled by random effects."),
    FOLD,
)
ID = option("--id COL", "Column that names each row: the report then lists the costliest mistakes.")
LEVEL = option("--level", "Confidence level of the intervals.", SHARE, default=0.95)
SEED = option("--seed", "Seed of the random numbers.", click.IntRange(0), default=0)
RESAMPLING = (LEVEL, option("--replicates", "Number of resamples.", click.IntRange(2), default=1000), SEED)
NO_INTERVALS = flag(
    "--no-intervals",
    "Compute no intervals, which is quicker.",
    into="intervals",
    flag_value=False,
    default=True,
)
METRIC_OPTION = option(
    "--option NAME=X",
    "An option of the metric, e.g. fpr=0,0.1 or specificity=0.95; repeatable.",
    setting,
    multiple=True,
)
FORCE = flag("--force", "Replace the output file if it exists.")


def output_options(formats: Sequence[str], how: str, where: str) -> tuple[Any, ...]:
    """Return the options that say how and where to write."""
    form = option("--format", how, click.Choice(formats), into="form")
    return form, option("-o --output FILE", where, click.Path()), FORCE


OUTPUT = output_options(
    FORMATS,
    "Output format; default: from the file name of -o, otherwise table.",
    "Write to a file instead of the terminal.",
)


class FileCommand(click.Command):
    """A command that reads a file: where its columns are not named, it says which there are."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments as click does."""
        if ctx.resilient_parsing and args and args[-1].startswith("-"):
            args = args[:-1]  # an option that waits for its value would keep click from finding the file
        try:
            left = super().parse_args(ctx, args)
            self._need_file(ctx)
            self._need_outcome(ctx)
        except click.MissingParameter as error:
            # what was not given may have a mark of click's own
            named: dict[str, Any] = {
                name: value for name, value in ctx.params.items() if isinstance(value, (str, tuple))
            }
            file = named.get("file")
            there = [p.name for p in self.params]
            wanted = ("label", "scores") if "label" in there else ("time", "event", "scores")
            absent = [f"--{name.rstrip('s')}" for name in wanted if not named.get(name)]
            if getattr(error.param, "name", None) not in wanted or not file:
                raise
            guess = guess_columns(file, named.get("label") or named.get("event"))
            if guess is None:
                why = "" if file == "-" or Path(file).exists() else f" ({visible(file)}: there is no such file)"
                raise click.UsageError(f"give {_listed(absent)}, columns of the file{why}.", ctx) from None
            added = guess.options({name: named.get(name) for name in wanted})
            command = command_line([*ctx.obj["args"], *added])
            said = f"give {_listed(absent)}; {said_columns(file, guess)}; for example:\n\n  {command}"
            raise click.UsageError(said, ctx) from None
        return left

    def _need_file(self, ctx: click.Context) -> None:
        """Ask for the file where no database is named in its place; refuse both."""
        if ctx.resilient_parsing or "file" not in ctx.params:
            return
        if ctx.params.get("sql") is not None and ctx.params["file"] is not None:
            raise click.UsageError("--sql: names a database in place of FILE; give one of them.", ctx)
        if ctx.params["file"] is None and ctx.params.get("sql") is None:
            raise click.MissingParameter(ctx=ctx, param=next(p for p in self.params if p.name == "file"))

    def _need_outcome(self, ctx: click.Context) -> None:
        """Ask for the label where no column says what became of the rows; what is typed wins over a file's options."""
        given = ctx.params
        if ctx.resilient_parsing or "label" not in given or "time" not in given:
            return
        if given["time"] is not None and ctx.get_parameter_source("label") == ParameterSource.DEFAULT_MAP:
            given["label"] = None
        if given["label"] is None and given["time"] is None:
            raise click.MissingParameter(ctx=ctx, param=next(p for p in self.params if p.name == "label"))


def _listed(options: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(options[:-1]), options[-1]]))


def make_command(name: str, *some: Any) -> Callable[[Callable[..., Any]], click.Command]:
    """Make a command of a function, with options in the order in which help lists them."""

    def make(function: Callable[..., Any]) -> click.Command:
        for add in reversed(some):
            function = add(function)
        made = click.command(name, cls=FileCommand)(function)
        made.epilog = KINDS if any(p.name == "file" for p in made.params) else None
        return made

    return make


def scores_command(
    name: str,
    *own: Any,
    reading: Sequence[Any] = READING_AT,
    file_in: Callable[[dict[str, Any]], ScoreFile] = file_in,
) -> Callable[[Callable[..., Answer]], click.Command]:
    """Make a command of a function of a `ScoreFile` and the command's own options that returns results.

    ``reading`` are the options that name columns, of which ``file_in`` makes the file. The results' tables and notes
    are the answer; whatever goes wrong is said in the words of the file. The seed is ``rng``, as the verbs call it.
    """

    def make(function: Callable[..., Answer]) -> click.Command:
        @functools.wraps(function)
        def run(form: str | None, output: str | None, *, force: bool, **given: Any) -> None:
            wanted = format_for(form, output)
            data = file_in(given)
            from curvewise.results.writing import output_path  # noqa: PLC0415 - --help needs no more

            path = output_path(output, data.file, force=force)
            try:
                answer = function(data, **{"rng" if k == "seed" else k: v for k, v in given.items()})
                from curvewise.cli.answer import document_of  # noqa: PLC0415 - --help needs no NumPy

                document = document_of(name, data, given, answer)
            except CurvewiseError as error:
                raise data.translated(error) from None
            emit(document, wanted, path, force=force)

        return make_command(name, *reading, *own, *OUTPUT)(run)

    return make


def format_for(form: str | None, output: str | None, known: Sequence[str] = FORMATS, default: str = "table") -> Any:
    """Return the format asked for, or the one that the output's name implies; refuse a name of another kind."""
    ending = Path(output).suffix.lower().lstrip(".") if output is not None and output != "-" else ""
    if ending in INSTEAD and ending not in known:
        instead = HERE if ending == "pdf" and "html" in known else INSTEAD[ending]
        raise click.UsageError(f"--output: {visible(str(output))} is not written here; {instead}.")
    implied = ENDINGS.get(ending, ending)
    if form is None and implied and implied not in known:
        written = ", ".join(".txt" if name == "table" else f".{name}" for name in known)
        raise click.UsageError(
            f"--output: {visible(str(output))}: this command writes {written}; name the file so, or give --format."
        )
    return form or implied or default
