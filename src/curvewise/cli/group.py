"""The group of commands, known by name and one line of help until one of them is called."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from curvewise._version import __version__

COMMANDS = {
    "report": "Everything about the scores in a file, as one page.",
    "metrics": "Areas and threshold metrics of the scores in a file.",
    "compare": "Whether one score is better than another, and how sure that is.",
    "operate": "Choose a threshold by a rule, and say what it will do.",
    "groups": "How scores do in each group or at each site, and how far apart they are.",
    "calibrate": "Whether probabilities mean what they say, and a map that mends them.",
    "recalibrate": "Mend the probabilities in a file by a saved map.",
    "plot": "Draw a curve or table of the scores in a file: SVG, PDF or PNG.",
    "demo": "See it work on simulated data that come with the package.",
}


class LazyCommand(click.Command):
    """A stand-in that imports ``curvewise.cli.<name>`` when the command is called."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Parse the arguments as the real command does."""
        real: click.Command = import_module(f"curvewise.cli.{self.name}").command
        return real.make_context(info_name, args, parent=parent, **extra)


@click.group(
    commands=[LazyCommand(name, short_help=line) for name, line in COMMANDS.items()],
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="curvewise", message="%(prog)s %(version)s")
@click.option("--debug", is_flag=True, help="Show the traceback of an error (also: CURVEWISE_DEBUG=1).")
@click.pass_obj
def program(state: dict[str, Any], *, debug: bool) -> None:
    """Judge a classifier: exact ROC and PR areas and threshold metrics from a file of scores.

    Exit codes: 0 fine, 1 below --fail-under, 2 usage, 3 bad data, 4 undefined, 5 file or engine trouble,
    70 a bug, 130 interrupted.
    """
    state["debug"] |= debug
