"""Write a file whole or not at all, and never over something that was not meant."""

from __future__ import annotations

import os
import secrets
import stat
import sys
from contextlib import suppress
from pathlib import Path

from curvewise.errors import SourceError


def output_path(output: str | None, source: str, *, force: bool, how: str = "use --force") -> Path | None:
    """Check where the result may go before any work is done; None is standard output."""
    if output is None or output == "-":
        return None
    path = Path(output)
    try:
        found = path.lstat()
    except FileNotFoundError:
        if not path.parent.is_dir():
            raise SourceError(f"{output}: there is no folder {str(path.parent)!r}; make it first.") from None
        return path
    except OSError as error:
        raise SourceError(f"{output}: cannot be written ({error.strerror}).") from None
    if stat.S_ISLNK(found.st_mode):
        raise SourceError(f"{output}: this is a symbolic link; name the file itself.")
    if not stat.S_ISREG(found.st_mode):
        raise SourceError(f"{output}: this is a folder or a device; name a file.")
    if _is_input(found, source):
        raise SourceError(f"{output}: this is the file the data come from; name another one.")
    if not force:
        raise SourceError(f"{output}: the file exists; {how} to replace it.")
    return path


def write_atomically(path: Path, data: bytes) -> None:
    """Write beside the target and put it in place in one step: others see all of it or nothing."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(6)}.tmp")
    try:
        with draft.open("xb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        with suppress(FileNotFoundError):
            draft.chmod(stat.S_IMODE(path.stat().st_mode))
        draft.replace(path)
    except BaseException as error:
        with suppress(OSError):
            draft.unlink()
        if isinstance(error, OSError):
            raise SourceError(f"{path}: cannot be written ({error.strerror or error}).") from None
        raise


def _is_input(found: os.stat_result, source: str) -> bool:
    """Compare files, not names: a hard link or a redirected standard input is the same file."""
    try:
        given = os.fstat(sys.stdin.fileno()) if source == "-" else Path(source).stat()
    except (OSError, ValueError, AttributeError):
        return False
    return os.path.samestat(found, given)
