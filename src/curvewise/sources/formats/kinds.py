"""What a file is: told by its content, then by its name."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from curvewise.errors import SourceError
from curvewise.sources.unpack import PACKED

if TYPE_CHECKING:
    from curvewise.sources.byte_source import ByteSource

Kind = Literal["parquet", "arrow", "arrow stream", "json lines", "json array", "delimited", "excel"]

ENDINGS: dict[Kind, tuple[str, ...]] = {
    "delimited": (".csv", ".tsv", ".tab"),
    "json lines": (".jsonl", ".ndjson"),
    "json array": (".json",),
    "parquet": (".parquet", ".pq"),
    "arrow": (".arrow", ".feather", ".ipc"),
    "excel": (".xlsx", ".xlsm", ".xlsb"),
}
ENDINGS["arrow stream"] = ENDINGS["arrow"]
SUFFIXES: dict[str, Kind] = {
    suffix: kind for kind, suffixes in ENDINGS.items() if kind != "arrow stream" for suffix in suffixes
}
TEXT_KINDS = ("delimited", "json lines", "json array")
MAGIC: dict[bytes, Kind] = {b"PAR1": "parquet", b"ARROW1": "arrow", b"\xff\xff\xff\xff": "arrow stream"}
COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # Microsoft's container of old files, and of encrypted ones
ZIP = b"PK\x03\x04"  # what is still packed when its kind is asked for is a workbook
NAMES: dict[Kind, str] = {
    "delimited": "CSV",
    "json lines": "JSON lines",
    "json array": "a JSON array",
    "excel": "an Excel workbook",
}
ARRAY = re.compile(rb"\[\s*[{\]]")  # of records; a header of CSV may begin with a bracket, too


def kind_of_file(source: ByteSource) -> Kind:
    """Tell what a file is; a name that promises something else is refused."""
    named = SUFFIXES.get(source.suffix)
    for magic, kind in MAGIC.items():
        if source.head.startswith(magic):
            return kind
    if source.head.startswith(ZIP):
        return "excel"
    if source.head.startswith(COMPOUND):
        raise SourceError(
            f"{source.name}: this is a file of an old Office program, or locked; save it as .xlsx without a password, "
            "or as CSV."
        )
    if named in ("parquet", "arrow", "excel"):
        raise SourceError(
            f"{source.name}: the content is not {kind_name(named)}, although the name says so; "
            "the file may be cut off or misnamed."
        )
    if named == "delimited":
        return named
    begin = source.head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if begin.startswith(b"{"):
        return "json lines"
    if ARRAY.match(begin) or (named is not None and begin.startswith(b"[")):
        return "json array"
    return named or "delimited"


def is_file_name(name: str) -> bool:
    """Whether a word is a file, or is called like one."""
    path = Path(name)
    return path.suffix.lower() in (*PACKED, ".txt", *SUFFIXES) or path.is_file()


def kind_name(kind: Kind) -> str:
    """Return what a reader calls a kind of file."""
    return NAMES.get(kind, kind.capitalize())
