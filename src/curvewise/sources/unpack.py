"""Packed files: gzip, Zstandard, and zip archives of one file; none may grow without bound."""

from __future__ import annotations

import gzip
import importlib
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import PurePosixPath
from typing import Any, BinaryIO

from curvewise.errors import CurvewiseError, MissingExtraError, SourceError

MAGIC = {b"\x1f\x8b": ("gzip", ".gz"), b"\x28\xb5\x2f\xfd": ("Zstandard", ".zst"), b"PK\x03\x04": ("zip", ".zip")}
PACKED = tuple(suffix for _, suffix in MAGIC.values())
PIECE = 1 << 20
# a table of text rarely shrinks to a hundredth; small files may, and need no bound
MOST_BYTES, MOST_TIMES = 1 << 28, 200
WORKBOOK = "xl/workbook"  # of .xlsx, .xlsm and .xlsb


def packing(head: bytes) -> tuple[str, str] | None:
    """Return how a file is packed, by its first bytes, and the ending of such files."""
    return next((found for magic, found in MAGIC.items() if head.startswith(magic)), None)


def unpacked(name: str, stream: BinaryIO, how: str) -> tuple[bytes, str | None]:
    """Return what is packed, and what it is called inside, None where nothing says it."""
    size = stream.seek(0, 2)
    stream.seek(0)
    limit = max(MOST_BYTES, MOST_TIMES * size)
    try:
        with _opened(name, stream, how) as (inner, called):
            data = b"".join(_pieces(name, inner, limit))
    except (OSError, EOFError, zlib.error, ValueError, RuntimeError, NotImplementedError, zipfile.BadZipFile) as error:
        if isinstance(error, CurvewiseError):
            raise
        raise SourceError(f"{name}: the {how} file is corrupt ({error}).") from None
    return data, called


def is_spreadsheet(stream: BinaryIO) -> bool:
    """Say whether a zip archive is a workbook of Excel."""
    try:
        with zipfile.ZipFile(stream) as archive:
            return any(member.startswith(WORKBOOK) for member in archive.namelist())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return False


def check_size(name: str, stream: BinaryIO) -> None:
    """Refuse a zip archive that says it unpacks to far more than it is."""
    size = stream.seek(0, 2)
    stream.seek(0)
    with zipfile.ZipFile(stream) as archive:
        if sum(member.file_size for member in archive.infolist()) > max(MOST_BYTES, MOST_TIMES * size):
            raise _too_large(name)


def _pieces(name: str, inner: Any, limit: int) -> Iterator[bytes]:
    total = 0
    while piece := inner.read(PIECE):
        total += len(piece)
        if total > limit:
            raise _too_large(name)
        yield piece


def _too_large(name: str) -> SourceError:
    return SourceError(
        f"{name}: unpacks to more than {MOST_TIMES} times its size, as no table of this size does; unpack it first."
    )


@contextmanager
def _opened(name: str, stream: BinaryIO, how: str) -> Iterator[tuple[Any, str | None]]:
    if how == "gzip":
        with gzip.open(stream) as inner:
            yield inner, None
    elif how == "Zstandard":
        with _zstandard(stream) as inner:
            yield inner, None
    else:
        with zipfile.ZipFile(stream) as archive:
            member = _only_file(name, archive)
            with archive.open(member) as inner:
                yield inner, member.filename


def _only_file(name: str, archive: zipfile.ZipFile) -> zipfile.ZipInfo:
    """Return the one file of an archive; what macOS adds about files is passed over."""
    members = [m for m in archive.infolist() if not m.is_dir() and not _is_hidden(m.filename)]
    if len(members) != 1:
        there = ", ".join(repr(m.filename) for m in members[:5]) + (", …" if len(members) > 5 else "")
        raise SourceError(
            f"{name}: the archive holds {len(members)} files, expected one"
            + (f" ({there}); unpack it and name the file that is meant." if members else ".")
        )
    if members[0].flag_bits & 1:
        raise SourceError(f"{name}: the archive is locked by a password; unpack it first.")
    return members[0]


def _is_hidden(name: str) -> bool:
    return any(part.startswith((".", "__MACOSX")) for part in PurePosixPath(name).parts)


def _zstandard(stream: BinaryIO) -> Any:
    try:
        return importlib.import_module("compression.zstd").open(stream)  # Python 3.14
    except ImportError:
        pass
    try:
        package = importlib.import_module("zstandard")
    except ImportError:
        raise MissingExtraError(
            "Reading .zst files needs zstandard, which is not installed; install it with: pip install 'curvewise[zstd]'"
        ) from None
    return _PartsOf(package, stream)


class _PartsOf:
    """All frames of a Zstandard file; a file that is cut off is an error."""

    def __init__(self, package: Any, stream: BinaryIO) -> None:
        self.new = package.ZstdDecompressor().decompressobj
        self.error = package.ZstdError
        self.stream, self.part, self.rest = stream, self.new(), b""
        self.inside = False

    def __enter__(self) -> _PartsOf:
        return self

    def __exit__(self, *_: object) -> None: ...

    def read(self, _: int) -> bytes:
        # a bomb grows at most by what 4 KiB can hold before its size is looked at
        while piece := self.rest or self.stream.read(1 << 12):
            self.rest, self.inside = b"", True
            try:
                plain: bytes = self.part.decompress(piece)
            except self.error as error:
                raise OSError(str(error)) from None
            if self.part.eof:
                self.rest, self.part, self.inside = self.part.unused_data, self.new(), False
            if plain:
                return plain
        if self.inside:
            raise EOFError("it ends too early")
        return b""
