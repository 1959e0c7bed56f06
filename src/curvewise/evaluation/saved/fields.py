"""Read what `to_dict` wrote, field by field; whatever is missing or of another type is one clear sentence."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

from curvewise.errors import CurvewiseError, Note, note
from curvewise.results.estimate import Estimate
from curvewise.rows.columns import shown
from curvewise.words import LANGS

NUMBERS = {"inf": math.inf, "-inf": -math.inf}  # what JSON has no number for
NOTE = {"code", "values", "text"}


def plain_json(data: object, what: str) -> Any:
    """Return a copy of data that JSON can hold; refuse any other."""
    try:
        return json.loads(json.dumps(data, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise CurvewiseError(f"{what}: expected what to_dict() returns, which JSON can hold ({error}).") from None


class SavedFields:
    """An object of a saved result, and where in it we are: every check names the place."""

    def __init__(self, value: Any, where: str) -> None:
        self.value, self.where = value, where
        if not isinstance(value, dict):
            raise self.wrong(where, "an object", value)

    @staticmethod
    def wrong(where: str, expected: str, found: object) -> CurvewiseError:
        """Return the error of a field that is not as curvewise writes it."""
        return CurvewiseError(
            f"{where}: expected {expected}, got {shown(found)}; curvewise writes no such evaluation, so the file was "
            "changed or damaged: make it again."
        )

    def __contains__(self, name: str) -> bool:
        return self.value.get(name) is not None

    def place(self, name: str) -> str:
        """Return where a field is."""
        return f"{self.where}.{name}"

    def _get(self, name: str) -> Any:
        if name not in self.value:
            raise CurvewiseError(
                f"{self.where}: the field {name!r} is missing; curvewise writes it always, so the file was changed or "
                "damaged: make it again."
            )
        return self.value[name]

    def fields(self, name: str) -> SavedFields:
        """Return an object within this one."""
        return SavedFields(self._get(name), self.place(name))

    def each(self, name: str) -> Iterator[SavedFields]:
        """Yield the objects of a list."""
        for k, value in enumerate(self._list(name)):
            yield SavedFields(value, f"{self.place(name)}[{k}]")

    def by_name(self, name: str) -> dict[str, SavedFields]:
        """Return the objects that an object holds, by name."""
        inside = self.fields(name)
        return {key: inside.fields(key) for key in inside.value}

    def _list(self, name: str) -> list[Any]:
        found = self._get(name)
        if not isinstance(found, list):
            raise self.wrong(self.place(name), "a list", found)
        return found

    def text(self, name: str) -> str:
        """Return a text."""
        found = self._get(name)
        if not isinstance(found, str):
            raise self.wrong(self.place(name), "a text", found)
        return found

    def text_or_none(self, name: str) -> str | None:
        """Return a text, or None where there is none."""
        return self.text(name) if name in self else None

    def flag(self, name: str) -> bool:
        """Return what is true or false."""
        found = self._get(name)
        if not isinstance(found, bool):
            raise self.wrong(self.place(name), "true or false", found)
        return found

    def number(self, name: str) -> Any:
        """Return a number as it stands, whole or not; null is NaN."""
        return self._number(self.place(name), self._get(name))

    def numbers(self, name: str) -> list[Any]:
        """Return a list of numbers, none of them null."""
        place, found = self.place(name), self._list(name)
        if None in found:
            raise self.wrong(f"{place}[{found.index(None)}]", "a number", None)
        return [self._number(f"{place}[{k}]", value) for k, value in enumerate(found)]

    def _number(self, where: str, value: Any) -> Any:
        if value is None:
            return math.nan
        if isinstance(value, str) and value in NUMBERS:
            return NUMBERS[value]
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self.wrong(where, "a number", value)
        try:
            float(value)
        except OverflowError:
            raise self.wrong(where, "a number that fits", value) from None
        return value

    def whole_or_none(self, name: str) -> int | None:
        """Return a whole number of at least 0, or None where there is none."""
        if name not in self:
            return None
        found = self._get(name)
        if isinstance(found, bool) or not isinstance(found, int) or found < 0:
            raise self.wrong(self.place(name), "a whole number of at least 0", found)
        return found

    def note_or_none(self, name: str) -> Note | None:
        """Return a note, or None where there is none."""
        return note_of(self.fields(name)) if name in self else None

    def notes(self, name: str) -> tuple[Note, ...]:
        """Return a list of notes."""
        return tuple(note_of(found) for found in self.each(name))


def note_of(found: SavedFields) -> Note:
    """Return a saved note; where this version would say something else, the sentence that was saved."""
    code, text, values = found.text("code"), found.text("text"), found.fields("values").value
    made = Note(code, {name: _value(found, value) for name, value in values.items()})
    return made if _says(made, text) else note("undefined", why=text)


def _value(found: SavedFields, value: Any) -> Any:
    within = isinstance(value, dict) and set(value) == NOTE
    return note_of(SavedFields(value, found.place("values"))) if within else value


def _says(made: Note, text: str) -> bool:
    """Try it: the code may be unknown here, or a value of a type that the sentence has no place for."""
    try:
        return str(made) == text and all(made.text(lang) for lang in LANGS)
    except (AttributeError, KeyError, TypeError, ValueError, ArithmeticError):
        return False


def estimate_of(found: SavedFields) -> Estimate:
    """Return a saved estimate."""
    value, low, high, level = (float(found.number(k)) for k in ("value", "low", "high", "level"))
    if not 0 < level < 1:
        raise found.wrong(found.place("level"), "a number between 0 and 1", found.value["level"])
    if low > high:
        raise found.wrong(found.place("low"), "at most the upper end of the interval", found.value["low"])
    error = found.number("standard_error")
    return Estimate(
        found.text("metric"),
        value,
        low,
        high,
        level,
        found.text_or_none("method"),
        None if math.isnan(error) else float(error),
        found.whole_or_none("replicates"),
        found.notes("notes"),
        found.note_or_none("reason"),
    )
