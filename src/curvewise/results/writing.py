"""Write a file whole or not at all, and never over something that was not meant."""

from __future__ import annotations

import os
import secrets
import signal
import stat
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from curvewise.errors import OptionError, SourceError

FORCE_ARGUMENT = "pass force=True"  # what a verb's caller does in the place of --force


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
    except (OSError, ValueError) as error:  # a name with a zero byte is a ValueError
        raise SourceError(f"{output}: cannot be written ({getattr(error, 'strerror', None) or error}).") from None
    if stat.S_ISLNK(found.st_mode):
        raise SourceError(f"{output}: this is a symbolic link; name the file itself.")
    if not stat.S_ISREG(found.st_mode):
        raise SourceError(f"{output}: this is a folder or a device; name a file.")
    if _is_input(found, source):
        raise SourceError(f"{output}: this is the file the data come from; name another one.")
    if not force:
        raise SourceError(f"{output}: the file exists; {how} to replace it.")
    return path


def file_path(output: str | os.PathLike[str], source: str, *, force: bool) -> Path:
    """Check where a verb's result may go: as `output_path`, but always a file."""
    path = output_path(os.fspath(output), source, force=force, how=FORCE_ARGUMENT)
    if path is None:
        raise OptionError.of("path", "a verb writes no standard output; name a file.")
    return path


def write_atomically(path: Path, data: bytes, *, force: bool, how: str = "use --force") -> None:
    """Write beside the target and put it in place in one step: others see all of it or nothing.

    Without ``force`` a file that has appeared since `output_path` looked is kept, another writer's too.
    """
    draft = path.with_name(f".{path.name}.{secrets.token_hex(6)}.tmp")
    with _removed_when_terminated(draft):
        try:
            with open(draft, "xb", opener=_private) as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            draft.chmod(_mode_for(path))
            draft.replace(path) if force else _put_if_new(draft, path)
        except FileExistsError:
            raise SourceError(f"{path}: the file has appeared meanwhile; {how} to replace it.") from None
        except OSError as error:
            raise SourceError(f"{path}: cannot be written ({error.strerror or error}).") from None
        finally:
            with suppress(OSError):
                draft.unlink()


def _private(name: str, flags: int) -> int:
    """Open a draft that nobody else may read: what it will replace may be as private."""
    return os.open(name, flags, 0o600)


def _mode_for(path: Path) -> int:
    """Return the mode of the file that is replaced, or that of any new file here."""
    with suppress(FileNotFoundError):
        return stat.S_IMODE(path.stat().st_mode)
    mask = os.umask(0o077)
    os.umask(mask)
    return 0o666 & ~mask


def _put_if_new(draft: Path, path: Path) -> None:
    """Give the draft its name, unless a file has it."""
    try:
        os.link(draft, path)
    except FileExistsError:
        raise
    except (OSError, NotImplementedError):  # a file system without links
        path.touch(exist_ok=False)
        draft.replace(path)


@contextmanager
def _removed_when_terminated(draft: Path) -> Iterator[None]:
    """Remove a draft on SIGTERM, which else ends Python without a word, and end then."""
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:  # whoever catches it lets Python clean up
        yield
        return

    def end(number: int, _: object) -> None:
        with suppress(OSError):
            draft.unlink()
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)

    signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _is_input(found: os.stat_result, source: str) -> bool:
    """Compare files, not names: a hard link or a redirected standard input is the same file."""
    try:
        given = os.fstat(sys.stdin.fileno()) if source == "-" else Path(source).stat()
    except (OSError, ValueError, AttributeError):
        return False
    return os.path.samestat(found, given)
