"""What a command says: an answer on standard output or in a file, notes on standard error."""

from __future__ import annotations

import errno
import io
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import TYPE_CHECKING, Literal

import click

from curvewise.results.text import visible

if TYPE_CHECKING:
    from pathlib import Path

    from curvewise.document.blocks import Document
    from curvewise.document.terminal import Screen
    from curvewise.words import Lang

Format = Literal["table", "json", "md", "csv", "tex"]
# the functions of modules, loaded only where they are asked for
WRITERS = {"table": "terminal.terminal", "json": "json_text.json_text", "md": "markdown.markdown_page"}
WRITERS |= {"csv": "csv_text.csv_text", "tex": "latex.latex_page"}
IN_ASCII = str.maketrans({"─": "-", "–": "-", "−": "-", "’": "'", "“": '"', "”": '"', "…": "...", "²": "2"})


class ReaderGoneError(Exception):
    """Whoever read our output wants no more of it, as ``head`` does."""


def open_closed_streams() -> None:
    """Give streams that were closed (``>&-``) a place, so that no file opened later is taken for one of them.

    What is said on standard error is lost then, and nothing else; an answer has nowhere to go, which is an error.
    """
    for number, name, mode in ((1, "stdout", os.O_RDONLY), (2, "stderr", os.O_WRONLY)):
        if getattr(sys, name) is None:
            nothing = os.open(os.devnull, mode)
            if nothing != number:
                os.dup2(nothing, number)
                os.close(nothing)
            setattr(sys, name, open(number, "w", encoding="utf-8", closefd=False))  # noqa: SIM115 - as Python's own


def emit(document: Document, form: Format, output: Path | None, *, force: bool) -> None:
    """Write the answer where it belongs, and how the file was read on standard error."""
    from curvewise.document.blocks import opened  # noqa: PLC0415 - after --help
    from curvewise.document.terminal import plain, terminal  # noqa: PLC0415

    for line in document.reading:
        say(f"Note: {line}.")
    if form == "csv":  # the long form has no place for words
        for block in opened(document.blocks):
            if block.kind == "text":
                say(plain(block))
    if output is not None:
        from curvewise.results.writing import write_atomically  # noqa: PLC0415 - only with -o

        return write_atomically(output, render(document, form).encode(), force=force)
    return put(terminal(document, screen()) if form == "table" else render(document, form))


def render(document: Document, form: Format) -> str:
    """Return the answer as text that ends in a newline."""
    module, name = WRITERS[form].split(".")
    text: str = getattr(import_module(f"curvewise.document.{module}"), name)(document)
    return text


def screen(lang: Lang = "en") -> Screen:
    """Return what standard output can show: lines are folded, and colours used, on a terminal alone."""
    from curvewise.document.terminal import Screen  # noqa: PLC0415 - after --help

    if not sys.stdout.isatty():
        return Screen(lang)
    colours = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Screen(lang, shutil.get_terminal_size().columns, colours)


def say(line: str) -> None:
    """Write one line on standard error, whatever characters the data brought along."""
    clear = "\r\x1b[K" if sys.stderr.isatty() else ""  # a line of progress may stand there
    with suppress(OSError):
        click.echo(clear + visible(line), err=True, color=True if clear else None)


def put(text: str, *, exactly: bool = False) -> None:
    """Write text on standard output: as the terminal can show it, or ``exactly``, in UTF-8."""
    with _reader():
        if isinstance(sys.stdout, io.TextIOWrapper):
            # a terminal of another encoding shows "?"
            sys.stdout.reconfigure(encoding="utf-8") if exactly else sys.stdout.reconfigure(errors="replace")
        sys.stdout.write(text.translate(IN_ASCII) if is_plain() else text)
        sys.stdout.flush()


def mention(text: str) -> None:
    """Write on standard output what goes with an answer that is in a file: if it is closed, nothing is lost."""
    try:
        put(text)
    except OSError as error:
        if error.errno != errno.EBADF:
            raise
        forget_output()


def forget_output() -> None:
    """Point standard output at nothing, so that Python's own flush at exit cannot fail again."""
    with suppress(OSError, ValueError):
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, sys.stdout.fileno())
        os.close(nothing)


def is_plain() -> bool:
    """Say whether standard output cannot show the characters that curves are drawn with."""
    try:
        "│└─⣿".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return True
    return False


@contextmanager
def _reader() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise ReaderGoneError from None


@contextmanager
def steps() -> Iterator[Callable[[str], None]]:
    """Give what names the steps of a long job on standard error, if that is a terminal; gone at the end."""
    on = bool(getattr(sys.stderr, "isatty", lambda: False)())

    def write(text: str) -> None:
        if on:
            with suppress(OSError, ValueError):  # a terminal that has gone must not end the job
                sys.stderr.write(f"\r{text}\x1b[K")
                sys.stderr.flush()

    try:
        yield lambda what: write(f"{what} …")
    finally:
        write("")
