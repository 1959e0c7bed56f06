"""Public names of a package, loaded at first use: the table is the stub beside its ``__init__``."""

from __future__ import annotations

import ast
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType


def public_names(package: str, init: str) -> tuple[list[str], Callable[[str], object], Callable[[], list[str]]]:
    """Return ``__all__``, ``__getattr__`` and ``__dir__`` of a package, of its name and the path of its ``__init__``.

    Each name is loaded at first use, so that `curvewise --help` does not wait for NumPy.
    """
    homes = homes_of(init)

    def load(name: str) -> object:
        home = homes.get(name)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = import_module(f"{package}.{name}") if home == package else getattr(import_module(home), name)
        if isinstance(value, FunctionType):
            value = _suggesting(value, package)
        elif isinstance(value, ModuleType) and not hasattr(value, "__path__"):  # of verbs, not a package of its own
            for verb in value.__all__:
                setattr(value, verb, _suggesting(getattr(value, verb), value.__name__))
        setattr(import_module(package), name, value)
        return value

    return list(homes), load, lambda: sorted(import_module(package).__all__)


def homes_of(init: str) -> dict[str, str]:
    """Return the module of each public name that the stub beside an ``__init__`` lists."""
    lines = ast.parse(Path(init).with_suffix(".pyi").read_text("utf-8")).body
    return {alias.name: str(line.module) for line in lines if isinstance(line, ast.ImportFrom) for alias in line.names}


def _suggesting(verb: FunctionType, package: str) -> object:
    """Return a verb that answers an unknown option with the nearest name instead of Python's bare refusal."""
    from functools import wraps  # noqa: PLC0415 - the first verb pays for it, not the import
    from inspect import signature  # noqa: PLC0415

    from curvewise.errors import UnknownOptionError, unknown_option  # noqa: PLC0415

    @wraps(verb)
    def called(*arguments: object, **options: object) -> object:
        try:
            return verb(*arguments, **options)
        except UnknownOptionError:
            raise
        except TypeError:
            parameters = signature(verb).parameters
            if any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
                raise  # it has looked at its options itself
            unknown = [name for name in options if name not in parameters]
            if not unknown:
                raise
            raise unknown_option(unknown[0], parameters, verb.__name__) from None

    called.__module__ = package  # so that it can be pickled by its public name
    return called
