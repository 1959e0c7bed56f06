"""The address of a database: what opens it, and how it is shown without its password."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from curvewise.errors import CurvewiseError, MissingExtraError
from curvewise.sources.byte_source import unreadable

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
        secrets = [found[2] for pattern in (PASSWORD, PARAMETER) for found in pattern.finditer(text)]
        parts = {part for secret in secrets for part in (secret, unquote(secret), *re.split(r"[@:/?#&]", secret))}
        self._secrets = sorted(filter(None, parts), key=len, reverse=True)

    @property
    def is_sqlite(self) -> bool:
        """Whether it is a file of SQLite."""
        return self.text.lower().startswith(SQLITE)

    def without_secrets(self, said: str) -> str:
        """Take out of a text what the address keeps secret."""
        said = said.replace(self.text, self.shown)
        for secret in self._secrets:
            said = re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", "***", said)
        return said

    def connect(self) -> Any:
        """Open the database for reading alone."""
        scheme = self.text.partition("://")[0].lower()
        if scheme in ("postgresql", "postgres"):
            driver = _driver("postgresql", "PostgreSQL")
            return _begun(driver.connect(self.text), "set transaction isolation level repeatable read, read only")
        if self.is_sqlite:
            driver = _driver("sqlite", "SQLite")
            return _begun(driver.connect(self._file()), f"pragma busy_timeout = {WAIT}")
        raise CurvewiseError(
            "source: a query needs the address of a database (postgresql://user@host/db, sqlite:///file.db) or an "
            f"open ADBC connection, got {self.shown!r}."
        )

    def _file(self) -> str:
        """Return SQLite's own address of a file, which must be there: else one without tables would be made."""
        path = Path(self.text[len(SQLITE) :])
        try:
            with path.open("rb"):
                pass
        except (OSError, ValueError) as error:
            raise unreadable(self.shown, error) from None
        return f"{path.absolute().as_uri()}?mode=ro"


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
