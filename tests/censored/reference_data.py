"""The reference data of survival: columns by name, numbers by data set."""

from __future__ import annotations

import csv
import json
from functools import cache
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent / "reference"


@cache
def numbers(name):
    """Return the numbers of a JSON file: golden, ours, peers."""
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


@cache
def columns(name):
    """Return the columns of a CSV file as float64 arrays."""
    with (FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {key: np.array([float(row[key]) for row in rows]) for key in rows[0]}
