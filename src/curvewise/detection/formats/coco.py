"""Annotations in COCO's form, and LVIS': a dict with images, categories and annotations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from curvewise.arrays import Floats
from curvewise.detection.formats.dict_rows import read_dicts
from curvewise.detection.formats.names import is_hashable, repeated
from curvewise.detection.formats.side import ListedClasses, ListedImages, Side, Wanted
from curvewise.detection.formats.wording import wrong
from curvewise.errors import OptionName
from curvewise.rows.checks import as_float
from curvewise.rows.columns import count, is_missing, shown

KEYS = ("annotations", "images", "categories")
# what images have that says nothing about what is in them
NO_ATTRIBUTES = {
    *("id", "width", "height", "file_name", "license", "coco_url", "flickr_url", "date_captured"),
    *("neg_category_ids", "not_exhaustive_category_ids"),
}


def is_coco(data: Mapping[Any, Any]) -> bool:
    """Say whether a dict has the keys of COCO; a dict of columns or of images has none of them as lists of dicts."""
    lists = [data.get(k) for k in KEYS]
    return any(isinstance(v, list) and all(isinstance(e, Mapping) for e in v[:1]) for v in lists)


def read_coco(data: Mapping[str, Any], wanted: Wanted, where: str) -> Side:
    """Read annotations, or detections in the same form."""
    if "annotations" not in data:
        raise wrong(where, "there is no 'annotations'; there are {keys}.", keys=_keys(data))
    parts = {key: _list(data, key, where) for key in KEYS}
    facts = {
        "images": None if parts["images"] is None else _images(parts["images"], wanted, where),
        "classes": None if parts["categories"] is None else _classes(parts["categories"], where),
    }
    return read_dicts(parts["annotations"] or [], wanted, where, **facts)


def _list(data: Mapping[str, Any], key: str, where: str) -> list[Any] | None:
    found = data.get(key)
    if found is not None and not isinstance(found, list | tuple):
        raise wrong(
            where, "{key} is {kind}, where a list is expected.", key=repr(key), kind=f"a {type(found).__name__}"
        )
    return None if found is None else list(found)


def _keys(data: Mapping[Any, Any]) -> str:
    return ", ".join(shown(k) for k in list(data)[:12]) or "no keys"


def _images(entries: Sequence[Any], wanted: Wanted, where: str) -> ListedImages:
    names = _ids(entries, "images", where)
    files = [e.get("file_name") for e in entries]
    negative = _looked_for(entries, "neg_category_ids", where) if wanted.federated else None
    partial = _looked_for(entries, "not_exhaustive_category_ids", where) if wanted.federated else None
    return ListedImages(names, _sizes(entries), files, _attributes(entries), negative=negative, partial=partial)


def _looked_for(entries: Sequence[Any], key: str, where: str) -> list[Any]:
    """Return the classes that LVIS lists for each image."""
    lacking = sum(key not in e for e in entries)
    if lacking:
        raise wrong(
            where,
            "{lacking} of {images} have no {key}, which {rule} needs; for other data use {other}.",
            lacking=lacking,
            images=count(len(entries), "image"),
            key=repr(key),
            rule=OptionName("rule", "lvis"),
            other=OptionName("rule", "coco"),
        )
    return [e[key] for e in entries]


def _classes(entries: Sequence[Any], where: str) -> ListedClasses:
    ids = _ids(entries, "categories", where)
    names = [e.get("name") for e in entries]
    told = all(isinstance(n, str) and n for n in names) and len(set(names)) == len(names)
    frequency = [e.get("frequency") for e in entries]
    return ListedClasses(ids, names if told else ids, frequency if all(frequency) and entries else None)


def _ids(entries: Sequence[Any], key: str, where: str) -> list[Any]:
    """Return what images or categories are called, each once."""
    bad = [k for k, e in enumerate(entries) if not isinstance(e, Mapping) or not _is_name(e.get("id"))]
    if bad:
        raise wrong(where, "entry {first} of {key} has no 'id' that is a name.", first=bad[0], key=repr(key))
    ids = [e["id"] for e in entries]
    twice = repeated(ids)
    if twice:
        raise wrong(
            where,
            "{key} has {number} more than once, the first {first}; an id names one thing.",
            key=repr(key),
            number=count(len(twice), "id"),
            first=shown(twice[0]),
        )
    return ids


def _is_name(value: Any) -> bool:
    return is_hashable(value) and not is_missing(value)


def _sizes(entries: Sequence[Mapping[str, Any]]) -> Floats | None:
    """Return width and height of each image, NaN where unknown; None where none is known."""
    sizes = np.array([[as_float(e.get("width")), as_float(e.get("height"))] for e in entries]).reshape(-1, 2)
    return None if np.isnan(sizes).all() else sizes


def _attributes(entries: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Return the other facts about images that are single values."""
    names = dict.fromkeys(k for e in entries for k in e if k not in NO_ATTRIBUTES)
    columns = {name: [e.get(name) for e in entries] for name in names}
    return {n: v for n, v in columns.items() if all(x is None or isinstance(x, str | int | float) for x in v)}
