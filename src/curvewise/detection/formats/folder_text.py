"""Small text files of a folder, and what is wrong with one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from curvewise.errors import CurvewiseError, SourceError

if TYPE_CHECKING:
    from pathlib import Path


def text_of(file: Path) -> str:
    """Return the text of a file."""
    try:
        return file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise SourceError(f"{file}: this is not UTF-8 text; save it as UTF-8.") from None
    except OSError as error:
        raise SourceError(f"{file}: cannot be read ({error.strerror or error}).") from None


def numbers_of(cells: Sequence[str], file: Path, line: int | None = None) -> list[float]:
    """Return the numbers of a line."""
    try:
        return [float(c) for c in cells]
    except ValueError:
        raise file_error(file, line, f"expected numbers, got {' '.join(cells)[:60]!r}") from None


def file_error(file: Path, line: int | None, problem: str) -> CurvewiseError:
    """Return an error about a file of the folder."""
    at = "" if line is None else f", line {line}"
    return CurvewiseError("{place}: {problem}; correct the file.", place=f"{file}{at}", problem=problem)
