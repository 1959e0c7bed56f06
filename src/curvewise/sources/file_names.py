"""Which files a path, a folder or a glob stands for, and what the names of their folders say."""

from __future__ import annotations

import glob
import hashlib
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from urllib.parse import unquote
from urllib.request import url2pathname

from curvewise.errors import CurvewiseError, SourceError
from curvewise.sources.byte_source import unreadable

Source = str | os.PathLike[str]

NOT_READ = "hidden files and those whose name begins with _ are not read"
NO_VALUE = "__HIVE_DEFAULT_PARTITION__"  # what Hive and Spark write for a missing one


def files_of(source: Source | Sequence[Source]) -> list[str]:
    """Return the files that a path, a folder, a glob or a list of these stands for, in the order of their names.

    A name that exists is that file or folder, whatever signs it holds. Of folders and globs, hidden files and those
    that begin with ``_`` (Spark's ``_SUCCESS``) are left out, unless the pattern itself says so.
    """
    if isinstance(source, list | tuple):
        return list(dict.fromkeys(path for one in source for path in files_of(one)))
    if not isinstance(source, str | os.PathLike):
        raise CurvewiseError(f"source: expected the path of a file, a folder or a glob, got {type(source).__name__}.")
    path = os.fspath(source)
    if path.startswith("file://"):
        path = url2pathname(path.removeprefix("file://"))
    try:
        if os.path.isdir(path):  # noqa: PTH112 - a Path would drop the ./ that a user wrote
            files = _within(path)
            if not files:
                raise SourceError(f"{path}: there is no file in this folder; {NOT_READ}.")
            return files
        if os.path.lexists(path) or not glob.has_magic(path):
            return [path]
        files = _matching(path)
    except OSError as error:
        raise unreadable(path, error) from None
    if not files:
        raise SourceError(f"{path}: no file matches; check the pattern and the folder ({NOT_READ}).")
    return files


def _within(folder: str) -> list[str]:
    files: list[str] = []
    for top, folders, names in os.walk(folder, onerror=_raise):
        folders[:] = [name for name in folders if not _is_hidden(name)]
        files += [os.path.join(top, name) for name in names if not _is_hidden(name)]  # noqa: PTH118
    return _in_order(files)


def _matching(pattern: str) -> list[str]:
    *_, last = parts = Path(pattern).parts
    files: list[str] = []
    for path in glob.glob(pattern, recursive=True, include_hidden=True):  # noqa: PTH207 - gives paths as they are said
        if any(_is_hidden(part) and part not in parts and part[0] != last[0] for part in Path(path).parts):
            continue
        files += _within(path) if os.path.isdir(path) else [path]  # noqa: PTH112
    return _in_order(files)


def _in_order(paths: Iterable[str]) -> list[str]:
    return sorted(set(paths), key=lambda path: Path(path).parts)


def _is_hidden(name: str) -> bool:
    """Say whether a name is one that Spark and Hive pass over; a folder ``_k=v`` holds rows."""
    return (name.startswith(".") and name not in (".", "..")) or (name.startswith("_") and "=" not in name)


def _raise(error: OSError) -> None:
    raise error


def is_empty(path: str) -> bool:
    """Say whether a file has no bytes, as one that Spark writes for a task without rows."""
    return Path(path).is_file() and not Path(path).stat().st_size


def folder_keys(paths: Sequence[str]) -> dict[str, list[str | None]]:
    """Return the columns that folders called ``key=value`` add, by file; none where the files differ in their keys."""
    of_files = [_keys(path) for path in paths]
    if not of_files or not of_files[0] or any(keys.keys() != of_files[0].keys() for keys in of_files):
        return {}
    return {name: [keys[name] for keys in of_files] for name in of_files[0]}


def _keys(path: str) -> dict[str, str | None]:
    parts = (part.partition("=") for part in Path(path).parts[:-1])
    return {unquote(key): None if value == NO_VALUE else unquote(value) for key, sign, value in parts if key and sign}


def digest_of(paths: Sequence[str]) -> str:
    """Return the SHA-256 of a file; of several, that of their digests, one after the other."""
    digests = []
    for path in paths:
        if not Path(path).is_file():
            raise SourceError(f"{path}: a pipe can be read only once; give it alone, or write it to a file first.")
        with Path(path).open("rb") as stream:
            digests.append(hashlib.file_digest(stream, "sha256"))
    return (digests[0] if len(digests) == 1 else hashlib.sha256(b"".join(d.digest() for d in digests))).hexdigest()
