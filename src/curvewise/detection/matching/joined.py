"""The union of matched detections of different images: from batches, machines or streams."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.arrays import Ints
from curvewise.detection.formats.scene import Detections, Federated, Scene, Truths
from curvewise.detection.matching.grouping import falling_level
from curvewise.errors import CurvewiseError
from curvewise.rows.columns import count, shown

if TYPE_CHECKING:
    from curvewise.detection.matching.matched import Matched
    from curvewise.detection.matching.pairs import Overlap


def joined(a: Matched, b: Matched) -> Matched:
    """Return the matches of the images of both; an image in both is refused.

    Matching is within an image, so nothing is matched again.
    """
    if a.options != b.options:
        named = (f.name for f in fields(a.options) if getattr(a.options, f.name) != getattr(b.options, f.name))
        raise CurvewiseError(f"Detections matched with different options cannot be added: {', '.join(named)}.")
    both = set(a.images) & set(b.images)
    if both:
        some = ", ".join(map(shown, sorted(both, key=str)[:5]))
        raise CurvewiseError(f"{count(len(both), 'image')} in both ({some}): only matches of different images add.")
    scenes = (a.scene, b.scene)
    images = _in_order([*a.images, *b.images])
    classes = list(dict.fromkeys([*a.classes, *b.classes]))
    known = {name: ident for s in reversed(scenes) for name, ident in zip(s.classes, s.class_ids, strict=False)}
    ids = [known.get(name, name) for name in classes]
    image_at, class_at = ({name: k for k, name in enumerate(names)} for names in (images, classes))
    places = [
        (np.array([image_at[i] for i in s.images], dtype=np.intp), np.array([class_at[c] for c in s.classes], np.intp))
        for s in scenes
    ]
    scene = Scene(
        images=tuple(images),
        classes=tuple(classes),
        class_ids=tuple(ids),
        truths=_stacked(Truths, [s.truths for s in scenes], places),
        found=_stacked(Detections, [s.found for s in scenes], places),
        sizes=_sizes(scenes, places),
        federated=_federated(scenes, places, len(classes)),
        attributes=_attributes(scenes, places),
        notes=(*a.scene.notes, *(n for n in b.scene.notes if n not in a.scene.notes)),
    )
    found = np.concatenate([a.found, b.found + len(a.scene.found)])
    order = np.argsort(scene.found.image[found], kind="stable")  # by image; within one they are in order already
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    hit = place[np.concatenate([a.hit, b.hit + len(a.found)])]
    rising = np.argsort(hit)
    shifted = np.where(b.hit_truth >= 0, b.hit_truth + len(a.scene.truths), b.hit_truth)
    return replace(
        a,
        scene=scene,
        found=found[order],
        rank=np.concatenate([a.rank, b.rank])[order],
        level=falling_level(scene.found.score[found[order]]),
        hit=hit[rising],
        hit_truth=np.concatenate([a.hit_truth, shifted])[rising].astype(np.int32),
        beyond=a.beyond + b.beyond,
        overlap=_overlap(a.overlap, b.overlap),
    )


def _overlap(first: Overlap | None, second: Overlap | None) -> Overlap | None:
    """Return what tells overlaps of both: one function, or the matrices of both."""
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        return {**first, **second}
    if first is not second and first != second:
        raise CurvewiseError("Detections matched by different overlaps cannot be added.")
    return first


Places = list[tuple["Ints", "Ints"]]  # of each scene: the new places of its images, and of its classes


def _in_order(names: list[Any]) -> list[Any]:
    """Return names sorted, or as they came where they cannot be."""
    try:
        return sorted(names)
    except TypeError:
        return names


def _stacked(kind: type[Any], sides: list[Any], places: Places) -> Any:
    """Return the truths, or the detections, of both, under the new places of images and classes."""
    made: dict[str, Any] = {}
    for f in fields(kind):
        parts = [getattr(side, f.name) for side in sides]
        if f.name in ("image", "label"):
            which = ("image", "label").index(f.name)
            parts = [new[which][part] for new, part in zip(places, parts, strict=True)]
        lists = all(isinstance(part, list) for part in parts)
        lost = any(part is None for part in parts)
        made[f.name] = None if lost else [*parts[0], *parts[1]] if lists else np.concatenate(parts)
    return kind(**made)


def _sizes(scenes: tuple[Scene, Scene], places: Places) -> Any:
    if any(s.sizes is None for s in scenes):
        return None
    sizes = np.empty((sum(len(s.images) for s in scenes), 2))
    for s, (image, _) in zip(scenes, places, strict=True):
        sizes[image] = s.sizes
    return sizes


def _attributes(scenes: tuple[Scene, Scene], places: Places) -> dict[str, list[Any]]:
    """Return the facts about images that both have."""
    found: dict[str, list[Any]] = {}
    for name in [n for n in scenes[0].attributes if n in scenes[1].attributes]:
        values: list[Any] = [None] * sum(len(s.images) for s in scenes)
        for s, (image, _) in zip(scenes, places, strict=True):
            for place, value in zip(image.tolist(), s.attributes[name], strict=True):
                values[place] = value
        found[name] = values
    return found


def _federated(scenes: tuple[Scene, Scene], places: Places, classes: int) -> Federated | None:
    first, second = (s.federated for s in scenes)
    if first is None or second is None:
        return None

    def moved(name: str) -> Ints:
        parts = []
        for s, (image, label) in zip(scenes, places, strict=True):
            pair = getattr(s.federated, name)
            parts.append(image[pair // len(s.classes)] * classes + label[pair % len(s.classes)])
        return np.sort(np.concatenate(parts))

    frequency = None
    if first.frequency is not None and second.frequency is not None:
        letters: list[str] = [""] * classes
        for known, (_, label) in ((second.frequency, places[1]), (first.frequency, places[0])):
            for place, letter in zip(label.tolist(), known, strict=True):
                letters[place] = letter
        frequency = tuple(letters)
    return Federated(moved("negative"), moved("partial"), frequency)
