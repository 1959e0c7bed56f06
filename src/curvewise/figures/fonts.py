"""The fonts of figures: one for the text, and one that has Chinese letters."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from curvewise.errors import OptionError, nearest

# the best first; where none of these is installed, any font with Chinese letters is taken
CHINESE_FONTS = (
    *("Noto Sans CJK SC", "Noto Sans CJK JP", "Microsoft YaHei", "PingFang SC", "Heiti SC"),
    *("Source Han Sans SC", "WenQuanYi Micro Hei", "SimHei", "Noto Serif CJK SC"),
)
CHINESE_LETTERS = "阳性召回阈值"  # a font with a few ideographs of Japanese or of symbols lacks some of these
USUAL = "DejaVu Sans"  # comes with matplotlib
LAST_RESORT = "Last Resort High-Efficiency"  # comes with newer matplotlib: a box for every letter there is
MISSING_LETTER = r"Glyph .* missing from"  # how matplotlib's warning begins, one for every letter


def families(font: str | None = None) -> list[str]:
    """Return the font asked for, then the first of each kind that is there.

    matplotlib complains of every other, and looks for a letter in the next font only if that is named.
    """
    chinese = chinese_font()
    return list(dict.fromkeys([*([font] if font else []), USUAL, *([chinese] if chinese else [])]))


@cache
def chinese_font() -> str | None:
    """Return the best installed font that has Chinese letters, None where there is no such font."""
    from matplotlib.font_manager import fontManager  # noqa: PLC0415 - slow to load, and an extra

    known = next((name for name in CHINESE_FONTS if name in _installed()), None)
    if known is not None:
        return known
    regular = sorted({f.name: f.fname for f in fontManager.ttflist if f.style == "normal"}.items())
    return next((name for name, path in regular if name != LAST_RESORT and _has_letters(path)), None)


def _has_letters(path: str) -> bool:
    from matplotlib.ft2font import FT2Font  # noqa: PLC0415 - slow to load, and an extra

    try:
        font = FT2Font(path)
        return all(font.get_char_index(ord(letter)) for letter in CHINESE_LETTERS)
    except (OSError, RuntimeError):  # removed since matplotlib listed it, or not readable
        return False


@contextmanager
def missing_letters_unreported() -> Iterator[None]:
    """Keep matplotlib from warning of every letter that no font has, where the reader's fonts will be used."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=MISSING_LETTER)
        yield


def known_font(font: str) -> str:
    """Return the name of a font as it is installed here, whatever the case of its letters; refuse others."""
    found = {name.lower(): name for name in _installed()}
    if font.lower() in found:
        return found[font.lower()]
    close = nearest(font, sorted(_installed()), 1)
    hint = f"; did you mean {close[0]!r}?" if close else "; install it, or take one that matplotlib knows."
    raise OptionError.of("font", f"{font!r} is not installed here{hint}")


@cache
def _installed() -> frozenset[str]:
    from matplotlib.font_manager import get_font_names  # noqa: PLC0415 - slow to load, and an extra

    return frozenset(get_font_names())
