"""``curvewise plot``: one figure of the scores in a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from curvewise.cli.file_rows import ScoreFile
from curvewise.cli.options import FORCE, READING, SEED, make_command, number, option
from curvewise.cli.output import put, say
from curvewise.errors import CurvewiseError
from curvewise.results.text import visible

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# every figure: the verb that makes what is drawn of each score (none: the sweep itself), whether it shows one
# score alone, and whether it shows a threshold
FIGURES = {
    "roc": ("roc_curve", False, True),
    "pr": ("pr_curve", False, True),
    "pr-gain": ("pr_gain_curve", False, False),
    "det": ("det_curve", False, False),
    "gain": ("lift_curve", False, False),
    "lift": ("lift_curve", False, False),
    "cost": ("cost_curve", False, False),
    "decision": ("decision_curve", False, False),
    "reliability": ("reliability", False, False),
    "hull": ("roc_hull", False, False),
    "distribution": (None, True, True),
    "thresholds": (None, True, True),
    "confusion": (None, True, True),
}
ENDINGS = (".svg", ".pdf", ".png")


@make_command(
    "plot",
    *READING,
    option("--figure", "What to draw; decision and reliability need probabilities.", tuple(FIGURES)),
    option(
        "--threshold X",
        "Also show scores cut here (roc, pr, distribution, thresholds); confusion needs it.",
        number,
    ),
    SEED,
    option("-o --output FILE", "Where to; the name ends in .svg, .pdf or .png.", click.Path(), required=True),
    FORCE,
)
def command(figure: str, threshold: float | None, seed: int, output: str, *, force: bool, **reading: Any) -> None:
    """Draw one figure of the scores in FILE, at the width of a journal's column.

    \b
    curvewise plot scores.csv --label ill --score a --score b -o roc.svg
    curvewise plot scores.csv --label ill --score a --figure confusion --threshold 0.5 -o table.pdf
    """  # noqa: D301 - click wants the backspace itself
    data = ScoreFile.named_in(reading)
    _, alone, cut = FIGURES[figure]
    if alone and len(data.scores) > 1:
        raise click.UsageError(f"--figure {figure}: shows one --score.")
    if threshold is not None and not cut:
        raise click.UsageError(f"--threshold: has no meaning with --figure {figure}.")
    if threshold is None and figure == "confusion":
        raise click.UsageError("--figure confusion: give --threshold.")
    if Path(output).suffix.lower() not in ENDINGS:
        raise click.UsageError(f"--output: a figure is written as {', '.join(ENDINGS)}, got {output!r}.")
    from curvewise.results.writing import output_path  # noqa: PLC0415 - checks first, heavy imports after

    path = output_path(output, data.file, force=force)
    from curvewise import figures  # noqa: PLC0415

    try:
        drawn = _drawn(data, figure, threshold, seed)
    except CurvewiseError as error:
        raise data.translated(error) from None
    for note in data.data.notes:
        say(f"Note: {note}.")
    figures.save(drawn, str(path))
    put(f"Figure: {visible(str(path))}\n")


def _drawn(data: ScoreFile, figure: str, threshold: float | None, seed: int) -> Figure:
    import curvewise as cw  # noqa: PLC0415 - the verbs by name
    from curvewise import figures  # noqa: PLC0415
    from curvewise.core.sweep import sweep_of  # noqa: PLC0415

    canvas = figures.figure()
    axes = canvas.add_subplot()
    sweeps = data.each(sweep_of)
    verb = FIGURES[figure][0]
    draw = getattr(figures, f"draw_{figure.replace('-', '_')}")
    points = {} if threshold is None else {name: sweep.at(threshold) for name, sweep in sweeps.items()}
    if verb is None:
        only = data.scores[0]
        draw(points[only], ax=axes) if figure == "confusion" else draw(sweeps[only], ax=axes, threshold=threshold)
        return canvas
    seeded, marks = ({"rng": seed}, {"histogram": sweeps}) if figure == "reliability" else ({}, {})
    found = data.each(lambda rows: getattr(cw, verb)(rows, **seeded))
    draw(found, ax=axes, **marks, **({"point": points} if points else {}))
    return canvas
