"""Classes of both sides under one naming, in the order of their ids."""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.detection.inputs.joined import (
    Joined,
    listed,
    names_given,
    no_such_name,
    places,
    refuse_other_kind,
    refuse_unknown,
    refuse_unlisted,
)
from curvewise.detection.inputs.names import sorted_names
from curvewise.errors import CurvewiseError, Note, note
from curvewise.rows.columns import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curvewise.detection.inputs.side import ListedClasses, Side

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
