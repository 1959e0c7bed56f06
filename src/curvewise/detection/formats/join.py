"""Classes and images of both sides under one naming: classes in the order of their ids, images of their names."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from numbers import Integral
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.arrays import Floats, Ints
from curvewise.detection.formats.names import Names, kind_of_names, sorted_names
from curvewise.detection.formats.wording import wrong_rows
from curvewise.errors import CurvewiseError, Note, OptionError, OptionName, nearest, note
from curvewise.rows.checks import values_of
from curvewise.rows.columns import as_text, count, is_number, shown
from curvewise.rows.labels import is_label

if TYPE_CHECKING:
    from curvewise.detection.formats.side import ListedClasses, ListedImages, Side

ONE = "object"  # what the class is called where all are taken for one


def join_classes(truth: Side, found: Side, only: Any, unknown: str) -> Joined:
    """Bring classes together: those that the truth lists, or those seen; ``only`` these, where given."""
    if truth.label is None or found.label is None:  # all are taken for one
        return Joined([ONE], [ONE], np.zeros(len(truth), np.intp), np.zeros(len(found), np.intp))
    seen = truth.label.values
    if truth.classes is None:
        called = _by_own_names(found, seen)
        refuse_other_kind("class", called, seen)
        ids = names = sorted_names([*seen, *called])
        notes = _only_found(seen, called)
    else:
        refuse_unlisted(truth.where, truth.label, set(truth.classes.ids), "class", truth.classes.source)
        ids, names = _in_order(truth.classes)
        called = _as_ids(found, truth.classes)
        refuse_other_kind("class", called, ids)
        advice = "{shift}the classes are {classes}; correct it"
        told = {"shift": _shift(called, ids), "classes": _listed_classes(ids, names)}
        notes = refuse_unknown("class", found.where, found.label, called, set(ids), unknown, advice, **told)
    if only is not None:
        kept = _only_classes(only, ids, names)
        ids, names = [ids[k] for k in kept], [names[k] for k in kept]
    place = {name: k for k, name in enumerate(ids)}
    return Joined(names, ids, places(truth.label, seen, place), places(found.label, called, place), notes)


def _in_order(classes: ListedClasses) -> tuple[list[Any], list[Any]]:
    ids = sorted_names(classes.ids)
    name_of = dict(zip(classes.ids, classes.names, strict=True))
    return ids, [name_of[i] for i in ids]


def _as_ids(found: Side, truth: ListedClasses) -> list[Any]:
    """Return classes of detections by the truth's ids: they may be ids, or names, or ids of names of their own."""
    called = found.label.values if found.label is not None else []
    id_of = dict(zip(truth.names, truth.ids, strict=True))
    own = _by_own_names(found, truth.names)
    if all(name in id_of for name in own) and (own is not called or not set(called) <= set(truth.ids)):
        return [id_of[name] for name in own]
    if found.classes is not None:
        _refuse_other_names(found.classes, truth)
    return called


def _by_own_names(found: Side, known: Sequence[Any]) -> list[Any]:
    """Return classes of detections by the names that found itself lists, if the truth has those."""
    called = found.label.values if found.label is not None else []
    if found.classes is None or found.classes.names is found.classes.ids:
        return called
    name_of = dict(zip(found.classes.ids, found.classes.names, strict=True))
    named = [name_of.get(c) for c in called]
    return named if named and set(named) <= set(known) else called


def _refuse_other_names(found: ListedClasses, truth: ListedClasses) -> None:
    """Refuse one id for two classes."""
    name_of = dict(zip(truth.ids, truth.names, strict=True))
    for key, name in zip(found.ids, found.names, strict=True):
        if str(name_of.get(key, name)).casefold() != str(name).casefold() and found.names is not found.ids:
            raise CurvewiseError(
                "class {key} is {one} in found and {other} in truth; give both the same categories.",
                key=shown(key),
                one=shown(name),
                other=shown(name_of[key]),
            )


def _only_found(seen: Sequence[Any], called: Sequence[Any]) -> list[Note]:
    """Tell of classes that are detected and never annotated, where the truth does not list its classes."""
    annotated = set(seen)
    alone = [name for name in called if name not in annotated]
    if not alone or not seen:
        return []
    shift = bool(_shift(called, seen))
    return [note("detection_classes_shifted" if shift else "detection_only_found", names=listed(sorted_names(alone)))]


def _shift(called: Sequence[Any], ids: Sequence[Any]) -> str:
    """Say that ids seem to be counted from 0 on one side and from 1 on the other; nothing where they do not."""
    if not called or not all(isinstance(c, Integral) for c in (*called, *ids)):
        return ""
    for by in (1, -1):
        if {c + by for c in called} <= set(ids) and not set(called) <= set(ids):
            return f"ids seem shifted by one (from {min(called)} in found, from {min(ids)} in truth); "
    return ""


def _only_classes(only: Any, ids: Sequence[Any], names: Sequence[Any]) -> list[int]:
    """Return the places of the classes to be judged."""
    wanted = names_given("classes", only)
    place = {i: k for k, i in enumerate(ids)} | {n: k for k, n in enumerate(names)}
    unknown = [name for name in wanted if name not in place]
    if unknown:
        raise no_such_name("classes", unknown, names)
    return sorted({place[name] for name in wanted})


def _listed_classes(ids: Sequence[Any], names: Sequence[Any]) -> str:
    pairs = [shown(i) if i == n else f"{shown(i)} {shown(n)}" for i, n in zip(ids, names, strict=True)]
    return ", ".join(pairs[:12]) + (f", … {len(pairs)} in all" if len(pairs) > 12 else "")


# ---- Images of both sides under one naming, in the order of their names ----


def join_images(truth: Side, found: Side, only: Any, unknown: str) -> Joined:
    """Bring images together: those that the truth lists, or those of its rows; ``only`` these, where given."""
    if truth.by_position and found.by_position and truth.images and found.images:
        _refuse_other_number(len(truth.images.names), len(found.images.names))
    if truth.images is not None:
        refuse_unlisted(truth.where, truth.image, set(truth.images.names), "image", "images")
    known = _known_images(truth, found)
    called = _by_file_name(found.image.values, set(known), truth.images)
    notes = []
    if only is None:
        refuse_other_kind("image", called, known)
        advice = "correct it" if _lists_all(truth) else "name all images that are judged in {images}"
        notes = refuse_unknown(
            "image", found.where, found.image, called, set(known), unknown, advice, images=OptionName("images")
        )
    names = sorted_names(known if only is None else _only_images(only, known, called, truth))
    place = {name: k for k, name in enumerate(names)}
    of_truth = places(truth.image, truth.image.values, place)
    return Joined(names, names, of_truth, places(found.image, called, place), notes)


def image_facts(listed: ListedImages, names: Sequence[Any]) -> tuple[Floats | None, dict[str, list[Any]]]:
    """Return sizes and attributes of the images that are judged, in their order."""
    at = {name: k for k, name in enumerate(listed.names)}
    kept = [at.get(name, -1) for name in names]
    sizes = None
    if listed.sizes is not None:
        sizes = np.append(listed.sizes, [[np.nan, np.nan]], axis=0)[kept]
    attributes = {key: [values[k] if k >= 0 else None for k in kept] for key, values in listed.attributes.items()}
    return sizes, attributes


def _known_images(truth: Side, found: Side) -> list[Any]:
    if truth.images is not None:
        return truth.images.names
    if found.images is not None:
        return list(dict.fromkeys([*truth.image.values, *found.images.names]))
    return truth.image.values or found.image.values  # without truths, nothing says which images there are


def _lists_all(truth: Side) -> bool:
    return truth.images is not None and truth.images.complete


def _only_images(only: Any, known: Sequence[Any], called: Sequence[Any], truth: Side) -> list[Any]:
    """Check the images to be judged; where the truth does not list its images, these are the list."""
    wanted = names_given("images", only)
    seen = set(known) if _lists_all(truth) else {*known, *called}
    unknown = [name for name in wanted if name not in seen]
    if unknown and (_lists_all(truth) or len(unknown) == len(wanted)):
        raise no_such_name("images", unknown, seen)
    return wanted


def _by_file_name(called: list[Any], known: set[Any], listed: ListedImages | None) -> list[Any]:
    """Return names of images for names of their files, with or without the ending, where all of them are that."""
    if listed is None or listed.files is None or all(name in known for name in called):
        return called
    found: dict[Any, list[Any]] = {}
    for file, name in zip(listed.files, listed.names, strict=True):
        for part in {file, PurePath(file).name, PurePath(file).stem} if isinstance(file, str) else ():
            found.setdefault(part, []).append(name)
    named = [found.get(name, []) for name in called]
    return [names[0] for names in named] if all(len(names) == 1 for names in named) else called


def _refuse_other_number(truths: int, found: int) -> None:
    if truths != found:
        raise CurvewiseError(
            "truth and found must be equally long, since images are told by their position: truth has "
            f"{count(truths, 'image')}, found has {count(found, 'image')}."
        )


# ---- Names of both sides brought together: what is unknown to the truth, what is left out ----

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
