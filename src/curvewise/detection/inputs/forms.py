"""Tell in which form a side is given, and read it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from curvewise.detection.inputs.coco import is_coco, read_coco
from curvewise.detection.inputs.dict_rows import read_dicts
from curvewise.detection.inputs.wording import wrong

if TYPE_CHECKING:
    from curvewise.detection.inputs.side import Side, Wanted


def read_side(data: Any, wanted: Wanted) -> Side:
    """Read truth or detections in any form."""
    where = wanted.name
    if isinstance(data, str | os.PathLike):
        from curvewise.detection.inputs.paths import read_path

        return read_path(os.fspath(data), wanted)
    return read_memory(data, wanted, where)


def read_memory(data: Any, wanted: Wanted, where: str) -> Side:
    """Read what is in memory; ``where`` it came from."""
    if isinstance(data, Mapping):
        if is_coco(data):
            return read_coco(data, wanted, where)
    if isinstance(data, list | tuple):
        return read_dicts(data, wanted, where)
    raise wrong(where, "other forms")
