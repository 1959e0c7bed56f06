"""The first sheet of an Excel workbook that a reader sees and that is not empty, read by fastexcel."""

from __future__ import annotations

import importlib
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, BinaryIO

from curvewise.errors import MissingExtraError, Note, SourceError, note
from curvewise.sources._polars import pl
from curvewise.sources.formats.format import Format, positions
from curvewise.sources.unpack import PIECE, check_size

if TYPE_CHECKING:
    from curvewise.sources.byte_source import ByteSource

PLACE = re.compile(rb'\br="([A-Z]{1,3})(\d{1,7})"')  # of a cell
LONGEST_PLACE = 16
# the reader makes room for every place between the first cell and the last
MOST_PLACES, MOST_PER_CELL = 10_000_000, 20


def columns(source: ByteSource, _: Format) -> list[str]:
    """Return the names in the first row that is not empty."""
    return _sheet(source, rows=1)[0]


def head(source: ByteSource, _: Format, rows: int) -> pl.DataFrame:
    """Return the first rows; of columns of one name, the last."""
    header, frame, _notes = _sheet(source, rows=rows)
    return _called(frame, {name: at for at, name in enumerate(header)})


def read(source: ByteSource, _: Format, wanted: Sequence[str]) -> tuple[pl.DataFrame, list[Note], int | None]:
    """Return the wanted columns, and a note where there are more sheets."""
    header, frame, notes = _sheet(source)
    return _called(frame, positions(source.name, header, wanted)), notes, None


append = None  # what else a workbook holds would be lost


def _called(frame: pl.DataFrame, places: dict[str, int]) -> pl.DataFrame:
    """Return columns by name, each from its place."""
    return frame.select(pl.col(str(at)).alias(name) for name, at in places.items())


def _sheet(source: ByteSource, *, rows: int | None = None) -> tuple[list[str], pl.DataFrame, list[Note]]:
    """Return the names of the columns, the columns called by their position, and a note where there are more sheets.

    Cells keep the type that the sheet gives them; a column of several types is text. Rows that are empty throughout
    are no rows. ``rows`` limits how many are read.
    """
    fastexcel = _fastexcel()
    with source.open() as stream:
        check_size(source.name, stream)
        _check_places(source.name, stream)
        stream.seek(0)
        data = stream.read()
    try:
        reader = fastexcel.read_excel(data)
        sheets = reader.sheet_names
        at, header = _first_sheet(reader)
        # row 0 is the first that is not empty
        frame = reader.load_sheet(at, header_row=0, n_rows=rows, schema_sample_rows=None).to_polars()
    except (fastexcel.FastExcelError, ValueError, OSError, pl.exceptions.PolarsError) as error:
        why = str(error).split("\n", 1)[0].rstrip(".")
        raise SourceError(f"{source.name}: cannot be read as an Excel workbook ({why}); save it as CSV.") from None
    frame = frame.rename({old: str(at) for at, old in enumerate(frame.columns)})
    frame = frame.filter(~pl.all_horizontal(pl.all().is_null())) if frame.width else frame
    frame = frame.with_columns(_whole(column) for column in frame)
    notes = [note("first_sheet", sheet=sheets[at], sheets=len(sheets))] if len(sheets) > 1 else []
    return header, frame, notes


def _first_sheet(reader: Any) -> tuple[int, list[str]]:
    """Return which sheet is the first that is visible and not empty (a sheet of a chart is), and its first row."""
    for at in range(len(reader.sheet_names)):
        sheet = reader.load_sheet(at, header_row=None, n_rows=1, dtypes="string")
        above = sheet.to_polars() if sheet.visible == "visible" else pl.DataFrame()
        if above.height:
            return at, ["" if cell is None else str(cell) for cell in above.row(0)]
    raise ValueError("no sheet that is visible has cells")


def _check_places(name: str, stream: BinaryIO) -> None:
    """Refuse a sheet with a cell so far from the others that the places between them would fill the memory."""
    with zipfile.ZipFile(stream) as archive:
        for part in archive.namelist():
            if not re.fullmatch(r"xl/worksheets/[^/]+\.xml", part):
                continue
            cells, columns, rows = 0, set[int](), set[int]()
            for places in _places(archive, part):
                cells += len(places)
                columns |= {_column_number(letters) for letters in {letters for letters, _ in places}}
                rows |= {int(row) for row in {row for _, row in places}}
            if cells and _reach(columns) * _reach(rows) > max(MOST_PLACES, MOST_PER_CELL * cells):
                raise SourceError(
                    f"{name}: {part} has {cells} cells far apart, the last in row {max(rows)} and column "
                    f"{max(columns)}; clear what stands beside or below the table, or save it as CSV."
                )


def _places(archive: zipfile.ZipFile, part: str) -> Iterator[list[tuple[bytes, bytes]]]:
    """Yield the places of cells by column and row, those between two pieces too; a corrupt part is the reader's."""
    rest = b""
    try:
        with archive.open(part) as stream:
            while piece := stream.read(PIECE):
                yield PLACE.findall(rest + piece)
                rest = piece[-LONGEST_PLACE:]
    except (zipfile.BadZipFile, zlib.error, OSError, RuntimeError, NotImplementedError):
        return


def _column_number(letters: bytes) -> int:
    """Return the number of a column: A is 1, AA 27."""
    return reduce(lambda number, letter: 26 * number + letter - 64, letters, 0)


def _reach(numbers: set[int]) -> int:
    return max(numbers) - min(numbers) + 1


def _whole(column: pl.Series) -> pl.Series:
    """Return whole numbers as such: a sheet holds every number as a float."""
    if (
        column.dtype != pl.Float64
        or not (column.is_null() | ((column == column.floor()) & (column.abs() < 2**53))).all()
    ):
        return column
    return column.cast(pl.Int64)


def _fastexcel() -> Any:
    try:
        return importlib.import_module("fastexcel")
    except ImportError:
        raise MissingExtraError(
            "Reading Excel workbooks needs fastexcel, which is not installed; "
            "install it with: pip install 'curvewise[excel]'"
        ) from None
