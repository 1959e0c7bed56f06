"""A folder of YOLO labels: one text file per image, each line a class and a box in shares of the image."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from curvewise.detection.formats.folder_text import file_error, numbers_of, text_of
from curvewise.detection.formats.names import Names
from curvewise.detection.formats.side import ListedClasses, ListedImages, Side, Wanted, no_field, scores_given, side_of

NAME_FILES = ("classes.txt", "obj.names", "data.yaml")
PICTURES = {".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"}


def read_yolo(folder: Path, files: Sequence[Path], wanted: Wanted, where: str) -> Side:
    """Read lines of class, centre x, centre y, width, height, and a score for detections."""
    files = [f for f in files if f.name not in NAME_FILES]
    rows: list[list[float]] = []
    lengths = []
    columns = 6 if wanted.name == "found" and wanted.score is None else 5
    for file in files:
        before = len(rows)
        for number, line in enumerate(text_of(file).splitlines(), 1):
            if cells := line.split():
                rows.append(_numbers(cells, columns, file, number, wanted, where))
        lengths.append(len(rows) - before)
    table = np.array(rows, dtype=np.float64).reshape(-1, columns)
    images = [f.stem for f in files]
    read: dict[str, Any] = {
        "image": Names(np.repeat(np.arange(len(images)), lengths), images),
        "class": table[:, 0].astype(np.int64).tolist(),
        "box": table[:, 1:5],
    }
    if columns == 6:
        read["score"] = table[:, 5]
    pictures = _pictures(folder)
    listed = ListedImages(sorted({*images, *pictures}), complete=bool(pictures))
    return side_of(read, wanted, where, images=listed, classes=_classes(folder), stated="cxcywh", shares=True)


def _numbers(cells: list[str], columns: int, file: Path, number: int, wanted: Wanted, where: str) -> list[float]:
    if len(cells) != columns:
        if columns == 6 and len(cells) == 5:
            raise no_field(where, "score", [])
        if len(cells) == 6 and wanted.score is not None:
            raise scores_given(where)
        expected = "class, centre x, centre y, width, height" + (", score" if columns == 6 else "")
        raise file_error(file, number, f"expected {columns} numbers ({expected}), got {len(cells)}")
    if not re.fullmatch(r"\d+", cells[0]):
        raise file_error(file, number, f"expected a class number of 0 or more first, got {cells[0]!r}")
    return numbers_of(cells, file, number)


def _pictures(folder: Path) -> list[str]:
    """Return the images of the folder ``images`` that stands beside ``labels``; one without labels has no object."""
    parts = list(folder.absolute().parts)
    if "labels" not in parts:
        return []
    at = len(parts) - 1 - parts[::-1].index("labels")
    beside = Path(*parts[:at], "images", *parts[at + 1 :])
    return [f.stem for f in beside.iterdir() if f.suffix.lower() in PICTURES] if beside.is_dir() else []


def _classes(folder: Path) -> ListedClasses | None:
    """Return names of classes from a file beside the labels, if there is one that is plain to read."""
    for place in (folder, folder.parent):
        for name in NAME_FILES:
            if (file := place / name).is_file():
                names = _yaml_names(text_of(file)) if file.suffix == ".yaml" else _lines(text_of(file))
                if names and len(set(names)) == len(names):
                    return ListedClasses(list(range(len(names))), names, source=str(file))
    return None


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _yaml_names(text: str) -> list[str]:
    """Return the list under ``names:``, written in one line or one name per line; nothing for anything else."""
    lines = [line.split(" #")[0].rstrip() for line in text.splitlines()]
    at = next((k for k, line in enumerate(lines) if line.startswith("names:")), None)
    if at is None:
        return []
    inline = lines[at].removeprefix("names:").strip()
    if inline:
        listed = re.fullmatch(r"\[(.*)\]", inline)
        return [_unquoted(name) for name in listed[1].split(",") if name.strip()] if listed else []
    names: list[str] = []
    for line in lines[at + 1 :]:
        entry = re.fullmatch(r"\s*(?:-|(\d+):)\s+(.+)", line)
        if entry is None or (entry[1] is not None and int(entry[1]) != len(names)):
            break
        names.append(_unquoted(entry[2]))
    return names


def _unquoted(name: str) -> str:
    return name.strip().strip("'\"")
