"""Fonts that are there: one for the text, and one that has Chinese letters."""

from __future__ import annotations

from functools import cache

from curvewise.errors import OptionError, nearest

CHINESE_FONTS = (
    *("Noto Sans CJK SC", "Noto Sans CJK JP", "Microsoft YaHei", "PingFang SC", "Heiti SC"),
    *("Source Han Sans SC", "WenQuanYi Micro Hei", "SimHei", "Noto Serif CJK SC"),
)
USUAL = "DejaVu Sans"  # comes with matplotlib


def families(font: str | None = None) -> list[str]:
    """Return the font asked for, then the first of each kind that is there.

    matplotlib complains of every other, and looks for a letter in the next font only if that is named.
    """
    chinese = [name for name in CHINESE_FONTS if name in _installed()][:1]
    return list(dict.fromkeys([*([font] if font else []), USUAL, *chinese]))


def has_chinese(font: str | None = None) -> bool:
    """Say whether Chinese letters can be measured here."""
    return any(name in CHINESE_FONTS for name in families(font))


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
