"""Tell in which form a side is given, and read it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from curvewise.detection.inputs.coco import is_coco, read_coco
from curvewise.detection.inputs.dict_rows import read_dicts
from curvewise.detection.inputs.frames import read_columns, read_frame
from curvewise.detection.inputs.paths import read_path
from curvewise.detection.inputs.per_image import is_per_image, read_per_image
from curvewise.detection.inputs.side import FIELDS, Side, Wanted
from curvewise.detection.inputs.wording import wrong
from curvewise.errors import OptionName
from curvewise.rows.columns import shown


def read_side(data: Any, wanted: Wanted) -> Side:
    """Read truth or detections in any form."""
    if isinstance(data, str | os.PathLike):
        side = read_path(os.fspath(data), wanted, _in_memory)
    else:
        side = _in_memory(data, wanted, wanted.name)
    if side.stated is not None and wanted.form not in ("xywh", side.stated):
        raise wrong(
            side.where,
            "boxes of this format are {stated}, so {option} cannot apply to it; give a pair, the form of truth first.",
            stated=side.stated,
            option=OptionName("boxes", wanted.form),
        )
    return side


def _in_memory(data: Any, wanted: Wanted, where: str) -> Side:
    if isinstance(data, Mapping):
        return _mapping(data, wanted, where)
    if isinstance(data, list | tuple):
        by_image = data and is_per_image(data[0])
        return read_per_image(data, wanted, where) if by_image else read_dicts(data, wanted, where)
    return read_frame(data, wanted, where)


def _mapping(data: Mapping[Any, Any], wanted: Wanted, where: str) -> Side:
    """Tell COCO's dict, a dict of images and a dict of columns apart by what they hold."""
    if is_coco(data):
        return read_coco(data, wanted, where)
    if all(isinstance(v, Mapping) for v in data.values()):
        return read_per_image(list(data.values()), wanted, where, names=list(data))
    if not any(name in data for names in FIELDS.values() for name in names):
        raise wrong(
            where,
            "neither COCO's dict (with 'annotations', 'images', 'categories') nor columns ('image', 'class', 'box' …); "
            "the keys are {keys}.",
            keys=", ".join(shown(k) for k in list(data)[:12]),
        )
    return read_columns(data, wanted, where)
