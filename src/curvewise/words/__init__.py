"""Every sentence that people read: one file for each section, English and Chinese beside each other."""

from __future__ import annotations

import json
import re
import string
import unicodedata
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, cast

from curvewise.words.numbers import UNDEFINED, Numbers, base_of

Lang = Literal["en", "zh", "zh-general"]
# a JSON file each: by key its English and Chinese texts (null: not yet translated), or the key whose texts it has
SECTIONS = (
    *("page", "intervals", "metrics_of_ranking", "metrics_at_thresholds", "metrics_of_probabilities", "summary"),
    *("comparison", "explorer", "threshold", "probabilities", "groups", "sites_and_folds", "figures", "methods"),
    *("studies", "classes", "baseline", "over_time", "detection", "detection_page"),
)
LANGS: tuple[Lang, ...] = ("en", "zh", "zh-general")
# Chinese has words of medicine for what other fields call otherwise
GENERAL = {"患病率": "阳性率", "患病比数": "阳性比数", "患病": "阳性", "病例": "样本", "患者": "对象"}
COUNTED = {
    "of_base": "base",
    "of_negatives": "base_negatives",
    "of_cases": "cases",
}  # shares told of so many rows, and the place of that number
NAME = "\x1f"  # at both ends of a name while a sentence is written
HAN = "[\u3400-\u9fff\uff01-\uff60\u3001-\u301f]"  # Chinese characters and full-width signs, which need no space
MOST_NAMES = 4  # of a list within a sentence
RIGHT_TO_LEFT = {"R", "AL", "AN"}


class Words:
    """The texts of one language, with places for numbers and names.

    A place says how its value is written: ``{prevalence:share}``, ``{rows:count}``; a name needs no more
    than ``{model}``. A value that is not given is shown as a dash. Shares that are told of 100 rows, or of more
    where one of them is small, have their number of rows in ``{base}``: "{precision:of_base} of {base} alarms"
    (likewise ``{base_negatives}`` and ``of_negatives``, ``{cases}`` and ``of_cases``). A noun follows its number:
    ``{rows:count} {rows:one|row|rows}``.
    """

    def __init__(self, lang: Lang) -> None:
        if lang not in LANGS:
            raise ValueError(f"lang: expected one of {', '.join(map(repr, LANGS))}, got {lang!r}.")
        self.lang = lang
        self.numbers = Numbers(*(self.template(f"number.{k}") for k in ("percent", "between", "points")))
        self._formatter = _Formatter(self)

    def __call__(self, key: str, **values: Any) -> str:
        """Return a text with its places filled."""
        return self._formatter.vformat(self.template(key), (), values)

    def __contains__(self, key: str) -> bool:
        return _pair(key) is not None

    def template(self, key: str) -> str:
        """Return a text with its places as they are written."""
        pair = _pair(key)
        if pair is None:
            raise KeyError(key)
        return _in_language(pair, self.lang)

    def known(self, family: str, name: str) -> str:
        """Return the word for a name of the library, or the name itself where there is none."""
        key = f"{family}.{name}"
        return self(key) if key in self else name

    def metric(self, name: str) -> str:
        """Return the name of a metric as it stands within a sentence."""
        return self(f"said.{name}") if f"said.{name}" in self else self.known("metric", name)

    def interval(self, low: Any, high: Any, way: str = "area") -> str:
        """Write both ends of an interval, or nothing where there is none."""
        return self.numbers.interval(low, high, way)

    def listed(self, items: list[str]) -> str:
        """Write names or short texts one after the other."""
        return self.template("list.comma").join(map(isolated, items))

    def under(self, prefix: str) -> dict[str, str]:
        """Return all texts whose key begins so, without that beginning."""
        return {k.removeprefix(prefix): v for k, v in texts(self.lang).items() if k.startswith(prefix)}


@cache
def words(lang: Lang = "en") -> Words:
    """Return the words of a language."""
    return Words(lang)


def sentence(code: str, values: Mapping[str, Any], lang: str = "en") -> str:
    """Return the sentence of a note."""
    return words(cast("Lang", lang))(f"note.{code}", **values)


def word(family: str, name: str, lang: str = "en") -> str:
    """Return what a reader calls a name of the library; a metric as it stands within a sentence."""
    found = words(cast("Lang", lang))
    return found.metric(name) if family == "metric" else found.known(family, name)


@cache
def texts(lang: Lang) -> dict[str, str]:
    """Return the raw texts of a language."""
    keys = (key for section in SECTIONS for key in _section(section))
    return {key: words(lang).template(key) for key in keys}


@cache
def _section(name: str) -> dict[str, tuple[str, str | None] | str]:
    text = Path(__file__).with_name(f"{name}.json").read_text("utf-8")
    return cast("dict[str, tuple[str, str | None] | str]", json.loads(text))


@cache
def _pair(key: str) -> tuple[str, str | None] | None:
    """Return the texts of a key; sections are loaded one after the other until one has it."""
    pair = next((section[key] for section in map(_section, SECTIONS) if key in section), None)
    return _pair(pair) if isinstance(pair, str) else pair


def _in_language(pair: tuple[str, str | None], lang: Lang) -> str:
    """Return the text of a language: what nobody has translated is English; ``"zh-general"`` is not about medicine."""
    english, chinese = pair
    text = english if lang == "en" or chinese is None else chinese
    for medical, general in GENERAL.items() if lang == "zh-general" else ():
        text = text.replace(medical, general)
    return text


def isolated(name: str) -> str:
    """Keep a name that is written from right to left from turning its surroundings round."""
    if any(unicodedata.bidirectional(c) in RIGHT_TO_LEFT for c in name):
        return f"\u2068{name}\u2069"
    return name


def _close(text: str) -> str:
    """Leave out the space between a Chinese name and Chinese text, and the signs at the ends of names."""
    for space in (f" {NAME}", f"{NAME} "):
        text = re.sub(f"(?<={HAN}){space}(?={HAN})", "", text)
    return text.replace(NAME, "")


class _Fine(float):
    """A number within a sentence that needs more digits than usual, by the way of writing."""

    digits: dict[str, int]

    @classmethod
    def of(cls, value: Any, digits: dict[str, int]) -> Any:
        """Return a float with its digits; anything else as it is."""
        if not isinstance(value, float):
            return value
        number = cls(value)
        number.digits = digits
        return number


class _Formatter(string.Formatter):
    """Fill places by the ways of `Numbers`; never look into what fills them."""

    def __init__(self, words: Words) -> None:
        self.numbers, self.template, self.lang = words.numbers, words.template, words.lang

    def vformat(self, format_string: str, args: Any, kwargs: Any) -> str:
        places = [(name, spec) for _, name, spec, _ in self.parse(format_string) if spec in COUNTED]
        if places:
            kwargs = dict(kwargs)
            for way, whole in COUNTED.items():
                names = {name for name, spec in places if spec == way}
                base = base_of(kwargs.get(name) for name in names)
                kwargs |= {name: self.numbers.of(kwargs.get(name), base) for name in names}
                kwargs |= {whole: self.numbers.count(base)} if names else {}
        if fine := self._fine(format_string, kwargs):
            kwargs = {name: _Fine.of(value, fine) for name, value in kwargs.items()}
        return _close(super().vformat(format_string, args, kwargs))

    def _fine(self, format_string: str, values: Mapping[str, Any]) -> dict[str, int]:
        """Return the ways of writing in which a sentence needs more digits than usual, for an interval in it."""
        fine: dict[str, int] = {}
        for _, name, spec, _ in self.parse(format_string):
            value, way = values.get(name or ""), spec or ""
            if isinstance(code := getattr(value, "code", None), str):  # a note within a note
                inner = self._fine(self.template(f"note.{code}"), value.values)  # type: ignore[union-attr]
                fine = {k: max(inner.get(k, 0), fine.get(k, 0)) for k in inner | fine}
                continue
            ends = (value, values.get(f"{name[:-3]}high")) if name and name.endswith("low") else None
            if way.endswith("_ends"):
                ends, way = value, way.removesuffix("_ends")
            if ends and None not in ends and (digits := self.numbers.digits(*ends, way)):
                fine[way] = max(digits, fine.get(way, 0))
        return fine

    def get_field(self, field_name: str, args: Any, kwargs: Any) -> Any:  # noqa: ARG002 - Formatter's own
        return kwargs.get(field_name), field_name

    def format_field(self, value: Any, format_spec: str) -> str:
        if value is None:
            return UNDEFINED
        if callable(getattr(value, "text", None)):  # a note within a note
            text = str(value.text(self.lang))
            return text[:1].upper() + text[1:] if format_spec == "sentence" else text
        if format_spec.startswith("one|"):  # a noun, by its number
            return format_spec.split("|")[1 if value == 1 else 2]
        if format_spec in COUNTED:  # written above, together with the others of its sentence
            return str(value)
        if format_spec == "notes":  # codes of notes, one after the other
            return self.template("list.and").join(self.template(f"note.{code}") for code in value)
        if format_spec == "rows":  # numbers of rows
            return self.template("list.row" if value.is_one else "list.rows").format(rows=value.listed)
        if format_spec.endswith("_ends"):  # both ends of an interval, the unit once
            low, high = value
            return self.numbers.interval(low, high, format_spec.removesuffix("_ends"))
        if format_spec == "names":  # of models or groups
            texts = (self.format_field(name, "").strip(NAME) for name in value)
            return self._names([f"{NAME}{text}{NAME}" for text in texts])
        if format_spec:
            digits = value.digits.get(format_spec) if isinstance(value, _Fine) else None
            return self.numbers.written(value, format_spec, digits)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return self.numbers.amount(value)
        return f"{NAME}{isolated(str(value))}{NAME}"

    def _names(self, names: list[str]) -> str:
        """Write names one after the other; of many the first, and how many more there are."""
        comma, more = self.template("list.comma"), len(names) - MOST_NAMES
        if more > 1:
            return self.template("list.more").format(
                names=comma.join(names[:MOST_NAMES]), more=self.numbers.count(more)
            )
        last = names[-1:]
        return self.template("list.last").join([comma.join(names[:-1]), *last] if len(names) > 1 else last)
