"""Truth or detections in a file or a folder."""

from __future__ import annotations

import gc
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curvewise.detection.formats.frames import column_keys, read_frame
from curvewise.detection.formats.side import Side, Wanted, no_field
from curvewise.detection.formats.voc import is_results, read_voc, read_voc_results
from curvewise.detection.formats.yolo import read_yolo
from curvewise.errors import SourceError

if TYPE_CHECKING:
    from curvewise.sources.byte_source import ByteSource

    FromMemory = Callable[[Any, Wanted, str], Side]


def read_path(path: str, wanted: Wanted, from_memory: FromMemory) -> Side:
    """Read a file of JSON (COCO, LVIS, a list of detections), a table, or a folder; JSON is as what it holds."""
    from curvewise.sources.byte_source import as_utf8, open_source  # noqa: PLC0415 - only files need it
    from curvewise.sources.formats.format import format_of  # noqa: PLC0415

    if os.path.isdir(path):  # noqa: PTH112 - a name too long is no folder; a Path would raise
        return _read_folder(Path(path), wanted)
    source = open_source(path)
    form = format_of(source)
    if form.home == "json_records":
        source, _ = as_utf8(source)
        return from_memory(_json(source), wanted, source.name)
    return _read_table(path, wanted, source.name)


def _read_folder(folder: Path, wanted: Wanted) -> Side:
    try:
        files = sorted(f for f in folder.iterdir() if f.is_file())
    except OSError as error:
        raise SourceError(f"{folder}: cannot be read ({error.strerror or error}).") from None
    annotations = [f for f in files if f.suffix.lower() == ".xml"]
    results = [f for f in files if is_results(f)]
    labels = [f for f in files if f.suffix.lower() == ".txt"]
    where = os.fspath(folder)
    if annotations:
        return read_voc(annotations, wanted, where)
    if results:
        return read_voc_results(results, wanted, where)
    if labels:
        return read_yolo(folder, labels, wanted, where)
    raise SourceError(f"{folder}: no annotations in this folder, neither .txt (YOLO) nor .xml (VOC).")


def _read_table(path: str, wanted: Wanted, where: str) -> Side:
    from curvewise.sources.files import read_file  # noqa: PLC0415 - needs Polars
    from curvewise.sources.formats.format import column_names  # noqa: PLC0415

    there = column_names(path)
    keys = column_keys(there, wanted, where)
    named = [name for f in ("class", "image", "crowd", "difficult", "ignore") for name in keys.get(f, ())]
    as_is = [name for f in ("id", "mask", "box") for name in keys.get(f, ()) if len(keys[f]) == 1]
    numeric = [name for f in ("score", "area") for name in keys.get(f, ())]
    numeric += keys["box"] if len(keys.get("box", ())) == 4 else []
    for field in ("image", *(("class",) if wanted.classes else ()), "box"):
        if field not in keys:
            raise no_field(where, field, there)
    read = read_file(path, numeric=numeric, names=named, as_is=as_is)
    return read_frame(read.frame, wanted, where, notes=tuple(read.notes))


def _json(source: ByteSource) -> Any:
    """Return what a file of JSON holds: one value, or one per line as a list."""
    text = source.text()
    collects = gc.isenabled()
    gc.disable()  # what is read holds no cycles, and looking for them takes longer than reading
    try:
        return _parsed(text, source)
    finally:
        if collects:
            gc.enable()


def _parsed(text: str, source: ByteSource) -> Any:
    if source.suffix in (".jsonl", ".ndjson"):
        return _lines(text, source)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data" and text[error.pos - 1 : error.pos] == "\n":
            return _lines(text, source)  # whole objects, one per line
        raise _broken(source, error, len(text)) from None
    except RecursionError:
        raise _too_deep(source) from None


def _lines(text: str, source: ByteSource) -> list[Any]:
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                rows.append(json.loads(line))
            except ValueError as error:
                raise SourceError(f"{source.name}: line {number} is not one JSON object ({error}).") from None
            except RecursionError:
                raise _too_deep(source) from None
    return rows


def _too_deep(source: ByteSource) -> SourceError:
    return SourceError(f"{source.name}: this JSON is nested too deeply.")


def _broken(source: ByteSource, error: json.JSONDecodeError, length: int) -> SourceError:
    cut = "; the file ends too early, it may be cut off" if error.pos >= len(error.doc.rstrip()) - 1 else ""
    return SourceError(
        f"{source.name}: this is not whole JSON ({error.msg}, line {error.lineno}, column {error.colno}, character "
        f"{error.pos} of {length}){cut}."
    )
