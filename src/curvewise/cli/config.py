"""Options from a TOML file, for runs that are repeated; what is typed wins."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from curvewise.cli.output import say
from curvewise.errors import SourceError, nearest

OWN, SHARED = "curvewise.toml", "pyproject.toml"  # looked for in the current folder, in this order
# to replace a file is a decision of the moment, and a folder's file could take it for its visitor
TYPED_ONLY = ("config", "force", "help")


def use_config(context: click.Context, _: click.Parameter, named: str | None) -> None:
    """Let the file of options give defaults to all other options."""
    if context.resilient_parsing:  # a shell asks for completions
        return
    found = [(named, True)] if named is not None else [(n, False) for n in (OWN, SHARED) if Path(n).is_file()]
    name, table = next(((n, t) for n, must in found if (t := _read(Path(n), must=must))), ("", {}))
    try:
        read = {p.name: _value(p, value, context) for p, value in _options(context.command, table)}
    except click.BadParameter as error:
        raise click.UsageError(f"{name}: {error.message}", context) from None
    given = {key: value for key, value in read.items() if value is not None}
    if given:
        keys = [_key(p) for p in context.command.params if p.name in given]
        say(f"Note: options that are not given are taken from {name} ({', '.join(keys)}).")
    context.default_map = {**(context.default_map or {}), **given}


def _read(path: Path, *, must: bool) -> dict[str, Any]:
    """Return the table of options in a file; an empty one where there is none."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SourceError(f"{path}: cannot be read ({error.strerror}).") from None
    try:
        whole = tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:  # not TOML, not text, or nested beyond reason
        why = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        if must or path.name != SHARED or b"curvewise" in data:
            raise click.UsageError(f"{path}: this is not TOML: {why}.") from None
        say(f"Note: {path} was passed over, it is not TOML: {why}.")
        return {}
    if path.name != SHARED:
        return whole
    tools = whole.get("tool")
    table = tools.get("curvewise") if isinstance(tools, dict) else None
    if table is None and must:
        raise click.UsageError(f"{path}: there is no [tool.curvewise].")
    if not isinstance(table, dict | None):
        raise click.UsageError(f"{path}: tool.curvewise: expected a table.")
    return table or {}


def _options(command: click.Command, table: dict[str, Any]) -> Iterator[tuple[click.Parameter, Any]]:
    """Yield the command's options and their values: those for all commands, then its own table."""
    from curvewise.cli.app import COMMANDS, find_command  # noqa: PLC0415 - the app imports nothing of ours early

    mine = _by_key(command)
    others: set[str] = set()
    for key, value in table.items():
        if key in COMMANDS:
            if not isinstance(value, dict):
                raise click.BadParameter(f"{key}: expected a table of options, [{key}].")
        elif key in mine:
            yield mine[key], value
        else:
            others = others or {k for name in COMMANDS for k in _by_key(find_command(name))}
            if key not in others:
                raise click.BadParameter(_unknown(key, [*others, *(COMMANDS if isinstance(value, dict) else ())]))
    for key, value in table.get(str(command.name), {}).items():
        if key not in mine:
            raise click.BadParameter(_unknown(key, list(mine), f"{command.name}."))
        yield mine[key], value


def _by_key(command: click.Command) -> dict[str, click.Parameter]:
    options = [p for p in command.params if isinstance(p, click.Option)]
    return {_key(p): p for p in options if p.name not in TYPED_ONLY}


def _key(option: click.Parameter) -> str:
    return next(name for name in option.opts if name.startswith("--")).removeprefix("--")


def _unknown(key: str, known: list[str], table: str = "") -> str:
    if key in TYPED_ONLY:
        return f"{table}{key}: give --{key} on the command line, not in a file."
    near = nearest(key, known, 1)
    return f"{table}{key}: there is no such option" + (f"; did you mean {near[0]!r}?" if near else ".")


def _value(option: click.Parameter, value: Any, context: click.Context) -> Any:
    """Return the value as it would be typed, so that the option reads it; None leaves it as it is."""
    key = _key(option)
    if getattr(option, "is_flag", False):
        if not isinstance(value, bool):
            raise click.BadParameter(f"{key}: expected true or false, got {value!r}.")
        return getattr(option, "flag_value", True) if value else None
    several = getattr(option, "multiple", False)
    if several or option.nargs > 1:
        cells = value if isinstance(value, list) else [value]
        if not several and len(cells) != option.nargs:
            raise click.BadParameter(f"{key}: expected a list of {option.nargs}, got {value!r}.")
        typed: Any = [_typed(option, key, cell) for cell in cells]
    else:
        typed = _typed(option, key, value)
    try:
        option.type_cast_value(context, typed)
    except click.BadParameter as error:
        raise click.BadParameter(f"{key}: {error.message}") from None
    return typed


def _typed(option: click.Parameter, key: str, value: Any) -> str:
    numbers = (click.types.IntParamType, click.types.FloatParamType)
    numeric = isinstance(option.type, numbers) or option.type.name == "number"
    if isinstance(value, bool) or not isinstance(value, (int, float) if numeric else (str, int, float)):
        wanted = "a number" if numeric else "text in quotes"
        shown = str(value).lower() if isinstance(value, bool) else repr(value)
        raise click.BadParameter(f"{key}: expected {wanted}, got {shown}.")
    if "\0" in str(value):  # cannot be typed, and no file has it in its name
        raise click.BadParameter(f"{key}: expected text without zero bytes, got {value!r}.")
    return str(value)
