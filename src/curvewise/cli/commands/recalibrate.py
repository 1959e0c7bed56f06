"""``curvewise recalibrate``: the probabilities in a file corrected by a saved map, in one more column."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from curvewise.cli.options import FORCE, make_command, option
from curvewise.errors import CurvewiseError, RowNumbers, SourceError

if TYPE_CHECKING:
    from pathlib import Path

    from curvewise.probabilities.recalibrate import Recalibration


@make_command(
    "recalibrate",
    click.argument("file", type=click.Path()),
    option("--map FILE", "The map, from curvewise calibrate --save.", into="map_file", required=True),
    option("--score COL", "Column of probabilities; default: the one the map was fitted on."),
    option("--as NAME", "Name of the new column; default: COL_recalibrated.", into="name"),
    option(
        "--missing",
        "Stop at a missing probability, or leave it missing in the new column.",
        ("raise", "keep"),
    ),
    option("-o --output FILE", "Write to a file instead of standard output.", click.Path()),
    FORCE,
)
def command(file: str, map_file: str, missing: str, output: str | None, *, force: bool, **names: Any) -> None:
    """Copy FILE with one more column: the recalibrated probabilities.

    The output is of the same kind and encoding as FILE, and all its other columns are copied as they are, cells that
    a spreadsheet would read as formulas too.

    \b
    curvewise recalibrate scores.csv --map map.json -o corrected.csv
    curvewise recalibrate scores.csv --map map.json --score model_a --as probability -o corrected.csv
    """  # noqa: D301 - click wants the backspace itself
    if file == map_file:
        raise click.UsageError("--map: the data and the map need a file each.")
    from curvewise.cli.output import say  # noqa: PLC0415 - --help needs no more
    from curvewise.results.writing import output_path, write_atomically  # noqa: PLC0415

    path = output_path(output, file, force=force)
    output_path(output, map_file, force=True)  # nor over the map
    data, notes = _corrected(file, map_file, path, keep_missing=missing == "keep", **names)
    for note in notes:
        say(f"Note: {note}.")
    if path is not None:
        write_atomically(path, data, force=force)
    else:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def _corrected(
    file: str, map_file: str, path: Path | None, *, score: str | None, name: str | None, keep_missing: bool
) -> tuple[bytes, list[str]]:
    """Return the bytes to write, and notes on how they were made."""
    from curvewise.results.numbers import show  # noqa: PLC0415
    from curvewise.rows.columns import count  # noqa: PLC0415
    from curvewise.sources.byte_source import NAMES  # noqa: PLC0415
    from curvewise.sources.files import read_whole  # noqa: PLC0415
    from curvewise.sources.wording import FileWords, file_lines  # noqa: PLC0415

    fit = _read_map(map_file)
    column = fit.score if score is None else score
    if column is None:
        raise CurvewiseError(f"{map_file}: the map does not say which column it is for; give --score.")
    whole = read_whole(file, column)
    if path is not None:
        whole.check_name(path)
    elif not whole.form.is_text:
        raise SourceError(f"{whole.source.name}: {whole.form.title} needs a file to go to; give -o.")
    gaps = whole.values.is_null()
    empty = gaps.arg_true().to_list()
    if empty and not keep_missing:
        where = file_lines(RowNumbers(tuple(empty[:5]), len(empty) > 5), whole.first_line)
        raise CurvewiseError(
            f"column {column!r} has {count(len(empty), 'missing value')} ({where}); "
            "fill the gaps, or give --missing keep."
        )
    given = whole.values.fill_null(0.5).to_numpy()
    try:
        better = fit.apply(given)
    except CurvewiseError as error:
        raise FileWords({"p": column}, whole.first_line).translate(error) from None
    there = ~gaps.to_numpy()
    new = f"{column}_recalibrated" if name is None else name
    notes = list(map(str, whole.notes))
    if whole.source.encoding != "utf-8":
        notes.append(f"the output is {NAMES[whole.source.encoding]} text as the input is")
    if there.any():
        before, after = (show(float(p[there].mean())) for p in (given, better))
        notes.append(f"{fit.method} map: the mean of {column} is {before}, that of {new} {after}")
    if empty:
        notes.append(f"{count(len(empty), 'row')} without a probability stay without one")
    return whole.with_column(new, type(whole.values)(better).set(gaps, None)), notes


def _read_map(map_file: str) -> Recalibration:
    from curvewise.probabilities.recalibrate import Recalibration  # noqa: PLC0415 - --help needs no NumPy
    from curvewise.sources.byte_source import open_source  # noqa: PLC0415

    text = open_source(map_file).read()
    try:
        return Recalibration.from_json(text)
    except CurvewiseError as error:
        raise CurvewiseError(f"{map_file}: {error}") from None
