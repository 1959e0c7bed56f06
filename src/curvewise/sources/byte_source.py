"""Where the bytes come from: a file, a pipe, standard input, any of them gzipped."""

from __future__ import annotations

import codecs
import gzip
import hashlib
import io
import stat
import sys
import zlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from curvewise.errors import Note, SourceError, note

HEAD = 1 << 16
PIECE = 1 << 20
GZIP = b"\x1f\x8b"
# UTF-32 first: its little-endian mark begins with that of UTF-16
MARKS = (
    *((mark, "utf-32") for mark in (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)),
    *((mark, "utf-16") for mark in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)),
    (codecs.BOM_UTF8, "utf-8-sig"),
)


@dataclass(frozen=True)
class ByteSource:
    """Bytes with a name: a file on disk (``path``), or bytes already read (``data``).

    ``sha256`` is of bytes that came from a pipe: they cannot be read again.
    """

    name: str
    suffix: str
    head: bytes
    path: Path | None = None
    data: bytes = b""
    sha256: str | None = None

    def open(self) -> BinaryIO:
        """Open the bytes for reading from their beginning."""
        if self.path is None:
            return io.BytesIO(self.data)
        try:
            return self.path.open("rb")
        except OSError as error:
            raise unreadable(self.name, error) from None

    def for_polars(self) -> Path | bytes:
        """Return what Polars reads: an absolute path, so that no name looks like an address."""
        return self.data if self.path is None else self.path


def open_source(path: str) -> ByteSource:
    """Find a file, or take standard input for ``-``; unpack gzip."""
    try:
        source = _from_standard_input() if path == "-" else _from_path(path)
    except OSError as error:
        raise unreadable("standard input" if path == "-" else path, error) from None
    if not source.head:
        raise SourceError(f"{source.name}: the file is empty.")
    zipped = source.head.startswith(GZIP)
    if source.suffix == ".gz" and not zipped:
        raise SourceError(f"{source.name}: not a gzip file, although its name ends in .gz.")
    return _unzipped(source, path) if zipped else source


def as_utf8(source: ByteSource) -> tuple[ByteSource, list[Note]]:
    """Return the source as UTF-8 without a byte order mark, with a note on what was changed."""
    for mark, encoding in MARKS:
        if source.head.startswith(mark):
            try:
                with source.open() as stream:
                    text = stream.read().decode(encoding)
            except UnicodeDecodeError as error:
                raise SourceError(
                    f"{source.name}: begins as {encoding.upper()} text but is not ({error.reason} at "
                    f"byte {error.start}); save it as UTF-8."
                ) from None
            shown = encoding.upper().removesuffix("-SIG")
            return _from_bytes(source, text.encode()), [note("byte_order_mark", encoding=shown)]
    if b"\0" in source.head:
        raise SourceError(
            f"{source.name}: neither text nor Parquet nor Arrow (it holds zero bytes); "
            "export the table as CSV or Parquet."
        )
    if b"\r" in source.head and b"\n" not in source.head:
        with source.open() as stream:
            return _from_bytes(source, stream.read().replace(b"\r", b"\n")), []
    return source, []


def _from_bytes(source: ByteSource, data: bytes) -> ByteSource:
    return replace(source, head=data[:HEAD], path=None, data=data)


def _from_standard_input() -> ByteSource:
    if sys.stdin is None:
        raise SourceError("standard input is closed; pipe a file into it, or name a file.")
    data = _all_of(sys.stdin.buffer)
    return ByteSource("standard input", "", data[:HEAD], data=data)


def _from_path(path: str) -> ByteSource:
    file = Path(path).absolute()
    mode = file.stat().st_mode
    if stat.S_ISDIR(mode):
        raise SourceError(f"{path}: this is a folder; name a file in it.")
    with file.open("rb") as stream:
        if stat.S_ISREG(mode) and _is_unicode(str(file)):
            return ByteSource(path, file.suffix.lower(), stream.read(HEAD), path=file)
        data = _all_of(stream)  # a pipe can be read only once, and Polars takes no other names
    digest = None if stat.S_ISREG(mode) else hashlib.sha256(data).hexdigest()
    return ByteSource(path, file.suffix.lower(), data[:HEAD], data=data, sha256=digest)


def _is_unicode(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:  # bytes of an older encoding
        return False
    return True


def _all_of(stream: BinaryIO) -> bytes:
    """Read to the end, piece by piece: one long read of a pipe can miss Ctrl-C between its parts."""
    return b"".join(iter(lambda: stream.read1(PIECE), b""))  # type: ignore[attr-defined]


def _unzipped(source: ByteSource, path: str) -> ByteSource:
    try:
        with source.open() as stream, gzip.open(stream) as unzipped:
            data = unzipped.read()
    except (OSError, EOFError, zlib.error) as error:
        raise SourceError(f"{source.name}: the gzip file is corrupt ({error}).") from None
    if not data:
        raise SourceError(f"{source.name}: the file is empty.")
    return replace(_from_bytes(source, data), suffix=Path(path).with_suffix("").suffix.lower())


def unreadable(name: str, error: Exception) -> SourceError:
    """Return the error of a file that cannot be read."""
    if isinstance(error, FileNotFoundError):
        return SourceError(f"{name}: there is no such file; check the name and the folder.")
    return SourceError(f"{name}: cannot be read ({getattr(error, 'strerror', None) or error}).")
