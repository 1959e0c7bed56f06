"""Names of both sides brought together: what is unknown to the truth, what is left out."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.detection.inputs.names import Names, kind_of_names
from curvewise.detection.inputs.wording import wrong_rows
from curvewise.errors import CurvewiseError, Note, OptionError, OptionName, nearest, note
from curvewise.rows.checks import values_of
from curvewise.rows.columns import as_text, is_number, shown
from curvewise.rows.labels import is_label

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from curvewise.detection.scene import Ints

MOST_SHOWN = 5


@dataclass(frozen=True, eq=False)
class Joined:
    """Names that are judged, what rows call them, and for each row of both sides its place, −1 where it is left out."""

    names: list[Any]
    ids: list[Any]
    truth: Ints
    found: Ints
    notes: list[Note] = field(default_factory=list)


def places(names: Names, called: Sequence[Any], place: Mapping[Any, int]) -> Ints:
    """Return the place of each row's name; −1 for rows without a name, and for names that have no place.

    ``called`` are the names of ``names.values`` under the naming of ``place``.
    """
    at = np.array([*(place.get(name, -1) for name in called), -1], np.intp)  # the last one is that of no name
    return at[names.places]


def names_given(option: str, only: Any) -> list[Any]:
    """Return the names that an option lists."""
    if isinstance(only, str | bytes) or is_number(only):
        raise OptionError.of(option, f"expected a list of names, got {shown(only)}.")
    wanted = list(only) if isinstance(only, Set | Iterator) else values_of(option, only)
    if bad := [n for n in wanted if not is_label(n)]:
        raise OptionError.of(option, f"expected names (text or numbers), got {shown(bad[0])}.")
    if not wanted:
        raise OptionError.of(option, "expected at least one name, got none.")
    return wanted


def no_such_name(option: str, unknown: Sequence[Any], known: Collection[Any]) -> OptionError:
    """Return the error of names that an option lists and nobody knows."""
    near = nearest(as_text(unknown[0], option), [str(k) for k in known], 1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {listed(known)}."
    return OptionError.of(option, f"there is no {listed(unknown)}; {hint}")


def refuse_unlisted(where: str, names: Names, known: Collection[Any], what: str, key: str) -> None:
    """Refuse truths of an image or a class that the truth itself does not list."""
    bad = [k for k, name in enumerate(names.values) if name not in known]
    if bad:
        problem = f"{what} is not in {key!r} ({listed([names.values[k] for k in bad])})"
        raise wrong_rows(where, problem, np.isin(names.places, bad), "list it there, or correct it")


def refuse_other_kind(what: str, called: Sequence[Any], known: Sequence[Any]) -> None:
    """Refuse names of two kinds that are never equal: text on one side, numbers on the other."""
    kinds = kind_of_names(called), kind_of_names(known)
    if None not in kinds and (kinds[0] == "text") != (kinds[1] == "text"):
        raise CurvewiseError(
            "{what} ids are {found} in found and {truth} in truth ({one} and {other}); give both as one kind.",
            what=what,
            found=kinds[0],
            truth=kinds[1],
            one=shown(called[0]),
            other=shown(known[0]),
        )


def refuse_unknown(
    what: str,
    where: str,
    names: Names,
    called: Sequence[Any],
    known: Collection[Any],
    unknown: str,
    advice: str,
    **fields: object,
) -> list[Note]:
    """Refuse detections of images or classes that the truth does not know, or count those that are left out."""
    bad = [k for k, name in enumerate(called) if name not in known]
    mask = np.isin(names.places, bad) if bad else np.zeros(0, dtype=bool)
    if not mask.any():
        return []
    first = listed([called[k] for k in dict.fromkeys(names.places[mask].tolist())])
    if unknown == "drop":
        return [note(f"detection_unknown_{what}", rows=int(mask.sum()), of=len(mask), names=first)]
    raise wrong_rows(
        where,
        f"{what} is unknown to truth ({first})",
        mask,
        advice + ", or pass {option} to leave such detections out",
        None,
        option=OptionName("unknown", "drop"),
        **fields,
    )


def listed(names: Collection[Any]) -> str:
    """Write the first names one after the other."""
    more = ", …" if len(names) > MOST_SHOWN else ""
    return ", ".join(shown(n) for n in list(names)[:MOST_SHOWN]) + more
