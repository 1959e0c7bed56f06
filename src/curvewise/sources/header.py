"""The names of a file's columns: each wanted one there, and there once."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from curvewise.errors import CurvewiseError

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_LISTED = 12


def positions(source: str, header: Sequence[str], wanted: Sequence[str]) -> dict[str, int]:
    """Return where each wanted column is; refuse a name that is absent or stands there twice."""
    for name in wanted:
        times = header.count(name)
        if times == 0:
            raise CurvewiseError(_absent(source, header, name))
        if times > 1:
            raise CurvewiseError(
                f"{source}: {times} columns are called {name!r}; rename them, so that one is meant."
            )
    return {name: header.index(name) for name in wanted}


def _absent(source: str, header: Sequence[str], name: str) -> str:
    folded = {h.strip().casefold(): h for h in header}
    close = get_close_matches(name.strip().casefold(), list(folded), n=1)
    hint = f" (did you mean {folded[close[0]]!r}?)" if close else ""
    listed = ", ".join(repr(h) for h in header[:MOST_LISTED])
    more = f", … {len(header)} in all" if len(header) > MOST_LISTED else ""
    return f"{source}: there is no column {name!r}{hint}; the columns are {listed}{more}."
