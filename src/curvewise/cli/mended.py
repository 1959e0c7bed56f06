"""Read a map and a file, and return the file with the mended probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from curvewise.cli.words import words_of_the_file
from curvewise.errors import CurvewiseError, SourceError
from curvewise.probabilities.recalibrate import Recalibration
from curvewise.results.numbers import show
from curvewise.rows.columns import count
from curvewise.sources._polars import pl
from curvewise.sources.appended import read_whole
from curvewise.sources.numbers import places
from curvewise.sources.source import open_source

if TYPE_CHECKING:
    from pathlib import Path


def mended(
    file: str,
    map_file: str,
    score: str | None,
    name: str | None,
    path: Path | None,
    *,
    keep_missing: bool,
) -> tuple[bytes, list[str]]:
    """Return the bytes to write, and notes on how they were made."""
    fit = _read_map(map_file)
    column = fit.score if score is None else score
    if column is None:
        raise CurvewiseError(f"{map_file}: the map does not say which column it is for; give --score.")
    whole = read_whole(file, column)
    if path is not None:
        whole.check_name(path)
    elif whole.frame is not None:
        raise SourceError(f"{whole.source.name}: {whole.kind.capitalize()} needs a file to go to; give -o.")
    gaps = whole.values.is_null()
    if gaps.any() and not keep_missing:
        raise CurvewiseError(
            f"column {column!r} has {count(int(gaps.sum()), 'missing value')} "
            f"({places(gaps.arg_true().to_list(), whole.first_line)}); fill the gaps, or give --missing keep."
        )
    told = whole.values.fill_null(0.5).to_numpy()
    with words_of_the_file({"p": column}, whole.first_line):
        better = fit.apply(told)
    values = pl.Series(better).set(gaps, None)
    new = f"{column}_recalibrated" if name is None else name
    there = ~gaps.to_numpy()
    notes = list(whole.notes)
    if there.any():
        before, after = (show(float(np.mean(p[there]))) for p in (told, better))
        notes.append(f"{fit.method} map: the mean of {column} is {before}, that of {new} {after}")
    if gaps.any():
        notes.append(f"{count(int(gaps.sum()), 'row')} without a probability stay without one")
    return whole.with_column(new, values), notes


def _read_map(map_file: str) -> Recalibration:
    with open_source(map_file).open() as stream:
        text = stream.read()
    try:
        return Recalibration.from_json(text)
    except CurvewiseError as error:
        raise CurvewiseError(f"{map_file}: {error}") from None
