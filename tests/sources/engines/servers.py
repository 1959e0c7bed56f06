"""A real PostgreSQL server of our own, for the time of the tests: nothing of it stays."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

PASSWORD = "open sesame"
TRIES = 5  # somebody else may take a free port first


@dataclass(frozen=True)
class Postgres:
    """A server: by its socket anybody is let in, by TCP the user ``cw`` with a password."""

    folder: Path
    port: int

    @property
    def address(self) -> str:
        """The address by socket."""
        return f"postgresql:///postgres?host={self.folder}&port={self.port}&user=cw"

    def by_tcp(self, password: str = PASSWORD) -> str:
        """Return the address by TCP, with a password."""
        return f"postgresql://cw:{password}@127.0.0.1:{self.port}/postgres"

    def connect(self) -> Any:
        """Open a connection in which each statement counts at once."""
        import adbc_driver_postgresql.dbapi as driver

        return driver.connect(self.address, autocommit=True)

    def run(self, *statements: str) -> None:
        """Run statements."""
        with self.connect() as connection, connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)


def program(name: str) -> str | None:
    """Return the path of a program of PostgreSQL, the newest one."""
    homes = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda p: float(p.parent.name), reverse=True)
    return next((found for home in homes if (found := shutil.which(name, path=str(home)))), shutil.which(name))


@contextmanager
def postgres_server() -> Iterator[Postgres]:
    """Start a server, and stop it; the tests are skipped where PostgreSQL is not installed."""
    initdb, ctl = program("initdb"), program("pg_ctl")
    if initdb is None or ctl is None:
        pytest.skip("PostgreSQL is not installed (initdb and pg_ctl are not found)")
    folder = Path(tempfile.mkdtemp(prefix="cw-pg-"))  # the path of a socket must be short
    (folder / "password").write_text(PASSWORD)
    as_user = _not_root(folder)
    data = ["-D", str(folder / "data")]

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False, **as_user
        )

    try:
        made = run(
            initdb, *data, "-U", "cw", "--auth-local=trust", "--auth-host=scram-sha-256", "--no-sync",
            f"--pwfile={folder / 'password'}", "--encoding=UTF8", "--locale=C",
        )  # fmt: skip
        assert made.returncode == 0, made.stderr
        for left in reversed(range(TRIES)):
            port = _free_port()
            options = f"-k {folder} -p {port} -c listen_addresses=127.0.0.1 -c fsync=off -c lock_timeout=20s"
            started = run(ctl, *data, "-o", options, "-l", str(folder / "log"), "-w", "start")
            if started.returncode == 0:
                break
            assert left, (folder / "log").read_text()
        yield Postgres(folder, port)
    finally:
        if (folder / "data" / "postmaster.pid").exists():
            run(ctl, *data, "-m", "immediate", "-w", "stop")
        shutil.rmtree(folder, ignore_errors=True)


def _not_root(folder: Path) -> dict[str, Any]:
    """Return how to run as a user who is not root, whom PostgreSQL refuses; the folder is then that user's."""
    if os.geteuid() != 0:
        return {}
    names = {user.pw_name: user for user in pwd.getpwall()}
    user = names.get("postgres") or names["nobody"]
    for path in (folder, folder / "password"):
        os.chown(path, user.pw_uid, user.pw_gid)
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
