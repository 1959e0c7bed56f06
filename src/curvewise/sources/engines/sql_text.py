"""Queries and names as parts of a larger statement."""

# ruff: noqa: S608 - messages that show a query are none

from __future__ import annotations

import re

from curvewise.errors import OptionError
from curvewise.rows.columns import shown

# what a semicolon may stand in without ending a statement: text, names and comments
ENCLOSED = re.compile(
    r"""[eE]'(?:[^'\\]|\\.|'')*'|'[^']*'|"[^"]*"|`[^`]*`|\$(\w*)\$.*?\$\1\$|(?P<comment>--[^\n]*|/\*.*?\*/)""",
    re.DOTALL,
)
WORDS = ("select", "with", "values", "table", "from")  # that begin a query which returns rows


def one_query(query: object) -> str:
    """Return a query without the semicolon at its end; refuse several statements, and what returns no rows.

    >>> one_query("select y, p from t; -- all rows")
    'select y, p from t'
    """
    if not isinstance(query, str):
        raise OptionError.of("query", f"expected text, as select y, p from t, got {shown(query)}.")
    # what is enclosed cannot end a statement: hidden, with every other character in its place
    hidden = ENCLOSED.sub(lambda found: (" " if found["comment"] else "x") * len(found[0]), query)
    statement, _, rest = hidden.partition(";")
    if rest.strip(" \t\r\n;"):
        raise OptionError.of("query", "expected one statement, got several; give the one whose rows are wanted.")
    word = re.match(r"[\s(]*(\w*)", statement)
    if word is None or word[1].lower() not in WORDS:
        got = "nothing" if not statement.strip() else f"one that begins with {shown(query.split()[0])}"
        raise OptionError.of("query", f"expected a query that returns rows, as select y, p from t, got {got}.")
    return query[: len(statement)]


def quoted(name: str) -> str:
    """Return a name as SQL writes it.

    >>> quoted('a"b')
    '"a""b"'
    """
    doubled = name.replace('"', '""')
    return f'"{doubled}"'
