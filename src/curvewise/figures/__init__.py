"""Figures of finished results, one file each; matplotlib is loaded when the first one is drawn."""

from __future__ import annotations

from curvewise._names import public_names

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
