"""A folder of Pascal VOC annotations, one XML file per image, or of its devkit's results, one text file per class."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

import numpy as np

from curvewise.detection.formats.folder_text import file_error, numbers_of, text_of
from curvewise.detection.formats.names import Names
from curvewise.detection.formats.side import ListedImages, Side, Wanted, side_of
from curvewise.errors import CurvewiseError, SourceError

if TYPE_CHECKING:
    from pathlib import Path

CORNERS = ("xmin", "ymin", "xmax", "ymax")
RESULTS = re.compile(r"comp\d+_det_[^_]+_(.+)\.txt")  # comp4_det_test_aeroplane.txt


def read_voc(files: Sequence[Path], wanted: Wanted, where: str) -> Side:
    """Read annotations: name, corners and ``difficult`` of each object."""
    images, lengths, sizes = [f.stem for f in files], [], []
    kinds: list[str] = []
    boxes: list[list[float]] = []
    difficult: list[float] = []
    for file in files:
        root = _tree(file)
        objects = root.findall("object")
        for element in objects:
            kinds.append(_text(element, "name", file))
            corners = element.find("bndbox")
            if corners is None:
                raise file_error(file, None, f"the object {kinds[-1]!r} has no bndbox")
            boxes.append(numbers_of([_text(corners, c, file) for c in CORNERS], file))
            difficult += numbers_of([element.findtext("difficult") or "0"], file)
        lengths.append(len(objects))
        sizes.append([_size(root.findtext(f"size/{side}")) for side in ("width", "height")])
    columns: dict[str, Any] = {
        "image": Names(np.repeat(np.arange(len(images)), lengths), images),
        "class": kinds,
        "box": np.array(boxes, dtype=np.float64).reshape(-1, 4),
        "difficult": difficult,
    }
    known = np.array(sizes).reshape(-1, 2)
    listed = ListedImages(images, None if np.isnan(known).all() else known)
    return side_of(columns, wanted, where, images=listed, stated="xyxy")


def read_voc_results(files: Sequence[Path], wanted: Wanted, where: str) -> Side:
    """Read lines of image, score and corners, the class standing in the name of the file."""
    images: list[str] = []
    kinds: list[str] = []
    rows: list[list[float]] = []
    for file in files:
        named = RESULTS.fullmatch(file.name)
        for number, line in enumerate(text_of(file).splitlines(), 1):
            if not (cells := line.split()):
                continue
            if len(cells) != 6:
                raise file_error(file, number, f"expected image, score and four corners, got {len(cells)} values")
            images.append(cells[0])
            kinds.append(named[1] if named else "")
            rows.append(numbers_of(cells[1:], file, number))
    table = np.array(rows, dtype=np.float64).reshape(-1, 5)
    columns = {"image": images, "class": kinds, "box": table[:, 1:], "score": table[:, 0]}
    return side_of(columns, wanted, where, stated="xyxy")


def is_results(file: Path) -> bool:
    """Say whether a file is called like one of the devkit's results."""
    return RESULTS.fullmatch(file.name) is not None


def _tree(file: Path) -> Element:
    """Parse XML without a document type: entities, which could grow without end, are declared nowhere else."""
    builder = TreeBuilder()
    parser = expat.ParserCreate()
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.data
    parser.StartDoctypeDeclHandler = lambda *_: _refuse_doctype(file)
    try:
        parser.Parse(file.read_bytes(), True)
        return builder.close()
    except OSError as error:
        raise SourceError(f"{file}: cannot be read ({error.strerror or error}).") from None
    except (expat.ExpatError, AssertionError, ValueError) as error:
        if isinstance(error, CurvewiseError):
            raise
        raise SourceError(f"{file}: this is not whole XML ({error}); correct the file.") from None


def _refuse_doctype(file: Path) -> None:
    raise SourceError(f"{file}: declares a document type (<!DOCTYPE …>), which annotations do not need; remove it.")


def _text(element: Element, name: str, file: Path) -> str:
    text = (element.findtext(name) or "").strip()
    if not text:
        raise file_error(file, None, f"an object has no <{name}>")
    return text


def _size(text: str | None) -> float:
    try:
        length = float(text or "nan")
    except ValueError:
        return np.nan
    return length if length > 0 else np.nan
