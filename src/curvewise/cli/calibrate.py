"""``curvewise calibrate``: whether the probabilities in a file mean what they say; a map to mend them."""

from __future__ import annotations

from typing import Any

import click

from curvewise.cli.options import (
    SHARE,
    check_columns,
    format_for,
    level_option,
    output_options,
    reading_options,
    seed_option,
)

METHODS = ("isotonic", "platt", "beta", "temperature", "prior")


@click.command("calibrate")
@reading_options
@click.option("--bins", type=click.IntRange(1), default=10, show_default=True, help="Bins of ECE and MCE.")
@click.option(
    "--how",
    type=click.Choice(["width", "mass"]),
    default="width",
    show_default=True,
    help="Bins of equal what.",
)
@level_option
@click.option("--method", type=click.Choice(METHODS), help="Also fit a map that mends the probabilities.")
@click.option("--prevalence", type=SHARE, metavar="P", help="Share of positives to come, for --method prior.")
@click.option("--save", metavar="FILE", help="Write the map to a file, for curvewise recalibrate.")
@seed_option
@output_options
def command(
    file: str,
    label: str,
    scores: tuple[str, ...],
    method: str | None,
    prevalence: float | None,
    save: str | None,
    form: str | None,
    output: str | None,
    *,
    force: bool,
    **rest: Any,
) -> None:
    """Say whether the probabilities in FILE mean what they say, and mend them.

    --score names a column of probabilities of the positive class. With --method a map is fitted, and judged
    on rows that it was not fitted on.

    \b
    curvewise calibrate scores.csv --label ill --score model_a
    curvewise calibrate scores.csv --label ill --score model_a --method beta --save map.json
    """  # noqa: D301 - click wants the backspace itself
    check_columns(label, scores, rest["weight"])
    if save is not None and (method is None or len(scores) > 1):
        raise click.UsageError("--save: needs --method, and one --score.")
    if (method == "prior") != (prevalence is not None):
        raise click.UsageError("--prevalence: goes with --method prior, and that with it.")
    if save is not None and save == output:
        raise click.UsageError("--save: the map and the report need a file each.")
    from curvewise.results.writing import output_path, write_atomically  # noqa: PLC0415 - checks first

    path, map_path = (output_path(name, file, force=force) for name in (output, save))
    from curvewise.cli.calibrated import calibrated  # noqa: PLC0415 - --help needs no NumPy
    from curvewise.cli.output import emit  # noqa: PLC0415

    found = calibrated(file, label, scores, method=method, prevalence=prevalence, **rest)
    if map_path is not None:
        write_atomically(map_path, found.scores[0].map_json().encode())
    emit(found, format_for(form, output), path)
