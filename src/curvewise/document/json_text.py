"""A document as JSON: how every command's answer begins, and what a program reads of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from curvewise._version import __version__
from curvewise.results.numbers import json_safe

if TYPE_CHECKING:
    from curvewise.document.blocks import Document


def heading(command: str, source: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return how the JSON of a command begins: which schema, which curvewise, what was asked of what."""
    return {
        "schema": f"curvewise.command.{command}",
        "version": 1,
        "curvewise": __version__,
        "source": source,
        "options": json_safe(options),
    }


def json_text(document: Document) -> str:
    """Return the data of a document as JSON, in which nothing is NaN or infinite."""
    return json.dumps(document.data, indent=2, allow_nan=False) + "\n"
