"""A database that answers queries: opened by its address and closed again, or a connection that stays the user's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from curvewise.errors import CurvewiseError, MissingExtraError, SourceError
from curvewise.sources._adbc import Error, dbapi, pa
from curvewise.sources.byte_source import unreadable
from curvewise.sources.engines.lazy_frame import shown_text

FAILURES = (Error, OSError, pa.ArrowException)
SQLITE_ROWS = {"adbc.sqlite.query.batch_rows": str(1 << 16)}  # 1024 unless told

# greedy: a password may hold any sign, an @ too
PASSWORD = re.compile(r"(?<=://)([^:@/?#]*):(.*)@")
PARAMETER = re.compile(r"([^&?=\s]*(?:password|passwd|secret|token)[^&?=\s]*)=([^&\s]*)", re.IGNORECASE)
WAIT = 5000  # milliseconds for a file that somebody writes to, as Python's own driver waits
SQLITE = "sqlite:///"


class Address:
    """An address such as ``postgresql://user:password@host/db`` or ``sqlite:///file.db``.

    >>> Address("postgresql://ann:secret@db.example/trials").shown
    'postgresql://ann:***@db.example/trials'
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.shown = PARAMETER.sub(r"\1=***", PASSWORD.sub(r"\1:***@", text))
        secrets = [secret[2] for pattern in (PASSWORD, PARAMETER) for secret in pattern.finditer(text)]
        parts = {part for secret in secrets for part in (secret, unquote(secret), *re.split(r"[@:/?#&]", secret))}
        self._secrets = sorted(filter(None, parts), key=len, reverse=True)

    @property
    def is_sqlite(self) -> bool:
        """Whether it is a file of SQLite."""
        return self.text.lower().startswith(SQLITE)

    def without_secrets(self, text: str) -> str:
        """Take out of a text what the address keeps secret."""
        text = text.replace(self.text, self.shown)
        for secret in self._secrets:
            text = re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", "***", text)
        return text

    def connect(self) -> Any:
        """Open the database for reading alone."""
        scheme = self.text.partition("://")[0].lower()
        if scheme in ("postgresql", "postgres"):
            driver = _driver("postgresql", "PostgreSQL")
            return _begun(driver.connect(self.text), "set transaction isolation level repeatable read, read only")
        if self.is_sqlite:
            driver = _driver("sqlite", "SQLite")
            return _begun(driver.connect(self._file()), f"pragma busy_timeout = {WAIT}")
        raise _no_database(repr(self.shown))

    def _file(self) -> str:
        """Return SQLite's own address of a file, which must be there: else one without tables would be made."""
        path = Path(self.text[len(SQLITE) :])
        try:
            with path.open("rb"):
                pass
        except (OSError, ValueError) as error:
            raise unreadable(self.shown, error) from None
        return f"{path.absolute().as_uri()}?mode=ro"


def _no_database(got: str) -> CurvewiseError:
    return CurvewiseError(
        "source: a query needs the address of a database (postgresql://user@host/db, sqlite:///file.db) or an open "
        f"ADBC connection, got {got}."
    )


def _driver(name: str, database: str) -> Any:
    try:
        return import_module(f"adbc_driver_{name}.dbapi")
    except ImportError:
        raise MissingExtraError(
            f"Reading a {database} database needs adbc-driver-{name}, which is not installed; install it with: "
            "pip install 'curvewise[sql]'"
        ) from None


def _begun(connection: Any, statement: str) -> Any:
    try:
        with connection.cursor() as cursor:
            cursor.execute(statement)
    except BaseException:
        connection.close()
        raise
    return connection


class Database:
    """A database that is asked one query after the other."""

    def __init__(self, source: object) -> None:
        self._address = Address(source) if isinstance(source, str) else None
        self._open: Any = None if self._address is not None else source
        self._is_snapshot = self._address is None
        if self._address is not None:
            self.shown_as = self._address.shown
            self.is_sqlite = self._address.is_sqlite
        elif isinstance(source, dbapi.Connection):
            self.shown_as = _vendor(source)
            self.is_sqlite = self.shown_as == "SQLite"  # in which each value has its own type
        else:
            raise _no_database(type(source).__name__)

    @contextmanager
    def answer(self, statement: str) -> Iterator[Any]:
        """Run a query: a reader of its rows, in batches."""
        try:
            with self._connected() as connection, connection.cursor() as cursor:
                if self.is_sqlite:
                    cursor.adbc_statement.set_options(**SQLITE_ROWS)
                cursor.execute(statement)
                yield cursor.fetch_record_batch()
        except FAILURES as error:
            raise SourceError(f"{self.shown_as}: the database failed ({self._said(error)}).") from None

    def table(self, statement: str) -> Any:
        """Run a query whose rows fit in memory."""
        with self.answer(statement) as reader:
            return reader.read_all()

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Keep one connection, whose transaction sees the rows of one moment; the user's own stays as it is."""
        if self._address is None:
            yield
            return
        self._is_snapshot = True
        try:
            yield
        finally:
            self._is_snapshot = False
            self._close()

    @contextmanager
    def _connected(self) -> Iterator[Any]:
        """Lend a connection: the user's, or one that is closed after the query or the snapshot, lest it hold locks."""
        if self._open is None and self._address is not None:
            self._open = self._address.connect()
        try:
            yield self._open
        finally:
            if not self._is_snapshot:
                self._close()

    def _close(self) -> None:
        connection, self._open = self._open, None
        if connection is not None:
            connection.close()

    def _said(self, error: Exception) -> str:
        """Return what the database complains of, without advice, the query and its lines."""
        text = re.split(r"\s*\n+(?:\t|LINE \d|Query was|query:)|\. SQLSTATE", str(error))[0]
        server = re.search(r"(?:ERROR|FATAL):\s+(.*)", text, re.DOTALL)
        text = server[1] if server else re.sub(r"^[A-Z_]+: |\[\w+\] |Failed to [\w ]+: ", "", text)
        text = " ".join(text.split()).rstrip(".")
        return shown_text(text if self._address is None else self._address.without_secrets(text))


def _vendor(connection: Any) -> str:
    """Return the name of the database."""
    try:
        return str(connection.adbc_get_info().get("vendor_name", "database"))
    except Error:  # a driver need not know
        return "database"
