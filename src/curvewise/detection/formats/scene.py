"""What is judged: annotated objects and detections, on one naming of images and classes, checked and in box form."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Bools, Floats

if TYPE_CHECKING:
    from curvewise.errors import Note

    Ints = NDArray[np.intp]

BoxForm = Literal["xywh", "xyxy", "cxcywh"]
Unknown = Literal["raise", "drop"]


@dataclass(frozen=True, eq=False)
class Truths:
    """Annotated objects, one element per object.

    Attributes
    ----------
    image, label
        The places of the image in `Scene.images` and of the class in `Scene.classes`.
    box
        x, y, width, height: one row each, float64.
    area
        What decides about size ranges: the area that the annotation states, else that of the box.
    crowd
        Whether it stands for many objects: it is never used up, and overlap is a share of the detection's area.
    ignored
        Whether it counts neither way (``ignore``; ``difficult`` of VOC).
    row
        Its place in what was given, counted from 0.
    id
        Its name in what was given; None where there is none.
    mask
        Its segmentation, where `match` was asked to compare masks.
    """

    image: Ints
    label: Ints
    box: Floats
    area: Floats
    crowd: Bools
    ignored: Bools
    row: Ints
    id: list[Any] | None = None
    mask: list[Any] | None = None

    def __len__(self) -> int:
        return len(self.image)


@dataclass(frozen=True, eq=False)
class Detections:
    """Boxes with a class and a score, one element per detection; fields as in `Truths`."""

    image: Ints
    label: Ints
    box: Floats
    score: NDArray[Any]
    row: Ints
    mask: list[Any] | None = None
    area: Floats | None = None  # of the mask, where masks are compared; else that of the box counts

    def __len__(self) -> int:
        return len(self.image)


@dataclass(frozen=True, eq=False)
class Federated:
    """Which classes were looked for in an image, where not all were (LVIS).

    ``negative`` and ``partial`` hold ``image * number of classes + class``, rising: pairs verified as absent, and
    pairs that are present but not all marked. ``frequency`` has ``"r"``, ``"c"`` or ``"f"`` per class: rare, common,
    frequent in training.
    """

    negative: Ints
    partial: Ints
    frequency: tuple[str, ...] | None = None


@dataclass(frozen=True, eq=False)
class Scene:
    """Truths and detections of the same images.

    Attributes
    ----------
    images, classes
        Names, each once. A class is called by its name where the annotations give one.
    class_ids
        What the annotations call each class; the names themselves where there are no others.
    sizes
        Width and height of each image, NaN where unknown; None where none is known.
    attributes
        Other facts about each image by name, such as its site or camera, in the order of `images`.
    notes
        What a reader should know about the input.
    in_shares
        Whether boxes are shares of the image, whose size is not known: areas are not in pixels.
    """

    images: tuple[Any, ...]
    classes: tuple[Any, ...]
    truths: Truths
    found: Detections
    class_ids: tuple[Any, ...] = ()
    sizes: Floats | None = None
    federated: Federated | None = None
    attributes: dict[str, list[Any]] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    in_shares: bool = False
