"""Images of both sides under one naming, in the order of their names."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.detection.inputs.joined import (
    Joined,
    names_given,
    no_such_name,
    places,
    refuse_other_kind,
    refuse_unknown,
    refuse_unlisted,
)
from curvewise.detection.inputs.names import sorted_names
from curvewise.errors import CurvewiseError, OptionName
from curvewise.rows.columns import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curvewise.detection.inputs.side import ListedImages, Side
    from curvewise.detection.scene import Floats


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
