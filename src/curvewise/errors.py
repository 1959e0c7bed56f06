"""What can go wrong, and what deserves a second look: errors with fields, notes with codes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any


@dataclass(frozen=True)
class ColumnName:
    """A column as the library calls it (``y``, ``score``, ``weight``); a program may know it by another name."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class RowNumbers:
    """The first rows that something is wrong with, counted from 0; ``more`` says that there are others."""

    rows: tuple[int, ...]
    more: bool = False

    @property
    def listed(self) -> str:
        """The numbers alone."""
        return ", ".join(map(str, self.rows)) + (", …" if self.more else "")

    @property
    def is_one(self) -> bool:
        """Whether it is one row alone."""
        return len(self.rows) == 1 and not self.more

    def __str__(self) -> str:
        return f"row{'' if self.is_one else 's'} {self.listed}"


@dataclass(frozen=True)
class OptionName:
    """An option that would help, perhaps with its value: ``missing='drop'``."""

    name: str
    value: str | None = None

    def __str__(self) -> str:
        return f"{self.name}=" if self.value is None else f"{self.name}={self.value!r}"


@dataclass(frozen=True)
class ArgumentName:
    """An option that a message is about: ``margin`` in Python, ``--margin`` on the command line."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Advice:
    """What to do, in Python and on the command line."""

    python: str
    command: str

    def __str__(self) -> str:
        return self.python


class CurvewiseError(ValueError):
    """The input or an option cannot be used; the message says what, where, how many, what to do.

    ``message`` may have places, ``{like_this}``, filled by ``fields``: plain values, and `ColumnName`,
    `RowNumbers`, `OptionName`, `ArgumentName` and `Advice`, which a program that reads files puts in its
    own words (`in_words`).
    """

    def __init__(self, message: str, **fields: object) -> None:
        self.message, self.fields = message, fields
        super().__init__(self.in_words(str))

    def in_words(self, words: Callable[[object], str]) -> str:
        """Return the sentence with every field written by ``words``."""
        text = self.message.format_map({k: words(v) for k, v in self.fields.items()}) if self.fields else self.message
        return " ".join(text.split()) if "\n" in text else text  # one line, whatever a value of the user's holds

    def _first(self, kind: type) -> Any:
        return next((v for v in self.fields.values() if isinstance(v, kind)), None)

    @property
    def column(self) -> str | None:
        """The column that the message is about, where it is about one."""
        found = self._first(ColumnName)
        return None if found is None else found.name

    @property
    def rows(self) -> tuple[int, ...]:
        """The first rows that the message is about, counted from 0."""
        found = self._first(RowNumbers)
        return () if found is None else found.rows

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (type(self), self.message, self.fields)


def _rebuilt(kind: type[CurvewiseError], message: str, fields: Mapping[str, object]) -> CurvewiseError:
    return kind(message, **fields)


class UndefinedMetricError(CurvewiseError):
    """The data are fine but do not define this quantity, for example when a class is absent."""

    @property
    def reason(self) -> Note:
        """Why, as a note: the one that the error carries, or its sentence."""
        carried = self.fields.get("why")
        return carried if isinstance(carried, Note) else note("undefined", why=str(self).rstrip("."))


class OptionError(CurvewiseError):
    """An option has a value that cannot be used, whatever the data are."""

    @classmethod
    def of(cls, option: str, problem: str) -> OptionError:
        """Return the error of an option by its name."""
        return cls("{option}: {problem}", option=ArgumentName(option), problem=problem)


class UnknownOptionError(OptionError, TypeError):
    """An option or a name that does not exist; the message suggests the nearest ones."""


class SourceError(CurvewiseError):
    """A file or an engine cannot be read or written."""


class MissingExtraError(CurvewiseError, ImportError):
    """An optional package is needed and not installed; the message says how to install it."""


class CurvewiseWarning(UserWarning):
    """The answer is right, but something about the data deserves a second look."""


# what other libraries call our options
OTHER_NAMES = {
    "sample_weight": "weight",
    "sample_weights": "weight",
    "weights": "weight",
    "pos_label": "positive",
    "clusters": "cluster",
    "groups": "group",
    "random_state": "rng",
    "seed": "rng",
    "n_boot": "replicates",
    "n_bootstraps": "replicates",
    "n_resamples": "replicates",
    "confidence_level": "level",
    "conf_level": "level",
    "alpha": "level",
    "n_bins": "bins",
    "cutoff": "threshold",
    "max_fpr": "fpr",
    "y_score": "score",
    "labels": "y",
    "direction": "higher_is",
}


# what else is to be said of such a name
BESIDES = {"pos_label": " For a scikit-learn scorer use cw.scorer, which also takes the scores of that class."}


def nearest(name: str, known: Iterable[str], most: int = 3) -> list[str]:
    """Return the names that somebody who wrote ``name`` may have meant, the likeliest first."""
    names = {k.casefold(): k for k in known}
    wanted = name.casefold().replace("-", "_").replace(" ", "_")
    first = [OTHER_NAMES[wanted]] if OTHER_NAMES.get(wanted) in names.values() else []
    close = [names[k] for k in get_close_matches(wanted, names, n=most, cutoff=0.6)]
    within = [k for low, k in names.items() if wanted in low and len(wanted) > 2]
    return list(dict.fromkeys([*first, *close, *within]))[:most]


def unknown_option(name: str, known: Iterable[str], where: str = "") -> UnknownOptionError:
    """Return the error for an option that does not exist, with the nearest names or all of them."""
    options = list(dict.fromkeys(known))
    close = nearest(name, options, 1)
    hint = f"did you mean {close[0]!r}?" if close else f"the options are {', '.join(options)}."
    return UnknownOptionError(f"{name}: unknown option{f' of {where}' if where else ''}; {hint}{BESIDES.get(name, '')}")


@dataclass(frozen=True)
class Word:
    """A name of the library within a note, such as that of a metric or a rule, worded in any language."""

    family: str
    name: str

    def text(self, lang: str = "en") -> str:
        """Return what a reader calls it."""
        from curvewise.words import word  # noqa: PLC0415 - words are needed only when somebody reads

        return word(self.family, self.name, lang)


@dataclass(frozen=True)
class Note:
    """What a careful reader should know of a result: a code with values, worded in any language.

    The sentence of a code stands in `curvewise.words`; ``str`` gives the English one. A value may be a note: the
    reason within a sentence.
    """

    code: str
    values: dict[str, Any] = field(default_factory=dict)

    def text(self, lang: str = "en") -> str:
        """Return the sentence in a language, ``"en"`` or ``"zh"``."""
        from curvewise.words import sentence  # noqa: PLC0415 - words are needed only when somebody reads

        return sentence(self.code, self.values, lang)

    def __str__(self) -> str:
        return self.text().replace("\u00a0", " ")  # plain text, to be copied and compared

    def to_dict(self) -> dict[str, Any]:
        """Return code, values and the English sentence, JSON-safe."""
        values = {k: _plain(v) for k, v in self.values.items()}
        return {"code": self.code, "values": values, "text": str(self)}


def _plain(value: Any) -> Any:
    """Return a value of a note for JSON."""
    match value:
        case Note():
            return value.to_dict()
        case Word():
            return value.name
        case RowNumbers():
            return list(value.rows)
        case tuple():
            return [_plain(v) for v in value]
    return value


def note(code: str, **values: Any) -> Note:
    """Return a note."""
    return Note(code, values)
