"""Between the user's words (columns, lines, options) and the library's (arguments, rows)."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from curvewise.errors import CurvewiseError, MissingExtraError, SourceError, UndefinedMetricError
from curvewise.sources._polars import pl
from curvewise.sources.numbers import places

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# what the library says, and how one does it here
WORDS = (
    ("pass missing='drop'", "give --missing drop"),
    ("positive=", "--positive "),
    ("pass threshold=, and no other option", "give --threshold, and no other option of a metric"),
    ("use multiclass", "give one --score a class and --multiclass"),
    ("the order is (y, score)", "check --label and --score"),
)


def positive_label(labels: pl.Series, text: str | None) -> object:
    """Return the label that the user's text names, in the type of the column."""
    if text is None:
        return labels.dtype == pl.Boolean or 1
    if labels.dtype == pl.String:
        return text
    if labels.dtype == pl.Boolean:
        return {"true": True, "1": True, "false": False, "0": False}.get(text.strip().lower(), text)
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        return text  # the door says that no label equals it, and lists the labels
    return int(number) if number.is_integer() else number


@contextmanager
def words_of_the_file(roles: Mapping[str, str | None], first_line: int | None) -> Iterator[None]:
    """Say what the library finds wrong with the data in the words of `in_words_of_the_file`."""
    try:
        yield
    except (UndefinedMetricError, SourceError, MissingExtraError):
        raise
    except CurvewiseError as error:
        raise CurvewiseError(in_words_of_the_file(str(error), roles, first_line)) from None


def in_words_of_the_file(message: str, roles: Mapping[str, str | None], first_line: int | None) -> str:
    """Turn the library's names into columns, lines and options that the user gave."""
    for role, column in roles.items():
        shown = f"column {column!r}".replace("\\", r"\\")
        message = re.sub(rf"(^| and ){re.escape(role)}(?=: | has )", rf"\g<1>{shown}", message)
    for library, command in WORDS:
        message = message.replace(library, command)

    def lines(match: re.Match[str]) -> str:
        rows = [int(r) for r in re.findall(r"\d+", match[1])]
        more = ", …" if "…" in match[1] else ""
        return f"({places(rows, first_line)}{more})"

    return re.sub(r"\(rows? ([\d, …]+)\)", lines, message)
