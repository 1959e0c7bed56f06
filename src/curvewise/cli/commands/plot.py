"""``curvewise plot``: one figure of the scores in a file, as a journal wants it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from curvewise.cli.horizon_file import file_in
from curvewise.cli.options import FORCE, READING_SCAN, RESAMPLING, flag, make_command, number, option
from curvewise.cli.output import mention, say
from curvewise.errors import CurvewiseError
from curvewise.results.text import visible
from curvewise.words import LANGS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from curvewise.cli.file_rows import ScoreFile


@dataclass(frozen=True)
class Kind:
    """A figure: the verb that makes what is drawn of each score (none: the sweep itself), and what it can show."""

    verb: str | None = None
    alone: bool = False  # one score
    threshold: bool = False
    band: str | None = None  # the verb of its band, or the option of its own verb
    metric: str | None = None  # whose interval stands in the legend
    scales: tuple[str, ...] = ("linear",)


LOG_ODDS = ("linear", "logit")
FIGURES = {
    "roc": Kind("roc_curve", threshold=True, band="roc_band", metric="roc_auc", scales=("linear", "log")),
    "pr": Kind("pr_curve", threshold=True, band="pr_band", metric="average_precision"),
    "pr-gain": Kind("pr_gain_curve"),
    "det": Kind("det_curve", metric="equal_error_rate"),
    "gain": Kind("lift_curve"),
    "lift": Kind("lift_curve"),
    "cost": Kind("cost_curve"),
    "decision": Kind("decision_curve", band="own"),
    "reliability": Kind("reliability", band="own"),
    "hull": Kind("roc_hull"),
    "distribution": Kind(alone=True, threshold=True, scales=LOG_ODDS),
    "thresholds": Kind(alone=True, threshold=True, scales=LOG_ODDS),
    "confusion": Kind(alone=True, threshold=True),
}
ENDINGS = (".svg", ".pdf", ".png")
WIDTHS = ("column", "page")
DRAWS = "reliability"  # the one figure whose band is resampled


def width_of(text: str) -> str | float:
    """Read a width: a journal's column or page, or millimetres."""
    if text in WIDTHS:
        return text
    try:
        return float(number(text))
    except click.BadParameter:
        raise click.BadParameter(f"{text!r} is neither column nor page nor a number of millimetres.") from None


@make_command(
    "plot",
    *READING_SCAN,
    option("--figure", "What to draw; decision and reliability need probabilities.", tuple(FIGURES)),
    option(
        "--threshold X",
        "Also mark this threshold (roc, pr, distribution, thresholds); confusion needs it.",
        number,
    ),
    flag("--band", "Bands around the curves (roc, pr, reliability, decision)."),
    flag("--ci", "Intervals in the legend: of AUC (roc), AP (pr), equal error rate (det)."),
    option(
        "--xscale",
        "log: false positive rates by powers of ten (roc); logit: log odds of scores (distribution, thresholds).",
        ("linear", "log", "logit"),
    ),
    option("--width", "A journal's column (89 mm) or page (132 mm), or millimetres.", width_of, default="column"),
    option("--font FAMILY", "An installed font."),
    option(
        "--font-size PT", "Size of the axes' names, in points; other text is an eighth smaller.", float, default=8.0
    ),
    flag("--gray", "No colours: dashes and shades of grey."),
    option("--dpi", "Dots per inch of a PNG.", click.IntRange(30, 2400), default=300),
    option("--lang", "Language of the figure.", LANGS),
    *RESAMPLING,
    option("-o --output FILE", "File to write, ending in .svg, .pdf or .png.", click.Path(), required=True),
    FORCE,
)
def command(figure: str, output: str, *, force: bool, **given: Any) -> None:
    """Draw one figure of the scores in FILE, at the width of a journal's column.

    \b
    curvewise plot scores.csv --label ill --score a --score b --band --ci -o roc.svg
    curvewise plot scores.csv --label ill --score a --figure confusion --threshold 0.5 -o table.pdf
    curvewise plot scores.csv --label ill --score a --gray --width 84 --font "Liberation Sans" -o roc.pdf
    """  # noqa: D301 - click wants the backspace itself
    data = file_in(given)
    _check(figure, output, len(data.scores), given)
    from curvewise.results.writing import output_path, write_atomically  # noqa: PLC0415 - checks first, heavy imports after

    output_path(output, data.file, force=force)
    from curvewise.figures.export import file_bytes  # noqa: PLC0415

    try:
        drawn = _drawn(data, figure, given)
    except CurvewiseError as error:
        raise data.translated(error) from None
    for note in (*data.data.notes, *data.remarks):
        say(f"Note: {note}.")
    write_atomically(Path(output), file_bytes(drawn, Path(output), dpi=given["dpi"]), force=force)
    mention(f"Figure: {visible(output)}\n")


def _check(figure: str, output: str, scores: int, given: dict[str, Any]) -> None:
    """Refuse what the figure cannot show, rather than leave it out."""
    kind, context = FIGURES[figure], click.get_current_context()
    typed = {name for name in given if context.get_parameter_source(name) == ParameterSource.COMMANDLINE}
    pointless = {
        "threshold": given["threshold"] is not None and not kind.threshold,
        "band": given["band"] and kind.band is None,
        "ci": given["ci"] and kind.metric is None,
    }
    for name in (name for name, wrong in pointless.items() if wrong):
        raise click.UsageError(f"--{name}: has no meaning with --figure {figure}.")
    if kind.alone and scores > 1:
        raise click.UsageError(f"--figure {figure}: shows one --score.")
    if given["xscale"] not in kind.scales:
        raise click.UsageError(f"--xscale {given['xscale']}: has no meaning with --figure {figure}.")
    if given["threshold"] is None and figure == "confusion":
        raise click.UsageError("--figure confusion: give --threshold.")
    if "level" in typed and not (given["band"] or given["ci"]):
        raise click.UsageError("--level: there is no interval to draw; give --band or --ci.")
    for name in sorted(typed & {"replicates", "seed"}):
        if not (figure == DRAWS and given["band"]):
            raise click.UsageError(f"--{name}: nothing is resampled here, only for --figure {DRAWS} with --band.")
    ending = Path(output).suffix.lower()
    if ending not in ENDINGS:
        raise click.UsageError(f"--output: a figure is written as {', '.join(ENDINGS)}, got {output!r}.")
    if "dpi" in typed and ending != ".png":
        raise click.UsageError(f"--dpi: a {ending} file has no dots; it is for .png.")


def _drawn(data: ScoreFile, figure: str, given: dict[str, Any]) -> Figure:
    import curvewise as cw  # noqa: PLC0415 - the verbs by name
    from curvewise import figures  # noqa: PLC0415
    from curvewise.core.sweep import sweep_of  # noqa: PLC0415

    kind, level, threshold = FIGURES[figure], given["level"], given["threshold"]
    canvas = figures.figure(given["width"], font=given["font"], font_size=given["font_size"], gray=given["gray"])
    draw = getattr(figures, f"draw_{figure.replace('-', '_')}")
    shown: dict[str, Any] = {"ax": canvas.add_subplot(), "lang": given["lang"]}
    if len(kind.scales) > 1:
        shown["xscale"] = given["xscale"]
    sweeps = data.each(sweep_of)
    points = {} if threshold is None else {name: sweep.at(threshold) for name, sweep in sweeps.items()}
    if kind.verb is None:
        only = data.scores[0]
        if figure == "confusion":
            draw(points[only], **shown)
        else:
            draw(sweeps[only], threshold=threshold, **shown)
        return canvas
    options: dict[str, Any] = {}
    if figure == "reliability":
        options = {"bands": None if given["band"] else "none", "level": level}
        options |= {"rng": given["seed"], "replicates": given["replicates"]}
        shown["histogram"] = sweeps
    elif figure == "decision":
        options, shown["band"] = {"level": level}, given["band"]
    elif given["band"]:
        from curvewise.inference.bands import rates_by_powers  # noqa: PLC0415

        most = max(sweep.negatives for sweep in sweeps.values())
        grid = rates_by_powers(most) if given["xscale"] == "log" else None
        shown["band"] = data.each(lambda rows: getattr(cw, str(kind.band))(rows, level=level, grid=grid))
    if given["ci"]:
        shown["estimate"] = data.each(lambda rows: cw.interval(str(kind.metric), rows, level=level))
    if points:
        shown["point"] = points
    draw(data.each(lambda rows: getattr(cw, str(kind.verb))(rows, **options)), **shown)
    return canvas
