"""``curvewise recalibrate``: the probabilities in a file mended by a saved map, in one more column."""

from __future__ import annotations

import sys

import click


@click.command("recalibrate")
@click.argument("file")
@click.option(
    "--map", "map_file", required=True, metavar="FILE", help="The map, from curvewise calibrate --save."
)
@click.option(
    "--score", metavar="COL", help="Column of probabilities; default: the one the map was fitted on."
)
@click.option("--as", "name", metavar="NAME", help="Name of the new column; default: COL_recalibrated.")
@click.option(
    "--missing",
    type=click.Choice(["raise", "keep"]),
    default="raise",
    show_default=True,
    help="Stop at a missing probability, or leave it missing in the new column.",
)
@click.option("-o", "--output", metavar="FILE", help="Write to a file instead of standard output.")
@click.option("--force", is_flag=True, help="Replace the output file if it exists.")
def command(
    file: str,
    map_file: str,
    score: str | None,
    name: str | None,
    missing: str,
    output: str | None,
    *,
    force: bool,
) -> None:
    """Write FILE again with one more column: its probabilities, mended.

    The output is of the same kind as FILE, and all its other columns are copied as they are, cells that a
    spreadsheet would read as formulas too.

    \b
    curvewise recalibrate scores.csv --map map.json -o mended.csv
    curvewise recalibrate scores.csv --map map.json --score model_a --as probability -o mended.csv
    """  # noqa: D301 - click wants the backspace itself
    if file == map_file:
        raise click.UsageError("--map: the data and the map need a file each.")
    from curvewise.results.writing import output_path, write_atomically  # noqa: PLC0415 - checks first

    path = output_path(output, file, force=force)
    output_path(output, map_file, force=True)  # nor over the map
    from curvewise.cli.mended import mended  # noqa: PLC0415 - --help needs no NumPy
    from curvewise.cli.run import say  # noqa: PLC0415

    data, notes = mended(file, map_file, score, name, path, keep_missing=missing == "keep")
    for note in notes:
        say(f"Note: {note}.")
    if path is not None:
        write_atomically(path, data)
    else:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
