"""What the library says of columns, rows and options, in the words of a file and of the command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from curvewise.errors import (
    Advice,
    ColumnName,
    CurvewiseError,
    MissingExtraError,
    OptionName,
    RowNumbers,
    SourceError,
)


@dataclass(frozen=True)
class FileWords:
    """How the fields of an error are written for somebody who gave a file.

    ``columns`` has the file's column for each name of the library (``y``, ``score``, ``score 'a'``,
    ``weight``), None where there is none; ``first_line`` the line of the first row, None where a row is not a
    line of text; ``options`` what options are called on the command line, where they have another name. With
    ``python``, options are those of the library.

    Examples
    --------
    >>> from curvewise.errors import ColumnName, CurvewiseError, OptionName, RowNumbers
    >>> error = CurvewiseError("{c} has gaps ({r}); pass {o}.", c=ColumnName("y"), r=RowNumbers((3,)),
    ...                        o=OptionName("missing", "drop"))
    >>> print(error)
    y has gaps (row 3); pass missing='drop'.
    >>> print(FileWords({"y": "ill"}, first_line=2).translate(error))
    column 'ill' has gaps (line 5); pass --missing drop.
    """

    columns: Mapping[str, str | None] = field(default_factory=dict)
    first_line: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    python: bool = False  # whether options are said as in Python

    def translate(self, error: CurvewiseError) -> CurvewiseError:
        """Return the error in the words of the file; one that speaks of a file already stays as it is."""
        if isinstance(error, (SourceError, MissingExtraError)) or not error.fields:
            return error
        return type(error)(error.in_words(self))

    def __call__(self, value: object) -> str:
        """Write one field."""
        if isinstance(value, ColumnName):
            column = self.columns.get(value.name)
            return value.name if column is None else f"column {column!r}"
        if isinstance(value, RowNumbers):
            return file_lines(value, self.first_line)
        if self.python:
            return str(value)
        if isinstance(value, OptionName):
            name = self.options.get(value.name, value.name).replace("_", "-")
            return f"--{name}" if value.value is None else f"--{name} {value.value}"
        return value.command if isinstance(value, Advice) else str(value)


def file_lines(found: RowNumbers, first_line: int | None) -> str:
    """Name rows as lines of the file, or as data rows counted from 1 where a row is not a line.

    >>> file_lines(RowNumbers((0, 3), more=True), 2), file_lines(RowNumbers((0,)), None)
    ('lines 2, 5, …', 'data row 1')
    """
    noun, start = ("data row", 1) if first_line is None else ("line", first_line)
    listed = ", ".join(str(r + start) for r in found.rows) + (", …" if found.more else "")
    return f"{noun}{'' if len(found.rows) == 1 and not found.more else 's'} {listed}"
