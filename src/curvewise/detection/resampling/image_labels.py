"""One label per image: the cluster it belongs to, or the group that it is counted with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.errors import OptionError, nearest
from curvewise.rows.category import Category, category, named_columns
from curvewise.rows.columns import as_column, count, shown

if TYPE_CHECKING:
    from curvewise.detection.formats.scene import Scene

IMAGE_COLUMNS = ("image", "image_id", "file_name")  # what a column of image names may be called


def image_labels(scene: Scene, given: object, option: str) -> Category:
    """Read one label per image, in the order of the images.

    ``given`` is the name of one of the scene's attributes; a dict of labels by image; a column with one value per
    image in their order (or a pandas Series with the images as its index); or a frame, or a dict of columns, of
    which one holds the images. Images without a label, or labels of other images, are refused.
    """
    if isinstance(given, str):
        if given not in scene.attributes:
            raise OptionError.of(option, _unknown_attribute(scene, given))
        return category(given, as_column(scene.attributes[given], option))
    if isinstance(given, Mapping) and not _holds_columns(given):
        return category(option, as_column(_looked_up(scene, given, option), option))
    columns = named_columns(given, option)
    names = [name for name in columns if name.casefold() in IMAGE_COLUMNS]
    if len(columns) == 1:
        return category(next(iter(columns)), _in_order(scene, next(iter(columns.values())), option))
    if len(columns) != 2 or len(names) != 1:
        some = ", ".join(map(shown, columns))
        raise OptionError.of(
            option, f"expected a column of images ('image') and one of labels, got {some}; pass these two only."
        )
    images = _listed(columns.pop(names[0]), option)
    name, labels = columns.popitem()
    values = _listed(labels, option)
    if len(images) != len(values):
        raise OptionError.of(option, f"there are {len(images)} images and {len(values)} labels.")
    if len(set(images)) < len(images):
        raise OptionError.of(option, f"{count(len(images) - len(set(images)), 'image')} given more than once.")
    pairs = dict(zip(images, values, strict=True))
    return category(name, as_column(_looked_up(scene, pairs, option), option))


def every_image(labels: Category, option: str) -> Category:
    """Refuse images without a label."""
    if None in labels.labels:
        missing = int(np.count_nonzero(labels.code == len(labels) - 1))
        raise OptionError.of(option, f"{count(missing, 'image')} of {len(labels.code)} without a label.")
    return labels


def _looked_up(scene: Scene, labels: Mapping[Any, Any], option: str) -> list[Any]:
    missing = [image for image in scene.images if image not in labels]
    if missing:
        raise OptionError.of(
            option, f"{count(len(missing), 'image')} of {len(scene.images)} without a label ({_first(missing)})."
        )
    if len(labels) > len(scene.images):
        known = set(scene.images)
        other = [image for image in labels if image not in known]
        raise OptionError.of(
            option,
            f"{count(len(other), 'label')} of images that are not judged here ({_first(other)}); leave them out.",
        )
    return [labels[image] for image in scene.images]


def _in_order(scene: Scene, data: object, option: str) -> Any:
    """Return a column in the order of the images; a pandas Series may name them in its index."""
    column = as_column(data, option)
    index = column.index
    if index is not None and type(index).__name__ != "RangeIndex" and set(scene.images) <= set(index.tolist()):
        pairs = dict(zip(index.tolist(), _listed(data, option), strict=True))
        return as_column(_looked_up(scene, pairs, option), option)
    if len(column) != len(scene.images):
        raise OptionError.of(
            option,
            f"expected one label per image, {len(scene.images)} in the order of m.images, got {len(column)}; "
            "a dict of labels by image needs no order.",
        )
    return column


def _holds_columns(given: Mapping[Any, Any]) -> bool:
    """Say whether a dict has columns by name, one of them the images, and not labels by image."""
    names = [name for name in given if isinstance(name, str) and name.casefold() in IMAGE_COLUMNS]
    return len(names) == 1 and len(given) == 2 and np.ndim(given[names[0]]) == 1


def _listed(data: object, option: str) -> list[Any]:
    column = as_column(data, option)
    values: list[Any] = column.values.tolist()
    if column.missing is None:
        return values
    return [None if gone else v for v, gone in zip(values, column.missing.tolist(), strict=True)]


def _unknown_attribute(scene: Scene, given: str) -> str:
    close = nearest(given, scene.attributes, 1)
    hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(map(repr, scene.attributes)) or 'none'}."
    return f"the images have no attribute {shown(given)}; {hint}"


def _first(names: Iterable[Any], most: int = 3) -> str:
    some = list(names)
    return ", ".join(map(shown, some[:most])) + (", …" if len(some) > most else "")
