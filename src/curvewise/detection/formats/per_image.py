"""One dict per image, as torchvision has them: boxes, labels, scores in arrays or tensors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curvewise.detection.formats.names import Names
from curvewise.detection.formats.side import ListedImages, Side, Wanted, no_field, side_of
from curvewise.detection.formats.wording import wrong
from curvewise.rows.columns import shown

FIELDS = {
    "box": ("boxes",),
    "class": ("labels",),
    "score": ("scores",),
    "area": ("area",),
    "crowd": ("iscrowd", "crowd"),
    "difficult": ("difficult",),
    "ignore": ("ignore",),
    "mask": ("segmentation", "masks"),
}
NEEDED = {"box": "boxes", "class": "labels", "score": "scores", "mask": "segmentation"}


def is_per_image(entry: Any) -> bool:
    """Say whether something is the dict of one image."""
    return isinstance(entry, Mapping) and "boxes" in entry


def read_per_image(entries: Sequence[Any], wanted: Wanted, where: str, names: Sequence[Any] | None = None) -> Side:
    """Read dicts of images; images are called by ``names``, or by their position."""
    images = list(range(len(entries))) if names is None else list(names)
    for name, entry in zip(images, entries, strict=True):
        if not is_per_image(entry):
            got = (
                f"a dict with {', '.join(map(repr, entry)) or 'nothing'}"
                if isinstance(entry, Mapping)
                else shown(entry)
            )
            raise wrong(where, "image {name}: expected a dict with 'boxes', got {got}.", name=shown(name), got=got)
    boxes = [_boxes(entry["boxes"], name, where) for name, entry in zip(images, entries, strict=True)]
    lengths = np.array([len(b) for b in boxes], np.intp)
    columns: dict[str, Any] = {
        "image": Names(np.repeat(np.arange(len(images)), lengths), images),
        "box": np.concatenate(boxes) if boxes else np.empty((0, 4)),
    }
    for field in wanted.fields:
        if field in columns or field not in FIELDS:
            continue
        key = next((k for k in FIELDS[field] if any(k in e for e in entries)), None)
        if key is not None:
            columns[field] = _column(entries, key, images, lengths, where)
        elif not entries and field in NEEDED:
            columns[field] = []
    for field in ("class", "score"):
        needed = field in wanted.fields and not (field == "score" and wanted.score is not None)
        if needed and field not in columns:
            raise no_field(where, field, entries[0], FIELDS[field])
    listed = ListedImages(images)
    return side_of(columns, wanted, where, images=listed, by_image=True, by_position=names is None)


def _boxes(data: Any, name: Any, where: str) -> NDArray[Any]:
    boxes = _array(data, "boxes", name, where)
    if boxes.size == 0:
        return np.empty((0, 4))
    if boxes.ndim != 2 or boxes.shape[1] != 4 or boxes.dtype.kind not in "iufb":
        raise wrong(
            where,
            "image {name}: expected 4 numbers per box, got an array of shape {shape} and type {dtype}.",
            name=shown(name),
            shape=boxes.shape,
            dtype=boxes.dtype,
        )
    return boxes


def _column(entries: Sequence[Mapping[str, Any]], key: str, images: list[Any], lengths: Any, where: str) -> Any:
    """Join one field of all images, checked to be as long as their boxes."""
    parts = []
    for entry, name, rows in zip(entries, images, lengths.tolist(), strict=True):
        if key not in entry and rows:
            raise wrong(
                where, "image {name}: there is no {key}; other images have it.", name=shown(name), key=repr(key)
            )
        part = _array(entry.get(key, []), key, name, where)
        if part.ndim == 0 or len(part) != rows:
            raise wrong(
                where,
                "image {name}: {key} must be as long as 'boxes', which has {rows}; got {got}.",
                name=shown(name),
                key=repr(key),
                rows=rows,
                got="one value" if part.ndim == 0 else len(part),
            )
        if rows:
            parts.append(part)
    if not parts:
        return []
    if all(p.dtype.kind in "iufb" and p.ndim == 1 for p in parts):
        return np.concatenate(parts)
    return list(chain.from_iterable(p.tolist() if p.ndim == 1 else p for p in parts))


def _array(data: Any, key: str, name: Any, where: str) -> NDArray[Any]:
    """Return an array or a tensor of any device as a NumPy array; text and objects as they are."""
    if hasattr(data, "detach"):  # a tensor of PyTorch
        data = data.detach().cpu()
        if str(data.dtype) == "torch.bfloat16":  # NumPy has no such type; float32 holds it exactly
            data = data.float()
    try:
        values = np.asarray(data)
        if values.dtype.kind in "US" or (values.dtype.kind not in "iufb" and values.ndim):
            held = np.empty(len(data), dtype=object)
            held[:] = list(data)
            return held
    except (TypeError, ValueError, RuntimeError) as error:
        raise wrong(
            where,
            "image {name}: {key} cannot be read as an array ({why}).",
            name=shown(name),
            key=repr(key),
            why=shown(error, 200),
        ) from None
    return values
