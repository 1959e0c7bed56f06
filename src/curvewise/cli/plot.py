"""``curvewise plot``: one figure of the scores in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from curvewise.cli.options import check_columns, force_option, number, reading_options
from curvewise.results.text import visible

# every figure: whether it shows one score alone, and whether it shows a threshold
FIGURES = {
    "roc": (False, True),
    "pr": (False, True),
    "pr-gain": (False, False),
    "det": (False, False),
    "gain": (False, False),
    "lift": (False, False),
    "cost": (False, False),
    "decision": (False, False),
    "reliability": (False, False),
    "hull": (False, False),
    "distribution": (True, True),
    "thresholds": (True, True),
    "confusion": (True, True),
}
ENDINGS = (".svg", ".pdf", ".png")


@click.command("plot")
@reading_options
@click.option(
    "--figure",
    type=click.Choice(list(FIGURES)),
    default="roc",
    show_default=True,
    help="What to draw; decision and reliability need probabilities.",
)
@click.option(
    "--threshold",
    type=number,
    metavar="X",
    help="Also show scores cut here (roc, pr, distribution, thresholds); confusion needs it.",
)
@click.option(
    *("-o", "--output"),
    type=click.Path(),
    required=True,
    metavar="FILE",
    help="Where to; the name ends in .svg, .pdf or .png.",
)
@force_option
def command(
    file: str,
    label: str,
    scores: tuple[str, ...],
    figure: str,
    threshold: float | None,
    output: str,
    *,
    force: bool,
    **rest: Any,
) -> None:
    """Draw one figure of the scores in FILE, at the width of a journal's column.

    \b
    curvewise plot scores.csv --label ill --score a --score b -o roc.svg
    curvewise plot scores.csv --label ill --score a --figure confusion --threshold 0.5 -o table.pdf
    """  # noqa: D301 - click wants the backspace itself
    check_columns(label, scores, rest["weight"])
    alone, cut = FIGURES[figure]
    if alone and len(scores) > 1:
        raise click.UsageError(f"--figure {figure}: shows one --score.")
    if threshold is not None and not cut:
        raise click.UsageError(f"--threshold: has no meaning with --figure {figure}.")
    if threshold is None and figure == "confusion":
        raise click.UsageError("--figure confusion: give --threshold.")
    if Path(output).suffix.lower() not in ENDINGS:
        raise click.UsageError(f"--output: a figure is written as {', '.join(ENDINGS)}, got {output!r}.")
    from curvewise.results.writing import output_path  # noqa: PLC0415 - checks first, heavy imports after

    path = output_path(output, file, force=force)
    from curvewise.cli.output import put  # noqa: PLC0415 - --help needs no NumPy
    from curvewise.cli.plotted import plotted  # noqa: PLC0415
    from curvewise.cli.run import say  # noqa: PLC0415
    from curvewise.figures import save

    drawn, notes = plotted(file, label, scores, figure, threshold, **rest)
    for note in notes:
        say(f"Note: {note}.")
    save(drawn, str(path))
    put(f"Figure: {visible(str(path))}\n")
