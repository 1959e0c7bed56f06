"""Where the bytes come from: a file, a pipe, standard input, any of them packed."""

from __future__ import annotations

import codecs
import hashlib
import io
import os
import re
import stat
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from curvewise.errors import CurvewiseError, Note, SourceError, note
from curvewise.sources.unpack import PACKED, is_spreadsheet, packing, unpacked

HEAD = 1 << 16
PIECE = 1 << 20
SEPARATOR_LINE = re.compile(rb'"?sep=([,;|\t])"?(?=\r?\n)', re.IGNORECASE)  # as Excel writes it
NAMES = {"gb18030": "GB 18030", "cp1252": "Windows-1252"}
NAMES |= {f"utf-{bits}-{order}": f"UTF-{bits}" for bits in (16, 32) for order in ("le", "be")}
# UTF-32 first: its little-endian mark begins with that of UTF-16
MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (codecs.BOM_UTF8, "utf-8"),
)


@dataclass(frozen=True)
class ByteSource:
    """Bytes with a name: a file on disk (``path``), or bytes already read (``data``).

    ``sha256`` is of bytes that came from a pipe: they cannot be read again. ``delimiter`` is what a line above the
    header says of it; that line is blank in the bytes. ``encoding``, ``mark`` and ``line_end`` are what text had before
    it became UTF-8 with lines that end in a line feed.
    """

    name: str
    suffix: str
    head: bytes
    path: Path | None = None
    data: bytes = b""
    sha256: str | None = None
    delimiter: str | None = None
    encoding: str = "utf-8"
    mark: bytes = b""
    line_end: bytes = b"\n"
    state: object = None  # of the file on disk, as it was before it was read

    def check_unchanged(self) -> None:
        """Refuse a file that somebody wrote to while it was read."""
        if self.path is not None and file_state([self.path]) != self.state:
            raise changed(self.name)

    def open(self) -> BinaryIO:
        """Open the bytes for reading from their beginning."""
        if self.path is None:
            return io.BytesIO(self.data)
        try:
            return self.path.open("rb")
        except OSError as error:
            raise unreadable(self.name, error) from None

    def read(self) -> bytes:
        """Return all bytes."""
        with self.open() as stream:
            return stream.read()

    def text(self) -> str:
        """Return all text, which must be UTF-8."""
        try:
            return self.read().decode()
        except UnicodeDecodeError:
            raise SourceError(f"{self.name}: this is not UTF-8 text; save it as UTF-8.") from None

    def as_found(self, text: bytes) -> bytes:
        """Return text, in UTF-8, in the encoding that the source had, with its mark and its ends of lines."""
        if self.line_end != b"\n":
            text = text.replace(b"\n", self.line_end)
        if self.encoding != "utf-8":
            try:
                text = text.decode().encode(self.encoding)
            except UnicodeEncodeError as error:
                raise CurvewiseError(
                    f"{self.name}: is {NAMES[self.encoding]} text, which has no {error.object[error.start]!r}; "
                    "give the new column another name, or save the file as UTF-8 first."
                ) from None
        return self.mark + text

    def for_polars(self) -> Path | bytes:
        """Return what Polars reads: an absolute path, so that no name looks like an address."""
        return self.data if self.path is None else self.path


def open_source(path: str) -> ByteSource:
    """Find a file, or take standard input for ``-``; unpack it."""
    try:
        source = _from_standard_input() if path == "-" else _from_path(path)
    except (OSError, ValueError) as error:  # no name has a NUL, nor half a character
        raise unreadable("standard input" if path == "-" else path, error) from None
    if not source.head:
        raise SourceError(f"{source.name}: the file is empty.")
    return _unpacked(source, path)


def as_utf8(source: ByteSource) -> tuple[ByteSource, list[Note]]:
    """Return the source as UTF-8 without a byte order mark, with a note on what was changed."""
    source, notes = _without_mark(source) or _from_old_encoding(source)
    return without_separator_line(_with_line_feeds(source)), notes


def _without_mark(source: ByteSource) -> tuple[ByteSource, list[Note]] | None:
    for mark, encoding in MARKS:
        if not source.head.startswith(mark):
            continue
        shown = NAMES.get(encoding, "UTF-8")
        try:
            text = source.read()[len(mark) :].decode(encoding)
        except UnicodeDecodeError as error:
            raise SourceError(
                f"{source.name}: begins as {shown} text but is not ({error.reason} at byte {error.start + len(mark)}); "
                "save it as UTF-8."
            ) from None
        plain = replace(_from_bytes(source, text.encode()), encoding=encoding, mark=mark)
        return plain, [note("byte_order_mark", encoding=shown)]
    return None


def _with_line_feeds(source: ByteSource) -> ByteSource:
    """Let lines that end in a carriage return alone, as of old Macintoshes, end in a line feed."""
    if b"\r" not in source.head or b"\n" in source.head:
        return source
    data = source.read()
    return source if b"\n" in data else replace(_from_bytes(source, data.replace(b"\r", b"\n")), line_end=b"\r")


def _from_old_encoding(source: ByteSource) -> tuple[ByteSource, list[Note]]:
    """Look at the beginning of text without a mark; what lies behind it is looked at by whoever reads it."""
    whole_lines = source.head if len(source.head) < HEAD else source.head[: source.head.rfind(b"\n") + 1]
    try:
        if b"\0" not in source.head and whole_lines.decode() is not None:
            return source, []
    except UnicodeDecodeError:
        pass
    decoded = decode_old(source)
    if decoded is None and b"\0" in source.head:
        raise SourceError(
            f"{source.name}: neither text nor Parquet nor Arrow (it holds zero bytes); "
            "export the table as CSV or Parquet."
        )
    return decoded or (source, [])


def decode_old(source: ByteSource) -> tuple[ByteSource, list[Note]] | None:
    """Return text of an older encoding as UTF-8, with a note that says which it was; None where none fits."""
    data = source.read()
    encoding = old_encoding(data)
    if encoding is None:
        return None
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return None
    plain = replace(_from_bytes(source, text.encode()), encoding=encoding)
    return plain, [note("old_encoding", encoding=NAMES[encoding])]


def old_encoding(sample: bytes) -> str | None:
    """Return the encoding of bytes that are not UTF-8; None where they are no text, or UTF-8 with an error in it.

    Chinese text is told by pairs of bytes that are mostly characters of the first level of GB 2312, the common ones;
    anything else is taken for Western European text, whose small letters with accents lie beyond that level.

    Examples
    --------
    >>> old_encoding("Größe".encode("cp1252")), old_encoding("年龄".encode("gb18030"))
    ('cp1252', 'gb18030')
    """
    if b"\0" in sample:
        return _two_bytes(sample)
    shown = sample.decode(errors="replace")
    broken = shown.count("\ufffd")
    if sum(sign > "\x7f" for sign in shown) > 2 * broken:
        return None  # most of what is not ASCII is UTF-8
    try:
        chinese = [sign for sign in sample.decode("gb18030") if sign > "\x7f"]
    except UnicodeDecodeError:
        chinese = []
    common = sum(_is_common(sign) for sign in chinese)
    if common and common >= 0.7 * len(chinese):
        return "gb18030"
    try:
        sample.decode("cp1252")
    except UnicodeDecodeError:
        return None
    return "cp1252"


def _is_common(sign: str) -> bool:
    try:
        pair = sign.encode("gb2312")
    except UnicodeEncodeError:
        return False
    return 0xA1 <= pair[0] <= 0xA3 or 0xB0 <= pair[0] <= 0xD7


def _two_bytes(sample: bytes) -> str | None:
    """Tell UTF-16 without a mark: in the text of tables, nearly every second byte is zero."""
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    pairs = len(sample) // 2
    if odd >= 0.7 * pairs and not even:
        return "utf-16-le"
    return "utf-16-be" if even >= 0.7 * pairs and not odd else None


def without_separator_line(source: ByteSource) -> ByteSource:
    """Blank the line ``sep=;`` that Excel writes above the header, and keep what it says."""
    line = SEPARATOR_LINE.match(source.head)
    if line is None:
        return source
    return replace(_from_bytes(source, source.read()[line.end() :]), delimiter=line[1].decode())


def _from_bytes(source: ByteSource, data: bytes) -> ByteSource:
    return replace(source, head=data[:HEAD], path=None, data=data)


def _from_standard_input() -> ByteSource:
    if sys.stdin is None:
        raise SourceError("standard input is closed; pipe a file into it, or name a file.")
    data = _all_of(sys.stdin.buffer)
    return ByteSource("standard input", "", data[:HEAD], data=data)


def _from_path(path: str) -> ByteSource:
    file = Path(path).absolute()
    mode, state = file.stat().st_mode, file_state([file])
    if stat.S_ISDIR(mode):
        raise SourceError(f"{path}: this is a folder; name a file in it.")
    with file.open("rb") as stream:
        if stat.S_ISREG(mode) and _is_unicode(str(file)):
            return ByteSource(path, file.suffix.lower(), stream.read(HEAD), path=file, state=state)
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


def _unpacked(source: ByteSource, path: str) -> ByteSource:
    """Unpack what is packed; a spreadsheet, a zip archive by itself, stays what it is."""
    packed = packing(source.head)
    if packed is None or packed[1] != source.suffix:
        promised = source.suffix if source.suffix in PACKED else None
        if promised:
            how = {".gz": "gzip", ".zst": "Zstandard", ".zip": "zip"}[promised]
            raise SourceError(f"{source.name}: not a {how} file, although its name ends in {promised}.")
    if packed is None:
        return source
    how, _ = packed
    with source.open() as stream:
        if how == "zip" and is_spreadsheet(stream):
            return source
        data, called = unpacked(source.name, stream, how)
    if not data:
        raise SourceError(f"{source.name}: the file is empty.")
    inner = Path(called) if called else Path(path).with_suffix("")
    return replace(_from_bytes(source, data), suffix=inner.suffix.lower())


def file_state(paths: Sequence[str | Path]) -> list[tuple[int, ...]] | None:
    """Return what changes with the content of files: size, time and place on the disk; None where one is gone."""
    try:
        return [(file.st_size, file.st_mtime_ns, file.st_ino) for file in map(os.stat, paths)]
    except OSError:
        return None


def changed(name: str, detail: str = "") -> SourceError:
    """Return the error of a source that is not what it was when its reading began."""
    return SourceError(f"{name}: changed while it was being read{detail}; read a copy that nobody writes to.")


def unreadable(name: str, error: Exception) -> SourceError:
    """Return the error of a file that cannot be read."""
    if isinstance(error, FileNotFoundError):
        return SourceError(f"{name}: there is no such file; check the name and the folder.")
    return SourceError(f"{name}: cannot be read ({getattr(error, 'strerror', None) or error}).")
