"""One side, truth or found, as it came: names not yet joined with the other side's, boxes in the form given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Bools, Floats
from curvewise.detection.formats.fields import as_list, read_areas, read_boxes, read_flags, read_scores
from curvewise.detection.formats.names import Names, read_names
from curvewise.detection.formats.wording import wrong, wrong_rows
from curvewise.errors import Advice, CurvewiseError, Note, OptionName, nearest
from curvewise.rows.columns import count, is_missing

if TYPE_CHECKING:
    from curvewise.detection.formats.scene import BoxForm

# what a column may be called; COCO's names are the second ones
FIELDS = {
    "image": ("image", "image_id"),
    "class": ("class", "category_id"),
    "box": ("box", "bbox"),
    "score": ("score",),
    "area": ("area",),
    "crowd": ("crowd", "iscrowd"),
    "difficult": ("difficult",),
    "ignore": ("ignore",),
    "id": ("id",),
    "mask": ("segmentation",),
}
NEEDED = ("image", "class", "box", "score", "mask")


@dataclass(frozen=True)
class Wanted:
    """What is read of a side: which one it is, the form of its boxes, whether classes, masks and scores are needed."""

    name: Literal["truth", "found"]
    form: BoxForm = "xywh"
    classes: bool = True
    masks: bool = False
    score: float | None = None
    federated: bool = False

    @property
    def fields(self) -> list[str]:
        """The columns that may be read."""
        needed = {"class": self.classes, "mask": self.masks, "score": self.name == "found"}
        return [f for f in FIELDS if needed.get(f, self.name == "truth" or f in NEEDED)]


@dataclass(frozen=True, eq=False)
class ListedImages:
    """The images that a side lists, whether anything is in them or not.

    ``files`` are what their files are called; ``complete`` says that there are no other images; ``negative`` and
    ``partial`` are the classes of LVIS.
    """

    names: list[Any]
    sizes: Floats | None = None
    files: list[Any] | None = None
    attributes: dict[str, list[Any]] = field(default_factory=dict)
    complete: bool = True
    negative: list[Any] | None = None
    partial: list[Any] | None = None


@dataclass(frozen=True, eq=False)
class ListedClasses:
    """The classes that a side lists: what its rows call them, and what a reader does."""

    ids: list[Any]
    names: list[Any]
    frequency: list[Any] | None = None
    source: str = "categories"


@dataclass(frozen=True, eq=False)
class Side:
    """Truth or found, one element per row. ``where`` is the file it came from, or the side's name.

    ``stated`` is the form of the boxes where the format defines one, ``shares`` whether it measures them in shares of
    the image, ``by_image`` whether there is one dict per image, ``by_position`` whether those are a list; ``has_areas``
    whether the format has areas, ``has_masks`` whether those may be areas of masks.
    """

    wanted: Wanted
    where: str
    image: Names
    label: Names | None
    box: Floats
    score: NDArray[Any] | None = None
    score_missing: Bools | None = None
    area: Floats | None = None
    crowd: Bools | None = None
    ignore: Bools | None = None
    difficult: Bools | None = None
    id: list[Any] | None = None
    mask: list[Any] | None = None
    images: ListedImages | None = None
    classes: ListedClasses | None = None
    stated: BoxForm | None = None
    shares: bool = False
    by_image: bool = False
    by_position: bool = False
    has_areas: bool = False
    has_masks: bool = False
    notes: tuple[Note, ...] = ()

    def __len__(self) -> int:
        return len(self.image)

    @property
    def form(self) -> BoxForm:
        """What the four numbers of a box mean."""
        return self.stated or self.wanted.form


def side_of(columns: Mapping[str, Any], wanted: Wanted, where: str, **facts: Any) -> Side:
    """Read columns, called as in `FIELDS`; ``facts`` are what the format says about them."""
    image = read_names(_needed(columns, "image", where), "image", where)
    label = read_names(_needed(columns, "class", where), "class", where) if wanted.classes else None
    if "box" not in columns and wanted.masks and "mask" in columns:
        box = read_boxes([None] * len(image), where)
    else:
        box = read_boxes(_needed(columns, "box", where), where)
    read: dict[str, Any] = {"image": image, "label": label, "box": box}
    if wanted.name == "found":
        read["score"], read["score_missing"] = _score(columns, wanted, where, len(image))
    else:
        read["area"] = read_areas(columns["area"], where) if "area" in columns else None
        for name in ("crowd", "ignore", "difficult"):
            read[name] = read_flags(columns[name], name, where) if name in columns else None
        read["id"] = list(as_list(columns["id"], "id", where)) if "id" in columns else None
    read["mask"] = _masks(_needed(columns, "mask", where), where) if wanted.masks else None
    for name, values in read.items():
        if values is not None and len(values) != len(image):
            raise wrong(
                where,
                "image and {name} must be equally long: image has {rows}, {name} has {others}.",
                name={"label": "class"}.get(name, name),
                rows=count(len(image), "row"),
                others=len(values),
            )
    return Side(wanted, where, **(read | facts))


def no_field(where: str, field_name: str, there: Iterable[Any], called: tuple[str, ...] = ()) -> CurvewiseError:
    """Return the error of a column that is needed and not there; ``called`` what the format calls it."""
    names = " or ".join(map(repr, called or FIELDS[field_name]))
    known = [str(k) for k in there]
    if field_name == "score":
        advice = "pass {option} if the detections have none, and all count alike"
        return wrong(where, "there is no {names}; " + advice + ".", names=names, option=Advice("score=1", "--score 1"))
    near = [n for wanted in FIELDS[field_name] for n in nearest(wanted, known, 1)]
    without = ", and without classes pass {option}" if field_name == "class" else ""
    return wrong(
        where,
        "there is no {names}{hint}" + without + "; there are {there}.",
        names=names,
        hint=f" (did you mean {near[0]!r}?)" if near else "",
        there=", ".join(map(repr, known[:12])) or "none",
        option=OptionName("classes", "one"),
    )


def both_names(where: str, names: list[str]) -> CurvewiseError:
    """Return the error of a column that is there under both of its names."""
    return wrong(
        where, "both {names} are there, which mean the same; leave one out.", names=" and ".join(map(repr, names))
    )


def scores_given(where: str) -> CurvewiseError:
    """Return the error of a constant score for detections that have scores."""
    return wrong(where, "the detections have scores, so {option} cannot apply.", option=OptionName("score"))


def _needed(columns: Mapping[str, Any], name: str, where: str) -> Any:
    if name not in columns:
        raise no_field(where, name, columns)
    return columns[name]


def _masks(data: Any, where: str) -> list[Any]:
    masks = list(as_list(data, "segmentation", where))
    lacking = np.fromiter((is_missing(m) for m in masks), bool, len(masks))
    if lacking.any():
        raise wrong_rows(where, "segmentation is missing", lacking, "masks are compared, so every row needs one")
    return masks


def _score(columns: Mapping[str, Any], wanted: Wanted, where: str, rows: int) -> Any:
    if wanted.score is None:
        return read_scores(_needed(columns, "score", where), where)
    if "score" in columns:
        raise scores_given(where)
    return np.full(rows, wanted.score), None
