"""Text and tables for a screen of fixed-width characters: folded at words where a line is too long."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from curvewise.results.text import visible, width

Paint = Callable[[str, str], str]  # text, and which part of a table it is: "head" or "name"

NARROWEST = 40  # a screen that is narrower is taken for one of this width
READABLE = 24  # a column of words becomes no narrower than this
GAP = "  "
# a number, perhaps with its interval, but no sentence that begins with a number
NUMBER = re.compile(r"(?!.*[^\W\d_]{3})[−+<>≤≥-]? ?[\d∞]|undefined$|[–—]?$")
CLOSING, OPENING = "，。；：、！？）》”’％", "（《“‘"  # no line begins, or ends, with these
JOINTS = "_-/.,;"  # where a name that is longer than a line is broken


def folded(text: str, most: int | None) -> list[str]:
    """Break a text into lines of at most so many narrow characters: at spaces, and between Chinese characters.

    >>> folded("of 100 positives, 68 are flagged", 18)
    ['of 100 positives,', '68 are flagged']
    >>> folded("灵敏度为 0.871", 9)
    ['灵敏度为', '0.871']
    """
    if most is None or width(text) <= most:
        return [text]
    lines = [""]
    for piece in _pieces(text):
        if width(lines[-1] + piece.rstrip()) <= most:
            lines[-1] += piece
        else:
            *whole, rest = _broken(piece, most)
            lines += [*whole, rest]
    return [line.strip() for line in lines if line.strip()]


def paragraph(text: str, most: int | None, first: str = "", then: str = "") -> str:
    """Write a text folded, with a beginning of its first line and one of all others."""
    room = None if most is None else max(most, NARROWEST) - max(width(first), width(then))
    return "\n".join((then if k else first) + line for k, line in enumerate(folded(visible(text), room)))


def aligned(
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    right: Sequence[bool],
    most: int | None = None,
    paint: Paint = lambda text, _: text,
) -> str:
    """Write a table; numbers stand to the right, and no number is ever broken.

    Where it is wider than ``most`` narrow characters, columns of words are folded; where that is not enough, the
    columns are shown in several tables below each other, each with the first columns that tell the rows apart.
    """
    lines = [list(map(visible, line)) for line in (head, *rows)]
    columns = list(zip(*lines, strict=True))
    widths = [max(map(width, column)) for column in columns]
    if most is None or sum(widths) + len(GAP) * (len(widths) - 1) <= max(most, NARROWEST):
        parts = [dict(enumerate(widths))]
    else:
        parts = _parts(columns, widths, right, max(most, NARROWEST))
    return "\n\n".join("\n".join(_lines(lines, part, right, paint)) for part in parts)


def _parts(columns: list[tuple[str, ...]], widths: list[int], right: Sequence[bool], most: int) -> list[dict[int, int]]:
    """Return which columns each table shows, and how wide they are."""
    kinds = zip(columns, right, strict=True)
    words = [not numeric and not all(map(NUMBER.match, column[1:])) for column, numeric in kinds]
    least = [_least(c, w, of_words=f, most=most // 2) for c, w, f in zip(columns, widths, words, strict=True)]
    names = _names(columns, right)
    for place in names:  # stay whole where they can
        least[place] = min(widths[place], most // (2 * len(names))) if words[place] else least[place]
    groups: list[list[int]] = []
    for place in range(len(names), len(columns)):
        if groups and _total([least[k] for k in (*names, *groups[-1], place)]) <= most:
            groups[-1].append(place)
        else:
            groups.append([place])
    return [_shared({k: least[k] for k in (*names, *group)}, widths, words, most) for group in groups or [[]]]


def _names(columns: list[tuple[str, ...]], right: Sequence[bool]) -> range:
    """Return the places of the first columns, no numbers, that tell the rows apart."""
    end = 1
    while end < len(columns) - 1 and not right[end] and len(set(zip(*columns[:end], strict=True))) < len(columns[0]):
        end += 1
    return range(end)


def _least(column: tuple[str, ...], natural: int, *, of_words: bool, most: int) -> int:
    """Return the width below which a column is not read with ease; numbers keep theirs."""
    texts = column if of_words else column[:1]
    longest = max((width(piece.rstrip()) for text in texts for piece in _pieces(text)), default=0)
    if of_words:
        return min(natural, max(READABLE, min(longest, most)))
    return max([min(longest, most), *map(width, column[1:])])


def _shared(least: dict[int, int], widths: list[int], words: list[bool], most: int) -> dict[int, int]:
    """Give the columns of one table the room that is left, those of words that want it in equal shares."""
    found = dict(least)
    while room := max(most - _total(list(found.values())), 0):
        wanting = [k for k in found if words[k] and found[k] < widths[k]]
        if not wanting:
            break
        for k in wanting[:room]:
            found[k] += min(max(room // len(wanting), 1), widths[k] - found[k])
    last = max(found)
    if (beyond := _total(list(found.values())) - most) > 0 and words[last]:
        found[last] = max(found[last] - beyond, READABLE // 2)
    return found


def _total(widths: list[int]) -> int:
    return sum(widths) + len(GAP) * (len(widths) - 1)


def _lines(table: list[list[str]], part: dict[int, int], right: Sequence[bool], paint: Paint) -> Iterator[str]:
    for row, line in enumerate(table):
        cells = {k: folded(line[k], room) or [""] for k, room in part.items()}
        for at in range(max(map(len, cells.values()))):
            yield _line({k: c[at] if at < len(c) else "" for k, c in cells.items()}, part, right, paint, header=not row)
        if not row:
            yield GAP.join("─" * room for room in part.values())


def _line(cells: dict[int, str], part: dict[int, int], right: Sequence[bool], paint: Paint, *, header: bool) -> str:
    shown = []
    for k, text in cells.items():
        gap = " " * (part[k] - width(text))
        painted = paint(text, "head") if header else text if k else paint(text, "name")
        shown.append(gap + painted if right[k] else painted + gap)
    return GAP.join(shown).rstrip()


def _pieces(text: str) -> Iterator[str]:
    """Yield the pieces of a text between which a line may end, each with the spaces behind it."""
    piece = ""
    for c in text:
        last = piece[-1:]
        wide = width(c) > 1 or (last and width(last) > 1)
        if piece and c != " " and (last == " " or (wide and c not in CLOSING and last not in OPENING)):
            yield piece
            piece = ""
        piece += c
    if piece:
        yield piece


def _broken(piece: str, most: int) -> list[str]:
    """Break a piece that is longer than a line, behind a joint of the name where it has one."""
    lines, rest = [], piece
    while width(rest.rstrip()) > most:
        end = next(k for k in range(len(rest), 0, -1) if width(rest[:k]) <= most or k == 1)
        joint = max(rest.rfind(c, end // 2, end) for c in JOINTS) + 1
        lines.append(rest[: joint or end])
        rest = rest[joint or end :]
    return [*lines, rest]
