"""The program: its commands by name, how one is run, and what an exit code means."""

from __future__ import annotations

import errno
import logging
import os
import sys
import traceback
import warnings
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from curvewise import errors
from curvewise._version import __version__
from curvewise.cli.guess import Guess, command_line, guess_columns
from curvewise.cli.output import ReaderGoneError, forget_output, open_closed_streams, say
from curvewise.results.text import visible
from curvewise.sources.formats.format import is_file_name

COMMANDS = {
    "report": "Write a one-page report on the scores in a file.",
    "metrics": "Areas, losses and threshold metrics of the scores in a file.",
    "compare": "Compare scores: which one is better, and how certain that is.",
    "operate": "Choose a threshold by a rule, and report what to expect of it.",
    "survive": "Evaluate risk scores against censored time-to-event outcomes.",
    "groups": "Metrics by group or site, and the gaps between groups.",
    "calibrate": "Check calibration and fit a recalibration map.",
    "recalibrate": "Apply a saved recalibration map to the probabilities in a file.",
    "detect": "Average precision and errors of object detectors, from files of boxes.",
    "table": "Make a diagnostic accuracy table for a paper: Markdown, LaTeX, DOCX or CSV.",
    "plot": "Draw a curve or table of the scores in a file: SVG, PDF or PNG.",
    "demo": "Try it on simulated data that come with the package.",
}
# 1 is for numbers below --fail-under; a bug has the code of sysexits.h, to be told from that
BAD_DATA, UNDEFINED, TROUBLE, BUG, INTERRUPTED = 3, 4, 5, 70, 130


def find_command(name: str) -> click.Command:
    """Import a command."""
    found: click.Command = import_module(f"curvewise.cli.commands.{name}").command
    return found


class LazyCommand(click.Command):
    """A stand-in that imports the command when it is called, so that ``--help`` is quick."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Parse the arguments as the real command does."""
        return find_command(str(self.name)).make_context(info_name, args, parent=parent, **extra)


class Program(click.Group):
    """The commands in the order in which they are used; a name that is none gets what may be meant."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's own
        """Return the names of the commands."""
        return list(COMMANDS)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands before the options: they are what a newcomer looks for."""
        self.format_commands(ctx, formatter)
        click.Command.format_options(self, ctx, formatter)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; refuse what is none, with what may be meant."""
        name = args[0]
        if name in COMMANDS or name.startswith("-") or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        if is_file_name(name):
            raise click.UsageError(_command_for(name, args), ctx)
        near = errors.nearest(name, COMMANDS, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"the commands are {', '.join(COMMANDS)}."
        raise click.UsageError(visible(f"{name}: there is no such command; {hint}"), ctx)


def _command_for(file: str, args: list[str]) -> str:
    """Say that a file needs a command before it, and which."""
    typed = ["report", *args]
    given = {word.partition("=")[0] for word in args}
    label, scores = ("" if name not in given else name for name in ("--label", "--score"))
    guess = guess_columns(file) or Guess(())
    command = command_line([*typed, *guess.options({"label": label, "scores": scores})])
    return visible(f"{file} is a file, and a command goes before it; did you mean:") + f"\n\n  {command}"


@click.group(
    cls=Program,
    commands=[LazyCommand(name, short_help=line) for name, line in COMMANDS.items()],
    context_settings={"help_option_names": ["-h", "--help"]},
    subcommand_metavar="COMMAND [ARGS]...",
    epilog="Exit codes: 0 success, 1 a requirement was not met (--fail-under, --fail-if-worse, compare --margin), "
    "2 usage, 3 bad data, 4 undefined, 5 file or engine failure, 70 a bug, 130 interrupted.",
)
@click.version_option(__version__, prog_name="curvewise", message="%(prog)s %(version)s")
@click.option("--debug", is_flag=True, help="Show the traceback of an error (also: CURVEWISE_DEBUG=1).")
@click.pass_obj
def program(state: dict[str, Any], *, debug: bool) -> None:
    """Evaluate classifiers: turn a file with labels and scores into a one-page report.

    \b
    curvewise report scores.csv --label ill --score model_a --score model_b

    Start with report; the other commands answer one question each. To try it on simulated data, run curvewise demo.
    """  # noqa: D301 - click wants the backspace itself
    state["debug"] |= debug


def run(args: Sequence[str] | None) -> int:
    """Run one command; return the exit code."""
    state: dict[str, Any] = {
        "args": list(sys.argv[1:] if args is None else args),
        "code": 0,
        "debug": os.environ.get("CURVEWISE_DEBUG", "0") not in ("", "0"),
    }
    open_closed_streams()
    for other in ("matplotlib", "calamine"):  # on settings and parts of files; our one sentence would be lost beside it
        logging.getLogger(other).setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always", errors.CurvewiseWarning)
            warnings.showwarning = lambda message, *_, **__: say(f"Warning: {message}")
            code = program.main(args, prog_name="curvewise", standalone_mode=False, obj=state)
            sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (ReaderGoneError, BrokenPipeError):
        forget_output()
        return int(state["code"])
    except (click.Abort, KeyboardInterrupt):
        say("Interrupted.")
        return INTERRUPTED
    except SystemExit:
        raise
    except BaseException as error:  # noqa: BLE001 - the last line of defence: a panic of Polars is no Exception
        return _explain(error, debug=state["debug"])
    return code if isinstance(code, int) else int(state["code"])


def _explain(error: BaseException, *, debug: bool) -> int:
    if debug:
        click.echo("".join(traceback.format_exception(error)), err=True)
    code, text = TROUBLE, str(error)
    if isinstance(error, errors.UndefinedMetricError):
        code = UNDEFINED
    elif isinstance(error, errors.CurvewiseError):
        code = TROUBLE if isinstance(error, (errors.SourceError, errors.MissingExtraError)) else BAD_DATA
    elif isinstance(error, OSError):
        forget_output()
        text = f"{f'{error.filename}: ' if error.filename else ''}{error.strerror or error}."
        if error.errno == errno.EBADF:
            text = "standard output is closed; leave it open, or name a file with -o."
    elif isinstance(error, MemoryError):
        text = "the data do not fit into memory; read fewer columns or rows."
    else:
        code, text = BUG, f"this is a bug in curvewise ({type(error).__name__}: {error}); run it again with "
        text += "CURVEWISE_DEBUG=1 to see where, and please report it."
    say(f"Error: {text}")
    return code
