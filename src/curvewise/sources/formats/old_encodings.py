"""Text that is not UTF-8: which older encoding it has, as far as bytes tell."""

from __future__ import annotations

NAMES = {"gb18030": "GB 18030", "cp1252": "Windows-1252"}
NAMES |= {f"utf-{bits}-{order}": f"UTF-{bits}" for bits in (16, 32) for order in ("le", "be")}


def old_encoding(sample: bytes) -> str | None:
    """Return the encoding of bytes that are not UTF-8; None where they are no text, or UTF-8 with an error in it.

    Chinese text is told by pairs of bytes that are mostly characters of the first level of GB 2312, the common ones;
    anything else is taken for Western European text, whose small letters with accents lie beyond that level.

    Examples
    --------
    >>> old_encoding("Größe".encode("cp1252")), old_encoding("年龄".encode("gb18030"))
    ('cp1252', 'gb18030')
    """
    if b"\0" in sample:
        return _two_bytes(sample)
    shown = sample.decode(errors="replace")
    broken = shown.count("\ufffd")
    if sum(sign > "\x7f" for sign in shown) > 2 * broken:
        return None  # most of what is not ASCII is UTF-8
    try:
        chinese = [sign for sign in sample.decode("gb18030") if sign > "\x7f"]
    except UnicodeDecodeError:
        chinese = []
    common = sum(_is_common(sign) for sign in chinese)
    if common and common >= 0.7 * len(chinese):
        return "gb18030"
    try:
        sample.decode("cp1252")
    except UnicodeDecodeError:
        return None
    return "cp1252"


def _is_common(sign: str) -> bool:
    try:
        pair = sign.encode("gb2312")
    except UnicodeEncodeError:
        return False
    return 0xA1 <= pair[0] <= 0xA3 or 0xB0 <= pair[0] <= 0xD7


def _two_bytes(sample: bytes) -> str | None:
    """Tell UTF-16 without a mark: in the text of tables, nearly every second byte is zero."""
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    pairs = len(sample) // 2
    if odd >= 0.7 * pairs and not even:
        return "utf-16-le"
    return "utf-16-be" if even >= 0.7 * pairs and not odd else None
