"""Packages that some cases of a test need: where one is missing, those cases are skipped and the others run."""

import os
from importlib import import_module

import pytest


class Missing:
    """Stands for a package that is not installed, and for all that tests make of it while they are collected."""

    def __init__(self, name):
        self._name = name

    def _skipped(self):
        if "PYTEST_CURRENT_TEST" in os.environ:
            pytest.skip(f"needs {self._name}: make full")
        return self

    def __getattr__(self, name):
        return self._skipped()

    def __call__(self, *args, **options):
        return self._skipped()


def optional(name):
    """Return a package, or what stands for it where it is not installed."""
    try:
        return import_module(name)
    except ImportError:
        return Missing(name)


def pandas_arrow(values, dtype):
    """Return a pandas series that Arrow holds, or what stands for it without PyArrow."""
    if isinstance(standing := optional("pyarrow"), Missing):
        return standing
    return import_module("pandas").Series(values, dtype=f"{dtype}[pyarrow]")
