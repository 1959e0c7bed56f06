"""Databases: real servers of PostgreSQL and real files of SQLite; what they hold, how they fail, what stays secret."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing

import numpy as np
import pytest

import curvewise as cw
from curvewise.sources.engines.engine import Asked
from curvewise.sources.engines.sql import SqlEngine
from curvewise.sources.engines.sql_database import Address
from curvewise.sources.engines.sql_text import one_query
from sources.engines.servers import PASSWORD

FOUR = "(values (1, 0.9), (0, 0.8), (1, 0.3), (0, 0.1)) as t(y, p)"
ASKED = {"label": "y", "score": "p"}


@pytest.fixture
def file(tmp_path):
    """Return the address of a file of SQLite that holds what a script makes."""

    def make(script, rows=()):
        with closing(sqlite3.connect(tmp_path / "t.db")) as connection, connection:
            connection.executescript(script)
            for row in rows:
                connection.execute(f"insert into t values ({', '.join('?' * len(row))})", row)
        return f"sqlite:///{tmp_path / 't.db'}"

    return make


@pytest.fixture
def four(file):
    return file("create table t (y int, p real)", [(1, 0.9), (0, 0.8), (1, 0.3), (0, 0.1)])


# what columns hold


@pytest.mark.parametrize(
    ("column", "dtype", "values"),
    [
        ("p::smallint", np.int16, [1, 0]),
        ("p::bigint", np.int64, [1, 0]),
        ("p::real", np.float32, np.array([0.9, 0.8, 0.3, 0.1], np.float32)),
        ("p::float8", np.float64, [0.9, 0.8, 0.3, 0.1]),
        ("p::numeric(4, 2)", np.float64, [0.9, 0.8, 0.3, 0.1]),
        ("p > 0.5", np.uint8, [1, 0]),
        ("case when p > 0.5 then 'Infinity'::float8 else '-Infinity' end", np.float64, [np.inf, -np.inf]),
    ],
)
def test_types_of_scores_in_postgres(postgres, column, dtype, values):
    found = cw.scan(postgres.address, query=f"select y, {column} as p from {FOUR}", **ASKED)
    assert found.threshold.dtype == dtype
    np.testing.assert_array_equal(found.threshold, values)
    assert (found.positives, found.negatives) == (2, 2)


@pytest.mark.parametrize(
    "label",
    [
        "case y when 1 then 'it''s \\; --' else 'no' end",
        "(case y when 1 then 'it''s \\; --' else 'no' end)::char(20)",
        "(case y when 1 then 'it''s \\; --' else 'no' end)::varchar",
    ],
)
def test_labels_of_text_in_postgres_without_the_blanks_that_fill_them_up(postgres, label):
    query = f"select {label} as y, p from {FOUR}"
    found = cw.scan(postgres.address, query=query, positive="it's \\; --", **ASKED)
    assert cw.roc_auc(found) == 0.75


def test_labels_of_an_enum_of_postgres(postgres):
    postgres.run("drop type if exists mood", "create type mood as enum ('well', 'ill')")
    query = f"select (case y when 1 then 'ill' else 'well' end)::mood as y, p from {FOUR}"
    assert cw.roc_auc(cw.scan(postgres.address, query=query, positive="ill", **ASKED)) == 0.75


def test_decimals_that_float64_cannot_tell_apart_are_refused(postgres):
    query = "select * from (values (1, 0.12345678901234567), (0, 0.12345678901234568), (0, 0.5)) as t(y, p)"
    with pytest.raises(cw.CurvewiseError, match="column 'p': holds 2 numbers of more digits than float64 keeps"):
        cw.scan(postgres.address, query=query, **ASKED)


def test_money_is_no_number(postgres):
    with pytest.raises(cw.CurvewiseError, match="column 'p': expected real numbers"):
        cw.scan(postgres.address, query=f"select y, p::numeric::money as p from {FOUR}", **ASKED)


def test_sqlite_holds_whole_and_other_numbers_in_one_column(file):
    address = file("create table t (y int, p numeric)", [(1, 1.0), (0, 0.5), (1, 0.25), (0, 0)])
    assert cw.scan(address, query="select * from t", **ASKED).threshold.tolist() == [1.0, 0.5, 0.25, 0.0]


def test_sqlite_tells_capitals_apart_whatever_the_column_says(file):
    address = file("create table t (y text collate nocase, p real)", [("A", 0.9), ("a", 0.5), ("A", 0.1)])
    assert cw.roc_auc(cw.scan(address, query="select * from t", positive="A", **ASKED)) == 0.5


@pytest.mark.parametrize("kind", ["text", "real", "int"])
def test_groups_of_sqlite_that_begin_with_many_gaps(file, kind):
    rows = [(k % 2, k / 1e6, None) for k in range(70_000)] + [
        (k % 2, k / 9, {"text": "a"}.get(kind, 2)) for k in (1, 2)
    ]
    address = file(f"create table t (y int, p real, g {kind})", rows)
    found = cw.scan(address, query="select * from t", by="g", **ASKED)
    assert {group: sweep.n for group, sweep in found.items()} == {rows[-1][2]: 2, None: 70_000}


def test_values_of_several_types_are_refused(file):
    address = file("create table t (y, p real)", [(1, 0.5), ("no", 0.25)])
    with pytest.raises(cw.SourceError, match="column 'y' holds values of several types; convert them in the query"):
        cw.scan(address, query="select * from t", **ASKED)
    with pytest.raises(cw.CurvewiseError, match="column 'y': expected real numbers"):
        cw.scan(address, query="select * from t", label="p", score="y")


def test_one_row_per_score_and_label_comes_back(postgres):
    query = "select k % 2 as y, k % 5 as p, 1 + k % 3 as w, 'g' || k % 2 as g from generate_series(1, 60000) as k"
    engine = SqlEngine(postgres.address, query)
    assert engine.counts_where_rows_lie
    found = engine.counts(Asked("y", "p"), 1)
    assert len(found.score) == 10
    assert (found.positives.sum(), found.negatives.sum()) == (30_000, 30_000)
    weighted = engine.counts(Asked("y", "p", "w", ("g",)), 1)
    assert weighted.positives.dtype == np.int64
    assert weighted.positives.sum() + weighted.negatives.sum() == 120_000


# bounds and passes


def test_bounds_contain_the_exact_area(postgres):
    query = (
        "select (k * 7919 % 1000 < 300)::int as y, sqrt(k * 6271 % 100003) as p from generate_series(1, 100000) as k"
    )
    exact = cw.roc_auc(cw.scan(postgres.address, query=query, **ASKED))
    bounds = cw.roc_auc(cw.scan(postgres.address, query=query, resolution=1e-3, **ASKED))
    assert bounds.low <= exact <= bounds.high
    assert bounds.high - bounds.low <= 1e-3
    assert cw.roc_auc(cw.scan(postgres.address, query=query, resolution=0, **ASKED)) == pytest.approx(exact, abs=1e-12)


def test_rows_come_in_batches(file):
    address = file("create table t (y int, p real)", [(k % 2, k / 7) for k in range(150_000)])
    sizes = [len(batch.score) for batch in SqlEngine(address, "select * from t").batches(Asked("y", "p"), 1)]
    assert len(sizes) == 3
    assert sum(sizes) == 150_000


# connections


def test_a_connection_stays_the_users(postgres):
    import adbc_driver_postgresql.dbapi as driver

    with driver.connect(postgres.address) as connection, connection.cursor() as cursor:
        cursor.execute(f"create temporary table mine as select * from {FOUR}")
        assert cw.roc_auc(cw.scan(connection, query="select * from mine", **ASKED)) == 0.75
        cursor.execute("select count(*) from mine")  # what was begun goes on: neither committed nor undone
        assert cursor.fetchone() == (4,)
        connection.rollback()
        with pytest.raises(cw.SourceError, match=r'PostgreSQL: the database failed \(relation "mine" does not exist'):
            cw.scan(connection, query="select * from mine", **ASKED)


def test_a_connection_of_sqlite(four):
    import adbc_driver_sqlite.dbapi as driver

    with driver.connect(four.removeprefix("sqlite:///")) as connection:
        assert cw.roc_auc(cw.scan(connection, query="select * from t", **ASKED)) == 0.75


def test_a_connection_of_another_database():
    import _duckdb
    from adbc_driver_manager import dbapi

    rows = "(values (1, 0.9, 1.5), (0, 0.8, 1), (1, 0.3, 1), (0, 0.1, 1), (0, 'NaN'::float, 1)) as t(y, p, w)"
    with dbapi.connect(driver=_duckdb.__file__, entrypoint="duckdb_adbc_init") as connection:
        found = cw.scan(connection, query=f"select * from {rows}", weight="w", missing="drop", **ASKED)
    assert (found.positives, found.negatives, found.dropped) == (2.5, 2, 1)


def test_connections_are_closed_even_after_an_error(postgres):
    for query in ("select y, p from nowhere", f"select y, p from {FOUR}", f"select y + 1 as y, p from {FOUR}"):
        try:
            cw.scan(postgres.address, query=query, **ASKED)
        except cw.CurvewiseError as error:
            held = error  # with every frame of it
    assert held
    with postgres.connect() as connection, connection.cursor() as cursor:
        cursor.execute("select count(*) from pg_stat_activity where backend_type = 'client backend'")
        assert cursor.fetchone() == (1,)


def test_nothing_is_written(postgres, four):
    postgres.run(
        "drop sequence if exists n",
        "create sequence n",
        "drop table if exists w",
        "create table w as select 1 as y, 1 as p",
    )
    with pytest.raises(cw.SourceError, match=r"cannot execute nextval\(\) in a read-only transaction"):
        cw.scan(postgres.address, query="select nextval('n') as y, 0.5 as p", **ASKED)
    with pytest.raises(cw.SourceError):
        cw.scan(postgres.address, query="with gone as (delete from w returning *) select y, p from gone", **ASKED)
    assert cw.scan(postgres.address, query="select * from w", **ASKED).n == 1
    with pytest.raises(cw.CurvewiseError, match="expected one statement"):
        cw.scan(four, query="select 1 as y, 2 as p) as x; drop table t; select (1", **ASKED)
    assert cw.scan(four, query="select * from t", **ASKED).n == 4


# failures


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("select y, p from nowhere", 'relation "nowhere" does not exist'),
        ("select y, q from t4", 'column "q" does not exist'),
        ("select y p from from t4", 'syntax error at or near "from"'),
        ("select y, 1 / (y - y) as p from t4", "division by zero"),
    ],
)
def test_what_postgres_complains_of(postgres, query, said):
    postgres.run("drop table if exists t4", f"create table t4 as select * from {FOUR}")
    with pytest.raises(cw.SourceError) as refusal:
        cw.scan(postgres.address, query=query, **ASKED)
    assert str(refusal.value) == f"{postgres.address}: the database failed ({said})."


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("select y, p from nowhere", "no such table: nowhere"),
        ("select y, q from t", "no such column: q"),
        ("select y p from from t", 'near "from": syntax error'),
    ],
)
def test_what_sqlite_complains_of(four, query, said):
    with pytest.raises(cw.SourceError) as refusal:
        cw.scan(four, query=query, **ASKED)
    assert str(refusal.value) == f"{four}: the database failed ({said})."


def test_a_column_that_is_not_there(postgres, four):
    for address, query in ((four, "select * from t"), (postgres.address, f"select * from {FOUR}")):
        with pytest.raises(cw.CurvewiseError, match=r"there is no column 'Y' \(did you mean 'y'\?\)"):
            cw.scan(address, query=query, label="Y", score="p")


def test_two_columns_of_one_name(postgres):
    with pytest.raises(cw.SourceError, match="the query has 2 columns named 'y'; name them apart"):
        cw.scan(postgres.address, query=f"select y, y, p from {FOUR}", **ASKED)


def test_a_file_that_is_not_there_is_not_made(tmp_path):
    with pytest.raises(cw.SourceError, match="there is no such file"):
        cw.scan(f"sqlite:///{tmp_path}/none.db", query="select 1", **ASKED)
    assert not list(tmp_path.iterdir())
    with pytest.raises(cw.SourceError, match="cannot be read"):
        cw.scan(f"sqlite:///{tmp_path}", query="select 1", **ASKED)
    (tmp_path / "text.db").write_text("no database " * 999)
    with pytest.raises(cw.SourceError, match="file is not a database"):
        cw.scan(f"sqlite:///{tmp_path}/text.db", query="select 1", **ASKED)


def test_a_file_that_is_locked(four, monkeypatch):
    monkeypatch.setattr("curvewise.sources.engines.sql_database.WAIT", 100)
    path = four.removeprefix("sqlite:///")
    script = (
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None); c.execute('begin exclusive'); "
        "print('locked', flush=True); sys.stdin.read()"
    )
    other = [sys.executable, "-c", script, path]
    with subprocess.Popen(other, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline().strip() == b"locked"
        with pytest.raises(cw.SourceError, match="database is locked"):
            cw.scan(four, query="select * from t", **ASKED)
        process.stdin.close()
    assert cw.scan(four, query="select * from t", **ASKED).n == 4


def test_the_server_goes_away(postgres):
    query = "select k % 2 as y, random() as p from generate_series(1, 4000000) as k"
    rows = SqlEngine(postgres.address, query).batches(Asked("y", "p"), 1)
    next(rows)
    postgres.run(
        "select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' "
        "and pid <> pg_backend_pid()"
    )
    with pytest.raises(cw.SourceError, match=r"the database failed \(.*(closed the connection|terminating connection)"):
        list(rows)


# addresses and passwords


def test_a_password_opens_the_database(postgres, monkeypatch):
    query = f"select * from {FOUR}"
    assert cw.scan(postgres.by_tcp("open%20sesame"), query=query, **ASKED).n == 4
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    assert cw.scan(postgres.by_tcp("").replace(":@", "@"), query=query, **ASKED).n == 4


@pytest.mark.parametrize("password", ["wrong-word", "p%40ss%2Fword", "se@cret", "sec/ret", "a:b?c=d@e"])
def test_a_password_is_never_shown(postgres, password):
    with pytest.raises(cw.SourceError) as refusal:
        cw.scan(postgres.by_tcp(password), query="select 1", **ASKED)
    said = str(refusal.value)
    assert said.startswith(f"postgresql://cw:***@127.0.0.1:{postgres.port}/postgres: the database failed (")
    for part in (password, "wrong", "cret", "p@ss", "b?c"):
        assert part not in said
    assert "\n" not in said


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        (
            "postgresql://h/db?user=u&password=secret&sslmode=require",
            "postgresql://h/db?user=u&password=***&sslmode=require",
        ),
        ("postgresql://u@h:5432/db", "postgresql://u@h:5432/db"),
        ("sqlite:///a b.db", "sqlite:///a b.db"),
        ("host=h password=secret", "host=h password=***"),
    ],
)
def test_how_an_address_is_shown(address, shown):
    assert Address(address).shown == shown


@pytest.mark.parametrize("address", ["postgresql://u:secret@127.0.0.1:1/db", "postgresql://u:secret@host.invalid/db"])
def test_a_dead_database(address):
    with pytest.raises(cw.SourceError, match=r"^postgresql://u:\*\*\*@.*: the database failed \(.*\)\.$"):
        cw.scan(address, query="select 1", **ASKED)


@pytest.mark.parametrize("source", ["mysql://u:secret@h/db", "t.db", "sqlite://t.db", "host=h password=secret"])
def test_addresses_that_are_not_known(source):
    with pytest.raises(cw.CurvewiseError, match="source: a query needs the address of a database") as refusal:
        cw.scan(source, query="select 1", **ASKED)
    assert "secret" not in str(refusal.value)


def test_what_is_no_connection(tmp_path):
    with (
        closing(sqlite3.connect(tmp_path / "t.db")) as connection,
        pytest.raises(cw.CurvewiseError, match=r"an open ADBC connection, got Connection\."),
    ):
        cw.scan(connection, query="select 1", **ASKED)


def test_a_driver_that_is_not_installed(four, monkeypatch):
    monkeypatch.delitem(sys.modules, "adbc_driver_sqlite.dbapi", raising=False)
    monkeypatch.setitem(sys.modules, "adbc_driver_sqlite", None)
    with pytest.raises(cw.MissingExtraError, match=r"needs adbc-driver-sqlite, .* pip install 'curvewise\[sql\]'"):
        cw.scan(four, query="select * from t", **ASKED)


# queries


@pytest.mark.parametrize(
    ("query", "kept"),
    [
        ("select y, p from t;", "select y, p from t"),
        ("select ';' as y, p from t ; ; -- the end; really", "select ';' as y, p from t "),
        ('select ";", p from t /* ; */', 'select ";", p from t /* ; */'),
        ("-- first\nwith t as (select 1) select $a$;$a$, e'\\';' from t", None),
        ("(select 1) union (select 2)", None),
        ("values (1, 2)", None),
    ],
)
def test_queries_that_are_one_statement(query, kept):
    assert one_query(query) == (query if kept is None else kept)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("select 1; select 2", "query: expected one statement, got several"),
        ("select 1; drop table t", "query: expected one statement, got several"),
        (
            "delete from t",
            "query: expected a query that returns rows, as select y, p from t, got one that begins with 'delete'",
        ),
        (" ; ", "got nothing"),
        (3, "query: expected text, as select y, p from t, got 3"),
    ],
)
def test_queries_that_are_not(query, said):
    with pytest.raises(cw.CurvewiseError) as refusal:
        one_query(query)
    assert said in str(refusal.value)


def test_a_comment_ends_the_query(four):
    assert cw.scan(four, query="select * from t -- all of it", **ASKED).n == 4


def test_without_adbc_one_sentence_says_how_to_install_it():
    script = (
        "import sys; sys.modules['adbc_driver_manager'] = None; import curvewise as cw\n"
        "try: cw.scan('sqlite:///t.db', query='select 1', label='y', score='p')\n"
        "except cw.MissingExtraError as error: print(error)"
    )
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert said.startswith("Reading a database needs ADBC and PyArrow")
    assert "pip install 'curvewise[sql]'" in said


def test_a_file_that_is_written_ahead(file):
    address = file("pragma journal_mode = wal; create table t (y int, p real)", [(1, 0.9), (0, 0.8)])
    with closing(sqlite3.connect(address.removeprefix("sqlite:///"))) as connection, connection:
        connection.execute("insert into t values (0, 0.1)")  # not yet in the file itself
        connection.commit()
        script = f"import curvewise as cw; print(cw.scan({address!r}, query='select * from t', label='y', score='p').n)"
        found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert found.strip() == "3"
